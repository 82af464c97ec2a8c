"""tensorpad.torch with torch's DataLoader, and tensors of torch in pad_to and pad_batch.

Expected values are those of torch: pad_sequence, torch.nn.functional.pad, default_collate, and
assignment to slices.
"""

import collections
import concurrent.futures
import re
import sys
import threading

import numpy as np
import pytest
import tensorpad
from fake_torch import torch_for

torch = torch_for(__file__, "tensorpad.torch and of torch's tensors in pad_to and pad_batch")
import tensorpad.torch
from tensorpad.torch import collate
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, default_collate

DTYPES = "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64".split()
Pair = collections.namedtuple("Pair", ["tokens", "label"])


def rows(count=10, kind=torch.int64):
    """Tensors of 1 to 30 elements."""
    random = torch.Generator().manual_seed(3)
    lengths = torch.randint(1, 31, (count,), generator=random).tolist()
    return [torch.randint(0, 99, (n,), generator=random).to(kind) for n in lengths]


def naive(items, extents, value=0):
    """Each item in the first cells of its part of the output."""
    found = torch.full((len(items), *extents), value, dtype=items[0].dtype)
    for number, item in enumerate(items):
        found[(number, *map(slice, item.shape))] = item
    return found


class Broken(torch.utils.data.Dataset):
    """Item 5 has two axes, and the others one."""

    def __len__(self):
        return 8

    def __getitem__(self, number):
        return torch.zeros((2, 3) if number == 5 else (number + 1,))


class Shared:
    """A collate that also says whether the batch already lies in shared memory."""

    def __init__(self, inner):
        self.inner = inner

    def __call__(self, samples):
        batch = self.inner(samples)
        return batch, batch.is_shared()


# ---- DataLoader ----------------------------------------------------------------------------------


def workers(count=1, context="fork", **more):
    return {"num_workers": count, "multiprocessing_context": context, **more}


KEPT = {"persistent_workers": True}
LOADERS = {
    "no workers": {},
    "fork": workers(2, **KEPT),
    "spawn": workers(2, "spawn", **KEPT),
}


@pytest.mark.parametrize("options", LOADERS.values(), ids=LOADERS)
def test_a_loader(options):
    """Two rounds over the samples, in batches of 4, 4 and 2."""
    samples = rows()
    loader = DataLoader(samples, batch_size=4, collate_fn=collate(constant_values=-1), **options)
    for _ in range(2):
        batches = list(loader)
        assert [len(batch) for batch in batches] == [4, 4, 2]
        for first, batch in zip((0, 4, 8), batches):
            wanted = pad_sequence(samples[first : first + 4], batch_first=True, padding_value=-1)
            assert batch.dtype == wanted.dtype and torch.equal(batch, wanted)


