"""What may be given as an array, and what comes out."""

import array
import copy
import gc
import subprocess
import sys

import fake_torch
import ml_dtypes
import numpy as np
import pytest
import tensorpad
from fake_torch import Tensor
from tensorpad._plan import box_plan

MODES = list(tensorpad._core.modes)


def test_buffers():
    numbers = array.array("h", [1, 2, 3])
    found = tensorpad.pad(numbers, 1)
    assert found.dtype == np.int16 and found.tolist() == [0, 1, 2, 3, 0]
    assert tensorpad.pad(memoryview(b"abc"), 1, "edge").tobytes() == b"aabcc"
    assert tensorpad.pad([[1, 2], [3, 4]], 1, "wrap").shape == (4, 4)
    assert tensorpad.pad(5, 3) == 5
    strided = memoryview(bytearray(range(10)))[::-3]
    assert tensorpad.pad(strided, (1, 0)).tolist() == [0, 9, 6, 3, 0]


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_subclasses_become_arrays_as_in_numpy():
    for given in (
        np.matrix([[1, 2]]),
        np.recarray((2,), [("a", "i4")]),
    ):
        assert type(tensorpad.pad(given, 1)) is type(np.pad(given, 1)) is np.ndarray


def test_types_that_pad_in_their_own_way_keep_doing_so():
    class Metres(np.ndarray):
        def __array_function__(self, function, types, args, kwargs):
            return "metres", function.__name__, args[1:], kwargs

    given = np.zeros(3).view(Metres)
    assert (
        tensorpad.pad(given, 1, "edge")
        == np.pad(given, 1, "edge")
        == ("metres", "pad", (1, "edge"), {})
    )
    assert tensorpad.pad(given, 1, constant_values=2)[3] == {"constant_values": 2}
    with pytest.raises(TypeError, match="Metres pads in a way of its own"):
        tensorpad.pad(given, 1, interior=1)


def test_what_loads_dask_arrays_in_silence_is_refused_with_the_way_out():
    """test_dask_pad.py has what pads them in chunks."""
    dask = pytest.importorskip("dask.array")
    given = dask.arange(6, chunks=3)
    plan = tensorpad.Plan((6,), 8, "reflect", dtype=given.dtype)
    expected = np.pad(np.arange(6), 8, "reflect")
    refused = r"Array of dask: only tensorpad\.pad, .*tensorpad\.dask.*x\.compute\(\)"
    for call in (
        lambda x: tensorpad.onnx.pad(x, [8, 8], mode="reflect"),
        lambda x: plan(x),
        lambda x: plan.box(x, (0,), (22,)),
    ):
        with pytest.raises(TypeError, match=refused):
            call(given)
        assert np.array_equal(call(given.compute()), expected)
    for call in (
        lambda: tensorpad.unpad(given, 1),
        lambda: tensorpad.pad(np.arange(4), 1, out=given),
        lambda: tensorpad.pad_packed(dask.zeros(2, "u1"), (4,), "uint4", 1),
        lambda: tensorpad.pad_batch([given, given]),
        lambda: tensorpad.pad_border(given, 1),
    ):
        with pytest.raises(TypeError, match=refused):
            call()


def test_importing_does_not_import_what_is_optional():
    code = (
        "import sys, tensorpad\n"
        "tensorpad.pad([1], 1)\n"
        "print([name for name in ('dask', 'torch', 'ml_dtypes', 'jax') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_optional_modules_come_when_they_are_asked_for():
    pytest.importorskip("dask.array")
    pytest.importorskip("zarr")
    code = "import tensorpad\nprint(tensorpad.dask.__name__, tensorpad.zarr.pad, hasattr(tensorpad, 'tensorflow'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("tensorpad.dask <function pad") and done.stdout.endswith(
        " False\n"
    )


def test_read_only_and_empty_inputs():
    given = np.broadcast_to(np.float32(3), (2, 2))
    assert tensorpad.pad(given, 1, "edge").tolist() == [[3] * 4] * 4
    assert tensorpad.pad(np.empty((0, 2)), 1).tolist() == [[0] * 4] * 2
    assert tensorpad.pad(np.empty((0, 2)), ((0, 0), (1, 1)), "edge").shape == (0, 4)


def test_ranks_up_to_numpys():
    given = np.arange(4).reshape((1,) * 15 + (4,))
    assert np.array_equal(
        tensorpad.pad(given, {-1: 2}, "reflect"), np.pad(given, {-1: 2}, "reflect")
    )
    given = given.reshape((1,) * 19 + (4,))
    widths = [(0, 0)] * 19 + [(3, 1)]
    for mode in MODES:
        assert np.array_equal(tensorpad.pad(given, widths, mode), np.pad(given, widths, mode))
    assert tensorpad.pad(given, widths, constant_values=3).ravel()[0] == 3


