"""pad beyond NumPy, in NumPy's words and with NumPy's errors; pad_to; outputs that share memory with the
input; unpad, pad_shape, pad_border, pad_adjoint and window_widths; signatures. test_random.py has random calls."""

import inspect
import itertools
import pickle

import ml_dtypes
import numpy as np
import pytest
import suites
import tensorpad
from calls import MODES, outcome
from tensorpad import window_widths

EYE = np.eye(2)
SIX = np.arange(6).reshape(2, 3)


@pytest.mark.long
def test_numpys_own_tests():
    """As installed, with ours in the place of theirs."""
    module = "numpy.lib.tests.test_arraypad"
    pytest.importorskip(module)
    said = suites.run("numpys", "--pyargs", module)
    passed, deselected, calls = suites.numbers(said, "passed", "deselected", "times")
    assert passed >= 580 and deselected == 25 and calls >= passed, said


@pytest.mark.long
def test_dasks_own_tests():
    module = "dask.array.tests.test_creation"
    pytest.importorskip(module)
    said = suites.run("dasks", "-k", "pad", "--pyargs", module)
    words = "passed", "skipped", "ask for what is refused", "that dask skips are run", "times"
    *counts, calls = suites.numbers(said, *words)
    # What stays skipped has nothing that could be compared: cells of mode empty, and mode median.
    assert counts == [167, 40, 49, 60] and calls >= 167, said


# ---- By hand -------------------------------------------------------------------------------------


def fills(vector, width, axis, kwargs):
    vector[: width[0]] = kwargs["what"]


# The arguments, the keywords, and the result.
BY_HAND = [
    ((np.arange(3), (-5, 4)), {"constant_values": 9}, [9, 9]),
    ((np.arange(3), (4, -5)), {"constant_values": (7, 9)}, [7, 7]),
    (([1, 2, 3, 4], (-1, 3), "reflect"), {}, [2, 3, 4, 3, 2, 1]),
    (([1, 2, 3, 4], (-1, 3), "reflect"), {"order": "crop"}, [2, 3, 4, 3, 2, 3]),
    ((np.ones((2, 2)), 0), {"interior": {-1: 1}}, [[1, 0, 1], [1, 0, 1]]),
    (
        (SIX, 1, ("constant", "edge")),
        {"constant_values": ((7, 8), (0, 0))},
        [[7] * 5, [0, 0, 1, 2, 2], [3, 3, 4, 5, 5], [8] * 5],
    ),
    ((SIX, 1, {0: "wrap", -1: "edge"}), {}, tensorpad.pad(SIX, 1, ["wrap", "edge"])),
    ((SIX, 1), {"axes": 1}, np.pad(SIX, {1: 1})),
    ((SIX, 1), {"axes": []}, SIX),
    ((SIX, 1), {"axes": 1, "constant_values": (3, 4)}, np.pad(SIX, {1: 1}, constant_values=(3, 4))),
    ((SIX, 1), {"axes": -2, "constant_values": [[3, 4]]}, np.pad(SIX, {0: 1}, constant_values=(3, 4))),
    ((SIX, [(1, 0), (0, 2)]), {"axes": (-1, 0)}, np.pad(SIX, ((0, 2), (1, 0)))),
    ((SIX, 1, "mean"), {"axes": 1}, np.pad(SIX, {1: 1}, "mean")),
    ((SIX, 1, "edge"), {"reflect_type": "even"}, ValueError),
    ((SIX, 7, "reflect"), {"reflect_type": "odd"}, np.pad(SIX, 7, "reflect", reflect_type="odd")),
    ((SIX, 7, "symmetric"), {"reflect_type": "even"}, np.pad(SIX, 7, "symmetric")),
    ((SIX, 1, ["reflect"] * 2), {"reflect_type": "even"}, np.pad(SIX, 1, "reflect")),
    ((SIX, 1, "mean"), {"interior": 1}, ValueError),
    (([1, 2], 1, "reflect"), {"interior": 1, "constant_values": 9, "reflect_type": "even"}, [9, 1, 9, 2, 9]),
    ((np.float32(3), np.empty((0, 2), int), "reflect"), {"interior": []}, 3),
    *(((np.float32(3), nothing, []), {}, 3) for nothing in ([], (), {})),
    (([[1, 2]], 2, "maximum"), {}, np.pad([[1, 2]], 2, "maximum")),
    ((np.arange(3.0), (1, 0), fills), {"what": 9}, [9, 0, 1, 2]),
]  # fmt: skip