@pytest.mark.parametrize("kind", ["int64", "bfloat16"])
@pytest.mark.parametrize("source", [torch.Tensor, np.ndarray])
def test_a_worker_writes_into_shared_memory(kind, source):
    samples = rows(4, getattr(torch, kind))
    given = samples
    if source is np.ndarray:
        given = [row.to(torch.float32).numpy() for row in samples]
    loader = DataLoader(given, 4, collate_fn=Shared(collate(multiple=8)), **workers())
    batch, shared = next(iter(loader))
    assert shared
    longest = max(len(row) for row in samples)
    wanted = naive(samples, [-(-longest // 8) * 8])
    assert torch.equal(batch, wanted.to(batch.dtype))


def test_a_batch_without_elements_in_a_worker():
    given = [torch.zeros(0, 3), torch.zeros(0, 2)]
    batch, mask = next(iter(DataLoader(given, 2, collate_fn=collate(mask=True), **workers())))
    assert batch.shape == mask.shape == (2, 0, 3)


def test_only_batches_of_a_worker_lie_in_shared_memory(monkeypatch):
    """And arrays that torch cannot read are padded as they are."""
    monkeypatch.setattr(torch.utils.data, "get_worker_info", object)
    assert collate()(rows(2)).is_shared()
    assert not tensorpad.pad(torch.ones(2), 1).is_shared()
    backwards = [np.arange(4)[::-1], np.arange(3)]
    assert collate()(backwards).tolist() == [[3, 2, 1, 0], [0, 1, 2, 0]]


def test_what_another_thread_pads_in_the_meantime_is_not_in_shared_memory(monkeypatch):
    monkeypatch.setattr(torch.utils.data, "get_worker_info", object)
    make, callers = tensorpad.torch._collate._shared_tensor, []

    def make_while_another_thread_pads(*arguments, **options):
        callers.append(threading.current_thread())
        if len(callers) == 1:
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                pool.submit(tensorpad.pad_batch, rows(2)).result()
        return make(*arguments, **options)

    monkeypatch.setattr(tensorpad.torch._collate, "_shared_tensor", make_while_another_thread_pads)
    assert collate()(rows(2)).is_shared()
    assert callers == [threading.current_thread()]


def test_one_thread_in_a_worker(monkeypatch):
    def pad_batch(items, *, threads, **options):
        return torch.tensor([0 if threads is None else threads])

    monkeypatch.setattr(tensorpad.torch._collate, "pad_batch", pad_batch)
    for count, threads, wanted in ((0, None, 0), (0, 3, 3), (1, None, 1), (1, 3, 1)):
        options = workers(count) if count else {}
        loader = DataLoader(rows(2), 2, collate_fn=collate(threads=threads), **options)
        assert next(iter(loader)).tolist() == [wanted]


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_an_error_in_a_worker_arrives(context):
    batches = iter(DataLoader(Broken(), 4, collate_fn=collate(), **workers(1, context)))
    assert next(batches).shape == (4, 4)
    with pytest.raises((TypeError, ValueError), match="item 1"):
        next(batches)


def test_collate_itself_is_a_collate_fn():
    for options in LOADERS.values():
        (batch,) = DataLoader(rows(4), batch_size=4, collate_fn=collate, **options)
        assert torch.equal(batch, pad_sequence(rows(4), batch_first=True))


# ---- Samples -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DTYPES)
def test_types(name):
    kind = getattr(torch, name)
    assert torch.equal(collate()(rows(kind=kind)), pad_sequence(rows(kind=kind), batch_first=True))
    items = [torch.ones(shape).to(kind) for shape in ((2, 3), (4, 1), (0, 5))]
    found = collate(shape=(6, 5), constant_values=1)(items)
    assert found.dtype == kind and torch.equal(found, naive(items, (6, 5), 1))
    given = torch.arange(6).reshape(2, 3).to(kind)
    found, amounts = tensorpad.pad_to(given, (4, 4), return_amounts=True)
    assert found.dtype == kind and torch.equal(found, torch.nn.functional.pad(given, (0, 1, 1, 1)))
    assert amounts == ((1, 1), (0, 1)) and torch.equal(tensorpad.unpad(found, amounts), given)


def test_any_layout_in_memory():
    """Channels last, transposed, steps and a part of a larger tensor."""
    base = torch.arange(7 * 8 * 3, dtype=torch.float32).reshape(7, 8, 3)
    last = base.permute(2, 0, 1)
    items = [last, last.transpose(1, 2), last[:, ::2, 1:6], last[1:], last.contiguous()]
    assert sum(item.is_contiguous() for item in items) == 1
    found = collate(constant_values=5.5)(items)
    assert found.is_contiguous() and torch.equal(found, naive(items, (3, 8, 8), 5.5))


def test_mask_and_lengths():
    samples = rows(5)
    lengths = torch.tensor([len(row) for row in samples])
    tokens, mask, found = collate(mask=True, lengths=True)(samples)
    assert torch.equal(tokens, pad_sequence(samples, batch_first=True))
    assert mask.dtype == torch.bool and found.dtype == torch.int64
    assert torch.equal(found, lengths)
    assert torch.equal(mask, torch.arange(tokens.shape[1]) < lengths[:, None])
    images = [torch.ones(2, 3), torch.ones(4, 1)]
    _, mask, found = collate(mask=True, lengths=True, align="end")(images)
    assert found.tolist() == [[2, 3], [4, 1]]
    wanted = [
        torch.nn.functional.pad(images[0], (0, 0, 2, 0)),
        torch.nn.functional.pad(images[1], (2, 0, 0, 0)),
    ]
    assert torch.equal(mask, torch.stack(wanted).bool())


def test_tuples_and_named_tuples():
    tokens = rows(3)
    wanted = pad_sequence(tokens, batch_first=True)
    x, (y, names) = collate()([(row, (n / 2, f"row {n}")) for n, row in enumerate(tokens)])
    assert torch.equal(x, wanted)
    assert y.dtype == torch.float64 and y.tolist() == [0, 0.5, 1]
    assert list(names) == ["row 0", "row 1", "row 2"]
    found = collate()([Pair(row, n) for n, row in enumerate(tokens)])
    assert isinstance(found, Pair) and torch.equal(found.tokens, wanted)
    assert torch.equal(found.label, torch.tensor([0, 1, 2]))
    wanted = pad_sequence(tokens, batch_first=True, padding_value=-1)
    for make, field in ((lambda *each: each, 0), (Pair, "tokens")):
        given = collate(fields={field: {"constant_values": -1}})
        assert torch.equal(given([make(row, 1) for row in tokens])[0], wanted)


def test_dicts():
    """Lists of numbers as tokenizers give them, arrays, numbers, and other options for a field."""
    samples = [
        {
            "input_ids": row.tolist(),
            "labels": row.numpy(),
            "box": {"at": np.float32([1, 2]), "size": torch.tensor(3)},
            "score": np.float32(0.5),
            "text": "abc",
        }
        for row in rows(4)
    ]
    given = collate(multiple=8, fields={"labels": {"constant_values": -100}, "at": {"multiple": 1}})
    found = given(samples)
    longest = max(len(row) for row in rows(4))
    extent = -(-longest // 8) * 8
    assert found["input_ids"].dtype == torch.int64
    assert torch.equal(found["input_ids"], naive(rows(4), [extent]))
    assert torch.equal(found["labels"], naive(rows(4), [extent], -100))
    others = default_collate([{k: s[k] for k in ("box", "score", "text")} for s in samples])
    for a, b in (
        (found["box"]["at"], others["box"]["at"]),
        (found["box"]["size"], others["box"]["size"]),
        (found["score"], others["score"]),
    ):
        assert a.dtype == b.dtype and torch.equal(a, b)
    assert found["text"] == others["text"]


def test_the_arguments_are_those_of_pad_batch():
    samples = [([1, 2, 3, 4], torch.tensor(5)), ([6, 7], torch.tensor(8))]
    given = {"shape": (3,), "too_long": "crop_start", "align": "end", "dtype": torch.float16}
    tokens, labels = collate(mode="edge", **given)(samples)
    assert tokens.dtype == torch.float16 and tokens.tolist() == [[2, 3, 4], [6, 6, 7]]
    assert labels.tolist() == [5, 8]


def test_lists_of_lists():
    found, lengths = collate(lengths=True)([[[1, 2, 3], [4]], [[5, 6]], []])
    assert found.tolist() == [[[1, 2, 3], [4, 0, 0]], [[5, 6, 0], [0] * 3], [[0] * 3, [0] * 3]]
    assert lengths.reshape(3, 2).tolist() == [[3, 1], [2, 0], [0, 0]]


def test_what_cannot_be_padded_is_what_default_collate_makes_of_it():
    for samples in (
        [1, 2],
        [1.5, 2.5],
        ["a", "b"],
        [torch.tensor(1), torch.tensor(2)],
        [np.float32(1), np.float32(2)],
        [True, False],
        [b"a", b"b"],
    ):
        found, wanted = collate()(samples), default_collate(samples)
        assert type(found) is type(wanted)
        if isinstance(wanted, torch.Tensor):
            assert found.dtype == wanted.dtype and torch.equal(found, wanted)
        else:
            assert found == wanted
    with pytest.raises(TypeError, match="default_collate.*NoneType"):
        collate()([None, None])


# ---- Errors --------------------------------------------------------------------------------------


def error(samples, **options):
    with pytest.raises((TypeError, ValueError)) as caught:
        collate(**options)(samples)
    assert "\n" not in str(caught.value)
    return str(caught.value)


SHORT, LONG = torch.zeros(2), torch.zeros(9)


@pytest.mark.parametrize(
    "samples, options, text",
    [
        ([SHORT, LONG], {"shape": 4}, "^item 1.*axis 0"),
        ([{"x": SHORT}, {"x": LONG}], {"shape": 4}, "^field 'x': item 1.*axis 0"),
        ([(1, SHORT), (1, LONG)], {"shape": 4}, "^field 1: item 1"),
        ([SHORT, torch.zeros(2, 2)], {}, "item 1"),
        ([{"x": SHORT}, {"y": SHORT}], {}, "^item 1 has no field 'x', and item 0 has one$"),
        ([(SHORT, 1), (SHORT,)], {}, "^item 1 is a tuple of 1, and item 0 has 2 fields$"),
        ([(SHORT, 1), 5], {}, "^item 1 is a int, and item 0 has 2 fields$"),
        ([{"x": SHORT}, SHORT], {}, "item 1"),
        ([{"x": SHORT}] * 2, {"multiple": {1: 8}}, "^field 'x': axis 1 is out of bounds"),
        ([{"x": torch.zeros(n, 2)} for n in (1, 3)], {"axes": 1}, "^field 'x': item 1, axis 0: "),
        ([{"x": SHORT}], {"fields": {"y": {}}}, "^fields has 'y', but the .* samples are 'x'$"),
        ([SHORT], {"fields": {"x": {}}}, "are none$"),
        ([SHORT], {"fields": {"x": {"colour": 1}}}, "'colour'"),
        ([], {}, "there are no samples"),
    ],
)
def test_errors_name_the_item_and_the_field(samples, options, text):
    assert re.search(text, error(samples, **options))


@pytest.mark.parametrize(
    "tensor, word",
    [
        (torch.zeros(2, requires_grad=True), "requires grad"),
        (torch.empty(2, device="meta"), "meta"),
        (torch.eye(2).to_sparse(), "sparse"),
    ],
)
def test_tensors_that_are_refused(tensor, word):
    plain = torch.zeros(tensor.shape)
    assert re.search(f"item 1.*{word}", error([plain, tensor]))
    if word == "sparse":  # tensorpad.torch pads the others
        with pytest.raises(TypeError, match=word):
            tensorpad.pad_to(tensor, 4)
    else:
        assert tensorpad.pad_to(tensor, 4).shape == (4,)


# ---- Types that NumPy lacks ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
@pytest.mark.parametrize("installed", [True, False], ids=["ml_dtypes", "no ml_dtypes"])
def test_constants_of_types_that_numpy_lacks(name, installed, monkeypatch):
    if installed:
        pytest.importorskip("ml_dtypes")
    else:
        monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    kind = getattr(torch, name)
    given = torch.tensor([1.5, 2]).to(kind)

    def wanted(*numbers):
        return torch.tensor(numbers).to(kind)

    for found, expected in (
        (tensorpad.pad(given, 1, constant_values=2.7), wanted(2.7, 1.5, 2, 2.7)),
        (tensorpad.pad(given, 1), wanted(0, 1.5, 2, 0)),
        (tensorpad.pad(given, 1, constant_values=(3, np.float32(0.5))), wanted(3, 1.5, 2, 0.5)),
        (tensorpad.pad_to(given, 3, constant_values=1), wanted(1.5, 2, 1)),
        (tensorpad.pad_batch([given], shape=3, constant_values=1)[0], wanted(1.5, 2, 1)),
        (tensorpad.openvino.pad(given, [0], [1], 0.5, "constant"), wanted(1.5, 2, 0.5)),
    ):
        assert found.dtype == kind and torch.equal(found.float(), expected.float())
    with pytest.raises(TypeError):
        tensorpad.pad_batch([given, given.view(torch.int8 if name[5] == "8" else torch.int16)])


# ---- pad_to, pad_batch, unpad_batch --------------------------------------------------------------


def test_pad_to_of_channels_last():
    given = torch.arange(24.0).reshape(1, 2, 3, 4).contiguous(memory_format=torch.channels_last)
    found = tensorpad.pad_to(given, multiple=8, axes=(2, 3), mode="edge")
    assert found.is_contiguous(memory_format=torch.channels_last)
    assert torch.equal(found, torch.nn.functional.pad(given, (2, 2, 2, 3), "replicate"))
    out = torch.full((1, 2, 8, 8), -1.0)
    assert tensorpad.pad_to(given, multiple=8, axes=(2, 3), mode="edge", out=out) is out
    assert torch.equal(out, found)


def test_pad_batch_and_back():
    items = rows(6, torch.bfloat16)
    found, lengths = tensorpad.pad_batch(items, align="end", lengths=True, constant_values=2)
    assert isinstance(found, torch.Tensor) and found.dtype == torch.bfloat16
    longest = max(map(len, items))
    wanted = torch.stack(
        [torch.nn.functional.pad(row, (longest - len(row), 0), value=2) for row in items]
    )
    assert torch.equal(found, wanted)
    out = torch.zeros_like(found)
    assert tensorpad.pad_batch(items, align="end", constant_values=2, out=out) is out
    assert torch.equal(out, wanted)
    again = tensorpad.unpad_batch(found, lengths, align="end")
    assert all(torch.equal(a, b) for a, b in zip(again, items, strict=True))


def test_items_of_pad_batch_that_are_not_plain_memory():
    """The second item: the first one is always read by way of NumPy."""
    plain = torch.tensor([1.0, 2, 3])
    pair = torch.view_as_complex(torch.tensor([[1.0, 2], [3, 4]]))
    for items in (
        [plain, pair.conj().imag],
        [pair, pair.conj()],
        [plain, torch.nn.Parameter(plain[:2], requires_grad=False)],
        [plain.half(), plain.half()[::2]],
        [plain.bfloat16(), plain.bfloat16()[1:]],
        [plain, plain[:0]],
        [plain[:0].reshape(0, 3), plain.expand(2, 3)],
        [torch.tensor(1), torch.tensor(2)],
    ):
        found = tensorpad.pad_batch(items)
        assert found.dtype == items[0].dtype
        assert torch.equal(found, naive([one.clone() for one in items], found.shape[1:]))


def test_types_of_tensors_in_a_batch():
    whole, half = torch.tensor([1, 2]), torch.tensor([3], dtype=torch.int32)
    for items, text in (
        ([whole, half], "item 1 has type .*int32, item 0 has .*int64"),
        ([whole.to(torch.uint8), half.to(torch.bool)], "item 1 has type .*bool"),
        ([whole.bfloat16(), whole], "item 1 has type .*int64, item 0 has .*bfloat16"),
    ):
        with pytest.raises(TypeError, match=text):
            tensorpad.pad_batch(items)
    found = tensorpad.pad_batch([whole, half, [5, 6, 7]], dtype=torch.float32)
    assert found.dtype == torch.float32 and found.tolist() == [[1, 2, 0], [3, 0, 0], [5, 6, 7]]


def test_tensors_that_change_or_overlap_in_pad_batch():
    items = [torch.arange(9), torch.arange(8), torch.arange(9)]

    class Resizes:
        def __index__(self):
            items[1].resize_(3)
            return 0

    # Else it is seen through an array of NumPy.
    if hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
        with pytest.raises(RuntimeError, match="changed"):
            tensorpad.pad_batch(items, align=Resizes(), shape=20)
    memory = torch.arange(20)
    shared, out = [memory[12:14].clone(), memory[9:11]], memory[:10].reshape(2, 5)
    with pytest.raises(ValueError, match="item 1 shares memory with out"):
        tensorpad.pad_batch(shared, shape=5, out=out)
    assert torch.equal(memory, torch.arange(20))


def test_an_output_that_shows_its_memory_conjugated_or_negated_is_refused():
    """What is written to a copy of it would be lost."""
    for view in (lambda x: x.conj(), lambda x: x.conj().imag):
        out = torch.zeros(3, 3, dtype=torch.complex64)
        shown = view(out)
        x = torch.ones(3, 3, dtype=shown.dtype)
        plan = tensorpad.Plan((3, 3), 0, dtype=tensorpad._arrays.torch_view(x).dtype)
        for call in (
            lambda: tensorpad.pad(x, 0, out=shown),
            lambda: tensorpad.pad_to(x, 3, out=shown),
            lambda: tensorpad.pad_border(shown, 1),
            lambda: tensorpad.pad_batch([x[0], x[1], x[2]], out=shown),
            lambda: tensorpad.pad_adjoint(x, (3, 3), 0, out=shown),
            lambda: plan.run(x, shown),
            lambda: tensorpad.onnx.pad(x, [0, 0, 0, 0], out=shown),
        ):
            with pytest.raises(TypeError, match=r"conjugated or negated: use x\.resolve_conj\(\)"):
                call()
        assert not out.any()
        tensorpad.pad(x, 0, out=shown.resolve_conj().resolve_neg())


# ---- Subclasses of torch.Tensor ------------------------------------------------------------------


class Labelled(torch.Tensor):
    """Tensors with a label; a batch has those of its items, as MONAI does it."""

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        made = super().__torch_function__(function, types, args, kwargs or {})
        if isinstance(made, cls):
            several = function is torch.stack
            labels = [getattr(one, "label", None) for one in (args[0] if several else args[:1])]
            made.label = labels if several else labels[0]
        return made


def labelled(item, number):
    item = item.as_subclass(Labelled)
    item.label = f"item {number}"
    return item


def test_subclasses_stay_in_a_batch():
    items = rows(4, torch.float32)
    for words in (
        {},
        {"align": "end", "constant_values": 7.0},
        {"multiple": 8, "mode": "edge"},
        {"at_most": 5, "too_long": "crop", "dtype": torch.float64, "axes": 0},
    ):
        expected = collate(**words)(items)
        given = list(map(labelled, items, range(4)))
        found = collate(**words)(given)
        assert type(found) is Labelled and found.label == [f"item {one}" for one in range(4)]
        assert torch.equal(found.as_subclass(torch.Tensor), expected)
        batch, mask, lengths = collate(mask=True, lengths=True, **words)(given)
        assert type(batch) is Labelled and type(mask) is type(lengths) is torch.Tensor


def test_metatensors_of_monai_keep_their_affine():
    data = pytest.importorskip("monai.data")
    affines = [torch.diag(torch.tensor([1.0, 2, 3, 1])) * (k + 1) for k in range(2)]
    shapes = (1, 3, 4, 5), (1, 4, 4, 4)
    items = [data.MetaTensor(torch.rand(s), affine=a) for s, a in zip(shapes, affines)]
    padded = tensorpad.torch.pad(items[0], 1, "reflect", axes=(1, 2, 3))
    assert type(padded) is data.MetaTensor and torch.equal(padded.affine, items[0].affine)
    batch = collate()(items)
    assert type(batch) is data.MetaTensor and batch.shape == (2, 1, 4, 4, 5)
    more = ((0, 1), (0, 0), (0, 0)), ((0, 0), (0, 0), (0, 1))
    pads = [tensorpad.torch.pad(one, [(0, 0), *each]) for one, each in zip(items, more)]
    expected = default_collate(pads)
    assert torch.equal(batch, expected) and torch.equal(batch.affine, expected.affine)
    assert torch.equal(batch.affine, affines[0].double())
