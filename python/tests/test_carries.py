"""What carries more than numbers, in every function: docs/python-reference.md has the table ("Arrays").

Expected values are NumPy's, for the numbers and for the mask, and those of the packages that have units.
"""

import inspect
import sys

import fake_torch
import numpy as np
import pytest
import tensorpad

WIDTHS = ((1, 2), (2, 1))
SHAPE = (3, 4)
PADDED = (6, 7)
WORDS = {"edge": "EDGE", "reflect": "REFLECT", "symmetric": "SYMMETRIC", "constant": "CONSTANT"}

# Each pads an array of SHAPE to PADDED. The arguments are the array, the mode and other keywords.
PADS = {
    "pad": lambda x, mode, **more: tensorpad.pad(x, WIDTHS, mode, **more),
    "pad, axes": lambda x, mode, **more: tensorpad.pad(
        tensorpad.pad(x, (1, 2), mode, axes=0), {1: (2, 1)}, mode, **more
    ),
    "pad_to": lambda x, mode, **more: tensorpad.pad_to(x, PADDED, align=(1, 2), mode=mode, **more),
    "pad_batch": lambda x, mode, **more: tensorpad.pad_batch(
        iter([x[:2], x]), shape=PADDED, align=(1, 2), mode=mode, **more
    )[1],
    "pad_batch_dict": lambda x, mode, **more: tensorpad.pad_batch_dict(
        [{"key": x}], shape=PADDED, align=(1, 2), mode=mode, **more
    )["key"][0],
    "Plan": lambda x, mode, **more: tensorpad.Plan(SHAPE, WIDTHS, mode, dtype=x.dtype)(x, **more),
    "Plan.box": lambda x, mode, **more: tensorpad.Plan(SHAPE, WIDTHS, mode, dtype=x.dtype).box(
        x, (0, 0), PADDED, **more
    ),
    "onnx.pad": lambda x, mode, **more: tensorpad.onnx.pad(x, [1, 2, 2, 1], mode=mode, **more),
    "openvino.pad": lambda x, mode, **more: tensorpad.openvino.pad(
        x, [1, 2], [2, 1], pad_mode=mode, **more
    ),
    "ngraph.pad": lambda x, mode, **more: tensorpad.ngraph.pad(
        x, 0, [1, 2], [2, 1], pad_mode=WORDS[mode], **more
    ),
    "mli.padding2d": lambda x, mode, **more: tensorpad.mli.padding2d(
        x.reshape(1, *SHAPE),
        layout="chw",
        padding_top=1,
        padding_bottom=2,
        padding_left=2,
        padding_right=1,
        **more,
    ).reshape(PADDED),
}
MODES = {name: ["constant", "edge", "reflect", "symmetric", "wrap"] for name in PADS}
MODES["onnx.pad"] = ["constant", "edge", "reflect", "wrap"]
MODES["openvino.pad"] = MODES["ngraph.pad"] = ["constant", "edge", "reflect", "symmetric"]
MODES["mli.padding2d"] = ["constant"]
CALLS = [(name, mode) for name in PADS for mode in MODES[name]]

# Every public function has a line of a test here, or does not take arrays.
TESTED = {
    *(name.partition(",")[0] for name in PADS),
    "unpad",
    "unpad_batch",
    "pad_border",
    "show",
    "pad_adjoint",
}
CANNOT = {"pad_packed", "onnx.pad_packed", "openvino.pad_packed", "run_model"}
NO_ARRAYS = {
    "PadNode",
    "SpecError",
    "check_model",
    "explain",
    "inspect_model",
    "lower_model",
    "pad_shape",
    "set_threads",
    "thread_count",
}


def test_all_public_functions_are_in_the_table():
    public = {name for name in tensorpad.__all__ if not inspect.ismodule(getattr(tensorpad, name))}
    for name in ("mli", "ngraph", "onnx", "openvino"):
        public |= {f"{name}.{function}" for function in getattr(tensorpad, name).__all__}
    public |= {"Plan.box"}
    assert public == TESTED | CANNOT | NO_ARRAYS


