/** Plans: problems that are checked once and run often.  SPDX-License-Identifier: MIT */

import { checkClass, classOf, plainArray, typeSaid } from "./types.js";
import { PLAIN } from "./arguments.js";
import { callOf } from "./calls.js";
import { movePadded, checkLength } from "./moves.js";

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
