/** The call of a problem as a whole program in C, which prints the elements of the result or the
 * error. */
import {
    axesOf,
    cellCount,
    defaultProblem,
    familyOf,
    numberOf,
    spreadOver,
    valueAxisOf,
    valuesOf,
    versionOf,
} from "./problem.js";
import { elementsOf, solve, solveShape } from "./solve.js";
import { encodeElements, shortestFloat, typeNamed } from "./types.js";

export function codeInC(api, problem, picture) {
    const family = familyOf(problem.spec);
    const type = typeNamed(problem.type);
    if (family === "plain" && !axesOf(problem)) {
        return "/* C has no list of axes: each axis of the tensor has an entry of its own. */\n";
    }
    if (!canHoldValue(api, problem)) {
        return `/* C has no such call: ${type.c} cannot hold ${problem.value.trim()}. */\n`;
    }
    let shape = null;
    try {
        shape = solveShape(api, problem);
    } catch {
        // The program prints the error that the page shows.
    }
    const count = shape ? bytesOrElements(type, cellCount(shape)) : 0;
    const body =
        family === "plain"
            ? plainBody(api, problem)
            : specificationBody(api, problem, SPECIFICATIONS[family]);
    const header = family === "plain" ? "tensorpad" : family;
    const headers = ["stdint.h", "stdio.h", `tensorpad/${header}.h`];
    const text = `${arrays(problem, type, count, shape, picture)}
int main(void)
{
${body}
    for (int at = 0; at < ${count}; at++) printf(${formatOf(type)});
    return 0;
}
`;
    if (/\b(NAN|INFINITY)\b/.test(text)) headers.unshift("math.h");
    if (text.includes("PRI")) headers[headers.indexOf("stdint.h")] = "inttypes.h";
    return (
        "/* For the ordinary build of tensorpad. The small one (TPAD_SMALL) lacks what it calls. */\n" +
        headers.map((header) => `#include <${header}>\n`).join("") +
        `\n${text}`
    );
}

/** The length of an array in C: a packed one has bytes. */
function bytesOrElements(type, cells) {
    return type.bits ? Math.ceil((cells * type.bits) / 8) : cells;
}

function arrays(problem, type, count, shape, picture) {
    const cells = bytesOrElements(type, cellCount(problem.shape));
    const note = type.bits ? `, packed: ${type.bits} bits each` : type.raw ? ", as bits" : "";
    const into =
        `static ${type.c} padded[${Math.max(1, count)}];` +
        (shape ? ` /* ${shape.join(" x ") || "a scalar"}${note} */` : "");
    const from = `/* ${problem.shape.join(" x ") || "a scalar"}${note} */`;
    if (picture) return `static ${type.c} x[${cells}]; /* your picture's elements */\n${into}\n`;
    const values = Array.from(encodeElements(type, elementsOf(problem)), (value) =>
        literal(type, value),
    );
    const list = values.length === 0 ? "0" : lines(values);
    return `static const ${type.c} x[${Math.max(1, cells)}] = { ${from}\n    ${list}};\n${into}\n`;
}

/** A list of texts in lines of at most 92 columns. */
function lines(texts) {
    const made = [""];
    texts.forEach((text, at) => {
        const word = at < texts.length - 1 ? `${text}, ` : text;
        if ((made.at(-1) + word).length > 92) made.push("");
        made[made.length - 1] += word;
    });
    return made.map((line) => line.trimEnd()).join("\n    ");
}

function literal(type, value) {
    if (type.array === BigInt64Array) {
        return value === -(2n ** 63n) ? "INT64_MIN" : `${value}`;
    }
    if (type.array === BigUint64Array) return `${value}u`;
    if (type.array !== Float32Array && type.array !== Float64Array) return String(value);
    return floatLiteral(value, type.array === Float32Array);
}

function floatLiteral(value, narrow) {
    if (Number.isNaN(value)) return "NAN";
    if (!Number.isFinite(value)) return value < 0 ? "-INFINITY" : "INFINITY";
    const text = narrow ? shortestFloat(value) : Object.is(value, -0) ? "-0" : String(value);
    const whole = /^-?\d+$/.test(text) ? `${text}.0` : text;
    return narrow ? `${whole}f` : whole;
}

const FORMATS = new Map([
    [BigInt64Array, '"%" PRId64 "\\n", padded[at]'],
    [BigUint64Array, '"%" PRIu64 "\\n", padded[at]'],
    [Float64Array, '"%.17g\\n", padded[at]'],
    [Float32Array, '"%.9g\\n", (double)padded[at]'],
    [Uint32Array, '"%" PRIu32 "\\n", padded[at]'],
    [Int32Array, '"%" PRId32 "\\n", padded[at]'],
]);
const formatOf = ({ array }) => FORMATS.get(array) ?? '"%d\\n", padded[at]';

/** Prints the error of a call that failed, and ends the program. */
function onFailure(condition) {
    return `    if (${condition} != TPAD_OK) {
        char line[300];
        tpad_error_format(&error, line, sizeof line);
        fprintf(stderr, "%s\\n", line);
        return 1;
    }`;
}

