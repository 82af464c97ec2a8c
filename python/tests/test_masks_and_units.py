"""What carries more than numbers, in every function: docs/python-reference.md has the table ("Arrays").

Expected values are NumPy's, for the numbers and for the mask, and those of the packages that have units.
"""

import importlib
import inspect
import sys

import fake_torch
import numpy as np
import pytest
import tensorpad
from calls import ARRAYS, CONSTANTS, MODES_OF, OUTS, PADDED, PADS, SHAPE, WIDTHS, WRITES, outcome

CALLS = [(name, mode) for name in PADS for mode in MODES_OF[name]]
# Every public function is in a table, or has a test here, or takes no arrays.
CANNOT = {"run_model"}
TESTED = {name.partition(",")[0] for name in (*PADS, *WRITES)} | {"unpad", "unpad_batch", "show"}
# In test_pack_and_sample.py.
TESTED |= {"pack_batch", "unpack_batch", "block_mask", "pad_sample", "unpad_sample"}
NO_ARRAYS = {"PadNode", "SpecError", "check_model", "explain", "inspect_model", "lower_model"}
NO_ARRAYS |= {"pad_shape", "set_threads", "thread_count", "window_widths"}


def test_all_public_functions_are_in_the_table():
    public = {name for name in tensorpad.__all__ if not inspect.ismodule(getattr(tensorpad, name))}
    for name in ("mli", "ngraph", "onnx", "openvino"):
        public |= {f"{name}.{function}" for function in getattr(tensorpad, name).__all__}
    assert public | {"Plan.box"} == TESTED | CANNOT | NO_ARRAYS


@pytest.mark.parametrize("name", WRITES)
def test_autograd_learns_of_writes(monkeypatch, name):
    """torch counts writes, and refuses to compute a gradient from what was overwritten."""
    try:
        import torch
    except ImportError:
        torch = fake_torch.module(from_numpy=fake_torch.Tensor)
        monkeypatch.setitem(sys.modules, "torch", torch)
    shape, dtype = OUTS.get(name, (PADDED, "f4"))
    given = np.ones(SHAPE, dtype if "packed" not in name else "f4")
    refused, out = torch.from_numpy(np.zeros(1)), torch.from_numpy(np.zeros(shape, dtype))
    with pytest.raises((TypeError, ValueError)):
        WRITES[name](given, "constant", out=refused)
    WRITES[name](given, "constant", out=out)
    assert refused._version == 0 < out._version


# ---- The kinds -----------------------------------------------------------------------------------


def of(module, name, *words, **more):
    """A type or function of a package, which may be missing, with these arguments."""
    return getattr(pytest.importorskip(module), name)(*words, **more)


REGISTRY = []  # pint's units are comparable only within one


class OfNumpy:
    masks = True
    make = staticmethod(lambda numbers, mask: np.ma.masked_array(numbers, mask, fill_value=77))
    numbers = staticmethod(np.ma.getdata)
    mask = staticmethod(np.ma.getmaskarray)
    unit = staticmethod(lambda thing: thing.fill_value)


class OfAstropy:
    masks = False
    numbers = staticmethod(lambda thing: thing.value)
    unit = staticmethod(lambda thing: str(thing.unit))

    @staticmethod
    def make(numbers, mask, unit="km"):
        return of("astropy.units", "Quantity", numbers, unit, dtype=numbers.dtype)


class AngleOfAstropy(OfAstropy):
    """A subclass whose elements would change if it were made anew without its own angle."""

    unit = staticmethod(lambda thing: (str(thing.unit), str(thing.wrap_angle)))

    @staticmethod
    def make(numbers, mask):
        words = {"wrap_angle": "180d", "dtype": numbers.dtype}
        return of("astropy.coordinates", "Longitude", numbers - 6, "deg", **words)


