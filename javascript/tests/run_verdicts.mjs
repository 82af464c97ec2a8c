// Reads a JSON list of problems in the page's words and prints what the page says that runtimes do.
// Usage: node run_verdicts.mjs PLAYGROUND.WASM < PROBLEMS.json
import { readFileSync } from "node:fs";
import { createTensorpad } from "../src/tensorpad.js";
import { readProblem } from "../playground/problem.js";
import { createRuntimes } from "../playground/runtimes.js";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const runtimes = createRuntimes(instance, createTensorpad(instance));
const problems = JSON.parse(readFileSync(0, "utf8")).map(readProblem);
console.log(JSON.stringify(problems.map(runtimes)));
