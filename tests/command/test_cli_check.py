"""`tensorpad check` and `tensorpad explain`.  SPDX-License-Identifier: MIT

What the rules say is tested elsewhere (checker/tests/c/runtimes, conformance/tests): here are the words, the
forms of the output, the exit statuses, baselines and witnesses.
"""

import json
import os
import pathlib
import runpy
import subprocess
import sys

import numpy as np
import onnx
import pytest
import running
from command import ROOT, on_terminal
from onnx_models import INT64, ints, model, one_pad, pad_node, port, two_branches, with_subgraph

KINDS = ["same", "unknown", "accepts", "differs", "refuses", "crashes"]


class Models:
    """A folder of models in which `check` runs."""

    def __init__(self, path):
        self.path = path
        (path / "wrap.onnx").write_bytes(one_pad(pads=(4, 0, 0, 0)))  # 4 before an extent of 3
        (path / "plain.onnx").write_bytes(one_pad("constant", pads=(0, 1, 0, 1)))

    def check(self, *words, status=0):
        """What is printed. Status 4: there are findings; None: there may be."""
        done = running.run("check", *words, cwd=self.path)
        assert done.status in ((0, 4) if status is None else (status,)) and done.error == "", done
        return done.stdout.decode()

    def fail(self, status, *words, **more):
        return running.fail(status, *words, cwd=self.path, **more)

    def verdicts(self, *words, **more):
        """{(path, node): {target: verdict}} of the JSON form."""
        found = json.loads(self.check("--format", "json", *words, **more))
        return {
            (model["path"], node["name"]): {v["target"]: v for v in node["verdicts"]}
            for model in found["models"]
            for node in model["nodes"]
        }


@pytest.fixture
def models(tmp_path):
    return Models(tmp_path)


def test_verdicts_of_versions_differ(models):
    found = models.verdicts("wrap.onnx")["wrap.onnx", "pad_0"]
    assert found["ort-1.31"]["verdict"] == "same" and found["ort-1.31"]["code"] is None
    assert found["ort-1.23"]["verdict"] == "differs" and found["ort-1.23"]["measured"] is True
    assert found["openvino-2026.4"]["verdict"] == "refuses"
    assert found["coreml"]["measured"] is False
    assert "axis 0" in found["ort-1.23"]["text"] and "4" in found["ort-1.23"]["text"]
    assert {v["verdict"] for v in found.values()} <= set(KINDS)
    for verdict in found.values():
        assert (verdict["verdict"] == "same") == (verdict["text"] == "")


# What each version said it reads when it was run: "max supported IR version: 9", "support for domain
# ai.onnx.ml is till opset 4".
NEWEST = {
    "ort-1.17": (9, 4, 1),
    "ort-1.20": (10, 5, 1),
    "ort-1.23": (11, 5, 1),
    "ort-web-1.30": (13, 5, 1),
    "ort-1.31": (13, 5, 1),
    "ort-1.32": (14, 5, 1),
}


@pytest.mark.parametrize("target", NEWEST)
@pytest.mark.parametrize("code", ["TP117", "TP118", "TP119"])
@pytest.mark.parametrize("in_a_function", [False, True])
def test_files_that_are_newer_than_the_runtime(models, target, code, in_a_function):
    """By their IR version, and by imports of domains, which count even if no node is of them."""
    newest = NEWEST[target]["TP117 TP118 TP119".split().index(code)]
    for version in newest, newest + 1:
        made = onnx.load_from_string(one_pad("constant", pads=(0, 1, 0, 1)))
        made.ir_version = 8
        if code == "TP117":
            made.ir_version = version
        else:
            domain = "ai.onnx.ml" if code == "TP118" else "com.microsoft"
            imported = onnx.helper.make_opsetid(domain, version)
            nodes = [onnx.helper.make_node("Identity", ["a"], ["b"])]
            imports = [onnx.helper.make_opsetid("", 19), imported]
            if in_a_function:
                made.functions.append(
                    onnx.helper.make_function("d", "f", ["a"], ["b"], nodes, imports)
                )
            else:
                made.opset_import.append(imported)
        onnx.save(made, models.path / "new.onnx")
        status = 0 if version == newest else 4
        found = models.verdicts("new.onnx", "--target", target, status=status)
        [verdict] = [verdicts[target] for verdicts in found.values()]
        expected = ("same", None) if version == newest else ("refuses", code)
        assert (verdict["verdict"], verdict["code"]) == expected, (version, verdict)


def test_other_domains_are_free(models):
    """Domains that ONNX Runtime does not know it takes at any version."""
    made = onnx.load_from_string(one_pad("constant", pads=(0, 1, 0, 1)))
    made.opset_import.append(onnx.helper.make_opsetid("com.example", 99))
    onnx.save(made, models.path / "other.onnx")
    models.check("other.onnx", "--target", "ort", "--fail-on", "unknown")


