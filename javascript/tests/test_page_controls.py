"""Every control of the page is used once: address and result follow. Links, back and forward. Random problems
through the page equal what the command makes of the same words, errors, too."""

import random
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import go, recorded
from page_problems import SHOWN, from_command, one_problem, pad_in, read_cells, same, shown

pytestmark = pytest.mark.long
SPECS = [f"onnx-{version}" for version in (25, 24, 23, 21, 19, 18, 13, 11, 2)]
REFLECTED = {"spec": "plain", "shape": "3,4", "mode": "reflect", "begin": "1,2", "end": "1,2"}
# What is done, to which control, with what; how the words of the address change (None: gone).
STEPS = [
    ("check", "mode-constant", None, {"mode": "constant"}),
    ("fill", "value", "7.5", {"value": "7.5"}),
    ("check", "mode-edge", None, {"mode": "edge"}),
    ("check", "mode-symmetric", None, {"mode": "symmetric"}),
    ("check", "mode-wrap", None, {"mode": "wrap"}),
    ("check", "mode-reflect", None, {"mode": "reflect"}),
    ("fill", "begin-0", "3", {"begin": "3,2"}),
    ("fill", "begin-0-slider", "-1", {"begin": "-1,2"}),
    ("fill", "begin-1", "0", {"begin": "-1,0"}),
    ("fill", "begin-1-slider", "4", {"begin": "-1,4"}),
    ("fill", "end-0", "2", {"end": "2,2"}),
    ("fill", "end-0-slider", "3", {"end": "3,2"}),
    ("fill", "end-1", "-3", {"end": "3,-3"}),
    ("fill", "end-1-slider", "-2", {"end": "3,-2"}),
    ("check", "order-crop", None, {"order": "crop"}),
    ("check", "order-window", None, {"order": None}),
    ("fill", "interior-0", "1", {"interior": "1,0"}),
    ("fill", "interior-0-slider", "2", {"interior": "2,0"}),
    ("fill", "interior-1", "1", {"interior": "2,1"}),
    ("fill", "interior-1-slider", "0", {"interior": "2,0"}),
    ("check", "mode-each", None, {"mode": "reflect,reflect"}),
    ("select", "mode-0", "wrap", {"mode": "wrap,reflect"}),
    ("select", "mode-1", "edge", {"mode": "wrap,edge"}),
    ("uncheck", "mode-each", None, {"mode": "wrap"}),
    ("fill", "interior-0", "0", {"interior": None}),
    ("fill", "axes", "1", {"axes": "1", "begin": "4", "end": "-2"}),
    ("select", "rank", "3", {"shape": "2,3,4", "axes": "2"}),
    ("select", "rank", "2", {"shape": "3,4", "axes": "1"}),
    ("fill", "axes", "", {"axes": None, "begin": "0,4", "end": "0,-2"}),
    ("select", "type", "int16", {"type": "int16"}),
    ("fill", "value", "1,2,3,4,5,6", {"value": "1,2,3,4,5,6"}),
    ("fill", "valueAxis", "1", {"valueAxis": "1"}),
    ("fill", "valueAxis", "", {"valueAxis": None}),
    ("fill", "value", "-9", {"value": "-9"}),
    ("fill", "data", "5,4,3,2,1,0,-1,-2,-3,-4,-5,-6", {"data": "5,4,3,2,1,0,-1,-2,-3,-4,-5,-6"}),
    # As NumPy and JSON write arrays: the brackets say the shape.
    (
        "fill",
        "data",
        "array([[[1, 2]], [[3, -4]]], dtype=int16)",
        {"data": "1,2,3,-4", "shape": "2,1,2", "begin": "0,0,4", "end": "0,0,-2"},
    ),
    (
        "fill",
        "data",
        "[[ 1  2  3  4]  [ 5  6  7  8]  [ 9 10 11 12]]",
        {"data": "1,2,3,4,5,6,7,8,9,10,11,12", "shape": "3,4", "begin": "0,4", "end": "0,-2"},
    ),
    ("click", "data-number", None, {"data": None}),
    ("select", "rank", "3", {"shape": "2,3,4", "begin": "0,0,4", "end": "0,0,-2"}),
    ("fill", "begin-2", "1", {"begin": "0,0,1"}),
    ("fill", "begin-2-slider", "0", {"begin": "0,0,0"}),
    ("fill", "end-2", "2", {"end": "0,0,2"}),
    ("fill", "end-2-slider", "-1", {"end": "0,0,-1"}),
    ("fill", "interior-2", "2", {"interior": "0,0,2"}),
    ("fill", "interior-2-slider", "0", {"interior": None}),
    ("fill", "shape-0", "3", {"shape": "3,3,4"}),
    ("fill", "shape-1", "1", {"shape": "3,1,4"}),
    ("fill", "shape-2", "2", {"shape": "3,1,2"}),
    ("select", "rank", "1", {"shape": "2", "begin": "0", "end": "-1"}),
    ("select", "rank", "2", {"shape": "2,2", "begin": "0,0", "end": "0,-1"}),
    ("fill", "axes", "-1", {"axes": "-1", "begin": "0", "end": "-1"}),
    (
        "select",
        "spec",
        "openvino-12",
        {"spec": "openvino-12", "axes": None, "begin": "0,0", "end": "0,-1"},
    ),
    ("check", "lenient", None, {"lenient": "1"}),
    ("select", "spec", "openvino-1", {"spec": "openvino-1"}),
    ("uncheck", "lenient", None, {"lenient": None}),
    *[("select", "spec", spec, {"spec": spec}) for spec in SPECS[:-1]],
    ("select", "type", "float32", {"type": None}),
    ("select", "spec", SPECS[-1], {"spec": SPECS[-1]}),
    ("select", "spec", "onnx-1", {"spec": "onnx-1"}),
    ("select", "spec", "ngraph", {"spec": "ngraph"}),
    (
        "select",
        "spec",
        "mli-chw",
        {"spec": "mli-chw", "shape": "1,2,2", "mode": "constant", "value": None},
    ),
    ("fill", "begin-0", "4", {"begin": "4,0"}),
    ("fill", "end-1-slider", "0", {"end": "0,0"}),
    (
        "select",
        "spec",
        "plain",
        {"spec": "plain", "type": "int8", "begin": "0,4,0", "end": "0,0,0"},
    ),
    ("select", "rank", "2", {"shape": "2,2", "begin": "4,0", "end": "0,0"}),
    ("select", "spec", "mli-hwc", {"spec": "mli-hwc", "shape": "2,2,1", "type": None}),
    ("fill", "end-1", "-1", {"end": "0,-1"}),
    ("click", "code-numpy", None, {"code": "numpy"}),
    ("click", "code-torch", None, {"code": "torch"}),
    ("click", "code-javascript", None, {"code": "javascript"}),
    ("click", "code-c", None, {"code": "c"}),
    ("click", "code-onnx", None, {"code": "onnx"}),
    ("click", "code-command", None, {"code": "command"}),
    ("click", "code-python", None, {"code": None}),
]
# Used by the other tests of the page.
ELSEWHERE = {
    *"skip copy copy-link copy-embed save-png save-svg reset replay embed-link link-model".split(),
    *"link-install link-docs link-source nav-problem nav-gallery nav-model".split(),
    *"input-matrix input-picture picture-file picture-sample model-file model-repair".split(),
    *"model-copy-line model-copy-link example-panorama example-mirror".split(),
    "example-unet_dynamic_17",
    *(f"case-{record['case']}" for record in recorded() if "says" in record),
}


