/** The result of the page: the input, the grid of numbers and the photograph beside it; or the padded
 * picture; or the error. Copies travel from their source to their place. */
import { clearLines, drawGrid, drawLines, element, fitCells, placeOf, byId } from "./grid.js";
import { drawBeside, frame, paintTensor } from "./picture.js";
import { cellCount, titleOf } from "./problem.js";
import {
    cellsOf,
    elementsOf,
    pictureProblem,
    Refused,
    solve,
    solveElements,
    solveShape,
} from "./solve.js";
import { textOfElement, typeNamed } from "./types.js";

const MOST_DRAWN = 2048;
const MOST_PIXELS = 8e6;
const HINT = "Point at a cell, or drag the blue border.";

/**
 * What was drawn. said: a sentence for screen readers. cells: as cellsOf has them. out, in: the cells of
 * the result and of the input on the page; in is missing if the input is too large. shape: of the result.
 * tell(text): shows a sentence below the result.
 * @typedef {{said: string, cells?: object[], out?: HTMLElement[], in?: HTMLElement[], shape?: number[],
 *     labels?: string[], tell: (text: string) => void}} Drawn
 */

/** Draws the state. `picture` is the input picture: {data, height, width, name}; `photograph` stands
 * beside numbers. held: a border is being dragged, so the cells keep their size. Returns a Drawn. */
export function drawResult(api, state, picture, photograph, held) {
    const drawnIn = [
        "result",
        "source",
        "beside",
        "legend",
        "hint",
        "shapes",
        "pointer",
        "flights",
    ];
    const places = Object.fromEntries([...drawnIn, "stage"].map((id) => [id, byId(id)]));
    const before = document.getElementById("result-picture");
    const scale = held && before ? before.getBoundingClientRect().width / before.width : 0;
    for (const id of drawnIn) places[id].replaceChildren();
    delete places.result.dataset.shape;
    const isPicture = state.input === "picture";
    places.stage.classList.toggle("of-picture", isPicture);
    places.stage.classList.toggle("held", held);
    const problem = isPicture
        ? pictureProblem(state.problem, picture.height, picture.width)
        : state.problem;
    const tell = (text) => {
        places.hint.textContent = text;
    };
    try {
        const shape = solveShape(api, problem);
        places.shapes.textContent = `${sizeText(problem.shape)} \u2192 ${sizeText(shape)}`;
        places.result.dataset.state = "ok";
        places.result.dataset.shape = shape.join(",");
        if (isPicture)
            return { tell, ...drawPictures(api, places, problem, shape, picture, scale) };
        if (!held) fitCells(places.stage, problem.shape, shape);
        return { tell, ...drawNumbers(api, places, problem, shape, photograph, tell) };
    } catch (error) {
        if (!(error instanceof Refused)) throw error;
        places.shapes.textContent = `${sizeText(problem.shape)} \u2192 no result`;
        for (const id of drawnIn.slice(0, 5)) places[id].replaceChildren();
        return { tell, said: drawError(places, problem, error, isPicture ? picture : null) };
    }
}

function sizeText(shape) {
    return shape.length === 0 ? "a single cell" : shape.join(" \u00d7 ");
}

function drawError(places, problem, error, picture) {
    places.result.dataset.state = "error";
    delete places.result.dataset.shape;
    const box = element("div", { className: "error" });
    const limit = error.message.match(/mode (\w+) an amount is at most .*, (\d+), not (\d+)/);
    if (limit) {
        const [, mode, most, amount] = limit;
        const plainly = `${mode} can add at most ${most} cells here, not ${amount}`;
        box.append(element("p", { className: "plainly" }, plainly));
    }
    const sentence = element("p", { id: "error", textContent: error.message });
    sentence.dataset.status = error.status;
    box.append(sentence);
    if (error.status) {
        const rules = `${error.status}, by the rules of ${titleOf(problem.spec)}`;
        box.append(element("p", { className: "status" }, rules));
    }
    places.result.append(box);
    if (picture) drawInputPicture(places, picture);
    else drawInput(places, problem, null, () => {});
    return `Refused: ${error.message}`;
}

