"""tensorpad.torch.pad, Pad and functional.pad without gradients: what comes out, in what memory.

Expected values are those of the naive oracle and of torch.nn.functional.pad.
"""

import itertools
import math
import pickle
import random
import sys

import numpy as np
import pytest
import tensorpad
from fake_torch import torch_for

torch = torch_for(__file__, "tensorpad.torch.pad")
import tensorpad.torch
from gpu_standin import driver, gpu  # noqa: F401 (fixtures)
from tensorpad.torch import _pad, pad
from torch_ways import MODES, random_call, same, wanted, way  # noqa: F401 (a fixture)

F = torch.nn.functional
TYPES = [
    getattr(torch, name)
    for name in (
        "bool uint8 int8 uint16 int16 uint32 int32 uint64 int64 float16 bfloat16 float32 float64 "
        "complex32 complex64 complex128 float8_e4m3fn float8_e5m2"
    ).split()
]


def test_it_is_run(capsys):
    with capsys.disabled():
        print(f"\ntensorpad.torch.pad is tested with torch {torch.__version__}", end="")
    x = torch.zeros(2)
    assert _pad.is_plain(x) and _pad.is_plain(torch.nn.Parameter(x))


# ---- Elements ------------------------------------------------------------------------------------


def test_random_calls(way):
    draw = random.Random(way)
    for number in range(1500):
        shape, words = random_call(draw)
        x = torch.rand(shape)
        if number % 3 == 0 and len(shape) > 1:
            x = x.transpose(0, -1)
            words = {
                name: word[-1:] + word[1:-1] + word[:1] if isinstance(word, list) else word
                for name, word in words.items()
            }
        found = pad(x, constant_values=7, **words)
        expected = wanted(
            x, words["pad_width"], words["mode"], 7, words["interior"], words["order"]
        )
        assert same(found, expected), (shape, words)
        assert found.data_ptr() != x.data_ptr() or not found.numel()


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("mode", MODES)
def test_types(way, dtype, mode):
    draw = torch.Generator().manual_seed(1)
    x = torch.randint(0, 9, (3, 4, 5), generator=draw).to(dtype)
    for fill in (0, 1):
        found = pad(x, ((0, 1), (2, 0), (1, 2)), [mode] * 3, constant_values=fill)
        assert same(found, wanted(x, ((0, 1), (2, 0), (1, 2)), mode, fill))


@pytest.mark.parametrize(
    "kind", ["channels_last", "channels_last_3d", "transposed", "expanded", "view"]
)
@pytest.mark.parametrize("mode", MODES)
def test_layouts(way, kind, mode):
    x = torch.rand(2, 3, 4, 5)
    deep = x[..., None].repeat(1, 1, 1, 1, 2)
    given = {
        "channels_last": x.to(memory_format=torch.channels_last),
        "channels_last_3d": deep.to(memory_format=torch.channels_last_3d),
        "transposed": x.permute(3, 1, 0, 2),
        "expanded": x[:1].expand(4, 3, 4, 5),
        "view": torch.rand(2, 3, 8, 9)[:, :, 1:5, ::2],
    }[kind]
    widths = [(0, 0), (1, 1)] + [(2, 1)] * (given.dim() - 2)
    found = pad(given, widths, mode)
    assert same(found, wanted(given, widths, mode))
    formats = {kind: getattr(torch, kind) for kind in ("channels_last", "channels_last_3d")}
    assert found.is_contiguous(memory_format=formats.get(kind, torch.contiguous_format))


def test_memory_formats_are_torchs(way):
    """Also of tensors with gaps, and with axes of one cell, by whose strides torch decides."""
    draw = random.Random(9)
    for _ in range(300):
        shape = [draw.randint(1, 4) for _ in range(draw.choice([4, 4, 5]))]
        x = torch.rand(shape)
        if draw.random() < 0.7:
            last = torch.channels_last if len(shape) == 4 else torch.channels_last_3d
            x = x.to(memory_format=last)
        if draw.random() < 0.3:
            x = torch.cat([x, x], 1)[:, : shape[1]]
        if draw.random() < 0.3:
            x = x.repeat(1, 1, 1, 2, *[1] * (len(shape) - 4))[:, :, :, ::2]
        found = tensorpad.torch.functional.pad(x, (1, 1, 1, 1))
        assert found.stride() == F.pad(x, (1, 1, 1, 1)).stride(), (x.shape, x.stride())


