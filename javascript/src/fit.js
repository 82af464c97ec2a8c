/** To a size: padTo, unpad and padBatch.  SPDX-License-Identifier: MIT */

import { MOST_RANK, SLATE } from "./engine.js";
import {
    checkOptions,
    chosenAxes,
    isObject,
    readPlain,
    readRank,
    setEach,
    shown,
    wholeNumber,
} from "./arguments.js";
import { overlap } from "./moves.js";
import { argumentsOf, isImage, partsOf, resultLike } from "./tensors.js";
import { arrayLength, classFor, classOf, typeNamed, typeOfClass, writeElement } from "./types.js";

const ALIGNS = ["start", "center", "end"];
const OFFSET = ALIGNS.length;
const TOO_LONG = ["error", "crop_end", "crop_start", "crop_center", "keep", "crop"];
const CROP = TOO_LONG.indexOf("crop"); // what the engine does not know: opposite to the data
const TARGETS = ["size", "multiple", "align", "tooLong"];
const PADDED = ["mode", "constantValue", "constantAxis", "type", "out"];
const SIZED = 64; // calls.c, as the numbers before

function wordNumber(words, word, what, more) {
    const number = words.indexOf(word);
    if (number >= 0) return number;
    throw new TypeError(
        `${what} ${shown(word)} is not known: it is one of ${words.join(", ")}${more}`,
    );
}

function optional(value, what, least) {
    if (value === undefined || value === null) return null;
    const number = wholeNumber(value, what);
    if (number >= least) return number;
    throw new RangeError(`${what}: ${number} is below ${least}`);
}

const READERS = {
    size: (value) => optional(value, "size", 0),
    multiple: (value) => optional(value, "multiple", 1),
    atMost: (value) => optional(value, "atMost", 0),
    align: (value) =>
        typeof value === "number" || typeof value === "bigint"
            ? wholeNumber(value, "align")
            : ALIGNS[wordNumber(ALIGNS, value, "align", ", or the index of the first cell")],
    tooLong: (value) => wordNumber(TOO_LONG, value, "tooLong", ""),
};

/** The two axes that become equally long, as numbers; null without them. */
function squareOf(square, axes, rank) {
    if (square === undefined || square === null) return null;
    const pair = chosenAxes(square, rank, "square");
    if (pair.length !== 2) throw new RangeError(`square has to name two axes, got ${square}`);
    const other = pair.find((axis) => axes !== null && !axes.includes(axis));
    if (other === undefined) return pair;
    throw new RangeError(`square names axis ${other}, which is not among the axes`);
}

/** What is asked of each axis: {axes, square, requests}. align: where the data lies by default. */
function readRequests(options, rank, align) {
    const axes = chosenAxes(options.axes, rank);
    const requests = Array.from({ length: rank }, (_, axis) => {
        const isChosen = axes === null || axes.includes(axis);
        const place = isChosen ? align : "start";
        return { size: null, multiple: null, atMost: null, align: place, tooLong: 0, isChosen };
    });
    for (const name of [...TARGETS, "atMost"]) {
        const value = options[name];
        if (value === undefined || value === null) continue;
        setEach(value, name, axes, rank, READERS[name], (axis, entry) => {
            requests[axis][name] = entry;
        });
    }
    for (const request of requests) {
        if (request.size !== null && request.atMost !== null) {
            throw new RangeError("an axis takes size or atMost, not both");
        }
        const crops = { center: "crop_center", end: "crop_start" };
        if (request.tooLong === CROP)
            request.tooLong = TOO_LONG.indexOf(crops[request.align] ?? "crop_end");
    }
    return { axes, square: squareOf(options.square, axes, rank), requests };
}

/** The extents that tensors get, of which `longest` are the longest. The engine keeps the requests. */
function fitExtents(engine, { square, requests }, longest) {
    const { f64, i32 } = engine;
    i32[SLATE.rank] = longest.length;
    [i32[SLATE.beforeCount], i32[SLATE.afterCount]] = square ?? [-1, -1];
    requests.forEach(({ size, multiple, align, tooLong }, i) => {
        const isOffset = typeof align === "number";
        f64[SLATE.extents + i] = longest[i];
        f64[SLATE.before + i] = size ?? 0;
        f64[SLATE.after + i] = multiple ?? 0;
        f64[SLATE.interior + i] = isOffset ? align : 0;
        i32[SLATE.modes + i] =
            (isOffset ? OFFSET : ALIGNS.indexOf(align)) + 8 * tooLong + (size === null ? 0 : SIZED);
    });
    engine.check(engine.calls.fit_extents());
    return engine.outShape(longest.length);
}

/** The pad widths of one tensor, after fitExtents. */
function fitWidths(engine, shape) {
    const { f64 } = engine;
    shape.forEach((extent, i) => {
        f64[SLATE.extents + i] = extent;
    });
    engine.check(engine.calls.fit_amounts());
    return shape.map((_, i) => [f64[SLATE.before + i], f64[SLATE.after + i]]);
}

