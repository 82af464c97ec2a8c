/* Random facts to every target: a verdict names a rule that the target has, its sentence is whole,
 * and where a fact is taken away the verdict stays or becomes unknown. */
#include "runtimes/runtimes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 20000 };

static uint64_t seed = 20;

static int32_t draw(int32_t low, int32_t high)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (int32_t)((seed >> 33) % (uint64_t)(high - low + 1));
}

static int32_t one_in(int32_t count)
{
    return draw(1, count) == 1;
}

static void shuffle(int32_t *numbers, int32_t count)
{
    for (int32_t i = 0; i < count; i++) numbers[i] = i;
    for (int32_t i = count - 1; i > 0; i--) {
        const int32_t other = draw(0, i), kept = numbers[i];
        numbers[i] = numbers[other];
        numbers[other] = kept;
    }
}

static void draw_axes(tpad_rules_facts *facts)
{
    for (int32_t i = 0; i < facts->rank; i++) {
        tpad_rules_axis *axis = &facts->axis[i];
        axis->extent = draw(one_in(8) ? 0 : 1, 5);
        axis->begin = one_in(2) ? 0 : draw(-4, 6);
        axis->end = one_in(2) ? 0 : draw(-4, 6);
        axis->amounts_known = 1;
        axis->open = one_in(4);
    }
    if (facts->axes_given == TPAD_RULES_ABSENT) return;
    shuffle(facts->axes, facts->rank);
    facts->axes_type = one_in(4) ? 6 : 7;
    facts->axes_count = one_in(2) ? facts->rank : draw(0, facts->rank);
    for (int32_t i = 0; i < facts->axes_count; i++)
        if (one_in(3)) facts->axes[i] -= facts->rank;
    if (one_in(20) && facts->axes_count > 0) facts->axes[0] = draw(-9, 9);
}

/* Facts with nothing missing; without the bits that are taken as absent where data is not known. */
static void draw_facts(tpad_rules_facts *facts)
{
    tpad_rules_facts_unknown(facts);
    facts->spec = one_in(20) ? TPAD_RULES_OPENVINO : TPAD_RULES_ONNX;
    facts->opset = draw(1, 27);
    facts->document =
        one_in(3) ? draw(TPAD_RULES_ANSWERS, TPAD_RULES_DOCUMENT_END - 1) : TPAD_RULES_ANSWERS;
    facts->type = one_in(20) ? draw(101, 104) : one_in(2) ? 1 : draw(1, 26);
    facts->mode = draw(TPAD_RULES_CONSTANT, TPAD_RULES_NO_MODE);
    facts->rank = one_in(20) ? 0 : draw(1, 6);
    facts->rank_open = one_in(20);
    facts->pads_given = one_in(3) ? draw(TPAD_RULES_ABSENT, TPAD_RULES_FROM_CONSTANTS) : 2;
    facts->axes_given = one_in(3) ? draw(TPAD_RULES_ATTRIBUTE, TPAD_RULES_FROM_CONSTANTS) : 0;
    facts->value_given = one_in(2) ? draw(TPAD_RULES_ATTRIBUTE, TPAD_RULES_FROM_CONSTANTS) : 0;
    facts->pads_type = one_in(8) ? draw(1, 13) : 7;
    draw_axes(facts);
    if (facts->document == TPAD_RULES_FORBIDS_AXES_TYPE) facts->axes_type = draw(1, 13);
    if (facts->value_given != TPAD_RULES_ABSENT) {
        facts->value_type = facts->type;
        facts->value_rank = one_in(4);
        facts->value_count = one_in(8) ? draw(0, 2) : 1;
    }
    facts->value_nameless = one_in(8);
    facts->inputs_unnamed = one_in(8);
    facts->extent_names = one_in(8) ? draw(1, 2) : 0;
    facts->made_by = one_in(8) ? draw(1, 8191) : 0;
    facts->data_from = one_in(8) ? draw(1, 4095) : 0;
    facts->value_known = 1;
    facts->value_bits = draw(0, 8191) & ~TPAD_RULES_NAN_PAYLOAD;
    if (facts->value_given > TPAD_RULES_FOLDED) /* then it is taken as another one than 0 */
        facts->value_bits |= TPAD_RULES_NOT_ZERO;
    facts->data_known = 1;
    facts->data_bits = draw(0, 2047) & ~(TPAD_RULES_NAN_PAYLOAD | TPAD_RULES_MINUS_ZERO);
    facts->data_bits |= TPAD_RULES_NEGATIVE;
    facts->data_constant = one_in(8);
    facts->before = draw(TPAD_RULES_NO_OPERATOR, TPAD_RULES_PAD);
    facts->after = one_in(2) ? draw(TPAD_RULES_NO_OPERATOR, TPAD_RULES_PAD)
                             : draw(TPAD_RULES_MAX_POOL, TPAD_RULES_AVERAGE_POOL);
    if (one_in(4) && facts->rank > 0) {
        facts->before = facts->after = TPAD_RULES_TRANSPOSE;
        facts->perm_count = facts->rank;
        shuffle(facts->perm, facts->rank);
    }
    facts->reader = (tpad_rules_reader){.op = one_in(4) ? TPAD_RULES_OTHER_OPERATOR : facts->after,
                                        .passes = one_in(4) ? draw(1, 3) : 0,
                                        .is_same = one_in(4),
                                        .has_pads = draw(0, 2),
                                        .counts_pads = one_in(4),
                                        .is_ceil = one_in(4) ? draw(1, 2) : 0,
                                        .axes = one_in(8) ? draw(0, 3) : facts->rank - 2};
    if (facts->reader.axes < 0 || facts->reader.axes > TPAD_RULES_WINDOW_AXES)
        facts->reader.axes = 0;
    for (int32_t i = 0; i < facts->reader.axes; i++)
        facts->reader.axis[i] = (tpad_rules_window_axis){draw(1, 4), draw(1, 3), draw(1, 2),
                                                         facts->reader.has_pads > 1, draw(0, 1)};
    facts->data_returned = one_in(8);
    facts->inside = one_in(8) ? draw(1, 4) : 0;
    facts->condition_listed = one_in(4);
    facts->branches_differ = one_in(2);
    facts->end_without_shape = one_in(4);
}

