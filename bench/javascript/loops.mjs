// What a good programmer writes without a library: four ways to pad a tensor in plain JavaScript.
//
// Each make function prepares what depends on the shape, and gives back a function (src, dst) that
// writes the whole output. A workload is seen as `count` planes of `high` rows of `wide` pixels of
// `cell` elements, of which high and wide are padded. The fill value is zero.
//
// SPDX-License-Identifier: MIT

/** The input index that index i of a padded axis reads, or -1 for the fill value. */
export function sourceIndex(mode, i, extent, before) {
    const t = i - before;
    if (t >= 0 && t < extent) return t;
    const around = (period) => ((t % period) + period) % period;
    if (mode === "edge") return t < 0 ? 0 : extent - 1;
    if (mode === "wrap") return around(extent);
    if (mode === "symmetric") {
        const at = around(2 * extent);
        return Math.min(at, 2 * extent - 1 - at);
    }
    if (mode === "reflect") {
        const at = extent > 1 ? around(2 * (extent - 1)) : 0;
        return Math.min(at, 2 * (extent - 1) - at);
    }
    return -1;
}

const product = (extents) => extents.reduce((a, b) => a * b, 1);

/** The workload as planes; null where the padded axes are not one axis or two neighbours. */
export function planes({ shape, begin, end, mode, zero }) {
    const padded = shape.map((_, axis) => axis).filter((axis) => begin[axis] || end[axis]);
    const [first, last] = [padded[0], padded[padded.length - 1]];
    if (padded.length > 2 || last - first > 1) return null;
    const high = first < last ? shape[first] : 1;
    const [top, bottom] = first < last ? [begin[first], end[first]] : [0, 0];
    const [wide, cell] = [shape[last], product(shape.slice(last + 1))];
    const outHigh = top + high + bottom;
    const outWide = begin[last] + wide + end[last];
    const rows = Int32Array.from({ length: outHigh }, (_, y) => sourceIndex(mode, y, high, top));
    const table = new Int32Array(outWide * cell).fill(-1); // where each element of a row comes from
    for (let x = 0; x < outWide; x++) {
        const from = sourceIndex(mode, x, wide, begin[last]);
        for (let c = 0; c < cell && from >= 0; c++) table[x * cell + c] = from * cell + c;
    }
    const begins = Math.max(0, begin[last]) * cell; // where the copied elements of a row begin
    const ends = Math.min(outWide, begin[last] + wide) * cell;
    const skipped = Math.max(0, -begin[last]) * cell;
    return {
        count: product(shape.slice(0, first)),
        high,
        row: wide * cell,
        outHigh,
        outRow: outWide * cell,
        rows,
        table,
        begins,
        ends,
        skipped,
        zero,
    };
}

/** Whole rows by set and fill, the border element by element. */
function makeRows(form) {
    const { count, high, row, outHigh, outRow, rows, table, begins, ends, skipped, zero } = form;
    return (src, dst) => {
        let o = 0;
        for (let n = 0; n < count; n++) {
            for (let y = 0; y < outHigh; y++, o += outRow) {
                if (rows[y] < 0) {
                    dst.fill(zero, o, o + outRow);
                    continue;
                }
                const s = (n * high + rows[y]) * row;
                for (let k = 0; k < begins; k++) {
                    dst[o + k] = table[k] < 0 ? zero : src[s + table[k]];
                }
                const from = s + skipped;
                dst.set(src.subarray(from, from + ends - begins), o + begins);
                for (let k = ends; k < outRow; k++) {
                    dst[o + k] = table[k] < 0 ? zero : src[s + table[k]];
                }
            }
        }
    };
}

/** Element by element; those that are copied without a table. */
function makeElements(form) {
    const { count, high, row, outHigh, outRow, rows, table, begins, ends, skipped, zero } = form;
    return (src, dst) => {
        let o = 0;
        for (let n = 0; n < count; n++) {
            for (let y = 0; y < outHigh; y++, o += outRow) {
                if (rows[y] < 0) {
                    for (let k = 0; k < outRow; k++) dst[o + k] = zero;
                    continue;
                }
                const s = (n * high + rows[y]) * row;
                const from = s + skipped - begins;
                for (let k = 0; k < begins; k++) {
                    dst[o + k] = table[k] < 0 ? zero : src[s + table[k]];
                }
                for (let k = begins; k < ends; k++) dst[o + k] = src[from + k];
                for (let k = ends; k < outRow; k++) {
                    dst[o + k] = table[k] < 0 ? zero : src[s + table[k]];
                }
            }
        }
    };
}

/** One loop over a row, by the table. */
function makeTable(form) {
    const { count, high, row, outHigh, outRow, rows, table, zero } = form;
    return (src, dst) => {
        let o = 0;
        for (let n = 0; n < count; n++) {
            for (let y = 0; y < outHigh; y++, o += outRow) {
                const s = (n * high + rows[y]) * row;
                for (let k = 0; k < outRow; k++) {
                    dst[o + k] = rows[y] < 0 || table[k] < 0 ? zero : src[s + table[k]];
                }
            }
        }
    };
}

/** One statement for each element of a row, for short rows. */
function makeUnrolled(form) {
    const { count, high, row, outHigh, outRow, rows, table, zero } = form;
    if (outRow > 16) return null;
    const text = zero === 0n ? "0n" : "0";
    const filled = [...table].map((_, k) => `dst[o + ${k}] = ${text};`).join(" ");
    const copied = [...table]
        .map((from, k) => {
            return `dst[o + ${k}] = ${from < 0 ? text : `src[s + ${from}]`};`;
        })
        .join(" ");
    return new Function(
        "rows",
        `return (src, dst) => {
        let o = 0;
        for (let n = 0; n < ${count}; n++) {
            for (let y = 0; y < ${outHigh}; y++, o += ${outRow}) {
                if (rows[y] < 0) { ${filled} continue; }
                const s = (n * ${high} + rows[y]) * ${row};
                ${copied}
            }
        }
    };`,
    )(rows);
}

export const loops = {
    rows: makeRows,
    elements: makeElements,
    table: makeTable,
    unrolled: makeUnrolled,
};
