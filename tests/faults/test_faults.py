"""Every call of the command that the system can refuse, refused in turn.  SPDX-License-Identifier: MIT

faults.c stands between the command and the C library. Each command of scenarios.py runs once as it
is, which counts its calls; then again for every one of them, which fails, is short, is interrupted
or brings a signal. FAULTS_FULL=1 tries more errors for each call and every signal everywhere.
"""

import errno
import io
import json
import os
import pathlib
import resource
import shutil
import signal
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scenarios import SCENARIOS, Scenario, write_inputs

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.path.abspath(os.environ.get("TENSORPAD", ROOT / "build" / "tensorpad"))
FAULTS = os.path.abspath(os.environ.get("TENSORPAD_FAULTS", ROOT / "build" / "tests" / "faults.so"))
FULL = os.environ.get("FAULTS_FULL") == "1"
SANITIZED = b"__asan_init" in pathlib.Path(COMMAND).read_bytes()
WORKERS = 2
SHARE = 10  # one in so many where each is slow, and in a quick run (tests/runners/run.py)

# What each call fails with: first what is likeliest.
ERRORS = {
    "access": ["EACCES"],
    "close": ["EIO", "ENOSPC"],
    "fallocate": ["ENOSPC", "EFBIG", "EIO"],
    "fchmod": ["EPERM"],
    "fchown": ["EPERM"],
    "fcntl": ["EMFILE"],
    "fopen": ["EMFILE"],
    "fstat": ["EIO"],
    "fstatvfs": ["EIO"],
    "ftruncate": ["EFBIG"],
    "getrandom": ["ENOSYS"],
    "link": ["EMLINK"],
    "lseek": ["EIO"],
    "lstat": ["EIO", "EACCES"],
    "mmap": ["ENOMEM", "ENODEV"],
    "munmap": ["ENOMEM"],
    "open": ["EMFILE", "EACCES", "EROFS"],
    "read": ["EIO"],
    "realpath": ["EACCES", "ENOMEM"],
    "rename": ["EIO", "EROFS"],
    "renameat2": ["EIO", "ENOSPC"],
    "sched_getaffinity": ["EINVAL"],
    "sigaction": ["EINVAL"],
    "stat": ["EIO", "EACCES"],
    "sysconf": ["EINVAL"],
    "thread": ["EAGAIN"],
    "unlink": ["EIO"],
    "write": ["ENOSPC", "EPIPE", "EIO"],
}
# What must not be noticed at all.
HARMLESS = {
    "fallocate": ["EINTR", "EOPNOTSUPP", "EINVAL"],
    "fchown": ["EPERM"],
    "fstatvfs": ["EIO"],
    "getrandom": ["EINTR"],
    "munmap": ["ENOMEM"],
    "open": ["EINTR"],
    "read": ["EINTR", "short"],
    "renameat2": ["EINVAL", "ENOSYS"],
    "sched_getaffinity": ["EINVAL"],
    "thread": ["EAGAIN"],
    "write": ["EINTR", "short"],
}
# Of a file system that has neither, as exFAT under macOS.
NO_LINKS = ("renameat2:1:EINVAL", "link:1:EPERM")
# Errors behind the ways around an error.
PAIRS = [
    ("fallocate:1:EOPNOTSUPP", "ftruncate:1:EFBIG"),
    ("renameat2:1:EINVAL", "link:1:EIO"),
    ("renameat2:1:EINVAL", "link:1:EEXIST"),
    (*NO_LINKS, "rename:1:EIO"),
    ("mmap:1:ENODEV", "read:1:EIO"),
    ("mmap:1:ENODEV", "read:2:EIO"),
    ("mmap:1:ENODEV", "mmap:2:ENODEV"),
    ("mmap:1+:ENODEV", "read:1+:short"),
    ("mmap:1+:ENODEV", "read:1:EINTR"),
]


def rule(text):
    """KIND:NUMBER:ACTION with the error's number in place of its name."""
    kind, number, action = text.split(":")
    return f"{kind}:{number}:{getattr(errno, action, action)}"


def environment_of(faults):
    return {
        **os.environ,
        "LD_PRELOAD": FAULTS,
        "FAULTS": ",".join(rule(text) for text in faults),
        "ASAN_OPTIONS": "verify_asan_link_order=0:allocator_may_return_null=1:detect_leaks=1",
    }


