/* The variants of the kernels in this build, and the choice among them.
 * SPDX-License-Identifier: MIT */
#include "kernels.h"

#if defined(TPAD_KERNELS_ENV)
#include <stdlib.h>
#include <string.h>
#endif

static const tpad_kernels *const variants[] = {
    &tpad_kernels_plain,
#if defined(TPAD_SIMD_X86)
    &tpad_kernels_ssse3, &tpad_kernels_avx2, &tpad_kernels_avx512bw, &tpad_kernels_avx512,
#elif defined(TPAD_SIMD_NEON)
    &tpad_kernels_neon,
#elif defined(TPAD_SIMD_WASM)
    &tpad_kernels_wasm,
#endif
};
enum { VARIANT_COUNT = sizeof variants / sizeof variants[0] };

const tpad_kernels *tpad_kernels_at(int index)
{
    return index >= 0 && index < VARIANT_COUNT ? variants[index] : NULL;
}

/* The number of the variant that the environment names, in a build for tests; -1: none. */
static int named(void)
{
#if defined(TPAD_KERNELS_ENV)
    const char *name = getenv("TENSORPAD_KERNELS");
    for (int i = 0; name && i < VARIANT_COUNT; i++)
        if (strcmp(name, variants[i]->name) == 0) return i;
#endif
    return -1;
}

int tpad_kernels_best(void)
{
    int best = named();
    if (best < 0) best = VARIANT_COUNT - 1;
    while (!variants[best]->usable()) best--;
    return best;
}

int tpad_kernels_forced(void)
{
    return named() >= 0;
}
