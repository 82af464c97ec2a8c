"""Draws a sample of mutants: of the library into library_mutants.jsonl, of the tools into tools_mutants.jsonl.

SPDX-License-Identifier: MIT

    draw.py library|tools [COUNT [SEED]]

Mutants whose lines are still in the sources stay. Each file gets more until it has its share of COUNT:
out of all that universalmutator's rules for C make of it, in random order. Left out are those that
change comments or texts only, those that do not compile, and those whose object file at -O2 is that
of the original or of a mutant drawn before: the compiler has shown them to be equal.
"""

import collections
import concurrent.futures
import hashlib
import os
import pathlib
import random
import sys
import tempfile

import tree
from universalmutator import mutator

RULES = ["universal.rules", "c_like.rules", "c.rules"]


def all_mutants(file):
    text = tree.text_of(file)
    lines = text.splitlines(keepends=True)
    code = tree.without_comments(text)
    code_lines = code.splitlines()
    found = []
    for number, changed, _, _ in mutator.mutants_regexp(
        lines, ruleFiles=RULES, ignorePatterns=[], ignoreStringOnly=True
    ):
        line = lines[number - 1].rstrip("\n")
        occurrence = [other.rstrip("\n") for other in lines[:number]].count(line)
        if not code_lines[number - 1].strip():
            continue
        mutant = {"file": file, "line": line, "which": occurrence, "mutant": changed.rstrip("\n")}
        if tree.without_comments(tree.mutated(text, mutant)) != code:
            found.append(mutant)
    return found


def object_of(folder, file, text):
    """A fingerprint of what the compiler makes of it, or None."""
    name = hashlib.sha256(text.encode()).hexdigest()[:16]
    source, out = folder / f"{name}.c", folder / f"{name}.o"
    if not tree.compile_text(text, file, source, out, "-O2", f"-frandom-seed={file}"):
        return None
    out_bytes = out.read_bytes().replace(name.encode(), b"")
    source.unlink()
    out.unlink()
    return file + hashlib.sha256(out_bytes).hexdigest()


def compiled(folder, pool, mutants):
    """The fingerprints of mutants, in order."""
    texts = [(m["file"], tree.mutated(tree.text_of(m["file"]), m)) for m in mutants]
    return pool.map(lambda one: object_of(folder, *one), texts)


def fits(mutant, names):
    file = mutant["file"]
    return file in names and tree.mutated(tree.text_of(file), mutant) is not None


def drawn(folder, pool, mutants, most, seen, left_out):
    """The first `most` of the mutants of one file that are not as the original, nor as each other."""
    chosen = []
    while len(chosen) < most and mutants:
        some, mutants = mutants[: 2 * most], mutants[2 * most :]
        for mutant, fingerprint in zip(some, compiled(folder, pool, some)):
            if len(chosen) == most:
                break
            if fingerprint is None or fingerprint in seen:
                left_out["broken" if fingerprint is None else "equal"] += 1
            else:
                seen.add(fingerprint)
                chosen.append(mutant)
    return chosen


def main():
    kind = sys.argv[1]
    mutated, path, usual = tree.KINDS[kind]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else usual
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    names = tree.files(mutated)
    everything = {name: all_mutants(name) for name in names}
    total = sum(len(mutants) for mutants in everything.values())
    print(f"{total} mutants of {len(names)} files")
    chosen = [mutant for mutant in tree.read_mutants(path) if fits(mutant, names)]
    kept, left_out = len(chosen), collections.Counter()
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        folder = pathlib.Path(folder)
        seen = {object_of(folder, name, tree.text_of(name)) for name in names}
        seen.update(compiled(folder, pool, chosen))
        for name, mutants in everything.items():
            share = round(count * len(mutants) / total) - sum(m["file"] == name for m in chosen)
            random.Random(f"{seed} {name}").shuffle(mutants)
            chosen += drawn(folder, pool, mutants, share, seen, left_out)
            print(f"{len(chosen)} drawn", flush=True)
    chosen.sort(key=lambda m: (m["file"], tree.text_of(m["file"]).find(m["line"]), m["mutant"]))
    tree.write_mutants(path, chosen)
    print(
        f"{kept} kept, {len(chosen) - kept} drawn; {left_out['broken']} do not compile, "
        f"{left_out['equal']} are equal to the original or another"
    )


if __name__ == "__main__":
    main()