/** What a function gives that reads arguments and writes the slate. */
function reading(engine, make) {
    const number = engine.beginReading();
    const made = make();
    engine.endReading(number);
    return made;
}

/** The extents of a tensor as a list. */
function extentsOf(engine, shape) {
    const rank = readRank(engine, shape);
    return Array.from(engine.f64.subarray(SLATE.extents, SLATE.extents + rank));
}

/** The options of `pad` among those of another call, with the pad widths. */
function padOptions(options, padWidth, axes) {
    const made = axes === null ? { padWidth } : { axes, padWidth: axes.map((i) => padWidth[i]) };
    for (const name of PADDED) {
        if (options[name] !== undefined) made[name] = options[name];
    }
    return made;
}

/** Runs what an error is to name an item of a batch for. */
function ofItem(number, call) {
    try {
        return call();
    } catch (error) {
        if (error instanceof Error) {
            const { message } = error;
            error.message = `item ${number}${message.startsWith("axis ") ? "," : ":"} ${message}`;
        }
        throw error;
    }
}

function wholeBytes(type) {
    if (type.bits >= 8) return type;
    throw new TypeError(`padBatch has no elements of ${type.name}`);
}

/** A list of numbers as a typed array. */
function arrayOfList(list, word) {
    if (word === undefined)
        throw new TypeError("a list of numbers needs `type`, the elements' type");
    const type = wholeBytes(typeNamed(word));
    const bytes = new Uint8Array((list.length * type.bits) / 8);
    const view = new DataView(bytes.buffer);
    list.forEach((one, i) => writeElement(view, (i * type.bits) / 8, type, one, "data"));
    return new (classFor(type).Array)(bytes.buffer);
}

const product = (list) => list.reduce((a, b) => a * b, 1);

/** How many of an axis's cells lie in an output of that length. */
const lengthIn = ([before], extent, length) =>
    Math.max(Math.min(before + extent, length) - Math.max(before, 0), 0);

/** padArray(data, shape, options): pads, as `pad`; checkArray: the same without a result; outArray(out,
 * length, class): the array for a result of that length. */
