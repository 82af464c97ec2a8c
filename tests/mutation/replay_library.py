"""Puts every mutant of library_mutants.jsonl into the library and runs the C tests on it.

SPDX-License-Identifier: MIT

    replay_library.py [--jobs N] [--only TEXT] [--count N]      TEXT: in the file's name or in the line

A mutant is killed by the first test that fails, crashes, or takes 30 s of processor time. Only the
changed file is compiled and the library linked again as a shared one; the tests are built once. What they
let pass must also compile without a warning, and pass them under a sanitizer, as in `make test`.
Of those that survive survivors.md says why. Status 1 if one survives that survivors.md does not know, or if
fewer than 95 % of all that are not equal to the original are killed. --count: only so many, chosen anew each
day, of which no share is asked for.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import queue
import random
import re
import resource
import subprocess
import sys
import time

import tree

WORK = tree.ROOT / "build" / "mutation"
SUPPORT = ["guard", "oracle", "random_problem", "random_main"]
SECONDS = 30
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
SANITIZER = ["-fsanitize=undefined", "-fno-sanitize-recover=undefined"]
ENOUGH = 95
SAID = {"new": "survived, and is not in survivors.md", "gone": "no longer fits the source"}

# The tests that matter to a file, those first that kill the most in the least time, with fewer random
# cases than in `make test`. `*`: once more with each of FORCED.
KIT = WORK / "kit_calls.txt"
SPECS = ["test_specs_refused", f"test_kit {KIT}", "test_translation"]
FIT = ["test_fit", "test_fit_refused", "test_batch", "test_batch_threads"]
ADJOINT = ["test_adjoint", "test_adjoint_laws --cases 4000"]
QUICK = [
    "test_plan",
    "test_describe",
    "test_refused",
    "test_traps",
    "test_pad_2d",
]
QUICK += ["test_limits *"]
RANDOM = ["test_laws --law oracle --cases 30000"]
MANY = ["test_laws --cases 5000 *", "test_laws --law short --cases 10000 *"]
MORE = [
    "exhaustive fixed --cases 720",
    "test_laws --law boxes --cases 60000 *",
    "test_large",
    "test_laws --law oracle --cases 100000 --seed 2",
]
TABLES = ["test_tables"]
WORDS = ["test_words"]
ONCE = ["test_written_once"]
PACKED = ["exhaustive fixed --first 2880 --cases 720"]
KERNELS = ["test_kernels", "test_words", "test_tiles", "test_bit_tiles"]
MATTER = [
    ("specs/", lambda stem: SPECS),
    ("fit/", lambda stem: FIT),
    ("adjoint/", lambda stem: ADJOINT),
    ("core/(describe|error|text)", lambda stem: QUICK + SPECS),
    ("core/(axis|problem)", lambda stem: RANDOM + QUICK + MANY + MORE + SPECS),
    (
        "core/(table|byte_table|bit_|tile|merge)",
        lambda stem: RANDOM + TABLES + PACKED + QUICK + MANY + MORE + ONCE,
    ),
    ("core/word_", lambda stem: WORDS + MANY + QUICK + RANDOM + MORE + ONCE),
    ("kernels/", lambda stem: KERNELS + RANDOM + MANY + MORE),
    ("", lambda stem: RANDOM + QUICK + MANY + MORE + KERNELS + ["test_plan_moved"] + TABLES + ONCE),
]
# "pretended": a library of its own, in which pretended.c stands in for the choice of kernels. With it the
# tables of masked vectors and of packed elements are met on processors without AVX-512, too.
FORCED = ["plain", "avx2", "pretended"]
CHOICE, PRETENDED = "src/kernels/variants.c", "tests/c/kernels/pretended.c"


def tests_of(file):
    """(command, variant): variant None is the best one."""
    names = next(tests for pattern, tests in MATTER if re.search(pattern, file))
    tests = []
    for name in names(pathlib.Path(file).stem):
        variants = [None, *FORCED] if name.endswith("*") else [None]
        tests += [(name.rstrip(" *"), variant) for variant in variants]
    return tests


def all_tests():
    return sorted({test for file in tree.files(tree.MUTATED) for test in tests_of(file)}, key=str)


def shell(*command):
    subprocess.run([str(part) for part in command], check=True)


def build():
    """The library's objects as they should be, and the tests, which find the library at run time."""
    for name in ("objects", "tests", "support"):
        (WORK / name).mkdir(parents=True, exist_ok=True)
    commands = []
    for file in [*tree.files(tree.LIBRARY), PRETENDED]:
        commands.append(
            [
                "gcc",
                "-w",
                *tree.FLAGS,
                "-O1",
                "-fPIC",
                "-c",
                tree.ROOT / file,
                "-o",
                object_of(file),
            ]
        )
    for name in SUPPORT:
        source = tree.ROOT / "tests/support" / f"{name}.c"
        commands.append(
            ["gcc", "-w", *tree.FLAGS, "-O2", "-c", source, "-o", WORK / "support" / f"{name}.o"]
        )
    run_all(commands)
    shell(tree.ROOT / "build/venv/bin/python", tree.ROOT / "tests/c/specs/kit_calls.py", KIT)
    link(WORK / "tests", {})
    support = [WORK / "support" / f"{name}.o" for name in SUPPORT]
    commands = []
    for name in sorted({command.split()[0] for command, _ in all_tests()}):
        sources = sorted(tree.ROOT.glob(f"tests/c/*/{name}.c"))
        objects = support
        command = ["gcc", "-w", *tree.FLAGS, "-O2", *sources, *objects, WORK / "tests/libmutant.so"]
        commands.append([*command, "-lcmocka", "-lpthread", "-lm", "-o", WORK / "tests" / name])
    run_all(commands)