@pytest.mark.parametrize("target", ["openvino", "tract", "opencv-4.14"])
def test_a_rank_that_only_the_runtime_knows(models, target):
    """After an operator that we do not follow, nobody says that the rank is open; at an input
    without a shape, or a list of any length for Reshape, the model does."""
    pads = ints("p", [1, 1])
    pad = pad_node(["a", "p"], "y", "pad_0")
    follow = onnx.helper.make_node("Secret", ["x"], ["a"], domain="com.example")
    keep = onnx.helper.make_node("Relu", ["x"], ["a"])
    list_ = onnx.helper.make_node("Secret", ["s"], ["list"], domain="com.example")
    computed = onnx.helper.make_node("Reshape", ["x", "list"], ["a"])
    given = onnx.helper.make_node("Reshape", ["x", "s"], ["a"])
    for nodes, shape, length, verdict in (
        ([follow], [2], 2, "unknown"),
        ([keep], None, 2, "refuses"),
        ([list_, computed], [2], 2, "unknown"),
        ([given], [2], None, "refuses"),
    ):
        ports = [port("x", shape), port("s", [length], INT64)]
        (models.path / "rank.onnx").write_bytes(model([*nodes, pad], ports, [port("y")], [pads]))
        [found] = models.verdicts("rank.onnx", "--target", target, "--fail-on=crashes").values()
        [said] = found.values()
        assert said["verdict"] == verdict, said
        assert verdict == "refuses" or "rank" in said["text"]


def test_a_target_that_is_named_twice(models):
    found = json.loads(
        models.check("--json", "plain.onnx", "--target", "ort-1.32,ort,openvino,ort")
    )
    assert [v["target"] for v in found["models"][0]["nodes"][0]["verdicts"]] == [
        "ort-1.32", "openvino-2026.4"]  # fmt: skip


def test_documented_verdicts_stand_apart(models):
    """They say so, also where they are the same as measured ones."""
    lines = models.check("plain.onnx", "--format=details").splitlines()
    documented = [line for line in lines if "(documented, not run)" in line]
    assert any(line.split()[0] == "same" and "directml" in line for line in documented)
    assert not any("ort-1.31" in line for line in documented)
    assert any(line.split()[0] == "same" and "ort-1.31" in line for line in lines)


def test_github_gets_no_text_that_turns(models):
    """U+202E would show the rest of the line backwards."""
    turned = one_pad(pads=(4, 0, 0, 0)).replace(b"pad_0", b"p\xe2\x80\xaed")
    (models.path / "turned.onnx").write_bytes(turned)
    text = models.check("--format", "github", "turned.onnx", "--target=ort-1.23", status=4)
    assert "\u202e" not in text and "p\\u202ed: differs" in text


def test_a_version_between_two(models):
    found = models.verdicts("wrap.onnx", "--target", "ort-1.18,ort-1.25", status=4)
    assert found["wrap.onnx", "pad_0"]["ort-1.18"]["verdict"] == "differs"
    assert found["wrap.onnx", "pad_0"]["ort-1.25"]["verdict"] == "unknown"


@pytest.mark.parametrize(
    "asked, nearest",
    [("ort-1.40", "ort-1.32"), ("ort-1.3", "ort-1.17"), ("tract-1.0", "tract-0.23")],
)
def test_a_version_that_nobody_ran(models, asked, nearest):
    """It is judged as the nearest one, and says so."""
    for name in "wrap.onnx", "plain.onnx":
        found = models.verdicts(name, "--target", f"{asked},{nearest}", "--fail-on=crashes")
        [verdicts] = found.values()
        guess, known = verdicts[asked], verdicts[nearest]
        assert (guess["verdict"], guess["code"]) == (known["verdict"], known["code"])
        assert known["measured"] and not guess["measured"]
        assert guess["text"].startswith(known["text"]) and ("nearest" in guess["text"]) == bool(
            known["text"]
        )
        text = models.check(name, "--target", asked, "--fail-on=crashes", "--format=details")
        assert f"{asked}  (as {nearest}, not run)" in text


@pytest.mark.parametrize(
    "mode, amount, least", [("reflect", 64, 65), ("reflect", 1, 2), ("edge", 64, None)]
)
def test_from_which_extents_on_it_is_right(models, mode, amount, least):
    """The bound is the least extent: one cell less, and the runtime is wrong."""
    amounts = ints("p", [0, 0, amount, 2, 0, 0, 0, amount])
    pad = pad_node(["x", "p"], "y", "pad", mode=mode)

    def verdict(shape, *words):
        ports = [port("x", shape)], [port("y")]
        (models.path / "open.onnx").write_bytes(model([pad], *ports, [amounts]))
        found = models.verdicts("open.onnx", "--target", "ort", "--fail-on=crashes", *words)
        return found["open.onnx", "pad"]["ort-1.32"]

    found = verdict(["n", 3, "h", "w"])
    if least is None:
        assert (found["verdict"], found["same_if"]) == ("same", None)
        return
    assert found["verdict"] == "unknown"
    expected = [{"axis": 2, "least": least}, {"axis": 3, "least": max(least, 3)}]
    assert found["same_if"] == expected
    assert found["text"].endswith(
        f"; it is right if axis 2 has at least {least} cells and axis 3 has at least {max(least, 3)} cells"
        f": --assume 'h>={least}' --assume 'w>={max(least, 3)}'"
    )
    wide = max(least, 3)
    for h, w, kind in (least, wide, "same"), (least - 1, 99, "refuses"), (99, wide - 1, "refuses"):
        assert verdict([1, 3, h, w])["verdict"] == kind, (h, w)
    # A known extent that is too small: no other extent helps.
    assert verdict(["n", 3, least - 1, "w"])["same_if"] is None


