"""tensorpad.pad beyond NumPy, and its errors; unpad, pad_shape, pad_border."""

import inspect
import pickle

import numpy as np
import oracle
import pytest
import tensorpad

MODES = list(tensorpad._core.modes)


def test_the_line_of_the_readme():
    found = tensorpad.pad(np.eye(2), (1, -1), interior=1)
    assert found.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]


def test_negative_amounts_crop():
    array = np.arange(24).reshape(4, 6)
    assert np.array_equal(tensorpad.pad(array, ((-1, -2), (-3, 0))), array[1:2, 3:])
    assert tensorpad.pad(np.arange(3), (-5, 4), constant_values=9).tolist() == [9, 9]
    assert tensorpad.pad(np.arange(3), (4, -5), constant_values=(7, 9)).tolist() == [7, 7]


def test_window_and_crop():
    array = np.array([1, 2, 3, 4])
    assert tensorpad.pad(array, (-1, 3), "reflect").tolist() == [2, 3, 4, 3, 2, 1]
    assert tensorpad.pad(array, (-1, 3), "reflect", order="crop").tolist() == [2, 3, 4, 3, 2, 3]


def test_a_mode_for_each_axis():
    array = np.arange(6).reshape(2, 3)
    found = tensorpad.pad(array, 1, ["wrap", "edge"])
    expected = np.pad(np.pad(array, ((1, 1), (0, 0)), "wrap"), ((0, 0), (1, 1)), "edge")
    assert np.array_equal(found, expected)
    assert np.array_equal(tensorpad.pad(array, 1, {0: "wrap", -1: "edge"}), expected)
    found = tensorpad.pad(array, 1, ("constant", "edge"), constant_values=((7, 8), (0, 0)))
    assert found.tolist() == [[7] * 5, [0, 0, 1, 2, 2], [3, 3, 4, 5, 5], [8] * 5]


def test_interior():
    assert tensorpad.pad(np.array([1, 2, 3]), (1, 2), interior=2, constant_values=9).tolist() == [
        9,
        1,
        9,
        9,
        2,
        9,
        9,
        3,
        9,
        9,
    ]
    assert tensorpad.pad(np.array([1, 2]), 2, "edge", interior=1, constant_values=9).tolist() == [
        1,
        1,
        1,
        9,
        2,
        2,
        2,
    ]
    found = tensorpad.pad(np.ones((2, 2)), 0, interior={-1: 1})
    assert found.tolist() == [[1, 0, 1], [1, 0, 1]]


def test_axes():
    array = np.arange(8).reshape(2, 2, 2)
    found = tensorpad.pad(array, [(1, 0), (0, 2)], ["edge", "wrap"], axes=(-1, 0))
    expected = np.pad(
        np.pad(array, ((0, 0), (0, 0), (1, 0)), "edge"), ((0, 2), (0, 0), (0, 0)), "wrap"
    )
    assert np.array_equal(found, expected)
    assert np.array_equal(tensorpad.pad(array, 1, axes=1), np.pad(array, {1: 1}))
    assert np.array_equal(tensorpad.pad(array, 1, axes=[]), array)
    found = tensorpad.pad(array, 1, axes=1, constant_values=(3, 4))
    assert np.array_equal(found, np.pad(array, {1: 1}, constant_values=(3, 4)))
    assert np.array_equal(tensorpad.pad(array, 1, "mean", axes=2), np.pad(array, {2: 1}, "mean"))


@pytest.mark.parametrize("mode", ["linear_ramp", "maximum", "mean", "median", "minimum"])
def test_modes_that_compute(mode):
    array = np.random.default_rng(1).random((4, 5))
    assert np.array_equal(tensorpad.pad(array, 2, mode), np.pad(array, 2, mode))


def test_other_things_that_numpy_computes():
    array = np.arange(5.0)
    for mode in ("reflect", "symmetric"):
        assert np.array_equal(
            tensorpad.pad(array, 7, mode, reflect_type="odd"),
            np.pad(array, 7, mode, reflect_type="odd"),
        )
        assert np.array_equal(
            tensorpad.pad(array, 7, mode, reflect_type="even"), np.pad(array, 7, mode)
        )
    assert tensorpad.pad(array, 3, "empty").shape == (11,)
    out = np.empty(7)
    assert tensorpad.pad(array, 1, "mean", out=out) is out and out[0] == 2

    def ten(vector, width, axis, kwargs):
        vector[: width[0]] = kwargs["what"]

    assert tensorpad.pad(array, (1, 0), ten, what=10)[0] == 10
    with pytest.raises(ValueError, match="interior"):
        tensorpad.pad(array, 1, "mean", interior=1)


