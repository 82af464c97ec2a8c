/** The calls of ONNX, OpenVINO, nGraph and MLI.  SPDX-License-Identifier: MIT */

import { SLATE } from "./engine.js";
import { typeNamed, typeSaid } from "./types.js";
import { callOf } from "./calls.js";
import { readConstant, readShape, wholeNumber, writeList } from "./arguments.js";

const ONNX_ATTRIBUTES_UNTIL = 10;
const LAYOUTS = ["chw", "hwc"];
const INT32 = 2 ** 31;

/** Writes a list that may be absent, and its length. */
function readOptionalList(engine, at, countAt, list, what) {
    engine.i32[countAt] =
        list === undefined || list === null ? -1 : writeList(engine, at, list, what);
}

function readRequiredList(engine, at, countAt, list, what) {
    if (list === undefined || list === null) throw new TypeError(`${what} is missing`);
    engine.i32[countAt] = writeList(engine, at, list, what);
}

function readWord(engine, word, what) {
    if (word !== undefined && word !== null) {
        if (typeof word !== "string") throw new TypeError(`${what}: ${String(word)} is not a word`);
        engine.writeWord(word, what);
    }
    engine.i32[SLATE.hasWord] = word === undefined || word === null ? 0 : 1;
}

function readVersion(engine, value, otherwise, what) {
    const number = value === undefined ? otherwise : wholeNumber(value, what);
    if (number < -INT32 || number >= INT32)
        throw new RangeError(`${what}: ${number} is no version`);
    engine.i32[SLATE.version] = number;
    return number;
}

function readLenient(engine, lenient) {
    if (lenient !== undefined && typeof lenient !== "boolean") {
        throw new TypeError("lenient must be true or false");
    }
    engine.i32[SLATE.lenient] = lenient ? 1 : 0;
}

/** A specification's number of a type. `call` looks up the word in the slate. */
function numberOfType(engine, specification, type, call) {
    const known = type.numbers[specification];
    if (known !== undefined) return known;
    const word = type[specification];
    if (word === null)
        throw new TypeError(`type: ${type.name} is not a type of this specification`);
    engine.writeWord(word, "type");
    type.numbers[specification] = call();
    return type.numbers[specification];
}

const onnxNumber = (engine, type) => numberOfType(engine, "onnx", type, engine.calls.onnx_type);
const openvinoNumber = (engine, type) =>
    numberOfType(engine, "openvino", type, engine.calls.openvino_type);

// The kinds of calls, as calls.js describes them.

const ONNX = {
    name: "onnx.pad",
    options: ["pads", "constantValue", "axes", "mode", "opset", "lenient", "type", "out"],
    needsOptions: true,
    take: ({ pads, constantValue, axes, mode, opset, lenient }) => {
        return [pads, constantValue, axes, mode, opset, lenient];
    },
    read(engine, type, shape, [pads, constantValue, axes, mode, opset, lenient]) {
        const rank = readShape(engine, shape);
        readOptionalList(engine, SLATE.before, SLATE.beforeCount, pads, "pads");
        readOptionalList(engine, SLATE.interior, SLATE.interiorCount, axes, "axes");
        const version = readVersion(engine, opset, INT32 - 1, "opset");
        readLenient(engine, lenient);
        engine.i32[SLATE.type] = onnxNumber(engine, type);
        if (version >= 1 && version <= ONNX_ATTRIBUTES_UNTIL) {
            const value =
                typeof constantValue === "boolean" ? Number(constantValue) : constantValue;
            readConstant(engine, typeNamed("float32"), value, "constantValue", () => 1);
        } else {
            readConstant(engine, type, constantValue, "constantValue", (own) =>
                onnxNumber(engine, own),
            );
        }
        readWord(engine, mode, "mode");
        return rank;
    },
    make: (engine) => engine.calls.make_onnx(),
};

