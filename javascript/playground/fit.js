/** The size of the cells: input, result and photograph stand side by side, as large as there is room. */

const LEAST = 14;
const MOST = 46;
/** The same where slices of a tensor stand side by side. */
const MOST_OF_SLICES = 30;
/** Below this width of the window the result stands above the form, and takes a part of the height. */
export const NARROW = matchMedia("(max-width: 59.99rem)");
/** What stands around the cells: row numbers, gaps, captions, borders. In pixels. */
const AROUND = { wide: { across: 150, down: 44 }, narrow: { across: 80, down: 26 } };
/** What the page has above and below the cells in a wide window, in pixels. */
const OTHERS_WIDE = 524;
/** The part of a narrow window's height that the result may take, and what of it is not cells. */
const PART_NARROW = 0.34;
const OTHERS_NARROW = 76;

/** Sets the size of the cells for an input and a result of these shapes. */
export function fitCells(stage, inShape, outShape) {
    const [rows, columns] = lastTwo(outShape);
    const [inRows, inColumns] = lastTwo(inShape);
    const around = NARROW.matches ? AROUND.narrow : AROUND.wide;
    const room = NARROW.matches
        ? innerHeight * PART_NARROW - OTHERS_NARROW
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
