"""What a visitor sees: copies that travel, the border that is dragged, wrong answers beside the right one,
and where things are in windows of several sizes."""

import re
import urllib.parse

import pytest
from chromium import PAGE, Watched, go, recorded
from test_page_access import SHOTS, STATES

pytestmark = pytest.mark.long
RECORDED = recorded()
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
def still(browser):
    """The page as it was opened, unclicked, with its animations standing still."""
    watched = Watched(browser)
    watched.context.add_init_script(STILL)
    yield watched.load()
    assert watched.faults == []
    watched.context.close()


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
    for action in (
        lambda: None,
        lambda: page.check("#mode-edge"),
        lambda: page.click("#replay"),
        lambda: page.click(f"#case-{RECORDED[1]['case']}"),
    ):
        action()
        assert page.locator("#result .awaited").count() == page.locator(".flight").count()
        assert page.evaluate(LAND) > 0
        assert page.locator("#result .awaited, .flight").count() == 0


def test_nothing_moves_where_that_is_not_wanted(browser):
    watched = Watched(browser, reduced_motion="reduce")
    watched.context.add_init_script(STILL)
    page = watched.load()
    page.check("#mode-reflect")
    page.click("#replay")
    assert (
        page.evaluate("window.flown.length") == 0 and page.locator("#result .awaited").count() == 0
    )
    assert page.text_content("#hint").startswith("row 0, column 0 is ")
    watched.context.close()


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
    return ["?" if number is None else f"{number:.2g}".removesuffix(".0") for number in numbers]


def test_the_page_opens_on_a_case_in_which_runtimes_disagree(page):
    pressed = page.locator("#cases [aria-pressed=true]").all_text_contents()
    assert pressed == [RECORDED[0]["says"]]
    assert re.fullmatch(
        r"\d+ versions: \d+ the same, \d+ differ and say nothing, \d+ refuse",
        page.text_content("#tally"),
    )
    assert page.locator("#compared td.wrong").count() == 6
    page.hover("#compared td.wrong >> nth=3")
    assert page.text_content("#compared .said") == (
        "row 0, column 3 is memory that nobody wrote, wrong: 11 is right"
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


# ---- Where things are --------------------------------------------------------------------------

BIG = "shape=12,20&mode=reflect&begin=3,6&end=3,6"
IN_SIGHT = """() => {
    const box = document.getElementById("result").getBoundingClientRect();
    return [box.top >= -1, Math.min(box.bottom, innerHeight) - Math.max(box.top, 0)];
}"""
CONTROLS = """() => Array.from(document.querySelectorAll("#controls input, #controls select, .what input"))
    .filter((one) => one.checkVisibility()).map((one) => one.id)"""


def test_the_result_stays_in_sight_while_any_control_changes(browser):
    watched = Watched(browser, viewport={"width": 1280, "height": 800})
    page = watched.load()
    for control in page.evaluate(CONTROLS):
        field = page.locator(f"#{control}")
        field.scroll_into_view_if_needed()
        field.focus()
        page.keyboard.press(
            "ArrowRight" if field.get_attribute("type") in ("range", "radio") else "ArrowUp"
        )
        is_below_the_top, height = page.evaluate(IN_SIGHT)
        assert is_below_the_top and height > 60, control
        go(page, "")
    watched.context.close()


@pytest.mark.parametrize(
    "words",
    [
        "",
        BIG,
        "input=picture&mode=wrap&begin=48,64&end=48,64",
        "spec=onnx-18&mode=wrap&begin=1,1",
        "shape=2,2,3,4&mode=edge&begin=1,1,1,1",
    ],
)
def test_a_phone_gives_the_result_a_third(browser, words):
    watched = Watched(browser, viewport={"width": 390, "height": 664})
    page = watched.load(words)
    height = page.evaluate("document.querySelector('.shown').getBoundingClientRect().height")
    assert 60 < height <= 0.34 * 664 + 0.5
    page.locator("#end-0").scroll_into_view_if_needed()
    assert page.evaluate("document.querySelector('.shown').getBoundingClientRect().top") == 0
    watched.context.close()


# What reaches beyond the window or beyond the box that it is in, and cannot be scrolled to.
CUT = """() => Array.from(document.querySelectorAll("body *")).filter((one) => {
    if (!one.checkVisibility() || one.closest("svg, .visually-hidden, .skip, option, input")) return false;
    const box = one.getBoundingClientRect();
    for (let place = one.parentElement; place; place = place.parentElement) {
        if (["auto", "scroll"].includes(getComputedStyle(place).overflowX)) return false;
    }
    const hides = ["hidden", "clip"].includes(getComputedStyle(one).overflowX)
        && one.scrollWidth > one.clientWidth + 1;
    return box.width > 0 && (box.right > innerWidth + 0.5 || box.left < -0.5 || hides);
}).map((one) => one.id || `${one.tagName} ${one.className} ${one.textContent.slice(0, 30)}`)"""
SCROLLED = """() => Array.from(document.querySelectorAll(".shown .scroll, .shown")).filter((one) => (
    one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1))
    .map((one) => one.className)"""


# The controls that have something else at their centre, with the page scrolled to its end and, if one is not in
# sight there, back to that one.
COVERED = """() => Array.from(document.querySelectorAll(
    "a[href], button, input, select, summary, [role=slider]")).filter((one) => {
    if (!one.checkVisibility() || one.matches(".skip")) return false;
    const isThere = () => {
        const box = one.getBoundingClientRect();
        const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return one.contains(there);
    };
    scrollTo(0, document.scrollingElement.scrollHeight);
    if (isThere()) return false;
    one.scrollIntoView({ block: "nearest", inline: "center" });
    return !isThere();
}).map((one) => one.id || one.textContent.slice(0, 30))"""


@pytest.mark.parametrize(
    "width, height", [(320, 568), (360, 640), (390, 664), (768, 1024), (1280, 800)]
)
def test_nothing_is_cut_or_covered(browser, width, height):
    """The pictures are for people: nothing compares them."""
    watched = Watched(browser, viewport={"width": width, "height": height})
    page = watched.load()
    SHOTS.mkdir(exist_ok=True)
    found = {}
    for state, words in {**STATES, "big": BIG}.items():
        go(page, words)
        wider = page.evaluate("document.scrollingElement.scrollWidth") - width
        found[state] = (page.evaluate(CUT), max(wider, 0), page.evaluate(COVERED))
        if words == "" and height >= 640:
            assert page.evaluate(SCROLLED) == []
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=SHOTS / f"{state}-{width}-{scheme}.png", full_page=True)
    assert {state: one for state, one in found.items() if one != ([], 0, [])} == {}
    assert watched.faults == []
    watched.context.close()


