"""tensorpad.onnxruntime: sessions with the plug-in, and `python -m tensorpad.onnxruntime`.

Expected values are numpy.pad's.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys

import numpy as np
import pytest
import tensorpad.onnxruntime

ort = pytest.importorskip("onnxruntime")
onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper  # noqa: E402

CPU = ["CPUExecutionProvider"]
# One line for the table, then one for each Pad node and one for the whole model.
ROW = r"^(.+?) +(-|[\d,.]+ us) +(-|[\d,.]+ us)$"


def save(path, nodes, inputs, outputs=("y",), constants=(), opset=21):
    """A model; inputs and outputs are (name, type, shape) or the name of a float of any shape."""

    def value(port):
        name, kind, shape = (port, TensorProto.FLOAT, None) if isinstance(port, str) else port
        return helper.make_tensor_value_info(name, kind, shape)

    graph = helper.make_graph(
        nodes,
        "g",
        [value(port) for port in inputs],
        [value(port) for port in outputs],
        [onnx.numpy_helper.from_array(np.asarray(array), name) for name, array in constants],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)
    onnx.save(model, path)
    return path


def node(kind, inputs, output, **attributes):
    return helper.make_node(kind, inputs.split(" "), [output], **attributes)


def pad_model(path, kind, shape, begin_and_end, mode="constant", value=None, **options):
    constants = [("amounts", np.int64(begin_and_end))] + [("value", value)] * (value is not None)
    inputs = " ".join(["x", *(name for name, _ in constants)])
    nodes = [node("Pad", inputs, "y", name="pad_1", mode=mode)]
    return save(path, nodes, [("x", kind, shape)], [("y", kind, None)], constants, **options)


def quiet():
    options = ort.SessionOptions()
    options.log_severity_level = 4
    return options


def session(path, registered=1):
    options = quiet()
    options.intra_op_num_threads = 1
    for _ in range(registered):
        tensorpad.onnxruntime.register(options)
    return ort.InferenceSession(str(path), options, providers=CPU)


def in_another_process(code, *words):
    run = [sys.executable, "-c", code, *map(str, words)]
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---- register ------------------------------------------------------------------------------------

FLOATS = np.arange(6, dtype="f4").reshape(2, 3)
needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
TEXTS = np.array([["a", ""], ["ccc", "dddd" * 50]], object)


@pytest.mark.parametrize(
    "array, widths, mode, value",
    [
        (FLOATS, ((1, 0), (2, 3)), "constant", np.float32(7.5)),
        (FLOATS, ((0, 5), (4, 9)), "reflect", None),
        (FLOATS.astype("i2"), ((1, 1), (1, 1)), "constant", np.int16(-9)),
        (FLOATS.astype("u2"), ((0, 0), (7, 2)), "wrap", None),
        (FLOATS.astype("f2"), ((2, 1), (1, 0)), "edge", None),
        (FLOATS > 2, ((0, 1), (3, 3)), "constant", None),
        (TEXTS, ((1, 0), (0, 2)), "edge", None),
        (TEXTS, ((3, 3), (5, 1)), "reflect", None),
        (TEXTS, ((1, 1), (1, 1)), "constant", np.array("filled", object)),
        (TEXTS, ((1, 1), (1, 1)), "constant", None),
    ],
    ids=lambda item: item if isinstance(item, str) else getattr(item, "dtype", ""),
)
def test_sessions_give_what_numpy_gives(tmp_path, array, widths, mode, value):
    kind = TensorProto.STRING if array.dtype == object else None
    kind = kind or helper.np_dtype_to_tensor_dtype(array.dtype)
    amounts = [*(before for before, _ in widths), *(after for _, after in widths)]
    path = pad_model(tmp_path / "m.onnx", kind, list(array.shape), amounts, mode, value)
    (found,) = session(path).run(None, {"x": array})
    filler = {}
    if mode == "constant":
        empty = "" if array.dtype == object else 0
        filler = {"constant_values": empty if value is None else value.item()}
    expected = np.pad(array, widths, mode, **filler)
    assert found.dtype == expected.dtype and np.array_equal(found, expected)


@needs_proc
@pytest.mark.parametrize("threads", [1, 2])
def test_a_large_pad_starts_no_thread(tmp_path, threads):
    """It is shared out to the session's own threads, which are there from the beginning on."""
    shape = [1024, 2048]  # 4 MiB of int16, which is the plug-in's alone
    path = pad_model(tmp_path / "m.onnx", TensorProto.INT16, shape, [1, 2, 3, 4])
    code = (
        "import os, sys, numpy as np, onnxruntime as ort, tensorpad.onnxruntime\n"
        "options = ort.SessionOptions()\n"
        "options.intra_op_num_threads = int(sys.argv[2])\n"
        "tensorpad.onnxruntime.register(options)\n"
        "session = ort.InferenceSession(sys.argv[1], options, providers=['CPUExecutionProvider'])\n"
        "before = len(os.listdir('/proc/self/task'))\n"
        "x = np.arange(1 << 21, dtype='i2').reshape(1024, -1)\n"
        "for _ in range(5): (found,) = session.run(None, {'x': x})\n"
        "assert np.array_equal(found, np.pad(x, [(1, 3), (2, 4)]))\n"
        "print(len(os.listdir('/proc/self/task')) - before)\n"
    )
    assert in_another_process(code, path, threads) == "0\n"