def run_all(commands):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda command: shell(*command), commands))


def object_of(file):
    return WORK / "objects" / (file.replace("/", "-") + ".o")


def link(folder, changed):
    """The library as folder/libmutant.so, and below folder/pretended; changed: file -> another object."""
    objects = {file: object_of(file) for file in tree.files(tree.LIBRARY)} | changed
    for place, choice in ((folder, CHOICE), (folder / "pretended", PRETENDED)):
        place.mkdir(exist_ok=True)
        linked = (objects | {CHOICE: object_of(choice)}).values()
        shell(
            "gcc",
            "-shared",
            *SANITIZER,
            "-Wl,-soname,libmutant.so",
            "-o",
            place / "libmutant.so",
            *linked,
        )


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_test(folder, command, variant):
    """None if the test passes on the library in the folder, else how it does not."""
    program, *arguments = command.split()
    environment = {"LD_LIBRARY_PATH": str(folder), "PATH": os.environ["PATH"]}
    if variant == "pretended":
        environment["LD_LIBRARY_PATH"] = str(folder / "pretended")
    elif variant:
        environment["TENSORPAD_KERNELS"] = variant
    # The limit is processor time, so that a busy machine kills nothing; a sleeper ends as well.
    try:
        status = subprocess.run(
            [WORK / "tests" / program, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=limits,
            timeout=60 * SECONDS,
        ).returncode
    except subprocess.TimeoutExpired:
        return "timeout"
    return (
        None
        if status == 0
        else "timeout"
        if status == -24
        else "crash"
        if status < 0
        else "failure"
    )


def judge(folder, mutant):
    """("killed", test, how), ("survived", "", "") or ("gone", "", "")."""
    file = mutant["file"]
    text = tree.mutated(tree.text_of(file), mutant)
    if text is None:
        return "gone", "", ""
    if not tree.compile_text(text, file, folder / "mutant.c", folder / "mutant.o", "-O1"):
        return "gone", "", ""
    link(folder, {file: folder / "mutant.o"})
    for command, variant in tests_of(file):
        how = run_test(folder, command, variant)
        if how:
            name = command.split()[0] + (f" {variant}" if variant else "")
            return "killed", name, how
    return judge_strictly(folder, file, text)


def judge_strictly(folder, file, text):
    """The same of a mutant that the tests let pass, as `make test` would have it: built without a warning, and
    tested once more with the changed file under the sanitizer of undefined behaviour."""
    source, out = folder / "mutant.c", folder / "mutant.o"
    if not tree.compile_text(text, file, source, out, "-O2", *WARNINGS, silent=False):
        return "killed", "the compiler", "warning"
    tree.compile_text(text, file, source, out, "-O1", *SANITIZER)
    link(folder, {file: out})
    for command, variant in tests_of(file):
        if run_test(folder, command, variant):
            return "killed", f"{command.split()[0]}, sanitized", "failure"
    return "survived", "", ""


def flat(text):
    """In one line, as survivors.md has it."""
    return " ".join(text.split())


def explained():
    """What survivors.md says of mutants that no test kills: which are equal, and which are not."""
    sections = (tree.HERE / "survivors.md").read_text().split("\n## ")
    equal = [flat(section) for section in sections if section.startswith("Equal")]
    return "".join(equal), "".join(flat(section) for section in sections[1:])


def check_originals():
    """Every test passes on the library as it is."""
    for variant in FORCED[:-1]:
        if run_test(WORK / "tests", f"test_kernels --forced {variant}", variant):
            FORCED.remove(variant)
    print(f"kernels: the best of this processor, and {', '.join(FORCED)}")
    tests = all_tests()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda test: run_test(WORK / "tests", *test), tests)
        for (command, variant), how in zip(tests, results):
            if how:
                sys.exit(f"{command} ({variant or 'best kernels'}): {how} without any mutant")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="")
    parser.add_argument("--count", type=int)
    options = parser.parse_args()
    mutants = [m for m in tree.read_mutants(tree.MUTANTS) if options.only in m["file"] + m["line"]]
    build()
    check_originals()
    folders = queue.Queue()
    for i in range(options.jobs):
        folder = WORK / f"job-{i}"
        folder.mkdir(exist_ok=True)
        folders.put(folder)

    def one(mutant):
        folder = folders.get()
        try:
            return judge(folder, mutant)
        finally:
            folders.put(folder)

    verdicts, by_test, by_file = collections.Counter(), collections.Counter(), {}
    equal, other = explained()
    began = time.time()
    random.Random(time.strftime("%Y-%m-%d")).shuffle(
        mutants
    )  # so that the first hundred say something about all
    mutants = mutants[: options.count]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = {pool.submit(one, mutant): mutant for mutant in mutants}
        for future in concurrent.futures.as_completed(futures):
            mutant, (verdict, test, how) = futures[future], future.result()
            change = f"- {flat(mutant['line'])} + {flat(mutant['mutant'])}"
            if verdict == "survived":
                verdict = "equal" if change in equal else "alive" if change in other else "new"
            verdicts[verdict] += 1
            by_test[test, how] += verdict == "killed"
            by_file.setdefault(mutant["file"], collections.Counter())[verdict] += 1
            if verdict in ("new", "gone"):
                print(f"{SAID[verdict]}: {mutant['file']}")
                print(f"  - {flat(mutant['line'])}\n  + {flat(mutant['mutant'])}")
            done = sum(verdicts.values())
            if done % 20 == 0:
                print(
                    f"[{done * 40 // len(mutants) * '#':.<40}] {done} of {len(mutants)}", flush=True
                )

    for (test, how), count in by_test.most_common():
        if count:
            print(f"{count:5} {how} of {test}")
    for file, counts in sorted(by_file.items()):
        alive = counts["alive"] + counts["new"]
        print(f"{file}: {counts['killed']} killed, {counts['equal']} equal, {alive} alive")
    alive = verdicts["alive"] + verdicts["new"]
    share = 100 * verdicts["killed"] / max(1, verdicts["killed"] + alive)
    print(
        f"{sum(verdicts.values()) - verdicts['gone']} mutants: {verdicts['killed']} killed, "
        f"{verdicts['equal']} equal, {alive} alive ({verdicts['new']} of them not in survivors.md), "
        f"{verdicts['gone']} no longer fit the sources; {time.time() - began:.0f} s"
    )
    print(
        f"{share:.1f} % of those that are not equal were killed; {ENOUGH} % are asked for, of the whole list"
    )
    return 1 if verdicts["new"] or (options.count is None and share < ENOUGH) else 0


if __name__ == "__main__":
    sys.exit(main())
