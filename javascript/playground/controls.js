/** The form: builds its parts, shows the state in them, and turns what the reader does into a new
 * state. */
import { MODES } from "../src/arguments.js";
import { byId, element } from "./grid.js";
import {
    arrayOf,
    axesOf,
    cellCount,
    defaultProblem,
    familyOf,
    readProblem,
    rowCount,
    SPECS,
    titleOf,
    valuesOf,
    withEntry,
    wordsOf,
} from "./problem.js";
import { elementsOf, solveElements } from "./solve.js";
import { checkRows, checkSize, MOST_CELLS, MOST_EXTENT, wordsOfProblem } from "./state.js";
import { typesOf } from "./types.js";

/** What the lists of amounts are called. */
const AMOUNT_TITLES = { begin: "before", end: "after", interior: "between" };

/** How many rows of amounts a state has. A picture has two: height and width. */
function rowsOf(state) {
    return state.input === "picture" ? 2 : rowCount(state.problem);
}

/** The problem with other lists of amounts. rows: where each entry was, -1 for a new one. */
function withRows(problem, rows) {
    const pick = (list, rest) => rows.map((row) => list[row] ?? rest);
    return {
        ...problem,
        begin: pick(problem.begin, 0),
        end: pick(problem.end, 0),
        interior: problem.interior && pick(problem.interior, 0),
        mode: problem.mode.length === 1 ? problem.mode : pick(problem.mode, problem.mode[0]),
    };
}

/** The problem `next`, whose lists are still those of `problem`: each amount stays with its axis.
 * added: how many axes it has more in front. The order stays where axes cannot be right and between
 * pictures of MLI. */
function withAxes(problem, next, added = 0) {
    const [were, axes] = [axesOf(problem), axesOf(next)];
    const isMli = ({ spec }) => familyOf(spec) === "mli";
    const rows = Array.from({ length: rowCount(next) }, (_, row) => row);
    if (!were || !axes || (isMli(problem) && (isMli(next) || problem.shape.length !== 3))) {
        return withRows(next, rows);
    }
    return withRows(
        next,
        axes.map((axis) => were.indexOf(axis - added)),
    );
}

/** The problem under another specification: what that has no words for goes back to its default. */
function withSpec(state, spec) {
    const own = wordsOf(spec);
    const family = familyOf(spec);
    const problem = { ...state.problem, spec };
    const { shape } = problem;
    const asPlanes =
        family === "mli" &&
        state.input === "matrix" &&
        shape.length === 2 &&
        familyOf(state.problem.spec) !== "mli";
    if (asPlanes) problem.shape = spec === "mli-chw" ? [1, ...shape] : [...shape, 1];
    if (!own.interior) problem.interior = null;
    if (!own.order) problem.order = "window";
    if (!own.axes) problem.axes = null;
    if (!own.lenient) problem.lenient = false;
    if (!own.value || (!own.list && valuesOf(problem))) problem.value = null;
    if (!own.list) problem.valueAxis = null;
    if (!own.each) problem.mode = [problem.mode[0]];
    if (family === "mli") problem.mode = ["constant"];
    if (family === "ngraph") problem.value ??= "0";
    const types = typesOf(family).map((type) => type.word);
    if (!types.includes(problem.type)) {
        problem.type = types[0];
        problem.data = null;
    }
    if (state.input === "picture") return { ...state, problem };
    const added = asPlanes && spec === "mli-chw" ? 1 : 0;
    return { ...state, problem: withAxes(state.problem, problem, added) };
}

/** Builds the form once. act(next, commit) hears of a new state; commit: false while a slider moves
 * or text is typed. current(): the state. complain(text): shows what is wrong with what was typed,
 * or "" when it is right. */
