"""Programs under python -m tensorpad.dropin, and its stand-in alone, for the tests of both."""

import json
import os
import subprocess
import sys
import textwrap

import pytest
from tensorpad.dropin import _report, _stand_in

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows does not fork processes")
needs_signals = pytest.mark.skipif(os.name == "nt", reason="Windows sends no signals to processes")
ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture
def write(tmp_path):
    """Writes files into the folder of the test, in which programs are run."""

    def files(**texts):
        for name, text in texts.items():
            path = tmp_path / (name.replace("__in__", "/") + ".py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(textwrap.dedent(text), encoding="utf-8")
        return tmp_path

    return files


def python(folder, *words, **more):
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=ENVIRONMENT | more, capture_output=True, text=True
    )


def dropin(folder, *words, **more):
    """How the program ended, and the report as JSON."""
    report = folder / "report.json"
    options = ["-m", "tensorpad.dropin", "--json", "--report", "report.json"]
    done = python(folder, *options, *words, **more)
    return done, json.loads(report.read_text(encoding="utf-8")) if report.exists() else None


@pytest.fixture
def tally():
    return _report.Tally()


def padded(tally, *args, verify=False, **kwargs):
    """The stand-in, called once; what it counted, summed over all places."""
    result = _stand_in.make(tally, verify)(*args, **kwargs)
    return result, facts(tally, verify)


def facts(tally, verify=False, seconds=1.0):
    options = type("Options", (), {"verify": verify, "other": "NumPy"})
    return _report._facts(*tally.read(), "program", seconds, options)
