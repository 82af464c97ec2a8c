/** What the page holds in compressed form, and the start of its modules, which are among that. */

/** The content of an element that holds base64 of a gzip file, as a Response. */
export function unpack(id) {
    const text = document.getElementById(id).textContent;
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
}

/** The page calls this. */
export async function load() {
    try {
        const textContent = await unpack("modules").text();
        document.body.append(
            Object.assign(document.createElement("script"), { type: "module", textContent }),
        );
    } catch (error) {
        const message = document.getElementById("message");
        message.textContent =
            "This page cannot start; it needs Chrome 110, Firefox 115, Safari 16.4 or " +
            `newer: ${error.message}`;
        message.hidden = false;
        document.documentElement.dataset.ready = "failed";
        throw error;
    }
}