function drawNumbers(api, places, problem, shape, photograph, tell) {
    const said = `${problem.shape.join(" by ")} becomes ${shape.join(" by ")}.`;
    if (cellCount(shape) > MOST_DRAWN) {
        const why =
            "The engine takes this problem; a result " +
            `of ${cellCount(shape)} cells is too large to draw here (${MOST_DRAWN} at most).`;
        places.result.append(element("p", {}, why));
        drawInput(places, problem, null, () => {});
        return { said };
    }
    const solved = solveElements(api, problem);
    const cells = cellsOf(api, problem);
    const title = `Result, ${sizeText(shape)}`;
    const caption = cells.length > 0 ? title : "The result has no cells.";
    places.result.append(element("p", { className: "caption" }, caption));
    const type = typeNamed(problem.type);
    const frame = frameOf(cells, shape);
    const links = { tell };
    const labels = [];
    links.out = drawGrid(
        places.result,
        shape,
        title,
        (at) => {
            const cell = cells[at];
            const text = textOfElement(type, solved.data[at]);
            const from =
                cell.source < 0 ? "the constant" : `from ${placeOf(problem.shape, cell.source)}`;
            labels.push(`${placeOf(shape, at)} is ${text}, ${from}`);
            return {
                text,
                label: labels[at],
                source: cell.source,
                classes: classesOf(cell) + frame(at),
                style: styleOf(cell),
            };
        },
        (at) => point(places, links, cells, at),
    );
    links.in = drawInput(places, problem, cells, (at) => pointBack(places, links, cells, at));
    drawBeside(api, places.beside, problem, shape, photograph);
    drawLegend(places.legend, cells);
    tell(HINT);
    return { said, cells, out: links.out, in: links.in, shape, labels };
}

/** The input; cells that are not in their own place in the result are dashed. Returns its cells, or
 * undefined if there are too many. onActive(at) hears which one is pointed at. */
function drawInput(places, problem, cells, onActive) {
    if (cellCount(problem.shape) > MOST_DRAWN) return undefined;
    const type = typeNamed(problem.type);
    const elements = elementsOf(problem);
    const kept = cells && new Set(cells.filter((cell) => cell.inside).map((cell) => cell.source));
    const times = new Map();
    for (const cell of cells ?? []) times.set(cell.source, (times.get(cell.source) ?? 0) + 1);
    const title = `Input, ${sizeText(problem.shape)}`;
    places.source.append(element("p", { className: "caption", textContent: title }));
    return drawGrid(
        places.source,
        problem.shape,
        title,
        (at) => {
            const text = textOfElement(type, type.raw ? Number(elements[at]) : elements[at]);
            const count = times.get(at) ?? 0;
            const used = cells
                ? `, in ${count} ${count === 1 ? "cell" : "cells"} of the result`
                : "";
            return {
                text,
                label: `${placeOf(problem.shape, at)} is ${text}${used}`,
                classes: kept && !kept.has(at) ? "cut" : "",
            };
        },
        onActive,
    );
}

/** Marks a cell of the result and its source, and says where it comes from. */
function point(places, links, cells, at) {
    clearMarks(places, links);
    if (at < 0) return;
    const from = links.out[at];
    const to = links.in?.[cells[at].source];
    for (const cell of [from, to]) cell?.classList.add("pointed");
    links.tell(from.getAttribute("aria-label"));
    if (to) drawLines(places.pointer, places.stage, [[from, to]]);
}

/** Marks a cell of the input and all its copies. */
function pointBack(places, links, cells, at) {
    if (!links.out) return;
    clearMarks(places, links);
    if (at < 0) return;
    const from = links.in[at];
    const copies = links.out.filter((_, out) => cells[out].source === at);
    for (const cell of [from, ...copies]) cell.classList.add("pointed");
    links.tell(from.getAttribute("aria-label"));
    drawLines(
        places.pointer,
        places.stage,
        copies.map((copy) => [from, copy]),
    );
}

function clearMarks(places, links) {
    for (const cell of [...links.out, ...(links.in ?? [])]) cell.classList.remove("pointed");
    clearLines(places.pointer);
    links.tell(HINT);
}

function classesOf(cell) {
    if (cell.source < 0) return cell.gap ? "gap" : "constant";
    if (cell.inside) return "inside";
    const modes = new Set(cell.beyond);
    return modes.size > 1 ? "mixed" : (cell.beyond[0] ?? "");
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
    const boxes = new Map(); // of each slice, its first and its last such cell
    cells.forEach((cell, at) => {
        const slice = Math.floor(at / size);
        if (cell.inside) boxes.set(slice, [boxes.get(slice)?.[0] ?? at, at]);
    });
    return (at) => {
        const box = boxes.get(Math.floor(at / size));
        if (!box) return "";
        const [[top, left], [bottom, right], [row, column]] = [...box, at].map((cell) => [
            Math.floor((cell % size) / columns),
            cell % columns,
        ]);
        if (row < top || row > bottom || column < left || column > right) return "";
        const sides = [row === top && " top", row === bottom && " bottom"];
        sides.push(column === left && " left", column === right && " right");
        return sides.filter(Boolean).join("");
    };
}

function drawLegend(place, cells) {
    const entries = [["inside", "the input, in its place"]];
    const beyond = new Set(cells.flatMap((cell) => cell.beyond));
    for (const mode of beyond) entries.push([mode, `copied by ${mode}`]);
    if (cells.some((cell) => cell.source < 0 && !cell.gap)) {
        entries.push(["constant", "the constant"]);
    }
    if (cells.some((cell) => cell.gap)) entries.push(["gap", "between elements: the constant"]);
    for (const [kind, text] of entries) {
        const swatch = element("span", { className: `swatch ${kind}` });
        place.append(element("li", {}, swatch, element("span", {}, text)));
    }
}