PACKED = bytes(6), SHAPE
# Each writes into `out`, and so does each of PADS with it.
WRITES = PADS | {
    "pad, computed": lambda x, mode, **more: tensorpad.pad(x, WIDTHS, "mean", **more),
    "pad_border": lambda x, mode, out: tensorpad.pad_border(out, WIDTHS, mode),
    "pad_adjoint": lambda x, mode, **more: tensorpad.pad_adjoint(
        x, PADDED, [(-1, -2), (-2, -1)], mode, **more
    ),
    "pad_packed": lambda x, mode, **more: tensorpad.pad_packed(
        *PACKED, "int4", WIDTHS, mode, **more
    ),
    "onnx.pad_packed": lambda x, mode, **more: tensorpad.onnx.pad_packed(
        *PACKED, "int4", [1, 2, 2, 1], **more
    ),
    "openvino.pad_packed": lambda x, mode, **more: tensorpad.openvino.pad_packed(
        *PACKED, "i4", [1, 2], [2, 1], 0, mode, **more
    ),
}


@pytest.mark.parametrize("name", sorted(WRITES.keys() - {"pad_batch_dict"}))
def test_autograd_learns_of_writes(monkeypatch, name):
    """torch counts writes, and refuses to compute a gradient from what was overwritten."""
    try:
        import torch
    except ImportError:
        torch = fake_torch.module(from_numpy=fake_torch.Tensor)
        monkeypatch.setitem(sys.modules, "torch", torch)
    room = {
        "pad_batch": np.zeros((2, *PADDED), "f4"),
        "mli.padding2d": np.zeros((1, *PADDED), "i2"),
    }
    room = np.zeros(21, "u1") if "packed" in name else room.get(name, np.zeros(PADDED, "f4"))
    refused, out = torch.from_numpy(np.zeros(1)), torch.from_numpy(room)
    with pytest.raises((TypeError, ValueError)):
        WRITES[name](np.ones(SHAPE, room.dtype), "constant", out=refused)
    WRITES[name](np.ones(SHAPE, room.dtype), "constant", out=out)
    assert refused._version == 0 < out._version


# ---- The kinds -----------------------------------------------------------------------------------


class OfNumpy:
    masks = True

    @staticmethod
    def make(numbers, mask):
        return np.ma.masked_array(numbers, mask, fill_value=77)

    numbers = staticmethod(np.ma.getdata)
    mask = staticmethod(np.ma.getmaskarray)

    @staticmethod
    def unit(thing):
        return thing.fill_value


class OfAstropy:
    masks = False

    @staticmethod
    def make(numbers, mask):
        return pytest.importorskip("astropy.units").Quantity(numbers, "km", dtype=numbers.dtype)

    @staticmethod
    def numbers(thing):
        return thing.value

    @staticmethod
    def unit(thing):
        return str(thing.unit)


class AngleOfAstropy(OfAstropy):
    """A subclass whose elements would change if it were made anew without its own angle."""

    @staticmethod
    def make(numbers, mask):
        if numbers.dtype.kind != "f":
            pytest.skip("an angle is a float")
        longitude = pytest.importorskip("astropy.coordinates").Longitude
        return longitude(numbers - 6, "deg", wrap_angle="180d", dtype=numbers.dtype)

    @staticmethod
    def unit(thing):
        return str(thing.unit), str(thing.wrap_angle)


class MaskedOfAstropy(OfAstropy):
    masks = True

    @staticmethod
    def make(numbers, mask):
        masked = pytest.importorskip("astropy.utils.masked").Masked
        return masked(OfAstropy.make(numbers, mask), mask=mask)

    @staticmethod
    def numbers(thing):
        return thing.unmasked.value

    @staticmethod
    def mask(thing):
        return thing.mask


REGISTRY = []  # pint's units are comparable only within one


class OfPint:
    masks = False

    @staticmethod
    def make(numbers, mask):
        if not REGISTRY:
            REGISTRY.append(pytest.importorskip("pint").UnitRegistry())
        return REGISTRY[0].Quantity(numbers, "km")

    @staticmethod
    def numbers(thing):
        return thing.magnitude

    @staticmethod
    def unit(thing):
        return str(thing.units)


