"""Every call of the command that the system can refuse, refused in turn.  SPDX-License-Identifier: MIT

faults.c stands between the command and the C library. Each command below runs once as it is, which counts its
calls; then again for every one of them, which fails, is short, is interrupted or brings a signal.
"""

import errno
import io
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnx.helper as oh
import pytest
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/support"))
from onnx_models import FLOAT, external, ints, model, one_pad, pad_node, port  # noqa: E402

COMMAND = os.path.abspath(os.environ.get("TENSORPAD", ROOT / "build/tensorpad"))
FAULTS = os.path.abspath(os.environ.get("TENSORPAD_FAULTS", ROOT / "build/tests/faults.so"))
SANITIZED = b"__asan_init" in pathlib.Path(COMMAND).read_bytes()
SHARE = 10 if SANITIZED or "TENSORPAD_QUICK" in os.environ else 1  # one fault in so many
WORKERS = 2

# What each call fails with; then what must not be noticed at all.
ERRORS = {
    "access": "EACCES",
    "close": "EIO ENOSPC",
    "fallocate": "ENOSPC EFBIG",
    "fchmod": "EPERM",
    "fchown": "EPERM",
    "fcntl": "EMFILE",
    "fopen": "EMFILE",
    "fstat": "EIO",
    "fstatvfs": "EIO",
    "ftruncate": "EFBIG",
    "getentropy": "ENOSYS",
    "link": "EMLINK",
    "lseek": "EIO",
    "lstat": "EIO EACCES",
    "mmap": "ENOMEM ENODEV",
    "munmap": "ENOMEM",
    "open": "EMFILE EROFS",
    "read": "EIO",
    "realpath": "EACCES",
    "rename": "EIO",
    "renameat2": "EIO ENOSPC",
    "sched_getaffinity": "EINVAL",
    "sigaction": "EINVAL",
    "stat": "EIO EACCES",
    "sysconf": "EINVAL",
    "thread": "EAGAIN",
    "unlink": "EIO",
    "write": "ENOSPC EPIPE",
}
HARMLESS = {
    "fallocate": "EINTR EOPNOTSUPP EINVAL",
    "fchown": "EPERM",
    "fstatvfs": "EIO",
    "munmap": "ENOMEM",
    "open": "EINTR",
    "read": "EINTR short",
    "renameat2": "EINVAL ENOSYS",
    "sched_getaffinity": "EINVAL",
    "thread": "EAGAIN",
    "write": "EINTR short",
}
MUST_BE_TOLD = ("fallocate", "rename", "renameat2", "write")
# Errors after the ways around an error. exFAT under macOS has neither flags of renames nor links.
PAIRS = [
    "fallocate:1:EOPNOTSUPP,ftruncate:1:EFBIG",
    "renameat2:1:EINVAL,link:1:EIO",
    "renameat2:1:EINVAL,link:1:EEXIST",
    "renameat2:1:EINVAL,link:1:EPERM",
    "mmap:1:ENODEV,read:1:EIO",
    "mmap:1:ENODEV,mmap:2:ENODEV",
    "mmap:-1:ENODEV,read:-1:short",
]

