"""What may be given as an array, and what comes out: buffers, objects, DLPack, tensors, packed elements;
the types of the specifications."""

import array
import gc
import subprocess
import sys
import types

import fake_torch
import ml_dtypes
import numpy as np
import pytest
import tensorpad
from calls import ARRAYS, MODES, PADS, SHAPE, WIDTHS
from fake_torch import Tensor
from tensorpad import ngraph, onnx, openvino
from tensorpad._arrays import source
from tensorpad._plan import box_plan


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_subclasses_become_arrays_as_in_numpy():
    for given in (np.matrix([[1, 2]]), np.recarray((2,), [("a", "i4")])):
        assert type(tensorpad.pad(given, 1)) is type(np.pad(given, 1)) is np.ndarray


CODE = "import sys, tensorpad\ntensorpad.pad([1], 1)\n"


@pytest.mark.parametrize(
    "code, said",
    [
        (
            "print({'dask', 'torch', 'ml_dtypes', 'jax', 'xarray', 'zarr', 'onnxruntime', "
            "'tensorpad._models'} & {*sys.modules})",
            "set()",
        ),
        ("print(hasattr(tensorpad, 'tensorflow'))", "False"),
        (
            "print(tensorpad.dask.__name__, tensorpad.zarr.__name__)",
            "tensorpad.dask tensorpad.zarr",
        ),
        ("tensorpad.inspect_model; print('tensorpad._models' in sys.modules)", "True"),
    ],
)
def test_optional_modules_come_when_they_are_asked_for(code, said):
    if "zarr" in code:
        pytest.importorskip("dask.array"), pytest.importorskip("zarr")
    done = subprocess.run([sys.executable, "-c", CODE + code], capture_output=True, text=True)
    assert done.stdout == said + "\n", done.stderr


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rank", [16, 20])
def test_ranks_up_to_numpys(rank, mode):
    given = np.arange(4).reshape((1,) * (rank - 1) + (4,))
    for widths in ({-1: (3, 1)}, [(0, 0)] * (rank - 1) + [(3, 1)]):
        assert np.array_equal(tensorpad.pad(given, widths, mode), np.pad(given, widths, mode))
    assert tensorpad.pad(given, widths, constant_values=3).ravel()[0] == 3
    out = np.empty(tensorpad.pad(given, widths).shape, int)
    assert tensorpad.pad(given, widths, mode, out=out) is out
    assert np.array_equal(out, np.pad(given, widths, mode))
    for wrong, error in ((out.astype("f4"), TypeError), (out[..., 1:], ValueError)):
        with pytest.raises(
            error, match="^out has (type float32, the array int64|shape .* the result)"
        ):
            tensorpad.pad(given, widths, mode, out=wrong)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="^output array is read-only$"):
        tensorpad.pad(given, widths, mode, out=out)
    if rank > 16:
        with pytest.raises(
            ValueError, match="a mode for each axis is for arrays of at most 16 axes"
        ):
            tensorpad.pad(given, widths, [mode] * rank)
        with pytest.raises(ValueError, match="of 20 axes is left to NumPy, which has no interior"):
            tensorpad.pad(given, widths, mode, interior=1)


@pytest.mark.parametrize("dtype", ["V70000", "S66000", "V0", [("big", "V65537")], [("none", "V0")]])
@pytest.mark.parametrize("mode", ["edge", "wrap"])
def test_odd_widths(dtype, mode):
    given = np.zeros(2, dtype)
    found = tensorpad.pad(given, 1, mode, interior=[1])
    assert found.dtype == given.dtype and found.shape == (5,)


def test_text_of_any_length():
    given = np.array(["long", "", None, "x" * 99], np.dtypes.StringDType(na_object=None))
    for mode in MODES[1:]:
        found = tensorpad.pad(given, 3, mode)
        assert found.dtype == given.dtype and found.tolist() == np.pad(given, 3, mode).tolist()
    assert tensorpad.pad(given, 1, constant_values="y" * 50).tolist()[0] == "y" * 50


# ---- Objects -------------------------------------------------------------------------------------


