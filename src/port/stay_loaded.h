/* Keeps a library in the process until it ends.  SPDX-License-Identifier: MIT
 *
 *     stay_loaded      the library, or program, that contains the call is never unloaded
 *
 * On systems other than these two a linker option does it: -z nodelete. */
#ifndef TENSORPAD_PORT_STAY_LOADED_H
#define TENSORPAD_PORT_STAY_LOADED_H

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static void stay_loaded(void)
{
    static const char here;
    HMODULE module;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                       (const wchar_t *)(const void *)&here, &module);
}
#elif defined(__APPLE__)
#include <dlfcn.h>

static void stay_loaded(void)
{
    static const char here;
    Dl_info library;
    if (dladdr(&here, &library)) dlopen(library.dli_fname, RTLD_LAZY | RTLD_NODELETE);
}
#else
#define stay_loaded() ((void)0)
#endif

#endif
