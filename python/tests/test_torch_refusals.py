"""Wrong calls of tensorpad.torch: each way that a call may go gives the same error, with the same sentence.

The sentences are those of tensorpad.pad, pad_to and pad_batch of the arrays.
"""

import inspect

import numpy as np
import pytest
import tensorpad
from fake_torch import torch_for

torch = torch_for(__file__, "wrong calls of tensorpad.torch")
import tensorpad.torch as tt
from torch.autograd import forward_ad


class Own(torch.Tensor):
    pass


def with_tangents(call, *xs):
    with forward_ad.dual_level():
        return call(*(forward_ad.make_dual(x, x) for x in xs))


WAYS = {
    "plain": lambda call, *xs: call(*xs),
    "gradient": lambda call, *xs: call(*(x.clone().requires_grad_() for x in xs)),
    "vmap": lambda call, *xs: torch.vmap(call)(*(torch.stack([x, x]) for x in xs)),
    "meta": lambda call, *xs: call(*(x.to("meta") for x in xs)),
    "tangent": with_tangents,
    "subclass": lambda call, *xs: call(*(x.as_subclass(Own) for x in xs)),
}

PADS = [
    {"mode": "edge", "constant_values": 3},
    {"mode": "mirror"},
    {"mode": "mean"},
    {"order": "first"},
    {"pad_width": (1, 1, 1, 1)},
    {"pad_width": 1.5},
    {"pad_width": {2: 1}},
    {"pad_width": {0: 1}, "axes": 0},
    {"pad_width": -2},
    {"pad_width": 2**62},
    {"axes": (0, 0)},
    {"axes": (0, 2)},
    {"axes": 1.0},
    {"interior": -1},
    {"interior": 1, "constant_values": (1, 2)},
    {"interior": (1, 1, 1)},
    {"constant_values": (1, 2, 3)},
    {"constant_values": "x"},
    {"constant_values": 3, "constant_axis": 0},
    {"constant_values": [1, 2], "constant_axis": 0},
    {"constant_values": [1, 2, 3, 1e6], "constant_axis": 0, "dtype": torch.float16},
    {"constant_values": [1, 2, 3, 1e300], "constant_axis": 0, "dtype": torch.bfloat16},
    {"constant_axis": 7, "constant_values": [1, 2]},
    {"constant_axis": 1.0, "constant_values": [1, 2]},
    {"mode": "edge", "shape": (0, 3)},
    {"mode": "wrap", "shape": (0, 0)},
    {"mode": "reflect", "shape": (0, 3), "pad_width": ((1, 1), (-3, 0))},
]
SIZES = [
    {"shape": 1},
    {"shape": True},
    {"shape": 4.0},
    {"shape": -1},
    {"shape": [4]},
    {"shape": np.array([4, 4, 4])},
    {"multiple": 0},
    {"multiple": 1.0},
    {"shape": 4, "align": "left"},
    {"shape": 4, "align": 2},
    {"shape": 4, "align": False},
    {"shape": 1, "too_long": "cut"},
    {"shape": 4, "mode": "mirror"},
    {"shape": 4, "mode": "edge", "constant_values": 2},
    {"shape": 4, "constant_values": 1e6, "dtype": torch.float16},
    {"shape": 4, "constant_values": 1e300, "dtype": torch.bfloat16},
    {"shape": 4, "constant_values": None},
    {"shape": 4, "constant_values": 1j},
    {"shape": 9, "mode": "edge", "shape_of_x": (2, 0)},
]
TO_SIZE = [{"square": (0,)}, {"square": (0, 1), "axes": 0}, {"shape": 4, "axes": (0, 5)}]
BATCHES = [
    {"shape": 4, "constant_values": (1, 2)},
    {"shape": 4, "constant_values": [1, 2], "constant_axis": 0},
    {"at_most": 2},
    {"at_most": -1},
    {"at_most": True},
    {"at_most": 2, "shape": 2},
    {"axes": 0},
    {"axes": 2},
    {"shape": (4, 4), "axes": 1},
    {"dtype_of_batch": torch.int32},
    {"max_length": 8},
]
CALLS = [
    *(("pad", words) for words in PADS),
    *(("pad_to", words) for words in SIZES + TO_SIZE),
    # pad_batch takes a mode for each axis, and a constant with it.
    *(("pad_batch", words) for words in SIZES + BATCHES if words.get("constant_values") != 2),
]


