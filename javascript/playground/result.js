/** The result of the page: the grid of numbers with the input beside it, the padded picture, or
 * the error. */
import { drawGrid, drawPointer, element, placeOf } from "./grid.js";
import { paintTensor } from "./picture.js";
import { cellCount } from "./problem.js";
import {
    cellsOf, elementsOf, pictureProblem, Refused, solve, solveElements, solveShape,
} from "./solve.js";
import { textOfElement, typeNamed } from "./types.js";

const MOST_DRAWN = 2048;
const MOST_PIXELS = 8e6;

/** Draws the state. `picture` is the input picture: {data, height, width, name}. Returns a
 * sentence for screen readers. */
export function drawResult(api, state, picture) {
    const places = Object.fromEntries(["result", "source", "legend", "hint", "shapes", "pointer"]
        .map((id) => [id, document.getElementById(id)]));
    for (const place of Object.values(places)) place.replaceChildren();
    delete places.result.dataset.shape;
    const problem = state.input === "picture"
        ? pictureProblem(state.problem, picture.height, picture.width) : state.problem;
    let shape;
    try {
        shape = solveShape(api, problem);
        places.shapes.textContent = `${sizeText(problem.shape)} \u2192 ${sizeText(shape)}`;
        places.result.dataset.state = "ok";
        places.result.dataset.shape = shape.join(",");
        if (state.input === "picture") return drawPictures(api, places, problem, shape, picture);
        return drawNumbers(api, places, problem, shape);
    } catch (error) {
        if (!(error instanceof Refused)) throw error;
        places.shapes.textContent = `${sizeText(problem.shape)} \u2192 no result`;
        for (const id of ["result", "source", "legend", "hint"]) places[id].replaceChildren();
        return drawError(places, problem, error, state.input === "picture" ? picture : null);
    }
}

function sizeText(shape) {
    return shape.length === 0 ? "a single cell" : shape.join(" \u00d7 ");
}

function drawError(places, problem, error, picture) {
    places.result.dataset.state = "error";
    delete places.result.dataset.shape;
    const box = element("div", { className: "error" });
    const sentence = element("p", { id: "error", textContent: error.message });
    sentence.dataset.status = error.status;
    box.append(sentence);
    if (error.status) {
        box.append(element("p", { className: "status",
            textContent: `${error.status}, said by ${problem.spec}` }));
    }
    places.result.append(box);
    if (picture) drawInputPicture(places, picture);
    else drawInput(places, problem, null, null);
    return `Refused: ${error.message}`;
}

function drawNumbers(api, places, problem, shape) {
    const said = `${problem.shape.join(" by ")} becomes ${shape.join(" by ")}.`;
    if (cellCount(shape) > MOST_DRAWN) {
        places.result.append(element("p", { textContent: "The engine takes this problem; a result "
            + `of ${cellCount(shape)} cells is too large to draw here (${MOST_DRAWN} at most).` }));
        drawInput(places, problem, null, null);
        return said;
    }
    const solved = solveElements(api, problem);
    const cells = cellsOf(api, problem);
    if (cells.length === 0) {
        places.result.append(element("p", { textContent: "The result has no cells." }));
    }
    const type = typeNamed(problem.type);
    const frame = frameOf(cells, shape);
    const links = {};
    links.out = drawGrid(places.result, shape, `Result, ${sizeText(shape)}`, (at) => {
        const cell = cells[at];
        const text = textOfElement(type, solved.data[at]);
        const from = cell.source < 0
            ? "the constant" : `from ${placeOf(problem.shape, cell.source)}`;
        return { text, label: `${placeOf(shape, at)}: ${text}, ${from}`, source: cell.source,
            classes: classesOf(cell) + frame(at), style: styleOf(cell) };
    }, (at) => point(places, links, cells, at));
    drawInput(places, problem, cells, links);
    drawLegend(places.legend, problem, cells);
    places.hint.textContent = "Point at a cell, or move among the cells with the arrow keys, to "
        + "see where it comes from.";
    return said;
}

/** The input beside the result; cells that are not in their own place in the result are dashed. */
function drawInput(places, problem, cells, links) {
    if (cellCount(problem.shape) > MOST_DRAWN) return;
    const type = typeNamed(problem.type);
    const elements = elementsOf(problem);
    const kept = cells && new Set(cells.filter((cell) => cell.inside).map((cell) => cell.source));
    const times = new Map();
    for (const cell of cells ?? []) times.set(cell.source, (times.get(cell.source) ?? 0) + 1);
    const title = `Input, ${sizeText(problem.shape)}`;
    places.source.append(element("p", { className: "caption", textContent: title }));
    const drawn = drawGrid(places.source, problem.shape, title, (at) => {
        const text = textOfElement(type, type.raw ? Number(elements[at]) : elements[at]);
        const count = times.get(at) ?? 0;
        const used = cells ? `, in ${count} ${count === 1 ? "cell" : "cells"} of the result` : "";
        return { text, label: `${placeOf(problem.shape, at)}: ${text}${used}`,
            classes: kept && !kept.has(at) ? "cut" : "" };
    }, (at) => { if (links) pointBack(places, links, cells, at); });
    if (links) links.in = drawn;
}

