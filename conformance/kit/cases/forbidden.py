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
    """says: the sentence, a key of documents.SENTENCES without the document."""
    says, name = (f"onnx.{says}",), f"forbidden_{name}"
    return Case(name, shows, says, opset, shape, pads, mode, forbidden=reason, **more)


def counts():
    """pads do not have two numbers for each axis."""

    def wrong(name, pads, axes=None, **more):
        count = 2 if axes is None else len(axes)
        shows = f"{len(pads)} pads for {count} axes"
        reason = f"pads must have {2 * count} numbers, not {len(pads)}"
        name = f"count_{name}"
        return forbidden(name, shows, reason, "pads.layout", pads=pads, axes=axes, **more)

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
            yield wrong(f"{name}{ending}", pads, axes, pads_as=given)
    for opset in (1, 2, 10):
        yield wrong(f"short_opset{opset}", (0, 1, 0), opset=opset)
        yield wrong(f"long_opset{opset}", (0, 1, 0, 2, 0, 0), opset=opset)
    reason = "a scalar has no axis: pads must be empty"
    yield forbidden("count_rank0", "pads for a scalar", reason, "pads.layout", (), (1, 1))


def axes():
    """Axes that the data does not have, or has once."""

    def wrong(name, shows, reason, says, order=(1,), pads=(1, 1), **more):
        return forbidden(f"axes_{name}", shows, reason, says, pads=pads, axes=order, **more)

    for given, ending in WAYS.items():
        for name, order in (("twice", (1, 1)), ("twice_negative", (1, -1))):
            yield wrong(
                f"{name}{ending}",
                f"axes {list(order)} name axis 1 twice",
                "an axis must not be repeated",
                "axes.repeated",
                order,
                (0, 1, 0, 2),
                axes_as=given,
                decided="axes repeated",
            )
        reason = "an axis must lie in [-2, 1]"
        for axis in (2, -3, 7):
            name, told = f"{number(axis)}_of_rank2{ending}", f"axis {axis} of rank 2"
            yield wrong(name, told, reason, "axes.negative", (axis,), axes_as=given)
        for word in ("int16", "uint8", "uint64", "float"):
            name, told, reason = f"{word}{ending}", f"axes of {word}", "axes must be int32 or int64"
            yield wrong(name, told, reason, "axes.types", axes_type=word, axes_as=given)
    told, reason = "axis 0 of a scalar", "a scalar has no axis"
    yield wrong("of_rank0", told, reason, "axes.negative", (0,), shape=())
    reason = "axes exist since version 18"
    for opset in (11, 13, 16):
        yield wrong(f"opset{opset}", f"axes at opset {opset}", reason, "axes", opset=opset)


def extents():
    """More is cut off than there is."""

    def wrong(name, shows, pads=(0, -2, 0, -2), **more):
        reason, decided = "the output would have a negative extent", "negative output"
        name = f"negative_{name}"
        return forbidden(name, shows, reason, "pads.negative", pads=pads, decided=decided, **more)

    cuts = {
        "begin": (0, -4, 0, 0),
        "end": (0, 0, 0, -4),
        "both": (0, -2, 0, -2),
        "outer": (-3, 1, 0, 1),
        "mixed": (0, -6, 0, 2),
    }
    for mode in MODES:
        for name, pads in cuts.items():
            told = f"{mode}: more is cut from the axis than it has"
            yield wrong(f"{name}_{mode}", told, pads, mode=mode)
        told = f"{mode}: pads from an input cut too much"
        yield wrong(f"{mode}_input", told, mode=mode, pads_as="input")
        told = f"{mode}: pads with axes cut too much"
        yield wrong(f"{mode}_axes", told, (-4, 0), axes=(1,), mode=mode)
    yield wrong("empty_axis", "an empty axis is cut", (-1, 0, 0, 0), shape=(0, 3))
    told = "one axis becomes negative, another one is empty"
    yield wrong("beside_empty", told, (-3, 0, 0, 0), shape=(2, 0))
    for opset in (2, 11):
        told = f"more is cut than there is, opset {opset}"
        yield wrong(f"opset{opset}", told, opset=opset)