class MaskedOfPint(OfPint):
    masks = True

    @staticmethod
    def make(numbers, mask):
        return OfPint.make(OfNumpy.make(numbers, mask), mask)

    @staticmethod
    def numbers(thing):
        return np.ma.getdata(thing.magnitude)

    @staticmethod
    def mask(thing):
        return np.ma.getmaskarray(thing.magnitude)


KINDS = [OfNumpy, OfAstropy, AngleOfAstropy, MaskedOfAstropy, OfPint, MaskedOfPint]
UNITS = [OfAstropy, OfPint]
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
each_unit = pytest.mark.parametrize("kind", UNITS, ids=lambda kind: kind.__name__)
each_call = pytest.mark.parametrize("name, mode", CALLS, ids=lambda word: word)


def parts(shape=SHAPE, dtype="i2"):
    random = np.random.default_rng(7)
    return random.integers(1, 100, shape).astype(dtype), random.random(shape) < 0.5


def made(kind, name, shape=SHAPE):
    numbers, mask = parts(shape, "i2" if name == "mli.padding2d" else "f4")
    thing = kind.make(numbers, mask)
    return thing, np.array(kind.numbers(thing)), mask


def check(kind, found, like, numbers, mask):
    assert type(found) is type(like)
    assert kind.numbers(found).dtype == numbers.dtype
    assert np.array_equal(kind.numbers(found), numbers)
    assert kind.unit(found) == kind.unit(like)
    if kind.masks:
        assert np.array_equal(kind.mask(found), mask)


def padded(numbers, mask, mode):
    hidden = {"constant_values": True} if mode == "constant" else {}
    return np.pad(numbers, WIDTHS, mode), np.pad(mask, WIDTHS, mode, **hidden)


# ---- Kept ----------------------------------------------------------------------------------------


@each_kind
@each_call
def test_masks_and_units_are_padded_by_the_same_mode(kind, name, mode):
    thing, numbers, mask = made(kind, name)
    found = PADS[name](thing, mode)
    if kind is OfNumpy and name in ("pad_batch", "pad_batch_dict"):
        found.fill_value = 77  # indexing may lose it
    check(kind, found, thing, *padded(numbers, mask, mode))
    assert np.array_equal(kind.numbers(thing), numbers)


@each_kind
@pytest.mark.parametrize(
    "name", ["pad", "pad_to", "Plan", "onnx.pad", "openvino.pad", "ngraph.pad"]
)
@pytest.mark.parametrize("mode", ["constant", "edge"])
def test_out_is_of_the_kind_of_the_input(kind, name, mode):
    thing, numbers, mask = made(kind, name)
    out, _, _ = made(kind, name, PADDED)
    found = PADS[name](thing, mode, out=out)
    assert found is out
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
    whole, numbers, mask = made(kind, "pad_border", PADDED)
    inside = (slice(1, 4), slice(2, 6))
    expected = padded(numbers[inside], mask[inside], mode)
    assert tensorpad.pad_border(whole, WIDTHS, mode) is whole
    check(kind, whole, whole, *expected)
    assert np.array_equal(kind.numbers(tensorpad.unpad(whole, WIDTHS)), numbers[inside])


@each_kind
def test_pad_adjoint_keeps_units_and_refuses_masks(kind):
    whole, numbers, _ = made(kind, "pad_adjoint", PADDED)
    if kind.masks:
        with pytest.raises(
            TypeError, match=r"^pad_adjoint does not add masked cells: use grad\.filled\(0\)$"
        ):
            tensorpad.pad_adjoint(whole, SHAPE, WIDTHS, "edge")
        return
    found = tensorpad.pad_adjoint(whole, SHAPE, WIDTHS, "edge")
    assert type(found) is type(whole) and kind.unit(found) == kind.unit(whole)
    assert np.array_equal(
        kind.numbers(found), tensorpad.pad_adjoint(numbers, SHAPE, WIDTHS, "edge")
    )
    out = tensorpad.unpad(whole.copy(), WIDTHS)
    assert tensorpad.pad_adjoint(whole, SHAPE, WIDTHS, "edge", out=out) is out
    assert np.array_equal(kind.numbers(out), kind.numbers(found))
    with pytest.raises(TypeError, match="^out has to be of type "):
        tensorpad.pad_adjoint(whole, SHAPE, WIDTHS, "edge", out=kind.numbers(out))


