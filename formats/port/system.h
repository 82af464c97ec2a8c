/* What the formats and the command need of the system, in the words of POSIX.
 * SPDX-License-Identifier: MIT
 *
 * These things have no name in POSIX:
 *
 *     system_begin         prepares the process: arguments in UTF-8, patterns expanded, streams of bytes, colours
 *     system_slashes       what separates the parts of a path: all letters of this text
 *     system_last_slash    where the last part of a path begins, less one; NULL if it is all there is
 *     system_compare_names as strcmp; 0 also for two names that mean one file in the same folder
 *     system_library       what dlopen calls a library: its name and the number of its interface
 *     system_aligned_free  for memory from aligned_alloc */
#ifndef TENSORPAD_PORT_SYSTEM_H
#define TENSORPAD_PORT_SYSTEM_H

#if defined(_WIN32)
#include "windows_posix.h"
#else
#include "posix.h"
#endif

#endif
