"""The survey tells what a runtime does, whatever it does, and what a new version of one needs.

SPDX-License-Identifier: MIT

A runtime made for these tests does it all: the "model" of a case is a file with one word, and the
runtime does what the word says.
"""

import json
import re
import subprocess
import sys

import harness
import numpy as np
import onnx
import pytest
from kit import json_arrays, outcome_file, runtimes, survey

ADAPTER = '''
"""Does what the file that it loads says."""

import ctypes
import os
import signal
import time

import numpy as np

RUNTIME = "Obedient"
TARGETS = {"obedient-1": ["numpy"]}
SECONDS = 2
LATER = []

def version():
    return "1.2.3"

def load(path):
    word = open(path).read()
    if word == "refuse at load":
        raise ValueError(f"{path} at 0x7ffd12345678 is\\nnot for me")
    return word

def run(word, inputs):
    x = inputs["x"]
    if LATER:
        os.kill(os.getpid(), LATER[0])
    if word == "refuse at run":
        raise RuntimeError("not these amounts")
    if word == "other shape":
        return [x.reshape(2, 2)]
    if word == "other type":
        return [x.astype(np.float64)]
    if word == "type unknown to ONNX":
        return [x.astype(np.longdouble)]
    if word == "other cell":
        return [np.where(x == 3, 9, x).astype(x.dtype)]
    if word == "minus zero":
        return [np.where(x == 0, -x, x)]
    if word == "NaN of other bits":
        return [np.where(np.isnan(x), np.float32(np.nan), x)]
    if word == "two outputs":
        return [x, x]
    if word == "talk":
        os.write(1, b"words on standard output\\n")
    if word == "die and leave a child":
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        word = "die"
    if word == "die":
        os.kill(os.getpid(), signal.SIGSEGV)
    if word == "end":
        print("thread main panicked at pad.rs:1:\\nno negative amounts\\nnote: run it again")
        os._exit(101)
    if word == "harm the next":
        LATER.append(signal.SIGABRT)
    if word == "hang":
        time.sleep(60)
    if word == "never written":
        libc = ctypes.CDLL(None)
        libc.malloc.restype = ctypes.c_void_p
        return [np.frombuffer(ctypes.string_at(libc.malloc(1 << 16), 4 * x.size), np.float32)]
    return [x]
'''
DATA = np.array([-1, 0, 3, np.inf], np.float32)
NAN = np.array([0x7FC00005, 0x3F800000], np.uint32).view(np.float32)


def refuses(stage, message):
    return {"verdict": "refuses", "stage": stage, "message": message}


def differs(how, message):
    return {"verdict": "differs", "how": how, "message": message}


def crashes(message):
    return {"verdict": "crashes", "message": message}


def write_case(kit, name, word, data=DATA, forbidden=None, **tags):
    """A case of the kit as files: the expected output is the input. Returns what the index says."""
    folder = kit / "onnx" / name / "test_data_set_0"
    folder.mkdir(parents=True)
    (folder.parent / "model.onnx").write_text(word)
    tensor = onnx.numpy_helper.from_array(data, "x").SerializeToString()
    (folder / "input_0.pb").write_bytes(tensor)
    if forbidden is None:
        (folder / "output_0.pb").write_bytes(tensor)
    return {"name": name, "folder": f"onnx/{name}", "forbidden": forbidden, "tags": tags}


@pytest.fixture
def target(tmp_path):
    """The obedient runtime in this Python."""
    (tmp_path / "adapters").mkdir()
    (tmp_path / "adapters/obedient.py").write_text(ADAPTER)
    return target_of(tmp_path)


def target_of(folder):
    [target] = runtimes.targets(folder / "adapters", folder / "installed").values()
    return runtimes.in_this_python(target)


@pytest.fixture
def surveyed(tmp_path, target):
    """A function that surveys cases, each as the arguments of write_case."""

    def run(*cases):
        kit = tmp_path / "kit"
        index = [
            write_case(kit, f"test_{k}", *case[:-1], **case[-1]) for k, case in enumerate(cases)
        ]
        (kit / "index.json").write_text(json.dumps({"kit": 1, "cases": index}))
        record = survey.run(target_of(tmp_path), kit)
        return [record["outcomes"][f"test_{k}"] for k in range(len(cases))]

    return run