export function makeFit(engine, { padArray, checkArray, outArray }) {
    function padTo(given, ...more) {
        const [data, shape, options = {}] = argumentsOf(given, more, true);
        checkOptions(options, [...TARGETS, "square", "axes", ...PADDED], "padTo");
        const [extents, asked] = reading(engine, () => {
            const extents = extentsOf(engine, shape);
            return [extents, readRequests(options, extents.length, "center")];
        });
        fitExtents(engine, asked, extents);
        const padWidth = fitWidths(engine, extents);
        const made = padArray(data, shape, padOptions(options, padWidth, asked.axes));
        const result = partsOf(given) === null ? made : resultLike(given, made);
        return Object.assign(result, { padWidth });
    }

    /** What was inside, by axis. */
    function insideOf(shape, { padWidth, interior, axes }) {
        const values = [padWidth, , interior, , axes];
        const rank = reading(engine, () => readPlain(engine, null, shape, values));
        const { f64 } = engine;
        return Array.from({ length: rank }, (_, i) => {
            const [before, after] = [f64[SLATE.before + i], f64[SLATE.after + i]];
            const between = f64[SLATE.interior + i];
            const extent = f64[SLATE.extents + i];
            const amounts = `(${before}, ${after})`;
            const refuse = (why) => {
                throw new RangeError(`axis ${i}: ${why}`);
            };
            if (before < 0 || after < 0) {
                refuse(`the amounts ${amounts} are negative: the cells that they cropped are gone`);
            }
            if (between < 0) refuse(`interior ${between} is negative`);
            const dilated = extent - before - after;
            if (dilated < 0 || (dilated > 1 && (dilated - 1) % (between + 1) !== 0)) {
                refuse(
                    `no array padded by ${amounts} with interior ${between} has extent ${extent}`,
                );
            }
            const inside = dilated < 2 ? dilated : (dilated - 1) / (between + 1) + 1;
            return { before, after, between: inside < 2 ? 0 : between, inside };
        });
    }

    function unpad(given, ...more) {
        const [first, shape, options] = argumentsOf(given, more, true);
        checkOptions(options, ["padWidth", "interior", "axes", "type", "out"], "unpad");
        if (options.padWidth === undefined) throw new TypeError("padWidth is missing");
        const { type, out } = options;
        const axes = insideOf(shape, options);
        const goal = axes.map(({ inside }) => inside);
        // Each cell gets its interior cells after it, which lie in one row of a matrix with it.
        const padWidth = axes.map(({ before, after, between }) => [-before, between - after]);
        const extents = axes.map(({ between, inside }) => inside * (between + 1));
        const steps = [[shape, { padWidth }]];
        axes.forEach(({ between }, i) => {
            if (between === 0) return;
            const rows = product(goal.slice(0, i + 1));
            const inner = product(extents.slice(i + 1));
            const crop = [0, -between * inner];
            steps.push([[rows, (between + 1) * inner], { padWidth: [[0, 0], crop] }]);
        });
        let data = first;
        steps.forEach(([from, step], i) => {
            if (type !== undefined) step.type = type;
            if (i === steps.length - 1 && out !== undefined) step.out = out;
            ({ data } = padArray(data, from, step));
        });
        const made = { data, shape: goal };
        return partsOf(given) === null ? made : resultLike(given, made);
    }

    /** The items of a batch: {data, shape, type, arrayClass}, all of one type and rank. */
    function readItems(items, word) {
        const all = items.map((item, number) =>
            ofItem(number, () => {
                const given = Array.isArray(item) ? arrayOfList(item, word) : item;
                const parts = partsOf(given) ?? { data: given, shape: [given?.length] };
                const arrayClass = classOf(parts.data, "data");
                const type = wholeBytes(typeOfClass(arrayClass, word ?? parts.type));
                const shape = extentsOf(engine, parts.shape);
                return { data: parts.data, shape, type, arrayClass };
            }),
        );
        if (all.length === 0) throw new RangeError("padBatch needs at least one item");
        const [{ shape, type, arrayClass }] = all;
        all.forEach((one, i) => {
            const rank = one.shape.length;
            if (rank !== shape.length) {
                throw new RangeError(`item ${i} has rank ${rank}, item 0 has ${shape.length}`);
            }
            if (one.type !== type || one.arrayClass !== arrayClass) {
                const named = (of) => `type ${of.type.name} in a ${of.arrayClass.name}`;
                throw new TypeError(`item ${i} has ${named(one)}, item 0 ${named(all[0])}`);
            }
        });
        return all;
    }

    function padBatch(items, options = {}) {
        if (!isObject(items) || !(Symbol.iterator in items)) {
            throw new TypeError("items is not a list of tensors");
        }
        const known = [...TARGETS, "atMost", "axes", ...PADDED, "mask", "lengths"];
        checkOptions(options, known, "padBatch");
        const given = [...items];
        const [all, asked] = reading(engine, () => {
            const all = readItems(given, options.type);
            const rank = all[0].shape.length;
            if (rank === MOST_RANK) throw new RangeError("an item has at most 15 axes");
            return [all, readRequests(options, rank, "start")];
        });
        const longest = all[0].shape.map((_, i) =>
            all.reduce((most, one) => Math.max(most, one.shape[i]), 0),
        );
        asked.requests.forEach((request, i) => {
            const { align, atMost, isChosen } = request;
            const extent = longest[i] + (typeof align === "number" ? align : 0);
            if (atMost !== null && extent > atMost) request.size = atMost;
            const first = all[0].shape[i];
            const other = all.findIndex(({ shape }) => !isChosen && shape[i] !== first);
            if (other < 0) return;
            throw new RangeError(
                `item ${other}, axis ${i}: the extent is ${all[other].shape[i]}, item 0 has ` +
                    `${first}: axes that \`axes\` leaves out have to be equal`,
            );
        });
        const extents = fitExtents(engine, asked, longest);
        const widths = all.map(({ shape }, i) => ofItem(i, () => fitWidths(engine, shape)));
        const [{ type, arrayClass }] = all;
        const cells = product(extents);
        const each = arrayLength(type, cells);
        const data = outArray(options.out, all.length * each, arrayClass);
        const alike = { type: type.name, out: undefined };
        const own = widths.map((one) => ({ ...padOptions(options, one, asked.axes), ...alike }));
        all.forEach((one, i) => {
            if (options.out === undefined) return;
            ofItem(i, () => checkArray(one.data, one.shape, own[i]));
            if (overlap(one.data, data)) throw new RangeError(`item ${i} shares memory with out`);
        });
        all.forEach((one, i) => {
            const out = data.subarray(i * each, (i + 1) * each);
            ofItem(i, () => padArray(one.data, one.shape, { ...own[i], out }));
        });
        const made = { data: options.out ?? data, shape: [all.length, ...extents] };
        const isTensor = partsOf(given[0]) !== null && !isImage(given[0]);
        const result = isTensor ? resultLike(given[0], made) : made;
        if (options.mask) {
            result.mask = new Uint8Array(all.length * cells);
            all.forEach(({ shape }, i) => {
                const ones = new Uint8Array(product(shape)).fill(1);
                const out = result.mask.subarray(i * cells, (i + 1) * cells);
                padArray(ones, shape, { padWidth: widths[i], out });
            });
        }
        if (options.lengths) {
            result.lengths = all.map(({ shape }, i) => {
                const lengths = shape.map((n, k) => lengthIn(widths[i][k], n, extents[k]));
                return lengths.length === 1 ? lengths[0] : lengths;
            });
        }
        return result;
    }

    return { padTo, unpad, padBatch };
}
