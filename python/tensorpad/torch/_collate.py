"""Batches of samples of different extents for torch.utils.data.DataLoader, padded by pad_batch.
SPDX-License-Identifier: MIT"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

import numpy
import torch

from .. import _arrays, _carriers, _core, pad_batch
from .._arrays import overrides_torch
from .._errors import blame
from ._pad import chosen_axes, pad

if TYPE_CHECKING:
    from .. import _Align, _Axes, _Buckets, _Modes, _Multiples, _Sizes, _TooLong


def _is_row(sample):
    """Whether it is a list of numbers, or of such lists, as from tokenizers."""
    kinds = set(map(type, sample))
    if kinds == {list}:
        return all(map(_is_row, sample))
    return all(issubclass(kind, (numbers.Number, numpy.bool_)) for kind in kinds)


def _is_padded(sample):
    """Whether pad_batch pads it; anything else goes to torch's default_collate."""
    if isinstance(sample, (torch.Tensor, numpy.ndarray)):
        return sample.ndim > 0
    return type(sample) is list and _is_row(sample)


def _tensor(made):
    return made if isinstance(made, torch.Tensor) else torch.from_numpy(made)


def _column(samples, key):
    """One field of samples that are mappings."""
    for number, sample in enumerate(samples):
        if not isinstance(sample, Mapping) or key not in sample:
            raise ValueError(f"item {number} has no field {key!r}, and item 0 has one")
    return [sample[key] for sample in samples]


def _columns(samples):
    """The fields of samples that are sequences."""
    count = len(samples[0])
    for number, sample in enumerate(samples):
        if not isinstance(sample, Sequence) or len(sample) != count:
            kind = (
                type(sample).__name__
                if not hasattr(sample, "__len__")
                else f"{type(sample).__name__} of {len(sample)}"
            )
            raise ValueError(f"item {number} is a {kind}, and item 0 has {count} fields")
    return zip(*samples)


# ---- Shared memory -------------------------------------------------------------------------------


def _shared_tensor(shape, dtype, memory_format):
    """torch.empty in shared memory, which the DataLoader passes on without a copy."""
    storage = torch.UntypedStorage._new_shared(math.prod(shape) * dtype.itemsize)
    return torch.empty(0, dtype=dtype).set_(storage, 0, shape)


def _as_tensors(samples):
    """Arrays as tensors, whose batch can be in shared memory, if torch can read all of them."""
    try:
        return [torch.from_numpy(sample) for sample in samples]
    except (TypeError, ValueError):
        return samples


def _pad_in_worker(samples, options):
    if isinstance(samples[0], numpy.ndarray):
        samples = _as_tensors(samples)
    with _arrays.results_in(_shared_tensor):
        return pad_batch(samples, **options | {"threads": 1})


# ---- Subclasses of torch.Tensor ------------------------------------------------------------------


def _has_own_type(sample):
    """Whether it is of a subclass that overrides torch's functions."""
    return isinstance(sample, torch.Tensor) and overrides_torch(type(sample))


def _plain(sample):
    return sample.as_subclass(torch.Tensor) if _has_own_type(sample) else sample


def _in_own_type(samples, batch, options):
    """The batch by default_collate, after padding the samples to its extents."""
    padded = []
    axes = options["axes"]
    chosen = chosen_axes(axes, batch.dim() - 1)
    extents = [batch.shape[1 + axis] for axis in chosen]
    for sample in samples:
        amounts = _core.fit_amounts(
            sample.shape, extents, None, None, axes, options["align"], options["too_long"]
        )
        widths = {axis: amounts[axis] for axis in chosen}
        padded_sample = pad(
            sample, widths, options["mode"], constant_values=options["constant_values"]
        )
        padded.append(padded_sample.to(batch.dtype))
    return torch.utils.data.default_collate(padded)


# ---- collate -------------------------------------------------------------------------------------