class MaskedOfAstropy(OfAstropy):
    masks = True
    numbers = staticmethod(lambda thing: thing.unmasked.value)
    mask = staticmethod(lambda thing: thing.mask)

    @staticmethod
    def make(numbers, mask):
        return of("astropy.utils.masked", "Masked", OfAstropy.make(numbers, mask), mask=mask)


class OfPint:
    masks = False
    numbers = staticmethod(lambda thing: thing.magnitude)
    unit = staticmethod(lambda thing: str(thing.units))

    @staticmethod
    def make(numbers, mask, unit="km"):
        REGISTRY[:] = REGISTRY or [of("pint", "UnitRegistry")]
        return REGISTRY[0].Quantity(numbers, unit)


class MaskedOfPint(OfPint):
    masks = True
    make = staticmethod(lambda numbers, mask: OfPint.make(OfNumpy.make(numbers, mask), mask))
    numbers = staticmethod(lambda thing: np.ma.getdata(thing.magnitude))
    mask = staticmethod(lambda thing: np.ma.getmaskarray(thing.magnitude))


KINDS = [OfNumpy, OfAstropy, AngleOfAstropy, MaskedOfAstropy, OfPint, MaskedOfPint]
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
each_unit = pytest.mark.parametrize("kind", [OfAstropy, OfPint], ids=lambda kind: kind.__name__)


def parts(shape=SHAPE, dtype="i2"):
    random = np.random.default_rng(7)
    return random.integers(1, 100, shape).astype(dtype), random.random(shape) < 0.5


def made(kind, shape=SHAPE, dtype="f4"):
    """A thing of the kind, its numbers and its mask."""
    numbers, mask = parts(shape, dtype)
    thing = kind.make(numbers, mask)
    return thing, np.array(kind.numbers(thing)), mask


def check(kind, found, like, numbers, mask):
    assert type(found) is type(like) and kind.numbers(found).dtype == numbers.dtype
    assert np.array_equal(kind.numbers(found), numbers) and kind.unit(found) == kind.unit(like)
    assert not kind.masks or np.array_equal(kind.mask(found), mask)


def padded(numbers, mask, mode):
    hidden = {"constant_values": True} if mode == "constant" else {}
    return np.pad(numbers, WIDTHS, mode), np.pad(mask, WIDTHS, mode, **hidden)


# ---- Kept ----------------------------------------------------------------------------------------


@each_kind
@pytest.mark.parametrize("name, mode", CALLS)
def test_masks_and_units_are_padded_by_the_same_mode(kind, name, mode):
    dtype = "i2" if name == "mli.padding2d" else "f4"
    if kind is AngleOfAstropy and dtype == "i2":
        return  # an angle is a float
    thing, numbers, mask = made(kind, dtype=dtype)
    found = PADS[name](thing, mode)
    if kind is OfNumpy and name in ("pad_batch", "pad_batch_dict"):
        found.fill_value = 77  # indexing may lose it
    check(kind, found, thing, *padded(numbers, mask, mode))
    assert np.array_equal(kind.numbers(thing), numbers)


@each_kind
@pytest.mark.parametrize("mode", ["constant", "edge"])
@pytest.mark.parametrize(
    "name", ["pad", "pad_to", "Plan", "Plan.box", "onnx.pad", "openvino.pad", "ngraph.pad"]
)
def test_out_is_of_the_kind_of_the_input(kind, name, mode):
    thing, numbers, mask = made(kind)
    out, _, _ = made(kind, PADDED)
    assert PADS[name](thing, mode, out=out) is out
    check(kind, out, thing, *padded(numbers, mask, mode))
    kept = np.zeros(PADDED, "f4")
    for given, into in ((thing, kept), (numbers, out)):
        with pytest.raises(TypeError, match=f"^out .*{type(out).__name__}"):
            PADS[name](given, mode, out=into)
    assert not kept.any()
    check(kind, out, thing, *padded(numbers, mask, mode))