/** From a specification's translation to the result. */
const RUN = `    const tpad_problem problem = tpad_translation_problem(&translated);
${onFailure("tpad_pad(&problem, x, padded, tpad_translation_value(&translated), &error)")}`;

/** The constant as an element. Where C has no such type these are its bits, which the engine
 * makes. */
function valueLiteral(api, problem) {
    const type = typeNamed(problem.type);
    if (type.raw || type.bits) return String(elementOf(api, problem, type));
    const isSingle = type.array === Float32Array;
    if (isSingle || type.array === Float64Array) {
        return floatLiteral(numberOf(problem.value), isSingle);
    }
    const isWide = type.array === BigInt64Array || type.array === BigUint64Array;
    const isBig = isWide && /^[+-]?\d+$/.test(problem.value);
    return literal(type, isBig ? BigInt(problem.value) : Math.trunc(numberOf(problem.value)));
}

/** The constant as the engine makes an element of it. Throws Refused. */
function elementOf(api, problem, type) {
    const spec = { onnx: "onnx-25", openvino: "openvino-12" }[familyOf(problem.spec)] ?? "plain";
    const { value } = problem;
    const asked = { spec, type: type.word, value, lenient: true };
    const one = {
        ...defaultProblem(),
        ...asked,
        shape: [0],
        mode: ["constant"],
        begin: [1],
        end: [0],
    };
    return solve(api, one, new type.array(0)).data[0];
}

/** Whether the constant is an element of the type. In ONNX up to Pad-2 it is a float. */
function canHoldValue(api, problem) {
    const family = familyOf(problem.spec);
    const isFloat = family === "onnx" && versionOf(problem.spec) < 11;
    if (problem.value === null || family === "mli" || isFloat) return true;
    try {
        for (const one of singly(problem)) elementOf(api, one, typeNamed(problem.type));
        return true;
    } catch {
        return false;
    }
}

/** The problem with each of its values alone. */
function singly(problem) {
    return (valuesOf(problem) ?? [problem.value]).map((value) => ({
        ...problem,
        value,
        valueAxis: null,
    }));
}

function list64(name, entries) {
    if (entries.length === 0) return `    const int64_t ${name}[1] = {0};`;
    return `    const int64_t ${name}[${entries.length}] = {${entries.join(", ")}};`;
}

function plainBody(api, problem) {
    const type = typeNamed(problem.type);
    const rank = problem.shape.length;
    const modes =
        problem.mode.length === 1 ? problem.begin.map(() => problem.mode[0]) : problem.mode;
    const columns = [
        spreadOver(problem, problem.begin, 0),
        spreadOver(problem, problem.end, 0),
        spreadOver(problem, problem.interior ?? problem.begin.map(() => 0), 0),
        spreadOver(problem, modes, "constant"),
    ];
    const axes = problem.shape.map((extent, axis) => {
        const [before, after, interior, mode] = columns.map((column) => column[axis]);
        const words = [`.in_extent = ${extent}`, `.before = ${before}`, `.after = ${after}`];
        if (interior) words.push(`.interior = ${interior}`);
        words.push(`.mode = TPAD_${mode.toUpperCase()}`);
        if (problem.order === "crop") words.push(".order = TPAD_CROP");
        return `        {${words.join(", ")}},`;
    });
    const list = `    const tpad_axis axes[${rank}] = {\n${axes.join("\n")}\n    };\n`;
    const made =
        rank && !type.bits
            ? `TPAD_PROBLEM_OF(${type.c}, axes)`
            : `TPAD_PROBLEM(${type.bits ?? `8 * sizeof(${type.c})`}, ${rank}, ${rank ? "axes" : "NULL"})`;
    return `${rank ? list : ""}    const tpad_problem problem = ${made};
${valuesOf(problem) ? plainRun(api, problem, type) : plainPad(api, problem, type)}`;
}

/** The call with one value. */
function plainPad(api, problem, type) {
    const value = problem.value === null ? "0" : valueLiteral(api, problem);
    return `    const ${type.c} value = ${value};
    tpad_error error;
${onFailure("tpad_pad(&problem, x, padded, &value, &error)")}`;
}

/** A plan, and its run with a list of values. */
function plainRun(api, problem, type) {
    const values = singly(problem).map((one) => valueLiteral(api, one));
    const rank = problem.shape.length;
    const axis = valueAxisOf(problem) < 0 ? valueAxisOf(problem) + rank : valueAxisOf(problem);
    const strides = problem.shape.map((_, at) => (at === axis ? "sizeof *values" : "0"));
    return `    static const ${type.c} values[${values.length}] = {
    ${lines(values)}};
    const tpad_index strides[${rank}] = {${strides.join(", ")}};
    const tpad_fill fill = {sizeof fill, values, strides};
    static tpad_plan plan;
    tpad_error error;
${onFailure("tpad_plan_init(&plan, sizeof plan, &problem, &error)")}
    if (tpad_run_fill(&plan, x, padded, &fill, NULL) != TPAD_OK) return 1;`;
}

/** The call of a specification: the variables, the struct, its translation and the run. name: of the
 * variable. struct, call: the words of the header. set(problem, tools): adds lines and fields. */