/* Extents are taken as at least 1, here and in the output, so others are not taken away. */
static int32_t is_ordinary(const tpad_rules_axis *axis)
{
    return axis->extent >= 1 && axis->extent + axis->begin + axis->end >= 1;
}

/* Takes one fact away; returns 0 where the facts have none of that kind. */
static int32_t take_away(tpad_rules_facts *facts, int32_t fact)
{
    const int32_t i = facts->rank > 0 ? draw(0, facts->rank - 1) : 0;
    if (facts->document > TPAD_RULES_ANSWERS) return 0; /* what forbids a node is known of it */
    switch (fact) {
    case 0:
        facts->opset = 0;
        return 1;
    case 1:
        facts->type = TPAD_RULES_TYPE_UNKNOWN;
        return 1;
    case 2:
        facts->mode = TPAD_RULES_MODE_UNKNOWN;
        return 1;
    case 3:
        if (facts->rank < 1) return 0;
        for (int32_t k = 0; k < facts->rank; k++)
            if (!is_ordinary(&facts->axis[k])) return 0;
        facts->rank = -1;
        return 1;
    case 4:
        if (facts->rank < 1 || !is_ordinary(&facts->axis[i])) return 0;
        facts->axis[i].extent = -1;
        return 1;
    case 5:
        facts->axis[i].amounts_known = 0;
        return facts->rank > 0;
    case 6:
        facts->value_known = 0;
        return 1;
    case 7:
        facts->axes_count = -1;
        return 1;
    case 8:
        facts->before = -1;
        return 1;
    case 9:
        facts->after = facts->reader.op = -1;
        return 1;
    case 10:
        facts->reader.axis[0].kernel = -1;
        return facts->reader.axes > 0;
    case 11:
        facts->value_rank = -1;
        return 1;
    default:
        facts->data_known = 0;
        return 1;
    }
}

static void check_verdict(const tpad_rules_verdict *verdict, const tpad_rules_facts *facts,
                          int32_t target)
{
    char text[600], part[40];
    tpad_rules_page page;
    assert_non_null(tpad_rules_kind_name(verdict->kind));
    assert_int_equal(verdict->code == 0, verdict->kind == TPAD_RULES_SAME);
    const size_t length = tpad_rules_text(text, sizeof text, verdict, facts);
    assert_true(length > 10 && length < sizeof text && length == strlen(text));
    assert_null(strpbrk(text, "{}"));
    assert_int_equal(tpad_rules_text(part, sizeof part, verdict, facts), length);
    assert_int_equal(strlen(part), length < sizeof part ? length : sizeof part - 1);
    assert_memory_equal(part, text, strlen(part));
    assert_int_equal(tpad_rules_text(NULL, 0, verdict, facts), length);
    if (verdict->code == 0) return;
    assert_true(tpad_rules_page_of(&page, verdict->code));
    assert_true(page.targets >> target & 1);
    assert_int_equal(verdict->measured, page.source == NULL);
    if (verdict->kind != TPAD_RULES_UNKNOWN && verdict->kind != TPAD_RULES_ACCEPTS)
        assert_int_equal(verdict->kind, page.kind);
    assert_true(verdict->axis < (facts->rank > 0 ? facts->rank : TPAD_RULES_MAX_RANK));
}

