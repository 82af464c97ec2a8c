/** A model of the reader: which of its Pads break in which runtime, what that looks like, and the model
 * repaired. The worker (worker.js) reads it with check.wasm; nothing leaves the machine. */
import { byId, element, listen } from "./grid.js";
import { unpack } from "./loader.js";
import { ONNX_VERSIONS, readProblem, WordError } from "./problem.js";
import { drawAnswer, drawNumbers } from "./runtimes.js";
import { Refused, solveElements } from "./solve.js";

const EXAMPLES = ["panorama", "mirror", "unet_dynamic_17"];
/** From the best verdict to the one that a reader wants to see first: its sign and its words. */
const VERDICTS = {
    same: ["\u2713", "right"],
    unknown: ["?", "open: a shape is missing"],
    accepts: ["~", "answers what the specification forbids"],
    refuses: ["\u2013", "refuses the model"],
    crashes: ["!", "crashes"],
    differs: ["\u2260", "silently wrong"],
};
const ORDER = Object.keys(VERDICTS);
const MOST_ROWS = 300;
/** Extents and amounts up to this one stand in a witness as they are. */
const SMALL = 6;

/** {api, runtimes, recorded, copy, take}, as buildModel got them; take(file) shows any file. */
let tools;
/** [{target, runtime, version, measured}], in the order of the reports. */
let targets;
/** Numbers the reports, so that a late one does not come over a newer one. */
let turn = 0;
/** {name, blob, example}, and what the worker said of it. */
let file;
let report;
let dims = {};
let shapes = {};
let chosen = new Set();

// ---- The worker ------------------------------------------------------------------------------

let worker; // a promise of call(name, ...words)

async function startWorker() {
    const script = new Blob([await unpack("worker").text()], { type: "text/javascript" });
    const started = new Worker(URL.createObjectURL(script));
    const waiting = new Map();
    let last = 0;
    started.onmessage = ({ data: { id, value, error } }) => {
        const { resolve, reject } = waiting.get(id);
        waiting.delete(id);
        if (error === undefined) resolve(value);
        else reject(new Error(error));
    };
    started.onerror = () => {
        worker = undefined;
        for (const { reject } of waiting.values()) reject(new Error("the reader of models ended"));
    };
    const call = (name, ...words) =>
        new Promise((resolve, reject) => {
            waiting.set(++last, { resolve, reject });
            started.postMessage({ id: last, call: name, words });
        });
    await call("load", await readerOfModels());
    return call;
}

/** check.wasm: in this page, or beside it where it is served. */
async function readerOfModels() {
    if (byId("check")) return unpack("check").arrayBuffer();
    const found = location.protocol.startsWith("http") && (await fetch("check.wasm"));
    if (found?.ok) return found.arrayBuffer();
    throw new Error(
        "this page does not hold the reader of models; with-models.html, which lies beside it, does",
    );
}

/** Answers a call of the worker, which starts at the first one. */
export async function ask(...words) {
    worker ??= startWorker();
    try {
        return await (
            await worker
        )(...words);
    } catch (error) {
        if (error.message.startsWith("this page")) worker = undefined;
        throw error;
    }
}

// ---- What the reader does --------------------------------------------------------------------

export function buildModel(given) {
    tools = given;
    const some = readProblem({ spec: "onnx-19", shape: [3], mode: "edge", begin: [1], end: [1] });
    targets = tools.runtimes(some);
    choose(["ort", "openvino"]);
    for (const name of EXAMPLES)
        byId(`example-${name}`).addEventListener("click", () => {
            location.hash = `#model=${name}`;
        });
    byId("model-file").addEventListener("change", ({ target }) => {
        tools.take(target.files[0]);
        target.value = ""; // so that the same file can be chosen again
    });
    byId("model-shapes").addEventListener("change", ({ target }) => takeShape(target));
    byId("model-copy-link").addEventListener("click", () => {
        const link = `${location.href.split("#")[0]}#${wordsNow()}`;
        tools.copy(link, "The link is copied.");
    });
    byId("model-copy-line").addEventListener("click", () =>
        tools.copy(byId("model-line").textContent, "The line is copied."),
    );
    byId("model-repair").addEventListener("click", () => repair([...chosen]));
}

