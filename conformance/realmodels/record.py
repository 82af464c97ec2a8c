"""Beside each other: what `tensorpad check` says of the models, and what the runtimes did.

SPDX-License-Identifier: MIT
"""

import json
import pathlib

import numpy as np
from padkit import predictions

from realmodels import recipe
from realmodels.run import ANYWAY

PAGE = pathlib.Path(__file__).parents[2] / "docs/check.md"
BEGIN, END = "<!-- real models -->", "<!-- end of real models -->"
ENOUGH = 0.99
# It takes inputs of any size, whatever the model says: no model can refuse another one (docs/lower.md).
IGNORES_SHAPES = "opencv-4"


def said_of(command, folder, entries):
    """{(name, size): {target: (verdict, code)}}; size -1: of the model without any shapes."""
    said = {}
    for entry in entries:
        place = folder / recipe.slug(entry["name"])
        [model] = place.glob("model.[ox][nm][nl]*")
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
    """(models, right runs, runs refused at another size, wrong runs), and a line for each wrong one."""
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
    """Prints a table of the models in which `lower --fold` folds something; whether one is right no more."""
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


def table(folder, command, write):
    """Prints the table; write: into the page, too. 1 if a verdict `same` about a real model is wrong, or more than
    ENOUGH allows, or a lowered model."""
    entries = [entry for entry in recipe.read_index(folder) if "why" not in entry]
    said, lines, status = said_of(command, folder, entries), [], 0
    for path in sorted(folder.glob("did-*.json")):
        target = path.stem.removeprefix("did-")
        counts, wrong = count(target, json.loads(path.read_text()), said, entries)
        told = counts["right"] + counts["false alarm"] + counts["false same"]
        models = len(json.loads(path.read_text()))
        lowered, more = count_lowered(folder / f"lowered-{target}.json")
        lines.append(
            f"| {target} | {models} | {told + counts['unknown']} | {counts['right']} | "
            f"{counts['false alarm']} | {counts['false same']} | {counts['unknown']} | "
            f"{counts['unjudged']} | {lowered[0]} | {lowered[1]} | {lowered[2]} | {lowered[3]} |"
        )
        print(*wrong, *more, sep="\n", end="\n" if wrong or more else "")
        real = any(entry["group"] != "random" for entry in entries)
        status |= (
            real and counts["false same"] > 0 or counts["right"] < ENOUGH * told or lowered[3] > 0
        )
    text = "\n".join(
        [
            "| target | models | runs | right | false alarm | false same | unknown | other trouble "
            "| lowered | right | refused | wrong |",
            "|---|---|---|---|---|---|---|---|---|---|---|---|",
            *lines,
        ]
    )
    print(text)
    status |= tell_folded(folder)
    if write:
        page = PAGE.read_text()
        before, rest = page.split(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}")
    return int(status)
