/** Pictures as tensors of height x width x RGBA, and back onto a canvas; the photograph, which is
 * the sample picture and stands beside the cells, padded as they are. */
import { element, lastTwo, byId } from "./grid.js";
import { axesOf, defaultProblem, familyOf } from "./problem.js";
import { Refused, solve } from "./solve.js";

const MOST_SIDE = 1024;
const MOST_FILE = 50e6;

/** A picture from the pixels of a canvas. elements(problem): the array that the problem's
 * specification takes. */
function pictureFrom(canvas, name) {
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    const bytes = new Uint8Array(data.buffer);
    const elements = (problem) => {
        if (problem.type === "uint8") return bytes;
        const signed = new Int8Array(bytes.buffer);
        return problem.spec === "mli-chw" ? toPlanes(signed, height * width) : signed;
    };
    return { data: bytes, width, height, name, elements };
}

function toPlanes(bytes, count) {
    const planes = new Int8Array(bytes.length);
    for (let channel = 0; channel < 4; channel++) {
        for (let at = 0; at < count; at++) planes[channel * count + at] = bytes[4 * at + channel];
    }
    return planes;
}

/** Shows elements of height x width x RGBA, or of four planes, on a canvas. */
export function paintTensor(canvas, data, height, width, planes) {
    canvas.width = width;
    canvas.height = height;
    const image = new ImageData(width, height);
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    if (planes) {
        const count = height * width;
        for (let at = 0; at < 4 * count; at++) image.data[at] = bytes[(at % 4) * count + (at >> 2)];
    } else {
        image.data.set(bytes);
    }
    canvas.getContext("2d").putImageData(image, 0, 0);
}

/** A bitmap on a canvas, smaller or as it is. */
function drawn(bitmap, scale) {
    const [width, height] = [bitmap.width, bitmap.height].map((side) =>
        Math.max(1, Math.round(side * scale)),
    );
    const canvas = element("canvas", { width, height });
    canvas.getContext("2d", { willReadFrequently: true }).drawImage(bitmap, 0, 0, width, height);
    return canvas;
}

/** Reads the reader's file. Returns {picture, note}, or throws an Error that says what is wrong
 * with it. */
export async function readPicture(file) {
    const name = file.name || "the pasted picture";
    if (file.size > MOST_FILE) {
        const size = Math.round(file.size / 1e6);
        throw new Error(`${name}: ${size} MB; this page reads at most ${MOST_FILE / 1e6} MB`);
    }
    let bitmap;
    try {
        bitmap = await createImageBitmap(file);
    } catch {
        throw new Error(`${name}: this browser cannot read it as a picture`);
    }
    const scale = Math.min(1, MOST_SIDE / Math.max(bitmap.width, bitmap.height));
    const canvas = drawn(bitmap, scale);
    const size = `${bitmap.width} \u00d7 ${bitmap.height}`;
    const taken = `${canvas.width} \u00d7 ${canvas.height}`;
    const note =
        scale < 1
            ? `${name}: ${size}, made smaller to ${taken}, since this page ` +
              `takes sides of at most ${MOST_SIDE} pixels.`
            : `${name}: ${size}.`;
    return { picture: pictureFrom(canvas, name), note };
}

/** Pixels of the photograph for a cell, at most, and of the padded one in all. */
const MOST_STEP = 64;
const MOST_PIXELS = 1e6;

/** Reads the photograph that the page holds as base64 of a file of WebP. */
export async function readPhotograph() {
    const text = byId("photograph").textContent;
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/webp" }));
    return pictureFrom(drawn(bitmap, 1), "a cat");
}

