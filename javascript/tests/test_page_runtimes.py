"""What the page says that runtimes do with a pad equals `tensorpad check` on a model with it."""

import json
import pathlib
import random
import shutil
import subprocess

import numpy
import onnx
import pytest
from ml_dtypes import bfloat16
from onnx import helper, numpy_helper

from conftest import COMMAND, ROOT, go

MODULE = ROOT / "build/javascript/playground.wasm"
NEEDED = (("Node", shutil.which("node")), (MODULE.name, MODULE.exists()))
NEEDS = [name for name, there in NEEDED if not there]
pytestmark = pytest.mark.skipif(bool(NEEDS), reason=f"missing: {', '.join(NEEDS)}")

MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]
# The page's word: the element type in an IR.
LAYER_TYPES = {
    **{f"float{bits}": f"f{bits}" for bits in (32, 64, 16)},
    "bfloat16": "bf16",
    **{
        f"{kind}int{bits}": f"{kind or 'i'}{bits}" for kind in ("", "u") for bits in (8, 16, 32, 64)
    },
    "bool": "boolean",
}


def precision(element):
    """Of a port with such elements."""
    return {"boolean": "BOOL"}.get(element, element.upper().replace("F", "FP").replace("BFP", "BF"))


VALUES = {
    "float": ["0", "-0.0", "1.5", "-2", "6e4", "inf", "-inf", "nan", "0.1", "1e-45"],
    "uint": ["0", "1", "7", "255"],
    "int": ["0", "1", "-1", "127", "-128"],
    "bool": ["0", "1"],
}


def amounts(generator, extent):
    far = [extent - 1, extent, extent + 1, 2 * extent + 1]
    return generator.choice([0, 0, 0, 1, 2, -1, -2, -extent, *far])


def one_problem(generator):
    """Mostly what a document allows, and often just outside of it."""
    rank = generator.choice([0, 1, 2, 2, 3, 4, 4, 5, 6, 9])
    shape = [generator.choice([0, 1, 1, 2, 3, 3, 4, 5]) for _ in range(rank)]
    word = generator.choice(list(LAYER_TYPES))
    spec = generator.choice(
        [f"onnx-{n}" for n in (1, 2, 11, 13, 18, 19, 21, 23, 24, 25)] * 2
        + ["openvino-1", "openvino-12"] * 4
    )
    problem = {"spec": spec, "type": word, "shape": shape, "mode": generator.choice(MODES)}
    count = rank
    if spec[:4] == "onnx" and int(spec[5:]) >= 13 and generator.random() < 0.4 and rank:
        count = generator.randrange(rank + 1)
        axes = generator.sample(range(rank), count)
        problem["axes"] = [axis - generator.choice([0, rank]) for axis in axes]
        if generator.random() < 0.1 and axes:
            problem["axes"][0] = generator.choice([rank, -rank - 1, axes[-1]])
    named = [
        shape[axis] if -rank <= axis < rank else 1 for axis in problem.get("axes", range(rank))
    ]
    problem["pads"] = [amounts(generator, extent) for extent in named * 2]
    if spec[:4] == "onnx" and generator.random() < 0.04:
        problem["pads"] += [0, 0]
    if generator.random() < 0.6:
        as_float = word if spec not in ("onnx-1", "onnx-2") else "float"
        kind = next(kind for kind in ("uint", "int", "bool", "float") if kind in as_float)
        problem["value"] = generator.choice(VALUES[kind])
    return problem


# ---- The same problem as a file ----------------------------------------------------------------


def array_of(problem):
    dtype = bfloat16 if problem["type"] == "bfloat16" else problem["type"]
    with numpy.errstate(all="ignore"):
        return numpy.array(float(problem.get("value", 0))).astype(dtype)


def write_onnx(path, problem):
    opset = int(problem["spec"][5:])
    inputs, tensors, attributes = ["x"], [], []
    if opset < 11:
        name, ints = "paddings" if opset == 1 else "pads", onnx.AttributeProto.INTS
        attributes.append(helper.make_attribute(name, problem["pads"], attr_type=ints))
        if "value" in problem:
            attributes.append(helper.make_attribute("value", float(problem["value"])))
    else:
        tensors.append(numpy_helper.from_array(numpy.array(problem["pads"], numpy.int64), "pads"))
        inputs += [
            "pads",
            "value" if "value" in problem else "",
            "axes" if "axes" in problem else "",
        ]
        if "value" in problem:
            tensors.append(numpy_helper.from_array(array_of(problem), "value"))
        if "axes" in problem:
            axes = numpy.array(problem["axes"], numpy.int64)
            tensors.append(numpy_helper.from_array(axes, "axes"))
        while not inputs[-1]:
            inputs.pop()
    element = helper.np_dtype_to_tensor_dtype(array_of(problem).dtype)
    node = helper.make_node("Pad", inputs, ["y"], name="pad", mode=problem["mode"])
    node.attribute.extend(attributes)
    graph = helper.make_graph(
        [node],
        "g",
        [helper.make_tensor_value_info("x", element, problem["shape"])],
        [helper.make_tensor_value_info("y", element, None)],
        tensors,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)
    onnx.save(model, path)


def port(number, words, shape):
    dims = "".join(f"<dim>{extent}</dim>" for extent in shape)
    return f'<port id="{number}" precision="{words}">{dims}</port>'


