#!/usr/bin/env python3
"""The kit, ONNX's own tests and random nodes in ONNX Runtime without the plug-in, with it, and
prepared for it.

SPDX-License-Identifier: MIT

Usage: with_and_without.py PLUGIN COMMAND [TARGET]... [--write]
       PLUGIN: libtensorpad_ort.so; COMMAND: tensorpad, which prepares the models

--write records what came out and writes the tables of docs/onnxruntime.md. Without it, status 1
where a count is another than recorded. The versions are those of the survey
(conformance/adapters/onnxruntime.py); of 1.17 the library comes from npm, because its package for
Python has none.
"""

import argparse
import collections
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys

import onnx

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent), str(ROOT / "bench")]

import pages  # noqa: E402
from kit import outcome_file, random_pads, runtimes, survey  # noqa: E402

RECORD = "plugin/onnxruntime"
PAGE = ROOT / "docs/onnxruntime.md"
WORK = ROOT / "build/ort-plugin"
SEED, COUNT = 17317, 2000  # of the random nodes
ALL_LEVELS = 99
NPM = "onnxruntime-node@1.17.3"
HOW = ("without", "with", "prepared")
SETS = {
    "kit": "kit",
    "forbidden": "forbidden cases of the kit",
    "official": "ONNX's own tests",
    "random": f"{COUNT} random nodes",
}


def library_of(name):
    """libonnxruntime.so of a target."""
    home = runtimes.find(name, runtimes.targets()).home
    if name == "ort-1.17":
        home = WORK / "npm"
        if not home.exists():
            subprocess.run(
                ["npm", "install", "--ignore-scripts", "--prefix", home, NPM],
                check=True,
                stdout=subprocess.DEVNULL,
            )
    found = [path for path in home.glob("**/libonnxruntime.so.1.*") if "arm64" not in str(path)]
    if not found:
        raise runtimes.Missing(
            f"no libonnxruntime.so in {home}: run conformance/kit.py survey --install {name}"
        )
    return str(found[0].resolve())


def official(folder):
    """ONNX's own tests of Pad as a kit in a folder, written for opset 19 and IR 9, which all
    versions read: the document says the same of these cases in each opset."""
    cases = []
    for path in sorted((ROOT / "build/data/onnx").glob("backend/test/data/*/*/model.onnx")):
        name, model = path.parent.name, onnx.load(path)
        if not any(node.op_type == "Pad" for node in model.graph.node):
            continue
        [opset] = model.opset_import
        opset.version, model.ir_version = min(opset.version, 19), min(model.ir_version, 9)
        data = folder / "onnx" / name / "test_data_set_0"
        data.mkdir(parents=True, exist_ok=True)
        onnx.save(model, data.parent / "model.onnx")
        for kind, ports in (("input", model.graph.input), ("output", model.graph.output)):
            for k, port in enumerate(ports):  # some have no name, or the data in a typed field
                found = path.parent / "test_data_set_0" / f"{kind}_{k}.pb"
                if not found.exists():
                    continue
                tensor = onnx.numpy_helper.from_array(
                    onnx.numpy_helper.to_array(onnx.load_tensor(found)), port.name
                )
                onnx.save_tensor(tensor, data / f"{kind}_{k}.pb")
        cases.append({"name": name, "folder": f"onnx/{name}", "forbidden": None, "tags": {}})
    (folder / "index.json").write_text(json.dumps({"kit": 1, "cases": cases}))


def kits():
    """{folder of cases: its set}; they are made if they are not there."""
    folders = {"official": WORK / "official", "random": WORK / f"random-{SEED}"}
    if not (folders["official"] / "index.json").exists():
        official(folders["official"])
    if not (folders["random"] / "index.json").exists():
        random_pads.write(SEED, COUNT, folders["random"])
    return {"kit": ROOT / "build/pad-kit", **folders}