class Run:
    """How one run ended."""

    def __init__(self, status, out, error, files, report, stray):
        self.status, self.out, self.error = status, out, error
        self.files = files  # of the outputs: content, or None where there is none
        self.report = report  # of faults.c; None where main() did not return
        self.stray = stray  # files left over, and inputs that were changed

    def same(self, other):
        return (self.status, self.out, self.error, self.files) == (
            other.status, other.out, other.error, other.files)


class Folder:
    """A folder with all inputs, in which one command runs at a time."""

    def __init__(self, path):
        self.path = path / "files"
        self.path.mkdir(parents=True)
        write_inputs(self.path)
        self.inputs = self.content()
        self.known = {}

    def content(self):
        return {str(entry.relative_to(self.path)): entry.read_bytes()
                for entry in self.path.rglob("*") if entry.is_file()}

    def prepare(self, scenario):
        for entry in self.path.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
        (self.path / "else").mkdir()
        for name, content in self.content().items():
            if name not in self.inputs:
                (self.path / name).unlink()
            elif content != self.inputs[name]:
                (self.path / name).write_bytes(self.inputs[name])
        if scenario.old is not None:
            for name in scenario.outputs:
                (self.path / name).write_bytes(scenario.old)

    def clean(self, scenario):
        """How it ends without faults."""
        if scenario not in self.known:
            self.known[scenario] = self.run(scenario)
        return self.known[scenario]

    def run(self, scenario, *faults, **options):
        self.prepare(scenario)
        report, told = os.pipe()
        environment = {**environment_of(faults), "FAULTS_REPORT": str(told)}
        if scenario.closed:
            options["preexec_fn"] = lambda: [os.close(fd) for fd in scenario.closed]
        given = None
        if isinstance(scenario.stdin, str):
            given = options["stdin"] = open(self.path / scenario.stdin, "rb")
        elif not scenario.closed:
            options["input"] = scenario.stdin
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        done = subprocess.run([COMMAND, *scenario.words], cwd=self.path, env=environment,
                              pass_fds=[told], timeout=60, **options)
        os.close(told)
        if given:
            given.close()
        with open(report) as pipe:
            lines = [line.split() for line in pipe]
        now = self.content()
        files = {name: now.pop(name, None) for name in scenario.outputs}
        stray = sorted(name for name in now.keys() | self.inputs.keys()
                       if now.get(name) != self.inputs.get(name))
        report = {word: int(number) for word, number in lines} or None
        error = (done.stderr or b"").decode()
        return Run(done.returncode, done.stdout or b"", error, files, report, stray)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return [Folder(tmp_path_factory.mktemp("faults")) for _ in range(WORKERS)]


@pytest.fixture(params=list(SCENARIOS))
def scenario(request):
    return SCENARIOS[request.param]


# ---- What each end must be ----------------------------------------------------------------------


def tidy(scenario, run, clean):
    """Whether nothing was left over and each output is as it was, or whole. Else what is wrong."""
    if run.stray:
        return f"left over or changed: {run.stray}"
    for name, content in run.files.items():
        if content not in (scenario.old, clean.files[name]):
            return f"{name} is neither old nor new"
    return None


def settled(scenario, run):
    """Whether main() returned and had given everything back. Else what is wrong."""
    if run.report is None:
        return "main() did not return"
    if not SANITIZED and not 0 <= run.report["blocks"] <= scenario.kept:
        return f"{run.report['blocks']} blocks leaked"
    if run.report["descriptors"]:
        return f"{run.report['descriptors']} descriptors leaked"
    return None


def one_line(scenario, run):
    """Whether the error is one clear line. Else what is wrong."""
    text = run.error
    if scenario.reads_on:  # behind the lines about models that cannot be read
        text = text[text[:-1].rfind("\n") + 1 :]
    if text.count("\n") != 1 or not text.endswith("\n"):
        return "the error is not one line"
    if "(null)" in text or " 0 bytes" in text or "Success" in text:
        return "the error says nothing"
    if "--json" in scenario.words:
        found = json.loads(text)["error"]
        if found["status"] != run.status or found["code"] not in ("E_IO", "E_MEMORY", "E_EXISTS"):
            return "the error has another code"
    elif not text.startswith("tensorpad: "):
        return "the error is not the command's"
    return None


def failed(scenario, run, clean):
    """As the clean run, or a proper failure with status 1."""
    if scenario.reads_on and run.status == 3 and not run.same(clean):
        if run.stray or not run.error.startswith("tensorpad: "):
            return "it does not read on as it should"
        return settled(scenario, run)
    wrong = settled(scenario, run) or tidy(scenario, run, clean)
    if wrong or run.same(clean) or (scenario.varies and run.status == clean.status):
        return wrong
    if run.status != 1:
        return "the status is not 1"
    if not scenario.varies and not clean.out.startswith(run.out):
        return "standard output got what it never should"
    if len(run.files) == 1 and [*run.files.values()] != [scenario.old]:
        return "a failure made an output"
    return one_line(scenario, run)


