"""What stands on the page: a cell that is pointed at or focused leads to its source, copies travel, the border
is dragged, pictures are padded as files are, wrong answers stand beside the right one."""

import base64
import io
import re
import subprocess
import urllib.parse
import xml.etree.ElementTree

import numpy
import oracle
import pytest
from conftest import COMMAND, drop, go, paste, recorded
from PIL import Image

pytestmark = pytest.mark.long

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


# ---- Pictures ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    path = tmp_path_factory.mktemp("picture") / "noise.png"
    pixels = numpy.random.default_rng(22).integers(0, 256, (21, 34, 4), numpy.uint8)
    pixels[..., 3] = 255
    Image.fromarray(pixels).save(path)
    return path


NUMBERS = "shape=3,4&mode=wrap&begin=4,1&end=0,1"


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
    go(page, NUMBERS)
    page.check("#input-picture")
    assert "input=picture" in page.evaluate("location.hash")
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
    assert "a cat" in page.get_attribute("#result-picture", "aria-label")
    page.click("#reset")
    assert page.get_attribute("#result", "data-shape") == sample
    page.check("#input-matrix")
    assert page.locator("#result [role=gridcell]").count() > 0


def test_a_dropped_picture(watched, page, picture, tmp_path):
    """As the system drops a file, by the protocol of the browser's tools."""
    page.check("#input-picture")
    drop(watched, page, "#picture-input", picture)
    begin, end = ([page.input_value(f"#{key}-{row}") for row in (0, 1)] for key in ("begin", "end"))
    words = [
        "--spec=plain",
        f"--begin={','.join(begin)},0",
        f"--end={','.join(end)},0",
        "--mode=reflect",
    ]
    check_picture(page, picture, tmp_path, words)
    assert "noise.png" in page.inner_text("#picture-note")


def test_a_pasted_picture(page, picture, tmp_path):
    paste(page, picture, "image/png")
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


def saved(page, kind):
    with page.expect_download() as file:
        page.click(f"#save-{kind}")
    assert file.value.suggested_filename == f"padded.{kind}"
    return file.value.path().read_bytes()


