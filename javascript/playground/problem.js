/** A problem in the page's words: what it may hold, and how it is read. */
import { MODES } from "../src/arguments.js";
import { canHold, typeNamed, typesOf } from "./types.js";

export const ONNX_VERSIONS = [1, 2, 11, 13, 18, 19, 21, 23, 24, 25];

/** What a family of specifications has words for. */
const FAMILIES = {
    plain: {
        title: "tensorpad",
        interior: true,
        order: true,
        axes: true,
        value: true,
        each: true,
        list: true,
    },
    onnx: { title: "ONNX Pad", axes: true, value: true, lenient: true },
    openvino: { title: "OpenVINO Pad", value: true, lenient: true },
    ngraph: { title: "nGraph Pad", interior: true, value: true },
    mli: { title: "embARC MLI" },
};

/** The specifications of the page, in the order of its list. */
export const SPECS = [
    "plain",
    ...[...ONNX_VERSIONS].reverse().map((version) => `onnx-${version}`),
    "openvino-12",
    "openvino-1",
    "ngraph",
    "mli-chw",
    "mli-hwc",
];

export function familyOf(spec) {
    return spec.split("-")[0];
}

/** The N of onnx-N and openvino-N. */
export function versionOf(spec) {
    return Number(spec.split("-")[1]);
}

/** What the page calls a specification. */
export function titleOf(spec) {
    const [family, rest] = spec.split("-");
    const { title } = FAMILIES[family];
    if (family === "mli") return `${title}, ${rest.toUpperCase()}`;
    return rest ? `${title}-${rest}` : title;
}

export function wordsOf(spec) {
    return FAMILIES[familyOf(spec)];
}

/** The problem of a page that is opened without words. */
export function defaultProblem() {
    return {
        spec: "plain",
        shape: [3, 4],
        type: "float32",
        data: null,
        mode: ["wrap"],
        begin: [4, 1],
        end: [0, 1],
        interior: null,
        order: "window",
        axes: null,
        value: null,
        valueAxis: null,
        lenient: false,
    };
}

/** How many entries the lists have: one for each axis, or for each entry of `axes`; MLI has
 * height and width. */
export function rowCount(problem) {
    if (familyOf(problem.spec) === "mli") return 2;
    return problem.axes ? problem.axes.length : problem.shape.length;
}

/** Which axis of the tensor each entry of the lists is about, or null where `axes` cannot be
 * right. */
export function axesOf(problem) {
    const rank = problem.shape.length;
    if (familyOf(problem.spec) === "mli") return problem.spec === "mli-chw" ? [1, 2] : [0, 1];
    if (!problem.axes) return problem.shape.map((_, axis) => axis);
    const axes = problem.axes.map((axis) => (axis < 0 ? axis + rank : axis));
    const exist = axes.every((axis) => axis >= 0 && axis < rank);
    return exist && new Set(axes).size === axes.length ? axes : null;
}

/** A list of the tensor's axes from one that speaks of some of them. */
export function spreadOver(problem, list, rest) {
    const axes = axesOf(problem);
    return problem.shape.map((_, axis) => (axes.includes(axis) ? list[axes.indexOf(axis)] : rest));
}

export function cellCount(shape) {
    return shape.reduce((count, extent) => count * extent, 1);
}

/** The problem with another amount, or another mode, in one entry of a list. */
export function withEntry(problem, key, row, entry) {
    const list = [...(problem[key] ?? problem.begin.map(() => 0))];
    list[row] = entry;
    const kept = key === "interior" && list.every((cells) => cells === 0) ? null : list;
    return { ...problem, [key]: kept };
}

/** The texts of a list of values, one for each cell of the result along an axis; null for one
 * value. */
export function valuesOf({ value, valueAxis }) {
    if (value === null || (valueAxis === null && !value.includes(","))) return null;
    return value.split(",").map((text) => text.trim());
}

/** The axis of such a list: the last one where none is named. */
export function valueAxisOf(problem) {
    return problem.valueAxis ?? -1;
}

/** The text of a value as the engine takes it: a number, a BigInt for 64-bit integers, or
 * undefined for none. */
export function valueOf(problem, text = problem.value) {
    if (text === null) return undefined;
    const wide = problem.type === "int64" || problem.type === "uint64";
    return wide && /^[+-]?\d+$/.test(text) ? BigInt(text) : numberOf(text);
}