def test_pads_that_do_nothing_are_copies(way):
    for x in (torch.rand(2, 3), torch.rand(3, 2).T, torch.rand(()), torch.rand(0, 3)):
        found = pad(x, 0, "reflect")
        assert torch.equal(found, x) and (found.data_ptr() != x.data_ptr() or not x.numel())


def test_empty_axes(way):
    assert pad(torch.rand(0, 2), ((1, 2), (0, 1)), constant_values=3).tolist() == [[3.0] * 3] * 3
    assert pad(torch.rand(0, 2), ((0, 0), (1, 1)), "reflect").shape == (0, 4)
    assert pad(torch.rand(3), (-4, 3), constant_values=2).tolist() == [2.0, 2.0]
    for mode in MODES[1:]:
        with pytest.raises(ValueError, match="axis 0"):
            pad(torch.rand(0, 2), ((1, 0), (0, 0)), mode)


@pytest.mark.parametrize(
    "values", [5, 1.5, (1, 2), ((1, 2), (3, 4)), ((7,),), np.float32(2), np.array([1, 2])], ids=str
)
def test_constants_are_numpys(way, values):
    x = torch.arange(6.0).reshape(2, 3)
    found = pad(x, ((1, 2), (0, 2)), constant_values=values)
    expected = np.pad(x.numpy(), ((1, 2), (0, 2)), constant_values=values)
    assert np.array_equal(found.numpy(), expected)


def test_constants(way):
    x = torch.arange(6.0).reshape(2, 3)
    found = pad(x, ((1, 0), (1, 1)), ["edge", "constant"], constant_values=(8, 9))
    assert found.tolist() == [[8, 0, 1, 2, 9], [8, 0, 1, 2, 9], [8, 3, 4, 5, 9]]
    assert pad(x, 1, axes=-1, constant_values=(8, 9)).tolist() == [[8, 0, 1, 2, 9], [8, 3, 4, 5, 9]]
    assert pad(x.long(), (0, 1), axes=0, constant_values=2.9).tolist()[-1] == [2, 2, 2]
    assert pad(x.cfloat(), (0, 1), axes=0, constant_values=1j)[-1].tolist() == [1j] * 3
    assert pad(x[0], 1, constant_values=(-0.0, 0.0)).signbit().tolist() == [True, *[False] * 4]
    words = {"mode": ["symmetric"] * 2, "order": "crop", "constant_values": ((1, 2), (3, 4))}
    assert pad(torch.rand(4, 2), [(5, -5), (-1, -1)], **words).shape == (4, 0)
    found = pad(x.double(), 1, axes=0, constant_values=[0.1, 0, 0.1], constant_axis=1)
    assert found[0, 0] == 0.1
    for dtype, value, held in (
        (torch.float32, 1e300, float("inf")),
        (torch.uint8, 255, 255),
        (torch.float16, 1e6, float("inf")),
        (torch.int64, 2**53 + 1, 2**53 + 1),
    ):
        with np.errstate(over="ignore"):
            assert pad(torch.zeros(1).to(dtype), (0, 1), constant_values=value)[1].item() == held
    for value in (300, -1):
        with pytest.raises(OverflowError):
            pad(torch.zeros(1, dtype=torch.uint8), 1, constant_values=value)
    with pytest.raises(ValueError, match="needs a list of constants|shape"):
        pad(x, 1, constant_values=3, constant_axis=0)
    with pytest.raises(ValueError, match="interior there can be only one"):
        pad(x, 1, interior=1, constant_values=(1, 2))


@pytest.mark.parametrize(
    "widths", [((1, 1), (-1, 3)), ((-4, 2), (2, -1)), ((1, -1), (-6, 5)), ((0, 0), (0, 0))]
)
def test_constants_of_sides_beside_crops(way, widths):
    x = torch.arange(12.0).reshape(3, 4).double()
    for order, mode in itertools.product(("window", "crop"), ("constant", ["constant", "reflect"])):
        words = {"constant_values": ((0.1, 2), (3, 4)), "order": order}
        try:
            expected = tensorpad.pad(x.numpy(), widths, mode, **words)
        except ValueError:
            continue
        found = pad(x, widths, mode, **words)
        assert np.array_equal(found.numpy(), expected) and found.data_ptr() != x.data_ptr()


