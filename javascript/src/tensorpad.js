/** The interface of the package, for one instance of the engine.
 * SPDX-License-Identifier: MIT */

import { Engine, PadError, SLATE } from "./engine.js";
import { arrayLength, classOf, classSaid, plainArray, typeOfClass } from "./types.js";
import { readProblem, shapeElements } from "./arguments.js";
import { movePadded, checkLength, livingArrays } from "./moves.js";
import { makePlans } from "./plans.js";
import { makeSpecifications } from "./specifications.js";

/** Pads `given` as the engine's problem says, which was just made of its shape and options. */
function padProblem(engine, arrayClass, type, given, rank, out) {
    const data = plainArray(given, arrayClass);
    checkLength(data, arrayLength(type, shapeElements(engine, rank)), "data", arrayClass);
    const outLength = arrayLength(type, engine.f64[SLATE.outElems]);
    const target = out === undefined ? out : checkOut(out, outLength, arrayClass);
    const shape = engine.outShape(rank);
    const made = movePadded(engine, arrayClass, type.bits, data, target, outLength, 0);
    return { data: made === target ? out : made, shape };
}

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

function makeAllocate(engine) {
    const arrays = livingArrays(engine);

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
            arrays.set(this.#address, bytes);
            engine.bytes.fill(0, this.#address, this.#address + bytes);
        }

        get data() {
            if (this.#address === 0) throw new TypeError("this array was freed");
            const { buffer } = engine.bytes;
            if (this.#view === null || this.#view.buffer !== buffer) {
                this.#view = new this.#arrayClass.Array(buffer, this.#address, this.#length);
            }
            return this.#view;
        }

        free() {
            if (this.#address === 0) return;
            arrays.delete(this.#address);
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

/** Makes the functions and classes of index.d.ts for an engine that is not yet open. */
function interfaceOf(engine) {
    const { Plan, planOf } = makePlans(engine, checkOut);
    const specifications = makeSpecifications(engine, padProblem, planOf);

    function pad(data, shape, options) {
        const arrayClass = classOf(data, "data");
        const type = typeOfClass(arrayClass, options?.type);
        const out = options?.out;
        const rank = readProblem(engine, type, shape, options);
        return padProblem(engine, arrayClass, type, data, rank, out);
    }

    function padShape(shape, options) {
        return engine.outShape(readProblem(engine, null, shape, options));
    }

    return {
        pad,
        padShape,
        Plan,
        allocate: makeAllocate(engine),
        PadError,
        ...specifications,
    };
}

/** The interface without `version` and `kernels`. open: returns an instance of the engine; the first
 * call calls it. */
export function lazyTensorpad(open) {
    return interfaceOf(new Engine(open));
}

/** The whole interface, for an instance that is there. */
export function createTensorpad(instance) {
    const engine = new Engine(() => instance);
    engine.start();
    return {
        ...interfaceOf(engine),
        version: engine.textAt(engine.calls.version()),
        kernels: engine.textAt(engine.calls.kernels()),
    };
}