export function buildControls(api, current, act, complain) {
    buildModes(api);
    const specs = byId("spec");
    for (const spec of SPECS) {
        const limits = spec === "plain" ? ": no limits" : "";
        specs.append(element("option", { value: spec }, titleOf(spec) + limits));
    }

    const change = (words, commit) => {
        const state = current();
        act({ ...state, problem: { ...state.problem, ...words } }, commit);
    };

    for (const mode of MODES) {
        byId(`mode-${mode}`).addEventListener("change", () => change({ mode: [mode] }, true));
    }
    byId("mode-each").addEventListener("change", (event) => {
        const state = current();
        const [first] = state.problem.mode;
        change({ mode: event.target.checked ? Array(rowsOf(state)).fill(first) : [first] }, true);
    });
    specs.addEventListener("change", () => act(withSpec(current(), specs.value), true));
    byId("type").addEventListener("change", (event) => {
        change({ type: event.target.value, data: null }, true);
    });
    for (const order of ["window", "crop"]) {
        byId(`order-${order}`).addEventListener("change", () => change({ order }, true));
    }
    byId("lenient").addEventListener("change", (event) => {
        change({ lenient: event.target.checked }, true);
    });
    byId("data-number").addEventListener("click", () => change({ data: null }, true));
    for (const key of ["value", "valueAxis", "axes", "data"]) {
        onTyped(byId(key), (text, commit) => typed(current(), key, text, commit, act), complain);
    }
    byId("rank").addEventListener("change", (event) => {
        const state = current();
        const rank = Number(event.target.value);
        const shape = [...Array(rank).fill(2), ...state.problem.shape].slice(-rank);
        act(withShape(state, shape), true);
    });
    for (const input of ["matrix", "picture"]) {
        byId(`input-${input}`).addEventListener("change", () => {
            act(withInput(current(), input), true);
        });
    }
}

/** Five radio buttons, each with abcd padded by two, as the engine pads it. */
function buildModes(api) {
    for (const mode of MODES) {
        const id = `mode-${mode}`;
        const strip = element("span", { className: "strip", "aria-hidden": "true" });
        const four = { ...defaultProblem(), shape: [4], mode: [mode], begin: [2], end: [2] };
        solveElements(api, four).data.forEach((number, at) => {
            const className = at < 2 || at > 5 ? mode : "";
            strip.append(element("span", { className }, "kabcd"[number]));
        });
        const radio = element("input", { type: "radio", name: "mode", id, value: mode });
        const parts = [radio, element("span", {}, mode), strip];
        byId("mode-radios").append(element("label", { htmlFor: id }, ...parts));
    }
}

function withInput(state, input) {
    const amounts = input === "picture" ? [48, 64] : [1, 2];
    const problem = { ...state.problem, axes: null, begin: amounts, end: amounts };
    const rows = Array.from({ length: rowsOf({ input, problem }) }, (_, row) => row);
    return { ...state, input, problem: withRows(problem, rows) };
}

/** The state with other extents. Axes come and go in front, as in a reshape. */
function withShape(state, shape) {
    const { problem } = state;
    const added = shape.length - problem.shape.length;
    const data = cellCount(shape) === cellCount(problem.shape) ? problem.data : null;
    const moved = (axis) => (axis < 0 ? axis : axis + added);
    const isLeft = (axis) => (axis < 0 ? axis >= -shape.length : axis + added >= 0);
    const next = { ...problem, shape, data, axes: problem.axes?.filter(isLeft).map(moved) ?? null };
    if (problem.valueAxis !== null) {
        if (isLeft(problem.valueAxis)) next.valueAxis = moved(problem.valueAxis);
        else next.value = next.valueAxis = null;
    }
    return { ...state, problem: withAxes(problem, next, added) };
}

/** Takes the text of a field into the state; throws an Error that says what is wrong with it. */
function typed(state, key, text, commit, act) {
    const array = key === "data" ? arrayOf(text) : null;
    if (array) {
        const { shape } = state.problem;
        const isRow = array.shape.length === 1 && array.shape[0] === cellCount(shape);
        if (!isRow) checkSize(array.shape);
        const next = isRow ? state : withShape(state, array.shape);
        typed(next, key, array.elements.join(), commit, act);
        return;
    }
    const words = { ...wordsOfProblem(state.problem) };
    delete words[key];
    if (text.trim() !== "") words[key] = text;
    if (key === "axes") {
        delete words.begin;
        delete words.end;
        delete words.interior;
        words.mode = words.mode.slice(0, 1);
        const { axes } = readProblem(words);
        const next = { ...state.problem, axes };
        checkRows(rowCount(next));
        act({ ...state, problem: withAxes(state.problem, next) }, commit);
        return;
    }
    act({ ...state, problem: { ...state.problem, [key]: readProblem(words)[key] } }, commit);
}