@each_kind
@pytest.mark.parametrize("mode", ["constant", "edge", "wrap"])
def test_pad_border_writes_the_border_of_all(kind, mode):
    whole, numbers, mask = made(kind, PADDED)
    inside = (slice(1, 4), slice(2, 6))
    expected = padded(numbers[inside], mask[inside], mode)
    assert tensorpad.pad_border(whole, WIDTHS, mode) is whole
    check(kind, whole, whole, *expected)
    assert np.array_equal(kind.numbers(tensorpad.unpad(whole, WIDTHS)), numbers[inside])


@each_kind
def test_pad_adjoint_keeps_units_and_refuses_masks(kind):
    whole, numbers, _ = made(kind, PADDED)
    call = (SHAPE, WIDTHS, "edge")
    if kind.masks:
        with pytest.raises(
            TypeError, match=r"^pad_adjoint does not add masked cells: use grad\.fi"
        ):
            tensorpad.pad_adjoint(whole, *call)
        return
    found = tensorpad.pad_adjoint(whole, *call)
    check(kind, found, whole, tensorpad.pad_adjoint(numbers, *call), None)
    out = tensorpad.unpad(whole.copy(), WIDTHS)
    assert tensorpad.pad_adjoint(whole, *call, out=out) is out
    assert np.array_equal(kind.numbers(out), kind.numbers(found))
    with pytest.raises(TypeError, match="^out has to be of type "):
        tensorpad.pad_adjoint(whole, *call, out=kind.numbers(out))


@each_kind
def test_views_and_boxes(kind):
    whole, numbers, mask = made(kind, PADDED)
    views = tensorpad.unpad_batch(whole[None], [SHAPE], align=(1, 2))
    for found in (tensorpad.unpad(whole, WIDTHS), *views):
        check(kind, found, whole, numbers[1:4, 2:6], mask[1:4, 2:6])
        assert np.shares_memory(kind.numbers(found), kind.numbers(whole))
    given, numbers, mask = made(kind)
    plan = tensorpad.Plan(SHAPE, WIDTHS, "edge", dtype="f4")
    found = plan.box(given[:2], (0, 2), (2, 3), in_first=(0, 0))
    check(kind, found, given, *(all_[:2, 2:5] for all_ in padded(numbers, mask, "edge")))


@each_kind
def test_masks_and_lengths_of_batches_keep_their_meaning(kind):
    numbers, mask = parts((5,), "f4")
    items = [kind.make(numbers[:n], mask[:n]) for n in (2, 5, 3)]
    batch, cells, lengths = tensorpad.pad_batch(items, mask=True, lengths=True)
    expected = tensorpad.pad_batch([kind.numbers(item) for item in items])
    hidden = tensorpad.pad_batch([mask[:n] for n in (2, 5, 3)], constant_values=True)
    if kind is OfNumpy:
        batch.fill_value = 77
    check(kind, batch, items[0], expected, hidden)
    assert type(cells) is np.ndarray and type(lengths) is np.ndarray
    assert np.array_equal(cells, np.arange(5) < lengths[:, None]) and lengths.tolist() == [2, 5, 3]
    out = kind.make(np.zeros((3, 5), "f4"), np.zeros((3, 5), bool))
    assert tensorpad.pad_batch(items, out=out, dtype="f4") is out
    check(kind, out, items[0], expected, hidden)


# ---- Masks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["?", "i8", ">f4", "c8", "M8[D]", "S3", "U3", "O", "i4, (2,)f4"])
@pytest.mark.parametrize("mode", ["constant", "wrap"])
def test_masks_of_every_type(dtype, mode):
    numbers = np.zeros(SHAPE, dtype) if "," in dtype else parts()[0].astype("i8").astype(dtype)
    given = np.ma.masked_array(numbers)
    given[0, 1] = given[2] = np.ma.masked
    _, expected = padded(np.zeros(SHAPE), given.mask.copy(), mode)
    calls = {"pad", "pad_to", "pad_batch", "Plan", "onnx.pad"}
    calls -= {"pad_batch", "Plan"} if dtype == "O" else set()
    for name in calls - ({"onnx.pad"} if "," in dtype or dtype == "M8[D]" else set()):
        found = PADS[name](given, mode)
        assert found.mask.dtype == expected.dtype and np.array_equal(found.mask, expected)
        assert found.dtype == numbers.dtype
        if name != "onnx.pad" and dtype not in ("O", "S3", "U3"):
            assert found.data.tobytes() == np.pad(numbers, WIDTHS, mode).tobytes()


