"""Writes the models of the record, and what they need to be run.

SPDX-License-Identifier: MIT

    FOLDER/NAME/model.onnx or model.xml
    FOLDER/NAME/inputs_0.npz        the inputs at the first size
    FOLDER/NAME/control_0.onnx      the model without its Pads, for that size
    FOLDER/NAME/wanted_0.npz        the outputs of the control
    FOLDER/NAME/entry.json          its line of the index
    FOLDER/index.json               the names, groups and sizes; and what could not be made, and why
"""

import functools
import json
import multiprocessing
import os
import shutil

import numpy as np
import onnx
import onnx.inliner

from realmodels import control
from realmodels.recipe import SEED, inputs_of, slug


class NothingToSee(Exception):
    """The model has no Pad, or cannot be made here."""


def source_of(folder, recipe):
    """The ONNX model: of an IR, that from which it was converted."""
    if recipe.suffix == ".onnx":
        return folder / slug(recipe.name) / "model.onnx"
    return folder / slug(recipe.name.removesuffix(" IR")) / "model.onnx"


def add_size(place, model, k, shapes, low):
    """The inputs, the control and its answer at one size."""
    inputs = inputs_of(model, shapes, np.random.default_rng(SEED + k), low)
    bare = control.without_pads(model, inputs)
    outputs = control.session(bare).run(None, inputs)
    np.savez(place / f"inputs_{k}.npz", **inputs)
    onnx.save(bare, place / f"control_{k}.onnx")
    np.savez(place / f"wanted_{k}.npz", *outputs)


def make_named(folder, name):
    """The entry of the recipe of that name."""
    from realmodels import recipes  # which needs torch

    all_made = recipes.all_recipes(lambda recipe: folder / slug(recipe.name))
    return make_one(folder, next(recipe for recipe in all_made if recipe.name == name))


def make_one(folder, recipe):
    """The entry of one model in the index. What cannot be made has `why`."""
    name = recipe.name
    place = folder / slug(name)
    if (place / "entry.json").exists():  # of a run that did not come to its end
        return json.loads((place / "entry.json").read_text())
    entry = {"name": name, "group": recipe.group, "rounds": recipe.rounds, "sizes": []}
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    try:
        recipe.make(place / f"model{recipe.suffix}")
        model = recipe.plain or onnx.inliner.inline_local_functions(
            onnx.load(source_of(folder, recipe))
        )
        entry["pads"] = len(control.pads_of(model))
        if entry["pads"] == 0:
            raise NothingToSee("no Pad")
        for k, shapes in enumerate(recipe.shapes):
            try:
                add_size(place, model, k, shapes, recipe.low)
                entry["sizes"].append(k)
            except Exception as error:
                if k == 0:
                    raise
                print(f"{name}: not at {shapes}: {line_of(error)}", flush=True)
        (place / "entry.json").write_text(json.dumps(entry))
    except Exception as error:
        entry["why"] = line_of(error)
        shutil.rmtree(place)
    return entry


def line_of(error):
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0][:150]}" if text else type(error).__name__


def make_all(folder, wanted, tell):
    """The entries of all recipes whose name contains one of the words; those made from others come last."""
    from realmodels import recipes

    all_made = recipes.all_recipes(lambda recipe: folder / slug(recipe.name))
    chosen = [
        recipe.name
        for recipe in all_made
        if not wanted or any(word in recipe.name for word in wanted)
    ]
    later = {recipe.name for recipe in all_made if recipe.group in ("quantised", "IR")}
    entries = {}
    os.environ["OMP_NUM_THREADS"] = "1"
    for names in ([n for n in chosen if n not in later], [n for n in chosen if n in later]):
        with multiprocessing.get_context("spawn").Pool(2, maxtasksperchild=25) as pool:
            for entry in pool.imap(functools.partial(make_named, folder), names):
                entries[entry["name"]] = entry
                tell(f"{entry['name']}: {entry.get('why') or 'sizes ' + str(entry['sizes'])}")
    return list(entries.values())
