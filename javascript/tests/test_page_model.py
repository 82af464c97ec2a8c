"""The page takes a model: it says of each Pad what `tensorpad check` says, and gives the bytes of `tensorpad
lower`. Models are chosen, dropped, pasted, damaged, large, and without shapes; the page is served or on a disk."""

import base64
import json
import pathlib
import re
import shutil
import subprocess
import sys

import numpy
import pytest
from conftest import COMMAND, PAGE, ROOT, WITH_MODELS, Served, drop, go, model_said, paste, recorded
from onnx import helper, numpy_helper
from test_package import models_of

sys.path.append(str(ROOT / "conformance"))
from graphs.random_graphs import draw_model  # noqa: E402
from kit import answers, cases, onnx_model  # noqa: E402

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not WITH_MODELS.exists() or not pathlib.Path(COMMAND).exists(),
        reason="missing: the command, or with-models.html (scripts/javascript/playground.py says why)",
    ),
]
PANORAMA = ROOT / "examples/panorama.onnx"
OPEN = ROOT / "checker/tests/models/exports/unet_dynamic_17.onnx"
TARGETS = ["ort-1.32", "openvino-2026.4"]  # that the page has chosen
TO = ("--target", ",".join(TARGETS))


def command(call, path, *words):
    return subprocess.run(
        [COMMAND, call, "--json", path.name, *words], cwd=path.parent, capture_output=True
    )


def checked(path, *words):
    return json.loads(command("check", path, *words).stdout)["models"]


def lowered(path, *words):
    """What `tensorpad lower` makes of a model: the bytes, or the error."""
    done = command("lower", path, "repaired.onnx", "-f", *TO, *words)
    if done.returncode:
        return json.loads(done.stderr)["error"]["text"]
    return (path.parent / "repaired.onnx").read_bytes()


def kinds_of(path, *words):
    """For each Pad the verdicts."""
    (model,) = checked(path, *words)
    return [[one["verdict"] for one in node["verdicts"]] for node in model["nodes"]]


def shown(page):
    """The same from the table of the page."""
    return page.locator("#model-table tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.querySelectorAll('td')].map((one) => one.classList[0]))"
    )


def take(page, path):
    """Chooses a file and waits for what the page says of it."""
    page.evaluate("document.getElementById('model-said').textContent = ''")
    page.set_input_files("#model-file", path)
    return model_said(page)


