/* The vector instructions that this build has kernels for.  SPDX-License-Identifier: MIT
 *
 * None without room for tables in a plan (TPAD_TABLE_BYTES 0). None for GCC on Windows, which
 * aligns the stack to 16 bytes even for vectors that need more (its bug 54412), and none for
 * clang-cl (which does not define __GNUC__): its headers offer AVX to whole files, not to single
 * functions. */
#ifndef TENSORPAD_PORT_VECTORS_H
#define TENSORPAD_PORT_VECTORS_H

#include <tensorpad/tensorpad.h>

#if defined(__GNUC__) && (defined(__clang__) || !defined(_WIN32))
#if TPAD_TABLE_BYTES > 0 && defined(__x86_64__)
#define TPAD_SIMD_X86 1
#elif TPAD_TABLE_BYTES > 0 && defined(__aarch64__)
#define TPAD_SIMD_NEON 1
#endif
#endif
#if TPAD_TABLE_BYTES > 0 && (defined(__wasm_simd128__) || defined(TPAD_WASM_TILES_APART))
#define TPAD_SIMD_WASM 1
#endif

#endif
