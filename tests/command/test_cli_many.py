"""`tensorpad pad --out-dir`: many files in one call.  SPDX-License-Identifier: MIT

Pictures are made and read here with zlib, and expected arrays come from numpy.pad; what one call
writes is also compared with what single calls write.
"""

import json
import os
import re
import resource
import shlex
import signal
import struct
import subprocess
import time
import zlib

import numpy as np
import pytest
from command import COMMAND, KEYS, ROOT, Folder, on_terminal
from running import SANITIZED, fail

THREADS = (
    "threads: none"
    not in subprocess.run([COMMAND, "--version"], capture_output=True, text=True).stdout
)
SIZE = ["--to", "64,64", "--axes", "0,1"]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(grey):
    """A grey picture as a file."""
    head = struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 8, 0, 0, 0, 0)
    rows = b"".join(b"\0" + row.tobytes() for row in grey)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows, 1))
        + chunk(b"IEND", b"")
    )


def is_whole(path):
    """Whether a picture has its first and its last chunk, and every checksum is right."""
    raw, at, kinds = path.read_bytes(), 8, []
    while at + 12 <= len(raw):
        (length,) = struct.unpack(">I", raw[at : at + 4])
        piece = raw[at + 4 : at + 8 + length]
        if raw[at + 8 + length : at + 12 + length] != struct.pack(">I", zlib.crc32(piece)):
            return False
        kinds.append(piece[:4])
        at += 12 + length
    return at == len(raw) and kinds[0] == b"IHDR" and kinds[-1] == b"IEND"


def many(folder, *words, status=0, **options):
    """Runs `pad` in the folder. Returns the lines of standard error and all of standard output."""
    done = subprocess.run(
        [COMMAND, "pad", *words], cwd=folder, capture_output=True, text=True, timeout=60, **options
    )
    assert done.returncode == status, done.stderr
    return done.stderr.splitlines(), done.stdout


def summary(folder, padded=0, skipped=0, failed=0):
    files, exist = ("file" if padded == 1 else "files"), ("exists" if skipped == 1 else "exist")
    return f"{folder}: padded {padded} {files}, skipped {skipped} that {exist}, failed {failed}"


def names(folder):
    return sorted(entry.name for entry in folder.iterdir())


@pytest.fixture
def photos(tmp_path):
    """40 pictures of different sizes in `in`, and what each is padded to 64 x 64."""
    rng = np.random.default_rng(1)
    (tmp_path / "in").mkdir()
    for k in range(40):
        grey = rng.integers(0, 256, (20 + k, 60 - k), np.uint8)
        (tmp_path / "in" / f"{k:02}.png").write_bytes(png(grey))
    return tmp_path


def inputs(folder):
    return [f"in/{name}" for name in names(folder / "in")]


@pytest.mark.parametrize("threads", [["--threads", "1"], [], ["--threads", "7"]])
def test_one_call_writes_what_single_calls_write(photos, threads):
    if threads and not THREADS:
        threads = []
    assert many(photos, *threads, *SIZE, *inputs(photos), "--out-dir", "out") == (
        [summary("out", padded=40)],
        "",
    )
    assert names(photos / "out") == names(photos / "in")
    (photos / "single").mkdir()
    for path in inputs(photos)[:: 1 if threads == [] else 8]:
        name = os.path.basename(path)
        assert many(photos, *SIZE, path, f"single/{name}") == ([], "")
        assert (photos / "out" / name).read_bytes() == (photos / "single" / name).read_bytes()


