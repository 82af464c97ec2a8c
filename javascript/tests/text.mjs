/** Compares src/engine.js with TextEncoder and TextDecoder. Prints {done, wrong: [character, ...]}. */

import { decodeText, encodeText } from "./node_modules/tensorpad/src/engine.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const wrong = [];
let done = 0;
for (let code = 0; code < 0x110000; code++) {
    const text = `${String.fromCodePoint(code)}a`; // halves of surrogate pairs, too
    const bytes = encoder.encode(text);
    const cut = bytes.subarray(0, Math.max(1, bytes.length - 2));
    const same =
        encodeText(text).join() === bytes.join() &&
        decodeText(bytes) === decoder.decode(bytes) &&
        decodeText(cut) === decoder.decode(cut);
    if (!same && wrong.length < 9) wrong.push(text);
    done++;
}
console.log(JSON.stringify({ done, wrong }));
