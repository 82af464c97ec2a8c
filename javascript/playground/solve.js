/** Has the engine solve a problem of the page, asks it where each cell comes from and what
 * runtimes do, by the rules in playground.wasm (engine/verdicts.c), and checks it. */
import {
    cellCount,
    defaultProblem,
    familyOf,
    readProblem,
    spreadOver,
    valueAxisOf,
    valueOf,
    valuesOf,
    versionOf,
} from "./problem.js";
import { decodeElements, encodeElements, numbered, typeNamed } from "./types.js";

/** The library refused the problem: its sentence and the name of its status. */
export class Refused extends Error {
    constructor(message, status) {
        super(message);
        this.status = status;
    }
}

/** A problem as a call: the path of the package's function, and the options under the specification's
 * names. */
export function callWords(problem) {
    const { begin, end, spec, lenient, type } = problem;
    const values = valuesOf(problem);
    const constantValue = values ? values.map((text) => valueOf(problem, text)) : valueOf(problem);
    const constantAxis = values ? valueAxisOf(problem) : undefined;
    const mode = problem.mode.length === 1 ? problem.mode[0] : problem.mode;
    const axes = problem.axes ?? undefined;
    const interior = problem.interior ?? undefined;
    const version = versionOf(spec);
    switch (familyOf(spec)) {
        case "onnx": {
            const pads = [...begin, ...end];
            const options = { pads, constantValue, axes, mode, opset: version, lenient, type };
            return { path: "onnx.pad", options };
        }
        case "openvino": {
            const amounts = { padsBegin: begin, padsEnd: end, padMode: mode };
            const options = { ...amounts, padValue: constantValue, version, lenient, type };
            return { path: "openvino.pad", options };
        }
        case "ngraph": {
            const amounts = { paddingBelow: begin, paddingAbove: end, paddingInterior: interior };
            const padMode = mode.toUpperCase();
            const options = { ...amounts, argPadValue: constantValue, padMode, type };
            return { path: "ngraph.pad", options };
        }
        case "mli": {
            const [[paddingTop, paddingLeft], [paddingBottom, paddingRight]] = [begin, end];
            const layout = spec.slice(4);
            const options = { layout, paddingTop, paddingLeft, paddingBottom, paddingRight };
            return { path: "mli.padding2d", options };
        }
        default: {
            const padWidth = begin.map((before, at) => [before, end[at]]);
            const fill = { constantValue, constantAxis };
            const options = { padWidth, mode, ...fill, interior, order: problem.order, axes, type };
            return { path: "pad", options };
        }
    }
}

/** The functions of the problem's specification, and the options. */
function callOf(api, problem) {
    const family = familyOf(problem.spec);
    const { options } = callWords(problem);
    const padShape = (_, shape, words) => api.padShape(shape, words);
    if (family === "plain") return [{ pad: api.pad, padShape }, options];
    if (family === "mli") return [{ pad: api.mli.padding2d, padShape: api.mli.padShape }, options];
    return [api[family], options];
}

/** Calls the library, whose errors all become Refused. */
function ask(problem, call) {
    const odd = problem.mode.find((mode) => mode !== "constant");
    if (familyOf(problem.spec) === "mli" && odd) {
        throw new Refused(
            `mode '${odd}': MLI pads with zeros only; --spec plain has the other modes`,
            "E_SPEC_MODE",
        );
    }
    try {
        return call();
    } catch (error) {
        throw new Refused(error.message, error.status ?? "E_ARGUMENT");
    }
}

/** Pads an array of the problem's type and shape: {data, shape}. Throws Refused. */
export function solve(api, problem, data) {
    const [functions, options] = callOf(api, problem);
    return ask(problem, () => functions.pad(data, problem.shape, options));
}

/** The shape of the result alone. Throws Refused. */
export function solveShape(api, problem) {
    const [functions, options] = callOf(api, problem);
    return ask(problem, () => functions.padShape(problem.type, problem.shape, options));
}

/** The problem's elements, as numbers or texts. */
export function elementsOf(problem) {
    return problem.data ?? numbered(typeNamed(problem.type), cellCount(problem.shape));
}

/** Pads the elements of the problem itself: {shape, data} with plain numbers. */
export function solveElements(api, problem) {
    const type = typeNamed(problem.type);
    const solved = solve(api, problem, encodeElements(type, elementsOf(problem)));
    const data = decodeElements(type, solved.data, cellCount(solved.shape));
    return { shape: solved.shape, data };
}

