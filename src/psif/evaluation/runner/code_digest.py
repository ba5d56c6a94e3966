"""A digest of the code that makes a score, so that changed code never reuses an old score.

The digest covers the modules that a score passes through: the given ones and every psif module
that they import, directly or through others, inside functions too. Comments, docstrings and layout
do not count, nor what only the type checker imports, nor what a model offers besides vectors.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import psif

_PACKAGE = "psif"
# Explaining and saving a model changes no vector; a new version number changes no code.
_BESIDES = ("psif.explain", "psif.model.card", "psif.model.folder", "psif.model.storage",
            "psif.version")  # fmt: skip


def code_digest(modules: Iterable[str]) -> str:
    """Return 12 hexadecimal digits for the code of psif modules and of all that they import.

    Modules of other packages are left out.
    """
    digest = hashlib.sha256()
    for name in sorted(reached_modules(modules)):
        digest.update(f"{name} {_module_digest(name)}\n".encode())
    return digest.hexdigest()[:12]


def reached_modules(modules: Iterable[str]) -> set[str]:
    """Return the names of psif modules that these import, directly or not, and their own."""
    waiting = [name for name in modules if _path(name) is not None]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found and not f"{name}.".startswith(tuple(f"{b}." for b in _BESIDES)):
            found.add(name)
            waiting += _imported(name)
    return found


def _path(name: str) -> Path | None:
    """Return the file of a psif module; None for anything else."""
    first, *rest = name.split(".")
    if first != _PACKAGE or psif.__file__ is None:
        return None
    place = Path(psif.__file__).parent.joinpath(*rest)
    for path in (place / "__init__.py", place.with_suffix(".py")):
        if path.is_file():
            return path
    return None


def _imported(name: str) -> list[str]:
    """Return the psif modules that a module imports."""
    found = [
        # "from a.b import c" names the module a.b.c, or a name inside the module a.b.
        f"{module}.{inside}" if inside and _path(f"{module}.{inside}") else module
        for module, inside in _imports(_text(name))
    ]
    return [module for module in dict.fromkeys(found) if _path(module) is not None]


def _text(name: str) -> str:
    path = _path(name)
    assert path is not None
    return path.read_text(encoding="utf-8")


# Parsing is the slow part: it is done once per text, so that a changed file is seen at once.
@cache
def _imports(text: str) -> tuple[tuple[str, str], ...]:
    """Return pairs of a module and a name in it (or "") that a source text imports."""
    found: list[tuple[str, str]] = []
    for node in _statements(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found += [(node.module, alias.name) for alias in node.names]
    return tuple((module, inside) for module, inside in found if module.startswith(_PACKAGE))


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk over a module without the blocks that only the type checker reads."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from _statements(node)


def _module_digest(name: str) -> str:
    """Digest of a module's code, and of the data files beside it."""
    path = _path(name)
    assert path is not None
    digest = hashlib.sha256(_code(_text(name)).encode())
    for file in _data_files(path.parent):
        about = file.stat()
        digest.update(f"{file.name} {_content(file, about.st_size, about.st_mtime_ns)}".encode())
    return digest.hexdigest()


@cache
def _content(file: Path, size: int, time: int) -> str:
    """Digest of a data file, read once: all modules of its folder have it in theirs."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


@cache
def _code(text: str) -> str:
    """Digest of a source text without its docstrings, comments and layout."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            _drop_docstring(node)
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()


def _drop_docstring(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef,
) -> None:
    if ast.get_docstring(node, clean=False) is not None:
        del node.body[0]


def _data_files(folder: Path) -> tuple[Path, ...]:
    """Files of a package that are not code, in its own folder and in folders of data."""
    found: list[Path] = []
    if psif.__file__ is not None and folder == Path(psif.__file__).parent:
        return ()  # What lies beside errors and types belongs to no score.
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.suffix not in (".py", ".pyc") and path.name != "py.typed":
            found.append(path)
        elif path.is_dir() and path.name != "__pycache__" and not (path / "__init__.py").exists():
            found += [file for file in sorted(path.rglob("*")) if file.is_file()]
    return tuple(found)
