/** The problem as calls of Python, of NumPy's and PyTorch's own functions, of JavaScript, as a model
 * of ONNX, and for the command. C has a module of its own. */
import { codeInC } from "./code_c.js";
import { axesOf, familyOf, numberOf, valueAxisOf, valuesOf, versionOf } from "./problem.js";
import { asOnnx, callWords, elementsOf, solveShape } from "./solve.js";
import { encodeElements, typeNamed } from "./types.js";

/** All texts. `picture`: the elements are a picture's, which stands for itself in the text. */
export function codesOf(api, problem, picture) {
    return {
        numpy: codeInNumpy(api, problem, picture),
        torch: codeInTorch(api, problem, picture),
        python: codeInPython(problem, picture),
        javascript: codeInJavascript(problem, picture),
        c: codeInC(api, problem, picture),
        onnx: codeForOnnx(api, problem),
        command: codeForCommand(problem, picture),
    };
}

/** The line that makes `x` of packed elements: their bytes. */
function pythonBytes(problem, word) {
    const bytes = Array.from(encodeElements(typeNamed(problem.type), elementsOf(problem)), String);
    return `x = np.array([${wrapped(bytes, 14)}], np.uint8)  # packed ${word}\n`;
}

function codeInPython(problem, picture) {
    const family = familyOf(problem.spec);
    const type = typeNamed(problem.type);
    const imports = ["import numpy as np", "import tensorpad"];
    if (ML_DTYPES[type.word]) imports.unshift("import ml_dtypes");
    const packed = type.bits !== undefined;
    const word = type[family] ?? type.onnx ?? type.openvino;
    const input = packed ? pythonBytes(problem, word) : pythonArray(problem, picture);
    const call = pythonCall(problem, family, packed ? word : null);
    return `${imports.join("\n")}\n\n${input}padded = ${call}\nprint(padded)\n`;
}

/** packed: the type of packed elements, else null. */
function pythonCall(problem, family, packed) {
    const { begin, end, mode } = problem;
    const value = problem.value === null ? null : pythonNumber(problem.value);
    const name = packed ? "pad_packed" : "pad";
    const first = packed ? `x, ${pythonTuple(problem.shape)}, "${packed}"` : "x";
    const lists = { onnx: [[...begin, ...end]], openvino: [begin, end] }[family];
    if (lists) {
        const words = [first, ...lists.map(pythonList)];
        const [modeWord, version] = family === "onnx" ? ["mode", "opset"] : ["pad_mode", "version"];
        if (value !== null) words.push(value);
        if (problem.axes) words.push(`axes=${pythonList(problem.axes)}`);
        words.push(`${modeWord}="${mode[0]}"`, `${version}=${versionOf(problem.spec)}`);
        if (problem.lenient) words.push("lenient=True");
        return pythonCalled(`tensorpad.${family}.${name}`, words);
    }
    if (family === "ngraph") {
        const words = ["x", value ?? "None", pythonList(begin), pythonList(end)];
        if (problem.interior) words.push(pythonList(problem.interior));
        words.push(`pad_mode="${mode[0].toUpperCase()}"`);
        return pythonCalled("tensorpad.ngraph.pad", words);
    }
    if (family === "mli") {
        const amounts = { left: begin[1], right: end[1], top: begin[0], bottom: end[0] };
        const words = Object.entries(amounts).map(([side, cells]) => `padding_${side}=${cells}`);
        const layout = `layout="${problem.spec.slice(4)}"`;
        return pythonCalled("tensorpad.mli.padding2d", ["x", layout, ...words]);
    }
    return pythonCalled(`tensorpad.${name}`, [first, ...wordsInPython(problem).slice(1)]);
}

/** The oldest version of the file format for each version of Pad. */
const IR_VERSIONS = { 1: 3, 2: 3, 11: 6, 13: 7, 18: 8, 19: 9, 21: 10, 23: 11, 24: 12, 25: 13 };
/** The oldest one in which an initializer need not be an input of the graph, too. */
const IR_WITH_INITIALIZERS = 4;

