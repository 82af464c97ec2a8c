"""ONNX models against ONNX's reference implementation and ONNX Runtime.

SPDX-License-Identifier: MIT

Each random model must give the same in all of them, unless one of the known differences says why
not; then it must differ in just that way. DIFFERENCES is the list; docs/specs/onnx.md explains each.
Seen with onnx 1.23.2 (on numpy 2.4.6) and onnxruntime 1.31.1 (CPU).
"""

import collections
import random
import warnings

import harness
import numpy as np
import onnx
import onnx.reference
import onnxruntime
import pytest
from harness import TYPES, succeed
from kit import oracle

DIFFERENCES = {
    # The reference implementation, which hands everything to numpy.pad.
    "reference-negative": "negative pads: ValueError; the document has them from version 2 on",
    "reference-rank-0": "a scalar: TypeError; there is no axis to pad, so it is a copy",
    "reference-empty-axis": "edge, reflect, wrap on an empty axis, in an output that is empty"
    " anyway: ValueError; no cell has to be invented, so it is an empty array",
    "reference-mode": "any mode of numpy.pad runs, symmetric too, and wrap before version 19",
    "reference-type": "versions 1 to 12 take types that the document does not list",
    "reference-axes-low": "an axis below -rank pads another axis; the document gives the range",
    "reference-axes-repeated": "an axis given twice: the last one wins; undefined in the document",
    "reference-value-2": "a value of two elements is taken as (before, after); it must be a scalar",
    "reference-string": "the default for strings is the integer 0; the document says empty string",
    # ONNX Runtime, its CPU provider.
    "runtime-type": "no kernel for 16 of the 26 types",
    "runtime-version-1": "no kernel for version 1",
    "runtime-float16-old": "float16 before opset 6: the model does not load",
    "runtime-float16-nan": "float16 is padded as float and back: a NaN may lose its payload",
    "runtime-rank-0": "a scalar: 'Input tensor has no dimensions'",
    "runtime-reflect-long": "reflect by more than extent - 1, as the document's example 2: refused",
    "runtime-reflect-1": "reflect of one cell: refused; the cell is repeated",
    "runtime-cropped-away": "edge, reflect, wrap where a crop leaves nothing and the output is"
    " empty too: refused; no cell has to be invented, so it is an empty array",
    "runtime-wrap-empty": "wrap of an empty tensor, even where nothing is padded: refused",
    "runtime-empty-axis": "edge, reflect on an empty axis, in an output that is empty anyway:"
    " refused; no cell has to be invented, so it is an empty array",
    "runtime-mode": "wrap runs before version 19",
    "runtime-axes-repeated": "an axis given twice at run time: the last one wins",
    "runtime-pads-2d": "pads of shape [1, 2r] given at run time are taken; 1-D is what the document"
    " has (--lenient takes them)",
}

onnxruntime.set_default_logger_severity(4)


class Case:
    """One Pad node, as a model and as the document's arguments."""

    def __init__(self, opset, word, shape, cells, mode, pads, value=None, axes=None, index="int64"):
        self.opset, self.word, self.shape, self.cells = opset, word, shape, cells
        self.mode, self.pads, self.value, self.axes, self.index = mode, pads, value, axes, index
        self.version = oracle.onnx_version_of_opset(opset)

    def __repr__(self):
        return " ".join(f"{key}={value}" for key, value in vars(self).items())

    def model(self):
        number = harness.NUMBERS[self.word]
        port = onnx.helper.make_tensor_value_info
        attributes = {} if self.mode is None else {"mode": self.mode}
        names, ports = ["x"], [port("x", number, self.shape)]
        if self.version <= 2:
            name = "paddings" if self.version == 1 else "pads"
            attributes[name] = self.pads
            if self.value is not None:
                attributes["value"] = self.value
        else:
            names.append("pads")
            ports.append(port("pads", 7, np.shape(self.pads)))
            if self.value is not None or self.axes is not None:
                names.append("" if self.value is None else "value")
            if self.value is not None:
                ports.append(port("value", number, np.shape(self.value)))
            if self.axes is not None:
                names.append("axes")
                ports.append(port("axes", harness.NUMBERS[self.index], [len(self.axes)]))
        node = onnx.helper.make_node("Pad", names, ["y"], name="the node")
        for name, value in attributes.items():
            kind = onnx.AttributeProto.INTS if isinstance(value, list) else None
            node.attribute.append(onnx.helper.make_attribute(name, value, attr_type=kind))
        graph = onnx.helper.make_graph([node], "g", ports, [port("y", number, None)])
        return onnx.helper.make_model(
            graph, opset_imports=[onnx.helper.make_opsetid("", self.opset)], ir_version=10
        )

    def kind(self):
        return TYPES[self.word][1]

    def feed(self):
        x = np.frombuffer(harness.to_bytes(self.cells, TYPES[self.word][0]), self.kind())
        found = {"x": x.reshape(self.shape)}
        if self.version > 2:
            found["pads"] = np.array(self.pads, np.int64)
            if self.value is not None:
                found["value"] = np.array(self.value, self.kind())
            if self.axes is not None:
                found["axes"] = np.array(self.axes, self.index)
        return found

    def amounts(self):
        """(begin, end) of every axis."""
        rank = len(self.shape)
        axes = range(rank) if self.axes is None else [axis % rank for axis in self.axes]
        found = [(0, 0)] * rank
        for k, axis in enumerate(axes):
            found[axis] = self.pads[k], self.pads[len(axes) + k]
        return found

    def out_shape(self):
        return [n + begin + end for n, (begin, end) in zip(self.shape, self.amounts())]

    def fill(self):
        value = 0 if self.value is None else np.ravel(self.value)[0]
        if self.version <= 2:
            value = np.float32(value)
        return harness.cell_of(value, self.word)


