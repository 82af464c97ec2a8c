/* The runtimes that --target names. SPDX-License-Identifier: MIT */
#include "target_option.h"

#include <string.h>

#include "error_report.h"

int targets_add(target_list *list, const char *command, const char *name)
{
    named_target *added = &list->items[list->count];
    if (list->count == TARGETS_MOST)
        return report_usage("%s: more than %d targets", command, TARGETS_MOST);
    if (tpad_rules_find(&added->choice, name)) {
        const int one = added->choice.low == added->choice.high;
        added->name = one ? tpad_rules_target_at(added->choice.low)->name : name;
        list->count++;
        return EXIT_DONE;
    }
    char known[1024];
    tpad_rules_names(known, sizeof known);
    return report_usage("%s: unknown target '%s'; known are %s, versions between two of one "
                        "runtime, and names without a version",
                        command, name, known);
}

int targets_add_list(void *field, const given_option *given)
{
    int status = EXIT_DONE;
    for (char *rest = given->text, *name;
         status == EXIT_DONE && (name = strsep(&rest, ",")) != NULL;)
        status = targets_add(field, given->command, name);
    return status;
}

const char *target_word(int32_t index)
{
    const tpad_rules_target *target = tpad_rules_target_at(index);
    return target ? target->name : NULL;
}
