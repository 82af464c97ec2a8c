"""A constant for each cell of an axis: colours.  SPDX-License-Identifier: MIT

Expected values: the array padded with one constant, in whose filled cells numpy.where puts the constants.
"""

import os
import pickle

import numpy
import pytest
import tensorpad

CASES = 2000 if "TENSORPAD_QUICK" in os.environ else 20000  # tests/runners/run.py
RNG = numpy.random.default_rng(5)
DTYPES = ["u1", "i2", "f2", "f4", "f8", "c8", "?", "M8[s]", "S3", "O", "V7", ">f4"]


def some(shape, dtype):
    dtype = numpy.dtype(dtype)
    if dtype.hasobject:
        return numpy.array([object() for _ in range(numpy.prod(shape, dtype=int))]).reshape(shape)
    if dtype.kind == "b":
        return RNG.integers(0, 2, shape).astype("?")
    if dtype.kind in "fc":
        return RNG.integers(-100, 100, shape).astype(dtype)
    return RNG.integers(1, 255, (*shape, dtype.itemsize), "u1").view(dtype).reshape(shape)


def along(values, axis, shape):
    values = numpy.asarray(values)
    return values.reshape([-1 if k == axis % len(shape) else 1 for k in range(len(shape))])


def expected(x, pad_width, values, axis, mode="constant", **more):
    """tensorpad.pad with one constant says which cells are filled, and what the others are."""
    filled = (
        tensorpad.pad(numpy.zeros(x.shape, int), pad_width, mode, constant_values=1, **more) == 1
    )
    padded = (
        tensorpad.pad(x, pad_width, mode, **more)
        if mode != "constant" or more
        else numpy.pad(x, pad_width)
    )
    made = padded.copy()
    made[filled] = numpy.broadcast_to(along(values, axis, padded.shape), padded.shape)[filled]
    return made


def same(got, wanted):
    assert got.dtype == wanted.dtype
    if wanted.dtype.hasobject:
        assert got.shape == wanted.shape
        assert all(a is b for a, b in zip(got.flat, wanted.flat))
    else:
        assert numpy.ascontiguousarray(got).tobytes() == numpy.ascontiguousarray(wanted).tobytes()
        assert got.shape == wanted.shape


def test_letterbox():
    """The call of the documents: a colour around a photograph whose channels come last."""
    image = some((30, 40, 3), "u1")
    colour = (124, 116, 104)
    padded = tensorpad.pad(image, 20, constant_values=colour, constant_axis=-1, axes=(0, 1))
    assert padded.shape == (70, 80, 3)
    assert (padded[20:50, 20:60] == image).all()
    padded[20:50, 20:60] = colour
    assert (padded == colour).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_types(dtype):
    for shape, axis in [((4, 5, 3), 2), ((3, 6, 7), 0), ((5, 4), -1), ((6,), 0)]:
        x = some(shape, dtype)
        for width in (2, (1, 0), (0, 3)):
            extent = shape[axis] + (sum(width) if isinstance(width, tuple) else 2 * width)
            values = some((extent,), dtype)
            got = tensorpad.pad(x, width, constant_values=values, constant_axis=axis)
            same(got, expected(x, width, values, axis))


@pytest.mark.long
def test_layouts_and_large_arrays():
    """Dense, transposed, reversed; a pixel whose channels lie apart; outputs that threads share."""
    wide = some((2, 64, 80, 6), "u1")
    for x in (
        wide,
        wide[..., ::2],
        wide[..., :3],
        wide[:, ::-1],
        wide.transpose(0, 3, 1, 2),
        numpy.asfortranarray(wide),
        some((3, 900, 1000), "f4"),
        some((900, 1000, 3), "f4"),
        some((900, 1000, 1), "f4"),
        some((0, 4, 3), "u1"),
    ):
        for axis in range(-x.ndim, x.ndim):
            axes = [k for k in range(x.ndim) if k != axis % x.ndim][-2:]
            values = some((x.shape[axis],), x.dtype)
            widths = [(3, 5) if k in axes else (0, 0) for k in range(x.ndim)]
            got = tensorpad.pad(x, (3, 5), constant_values=values, constant_axis=axis, axes=axes)
            same(got, expected(x, widths, values, axis))


def test_interior_and_modes():
    x = some((4, 5, 3), "i2")
    for axis in range(3):
        shape = tensorpad.pad_shape(x.shape, 2, ["edge", "wrap", "constant"], interior=[1, 0, 2])
        values = some((shape[axis],), "i2")
        got = tensorpad.pad(
            x,
            2,
            ["edge", "wrap", "constant"],
            interior=[1, 0, 2],
            constant_values=values,
            constant_axis=axis,
        )
        same(got, expected(x, 2, values, axis, ["edge", "wrap", "constant"], interior=[1, 0, 2]))


