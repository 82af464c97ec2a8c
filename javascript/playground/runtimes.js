/** What other runtimes do with the problem: in a line and a table; and cases in which they were seen
 * to be wrong, as conformance/kit.py recorded them. */
import { drawGrid, element, placeOf, byId } from "./grid.js";
import { readProblem, versionOf } from "./problem.js";
import { asNode } from "./solve.js";
import { shortestFloat } from "./types.js";

/** The words of `tensorpad check`, in the order of the page: what stands in the line that counts them,
 * and what they mean. */
const VERDICTS = {
    same: ["are right", "gives the answer of the specification"],
    differs: ["are silently wrong", "gives another answer than the specification"],
    crashes: ["crash", "ends the process, panics or hangs"],
    refuses: ["refuse", "ends with an error"],
    accepts: ["answer what is forbidden", "answers, although the specification forbids the node"],
    unknown: ["may do either", "may do either"],
};

/** What runtimes do with a problem: {verdicts, version, isOnnx}, or {reason} why none is asked. runtimes: as
 * made by createRuntimes. */
export function verdictsOf(api, runtimes, problem) {
    const { problem: node, reason } = asNode(api, problem);
    if (!node) return { reason };
    const isOnnx = node.spec.startsWith("onnx");
    const verdicts = runtimes(node).filter((found) => isOnnx || found.runtime === "OpenVINO");
    return { node, verdicts, isOnnx, version: versionOf(node.spec) };
}

/** Shows in one line how many runtimes do what, and in a table what each of them does. */
export function drawOthers({ reason, verdicts, isOnnx, version }) {
    const [line, place] = ["tally", "runtimes"].map((id) => byId(id));
    if (reason) {
        line.textContent = "No runtime is asked: no single node of a model says this.";
        place.replaceChildren(element("p", { className: "note" }, reason));
        return;
    }
    const counts = Object.entries(VERDICTS)
        .map(([verdict, [title]]) => [
            verdict,
            title,
            verdicts.filter((one) => one.verdict === verdict).length,
        ])
        .filter(([, , count]) => count > 0);
    line.replaceChildren(`${verdicts.length} versions: `);
    counts.forEach(([verdict, title, count], number) => {
        line.append(
            number > 0 ? ", " : "",
            element("span", { className: `verdict ${verdict}`, textContent: `${count} ${title}` }),
        );
    });
    const what = isOnnx
        ? `ONNX Pad in a model of opset ${version}`
        : `OpenVINO Pad-${version}, which only OpenVINO reads`;
    const note = element("p", {
        className: "note",
        textContent:
            `This problem as a node: ${what}. ` +
            "The model knows the type and the shape of the data, and holds all arguments as constants. What is " +
            "not marked was found by running the runtimes.",
    });
    const words = element("p", { className: "note" });
    words.textContent =
        `${counts.map(([verdict]) => `${verdict}: ${VERDICTS[verdict][1]}`).join("; ")}. ` +
        "`tensorpad explain` says more about a rule.";
    place.replaceChildren(note, tableOf(verdicts), words);
}

function tableOf(verdicts) {
    const table = element("table", { className: "verdicts" });
    const head = element("thead");
    head.innerHTML =
        '<tr><th scope="col">Runtime</th><th scope="col">Verdict</th>' +
        '<th scope="col">Why</th></tr>';
    const body = element("tbody");
    for (const found of verdicts) {
        const row = element("tr");
        row.dataset.target = found.target;
        row.dataset.verdict = found.verdict;
        const name = nameOf(found);
        const explained = element("td", { textContent: found.text });
        const source = (text) => element("span", { className: "source" }, text);
        if (found.code) explained.append(source(`rule ${found.code} of tensorpad check`));
        if (found.waysOut) explained.append(wayOut(name, found.waysOut));
        const header = element("th", { scope: "row", textContent: name });
        if (!found.measured) {
            header.append(source("by its documentation"));
        }
        row.append(
            header,
            element("td", { className: `verdict ${found.verdict}`, textContent: found.verdict }),
            explained,
        );
        body.append(row);
    }
    table.append(head, body);
    return table;
}

/** What people call a runtime and its version. */
export function nameOf(found) {
    return [found.runtime, found.version].filter(Boolean).join(" ");
}

function wayOut(name, text) {
    const spoken = { "aria-label": `What you can do for ${name}` };
    const summary = element("summary", spoken, "What you can do");
    return element("details", {}, summary, element("p", {}, text));
}

/**
 * problem: in the page's words, of a case that has a button with the words `says`. right: the cells of the right
 * answer, undefined where the specification forbids the case. answers: by target; cells has null for uninitialised
 * memory, and crashes is the last that a dying process said.
 * @typedef {{case: string, shows: string, says?: string, first?: string, problem?: object, type?: string,
 *     shape?: number[], right?: (number | string)[], answers: {[target: string]: {runtime: string,
 *     version: string, rule: string | null, type?: string, shape?: number[],
 *     cells?: (number | string | null)[], crashes?: string}}}} Recorded
 */