static void test_random_facts(void **state)
{
    (void)state;
    for (int32_t n = 0; n < CASES; n++) {
        tpad_rules_facts facts, fewer;
        draw_facts(&facts);
        fewer = facts;
        const int32_t fact = draw(0, 12), taken = take_away(&fewer, fact);
        for (int32_t target = 0; target < tpad_rules_target_count(); target++) {
            const tpad_rules_choice choice = {.low = target, .high = target};
            tpad_rules_verdict whole, partial;
            tpad_rules_judge(&whole, &facts, choice);
            tpad_rules_judge(&partial, &fewer, choice);
            check_verdict(&whole, &facts, target);
            check_verdict(&partial, &fewer, target);
            if (taken && partial.kind != whole.kind && partial.kind != TPAD_RULES_UNKNOWN)
                fail_msg("case %d, %s: fact %d taken away: %s (%d) instead of %s (%d)", (int)n,
                         tpad_rules_target_at(target)->name, (int)fact,
                         tpad_rules_kind_name(partial.kind), (int)partial.code,
                         tpad_rules_kind_name(whole.kind), (int)whole.code);
        }
    }
}

/* Facts that no model has, too: every verdict is a whole one. */
static void test_wild_facts(void **state)
{
    (void)state;
    for (int32_t n = 0; n < CASES; n++) {
        tpad_rules_facts facts;
        draw_facts(&facts);
        for (int32_t k = draw(1, 3); k > 0; k--) take_away(&facts, draw(0, 12));
        facts.document = draw(TPAD_RULES_DOCUMENT_UNKNOWN, TPAD_RULES_DOCUMENT_END - 1);
        facts.pads_type = draw(0, 33);
        facts.axes_type = draw(0, 33);
        facts.value_bits = draw(0, 8191);
        facts.data_bits = draw(0, 2047);
        facts.perm[0] = draw(-1, 7);
        if (one_in(4)) facts.opset = 0;
        if (one_in(4)) facts.type = draw(-1, 110);
        if (one_in(4)) facts.mode = TPAD_RULES_MODE_UNKNOWN;
        if (one_in(4)) facts.rank = -1;
        if (one_in(4)) facts.axes_count = -1;
        if (one_in(4)) facts.axis[0].amounts_known = 0;
        if (one_in(4)) facts.axis[0].extent = draw(-1, 0);
        for (int32_t target = 0; target < tpad_rules_target_count(); target++) {
            tpad_rules_verdict verdict;
            tpad_rules_judge(&verdict, &facts, (tpad_rules_choice){.low = target, .high = target});
            check_verdict(&verdict, &facts, target);
        }
    }
}

/* Between two versions: what both say, or unknown. */
static void test_between_versions(void **state)
{
    (void)state;
    for (int32_t n = 0; n < CASES / 10; n++) {
        static const char *const names[] = {"ort-1.18", "ort-1.22", "ort-1.27", "opencv-4.20"};
        tpad_rules_facts facts;
        tpad_rules_choice choice;
        tpad_rules_verdict between, low, high;
        char text[600];
        draw_facts(&facts);
        if (one_in(3)) take_away(&facts, draw(0, 12));
        assert_true(tpad_rules_find(&choice, names[draw(0, 3)]));
        assert_true(choice.low < choice.high);
        tpad_rules_judge(&between, &facts, choice);
        tpad_rules_judge(&low, &facts, (tpad_rules_choice){.low = choice.low, .high = choice.low});
        tpad_rules_judge(&high, &facts,
                         (tpad_rules_choice){.low = choice.high, .high = choice.high});
        assert_int_equal(between.kind, low.kind == high.kind ? low.kind : TPAD_RULES_UNKNOWN);
        if (low.kind != high.kind) assert_int_equal(between.missing, TPAD_RULES_MISSING_VERSION);
        assert_true(tpad_rules_text(text, sizeof text, &between, &facts) > 10);
        assert_null(strpbrk(text, "{}"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_facts),
        cmocka_unit_test(test_wild_facts),
        cmocka_unit_test(test_between_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
