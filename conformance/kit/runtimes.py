"""The runtimes that the survey knows: how each is installed, and its worker, a process that may die
or hang.

SPDX-License-Identifier: MIT

The constants of an adapter are read without running it, since what it imports is only in the folder
of the runtime. conformance/README.md says what an adapter is. The Python package has this
file, too.
"""

import ast
import contextlib
import dataclasses
import json
import os
import pathlib
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

from . import json_arrays

STARTING = 120  # seconds that a worker may take until it says its version


class Dead(Exception):
    """The worker died or hung; the text says how, in words that are the same every time."""


class Worker:
    """One process. `ask` sends a request and returns the answer; `close` ends it."""

    def __init__(self, words, seconds, perturb):
        """Starts it. perturb: the byte that MALLOC_PERTURB_ puts into freed memory."""
        self.seconds = seconds
        self.stderr = tempfile.TemporaryFile(buffering=0)
        self.usable = True  # for another request: also after Dead, where only a copy of it died
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.stderr,
            start_new_session=True,  # what it starts ends with it
            env={
                **os.environ,
                "MALLOC_PERTURB_": str(perturb),
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONSAFEPATH": "",
            },  # the worker imports what lies beside it
        )
        self.lines = queue.SimpleQueue()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        try:
            self.version = json.loads(self.line(STARTING))["version"]
        except BaseException:  # also Ctrl-C
            self.close()
            raise

    def ask(self, request):
        """Returns the answer, or raises Dead."""
        self.usable = False
        self.stderr.seek(0)
        self.stderr.truncate()
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            pass  # it is dead, and line() says how it died
        answer = json.loads(self.line(self.seconds))
        self.usable = True
        if answer["stage"] == "dead":
            raise Dead(self.how_it_died(answer["status"]))
        return answer

    def read(self):
        with self.process.stdout as answers:
            for line in answers:
                if line.endswith(b"\n"):  # else it died while it wrote
                    self.lines.put(line)

    def line(self, seconds):
        """The next line from the worker, or Dead.

        Its end shows in its status: a process that it has started may hold the pipe open.
        """
        until = time.monotonic() + seconds
        while True:
            over = time.monotonic() > until
            ended = self.process.poll() is not None
            if ended:
                self.reader.join(1)
            with contextlib.suppress(queue.Empty):
                return self.lines.get(timeout=0 if ended or over else 0.05)
            if ended:
                raise Dead(self.how_it_died(self.process.returncode))
            if over:
                raise Dead(f"no answer in {seconds:g} s")

    def how_it_died(self, status):
        """The signal or the exit status, and what it said of a panic."""
        how = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        said = self.last_words()
        return f"{how}: {said}" if said else how

    def last_words(self):
        """The last line on stderr; of a panic of Rust the line behind its place."""
        self.stderr.seek(0)
        lines = self.stderr.read().decode(errors="replace").strip().splitlines()
        for line, following in zip(lines, lines[1:]):
            if re.search(r"panicked at .*:$", line):
                return following
        return lines[-1] if lines else ""

    def close(self):
        with contextlib.suppress(AttributeError, ProcessLookupError):  # Windows has no groups
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        with contextlib.suppress(OSError):  # of a request that it never read
            self.process.stdin.close()
        self.stderr.close()


KIT = pathlib.Path(__file__).parents[1]
ADAPTERS = KIT / "adapters"
INSTALLED = KIT.parent / "build/runtimes"
CONSTANTS = ("RUNTIME", "TARGETS", "INSTALL", "COMMAND", "READS", "SECONDS", "FORKS", "PLAIN")


class Missing(Exception):
    """What is asked for is not there; the text says how to get it."""


@dataclasses.dataclass(frozen=True)
class Target:
    """A version of a runtime, how it is installed in `home`, and how its worker is started."""

    name: str
    runtime: str
    adapter: pathlib.Path
    packages: tuple[str, ...]
    home: pathlib.Path
    install: tuple[
        tuple[str, ...], ...
    ]  # commands; {home}, {adapters}: folders; {python}: this one
    command: tuple[str, ...]
    reads: tuple[str, ...]  # folders of the kit
    seconds: float  # the longest that one case may take
    forks: bool  # each case runs in a copy of the worker's process
    plain: bool  # it can be told to optimise nothing

    def words(self, command):
        """A command with the folders put in."""
        return [
            word.format(home=self.home, adapters=self.adapter.parent, python=sys.executable)
            for word in command
        ]

    @property
    def installed(self):
        done = self.home / "done"
        return done.exists() and done.read_text() == self.contents()

    def contents(self):
        """What its marker says when it is finished: other packages are another installation."""
        return "".join(f"{' '.join(words)}\n" for words in [self.packages, *self.install])


def constants(path):
    """The constants of an adapter that the survey needs, which must be literals."""
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in CONSTANTS
    }


