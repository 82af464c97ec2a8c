"""The plain problem against numpy.pad, and the naive oracle of these tests against numpy.pad too.

SPDX-License-Identifier: MIT

numpy pads an array of indices; the cells are then picked by index, so types and values cannot
blur a difference. numpy.pad has no negative amounts and no interior: slicing stands in for them.
"""

import itertools
import random

import numpy as np
import pytest
from harness import fail, numbers, run, scaled, succeed
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import oracle

assert np.lib.NumpyVersion(np.__version__) >= "2.1.0", "older ones are wrong on long pads"

NUMERIC = [f"{order}{kind}" for order in "<>" for kind in ("i2", "i4", "i8", "u2", "u4", "u8")]
NUMERIC += [f"{order}{kind}" for order in "<>" for kind in ("f2", "f4", "f8", "c8", "c16")]
NUMERIC += ["|b1", "|i1", "|u1"]
OTHERS = ["|S1", "|S3", "|S16", "<U1", ">U5", "|V1", "|V3", "|V12", "|V257"]
OTHERS += ["<M8[ns]", ">M8[D]", "<m8[s]"]


class Nothing(Exception):
    """There is nothing to repeat; an error, unless the output has no cell anyway."""


def pad_indices(index, widths, mode):
    if index.ndim == 0:
        return index
    try:
        if mode == "constant":
            return np.pad(index, widths, constant_values=-1)
        return np.pad(index, widths, mode)
    except ValueError as error:
        if "can't extend empty axis" not in str(error):
            raise
        raise Nothing from None


def numpy_pad(shape, begin, end, interior, modes, order):
    """The input index of each output cell, -1 for fill; raises Nothing."""
    index = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    for axis, gap in enumerate(interior):
        if gap and index.shape[axis]:
            wide = list(index.shape)
            wide[axis] = oracle.dilated(wide[axis], gap)
            spread = np.full(wide, -1)
            spread[(slice(None),) * axis + (slice(None, None, gap + 1),)] = index
            index = spread
    widths = [(max(0, before), max(0, after)) for before, after in zip(begin, end)]
    cuts = [(max(0, -before), max(0, -after)) for before, after in zip(begin, end)]
    if order == "crop":
        for axis, (first, last) in enumerate(cuts):
            if index.shape[axis] < first + last:  # deeper than all there is
                short = index.shape[axis] - first - last
                index = index[(slice(None),) * axis + (slice(0, 0),)]
                before, after = widths[axis]  # what is missing is taken from the padding
                widths[axis] = (before + after + short, 0)
            else:
                index = index[(slice(None),) * axis + (slice(first, index.shape[axis] - last),)]
    # one axis after the other: each may have its own mode, and fill wins
    for axis, mode in enumerate(modes):
        one = [(0, 0)] * index.ndim
        one[axis] = widths[axis]
        index = pad_indices(index, one, mode)
    if order == "window":
        for axis, (first, last) in enumerate(cuts):
            index = index[(slice(None),) * axis + (slice(first, index.shape[axis] - last),)]
    return index


def make_array(seed, dtype, shape, fortran):
    dtype = np.dtype(dtype)
    raw = random.Random(seed).randbytes(dtype.itemsize * int(np.prod(shape)))
    if dtype.kind == "b":
        raw = bytes(byte & 1 for byte in raw)
    elif dtype.kind == "U":  # code points that Python accepts
        raw = np.frombuffer(raw, np.uint32).astype(np.uint32) % 0xD800
        raw = raw.astype(dtype.byteorder + "u4").tobytes()
    found = np.frombuffer(raw, dtype).reshape(shape)
    return np.asfortranarray(found) if fortran and found.ndim else found


def cells(array):
    """The elements as bytes, in row-major order, just as they are stored."""
    size = array.dtype.itemsize
    raw = np.ascontiguousarray(array).tobytes()
    return [raw[k : k + size] for k in range(0, len(raw), size)]


def fill_of(dtype, choice):
    """(text, bytes) of a fill value; (None, zeros) for the default."""
    dtype = np.dtype(dtype)
    if choice == 0 or dtype.kind not in "biufc":
        return None, bytes(dtype.itemsize)
    texts = {
        "b": ["true", "1"],
        "i": ["-7", "127"],
        "u": ["7", "0xff" if choice < 0 else "255"],
        "f": ["1.5", "-inf"],
        "c": ["1.5-2j", "-3"],
    }[dtype.kind]
    text = texts[choice - 1]
    value = {"true": True, "1.5-2j": 1.5 - 2j}.get(text)
    value = (float(text) if dtype.kind in "fc" else int(text)) if value is None else value
    return text, np.array([value]).astype(dtype).tobytes()


