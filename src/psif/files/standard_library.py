"""Real text that every machine has: the documentation strings of Python's standard library."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
import sysconfig
import warnings
from collections.abc import Iterator
from pathlib import Path

# Not the library itself: its tests, and the editor and installer that come with it.
_LEFT_OUT = {"test", "tests", "idlelib", "lib2to3", "site-packages", "ensurepip", "distutils"}
# Written in C, so their documentation is not in a source file. All are harmless to import.
_COMPILED = ("builtins", "math", "cmath", "itertools", "time", "sys", "zlib", "array", "select")
_LEAST_WORDS = 5


def docstrings() -> dict[str, str]:
    """Dotted name to documentation, each text once."""
    found: dict[str, str] = {}
    seen: set[str] = set()
    for name, text in [*_from_sources(), *_from_modules()]:
        clean = inspect.cleandoc(text)
        if len(clean.split()) >= _LEAST_WORDS and clean not in seen and name not in found:
            seen.add(clean)
            found[name] = clean
    return found


def _from_sources() -> Iterator[tuple[str, str]]:
    """Parse the sources; nothing is imported or run."""
    root = Path(sysconfig.get_paths()["stdlib"])
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        if _LEFT_OUT.intersection(parts) or any(part.startswith("config-") for part in parts):
            continue
        module = ".".join(part for part in parts if part != "__init__")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError, OSError):
            continue
        yield from _walk(tree, module)


def _walk(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, name: str
) -> Iterator[tuple[str, str]]:
    text = ast.get_docstring(node, clean=False)
    if text:
        yield name, text
    if isinstance(node, ast.Module | ast.ClassDef):
        for child in node.body:
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _walk(child, f"{name}.{child.name}")


def _from_modules() -> Iterator[tuple[str, str]]:
    for module_name in _COMPILED:
        if module_name not in sys.builtin_module_names and module_name not in sys.modules:
            continue
        module = importlib.import_module(module_name)
        prefix = "" if module_name == "builtins" else f"{module_name}."
        for name, value in sorted(vars(module).items()):
            if name.startswith("_") or not callable(value):
                continue
            yield from _documented(f"{prefix}{name}", value)
            if isinstance(value, type) and not issubclass(value, BaseException):
                for method, function in sorted(vars(value).items()):
                    if not method.startswith("_") and callable(function):
                        yield from _documented(f"{prefix}{name}.{method}", function)


def _documented(name: str, value: object) -> Iterator[tuple[str, str]]:
    text = getattr(value, "__doc__", None)
    if isinstance(text, str):
        yield name, text
