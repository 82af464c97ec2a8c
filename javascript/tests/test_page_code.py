"""The texts that the page shows (NumPy, PyTorch, Python, JavaScript, C, ONNX, the command) give what the page
shows."""

import json
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import ml_dtypes
import numpy
import onnx
import pytest
from conftest import COMMAND, ROOT, go
from onnx import numpy_helper
from page_problems import comparable, pad_in

pytestmark = pytest.mark.long
PACKAGE = os.environ.get("PYTHONPATH", str(ROOT / "build/python-package"))
# In the words of the address (javascript/playground/README.md); without spec: plain.
ADDRESSES = """
shape=3,4&mode=reflect,wrap&begin=1,2&end=9,2
shape=2&mode=constant&value=true&begin=1&end=1
shape=2,3&type=int16&mode=constant&value=-7&interior=1,0&begin=1,0&end=0,2
shape=6&mode=edge&order=crop&begin=-2&end=4&data=0.5,-1.25,nan,inf,-0.0,3
shape=2,3&type=uint64&mode=symmetric&axes=-1&begin=2&end=0&data=18446744073709551615,2,3,4,5,6
shape=3&mode=constant&begin=-9&end=0
spec=onnx-1&shape=2,3&mode=edge&pads=1,0,1,2
spec=onnx-2&shape=6&mode=constant&value=1.5&pads=1,1&data=0.5,-1.25,nan,inf,-0.0,3
spec=onnx-11&shape=2,2,2&type=float64&mode=constant&value=-inf&pads=0,1,0,1,0,-1
spec=onnx-19&shape=3,2&type=int64&mode=wrap&axes=-1,0&value=3&pads=2,1,1,1
spec=onnx-25&shape=2,2&type=bfloat16&mode=reflect&pads=0,1,1,0&data=16256,16384,1,49152
spec=onnx-25&shape=3&type=int4&mode=edge&pads=1,2&data=-8,7,1
spec=onnx-18&shape=2&mode=wrap&pads=1,2&lenient=1
spec=onnx-18&shape=2&mode=wrap&pads=1,2
spec=openvino-12&shape=3,4&type=bool&mode=reflect&begin=2,-1&end=-1,3&data=1,0,0,1,1,1,0,0,1,0,1,1
spec=openvino-1&shape=2,3&type=int32&mode=constant&value=-5&begin=1,0&end=0,2
spec=openvino-12&shape=2&mode=wrap&begin=3&end=0&lenient=1
spec=openvino-1&shape=2&mode=reflect&begin=3&end=0
spec=ngraph&shape=2,3&type=float64&mode=constant&value=0.1&interior=1,2&begin=1,-1&end=0,2
spec=ngraph&shape=2,3&type=uint8&mode=symmetric&value=0&begin=3,1&end=0,0
spec=mli-chw&shape=2,2,2&begin=1,0&end=0,3
spec=mli-hwc&shape=2,2,3&type=int16&begin=0,2&end=1,0
spec=mli-hwc&shape=2,2,3&begin=0,-2&end=1,0
shape=2,3&mode=constant&begin=1,1&end=0,1&value=7,-8.5,nan,inf,-0.0
shape=2,2,1&type=uint8&mode=constant,edge,constant&begin=1,1,0&end=1,0,2&value=255, 0,3&valueAxis=2
shape=2&type=uint64&data=7,8&interior=1&begin=0&end=1&value=1,18446744073709551615,3,4&valueAxis=0
shape=1,2&type=int64&data=7,8&mode=constant&begin=1,0&end=0,0&value=true,-9223372036854775808
shape=3,4&mode=wrap&begin=1,2&end=3,0
shape=2,3,4&mode=reflect&axes=-1&begin=3&end=1
shape=2,3,4&mode=edge&begin=0,1,9&end=0,2,0
shape=3,4&mode=constant&value=7&begin=-1,2&end=1,-3
shape=3&type=int4&mode=constant&value=-7&interior=1&begin=0&end=2&data=-8,7,1
shape=5&type=bfloat16&mode=reflect&begin=-2&end=3&data=16256,16384,1,49152,0
shape=5&mode=reflect&order=crop&begin=-2&end=4
spec=onnx-19&shape=3,4&mode=wrap&pads=1,2,1,-1
shape=3,2&mode=wrap&interior=1,2&begin=2,-1&end=0,4
""".split("\n")[1:-1]
LISTS = ("shape", "begin", "end", "pads", "interior", "axes")


