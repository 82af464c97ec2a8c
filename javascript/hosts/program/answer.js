import { PadError } from "tensorpad";
import other from "other";
import { told } from "./told.js";

/** The same, and whether a package that calls `require` has the same class of errors. */
export function answer() {
    return `${told()} ${other.PadError === PadError ? "same" : "another"} class`;
}
