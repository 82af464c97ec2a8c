/** The page: loads the engine, checks it, and keeps form, result, code and address in step with
 * the state. */
import { createTensorpad } from "../src/tensorpad.js";
import { createBorder } from "./border.js";
import { codesOf } from "./code.js";
import { buildControls, showControls } from "./controls.js";
import { drawGallery, svgOf } from "./gallery.js";
import { clearLines, element, lastTwo, byId } from "./grid.js";
import { unpack } from "./loader.js";
import { ask, buildModel, download, showModel, takeModel } from "./model.js";
import { readPhotograph, readPicture } from "./picture.js";
import { readProblem } from "./problem.js";
import { drawResult, flyCopies } from "./result.js";
import {
    buildCases,
    drawOthers,
    drawRecorded,
    readRecorded,
    recordedOf,
    verdictsOf,
    withRecorded,
} from "./runtimes.js";
import { createRuntimes, pictureProblem, selfCheck, solveElements } from "./solve.js";
import { CODES, defaultState, hashOf, readHash } from "./state.js";

const CODE_TITLES = {
    numpy: "NumPy",
    torch: "PyTorch",
    python: "Python",
    javascript: "JavaScript",
    c: "C",
    onnx: "ONNX",
    command: "Command",
};
/** Of each view: the title that gets the focus, and the place. */
const TITLES = { problem: "result-title", model: "model-title", gallery: "gallery-title" };
const VIEWS = { problem: "bench", model: "model", gallery: "gallery" };
/** Browsers refuse to write the address too often. In milliseconds. */
const WRITE_AFTER = 150;

let api;
let runtimes;
let state = defaultState();
let picture;
/** The sample picture, which also stands beside numbers. */
let photograph;
let border;
/** Cases of the kit in which runtimes were seen to be wrong. */
const recorded = readRecorded();
/** What drawResult returned last. */
let drawn;
let saying;
let writing;
/** How many pictures were chosen. */
let reading = 0;
let isOpen = false;

async function start() {
    const { instance } = await WebAssembly.instantiate(await unpack("engine").arrayBuffer());
    api = createTensorpad(instance);
    const failed = selfCheck(api);
    if (failed) {
        complain(`The engine of this page failed its self-check and is not used: ${failed}`);
        document.documentElement.dataset.ready = "failed";
        return;
    }
    runtimes = createRuntimes(instance, api);
    photograph = await readPhotograph();
    picture = photograph;
    byId("version").textContent = `${api.version} (${api.kernels})`;
    buildControls(api, () => state, act, complain);
    border = createBorder(
        act,
        () => state,
        () =>
            state.input === "picture"
                ? [picture.height, picture.width]
                : lastExtents(state.problem),
    );
    buildCode();
    buildPictures();
    buildCases(recorded, ({ problem }) => {
        const next = { ...defaultState(), input: "matrix", problem: readProblem(problem) };
        act({ ...next, code: state.code }, true);
        flyCopies(drawn);
    });
    buildModel({ api, runtimes, recorded, copy, take: takeFile });
    byId("replay").addEventListener("click", () => flyCopies(drawn));
    byId("mode-radios").addEventListener("change", () => flyCopies(drawn));
    byId("reset").addEventListener("click", () => act(defaultState(), true));
    byId("copy-link").addEventListener("click", () => copy(location.href, "The link is copied."));
    byId("copy-embed").addEventListener("click", () => copy(embedded(), "The HTML is copied."));
    for (const kind of ["png", "svg"])
        byId(`save-${kind}`).addEventListener("click", () => save(kind));
    byId("skip").addEventListener("click", (event) => {
        event.preventDefault();
        byId("result").focus();
    });
    addEventListener("hashchange", () => readAddress(true));
    addEventListener("scroll", () => clearLines(byId("pointer")), { capture: true });
    addEventListener("resize", () => {
        if (state.view === "problem") show();
    });
    readAddress(false);
    flyCopies(drawn);
    publish();
    document.documentElement.dataset.ready = "1";
}