@st.composite
def problems(draw, negative, interior, mixed):
    rank = draw(st.integers(0, 5))
    large, extent = [(30, 9), (30, 9), (12, 5), (5, 4), (3, 3), (2, 2)][rank]
    low = -min(large, 8) if negative else 0

    def per_axis(strategy):
        return draw(st.lists(strategy, min_size=rank, max_size=rank))

    return {
        "shape": per_axis(st.integers(0, extent)),
        "begin": per_axis(st.integers(low, large)),
        "end": per_axis(st.integers(low, large)),
        "interior": per_axis(st.integers(0, 3)) if interior else [0] * rank,
        "modes": per_axis(st.sampled_from(oracle.MODES))
        if mixed
        else [draw(st.sampled_from(oracle.MODES))] * rank,
        "order": draw(st.sampled_from(["window", "crop"])),
        "dtype": draw(st.sampled_from(NUMERIC + OTHERS)),
        "fortran": draw(st.booleans()),
        "fill": draw(st.integers(0, 2)),
        "seed": draw(st.integers(0, 1 << 32)),
    }


def check(problem, folder):
    shape, begin, end = problem["shape"], problem["begin"], problem["end"]
    array = make_array(problem["seed"], problem["dtype"], shape, problem["fortran"])
    text, fill = fill_of(problem["dtype"], problem["fill"])
    source, target = folder / "x.npy", folder / "y.npy"
    np.save(source, array)
    modes = problem["modes"]
    arguments = ["pad", "--spec=plain", f"--begin={numbers(begin)}", f"--end={numbers(end)}"]
    if modes:
        arguments.append(f"--mode={modes[0] if len(set(modes)) == 1 else ','.join(modes)}")
    if any(problem["interior"]):
        arguments.append(f"--interior={numbers(problem['interior'])}")
    if problem["order"] == "crop":
        arguments.append("--order=crop")
    if text is not None:
        arguments.append(f"--value={text}")
    arguments += [source, target, "-f"]

    sizes = [oracle.dilated(n, gap) for n, gap in zip(shape, problem["interior"])]
    out_shape = [before + n + after for before, n, after in zip(begin, sizes, end)]
    if any(extent < 0 for extent in out_shape):
        fail(3, *arguments, says=["axis"])
        return
    try:
        index = numpy_pad(shape, begin, end, problem["interior"], modes, problem["order"])
    except Nothing:
        if 0 in out_shape:
            index = np.zeros(out_shape, int)
        else:
            fail(3, *arguments, says=["axis"])
            return
    assert list(index.shape) == out_shape
    before = cells(array)
    expected = [before[k] if k >= 0 else fill for k in index.ravel()]
    succeed(*arguments)
    found = np.load(target)
    assert found.dtype == array.dtype
    assert list(found.shape) == out_shape and found.flags.c_contiguous
    assert cells(found) == expected


@settings(max_examples=scaled(1000))
@given(problem=problems(negative=False, interior=False, mixed=False))
def test_padding(problem, tmp_path):
    check(problem, tmp_path)


@settings(max_examples=scaled(1000))
@given(problem=problems(negative=True, interior=False, mixed=False))
def test_padding_and_cropping(problem, tmp_path):
    check(problem, tmp_path)


@settings(max_examples=scaled(1000))
@given(problem=problems(negative=True, interior=True, mixed=True))
def test_everything_at_once(problem, tmp_path):
    check(problem, tmp_path)


@pytest.mark.parametrize("mode", oracle.MODES)
def test_numpy_itself(mode, tmp_path):
    """numpy.pad on the very array, for every numeric type in both byte orders and layouts."""
    for dtype in NUMERIC:
        for fortran in False, True:
            array = make_array(dtype, dtype, [2, 5, 3], fortran)
            np.save(tmp_path / "x.npy", array)
            succeed(
                "pad",
                "--spec=plain",
                f"--mode={mode}",
                "--begin=1,7,0",
                "--end=3,0,4",
                tmp_path / "x.npy",
                tmp_path / "y.npy",
                "-f",
            )
            with np.errstate(invalid="ignore"):
                expected = np.pad(array, [(1, 3), (7, 0), (0, 4)], mode)
            assert np.load(tmp_path / "y.npy").tobytes() == expected.tobytes(), (dtype, fortran)


def test_the_oracle_against_numpy():
    """The naive walk that the other tests believe, against numpy.pad, on every small axis."""
    for extent, begin, end in itertools.product(range(5), range(-6, 10), range(-6, 10)):
        if extent + begin + end < 0:
            continue
        for mode, order in itertools.product(oracle.MODES, ["window", "crop"]):
            try:
                expected = numpy_pad([extent], [begin], [end], [0], [mode], order).tolist()
            except Nothing:
                expected = None
            try:
                found, _ = oracle.pad(
                    list(range(extent)), [extent], [begin], [end], mode, -1, None, order
                )
            except oracle.Refused:
                found = None
            if extent + begin + end == 0:
                expected = []
            assert found == expected, (extent, begin, end, mode, order)


def test_structured_types(tmp_path):
    """Records are refused in one line or moved whole; never torn."""
    array = np.array([(1, 2.5), (3, 4.5)], [("a", "<i2"), ("b", "<f8")])
    np.save(tmp_path / "x.npy", array)
    result = run(
        "pad",
        "--spec=plain",
        "--begin=1",
        "--end=2",
        "--mode=wrap",
        tmp_path / "x.npy",
        tmp_path / "y.npy",
    )
    if result.status == 0:
        assert np.load(tmp_path / "y.npy").tolist() == array[[1, 0, 1, 0, 1]].tolist()
    else:
        assert result.status == 3 and len(result.error.splitlines()) == 1, result