@pytest.mark.parametrize("dtype", ["V70000", "S66000", "V0", [("big", "V65537")], [("none", "V0")]])
@pytest.mark.parametrize("mode", ["edge", "wrap"])
def test_odd_widths(dtype, mode):
    given = np.zeros(2, dtype)
    found = tensorpad.pad(given, 1, mode, interior=[1])
    assert found.dtype == given.dtype and found.shape == (5,)


@pytest.mark.parametrize(
    "kind",
    [
        "bfloat16",
        "float8_e3m4",
        "float8_e4m3",
        "float8_e4m3b11fnuz",
        "float8_e4m3fn",
        "float8_e4m3fnuz",
        "float8_e5m2",
        "float8_e5m2fnuz",
        "float8_e8m0fnu",
        "int2",
        "int4",
        "uint2",
        "uint4",
        "float4_e2m1fn",
        "float6_e2m3fn",
        "float6_e3m2fn",
    ],
)
def test_ml_dtypes(kind):
    dtype = np.dtype(getattr(ml_dtypes, kind))
    given = np.array([[1, 0], [1, 1]], dtype)
    for mode in MODES:
        found = tensorpad.pad(given, 2, mode)
        assert found.dtype == dtype and found.tobytes() == np.pad(given, 2, mode).tobytes()
    found = tensorpad.pad(given, 1, constant_values=1)
    assert found.tobytes() == np.pad(given, 1, constant_values=1).tobytes()


def test_bits_are_kept():
    given = np.array([0x7FA00001, 0x80000000, 0xFFC12345], np.uint32).view("f4")
    found = tensorpad.pad(given, 4, "reflect").view(np.uint32)
    assert np.array_equal(found, np.pad(given.view(np.uint32), 4, "reflect"))


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

    thing, other, filler = Thing(), Thing(), Thing()
    given = np.array([thing, other], object)
    before = sys.getrefcount(thing), sys.getrefcount(other), sys.getrefcount(filler)
    value = np.empty((), object)
    value[()] = filler
    padded = tensorpad.pad(given, 3, "edge")
    assert (sys.getrefcount(thing), sys.getrefcount(other)) == (before[0] + 4, before[1] + 4)
    filled = tensorpad.pad(given, (1, 2), constant_values=value)
    assert sys.getrefcount(filler) == before[2] + 4  # three, and the one in `value`
    tensorpad.pad(given, 3, "wrap", out=padded)
    assert (sys.getrefcount(thing), sys.getrefcount(other)) == (before[0] + 5, before[1] + 5)
    records = np.zeros(2, [("o", object), ("n", "i2")])
    records["o"] = thing
    more = tensorpad.pad(records, 2, "symmetric")
    assert sys.getrefcount(thing) == before[0] + 5 + 2 + 6 and more["n"].tolist() == [0] * 6
    del padded, filled, value, records, more
    gc.collect()
    assert (sys.getrefcount(thing), sys.getrefcount(other), sys.getrefcount(filler)) == before


@pytest.mark.parametrize("thing", [np.array(5), np.array([1, 2]), [1, 2]], ids=repr)
def test_an_object_without_axes_stays_what_it_is(thing):
    given, out = np.empty((), object), np.empty((), object)
    given[()] = thing
    assert tensorpad.pad(given, 0)[()] is tensorpad.pad_to(given)[()] is thing
    assert tensorpad.pad(given, 0, out=out) is out and out[()] is thing
    plan, _ = box_plan((), object, 0, "constant", 0, 0, "window", None, {})
    assert plan.box(given, (), (), np.empty((), object))[()] is thing


# ---- DLPack, torch, JAX --------------------------------------------------------------------------


class Elsewhere:
    """An array on a GPU, as CuPy would show it."""

    def __dlpack_device__(self):
        return 2, 1

    def __dlpack__(self, **kwargs):
        raise AssertionError("must not be asked for")


class OnCpu:
    def __init__(self, held):
        self.held = held

    def __dlpack_device__(self):
        return self.held.__dlpack_device__()

    def __dlpack__(self, **kwargs):
        return self.held.__dlpack__(**kwargs)


def test_dlpack():
    held = np.arange(6.0).reshape(2, 3).T
    assert np.array_equal(tensorpad.pad(OnCpu(held), 1), np.pad(held, 1))
    out = np.empty((5, 4))
    assert tensorpad.pad(held, 1, out=OnCpu(out)) is not None
    assert np.array_equal(out, np.pad(held, 1))
    with pytest.raises(TypeError, match="device 2:1 of DLPack, not on the CPU"):
        tensorpad.pad(Elsewhere(), 1)
    with pytest.raises(TypeError, match="not on the CPU"):
        tensorpad.pad(held, 1, out=Elsewhere())


