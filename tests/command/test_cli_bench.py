"""tensorpad bench: what it measures and how it is asked. No time is asserted. SPDX-License-Identifier: MIT"""

import json
import math
import re

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
    found = benched(folder, "--only", "3,3]")
    assert list(found) == ["version", "compiler", "kernels", "machine", "workloads", "calls"]
    assert list(found["machine"]) == ["cpu", "cores"] and found["machine"]["cores"] >= 1
    assert found["calls"] == []
    (entry,) = found["workloads"]
    (listed,) = benched(folder, "--list", "--only", "3,3]")["workloads"]
    assert listed["name"] == name and listed.items() <= entry.items()
    assert entry["kernels"] and entry["turns"] == 201
    for figure in "run_ns", "memcpy_ns", "ratio":
        check_spread(entry[figure])


def test_small_calls(folder):
    found = benched(folder, "--only", "[2,3]")
    assert found["workloads"] == []
    assert [entry["name"] for entry in found["calls"]] == CALLS
    for entry in found["calls"]:
        check_spread(entry["ns"])
    lines = folder.run("bench", "--only", "[2,3]").stdout.decode().splitlines()
    assert lines[0].startswith("tensorpad ") and "kernels: " in lines[0]
    assert [line.split("  ")[0] for line in lines[2:]] == CALLS


def test_the_table_as_text(folder):
    out = folder.run("bench", "--only", "u8 [100000,2]").stdout.decode()
    head, row = out.splitlines()[2:]
    assert head.split() == ["workload", "bytes", "us", "memcpy", "us", "ratio", "quartiles"]
    assert row.startswith("u8 [100000,2] last axis 1,1 edge") and row.split()[6] == "400000"


def test_the_foot_of_the_table(folder):
    out = folder.run("bench", "--only", "u8 ").stdout.decode().splitlines()
    rows = out[3:-2]
    ratios = {row[:38].rstrip(): float(row[38:].split()[3]) for row in rows}
    assert len(ratios) == 5
    mean, worst = re.fullmatch(r"geometric mean (\S+), worst (.*)", out[-2]).groups()
    assert abs(float(mean) - math.prod(ratios.values()) ** 0.2) < 0.05 * float(mean)
    most = max(ratios.values())
    names = [name for name, ratio in ratios.items() if ratio == most]  # the digits may hide which
    assert worst in [f"{most:.2f} ({name})" for name in names] and out[-1] == ""