@each_kind
def test_unpad_and_unpad_batch_return_views(kind):
    whole, numbers, mask = made(kind, "unpad", PADDED)
    for found in (
        tensorpad.unpad(whole, WIDTHS),
        tensorpad.unpad_batch(whole[None], [SHAPE], align=(1, 2))[0],
    ):
        check(kind, found, whole, numbers[1:4, 2:6], mask[1:4, 2:6])
        assert np.shares_memory(kind.numbers(found), kind.numbers(whole))


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


@each_kind
def test_boxes_of_a_part_of_the_input(kind):
    given, numbers, mask = made(kind, "Plan.box")
    plan = tensorpad.Plan(SHAPE, WIDTHS, "edge", dtype="f4")
    found = plan.box(given[:2], (0, 2), (2, 3), in_first=(0, 0))
    check(kind, found, given, *(all_[:2, 2:5] for all_ in padded(numbers, mask, "edge")))


# ---- Masks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["?", "i8", ">f4", "c8", "M8[D]", "S3", "U3", "O", "i4, (2,)f4"])
@pytest.mark.parametrize("mode", ["constant", "wrap"])
def test_masks_of_every_type(dtype, mode):
    records = "," in dtype
    numbers = np.zeros(SHAPE, dtype) if records else parts()[0].astype("i8").astype(dtype)
    given = np.ma.masked_array(numbers)
    given[0, 1] = given[2] = np.ma.masked
    mask = given.mask.copy()
    hidden = {"constant_values": True} if mode == "constant" else {}
    expected = np.pad(mask, WIDTHS, mode, **hidden)
    calls = ["pad", "pad_to", "pad_batch", "Plan", "onnx.pad"]
    for name in [name for name in calls if not (dtype == "O" and name in ("pad_batch", "Plan"))]:
        if name == "onnx.pad" and (records or dtype == "M8[D]"):
            continue
        found = PADS[name](given, mode)
        assert found.mask.dtype == expected.dtype and np.array_equal(found.mask, expected)
        assert found.dtype == numbers.dtype
        if name != "onnx.pad" and dtype not in ("O", "S3", "U3"):
            assert found.data.tobytes() == np.pad(numbers, WIDTHS, mode).tobytes()


def test_more_of_pad_with_masks():
    numbers, mask = parts()
    given = np.ma.masked_array(numbers, mask)
    found = tensorpad.pad(given, ((-1, 2), (0, 1)), "edge", interior=(0, 1), constant_values=9)
    assert np.array_equal(
        found.mask,
        tensorpad.pad(mask, ((-1, 2), (0, 1)), "edge", interior=(0, 1), constant_values=True),
    )
    assert found.data[0, 1] == 9
    found, amounts = tensorpad.pad_to(given, (4, 4), return_amounts=True)
    assert amounts == ((0, 1), (0, 0)) and found.mask[3].all()
    given.harden_mask()
    assert tensorpad.pad(given, 1).hardmask
    with pytest.raises(ValueError, match="hard mask.*soften_mask"):
        tensorpad.pad_border(given, 1)
    no_mask = np.ma.masked_array(numbers)
    assert tensorpad.pad(no_mask, 1).mask.sum() == 30 - 12
    assert not tensorpad.pad(no_mask, 1, "edge").mask.any()
    assert tensorpad.pad(np.ma.masked, 1).mask.all()
    assert tensorpad.ngraph.pad(no_mask, np.ma.masked, [1, 0], [0, 0]).mask[0].all()
    deep = np.ma.masked_array(numbers.reshape((1,) * 18 + SHAPE), mask.reshape((1,) * 18 + SHAPE))
    assert np.array_equal(
        tensorpad.pad(deep, {-1: 1}, "wrap").mask, np.pad(deep.mask, {-1: 1}, "wrap")
    )


