/** The call of a problem in JavaScript, with the npm package. */
import { callWords, elementsOf } from "./solve.js";
import { encodeElements, typeNamed } from "./types.js";

/** A module that pads the problem. */
export function codeInJavascript(problem, picture) {
    const { path, options } = callWords(problem);
    const name = path.split(".")[0];
    const data = picture
        ? `new ${typeNamed(problem.type).array.name}(${problem.shape.join(" * ")}); // your picture`
        : dataOf(problem);
    const words = Object.entries(options)
        .filter(([key, value]) => isSaid(problem, key, value))
        .map(([key, value]) => `    ${key}: ${literal(value)},\n`)
        .join("");
    return `import { ${name} } from "tensorpad";

const x = ${data}${picture ? "" : ";"}
const { data, shape } = ${path}(x, ${literal(problem.shape)}, {
${words}});
console.log(shape, data);
`;
}

/** Whether an option has to be written: defaults and the type that the array's class tells need not. */
function isSaid(problem, key, value) {
    const type = typeNamed(problem.type);
    if (key === "type") return type.raw || type.bits || type.word === "bool";
    return value !== undefined && value !== false && !(key === "order" && value === "window");
}

function dataOf(problem) {
    const type = typeNamed(problem.type);
    const { name } = type.array;
    const elements = elementsOf(problem);
    const counts =
        elements.length > 0 && !type.bits && elements.every((one, at) => Number(one) === at + 1);
    if (counts && !name.startsWith("Big")) {
        return `${name}.from({ length: ${elements.length} }, (_, at) => at + 1)`;
    }
    const array = encodeElements(type, elements);
    return `${name}.of(${lines(Array.from(array, numberText))})`;
}

/** Texts with commas, in lines. */
function lines(texts) {
    const rows = [];
    for (let at = 0; at < texts.length; at += 12) rows.push(texts.slice(at, at + 12).join(", "));
    return rows.length > 1 ? `\n    ${rows.join(",\n    ")},\n` : rows.join("");
}

function numberText(value) {
    if (typeof value === "bigint") return `${value}n`;
    return Object.is(value, -0) ? "-0" : String(value);
}

function literal(value) {
    if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
    if (typeof value === "string") return JSON.stringify(value);
    return typeof value === "boolean" ? String(value) : numberText(value);
}