PADS = "--pads=1,0,0,2"
# command -> its outputs
COMMANDS = {
    f"pad {PADS} x.npy out.npy": ["out.npy"],
    f"pad -f {PADS} columns.npy old.npy": ["old.npy"],
    f"pad {PADS} x.npy -": [],
    f"pad --json {PADS} x.npy /dev/null": [],
    "pad --threads=2 --pads=1,0,0,2 large.npy out.npy": ["out.npy"],
    "pad --to=5,- --multiple=4 --align=end x.npy out.pb": ["out.pb"],
    f"pad {PADS} outside.pb out.pb": ["out.pb"],
    "pad -q --threads=1 --to=5 --axes=0 --out-dir=o/p x.npy x.png": ["o/p/x.npy", "o/p/x.png"],
    "pad -f --spec=plain --begin=1,1,0 --end=1,1,0 x.png old.png": ["old.png"],
    "run m.onnx --input x.npy --output y=out.npy --output z=z.npy": ["out.npy", "z.npy"],
    "run m.xml --input x.npy --output out.npy": ["out.npy"],
    "show --mode=wrap --pads=1,0,0,2 x.npy -o out.svg": ["out.svg"],
    "inspect --json wrap.onnx": [],
    "check wrap.onnx wide.onnx --target=ort-1.23,tract": [],
    "check --format=markdown wrap.onnx --target=ort-1.23 --shapes=shapes.ini": [],
    "check --format=github .": [],
    "check wrap.onnx --write-baseline=out.txt --target=ort-1.23": ["out.txt"],
    "check wrap.onnx --fail-on=crashes --target=ort-1.23 --witness=w": [
        "w/compare.py",
        *(
            f"w/test_0001_wrap.onnx_pad_0/{name}"
            for name in (
                "node.json",
                "verdicts.txt",
                "test_data_set_0/input_0.pb",
                "test_data_set_0/output_0.pb",
            )
        ),
    ],
    "lower -f wrap.onnx old.onnx --target=ort-1.23 --fold": ["old.onnx"],
    "lower -f wrap.onnx old.onnx --target=ort-1.23 --plugin": ["old.onnx"],
    "lower m.onnx else/out.onnx --target=ort": ["else/out.onnx", "else/w.bin"],
    "lower cut.xml o.xml --target=openvino": ["o.xml", "o.bin"],
    "bench --json --only=channels": [],
    "pad --json --pads=1,1 bad.npy out.npy": ["out.npy"],
    "inspect bad.onnx": [],
}
IR = """<?xml version="1.0"?><net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="3,4" element_type="f32"/>
<output><port id="0" precision="FP32"><dim>3</dim><dim>4</dim></port></output></layer>
<layer id="1" name="begin" type="Const" version="opset1"><data element_type="i64" shape="2" size="16" offset="0"/>
<output><port id="0" precision="I64"><dim>2</dim></port></output></layer>
<layer id="2" name="end" type="Const" version="opset1"><data element_type="i64" shape="2" size="16" offset="16"/>
<output><port id="0" precision="I64"><dim>2</dim></port></output></layer>
<layer id="3" name="pad" type="Pad" version="opset12"><data pad_mode="edge"/>
<input><port id="0"><dim>3</dim><dim>4</dim></port><port id="1"><dim>2</dim></port><port id="2"><dim>2</dim></port>
</input><output><port id="3" precision="FP32"><dim>{}</dim><dim>6</dim></port></output></layer>
<layer id="4" name="y" type="Result" version="opset1"><input><port id="0"><dim>{}</dim><dim>6</dim></port></input>
</layer></layers><edges><edge from-layer="0" from-port="0" to-layer="3" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="3" to-port="1"/>
<edge from-layer="2" from-port="0" to-layer="3" to-port="2"/>
<edge from-layer="3" from-port="3" to-layer="4" to-port="0"/></edges></net>"""


