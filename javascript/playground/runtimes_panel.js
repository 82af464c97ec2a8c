/** The panel that says what other runtimes do with the problem. */
import { element } from "./grid.js";
import { versionOf } from "./problem.js";
import { asNode } from "./solve.js";

/** What the words of `tensorpad check` mean. */
const VERDICTS = {
    same: "gives the answer of the specification",
    unknown: "may do either",
    accepts: "answers, although the specification forbids the node",
    differs: "gives another answer than the specification",
    refuses: "ends with an error",
    crashes: "ends the process, panics or hangs",
};

/** Shows the verdicts for a problem. runtimes: as made by verdicts.js. */
export function drawOthers(api, runtimes, problem) {
    const place = document.getElementById("runtimes");
    const { problem: node, reason } = asNode(api, problem);
    if (!node) {
        place.replaceChildren(element("p", { className: "note",
            textContent: `No single node of a model says this. ${reason}` }));
        return;
    }
    const version = versionOf(node.spec);
    const isOnnx = node.spec.startsWith("onnx");
    const what = isOnnx
        ? `ONNX Pad in a model of opset ${version}`
        : `OpenVINO Pad-${version}, which only OpenVINO reads`;
    const note = element("p", { className: "note", textContent: `This problem as a node: ${what}. `
        + "All facts are given: the type and the shape of the data are known; pads, axes and value "
        + "are initializers. What is not marked was found by running the runtimes." });
    const table = element("table", { className: "verdicts" });
    const head = element("thead");
    head.innerHTML = '<tr><th scope="col">Runtime</th><th scope="col">Verdict</th>'
        + '<th scope="col">Why</th></tr>';
    const body = element("tbody");
    const read = runtimes(node).filter((found) => isOnnx || found.runtime === "OpenVINO");
    for (const found of read) {
        const row = element("tr");
        row.dataset.target = found.target;
        row.dataset.verdict = found.verdict;
        const name = [found.runtime, found.version].filter(Boolean).join(" ");
        const why = [found.code, found.text].filter(Boolean).join(": ");
        const explained = element("td", { textContent: why });
        if (found.waysOut) explained.append(wayOut(name, found.waysOut));
        const header = element("th", { scope: "row", textContent: name });
        if (!found.measured) {
            header.append(element("span", { className: "source",
                textContent: "by its documentation" }));
        }
        row.append(header, element("td", { className: `verdict ${found.verdict}`,
            textContent: found.verdict }), explained);
        body.append(row);
    }
    table.append(head, body);
    const words = element("p", { className: "note" });
    words.textContent = [...new Set(read.map((found) => found.verdict))]
        .map((verdict) => `${verdict}: ${VERDICTS[verdict]}`).join("; ") + ".";
    place.replaceChildren(note, table, words);
}

function wayOut(name, text) {
    const more = element("details");
    const summary = element("summary", { textContent: "Ways out" });
    summary.setAttribute("aria-label", `Ways out for ${name}`);
    more.append(summary, element("p", { textContent: text }));
    return more;
}