function point(places, links, cells, at) {
    clearMarks(links);
    const from = links.out[at];
    const to = at >= 0 ? links.in?.[cells[at].source] : undefined;
    for (const cell of [from, to]) cell?.classList.add("pointed");
    drawPointer(places.pointer, document.getElementById("stage"), from, to);
}

function pointBack(places, links, cells, at) {
    clearMarks(links);
    drawPointer(places.pointer);
    if (at < 0) return;
    links.in[at].classList.add("pointed");
    cells.forEach((cell, out) => {
        if (cell.source === at) links.out[out].classList.add("pointed");
    });
}

function clearMarks(links) {
    for (const cell of [...links.out, ...(links.in ?? [])]) cell.classList.remove("pointed");
}

function classesOf(cell) {
    if (cell.source < 0) return cell.gap ? "gap" : "constant";
    if (cell.inside) return "inside";
    const modes = new Set(cell.beyond);
    return modes.size > 1 ? "mixed" : cell.beyond[0] ?? "";
}

function styleOf(cell) {
    const modes = [...new Set(cell.beyond)];
    return modes.length > 1 ? `--first: var(--${modes[0]}); --second: var(--${modes[1]})` : "";
}

/** The frame around the elements in their own places: which cell has which side of it, as
 * classes. */
function frameOf(cells, shape) {
    const columns = shape.at(-1) ?? 1;
    const size = (shape.at(-2) ?? 1) * columns;
    const boxes = new Map();
    cells.forEach((cell, at) => {
        if (!cell.inside) return;
        const [slice, row, column] = [Math.floor(at / size), Math.floor(at % size / columns),
            at % columns];
        const box = boxes.get(slice) ?? [row, row, column, column];
        boxes.set(slice, [Math.min(box[0], row), Math.max(box[1], row), Math.min(box[2], column),
            Math.max(box[3], column)]);
    });
    return (at) => {
        const box = boxes.get(Math.floor(at / size));
        if (!box) return "";
        const [row, column] = [Math.floor(at % size / columns), at % columns];
        if (row < box[0] || row > box[1] || column < box[2] || column > box[3]) return "";
        return [[row === box[0], " top"], [row === box[1], " bottom"], [column === box[2], " left"],
            [column === box[3], " right"]].map(([is, side]) => (is ? side : "")).join("");
    };
}

function drawLegend(place, problem, cells) {
    const entries = [["inside", "the input, in its place"]];
    const beyond = new Set(cells.flatMap((cell) => cell.beyond));
    for (const mode of beyond) entries.push([mode, `repeated by ${mode}`]);
    if (cells.some((cell) => cell.source < 0 && !cell.gap)) {
        entries.push(["constant", "the constant"]);
    }
    if (cells.some((cell) => cell.gap)) entries.push(["gap", "interior, the constant"]);
    for (const [kind, text] of entries) {
        const item = element("li");
        const swatch = element("span", { className: `swatch ${kind}` });
        item.append(swatch, element("span", { textContent: text }));
        place.append(item);
    }
}

/** Shows the padded picture, or why it is not drawn. */
function drawPictures(api, places, problem, shape, picture) {
    const planes = problem.spec === "mli-chw";
    const [height, width] = planes ? shape.slice(1) : shape;
    const said = `${picture.height} by ${picture.width} becomes ${height} by ${width}.`;
    drawInputPicture(places, picture);
    if (height * width > MOST_PIXELS) {
        places.result.append(element("p", { textContent: `A picture of ${height} \u00d7 ${width} `
            + `is too large to draw here: ${MOST_PIXELS / 1e6} million pixels at most.` }));
        return said;
    }
    if (height * width === 0) {
        places.result.append(element("p", { textContent: "The result has no cells." }));
        return said;
    }
    const solved = solve(api, problem, picture.elements(problem));
    const canvas = element("canvas", { id: "result-picture" });
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${picture.name}, padded to ${height} by ${width}`);
    paintTensor(canvas, solved.data, height, width, planes);
    places.result.append(canvas);
    return said;
}

function drawInputPicture(places, picture) {
    const canvas = element("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `the input: ${picture.name}`);
    paintTensor(canvas, picture.data, picture.height, picture.width, false);
    places.source.append(element("p", { className: "caption",
        textContent: `Input, ${picture.height} \u00d7 ${picture.width}` }), canvas);
}
