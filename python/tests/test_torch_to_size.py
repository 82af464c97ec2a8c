"""tensorpad.torch.pad_to, unpad, pad_batch and their modules; the functions of tensorpad in graphs.

Expected values are tensorpad's own of arrays, and torch's slices, F.pad and pad_sequence.
"""

import random
import subprocess
import sys
import warnings

import numpy as np
import pytest
import tensorpad
from fake_torch import torch_for

torch = torch_for(__file__, "tensorpad.torch.pad_to, unpad and pad_batch")
import tensorpad.torch as tt
from gpu_standin import driver, gpu  # noqa: F401 (fixtures)
from tensorpad.torch import _to_size
from torch.autograd import gradcheck, gradgradcheck
from torch.nn.utils.rnn import pad_sequence
from torch_ways import MODES, NEVER_EXPORTING, converted, way  # noqa: F401 (a fixture)

F = torch.nn.functional
Dim = torch.export.Dim


def sizes_drawn(draw, rank):
    """The words of a pad_to that often crops."""

    def each(choices):
        return [draw.choice(choices) for _ in range(rank)]

    words = {
        "shape": each([None, 0, 3, 7, 12]),
        "multiple": each([None, 1, 2, 5, 8]),
        "align": each(["start", "center", "end", 0, 2, -1]),
        "too_long": each(["error", *_to_size.TOO_LONG]),
    }
    if rank > 1 and draw.random() < 0.3:
        words["square"] = (0, rank - 1)
    return words


def outcome(call):
    try:
        return call()
    except ValueError:
        return ValueError


# ---- Amounts -------------------------------------------------------------------------------------


def test_amounts_are_the_librarys():
    """What is traced is computed in Python."""
    draw = random.Random(5)
    refused = 0
    for _ in range(2000):
        extents = [draw.randint(0, 9) for _ in range(draw.randint(1, 3))]
        words = sizes_drawn(draw, len(extents))
        square = words.pop("square", None)

        def in_python():
            sizes = _to_size.read_sizes(len(extents), *words.values(), None, "start")
            targets = _to_size.targets_of(sizes, [extents], square)
            return _to_size.amounts_of(sizes, extents, targets)

        def by_library():
            shape, multiple, align, too_long = words.values()
            return tensorpad._core.fit_amounts(
                extents, shape, multiple, square, None, align, too_long
            )

        expected = outcome(by_library)
        assert outcome(in_python) == expected, (extents, words, square)
        refused += expected is ValueError
    assert 250 < refused < 1750


def test_random_calls(way):
    draw = random.Random(way)
    for _ in range(400):
        extents = [draw.randint(1, 9) for _ in range(draw.randint(1, 3))]
        words = {
            **sizes_drawn(draw, len(extents)),
            "mode": [draw.choice(MODES) for _ in extents],
            "constant_values": 7,
            "return_amounts": True,
        }
        x = torch.rand(extents)
        expected = outcome(lambda: tensorpad.pad_to(x.numpy(), **words))
        found = outcome(lambda: tt.pad_to(x, **words))
        if expected is ValueError:
            assert found is ValueError
            continue
        assert found[1] == expected[1] and torch.equal(found[0], torch.from_numpy(expected[0]))
        if min(map(min, found[1])) >= 0:
            assert torch.equal(tt.unpad(*found), x)


def test_words_are_those_of_tensorpad():
    x = torch.arange(6.0).reshape(2, 3)
    for words in (
        {"shape": 4},
        {"shape": {1: 5}, "align": {1: "end"}},
        {"multiple": 4, "axes": -1, "align": 1},
        {"shape": np.array([4, 4]), "mode": {0: "edge"}},
        {"shape": (3, 4), "constant_values": ((1, 2), (3, 4))},
        {"shape": 5, "axes": 1, "constant_values": [1, 2, 3, 4, 5], "constant_axis": 1},
        {"multiple": (2, 3), "square": (0, 1), "align": "start"},
    ):
        for given in (x, x.clone().requires_grad_()):
            expected = torch.from_numpy(tensorpad.pad_to(x.numpy(), **words))
            assert torch.equal(tt.pad_to(given, **words), expected)
            assert torch.equal(tensorpad.pad_to(given, **words), expected)
    made = tt.pad_to(torch.zeros([1] * 17 + [3]), 5, axes=-1, align="start")
    assert made.shape[-1] == 5


