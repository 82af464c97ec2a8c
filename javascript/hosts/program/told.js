import { kernels, pad, PadError } from "tensorpad";

/** What the package answers, as one line. */
export function told() {
    const { data } = pad(new Float32Array([1, 2, 3]), [3], { padWidth: 2, mode: "reflect" });
    let refused = "nothing was refused";
    try {
        pad(new Int8Array(2), [2], { padWidth: -2 });
    } catch (error) {
        refused = error instanceof PadError ? error.status : String(error);
    }
    return `${data.join()} ${refused} ${kernels}`;
}
