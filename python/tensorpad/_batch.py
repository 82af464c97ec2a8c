"""The Python side of pad_batch (foreign arrays, texts, objects, types); unpad_batch and
pad_batch_dict. SPDX-License-Identifier: MIT"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy

from . import _core
from ._arguments import fill_value, refuse_align, refuse_axis
from ._arrays import TorchSource, is_thread_seen, is_torch, source, torch_view, torch_word, viewed
from ._errors import blame

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from . import (
        _Align,
        _AlignOne,
        _Axes,
        _Buckets,
        _Move,
        _Moves,
        _Multiples,
        _Sizes,
        _TooLong,
        _TooLongOne,
    )

# ---- Called by the extension ---------------------------------------------------------------------


def batch_array(thing: Any) -> NDArray[Any]:
    """An item that is neither a NumPy array nor a list, as an array."""
    return torch_view(thing) if is_torch(thing) else source(thing).array


def batch_tensors() -> tuple[type[Any] | None, bool]:
    """(torch.Tensor if tensors can be opened from C (DLPack's exchange API), else None; whether
    torch records gradients)."""
    torch = sys.modules.get("torch")
    shown = hasattr(torch, "Tensor") and hasattr(torch.Tensor, "__dlpack_c_exchange_api__")
    if not shown or is_thread_seen():
        return None, True
    return torch.Tensor, torch.is_grad_enabled()


def _torch_type(dtype):
    known = getattr(sys.modules["torch"], torch_word(dtype) or dtype.name, None)
    if known is None:
        raise TypeError(f"torch has no type {dtype}")
    return known


def batch_converted(thing: Any, array: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """An item's array converted to another type of the same kind."""
    if not is_torch(thing):
        return array.astype(dtype, casting="same_kind")
    wanted = _torch_type(dtype)
    if not sys.modules["torch"].can_cast(thing.dtype, wanted):
        raise TypeError(f"{thing.dtype} is not converted to {wanted}: do it with .to({wanted})")
    return torch_view(thing.to(wanted))


def batch_type(dtype: Any) -> tuple[NDArray[Any], Any]:
    """The `dtype` of a call as an empty array, and the maker of tensors if it is a torch type."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(dtype, torch.dtype):
        is_of_any_width = numpy.dtype(dtype).kind in "SU" and not numpy.dtype(dtype).itemsize
        return numpy.empty(0, object if is_of_any_width else dtype), None
    empty = TorchSource(torch.empty(0, dtype=dtype))
    if torch_word(empty.array.dtype):
        raise TypeError(f"NumPy has no type for {dtype}: install ml_dtypes")
    return empty.array, empty


def batch_maker(thing: Any, dtype: Any) -> Any:
    """The maker of outputs like this item, but of this type (None: its own); None for NumPy's."""
    if not is_torch(thing):
        return None
    given = TorchSource(thing, dtype is not None)
    if dtype is None or given.array.dtype == dtype:
        return given
    return TorchSource(sys.modules["torch"].empty(0, dtype=_torch_type(dtype)))


def batch_like(result: Any, array: NDArray[Any]) -> Any:
    return sys.modules["torch"].from_numpy(array) if is_torch(result) else array


def batch_list(numbers: tuple[Any, ...]) -> NDArray[Any]:
    """A list as an array. NumPy turns ints beyond int64 into rounded floats; these become uint64."""
    array = numpy.asarray(numbers)
    if (
        array.dtype == float
        and array.ndim == 1
        and all(type(one) is int and 0 <= one < 2**64 for one in numbers)
    ):
        return numpy.asarray(numbers, numpy.uint64)
    return array


def common_type(arrays: list[NDArray[Any]]) -> Any:
    """The common type of lists that NumPy has read; empty ones do not count."""
    arrays = [array for array in arrays if array.size]
    types = {array.dtype for array in arrays}
    if (
        types == {numpy.dtype(numpy.int64), numpy.dtype(numpy.uint64)}
        and min(array.min() for array in arrays) >= 0
        and max(array.max() for array in arrays) >= 2**63
    ):
        return numpy.dtype(numpy.uint64)
    return numpy.result_type(*types) if types else numpy.dtype(float)


# ---- Texts and objects ---------------------------------------------------------------------------


_ABSENT = object()


def _first_of(thing):
    """The first element of a list that is not None."""
    known = thing if isinstance(thing, (list, tuple)) else ()
    return next((one for one in known if one is not None), None)


def _are_lists(thing):
    """Whether an item is a list of lists, by the extension's rule."""
    first = _first_of(thing)
    return isinstance(first, (list, tuple)) and not isinstance(_first_of(first), (list, tuple))


def _of_texts(thing, dtype, refusal):
    """The elements of an item that is not a list of lists."""
    if isinstance(thing, (list, tuple)):
        if dtype is None:
            kinds = {str if isinstance(one, str) else type(one) for one in thing}
            if not (kinds <= {str, type(None)} or kinds <= {bytes, numpy.bytes_, type(None)}):
                raise refusal
        if dtype == object and not any(isinstance(one, (list, tuple)) for one in thing):
            return numpy.fromiter(thing, object, len(thing))
        return numpy.asarray(thing, dtype)
    array = source(thing).array
    if dtype is None and array.dtype.kind not in "SUTO":
        raise refusal
    return array if dtype is None else array.astype(dtype, casting="same_kind")


def _type_of_texts(arrays, constants, refusal):
    """The common type of arrays of texts or objects and of the constants."""
    types = {array.dtype for array in arrays if array.size or array.dtype.kind in "TO"}
    kinds = {one.kind for one in types}
    if {"S", "U"} <= kinds:
        raise refusal
    kind = "S" if "S" in kinds else "U"
    types |= {numpy.asarray(one, kind).dtype for one in constants if isinstance(one, (str, bytes))}
    return numpy.result_type(*types) if types else numpy.dtype("U1")


def batch_by_places(
    items, refusal, *, constant_values=_ABSENT, constant_axis=None, dtype=None, out=None, **words
):
    """pad_batch of texts and objects: the engine pads the numbers of their places. items: a
    tuple. refusal: the error for all other types."""
    dtype = None if dtype is None else numpy.dtype(dtype)
    if dtype is not None and dtype.kind not in "OTSU":
        raise refusal
    constants = []
    if constant_values is not _ABSENT:
        constants = list(constant_values) if constant_axis is not None else [constant_values]
    arrays, places, count = [], [], 0
    for number, thing in enumerate(items):
        nested = _are_lists(thing)
        parts = []
        for part in thing if nested else [thing]:
            try:
                array = _of_texts(() if part is None else part, dtype, refusal)
            except (TypeError, ValueError) as error:
                if error is refusal:
                    raise refusal from None
                raise type(error)(f"item {number}: {error}") from None
            place = numpy.arange(count, count + array.size).reshape(array.shape)
            parts.append(memoryview(place) if nested else place)
            arrays.append(array)
            count += array.size
        is_empty = thing is None or (isinstance(thing, (list, tuple)) and not thing)
        places.append(parts if nested else [] if is_empty else parts[0])
    if dtype is None or (dtype.kind in "SU" and not dtype.itemsize):
        dtype = _type_of_texts(arrays, constants, refusal)
    constants = constants or [None if dtype == object else ""]
    elements = numpy.empty(count + len(constants), dtype)
    for array, first in zip(arrays, numpy.cumsum([0, *(array.size for array in arrays)])):
        elements[first : first + array.size] = array.ravel()
    for place, value in enumerate(constants, count):
        elements[place : place + 1] = fill_value(dtype, value, "constant_values")
    fills = count if constant_axis is None else list(range(count, len(elements)))
    padded = _core.pad_batch(
        places, constant_values=fills, constant_axis=constant_axis, dtype=numpy.int64, **words
    )
    numbers, *more = padded if isinstance(padded, tuple) else (padded,)
    padded = elements[numbers] if out is None else _core.pad(elements[numbers], 0, out=out)
    return (padded, *more) if more else padded


# ---- Public functions ----------------------------------------------------------------------------


def _align(align):
    """An align as a str or an integer."""
    if isinstance(align, str):
        return align if align in ("start", "center", "end") else refuse_align(align)
    if isinstance(align, bool):
        raise TypeError(f"align has to be words or integers, got {align!r}")
    return _core.integer(align, "align", "words or integers")


def _by_axis(align, rank):
    """The align of each axis."""
    if isinstance(align, Mapping):
        aligns = ["start"] * rank
        for axis, one in align.items():
            if not -rank <= _core.integer(axis, "align", "a dict by integers") < rank:
                refuse_axis(axis, rank)
            aligns[axis] = one
    else:
        aligns = list(align) if isinstance(align, (list, tuple)) else [align] * rank
    if len(aligns) != rank:
        raise ValueError(f"align has {len(aligns)} entries, for {rank} axes")
    return [_align(one) for one in aligns]


def _cells(lengths, axis, extent, align, name):
    """Where items of these lengths lie on an axis, as slices. name: names an item in errors."""
    wrong = numpy.flatnonzero((lengths < 0) | (lengths > extent))
    if wrong.size:
        raise ValueError(
            f"{name(wrong[0])}, axis {axis}: the length {lengths[wrong[0]]} is not "
            f"between 0 and {extent}"
        )
    lengths = lengths.astype(numpy.int64)
    room = extent - lengths
    if align == "start":
        begins = numpy.zeros_like(room)
    elif align in ("center", "end"):
        begins = room // 2 if align == "center" else room
    else:
        begin = min(max(align, 0), extent)
        begins = numpy.full_like(room, begin)
        wrong = numpy.flatnonzero((begins > room) & (lengths > 0))
        if wrong.size:
            raise ValueError(
                f"{name(wrong[0])}, axis {axis}: {lengths[wrong[0]]} cells from "
                f"{align} on are not in {extent}"
            )
    return map(slice, begins.tolist(), (begins + lengths).tolist())


def _lists(batch, lengths, align):
    """The lists of each item, for a batch of lists of lists."""
    items, most, _ = lengths.shape
    if most != batch.shape[1]:
        raise ValueError(
            f"lengths are of {most} lists for each item, the batch has {batch.shape[1]}"
        )
    cells = _cells(
        lengths.reshape(-1),
        1,
        batch.shape[2],
        align,
        lambda at: f"item {at // most}, list {at % most}",
    )
    return [[batch[item, number, next(cells)] for number in range(most)] for item in range(items)]


def unpad_batch(batch: Any, lengths: ArrayLike, *, align: _Align = "start") -> list[Any]:
    """The items of a batch as a list of views, without the cells that pad_batch added.

    batch: an array or a torch tensor.
    lengths: the lengths that pad_batch returned, of shape (n,) or (n, axes). Lists of lists have
        lengths of shape (n, lists, 1); each item is then a list of views, and a view is empty if
        the item had no list there.
    align: the argument that pad_batch got: 'start', 'center', 'end', or the index of the first
        cell; or a list with an entry for each axis of an item.

    ValueError names the item and the axis.
    """
    batch = viewed(batch)
    rank = len(batch.shape) - 1
    given = source(lengths).array
    if given.dtype.kind not in "iu" and given.size:
        raise TypeError(f"lengths have to be integers, got {given.dtype}")
    if given.ndim == 1 and rank == 1:
        given = given.reshape(-1, 1)
    nested = given.ndim == 3 and given.shape[2] == 1 and rank == 2
    if not nested and (given.ndim != 2 or given.shape[1] != rank) or rank < 0:
        raise ValueError(
            f"lengths of shape {given.shape} are not those of a batch of shape {tuple(batch.shape)}"
        )
    if given.shape[0] != batch.shape[0]:
        raise ValueError(f"lengths are of {given.shape[0]} items, the batch has {batch.shape[0]}")
    aligns = _by_axis(align, rank)
    if nested:
        return _lists(batch, given, aligns[1])
    cells = [
        _cells(given[:, axis], axis, batch.shape[1 + axis], aligns[axis], "item {}".format)
        for axis in range(rank)
    ]
    return [batch[(*place, ...)] for place in zip(range(given.shape[0]), *cells)]


def _columns(items):
    """The items of each key as lists."""
    if isinstance(items, Mapping):
        columns = {key: list(column) for key, column in items.items()}
        first = next(iter(columns), None)
        for key, column in columns.items():
            if not column:
                raise ValueError(f"key {key!r}: no items")
            if len(column) != len(columns[first]):
                raise ValueError(
                    f"key {key!r} has {len(column)} items, key {first!r} has {len(columns[first])}"
                )
        return columns
    rows = list(items)
    if not rows:
        raise ValueError("pad_batch_dict: no items")
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise TypeError(f"item {number}: dicts are wanted, got {type(row)}")
        for key in row.keys() ^ rows[0].keys():
            lacks, other = (number, 0) if key in rows[0] else (0, number)
            raise ValueError(f"item {lacks} has no key {key!r}, which item {other} has")
    return {key: [row[key] for row in rows] for key in rows[0]}


def _of(by_key, key, default):
    return by_key.get(key, default) if isinstance(by_key, Mapping) else by_key


def _is_by_key(value):
    """Whether an argument is a dict by key. A dict with integer keys is by axis, for all keys."""
    return isinstance(value, Mapping) and not all(hasattr(one, "__index__") for one in value)


def _sizes_of(key, requests):
    """The arguments from shape to mode for a key."""
    sizes = {}
    for name, value in requests.items():
        if not _is_by_key(value):
            sizes[name] = value
        elif key in value:
            sizes[name] = value[key]
    return sizes


_SINGLE = (bool, int, float, complex, numpy.generic, str, bytes, type(None))
_SEQUENCES = (list, tuple, numpy.ndarray)


def _pad_column(key, column, settings, requests):
    """The batch of a key and its mask; the mask is None if the items are single numbers."""
    try:
        is_object = settings["dtype"] is not None and settings["dtype"] in (object, "O")
        if all(isinstance(one, _SINGLE) for one in column) or (
            is_object and not any(isinstance(one, _SEQUENCES) for one in column)
        ):
            return _core.pad_batch([column], **settings)[0], None
        if all(len(getattr(one, "shape", "none")) == 0 for one in column):
            return _core.pad_batch(column, **settings), None
        return _core.pad_batch(column, mask=True, **settings, **requests)
    except (TypeError, ValueError, OverflowError) as error:
        raise blame(error, f"key {key!r}") from None


def pad_batch_dict(
    items: Iterable[Mapping[Any, Any]] | Mapping[Any, Iterable[Any]],
    *,
    shape: _Sizes | Mapping[str, _Sizes] = None,
    multiple: _Multiples | Mapping[str, _Multiples] = None,
    buckets: _Buckets | Mapping[str, _Buckets] = None,
    at_most: _Sizes | Mapping[str, _Sizes] = None,
    axes: _Axes | Mapping[str, _Axes] = None,
    align: _AlignOne | Sequence[_AlignOne] | Mapping[Any, _Align] = "start",
    too_long: _TooLongOne | Sequence[_TooLongOne] | Mapping[Any, _TooLong] = "error",
    mode: _Move | Sequence[_Move] | Mapping[Any, _Moves] = "constant",
    constant_values: Any = 0,
    dtype: Any = None,
    mask: str | None = None,
    threads: SupportsIndex | None = None,
) -> dict[Any, Any]:
    """Pad a list of dicts, such as tokenizers and datasets return, into one dict of arrays.

    items: dicts with the same keys, or one dict with a list of items for each key. Each key is
        padded separately, as by pad_batch. Single numbers (labels) become an array of one axis.
    constant_values, dtype: one for all keys, or a dict by key; a key without an entry has 0 and
        None.
    shape, multiple, buckets, at_most, axes, align, too_long, mode: one for all keys, or a dict by
        key. A key without an entry has the default. A dict with integer keys is by axis, for all
        keys, as in pad_batch.
    mask: the name of a key to add: an int64 array, 1 in cells of items, 0 elsewhere. It is the mask
        of 'input_ids' or, if there is no such key, of the first padded key.

    threads: as in pad_batch.

    A dict with a key that no item has is refused (ValueError). Errors name the item and the key.
    Single texts become an array; a None among them makes it an array of objects.
    """
    if mask is not None and not isinstance(mask, str):
        raise TypeError(f"mask has to be the name of a key to add, got {mask!r}")
    columns = _columns(items)
    if mask is not None and mask in columns:
        raise ValueError(f"mask: the items have the key {mask!r} already")
    requests = {
        "shape": shape,
        "multiple": multiple,
        "buckets": buckets,
        "at_most": at_most,
        "axes": axes,
        "align": align,
        "too_long": too_long,
        "mode": mode,
    }
    for name, value in {**requests, "constant_values": constant_values, "dtype": dtype}.items():
        for key in value if _is_by_key(value) else ():
            if key not in columns:
                known = ", ".join(map(repr, columns))
                raise ValueError(
                    f"{name} has the key {key!r}, but the keys of the items are {known}"
                )
    batches, masks = {}, {}
    for key, column in columns.items():
        settings = {
            "dtype": _of(dtype, key, None),
            "threads": threads,
        }
        constant = _of(constant_values, key, 0)
        if type(constant) is not int or constant != 0:  # the default of texts and objects differs
            settings["constant_values"] = constant
        batches[key], masks[key] = _pad_column(key, column, settings, _sizes_of(key, requests))
    if mask is not None:
        padded = [key for key in masks if masks[key] is not None]
        if not padded:
            raise ValueError("mask: no key has items that are padded")
        batches[mask] = masks["input_ids" if "input_ids" in padded else padded[0]] * 1
    return batches