@pytest.mark.parametrize("row", range(len(BY_HAND)))
def test_by_hand(row):
    args, words, expected = BY_HAND[row]
    found = outcome(tensorpad.pad, *args, **words)
    if expected is ValueError:
        assert type(found) is ValueError
    else:
        assert np.array_equal(found, expected)


# NumPy refuses these, and so does tensorpad, in the same words.
REFUSED = [
    *(((EYE, width), {}) for width in ([1, 2, 3], [[1, 2, 3]], [(1, 2)] * 3, [[[1], [2]]])),
    *(((EYE, 1, mode), {}) for mode in ("Constant", "mirror", "é")),
    ((EYE, 1, "edge"), {"constant_values": 0}),
    ((EYE, 1), {"stat_length": 1}),
    ((EYE, 1, "edge"), {"constant_values": 0, "reflect_type": "even"}),
    ((EYE, 1, "wrap"), {"reflect_type": "even"}),
    ((EYE, 1, "mean"), {"constant_values": 1}),
    ((EYE, 1), {"nonsense": 1}),
    ((EYE.astype("i1"), 1), {"constant_values": "x"}),
    ((np.empty((0, 2)), 1, "edge"), {}),
    ((np.empty((2, 0, 2)), ((0, 0), (0, 1), (2, 2)), "wrap"), {}),
    ((EYE, -1, "mean"), {}),
    ((EYE, 1, "maximum"), {"stat_length": 0}),
]


@pytest.mark.parametrize("row", range(len(REFUSED)))
def test_numpys_errors(row):
    args, kwargs = REFUSED[row]
    theirs, ours = outcome(np.pad, *args, **kwargs), outcome(tensorpad.pad, *args, **kwargs)
    assert isinstance(theirs, Exception) and type(ours) is type(theirs)
    text, hint = str(ours), ""
    if "is not supported" in text:
        text, _, hint = text.partition(":")
    elif "operand" in text:
        hint, _, text = text.removesuffix(")").partition(f" ({str(theirs)[:5]}")
        text = str(theirs)[:5] + text
    assert sorted(text) == sorted(str(theirs))  # sets have no order
    assert bool(hint) == ("is not supported" in text or "operand" in text)


WIDTHS = [1.7, "1", np.float64(1), True, np.uint8(1), None, 2**70, np.int8(1), np.array([1.7])]
WIDTHS += [[1.7, 1], ["1", "2"], [[1.5, 1], [1, 1]], np.array([1]), (True, 1), [], [[]]]
WIDTHS += [np.array([], int), np.zeros((0, 2), int), np.zeros((2, 0), int)]
TAKES_WIDTHS = {
    "pad": lambda width: tensorpad.pad(SIX, width).shape,
    "Plan": lambda width: tensorpad.Plan((2, 3), width).out_shape,
    "pad_shape": lambda width: tensorpad.pad_shape((2, 3), width),
    "unpad": lambda width: tensorpad.unpad(np.zeros((4, 5)), width).base.shape,
    "pad_border": lambda width: tensorpad.pad_border(np.zeros((4, 5)), width).shape,
    "show": lambda width: str(tensorpad.show((2, 3), width)) and (4, 5),
    "pad_adjoint": lambda width: (
        len(tensorpad.pad_adjoint(np.zeros((4, 5)), (2, 3), width)) == 9 or (4, 5)
    ),
}