/** For each cell of the result the input cell that it repeats, counted in row-major order, or -1
 * for the constant. The engine says so itself: it pads cells that hold their own numbers, and
 * fills with another. */
function sourcesOf(api, problem) {
    const numbers = {
        ...problem,
        data: null,
        type: "float32",
        lenient: true,
        value: familyOf(problem.spec) === "ngraph" ? "0" : null,
        valueAxis: null,
    };
    if (familyOf(problem.spec) === "mli") numbers.type = "int16";
    if (familyOf(problem.spec) === "plain") numbers.lenient = false;
    return solveElements(api, numbers).data.map((number) => number - 1);
}

/** The same with other modes; null where that has no answer. */
function sourcesWith(api, problem, mode) {
    try {
        return sourcesOf(api, { ...problem, mode });
    } catch {
        return null;
    }
}

/** What each cell of the result is. source: as sourcesOf. inside: it is an input element in its own
 * place. gap: an interior cell. beyond: the modes that lead to it, for the axes on which it lies
 * beyond the input. The engine tells all of this, asked with other modes. */
export function cellsOf(api, problem) {
    const source = sourcesOf(api, problem);
    const [first] = problem.mode;
    const isOne = problem.mode.length === 1;
    const modes = isOne ? problem.begin.map(() => first) : problem.mode;
    const alone = sourcesWith(api, problem, ["constant"]) ?? source;
    const hasGaps = problem.interior?.some((cells) => cells > 0);
    const edges = modes.map((mode) => (mode === "constant" ? "edge" : mode));
    const filled = hasGaps
        ? sourcesWith(api, problem, edges.every((mode) => mode === edges[0]) ? [edges[0]] : edges)
        : null;
    const without = (row) => modes.map((mode, at) => (at === row ? "constant" : mode));
    const byAxis = isOne
        ? null
        : modes.map((mode, row) =>
              mode === "constant" ? null : sourcesWith(api, problem, without(row)),
          );
    return source.map((from, at) => {
        const inside = from >= 0 && alone[at] === from;
        let beyond = [];
        if (from >= 0 && !inside) {
            beyond = byAxis ? modes.filter((_, row) => byAxis[row]?.[at] < 0) : [first];
        }
        return { source: from, inside, gap: from < 0 && filled !== null && filled[at] < 0, beyond };
    });
}

/** The problem of a picture of height x width x RGBA: its first two axes are padded, the channels
 * stay. */
export function pictureProblem(problem, height, width) {
    if (familyOf(problem.spec) === "mli") {
        const shape = problem.spec === "mli-chw" ? [4, height, width] : [height, width, 4];
        return { ...problem, shape, type: "int8", data: null };
    }
    const mode = problem.mode.length === 1 ? problem.mode : [...problem.mode, "constant"];
    return {
        ...problem,
        shape: [height, width, 4],
        type: "uint8",
        data: null,
        mode,
        axes: null,
        begin: [...problem.begin, 0],
        end: [...problem.end, 0],
        interior: problem.interior && [...problem.interior, 0],
    };
}

/** The versions of ONNX that a problem is tried as: the oldest one that takes it is read by most
 * runtimes. */
const TRIED_VERSIONS = [13, 18, 19, 21, 23, 24, 25].map((version) => `onnx-${version}`);

/** The problem as ONNX's Pad: {problem}, or {reason} in one sentence why it is none. */
export function asOnnx(api, problem) {
    if (familyOf(problem.spec) === "onnx") return { problem };
    return asOneOf(api, problem, TRIED_VERSIONS, "onnx", "ONNX Pad");
}

/** The problem as a node that runtimes read, of ONNX or else of OpenVINO: {problem} or {reason}. */
export function asNode(api, problem) {
    if (familyOf(problem.spec) === "openvino") return { problem };
    const onnx = asOnnx(api, problem);
    if (onnx.problem) return onnx;
    const openvino = asOneOf(api, problem, ["openvino-12"], "openvino", "OpenVINO Pad");
    return openvino.problem ? openvino : onnx;
}

