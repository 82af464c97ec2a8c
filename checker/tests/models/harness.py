"""Runs the command, and writes and reads the files it takes.

SPDX-License-Identifier: MIT

An array is a list of cells and a shape, as in conformance/kit/elements.py. Files are written and
read with numpy and onnx, never with the library under test.
"""

import os
import pathlib
import subprocess
import sys

import numpy as np
import onnx

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "conformance"))
sys.path.append(str(ROOT / "tests/support"))

from kit.elements import (  # noqa: E402
    NUMBERS as NUMBERS,
    TYPES,
    WORDS,
    cell_of as cell_of,
    from_bytes,
    tensor,
    to_bytes,
)
from running import (  # noqa: E402
    COMMAND,
    QUICK,
    SANITIZED,
    Result,
    fail as fail,
    run as run,
    succeed as succeed,
)

DATA = os.environ.get("TENSORPAD_DATA")
DATA = pathlib.Path(DATA).absolute() if DATA else None

IN_NPY = [word for word, (_, kind) in TYPES.items() if kind and kind.__module__ == "numpy"]
PACKED = [word for word, (bits, _) in TYPES.items() if bits in (2, 4)]


def scaled(count, share=4):
    """How many random cases: all of them, a tenth where each is slow, one in `share` in a quick run."""
    return count // (10 if SANITIZED else share if QUICK else 1)


# ---- The command --------------------------------------------------------------------------------


def numbers(values):
    """A list as the command reads it."""
    return ",".join(str(value) for value in values)


LIMIT = 256 << 20  # bytes of address space


def run_bounded(*arguments, stdin=b"", flag="-v", size=LIMIT):
    """Runs the command within a limit of the shell: -v address space, -f size of a written file."""
    unit = {"-v": 1024, "-f": 512}[flag]
    limit = f"ulimit {flag} {size // unit};" if flag != "-v" or not SANITIZED else ""
    words = ["sh", "-c", f'{limit} exec "$0" "$@"', *map(str, [COMMAND, *arguments])]
    done = subprocess.run(words, input=stdin, capture_output=True, timeout=60)
    return Result(words[4:], done)


def sane(result, folder, files, statuses=(0, 3)):
    """Nothing but a proper end: status, one line, and no file that was not there."""
    assert result.status in statuses, result
    lines = len(result.error.splitlines())
    assert lines == (0 if result.status == 0 else 1), result
    left = set(os.listdir(folder)) - set(files)
    assert not left or result.status == 0, (left, result)


# ---- Cells --------------------------------------------------------------------------------------


def random_cells(random, word, count):
    bits, _ = TYPES[word]
    if word == "string":
        return [
            bytes(random.choices(b"abcxyz\xc3\xa9", k=random.randrange(5))) for _ in range(count)
        ]
    if word == "bool":
        return [random.randrange(2) for _ in range(count)]
    return [random.getrandbits(bits) for _ in range(count)]


# ---- Files --------------------------------------------------------------------------------------


def write_pb(path, word, shape, cells, name="", typed=False):
    path.write_bytes(tensor(word, shape, cells, name, typed).SerializeToString())


def read_pb(path):
    """Returns (word, shape, cells)."""
    proto = onnx.TensorProto.FromString(path.read_bytes())
    word = WORDS[proto.data_type]
    shape = list(proto.dims)
    if word == "string":
        return word, shape, list(proto.string_data)
    return word, shape, from_bytes(proto.raw_data, TYPES[word][0], int(np.prod(shape)))


def array(word, shape, cells):
    """Cells as a numpy array; types that numpy lacks become raw bytes, as ml_dtypes saves them."""
    bits, kind = TYPES[word]
    stored = kind if word in IN_NPY else f"V{bits // 8}"
    return np.frombuffer(to_bytes(cells, bits), stored).reshape(shape)


def write_npy(path, word, shape, cells):
    np.save(path, array(word, shape, cells))


def read_npy(path):
    """Returns (dtype, shape, cells)."""
    found = np.load(path)
    little = found.dtype.newbyteorder("<") if found.dtype.kind != "V" else found.dtype
    raw = np.ascontiguousarray(found.astype(little)).tobytes()
    return found.dtype, list(found.shape), from_bytes(raw, found.dtype.itemsize * 8, found.size)
