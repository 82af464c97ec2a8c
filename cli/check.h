/* What `tensorpad check` found in all models, for the forms that begin with a summary.
 * SPDX-License-Identifier: MIT
 *
 * Equal findings are kept once: Pads of a model that are alike are one entry, and what one rule
 * says of all models is one finding. All texts are escaped as write_plain writes them.
 */
#ifndef TENSORPAD_CLI_CHECK_H
#define TENSORPAD_CLI_CHECK_H

#include <stdio.h>

#include "json_writer.h"
#include "models/models.h"
#include "options.h"
#include "runtimes/runtimes.h"

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

/* Pads of one model that look the same and have the same verdicts. */
typedef struct report_pad {
    struct report_pad *next; /* of the model */
    struct report_pad *same_hash;
    report_name *names, **last_name;
    int64_t count;
    char *look;               /* "Pad-19 reflect float [1,3] -> [1,6], pads 0,3,0,0" */
    report_verdict *verdicts; /* one for each target */
} report_pad;

typedef struct report_model {
    struct report_model *next;
    char *path;
    char *error;   /* NULL, or why it cannot be checked */
    int64_t count; /* of Pads */
    report_pad *pads, **last_pad;
} report_model;

/* All verdicts of one kind and code. */
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
    const input_shapes *shapes; /* that the options give */
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
/* Adds a node. Returns the entry of the first Pad that is like it; NULL where there is no memory.
 */
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

/* Writes the names of the targets with ", " between them; or as the options of `tensorpad lower`,
 * with the shapes that were given. */
void report_write_targets(FILE *out, const check_report *report, uint64_t targets);
void report_write_target_list(FILE *out, const check_report *report, uint64_t targets);
/* Writes what the matrix does not say of the targets: which ones were not run. `before` and `after`
 * stand around it; nothing is written where all of them were run. */
void report_write_not_run(FILE *out, const check_report *report, const char *before,
                          const char *after);
/* Notes for which targets `tensorpad lower` mends the last model, to which this belongs. TPAD_OK or
 * E_MEMORY. */
int32_t report_try_to_lower(check_report *report, tpad_model *model, tpad_io_error *error);
/* 1 if an extent that is not known decides some verdict. */
int report_needs_extents(const check_report *report);

/* Writes "Pad-19 reflect float [1,3] -> [1,6]". */
void report_write_look(FILE *out, const tpad_pad_node *pad);

/* What `tensorpad check` found, and the forms in which it is written.
 *
 * command_check.c reads the options and the models; check_shapes.c reads the file of --shapes;
 * check_findings.c finds the models and knows the findings that were accepted before;
 * check_report.c keeps the findings of all models; check_text.c, check_markdown.c and
 * check_machine.c (JSON, SARIF, GitHub) write them; check_witness.c writes a model and an input
 * that show one. */

/* One node, with a verdict for each target. */
typedef struct check_node {
    const tpad_pad_node *pad;
    const tpad_rules_facts *facts;
    const char *name; /* of the node or, where it has none, of its output */
    const check_verdict *verdicts;
} check_node;

/* What the options say of inputs that some models do not have. */
typedef struct check_lack {
    const char *name;
    int64_t models;
} check_lack;
typedef struct check_lacks {
    check_lack *items;
    int32_t count;
} check_lacks;

/* The whole call. */
typedef struct check_run {
    target_list targets;
    int32_t fail_on; /* TPAD_RULES_...; TPAD_RULES_KINDS: nothing fails */
    FILE *out;
    json writer;         /* of the formats that are JSON */
    check_report report; /* of the formats that begin with a summary */
    int64_t models, nodes, unreadable;
    const char *witness;              /* the folder for witnesses, or NULL */
    int64_t witnesses;                /* how many were written */
    int64_t counts[TPAD_RULES_KINDS]; /* of verdicts that are not accepted */
    int64_t accepted;
    check_lacks lacks;       /* of all models */
    check_lacks model_lacks; /* of the model whose nodes come now */
    int32_t worst;           /* the highest kind that is not accepted */
    double most_bytes;       /* of an output, and the model that it is in */
    const char *largest;     /* */
} check_run;

/* A form of the output. Each function may be NULL. The nodes of a model come between model_begin
 * and model_end. error: NULL, or why the model cannot be read; then it has no Pad nodes. */