@pytest.mark.parametrize("width", WIDTHS, ids=repr)
@pytest.mark.parametrize("name", TAKES_WIDTHS)
def test_pad_width_is_numpys(name, width):
    """`pad_width` is what numpy.pad takes, in every function that has it, and refused in its words."""
    theirs, ours = outcome(np.pad, SIX, width), outcome(TAKES_WIDTHS[name], width)
    if not isinstance(theirs, Exception):
        assert ours == theirs.shape == (4, 5)
        return
    assert type(ours) is type(theirs) and str(ours) == str(theirs)


# ---- pad_to --------------------------------------------------------------------------------------


def test_what_pad_to_takes():
    assert tensorpad.pad_to(memoryview(b"ab"), 4, mode="edge").tobytes() == b"aabb"
    assert tensorpad.pad_to(5, ()) == 5
    words = tensorpad.pad_to(np.array(["a", "bc"]), 3, constant_values="d")
    assert words.tolist() == ["a", "bc", "d"]
    found = tensorpad.pad_to(np.array([{}, None], object), 3, constant_values=None)
    assert found.tolist() == [{}, None, None]
    assert tensorpad.pad_to(np.asfortranarray(np.ones((3, 4))), 8).flags.f_contiguous
    given, values = np.ones((1, 1, 2), int), ((5, 6), (7, 8))
    found = tensorpad.pad_to(given, (4, 3), axes=(2, 1), constant_values=values)
    assert found.tolist() == [[[5, 7, 7, 6], [5, 1, 1, 6], [5, 8, 8, 6]]]
    assert tensorpad.pad_to(np.zeros((1,) * 16), 2).shape == (2,) * 16
    for mode in ("constant", "mean"):
        with pytest.raises(TypeError, match="x has to be an array, got None"):
            tensorpad.pad_to(None, 4, mode=mode)
        with pytest.raises(ValueError, match="at most 16 axes are supported, got 17"):
            tensorpad.pad_to(np.zeros((1,) * 17), 2, mode=mode)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        tensorpad.pad_to(shape=4)
    with pytest.raises(TypeError, match="from 1 to 2 positional arguments but 3 were given"):
        tensorpad.pad_to(np.zeros(3), 4, 5)


# ---- Outputs -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_out_that_overlaps_the_input_is_right(mode):
    plan = tensorpad.Plan((6,), 2, mode, dtype=int)
    for start in range(8):
        for run in (lambda x, out: tensorpad.pad(x, 2, mode, out=out), plan.run):
            whole = np.arange(20)
            expected = np.pad(whole[3:9].copy(), 2, mode)
            run(whole[3:9], whole[start : start + 10])
            assert np.array_equal(whole[start : start + 10], expected), start
    whole = np.arange(20, dtype=object)
    tensorpad.pad(whole[3:9], 2, mode, out=whole[2:12])
    assert np.array_equal(whole[2:12], np.pad(np.arange(3, 9), 2, mode))
    whole = np.arange(20)
    tensorpad.pad(whole[3:9], 2, out=whole[2:12], constant_values=(7, 8))
    assert whole[2:12].tolist() == [7, 7, 3, 4, 5, 6, 7, 8, 8, 8]
    padded, amounts = tensorpad.pad_to(whole[3:7], 20, mode=mode, out=whole, return_amounts=True)
    assert padded is whole and amounts == ((8, 8),)
    assert padded.tolist() == np.pad([7, 3, 4, 5], 8, mode).tolist()


def test_buffers_are_outputs():
    buffer = bytearray(4 * 5 * 8)
    view = memoryview(buffer).cast("d", (4, 5))
    assert tensorpad.pad(SIX * 1.0, 1, "symmetric", out=view) is view
    assert np.array_equal(np.frombuffer(buffer).reshape(4, 5), np.pad(SIX, 1, "symmetric"))
    buffer = bytearray(6)
    assert tensorpad.pad_to(memoryview(b"abc"), 6, mode="wrap", out=buffer) is buffer
    assert bytes(buffer) == b"cabcab"


# ---- unpad, pad_shape, pad_border ----------------------------------------------------------------


