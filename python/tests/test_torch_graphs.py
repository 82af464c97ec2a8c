"""tensorpad.torch.pad where torch makes graphs: torch.compile, torch.export, ONNX, make_fx, traces."""

import io
import random

import pytest
from fake_torch import torch_for

torch = torch_for(__file__, "tensorpad.torch in graphs")
import tensorpad.torch
from tensorpad.torch import Pad, _pad, functional, pad
from torch.fx.experimental.proxy_tensor import make_fx
from torch_ways import MODES, NEVER_EXPORTING, converted, random_call, same

WIDTHS = [(0, 0), (0, 0), (1, 2), (3, -1)]


def image(height=6, width=7):
    return torch.rand(2, 3, height, width)


# ---- Words ---------------------------------------------------------------------------------------


PAD_WIDTHS = 3, (1, 2), [1, 2], [(1, 2)], [[3]], [(1, 2), (3, 4), (5, 6)]
PAD_WIDTHS += ((1, 2), (3, -4), (0, 0)), {0: 1, -1: (2, 3)}
WORDS = [{}, {"mode": "edge"}, {"mode": ["edge", "wrap", "constant"]}, {"mode": {1: "reflect"}}]
WORDS += [{"interior": 2}, {"interior": [1, 0, 2]}, {"interior": {0: 1}}, {"order": "crop"}]


@pytest.mark.parametrize("pad_width", PAD_WIDTHS)
@pytest.mark.parametrize("words", WORDS)
def test_words_are_read_as_by_the_extension(pad_width, words):
    given = {"mode": "constant", "interior": 0, "order": "window"} | words
    for axes in (None, (0, 1, 2), (-1, 0, 1)) if not isinstance(pad_width, dict) else (None,):
        more = (given["mode"], given["interior"], given["order"], axes)
        assert _pad.read_amounts(3, pad_width, *more) == tensorpad._core.axes(3, pad_width, *more)


@pytest.mark.parametrize(
    "words",
    [
        {"pad_width": [1, 2, 3]},
        {"pad_width": [(1, 2)] * 2},
        {"mode": "mirror"},
        {"mode": ["edge"] * 2},
        {"interior": [1]},
        {"order": "both"},
        {"axes": 3},
        {"axes": (0, -3)},
        {"pad_width": {3: 1}},
        {"pad_width": {0: 1}, "axes": 0},
    ],
)
def test_wrong_words_are_refused_as_by_the_extension(words):
    given = {"pad_width": 1, "mode": "constant", "interior": 0, "order": "window", "axes": None}
    given |= words
    for read in (_pad.read_amounts, tensorpad._core.axes):
        with pytest.raises((ValueError, IndexError)):
            read(3, *given.values())


# ---- torch.compile -------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["window", "crop"])
@pytest.mark.parametrize("mode", MODES)
def test_compile_makes_one_graph_for_many_shapes(mode, order):
    from torch._dynamo.testing import CompileCounterWithBackend

    def call(x):
        return pad(x * 2, WIDTHS, mode, order=order) + 1

    torch._dynamo.reset()
    counter = CompileCounterWithBackend("aot_eager")
    compiled = torch.compile(call, fullgraph=True, backend=counter)
    for extent in (6, 7, 9, 12, 8):
        x, y = (image(extent, extent + 1).requires_grad_() for _ in range(2))
        y.data.copy_(x.data)
        found, expected = compiled(x), call(y)
        assert torch.equal(found, expected)
        for one in (found, expected):
            one.square().sum().backward()
        torch.testing.assert_close(x.grad, y.grad)
    assert counter.frame_count <= 2


@pytest.mark.parametrize("mode", ["reflect", "symmetric"])
def test_odd_mirrors_in_graphs(mode):
    module = Pad([(0, 0), (0, 0), (1, 2), (3, 0)], mode, reflect_type="odd")
    program = torch.export.export(module, (image(),), **any_extent())
    _, run = converted(module, image(), **any_extent())
    torch._dynamo.reset()
    compiled = torch.compile(module, fullgraph=True, dynamic=True)
    for height in (9, 5):
        expected = module(x := image(height))
        for found in (compiled(x), program.module()(x), run(x)):
            torch.testing.assert_close(found, expected)


def test_compile_by_inductor():
    torch._dynamo.reset()
    for mode in MODES:

        def call(x):
            return pad(x.sin(), WIDTHS, [mode] * 4, constant_values=2).cos()

        x = image().to(memory_format=torch.channels_last).requires_grad_()
        (found,) = torch.autograd.grad(torch.compile(call, fullgraph=True)(x).sum(), x)
        (expected,) = torch.autograd.grad(call(x).sum(), x)
        torch.testing.assert_close(found, expected)


