"""The npm package: the tarball, refused calls, random problems, the kit (conformance), memory, types, a browser;
the examples of docs/javascript.md, each run as it stands there, and its addresses of the playground."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

import onnx
import pytest
from conftest import COMMAND, HERE, ROOT, go

sys.path.append(str(ROOT / "conformance"))
from kit import case, cases, elements, onnx_model  # noqa: E402

TYPESCRIPT = ROOT / "build/typescript/node_modules/.bin/tsc"


def header_version():
    text = (ROOT / "include/tensorpad/tensorpad.h").read_text()
    return ".".join(re.findall(r"^#define TPAD_VERSION_\w+ (\d+)$", text, re.M))


def paths_in(value):
    """The texts in nested lists and dictionaries."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value
    return [path for one in inner for path in paths_in(one)]


def test_the_tarball(tarball):
    assert tarball.name == f"tensorpad-{header_version()}.tgz"
    with tarfile.open(tarball) as opened:
        names = {name.removeprefix("package/") for name in opened.getnames()}
        described = json.load(opened.extractfile("package/package.json"))
        large = {one.name: one.size for one in opened if one.size > 60_000}
    assert described["version"] == header_version()
    assert {"LICENSE", "README.md", "engine.wasm", "simd.wasm", "index.d.ts"} <= names
    # The engine is there once as a file and once as text.
    large.pop("package/check.wasm", None)
    assert large.keys() == {"package/engine.wasm", "package/common/tensorpad.js"}
    # Whatever package.json names is there, and nothing else but sources is. Without WASI's C library
    # there is no check.wasm.
    fields = ("exports", "main", "module", "types", "unpkg", "jsdelivr")
    left_out = set() if "check.wasm" in names else {"./check.wasm"}
    for path in {*paths_in([described[field] for field in fields])} - left_out:
        assert path.removeprefix("./") in names
    suffixes = {pathlib.Path(name).suffix for name in names}
    assert suffixes == {"", ".js", ".json", ".md", ".ts", ".wasm"}


def test_entries(node):
    """All ways into the package give the same, and a policy against WebAssembly makes the first call
    throw, not the import. When the policy is gone, the next call works."""
    told = node.run("run.mjs", "entries")
    assert told["first"] == ["CompileError: a policy forbids it"] * 5
    assert told["again"] == [3] * 5
    assert told["same"]
    assert len(set(told["names"])) == 1
    assert told["kernels"] == ["wasm"] * 3


def test_text(node):
    """UTF-8 as TextEncoder and TextDecoder have it, for every character and for texts that are cut."""
    assert node.run("run.mjs", "text") == {"wrong": [], "done": 0x110000}


@pytest.mark.parametrize("kernels", ["wasm", "plain"])
def test_calls(node, kernels):
    told = node.run("calls.mjs", environment={"TENSORPAD_KERNELS": kernels})
    assert told["failed"] == []
    assert told["done"] > 500
    assert (told["version"], told["kernels"]) == (header_version(), kernels)


@pytest.mark.parametrize("kernels", ["wasm", "plain"])
def test_random_problems(node, kernels):
    """In every way, with arrays at offsets, shared and resizable ones, against a naive reading."""
    told = node.run("random.mjs", 1200, 22, environment={"TENSORPAD_KERNELS": kernels})
    assert told == {"kernels": kernels, "done": 1200, "wrong": []}


@pytest.mark.long
def test_no_leak(node):
    """A million calls, and a pad of 100 MB."""
    told = node.run("run.mjs", "leaks", flags=["--expose-gc"])
    assert told["same"] and told["large"] == 5002 * 5002
    assert told["memory"] < 4e6
    assert told["after"] - told["before"] < 30  # MiB


@pytest.mark.long
def test_types(installed, tmp_path):
    if not TYPESCRIPT.exists():
        pytest.skip("TypeScript is missing: scripts/setup/from_npm.sh gets it, with npm")
    shutil.copy(HERE / "typed_uses.ts", installed)
    options = ["--noEmit", "--strict", "--target", "esnext", "--module", "nodenext"]
    done = subprocess.run(
        [TYPESCRIPT, *options, "typed_uses.ts"], cwd=installed, capture_output=True, text=True
    )
    assert done.stdout + done.stderr == ""