def test_more_of_pad_with_masks():
    numbers, mask = parts()
    given = np.ma.masked_array(numbers, mask)
    call, words = (((-1, 2), (0, 1)), "edge"), {"interior": (0, 1)}
    found = tensorpad.pad(given, *call, **words, constant_values=9)
    assert np.array_equal(found.mask, tensorpad.pad(mask, *call, **words, constant_values=True))
    assert found.data[0, 1] == 9
    found, amounts = tensorpad.pad_to(given, (4, 4), return_amounts=True)
    assert amounts == ((0, 1), (0, 0)) and found.mask[3].all()
    assert tensorpad.pad_to(given, 5, axes=0).shape == (5, 4)
    given.harden_mask()
    assert tensorpad.pad(given, 1).hardmask
    with pytest.raises(ValueError, match="hard mask.*soften_mask"):
        tensorpad.pad_border(given, 1)
    no_mask = np.ma.masked_array(numbers)
    assert tensorpad.pad(no_mask, 1).mask.sum() == 30 - 12
    assert not tensorpad.pad(no_mask, 1, "edge").mask.any()
    assert tensorpad.pad(np.ma.masked, 1).mask.all()
    assert tensorpad.ngraph.pad(no_mask, np.ma.masked, [1, 0], [0, 0]).mask[0].all()
    with pytest.raises(tensorpad.SpecError, match="arg_pad_value: this input is required"):
        tensorpad.ngraph.pad(no_mask, None, [1, 0], [0, 0])
    deep = np.ma.masked_array(numbers.reshape((1,) * 18 + SHAPE), mask.reshape((1,) * 18 + SHAPE))
    found = tensorpad.pad(deep, {-1: 1}, "wrap")
    assert np.array_equal(found.mask, np.pad(deep.mask, {-1: 1}, "wrap"))
    colours = {"constant_values": [7, 8, 9, 6], "constant_axis": 1}
    found = tensorpad.pad(given, {0: 1}, **colours)
    assert found.mask[0].all() and found.data[0].tolist() == [7, 8, 9, 6]
    assert tensorpad.pad_to(given, {0: 5}, **colours).data[0].tolist() == [7, 8, 9, 6]


def test_batches_of_masked_arrays_and_others(monkeypatch):
    masked = np.ma.masked_array([1, 2], [True, False])
    batch = tensorpad.pad_batch([masked, [3, 4, 5], np.array([6]), []])
    assert batch.mask.tolist() == [[1, 0, 1], [0, 0, 0], [0, 1, 1], [1, 1, 1]]
    assert batch.data.tolist() == [[1, 2, 0], [3, 4, 5], [6, 0, 0], [0, 0, 0]]
    rows = np.ma.masked_array([[1, 2]], [[False, True]])
    batch = tensorpad.pad_batch([[[1], [2, 3, 4]], rows])
    assert batch.mask.tolist() == [[[0, 1, 1], [0, 0, 0]], [[0, 1, 1], [1, 1, 1]]]
    monkeypatch.setitem(sys.modules, "torch", fake_torch.module())
    tensor = fake_torch.Tensor(masked.data)
    for items in ([masked, tensor], [tensor, masked]):
        with pytest.raises(
            TypeError, match="^a batch of tensors, and items with a mask: tensors h"
        ):
            tensorpad.pad_batch(items)


