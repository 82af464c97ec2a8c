"""tensorpad.pad, pad_to, pad_border and pad_adjoint of arrays on a GPU, by a driver without one.

Expected values are those of the naive oracle, and of the CPU where the documents say that they are the same.
"""

import ctypes
import random
import sys
import threading
import types

import numpy as np
import oracle
import pytest
import tensorpad
from gpu_standin import OnHost, driver, gpu  # noqa: F401 (fixtures)
from tensorpad import _gpu

MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]


def random_view(draw, rank):
    """A view of random bytes: with gaps, turned around, or transposed, at any address of its type."""
    dtype = draw.choice(["u1", "i2", "f4", "f8", "c16", "V3"])
    extents = [draw.randint(1, 5) for _ in range(rank)]
    steps = [draw.choice([1, 1, 2, -1]) for _ in extents]
    whole = [extent * abs(step) for extent, step in zip(extents, steps)]
    width = np.dtype(dtype).itemsize
    skipped = draw.randrange(17) * (1 if dtype == "V3" else width)
    room = np.frombuffer(
        draw.randbytes(skipped + width * int(np.prod(whole))), np.uint8, offset=skipped
    )
    array = room.view(dtype).reshape(whole)[tuple(slice(None, None, step) for step in steps)]
    return array.transpose(draw.sample(range(rank), rank))


def test_random_pads(gpu):
    draw, run = random.Random(3), 0
    while run < 400:
        x = random_view(draw, draw.randint(1, 4))
        words = {
            "pad_width": [(draw.randint(-2, 6), draw.randint(-2, 6)) for _ in x.shape],
            "mode": [draw.choice(MODES) for _ in x.shape],
            "interior": [draw.choice([0, 0, 0, 1]) for _ in x.shape],
            "order": draw.choice(["window", "crop"]),
        }
        try:
            want = tensorpad.pad(x, **words)
        except ValueError:
            with pytest.raises(ValueError):
                tensorpad.pad(OnHost(x), **words)
            continue
        numbers = np.arange(x.size).reshape(x.shape)
        places = oracle.pad(
            numbers, words["pad_width"], words["mode"], -1, *list(words.values())[2:]
        )
        elements = np.concatenate([x.reshape(-1), np.zeros(1, x.dtype)])
        found = tensorpad.pad(OnHost(x, stream=32), **words)
        assert type(found) is OnHost and found.array.tobytes() == elements[places].tobytes(), words
        assert want.tobytes() == found.array.tobytes()
        launches = gpu.launches()
        assert len(launches) == (want.size > 0)
        assert all(line.endswith(" on 0, stream 32") for line in launches)
        run += 1


def test_random_gradients(gpu):
    draw, run = random.Random(4), 0
    for kind in "f4 f8 f2 c8 c16 i1 u2 i4 u8".split() * 12:
        shape = [draw.randint(1, 5) for _ in range(draw.randint(1, 3))]
        amounts = [(draw.randint(-2, 6), draw.randint(-2, 6)) for _ in shape]
        mode, interior = draw.choice(MODES), draw.choice([0, 0, 1])
        try:
            padded = tensorpad.pad_shape(shape, amounts, mode, interior=interior)
        except ValueError:
            continue
        grad = np.array(draw.choices(range(-50, 50), k=int(np.prod(padded))), "i8")
        grad = (grad / 8 if kind[0] in "fc" else grad).astype(kind).reshape(padded)
        want = tensorpad.pad_adjoint(grad, shape, amounts, mode, interior=interior)
        found = tensorpad.pad_adjoint(OnHost(grad), shape, amounts, mode, interior=interior)
        assert found.array.tobytes() == want.tobytes(), (kind, shape, amounts, mode)
        total = OnHost(want.copy())
        out = tensorpad.pad_adjoint(
            OnHost(grad), shape, amounts, mode, interior=interior, out=total, add=True
        )
        assert out is total and total.array.tobytes() == (want + want).tobytes()
        run += 1
    assert run > 60


def test_a_gradient_that_was_broadcast(gpu):
    grad = np.broadcast_to(np.float32(2), (7,))
    want = tensorpad.pad_adjoint(grad, 3, 2, "wrap")
    assert tensorpad.pad_adjoint(OnHost(grad), 3, 2, "wrap").array.tolist() == want.tolist()


