"""Files that lie or are damaged, full disks, little memory.

SPDX-License-Identifier: MIT

Whatever a file claims: status 0 or 3, one line, no signal, no file left behind, and no more memory
than the file's own size calls for.
"""

import os
import random
import resource
import struct
import subprocess
import zlib

import numpy as np
import onnx
import onnx.helper
import pytest
from harness import COMMAND, QUICK, SANITIZED, fail, run_bounded, sane
from onnx_models import ints, model, pad_node, port
from onnx_wire import field, varint
from samples import SAMPLES, npy, onnx_model, png, png_chunks


def commands(ending, source, target):
    """How a file of that kind may be read."""
    if ending == "onnx":
        x = source.parent / "good.npy"
        return [
            ["inspect", "--json", source],
            ["run", source, "--node=outer", f"--input={x}", f"--output={target}", "-f"],
        ]
    return [
        [
            "pad",
            "--spec=plain",
            "--begin=1,2,0" if ending == "png" else "--begin=1,2",
            "--end=0,0,0" if ending == "png" else "--end=0,0",
            source,
            target,
            "-f",
        ]
    ]


def try_bytes(ending, raw, folder):
    """Every command on those bytes; returns the results. A model may ask for more than the disk
    or this limit has: then, and only then, the system is at fault."""
    source, target = folder / f"x.{ending}", folder / ("y.pb" if ending == "pb" else "y.npy")
    source.write_bytes(raw)
    results = []
    for arguments in commands(ending, source, target):
        result = run_bounded(*arguments, flag="-f", size=1 << 22)
        full = "y.npy: no room for" in result.error
        sane(result, folder, ["good.npy", source.name], statuses=[1] if full else [0, 3])
        results.append(result)
        target.unlink(missing_ok=True)
    return results


def refused_cheaply(ending, raw, folder):
    """The file is refused, and within the memory limit."""
    source, target = folder / f"x.{ending}", folder / ("y.pb" if ending == "pb" else "y.npy")
    source.write_bytes(raw)
    for arguments in commands(ending, source, target):
        result = run_bounded(*arguments)
        sane(result, folder, ["good.npy", source.name])
        target.unlink(missing_ok=True)
    assert result.status == 3, (raw[:200], result)


# ---- Damage -------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", SAMPLES)
def test_truncation(ending, folder):
    for sample in SAMPLES[ending]:
        assert all(result.status == 0 for result in try_bytes(ending, sample, folder))
        for length in range(0, len(sample), 7 if SANITIZED or QUICK else 1):
            results = try_bytes(ending, sample[:length], folder)
            if ending in ("npy", "png"):
                assert results[0].status == 3 or length >= len(sample) - 16 and ending == "png", (
                    length
                )


@pytest.mark.parametrize("ending", SAMPLES)
def test_nothing_and_noise(ending, folder):
    generator = random.Random(f"noise {ending}")
    for raw in [b"", b"\0", b"\xff" * 64, b"\0" * 4096, b"{" * 5000, generator.randbytes(3000)]:
        for result in try_bytes(ending, raw, folder):
            # an empty message is a valid one, and so are some noises
            assert result.status == 3 or ending in ("pb", "onnx"), result
    other = {"npy": "png", "png": "npy", "pb": "npy", "onnx": "png"}[ending]
    for result in try_bytes(ending, SAMPLES[other][0], folder):
        assert result.status == 3


# ---- Lies ---------------------------------------------------------------------------------------