/** A number in the words of the command: 1.5, 1e-3, inf, -inf, nan, true. NaN also for what is no
 * number. */
export function numberOf(text) {
    const word = text.trim().toLowerCase();
    const sign = word.startsWith("-") ? -1 : 1;
    if (/^[+-]?inf(inity)?$/.test(word)) return sign * Infinity;
    if (word === "true") return 1;
    if (word === "false") return 0;
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(word) ? Number(word) : NaN;
}

function isNumber(text) {
    return /^[+-]?nan$/i.test(text.trim()) || !Number.isNaN(numberOf(text));
}

/** What a message quotes: at most 40 characters of it. */
export function quoted(given) {
    const text = String(given);
    return `'${text.length > 40 ? `${text.slice(0, 40)}...` : text}'`;
}

/** A word of a problem that cannot be meant; `key` is the word. */
export class WordError extends Error {
    constructor(key, message) {
        super(message);
        this.key = key;
    }
}

/** `message` comes after the word. */
export function refuse(key, message) {
    throw new WordError(key, `${key}${message}`);
}

/** Reads a problem from words: an object whose entries are texts as in the hash, or numbers and
 * lists. Throws a WordError that says which word cannot be meant. */
export function readProblem(words) {
    for (const key of Object.keys(words)) {
        if (!Object.hasOwn(READERS, key)) {
            throw new WordError(key, `${quoted(key)}: not a word of this page`);
        }
    }
    const problem = { ...defaultProblem(), begin: null, end: null, mode: ["constant"] };
    for (const [key, read] of Object.entries(READERS)) {
        const given = words[key];
        if (given !== undefined && given !== null) read(problem, given, key);
    }
    const own = wordsOf(problem.spec);
    for (const key of ["interior", "order", "axes", "value", "valueAxis", "lenient"]) {
        const word = key === "valueAxis" ? "list" : key;
        if (words[key] !== undefined && words[key] !== null && !own[word] && words[key] !== false) {
            refuse(key, `: ${own.title} has no such word`);
        }
    }
    if (problem.mode.length !== 1 && !own.each) {
        refuse("mode", `: ${own.title} has one mode for all axes; spec=plain takes a list`);
    }
    if (!own.list && valuesOf(problem)) {
        refuse("value", `: ${own.title} takes one value`);
    }
    if (words.type === undefined && familyOf(problem.spec) === "mli") problem.type = "int8";
    readAmounts(problem);
    if (own.each) checkCounts(problem);
    const cells = cellCount(problem.shape);
    if (problem.data && problem.data.length !== cells) {
        refuse("data", `: ${problem.data.length} values; the shape has ${cells} cells`);
    }
    const type = typeNamed(problem.type);
    const unfit = problem.data?.find((text) => !canHold(type, text));
    if (unfit !== undefined) {
        refuse("data", `: ${problem.type} cannot hold ${quoted(unfit)}`);
    }
    return problem;
}

/** The plain interface would take one entry for all axes. */
function checkCounts(problem) {
    const rows = rowCount(problem);
    for (const key of ["begin", "end", "interior", "mode"]) {
        const count = problem[key]?.length ?? rows;
        if (count !== rows && !(key === "mode" && count === 1)) {
            refuse(key, ` has ${count} entries, but ${rows} are needed`);
        }
    }
}

/** One absent list of amounts stands for zeros; MLI takes each axis, too, with 0 for the
 * channels. */
function readAmounts(problem) {
    const rows = problem.begin?.length ?? problem.end?.length ?? rowCount(problem);
    problem.begin ??= Array(rows).fill(0);
    problem.end ??= Array(rows).fill(0);
    if (problem.begin.length !== problem.end.length) {
        const counts = `${problem.begin.length} and ${problem.end.length} entries`;
        refuse("begin", `, end: ${counts}; they must be as many`);
    }
    if (familyOf(problem.spec) !== "mli" || rows !== 3) return;
    const channels = problem.spec === "mli-chw" ? 0 : 2;
    if (problem.begin[channels] !== 0 || problem.end[channels] !== 0) {
        throw new WordError(
            "begin",
            `axis ${channels}: the channels (before ${problem.begin[channels]}, ` +
                `after ${problem.end[channels]}) cannot be padded in MLI: 0 is all they take; ` +
                "--spec plain pads every axis",
        );
    }
    problem.begin = axesOf(problem).map((axis) => problem.begin[axis]);
    problem.end = axesOf(problem).map((axis) => problem.end[axis]);
}