def test_pad_to():
    x = some((3, 20, 30), "f4")
    got, amounts = tensorpad.pad_to(
        x, multiple=32, axes=(1, 2), constant_values=[1, 2, 3], constant_axis=0, return_amounts=True
    )
    same(got, expected(x, amounts, numpy.array([1, 2, 3], "f4"), 0))
    out = numpy.empty((3, 32, 32), "f4")
    assert (
        tensorpad.pad_to(
            x, multiple=32, axes=(1, 2), constant_values=[1, 2, 3], constant_axis=0, out=out
        )
        is out
    )
    same(out, got)


def test_pad_border():
    for dtype in ("u1", "O"):
        x = some((8, 9, 3), dtype)
        values = some((3,), dtype)
        wanted = expected(x, [(2, 1), (3, 2), (0, 0)], values, 2)
        out = wanted.copy()
        inside = out[2:-1, 3:-2].copy()
        out[...] = out[0, 0, 0]
        out[2:-1, 3:-2] = inside
        tensorpad.pad_border(
            out, [(2, 1), (3, 2), (0, 0)], constant_values=values, constant_axis=-1
        )
        same(out, wanted)


def test_plan():
    for shape, axis, axes in [
        ((40, 50, 3), -1, (0, 1)),
        ((3, 40, 50), 0, (1, 2)),
        ((4, 5), 1, (0, 1)),
    ]:
        x = some(shape, "u1")
        out_shape = tensorpad.pad_shape(shape, (2, 3), axes=axes)
        values = some((out_shape[axis],), "u1")
        plan = tensorpad.Plan(
            shape, (2, 3), dtype="u1", axes=axes, constant_values=values, constant_axis=axis
        )
        wanted = tensorpad.pad(x, (2, 3), axes=axes, constant_values=values, constant_axis=axis)
        same(plan(x), wanted)
        same(plan(numpy.asfortranarray(x)), wanted)
        copy = pickle.loads(pickle.dumps(plan))
        assert copy == plan and hash(copy) == hash(plan)
        same(copy(x), wanted)
        first = tuple(extent // 3 for extent in out_shape)
        extents = tuple(extent - start for start, extent in zip(first, out_shape))
        same(copy.box(x, first, extents), wanted[tuple(map(slice, first, out_shape))])
        other = tensorpad.Plan(shape, (2, 3), dtype="u1", axes=axes, constant_values=7)
        assert other != plan


def test_batch():
    items = [some((extent, extent + 3, 3), "u1") for extent in (5, 9, 2)]
    batch, mask = tensorpad.pad_batch(items, constant_values=[1, 2, 3], constant_axis=-1, mask=True)
    assert batch.shape == (3, 9, 12, 3)
    for item, got, kept in zip(items, batch, mask):
        assert (got[: item.shape[0], : item.shape[1]] == item).all()
        filled = numpy.broadcast_to(numpy.array([1, 2, 3], "u1"), got.shape)
        assert (got[~kept] == filled[~kept]).all() and kept.sum() == item.size
    planes = [item.transpose(2, 0, 1) for item in items]
    other = tensorpad.pad_batch(planes, constant_values=[1, 2, 3], constant_axis=0)
    assert (other == batch.transpose(0, 3, 1, 2)).all()
    large = [some((3, 600, 500 + k), "f4") for k in range(4)]
    got = tensorpad.pad_batch(large, constant_values=[1, 2, 3], constant_axis=0)
    for item, one in zip(large, got):
        same(one, expected(item, [(0, 0), (0, 0), (0, 503 - item.shape[2])], [1, 2, 3], 0))


def test_batch_of_lists():
    got = tensorpad.pad_batch([[1], [2, 3, 4]], constant_values=[7, 8, 9], constant_axis=0)
    assert got.tolist() == [[1, 8, 9], [2, 3, 4]]
    got = tensorpad.pad_batch([[[1], [2, 3]], [[4]]], constant_values=[7, 8], constant_axis=1)
    assert got.tolist() == [[[1, 8], [2, 3]], [[4, 8], [7, 8]]]
    with pytest.raises(ValueError, match="of lists of lists has to be their last axis"):
        tensorpad.pad_batch([[[1], [2, 3]], [[4]]], constant_values=[7, 8], constant_axis=0)


def test_dask():
    da = pytest.importorskip("dask.array")
    from tensorpad import dask

    for dtype in ("f4", "O"):
        x = some((20, 30, 3), dtype)
        for axis, pads in [(-1, (0, 1)), (0, (0, 1)), (1, (1,))]:
            shape = tensorpad.pad_shape(x.shape, 4, axes=pads)
            values = some((shape[axis],), dtype)
            lazy = da.from_array(x, chunks=(7, 11, 2))
            wanted = tensorpad.pad(x, 4, axes=pads, constant_values=values, constant_axis=axis)
            for call in (dask.pad, tensorpad.pad):
                got = call(lazy, 4, axes=pads, constant_values=values, constant_axis=axis)
                same(numpy.asarray(got.compute(scheduler="synchronous")), wanted)


def test_zarr(tmp_path):
    zarr = pytest.importorskip("zarr")
    from tensorpad import zarr as ours

    x = some((20, 30, 3), "f4")
    source = zarr.create_array(str(tmp_path / "a"), shape=x.shape, dtype="f4", chunks=(8, 8, 3))
    source[:] = x
    made = ours.pad(
        source, str(tmp_path / "b"), 5, axes=(0, 1), constant_values=[1, 2, 3], constant_axis=-1
    )
    same(made[:], tensorpad.pad(x, 5, axes=(0, 1), constant_values=[1, 2, 3], constant_axis=-1))


def test_xarray():
    xarray = pytest.importorskip("xarray")
    from tensorpad import xarray as ours

    x = some((20, 30, 3), "f4")
    array = xarray.DataArray(x, dims=("y", "x", "c"), coords={"x": numpy.arange(30.0)})
    wanted = tensorpad.pad(x, 5, axes=(0, 1), constant_values=[1, 2, 3], constant_axis=-1)
    for coords in (None, "mode", "extend"):
        made = ours.pad(array, y=5, x=5, constant_values=[1, 2, 3], constant_dim="c", coords=coords)
        same(made.values, wanted)
    set_of = xarray.Dataset({"a": array, "b": ("y", x[:, 0, 0])})
    with pytest.raises(ValueError, match=r"variable 'b' \(y: 20\): it has no dimension 'c'"):
        ours.pad(set_of, y=5, constant_values=[1, 2, 3], constant_dim="c")
    with pytest.raises(ValueError, match="constant_dim names dimension 'z'"):
        ours.pad(array, y=5, constant_values=[1, 2, 3], constant_dim="z")


def test_torch():
    torch = pytest.importorskip("torch")
    x = some((3, 8, 9), "f4")
    got = tensorpad.pad(
        torch.from_numpy(x), 2, axes=(1, 2), constant_values=[1, 2, 3], constant_axis=0
    )
    assert isinstance(got, torch.Tensor)
    same(got.numpy(), expected(x, [(0, 0), (2, 2), (2, 2)], [1, 2, 3], 0))


REFUSED = [
    (
        dict(constant_values=(1, 2, 3), constant_axis=-1),
        ValueError,
        "constant_values has 3 values, but axis 2 of the result has 4 cells: give a list with a value for "
        "each of them",
    ),
    (dict(constant_values=7, constant_axis=-1), ValueError, r"constant_values has the shape \(\)"),
    (dict(constant_values=[[1, 2, 3, 4]], constant_axis=-1), ValueError, r"the shape \(1, 4\)"),
    (dict(constant_axis=-1), ValueError, "constant_axis is for constant_values, which are missing"),
    (dict(constant_values=(1, 2, 3, 300), constant_axis=-1), OverflowError, "300"),
    (
        dict(constant_values=(1, 2, 3, 4), constant_axis=3),
        numpy.exceptions.AxisError,
        "axis 3 is out",
    ),
    (
        dict(constant_values=(1, 2, 3, 4), constant_axis=(0, 1)),
        ValueError,
        "has to be one axis, got",
    ),
    (
        dict(constant_values=(1, 2, 3, 4), constant_axis=1.0),
        TypeError,
        "constant_axis has to be an integer, got 1.0",
    ),
]


@pytest.mark.parametrize("words, error, text", REFUSED)
def test_refusals(words, error, text):
    rgba = some((4, 5, 4), "u1")
    with pytest.raises(error, match=text):
        tensorpad.pad(rgba, 1, axes=(0, 1), **words)
    with pytest.raises(error, match=text):
        tensorpad.pad_to(rgba, 8, axes=(0, 1), **words)
    with pytest.raises(error, match=text):
        tensorpad.pad_border(rgba.copy(), 1, axes=(0, 1), **words)
    with pytest.raises(error, match=text):
        tensorpad.pad_batch([rgba, rgba], **words)
    if "constant_values" in words:
        with pytest.raises(error, match=text):
            tensorpad.Plan(rgba.shape, 1, dtype="u1", axes=(0, 1), **words)


def test_modes_that_compute():
    with pytest.raises(ValueError, match="constant_axis is for"):
        tensorpad.pad(some((4, 3), "f4"), 1, "mean", constant_axis=0)
    with pytest.raises(ValueError, match="unsupported keyword arguments for mode 'edge'"):
        tensorpad.pad(
            some((4, 3), "f4"), 1, "edge", constant_values=[1, 2, 3], constant_axis=1, axes=0
        )


def sided(rng, x, widths):
    """Constants as numpy.pad takes them in all their forms."""
    kind = rng.integers(7)
    if kind == 0:
        return int(rng.integers(100))
    if kind == 1:
        return tuple(int(one) for one in rng.integers(0, 100, 2))
    if kind == 2:
        return [[int(one) for one in pair] for pair in rng.integers(0, 100, (x.ndim, 2))]
    if kind == 3:
        return rng.integers(0, 100, (x.ndim, 1))
    made = numpy.empty((x.ndim, 2), object)
    for axis in range(x.ndim):
        for side in (0, 1):
            # What the side of this axis has: the whole extents of the axes before it.
            shape = [x.shape[k] + (sum(widths[k]) if k < axis else 0) for k in range(x.ndim)]
            shape[axis] = widths[axis][side]
            shape = [extent if rng.random() < 0.6 else 1 for extent in shape]
            made[axis, side] = rng.integers(0, 100, shape) if rng.random() < 0.7 else 5
    return made


@pytest.mark.share
def test_as_numpy_without_constant_axis():
    """Constants for each side, and arrays of them, as numpy.pad spreads them."""
    rng = numpy.random.default_rng(8)
    for _ in range(CASES):
        rank = rng.integers(1, 4)
        x = rng.integers(0, 100, rng.integers(0, 5, rank)).astype(rng.choice(["u1", "f4", "i8"]))
        widths = rng.integers(0, 4, (rank, 2)).tolist()
        values = sided(rng, x, widths)
        wanted = numpy.pad(x, widths, constant_values=values)
        same(tensorpad.pad(x, widths, constant_values=values), wanted)


@pytest.mark.parametrize("make", [list, tuple, lambda values: numpy.array(values, "u8")])
def test_small_and_large_integers_in_one_list(make):
    """numpy.asarray would make floats of the list, and round them."""
    values = make([1, 2**64 - 1, 2**63 + 1])
    x = numpy.array([5], "u8")
    words, expected = {"constant_values": values, "constant_axis": 0}, [1, 5, 2**63 + 1]
    assert tensorpad.pad(x, 1, **words).tolist() == expected
    assert tensorpad.Plan((1,), 1, dtype="u8", **words)(x).tolist() == expected
    assert tensorpad.pad_to(x, 3, **words).tolist() == expected
    assert (
        tensorpad.pad([5], 1, constant_values=[2**60 + 1, 0, 2**53 + 1], constant_axis=0)[2]
        == 2**53 + 1
    )


@pytest.mark.parametrize("dtype", ["u1", "<f4", ">f4", "c16", "?", "f8"])
@pytest.mark.parametrize("extent", [1, 3, 16, 17, 32, 33, 300])
def test_few_and_many_values_of_each_kind(dtype, extent):
    """Few plain numbers and arrays of the type are read in C, all others by NumPy."""
    values = numpy.arange(3, 3 + extent) % 2 if dtype == "?" else numpy.arange(3, 3 + extent) % 251
    x = numpy.zeros((1, extent), dtype)
    expected = values.astype(dtype)
    given = numpy.repeat(expected, 2)
    for form in (
        values.tolist(),
        tuple(values.tolist()),
        expected,
        given[::2],
        expected[::-1][::-1],
        values,
        values.astype("f4"),
        [numpy.int64(value) for value in values],
    ):
        made = tensorpad.pad(x, [(1, 0), (0, 0)], constant_values=form, constant_axis=1)
        assert made.dtype == x.dtype and made[0].tobytes() == expected.tobytes()
    if extent > 1:
        for form in (values.tolist()[1:], expected[1:], given[None, ::2]):
            with pytest.raises(ValueError, match=f"axis 1 of the result has {extent} cells"):
                tensorpad.pad(x, 1, axes=0, constant_values=form, constant_axis=1)