def test_without_it_the_same_model_is_refused(tmp_path):
    """So it is the plug-in that ran in the other tests; registered three times it is as once."""
    path = pad_model(tmp_path / "m.onnx", TensorProto.INT16, [2], [1, 1])
    with pytest.raises(Exception, match="Pad"):
        session(path, registered=0)
    for times in (1, 3):
        found = session(path, times).run(None, {"x": np.int16([1, 2])})[0]
        assert found.tolist() == [0, 1, 2, 0]


def test_a_wrong_input_is_told_and_the_session_lives_on(tmp_path):
    path = save(
        tmp_path / "m.onnx",
        [node("Pad", "x amounts", "y", name="the_culprit", mode="wrap")],
        ["x", ("amounts", TensorProto.INT64, [None])],
    )
    one = session(path)
    for wrong, words in ((np.int64([1, 1]), "pads"), (np.int64([-9, 0, 0, 0]), "axis 0")):
        with pytest.raises(Exception) as error:
            one.run(None, {"x": FLOATS, "amounts": wrong})
        assert "the_culprit" in str(error.value) and words in str(error.value)
        assert "\n" not in str(error.value).strip()
        (found,) = one.run(None, {"x": FLOATS, "amounts": np.int64([1, 0, 0, 2])})
        assert np.array_equal(found, np.pad(FLOATS, ((1, 0), (0, 2)), "wrap"))


def test_the_library_that_it_registers():
    path = pathlib.Path(tensorpad.onnxruntime.library_path())
    name = "tensorpad_ort.dll" if os.name == "nt" else "libtensorpad_ort.so"
    assert path.name == name and path.parent.parent.name == "tensorpad"


def test_it_stays_loaded():
    """ONNX Runtime lets go of it with the options, and keeps what it has registered; each time that
    it were loaded anew would cost 10 KB."""
    code = (
        "import ctypes, gc, os, onnxruntime as ort, tensorpad.onnxruntime\n"
        "options = ort.SessionOptions()\n"
        "tensorpad.onnxruntime.register(options)\n"
        "del options\n"
        "gc.collect()\n"
        "if os.name == 'nt':\n"
        "    handle = ctypes.windll.kernel32.GetModuleHandleW\n"
        "    handle.restype = ctypes.c_void_p\n"
        "    print(handle('tensorpad_ort.dll') is not None)\n"
        "else:\n"
        "    print('libtensorpad_ort.so' in open('/proc/self/maps').read())\n"
    )
    assert in_another_process(code) == "True\n"


