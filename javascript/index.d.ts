/** Pads, crops and dilates tensors.
 *
 * Extents, amounts and counts are whole numbers of at most 2^53 - 1 in magnitude. Arguments of
 * the wrong kind are a TypeError, and lengths that do not fit together are a RangeError. What
 * the engine or a specification refuses is a PadError. After an error nothing has been written
 * to `out`. */

/** The classes of arrays. The elements are moved bit by bit, so NaNs keep their bits. */
export type TypedArray =
    | Int8Array
    | Uint8Array
    | Uint8ClampedArray
    | Int16Array
    | Uint16Array
    | Int32Array
    | Uint32Array
    | Float32Array
    | Float64Array
    | BigInt64Array
    | BigUint64Array
    | HalfArray;

/** Float16Array, where TypeScript knows it. */
type HalfArray = typeof globalThis extends { Float16Array: { prototype: infer T } } ? T : never;

/** The class of an array, on any buffer. */
type Same<T, Class = TypedArray> = Class extends TypedArray
    ? T extends Class
        ? Class
        : never
    : never;

/** A new array of that class: its buffer is an ArrayBuffer, also where that of T is shared. */
type Made<T> = Same<T> extends { slice(): infer New extends Same<T> } ? New : never;

/** A class of arrays, such as Float32Array. */
export interface ArrayClass<T extends TypedArray> {
    readonly prototype: T;
    readonly BYTES_PER_ELEMENT: number;
}

/** Names of element types. The class of an array says its type; a name is needed where it does
 * not:
 *
 * - float16 and bfloat16 lie in a Uint16Array, bool and the kinds of float8 in a Uint8Array;
 * - complex64 lies in a Float32Array and complex128 in a Float64Array, two entries for each
 *   element;
 * - the last seven have 1, 2 or 4 bits and lie packed in a Uint8Array, as one stream of bits
 *   over the whole tensor. The first element is in the low bits of the first byte; that of uint1
 *   is in the high bit.
 *
 * ONNX's and OpenVINO's own words for these types ("float", "f32", "boolean", "u1") are
 * understood, too. */
export type TypeName =
    | "int8"
    | "uint8"
    | "int16"
    | "uint16"
    | "int32"
    | "uint32"
    | "int64"
    | "uint64"
    | "float32"
    | "float64"
    | "float16"
    | "bfloat16"
    | "bool"
    | "complex64"
    | "complex128"
    | "float8e4m3fn"
    | "float8e4m3fnuz"
    | "float8e5m2"
    | "float8e5m2fnuz"
    | "float8e8m0"
    | "int4"
    | "uint4"
    | "int2"
    | "uint2"
    | "uint1"
    | "float4e2m1"
    | "nf4"
    | (string & {});

/** One element. A number is rounded once to float types, and refused beyond their largest; an
 * integer type takes only whole numbers that it can hold, as number or bigint; bool takes booleans; a complex type takes a number or
 * [real, imaginary]. float4e2m1 and nf4 take the element's bits as an integer. The kinds of
 * float8 take 0 or, as every type does, an array of one element, which is taken bit by bit. */
export type Constant = number | bigint | boolean | readonly [number, number] | TypedArray;

/** What lies beyond the edge of abcd, padded by two: kk abcd kk, aa abcd dd, cb abcd cb, ba abcd
 * dc, cd abcd ab. */
export type Mode = "constant" | "edge" | "reflect" | "symmetric" | "wrap";

export type Integers = readonly (number | bigint)[] | Int32Array | BigInt64Array;

/** One thing for all axes, a list with one entry for each axis (or for each axis in `axes`), or
 * an object by axis. */
export type ByAxis<T> = T | readonly T[] | { readonly [axis: number | `-${number}`]: T };

export interface ShapeOptions {
    /** Cells to add: 2 on every side, [1, 2] in front and after of every axis, [[0, 0], [1, 2]]
     * for each axis, {1: [1, 2]} or {"-1": 2} for named axes. Negative amounts crop. Default 0. */
    padWidth?:
        | number
        | readonly number[]
        | readonly (readonly number[])[]
        | { readonly [axis: number | `-${number}`]: number | readonly number[] };
    /** Default "constant". */
    mode?: ByAxis<Mode>;
    /** Cells to insert between two neighbours, not negative. They hold the constant in every
     * mode. Default 0. */
    interior?: ByAxis<number>;
    /** Where an axis is cropped on one side and extended on the other: "window" (default) is a
     * window onto the endless extension of the whole axis; with "crop" the axis is cropped
     * first, and what is left is extended. */
    order?: "window" | "crop";
    /** The axes that padWidth, mode and interior speak of; -1 is the last. Default: all. */
    axes?: number | readonly number[];
}

