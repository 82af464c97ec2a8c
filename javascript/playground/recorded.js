/** Cases in which runtimes were seen to be wrong: buttons that open them, and a runtime's answer beside the
 * right one, as conformance/kit.py recorded them. */
import { drawGrid, element, placeOf } from "./grid.js";
import { readProblem } from "./problem.js";
import { nameOf } from "./runtimes_panel.js";
import { shortestFloat } from "./types.js";

/**
 * problem: in the page's words. right: the cells of the right answer. answers: by target; cells has null for
 * memory that nobody wrote, and crashes is the last that a dying process said.
 * @typedef {{case: string, says: string, problem: object, right: number[], answers: {[target: string]:
 *     {runtime: string, version: string, shape?: number[], cells?: (number | null)[],
 *     crashes?: string}}}} Recorded
 */

/** @returns {Recorded[]} the cases that the page holds */
export function readRecorded() {
    return JSON.parse(document.getElementById("recorded").textContent).cases;
}

/** The case with this node of ONNX, or undefined. Elements other than 1, 2, 3 ... are another case. */
export function recordedOf(recorded, node) {
    return recorded.find(({ problem }) => {
        const own = readProblem(problem);
        return (
            ["spec", "type", "shape", "mode", "begin", "end"].every(
                (key) => String(own[key]) === String(node[key]),
            ) &&
            !node.data &&
            !node.axes &&
            !node.lenient
        );
    });
}

/** The verdicts, and those that were recorded of runtimes which the rules do not know. */
export function withRecorded(verdicts, shown) {
    const known = new Set(verdicts.map((one) => one.target));
    const more = Object.entries(shown.answers).filter(([target]) => !known.has(target));
    return [
        ...verdicts,
        ...more.map(([target, { runtime, version, crashes }]) => ({
            target,
            runtime,
            version,
            verdict: crashes ? "crashes" : "differs",
            code: "",
            waysOut: "",
            measured: true,
            text: crashes ?? "its answer in this case was recorded",
        })),
    ];
}

/** Builds a button for each case. open(one) is called with the case to show. */
export function buildCases(recorded, open) {
    const place = document.getElementById("cases");
    for (const one of recorded) {
        const button = element("button", {
            type: "button",
            id: `case-${one.case}`,
            textContent: one.says,
        });
        button.addEventListener("click", () => open(one));
        place.append(button);
    }
}

/** Shows which case the page is at, and the runtime's answer beside the right one. */
export function drawRecorded(recorded, shown) {
    for (const one of recorded) {
        document.getElementById(`case-${one.case}`).setAttribute("aria-pressed", one === shown);
    }
    const place = document.getElementById("compared");
    if (place.dataset.case === (shown?.case ?? "")) return;
    place.dataset.case = shown?.case ?? "";
    if (shown) drawCompared(place, shown, Object.keys(shown.answers)[0]);
    else
        place.replaceChildren(
            element("p", {
                className: "note",
                textContent:
                    "Choose a case on the left to see a wrong answer beside the right one.",
            }),
        );
}

function drawCompared(place, shown, target) {
    const answer = shown.answers[target];
    const grids = element("div", { className: "grids" });
    place.replaceChildren(choiceOf(place, shown, target), grids);
    if (answer.crashes) {
        grids.append(
            element("p", {
                className: "crash",
                textContent: `The process ended. Its last words: ${answer.crashes}`,
            }),
        );
        return;
    }
    const wrong = answer.cells.map((cell, at) => cell !== shown.right[at]);
    const count = wrong.filter(Boolean).length;
    const hint = answer.cells.includes(null)
        ? "?: memory that nobody wrote. It was not the same in two runs."
        : "Point at a cell to compare the two.";
    const said = element("p", { className: "note said", textContent: hint });
    said.setAttribute("aria-hidden", "true");
    const tell = (text) => {
        said.textContent = text ?? hint;
    };
    drawOne(
        grids,
        "The right answer",
        answer.shape,
        (at) => ({
            text: textOf(shown.right[at]),
            label: `${placeOf(answer.shape, at)} is ${textOf(shown.right[at])}`,
            classes: wrong[at] ? "missed" : "",
        }),
        tell,
    );
    drawOne(
        grids,
        `${nameOf(answer)}: ${count} of ${wrong.length} wrong`,
        answer.shape,
        (at) => ({
            text: textOf(answer.cells[at]),
            label: labelOf(shown, answer, wrong, at),
            classes: wrong[at] ? "wrong" : "",
        }),
        tell,
    );
    place.append(said);
}

function labelOf(shown, answer, wrong, at) {
    const where = placeOf(answer.shape, at);
    if (!wrong[at]) return `${where} is ${textOf(answer.cells[at])}, which is right`;
    const found = answer.cells[at] === null ? "memory that nobody wrote" : textOf(answer.cells[at]);
    return `${where} is ${found}, wrong: ${textOf(shown.right[at])} is right`;
}

function textOf(cell) {
    return cell === null ? "?" : shortestFloat(Number(cell.toPrecision(2)) || 0);
}

/** Draws a grid with a title. tell(text) hears what is said of the cell that is pointed at. */
function drawOne(place, title, shape, describe, tell) {
    const box = element("figure");
    box.append(element("figcaption", { className: "caption", textContent: title }));
    drawGrid(box, shape, title, describe, (at) => tell(at < 0 ? undefined : describe(at).label));
    place.append(box);
}

/** The runtimes whose answers are recorded, as buttons. */
function choiceOf(place, shown, target) {
    const choice = element("p", { className: "choice" });
    choice.setAttribute("role", "group");
    choice.setAttribute("aria-label", "Whose answer is shown");
    for (const [one, answer] of Object.entries(shown.answers)) {
        const button = element("button", { type: "button", textContent: nameOf(answer) });
        button.setAttribute("aria-pressed", one === target);
        button.addEventListener("click", () => {
            drawCompared(place, shown, one);
            place.querySelector("[aria-pressed=true]").focus();
        });
        choice.append(button);
    }
    return choice;
}