@pytest.mark.parametrize("make", [list, torch.tensor, np.array], ids=["list", "tensor", "array"])
def test_a_constant_for_each_channel(way, make):
    image = torch.rand(2, 3, 4, 5)
    widths = (1, 2), (3, -1)
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        given, words = image.to(dtype), {"axes": (2, 3), "constant_axis": 1}
        found = pad(given, widths, constant_values=make([0.25, 0.5, 1.0]), **words)
        for channel, value in enumerate((0.25, 0.5, 1.0)):
            expected = wanted(given[:, channel], ((0, 0), *widths), fill=value)
            assert same(found[:, channel], expected)
    last = image.to(memory_format=torch.channels_last)
    found = pad(last, 1, axes=(2, 3), constant_values=make([1.0, 2.0, 3.0]), constant_axis=-3)
    assert found.is_contiguous(memory_format=torch.channels_last)
    assert found[0, :, 0, 0].tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="axis 1 of the result has 3 cells"):
        pad(image, 1, axes=-1, constant_values=make([1.0, 2.0]), constant_axis=1)


def test_constants_that_are_tensors(way):
    x = torch.arange(3.0)
    assert pad(x, 1, constant_values=torch.tensor(2)).tolist() == [2, 0, 1, 2, 2]
    found = pad(x, 1, interior=1, constant_values=torch.tensor([5.0]))
    assert found.tolist() == [5, 0, 5, 1, 5, 2, 5]


@pytest.mark.parametrize(
    "words, text",
    [
        ({"mode": "mirror"}, "mode 'mirror' is not supported"),
        ({"mode": "mean"}, "mean"),
        ({"order": "both"}, "order has to be 'window' or 'crop', got 'both'"),
        ({"pad_width": (1, 2), "order": None}, "order has to be 'window' or 'crop', got None"),
        ({"pad_width": -2}, "axis 0"),
        ({"pad_width": [(1, 1)] * 3}, "broadcast|pad_width"),
        ({"axes": 2}, "axis 2 is out of bounds"),
        ({"axes": (0, 0)}, "twice|repeated|0"),
        ({"pad_width": {0: 1}, "axes": 0}, "axes cannot be given when pad_width is a dict"),
        ({"pad_width": 2**62}, "axis 0|63 bits"),
    ],
)
def test_errors(way, words, text):
    with pytest.raises(ValueError, match=text):
        pad(torch.rand(2, 3), **{"pad_width": 1} | words)


# ---- torch.nn.functional.pad ---------------------------------------------------------------------


def answer(call):
    try:
        return call()
    except (RuntimeError, NotImplementedError, ValueError):
        return None


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_constants_are_rounded_to_nearest_even(dtype):
    """Into float16 at once, as NumPy does it; into bfloat16 by way of float32, as torch does it."""
    random = np.random.default_rng(3)
    ties = [1 + n * 2.0**power for n in (1, 3) for power in (-8, -9, -11, -12)]
    ties += [one + nudge for one in ties for nudge in (2**-30, -(2**-30))]
    values = [0, -0.0, 0.1, 255, 257, 2049, 2**-14, 2**-15, 65504, 3.38e38, 1e-40, math.inf, *ties]
    values += (random.normal(size=500) * 10.0 ** random.integers(-9, 4, 500)).tolist()
    for value in values:
        if dtype == torch.float16 and 65504 < abs(value) < math.inf:
            continue
        found = tensorpad.torch.functional.pad(torch.zeros(1, dtype=dtype), (1, 0), value=value)[0]
        expected = torch.tensor(value, dtype=torch.float64).to(dtype)
        if dtype == torch.float16:
            expected = torch.from_numpy(np.float64([value]).astype(np.float16))[0]
        assert same(found, expected), value


