"""Runs the models of the record in one runtime, and compares with what they are without their Pads.

SPDX-License-Identifier: MIT
"""

import onnx
from padkit.running import CLOSE, CLOSE_ROUNDED, distance, graphs_of

from realmodels import control as without

SECONDS = 60  # the longest that one run may take
ANYWAY = "it is wrong with Identities instead of its Pads, too"


def farthest(found, wanted):
    """The largest distance of an output; of the first alone where a runtime gives no other."""
    return max(map(distance, found[: len(wanted)], wanted), default=0.0)


def put_identities(model):
    """Puts an Identity in place of each Pad. The output has another shape then."""
    for graph in graphs_of(model):
        for node in graph.node:
            if node.op_type == "Pad":
                node.op_type = "Identity"
                del node.input[1:], node.attribute[:]
    for output in model.graph.output:
        for k, dim in enumerate(output.type.tensor_type.shape.dim):
            dim.dim_param = f"other{k}"


def is_wrong_anyway(runner, path, inputs, near, plain):
    """Whether the model is wrong, too, with an Identity in place of each Pad."""
    if path.suffix != ".onnx":
        return False
    model, place = onnx.load(path), path.with_name(f"identities-{path.name}")
    put_identities(model)
    try:
        wanted = without.session(model).run(None, inputs)
    except Exception:  # the other nodes do not take the data as it is
        return False
    onnx.save(model, place)
    outputs, _ = runner.run(place, inputs, plain)
    return outputs is None or farthest(outputs, wanted) > near


def outcome(runner, path, control, inputs, wanted, rounds, plain=False):
    """(what the target did with the Pads, why). "unjudged": it fails without them, too.

    wanted: what ONNX Runtime, told to change nothing, gives for the model without its Pads.
    """
    near = CLOSE_ROUNDED if rounds else CLOSE
    outputs, failure = runner.run(path, inputs, plain)
    if outputs is not None and farthest(outputs, wanted) <= near:
        return "same", ""
    bare, bare_failure = runner.run(control, inputs, plain)
    if bare is None:
        return "unjudged", f"without its Pads: {bare_failure[1]}"
    off = farthest(outputs, bare) if outputs is not None else float("inf")
    if off <= near:
        return "same", ""
    if farthest(bare, wanted) > near:
        return "unjudged", f"without its Pads it is off by {farthest(bare, wanted):.1g}"
    if is_wrong_anyway(runner, path, inputs, near, plain):
        return "unjudged", ANYWAY
    return failure or ("differs", f"off by {off:.2g}")
