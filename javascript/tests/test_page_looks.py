"""The page without a mouse, for screen readers, in windows of all sizes, dark and light; where things are; its
size and self-check."""

import base64
import gzip
import re
import shutil

import pytest
from conftest import PAGE, ROOT, SHOTS, WITH_MODELS, go, skip_without_the_page

pytestmark = pytest.mark.long
AXE = ROOT / "build/axe/node_modules/axe-core/axe.min.js"
REFLECTED = "spec=plain&shape=3,4&mode=reflect&begin=1,2&end=1,2"
STATES = {
    "start": "",
    "each-mode": "shape=3,4&mode=wrap,constant&begin=2,-1&end=1,3&interior=0,1&value=1.5",
    "four-axes": "spec=onnx-25&shape=2,2,3,4&mode=edge&pads=0,0,1,1,0,0,1,1&code=onnx",
    "error": "spec=onnx-18&shape=3,4&mode=wrap&begin=1,1&end=1,1&code=c",
    "wide": "spec=plain&shape=2,20&type=int32&mode=reflect&begin=1,6&end=1,6&code=command",
    "picture": "spec=plain&input=picture&mode=symmetric&begin=32,48&end=32,48",
    "mli": "spec=mli-chw&shape=1,3,4&mode=constant&begin=1,2&end=1,2",
    "gallery": "gallery",
    "model": "model=panorama",
}
# The id of what has the focus, or the place that it is in, its tag and its number there.
FOCUS = """() => {
    const one = document.activeElement;
    if (one === document.body) return "";
    const place = one.closest("[id]");
    return one === place ? one.id : [place.id, one.tagName,
        Array.from(place.querySelectorAll(one.tagName)).indexOf(one)].join(" ");
}"""


def tab_stops(page, key, most=120):
    """The elements that a key reaches from what has the focus, that one first, until it leaves the
    page. The last one has the focus again then."""
    stops = [page.evaluate(FOCUS)]
    while len(stops) < most:
        last = page.evaluate_handle("document.activeElement")
        page.keyboard.press(key)
        focus = page.evaluate(FOCUS)
        if focus == "" or focus in stops:
            last.evaluate("(one) => one.focus()")
            return stops
        stops.append(focus)
    raise AssertionError(f"{key} does not leave the page: {stops[-6:]}")


@pytest.mark.parametrize("state", ["each-mode", "error", "picture", "gallery", "model"])
def test_tab_reaches_every_control(page, state):
    go(page, STATES[state])
    page.focus("#skip")
    stops = tab_stops(page, "Tab")
    backwards = tab_stops(page, "Shift+Tab")
    assert stops == backwards[::-1]
    controls = page.evaluate("""() => Array.from(
        document.querySelectorAll("a[href], button, input, select, textarea"))
        .filter((one) => one.id && one.checkVisibility() && one.tabIndex >= 0 && !one.disabled)
        .filter((one) => one.type !== "radio" || one.checked).map((one) => one.id)""")
    assert set(controls) <= set(stops), set(controls) - set(stops)
    if state == "each-mode":
        assert sum(stop.startswith(("result TD", "source TD")) for stop in stops) == 2


def test_keys_of_the_tabs_and_of_the_views(page):
    """What the page does itself with keys; fields, boxes and lists are the browser's. The border has its own
    test, and so have the cells."""
    go(page, REFLECTED)
    page.focus("#code-python")
    for code in ("javascript", "c", "onnx", "command", "numpy", "torch", "python", "javascript"):
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.id") == f"code-{code}"
        assert page.get_attribute(f"#code-{code}", "aria-selected") == "true"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.id") == "code-python"
    for view, title in (("model", "model-title"), ("gallery", "gallery-title")):
        page.focus(f"#nav-{view}")
        page.keyboard.press("Enter")
        page.wait_for_function(f"document.activeElement.id === '{title}'")
        assert page.get_attribute(f"#nav-{view}", "aria-current") == "page"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.id === 'result-title'")


def test_keys_in_the_grid(page):
    """5 x 8 cells, one of them in the order of the tab key."""
    go(page, REFLECTED)
    page.locator("#result [role=gridcell]").first.focus()
    at = 0
    for key, to in [
        ("ArrowRight", 1),
        ("ArrowDown", 9),
        ("End", 15),
        ("ArrowRight", 15),
        ("ArrowDown", 23),
        ("ArrowLeft", 22),
        ("Home", 16),
        ("ArrowLeft", 16),
        ("ArrowUp", 8),
        ("Control+End", 39),
        ("ArrowDown", 39),
        ("Control+Home", 0),
        ("ArrowUp", 0),
    ]:
        page.keyboard.press(key)
        at = page.evaluate("""() => Array.from(document.querySelectorAll("#result [role=gridcell]"))
            .indexOf(document.activeElement)""")
        assert at == to, key
    assert page.locator("#result [role=gridcell][tabindex='0']").count() == 1


# Fields that have only a placeholder for a name, which axe accepts.
NAMELESS = """() => Array.from(document.querySelectorAll("input, select"))
    .filter((one) => one.labels.length === 0 && !one.ariaLabel).map((one) => one.id)"""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]


@pytest.mark.parametrize("scheme, rules", [("light", RULES), ("dark", ["color-contrast"])])
def test_axe(opened, scheme, rules):
    """Contrast, roles, labels, landmarks, by axe-core."""
    if not AXE.exists():
        pytest.skip("axe-core is missing: scripts/setup/from_npm.sh gets it")
    found = {}
    page = opened(color_scheme=scheme, reduced_motion="reduce")
    page.evaluate(AXE.read_text())
    for state, words in STATES.items():
        go(page, words)
        assert page.evaluate(NAMELESS) == [], state
        options = {"runOnly": rules, "resultTypes": ["violations"]}
        for one in page.evaluate("async (o) => (await axe.run(document, o)).violations", options):
            places = [f"{node['target']}: {node['failureSummary']}" for node in one["nodes"][:3]]
            found[f"{state}: {one['id']}"] = places
    assert found == {}


