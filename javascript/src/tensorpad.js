/** The interface of the package, for one instance of the engine.
 * SPDX-License-Identifier: MIT */

import { Engine, PadError } from "./engine.js";
import { classOf, classSaid, plainArray, typeOfClass } from "./types.js";
import { PLAIN } from "./arguments.js";
import { callOf } from "./calls.js";
import { AGAIN, movePadded, checkLength } from "./moves.js";
import { makePlans } from "./plans.js";
import { makeSpecifications } from "./specifications.js";

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

/** Makes the functions and classes of index.d.ts for an engine that is not yet open. */
function interfaceOf(engine) {
    const { Plan, planOf } = makePlans(engine, checkOut);

    function padArray(kind, given, shape, options) {
        const arrayClass = classOf(given, "data");
        const type = typeOfClass(arrayClass, options?.type);
        const out = options?.out;
        const call = callOf(engine, kind, type, shape, options);
        const data = plainArray(given, arrayClass);
        checkLength(data, call.inLength, "data", arrayClass);
        const target = out === undefined ? out : checkOut(out, call.outLength, arrayClass);
        const plan = call.isPlanned ? AGAIN : 0;
        const made = movePadded(engine, arrayClass, call, data, target, plan);
        return { data: made === target ? out : made, shape: call.outShape.slice() };
    }

    function padShape(shape, options) {
        return callOf(engine, PLAIN, null, shape, options).outShape.slice();
    }

    return {
        pad: (data, shape, options) => padArray(PLAIN, data, shape, options),
        padShape,
        Plan,
        allocate: makeAllocate(engine),
        PadError,
        ...makeSpecifications(engine, padArray, planOf),
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
        version: engine.textAt(engine.calls.version()),
        kernels: engine.textAt(engine.calls.kernels()),
    };
}