@pytest.mark.parametrize("mode", ["mean", "linear_ramp", "empty", "odd", lambda *_: None])
def test_modes_that_compute_do_not_see_what_is_masked(mode):
    given = np.ma.masked_array([1.0, 2], [True, False])
    words = {"mode": "reflect", "reflect_type": "odd"} if mode == "odd" else {"mode": mode}
    calls = [lambda: tensorpad.pad(given, 1, **words), lambda: tensorpad.pad_to(given, 4, **words)]
    for call in calls[: 1 if mode == "odd" else 2]:
        with pytest.raises(TypeError, match=r"modes constant, edge, .*x\.filled\(\)"):
            call()


# ---- Units ---------------------------------------------------------------------------------------


def random_constants(random, kind):
    """A constant, one for each side, or one for each axis and side: some in metres, some 0."""

    def one():
        number = int(random.integers(0, 3))
        return kind.make(np.float64(number * 500), None, "m") if number else 0

    pair = lambda: (one(), one())
    return [one, pair, lambda: (pair(), pair())][int(random.integers(3))]()


@each_unit
def test_constants_with_units_are_converted_as_the_package_does(kind):
    random = np.random.default_rng(3)
    for _ in range(60):
        dtype = random.choice(["f4", "f8"])
        given = kind.make(random.integers(0, 9, random.integers(1, 5, 2)).astype(dtype), None)
        widths = random.integers(0, 3, (2, 2)).tolist()
        mode = str(random.choice(["constant", "constant", "edge", "wrap", "mean", "linear_ramp"]))
        more = {"constant": "constant_values", "linear_ramp": "end_values"}
        more = {more[mode]: random_constants(random, kind)} if mode in more else {}
        expected = np.pad(given, widths, mode, **more)
        check(
            kind,
            tensorpad.pad(given, widths, mode, **more),
            expected,
            kind.numbers(expected),
            None,
        )


TAKES_CONSTANTS = CONSTANTS | {
    "pad": lambda x, constant: tensorpad.pad(x, 1, constant_values=constant)[:1],
    "onnx, opset 9": lambda x, constant: tensorpad.onnx.pad(x, [1, 1], constant, opset=9)[:1],
    "ngraph, named": lambda x, constant: tensorpad.ngraph.pad(
        x, padding_below=[1], padding_above=[1], arg_pad_value=constant
    )[:1],
}


@each_unit
@pytest.mark.parametrize("name", TAKES_CONSTANTS)
def test_a_constant_without_a_unit_is_zero(kind, name):
    given = kind.make(np.arange(2, dtype="f4"), None)
    theirs = outcome(np.pad, given, 1, constant_values=5)
    if name == "Plan":
        plan = tensorpad.Plan((2,), 1, dtype="f4", constant_values=5)
        assert type(outcome(plan, given)) is type(theirs)
        return
    call = TAKES_CONSTANTS[name]
    metres = kind.make(np.float64(1500), None, "m")
    assert kind.numbers(call(given, 0)) == 0 and kind.numbers(call(given, metres)) == 1.5
    ours = outcome(call, given, 5)
    assert type(ours) is type(theirs)
    text = str(ours).removeprefix("key 'k': ")
    assert text == str(theirs)


@each_kind
@pytest.mark.parametrize("name", sorted(TAKES_CONSTANTS.keys() - {"onnx, opset 9"}))
def test_constants_for_arrays_without_a_mask_and_units(kind, name):
    constant = kind.make(np.array(2, "f4"), np.array(False))
    sentence = "^(key 'k': )?the constant is of type .*and the array has no (mask|unit)"
    with pytest.raises(TypeError, match=sentence):
        TAKES_CONSTANTS[name](np.zeros(2, "f4"), constant)


