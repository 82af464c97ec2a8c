"""The forms of `tensorpad check` that begin with a summary: text and markdown.

SPDX-License-Identifier: MIT
"""

import json
import re

import onnx
import pytest
import running
from onnx_models import ints, model, one_pad, pad_node, port

WRAP = one_pad(pads=(4, 0, 0, 0))  # 4 before an extent of 3: ort-1.23 differs
PLAIN = one_pad("constant", pads=(0, 1, 0, 1))
HOSTILE = "</script><img src=x onerror=alert(1)>\u202e|`x``\n#&\"'"


def many_pads(count, mode="constant"):
    """A model of alike Pads, one after the other's input."""
    nodes = [pad_node(["x", "p"], f"y{k}", f"pad_{k}", mode=mode) for k in range(count)]
    ports = [port("x", [3, 2])], [port(f"y{k}", [3, 4]) for k in range(count)]
    return model(nodes, *ports, [ints("p", [0, 1, 0, 1])])


def check(path, *words, status=None):
    done = running.run("check", *words, cwd=path)
    assert done.status in ((0, 4) if status is None else (status,)), done
    return done.stdout.decode()


def test_one_model(tmp_path):
    (tmp_path / "wrap.onnx").write_bytes(WRAP)
    text = check(tmp_path, "wrap.onnx", "--target", "ort-1.31,ort-1.23,openvino")
    explained = {
        code: running.succeed("explain", code).stdout.decode() for code in ("TP109", "TP201")
    }
    ways = {
        code: re.sub(r"\s+", " ", page.partition("What to do\n")[2].partition("\n\n")[0]).strip()
        for code, page in explained.items()
    }
    assert text.splitlines() == [
        "1 model, 1 Pad node: 1 refuses, 1 differs, 1 same",
        "",
        "  Pads  ort-1.31  ort-1.23  openvino-2026.4  model",
        "     1  same      differs   refuses          wrap.onnx",
        "",
        "What is wrong",
        "  TP201  refuses on openvino-2026.4: mode wrap",
        "         pad_0: Pad-19 wrap float [3,2] -> [7,2], begin 4,0, end 0,0",
        "         OpenVINO 2026.4.1 does not know mode wrap",
        "  TP109  differs on ort-1.23: wrap adds more cells in front than there are",
        "         pad_0: Pad-19 wrap float [3,2] -> [7,2], begin 4,0, end 0,0",
        "         axis 0: wrap adds 4 cells in front of the 3 there are; ONNX Runtime 1.23.2 answers with "
        "uninitialised memory",
        "",
        "How to fix it",
        "  tensorpad lower MODEL OUT --target ort-1.23,openvino-2026.4",
        f"  TP201  {ways['TP201']}",
        f"  TP109  {ways['TP109']}",
        "  tensorpad explain CODE says more of a rule, and --format details of each Pad",
    ]


def test_85_models_are_read_in_60_lines(tmp_path):
    for k in range(60):
        (tmp_path / f"a{k:02}.onnx").write_bytes(many_pads(52))
    for k in range(20):
        (tmp_path / f"b{k:02}.onnx").write_bytes(many_pads(3, "wrap"))
    for k in range(4):
        (tmp_path / f"c{k}.onnx").write_bytes(WRAP)
    (tmp_path / "d.onnx").write_bytes(b"no model")
    text = check(tmp_path, ".", "--target", "ort-1.31,ort-1.23,openvino,opencv-5.0", status=3)
    lines = text.splitlines()
    assert len(lines) <= 60 and lines[0].startswith("85 models, 3184 Pad nodes: ")
    rows = {line.split()[-4 if " and " in line else -1]: line.split() for line in lines[3:7]}
    assert rows["./a00.onnx"] == "3120 same same same same ./a00.onnx and 59 more".split()
    assert (
        rows["./b00.onnx"]
        == "60 same same 3 refuses same ./b00.onnx and 19 more".replace("3 ", "").split()
    )
    assert rows["./c0.onnx"] == "4 same differs refuses same ./c0.onnx and 3 more".split()
    assert rows["./d.onnx"] == "0 cannot be checked ./d.onnx".split()
    assert "  TP201  refuses on openvino-2026.4: 64 Pads of 24 models: mode wrap" in lines
    assert (
        "         ./b00.onnx: pad_0, pad_1, pad_2: OpenVINO 2026.4.1 does not know mode wrap"
        in lines
    )
    details = check(
        tmp_path,
        *". --target ort-1.31,ort-1.23,openvino,opencv-5.0 --format=details".split(),
        status=3,
    )
    assert len(details.splitlines()) > 6000


