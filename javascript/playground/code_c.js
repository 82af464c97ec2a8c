/** The call of a problem as a whole program in C, which prints the elements of the result or the
 * error. */
import {
    axesOf,
    cellCount,
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
    const body = BODIES[family](api, problem);
    const headers = ["stdint.h", "stdio.h", `tensorpad/${HEADERS[family]}.h`];
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

const HEADERS = {
    plain: "tensorpad",
    onnx: "onnx",
    openvino: "openvino",
    ngraph: "ngraph",
    mli: "mli",
};

const BODIES = {
    plain: plainBody,
    onnx: onnxBody,
    openvino: openvinoBody,
    ngraph: ngraphBody,
    mli: mliBody,
};

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

function formatOf(type) {
    if (type.array === BigInt64Array) return `"%" PRId64 "\\n", padded[at]`;
    if (type.array === BigUint64Array) return `"%" PRIu64 "\\n", padded[at]`;
    if (type.array === Float64Array) return `"%.17g\\n", padded[at]`;
    if (type.array === Float32Array) return `"%.9g\\n", (double)padded[at]`;
    if (type.array === Uint32Array) return `"%" PRIu32 "\\n", padded[at]`;
    if (type.array === Int32Array) return `"%" PRId32 "\\n", padded[at]`;
    return `"%d\\n", padded[at]`;
}

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
    if (!type.raw && !type.bits) {
        const [value] = wholeOrFloat(type, problem.value);
        return value;
    }
    return String(elementOf(api, problem, type));
}

