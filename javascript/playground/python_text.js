/** Numbers, lists, arrays and calls as Python writes them. */
import { numberOf, valueAxisOf, valuesOf } from "./problem.js";
import { elementsOf } from "./solve.js";
import { typeNamed } from "./types.js";

/** A number as Python writes it. */
export function pythonNumber(value) {
    const isInteger = typeof value === "string" && /^[+-]?\d+$/.test(value) && value !== "-0";
    if (isInteger) return String(BigInt(value));
    const number = typeof value === "string" ? numberOf(value) : value;
    if (Number.isNaN(number)) return "np.nan";
    if (number === Infinity) return "np.inf";
    if (number === -Infinity) return "-np.inf";
    return Object.is(number, -0) ? "-0.0" : String(number);
}

export function pythonTuple(entries) {
    return entries.length === 1 ? `(${entries[0]},)` : `(${entries.join(", ")})`;
}

export function pythonList(entries) {
    return `[${entries.join(", ")}]`;
}

/** Breaks a list of texts into lines of at most 88 columns, indented. */
export function wrapped(entries, indent) {
    const lines = [];
    let line = "";
    for (const entry of entries) {
        const longer = line === "" ? entry : `${line}, ${entry}`;
        if (longer.length > 88 - indent && line !== "") {
            lines.push(`${line},`);
            line = entry;
        } else {
            line = longer;
        }
    }
    lines.push(line);
    return lines.join("\n" + " ".repeat(indent));
}

/** A call on one line or, where that is long, with its arguments on lines of their own. */
export function pythonCalled(name, words) {
    const line = `${name}(${words.join(", ")})`;
    return line.length <= 78 ? line : `${name}(\n    ${wrapped(words, 4)}\n)`;
}

/** The types that NumPy gets from ml_dtypes: the attribute's name there. */
export const ML_DTYPES = {
    bfloat16: "bfloat16",
    float8e4m3fn: "float8_e4m3fn",
    float8e4m3fnuz: "float8_e4m3fnuz",
    float8e5m2: "float8_e5m2",
    float8e5m2fnuz: "float8_e5m2fnuz",
    float8e8m0: "float8_e8m0fnu",
};

/** The lines that make the array `x`. */
export function pythonArray(problem, picture) {
    const type = typeNamed(problem.type);
    const shape = problem.shape.join(", ");
    if (picture) {
        return `x = np.zeros((${shape}), np.${problem.type})  # your picture's elements\n`;
    }
    const elements = elementsOf(problem);
    const count = elements.length;
    const plain =
        !problem.data &&
        !type.raw &&
        !type.bits &&
        type.word !== "bool" &&
        Number(elements[count - 1] ?? 0) === count;
    const reshape = problem.shape.length === 1 ? "" : `.reshape(${shape || "()"})`;
    if (plain) return `x = np.arange(1, ${count + 1}, dtype=np.${problem.type})${reshape}\n`;
    const list = `[${wrapped(elements.map(pythonNumber), 14)}]`;
    if (type.word === "bool") return `x = np.array(${list}, bool)${reshape}\n`;
    if (!type.raw) return `x = np.array(${list}, np.${problem.type})${reshape}\n`;
    const bits = `np.uint${8 * type.array.BYTES_PER_ELEMENT}`;
    const view = ML_DTYPES[type.word] ? `ml_dtypes.${ML_DTYPES[type.word]}` : `np.${type.word}`;
    return `x = np.array(${list}, ${bits}).view(${view})${reshape}  # bits\n`;
}

/** The arguments of tensorpad.pad. */
export function wordsInPython(problem) {
    const { begin, end, mode } = problem;
    const words = ["x", pythonTuple(begin.map((before, at) => `(${before}, ${end[at]})`))];
    words.push(mode.length === 1 ? `"${mode[0]}"` : pythonList(mode.map((one) => `"${one}"`)));
    const fills = mode.includes("constant") || problem.interior?.some((cells) => cells !== 0);
    const values = valuesOf(problem);
    if (values && fills) {
        words.push(
            `constant_values=${pythonTuple(values.map(pythonNumber))}`,
            `constant_axis=${valueAxisOf(problem)}`,
        );
    } else if (problem.value !== null && fills) {
        words.push(`constant_values=${pythonNumber(problem.value)}`);
    }
    if (problem.interior) words.push(`interior=${pythonTuple(problem.interior)}`);
    if (problem.order !== "window") words.push(`order="${problem.order}"`);
    if (problem.axes) words.push(`axes=${pythonTuple(problem.axes)}`);
    return words;
}
