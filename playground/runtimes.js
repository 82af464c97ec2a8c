// What runtimes do with a pad: asks the rules in playground.wasm (engine/rules.c).

const MAX_RUNTIMES_RANK = 16;
const ASKED_WORD_BYTES = 16;
// The offsets in the struct `asked` of engine/rules.c.
const ASKED = {
    shape: 0, pads: 128, axes: 384, value: 512, spec: 520, opset: 524, rank: 528, padsCount: 532,
    axesCount: 536, valueGiven: 540, type: 544, mode: 560,
};
const JUDGED_SPECS = ["onnx", "openvino"];

function splitSpec(spec) {
    const [family, version] = spec.split("-");
    return [JUDGED_SPECS.indexOf(family), Number(version)];
}

/**
 * Why there are no verdicts for a specification, or "" if there are some.
 * @param {string} spec such as "onnx-19", "plain"
 */
export function whyNoRuntimes(spec) {
    return splitSpec(spec)[0] >= 0 ? ""
        : `The runtimes read ONNX models and OpenVINO IR, in which there is no ${spec} pad: `
            + "choose onnx or openvino to see what they do.";
}

/**
 * Makes the function that judges a pad: runtimes(problem) gives a list with what each runtime does.
 * problem: { spec: "onnx-19" or "openvino-12", type: ONNX's name, shape, mode, pads (all begins, then
 * all ends), axes or undefined, value: a Uint8Array with the bytes of one element, or undefined }.
 * The value of ONNX Pad 1 and 2 is always a float. Other specifications give an empty list.
 * @param {WebAssembly.Instance} instance of playground.wasm
 */
export function createRuntimes(instance) {
    const engine = instance.exports;
    const decoder = new TextDecoder();

    function text(address) {
        if (address === 0) return "";
        const bytes = new Uint8Array(engine.memory.buffer, address);
        return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
    }

    function write(problem, spec, opset) {
        const { type, shape, mode, pads, axes = [], value } = problem;
        const at = engine.asked_node();
        const view = new DataView(engine.memory.buffer, at);
        const bytes = new Uint8Array(engine.memory.buffer, at);
        const putList = (place, list, most) => {
            if (list.length > most || !list.every(Number.isSafeInteger))
                throw new RangeError(`a list of at most ${most} whole numbers, not ${list}`);
            list.forEach((number, i) => view.setFloat64(place + 8 * i, number, true));
        };
        const putNumber = (place, number) => view.setInt32(place, number, true);
        const putWord = (place, word) => {
            const letters = new TextEncoder().encode(word).subarray(0, ASKED_WORD_BYTES - 1);
            bytes.fill(0, place, place + ASKED_WORD_BYTES).set(letters, place);
        };
        putList(ASKED.shape, shape, MAX_RUNTIMES_RANK);
        putList(ASKED.pads, pads, 2 * MAX_RUNTIMES_RANK);
        putList(ASKED.axes, axes, MAX_RUNTIMES_RANK);
        bytes.fill(0, ASKED.value, ASKED.value + 8).set(value ?? [], ASKED.value);
        putNumber(ASKED.spec, spec);
        putNumber(ASKED.opset, opset);
        putNumber(ASKED.rank, shape.length);
        putNumber(ASKED.padsCount, pads.length);
        putNumber(ASKED.axesCount, problem.axes === undefined ? -1 : axes.length);
        putNumber(ASKED.valueGiven, value === undefined ? 0 : 1);
        putWord(ASKED.type, type);
        putWord(ASKED.mode, mode);
    }

    return function runtimes(problem) {
        const [spec, opset] = splitSpec(problem.spec);
        if (spec < 0) return [];
        write(problem, spec, opset);
        engine.describe_asked();
        const verdicts = [];
        for (let i = 0; engine.judge_asked(i); i++) {
            verdicts.push({
                target: text(engine.judged_target()),
                runtime: text(engine.judged_runtime()),
                version: text(engine.judged_version()),
                verdict: text(engine.judged_kind()),
                code: text(engine.judged_code()),
                text: text(engine.judged_text()),
                measured: engine.judged_by_running() === 1,
                waysOut: text(engine.judged_ways_out()),
            });
        }
        return verdicts;
    };
}
