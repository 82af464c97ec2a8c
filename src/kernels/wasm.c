/* The kernels for WebAssembly: the tiles of wasm_tiles.c. SPDX-License-Identifier: MIT
 *
 * If the whole module has vector instructions, there is nothing to detect. In a build with
 * TPAD_WASM_TILES_APART it has none, so that it loads on every machine: the tiles are in a second
 * module, and the program defines tpad_has_wasm and tpad_tiles_wasm. */
#include "kernels.h"
#include "words.h"

#if defined(TPAD_SIMD_WASM)

#if !defined(TPAD_WASM_TILES_APART)
TPAD_INTERNAL_DEF int tpad_has_wasm(void)
{
    return 1;
}
#endif

static const tpad_form forms_wasm[] = {{16, 1, 16, 1, 0, 0, tpad_tiles_wasm}};

TPAD_INTERNAL_DEF const tpad_kernels tpad_kernels_wasm = {.name = "wasm",
                                                          .usable = tpad_has_wasm,
                                                          .copy = tpad_copy_plain,
                                                          .fill = tpad_fill_plain,
                                                          .copy_bits = tpad_copy_bits_plain,
                                                          .fill_bits = tpad_fill_bits_plain,
                                                          .words = tpad_run_words,
                                                          .forms = forms_wasm,
                                                          .form_count = 1};

#else
typedef int tpad_no_wasm; /* ISO C requires a declaration in every file */
#endif
