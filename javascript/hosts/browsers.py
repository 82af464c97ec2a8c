"""Opens pages in Chromium and Firefox, and collects what they report."""

import contextlib
import functools
import http.server
import json
import os
import queue
import shutil
import signal
import subprocess
import tempfile
import threading

SECONDS = 60  # for a page to report
COMMANDS = {
    "Chromium": ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                 "--user-data-dir={profile}"],
    "Firefox": ["firefox-esr", "--headless", "--no-remote", "--profile", "{profile}"],
}


class Folder(http.server.SimpleHTTPRequestHandler):
    """Serves a folder; what is posted goes into a queue."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

    def __init__(self, reports, *words, **options):
        self.reports = reports
        super().__init__(*words, **options)

    def do_POST(self):
        self.reports.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serve(folder):
    """The address of a server of a folder, and the queue of its reports."""
    reports = queue.Queue()
    handler = functools.partial(Folder, reports, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", reports
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextlib.contextmanager
def started(command, folder, environment=None, log=subprocess.DEVNULL):
    """A program that runs until the end of the block, with all that it started."""
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log,
                               stderr=subprocess.STDOUT, start_new_session=True)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def missing(browser):
    return shutil.which(COMMANDS[browser][0]) is None


def version(browser):
    said = subprocess.run([COMMANDS[browser][0], "--version"], capture_output=True, text=True).stdout
    return next((word for word in said.split() if word[0].isdigit()), "")


def opened(browser, page, reports_to, reports):
    """What page and worker said: {"page": text, "worker": text}. page: its address."""
    said = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [word.replace("{profile}", profile) for word in COMMANDS[browser]]
        with started([*command, f"{page}?report={reports_to}/report"], profile):
            while len(said) < 2:
                try:
                    where, text = reports.get(timeout=SECONDS)
                except queue.Empty:
                    break
                said.setdefault(where, text)
    return {where: said.get(where, "no answer") for where in ("page", "worker")}