def prepared(name, kit, command, folder):
    """A folder with the kit, its models prepared for a target. Those that cannot be prepared stay
    as they are.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(kit, folder)
    for path in folder.glob("**/*.onnx"):
        made = path.with_name("prepared.onnx")
        done = subprocess.run(
            [command, "lower", "-q", "--plugin", "--target", name, path, made], capture_output=True
        )
        if done.returncode == 0:
            made.replace(path)
    return folder


def outcomes(name, kit, plugin=None, only_prepared=False, level=ALL_LEVELS):
    """(version, {case: outcome}) of a target with or without the plug-in."""
    os.environ.update(ORT_LIBRARY=library_of(name), ORT_LEVEL=str(level))
    for word, value in (("ORT_PLUGIN", plugin), ("ORT_PREPARED", only_prepared)):
        os.environ.pop(word, None)
        if value:
            os.environ[word] = str(value)
    command = (sys.executable, str(HERE.parent / "worker.py"), str(HERE / "c_interface.py"))
    target = dataclasses.replace(runtimes.find(name, runtimes.targets()), command=command)
    return survey.survey(target, [survey.read_entry(kit, case) for case in survey.index_of(kit)])


def counted(found, names):
    return dict(collections.Counter(survey.kind(found[name])[0] for name in sorted(names)))


def record(name, plugin, tensorpad):
    """What is written of a target: counts of each set, and what is not right when it is
    prepared.
    """
    made = {"counts": {}, "exceptions": {}}
    for kind, kit in kits().items():
        index = survey.index_of(kit)
        answered = {case["name"] for case in index if not case["forbidden"]}
        for how in HOW:
            folder = kit
            if how == "prepared":
                folder = prepared(name, kit, tensorpad, WORK / f"prepared-{kind}")
            library = None if how == "without" else plugin
            made["version"], found = outcomes(name, folder, library, how == "prepared")
            made["counts"].setdefault(kind, {})[how] = counted(found, answered)
            if len(index) > len(answered):
                forbidden = counted(found, found.keys() - answered)
                made["counts"].setdefault("forbidden", {})[how] = forbidden
        for case in sorted(answered):
            if found[case] != "same":
                why = reason(found[case])
                made["exceptions"].setdefault(why, []).append(case)
    if "random" in made["counts"]:  # of those the numbers are enough
        made["exceptions"] = {
            why: [len(cases), *(case for case in cases if "random" not in case)]
            for why, cases in made["exceptions"].items()
        }
    return made


REASONS = (  # words of a message: why the case does not come right
    ("complex", "no version carries complex tensors"),
    ("float8e8m0", "the type is newer than the version"),
    ("float4", "the type is newer than the version"),
    ("int2", "the type is newer than the version"),
    ("int4", "the type is newer than the version"),
    ("IOnnxRuntimeOpSc", "the opset or the IR is newer than the version"),
    (", Error No Op", "the opset or the IR is newer than the version"),
    ("Error No O", "the opset or the IR is newer than the version"),
    (") , E", "the opset or the IR is newer than the version"),
    ("ValidateOpsetForDomain", "the opset or the IR is newer than the version"),
    ("Load model from model.onnx failed", "a Pad in a function, whose output has no declared type"),
    ("mode to pad dimension with a value of 0", "an open extent is 0 when the model runs"),
    ("Unexpected mode of 3", "an open extent is 0 when the model runs"),
    ("not the same in each run", "refused when it is loaded, in words that vary"),
    ("AveragePool", "no kernel for the other operator"),
)


def reason(outcome):
    """Why a case is not right, in few words."""
    return next(
        (why for words, why in REASONS if words in outcome["message"]),
        f"{outcome['verdict']}: {outcome['message']}",
    )


def page(records):
    """The lines of the table in docs/onnxruntime.md."""
    head = ["ONNX Runtime", "cases"]
    for how in HOW:
        head += [f"{how}: right", "wrong", "refused", "crashed"]
    lines = [pages.row(head), "|---|---" + "|--:" * (len(head) - 2) + "|"]
    for each in records.values():
        for kind, title in SETS.items():
            if kind == "forbidden":
                continue
            found = each["counts"][kind]
            numbers = [
                str(found[how].get(verdict, 0))
                for how in HOW
                for verdict in ("same", "differs", "refuses", "crashes")
            ]
            lines.append(pages.row([each["version"], title, *numbers]))
    lines += ["", "Why the other cases are not right when they are prepared:", ""]
    lines += [
        pages.row(["", *(each["version"] for each in records.values())]),
        "|---" + "|--:" * len(records) + "|",
    ]
    for why in sorted({why for each in records.values() for why in each["exceptions"]}):
        numbers = [str(each["exceptions"].get(why, [0])[0]) for each in records.values()]
        lines.append(pages.row([why, *numbers]))
    lines += [
        "",
        "Cases that the specification forbids, and that ONNX Runtime answers:",
        "",
        pages.row(["", *(each["version"] for each in records.values())]),
        "|---" + "|--:" * len(records) + "|",
    ]
    for how in HOW:
        numbers = [
            str(each["counts"]["forbidden"][how].get("accepts", 0)) for each in records.values()
        ]
        lines.append(pages.row([how, *numbers]))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plugin", type=pathlib.Path)
    parser.add_argument("command", type=pathlib.Path)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    known = outcome_file.read(RECORD)
    found = {}
    for name in asked.targets or ["ort-1.17", "ort-1.20", "ort-1.23", "ort-1.31", "ort-1.32"]:
        found[name] = record(name, asked.plugin.resolve(), asked.command.resolve())
        print(name, json.dumps(found[name]["counts"]), flush=True)
    if asked.write:
        known |= found
        outcome_file.write(RECORD, json.dumps(dict(sorted(known.items())), indent=1) + "\n")
        pages.write(PAGE, "cases", page(known))
        return 0
    changed = [name for name in found if found[name]["counts"] != known.get(name, {}).get("counts")]
    for name in changed:
        print(f"{name}: recorded is {json.dumps(known.get(name, {}).get('counts'))}")
    return bool(changed)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except runtimes.Missing as missing:
        sys.exit(f"with_and_without.py: {missing}")