/** The middle of the photograph as rows x columns squares of step x step pixels. */
function partOf(photograph, rows, columns, step) {
    const [width, height] = [columns * step, rows * step];
    const scale = Math.max(width / photograph.width, height / photograph.height);
    const [fromWidth, fromHeight] = [width / scale, height / scale];
    const whole = element("canvas");
    paintTensor(whole, photograph.data, photograph.height, photograph.width, false);
    const canvas = element("canvas", { width, height });
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    const [left, top] = [(photograph.width - fromWidth) / 2, (photograph.height - fromHeight) / 2];
    pen.drawImage(whole, left, top, fromWidth, fromHeight, 0, 0, width, height);
    return new Uint8Array(pen.getImageData(0, 0, width, height).data.buffer);
}

/** The same pad for a photograph of which each cell is a square of step x step pixels; null if the pad has
 * cells between elements. The constant is transparent. */
function photographProblem(problem, rows, columns, step) {
    if (problem.interior?.some((cells) => cells > 0)) return null;
    const axes = axesOf(problem);
    const { length } = problem.shape;
    const last = familyOf(problem.spec) === "mli" ? axes : [length - 2, length - 1];
    const of = (list, axis) => (axes.includes(axis) ? list[axes.indexOf(axis)] : 0);
    const modeOf = (axis) =>
        problem.mode.length === 1
            ? problem.mode[0]
            : (problem.mode[axes.indexOf(axis)] ?? "constant");
    const amounts = (list) => [...last.map((axis) => step * of(list, axis)), 0];
    return {
        ...defaultProblem(),
        type: "uint8",
        shape: [rows * step, columns * step, 4],
        mode: [...last.map(modeOf), "constant"],
        begin: amounts(problem.begin),
        end: amounts(problem.end),
        order: familyOf(problem.spec) === "onnx" ? "crop" : problem.order,
    };
}

/** Draws the photograph, padded as the problem pads, into `place`; nothing if it cannot be. */
export function drawBeside(api, place, problem, shape, photograph) {
    const isHwc = problem.spec === "mli-hwc";
    const [rows, columns] = isHwc ? problem.shape : lastTwo(problem.shape);
    const [outRows, outColumns] = isHwc ? shape : lastTwo(shape);
    if (rows * columns * outRows * outColumns === 0) return;
    const step = Math.floor(
        Math.min(
            MOST_STEP,
            Math.sqrt(MOST_PIXELS / (outRows * outColumns)),
            Math.max(photograph.width / columns, photograph.height / rows),
        ),
    );
    const padded = step > 0 ? photographProblem(problem, rows, columns, step) : null;
    if (!padded) return;
    let solved;
    try {
        solved = solve(api, padded, partOf(photograph, rows, columns, step));
    } catch (error) {
        if (error instanceof Refused) return;
        throw error;
    }
    const said = "a photograph of a cat, padded in the same way";
    const canvas = element("canvas", { role: "img", "aria-label": said });
    canvas.style.aspectRatio = `${outColumns} / ${outRows}`;
    canvas.style.setProperty("--columns", outColumns);
    canvas.style.setProperty("--rows", outRows);
    paintTensor(canvas, solved.data, outRows * step, outColumns * step, false);
    const part = element("div", { className: "part" });
    const [top, left] = padded.begin.map((cells) => cells / step);
    frame(part, { top, left, rows, columns, outRows, outColumns });
    place.append(
        element("p", { className: "caption" }, "A photograph"),
        element("div", { className: "photograph" }, canvas, part),
    );
}

/** Lays a box over the part of the padded photograph that is the photograph itself. */
export function frame(part, { top, left, rows, columns, outRows, outColumns }) {
    const inside = (at, most) => Math.min(Math.max(at, 0), most);
    const [y, x] = [inside(top, outRows), inside(left, outColumns)];
    const [low, right] = [inside(top + rows, outRows), inside(left + columns, outColumns)];
    part.hidden = low <= y || right <= x;
    Object.assign(part.style, {
        top: `${(100 * y) / outRows}%`,
        left: `${(100 * x) / outColumns}%`,
        height: `${(100 * (low - y)) / outRows}%`,
        width: `${(100 * (right - x)) / outColumns}%`,
    });
}
