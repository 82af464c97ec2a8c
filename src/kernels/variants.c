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
    &tpad_kernels_ssse3,
    &tpad_kernels_avx2,
    &tpad_kernels_avx512,
#elif defined(TPAD_SIMD_NEON)
    &tpad_kernels_neon,
#endif
};
enum { VARIANT_COUNT = sizeof variants / sizeof variants[0] };

const tpad_kernels *tpad_kernels_at(int index)
{
    return index >= 0 && index < VARIANT_COUNT ? variants[index] : NULL;
}

int tpad_kernels_best(void)
{
    int best = VARIANT_COUNT - 1;
#if defined(TPAD_KERNELS_ENV)
    /* A build for tests: the environment may name the variant. */
    const char *name = getenv("TENSORPAD_KERNELS");
    for (int i = 0; name && i < VARIANT_COUNT; i++)
        if (strcmp(name, variants[i]->name) == 0) best = i;
#endif
    while (!variants[best]->usable()) best--;
    return best;
}

int tpad_kernels_forced(void)
{
#if defined(TPAD_KERNELS_ENV)
    return getenv("TENSORPAD_KERNELS") != NULL;
#else
    return 0;
#endif
}
