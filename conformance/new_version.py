#!/usr/bin/env python3
"""Runs kit, operators and nodes with pads in a new version of a runtime, and says what its rules need.

Usage: new_version.py PACKAGE==VERSION KIT OPERATORS
       KIT, OPERATORS: the folders that `make kit` and `replacement_operators.py make` have written

Writes the version into its adapter, records what came out, and prints which cases differ from the newest
version before it, by the rule that `tensorpad check` gave for that version, and a draft of what is to be
changed in tools/runtimes. `conformance/run.sh survey onnxruntime==1.33.0` calls it. A second call runs everything
again.

SPDX-License-Identifier: MIT
"""

import collections
import pathlib
import re
import subprocess
import sys

from padkit import outcome_file, predictions, runtimes, survey

KIT = runtimes.KIT
COMMAND = KIT.parent / "build/tensorpad"
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
            f"new_version.py: write {name} into {old.adapter} beside {old.name}: its TARGETS stand "
            "in one line"
        )
    old.adapter.write_text(source.replace(line, line + added))


def kind(outcome):
    return outcome if outcome == "same" else outcome["verdict"]


def changes(old, new, kit):
    """{(rule or None, kind before, kind now): names of cases}, and {rule: how many cases it told before}"""
    before, now = (outcome_file.read(name)["outcomes"] for name in (old, new))
    cases = [case for case in survey.index_of(kit) if case["name"] in before]
    told = predictions.predict(COMMAND, kit, cases)
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
    yield f"tools/runtimes/targets.c: a line for {new} behind {old}"
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


def main(requirement, kit, operators):
    package, _, release = requirement.partition("==")
    parts = re.match(r"(\d+)\.(\d+)", release)
    if not parts:
        sys.exit(__doc__)
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
    subprocess.run(
        [sys.executable, KIT / "replacement_operators.py", "run", operators, name], check=True
    )
    subprocess.run([sys.executable, KIT / "replacement_operators.py", "table"], check=True)
    subprocess.run([sys.executable, KIT / "window_pads.py", name], check=True)
    found, all_of_rule = changes(old.name, name, kit)
    differing = sum(map(len, found.values()))
    print(f"{name}: {differing} of {sum(all_of_rule.values())} cases differ from {old.name}")
    for line in draft(old.name, name, found, all_of_rule):
        print("-", line)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    try:
        main(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    except runtimes.Missing as missing:
        sys.exit(f"new_version.py: {missing}")
