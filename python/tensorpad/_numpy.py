"""The calls of tensorpad.pad and pad_to that numpy.pad answers.  SPDX-License-Identifier: MIT

They compute elements, use NumPy's keywords, have an array with its own pad, or more axes than the
engine has. The extension passes them on unchanged.
"""

import sys

import numpy
from numpy import pad as numpy_pad  # kept, so that numpy.pad may be replaced by ours

from . import _core
from ._arguments import check_keywords, computes, values
from ._arrays import (
    MAX_RANK,
    Source,
    is_dask,
    is_only_memory,
    is_torch,
    source,
    target,
    tell_written,
)
from ._carrier_calls import kept, plain
from ._carriers import carries, overrides_numpy

KNOWN_OUT = type(None), numpy.ndarray, Source


def _load_torch(array):
    """For a tensor, loads tensorpad.torch: from then on, the extension pads most tensors alone."""
    if (
        "tensorpad.torch" not in sys.modules
        and is_torch(array)
        and hasattr(type(array), "__dlpack_c_exchange_api__")
    ):
        from . import torch  # noqa: F401


def _by_dask(array, pad_width, mode, out, threads, **kwargs):
    """Pads an array of dask, through tensorpad.dask."""
    if out is not None or threads is not None:
        raise TypeError(
            f"{type(array).__name__} of dask is padded when it is computed, by dask's "
            "workers: there are no out= and threads="
        )
    from . import dask  # dask is installed if there is an array of it

    return dask.pad(array, pad_width, mode, **kwargs)


def holds_arrays(constant_values):
    """Whether the constants contain arrays, which numpy.pad broadcasts over each side."""
    return (
        isinstance(constant_values, numpy.ndarray)
        and constant_values.dtype.hasobject
        and any(numpy.ndim(value) > 0 for value in constant_values.flat)
    )


def _is_torchs(array, out, threads):
    """Whether tensorpad.torch pads it, which records gradients and keeps subclasses."""
    return is_torch(array) and out is None and threads is None and not is_only_memory(array)


def pad(
    array,
    pad_width,
    mode="constant",
    *,
    constant_axis=None,
    interior=0,
    order="window",
    axes=None,
    out=None,
    threads=None,
    **kwargs,
):
    options = {"constant_axis": constant_axis, "interior": interior, "order": order, "axes": axes}
    words = {"array": array, "pad_width": pad_width, "mode": mode, "out": out, "threads": threads}
    words |= options
    _load_torch(array)
    if carries(array) and not _is_torchs(array, out, threads):
        return kept("pad", words | kwargs)
    if is_dask(array) and (overrides_numpy(type(array)) or computes(mode, kwargs)):
        return _by_dask(array, pad_width, mode, out, threads, **options, **kwargs)
    if overrides_numpy(type(array)):
        if (
            interior != 0
            or order != "window"
            or axes is not None
            or out is not None
            or constant_axis is not None
        ):
            raise TypeError(
                f"{type(array).__name__} pads in a way of its own, which knows only "
                "NumPy's arguments: use numpy.asarray first"
            )
        return numpy_pad(array, pad_width, mode, **kwargs)
    if _is_torchs(array, out, threads) and not computes(mode, {}):
        from . import torch  # whoever has a tensor has torch

        return torch.pad(array, pad_width, mode, **options, **kwargs)
    given = source(array)
    rank = given.array.ndim
    computed = computes(mode, kwargs) or holds_arrays(kwargs.get("constant_values"))
    if computed and constant_axis is not None:
        raise ValueError("constant_axis is for single values and for modes that move elements")
    if not computed and rank > MAX_RANK and not isinstance(mode, str):
        raise ValueError(
            f"a mode for each axis is for arrays of at most {MAX_RANK} axes, got {rank}"
        )
    if computed or rank > MAX_RANK:
        return _by_numpy(given, pad_width, mode, interior, axes, out, kwargs)
    settings = _core.axes(rank, pad_width, mode, interior, order, axes)
    check_keywords(mode, any(one[2] for one in settings), kwargs)
    kwargs.pop("reflect_type", None)
    if is_torch(array) and type(array) is not sys.modules["torch"].Tensor:
        # With `out` or `threads` the result is plain.
        given = source(array.detach().as_subclass(sys.modules["torch"].Tensor))
    return plain("pad", words | kwargs, given)


def pad_to(
    x,
    shape=None,
    *,
    multiple=None,
    buckets=None,
    square=None,
    axes=None,
    align="center",
    too_long="error",
    mode="constant",
    return_amounts=False,
    **kwargs,
):
    sizes = {"multiple": multiple, "buckets": buckets, "square": square, "axes": axes}
    sizes |= {"align": align}
    sizes |= {"too_long": too_long, "mode": mode, "return_amounts": return_amounts}
    words = {"x": x, "shape": shape, **sizes, **kwargs}
    _load_torch(x)
    if carries(x) and not _is_torchs(x, kwargs.get("out"), kwargs.get("threads")):
        return kept("pad_to", words)
    if _is_torchs(x, kwargs.get("out"), kwargs.get("threads")) and not computes(mode, {}):
        from . import torch  # whoever has a tensor has torch

        kwargs = {name: word for name, word in kwargs.items() if name not in ("out", "threads")}
        return torch.pad_to(x, shape, **sizes, **kwargs)
    foreign = overrides_numpy(type(x))
    known = type(x) is numpy.ndarray and isinstance(kwargs.get("out"), KNOWN_OUT)
    if not (foreign or known or computes(mode, {})):
        return plain("pad_to", words)
    extents = x.shape if foreign else source(x).array.shape
    amounts = _core.fit_amounts(extents, shape, multiple, square, axes, align, too_long, buckets)
    for axis, amount in enumerate(amounts):
        if computes(mode, {}) and min(amount) < 0:
            raise ValueError(
                f"axis {axis}: mode {mode!r} is computed by NumPy, which does not "
                f"crop {extents[axis]} cells to {extents[axis] + sum(amount)}: crop "
                "the array first"
            )
    if foreign and not is_dask(x):
        kwargs["axes"] = axes
    elif "constant_values" in kwargs and not computes(mode, {}):
        values(numpy.dtype(x.dtype), kwargs["constant_values"], axes, len(extents), exact=True)
    padded = pad(x, amounts, mode, **kwargs)
    return (padded, amounts) if return_amounts else padded


def _by_numpy(given, pad_width, mode, interior, axes, out, kwargs):
    rank = given.array.ndim
    if any(one[2] for one in _core.axes(rank, 0, "constant", interior, "window", axes)):
        raise ValueError(
            f"mode {mode!r} of an array of {rank} axes is left to NumPy, which has no interior"
        )
    if axes is not None or isinstance(pad_width, dict) or rank > MAX_RANK:
        settings = _core.axes(rank, pad_width, "constant", 0, "window", axes)
        pad_width = [one[:2] for one in settings]
    computed = numpy_pad(given.array, pad_width, mode, **kwargs)
    if out is None:
        return given.wrap(computed)
    if rank <= MAX_RANK:
        return _core.pad(computed, 0, out=out)  # refuses an unfit `out`
    dst = target(out)
    if dst.dtype != given.array.dtype:
        raise TypeError(f"out has type {dst.dtype}, the array {given.array.dtype}")
    if dst.shape != computed.shape:
        raise ValueError(f"out has shape {dst.shape}, the result {computed.shape}")
    if not dst.flags.writeable:
        raise ValueError("output array is read-only")
    tell_written(out)
    dst[...] = computed
    return out
