"""tensorpad.xarray: pads with xarray's own arguments, coordinates that go on, and the registration.

Expected values are those of xarray's own pad where it is right, and of plain loops.
"""

import fractions
import importlib
import pathlib
import sys
import warnings

import numpy as np
import pytest
import suites

xr = pytest.importorskip("xarray")
dask = pytest.importorskip("dask")
import pandas as pd  # noqa: E402
import tensorpad.xarray  # noqa: E402

RNG = np.random.default_rng(5)
REPEATING = ("edge", "reflect", "symmetric", "wrap")


@pytest.fixture(autouse=True)
def _one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def variables(obj):
    """All variables by name; that of a DataArray has the name None."""
    found = {name: each.variable for name, each in obj.coords.items()}
    if isinstance(obj, xr.DataArray):
        return {None: obj.variable, **found}
    return {**found, **{name: each.variable for name, each in obj.data_vars.items()}}


def assert_same(found, wanted):
    """Values, types, names, attributes and indexes."""
    xr.testing.assert_identical(found, wanted)
    types = {name: each.dtype for name, each in variables(wanted).items()}
    assert {name: each.dtype for name, each in variables(found).items()} == types
    assert set(found.xindexes) == set(wanted.xindexes)
    for name, index in wanted.xindexes.items():
        assert type(found.xindexes[name]) is type(index) and found.xindexes[name].equals(index)