@pytest.mark.parametrize("shape", [(0, 4), (3, 0), (0, 0)])
def test_masks_without_elements(shape):
    given = np.ma.masked_array(np.zeros(shape, "f4"))
    for widths in ((0, 0), (1, 2)):
        expected = np.pad(np.zeros(shape, bool), [widths] * 2, constant_values=True)
        for found in (
            tensorpad.pad(given, [widths] * 2),
            tensorpad.onnx.pad(given, [widths[0]] * 2 + [widths[1]] * 2),
            tensorpad.Plan(shape, [widths] * 2, dtype="f4")(given),
            tensorpad.pad_batch([given], shape=expected.shape, align=[widths[0]] * 2)[0],
        ):
            assert np.array_equal(np.ma.getmaskarray(found), expected)


def test_batches_of_masked_arrays_and_others(monkeypatch):
    masked = np.ma.masked_array([1, 2], [True, False])
    batch = tensorpad.pad_batch([masked, [3, 4, 5], np.array([6]), []])
    assert batch.mask.tolist() == [[1, 0, 1], [0, 0, 0], [0, 1, 1], [1, 1, 1]]
    assert batch.data.tolist() == [[1, 2, 0], [3, 4, 5], [6, 0, 0], [0, 0, 0]]
    rows = np.ma.masked_array([[1, 2]], [[False, True]])
    batch = tensorpad.pad_batch([[[1], [2, 3, 4]], rows])
    assert batch.mask.tolist() == [[[0, 1, 1], [0, 0, 0]], [[0, 1, 1], [1, 1, 1]]]
    torch = fake_torch.module()
    monkeypatch.setitem(sys.modules, "torch", torch)
    for items in (
        [masked, fake_torch.Tensor(masked.data)],
        [fake_torch.Tensor(masked.data), masked],
    ):
        with pytest.raises(
            TypeError, match="^a batch of tensors, and items with a mask: tensors have none$"
        ):
            tensorpad.pad_batch(items)


@pytest.mark.parametrize("mode", ["mean", "linear_ramp", "empty", "odd", lambda *_: None])
def test_modes_that_compute_do_not_see_what_is_masked(mode):
    given = np.ma.masked_array([1.0, 2], [True, False])
    more = {"mode": "reflect", "reflect_type": "odd"} if mode == "odd" else {"mode": mode}
    with pytest.raises(TypeError, match=r"modes constant, edge, .*x\.filled\(\)"):
        tensorpad.pad(given, 1, **more)
    if mode != "odd":
        with pytest.raises(TypeError, match=r"modes constant, edge, .*x\.filled\(\)"):
            tensorpad.pad_to(given, 4, mode=mode)


# ---- Units ---------------------------------------------------------------------------------------


def quantity(kind, numbers, unit):
    given = kind.make(np.asarray(numbers), None)
    return type(given)(numbers, unit)


def constants(random, kind):
    """A constant, one for each side, or one for each axis and side: some in metres, some 0."""

    def one():
        number = int(random.integers(0, 3))
        return quantity(kind, float(number * 500), "m") if number else 0

    def pair():
        return one(), one()

    return [one, pair, lambda: (pair(), pair())][int(random.integers(3))]()


@each_unit
def test_constants_with_units_are_converted_as_the_package_does(kind):
    random = np.random.default_rng(3)
    for _ in range(60):
        shape = tuple(random.integers(1, 5, 2))
        dtype = random.choice(["f4", "f8"])
        given = kind.make(random.integers(0, 9, shape).astype(dtype), None)
        widths = random.integers(0, 3, (2, 2)).tolist()
        mode = str(random.choice(["constant", "constant", "edge", "wrap", "mean", "linear_ramp"]))
        more = {"constant": "constant_values", "linear_ramp": "end_values"}
        more = {more[mode]: constants(random, kind)} if mode in more else {}
        expected = np.pad(given, widths, mode, **more)
        found = tensorpad.pad(given, widths, mode, **more)
        assert type(found) is type(expected) and kind.unit(found) == kind.unit(expected)
        assert found.dtype == expected.dtype
        assert np.array_equal(kind.numbers(found), kind.numbers(expected))