def address_of(page):
    hash_ = page.evaluate("location.hash")
    return dict(urllib.parse.parse_qsl(hash_.removeprefix("#"), keep_blank_values=True))


def start_at(page, words):
    go(page, "&".join(f"{key}={text}" for key, text in words.items()))


def problem_of(words):
    """The words of an address as a problem for the command."""
    lists = ("shape", "begin", "end", "interior", "axes", "data")
    problem = {"type": "int8" if words["spec"].startswith("mli") else "float32", **words}
    problem.pop("code", None)
    for key in lists:
        if key in problem:
            problem[key] = [int(part) for part in problem[key].split(",") if part]
    count = 1
    for extent in problem["shape"]:
        count *= extent
    problem.setdefault("data", list(range(1, count + 1)))
    return problem


def check_state(page, words, folder):
    assert address_of(page) == words
    problem = problem_of(words)
    expected = from_command(folder, problem)
    assert same(shown(page, problem), expected), (words, shown(page, problem), expected)


def test_every_control(page, tmp_path):
    start_at(page, REFLECTED)
    words = dict(REFLECTED)
    used = set()
    controls = """() => Array.from(document.querySelectorAll("input, select, button, a, textarea"),
        (one) => one.id).filter(Boolean)"""
    there = set(page.evaluate(controls))
    for action, control, argument, change in STEPS:
        assert page.locator(f"#{control}").is_visible(), control
        call = {"select": "select_option"}.get(action, action)
        getattr(page, call)(f"#{control}", *([argument] if argument is not None else []))
        page.locator(f"#{control}").blur()
        words = {key: text for key, text in (words | change).items() if text is not None}
        check_state(page, words, tmp_path)
        used.add(control)
        there |= set(page.evaluate(controls))
    assert there - used - ELSEWHERE == set()
    options = page.eval_on_selector_all("#spec option", "all => all.map((one) => one.value)")
    assert set(options) == {argument for _, control, argument, _ in STEPS if control == "spec"}