@pytest.mark.parametrize("width, height", [(390, 664), (1280, 800)])
def test_the_choice_of_a_picture_is_at_the_top(browser, width, height):
    watched = Watched(browser, viewport={"width": width, "height": height})
    page = watched.load()
    box = page.locator("#input-picture").bounding_box()
    assert box["y"] < page.locator("#result").bounding_box()["y"] < height
    watched.context.close()


def test_the_focus_is_seen(page):
    """A ring around what the keys reach."""
    for control in ("replay", "mode-each", "begin-0", "code-python", "border-top", "link-docs"):
        page.focus(f"#{control}")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        style = page.evaluate("getComputedStyle(document.activeElement).outline")
        assert page.evaluate("document.activeElement.id") == control
        assert "solid" in style and not style.endswith(" 0px"), control


def test_tabs_and_links(page):
    titles = page.locator("#code-tabs [role=tab]").all_text_contents()
    assert titles == ["NumPy", "PyTorch", "Python", "JavaScript", "C", "ONNX", "Command"]
    for name in ("install", "docs", "source"):
        address, _, anchor = page.get_attribute(f"#link-{name}", "href").partition("#")
        text = (PAGE.parent / address).read_text(encoding="utf-8")
        assert not anchor or f"## {anchor.capitalize()}" in text


def test_words_of_insiders(page):
    """A reader who has never seen the library knows the words, or the page explains them."""
    text = page.inner_text("#bench").lower()
    for word in ("interior", "window", "plain", "tp351", "lenient", "opset"):
        assert word not in text, word
    page.click(".tip summary")
    assert "standards" in page.inner_text(".tip")
