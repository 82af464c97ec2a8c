"""A worker of the survey as a process that may die or hang. The Python package has this file, too.

SPDX-License-Identifier: MIT
"""

import contextlib
import json
import os
import queue
import re
import signal
import subprocess
import tempfile
import threading
import time

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