def nothing_left():
    """A mode has to repeat cells of an axis that has none."""
    cut, empty = "nothing left", "empty"
    kinds = {  # name: (what it shows, shape, pads, decision)
        "cut_begin": ("all is cut at the beginning, some is added at the end", (3,), (-3, 2), cut),
        "cut_end": ("all is cut at the end, some is added at the beginning", (3,), (2, -3), cut),
        "cut_outer": ("all rows are cut, some are added", (2, 3), (-2, 1, 1, 1), cut),
        "cut_deeper": ("more than all is cut, and more than that is added", (2,), (-4, 5), cut),
        "empty": ("an empty axis would grow", (0,), (1, 1), empty),
        "empty_inner": ("an empty inner axis would grow", (2, 0), (0, 1, 0, 0), empty),
        "empty_outer": ("an empty outer axis would grow", (0, 2), (0, 0, 1, 0), empty),
        "input": ("pads from an input cut everything", (3,), (-3, 2), cut),
        "symbolic": ("an axis is empty only at run time", (0, 2), (1, 0, 0, 0), empty),
    }
    more = {"input": {"pads_as": "input"}, "symbolic": {"dims": "symbolic"}}
    for mode in MODES[1:]:
        for name, (what, shape, pads, question) in kinds.items():
            yield forbidden(
                f"nothing_{name}_{mode}",
                f"{mode}: {what}",
                f"{mode} has nothing to repeat on that axis",
                mode,
                shape,
                pads,
                mode,
                decided=question,
                **more.get(name, {}),
            )


def modes():
    for opset in (1, 2, 10, 11, 13, 18):
        name, told, reason = (
            f"wrap_opset{opset}",
            f"wrap at opset {opset}",
            "wrap exists since version 19",
        )
        yield forbidden(name, told, reason, "wrap", mode="wrap", opset=opset)
    reason = "the document has no such mode"
    for name, text in (
        ("symmetric", "symmetric"),
        ("capital", "Constant"),
        ("empty", ""),
        ("replicate", "replicate"),
        ("circular", "circular"),
        ("space", "edge "),
    ):
        for opset in (2, USUAL, NEWEST):
            told = f"the mode is {text!r}, opset {opset}"
            name_too = f"mode_{name}_opset{opset}"
            yield forbidden(name_too, told, reason, "modes", mode=text, opset=opset)


def types():
    """Every type at the last opset before its first version."""
    for word in TYPES:
        first = oracle.onnx_first_with_type(word)
        if first > 1:
            before = max(version for version in VERSIONS if version < first)
            name, told = f"type_{word}_opset{before}", f"{word} at opset {before}"
            reason = f"{word} exists since version {first}"
            yield forbidden(name, told, reason, "types", type=word, opset=before)


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
    def wrong(name, given, shows, reason, says, word, shape, numbers=(0, 1, 0, 2), **more):
        edit, name = with_tensor("pads", word, shape, numbers), f"pads_{name}{WAYS[given]}"
        return forbidden(name, shows, reason, says, pads_as=given, edit=edit, **more)

    for given, ending in WAYS.items():
        for word in ("int32", "uint64", "float", "int8"):
            yield wrong(
                word, given, f"pads of {word}", "pads must be int64", "pads.type", word, [4]
            )
        reason, says = "pads must be 1-D", "pads.layout"
        for shape in ((1, 4), (2, 2), (4, 1)):
            name, told = "x".join(map(str, shape)), f"pads of shape {list(shape)}"
            yield wrong(name, given, told, reason, says, "int64", shape)
        told, one = "pads are one number without an axis", {"shape": (3,), "pads": (1, 1)}
        edit = with_tensor("pads", "int64", [], (1,))
        name = f"pads_scalar{ending}"
        yield forbidden(name, told, reason, says, **one, pads_as=given, edit=edit)
        for name, shape in (("scalar", ()), ("1x1", (1, 1))):
            yield forbidden(
                f"axes_tensor_{name}{ending}",
                f"axes of shape {list(shape)}",
                "axes must be 1-D",
                "axes",
                pads=(1, 1),
                axes=(1,),
                axes_as=given,
                edit=with_tensor("axes", "int64", shape, (1,)),
            )