function readIntegers(problem, given, key) {
    problem[key] = integers(given, key);
}

const READERS = {
    spec: (problem, given, key) => {
        problem.spec = oneOf(SPECS, given, key);
    },
    shape: (problem, given, key) => {
        problem.shape = integers(given, key);
        if (problem.shape.some((extent) => extent < 0)) {
            refuse(key, `: ${quoted(problem.shape)}: an extent is at least 0`);
        }
    },
    type: (problem, given, key) => {
        const type = typeNamed(given);
        if (!type) refuse(key, `: ${quoted(given)} is no element type`);
        const offered = typesOf(familyOf(problem.spec)).map((one) => one.word);
        problem.type = oneOf(offered, type.word, key);
    },
    data: (problem, given, key) => {
        problem.data = listOf(given).map((entry) => {
            const text = Object.is(entry, -0) ? "-0" : String(entry);
            if (!isNumber(text)) refuse(key, `: ${quoted(text)} is no number`);
            if (/^[+-]?\d+$/.test(text)) return text;
            const number = numberOf(text);
            return Object.is(number, -0) ? "-0" : String(number);
        });
    },
    mode: (problem, given, key) => {
        problem.mode = listOf(given).map((mode) => oneOf(MODES, mode, key));
    },
    begin: readIntegers,
    end: readIntegers,
    pads: (problem, given, key) => {
        const pads = integers(given, key);
        if (pads.length % 2 !== 0) {
            refuse(key, `: ${pads.length} entries; begins and ends make an even count`);
        }
        problem.begin = pads.slice(0, pads.length / 2);
        problem.end = pads.slice(pads.length / 2);
    },
    interior: readIntegers,
    order: (problem, given, key) => {
        problem.order = oneOf(["window", "crop"], given, key);
    },
    axes: readIntegers,
    value: (problem, given, key) => {
        problem.value = String(given);
        const wrong = problem.value.split(",").find((text) => !isNumber(text));
        if (wrong !== undefined) refuse(key, `: ${quoted(wrong)} is no number`);
    },
    valueAxis: (problem, given, key) => {
        const axes = integers(given, key);
        if (axes.length !== 1) refuse(key, `: ${quoted(given)} is not one axis`);
        [problem.valueAxis] = axes;
    },
    lenient: (problem, given, key) => {
        const said = oneOf(["0", "1", "false", "true"], String(given), key);
        problem.lenient = said === "1" || said === "true";
    },
};

/** {shape, elements} of a text in brackets, as NumPy and JSON write arrays; null without brackets. */
export function arrayOf(text) {
    const [brackets] = /\[.*\]/s.exec(text) ?? [];
    if (!brackets) return null;
    const shapeOf = (list) => {
        if (!Array.isArray(list)) return [];
        const shapes = list.map(shapeOf);
        if (shapes.some((shape) => String(shape) !== String(shapes[0]))) throw new RangeError();
        return [list.length, ...(shapes[0] ?? [])];
    };
    try {
        const list = JSON.parse(
            brackets.replace(/[^[\],\s]+/g, '"$&"').replace(/(["\]])[\s,]+(?=["[])/g, "$1,"),
        );
        return { shape: shapeOf(list), elements: list.flat(Infinity) };
    } catch {
        return refuse(
            "data",
            `: ${quoted(brackets)} is no array: its rows differ in length, or a bracket is missing`,
        );
    }
}

function listOf(given) {
    if (Array.isArray(given)) return given;
    const text = String(given).trim();
    return text === "" ? [] : text.split(",").map((part) => part.trim());
}

function integers(given, key) {
    return listOf(given).map((part) => {
        const number = Number(part);
        if (String(part).trim() === "" || !Number.isInteger(number)) {
            refuse(key, `: ${quoted(part)} is no integer`);
        }
        return number === 0 ? 0 : number;
    });
}

function oneOf(allowed, given, key) {
    if (allowed.includes(given)) return given;
    return refuse(key, `: ${quoted(given)} is not one of ${allowed.join(", ")}`);
}