def lost(scenario, run, clean):
    """A proper failure with status 1."""
    return failed(scenario, run, clean) or (None if run.status == 1 else "it went unnoticed")


def unnoticed(scenario, run, clean):
    """As the clean run."""
    wrong = settled(scenario, run) or tidy(scenario, run, clean)
    if wrong or run.same(clean) or (scenario.varies and run.status == clean.status):
        return wrong
    return "not as without the fault"


def ended(scenario, run, clean):
    """By the signal, without a word."""
    if run.status not in (-signal.SIGINT, -signal.SIGTERM, -signal.SIGHUP):
        return "no end by a signal"
    if run.error and not clean.error.startswith(run.error):
        return "words on standard error"
    return tidy(scenario, run, clean)


def sweep(folders, scenario, faults_of, judge):
    """Runs the scenario with every set of faults that faults_of(calls) names, two at a time, and
    judges each end."""
    clean = folders[0].clean(scenario)
    items = list(faults_of(clean.report))
    if SANITIZED and not FULL or "TENSORPAD_QUICK" in os.environ:
        items = items[::SHARE]
    wrong = []

    def part(k):
        for faults in items[k::WORKERS]:
            run = folders[k].run(scenario, *faults)
            trouble = judge(scenario, run, clean)
            if trouble:
                wrong.append(f"{' '.join(faults)}: {trouble}: status {run.status}: {run.error}")

    with ThreadPoolExecutor(WORKERS) as pool:
        for done in [pool.submit(part, k) for k in range(WORKERS)]:
            done.result()
    assert not wrong, f"{len(wrong)} of {len(items)}:\n" + "\n".join(sorted(wrong)[:20])


# ---- Every call in turn -------------------------------------------------------------------------


def test_a_clean_run_counts_the_same_again(folders, scenario):
    """Else the k-th call would not be the same one in the next run."""
    first, second = folders[0].run(scenario), folders[1].run(scenario)
    assert first.report["system"] >= 10 and first.report == second.report
    assert first.status in (0, 1, 3), first.error
    assert not failed(scenario, second, first)


def test_every_call_is_met(folders):
    """Else a call goes by another name here, and is not made to fail."""
    met = {kind for one in SCENARIOS.values()
           for kind, count in folders[0].clean(one).report.items() if count}
    later = {"ftruncate", "link", "unlink", "descriptors", "blocks"}  # after another failure
    unmet = folders[0].clean(SCENARIOS["npy"]).report.keys() - met - later
    assert not unmet


def test_no_memory(folders, scenario):
    """One allocation fails; that one and all behind it fail."""
    if SANITIZED and scenario.kept:
        pytest.skip("address sanitizer itself cannot start a thread without memory")
    sweep(folders, scenario, lambda calls: [
        (f"alloc:{k}{more}:ENOMEM",) for k in range(1, calls["alloc"] + 1) for more in ("", "+")
    ], failed)


def test_the_system_refuses(folders, scenario):
    """Each call of each kind fails."""
    count = None if FULL else 1
    sweep(folders, scenario, lambda calls: [
        (f"{kind}:{k}:{word}",)
        for kind, errors in ERRORS.items()
        for k in range(1, calls[kind] + 1)
        for word in errors[:count]
    ], failed)


def test_what_must_be_told(folders, scenario):
    """Where an output has not arrived the status says so."""
    makes = scenario.outputs and folders[0].clean(scenario).status == 0
    sweep(folders, scenario, lambda calls: [
        (f"{kind}:{k}:{word}",)
        for kind in ("fallocate", "rename", "renameat2", "write")
        for k in range(1, calls[kind] + 1)
        for word in ERRORS[kind]
    ] + [(f"close:{calls['close']}:EIO",) for _ in range(1 if makes else 0)], lost)


def test_what_is_no_failure(folders, scenario):
    """Interrupted and short calls, and those that there is a way around."""
    sweep(folders, scenario, lambda calls: [
        (f"{kind}:{k}:{word}",)
        for kind, errors in HARMLESS.items()
        if not (scenario.closed and kind == "open")  # /dev/null, which keeps nobody waiting
        for k in range(1, calls[kind] + 1)
        for word in errors
    ] + [(f"{kind}:1+:short",) for kind in ("read", "write") if calls[kind]] + [
        NO_LINKS for _ in range(1 if calls["renameat2"] else 0)
    ], unnoticed)