def test_counts_and_names_of_alike_pads(tmp_path):
    """A cell tells how many Pads have the worst verdict; three are named."""
    nodes = [pad_node(["x", "p"], f"y{k}", f"w{k}", mode="wrap") for k in range(5)]
    nodes.append(pad_node(["x", "q"], "y", "other", mode="constant"))
    ports = [port("x", [3, 2])], [port(f"y{k}") for k in range(5)] + [port("y")]
    made = model(nodes, *ports, [ints("p", [4, 0, 0, 0]), ints("q", [0, 1, 0, 0])])
    (tmp_path / "m.onnx").write_bytes(made)
    text = check(tmp_path, "m.onnx", "--target=ort-1.23,ort-1.31")
    assert "     6  5 differs  same      m.onnx\n" in text
    assert (
        "         w0, w1, w2 and 2 alike: Pad-19 wrap float [3,2] -> [7,2], begin 4,0, end 0,0\n"
        in text
    )


def test_letters_for_many_targets(tmp_path):
    (tmp_path / "wrap.onnx").write_bytes(WRAP)
    (tmp_path / "none.onnx").write_bytes(model([], [], []))
    text = check(tmp_path, "wrap.onnx", "none.onnx")
    assert max(len(line) for line in text.splitlines()[:10]) < 90
    named = dict(
        re.findall(r"(\d+) (\S+-?\S+)", text.partition("\n. same")[0].partition("\n\n")[2])
    )
    [row] = [line.split() for line in text.splitlines() if line.endswith("  wrap.onnx")]
    found = json.loads(check(tmp_path, "--json", "wrap.onnx"))["models"][0]["nodes"][0]["verdicts"]
    letters = {
        "same": ".",
        "unknown": "?",
        "accepts": "A",
        "differs": "D",
        "refuses": "R",
        "crashes": "C",
    }
    assert [named[str(k + 1)] for k in range(len(found))] == [v["target"] for v in found]
    assert row == ["1", *(letters[v["verdict"]] for v in found), "wrap.onnx"]
    [row] = [line.split() for line in text.splitlines() if line.endswith("  none.onnx")]
    assert row == ["0", "no", "Pad", "none.onnx"]
    assert "\nNot run: coreml, " in text and text.count("judged by documents") == 1


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_targets_that_were_not_run(tmp_path, form):
    (tmp_path / "plain.onnx").write_bytes(PLAIN)
    text = check(tmp_path, "plain.onnx", "--target=ort-1.40,coreml,ort-1.31", "--format", form)
    assert "Not run: ort-1.40, judged as ort-1.32; coreml, judged by documents" in text
    assert "Not run" not in check(tmp_path, "plain.onnx", "--target=ort-1.31", "--format", form)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_accepted_findings(tmp_path, form):
    (tmp_path / "wrap.onnx").write_bytes(WRAP)
    words = ["wrap.onnx", "--target=ort-1.23", "--format", form]
    assert "accepted before" not in check(tmp_path, *words, "--write-baseline=known.txt", status=0)
    text = check(tmp_path, *words, "--baseline=known.txt", status=0)
    assert "1 accepted before" in text and "tensorpad lower" not in text
    assert {
        "text": "     1  accepted  wrap.onnx\n",
        "markdown": "| 1 | **accepted** |",
    }[form] in text
    assert "TP109" in text
    lines = (tmp_path / "known.txt").read_bytes()
    (tmp_path / "known.txt").write_bytes(
        lines.replace(b"\n", b"\r\n")
    )  # as Git checks it out on Windows
    assert check(tmp_path, *words, "--baseline=known.txt", status=0) == text


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_what_is_not_known(tmp_path, form):
    pad = pad_node(["x", "p"], "y", "pad", mode="reflect")
    made = model([pad], [port("x", ["n", 2])], [port("y")], [ints("p", [2, 0, 0, 0])])
    (tmp_path / "open.onnx").write_bytes(made)
    text = check(tmp_path, "open.onnx", "--target=ort-1.31", "--format", form)
    assert "it is right if axis 0 has at least 3 cells" in text
    assert "--assume" in text and "tensorpad lower" not in text


