"""What `tensorpad check` says of every model of the kit, against what the runtimes did.

SPDX-License-Identifier: MIT

`make survey` records the runtimes' outcomes (kit/outcome_file.py). "unknown" is right only where
the model alone does not tell: where the elements of an input decide.
"""

import fnmatch

import pytest
from by_tensorpad import harness
from kit import outcome_file, predictions
from untold_cases import NO_RULES, exceptions_of

TARGETS = [target for target in outcome_file.names() if target not in NO_RULES]

# What a model does not tell, besides what the rules do not tell (untold_cases.py):
# check takes the elements of data as any numbers, and those of other inputs as what is allowed.
IN_AN_INPUT = ["bits_float16_nan_*", "bits_float8*_all_*", "openvino_bits_f*", "forbidden_*_input"]
OF_OPENVINO = ["openvino_beyond_*"]  # it writes outside of its memory, and may still answer


def is_excused(target, case):
    patterns = [*exceptions_of(target), *IN_AN_INPUT, *OF_OPENVINO * target.startswith("openvino")]
    return any(fnmatch.fnmatchcase(case, f"test_{pattern}") for pattern in patterns)


@pytest.fixture(scope="module")
def predicted(kit):
    return predictions.predict(harness.COMMAND, kit.path, kit.cases)


@pytest.mark.parametrize("target", TARGETS)
def test_predictions(predicted, target):
    right, unknown, wrong = predictions.compare(predicted, outcome_file.read(target))
    excused = [case for case in wrong if is_excused(target, case[0])]
    assert wrong == excused
    assert right > 2500
    assert len(unknown) + len(excused) < 0.1 * right
    untold = [*unknown, *(case[0] for case in wrong)]
    assert not [
        pattern
        for pattern in exceptions_of(target)
        if not fnmatch.filter(untold, f"test_{pattern}")
    ]
