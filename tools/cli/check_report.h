/* What `tensorpad check` found in all models, for the forms that begin with a summary.
 * SPDX-License-Identifier: MIT
 *
 * Equal findings are kept once: Pads of a model that are alike are one entry, and what one rule says of
 * all models is one finding. All texts are escaped as write_plain writes them.
 */
#ifndef TENSORPAD_CLI_CHECK_REPORT_H
#define TENSORPAD_CLI_CHECK_REPORT_H

#include <stdio.h>

#include "models/models.h"
#include "runtimes/runtimes.h"
#include "target_option.h"

/* The verdict on one node for one target. */
typedef struct check_verdict {
    tpad_rules_finding found;
    int accepted; /* 1: the baseline has it */
} check_verdict;

/* The same as far as a report shows it. */
typedef struct report_verdict {
    int32_t kind, code;
    int accepted, measured, is_nearest;
    int needs_extent; /* 1: an extent that is not known decides */
    char *text;       /* NULL if the kind is SAME */
} report_verdict;

typedef struct report_name {
    struct report_name *next;
    char *text;
} report_name;

/* The Pads of one model that are alike: they look the same, and so are their verdicts. */
typedef struct report_pad {
    struct report_pad *next; /* of the model */
    struct report_pad *same_hash;
    report_name *names, **last_name;
    int64_t count;
    char *look;               /* "Pad-19 reflect float [1,3] -> [1,6], pads 0,3,0,0" */
    char *picture;            /* an SVG, or NULL */
    report_verdict *verdicts; /* one for each target */
} report_pad;

typedef struct report_model {
    struct report_model *next;
    char *path;
    char *error;   /* NULL, or why it cannot be checked */
    int64_t count; /* of Pads */
    report_pad *pads, **last_pad;
} report_model;

/* What one rule says: all verdicts of one kind and code. */
typedef struct report_finding {
    int32_t kind, code;
    int accepted, needs_extent;
    int measured;     /* 0: it comes from documents only */
    uint64_t targets; /* bit k: the target number k */
    int64_t pads, models;
    /* Where it stands first */
    const report_model *model;
    const report_pad *pad;
    int32_t target;
} report_finding;

enum { REPORT_BUCKETS = 1024 };

/* Begins as {0}, and is freed with report_free. */
typedef struct check_report {
    const target_list *targets;
    report_model *models, *last;
    report_pad *buckets[REPORT_BUCKETS]; /* of the last model, by their looks */
    report_finding *findings; /* of report_end: the worst kind first, accepted ones last */
    int32_t finding_count;
    uint64_t lowered; /* bit k: `tensorpad lower` mends a model for the target number k */
    int failed;       /* 1: there was no memory, and the report is not whole */
} check_report;

void report_begin(check_report *report, const target_list *targets);
/* Adds a model, to which the nodes that follow belong. error: why it cannot be checked, or NULL. */
void report_model_add(check_report *report, const char *path, const char *error);
/* Adds a node. Returns the entry of the first Pad that is like it; NULL where there is no memory. */
report_pad *report_node_add(check_report *report, const tpad_pad_node *pad,
                            const check_verdict *verdicts);
/* Puts equal verdicts of all models together. */
void report_end(check_report *report);
void report_free(check_report *report);

/* The worst verdict on a model for one target, and how many of its Pads have it. Accepted verdicts
 * do not count; where there are only such and `same`, the kind is REPORT_ACCEPTED. */
enum { REPORT_ACCEPTED = TPAD_RULES_KINDS };
typedef struct report_cell {
    int32_t kind;
    int64_t count;
} report_cell;
report_cell report_cell_of(const report_model *model, int32_t target);
/* "3 refuses", "same"; returns its length. */
enum { REPORT_CELL_BYTES = 40 };
int report_cell_text(char text[REPORT_CELL_BYTES], const report_model *model, int32_t target);

/* 1 if the entry has the verdict of the finding for the target. */
int report_shows(const report_pad *pad, const report_finding *finding, int32_t target);
/* The same for any target. */
int report_shows_any(const check_report *report, const report_pad *pad,
                     const report_finding *finding);

/* Writes the names of the targets with ", " between them, or as an option takes them, with "," alone. */
void report_write_targets(FILE *out, const check_report *report, uint64_t targets);
void report_write_target_list(FILE *out, const check_report *report, uint64_t targets);
/* Writes what the matrix does not say of the targets: which ones were not run. `before` and `after` stand
 * around it; nothing is written where all of them were run. */
void report_write_not_run(FILE *out, const check_report *report, const char *before,
                          const char *after);
/* Notes for which targets `tensorpad lower` mends the last model, to which this belongs. TPAD_OK or
 * E_MEMORY. */
int32_t report_try_to_lower(check_report *report, tpad_model *model, tpad_io_error *error);
/* 1 if an extent that is not known decides some verdict. */
int report_needs_extents(const check_report *report);

/* Writes "Pad-19 reflect float [1,3] -> [1,6]". */
void report_write_look(FILE *out, const tpad_pad_node *pad);

#endif