def test_pad_shape():
    assert tensorpad.pad_shape((2, 3), 1) == (4, 5) and tensorpad.pad_shape([], 1) == ()
    found = tensorpad.pad_shape((10**12, 3), ((0, 0), (-1, 2)), interior=(1, 0))
    assert found == (2 * 10**12 - 1, 4)
    assert tensorpad.pad_shape((2, 3), (1, 2), axes=-1) == (2, 6)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("interior", [0, 2])
@pytest.mark.parametrize("dtype", ["f4", "O", "M8[s]"])
def test_unpad_and_pad_border(mode, interior, dtype):
    array = np.arange(1, 13).reshape(3, 4).astype("i8").astype(dtype)
    widths, value = ((1, 2), (3, 0)), array[1, 1] if dtype != "O" else 99
    words = {"constant_values": value} if mode == "constant" or interior else {}
    padded = tensorpad.pad(array, widths, mode, interior=interior, **words)
    inside = tensorpad.unpad(padded, widths, interior=interior)
    assert np.array_equal(inside, array) and np.shares_memory(inside, padded)
    out = np.empty(padded.shape[::-1], dtype).T
    tensorpad.unpad(out, widths, interior=interior)[...] = array
    assert tensorpad.pad_border(out, widths, mode, interior=interior, constant_values=value) is out
    assert np.array_equal(out, padded)


def test_unpad_of_nothing():
    assert tensorpad.unpad(np.empty((2, 0)), {0: 1}).shape == (0, 0)
    assert tensorpad.unpad(np.float32(3), 1) == 3


# ---- pad_adjoint ---------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", ["f4", "f2", "i2", "F"])
def test_threads_add_the_same_bits(mode, dtype):
    """Whatever shares the work; and <pad(x), grad> = <x, pad_adjoint(grad)>."""
    shape, widths = (3, 5, 400, 300), ((0, 0), (1, 2), (16, 16), (3, 5))
    random = np.random.default_rng(7)
    grad = random.standard_normal(tensorpad.pad_shape(shape, widths, mode)).astype("f4")
    grad = (100 * grad).astype(dtype)
    one = tensorpad.pad_adjoint(grad, shape, widths, mode, threads=1)
    for threads in (None, 2, 7):
        found = tensorpad.pad_adjoint(grad, shape, widths, mode, threads=threads)
        assert found.tobytes() == one.tobytes()
    x = random.integers(-3, 4, shape)
    cells = (tensorpad.pad(x, widths, mode) * grad.astype("D")).sum()
    elements = (x * one.astype("D")).sum()
    if dtype == "i2":
        assert (int(cells.real) - int(elements.real)) % 2**16 == 0
    else:
        assert np.isclose(cells, elements, rtol=1e-2 if dtype == "f2" else 1e-5)


def test_more_of_pad_adjoint():
    # 2048 + 1 + 1 is 2048 in float16, twice rounded, and 2050 rounded once.
    for dtype, big in (("f2", 2048), (ml_dtypes.bfloat16, 256)):
        grad = np.array([1, big, 1], dtype)
        assert tensorpad.pad_adjoint(grad, 1, 1, "edge").astype("f8").tolist() == [big + 2]
    assert tensorpad.pad_adjoint(np.full(7, 100, "u1"), 1, 3, "wrap").tolist() == [700 % 256]
    for shape, width in (((5, 7), [(0, 0), (1, 1)]), ((1, 7), [(0, 0), (1, 1)]), ((5, 1), 0)):
        grad = np.broadcast_to(np.float32(1), shape)
        inside = tensorpad.unpad(grad, width).shape
        expected = tensorpad.pad_adjoint(grad.copy(), inside, width, "edge")
        assert np.array_equal(tensorpad.pad_adjoint(grad, inside, width, "edge"), expected)
    grad = np.asfortranarray(np.ones((4, 5), "f4"))
    assert tensorpad.pad_adjoint(grad, (2, 3), 1).flags.f_contiguous
    assert tensorpad.pad_adjoint([[1, 2], [3, 4]], (1, 1), (0, 1), "edge").tolist() == [[10]]
    assert tensorpad.pad_adjoint(np.float32(3), (), 0).shape == ()
    # Ghost cells: what was added to the copies of an element goes to the element.
    field = np.ones((5, 6))
    inside = tensorpad.unpad(field, 1)
    assert tensorpad.pad_adjoint(field, (3, 4), 1, "wrap", out=inside) is inside
    assert inside.tolist() == [[4, 2, 2, 4], [2, 1, 1, 2], [4, 2, 2, 4]]
    assert field[0].tolist() == field[-1].tolist() == [1] * 6
    if np.dtype("g") != np.dtype("f8"):  # on Windows a long double is a double
        with pytest.raises(TypeError, match="of type "):
            tensorpad.pad_adjoint(np.zeros(3, "g"), 1, 1)


