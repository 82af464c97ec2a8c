/** What runtimes do with the Pads of an ONNX model, as `tensorpad check` and `tensorpad lower`
 * say. The module check.wasm is loaded at the first call. */

export interface CheckOptions {
    /** "ort-1.31", "openvino" (the newest); without it all that are known. */
    targets?: string | string[];
    /** The shapes of inputs that the file leaves open. */
    shapes?: Record<string, Iterable<number>>;
    /** The extents of dimensions of the inputs: by their names in the file, or as "INPUT:AXIS". */
    dims?: Record<string, number>;
    /** check.wasm, where `fetch` beside check.js does not find it. */
    wasm?: BufferSource | WebAssembly.Module;
}

export interface LowerOptions extends CheckOptions {
    targets: string | string[];
    /** First makes Pads a part of the Conv, pool or Pad after them where no answer changes. */
    fold?: boolean;
    /** Gives a model also if some Pads cannot be rewritten: they stay. */
    partial?: boolean;
}

/** Extents; null: not known. */
export type Shape = (number | null)[] | null;

export interface Verdict {
    target: string;
    /** accepts: answers where the specification forbids the node. */
    verdict: "same" | "differs" | "refuses" | "accepts" | "unknown";
    /** Of the rule that decides, such as "TP104". */
    code: string | null;
    /** False where the rule is from documents only. */
    measured: boolean;
    accepted: boolean;
    missing: string | null;
    axis: number | null;
    text: string;
    same_if: unknown;
}

export interface PadNode {
    name: string;
    graph: string;
    opset: number | null;
    mode: string | null;
    type: string | null;
    input_shape: Shape;
    output_shape: Shape;
    begin: Shape;
    end: Shape;
    axes: number[] | null;
    value: string | null;
    verdicts: Verdict[];
}

/** docs/check.schema.json describes all of it. */
export interface CheckReport {
    schema: 1;
    models: { path: string; error: string | null; skipped: string[]; nodes: PadNode[] }[];
}

/** What each target does with each Pad of a model, given as the bytes of an .onnx file. A model that
 * cannot be read has `models[0].error`. Rejects with an Error whose `code` is "USAGE" for unknown
 * targets and the like, and with a TypeError if the model is no bytes. */
export function check(
    model: ArrayBuffer | ArrayBufferView,
    options?: CheckOptions,
): Promise<CheckReport>;

/** The model with other operators in place of each Pad that a target does not run right; everything
 * else stays, byte for byte. Rejects with an Error with `code` if a Pad cannot be rewritten. */
export function lower(
    model: ArrayBuffer | ArrayBufferView,
    options: LowerOptions,
): Promise<{ model: Uint8Array; report: Record<string, unknown> }>;

/** What `tensorpad explain` prints of a rule, such as "TP104": what happens and why, and what to do. */
export function explain(code: string, options?: Pick<CheckOptions, "wasm">): Promise<string>;
