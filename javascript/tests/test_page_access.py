"""The page without a mouse, for screen readers, on a phone, dark and light; size and self-check."""

import base64
import gzip
import re
import shutil

import pytest
from chromium import PAGE, Watched, go, skip_without_the_page

from conftest import ROOT

pytestmark = pytest.mark.long
AXE = ROOT / "build/axe/node_modules/axe-core/axe.min.js"
SHOTS = ROOT / "build/playground/screenshots"
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


@pytest.mark.parametrize("state", ["each-mode", "error", "picture", "gallery"])
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


def go_to(page, control, key="Tab"):
    """Presses the key until the control has the focus."""
    for _ in range(120):
        if page.evaluate("document.activeElement.id") == control:
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not reach {control}")


def choose(page, control, value):
    """Goes down a list."""
    go_to(page, control)
    page.keyboard.press("Home")
    for _ in range(40):
        if page.input_value(f"#{control}") == value:
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"{control} has no {value}")


def has(page, text):
    page.wait_for_function("(text) => location.hash.includes(text)", arg=text)


def test_only_keys(page):
    """Every mode, and one control of each kind, by keys alone."""
    press = page.keyboard.press
    go(page, REFLECTED)
    go_to(page, "mode-reflect")
    seen = []
    for _ in range(5):
        press("ArrowDown")
        seen.append(page.evaluate("document.activeElement.value"))
        if seen[-1] != "reflect":
            has(page, f"mode={seen[-1]}")
    assert sorted(seen) == ["constant", "edge", "reflect", "symmetric", "wrap"]
    go_to(page, "mode-each")
    press("Space")
    choose(page, "mode-0", "wrap")
    has(page, "mode=wrap,reflect")
    go_to(page, "mode-each")
    press("Space")
    has(page, "mode=wrap&")
    go_to(page, "begin-0-slider")
    press("ArrowRight")
    has(page, "begin=2,2")
    press("Home")
    has(page, "begin=-8,2")
    go_to(page, "begin-0")
    press("Control+A")
    page.keyboard.type("3")
    has(page, "begin=3,2")
    press("ArrowUp")
    has(page, "begin=4,2")
    go_to(page, "order-window")
    press("ArrowDown")
    has(page, "order=crop")
    go_to(page, "value")
    page.keyboard.type("2.5")
    has(page, "value=2.5")
    choose(page, "spec", "openvino-12")
    has(page, "spec=openvino-12")
    assert page.get_attribute("#result", "data-state") == "error"
    go_to(page, "lenient")
    press("Space")
    has(page, "lenient=1")
    assert page.get_attribute("#result", "data-state") == "ok"
    choose(page, "type", "int16")
    has(page, "type=int16")
    go_to(page, "input-matrix", "Shift+Tab")
    press("ArrowDown")
    has(page, "input=picture")
    press("ArrowUp")
    choose(page, "rank", "3")
    go_to(page, "shape-0")
    press("ArrowUp")
    has(page, "shape=3,2,4")
    go_to(page, "data-number")
    press("Enter")
    go_to(page, "code-python")
    for code in ("javascript", "c", "onnx", "command", "numpy", "torch", "python", "javascript"):
        press("ArrowRight")
        assert page.evaluate("document.activeElement.id") == f"code-{code}"
        assert page.get_attribute(f"#code-{code}", "aria-selected") == "true"
    go_to(page, "copy")
    press("Enter")
    page.wait_for_function("document.getElementById('status').textContent.includes('copied')")
    assert page.evaluate("navigator.clipboard.readText()") == page.text_content("#code-text")
    go_to(page, "copy-link")
    press("Enter")
    go_to(page, "reset")
    press("Space")
    has(page, "spec=plain")
    go_to(page, "nav-gallery")
    press("Enter")
    page.wait_for_function("document.activeElement.id === 'gallery-title'")
    press("Tab")
    press("Enter")
    page.wait_for_selector("#result", state="visible")
    assert page.evaluate("location.hash") not in ("", "#gallery")


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


# Fields that have only a placeholder for a name.
NAMELESS = """() => Array.from(document.querySelectorAll("input, select"))
    .filter((one) => one.labels.length === 0 && !one.ariaLabel).map((one) => one.id)"""


def test_every_control_has_a_name(watched, page):
    """As the browser tells it to screen readers."""
    session = watched.context.new_cdp_session(page)
    for state, words in STATES.items():
        go(page, words)
        named = 0
        for node in session.send("Accessibility.getFullAXTree")["nodes"]:
            properties = {
                one["name"]: one["value"].get("value") for one in node.get("properties", [])
            }
            role = node.get("role", {}).get("value")
            if node.get("ignored") or not properties.get("focusable") or role == "RootWebArea":
                continue
            assert node.get("name", {}).get("value", "").strip(), (state, role, node)
            named += 1
        assert named > 10 and page.evaluate(NAMELESS) == []
    session.detach()


RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]


@pytest.mark.parametrize("scheme, rules", [("light", RULES), ("dark", ["color-contrast"])])
def test_axe(browser, scheme, rules):
    """Contrast, roles, labels, landmarks, by axe-core."""
    if not AXE.exists():
        pytest.skip("axe-core is missing: scripts/setup/from_npm.sh gets it")
    watched = Watched(browser, color_scheme=scheme, reduced_motion="reduce")
    found = {}
    page = watched.load()
    page.evaluate(AXE.read_text())
    for state in ("start", "each-mode", "error", "picture", "gallery"):
        go(page, STATES[state])
        options = {"runOnly": rules, "resultTypes": ["violations"]}
        for one in page.evaluate("async (o) => (await axe.run(document, o)).violations", options):
            places = [f"{node['target']}: {node['failureSummary']}" for node in one["nodes"][:3]]
            found[f"{state}: {one['id']}"] = places
    watched.context.close()
    assert found == {}


def test_colours_of_the_system(browser):
    """Forced colours leave the cells theirs, which say what each cell is, and the mark of a pointed cell."""
    watched = Watched(browser, forced_colors="active")
    page = watched.load("shape=2&mode=edge&begin=1&end=0")
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    page.hover("#result td.edge")
    style = "(cell) => [getComputedStyle(cell).backgroundColor, getComputedStyle(cell).boxShadow]"
    edge, inside = (
        page.eval_on_selector(f"#result td.{kind}", style) for kind in ("edge", "inside")
    )
    assert edge[0] != inside[0] and edge[1] != "none"
    page.screenshot(path=SHOTS / "forced-colours.png")
    watched.context.close()


# ---- The file ----------------------------------------------------------------------------------


def test_one_file_of_at_most_300_kB():
    skip_without_the_page()
    text = PAGE.read_text(encoding="utf-8")
    assert len(text.encode()) <= 300_000
    assert not re.search(r"<(script|link|img|iframe)\b[^>]*\b(src|href)=\"(?!data:)", text)
    assert "https://" not in text and "http://" not in text.replace(
        "http://www.w3.org/2000/svg", ""
    )


def broken(change, tmp_path):
    """A copy of the page whose engine was changed."""
    text = PAGE.read_text(encoding="utf-8")
    embedded = max(re.findall(r">\s*([A-Za-z0-9+/=\s]{20000,}?)\s*<", text), key=len)
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
