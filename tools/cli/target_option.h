/* The runtimes that --target names. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CLI_TARGETS_H
#define TENSORPAD_CLI_TARGETS_H

#include "runtimes/runtimes.h"

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

/* These return EXIT_DONE, or the status of the error that they reported. command: "check", for
 * errors. targets_add adds one; targets_add_list a list with commas, whose text it cuts into names
 * and keeps. */
int targets_add(target_list *list, const char *command, const char *name);
int targets_add_list(target_list *list, const char *command, char *names);

#endif
