/* What the WebAssembly modules export to JavaScript. SPDX-License-Identifier: MIT */
#include <tensorpad/tensorpad.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

/* The library's version, "0.2.0". */
const char *EXPORT(version)(void);
const char *version(void)
{
    return tpad_version();
}