/** The newest version of a runtime for its name alone, as the command takes it. */
function choose(names) {
    const newest = (name) =>
        targets.findLast(({ target }) => target.replace(/-[\d.]+$/, "") === name)?.target;
    const known = new Set(targets.map(({ target }) => target));
    chosen = new Set(names.map((name) => (known.has(name) ? name : newest(name))).filter(Boolean));
}

/** Shows the view with the words of the address: model=EXAMPLE, targets=LIST, dim.NAME=EXTENT. */
export async function showModel(text) {
    const words = new URLSearchParams(text);
    if (words.has("targets")) choose(words.get("targets").split(","));
    const name = words.get("model");
    if (!EXAMPLES.includes(name) || file?.example === name) return;
    const blob = await unpack(`model-${name}`).blob();
    await takeModel(new File([blob], `${name}.onnx`), name, dimsOf(words));
}

const dimsOf = (words) =>
    Object.fromEntries(
        [...words]
            .filter(([key, extent]) => key.startsWith("dim.") && /^\d+$/.test(extent))
            .map(([key, extent]) => [key.slice(4), extent]),
    );

function wordsNow() {
    const words = new URLSearchParams({ model: file?.example ?? "", targets: [...chosen] });
    for (const [name, extent] of Object.entries(dims)) words.set(`dim.${name}`, extent);
    return String(words)
        .replace(/^model=&/, "model&")
        .replaceAll("%2C", ",");
}

/** Reads a model and shows what it is. */
export async function takeModel(blob, example = "", known = {}) {
    if (!blob) return;
    file = { name: blob.name, blob, example };
    dims = known;
    shapes = {};
    await inspect();
}

async function inspect() {
    const own = ++turn;
    byId("model-report").hidden = true;
    say(`Reading ${file.name} \u2026`);
    let read;
    try {
        read = await ask("check", file.blob, { dims, shapes });
    } catch (error) {
        read = { error: error.message };
    }
    if (own !== turn) return;
    report = read;
    if (report.error) {
        say(`${file.name}: ${report.error.replace(/^model\.onnx: /, "")}`, "bad");
        if (report.inputs?.length) showShapes();
        return;
    }
    say(sentenceOf(report.nodes));
    showShapes();
    byId("model-report").hidden = report.nodes.length === 0;
    if (report.nodes.length > 0) showTable();
}

function say(text, kind = "") {
    const place = byId("model-said");
    place.textContent = text;
    place.className = `said ${kind}`;
    byId("model-shapes").hidden = true;
}

/** By runtime. */
function grouped(all) {
    const groups = new Map();
    for (const one of all) groups.set(one.runtime, [...(groups.get(one.runtime) ?? []), one]);
    return groups;
}

/** "OpenCV 4.6, 4.10 and tract 0.21". */
function listed(found) {
    return [...grouped(found)]
        .map(([runtime, all]) => [runtime, all.map(versionOf).filter(Boolean).join(", ")])
        .map((words) => words.filter(Boolean).join(" "))
        .join(" and ");
}

/** As people write it: that of the target, not of the build that was run. */
const versionOf = ({ target }) => target.match(/-([\d.]+)$/)?.[1] ?? "";

const worst = (verdicts) =>
    ORDER[Math.max(...verdicts.map(({ verdict }) => ORDER.indexOf(verdict)))];

function sentenceOf(nodes) {
    if (nodes.length === 0) return "No Pad in this model: nothing to break.";
    const all = targets.map((_, at) => worst(nodes.map(({ verdicts }) => verdicts[at])));
    const which = (kind) => targets.filter((_, at) => all[at] === kind);
    const count = (kind, words) => which(kind).length > 0 && `${which(kind).length} ${words}`;
    const named = (kind, words) => which(kind).length > 0 && `${words} ${listed(which(kind))}`;
    const parts = [
        `${nodes.length} ${nodes.length === 1 ? "Pad" : "Pads"}`,
        `right on ${which("same").length} of ${targets.length} versions`,
        named("differs", "silently wrong on"),
        named("crashes", "crashes"),
        count("refuses", "refuse it"),
        count("accepts", "answer what is forbidden"),
        count("unknown", "need a shape to tell"),
    ];
    return `${parts.filter(Boolean).join("; ")}.`;
}

