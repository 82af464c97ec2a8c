/** The calls of ONNX, OpenVINO, nGraph and MLI.  SPDX-License-Identifier: MIT */

import { SLATE } from "./engine.js";
import { classOf, typeNamed, typeOfClass, typeSaid } from "./types.js";
import { checkOptions, readConstant, readShape, wholeNumber, writeList } from "./arguments.js";

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

/** The four specifications. Each has a function `read` that makes the engine's problem of a type, a
 * shape and options, and returns the rank; pad, plan and padShape are the same for all. */
export function makeSpecifications(engine, padProblem, planOf) {
    const onnxNumber = (type) => numberOfType(engine, "onnx", type, engine.calls.onnx_type);
    const openvinoNumber = (type) =>
        numberOfType(engine, "openvino", type, engine.calls.openvino_type);

    function readOnnx(_engine, type, shape, options) {
        const reading = engine.beginReading();
        checkOptions(
            options,
            ["pads", "constantValue", "axes", "mode", "opset", "lenient", "type", "out"],
            "onnx.pad",
        );
        const { pads, constantValue, axes, mode, opset, lenient } = options;
        const rank = readShape(engine, shape);
        readOptionalList(engine, SLATE.before, SLATE.beforeCount, pads, "pads");
        readOptionalList(engine, SLATE.interior, SLATE.interiorCount, axes, "axes");
        const version = readVersion(engine, opset, INT32 - 1, "opset");
        readLenient(engine, lenient);
        engine.i32[SLATE.type] = onnxNumber(type);
        if (version >= 1 && version <= ONNX_ATTRIBUTES_UNTIL) {
            const value = typeof constantValue === "boolean" ? Number(constantValue) : constantValue;
            readConstant(engine, typeNamed("float32"), value, "constantValue", () => 1);
        } else {
            readConstant(engine, type, constantValue, "constantValue", onnxNumber);
        }
        readWord(engine, mode, "mode");
        engine.endReading(reading);
        engine.check(engine.calls.make_onnx());
        return rank;
    }

    function readOpenvino(_engine, type, shape, options) {
        const reading = engine.beginReading();
        checkOptions(
            options,
            ["padsBegin", "padsEnd", "padMode", "padValue", "version", "lenient", "type", "out"],
            "openvino.pad",
        );
        const { padsBegin, padsEnd, padMode, padValue, version, lenient } = options;
        const rank = readShape(engine, shape);
        readOptionalList(engine, SLATE.before, SLATE.beforeCount, padsBegin, "padsBegin");
        readOptionalList(engine, SLATE.after, SLATE.afterCount, padsEnd, "padsEnd");
        readVersion(engine, version, 1, "version");
        readLenient(engine, lenient);
        engine.i32[SLATE.type] = openvinoNumber(type);
        readConstant(engine, type, padValue, "padValue", openvinoNumber);
        if (type.bits === 1) engine.bytes[engine.slate + SLATE.value] <<= 7;
        readWord(engine, padMode, "padMode");
        engine.endReading(reading);
        engine.check(engine.calls.make_openvino());
        return rank;
    }

    function readNgraph(_engine, type, shape, options) {
        const reading = engine.beginReading();
        checkOptions(
            options,
            [
                "argPadValue",
                "paddingBelow",
                "paddingAbove",
                "paddingInterior",
                "padMode",
                "type",
                "out",
            ],
            "ngraph.pad",
        );
        const { argPadValue, paddingBelow, paddingAbove, paddingInterior, padMode } = options;
        const rank = readShape(engine, shape);
        readRequiredList(engine, SLATE.before, SLATE.beforeCount, paddingBelow, "paddingBelow");
        readRequiredList(engine, SLATE.after, SLATE.afterCount, paddingAbove, "paddingAbove");
        readOptionalList(
            engine,
            SLATE.interior,
            SLATE.interiorCount,
            paddingInterior,
            "paddingInterior",
        );
        engine.i32[SLATE.elemBits] = type.bits;
        readConstant(engine, type, argPadValue, "argPadValue", (own) => (own === type ? 1 : 2));
        readWord(engine, padMode, "padMode");
        engine.endReading(reading);
        engine.check(engine.calls.make_ngraph());
        return rank;
    }

    function readMli(_engine, type, shape, options) {
        const reading = engine.beginReading();
        checkOptions(
            options,
            ["layout", "paddingLeft", "paddingRight", "paddingTop", "paddingBottom", "out"],
            "mli.padding2d",
        );
        const { layout, paddingLeft, paddingRight, paddingTop, paddingBottom } = options;
        const rank = readShape(engine, shape);
        if (!LAYOUTS.includes(layout)) {
            throw new TypeError(`layout has to be 'chw' or 'hwc', got ${String(layout)}`);
        }
        const amounts = [
            ["paddingLeft", paddingLeft],
            ["paddingRight", paddingRight],
            ["paddingTop", paddingTop],
            ["paddingBottom", paddingBottom],
        ];
        amounts.forEach(([name, amount], i) => {
            engine.f64[SLATE.before + i] = amount === undefined ? 0 : wholeNumber(amount, name);
        });
        engine.i32[SLATE.beforeCount] = amounts.length;
        engine.i32[SLATE.afterCount] = -1;
        engine.i32[SLATE.interiorCount] = -1;
        engine.i32[SLATE.version] = LAYOUTS.indexOf(layout);
        engine.i32[SLATE.type] = type.name === "int8" ? 0 : type.name === "int16" ? 1 : -1;
        engine.endReading(reading);
        engine.check(engine.calls.make_mli());
        return rank;
    }

    function specification(read) {
        return {
            pad(data, shape, options) {
                const arrayClass = classOf(data, "data");
                const type = typeOfClass(arrayClass, options?.type);
                const out = options?.out;
                const rank = read(engine, type, shape, options);
                return padProblem(engine, arrayClass, type, data, rank, out);
            },
            padShape(type, shape, options) {
                return engine.outShape(read(engine, typeSaid(type), shape, options));
            },
            plan: (type, shape, options) => planOf(type, shape, options, read),
        };
    }

    const { pad: padding2d, padShape, plan } = specification(readMli);
    return {
        onnx: specification(readOnnx),
        openvino: specification(readOpenvino),
        ngraph: specification(readNgraph),
        mli: { padding2d, padShape, plan },
    };
}