def test_saved_files(page, picture):
    """The picture as it is; numbers as a drawing, with each cell in its colour; twice as large as PNG."""
    page.set_input_files("#picture-file", picture)
    page.wait_for_selector("#picture-note.taken")
    assert saved(page, "png") == canvas(page)
    assert base64.b64encode(canvas(page)).decode() in saved(page, "svg").decode()
    go(page, NUMBERS)
    page.check("#mode-edge")
    svg = xml.etree.ElementTree.fromstring(saved(page, "svg"))
    texts = [one.text for one in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == page.locator("#result td").all_text_contents()
    size = int(svg.get("width")), int(svg.get("height"))
    drawn = numpy.asarray(Image.open(io.BytesIO(saved(page, "png"))).convert("RGB"))
    assert drawn.shape[:2] == (2 * size[1], 2 * size[0])
    style = "getComputedStyle(document.querySelector('#result td.%s')).backgroundColor"
    for kind, place in (("edge", (12, 12)), ("inside", (12 + 5 * 44, 12 + 2 * 44))):
        colour = [int(n) for n in re.findall(r"\d+", page.evaluate(style % kind))]
        assert drawn[place].tolist() == colour[:3], kind
    go(page, "spec=onnx-18&mode=wrap&begin=1,1")
    page.click("#save-png")
    assert "no result" in page.inner_text("#message")


def test_a_frame_in_another_page(page):
    """The HTML to embed shows the same problem: its result and the modes, and a way to the whole page."""
    go(page, NUMBERS)
    page.click("#copy-embed")
    page.wait_for_function(
        "document.getElementById('status').textContent.includes('HTML is copied')"
    )
    html = page.evaluate("navigator.clipboard.readText()")
    assert html.startswith("<iframe ") and html.endswith("</iframe>")
    hash_ = re.search('src="[^"#]*#([^"]*)"', html)[1].replace("&amp;", "&")
    go(page, hash_)
    assert page.get_attribute("#result", "data-shape") == "7,6"
    page.check("#mode-edge")
    assert page.evaluate("location.hash").startswith("#embed&")
    seen = {name: page.locator(name).is_visible() for name in ("header", "#code-text", "#more")}
    assert not any(seen.values()) and page.is_visible("#mode-wrap")
    link = page.get_attribute("#embed-link", "href")
    assert "embed" not in link and "mode=edge" in link
    go(page, link[1:])
    assert page.is_visible("header")


# ---- Copies that travel ------------------------------------------------------------------------

RECORDED = [case for case in recorded() if "says" in case]  # those with a button
# The animations of the page, which stand still.
STILL = """
    window.flown = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
        const animation = animate.call(this, frames, timing);
        animation.pause();
        window.flown.push({ animation, copy: this, timing });
        return animation;
    };
"""
# Where the copy of that number is at its start and at its end, and where its cells are.
ROUTE = """(number) => {
    const { animation, copy, timing } = window.flown[number];
    const place = ({ x, y }) => [x, y];
    const cells = Array.from(document.querySelectorAll("#result td"));
    const to = cells.filter((cell) => cell.classList.contains("awaited"))[number];
    const from = document.querySelectorAll("#source td")[to.dataset.source];
    animation.currentTime = timing.delay;
    const start = place(copy.getBoundingClientRect());
    animation.currentTime = timing.delay + timing.duration - 0.01;
    const end = place(copy.getBoundingClientRect());
    return { start, end, from: place(from.getBoundingClientRect()), to: place(to.getBoundingClientRect()),
        text: copy.textContent, source: from.textContent, delay: timing.delay,
        duration: timing.duration };
}"""


@pytest.fixture
def still(opened):
    """The page as it was opened, unclicked, with its animations standing still."""
    return opened(NUMBERS, script=STILL)


def test_a_copy_travels_within_a_second_of_opening(still):
    count = still.evaluate("window.flown.length")
    assert count == 30  # 7 x 6 cells, 12 of them in their place
    for number in (0, 1, 17, count - 1):
        route = still.evaluate(ROUTE, number)
        assert route["text"] == route["source"]
        assert route["start"] == pytest.approx(route["from"], abs=2)
        assert route["end"] == pytest.approx(route["to"], abs=2)
    first = still.evaluate(ROUTE, 0)
    assert first["delay"] < 1000 and first["from"] != first["to"]
    assert still.text_content("#hint") == "row 0, column 0 is 12, from row 2, column 3"


LAND = """async () => {
    const flown = document.getAnimations().filter(({ effect }) => effect.target.matches(".flight"));
    flown.forEach((animation) => animation.finish());
    await new Promise((done) => { setTimeout(done, 0); });
    return flown.length;
}"""


def test_cells_that_were_awaited_are_there_in_the_end(page):
    page.check("#input-matrix")
    for action in (
        lambda: page.check("#mode-edge"),
        lambda: page.click("#replay"),
        lambda: page.click(f"#case-{RECORDED[1]['case']}"),
    ):
        action()
        assert page.locator("#result .awaited").count() == page.locator(".flight").count()
        assert page.evaluate(LAND) > 0
        assert page.locator("#result .awaited, .flight").count() == 0


def test_nothing_moves_where_that_is_not_wanted(opened):
    page = opened(NUMBERS, script=STILL, reduced_motion="reduce")
    page.check("#mode-reflect")
    page.click("#replay")
    assert (
        page.evaluate("window.flown.length") == 0 and page.locator("#result .awaited").count() == 0
    )
    assert page.text_content("#hint").startswith("row 0, column 0 is ")


# ---- The border --------------------------------------------------------------------------------


def amounts(page):
    words = dict(urllib.parse.parse_qsl(page.evaluate("location.hash")[1:]))
    return words["begin"], words["end"]


def drag(page, handle, x, y):
    """Drags the middle of a handle by so many pixels, in steps."""
    box = handle.bounding_box()
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(at[0] + x, at[1] + y, steps=6)
    page.mouse.up()


def pitch(page):
    return page.locator("#result td").first.bounding_box()["width"]


@pytest.mark.parametrize("place", ["#framed", "#framed-photograph"])
def test_the_border_can_be_dragged(page, place):
    """By whole cells, outward to add and inward to remove; on the cells and on the photograph."""
    go(page, "spec=plain&shape=3,4&mode=wrap&begin=1,1&end=1,1")
    for side, steps, expected in [
        ("right", (2, 0), ("1,1", "1,3")),
        ("left", (-1, 0), ("1,2", "1,3")),
        ("bottom", (0, 1), ("1,2", "2,3")),
        ("top", (0, 2), ("-1,2", "2,3")),
        ("right", (-5, 0), ("-1,2", "2,-2")),
        ("left", (1, 0), ("-1,1", "2,-2")),
    ]:
        step = pitch(page)
        drag(page, page.locator(f"{place} .handle.{side}"), steps[0] * step, steps[1] * step)
        assert amounts(page) == expected, side
        assert page.evaluate(f"document.querySelector('{place}').style.translate") == ""
    assert page.get_attribute("#result", "data-shape") == "4,3"
    page.go_back()  # a drag is one entry of the history
    page.wait_for_function("location.hash.includes('begin=-1,2')")


def test_an_axis_cannot_be_dragged_below_nothing(page):
    go(page, "spec=plain&shape=3,4&mode=constant&begin=0,0&end=0,0")
    drag(page, page.locator("#framed .handle.right"), -20 * pitch(page), 0)
    assert amounts(page) == ("0,0", "0,-4")
    assert page.get_attribute("#result", "data-state") == "ok"


def test_the_border_of_a_picture_is_dragged_by_pixels(page):
    go(page, "spec=plain&input=picture&mode=wrap&begin=48,64&end=48,64")
    box = page.locator("#result-picture").bounding_box()
    scale = box["width"] / page.evaluate("document.getElementById('result-picture').width")
    drag(page, page.locator("#border-right"), 20 * scale, 0)
    begin, end = amounts(page)
    assert begin == "48,64" and 82 <= int(end.split(",")[1]) <= 86


def test_the_border_by_keys(page):
    go(page, "spec=plain&shape=3,4&mode=wrap&begin=1,1&end=1,1")
    for side, keys, expected in [
        ("top", ["ArrowUp", "ArrowUp", "ArrowDown"], ("2,1", "1,1")),
        ("left", ["ArrowLeft"], ("2,2", "1,1")),
        ("right", ["ArrowLeft", "ArrowLeft"], ("2,2", "1,-1")),
        ("bottom", ["ArrowDown", "ArrowRight"], ("2,2", "2,-1")),
    ]:
        page.focus(f"#border-{side}")
        for key in keys:
            page.keyboard.press(key)
        assert page.evaluate("document.activeElement.id") == f"border-{side}"
        assert amounts(page) == expected, side
    assert page.get_attribute("#border-right", "aria-valuenow") == "-1"
    assert (
        page.locator("[role=slider]:focus").get_attribute("aria-label").startswith("bottom border")
    )


@pytest.mark.parametrize(
    "words, sides",
    [
        ("shape=5&mode=edge&begin=1&end=1", {"left", "right"}),
        ("shape=3,4&axes=0&mode=edge&begin=1&end=1", {"top", "bottom"}),
        ("spec=mli-hwc&shape=3,4,1&begin=1,1&end=1,1", {"top", "left", "right", "bottom"}),
        ("spec=onnx-18&mode=wrap&begin=1,1&end=1,1", set()),  # an error
    ],
)
def test_only_axes_that_are_padded_have_a_border(page, words, sides):
    go(page, words)
    handles = page.locator("#framed .handle")
    shown = handles.evaluate_all("all => all.filter((one) => !one.hidden).map((one) => one.id)")
    assert {name.removeprefix("border-") for name in shown} == sides


# ---- The photograph ----------------------------------------------------------------------------

# The photograph as squares, one for each cell of the result: their pixels, and the opacity of each.
SQUARES = """([rows, columns]) => {
    const shown = document.querySelector("#beside canvas");
    const canvas = Object.assign(document.createElement("canvas"),
        { width: shown.width, height: shown.height });
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    pen.drawImage(shown, 0, 0);
    const [width, height] = [canvas.width / columns, canvas.height / rows];
    return Array.from({ length: rows * columns }, (_, at) => {
        const { data } = pen.getImageData(at % columns * width,
            Math.floor(at / columns) * height, width, height);
        return [data.join(), data[3]];
    });
}"""


@pytest.mark.parametrize(
    "words, shape",
    [
        ("shape=3,4&mode=wrap&begin=4,1&end=0,1", (7, 6)),
        ("spec=onnx-19&shape=3,4&mode=wrap&pads=1,2,1,-1", (5, 5)),
        ("shape=3,4&mode=wrap,constant&begin=1,1&end=1,0", (5, 5)),
        ("shape=2,3,4&mode=wrap&axes=-1&begin=2&end=1", (3, 7)),
    ],
)
def test_the_photograph_is_padded_as_the_cells_are(page, words, shape):
    """A square of it repeats the square of the cell that its cell repeats; the constant is transparent."""
    go(page, words)
    squares = page.evaluate(SQUARES, shape)
    sources = page.locator("#result td").evaluate_all(
        "all => all.map((one) => Number(one.dataset.source))"
    )[: len(squares)]
    seen = {}
    for source, (pixels, alpha) in zip(sources, squares, strict=True):
        assert alpha == (0 if source < 0 else 255)
        if source >= 0:
            assert seen.setdefault(source, pixels) == pixels
    assert len(set(seen.values())) == len(seen) > 5
    cell, canvas = (
        page.locator(one).first.bounding_box() for one in ("#result td", "#beside canvas")
    )
    assert canvas["width"] == pytest.approx(shape[1] * cell["width"], rel=0.05)


def test_no_photograph_where_it_would_not_fit(page):
    for words in (
        "shape=3,4&mode=edge&begin=1,1&interior=1,1",
        "shape=0,3&mode=constant&begin=1,1",
        "spec=onnx-18&mode=wrap&begin=1,1",
    ):
        go(page, words)
        assert page.locator("#beside canvas").count() == 0


# ---- What runtimes do --------------------------------------------------------------------------


def cells(page, figure):
    return (
        page.locator("#compared figure")
        .nth(figure)
        .locator("td")
        .evaluate_all("all => all.map((one) => [one.textContent, one.className])")
    )


def texts(numbers):
    return ["?" if cell is None else str(cell) for cell in numbers]


def test_a_case_in_which_runtimes_disagree(page):
    page.click(f"#case-{RECORDED[0]['case']}")
    pressed = page.locator("#cases [aria-pressed=true]").all_text_contents()
    assert pressed == [RECORDED[0]["says"]]
    assert re.fullmatch(
        r"\d+ versions: \d+ are right, \d+ are silently wrong, \d+ refuse",
        page.text_content("#tally"),
    )
    assert page.locator("#compared td.wrong").count() == 6
    page.hover("#compared td.wrong >> nth=3")
    assert page.text_content("#compared .said") == (
        "row 0, column 3 is uninitialised memory, wrong: 11 is right"
    )


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["case"])
def test_a_recorded_answer_beside_the_right_one(page, case):
    go(page, "mode=edge&begin=1,1&end=1,1")
    assert page.locator("#compared td").count() == 0
    page.get_by_role("button", name=case["says"]).click()
    shown = page.locator("#result td").all_text_contents()
    assert shown == texts(case["right"])  # what the engine gives now
    assert dict(urllib.parse.parse_qsl(page.evaluate("location.hash")[1:]))["spec"] == "onnx-19"
    for target, answer in case["answers"].items():
        page.locator("#compared .choice button").nth(list(case["answers"]).index(target)).click()
        verdict = page.get_attribute(f"#runtimes [data-target='{target}']", "data-verdict")
        assert verdict == ("crashes" if "crashes" in answer else "differs")
        if "crashes" in answer:
            assert answer["crashes"] in page.text_content("#compared .crash")
            continue
        wrong = [one != right for one, right in zip(answer["cells"], case["right"], strict=True)]
        assert cells(page, 0) == [
            [text, "missed" if bad else ""] for text, bad in zip(texts(case["right"]), wrong)
        ]
        found = cells(page, 1)
        assert [name == "wrong" for _, name in found] == wrong
        assert [text for text, _ in found if text == "?"] == ["?"] * answer["cells"].count(None)
        assert f"{sum(wrong)} of {len(wrong)} wrong" in page.text_content("#compared")
    page.check("#mode-constant")  # another problem: nothing is recorded of it
    assert page.locator("#compared td").count() == 0
    assert page.locator("#cases [aria-pressed=true]").count() == 0


def test_the_line_counts_the_rows(page):
    for words in (
        "mode=reflect&begin=1,2&end=1,2",
        "mode=wrap&begin=1,1&end=1,1",
        "spec=openvino-12&mode=edge",
    ):
        go(page, words)
        rows = page.locator("#runtimes tbody tr").evaluate_all(
            "all => all.map((one) => one.dataset.verdict)"
        )
        line = page.text_content("#tally")
        assert sum(int(number) for number in re.findall(r"(\d+) (?!versions)", line)) == len(rows)
        assert int(line.split()[0]) == len(rows) > 0
    go(page, "mode=symmetric&begin=1,1&interior=1,1")
    assert "No runtime is asked" in page.text_content("#tally")