IN_BROWSER = """<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<pre id="result"></pre>
<script type="module">
import { kernels, pad, padTo, Plan, unpad } from "/node_modules/tensorpad/index.js";

const six = new Float32Array([1, 2, 3, 4, 5, 6]);
const { data, shape } = pad(six, [2, 3], { padWidth: 1, mode: "reflect" });
const pixels = new ImageData(4, 2);
const image = unpad(padTo(pixels, { size: [4, 9] }), { padWidth: [[0, 0], [2, 1]] });
const large = pad(new Float64Array(2e6), [1000, 2000], { padWidth: [[1, 0], [1, 1]] });
// Float16Array came to browsers in 2025; elsewhere Uint16Array holds the same bits.
const plan = new Plan("float16", [1], { padWidth: [1, 0], constantValue: 0.1 });
const bits = Array.from(plan.run(new Uint16Array([0x3E00])));
const Half = globalThis.Float16Array;
const half = Half ? pad(new Half([1.5]), [1], { padWidth: [1, 0], constantValue: 0.1 }).data : null;
const halves = Half ? [...half, ...plan.run(half.subarray(1))] : null;
let error = null;
try {
    pad(new Int8Array(2), [2], { padWidth: -2 });
} catch (thrown) {
    error = String(thrown);
}
const result = document.getElementById("result");
result.textContent = JSON.stringify({
    kernels, data: Array.from(data), shape,
    image: `${image} ${image.data.constructor.name} ${image.width} x ${image.height}`,
    large: large.data.length, error, bits, halves,
});
result.dataset.done = "1";
</script>
"""


def test_in_a_browser(installed, served, browser):
    """index.js as a module of a page."""
    (installed / "browser.html").write_text(IN_BROWSER)
    page = browser.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{served}/browser.html")
    page.wait_for_selector("#result[data-done]", state="attached", timeout=15000)
    told = json.loads(page.text_content("#result"))
    page.close()
    assert said == []
    halves = [0.0999755859375, 1.5]
    assert told.pop("halves") in (None, halves + halves)
    assert told == {
        "bits": [0x2E66, 0x3E00],
        "kernels": "wasm",
        "data": [5, 4, 5, 6, 5, 2, 1, 2, 3, 2, 5, 4, 5, 6, 5, 2, 1, 2, 3, 2],
        "shape": [4, 5],
        "image": "[object ImageData] Uint8ClampedArray 6 x 4",
        "large": 2004002,
        "error": "PadError: axis 0: output extent -2 is below 0 (before -2, after -2); crop less",
    }


CSP = """<!doctype html>
<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline' 'self' {allowed}">
<script src="/node_modules/tensorpad/common/tensorpad.js"></script>
<script>
let said;
try {{
    said = tensorpad.pad(new Uint8Array([1, 2]), [2], {{ padWidth: 1, mode: "wrap" }}).data.join();
}} catch (error) {{
    said = error.name;
}}
document.title = said;
</script>
"""


@pytest.mark.parametrize("allowed, said", [("", "CompileError"), ("'wasm-unsafe-eval'", "2,1,2,1")])
def test_a_policy_of_a_page(installed, served, browser, allowed, said):
    """A plain script under a policy that forbids WebAssembly can catch the error."""
    (installed / "policy.html").write_text(CSP.format(allowed=allowed))
    page = browser.new_page()
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{served}/policy.html")
    assert page.title() == said
    assert faults == []
    page.close()


# ---- The kit: every case that a call can say, forbidden ones too -------------------------------

WHOLE = [f"{kind}{bits}" for kind in ("Int", "Uint") for bits in (8, 16, 32)]
ARRAYS = {**{name.lower(): f"{name}Array" for name in WHOLE}, "int64": "BigInt64Array",
          "uint64": "BigUint64Array", "float": "Float32Array",
          "double": "Float64Array"}  # fmt: skip
NAMED = {"float16": "Uint16Array", "bfloat16": "Uint16Array", "complex64": "Float32Array",
         "complex128": "Float64Array"}  # fmt: skip


# Forbidden in a model: types and shapes of tensors and modes, of which a call has none.
UNSAID = ("openvino_pads_", "openvino_no_end", "openvino_value_", "mli_mode_", "mli_channels_",
          "mli_type_bool", "plain_count_")  # fmt: skip


def as_call(one, module, options, value_option):
    """One case as run.mjs takes it; None if the package has no such type."""
    if one.type == "string":
        return None
    bits, _ = elements.TYPES[one.type]
    array = ARRAYS.get(one.type) or NAMED.get(one.type, "Uint8Array")
    value = None
    if one.value is not None:
        low = elements.to_bytes([one.fill], bits).hex()
        value = [value_option, array, low]
    made = None
    if one.forbidden is None:
        made = case.expected(one)
    return {
        "name": one.name,
        "module": module,
        "array": array,
        "type": None if one.type in ARRAYS else one.type,
        "shape": one.shape,
        "hex": elements.to_bytes(one.data, bits).hex(),
        "options": {name: given for name, given in options.items() if given is not None},
        "value": value,
        "out": made and elements.to_bytes(made[0], bits).hex(),
        "outShape": made and made[1],
    }