@each_unit
def test_batches_in_one_unit(kind):
    kilometres, metres = kind.make(np.ones(2), None), kind.make(np.ones(3), None, "m")
    for items, sentence in (
        ([kilometres, metres], r"^item 1 has the unit m(eter)?, item 0 has k.*: make them alike$"),
        ([[1.0, 2.0], metres], r"^item 0 has no unit, item 1 has m.*: make them alike$"),
    ):
        with pytest.raises(TypeError, match=sentence):
            tensorpad.pad_batch(items)
    with pytest.raises(TypeError, match="^out is in m(eter)?, the array in k"):
        tensorpad.pad(kilometres, (0, 1), out=metres)
    for out in (np.zeros(3), np.ma.zeros(3)):
        sentence = rf"^out has to be of type \w+ in k.*, as the input is, got {type(out).__name__}$"
        with pytest.raises(TypeError, match=sentence):
            tensorpad.pad(kilometres, (0, 1), out=out)


def test_pictures_show_masks_and_units():
    drawn = str(tensorpad.show(np.ma.masked_array([1, 2], [True, False]), 1))
    assert "--" in drawn and "1" not in drawn.partition("input")[2].splitlines()[1]
    assert "1.0 km" in str(tensorpad.show(OfAstropy.make(np.ones(2), None), 1))


# ---- Refused -------------------------------------------------------------------------------------


class OwnPad(np.ndarray):
    def __array_function__(self, function, types, args, kwargs):
        return "its own pad", function.__name__, args[1:], kwargs


