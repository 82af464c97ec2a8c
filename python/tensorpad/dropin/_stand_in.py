"""The functions that stand in for numpy.pad and torch.nn.functional.pad, how their calls are
counted and compared, and where they are put.  SPDX-License-Identifier: MIT"""

from __future__ import annotations

import functools
import multiprocessing.spawn
import random
import sys
from time import perf_counter_ns as now

import numpy

import tensorpad

from .._arguments import computes
from .._arrays import MAX_RANK, is_thread_seen
from .._numpy import holds_arrays, numpy_pad
from ._report import NUMPY, TENSORPAD, TORCH, Tally


def install(other, tally, verify):
    """From now on the pad of `other`, NUMPY or TORCH, is ours, here and in processes that
    multiprocessing starts."""
    if other == NUMPY:
        _warm_up((tensorpad.pad, numpy_pad), numpy.zeros(2), 1, "edge")
        function = make(tally, verify)
        _replace_everywhere(numpy_pad, function)
        listed = numpy._core.overrides.ARRAY_FUNCTIONS  # what types may override
        listed.discard(numpy_pad)
        listed.add(function)
    else:
        import torch

        from ..torch import functional

        theirs = torch.nn.functional.pad
        _warm_up((functional.pad, theirs), torch.zeros(1, 1, 2), (1, 1), "replicate")
        function = make_torchs(theirs, tally, verify)
        _replace_everywhere(theirs, function)
        torch.jit._builtins._register_builtin(function, "aten::pad")  # for torch.jit.script
    _follow(other, tally, verify)


def _warm_up(pads, *words):
    """What the first call loads is not the program's time."""
    for pad in pads:
        pad(*words)


def _replace_everywhere(theirs, function):
    """Puts a function wherever a module that is loaded, but for ours, holds another."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] != "tensorpad":
            for key, value in list(getattr(module, "__dict__", {}).items()):
                if value is theirs:
                    setattr(module, key, function)


# ---- numpy.pad -----------------------------------------------------------------------------------


# What numpy.pad takes besides array, pad_width and mode; tensorpad.pad takes more.
KEYWORDS = {"stat_length", "constant_values", "end_values", "reflect_type"}


def _name(mode):
    return f"{mode.__qualname__}()" if hasattr(mode, "__qualname__") else str(mode)


def _difference(result, error, numpys, refused, call):
    array, pad_width, mode = call
    found = errors(error, refused) or (None if error else results(result, numpys, mode != "empty"))
    return found and f"array {array.dtype} {array.shape}, pad_width {pad_width!r}: {found}"


def make(tally, verify):
    """The function in place of numpy.pad, which takes what that takes and counts each call.

    verify: NumPy's runs each call as well, and is compared."""
    ours = tensorpad.pad
    ndarray = numpy.ndarray
    run = counter(tally, verify, _difference)

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
                caller.f_code.co_qualname,
            )
            tally.count(key, array, None, 0)
        return (array,)

    pad.__qualname__ = dispatcher.__qualname__ = numpy_pad.__qualname__  # for errors of arguments
    # NumPy's own kind of function: types that pad in a way of their own are asked first, and find
    # this very function, under which they may have registered theirs.
    return functools.wraps(numpy_pad)(type(numpy_pad)(dispatcher, pad))


# ---- torch.nn.functional.pad ---------------------------------------------------------------------


ROUNDED = {"float16": 4e-3, "bfloat16": 3e-2, "float32": 1e-5, "complex64": 1e-5}


def make_torchs(theirs, tally, verify):
    """The function in place of torch.nn.functional.pad, `theirs`, which takes what that takes."""
    import torch

    from ..torch import functional

    def alone(x, *words):
        """torch's pad of the same memory, of which the program's graph, hooks and checkpoints see
        nothing."""
        with torch.no_grad():
            return theirs(x.detach(), *words)

    run = counter(tally, verify, functools.partial(torchs_difference, theirs))
    is_overridden = torch.overrides.has_torch_function_unary

    def pad(input, pad, mode="constant", value=None):
        # A subclass or a mode that sees the call makes it again; what a transform sees is no time.
        if (
            torch.compiler.is_compiling()
            or not isinstance(input, torch.Tensor)
            or is_overridden(input)
            or is_thread_seen()
        ):
            return theirs(input, pad, mode, value)
        caller = sys._getframe(1)
        place = caller.f_code.co_filename, caller.f_lineno, str(mode)
        # Plain tensors of the CPU; torch pads all others in ways of its own.
        is_ours = type(input) in (torch.Tensor, torch.nn.Parameter) and input.device.type == "cpu"
        by, function = (TENSORPAD, functional.pad) if is_ours else (TORCH, theirs)
        return run(caller, place, by, function, alone, (input, pad, mode, value), {}, not is_ours)

    return functools.wraps(theirs)(pad)