def with_constant(given, constant):
    """Every function that takes a constant."""
    batch = [given, given]
    yield lambda: tensorpad.pad(given, (0, 1), constant_values=constant)[-1]
    yield lambda: tensorpad.pad_to(given, 4, align="start", constant_values=constant)[-1]
    yield lambda: tensorpad.pad_batch(batch, shape=4, constant_values=constant)[0][-1]
    yield lambda: tensorpad.onnx.pad(given, [0, 1], constant)[-1]
    yield lambda: tensorpad.onnx.pad(given, [0, 1], constant_value=constant, opset=9)[-1]
    yield lambda: tensorpad.openvino.pad(given, [0], [1], constant, "constant")[-1]
    yield lambda: tensorpad.ngraph.pad(given, constant, [0], [1])[-1]
    yield lambda: tensorpad.ngraph.pad(
        given, padding_below=[0], padding_above=[1], arg_pad_value=constant
    )[-1]
    yield lambda: tensorpad.pad_border(given * 1, (0, 1), constant_values=constant)[-1]


@each_unit
def test_a_constant_without_a_unit_is_zero(kind):
    given = kind.make(np.arange(3, dtype="f4"), None)
    metres = quantity(kind, 1500.0, "m")
    for of_zero, of_metres, refused in zip(
        with_constant(given, 0), with_constant(given, metres), with_constant(given, 5)
    ):
        assert kind.numbers(of_zero()) == 0 and kind.numbers(of_metres()) == 1.5
        with pytest.raises(Exception) as theirs:
            np.pad(given, 1, constant_values=5)
        with pytest.raises(theirs.type) as ours:
            refused()
        assert str(ours.value) == str(theirs.value)
    plan = tensorpad.Plan((3,), 1, dtype="f4", constant_values=5)
    with pytest.raises(theirs.type):
        plan(given)


@each_kind
def test_constants_for_arrays_without_a_mask_and_units(kind):
    plain = np.zeros(3, "f4")
    constant = kind.make(np.array(2, "f4"), np.array(False))
    calls = list(with_constant(plain, constant))
    del calls[4]  # an attribute of a node
    for call in (*calls, lambda: tensorpad.Plan((3,), 1, constant_values=constant)):
        with pytest.raises(
            TypeError, match="^the constant is of type .*and the array has no (mask|unit)"
        ):
            call()


@each_unit
def test_batches_in_one_unit(kind):
    items = [quantity(kind, np.ones(2), "km"), quantity(kind, np.ones(3), "m")]
    with pytest.raises(
        TypeError, match=r"^item 1 has the unit m(eter)?, item 0 has k.*: make them alike$"
    ):
        tensorpad.pad_batch(items)
    with pytest.raises(TypeError, match=r"^item 0 has no unit, item 1 has m.*: make them alike$"):
        tensorpad.pad_batch([[1.0, 2.0], items[1]])
    with pytest.raises(TypeError, match="^out is in m(eter)?, the array in k"):
        tensorpad.pad(items[0], (0, 1), out=items[1])


def test_pictures_show_masks_and_units():
    drawn = str(tensorpad.show(np.ma.masked_array([1, 2], [True, False]), 1))
    assert "--" in drawn and "1" not in drawn.partition("input")[2].splitlines()[1]
    assert "1.0 km" in str(tensorpad.show(OfAstropy.make(np.ones(2), None), 1))


# ---- Refused -------------------------------------------------------------------------------------


def of(module, name):
    return lambda x: getattr(pytest.importorskip(module), name)(x)


