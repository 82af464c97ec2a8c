/** What the page holds in compressed form. */

/** The content of an element that holds base64 of a gzip file, as a Response. */
export function unpack(id) {
    const text = document.getElementById(id).textContent;
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
}