def read(address):
    """An address as window.tensorpad takes it, with lists."""
    problem = {"spec": "plain", **dict(part.split("=", 1) for part in address.split("&"))}
    for key in LISTS:
        if key in problem:
            problem[key] = [int(one) for one in problem[key].split(",")]
    if "data" in problem:
        problem["data"] = problem["data"].split(",")
    if "," in problem.get("mode", ""):
        problem["mode"] = problem["mode"].split(",")
    return problem


PROBLEMS = [read(address) for address in ADDRESSES]
DTYPES = {"bfloat16": ml_dtypes.bfloat16, "int4": ml_dtypes.int4}


@pytest.fixture(scope="module")
def told(watched, tmp_path_factory):
    """For each problem a folder, the texts and the page's own result."""
    page = watched.load()
    codes = page.evaluate(
        "(problems) => problems.map((one) => window.tensorpad.code(one))", PROBLEMS
    )
    results = pad_in(page, PROBLEMS)
    folders = [tmp_path_factory.mktemp("code") for _ in PROBLEMS]
    for folder, problem, code in zip(folders, PROBLEMS, codes):
        save_input(folder, problem, code["command"])
    return list(zip(PROBLEMS, folders, codes, results, strict=True))


def save_input(folder, problem, command):
    count = int(numpy.prod(problem["shape"]))
    word = problem.get("type", "int8" if "mli" in problem["spec"] else "float32")
    data = problem.get("data", range(1, count + 1))
    numbers = [int(x) if word == "uint64" else float(x) for x in data]
    if word == "bfloat16":
        array = numpy.array([*map(int, problem["data"])], numpy.uint16).view(ml_dtypes.bfloat16)
    else:
        array = numpy.array(numbers, DTYPES.get(word, word))
    array = array.reshape(problem["shape"])
    if "x.pb" in command:
        onnx.save_tensor(numpy_helper.from_array(array), folder / "x.pb")
    numpy.save(folder / "x.npy", array.astype(numpy.int8) if word == "int4" else array)


def unpacked(data):
    """Elements of int4 from bytes, the first in the low bits."""
    nibbles = [byte >> shift & 15 for byte in data for shift in (0, 4)]
    return [nibble - 16 * (nibble > 7) for nibble in nibbles]


def check(problem, data, result):
    expected = result["data"]
    if problem.get("type") == "int4":
        data = unpacked(data)[: len(expected)]
    assert list(map(comparable, data)) == list(map(comparable, expected)), problem


