"""What the rules say of the kit's cases, compared with what the runtimes did (conformance/padkit/outcome_file.py)."""

import fnmatch
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "conformance"))

import facts  # noqa: E402
from untold_cases import NO_RULES, exceptions_of  # noqa: E402
from padkit import cases, onnx_model, outcome_file  # noqa: E402

OUTCOMES = {target: outcome_file.read(target)["outcomes"] for target in outcome_file.names()
            if target not in NO_RULES}


def predictions(targets):
    """{(case, target): the line that judge prints}."""
    lines = "\n".join(facts.line(facts.facts_of(*onnx_model.write(case))) for case in cases.ALL)
    judged = subprocess.run([os.environ["TENSORPAD_JUDGE"], *targets], input=lines, text=True,
                            capture_output=True, check=True).stdout.splitlines()
    keys = [(case.name, target) for case in cases.ALL for target in targets]
    assert len(judged) == len(keys)
    return dict(zip(keys, judged))


@pytest.fixture(scope="module")
def predicted():
    return predictions(list(OUTCOMES))


@pytest.mark.parametrize("target", OUTCOMES)
def test_every_outcome_is_told(predicted, target):
    """All but the exceptions; an exception that the rules tell by now has to go."""
    wrong = {}
    for case in cases.ALL:
        outcome = OUTCOMES[target][f"test_{case.name}"]
        kind = outcome if outcome == "same" else outcome["verdict"]
        line = predicted[case.name, target]
        if line.split(" ")[0] != kind:
            wrong[case.name] = f"{case.name}: {kind}, and the rules say {line}"
    named = {pattern: fnmatch.filter(wrong, pattern) for pattern in exceptions_of(target)}
    unnamed = set(wrong).difference(*named.values())
    assert not unnamed, f"{len(unnamed)}:\n" + "\n".join(wrong[name] for name in sorted(unnamed))
    assert all(named.values()), {pattern for pattern, names in named.items() if not names}