def write_model(path, mode, shape, megabytes=0):
    """A Pad by 2 cells, with weights in the file that are multiplied with its data."""
    weights = numpy.random.default_rng(7).standard_normal((1280, 2048), numpy.float32)
    tensors = [numpy_helper.from_array(weights, f"w{i}") for i in range(megabytes // 10)]
    tensors.append(numpy_helper.from_array(numpy.array([0, 2, 0, 2]), "pads"))
    nodes = [helper.make_node("Pad", ["h" if megabytes else "x", "pads"], ["y"], mode=mode)]
    if megabytes:
        nodes.insert(0, helper.make_node("MatMul", ["x", "w0"], ["h"]))
    of = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "g", [of("x", 1, shape)], [of("y", 1, None)], tensors)
    opset = helper.make_opsetid("", 19)
    model = helper.make_model(graph, opset_imports=[opset], ir_version=9)
    path.write_bytes(model.SerializeToString())


@pytest.fixture
def view(page):
    go(page, "model")
    return page


# ---- The same as the command -------------------------------------------------------------------

ASK = """async ([models, targets]) => {
    const told = [];
    for (const text of models) {
        const blob = new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]);
        const report = await tensorpad.model("check", blob, {});
        const made = await tensorpad.model("lower", blob, { targets }).catch((error) => error.message);
        const reader = new FileReader();
        const read = new Promise((done) => { reader.onload = () => done(reader.result); });
        if (made.model) reader.readAsDataURL(made.model);
        told.push([report, made.model ? (await read).split(",")[1] : made]);
    }
    return told;
}"""


def test_verdicts_and_bytes_of_the_command(page, tmp_path):
    """For exports, models of the kit, damaged ones, Pads among other operators, and real models of 1 to 3 MB."""
    paths = [*models_of(tmp_path), *(ROOT / "build/data").rglob("*/silero_vad*.onnx")]
    drawn = {one.name: onnx_model.write(one)[0] for one in cases.ALL[::40]}
    drawn |= {f"random_{seed}": draw_model(seed)[0] for seed in range(50)}
    for name, model in drawn.items():
        paths.append(tmp_path / f"{name}.onnx")
        paths[-1].write_bytes(model.SerializeToString())
    model = tmp_path / "model.onnx"
    for start in range(0, len(paths), 20):
        some = paths[start : start + 20]
        texts = [base64.b64encode(path.read_bytes()).decode() for path in some]
        for path, (report, made) in zip(some, page.evaluate(ASK, [texts, TARGETS]), strict=True):
            shutil.copy(path, model)
            report.pop("inputs")
            assert [report] == checked(model), path
            expected = lowered(model)
            if isinstance(expected, bytes):
                expected = base64.b64encode(expected).decode()
            assert made == expected, path
    assert len(paths) > 200


# ---- What a reader sees ------------------------------------------------------------------------


def by_choice(watched, page, path):
    page.set_input_files("#model-file", path)


def by_drop(watched, page, path):
    drop(watched, page, "#controls", path)


def by_paste(watched, page, path):
    paste(page, path, "")


@pytest.mark.parametrize("way, start", [(by_choice, "model"), (by_drop, ""), (by_paste, "")])
def test_a_model_comes_in(watched, page, way, start):
    go(page, start)
    way(watched, page, PANORAMA)
    assert model_said(page) == (
        "4 Pads; right on 4 of 23 versions; silently wrong on ONNX Runtime 1.20, 1.23, 1.31 and "
        "ONNX Runtime web 1.30; 15 refuse it."
    )
    assert shown(page) == kinds_of(PANORAMA)
    assert page.evaluate("location.hash") == "#model"


def test_each_verdict_by_keys(view):
    """A cell says the sentence, the rule and what to do; the arrow keys go from cell to cell."""
    take(view, PANORAMA)
    (model,) = checked(PANORAMA)
    assert "node_pad_3 on ONNX Runtime 1.20: silently wrong" in view.inner_text("#model-verdict")
    view.locator("#model-table tbody td").first.click()
    for row, node in enumerate(model["nodes"]):
        for column, found in enumerate(node["verdicts"]):
            here = view.locator("#model-table td[aria-current]")
            assert here.get_attribute("data-at") == f"{row} {column}"
            if found["code"]:
                view.wait_for_selector(f"#model-verdict:has-text('The rule {found['code']}')")
            text = view.inner_text("#model-verdict")
            assert found["text"] in text and ("What to do" in text or not found["code"])
            view.keyboard.press("ArrowRight" if column < len(node["verdicts"]) - 1 else "Home")
        view.keyboard.press("ArrowDown")
    told = subprocess.run([COMMAND, "explain", "TP120"], capture_output=True, text=True).stdout
    assert view.evaluate("tensorpad.model('explain', 'TP120')") == told


def figures(view):
    """The text and the class of each cell, of each grid beside a verdict."""
    return [
        grid.locator("td").evaluate_all("all => all.map((one) => [one.textContent, one.className])")
        for grid in view.locator("#model-verdict figure").all()
    ]


def test_a_recorded_wrong_answer_is_the_witness(view, tmp_path):
    """The models of the witnesses: a click on a cell shows the right numbers beside those of that version."""
    seen, shown_for = set(), {}
    for kept in recorded():
        for target, answer in kept["answers"].items():
            shown_for.setdefault((answer["rule"], target), (kept, answer))
    for entry in answers.write(tmp_path / "witnesses"):
        path = tmp_path / "witnesses" / entry["folder"] / "model.onnx"
        if not path.exists():  # an IR
            continue
        take(view, path)
        (model,) = checked(path)
        for column, one in enumerate(model["nodes"][-1]["verdicts"]):
            kept, answer = shown_for.get((one["code"], one["target"]), (None, None))
            if one["verdict"] != "differs" or not answer or one["code"] in seen:
                continue
            seen.add(one["code"])
            view.locator(f"#model-table td[data-at='{len(model['nodes']) - 1} {column}']").click()
            right, wrong = figures(view)
            assert [text for text, _ in right] == [texts_of(cell) for cell in kept["right"]]
            assert [text for text, _ in wrong] == [texts_of(cell) for cell in answer["cells"]]
            if answer["shape"] == kept["shape"]:
                differ = [a != b for a, b in zip(answer["cells"], kept["right"])]
                assert [mark for _, mark in right] == ["missed" if bad else "" for bad in differ]
                assert [mark for _, mark in wrong] == ["wrong" if bad else "" for bad in differ]
            caption = view.locator("#model-verdict figcaption").last.text_content()
            assert re.search(r"\d of \d+ wrong|instead of", caption)
            assert f"The model: {kept['shows']}." in view.inner_text("#model-verdict")
    assert len(seen) > 35


def texts_of(cell):
    return "?" if cell is None else str(cell)


def test_a_recorded_crash_is_the_witness(view):
    go(view, "model=mirror")
    assert "silently wrong on" in model_said(view)
    view.locator("#model-table td.crashes").first.focus()
    view.wait_for_selector("#model-verdict .crash")


def test_the_model_repaired(view, tmp_path):
    copy = shutil.copy(PANORAMA, tmp_path / "model.onnx")
    take(view, PANORAMA)
    with view.expect_download() as saved:
        view.click("#model-repair")
    assert saved.value.suggested_filename == "panorama-repaired.onnx"
    assert saved.value.path().read_bytes() == lowered(copy, "--partial")
    assert view.inner_text("#model-repaired").startswith("1 of 4 Pads rewritten")
    for target in TARGETS:
        view.uncheck(f"[id='for-{target}']")
    assert view.is_disabled("#model-repair")
    view.check("[id='for-onnx-reference-1.23']")
    view.click("#model-repair")
    view.wait_for_selector("#model-repaired:has-text('Nothing to repair')")


def test_shapes_where_a_verdict_needs_one(view):
    doubt = ({"unknown"}, {"unknown", "same"})  # what refuses one Pad needs no shape for another
    asked = sum(set(kinds) in doubt for kinds in zip(*kinds_of(OPEN)))
    assert asked and f"{asked} need a shape to tell" in take(view, OPEN)
    view.click("#model-repair")
    view.wait_for_selector("#model-repaired:has-text('0 of 2 Pads rewritten. /Pad stays: ')")
    given = {"h": "66", "w": "70", "n": "1"}
    for name, extent in given.items():
        view.fill(f"[id='dim.{name}']", extent)
        view.locator(f"[id='dim.{name}']").blur()
        model_said(view)
    words = [word for name, extent in given.items() for word in ("--dim", f"{name}={extent}")]
    assert shown(view) == kinds_of(OPEN, *words) and "need a shape" not in model_said(view)
    line = view.text_content("#model-line")
    assert line == f"tensorpad check {OPEN.name} {' '.join(TO)} {' '.join(words)}"
    for button, expected in (("line", line), ("link", "dim.h=66")):
        view.click(f"#model-copy-{button}")
        view.wait_for_function(
            "(t) => document.getElementById('status').textContent.includes(t)",
            arg=f"The {button} is",
        )
        assert expected in view.evaluate("navigator.clipboard.readText()")
    view.fill("[id='dim.h']", "two")
    view.locator("[id='dim.h']").blur()
    assert view.get_attribute("[id='dim.h']", "aria-invalid") is not None


def test_the_shape_of_an_input_without_rank(view, tmp_path):
    path = tmp_path / "open.onnx"
    write_model(path, "reflect", None)
    assert "need a shape to tell" in take(view, path)
    view.fill("[id='shape.x']", "2,3")
    view.locator("[id='shape.x']").blur()
    assert "need a shape" not in model_said(view)
    assert shown(view) == kinds_of(path, "--input-shape", "x=2,3")
    assert view.text_content("#model-line").endswith("--input-shape x=2,3")


def test_a_link_restores_an_example_and_what_was_chosen(quiet):
    page = quiet.load("model=unet_dynamic_17&targets=ort-1.23,opencv&dim.h=66&dim.w=70&dim.n=1")
    assert "need a shape" not in model_said(page)
    assert page.text_content("#model-line").endswith(
        "--target ort-1.23,opencv-5.0 --dim h=66 --dim w=70 --dim n=1"
    )


@pytest.mark.parametrize("name", ["panorama", "mirror", "unet_dynamic_17"])
def test_examples(view, name):
    """Also after a model of the reader's own."""
    for _ in range(2):
        view.click(f"#example-{name}")
        view.wait_for_function(f"location.hash === '#model={name}'")
        view.wait_for_function(
            "(n) => document.getElementById('model-line').textContent.includes(n)", arg=name
        )
        assert re.match(r"\d+ Pads?; right on \d+ of 23 versions", model_said(view))
        take(view, ROOT / "checker/tests/models/exports/zero_pad_18.onnx")
        assert view.evaluate("location.hash") == "#model"


DAMAGED = {
    "empty": b"",
    "text": b"no model",
    "cut": PANORAMA.read_bytes()[:3000],
    "zip": b"PK\x03\x04" + bytes(100),
    "contradictory": PANORAMA.read_bytes().replace(b"reflect", b"reflecT"),
    "large": b"\xff" * (40 << 20),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_model_is_a_sentence(view, tmp_path, name):
    path = tmp_path / f"{name}.onnx"
    path.write_bytes(DAMAGED[name])
    text = take(view, path)
    assert len(text) > 20 and "undefined" not in text and "model.onnx" not in text
    take(view, PANORAMA)  # the page lives
    assert shown(view) == kinds_of(PANORAMA)


def renderers(browser):
    """The memory of the pages, in bytes."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    pages = [one["id"] for one in told if one["type"] == "renderer"]
    return max(
        int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 for pid in pages
    )


def test_a_large_model_is_read_by_slices(browser, view, tmp_path):
    path = tmp_path / "model.onnx"
    write_model(path, "wrap", [2, 1280], megabytes=500)
    take(view, PANORAMA)
    before = renderers(browser)
    assert take(view, path).startswith("1 Pad; right on")
    assert renderers(browser) < max(before + (64 << 20), 200_000_000)
    assert shown(view) == kinds_of(path)
    with view.expect_download() as saved:
        view.click("#model-repair")
    assert saved.value.path().read_bytes() == lowered(path, "--partial")
    path.write_bytes(path.read_bytes()[: -(100 << 20)])
    assert "damaged, cut off" in take(view, path)


# ---- Where the page lies -----------------------------------------------------------------------


def test_a_served_page_loads_the_reader_when_a_model_comes(browser):
    with Served(PAGE.parent) as address:
        page = browser.new_page()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{address}/index.html")
        page.wait_for_selector("html[data-ready='1']", state="attached")
        assert asked == [f"{address}/index.html"]
        page.evaluate("location.hash = '#model=panorama'")
        assert model_said(page).startswith("4 Pads")
        rest = [url for url in asked[1:] if not url.startswith("blob:")]
        assert rest == [f"{address}/check.wasm"]
        page.close()


def test_a_page_without_the_reader_names_the_one_that_has_it(browser):
    page = browser.new_page()
    page.goto(f"{PAGE.as_uri()}#model=panorama")
    assert "with-models.html" in model_said(page)
    page.close()
