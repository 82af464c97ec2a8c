/** Pads, crops and dilates tensors. docs/javascript.md shows how; docs/semantics.md says what is computed. */

export type TypedArray =
  | Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array
  | Float32Array | Float64Array | BigInt64Array | BigUint64Array;

/** What lies beyond the edge of abcd, padded by two: kk abcd kk, aa abcd dd, cb abcd cb, ba abcd dc, cd abcd ab. */
export type Mode = "constant" | "edge" | "reflect" | "symmetric" | "wrap";

/** One thing for all axes, a list with one entry for each axis (or for each axis in `axes`), or an object by axis. */
export type ByAxis<T> = T | readonly T[] | { readonly [axis: number]: T };

export interface PadOptions {
  /** Cells to add: 2 on every side, [1, 2] in front and behind of every axis, [[0, 0], [1, 2]] for each axis,
   * {1: [1, 2]} or {"-1": 2} for named axes. Negative amounts crop. Default 0. */
  padWidth?: number | readonly [number, number] | readonly (readonly [number, number])[]
    | { readonly [axis: number]: number | readonly [number, number] };
  /** Default "constant". */
  mode?: ByAxis<Mode>;
  /** One element, for mode constant and for interior cells. Default 0. An integer type takes only values it can hold. */
  constantValue?: number | bigint;
  /** Cells to insert between two neighbours, not negative. Default 0. */
  interior?: ByAxis<number>;
  /** "window" (default): onto the endless extension of the whole axis; "crop": negative amounts are cut off first. */
  order?: "window" | "crop";
  /** The axes that padWidth, mode and interior speak of; -1 is the last. Default: all. */
  axes?: number | readonly number[];
}

/** A tensor: its elements, dense and row by row, and its extents. */
export interface Tensor<T extends TypedArray> { data: T; shape: number[] }

/** Pads a tensor. `out` takes the result instead of a new array, and must be of its type and length. */
export function pad<T extends TypedArray>(data: T, shape: readonly number[], options?: PadOptions & { out?: T }): Tensor<T>;

/** The shape of a result, without any data. */
export function padShape(shape: readonly number[], options?: PadOptions): number[];

/** A problem that is checked once and run often. `type` is the class of the arrays, such as Float32Array. */
export class Plan<T extends TypedArray> {
  constructor(type: { new (length: number): T }, shape: readonly number[], options?: PadOptions);
  readonly inShape: readonly number[];
  readonly shape: readonly number[];
  /** Pads `data` into `out`, or into a new array. Arrays that lie in the engine's memory are not copied. */
  run(data: T, out?: T): T;
  /** What was chosen for this plan, in words. */
  describe(): string;
  /** Gives the plan's memory back at once; else that happens when the object is collected. */
  free(): void;
}

/** Memory of the engine, for arrays that need no copy on the way in and out. */
export interface EngineArray<T extends TypedArray> {
  /** A view of the elements. Ask for it anew after other calls: it is detached when the memory grows. */
  readonly data: T;
  free(): void;
}
export function allocate<T extends TypedArray>(type: { new (length: number): T }, length: number): EngineArray<T>;

/** Why a call was refused. `message` is the library's sentence, the same as in C, Python and the command. */
export class PadError extends Error {
  /** The name of the status, such as "E_SPEC_MODE". */
  readonly status: string;
  /** The axis, or -1. */
  readonly axis: number;
}

/** ONNX Pad, versions 1 to 25. `type` is needed where the array's class does not say it: "bfloat16", "bool", "int4". */
export interface OnnxOptions {
  pads: readonly number[];
  constantValue?: number | bigint;
  axes?: readonly number[];
  mode?: string;
  opset?: number;
  lenient?: boolean;
  type?: string;
}
/** OpenVINO Pad-1 and Pad-12. */
export interface OpenvinoOptions {
  padsBegin: readonly number[];
  padsEnd: readonly number[];
  padMode: string;
  padValue?: number | bigint;
  opset?: number;
  lenient?: boolean;
  type?: string;
}
/** nGraph Pad. */
export interface NgraphOptions {
  paddingBelow: readonly number[];
  paddingAbove: readonly number[];
  paddingInterior?: readonly number[];
  padValue: number | bigint;
  padMode?: string;
}
/** embARC MLI padding2d: the amounts of the two axes of a picture; the data is int8 or int16. */
export interface MliOptions { layout: "chw" | "hwc"; left?: number; right?: number; top?: number; bottom?: number }

interface Specification<Options> {
  pad<T extends TypedArray>(data: T, shape: readonly number[], options: Options & { out?: T }): Tensor<T>;
  padShape(type: string, shape: readonly number[], options: Options): number[];
}
export const onnx: Specification<OnnxOptions>;
export const openvino: Specification<OpenvinoOptions>;
export const ngraph: Specification<NgraphOptions>;
export const mli: { padding2d: Specification<MliOptions>["pad"]; padShape: Specification<MliOptions>["padShape"] };

/** "0.2.0" */
export const version: string;
/** The kernels at work: "wasm" (SIMD) or "plain". */
export const kernels: string;
