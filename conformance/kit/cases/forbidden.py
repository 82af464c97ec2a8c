"""What the document forbids, or what semantics.md decides to be an error where it is silent.

SPDX-License-Identifier: MIT
"""

import onnx.helper as oh

from kit import elements, oracle
from kit.case import Case
from kit.cases.common import MODES, NEWEST, TYPES, USUAL, VERSIONS, number

WAYS = {"initializer": "", "input": "_input"}  # how the wrong argument is given: ending of the name


def forbidden(
    name, shows, reason, says, shape=(2, 3), pads=(0, 1, 0, 2), mode="constant", opset=USUAL, **more
):
    return Case(
        name=f"forbidden_{name}",
        shows=shows,
        forbidden=reason,
        says=says,
        shape=shape,
        pads=pads,
        mode=mode,
        opset=opset,
        **more,
    )


def counts():
    """pads do not have two numbers for each axis."""
    for given, ending in WAYS.items():
        for name, pads, axes in (
            ("short", (0, 1, 0), None),
            ("long", (0, 1, 0, 2, 0), None),
            ("one_axis", (1, 1), None),
            ("empty", (), None),
            ("axes_short", (1, 1), (0, 1)),
            ("axes_long", (0, 1, 0, 1), (1,)),
            ("axes_none", (1, 1), ()),
        ):
            axes_count = 2 if axes is None else len(axes)
            yield forbidden(
                f"count_{name}{ending}",
                f"{len(pads)} pads for {axes_count} axes",
                f"pads must have {2 * axes_count} numbers, not {len(pads)}",
                ("onnx.pads.layout",),
                pads=pads,
                axes=axes,
                pads_as=given,
            )
    for opset in (1, 2, 10):
        for name, pads in (("short", (0, 1, 0)), ("long", (0, 1, 0, 2, 0, 0))):
            yield forbidden(
                f"count_{name}_opset{opset}",
                f"{len(pads)} pads for 2 axes",
                f"pads must have 4 numbers, not {len(pads)}",
                ("onnx.pads.layout",),
                pads=pads,
                opset=opset,
            )
    yield forbidden(
        "count_rank0",
        "pads for a scalar",
        "a scalar has no axis: pads must be empty",
        ("onnx.pads.layout",),
        shape=(),
        pads=(1, 1),
    )


def axes():
    """Axes that the data does not have, or has once."""
    for given, ending in WAYS.items():
        for name, order in (("twice", (1, 1)), ("twice_negative", (1, -1))):
            yield forbidden(
                f"axes_{name}{ending}",
                f"axes {list(order)} name axis 1 twice",
                "an axis must not be repeated",
                ("onnx.axes.repeated",),
                axes=order,
                axes_as=given,
                decided="axes repeated",
            )
        for axis in (2, -3, 7):
            yield forbidden(
                f"axes_{number(axis)}_of_rank2{ending}",
                f"axis {axis} of rank 2",
                "an axis must lie in [-2, 1]",
                ("onnx.axes.negative",),
                pads=(1, 1),
                axes=(axis,),
                axes_as=given,
            )
        for word in ("int16", "uint8", "uint64", "float"):
            yield forbidden(
                f"axes_{word}{ending}",
                f"axes of {word}",
                "axes must be int32 or int64",
                ("onnx.axes.types",),
                pads=(1, 1),
                axes=(1,),
                axes_type=word,
                axes_as=given,
            )
    yield forbidden(
        "axes_of_rank0",
        "axis 0 of a scalar",
        "a scalar has no axis",
        ("onnx.axes.negative",),
        shape=(),
        pads=(1, 1),
        axes=(0,),
    )
    for opset in (11, 13, 16):
        yield forbidden(
            f"axes_opset{opset}",
            f"axes at opset {opset}",
            "axes exist since version 18",
            ("onnx.axes",),
            pads=(1, 1),
            axes=(1,),
            opset=opset,
        )


