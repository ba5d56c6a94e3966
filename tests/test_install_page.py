"""The page about the installation: its extras exist, and its error is the real one."""

import re
import tomllib

from psif.errors import MissingExtraError
from tests.snippets import ROOT

PAGE = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_extras_exist():
    named = set(re.findall(r"psif\[([\w-]+)\]", PAGE))
    last = PAGE.split("The other extras")[1].split("Whatever")[0]
    named |= set(re.findall(r"`([a-z]+)`", last))
    assert named <= set(PROJECT["optional-dependencies"])
    assert {"parquet", "serve", "static", "dask"} <= named


def test_pyarrow_is_optional():
    assert not any(need.startswith("pyarrow") for need in PROJECT["dependencies"])
    # A row of the table names the large packages that are not.
    (row,) = re.findall(r"^\| `psif` \|.*$", PAGE, re.MULTILINE)
    for name in ("numba", "scikit-learn", "SciPy", "NumPy"):
        assert any(need.lower().startswith(name.lower()) for need in PROJECT["dependencies"])
        assert name in row


def test_the_error_is_the_real_one():
    error = MissingExtraError("pyarrow", "parquet", "vectors.parquet: a Parquet file")
    assert f"Error: {error}" in PAGE


def test_versions_of_python():
    found = [name.rpartition(" ")[2] for name in PROJECT["classifiers"] if ":: 3." in name]
    assert (found[0], found[-1]) == ("3.11", "3.14")
    assert f"Python {found[0]} to {found[-1]}" in PAGE
