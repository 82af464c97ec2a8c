"""Every way in which pads, the value and the axes reach the node.

SPDX-License-Identifier: MIT
"""

from kit.cases.common import MODES, NEWEST, USUAL, VERSIONS, case
from kit.onnx_model import WAYS

WORDS = {
    "initializer": "an initializer",
    "overridable": "an initializer that callers may replace",
    "constant": "a Constant node",
    "constant numbers": "a Constant node with a list of numbers",
    "input": "an input of the graph",
    "unsized input": "an input of the graph whose declaration does not tell its length",
    "computed": "computed from an input of the graph",
    "identity": "a constant behind Identity",
    "cast": "a constant behind Cast",
    "reshape": "a constant behind Reshape",
    "concat": "two constants behind Concat",
    "torchscript": "computed from constants as PyTorch's TorchScript exporter writes it",
    "from shape": "computed from the shape of the data, up to a given size",
}
OF_PADS = list(WAYS)
OF_VALUE = [
    way for way in WAYS if way not in ("unsized input", "concat", "torchscript", "from shape")
]
OF_AXES = [way for way in WAYS if way not in ("torchscript", "from shape")]
ONLY_WIDE = ("constant numbers", "cast")  # cannot say every type
WITH_INPUTS = [version for version in VERSIONS if version >= 11]


def word(way):
    return way.replace(" ", "_")


def pads_given(way, name, shows, shape, amounts, mode="constant", opset=USUAL, **more):
    name, shows = f"pads_{word(way)}_{name}", f"pads are {WORDS[way]}; {shows}"
    says = ("onnx.pads.layout",)
    return case(name, shows, shape, amounts, mode, opset, says, pads_as=way, **more)


def pads():
    for way in OF_PADS:
        for mode in MODES:
            amounts, cut = (0, 1, 2, 0, 0, 3), (-1, 2, 1, -1)
            yield pads_given(way, mode, f"mode {mode}", (2, 3, 4), amounts, mode)
            yield pads_given(way, f"{mode}_cut", f"{mode} cuts and adds", (3, 4), cut, mode)
        frame = (0, 0, 1, 1, 0, 0, 1, 1)
        yield pads_given(way, "image", "a frame around an image", (1, 3, 5, 4), frame, "reflect")
        yield pads_given(way, "value", "with a value", (2, 3), (0, 1, 0, 2), value=-1.5)
        told = "reflect longer than the axis"
        yield pads_given(way, "long", told, (3, 2), (4, 0, 3, 0), "reflect")
        told = "the extents are symbolic"
        yield pads_given(way, "symbolic", told, (2, 3), (1, 0, 0, 2), "edge", dims="symbolic")
        yield pads_given(way, "none", "all are 0", (2, 3), (0, 0, 0, 0), "edge")
        for opset in (11, 13, 18, NEWEST):
            if way == "constant numbers" and opset < 12:
                continue
            name, told = f"opset{opset}", f"opset {opset}"
            yield pads_given(way, name, told, (2, 3), (0, 1, 1, 0), "constant", opset)
    for mode in MODES:
        yield case(
            f"pads_typed_{mode}",
            f"the arguments lie in int64_data and float_data; {mode}",
            (2, 3),
            (0, 1, 2, 0),
            mode,
            says=("onnx.pads.layout",),
            typed=True,
            value=2.0,
            axes=(0, 1),
        )


def values():
    for way in OF_VALUE:
        told = f"the value is {WORDS[way]}"
        for shape, sort in (((), "scalar"), ((1,), "of shape [1]")):
            form = "" if shape == () else "_1"
            more = {"value_shape": shape, "value_as": way}
            if shape:
                more["decided"] = "value [1]"
            name, told_too, shape = f"value_{word(way)}{form}", f"{told}, {sort}", (2, 3)
            amounts, axis = (0, 1, 1, 2), {"value": 7.0, "axes": (1,)}
            yield case(name, told_too, shape, amounts, value=-2.5, **more)
            yield case(f"{name}_axes", f"{told_too}, with axes", (2, 3, 2), (1, 2), **axis, **more)
            more.update(says=("onnx.value",), value=7.0)
            for mode in ("edge", "reflect"):
                unused = f"{told_too}; {mode} does not use it"
                yield case(f"{name}_{mode}", unused, shape, amounts, mode, **more)
        if way not in ONLY_WIDE:
            for kind, number in (
                ("int64", 9007199254740993),
                ("bool", True),
                ("uint8", 200),
                ("float16", 1.5),
                ("int32", 16777217),
                ("string", b"v"),
            ):
                yield case(
                    f"value_{word(way)}_{kind}",
                    f"{told}, {kind}",
                    (2, 2),
                    (1, 0, 0, 1),
                    type=kind,
                    value=number,
                    value_as=way,
                )
    for opset in WITH_INPUTS:
        for shape in ((), (1,)):
            yield case(
                f"value_rank{len(shape)}_opset{opset}",
                f"a value of shape {list(shape)} at opset {opset}",
                (3,),
                (1, 2),
                "constant",
                opset,
                value=-3.0,
                value_shape=shape,
                decided="value [1]" if shape else None,
            )
    yield case(
        "value_both_inputs",
        "pads and value are inputs of the graph",
        (2, 3),
        (0, 1, 1, 2),
        value=4.0,
        pads_as="input",
        value_as="input",
    )
    yield case("value_zero", "a value of 0 that is given", (2, 3), (0, 1, 1, 2), value=0.0)