def of_onnx(one):
    if one.around != "nothing" or one.edit or one.axes_type != "int64" or one.value_shape == (1, 1):
        return None  # the model says it, not the Pad
    options = {"opset": one.opset, "pads": one.pads, "mode": one.mode, "axes": one.axes}
    call = as_call(one, "onnx", options, "constantValue")
    if call and call["value"] and one.opset < 11:  # an attribute, a float
        options["constantValue"] = float(one.value)
        call = {
            **call,
            "options": {**call["options"], "constantValue": float(one.value)},
            "value": None,
        }
    return call


def of_other(one):
    document, begin, end = one.document, one.begin, one.end
    if one.forbidden and one.name.startswith(UNSAID):
        return None
    if document.startswith("mli"):
        layout = document[4:]
        rows = slice(1, 3) if layout == "chw" else slice(0, 2)
        starts = zip(("paddingTop", "paddingLeft"), begin[rows])
        ends = zip(("paddingBottom", "paddingRight"), end[rows])
        options = {**dict(starts), **dict(ends)}
        return as_call(one, "mli", {"layout": layout, **options}, None)
    if document == "ngraph":
        mode = one.mode and one.mode.upper()
        options = {"paddingBelow": begin, "paddingAbove": end, "paddingInterior": one.interior,
                   "padMode": mode}  # fmt: skip
        return as_call(one, "ngraph", options, "argPadValue")
    if document == "plain":
        options = {"padWidth": [*map(list, zip(begin, end))], "interior": one.interior,
                   "mode": one.mode, "order": one.order}  # fmt: skip
        return as_call(one, "plain", options, "constantValue")
    version = int(document.removeprefix("openvino-"))
    options = {"padsBegin": begin, "padsEnd": end, "padMode": one.mode, "version": version}
    return as_call(one, "openvino", options, "padValue")


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    calls = [call for one in cases.ALL if (call := of_onnx(one))]
    calls += [call for one in cases.OTHER if (call := of_other(one))]
    path = tmp_path_factory.mktemp("kit") / "cases.json"
    path.write_text(json.dumps(calls))
    return calls, path


@pytest.mark.parametrize("kernels", ["wasm", "plain"])
def test_kit(node, calls, kernels):
    told = node.run("run.mjs", "kit", calls[1], environment={"TENSORPAD_KERNELS": kernels})
    assert told["wrong"] == []
    assert (told["kernels"], told["done"]) == (kernels, len(calls[0]))
    assert told["done"] > 3500


# ---- tensorpad/check ---------------------------------------------------------------------------

TARGETS = ("ort", "openvino", "opencv-4.14")


@pytest.fixture(scope="session")
def with_check(tarball):
    with tarfile.open(tarball) as opened:
        if "package/check.wasm" not in opened.getnames():
            pytest.skip("tensorpad/check was not made: scripts/javascript/npm.py says why")
    if not pathlib.Path(COMMAND).exists():
        pytest.skip(f"no {COMMAND}, with which tensorpad/check is compared")


