/** Plans: problems that are checked once and run often.  SPDX-License-Identifier: MIT */

import { SLATE } from "./engine.js";
import { arrayLength, checkClass, classOf, plainArray, typeSaid } from "./types.js";
import { readProblem, shapeElements } from "./arguments.js";
import { movePadded, checkLength } from "./moves.js";

const PLACES = 4;

function refuseOption(options, name, instead) {
    if (options?.[name] === undefined) return;
    throw new TypeError(`a plan has no option "${name}": ${instead}`);
}

/** What a plan of a specification gets as options. read: makes the engine's problem of type, shape
 * and options, and returns its rank. */
class SpecificationCall {
    constructor(read, options) {
        this.read = read;
        this.options = options;
    }
}

/** Makes the class Plan for an engine.
 *
 * The plan itself, some kilobytes of bytes, belongs to the JavaScript object and goes away with it.
 * A few places in the engine's memory hold the plans that ran last. */
export function makePlans(engine, checkOut) {
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
        #inLength;
        #outLength;
        #plan;
        #value;
        #values;
        #place = 0;
        #inShape = [];
        #outShape;

        constructor(type, shape, options) {
            const call =
                options instanceof SpecificationCall
                    ? options
                    : new SpecificationCall(readProblem, options);
            this.#type = typeSaid(type);
            refuseOption(call.options, "type", "it is the first argument");
            refuseOption(call.options, "out", "it is an argument of run");
            const rank = call.read(engine, this.#type, shape, call.options);
            if (places.length < PLACES) takePlaces();
            for (let i = 0; i < rank; i++) this.#inShape.push(engine.f64[SLATE.extents + i]);
            this.#inLength = arrayLength(this.#type, shapeElements(engine, rank));
            this.#outLength = arrayLength(this.#type, engine.f64[SLATE.outElems]);
            this.#outShape = engine.outShape(rank);
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
            return this.#inShape.slice();
        }

        get outShape() {
            return this.#outShape.slice();
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
            checkLength(data, this.#inLength, "data", arrayClass);
            const outLength = this.#outLength;
            const target = out === undefined ? out : checkOut(out, outLength, arrayClass);
            engine.beginReading();
            engine.setValue(this.#value);
            engine.values = this.#values;
            const made = movePadded(
                engine,
                arrayClass,
                this.#type.bits,
                data,
                target,
                outLength,
                this.#load(),
                this.#inShape,
            );
            return made === target ? out : made;
        }

        describe() {
            return engine.text(engine.calls.describe_plan(this.#load()));
        }
    }

    function planOf(type, shape, options, read) {
        return new Plan(type, shape, new SpecificationCall(read, options));
    }

    return { Plan, planOf };
}