@pytest.mark.long
def test_jax():
    jax = pytest.importorskip("jax")
    jnp = jax.numpy
    given = jnp.arange(6, dtype="float32").reshape(2, 3)
    for mode in MODES:
        assert np.array_equal(tensorpad.pad(given, 1, mode), jnp.pad(given, 1, mode))
    half = given.astype("bfloat16")
    assert tensorpad.pad(half, 1).dtype == ml_dtypes.bfloat16
    random = np.random.default_rng(3)
    for _ in range(60):
        shape = tuple(int(extent) for extent in random.integers(1, 5, 2))
        array = random.integers(1, 99, shape).astype("i4")
        config = []
        for extent in shape:
            between = int(random.integers(0, 3))
            dilated = (extent - 1) * (between + 1) + 1
            low = int(random.integers(-dilated, 4))
            config.append((low, int(random.integers(-min(dilated, dilated + low), 4)), between))
        expected = jax.lax.pad(array, np.int32(-7), config)
        found = tensorpad.pad(
            array,
            [one[:2] for one in config],
            constant_values=-7,
            interior=[one[2] for one in config],
        )
        assert np.array_equal(found, expected), config


def test_outputs_are_of_the_kind_of_the_input(monkeypatch):
    def empty(shape, dtype, memory_format):
        assert type(shape) is tuple
        if memory_format == "last":
            n, c, h, w = shape
            return Tensor(np.empty((n, h, w, c), dtype).transpose(0, 3, 1, 2))
        return Tensor(np.empty(shape, dtype))

    formats = dict(contiguous_format="contiguous", channels_last="last", channels_last_3d="3d")
    torch = fake_torch.module(empty=empty, from_numpy=Tensor, **formats)
    monkeypatch.setitem(sys.modules, "torch", torch)
    array = np.arange(6, dtype="f4").reshape(2, 3)
    given, plan = Tensor(array), tensorpad.Plan((2, 3), 1, "edge", dtype="f4")
    for found in (
        tensorpad.pad(given, 1, "edge"),
        tensorpad.pad(given, 1, ["edge", "edge"]),
        tensorpad.onnx.pad(given, [1] * 4, mode="edge"),
        tensorpad.openvino.pad(given, [1, 1], [1, 1], pad_mode="edge"),
        tensorpad.ngraph.pad(given, 0, [1, 1], [1, 1], pad_mode="EDGE"),
        plan(given),
        plan.box(given, (0, 0), (4, 5)),
    ):
        assert type(found) is Tensor and np.array_equal(found.array, np.pad(array, 1, "edge"))
    assert np.array_equal(tensorpad.unpad(tensorpad.pad(given, 1), 1).array, array)
    assert type(tensorpad.pad(given, 1, "mean")) is Tensor
    out = Tensor(np.empty((4, 5), "f4"))
    assert tensorpad.pad(array, 1, "edge", out=out) is out
    assert np.array_equal(out.array, np.pad(array, 1, "edge"))
    last = Tensor(np.arange(24).reshape(1, 3, 4, 2).transpose(0, 3, 1, 2))
    found = tensorpad.pad(last, {2: 1})
    assert found.is_contiguous("last") and np.array_equal(found.array, np.pad(last.array, {2: 1}))
    given.requires_grad = True
    with pytest.raises(TypeError, match="requires grad"):
        tensorpad.onnx.pad(given, [1] * 4)
    monkeypatch.setattr(torch, "empty", lambda *args, **kwargs: 3)
    with pytest.raises(AttributeError):
        tensorpad.pad(last, 1)


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
    random = np.random.default_rng(5)
    values = random.integers(0, 1 << bits, (3, 5))
    high = word == "u1"
    found = tensorpad.pad_packed(
        pack(values.ravel(), bits, high), (3, 5), word, ((1, 2), (-1, 4)), mode, constant_values=1
    )
    whole = tensorpad.pad(
        values, ((1, 2), (-1, 4)), mode, **({"constant_values": 1} if mode == "constant" else {})
    )
    assert found.dtype == np.uint8 and np.array_equal(found, pack(whole.ravel(), bits, high))


def test_packed_buffers_of_any_kind():
    data = bytes([0x21, 0x03])
    columns = np.array([[0x21], [3]], "u1", order="F")
    for given in (data, bytearray(data), memoryview(data), np.frombuffer(data, "i1"), columns):
        assert tensorpad.pad_packed(given, (3,), "int4", (1, 0), constant_values=7).tolist() == [
            0x17,
            0x32,
        ]
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


def test_the_least_constant_of_a_packed_type():
    data = np.zeros(8, np.uint8)
    assert tensorpad.pad_packed(data, (4, 4), "int4", 0, constant_values=-8).size == 8


def test_inputs_are_not_copied():
    from tensorpad._arrays import source

    held = np.arange(6.0).reshape(2, 3)
    for given in (held, held.T, OnCpu(held), memoryview(held), held.view(np.recarray)):
        assert np.shares_memory(source(given).array, held)
    numbers = array.array("d", [1, 2])
    assert np.shares_memory(source(numbers).array, np.frombuffer(numbers))
    jax = pytest.importorskip("jax")
    given = jax.numpy.arange(64.0)
    assert source(given).array.ctypes.data == given.unsafe_buffer_pointer()


def test_copies_and_views():
    given = np.arange(4)
    same = tensorpad.pad(given, 0)
    assert not np.shares_memory(same, given) and np.array_equal(same, given)
    assert np.array_equal(copy.deepcopy(same), given)