/** @returns {Recorded[]} the cases that the page holds */
export function readRecorded() {
    const { targets, cases } = JSON.parse(byId("recorded").textContent);
    const byTarget = (answer) =>
        answer.targets.map((target) => {
            const [runtime, version] = targets[target];
            return [target, { ...answer, runtime, version }];
        });
    return cases.map((one) => ({
        ...one,
        answers: Object.fromEntries(one.answers.flatMap(byTarget)),
    }));
}

/** The case with this node of ONNX, or undefined. Elements other than 1, 2, 3 ... are another case. */
export function recordedOf(recorded, node) {
    return recorded.find(({ problem }) => {
        if (!problem) return false;
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
    const place = byId("cases");
    for (const one of recorded.filter(({ says }) => says)) {
        const button = element("button", { type: "button", id: `case-${one.case}` }, one.says);
        button.addEventListener("click", () => open(one));
        place.append(button);
    }
}

/** Shows which case the page is at, and the runtime's answer beside the right one. */
export function drawRecorded(recorded, shown) {
    for (const one of recorded.filter(({ says }) => says)) {
        byId(`case-${one.case}`).setAttribute("aria-pressed", one === shown);
    }
    const place = byId("compared");
    if (place.dataset.case === (shown?.case ?? "")) return;
    place.dataset.case = shown?.case ?? "";
    const hint = "Choose a case on the left to see a wrong answer beside the right one.";
    if (shown) drawCompared(place, shown, shown.first);
    else place.replaceChildren(element("p", { className: "note" }, hint));
}

function drawCompared(place, shown, target) {
    const grids = element("div", { className: "grids" });
    place.replaceChildren(choiceOf(place, shown, target), grids);
    drawAnswer(grids, shown, target);
}

/** A recorded answer beside the right one. */
export function drawAnswer(place, shown, target) {
    const { type, shape, right } = shown;
    const answer = shown.answers[target];
    if (answer.crashes) {
        if (right) drawNumbers(place, "The right answer", shape, right);
        const words = `${nameOf(answer)} ends the process. Its last words: ${answer.crashes}`;
        place.append(element("p", { className: "crash" }, words));
        return;
    }
    const isOther = right && String(answer.shape) !== String(shape);
    const wrong = answer.cells.map((cell, at) => right && !isOther && cell !== right[at]);
    const count = wrong.filter(Boolean).length;
    const faults = [
        isOther && `the shape ${sizeOf(answer.shape)} instead of ${sizeOf(shape)}`,
        right && answer.type !== type && `${answer.type} instead of ${type}`,
        count > 0 && `${count} of ${wrong.length} wrong`,
        !right && "an answer to what the specification forbids",
    ];
    const hint = answer.cells.includes(null)
        ? "?: uninitialised memory. It was not the same in two runs."
        : "Point at a cell to compare the two.";
    const said = element("p", { className: "note said", "aria-hidden": "true" }, hint);
    const tell = (text) => {
        said.textContent = text ?? hint;
    };
    if (right) drawNumbers(place, "The right answer", shape, right, wrong, tell);
    drawOne(
        place,
        `${nameOf(answer)}: ${faults.filter(Boolean).join(", ")}`,
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

const sizeOf = (shape) => (shape.length > 0 ? shape.join("\u00d7") : "of a scalar");

/** Numbers as a grid; those that are marked are missed in an answer beside it. */
export function drawNumbers(place, title, shape, numbers, marked = [], tell = () => {}) {
    const describe = (at) => ({
        text: textOf(numbers[at]),
        label: `${placeOf(shape, at)} is ${textOf(numbers[at])}`,
        classes: marked[at] ? "missed" : "",
    });
    drawOne(place, title, shape, describe, tell);
}

function labelOf(shown, answer, wrong, at) {
    const where = placeOf(answer.shape, at);
    const isCompared = shown.right && String(answer.shape) === String(shown.shape);
    if (!wrong[at])
        return `${where} is ${textOf(answer.cells[at])}${isCompared ? ", which is right" : ""}`;
    const found = answer.cells[at] === null ? "uninitialised memory" : textOf(answer.cells[at]);
    return `${where} is ${found}, wrong: ${textOf(shown.right[at])} is right`;
}

function textOf(cell) {
    if (typeof cell === "string") return cell;
    return cell === null ? "?" : shortestFloat(Number(cell.toPrecision(3)) || 0);
}

/** Draws a grid with a title. tell(text) hears what is said of the cell that is pointed at. */
function drawOne(place, title, shape, describe, tell) {
    const box = element("figure", {}, element("figcaption", { className: "caption" }, title));
    drawGrid(box, shape, title, describe, (at) => tell(at < 0 ? undefined : describe(at).label));
    place.append(box);
}

/** The runtimes whose answers are recorded, as buttons. */
function choiceOf(place, shown, target) {
    const spoken = { role: "group", "aria-label": "Whose answer is shown" };
    const choice = element("p", { className: "choice", ...spoken });
    for (const [one, answer] of Object.entries(shown.answers)) {
        const words = { type: "button", "aria-pressed": one === target };
        const button = element("button", words, nameOf(answer));
        button.addEventListener("click", () => {
            drawCompared(place, shown, one);
            place.querySelector("[aria-pressed=true]").focus();
        });
        choice.append(button);
    }
    return choice;
}
