/** The package as TENSORPAD_KERNELS asks for it: as users get it, or, with "plain", without SIMD. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as asUsersGetIt from "tensorpad";
import { createTensorpad, instantiate } from "tensorpad/create";

export async function freshInstance() {
    const path = fileURLToPath(import.meta.resolve("tensorpad/engine.wasm"));
    return instantiate(readFileSync(path));
}

export const tensorpad =
    process.env.TENSORPAD_KERNELS === "plain"
        ? createTensorpad(await freshInstance())
        : asUsersGetIt;
