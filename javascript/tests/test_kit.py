"""The kit (conformance) through the package: every case that a call can say, forbidden ones too."""

import json
import sys

import pytest

from conftest import ROOT

sys.path.append(str(ROOT / "conformance"))
from kit import case, cases, elements  # noqa: E402

WHOLE = [f"{kind}{bits}" for kind in ("Int", "Uint") for bits in (8, 16, 32)]
ARRAYS = {**{name.lower(): f"{name}Array" for name in WHOLE}, "int64": "BigInt64Array",
          "uint64": "BigUint64Array", "float": "Float32Array",
          "double": "Float64Array"}  # fmt: skip
NAMED = {"float16": "Uint16Array", "bfloat16": "Uint16Array", "complex64": "Float32Array",
         "complex128": "Float64Array"}  # fmt: skip


# Forbidden in a model: types and shapes of tensors and modes, of which a call has none.
UNSAID = ("openvino_pads_", "openvino_no_end", "openvino_value_", "mli_mode_", "mli_channels_",
          "mli_type_bool", "plain_count_")  # fmt: skip


def as_call(one, module, options, value_option):
    """One case as kit.mjs takes it; None if the package has no such type."""
    if one.type == "string":
        return None
    bits, _ = elements.TYPES[one.type]
    array = ARRAYS.get(one.type) or NAMED.get(one.type, "Uint8Array")
    value = None
    if one.value is not None:
        low = elements.to_bytes([one.fill], bits).hex()
        value = [value_option, array, low]
    made = None
    if one.forbidden is None:
        made = case.expected(one)
    return {
        "name": one.name,
        "module": module,
        "array": array,
        "type": None if one.type in ARRAYS else one.type,
        "shape": one.shape,
        "hex": elements.to_bytes(one.data, bits).hex(),
        "options": {name: given for name, given in options.items() if given is not None},
        "value": value,
        "out": made and elements.to_bytes(made[0], bits).hex(),
        "outShape": made and made[1],
    }


def of_onnx(one):
    if one.around != "nothing" or one.edit or one.axes_type != "int64" or one.value_shape == (1, 1):
        return None  # the model says it, not the Pad
    options = {"opset": one.opset, "pads": one.pads, "mode": one.mode, "axes": one.axes}
    call = as_call(one, "onnx", options, "constantValue")
    if call and call["value"] and one.opset < 11:  # an attribute, a float
        options["constantValue"] = float(one.value)
        call = {
            **call,
            "options": {**call["options"], "constantValue": float(one.value)},
            "value": None,
        }
    return call


def of_other(one):
    document, begin, end = one.document, one.begin, one.end
    if one.forbidden and one.name.startswith(UNSAID):
        return None
    if document.startswith("mli"):
        layout = document[4:]
        rows = slice(1, 3) if layout == "chw" else slice(0, 2)
        starts = zip(("paddingTop", "paddingLeft"), begin[rows])
        ends = zip(("paddingBottom", "paddingRight"), end[rows])
        options = {**dict(starts), **dict(ends)}
        return as_call(one, "mli", {"layout": layout, **options}, None)
    if document == "ngraph":
        mode = one.mode and one.mode.upper()
        options = {"paddingBelow": begin, "paddingAbove": end, "paddingInterior": one.interior,
                   "padMode": mode}  # fmt: skip
        return as_call(one, "ngraph", options, "argPadValue")
    if document == "plain":
        options = {"padWidth": [*map(list, zip(begin, end))], "interior": one.interior,
                   "mode": one.mode, "order": one.order}  # fmt: skip
        return as_call(one, "plain", options, "constantValue")
    version = int(document.removeprefix("openvino-"))
    options = {"padsBegin": begin, "padsEnd": end, "padMode": one.mode, "version": version}
    return as_call(one, "openvino", options, "padValue")


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    calls = [call for one in cases.ALL if (call := of_onnx(one))]
    calls += [call for one in cases.OTHER if (call := of_other(one))]
    path = tmp_path_factory.mktemp("kit") / "cases.json"
    path.write_text(json.dumps(calls))
    return calls, path


@pytest.mark.parametrize("kernels", ["wasm", "plain"])
def test_kit(node, calls, kernels):
    told = node.run("kit.mjs", calls[1], environment={"TENSORPAD_KERNELS": kernels})
    assert told["wrong"] == []
    assert (told["kernels"], told["done"]) == (kernels, len(calls[0]))
    assert told["done"] > 3500
