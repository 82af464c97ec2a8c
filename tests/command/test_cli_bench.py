"""tensorpad bench: what it measures and how it is asked. No time is asserted. SPDX-License-Identifier: MIT"""

import json
import math
import os
import re
import subprocess
import xml.etree.ElementTree

import pytest
from command import COMMAND

# The published table: type and output shape of each workload.
WORKLOADS = {
    "f32 [1,64,112,112] H,W 1 constant": ("float32", [1, 64, 114, 114]),
    "f32 [1,256,14,14] H,W 1 constant": ("float32", [1, 256, 16, 16]),
    "f32 [8,512,7,7] H,W 1 reflect": ("float32", [8, 512, 9, 9]),
    "f32 [1,64,56,56] H,W 1 edge": ("float32", [1, 64, 58, 58]),
    "f32 [1,64,56,56] H,W 1 wrap": ("float32", [1, 64, 58, 58]),
    "f32 [8,64,112,112] H,W 1 reflect": ("float32", [8, 64, 114, 114]),
    "f32 [64,64,3,3] last two 1 constant": ("float32", [64, 64, 5, 5]),
    "f32 [1,224,224,3] H,W 3 constant": ("float32", [1, 230, 230, 3]),
    "u8 [224,224,3] H,W 3 reflect": ("uint8", [230, 230, 3]),
    "u8 [1080,1920,3] H,W 16 symmetric": ("uint8", [1112, 1952, 3]),
    "u8 [1,224,224,3] channels 3 -> 4": ("uint8", [1, 224, 224, 4]),
    "f32 [1,224,224,3] channels 3 -> 4": ("float32", [1, 224, 224, 4]),
    "u8 [1080,1920,3] crop to 1024x960": ("uint8", [1024, 960, 3]),
    "f32 [100000,2] last axis 1,1 constant": ("float32", [100000, 4]),
    "f32 [100000,2] last axis 1,1 reflect": ("float32", [100000, 4]),
    "u8 [100000,2] last axis 1,1 edge": ("uint8", [100000, 4]),
    "i64 [64,500] -> [64,512]": ("int64", [64, 512]),
    "f16 [32,8,1000,128] axis 2 + 24": ("float16", [32, 8, 1024, 128]),
    "f16 [1,64,112,112] H,W 1 constant": ("float16", [1, 64, 114, 114]),
    "f32 [1,480000] 200,200 reflect": ("float32", [1, 480400]),
    "f32 [64,64,64] 2 all round reflect": ("float32", [68, 68, 68]),
    "f64 [720,1440] last axis 2 wrap": ("float64", [720, 1444]),
    "f32 [1,128,512,512] H,W 1 (135 MB)": ("float32", [1, 128, 514, 514]),
    "f32 [1,64,56,56] interior 1, H,W 1": ("float32", [1, 64, 113, 113]),
    "f32 [512,512,3] H,W 32 edge": ("float32", [576, 576, 3]),
    "f32 [64,56,56] H,W 1 edge at 16": ("float32", [64, 58, 58]),
}
BYTES = {"uint8": 1, "float16": 2, "float32": 4, "float64": 8, "int64": 8}
MODES = {"constant", "edge", "reflect", "symmetric", "wrap"}
CALLS = [
    "f32 [2,3] 1 all round, run",
    "f32 [2,3] 1 all round, plan and run",
    "f32 [2,3] 1 all round, pad",
]


def benched(folder, *words):
    return json.loads(folder.run("bench", "--json", *words).stdout)


def check_spread(spread):
    assert list(spread) == ["least", "lower", "median", "upper", "most"]
    values = list(spread.values())
    assert values == sorted(values) and values[0] > 0


def test_the_workloads_are_those_of_the_table(folder):
    listed = benched(folder, "--list")
    assert [entry["name"] for entry in listed["workloads"]] == list(WORKLOADS)
    assert listed["calls"] == CALLS
    assert folder.run("bench", "--list").stdout.decode().splitlines() == [*WORKLOADS, *CALLS]
    for entry in listed["workloads"]:
        dtype, out_shape = WORKLOADS[entry["name"]]
        shape = entry["name"].split("]")[0].split("[")[1].split(",")
        assert entry["dtype"] == dtype
        assert entry["shape"] == [int(extent) for extent in shape]
        amounts = zip(entry["shape"], entry["begin"], entry["end"], entry["interior"], strict=True)
        assert [(n - 1) * (i + 1) + 1 + b + e for n, b, e, i in amounts] == out_shape
        assert entry["out_shape"] == out_shape
        assert entry["bytes"] == math.prod(out_shape) * BYTES[dtype]
        named = MODES & set(entry["name"].split())
        assert entry["mode"] == (named.pop() if named else "constant")


