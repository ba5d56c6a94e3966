"""Where compiled code is kept, and that it is never older than its source."""

import importlib
import os
import pkgutil
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import psif
import psif.compiled
from psif.compiled.kernel import code_digest

PACKAGE = Path(psif.__file__).parent
INNER = """
from psif.compiled.kernel import kernel

@kernel({options})
def inner(x):
    return x + {number}
"""
OUTER = """
from psif.compiled.kernel import kernel
from psif.compiled.inner import inner

@kernel()
def outer(x):
    return 10 * inner(x)
"""
ASK = "from psif.compiled.outer import outer; print(outer(0), sum(outer.stats.cache_hits.values()))"
FIT = """
import numpy, psif
print(psif.__file__)
texts = ["the cat sat on the mat", "the dog ate the cat", "a bird in the tree", "fish in the sea"]
print(numpy.isfinite(psif.PSIF(dim=2, n_topics=2).fit_transform(texts)).all())
"""


def run(code, packages, *, bytecode=False, check=True, **environment):
    """Run code in a process of its own; no folder for compiled code is writable."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(packages),
        "HOME": os.devnull,
        "XDG_CACHE_HOME": os.path.join(os.devnull, "x"),
        "LOCALAPPDATA": os.path.join(os.devnull, "x"),
        "NUMBA_DISABLE_JIT": "0",  # whatever the tests themselves run with
        **environment,
    }
    environment.pop("NUMBA_CACHE_DIR", None)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if not bytecode:
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
    command = [sys.executable, "-W", "always::psif.errors.PsifWarning", "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=check)


def numbers(done):
    return [int(number) for number in done.stdout.split()]


def write(path, text, like=None):
    """Write a source; ``like`` gives its time."""
    path.write_text(text)
    if like is not None:
        os.utime(path, ns=(like.st_atime_ns, like.st_mtime_ns))


@pytest.fixture
def packages(tmp_path):
    """A folder with a copy of the parts of psif that a loop needs, and a loop of two files."""
    target = tmp_path / "psif"
    (target / "compiled").mkdir(parents=True)
    shutil.copy(PACKAGE / "errors.py", target)
    (target / "__init__.py").write_text("")
    (target / "compiled" / "__init__.py").write_text("")
    shutil.copy(PACKAGE / "compiled" / "kernel.py", target / "compiled")
    write(target / "compiled" / "inner.py", INNER.format(options="", number=1))
    write(target / "compiled" / "outer.py", OUTER)
    return tmp_path


def test_compiled_code_is_kept(packages):
    assert numbers(run(ASK, packages)) == [10, 0]
    assert numbers(run(ASK, packages)) == [10, 1]


@pytest.mark.parametrize("options", ["", 'inline="always"'])
def test_changed_code_of_another_file_is_compiled_again(packages, options):
    path = packages / "psif" / "compiled" / "inner.py"
    write(path, INNER.format(options=options, number=1))
    before = path.stat()
    assert numbers(run(ASK, packages)) == [10, 0]
    # Of the same size and, as after many an archive or checkout, of the same time.
    write(path, INNER.format(options=options, number=2), like=before)
    assert path.stat().st_size == before.st_size
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert numbers(run(ASK, packages)) == [20, 0]


def test_code_of_an_old_bytecode_file_is_not_kept_for_the_new_source(packages):
    """Python runs an old .pyc where time and size fit; that must not outlive the .pyc."""
    path = packages / "psif" / "compiled" / "inner.py"
    run(ASK, packages, bytecode=True)
    before = path.stat()
    write(path, INNER.format(options="", number=2), like=before)
    assert numbers(run(ASK, packages, bytecode=True))[0] == 10
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 2_000_000_000))
    assert numbers(run(ASK, packages, bytecode=True)) == [20, 0]


def test_without_a_writable_folder_loops_are_compiled_in_memory(packages):
    (packages / "psif" / "compiled" / "__pycache__").write_text("a file in the folder's place")
    done = run(ASK, packages)
    assert numbers(done) == [10, 0]
    assert done.stderr.count("NUMBA_CACHE_DIR") == 1


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_not_writable(packages):
    (packages / "psif" / "compiled").chmod(0o500)
    assert numbers(run(ASK, packages)) == [10, 0]


@pytest.mark.parametrize(("ending", "content"), [("*.nbi", b""), ("*.nbc", b"\x80\x05no pickle")])
def test_damaged_compiled_code_is_compiled_again(packages, ending, content):
    run(ASK, packages)
    files = list((packages / "psif" / "compiled" / "__pycache__").glob(ending))
    assert len(files) == 2
    for path in files:
        path.write_bytes(content)
    assert numbers(run(ASK, packages)) == [10, 0]
    assert numbers(run(ASK, packages)) == [10, 1]  # and repaired


def test_a_full_disk_is_told_once(packages):
    full = "import numba.core.caching as c\ndef full(*a): raise OSError(28, 'No space left')\n"
    full += "c.IndexDataCacheFile.save = full\n"
    done = run(full + ASK, packages)
    assert numbers(done) == [10, 0]
    assert done.stderr.count("No space left") == 1


def test_a_zipped_wheel_can_fit(tmp_path):
    wheel = tmp_path / "psif-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        for path in PACKAGE.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                file.write(path, Path("psif") / path.relative_to(PACKAGE))
    done = run(FIT, wheel)
    place, finite = done.stdout.split()
    assert place.startswith(str(wheel))
    assert finite == "True"
    assert done.stderr.count("NUMBA_CACHE_DIR") == 1


def test_every_loop_is_a_kernel_with_a_digest_of_its_imports():
    names = [module.name for module in pkgutil.iter_modules(psif.compiled.__path__)]
    for name in set(names) - {"kernel"}:
        source = (PACKAGE / "compiled" / f"{name}.py").read_text()
        assert "njit" not in source, name
        # The digest finds imports by these names.
        assert "from psif.compiled import" not in source, name
        for function in vars(importlib.import_module(f"psif.compiled.{name}")).values():
            if type(function).__name__ == "CPUDispatcher":
                assert code_digest(function.__module__)[:16] in function._cache._impl.filename_base


def test_the_digest_is_the_same_in_every_process():
    code = "from psif.compiled import kernel; print(kernel.code_digest('psif.compiled.average'))"
    seeds = [run(code, PACKAGE.parent, PYTHONHASHSEED=seed).stdout for seed in ("1", "2")]
    assert seeds[0] == seeds[1] == code_digest("psif.compiled.average") + "\n"