def test_arguments_that_are_no_options():
    for wrong in (None, "options", ort.RunOptions()):
        with pytest.raises(TypeError, match=f"SessionOptions, not {type(wrong).__name__}"):
            tensorpad.onnxruntime.register(wrong)


def test_a_build_without_the_plugin(tmp_path, monkeypatch):
    monkeypatch.setattr(tensorpad.onnxruntime, "__file__", str(tmp_path / "a" / "__init__.py"))
    with pytest.raises(FileNotFoundError, match="has no plug-in for ONNX Runtime"):
        tensorpad.onnxruntime.register(ort.SessionOptions())


CALL = "import tensorpad.onnxruntime\ntry: tensorpad.onnxruntime.register(None)\n"


def test_without_onnxruntime():
    said = in_another_process(
        "import sys; sys.modules['onnxruntime'] = None\n"
        + CALL
        + "except ImportError as error: print(error.name, '-', error)"
    )
    assert said == (
        "onnxruntime - tensorpad.onnxruntime needs ONNX Runtime 1.17 or newer: "
        'pip install "tensorpad[onnxruntime]"\n'
    )


@pytest.mark.parametrize("version, fits", [("1.16.3", 0), ("0.9", 0), ("1.17.0", 1), ("2.0", 1)])
def test_versions_of_onnxruntime(version, fits):
    said = in_another_process(
        "import sys, types; fake = types.ModuleType('onnxruntime')\n"
        f"fake.__version__ = '{version}'; fake.SessionOptions = int\n"
        "sys.modules['onnxruntime'] = fake\n"
        + CALL
        + "except (ImportError, TypeError) as error: print(type(error).__name__, '-', error)"
    )
    too_old = f"ImportError - onnxruntime {version} is too old for tensorpad, which needs 1.17 or"
    assert said.startswith("TypeError" if fits else too_old)


def test_importing_it_loads_no_onnxruntime():
    code = "import sys, tensorpad.onnxruntime; print('onnxruntime' in sys.modules)"
    assert in_another_process(code) == "False\n"


# ---- prepare and session -------------------------------------------------------------------------


ONES = np.int64([0, 0, 1, 1] * 2)
KERNEL = np.random.default_rng(1).standard_normal((4, 3, 3, 3)).astype("f4")


def two_pads(path):
    """x -> Pad of zeros -> Conv -> Pad that reflects -> y"""
    nodes = [
        node("Pad", "x amounts", "padded", name="zeros"),
        node("Conv", "padded w", "t", kernel_shape=[3, 3], pads=[0] * 4),
        node("Pad", "t amounts", "y", name="mirror", mode="reflect"),
    ]
    inputs = [("x", TensorProto.FLOAT, [1, 3, 16, 16])]
    outputs = [("y", TensorProto.FLOAT, [1, 4, 18, 18])]
    return save(path, nodes, inputs, outputs, [("amounts", ONES), ("w", KERNEL)], opset=18)


def domains(content):
    """{name of a node: its domain} of the Pads of a model."""
    return {
        node.name: node.domain
        for node in onnx.load_from_string(content).graph.node
        if node.op_type == "Pad"
    }


IMAGE = {"x": np.random.default_rng(2).standard_normal((1, 3, 16, 16)).astype("f4")}


def test_a_prepared_model_leaves_zeros_to_the_conv(tmp_path):
    path = two_pads(tmp_path / "m.onnx")
    plain = ort.InferenceSession(str(path), quiet(), providers=CPU)
    options = quiet()
    options.optimized_model_filepath = str(tmp_path / "optimised.onnx")
    one = tensorpad.onnxruntime.session(path, options, providers=CPU)
    np.testing.assert_array_equal(one.run(None, IMAGE)[0], plain.run(None, IMAGE)[0])
    assert domains(tensorpad.onnxruntime.prepare(path)) == {"zeros": "", "mirror": "tensorpad"}
    assert domains((tmp_path / "optimised.onnx").read_bytes()) == {"mirror": "tensorpad"}
    assert one.get_providers() == CPU


