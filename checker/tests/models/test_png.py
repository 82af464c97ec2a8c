"""Pictures: every photograph read and written, against a PNG decoder of our own.

SPDX-License-Identifier: MIT
"""

import random
import struct
import zlib

import harness
import numpy as np
import pytest
from harness import fail, succeed

CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}


def decode(raw):
    """An image of 8 or 16 bits, not interlaced, as height x width x channels."""
    assert raw[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(raw):
        size, kind = struct.unpack(">I4s", raw[at : at + 8])
        body = raw[at + 8 : at + 8 + size]
        assert struct.unpack(">I", raw[at + 8 + size : at + 12 + size])[0] == zlib.crc32(
            kind + body
        )
        if kind == b"IHDR":
            width, height, depth, color, *rest = struct.unpack(">IIBBBBB", body)
        if kind == b"IDAT":
            packed += body
        at += 12 + size
    assert depth in (8, 16) and rest == [0, 0, 0] and at == len(raw)
    step = CHANNELS[color] * depth // 8
    stride = width * step
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + stride)
    image = np.zeros((height + 1, step + stride), np.uint8)  # a margin of zeros above and left
    for y in range(height):
        kind, line = rows[y, 0], rows[y, 1:]
        above = image[y]
        here = image[y + 1]
        if kind in (0, 2):
            here[step:] = line + above[step:] if kind else line
            continue
        left = here[:step].astype(int)
        for x in range(step, step + stride, step):
            up, corner = above[x : x + step].astype(int), above[x - step : x].astype(int)
            if kind == 1:
                guess = left
            elif kind == 3:
                guess = (left + up) // 2
            else:
                slope = left + up - corner
                a, b, c = abs(slope - left), abs(slope - up), abs(slope - corner)
                guess = np.where((a <= b) & (a <= c), left, np.where(b <= c, up, corner))
            left = (line[x - step : x].astype(int) + guess) & 255
            here[x : x + step] = left
    pixels = image[1:, step:].tobytes()
    array = np.frombuffer(pixels, np.uint8 if depth == 8 else ">u2").reshape(height, width, -1)
    return array.astype(array.dtype.newbyteorder("="))


def encode(array, generator):
    """The reverse, with a random filter in every row."""
    height, width, channels = array.shape
    step = channels * array.itemsize
    raw = array.astype(array.dtype.newbyteorder(">")).tobytes()
    lines = [bytes(width * step)] + [raw[k * width * step :][: width * step] for k in range(height)]
    out = b""
    for above, line in zip(lines, lines[1:]):
        kind = generator.randrange(5)
        out += bytes([kind])
        for x in range(width * step):
            left = line[x - step] if x >= step else 0
            corner = above[x - step] if x >= step else 0
            slope = left + above[x] - corner
            paeth = min((abs(slope - v), k, v) for k, v in enumerate((left, above[x], corner)))[2]
            guess = [0, left, above[x], (left + above[x]) // 2, paeth][kind]
            out += bytes([(line[x] - guess) & 255])
    color = {channels: color for color, channels in CHANNELS.items()}[channels]
    header = struct.pack(">IIBBBBB", width, height, 8 * array.itemsize, color, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", zlib.compress(out)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_every_kind(dtype, channels, tmp_path):
    generator = random.Random(f"{dtype} {channels}")
    for height, width in (1, 1), (5, 7), (16, 3), (2, 33):
        raw = generator.randbytes(height * width * channels * np.dtype(dtype).itemsize)
        array = np.frombuffer(raw, dtype).reshape(height, width, channels)
        (tmp_path / "x.png").write_bytes(encode(array, generator))
        assert np.array_equal(decode((tmp_path / "x.png").read_bytes()), array)
        for mode in "constant", "wrap":
            for ending in "png", "npy":
                succeed(
                    "pad",
                    "--spec=plain",
                    f"--mode={mode}",
                    "--begin=1,2,0",
                    "--end=3,0,0",
                    tmp_path / "x.png",
                    tmp_path / f"y.{ending}",
                    "-f",
                )
            expected = np.pad(array, [(1, 3), (2, 0), (0, 0)], mode)
            found = np.load(tmp_path / "y.npy")
            assert found.dtype == dtype and np.array_equal(found, expected)
            found = decode((tmp_path / "y.png").read_bytes())
            assert found.dtype == dtype and np.array_equal(found, expected)


def test_photographs_are_read(data, tmp_path):
    """Pictures from many programs, into .npy and back."""
    for file in sorted((data / "skimage/data").glob("*.png")):
        head = file.read_bytes()
        if head.count(b"tRNS"):
            continue
        succeed(
            *"pad --spec=plain --begin=0,0,0 --end=0,0,0".split(), file, tmp_path / "x.npy", "-f"
        )
        succeed(
            *"pad --spec=plain --begin=0,0,0 --end=0,0,0".split(),
            tmp_path / "x.npy",
            tmp_path / "x.png",
            "-f",
        )
        succeed(
            *"pad --spec=plain --begin=0,0,0 --end=0,0,0".split(),
            tmp_path / "x.png",
            tmp_path / "y.npy",
            "-f",
        )
        assert (tmp_path / "x.npy").read_bytes() == (tmp_path / "y.npy").read_bytes(), file
        found = np.load(tmp_path / "x.npy")
        width, height, depth, color = struct.unpack(">IIBB", head[16:26])
        assert found.shape == (height, width, CHANNELS[color]), file
        assert found.itemsize == depth // 8, file


def test_what_a_picture_cannot_hold(tmp_path):
    for dtype, shape in [
        (np.float32, (2, 2, 3)),
        (np.int8, (2, 2, 3)),
        (np.uint32, (2, 2, 3)),
        (np.uint8, (2, 2, 5)),
        (np.uint8, (2, 2, 0)),
        (np.uint8, (0, 2, 3)),
        (np.uint8, (2, 0, 3)),
        (np.uint8, (2, 2, 3, 1)),
        (np.uint8, (4,)),
        (np.uint8, ()),
    ]:
        np.save(tmp_path / "x.npy", np.zeros(shape, dtype))
        zeros = harness.numbers([0] * len(shape))
        fail(
            3,
            "pad",
            "--spec=plain",
            f"--begin={zeros}",
            f"--end={zeros}",
            tmp_path / "x.npy",
            tmp_path / "y.png",
            says=["y.png"],
        )
        assert not (tmp_path / "y.png").exists()