class Collate:
    """The result of `collate`. It takes a list of samples and returns their batch.

    options, fields: the arguments of `collate`.
    """

    def __init__(self, options: dict[str, Any], fields: Mapping[Any, Mapping[str, Any]]) -> None:
        """options: of pad_batch, by name; fields: other options for some fields of the samples."""
        self.options = options
        self.fields = fields
        for field, more in fields.items():
            for name in more:
                if name not in options:
                    raise TypeError(
                        f"fields[{field!r}]: {name!r} is not an option; the options "
                        f"are {', '.join(options)}"
                    )

    def __call__(self, samples: Sequence[Any]) -> Any:
        if not samples:
            raise ValueError("there are no samples to pad")
        seen = set()
        batch = self._batch(samples, None, seen)
        for field in self.fields:
            if field not in seen:
                known = ", ".join(map(repr, seen)) or "none"
                raise ValueError(f"fields has {field!r}, but the fields of the samples are {known}")
        return batch

    def _batch(self, samples, field, seen):
        """The batch of these samples, the values of `field`. Adds the names of their fields to `seen`."""
        first = samples[0]
        if _is_padded(first):
            return self._padded(samples, field)
        if isinstance(first, Mapping):
            seen.update(first)
            return {key: self._batch(_column(samples, key), key, seen) for key in first}
        if isinstance(first, Sequence) and not isinstance(first, (str, bytes)):
            names = getattr(first, "_fields", range(len(first)))
            seen.update(names)
            columns = [
                self._batch(column, name, seen) for name, column in zip(names, _columns(samples))
            ]
            return type(first)(*columns) if hasattr(first, "_fields") else columns
        return torch.utils.data.default_collate(samples)

    def _padded(self, samples, field):
        options = self.options | self.fields.get(field, {})
        for sample in samples:
            if _carriers.carries(sample):
                _carriers.refuse(sample)
        given, samples = samples, [_plain(sample) for sample in samples]
        in_worker = torch.utils.data.get_worker_info() is not None
        try:
            batch_parts = (
                _pad_in_worker(samples, options) if in_worker else pad_batch(samples, **options)
            )
        except (TypeError, ValueError, OverflowError) as error:
            if field is None:
                raise
            raise blame(error, f"field {field!r}") from None
        batch_parts = (
            list(map(_tensor, batch_parts))
            if isinstance(batch_parts, tuple)
            else _tensor(batch_parts)
        )
        if any(map(_has_own_type, given)):
            batch = _in_own_type(
                given, batch_parts[0] if isinstance(batch_parts, list) else batch_parts, options
            )
            batch_parts = [batch, *batch_parts[1:]] if isinstance(batch_parts, list) else batch
        return batch_parts


@overload
def collate(samples: Sequence[Any], /) -> Any: ...
@overload
def collate(
    *,
    shape: _Sizes = None,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    at_most: _Sizes = None,
    axes: _Axes = None,
    align: _Align = "start",
    too_long: _TooLong = "error",
    mode: _Modes = "constant",
    constant_values: Any = 0,
    dtype: Any = None,
    mask: bool = False,
    lengths: bool = False,
    threads: SupportsIndex | None = None,
    fields: Mapping[Any, Mapping[str, Any]] | None = None,
) -> Collate: ...
def collate(
    samples: Any = None,
    /,
    *,
    shape: _Sizes = None,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    at_most: _Sizes = None,
    axes: _Axes = None,
    align: _Align = "start",
    too_long: _TooLong = "error",
    mode: _Modes = "constant",
    constant_values: Any = 0,
    dtype: Any = None,
    mask: bool = False,
    lengths: bool = False,
    threads: SupportsIndex | None = None,
    fields: Mapping[Any, Mapping[str, Any]] | None = None,
) -> Any:
    """A collate_fn for torch.utils.data.DataLoader that pads samples of different extents.

    samples: `collate` itself is also a collate_fn, with the defaults: DataLoader(data,
        collate_fn=collate).
    fields: other options for some fields, for example {"labels": {"constant_values": -100}}. A
        field is a key of samples that are dicts, a name of named tuples, or an index of tuples. A
        field that no sample has is an error.
    shape, multiple, buckets, at_most, axes, align, too_long, mode, constant_values, dtype, mask,
        lengths, threads: as in tensorpad.pad_batch, for all fields.

    Samples are tensors, arrays, lists of numbers, or dicts, tuples and named tuples of them at any
    depth. Tensors and arrays of at least one axis and lists of numbers are padded; everything else
    goes to torch's default_collate. The batch has the dicts and named tuples of the samples, with
    tensors in them; a tuple becomes a list, as with default_collate. Samples of a subclass of
    torch.Tensor are collected by default_collate after padding. With mask or lengths, each padded
    field is a list: the tensor, and then the mask, the lengths or both.

    The result can be pickled, so workers may be forked or spawned. In a worker of the DataLoader,
    one thread pads, and writes a batch of tensors or arrays directly into shared memory; masks,
    lengths and batches of lists are copied there. Errors name the field, the item and the axis; the
    loop over the DataLoader raises them.
    """
    options = {
        "shape": shape,
        "multiple": multiple,
        "buckets": buckets,
        "at_most": at_most,
        "axes": axes,
        "align": align,
        "too_long": too_long,
        "mode": mode,
        "constant_values": constant_values,
        "dtype": dtype,
        "mask": mask,
        "lengths": lengths,
        "threads": threads,
    }
    made = Collate(options, fields or {})
    return made if samples is None else made(samples)
