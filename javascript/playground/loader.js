/** Starts the modules of the page, which it holds compressed. */
import { unpack } from "./embedded.js";

async function load() {
    const textContent = await unpack("modules").text();
    document.body.append(
        Object.assign(document.createElement("script"), { type: "module", textContent }),
    );
}

load().catch((error) => {
    const message = document.getElementById("message");
    message.textContent =
        "This page cannot start; it needs Chrome 110, Firefox 115, Safari 16.4 or " +
        `newer: ${error.message}`;
    message.hidden = false;
    document.documentElement.dataset.ready = "failed";
    throw error;
});
