/** Text as UTF-8 and back. TextEncoder and TextDecoder are not everywhere: Jest's jsdom has none.
 * SPDX-License-Identifier: MIT */

const UNKNOWN = 0xfffd;

/** The bytes of a text. Halves of surrogate pairs become U+FFFD. */
export function encodeText(text) {
    const bytes = [];
    for (const character of text) {
        let code = character.codePointAt(0);
        if (code >= 0xd800 && code < 0xe000) code = UNKNOWN;
        if (code < 0x80) {
            bytes.push(code);
            continue;
        }
        const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        bytes.push(((0x7f80 >> more) & 0xff) | (code >> (6 * more)));
        for (let i = more - 1; i >= 0; i--) bytes.push(0x80 | ((code >> (6 * i)) & 0x3f));
    }
    return bytes;
}

/** The text of bytes, of which a limit may have cut the last character: that becomes U+FFFD. */
export function decodeText(bytes) {
    let text = "";
    for (let i = 0; i < bytes.length;) {
        const lead = bytes[i++];
        const more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
        let code = more === 0 ? lead : lead & (0x3f >> more);
        for (let k = 0; k < more; k++) {
            if ((bytes[i] & 0xc0) !== 0x80) {
                code = UNKNOWN;
                break;
            }
            code = (code << 6) | (bytes[i++] & 0x3f);
        }
        text += String.fromCodePoint(code);
    }
    return text;
}
