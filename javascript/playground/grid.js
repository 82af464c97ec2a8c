/** A tensor as a grid of cells, their size, and the lines between the cells of the result and the
 * cells of the input that they repeat. */

/** The place of a cell in words, from its number in row-major order. */
export function placeOf(shape, at) {
    const index = [];
    for (let axis = shape.length - 1, rest = at; axis >= 0; axis--) {
        index.unshift(rest % shape[axis]);
        rest = Math.floor(rest / shape[axis]);
    }
    if (shape.length === 0) return "the only cell";
    if (shape.length === 1) return `cell ${index[0]}`;
    const [row, column] = index.slice(-2);
    const slice = index.length > 2 ? `slice ${index.slice(0, -2).join(", ")}, ` : "";
    return `${slice}row ${row}, column ${column}`;
}

/** Draws a tensor into `place`, and returns its cells in row-major order. describe(at) gives for
 * each cell {text, label, classes, style, source}. One cell is in the order of the tab key; the
 * arrow keys move from there. onActive(at) hears which cell is hovered or focused, -1 for none. */
export function drawGrid(place, shape, title, describe, onActive) {
    const columns = shape.at(-1) ?? 1;
    const rows = shape.at(-2) ?? 1;
    const slices = shape.slice(0, -2).reduce((count, extent) => count * extent, 1);
    const cells = [];
    const holder = element("div", { className: slices > 1 ? "slices" : "" });
    for (let slice = 0; slice < slices; slice++) {
        holder.append(drawSlice(shape, slice, rows, columns, title, describe, cells));
    }
    place.append(holder);
    listen(holder, cells, rows, columns, onActive);
    return cells;
}

function drawSlice(shape, slice, rows, columns, title, describe, cells) {
    const where = shape.length > 2 ? `slice ${indexOfSlice(shape, slice).join(", ")}` : "";
    const small = columns > 9 || rows > 9;
    const table = element("table", {
        className: small ? "cells small" : "cells",
        role: "grid",
        "aria-label": where ? `${title}, ${where}` : title,
    });
    if (rows > 0 && columns > 0) {
        const head = element("tr");
        if (shape.length > 1) head.append(element("th"));
        for (let column = 0; column < columns; column++) {
            head.append(element("th", { scope: "col", textContent: column }));
        }
        table.append(element("thead", { "aria-hidden": "true" }, head));
    }
    const body = element("tbody");
    for (let row = 0; row < rows; row++) {
        const line = element("tr");
        if (shape.length > 1) {
            line.append(element("th", { textContent: row, "aria-hidden": "true" }));
        }
        for (let column = 0; column < columns; column++) {
            const at = (slice * rows + row) * columns + column;
            const { text, label, classes, style, source } = describe(at);
            const spoken = { role: "gridcell", "aria-label": label };
            const cell = element("td", { ...spoken, className: classes, tabIndex: -1 }, text);
            if (style) cell.style.cssText = style;
            if (source !== undefined) cell.dataset.source = source;
            cells.push(cell);
            line.append(cell);
        }
        body.append(line);
    }
    table.append(body);
    const part = element("div", { className: "slice" });
    if (where) part.append(element("p", { className: "caption", textContent: where }));
    part.append(element("div", { className: "scroll" }, table));
    return part;
}

function indexOfSlice(shape, slice) {
    const index = [];
    for (let axis = shape.length - 3, rest = slice; axis >= 0; axis--) {
        index.unshift(rest % shape[axis]);
        rest = Math.floor(rest / shape[axis]);
    }
    return index;
}

/** Makes cells one stop of the tab key, from which the arrow keys move. */
export function listen(holder, cells, rows, columns, onActive) {
    if (cells.length === 0) return;
    const numbers = new Map(cells.map((cell, at) => [cell, at]));
    const cellOf = (event) => numbers.get(event.target.closest("td")) ?? -1;
    cells[0].tabIndex = 0;
    let last = 0;
    holder.addEventListener("focusin", (event) => {
        const at = cellOf(event);
        cells[last].tabIndex = -1;
        last = at;
        cells[at].tabIndex = 0;
        onActive(at);
    });
    holder.addEventListener("focusout", () => onActive(-1));
    holder.addEventListener("pointerover", (event) => onActive(cellOf(event)));
    holder.addEventListener("pointerleave", () => {
        onActive(holder.contains(document.activeElement) ? last : -1);
    });
    holder.addEventListener("keydown", (event) => {
        if (event.altKey || event.metaKey) return;
        const to = moved(event, last, rows, columns, cells.length);
        if (to === null) return;
        event.preventDefault();
        cells[to].focus();
    });
}

