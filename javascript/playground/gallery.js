/** The gallery: problems that are drawn by the engine, each a link that opens it. */
import { MODES } from "../src/arguments.js";
import { element, vector, byId } from "./grid.js";
import { paintTensor } from "./picture.js";
import { cellsOf, pictureProblem, Refused, solve, solveElements, solveShape } from "./solve.js";
import { readHash } from "./state.js";
import { textOfElement, typeNamed } from "./types.js";

/** [hash, title, sentence] */
const GALLERY = [
    [
        "#spec=plain&shape=3,4&mode=reflect&begin=2,3&end=2,3",
        "Reflect",
        "Mirrored at the edges; the edge itself is not repeated.",
    ],
    [
        "#spec=plain&shape=3,4&mode=symmetric&begin=2,3&end=2,3",
        "Symmetric",
        "Mirrored after the edges; the edge is repeated.",
    ],
    [
        "#spec=plain&shape=2,3&mode=wrap&begin=2,3&end=3,5",
        "Wrap, more than once",
        "The amounts may be larger than the tensor, which then repeats again and again.",
    ],
    [
        "#spec=plain&shape=3,4&mode=edge,wrap&begin=2,2&end=2,2",
        "A mode for each axis",
        "Each row goes around as on a globe; the first and the last one are repeated.",
    ],
    [
        "#spec=plain&shape=3,3&mode=constant&begin=1,1&end=1,1&interior=1,2",
        "Gaps between elements",
        "What a transposed convolution and a dilated kernel need.",
    ],
    [
        "#spec=plain&shape=4,6&mode=constant&begin=-1,-2&end=-1,2",
        "Crop and pad",
        "Negative amounts remove cells.",
    ],
    [
        "#spec=plain&shape=6&mode=reflect&begin=-2&end=5&order=window",
        "Extended, then cut",
        "Cropped in front, extended after it: the whole input is mirrored.",
    ],
    [
        "#spec=plain&shape=6&mode=reflect&begin=-2&end=5&order=crop",
        "Cut, then extended",
        "The same amounts, but only what the crop has left is mirrored, as in ONNX.",
    ],
    [
        "#spec=onnx-19&shape=3,2&data=1,1.2,2.3,3.4,4.5,5.7&mode=wrap&begin=2,1&end=1,1",
        "ONNX's own example",
        "Mode wrap as the specification of Pad-19 shows it.",
    ],
    [
        "#spec=openvino-12&shape=3,4&mode=reflect&begin=0,4&end=0,1",
        "A specification's limit",
        "OpenVINO does not reflect by more than the extent less one, and says so.",
    ],
    [
        "#spec=ngraph&shape=3,3&type=int32&mode=constant&begin=1,2&end=1,0&interior=1,2&value=42",
        "nGraph's gaps between elements",
        "1 to 9 with 42 around and between them.",
    ],
    [
        "#spec=plain&input=picture&mode=symmetric&begin=48,96&end=48,96",
        "A picture",
        "Height and width of your own picture, or of this one.",
    ],
    [
        "#spec=plain&input=picture&mode=constant&begin=16,16&end=16,16&value=196,64,48,255",
        "A border in a colour",
        "A constant for each channel: red, green, blue and alpha.",
    ],
];

const CELL = 22;
const KINDS = ["input", "gap", ...MODES];

/** Draws all cards once. */
export function drawGallery(api, picture) {
    const place = byId("cards");
    if (place.children.length > 0) return;
    for (const [hash, title, sentence] of GALLERY) {
        const drawn = element("div", { className: "drawn", "aria-hidden": "true" });
        drawCard(api, drawn, readHash(hash).state, picture);
        const said = [element("h3", {}, title), element("p", {}, sentence)];
        place.append(element("li", {}, element("a", { href: hash }, drawn, ...said)));
    }
}

function drawCard(api, place, state, picture) {
    try {
        if (state.input === "picture") place.append(pictureCard(api, state.problem, picture));
        else place.append(numbersCard(api, state.problem));
    } catch (error) {
        if (!(error instanceof Refused)) throw error;
        place.append(element("div", { className: "error" }, element("p", {}, error.message)));
    }
}

function pictureCard(api, own, picture) {
    const problem = pictureProblem(own, picture.height, picture.width);
    const {
        data,
        shape: [height, width],
    } = solve(api, problem, picture.elements(problem));
    const canvas = element("canvas");
    paintTensor(canvas, data, height, width, false);
    return canvas;
}

function numbersCard(api, problem) {
    const shape = solveShape(api, problem);
    const columns = shape.at(-1) ?? 1;
    const { data } = solveElements(api, problem);
    const rows = data.length / columns;
    const type = typeNamed(problem.type);
    const svg = vector("svg", {
        viewBox: `-2 -2 ${columns * CELL + 4} ${rows * CELL + 4}`,
        width: columns * CELL + 4,
        height: rows * CELL + 4,
    });
    const inside = [];
    cellsOf(api, problem).forEach((cell, at) => {
        const [x, y] = [at % columns, Math.floor(at / columns)];
        const place = { x: x * CELL, y: y * CELL, width: CELL, height: CELL };
        svg.append(vector("rect", { class: `fill-${kindOf(cell)}`, ...place }));
        if (cell.inside) inside.push([x, y]);
        const text = vector("text", { x: (x + 0.5) * CELL, y: (y + 0.5) * CELL + 4 });
        text.textContent = textOfElement(type, data[at]);
        svg.append(text);
    });
    if (inside.length > 0) {
        const [[left, top], [right, bottom]] = [inside[0], inside.at(-1)];
        const size = { width: (right - left + 1) * CELL, height: (bottom - top + 1) * CELL };
        svg.append(vector("rect", { class: "frame", x: left * CELL, y: top * CELL, ...size }));
    }
    return svg;
}

function kindOf(cell) {
    if (cell.source < 0) return cell.gap ? "gap" : "constant";
    return cell.inside ? "input" : cell.beyond[0];
}

/** A result as the text of an SVG file: its cells, or the canvas of a picture. */
export function svgOf(api, problem, canvas) {
    const svg = canvas ? vector("svg", {}) : numbersCard(api, problem);
    if (canvas) {
        const size = { width: canvas.width, height: canvas.height };
        for (const [key, extent] of Object.entries(size)) svg.setAttribute(key, extent);
        svg.append(vector("image", { href: canvas.toDataURL(), ...size }));
    } else {
        const style = getComputedStyle(document.documentElement);
        const colour = (name) => style.getPropertyValue(`--${name}`);
        const fills = KINDS.map((kind) => `.fill-${kind} { fill: ${colour(kind)} }`);
        const lines = [
            `rect { stroke: ${colour("grid")} }`,
            ...fills,
            `.frame { fill: none; stroke: ${colour("strong")}; stroke-width: 3 }`,
            `text { fill: ${colour("text")}; font: 12px sans-serif; text-anchor: middle }`,
        ];
        const rules = vector("style", {});
        rules.textContent = lines.join("\n");
        svg.prepend(rules);
    }
    return new XMLSerializer().serializeToString(svg);
}
