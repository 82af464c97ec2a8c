/* Asks an x86-64 processor what it has, once in each file that includes this.
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

/* What the system keeps of the registers when threads change: bits 1 and 2 for those of AVX, also 5
 * to 7 for those of AVX-512. */
static inline uint32_t tpad_saved_registers(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return low;
}

/* macOS allows a thread to use AVX-512 when it first does, and xgetbv says no before. */
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
    uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0, found = TPAD_ASKED;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx)) return found;
    if (ecx >> 9 & 1) found |= TPAD_HAS_ssse3;
    const uint32_t saved = ecx >> 27 & 1 ? tpad_saved_registers() : 0; /* bit 27: there is xgetbv */
    if ((saved & 6) != 6 || !__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return found;
    if (ebx >> 5 & 1) found |= TPAD_HAS_avx2;
    if (!tpad_saves_avx512(saved)) return found;
    if (ebx >> 30 & 1) found |= TPAD_HAS_avx512bw;
    if (ebx >> 31 & 1) found |= TPAD_HAS_avx512vl;
    if (ecx >> 1 & 1) found |= TPAD_HAS_avx512vbmi;
    if (ecx >> 8 & 1) found |= TPAD_HAS_gfni;
    return found;
}

/* Threads that call it at once for the first time find the same. */
static inline uint32_t tpad_processor_features(void)
{
    static uint32_t kept;
    uint32_t found = __atomic_load_n(&kept, __ATOMIC_RELAXED);
    if (found == 0) {
        found = tpad_ask_processor();
        __atomic_store_n(&kept, found, __ATOMIC_RELAXED);
    }
    return found;
}

#endif
