"""Runs the ONNX cases of the kit in a backend of yours, for CI: what fails, and an exit status.

SPDX-License-Identifier: MIT

Standard output has a line for each case that fails. The status is 0 if none fails, 1 if some fail,
and 2 for wrong usage. docs/runtimes.md has an example of a backend.
"""

import dataclasses
import fnmatch
import os
import pathlib
import re
import sys
import time
import xml.etree.ElementTree as ET

from kit import survey
from kit.runtimes import KIT, Dead, Missing, Target

# What XML 1.0 cannot hold.
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclasses.dataclass(frozen=True)
class Backend(Target):
    """The user's own runtime: it is there already."""

    installed = True


@dataclasses.dataclass(frozen=True)
class Result:
    """One case: what came out, and what was known to come out (`same` where nothing is said)."""

    case: dict
    verdict: str
    message: str
    known: str
    seconds: float

    @property
    def failed(self):
        return self.verdict != self.known

    def line(self):
        text = f"{self.case['name']}: {self.verdict}"
        text += f": {self.message}" if self.message else ""
        return text + (f" (known: {self.known})" if self.known != "same" else "")


def add_arguments(parser):
    """Adds its options to a parser."""
    parser.add_argument(
        "--backend",
        required=True,
        metavar="MODULE:FUNCTION",
        help="FUNCTION(model, device) returns an object with run(inputs)",
    )
    parser.add_argument("--cases", default="*", metavar="PATTERN", help="only cases of such names")
    parser.add_argument("--junit", type=pathlib.Path, metavar="FILE", help="also write JUnit XML")
    parser.add_argument(
        "--expect",
        type=pathlib.Path,
        metavar="FILE",
        help="known failures, the output of an earlier run: only changes fail",
    )
    parser.add_argument(
        "--seconds", type=float, default=20, help="the longest that a case may take"
    )


def target_of(name, seconds):
    """The backend as a target of the survey."""
    if not re.fullmatch(r"[\w.]+:[\w.]+", name):
        raise Missing(
            f"--backend {name}: it must be MODULE:FUNCTION, such as onnxruntime.backend:prepare"
        )
    os.environ["PAD_KIT_BACKEND"] = name
    adapter = KIT / "kit/backend.py"
    named = {
        "name": name,
        "runtime": name,
        "adapter": adapter,
        "home": KIT,
        "seconds": seconds,
        "command": (sys.executable, str(KIT / "worker.py"), str(adapter)),
    }
    unused = {
        field.name: ()
        for field in dataclasses.fields(Target)
        if field.default is dataclasses.MISSING
    }
    return Backend(**{**unused, **named})


def known_failures(path, names):
    """{name: verdict} of a file that an earlier run has printed."""
    found = {}
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Missing(f"--expect {path}: {getattr(error, 'strerror', None) or error}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, rest = line.partition(": ")
        verdict = re.match(r"\w*", rest)[0]
        if verdict not in survey.ORDER:
            raise Missing(f"--expect {path}: line {number} is not `NAME: VERDICT`")
        if name not in names:
            raise Missing(f"--expect {path}: line {number}: the kit has no case {name}")
        found[name] = verdict
    return found


def verdict_of(entry, outcome):
    """(verdict, message). To refuse a forbidden case is right."""
    if outcome == "same" or entry.outputs is None and outcome["verdict"] == "refuses":
        return "same", ""
    return outcome["verdict"], outcome.get("message", "")


def run(target, kit, cases, known):
    """A Result for each case; after a crash the case runs once more, alone, and that counts."""
    try:
        with survey.Runner(target) as runner:
            for case in cases:
                entry = survey.read_entry(kit, case)
                started = time.monotonic()
                outcome = runner.ask(entry, survey.PERTURB[0])
                if survey.crashed([outcome]):
                    outcome = runner.alone(entry, survey.PERTURB[0])
                yield Result(
                    case,
                    *verdict_of(entry, outcome),
                    known.get(case["name"], "same"),
                    time.monotonic() - started,
                )
    except Dead as death:
        raise Missing(f"--backend {target.name} cannot be started: {death}") from death


def write_junit(path, backend, results):
    """JUnit XML: a known failure is a skipped test, a change is a failure, a crash is an error."""
    suite = ET.Element("testsuite", name=f"pad-kit {backend}", tests=str(len(results)))
    counts = {"failure": 0, "error": 0, "skipped": 0}
    for result in results:
        test = ET.SubElement(
            suite,
            "testcase",
            name=result.case["name"],
            classname=f"pad-kit.{result.case['folder'].split('/')[0]}",
            time=f"{result.seconds:.3f}",
        )
        if result.failed:
            tag = "error" if result.verdict == "crashes" else "failure"
            words = {"type": result.verdict, "message": NOT_XML.sub("?", result.line())}
        elif result.verdict != "same":
            tag, words = "skipped", {"message": f"known: {result.verdict}"}
        else:
            continue
        counts[tag] += 1
        ET.SubElement(test, tag, words).text = result.case["shows"] if result.failed else None
    for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(name, str(counts[tag]))
    suite.set("time", f"{sum(result.seconds for result in results):.3f}")
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    ET.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def main(asked):
    """Runs the cases that are asked for; returns the exit status."""
    index = survey.index_of(asked.kit)
    cases = [case for case in index if fnmatch.fnmatchcase(case["name"], asked.cases)]
    if not cases:
        raise Missing(f"--cases {asked.cases}: no case of {asked.kit} has such a name")
    known = known_failures(asked.expect, {case["name"] for case in index}) if asked.expect else {}
    results = []
    for result in run(target_of(asked.backend, asked.seconds), asked.kit, cases, known):
        results.append(result)
        if result.failed:
            print(result.line(), flush=True)
    if asked.junit:
        write_junit(asked.junit, asked.backend, results)
    failed = sum(result.failed for result in results)
    still = sum(result.verdict != "same" for result in results if not result.failed)
    print(
        f"{len(results)} cases: {len(results) - failed - still} right, {still} known failures, "
        f"{failed} failed",
        file=sys.stderr,
    )
    return 1 if failed else 0
