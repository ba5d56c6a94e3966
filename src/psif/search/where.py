"""A small language of conditions on metadata: ``year >= 2020 and lang in ["en", "de"]``.

It is parsed here and never run as Python. A condition compares a field with a value; conditions are
joined with ``and``, ``or``, ``not`` and parentheses.

=================  =================================================================
comparison         ``== != < <= > >=``, ``in [..]``, ``not in [..]``; chains such as
                   ``2000 <= year < 2010``
field              its name, or its name between backticks: ```page count` > 9``
value              a number, a string in single or double quotes, ``true``, ``false``,
                   ``null``
=================  =================================================================

A value is equal only to values of its own type, and only such are smaller or larger: ``year > 5``
is false for a document whose year is "2020" or missing. ``null`` equals a missing value, and
``!=`` is the opposite of ``==``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from psif.errors import InputError
from psif.search.conditions import Comparison, Condition, Joined, Opposite, Value

_LONGEST, _DEEPEST = 10_000, 50
_TOKEN = re.compile(
    r"""\s*(?:(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?![\w.])
    |(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |`(?P<quoted>[^`]+)`
    |(?P<name>[^\W\d][\w.]*)
    |(?P<sign>==|!=|<>|<=|>=|[<>=()\[\],]))""",
    re.VERBOSE,
)
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_SAME = {"=": "==", "<>": "!="}
_CONSTANTS: dict[str, Value] = {"true": True, "false": False, "null": None}


def parse_where(text: str) -> Condition:
    """Read a condition.

    >>> parse_where('year >= 2020')
    Comparison(field='year', sign='>=', values=(2020.0,))
    """
    if not isinstance(text, str):
        raise InputError(
            f"where must be a text such as 'year >= 2020'; got {type(text).__name__} {text!r}."
        )
    if len(text) > _LONGEST:
        raise InputError(f"where has {len(text)} characters; at most {_LONGEST} are read.")
    return _Parser(text).whole()


@dataclass(frozen=True)
class _Field:
    name: str


class _Parser:
    """Recursive descent over the tokens."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = self._cut()
        self._place = 0
        self._depth = 0

    def whole(self) -> Condition:
        condition = self._any()
        if self._place < len(self._tokens):
            raise self._error("expected 'and', 'or' or the end")
        return condition

    def _cut(self) -> list[tuple[str, str, int]]:
        tokens, position = [], 0
        stripped = self._text.rstrip()
        while position < len(stripped):
            match = _TOKEN.match(self._text, position)
            if match is None or match.lastgroup is None:
                rest = self._text[position:].lstrip()
                raise InputError(
                    f"where: cannot read {rest[:20]!r} in {self._text!r}. Strings need quotes, "
                    'for example lang == "en".'
                )
            kind = match.lastgroup
            tokens.append((kind, match.group(kind), match.start(kind)))
            position = match.end()
        return tokens

    def _any(self) -> Condition:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise InputError(f"where has more than {_DEEPEST} conditions within conditions.")
        parts = [self._all()]
        while self._take_word("or"):
            parts.append(self._all())
        self._depth -= 1
        return parts[0] if len(parts) == 1 else Joined(False, tuple(parts))

    def _all(self) -> Condition:
        parts = [self._one()]
        while self._take_word("and"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else Joined(True, tuple(parts))

    def _one(self) -> Condition:
        n_not = 0
        while self._take_word("not"):
            n_not += 1
        if self._take_sign("("):
            condition = self._any()
            self._expect(")")
        else:
            condition = self._comparison()
        return Opposite(condition) if n_not % 2 else condition

    def _comparison(self) -> Condition:
        left = self._operand()
        opposite = self._take_word("not")
        if opposite or self._next_word("in"):
            if not self._take_word("in"):
                raise self._error("expected 'in' after 'not'")
            if not isinstance(left, _Field):
                raise self._error("expected a field before 'in'")
            inside = Comparison(left.name, "==", self._values())
            return Opposite(inside) if opposite else inside
        parts: list[Condition] = []
        while (sign := self._take_comparison()) is not None:
            right = self._operand()
            parts.append(self._pair(left, sign, right))
            left = right
        if not parts:
            raise self._error("expected a comparison such as == or >=")
        return parts[0] if len(parts) == 1 else Joined(True, tuple(parts))

    def _pair(self, left: _Field | Value, sign: str, right: _Field | Value) -> Condition:
        if isinstance(left, _Field) and not isinstance(right, _Field):
            return Comparison(left.name, sign, (right,))
        if isinstance(right, _Field) and not isinstance(left, _Field):
            return Comparison(right.name, _TURNED[sign], (left,))
        both = "two fields" if isinstance(left, _Field) else "two values"
        raise self._error(f"a field is compared with a value, not {both} with each other")

    def _operand(self) -> _Field | Value:
        if self._place >= len(self._tokens):
            raise self._error("expected a field or a value")
        kind, text, _ = self._tokens[self._place]
        if kind == "sign" or (kind == "name" and text in ("and", "or", "in", "not")):
            raise self._error("expected a field or a value")
        self._place += 1
        if kind == "number":
            return float(text)
        if kind == "string":
            return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
        if kind == "name" and text.lower() in _CONSTANTS:
            return _CONSTANTS[text.lower()]
        return _Field(text)

    def _values(self) -> tuple[Value, ...]:
        self._expect("[")
        values: list[Value] = []
        while not self._take_sign("]"):
            if values:
                self._expect(",")
            value = self._operand()
            if isinstance(value, _Field):
                self._place -= 1
                raise self._error("expected a value in the list; strings need quotes")
            values.append(value)
        return tuple(values)

    def _next_word(self, word: str) -> bool:
        return self._place < len(self._tokens) and self._tokens[self._place][:2] == ("name", word)

    def _take_word(self, word: str) -> bool:
        found = self._next_word(word)
        self._place += found
        return found

    def _take_sign(self, sign: str) -> bool:
        found = self._place < len(self._tokens) and self._tokens[self._place][:2] == ("sign", sign)
        self._place += found
        return found

    def _take_comparison(self) -> str | None:
        if self._place < len(self._tokens) and self._tokens[self._place][0] == "sign":
            sign = self._tokens[self._place][1]
            sign = _SAME.get(sign, sign)
            if sign in _TURNED:
                self._place += 1
                return sign
        return None

    def _expect(self, sign: str) -> None:
        if not self._take_sign(sign):
            raise self._error(f"expected {sign!r}")

    def _error(self, problem: str) -> InputError:
        if self._place < len(self._tokens):
            at = f"before {self._text[self._tokens[self._place][2] :][:20]!r}"
        else:
            at = "at its end"
        return InputError(f"where: {problem}, {at} in {self._text!r}.")