def targets(adapters=ADAPTERS, installed=INSTALLED):
    """Every target of every adapter, by name."""
    found = {}
    for path in sorted(adapters.glob("*.py")):
        said = constants(path)
        python = "{home}/bin/python"
        pip = (
            ("{python}", "-m", "venv", "{home}"),
            (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
        )
        for name, packages in said["TARGETS"].items():
            install = [tuple(words) for words in said.get("INSTALL", pip)]
            install[-1] += tuple(packages)
            found[name] = Target(
                name=name,
                runtime=said["RUNTIME"],
                adapter=path,
                packages=tuple(packages),
                home=installed / name,
                install=tuple(install),
                command=tuple(said.get("COMMAND", (python, str(KIT / "worker.py"), str(path)))),
                reads=tuple(said.get("READS", ("onnx",))),
                seconds=said.get("SECONDS", 20),
                forks=said.get("FORKS", False),
                plain=said.get("PLAIN", False),
            )
    return found


def find(name, known):
    """The target of that name, or Missing."""
    if name not in known:
        raise Missing(f"no target {name}; there are {', '.join(known)}")
    return known[name]


def in_this_python(target):
    """The target with the packages of the Python that runs this, whatever their versions."""
    command = (sys.executable, str(KIT / "worker.py"), str(target.adapter))
    return dataclasses.replace(target, command=command)


def check_installed(target):
    """Raises Missing unless the target is in its folder."""
    if not target.installed:
        raise Missing(
            f"{target.name} is not installed in {target.home}: "
            f"run `conformance/kit.py survey --install {target.name}`, or `conformance/run.sh survey` for all"
        )


def install(target):
    """Installs a target into its folder unless it is there; raises Missing with the reason."""
    if target.installed:
        return
    target.home.mkdir(parents=True, exist_ok=True)
    for command in target.install:
        words = target.words(command)
        try:
            made = subprocess.run(words, capture_output=True, text=True, errors="replace")
        except OSError as error:
            raise Missing(f"{target.name} cannot be installed: {error}") from error
        if made.returncode:
            said = made.stderr.strip().splitlines() or [f"status {made.returncode}"]
            raise Missing(f"{target.name} cannot be installed: {words[0]}: {said[-1]}")
    (target.home / "done").write_text(target.contents())


CLOSE, CLOSE_ROUNDED = (
    1e-3,
    5e-2,
)  # what is the same, as a share of the largest number of the output


class Runner:
    """A runtime's worker, started again when it dies."""

    def __init__(self, target, seconds=None, size=None):
        """seconds: the longest that one run may take, if not what the adapter says. size: of
        memory, in bytes.
        """
        self.words, self.seconds, self.worker = (
            target.words(target.command),
            seconds or target.seconds,
            None,
        )
        if size:
            self.words.append(str(size))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.worker:
            self.worker.close()
        self.worker = None

    def start(self, perturb=85):
        """The version of the runtime, or Dead."""
        if self.worker is None:
            self.worker = Worker(self.words, self.seconds, perturb)
        return self.worker.version

    def answer(self, request):
        """The answer of the worker, or Dead."""
        self.start()
        try:
            return self.worker.ask(request)
        finally:
            if not self.worker.usable:
                self.close()

    def run(self, path, inputs, plain=False):
        """(the outputs, None), or (None, how it failed and why). plain: told to optimise
        nothing.
        """
        entries = [{"name": name, **json_arrays.of_array(array)} for name, array in inputs.items()]
        try:
            answer = self.answer({"model": str(path.resolve()), "inputs": entries, "plain": plain})
        except Dead as death:
            return None, ("crashes", str(death))
        if answer["stage"] != "done":
            return None, ("refuses", answer["message"])
        return [json_arrays.to_array(entry) for entry in answer["outputs"]], None


def graphs_of(model):
    """The top graph, every graph inside it, and the functions."""
    found = [model.graph, *model.functions]
    for graph in found:
        found += [
            attribute.g
            for node in graph.node
            for attribute in node.attribute
            if attribute.HasField("g")
        ]
    return found


def distance(found, wanted):
    """The largest difference as a share of the largest number; infinite where shapes, texts or NaNs
    differ. Numbers above 1,000, and far above the small ones, are measured by themselves: a pad
    value of -1e9 hides no other.
    """
    found, wanted = np.asarray(found), np.asarray(wanted)
    if found.shape != wanted.shape:
        return float("inf")
    if wanted.dtype.kind in "OSU" or found.dtype.kind in "OSU":
        return 0.0 if (found == wanted).all() else float("inf")
    found, wanted = found.astype(np.float64), wanted.astype(np.float64)
    finite = np.isfinite(wanted)
    if (np.isfinite(found) != finite).any() or (
        found[~finite].astype(str) != wanted[~finite].astype(str)
    ).any():
        return float("inf")
    if not finite.any():
        return 0.0
    sizes = np.abs(wanted[finite])
    usual = sizes <= 1e3 * max(1.0, np.quantile(sizes, 0.05))
    scale = np.where(usual, sizes[usual].max() or 1.0, sizes)
    return float((np.abs(found[finite] - wanted[finite]) / scale).max())