@pytest.mark.parametrize("mode", ["constant", "reflect", "edge", "wrap"])
@pytest.mark.parametrize("target", ["ort-1.17", "ort-1.32", "openvino", "opencv-5.0", "tract"])
def test_bounds_hold_for_all_extents(models, mode, target):
    """From the bound on the verdict is `same`, and nowhere where something is cut off is one told."""
    for begin in range(-3, 5):
        for end in range(-2, 4):
            pad = pad_node(["x", "p"], "y", "pad", mode=mode)
            for k, shape in enumerate(
                [f"n{extent}"] if extent == 0 else [extent] for extent in range(9)
            ):
                made = model([pad], [port("x", shape)], [port("y")], [ints("p", [begin, end])])
                (models.path / f"{begin}_{end}_{k}.onnx").write_bytes(made)
    found = models.verdicts(".", "--target", target, "--fail-on=crashes", status=None)
    told = 0
    for (path, _), verdicts in found.items():
        [said] = verdicts.values()
        stem = pathlib.Path(path).stem
        assert not said["text"].endswith("; ")
        if said["same_if"] is None:
            continue
        told += 1
        begin, end, k = map(int, stem.split("_"))
        assert k == 0 and begin >= 0 and end >= 0
        [bound] = said["same_if"]
        for extent in range(bound["least"], 9):
            [other] = next(
                v
                for (p, _), v in found.items()
                if p.endswith(f"{begin}_{end}_{extent}.onnx")
                and pathlib.Path(p).stem == f"{begin}_{end}_{extent}"
            ).values()
            assert other["verdict"] == "same", (begin, end, extent, other)
        assert bound["least"] > 1
    assert told > 0 or mode in ("constant", "edge", "wrap") or target == "opencv-5.0"


def test_a_name_without_a_version_is_the_newest(models):
    assert list(models.verdicts("wrap.onnx", "--target=ort")["wrap.onnx", "pad_0"]) == ["ort-1.32"]


