"""What happens to files: overwriting, input that is output, full disks, pipes, signals.

SPDX-License-Identifier: MIT
"""

import io
import os
import resource
import signal
import subprocess
import time

import numpy as np
import onnx.helper as oh
import onnx.numpy_helper as nh
import pytest

from harness import COMMAND, SANITIZED, fail, run, run_bounded, succeed
from samples import npy, onnx_model

PLAIN = ["pad", "--spec=plain", "--begin=1,0", "--end=0,2"]


def test_an_existing_output_is_kept(folder):
    target = folder / "y.npy"
    target.write_bytes(b"precious")
    fail(1, *PLAIN, folder / "good.npy", target, says=["y.npy", "-f"])
    assert target.read_bytes() == b"precious"
    succeed(*PLAIN, folder / "good.npy", target, "-f")
    assert np.load(target).shape == (4, 6)
    # a failure with -f keeps the old file as well
    before = target.read_bytes()
    (folder / "bad.npy").write_bytes(npy()[:-1])
    fail(3, *PLAIN, folder / "bad.npy", target, "-f")
    fail(3, *PLAIN, "--mode=edge", "--end=0,-9", folder / "good.npy", target, "-f")
    assert target.read_bytes() == before


@pytest.mark.parametrize("alias", ["itself", "dot", "symlink", "hard link", "folder link"])
def test_input_is_output(alias, folder):
    source = folder / "good.npy"
    before = source.read_bytes()
    target = folder / "alias.npy"
    if alias == "itself":
        target = source
    elif alias == "dot":
        target = folder / "." / ".." / folder.name / "good.npy"
    elif alias == "symlink":
        os.symlink("good.npy", target)
    elif alias == "hard link":
        os.link(source, target)
    else:
        os.symlink(".", folder / "link")
        target = folder / "link" / "good.npy"
    result = run(*PLAIN, source, os.fspath(target), "-f")
    assert result.status in (2, 3) and len(result.error.splitlines()) == 1, result
    assert source.read_bytes() == before
    (folder / "m.onnx").write_bytes(onnx_model())
    for output in os.fspath(target), folder / "m.onnx":
        model = (folder / "m.onnx").read_bytes()
        result = run(
            "run",
            folder / "m.onnx",
            "--node=outer",
            f"--input={source}",
            f"--output={output}",
            "-f",
        )
        assert result.status in (2, 3), result
        assert source.read_bytes() == before and (folder / "m.onnx").read_bytes() == model


def test_two_outputs_in_one_file(folder):
    ports = (
        [oh.make_tensor_value_info("x", 1, None)],
        [oh.make_tensor_value_info(n, 1, None) for n in "yz"],
    )
    nodes = [oh.make_node("Pad", ["x", "p"], [n]) for n in "yz"]
    graph = oh.make_graph(nodes, "g", *ports, [nh.from_array(np.array([1, 0, 0, 0]), "p")])
    model = oh.make_model(graph, opset_imports=[oh.make_opsetid("", 19)])
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    result = run(
        "run",
        folder / "m.onnx",
        f"--input={folder / 'good.npy'}",
        f"--output=y={folder / 'y.npy'}",
        f"--output=z={folder / 'y.npy'}",
    )
    assert result.status in (1, 2, 3), result
    assert not (folder / "y.npy").exists()


def test_paths_that_cannot_be(folder):
    (folder / "folder.npy").mkdir()
    good = folder / "good.npy"
    for source, target in [
        (folder / "missing.npy", folder / "y.npy"),
        (folder / "folder.npy", folder / "y.npy"),
        (good, folder / "no such folder" / "y.npy"),
        (good, folder / "folder.npy"),
        (good, folder / ("y" * 300 + ".npy")),
        (good, folder / "good.npy" / "y.npy"),
    ]:
        result = run(*PLAIN, source, target, "-f")
        assert result.status in (1, 3) and len(result.error.splitlines()) == 1, result
    for source, target in (
        (folder / "x.txt", folder / "y.npy"),
        (good, folder / "y.txt"),
        (good, folder / "y"),
    ):
        result = run(*PLAIN, source, target)
        assert result.status in (2, 3) and len(result.error.splitlines()) == 1, result
    assert sorted(os.listdir(folder)) == ["folder.npy", "good.npy"]


def test_a_folder_that_takes_no_files(folder):
    """Not even from root."""
    fail(1, *PLAIN, folder / "good.npy", "/proc/y.npy", says=["/proc/y.npy"])


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


def test_pipes(folder):
    """An .npy in and out of a pipe; a reader that leaves is an error of the system."""
    raw = npy()
    result = succeed(*PLAIN, "-", "-", stdin=raw)
    assert np.load(io.BytesIO(result.stdout)).shape == (4, 6)
    succeed(*PLAIN, "-", folder / "y.npy", stdin=raw)
    assert (folder / "y.npy").read_bytes() == result.stdout
    np.save(folder / "large.npy", np.zeros([1000, 1000]))
    writer = subprocess.Popen(
        [str(COMMAND), *PLAIN, str(folder / "large.npy"), "-"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    writer.stdout.read(100)
    writer.stdout.close()
    error = writer.stderr.read()
    assert writer.wait(30) == 1 and len(error.splitlines()) == 1, error
    writer.stderr.close()


def test_devices(folder):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [str(COMMAND), *PLAIN, str(folder / "good.npy"), "-"],
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1, done


def test_a_kill_leaves_no_file(folder):
    """SIGINT and SIGTERM in the middle of the work remove the temporary file."""
    np.save(folder / "x.npy", np.zeros([64, 1024, 1024], np.uint8))
    target = folder / "out"
    target.mkdir()
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        for delay in 0.005, 0.02, 0.08:
            child = subprocess.Popen(
                [
                    str(COMMAND),
                    "pad",
                    "--spec=plain",
                    "--begin=64,0,0",
                    "--end=128,0,0",
                    str(folder / "x.npy"),
                    str(target / "y.npy"),
                    "-f",
                    "-q",
                ],
                stderr=subprocess.PIPE,
            )
            time.sleep(delay)
            child.send_signal(number)
            child.communicate()
            left = os.listdir(target)
            assert left in ([], ["y.npy"]), (left, number, delay)
            if left:
                assert np.load(target / "y.npy", mmap_mode="r").shape == (256, 1024, 1024)
                (target / "y.npy").unlink()


def test_arrays_larger_than_the_memory_allowed(folder):
    """256 MiB through a process that may have 32 MiB of its own: the files are mapped."""
    if SANITIZED:
        pytest.skip("a sanitizer's own memory is far above the limit that this test sets")
    rows, columns = 1 << 16, 1 << 12
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
