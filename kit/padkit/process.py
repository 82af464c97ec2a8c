"""A worker of the survey as a process that may die or hang.

SPDX-License-Identifier: MIT
"""

import json
import os
import re
import selectors
import signal
import subprocess
import tempfile
import time

STARTING = 120  # seconds that a worker may take until it says its version


class Dead(Exception):
    """The worker died or hung; the text says how, in words that are the same every time."""


class Worker:
    """One process. `ask` sends a request and returns the answer; `close` ends it."""

    def __init__(self, words, seconds, perturb):
        """Starts it. perturb: the byte that MALLOC_PERTURB_ puts into freed memory."""
        self.seconds = seconds
        self.stderr = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.stderr,
            env={**os.environ, "MALLOC_PERTURB_": str(perturb), "PYTHONDONTWRITEBYTECODE": "1"},
        )
        self.rest = b""
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        try:
            self.version = json.loads(self.line(STARTING))["version"]
        except Dead:
            self.close()
            raise

    def ask(self, request):
        """Returns the answer, or raises Dead."""
        self.stderr.truncate(0)
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it is dead, and line() says how it died
        return json.loads(self.line(self.seconds))

    def line(self, seconds):
        """The next line from the worker, or Dead."""
        until = time.monotonic() + seconds
        while b"\n" not in self.rest:
            left = until - time.monotonic()
            if left <= 0 or not self.selector.select(left):
                raise Dead(f"no answer in {seconds:g} s")
            read = os.read(self.process.stdout.fileno(), 1 << 16)
            if not read:
                raise Dead(self.how_it_died())
            self.rest += read
        line, self.rest = self.rest.split(b"\n", 1)
        return line

    def how_it_died(self):
        """The signal or the exit status, and what it said of a panic."""
        status = self.process.wait()
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
        self.selector.close()
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.stderr.close()