def test_nothing_to_say(tmp_path):
    (tmp_path / "plain.onnx").write_bytes(PLAIN)
    assert check(tmp_path, "plain.onnx", "--target=ort-1.31").splitlines() == [
        "1 model, 1 Pad node: 1 same",
        "",
        "  Pads  ort-1.31  model",
        "     1  same      plain.onnx",
    ]
    markdown = check(tmp_path, "plain.onnx", "--target=ort-1.31", "--format=markdown")
    assert "##" not in markdown


@pytest.mark.parametrize("form", ["text", "markdown", "details"])
def test_large_outputs(tmp_path, form):
    """Memory is the runtime's affair, but who reads "same" should know."""
    (tmp_path / "plain.onnx").write_bytes(PLAIN)
    (tmp_path / "large.onnx").write_bytes(one_pad("constant", pads=(0, 1 << 37, 0, 1 << 36)))
    text = check(tmp_path, ".", "--target=ort", "--format", form)
    assert "2 same; the largest output takes 2304.0 GiB, in " in text
    assert "largest" not in check(tmp_path, "plain.onnx", "--target=ort", "--format", form)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_what_lower_cannot_mend(tmp_path, form):
    """openvino refuses both; only one of them has a rewrite."""
    (tmp_path / "complex.onnx").write_bytes(one_pad(type=onnx.TensorProto.COMPLEX64))
    (tmp_path / "wrap.onnx").write_bytes(WRAP)
    words = ["--target=openvino,ort-1.23", "--format", form]
    assert "tensorpad lower" not in check(tmp_path, "complex.onnx", *words)
    assert "--target openvino-2026.4,ort-1.23" in check(
        tmp_path, "complex.onnx", "wrap.onnx", *words
    )


# ---- Hostile names ----------------------------------------------------------------------------


def hostile(path):
    """A model whose name, node, graph and error have everything that could mean something."""
    name = HOSTILE.replace("/", "")
    (path / f"{name}.onnx").write_bytes(one_pad(pads=(4, 0, 0, 0), name=HOSTILE))
    (path / f"{name}-bad.onnx").write_bytes(b"no model")
    return f"{name}.onnx", f"{name}-bad.onnx"


ESCAPED = HOSTILE.replace("\u202e", "\\u202e").replace("\n", "\\x0a")


def cells(row):
    """The cells of a row of Markdown: split where no backslash stands before the sign."""
    return re.split(r"(?<!\\)\|", row)[1:-1]


def test_markdown_escapes(tmp_path):
    names = hostile(tmp_path)
    text = check(tmp_path, *names, "--format=markdown", "--target=ort-1.23,openvino", status=3)
    assert "\u202e" not in text
    lines = text.splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 4 and {len(cells(row)) for row in table} == {4}
    span = "``` " + ESCAPED + " ```"  # outside of tables the backslash would be seen
    assert any(line.startswith("- ```") and f": {span}: " in line for line in lines)
    # Nothing outside of code spans comes from a file.
    rest = re.sub(r"(`+) .*?[^`] \1(?!`)|(?<!`)`[^`]+`(?!`)", "", text)
    assert "onerror" not in rest and "alert" not in rest


def test_text_escapes(tmp_path):
    names = hostile(tmp_path)
    text = check(tmp_path, *names, "--target=ort-1.23", status=3)
    assert "\u202e" not in text and f": {ESCAPED}: " in text
    assert sum(line.startswith("     1") for line in text.splitlines()) == 1


def test_accepted_ones_are_not_alike(tmp_path):
    """Of two Pads that are equal, the baseline has one: the other one still counts, by its name."""
    nodes = [pad_node(["x", "p"], f"y{k}", f"w{k}", mode="wrap") for k in range(2)]
    made = model(
        nodes, [port("x", [3, 2])], [port(f"y{k}") for k in range(2)], [ints("p", [4, 0, 0, 0])]
    )
    (tmp_path / "m.onnx").write_bytes(made)
    words = ["m.onnx", "--target=ort-1.23"]
    check(tmp_path, *words, "--write-baseline=all.txt", status=0)
    known = [line for line in (tmp_path / "all.txt").read_text().splitlines() if "\tw0\t" in line]
    (tmp_path / "known.txt").write_text("\n".join(known) + "\n")
    text = check(tmp_path, *words, "--baseline=known.txt", status=4)
    assert "     2  1 differs  m.onnx\n" in text and "\n         w1: Pad-19 wrap " in text
    assert text.index("What is wrong") < text.index("Accepted before")