def test_a_workload_with_all_figures(folder):
    name = "f32 [64,64,3,3] last two 1 constant"
    found = benched(folder, "--only", "3,3]", "--turns", "3")
    assert list(found) == ["version", "compiler", "kernels", "machine", "workloads", "calls"]
    assert list(found["machine"]) == ["cpu", "cores"] and found["machine"]["cores"] >= 1
    assert found["calls"] == []
    (entry,) = found["workloads"]
    (listed,) = benched(folder, "--list", "--only", "3,3]")["workloads"]
    assert listed["name"] == name and listed.items() <= entry.items()
    assert entry["kernels"] and entry["turns"] == 3
    for figure in "run_ns", "memcpy_ns", "ratio":
        check_spread(entry[figure])


def test_small_calls(folder):
    found = benched(folder, "--only", "[2,3]", "--turns", "2")
    assert found["workloads"] == []
    assert [entry["name"] for entry in found["calls"]] == CALLS
    for entry in found["calls"]:
        check_spread(entry["ns"])
    lines = folder.run("bench", "--only", "[2,3]", "--turns", "2").stdout.decode().splitlines()
    assert lines[0].startswith("tensorpad ") and "kernels: " in lines[0]
    assert [line.split("  ")[0] for line in lines[2:]] == CALLS


def test_the_table_as_text(folder):
    out = folder.run("bench", "--only", "u8 [100000,2]", "--turns", "1").stdout.decode()
    head, row = out.splitlines()[2:]
    assert head.split() == ["workload", "bytes", "us", "memcpy", "us", "ratio", "quartiles"]
    assert row.startswith("u8 [100000,2] last axis 1,1 edge") and row.split()[6] == "400000"


def test_the_foot_of_the_table(folder):
    out = folder.run("bench", "--only", "u8 ", "--turns", "1").stdout.decode().splitlines()
    rows = out[3:-2]
    ratios = {row[:38].rstrip(): float(row[38:].split()[3]) for row in rows}
    assert len(ratios) == 5
    mean, worst = re.fullmatch(r"geometric mean (\S+), worst (.*)", out[-2]).groups()
    assert abs(float(mean) - math.prod(ratios.values()) ** 0.2) < 0.05 * float(mean)
    most = max(ratios.values())
    names = [name for name, ratio in ratios.items() if ratio == most]  # the digits may hide which
    assert worst in [f"{most:.2f} ({name})" for name in names] and out[-1] == ""


SVG = "{http://www.w3.org/2000/svg}"


def drawn(folder, name):
    """Its texts, and the classes of its bars from above to below (without the legend's)."""
    root = xml.etree.ElementTree.parse(folder / name).getroot()
    assert root.tag == SVG + "svg" and root.get("version") == "1.1"
    width, height = float(root.get("width")), float(root.get("height"))
    assert root.get("viewBox") == f"0 0 {width:g} {height:g}"
    for item in root.iter(SVG + "rect"):
        assert 0 <= float(item.get("x", 0)) + float(item.get("width")) <= width
        assert 0 <= float(item.get("y", 0)) + float(item.get("height")) <= height
    bars = [r.get("class") for r in root.iter(SVG + "rect") if r.get("height") == "13"]
    return [text.text for text in root.iter(SVG + "text")], bars


@pytest.mark.long
def test_the_picture_of_all_workloads(folder):
    listed = benched(folder, "--list")["workloads"]
    found = benched(folder, "--turns", "1", "--plot", "all.svg")
    texts, bars = drawn(folder, "all.svg")
    machine = found["machine"]
    assert machine["cpu"] in texts[0]
    assert f"kernels {found['kernels']}, {machine['cores']} cores" in texts[0]
    assert "memcpy = 1" in texts and len(bars) == 26
    labels = [entry["label"] for entry in listed]
    assert len(set(labels)) == 26 and max(map(len, labels)) <= 34
    assert [text for text in texts if text in labels] == labels
    for entry, colour in zip(found["workloads"], bars, strict=True):
        ratio = entry["ratio"]["median"]  # in six digits, so its last one may be rounded
        figure = texts[texts.index(entry["label"]) + 1]
        shown = float(figure)
        assert abs(shown - ratio) <= (0.501 if shown >= 10 else 0.00501)
        assert re.fullmatch(r"\d\.\d\d" if shown < 10 else r"\d\d+", figure)
        assert colour == "tp-" + ("fast" if shown <= 1 else "fair" if shown <= 1.5 else "slow")


