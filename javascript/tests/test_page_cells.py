"""A cell that is pointed at or focused leads to its source; pictures are padded as files are."""

import base64
import io
import subprocess
from pathlib import Path

import numpy
import oracle
import pytest
from chromium import go
from PIL import Image

from conftest import COMMAND

# shape, mode of each axis, begin, end, interior, order
CASES = [
    ((3, 4), ("reflect", "reflect"), (1, 2), (1, 2), (0, 0), "window"),
    ((3, 4), ("wrap", "edge"), (2, -1), (-1, 3), (0, 0), "crop"),
    ((2, 3), ("symmetric", "constant"), (3, 1), (0, 2), (1, 2), "window"),
    ((2, 2, 3), ("edge", "reflect", "wrap"), (1, 0, 2), (0, 1, 2), (0, 0, 0), "window"),
    ((5,), ("reflect",), (-2,), (6,), (0,), "crop"),
]


def expected_sources(case):
    shape, modes, begin, end, interior, order = case
    numbers = numpy.arange(numpy.prod(shape)).reshape(shape)
    return oracle.pad(numbers, list(zip(begin, end)), modes, -1, interior, order)


def hash_of(case):
    shape, modes, begin, end, interior, order = case
    lists = {"shape": shape, "mode": modes, "begin": begin, "end": end, "interior": interior}
    words = "&".join(f"{key}={','.join(map(str, entries))}" for key, entries in lists.items())
    return f"spec=plain&{words}&order={order}"


def place_of(shape, index):
    """What the page calls a cell."""
    if len(shape) == 1:
        return f"cell {index[0]}"
    slices = f"slice {', '.join(map(str, index[:-2]))}, " if len(shape) > 2 else ""
    return f"{slices}row {index[-2]}, column {index[-1]}"


def pointed(page, where):
    """The numbers of the cells that are marked, of #result or #source."""
    return page.eval_on_selector_all(
        f"{where} [role=gridcell]",
        "cells => cells.flatMap((cell, at) => cell.classList.contains('pointed') ? [at] : [])",
    )


