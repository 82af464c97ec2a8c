#!/usr/bin/env python3
"""Real models with Pads: makes them, runs them in every runtime, and counts how often `check` is right.

SPDX-License-Identifier: MIT

    real_models.py make FOLDER [WORD...]            all, or those with one of the words in their name
    real_models.py random FOLDER SEED COUNT         random graphs around a Pad instead
    real_models.py run FOLDER TARGET...             installs them where they are missing
    real_models.py lower FOLDER COMMAND TARGET...   lowers them by COMMAND, tensorpad, and runs what comes out
    real_models.py table FOLDER COMMAND [--write]   of all runs; --write: into docs/check.md
"""

import argparse
import json
import pathlib
import subprocess
import sys

try:
    import numpy as np

    from padkit import predictions, runtimes
    from padkit.progress import tell
    from padkit.running import Runner
    from realmodels import recipe, record
    from realmodels.run import SECONDS, outcome
except ImportError as error:
    sys.exit(f"real_models.py: {error.name} is missing for this Python: take the one of `make models`")

SLOW = ("onnx-reference",)  # computes convolutions in Python
SLOW_GROUPS = ("timm", "torchvision", "transformers", "quantised")


def make(folder, words):
    from realmodels import making  # which needs torch

    folder.mkdir(parents=True, exist_ok=True)
    recipe.write_index(folder, making.make_all(folder, words, lambda text: print(text, flush=True)))


def make_random(folder, seed, count):
    from realmodels import making, random_graphs

    folder.mkdir(parents=True, exist_ok=True)
    entries = [making.make_one(folder, one) for one in random_graphs.recipes(seed, int(count))]
    for entry in entries:
        if "why" in entry:
            print(f"{entry['name']}: {entry['why']}")
    recipe.write_index(folder, entries)


def lowered(place, model, command, target):
    """The lowered model and how it was made: "open", "shaped" or None where it cannot be lowered."""
    out = place / f"lowered-{target}{model.suffix}"
    for how, words in (("open", []), ("shaped", predictions.shape_words(np.load(place / "inputs_0.npz")))):
        done = subprocess.run([command, "lower", model, out, "-q", "-f", "--target", target, *words],
                              capture_output=True)
        if done.returncode == 0:
            return out, how
    return None, None


def run_one(target, folder, command):
    """{name: [(what it did, why) at each size]}; with a command of what it lowers: [how, ...], and no others."""
    found = {}
    entries = [entry for entry in recipe.read_index(folder) if "why" not in entry]
    with Runner(target, SECONDS) as runner:
        for entry in entries:
            place = folder / recipe.slug(entry["name"])
            [model] = place.glob("model.[ox][nm][nl]*")
            if model.suffix == ".xml" and (command or "openvino" not in target.reads):
                continue
            if target.name in SLOW and entry["group"] in SLOW_GROUPS:
                continue
            path, how = lowered(place, model, command, target.name) if command else (model, None)
            if path is None or command and path.read_bytes() == model.read_bytes():
                continue
            found[entry["name"]] = [how] * bool(command) + [
                outcome(runner, path, place / f"control_{k}.onnx",
                        dict(np.load(place / f"inputs_{k}.npz")), np.load(place / f"wanted_{k}.npy"),
                        entry["rounds"])
                for k in entry["sizes"]]
            tell(f"{target.name}: {len(found)} models")
    return found


def run(folder, names, command=None):
    known = runtimes.targets()
    for name in names:
        target = runtimes.find(name, known)
        runtimes.install(target)
        file = folder / f"{'lowered' if command else 'did'}-{name}.json"
        file.write_text(json.dumps(run_one(target, folder, command), indent=0))
        tell("")
        print(f"{name}: done", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["make", "random", "run", "lower", "table"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    if asked.what == "make":
        make(asked.folder, asked.words)
    elif asked.what == "random":
        make_random(asked.folder, *asked.words)
    elif asked.what == "run":
        run(asked.folder, asked.words)
    elif asked.what == "lower":
        run(asked.folder, asked.words[1:], asked.words[0])
    else:
        sys.exit(record.table(asked.folder, asked.words[0], asked.write))


if __name__ == "__main__":
    main()
