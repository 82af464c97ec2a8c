import { answer } from "./answer.js";

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
window.tellAll(answer, worker);