def test_functional_is_torchs_wherever_torch_answers(way):
    draw = random.Random(4)
    answered = 0
    for _ in range(3000):
        shape = [draw.randint(1, 5) for _ in range(draw.randint(1, 5))]
        count = draw.randint(0, len(shape))
        amounts = [draw.choice([0, 1, 2, 3, -1, -2]) for _ in range(2 * count)]
        mode = draw.choice(["constant", "reflect", "replicate", "circular"])
        value = draw.choice([None, 0, 2.5, float("nan")]) if mode == "constant" else None
        x = torch.rand(shape, dtype=draw.choice([torch.float32, torch.float64, torch.float16]))
        expected = answer(lambda: F.pad(x, amounts, mode, value))
        if expected is None or (mode == "circular" and min(amounts, default=0) < 0):
            continue
        answered += 1
        found = tensorpad.torch.functional.pad(x, amounts, mode, value)
        assert same(found, expected), (shape, amounts, mode, value)
    assert answered > 700


def test_functional_beyond_torch(way):
    functional = tensorpad.torch.functional.pad
    x = torch.arange(4)
    assert functional(x, (2, 3), "symmetric").tolist() == [1, 0, 0, 1, 2, 3, 3, 2, 1]
    assert functional(x, (5, 0), "reflect").tolist() == [1, 2, 3, 2, 1, 0, 1, 2, 3]
    assert functional(torch.arange(5), (-1, 3), "circular").tolist() == [1, 2, 3, 4, 1, 2, 3]
    assert functional(x.reshape(2, 2), (0, 0, 1, 0), "reflect").tolist() == [[2, 3], [0, 1], [2, 3]]
    with pytest.raises(ValueError, match="mode 'mirror' is not supported"):
        functional(x, (1, 1), "mirror")
    with pytest.raises(ValueError, match="takes no value"):
        functional(x, (1, 1), "reflect", 1)
    assert functional(x, (1, 0), "reflect", 0).tolist() == [1, 0, 1, 2, 3]
    assert torch.signbit(functional(torch.zeros(1), (1, 0), value=-0.0)).tolist() == [True, False]
    for amounts in ((1,), (1, 1, 1, 1)):
        with pytest.raises(ValueError, match="it needs two for each of at most 1 axes"):
            functional(x, amounts)


def test_constants_that_torch_refuses(way):
    """Those that the type holds, exactly. The others are an error, as in torch: no element is infinite."""
    functional = tensorpad.torch.functional.pad
    for dtype, value in (
        (torch.int64, 2**63 - 1),
        (torch.int64, -(2**63)),
        (torch.int64, 2**53 + 1),
        (torch.uint8, 255),
        (torch.float16, 65504),
        (torch.float16, float("inf")),
    ):
        assert functional(torch.zeros(1, dtype=dtype), (1, 0), value=value).tolist() == [value, 0]
    for dtype, value in (
        (torch.float16, 70000),
        (torch.bfloat16, 1e39),
        (torch.float32, -1e300),
        (torch.complex64, 1e39),
        (torch.int64, 2**63),
        (torch.uint8, 300),
    ):
        x = torch.zeros(3, dtype=dtype)
        torchs = answer(lambda: F.pad(x, (1, 0), value=value))
        assert torchs is None or value == 2**63  # torch 2.6 lets it wrap around
        assert same(functional(x, (-1, 0), value=value), x[1:])
        words = "holds numbers|out of bounds|too large|overflow"
        with pytest.raises((OverflowError, RuntimeError), match=words):
            functional(x, (1, 0), value=value)


# ---- Odd mirrors ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [name for name in TYPES if tensorpad.torch._pad._own_type(name)])
@pytest.mark.parametrize("mode", ["reflect", "symmetric"])
def test_odd_mirrors_are_numpys(mode, dtype):
    """The same bits, far beyond the axis, too."""
    draw = random.Random(str(dtype))
    for _ in range(20):
        shape = [draw.randint(1, 6) for _ in range(draw.randint(1, 4))]
        widths = [(draw.choice([0, 1, 3, 20]), draw.choice([0, 2, 9])) for _ in shape]
        array = (np.random.default_rng(len(shape)).standard_normal(shape) * 50).astype(
            tensorpad.torch._pad._own_type(dtype)
        )
        x = torch.from_numpy(array)
        x = x.T if x.dim() == 2 else x
        widths = widths[::-1] if x.dim() == 2 else widths
        found = pad(x, widths, mode, reflect_type="odd")
        expected = np.pad(x.numpy(), widths, mode, reflect_type="odd")
        assert same(found, torch.from_numpy(np.asarray(expected))), (shape, widths)
        assert found.is_contiguous() and (found.data_ptr() != x.data_ptr() or not found.numel())