def test_compile_with_other_words():
    torch._dynamo.reset()
    for call in (
        lambda x: functional.pad(x, (1, 2, 3, -1), "circular"),
        lambda x: pad(x, 1, axes=(2, 3), constant_values=[1.0, 2.0, 3.0], constant_axis=1),
        lambda x: pad(x, {2: 1}, constant_values=(3, 4)),
        lambda x: pad(x, 1, "symmetric", interior={3: 2}, constant_values=5),
        lambda x: pad(x, ((0, 0), (9, 1), (1, 2), (0, 3)), "reflect", reflect_type="odd"),
        lambda x: tensorpad.pad(x, 1, "symmetric", axes=-1, reflect_type="odd"),
        Pad(WIDTHS, "wrap"),
    ):
        assert torch.equal(
            torch.compile(call, fullgraph=True, backend="aot_eager")(x := image()), call(x)
        )


def test_compile_with_amounts_that_are_symbols():
    torch._dynamo.reset()
    compiled = torch.compile(
        lambda x, k: pad(x, k, "reflect", axes=(2, 3)),
        fullgraph=True,
        dynamic=True,
        backend="aot_eager",
    )
    for amount in (1, 2, 3):
        assert torch.equal(compiled(x := image(), amount), pad(x, amount, "reflect", axes=(2, 3)))


# ---- torch.export --------------------------------------------------------------------------------


def any_extent(axis=2, least=5):
    return {"dynamic_shapes": ({axis: torch.export.Dim("extent", min=least, max=100)},)}


def operators(program):
    return [str(node.target) for node in program.graph.nodes if node.op == "call_function"]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("mode", MODES)
def test_export(mode, strict):
    program = torch.export.export(Pad(WIDTHS, mode), (image(),), strict=strict, **any_extent())
    if not NEVER_EXPORTING:
        assert [one for one in operators(program) if "sym" not in one] == ["tensorpad.pad.default"]
    file = io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    plain = program.run_decompositions(tensorpad.torch.decompositions())
    known = "aten.", "<built-in", "<function sym_max"
    assert all(one.startswith(known) for one in operators(plain))
    x = image(9)
    for each in (torch.export.load(file), program, plain):
        assert torch.equal(each.module()(x), pad(x, WIDTHS, mode))
    assert plain.module()(x).stride() == pad(x, WIDTHS, mode).stride()