# ---- Addresses ---------------------------------------------------------------------------------

LINKS = [
    "spec=plain&shape=2,3&mode=wrap,edge&begin=1,-1&end=0,3&interior=0,1&order=crop",
    "spec=onnx-19&shape=3,2&type=float64&data=1,1.2,2.3,3.4,4.5,5.7&mode=wrap&begin=2,1&end=1,1",
    "spec=onnx-18&shape=2,2,2&mode=edge&begin=1&end=2&axes=-2&code=onnx",
    "spec=openvino-12&shape=3&type=int8&mode=reflect&begin=5&end=0&lenient=1&code=c",
    "spec=ngraph&shape=2,2&mode=constant&begin=1,0&end=0,1&interior=1,1&value=1.5&code=command",
    "spec=plain&shape=0,3&mode=constant&begin=1,0&end=1,0&value=-inf",
]


@pytest.mark.parametrize("link", LINKS)
def test_a_link_restores_the_state(quiet, tmp_path, link):
    page = quiet.load(link)
    words = dict(urllib.parse.parse_qsl(link))
    assert address_of(page) == words
    numbers = words | ({"data": None} if "." in words.get("data", "") else {})
    if numbers.get("data", "") is not None:
        check_state(page, words, tmp_path)
    assert page.input_value("#spec") == words["spec"]
    for row, amount in enumerate(words["begin"].split(",")):
        assert page.input_value(f"#begin-{row}") == amount
    if "," in words["mode"]:
        modes = [page.input_value(f"#mode-{row}") for row in range(2)]
        assert modes == words["mode"].split(",")
    else:
        assert page.is_checked(f"#mode-{words['mode']}")
    for key in ("value", "axes", "type"):
        if key in words:
            assert page.input_value(f"#{key}") == words[key]
    assert page.is_checked("#lenient") == ("lenient" in words)
    code = words.get("code", "python")
    assert page.get_attribute(f"#code-{code}", "aria-selected") == "true"
    # The same words in another order, percent-encoded, are the same problem.
    parts = [part.replace(",", "%2C") for part in reversed(link.split("&"))]
    before = page.inner_text("#result")
    assert quiet.load("&".join(parts)).inner_text("#result") == before