REFUSED = {
    "zarr": (
        of("zarr", "array"),
        r"Array of zarr: only tensorpad\.zarr\.pad .*x\[\.\.\.\] loads it$",
    ),
    "Series": (lambda x: of("pandas", "Series")(x[0]), r"^Series of pandas: .*x\.to_numpy\(\)"),
    "DataFrame": (of("pandas", "DataFrame"), r"^DataFrame of pandas: .*x\.to_numpy\(\)"),
    "category": (
        lambda x: pytest.importorskip("pandas").Series(["a", "b"], dtype="category"),
        r"^Series of pandas: .*x\.to_numpy\(\)",
    ),
    "coo_array": (
        of("scipy.sparse", "coo_array"),
        r"^coo_array of scipy\.sparse: .*x\.toarray\(\)",
    ),
    "csr_matrix": (
        of("scipy.sparse", "csr_matrix"),
        r"^csr_matrix of scipy\.sparse: .*x\.toarray\(\)",
    ),
    "BCOO": (
        lambda x: pytest.importorskip("jax.experimental.sparse").BCOO.fromdense(x),
        r"^BCOO of jax\.experimental\.sparse: .*x\.todense\(\)",
    ),
    "DataArray": (of("xarray", "DataArray"), r"^DataArray of xarray: .*x\.tensorpad\.pad"),
    "its own pad": (lambda x: x.view(OwnPad), "^OwnPad pads in a way of its own"),
    "masked bytes": (
        lambda x: np.ma.masked_array(x.astype("u1")),
        r"^MaskedArray: only tensorpad\.pad, pad_to",
    ),
}


class OwnPad(np.ndarray):
    def __array_function__(self, function, types, args, kwargs):
        return "its own pad", function.__name__


def functions(plan):
    """Every function that takes arrays, called with one."""
    yield lambda x: tensorpad.pad(x, 1)
    yield lambda x: tensorpad.pad(x, 1, "mean")
    yield lambda x: tensorpad.pad_to(x, multiple=8)
    yield lambda x: tensorpad.unpad(x, 1)
    yield lambda x: plan(x)
    yield lambda x: plan.box(x, (0, 0), (1, 1))
    yield lambda x: tensorpad.onnx.pad(x, [1] * 4)
    yield lambda x: tensorpad.openvino.pad(x, [1, 1], [1, 1], pad_mode="constant")
    yield lambda x: tensorpad.ngraph.pad(x, 0, [1, 1], [1, 1])
    yield lambda x: tensorpad.mli.padding2d(x, layout="hwc")
    yield lambda x: tensorpad.show(x, 1)
    yield lambda x: tensorpad.unpad_batch(x, [1])
    yield lambda x: tensorpad.pad_border(x, 1)
    yield lambda x: tensorpad.pad_adjoint(x, (1, 2), 1)
    yield lambda x: tensorpad.pad(np.zeros((3, 4), "f4"), 0, out=x)
    yield lambda x: tensorpad.pad_packed(x, (8,), "uint4", 1)
    yield lambda x: tensorpad.onnx.pad_packed(x, (8,), "uint4", [1, 1])
    yield lambda x: tensorpad.openvino.pad_packed(x, (8,), "u4", [1], [1], pad_mode="constant")


def refused_by(kind):
    calls = list(functions(tensorpad.Plan(SHAPE, 1, dtype="f4")))
    return {"its own pad": calls[3:], "masked bytes": calls[-3:]}.get(kind, calls)


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_kept_is_refused_in_one_sentence(kind):
    make, sentence = REFUSED[kind]
    given = make(np.ones(SHAPE, "f4"))
    for call in refused_by(kind):
        with pytest.raises(TypeError, match=sentence) as found:
            call(given)
        assert "\n" not in str(found.value) and len(str(found.value)) < 250
    if kind != "masked bytes":
        for call in (
            lambda: tensorpad.pad_batch([given]),
            lambda: tensorpad.pad_batch_dict({"key": [given]}),
        ):
            with pytest.raises(TypeError, match="item 0: " + sentence.removeprefix("^")):
                call()


@each_kind
def test_a_list_of_what_carries_more_is_refused(kind):
    """numpy.asarray would show what is masked; pad_batch takes such a list."""
    one = made(kind, "pad", (3,))[0]
    for listed in ([one, one], (one, one), [[one], [one]]):
        for call in (
            lambda x: tensorpad.pad(x, 1),
            lambda x: tensorpad.pad_to(x, 9),
            lambda x: tensorpad.onnx.pad(x, [1, 1], axes=[0]),
            lambda x: tensorpad.show(x, 1),
        ):
            with pytest.raises(TypeError, match=f"^a list of {type(one).__name__}: only "):
                call(listed)