def test_references_of_objects_are_counted():
    class Thing:
        pass

    things = thing, other, filler = Thing(), Thing(), Thing()

    def counts():
        return [sys.getrefcount(one) for one in things]

    given, value = np.array([thing, other], object), np.empty((), object)
    before = counts()
    value[()] = filler
    padded = tensorpad.pad(given, 3, "edge")
    assert counts()[:2] == [before[0] + 4, before[1] + 4]
    filled = tensorpad.pad(given, (1, 2), constant_values=value)
    assert counts()[2] == before[2] + 4  # three, and the one in `value`
    tensorpad.pad(given, 3, "wrap", out=padded)
    assert counts()[:2] == [before[0] + 5, before[1] + 5]
    records = np.zeros(2, [("o", object), ("n", "i2")])
    records["o"] = thing
    more = tensorpad.pad(records, 2, "symmetric")
    assert counts()[0] == before[0] + 5 + 2 + 6 and more["n"].tolist() == [0] * 6
    del padded, filled, value, records, more
    gc.collect()
    assert counts() == before


@pytest.mark.parametrize("thing", [np.array(5), np.array([1, 2]), [1, 2]], ids=repr)
def test_an_object_without_axes_stays_what_it_is(thing):
    given, out = np.empty((), object), np.empty((), object)
    given[()] = thing
    assert tensorpad.pad(given, 0)[()] is tensorpad.pad_to(given)[()] is thing
    assert tensorpad.pad(given, 0, out=out) is out and out[()] is thing
    plan, _ = box_plan((), object, 0, "constant", 0, 0, "window", None, {})
    assert plan.box(given, (), (), np.empty((), object))[()] is thing


# ---- DLPack, JAX ---------------------------------------------------------------------------------


class OnCpu:
    def __init__(self, held):
        self.held = held

    def __dlpack_device__(self):
        return self.held.__dlpack_device__()

    def __dlpack__(self, **kwargs):
        return self.held.__dlpack__(**kwargs)


class Sharded(OnCpu):
    """An array in several pieces, which is copied."""

    def __dlpack_device__(self):
        raise BufferError("only for unsharded arrays")

    def __array__(self, dtype=None, copy=None):
        return self.held


def test_dlpack():
    held, out = np.arange(6.0).reshape(2, 3).T, np.empty((5, 4))
    for kind in (OnCpu, Sharded):
        assert np.array_equal(tensorpad.pad(kind(held), 1), np.pad(held, 1))
    assert tensorpad.pad(held, 1, out=OnCpu(out)) is not None
    assert np.array_equal(out, np.pad(held, 1))


def test_inputs_are_not_copied():
    held = np.arange(6.0).reshape(2, 3)
    for given in (held, held.T, OnCpu(held), memoryview(held), held.view(np.recarray)):
        assert np.shares_memory(source(given).array, held)
    numbers = array.array("d", [1, 2])
    assert np.shares_memory(source(numbers).array, np.frombuffer(numbers))
    jax = pytest.importorskip("jax")
    given = jax.numpy.arange(64.0)
    assert source(given).array.ctypes.data == given.unsafe_buffer_pointer()


# ---- torch ---------------------------------------------------------------------------------------


@pytest.fixture
def torch(monkeypatch):
    def empty(shape, dtype, memory_format):
        assert type(shape) is tuple
        if memory_format == "last":
            n, c, h, w = shape
            return Tensor(np.empty((n, h, w, c), dtype).transpose(0, 3, 1, 2))
        return Tensor(np.empty(shape, dtype))

    formats = dict(contiguous_format="contiguous", channels_last="last", channels_last_3d="3d")
    module = fake_torch.module(empty=empty, from_numpy=Tensor, **formats)
    monkeypatch.setitem(sys.modules, "torch", module)
    return module


@pytest.mark.parametrize("name", sorted(PADS.keys() - {"pad, axes", "pad_batch_dict"}))
def test_outputs_are_of_the_kind_of_the_input(torch, name):
    numbers = np.arange(12, dtype="i2" if "mli" in name else "f4").reshape(SHAPE)
    mode = "constant" if "mli" in name else "edge"
    found = PADS[name](Tensor(numbers), mode)
    assert type(found) is Tensor and np.array_equal(found.array, np.pad(numbers, WIDTHS, mode))
    out = Tensor(np.empty(found.array.shape, "f4"))
    if name not in ("pad_batch", "mli.padding2d"):
        assert PADS[name](numbers, mode, out=out) is out
        assert np.array_equal(out.array, np.pad(numbers, WIDTHS, mode))


