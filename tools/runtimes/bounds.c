/* From which extents on a runtime is right, and whether they are that long.  SPDX-License-Identifier: MIT
 *
 * Asks the rules again with extents in place of those that are not known. It relies on what all rules
 * have in common where nothing is cut off: what does not fit an axis fits every longer one. */
#include "rule.h"

enum { MOST_OPEN = 4 }; /* axes that are padded and whose extents are not known */
#define MOST_AMOUNT (INT64_C(1) << 20)
#define LONG        (INT64_C(1) << 40)

static int32_t is_same(const tpad_rules_facts *facts, tpad_rules_choice choice)
{
    tpad_rules_verdict verdict;
    rules_judge(&verdict, facts, choice);
    return verdict.kind == TPAD_RULES_SAME;
}

static int64_t size_of(int64_t amount)
{
    return amount < 0 ? -amount : amount;
}

/* The least extent of the axis with which the verdict is `same`; the extents of the others are set. */
static int64_t least_extent(tpad_rules_facts *facts, tpad_rules_choice choice, int32_t axis)
{
    tpad_rules_axis *asked = &facts->axis[axis];
    int64_t low = 0, high = 2 * (size_of(asked->begin) + size_of(asked->end)) + 2;
    while (high - low > 1) { /* `same` at high, not at low */
        asked->extent = low + (high - low) / 2;
        if (is_same(facts, choice))
            high = asked->extent;
        else
            low = asked->extent;
    }
    asked->extent = high;
    if (!is_same(facts, choice)) high = -1;
    asked->extent = LONG;
    return high;
}

int32_t tpad_rules_same_from(int64_t least[TPAD_RULES_MAX_RANK], const tpad_rules_facts *given,
                             tpad_rules_choice choice)
{
    tpad_rules_facts facts = *given;
    int32_t open[MOST_OPEN], count = 0;
    for (int32_t i = 0; i < TPAD_RULES_MAX_RANK; i++) least[i] = 1;
    /* Where the last window of a pool begins goes up and down with the extent. */
    for (int32_t i = 0; i < facts.reader.axes; i++)
        if (facts.mode == TPAD_RULES_CONSTANT && facts.reader.axis[i].stride > 1) return 0;
    for (int32_t i = 0; i < facts.rank; i++) {
        tpad_rules_axis *axis = &facts.axis[i];
        if (!fact_never_cut(axis)) return 0;
        if (axis->extent >= 0) continue;
        axis->extent = LONG;
        if (axis->amounts_known && axis->begin == 0 && axis->end == 0) continue;
        if (!axis->amounts_known || size_of(axis->begin) > MOST_AMOUNT ||
            size_of(axis->end) > MOST_AMOUNT || count == MOST_OPEN)
            return 0;
        open[count++] = i;
    }
    if (count == 0 || !is_same(&facts, choice)) return 0;
    for (int32_t k = 0; k < count; k++) {
        least[open[k]] = least_extent(&facts, choice, open[k]);
        if (least[open[k]] < 0) return 0;
    }
    int32_t says_something = 0;
    for (int32_t k = 0; k < count; k++) {
        facts.axis[open[k]].extent = least[open[k]];
        says_something |= least[open[k]] > 1;
    }
    return says_something && is_same(&facts, choice);
}

/* 1 if every extent is known to be in the bounds in which the verdict is SAME. */
static int32_t is_long_enough(const tpad_rules_facts *facts, tpad_rules_choice choice)
{
    int64_t least[TPAD_RULES_MAX_RANK];
    int32_t some = 0;
    for (int32_t i = 0; i < facts->rank; i++) some |= facts->axis[i].least > 1;
    if (!some || !tpad_rules_same_from(least, facts, choice)) return 0;
    for (int32_t i = 0; i < facts->rank; i++)
        if (facts->axis[i].extent < 0 && least[i] > 1 && facts->axis[i].least < least[i]) return 0;
    return 1;
}

void tpad_rules_judge(tpad_rules_verdict *verdict, const tpad_rules_facts *facts,
                      tpad_rules_choice choice)
{
    rules_judge(verdict, facts, choice);
    if (verdict->missing == TPAD_RULES_MISSING_EXTENT && is_long_enough(facts, choice))
        *verdict =
            (tpad_rules_verdict){.axis = -1, .measured = verdict->measured, .choice = choice};
}