def test_unpad_refuses_what_tensorpad_refuses():
    for widths, message in (((-1, 0), "negative"), ((2, 2), "no array padded")):
        with pytest.raises(ValueError, match=message):
            tt.unpad(torch.zeros(3), widths)


# ---- Gradients -----------------------------------------------------------------------------------


def test_a_trace_of_unpad_holds_for_all_shapes():
    with warnings.catch_warnings():
        warnings.simplefilter("error", torch.jit.TracerWarning)
        traced = torch.jit.trace(lambda x: tt.unpad(x, 1), torch.zeros(3, 5))
    x = torch.rand(6, 7)
    assert torch.equal(traced(x), x[1:-1, 1:-1])


@pytest.mark.parametrize("mode", MODES)
def test_gradients(way, mode):
    x = torch.rand(3, 4, dtype=torch.float64, requires_grad=True)
    other = torch.rand(1, 4, dtype=torch.float64, requires_grad=True)
    words = {"mode": mode, "align": "end", "too_long": "crop_center"}
    checks = {"check_forward_ad": True, "check_batched_grad": True}
    assert gradcheck(lambda x: tt.pad_to(x, (5, 3), **words), x, **checks)
    assert gradcheck(lambda x: tensorpad.pad_to(x, (5, 3), **words), x, check_forward_ad=True)
    assert gradcheck(lambda *items: tt.pad_batch(items, mode=mode), (x, other), **checks)
    assert gradcheck(lambda x: tt.unpad(x, ((1, 0), (0, 2))), x, **checks)


def test_gradients_are_those_of_slices():
    x = torch.rand(2, 5, 6, requires_grad=True)
    made, amounts = tt.pad_to(x, multiple=4, axes=(1, 2), return_amounts=True)
    assert torch.equal(made, F.pad(x, (1, 1, 1, 2)))
    weights = torch.rand(made.shape)
    (found,) = torch.autograd.grad((made * weights).sum(), x)
    assert torch.equal(found, weights[:, 1:6, 1:7])
    inside = tt.unpad(made, amounts)
    assert inside.data_ptr() == made[:, 1:, 1:].data_ptr()
    (found,) = torch.autograd.grad(inside.square().sum(), x)
    torch.testing.assert_close(found, 2 * x.detach())


def test_transforms(way):
    x = torch.rand(3, 5, 7)
    call = lambda x: tt.unpad(*tt.pad_to(x.sin(), multiple=4, mode="edge", return_amounts=True))
    assert torch.equal(torch.vmap(call)(x), x.sin())
    grads = torch.vmap(torch.func.grad(lambda x: tt.pad_to(x, 8, mode="edge").sum()))(x)
    counts = np.pad(np.arange(35).reshape(5, 7), ((1, 2), (0, 1)), "edge")
    assert torch.equal(grads[0].flatten().long(), torch.from_numpy(np.bincount(counts.ravel())))
    batch = lambda a, b: tt.pad_batch([a, b], align="end")
    found = torch.vmap(batch)(x, x[:, 1:])
    assert torch.equal(found[2], batch(x[2], x[2, 1:]))


