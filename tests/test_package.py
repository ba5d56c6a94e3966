"""The front door: light imports, the promised names."""

import subprocess
import sys

import pytest

import psif

HEAVY = ("numba", "numpy", "pandas", "pyarrow", "rich", "scipy", "sklearn", "safetensors")


def loaded_after(statement):
    code = f"{statement}; import sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip().splitlines()[-1]


def test_importing_psif_loads_nothing_heavy():
    assert loaded_after("import psif") == "[]"


def test_public_names_are_there():
    assert set(dir(psif)) == set(psif.__all__)
    for name in psif.__all__:
        assert getattr(psif, name) is not None
    assert callable(psif.explain.kernels.relaxed_word_mover)
    with pytest.raises(AttributeError, match="no attribute 'PSIFF'"):
        _ = psif.PSIFF


def test_our_errors_are_one_family():
    for error in (psif.InputError, psif.FormatError):
        assert issubclass(error, psif.PsifError)
        assert issubclass(error, ValueError)
    assert issubclass(psif.MissingExtraError, ImportError)
    message = str(psif.MissingExtraError("gensim", "gensim", "Doc2Vec"))
    assert message.startswith("Doc2Vec needs the package 'gensim'.")
    assert message.endswith("pip install 'psif[gensim]'")