def world(count=6, **more):
    """A field on a coarse globe."""
    lat = np.linspace(-75, 75, 4)
    lon = np.arange(count) * (360 // count)
    values = np.arange(4.0 * count).reshape(4, count)
    coords = {"lat": lat, "lon": lon, **more}
    return xr.DataArray(values, coords, ("lat", "lon"), "t", {"unit": "K"})


# ---- Against xarray's own pad --------------------------------------------------------------------


def some_coordinate(count):
    kind = RNG.integers(5)
    if kind == 0:
        return RNG.integers(-99, 99, count)
    if kind == 1:
        return np.sort(RNG.normal(size=count)).astype("f4")
    if kind == 2:
        hours = np.cumsum(RNG.integers(1, 9, count)).astype("m8[h]")
        return np.datetime64("2026-01-01", "s") + hours
    if kind == 3:
        return np.array([f"k{n}" for n in range(count)])
    return RNG.integers(0, 2, count) > 0


def some_object():
    dims = "x y z".split()[: RNG.integers(1, 4)]
    shape = RNG.integers(1, 6, len(dims))
    dtype = RNG.choice("i2 u1 f4 f8 >f8 >i4 bool c8 M8[ns] m8[s] U3 O".split())
    data = RNG.integers(0, 50, shape).astype(dtype)
    coords = {"scalar": 5}
    for dim, extent in zip(dims, shape):
        if RNG.random() < 0.8:
            coords[dim] = some_coordinate(extent)
        if RNG.random() < 0.4:
            coords["beside_" + dim] = (dim, some_coordinate(extent), {"long_name": dim})
    if len(dims) > 1:
        coords["plane"] = (tuple(dims[:2]), RNG.normal(size=shape[:2]))
    array = xr.DataArray(data, coords, dims, "v", {"unit": "m"})
    if RNG.random() < 0.5:
        return array
    narrow = (dims[0], RNG.normal(size=shape[0]).astype("f4"))
    return xr.Dataset({"v": array, "w": narrow, "number": 3}, attrs={"title": "t"})


def some_arguments(dims):
    mode = str(RNG.choice(["constant", "constant", *REPEATING]))
    widths = {dim: tuple(RNG.integers(0, 8, 2).tolist()) for dim in dims if RNG.random() < 0.7}
    if RNG.random() < 0.2:
        widths = {dim: int(RNG.integers(4)) for dim in widths}
    arguments = {"pad_width": widths, "mode": mode}
    if mode == "constant" and widths and RNG.random() < 0.6:
        arguments["constant_values"] = [2, (1, 2), {dim: (3, 4) for dim in dims}][RNG.integers(3)]
    if RNG.random() < 0.2:
        arguments["keep_attrs"] = False
    return arguments


def test_random_pads_are_those_of_xarray():
    """In memory, and of chunks as those in memory: xarray's pads of chunks are dask's."""
    compared = 0
    while compared < 60:
        obj = some_object()
        arguments = some_arguments(obj.sizes)
        try:
            wanted = obj.pad(**arguments)
        except (TypeError, ValueError):  # text in boolean coordinates, and the like
            continue
        assert_same(obj.tensorpad.pad(**arguments), wanted)
        lazy = obj.chunk({dim: int(RNG.integers(1, 4)) for dim in obj.sizes})
        padded = lazy.tensorpad.pad(**arguments)
        assert isinstance(padded, xr.DataArray) or set(padded.chunks) == set(obj.sizes)
        data = padded if isinstance(padded, xr.DataArray) else padded["v"]
        assert data.chunks is not None  # still lazy, and chunks of all variables agree
        assert_same(padded.compute(), wanted)
        compared += 1


@pytest.mark.parametrize("mode", ["linear_ramp", "maximum", "mean", "median", "minimum", "odd"])
def test_modes_that_compute(mode):
    array = world()
    arguments = {"pad_width": {"lon": (2, 1), "lat": 1}, "mode": mode}
    if mode == "linear_ramp":
        arguments["end_values"] = {"lon": (5, 7)}
    elif mode == "odd":
        arguments |= {"mode": "reflect", "reflect_type": "odd"}
    else:
        arguments["stat_length"] = {"lon": (3, 2)}
    dicts = {name: dict(value) for name, value in arguments.items() if isinstance(value, dict)}
    made = array.tensorpad.pad(**arguments)
    assert all(arguments[name] == value for name, value in dicts.items())  # xarray changes them
    assert_same(made, array.pad(**arguments))


def test_a_function_as_mode():
    def fill(vector, width, axis, kwargs):
        vector[: width[0]] = -1
        vector[len(vector) - width[1] :] = -2

    made = world().tensorpad.pad(lon=(1, 2), mode=fill)
    assert made.values[0].tolist() == [-1, 0, 1, 2, 3, 4, 5, -2, -2]


@pytest.mark.parametrize(
    "values",
    [
        None,
        7,
        (7, 8),
        {"x": 7, "y": (8, 9)},
        {"a": 3, "x": (4, 5)},
        {"a": {"x": 3}, "b": (1, 2)},
        {"b": None},
    ],
    ids=str,
)
def test_constant_values_of_a_dataset(values):
    variables = {"a": (("x", "y"), np.ones((2, 2), int)), "b": ("x", [1, 2]), "c": ("y", [1.5, 2])}
    given = xr.Dataset(variables)
    made = given.tensorpad.pad(x=1, y=(0, 2), constant_values=values)
    assert_same(made, given.pad(x=1, y=(0, 2), constant_values=values))


def test_integers_padded_by_nan_are_those_padded_by_missing_values():
    given = xr.DataArray(np.arange(6).reshape(2, 3), dims=("y", "x"))
    for array in (given, given.chunk(x=2), given.astype("u1")):
        expected = array.tensorpad.pad(x=(0, 1))
        for value in (np.nan, (np.nan, np.nan), {"x": np.nan}, {"x": (0, np.float32(np.nan))}):
            assert_same(array.tensorpad.pad(x=(0, 1), constant_values=value), expected)
        assert_same(array.tensorpad.pad_to(x=4, align="start", constant_values=np.nan), expected)
    made = xr.Dataset({"a": given}).tensorpad.pad(x=1, constant_values={"a": (7, np.inf)})
    assert made.a[0].values.tolist() == [7, 0, 1, 2, np.inf]
    with pytest.raises(ValueError, match=r"NaN to integer: x\.astype\(float\)"):
        tensorpad.pad(np.arange(3), 1, constant_values=np.nan)


def test_data_of_another_kind_is_padded_by_xarray():
    given = xr.Dataset({"kind": ("x", pd.Categorical(list("aba")))})
    assert_same(given.tensorpad.pad(x=1, mode="wrap"), given.pad(x=1, mode="wrap"))
    numbers = xr.Dataset({"n": ("x", pd.array([1, 2], dtype="Int64"))})
    values = {"n": {"x": 5}}
    made = numbers.tensorpad.pad(x=1, constant_values=values)
    assert values == {"n": {"x": 5}}  # xarray changes it
    assert_same(made, numbers.pad(x=1, constant_values=values))
    with pytest.raises(TypeError, match="variable 'kind' .*Categorical pads in a way of its own"):
        given.tensorpad.pad(x=1, mode="wrap", interior={"x": 1})


@pytest.mark.parametrize("policy", ["like", "merge", "regular"])
def test_chunks_of_data_and_coordinates(policy):
    given = world(plane=(("lat", "lon"), np.ones((4, 6)))).chunk(lat=4, lon=2)
    given["plane"] = given.plane.chunk(lat=1, lon=4)
    made = given.tensorpad.pad(lon=3, mode="wrap", chunks=policy, coords={"plane": "extend"})
    for found, data in ((made, given.data), (made.plane, given.plane.data)):
        whole = tensorpad.dask.pad(data, ((0, 0), (3, 3)), "edge", chunks=policy)
        assert found.chunks == whole.chunks
    assert policy != "merge" or made.chunks == ((4,), (5, 2, 5))


def test_what_is_not_padded_stays():
    given = xr.Dataset({"a": ("x", [1, 2]), "b": ("y", [3, 4])}, {"y": [5, 6]}, {"title": "t"})
    given.b.encoding["scale_factor"] = 2
    given.encoding["source"] = "s"
    made = given.tensorpad.pad(x=1)
    assert made.b.encoding == {"scale_factor": 2} and made.encoding == {"source": "s"}
    assert made.xindexes["y"].equals(given.xindexes["y"])
    assert_same(given.tensorpad.pad(), given)
    assert_same(world().tensorpad.pad({}, coords="extend"), world())


@pytest.mark.parametrize("keep", [None, True, False, "default"])
def test_attributes(keep):
    given = world(beside=("lon", range(6), {"a": 1}))
    given.lat.attrs["b"] = 2
    with xr.set_options(keep_attrs="default" if keep is None else keep):
        assert_same(given.tensorpad.pad(lon=1), given.pad(lon=1))
        several = xr.Dataset({"t": given}, attrs={"title": "t"})
        assert_same(several.tensorpad.pad(lon=1), several.pad(lon=1))
    if keep != "default":
        made = given.tensorpad.pad(lon=1, keep_attrs=keep)
        assert_same(made, given.pad(lon=1, keep_attrs=keep))
    assert given.attrs == {"unit": "K"} and given.beside.attrs == {"a": 1}


# ---- What xarray's pad has not -------------------------------------------------------------------


@pytest.mark.parametrize("chunks", [None, {"lat": 3, "lon": 2}])
def test_a_mode_for_each_dimension(chunks):
    """As one pad after the other with xarray, where each repeats."""
    given = world(area=(("lat", "lon"), np.arange(24).reshape(4, 6)))
    widths = {"lat": (1, 5), "lon": (9, 2)}
    for first in REPEATING:
        for second in REPEATING:
            wanted = given.pad({"lat": (1, 5)}, first).pad({"lon": (9, 2)}, second)
            obj = given if chunks is None else given.chunk(chunks)
            made = obj.tensorpad.pad(widths, {"lat": first, "lon": second})
            assert_same(made.compute(), wanted)
    made = given.tensorpad.pad(widths, {"lon": "wrap"}, constant_values=-1)
    wanted = given.pad({"lon": (9, 2)}, "wrap").pad({"lat": (1, 5)}, constant_values=-1)
    assert_same(made, wanted)
    integers = given.astype("i2").tensorpad.pad(widths, {"lon": "wrap"})
    assert_same(integers, given.astype("i2").pad({"lon": (9, 2)}, "wrap").pad({"lat": (1, 5)}))


def test_modes_of_a_dataset_are_those_of_each_variable():
    given = xr.Dataset({"a": world(), "edge": ("lat", [1, 2, 3, 4]), "ring": ("lon", range(6))})
    mode = {"lat": "reflect", "lon": "wrap"}
    made = given.tensorpad.pad({"lat": 1, "lon": 1}, mode, reflect_type="even")
    assert_same(made, given.pad(lat=1, mode="reflect").pad(lon=1, mode="wrap"))


def test_negative_amounts_crop():
    given = world(beside=("lon", list("abcdef")))
    wanted = given.isel(lat=slice(1, None), lon=slice(2, -1))
    assert_same(given.tensorpad.pad({"lat": (-1, 0), "lon": (-2, -1)}, "wrap"), wanted)
    assert_same(given.tensorpad.pad({"lat": (-1, 0), "lon": (-2, -1)}, coords="extend"), wanted)
    whole = given.astype("i2").assign_coords(lon=range(6))
    cropped = whole.isel(lon=slice(2, 6), lat=slice(1, 3))
    assert_same(whole.tensorpad.pad(lon=(-2, 0), lat=-1), cropped)
    assert whole.tensorpad.pad(lon=(-2, 1)).dtype == whole.pad(lon=0).dtype == "f4"
    window = given.pad(lon=(0, 4), mode="reflect").isel(lon=slice(3, None))
    assert_same(given.tensorpad.pad(lon=(-3, 4), mode="reflect"), window)
    crop = given.isel(lon=slice(3, None)).pad(lon=(0, 4), mode="reflect")
    assert_same(given.tensorpad.pad(lon=(-3, 4), mode="reflect", order="crop"), crop)


def test_a_constant_for_each_cell_of_a_dimension():
    values, x = {"constant_values": [1, 2, 3], "constant_dim": "c"}, np.ones((4, 5, 3), "f4")
    array = xr.DataArray(x, dims=("y", "x", "c"), coords={"x": np.arange(5.0)})
    wanted = tensorpad.pad(x, 2, axes=(0, 1), constant_axis=-1, constant_values=[1, 2, 3])
    for coords in (None, "mode", "extend"):
        for given in (array, array.chunk(2)):
            made = given.tensorpad.pad(y=2, x=2, coords=coords, **values)
            assert np.array_equal(made.values, wanted) and made.dtype == x.dtype
    both = xr.Dataset({"a": array, "b": ("y", x[:, 0, 0])})
    with pytest.raises(ValueError, match=r"variable 'b' \(y: 4\): it has no dimension 'c'"):
        both.tensorpad.pad(y=2, **values)
    with pytest.raises(ValueError, match="constant_dim names dimension 'z'"):
        array.tensorpad.pad(y=2, **values | {"constant_dim": "z"})


def test_interior_cells():
    given = world(beside=("lon", list("abcdef")))
    made = given.tensorpad.pad(interior={"lon": 1}, constant_values=-1)
    assert made.values[:, ::2].tolist() == given.values.tolist() and (made[:, 1::2] == -1).all()
    assert made.lon.values[::2].tolist() == given.lon.values.tolist()
    assert made.lon[1::2].isnull().all() and made.beside.values[::2].tolist() == list("abcdef")
    made = given.tensorpad.pad(lon=(2, 1), interior={"lon": 1}, coords={"lon": "extend"})
    assert made[:, 1::2].isnull().all()
    assert made.lon.values.tolist() == [-60, *range(-30, 331, 30)]
    made = given.assign_coords(lon=[0, 2.5, 5, 8, 10, 20]).tensorpad.pad(
        lon=(1, 1), interior={"lon": 3}, mode="edge", coords={"lon": "extend"}
    )
    wanted = np.interp(np.arange(-1, 22) / 4, range(6), [0, 2.5, 5, 8, 10, 20])
    assert np.allclose(made.lon, [-0.625, *wanted[1:-1], 22.5], rtol=1e-14)
    assert made.values[0, [0, 1, -2, -1]].tolist()[1:3] == [0, 5]


# ---- Coordinates ---------------------------------------------------------------------------------


def naive(values, before, after):
    """A list that goes on with its first and its last step."""
    values = list(values)
    first, last = values[1] - values[0], values[-1] - values[-2]
    front = [values[0] - first * n for n in range(before, 0, -1)]
    back = [values[-1] + last * n for n in range(1, after + 1)]
    made = front + values + back
    return made[max(-before, 0) : len(made) + min(after, 0)]


DAYS = pd.to_datetime(["2026-01-30", "2026-01-31", "2026-02-01"])


@pytest.mark.parametrize(
    "values",
    [
        np.arange(0, 360, 60),
        np.arange(3, dtype=">i2"),
        np.array([200, 100, 50], np.uint16),
        np.array([2**62, 2**62 + 3]),
        np.array([9.0, 4, 1]),
        np.array([0.5, 1, 8], ">f4"),
        np.array([1 + 2j, 3 - 1j]),
        DAYS.values,
        DAYS.values[::-1],
        np.array([0, 90], "m8[m]").astype("m8[s]"),
        np.array([fractions.Fraction(1, 3), fractions.Fraction(1, 2)]),
    ],
    ids=lambda values: f"{values.dtype} {values[-1]}",
)
@pytest.mark.parametrize("amounts", [(1, 2), (2, 0), (-1, 2), (0, -1)])
def test_a_coordinate_goes_on(values, amounts):
    if values.dtype == np.uint16:
        amounts = amounts[0], min(amounts[1], 1)
    given = xr.DataArray(np.zeros(len(values)), {"x": values, "y": ("x", values)}, ("x",))
    made = given.tensorpad.pad(x=amounts, coords="extend", constant_values=1)
    wanted = naive(given.x.values if values.dtype.kind in "mM" else values.tolist(), *amounts)
    for name in "xy":
        assert made[name].dtype == given[name].dtype
        assert list(made[name].values) == wanted
    assert made.indexes["x"].equals(pd.Index(made.x.values))


def test_a_coordinate_in_even_steps_keeps_them():
    """The last step alone would be wrong by 0.006 after 1000 cells."""
    degrees = np.linspace(0, 360, 3600, endpoint=False).astype("f4")
    assert abs((degrees[-1] - degrees[-2]) - 0.1) > 5e-6
    made = xr.DataArray(np.zeros(3600), {"lon": degrees}, ("lon",))
    made = made.tensorpad.pad(lon=1000, mode="wrap", coords="extend").lon.values
    wanted = (np.arange(-1000, 4600) * 0.1).astype("f4")
    assert np.array_equal(made[1000:-1000], degrees)
    assert abs(made - wanted).max() <= np.spacing(np.float32(460))


def test_missing_values_stay_where_they_are():
    times = np.array(["2026-01-01", "2026-01-02", "NaT", "2026-01-09"], "M8[ns]")
    reals = np.array([1.0, 2, np.nan, 9])
    given = xr.DataArray(np.zeros(4), {"t": ("x", times), "r": ("x", reals)}, ("x",))
    made = given.tensorpad.pad(x=1, coords="extend")
    day = np.datetime64("2025-12-31", "ns")
    assert made.t.values[0] == day and np.isnat(made.t.values[[3, 5]]).all()
    assert np.array_equal(made.t.values[1:5], times, equal_nan=True)
    assert np.array_equal(made.r, [0, 1, 2, np.nan, 9, np.nan], equal_nan=True)


@pytest.mark.parametrize("chunks", [None, {"y": 2, "x": 1}])
def test_a_plane_of_coordinates_goes_on(chunks):
    """Along both dimensions, and lazily."""
    plane = np.add.outer([1.0, 2, 4, 7], [0, 10, 30]) * [[1], [2], [1], [3]]
    given = xr.DataArray(np.zeros((4, 3)), {"lat": (("y", "x"), plane)}, ("y", "x"))
    if chunks:
        given = given.chunk(chunks)
    made = given.tensorpad.pad(y=(2, 1), x=(0, 3), mode="edge", coords="extend")
    assert (made.lat.chunks == made.chunks) and (made.chunks is None) == (chunks is None)
    rows = np.array(naive(plane, 2, 1))
    assert np.allclose(made.lat.values, np.transpose(naive(rows.T, 0, 3)), rtol=1e-14)
    assert np.array_equal(made.lat.values[2:-1, :3], plane)


def test_choices_by_name():
    lon = np.arange(6) * 60
    given = world(area=("lon", lon + 1.0), label=("lon", list("abcdef")), half=("lon", lon // 2))
    coords = {"lon": "extend", "area": "mode", "half": "nan"}
    made = given.tensorpad.pad(lon=(1, 2), mode="wrap", coords=coords)
    assert made.lon.values.tolist() == [-60, *lon, 360, 420]
    assert made.area.values.tolist() == [301, *(lon + 1), 1, 61]
    assert made.half.isnull().values.tolist() == [True, *[False] * 6, True, True]
    assert made.label.values.tolist() == list("fabcdefab")
    assert made.lat.values.tolist() == given.lat.values.tolist()


def test_coordinates_are_padded_as_the_data():
    given = world(beside=("lon", np.arange(6.0)), code=("lon", np.arange(6)))
    made = given.tensorpad.pad(lon=2, mode="mean", stat_length=2, coords="mode")
    assert made.lon.values[[0, 1, -2, -1]].tolist() == [30, 30, 270, 270]
    values = {"lon": (-1, -2), "beside": 8.5}
    made = given.tensorpad.pad(lon=1, constant_values=values, coords="mode")
    assert made.lon.values.tolist() == [-1, *range(0, 360, 60), -2]
    assert made.beside.values[[0, -1]].tolist() == [8.5, 8.5]
    assert made.code.values[[0, -1]].tolist() == [-1, -2] and made.code.dtype == given.code.dtype
    assert made.values[0, [0, -1]].tolist() == [-1, -2]
    made = given.tensorpad.pad(lon=1, constant_values={"beside": 8.5}, coords="mode")
    assert made.beside.values[0] == 8.5 and np.isnan(made.lon.values[[0, -1]]).all()
    assert made.values[0, 0] == 0
    made = given.tensorpad.pad(lon=1, coords="mode")
    assert np.isnan(made.lon.values[[0, -1]]).all()
    made = given.tensorpad.pad(lon=1, mode="wrap", coords="nan")
    assert np.isnan(made.lon.values[[0, -1]]).all() and made.values[0, 0] == 5


def test_dimensions_are_anything_that_can_be_hashed():
    given = xr.DataArray(np.arange(4).reshape(2, 2), dims=(0, ("a", 1)))
    made = given.tensorpad.pad({0: 1, ("a", 1): (0, 1)}, "edge")
    assert made.values.tolist() == [[0, 1, 1], [0, 1, 1], [2, 3, 3], [2, 3, 3]]


def test_a_coordinate_as_the_data():
    lon = world().lon
    for mode in ("wrap", "constant"):
        assert_same(lon.tensorpad.pad(lon=1, mode=mode), lon.pad(lon=1, mode=mode))
    made = lon.tensorpad.pad(lon=1, mode="wrap", coords="extend")
    assert made.values[-1] == 0 and made.lon.values[-1] == 360


def test_a_multi_index_stays_one():
    index = pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["letter", "number"])
    coords = xr.Coordinates.from_pandas_multiindex(index, "z")
    given = xr.DataArray(np.arange(4), coords, ("z",))
    made = given.tensorpad.pad(z=(1, 2), mode="wrap")
    assert made.indexes["z"].equals(index.take([3, 0, 1, 2, 3, 0, 1]))
    assert made.sel(letter="b", number=1).values == 2
    assert made.number.dtype == given.number.dtype and made.letter.values[0] == "b"
    made = given.tensorpad.pad(z=(-2, 2), mode="reflect", order="crop")
    assert made.indexes["z"].equals(index.take([2, 3, 2, 3]))
    made = given.tensorpad.pad(interior={"z": 1}, mode="wrap")
    assert made.indexes["z"][::2].equals(index) and made.letter[1::2].isnull().all()
    made = given.tensorpad.pad(z=1)
    assert list(made.indexes["z"])[1:5] == list(index) and made.letter.isnull().values[[0, 5]].all()
    for choice in ("extend", {"number": "extend"}):
        with pytest.raises(TypeError, match="the index of 'z', 'letter', 'number' has labels"):
            given.tensorpad.pad(z=1, mode="wrap", coords=choice)
    with pytest.raises(ValueError, match="'z', 'letter', 'number' are one index"):
        given.tensorpad.pad(z=1, coords={"letter": "nan", "number": "mode"})


@pytest.mark.parametrize(
    "labels",
    [
        pd.CategoricalIndex(list("uvw")),
        pd.interval_range(0.0, 3.0),
        pd.date_range("2026", periods=3, tz="UTC"),
        pd.period_range("2026", periods=3, freq="M"),
    ],
    ids=lambda labels: type(labels).__name__,
)
def test_labels_of_pandas_keep_their_type(labels):
    given = xr.DataArray(np.arange(3), {"x": labels}, ("x",), attrs={"a": 1})
    made = given.tensorpad.pad(x=1, mode="reflect")
    assert made.indexes["x"].equals(labels.take([1, 0, 1, 2, 1])) and made.x.dtype == given.x.dtype
    made = given.tensorpad.pad(x=(0, 1), coords="nan")
    assert made.indexes["x"][:3].equals(labels) and made.x.isnull().values.tolist()[3]
    with pytest.raises(TypeError, match="the index of 'x' has labels"):
        given.tensorpad.pad(x=1, mode="edge", coords="extend")


def test_an_index_of_a_coordinate_beside_the_dimension_stays():
    given = world(beside=("lon", np.arange(6) * 10.0)).set_xindex("beside")
    made = given.tensorpad.pad(lon=1, mode="wrap", coords="extend")
    assert type(made.xindexes["beside"]) is type(given.xindexes["beside"])
    assert made.sel(beside=60).values.tolist() == [0, 6, 12, 18]


# ---- Errors --------------------------------------------------------------------------------------


LON = {"lon": 1}


@pytest.mark.parametrize(
    "text, words",
    [
        ("pad_width names dimension 'x'; the dimensions are 'lat', 'lon'", {"x": 1}),
        ("mode names dimension 'x'", LON | {"mode": {"x": "wrap"}}),
        ("stat_length names dim", LON | {"mode": "mean", "stat_length": {"x": 1}}),
        ("mode 'mirror' .* here it is called reflect", LON | {"mode": "mirror"}),
        ("mode '1' is not supported", LON | {"mode": LON}),
        ("has to be a dict of amounts by dimension, got int", {"pad_width": 1}),
        ("use one of them", {"pad_width": LON, "lat": 1}),
        ("interior has to be a dict of cells .* got 1", LON | {"interior": 1}),
        (
            "constant_values of dimension 'lon' is a value, or one for each side, got",
            LON | {"constant_values": {"lon": (1, 2, 3)}},
        ),
        (
            "constant_values goes with mode constant, got mode 'wrap'",
            LON | {"mode": "wrap", "constant_values": 0},
        ),
        ("end_values goes with mode linear_ramp", LON | {"end_values": 0}),
        (
            "constant_values names 'x'; there are 'lat', 'lon'",
            LON | {"constant_values": {"x": 1}},
        ),
        (r"array 't' \(lat: 4, lon: 6\): axis 1: .*-1 is below 0", {"lon": (-7, 0)}),
        ("array 't' .*integral", {"lon": 1.5}),
        ("chunks 5 is not known: it is one of like, merge", LON | {"chunks": 5}),
        ("coords 'wrap' is not known: it is one of extend, mode, nan", LON | {"coords": "wrap"}),
        (
            "coords names coordinate 'x'; the coordinates are 'lat', 'lon', 'name'",
            LON | {"coords": {"x": "nan"}},
        ),
        (
            "coordinate 'name' cannot be extended: elements of <U1 have no step .*"
            "coords='mode' or 'nan'",
            LON | {"coords": "extend"},
        ),
        (
            "coordinate 'cell' cannot be extended: the coordinate goes on to -1, which uint8 does "
            "not hold",
            LON | {"coords": {"cell": "extend"}},
        ),
        (
            "coordinate 'lon' .* no value for 6 cells between two neighbours",
            {"lon": 0, "interior": {"lon": 6}, "coords": {"lon": "extend"}},
        ),
    ],
)
def test_errors(text, words):
    given = world(name=("lon", list("abcdef")), cell=("lon", np.arange(6, dtype=np.uint8)))
    is_type = "integral" in text or "<U1" in text
    with pytest.raises(TypeError if is_type else ValueError, match=text):
        given.tensorpad.pad(**words)


def test_one_cell_has_no_step():
    given = world().isel(lon=[2])
    with pytest.raises(ValueError, match="coordinate 'lon' cannot be extended: 1 cell"):
        given.tensorpad.pad(lon=1, coords="extend")
    lazy = given.assign_coords(plane=(("lat", "lon"), np.ones((4, 1)))).chunk()
    with pytest.raises(ValueError, match="coordinate 'plane' cannot be extended: 1 cell"):
        lazy.tensorpad.pad(lon=1, coords={"plane": "extend"})
    assert given.tensorpad.pad(lon=(0, -1), coords="extend").sizes["lon"] == 0
    for last in (2**62, -(2**62)):  # the smallest number of a date says that it is missing
        dates = xr.DataArray([0, 0], {"t": np.array([0, last], "M8[ns]")}, ("t",))
        with pytest.raises(ValueError, match="does not hold"):
            dates.tensorpad.pad(t=(0, 1), coords="extend")


def test_only_arrays_of_xarray():
    with pytest.raises(TypeError, match="a DataArray or Dataset of xarray is padded here"):
        tensorpad.xarray.pad(np.zeros(3), x=1)


# ---- Differences from xarray, which docs/chunks.md names -----------------------------------------


def test_differences_from_xarray():
    """What xarray does. If one of these fails, the page has to be corrected."""
    given = world()
    assert given.pad(unknown=1).identical(given)
    assert given.pad(lon=1, constant_values={"unknown": 7}).values[0, 0] == 0
    with pytest.raises(ValueError, match="negative"):
        given.pad(lon=(-1, 0))
    with pytest.raises(ValueError, match="NaN"):
        xr.DataArray([1], dims="x").pad(x=1, constant_values=np.nan)
    lazy = given.drop_vars(["lat", "lon"]).chunk(lat=2, lon=3)
    assert lazy.pad(lon=(20, 0), mode="wrap").sizes["lon"] == 12
    assert lazy.pad(lon=1, mode="wrap").chunks[1] == (1, 3, 3, 1)
    assert lazy.tensorpad.pad(lon=(20, 0), mode="wrap").sizes["lon"] == 26
    assert len(lazy.tensorpad.pad(lon=1, mode="wrap", chunks="merge").chunks[1]) == 2
    widths = {"lon": 2}
    given.pad(lon=1, mode="mean", stat_length=widths)
    assert widths == {"lon": (2, 2)}
    index = pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["letter", "number"])
    coords = xr.Coordinates.from_pandas_multiindex(index, "z")
    padded = xr.DataArray(np.arange(4), coords, ("z",)).pad(z=1, mode="wrap")
    assert not isinstance(padded.indexes["z"], pd.MultiIndex)
    labels = xr.DataArray(np.arange(3), {"x": pd.CategoricalIndex(list("uvw"))}, ("x",))
    assert labels.pad(x=1, mode="wrap").x.dtype == object
    beside = world(beside=("lon", range(6))).set_xindex("beside")
    assert "beside" not in beside.pad(lon=1).xindexes


@pytest.mark.long
def test_xarrays_own_tests():
    """As installed, with tensorpad in the place of the three pads. Ten of them, reflect of chunks,
    xarray expects to fail for a bug of dask's; they pass here."""
    folder = pathlib.Path(xr.__file__).parent / "tests"
    chosen = {
        "test_dataarray.py": ["TestDataArray"],
        "test_dataset.py": ["TestDataset"],
        "test_variable.py": ["TestVariable", "TestIndexVariable", "TestVariableWithDask"],
    }
    classes = [folder / f"{name}::{each}" for name, them in chosen.items() for each in them]
    said = suites.run(
        "xarrays", "--assert=plain", "-W", "ignore", "-k", "test_pad", *map(str, classes)
    )
    *counts, calls = suites.numbers(said, "passed", "xpassed", "ask for what is refused", "times")
    assert counts == [150, 10, 11], said[-500:]
    assert calls >= 150


# ---- Registration --------------------------------------------------------------------------------


def test_it_is_registered_once():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        importlib.reload(tensorpad.xarray)
        before = tensorpad.xarray.Accessor
        for name in [name for name in sys.modules if name.startswith("tensorpad.xarray")]:
            del sys.modules[name]
        again = importlib.import_module("tensorpad.xarray").Accessor
    assert again is not before and xr.Dataset.tensorpad is again and xr.DataArray.tensorpad is again
    assert world().tensorpad.pad(lon=1).sizes["lon"] == 8


@pytest.mark.long
def test_an_accessor_of_somebody_else_is_named():
    said = suites.error_of(
        "import warnings, xarray\n"
        "xarray.register_dataarray_accessor('tensorpad')(type('Other', (), {}))\n"
        "warnings.simplefilter('error')\n"
        "import tensorpad.xarray\n"
    )
    assert "AccessorRegistrationWarning: " in said