def test_pad_to_of_tensorpad_leads_here():
    from torch.autograd import forward_ad
    from torch.fx.experimental.proxy_tensor import make_fx

    call = lambda x: tensorpad.pad_to(x.sin(), 5, mode="wrap")
    x, y = torch.rand(3), torch.rand(3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch.jit is deprecated
        traced = torch.jit.trace(call, (x,))
    for made in (make_fx(call)(x), traced, torch.func.functionalize(call)):
        assert torch.equal(made(y), call(y))
    assert torch.equal(torch.vmap(call)(torch.stack([x, y]))[1], call(y))
    with forward_ad.dual_level():
        made = tensorpad.pad_to(forward_ad.make_dual(x, y), 5, align="start")
        assert forward_ad.unpack_dual(made).tangent.tolist() == [*y.tolist(), 0, 0]


def test_subclasses_come_out():
    class Own(torch.Tensor):
        pass

    x = torch.rand(3).as_subclass(Own)
    for made in (tt.pad_to(x, 4), tensorpad.pad_to(x, 4), tt.unpad(x, 1), tt.pad_batch([x, x[1:]])):
        assert type(made) is Own
    assert type(tensorpad.pad_to(x, 4, threads=1)) is torch.Tensor


# ---- pad_batch -----------------------------------------------------------------------------------


BATCHES = [
    {},
    {"shape": 4, "too_long": "crop_start"},
    {"multiple": 3, "align": "end", "mode": "edge"},
    {"shape": (6, None), "align": ("center", 1), "constant_values": -1},
    {"align": (-1, 2), "too_long": ("crop_end", "error")},
    {"axes": (0, 1), "at_most": (3, 2), "too_long": "crop", "align": ("end", "center")},
    {"at_most": {0: 9}, "multiple": 4, "mode": {1: "wrap"}},
    {"shape": {0: 1}, "align": 2, "too_long": "crop_end"},
    {"dtype": torch.float64, "constant_values": [1, 2, 3, 4, 5], "constant_axis": 0},
    {"buckets": [8, 16, 6]},
    {"buckets": {1: (2, 3)}, "multiple": {0: "power_of_two"}, "too_long": "crop"},
    {"multiple": "power_of_two", "at_most": 3, "too_long": "keep", "align": 1},
    {"constant_values": [1, 2.5, 3], "constant_axis": "item", "shape": 6, "align": "end"},
    {"device": "meta"},
]


@pytest.mark.parametrize("words", BATCHES)
def test_batches_are_those_of_tensorpad(way, words):
    items = [torch.rand(3, 4), torch.rand(5, 1), torch.rand(1, 2)]
    if words == {"device": "meta"}:
        for made in tt.pad_batch(items, mask=True, lengths=True, **words):
            assert made.device.type == "meta"
        assert made.shape == (3, 2)
        return
    expected = tensorpad.pad_batch(items, mask=True, lengths=True, **words)
    watched = [items[0].clone().requires_grad_(), *items[1:]]
    for given in (items, watched):
        found = tt.pad_batch(given, mask=True, lengths=True, **words)
        assert all(map(torch.equal, found, expected)) and found[0].dtype == expected[0].dtype
        assert torch.equal(tt.pad_batch(given, **words), expected[0])
        assert len(tt.pad_batch(given, mask=True, **words)) == 2


@pytest.mark.parametrize(
    "words", [one for one in BATCHES if "dtype" not in one and "device" not in one]
)
def test_derivatives_of_batches(way, words):
    items = [torch.rand(*shape, dtype=torch.float64) for shape in ((3, 4), (5, 1), (1, 2))]
    watched = [one.clone().requires_grad_() for one in items]

    def run(*given):
        return tt.pad_batch(given, **words)

    assert gradcheck(run, watched) and gradgradcheck(run, watched)
    assert gradcheck(lambda x: run(x, *items[1:]), watched[:1])
    rows = [torch.stack([one, 2 * one]) for one in items]
    mapped = torch.func.vmap(run)(*rows)
    assert torch.equal(mapped, torch.stack([run(*(one[k] for one in rows)) for k in (0, 1)]))


def test_a_batch_with_a_gradient_is_one_step():
    items = [torch.rand(n, 2, requires_grad=True) for n in (3, 5, 1)]
    made = tt.pad_batch(items, multiple=4)
    steps = made.grad_fn.next_functions
    assert [step.variable is one for (step, _), one in zip(steps, items)] == [True] * 3
    rows = [one.detach().half().requires_grad_() for one in items]
    tt.pad_batch(rows, dtype=torch.float64).sum().backward()
    assert [one.grad.dtype for one in rows] == [torch.float16] * 3


@pytest.mark.parametrize(
    "words", [{"buckets": [4, 8]}, {"multiple": "power_of_two"}, {"constant_axis": "item"}]
)
def test_compiled_and_exported_batches(words):
    if "constant_axis" in words:
        words = words | {"constant_values": [1, 2]}

    class Batch(torch.nn.Module):
        def forward(self, x, y):
            return tt.pad_batch([x, y], **words)

    torch._dynamo.reset()
    compiled = torch.compile(Batch(), backend="eager", fullgraph=True)
    for extents in ((3, 2), (3, 4), (7, 1)):
        items = [torch.rand(n) for n in extents]
        assert torch.equal(compiled(*items), tensorpad.pad_batch(items, **words))
    program = torch.export.export(Batch(), tuple(items))
    assert torch.equal(program.module()(*items), tensorpad.pad_batch(items, **words))


def test_pinned_batches_are_written_at_once(monkeypatch):
    """On a machine without CUDA: the batch is padded into the memory that would be pinned."""
    pinned = []

    def empty(shape, **words):
        pinned.append(torch.empty(shape, **words))
        return pinned[-1]

    monkeypatch.setattr(_to_size, "_pinned", empty)
    monkeypatch.setattr(
        torch.Tensor, "is_pinned", lambda one: one.data_ptr() == pinned[0].data_ptr()
    )
    monkeypatch.setattr(torch.Tensor, "pin_memory", lambda one: pytest.fail("a second copy"))
    for items in ([torch.rand(3), torch.rand(2)], [torch.rand(3, requires_grad=True)]):
        pinned.clear()
        made = tt.pad_batch(items, pin_memory=True)
        assert made.data_ptr() == pinned[0].data_ptr() and len(pinned) == 1
    with pytest.raises(RuntimeError, match="nonsense"):
        tt.pad_batch(items, device="nonsense")


def test_batches_of_one_axis():
    items = [torch.rand(n, requires_grad=True) for n in (3, 5, 1)]
    batch, lengths = tt.pad_batch(items, lengths=True)
    assert torch.equal(batch, pad_sequence(items, batch_first=True)) and lengths.tolist() == [
        3,
        5,
        1,
    ]
    batch.sum().backward()
    assert all(torch.equal(one.grad, torch.ones_like(one)) for one in items)
    assert tt.pad_batch([[1, 2], [3]], dtype=torch.int32).tolist() == [[1, 2], [3, 0]]


# ---- Modules -------------------------------------------------------------------------------------


class Net(torch.nn.Module):
    """A U-Net in small: it halves twice, and needs multiples of 4."""

    def __init__(self, mode="reflect"):
        super().__init__()
        self.pad = tt.PadTo(multiple=4, axes=(-2, -1), mode=mode, return_amounts=True)
        self.down = torch.nn.Conv2d(3, 3, 4, stride=4)
        self.up = torch.nn.ConvTranspose2d(3, 3, 4, stride=4)
        self.crop = tt.Unpad()

    def forward(self, x):
        padded, amounts = self.pad(x)
        return self.crop(self.up(self.down(padded)), amounts)


def by_hand(net, x):
    """The same by F.pad and a slice."""
    height, width = x.shape[2:]
    top, left = (-height % 4) // 2, (-width % 4) // 2
    padded = F.pad(x, (left, -width % 4 - left, top, -height % 4 - top), net.pad.words["mode"])
    return net.up(net.down(padded))[:, :, top : top + height, left : left + width]


def test_modules():
    x = torch.rand(1, 3, 9, 14, requires_grad=True)
    net = Net()
    found, expected = net(x), by_hand(net, x)
    assert torch.equal(found, expected)
    both = [torch.autograd.grad(one.square().sum(), x)[0] for one in (found, expected)]
    torch.testing.assert_close(*both)
    assert "multiple=4, axes=(-2, -1), mode='reflect'" in repr(net)
    with pytest.raises(TypeError, match="Unpad needs amounts"):
        tt.Unpad()(x)
    assert torch.equal(tt.Unpad(1, axes=(2,))(x), x[:, :, 1:-1])
    constant = torch.nn.Parameter(torch.tensor(2.0))
    module = tt.PadTo((4,), constant_values=constant)
    module(torch.zeros(3)).sum().backward()
    assert constant.grad == 1 and list(module.parameters()) == [constant]
    assert "constant_values" in repr(tt.PadTo(4, constant_values=torch.tensor(1.0)))
    assert list(tt.PadTo(4, constant_values=torch.tensor(1.0)).state_dict()) == ["constant_values"]


# ---- Graphs --------------------------------------------------------------------------------------


def compiled(call, **words):
    from torch._dynamo.testing import CompileCounterWithBackend

    torch._dynamo.reset()
    counter = CompileCounterWithBackend("aot_eager")
    return torch.compile(call, fullgraph=True, backend=counter, **words), counter


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect"])
def test_compile_makes_few_graphs_for_many_shapes(mode):
    net = Net(mode)
    fast, counter = compiled(net, dynamic=True)
    for extent in (9, 10, 14, 12, 33):
        x, y = (torch.rand(1, 3, extent, extent + 1).requires_grad_() for _ in range(2))
        y.data.copy_(x.data)
        found, expected = fast(x), net(y)
        torch.testing.assert_close(found, expected)
        found.square().sum().backward()
        expected.square().sum().backward()
        torch.testing.assert_close(x.grad, y.grad)
    assert counter.frame_count <= 2 + NEVER_EXPORTING


def test_compile_of_other_words():
    x = torch.rand(3, 9)
    for call in (
        lambda x: tt.pad_to(x, (4, 7), align=("start", "end"), too_long="crop_center"),
        lambda x: tt.pad_to(x, (4, 7), align="center", too_long={1: "crop_start"}),
        lambda x: tt.pad_to(x, {0: 8}, align=1, mode="edge"),
        lambda x: tt.pad_to(x, square=(0, 1), multiple=4, constant_values=2.0),
        lambda x: tt.pad_to(x, x.shape[1], align="start", too_long="crop_end"),
        lambda x: tt.unpad(x, {1: (1, 1)}, interior={1: 2}),
        lambda x: tt.pad_batch([x, x[1:, :4]], align="end", mask=True, lengths=True),
        lambda x: tt.pad_batch([x, x[1:, :4]], shape=(2, 9), too_long="crop_end", lengths=True),
        lambda x: tt.pad_batch([x, x[:, :4]], axes=1, at_most=6, too_long="crop", align="end"),
    ):
        found, expected = compiled(call, dynamic=True)[0](x), call(x)
        pairs = zip(found, expected) if isinstance(found, tuple) else [(found, expected)]
        assert all(torch.equal(*pair) for pair in pairs)
    with pytest.raises(Exception, match="(?s)align 'left' is not known|fullgraph|Unsupp|Observed"):
        compiled(lambda x: tt.pad_to(x, 12, align="left"))[0](x)
    with pytest.raises(Exception):  # noqa: B017 (torch's own errors)
        compiled(lambda x: tt.pad_to(x, 4))[0](x)


class Called(torch.nn.Module):
    def __init__(self, call):
        super().__init__()
        self.call = call

    def forward(self, x):
        return self.call(x)


EXPORTED = {
    "a net": Net(),
    "a net of constants": Net("constant"),
    "too long": Called(lambda x: tt.pad_to(x, {2: 14}, too_long="crop_center", mode="edge")),
    "squares": Called(lambda x: tt.pad_to(x, multiple=8, square=(2, 3), align="end")),
    "a batch": Called(lambda x: tt.pad_batch([x[0], x[0, :2, :, 1:]], lengths=True, mask=True)),
    "tensorpad": Called(lambda x: tensorpad.pad(tensorpad.pad_to(x, multiple=8), 1, "edge")),
}


@pytest.mark.parametrize("name", EXPORTED)
def test_export_of_fixed_extents(name):
    module, x = EXPORTED[name], torch.rand(1, 3, 9, 14)
    program = torch.export.export(module, (x,))
    for made in (program, program.run_decompositions(tt.decompositions())):
        torch.testing.assert_close(made.module()(x), module(x))


HEIGHTS = ({2: Dim("height", min=5, max=4096)},)
NO_SIZES = pytest.mark.skipif(
    NEVER_EXPORTING, reason="this torch exports amounts only of fixed extents"
)


@NO_SIZES
@pytest.mark.parametrize("name", [*EXPORTED, "symmetric", "wrap"])
def test_export_to_onnx(name):
    """Nets and all else for every height. With fixed amounts the translation writes a few nodes."""
    module = EXPORTED.get(name) or Net(name)
    _, run = converted(module, torch.rand(1, 3, 9, 14), dynamic_shapes=HEIGHTS)
    for height in (5, 12, 17):
        expected = module(x := torch.rand(1, 3, height, 14))
        first = expected[0] if isinstance(expected, tuple) else expected
        torch.testing.assert_close(run(x), first)
    table = {"custom_translation_table": tt.onnx_translations()}
    for fixed, wanted in (
        (tt.PadTo(multiple=8, axes=-1), ["Pad"]),
        (tt.PadTo(16, axes=-1, mode="symmetric", align="start"), ["Slice", "Concat"]),
        (tt.Unpad((1, 2), axes=-1), ["Slice"]),
    ):
        nodes, run = converted(fixed, x, **table)
        assert nodes == wanted and torch.equal(run(x), fixed(x))


@NO_SIZES
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("name", EXPORTED)
def test_export(name, strict):
    module = EXPORTED[name]
    x = torch.rand(1, 3, 9, 14)
    shapes = HEIGHTS
    program = torch.export.export(module, (x,), dynamic_shapes=shapes, strict=strict)
    plain = program.run_decompositions(tt.decompositions())
    assert "tensorpad" not in str(plain.graph)
    for height in (12, 17):
        x = torch.rand(1, 3, height, 14)
        expected = module(x)
        for made in (program.module()(x), plain.module()(x)):
            pairs = zip(made, expected) if isinstance(made, tuple) else [(made, expected)]
            for pair in pairs:
                torch.testing.assert_close(*pair)


def test_export_limits_the_range_to_what_fits():
    program = torch.export.export(
        Called(lambda x: tt.pad_to(x, 20)), (torch.rand(9),), dynamic_shapes=({0: Dim.AUTO},)
    )
    assert [one.upper for one in program.range_constraints.values()] == [20]


def test_functions_of_tensorpad_are_traced():
    x = torch.rand(3, 5, requires_grad=True)
    for call in (
        lambda x: tensorpad.pad(x, 1, "edge") + 1,
        lambda x: tensorpad.pad(array=x, pad_width=((1, 0), (0, 2)), constant_values=3),
        lambda x: tensorpad.pad_to(x, multiple=4, mode="wrap"),
        lambda x: tensorpad.unpad(x, 1, axes=0),
        lambda x: tt.pad_batch([x, x[1:]]),
    ):
        found = compiled(call)[0](x)
        assert torch.equal(found, call(x)) and found.requires_grad
    found = compiled(lambda x: tensorpad.pad_batch([x, x[1:]]))[0](x)
    assert torch.equal(found, tt.pad_batch([x, x[1:]]))
    found = compiled(lambda x: tensorpad.pad(x, 1, out=None, threads=2))[0](x)
    assert torch.equal(found, tt.pad(x, 1))
    out = torch.empty(5)
    call = lambda x: tensorpad.pad(x, 1, out=out) + 1  # not traced: a break of the graph
    assert torch.equal(
        torch.compile(call, backend="eager")(x[0, :3].detach()), call(x[0, :3].detach())
    )
    given = torch.compile(lambda x: tensorpad.pad(x, 1, "edge"), backend="eager")(np.arange(3))
    assert given.tolist() == [0, 0, 1, 2, 2]


def test_torch_compile_is_not_loaded_by_the_package():
    """It takes over a second. Whoever loads it, before or after, has the functions traced."""
    code = """
import sys, torch
if sys.argv[1] == "before": import torch._dynamo
import tensorpad, tensorpad.torch
if sys.argv[1] == "after": assert "torch._dynamo" not in sys.modules
call = torch.compile(lambda x: tensorpad.pad(x, 1), fullgraph=True, backend="eager")
assert call(torch.ones(1)).tolist() == [0, 1, 0]
assert not any("tensorpad" in type(one).__module__ for one in sys.meta_path)
"""
    for when in ("before", "after"):
        subprocess.run([sys.executable, "-c", code, when], check=True)
