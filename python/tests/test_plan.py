"""tensorpad.Plan."""

import copy
import itertools
import pickle
import threading

import numpy as np
import oracle
import pytest
import tensorpad

MODES = list(tensorpad._core.modes)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", ["u1", "f4", ">D", "M8[s]", "V3"])
def test_a_plan_does_what_pad_does(mode, dtype):
    random = np.random.default_rng(1)
    widths = ((1, 2), (-1, 4))
    plan = tensorpad.Plan((3, 5), widths, mode, dtype=dtype, interior=(0, 1))
    for k in range(5):
        size = np.dtype(dtype).itemsize
        array = random.integers(0, 60, (3, 5 * size)).astype("u1").view(dtype)
        array = [
            array,
            np.asfortranarray(array),
            array[::-1],
            np.tile(array, 2)[:, ::2],
            np.tile(array, (2, 1))[1:4],
        ][k]
        expected = tensorpad.pad(array, widths, mode, interior=(0, 1))
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
    assert tensorpad.Plan((2,), 1, constant_values=7, dtype=int)(np.array([1, 2])).tolist() == [
        7,
        1,
        2,
        7,
    ]


def test_the_type_is_numpys_where_none_is_given():
    plan = tensorpad.Plan((2,), 1)
    assert plan.dtype == np.zeros(2).dtype == np.dtype("f8")
    assert plan(np.array([1.5, 2.5])).tolist() == [0, 1.5, 2.5, 0]
    assert tensorpad.Plan((2,), 1, dtype=None) == plan


def test_boxes_and_what_they_need():
    array = np.arange(20.0).reshape(4, 5)
    plan = tensorpad.Plan((4, 5), 3, "symmetric", dtype=float)
    whole = plan(array)
    for first, extents in (
        ((0, 0), (10, 11)),
        ((2, 1), (3, 4)),
        ((9, 10), (1, 1)),
        ((5, 5), (0, 2)),
    ):
        part = whole[tuple(slice(f, f + e) for f, e in zip(first, extents))]
        assert np.array_equal(plan.box(array, first, extents), part)
        assert np.array_equal(plan.box(np.asfortranarray(array), first, extents), part)
        out = np.zeros((*extents, 2))[..., 1]
        assert plan.box(array, first, extents, out) is out and np.array_equal(out, part)
        low, size = plan.needs(first, extents)
        assert set(part.ravel()) <= set(
            array[tuple(slice(f, f + e) for f, e in zip(low, size))].ravel()
        )
    assert plan.needs() == ((0, 0), (4, 5))
    assert tensorpad.Plan((4,), (9, -9)).needs() == ((0,), (0,))


