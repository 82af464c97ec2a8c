/* The findings of `tensorpad check` in all models, for the formats that begin with a summary.
 * SPDX-License-Identifier: MIT
 *
 * Equal findings are kept once: like Pads of a model share one entry, and one rule's verdicts on
 * all models are one finding. All texts are escaped as by write_plain.
 */
#ifndef TENSORPAD_CHECKER_COMMAND_CHECK_H
#define TENSORPAD_CHECKER_COMMAND_CHECK_H

#include <stdio.h>

#include "command/json_writer.h"
#include "model_options.h"
#include "models/models.h"
#include "runtimes/runtimes.h"

/* The verdict on one node for one target. */
typedef struct check_verdict {
    tpad_rules_finding found;
    int accepted; /* 1: the baseline has it */
} check_verdict;

/* What a report shows of it. */
typedef struct report_verdict {
    int32_t kind, code;
    int accepted, measured, is_nearest;
    int needs_extent; /* 1: an unknown extent decides */
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
    int measured;     /* 0: from documents only */
    uint64_t targets; /* bit k: target number k */
    int64_t pads, models;
    /* Its first occurrence. */
    const report_model *model;
    const report_pad *pad;
    int32_t target;
} report_finding;

enum { REPORT_BUCKETS = 1024 };

/* Starts as {0}; freed with report_free. */
typedef struct check_report {
    const target_list *targets;
    const input_shapes *shapes; /* from the options */
    report_model *models, *last;
    report_pad *buckets[REPORT_BUCKETS]; /* of the last model, by their looks */
    report_finding *findings; /* filled by report_end: worst kind first, accepted ones last */
    int32_t finding_count;
    uint64_t lowered; /* bit k: `tensorpad lower` fixes a model for target number k */
    int failed;       /* 1: out of memory; the report is incomplete */
} check_report;

void report_begin(check_report *report, const target_list *targets);
/* Adds a model; the nodes added next belong to it. error: why it cannot be checked, or NULL. */
void report_model_add(check_report *report, const char *path, const char *error);
/* Adds a node. Returns the entry of the first Pad like it; NULL: out of memory.
 */
report_pad *report_node_add(check_report *report, const tpad_pad_node *pad,
                            const check_verdict *verdicts);
/* Merges equal verdicts of all models. */
void report_end(check_report *report);
void report_free(check_report *report);

/* The worst verdict on a model for one target, and how many of its Pads have it. Accepted verdicts
 * do not count; if there are only those and `same`, the kind is REPORT_ACCEPTED. */
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

/* Writes the names of the targets separated by ", "; or as the options of `tensorpad lower`, with
 * the given shapes. */
void report_write_targets(FILE *out, const check_report *report, uint64_t targets);
void report_write_target_list(FILE *out, const check_report *report, uint64_t targets);
/* Writes which targets were not run, between `before` and `after`; nothing if all were run. */
void report_write_not_run(FILE *out, const check_report *report, const char *before,
                          const char *after);
/* Records the targets for which `tensorpad lower` can fix the last model added, which must be
 * `model`. TPAD_OK or E_MEMORY. */
int32_t report_try_to_lower(check_report *report, tpad_model *model, tpad_io_error *error);
/* 1 if an unknown extent decides some verdict. */
int report_needs_extents(const check_report *report);

/* Writes "Pad-19 reflect float [1,3] -> [1,6]". */
void report_write_look(FILE *out, const tpad_pad_node *pad);

/* The findings of `tensorpad check` and their output formats.
 *
 * command_check.c reads the options and the models; check_shapes.c reads the file of --shapes;
 * check_findings.c finds the models and knows the findings that were accepted before;
 * check_report.c keeps the findings of all models; check_text.c, check_markdown.c and
 * check_machine.c (JSON, SARIF, GitHub) write them; check_witness.c writes a model and an input
 * that demonstrate one. */

/* One node, with a verdict for each target. */
typedef struct check_node {
    const tpad_pad_node *pad;
    const tpad_rules_facts *facts;
    const char *name; /* of the node or, if it has none, of its output */
    const check_verdict *verdicts;
} check_node;