def extents():
    """More is cut off than there is."""
    why = "the output would have a negative extent"
    cuts = {
        "begin": (0, -4, 0, 0),
        "end": (0, 0, 0, -4),
        "both": (0, -2, 0, -2),
        "outer": (-3, 1, 0, 1),
        "mixed": (0, -6, 0, 2),
    }
    for mode in MODES:
        for name, pads in cuts.items():
            yield forbidden(
                f"negative_{name}_{mode}",
                f"{mode}: more is cut from the axis than it has",
                why,
                ("onnx.pads.negative",),
                pads=pads,
                mode=mode,
                decided="negative output",
            )
        yield forbidden(
            f"negative_{mode}_input",
            f"{mode}: pads from an input cut too much",
            why,
            ("onnx.pads.negative",),
            pads=cuts["both"],
            mode=mode,
            pads_as="input",
            decided="negative output",
        )
        yield forbidden(
            f"negative_{mode}_axes",
            f"{mode}: pads with axes cut too much",
            why,
            ("onnx.pads.negative",),
            pads=(-4, 0),
            axes=(1,),
            mode=mode,
            decided="negative output",
        )
    yield forbidden(
        "negative_empty_axis",
        "an empty axis is cut",
        why,
        ("onnx.pads.negative",),
        shape=(0, 3),
        pads=(-1, 0, 0, 0),
        decided="negative output",
    )
    yield forbidden(
        "negative_beside_empty",
        "one axis becomes negative, another one is empty",
        why,
        ("onnx.pads.negative",),
        shape=(2, 0),
        pads=(-3, 0, 0, 0),
        decided="negative output",
    )
    for opset in (2, 11):
        yield forbidden(
            f"negative_opset{opset}",
            f"more is cut than there is, opset {opset}",
            why,
            ("onnx.pads.negative",),
            pads=cuts["both"],
            opset=opset,
            decided="negative output",
        )


def nothing_left():
    """A mode has to repeat cells of an axis that has none."""
    kinds = {  # name: (what it shows, shape, pads, decision)
        "cut_begin": (
            "all is cut at the begin, some is added at the end",
            (3,),
            (-3, 2),
            "nothing left",
        ),
        "cut_end": (
            "all is cut at the end, some is added at the begin",
            (3,),
            (2, -3),
            "nothing left",
        ),
        "cut_outer": ("all rows are cut, some are added", (2, 3), (-2, 1, 1, 1), "nothing left"),
        "cut_deeper": (
            "more than all is cut, and more than that is added",
            (2,),
            (-4, 5),
            "nothing left",
        ),
        "empty": ("an empty axis would grow", (0,), (1, 1), "empty"),
        "empty_inner": ("an empty inner axis would grow", (2, 0), (0, 1, 0, 0), "empty"),
        "empty_outer": ("an empty outer axis would grow", (0, 2), (0, 0, 1, 0), "empty"),
    }
    for mode in MODES[1:]:
        for name, (what, shape, pads, question) in kinds.items():
            yield forbidden(
                f"nothing_{name}_{mode}",
                f"{mode}: {what}",
                f"{mode} has nothing to repeat on that axis",
                (f"onnx.{mode}",),
                shape,
                pads,
                mode,
                decided=question,
            )
        yield forbidden(
            f"nothing_input_{mode}",
            f"{mode}: pads from an input cut everything",
            f"{mode} has nothing to repeat on that axis",
            (f"onnx.{mode}",),
            (3,),
            (-3, 2),
            mode,
            pads_as="input",
            decided="nothing left",
        )
        yield forbidden(
            f"nothing_symbolic_{mode}",
            f"{mode}: an axis is empty only at run time",
            f"{mode} has nothing to repeat on that axis",
            (f"onnx.{mode}",),
            (0, 2),
            (1, 0, 0, 0),
            mode,
            dims="symbolic",
            decided="empty",
        )


def modes():
    for opset in (1, 2, 10, 11, 13, 18):
        yield forbidden(
            f"wrap_opset{opset}",
            f"wrap at opset {opset}",
            "wrap exists since version 19",
            ("onnx.wrap",),
            mode="wrap",
            opset=opset,
        )
    for name, text in (
        ("symmetric", "symmetric"),
        ("capital", "Constant"),
        ("empty", ""),
        ("replicate", "replicate"),
        ("circular", "circular"),
        ("space", "edge "),
    ):
        for opset in (2, USUAL, NEWEST):
            yield forbidden(
                f"mode_{name}_opset{opset}",
                f"the mode is {text!r}, opset {opset}",
                "the document has no such mode",
                ("onnx.modes",),
                mode=text,
                opset=opset,
            )


def types():
    """Every type at the last opset before its first version."""
    for word in TYPES:
        first = oracle.onnx_first_with_type(word)
        if first > 1:
            before = max(version for version in VERSIONS if version < first)
            yield forbidden(
                f"type_{word}_opset{before}",
                f"{word} at opset {before}",
                f"{word} exists since version {first}",
                ("onnx.types",),
                type=word,
                opset=before,
            )