def test_json_is_as_its_schema_says(models):
    """Of everything that is in the kit's small models here: open shapes, an IR, branches, bad files."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "docs/check.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    pad = pad_node(["x", "p", "", "a"], "y", "pad", mode="reflect")
    made = model([pad], [port("x", ["n", 3])], [port("y")], [ints("p", [1, 2]), ints("a", [-2])])
    (models.path / "open.onnx").write_bytes(made)
    (models.path / "if.onnx").write_bytes(with_subgraph())
    (models.path / "nothing.onnx").write_bytes(
        model([pad_node(["x"], "y")], [port("x")], [port("y")], [], 30)
    )
    (models.path / "none.onnx").write_bytes(model([], [], []))
    (models.path / "bad.onnx").write_bytes(b"no model")
    exports = [ROOT / "checker/tests/models/exports", ROOT / "examples"]
    models.check("./wrap.onnx", "--target=ort-1.23", "--write-baseline=known.txt")
    words = ["--json", "--baseline=known.txt"]
    done = running.run("check", *words, ".", *exports, cwd=models.path)
    found = json.loads(done.stdout)
    jsonschema.validate(found, schema)
    kinds = {
        name: kind["properties"].keys()
        for name, kind in schema["$defs"].items()
        if "properties" in kind
    }
    verdicts = []
    for one in found["models"]:
        assert one.keys() == kinds["model"]
        for node in one["nodes"]:
            assert node.keys() == kinds["node"]
            assert all(verdict.keys() == kinds["verdict"] for verdict in node["verdicts"])
            verdicts += node["verdicts"]
    assert {verdict["verdict"] for verdict in verdicts} >= {
        "same",
        "unknown",
        "differs",
        "refuses",
        "crashes",
    }
    assert {verdict["missing"] for verdict in verdicts} >= {None, "extent", "pads"}
    assert any(verdict["accepted"] for verdict in verdicts) and any(
        verdict["same_if"] for verdict in verdicts
    )
    # A schema that allowed everything would pass as well.
    for change in {"schema": 2}, {"models": None}, {"models": [{"path": "a"}]}:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**found, **change}, schema)
    verdicts[0]["verdict"] = "right"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found, schema)


def test_json_has_the_facts(models):
    pad = pad_node(["x", "p", "v", "a"], "y", "pad", mode="reflect")
    made = model(
        [pad],
        [port("x", ["n", 3])],
        [port("y")],
        [ints("p", [2, 1]), ints("a", [-2]), onnx.helper.make_tensor("v", 1, [], [0.5])],
    )
    (models.path / "open.onnx").write_bytes(made)
    found = json.loads(models.check("--json", "open.onnx", "--target=ort-1.31"))
    [node] = found["models"][0]["nodes"]
    assert (node["input_shape"], node["output_shape"]) == ([None, 3], [None, 3])
    assert (node["begin"], node["end"], node["axes"], node["value"]) == ([2], [1], [-2], "0.5")
    [verdict] = node["verdicts"]
    assert (verdict["verdict"], verdict["missing"], verdict["axis"]) == ("unknown", "extent", 0)
    assert verdict["same_if"] == [{"axis": 0, "least": 3}]
    found = json.loads(models.check("--json", "wrap.onnx", "--target=ort-1.23", status=4))
    [node] = found["models"][0]["nodes"]
    assert (node["input_shape"], node["output_shape"], node["axes"]) == ([3, 2], [7, 2], None)
    [verdict] = node["verdicts"]
    assert (verdict["verdict"], verdict["missing"], verdict["axis"]) == ("differs", None, 0)


@pytest.mark.parametrize(
    "words, status",
    [
        (["wrap.onnx"], 0),
        (["wrap.onnx", "--target", "ort-1.31"], 0),
        (["wrap.onnx", "--target", "ort-1.23"], 4),
        (["wrap.onnx", "--target", "ort-1.23", "--fail-on", "refuses"], 0),
        (["wrap.onnx", "--target", "openvino", "--fail-on", "refuses"], 4),
        (["wrap.onnx", "--target", "openvino", "--fail-on", "crashes"], 0),
        (["wrap.onnx", "--fail-on", "differs"], 4),
        (["plain.onnx", "--target", "ort"], 0),
        (["plain.onnx", "--target", "ort", "--fail-on", "same"], 4),
        (["plain.onnx", "--target", "ort", "--fail-on", "unknown"], 0),
    ],
)
@pytest.mark.parametrize("form", ["text", "details", "markdown", "json", "sarif", "github"])
def test_status(models, words, status, form):
    models.check("--format", form, *words, status=status)


def test_an_unreadable_model_wins(models):
    (models.path / "bad.onnx").write_bytes(b"no model")
    words = ["bad.onnx", "wrap.onnx"]
    done = models.fail(3, "check", *words, "--target=ort-1.23", says="bad.onnx", prints=True)
    text = done.stdout.decode()
    assert "1 differs" in text and "1 model cannot be checked" in text and "no Pad" not in text
    done = models.fail(3, "check", *words, "--format=details", says="bad.onnx", prints=True)
    assert b"    cannot be checked\n" in done.stdout and b"no Pad" not in done.stdout
    done = models.fail(3, "check", "--json", *words, says="bad.onnx", prints=True)
    found = json.loads(done.stdout)
    assert "bad.onnx" in found["models"][0]["error"] and found["models"][0]["nodes"] == []
    assert len(found["models"][1]["nodes"]) == 1
    models.fail(3, "check", "none.onnx", says="none.onnx", prints=True)


def test_text_puts_equal_verdicts_into_one_line(models):
    details = ["--format", "details", "--target"]
    text = models.check("plain.onnx", *details, "ort-1.17,ort-1.31,opencv-5.0")
    assert text.splitlines() == [
        "plain.onnx",
        "  pad_0  Pad-19 constant float [3,2] -> [3,4]",
        "    same     ort-1.17, ort-1.31, opencv-5.0",
        "1 model, 1 Pad node: 3 same",
    ]
    text = models.check("wrap.onnx", *details, "ort-1.17,ort-1.31,ort-1.20", status=4)
    lines = [line.split()[0] for line in text.splitlines()[2:-1]]
    assert lines.count("differs") == 2 and lines.count("same") == 1, text


def test_a_model_without_pad(models):
    (models.path / "none.onnx").write_bytes(model([], [], []))
    for form in "text", "details":
        assert "no Pad" in models.check("none.onnx", "--format", form)


def test_folders_stand_for_their_models(models):
    inner = models.path / "more" / "deep"
    inner.mkdir(parents=True)
    (inner / "two.onnx").write_bytes(two_branches())
    (inner / "notes.xml").write_text("<notes/>")
    (inner / "picture.png").write_bytes(b"no picture")
    (models.path / "more" / "net.xml").write_text('<?xml version="1.0"?><net version="11"/>')
    (models.path / "more" / "circle").symlink_to(models.path)
    found = json.loads(models.check("--json", "."))
    assert [model["path"] for model in found["models"]] == [
        "./more/deep/two.onnx",
        "./more/net.xml",
        "./plain.onnx",
        "./wrap.onnx",
    ]


def test_progress_only_on_a_terminal(models):
    status, shown = on_terminal(models, "check", "wrap.onnx", "plain.onnx")
    assert status == 0 and "1 of 2 models" in shown
    assert on_terminal(models, "check", "-q", "wrap.onnx", "plain.onnx") == (0, "")


def test_github_lines(models):
    name = "a:b,c%\n.onnx"
    (models.path / name).write_bytes(one_pad(pads=(4, 0, 0, 0), name="x\n::error::y"))
    [line] = models.check("--format=github", "--target=ort-1.23", name, status=4).splitlines()
    place, title, rest = line.split(",", 2)[0], line.split(",")[1], line.split("::")[-1]
    assert place == "::error file=a%3Ab%2Cc%25%0A.onnx"
    assert title.startswith("title=TP") and " ort-1.23::" in line
    assert "x%0A" in line and rest


def test_sarif(models, sarif_schema):
    jsonschema = pytest.importorskip("jsonschema")
    (models.path / "a b.onnx").write_bytes(with_subgraph())
    words = ["wrap.onnx", "a b.onnx", "plain.onnx", "--format=sarif"]
    found = json.loads(models.check(*words, "--target=ort-1.23,openvino,coreml", status=4))
    jsonschema.validate(found, sarif_schema)
    [run] = found["runs"]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert run["results"] and {result["ruleId"] for result in run["results"]} <= rules
    paths = {
        place["physicalLocation"]["artifactLocation"]["uri"]
        for result in run["results"]
        for place in result["locations"]
    }
    assert paths <= {"wrap.onnx", "a%20b.onnx"} and "wrap.onnx" in paths
    assert {result["level"] for result in run["results"]} <= {"error", "warning", "note"}


def test_baseline(models):
    words = ["wrap.onnx", "plain.onnx", "--target=ort-1.23,ort-1.31"]
    models.check(*words, "--write-baseline=known.txt")
    text = (models.path / "known.txt").read_text()
    [line] = [line for line in text.splitlines() if not line.startswith("#")]
    assert line.split("\t")[:3] == ["wrap.onnx", "pad_0", "ort-1.23"]
    assert "accepted" in models.check(*words, "--baseline=known.txt")
    # A finding that the baseline does not have still counts.
    models.check(*words, "--target=ort-1.17", "--baseline=known.txt", status=4)
    (models.path / "other.onnx").write_bytes((models.path / "wrap.onnx").read_bytes())
    models.check("other.onnx", *words, "--baseline=known.txt", status=4)
    # The file is not overwritten, unless that is asked for.
    models.fail(1, "check", *words, "--write-baseline=known.txt", says="-f", prints=True)
    assert (models.path / "known.txt").read_text() == text
    models.check(*words, "-f", "--write-baseline=known.txt")
    assert (models.path / "known.txt").read_text() == text


def test_baselines_that_are_none(models):
    models.fail(1, "check", "wrap.onnx", "--baseline=none.txt", says="none.txt")
    for text in ("wrap.onnx pad_0 ort-1.23\n", "a\tb\tc\td\te\tf\n", "a\tb\tc\td\te\0\n"):
        (models.path / "bad.txt").write_text("# a remark\n\n" + text)
        models.fail(3, "check", "wrap.onnx", "--baseline=bad.txt", says="line 3")


def test_witness(models):
    """What the document says is checked with NumPy, and the script with a runtime that differs."""
    models.check("wrap.onnx", "plain.onnx", "--target=ort-1.23", "--witness=w", status=4)
    [folder] = (models.path / "w").glob("test_*")
    data = folder / "test_data_set_0"
    x, y = (
        onnx.numpy_helper.to_array(onnx.TensorProto.FromString((data / name).read_bytes()))
        for name in ("input_0.pb", "output_0.pb")
    )
    assert x.shape == (3, 2) and len(set(x.flat)) == 6
    assert np.array_equal(y, np.pad(x, ((4, 0), (0, 0)), "wrap"))
    assert "ort-1.23 differs TP" in (folder / "verdicts.txt").read_text()
    script = models.path / "w" / "compare.py"
    assert script.read_bytes() == (ROOT / "checker/command/witness.py").read_bytes()
    # The newest ONNX Runtime is right; an answer that is changed shows that the script compares.
    done = subprocess.run([sys.executable, script, "ort"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"{folder.name}: same\n"), done.stderr
    onnx.checker.check_model(onnx.load(folder / "model.onnx"), full_check=True)
    changed = onnx.numpy_helper.from_array(y + 1)
    (data / "output_0.pb").write_bytes(changed.SerializeToString())
    done = subprocess.run([sys.executable, script, "ort"], capture_output=True, text=True)
    assert done.returncode == 1 and f"differs: {y[0, 0]} at (0, 0)" in done.stdout, done.stdout
    models.fail(1, "check", "wrap.onnx", "--witness=w", says="exists", prints=True)


def pool_model(op, amounts, shape, value=None, kind=onnx.TensorProto.FLOAT, opset=19, **attributes):
    nodes = [
        pad_node(["x", "p"] + (["v"] if value is not None else []), "z", "pad"),
        onnx.helper.make_node(op, ["z"], ["y"], **attributes),
    ]
    constants = [ints("p", amounts)]
    if value is not None:
        constants.append(onnx.helper.make_tensor("v", kind, [], [value]))
    return model(nodes, [port("x", shape, kind)], [port("y", None, kind)], constants, opset)


def protos(folder):
    for name in "input_0.pb", "output_0.pb":
        yield onnx.TensorProto.FromString((folder / "test_data_set_0" / name).read_bytes())


def tensors(folder):
    return map(onnx.numpy_helper.to_array, protos(folder))


def model_of_witness(folder):
    """As compare.py makes it."""
    made = runpy.run_path(str(ROOT / "checker/command/witness.py"))["onnx_model"](
        json.loads((folder / "node.json").read_text()), *protos(folder)
    )
    onnx.save(made, folder / "model.onnx")
    return made


def windows(x, amounts, kernel, of):
    """Pad by 0 and pool, by a loop over the places."""
    rank = x.ndim
    padded = np.pad(x, list(zip(amounts[:rank], amounts[rank:])))
    places = np.lib.stride_tricks.sliding_window_view(padded, [1, 1, *kernel])
    return of(places, axis=tuple(range(-rank, 0))).astype(x.dtype)


@pytest.mark.parametrize(
    "op, amounts, shape, kind, target, attributes",
    [
        (
            "MaxPool",
            [0, 0, 1, 1, 0, 0, 1, 1],
            [1, 2, 4, 4],
            "FLOAT",
            "ort-1.31",
            {"kernel_shape": [2, 2]},
        ),
        (
            "MaxPool",
            [0, 0, 0, 2, 0, 0, 3, 0],
            [1, 1, 2, 5],
            "DOUBLE",
            "ort-1.23",
            {"kernel_shape": [5, 5]},
        ),
        (
            "MaxPool",
            [0, 0, 1, 0, 0, 2],
            [2, 1, 3],
            "FLOAT16",
            "ort-1.31",
            {"kernel_shape": [4], "strides": [2]},
        ),
        (
            "MaxPool",
            [0, 0, 1, 1, 0, 0, 1, 1],
            [1, 1, 3, 3],
            "FLOAT",
            "ort-1.17",
            {"kernel_shape": [3, 3], "pads": [0, 0, 0, 0]},
        ),
        (
            "AveragePool",
            [0, 0, 1, 3, 0, 0, 0, 1],
            [1, 1, 3, 2],
            "FLOAT",
            "ort-1.20",
            {"kernel_shape": [5, 5]},
        ),
        (
            "AveragePool",
            [0, 0, 2, 0, 0, 0],
            [1, 1, 2],
            "FLOAT16",
            "ort-1.20",
            {"kernel_shape": [3]},
        ),
    ],
)
def test_witness_with_a_pool(models, op, amounts, shape, kind, target, attributes):
    """A Pad by 0 before a pool: the node alone is right everywhere, so the witness has a pool, too."""
    kind = getattr(onnx.TensorProto, kind)
    (models.path / "pool.onnx").write_bytes(pool_model(op, amounts, shape, kind=kind, **attributes))
    text = models.check("pool.onnx", f"--target={target}", "--witness=w", status=4)
    assert "; 1 witness in w\n" in text and op in text
    [folder] = (models.path / "w").glob("test_*")
    made = model_of_witness(folder)
    onnx.checker.check_model(made, full_check=True)
    pad, pool = made.graph.node
    assert (pad.op_type, pool.op_type) == ("Pad", op)
    given = {one.name: list(one.ints) for one in pool.attribute}
    assert ("pads" in given) == ("pads" in attributes)
    x, y = tensors(folder)
    kernel = given["kernel_shape"]
    assert (
        x.dtype == y.dtype == onnx.helper.tensor_dtype_to_np_dtype(kind) and list(x.shape) == shape
    )
    assert (x == (-1 if op == "MaxPool" else 1)).all()
    expected = windows(x, amounts, kernel, np.max if op == "MaxPool" else np.mean)
    assert y.shape == expected.shape and y.tobytes() == expected.tobytes()
    # A runtime that gives its own padding to the pool answers otherwise.
    assert (y != x.flat[0]).any()
    # check says the same of the witness, and the newest ONNX Runtime is right.
    models.check(str(folder / "model.onnx"), f"--target={target}", status=4)
    done = subprocess.run(
        [sys.executable, models.path / "w" / "compare.py", "ort"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, f"{folder.name}: same\n"), done.stderr


@pytest.mark.parametrize(
    "change",
    [
        {"amounts": [0, 0, 1, 70, 0, 0, 1, 1], "shape": [1, 1, 4, 4]},  # a window of too many cells
        {"shape": [1, 1, 40, 40], "amounts": [0, 0, 33, 33, 0, 0, 33, 33]},
        {"kind": onnx.TensorProto.INT8},
        {"shape": [1, "n", 4, 4]},
        {
            "op": "AveragePool",
            "amounts": [0, 0, 4, 0, 0, 0, 0, 0],
            "shape": [1, 1, 2, 4],
        },  # 8 do not fit into 6
    ],
)
def test_no_witness_with_a_pool(models, change):
    """Where the answer would not be exact, or not everything is known."""
    words = {"op": "MaxPool", "amounts": [0, 0, 1, 1, 0, 0, 1, 1], "shape": [1, 1, 4, 4], **change}
    (models.path / "pool.onnx").write_bytes(
        pool_model(
            words.pop("op"),
            words.pop("amounts"),
            words.pop("shape"),
            kernel_shape=[99, 99],
            **words,
        )
    )
    text = models.check("pool.onnx", "--target=ort-1.20", "--witness=w", status=None)
    assert "; no witness\n" in text and not (models.path / "w").exists()


def test_no_witness_where_only_open_shapes_differ(models):
    """A witness has the shape that is given, and OpenVINO then refuses what it gets wrong when it runs."""
    pad = pad_node(["x", "p"], "y", "pad", mode="reflect")
    made = model([pad], [port("x", ["n", 2])], [port("y")], [ints("p", [3, 0, 0, 0])])
    (models.path / "open.onnx").write_bytes(made)
    words = ["open.onnx", "--input-shape=x=3,2", "--target=openvino", "--witness=w"]
    text = models.check(*words, status=4)
    assert "differs on openvino" in text and "TP208" in text and "; no witness\n" in text
    (models.path / "open.onnx").write_bytes(
        model([pad], [port("x", [3, 2])], [port("y")], [ints("p", [3, 0, 0, 0])])
    )
    assert "refuses on openvino" in models.check("open.onnx", "--target=openvino", status=4)


def ir_layer(mode="constant", value="-0.0", kind="f32", port="FP32", version=12):
    """An IR of Parameter, Pad and Result, with a value."""
    shape, padded = "<dim>2</dim><dim>3</dim>", "<dim>4</dim><dim>3</dim>"
    const = (
        '<layer id="{0}" name="c{0}" type="Const" version="opset1"><data element_type="{1}" shape="{2}" '
        'offset="{3}" size="{4}"/><output><port id="0" precision="{5}">{6}</port></output></layer>'
    )
    return (
        '<?xml version="1.0"?><net name="m" version="11"><layers>'
        f'<layer id="0" name="in" type="Parameter" version="opset1"><data shape="2,3" element_type="{kind}"/>'
        f'<output><port id="0" precision="{port}">{shape}</port></output></layer>'
        + const.format(1, "i64", 2, 0, 16, "I64", "<dim>2</dim>")
        + const.format(2, "i64", 2, 16, 16, "I64", "<dim>2</dim>")
        + const.format(3, kind, "", 32, 8 if port == "I64" else 4, port, "")
        + f'<layer id="4" name="pad" type="Pad" version="opset{version}"><data pad_mode="{mode}"/><input>'
        f'<port id="0" precision="{port}">{shape}</port><port id="1" precision="I64"><dim>2</dim></port>'
        f'<port id="2" precision="I64"><dim>2</dim></port><port id="3" precision="{port}"/></input>'
        f'<output><port id="4" precision="{port}">{padded}</port></output></layer>'
        '<layer id="5" name="out" type="Result" version="opset1"><input>'
        f'<port id="0" precision="{port}">{padded}</port></input></layer></layers><edges>'
        + "".join(
            f'<edge from-layer="{k}" from-port="0" to-layer="4" to-port="{k}"/>' for k in range(4)
        )
        + '<edge from-layer="4" from-port="4" to-layer="5" to-port="0"/></edges></net>'
    ).encode()


@pytest.mark.parametrize(
    "kind, number, code", [(np.float32, -0.0, "TP214"), (np.int64, 2**40 + 1, "TP215")]
)
def test_witness_of_an_ir(models, kind, number, code):
    word, port_word = {np.float32: ("f32", "FP32"), np.int64: ("i64", "I64")}[kind]
    (models.path / "m.xml").write_bytes(ir_layer(kind=word, port=port_word))
    (models.path / "m.bin").write_bytes(
        np.array([1, 0, 1, 0], "<i8").tobytes() + kind(number).tobytes()
    )
    text = models.check("m.xml", "--target=openvino", "--witness=w", status=4)
    assert "; 1 witness in w\n" in text and code in text
    [folder] = (models.path / "w").glob("test_*")
    made = ["node.json", "test_data_set_0", "verdicts.txt"]
    assert sorted(one.name for one in folder.iterdir()) == made
    x, y = tensors(folder)
    assert x.dtype == y.dtype == kind and len(set(x.flat)) == 6
    assert y.tobytes() == np.pad(x, ((1, 1), (0, 0)), constant_values=kind(number)).tobytes()
    # OpenVINO runs it, and check says the same of it; where the bits differ, the script says so.
    openvino = pytest.importorskip("openvino")
    alone = runpy.run_path(str(ROOT / "checker/command/witness.py"))["openvino_model"](
        json.loads((folder / "node.json").read_text()), next(protos(folder))
    )
    openvino.save_model(alone, folder / "model.xml", compress_to_fp16=False)
    models.check(str(folder / "model.xml"), "--target=openvino", status=4)
    found = openvino.Core().compile_model(alone, "CPU")(x)[0]
    assert found.shape == y.shape and found.tobytes() != y.tobytes()
    script = models.path / "w" / "compare.py"
    done = subprocess.run([sys.executable, script, "ort"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (
        0,
        f"{folder.name}: same, as it does not read an IR\n",
    )
    done = subprocess.run([sys.executable, script, "openvino"], capture_output=True, text=True)
    assert done.returncode == (kind is np.int64), done.stdout + done.stderr


def test_an_ir_without_a_value(models):
    """Its witness has none either. OpenVINO takes the elements of u2 for others."""
    text = ir_layer(kind="u2", port="U2").decode()
    begin, end = text.index('<layer id="3"'), text.index('<layer id="4"')
    text = text[:begin] + text[end:]
    text = text.replace('<port id="3" precision="U2"/>', "").replace(
        '<edge from-layer="3" from-port="0" to-layer="4" to-port="3"/>', ""
    )
    (models.path / "m.xml").write_text(text)
    (models.path / "m.bin").write_bytes(np.array([1, 0, 1, 0], "<i8").tobytes())
    assert "TP221" in models.check("m.xml", "--target=openvino", "--witness=w", status=4)
    [folder] = (models.path / "w").glob("test_*")
    assert "value" not in json.loads((folder / "node.json").read_text())
    x, y = tensors(folder)
    assert len(set(x.flat)) == 3
    assert y.tobytes() == np.pad(x, ((1, 1), (0, 0))).tobytes()


# A node of each form that some runtime answers otherwise, and types of few numbers: mode, pads,
# axes, value, type, cells of a row, opset, target.
FORMS = [
    ("reflect", [3, 0, 0, 0], None, None, "FLOAT", 2, 2, "ort-1.17"),
    ("reflect", [0, 0, 0, 2], None, None, "DOUBLE", 2, 10, "ort-1.23"),
    ("constant", [1, 0, 0, 1], None, -0.0, "FLOAT", 2, 13, "openvino"),
    ("constant", [1, 0], [-2], -0.0, "FLOAT", 2, 19, "openvino"),
    ("wrap", [0, 4, 0, 0], None, None, "INT64", 2, 19, "ort-1.20"),
    ("wrap", [4, 0], [1], None, "BOOL", 2, 19, "ort-1.20"),
    ("wrap", [3, 4, 0, 0], [1, 0], None, "FLOAT16", 2, 19, "ort-1.20"),
    ("wrap", [0, 4, 0, 0], None, 2.0, "INT32", 2, 19, "ort-1.20"),
    ("wrap", [4, 0, 0, 0], None, None, "UINT8", 7, 19, "ort-1.20"),
    ("wrap", [4, 0, 0, 0], None, None, "BOOL", 8, 19, "ort-1.20"),
    ("reflect", [-1, 0, 2, 0], None, None, "UINT4", 15, 25, "openvino"),
    ("reflect", [-1, 0, 2, 0], None, None, "INT4", 15, 25, "openvino"),
    ("reflect", [-1, 0, 2, 0], None, None, "FLOAT4E2M1", 3, 25, "openvino"),
    ("reflect", [-1, 0, 2, 0], None, None, "FLOAT8E5M2", 7, 25, "openvino"),
    ("reflect", [-1, 0, 2, 0], None, None, "FLOAT8E8M0", 3, 25, "openvino"),
]


@pytest.mark.parametrize("mode, pads, axes, value, word, width, opset, target", FORMS)
def test_witness_of_each_form(models, mode, pads, axes, value, word, width, opset, target):
    """The node alone has the same attributes and inputs, and NumPy gives the same answer. Rows of its
    input differ, else a cell of another row would not show."""
    data_type = getattr(onnx.TensorProto, word)
    lists = {"p": pads, "a": axes} if opset >= 11 else {}
    constants = [ints(name, numbers) for name, numbers in lists.items() if numbers]
    inputs = ["x"] + (["p"] if lists else [])
    if value is not None:
        constants.append(onnx.helper.make_tensor("v", data_type, [], [value]))
    if value is not None or axes:
        inputs += ["v" if value is not None else ""] + (["a"] if axes else [])
    attributes = {"mode": mode} if lists else {"mode": mode, "pads": pads}
    ports = [port("x", [3, width], data_type)], [port("y", None, data_type)]
    (models.path / "one.onnx").write_bytes(
        model([pad_node(inputs, **attributes)], *ports, constants, opset)
    )
    models.check("one.onnx", f"--target={target}", "--witness=w", status=4)
    [folder] = (models.path / "w").glob("test_*")
    alone = model_of_witness(folder)
    onnx.checker.check_model(alone)
    [theirs] = alone.graph.node
    assert alone.opset_import[0].version == opset and len(theirs.input) == len(inputs)
    given = {one.name: onnx.helper.get_attribute_value(one) for one in theirs.attribute}
    attributes["mode"] = mode.encode()
    assert {name: given[name] for name in attributes} == attributes
    x, y = tensors(folder)
    amounts = [(0, 0), (0, 0)]
    for place, axis in enumerate(axes or [0, 1]):
        amounts[axis] = (pads[place], pads[place + len(pads) // 2])
    cut = max(0, -amounts[0][0])
    grown = [tuple(max(0, n) for n in pair) for pair in amounts]
    fill = {"constant_values": 0 if value is None else value} if mode == "constant" else {}
    expected = np.pad(x[cut:], grown, mode, **fill)
    assert x.dtype == onnx.helper.tensor_dtype_to_np_dtype(data_type)
    assert y.tobytes() == expected.tobytes() and y.shape == expected.shape
    cells = x.astype(np.float64)
    numbers = 2 if word == "BOOL" else x.size if width == 2 else width
    assert len(set(cells.flat)) == numbers
    assert len({row.tobytes() for row in cells}) == min(numbers, 3)


def explain(*words):
    return running.succeed("explain", *words).stdout.decode()


def test_explain_lists_and_explains_every_rule():
    lines = explain().splitlines()
    codes = [line.split()[0] for line in lines]
    assert codes == sorted(codes) and len(codes) == len(set(codes)) > 20
    for code in codes:
        text = explain(code)
        assert text.startswith(f"{code}  ") and "Smallest example" in text and "What to do" in text
        assert ("Measured on" in text) != ("Documented, not measured" in text)
        assert max(len(line) for line in text.splitlines()) <= 120
    assert explain(codes[0].lower()) == explain(codes[0][2:])


SARIF = ROOT / "build/sarif/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"


@pytest.fixture(scope="session")
def sarif_schema():
    place = os.environ.get("TENSORPAD_SARIF", SARIF)
    if not pathlib.Path(place).is_file():
        pytest.skip(f"no schema of SARIF at {place}: scripts/setup/from_npm.sh fetches it")
    return json.loads(pathlib.Path(place).read_text())