export interface PlanOptions extends ShapeOptions {
    /** For mode constant and for interior cells. Default 0. With constantAxis: a list, or an array of
     * elements, with a constant for each cell of the result along that axis. */
    constantValue?: Constant | readonly Constant[];
    /** The axis of the result along which constantValue has a constant for each cell; -1 is the last.
     * Default: none, there is one constant. */
    constantAxis?: number;
}

export interface PadOptions extends PlanOptions {
    /** The element type, where the class of the array does not say it. */
    type?: TypeName;
}

/** A tensor: its elements, dense and row by row, and its extents (at most 16). */
export interface Tensor<T extends TypedArray> {
    data: T;
    shape: number[];
}

/** A tensor as onnxruntime-web and transformers.js have it: an object of theirs, or a plain one. */
export interface DimsTensor<T = unknown> {
    readonly data: T;
    readonly dims: readonly number[];
    readonly type?: string;
}

/** What may stand in place of a typed array and a shape. The result is one of the same class. `type` is an
 * element type, as the option. An ImageData stays one: where a call has the option `axes`, its default
 * is [0, 1], height and width. Its shape is [height, width, 4]. */
export type AnyTensor =
    | DimsTensor
    | { readonly data: TypedArray; readonly shape: readonly number[]; readonly type?: string }
    | {
          readonly data: TypedArray;
          readonly width: number;
          readonly height: number;
          readonly dims?: undefined;
          readonly shape?: undefined;
      };

/** Takes the result instead of a new array: of the class of the data and of the length of the
 * result. It may share memory with the data. */
export interface Out<T extends TypedArray> {
    out?: T;
}

/** Pads a tensor: `data` has as many elements as `shape` says, and may be a part of a larger
 * buffer. The result is `out`, or a new array of the same class. */
export function pad<T extends TypedArray, O extends Same<T> = Made<T>>(
    data: T & Same<T>,
    shape: Integers,
    options?: PadOptions & Out<O>,
): Tensor<O>;
/** The same in a function whose own parameter is the class. */
export function pad<T extends TypedArray>(
    data: T,
    shape: Integers,
    options?: PadOptions & Out<T>,
): Tensor<T>;

/** The same for a tensor that has its shape. */
export function pad<I extends AnyTensor>(tensor: I, options?: PadOptions & Out<TypedArray>): I;

/** Where the data lies in an axis that is longer: at its start, in its centre (an odd cell goes after), at
 * its end, or with its first cell at an index; a negative index cuts cells off. */
export type Align = "start" | "center" | "end" | number;

/** What happens to an axis that is longer than its target. "crop" cuts cells off on the sides where `align`
 * would add some. "crop_center" keeps the centre, and cuts an odd
 * cell off after it. With "keep" the axis stays as long as it is, and only `multiple` makes it longer. If
 * `align` is an index, that decides which cells are cut off, and the words that crop permit it. */
export type TooLong = "error" | "crop" | "crop_end" | "crop_start" | "crop_center" | "keep";

export interface FitOptions extends Pick<
    PadOptions,
    "mode" | "constantValue" | "constantAxis" | "type"
> {
    /** The extents of the result; an axis with null keeps its own. Default: null. */
    size?: ByAxis<number | null>;
    /** The extents are rounded up to a multiple of it. */
    multiple?: ByAxis<number | null>;
    /** Default "center"; of padBatch "start". */
    align?: ByAxis<Align>;
    /** Default "error". */
    tooLong?: ByAxis<TooLong>;
    /** The axes of these options and of mode. Default: all. In padBatch the other axes have to be equal. */
    axes?: number | readonly number[];
}

export interface PadToOptions extends FitOptions {
    /** Two axes that get the same extent: the smallest one that is large enough for both and a multiple of
     * both of their multiples. */
    square?: readonly number[];
}

