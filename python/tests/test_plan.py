"""tensorpad.Plan."""

import copy
import itertools
import pickle

import numpy as np
import oracle
import pytest
import tensorpad
from calls import MODES
from tensorpad._plan import KEPT, shared_plan


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", ["u1", "f4", ">D", "M8[s]", "V3"])
def test_a_plan_does_what_pad_does(mode, dtype):
    random, words = np.random.default_rng(1), {"interior": (0, 1)}
    widths, size = ((1, 2), (-1, 4)), np.dtype(dtype).itemsize
    plan = tensorpad.Plan((3, 5), widths, mode, dtype=dtype, **words)
    given = random.integers(0, 60, (3, 5 * size)).astype("u1").view(dtype)
    layouts = np.asfortranarray(given), given[::-1], np.tile(given, 2)[:, ::2]
    for array in (given, *layouts, np.tile(given, (2, 1))[1:4]):
        expected = tensorpad.pad(array, widths, mode, **words)
        found = plan(array)
        assert found.dtype == expected.dtype and found.tobytes() == expected.tobytes()
        out = np.empty(plan.out_shape[::-1], dtype).T
        assert plan.run(array, out) is out and out.tobytes() == expected.tobytes()


def test_attributes():
    plan = tensorpad.Plan((2, 3), {1: (0, 2)}, "edge", dtype="<i2")
    assert (plan.shape, plan.out_shape, plan.dtype) == ((2, 3), (2, 5), np.dtype("<i2"))
    assert "5" in plan.describe() and "16 bits" in plan.describe()
    assert "(2, 3) -> (2, 5) int16" in repr(plan)
    assert tensorpad.Plan((), 1, dtype="f4")(np.float32(3)) == 3
    plan = tensorpad.Plan((2,), 1, constant_values=7, dtype=int)
    assert plan(np.array([1, 2])).tolist() == [7, 1, 2, 7]
    assert tensorpad.Plan((2,), 1).dtype == np.dtype("f8")
    assert tensorpad.Plan((2,), 1, dtype=None) == tensorpad.Plan((2,), 1)
    for four in (4, np.int8(4), np.array(4)):  # an integer is a shape of one axis
        assert tensorpad.Plan(four, 1) == tensorpad.Plan((4,), 1)
        assert tensorpad.pad_shape(four, (1, 2)) == (7,)


BOXES = [((0, 0), (7, 8)), ((1, 2), (2, 4)), ((6, 7), (1, 1)), ((3, 3), (0, 2))]