def call_of(function, words):
    """The call of tensors, and what it is called with."""
    words = dict(words)
    dtype = words.pop("dtype", torch.float32)
    extents = words.pop("shape_of_x", (2, 3))
    if function == "pad":
        extents = words.pop("shape", extents)
        width = words.pop("pad_width", 1)
        return lambda x: tt.pad(x, width, **words), [torch.ones(extents, dtype=dtype)]
    if function == "pad_to":
        return lambda x: tt.pad_to(x, **words), [torch.ones(extents, dtype=dtype)]
    words = {name.removesuffix("_of_batch"): word for name, word in words.items()}
    longer = tuple(extent + bool(extent) for extent in extents)
    items = [torch.ones(one, dtype=dtype) for one in (extents, longer)]
    return lambda *items: tt.pad_batch(items, **words), items


MODULES = [
    (tt.Pad, PADS, {"pad_width": 1}, ("mode", "order", "interior", "axes", "pad_width")),
    (tt.PadTo, SIZES, {}, ("align", "too_long", "mode", "shape", "multiple")),
]


@pytest.mark.parametrize(("kind", "calls", "defaults", "known"), MODULES)
def test_modules_check_their_arguments_when_they_are_made(kind, calls, defaults, known):
    """What is wrong for every tensor."""
    wrong = 0
    for words in calls:
        try:
            kind(**{**defaults, **{name: word for name, word in words.items() if name in known}})
        except (TypeError, ValueError):
            wrong += 1
    assert wrong >= 9
    for call in (
        lambda: tt.PadTo(multiples=4),
        lambda: tt.PadTo({0: 4}, too_long=["error", "cut"]),
        lambda: tt.Pad(1, ["edge", "mirror"]),
        lambda: tt.Pad(1, "edge", constant_values=torch.tensor(3)),
        lambda: tt.Pad(1, "edge", reflect_type="odd"),
        lambda: tt.Unpad(1.5),
        lambda: tt.Unpad(axes=(1, 1)),
    ):
        with pytest.raises((TypeError, ValueError)):
            call()
    tt.Pad([(1, 2), (3, -4)], {1: "edge"}, constant_values=(1, 2), interior=[0, 0])
    tt.PadTo((4, None), align=["end", 2], too_long={0: "crop"}, constant_values=torch.zeros(1))
    assert "multiple" in inspect.signature(tt.PadTo).parameters


def outcome(way, function, words):
    call, xs = call_of(function, words)
    with (
        pytest.raises((ValueError, TypeError, OverflowError, IndexError)) as caught,
        np.errstate(all="ignore"),
    ):
        WAYS[way](call, *xs)
    return type(caught.value), str(caught.value)


@pytest.mark.parametrize(("function", "words"), CALLS, ids=str)
def test_all_ways_refuse_alike(function, words):
    expected = outcome("plain", function, words)
    assert "\n" not in expected[1]
    for way in WAYS:
        assert outcome(way, function, words) == expected, way


@pytest.mark.parametrize("way", WAYS)
def test_numpys_integers_and_arrays_are_taken(way):
    x, y = torch.rand(2, 3), torch.rand(4, 1)
    for words in (
        {"shape": np.int64(6)},
        {"shape": np.array([6, 5])},
        {"multiple": np.array([4, 4])},
        {"shape": 6, "align": np.array([0, 1])},
        {"axes": np.array([0, 1]), "shape": 7},
    ):
        expected = tensorpad.pad_batch([x, y], **words)
        found = WAYS[way](lambda *items: tt.pad_batch(items, **words), x, y)
        assert found.shape[-2:] == expected.shape[-2:]
        if way in ("plain", "gradient"):
            assert torch.equal(found, expected)
    for axes in (np.array([0, 1]), np.array([1])):
        found = WAYS[way](lambda x: tt.pad(x, 1, constant_values=(1, 2), axes=axes), x)
        assert found.shape[-2:] == (4 if len(axes) == 2 else 2, 5)


@pytest.mark.parametrize("way", WAYS)
def test_pairs_of_constants_at_rank_0(way):
    x = torch.tensor(5.0)
    for words in ({"constant_values": (1, 2)}, {"constant_values": ((1, 2),)}):
        found = WAYS[way](lambda x: tt.pad(x, [], **words), x)
        assert found.shape in ((), (2,)) and (way == "meta" or (found == 5).all())


def test_messages_name_the_way_out():
    x, image = torch.zeros(2, 3), torch.zeros(8, 8, 3)
    for call, text in (
        (lambda: tt.pad(x, (1, 1, 1, 1)), r"tensorpad\.torch\.functional\.pad takes"),
        (lambda: tt.pad_to(image, (512, 512)), r"axes=\(0, 1\)"),
        (lambda: tt.pad(x.numpy(), 1), r"tensorpad\.pad pads a ndarray"),
        (lambda: tt.pad_to(x.numpy(), 1), r"tensorpad\.pad_to"),
        (lambda: tt.unpad(x.numpy(), 1), r"tensorpad\.unpad"),
        (lambda: tt.pad_batch([x], max_length=8), "did you mean shape"),
    ):
        with pytest.raises((TypeError, ValueError), match=text):
            call()