def test_a_prepared_model_is_right_where_onnxruntime_is_not(tmp_path):
    """int16, which it refuses, and Transposes that it moves past a Pad with axes."""
    path = pad_model(tmp_path / "m.onnx", TensorProto.INT16, [2], [1, 1])
    (found,) = tensorpad.onnxruntime.session(path).run(None, {"x": np.int16([1, 2])})
    assert found.tolist() == [0, 1, 2, 0]
    nodes = [
        node("Transpose", "x", "t", perm=[0, 2, 3, 1]),
        node("Pad", "t amounts  axes", "u"),
        node("Transpose", "u", "y", perm=[0, 3, 1, 2]),
    ]
    inputs = [("x", TensorProto.FLOAT, [1, 2, 3, 4])]
    constants = [("amounts", np.int64([1, 2, 3, 4])), ("axes", np.int64([3, 1]))]
    path = save(tmp_path / "moved.onnx", nodes, inputs, constants=constants, opset=18)
    x = np.arange(24, dtype="f4").reshape(1, 2, 3, 4)
    (found,) = tensorpad.onnxruntime.session(path).run(None, {"x": x})
    assert np.array_equal(found, np.pad(x, [(0, 0), (1, 3), (2, 4), (0, 0)]))


def test_forms_of_a_model(tmp_path):
    path = two_pads(tmp_path / "m.onnx")
    wanted = tensorpad.onnxruntime.prepare(path)
    content = path.read_bytes()
    for form in (str(path), content, bytearray(content), onnx.load(path)):
        assert tensorpad.onnxruntime.prepare(form) == wanted
        assert tensorpad.onnxruntime.session(form).run(None, IMAGE)[0].shape == (1, 4, 18, 18)
    assert path.read_bytes() == content and os.listdir(tmp_path) == ["m.onnx"]


def test_a_prepared_model_with_weights_in_another_file(tmp_path):
    model = onnx.load(two_pads(tmp_path / "m.onnx"))
    (tmp_path / "m.onnx").unlink()
    onnx.save_model(
        model, tmp_path / "m.onnx", save_as_external_data=True, location="w.bin", size_threshold=100
    )
    inside = tensorpad.onnxruntime.session(two_pads(tmp_path / "inside.onnx")).run(None, IMAGE)[0]
    outside = tensorpad.onnxruntime.session(tmp_path / "m.onnx").run(None, IMAGE)[0]
    assert np.array_equal(inside, outside)
    assert sorted(os.listdir(tmp_path)) == ["inside.onnx", "m.onnx", "w.bin"]


def test_a_prepared_file_needs_the_plugin(tmp_path):
    path = two_pads(tmp_path / "m.onnx")
    wanted = ort.InferenceSession(str(path), quiet(), providers=CPU).run(None, IMAGE)[0]
    prepared = tensorpad.onnxruntime.prepare(path)
    with pytest.raises(Exception, match="tensorpad"):
        ort.InferenceSession(prepared, quiet(), providers=CPU)
    for only in (True, False):
        options = quiet()
        tensorpad.onnxruntime.register(options, prepared=only)
        one = ort.InferenceSession(prepared, options, providers=CPU)
        np.testing.assert_allclose(one.run(None, IMAGE)[0], wanted, rtol=0, atol=1e-5)


def test_the_version_decides(tmp_path):
    """Up to 1.31, a MaxPool after a Pad of zeros takes no zero as the largest number."""
    nodes = [
        node("Pad", "x amounts", "t", name="zeros"),
        node("MaxPool", "t", "y", kernel_shape=[2, 2]),
    ]
    inputs = [("x", TensorProto.FLOAT, [1, 3, 16, 16])]
    path = save(tmp_path / "m.onnx", nodes, inputs, constants=[("amounts", ONES)], opset=18)
    for version, domain in (("1.31", "tensorpad"), ("1.32", "")):
        assert domains(tensorpad.onnxruntime.prepare(path, version=version)) == {"zeros": domain}