def shape_text(shape, descr="'<f4'", order="False"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


def test_npy_on_standard_input_that_lies(folder):
    for raw in [npy(text=shape_text("(1000000000000,)")), npy()[:-1], npy()[:20], b""]:
        result = run_bounded(
            *"pad --spec=plain --begin=0 --end=0 -".split(), folder / "y.npy", stdin=raw
        )
        sane(result, folder, ["good.npy"], statuses=[3])


def test_png_that_lies(folder):
    good = png()
    header = struct.pack(">IIBBBBB", 3, 2, 8, 2, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" + bytes(9) for _ in range(2)))
    for raw in [
        png(width=0),
        png(height=0),
        png(width=1 << 31),
        png(width=(1 << 31) - 1, height=(1 << 31) - 1),
        png(width=1000000, height=1000000),
        png(depth=3),
        png(rows=b"\0" * 5),
        png(rows=b"\x07" + bytes(9) + b"\0" + bytes(9)),
        png_chunks([(b"IDAT", rows), (b"IHDR", header), (b"IEND", b"")]),
        png_chunks([(b"IHDR", header), (b"IEND", b"")]),
        png_chunks([(b"IHDR", header)]),
        png_chunks([(b"IHDR", header), (b"IDAT", b"not zlib"), (b"IEND", b"")]),
        png_chunks([(b"IHDR", header), (b"ABCD", b""), (b"IDAT", rows), (b"IEND", b"")]),
        good.replace(b"IDAT", b"IDAU"),
        good[:33] + b"\xff\xff\xff\xff" + good[37:],
        b"\x89PNG\r\n\x1a\n",
    ]:
        refused_cheaply("png", raw, folder)


def test_png_bomb(folder):
    """A small file that would unpack to 4 GB: refused or done, but never with all that memory."""
    rows = zlib.compress(bytes(64 << 20), 9)
    raw = png_chunks(
        [
            (b"IHDR", struct.pack(">IIBBBBB", 65535, 65535, 8, 0, 0, 0, 0)),
            (b"IDAT", rows),
            (b"IEND", b""),
        ]
    )
    (folder / "x.png").write_bytes(raw)
    result = run_bounded(
        *"pad --spec=plain --begin=0,0,0 --end=0,0,0".split(), folder / "x.png", folder / "y.npy"
    )
    sane(result, folder, ["good.npy", "x.png"], statuses=(1, 3))


def test_nesting_without_end(folder):
    """If in If in If: the depth is bounded, and no stack overflows."""
    for depth in 64, 65, 1000, 20000:
        graph = b""
        for _ in range(depth):
            attribute = field(1, b"then_branch") + field(6, graph) + varint(20 << 3) + varint(5)
            graph = field(1, field(4, b"If") + field(5, attribute))
        raw = field(7, graph) + field(8, varint(2 << 3) + varint(19))
        (folder / "x.onnx").write_bytes(raw)
        for words in ["inspect", "--json"], ["inspect"]:
            result = run_bounded(*words, folder / "x.onnx")
            sane(result, folder, ["good.npy", "x.onnx"])
            assert (result.status == 0) == (depth == 64), result
    for group in b"\x0b", b"\x3b":  # protobuf groups, opened and never closed
        (folder / "x.onnx").write_bytes(group * 100000)
        assert run_bounded("inspect", folder / "x.onnx").status == 3
        (folder / "x.pb").write_bytes(group * 100000)
        assert run_bounded("pad", "--pads=", folder / "x.pb", folder / "y.npy").status == 3


def test_lengths_that_lie(folder):
    """A field that claims more bytes than there are, at every place where a field begins."""
    sample = onnx_model()
    for number in (7, 8, 25, 1, 14, 20):
        for claim in (1 << 20, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, (1 << 63) - 1, (1 << 64) - 1):
            raw = varint(number << 3 | 2) + varint(claim) + sample
            (folder / "x.onnx").write_bytes(raw)
            result = run_bounded("inspect", folder / "x.onnx")
            assert result.status == 3 and len(result.error.splitlines()) == 1, result


def test_models_that_lie(folder):
    """Shapes, pads and axes inside a model that no memory could hold."""

    def lying(initializers, inputs=("x", "p"), opset=19, **attributes):
        pad = pad_node(inputs, "y", "outer", **attributes)
        return model([pad], [port("x", [3, 4])], ["y"], initializers, opset)

    big = (1 << 63) - 1
    lie = lambda **fields: onnx.TensorProto(name="p", data_type=7, **fields)
    for raw in [
        lying([ints("p", [big, 0, 0, 0])]),
        lying([ints("p", [-big - 1, 0, 0, 0])]),
        lying([ints("p", [big, big, big, big])]),
        lying([lie(dims=[1 << 40], raw_data=b"\0" * 32)]),
        lying([lie(dims=[1 << 62], raw_data=b"")]),
        lying([lie(dims=[-4], raw_data=b"\0" * 32)]),
        lying([lie(dims=[4], raw_data=b"\0" * 31)]),
        lying([lie(dims=[4], int64_data=[1, 2, 3])]),
        lying([ints("p", [0, 0, 0, 0])], mode=b"\xff\xfe"),
        lying([ints("p", [0, 0, 0, 0])], mode="x" * 100000),
        lying([ints("p", [0, 0, 0, 0])], mode=3),
        lying([], ["x"], opset=2, pads=[big, 0, 0, 0]),
        lying([], ["x"], opset=2, pads=[1.5, 0, 0, 0]),
        lying([], ["x"], opset=2),
        lying([ints("p", [0, 0, 0, 0])], opset=0),
        lying([ints("p", [0, 0, 0, 0])], opset=-1),
    ]:
        refused_cheaply("onnx", raw, folder)


def twice(name):
    return [pad_node(["x", "p"], "y", name), pad_node(["x", "p"], "y", name)]


def of(nodes, weights=(), **more):
    return model(nodes, [port("x", [3])], ["y"], [ints("p", [1, 1]), *weights], **more)


CONTRADICTIONS = {
    "no graph": b"",
    "wire type": varint(7 << 3) + b"\1",
    "occurs twice": of([pad_node(["x", "p"])]) + field(7, b""),
    "opset -1": of([pad_node(["x", "p"])], opset=-1),
    "two opsets": of([pad_node(["x", "p"])], imports=[onnx.helper.make_opsetid("ai.onnx", 14)]),
    "called 'y'": of(twice("n")),
    "initializer 'w'": of(
        [pad_node(["x", "p"])],
        [onnx.TensorProto(name="w", data_type=1, dims=[3], raw_data=b"1234")],
    ),
    "NUL": of([pad_node(["x", "p"], "y", "a\0b")]),
}


@pytest.mark.parametrize("says", CONTRADICTIONS)
def test_contradictions(folder, says):
    (folder / "x.onnx").write_bytes(CONTRADICTIONS[says])
    fail(3, "inspect", folder / "x.onnx", says=says)


# ---- Full disks, little memory --------------------------------------------------------------------


PLAIN = ["pad", "--spec=plain", "--begin=1,0", "--end=0,2"]


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 1 MB, where that can be had (root may mount one)."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True
    )
    yield disk if mounted.returncode == 0 else None
    if mounted.returncode == 0:
        subprocess.run(["umount", disk], check=True)


@pytest.mark.parametrize("ending", ["npy", "pb", "png"])
def test_a_full_disk(ending, small_disk, tmp_path):
    """The output does not fit, or stops fitting: status 1, one line, and nothing left."""
    generator = np.random.default_rng(1)
    shape = [600, 600, 3]
    np.save(tmp_path / "x.npy", generator.integers(0, 256, shape, np.uint8))
    arguments = ["pad", "--spec=plain", "--begin=400,0,0", "--end=0,400,0", tmp_path / "x.npy"]
    if small_disk is not None:
        fail(1, *arguments, small_disk / f"y.{ending}", says=[f"y.{ending}"])
        assert os.listdir(small_disk) == []
        (small_disk / f"y.{ending}").write_bytes(b"precious")
        fail(1, *arguments, small_disk / f"y.{ending}", "-f")
        assert (small_disk / f"y.{ending}").read_bytes() == b"precious"
    result = run_bounded(*arguments, tmp_path / f"y.{ending}", flag="-f", size=1 << 20)
    assert result.status == 1 and len(result.error.splitlines()) == 1, result
    assert set(os.listdir(tmp_path)) == {"x.npy", "disk"}


def test_arrays_larger_than_the_memory_allowed(folder):
    """64 MiB through a process that may have 32 MiB of its own: the files are mapped."""
    if SANITIZED:
        pytest.skip("a sanitizer's own memory is far above the limit that this test sets")
    rows, columns = 1 << 14, 1 << 12
    source = np.lib.format.open_memmap(
        folder / "x.npy", mode="w+", dtype=np.uint8, shape=(rows, columns)
    )
    source[0, 0], source[-1, -1], source[777, 5] = 1, 2, 3
    source.flush()
    limit = 32 << 20
    done = subprocess.run(
        [COMMAND, "pad", "--mode=edge", "--pads=1,0,1,0", folder / "x.npy", folder / "y.npy"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)),
        capture_output=True,
    )
    assert done.returncode == 0, done
    out = np.load(folder / "y.npy", mmap_mode="r")
    assert out.shape == (rows + 2, columns)
    assert (out[0, 0], out[1, 0], out[-1, -1], out[-2, -1], out[778, 5]) == (1, 1, 2, 2, 3)
    assert int(np.count_nonzero(out)) == 5