DOES = [  # what the runtime does, what the document says of the case, the outcome
    ("right", None, "same"),
    ("talk", None, "same"),
    ("refuse at load", None, refuses("load", "model.onnx at an address is not for me")),
    ("refuse at run", None, refuses("run", "not these amounts")),
    ("other shape", None, differs("shape", "[2, 2] instead of [4]")),
    ("other type", None, differs("type", "double instead of float")),
    ("type unknown to ONNX", None, differs("type", "float128 instead of float")),
    ("two outputs", None, differs("shape", "2 outputs instead of 1")),
    (
        "other cell",
        None,
        differs("bits", "1 of 4 cells are wrong, the first at [2]: 9.0 instead of 3.0"),
    ),
    (
        "minus zero",
        None,
        differs("bits", "1 of 4 cells are wrong, the first at [1]: -0.0 instead of 0.0"),
    ),
    ("never written", None, differs("bits", "cells that are not the same in each run")),
    ("die", None, crashes("SIGSEGV")),
    ("die and leave a child", None, crashes("SIGSEGV")),
    ("end", None, crashes("exit status 101: no negative amounts")),
    ("hang", None, crashes("no answer in 2 s")),
    ("right", "a reason", {"verdict": "accepts"}),
    ("refuse at load", "a reason", refuses("load", "model.onnx at an address is not for me")),
    ("refuse at run", "a reason", refuses("run", "not these amounts")),
    ("die", "a reason", crashes("SIGSEGV")),
]


@pytest.mark.long
@pytest.mark.parametrize("forks", [False, True])
def test_each_outcome_is_told(surveyed, target, forks):
    if forks:
        target.adapter.write_text(ADAPTER + "FORKS = True\n")
    outcomes = surveyed(*[(word, {"forbidden": forbidden}) for word, forbidden, _ in DOES])
    for (word, forbidden, outcome), found in zip(DOES, outcomes):
        assert found == outcome, (word, forbidden)


def test_bits_of_nan_count_only_where_the_case_is_about_them(surveyed):
    case = ("NaN of other bits", NAN)
    plain, strict = surveyed((*case, {"nan_payloads": False}), (*case, {"nan_payloads": True}))
    assert plain == "same"
    assert strict["message"] == (
        "1 of 2 cells are wrong, the first at [0]: nan (0x7fc00000) instead of nan (0x7fc00005)"
    )


@pytest.mark.long
def test_a_crash_is_blamed_on_the_case_that_does_it_alone(surveyed):
    outcomes = surveyed(*[(word, {}) for word in ("right", "harm the next", "right", "right")])
    assert outcomes == ["same"] * 4


def test_the_worst_of_several_runs_counts():
    assert survey.merged(["same", crashes("SIGSEGV: one")]) == crashes("SIGSEGV")
    assert survey.merged([differs("bits", "1 of 4"), "same"]) == differs("bits", survey.UNSTABLE)


