"""Every case of the kit, run by the command: right to the bit, or refused if forbidden.

SPDX-License-Identifier: MIT
"""

import concurrent.futures
import json
import math
import os

import harness
import numpy as np
import onnx
import pytest
from kit import cases, elements, surroundings

ALONE = {"Pad", "Constant", "Const", "Convert", "Parameter", "Result"}  # what `run` computes whole


SHARES = pytest.mark.parametrize("quick", [True, pytest.param(False, marks=pytest.mark.long)])


def share(cases, quick):
    """Each fifth case and the first of each sentence of the documents, or the others. Where each call is
    slow, one in 20 of them."""
    told, drawn = set(), []
    for number, case in enumerate(cases):
        says = {said["text"] for said in case["says"]}
        if (number % 5 == 0 or not says <= told) == quick:
            drawn.append(case)
        told |= says
    return drawn[:: 20 if harness.SANITIZED else 1]


def each(check, cases):
    """The checks of all cases, on all processors; says all that fail."""

    def failure(case):
        try:
            check(case)
        except AssertionError as wrong:
            return str(wrong)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [text for text in pool.map(failure, cases) if text]
    assert not failures, f"{len(failures)} of {len(cases)} cases:\n" + "\n".join(failures[:20])


def content(path):
    """What counts of a TensorProto in a file."""
    proto = onnx.TensorProto.FromString(path.read_bytes())
    word = elements.WORDS[proto.data_type]
    return word, list(proto.dims), proto.raw_data, list(proto.string_data)


def judge(entry, words, out, expected):
    """Runs the command, whose output goes to `out`, and compares it with the file `expected`."""
    forbidden = entry["forbidden"]
    result = harness.run(*words)
    if forbidden is None:
        assert (result.status, result.error) == (0, ""), (entry["name"], result)
        assert content(out) == content(expected), (entry["name"], result)
        return
    assert result.status == 3, (entry["name"], forbidden, result)
    assert len(result.error.splitlines()) == 1, (entry["name"], result)
    assert not out.exists(), entry["name"]


# ---- Models --------------------------------------------------------------------------------------


def only_pads(model):
    """Whether the command runs this model as a whole."""
    if model.suffix == ".xml":
        text = model.read_text()
        return not any(f'type="{sort}"' in text for sort in ("Concat", "Add"))
    return {node.op_type for node in onnx.load(model).graph.node} <= ALONE


def check_model(kit, entry, case, folder):
    """A case with a model, as a whole or, where it has other nodes, its Pad alone."""
    place = kit / entry["folder"]
    data = place / "test_data_set_0"
    [model] = place.glob("model.[ox][nm]*")
    out = folder / f"{entry['name']}.pb"
    if only_pads(model):
        words = ["run", model, f"--output={out}"]
        for file in sorted(data.glob("input_*.pb")):
            name = onnx.TensorProto.FromString(file.read_bytes()).name
            words.append(f"--input={name}={file}")
        judge(entry, words, out, data / "output_0.pb")
    else:
        check_node(model, entry, case, folder / entry["name"], data / "output_0.pb")


def check_node(model, entry, case, folder, expected):
    """The Pad alone; NumPy computes what stands before and behind it."""
    folder.mkdir()
    out = folder / "y.pb"
    name = "pad" if model.suffix == ".onnx" else "y"
    nodes = json.loads(harness.succeed("inspect", "--json", model).stdout)["nodes"]
    [node] = [node for node in nodes if node["name"] == name]
    words = [
        "run",
        model,
        f"--node={node['graph']}/{name}" if node["graph"] else f"--node={name}",
        f"--input=data={folder}/data.pb",
        f"--output={out}",
        "-f",
    ]
    for argument in node["computed"]:
        harness.write_pb(folder / f"{argument}.pb", *argument_of(case, argument))
        words.append(f"--input={argument}={folder}/{argument}.pb")
    if entry["tags"]["around"] in (None, "nothing"):
        harness.write_pb(folder / "data.pb", case.type, case.shape, case.data)
        judge(entry, words, out, expected)
        return
    around = surroundings.AROUND[case.around]
    found = array_of(case.type, case.shape, elements.to_bytes(case.data, bits_of(case.type)))
    for step in around.before:
        found = step.array(found)
    for _ in range(around.times):
        cells = elements.from_bytes(found.tobytes(), bits_of(case.type), found.size)
        harness.write_pb(folder / "data.pb", case.type, found.shape, cells)
        harness.succeed(*words)
        _, shape, raw, _ = content(out)
        found = array_of(case.type, shape, raw)
    for step in around.behind:
        found = step.array(found)
    got = case.type, list(found.shape), found.tobytes(), []
    assert got == content(expected), entry["name"]