@pytest.fixture(scope="module")
def answers(told):
    """What each text of Python gave: {"python", "numpy", "torch"}, the last one only with torch."""
    snippets = [{**code, "folder": str(folder)} for _, folder, code, _ in told]
    done = subprocess.run(
        [sys.executable, pathlib.Path(__file__).with_name("page_problems.py")],
        input=json.dumps(snippets),
        env={**os.environ, "PYTHONPATH": PACKAGE},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_python_and_onnx(told, answers):
    for (problem, _, _, result), answer in zip(told, answers, strict=True):
        if "error" in result:
            assert answer["python"].get("error") == result["error"], problem
        else:
            check(problem, answer["python"]["data"], result)
    check_models(told)


def check_or_reason(problem, answer, result, reasons):
    """Either the answer of the page, or a comment with one of these words. Returns whether it is an answer."""
    if "error" in result:
        assert result["error"] in answer["none"], problem
        return False
    if "none" in answer:
        assert any(reason in answer["none"] for reason in reasons), (problem, answer)
        return False
    assert "error" not in answer, (problem, answer)
    check(problem, answer["data"], result)
    assert answer["shape"] == result["shape"]
    return True


def test_numpy(told, answers):
    reasons = ("no arrays of packed elements", "no constant for each cell")
    seen = [
        check_or_reason(problem, answer["numpy"], result, reasons)
        for (problem, _, _, result), answer in zip(told, answers, strict=True)
    ]
    assert sum(seen) >= 14


def test_pytorch(told, answers):
    pytest.importorskip("torch")
    seen = [
        check_or_reason(problem, answer["torch"], result, ("do not come from NumPy",))
        for (problem, _, _, result), answer in zip(told, answers, strict=True)
    ]
    own = sum("torch.nn.functional" in code["torch"] for _, _, code, _ in told)
    assert sum(seen) >= 14 and own >= 4


def test_javascript(told, node, tmp_path):
    (tmp_path / "texts.json").write_text(json.dumps([code["javascript"] for _, _, code, _ in told]))
    answers = node.run("run.mjs", "texts", tmp_path / "texts.json")
    for (problem, _, _, result), answer in zip(told, answers, strict=True):
        if "error" in result:
            assert answer["error"] == result["error"], problem
            continue
        data = [
            float(one) if one in ("-0.0", "nan", "inf", "-inf") else one for one in answer["data"]
        ]
        check(problem, data, result)
        assert answer["shape"] == result["shape"]


def check_models(told):
    """The models that the ONNX texts wrote, run by the command."""
    models = 0
    for problem, folder, code, result in told:
        if code["onnx"].startswith("#"):
            assert not (folder / "pad.onnx").exists()
            continue
        onnx.checker.check_model(onnx.load(folder / "pad.onnx"))
        models += 1
        if problem.get("type") in DTYPES:
            continue
        lenient = ["--lenient"] if problem.get("lenient") else []
        done = subprocess.run(
            [COMMAND, "run", "pad.onnx", "--input", "x.npy", "--output", "y.npy", *lenient],
            cwd=folder,
            capture_output=True,
            text=True,
        )
        if "error" in result:
            assert result["error"] in done.stderr, problem
        else:
            assert done.returncode == 0, done.stderr
            check(problem, numpy.load(folder / "y.npy").reshape(-1).tolist(), result)
    assert models >= 12


def test_command(told):
    for problem, folder, code, result in told:
        calls = [line for line in code["command"].splitlines() if line.startswith("tensorpad ")]
        assert len(calls) == 2
        for call in calls:
            done = subprocess.run(
                call.replace("tensorpad", COMMAND, 1),
                shell=True,
                cwd=folder,
                capture_output=True,
                text=True,
            )
            if "error" in result:
                assert done.returncode == 3 and result["error"] in done.stderr, (call, done.stderr)
            else:
                assert done.returncode == 0, (call, done.stderr)
        if "error" in result:
            continue
        if (folder / "padded.pb").exists():
            array = numpy_helper.to_array(onnx.load_tensor(folder / "padded.pb"))
            bits = array.view(numpy.uint16) if problem["type"] == "bfloat16" else array.astype(int)
            assert bits.reshape(-1).tolist() == result["data"]
        else:
            check(problem, numpy.load(folder / "padded.npy").reshape(-1).tolist(), result)


def test_c(told):
    def run(one):
        problem, folder, code, _ = one
        (folder / "pad_call.c").write_text(code["c"])
        warnings = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        built = subprocess.run(
            [
                "cc",
                *warnings,
                f"-I{ROOT / 'include'}",
                "pad_call.c",
                ROOT / "build/libtensorpad.a",
                "-o",
                "pad",
            ],
            cwd=folder,
            capture_output=True,
            text=True,
        )
        if built.returncode:
            return built
        return subprocess.run(["./pad"], cwd=folder, capture_output=True, text=True)

    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(run, told))
    for (problem, _, _, result), done in zip(told, runs, strict=True):
        if "error" in result:
            assert (done.returncode, done.stderr.strip()) == (1, result["error"]), problem
            continue
        assert done.returncode == 0, (problem, done.stderr)
        words = re.findall(r"\S+", done.stdout)
        is_float = (
            problem.get("type", "float32").startswith("float") and "mli" not in problem["spec"]
        )
        data = [float(word) for word in words] if is_float else [int(word) for word in words]
        check(problem, data, result)


def test_the_shown_text_is_that_of_the_state(page):
    go(page, "spec=onnx-19&shape=3,4&mode=wrap&begin=1,2&end=0,1")
    problem = {"spec": "onnx-19", "shape": [3, 4], "mode": "wrap", "begin": [1, 2], "end": [0, 1]}
    codes = page.evaluate("(one) => window.tensorpad.code(one)", problem)
    for name, text in codes.items():
        page.click(f"#code-{name}")
        assert page.text_content("#code-text") == text
        assert page.get_attribute(f"#code-{name}", "aria-selected") == "true"


def test_ngraph_without_its_value(page):
    """The command has a sentence of its own for this, which names --value."""
    problem = {"spec": "ngraph", "shape": [2], "mode": "constant", "begin": [1], "end": [0]}
    text = page.evaluate("(problem) => window.tensorpad.code(problem).python", problem)
    assert "tensorpad.ngraph.pad(x, None, [1], [0]" in text


@pytest.mark.parametrize(
    "words",
    [
        {"type": "int8", "value": "128"},
        {"type": "int16", "value": "inf"},
        {"type": "uint2", "spec": "onnx-25", "value": "4"},
        {"type": "bool", "spec": "openvino-12", "value": "3"},
    ],
)
def test_no_c_for_a_constant_that_the_type_cannot_hold(page, words):
    problem = {"shape": [2], "mode": "constant", "begin": [1], "end": [0], **words}
    [result] = pad_in(page, [problem])
    text = page.evaluate("(problem) => window.tensorpad.code(problem).c", problem)
    assert "error" in result and re.fullmatch(r"/\* .* cannot hold \w+\. \*/\n", text)