def test_constants(gpu):
    x = np.arange(6, dtype="f4").reshape(2, 3)
    rows = ((1, 2), (3, 0)), ((-1.5, 2), (3, 4))
    for amounts in (*rows[:1], ((-1, 4), (2, -1)), 2):
        for values in (7, -0.0, (1, 2), rows[1], np.float64(3)):
            want = np.asarray(tensorpad.pad(x, amounts, constant_values=values))
            found = tensorpad.pad(OnHost(x), amounts, constant_values=values)
            assert found.array.tobytes() == want.tobytes(), (amounts, values)
    by_cell = {"constant_values": [1, 2, 3, 4, 5], "constant_axis": -1}
    want = tensorpad.pad(x, 1, **by_cell)
    gpu.calls()
    assert tensorpad.pad(OnHost(x), 1, **by_cell).array.tolist() == want.tolist()
    on_gpu = OnHost(np.arange(10, dtype="f4")[2:7][::-1])
    gpu.calls()
    found = tensorpad.pad(OnHost(x), 1, constant_values=on_gpu, constant_axis=1)
    assert found.array[0].tolist() == [6, 5, 4, 3, 2] and len(gpu.launches()) == 1
    found = tensorpad.pad(OnHost(x), 1, constant_values=OnHost(np.array(9, "f4")))
    assert found.array[:, 0].tolist() == [9, 9, 9, 9]
    for wrong in (
        OnHost(np.zeros(2, "f4")),
        OnHost(np.zeros(1, "f8")),
        OnHost(np.zeros(1, "f4"), 32),
    ):
        with pytest.raises((ValueError, TypeError), match="constants|two streams"):
            tensorpad.pad(OnHost(x), 1, constant_values=wrong)
    with pytest.raises(ValueError, match="only one constant"):
        tensorpad.pad(OnHost(x), 1, interior=1, constant_values=(1, 2))


def test_to_a_size_and_back(gpu):
    x = np.arange(12, dtype="i2").reshape(3, 4)
    words = {"multiple": 8, "mode": "reflect", "return_amounts": True}
    want, amounts = tensorpad.pad_to(x, **words)
    found, same = tensorpad.pad_to(OnHost(x), **words)
    assert found.array.tolist() == want.tolist() and same == amounts
    assert tensorpad.unpad(found, amounts).array.tolist() == x.tolist()
    with pytest.raises(OverflowError, match="holds integers"):
        tensorpad.pad_to(OnHost(x), (8, 8), constant_values=1e6)
    room = np.full((8, 8), -5, "i2")
    tensorpad.unpad(room, amounts)[...] = x
    out = OnHost(room)
    assert tensorpad.pad_border(out, amounts, "reflect") is out
    assert room.tolist() == want.tolist()
    tensorpad.pad_border(out, 1, constant_values=3)
    assert room.tolist() == np.pad(want[1:-1, 1:-1], 1, constant_values=3).tolist()


def test_out(gpu):
    x, room = np.arange(5, dtype="u1"), np.zeros((2, 9), "u1")
    out = OnHost(room[::-1][0])
    assert tensorpad.pad(OnHost(x), 2, "wrap", out=out) is out
    assert room[1].tolist() == np.pad(x, 2, "wrap").tolist()
    for first in (0, 2, 4):  # the input is copied first
        shared = np.arange(9, dtype="u1")
        want = np.pad(shared[first : first + 5], 2, "reflect").tolist()
        tensorpad.pad(OnHost(shared[first : first + 5]), 2, "reflect", out=OnHost(shared))
        assert shared.tolist() == want
    frozen = np.zeros(9, "u1")
    frozen.flags.writeable = False
    for wrong, error, words in (
        (OnHost(np.zeros(9, "i1")), TypeError, "out has type int8, the array uint8"),
        (OnHost(np.zeros(8, "u1")), ValueError, r"out has shape \(8,\), the result \(9,\)"),
        (OnHost(frozen), ValueError, "read-only"),
        (OnHost(np.zeros(9, "u1"), stream=16), ValueError, "two streams"),
        (OnHost(np.lib.stride_tricks.as_strided(room, (9,), (0,))), ValueError, "stride"),
        (np.zeros(9, "u1"), TypeError, "on the GPU"),
    ):
        with pytest.raises(error, match=words):
            tensorpad.pad(OnHost(x), 2, out=wrong)
    with pytest.raises(TypeError, match="of type OnHost, and the input is not"):
        tensorpad.pad(x, 2, out=OnHost(np.zeros(9, "u1")))