def by_tensorpad(case, folder, *options):
    """(dtype, shape, bytes) or None where it refuses."""
    (folder / "m.onnx").write_bytes(case.model().SerializeToString())
    arguments = ["run", folder / "m.onnx", f"--output={folder / 'y.npy'}", "-f", *options]
    for name, array in case.feed().items():
        np.save(folder / f"{name}.npy", array)
        arguments.append(f"--input={name}={folder / name}.npy")
    result = harness.run(*arguments)
    if result.status == 3:
        assert len(result.error.splitlines()) == 1 and "the node" in result.error, result
        return None
    assert result.status == 0 and result.error == "", result
    return fingerprint(np.load(folder / "y.npy"))


def fingerprint(array):
    return array.dtype, array.shape, array.tobytes()


def by_oracle(case):
    try:
        cells, shape = oracle.onnx_pad(
            case.cells, case.shape, case.pads, case.mode or "constant", case.fill(), case.axes
        )
    except oracle.Refused:
        return None
    raw = harness.to_bytes(cells, TYPES[case.word][0])
    return fingerprint(np.frombuffer(raw, case.kind()).reshape(shape))


def by_reference(case):
    """The answer, or the error's text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            [y] = onnx.reference.ReferenceEvaluator(case.model()).run(None, case.feed())
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return fingerprint(np.asarray(y))


def by_runtime(case):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(
            case.model().SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        [y] = session.run(None, case.feed())
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return fingerprint(y)


# ---- Which differences a case has to show, and how ----------------------------------------------

RUNTIME_TYPES = {
    2: {"float", "double", "float16"},
    11: {"float", "double", "float16", "int8", "uint8", "int32", "uint32", "int64", "uint64"},
    13: {
        "float",
        "double",
        "float16",
        "int8",
        "uint8",
        "int32",
        "uint32",
        "int64",
        "uint64",
        "bool",
    },
}


def reference_difference(case):
    """(name, words of the error, one of which it has) or None."""
    amounts = case.amounts()
    if not case.shape:
        return "reference-rank-0", ["TypeError"]
    if any(amount < 0 for pair in amounts for amount in pair):
        return "reference-negative", ["index can't contain negative values"]
    padded_empty = any(n == 0 and pair != (0, 0) for n, pair in zip(case.shape, amounts))
    if case.mode not in (None, "constant") and padded_empty and 0 in case.out_shape():
        return "reference-empty-axis", ["can't extend empty axis"]
    return None


def runtime_difference(case):
    """(name, words of the error, one of which it has; none: no error) or None."""
    mode = case.mode or "constant"
    amounts = case.amounts()
    if case.word == "float16" and case.opset < 6:
        return "runtime-float16-old", ["Cast"]
    if case.version == 1:
        return "runtime-version-1", ["Could not find an implementation for Pad(1)"]
    if case.word not in RUNTIME_TYPES[max(v for v in RUNTIME_TYPES if v <= case.opset)]:
        return "runtime-type", ["Could not find an implementation", "not currently registered"]
    if not case.shape:
        return "runtime-rank-0", ["Input tensor has no dimensions"]
    if min(case.out_shape()) < 0:
        return None  # refused by all
    effective = [max(0, n + min(0, b) + min(0, e)) for n, (b, e) in zip(case.shape, amounts)]
    if mode == "wrap" and 0 in case.shape:
        return "runtime-wrap-empty", ["Unexpected mode of 3"]
    if mode != "constant" and 0 in case.out_shape():
        if any(n == 0 and out > 0 for n, out in zip(case.shape, case.out_shape())):
            return "runtime-empty-axis", ["to pad dimension with a value of 0"]
        if 0 in effective and 0 not in case.shape:
            return "runtime-cropped-away", ["zero effective input extent"]
    if mode == "reflect" and 0 not in effective:
        for n, (begin, end) in zip(effective, amounts):
            if max(begin, end) > n - 1:
                key = "runtime-reflect-1" if n == 1 else "runtime-reflect-long"
                return key, ["requires axis length >= 2", "exceeds maximum allowed"]
    if case.word == "float16" and any(cell & 0x7FFF > 0x7C00 for cell in case.cells):
        return "runtime-float16-nan", []
    return None


def forget_payloads(answer):
    """float16 with every NaN the same: what is sure to be left after float and back."""
    if answer is None or isinstance(answer, str):
        return None
    dtype, shape, raw = answer
    bits = np.frombuffer(raw, np.uint16)
    nan = (bits & 0x7FFF) > 0x7C00
    return dtype, shape, np.where(nan, 0x7E00, bits).astype(np.uint16).tobytes()


def check(case, folder, seen=None):
    """All of them on one case. Counts in seen what was found."""
    expected = by_oracle(case)
    assert by_tensorpad(case, folder) == expected, case
    for name, find, evaluate in [
        ("reference", reference_difference, by_reference),
        ("runtime", runtime_difference, by_runtime),
    ]:
        difference = find(case)
        answer = evaluate(case)
        if difference is None:
            same = isinstance(answer, str) if expected is None else answer == expected
            assert same, (name, case, answer, expected)
        else:
            key, words = difference
            assert key in DIFFERENCES
            if words:
                assert isinstance(answer, str), (key, case, answer, expected)
                assert any(word in answer for word in words), (key, case, answer)
            else:
                same = forget_payloads(answer) == forget_payloads(expected)
                assert same, (key, case, answer, expected)
        if seen is not None:
            seen[name if difference is None else difference[0]] += 1


WORDS = {
    version: sorted(types & set(harness.IN_NPY)) for version, (types, _) in oracle.ONNX.items()
}


def random_case(random):
    opset = random.choice([1, 2, 2, 5, 7, 10, 11, 12, 13, 17, 18, 18, 19, 20, 21, 22])
    version = oracle.onnx_version_of_opset(opset)
    word = random.choice(WORDS[version] + ["float"] * 4)
    mode = random.choice(sorted(oracle.ONNX[version][1]) + [None])
    rank = random.choice([0, 1, 1, 2, 2, 3, 3, 4, 5])
    least = 0 if random.random() < 0.1 else 1
    shape = [random.randint(least, [1, 9, 6, 5, 4, 3][rank]) for _ in range(rank)]
    cells = harness.random_cells(random, word, int(np.prod(shape)))
    axes = None
    if version >= 18 and rank and random.random() < 0.5:
        axes = random.sample(range(rank), random.randint(0, rank))
        axes = [axis - rank if random.random() < 0.5 else axis for axis in axes]
    amounts = 2 * (rank if axes is None else len(axes))
    style = random.random()
    if style < 0.5:  # what all of them take
        pads = [
            random.randint(0, 1) if mode == "reflect" else random.randint(0, 4)
            for _ in range(amounts)
        ]
    elif style < 0.75:
        pads = [random.randint(0, 9 if rank < 4 else 4) for _ in range(amounts)]
    else:
        pads = [random.randint(-3, 5) for _ in range(amounts)]
    value = None
    if random.random() < 0.6:
        value = random.choice([0, 1, 3.0, 0.1, -2.5])
        if TYPES[word][1] is np.bool_:
            value = bool(value)
        elif "float" not in word and word not in ("double", "complex64", "complex128"):
            value = int(abs(value))
        if version > 2 and random.random() < 0.3:
            value = [value]
        elif version <= 2:
            value = float(value)
    return Case(
        opset, word, shape, cells, mode, pads, value, axes, random.choice(["int32", "int64"])
    )


@pytest.mark.parametrize("seed", range(8))
def test_random_models(seed, tmp_path):
    generator = random.Random(f"models {seed}")
    seen = collections.Counter()
    for _ in range(harness.scaled(200)):
        check(random_case(generator), tmp_path, seen)
    assert seen["reference"] and seen["runtime"], seen


def test_every_small_axis(tmp_path):
    """One axis, every extent, amount and mode: where ONNX Runtime agrees it does so exactly."""
    seen = collections.Counter()
    for mode in sorted(oracle.FOUR_MODES):
        for extent in 0, 1, 2, 4:
            for begin in (-3, -1, 0, 1, 2, 5):
                for end in (-2, 0, 1, 3):
                    cells = list(range(1, extent + 1))
                    check(Case(19, "uint8", [extent], cells, mode, [begin, end]), tmp_path, seen)
    shown = {"reference-negative", "runtime-reflect-long", "runtime-reflect-1"}
    shown |= {"runtime-cropped-away", "runtime-wrap-empty"}
    assert shown <= set(seen), seen


# ---- The differences that a random model does not show ------------------------------------------

ONES = [0x3F800000] * 4


def test_difference_types(tmp_path):
    kernels = 0
    for word in TYPES:
        model = Case(25, word, [2], None, None, [1, 1]).model()
        model.ir_version = 13
        try:
            onnxruntime.InferenceSession(
                model.SerializeToString(), providers=["CPUExecutionProvider"]
            )
            kernels += 1
        except Exception as error:
            assert "implementation" in str(error) or "registered" in str(error), (word, error)
    assert len(TYPES) - kernels == 15


def test_difference_float16_nan(tmp_path):
    case = Case(19, "float16", [2], [0x7C01, 0x3C00], "edge", [1, 0])
    assert by_tensorpad(case, tmp_path) == by_oracle(case) == by_reference(case)
    assert by_runtime(case) != by_oracle(case)
    assert forget_payloads(by_runtime(case)) == forget_payloads(by_oracle(case))


def test_difference_string(tmp_path):
    case = Case(19, "string", [2], [b"a", b"b"], "constant", [1, 0])
    (tmp_path / "m.onnx").write_bytes(case.model().SerializeToString())
    harness.write_pb(tmp_path / "x.pb", "string", [2], case.cells)
    harness.write_npy(tmp_path / "p.npy", "int64", [2], [1, 0])
    succeed(
        "run",
        tmp_path / "m.onnx",
        f"--input=x={tmp_path / 'x.pb'}",
        f"--input=pads={tmp_path / 'p.npy'}",
        f"--output={tmp_path / 'y.pb'}",
    )
    assert harness.read_pb(tmp_path / "y.pb")[2] == [b"", b"a", b"b"]
    feed = {"x": np.array(["a", "b"], object), "pads": np.array([1, 0])}
    [y] = onnx.reference.ReferenceEvaluator(case.model()).run(None, feed)
    assert y.tolist() == [0, "a", "b"]


def test_difference_mode(tmp_path):
    for opset in 11, 13, 18:
        case = Case(opset, "float", [4], ONES, "wrap", [1, 1])
        assert by_tensorpad(case, tmp_path) is None
        assert by_reference(case) == by_runtime(case) == by_oracle(case)
        assert by_tensorpad(case, tmp_path, "--lenient") == by_oracle(case)
    case = Case(19, "float", [4], ONES, "symmetric", [1, 1])
    assert by_tensorpad(case, tmp_path) is None
    assert by_reference(case) == by_oracle(case)
    assert "Invalid 'mode'" in by_runtime(case)
    assert by_tensorpad(case, tmp_path, "--lenient") == by_oracle(case)


def test_difference_type_of_old_versions(tmp_path):
    case = Case(11, "bool", [4], [1, 0, 1, 1], "constant", [1, 1])
    assert by_tensorpad(case, tmp_path) is None
    assert by_reference(case) == by_oracle(case)
    assert isinstance(by_runtime(case), str)


def test_difference_axes(tmp_path):
    low = Case(19, "float", [2, 2], ONES, "constant", [1, 1], axes=[-3])
    assert by_tensorpad(low, tmp_path) is None
    assert by_reference(low)[1] == (2, 4)
    assert "not in valid range" in by_runtime(low)
    twice = Case(19, "float", [2, 2], ONES, "constant", [1, 2, 0, 0], axes=[0, 0])
    assert by_tensorpad(twice, tmp_path) is None
    assert by_reference(twice)[1] == by_runtime(twice)[1] == (4, 2)


def test_difference_pads_2d(tmp_path):
    case = Case(19, "float", [4], ONES, "constant", [[1, 1]])
    assert by_tensorpad(case, tmp_path) is None
    assert "RuntimeError" in by_reference(case)
    flat = by_oracle(Case(19, "float", [4], ONES, "constant", [1, 1]))
    assert by_runtime(case) == flat
    assert by_tensorpad(case, tmp_path, "--lenient") == flat


def test_difference_value(tmp_path):
    for value, taken in [([7], True), ([[7]], False), ([7, 8], False), ([], False)]:
        case = Case(19, "float", [4], ONES, "constant", [1, 1], value=value)
        if taken:
            assert by_tensorpad(case, tmp_path) == by_oracle(case)
        else:
            assert by_tensorpad(case, tmp_path) is None
    pair = Case(19, "float", [4], ONES, "constant", [1, 1], value=[7, 8])
    assert np.frombuffer(by_reference(pair)[2], np.float32).tolist() == [7, 1, 1, 1, 1, 8]
    assert "Value tensor" in by_runtime(pair)


def test_docs_list_every_difference():
    text = (harness.ROOT / "docs/specs/onnx.md").read_text()
    assert [key for key in DIFFERENCES if f"`{key}`" not in text] == []
