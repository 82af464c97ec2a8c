"""tensorpad.pad_to against what its words say, done with numpy.pad and slices; its errors; and
tensorpad.unpad with the amounts that it returns."""

import functools
import math

import ml_dtypes
import numpy as np
import pytest
import tensorpad

CASES = 2500
MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
COMPUTED = ("linear_ramp", "maximum", "mean", "median", "minimum")
CROPS = ("crop_end", "crop_start", "crop_center")
DTYPES = [
    *map(np.dtype, ("?", "u1", ">i2", "i8", "f2", "f4", ">f8", "D", "M8[s]", "S3", "U2", "O")),
    np.dtype([("a", "i2"), ("b", "f8", 2)]),
    np.dtype(ml_dtypes.bfloat16),
]


class TooLong(Exception):
    """The oracle's error: the number of the axis."""


# ---- The oracle ----------------------------------------------------------------------------------


def extents_of(shape, wish, square):
    """The extents of the result. request: a dict for each axis."""
    extents = []
    for extent, one in zip(shape, wish):
        if one["shape"] is not None:
            extent = one["shape"]
        elif isinstance(one["align"], int):
            extent = max(0, extent + one["align"])
        while one["multiple"] and extent % one["multiple"]:
            extent += 1
        extents.append(extent)
    if square is not None:
        side = max(extents[axis] for axis in square)
        steps = math.lcm(*(wish[axis]["multiple"] or 1 for axis in square))
        for axis in square:
            extents[axis] = -(-side // steps) * steps
    return extents


def amounts_of(shape, wish, square):
    amounts = []
    for axis, extent in enumerate(extents_of(shape, wish, square)):
        align, too_long = wish[axis]["align"], wish[axis]["too_long"]
        room = extent - shape[axis]
        if isinstance(align, int):
            before = align
        elif room >= 0:
            before = {"start": 0, "center": room // 2, "end": room}[align]
        else:
            cut = -room
            before = -{"crop_end": 0, "crop_start": cut, "crop_center": cut // 2, "error": 0}[
                too_long
            ]
        after = room - before
        if too_long == "error" and (before < 0 or after < 0):
            raise TooLong(axis)
        amounts.append((before, after))
    return tuple(amounts)


def padded_by(array, amounts, modes, **kwargs):
    """Axis by axis: first as long as it has to be, then what is cropped is cut off."""
    for axis, ((before, after), mode) in enumerate(zip(amounts, modes)):
        sides = [(0, 0)] * array.ndim
        sides[axis] = (max(before, 0), max(after, 0))
        array = np.pad(array, sides, mode, **(kwargs if mode == "constant" else {}))
        window = slice(max(-before, 0), max(0, array.shape[axis] + min(after, 0)))
        array = array[(*[slice(None)] * axis, window)]
    return array


def moved_by(array, amounts, modes, fill):
    """Elements of any type: NumPy pads their numbers, 0 is what fills."""
    numbers = np.arange(1, array.size + 1).reshape(array.shape)
    indices = padded_by(numbers, amounts, modes)
    elements = np.empty(array.size + 1, array.dtype)
    elements[:1] = fill
    elements[1:] = array.reshape(-1)
    return elements[indices.reshape(-1)].reshape(indices.shape)


# ---- Random calls --------------------------------------------------------------------------------


def pick(random, *things):
    return things[int(random.integers(len(things)))]


def random_array(random, dtype):
    rank = pick(random, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4)
    lowest = 0 if random.random() < 0.2 else 1
    shape = [int(n) for n in random.integers(lowest, 7 if rank < 4 else 4, rank)]
    numbers = random.integers(1, 99, shape)
    if dtype.names:
        array = np.zeros(shape, dtype)
        array["a"], array["b"][...] = numbers, numbers[..., None]
    else:
        array = numbers.astype(dtype)
    return array.transpose(random.permutation(rank)) if random.random() < 0.5 else array


def spelled(random, entries, axes, rank, default):
    """The entries of the chosen axes in one of the spellings; absent if all are the default."""
    given = [entries[axis] for axis in axes]
    if all(one == default for one in given) and random.random() < 0.7:
        return None
    if given and all(one == given[0] and type(one) is type(given[0]) for one in given):
        if random.random() < 0.7:
            is_integer = isinstance(given[0], int)
            return pick(random, int, np.int8)(given[0]) if is_integer else given[0]
    form = int(random.integers(4))
    if form == 0:
        return {axis - rank * int(random.integers(2)): entries[axis] for axis in axes}
    if form == 1 and given and all(isinstance(one, int) for one in given):
        return np.array(given, ">i8")
    return tuple(given) if form == 2 else given


DEFAULTS = {"shape": None, "multiple": None, "align": "center", "too_long": "error"}


def random_wishes(random, rank, axes):
    """A dict for each axis; that of an axis that is not chosen is all defaults but the align,
    which does not matter for it."""
    wish = [dict(DEFAULTS) for _ in range(rank)]
    same = random.random() < 0.3
    for number, axis in enumerate(axes):
        if same and number:
            wish[axis] = dict(wish[axes[0]])
            continue
        wish[axis]["shape"] = pick(random, None, *map(int, random.integers(0, 11, 2)))
        wish[axis]["multiple"] = pick(random, None, None, 1, *map(int, random.integers(2, 9, 2)))
        wish[axis]["align"] = pick(random, "start", "center", "end", int(random.integers(-4, 6)))
        wish[axis]["too_long"] = pick(random, "error", *CROPS, *CROPS)
    return wish


def random_call(random, case):
    """An array, the arguments as one writes them, and what they say axis by axis."""
    dtype = DTYPES[case % len(DTYPES)]
    array = random_array(random, dtype)
    rank = array.ndim
    arguments = {}
    axes = list(range(rank))
    if rank and random.random() < 0.4:
        axes = [int(one) for one in random.permutation(rank)[: int(random.integers(0, rank + 1))]]
        arguments["axes"] = [axis - rank * int(random.integers(2)) for axis in axes]
    wish = random_wishes(random, rank, axes)
    for word, default in DEFAULTS.items():
        given = spelled(random, [one[word] for one in wish], axes, rank, default)
        if given is not None:
            arguments[word] = given
    square = None
    if len(axes) > 1 and random.random() < 0.3:
        square = tuple(axes[:2])
        arguments["square"] = pick(random, tuple, list, np.array)(square)
    modes = ["constant"] * rank
    for axis in axes:
        modes[axis] = pick(random, *MODES)
    if random.random() < 0.6 and axes:
        for axis in axes:
            modes[axis] = modes[axes[0]]
        if len(axes) == rank and random.random() < 0.5 and dtype.kind in "uif":
            modes = [pick(random, *COMPUTED)] * rank
        arguments["mode"] = modes[axes[0]]
    else:
        arguments["mode"] = [modes[axis] for axis in axes]
    return array, arguments, wish, square, modes


def same(a, b):
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    return a.tolist() == b.tolist() if a.dtype.hasobject else a.tobytes() == b.tobytes()


def fill_of(dtype, **constant):
    """The element that fills, as NumPy makes it."""
    if dtype.names:
        return np.zeros(1, dtype)
    return np.pad(np.empty(0, dtype), (0, 1), **constant)


def expected_of(array, wish, square, modes, constant):
    amounts = amounts_of(array.shape, wish, square)
    if modes and modes[0] in COMPUTED:
        if any(min(pair) < 0 for pair in amounts):
            raise ValueError("does not crop")
        return amounts, np.pad(array, amounts, modes[0])
    for axis, (pair, mode) in enumerate(zip(amounts, modes)):
        if array.shape[axis] == 0 and sum(pair) > 0 and mode != "constant":
            raise ValueError(f"can't extend empty axis {axis}")
    if array.size == 0:
        shape = tuple(n + sum(pair) for n, pair in zip(array.shape, amounts))
        return amounts, np.full(shape, fill_of(array.dtype, **constant)[0], array.dtype)
    return amounts, moved_by(array, amounts, modes, fill_of(array.dtype, **constant))


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_random_calls_against_numpy_and_slices():
    random = np.random.default_rng(18)
    seen = {"too long": 0, "no crop": 0, "cropped": 0, "computed": 0, "given": 0, "refused": 0}
    for case in range(CASES):
        array, arguments, wish, square, modes = random_call(random, case)
        constant = {}
        if set(modes) <= {"constant"} and array.dtype.kind not in "MV" and random.random() < 0.5:
            constant["constant_values"] = int(random.integers(2))
        what = (case, array.dtype, array.shape, array.strides, arguments, constant)
        call = functools.partial(tensorpad.pad_to, array, **arguments, **constant)
        before = array.tobytes()
        try:
            amounts, expected = expected_of(array, wish, square, modes, constant)
        except TooLong as error:
            seen["too long"] += 1
            with pytest.raises(ValueError, match=rf"^axis {error}: .* not fit into"):
                call()
            continue
        except ValueError as error:
            seen["refused"] += 1
            with pytest.raises(ValueError, match=str(error)):
                call()
            continue
        found, told = call(return_amounts=True)
        assert told == amounts, (what, told, amounts)
        assert same(found, expected), (what, found, expected)
        assert type(found) is np.ndarray and same(call(), expected), what
        seen["computed"] += bool(modes) and modes[0] in COMPUTED
        cropped = [axis for axis, pair in enumerate(amounts) if min(pair) < 0]
        if cropped:
            seen["cropped"] += 1
            with pytest.raises(ValueError, match=rf"^axis {cropped[0]}: .*cropped are gone"):
                tensorpad.unpad(found, told)
        else:
            seen["no crop"] += 1
            inside = tensorpad.unpad(found, told)
            assert same(inside, array), what
            assert inside.size == 0 or np.shares_memory(inside, found), what
        if random.random() < 0.3:
            seen["given"] += 1
            whole = np.zeros([2 * n for n in expected.shape], expected.dtype)
            out = whole[(*[slice(None, None, -2)] * array.ndim, ...)]
            assert call(out=out) is out and same(out, expected), what
        assert array.tobytes() == before, what
    assert min(seen.values()) > 100 and seen["no crop"] + seen["cropped"] > 1500, seen


# ---- What the words mean, by hand ----------------------------------------------------------------


def test_where_the_data_lies():
    row = np.array([1, 2])
    for align, expected in (
        ("start", [1, 2, 0, 0, 0]),
        ("center", [0, 1, 2, 0, 0]),
        ("end", [0, 0, 0, 1, 2]),
        (2, [0, 0, 1, 2, 0]),
        (np.int64(3), [0, 0, 0, 1, 2]),
    ):
        assert tensorpad.pad_to(row, 5, align=align).tolist() == expected
    assert tensorpad.pad_to(row, 5).tolist() == [0, 1, 2, 0, 0]
    assert tensorpad.pad_to(row, align=3).tolist() == [0, 0, 0, 1, 2]


def test_what_is_too_long():
    row = np.arange(1, 6)
    for too_long, expected in (
        ("crop_end", [1, 2]),
        ("crop_start", [4, 5]),
        ("crop_center", [2, 3]),
    ):
        assert tensorpad.pad_to(row, 2, too_long=too_long).tolist() == expected
        assert tensorpad.pad_to(row, 6, too_long=too_long).tolist() == [1, 2, 3, 4, 5, 0]
    found, amounts = tensorpad.pad_to(row, 3, align=-1, too_long="crop_end", return_amounts=True)
    assert found.tolist() == [2, 3, 4] and amounts == ((-1, -1),)
    assert tensorpad.pad_to(row, 0, too_long="crop_end").shape == (0,)
    for align in ("start", 0):
        with pytest.raises(ValueError, match="^axis 0: 5 cells .* into 2: .*too_long"):
            tensorpad.pad_to(row, 2, align=align)


def test_size_multiple_and_square():
    image = np.zeros((480, 500, 3), "u1")
    shape = lambda *args, **kwargs: tensorpad.pad_to(image, *args, **kwargs).shape
    assert shape() == shape(None) == (480, 500, 3)
    assert shape(512, axes=(0, 1)) == shape((512, 512, None)) == (512, 512, 3)
    assert shape(multiple=32, axes=(0, 1)) == shape(multiple={0: 32, 1: 32}) == (480, 512, 3)
    assert shape((481, None), multiple=32, axes=(0, 1)) == (512, 512, 3)
    assert shape(square=(0, 1)) == (500, 500, 3)
    assert shape(square=(1, 0), multiple=(32, 48, None)) == (576, 576, 3)
    assert shape(square=(0, 1), multiple=64, axes=(0, 1)) == (512, 512, 3)
    assert shape({-1: 4}) == (480, 500, 4)
    assert shape(np.array([500, 501, 3])) == (500, 501, 3)
    assert shape((600, 500, 3), square=(0, 1), too_long="crop_end") == (600, 600, 3)


def test_a_constant_for_each_side_of_the_chosen_axes():
    array = np.ones((1, 2), int)
    found = tensorpad.pad_to(array, 4, axes=[1], constant_values=[(7, 8)])
    assert found.tolist() == [[7, 1, 1, 8]]
    found = tensorpad.pad_to(array, (1, 4), constant_values=((5, 6), (7, 8)))
    assert found.tolist() == [[7, 1, 1, 8]]
    found = tensorpad.pad_to(array[None], (4, 3), axes=(2, 1), constant_values=((5, 6), (7, 8)))
    assert found.tolist() == [[[5, 7, 7, 6], [5, 1, 1, 6], [5, 8, 8, 6]]]


def test_the_amounts_are_those_of_pad():
    array = np.arange(35.0).reshape(5, 7)
    for mode in (*MODES, *COMPUTED, ["edge", "wrap"]):
        found, amounts = tensorpad.pad_to(array, (8, 16), mode=mode, return_amounts=True)
        assert amounts == ((1, 2), (4, 5))
        assert np.array_equal(found, tensorpad.pad(array, amounts, mode))
    found, amounts = tensorpad.pad_to(
        array, (3, 9), align=[-2, 1], too_long="crop_end", mode="reflect", return_amounts=True
    )
    assert amounts == ((-2, 0), (1, 1))
    assert np.array_equal(found, tensorpad.pad(array, amounts, "reflect"))


def test_what_may_be_padded():
    assert tensorpad.pad_to([[1], [2]], 3, align="start").tolist() == [
        [1, 0, 0],
        [2, 0, 0],
        [0, 0, 0],
    ]
    assert tensorpad.pad_to(memoryview(b"ab"), 4, mode="edge").tobytes() == b"aabb"
    assert tensorpad.pad_to(5, ()) == 5
    words = tensorpad.pad_to(np.array(["a", "bc"]), 3, constant_values="d")
    assert words.tolist() == ["a", "bc", "d"]
    found = tensorpad.pad_to(np.array([{}, None], object), 3, constant_values=None)
    assert found.tolist() == [{}, None, None]
    fortran = np.asfortranarray(np.ones((3, 4)))
    assert tensorpad.pad_to(fortran, 8).flags.f_contiguous


def test_out_may_share_memory():
    whole = np.arange(20)
    out = tensorpad.pad_to(whole[:10], 20, align=5, mode="edge", out=whole)
    assert out is whole
    assert out.tolist() == [0] * 5 + list(range(10)) + [9] * 5
    padded, amounts = tensorpad.pad_to(whole[3:7], 20, out=whole, return_amounts=True)
    assert padded is whole and amounts == ((8, 8),)
    assert padded.tolist() == [0] * 8 + [0, 0, 0, 1] + [0] * 8
    buffer = bytearray(6)
    assert tensorpad.pad_to(memoryview(b"abc"), 6, mode="wrap", out=buffer) is buffer
    assert bytes(buffer) == b"cabcab"


def test_types_that_pad_in_their_own_way():
    class Metres(np.ndarray):
        def __array_function__(self, function, types, args, kwargs):
            return "metres", function.__name__, args[1:], kwargs

    given = np.zeros((2, 3)).view(Metres)
    assert tensorpad.pad_to(given, 4, constant_values=2, return_amounts=True) == (
        ("metres", "pad", (((1, 1), (0, 1)), "constant"), {"constant_values": 2}),
        ((1, 1), (0, 1)),
    )
    with pytest.raises(TypeError, match="Metres pads in a way of its own"):
        tensorpad.pad_to(given, 4, axes=1)
    with pytest.raises(TypeError, match="Metres pads in a way of its own"):
        tensorpad.pad_to(given, 4, out=np.zeros((4, 4)))


# ---- Errors: one line, and nothing is written ----------------------------------------------------


def test_errors_of_x():
    for mode in ("constant", "mean"):
        with pytest.raises(TypeError, match="x has to be an array, got None"):
            tensorpad.pad_to(None, 4, mode=mode)
        with pytest.raises(ValueError, match="at most 16 axes are supported, got 17"):
            tensorpad.pad_to(np.zeros((1,) * 17), 2, mode=mode)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        tensorpad.pad_to(shape=4)
    with pytest.raises(TypeError, match="from 1 to 2 positional arguments but 3 were given"):
        tensorpad.pad_to(np.zeros(3), 4, 5)
    for mode in MODES[1:]:
        with pytest.raises(ValueError, match="can't extend empty axis 1"):
            tensorpad.pad_to(np.zeros((2, 0)), 3, mode=mode)
        assert tensorpad.pad_to(np.zeros((2, 0)), (3, None), mode=mode).shape == (3, 0)
    assert tensorpad.pad_to(np.zeros((1,) * 16), 2).shape == (2,) * 16


def test_unpad_says_which_axis_was_cropped():
    array = np.arange(12).reshape(3, 4)
    padded, amounts = tensorpad.pad_to(array, (5, 2), too_long="crop_center", return_amounts=True)
    assert amounts == ((1, 1), (-1, -1))
    with pytest.raises(ValueError, match=r"^axis 1: the amounts \(-1, -1\) .* cropped are gone"):
        tensorpad.unpad(padded, amounts)
    inside = tensorpad.unpad(padded, amounts[:1], axes=0)
    assert np.array_equal(inside, array[:, 1:3]) and np.shares_memory(inside, padded)