def test_what_is_refused(gpu, monkeypatch):
    x = OnHost(np.arange(5, dtype="f4"))
    for call, error, words in (
        (lambda: tensorpad.pad(x, 1, "mean"), TypeError, "'mean' is computed"),
        (lambda: tensorpad.pad(x, 1, "edge", constant_values=1), ValueError, "unsupported keyword"),
        (lambda: tensorpad.pad(x, -6), ValueError, "axis 0"),
        (lambda: tensorpad.pad_adjoint(x, 5, 1), ValueError, r"grad has shape \(5,\)"),
        (lambda: tensorpad.pad_adjoint(x, 3, 1, add=True), ValueError, "there is no out"),
        (lambda: tensorpad.pad(OnHost(x.array, mask=x), 1), TypeError, "mask"),
        (lambda: tensorpad.pad_adjoint(OnHost(np.zeros(5, "?")), 3, 1), TypeError, "adds integers"),
    ):
        with pytest.raises(error, match=words):
            call()
    nobodys = OnHost(x.array)
    monkeypatch.delattr(OnHost, "__array_namespace__")
    with pytest.raises(TypeError, match="out= is needed"):
        tensorpad.pad(nobodys, 1)


def test_it_is_never_taken_for_an_object(gpu, monkeypatch):
    x = OnHost(np.arange(5, dtype="f4"))
    elsewhere = (
        lambda: tensorpad.pad_batch([x, x]),
        lambda: tensorpad.pad_packed(x, 5, "int4", 1),
        lambda: tensorpad.onnx.pad(x, [1, 1]),
        lambda: tensorpad.Plan(5, 1, dtype="f4").run(x, np.zeros(7, "f4")),
        lambda: tensorpad.show(x, 1),
        lambda: tensorpad.pad([x], 1),
        lambda: tensorpad.pad(np.zeros(3), 1, constant_values=x),
    )
    for call in elsewhere:
        with pytest.raises(TypeError, match="GPU"):
            call()
    monkeypatch.setattr(_gpu, "on", False)
    for call in (
        lambda: tensorpad.pad(x, 1),
        lambda: tensorpad.pad_to(x, 8),
        lambda: tensorpad.pad_border(x, 1),
        lambda: tensorpad.pad_adjoint(x, 3, 1),
    ):
        with pytest.raises(TypeError, match="only if TENSORPAD_GPU=1"):
            call()


@pytest.mark.parametrize("package", ["cupy", "numba"])
def test_whose_arrays_they_are(gpu, package, monkeypatch):
    """The packages have no __array_namespace__, and CuPy may leave out its stream, by a setting."""
    kind = type("Array", (OnHost,), {"__module__": f"{package}.core"})
    monkeypatch.delattr(OnHost, "__array_namespace__")
    of_cupy, stream = package == "cupy", 48 if package == "cupy" else None
    cuda = types.SimpleNamespace(
        get_current_stream=lambda: types.SimpleNamespace(ptr=48),
        device_array=lambda shape, dtype: kind(np.empty(shape, dtype), None),
        to_device=lambda elements: kind(elements.copy(), None),
    )
    cupy = types.SimpleNamespace(
        cuda=cuda,
        empty=lambda shape, dtype: kind(np.empty(shape, dtype), None),
        asarray=lambda elements: kind(elements.copy(), None),
    )
    monkeypatch.setitem(sys.modules, "cupy" if of_cupy else "numba.cuda", cupy if of_cupy else cuda)
    x = kind(np.arange(4.0), None)
    found = tensorpad.pad(x, 1, constant_values=[1, 2, 3, 4, 5, 6], constant_axis=0)
    assert type(found) is kind and found.array.tolist() == [1, 0, 1, 2, 3, 6]
    assert gpu.launches()[0].endswith(f"stream {stream or 1}")


# ---- The driver ----------------------------------------------------------------------------------


def test_the_device_of_an_array(gpu):
    x = np.arange(5, dtype="f8")
    gpu.standin_device_1(x.ctypes.data, x.nbytes)
    out = np.zeros(9)
    with pytest.raises(ValueError, match=r"on devices \[0, 1\]"):
        tensorpad.pad(OnHost(x), 2, out=OnHost(out))
    with pytest.raises(
        RuntimeError, match="on device 1, and its package makes new ones on device 0"
    ):
        tensorpad.pad(OnHost(x), 2)
    room = np.zeros(14)
    gpu.standin_device_1(room.ctypes.data, room.nbytes)
    gpu.calls()
    tensorpad.pad(OnHost(room[:5], 17), 2, "edge", out=OnHost(room[5:], 17))
    switched, *_, load, launch, back = gpu.calls()
    context = ctypes.c_void_p()
    gpu.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
    gpu.cuCtxSetCurrent(context)  # of the other device
    tensorpad.pad(OnHost(room[:5], 17), 2, "edge", out=OnHost(room[5:], 17))
    assert gpu.calls() == ["context", "context", "launch 8 on 1, stream 17", "context"]
    now = ctypes.c_void_p()
    gpu.cuCtxGetCurrent(ctypes.byref(now))
    gpu.standin_device_1(None, 0)
    assert now.value == context.value
    assert (switched, load, launch) == ("context", "load", "launch 8 on 1, stream 17")
    assert back == "no context" and room[5:].tolist() == [0] * 9