// ---- Shapes ----------------------------------------------------------------------------------

/** A field for each dimension that the file leaves open, where a verdict needs one. */
function showShapes() {
    const place = byId("model-shapes");
    const open = report.nodes?.some(
        ({ verdicts }) =>
            worst(verdicts) === "unknown" || verdicts.some(({ verdict }) => verdict === "unknown"),
    );
    const used = Object.keys(dims).length + Object.keys(shapes).length > 0;
    const fields = new Map();
    for (const { name, dims: extents } of report.inputs ?? []) {
        if (!extents) fields.set(`shape.${name}`, `shape of ${name}`);
        extents?.forEach((extent, axis) => {
            if (typeof extent === "string") fields.set(`dim.${extent}`, extent);
            if (extent === null) fields.set(`dim.${name}:${axis}`, `${name}, axis ${axis}`);
        });
    }
    place.hidden = !(open || used) || fields.size === 0;
    const values = { dim: dims, shape: shapes };
    place.replaceChildren(
        element("p", {}, "A verdict needs a shape. Give what you know:"),
        ...[...fields].map(([key, title]) => {
            const [kind, name] = [key.slice(0, key.indexOf(".")), key.slice(key.indexOf(".") + 1)];
            const hint = kind === "dim" ? "any" : "1,3,224,224";
            const words = { type: "text", size: kind === "dim" ? 6 : 14, placeholder: hint };
            const value = values[kind][name] ?? "";
            const field = element("input", { ...words, id: key, value: String(value) });
            field.inputMode = kind === "dim" ? "numeric" : "text";
            return element("label", { htmlFor: key }, `${title} `, field);
        }),
    );
}

function takeShape(field) {
    const [kind, name] = [
        field.id.slice(0, field.id.indexOf(".")),
        field.id.slice(field.id.indexOf(".") + 1),
    ];
    const text = field.value.trim();
    const isRight = kind === "dim" ? /^\d*$/ : /^(\d+(,\d+)*)?$/;
    field.toggleAttribute("aria-invalid", !isRight.test(text));
    if (!isRight.test(text)) return;
    const list = kind === "dim" ? dims : shapes;
    if (text === "") delete list[name];
    else list[name] = kind === "dim" ? text : text.split(",");
    inspect();
}

// ---- The table -------------------------------------------------------------------------------

function showTable() {
    const nodes = report.nodes.slice(0, MOST_ROWS);
    const [families, versions, chosenRow] = ["tr", "tr", "tr"].map((name) => element(name));
    families.append(element("td", { rowSpan: 2 }));
    for (const [runtime, all] of grouped(targets)) {
        const words = { colSpan: all.length, scope: "colgroup", title: runtime };
        words.className = all.length === 1 ? "apart" : "";
        families.append(element("th", words, runtime));
    }
    for (const one of targets)
        versions.append(
            element("th", { scope: "col", title: one.target }, versionOf(one) || "\u00b7"),
        );
    chosenRow.append(element("th", { scope: "row" }, "Repair it for"));
    for (const { target } of targets) {
        const words = { type: "checkbox", id: `for-${target}`, checked: chosen.has(target) };
        const box = element("input", { ...words, "aria-label": `repair it for ${target}` });
        box.addEventListener("change", () => {
            chosen[box.checked ? "add" : "delete"](target);
            showLine();
        });
        chosenRow.append(element("td", {}, box));
    }
    const cells = [];
    const rows = nodes.map((node, row) => {
        const line = element("tr");
        const facts = element("span", { className: "note" }, factsOf(node));
        line.append(element("th", { scope: "row" }, node.name, facts));
        node.verdicts.forEach((found, column) => {
            const [sign, words] = VERDICTS[found.verdict];
            const spoken = `${node.name}, ${found.target}: ${words}`;
            const classes = `${found.verdict}${found.measured ? "" : " told"}`;
            const cell = element(
                "td",
                { tabIndex: -1, className: classes, "aria-label": spoken, title: spoken },
                sign,
            );
            cell.dataset.at = `${row} ${column}`;
            cells.push(cell);
            line.append(cell);
        });
        return line;
    });
    const body = element("tbody", {}, ...rows);
    const head = element("thead", {}, families, versions);
    const table = element("table", { "aria-label": "Pads and runtimes" }, head, body);
    table.append(element("tfoot", {}, chosenRow));
    listen(body, cells, nodes.length, targets.length, () => {});
    body.addEventListener("focusin", ({ target }) => {
        if (target.dataset.at) showCell(cells, ...target.dataset.at.split(" ").map(Number));
    });
    byId("model-table").replaceChildren(table);
    const left = report.nodes.length - nodes.length;
    byId("model-more").textContent =
        left > 0 ? `and ${left} more Pads; tensorpad check lists them` : "";
    const ranks = cells.map(({ className }) => ORDER.indexOf(className.split(" ")[0]));
    const first = ranks.indexOf(Math.max(...ranks));
    showCell(cells, Math.floor(first / targets.length), first % targets.length);
    showLine();
}

