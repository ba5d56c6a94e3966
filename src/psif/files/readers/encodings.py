"""Which encoding and which line ends a text file has."""

from __future__ import annotations

import codecs

from psif.errors import FormatError, InputError

# In this order: the mark of UTF-32 begins with that of UTF-16.
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Bytes that text files do not hold: control characters except tab, line ends, form feed, escape.
_CONTROLS = bytes(set(range(32)) - {7, 8, 9, 10, 11, 12, 13, 27})
# Without a mark: of the bytes in the high half of each character, so many are zero.
_ZERO_SHARE = 0.5
# And so many of the characters are control characters at most.
_CONTROL_SHARE = 0.01


def detect_encoding(sample: bytes, path: str) -> str:
    """Find the encoding from a file's first bytes; binary files are refused.

    A byte order mark decides. Without one, zero bytes in a fixed rhythm mean UTF-16 or UTF-32;
    other text is UTF-8 if the sample is valid, and else Windows-1252, the superset of Latin-1
    that most old Western files are in.
    """
    for mark, encoding in _MARKS.items():
        if sample.startswith(mark):
            return encoding
    if b"\0" in sample:
        return _wide_encoding(sample, path)
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    if controls > _CONTROL_SHARE * len(sample):
        raise FormatError(f"{path}: looks like a binary file, expected text")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample, final=False)
    except UnicodeDecodeError:
        return "utf-8" if _mostly_utf8(sample) else "cp1252"
    return "utf-8"


def check_encoding(encoding: str) -> None:
    """Refuse a name that is not that of a text encoding."""
    try:
        b"a".decode(encoding, "replace")
    except (LookupError, ValueError) as error:
        raise InputError(f"unknown encoding {encoding!r}; try utf-8, latin-1, cp1252") from error


def line_end(sample: str) -> str:
    r"""Return "\r" for a text whose lines end so (old Macintosh files), else "\n"."""
    # The last character may be the first half of a "\r\n".
    return "\r" if "\n" not in sample and "\r" in sample[:-1] else "\n"


def _wide_encoding(sample: bytes, path: str) -> str:
    """Recognise UTF-16 and UTF-32 without a byte order mark: mostly Western text has zeros.

    The two high bytes of a UTF-32 character are 0 and at most 0x10; one of UTF-16 is mostly 0.
    """
    whole = sample[: len(sample) // 4 * 4]
    for encoding, high in (
        ("utf-32-le", (2, 3)),
        ("utf-32-be", (1, 0)),
        ("utf-16-le", (1,)),
        ("utf-16-be", (0,)),
    ):
        width = 4 if len(high) == 2 else 2
        zeros = [whole[offset::width].count(0) / max(1, len(whole) // width) for offset in high]
        if min(zeros) < (_ZERO_SHARE if width == 2 else 1 - _CONTROL_SHARE):
            continue
        try:
            text = codecs.getincrementaldecoder(encoding)().decode(whole, final=False)
        except UnicodeDecodeError:
            continue
        controls = sum(ord(character) < 32 and ord(character) in _CONTROLS for character in text)
        if text and controls <= _CONTROL_SHARE * len(text):
            return encoding
    raise FormatError(
        f"{path}: looks like a binary file (it has zero bytes), expected text; "
        "if it is UTF-16, name it with --encoding utf-16-le or utf-16-be"
    )


def _mostly_utf8(sample: bytes) -> bool:
    """Tell a UTF-8 file with a few broken bytes from one in another encoding."""
    decoded = sample.decode("utf-8", "replace")
    good = sum(character > "\x7f" for character in decoded) - decoded.count("\ufffd")
    return good > decoded.count("\ufffd")