def test_colours_of_the_system(opened):
    """Forced colours leave the cells theirs, which say what each cell is, and the mark of a pointed cell."""
    page = opened("shape=2&mode=edge&begin=1&end=0", forced_colors="active")
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    page.hover("#result td.edge")
    style = "(cell) => [getComputedStyle(cell).backgroundColor, getComputedStyle(cell).boxShadow]"
    edge, inside = (
        page.eval_on_selector(f"#result td.{kind}", style) for kind in ("edge", "inside")
    )
    assert edge[0] != inside[0] and edge[1] != "none"
    page.screenshot(path=SHOTS / "forced-colours.png")


# ---- Where things are --------------------------------------------------------------------------

BIG = "shape=12,20&mode=reflect&begin=3,6&end=3,6"
IN_SIGHT = """() => {
    const box = document.getElementById("result").getBoundingClientRect();
    return [box.top >= -1, Math.min(box.bottom, innerHeight) - Math.max(box.top, 0)];
}"""
CONTROLS = """() => Array.from(document.querySelectorAll("#controls input, #controls select, .what input"))
    .filter((one) => one.checkVisibility()).map((one) => one.id)"""


def test_the_result_stays_in_sight_while_any_control_changes(opened):
    page = opened(viewport={"width": 1280, "height": 800})
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
def test_a_phone_gives_the_result_a_third(opened, words):
    page = opened(words, viewport={"width": 390, "height": 664})
    height = page.evaluate("document.querySelector('.shown').getBoundingClientRect().height")
    assert 60 < height <= 0.34 * 664 + 0.5
    page.locator("#end-0").scroll_into_view_if_needed()
    assert page.evaluate("document.querySelector('.shown').getBoundingClientRect().top") == 0


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
    "width, height", [(320, 568), (390, 844), (768, 1024), (1280, 800), (1920, 1080)]
)
def test_nothing_is_cut_or_covered(opened, width, height):
    """The pictures are for people: nothing compares them."""
    page = opened(viewport={"width": width, "height": height})
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


@pytest.mark.parametrize("width, height", [(390, 664), (390, 844), (1280, 800), (1920, 1080)])
def test_the_first_screen(opened, width, height):
    """The picture with its border, the choice of one's own, and the modes; where there is room, code, too, and
    the picture is large. What is seldom needed is closed."""
    page = opened(viewport={"width": width, "height": height})
    page.evaluate("document.getElementById('more').open = false")
    wide = width > 1000
    for place in ("result-picture", "picture-file", "mode-radios", "nav-model") + (
        ("code-text", "link-model", "save-png", "more") if wide else ()
    ):
        box = page.locator(f"#{place}").bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, place
    box = page.locator("#result-picture").bounding_box()
    assert box["width"] * box["height"] > (0.3 if wide else 0.1) * width * height


def test_the_focus_is_seen(page):
    """A ring around what the keys reach."""
    for control in ("copy-link", "mode-each", "begin-0", "code-python", "border-top", "link-docs"):
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
    page.click("#more .tip summary")
    assert "standards" in page.inner_text(".tip")


# ---- The file ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path, most", [(PAGE, 300_000), (WITH_MODELS, 600_000)])
def test_one_file(path, most):
    skip_without_the_page()
    if not path.exists():
        pytest.skip(f"{path.name} was not made: scripts/javascript/playground.py says why")
    text = path.read_text(encoding="utf-8")
    assert len(text.encode()) <= most
    assert not re.search(r"<(script|link|img|iframe)\b[^>]*\b(src|href)=\"(?!data:)", text)
    assert "https://" not in text and "http://" not in text.replace(
        "http://www.w3.org/2000/svg", ""
    )
    assert {"og:title", "og:description", "og:image"} <= set(
        re.findall(r'property="([^"]*)"', text)
    )


def broken(change, tmp_path):
    """A copy of the page whose engine was changed."""
    text = PAGE.read_text(encoding="utf-8")
    (embedded,) = re.findall(r'id="engine">([^<]*)<', text)
    changed = change(base64.b64decode(embedded))
    path = tmp_path / "index.html"
    path.write_text(text.replace(embedded, base64.b64encode(changed).decode()), encoding="utf-8")
    return path


def wrong_word(packed):
    """An engine that has forgotten the mode reflect."""
    engine = gzip.decompress(packed)
    assert b"reflect\0" in engine
    return gzip.compress(engine.replace(b"reflect\0", b"reflecT\0"))


def wrong_byte(packed):
    return packed[:1000] + bytes([packed[1000] ^ 1]) + packed[1001:]


@pytest.mark.parametrize("change", [wrong_word, wrong_byte, None])
def test_a_page_that_cannot_work_says_so(browser, tmp_path, change):
    """An engine that was changed, or a browser of 2022."""
    page = browser.new_page()
    if not change:
        page.add_init_script("delete window.DecompressionStream")
    page.goto((broken(change, tmp_path) if change else PAGE).as_uri())
    page.wait_for_selector("#message", state="visible")
    assert page.get_attribute("html", "data-ready") != "1"
    assert len(page.inner_text("#message")) > 30
    page.close()
    shutil.rmtree(tmp_path)
