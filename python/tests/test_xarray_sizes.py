"""tensorpad.xarray: pad_to and overlap. Expected values are those of tensorpad.pad_to and of plain loops.

SPDX-License-Identifier: MIT
"""

import numpy as np
import pytest

xr = pytest.importorskip("xarray")
dask = pytest.importorskip("dask")
import tensorpad.dask  # noqa: E402
import tensorpad.xarray  # noqa: E402
from test_xarray import world  # noqa: E402


@pytest.fixture(autouse=True)
def _one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


# ---- pad_to --------------------------------------------------------------------------------------

SIZES = [
    ({"lon": 9}, {}),
    ({"lat": 4, "lon": 9}, {"align": "start"}),
    ({"lat": 2, "lon": 9}, {"align": {"lon": "end"}, "too_long": {"lat": "crop_end"}}),
    ({"lon": None}, {"multiple": {"lon": 4}}),
    ({}, {"multiple": {"lat": 3, "lon": 4}, "mode": "edge"}),
    ({"lat": 5}, {"square": ("lon", "lat"), "mode": {"lat": "edge", "lon": "wrap"}, "align": 1}),
    ({"lat": 3}, {"too_long": "crop_center", "constant_values": -1}),
    ({}, {}),
]


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("shape, more", SIZES, ids=str)
def test_pad_to_is_that_of_the_array(shape, more, chunked):
    array = world().chunk({"lat": 2, "lon": 2}) if chunked else world()
    found = array.tensorpad.pad_to(shape, **more)
    named = {*shape, *more.get("multiple", ()), *more.get("square", ())}
    dims = [dim for dim in array.dims if dim in named]
    axes = [array.dims.index(dim) for dim in dims]

    def by_axis(word, default):
        given = more.get(word, default)
        return [given.get(dim, default) for dim in dims] if isinstance(given, dict) else given

    words = {"align": "center", "multiple": None, "too_long": "error"}
    words = {word: by_axis(word, default) for word, default in words.items()}
    if "square" in more:
        words["square"] = [array.dims.index(dim) for dim in more["square"]]
    sizes = [shape.get(dim) for dim in dims]
    _, amounts = tensorpad.pad_to(
        np.zeros(array.shape), sizes, axes=axes, return_amounts=True, **words
    )
    widths = {dim: amounts[axis] for dim, axis in zip(dims, axes)}
    settings = {key: more[key] for key in ("mode", "constant_values") if key in more}
    wanted = array.tensorpad.pad(widths, **settings)
    xr.testing.assert_identical(found.compute(), wanted.compute())
    assert found.dtype == wanted.dtype and found.chunks == wanted.chunks
    again = tensorpad.xarray.pad_to(array, **shape, **more)
    xr.testing.assert_identical(again.compute(), found.compute())


def test_pad_to_of_a_dataset_and_its_coordinates():
    data = xr.Dataset({"t": world(), "mask": ("lon", np.arange(6)), "one": 7}, attrs={"a": 1})
    found = data.tensorpad.pad_to(
        lon=9, constant_values={"t": -1, "mask": 5}, coords="extend", align="start"
    )
    assert found.lon.values.tolist() == [*range(0, 540, 60)] and found.attrs == {"a": 1}
    assert (
        found.mask.values.tolist() == [0, 1, 2, 3, 4, 5, 5, 5, 5]
        and found.mask.dtype == data.mask.dtype
    )
    assert (found.t.values[:, 6:] == -1).all() and found.one == 7


@pytest.mark.parametrize("chunked", [False, True])
def test_pad_to_refuses_what_a_type_cannot_hold(chunked):
    array = xr.DataArray(np.zeros(3, "u1"), dims="x", name="t")
    array = array.chunk() if chunked else array
    for value in (300, -1, {"x": 300}, {"x": (0, 300)}, (0, 300)):
        with pytest.raises((ValueError, OverflowError), match="uint8 holds integers from 0 to 255"):
            array.tensorpad.pad_to(x=5, constant_values=value)
    assert array.tensorpad.pad({"x": 1}, constant_values=300).values[0] == 300 % 256  # as numpy.pad
    with pytest.raises(ValueError, match="uint8 holds integers"):
        array.tensorpad.pad_to(x=5, constant_values=1.5)
    assert array.tensorpad.pad_to(x=5, constant_values=7).values.tolist() == [7, 0, 0, 0, 7]
    assert array.tensorpad.pad_to(x=5).dtype == "f4" or array.tensorpad.pad_to(x=5).dtype == "f8"


LON = {"lon": 9}


