"""tensorpad.pad_adjoint: every cell added to the element that it came from, by a naive oracle."""

import ml_dtypes
import numpy as np
import oracle
import pytest
import tensorpad
from test_random import CASES, MODES

# The sums of small whole numbers are exact in all of them.
DTYPES = [
    *map(np.dtype, ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "F", "D")),
    np.dtype(ml_dtypes.bfloat16),
]
LARGE = (3, 5, 400, 300)


def scattered(grad, shape, widths, modes, interiors, order):
    """Cell by cell: the number of the element is what an array of numbers shows when it is padded."""
    numbers = np.arange(int(np.prod(shape))).reshape(shape)
    taken = oracle.pad(numbers, widths, modes, -1, interiors, order)
    sums = np.zeros(numbers.size, {"c": "D", "i": "i8", "u": "i8"}.get(grad.dtype.kind, "f8"))
    cells = grad.reshape(-1).astype(sums.dtype)
    for number, cell in zip(taken.reshape(-1), cells):
        if number >= 0:
            sums[number] += cell
    return sums.reshape(shape)


@pytest.mark.share
def test_random_calls_against_the_oracle():
    random = np.random.default_rng(20261126)
    ran = 0
    for case in range(CASES // 5):
        dtype = DTYPES[case % len(DTYPES)]
        rank = int(random.integers(0, 4))
        shape = tuple(map(int, random.integers(0 if case % 11 == 0 else 1, 6, rank)))
        widths = [tuple(map(int, random.integers(-3, random.choice([2, 12]), 2))) for _ in shape]
        interiors = [int(random.choice([0, 0, 0, 1, 2])) for _ in shape]
        modes = [str(random.choice(MODES)) for _ in shape]
        words = {"interior": interiors, "order": str(random.choice(["window", "crop"]))}
        try:
            padded = tensorpad.pad_shape(shape, widths or 0, modes, **words)
        except ValueError:
            with pytest.raises(ValueError):
                tensorpad.pad_adjoint(np.zeros(1), shape, widths or 0, modes, **words)
            continue
        signed = random.integers(-4 if dtype.kind not in "u" else 0, 5, padded)
        grad = random_layout(random, signed.astype(dtype))
        expected = scattered(grad, shape, widths, modes, interiors, words["order"])
        with np.errstate(all="ignore"):
            expected = expected.astype(dtype)
        call = (grad, shape, widths or 0, modes)
        found = tensorpad.pad_adjoint(*call, **words)
        what = (case, dtype, shape, widths, modes, words, grad.strides)
        assert found.dtype == dtype and found.shape == shape, what
        assert np.array_equal(found.astype("D"), expected.astype("D")), (what, found, expected)
        out = random_layout(random, np.ones(shape, dtype))
        out = out if out.flags.writeable else out.copy()
        assert tensorpad.pad_adjoint(*call, out=out, add=True, **words) is out
        one_more = (expected + np.ones((), dtype)).astype(dtype)
        assert np.array_equal(out.astype("D"), one_more.astype("D")), what
        assert np.array_equal(tensorpad.pad_adjoint(*call, out=out, **words), found)
        ran += 1
    assert ran > CASES // 8


def random_layout(random, array):
    """The same numbers in memory that is transposed, reversed, or has gaps."""
    steps = [int(random.choice([1, 1, 2, -1, -2])) for _ in array.shape]
    backing = np.zeros(
        [extent * abs(step) for extent, step in zip(array.shape, steps)], array.dtype
    )
    if array.ndim and random.random() < 0.3:
        backing = np.asfortranarray(backing)
    view = backing[(*(slice(None, None, step) for step in steps), ...)]
    view[...] = array
    return view


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", "i2", "F"])
def test_threads_and_layouts_of_large_arrays(mode, dtype):
    """The same to the bit, whatever shares the work; and equal to NumPy's sums of slices."""
    random = np.random.default_rng(7)
    widths = ((0, 0), (1, 2), (16, 16), (3, 5))
    grad = random.standard_normal(tensorpad.pad_shape(LARGE, widths, mode)).astype("f4")
    grad = (100 * grad).astype(dtype)
    one = tensorpad.pad_adjoint(grad, LARGE, widths, mode, threads=1)
    for threads in (None, 2, 7):
        assert (
            tensorpad.pad_adjoint(grad, LARGE, widths, mode, threads=threads).tobytes()
            == one.tobytes()
        )
    # <pad0(x), grad> = <x, adjoint(grad)>
    x = random.integers(-3, 4, LARGE)
    filled = tensorpad.pad(np.ones(LARGE), widths, mode)
    cells = (tensorpad.pad(x, widths, mode) * (filled > 0) * grad.astype("D")).sum()
    elements = (x * one.astype("D")).sum()
    if dtype == "i2":
        assert (int(cells.real) - int(elements.real)) % 2**16 == 0
    else:
        assert np.isclose(cells, elements, rtol=1e-2 if dtype == "f2" else 1e-5)


def test_halves_are_rounded_once():
    """2048 + 1 + 1 is 2048 in float16, twice rounded, and 2050 rounded once."""
    for dtype, big in (("f2", 2048), (ml_dtypes.bfloat16, 256)):
        grad = np.array([1, big, 1], dtype)
        assert tensorpad.pad_adjoint(grad, 1, 1, "edge").astype("f8").tolist() == [big + 2]


def test_integers_wrap_around():
    grad = np.full(7, 100, "u1")
    assert tensorpad.pad_adjoint(grad, 1, 3, "wrap").tolist() == [700 % 256]


def test_a_gradient_that_was_broadcast():
    for shape in ((5, 7), (1, 7), (5, 1)):
        grad = np.broadcast_to(np.float32(1), shape)
        inside = (shape[0], shape[1] - 2) if shape[1] > 2 else shape
        width = ((0, 0), (1, 1)) if shape[1] > 2 else 0
        expected = tensorpad.pad_adjoint(grad.copy(), inside, width, "edge")
        assert np.array_equal(tensorpad.pad_adjoint(grad, inside, width, "edge"), expected)


def test_out_may_be_the_inside_of_grad():
    """Ghost cells: what was added to the copies of an element goes to the element."""
    field = np.ones((5, 6))
    inside = tensorpad.unpad(field, 1)
    expected = tensorpad.pad_adjoint(field.copy(), (3, 4), 1, "wrap")
    assert tensorpad.pad_adjoint(field, (3, 4), 1, "wrap", out=inside) is inside
    assert np.array_equal(field[1:-1, 1:-1], expected)
    assert field[0].tolist() == field[-1].tolist() == [1] * 6
    assert expected.tolist() == [[4, 2, 2, 4], [2, 1, 1, 2], [4, 2, 2, 4]]


def test_layout_and_type_are_those_of_the_gradient():
    grad = np.asfortranarray(np.ones((4, 5), "f4"))
    assert tensorpad.pad_adjoint(grad, (2, 3), 1).flags.f_contiguous
    assert tensorpad.pad_adjoint([[1, 2], [3, 4]], (1, 1), (0, 1), "edge").tolist() == [[10]]
    assert tensorpad.pad_adjoint(np.float32(3), (), 0).shape == ()


REFUSED = {
    "shape": (
        lambda g: tensorpad.pad_adjoint(g, 5, (2, 1)),
        ValueError,
        r"grad has shape \(7,\), an array of shape \(5,\) is padded to \(8,\)",
    ),
    "rank": (
        lambda g: tensorpad.pad_adjoint(g, (4, 4), 1),
        ValueError,
        r"grad has shape \(7,\), an array of shape \(4, 4\) is padded to \(6, 6\)",
    ),
    "axes": (lambda g: tensorpad.pad_adjoint(g, [1] * 17, 1), ValueError, "at most 16 axes"),
    "bools": (
        lambda g: tensorpad.pad_adjoint(g > 1, 4, (2, 1)),
        TypeError,
        "got elements of type bool",
    ),
    "dates": (
        lambda g: tensorpad.pad_adjoint(g.astype("M8[s]"), 4, (2, 1)),
        TypeError,
        r"pad_adjoint adds integers, .* got elements of type datetime64",
    ),
    "objects": (
        lambda g: tensorpad.pad_adjoint(g.astype("O"), 4, (2, 1)),
        TypeError,
        "of type object",
    ),
    "two bytes": (
        lambda g: tensorpad.pad_adjoint(np.zeros(7, "V2"), 4, (2, 1)),
        TypeError,
        r"type \|V2",
    ),
    "float8": (
        lambda g: tensorpad.pad_adjoint(g.astype(ml_dtypes.float8_e5m2), 4, (2, 1)),
        TypeError,
        "type float8_e5m2",
    ),
    "byte order": (
        lambda g: tensorpad.pad_adjoint(g.astype(g.dtype.newbyteorder()), 4, (2, 1)),
        TypeError,
        r"type [<>]f4, whose bytes are in the other order: use grad\.astype\(grad\.dtype\.newbyteorder",
    ),
    "add without out": (
        lambda g: tensorpad.pad_adjoint(g, 4, (2, 1), add=True),
        ValueError,
        "add=True adds to what is in out: there is no out",
    ),
    "a computed mode": (
        lambda g: tensorpad.pad_adjoint(g, 4, (2, 1), "mean"),
        ValueError,
        "computed by NumPy",
    ),
    "no mode": (
        lambda g: tensorpad.pad_adjoint(g, 4, (2, 1), "mirror"),
        ValueError,
        "is not supported",
    ),
    "no element": (
        lambda g: tensorpad.pad_adjoint(g[:2], 0, 1, "edge"),
        ValueError,
        "no element to fill",
    ),
    "read-only out": (
        lambda g: tensorpad.pad_adjoint(g, 4, (2, 1), out=np.broadcast_to(np.float32(0), 4)),
        ValueError,
        "read-only",
    ),
    "type of out": (
        lambda g: tensorpad.pad_adjoint(g, 4, (2, 1), out=np.zeros(4)),
        TypeError,
        "out has type float64, the array float32",
    ),
    "shape of out": (
        lambda g: tensorpad.pad_adjoint(g, 4, (2, 1), out=g[:5]),
        ValueError,
        r"out has shape \(5,\), the result \(4,\)",
    ),
}
if np.dtype("g") != np.dtype("f8"):  # on Windows a long double is a double
    REFUSED["long doubles"] = (
        lambda g: tensorpad.pad_adjoint(g.astype("g"), 4, (2, 1)),
        TypeError,
        "of type ",
    )


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    call, error, sentence = REFUSED[name]
    grad = np.arange(7, dtype="f4")
    with pytest.raises(error, match=sentence):
        call(grad)
    assert grad.tolist() == [0, 1, 2, 3, 4, 5, 6]


def test_tensors():
    torch = pytest.importorskip("torch")
    for dtype in (torch.float32, torch.bfloat16, torch.float16, torch.int64):
        x = torch.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5).to(dtype) % 5
        x = x.to(memory_format=torch.channels_last)
        found = tensorpad.pad_adjoint(x, (2, 3, 2, 3), ((0, 0), (0, 0), (1, 1), (1, 1)), "edge")
        widths = [(0, 0), (0, 0), (1, 1), (1, 1)]
        expected = scattered(x.long().numpy(), (2, 3, 2, 3), widths, ["edge"] * 4, None, "window")
        assert found.dtype == dtype and found.long().tolist() == expected.tolist()
        assert found.is_contiguous(memory_format=torch.channels_last)
    for mode, theirs in (("reflect", "reflect"), ("edge", "replicate"), ("wrap", "circular")):
        x = torch.randn(2, 3, 20, 30, requires_grad=True)
        padded = torch.nn.functional.pad(x, (3, 2, 4, 1), theirs)
        grad = torch.randn(padded.shape)
        padded.backward(grad)
        ours = tensorpad.pad_adjoint(grad, x.shape, ((0, 0), (0, 0), (4, 1), (3, 2)), mode)
        assert torch.allclose(ours, x.grad, atol=1e-5)
