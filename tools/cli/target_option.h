/* The runtimes that --target names. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CLI_TARGET_OPTION_H
#define TENSORPAD_CLI_TARGET_OPTION_H

#include "runtimes/runtimes.h"
#include "sub_command.h"

enum { TARGETS_MOST = 64 };

/* A target as it was asked for: "ort-1.25" may lie between two that were measured. */
typedef struct named_target {
    const char *name; /* lives as long as the process */
    tpad_rules_choice choice;
} named_target;

typedef struct target_list {
    named_target items[TARGETS_MOST];
    int32_t count;
} target_list;

/* Adds one, once; EXIT_DONE, or the status of the error that it reported. command: "check", for errors. */
int targets_add(target_list *list, const char *command, const char *name);
/* Adds a list with commas to target_list, as a row's `take`. The names lie in the option's text. */
int targets_add_list(void *field, const given_option *given);
/* As a row's `word_at`. */
const char *target_word(int32_t index);

#endif
