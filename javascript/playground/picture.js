/** Pictures as tensors of height x width x RGBA, and back onto a canvas. */

const MOST_SIDE = 1024;
const MOST_FILE = 50e6;

/** A picture from the pixels of a canvas. elements(problem): the array that the problem's
 * specification takes. */
export function pictureFrom(canvas, name) {
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

/** Reads the reader's file. Returns {picture, note}, or throws an Error that says what is wrong
 * with it. */
export async function readPicture(file) {
    const name = file.name || "the pasted picture";
    if (file.size > MOST_FILE) {
        throw new Error(
            `${name}: ${Math.round(file.size / 1e6)} MB; this page reads at most ` +
                `${MOST_FILE / 1e6} MB`,
        );
    }
    let bitmap;
    try {
        bitmap = await createImageBitmap(file);
    } catch {
        throw new Error(`${name}: this browser cannot read it as a picture`);
    }
    const scale = Math.min(1, MOST_SIDE / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas
        .getContext("2d", { willReadFrequently: true })
        .drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const size = `${bitmap.width} \u00d7 ${bitmap.height}`;
    const taken = `${canvas.width} \u00d7 ${canvas.height}`;
    const note =
        scale < 1
            ? `${name}: ${size}, made smaller to ${taken}, since this page ` +
              `takes sides of at most ${MOST_SIDE} pixels.`
            : `${name}: ${size}.`;
    return { picture: pictureFrom(canvas, name), note };
}