@pytest.mark.parametrize("case", CASES, ids=hash_of)
def test_sources(page, case):
    go(page, hash_of(case))
    sources = expected_sources(case)
    cells = page.locator("#result [role=gridcell]")
    told = cells.evaluate_all(
        "all => all.map((one) => [one.dataset.source, one.getAttribute('aria-label')])"
    )
    assert [int(source) for source, _ in told] == sources.reshape(-1).tolist()
    for at, (source, label) in enumerate(told):
        index = numpy.unravel_index(at, sources.shape)
        value = "0" if source == "-1" else str(int(source) + 1)
        assert label.startswith(f"{place_of(sources.shape, index)} is {value}, ")
        if source == "-1":
            assert "the constant" in label
        else:
            assert f"from {place_of(case[0], numpy.unravel_index(int(source), case[0]))}" in label
    # Hovered and focused cells, and those of the input.
    flat = sources.reshape(-1).tolist()
    chosen = {0, len(flat) - 1, len(flat) // 2, flat.index(max(flat))}
    for at in sorted(chosen | ({flat.index(-1)} if -1 in flat else set())):
        for move in (lambda cell: cell.hover(), lambda cell: cell.focus()):
            page.mouse.move(0, 0)
            move(cells.nth(at))
            assert pointed(page, "#result") == [at]
            assert pointed(page, "#source") == ([flat[at]] if flat[at] >= 0 else [])
            assert page.locator("#pointer path").count() == (flat[at] >= 0)
            assert page.text_content("#hint") == told[at][1]
    page.mouse.move(0, 0)
    page.locator("#source [role=gridcell]").nth(max(flat)).hover()
    copies = [at for at, source in enumerate(flat) if source == max(flat)]
    assert pointed(page, "#result") == copies
    assert page.locator("#pointer path").count() == len(copies)
    assert f", in {len(copies)} cell" in page.text_content("#hint")


def test_bits_of_types_that_javascript_has_not(page):
    go(page, "spec=onnx-25&shape=2&type=bfloat16&data=16256,16384&pads=1,0&mode=edge")
    texts = page.locator("#result [role=gridcell]").all_text_contents()
    assert [int(text, 16) for text in texts] == [0x3F80, 0x3F80, 0x4000]


# ---- Pictures ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    path = tmp_path_factory.mktemp("picture") / "noise.png"
    pixels = numpy.random.default_rng(22).integers(0, 256, (21, 34, 4), numpy.uint8)
    pixels[..., 3] = 255
    Image.fromarray(pixels).save(path)
    return path


def canvas(page):
    text = page.eval_on_selector("#result-picture", "(canvas) => canvas.toDataURL('image/png')")
    return base64.b64decode(text.partition(",")[2])


def check_picture(page, picture, tmp_path, words):
    out = tmp_path / "out.png"
    subprocess.run([COMMAND, "pad", "-f", *words, picture, out], check=True)
    expected = numpy.asarray(Image.open(out))
    shape = ",".join(map(str, expected.shape))
    page.wait_for_selector(f"#result[data-shape='{shape}']")
    assert numpy.array_equal(numpy.asarray(Image.open(io.BytesIO(canvas(page)))), expected)


def test_a_chosen_picture(page, picture, tmp_path):
    page.check("#input-picture")
    assert "input=picture" in page.url or "input=picture" in page.evaluate("location.hash")
    sample = page.get_attribute("#result", "data-shape")
    page.set_input_files("#picture-file", picture)
    for key, amount in {"begin-0": 5, "end-0": 40, "begin-1": -3, "end-1": 12}.items():
        page.fill(f"#{key}", str(amount))
    page.check("#mode-symmetric")
    words = ["--spec", "plain", "--mode=symmetric", "--begin=5,-3,0", "--end=40,12,0"]
    check_picture(page, picture, tmp_path, words)
    page.select_option("#spec", "onnx-25")
    page.check("#mode-reflect")
    words = ["--spec", "onnx-25", "--mode=reflect", "--begin=5,-3,0", "--end=40,12,0"]
    check_picture(page, picture, tmp_path, words)
    page.click("#picture-sample")
    assert "noise" not in page.inner_text("#source")
    page.click("#reset")
    page.check("#input-picture")
    assert page.get_attribute("#result", "data-shape") == sample
    page.check("#input-matrix")
    assert page.locator("#result [role=gridcell]").count() > 0


def test_a_dropped_picture(watched, page, picture, tmp_path):
    """As the system drops a file, by the protocol of the browser's tools."""
    page.check("#input-picture")
    session = watched.context.new_cdp_session(page)
    page.locator("#picture-input").scroll_into_view_if_needed()
    box = page.locator("#picture-input").bounding_box()
    for kind in ("dragEnter", "dragOver", "drop"):
        place = {"x": box["x"] + 20, "y": box["y"] + 20}
        files = {"items": [], "files": [str(picture)], "dragOperationsMask": 1}
        session.send("Input.dispatchDragEvent", {"type": kind, **place, "data": files})
    session.detach()
    begin, end = ([page.input_value(f"#{key}-{row}") for row in (0, 1)] for key in ("begin", "end"))
    words = [
        "--spec=plain",
        f"--begin={','.join(begin)},0",
        f"--end={','.join(end)},0",
        "--mode=wrap",
    ]
    check_picture(page, picture, tmp_path, words)
    assert "noise.png" in page.inner_text("#picture-note")


PASTE = """(text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], "noise.png", { type: "image/png" }));
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""


def test_a_pasted_picture(page, picture, tmp_path):
    page.evaluate(PASTE, base64.b64encode(Path(picture).read_bytes()).decode())
    page.wait_for_selector("#result-picture")
    words = ["--spec=plain", "--mode=reflect", "--begin=48,64,0", "--end=48,64,0"]
    check_picture(page, picture, tmp_path, words)
    assert page.is_checked("#input-picture")


SLOW_ONCE = """() => {
    const read = window.createImageBitmap;
    window.createImageBitmap = async (...words) => {
        window.createImageBitmap = read;
        await new Promise((done) => { setTimeout(done, 600); });
        return read(...words);
    };
}"""


def test_the_last_picture_stays(page, picture, tmp_path):
    """A picture that takes long does not come back over the one that was chosen after it."""
    page.check("#input-picture")
    sample = canvas(page)
    Image.new("RGB", (9, 7)).save(tmp_path / "quick.png")
    page.evaluate(SLOW_ONCE)
    page.set_input_files("#picture-file", picture)
    page.set_input_files("#picture-file", tmp_path / "quick.png")
    page.wait_for_timeout(1000)
    assert "quick.png" in page.inner_text("#picture-note")
    page.evaluate(SLOW_ONCE)
    page.set_input_files("#picture-file", picture)
    page.click("#picture-sample")
    page.wait_for_timeout(1000)
    assert canvas(page) == sample and page.input_value("#picture-file") == ""


def test_a_file_that_is_no_picture(page, tmp_path):
    page.check("#input-picture")
    before = canvas(page)
    (tmp_path / "text.png").write_text("no picture")
    page.set_input_files("#picture-file", tmp_path / "text.png")
    page.wait_for_selector("#message", state="visible")
    assert "text.png" in page.inner_text("#message") and canvas(page) == before
