/** Uses and misuses of the package: tsc accepts the uses and refuses each line below a
 * `@ts-expect-error`. */

import {
    allocate,
    kernels,
    mli,
    ngraph,
    onnx,
    openvino,
    pad,
    padBatch,
    PadError,
    padShape,
    padTo,
    Plan,
    unpad,
    version,
} from "tensorpad";
import type { Mode, PadOptions, Tensor, TypedArray } from "tensorpad";
import { createTensorpad, hasSimd, instantiate } from "tensorpad/create";

const data = new Float32Array(6);
const made: Tensor<Float32Array> = pad(data, [2, 3], { padWidth: 1, mode: "reflect" });
const extents: number[] = made.shape;
const first: number = made.data[0] ?? extents[0] ?? 0;
pad(new Uint8ClampedArray(16), [2, 2, 4], { padWidth: { 0: 1, "-1": [0, 1] } });
pad(data, [2, 3], {
    padWidth: [
        [0, 0],
        [1, 2],
    ],
    mode: ["wrap", "edge"],
    interior: [0, 1],
    order: "crop",
});
pad(data, [2, 3], {
    padWidth: [1, 2],
    mode: { 0: "edge", "-1": "wrap" },
    axes: [-1, 0],
    out: new Float32Array(42),
});
const widths: number[][] = [[1], [0, 2]];
pad(data, [2, 3], { padWidth: widths });
pad(data, [6], { padWidth: { 0: widths[1] ?? 0 } });
const half: Float16Array = pad(new Float16Array(1), [1], { constantValue: 0.5 }).data;
pad(new BigInt64Array(1), [1], { constantValue: 1n });
pad(new Uint8Array(2), [3], { type: "int4", constantValue: -8 });
pad(data, [3], { type: "complex64", constantValue: [1, -1] });
pad(data, [1, 2, 3], { padWidth: { 1: [1, 1] }, constantValue: [124, 116, 104], constantAxis: -1 });
pad(data, new Int32Array([2, 3]));
const shape: number[] = padShape([2, 3], { padWidth: 1 });

const { padWidth, ...wide } = padTo(data, [2, 3], { size: [4, null], tooLong: ["keep", "error"] });
padTo(data, [2, 3], { square: [0, 1], multiple: 2, align: { 0: -1, 1: "end" }, axes: [0, 1] });
const narrow: Tensor<Float32Array> = unpad(wide.data, wide.shape, { padWidth, interior: 0 });
const batch = padBatch([data, narrow], { mask: true, lengths: true, multiple: 8 });
const mask: Uint8Array | undefined = batch.mask;
const ids: TypedArray = padBatch([[1, 2n], [3]], { type: "int64", size: 4 }).data;
declare class Ort {
    readonly data: Float32Array;
    readonly dims: readonly number[];
    readonly type: "float32";
}
declare const ort: Ort;
const orts: Ort[] = [pad(ort, { padWidth: 1 }), padTo(ort, { size: 8 }), padBatch([ort, ort])];
orts.push(unpad(ort, { padWidth: 1 }), onnx.pad(ort, { pads: [1, 1] }));
const picture: ImageData = padTo(pad(new ImageData(2, 2), { padWidth: 1 }), { square: [0, 1] });

const plan = new Plan(Float32Array, [2, 3], { padWidth: 1 });
const run: Float32Array = plan.run(data);
plan.run(data, run);
const shared = new Float32Array(new SharedArrayBuffer(24));
const buffers: ArrayBuffer[] = [pad(shared, [6]), onnx.pad(shared, [6], { pads: [1, 1] })]
    .map((one) => one.data.buffer)
    .concat(plan.run(shared).buffer);
const into: SharedArrayBuffer[] = [
    pad(data, [6], { out: shared }).data.buffer,
    plan.run(data, shared).buffer,
];
export function ofAnyClass<T extends TypedArray>(array: T, out: T, own: Plan<T>): T[] {
    const onnxMade = onnx.pad(array, [6], { pads: [1, 1], out });
    return [pad(array, [6]).data, pad(array, [6], { out }).data, onnxMade.data, own.run(array)];
}
const words: string = plan.describe() + plan.type + version + kernels;
const byName: Plan<TypedArray> = new Plan("int4", shape);
byName.run(new Uint8Array(3));

const inEngine = allocate(Int16Array, 8);
const view: Int16Array = inEngine.data;
inEngine.free();

