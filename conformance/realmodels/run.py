"""Runs the models of the record in one runtime, and compares with what they are without their Pads.

SPDX-License-Identifier: MIT
"""

from padkit.running import CLOSE, CLOSE_ROUNDED, distance

SECONDS = 60  # the longest that one run may take


def outcome(runner, path, control, inputs, wanted, rounds):
    """(what the target did with the Pads, why). "unjudged": it fails without them, too.

    Some runtimes give the outputs in another order or only the first: the first is compared. wanted: what ONNX
    Runtime, told to change nothing, gives for the model without its Pads.
    """
    near = CLOSE_ROUNDED if rounds else CLOSE
    outputs, failure = runner.run(path, inputs)
    if outputs is not None and distance(outputs[0], wanted) <= near:
        return "same", ""
    plain, plain_failure = runner.run(control, inputs)
    if plain is None:
        return "unjudged", f"without its Pads: {plain_failure[1]}"
    if outputs is None:
        return failure
    off = distance(outputs[0], plain[0])
    if off <= near:
        return "same", ""
    if distance(plain[0], wanted) > near:
        return "unjudged", f"without its Pads it is off by {distance(plain[0], wanted):.1g}"
    return "differs", f"off by {off:.2g}"
