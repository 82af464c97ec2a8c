"""Draws the sample of mutants: mutants.jsonl.

SPDX-License-Identifier: MIT

    draw.py [COUNT [SEED]]

All mutants that universalmutator's rules for C make of the sources, in random order. Left out are
those that change comments or texts only, those that do not compile, and those whose object file at
-O2 is that of the original or of a mutant drawn before: the compiler has shown them to be equal.
"""

import concurrent.futures
import hashlib
import os
import pathlib
import random
import sys
import tempfile

from universalmutator import mutator

import tree

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
        which = [other.rstrip("\n") for other in lines[:number]].count(line)
        if not code_lines[number - 1].strip():
            continue
        mutant = {"file": file, "line": line, "which": which, "mutant": changed.rstrip("\n")}
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


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 560
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    names = tree.files(tree.MUTATED)
    everything = [m for name in names for m in all_mutants(name)]
    print(f"{len(everything)} mutants of {len(names)} files")
    random.Random(seed).shuffle(everything)
    chosen, seen, broken, equal = [], set(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in names:
            seen.add(object_of(folder, name, tree.text_of(name)))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            while len(chosen) < count and everything:
                some, everything = everything[:100], everything[100:]
                made = pool.map(
                    lambda m: object_of(folder, m["file"], tree.mutated(tree.text_of(m["file"]), m)),
                    some,
                )
                for mutant, fingerprint in zip(some, made):
                    if len(chosen) == count:
                        break
                    if fingerprint is None:
                        broken += 1
                    elif fingerprint in seen:
                        equal += 1
                    else:
                        seen.add(fingerprint)
                        chosen.append(mutant)
                print(f"{len(chosen)} drawn", flush=True)
    chosen.sort(key=lambda m: (m["file"], tree.text_of(m["file"]).find(m["line"]), m["mutant"]))
    tree.write_mutants(chosen)
    print(f"{len(chosen)} drawn; {broken} do not compile, {equal} are equal to the original or another")


if __name__ == "__main__":
    main()