class ToAMultiple(torch.nn.Module):
    def __init__(self, mode):
        super().__init__()
        self.mode = mode

    def forward(self, x):
        more = -x.shape[2] % 8
        return functional.pad(x, (0, 0, more // 2, more - more // 2), self.mode)


@pytest.mark.skipif(NEVER_EXPORTING, reason="this torch exports amounts only of fixed extents")
@pytest.mark.parametrize("mode", ["constant", "reflect", "replicate", "circular", "symmetric"])
def test_export_to_onnx_of_amounts_that_depend_on_a_shape(mode):
    words = any_extent()
    program = torch.export.export(ToAMultiple(mode), (image(),), **words)
    plain = program.run_decompositions(tensorpad.torch.decompositions()).module()
    _, run = converted(ToAMultiple(mode), image(), **words)
    for height in (5, 7, 8, 9, 20):
        expected = ToAMultiple(mode)(x := image(height))
        assert same(run(x), expected) and same(plain(x), expected)
    with pytest.raises(Exception, match="without custom_translation_table"):
        table = tensorpad.torch.onnx_translations()
        converted(ToAMultiple(mode), image(), custom_translation_table=table, **words)


@pytest.mark.skipif(NEVER_EXPORTING, reason="this torch does not tell that it exports")
def test_export_to_onnx():
    table = {"custom_translation_table": tensorpad.torch.onnx_translations()}
    for mode, widths, wanted in (
        ("constant", WIDTHS, ["Pad"]),
        ("constant", [(0, 0), (-4, 3), (0, 0), (0, 0)], ["Pad"]),
        (
            ["constant", "constant", "edge", "constant"],
            [(0, 0), (0, 0), (1, 1), (-9, 5)],
            ["Pad", "Pad", "Slice"],
        ),
        ("edge", [(0, 0), (0, 0), (1, 2), (3, 1)], ["Pad"]),
        ("reflect", [(0, 0), (0, 0), (1, 2), (3, 1)], ["Pad"]),
        ("wrap", [(0, 0), (0, 0), (1, 2), (0, 0)], ["Slice", "Slice", "Concat"]),
        ("symmetric", [(0, 0), (0, 0), (1, 2), (0, 0)], ["Slice", "Slice", "Concat"]),
    ):
        words = {"order": "crop", "constant_values": 3} if mode.count("constant") else {}
        nodes, run = converted(Pad(widths, mode, **words), image(), **any_extent(), **table)
        assert nodes == wanted
        assert same(run(x := image(9)), pad(x, widths, mode, **words))
    draw = random.Random(3)
    for _ in range(12):
        _, words = random_call(draw)
        while len(words["pad_width"]) != 4:
            _, words = random_call(draw)
        try:
            expected = pad(x := image(), constant_values=3, **words)
        except ValueError:
            continue
        if expected.numel():
            _, run = converted(Pad(constant_values=3, **words), x, **table)
            assert same(run(x), expected), words


# ---- The operators -------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_the_operator_is_as_torch_wants_it(mode):
    number = tensorpad._core.modes[mode]
    for x in (image(), image().to(memory_format=torch.channels_last), image().double()):
        words = [[0, 0, 1, 3], [0, 0, 2, -1], [0, 0, 0, 1], [number] * 4, [0, 0, 1, 0]]
        torch.library.opcheck(torch.ops.tensorpad.pad, (x.requires_grad_(), *words, 0.5))
        for transform in (
            lambda f: torch.func.jvp(f, (x.detach(),), (x.detach(),))[1],
            lambda f: torch.func.jacfwd(f)(x.detach()),
            lambda f: torch.func.grad(lambda x: f(x).square().sum())(x.detach()),
        ):
            torch.testing.assert_close(
                transform(lambda x: torch.ops.tensorpad.pad(x, *words, 0.5)),
                transform(lambda x: tensorpad.torch._aten.pad(x, tuple(zip(*words)), 0.5)),
            )


def test_operators_of_strangers_are_refused():
    x = torch.rand(2, 3)
    for words in (
        ([1], [0, 0], [0, 0], [0, 0], [0, 0]),
        ([1, 0], [0, 0], [0, 0], [0, 9], [0, 0]),
        ([1, 0], [0, 0], [0, 0], [0, 0], [0, 2]),
        ([-9, 0], [0, 0], [0, 0], [0, 0], [0, 0]),
        ([2**62, 0], [2**62, 0], [0, 0], [0, 0], [0, 0]),
        ([0, 0], [0, 0], [-1, 0], [0, 0], [0, 0]),
    ):
        with pytest.raises((ValueError, RuntimeError)):
            torch.ops.tensorpad.pad(x, *words, 0)


# ---- Recordings ----------------------------------------------------------------------------------


@pytest.mark.parametrize("call", [pad, tensorpad.pad], ids=["tensorpad.torch.pad", "tensorpad.pad"])
@pytest.mark.parametrize("mode", MODES)
def test_recordings_hold_for_other_elements(call, mode):
    def padded(x):
        return call(x, WIDTHS, mode)

    def gradient(x):
        return torch.func.grad(lambda x: padded(x).square().sum())(x)

    x, y = image(), image()
    for record in (
        lambda f: make_fx(f)(x),
        lambda f: torch.jit.trace(f, (x,)),
        lambda f: make_fx(torch.func.functionalize(f))(x),
        torch.func.functionalize,
    ):
        assert torch.equal(record(padded)(y), padded(y))
    torch.testing.assert_close(make_fx(gradient)(x)(y), gradient(y))


@pytest.mark.skipif(NEVER_EXPORTING, reason="this torch does not tell that it exports")
@pytest.mark.parametrize("mode", MODES)
def test_decompositions_hold_for_every_size(mode):
    """Also for sizes that the amounts exceed, which the example did not have."""
    x = torch.arange(16.0).reshape(2, 8)
    program = torch.export.export(Pad(3, mode, axes=1), (x,), **any_extent(1, 2))
    plain = program.run_decompositions(tensorpad.torch.decompositions())
    for width in (2, 3, 4, 5, 9, 50):
        y = torch.arange(2.0 * width).reshape(2, width)
        for each in (program, plain):
            assert torch.equal(each.module()(y), pad(y, 3, mode, axes=1))


def test_the_legacy_export_to_onnx():
    onnxruntime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    x = image()
    for mode in MODES:
        file = io.BytesIO()
        torch.onnx.export(Pad(WIDTHS, mode), (x,), file, dynamo=False, input_names=["x"])
        session = onnxruntime.InferenceSession(file.getvalue())
        y = image()
        assert same(torch.from_numpy(session.run(None, {"x": y.numpy()})[0]), pad(y, WIDTHS, mode))