/** A model of one node, made by onnx.helper, or comments that say why there is none. */
function codeForOnnx(api, problem) {
    const { problem: node, reason } = asOnnx(api, problem);
    if (!node) return `# ${reason}\n`;
    const version = versionOf(node.spec);
    const type = `TensorProto.${typeNamed(node.type).onnx.toUpperCase()}`;
    const pads = [...node.begin, ...node.end];
    const constant = node.value === null ? null : pythonNumber(node.value);
    const inputs = ["data"];
    const attributes = [`mode="${node.mode[0]}"`];
    const tensors = [];
    if (version < 11) {
        attributes.push(`${version === 1 ? "paddings" : "pads"}=${pythonList(pads)}`);
        if (constant !== null) attributes.push(`value=float(${constant})`);
    } else {
        inputs.push("pads");
        tensors.push(integerTensor("pads", pads));
        if (constant !== null) {
            inputs.push("constant_value");
            tensors.push(`helper.make_tensor("constant_value", ${type}, [], [${constant}])`);
        }
    }
    if (node.axes) {
        while (inputs.length < 3) inputs.push("");
        inputs.push("axes");
        tensors.push(integerTensor("axes", node.axes));
    }
    const format = Math.max(IR_VERSIONS[version], tensors.length > 0 ? IR_WITH_INITIALIZERS : 0);
    const names = pythonList(inputs.map((name) => `"${name}"`));
    const made = pythonCalled("helper.make_node", ['"Pad"', names, '["padded"]', ...attributes]);
    const needsNumpy = constant !== null && constant.includes("np.");
    return `${needsNumpy ? "import numpy as np\n" : ""}import onnx
from onnx import TensorProto, helper

node = ${made}
graph = helper.make_graph(
    [node],
    "pad",
    [helper.make_tensor_value_info("data", ${type}, ${pythonList(node.shape)})],
    [helper.make_tensor_value_info("padded", ${type}, ${pythonList(resultShape(api, node))})],
    [${tensors.join(",\n     ")}],
)
opset = helper.make_opsetid("", ${version})
model = helper.make_model(graph, opset_imports=[opset], ir_version=${format})
onnx.save(model, "pad.onnx")
`;
}

const integerTensor = (name, list) =>
    `helper.make_tensor("${name}", TensorProto.INT64, [${list.length}], ${pythonList(list)})`;

/** The shape of the result, unknown extents where there is none. */
function resultShape(api, problem) {
    try {
        return solveShape(api, problem);
    } catch {
        return problem.shape.map(() => "None");
    }
}

/** The value in the command's words, which has true and false for bool alone. */
function commandNumber(type, text) {
    const word = text.trim();
    return type !== "bool" && /^(true|false)$/i.test(word) ? numberOf(word) : word;
}

/** The command: its picture of the problem, which needs no file, and the call for files. */
function codeForCommand(problem, picture) {
    const family = familyOf(problem.spec);
    const words = [`--spec ${problem.spec}`];
    if (family !== "mli") words.push(`--mode ${problem.mode.join(",")}`);
    if (family === "onnx") words.push(listWord("pads", [...problem.begin, ...problem.end]));
    else words.push(listWord("begin", problem.begin), listWord("end", problem.end));
    if (problem.interior) words.push(listWord("interior", problem.interior));
    if (problem.order !== "window") words.push(`--order ${problem.order}`);
    if (problem.axes) words.push(listWord("axes", problem.axes));
    if (problem.value !== null) {
        const texts = valuesOf(problem) ?? [problem.value];
        const word = texts.map((text) => commandNumber(problem.type, text)).join(",");
        words.push(`--value=${word}`);
        if (valuesOf(problem)) words.push(`--value-axis=${valueAxisOf(problem)}`);
    }
    if (problem.lenient) words.push("--lenient");
    const type = typeNamed(problem.type);
    if (picture) {
        if (family !== "mli") {
            return `tensorpad pad ${words.join(" ")} picture.png padded.png\n`;
        }
        return `tensorpad pad ${words.join(" ")} picture.npy padded.npy\n`;
    }
    const known = type.word !== "nf4" && type.word !== "uint1";
    if (!known) return `# The command's files cannot hold elements of type ${type.openvino}.\n`;
    const ending = type.bits || ML_DTYPES[type.word] ? "pb" : "npy";
    const given = `--shape=${problem.shape.join(",")} --dtype ${type.onnx}`;
    const shape = pythonTuple(problem.shape);
    return (
        `# what it does, as a drawing of text\ntensorpad show ${given} ${words.join(" ")}\n\n` +
        `# the same with files; an array of shape ${shape} is in x.${ending}\n` +
        `tensorpad pad ${words.join(" ")} x.${ending} padded.${ending}\n`
    );
}

function listWord(name, list) {
    return `--${name}=${list.join(",")}`;
}

