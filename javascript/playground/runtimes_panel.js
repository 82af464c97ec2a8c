/** The panel that says what other runtimes do with the problem. */
import { element } from "./grid.js";
import { versionOf } from "./problem.js";
import { asNode } from "./solve.js";

/** The words of `tensorpad check`, in the order of the page: what stands in the line that counts them,
 * and what they mean. */
const VERDICTS = {
    same: ["the same", "gives the answer of the specification"],
    differs: ["differ and say nothing", "gives another answer than the specification"],
    crashes: ["crash", "ends the process, panics or hangs"],
    refuses: ["refuse", "ends with an error"],
    accepts: ["answer what is forbidden", "answers, although the specification forbids the node"],
    unknown: ["may do either", "may do either"],
};

/** What runtimes do with a problem: {verdicts, version, isOnnx}, or {reason} why none is asked. runtimes: as
 * made by verdicts.js. */
export function verdictsOf(api, runtimes, problem) {
    const { problem: node, reason } = asNode(api, problem);
    if (!node) return { reason };
    const isOnnx = node.spec.startsWith("onnx");
    const verdicts = runtimes(node).filter((found) => isOnnx || found.runtime === "OpenVINO");
    return { node, verdicts, isOnnx, version: versionOf(node.spec) };
}

/** Shows in one line how many runtimes do what, and in a table what each of them does. */
export function drawOthers({ reason, verdicts, isOnnx, version }) {
    const [line, place] = ["tally", "runtimes"].map((id) => document.getElementById(id));
    if (reason) {
        line.textContent = "No runtime is asked: no single node of a model says this.";
        place.replaceChildren(element("p", { className: "note", textContent: reason }));
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
        if (found.code)
            explained.append(
                element("span", {
                    className: "source",
                    textContent: `rule ${found.code} of tensorpad check`,
                }),
            );
        if (found.waysOut) explained.append(wayOut(name, found.waysOut));
        const header = element("th", { scope: "row", textContent: name });
        if (!found.measured) {
            header.append(
                element("span", { className: "source", textContent: "by its documentation" }),
            );
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
    const more = element("details");
    const summary = element("summary", { textContent: "What you can do" });
    summary.setAttribute("aria-label", `What you can do for ${name}`);
    more.append(summary, element("p", { textContent: text }));
    return more;
}
