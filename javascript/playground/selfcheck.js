/** Known answers, typed in from the specifications' own examples: the engine has to give them
 * before the page works. */
import { readProblem } from "./problem.js";
import { solveElements } from "./solve.js";

const SIX = "1,1.2,2.3,3.4,4.5,5.7";
const TWELVE = "1,2,3,4,5,6,7,8,9,10,11,12";

/** [problem, the elements of the result, or the name of the error's status] */
const KNOWN = [
    [
        { spec: "onnx-25", shape: [3, 2], type: "float64", data: SIX, pads: "0,2,0,0" },
        [0, 0, 1, 1.2, 0, 0, 2.3, 3.4, 0, 0, 4.5, 5.7],
    ],
    [
        {
            spec: "onnx-25",
            shape: [3, 2],
            type: "float64",
            data: SIX,
            mode: "reflect",
            pads: "0,2,0,0",
        },
        [1, 1.2, 1, 1.2, 2.3, 3.4, 2.3, 3.4, 4.5, 5.7, 4.5, 5.7],
    ],
    [
        {
            spec: "onnx-25",
            shape: [3, 2],
            type: "float64",
            data: SIX,
            mode: "edge",
            pads: "0,2,0,0",
        },
        [1, 1, 1, 1.2, 2.3, 2.3, 2.3, 3.4, 4.5, 4.5, 4.5, 5.7],
    ],
    [
        {
            spec: "onnx-19",
            shape: [3, 2],
            type: "float64",
            data: SIX,
            mode: "wrap",
            pads: "2,1,1,1",
        },
        [
            3.4, 2.3, 3.4, 2.3, 5.7, 4.5, 5.7, 4.5, 1.2, 1, 1.2, 1, 3.4, 2.3, 3.4, 2.3, 5.7, 4.5,
            5.7, 4.5, 1.2, 1, 1.2, 1,
        ],
    ],
    [
        {
            spec: "openvino-1",
            shape: [3, 4],
            type: "int32",
            data: TWELVE,
            mode: "symmetric",
            begin: "0,1",
            end: "2,3",
        },
        [
            1, 1, 2, 3, 4, 4, 3, 2, 5, 5, 6, 7, 8, 8, 7, 6, 9, 9, 10, 11, 12, 12, 11, 10, 9, 9, 10,
            11, 12, 12, 11, 10, 5, 5, 6, 7, 8, 8, 7, 6,
        ],
    ],
    [
        {
            spec: "openvino-12",
            shape: [3, 4],
            type: "int32",
            data: TWELVE,
            mode: "reflect",
            begin: "0,1",
            end: "2,3",
        },
        [
            2, 1, 2, 3, 4, 3, 2, 1, 6, 5, 6, 7, 8, 7, 6, 5, 10, 9, 10, 11, 12, 11, 10, 9, 6, 5, 6,
            7, 8, 7, 6, 5, 2, 1, 2, 3, 4, 3, 2, 1,
        ],
    ],
    [{ spec: "onnx-18", shape: [3, 2], mode: "wrap", pads: "0,0,0,0" }, "E_SPEC_MODE"],
];

/** "" if the engine gives all known answers, else which one it does not give. */
export function selfCheck(api) {
    for (const [words, expected] of KNOWN) {
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
