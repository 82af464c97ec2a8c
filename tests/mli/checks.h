/* cmocka, or where it is missing (a 32-bit build on a 64-bit machine) the few words of it that the
 * tests of MLI use. SPDX-License-Identifier: MIT */
#ifndef TESTS_MLI_CHECKS_H
#define TESTS_MLI_CHECKS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef WITHOUT_CMOCKA
#include <cmocka.h>
#else

typedef struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
} CMUnitTest;

static inline void check(int holds, const char *text, const char *file, int line)
{
    if (holds) return;
    fprintf(stderr, "%s:%d: %s does not hold\n", file, line, text);
    exit(1);
}

static inline int run_group(const CMUnitTest *tests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        tests[i].run(NULL);
        printf("[       OK ] %s\n", tests[i].name);
    }
    return 0;
}

#define assert_true(a)         check(!!(a), #a, __FILE__, __LINE__)
#define assert_int_equal(a, b) check((a) == (b), #a " == " #b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, bytes)                                                           \
    check(memcmp((a), (b), (bytes)) == 0, #a " == " #b, __FILE__, __LINE__)
#define cmocka_unit_test(f)                                                                        \
    {                                                                                              \
#f, f                                                                                      \
    }
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    run_group(tests, sizeof(tests) / sizeof(tests)[0])

#endif
#endif