def models_of(folder):
    """Real models, some of the kit's, and damaged ones."""
    paths = sorted(
        [*(ROOT / "checker/tests/models/exports").glob("*.onnx"), *ROOT.glob("examples/*.onnx")]
    )
    for number, path in enumerate(list(paths)):
        content = path.read_bytes()
        for cut in (0, len(content) // 3, len(content) - 7):
            paths.append(folder / f"cut_{number}_{cut}.onnx")
            paths[-1].write_bytes(content[:cut])
        paths.append(folder / f"changed_{number}.onnx")
        paths[-1].write_bytes(bytes(b ^ (i % 97 == 5) for i, b in enumerate(content)))
    for one in cases.ALL[::41]:
        model, _ = onnx_model.write(one)
        paths.append(folder / f"{one.name}.onnx")
        paths[-1].write_bytes(model.SerializeToString())
        for (
            tensor
        ) in model.graph.initializer:  # their elements lie elsewhere, or outside of the folder
            tensor.data_location = onnx.TensorProto.EXTERNAL
            place = "../absent.bin" if len(paths) % 2 else "absent.bin"
            tensor.external_data.add(key="location", value=place)
            tensor.ClearField("raw_data")
        if model.graph.initializer:
            paths.append(folder / f"{one.name}_external.onnx")
            paths[-1].write_bytes(model.SerializeToString())
    return paths


def test_check(with_check, node, tmp_path):
    """The objects, bytes and errors of the command, for damaged models, too."""
    paths = models_of(tmp_path)
    (tmp_path / "paths").write_text("\n".join(map(str, paths)))
    *told, (usage, no_bytes) = node.run("run.mjs", "models", tmp_path / "paths", *TARGETS)
    folder = tmp_path / "command"
    folder.mkdir()
    repaired = folder / "repaired.onnx"
    for path, (report, lowered) in zip(paths, told):
        shutil.copy(path, folder / "model.onnx")
        done = subprocess.run(
            [COMMAND, "check", "--json", "model.onnx"], cwd=folder, capture_output=True
        )
        assert json.loads(report) == json.loads(done.stdout), path
        words = [word for target in TARGETS for word in ("--target", target)]
        done = subprocess.run(
            [COMMAND, "lower", "--json", "-f", *words, "model.onnx", "repaired.onnx"],
            cwd=folder,
            capture_output=True,
        )
        if done.returncode:
            assert lowered == f"Error: {json.loads(done.stderr)['error']['text']}", path
        else:
            assert bytes.fromhex(lowered) == repaired.read_bytes(), path
    assert len(told) == len(paths) > 60
    assert (usage, no_bytes) == (
        "USAGE",
        "TypeError: model: the bytes of an .onnx file, as an ArrayBuffer or a typed array",
    )


CHECK_IN_BROWSER = """<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<pre id="result"></pre>
<script type="module">
import { check } from "/node_modules/tensorpad/check.js";
const report = await check(await (await fetch("/model.onnx")).arrayBuffer(), { targets: "ort-1.17" });
const result = document.getElementById("result");
result.textContent = report.models[0].nodes[0].verdicts[0].verdict;
result.dataset.done = "1";
</script>
"""


def test_check_in_a_browser(with_check, installed, served, browser):
    (installed / "check.html").write_text(CHECK_IN_BROWSER)
    shutil.copy(ROOT / "examples/panorama.onnx", installed / "model.onnx")
    page = browser.new_page()
    page.goto(f"{served}/check.html")
    page.wait_for_selector("#result[data-done]", state="attached", timeout=15000)
    assert page.text_content("#result") == "refuses"
    page.close()


# ---- docs/javascript.md ------------------------------------------------------------------------

DOCS = (ROOT / "docs/javascript.md").read_text(encoding="utf-8")
README = (ROOT / "javascript/README.md").read_text(encoding="utf-8")  # npm's page
PROGRAMS = re.findall(r"^```js\n(.*?)^```", DOCS + README, re.M | re.S)
HTML = re.findall(r"^```html\n(.*?)^```", DOCS, re.M | re.S)
# What a call prints stands after it: console.log, and told, which some examples define with it.
PRINTED = re.compile(r"^ *(?:console\.log\(|told\(|\}\)).*; +// (.*)$", re.M)
ADDRESSES = re.findall(r"`#([^`]*)`", DOCS)  # what stands after `#` in an address of the playground


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_example(installed, program):
    (installed / "example.mjs").write_text(program)
    done = subprocess.run(
        ["node", "example.mjs"], cwd=installed, capture_output=True, text=True, timeout=30
    )
    assert done.stderr == ""
    wanted = PRINTED.findall(program)
    assert done.stdout.splitlines() == wanted
    assert wanted or "console.log" not in program


def test_example_in_a_browser(installed, served, browser):
    """The page with an import map finds the package and shows what its comment says."""
    program = next(text for text in HTML if "importmap" in text)
    (installed / "example.html").write_text(program)
    page = browser.new_page()
    page.goto(f"{served}/example.html")
    wanted = re.search(r"textContent = data; // (.*)$", program, re.M)[1]
    page.wait_for_function("document.getElementById('answer').textContent !== ''")
    assert page.text_content("#answer") == wanted
    page.close()


def test_embedded(browser, tmp_path):
    """The page with an iframe shows the problem of its address: 3 x 4 and 1, 2 on both sides."""
    program = next(text for text in HTML if "<iframe" in text)
    shutil.copytree(ROOT / "build/playground", tmp_path / "playground")
    (tmp_path / "own.html").write_text(program)
    page = browser.new_page()
    page.goto((tmp_path / "own.html").as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("html[data-ready='1']").wait_for(state="attached")
    assert frame.locator("#result").get_attribute("data-shape") == "5,8"
    assert frame.locator("#mode-reflect").is_checked()
    page.close()


def test_addresses_of_the_playground(quiet):
    """The playground has nothing to say about any of them, and shows what they say."""
    assert len(ADDRESSES) > 10
    page = quiet.load()
    for words in ADDRESSES:
        go(page, words)
        assert page.text_content("#message").strip() == "", words
        assert page.is_visible("#cards") == (words == "gallery")
        if words in ("", "gallery"):
            continue
        said = dict(part.split("=", 1) for part in words.split("&"))
        mode = said.get("mode", "constant")
        assert page.input_value("#spec") == said.get("spec", "plain")
        assert "," in mode or page.is_checked(f"#mode-{mode}"), words