const shapeText = (shape) =>
    shape ? shape.map((extent) => extent ?? "?").join("\u00d7") : "any shape";

function factsOf({ mode, begin, end, axes, input_shape, output_shape }) {
    const amounts = begin
        ? begin
              .map((before, at) => [axes?.[at] ?? at, before, end[at]])
              .filter(([, before, after]) => before || after)
              .map(([axis, before, after]) => `axis ${axis}: ${before}, ${after}`)
              .join("; ") || "nothing"
        : "amounts that are computed";
    return `${mode ?? "a mode that is not known"} \u00b7 ${amounts} \u00b7 ${shapeText(input_shape)} \u2192 ${shapeText(output_shape)}`;
}

/** The line for a pipeline that fails where a chosen runtime is wrong. */
function showLine() {
    const quoted = (text) =>
        /^[\w.,:=/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
    const words = ["tensorpad", "check", file.name];
    if (chosen.size > 0) words.push("--target", [...chosen].join(","));
    for (const [name, extent] of Object.entries(dims)) words.push("--dim", `${name}=${extent}`);
    for (const [name, shape] of Object.entries(shapes))
        words.push("--input-shape", `${name}=${shape}`);
    byId("model-line").textContent = words.map(quoted).join(" ");
    byId("model-repair").disabled = chosen.size === 0;
}

// ---- One verdict -----------------------------------------------------------------------------

async function showCell(cells, row, column) {
    const [node, place] = [report.nodes[row], byId("model-verdict")];
    const [found, target] = [node.verdicts[column], targets[column]];
    for (const cell of cells) cell.removeAttribute("aria-current");
    cells[row * targets.length + column].setAttribute("aria-current", "true");
    const name = [target.runtime, versionOf(target)].filter(Boolean).join(" ");
    const [, words] = VERDICTS[found.verdict];
    const title = element(
        "h3",
        {},
        `${node.name} on ${name}: `,
        element("span", { className: `verdict ${found.verdict}` }, words),
    );
    const rule = element("div");
    place.replaceChildren(
        title,
        element("p", {}, found.text || "It gives the answer of the specification, bit by bit."),
    );
    if (!found.measured)
        place.append(
            element("p", { className: "note" }, "By its documents: this version was not run."),
        );
    const witness = element("div", { className: "grids" });
    drawWitness(witness, node, found, name);
    place.append(witness, rule);
    if (["differs", "refuses", "crashes"].includes(found.verdict)) {
        const button = element("button", { type: "button" }, `Download it repaired for ${name}`);
        button.addEventListener("click", () => repair([found.target]));
        place.append(button);
    }
    if (!found.code) return;
    const text = await ask("explain", found.code).catch((error) => error.message);
    const [head, ...rest] = text.trim().split("\n\n");
    const parts = rest.map((part) => part.replace(/\n/g, " "));
    const fix = rest.find((part) => part.startsWith("What to do"))?.replace(/^What to do\n/, "");
    rule.append(
        element("p", {}, element("strong", {}, "The rule "), head.replace(/ {2,}/g, " ")),
        element("p", {}, parts[0]),
        ...(fix ? [element("p", {}, element("strong", {}, "What to do "), fix)] : []),
    );
}

/** A case in which a runtime was seen to break this rule: [case, target], the same target if there is one. */
function recordedOf(code, target) {
    const seen = tools.recorded.flatMap((one) =>
        Object.keys(one.answers)
            .filter((name) => one.answers[name].rule === code)
            .map((name) => [one, name]),
    );
    return seen.find(([, name]) => name === target) ?? seen[0];
}

/** A recorded wrong answer beside the right one; else the right answer on a small tensor. */
function drawWitness(place, node, found, name) {
    const [one, target] = (found.code && recordedOf(found.code, found.target)) ?? [];
    if (one) {
        drawAnswer(place, one, target);
        place.append(element("p", { className: "note" }, `Recorded. The model: ${one.shows}.`));
        return;
    }
    const problem = smallOf(node);
    if (!problem) return;
    try {
        const { shape, data } = solveElements(tools.api, problem);
        const size = problem.shape.join(" \u00d7 ");
        drawNumbers(place, `Right, on a small tensor of ${size}`, shape, data);
        if (found.verdict === "refuses")
            place.append(noAnswer(`${name} ends with an error: no answer.`));
        if (found.verdict === "crashes")
            place.append(noAnswer(`${name} ends the process: no answer.`));
        const told =
            "The wrong answer depends on what stands around the Pad: tensorpad check --witness writes it.";
        if (found.verdict === "differs") place.append(element("p", { className: "note" }, told));
    } catch (error) {
        if (!(error instanceof Refused)) throw error;
        place.append(noAnswer(`The specification forbids it: ${error.message}`));
    }
}

const noAnswer = (text) => element("p", { className: "crash" }, text);

/** The node on its last one or two padded axes, with short extents and amounts. */
function smallOf({ opset, mode, begin, end, axes, input_shape: shape }) {
    if (!mode || !begin || !opset || !shape) return null;
    const padded = begin
        .map((before, at) => [before, end[at], shape.at(axes?.[at] ?? at)])
        .filter(([before, after]) => before || after)
        .slice(-2);
    const small = padded.map(([before, after, extent]) => {
        const amounts = [before, after];
        if (extent !== null && Math.max(extent, ...amounts.map(Math.abs)) <= SMALL)
            return [extent, ...amounts];
        const less = (amount) => {
            const size = Math.abs(amount);
            const room = extent !== null && size >= extent ? 5 : Math.min(size, 2);
            return Math.sign(amount) * room;
        };
        return [4, ...amounts.map(less)];
    });
    if (small.length === 0) small.push([4, 0, 0]);
    try {
        return readProblem({
            spec: `onnx-${ONNX_VERSIONS.findLast((version) => version <= opset)}`,
            shape: small.map(([extent]) => extent),
            mode,
            begin: small.map(([, before]) => before),
            end: small.map(([, , after]) => after),
        });
    } catch (error) {
        if (error instanceof WordError) return null;
        throw error;
    }
}

// ---- The model repaired ----------------------------------------------------------------------

async function repair(names) {
    const place = byId("model-repaired");
    place.textContent = "Rewriting \u2026";
    try {
        const words = { targets: names, dims, shapes, partial: true };
        const { model, report: done } = await ask("lower", file.blob, words);
        const stay = done.nodes.filter(({ outcome }) => outcome === "cannot");
        const why = stay.map(({ name, reason }) => `${name} stays: ${reason}`).join("; ");
        if (done.rewritten > 0) download(model, file.name.replace(/(\.onnx)?$/, "-repaired.onnx"));
        const count = `${done.rewritten} of ${done.nodes.length} Pads rewritten`;
        place.textContent =
            done.rewritten + stay.length === 0
                ? "Nothing to repair: every Pad is right there."
                : `${count}. ${why}`;
    } catch (error) {
        place.textContent = error.message.replace(/^model\.onnx: /, "");
    }
}

export function download(blob, name) {
    const link = element("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