def saved(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def inputs():
    data = np.arange(12, dtype=np.float32).reshape(3, 4)
    picture = io.BytesIO()
    Image.fromarray(np.arange(20, dtype=np.uint8).reshape(4, 5), "P").save(picture, "png")
    weighted = model(
        [pad_node(["x", "p"], "y", "first", mode="edge"), pad_node(["w", "p"], "z", "second")],
        [port("x", ["n", 4])],
        [port("y", ["a", "b"]), port("z", ["c", "d"])],
        [external("p", "w.bin", [4], 0, 32), external("w", "w.bin", [2, 4], 32, 32, FLOAT)],
    )
    amounts = np.array([1, 0, 0, 2], "<i8").tobytes()
    wrap = one_pad(pads=(4, 0, 0, 0))
    wide = model(
        [pad_node(["x", "p"], "a", "pad"), oh.make_node("MaxPool", ["a"], ["y"], kernel_shape=[4])],
        [port("x", [1, 2, 5])],
        [port("y", [1, 2, "n"])],
        [ints("p", [0, 0, 1, 0, 0, 1])],
    )
    return {
        "x.npy": saved(data),
        "columns.npy": saved(np.asfortranarray(data)),
        "bad.npy": saved(data)[:-1],
        "large.npy": saved(np.zeros([600, 1024], np.float32)),
        "x.png": picture.getvalue(),
        "outside.pb": external("w", "w.bin", [2, 4], 32, 32, FLOAT).SerializeToString(),
        "w.bin": amounts + np.arange(8, dtype="<f4").tobytes(),
        "m.onnx": weighted,
        "wrap.onnx": wrap,
        "wide.onnx": wide,
        "bad.onnx": weighted[:90],
        "m.xml": IR.format(4, 4).encode(),
        "m.bin": amounts,
        # It cuts more off than there is, where OpenVINO crashes.
        "cut.xml": IR.format(3, 3).encode(),
        "cut.bin": np.array([-4, 0, 4, 2], "<i8").tobytes(),
        "shapes.ini": b"[*.onnx]\ndim = nothing=3\n",
    }


class Run:
    def __init__(self, status, out, error, files, report, stray):
        self.status, self.out, self.error, self.files = status, out, error, files
        self.report = report  # of faults.c; empty where main() did not return
        self.stray = stray  # files left over, and inputs that were changed

    def ends_as(self, other, timed):
        return (self.status, *(() if timed else (self.out, self.error)), self.files) == (
            other.status,
            *(() if timed else (other.out, other.error)),
            other.files,
        )


class Folder:
    """A folder with all inputs, in which one command runs at a time. What an output named old holds is precious."""

    def __init__(self, path):
        self.path = path
        self.inputs = inputs()

    def content(self):
        return {
            str(entry.relative_to(self.path)): entry.read_bytes()
            for entry in self.path.rglob("*")
            if entry.is_file()
        }

    def prepare(self, words):
        shutil.rmtree(self.path, ignore_errors=True)
        (self.path / "else").mkdir(parents=True)
        for name, content in self.inputs.items():
            (self.path / name).write_bytes(content)
        for name in COMMANDS.get(words, []):
            if name.startswith("old"):
                (self.path / name).write_bytes(b"precious")

    def run(self, words, faults="", **options):
        self.prepare(words)
        report, told = os.pipe()
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        done = subprocess.run(
            [COMMAND, *words.split()],
            cwd=self.path,
            pass_fds=[told],
            timeout=60,
            env=environment(faults, told),
            **options,
        )
        os.close(told)
        with open(report) as pipe:
            counts = {word: int(number) for word, number in map(str.split, pipe)}
        now = self.content()
        files = {name: now.pop(name, None) for name in COMMANDS.get(words, [])}
        stray = sorted(
            name for name in now.keys() | self.inputs if now.get(name) != self.inputs.get(name)
        )
        return Run(
            done.returncode, done.stdout or b"", (done.stderr or b"").decode(), files, counts, stray
        )


def environment(faults, report=""):
    for name in set(faults.replace(",", ":").split(":")) - {""}:
        number = -1 if name == "short" else getattr(errno, name, None)
        faults = faults if number is None else faults.replace(name, str(number))
    return {
        **os.environ,
        "LD_PRELOAD": FAULTS,
        "FAULTS": faults,
        "FAULTS_REPORT": str(report),
        "ASAN_OPTIONS": "verify_asan_link_order=0:allocator_may_return_null=1:detect_leaks=1",
    }


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return [Folder(tmp_path_factory.mktemp("faults") / "files") for _ in range(WORKERS)]


def trouble(words, faults, run, clean):
    """What is wrong with the end of a run, or None."""
    single = faults.count(":") == 2
    kind, number, action = faults.split(",")[0].split(":")
    timed, signalled = words.startswith("bench"), action[0] in "ab"
    old = {name: b"precious" if name.startswith("old") else None for name in run.files}
    if run.stray:
        return f"left over or changed: {run.stray}"
    reads_on = run.status == 3 and words.split()[0] in (
        "check",
        "lower",
    )  # without what cannot be read, and tells
    if not reads_on and any(
        run.files[name] not in (old[name], clean.files[name]) for name in run.files
    ):
        return "an output is neither old nor new"
    if signalled:
        return None if run.status == -int(action[1:]) else "no end by the signal"
    if not run.report or run.report["descriptors"]:
        return f"main() did not return, or descriptors leak: {run.report}"
    if not SANITIZED and not 0 <= run.report["blocks"] <= ("--threads=2" in words):
        return f"{run.report['blocks']} blocks leak"
    same = run.ends_as(clean, timed)
    if single and action in HARMLESS.get(kind, "").split():
        return None if same else "it is no failure"
    if same:  # the last close is that of an output
        made = run.files and clean.status == 0 and faults == f"close:{clean.report['close']}:EIO"
        return "it went unnoticed" if single and (made or kind in MUST_BE_TOLD) else None
    if reads_on:
        return None if run.error.startswith("tensorpad: ") else "it does not read on as it should"
    if run.status != 1:
        return "the status is not 1"
    if len(run.files) == 1 and run.files != old:
        return "a failure made an output"
    last = run.error[run.error[:-1].rfind("\n") + 1 :]
    if not last.startswith(('{"error"', "tensorpad: ")) or "(null)" in last or "Success" in last:
        return "the error is not one clear line"
    return None


def faults_of(calls, words):
    yield from (f"alloc:{k}:ENOMEM" for n in range(1, calls["alloc"] + 1) for k in (n, -n))
    for table in (ERRORS, HARMLESS):
        for kind, errors in table.items():
            yield from (
                f"{kind}:{k}:{word}" for k in range(1, calls[kind] + 1) for word in errors.split()
            )
    yield from (pair for pair in PAIRS if calls[pair.split(":")[0]])
    yield from (f"{kind}:-1:short" for kind in ("read", "write") if calls[kind])
    yield from (f"system:{k}:{when}15" for k in range(1, calls["system"] + 1) for when in "ba")


@pytest.mark.parametrize("words", COMMANDS)
def test_every_call(folders, words):
    clean, again = folders[0].run(words), folders[1].run(words)
    # Else the k-th call would not be the same one in the next run.
    assert clean.report == again.report and clean.status in (0, 1, 3, 4), clean.error
    items = list(faults_of(clean.report, words))[::SHARE]

    def part(k):
        ends = [(faults, folders[k].run(words, faults)) for faults in items[k::WORKERS]]
        return [
            f"{faults}: {wrong}: {run.status} {run.error}"
            for faults, run in ends
            if (wrong := trouble(words, faults, run, clean))
        ]

    with ThreadPoolExecutor(WORKERS) as pool:
        wrong = sum(pool.map(part, range(WORKERS)), [])
    assert not wrong, f"{len(wrong)} of {len(items)}:\n" + "\n".join(sorted(wrong)[:20])


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o404])
def test_nobody_else_reads_what_is_replaced(folders, mode):
    """The command is stopped before and after every call. No file that it makes allows others more than the file
    that is replaced, which allows the same at the end; so do owner and group, if they can be given."""
    words, folder = list(COMMANDS)[1], folders[0]
    calls, output = folder.run(words).report["system"], folder.path / "old.npy"
    for stop in [
        f"system:{k}:{when}{int(signal.SIGSTOP)}" for k in range(1, calls + 1) for when in "ba"
    ][::SHARE]:
        folder.prepare(words)
        output.chmod(mode)
        running = subprocess.Popen(
            [COMMAND, *words.split()], cwd=folder.path, umask=0, env=environment(stop)
        )
        _, ended = os.waitpid(running.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(ended), stop
        modes = {
            entry.name: stat.S_IMODE(entry.stat().st_mode)
            for entry in folder.path.iterdir()
            if entry.is_file() and entry.name not in folder.inputs
        }
        running.send_signal(signal.SIGCONT)
        assert running.wait(timeout=60) == 0, stop
        assert modes and not {name for name, found in modes.items() if found & ~(mode | 0o600)}, (
            stop,
            modes,
        )
        assert stat.S_IMODE(output.stat().st_mode) == mode, stop
    folder.prepare(words)
    output.chmod(0o664)
    subprocess.run(
        [COMMAND, *words.split()], cwd=folder.path, check=True, env=environment("fchown:-1:EPERM")
    )
    assert (
        stat.S_IMODE(output.stat().st_mode) == 0o644
    )  # members of another group get no more than all


@pytest.mark.parametrize(
    "more,faults",
    [
        ("", ""),
        ("", "fstatvfs:1:EIO"),
        # Where space cannot be reserved the system tells by a signal, while the output is written.
        ("", "fstatvfs:1:EIO,fallocate:1:EOPNOTSUPP"),
        (" -f --json", "fstatvfs:1:EIO,fallocate:1:EOPNOTSUPP"),
    ],
)
def test_a_full_disk(folders, tmp_path, more, faults):
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", tmp_path], capture_output=True
    )
    if done.returncode:
        pytest.skip("no small file system can be mounted here: " + done.stderr.decode().strip())
    try:
        (tmp_path / "out.npy").write_bytes(b"precious") if more else None
        run = folders[0].run(f"pad --pads=1,0,0,0 large.npy {tmp_path}/out.npy{more}", faults)
        left = [entry.read_bytes() for entry in tmp_path.iterdir()]
    finally:
        subprocess.run(["umount", tmp_path], check=True)
    assert run.status == 1 and ("no room" in run.error or "is full" in run.error), run.error
    assert left == ([b"precious"] if more else [])


@pytest.mark.parametrize(
    "words", [f"pad {PADS} x.npy -", "inspect --json wrap.onnx", "specs", "pad --help"]
)
def test_standard_output_that_takes_no_more(folders, words):
    """A full device, and a reader that has left."""
    with open("/dev/full", "wb") as full:
        ends = [folders[0].run(words, stdout=full)]
    read, write = os.pipe()
    os.close(read)
    ends.append(folders[0].run(words, stdout=write))
    os.close(write)
    for run in ends:
        assert run.status == 1 and run.error.startswith(("tensorpad: ", '{"error"')), run.error
        assert run.error.count("\n") == 1, run.error
        assert not run.stray and not run.report["descriptors"]