const OPENVINO = {
    name: "openvino.pad",
    options: ["padsBegin", "padsEnd", "padMode", "padValue", "version", "lenient", "type", "out"],
    needsOptions: true,
    take: ({ padsBegin, padsEnd, padMode, padValue, version, lenient }) => {
        return [padsBegin, padsEnd, padMode, padValue, version, lenient];
    },
    read(engine, type, shape, [padsBegin, padsEnd, padMode, padValue, version, lenient]) {
        const rank = readShape(engine, shape);
        readOptionalList(engine, SLATE.before, SLATE.beforeCount, padsBegin, "padsBegin");
        readOptionalList(engine, SLATE.after, SLATE.afterCount, padsEnd, "padsEnd");
        readVersion(engine, version, 1, "version");
        readLenient(engine, lenient);
        engine.i32[SLATE.type] = openvinoNumber(engine, type);
        readConstant(engine, type, padValue, "padValue", (own) => openvinoNumber(engine, own));
        if (type.bits === 1) engine.bytes[engine.slate + SLATE.value] <<= 7;
        readWord(engine, padMode, "padMode");
        return rank;
    },
    make: (engine) => engine.calls.make_openvino(),
};

const NGRAPH = {
    name: "ngraph.pad",
    options: [
        ...["argPadValue", "paddingBelow", "paddingAbove", "paddingInterior", "padMode"],
        ...["type", "out"],
    ],
    needsOptions: true,
    take: ({ argPadValue, paddingBelow, paddingAbove, paddingInterior, padMode }) => {
        return [argPadValue, paddingBelow, paddingAbove, paddingInterior, padMode];
    },
    read(engine, type, shape, [argPadValue, below, above, interior, padMode]) {
        const rank = readShape(engine, shape);
        readRequiredList(engine, SLATE.before, SLATE.beforeCount, below, "paddingBelow");
        readRequiredList(engine, SLATE.after, SLATE.afterCount, above, "paddingAbove");
        readOptionalList(engine, SLATE.interior, SLATE.interiorCount, interior, "paddingInterior");
        engine.i32[SLATE.elemBits] = type.bits;
        readConstant(engine, type, argPadValue, "argPadValue", (own) => (own === type ? 1 : 2));
        readWord(engine, padMode, "padMode");
        return rank;
    },
    make: (engine) => engine.calls.make_ngraph(),
};

const MLI_AMOUNTS = ["paddingLeft", "paddingRight", "paddingTop", "paddingBottom"];
const MLI = {
    name: "mli.padding2d",
    options: ["layout", ...MLI_AMOUNTS, "out"],
    needsOptions: true,
    take: ({ layout, paddingLeft, paddingRight, paddingTop, paddingBottom }) => {
        return [layout, paddingLeft, paddingRight, paddingTop, paddingBottom];
    },
    read(engine, type, shape, [layout, ...amounts]) {
        const rank = readShape(engine, shape);
        if (!LAYOUTS.includes(layout)) {
            throw new TypeError(`layout has to be 'chw' or 'hwc', got ${String(layout)}`);
        }
        amounts.forEach((amount, i) => {
            engine.f64[SLATE.before + i] =
                amount === undefined ? 0 : wholeNumber(amount, MLI_AMOUNTS[i]);
        });
        engine.i32[SLATE.beforeCount] = amounts.length;
        engine.i32[SLATE.afterCount] = -1;
        engine.i32[SLATE.interiorCount] = -1;
        engine.i32[SLATE.version] = LAYOUTS.indexOf(layout);
        engine.i32[SLATE.type] = type.name === "int8" ? 0 : type.name === "int16" ? 1 : -1;
        return rank;
    },
    make: (engine) => engine.calls.make_mli(),
};

/** The four specifications, with `padArray` and `planOf` for an engine. */
export function makeSpecifications(engine, padArray, planOf) {
    function specification(kind) {
        return {
            pad: (data, shape, options) => padArray(kind, data, shape, options),
            padShape(type, shape, options) {
                return callOf(engine, kind, typeSaid(type), shape, options).outShape.slice();
            },
            plan: (type, shape, options) => planOf(kind, type, shape, options),
        };
    }

    const { pad: padding2d, padShape, plan } = specification(MLI);
    return {
        onnx: specification(ONNX),
        openvino: specification(OPENVINO),
        ngraph: specification(NGRAPH),
        mli: { padding2d, padShape, plan },
    };
}