def test_odd_mirrors_of_bool():
    for bits, widths in (
        ([True, False], (1, 0)),
        ([False, True], (3, 0)),
        ([[False, True], [True, True]], 1),
    ):
        expected = np.pad(np.array(bits), widths, "reflect", reflect_type="odd")
        for call in pad, tensorpad.pad:
            found = call(torch.tensor(bits), widths, "reflect", reflect_type="odd")
            np.testing.assert_array_equal(found.numpy(), expected)


def test_words_of_odd_mirrors():
    x = torch.rand(2, 3, 4, 5).to(memory_format=torch.channels_last)
    module = tensorpad.torch.Pad({-1: (2, 1)}, "reflect", reflect_type="odd")
    expected = np.pad(x.numpy(), ((0, 0),) * 3 + ((2, 1),), "reflect", reflect_type="odd")
    for found in (module(x), pad(x, (2, 1), "reflect", axes=-1, reflect_type="odd")):
        assert torch.equal(found, torch.from_numpy(expected))
        assert found.is_contiguous(memory_format=torch.channels_last)
    assert "reflect_type='odd'" in repr(module)
    grown = x.clone().requires_grad_()
    for kind in ("odd", "even"):
        found = tensorpad.pad(grown, 1, "symmetric", reflect_type=kind)
        assert found.requires_grad
        assert np.array_equal(
            found.detach().numpy(), np.pad(x.numpy(), 1, "symmetric", reflect_type=kind)
        )
    for words, text in (
        ({"mode": "edge"}, "'odd' with the mode 'reflect' or 'symmetric', got 'odd' with 'edge'"),
        ({"mode": ["reflect"] * 4}, "got 'odd' with"),
        ({"reflect_type": "both"}, "got 'both'"),
        ({"pad_width": -1}, "neither crops nor has an interior"),
        ({"interior": 1}, "neither crops nor has an interior"),
    ):
        with pytest.raises(ValueError, match=text):
            pad(x, **{"pad_width": 1, "mode": "reflect", "reflect_type": "odd"} | words)
    with pytest.raises(ValueError, match="axis 0: there is no cell that the mode could repeat"):
        pad(torch.rand(0, 2), 1, "reflect", reflect_type="odd")


def test_a_module():
    module = tensorpad.torch.Pad(((0, 0), (0, 0), (1, 1), (1, 1)), "symmetric")
    x = torch.rand(1, 2, 3, 4)
    assert torch.equal(module(x), pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), "symmetric"))
    assert "mode='symmetric'" in repr(module)
    again = pickle.loads(pickle.dumps(tensorpad.torch.Pad(1, constant_values=2, axes=-1)))
    assert again(x)[0, 0, 0].tolist() == [2.0, *x[0, 0, 0].tolist(), 2.0]
    assert repr(again) == "Pad(1, mode='constant', constant_values=2, axes=-1)"
    learned = tensorpad.torch.Pad(1, constant_values=torch.nn.Parameter(torch.tensor(2.0)))
    assert [name for name, _ in learned.named_parameters()] == ["constant_values"]
    assert learned.double().state_dict()["constant_values"].dtype == torch.float64
    colours = torch.tensor([1.0, 2])
    kept = tensorpad.torch.Pad(1, axes=1, constant_values=colours, constant_axis=0)
    assert list(kept.state_dict()) == ["constant_values"]
    assert kept(torch.zeros(2, 1))[:, 0].tolist() == [1, 2]
    with pytest.raises(TypeError, match="unexpected keyword"):
        tensorpad.torch.Pad(1, constant=2)
    first = tensorpad.torch.Pad(1, "symmetric", axes=(-2, -1))
    net = torch.nn.Sequential(first, torch.nn.Conv2d(2, 4, 3))
    assert net(x).shape == (1, 4, 3, 4)


# ---- Where the door is ---------------------------------------------------------------------------


