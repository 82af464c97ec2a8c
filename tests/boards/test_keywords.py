"""The net of examples/firmware on boards of QEMU: every map of it equals NumPy's to the bit, with pads by
tensorpad and by loops. What the pads cost stands in docs/microcontrollers.md.

SPDX-License-Identifier: MIT
"""

import pathlib
import re
import subprocess
import sys
import zlib

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/firmware"
PAGE = ROOT / "docs/microcontrollers.md"
BOARDS = {"mps2-an385": "Cortex-M3", "mps2-an386": "Cortex-M4", "mps2-an500": "Cortex-M7", "virt": "RV32IMC"}
COMPILERS = {board: "riscv64-unknown-elf-gcc" if board == "virt" else "arm-none-eabi-gcc" for board in BOARDS}
GCC = "12"  # of the figures on the page
SOUND_ZERO, MAP_ZERO = -5, -128


def weights():
    """name -> numbers, from the header."""
    text = (EXAMPLE / "weights.h").read_text(encoding="utf-8")
    return {name: np.array(re.findall(r"-?\d+", numbers), np.int64)
            for name, numbers in re.findall(r"(\w+)\[\d+\] = \{([^}]*)\}", text)}


def scaled(sums, scale):
    return (sums * scale + 32768) // 65536


def rectified(sums, scale):
    return np.clip(scaled(sums, scale), 0, 255) + MAP_ZERO


def windows(values, rows, columns, stride):
    """[row, column, channel, y, x] of an array [rows, columns, channels]."""
    found = np.lib.stride_tricks.sliding_window_view(values, (rows, columns), axis=(0, 1))
    return found[::stride, ::stride]


def net():
    """name -> map, as int8."""
    w, maps = weights(), {}
    sound = w["keywords_sound"].reshape(49, 10, 1)
    maps["padded_sound"] = np.pad(sound, ((4, 5), (1, 1), (0, 0)), constant_values=SOUND_ZERO)
    sums = np.einsum("rczyx,kyx->rck", windows(maps["padded_sound"] - SOUND_ZERO, 10, 4, 2),
                     w["conv_weights"].reshape(16, 10, 4))
    maps["conv"] = rectified(sums + w["conv_bias"], 200)
    maps["padded_conv"] = np.pad(maps["conv"], ((1, 1), (1, 1), (0, 0)), constant_values=MAP_ZERO)
    sums = np.einsum("rczyx,yxz->rcz", windows(maps["padded_conv"] - MAP_ZERO, 3, 3, 1),
                     w["depthwise_weights"].reshape(3, 3, 16))
    maps["depthwise"] = rectified(sums + w["depthwise_bias"], 400)
    sums = (maps["depthwise"] - MAP_ZERO) @ w["pointwise_weights"].reshape(16, 16).T
    maps["pointwise"] = rectified(sums + w["pointwise_bias"], 300)
    maps["padded_pointwise"] = np.pad(maps["pointwise"], ((0, 1), (0, 1), (0, 0)), constant_values=-128)
    maps["pool"] = windows(maps["padded_pointwise"], 2, 2, 2).max((3, 4))
    means = (maps["pool"] - MAP_ZERO).sum((0, 1)) // (13 * 3)
    scores = w["score_weights"].reshape(12, 16) @ means + w["score_bias"]
    maps["scores"] = np.clip(scaled(scores, 150), -128, 127)
    return {name: values.astype(np.int8) for name, values in maps.items()}


@pytest.fixture(scope="module", params=BOARDS)
def run(request):
    """The board, and what the program prints: a dict of what stands before the variants, and one of each."""
    ended = subprocess.run([EXAMPLE / "run.sh", request.param], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    print(ended.stdout)
    sections = {"": {}}
    for line in ended.stdout.splitlines():
        name, _, number = line.partition(" ")
        if number:
            sections[list(sections)[-1]][name] = int(number)
        else:
            sections[name] = {}
    return request.param, sections


def test_weights_are_of_the_seed():
    made = subprocess.run([sys.executable, EXAMPLE / "weights.py"], capture_output=True, text=True, check=True)
    assert made.stdout == (EXAMPLE / "weights.h").read_text(encoding="utf-8")


def test_maps_use_their_range():
    """Or else a fault in the net might change nothing."""
    for name, values in net().items():
        assert len(np.unique(values)) >= min(64, values.size // 2), name


def test_maps_are_numpys(run):
    _, sections = run
    assert list(sections) == ["", "tensorpad", "loop", "rows"]
    for variant in ("tensorpad", "loop", "rows"):
        for name, values in net().items():
            assert sections[variant][name] == zlib.crc32(values.tobytes()), (variant, name)


def test_figures_on_the_page(run):
    board, sections = run
    version = subprocess.run([COMPILERS[board], "-dumpversion"], capture_output=True, text=True, check=True).stdout
    if version.split(".")[0] != GCC:
        pytest.skip(f"the figures on the page are of gcc {GCC}, not {version.strip()}")
    cells = [f"{sections[variant][what]:,}" for what in ("instructions_of_pads", "stack_of_pads")
             for variant in ("tensorpad", "loop", "rows")]
    row = f"| {board}, {BOARDS[board]} | {sections['tensorpad']['instructions']:,} | {' | '.join(cells)} |"
    assert row in PAGE.read_text(encoding="utf-8").splitlines(), row