def axes():
    for way in OF_AXES:
        for kind in ("int64", "int32"):
            if way in ONLY_WIDE and kind == "int32":
                continue
            told = f"axes are {WORDS[way]}, {kind}"
            more = {"says": ("onnx.axes.types",), "axes_as": way, "axes_type": kind}
            name = f"axes_{word(way)}_{kind}"
            yield case(
                name, f"{told}; the last two", (1, 2, 3, 4), (1, 0, 2, 1), axes=(2, 3), **more
            )
            yield case(
                f"{name}_swapped",
                f"{told}; in falling order",
                (2, 3, 4),
                (1, 0, 2, 3),
                "edge",
                axes=(2, 0),
                **more,
            )
            yield case(
                f"{name}_negative",
                f"{told}; counted from the back",
                (2, 3, 4),
                (1, 2, 0, 1),
                "reflect",
                axes=(-1, -2),
                **more,
            )
            yield case(
                f"{name}_cut", f"{told}; cuts and adds", (2, 5), (-2, 2), "wrap", axes=(1,), **more
            )
            yield case(
                f"{name}_pads_input",
                f"{told}; pads are an input",
                (2, 3),
                (1, 2),
                axes=(1,),
                pads_as="input",
                **more,
            )
    orders = {
        "all": (0, 1, 2),
        "all_back": (2, 1, 0),
        "all_turned": (1, 2, 0),
        "all_negative": (-3, -2, -1),
        "mixed_signs": (-1, 0),
        "first": (0,),
        "last": (2,),
        "last_negative": (-1,),
        "outer_inner": (0, 2),
        "inner_outer": (2, 0),
    }
    for name, order in orders.items():
        begin, end = (1, 2, 3)[: len(order)], (2, 0, 1)[: len(order)]
        for mode in MODES:
            yield case(
                f"axes_{name}_{mode}",
                f"{mode} with axes {list(order)} of rank 3",
                (2, 3, 4),
                begin + end,
                mode,
                axes=order,
            )
    for mode in MODES:
        yield case(
            f"axes_empty_{mode}",
            f"{mode} with no axes and no pads",
            (2, 3),
            (),
            mode,
            axes=(),
            decided="no axes",
        )
        yield case(
            f"axes_empty_input_{mode}",
            f"{mode} with no axes, given by inputs of the graph",
            (2, 3),
            (),
            mode,
            axes=(),
            axes_as="input",
            pads_as="input",
            decided="no axes",
        )
        for kind in ("symbolic", "rank unknown"):
            yield case(
                f"axes_{word(kind)}_{mode}",
                f"{mode} with axes; {kind} data",
                (2, 3),
                (1, 2),
                mode,
                axes=(-1,),
                dims=kind,
            )
    for opset in (18, 19, 21, 23, 24, 25):
        for kind in ("int32", "int64"):
            yield case(
                f"axes_opset{opset}_{kind}",
                f"axes of {kind} at opset {opset}",
                (2, 3),
                (1, 2),
                "reflect",
                opset,
                ("onnx.axes.types",),
                axes=(1,),
                axes_type=kind,
            )
    yield case(
        "axes_rank6",
        "axes of a tensor of rank 6",
        (1, 2, 1, 2, 1, 2),
        (1, 0, 1, 1),
        "edge",
        axes=(-1, 1),
    )
    yield case(
        "axes_value_absent",
        "axes without a value: the third input is left out",
        (3,),
        (2, 1),
        axes=(0,),
    )
    yield case(
        "axes_all_inputs",
        "pads, value and axes are inputs of the graph",
        (2, 3),
        (1, 2),
        value=4.0,
        axes=(1,),
        pads_as="input",
        value_as="input",
        axes_as="input",
    )


CASES = [*pads(), *values(), *axes()]