def test_layouts_of_tensors(torch, monkeypatch):
    given = Tensor(np.arange(6, dtype="f4").reshape(2, 3))
    assert np.array_equal(tensorpad.unpad(tensorpad.pad(given, 1), 1).array, given.array)
    assert type(tensorpad.pad(given, 1, "mean")) is Tensor
    last = Tensor(np.arange(24).reshape(1, 3, 4, 2).transpose(0, 3, 1, 2))
    found = tensorpad.pad(last, {2: 1})
    assert found.is_contiguous("last") and np.array_equal(found.array, np.pad(last.array, {2: 1}))
    monkeypatch.setattr(torch, "empty", lambda *args, **kwargs: 3)
    with pytest.raises(AttributeError):
        tensorpad.pad(last, 1)


class Keys:
    def __init__(self, bits=0):
        self.raw_repr = lambda: bits


def conjugated(tensor):
    """torch shows it to NumPy only when it is resolved."""
    tensor.keys, tensor.resolve_conj = 1, lambda: Tensor(tensor.array + 1)


# What happens to a tensor or in torch, and what is said; None: the numbers are padded.
WATCHED = {
    "requires grad": (lambda x, torch: setattr(x, "requires_grad", True), "requires grad or has"),
    "no grad": (
        lambda x, torch: (
            setattr(x, "requires_grad", True),
            setattr(torch, "is_grad_enabled", lambda: False),
        ),
        None,
    ),
    "tangents": (
        lambda x, torch: setattr(torch.autograd.forward_ad, "_current_level", 0),
        "requires grad or has a tangent, and no gradient would be recorded",
    ),
    "conjugated": (lambda x, torch: conjugated(x), None),
    "a wrapper": (lambda x, torch: setattr(x, "keys", 1), "holds more than one tensor of numbers"),
    "a transform": (
        lambda x, torch: setattr(torch._C, "_dispatch_tls_local_include_set", lambda: Keys(1)),
        "torch records, traces or transforms this call",
    ),
    "on a GPU": (
        lambda x, torch: (
            setattr(x, "keys", 1),
            setattr(x, "device", types.SimpleNamespace(type="cuda")),
        ),
        r"move it with \.cpu\(\) first",
    ),
    "sparse": (
        lambda x, torch: (setattr(x, "keys", 1), setattr(x, "layout", "sparse_coo")),
        r"the tensor is sparse_coo: make it dense with \.to_dense\(\) first",
    ),
}


@pytest.mark.parametrize("how", WATCHED)
def test_what_torch_would_not_see_is_refused(torch, how):
    act, sentence = WATCHED[how]
    torch._C._dispatch_keys = lambda tensor: Keys(getattr(tensor, "keys", 0))
    torch._C._dispatch_tls_local_include_set = Keys
    given = Tensor(np.zeros((2, 3), "f4"))
    act(given, torch)
    if sentence is None:
        assert type(onnx.pad(given, [1] * 4)) is Tensor
        return
    for name in ("onnx.pad data", "ngraph.pad arg", "pad_adjoint grad", "pad out"):
        with pytest.raises(TypeError, match=sentence):
            ARRAYS[name](given)


def test_types_of_torch_that_numpy_lacks(torch):
    """ml_dtypes has them; without it the elements are records of one field."""

    class Bits(Tensor):
        def numpy(self):
            raise TypeError("Got unsupported ScalarType")

        def view(self, dtype):
            assert dtype == "int16"
            return Tensor(self.array)

    torch.uint8, torch.int16 = "uint8", "int16"
    given = Bits(np.array([1, 2], "i2"))
    for name, itemsize in (("bfloat16", 2), ("odd", 2), ("wide", 4)):
        kind = type("dtype", (), {"itemsize": itemsize, "__str__": lambda self: f"torch.{name}"})
        given.dtype = kind()
        if itemsize == 4:
            with pytest.raises(TypeError, match="^NumPy has no type for torch.wide$"):
                source(given)
            continue
        found = source(given).array
        bits = found.view("i2")
        assert bits.tolist() == [1, 2]
        assert found.dtype == (ml_dtypes.bfloat16 if name == "bfloat16" else [("torch.odd", "i2")])


# ---- The types of the specifications -------------------------------------------------------------

SAME_IN_ONNX = ("bfloat16", "float8_e4m3fn", "float8_e5m2fnuz", "int4", "uint4", "float4_e2m1fn")


