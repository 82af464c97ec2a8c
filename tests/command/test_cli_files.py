"""`tensorpad pad`: its files, pipes and devices; damaged files for every command.  SPDX-License-Identifier: MIT"""

import io
import os
import resource
import subprocess
import sys
import time

import numpy as np
import pytest
from command import COMMAND, DATA, ROOT, npy_bytes, pairs, same
from onnx import TensorProto
from onnx_models import FLOAT, STRING, one_pad, tensor
from running import QUICK, SANITIZED


def test_tensor_protos(folder):
    (folder / "in.pb").write_bytes(tensor("x", FLOAT, [3, 2], DATA.tobytes()).SerializeToString())
    folder.pad("--pads", "0,0,0,1", "in.pb", "out.npy")
    same(folder.load("out.npy"), np.pad(DATA, [(0, 0), (0, 1)]))
    folder.pad("--pads", "0,0,0,-1", "out.npy", "back.pb")
    folder.pad("--pads", "0,0,0,0", "back.pb", "back.npy")
    same(folder.load("back.npy"), DATA)


def test_strings(folder):
    text = TensorProto(data_type=STRING, dims=[2], string_data=[b"ab", "ü".encode()])
    (folder / "in.pb").write_bytes(text.SerializeToString())
    for spec, words in (("onnx", []), ("plain", []), ("onnx", ["--value", "xyz"])):
        folder.pad("--spec", spec, "-f", *words, "--pads", "1,1", "in.pb", "out.pb")
        fill = "xyz" if words else ""
        found = TensorProto.FromString((folder / "out.pb").read_bytes())
        assert [text.decode() for text in found.string_data] == [fill, "ab", "ü", fill]
    folder.fail(3, "pad", "--pads", "1,1", "in.pb", "out.npy", says="npy")
    folder.fail(3, "pad", "--spec", "onnx-11", "--pads", "1,1", "in.pb", "o.pb", says="13")


def test_packed_elements(folder):
    # 1 2 3 | 4 5 6 as nibbles, low one first; a column of 15 in front of them.
    nibbles = tensor("x", TensorProto.UINT4, [2, 3], bytes([0x21, 0x43, 0x65]))
    (folder / "in.pb").write_bytes(nibbles.SerializeToString())
    for spec in ("onnx", "plain"):
        words = ["--spec", spec, "--pads", "0,1,0,0", "--value", "15", "-f"]
        folder.pad(*words, "in.pb", "out.pb")
        found = TensorProto.FromString((folder / "out.pb").read_bytes())
        assert found.raw_data == bytes([0x1F, 0x32, 0x4F, 0x65])