def test_a_picture_is_not_overwritten(folder):
    words = ["bench", "--only", "3,3]", "--turns", "1", "--plot", "a.svg"]
    folder.run(*words)
    first = (folder / "a.svg").read_bytes()
    folder.fail(1, *words, says="a.svg")
    assert (folder / "a.svg").read_bytes() == first
    folder.run(*words, "-f")
    folder.run(*words, "--force")
    drawn(folder, "a.svg")
    folder.fail(1, *words[:-1], "none/a.svg", says="none/a.svg")


def test_a_picture_as_png(folder):
    if b"png (cairo" not in folder.run("--version").stdout:
        pytest.skip("this tensorpad has no cairo")
    # In a build with sanitizers: the libraries behind cairo do not free all of their memory.
    folder.run(
        *"bench --only 3,3] --turns 1 --plot a.png".split(),
        env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
    )
    assert (folder / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_no_picture_where_the_table_cannot_be_written(folder):
    with open("/dev/full", "wb") as full:
        words = [COMMAND, "bench", "--only", "3,3]", "--turns", "1", "--plot", "a.svg"]
        done = subprocess.run(words, cwd=folder.path, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1 and b"tensorpad: " in done.stderr
    assert list(folder.path.iterdir()) == []


FOURTEEN = ",14] begin=1 end=1 interior=0 "  # all widths and modes


def test_sweep_sorts_points_by_class(folder):
    classes = benched(folder, "--sweep", "--only", FOURTEEN, "--turns", "1")["sweep"]
    counts = [(entry["name"], entry["points"]) for entry in classes]
    assert counts == [("bytes", 8 * 5), ("packed bits", 3 * 5)]
    for entry in classes:
        assert entry["limit"] == (2 if entry["name"] == "bytes" else 4)
        shares = list(entry["share_under"].values())
        assert list(entry["share_under"]) == ["1.0", "1.5", "2.0", "4.0"]
        assert shares == sorted(shares) and 0 <= shares[0] and shares[-1] <= 1
        worst = [point["ratio"] for point in entry["worst"]]
        assert entry["lower"] <= entry["median"] <= entry["upper"] <= worst[0]
        assert len(worst) == 10 and worst == sorted(worst, reverse=True)
        assert worst[-1] > 0 and entry["geomean"] <= worst[0]
        assert 0 <= entry["over_limit"] <= entry["points"]


def test_sweep_has_small_planes(folder):
    (planes,) = benched(folder, "--sweep", "--only", "begin=3,3 end=3,3 ", "--turns", "1")["sweep"]
    assert (planes["name"], planes["limit"]) == ("small planes", 2.2)
    assert 10 < planes["points"] < 50  # of 2,000, in which four amounts are 1 to 3
    for point in planes["worst"]:
        bits, count, rows, columns = map(
            int,
            re.fullmatch(
                r"bits=(8|16|32|64) shape=\[(\d+),(\d+),(\d+)\] begin=3,3 end=3,3 interior=0 mode=\w+",
                point["name"],
            ).groups(),
        )
        assert 4 <= rows <= 64 and 4 <= columns <= 64
        plane = (rows + 6) * (columns + 6) * bits // 8
        assert (4 << 20) // 20 - plane < plane * count <= 4 << 20


def test_a_point_of_the_sweep_can_be_repeated(folder):
    point = "bits=24 shape=[43690,14] begin=1 end=1 interior=0 mode=edge"
    (entry,) = benched(folder, "--sweep", "--only", point, "--turns", "1")["sweep"]
    assert entry["points"] == 1 and [p["name"] for p in entry["worst"]] == [point]
    assert entry["geomean"] == entry["worst"][0]["ratio"]
    assert entry["over_limit"] == (entry["geomean"] > 2)
    out = folder.run("bench", "--sweep", "--only", point, "--turns", "1").stdout.decode()
    assert point in out


@pytest.mark.long
def test_full_sweep_has_every_point(folder):
    """Rows of one cell: with nothing around it a lone column, a bounce or a fill with something."""
    words = "bits=128 shape=[131072,1] begin=0 end=0 "
    classes = benched(folder, "--sweep=full", "--only", words, "--turns", "1")["sweep"]
    assert [(entry["name"], entry["limit"]) for entry in classes] == [("lone columns", 4)]
    assert classes[0]["points"] == 4 * 5  # interior and modes
    words = "bits=128 shape=[26214,1] begin="
    classes = benched(folder, "--sweep=full", "--only", words, "--turns", "1")["sweep"]
    assert [entry["name"] for entry in classes] == ["bytes"]
    assert classes[0]["points"] == 5 * 4 * 5  # four cells around: 0,4 to 4,0