# (arguments, keywords): NumPy refuses these, and so does tensorpad, in the same words.
REFUSED = [
    ((np.eye(2), [1, 2, 3]), {}),
    ((np.eye(2), [[1, 2, 3]]), {}),
    ((np.eye(2), [(1, 2)] * 3), {}),
    ((np.eye(2), [[[1], [2]]]), {}),
    ((np.eye(2), 1, "Constant"), {}),
    ((np.eye(2), 1, "mirror"), {}),
    ((np.eye(2), 1, "é"), {}),
    ((np.eye(2), 1, "edge"), {"constant_values": 0}),
    ((np.eye(2), 1), {"stat_length": 1}),
    ((np.eye(2), 1, "edge"), {"constant_values": 0, "reflect_type": "even"}),
    ((np.eye(2), 1, "wrap"), {"reflect_type": "even"}),
    ((np.eye(2), 1, "mean"), {"constant_values": 1}),
    ((np.eye(2), 1), {"nonsense": 1}),
    ((np.eye(2, dtype="i1"), 1), {"constant_values": "x"}),
    ((np.eye(2), 1), {"constant_values": [1, 2, 3]}),
    ((np.empty((0, 2)), 1, "edge"), {}),
    ((np.empty((2, 0, 2)), ((0, 0), (0, 1), (2, 2)), "wrap"), {}),
    ((np.eye(2), -1, "mean"), {}),
    ((np.eye(2), 1, "maximum"), {"stat_length": 0}),
]


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_numpys_errors(case):
    args, kwargs = REFUSED[case]
    with pytest.raises(Exception) as theirs:
        np.pad(*args, **kwargs)
    with pytest.raises(type(theirs.value)) as ours:
        tensorpad.pad(*args, **kwargs)
    text, hint = str(ours.value), ""
    if "is not supported" in text:
        text, _, hint = text.partition(":")
    elif "operand" in text:
        hint, _, text = text.removesuffix(")").partition(f" ({str(theirs.value)[:5]}")
        text = str(theirs.value)[:5] + text
    # sets have no order
    assert sorted(text) == sorted(str(theirs.value))
    assert bool(hint) == ("is not supported" in text or "operand" in text)


def test_words_of_others_for_modes():
    every = ", ".join(tensorpad._core.modes)
    for word, hint in (
        ("replicate", "here it is called edge"),
        ("circular", "here it is called wrap"),
        ("BORDER_REFLECT", "here it is called symmetric"),
        ("Constant", "here it is called constant"),
        ("mirror", "here it is called reflect (SciPy) or symmetric (ITK, libvips, ffmpeg)"),
        (
            "symetric",
            f"it is one of {every}, empty, linear_ramp, maximum, mean, median, minimum (did you mean "
            "symmetric?)",
        ),
        ("nonsense", f"it is one of {every}, empty, linear_ramp, maximum, mean, median, minimum"),
        (np.array(3), f"it is one of {every}, empty, linear_ramp, maximum, mean, median, minimum"),
        (3, f"it is one of {every}, empty, linear_ramp, maximum, mean, median, minimum"),
    ):
        for mode in (word, [word, "edge"]):
            with pytest.raises(ValueError) as error:
                tensorpad.pad(np.eye(2), 1, mode)
            assert str(error.value) == f"mode '{word}' is not supported: {hint}"
        with pytest.raises(ValueError, match="is not supported: "):
            tensorpad.Plan((2, 2), 1, word)


def test_errors_say_what_was_meant():
    for words, said in (
        (
            {"constant_values": (1, 2, 3)},
            "constant_values of shape (3,): it is one value, a pair (before, after), a "
            "pair for each of 3 axes, or with constant_axis one for each cell of an axis: -1 for colours",
        ),
        (
            {"constant_value": 1},
            "unsupported keyword arguments for mode 'constant': {'constant_value'} (did you mean "
            "constant_values?)",
        ),
        ({"stat_length": 1}, "unsupported keyword arguments for mode 'constant': {'stat_length'}"),
        (
            {"pad_width": [(1, 1)] * 3, "axes": (0, 1)},
            "pad_width of shape (3, 2): it is one number, a pair "
            "(before, after), or a pair for each of 2 axes",
        ),
    ):
        with pytest.raises(ValueError) as error:
            tensorpad.pad(np.zeros((4, 5, 3)), **{"pad_width": 1} | words)
        assert str(error.value).partition(" (operands")[0] == said