def test_lists_of_numbers_and_lists_of_themselves():
    assert tensorpad.pad([[1, 2], [3, 4]], 1).shape == (4, 4)
    loop = []
    loop.append(loop)
    with pytest.raises((ValueError, TypeError)):
        tensorpad.pad(loop, 1)


@each_kind
def test_functions_that_cannot_keep_masks_and_units_say_which_can(kind, tmp_path):
    onnx = pytest.importorskip("onnx")
    port = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, (2,))
    out = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, (4,))
    node = onnx.helper.make_node("Pad", ["x", "p"], ["y"])
    pads = onnx.numpy_helper.from_array(np.array([1, 1]), "p")
    graph = onnx.helper.make_graph([node], "g", [port], [out], [pads])
    onnx.save(onnx.helper.make_model(graph), tmp_path / "model.onnx")
    given = kind.make(np.ones(2, "f4"), np.zeros(2, bool))
    sentence = r": only tensorpad\.pad, pad_to, .* keep its (mask|unit); x\.\w+(\(\))? has none$"
    for call in (
        lambda: tensorpad.run_model(tmp_path / "model.onnx", given),
        lambda: tensorpad.pad_packed(given, (2,), "uint4", 1),
        lambda: tensorpad.onnx.pad_packed(given, (2,), "uint4", [1, 1]),
        lambda: tensorpad.openvino.pad_packed(given, (2,), "u4", [1], [1], pad_mode="constant"),
    ):
        with pytest.raises(TypeError, match=sentence):
            call()


# ---- Devices -------------------------------------------------------------------------------------


def test_arrays_of_jax_become_numpys():
    jax = pytest.importorskip("jax")
    given = jax.numpy.ones(SHAPE)
    for name, mode in CALLS:
        if name != "mli.padding2d":
            assert type(PADS[name](given, mode)) is np.ndarray
    given.delete()
    for call in (
        lambda: tensorpad.pad(given, 1),
        lambda: tensorpad.onnx.pad(given, [1] * 4),
        lambda: tensorpad.pad_batch([given]),
        lambda: tensorpad.unpad(given, 1),
    ):
        with pytest.raises(ValueError, match="of jax was deleted: "):
            call()
    with pytest.raises(TypeError, match=r"inside of jax\.jit; use jax\.numpy\.pad"):
        jax.jit(lambda x: tensorpad.pad(x, 1))(np.ones(3))


def test_arrays_on_a_device_say_what_copies_them():
    def on_gpu(module):
        return type(
            "ndarray", (), {"__module__": module, "__dlpack_device__": lambda self: (2, 0)}
        )()

    for module, way_out in (
        ("cupy", r"cupy\.asnumpy\(x\)"),
        ("jaxlib._jax", r"jax\.device_get\(x\)"),
    ):
        for call in (
            lambda x: tensorpad.pad(x, 1),
            lambda x: tensorpad.ngraph.pad(x, 0, [1], [1]),
            lambda x: tensorpad.pad(np.ones(2), 0, out=x),
        ):
            with pytest.raises(
                TypeError, match="not on the CPU: copy it there first with " + way_out
            ):
                call(on_gpu(module))


def test_an_array_in_several_pieces_is_copied():
    class Sharded:
        def __dlpack_device__(self):
            raise BufferError("only for unsharded arrays")

        def __array__(self, dtype=None, copy=None):
            return np.arange(3)

    assert tensorpad.pad(Sharded(), 1).tolist() == [0, 0, 1, 2, 0]


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
    torch = fake_torch.module()
    monkeypatch.setitem(sys.modules, "torch", torch)
    given = Odd(np.ones(SHAPE, "f4"))
    setattr(given, attribute, True)
    calls = refused_by(None)
    views = [calls[3], calls[11]]  # what is quantized can be sliced
    for call in calls if attribute == "is_nested" else [one for one in calls if one not in views]:
        with pytest.raises(TypeError, match=sentence):
            call(given)
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
    collate = pytest.importorskip("tensorpad.torch").collate()
    with pytest.raises(TypeError, match=r"only tensorpad\.pad, .*keep its mask"):
        collate([np.ma.masked_array([1.0])])