/** Takes the state from the address. moved: the reader followed a link or went back. */
function readAddress(moved) {
    clearTimeout(writing);
    isOpen = false;
    const { state: next, message } = readHash(location.hash);
    const otherView = next.view !== state.view;
    complain(message);
    state = next;
    show(true);
    if (!moved || !otherView) return;
    byId(TITLES[state.view]).focus({ preventScroll: true });
    scrollTo(0, 0);
}

/** Shows a new state and writes it into the address. commit: false while a slider moves or text
 * is typed; all that comes until the next true is one entry of the browser's history. */
function act(next, commit) {
    state = next;
    complain("");
    clearTimeout(writing);
    const hash = hashOf(state);
    if (hash === location.hash) {
        isOpen &&= !commit;
    } else if (!isOpen) {
        history.pushState(null, "", hash);
        isOpen = !commit;
    } else if (commit) {
        history.replaceState(null, "", hash);
        isOpen = false;
    } else {
        writing = setTimeout(() => history.replaceState(null, "", hash), WRITE_AFTER);
    }
    show();
}

function complain(text) {
    const place = byId("message");
    place.hidden = text === "";
    if (place.textContent !== text) place.textContent = text;
}

/** renew: the state is not what the reader is typing. */
function show(renew = false) {
    for (const view of Object.keys(TITLES)) {
        byId(VIEWS[view]).hidden = view !== state.view;
        if (view === state.view) byId(`nav-${view}`).setAttribute("aria-current", "page");
        else byId(`nav-${view}`).removeAttribute("aria-current");
    }
    if (state.view === "gallery") {
        document.title = "Gallery - tensorpad playground";
        drawGallery(api, photograph);
        return;
    }
    if (state.view === "model") {
        document.title = "Your model - tensorpad playground";
        showModel(state.words);
        return;
    }
    document.title = "tensorpad playground";
    document.body.classList.toggle("embed", state.embed);
    byId("embed-link").href = hashOf({ ...state, embed: false });
    byId("nav-problem").href = hashOf(state);
    showControls(state, act, complain, renew);
    drawn = drawResult(api, state, picture, photograph, border.isHeld());
    border.place(drawn.shape);
    byId("replay").hidden = !drawn.cells?.some((cell) => cell.source >= 0 && !cell.inside);
    say(drawn.said);
    showCode();
    const others = verdictsOf(api, runtimes, shownProblem());
    const shown = others.node && recordedOf(recorded, others.node);
    if (shown) others.verdicts = withRecorded(others.verdicts, shown);
    drawOthers(others);
    drawRecorded(recorded, shown);
}

/** How long the last two axes of the input are: rows and columns. */
function lastExtents({ spec, shape }) {
    return lastTwo(spec === "mli-hwc" ? shape.slice(0, 2) : shape);
}

/** The problem with the shape of the picture, if one is shown. */
function shownProblem() {
    return state.input === "picture"
        ? pictureProblem(state.problem, picture.height, picture.width)
        : state.problem;
}

/** Tells a screen reader, once the reader has stopped moving a slider. */
function say(text) {
    clearTimeout(saying);
    saying = setTimeout(() => {
        byId("status").textContent = text;
    }, 300);
}

function buildCode() {
    const tabs = byId("code-tabs");
    for (const code of CODES) {
        const spoken = { role: "tab", "aria-controls": "code-text" };
        const words = { type: "button", id: `code-${code}`, ...spoken };
        const tab = element("button", words, CODE_TITLES[code]);
        tab.addEventListener("click", () => act({ ...state, code }, true));
        tabs.append(tab);
    }
    tabs.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const code = CODES.at((CODES.indexOf(state.code) + step) % CODES.length);
        act({ ...state, code }, true);
        byId(`code-${code}`).focus();
    });
    byId("copy").addEventListener("click", () => {
        copy(byId("code-text").textContent, `The ${CODE_TITLES[state.code]} text is copied.`);
    });
}