function specificationBody(api, problem, { name, struct, call, set }) {
    const family = familyOf(problem.spec);
    const type = typeNamed(problem.type);
    const made = [list64("shape", problem.shape)];
    const fields = [`.struct_size = sizeof ${name}`];
    const word = { onnx: type.onnx, openvino: type.openvino }[family]?.toUpperCase();
    const elements = word ? `TPAD_${family.toUpperCase()}_${word}` : "1";
    const tensorOf = (variable, body) => `    const tpad_${family}_tensor ${variable} = {${body}};`;
    const tools = {
        type,
        made,
        list: (variable, entries) => made.push(list64(variable, entries)),
        fields: (...more) => fields.push(...more),
        /** A field for a list and one for its length. */
        counted: (field, variable, { length }) =>
            fields.push(`.${field} = ${variable}`, `.${field}_count = ${length}`),
        /** A tensor of integers, of one axis. */
        integers: (variable, kind, shape, data) =>
            made.push(
                tensorOf(variable, `TPAD_${family.toUpperCase()}_${kind}, 1, ${shape}, ${data}`),
            ),
        input: `{${elements}, ${problem.shape.length}, shape, NULL}`,
        /** The constant as a tensor, if there is one. */
        value(variable, field) {
            if (problem.value === null) return;
            made.push(
                `    const ${type.c} element = ${valueLiteral(api, problem)};`,
                tensorOf(variable, `${elements}, 0, NULL, &element`),
            );
            fields.push(`.${field} = &${variable}`);
        },
        lenient() {
            if (problem.lenient) fields.push(`.flags = TPAD_${family.toUpperCase()}_LENIENT`);
        },
    };
    set(problem, tools);
    return `${made.join("\n")}
    const tpad_${struct} ${name} = {
${fields.map((field) => `        ${field},`).join("\n")}
    };
    tpad_translation translated;
    tpad_error error;
${onFailure(`tpad_${call}(&translated, sizeof translated, &${name}, &error)`)}
${RUN}`;
}

const SPECIFICATIONS = {
    onnx: {
        name: "node",
        struct: "onnx_pad",
        call: "onnx_translate",
        set(problem, { made, list, fields, counted, integers, input, value, lenient }) {
            const pads = [...problem.begin, ...problem.end];
            const version = versionOf(problem.spec);
            list("amounts", pads);
            fields(`.opset = ${version}`, `.data = ${input}`, `.mode = "${problem.mode[0]}"`);
            lenient();
            if (version >= 11) {
                list("amounts_shape", [pads.length]);
                integers("pads", "INT64", "amounts_shape", "amounts");
                fields(".pads = &pads");
                value("value", "value");
            } else {
                counted(`attribute_${version === 1 ? "paddings" : "pads"}`, "amounts", pads);
                if (problem.value !== null) {
                    const number = floatLiteral(numberOf(problem.value), true);
                    made.push(`    const float value = ${number};`);
                    fields(".attribute_value = &value");
                }
            }
            if (!problem.axes) return;
            list("axes_data", problem.axes);
            list("axes_shape", [problem.axes.length]);
            integers("axes", "INT64", "axes_shape", "axes_data");
            fields(".axes = &axes");
        },
    },
    openvino: {
        name: "layer",
        struct: "openvino_pad",
        call: "openvino_translate",
        set(problem, { list, fields, integers, input, value, lenient }) {
            list("begin", problem.begin);
            list("end", problem.end);
            list("count", [problem.begin.length]);
            for (const side of ["begin", "end"]) integers(`pads_${side}`, "I64", "count", side);
            fields(`.opset = ${versionOf(problem.spec)}`, `.data = ${input}`);
            fields(".begin = &pads_begin", ".end = &pads_end", `.mode = "${problem.mode[0]}"`);
            lenient();
            value("pad_value", "value");
        },
    },
    ngraph: {
        name: "operator",
        struct: "ngraph_pad",
        call: "ngraph_translate",
        set({ begin, end, interior, mode }, { type, list, fields, counted, input, value }) {
            list("below", begin);
            list("above", end);
            fields(`.arg = ${input}`);
            counted("padding_below", "below", begin);
            counted("padding_above", "above", end);
            fields(`.elem_bits = ${8 * type.array.BYTES_PER_ELEMENT}`);
            fields(`.pad_mode = "${mode[0].toUpperCase()}"`);
            if (interior) {
                list("interior", interior);
                counted("padding_interior", "interior", interior);
            }
            value("pad_value", "arg_pad_value");
        },
    },
    mli: {
        name: "call",
        struct: "mli_padding2d",
        call: "mli_translate",
        set({ spec, type, shape, begin: [top, left], end: [bottom, right] }, { fields }) {
            fields(`.layout = TPAD_MLI_${spec.slice(4).toUpperCase()}`);
            fields(`.type = TPAD_MLI_${type === "int8" ? "FX8" : "FX16"}`);
            fields(`.rank = ${shape.length}`, ".shape = shape");
            fields(`.left = ${left}`, `.right = ${right}`, `.top = ${top}`, `.bottom = ${bottom}`);
        },
    },
};