# An address | what the message says of it | the address that is left, without words the first example.
BAD = [
    [part.strip() for part in line.split(" |")]
    for line in """
x | 'x': a word and its value have = between them |
spec=onnx-3 | spec: 'onnx-3' is not one of |
colour=red&shape=2,2&mode=edge&begin=1,1 | 'colour': not a word of this page | shape=2,2&mode=edge&begin=1,1
shape=a&mode=edge | shape: 'a' is no integer | mode=edge
shape=-1,2 | shape: '-1,2': an extent is at least 0 |
shape=1e9&mode=edge | this page shows at most 64 cells on an axis, and 1024 in all | mode=edge
shape=99,99&mode=wrap&begin=1,2&end=3,4 | shape: '99,99': this page shows at most 64 cells | mode=wrap&begin=1,2&end=3,4
shape=2,2,2,2,2&begin=1,1 | shape: 5 axes; this page shows 1 to 4 | begin=1,1
shape=2,2,2&mode=edge&begin=1,1&end=1,1,1 | begin | shape=2,2,2&mode=edge&end=1,1,1
mode=mirror&begin=1,1 | mode: 'mirror' is not one of | begin=1,1
=1 | '': not a word of this page |
begin=1.5,2&end=1,1 | begin: '1.5' is no integer | end=1,1
spec=plain&spec=onnx-19&begin=1,1 | 'spec': given twice | begin=1,1
data=1,2&begin=1,1 | data: 2 values; the shape has 12 cells | begin=1,1
data=0x10 | data: '0x10' is no number |
type=int8&shape=2&data=1,300 | data: int8 cannot hold '300' | type=int8&shape=2
value=one&begin=1,1 | value: 'one' is no number | begin=1,1
value=1,,2&begin=1,1 | value: '' is no number | begin=1,1
value=0b11 | value: '0b11' is no number |
spec=onnx-19&value=1,2&begin=1,1 | value: ONNX Pad takes one value | spec=onnx-19&begin=1,1
spec=onnx-19&valueAxis=1&begin=1,1 | valueAxis: ONNX Pad has no such word | spec=onnx-19&begin=1,1
valueAxis=0,1 | valueAxis: '0,1' is not one axis |
%&begin=1,1 | '%' cannot be decoded | begin=1,1
type=float31&begin=1,1 | type: 'float31' is no element type | begin=1,1
input=sound&begin=1,1 | input: 'sound' is not one of matrix, picture | begin=1,1
input=picture&shape=2,2&mode=edge&begin=9,9 | shape: a picture has its own | input=picture&mode=edge&begin=9,9
code=perl&begin=1,1 | code: 'perl' is not one of | begin=1,1
spec=onnx-19&mode=edge,wrap&begin=1,1 | mode: ONNX Pad has one mode | spec=onnx-19&begin=1,1
spec=ngraph&order=crop&begin=1,1&value=0 | order: nGraph Pad has no such word | spec=ngraph&begin=1,1&value=0
pads=1,1,1 | pads: 3 entries |
__proto__=1&begin=1,1 | '__proto__': not a word | begin=1,1
constructor=1 | 'constructor': not a word |
spec=onnx-19&lenient=yes&begin=1,1 | lenient: 'yes' is not one of | spec=onnx-19&begin=1,1
x=1&y=2&z=3&v=4&w=5&begin=1,1 | and 2 more | begin=1,1
""".split("\n")[1:-1]
] + [
    ["begin=" + "1," * 5000, "begin", ""],
    ["axes=" + "0," * 20000 + "0", "axes: 20001 entries; this page shows at most 16", ""],
    ["a" * 200_000, "'" + "a" * 40 + "...': a word", ""],
]


def test_a_bad_link_says_what_it_ignored(page):
    """And what is left of it is shown as a link without those words."""
    for words, said, left in BAD:
        go(page, left)
        assert page.is_hidden("#message")
        expected = page.get_attribute("#result", "data-shape"), page.inner_text("#result")
        go(page, words)
        message = page.text_content("#message")
        assert message.startswith("Ignored in the address: ") and said in message, words[:40]
        assert len(message) < 420
        assert (
            page.get_attribute("#result", "data-shape"),
            page.inner_text("#result"),
        ) == expected, words[:40]


def wait_for(page, text):
    page.wait_for_function("(text) => location.hash.includes(text)", arg=text)


def test_back_and_forward(page, tmp_path):
    start_at(page, REFLECTED)
    page.check("#mode-wrap")
    page.fill("#begin-0", "3")
    page.locator("#begin-0").blur()
    page.select_option("#spec", "onnx-19")
    after = address_of(page)
    page.go_back()
    wait_for(page, "spec=plain")
    assert page.input_value("#spec") == "plain" and page.input_value("#begin-0") == "3"
    page.go_back()
    wait_for(page, "begin=1,2")
    assert page.input_value("#begin-0") == "1" and page.is_checked("#mode-wrap")
    page.go_back()
    page.wait_for_function("document.getElementById('mode-reflect').checked")
    assert page.get_attribute("#result", "data-shape") == "5,8"
    for there in ("mode=wrap", "begin=3,2", "spec=onnx-19"):
        page.go_forward()
        wait_for(page, there)
    check_state(page, after, tmp_path)


def test_gallery(quiet, tmp_path):
    page = quiet.load("gallery")
    page.wait_for_selector("#gallery", state="visible")
    assert page.evaluate("location.hash") == "#gallery"
    links = page.locator("#gallery a").evaluate_all("all => all.map((one) => one.hash)")
    assert len(links) >= 8 and len(set(links)) == len(links)
    # Longitudes go around, latitudes do not.
    assert "mode=edge,wrap" in page.get_attribute("#gallery a:has-text('globe')", "href")
    page.click("#gallery a >> nth=1")
    page.wait_for_selector("#result", state="visible")
    assert page.evaluate("location.hash") == links[1]
    for link in links:
        go(page, link.removeprefix("#"))
        assert page.is_hidden("#message"), link
        words = address_of(page)
        if "picture" not in words.values() and "data" not in words:
            check_state(page, words, tmp_path)
    page.click("#nav-gallery")
    page.wait_for_selector("#gallery", state="visible")
    page.click("#nav-problem")
    page.wait_for_selector("#gallery", state="hidden")
    assert page.is_visible("#controls")


