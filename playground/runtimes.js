/** What runtimes do with a pad: asks the rules in playground.wasm (engine/rules.c). */
import { familyOf } from "./problem.js";
import { Refused, solveShape } from "./solve.js";

/** The texts of a verdict, in the order of their numbers in engine/rules.c. */
const VERDICT_TEXTS = ["verdict", "code", "text", "waysOut", "target", "runtime", "version"];

/** Why no runtime is asked about pads of a specification, or "" if they are. */
export function whyNoRuntimes(spec) {
    if (["onnx", "openvino"].includes(familyOf(spec))) return "";
    return "Runtimes read ONNX models and OpenVINO IR, and neither says it so: choose ONNX Pad or "
        + "OpenVINO Pad to see what they do.";
}

/**
 * Makes the function runtimes(problem), which lists what each runtime does with a problem of the page:
 * {target, runtime, version, verdict, code, text, waysOut, measured}. version, code, text and waysOut
 * are "" where there is none. The list is empty for specifications other than ONNX and OpenVINO, and
 * for what cannot be written into a model.
 */
export function createRuntimes(instance, api) {
    const engine = instance.exports;
    const decoder = new TextDecoder();

    function textAt(address) {
        if (address === 0) return "";
        const bytes = new Uint8Array(engine.memory.buffer, address);
        return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
    }

    /** Has the engine make the problem, so that its arguments are in the slate. Where it is refused as the
     * call that it is in JavaScript, they are not. */
    function describe(problem) {
        try {
            solveShape(api, { ...problem, lenient: false });
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            if (error.status === "E_ARGUMENT") return 0;
        }
        return familyOf(problem.spec) === "onnx" ? engine.describe_onnx() : engine.describe_openvino();
    }

    return function runtimes(problem) {
        const verdicts = [];
        if (whyNoRuntimes(problem.spec) !== "" || !describe(problem)) return verdicts;
        for (let index = 0; engine.judge(index); index++) {
            const verdict = { measured: engine.judged_measured() === 1 };
            VERDICT_TEXTS.forEach((name, which) => {
                verdict[name] = textAt(engine.judged_text(which));
            });
            verdicts.push(verdict);
        }
        return verdicts;
    };
}