@pytest.mark.parametrize(
    "shape, more, text",
    [
        ({"lon": 5}, {}, "^dimension 'lon': 6 cells do not fit into 5"),
        (LON | {"lat": 2}, {}, "^dimension 'lat': 4 cells do not fit into 2"),
        ({"lon": 9.5}, {}, "^dimension 'lon': shape has to be integers or None, got 9.5"),
        ({"x": 9}, {}, "^shape names dimension 'x'; the dimensions are 'lat', 'lon'"),
        (9, {}, "^shape has to be a dict of sizes by dimension, got int"),
        (LON, {"lat": 9}, "^shape is given as a dict and as keywords"),
        ({}, {"multiple": 4}, "^multiple has to be a dict of numbers by dimension, got 4"),
        ({}, {"multiple": {"x": 4}}, "^multiple names dimension 'x'"),
        ({}, {"multiple": {"lon": 0}}, "^dimension 'lon': multiple has to be at least 1"),
        ({}, {"square": "lon"}, "^square has to name two dimensions, got 'lon'"),
        ({}, {"square": ("lon", "lon")}, "^square names an axis twice|^square names"),
        ({}, {"square": ("lon", "x")}, "^square names dimension 'x'"),
        (LON, {"align": {"x": "end"}}, "^align names dimension 'x'"),
        (LON, {"align": "left"}, "align 'left' is not known"),
        (LON, {"too_long": "cut"}, "too_long 'cut' is not known"),
    ],
)
def test_errors_of_pad_to(shape, more, text):
    error = TypeError if "integers" in text else ValueError
    with pytest.raises(error, match=text) as caught:
        world().tensorpad.pad_to(shape, **more)
    assert "\n" not in str(caught.value)


# ---- overlap -------------------------------------------------------------------------------------

MODES = {"periodic": "wrap", "nearest": "edge", "reflect": "symmetric", "mirror": "reflect"}


def positions(extents, before, after, boundary):
    """The cells of each block with its halo, of the array padded by (before, after)."""
    total, start, found = sum(extents), 0, []
    for extent in extents:
        low, high = start - before, start + extent + after
        if boundary in ("none", None):
            low, high = max(low, 0), min(high, total)
            found += range(low, high)
        else:
            found += range(low + before, high + before)
        start += extent
    return found


@pytest.mark.parametrize("boundary", [*MODES, "none", None, -1])
@pytest.mark.parametrize("coords", [None, "extend", "mode", "nan"])
@pytest.mark.parametrize("depth", [1, (2, 0), 7])
def test_overlap_is_that_of_the_array(boundary, coords, depth):
    array = world().assign_coords(area=(("lat", "lon"), np.arange(24.0).reshape(4, 6)), k=3)
    chunked = array.chunk({"lat": 3, "lon": (1, 2, 3)})
    found = chunked.tensorpad.overlap({"lon": depth}, boundary, coords=coords)
    wanted = tensorpad.dask.overlap(chunked.data, {1: depth}, {1: boundary})
    assert np.array_equal(found.values, wanted.compute()) and found.chunks == wanted.chunks
    before, after = (depth, depth) if isinstance(depth, int) else depth
    width = (0, 0) if boundary in ("none", None) else (before, after)
    mode = MODES.get(boundary, "constant")
    padded = array.tensorpad.pad({"lon": width}, mode, coords=coords)
    cells = positions((1, 2, 3), before, after, boundary)
    for name in ("lon", "area", "lat", "k"):
        assert found[name].identical(
            padded[name].isel(lon=cells) if "lon" in padded[name].dims else array[name]
        )
    assert found.attrs == array.attrs and found.name == "t"


def test_overlap_of_a_dataset():
    data = xr.Dataset(
        {"t": world(), "mask": ("lon", np.arange(6)), "height": ("lat", np.arange(4.0))},
        attrs={"a": 1},
    )
    chunked = data.chunk({"lon": 3})
    found = chunked.tensorpad.overlap(lon=1, boundary={"lon": "periodic"})
    assert found.mask.values.tolist() == [5, 0, 1, 2, 3, 2, 3, 4, 5, 0]
    assert found.lon.values.tolist() == [300, 0, 60, 120, 180, 120, 180, 240, 300, 0]
    assert found.t.data.chunks[1] == (5, 5) and found.attrs == {"a": 1}
    assert found.height.identical(chunked.height)
    bare = chunked.tensorpad.overlap({"lat": 1, "lon": (0, 1)}, "none", keep_attrs=False)
    assert bare.attrs == {} and bare.t.attrs == {} and bare.sizes == {"lat": 4, "lon": 7}
    rolled = chunked.tensorpad.overlap(lon=1, boundary="periodic").map_blocks(lambda block: block)
    assert rolled.sizes["lon"] == 10


def half_chunked():
    return xr.Dataset({"t": world().chunk(), "u": world()})


@pytest.mark.parametrize(
    "make, depth, boundary, error, text",
    [
        (world, {"lon": 1}, None, TypeError, "nothing along dimension 'lon' is an array of dask"),
        (None, {"x": 1}, None, ValueError, "^depth names dimension 'x'"),
        (None, 1, None, ValueError, "^depth has to be a dict of cells by dimension"),
        (None, {"lon": 1}, {"x": 0}, ValueError, "^boundary names"),
        (None, {"lon": -1}, None, ValueError, "lon: a depth is a number of cells"),
        (None, {"lon": 1}, "edge", ValueError, "'edge' is called nearest"),
        (
            half_chunked,
            {"lon": 1},
            None,
            TypeError,
            "variable 'u' is not an array of dask: use .chunk",
        ),
    ],
)
def test_errors_of_overlap(make, depth, boundary, error, text):
    given = make() if make else world().chunk()
    with pytest.raises(error, match=text):
        given.tensorpad.overlap(depth, boundary)
    with pytest.raises(ValueError, match="coords 'more'"):
        world().chunk().tensorpad.overlap(lon=1, coords="more")


def test_what_is_padded_is_of_xarray():
    for function in (tensorpad.xarray.pad_to, tensorpad.xarray.overlap):
        with pytest.raises(TypeError, match="DataArray or Dataset"):
            function(np.zeros(3))
