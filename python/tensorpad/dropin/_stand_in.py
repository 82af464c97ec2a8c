"""The function that stands in for numpy.pad, where it is put, and whether its results are NumPy's.
SPDX-License-Identifier: MIT"""

from __future__ import annotations

import functools
import multiprocessing.spawn
import os
import sys

import numpy

import tensorpad

from .._arguments import computes
from .._arrays import MAX_RANK
from .._numpy import holds_arrays, numpy_pad
from ._tally import CALLS, NO_SIZE, NUMPY, TENSORPAD, Tally, counter

# What numpy.pad takes besides array, pad_width and mode; tensorpad.pad takes more.
KEYWORDS = {"stat_length", "constant_values", "end_values", "reflect_type"}


def _name(mode):
    return f"{mode.__qualname__}()" if hasattr(mode, "__qualname__") else str(mode)


def _difference(result, error, numpys, refused, call):
    array, pad_width, mode = call
    found = errors(error, refused) or (None if error else results(result, numpys, mode != "empty"))
    return found and f"array {array.dtype} {array.shape}, pad_width {pad_width!r}: {found}"


def make(tally, verify, one_in):
    """The function, which takes what numpy.pad takes and counts each call.

    verify: NumPy's runs each call as well; else one call in one_in (0: none)."""
    ours = tensorpad.pad
    ndarray = numpy.ndarray
    run = counter(tally, verify, one_in, _difference)

    def pad(array, pad_width, mode="constant", **kwargs):
        if type(array) is not ndarray:
            array = numpy.asarray(array)  # as numpy.pad does, also for torch's tensors
        caller = sys._getframe(1)
        place = (
            caller.f_code.co_filename,
            caller.f_lineno,
            mode if type(mode) is str else _name(mode),
        )
        strange = (
            callable(mode)
            or kwargs
            and (not kwargs.keys() <= KEYWORDS or holds_arrays(kwargs.get("constant_values")))
        )
        function = numpy_pad if strange else ours
        by = NUMPY if strange or array.ndim > MAX_RANK or computes(mode, kwargs) else TENSORPAD
        # NumPy runs a callable mode: whatever that does should happen once.
        return run(
            caller, place, by, function, numpy_pad, (array, pad_width, mode), kwargs, callable(mode)
        )

    def dispatcher(array, pad_width, mode=None, **kwargs):
        """NumPy asks here for the arguments whose types may pad in a way of their own."""
        kind = type(array)
        if (
            kind is not ndarray
            and not isinstance(array, ndarray)
            and hasattr(kind, "__array_function__")
        ):
            caller = sys._getframe(1)
            key = (
                caller.f_code.co_filename,
                caller.f_lineno,
                _name(mode or "constant"),
                f"{kind.__module__}.{kind.__qualname__}",
                NO_SIZE,
            )
            record = tally.records.get(key) or tally.record(*key, caller.f_code.co_qualname)
            with tally.lock:
                tally.counts[record.base + CALLS] += 1
        return (array,)

    pad.__qualname__ = dispatcher.__qualname__ = numpy_pad.__qualname__  # for errors of arguments
    # NumPy's own kind of function: types that pad in a way of their own are asked first, and find
    # this very function, under which they may have registered theirs.
    return functools.wraps(numpy_pad)(type(numpy_pad)(dispatcher, pad))


def replace_everywhere(theirs, function):
    """Puts a function wherever a module that is loaded, but for ours, holds another."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] != "tensorpad":
            for key, value in list(getattr(module, "__dict__", {}).items()):
                if value is theirs:
                    setattr(module, key, function)


def replace(function):
    """Puts it wherever a module that is loaded holds NumPy's pad, and where NumPy lists what types
    may override; ours keep NumPy's."""
    replace_everywhere(numpy_pad, function)
    listed = numpy._core.overrides.ARRAY_FUNCTIONS
    listed.discard(numpy_pad)
    listed.add(function)


def install(tally, verify, one_in):
    """From now on numpy.pad is ours, here and in processes that multiprocessing starts."""
    for pad in (tensorpad.pad, numpy_pad):
        pad(numpy.zeros(2), 1, "edge")  # what the first call loads is not the program's time
    replace(make(tally, verify, one_in))
    follow(_join, tally, verify, one_in)


def _join(folder, verify, one_in):
    """install, in such a process."""
    install(Tally(folder), verify, one_in)


# ---- Processes that multiprocessing starts anew (spawn, forkserver) ------------------------------


class _Join:
    """What a child reads before it loads the program: reading it calls the function there."""

    def __init__(self, function, *settings):
        self.function = function
        self.settings = settings

    def __reduce__(self):
        return self.function, self.settings


