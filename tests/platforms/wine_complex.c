/* Functions of complex numbers for Wine.  SPDX-License-Identifier: MIT
 *
 * The C library of Wine 8 has their names, but a program that calls one ends. NumPy calls them. When this
 * DLL is loaded, their code becomes a jump to the functions here. */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <windows.h>

/* As Windows hands them over; its long double is a double. */
typedef struct {
    double real, imag;
} two_doubles;
typedef struct {
    float real, imag;
} two_floats;

static double real(two_doubles z)
{
    return z.real;
}

static double imag(two_doubles z)
{
    return z.imag;
}

static double magnitude(two_doubles z)
{
    return hypot(z.real, z.imag);
}

static double angle(two_doubles z)
{
    return atan2(z.imag, z.real);
}

static two_doubles exponential(two_doubles z)
{
    const double size = exp(z.real);
    return (two_doubles){size * cos(z.imag), size * sin(z.imag)};
}

static float real_f(two_floats z)
{
    return z.real;
}

static float imag_f(two_floats z)
{
    return z.imag;
}

static float magnitude_f(two_floats z)
{
    return (float)hypot(z.real, z.imag);
}

static float angle_f(two_floats z)
{
    return (float)atan2(z.imag, z.real);
}

static const struct {
    const char *name;
    uintptr_t function;
} ours[] = {{"creal", (uintptr_t)real},        {"creall", (uintptr_t)real},
            {"crealf", (uintptr_t)real_f},     {"cimag", (uintptr_t)imag},
            {"cimagl", (uintptr_t)imag},       {"cimagf", (uintptr_t)imag_f},
            {"cabs", (uintptr_t)magnitude},    {"cabsl", (uintptr_t)magnitude},
            {"cabsf", (uintptr_t)magnitude_f}, {"carg", (uintptr_t)angle},
            {"cargl", (uintptr_t)angle},       {"cargf", (uintptr_t)angle_f},
            {"cexp", (uintptr_t)exponential}};

BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, LPVOID reserved)
{
    unsigned char jump[12] = {0x48, 0xb8, [10] = 0xff, 0xe0}; /* mov rax, function; jmp rax */
    HMODULE library = GetModuleHandleA("ucrtbase.dll");
    (void)self, (void)reserved;
    if (reason != DLL_PROCESS_ATTACH || !library) return TRUE;
    if (!GetProcAddress(GetModuleHandleA("ntdll.dll"), "wine_get_version")) return TRUE;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
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
