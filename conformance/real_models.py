#!/usr/bin/env python3
"""Real models with Pads: makes them, runs them in every runtime, and counts how often `check` is
right.

SPDX-License-Identifier: MIT

    real_models.py make FOLDER [WORD...]            all, or those with one of the words in their name
    real_models.py random FOLDER SEED COUNT         random graphs around a Pad instead
    real_models.py run FOLDER TARGET...             installs them where they are missing
    real_models.py lower FOLDER COMMAND TARGET...   lowers them by COMMAND, tensorpad, and runs what comes out
    real_models.py fold FOLDER COMMAND TARGET...    the same with `lower --fold --partial`
    real_models.py table FOLDER COMMAND [--write]   of all runs; --write: into docs/check.md
"""

import argparse
import itertools
import json
import pathlib
import subprocess
import sys

try:
    import numpy as np
    from kit import predictions, runtimes
    from kit.runtimes import Runner
    from kit.survey import tell
    from realmodels import making, record
    from realmodels.record import SECONDS, outcome
except ImportError as error:
    sys.exit(
        f"real_models.py: {error.name} is missing for this Python: take the one of `conformance/run.sh models`"
    )

SLOW = ("onnx-reference",)  # computes convolutions in Python
SLOW_GROUPS = ("timm", "torchvision", "transformers", "quantised")


def make(folder, words):
    folder.mkdir(parents=True, exist_ok=True)
    making.write_index(folder, making.make_all(folder, words, lambda text: print(text, flush=True)))


def did(runner, entry, model, k, plain=False):
    """What the target does with the model, or what was made of it, at one size."""
    place = model.parent
    return outcome(
        runner,
        model,
        place / f"control_{k}.onnx",
        dict(np.load(place / f"inputs_{k}.npz")),
        list(np.load(place / f"wanted_{k}.npz").values()),
        entry["rounds"],
        plain,
    )


def make_random(folder, seed, count):
    from realmodels import random_graphs

    folder.mkdir(parents=True, exist_ok=True)
    made = (making.make_one(folder, one) for one in random_graphs.recipes(seed))
    making.write_index(
        folder, list(itertools.islice((entry for entry in made if "why" not in entry), int(count)))
    )


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
        for entry, place, model in models(folder, target):
            if model.suffix == ".xml" and "openvino" not in target.reads:
                continue
            plain = target.plain and entry["group"] == "random"
            found[entry["name"]] = [
                (
                    *did(runner, entry, model, k),
                    did(runner, entry, model, k, True)[0] if plain else None,
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
        for entry, place, model in models(folder, target):
            if model.suffix == ".xml":
                continue
            out, how = lowered(place, model, command, target.name, more)
            if out is None or out.read_bytes() == model.read_bytes():
                continue
            found[entry["name"]] = [how] + [did(runner, entry, out, k) for k in entry["sizes"]]
            tell(f"{target.name}: {len(found)} lowered models")
    return found


def models(folder, target):
    """(entry, folder, path) of each model that the target has time for."""
    for entry in making.read_index(folder):
        if "why" not in entry and not (target.name in SLOW and entry["group"] in SLOW_GROUPS):
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


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["make", "random", "run", "lower", "fold", "table"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    if asked.what == "make":
        make(asked.folder, asked.words)
    elif asked.what == "random":
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
        sys.exit(record.table(asked.folder, asked.words[0], asked.write))


if __name__ == "__main__":
    main()