/** The cell that a key leads to, or null for other keys. Up and down go on in the next slice. */
function moved(event, at, rows, columns, count) {
    const start = at - (at % columns);
    switch (event.key) {
        case "ArrowRight":
            return at % columns < columns - 1 ? at + 1 : at;
        case "ArrowLeft":
            return at % columns > 0 ? at - 1 : at;
        case "ArrowDown":
            return at + columns < count ? at + columns : at;
        case "ArrowUp":
            return at >= columns ? at - columns : at;
        case "PageDown":
            return at + rows * columns < count ? at + rows * columns : at;
        case "PageUp":
            return at >= rows * columns ? at - rows * columns : at;
        case "Home":
            return event.ctrlKey ? 0 : start;
        case "End":
            return event.ctrlKey ? count - 1 : start + columns - 1;
        default:
            return null;
    }
}

/** Draws lines between pairs of cells into the SVG that lies over `stage`. */
export function drawLines(svg, stage, pairs) {
    clearLines(svg);
    const base = stage.getBoundingClientRect();
    for (const pair of pairs) {
        const [start, end] = pair.map((cell) => {
            const box = cell.getBoundingClientRect();
            return { x: box.x + box.width / 2 - base.x, y: box.y + 2 - base.y };
        });
        const middle = Math.min(start.y, end.y) - 12 - Math.min(40, Math.abs(start.x - end.x) / 8);
        const path = vector("path", {
            d:
                `M ${start.x} ${start.y} Q ${(start.x + end.x) / 2} ${middle} ` +
                `${end.x} ${end.y}`,
        });
        svg.append(path, vector("circle", { cx: end.x, cy: end.y, r: 3.5 }));
    }
}

export function clearLines(svg) {
    svg.replaceChildren();
}

/** An element with properties, attributes (role, and names with a dash) and children. */
export function element(name, properties = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
        if (key === "role" || key.includes("-")) made.setAttribute(key, value);
        else made[key] = value;
    }
    made.append(...children);
    return made;
}

export const byId = (id) => document.getElementById(id);

export function vector(name, attributes) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
}

const LEAST = 14;
const MOST = 64;
/** The same where slices of a tensor stand side by side. */
const MOST_OF_SLICES = 30;
/** Below this width of the window the result stands above the form, and takes a part of the height. */
const NARROW = matchMedia("(max-width: 59.99rem)");
/** What stands around the cells: row numbers, gaps, captions, borders. In pixels. */
const AROUND = { wide: { across: 150, down: 44 }, narrow: { across: 80, down: 26 } };
/** What the page has above and below the cells in a wide window, in pixels. */
const OTHERS_WIDE = 300;
/** The part of a narrow window's height that the result may take, and what of it is not cells. */
const PART_NARROW = 0.34;
const PART_FRAME = 0.7;
const OTHERS_NARROW = 76;

/** Sets the size of the cells for an input and a result of these shapes. */
export function fitCells(stage, inShape, outShape) {
    const [rows, columns] = lastTwo(outShape);
    const [inRows, inColumns] = lastTwo(inShape);
    const around = NARROW.matches ? AROUND.narrow : AROUND.wide;
    const isFrame = document.body.classList.contains("embed");
    const room = NARROW.matches
        ? innerHeight * (isFrame ? PART_FRAME : PART_NARROW) - OTHERS_NARROW
        : Math.max(innerHeight - OTHERS_WIDE, 240);
    const across = (stage.clientWidth - around.across) / (inColumns + 2 * columns);
    const down = (room - around.down) / Math.max(rows, inRows, 1);
    const most = Math.max(inShape.length, outShape.length) > 2 ? MOST_OF_SLICES : MOST;
    const size = Math.floor(Math.min(most, Math.max(LEAST, Math.min(across, down))));
    stage.style.setProperty("--cell", `${size}px`);
    stage.classList.toggle("small", size < 24);
    stage.classList.toggle("tiny", size < 18);
}

/** Rows and columns of a slice. */
export function lastTwo(shape) {
    return [shape.at(-2) ?? 1, shape.at(-1) ?? 1];
}
