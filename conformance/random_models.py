#!/usr/bin/env python3
"""Random models with Pads: makes them, runs them in every runtime, and counts how often `check` is right.

SPDX-License-Identifier: MIT

    random_models.py random FOLDER SEED COUNT         random graphs around a Pad
    random_models.py random FOLDER SEED COUNT ir      random IRs of OpenVINO
    random_models.py run FOLDER TARGET...             installs them where they are missing
    random_models.py lower FOLDER COMMAND TARGET...   lowers them by COMMAND, tensorpad, and runs what comes out
    random_models.py fold FOLDER COMMAND TARGET...    the same with `lower --fold --partial`
    random_models.py table FOLDER COMMAND             of all runs
"""

import argparse
import itertools
import json
import pathlib
import subprocess
import sys

import numpy as np
import onnx
from graphs import making, random_graphs, random_irs
from kit import predictions, runtimes
from kit.runtimes import CLOSE, CLOSE_ROUNDED, Runner, distance, graphs_of
from kit.survey import tell

ENOUGH = 0.99  # of the verdicts must be right
# It takes inputs of any size, whatever the model says: no model can refuse another one (docs/lower.md).
IGNORES_SHAPES = "opencv-4"
SECONDS = 60  # the longest that one run may take
ANYWAY = "it is wrong with Identities instead of its Pads, too"


# ---- Making and running --------------------------------------------------------------------------


def did(runner, entry, model, k, plain=False):
    """What the target does with the model, or what was made of it, at one size."""
    place = model.parent
    control = place / f"control_{k}{model.suffix}"
    return outcome(
        runner,
        model,
        control if control.exists() else control.with_suffix(".onnx"),
        dict(np.load(place / f"inputs_{k}.npz")),
        list(np.load(place / f"wanted_{k}.npz").values()),
        entry["rounds"],
        plain,
    )


def make_random(folder, seed, count, form="onnx"):
    folder.mkdir(parents=True, exist_ok=True)
    recipes = (random_irs if form == "ir" else random_graphs).recipes(seed)
    made = (making.make_one(folder, one) for one in recipes)
    making.write_index(folder, list(itertools.islice(filter(None, made), int(count))))


def lowered(place, model, command, target, more):
    """The lowered model and how it was made: "open", "shaped" or None where it cannot be
    lowered.
    """
    out = place / f"lowered-{target}{model.suffix}"
    shapes = predictions.shape_words(np.load(place / "inputs_0.npz"))
    for how, words in (("open", more), ("shaped", [*more, *shapes])):
        done = subprocess.run(
            [command, "lower", model, out, "-q", "-f", "--target", target, *words],
            capture_output=True,
        )
        if done.returncode == 0:
            return out, how
    return None, None


def run_one(target, folder):
    """{name: [(what it did, why, what it did without optimisations or None) at each size]}."""
    found = {}
    with Runner(target, SECONDS) as runner:
        for entry, place, model in models(folder):
            if model.suffix == ".xml" and "openvino" not in target.reads:
                continue
            found[entry["name"]] = [
                (
                    *did(runner, entry, model, k),
                    did(runner, entry, model, k, True)[0] if target.plain else None,
                )
                for k in entry["sizes"]
            ]
            tell(f"{target.name}: {len(found)} models")
    return found


def lower_one(target, folder, command, more):
    """{name: [how it was lowered, (what it did, why) at each size]}; a model that stays as it is is
    left out.
    """
    found = {}
    with Runner(target, SECONDS) as runner:
        for entry, place, model in models(folder):
            if model.suffix == ".xml":
                continue
            out, how = lowered(place, model, command, target.name, more)
            if out is None or out.read_bytes() == model.read_bytes():
                continue
            found[entry["name"]] = [how] + [did(runner, entry, out, k) for k in entry["sizes"]]
            tell(f"{target.name}: {len(found)} lowered models")
    return found


def models(folder):
    """(entry, folder, path) of each model."""
    for entry in making.read_index(folder):
        place = folder / making.slug(entry["name"])
        [model] = place.glob("model.[ox][nm][nl]*")
        yield entry, place, model


def run(folder, what, names, run_target):
    known = runtimes.targets()
    for name in names:
        target = runtimes.find(name, known)
        runtimes.install(target)
        (folder / f"{what}-{name}.json").write_text(
            json.dumps(run_target(target, folder), indent=0)
        )
        tell("")
        print(f"{name}: done", flush=True)