/** The pad widths of all axes, as `pad` and `unpad` take them. Negative ones count cropped cells. */
export interface Widths {
    padWidth: [before: number, after: number][];
}

/** Pads, or crops, to a size, to multiples or to a square. The result has the pad widths, too. Throws a
 * PadError, "E_TOO_LONG", where an axis is too long. */
export function padTo<T extends TypedArray, O extends Same<T> = Made<T>>(
    data: T & Same<T>,
    shape: Integers,
    options?: PadToOptions & Out<O>,
): Tensor<O> & Widths;
export function padTo<I extends AnyTensor>(
    tensor: I,
    options?: PadToOptions & Out<TypedArray>,
): I & Widths;

export interface UnpadOptions extends Pick<PadOptions, "interior" | "axes" | "type"> {
    /** As in `pad`, not negative: cells that were cropped are gone. */
    padWidth: NonNullable<ShapeOptions["padWidth"]>;
}

/** The tensor inside a padded one, as a copy: with the options of a call of `pad`, or with the pad widths
 * that padTo gave, it is the tensor before that call. */
export function unpad<T extends TypedArray, O extends Same<T> = Made<T>>(
    data: T & Same<T>,
    shape: Integers,
    options: UnpadOptions & Out<O>,
): Tensor<O>;
export function unpad<I extends AnyTensor>(tensor: I, options: UnpadOptions & Out<TypedArray>): I;

export interface BatchOptions extends FitOptions {
    /** In place of size: the extents are those of the longest item, but at most this, before they are
     * rounded up; `tooLong` says what becomes of longer items. */
    atMost?: ByAxis<number | null>;
    /** Adds `mask`: 1 for each cell of the result that holds an element at its own place, else 0. */
    mask?: boolean;
    /** Adds `lengths`: how many cells of each item lie in the result, a number for items of one axis, else
     * a list of them by axis. */
    lengths?: boolean;
}

export interface Batch {
    mask?: Uint8Array;
    lengths?: number[] | number[][];
}

/** Makes one tensor of items of different extents, with the number of the item as its first axis. Each
 * other axis is as long as that of the longest item, unless `size` or `multiple` says more. Items have one
 * type and rank: typed arrays of one axis, tensors that have their shape, or, with `type`, lists of numbers.
 * `out` may share no memory with them. */
export function padBatch<I extends DimsTensor>(
    items: Iterable<I>,
    options?: BatchOptions & Out<TypedArray>,
): I & Batch;
export function padBatch<T extends TypedArray>(
    items: Iterable<T | { readonly data: T; readonly shape: readonly number[] }>,
    options?: BatchOptions & Out<T>,
): Tensor<T> & Batch;
export function padBatch(
    items: Iterable<AnyTensor | readonly (number | bigint)[]>,
    options?: BatchOptions & Out<TypedArray>,
): Tensor<TypedArray> & Batch;

/** The shape of a result, without any data. */
export function padShape(shape: Integers, options?: ShapeOptions): number[];

/** A problem that is checked once and run often. A plan never changes, and does not
 * have to be freed. */
export class Plan<T extends TypedArray> {
    /** type: the class of the arrays, such as Float32Array, or the name of the element type. */
    constructor(type: ArrayClass<T>, shape: Integers, options?: PlanOptions);
    constructor(type: TypeName, shape: Integers, options?: PlanOptions);
    /** The name of the element type. */
    readonly type: TypeName;
    readonly inShape: number[];
    readonly outShape: number[];
    /** Pads `data` into `out`, or into a new array. If both lie in the engine's memory, nothing
     * is copied besides. */
    run<O extends Same<T> = Made<T>>(data: T & Same<T>, out?: O): O;
    run(data: T, out?: T): T;
    /** How this plan runs: its loops, the way it writes and the kernels, in several lines. */
    describe(): string;
}

/** An array in the engine's memory, made of zeros. It lives until `free` is called.
 *
 * That memory belongs to all arrays and grows when it is full. It never shrinks; what was freed
 * is used again. */
export interface EngineArray<T extends TypedArray> {
    /** A view of the elements, not a copy. When the memory grows, all views are detached and have
     * length 0: ask for `data` anew after other calls. Throws a TypeError after `free`. */
    readonly data: T;
    /** Gives the memory back. A second call does nothing. */
    free(): void;
}