def follow(join, tally, verify, one_in):
    """Has every such child call join(folder, verify, one_in), a function that it can import. A
    forked child inherits all it needs."""
    _clear_at_exits(tally)
    told = multiprocessing.spawn.get_preparation_data

    @functools.wraps(told)
    def tell(name):
        return {"tensorpad.dropin": _Join(join, tally.make_folder(), verify, one_in), **told(name)}

    multiprocessing.spawn.get_preparation_data = tell


def _clear_at_exits(tally):
    """os._exit and exec run no function of atexit: here they first remove the folder of the children."""

    def clearing(function, is_done):
        @functools.wraps(function)
        def ends(*args, **kwargs):
            if os.getpid() == tally.owner and is_done(*args[:1], *kwargs.values()):
                tally.clear()
            return function(*args, **kwargs)

        return ends

    os._exit = clearing(os._exit, lambda *_: True)
    for name in ("execv", "execve"):  # they are tried in one folder of PATH after the other
        setattr(
            os,
            name,
            clearing(getattr(os, name), lambda path=None, *_: path and os.path.exists(path)),
        )


# ---- Comparison ----------------------------------------------------------------------------------


def results(ours, numpys, elements=True):
    """The first difference in words, or None. elements=False: cells hold what they happened to."""
    if type(ours) is not type(numpys):
        return f"type {type(ours).__name__}, NumPy's {type(numpys).__name__}"
    if ours.dtype != numpys.dtype:
        return f"dtype {ours.dtype}, NumPy's {numpys.dtype}"
    if ours.shape != numpys.shape:
        return f"shape {ours.shape}, NumPy's {numpys.shape}"
    if _layout(ours) != _layout(numpys):
        return f"layout {_layout(ours)}, NumPy's {_layout(numpys)}"
    if not elements or same(ours, numpys):
        return None
    where = _first_different(ours, numpys)
    index = tuple(map(int, where))
    return f"element {index} is {ours[index]!r}, NumPy's {numpys[index]!r}"


def tensors(ours, torchs):
    """The same of tensors of torch. The layout is not compared: torch loses channels_last."""
    for what in ("dtype", "shape"):
        if getattr(ours, what) != getattr(torchs, what):
            return f"{what} {getattr(ours, what)}, torch's {getattr(torchs, what)}"
    different = (ours != torchs) & ~((ours != ours) & (torchs != torchs))
    if not different.any():
        return None
    index = tuple(different.nonzero()[0].tolist())
    return f"element {index} is {ours[index].item()!r}, torch's {torchs[index].item()!r}"


def errors(ours, theirs, other="NumPy"):
    """The difference in words, or None; either may be None for a call that went well."""
    if type(ours) is type(theirs) and str(theirs) in str(ours):  # ours say what was meant, too
        return None
    return f"{_said(ours)}, {other}'s {_said(theirs)}"


def same(a, b):
    """Whether two arrays of one dtype and shape have the same bits; NaNs and zeros included."""
    if a.dtype.names is not None:  # between fields may lie bytes that belong to none
        return all(same(a[name], b[name]) for name in a.dtype.names)
    if a.dtype.subdtype is not None or not a.size:
        return True
    if a.dtype.kind in "OT":
        return all(map(_same_object, a.astype(object).flat, b.astype(object).flat))
    if a.dtype.type in (numpy.longdouble, numpy.clongdouble):
        return _same_long(a, b)  # its last bytes may belong to no value
    if not a.flags.c_contiguous:
        a, b = a.T, b.T
    a, b = (numpy.ascontiguousarray(each).reshape(-1).view(numpy.uint8) for each in (a, b))
    return numpy.array_equal(a, b)


def _same_object(x, y):
    if x is y:
        return True
    try:
        return type(x) is type(y) and bool(x == y or (x != x and y != y))
    except Exception:
        return False


def _same_long(a, b):
    parts = [(a, b)] if a.dtype.kind == "f" else [(a.real, b.real), (a.imag, b.imag)]
    return all(
        numpy.array_equal(x, y, equal_nan=True)
        and numpy.array_equal(numpy.signbit(x), numpy.signbit(y))
        for x, y in parts
    )


def _first_different(a, b):
    """Halves the arrays until one cell is left."""
    index = []
    while a.ndim:
        begin, end = 0, len(a)
        while end - begin > 1:
            middle = (begin + end) // 2
            if same(a[begin:middle], b[begin:middle]):
                begin = middle
            else:
                end = middle
        index.append(begin)
        a, b = a[begin, ...], b[begin, ...]
    return index


def _layout(array):
    return f"{'C' * array.flags.c_contiguous}{'F' * array.flags.f_contiguous}" or "neither"


def _said(error):
    return "went well" if error is None else f"raised {type(error).__name__}: {error}"