/** Calls take(text, commit) while the reader types and again when the field is left. */
function onTyped(field, take, complain) {
    const hear = (commit) => {
        if (field.offsetParent === null) return; // hidden while the reader typed into it
        try {
            take(field.value, commit);
            field.removeAttribute("aria-invalid");
            complain("");
        } catch (error) {
            field.setAttribute("aria-invalid", "true");
            complain(error.message);
        }
    };
    field.addEventListener("input", () => hear(false));
    field.addEventListener("change", () => hear(true));
}

/** Shows a state in the form. renew: also in the field that the reader is typing into. */
export function showControls(state, act, complain, renew) {
    const typing = renew ? null : document.activeElement;
    const { problem } = state;
    const own = wordsOf(problem.spec);
    const family = familyOf(problem.spec);
    const picture = state.input === "picture";
    const each =
        problem.mode.length > 1 || (own.each && byId("mode-each").checked && rowsOf(state) === 1);
    byId("spec").value = problem.spec;
    byId("modes").hidden = family === "mli";
    byId("mode-each-label").hidden = !own.each;
    byId("mode-each").checked = each;
    byId("mode-radios").hidden = each;
    for (const mode of MODES) byId(`mode-${mode}`).checked = mode === problem.mode[0];
    showTypes(family, problem.type, picture);
    byId("order-field").hidden = !own.order;
    byId(`order-${problem.order}`).checked = true;
    byId("axes-line").hidden = !own.axes || picture;
    byId("lenient-label").hidden = !own.lenient;
    byId("lenient").checked = problem.lenient;
    byId("value").parentElement.hidden = !own.value;
    byId("value-axis-line").hidden = !own.list;
    showText("value", problem.value ?? "", typing);
    showText("valueAxis", problem.valueAxis ?? "", typing);
    showText("axes", problem.axes?.join(",") ?? "", typing);
    byId("input-matrix").checked = !picture;
    byId("input-picture").checked = picture;
    byId("matrix-input").hidden = picture;
    byId("picture-input").hidden = !picture;
    showText("data", elementsOf(problem).join(", "), typing);
    byId("rank").value = problem.shape.length;
    showAmounts(state, each, act, complain, typing);
    if (!picture) showShape(state, act, complain, typing);
}

function showTypes(family, type, picture) {
    const field = byId("type");
    if (field.dataset.family !== family) {
        field.replaceChildren(
            ...typesOf(family).map(({ word, label }) => element("option", { value: word }, label)),
        );
        field.dataset.family = family;
    }
    field.parentElement.hidden = picture;
    field.value = type;
}

/** Sets a field, unless the reader is typing into it. An empty one takes the default, too. */
function showText(id, text, typing) {
    const field = byId(id);
    if (field === typing && (field.value !== "" || field.type === "number")) return;
    field.value = text;
    field.removeAttribute("aria-invalid");
}

/** What a row of amounts is called. */
function rowTitle(state, row) {
    const { problem } = state;
    if (state.input === "picture" || familyOf(problem.spec) === "mli") {
        return ["Height", "Width"][row];
    }
    const axis = problem.axes ? problem.axes[row] : row;
    const rank = problem.shape.length;
    const place = axis < 0 ? axis + rank : axis;
    const names = { [rank - 1]: "columns", [rank - 2]: "rows" };
    return rank > 1 && names[place] ? `Axis ${axis}, ${names[place]}` : `Axis ${axis}`;
}

/** A field that is removed while it has the focus still tells of its change: out of date. */
function forgetHandlers(place) {
    place.onchange = null;
    place.oninput = null;
}

