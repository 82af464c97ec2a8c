/** The panel that says what other runtimes do with the problem. */
import { element } from "./grid.js";
import { versionOf } from "./problem.js";
import { asOnnx } from "./solve.js";

const WORDS = {
    same: "the same", differs: "something else", refuses: "an error", crashes: "a crash",
    accepts: "runs it", unknown: "not known",
};

/** Shows the verdicts for a problem. runtimes: as made by runtimes.js. */
export function drawOthers(api, runtimes, problem) {
    const place = document.getElementById("runtimes");
    const { problem: node, reason } = problem.spec.startsWith("openvino")
        ? { problem } : asOnnx(api, problem);
    if (!node) {
        place.replaceChildren(element("p", { className: "note",
            textContent: `As a model this cannot be said with one node. ${reason}` }));
        return;
    }
    const what = node.spec.startsWith("onnx")
        ? `an ONNX model of opset ${versionOf(node.spec)}` : `OpenVINO's Pad-${versionOf(node.spec)}`;
    const note = element("p", { className: "note", textContent: `This problem as a node of ${what}, in `
        + "which all facts are given: the type and the shape of the data are known, and pads, axes and "
        + "value are initializers. \u201cThe same\u201d is the result that the document prescribes." });
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
        row.append(element("th", { scope: "row", textContent: name }),
            element("td", { className: `verdict ${found.verdict}`,
                textContent: WORDS[found.verdict] ?? found.verdict }),
            element("td", { textContent: why }));
        body.append(row);
    }
    table.append(head, body);
    place.replaceChildren(note, table);
}
