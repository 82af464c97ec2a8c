/** Starts the modules of the page, which it holds compressed. */
import { unpack } from "./unpack.js";

unpack("modules").text().then((text) => {
    document.body.append(Object.assign(document.createElement("script"),
        { type: "module", textContent: text }));
});