def torchs_difference(theirs, result, error, other, refused, call):
    """In words, or None. theirs: torch's pad; other, refused: what it returned or raised."""
    x, amounts, *_ = call
    found = (
        errors(error, refused, "torch")
        if error or refused
        else tensors(result.detach(), other) or _gradients(theirs, result, *call)
    )
    return found and f"tensor {x.dtype} {tuple(x.shape)}, pad {amounts!r}: {found}"


def _gradients(theirs, result, x, *words):
    """How the gradients of both pads differ, or None. Copies of x are padded again, under hooks of
    their own for what autograd saves."""
    import torch

    from ..torch import functional

    if not (result.requires_grad and result.numel()):
        return None
    draw = torch.Generator().manual_seed(0)
    grad = torch.rand(result.shape, generator=draw).to(result.dtype)
    found = []
    with torch.autograd.graph.saved_tensors_hooks(lambda saved: saved, lambda saved: saved):
        for pad in (functional.pad, theirs):
            copy = x.detach().requires_grad_()
            found += torch.autograd.grad(pad(copy, *words), copy, grad)
    ours, expected = found
    rounded = ROUNDED.get(str(result.dtype).removeprefix("torch."), 1e-12)
    if torch.allclose(ours, expected, rounded, rounded, equal_nan=True):
        return None
    return f"gradients differ by up to {(ours - expected).abs().max().item():.3g}"


# ---- Calls that are counted: by one function, or by two that are compared ------------------------


def _attempt(function, args, kwargs):
    """What it returned or raised, and its time."""
    start = now()
    try:
        result, error = function(*args, **kwargs), None
    except Exception as raised:
        result, error = None, raised
    return result, error, now() - start


def counter(tally, verify, difference):
    """A function that runs calls:

        run(caller, place, by, function, theirs, args, kwargs, once=False)

    caller: the frame that called; place: its file, line and mode; by: who runs the call, as the
    tally has it; function: what runs it; theirs: the function that was replaced; args: with the
    array first; once: whether the call must not be run twice.

    verify: `theirs` runs each call as well, and difference(result, error, their result, their
    error, args) says what differs, or None."""
    draw = random.Random(0).random  # not the program's own random numbers

    def run(caller, place, by, function, theirs, args, kwargs, once=False):
        key = (*place, by, caller.f_code.co_qualname)
        if verify and not once:
            return compared(key, function, theirs, args, kwargs)
        result = None
        start = now()
        try:
            result = function(*args, **kwargs)
        finally:
            tally.count(key, args[0], result, now() - start)
        return result

    def compared(key, function, theirs, args, kwargs):
        """Runs both: the other function before or after, since the second finds the array in
        cache."""
        they_first = draw() < 0.5
        if they_first:
            other, refused, their_time = _attempt(theirs, args, kwargs)
        result, error, time = _attempt(function, args, kwargs)
        if not they_first:
            other, refused, their_time = _attempt(theirs, args, kwargs)
        found = difference(result, error, other, refused, args)
        tally.count(key, args[0], result, time, their_time, found)
        if error is None:
            return result
        try:
            raise error
        finally:
            del error, refused  # they refer to this frame

    return run


# ---- Processes that multiprocessing starts anew (spawn, forkserver) ------------------------------


class _Join:
    """What a child reads before it loads the program: reading it calls _join there."""

    def __init__(self, *settings):
        self.settings = settings

    def __reduce__(self):
        return _join, self.settings


def _join(other, folder, verify):
    install(other, Tally(folder), verify)


def _follow(other, tally, verify):
    """Has every such child count in the folder of the tally. A forked child inherits all it
    needs."""
    told = multiprocessing.spawn.get_preparation_data

    @functools.wraps(told)
    def tell(name):
        settings = other, tally.make_folder(), verify
        return {"tensorpad.dropin": _Join(*settings), **told(name)}

    multiprocessing.spawn.get_preparation_data = tell


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