/** Shows the padded picture, or why it is not drawn. scale: while a border is dragged, how large a pixel is. */
function drawPictures(api, places, problem, shape, picture, scale) {
    const planes = problem.spec === "mli-chw";
    const [height, width] = planes ? shape.slice(1) : shape;
    const said = `${picture.height} by ${picture.width} becomes ${height} by ${width}.`;
    if (height * width > MOST_PIXELS) {
        const why =
            `A picture of ${height} \u00d7 ${width} ` +
            `is too large to draw here: ${MOST_PIXELS / 1e6} million pixels at most.`;
        places.result.append(element("p", {}, why));
        return { said };
    }
    if (height * width === 0) {
        places.result.append(element("p", { textContent: "The result has no cells." }));
        return { said };
    }
    const solved = solve(api, problem, picture.elements(problem));
    const label = `${picture.name}, padded to ${height} by ${width}`;
    const canvas = element("canvas", { id: "result-picture", role: "img", "aria-label": label });
    paintTensor(canvas, solved.data, height, width, planes);
    canvas.style.setProperty("--ratio", width / height);
    if (scale > 0) Object.assign(canvas.style, { width: `${width * scale}px`, maxWidth: "none" });
    const part = element("div", { className: "part" });
    const gaps = problem.interior?.some((cells) => cells > 0);
    frame(part, {
        top: problem.begin[0],
        left: problem.begin[1],
        rows: picture.height,
        columns: picture.width,
        outRows: height,
        outColumns: width,
    });
    const parts = gaps ? [canvas] : [canvas, part];
    places.result.append(element("div", { className: "painted" }, ...parts));
    places.hint.textContent = "Drag the blue border to pad more or less.";
    return { said, shape: [height, width] };
}

function drawInputPicture(places, picture) {
    const canvas = element("canvas", { role: "img", "aria-label": `the input: ${picture.name}` });
    paintTensor(canvas, picture.data, picture.height, picture.width, false);
    places.source.append(
        element("p", { className: "caption" }, `Input, ${picture.height} \u00d7 ${picture.width}`),
        canvas,
    );
}

const MOST = 90;
/** In milliseconds: when the first copy leaves and how long it travels, then the same for the others. */
const FIRST = { delay: 150, duration: 900 };
const OTHERS = { delay: 1000, duration: 480, apart: 28 };
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** Lets the cells beyond the input come from their sources; `drawn` is what drawResult returned. One comes
 * first, and the page says which. Readers who want no motion see the sentence alone. */
export function flyCopies(drawn) {
    const place = byId("flights");
    place.replaceChildren();
    if (!drawn?.in) return;
    const copies = drawn.cells
        .map((cell, at) => ({ ...cell, at }))
        .filter((cell) => cell.source >= 0 && !cell.inside)
        .slice(0, MOST);
    if (copies.length === 0) return;
    drawn.tell(drawn.labels[copies[0].at]);
    if (STILL.matches) return;
    const base = place.getBoundingClientRect();
    copies.forEach(({ source, at }, number) => {
        const timing =
            number === 0 ? FIRST : { ...OTHERS, delay: OTHERS.delay + number * OTHERS.apart };
        fly(place, base, drawn.in[source], drawn.out[at], timing, number === 0);
    });
}

function fly(place, base, from, to, { delay, duration }, isFirst) {
    const [start, end] = [from, to].map((cell) => cell.getBoundingClientRect());
    const copy = element("span", {
        textContent: to.textContent,
        className: `flight ${to.className.split(" ")[0]}${isFirst ? " first" : ""}`,
    });
    Object.assign(copy.style, {
        left: `${start.x - base.x}px`,
        top: `${start.y - base.y}px`,
        width: `${end.width}px`,
        height: `${end.height}px`,
        fontSize: getComputedStyle(to).fontSize,
    });
    const [x, y] = [end.x - start.x, end.y - start.y];
    const rise = isFirst ? -24 : -10;
    to.classList.add("awaited");
    place.append(copy);
    const moves = copy.animate(
        [
            { transform: "translate(0, 0)", opacity: 0 },
            { transform: "translate(0, 0)", opacity: 1, offset: 0.04 },
            {
                transform: `translate(${x / 2}px, ${y / 2 + rise}px) scale(${isFirst ? 1.25 : 1.1})`,
                opacity: 1,
            },
            { transform: `translate(${x}px, ${y}px)`, opacity: 1 },
        ],
        { delay, duration, easing: "ease-in-out", fill: "backwards" },
    );
    const land = () => {
        to.classList.remove("awaited");
        copy.remove();
    };
    moves.finished.then(land, land);
}
