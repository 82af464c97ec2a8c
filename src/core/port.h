/* The only place that names what the core needs from outside the language: three memory functions,
 * which every freestanding GCC and Clang target must supply anyway. SPDX-License-Identifier: MIT */
#ifndef TPAD_CORE_PORT_H
#define TPAD_CORE_PORT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define tpad_memcpy __builtin_memcpy
#define tpad_memset __builtin_memset
#else
#include <string.h>
#define tpad_memcpy memcpy
#define tpad_memset memset
#endif

#endif
