"""Tables of words inside the package, one per language."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from psif.errors import InputError
from psif.vectors.packed import PackedTable, read_packed

# Name of a table: the SHA-256 of its file in psif/vectors/tables. The folder ``recipes`` of the
# repository says how each is made.
READY = {"english": "0961f6daeed8f2f134163940373747407e8581718bcd18d25a50e640fdf92ece"}


def is_ready(source: str | Path) -> bool:
    """Say whether this names a table inside the package; a file of that name comes first."""
    return str(source) in READY and not Path(source).exists()


def ready_table(name: str) -> PackedTable:
    """Read a table inside the package; the file is checked."""
    if name not in READY:
        raise InputError(f"no table is called {name!r}; there is {', '.join(READY)}.")
    place = files("psif.vectors") / "tables" / f"{name}.safetensors"
    return read_packed(Path(str(place)), READY[name])
