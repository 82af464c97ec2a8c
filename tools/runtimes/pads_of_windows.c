/* Conv and pools with pads of their own, and where they were seen to be right.  SPDX-License-Identifier: MIT
 *
 * The table comes from running small models in each runtime (conformance/kit.py survey). */
#include "rule.h"

enum { MOST_AXES = 3 };

typedef struct windows_row {
    const char *target;
    int32_t op;                /* TPAD_RULES_WINDOW_CONV, ... */
    uint32_t types[MOST_AXES]; /* of data whose images have one axis, two, three */
} windows_row;

#include "windows_measured.h"

static int32_t is_target(const char *name, int32_t target)
{
    const tpad_rules_target *found = tpad_rules_target_at(target);
    if (!found) return 0;
    const char *other = found->name;
    while (*name && *name == *other) name++, other++;
    return *name == *other;
}

static int32_t takes_pads_on(const tpad_rules_window *window, int32_t target)
{
    for (size_t i = 0; i < sizeof measured_windows / sizeof *measured_windows; i++) {
        const windows_row *row = &measured_windows[i];
        if (row->op == window->op && is_target(row->target, target))
            return fact_has_type(window->type, row->types[window->axes - 1]);
    }
    return 0;
}

int32_t tpad_rules_takes_pads(const tpad_rules_window *window, tpad_rules_choice choice)
{
    return window->axes >= 1 && window->axes <= MOST_AXES && takes_pads_on(window, choice.low) &&
           takes_pads_on(window, choice.high);
}