def bits_of(word):
    return elements.TYPES[word][0]


def array_of(word, shape, raw):
    return np.frombuffer(raw, elements.TYPES[word][1]).reshape(shape)


def argument_of(case, name):
    """(type, shape, cells) of an input of the case's Pad."""
    if name in ("constant_value", "pad_value"):
        return case.type, case.value_shape, [case.fill] * math.prod(case.value_shape)
    if name == "axes":
        word, numbers = case.axes_type, case.axes
    elif name == "pads":
        word, numbers = "int64", case.pads
    else:
        word, numbers = case.amounts_type, case.begin if name == "pads_begin" else case.end
    return word, [len(numbers)], [elements.cell_of(number, word) for number in numbers]


# ---- Arrays --------------------------------------------------------------------------------------


def text_of(array):
    """The one number of an array as the command reads it."""
    word, cells = array["type"], array["cells"]
    if word == "string":
        return cells[0]
    bits, kind = elements.TYPES[word]
    raw = np.frombuffer(cells[0].to_bytes(max(1, bits // 8), "little"), kind)
    number = raw[0].item()
    return f"{number.real}{number.imag:+}j" if isinstance(number, complex) else str(number)


def options(file, problem):
    """What the command takes for a case of that file beside the array."""
    if file == "mli.json":
        words = {
            "--spec": f"mli-{problem['layout']}",
            "--mode": problem.get("mode"),
            "--value": problem.get("value"),
        }
        amounts = problem["begin"], problem["end"], None
    elif file == "ngraph.json":
        value = problem["arg_pad_value"]
        words = {
            "--spec": "ngraph",
            "--mode": problem["pad_mode"].lower(),
            "--value": value and text_of(value),
        }
        amounts = (
            problem["padding_below"],
            problem["padding_above"],
            problem.get("padding_interior"),
        )
    else:
        mode = problem["mode"]
        words = {
            "--spec": "plain",
            "--mode": mode if isinstance(mode, str) else ",".join(mode),
            "--order": problem["order"],
            "--value": text_of(problem["value"]),
        }
        amounts = problem["begin"], problem["end"], problem["interior"]
    for word, numbers in zip(("--begin", "--end", "--interior"), amounts):
        words[word] = None if numbers is None else harness.numbers(numbers)
    return [f"{word}={text}" for word, text in words.items() if text is not None]


def write(path, array):
    cells = (
        [cell.encode() for cell in array["cells"]]
        if array["type"] == "string"
        else (array["cells"])
    )
    harness.write_pb(path, array["type"], array["shape"], cells)


def check_array(entry, problem, folder):
    """A case of a JSON file."""
    file, out = folder / f"{entry['name']}.pb", folder / f"{entry['name']}_out.pb"
    expected = folder / f"{entry['name']}_expected.pb"
    write(file, problem["arg" if entry["file"] == "ngraph.json" else "in"])
    if problem["forbidden"] is None:
        write(expected, problem["out"])
    judge(entry, ["pad", *options(entry["file"], problem), file, out], out, expected)


# ---- All cases -----------------------------------------------------------------------------------

BY_NAME = {f"test_{case.name}": case for case in (*cases.ALL, *cases.OPENVINO)}


@SHARES
@pytest.mark.parametrize("sort", ["onnx", "onnx-forbidden", "openvino", "openvino-forbidden"])
def test_models(kit, tmp_path, sort, quick):
    entries = [entry for entry in kit.cases if entry["folder"].startswith(f"{sort}/")]
    assert entries

    def check(entry):
        check_model(kit.path, entry, BY_NAME[entry["name"]], tmp_path)

    each(check, share(entries, quick))


@SHARES
@pytest.mark.parametrize("file", ["ngraph.json", "mli.json", "plain.json"])
def test_arrays(kit, tmp_path, file, quick):
    entries = [entry for entry in kit.arrays if entry["file"] == file]
    problems = {problem["name"]: problem for problem in json.loads((kit.path / file).read_text())}
    assert entries and {entry["name"] for entry in entries} == set(problems)
    entries = share(entries, quick)
    each(lambda entry: check_array(entry, problems[entry["name"]], tmp_path), entries)
