/** The call of a problem in Python, as a model of ONNX, and for the command. The other texts have modules of
 * their own. */
import { codeInC } from "./code_c.js";
import { codeInJavascript } from "./code_javascript.js";
import { codeInNumpy } from "./code_numpy.js";
import { codeInTorch } from "./code_torch.js";
import { familyOf, numberOf, valueAxisOf, valuesOf, versionOf } from "./problem.js";
import {
    ML_DTYPES,
    pythonArray,
    pythonCalled,
    pythonList,
    pythonNumber,
    pythonTuple,
    wordsInPython,
    wrapped,
} from "./python_text.js";
import { asOnnx, elementsOf, solveShape } from "./solve.js";
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
    const words = [];
    if (family === "onnx") {
        words.push(first, pythonList([...begin, ...end]));
        if (value !== null) words.push(value);
        if (problem.axes) words.push(`axes=${pythonList(problem.axes)}`);
        words.push(`mode="${mode[0]}"`, `opset=${versionOf(problem.spec)}`);
        if (problem.lenient) words.push("lenient=True");
        return pythonCalled(`tensorpad.onnx.${name}`, words);
    }
    if (family === "openvino") {
        words.push(first, pythonList(begin), pythonList(end));
        if (value !== null) words.push(value);
        words.push(`pad_mode="${mode[0]}"`, `version=${versionOf(problem.spec)}`);
        if (problem.lenient) words.push("lenient=True");
        return pythonCalled(`tensorpad.openvino.${name}`, words);
    }
    if (family === "ngraph") {
        words.push("x", value ?? "None", pythonList(begin), pythonList(end));
        if (problem.interior) words.push(pythonList(problem.interior));
        words.push(`pad_mode="${mode[0].toUpperCase()}"`);
        return pythonCalled("tensorpad.ngraph.pad", words);
    }
    if (family === "mli") {
        words.push(
            "x",
            `layout="${problem.spec.slice(4)}"`,
            `padding_left=${begin[1]}`,
            `padding_right=${end[1]}`,
            `padding_top=${begin[0]}`,
            `padding_bottom=${end[0]}`,
        );
        return pythonCalled("tensorpad.mli.padding2d", words);
    }
    return pythonCalled(`tensorpad.${name}`, [first, ...wordsInPython(problem).slice(1)]);
}

/** The oldest version of the file format for each version of Pad. */
const IR_VERSIONS = {
    1: 3,
    2: 3,
    11: 6,
    13: 7,
    18: 8,
    19: 9,
    21: 10,
    23: 11,
    24: 12,
    25: 13,
};
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
        tensors.push(
            `helper.make_tensor("pads", TensorProto.INT64, [${pads.length}], ` +
                `${pythonList(pads)})`,
        );
        if (constant !== null) {
            inputs.push("constant_value");
            tensors.push(`helper.make_tensor("constant_value", ${type}, [], [${constant}])`);
        }
    }
    if (node.axes) {
        while (inputs.length < 3) inputs.push("");
        inputs.push("axes");
        tensors.push(
            `helper.make_tensor("axes", TensorProto.INT64, [${node.axes.length}], ` +
                `${pythonList(node.axes)})`,
        );
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