function showCode() {
    for (const code of CODES) {
        const tab = byId(`code-${code}`);
        tab.setAttribute("aria-selected", code === state.code);
        tab.tabIndex = code === state.code ? 0 : -1;
    }
    byId("code-text").setAttribute("aria-labelledby", `code-${state.code}`);
    const codes = codesOf(api, shownProblem(), state.input === "picture");
    byId("code-text").textContent = codes[state.code];
}

async function copy(text, said) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const field = element("textarea", { value: text });
        document.body.append(field);
        field.select();
        document.execCommand("copy");
        field.remove();
    }
    say(said);
}

/** The result as a part of another page. */
function embedded() {
    const hash = hashOf({ ...state, embed: true });
    const address = `${location.href.split("#")[0]}${hash}`.replaceAll("&", "&amp;");
    const words = 'width="640" height="560" style="border: 0" title="tensorpad playground"';
    return `<iframe src="${address}" ${words}></iframe>`;
}

/** Saves the result as a file, if there is one. */
async function save(kind) {
    const canvas = document.getElementById("result-picture");
    if (!drawn.shape) return complain("There is no result to save.");
    const svg = svgOf(api, state.problem, canvas);
    const name = `padded.${kind}`;
    if (kind === "svg") return download(new Blob([svg], { type: "image/svg+xml" }), name);
    const painted = canvas ?? (await painting(svg));
    painted.toBlob((blob) => download(blob, name));
}

/** An SVG on a canvas, twice as large. */
async function painting(svg) {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    await image.decode();
    const size = { width: 2 * image.width, height: 2 * image.height };
    const canvas = element("canvas", size);
    canvas.getContext("2d").drawImage(image, 0, 0, size.width, size.height);
    return canvas;
}

function buildPictures() {
    const drop = byId("picture-input");
    byId("picture-file").addEventListener("change", (event) => takeFile(event.target.files[0]));
    byId("picture-sample").addEventListener("click", () => {
        reading++;
        picture = photograph;
        byId("picture-file").value = ""; // so that the same file can be chosen again
        byId("picture-note").textContent = "the cat";
        show();
    });
    addEventListener("dragover", (event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        drop.classList.add("over");
    });
    addEventListener("dragleave", () => drop.classList.remove("over"));
    addEventListener("drop", (event) => {
        drop.classList.remove("over");
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        takeFile(event.dataTransfer.files[0]);
    });
    addEventListener("paste", (event) => {
        const [file] = event.clipboardData.files;
        if (!file) return;
        event.preventDefault();
        takeFile(file);
    });
}

/** Shows a model, or the picture of a file, unless another one was chosen while it was read. */
async function takeFile(file) {
    if (!file) return;
    const isPicture = file.type.startsWith("image/");
    if (/\.onnx$/i.test(file.name) || (state.view === "model" && !isPicture)) {
        act({ ...state, view: "model", words: "model" }, true);
        takeModel(file);
        return;
    }
    const own = ++reading;
    try {
        const read = await readPicture(file);
        if (own !== reading) return;
        picture = read.picture;
        byId("picture-note").textContent = read.note;
        byId("picture-note").className = "taken";
        complain("");
    } catch (error) {
        if (own === reading) complain(error.message);
        return;
    }
    if (state.input === "picture" && state.view === "problem") {
        show();
    } else {
        const hash = "#spec=plain&input=picture&mode=reflect&begin=48,64&end=48,64";
        act(readHash(hash).state, true);
    }
}

/** What tests and other pages may call; README.md describes it. */
function publish() {
    window.tensorpad = {
        version: api.version,
        kernels: api.kernels,
        pad(words) {
            try {
                return solveElements(api, readProblem(words));
            } catch (error) {
                return { error: error.message, status: error.status ?? "E_ARGUMENT" };
            }
        },
        code(words) {
            return codesOf(api, readProblem(words), false);
        },
        model: ask,
    };
}

start().catch((error) => {
    complain(`This page cannot start: ${error.message}`);
    document.documentElement.dataset.ready = "failed";
    throw error;
});