def test_pictures(folder):
    picture = np.arange(5 * 4 * 3, dtype=np.uint8).reshape(5, 4, 3)
    folder.save("in.npy", picture)
    pads = "1,2,0,3,0,0"
    folder.pad("--mode", "reflect", "--pads", pads, "in.npy", "out.png")
    assert (folder / "out.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    folder.pad("--pads", "0,0,0,0,0,0", "out.png", "out.npy")
    same(folder.load("out.npy"), np.pad(picture, pairs(pads), "reflect"))
    folder.save("float.npy", DATA)
    folder.fail(3, "pad", "--pads", "0,0,0,0", "float.npy", "f.png", says="png")


def test_pipes(folder):
    done = folder.pad("--pads", "0,1,0,0", "-", "-", stdin=npy_bytes(DATA))
    expected = np.pad(DATA, [(0, 0), (1, 0)])
    same(np.load(io.BytesIO(done.stdout)), expected)
    folder.pad("--pads", "0,1,0,0", "-", "out.npy", stdin=npy_bytes(DATA))
    same(folder.load("out.npy"), expected)
    done = folder.pad("--pads", "0,0,0,0", "out.npy", "-")
    same(np.load(io.BytesIO(done.stdout)), expected)


def test_a_dash_may_be_a_list_value_but_files_may_be_dashes(folder):
    done = folder.pad("-", "--pads", "-1,0,0,0", "-", stdin=npy_bytes(DATA))
    same(np.load(io.BytesIO(done.stdout)), DATA[1:])


def test_broken_input_is_status_3(folder):
    whole = npy_bytes(DATA)
    for cut in (0, 5, 60, len(whole) - 1):
        folder.fail(3, "pad", "--pads", "0,0,0,0", "-", "o.npy", stdin=whole[:cut])
    (folder / "in.npy").write_bytes(whole[:-1])
    folder.fail(3, "pad", "--pads", "0,0,0,0", "in.npy", "out.npy", says="in.npy")
    folder.save("text.npy", DATA)
    (folder / "in.pb").write_bytes(b"\xff" * 20)
    folder.fail(3, "pad", "--pads", "0,0,0,0", "in.pb", "out.npy", says="in.pb")


def test_unknown_endings(folder):
    folder.save("in.npy", DATA)
    folder.fail(3, "pad", "--pads", "0,0,0,0", "in.npy", "out.txt")
    folder.fail(3, "pad", "--pads", "0,0,0,0", "in.txt", "out.npy")


def test_missing_files_are_status_1(folder):
    folder.fail(1, "pad", "--pads", "0,0", "in.npy", "out.npy", says="in.npy")
    folder.save("in.npy", DATA)
    folder.fail(1, "pad", "--pads", "0,0,0,0", "in.npy", "nowhere/out.npy", says="nowhere/out.npy")


def test_an_existing_output_needs_force(folder):
    folder.save("in.npy", DATA)
    folder.save("out.npy", np.zeros(3))
    folder.fail(1, "pad", "--pads", "0,0,0,0", "in.npy", "out.npy", says=["out.npy", "-f"])
    same(folder.load("out.npy"), np.zeros(3))
    for force in ("-f", "--force", "-fq", "-qf"):
        folder.pad(force, "--pads", "0,0,0,0", "in.npy", "out.npy")
        same(folder.load("out.npy"), DATA)


def test_an_existing_output_survives_a_failure(folder):
    folder.save("in.npy", DATA)
    folder.save("out.npy", np.zeros(3))
    folder.fail(3, "pad", "-f", "--pads", "0,0,0", "in.npy", "out.npy")
    crop = ["--mode", "edge", "--pads", "-3,0,1,0"]
    folder.fail(3, "pad", "-f", "--spec", "onnx", *crop, "in.npy", "out.npy")
    same(folder.load("out.npy"), np.zeros(3))


def test_input_and_output_are_different_files(folder):
    folder.save("in.npy", DATA)
    for words in ([], ["-f"]):
        folder.fail(2, "pad", *words, "--pads", "0,0,0,1", "in.npy", "in.npy")
        folder.fail(3, "pad", *words, "--pads", "0,0,0,1", "in.npy", "./in.npy")
        folder.fail(3, "pad", *words, "--pads", "0,0,0,1", "in.npy", str(folder / "in.npy"))
    os.link(folder / "in.npy", folder / "hard.npy")
    os.symlink("in.npy", folder / "soft.npy")
    folder.fail(3, "pad", "-f", "--pads", "0,0,0,1", "in.npy", "hard.npy")
    folder.fail(3, "pad", "-f", "--pads", "0,0,0,1", "in.npy", "soft.npy")
    same(folder.load("in.npy"), DATA)


def test_a_closed_pipe_is_status_1(folder):
    folder.save("in.npy", np.zeros((400, 400)))
    reading, writing = os.pipe()
    os.close(reading)
    words = [COMMAND, "pad", "--pads", "0,0,0,1", "in.npy", "-"]
    done = subprocess.run(words, cwd=folder.path, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert done.returncode == 1
    assert done.stderr.startswith(b"tensorpad: ") and done.stderr.count(b"\n") == 1


def test_a_closed_standard_output_is_status_1(folder):
    folder.save("in.npy", DATA)
    (folder / "m.onnx").write_bytes(one_pad())
    for words in ("pad --pads 0,0,0,1 in.npy -", "inspect m.onnx", "--help", "--version"):
        script = f'exec "$0" {words} >&-'
        done = subprocess.run(["sh", "-c", script, COMMAND], cwd=folder.path, capture_output=True)
        assert done.returncode == 1, words
        assert done.stderr.count(b"\n") == 1
    # And nothing of the work ends in a file that took the closed descriptor's number.
    script = 'exec "$0" pad --pads 0,0,0,1 in.npy out.npy <&- >&- 2>&-'
    assert subprocess.run(["sh", "-c", script, COMMAND], cwd=folder.path).returncode == 0
    same(folder.load("out.npy"), np.pad(DATA, [(0, 0), (0, 1)]))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_device_is_status_1(folder):
    folder.save("in.npy", DATA)
    (folder / "m.onnx").write_bytes(one_pad())
    cases = (
        "pad --pads 0,0,0,1 in.npy -",
        "inspect m.onnx",
        "inspect --json m.onnx",
        "--help",
        "pad --help",
        "--version",
    )
    for words in cases:
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [COMMAND, *words.split()], cwd=folder.path, stdout=full, stderr=subprocess.PIPE
            )
        assert done.returncode == 1, words
        assert done.stderr.count(b"\n") == 1


def test_a_file_size_limit_is_status_1(folder):
    folder.save("in.npy", DATA)

    def limit():  # more than what a program with counters of its lines writes besides
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    folder.fail(1, "pad", "--pads", "999999,0,0,0", "in.npy", "out.npy", preexec_fn=limit)


def test_a_folder_that_cannot_be_written_is_status_1(folder):
    folder.save("in.npy", DATA)
    folder.fail(1, "pad", "--pads", "0,0,0,0", "in.npy", "/proc/out.npy")


def test_a_device_takes_the_output_as_it_is(folder):
    # A named pipe: the reader gets a whole .npy, and the pipe is still a pipe.
    folder.save("in.npy", DATA)
    os.mkfifo(folder / "fifo.npy")
    words = [COMMAND, "pad", "-f", "--pads", "0,0,0,1", "in.npy", "fifo.npy"]
    writer = subprocess.Popen(words, cwd=folder.path)
    content = (folder / "fifo.npy").read_bytes()
    assert writer.wait(timeout=30) == 0
    same(np.load(io.BytesIO(content)), np.pad(DATA, [(0, 0), (0, 1)]))
    assert (folder / "fifo.npy").is_fifo()
    (folder / "fifo.npy").unlink()


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="no /proc here")
def test_an_input_that_shrinks_is_status_1(folder):
    folder.save("in.npy", np.zeros((1000, 100)))
    os.mkfifo(folder / "fifo.npy")
    words = [COMMAND, "pad", "--pads", "0,0,0,1", "in.npy", "fifo.npy"]
    running = subprocess.Popen(words, cwd=folder.path, stderr=subprocess.PIPE)
    # Once the input is mapped, the command waits for somebody to read the pipe.
    maps = f"/proc/{running.pid}/maps"
    deadline = time.monotonic() + 30
    while "in.npy" not in open(maps).read() and time.monotonic() < deadline:
        time.sleep(0.01)
    os.truncate(folder / "in.npy", 4096)
    (folder / "fifo.npy").read_bytes()
    assert running.wait(timeout=30) == 1
    error = running.stderr.read()
    running.stderr.close()
    assert error.startswith(b"tensorpad: ") and error.count(b"\n") == 1
    (folder / "fifo.npy").unlink()


# ---- Damaged files and odd words ------------------------------------------------------------------


def test_damaged_files_and_odd_words(tmp_path):
    """In a process of its own: the memory of a child is counted from its parent's."""
    count = 300 if SANITIZED or QUICK else 1500
    words = [
        "--count",
        str(count),
        "--seed",
        "7",
        "--command",
        COMMAND,
        "--keep",
        tmp_path / "found",
    ]
    script = [sys.executable, "-S", ROOT / "tests/fuzz/damaged_files.py"]
    done = subprocess.run([*script, *words], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr
    assert "0 findings" in done.stdout