def test_only_the_prepared_model_is_refused(tmp_path, monkeypatch):
    """The session is that of the model as it is; where that is refused, too, the first refusal counts."""
    monkeypatch.setattr(tensorpad.onnxruntime, "prepare", lambda model: b"none")
    path = pad_model(tmp_path / "m.onnx", TensorProto.FLOAT, [3], [1, 2])
    for model in path, str(path), path.read_bytes():
        with pytest.warns(RuntimeWarning, match="without the plug-in's Pads.*refuses the model"):
            session = tensorpad.onnxruntime.session(model, providers=CPU)
        [y] = session.run(None, {"x": np.ones(3, np.float32)})
        np.testing.assert_array_equal(y, np.pad(np.ones(3, np.float32), (1, 2)))
    with pytest.raises(Exception, match="protobuf parsing failed"):
        tensorpad.onnxruntime.session(
            pad_model(path, TensorProto.INT16, [3], [1, 2]), providers=CPU
        )


def test_what_is_no_model(tmp_path):
    (tmp_path / "m.xml").write_text("<net/>", encoding="ascii")
    for model, error, text in (
        (None, TypeError, "a path, an onnx.ModelProto or its bytes, got NoneType"),
        (tmp_path / "missing.onnx", FileNotFoundError, "missing.onnx"),
        (b"no model", ValueError, "the model: not a valid ONNX model"),
        (tmp_path / "m.xml", ValueError, "m.xml"),
    ):
        with pytest.raises(error, match=text):
            tensorpad.onnxruntime.prepare(model)
    with pytest.raises(ValueError, match="ort-new"):
        tensorpad.onnxruntime.prepare(two_pads(tmp_path / "m.onnx"), version="new")


# ---- python -m tensorpad.onnxruntime -------------------------------------------------------------


def command(*words, fake=None):
    """(status, standard output, standard error)"""
    run = [sys.executable, "-m", "tensorpad.onnxruntime"]
    if fake:
        as_module = "import runpy; runpy.run_module('tensorpad.onnxruntime', run_name='__main__')"
        run = [sys.executable, "-c", f"import sys; {fake}\n{as_module}"]
    done = subprocess.run(
        [*run, "--threads", "1", *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "100"},
    )
    # What ONNX Runtime says on a Windows without graphics.
    return done.returncode, done.stdout, done.stderr.replace("Failed to create DXGI factory.\n", "")


def rows(said):
    return {name: (without, with_) for name, without, with_ in re.findall(ROW, said, re.M)}


def test_a_model_with_equal_outputs(tmp_path):
    nodes = [
        node("Pad", "x amounts", "t", name="first"),
        node("Abs", "t", "u"),
        node("Pad", "u amounts", "y", name="sec\nond", mode="edge"),
    ]
    inputs = [("x", TensorProto.FLOAT, ["n", 3]), ("flag", TensorProto.BOOL, [])]
    constants = [("amounts", np.int64([0, 1, 0, 1]))]
    path = save(tmp_path / "m.onnx", nodes, inputs, constants=constants)
    status, said, errors = command(path, "--input-shape", "x=200,3", "--rounds", 3)
    assert (status, errors) == (0, "")
    assert said.startswith(f"{path}: 2 Pad nodes, ONNX Runtime {ort.__version__}, tensorpad ")
    assert "medians of 3 runs, threads: 1\n" in said
    assert list(rows(said)) == ["first", "sec\\nond", "all Pad nodes", "whole model"]
    assert all("us" in time for pair in rows(said).values() for time in pair)
    assert "\noutputs: equal to the bit\n" in said
    assert "CUDA or DirectML" in said and "warning" not in said


