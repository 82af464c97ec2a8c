"""What `tensorpad check` says of the models of a kit, beside what the runtimes did.

SPDX-License-Identifier: MIT

Shapes of inputs that a model leaves open are given to `check`, since a survey gives them to the
runtimes.
"""

import collections
import json
import re
import subprocess
import sys

import onnx

from kit import operators, outcome_file, runtimes, survey, windows

ORDER = ["same", "unknown", "accepts", "differs", "refuses", "crashes"]


def check(command, *words):
    """The models of the JSON form. An error of one model is in the model."""
    done = subprocess.run([command, "check", "--json", *map(str, words)], capture_output=True)
    return json.loads(done.stdout)["models"]


def shape_words(arrays):
    """--input-shape for each of them."""
    return [
        f"--input-shape={name}={','.join(map(str, array.shape))}" for name, array in arrays.items()
    ]


def worst(model):
    """{target: (verdict, code)} of one model that was checked."""
    targets = collections.defaultdict(lambda: ("same", None))
    for verdict in (v for node in model["nodes"] for v in node["verdicts"]):
        pair = verdict["verdict"], verdict["code"]
        before = targets[verdict["target"]]
        targets[verdict["target"]] = max(before, pair, key=lambda pair: ORDER.index(pair[0]))
    return targets


def shapes_of(folder):
    """--input-shape for each input of the graph of a case."""
    for k, port in enumerate(onnx.load(folder / "model.onnx").graph.input):
        data = folder / f"test_data_set_0/input_{k}.pb"
        if data.is_file():  # there is none for an initializer that is an input, too
            dims = onnx.TensorProto.FromString(data.read_bytes()).dims
            yield f"--input-shape={port.name}={','.join(map(str, dims))}"


def is_ir(case):
    return case["folder"].startswith("openvino")


def model_of(case):
    return "model.xml" if is_ir(case) else "model.onnx"


def predict(command, kit, cases):
    """{case: {target: (verdict, code)}}; of several nodes the worst verdict counts."""
    known = [case for case in cases if case["tags"]["dynamic"] == "known" or is_ir(case)]
    models = check(command, *(kit / case["folder"] / model_of(case) for case in known))
    for case in cases:
        if case not in known:
            folder = kit / case["folder"]
            model = folder / "model.onnx"
            models += check(command, *shapes_of(folder), model) or check(command, model)
    found = {}
    for model in models:
        found[model["path"].split("/")[-2]] = worst(model)
    assert len(found) == len(cases)
    return found


def compare(predictions, record):
    """(how many are told, names that are unknown, [(name, outcome, prediction, code)] that are
    wrong).
    """
    right, unknown, wrong = 0, [], []
    for name, outcome in record["outcomes"].items():
        if name not in predictions:
            continue
        did = outcome if isinstance(outcome, str) else outcome["verdict"]
        said, code = predictions[name][record["target"]]
        if said == did:
            right += 1
        elif said == "unknown":
            unknown.append(name)
        else:
            wrong.append((name, did, said, code))
    return right, unknown, wrong


COMMAND = runtimes.KIT.parent / "build/tensorpad"
SHOWN = 4  # names of cases for each line


def family(name):
    """("ort", (1, 32)) of ort-1.32."""
    word, _, version = name.rpartition("-")
    return word, tuple(int(part) for part in version.split("."))


def predecessor(package, known):
    """The newest target whose first package is this one, or Missing."""
    versions = [target for target in known.values() if target.packages[0].split("==")[0] == package]
    if not versions:
        there = {target.packages[0].split("==")[0] for target in known.values()}
        raise runtimes.Missing(
            f"no adapter installs {package}; they install {', '.join(sorted(there))}"
        )
    return max(versions, key=lambda target: family(target.name))


def add(old, requirement, name):
    """Writes the target into its adapter, behind the one before it."""
    source = old.adapter.read_text()
    line = next(line for line in source.splitlines(True) if f'"{old.name}":' in line)
    added = line.replace(f'"{old.name}"', f'"{name}"').replace(old.packages[0], requirement)
    if line.startswith("TARGETS"):
        sys.exit(
            f"kit.py: write {name} into {old.adapter} beside {old.name}: its TARGETS stand "
            "in one line"
        )
    old.adapter.write_text(source.replace(line, line + added))


def kind(outcome):
    return outcome if outcome == "same" else outcome["verdict"]


def changes(old, new, kit):
    """{(rule or None, kind before, kind now): names of cases}, and {rule: how many cases it told
    before}
    """
    before, now = (outcome_file.read(name)["outcomes"] for name in (old, new))
    cases = [case for case in survey.index_of(kit) if case["name"] in before]
    told = predict(COMMAND, kit, cases)
    found, all_of_rule = collections.defaultdict(list), collections.Counter()
    for case in cases:
        name = case["name"]
        _, code = told[case["folder"].split("/")[-1]][old]
        all_of_rule[code] += 1
        if kind(before[name]) != kind(now[name]):
            found[code, kind(before[name]), kind(now[name])].append(name)
    return found, all_of_rule


def draft(old, new, found, all_of_rule):
    """Lines for whoever changes the rules."""
    _, version = family(old)
    changed = collections.Counter()
    for (code, *_), names in found.items():
        changed[code] += len(names)
    yield f"runtimes/judge.c: a line for {new} after {old}"
    for (code, was, is_now), names in sorted(found.items(), key=str):
        count, others = len(names), all_of_rule[code] - changed[code]
        if code is None:
            advice = f"a new rule, from {new} on"
        elif others == 0:
            advice = f"the rule ends: .until = VERSION({version[0]}, {version[1]})"
        else:
            advice = (
                f"{others} other cases of the rule stay as they are: which facts tell them apart?"
            )
        shown = ", ".join(names[:SHOWN]) + (", ..." if count > SHOWN else "")
        yield f"{code or 'no rule'}: {was} -> {is_now} in {count} cases ({shown}): {advice}"


def measure_version(requirement, kit, folder):
    """Measures a new version of a runtime, `onnxruntime==1.33.0`, and prints what its rules need.

    Writes it into its adapter, records the outcomes of the kit, of operators and of windows, and
    prints which cases differ from the newest version before it, by the rule that `tensorpad check`
    gave for that version.
    """
    package, _, release = requirement.partition("==")
    parts = re.match(r"(\d+)\.(\d+)", release)
    if not parts:
        raise runtimes.Missing(f"{requirement} is no version such as onnxruntime==1.33.0")
    old = predecessor(package, runtimes.targets())
    name = f"{family(old.name)[0]}-{parts[1]}.{parts[2]}"
    if name not in runtimes.targets():
        add(old, requirement, name)
    elif name == old.name:
        same = [
            one for one in runtimes.targets() if family(one)[0] == family(name)[0] and one != name
        ]
        old = runtimes.targets()[max(same, key=family)]
    target = runtimes.targets()[name]
    runtimes.install(target)
    outcome_file.write(name, survey.text_of(survey.run(target, kit)))
    operators.make(folder)
    operators.measure(target, folder)
    windows.measure(target)
    found, all_of_rule = changes(old.name, name, kit)
    differing = sum(map(len, found.values()))
    print(f"{name}: {differing} of {sum(all_of_rule.values())} cases differ from {old.name}")
    for line in draft(old.name, name, found, all_of_rule):
        print("-", line)
