/** The panel that says what other runtimes do with the problem. */
import { element } from "./grid.js";
import { versionOf } from "./problem.js";
import { asNode } from "./solve.js";

const WORDS = {
    same: "the same", differs: "something else", refuses: "an error", crashes: "a crash",
    accepts: "runs it", unknown: "not known",
};

/** Shows the verdicts for a problem. runtimes: as made by runtimes.js. */
export function drawOthers(api, runtimes, problem) {
    const place = document.getElementById("runtimes");
    const { problem: node, reason } = asNode(api, problem);
    if (!node) {
        place.replaceChildren(element("p", { className: "note",
            textContent: `No single node of a model says this. ${reason}` }));
        return;
    }
    const what = node.spec.startsWith("onnx")
        ? `ONNX Pad in a model of opset ${versionOf(node.spec)}` : `OpenVINO Pad-${versionOf(node.spec)}`;
    const note = element("p", { className: "note", textContent: `This problem as a node: ${what}. All `
        + "facts are given: the type and the shape of the data are known; pads, axes and value are "
        + "initializers. \u201cThe same\u201d is the result that the document prescribes." });
    const table = element("table", { className: "verdicts" });
    const head = element("thead");
    head.innerHTML = '<tr><th scope="col">Runtime</th><th scope="col">Result</th>'
        + '<th scope="col">Why</th></tr>';
    const body = element("tbody");
    for (const found of runtimes(node)) {
        const row = element("tr");
        row.dataset.target = found.target;
        row.dataset.verdict = found.verdict;
        const name = [found.runtime ?? found.target, found.version].filter(Boolean).join(" ");
        const why = [found.code, found.text].filter(Boolean).join(": ");
        const reason = element("td", { textContent: why });
        if (found.waysOut) reason.append(wayOut(name, found.waysOut));
        row.append(element("th", { scope: "row", textContent: name }),
            element("td", { className: `verdict ${found.verdict}`,
                textContent: WORDS[found.verdict] ?? found.verdict }), reason);
        body.append(row);
    }
    table.append(head, body);
    place.replaceChildren(note, table);
}

function wayOut(name, text) {
    const more = element("details");
    const summary = element("summary", { textContent: "Ways out" });
    summary.setAttribute("aria-label", `Ways out for ${name}`);
    more.append(summary, element("p", { textContent: text }));
    return more;
}