def write_ir(path, problem):
    element = LAYER_TYPES[problem["type"]]
    of_data = precision(element)
    rank = len(problem["shape"])
    constants = [
        ("begin", "i64", numpy.array(problem["pads"][:rank], numpy.int64)),
        ("end", "i64", numpy.array(problem["pads"][rank:], numpy.int64)),
    ]
    if "value" in problem:
        constants.append(("value", element, array_of(problem)))
    layers, edges, inputs, weights = [], [], [port(0, of_data, problem["shape"])], b""
    for number, (name, kind, array) in enumerate(constants, 1):
        shape = ",".join(map(str, array.shape))
        layers.append(
            f'<layer id="{number}" name="{name}" type="Const" version="opset1"><data '
            f'element_type="{kind}" shape="{shape}" offset="{len(weights)}" size="{array.nbytes}"/>'
            f"<output>{port(0, precision(kind), array.shape)}</output></layer>"
        )
        edges.append(f'<edge from-layer="{number}" from-port="0" to-layer="5" to-port="{number}"/>')
        inputs.append(port(number, precision(kind), array.shape))
        weights += array.tobytes()
    data_shape = ",".join(map(str, problem["shape"]))
    path.write_text(
        '<?xml version="1.0"?><net name="m" version="11"><layers>'
        f'<layer id="0" name="x" type="Parameter" version="opset1"><data shape="{data_shape}" '
        f'element_type="{element}"/><output>{inputs[0]}</output></layer>{"".join(layers)}'
        f'<layer id="5" name="pad" type="Pad" version="opset{problem["spec"][9:]}">'
        f'<data pad_mode="{problem["mode"]}"/><input>{"".join(inputs)}</input>'
        f'<output><port id="4" precision="{of_data}"/></output></layer>'
        '<layer id="6" name="y" type="Result" version="opset1">'
        '<input><port id="0"/></input></layer>'
        f'</layers><edges><edge from-layer="0" from-port="0" to-layer="5" to-port="0"/>'
        f"{''.join(edges)}"
        '<edge from-layer="5" from-port="4" to-layer="6" to-port="0"/></edges></net>'
    )
    path.with_suffix(".bin").write_bytes(weights)


def write_model(folder, number, problem):
    is_onnx = problem["spec"].startswith("onnx")
    path = folder / f"{number}.{'onnx' if is_onnx else 'xml'}"
    (write_onnx if is_onnx else write_ir)(path, problem)
    return path


# ---- Tests -------------------------------------------------------------------------------------


def from_page(problems):
    done = subprocess.run(
        ["node", pathlib.Path(__file__).with_name("run.mjs"), "verdicts", MODULE],
        input=json.dumps(problems),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def from_command(paths):
    done = subprocess.run(
        [COMMAND, "check", "--format", "json", *paths], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return [model["nodes"][0]["verdicts"] for model in json.loads(done.stdout)["models"]]


def words(verdict, keys=("target", "verdict", "code", "text", "measured")):
    return {key: verdict[key] or "" for key in keys}


def test_random_problems(tmp_path):
    generator = random.Random(22)
    problems = [one_problem(generator) for _ in range(600)]
    expected = from_command([write_model(tmp_path, i, p) for i, p in enumerate(problems)])
    seen = set()
    for problem, told, verdicts in zip(problems, from_page(problems), expected, strict=True):
        assert [words(v) for v in told] == [words(v) for v in verdicts], problem
        seen |= {(v["target"], v["verdict"]) for v in verdicts}
    assert len(seen) > 45  # 16 targets, three verdicts each in the mean


def test_ways_out_and_versions():
    (told,) = from_page(
        [{"spec": "onnx-19", "type": "float32", "shape": [3], "mode": "reflect", "pads": [5, 0]}]
    )
    (ort,) = [verdict for verdict in told if verdict["target"] == "ort-1.31"]
    assert (ort["runtime"], ort["version"], ort["code"]) == ("ONNX Runtime", "1.31.1", "TP104")
    page = subprocess.run([COMMAND, "explain", "TP104"], capture_output=True, text=True, check=True)
    assert ort["waysOut"].split() == page.stdout.split("What to do")[1].split("Measured")[0].split()


ROWS = """() => Array.from(document.querySelectorAll("#runtimes tbody tr"),
    (row) => [row.dataset.target, row.dataset.verdict, row.textContent])"""


@pytest.mark.parametrize("mode", ["reflect", "symmetric"])  # symmetric: an error, with verdicts
def test_the_panel_of_the_page(page, tmp_path, mode):
    problem = {
        "spec": "onnx-19",
        "type": "float32",
        "shape": [3, 4],
        "mode": mode,
        "pads": [5, 0, 0, 1],
    }
    go(page, f"spec=onnx-19&shape=3,4&mode={mode}&pads=5,0,0,1")
    (expected,) = from_command([write_model(tmp_path, 0, problem)])
    rows = page.evaluate(ROWS)
    assert [row[:2] for row in rows] == [[one["target"], one["verdict"]] for one in expected]
    for (_, _, text), one in zip(rows, expected):
        assert one["text"] in text and (one["code"] or "") in text


def test_no_verdicts_without_a_model():
    problems = [
        {"spec": "plain", "shape": [3], "begin": [1]},
        {"spec": "ngraph", "shape": [3], "begin": [1], "value": "0"},
        {"spec": "onnx-25", "shape": [3], "pads": [1, 1], "type": "int8", "value": "300"},
        {"spec": "onnx-25", "shape": [1] * 17, "pads": [0] * 34},
    ]
    assert from_page(problems) == [[]] * 4