/** The constant as the engine makes an element of it. Throws Refused. */
function elementOf(api, problem, type) {
    const spec = { onnx: "onnx-25", openvino: "openvino-12" }[familyOf(problem.spec)] ?? "plain";
    const one = {
        ...problem,
        spec,
        shape: [0],
        mode: ["constant"],
        begin: [1],
        end: [0],
        interior: null,
        order: "window",
        axes: null,
        data: null,
        valueAxis: null,
        lenient: true,
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

function wholeOrFloat(type, text) {
    if (type.array === Float32Array || type.array === Float64Array) {
        return [floatLiteral(numberOf(text), type.array === Float32Array)];
    }
    const wide = type.array === BigInt64Array || type.array === BigUint64Array;
    const value = wide && /^[+-]?\d+$/.test(text) ? BigInt(text) : Math.trunc(numberOf(text));
    return [literal(type, value)];
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

function onnxBody(api, problem) {
    const type = typeNamed(problem.type);
    const word = `TPAD_ONNX_${type.onnx.toUpperCase()}`;
    const pads = [...problem.begin, ...problem.end];
    const version = versionOf(problem.spec);
    const made = [list64("shape", problem.shape), list64("amounts", pads)];
    const fields = [
        ".struct_size = sizeof node",
        `.opset = ${version}`,
        `.data = {${word}, ${problem.shape.length}, shape, NULL}`,
        `.mode = "${problem.mode[0]}"`,
    ];
    if (problem.lenient) fields.push(".flags = TPAD_ONNX_LENIENT");
    if (version < 11) {
        const attribute = version === 1 ? "paddings" : "pads";
        fields.push(
            `.attribute_${attribute} = amounts`,
            `.attribute_${attribute}_count = ${pads.length}`,
        );
        if (problem.value !== null) {
            made.push(`    const float value = ${floatLiteral(numberOf(problem.value), true)};`);
            fields.push(".attribute_value = &value");
        }
    } else {
        made.push(
            list64("amounts_shape", [pads.length]),
            "    const tpad_onnx_tensor pads = {TPAD_ONNX_INT64, 1, amounts_shape, amounts};",
        );
        fields.push(".pads = &pads");
        if (problem.value !== null) {
            made.push(
                `    const ${type.c} element = ${valueLiteral(api, problem)};`,
                `    const tpad_onnx_tensor value = {${word}, 0, NULL, &element};`,
            );
            fields.push(".value = &value");
        }
    }
    if (problem.axes) {
        made.push(
            list64("axes_data", problem.axes),
            list64("axes_shape", [problem.axes.length]),
            "    const tpad_onnx_tensor axes = {TPAD_ONNX_INT64, 1, axes_shape, axes_data};",
        );
        fields.push(".axes = &axes");
    }
    return translate(made, fields, "node", "onnx_pad", "onnx_translate");
}

function openvinoBody(api, problem) {
    const type = typeNamed(problem.type);
    const word = `TPAD_OPENVINO_${type.openvino.toUpperCase()}`;
    const rows = problem.begin.length;
    const made = [
        list64("shape", problem.shape),
        list64("begin", problem.begin),
        list64("end", problem.end),
        list64("count", [rows]),
        "    const tpad_openvino_tensor pads_begin = {TPAD_OPENVINO_I64, 1, count, begin};",
        "    const tpad_openvino_tensor pads_end = {TPAD_OPENVINO_I64, 1, count, end};",
    ];
    const fields = [
        ".struct_size = sizeof layer",
        `.opset = ${versionOf(problem.spec)}`,
        `.data = {${word}, ${problem.shape.length}, shape, NULL}`,
        ".begin = &pads_begin",
        ".end = &pads_end",
        `.mode = "${problem.mode[0]}"`,
    ];
    if (problem.lenient) fields.push(".flags = TPAD_OPENVINO_LENIENT");
    if (problem.value !== null) {
        made.push(
            `    const ${type.c} element = ${valueLiteral(api, problem)};`,
            `    const tpad_openvino_tensor pad_value = {${word}, 0, NULL, &element};`,
        );
        fields.push(".value = &pad_value");
    }
    return translate(made, fields, "layer", "openvino_pad", "openvino_translate");
}

function ngraphBody(api, problem) {
    const type = typeNamed(problem.type);
    const made = [
        list64("shape", problem.shape),
        list64("below", problem.begin),
        list64("above", problem.end),
    ];
    const fields = [
        ".struct_size = sizeof operator",
        `.arg = {1, ${problem.shape.length}, shape, NULL}`,
        ".padding_below = below",
        `.padding_below_count = ${problem.begin.length}`,
        ".padding_above = above",
        `.padding_above_count = ${problem.end.length}`,
        `.elem_bits = ${8 * type.array.BYTES_PER_ELEMENT}`,
        `.pad_mode = "${problem.mode[0].toUpperCase()}"`,
    ];
    if (problem.interior) {
        made.push(list64("interior", problem.interior));
        fields.push(
            ".padding_interior = interior",
            `.padding_interior_count = ${problem.interior.length}`,
        );
    }
    if (problem.value !== null) {
        made.push(
            `    const ${type.c} element = ${valueLiteral(api, problem)};`,
            "    const tpad_ngraph_tensor pad_value = {1, 0, NULL, &element};",
        );
        fields.push(".arg_pad_value = &pad_value");
    }
    return translate(made, fields, "operator", "ngraph_pad", "ngraph_translate");
}

function mliBody(api, problem) {
    const [top, left] = problem.begin;
    const [bottom, right] = problem.end;
    const layout = problem.spec.slice(4).toUpperCase();
    const fields = [
        ".struct_size = sizeof call",
        `.layout = TPAD_MLI_${layout}`,
        `.type = TPAD_MLI_${problem.type === "int8" ? "FX8" : "FX16"}`,
        `.rank = ${problem.shape.length}`,
        ".shape = shape",
        `.left = ${left}`,
        `.right = ${right}`,
        `.top = ${top}`,
        `.bottom = ${bottom}`,
    ];
    const made = [list64("shape", problem.shape)];
    return translate(made, fields, "call", "mli_padding2d", "mli_translate");
}

/** The variables, the struct of the call and its translation. */
function translate(made, fields, name, struct, call) {
    return `${made.join("\n")}
    const tpad_${struct} ${name} = {
${fields.map((field) => `        ${field},`).join("\n")}
    };
    tpad_translation translated;
    tpad_error error;
${onFailure(`tpad_${call}(&translated, sizeof translated, &${name}, &error)`)}
${RUN}`;
}
