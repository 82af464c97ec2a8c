"""Random problems in the words of the page, and what the command makes of the same words.

As a program: runs the texts of the page that are Python. Reads a JSON list of {folder, onnx, python, numpy,
torch}, and prints for each and each of the last three the elements of the result, the error, or why there is
no text. torch is left out if it is missing."""

import importlib.util
import json
import os
import re
import subprocess
import sys

import ml_dtypes
import numpy
import onnx
from conftest import COMMAND
from onnx import numpy_helper

MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]
OPSETS = [1, 2, 11, 13, 18, 19, 21, 23, 24, 25]
INTEGERS = [f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
NUMPY_TYPES = ["float32", "float64", *INTEGERS]
# Elements of which the page shows the bits: the integers that a file holds them in.
BITS = {"float16": "uint16", "bfloat16": "uint16", "float8e4m3fn": "uint8", "float8e5m2": "uint8"}
PACKED = {"int4": ml_dtypes.int4, "uint4": ml_dtypes.uint4}


def random_data(generator, word, count):
    if word in BITS:
        return [generator.randrange(256) for _ in range(count)]
    if word in PACKED:
        low = -8 if word == "int4" else 0
        return [generator.randrange(low, low + 16) for _ in range(count)]
    if word == "bool":
        return [generator.randrange(2) for _ in range(count)]
    if word.startswith("float"):
        return [
            generator.choice([0.5, -1.25, 3, "inf", "nan", "-0.0", 1e30, 0.1]) for _ in range(count)
        ]
    if word == "int64":
        return [str(generator.choice([2**63 - 1, -(2**53) - 1, 7])) for _ in range(count)]
    if word == "uint64":
        return [str(generator.choice([2**64 - 1, 2**53 + 1, 7])) for _ in range(count)]
    return [generator.randrange(128) for _ in range(count)]


def random_value(generator, word):
    if word.startswith("float8"):
        return "0"  # numbers have no conversion to it in JavaScript
    if word.startswith(("float", "bfloat")):
        return generator.choice(["1.5", "-2", "inf", "0", "-0.0"][: 4 if word in BITS else 5])
    return generator.choice(["0", "1", "true", "false"][: 4 if word == "bool" else 2])


def amounts(generator, shape, most):
    return [
        generator.choice([0, 0, 1, 2, -1, generator.randint(-extent - 1, most)]) for extent in shape
    ]


def one_problem(generator, ranks=(0, 1, 2, 2, 3, 4, 5), extents=(0, 1, 2, 3, 3, 4, 5)):
    """Mostly what the specification allows. The lists are as long as they should be."""
    family = generator.choice(["plain", "plain", "onnx", "onnx", "openvino", "ngraph", "mli"])
    rank = 3 if family == "mli" else generator.choice(ranks)
    problem = {
        "spec": family,
        "shape": [generator.choice(extents) for _ in range(rank)],
        "type": generator.choice(["int8", "int16"] if family == "mli" else NUMPY_TYPES),
        "mode": generator.choice(MODES),
    }
    if family == "mli":
        problem["spec"] = generator.choice(["mli-chw", "mli-hwc"])
        problem["mode"] = generator.choice(["constant"] * 4 + ["edge"])
    rows = rank
    if family == "onnx":
        opset = generator.choice(OPSETS)
        problem["spec"] = f"onnx-{opset}"
        types = ["float32"] if opset < 11 else [*NUMPY_TYPES, "bool", *BITS, *PACKED]
        problem["type"] = generator.choice([*types, "float32"])
        if generator.random() < 0.8:
            allowed = MODES[:3] + (["wrap"] if opset >= 19 else [])
            problem["mode"] = generator.choice(allowed)
    if family == "plain":
        problem["type"] = generator.choice([*NUMPY_TYPES, "bool", *BITS, *PACKED])
    if family == "openvino":
        problem["spec"] = generator.choice(["openvino-1", "openvino-12", "openvino-12"])
        problem["type"] = generator.choice([*NUMPY_TYPES, "bool", "float16", "bfloat16", *PACKED])
    if family in ("onnx", "openvino") and generator.random() < 0.2:
        problem["lenient"] = "1"
    if family in ("plain", "onnx") and generator.random() < 0.2 and rank:
        rows = generator.randint(1, rank)
        axes = generator.sample(range(rank), rows)
        problem["axes"] = [axis - generator.choice([0, rank]) for axis in axes]
    if family == "mli":
        rows = 2
    named = [problem["shape"][axis] for axis in problem.get("axes", range(rows))]
    problem["begin"] = amounts(generator, named, 9)
    problem["end"] = amounts(generator, named, 9)
    if family == "openvino" and generator.random() < 0.7:
        for key in ("begin", "end"):
            problem[key] = [
                min(abs(n), max(extent - 1, 0)) for n, extent in zip(problem[key], named)
            ]
    if family == "plain" and rows and generator.random() < 0.4:
        problem["mode"] = [generator.choice(MODES) for _ in range(rows)]
    if family == "plain" and generator.random() < 0.3:
        problem["order"] = "crop"
    if family in ("plain", "ngraph") and generator.random() < 0.3:
        problem["interior"] = [generator.choice([0, 1, 2]) for _ in range(rows)]
    if family != "mli" and (family == "ngraph" or generator.random() < 0.5):
        problem["value"] = random_value(generator, problem["type"])
    count = int(numpy.prod(problem["shape"], dtype=int))
    problem["data"] = random_data(generator, problem["type"], count)
    return problem


# ---- The command -------------------------------------------------------------------------------


def array_of(problem):
    """What a file holds of its data."""
    word, data, shape = problem["type"], problem["data"], problem["shape"]
    if word.startswith("float") and word not in BITS:
        data = [float(number) for number in data]
    if "int64" in word:
        data = [int(number) for number in data]
    dtype = PACKED.get(word) or BITS.get(word, word)
    array = numpy.array(data, dtype).reshape(shape)
    return array.view(numpy.float16) if word == "float16" else array


def save(path, array):
    if array.dtype in PACKED.values():
        onnx.save_tensor(numpy_helper.from_array(array), path)
    else:
        numpy.save(path, array)


def load(path):
    if path.suffix == ".pb":
        return numpy_helper.to_array(onnx.load_tensor(path))
    return numpy.load(path)


def command_words(problem):
    words = []
    for key in ("spec", "mode", "begin", "end", "interior", "order", "axes", "value"):
        if key in problem:
            given = problem[key]
            text = ",".join(map(str, given)) if isinstance(given, list) else given
            words.append(f"--{key}={text}")
    if "valueAxis" in problem or "," in problem.get("value", ""):
        words.append(f"--value-axis={problem.get('valueAxis', -1)}")
    if problem.get("lenient"):
        words.append("--lenient")
    if problem["type"] in BITS and problem["type"] != "float16":
        words.append(f"--dtype={problem['type']}")
    return words


def from_command(folder, problem):
    """{"shape", "data"} in numbers, or {"error", "status"}, as window.tensorpad.pad has them."""
    ending = "pb" if problem["type"] in PACKED else "npy"
    inside, out = folder / f"in.{ending}", folder / f"out.{ending}"
    save(inside, array_of(problem))
    done = subprocess.run(
        [COMMAND, "pad", "--json", "-f", *command_words(problem), inside, out],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        error = json.loads(done.stderr)["error"]
        text = error["text"].removeprefix(f"{inside}: ")
        text = re.sub(r" \(--[^()]* accepts? it\)$", "", text)  # options of the command
        return {"error": text, "status": error["code"]}
    array = load(out)
    if problem["type"] in BITS:
        array = array.view(BITS[problem["type"]])
    if problem["type"] in PACKED:
        array = array.astype(int)
    return {"shape": list(array.shape), "data": array.reshape(-1).tolist()}


# ---- Comparing ---------------------------------------------------------------------------------


def read_cells(told, problem):
    """The texts of the page's cells as numbers, as the command gives them."""
    if "error" in told:
        return told
    word = problem["type"]
    if word == "float32":
        data = [float(numpy.float32(text)) for text in told["data"]]
    elif word == "float64":
        data = [float(text) for text in told["data"]]
    else:
        data = [int(text, 0) for text in told["data"]]
    return {"shape": [int(n) for n in told["shape"].split(",")], "data": data}


def shown(page, problem):
    """What #result says."""
    return read_cells(page.evaluate(SHOWN), problem)


SHOWN = """() => {
    const result = document.getElementById("result");
    const error = document.getElementById("error");
    return result.dataset.state === "ok" ? {
        shape: result.dataset.shape,
        data: Array.from(result.querySelectorAll("[role=gridcell]"), (cell) => cell.textContent),
    } : { error: error.textContent, status: error.dataset.status };
}"""


# -0.0 as a text: Playwright gives 0 for it.
PAD = """(problems) => problems.map((one) => {
    const told = window.tensorpad.pad(one);
    if (told.data) told.data = told.data.map((x) => (Object.is(x, -0) ? "-0.0" : x));
    return told;
})"""


def pad_in(page, problems):
    """What window.tensorpad.pad gives for each problem."""
    told = page.evaluate(PAD, problems)
    for answer in told:
        if "data" in answer:
            answer["data"] = [-0.0 if x == "-0.0" else x for x in answer["data"]]
    return told


def comparable(number):
    """NaN is NaN, -0.0 is not 0.0, and an integer may have come as a text."""
    if isinstance(number, float) and not number.is_integer() or number == 0:
        return repr(float(number))
    return int(number)


def same(told, expected):
    """Whether the page's answer is the command's. Where the command speaks of its own options, and of
    nGraph's modes in lower case, the page does so in words of JavaScript."""
    if "--" in expected.get("error", "") or expected.get("error", "").startswith(
        "nGraph Pad has no mode"
    ):
        return told.get("status") in (expected["status"], "E_ARGUMENT")
    if "error" in expected:
        return told == expected
    return (
        "error" not in told
        and told["shape"] == expected["shape"]
        and list(map(comparable, told["data"])) == list(map(comparable, expected["data"]))
    )


# ---- Texts of Python ---------------------------------------------------------------------------

TEXTS = ["python", "numpy"] + ["torch"] * (importlib.util.find_spec("torch") is not None)


def elements(array):
    array = numpy.asarray(array)
    if array.dtype.kind == "V" or "float8" in array.dtype.name or array.dtype.name == "bfloat16":
        array = array.view(f"u{array.dtype.itemsize}")
    return array.reshape(-1).tolist()


def run(text):
    if all(line.startswith("#") for line in text.splitlines()):
        return {"none": text}
    names = {"print": lambda *words: None}
    try:
        exec(text, names)
    except Exception as error:
        return {"error": str(error)}
    result = names["padded"] if "padded" in names else names["x"]
    return {"data": elements(result), "shape": list(result.shape)}


def run_all(snippet):
    os.chdir(snippet["folder"])
    exec(snippet["onnx"], {})
    return {name: run(snippet[name]) for name in TEXTS}


if __name__ == "__main__":
    print(json.dumps([run_all(snippet) for snippet in json.load(sys.stdin)]))