@pytest.mark.parametrize("name", (*SAME_IN_ONNX, "float8_e8m0fnu", "uint2", "int2"))
def test_types_of_onnx(name):
    data = np.array([1, 1], getattr(ml_dtypes, name))
    found = onnx.pad(data, [1, 0])
    assert found.dtype == data.dtype
    assert found.tobytes() == b"\0" * data.itemsize + data.tobytes()


def test_texts_of_onnx():
    words = np.array(["a", "bc"])
    assert onnx.pad(words, [1, 1]).tolist() == ["", "a", "bc", ""]
    assert onnx.pad(words, [1, 0], "long").tolist() == ["long", "a", "bc"]
    assert onnx.pad(words.astype(object), [0, 1], "long").tolist() == ["a", "bc", "long"]


def test_old_versions_of_onnx():
    """Up to opset 10 the value is a float32, and pads are an attribute."""
    data, pads = np.arange(6, dtype=np.float16).reshape(2, 3), [0, 1, 1, 0]
    found = onnx.pad(data, pads, 0.1, opset=1)
    assert found.dtype == np.float16 and found[2, 0] == np.float16(np.float32(0.1))
    for value in (np.float32(0.1), np.array([0.1]), np.array(0.1, "f4")):
        assert np.array_equal(onnx.pad(data, pads, value, opset=1), found)
    assert np.array_equal(onnx.pad(data.astype(">f2"), pads, 0.1, opset=2), found)
    assert onnx.pad(data, [0, -1, 0, 0], opset=10).shape == (2, 2)
    data = np.zeros(2, "f8")
    assert onnx.pad(data, [1, 0], 0.1, opset=2)[0] == np.float32(0.1)
    assert onnx.pad(data, [1, 0], np.array([7]), opset=2)[0] == 7
    assert np.isinf(onnx.pad(data, [1, 0], float("inf"), opset=2)[0])


def test_onnx_against_the_reference_implementation():
    helper = pytest.importorskip("onnx").helper
    reference = pytest.importorskip("onnx.reference")
    random = np.random.default_rng(11)
    names = ["float32", "float64", "float16", "int8", "uint16", "int64", "bool", "complex64"]
    for case in range(400):
        opset, name = int(random.choice([11, 13, 18, 19, 21, 25])), str(random.choice(names))
        if opset < 13 and name in ("bool", "complex64"):
            name = "int32"
        mode = str(random.choice(["constant", "edge", "reflect"] + ["wrap"] * (opset >= 19)))
        rank = count = int(random.integers(1, 4))
        data = random.integers(0, 9, random.integers(2, 5, rank)).astype(name)
        axes = None
        if opset >= 18 and random.random() < 0.5:
            axes = random.choice(rank, int(random.integers(1, rank + 1)), replace=False)
            axes = axes - rank * random.integers(0, 2, axes.shape)
            count = len(axes)
        pads = random.integers(0, 2 if mode == "reflect" else 4, 2 * count)
        value = np.array(random.integers(0, 2)).astype(name) if random.random() < 0.5 else None
        kinds = {"data": data, "pads": pads, "value": value, "axes": axes}
        feeds = {key: item for key, item in kinds.items() if item is not None}
        names_of = [
            "data",
            "pads",
            *("value" * (value is not None),),
            *["axes"] * (axes is not None),
        ]
        node = helper.make_node("Pad", names_of, ["y"], mode=mode)
        type_of = helper.np_dtype_to_tensor_dtype
        ports = [
            helper.make_tensor_value_info(key, type_of(item.dtype), item.shape)
            for key, item in feeds.items()
        ]
        out = helper.make_tensor_value_info("y", type_of(data.dtype), None)
        graph = helper.make_graph([node], "g", ports, [out])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
        expected = reference.ReferenceEvaluator(model).run(None, feeds)[0]
        found = onnx.pad(data, pads, value, axes, mode, opset=opset)
        assert found.dtype == expected.dtype and np.array_equal(found, expected), case