def test_tensorpad_pad_leads_here():
    x = torch.rand(3, requires_grad=True)
    tensorpad.pad(x, 1, "reflect").sum().backward()
    assert x.grad.tolist() == [1, 3, 1]
    assert tensorpad.pad(torch.empty(2, 3, device="meta"), 1).shape == (4, 5)
    assert tensorpad.pad(x.detach(), 1, "mean").shape == (5,)
    assert not tensorpad.pad(x.detach(), 1).requires_grad
    with torch.no_grad():
        assert not tensorpad.pad(x, 1).requires_grad
    for words in ({"out": torch.empty(5)}, {"threads": 1}):
        with pytest.raises(TypeError, match="requires grad"):
            tensorpad.pad(x, 1, **words)


# ---- Other tensors -------------------------------------------------------------------------------


class Named(torch.Tensor):
    """A subclass that keeps a label, as torch documents it."""

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        made = super().__torch_function__(function, types, args, kwargs or {})
        if isinstance(made, cls) and isinstance(args[0], cls):
            made.label = getattr(args[0], "label", None)
        return made


def test_subclasses_stay(way):
    x = torch.rand(2, 3).as_subclass(Named)
    x.label = "an image"
    functional = tensorpad.torch.functional.pad
    for found in (pad(x, 1, "edge"), functional(x, (1, 1)), tensorpad.pad(x, 1)):
        assert type(found) is Named and found.label == "an image"
    out = torch.empty(4, 5)
    assert tensorpad.pad(x, 1, out=out) is out
    assert torch.equal(out, pad(x, 1).as_subclass(torch.Tensor))
    assert tensorpad.pad(x, 1, threads=1).shape == (4, 5)
    assert type(pad(torch.nn.Parameter(torch.rand(2)), 1)) is torch.Tensor


def test_conjugates_and_negatives(way):
    x = torch.rand(3, dtype=torch.complex64)
    for given in (x.conj(), x.conj().imag):
        expected = wanted(given.resolve_conj().resolve_neg().clone(), [(1, 2)], "reflect")
        assert same(pad(given, (1, 2), "reflect").resolve_conj().resolve_neg(), expected)


def test_meta_and_fake_tensors():
    from torch._subclasses import FakeTensorMode

    draw = random.Random(8)
    for _ in range(200):
        shape, words = random_call(draw)
        x = torch.rand(shape)
        if len(shape) == 4 and draw.random() < 0.5:
            x = x.to(memory_format=torch.channels_last)
        expected = pad(x, **words)
        with FakeTensorMode() as mode:
            fake = pad(mode.from_tensor(x), **words)
        for found in (pad(x.to("meta"), **words), fake):
            assert (found.shape, found.dtype) == (expected.shape, x.dtype)
            assert found.stride() == expected.stride() or 1 in found.shape, (shape, words)


def test_default_devices_and_modes_do_not_matter():
    x = torch.rand(3)
    with torch.device("meta"):
        assert pad(x, 1).device.type == "cpu"
    with torch.inference_mode():
        assert torch.equal(pad(torch.ones(2), 1), torch.tensor([0.0, 1, 1, 0]))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert pad(x, 1).dtype == torch.float32
    torch.use_deterministic_algorithms(True)
    try:
        x = torch.rand(3, 4, requires_grad=True)
        pad(x, 9, "reflect").sum().backward()
    finally:
        torch.use_deterministic_algorithms(False)


# ---- Threads -------------------------------------------------------------------------------------


def test_no_more_threads_than_torch(monkeypatch):
    asked = []
    threads = torch.get_num_threads

    def counted():
        asked.append(1)
        return threads()

    # The extension asks what it is given; with an older torch Python asks.
    module = sys.modules["tensorpad.torch._pad"]
    monkeypatch.setattr(module, "ASKED", (*module.ASKED[:-1], counted))
    monkeypatch.setattr(torch, "get_num_threads", counted)
    tensorpad.set_threads(2)
    try:
        large = torch.rand(64, 3, 64, 64)
        expected = F.pad(large, (1, 1, 1, 1), "circular")
        assert same(pad(large, 1, "wrap", axes=(2, 3)), expected)
        assert asked
    finally:
        tensorpad.set_threads(None)


class Padded(torch.utils.data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, number):
        return pad(torch.full((64, 64), float(number)), 3, "reflect"), torch.get_num_threads()


def test_workers_of_a_loader():
    found = list(torch.utils.data.DataLoader(Padded(), num_workers=2))
    assert [one[0].shape for one in found] == [(1, 70, 70)] * 4
    assert all((one[0] == number).all() and one[1] == 1 for number, one in enumerate(found))