/** A number as Python writes it. */
function pythonNumber(value) {
    const isInteger = typeof value === "string" && /^[+-]?\d+$/.test(value) && value !== "-0";
    if (isInteger) return String(BigInt(value));
    const number = typeof value === "string" ? numberOf(value) : value;
    if (Number.isNaN(number)) return "np.nan";
    if (number === Infinity) return "np.inf";
    if (number === -Infinity) return "-np.inf";
    return Object.is(number, -0) ? "-0.0" : String(number);
}

function pythonTuple(entries) {
    return entries.length === 1 ? `(${entries[0]},)` : `(${entries.join(", ")})`;
}

function pythonList(entries) {
    return `[${entries.join(", ")}]`;
}

/** Breaks a list of texts into lines of at most 88 columns, indented. */
function wrapped(entries, indent) {
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
function pythonCalled(name, words) {
    const line = `${name}(${words.join(", ")})`;
    return line.length <= 78 ? line : `${name}(\n    ${wrapped(words, 4)}\n)`;
}

/** The types that NumPy gets from ml_dtypes: the attribute's name there. */
const ML_DTYPES = {
    bfloat16: "bfloat16",
    float8e4m3fn: "float8_e4m3fn",
    float8e4m3fnuz: "float8_e4m3fnuz",
    float8e5m2: "float8_e5m2",
    float8e5m2fnuz: "float8_e5m2fnuz",
    float8e8m0: "float8_e8m0fnu",
};

/** The lines that make the array `x`. */
function pythonArray(problem, picture) {
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
function wordsInPython(problem) {
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

/** A text of Python, or comments that say why there is none. */
function codeInNumpy(api, problem, picture) {
    const reason = whyNotNumpy(api, problem);
    if (reason) return `# ${reason}\n`;
    const imports = ML_DTYPES[problem.type]
        ? "import ml_dtypes\nimport numpy as np"
        : "import numpy as np";
    return `${imports}\n\n${pythonArray(problem, picture)}${stepsOf(problem).join("\n")}\nprint(x)\n`;
}

function whyNotNumpy(api, problem) {
    if (typeNamed(problem.type).bits) return "NumPy has no arrays of packed elements.";
    if (valuesOf(problem)) return "np.pad has no constant for each cell of an axis.";
    return whyNoResult(api, problem);
}

function whyNoResult(api, problem) {
    try {
        solveShape(api, problem);
        return "";
    } catch (error) {
        return `There is no result: ${error.message}`;
    }
}

/** Whether what is cut off is cut before the axis is extended. */
function cutsFirst(problem) {
    return familyOf(problem.spec) === "onnx" || problem.order === "crop";
}

/** For each axis that changes: {axis, begin, end, interior, mode}. */
function partsOf(problem) {
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
    const each = problem.shape.map((extent, axis) => {
        const part = parts.find((one) => one.axis === axis) ?? { begin: 0, end: 0, interior: 0 };
        return { ...part, length: extent === 0 ? 0 : (extent - 1) * (part.interior + 1) + 1 };
    });
    const lines = [];
    if (parts.some(({ interior }) => interior > 0)) {
        const steps = each.map(({ interior }) => (interior > 0 ? `::${interior + 1}` : ":"));
        const shape = pythonTuple(each.map(({ length }) => length));
        lines.push(`wide = np.full(${shape}, ${constant}, x.dtype)`);
        lines.push(`wide[${steps.join(", ")}] = x`, "x = wide");
    }
    const cut = parts.some(({ begin, end }) => begin < 0 || end < 0);
    const first = cutsFirst(problem);
    if (cut && first) lines.push(`x = x[${each.map((one) => sliceOf(one, 0)).join(", ")}]`);
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
        const slices = each.map((one) =>
            sliceOf(one, Math.max(one.begin, 0) + Math.max(one.end, 0)),
        );
        lines.push(`x = x[${slices.join(", ")}]`);
    }
    return lines;
}

/** What is left of an axis that negative amounts cut. added: by how much it was extended before. */
function sliceOf({ begin, end, length }, added) {
    if (begin >= 0 && end >= 0) return ":";
    const to = end < 0 ? Math.max(length + added + end, 0) : "";
    return `${begin < 0 ? -begin : ""}:${to}`;
}

const TORCH_MODES = {
    constant: "constant",
    edge: "replicate",
    reflect: "reflect",
    wrap: "circular",
};
/** Types that torch's own function takes in every mode. */
const TORCH_TYPES = ["float32", "float64", "int8", "uint8", "int16", "int32", "int64"];

/** A text of Python, or comments that say why there is none. */
function codeInTorch(api, problem, picture) {
    const type = typeNamed(problem.type);
    if (type.bits || type.raw) return "# Elements of this type do not come from NumPy to torch.\n";
    const none = whyNoResult(api, problem);
    if (none) return `# ${none}\n`;
    const input = `${pythonArray(problem, picture)}x = torch.from_numpy(x)\n`;
    const reason = whyNotTorch(problem);
    if (!reason) return `import numpy as np\nimport torch\n\n${input}${ownCall(problem)}print(x)\n`;
    return `import numpy as np\nimport tensorpad.torch\nimport torch\n\n# ${reason}\n${input}x = ${pythonCalled(
        "tensorpad.torch.pad",
        wordsInPython({ ...problem, order: cutsFirst(problem) ? "crop" : "window" }),
    )}\nprint(x)\n`;
}

/** Why torch.nn.functional.pad cannot do it, or "". */
function whyNotTorch(problem) {
    const parts = partsOf(problem);
    const rank = problem.shape.length;
    const modes = [...new Set(parts.map((part) => part.mode))];
    const own = "torch's own pad";
    if (parts.some(({ interior }) => interior > 0)) return `${own} has no cells between elements.`;
    if (valuesOf(problem)) return `${own} has one constant.`;
    if (modes.length > 1) return `${own} has one mode for all axes.`;
    const [mode] = modes;
    if (mode === undefined || mode === "constant") return "";
    if (!TORCH_MODES[mode]) return `${own} has no mode ${mode}.`;
    if (!TORCH_TYPES.includes(problem.type))
        return `${own} does not take ${problem.type} in this mode.`;
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
    const mode = TORCH_MODES[parts[0]?.mode ?? "constant"];
    if (mode === "constant") {
        const value = problem.value === null ? "" : `, value=${pythonNumber(problem.value)}`;
        return `x = torch.nn.functional.pad(x, ${pythonTuple(amounts)}${value})\n`;
    }
    const missing = axes + 1 - rank;
    const lead = missing > 0 ? "[None]" : "";
    const back = missing > 0 ? "[0]" : "";
    return `x = torch.nn.functional.pad(x${lead}, ${pythonTuple(amounts)}, "${mode}")${back}\n`;
}

/** A module that pads the problem. */
function codeInJavascript(problem, picture) {
    const { path, options } = callWords(problem);
    const name = path.split(".")[0];
    const data = picture
        ? `new ${typeNamed(problem.type).array.name}(${problem.shape.join(" * ")}); // your picture`
        : dataOf(problem);
    const words = Object.entries(options)
        .filter(([key, value]) => isSaid(problem, key, value))
        .map(([key, value]) => `    ${key}: ${literal(value)},\n`)
        .join("");
    return `import { ${name} } from "tensorpad";

const x = ${data}${picture ? "" : ";"}
const { data, shape } = ${path}(x, ${literal(problem.shape)}, {
${words}});
console.log(shape, data);
`;
}

/** Whether an option has to be written: defaults and the type that the array's class tells need not. */
function isSaid(problem, key, value) {
    const type = typeNamed(problem.type);
    if (key === "type") return type.raw || type.bits || type.word === "bool";
    return value !== undefined && value !== false && !(key === "order" && value === "window");
}

function dataOf(problem) {
    const type = typeNamed(problem.type);
    const { name } = type.array;
    const elements = elementsOf(problem);
    const counts =
        elements.length > 0 && !type.bits && elements.every((one, at) => Number(one) === at + 1);
    if (counts && !name.startsWith("Big")) {
        return `${name}.from({ length: ${elements.length} }, (_, at) => at + 1)`;
    }
    const array = encodeElements(type, elements);
    return `${name}.of(${lines(Array.from(array, numberText))})`;
}

/** Texts with commas, in lines. */
function lines(texts) {
    const rows = [];
    for (let at = 0; at < texts.length; at += 12) rows.push(texts.slice(at, at + 12).join(", "));
    return rows.length > 1 ? `\n    ${rows.join(",\n    ")},\n` : rows.join("");
}

function numberText(value) {
    if (typeof value === "bigint") return `${value}n`;
    return Object.is(value, -0) ? "-0" : String(value);
}

function literal(value) {
    if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
    if (typeof value === "string") return JSON.stringify(value);
    return typeof value === "boolean" ? String(value) : numberText(value);
}