# ---- What a run says -----------------------------------------------------------------------------


def farthest(found, wanted):
    """The largest distance of an output; of the first alone where a runtime gives no other."""
    return max(map(distance, found[: len(wanted)], wanted), default=0.0)


def put_identities(model):
    """Puts an Identity in place of each Pad. The output has another shape then."""
    for graph in graphs_of(model):
        for node in graph.node:
            if node.op_type == "Pad":
                node.op_type = "Identity"
                del node.input[1:], node.attribute[:]
    for output in model.graph.output:
        for k, dim in enumerate(output.type.tensor_type.shape.dim):
            dim.dim_param = f"other{k}"


def is_wrong_anyway(runner, path, inputs, near, plain):
    """Whether the model is wrong, too, with an Identity in place of each Pad."""
    if path.suffix != ".onnx":
        return False
    model, place = onnx.load(path), path.with_name(f"identities-{path.name}")
    put_identities(model)
    try:
        wanted = making.session(model).run(None, inputs)
    except Exception:  # the other nodes do not take the data as it is
        return False
    onnx.save(model, place)
    outputs, _ = runner.run(place, inputs, plain)
    return outputs is None or farthest(outputs, wanted) > near


def outcome(runner, path, control, inputs, wanted, rounds, plain=False):
    """(what the target did with the Pads, why). "unjudged": it fails without them, too.

    wanted: what ONNX Runtime, told to change nothing, gives for the model without its Pads.
    """
    near = CLOSE_ROUNDED if rounds else CLOSE
    outputs, failure = runner.run(path, inputs, plain)
    if outputs is not None and farthest(outputs, wanted) <= near:
        return "same", ""
    bare, bare_failure = runner.run(control, inputs, plain)
    if bare is None:
        return "unjudged", f"without its Pads: {bare_failure[1]}"
    off = farthest(outputs, bare) if outputs is not None else float("inf")
    if off <= near:
        return "same", ""
    if farthest(bare, wanted) > near:
        return "unjudged", f"without its Pads it is off by {farthest(bare, wanted):.1g}"
    if is_wrong_anyway(runner, path, inputs, near, plain):
        return "unjudged", ANYWAY
    return failure or ("differs", f"off by {off:.2g}")


# ---- The table -----------------------------------------------------------------------------------


def said_of(command, folder):
    """{(name, size): {target: (verdict, code)}}; size -1: of the model without any shapes."""
    said = {}
    for entry, place, model in models(folder):
        [checked] = predictions.check(command, model)
        if not checked["nodes"]:
            print(f"{checked['path']}: no Pad is seen: {checked.get('error')}")
        said[entry["name"], -1] = predictions.worst(checked)
        for k in entry["sizes"]:
            shapes = predictions.shape_words(np.load(place / f"inputs_{k}.npz"))
            [checked] = predictions.check(command, *shapes, model)
            said[entry["name"], k] = predictions.worst(checked)
    return said


def kind_of(verdict, did):
    if did == "unjudged":
        return "unjudged"
    if verdict == "unknown":
        return "unknown"
    if verdict == "accepts":  # any answer to what the document forbids
        return "right" if did in ("same", "differs") else "false same"
    if verdict == did or "same" not in (verdict, did):
        return "right"  # that it is wrong is what counts, not in which way
    return "false same" if verdict == "same" else "false alarm"


def count(target, did, said, entries):
    """{kind: runs}, and a line for each that is wrong."""
    counts, wrong = (
        dict.fromkeys(("right", "unknown", "false alarm", "false same", "unjudged"), 0),
        [],
    )
    for entry in entries:
        for k, (what, why, plain) in zip(entry["sizes"], did.get(entry["name"], []), strict=False):
            for size in {k, -1}:
                verdict, code = said[entry["name"], size].get(target, ("same", None))
                if size == -1 and verdict == "unknown":
                    continue  # the open model promises nothing
                # That the Pads are right says nothing of a graph that is wrong anyway.
                kind = kind_of(verdict, "differs" if why == ANYWAY and verdict != "same" else what)
                counts[kind] += size == k
                if kind.startswith("false"):
                    given = "" if size == -1 else " with its shape"
                    fused = " as it optimises" if plain == "same" != what else ""
                    wrong.append(
                        f"{target}: {entry['name']}, size {k}{given}: check says {verdict} {code or ''}, "
                        f"it {what}{fused} ({' '.join(why.split())[:120]})"
                    )
    return counts, wrong


