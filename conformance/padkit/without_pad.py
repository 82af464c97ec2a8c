"""Whether a runtime runs what stands beside the Pad of a case: its model with an Identity instead.

SPDX-License-Identifier: MIT

No rewrite of a Pad helps where it does not. ONNX's reference evaluator says what is right.
"""

import json

import onnx
from onnx.reference import ReferenceEvaluator

from padkit import elements, own_folder, survey
from padkit.running import graphs_of

ALONE = {"Pad", "Constant"}


def is_plain(case, model):
    """Whether there is nothing but a Pad, constants, and inputs of known shapes."""
    known = case["tags"]["dynamic"] == "known"
    return known and all(node.op_type in ALONE for node in model.graph.node)


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


def write_case(source, place, model):
    """The case without its Pad; False where the other nodes do not take the data as it is."""
    data = source / "test_data_set_0"
    inputs = [onnx.TensorProto.FromString((data / f"input_{k}.pb").read_bytes())
              for k in range(len(list(data.glob("input_*.pb"))))]
    given = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in inputs}
    try:
        [answer] = ReferenceEvaluator(model).run(None, given)
    except Exception:
        return False
    output = onnx.numpy_helper.from_array(answer, "y")
    elements.write_data(place / "test_data_set_0", inputs, output)
    (place / "model.onnx").write_bytes(model.SerializeToString(deterministic=True))
    return True


def failing(target, kit, cases, folder, tell):
    """The names of those cases of which the target does not run the other nodes right."""
    own_folder.make_anew(folder)
    index = []
    for case in cases:
        source = kit / case["folder"]
        model = onnx.load(source / "model.onnx")
        if is_plain(case, model):
            continue
        put_identities(model)
        if write_case(source, folder / case["folder"], model):
            index.append(case)
    if not index:
        return set()
    (folder / "index.json").write_text(json.dumps({"cases": index}))
    outcomes = survey.run(target, folder, tell=tell)["outcomes"]
    return {name for name, outcome in outcomes.items() if outcome != "same"}