def copied(page, what):
    """The clipboard, when the page says that it is in there."""
    told = "(what) => document.getElementById('status').textContent.includes(`${what} is copied`)"
    page.wait_for_function(told, arg=what)
    return page.evaluate("navigator.clipboard.readText()")


def test_copies(page):
    start_at(page, REFLECTED)
    page.click("#copy")
    text = copied(page, "text")
    assert "import tensorpad" in text and text == page.text_content("#code-text")
    page.fill("#begin-0", "2")
    page.locator("#begin-0").blur()
    page.click("#copy-link")
    link = copied(page, "link")
    assert link == page.evaluate("location.href") and "begin=2,2" in link


def test_skip_link(page):
    page.focus("#skip")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "result"


# ---- Random problems ---------------------------------------------------------------------------

MOST_DRAWN = 2048  # cells of a result; of a larger one the page says only the shape
HASHES = (
    """async (hashes) => {
    const told = [];
    const shown = %s;
    for (const hash of hashes) {
        const changed = new Promise((done) => addEventListener("hashchange", done, { once: true }));
        location.hash = hash;
        await changed;
        await new Promise((done) => setTimeout(done, 0));
        told.push(shown());
    }
    return told;
}"""
    % SHOWN
)


def all_from_command(tmp_path, problems):
    def one(numbered):
        folder = tmp_path / str(numbered[0])
        folder.mkdir()
        return from_command(folder, numbered[1])

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, enumerate(problems)))


def address_for(problem):
    words = {key: ",".join(map(str, x)) if isinstance(x, list) else x for key, x in problem.items()}
    return "&".join(f"{key}={text}" for key, text in words.items())


def test_random_problems(page, tmp_path):
    generator = random.Random(222)
    problems = [one_problem(generator, (1, 2, 2, 3, 4), (0, 1, 2, 3)) for _ in range(200)]
    expected = all_from_command(tmp_path, problems)
    told = page.evaluate(HASHES, [address_for(one) for one in problems])
    drawn = 0
    for problem, answer, wanted in zip(problems, told, expected, strict=True):
        answer = read_cells(answer, problem)
        if len(wanted.get("data", [])) > MOST_DRAWN:
            wanted["data"] = []
        assert same(answer, wanted), (address_for(problem), answer, wanted)
        drawn += len(answer.get("data", [])) > 0
    refused = [one["status"] for one in expected if "error" in one]
    assert drawn > 60 and len(refused) > 20 and len(set(refused)) >= 5


@pytest.mark.parametrize(
    "words",
    [
        {"spec": "plain", "begin": [1], "end": [1]},
        {"spec": "onnx-25", "pads": [1, 1]},
        {"spec": "onnx-25", "pads": [1, 1, 1, 1], "axes": [0, 0]},
        {"spec": "onnx-25", "pads": [1, 1], "axes": [2]},
        {"spec": "onnx-13", "pads": [1, 1], "axes": [0]},
        {"spec": "openvino-12", "begin": [1, 1, 1], "end": [1, 1, 1]},
        {"spec": "plain", "begin": [1], "end": [1], "axes": [2]},
        {"spec": "ngraph", "begin": [1, 1], "end": [1, 1]},
        {"spec": "onnx-25", "pads": [0, 0, 0, 0], "type": "int8", "value": "300"},
        {"spec": "onnx-25", "pads": [0, 0, 0, 0], "type": "uint8", "value": "-1"},
        {"spec": "onnx-25", "pads": [0, 0, 0, 0], "type": "int8", "value": "1.5"},
    ],
    ids=str,
)
def test_lists_and_values_that_cannot_be(page, tmp_path, words):
    problem = {"shape": [2, 2], "type": "float32", "mode": "edge", "data": [1, 2, 3, 4], **words}
    (told,) = pad_in(page, [problem])
    if "pads" in problem:
        half = len(problem["pads"]) // 2
        problem |= {"begin": problem["pads"][:half], "end": problem["pads"][half:]}
    assert same(told, from_command(tmp_path, problem)), (told, from_command(tmp_path, problem))
