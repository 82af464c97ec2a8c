/** The problem as a call of PyTorch: of its own function where that can, else of tensorpad.torch. */
import {
    pythonArray,
    pythonCalled,
    pythonNumber,
    pythonTuple,
    wordsInPython,
} from "./python_text.js";
import { cutsFirst, partsOf } from "./code_numpy.js";
import { valuesOf } from "./problem.js";
import { solveShape } from "./solve.js";
import { typeNamed } from "./types.js";

const MODES = { constant: "constant", edge: "replicate", reflect: "reflect", wrap: "circular" };
/** Types that torch's own function takes in every mode. */
const TYPES = ["float32", "float64", "int8", "uint8", "int16", "int32", "int64"];

/** A text of Python, or comments that say why there is none. */
export function codeInTorch(api, problem, picture) {
    const type = typeNamed(problem.type);
    if (type.bits || type.raw) return "# Elements of this type do not come from NumPy to torch.\n";
    try {
        solveShape(api, problem);
    } catch (error) {
        return `# There is no result: ${error.message}\n`;
    }
    const input = `${pythonArray(problem, picture)}x = torch.from_numpy(x)\n`;
    const reason = whyNot(problem);
    if (!reason) return `import numpy as np\nimport torch\n\n${input}${ownCall(problem)}print(x)\n`;
    return `import numpy as np\nimport tensorpad.torch\nimport torch\n\n# ${reason}\n${input}x = ${pythonCalled(
        "tensorpad.torch.pad",
        wordsInPython({ ...problem, order: cutsFirst(problem) ? "crop" : "window" }),
    )}\nprint(x)\n`;
}

/** Why torch.nn.functional.pad cannot do it, or "". */
function whyNot(problem) {
    const parts = partsOf(problem);
    const rank = problem.shape.length;
    const modes = [...new Set(parts.map((part) => part.mode))];
    const own = "torch's own pad";
    if (parts.some(({ interior }) => interior > 0)) return `${own} has no cells between elements.`;
    if (valuesOf(problem)) return `${own} has one constant.`;
    if (modes.length > 1) return `${own} has one mode for all axes.`;
    const [mode] = modes;
    if (mode === undefined || mode === "constant") return "";
    if (!MODES[mode]) return `${own} has no mode ${mode}.`;
    if (!TYPES.includes(problem.type)) return `${own} does not take ${problem.type} in this mode.`;
    if (parts.some(({ begin, end }) => begin < 0 || end < 0))
        return `${own} crops in mode constant only.`;
    if (parts.some(({ axis }) => axis < rank - 3))
        return `${own} extends the last three axes only.`;
    const far = parts.find(
        ({ axis, begin, end }) =>
            Math.max(begin, end) > problem.shape[axis] - (mode === "reflect" ? 1 : 0),
    );
    if (far && mode !== "edge") return `${own} extends by the length of an axis at most.`;
    return problem.shape.includes(0) ? `${own} does not extend an empty tensor.` : "";
}

/** torch wants one or two axes before those that it extends, and lists the amounts from the last axis on. */
function ownCall(problem) {
    const parts = partsOf(problem);
    const rank = problem.shape.length;
    const axes = Math.max(1, rank - Math.min(rank - 1, ...parts.map(({ axis }) => axis)));
    const amounts = [];
    for (let axis = rank - 1; axis >= rank - axes; axis--) {
        const part = parts.find((one) => one.axis === axis);
        amounts.push(part?.begin ?? 0, part?.end ?? 0);
    }
    const mode = MODES[parts[0]?.mode ?? "constant"];
    if (mode === "constant") {
        const value = problem.value === null ? "" : `, value=${pythonNumber(problem.value)}`;
        return `x = torch.nn.functional.pad(x, ${pythonTuple(amounts)}${value})\n`;
    }
    const missing = axes + 1 - rank;
    const lead = missing > 0 ? "[None]" : "";
    const back = missing > 0 ? "[0]" : "";
    return `x = torch.nn.functional.pad(x${lead}, ${pythonTuple(amounts)}, "${mode}")${back}\n`;
}
