// Runs modules of the page's JavaScript, a JSON list of texts in the file that is named, and prints what each of
// them logs (the shape and the elements), or the message of its error.
import { readFileSync, writeFileSync } from "node:fs";

const texts = JSON.parse(readFileSync(process.argv[2], "utf8"));
const write = console.log;
const told = [];
for (const [number, text] of texts.entries()) {
    writeFileSync(`text-${number}.mjs`, text);
    let logged;
    console.log = (shape, data) => {
        logged = {
            shape,
            data: Array.from(data, (one) =>
                typeof one === "number" && Number.isFinite(one) && !Object.is(one, -0)
                    ? one
                    : Object.is(one, -0)
                      ? "-0.0"
                      : String(one).replace("Infinity", "inf").replace("NaN", "nan"),
            ),
        };
    };
    try {
        await import(`./text-${number}.mjs`);
    } catch (error) {
        logged = { error: error.message };
    }
    told.push(logged);
}
write(JSON.stringify(told));
