/* The runtimes that --target names. SPDX-License-Identifier: MIT */
#include "target_option.h"

#include <string.h>

#include "error_report.h"
#include "port/system.h"

/* Adds a target, unless the list has one of that name. */
static int add_target(target_list *list, const char *command, const char *name, tpad_rules_choice choice)
{
    if (choice.low == choice.high && !choice.is_nearest)
        name = tpad_rules_target_at(choice.low)->name;
    for (int32_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0) return EXIT_DONE;
    if (list->count == TARGETS_MOST)
        return report_usage("%s: more than %d targets", command, TARGETS_MOST);
    list->items[list->count++] = (named_target){name, choice};
    return EXIT_DONE;
}

int targets_add(target_list *list, const char *command, const char *name)
{
    tpad_rules_choice choice;
    if (tpad_rules_find(&choice, name)) return add_target(list, command, name, choice);
    char known[1024];
    tpad_rules_names(known, sizeof known);
    return report_usage("%s: unknown target '%s'; known are %s, other versions of these "
                        "runtimes, and names without a version",
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