NO_LABELS, LOADED = (
    r" of pandas: .*x\.to_numpy\(\)",
    r"Array of {}: only tensorpad\.{} .*{} loads it$",
)
# What makes it, the sentence, and the functions that take it.
OWN = {"pad array", "pad array, computed", "pad_to x"}
REFUSED = {
    "zarr": (
        lambda x: of("zarr", "array", x),
        LOADED.format("zarr", "zarr.pad", r"x\[\.\.\.\]"),
        (),
    ),
    "dask": (
        lambda x: of("dask.array", "from_array", x),
        LOADED.format("dask", "pad, .*tensorpad.dask", r"x\.compute\(\)"),
        OWN,
    ),
    "Series": (lambda x: of("pandas", "Series", x[0]), "Series" + NO_LABELS, ()),
    "DataFrame": (lambda x: of("pandas", "DataFrame", x), "DataFrame" + NO_LABELS, ()),
    "category": (
        lambda x: of("pandas", "Series", ["a", "b"], dtype="category"),
        "Series" + NO_LABELS,
        (),
    ),
    "coo": (
        lambda x: of("scipy.sparse", "coo_array", x),
        r"coo_array of scipy\.sparse: .*x\.toarray\(\)",
        (),
    ),
    "csr": (
        lambda x: of("scipy.sparse", "csr_matrix", x),
        r"csr_matrix of scipy\.sparse: .*x\.toarr",
        (),
    ),
    "BCOO": (
        lambda x: pytest.importorskip("jax.experimental.sparse").BCOO.fromdense(x),
        r"BCOO of jax\.experimental\.sparse: .*x\.todense\(\)",
        (),
    ),
    "DataArray": (
        lambda x: of("xarray", "DataArray", x),
        r"DataArray of xarray: .*x\.tensorpad\.pad",
        (),
    ),
    "its own pad": (lambda x: x.view(OwnPad), "OwnPad pads in a way of its own", OWN),
    "masked bytes": (
        lambda x: np.ma.masked_array(x.astype("u1")),
        r"MaskedArray: only tensorpad\.pad, pad_to",
        {name for name in ARRAYS if "packed" not in name},
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_kept_is_refused_in_one_sentence(kind):
    make, sentence, kept = REFUSED[kind]
    given = make(np.ones(SHAPE, "f4"))
    for name in ARRAYS.keys() - kept:
        with pytest.raises(TypeError, match="^" + sentence) as found:
            ARRAYS[name](given)
        assert "\n" not in str(found.value) and len(str(found.value)) < 250
    if kind != "masked bytes":
        for call in (
            lambda: tensorpad.pad_batch([given]),
            lambda: tensorpad.pad_batch_dict({"key": [given]}),
        ):
            with pytest.raises(TypeError, match="item 0: " + sentence):
                call()


def test_types_that_pad_in_their_own_way_keep_doing_so():
    given = np.zeros((2, 3)).view(OwnPad)
    own = ("its own pad", "pad", (1, "edge"), {})
    assert tensorpad.pad(given, 1, "edge") == np.pad(given, 1, "edge") == own
    assert tensorpad.pad(given, 1, constant_values=2)[3] == {"constant_values": 2}
    amounts = ((1, 1), (0, 1))
    own = ("its own pad", "pad", (amounts, "constant"), {"constant_values": 2})
    found = tensorpad.pad_to(given, 4, constant_values=2, return_amounts=True)
    assert found == (own, amounts)
    for more in (
        {"interior": 1},
        {"order": "crop"},
        {"axes": 1},
        {"out": np.zeros((4, 5))},
        {"constant_values": [1] * 5, "constant_axis": 1},
    ):
        with pytest.raises(TypeError, match="OwnPad pads in a way of its own"):
            tensorpad.pad(given, 1, **more)
    for more in ({"axes": 1}, {"out": np.zeros((4, 4))}):
        with pytest.raises(TypeError, match="OwnPad pads in a way of its own"):
            tensorpad.pad_to(given, 4, **more)


@each_kind
def test_a_list_of_what_carries_more_is_refused(kind):
    """numpy.asarray would show what is masked; pad_batch takes such a list."""
    one = made(kind, (3,))[0]
    for listed in ([one, one], (one, one), [[one], [one]]):
        for name in ("pad array", "pad_to x", "onnx.pad data", "show"):
            with pytest.raises(TypeError, match=f"^a list of {type(one).__name__}: only "):
                ARRAYS[name](listed)


def test_lists_of_numbers_and_lists_of_themselves():
    assert tensorpad.pad([[1, 2], [3, 4]], 1).shape == (4, 4)
    loop = []
    loop.append(loop)
    with pytest.raises((ValueError, TypeError)):
        tensorpad.pad(loop, 1)


@each_kind
def test_functions_that_cannot_keep_masks_and_units_say_which_can(kind):
    onnx = pytest.importorskip("onnx")
    port = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, (2,))
    pads = onnx.helper.make_node("Constant", [], ["p"], value_ints=[1, 1])
    out = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, (4,))
    nodes = [pads, onnx.helper.make_node("Pad", ["x", "p"], ["y"])]
    model = onnx.helper.make_model(onnx.helper.make_graph(nodes, "g", [port], [out]))
    given = kind.make(np.ones(2, "f4"), np.zeros(2, bool))
    sentence = r": only tensorpad\.pad, pad_to, .* keep its (mask|unit); x\.\w+(\(\))? has none$"
    packed = [call for name, call in ARRAYS.items() if "packed" in name]
    for call in (lambda x: tensorpad.run_model(model.SerializeToString(), x), *packed):
        with pytest.raises(TypeError, match=sentence):
            call(given)


# ---- Devices -------------------------------------------------------------------------------------


def test_arrays_of_jax_become_numpys():
    jax = pytest.importorskip("jax")
    given = jax.numpy.ones(SHAPE)
    for name, mode in CALLS:
        if name != "mli.padding2d":
            assert type(PADS[name](given, mode)) is np.ndarray
    given.delete()
    for call in (*(ARRAYS[name] for name in ("pad array", "onnx.pad data", "unpad array")),
                 lambda x: tensorpad.pad_batch([x])):  # fmt: skip
        with pytest.raises(ValueError, match="of jax was deleted: "):
            call(given)
    with pytest.raises(TypeError, match=r"inside of jax\.jit; use jax\.numpy\.pad"):
        jax.jit(lambda x: tensorpad.pad(x, 1))(np.ones(3))


