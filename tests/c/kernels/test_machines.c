/* The choice of kernels on machines that can do less than this one. SPDX-License-Identifier: MIT
 *
 * What an x86-64 processor can do is asked of the compiler's run-time library, whose answers stand
 * in a variable: here they are taken away one after the other. Elsewhere there is nothing to
 * choose. */
#include "../../../src/kernels/kernels.h"

#include <stdio.h>
#include <string.h>

#if defined(TPAD_SIMD_X86)

/* As GCC and Clang both have it; the numbers are those of their enumeration of features. */
enum { SSSE3 = 6, AVX2 = 10, AVX512BW = 21, AVX512VBMI = 26 };
extern struct {
    unsigned vendor, type, subtype, features;
} __cpu_model __attribute__((visibility("hidden")));
extern unsigned __cpu_features2[1] __attribute__((visibility("hidden"))); /* GFNI is in these */

static int chosen_is(const char *name)
{
    const char *chosen = tpad_kernels_name();
    if (strcmp(chosen, name) == 0 && tpad_kernels_at(tpad_kernels_best())->usable()) return 1;
    printf("with features %x: %s, not %s\n", __cpu_model.features, chosen, name);
    return 0;
}

int main(void)
{
    static const struct {
        unsigned features;
        const char *name;
    } machines[] = {
        {~0u, "avx512"},
        {~(1u << AVX512VBMI), "avx2"},
        {~(1u << AVX512BW), "avx2"},
        {~(1u << AVX512BW | 1u << AVX512VBMI | 1u << AVX2), "ssse3"},
        {1u << AVX2, "avx2"},
        {1u << SSSE3, "ssse3"},
        {0, "plain"},
    };
    const unsigned features = __cpu_model.features;
    int good = 1;
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        __cpu_model.features = machines[i].features;
        good = chosen_is(machines[i].name) && good;
    }
    const unsigned more = __cpu_features2[0];
    __cpu_model.features = ~0u;
    __cpu_features2[0] = 0;
    good = chosen_is("avx2") && good;
    __cpu_features2[0] = more;
    __cpu_model.features = features;
    return !good;
}

#else

int main(void)
{
    return tpad_kernels_best() != (tpad_kernels_at(1) ? 1 : 0);
}

#endif
