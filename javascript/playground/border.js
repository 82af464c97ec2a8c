/** The border of the result, which can be dragged and moved by the arrow keys: four handles for the
 * amounts of rows and columns. */
import { element, lastTwo, byId } from "./grid.js";
import { axesOf, familyOf, withEntry } from "./problem.js";

/** side: where the handle lies. key: the amount that it changes. across: whether it is about columns.
 * outward: the keys that add a cell and that remove one. */
const SIDES = [
    { side: "top", key: "begin", across: false, outward: ["ArrowUp", "ArrowDown"] },
    { side: "left", key: "begin", across: true, outward: ["ArrowLeft", "ArrowRight"] },
    { side: "right", key: "end", across: true, outward: ["ArrowRight", "ArrowLeft"] },
    { side: "bottom", key: "end", across: false, outward: ["ArrowDown", "ArrowUp"] },
];
const MOST = 64;
const MOST_PIXELS = 2000;
const PIXELS_FOR_KEY = 8;

/** Which entry of the lists of amounts is about rows or columns; -1: none is. */
function rowOf(state, across) {
    const { problem } = state;
    if (state.input === "picture" || familyOf(problem.spec) === "mli") return across ? 1 : 0;
    const axis = problem.shape.length - (across ? 1 : 2);
    return axesOf(problem)?.indexOf(axis) ?? -1;
}

/** How far an amount may go: what is left of an axis is not less than nothing. */
function limitsOf(state, row, key, extent) {
    const other = state.problem[key === "begin" ? "end" : "begin"][row];
    const most = state.input === "picture" ? MOST_PIXELS : MOST;
    return { least: -(extent + Math.max(0, Math.min(other, 0))), most };
}

/**
 * Makes the handles around the result, which are for the keys, too, and around the photograph. act and
 * current: as in controls.js. sizeOfInput(): its rows and columns. isHeld() says whether a handle is being
 * dragged; place(shape) lays the handles around what was drawn.
 */
export function createBorder(act, current, sizeOfInput) {
    let held = null;
    const frames = ["framed", "framed-photograph"].map((id, number) => {
        const place = byId(id);
        const handles = SIDES.map((one) => {
            const named = number === 0 ? nameOf(one) : { "aria-hidden": "true" };
            const handle = element("div", { className: `handle ${one.side}`, ...named });
            listen(handle, one);
            return { ...one, handle };
        });
        return { place, handles };
    });

    function nameOf({ side, key, across }) {
        const where = key === "begin" ? "before" : "after";
        return {
            id: `border-${side}`,
            tabIndex: 0,
            role: "slider",
            "aria-orientation": across ? "horizontal" : "vertical",
            "aria-label": `${side} border: cells to add ${where} the ${across ? "columns" : "rows"}`,
        };
    }

    /** Changes the amount of a side, as far as it goes. */
    function move({ key, across }, amount, commit) {
        const state = current();
        const row = rowOf(state, across);
        const { least, most } = limitsOf(state, row, key, sizeOfInput()[across ? 1 : 0]);
        const next = Math.min(most, Math.max(least, amount));
        if (next === state.problem[key][row] && !commit) return;
        act({ ...state, problem: withEntry(state.problem, key, row, next) }, commit);
    }

    function listen(handle, one) {
        const { key, across, outward } = one;
        const at = (event) => (across ? event.clientX : event.clientY);
        handle.addEventListener("pointerdown", (event) => {
            if (event.button !== 0) return;
            event.preventDefault();
            handle.setPointerCapture(event.pointerId);
            const amount = current().problem[key][rowOf(current(), across)];
            held = { one, from: at(event), amount, unit: unitOf(handle.parentElement, across) };
        });
        handle.addEventListener("pointermove", (event) => {
            if (held?.one !== one) return;
            const away = (at(event) - held.from) * (key === "begin" ? -1 : 1);
            move(one, held.amount + Math.round(away / held.unit), false);
        });
        for (const name of ["pointerup", "pointercancel"]) {
            handle.addEventListener(name, () => {
                if (held?.one !== one) return;
                held = null;
                move(one, current().problem[key][rowOf(current(), across)], true);
            });
        }
        handle.addEventListener("keydown", (event) => {
            const step = [1, -1][outward.indexOf(event.key)];
            if (!step || event.altKey || event.metaKey || event.ctrlKey) return;
            event.preventDefault();
            const state = current();
            const size = state.input === "picture" ? PIXELS_FOR_KEY : 1;
            move(one, state.problem[key][rowOf(state, across)] + step * size, true);
        });
    }

    /** The box of the cells, or of the picture, that a frame lies around. */
    function boxIn(place) {
        const canvas = place.querySelector("canvas");
        if (canvas) return canvas.getBoundingClientRect();
        const cells = place.querySelectorAll(".slice:first-child td");
        if (cells.length === 0) return null;
        const [first, last] = [cells[0], cells[cells.length - 1]].map((cell) =>
            cell.getBoundingClientRect(),
        );
        return new DOMRect(first.x, first.y, last.right - first.x, last.bottom - first.y);
    }

    /** How many pixels of the page an amount of 1 is. */
    function unitOf(place, across) {
        const box = boxIn(place);
        const [rows, columns] = shown;
        return across ? box.width / columns : box.height / rows;
    }

    let shown = [1, 1];

    return {
        isHeld: () => held !== null,
        /** shape: of the result, rows and columns last; null without a result. */
        place(shape) {
            const state = current();
            if (shape) shown = state.input === "picture" ? shape : lastTwo(shape);
            for (const { place, handles } of frames) {
                const box = shape ? boxIn(place) : null;
                const base = place.getBoundingClientRect();
                for (const { handle, key, across, side } of handles) {
                    if (handle.parentElement !== place) place.append(handle);
                    const row = rowOf(state, across);
                    handle.hidden = !held && (!box || row < 0);
                    if (!box || row < 0) continue;
                    lay(handle, side, box, base);
                    const amount = state.problem[key][row];
                    const extent = sizeOfInput()[across ? 1 : 0];
                    const { least, most } = limitsOf(state, row, key, extent);
                    handle.setAttribute("aria-valuenow", amount);
                    handle.setAttribute("aria-valuemin", Math.min(least, amount));
                    handle.setAttribute("aria-valuemax", Math.max(most, amount));
                }
                follow(place);
            }
        },
    };

    /** While the top or the left border is dragged, the cells of the input stay where they are. */
    function follow(place) {
        const begins = held?.one.key === "begin";
        const added = begins
            ? current().problem.begin[rowOf(current(), held.one.across)] - held.amount
            : 0;
        const away = -added * (held?.unit ?? 0);
        place.style.translate = !begins ? "" : held.one.across ? `${away}px 0` : `0 ${away}px`;
    }

    function lay(handle, side, box, base) {
        const { style } = handle;
        const isUpright = side === "left" || side === "right";
        style.left = `${(side === "right" ? box.right : box.left) - base.left}px`;
        style.top = `${(side === "bottom" ? box.bottom : box.top) - base.top}px`;
        style.width = isUpright ? "" : `${box.width}px`;
        style.height = isUpright ? `${box.height}px` : "";
    }
}
