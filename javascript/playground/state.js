/** The state of the page and its text in location.hash: the problem, where the input comes from,
 * which code. */
import { cellCount, defaultProblem, familyOf, quoted, readProblem, rowCount } from "./problem.js";

export const CODES = ["python", "c", "onnx", "command"];
const MOST_RANK = 4;
const MOST_ROWS = 16;
export const MOST_EXTENT = 64;
export const MOST_CELLS = 1024;

export function defaultState() {
    return { problem: defaultProblem(), input: "matrix", code: "python", gallery: false };
}

/** Reads a hash. Returns the state and a message: "" or why the default state is shown instead. */
export function readHash(hash) {
    const text = hash.replace(/^#/, "");
    if (text === "gallery") return { state: { ...defaultState(), gallery: true }, message: "" };
    if (text === "") return { state: defaultState(), message: "" };
    try {
        return { state: stateOf(text), message: "" };
    } catch (error) {
        const message = "The address after # cannot be read, so this is the first example. ";
        return { state: defaultState(), message: message + error.message };
    }
}

function stateOf(text) {
    const words = Object.create(null);
    for (const part of text.split("&")) {
        if (part === "") continue;
        const at = part.indexOf("=");
        if (at < 0) throw new Error(`${quoted(part)}: a word and its value have = between them`);
        const key = decodeURIComponent(part.slice(0, at));
        if (Object.hasOwn(words, key)) throw new Error(`${quoted(key)}: given twice`);
        words[key] = decodeURIComponent(part.slice(at + 1));
    }
    const { input = "matrix", code = "python", ...rest } = words;
    if (input !== "matrix" && input !== "picture") {
        throw new Error(`input: ${quoted(input)} is not one of matrix, picture`);
    }
    if (!CODES.includes(code)) {
        throw new Error(`code: ${quoted(code)} is not one of ${CODES.join(", ")}`);
    }
    const problem = readProblem(rest);
    if (input === "matrix") {
        checkSize(problem.shape);
    } else {
        for (const key of ["shape", "type", "data", "axes"]) {
            if (rest[key] !== undefined) throw new Error(`${key}: a picture has its own`);
        }
    }
    const rows = input === "picture" ? 2 : rowCount(problem);
    checkRows(rows);
    for (const key of ["begin", "end", "interior"]) {
        if (problem[key] && problem[key].length !== rows) {
            throw new Error(`${key} has ${problem[key].length} entries, but ${rows} are needed`);
        }
    }
    if (problem.interior?.every((cells) => cells === 0)) problem.interior = null;
    if (problem.mode.length !== 1 && problem.mode.length !== rows) {
        throw new Error(`mode has ${problem.mode.length} entries, but ${rows} are needed`);
    }
    return { problem, input, code, gallery: false };
}

/** Refuses more rows of amounts than a form can show. */
export function checkRows(rows) {
    if (rows > MOST_ROWS) {
        throw new Error(`axes: ${rows} entries; this page shows at most ${MOST_ROWS}`);
    }
}

function checkSize(shape) {
    if (shape.length < 1 || shape.length > MOST_RANK) {
        throw new Error(`shape: ${shape.length} axes; this page shows 1 to ${MOST_RANK}`);
    }
    if (shape.some((extent) => extent > MOST_EXTENT) || cellCount(shape) > MOST_CELLS) {
        throw new Error(`shape: ${quoted(shape)}: this page shows at most ${MOST_EXTENT} cells `
            + `on an axis, and ${MOST_CELLS} in all`);
    }
}

/** A problem as the words that readProblem reads. */
export function wordsOfProblem(problem) {
    const words = { spec: problem.spec, shape: problem.shape, type: problem.type };
    if (problem.data) words.data = problem.data;
    Object.assign(words, { mode: problem.mode, begin: problem.begin, end: problem.end });
    if (problem.interior?.some((cells) => cells !== 0)) words.interior = problem.interior;
    if (problem.order !== "window") words.order = problem.order;
    if (problem.axes) words.axes = problem.axes;
    if (problem.value !== null) words.value = problem.value;
    if (problem.valueAxis !== null) words.valueAxis = problem.valueAxis;
    if (problem.lenient) words.lenient = "1";
    return words;
}

/** The hash of a state. The shape and the elements of a picture are not in it, since the picture
 * is not. */
export function hashOf(state) {
    if (state.gallery) return "#gallery";
    const { spec, shape, type, data, ...rest } = wordsOfProblem(state.problem);
    const words = state.input === "picture"
        ? { spec, input: "picture", ...rest } : { spec, shape, type, data, ...rest };
    if (state.code !== "python") words.code = state.code;
    const usual = familyOf(spec) === "mli" ? "int8" : "float32";
    return "#" + Object.entries(words)
        .filter(([key, value]) => value !== undefined && !(key === "type" && value === usual))
        .map(([key, value]) => `${key}=${encodeWord(String(value))}`).join("&");
}

function encodeWord(text) {
    return encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%2B", "+");
}