# Changes of a model that was right, for what no other field of a case can say.


def pad_of(model):
    return next(node for node in model.graph.node if node.op_type == "Pad")


def replace(model, feeds, tensor):
    """Puts another tensor where the one of that name was given."""
    for old in [*model.graph.initializer, *feeds]:
        if old.name == tensor.name:
            old.CopyFrom(tensor)
    for told in model.graph.input:
        if told.name == tensor.name:
            told.CopyFrom(oh.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims))


def with_tensor(name, word, shape, numbers):
    """The argument of that name has another type, shape and numbers."""
    cells = [elements.cell_of(number, word) for number in numbers]
    return lambda model, feeds: replace(model, feeds, elements.tensor(word, shape, cells, name))


def pads_tensor():
    for given, ending in WAYS.items():
        for word in ("int32", "uint64", "float", "int8"):
            yield forbidden(
                f"pads_{word}{ending}",
                f"pads of {word}",
                "pads must be int64",
                ("onnx.pads.type",),
                pads_as=given,
                edit=with_tensor("pads", word, [4], (0, 1, 0, 2)),
            )
        for shape in ((1, 4), (2, 2), (4, 1)):
            name = "x".join(map(str, shape))
            yield forbidden(
                f"pads_{name}{ending}",
                f"pads of shape {list(shape)}",
                "pads must be 1-D",
                ("onnx.pads.layout",),
                pads_as=given,
                edit=with_tensor("pads", "int64", shape, (0, 1, 0, 2)),
            )
        yield forbidden(
            f"pads_scalar{ending}",
            "pads are one number without an axis",
            "pads must be 1-D",
            ("onnx.pads.layout",),
            (3,),
            (1, 1),
            pads_as=given,
            edit=with_tensor("pads", "int64", [], (1,)),
        )
        for name, shape in (("scalar", ()), ("1x1", (1, 1))):
            yield forbidden(
                f"axes_tensor_{name}{ending}",
                f"axes of shape {list(shape)}",
                "axes must be 1-D",
                ("onnx.axes",),
                pads=(1, 1),
                axes=(1,),
                axes_as=given,
                edit=with_tensor("axes", "int64", shape, (1,)),
            )


def value_tensor():
    for given, ending in WAYS.items():
        for name, shape, numbers in (
            ("two", (2,), (1, 2)),
            ("none", (0,), ()),
            ("1x2", (1, 2), (1, 2)),
        ):
            yield forbidden(
                f"value_{name}{ending}",
                f"a value of shape {list(shape)}",
                "the value must be a scalar",
                ("onnx.value",),
                value=1,
                value_as=given,
                edit=with_tensor("value", "float", shape, numbers),
            )
        yield forbidden(
            f"value_1x1{ending}",
            "a value of shape [1, 1]",
            "the value must be a scalar",
            ("onnx.value",),
            value=1,
            value_shape=(1, 1),
            value_as=given,
        )
        for kind, other in (
            ("float", "double"),
            ("float", "int64"),
            ("int64", "float"),
            ("int32", "int64"),
            ("uint8", "int8"),
            ("string", "float"),
        ):
            yield forbidden(
                f"value_{other}_for_{kind}{ending}",
                f"a value of {other} for {kind}",
                "the value must have the type of the data",
                ("onnx.value",),
                type=kind,
                value=b"1" if kind == "string" else 1,
                value_as=given,
                edit=with_tensor("value", other, [], (1,)),
            )
    yield forbidden(
        "value_double_for_float_edge",
        "a value of double for float; edge needs none",
        "the value must have the type of the data",
        ("onnx.value",),
        mode="edge",
        value=1,
        edit=with_tensor("value", "double", [], (1,)),
    )


def without_data(model, feeds):
    pad_of(model).input[0] = ""


def without_pads(model, feeds):
    del pad_of(model).input[1:]


def with_empty_name(model, feeds):
    pad_of(model).input[1] = ""


def without_attributes(model, feeds):
    del pad_of(model).attribute[:]


def with_attribute(name, value):
    """Has an attribute of that name, and no other of its name."""

    def edit(model, feeds):
        node = pad_of(model)
        kept = [attribute for attribute in node.attribute if attribute.name != name]
        del node.attribute[:]
        node.attribute.extend([*kept, oh.make_attribute(name, value)])

    return edit