def test_gradients_of_tensors():
    torch = pytest.importorskip("torch")
    for dtype in (torch.float32, torch.bfloat16, torch.float16, torch.int64):
        x = torch.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5).to(dtype) % 5
        x = x.to(memory_format=torch.channels_last)
        call = ((2, 3, 2, 3), ((0, 0), (0, 0), (1, 1), (1, 1)), "edge")
        found = tensorpad.pad_adjoint(x, *call)
        expected = tensorpad.pad_adjoint(x.long().numpy(), *call)
        assert found.dtype == dtype and found.long().tolist() == expected.tolist()
        assert found.is_contiguous(memory_format=torch.channels_last)


# ---- Signatures ----------------------------------------------------------------------------------

# The numbers of required and of positional parameters.
SIGNATURES = {
    "pad": (2, 3),
    "pad_shape": (2, 3),
    "pad_border": (2, 3),
    "unpad": (2, 2),
    "pad_adjoint": (3, 4),
    "pad_packed": (4, 5),
    "onnx.pad": (2, 5),
    "onnx.pad_packed": (4, 7),
    "openvino.pad": (3, 5),
    "openvino.pad_packed": (5, 7),
    "ngraph.pad": (4, 6),
    "mli.padding2d": (1, 1),
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures(name):
    """Calls have the signatures that Python shows; errors are those of functions in Python."""
    required, positional = SIGNATURES[name]
    module, _, word = name.rpartition(".")
    function = getattr(getattr(tensorpad, module) if module else tensorpad, word)
    parameters = inspect.signature(function).parameters
    assert pickle.loads(pickle.dumps(function)) is function and function.__doc__
    # A function of Python with this signature says what the errors are.
    names = {}
    exec(f"def {word}{inspect.signature(function)}: pass", names)
    bare = [parameter for parameter, one in parameters.items() if one.default is one.empty]
    for args, kwargs in (
        ((None,) * (positional + 1), {}),
        ((None,) * positional, {"nonsense": 1}),
        ((None,) * required, {next(iter(parameters)): 1}),
        ((), {}),
        ((None,) * (required - 1), {}),
        ((), {parameter: None for parameter in bare[1:]}),
    ):
        if "kwargs" in parameters and "nonsense" in kwargs:
            continue
        expected, found = (outcome(one, *args, **kwargs) for one in (names[word], function))
        assert type(found) is TypeError and str(found) == str(expected)
    # Every parameter is known by its name.
    given = {parameter: inspect for parameter in parameters if parameter != "kwargs"}
    with pytest.raises((TypeError, ValueError)) as found:
        function(**given)
    assert "unexpected" not in str(found.value) and "missing" not in str(found.value)


def test_the_signature_that_numpy_answers():
    numpys = inspect.signature(tensorpad._numpy.pad).parameters
    shown = inspect.signature(tensorpad.pad).parameters
    assert set(numpys) == set(shown) - {"constant_values"}
    assert tensorpad.pad.__module__ == "tensorpad"


# ---- window_widths: counts of windows, and torch's own convolutions ------------------------------


def windows_in(cells, kernel, stride, dilation):
    """The indices that each window reads."""
    first = range(0, max(cells - (kernel - 1) * dilation, 0), stride)
    return [[begin + k * dilation for k in range(kernel)] for begin in first]


@pytest.mark.parametrize("mode", ["same_upper", "same_lower", "same", "causal"])
def test_all_small_windows(mode):
    strides = [1] if mode == "same" else range(1, 5)
    for kernel, stride, dilation in itertools.product(range(1, 6), strides, range(1, 4)):
        for extent in range(1, 9):
            before, after = window_widths(kernel, stride, dilation, shape=extent, mode=mode)[0]
            found = windows_in(extent + before + after, kernel, stride, dilation)
            assert len(found) == -(-extent // stride) and min(before, after) >= 0
            if mode == "causal":
                assert [reads[-1] - before for reads in found] == list(range(0, extent, stride))
                continue
            odd = before - after if mode == "same_lower" else after - before
            assert odd in (0, 1)
            if before + after:  # not one cell more than needed
                assert len(windows_in(extent + before + after - 1, kernel, stride, dilation)) < len(
                    found
                )


def test_arguments_of_windows():
    assert window_widths(3) == ((1, 1),)
    assert window_widths((3, 5)) == ((1, 1), (2, 2))
    assert window_widths(3, np.array([1, 2]), shape=[6, np.int64(6)]) == ((1, 1), (0, 1))
    assert all(type(one) is int for one in window_widths(np.int64(3), shape=np.array([4]))[0])
    assert window_widths([]) == ()
    assert window_widths(5, 2, shape=0) == ((1, 2),)
    x = np.arange(5)
    assert tensorpad.pad(x, window_widths(4, mode="causal")).tolist() == [0, 0, 0, 0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: window_widths(3, mode="SAME"), ValueError, "mode 'SAME' is not known: it is one"),
        (lambda: window_widths(3, mode="same_uper"), ValueError, "did you mean same_upper"),
        (lambda: window_widths(0), ValueError, "kernel has to be at least 1, got 0"),
        (lambda: window_widths(3, -1), ValueError, "stride has to be at least 1, got -1"),
        (lambda: window_widths(3, shape=-1), ValueError, "shape has to be at least 0, got -1"),
        (lambda: window_widths(3.0), TypeError, "kernel has to be integers, got 3.0"),
        (lambda: window_widths(3, dilation=True), TypeError, "dilation has to be integers"),
        (lambda: window_widths("3"), TypeError, "kernel has to be integers, got '3'"),
        (lambda: window_widths((3, 3), (1, 1, 1)), ValueError, "stride has 3 entries, for 2 axes"),
        (lambda: window_widths(3, 2), ValueError, "axis 0: with stride 2, mode 'same_upper' needs"),
        (lambda: window_widths(3, (1, 2), mode="same"), ValueError, "axis 1: mode 'same' is torch"),
    ],
)
def test_windows_that_are_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_windows_as_torch_convolves():
    torch = pytest.importorskip(
        "torch", reason="torch is not installed: its 'same' was not compared"
    )
    for kernel, dilation in itertools.product(range(1, 6), range(1, 4)):
        x, weights = torch.rand(1, 1, 7), torch.rand(1, 1, kernel)
        widths = window_widths(kernel, dilation=dilation, mode="same")
        padded = tensorpad.pad(x, widths, axes=2)
        found = torch.nn.functional.conv1d(padded, weights, dilation=dilation)
        expected = torch.nn.functional.conv1d(x, weights, dilation=dilation, padding="same")
        torch.testing.assert_close(found, expected)


def test_windows_as_torch_traces():
    torch = pytest.importorskip("torch", reason="torch is not installed: its traces were not tried")
    import tensorpad.torch

    class Same(torch.nn.Module):
        def forward(self, x):
            widths = window_widths(3, 2, shape=x.shape[2:])
            padded = tensorpad.torch.pad(x, widths, axes=(2, 3))
            return torch.nn.functional.max_pool2d(padded, 3, 2)

    sizes = ({2: torch.export.Dim("height", min=4, max=512)},)
    program = torch.export.export(Same(), (torch.rand(1, 1, 8, 9),), dynamic_shapes=sizes)
    for height in (7, 8, 13):
        x = torch.rand(1, 1, height, 9)
        assert torch.equal(program.module()(x), Same()(x))
        assert Same()(x).shape == (1, 1, -(-height // 2), 5)