@pytest.mark.parametrize(
    "module, way_out",
    [
        ("cupy", r"copy it there first with cupy\.asnumpy\(x\)$"),
        ("jaxlib._jax", r"copy it there first with jax\.device_get\(x\)$"),
        ("other", "copy it there first$"),
    ],
)
@pytest.mark.parametrize("name", ["pad array", "ngraph.pad arg", "pad out"])
def test_arrays_on_a_device_say_what_copies_them(module, way_out, name):
    there = {"__module__": module, "__dlpack_device__": lambda self: (2, 1)}
    with pytest.raises(
        TypeError, match="^the ndarray is on device 2:1 of DLPack, not .*" + way_out
    ):
        ARRAYS[name](type("ndarray", (), there)())


# ---- Tensors -------------------------------------------------------------------------------------


class Odd(fake_torch.Tensor):
    """A tensor that torch does not show to NumPy."""

    def numpy(self):
        raise RuntimeError("Internal error: please report a bug")


@pytest.mark.parametrize(
    "attribute, sentence",
    [
        ("is_nested", r"the tensor is nested: tensorpad\.pad_batch\(x\.unbind\(\)\)"),
        ("is_quantized", r"the tensor is quantized: pad x\.int_repr\(\) or x\.dequantize\(\)$"),
        ("other", "the Odd holds more than one tensor of numbers: "),
    ],
)
def test_tensors_that_are_more_than_numbers(monkeypatch, attribute, sentence):
    monkeypatch.setitem(sys.modules, "torch", fake_torch.module())
    given = Odd(np.ones(SHAPE, "f4"))
    setattr(given, attribute, True)
    views = set() if attribute == "is_nested" else {"unpad array", "unpad_batch batch"}
    for name in ARRAYS.keys() - views:  # what is quantized can be sliced
        with pytest.raises(TypeError, match=sentence):
            ARRAYS[name](given)
    with pytest.raises(TypeError, match="item 0: " + sentence):
        tensorpad.pad_batch([given])


def test_tensors_of_torch_that_are_more_than_numbers():
    torch = pytest.importorskip("torch")
    nested = [
        torch.nested.nested_tensor([torch.arange(3.0), torch.arange(2.0)], layout=layout)
        for layout in (torch.strided, torch.jagged)
    ]
    quantized = torch.quantize_per_tensor(torch.arange(4.0), 0.5, 1, torch.qint8)
    masked = torch.masked.masked_tensor(torch.arange(2.0), torch.tensor([True, False]))
    for given, sentence in (
        (nested[0], "nested"),
        (nested[1], "nested"),
        (quantized, "quantized"),
        (torch.zeros(3).to_sparse(), "sparse"),
        (masked, "MaskedTensor holds more than one tensor|Multiple dispatch failed"),
    ):
        for call in (
            lambda x: tensorpad.pad(x, 1),
            lambda x: tensorpad.torch.pad(x, 1),
            lambda x: tensorpad.pad_batch([x]),
            lambda x: tensorpad.pad_batch([torch.zeros(1, dtype=torch.int8), x]),
            lambda x: tensorpad.onnx.pad(x, [1, 1]),
        ):
            with pytest.raises(TypeError, match=sentence) as found:
                call(given)
            assert given is masked or "\n" not in str(found.value)
    for given in nested:
        with pytest.raises(TypeError, match="nested"):
            tensorpad.unpad(given, 1)
    assert tensorpad.unpad(quantized, 1).is_quantized
    with pytest.raises(TypeError, match="a batch of tensors, and items with a mask"):
        tensorpad.pad_batch([np.ma.masked_array([1.0])], dtype=torch.float32)
    collate = importlib.import_module("tensorpad.torch").collate()
    with pytest.raises(TypeError, match=r"only tensorpad\.pad, .*keep its mask"):
        collate([np.ma.masked_array([1.0])])