def pads_as_attribute(model, feeds):
    without_pads(model, feeds)
    with_attribute("pads", [0, 1, 0, 2])(model, feeds)


def renamed(old, new):
    def edit(model, feeds):
        for attribute in pad_of(model).attribute:
            if attribute.name == old:
                attribute.name = new

    return edit


def at_opset(opset):
    """Another opset than the one whose form the node has."""

    def edit(model, feeds):
        model.opset_import[0].version = opset

    return edit


def with_input(name):
    """Has one more input: a scalar."""

    def edit(model, feeds):
        model.graph.initializer.append(elements.tensor("float", [], [0], name))
        pad_of(model).input.append(name)

    return edit


def forms():
    """Attributes where the version has inputs, inputs where it has attributes, or neither."""
    absent, old = ("onnx.pads.required",), ("onnx.old.attributes",)
    since = "pads and value are inputs since version 11"
    for opset in (11, 13, USUAL, NEWEST):
        yield forbidden(
            f"form_no_pads_opset{opset}",
            "pads are not given",
            "pads are required",
            absent,
            opset=opset,
            edit=without_pads,
        )
        yield forbidden(
            f"form_pads_attribute_opset{opset}",
            "pads are an attribute",
            since,
            absent,
            opset=opset,
            edit=pads_as_attribute,
        )
        yield forbidden(
            f"form_value_attribute_opset{opset}",
            "the value is an attribute",
            since,
            ("onnx.value",),
            opset=opset,
            edit=with_attribute("value", 2.0),
        )
    yield forbidden(
        "form_pads_without_name",
        "the name of pads is empty",
        "pads are required",
        absent,
        edit=with_empty_name,
    )
    for opset in (1, 2, 10):
        name = "paddings" if opset == 1 else "pads"
        yield forbidden(
            f"form_no_pads_opset{opset}",
            f"no attribute {name}",
            "pads are required",
            old,
            opset=opset,
            edit=without_attributes,
        )
        yield forbidden(
            f"form_pads_input_opset{opset}",
            f"pads are an input, opset {opset}",
            since,
            old,
            edit=at_opset(opset),
        )
        yield forbidden(
            f"form_value_input_opset{opset}",
            "the value is an input",
            since,
            old,
            opset=opset,
            edit=with_input("value"),
        )
    yield forbidden(
        "form_pads_opset1",
        "the attribute pads at opset 1",
        "its name is paddings in version 1",
        old,
        opset=1,
        edit=renamed("paddings", "pads"),
    )
    yield forbidden(
        "form_paddings_opset2",
        "the attribute paddings at opset 2",
        "its name is pads since version 2",
        old,
        opset=2,
        edit=renamed("pads", "paddings"),
    )
    yield forbidden(
        "form_pads_floats",
        "the attribute pads has floats",
        "pads are integers",
        old,
        opset=2,
        edit=with_attribute("pads", [0.0, 1.0, 0.0, 2.0]),
    )
    yield forbidden(
        "form_value_integer",
        "the attribute value is an integer",
        "value is a float",
        ("onnx.old.value",),
        opset=2,
        edit=with_attribute("value", 2),
    )
    yield forbidden(
        "form_mode_integer",
        "the attribute mode is an integer",
        "mode is a string",
        ("onnx.modes",),
        edit=with_attribute("mode", 0),
    )
    yield forbidden(
        "form_axes_attribute",
        "axes are an attribute",
        "axes are an input",
        ("onnx.axes",),
        edit=with_attribute("axes", [0, 1]),
    )
    yield forbidden(
        "form_unknown_attribute",
        "an attribute that Pad does not have",
        "Pad has no attribute extra",
        ("onnx.modes",),
        edit=with_attribute("extra", 1),
    )
    yield forbidden(
        "form_fifth_input",
        "five inputs",
        "Pad has at most four inputs",
        ("onnx.axes",),
        value=1.0,
        axes=(0, 1),
        edit=with_input("extra"),
    )
    yield forbidden(
        "form_no_data",
        "data is not given",
        "data is required",
        ("onnx.pads.amounts",),
        edit=without_data,
    )


CASES = [
    *counts(),
    *axes(),
    *extents(),
    *nothing_left(),
    *modes(),
    *types(),
    *pads_tensor(),
    *value_tensor(),
    *forms(),
]
