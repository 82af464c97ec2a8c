"""kit.py run: exit statuses, failures, JUnit XML, and backends that die or do not exist.

SPDX-License-Identifier: MIT
"""

import fnmatch
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import harness
import pytest

RUN = harness.ROOT / "conformance/kit.py"
# The examples of the document: the reference implementation has all of them right.
EXAMPLES = "test_example_*_25"
PAGE = (harness.ROOT / "docs/runtimes.md").read_text()
EXAMPLE = re.search(r"```python\n(.*?)```", PAGE, re.S)[1]
WRAP = 'if "example_wrap" in model.graph.name:\n        '
BACKENDS = {
    "right": EXAMPLE,
    "dies": EXAMPLE.replace(
        "    return Prepared", f"    {WRAP}__import__('os').abort()\n    return Prepared"
    ),
    "hangs": EXAMPLE.replace(
        "    return Prepared", f"    {WRAP}__import__('time').sleep(60)\n    return Prepared"
    ),
    "wrong": re.sub("return self.session.run.*", "return [inputs[0] * 2]", EXAMPLE),
    "refuses": "def prepare(model, device):\n    raise ValueError('no \\x01 Pad')\n",
}


@pytest.fixture
def run(kit, tmp_path):
    """A function that runs it with a backend of BACKENDS in its working folder."""
    for name, text in BACKENDS.items():
        (tmp_path / f"{name}.py").write_text(text)

    def call(*words, folder=kit.path, cases=EXAMPLES):
        return subprocess.run(
            [sys.executable, RUN, "run", "--kit", folder, "--cases", cases, *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    return call


def chosen(kit, pattern):
    return [case["name"] for case in kit.cases if fnmatch.fnmatchcase(case["name"], pattern)]


def lines(done):
    """{name: verdict} of what was printed."""
    return {line.split(": ")[0]: line.split(": ")[1] for line in done.stdout.splitlines()}


def junit(path):
    suite = ET.parse(path).getroot().find("testsuite")
    return {key: int(suite.get(key)) for key in ("tests", "failures", "errors", "skipped")}, suite


def test_all_right(run, kit, tmp_path):
    done = run("--backend", "right:prepare", "--junit", "j.xml")
    names = chosen(kit, EXAMPLES)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert done.stderr == f"{len(names)} cases: {len(names)} right, 0 known failures, 0 failed\n"
    counts, suite = junit(tmp_path / "j.xml")
    assert counts == {"tests": len(names), "failures": 0, "errors": 0, "skipped": 0}
    tests = suite.findall("testcase")
    assert [test.get("name") for test in tests] == names
    assert {test.get("classname") for test in tests} == {"pad-kit.onnx"}
    assert all(float(test.get("time")) >= 0 and not list(test) for test in tests)


@pytest.mark.parametrize(
    "backend, cases, failing, verdict, kind, said",
    [
        ("wrong", EXAMPLES, EXAMPLES, "differs", "failures", "instead of"),
        ("refuses", EXAMPLES, EXAMPLES, "refuses", "failures", "no ? Pad"),
        pytest.param(
            "dies",
            "test_example_*_2[45]",
            "test_example_wrap_2[45]",
            "crashes",
            "errors",
            "SIGABRT",
            marks=pytest.mark.long,
        ),
        pytest.param(
            "hangs",
            "test_example_wrap_25",
            "test_example_wrap_25",
            "crashes",
            "errors",
            "no answer in 2 s",
            marks=pytest.mark.long,
        ),
        # The reference runs wrap at every opset, which the document forbids; an error is right.
        pytest.param(
            "right",
            "test_forbidden_wrap_opset1[13]",
            "test_forbidden_wrap_*",
            "accepts",
            "failures",
            "accepts",
            marks=pytest.mark.long,
        ),
        pytest.param(
            "refuses",
            "test_forbidden_wrap_opset1[13]",
            "",
            "",
            "failures",
            "",
            marks=pytest.mark.long,
        ),
    ],
)
def test_what_fails(run, kit, tmp_path, backend, cases, failing, verdict, kind, said):
    words = "--backend", f"{backend}:prepare", "--junit", "j.xml", "--seconds", "2"
    done = run(*words, cases=cases)
    names = [name for name in chosen(kit, cases) if fnmatch.fnmatchcase(name, failing)]
    assert done.returncode == bool(names)
    assert lines(done) == dict.fromkeys(names, verdict)
    counts, suite = junit(tmp_path / "j.xml")
    others = {"failures": 0, "errors": 0, "skipped": 0}
    assert counts == {**others, "tests": len(chosen(kit, cases)), kind: len(names)}
    for test in suite.findall("testcase"):
        if test.get("name") in names:
            [wrong] = test
            assert wrong.get("type") == verdict and said in wrong.get("message")


@pytest.mark.long
def test_known_failures(run, kit, tmp_path):
    (tmp_path / "known.txt").write_text("# today\n\n" + run("--backend", "dies:prepare").stdout)
    done = run("--backend", "dies:prepare", "--expect", "known.txt", "--junit", "j.xml")
    assert (done.returncode, done.stdout) == (0, "")
    counts, _ = junit(tmp_path / "j.xml")
    assert counts["skipped"] == len(chosen(kit, "test_example_wrap_25")) and counts["errors"] == 0
    done = run("--backend", "right:prepare", "--expect", "known.txt")
    assert done.returncode == 1
    assert lines(done) == dict.fromkeys(chosen(kit, "test_example_wrap_25"), "same (known")
    assert run("--backend", "wrong:prepare", "--expect", "known.txt").returncode == 1


@pytest.mark.parametrize(
    "words, message",
    [
        ([], "required: --backend"),
        (["--backend", "nothing_here:prepare"], "No module named 'nothing_here'"),
        (["--backend", "right:nothing"], "no attribute 'nothing'"),
        (["--backend", "right"], "it must be MODULE:FUNCTION"),
        (["--backend", "right:prepare", "--cases", "nothing"], "no case of"),
        (["--backend", "right:prepare", "--kit", "nothing"], "run `make kit`"),
        (["--backend", "right:prepare", "--expect", "nothing.txt"], "No such file"),
        (["--backend", "right:prepare", "--expect", "right.py"], "line 1 is not `NAME: VERDICT`"),
        (["--backend", "right:prepare", "--expect", "strange.txt"], "the kit has no case test_x"),
        (["--backend", "right:prepare", "--junit", "nowhere/j.xml"], "nowhere/j.xml"),
    ],
)
def test_wrong_usage(run, tmp_path, words, message):
    (tmp_path / "strange.txt").write_text("test_x: differs: 1 instead of 2\n")
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert message in done.stderr and done.stderr.splitlines()[-1].startswith("kit.py"), done
