/* What the formats and the command need of the system, in the words of POSIX.
 * SPDX-License-Identifier: MIT
 *
 * Three things have no name in POSIX:
 *
 *     system_begin      prepares the process: arguments in UTF-8, streams of bytes, colours
 *     system_last_slash where the last part of a path begins, less one; NULL if it is all there is
 *     system_library    what dlopen calls a library: its name and the number of its interface */
#ifndef TENSORPAD_PORT_SYSTEM_H
#define TENSORPAD_PORT_SYSTEM_H

#if defined(_WIN32)
#include "windows_posix.h"
#else
#include "posix.h"
#endif

#endif
