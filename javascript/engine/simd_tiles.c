/* The way from the engine to simd.wasm, which has the tiles by vector instructions.
 * SPDX-License-Identifier: MIT
 *
 * src/kernels/wasm.c needs the two functions that have no `static` here. */
#include "slate.h"

struct tpad_tiles;
int tpad_has_wasm(void);
void tpad_tiles_wasm(const struct tpad_tiles *tiles);

static void (*made_by)(const struct tpad_tiles *tiles);

/* From now on plans are for these tiles: the place in the engine's table of functions where
 * JavaScript put the function `tiles` of simd.wasm. */
void EXPORT(use_tiles)(void (*tiles)(const struct tpad_tiles *tiles));
void use_tiles(void (*tiles)(const struct tpad_tiles *tiles))
{
    made_by = tiles;
}

int tpad_has_wasm(void)
{
    return made_by != 0;
}

void tpad_tiles_wasm(const struct tpad_tiles *tiles)
{
    made_by(tiles);
}
