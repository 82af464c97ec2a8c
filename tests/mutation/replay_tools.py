#!/usr/bin/env python3
"""Puts every mutant of tools_mutants.jsonl into the tools and runs the tests of the command, the formats and the
rules.

SPDX-License-Identifier: MIT

    replay_tools.py [--jobs N] [--only TEXT] [--again]      TEXT: in the file's name or in the line

The list names for each mutant the test that kills it (`killed_by`). That test runs first, and if it fails, no
other runs. Otherwise those of the file's folder (MATTER) run until one fails, and its name is written into the
list; null says that none does. --again: so for mutants that have null, too. Status 1 if a mutant that was killed no
longer is. Each job has a copy of the repository of its own, in build/mutation.
"""

import argparse
import concurrent.futures
import json
import os
import queue
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import tree

WORK = tree.ROOT / "build" / "mutation"
MUTANTS = tree.KINDS["tools"][1]
SECONDS = 400  # for one entry of the lists below
BYTES = 8 << 30  # that a process may take
PROGRAMS = ["tensorpad_command", "tensorpad_shared", "faults"]
# The C tests, and the folders or files of pytest, that matter to a folder: the quickest and nearest first.
MATTER = [
    (
        "runtimes/",
        [
            "test_rules",
            "test_operators",
            "tests/runtimes",
            "tests/command/test_cli_check.py",
            "conformance/tests/test_predictions.py",
        ],
    ),
    (
        "models/folding/",
        [
            "tests/formats/test_folding.py",
            "tests/formats/test_folding_graphs.py",
            "tests/formats/test_folding_openvino.py",
            "tests/formats/test_folding_layers.py",
            "tests/formats/test_folding_contradictions.py",
        ],
    ),
    (
        "models/lowering/",
        [
            "test_lower",
            "tests/command/test_cli_lower.py",
            "tests/formats/test_lower_onnx.py",
            "tests/formats/test_lower_openvino.py",
        ],
    ),
    (
        "formats/",
        [
            "test_npy",
            "test_value",
            "test_output",
            "test_tensor_proto",
            "tests/formats/test_bad_files.py",
            "tests/formats/test_png.py",
        ],
    ),
    (
        "models/",
        [
            "test_model",
            "test_ir",
            "tests/command/test_cli_models.py",
            "tests/formats/test_models.py",
            "tests/formats/test_openvino.py",
        ],
    ),
    ("cli/", ["tests/command", "tests/faults"]),
]


def tests_of(file):
    return next(tests for folder, tests in MATTER if file.startswith(folder))


def c_tests():
    return sorted({test for _, tests in MATTER for test in tests if "/" not in test})


def shell(folder, *command):
    subprocess.run(
        [str(part) for part in command], cwd=folder, check=True, stdout=subprocess.DEVNULL
    )


def make_copy(folder):
    """The files that git knows, and no others, in the folder, and a build there. What is the same stays."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=tree.ROOT, capture_output=True, check=True
    ).stdout
    names = set(filter(None, listed.decode().split("\0")))
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if not name.startswith("build/") and name not in names and path.is_file():
            path.unlink()
    for name in names:
        source, copy = tree.ROOT / name, folder / name
        if not copy.exists() or copy.read_bytes() != source.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)
    (folder / "build").mkdir(exist_ok=True)
    for name in ("venv", "data", "sarif"):
        if not (folder / "build" / name).exists():
            (folder / "build" / name).symlink_to(tree.ROOT / "build" / name)
    shell(
        folder,
        "cmake",
        "--preset",
        "default",
        "-DTENSORPAD_TESTS=ON",
        "-Wno-dev",
        "-DCMAKE_C_FLAGS=-w",
    )
    build(folder)


def build(folder):
    shell(folder, "cmake", "--build", "build", "--target", *PROGRAMS, *c_tests())


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    for number in (
        signal.SIGHUP,
        signal.SIGINT,
        signal.SIGQUIT,
    ):  # that jobs in the background ignore
        signal.signal(number, signal.SIG_DFL)


def run(folder, command, environment):
    """(status, what it printed); status None: it took too long. All that it started ends with it."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        preexec_fn=limits,
    )
    try:
        said, _ = process.communicate(timeout=SECONDS)
        return process.returncode, said
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, ""


def failing(folder, test):
    """The name of the first test that fails, or None. test: a C test, or one of pytest, a file, a folder."""
    if "/" not in test:
        status, _ = run(folder, [folder / "build/tests" / test], os.environ)
        return None if status in (0, 77) else test
    environment = os.environ | {
        "TENSORPAD": str(folder / "build/tensorpad"),
        "TENSORPAD_FAULTS": str(folder / "build/tests/faults.so"),
        "TENSORPAD_DATA": str(folder / "build/data"),
        "TENSORPAD_QUICK": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    status, said = run(
        folder,
        [
            "build/venv/bin/python",
            "-m",
            "pytest",
            "-q",
            "-x",
            "--tb=no",
            "-rfE",
            "-p",
            "no:cacheprovider",
            test,
        ],
        environment,
    )
    if status in (0, 4, 5):  # 4: there is no such test any more, 5: it is left out
        return None
    found = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", said, re.M)
    return found[1] if found else test


def judge(folder, mutant, again):
    """The test that kills the mutant, None, or "gone"."""
    text = tree.mutated(tree.text_of(mutant["file"]), mutant)
    if text is None:
        return "gone"
    before = mutant.get("killed_by", "")
    if before is None and not again:
        return None
    changed = folder / mutant["file"]
    changed.write_text(text)
    try:
        build(folder)
        for test in ([before] if before else []) + tests_of(mutant["file"]):
            killer = failing(folder, test)
            if killer:
                return killer
        return None
    except subprocess.CalledProcessError:
        return "the build"
    finally:
        shutil.copy(tree.ROOT / mutant["file"], changed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="")
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    everything = tree.read_mutants(MUTANTS)
    mutants = [m for m in everything if options.only in m["file"] + m["line"]]
    folders = queue.Queue()
    for number in range(options.jobs):
        folder = WORK / f"tools-{number}"
        make_copy(folder)
        folders.put(folder)

    named = {test for _, tests in MATTER for test in tests} | {
        m.get("killed_by") or "" for m in everything
    }
    for test in sorted(test.split("::")[0] for test in named if "/" in test):
        if not (tree.ROOT / test).exists():
            sys.exit(f"there is no {test}")
    for test in c_tests() + ["tests/command", "tests/runtimes"]:
        killer = failing(WORK / "tools-0", test)
        if killer:
            sys.exit(f"{killer} fails without any mutant")

    def one(mutant):
        folder = folders.get()
        try:
            return judge(folder, mutant, options.again)
        finally:
            folders.put(folder)

    began, lost = time.time(), 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = {pool.submit(one, mutant): mutant for mutant in mutants}
        for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
            mutant, killer = futures[future], future.result()
            if killer in (None, "gone") and mutant.get("killed_by"):
                lost += 1
                print(f"{'gone' if killer else 'no longer killed'}: {json.dumps(mutant)}")
            elif killer != "gone":
                mutant["killed_by"] = killer
                tree.write_mutants(MUTANTS, everything)
            print(f"{done} of {len(mutants)}: {killer}", flush=True)
    killed = sum(bool(mutant.get("killed_by")) for mutant in mutants)
    print(
        f"{len(mutants)} mutants: {killed} killed, {len(mutants) - killed} not; {lost} that were killed before "
        f"are not, or are gone; {time.time() - began:.0f} s"
    )
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