function showAmounts(state, each, act, complain, typing) {
    const place = byId("amounts");
    const { problem } = state;
    const rows = rowsOf(state);
    const titles = Array.from({ length: rows }, (_, row) => rowTitle(state, row));
    const hasInterior = wordsOf(problem.spec).interior;
    const plan = JSON.stringify([titles, hasInterior, each, state.input]);
    forgetHandlers(place);
    if (place.dataset.plan !== plan) {
        place.dataset.plan = plan;
        place.replaceChildren(
            ...titles.map((title, row) => buildRow(title, row, hasInterior, each, state.input)),
        );
        if (rows === 0) {
            place.append(element("p", { textContent: "The list of axes is empty: no amounts." }));
        }
    }
    place.onchange = (event) => takeAmount(event, true);
    place.oninput = (event) => takeAmount(event, false);
    function takeAmount({ target }, commit) {
        const [key, row] = target.id.split("-");
        if (target.tagName === "SELECT") {
            if (commit) act(setEntry("mode", Number(row), target.value), true);
            return;
        }
        const number = target.value === "" ? NaN : Number(target.value);
        const wrong = !Number.isInteger(number);
        target.toggleAttribute("aria-invalid", false);
        if (wrong) target.setAttribute("aria-invalid", "true");
        complain(wrong ? `${titles[row]}, ${AMOUNT_TITLES[key]}: give a whole number` : "");
        if (!wrong) act(setEntry(key, Number(row), number), commit);
    }
    function setEntry(key, row, entry) {
        return { ...state, problem: withEntry(problem, key, row, entry) };
    }
    for (let row = 0; row < rows; row++) {
        for (const key of ["begin", "end", ...(hasInterior ? ["interior"] : [])]) {
            const amount = problem[key]?.[row] ?? 0;
            showText(`${key}-${row}`, amount, typing);
            const slider = byId(`${key}-${row}-slider`);
            if (slider !== typing) slider.value = amount;
        }
        if (each) byId(`mode-${row}`).value = problem.mode[row] ?? problem.mode[0];
    }
}

/** A slider and a number for one amount. The slider's range is no limit for the number. */
function buildAmount(key, row, least, most) {
    const [id, title] = [`${key}-${row}`, AMOUNT_TITLES[key]];
    const slider = { type: "range", id: `${id}-slider`, min: least, max: most, step: 1 };
    return element(
        "div",
        { className: "end" },
        element("label", { htmlFor: id }, title),
        element("input", { ...slider, "aria-label": `${title}, slider` }),
        element("input", { type: "number", id, step: 1 }),
    );
}

function buildRow(title, row, hasInterior, each, input) {
    const field = element("fieldset", { className: "row" }, element("legend", {}, title));
    const most = input === "picture" ? 200 : 8;
    field.append(buildAmount("begin", row, -most, most), buildAmount("end", row, -most, most));
    if (hasInterior) field.append(buildAmount("interior", row, 0, 4));
    if (each) {
        const id = `mode-${row}`;
        const modes = MODES.map((mode) => element("option", { value: mode }, mode));
        const label = element("label", { htmlFor: id }, "mode");
        field.append(
            element("div", { className: "end" }, label, element("select", { id }, ...modes)),
        );
    }
    return field;
}

function showShape(state, act, complain, typing) {
    const place = byId("shape");
    const { shape } = state.problem;
    forgetHandlers(place);
    if (place.children.length !== shape.length) {
        place.replaceChildren(
            ...shape.map((_, axis) => {
                const limits = { min: 0, max: MOST_EXTENT, step: 1 };
                const field = element("input", { type: "number", id: `shape-${axis}`, ...limits });
                return element("label", {}, `Axis ${axis}`, field);
            }),
        );
    }
    place.onchange = (event) => takeExtent(event.target, true);
    place.oninput = (event) => takeExtent(event.target, false);
    function takeExtent(field, commit) {
        const axis = Number(field.id.slice(6));
        const extent = field.value === "" ? NaN : Number(field.value);
        const next = shape.with(axis, extent);
        const wrong =
            !Number.isInteger(extent) || extent < 0 || extent > MOST_EXTENT
                ? `Axis ${axis}: an extent is a whole number from 0 to ${MOST_EXTENT}`
                : cellCount(next) > MOST_CELLS
                  ? `Axis ${axis}: this page shows at most ${MOST_CELLS} cells in all`
                  : "";
        if (wrong) field.setAttribute("aria-invalid", "true");
        else field.removeAttribute("aria-invalid");
        complain(wrong);
        if (!wrong) act(withShape(state, next), commit);
    }
    shape.forEach((extent, axis) => showText(`shape-${axis}`, extent, typing));
}
