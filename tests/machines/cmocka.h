/* The part of cmocka that the tests use, for machines without a package of it.
 * SPDX-License-Identifier: MIT
 *
 * The same macros with the same meaning, in plain C. The first check that fails ends the
 * program. */
#ifndef TENSORPAD_TESTS_MACHINES_CMOCKA_H
#define TENSORPAD_TESTS_MACHINES_CMOCKA_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*CMFixtureFunction)(void **state);

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
    CMFixtureFunction setup, teardown;
    void *initial_state;
};

#define print_error(...) fprintf(stderr, __VA_ARGS__)

#define cmocka_unit_test_setup_teardown(f, setup, teardown) {#f, f, setup, teardown, NULL}
#define cmocka_unit_test(f) cmocka_unit_test_setup_teardown(f, NULL, NULL)

#define fail_msg(...)                                                                              \
    do {                                                                                           \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                            \
        fprintf(stderr, __VA_ARGS__);                                                              \
        fprintf(stderr, "\n");                                                                     \
        exit(1);                                                                                   \
    } while (0)
#define fail() fail_msg("failed")
#define skip()                                                                                     \
    do {                                                                                           \
        printf("[  SKIPPED ] %s\n", __func__);                                                     \
        return;                                                                                    \
    } while (0)

static inline void check_holds(int holds, const char *text, const char *file, int line)
{
    if (holds) return;
    fprintf(stderr, "%s:%d: %s does not hold\n", file, line, text);
    exit(1);
}

/* Compares numbers as cmocka does: all in one wide type, with their signs. */
static inline void check_numbers(intmax_t a, intmax_t b, int same, const char *text,
                                 const char *file, int line)
{
    if ((a == b) == same) return;
    fprintf(stderr, "%s:%d: %s does not hold: %lld and %lld\n", file, line, text, (long long)a,
            (long long)b);
    exit(1);
}

#define assert_true(a)         check_holds(!!(a), #a, __FILE__, __LINE__)
#define assert_false(a)        check_holds(!(a), "!(" #a ")", __FILE__, __LINE__)
#define assert_null(a)         check_holds((a) == NULL, #a " == NULL", __FILE__, __LINE__)
#define assert_non_null(a)     check_holds((a) != NULL, #a " != NULL", __FILE__, __LINE__)
#define assert_ptr_equal(a, b) check_holds((a) == (b), #a " == " #b, __FILE__, __LINE__)
#define assert_int_equal(a, b)                                                                     \
    check_numbers((intmax_t)(a), (intmax_t)(b), 1, #a " == " #b, __FILE__, __LINE__)
#define assert_int_not_equal(a, b)                                                                 \
    check_numbers((intmax_t)(a), (intmax_t)(b), 0, #a " != " #b, __FILE__, __LINE__)
#define assert_in_range(a, least, most)                                                            \
    check_holds((uintmax_t)(a) >= (uintmax_t)(least) && (uintmax_t)(a) <= (uintmax_t)(most),       \
                #a " in [" #least ", " #most "]", __FILE__, __LINE__)
#define assert_memory_equal(a, b, bytes)                                                           \
    check_holds(memcmp((a), (b), (bytes)) == 0, #a " is " #b, __FILE__, __LINE__)
#define assert_string_equal(a, b)                                                                  \
    check_holds(strcmp((a), (b)) == 0, #a " is " #b, __FILE__, __LINE__)

static inline int run_tests(const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup,
                            CMFixtureFunction teardown)
{
    void *group = NULL;
    if (setup && setup(&group) != 0) return 1;
    for (size_t i = 0; i < count; i++) {
        void *state = tests[i].initial_state ? tests[i].initial_state : group;
        if (tests[i].setup && tests[i].setup(&state) != 0) return 1;
        tests[i].run(&state);
        if (tests[i].teardown && tests[i].teardown(&state) != 0) return 1;
        printf("[       OK ] %s\n", tests[i].name);
    }
    if (teardown && teardown(&group) != 0) return 1;
    printf("%d tests passed\n", (int)count);
    return 0;
}

#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    run_tests(tests, sizeof(tests) / sizeof(tests)[0], setup, teardown)

#endif