onnx.pad(data, [2, 3], {
    pads: [0, 1, 0, 1],
    mode: "wrap",
    opset: 19,
    constantValue: 1.5,
    axes: [0, 1],
    lenient: true,
});
onnx.padShape(Float32Array, [2, 3], { pads: [0, 1, 0, 1] });
const onnxPlan: Plan<Float64Array> = onnx.plan(Float64Array, [2, 3], { pads: [0, 1, 0, 1] });
openvino.pad(data, [6], { padsBegin: [1], padsEnd: [1], padMode: "edge", version: 12, out: run });
ngraph.pad(data, [6], {
    paddingBelow: [1],
    paddingAbove: [1],
    argPadValue: 0,
    paddingInterior: [1],
    padMode: "EDGE",
});
mli.padding2d(view, [1, 2, 4], { layout: "chw", paddingLeft: 1 });

try {
    pad(data, [5]);
} catch (error) {
    if (error instanceof PadError) {
        const told: [string, number, number, number] = [
            error.status,
            error.axis,
            error.got,
            error.limit,
        ];
        console.log(told, error.message);
    }
}
async function own(): Promise<number[]> {
    const instance: WebAssembly.Instance = await instantiate(
        new Uint8Array(),
        hasSimd() ? new Uint8Array() : undefined,
    );
    return createTensorpad(instance).padShape([1]);
}
declare const compiled: WebAssembly.Module;
const fromModule: Promise<WebAssembly.Instance> = instantiate(compiled);
const mode: Mode = "wrap";
const options: PadOptions = { mode };
console.log(
    mask,
    ids,
    orts,
    picture,
    half,
    first,
    words,
    buffers,
    into,
    own,
    fromModule,
    options,
    onnxPlan,
);

// @ts-expect-error: a list is no typed array
pad([1, 2, 3], [3]);
// @ts-expect-error: the shape is missing
pad(data);
// @ts-expect-error: no such word
padTo(data, [6], { tooLong: "crop" });
// @ts-expect-error: the pad widths are missing
unpad(data, [6], {});
// @ts-expect-error: no amounts
padBatch([data], { padWidth: 1 });
// @ts-expect-error: a shape is a list
pad(data, 6);
// @ts-expect-error: no such mode
pad(data, [6], { mode: "mirror" });
// @ts-expect-error: no such option
pad(data, [6], { padwidth: 1 });
// @ts-expect-error: an amount is a number
pad(data, [6], { padWidth: "1" });
// @ts-expect-error: out is of the class of the data
pad(data, [6], { out: new Float64Array(6) });
// @ts-expect-error: a constant is no text
pad(data, [6], { constantValue: "1" });
// @ts-expect-error: no such order
pad(data, [6], { order: "both" });
// @ts-expect-error: a plan runs arrays of its class
plan.run(new Int8Array(6));
// @ts-expect-error: shapes of plans cannot be set
plan.outShape = [1];
// @ts-expect-error: no class of typed arrays
new Plan(Array, [1]);
// @ts-expect-error: a plan has no out
new Plan(Float32Array, [1], { out: data });
// @ts-expect-error: not another class
const wrongView: Float32Array = inEngine.data;
// @ts-expect-error: the layout is missing
mli.padding2d(view, [1, 2, 4], {});
// @ts-expect-error: the amounts are missing
ngraph.pad(data, [6], { argPadValue: 0 });
// @ts-expect-error: OpenVINO's name is padsBegin
openvino.pad(data, [6], { pads: [1, 1] });
// @ts-expect-error: opset is a number
onnx.pad(data, [6], { pads: [1, 1], opset: "19" });
// @ts-expect-error: the version cannot be set
version = "1";

// ---- tensorpad/check, which only modules import ------------------------------------------------

import { check, lower } from "tensorpad/check";

const bytes = new Uint8Array(8);
const verdicts: (string | null)[] = (await check(bytes, { targets: ["ort", "openvino"] })).models
    .flatMap((model) => model.nodes)
    .flatMap((node) => node.verdicts.map((one) => one.code));
const repaired: Uint8Array = (await lower(bytes, { targets: "opencv", fold: true })).model;
// @ts-expect-error: lower needs targets
await lower(bytes, {});
// @ts-expect-error: a path is no model
await check("model.onnx");
void [verdicts, repaired];