def test_a_model_that_only_the_plugin_runs(tmp_path):
    path = pad_model(tmp_path / "m.onnx", TensorProto.INT16, ["n"], [1, 1])
    status, said, errors = command(path, "--rounds", 2)
    assert (status, errors) == (0, "")
    assert re.search(r"^without: ONNX Runtime refuses the model: .*Pad", said, re.M)
    assert [without for without, _ in rows(said).values()] == ["-", "-"]
    assert "outputs" not in said


def test_a_model_that_differs(tmp_path):
    """ONNX Runtime converts float16 to float and back, which changes a signalling NaN, and lets a
    convolution take zeros over."""
    np.save(tmp_path / "x.npy", np.array([0x3C00, 0x4000, 0x7C01], "u2").view("f2"))
    np.save(tmp_path / "i.npy", np.ones((1, 1, 2, 2), "f4"))
    nodes = [
        node("Pad", "x one", "y", name="bits"),
        node("Pad", "i all", "t", name="zeros"),
        node("Conv", "t k", "z", pads=[0, 0, 0, 0]),
    ]
    inputs = [("x", TensorProto.FLOAT16, [3]), ("i", TensorProto.FLOAT, [1, 1, 2, 2])]
    constants = [("one", np.int64([1, 0])), ("all", ONES), ("k", np.ones((1, 1, 2, 2), "f4"))]
    outputs = [("y", TensorProto.FLOAT16, [4]), "z"]
    path = save(tmp_path / "m.onnx", nodes, inputs, outputs, constants)
    words = [word for name in "xi" for word in ("--input", f"{name}={tmp_path / name}.npy")]
    status, said, _ = command(path, "--rounds", 2, *words)
    assert status == 4
    assert rows(said)["zeros"][0] == "-" and "-: ONNX Runtime makes this Pad a part of" in said
    assert "outputs: 1 of 4 elements of output 'y' differ, the first at [3]: nan without" in said
    [hint] = re.findall(r"own Pad does, .*: python -m tensorpad (.*)$", said, re.M)
    done = subprocess.run(
        [sys.executable, "-m", "tensorpad", *shlex.split(hint, posix=os.name != "nt")],
        capture_output=True,
        text=True,
    )
    assert "ort-1.31" in done.stdout, done.stderr


AXIS_1 = [("amounts", np.int64([1, 1])), ("axes", np.int64([1]))]
TWO_BY_THREE = [("x", TensorProto.FLOAT, [2, 3])]


def test_transposes_around_axes_are_warned_of(tmp_path):
    nodes = [
        node("Transpose", "x", "t", perm=[1, 0]),
        node("Pad", "t amounts  axes", "u", name="between"),
        node("Transpose", "u", "y", perm=[1, 0]),
    ]
    path = save(tmp_path / "m.onnx", nodes, TWO_BY_THREE, constants=AXIS_1)
    status, said, errors = command(path, "--rounds", 2)
    assert status == 1 and "refuses the model" in errors
    way = re.search(r"^warning: .*Transposes.*_config_entry\('(.*)', '(.*)'\)$", said, re.M)
    for after in (0, 1):  # the way out, before register and after it
        options = quiet()
        if after:
            tensorpad.onnxruntime.register(options)
        options.add_session_config_entry(way[1], way[2])
        tensorpad.onnxruntime.register(options)
        one = ort.InferenceSession(str(path), options, providers=CPU)
        (found,) = one.run(None, {"x": FLOATS})
        assert np.array_equal(found, np.pad(FLOATS, ((1, 1), (0, 0))))