@pytest.mark.parametrize("first, extents", BOXES)
def test_boxes_and_what_they_need(first, extents):
    """Of the whole input, and of a part of it that begins at the cell in_first."""
    array = np.arange(20.0).reshape(4, 5)
    plan = tensorpad.Plan((4, 5), ((2, 1), (3, 0)), "reflect")
    part = plan(array)[tuple(slice(f, f + e) for f, e in zip(first, extents))]
    low, size = plan.needs(first, extents)
    needed = array[tuple(slice(f, f + e) for f, e in zip(low, size))]
    assert set(part.ravel()) <= set(needed.ravel())
    # More than is needed may be there, in front of it and after it.
    start = tuple(one // 2 for one in low)
    for given, begin in ((array, None), (needed, low), (array[start[0] :, start[1] :], start)):
        for layout in (given, np.array(given, order="C"), np.array(given, order="F")):
            assert np.array_equal(plan.box(layout, first, extents, in_first=begin), part)
            out = np.zeros((*extents, 2))[..., 1]
            assert plan.box(layout, first, extents, out, in_first=begin) is out
            assert np.array_equal(out, part)


def test_boxes_that_need_nothing_or_more():
    assert tensorpad.Plan((4, 5), 3, "symmetric").needs() == ((0, 0), (4, 5))
    assert tensorpad.Plan((4,), (9, -9)).needs() == ((0,), (0,))
    plan, array = tensorpad.Plan((4, 5), ((2, 1), (3, 0)), "reflect"), np.zeros((4, 5))
    assert plan.needs(*BOXES[1]) == ((0, 0), (2, 3))
    for given, in_first, text in (
        (array[:2, 1:3], (0, 1), "axis 1: the array has 2 cells of the input from cell 1 on, the"),
        (array[:1, :3], (0, 0), "axis 0: the array has 1 cells of the input from cell 0 on, the"),
        (array[:2, :3], (0, -1), "axis 1: input cell -1 is not between 0 and"),
        (array[:2, :3], (0,), "in_first has 1 entries, the plan has 2 axes"),
        (array[0], (0, 0), "the array has 1 axes, the plan has 2"),
    ):
        with pytest.raises(ValueError, match="^" + text):
            plan.box(given, *BOXES[1], in_first=in_first)
    fill = tensorpad.Plan((4,), 3, constant_values=7)
    assert fill.box(np.empty(0), (0,), (3,), in_first=(0,)).tolist() == [7, 7, 7]
    assert fill.box(np.empty(9), (8,), (2,), in_first=(2,)).tolist() == [7, 7]


def cells(part):
    return range(part.start, part.stop)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", ["window", "crop"])
def test_sources_of_every_interval(mode, order):
    """Against the naive oracle: the pieces tile the interval, and what they read is tight."""
    for extent, before, after, interior in itertools.product(
        range(1, 5), (-2, 0, 3, 6), (-1, 0, 5), (0, 1)
    ):
        try:
            plan = tensorpad.Plan(
                (extent,), (before, after), mode, interior=interior, order=order, constant_values=-1
            )
        except ValueError:
            continue
        array = np.arange(extent, dtype=float)
        length = plan.out_shape[0]
        reads = [
            oracle.source_index(i, extent, before, after, interior, mode, order)
            for i in range(length)
        ]
        for start, stop in itertools.combinations_with_replacement(range(length + 1), 2):
            pieces = plan.sources(0, start, stop)
            assert [i for out, _ in pieces for i in cells(out)] == list(range(start, stop))
            assert len(pieces) == 1 or len(pieces) == 2 and mode == "wrap"
            found = []
            for out, source in pieces:
                inside = {reads[i] for i in cells(out)} - {None}
                assert len(cells(source)) == (max(inside) + 1 - min(inside) if inside else 0)
                assert not inside or source.start == min(inside)
                size = (out.stop - out.start,)
                part = plan.box(array[source], (out.start,), size, in_first=(source.start,))
                found += part.tolist()
            assert found == [-1 if read is None else read for read in reads[start:stop]]
        assert plan.sources(-1) == plan.sources(0, 0, length) == plan.sources(0, stop=length)


def test_sources_errors():
    plan = tensorpad.Plan((4, 5), 1)
    for axis in (2, -3):
        with pytest.raises(np.exceptions.AxisError):
            plan.sources(axis)
    for start, stop in ((-1, 2), (0, 7), (3, 2), (7, 7), (0, 2**70)):
        with pytest.raises(ValueError) as error:
            plan.sources(0, start, stop)
        said = f"axis 0: cells {start} to {stop} are not inside the output extent 6"
        assert str(error.value) == said
    with pytest.raises(TypeError):
        plan.sources(0, 0.5)


def test_pickles_and_copies():
    words = {"dtype": ">f8", "order": "crop", "constant_values": 3.5, "interior": [1, 0]}
    plan = tensorpad.Plan((3, 4), ((1, -2), (0, 3)), ["reflect", "constant"], **words)
    array = np.arange(12, dtype=">f8").reshape(3, 4)
    for again in (pickle.loads(pickle.dumps(plan)), copy.deepcopy(plan), copy.copy(plan)):
        assert again == plan and hash(again) == hash(plan) and again is not plan
        assert np.array_equal(again(array), plan(array))
    assert plan != tensorpad.Plan((3, 4), 1) and plan != 3


def test_a_pickled_plan_is_short_and_its_capsule_is_shared():
    """A task of dask has one, and a worker loads it thousands of times."""
    words = {"dtype": ">f8", "interior": (0, 1, 0, 2), "constant_values": 2.5, "order": "crop"}
    modes = ["reflect", "constant", "wrap", "edge"]
    widths = ((12345, 1), (2, 3), (-4, 5), (6, 54321))
    plan = tensorpad.Plan((10000, 20, 3000, 40), widths, modes, **words)
    for one in (plan, tensorpad.Plan((5,), 1)):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            assert len(pickle.dumps(one, protocol)) < 300
        first, second = (pickle.loads(pickle.dumps(one)) for _ in range(2))
        assert first._capsule is second._capsule and first._capsule is not one._capsule
        assert first == one and first.dtype.str == one.dtype.str
    same = pickle.loads(pickle.dumps(tensorpad.Plan((5,), 1)))
    for other in (
        tensorpad.Plan((5,), 1, dtype="f4"),
        tensorpad.Plan((5,), 1, dtype=">f8"),
        tensorpad.Plan((5,), 2),
        tensorpad.Plan((6,), 1),
        tensorpad.Plan((5,), 1, "edge"),
        tensorpad.Plan((5,), 1, constant_values=-0.0),
    ):
        again = pickle.loads(pickle.dumps(other))
        assert again._capsule is not same._capsule
        array = np.arange(1, 1 + other.shape[0], dtype=other.dtype)
        assert again(array).tobytes() == other(array).tobytes()


def test_the_cache_of_plans_is_bounded():
    shared_plan.cache_clear()
    first = pickle.dumps(tensorpad.Plan((3,), 1))
    capsule = pickle.loads(first)._capsule
    for extent in range(10, 10 + KEPT):
        pickle.loads(pickle.dumps(tensorpad.Plan((extent,), 1)))
    assert shared_plan.cache_info().currsize == KEPT
    assert pickle.loads(first)._capsule is not capsule