/* A name in the options that some models do not have. */
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
    int64_t witnesses;                /* number written */
    int64_t counts[TPAD_RULES_KINDS]; /* of verdicts that are not accepted */
    int64_t accepted;
    check_lacks lacks;       /* of all models */
    check_lacks model_lacks; /* of the model whose nodes come now */
    int32_t worst;           /* the highest kind that is not accepted */
    double most_bytes;       /* of the largest output */
    const char *largest;     /* the model that has it */
} check_run;

/* An output format. Each function may be NULL. A model's nodes come between model_begin and
 * model_end. error: NULL, or why the model cannot be read; then it has no Pad nodes. */
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

/* check_findings.c. The severity of a finding: 2 error, 1 warning, 0 note, -1 none. */
int check_level(int32_t kind);
/* Writes "2 models, 3 Pad nodes: 1 refuses, 2 same ...", without a newline; write_name writes the
 * folder of witnesses, from a text escaped as by write_plain. */
void check_write_totals(const check_run *run, void (*write_name)(FILE *out, const char *text));
/* Keeps the largest output; check_write_totals reports it if it is above 4 GiB. path: must live as
 * long as the run. */
void check_note_size(check_run *run, const char *path, const tpad_pad_node *pad);
/* Functions of a format that is written from run->report: collect models and nodes. */
void check_collect_begin(check_run *run);
void check_collect_model(check_run *run, const char *path, const char *error, int64_t pads);
void check_collect_node(check_run *run, const char *path, const check_node *node);

/* The models that the arguments name: files as given, and for each folder all .onnx and IR files in
 * it and below, sorted. Owned; freed with check_paths_free. Functions that can fail return
 * EXIT_DONE or the status of the error that they reported. */
typedef struct check_paths {
    char **items;
    size_t count, room;
} check_paths;
/* Sets *is_folder to 1 if `word` is a folder. */
int check_paths_add(check_paths *paths, const char *word, int *is_folder);
void check_paths_free(check_paths *paths);

/* check_shapes.c. The file of --shapes: inputs of the models that match a section's pattern. Starts
 * as {0}; freed with check_shapes_free. Returns are as above. */
typedef struct check_section {
    char *pattern;
    int32_t first; /* index into inputs; up to the next section's */
} check_section;
typedef struct check_shapes {
    input_shapes inputs;
    check_section *sections;
    int32_t section_count;
} check_shapes;
int check_shapes_read(check_shapes *shapes, const char *path);
/* Everything given for the inputs of one model, that of the options first. may_lack: set in each
 * item. The caller frees found->items only, in all cases. */
int check_shapes_of(input_shapes *found, const check_shapes *shapes, const input_shapes *given,
                    const char *path, int may_lack);
void check_shapes_free(check_shapes *shapes);

/* check_findings.c. Calls `take` with each line of a text file until one is not EXIT_DONE. is_text:
 * 0 if the line has a NUL. Errors are reported. */
typedef int check_line_taker(void *context, char *line, int is_text, const char *path, long number);
int check_lines_read(const char *path, check_line_taker *take, void *context);

/* check_findings.c. Accepted findings: lines "MODEL<tab>NODE<tab>TARGET<tab>CODE<tab>KIND", sorted
 * when written. Owned; freed with check_baseline_free. */
typedef struct check_baseline {
    char **lines;
    size_t count, room;
} check_baseline;
int check_baseline_read(check_baseline *baseline, const char *path);
/* The line of a finding, freed by the caller; NULL: out of memory, which was reported. Names are
 * escaped, so they have no tabs. */
char *check_baseline_line(const char *path, const check_node *node, const char *target,
                          const check_verdict *verdict);
/* 1 if the baseline has the line. */
int check_baseline_has(const check_baseline *baseline, const char *line);
/* Adds a malloc'ed line and takes ownership, also on failure. */
int check_baseline_keep(check_baseline *baseline, char *line);
int check_baseline_write(check_baseline *baseline, const char *path, int overwrite);
void check_baseline_free(check_baseline *baseline);

/* check_witness.c. Checks that the folder run->witness can be created; EXIT_DONE, or the status of
 * the error that it reported. */
int check_witness_begin(const check_run *run);
/* Writes a witness of a node on which some target differs, if the node alone can demonstrate it.
 * path: of its model. */
int check_witness_write(check_run *run, const char *path, const check_node *node);

#endif