def count_lowered(path):
    """(models, right runs, runs refused at another size, wrong runs), and a line for each wrong
    one.
    """
    if not path.exists():
        return (0, 0, 0, 0), []
    right = refused = 0
    found, wrong = json.loads(path.read_text()), []
    for name, (how, *runs) in found.items():
        for k, (did, why) in enumerate(runs):
            if k > 0 and how == "shaped" and IGNORES_SHAPES in path.stem:
                continue
            right += did == "same"
            refused += did == "refuses" and how == "shaped" and k > 0
            if (
                did == "differs"
                or did in ("refuses", "crashes")
                and not (how == "shaped" and k > 0)
            ):
                wrong.append(f"{path.stem}: {name}, {how}, size {k}: {did} ({why[:120]})")
    return (len(found), right, refused, len(wrong)), wrong


def tell_folded(folder):
    """Prints a table of the models in which `lower --fold` folds something; whether one is right no
    more.
    """
    worse = 0
    for k, path in enumerate(sorted(folder.glob("folded-*.json"))):
        target = path.stem.removeprefix("folded-")
        before, now = (
            json.loads(each.read_text()) for each in (folder / f"did-{target}.json", path)
        )
        pairs = [
            (name, old[0], new[0])
            for name, (_, *runs) in now.items()
            for old, new in zip(before[name], runs, strict=True)
        ]
        broken = [
            name for name, old, new in pairs if old == "same" and new not in ("same", "unjudged")
        ]
        print(
            *(f"{target}: {name} is worse" for name in broken), sep="\n", end="\n" if broken else ""
        )
        if k == 0:
            print(
                "| target | folded | runs | right before | right now | worse |\n|---|---|---|---|---|---|"
            )
        print(
            f"| {target} | {len(now)} | {len(pairs)} | {sum(old == 'same' for _, old, _ in pairs)} | "
            f"{sum(new == 'same' for *_, new in pairs)} | {len(broken)} |"
        )
        worse += len(broken)
    return worse > 0


def table(folder, command):
    """Prints the table. 1 if more verdicts are wrong than ENOUGH allows, or a lowered model."""
    entries, said, lines, status = making.read_index(folder), said_of(command, folder), [], 0
    for path in sorted(folder.glob("did-*.json")):
        target = path.stem.removeprefix("did-")
        found = json.loads(path.read_text())
        counts, wrong = count(target, found, said, entries)
        told = counts["right"] + counts["false alarm"] + counts["false same"]
        lowered, more = count_lowered(folder / f"lowered-{target}.json")
        lines.append(
            f"| {target} | {len(found)} | {told + counts['unknown']} | {counts['right']} | "
            f"{counts['false alarm']} | {counts['false same']} | {counts['unknown']} | "
            f"{counts['unjudged']} | {lowered[0]} | {lowered[1]} | {lowered[2]} | {lowered[3]} |"
        )
        print(*wrong, *more, sep="\n", end="\n" if wrong or more else "")
        status |= counts["right"] < ENOUGH * told or lowered[3] > 0
    text = "\n".join(
        [
            "| target | models | runs | right | false alarm | false same | unknown | other trouble "
            "| lowered | right | refused | wrong |",
            "|---|---|---|---|---|---|---|---|---|---|---|---|",
            *lines,
        ]
    )
    print(text)
    return int(status | tell_folded(folder))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["random", "run", "lower", "fold", "table"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("words", nargs="*")
    asked = parser.parse_args()
    if asked.what == "random":
        make_random(asked.folder, *asked.words)
    elif asked.what == "run":
        run(asked.folder, "did", asked.words, run_one)
    elif asked.what in ("lower", "fold"):
        command, *names = asked.words
        more = ["--fold", "--partial"] if asked.what == "fold" else []
        run(
            asked.folder,
            f"{asked.what}ed",
            names,
            lambda target, folder: lower_one(target, folder, command, more),
        )
    else:
        sys.exit(table(asked.folder, asked.words[0]))


if __name__ == "__main__":
    main()