def test_the_ways_around_fail_too(folders, scenario):
    sweep(folders, scenario, lambda calls: [
        pair for pair in PAIRS if calls[pair[0].split(":")[0]]
    ], failed)


def test_a_signal_at_any_call(folders, scenario):
    """SIGTERM just before and just after every call: nothing half is left."""
    signals = (15, 2, 1) if FULL else (15,)
    sweep(folders, scenario, lambda calls: [
        (f"system:{k}:{when}{number}",)
        for k in range(1, calls["system"] + 1)
        for when in ("before", "after")
        for number in signals
    ], ended)


# ---- Who may read an output ---------------------------------------------------------------------


@pytest.mark.parametrize("name,mode", [
    ("npy-over", 0o600), ("npy-over", 0o640), ("npy-over", 0o404), ("png-over", 0o600),
    ("onnx-over", 0o600)])
def test_nobody_else_reads_what_is_replaced(folders, name, mode):
    """The command is stopped before and after every call. No file that it makes allows others more
    than the file that is replaced, which allows the same at the end."""
    folder, scenario = folders[0], SCENARIOS[name]
    output = folder.path / scenario.outputs[0]
    calls = folder.clean(scenario).report["system"]
    step = SHARE if SANITIZED and not FULL else 1
    for k, when in [(k, when) for k in range(1, calls + 1) for when in ("before", "after")][::step]:
        folder.prepare(scenario)
        output.chmod(mode)
        stop = f"system:{k}:{when}{int(signal.SIGSTOP)}"
        running = subprocess.Popen([COMMAND, *scenario.words], cwd=folder.path, umask=0,
                                   stdout=subprocess.DEVNULL, env=environment_of([stop]))
        _, ended = os.waitpid(running.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(ended), stop
        modes = {entry.name: stat.S_IMODE(entry.stat().st_mode) for entry in folder.path.iterdir()
                 if entry.is_file() and entry.name not in folder.inputs}
        running.send_signal(signal.SIGCONT)
        assert running.wait(timeout=60) == 0, stop
        wider = {entry: oct(found) for entry, found in modes.items() if found & ~(mode | 0o600)}
        assert modes and not wider, (stop, wider)
        assert stat.S_IMODE(output.stat().st_mode) == mode, stop


@pytest.mark.parametrize("mode,left", [
    (0o640, 0o600), (0o604, 0o600), (0o644, 0o644), (0o664, 0o644), (0o600, 0o600)])
def test_a_group_that_cannot_be_given(folders, mode, left):
    """Members of another group get no more than all got, and all no more than they."""
    folder, scenario = folders[0], SCENARIOS["npy-over"]
    folder.prepare(scenario)
    output = folder.path / "out.npy"
    output.chmod(mode)
    subprocess.run([COMMAND, *scenario.words], cwd=folder.path, check=True,
                   env=environment_of(["fchown:1+:EPERM"]))
    assert stat.S_IMODE(output.stat().st_mode) == left


def test_owner_and_group_stay(folders):
    folder, scenario = folders[0], SCENARIOS["npy-over"]
    folder.prepare(scenario)
    output = folder.path / "out.npy"
    try:
        os.chown(output, 12345, 23456)
    except PermissionError:
        pytest.skip("only root may give a file away")
    output.chmod(0o640)
    subprocess.run([COMMAND, *scenario.words], cwd=folder.path, check=True)
    found = output.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (12345, 23456, 0o640)


# ---- The system itself --------------------------------------------------------------------------


def run_with_limit(folder, scenario, limit, **options):
    """With no file allowed to grow beyond so many bytes: what does not fit is cut off."""
    def bound():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    return folder.run(scenario, preexec_fn=bound, **options)


@pytest.mark.parametrize("name", [name for name, one in SCENARIOS.items() if one.outputs])
def test_no_room_from_any_byte_on(folders, name):
    """The file system takes the first bytes of an output and no more."""
    folder, scenario = folders[0], SCENARIOS[name]
    clean = folder.clean(scenario)
    most = max(len(content or b"") for content in clean.files.values())
    for limit in sorted({0, 1, 63, most // 2, most - 1} & set(range(most))):
        run = run_with_limit(folder, scenario, limit)
        assert not failed(scenario, run, clean), (limit, run.error)
        assert run.status == 1 or clean.status, limit
    assert not unnoticed(scenario, run_with_limit(folder, scenario, most + 4096), clean)


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 256 kB, where that can be had: root may mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk],
                          capture_output=True)
    if done.returncode:
        pytest.skip("no small file system can be mounted here: " + done.stderr.decode().strip())
    yield disk
    subprocess.run(["umount", disk], check=True)


@pytest.mark.parametrize("words,faults", [
    ("pad --pads=1,0,0,0 large.npy disk/out.npy", ()),
    ("pad --pads=1,0,0,0 large.npy disk/out.npy", ("fstatvfs:1:EIO",)),
    # Where space cannot be reserved the system tells by a signal, while the output is written.
    ("pad --pads=1,0,0,0 large.npy disk/out.npy", ("fstatvfs:1:EIO", "fallocate:1:EOPNOTSUPP")),
    ("pad --pads=1,0,0,0 large.npy disk/out.npy -f", ("fstatvfs:1:EIO", "fallocate:1:EOPNOTSUPP")),
    ("pad --json --pads=1,0,0,0 large.npy disk/out.npy",
     ("fstatvfs:1:EIO", "fallocate:1:EOPNOTSUPP")),
])
def test_a_full_disk(tmp_path, small_disk, words, faults):
    folder = Folder(tmp_path / "one")
    (folder.path / "disk").symlink_to(small_disk)
    before = {}
    if "-f" in words:
        (small_disk / "out.npy").write_bytes(b"precious")
        before = {"out.npy": b"precious"}
    folder.content = lambda: {}  # the link leads to a folder
    run = folder.run(Scenario(words), *faults)
    assert run.status == 1, run.error
    assert not one_line(Scenario(words), run), run.error
    assert "no room" in run.error or "is full" in run.error, run.error
    assert {entry.name: entry.read_bytes() for entry in small_disk.iterdir()} == before


def test_a_disk_that_many_files_fill(tmp_path, small_disk):
    """What had room is whole, and each other file has its line."""
    paths = [f"{k}.npy" for k in range(12)]
    whole = {}
    for k, path in enumerate(paths):
        array = np.full(30000, k, np.uint8)
        np.save(tmp_path / path, array)
        whole[path] = np.pad(array, 1)
    done = subprocess.run([COMMAND, "pad", "--pads=1,1", *paths, "--out-dir", small_disk / "out"],
                          cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    *errors, last = done.stderr.splitlines()
    made = {entry.name: entry.read_bytes() for entry in (small_disk / "out").iterdir()}
    assert 3 < len(made) < 12 and len(errors) == 12 - len(made)
    assert all(np.array_equal(np.load(io.BytesIO(made[name])), whole[name]) for name in made)
    assert all("no room" in error for error in errors)
    assert f"padded {len(made)} files" in last and f"failed {len(errors)}" in last


# What writes to standard output.
PRINTING = ["npy-pipe", "mli", "inspect-onnx", "inspect-ir", "specs", "help"]


@pytest.mark.parametrize("name", PRINTING)
def test_standard_output_that_takes_no_more(folders, name, tmp_path):
    """A full device, a reader that has left, and a file that cannot grow."""
    folder, scenario = folders[0], SCENARIOS[name]
    clean = folder.clean(scenario)
    assert clean.status == 0 and clean.out
    with open("/dev/full", "wb") as full:
        assert not lost(scenario, folder.run(scenario, stdout=full), clean)
    read, write = os.pipe()
    os.close(read)
    run = folder.run(scenario, stdout=write)
    os.close(write)
    assert not lost(scenario, run, clean)
    for limit in sorted({0, 1, 512, len(clean.out) - 1} & set(range(len(clean.out)))):
        with open(tmp_path / "out", "wb") as short:
            run = run_with_limit(folder, scenario, limit, stdout=short)
        assert not lost(scenario, run, clean), limit
        assert (tmp_path / "out").read_bytes() == clean.out[:limit]


def test_a_reader_that_leaves(folders):
    """`tensorpad pad ... - | head -c 1`, with more to come than a pipe holds."""
    scenario = Scenario("pad --threads=1 --pads=1,0,0,0 large.npy -")
    folder = folders[0]
    read, write = os.pipe()
    head = subprocess.Popen(["head", "-c", "1"], stdin=read, stdout=subprocess.PIPE)
    os.close(read)
    run = folder.run(scenario, stdout=write)
    os.close(write)
    assert head.communicate()[0] == b"\x93"
    assert run.status == 1 and not settled(scenario, run) and not run.stray
    assert not one_line(scenario, run), run.error
