"""The selection of ONNX cases covers what it should, and a third opinion agrees with the answers.

SPDX-License-Identifier: MIT
"""

import collections
import itertools
import pathlib
import re
import sys

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from kit import (
    cases,  # noqa: E402
    elements,  # noqa: E402
    onnx_model,  # noqa: E402
    oracle,  # noqa: E402
    surroundings,  # noqa: E402
)
from kit.case import (
    expected,  # noqa: E402
)
from kit.cases import common  # noqa: E402

ANSWERED = [case for case in cases.ALL if case.forbidden is None]
FORBIDDEN = [case for case in cases.ALL if case.forbidden is not None]


def is_negative(case):
    """The case has a Pad with a negative amount."""
    around = surroundings.AROUND[case.around]
    others = [
        step for step in (*around.before, *around.behind) if isinstance(step, surroundings.Pad)
    ]
    amounts = [*case.amounts, *(side for step in others for side in (step.begin, step.end))]
    return min(itertools.chain(*amounts), default=0) < 0


def has_empty_axis(case):
    begin, end = case.amounts
    return any(n == 0 and b + e for n, b, e in zip(case.padded_shape, begin, end))


def default_is_no_zero(case):
    """Constant mode without a value, of a type whose cell of the number 0 is not all zero bits."""
    return (
        case.value is None
        and (case.mode or "constant") == "constant"
        and (case.type in ("string", "float8e8m0"))
    )


# Where the reference implementation of ONNX does not say what the document says.
REFUSES = [  # (what it says, of which cases)
    ("index can't contain negative values", is_negative),
    ("can't extend empty axis", has_empty_axis),
    ("Issues with types", lambda case: case.shape == ()),
]
DIFFERS = default_is_no_zero


def by_reference(case):
    model, inputs = onnx_model.write(case)
    feeds = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in inputs}
    with np.errstate(all="ignore"):
        [output] = ReferenceEvaluator(model).run(None, feeds)
    return output


def same(output, wanted):
    if output.shape != wanted.shape:
        return False
    if wanted.dtype == object:
        return output.tolist() == wanted.tolist()
    return output.dtype == wanted.dtype and output.tobytes() == wanted.tobytes()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_reference_of_onnx_agrees():
    computed, wrong = 0, []
    for case in ANSWERED:
        cells, shape = expected(case)
        wanted = onnx.numpy_helper.to_array(elements.tensor(case.type, shape, cells))
        try:
            output = by_reference(case)
        except (TypeError, ValueError) as error:
            if not any(text in str(error) and of(case) for text, of in REFUSES):
                wrong.append((case.name, str(error)[:100]))
            continue
        computed += 1
        if same(output, wanted) == DIFFERS(case) and output.size:
            wrong.append((case.name, output.tolist(), wanted.tolist()))
    assert not wrong, wrong[:5]
    assert computed > 0.65 * len(ANSWERED)


def test_the_oracle_refuses_the_amounts_that_are_forbidden():
    questions = ("negative output", "nothing left", "empty")
    of_amounts = [case for case in FORBIDDEN if case.decided in questions]
    assert len(of_amounts) >= 40
    for case in of_amounts:
        begin, end = case.amounts
        with pytest.raises(oracle.Refused):
            oracle.pad(case.data, case.shape, begin, end, case.mode, case.fill, order="crop")


def test_cases_are_described():
    for case in cases.ALL:
        assert re.fullmatch(r"[a-z0-9_]+", case.name)
        assert case.shows and case.says and not case.shows.endswith("."), case.name
    assert len({case.name for case in cases.ALL}) == len(cases.ALL)


def test_what_the_selection_covers():
    assert len(ANSWERED) >= 1500 and len(FORBIDDEN) >= 60
    seen = collections.defaultdict(set)
    for case in ANSWERED:
        mode = case.mode or "constant"
        version = oracle.onnx_version_of_opset(case.opset)
        seen["version, mode"].add((version, mode))
        seen["version, type"].add((version, case.type))
        seen["type, mode, value"].add((case.type, mode, case.value is not None))
        seen["rank, mode"].add((len(case.shape), mode))
        seen["dims, mode"].add((case.dims, mode))
        seen["company, value"].add((case.around, case.value is not None))
        seen["decision"].add(case.decided)
        if case.opset >= 11:
            seen["way of pads, mode"].add((case.pads_as, mode))
            seen["way of value, its rank"].add((case.value_as, len(case.value_shape)))
            seen["way of axes, their type"].add((case.axes_as, case.axes_type))
        for n, b, e in zip(case.padded_shape, *case.amounts):
            seen["extent, signs, mode"].add((min(n, 2), np.sign(b), np.sign(e), mode))
    for version, (types, modes) in oracle.ONNX.items():
        assert seen["version, mode"] >= {(version, mode) for mode in modes}
        assert seen["version, type"] >= {(version, word) for word in types}
    everything = itertools.product
    assert seen["type, mode, value"] >= {
        *((word, mode, False) for word, mode in everything(elements.TYPES, common.MODES)),
        *((word, "constant", True) for word in elements.TYPES),
    }
    assert seen["rank, mode"] >= set(everything(range(7), common.MODES))
    assert seen["dims, mode"] >= set(everything(onnx_model.DIMS, common.MODES))
    assert seen["way of pads, mode"] >= set(everything(onnx_model.WAYS, common.MODES))
    assert {around for around, _ in seen["company, value"]} == set(surroundings.AROUND)
    assert seen["decision"] >= {
        "order",
        "long",
        "one",
        "empty",
        "overcrop",
        "nothing left",
        "rank 0",
        "value [1]",
        "no axes",
    }
    # All signs of both amounts on extents of 0, of 1 and above, in all modes that have an answer.
    for extent, before, behind in everything(range(3), (-1, 0, 1), (-1, 0, 1)):
        if extent < 2 and extent + before + behind < 0:
            continue  # such an axis has no answer
        assert (extent, before, behind, "constant") in seen["extent, signs, mode"], (
            extent,
            before,
            behind,
        )
        if extent == 2:
            for mode in common.MODES:
                assert (extent, before, behind, mode) in seen["extent, signs, mode"]
