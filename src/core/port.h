/* The only place that names what the core needs from outside the language: two memory functions,
 * which every freestanding GCC and Clang target must supply anyway. SPDX-License-Identifier: MIT */
#ifndef TPAD_CORE_PORT_H
#define TPAD_CORE_PORT_H

#include <stddef.h>
#include <stdint.h>
#include <tensorpad/tensorpad.h>

#if defined(__GNUC__)
#define tpad_memcpy __builtin_memcpy
#define tpad_memset __builtin_memset
#else
#include <string.h>
#define tpad_memcpy memcpy
#define tpad_memset memset
#endif

/* The vector instructions that this build has kernels for. Without room for tables in a plan
 * (TPAD_TABLE_BYTES 0) there is no use for them. */
#if TPAD_TABLE_BYTES > 0 && defined(__GNUC__) && defined(__x86_64__)
#define TPAD_SIMD_X86 1
#elif TPAD_TABLE_BYTES > 0 && defined(__GNUC__) && defined(__aarch64__)
#define TPAD_SIMD_NEON 1
#endif

/* The linkage of what the files of core and kernels share and nobody else may use. A program that
 * takes all of them in as one file defines TPAD_ONE_FILE, and TPAD_API as `static`: then no name of
 * theirs leaves it. */
#if defined(TPAD_ONE_FILE)
#define TPAD_INTERNAL     TPAD_API
#define TPAD_INTERNAL_DEF TPAD_API
#else
#define TPAD_INTERNAL extern
#define TPAD_INTERNAL_DEF
#endif

#endif
