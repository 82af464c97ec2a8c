"""What `tensorpad lower` makes of a kit for a runtime, and what the runtime then makes of that.

SPDX-License-Identifier: MIT

Shapes of inputs that a model leaves open are given to `lower`, since a survey gives them to the
runtimes.
"""

import collections
import concurrent.futures
import dataclasses
import json
import os
import re
import subprocess

from padkit import carried_elements, own_folder, predictions, survey, without_pad
from padkit.case_facts import Facts

REFUSED = 3  # the status of `lower` where it cannot do what is wanted
UNKNOWN = "it is not known what the target does with the node"
WHEN_RUN = "amounts, axes or shape are known only when the model runs"
NO_OPSET = "the runtime reads no model of that opset"
NO_TYPE = "no operator of the runtime moves such elements"
NO_EMPTY = "no operator of the runtime gives an output of that type and shape without elements"
NO_REST = "the runtime gets the model wrong also with an Identity instead of the Pad"


@dataclasses.dataclass(frozen=True)
class Lowered:
    """What `lower` did to a model, and whether the file is another one."""

    status: int
    reasons: list  # of the Pads that it cannot lower
    operators: list  # what stands in for each Pad that it rewrote
    changed: bool

    @property
    def refused(self):
        return self.status == REFUSED


def lower_file(command, model, out, targets, shapes):
    """Lowers one model into the file `out`; shapes: words of the command."""
    out.unlink(missing_ok=True)
    words = [command, "lower", "--json", model, out, "--target", targets, *shapes]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, errors="replace")
    if done.returncode not in (0, REFUSED) or (done.returncode == 0) != out.exists():
        raise RuntimeError(f"{model}: status {done.returncode}: {done.stderr}")
    nodes = json.loads(done.stdout)["nodes"]
    return Lowered(
        done.returncode,
        [UNKNOWN if node["verdict"] == "unknown" else node["reason"] for node in nodes
         if node["outcome"] == "cannot"],
        [node["operators"] for node in nodes if node["outcome"] == "rewritten"],
        out.exists() and out.read_bytes() != model.read_bytes())


def lower(command, case, kit, targets, out):
    """Lowers the model of a case into the file `out`."""
    folder = kit / case["folder"]
    shapes = [] if case["tags"]["dynamic"] == "known" else predictions.shapes_of(folder)
    out.parent.mkdir(parents=True, exist_ok=True)
    return lower_file(command, folder / "model.onnx", out, targets, shapes)


def group_of(reason):
    """A reason of `lower` without what is of one model or one version."""
    reason = re.sub(r"(ONNX Runtime|OpenVINO|OpenCV|tract)( web)? [\d.]*\d", "the runtime", reason)
    reason = re.sub(r" for type .* at opset \d+: .*", " for that type at that opset", reason)
    reason = re.sub(r" \(looked at: .*", "", reason)
    return reason.removeprefix("the runtime: ")


def lower_all(command, kit, cases, targets, folder):
    """Lowers cases into a kit of their own; returns {name: Lowered}."""
    own_folder.make_anew(folder)

    def one(case):
        out = folder / case["folder"] / "model.onnx"
        lowered = lower(command, case, kit, targets, out)
        if lowered.changed:
            data = (kit / case["folder"] / "test_data_set_0").resolve()
            (out.parent / "test_data_set_0").symlink_to(data)
        return lowered

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip((case["name"] for case in cases), pool.map(one, cases)))
    changed = [case for case in cases if found[case["name"]].changed]
    folder.mkdir(exist_ok=True)
    (folder / "index.json").write_text(json.dumps({"kit": 1, "cases": changed}, indent=1) + "\n")
    return found


def is_known(case):
    """Whether amounts, axes and shape follow from the model and from the shapes of its inputs."""
    return Facts(case).known_pads and case["tags"]["dynamic"] != "rank unknown"


def left_out(target, kit, cases, folder, tell):
    """{name: why} of those cases of which no rewrite can be expected."""
    plain = {case["opset"]: carried_elements.Load("float", case["opset"], (2,), (0x3F800000, 0x40000000),
                                          False) for case in cases}
    loads = {case["name"]: carried_elements.load_of(kit / case["folder"] / "test_data_set_0/output_0.pb",
                                            case["opset"], bool(case["tags"].get("nan_payloads")))
             for case in cases}
    wanted = [*plain.values(), *loads.values()]
    carried = carried_elements.carried(target, wanted, folder / "carrying", tell)
    rest = without_pad.failing(target, kit, cases, folder / "without-pad", tell)
    found = {}
    for case in cases:
        name, load = case["name"], loads[case["name"]]
        if not is_known(case):
            found[name] = WHEN_RUN
        elif plain[case["opset"]] not in carried:
            found[name] = NO_OPSET
        elif load not in carried:
            found[name] = NO_TYPE if load.cells else NO_EMPTY
        elif name in rest:
            found[name] = NO_REST
    return found


def words_of(outcome):
    return " ".join(survey.kind(outcome))


def sorted_counts(reasons):
    return dict(collections.Counter(reasons).most_common())


def reasons_of(lowered, names):
    """How many of these names are refused for which reason."""
    return sorted_counts(group_of(lowered[name].reasons[0]) for name in sorted(names)
                         if lowered[name].refused)


def wrong_of(after, names):
    """{name: what came out} of those names that have run and are not right."""
    return {name: words_of(after[name]) for name in sorted(names)
            if after.get(name, "same") != "same"}


def run(target, command, kit, before, folder, tell):
    """Lowers the answered ONNX cases of a kit for a target and runs what changed.

    before: {name: outcome} of the kit as it is. Returns counts and the names that stay wrong.
    """
    cases = [case for case in survey.index_of(kit) if not case["forbidden"]]
    lowered = lower_all(command, kit, cases, target.name, folder)
    changed = [case for case in cases if lowered[case["name"]].changed]
    after = survey.run(target, folder, tell=tell)["outcomes"] if changed else {}
    failed = [case for case in cases if before[case["name"]] != "same"]
    out = left_out(target, kit, failed, folder, tell)
    right = {case["name"] for case in cases} - {case["name"] for case in failed}
    counted = [case["name"] for case in failed if case["name"] not in out]
    changed = {case["name"] for case in changed}
    return {
        "right before": len(right),
        "of these rewritten": len(right & changed),
        "of these refused": reasons_of(lowered, right),
        "of these wrong now": wrong_of(after, right),
        "wrong before": len(failed),
        "left out": sorted_counts(out.values()),
        "left out and right now": sum(after.get(name) == "same" for name in out),
        "rewritten": sum(lowered[case["name"]].changed for case in failed),
        "counted": len(counted),
        "right now": sum(after.get(name) == "same" for name in counted),
        "refused": reasons_of(lowered, counted),
        "wrong now": wrong_of(after, counted),
        "left out and wrong now": wrong_of(after, out),
        "not touched": sorted(name for name in counted
                              if name not in changed and not lowered[name].refused),
    }