/** Memory for `length` entries, for arrays that are padded without copies on the way in and out.
 * Throws a PadError, "E_MEMORY", if there is not as much. */
export function allocate<T extends TypedArray>(type: ArrayClass<T>, length: number): EngineArray<T>;

/** Why a call was refused. `message` is the library's sentence, the same as in C, Python and the
 * command. */
export class PadError extends Error {
    /** The name of the status, such as "E_SPEC_MODE": tensorpad.h lists them. */
    readonly status: string;
    /** The axis, or -1. */
    readonly axis: number;
    /** The value that was given or computed, and the one that would have been accepted; 0 where
     * there is none. */
    readonly got: number;
    readonly limit: number;
}

/** ONNX Pad, versions 1 to 25. Up to opset 10, pads and constant are attributes of the node, as
 * the document has it. */
export interface OnnxOptions {
    /** All begins, then all ends; negative ones crop. */
    pads?: Integers;
    constantValue?: Constant;
    /** The axes that pads speak of, from opset 18 on. */
    axes?: Integers;
    /** Default "constant". */
    mode?: "constant" | "reflect" | "edge" | "wrap" | (string & {});
    /** Of the model, or the version of Pad. Default 25. */
    opset?: number;
    /** Computes also what the version forbids, where it has a meaning. Default false. */
    lenient?: boolean;
}

/** OpenVINO Pad-1 and Pad-12. */
export interface OpenvinoOptions {
    /** One amount for each axis; negative ones crop, from version 12 on. */
    padsBegin?: Integers;
    padsEnd?: Integers;
    padValue?: Constant;
    /** The document has no default. */
    padMode?: "constant" | "edge" | "reflect" | "symmetric" | (string & {});
    /** 1 or 12, or the number of an operator set. Default 1. */
    version?: number;
    lenient?: boolean;
}

/** nGraph Pad. "Below" is at lower indices: in front. */
export interface NgraphOptions {
    paddingBelow: Integers;
    paddingAbove: Integers;
    paddingInterior?: Integers;
    /** The document requires it in every mode. */
    argPadValue?: Constant;
    /** Default "CONSTANT". */
    padMode?: "CONSTANT" | "EDGE" | "REFLECT" | "SYMMETRIC" | (string & {});
}

/** embARC MLI padding2d, of Int8Array (fx8) or Int16Array (fx16). Amounts are 0 to 255; default
 * 0. */
export interface MliOptions {
    layout: "chw" | "hwc";
    paddingLeft?: number;
    paddingRight?: number;
    paddingTop?: number;
    paddingBottom?: number;
}

/** What every specification has. All throw a PadError for what the specification does not allow. */
export interface Specification<Options> {
    padShape(type: ArrayClass<TypedArray> | TypeName, shape: Integers, options: Options): number[];
    plan<T extends TypedArray>(type: ArrayClass<T>, shape: Integers, options: Options): Plan<T>;
    plan(type: TypeName, shape: Integers, options: Options): Plan<TypedArray>;
}

/** Pads as a specification says; `out` and the result are as in `pad`. */
export interface SpecificationPad<Options> {
    <T extends TypedArray, O extends Same<T> = Made<T>>(
        data: T & Same<T>,
        shape: Integers,
        options: Options & { type?: TypeName } & Out<O>,
    ): Tensor<O>;
    <T extends TypedArray>(
        data: T,
        shape: Integers,
        options: Options & { type?: TypeName } & Out<T>,
    ): Tensor<T>;
    <I extends AnyTensor>(tensor: I, options: Options & { type?: TypeName } & Out<TypedArray>): I;
}

export const onnx: Specification<OnnxOptions> & { pad: SpecificationPad<OnnxOptions> };
export const openvino: Specification<OpenvinoOptions> & { pad: SpecificationPad<OpenvinoOptions> };
export const ngraph: Specification<NgraphOptions> & { pad: SpecificationPad<NgraphOptions> };
export const mli: Specification<MliOptions> & { padding2d: SpecificationPad<MliOptions> };

/** "0.4.0" */
export const version: string;
/** The kernels at work: "wasm" (SIMD) or "plain". */
export const kernels: string;
