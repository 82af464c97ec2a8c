/* The rules by hand: targets, verdicts between versions, missing facts, sentences. */
#include "rules/rules.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void test_names_of_targets(void **state)
{
    (void)state;
    tpad_rules_choice choice;
    assert_true(tpad_rules_find(&choice, "ort-1.31"));
    assert_int_equal(choice.low, choice.high);
    assert_string_equal(tpad_rules_target_at(choice.low)->name, "ort-1.31");
    assert_true(tpad_rules_find(&choice, "ort"));
    assert_string_equal(tpad_rules_target_at(choice.low)->name, "ort-1.31");
    assert_true(tpad_rules_find(&choice, "ort-1.21.5"));
    assert_string_equal(tpad_rules_target_at(choice.low)->name, "ort-1.20");
    assert_string_equal(tpad_rules_target_at(choice.high)->name, "ort-1.23");
    assert_true(tpad_rules_find(&choice, "ort-web"));
    assert_string_equal(tpad_rules_target_at(choice.high)->name, "ort-web-1.30");
    assert_true(tpad_rules_find(&choice, "coreml"));
    assert_null(tpad_rules_target_at(choice.high)->version);
    const char *const wrong[] = {"",           "or",           "ort-",     "ort-1",
                                 "ort-1.32",   "ort-1.16",     "ort-1.2x", "ortx",
                                 "coreml-1.0", "ort-1.31.1.1", "ort-.1",   "ort-1.31.",
                                 "ort 1.31",   "ort-1.999999", NULL};
    for (int i = 0; wrong[i]; i++) assert_false(tpad_rules_find(&choice, wrong[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_of_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