def test_a_list_of_no_pairs_for_an_array_without_axes():
    given = np.float32(3)
    for nothing in ([], (), {}, np.empty((0, 2), int)):
        assert tensorpad.pad(given, nothing) == 3
        assert tensorpad.pad(given, nothing, []) == 3
        assert tensorpad.pad(given, nothing, "reflect", interior=[]) == 3
        assert tensorpad.pad_shape((), nothing) == ()
        assert tensorpad.unpad(given, nothing) == 3
        assert tensorpad.Plan((), nothing, dtype="f4")(given) == 3
    assert tensorpad.pad(given, [], axes=[]) == 3
    with pytest.raises(TypeError, match="integral"):
        tensorpad.pad(np.eye(2), [])


def test_values_of_other_types_are_what_numpy_makes_of_them():
    for dtype in ("i1", "u4", "f2", "f4", "f8", "D", "?", "M8[s]", "S2", "U2", "O"):
        array = np.zeros(2, dtype)
        for value in (
            0,
            1,
            -1,
            300,
            1.5,
            -0.0,
            float("nan"),
            np.float32(0.1),
            np.int8(-3),
            True,
            "ab",
            b"cd",
            None,
            1e300,
            2**40,
            np.array([[3]]),
            1 + 2j,
        ):
            with np.errstate(all="ignore"):
                import warnings

                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        expected = np.pad(array, 1, constant_values=value)
                    except Exception as error:
                        with pytest.raises(type(error)):
                            tensorpad.pad(array, 1, constant_values=value)
                        continue
                    found = tensorpad.pad(array, 1, constant_values=value)
            assert found.dtype == expected.dtype, (dtype, value)
            assert repr(found.tolist()) == repr(expected.tolist()), (dtype, value)


def test_constants_of_float16():
    """Those that it holds exactly, and others, are what NumPy makes of them."""
    array = np.zeros(2, "f2")
    steps = [2.0**k for k in range(-26, 18)]
    for one in steps:
        for value in (one, -one, 1.5 * one, one * (1 + 2.0**-10), one * (1 + 2.0**-11), one * 2047):
            with np.errstate(over="ignore"):
                expected = np.pad(array, 1, constant_values=value)
                found = tensorpad.pad(array, 1, constant_values=value)
            assert found.tobytes() == expected.tobytes(), value
    for value in (65504, 65519, -65504, 2049, 0, -0.0, float("inf"), float("nan"), 7):
        expected = np.pad(array, 1, constant_values=value)
        assert tensorpad.pad(array, 1, constant_values=value).tobytes() == expected.tobytes(), value


# ---- out= ----------------------------------------------------------------------------------------


def test_out():
    array = np.arange(6.0).reshape(2, 3)
    expected = np.pad(array, 1, "symmetric")
    for out in (
        np.empty((4, 5)),
        np.empty((5, 4)).T,
        np.empty((8, 5))[::-2],
        np.empty((4, 10))[:, 1::2],
    ):
        assert tensorpad.pad(array, 1, "symmetric", out=out) is out
        assert np.array_equal(out, expected)
    buffer = bytearray(4 * 5 * 8)
    view = memoryview(buffer).cast("d", (4, 5))
    assert tensorpad.pad(array, 1, "symmetric", out=view) is view
    assert np.array_equal(np.frombuffer(buffer).reshape(4, 5), expected)


@pytest.mark.parametrize("mode", MODES)
def test_out_that_overlaps_the_input_is_right(mode):
    for start in range(8):
        whole = np.arange(20)
        expected = np.pad(whole[3:9].copy(), 2, mode)
        out = whole[start : start + 10]
        tensorpad.pad(whole[3:9], 2, mode, out=out)
        assert np.array_equal(out, expected), start
    whole = np.arange(20, dtype=object)
    tensorpad.pad(whole[3:9], 2, mode, out=whole[2:12])
    assert np.array_equal(whole[2:12], np.pad(np.arange(3, 9), 2, mode))
    whole = np.arange(20)
    tensorpad.pad(whole[3:9], 2, out=whole[2:12], constant_values=(7, 8))
    assert whole[2:12].tolist() == [7, 7, 3, 4, 5, 6, 7, 8, 8, 8]