def test_a_box_of_an_input_of_which_only_a_part_is_there():
    """in_first: the array that is given begins at this cell of the input."""
    array = np.arange(20.0).reshape(4, 5)
    plan = tensorpad.Plan((4, 5), ((2, 1), (3, 0)), "reflect")
    whole = np.pad(array, ((2, 1), (3, 0)), "reflect")
    boxes = (((0, 0), (7, 8)), ((1, 2), (2, 4)), ((6, 7), (1, 1)), ((3, 3), (0, 2)))
    for first, extents in boxes:
        part = whole[tuple(slice(f, f + e) for f, e in zip(first, extents))]
        low, size = plan.needs(first, extents)
        needed = array[tuple(slice(f, f + e) for f, e in zip(low, size))]
        for layout in (np.array(needed, order="C"), np.array(needed, order="F"), needed):
            assert np.array_equal(plan.box(layout, first, extents, in_first=low), part)
            out = np.empty(extents)
            assert plan.box(layout, first, extents, out, in_first=low) is out
            assert np.array_equal(out, part)
        # More than is needed may be there, in front of it and after it.
        start = tuple(low_one // 2 for low_one in low)
        found = plan.box(array[start[0] :, start[1] :], first, extents, in_first=start)
        assert np.array_equal(found, part)
    first, extents = boxes[1]
    low, size = plan.needs(first, extents)
    assert (low, size) == ((0, 0), (2, 3))
    for given, in_first, text in (
        (array[:2, 1:3], (0, 1), "axis 1: the array has 2 cells of the input from cell 1 on, the"),
        (array[:1, :3], (0, 0), "axis 0: the array has 1 cells of the input from cell 0 on, the"),
        (array[:2, :3], (0, -1), "axis 1: input cell -1 is not between 0 and"),
        (array[:2, :3], (0,), "in_first has 1 entries, the plan has 2 axes"),
        (array[0], (0, 0), "the array has 1 axes, the plan has 2"),
    ):
        with pytest.raises(ValueError) as error:
            plan.box(given, first, extents, in_first=in_first)
        assert str(error.value).startswith(text)
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


def test_sources_of_a_wrapped_interval_have_no_seam():
    plan = tensorpad.Plan((1000, 3), ((10, 10), (0, 2)), "wrap")
    assert plan.sources(0, 0, 110) == [
        (slice(0, 10), slice(990, 1000)),
        (slice(10, 110), slice(0, 100)),
    ]
    array = np.random.default_rng(4).random((1000, 3))
    out = np.empty((110, 4))
    read = 0
    for pieces in itertools.product(plan.sources(0, 0, 110), plan.sources(1, 1, 5)):
        to, source = zip(*pieces)
        first, extents = [one.start for one in to], [one.stop - one.start for one in to]
        part = array[source].copy()
        read += part.size
        result = plan.box(part, first, extents, in_first=[one.start for one in source])
        out[to[0], to[1].start - 1 : to[1].stop - 1] = result
    assert np.array_equal(out, np.pad(array, ((10, 10), (0, 2)), "wrap")[:110, 1:])
    assert read == 110 * 3  # of a whole period everything is read, once


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
    plan = tensorpad.Plan(
        (3, 4),
        ((1, -2), (0, 3)),
        ["reflect", "constant"],
        dtype=">f8",
        order="crop",
        constant_values=3.5,
        interior=[1, 0],
    )
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
    from tensorpad._plan import KEPT, shared_plan

    shared_plan.cache_clear()
    first = pickle.dumps(tensorpad.Plan((3,), 1))
    capsule = pickle.loads(first)._capsule
    for extent in range(10, 10 + KEPT):
        pickle.loads(pickle.dumps(tensorpad.Plan((extent,), 1)))
    assert shared_plan.cache_info().currsize == KEPT
    assert pickle.loads(first)._capsule is not capsule


def test_eight_threads_load_one_plan():
    from tensorpad._plan import shared_plan

    shared_plan.cache_clear()
    said = [pickle.dumps(tensorpad.Plan((extent,), 2, "edge")) for extent in range(3, 9)]
    found = []

    def work():
        for _ in range(50):
            for one in said:
                plan = pickle.loads(one)
                found.append((plan.shape, plan(np.zeros(plan.shape)).shape))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(found) == {((n,), (n + 4,)) for n in range(3, 9)} and len(found) == 8 * 50 * 6


def test_an_integer_is_a_shape_of_one_axis():
    """As for numpy.zeros."""
    for four in (4, np.int8(4), np.array(4)):
        assert tensorpad.Plan(four, 1).shape == np.zeros(four).shape
        assert tensorpad.Plan(four, 1) == tensorpad.Plan((4,), 1)
        assert tensorpad.pad_shape(four, (1, 2)) == (7,)
    made = tensorpad.pad_packed(np.array([0x21], "u1"), 2, "int4", (0, 2), constant_values=7)
    assert made.tolist() == [0x21, 0x77]
    with pytest.raises(TypeError, match="^shape has to be integers, got 4.5$"):
        tensorpad.Plan(4.5, 1)


def test_an_output_around_the_input():
    plan = tensorpad.Plan((2, 2), 1, dtype="f4")
    whole = np.arange(16, dtype="f4").reshape(4, 4)
    expected = plan(whole[1:3, 1:3].copy())
    assert np.array_equal(plan(whole[1:3, 1:3], whole), expected)


def test_eight_threads_at_once_on_one_plan():
    plan = tensorpad.Plan((64, 64, 16), 5, "reflect", dtype="f4")
    random = np.random.default_rng(2)
    arrays = [random.random((64, 64, 16), "f4") for _ in range(8)]
    expected = [np.pad(array, 5, "reflect") for array in arrays]
    wrong = []

    def work(k):
        out = np.empty(plan.out_shape, "f4")
        for _ in range(25):
            out[...] = -1
            plan.run(arrays[k], out)
            if not np.array_equal(out, expected[k]) or not np.array_equal(
                plan(arrays[k]), expected[k]
            ):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