def test_a_pool_is_warned_of_before_1_20(tmp_path, monkeypatch):
    from tensorpad.onnxruntime import __main__ as main

    nodes = [
        node("Pad", "x amounts", "t"),
        node("MaxPool", "t", "y", kernel_shape=[2], pads=[0, 0]),
    ]
    constants = [("amounts", np.int64([0, 0, 1, 0, 0, 1]))]
    inputs = [("x", TensorProto.FLOAT, [1, 1, 2])]
    path = save(tmp_path / "m.onnx", nodes, inputs, constants=constants)
    inputs = {"x": -np.ones((1, 1, 2), "f4")}
    words = (str(path), 1, tensorpad.inspect_model(path), lambda _: inputs)
    right, wrong = [np.float32([[[0, -1, 0]]])], [np.float32([[[-1, -1, -1]]])]
    for version, outputs, warned in (
        ((1, 19), None, 1),
        ((1, 19), wrong, 1),
        ((1, 19), right, 0),
        ((1, 20), None, 0),
    ):
        monkeypatch.setattr(main, "_version_of", lambda _, version=version: version)
        lines = list(main._warnings(*words, outputs))
        assert len(lines) == warned, (version, lines)
        assert all("disabled_optimizers=['Pad_Fusion'] of Inf" in line for line in lines)


def test_axes_alone_are_not_warned_of(tmp_path):
    nodes = [node("Pad", "x amounts  axes", "y")]
    path = save(tmp_path / "m.onnx", nodes, TWO_BY_THREE, constants=AXIS_1)
    status, said, _ = command(path, "--rounds", 1)
    assert status == 0 and "warning" not in said


def test_models_whose_runs_differ_are_not_compared(tmp_path):
    nodes = [node("RandomNormalLike", "x", "r"), node("Pad", "r amounts", "y")]
    inputs, constants = [("x", TensorProto.FLOAT, [9])], [("amounts", np.int64([1, 1]))]
    path = save(tmp_path / "m.onnx", nodes, inputs, constants=constants)
    status, said, _ = command(path, "--rounds", 1)
    assert status == 0 and "outputs: not comparable" in said


def test_errors(tmp_path):
    good = pad_model(tmp_path / "m.onnx", TensorProto.FLOAT, ["n", 3], [0, 1, 0, 1])
    (tmp_path / "bad.onnx").write_bytes(b"\xff" * 40)
    (tmp_path / "bad.npy").write_bytes(b"no array")
    bad_type = pad_model(tmp_path / "t.onnx", TensorProto.BFLOAT16, [3], [0, 1])
    forbidden = pad_model(tmp_path / "f.onnx", TensorProto.FLOAT, [3], [0, 1, 2])
    for words, status, text in (
        ([tmp_path / "none.onnx"], 1, "none.onnx"),
        ([tmp_path / "bad.onnx"], 3, "bad.onnx"),
        ([good, "--input-shape", "x=1"], 3, "cannot have [1]"),
        ([good, "--input-shape", "x=1,4"], 3, "cannot have [1, 4]"),
        ([good, "--input-shape", "z=1"], 3, "the model has no input 'z'; it has x"),
        ([bad_type], 3, "input 'x' is tensor(bfloat16), for which NumPy has no type"),
        ([forbidden], 1, "pad_1"),
        ([good, "--input-shape", "x"], 2, "NAME="),
        ([good, "--input-shape", "x=a"], 2, "NAME=1,3,224,224"),
        ([good, "--input", f"x={tmp_path / 'bad.npy'}"], 2, "bad.npy' cannot be read"),
        ([good, "--rounds", "0"], 2, "at least 1"),
        ([good, "--threads", "1.5"], 2, "at least 1"),
        ([], 2, "MODEL"),
    ):
        found, _, errors = command(*words)
        line = errors.strip().splitlines()[-1]
        assert (found, text in line) == (status, True), (words, found, errors)
        assert status == 2 or len(errors.strip().splitlines()) == 1, errors


def test_the_command_without_onnxruntime(tmp_path):
    path = pad_model(tmp_path / "m.onnx", TensorProto.FLOAT, [3], [1, 1])
    status, _, errors = command(path, fake="sys.modules['onnxruntime'] = None")
    assert status == 1 and 'pip install "tensorpad[onnxruntime]"' in errors