typedef struct check_format {
    const char *name;
    void (*begin)(check_run *run);
    void (*model_begin)(check_run *run, const char *path, const char *error, int64_t pads);
    void (*node)(check_run *run, const char *path, const check_node *node);
    void (*model_end)(check_run *run);
    void (*end)(check_run *run);
} check_format;

extern const check_format check_text, check_details, check_markdown, check_json, check_sarif,
    check_github;

/* check_findings.c. How much a finding matters to people: 2 an error, 1 a warning, 0 a note, -1
 * nothing. */
int check_level(int32_t kind);
/* Writes "2 models, 3 Pad nodes: 1 refuses, 2 same ...", without the end of the line; the
 * folder of witnesses is written by write_name, from a text that is escaped as write_plain does. */
void check_write_totals(const check_run *run, void (*write_name)(FILE *out, const char *text));
/* Keeps the largest output, which check_write_totals tells if it is above 4 GiB. path: lasts as the
 * run. */
void check_note_size(check_run *run, const char *path, const tpad_pad_node *pad);
/* What begins a form that is written from run->report, and collects its models and nodes. */
void check_collect_begin(check_run *run);
void check_collect_model(check_run *run, const char *path, const char *error, int64_t pads);
void check_collect_node(check_run *run, const char *path, const check_node *node);

/* The models that the words mean: files as they are, and of each folder all .onnx
 * files and IR files in it and in its folders, sorted. Owned; freed with check_paths_free. Both
 * functions that can fail return EXIT_DONE or the status of the error that they reported. */
typedef struct check_paths {
    char **items;
    size_t count, room;
} check_paths;
/* *is_folder becomes 1 if the word is one. */
int check_paths_add(check_paths *paths, const char *word, int *is_folder);
void check_paths_free(check_paths *paths);

/* check_shapes.c. What a file says of the inputs of the models that fit the pattern of a section.
 * Begins as {0}, and is freed with check_shapes_free. The functions return as those above. */
typedef struct check_section {
    char *pattern;
    int32_t first; /* of inputs; the next section's ends them */
} check_section;
typedef struct check_shapes {
    input_shapes inputs;
    check_section *sections;
    int32_t section_count;
} check_shapes;
int check_shapes_read(check_shapes *shapes, const char *path);
/* All that is said of the inputs of one model, by options first. may_lack: of each item. The caller
 * frees found->items alone, in all cases. */
int check_shapes_of(input_shapes *found, const check_shapes *shapes, const input_shapes *given,
                    const char *path, int may_lack);
void check_shapes_free(check_shapes *shapes);

/* check_findings.c. Calls `take` with each line of a text file until one is not EXIT_DONE. is_text:
 * 0 if the line has a NUL. Errors are reported. */
typedef int check_line_taker(void *context, char *line, int is_text, const char *path, long number);
int check_lines_read(const char *path, check_line_taker *take, void *context);

/* check_findings.c. Findings that are accepted: lines
 * "MODEL<tab>NODE<tab>TARGET<tab>CODE<tab>KIND", sorted when they are written. Owned; freed with
 * check_baseline_free. */
typedef struct check_baseline {
    char **lines;
    size_t count, room;
} check_baseline;
int check_baseline_read(check_baseline *baseline, const char *path);
/* The line of a finding, for the caller to free; NULL: no memory, which was reported. Names are
 * written as everywhere, without tabs. */
char *check_baseline_line(const char *path, const check_node *node, const char *target,
                          const check_verdict *verdict);
/* 1 if the baseline has the line. */
int check_baseline_has(const check_baseline *baseline, const char *line);
/* Adds a malloc'ed line and takes ownership, also on failure. */
int check_baseline_keep(check_baseline *baseline, char *line);
int check_baseline_write(check_baseline *baseline, const char *path, int overwrite);
void check_baseline_free(check_baseline *baseline);

/* check_witness.c. Looks whether the folder run->witness can be made; EXIT_DONE, or the status of
 * the error that it reported. */
int check_witness_begin(const check_run *run);
/* Writes a witness of a node on which some target differs, if the node alone can show it. path: of
 * its model. */
int check_witness_write(check_run *run, const char *path, const check_node *node);

#endif