/** The problem under the first of these specifications that gives the same result, or {reason}. */
function asOneOf(api, problem, specs, family, title) {
    if (!typeNamed(problem.type)[family]) {
        return { reason: `${title} has no type ${problem.type}.` };
    }
    if (problem.mode.some((mode) => mode !== problem.mode[0])) {
        return { reason: `${title} has one mode for all axes.` };
    }
    if (problem.interior?.some((cells) => cells !== 0)) {
        return { reason: `${title} has no interior cells.` };
    }
    if (valuesOf(problem)) return { reason: `${title} has one value for all cells.` };
    let reason = "";
    try {
        solveShape(api, problem);
        for (const spec of specs) {
            const [begin, end] = [problem.begin, problem.end].map((list) =>
                spreadOver(problem, list, 0),
            );
            const { shape, type, data, value } = problem;
            const same = { spec, shape, type, data, value, mode: [problem.mode[0]] };
            const node = { ...defaultProblem(), ...same, begin, end };
            try {
                if (sameSources(api, problem, node)) return { problem: node };
                const onnx = "crops first and extends what is left";
                const does = family === "onnx" ? onnx : "extends the whole input";
                reason = `${title} gives another result here: it ${does}.`;
            } catch (error) {
                reason = error.message;
            }
        }
    } catch (error) {
        reason = `There is no result to express: ${error.message}`;
    }
    return { reason };
}

const MOST_COMPARED = 1e6;

/** Whether two problems have equal results. Axes do not depend on each other, so the engine
 * answers for each alone. */
function sameSources(api, one, other) {
    if (String(solveShape(api, one)) !== String(solveShape(api, other))) return false;
    const begin = spreadOver(one, one.begin, 0);
    const end = spreadOver(one, one.end, 0);
    return begin.every((before, axis) => {
        if (before * end[axis] >= 0) return true;
        const amounts = { shape: [one.shape[axis]], begin: [before], end: [end[axis]] };
        const alone = { ...amounts, data: null, axes: null, interior: null };
        if (solveShape(api, { ...other, ...alone })[0] > MOST_COMPARED) {
            throw new Refused(`axis ${axis} is too long to compare the two orders of crop and pad`);
        }
        const [mine, others] = [one, other].map((each) => sourcesOf(api, { ...each, ...alone }));
        return String(mine) === String(others);
    });
}

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

const SIX = "1,1.2,2.3,3.4,4.5,5.7";
const TWELVE = "1,2,3,4,5,6,7,8,9,10,11,12";

const IN_ONNX = { spec: "onnx-25", shape: [3, 2], type: "float64", data: SIX };
const IN_OPENVINO = { shape: [3, 4], type: "int32", data: TWELVE, begin: "0,1", end: "2,3" };

/** [problem, the elements of the result by rows, or the name of the error's status] */
const KNOWN = [
    [{ ...IN_ONNX, pads: "0,2,0,0" }, "0,0,1,1.2", "0,0,2.3,3.4", "0,0,4.5,5.7"],
    [
        { ...IN_ONNX, mode: "reflect", pads: "0,2,0,0" },
        ...["1,1.2,1,1.2", "2.3,3.4,2.3,3.4", "4.5,5.7,4.5,5.7"],
    ],
    [
        { ...IN_ONNX, mode: "edge", pads: "0,2,0,0" },
        ...["1,1,1,1.2", "2.3,2.3,2.3,3.4", "4.5,4.5,4.5,5.7"],
    ],
    [
        { ...IN_ONNX, spec: "onnx-19", mode: "wrap", pads: "2,1,1,1" },
        ...["3.4,2.3,3.4,2.3", "5.7,4.5,5.7,4.5", "1.2,1,1.2,1", "3.4,2.3,3.4,2.3"],
        ...["5.7,4.5,5.7,4.5", "1.2,1,1.2,1"],
    ],
    [
        { ...IN_OPENVINO, spec: "openvino-1", mode: "symmetric" },
        ...["1,1,2,3,4,4,3,2", "5,5,6,7,8,8,7,6", "9,9,10,11,12,12,11,10"],
        ...["9,9,10,11,12,12,11,10", "5,5,6,7,8,8,7,6"],
    ],
    [
        { ...IN_OPENVINO, spec: "openvino-12", mode: "reflect" },
        ...["2,1,2,3,4,3,2,1", "6,5,6,7,8,7,6,5", "10,9,10,11,12,11,10,9"],
        ...["6,5,6,7,8,7,6,5", "2,1,2,3,4,3,2,1"],
    ],
    [{ spec: "onnx-18", shape: [3, 2], mode: "wrap", pads: "0,0,0,0" }, "E_SPEC_MODE"],
];

/** "" if the engine gives all known answers, else which one it does not give. */
export function selfCheck(api) {
    for (const [words, ...expected] of KNOWN) {
        let found;
        try {
            found = solveElements(api, readProblem(words)).data;
        } catch (error) {
            found = error.status ?? String(error);
        }
        if (String(found) !== String(expected)) {
            const mode = words.mode ?? "constant";
            return `${words.spec}, mode ${mode}: ${found} instead of ${expected}`;
        }
    }
    return "";
}
