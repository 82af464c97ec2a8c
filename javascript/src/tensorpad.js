/** The interface of the package, for one instance of the engine.
 * SPDX-License-Identifier: MIT */

import { Engine, PadError } from "./engine.js";
import { checkClass, classOf, classSaid, plainArray, typeOfClass, typeSaid } from "./types.js";
import { MLI, NGRAPH, ONNX, OPENVINO, PLAIN } from "./arguments.js";
import { callOf } from "./calls.js";
import { AGAIN, movePadded, checkLength, newArray } from "./moves.js";
import { argumentsOf, partsOf, resultLike } from "./tensors.js";
import { makeFit } from "./fit.js";

/** `out` as a plain array. Refuses one of another class or length. */
function checkOut(out, outLength, arrayClass) {
    const outClass = classOf(out, "out");
    if (outClass !== arrayClass) {
        throw new TypeError(`out is a ${outClass.name}; the data is a ${arrayClass.name}`);
    }
    const target = plainArray(out, arrayClass);
    checkLength(target, outLength, "out", arrayClass);
    return target;
}

const PLACES = 4;

function refuseOption(options, name, instead) {
    if (options?.[name] === undefined) return;
    throw new TypeError(`a plan has no option "${name}": ${instead}`);
}

/** What a plan of a specification gets as options. */
class SpecificationOptions {
    constructor(kind, options) {
        this.kind = kind;
        this.options = options;
    }
}

/** Makes the class Plan for an engine.
 *
 * The plan itself, some kilobytes of bytes, belongs to the JavaScript object and goes away with it.
 * A few places in the engine's memory hold the plans that ran last. */