def test_openvino_and_ngraph():
    data = np.arange(1, 13, dtype="i4").reshape(3, 4)
    # The document's example of mixed signs: a window onto the extension.
    found = openvino.pad(data, [2, -1], [-1, 3], pad_mode="edge", version=12)
    assert np.array_equal(found, np.pad(data, ((2, 0), (0, 3)), "edge")[:-1, 1:])
    assert openvino.pad(data, [-9, 0], [0, 0], pad_mode="constant", version=12).shape == (0, 4)
    found = ngraph.pad(data[:2, :2], np.int32(42), [1, 0], [0, -1], [1, 2], "CONSTANT")
    assert found.tolist() == [[42, 42, 42], [1, 42, 42], [42, 42, 42], [5, 42, 42]]
    assert onnx.pad(data, [0] * 4, mode="symmetric", lenient=True).shape == (3, 4)
    image = np.arange(12, dtype=np.int8).reshape(2, 3, 2)
    words = dict(padding_left=1, padding_right=2, padding_top=3, padding_bottom=0)
    for layout, widths in (("hwc", ((3, 0), (1, 2), (0, 0))), ("chw", ((0, 0), (3, 0), (1, 2)))):
        for given in (image, image.astype("i2")):
            found = tensorpad.mli.padding2d(given, layout=layout, **words)
            assert np.array_equal(found, np.pad(given, widths))
            out = np.empty(found.shape[::-1], given.dtype).T
            assert tensorpad.mli.padding2d(given, layout=layout, out=out, **words) is out
            assert np.array_equal(out, found)


# ---- Packed --------------------------------------------------------------------------------------


def pack(values, bits, high_first=False):
    stream = 0
    for i, value in enumerate(values):
        place = i * bits
        if high_first:
            place = (i * bits // 8) * 8 + 8 - bits - i * bits % 8
        stream |= (int(value) & (1 << bits) - 1) << place
    return np.frombuffer(stream.to_bytes((len(values) * bits + 7) // 8, "little"), np.uint8)


@pytest.mark.parametrize(
    "word, bits", [("int4", 4), ("uint4", 4), ("int2", 2), ("uint2", 2), ("u1", 1)]
)
@pytest.mark.parametrize("mode", MODES)
def test_packed(word, bits, mode):
    values = np.random.default_rng(5).integers(0, 1 << bits, (3, 5))
    widths, high = ((1, 2), (-1, 4)), word == "u1"
    data = pack(values.ravel(), bits, high)
    found = tensorpad.pad_packed(data, (3, 5), word, widths, mode, constant_values=1)
    whole = tensorpad.pad(
        values, widths, mode, **({"constant_values": 1} if mode == "constant" else {})
    )
    assert found.dtype == np.uint8 and np.array_equal(found, pack(whole.ravel(), bits, high))


def test_packed_buffers_of_any_kind():
    data = bytes([0x21, 0x03])
    columns = np.array([[0x21], [3]], "u1", order="F")
    for given in (data, bytearray(data), memoryview(data), np.frombuffer(data, "i1"), columns):
        found = tensorpad.pad_packed(given, (3,), "int4", (1, 0), constant_values=7)
        assert found.tolist() == [0x17, 0x32]
        assert onnx.pad_packed(given, (3,), "int4", [1, 0], 7).tolist() == [0x17, 0x32]
    strided = np.array([0x21, 9, 0x03, 9], np.uint8)
    assert tensorpad.pad_packed(strided[::2], (3,), "uint4", (0, 1)).tolist() == [0x21, 0x03]
    out = bytearray(2)
    assert tensorpad.pad_packed(data, (3,), "u4", (1, 0), "edge", out=out) is out
    assert bytes(out) == bytes([0x11, 0x32])
    same = np.array([0x21, 0x03], np.uint8)
    tensorpad.pad_packed(same, (3,), "u4", (1, 0), "wrap", out=same)
    assert same.tolist() == [0x13, 0x32]
    ones = dict(interior=1, constant_values=np.int8(-1))
    found = tensorpad.pad_packed(data, (3,), "int4", {0: 1}, **ones)
    assert found.tolist() == [0x1F, 0x2F, 0x3F, 0x0F]
    assert tensorpad.pad_packed(np.zeros(8, "u1"), (4, 4), "int4", 0, constant_values=-8).size == 8
    assert tensorpad.pad_packed(np.uint8([0x21]), 2, "int4", (0, 2)).tolist() == [0x21, 0]
    found = openvino.pad_packed(np.uint8([0b10100000]), (3,), "u1", [1], [1], 1, "constant")
    assert found.tolist() == [0b11011000]
    found = openvino.pad_packed(np.uint8([0x12]), (2,), "nf4", [1], [1], pad_mode="constant")
    assert found.tolist() == [0x27, 0x71]
    for shape in ((0, 2**40, 2**40), (2**40, 2**40, 0)):
        assert tensorpad.pad_packed(b"", shape, "int4", 0).size == 0
