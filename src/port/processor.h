/* The vector instructions of processor and system.  SPDX-License-Identifier: MIT
 *
 *     tpad_processor_has(avx2)     the names are those of GCC's __builtin_cpu_supports
 *
 * On most systems the compiler's run-time library has found out at program start, so this costs
 * nothing: asking the processor takes longer than padding a small tensor. Not every compiler for
 * Windows and macOS has this, so there the first call asks, and keeps the answer. */
#ifndef TENSORPAD_PORT_PROCESSOR_H
#define TENSORPAD_PORT_PROCESSOR_H

#if defined(_WIN32) || defined(__APPLE__)
#include "processor_asked.h"
#else
#define tpad_processor_has(name) (__builtin_cpu_supports(#name) != 0)
#endif

#endif