def value_tensor():
    scalar, same = "the value must be a scalar", "the value must have the type of the data"
    for given, ending in WAYS.items():
        for name, shape, numbers in (
            ("two", (2,), (1, 2)),
            ("none", (0,), ()),
            ("1x2", (1, 2), (1, 2)),
        ):
            edit, told = (
                with_tensor("value", "float", shape, numbers),
                f"a value of shape {list(shape)}",
            )
            name = f"value_{name}{ending}"
            yield forbidden(name, told, scalar, "value", value=1, value_as=given, edit=edit)
        more = {"value": 1, "value_shape": (1, 1), "value_as": given}
        yield forbidden(f"value_1x1{ending}", "a value of shape [1, 1]", scalar, "value", **more)
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
                same,
                "value",
                type=kind,
                value=b"1" if kind == "string" else 1,
                value_as=given,
                edit=with_tensor("value", other, [], (1,)),
            )
    edit, told = (
        with_tensor("value", "double", [], (1,)),
        "a value of double for float; edge needs none",
    )
    name = "value_double_for_float_edge"
    yield forbidden(name, told, same, "value", mode="edge", value=1, edit=edit)


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

    def wrong(name, shows, reason, says, edit, opset=USUAL, **more):
        return forbidden(f"form_{name}", shows, reason, says, opset=opset, edit=edit, **more)

    absent, old, required = "pads.required", "old.attributes", "pads are required"
    since = "pads and value are inputs since version 11"
    for opset in (11, 13, USUAL, NEWEST):
        yield wrong(
            f"no_pads_opset{opset}", "pads are not given", required, absent, without_pads, opset
        )
        name, told = f"pads_attribute_opset{opset}", "pads are an attribute"
        yield wrong(name, told, since, absent, pads_as_attribute, opset)
        name, told = f"value_attribute_opset{opset}", "the value is an attribute"
        yield wrong(name, told, since, "value", with_attribute("value", 2.0), opset)
    yield wrong("pads_without_name", "the name of pads is empty", required, absent, with_empty_name)
    for opset in (1, 2, 10):
        told = "no attribute " + ("paddings" if opset == 1 else "pads")
        yield wrong(f"no_pads_opset{opset}", told, required, old, without_attributes, opset)
        told = f"pads are an input, opset {opset}"
        yield wrong(f"pads_input_opset{opset}", told, since, old, at_opset(opset))
        told = "the value is an input"
        yield wrong(f"value_input_opset{opset}", told, since, old, with_input("value"), opset)
    told, reason = "the attribute pads at opset 1", "its name is paddings in version 1"
    yield wrong("pads_opset1", told, reason, old, renamed("paddings", "pads"), 1)
    told, reason = "the attribute paddings at opset 2", "its name is pads since version 2"
    yield wrong("paddings_opset2", told, reason, old, renamed("pads", "paddings"), 2)
    told, edit = "the attribute pads has floats", with_attribute("pads", [0.0, 1.0, 0.0, 2.0])
    yield wrong("pads_floats", told, "pads are integers", old, edit, 2)
    told, edit = "the attribute value is an integer", with_attribute("value", 2)
    yield wrong("value_integer", told, "value is a float", "old.value", edit, 2)
    told, edit = "the attribute mode is an integer", with_attribute("mode", 0)
    yield wrong("mode_integer", told, "mode is a string", "modes", edit)
    told, edit = "axes are an attribute", with_attribute("axes", [0, 1])
    yield wrong("axes_attribute", told, "axes are an input", "axes", edit)
    told, edit = "an attribute that Pad does not have", with_attribute("extra", 1)
    yield wrong("unknown_attribute", told, "Pad has no attribute extra", "modes", edit)
    reason, more = "Pad has at most four inputs", {"value": 1.0, "axes": (0, 1)}
    yield wrong("fifth_input", "five inputs", reason, "axes", with_input("extra"), **more)
    yield wrong("no_data", "data is not given", "data is required", "pads.amounts", without_data)


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
