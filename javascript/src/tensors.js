/** Tensors as programs hold them: a typed array and its shape, {data, shape}, {data, dims} as
 * onnxruntime-web and transformers.js have it, and ImageData.  SPDX-License-Identifier: MIT */

import { isList, isObject } from "./arguments.js";

const IMAGE_CHANNELS = 4;
const IMAGE_AXES = [0, 1];

/** {data, shape, type} of such an object; null of all else. */
export function partsOf(given) {
    if (!isObject(given) || ArrayBuffer.isView(given) || given.data === undefined) return null;
    const { data, dims, shape, width, height, type, stride, strides } = given;
    if (isList(stride) || isList(strides)) {
        throw new TypeError("data has strides: copy its elements into a dense array");
    }
    if (dims !== undefined || shape !== undefined) return { data, shape: dims ?? shape, type };
    if (width === undefined) return null;
    return { data, shape: [height, width, IMAGE_CHANNELS], type: undefined };
}

export function isImage(given) {
    return given.dims === undefined && given.shape === undefined;
}

/** The arguments of a call as [data, shape, options]. given: a typed array, after which shape and options
 * come, or one of these objects, after which the options come. hasAxes: whether `axes` is one of them; for
 * an image these are height and width by default. */
export function argumentsOf(given, [shape, options], hasAxes) {
    const parts = partsOf(given);
    if (parts === null) return [given, shape, options];
    const own = shape;
    if (options !== undefined || isList(own) || (own !== undefined && !isObject(own))) {
        throw new TypeError("a tensor has its shape: only options come after it");
    }
    const made = { ...own };
    if (made.type === undefined && typeof parts.type === "string") made.type = parts.type;
    if (made.axes === undefined && hasAxes && isImage(given)) made.axes = IMAGE_AXES;
    return [parts.data, parts.shape, made];
}

/** A result in the form of `given`: an object of the same class, or a plain one. */
export function resultLike(given, { data, shape }) {
    const { type, constructor } = given;
    const typed = typeof type === "string" ? { type } : {};
    if (isImage(given)) {
        const [height, width, channels] = shape;
        if (channels !== IMAGE_CHANNELS || height * width === 0) {
            throw new RangeError(`an ImageData has no shape ${shape.join(" x ")}`);
        }
        const { colorSpace, pixelFormat } = given;
        return new constructor(data, width, height, { colorSpace, pixelFormat });
    }
    if (given.dims === undefined) return { ...typed, data, shape };
    if (constructor === undefined || constructor === Object || !typed.type) {
        return { ...typed, data, dims: shape };
    }
    return new constructor(type, data, shape);
}