function makePlans(engine) {
    let planBytes = 0;
    const places = [];
    const holders = [];
    let next = 0;

    /** Takes memory for the places, before the first plan. */
    function takePlaces() {
        planBytes = engine.calls.plan_bytes();
        while (places.length < PLACES) places.push(engine.take(planBytes));
    }

    class Plan {
        #type;
        #call;
        #plan;
        #value;
        #values;
        #place = 0;

        constructor(type, shape, options) {
            const given =
                options instanceof SpecificationOptions
                    ? options
                    : new SpecificationOptions(PLAIN, options);
            this.#type = typeSaid(type);
            refuseOption(given.options, "type", "it is the first argument");
            refuseOption(given.options, "out", "it is an argument of run");
            this.#call = callOf(engine, given.kind, this.#type, shape, given.options);
            if (places.length < PLACES) takePlaces();
            engine.calls.tell_value();
            this.#value = engine.value();
            this.#values = engine.values;
            this.#place = next;
            next = (next + 1) % PLACES;
            holders[this.#place] = null;
            const at = places[this.#place];
            engine.check(engine.calls.make_plan(at));
            this.#plan = engine.bytes.slice(at, at + planBytes);
            holders[this.#place] = this;
        }

        get type() {
            return this.#type.name;
        }

        get inShape() {
            return this.#call.inShape.slice();
        }

        get outShape() {
            return this.#call.outShape.slice();
        }

        /** The address of the plan in the engine's memory. */
        #load() {
            if (holders[this.#place] !== this) {
                this.#place = next;
                next = (next + 1) % PLACES;
                engine.bytes.set(this.#plan, places[this.#place]);
                holders[this.#place] = this;
            }
            return places[this.#place];
        }

        run(given, out) {
            const arrayClass = classOf(given, "data");
            checkClass(arrayClass, this.#type, "data");
            const data = plainArray(given, arrayClass);
            const call = this.#call;
            checkLength(data, call.inLength, "data", arrayClass);
            const target = out === undefined ? out : checkOut(out, call.outLength, arrayClass);
            engine.beginRun(this.#values);
            engine.setValue(this.#value);
            const made = movePadded(engine, arrayClass, call, data, target, this.#load());
            return made === target ? out : made;
        }

        describe() {
            return engine.text(engine.calls.describe_plan(this.#load()));
        }
    }

    function planOf(kind, type, shape, options) {
        return new Plan(type, shape, new SpecificationOptions(kind, options));
    }

    return { Plan, planOf };
}

function makeAllocate(engine) {
    /** An array in the engine's memory, as `allocate` returns it. */
    class EngineArray {
        #arrayClass;
        #length;
        #address;
        #view = null;

        constructor(arrayClass, length) {
            const bytes = length * arrayClass.bytes;
            this.#arrayClass = arrayClass;
            this.#length = length;
            this.#address = engine.take(bytes);
            engine.hasArrays = true;
            engine.arrays.set(this.#address, bytes);
            engine.bytes.fill(0, this.#address, this.#address + bytes);
        }

        get data() {
            if (this.#address === 0) throw new TypeError("this array was freed");
            const { buffer } = engine;
            if (this.#view === null || this.#view.buffer !== buffer) {
                this.#view = new this.#arrayClass.Array(buffer, this.#address, this.#length);
            }
            return this.#view;
        }

        free() {
            if (this.#address === 0) return;
            engine.arrays.delete(this.#address);
            engine.give(this.#address);
            this.#address = 0;
            this.#view = null;
        }
    }

    return function allocate(said, length) {
        const arrayClass = classSaid(said);
        if (!Number.isSafeInteger(length) || length < 0) {
            throw new RangeError(`length: ${String(length)} is not a count`);
        }
        return new EngineArray(arrayClass, length);
    };
}

/** The four specifications, with `padGiven` and `planOf` for an engine. */
function makeSpecifications(engine, padGiven, planOf) {
    function specification(kind) {
        return {
            pad: (given, ...more) => padGiven(kind, given, more),
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

/** Makes the functions and classes of index.d.ts for an engine that is not yet open. */
function interfaceOf(engine) {
    const { Plan, planOf } = makePlans(engine);

    /** The arguments of movePadded, checked. */
    function checked(kind, given, shape, options) {
        const arrayClass = classOf(given, "data");
        const type = typeOfClass(arrayClass, options?.type);
        const out = options?.out;
        const call = callOf(engine, kind, type, shape, options);
        const data = plainArray(given, arrayClass);
        checkLength(data, call.inLength, "data", arrayClass);
        const target = out === undefined ? out : checkOut(out, call.outLength, arrayClass);
        return { arrayClass, call, data, out, target };
    }

    function padArray(kind, given, shape, options) {
        const { arrayClass, call, data, out, target } = checked(kind, given, shape, options);
        const plan = call.isPlanned ? AGAIN : 0;
        const made = movePadded(engine, arrayClass, call, data, target, plan);
        return { data: made === target ? out : made, shape: call.outShape.slice() };
    }

    /** Pads a typed array or another form of a tensor (tensors.js). */
    function padGiven(kind, given, more) {
        if (ArrayBuffer.isView(given)) return padArray(kind, given, more[0], more[1]);
        const made = padArray(kind, ...argumentsOf(given, more, kind === PLAIN));
        return partsOf(given) === null ? made : resultLike(given, made);
    }

    const fit = makeFit(engine, {
        padArray: (...words) => padArray(PLAIN, ...words),
        checkArray: (...words) => void checked(PLAIN, ...words),
        outArray: (out, length, arrayClass) =>
            out === undefined ? newArray(arrayClass, length) : checkOut(out, length, arrayClass),
    });

    function padShape(shape, options) {
        return callOf(engine, PLAIN, null, shape, options).outShape.slice();
    }

    return {
        pad: (given, ...more) => padGiven(PLAIN, given, more),
        padShape,
        ...fit,
        Plan,
        allocate: makeAllocate(engine),
        PadError,
        ...makeSpecifications(engine, padGiven, planOf),
    };
}

/** The interface without `version` and `kernels`. open: returns an instance of the engine; the
 * first call calls it. */
export function lazyTensorpad(open) {
    return interfaceOf(new Engine(open));
}

/** The whole interface, for an instance that is there. */
export function createTensorpad(instance) {
    const engine = new Engine(() => instance);
    engine.start();
    return {
        ...interfaceOf(engine),
        version: engine.textAt(engine.calls.library_version()),
        kernels: engine.textAt(engine.calls.kernels()),
    };
}
