/* The vector instructions that processor and system have.  SPDX-License-Identifier: MIT
 *
 *     tpad_processor_has(avx2)     the names are those of GCC's __builtin_cpu_supports
 *
 * On most systems the compiler's run-time library looked when the program began, which costs
 * nothing here: asking the processor itself takes longer than padding a small tensor. Not every
 * compiler for Windows and macOS has this, so there the first call asks, and the answer is kept. */
#ifndef TENSORPAD_PORT_PROCESSOR_H
#define TENSORPAD_PORT_PROCESSOR_H

#if defined(_WIN32) || defined(__APPLE__)
#include "processor_asked.h"
#else
#define tpad_processor_has(name) (__builtin_cpu_supports(#name) != 0)
#endif

#endif