def test_the_elements_are_right(tmp_path):
    arrays = {}
    for k in range(9):
        arrays[f"{k}.npy"] = np.arange(12 * (k + 1), dtype=np.int32).reshape(k + 1, 12)
        np.save(tmp_path / f"{k}.npy", arrays[f"{k}.npy"])
    many(tmp_path, "--out-dir", "a/b//c/", "--to", "16,-", *arrays)
    many(tmp_path, "--out-dir=d", "--spec", "onnx-19", "--mode=wrap", "--pads", "2,0,1,3", *arrays)
    for name, array in arrays.items():
        extra = 16 - len(array)
        expected = np.pad(array, [(extra // 2, extra - extra // 2), (0, 0)])
        assert np.array_equal(np.load(tmp_path / "a" / "b" / "c" / name), expected)
        expected = np.pad(array, [(2, 1), (0, 3)], "wrap")
        assert np.array_equal(np.load(tmp_path / "d" / name), expected)


def test_a_single_file(tmp_path):
    np.save(tmp_path / "x.npy", np.arange(3_000_000, dtype=np.float32))
    lines, _ = many(tmp_path, "--pads", "1,1", "x.npy", "--out-dir", "out")
    assert lines == [summary("out", padded=1)]
    assert np.load(tmp_path / "out" / "x.npy").shape == (3_000_002,)


def test_a_path_that_ends_in_a_slash_and_the_root(tmp_path):
    np.save(tmp_path / "x.npy", np.zeros(3))
    out = f"{tmp_path}/out/"
    assert many(tmp_path, "--pads", "1,1", "x.npy", "--out-dir", out)[0] == [summary(out, padded=1)]
    assert (tmp_path / "out" / "x.npy").exists()


def test_quiet_and_json(photos):
    words = [*SIZE, *inputs(photos), "--out-dir", "out"]
    assert many(photos, "-q", *words) == ([], "")
    assert many(photos, "-q", "--json", *words) == ([], "")
    lines, said = many(photos, "--json", *words)
    assert lines == []
    assert json.loads(said) == {"out_dir": "out", "padded": 0, "skipped": 40, "failed": 0}


# ---- What exists ---------------------------------------------------------------------------------


def test_what_exists_is_skipped_and_counted(photos):
    (photos / "out").mkdir()
    (photos / "out" / "03.png").write_bytes(b"precious")
    (photos / "in" / "04.png").rename(photos / "out" / "04.png")
    words = [*SIZE, *inputs(photos), "in/04.png", "--out-dir", "out"]
    assert many(photos, *words)[0] == [summary("out", padded=38, skipped=2)]
    assert (photos / "out" / "03.png").read_bytes() == b"precious"
    assert many(photos, *words)[0] == [summary("out", skipped=40)]
    (photos / "out" / "00.png").unlink()
    assert many(photos, *words)[0] == [summary("out", padded=1, skipped=39)]


def test_force_overwrites(photos):
    (photos / "out").mkdir()
    (photos / "out" / "03.png").write_bytes(b"precious")
    os.link(photos / "out" / "03.png", photos / "link")
    assert many(photos, "-f", *SIZE, *inputs(photos), "--out-dir", "out")[0] == [
        summary("out", padded=40)
    ]
    assert is_whole(photos / "out" / "03.png")
    assert (photos / "link").read_bytes() == b"precious"


def test_what_exists_and_is_no_file(tmp_path):
    for name in "abcd":
        np.save(tmp_path / f"{name}.npy", np.zeros(3))
    out = tmp_path / "out"
    (out / "a.npy").mkdir(parents=True)
    os.mkfifo(out / "b.npy")
    os.symlink("nowhere", out / "c.npy")
    for force in ([], ["-f"]):
        lines, _ = many(
            tmp_path,
            *force,
            *"--pads 1,1 a.npy b.npy c.npy d.npy --out-dir out --threads 1".split(),
            status=1,
        )
        assert [line.split(": ")[1] for line in lines[:3]] == [f"out/{k}.npy" for k in "abc"]
        assert lines[3:] == [summary("out", padded=1, failed=3)]
        (out / "d.npy").unlink()


# ---- Refused before the work begins --------------------------------------------------------------


def refused(folder, *words, status):
    """The one line of a call that must not do anything."""
    before = sorted(str(path) for path in folder.rglob("*"))
    error = fail(status, "pad", *words, cwd=folder).error
    assert sorted(str(path) for path in folder.rglob("*")) == before
    return error


def test_two_equal_names(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        np.save(tmp_path / name / "x.npy", np.zeros(3))
        np.save(tmp_path / name / f"{name}.npy", np.zeros(3))
    words = ["--pads", "1,1", "--out-dir", "out", "a/a.npy", "a/x.npy", "b/b.npy", "b/x.npy"]
    error = refused(tmp_path, *words, status=2)
    assert "'a/x.npy'" in error and "'b/x.npy'" in error and "'x.npy'" in error
    assert "'a/a.npy'" in refused(tmp_path, *words[:6], "a/x.npy", "a/a.npy", "-f", status=2)
    error = refused(tmp_path, *words, "--json", status=2)
    assert json.loads(error)["error"]["code"] == "USAGE"


def test_an_input_that_is_its_own_output(tmp_path):
    np.save(tmp_path / "x.npy", np.zeros(3))
    (tmp_path / "sub").mkdir()
    np.save(tmp_path / "sub" / "y.npy", np.zeros(3))
    for force in ([], ["-f"]):
        for out in (".", "./", str(tmp_path), "sub/.."):
            words = [*force, "--pads", "1,1", "sub/y.npy", "x.npy", "--out-dir", out]
            error = refused(tmp_path, *words, status=3)
            assert "'x.npy'" in error and "input and output" in error


def test_outputs_that_are_other_inputs_or_outputs(tmp_path):
    (tmp_path / "out").mkdir()
    for name in ("x.npy", "y.npy", "out/z.npy"):
        np.save(tmp_path / name, np.zeros(3))
    words = ["-f", "--pads", "1,1", "--out-dir", "out"]
    os.symlink("out/z.npy", tmp_path / "w.npy")
    np.save(tmp_path / "z.npy", np.zeros(3))
    error = refused(tmp_path, *words, "x.npy", "z.npy", "w.npy", status=3)
    assert "'out/z.npy'" in error and "'w.npy'" in error and "'z.npy'" in error
    os.symlink("z.npy", tmp_path / "out" / "x.npy")
    error = refused(tmp_path, *words, "x.npy", "y.npy", "z.npy", status=3)
    assert "'out/x.npy'" in error and "'out/z.npy'" in error


@pytest.mark.parametrize(
    "out,reason",
    [
        ("file", "Not a directory"),
        ("file/sub", "Not a directory"),
        ("/proc/nothing/sub", "No such file"),
        ("x" * 300, "too long"),
    ],
)
def test_a_folder_that_cannot_be(tmp_path, out, reason):
    (tmp_path / "file").write_bytes(b"x")
    np.save(tmp_path / "x.npy", np.zeros(3))
    error = refused(tmp_path, "--pads", "1,1", "x.npy", "--out-dir", out, status=1)
    assert f"tensorpad: {out}: " in error and "--out-dir" in error and reason in error


def test_begin_and_end_that_do_not_match(tmp_path):
    np.save(tmp_path / "x.npy", np.zeros(3))
    words = ["--begin", "1", "--end", "1,1", "x.npy", "--out-dir", "out"]
    assert "--begin has 1" in refused(tmp_path, *words, status=3)


# ---- Files that fail -----------------------------------------------------------------------------


def test_a_bad_file_does_not_stop_the_others(photos):
    raw = (photos / "in" / "20.png").read_bytes()
    (photos / "in" / "20.png").write_bytes(raw[:-30])
    (photos / "in" / "21.png").write_bytes(b"no picture")
    (photos / "in" / "22.png").unlink()
    (photos / "in" / "30.png").write_bytes(png(np.zeros((65, 5), np.uint8)))
    words = [*SIZE, "in/22.png", *inputs(photos), "--out-dir", "out"]
    lines, _ = many(photos, *words, status=1)
    assert lines[-1] == summary("out", padded=36, failed=4)
    errors = sorted(lines[:-1])
    assert [error.split(": ")[:2] for error in errors] == [
        ["tensorpad", f"in/{k}.png"] for k in (20, 21, 22, 30)
    ]
    assert "axis 0: 65 cells do not fit into 64" in errors[3]
    assert names(photos / "out") == [f"{k:02}.png" for k in range(40) if k not in (20, 21, 22, 30)]

    lines, said = many(photos, "--json", *words, status=1)
    assert json.loads(said) == {"out_dir": "out", "padded": 0, "skipped": 36, "failed": 4}
    documents = [json.loads(line)["error"] for line in lines]
    assert all(list(document) == KEYS for document in documents)
    found = {document["file"]: (document["status"], document["code"]) for document in documents}
    assert found == {
        "in/20.png": (3, "E_FILE"),
        "in/21.png": (3, "E_FILE"),
        "in/22.png": (1, "E_IO"),
        "in/30.png": (3, "E_TOO_LONG"),
    }

    lines, _ = many(photos, "-q", *words, status=1)
    assert sorted(lines) == errors


def test_inputs_that_are_no_files(tmp_path):
    np.save(tmp_path / "x.npy", np.zeros(3))
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos.npy").mkdir()
    os.mkfifo(tmp_path / "fifo.npy")
    paths = ["photos", "photos/", "photos.npy", ".", "..", "fifo.npy", "/dev/null", "x.npy"]
    words = ["--pads", "1,1", *paths, "--out-dir", "out", "--threads", "1"]
    lines, _ = many(tmp_path, *words, status=1)
    assert lines[-1] == summary("out", padded=1, failed=7)
    for line, path in zip(lines[:-1], paths):
        assert line.startswith(f"tensorpad: {path}: ")
        is_folder = path not in ("fifo.npy", "/dev/null")
        assert ("is a folder" if is_folder else "is not a regular file") in line
    assert names(tmp_path / "out") == ["x.npy"]


def test_a_newline_in_a_path_stays_on_one_line(tmp_path):
    (tmp_path / "a\nb.npy").write_bytes(b"no array")
    lines, _ = many(tmp_path, "--pads", "1,1", "a\nb.npy", "--out-dir", "o\nut", status=1)
    assert len(lines) == 2
    assert lines[0].startswith("tensorpad: a\\x0ab.npy: ")
    assert lines[1] == summary("o\\x0aut", failed=1)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads and writes everything")
def test_what_may_not_be_read_or_written(tmp_path):
    for name in "ab":
        np.save(tmp_path / f"{name}.npy", np.zeros(3))
    (tmp_path / "a.npy").chmod(0)
    lines, _ = many(tmp_path, "--pads", "1,1", "a.npy", "b.npy", "--out-dir", "out", status=1)
    assert "a.npy: Permission denied" in lines[0] and lines[1] == summary("out", padded=1, failed=1)
    (tmp_path / "out").chmod(0o500)
    lines, _ = many(tmp_path, "-f", "--pads", "1,1", "b.npy", "--out-dir", "out", status=1)
    assert "out/b.npy: Permission denied" in lines[0]


def test_a_file_that_is_too_large_for_the_disk(tmp_path):
    """One file fails for its size, the others do not."""
    np.save(tmp_path / "large.npy", np.zeros(1 << 20, np.uint8))
    for k in range(5):
        np.save(tmp_path / f"{k}.npy", np.zeros(100, np.uint8))

    def limit():  # more than what a program with counters of its lines writes besides
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    paths = [f"{k}.npy" for k in range(3)] + ["large.npy", "3.npy", "4.npy"]
    words = ["--pads", "1,1", *paths, "--out-dir", "out"]
    lines, _ = many(tmp_path, *words, status=1, preexec_fn=limit)
    assert lines[0].startswith("tensorpad: out/large.npy: no room")
    assert lines[1:] == [summary("out", padded=5, failed=1)]
    assert names(tmp_path / "out") == [f"{k}.npy" for k in range(5)]


# ---- Long calls: progress, memory, signals, files that go away -----------------------------------


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """150 pictures, which take a thread about two seconds."""
    folder = tmp_path_factory.mktemp("long")
    grey = np.random.default_rng(2).integers(0, 256, (700, 700), np.uint8)
    grey[:, 350:] = grey[:, :350]
    (folder / "p00.png").write_bytes(png(grey))
    for k in range(1, 150):
        os.link(folder / "p00.png", folder / f"p{k:02}.png")
    return [str(folder / f"p{k:02}.png") for k in range(150)]


def large(pictures, out):
    return ["pad", "--to", "720", "--axes", "0,1", *pictures, "--out-dir", str(out)]


@pytest.mark.long
def test_progress_on_a_terminal(pictures, tmp_path):
    bad = tmp_path / "bad.png"
    bad.write_bytes(b"bad")
    words = large(pictures, tmp_path / "out") + [str(bad), "--threads", "1"]
    status, shown = on_terminal(Folder(tmp_path), *words)
    assert status == 1
    counts = [int(count) for count in re.findall(r"padding: (\d+) of 151 files\r\x1b\[K", shown)]
    assert counts == sorted(counts) and len(counts) > 3 and 0 < counts[0] < 151
    # The error and the summary stand on lines of their own.
    lines = re.sub(r"padding: \d+ of 151 files\r\x1b\[K", "", shown).splitlines()
    assert lines == [
        f"tensorpad: {bad}: is not a .png file",
        summary(tmp_path / "out", padded=150, failed=1),
    ]


def peak(words, folder):
    """Peak memory of a call, in KiB, seen from a process that is small itself."""
    script = (
        "import os, sys; pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ);"
        "print(os.wait4(pid, 0)[2].ru_maxrss)"
    )
    done = subprocess.run(
        ["python3", "-S", "-c", script, COMMAND, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


@pytest.mark.long
@pytest.mark.skipif(SANITIZED, reason="the sanitizer keeps freed memory for a while")
def test_memory_does_not_grow_with_the_number_of_files(pictures, tmp_path):
    few = peak(["pad", "-q", *large(pictures[:4], tmp_path / "few")[1:]], tmp_path)
    all_of_them = peak(["pad", "-q", *large(pictures[:60], tmp_path / "all")[1:]], tmp_path)
    assert len(names(tmp_path / "all")) == 60
    assert all_of_them < few + 2048


def test_a_signal_at_any_moment(tmp_path):
    """Files so small that each thread mostly makes, lists and renames temporary files."""
    for k in range(400):
        np.save(tmp_path / f"{k}.npy", np.full(5, k))
    whole = {f"{k}.npy": np.pad(np.full(5, k), 1) for k in range(400)}
    words = ["pad", "-q", "--pads", "1,1", *whole]
    killed = 0
    for turn in range(25):
        out = tmp_path / f"out{turn}"
        running = subprocess.Popen(
            [COMMAND, *words, "--out-dir", str(out)], cwd=tmp_path, stderr=subprocess.PIPE
        )
        while not out.exists():
            pass
        time.sleep(turn * 0.0005)
        running.send_signal(signal.SIGTERM)
        status = running.wait(timeout=30)
        assert running.stderr.read() == b"" and status in (0, -signal.SIGTERM)
        running.stderr.close()
        killed += status != 0
        for name in names(out):
            assert np.array_equal(np.load(out / name), whole[name])
    assert killed > 5


def test_files_that_go_away_meanwhile(pictures, tmp_path):
    for name in ("y.npy", "z.npy"):
        np.save(tmp_path / name, np.zeros((3, 3)))
    words = large(pictures[:60], tmp_path / "out")
    running = subprocess.Popen(
        [COMMAND, *words, "y.npy", "z.npy", "--threads", "1"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (tmp_path / "out" / "p00.png").exists():
        time.sleep(0.001)
    (tmp_path / "y.npy").unlink()
    assert running.wait(timeout=60) == 1
    lines = running.stderr.read().splitlines()
    running.stderr.close()
    assert lines[0].startswith("tensorpad: y.npy: No such file") and len(lines) == 2
    assert lines[1] == summary(tmp_path / "out", padded=61, failed=1)


# ---- The page ------------------------------------------------------------------------------------


def examples(heading):
    """The command lines below a heading of docs/command.md, as lists of words."""
    page = (ROOT / "docs" / "command.md").read_text()
    section = page.split(f"\n### {heading}\n")[1].split("\n#")[0]
    lines = re.findall(r"^    tensorpad (pad .*)$", section, re.M)
    return [shlex.split(line, comments=True) for line in lines]


def test_the_examples_of_the_page(tmp_path):
    """They run, and their outputs have the sizes that the page speaks of."""
    arrays = {
        "in.npy": (500, 481),
        "volume.npy": (30, 33, 5),
        "tokens.npy": (400,),
        "a.npy": (4, 9),
        "b.npy": (4, 9),
    }
    for name, shape in arrays.items():
        np.save(tmp_path / name, np.ones(shape, np.float32))
    (tmp_path / "photos").mkdir()
    grey = np.random.default_rng(3).integers(0, 256, (480, 640), np.uint8)
    for name in "photo.png", "photos/x.png", "photos/y.png":
        (tmp_path / name).write_bytes(png(grey))
    many(tmp_path, "--pads", "0,0,0,0", "a.npy", "c.pb")
    found = []
    for words in examples("To a size") + examples("Many files"):
        if "photos/*.png" in words:
            at = words.index("photos/*.png")
            words[at : at + 1] = ["photos/x.png", "photos/y.png"]
        subprocess.run([COMMAND, *words, "-f"], cwd=tmp_path, check=True, capture_output=True)
        if words[-1].endswith(".npy"):
            found.append(np.load(tmp_path / words[-1]).shape)
    assert found == [(512, 512), (32, 48, 16), (512, 481), (128,)]
    for name in "x.png", "y.png":
        raw = (tmp_path / "padded" / name).read_bytes()
        assert struct.unpack(">II", raw[16:24]) == (640, 640)
    assert names(tmp_path / "padded") == ["a.npy", "b.npy", "c.pb", "x.png", "y.png"]
    assert struct.unpack(">II", (tmp_path / "square.png").read_bytes()[16:24]) == (640, 640)
