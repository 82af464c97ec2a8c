"""Arrays that carry more than numbers: masks, units, labels, chunks. SPDX-License-Identifier: MIT

Classifies arguments for every function. Masks and units are kept (by _carrier_calls.py); what
cannot be kept is refused.
"""

import functools
import sys

import numpy
from numpy import pad as numpy_pad  # kept, so that numpy.pad may be replaced by ours

KEEPERS = (
    "tensorpad.pad, pad_to, pad_border, unpad, pad_batch, unpad_batch, show, plans, and the pads of "
    "the specifications but pad_packed"
)
KEEPERS_OF_UNITS = KEEPERS.replace("unpad,", "unpad, pad_adjoint,", 1)
TYPES = 256  # of arguments, that a process caches
MOST_LISTS = 64  # nested: more than arrays have axes
JAX = ("jax", "jaxlib")
# By package: alternatives for memory of a GPU.
TO_CPU = {"cupy": "cupy.asnumpy(x)", "torch": "x.cpu(); or call the function of tensorpad.torch"}
# By package: alternatives.
REFUSED = {
    "dask": "only tensorpad.pad, tensorpad.pad_to and tensorpad.dask pad arrays in chunks; x.compute() "
    "loads it",
    "zarr": "only tensorpad.zarr.pad pads arrays in chunks; x[...] loads it",
    "xarray": "after import tensorpad.xarray, x.tensorpad.pad(...) pads its labels, too; x.to_numpy() has "
    "none",
    "pandas": "tensorpad pads arrays without labels; x.to_numpy() makes one",
    "scipy.sparse": "tensorpad pads dense arrays; x.toarray() makes one",
    "jax.experimental.sparse": "tensorpad pads dense arrays; x.todense() makes one",
}


# ---- Masks ---------------------------------------------------------------------------------------


def flipped(mask):
    """The inverted mask. Its elements may be records of bools."""
    cells = numpy.array(mask, order="C").reshape(-1).view(numpy.uint8) ^ 1
    return cells.view(mask.dtype).reshape(mask.shape)


def _as_elements(shown, dtype):
    """Elements of a type that are zeros, or empty texts, exactly where `shown` is False."""
    if dtype.kind in "SUOT":
        return numpy.where(shown, "1", "").astype(object)
    room = numpy.zeros((*shown.shape, dtype.itemsize), numpy.uint8)
    room[..., 0] = shown
    return room.view(dtype)[..., 0]


def _as_shown(elements):
    """The inverse of _as_elements."""
    if elements.dtype.kind == "O":
        return elements == "1"
    cells = numpy.array(elements, order="C").reshape(-1).view(numpy.uint8)
    return cells.reshape((*elements.shape, elements.dtype.itemsize)).any(axis=-1)


class Masked:
    """A masked array of numpy.ma.

    By default all functions fill with zeros. So the mask's call pads the inverted mask: filled
    cells become False there, which is masked.
    """

    keeps = "mask"
    way_out = "x.filled() has none"

    def __init__(self, thing):
        is_constant = thing is getattr(sys.modules.get("numpy.ma"), "masked", None)
        self.thing = numpy.ma.MaskedArray(thing.data, mask=True) if is_constant else thing

    @property
    def inner(self):
        return numpy.ma.getdata(self.thing)

    @property
    def mask(self):
        return numpy.ma.getmaskarray(self.thing)

    def run(self, run, out, constants, masks=None, typed=False):
        """run(array, out, constants) for the numbers, masks(shown) for the inverted mask. typed:
        the mask needs the type of the numbers."""
        inner = self.inner
        constants = {name: one for name, one in constants.items() if one is not numpy.ma.masked}
        padded = run(inner, self._part(out), constants)
        masks = masks or (lambda one: run(one, None, {}))
        shown = flipped(self.mask)
        shown = _as_shown(masks(_as_elements(shown, inner.dtype))) if typed else masks(shown)
        return self.finish(padded, flipped(shown), out)

    def _part(self, out):
        return None if out is None else _of_the_same_type(self, out).writable()

    def writable(self):
        if self.thing.hardmask:
            raise ValueError("out has a hard mask: call out.soften_mask() first")
        return self.inner

    def finish(self, padded, mask, out):
        if out is not None:
            out.mask = mask
            return out
        fill = self.thing.fill_value if padded.dtype == self.thing.dtype else None
        return numpy.ma.MaskedArray(
            padded, mask=mask, fill_value=fill, hard_mask=self.thing.hardmask
        )