# ---- unpad, pad_shape, pad_border ----------------------------------------------------------------


def test_pad_shape():
    assert tensorpad.pad_shape((2, 3), 1) == (4, 5)
    assert tensorpad.pad_shape((10**12, 3), ((0, 0), (-1, 2)), interior=(1, 0)) == (
        2 * 10**12 - 1,
        4,
    )
    assert tensorpad.pad_shape([], 1) == ()
    assert tensorpad.pad_shape((2, 3), (1, 2), axes=-1) == (2, 6)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("interior", [0, 2])
@pytest.mark.parametrize("dtype", ["f4", "O", "M8[s]"])
def test_unpad_and_pad_border(mode, interior, dtype):
    array = np.arange(1, 13).reshape(3, 4).astype("i8").astype(dtype)
    widths = ((1, 2), (3, 0))
    value = array[1, 1] if dtype != "O" else 99
    padded = tensorpad.pad(
        array,
        widths,
        mode,
        interior=interior,
        **({"constant_values": value} if mode == "constant" or interior else {}),
    )
    inside = tensorpad.unpad(padded, widths, interior=interior)
    assert np.array_equal(inside, array) and np.shares_memory(inside, padded)
    out = np.empty(padded.shape[::-1], dtype).T
    tensorpad.unpad(out, widths, interior=interior)[...] = array
    assert tensorpad.pad_border(out, widths, mode, interior=interior, constant_values=value) is out
    assert np.array_equal(out, padded)


def test_unpad_of_nothing():
    assert tensorpad.unpad(np.empty((2, 0)), {0: 1}).shape == (0, 0)
    assert tensorpad.unpad(np.float32(3), 1) == 3


def test_the_oracle_agrees_with_numpy():
    array = np.arange(12).reshape(3, 4)
    for mode in MODES:
        for amount in (0, 1, 5, 11):
            assert np.array_equal(
                oracle.pad(array, [(amount, 2), (1, amount)], [mode] * 2),
                np.pad(array, ((amount, 2), (1, amount)), mode),
            )


def test_signatures():
    """Calls have the signatures that Python shows; errors are those of functions in Python."""
    numpys = inspect.signature(tensorpad._numpy.pad).parameters
    shown = inspect.signature(tensorpad.pad).parameters
    assert set(numpys) == set(shown) - {"constant_values"}
    assert tensorpad.pad.__doc__ and tensorpad.pad.__module__ == "tensorpad"
    for module, name, required, positional in (
        (tensorpad, "pad", 2, 3),
        (tensorpad, "pad_shape", 2, 3),
        (tensorpad, "pad_border", 2, 3),
        (tensorpad, "unpad", 2, 2),
        (tensorpad, "pad_adjoint", 3, 4),
        (tensorpad, "pad_packed", 4, 5),
        (tensorpad.onnx, "pad", 2, 5),
        (tensorpad.onnx, "pad_packed", 4, 7),
        (tensorpad.openvino, "pad", 3, 5),
        (tensorpad.openvino, "pad_packed", 5, 7),
        (tensorpad.ngraph, "pad", 4, 6),
        (tensorpad.mli, "padding2d", 1, 1),
    ):
        function = getattr(module, name)
        parameters = inspect.signature(function).parameters
        assert pickle.loads(pickle.dumps(function)) is function
        # A function of Python with this signature says what the errors are.
        text = str(inspect.signature(function))
        names = {}
        exec(f"def {name}{text}: pass", names)
        bare = [word for word, one in parameters.items() if one.default is one.empty]
        calls = [
            ((None,) * (positional + 1), {}),
            ((None,) * positional, {"nonsense": 1}),
            ((None,) * required, {next(iter(parameters)): 1}),
            ((), {}),
            ((None,) * (required - 1), {}),
            ((), {word: None for word in bare[1:]}),
        ]
        for args, kwargs in calls:
            if "kwargs" in parameters and "nonsense" in kwargs:
                continue
            with pytest.raises(TypeError) as expected:
                names[name](*args, **kwargs)
            with pytest.raises(TypeError) as found:
                function(*args, **kwargs)
            assert str(found.value) == str(expected.value)
        # Every parameter is known by its name.
        with pytest.raises((TypeError, ValueError)) as found:
            function(**{word: inspect for word in parameters if word != "kwargs"})
        assert "unexpected" not in str(found.value) and "missing" not in str(found.value)
