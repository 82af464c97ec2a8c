/* Tiles for WebAssembly: 16 bytes at a time, from anywhere in a window of 16 (i8x16.swizzle).
 * SPDX-License-Identifier: MIT
 *
 * A module with these instructions does not load on machines without them, so this file can be a
 * separate module (wasm.c). */
#include "kernels.h"

#if defined(TPAD_SIMD_WASM) && defined(__wasm_simd128__)
#include <wasm_simd128.h>

typedef v128_t index_wasm;

static inline v128_t zero_wasm(void)
{
    return wasm_i8x16_const_splat(0);
}

static inline v128_t rest_wasm(v128_t vector, v128_t index)
{
    return wasm_v128_and(vector, wasm_i8x16_lt(index, zero_wasm()));
}

/* swizzle gives 0 for an out-of-range index. */
static inline v128_t take_wasm(v128_t vector, v128_t index, v128_t window)
{
    return wasm_v128_or(vector, wasm_i8x16_swizzle(window, index));
}

#define move_wasm     wasm_i8x16_swizzle
#define index_at_wasm wasm_v128_load
#define FORM(name)    name##_wasm
#define TARGET
#define VECTOR       v128_t
#define VECTOR_BYTES 16
#define LANES        1
#define MASKED       0
#define LOAD         wasm_v128_load
#define STORE        wasm_v128_store
#define ZERO         zero_wasm
#include "tiles_template.h"

TPAD_INTERNAL_DEF void tpad_tiles_wasm(const tpad_tiles *tiles)
{
    tiles_wasm(tiles);
}

#else
typedef int tpad_no_wasm_tiles; /* ISO C requires a declaration in every file */
#endif
