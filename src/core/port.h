/* The core's needs besides the language: two memory functions, which every freestanding target of
 * GCC and Clang must have anyway. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_PORT_H
#define TENSORPAD_CORE_PORT_H

#include <stddef.h>
#include <stdint.h>
#include <tensorpad/tensorpad.h>

#include "../port/vectors.h"

#if defined(__GNUC__) || defined(__clang__) /* clang-cl defines only the second */
#define tpad_memcpy   __builtin_memcpy
#define tpad_memset   __builtin_memset
#define TPAD_NOINLINE __attribute__((noinline))
#else
#include <string.h>
#define tpad_memcpy memcpy
#define tpad_memset memset
#if defined(_MSC_VER)
#define TPAD_NOINLINE __declspec(noinline)
#else
#define TPAD_NOINLINE
#endif
#endif

/* 1 if some kernels may have tiles of packed output. Those for WebAssembly have none, and modules
 * should be small. */
#if defined(TPAD_SIMD_WASM)
#define TPAD_BIT_TILES 0
#else
#define TPAD_BIT_TILES 1
#endif

/* 1 if the build has elements of less than a byte, and modes that take cells from the input. */
#if defined(TPAD_SMALL)
#define TPAD_PACKED 0
#else
#define TPAD_PACKED 1
#endif
#define TPAD_EXTENDS (TPAD_MODES != 1 << TPAD_CONSTANT)

/* The linkage of names that only the library's files share. A program that includes all of them as
 * one file defines TPAD_ONE_FILE; then these names are static. */
#if defined(TPAD_ONE_FILE)
#if defined(__GNUC__)
#define TPAD_INTERNAL static __attribute__((unused))
#else
#define TPAD_INTERNAL static
#endif
#define TPAD_INTERNAL_DEF TPAD_INTERNAL
#else
#define TPAD_INTERNAL extern
#define TPAD_INTERNAL_DEF
#endif

#endif