class MaskedOfAstropy(Masked):
    """A masked array of astropy.utils.masked."""

    way_out = "x.unmasked has none"

    @property
    def inner(self):
        return self.thing.unmasked

    @property
    def mask(self):
        return self.thing.mask

    def writable(self):
        return self.inner

    def finish(self, padded, mask, out):
        if out is not None:
            out.mask = mask
            return out
        return sys.modules["astropy.utils.masked"].Masked(padded, mask=mask)


def _of_the_same_type(given, out, more=""):
    """The carrier of `out`. TypeError unless it has the input's type."""
    carried = carrier(out)
    if type(carried) is not type(given):
        raise TypeError(
            f"out has to be of type {type(given.thing).__name__}{more}, as the input is, got "
            f"{type(out).__name__}"
        )
    return carried


# ---- Units ---------------------------------------------------------------------------------------


class Quantity:
    """A Quantity of astropy."""

    keeps = "unit"
    way_out = "x.value has none"

    def __init__(self, thing):
        self.thing = thing

    @property
    def inner(self):
        return self.thing.view(numpy.ndarray)

    @property
    def unit(self):
        return self.thing.unit

    def run(self, run, out, constants, masks=None, typed=False):
        constants = {name: self.constant(value) for name, value in constants.items()}
        return self.finish(run(self.inner, self._part(out), constants), out)

    def constant(self, value):
        """A constant in this unit. The package's own pad converts or refuses it."""
        if isinstance(value, (list, tuple)) or getattr(value, "ndim", 0):
            return [self.constant(one) for one in value]
        nothing = numpy.empty(0, numpy.result_type(self.inner))
        return carrier(numpy_pad(self.finish(nothing), (0, 1), constant_values=value)).inner[0]

    def _part(self, out):
        if out is None:
            return None
        carried = _of_the_same_type(self, out, f" in {self.unit}")
        if carried.unit != self.unit:
            raise TypeError(f"out is in {carried.unit}, the array in {self.unit}")
        return carried.inner

    def finish(self, padded, out=None):
        if out is not None:
            return out
        quantity = padded.view(type(self.thing))
        quantity.__array_finalize__(self.thing)  # sets the unit, and what subclasses add
        return quantity


class QuantityOfPint(Quantity):
    """A Quantity of pint."""

    way_out = "x.magnitude has none"

    @property
    def inner(self):
        return self.thing.magnitude

    @property
    def unit(self):
        return self.thing.units

    def finish(self, padded, out=None):
        return type(self.thing)(padded, self.unit) if out is None else out


# ---- Classifying arguments -----------------------------------------------------------------------

# (package that must be loaded for such a type to exist, type, class here). Astropy's masked
# Quantity is a Quantity, too.
KINDS = (
    ("numpy.ma", "MaskedArray", Masked),
    ("astropy.utils.masked", "Masked", MaskedOfAstropy),
    ("astropy.units", "Quantity", Quantity),
    ("pint", "Quantity", QuantityOfPint),
)


def _derives(of, package, name):
    wanted = getattr(sys.modules.get(package), name, None)
    return wanted is not None and issubclass(of, wanted)