def test_kernels_are_loaded_once(gpu):
    def call():
        x = np.arange(50, dtype="i8")
        for _ in range(20):
            assert tensorpad.pad(OnHost(x), 7, "wrap").array[0] == 43

    gpu.standin_forget()
    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    calls = gpu.calls()
    assert calls.count("load") == 1 and sum("launch" in one for one in calls) == 80


def test_the_cache(gpu, tmp_path, monkeypatch):
    monkeypatch.setenv("TENSORPAD_CACHE", str(tmp_path / "new" / "folder"))
    kernel = "tpad_pad_w4_i32", "-DTPAD_GPU_KERNEL=6", 9, 0
    code = _gpu.gpu_kernel(*kernel)
    assert gpu.calls() == ["compile"] and code.startswith(b"standin sm_90 -DTPAD_GPU_KERNEL=6\0")
    (file,) = (tmp_path / "new" / "folder").iterdir()
    assert file.name.startswith("tpad_pad_w4_i32-sm_90-nvrtc13.2-")
    assert _gpu.gpu_kernel(*kernel) == code and gpu.calls() == []
    for damaged in (b"", file.read_bytes()[:-1], file.read_bytes().replace(b"=6", b"=8")):
        file.write_bytes(damaged)
        assert _gpu.gpu_kernel(*kernel) == code and gpu.calls() == ["compile"]
    file.unlink()
    file.mkdir()  # neither read nor written
    assert _gpu.gpu_kernel(*kernel) == code and gpu.calls() == ["compile"]
    _gpu.gpu_kernel("tpad_pad_w4_i32", "-DTPAD_GPU_KERNEL=6", 7, 5)
    assert len(list(file.parent.iterdir())) == 2  # another architecture
    monkeypatch.setattr(_gpu, "OPTIONS", (b"--fmad=true",))
    with pytest.raises(RuntimeError, match="refuses the kernel: an error of syntax"):
        _gpu.gpu_kernel(*kernel)


def test_architectures(gpu):
    compiler = _gpu.nvrtc()
    assert [compiler.target(n) for n in (75, 80, 90, 120)] == [
        "sm_75", "compute_75", "sm_90", "compute_90"
    ]  # fmt: skip
    with pytest.raises(RuntimeError, match="from sm_75 on, this is sm_70"):
        compiler.target(70)


def test_a_captured_graph(gpu):
    x, out = np.arange(5, dtype="u2"), np.zeros(11, "u2")
    gpu.standin_forget()
    call = lambda: tensorpad.pad(OnHost(x, 48), 3, "symmetric", out=OnHost(out, 48))
    call()  # loads the kernel
    gpu.standin_capture(48)
    out[:] = 0
    call()
    with pytest.raises(RuntimeError, match="call it once before the graph is captured"):
        tensorpad.pad_adjoint(OnHost(np.zeros(11, "f2"), 48), 5, 3, "symmetric")
    gpu.standin_capture(None)
    assert not out.any()
    for first in (0, 100):
        x[:] = np.arange(first, first + 5)
        gpu.standin_replay()
        assert out.tolist() == np.pad(x, 3, "symmetric").tolist()


def test_what_fails_is_said(gpu, monkeypatch):
    x = OnHost(np.arange(5, dtype="f4"))
    for function, what in (
        ("cuLaunchKernel", "to launch"),
        ("cuPointerGetAttribute", "which device"),
    ):
        gpu.standin_fail(function.encode())
        with pytest.raises(
            RuntimeError, match=f'{what}.*: the CUDA driver says "the test wants it'
        ):
            tensorpad.pad(x, 1)
    gpu.standin_forget()
    gpu.standin_fail(b"cuModuleLoadData")
    with pytest.raises(RuntimeError, match="to load a kernel"):
        tensorpad.pad(x, 1)
    gpu.standin_fail(None)
    assert tensorpad.pad(x, 1).array.tolist() == [0, 0, 1, 2, 3, 4, 0]
    for name, words in (
        ("none", "the CUDA driver was not found"),
        ("libm.so.6", "it has no cuCtxGet"),
    ):
        monkeypatch.setattr(_gpu, "_driver", None)
        monkeypatch.setenv("TENSORPAD_LIBCUDA", name)
        for _ in "twice":
            with pytest.raises(RuntimeError, match=words):
                tensorpad.pad(x, 1)
