/** The state of the page and its text in location.hash: the problem, where the input comes from,
 * which code. */
import {
    cellCount,
    defaultProblem,
    familyOf,
    quoted,
    readProblem,
    refuse,
    rowCount,
    WordError,
} from "./problem.js";

export const CODES = ["numpy", "torch", "python", "javascript", "c", "onnx", "command"];
/** How many of the ignored words a message names, and with how many characters. */
const MOST_NAMED = 3;
const LONGEST = 110;
const MOST_RANK = 4;
const MOST_ROWS = 16;
export const MOST_EXTENT = 64;
export const MOST_CELLS = 1024;

export function defaultState() {
    const problem = { ...defaultProblem(), mode: ["reflect"], begin: [48, 64], end: [48, 64] };
    return { problem, input: "picture", code: "python", view: "problem", embed: false };
}

/** Reads a hash. Returns the state and a message: which words were ignored, and why; else "". What is left is
 * shown, or the first example if nothing is left. */
export function readHash(hash) {
    const [, embed, text] = hash.match(/^#?(embed(?=$|&))?&?(.*)$/s);
    const { state, message } = readWords(text);
    return { state: { ...state, embed: Boolean(embed) }, message };
}

function readWords(text) {
    const view = text.match(/^(gallery|model)(?=$|[=&])/)?.[0];
    if (view) return { state: { ...defaultState(), view, words: text }, message: "" };
    const ignored = [];
    const words = wordsOfText(text, ignored);
    while (Object.keys(words).length > 0) {
        try {
            return { state: stateOf(words), message: sayIgnored(ignored) };
        } catch (error) {
            if (!(error instanceof WordError)) throw error;
            const key = error.key in words ? error.key : Object.keys(words).at(-1);
            delete words[key];
            ignored.push(error.message);
        }
    }
    return { state: defaultState(), message: sayIgnored(ignored) };
}

function sayIgnored(ignored) {
    if (ignored.length === 0) return "";
    const named = ignored
        .slice(0, MOST_NAMED)
        .map((text) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text));
    const more = ignored.length > MOST_NAMED ? `; and ${ignored.length - MOST_NAMED} more` : "";
    return `Ignored in the address: ${named.join("; ")}${more}.`;
}

/** The words of a hash. What cannot be read goes into the list `ignored`. */
function wordsOfText(text, ignored) {
    const words = Object.create(null);
    for (const part of text.split("&")) {
        if (part === "") continue;
        const at = part.indexOf("=");
        let key;
        let value;
        try {
            [key, value] = [part.slice(0, Math.max(at, 0)), part.slice(at + 1)].map(
                decodeURIComponent,
            );
        } catch {
            ignored.push(`${quoted(part)} cannot be decoded`);
            continue;
        }
        if (at < 0) ignored.push(`${quoted(part)}: a word and its value have = between them`);
        else if (Object.hasOwn(words, key)) ignored.push(`${quoted(key)}: given twice`);
        else words[key] = value;
    }
    return words;
}

function stateOf(words) {
    const { input = "matrix", code = "python", ...rest } = words;
    if (input !== "matrix" && input !== "picture") {
        refuse("input", `: ${quoted(input)} is not one of matrix, picture`);
    }
    if (!CODES.includes(code)) {
        refuse("code", `: ${quoted(code)} is not one of ${CODES.join(", ")}`);
    }
    if (input === "picture") {
        for (const key of ["shape", "type", "data", "axes"]) {
            if (rest[key] !== undefined) refuse(key, ": a picture has its own");
        }
    }
    // A shape that is too large is to blame, not the lists that fit it no longer.
    if (rest.shape !== undefined) checkSize(readProblem({ shape: rest.shape }).shape);
    const problem = readProblem(rest);
    const rows = input === "picture" ? 2 : rowCount(problem);
    checkRows(rows);
    for (const key of ["begin", "end", "interior"]) {
        if (problem[key] && problem[key].length !== rows) {
            const word = key !== "interior" && rest.pads !== undefined ? "pads" : key;
            if (rest[word] === undefined) {
                problem[key] = Array(rows).fill(0);
                continue;
            }
            const counts = `${problem[key].length} entries for a side, but ${rows} are needed`;
            refuse(word, ` has ${counts}`);
        }
    }
    if (problem.interior?.every((cells) => cells === 0)) problem.interior = null;
    if (problem.mode.length !== 1 && problem.mode.length !== rows) {
        refuse("mode", ` has ${problem.mode.length} entries, but ${rows} are needed`);
    }
    return { problem, input, code, view: "problem" };
}

/** Refuses more rows of amounts than a form can show. */
export function checkRows(rows) {
    if (rows > MOST_ROWS) {
        refuse("axes", `: ${rows} entries; this page shows at most ${MOST_ROWS}`);
    }
}

/** Refuses a tensor that is too large to show. */
export function checkSize(shape) {
    if (shape.length < 1 || shape.length > MOST_RANK) {
        refuse("shape", `: ${shape.length} axes; this page shows 1 to ${MOST_RANK}`);
    }
    if (shape.some((extent) => extent > MOST_EXTENT) || cellCount(shape) > MOST_CELLS) {
        const most = `${MOST_EXTENT} cells on an axis, and ${MOST_CELLS} in all`;
        refuse("shape", `: ${quoted(shape)}: this page shows at most ${most}`);
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
    if (state.view !== "problem") return `#${state.words}`;
    const { spec, shape, type, data, ...rest } = wordsOfProblem(state.problem);
    const words =
        state.input === "picture"
            ? { spec, input: "picture", ...rest }
            : { spec, shape, type, data, ...rest };
    if (state.code !== "python") words.code = state.code;
    const usual = familyOf(spec) === "mli" ? "int8" : "float32";
    return (
        `#${state.embed ? "embed&" : ""}` +
        Object.entries(words)
            .filter(([key, value]) => value !== undefined && !(key === "type" && value === usual))
            .map(([key, value]) => `${key}=${encodeWord(String(value))}`)
            .join("&")
    );
}

function encodeWord(text) {
    return encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%2B", "+");
}
