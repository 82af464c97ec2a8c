/** What runtimes do with a pad: asks the rules in playground.wasm (engine/verdicts.c). */
import { familyOf } from "./problem.js";
import { Refused, solveShape } from "./solve.js";

/** The texts of a verdict, in the order of their numbers in engine/verdicts.c. */
const VERDICT_TEXTS = ["verdict", "code", "text", "waysOut", "target", "runtime", "version"];

/**
 * Makes the function runtimes(problem), which lists what each runtime does with a problem of the
 * page: {target, runtime, version, verdict, code, text, waysOut, measured}. version, code, text and
 * waysOut are "" where there is none. The list is empty for specifications other than ONNX and
 * OpenVINO, and for what cannot be written into a model.
 */
export function createRuntimes(instance, api) {
    const engine = instance.exports;
    const decoder = new TextDecoder();

    function textAt(address) {
        if (address === 0) return "";
        const bytes = new Uint8Array(engine.memory.buffer, address);
        return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
    }

    /** Has the engine make the problem, so that its arguments are in the slate. They are not, where
     * JavaScript itself refuses the call. */
    function describe(problem) {
        try {
            solveShape(api, { ...problem, lenient: false });
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            if (error.status === "E_ARGUMENT") return 0;
        }
        switch (familyOf(problem.spec)) {
            case "onnx":
                return engine.describe_onnx();
            case "openvino":
                return engine.describe_openvino();
            default:
                return 0;
        }
    }

    return function runtimes(problem) {
        const verdicts = [];
        if (!describe(problem)) return verdicts;
        for (let index = 0; engine.judge(index); index++) {
            const verdict = { measured: engine.judged_measured() === 1 };
            VERDICT_TEXTS.forEach((name, number) => {
                verdict[name] = textAt(engine.judged_text(number));
            });
            verdicts.push(verdict);
        }
        return verdicts;
    };
}
