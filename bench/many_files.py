#!/usr/bin/env python3
"""Many files: one call of `tensorpad pad` against a loop.  SPDX-License-Identifier: MIT

    many_files.py [--count N] [--rounds N] [--command PATH] [--pictures FOLDER]

Pads N copies of the pictures in FOLDER, then as many small pictures cut out of them, and prints
the table of docs/command.md. The ways alternate. A time is the least of all rounds, so that what
else the machine does counts little; memory is the most.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from pages import row

ROOT = pathlib.Path(__file__).resolve().parents[1]
SIZES = {"large": "768 x 768", "small": "96 x 96"}
LOOP_NAME = "a loop of single calls"
LOOP = 'for file in "$0"/*.png; do "$@" "$file" "out/${file##*/}" || exit 1; done'


def peak_memory(process):
    """The most MiB that a process has had so far; 0 if it has ended."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    lines = [line.split() for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(lines[0][1]) / 1024 if lines else 0


def timed(words, folder):
    """Seconds, processor seconds and peak MiB of a program, whose outputs go into `out`."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    (folder / "out").mkdir()
    begun, memory, ended = time.monotonic(), 0, 0
    child = os.posix_spawnp(words[0], words, os.environ)
    while not ended:
        memory = max(memory, peak_memory(child))
        time.sleep(0.01)
        ended, status, used = os.wait4(child, os.WNOHANG)
    seconds = time.monotonic() - begun
    if status:
        sys.exit(f"{words[0]} failed")
    return seconds, used.ru_utime + used.ru_stime, memory


def measure(folder, pictures, options):
    """The figures of each way to pad a folder of pictures."""
    pad = [options.command, "pad", "-q", "--axes", "0,1", "--to"]
    pad.append(SIZES[pictures].replace(" x ", ","))
    paths = sorted(str(path) for path in (folder / pictures).iterdir())
    ways = {
        LOOP_NAME: ["sh", "-c", LOOP, str(folder / pictures), *pad, "--threads", "1"],
        "one call, 1 thread": [*pad, "--threads", "1", "--out-dir", "out", *paths],
        "one call, 2 threads": [*pad, "--threads", "2", "--out-dir", "out", *paths],
    }
    found = {way: [] for way in ways}
    for _ in range(options.rounds):
        for way, words in ways.items():
            found[way].append(timed(words, folder))
            made = sum(1 for _ in (folder / "out").iterdir())
            assert made == len(paths), f"{way} made {made} files"
    figures = {}
    for way, runs in found.items():
        seconds, processor, memory = zip(*runs)
        figures[way] = min(seconds), min(processor), max(memory)
    return figures


def make_pictures(folder, options):
    """`large`: the pictures under `count` names; `small`: 64 x 64 cells out of each."""
    originals = sorted(pathlib.Path(options.pictures).glob("*.png"))
    for name in SIZES:
        (folder / name).mkdir()
    (folder / "cut").mkdir()
    words = "pad -q --to 64,64 --axes 0,1 --too-long crop_center --out-dir".split()
    subprocess.run([options.command, *words, folder / "cut", *originals], check=True)
    for number in range(options.count):
        original = originals[number % len(originals)]
        shutil.copy(original, folder / "large" / f"{number:04}.png")
        shutil.copy(folder / "cut" / original.name, folder / "small" / f"{number:04}.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--command", default=os.fspath(ROOT / "build" / "tensorpad"))
    pictures = ROOT / "build" / "data" / "skimage" / "data"
    parser.add_argument("--pictures", default=os.fspath(pictures))
    options = parser.parse_args()
    options.command = os.path.abspath(options.command)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tensorpad-many-"))
    try:
        make_pictures(folder, options)
        os.chdir(folder)
        print(
            row(
                [
                    "pictures, to",
                    "how",
                    "seconds",
                    "against the loop",
                    "processor seconds",
                    "peak memory",
                ]
            )
        )
        print("|---|---|---|---|---|---|")
        for pictures in SIZES:
            figures = measure(folder, pictures, options)
            loop = figures[LOOP_NAME][0]
            for way, (seconds, processor, memory) in figures.items():
                of_shell = way == LOOP_NAME
                print(
                    row(
                        [
                            f"{options.count}, {SIZES[pictures]}",
                            way,
                            f"{seconds:.1f}",
                            f"{loop / seconds:.2f} times as fast",
                            f"{processor:.1f}",
                            "" if of_shell else f"{memory:.1f} MiB",
                        ]
                    ),
                    flush=True,
                )
    finally:
        os.chdir("/")
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
