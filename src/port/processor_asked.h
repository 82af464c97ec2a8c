/* Asks an x86-64 processor for its features, once in each file that includes this.
 * SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_PORT_PROCESSOR_ASKED_H
#define TENSORPAD_PORT_PROCESSOR_ASKED_H

#include <cpuid.h>
#include <stdint.h>
#if defined(__APPLE__)
#include <sys/sysctl.h>
#endif

enum {
    TPAD_HAS_ssse3 = 1,
    TPAD_HAS_avx2 = 2,
    TPAD_HAS_avx512bw = 4,
    TPAD_HAS_avx512vl = 8,
    TPAD_HAS_avx512vbmi = 16,
    TPAD_HAS_gfni = 32,
    TPAD_ASKED = 64
};

#define tpad_processor_has(name) ((tpad_processor_features() & TPAD_HAS_##name) != 0)

/* The registers that the system saves when threads switch: bits 1 and 2 for AVX, and 5 to 7 for
 * AVX-512. */
static inline uint32_t tpad_saved_registers(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return low;
}

/* macOS enables AVX-512 for a thread on its first use; until then xgetbv says no. */
static inline int tpad_saves_avx512(uint32_t saved)
{
#if defined(__APPLE__)
    int has = 0;
    size_t bytes = sizeof has;
    (void)saved;
    return sysctlbyname("hw.optional.avx512f", &has, &bytes, NULL, 0) == 0 && has;
#else
    return (saved & 0xE6) == 0xE6;
#endif
}

static inline uint32_t tpad_ask_processor(void)
{
    uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0, features = TPAD_ASKED;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx)) return features;
    if (ecx >> 9 & 1) features |= TPAD_HAS_ssse3;
    const uint32_t saved = ecx >> 27 & 1 ? tpad_saved_registers() : 0; /* bit 27: there is xgetbv */
    if ((saved & 6) != 6 || !__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return features;
    if (ebx >> 5 & 1) features |= TPAD_HAS_avx2;
    if (!tpad_saves_avx512(saved)) return features;
    if (ebx >> 30 & 1) features |= TPAD_HAS_avx512bw;
    if (ebx >> 31 & 1) features |= TPAD_HAS_avx512vl;
    if (ecx >> 1 & 1) features |= TPAD_HAS_avx512vbmi;
    if (ecx >> 8 & 1) features |= TPAD_HAS_gfni;
    return features;
}

/* Threads that race to call it first all compute the same. */
static inline uint32_t tpad_processor_features(void)
{
    static uint32_t kept;
    uint32_t features = __atomic_load_n(&kept, __ATOMIC_RELAXED);
    if (features == 0) {
        features = tpad_ask_processor();
        __atomic_store_n(&kept, features, __ATOMIC_RELAXED);
    }
    return features;
}

#endif
