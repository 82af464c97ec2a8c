/** Asks padShape for problems; prints of each the shape, or the error. Usage: node
 * run_refusals.mjs PROBLEMS.json */

import { readFileSync } from "node:fs";
import { tensorpad } from "./package.mjs";

console.log(
    JSON.stringify(
        JSON.parse(readFileSync(process.argv[2], "utf8")).map(([shape, options]) => {
            try {
                return { shape: tensorpad.padShape(shape, options) };
            } catch (error) {
                return { name: error.name, error: error.message };
            }
        }),
    ),
);
