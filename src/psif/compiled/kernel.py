"""The decorator of every compiled loop, and where the compiled code is kept between runs.

numba's own cache fails where no folder is writable (containers, a wheel inside a zip), and looks
only at the file of a loop: a loop goes stale when a function changes that another file gives it.
Here the name of a cached loop contains a digest of all code that it can be made of.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

import numpy as np
from numba import config, njit
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    InTreeCacheLocator,
    NullCache,
    UserProvidedCacheLocator,
    UserWideCacheLocator,
    _CacheLocator,
)

from psif.errors import PsifWarning

_PACKAGE = "psif.compiled."


def kernel(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a loop with ``numba.njit``, without the interpreter's lock, and keep the result.

    With ``NUMBA_DISABLE_JIT=1`` the function stays Python, slow but open to a debugger.
    """

    def compiled(function: Callable[..., Any]) -> Any:
        if config.DISABLE_JIT:
            # As compiled numbers do, NumPy's then overflow without a warning: hashes rely on it.
            return np.errstate(all="ignore")(function)
        loop = njit(nogil=True, **options)(function)
        try:
            loop._cache = _KernelCache(function)
        except RuntimeError:  # no folder
            loop._cache = _NoCache()
        return loop

    return compiled


class _KernelCache(FunctionCache):
    """Compiled loops in files. A damaged or full folder costs time, never a run."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever damaged bytes may cause
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _tell_once(f"could not be kept in {self.cache_path} ({error.strerror or error})")
        except Exception:  # a damaged index
            try:
                self.flush()
                super().save_overload(sig, data)
            except OSError as error:
                _tell_once(f"could not be kept in {self.cache_path} ({error.strerror or error})")


class _NoCache(NullCache):
    """Compiled loops that only this process has."""

    def save_overload(self, sig: Any, cres: Any) -> None:
        _tell_once("cannot be kept: no folder for them is writable")


class _Locator(_CacheLocator):
    """The first writable folder of numba's usual three, and a name that no other code has."""

    def __init__(self, folder: str, digest: str, py_file: str) -> None:
        self._folder, self._digest, self._py_file = folder, digest, py_file

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator | None:
        digest = code_digest(py_func.__module__)
        places = [InTreeCacheLocator, UserWideCacheLocator]
        if config.CACHE_DIR:
            places.insert(0, UserProvidedCacheLocator)
        for place in places:
            folder = place(py_func, py_file).get_cache_path()
            if _is_writable(folder):
                return cls(folder, digest, py_file)
        return None

    def get_cache_path(self) -> str:
        return self._folder

    def get_source_stamp(self) -> str:
        return self._digest

    def get_disambiguator(self) -> str:
        return self._digest[:16]


class _KernelCacheImpl(CompileResultCacheImpl):
    _locator_classes = (_Locator,)


_KernelCache._impl_class = _KernelCacheImpl


@functools.cache
def _is_writable(folder: str) -> bool:
    try:
        os.makedirs(folder, exist_ok=True)
        name = os.path.join(folder, f".psif-{os.getpid()}-{threading.get_ident()}")
        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.unlink(name)
    except OSError:
        return False
    return True


@functools.cache
def code_digest(module: str) -> str:
    """Digest of a module and of all modules of this package that it imports.

    It is made of the code as Python loads it, not of the source: Python itself runs an old
    ``.pyc`` when a source has changed but has its old time and size.
    """
    digests = [f"{name} {_own_digest(name)}" for name in sorted(_imported(module))]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def _imported(module: str) -> set[str]:
    found, waiting = set(), [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [other for other in _code(name).co_names if other.startswith(_PACKAGE)]
    return found


@functools.cache
def _own_digest(name: str) -> str:
    text = _as_text(_code(name))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@functools.cache
def _code(name: str) -> CodeType:
    loaded = sys.modules.get(name)
    spec = loaded.__spec__ if loaded is not None else importlib.util.find_spec(name)
    code = getattr(spec and spec.loader, "get_code", lambda _: None)(name)
    if not isinstance(code, CodeType):
        raise RuntimeError(f"the code of {name} cannot be read")
    return code


def _as_text(value: Any) -> str:
    """Write code, or a constant of it, the same in every process."""
    if isinstance(value, CodeType):
        return f"code({','.join(map(_as_text, _parts(value)))})"
    if isinstance(value, tuple):
        return f"({','.join(map(_as_text, value))})"
    if isinstance(value, frozenset):  # in no fixed order
        return f"set({','.join(sorted(map(_as_text, value)))})"
    return f"{type(value).__name__} {value!r}"


def _parts(code: CodeType) -> Iterator[Any]:
    yield from (code.co_name, code.co_flags, code.co_argcount, code.co_kwonlyargcount)
    yield from (code.co_posonlyargcount, code.co_code, code.co_exceptiontable, code.co_consts)
    yield from (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)


_told = threading.Lock()


def _tell_once(problem: str) -> None:
    # The lock is never released: whoever gets it tells.
    if _told.acquire(blocking=False):
        warnings.warn(
            f"Compiled loops {problem}. psif compiles them in memory, which takes some seconds in "
            "every process. To keep them, set NUMBA_CACHE_DIR to a folder that can be written to.",
            PsifWarning,
            stacklevel=2,
        )