def is_on_gpu(thing):
    """Whether it exposes memory of a GPU; not for jax, which has its own pads, and for torch only
    if the kernels are switched on."""
    if not hasattr(type(thing), "__cuda_array_interface__"):
        return False
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(thing, torch.Tensor):
        gpu = sys.modules.get("tensorpad._gpu")
        return gpu is not None and gpu.on and thing.is_cuda
    return not package_of(type(thing), *JAX) and hasattr(thing, "__cuda_array_interface__")


def _find_kind(of):
    return next((kind for package, name, kind in KINDS if _derives(of, package, name)), None)


_kind = functools.lru_cache(TYPES)(_find_kind)


def carries(thing):
    """Whether it has a mask or units or is on a GPU, so that _carrier_calls.py must handle the call."""
    return _kind(type(thing)) is not None or is_on_gpu(thing)


def carrier(thing):
    """Wraps it in a class above; None if it has neither a mask nor units. TypeError for an array on
    a GPU."""
    refuse_gpu(thing)
    kind = _kind(type(thing))
    return kind and kind(thing)


def _find_package(of, *packages):
    """The one of these packages that a type or one of its bases belongs to, or None."""
    modules = [f"{base.__module__}." for base in of.__mro__]
    return next(
        (
            package
            for package in packages
            if any(module.startswith(f"{package}.") for module in modules)
        ),
        None,
    )


package_of = functools.lru_cache(TYPES)(_find_package)


def overrides_numpy(of):
    """Whether numpy.pad would dispatch to this type: lazy arrays, other units."""
    function = getattr(of, "__array_function__", None)
    if function is None or function is numpy.ndarray.__array_function__:
        return False
    # CuPy and similar have a __dlpack_device__, which shows that they are not on the CPU.
    return issubclass(of, numpy.ndarray) or not hasattr(of, "__dlpack_device__")


def refuse_constant(value):
    """TypeError for a constant with a mask or units for an array without; also in a list or a list
    of pairs."""
    for side in value if isinstance(value, (list, tuple)) else (value,):
        for one in side if isinstance(side, (list, tuple)) else (side,):
            carried = carrier(one)
            if carried:
                raise TypeError(
                    f"the constant is of type {type(one).__name__}, and the array has no "
                    f"{carried.keeps}: {carried.way_out}"
                )


def _find_refusal(of):
    """The end of the error message after the type's name, or None for a type that is not refused."""
    kind, package = _kind(of), package_of(of, *REFUSED)
    if kind:
        keepers = KEEPERS if issubclass(kind, Masked) else KEEPERS_OF_UNITS
        return f": only {keepers} keep its {kind.keeps}; {kind.way_out}"
    if package:
        return f" of {package}: {REFUSED[package]}"
    if _derives(of, "jax.core", "Tracer"):
        return " of jax: it has no numbers inside of jax.jit; use jax.numpy.pad there"
    if overrides_numpy(of):
        return " pads in a way of its own, which only tensorpad.pad knows: use numpy.asarray first"
    return None


_refusal = functools.lru_cache(TYPES)(_find_refusal)


def refuse_gpu(thing):
    """TypeError for an array on a GPU, which NumPy would turn into an object or a copy."""
    if is_on_gpu(thing):
        package = package_of(type(thing), "cupy", "torch")
        how = f": {TO_CPU[package]}" if package else ""
        raise TypeError(
            f"the {type(thing).__name__} is in the memory of a GPU, which tensorpad.pad, pad_to, unpad, "
            f"pad_border and pad_adjoint take: copy it to the CPU first{how}"
        )


def refuse(thing):
    """TypeError for types whose mask, units or labels numpy.asarray would drop, or which it would
    load; also for a list that begins with one."""
    lists = 0
    while isinstance(thing, (list, tuple)) and thing and lists < MOST_LISTS:
        thing = thing[0]
        lists += 1
    refuse_gpu(thing)
    sentence = _refusal(type(thing))
    if sentence:
        raise TypeError(f"{'a list of ' if lists else ''}{type(thing).__name__}{sentence}")
