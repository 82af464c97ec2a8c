/** The problem as calls of NumPy's own functions. */
import { ML_DTYPES, pythonArray, pythonNumber, pythonTuple } from "./python_text.js";
import { axesOf, familyOf, valuesOf } from "./problem.js";
import { solveShape } from "./solve.js";
import { typeNamed } from "./types.js";

/** A text of Python, or comments that say why there is none. */
export function codeInNumpy(api, problem, picture) {
    const reason = whyNot(api, problem);
    if (reason) return `# ${reason}\n`;
    const imports = ML_DTYPES[problem.type]
        ? "import ml_dtypes\nimport numpy as np"
        : "import numpy as np";
    return `${imports}\n\n${pythonArray(problem, picture)}${stepsOf(problem).join("\n")}\nprint(x)\n`;
}

function whyNot(api, problem) {
    if (typeNamed(problem.type).bits) return "NumPy has no arrays of packed elements.";
    if (valuesOf(problem)) return "np.pad has no constant for each cell of an axis.";
    try {
        solveShape(api, problem);
    } catch (error) {
        return `There is no result: ${error.message}`;
    }
    return "";
}

/** Whether what is cut off is cut before the axis is extended. */
export function cutsFirst(problem) {
    return familyOf(problem.spec) === "onnx" || problem.order === "crop";
}

/** For each axis that changes: {axis, begin, end, interior, mode}. */
export function partsOf(problem) {
    const axes = axesOf(problem);
    return axes
        .map((axis, row) => ({
            axis,
            begin: problem.begin[row],
            end: problem.end[row],
            interior: problem.interior?.[row] ?? 0,
            mode: problem.mode[row] ?? problem.mode[0],
        }))
        .filter(({ begin, end, interior }) => begin !== 0 || end !== 0 || interior !== 0);
}

/** Lines that pad the array x. */
function stepsOf(problem) {
    const parts = partsOf(problem);
    const rank = problem.shape.length;
    const constant = problem.value === null ? "0" : pythonNumber(problem.value);
    const lines = [];
    if (parts.some(({ interior }) => interior > 0))
        lines.push(...dilated(problem, parts, constant));
    const cut = parts.some(({ begin, end }) => begin < 0 || end < 0);
    const first = cutsFirst(problem);
    const lengths = problem.shape.map((extent, axis) => {
        const gaps = parts.find((part) => part.axis === axis)?.interior ?? 0;
        return extent === 0 ? 0 : (extent - 1) * (gaps + 1) + 1;
    });
    if (cut && first) lines.push(`x = x[${slicesOf(parts, lengths, (part, length) => length)}]`);
    for (const mode of new Set(parts.map((part) => part.mode))) {
        const widths = Array(rank).fill("(0, 0)");
        const own = parts.filter((part) => part.mode === mode && (part.begin > 0 || part.end > 0));
        for (const { axis, begin, end } of own) {
            widths[axis] = `(${Math.max(begin, 0)}, ${Math.max(end, 0)})`;
        }
        if (own.length === 0) continue;
        const fill = mode === "constant" && constant !== "0" ? `, constant_values=${constant}` : "";
        lines.push(`x = np.pad(x, ${pythonTuple(widths)}, "${mode}"${fill})`);
    }
    if (cut && !first) {
        lines.push(
            `x = x[${slicesOf(
                parts,
                lengths,
                (part, length) => length + Math.max(part.begin, 0) + Math.max(part.end, 0),
            )}]`,
        );
    }
    return lines;
}

/** The slices that cut off what negative amounts say. lengthOf(part, length): what an axis has then. */
function slicesOf(parts, lengths, lengthOf) {
    return lengths
        .map((length, axis) => {
            const part = parts.find((one) => one.axis === axis);
            if (!part || (part.begin >= 0 && part.end >= 0)) return ":";
            const from = part.begin < 0 ? -part.begin : "";
            const to = part.end < 0 ? Math.max(lengthOf(part, length) + part.end, 0) : "";
            return `${from}:${to}`;
        })
        .join(", ");
}

/** Lines that put cells between the elements. */
function dilated(problem, parts, constant) {
    const gapsOf = (axis) => parts.find((part) => part.axis === axis)?.interior ?? 0;
    const shape = problem.shape.map((extent, axis) =>
        extent === 0 ? 0 : (extent - 1) * (gapsOf(axis) + 1) + 1,
    );
    const steps = problem.shape.map((_, axis) =>
        gapsOf(axis) > 0 ? `::${gapsOf(axis) + 1}` : ":",
    );
    return [
        `wide = np.full(${pythonTuple(shape)}, ${constant}, x.dtype)`,
        `wide[${steps.join(", ")}] = x`,
        "x = wide",
    ];
}
