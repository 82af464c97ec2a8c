/* Functions of complex numbers for Wine.  SPDX-License-Identifier: MIT
 *
 * The C library of Wine 8 has their names, but a program that calls one ends. NumPy calls them.
 * When this DLL is loaded, their code becomes a jump to the functions here. */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <windows.h>

/* As Windows hands them over; its long double is a double. */
/* clang-format off */
#define FUNCTIONS(real_type, suffix)                                                               \
    typedef struct {                                                                               \
        real_type real, imag;                                                                      \
    } complex##suffix;                                                                             \
    static real_type my_creal##suffix(complex##suffix z) { return z.real; }                        \
    static real_type my_cimag##suffix(complex##suffix z) { return z.imag; }                        \
    static real_type my_cabs##suffix(complex##suffix z)                                            \
    {                                                                                              \
        return (real_type)hypot(z.real, z.imag);                                                   \
    }                                                                                              \
    static real_type my_carg##suffix(complex##suffix z)                                            \
    {                                                                                              \
        return (real_type)atan2(z.imag, z.real);                                                   \
    }
FUNCTIONS(double, )
FUNCTIONS(double, l)
FUNCTIONS(float, f)
/* clang-format on */

static complex my_cexp(complex z)
{
    const double size = exp(z.real);
    return (complex){size * cos(z.imag), size * sin(z.imag)};
}

#define OURS(name) {#name, (uintptr_t)my_##name}
#define EACH(suffix)                                                                               \
    OURS(creal##suffix), OURS(cimag##suffix), OURS(cabs##suffix), OURS(carg##suffix)
static const struct {
    const char *name;
    uintptr_t function;
} ours[] = {EACH(), EACH(l), EACH(f), OURS(cexp)};

BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, LPVOID reserved)
{
    unsigned char jump[12] = {0x48, 0xb8, [10] = 0xff, 0xe0}; /* mov rax, function; jmp rax */
    HMODULE library = GetModuleHandleA("ucrtbase.dll");
    (void)self, (void)reserved;
    for (size_t i = 0; reason == DLL_PROCESS_ATTACH && library && i < sizeof ours / sizeof *ours;
         i++) {
        DWORD rights;
        void *theirs = (void *)(uintptr_t)GetProcAddress(library, ours[i].name);
        memcpy(jump + 2, &ours[i].function, sizeof ours[i].function);
        if (!theirs || !VirtualProtect(theirs, sizeof jump, PAGE_EXECUTE_READWRITE, &rights))
            continue;
        memcpy(theirs, jump, sizeof jump);
        VirtualProtect(theirs, sizeof jump, rights, &rights);
    }
    return TRUE;
}
