/* The choice of kernels, for any x86-64 processor on any x86-64 processor.
 * SPDX-License-Identifier: MIT
 *
 * What the processor can do is asked of the compiler's run-time library, whose answers are bits in
 * two words: the test writes both of them, so that nothing depends on the processor it runs on.
 * Elsewhere than on x86-64 there is nothing to choose. */
#include "../../../src/kernels/kernels.h"

#include <stdio.h>
#include <string.h>

#if defined(TPAD_SIMD_X86)

/* As GCC and Clang both have it; the numbers are those of their enumeration of features. */
enum { SSSE3 = 1u << 6, AVX2 = 1u << 10, VL = 1u << 20, BW = 1u << 21, VBMI = 1u << 26 };
enum { GFNI = 1u << 0 }; /* in the second word */
extern struct {
    unsigned vendor, type, subtype, features;
} __cpu_model __attribute__((visibility("hidden")));
extern unsigned __cpu_features2[1] __attribute__((visibility("hidden")));

static int chosen_is(const char *name)
{
    const char *chosen = tpad_kernels_name();
    if (strcmp(chosen, name) == 0 && tpad_kernels_at(tpad_kernels_best())->usable()) return 1;
    printf("with features %x %x: %s, not %s\n", __cpu_model.features, __cpu_features2[0], chosen,
           name);
    return 0;
}

int main(void)
{
    static const struct {
        unsigned features, features2;
        const char *name;
    } machines[] = {
        {~0u, ~0u, "avx512"},
        {SSSE3 | AVX2 | BW | VBMI, GFNI, "avx512"},
        {~0u, ~(unsigned)GFNI, "avx512bw"},
        {~(unsigned)VBMI, ~0u, "avx512bw"},
        {AVX2 | BW | VL, 0, "avx512bw"},
        {~(unsigned)(VL | VBMI), ~0u, "avx2"},
        {~(unsigned)BW, ~0u, "avx2"},
        {~(unsigned)(BW | VBMI | AVX2), ~0u, "ssse3"},
        {AVX2, 0, "avx2"},
        {SSSE3, 0, "ssse3"},
        {0, ~0u, "plain"},
        {0, 0, "plain"},
    };
    const unsigned features = __cpu_model.features, features2 = __cpu_features2[0];
    int good = 1;
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        __cpu_model.features = machines[i].features;
        __cpu_features2[0] = machines[i].features2;
        good = chosen_is(machines[i].name) && good;
    }
    __cpu_model.features = features;
    __cpu_features2[0] = features2;
    return !good;
}

#else

int main(void)
{
    return tpad_kernels_best() != (tpad_kernels_at(1) ? 1 : 0);
}

#endif