def test_arrays_survive_the_wire():
    for word, (bits, kind) in json_arrays.TYPES.items():
        if word == "string":
            array = np.array([["", "\u00e9"], ["a b", "x" * 300]], object)
        elif bits < 8:
            array = np.array([1, 0, -1 if word.startswith("int") else 1], kind)
        else:
            raw = bytes([0, 1, 1]) if word == "bool" else bytes(range(1, 1 + 3 * bits // 8))
            array = np.frombuffer(raw, kind)
        entry = json_arrays.of_array(array)
        back = json_arrays.to_array(entry)
        assert (entry["type"], entry["shape"]) == (word, list(array.shape))
        assert back.dtype == array.dtype and back.tolist() == array.tolist()
        assert word == "string" or back.tobytes() == array.tobytes()
    array = np.array([1, 2, 3], json_arrays.TYPES["uint4"][1])  # packed as ONNX does
    assert json_arrays.of_array(array)["data"] == "IQM="  # 0x21 0x03
    array = np.array([-2, 1, -1, 0, 1], json_arrays.TYPES["int2"][1])
    assert json_arrays.of_array(array)["data"] == "NgE="  # 0b00110110 0b00000001


def test_the_record_says_what_was_run_and_has_a_line_for_each_case(tmp_path, target):
    kit = tmp_path / "kit"
    index = [write_case(kit, name, "right") for name in ("test_b", "test_a")]
    (kit / "index.json").write_text(json.dumps({"kit": 1, "cases": index}))
    record = survey.run(target, kit)
    assert (record["target"], record["runtime"], record["version"]) == (
        "obedient-1",
        "Obedient",
        "1.2.3",
    )
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", record["date"])
    assert record["kit"] == survey.digest(index)
    index[0]["opset"] = 3
    assert record["kit"] != survey.digest(index)
    assert survey.clean("a " * 500) == "a " * 80  # a long message is cut
    text = survey.text_of(record)
    assert json.loads(text) == record
    assert text.endswith(' "outcomes": {\n  "test_a": "same",\n  "test_b": "same"\n }\n}\n')
    one = survey.run(target, kit, "*_b")
    assert list(one["outcomes"]) == ["test_b"]


def test_what_is_missing_is_said(tmp_path, target, surveyed):
    with pytest.raises(runtimes.Missing, match="no kit in .*: run `make kit`"):
        survey.run(target, tmp_path)
    with pytest.raises(runtimes.Missing, match="obedient-1 is not installed in .*--install"):
        runtimes.check_installed(target)
    target.adapter.write_text(ADAPTER + "import no_such_package\n")
    with pytest.raises(runtimes.Missing, match="obedient-1 cannot be started: .*no_such_package"):
        surveyed(("right", {}))
    program = harness.ROOT / "conformance/kit.py"
    words = [sys.executable, program, "survey", "ort-0.1"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("kit.py: no target ort-0.1; there are ")


def test_every_adapter_is_read_without_its_runtime():
    known = runtimes.targets()
    assert {name for names in outcome_file.FAMILIES.values() for name in names} <= set(known)
    for target in known.values():
        assert target.packages and all(re.search("[=@]", name) for name in target.packages)


def test_an_installation_of_other_packages_does_not_count(tmp_path):
    (tmp_path / "adapters").mkdir()
    (tmp_path / "adapters/touching.py").write_text(
        'RUNTIME = "Touching"\nTARGETS = {"touching-1": ["{home}/made3"]}\nCOMMAND = ["cat"]\n'
        'INSTALL = [["true"], ["touch", "{home}/made", "{home}/made2"]]\n'
    )

    def found():
        return runtimes.targets(tmp_path / "adapters", tmp_path / "installed")["touching-1"]

    runtimes.install(found())
    assert {file.name for file in found().home.iterdir()} == {"made", "made2", "made3", "done"}
    assert found().installed
    text = (tmp_path / "adapters/touching.py").read_text()
    (tmp_path / "adapters/touching.py").write_text(text.replace("made3", "made4"))
    assert not found().installed
    (tmp_path / "adapters/touching.py").write_text(text.replace('"true"', '"false"'))
    with pytest.raises(runtimes.Missing, match="touching-1 cannot be installed: false: status 1"):
        runtimes.install(found())


# ---- What is recorded ----------------------------------------------------------------------------

SAMPLED = 150  # cases


def sample(recorded):
    """Names of about SAMPLED cases, of all kinds of outcomes.

    Without crashes and cells that vary: what a fault in memory does depends on the machine.
    """
    names = sorted(
        (survey.kind(outcome), name)
        for name, outcome in recorded.items()
        if outcome == "same"
        or outcome["verdict"] != "crashes"
        and outcome.get("message") != survey.UNSTABLE
    )
    return {name for _, name in names[:: len(names) // SAMPLED]}


@pytest.mark.long
@pytest.mark.parametrize("target", ["ort-1.31", "openvino-2026.4"])
def test_recorded_outcomes(kit, target):
    found = runtimes.in_this_python(runtimes.targets()[target])
    record = outcome_file.read(target)
    chosen = sample(record["outcomes"])
    entries = [
        survey.read_entry(kit.path, case)
        for case in survey.index_of(kit.path, found.reads)
        if case["name"] in chosen
    ]
    assert len(entries) == len(chosen), (
        "outcomes of another kit: `conformance/run.sh survey` writes new ones"
    )
    runner = survey.Runner(found)
    wrong = []
    for entry in entries:
        expected = survey.kind(record["outcomes"][entry.name])
        got = runner.ask(entry, survey.PERTURB[0])
        if survey.kind(got) != expected:  # perhaps by what another case did to the process
            got = runner.alone(entry, survey.PERTURB[0])
        if survey.kind(got) != expected:
            wrong.append((entry.name, expected, got))
    if runner.version != record["version"]:  # a newer one, which may be right in more cases
        wrong = [case for case in wrong if case[2] != "same"]
    runner.close()
    assert not wrong, f"{len(wrong)} of {len(entries)}: {wrong[:10]}"
