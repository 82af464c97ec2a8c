/* The findings of `tensorpad check` for people: a summary first, then what is wrong, then what to
 * do. SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "check.h"
#include "command/error_report.h"

enum {
    WIDE = 78,        /* maximum width of a table of words; wider ones have one letter per target */
    MANY_MODELS = 20, /* above this number of models, equal rows are merged */
    NAMES = 3,        /* maximum number of Pad names in a line */
    LETTER_TARGETS = 4, /* maximum number of target names in a line */
    LETTER_WIDTH = 19   /* width of each */
};

static const char letters[] = ".?ADRC+"; /* by kinds, and REPORT_ACCEPTED */

static const char *ending(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* ---- The table ------------------------------------------------------------------------------- */

typedef struct table {
    const check_run *run;
    int has_words;
    int widths[TARGETS_MOST]; /* of the columns, if has_words */
} table;

static void measure(table *grid, const check_run *run)
{
    int width = 0;
    char text[REPORT_CELL_BYTES];
    grid->run = run;
    for (int32_t k = 0; k < run->targets.count; k++) {
        grid->widths[k] = (int)strlen(run->targets.items[k].name);
        for (const report_model *model = run->report.models; model; model = model->next) {
            const int length = report_cell_text(text, model, k);
            if (length > grid->widths[k]) grid->widths[k] = length;
        }
        width += grid->widths[k] + 2;
    }
    grid->has_words = width <= WIDE;
}

/* 1 if the line of names ends after target k. */
static int is_last(const target_list *targets, int32_t k)
{
    return k + 1 == targets->count || k % LETTER_TARGETS == LETTER_TARGETS - 1;
}

static void print_head(const table *grid)
{
    const check_run *run = grid->run;
    const target_list *targets = &run->targets;
    if (!grid->has_words) {
        for (int32_t k = 0; k < targets->count; k++)
            fprintf(run->out, "%2d %-*s%s", (int)k + 1, is_last(targets, k) ? 0 : LETTER_WIDTH,
                    targets->items[k].name, is_last(targets, k) ? "\n" : " ");
        fputs(
            ". same, ? unknown, A accepts, D differs, R refuses, C crashes, + accepted before\n\n",
            run->out);
    }
    fputs("  Pads", run->out);
    for (int32_t k = 0; k < targets->count; k++) {
        if (grid->has_words)
            fprintf(run->out, "  %-*s", grid->widths[k], targets->items[k].name);
        else
            fprintf(run->out, " %2d", (int)k + 1);
    }
    fputs("  model\n", run->out);
}

static void print_cells(const table *grid, const report_model *model)
{
    char text[REPORT_CELL_BYTES];
    for (int32_t k = 0; k < grid->run->targets.count; k++) {
        if (grid->has_words) {
            report_cell_text(text, model, k);
            fprintf(grid->run->out, "  %-*s", grid->widths[k], text);
        } else {
            fprintf(grid->run->out, "  %c", letters[report_cell_of(model, k).kind]);
        }
    }
}

/* Printed in place of the cells, across all columns. */
static void print_remark(const table *grid, const char *remark)
{
    int width = 0;
    for (int32_t k = 0; k < grid->run->targets.count; k++)
        width += grid->has_words ? grid->widths[k] + 2 : 3;
    fprintf(grid->run->out, "  %-*s", width - 2, remark);
}

/* 1 if the lines of two models are equal but for the number of Pads. */
static int are_lines_alike(const table *grid, const report_model *a, const report_model *b)
{
    if (!a->error != !b->error || !a->pads != !b->pads) return 0;
    for (int32_t k = 0; k < grid->run->targets.count; k++)
        if (report_cell_of(a, k).kind != report_cell_of(b, k).kind) return 0;
    return 1;
}

/* Prints the line of the model, unless an earlier line includes it. */
static void print_line(const table *grid, const report_model *model)
{
    FILE *out = grid->run->out;
    int64_t others = 0, pads = model->count;
    if (grid->run->models > MANY_MODELS) {
        for (const report_model *before = grid->run->report.models; before != model;
             before = before->next)
            if (are_lines_alike(grid, before, model)) return;
        for (const report_model *after = model->next; after; after = after->next) {
            if (!are_lines_alike(grid, model, after)) continue;
            others++;
            pads += after->count;
        }
    }
    fprintf(out, "%6" PRId64, pads);
    if (model->error)
        print_remark(grid, "cannot be checked");
    else if (!model->pads)
        print_remark(grid, "no Pad");
    else
        print_cells(grid, model);
    fprintf(out, "  %s", model->path);
    if (others) fprintf(out, " and %" PRId64 " more", others);
    fputc('\n', out);
}

static void print_table(const check_run *run)
{
    table grid;
    measure(&grid, run);
    fputc('\n', run->out);
    print_head(&grid);
    for (const report_model *model = run->report.models; model; model = model->next)
        print_line(&grid, model);
    report_write_not_run(run->out, &run->report, "Not run: ", "\n");
}

/* ---- Findings -------------------------------------------------------------------------------- */

static void print_names(FILE *out, const report_pad *pad)
{
    int written = 0;
    for (const report_name *name = pad->names; name && written < NAMES; name = name->next)
        fprintf(out, "%s%s", written++ ? ", " : "", name->text);
    if (pad->count > written) fprintf(out, " and %" PRId64 " alike", pad->count - written);
}

static void print_finding(const check_run *run, const report_finding *finding)
{
    char code[TPAD_RULES_CODE_BYTES];
    tpad_rules_page page;
    tpad_rules_code_text(code, finding->code);
    tpad_rules_page_of(&page, finding->code);
    fprintf(run->out, "  %s  %s on ", code, tpad_rules_kind_name(finding->kind));
    report_write_targets(run->out, &run->report, finding->targets);
    if (run->models > 1)
        fprintf(run->out, ": %" PRId64 " Pad%s of %" PRId64 " model%s", finding->pads,
                ending(finding->pads), finding->models, ending(finding->models));
    fprintf(run->out, ": %s", page.title);
    if (!finding->measured && run->models == 1) {
        fputs(" (", run->out);
        print_names(run->out, finding->pad);
        fputc(')', run->out);
    }
    fputc('\n', run->out);
    if (!finding->measured || finding->accepted) return;
    if (finding->kind == TPAD_RULES_UNKNOWN && run->models > 1) return;
    fputs("         ", run->out);
    if (run->models > 1) fprintf(run->out, "%s: ", finding->model->path);
    print_names(run->out, finding->pad);
    if (run->models == 1) fprintf(run->out, ": %s\n        ", finding->pad->look);
    fprintf(run->out, "%s %s\n", run->models == 1 ? "" : ":",
            finding->pad->verdicts[finding->target].text);
}

/* Prints the findings of these kinds under one heading. */
static void print_findings(const check_run *run, const char *heading, int32_t least, int32_t most,
                           int accepted)
{
    const check_report *report = &run->report;
    for (int32_t i = 0; i < report->finding_count; i++) {
        const report_finding *finding = &report->findings[i];
        if (finding->kind < least || finding->kind > most || finding->accepted != accepted)
            continue;
        if (heading) fprintf(run->out, "\n%s\n", heading);
        heading = NULL;
        print_finding(run, finding);
    }
}

/* ---- What to do ------------------------------------------------------------------------------ */

/* Prints the advice of a rule, once for all rules with the same advice. */
static void print_advice(const check_run *run, int32_t index)
{
    const check_report *report = &run->report;
    tpad_rules_page page, other;
    char code[TPAD_RULES_CODE_BYTES];
    const char *between = "  ";
    tpad_rules_page_of(&page, report->findings[index].code);
    for (int32_t i = 0; i < report->finding_count; i++) {
        const report_finding *finding = &report->findings[i];
        tpad_rules_page_of(&other, finding->code);
        if (finding->kind <= TPAD_RULES_UNKNOWN || finding->accepted || !finding->measured ||
            strcmp(other.ways_out, page.ways_out) != 0)
            continue;
        if (i < index) return;
        tpad_rules_code_text(code, finding->code);
        fprintf(run->out, "%s%s", between, code);
        between = ", ";
    }
    fprintf(run->out, "  %s\n", page.ways_out);
}

static void print_ways(const check_run *run)
{
    const check_report *report = &run->report;
    const uint64_t targets = report->lowered;
    if (report->finding_count == 0) return;
    fputs("\nHow to fix it\n", run->out);
    if (targets) {
        fputs("  tensorpad lower MODEL OUT --target ", run->out);
        report_write_target_list(run->out, report, targets);
        fputc('\n', run->out);
    }
    if (report_needs_extents(report))
        fputs("  --input-shape, --dim or --assume give what is unknown about the inputs\n",
              run->out);
    for (int32_t i = 0; i < report->finding_count; i++) {
        const report_finding *finding = &report->findings[i];
        if (finding->kind > TPAD_RULES_UNKNOWN && !finding->accepted && finding->measured)
            print_advice(run, i);
    }
    fputs("  tensorpad explain CODE says more of a rule, and --format details of each Pad\n",
          run->out);
}

static void end_text(check_run *run)
{
    report_end(&run->report);
    if (run->report.failed) return;
    check_write_totals(run, write_plain);
    fputc('\n', run->out);
    print_table(run);
    print_findings(run, "What is wrong", TPAD_RULES_ACCEPTS, TPAD_RULES_CRASHES, 0);
    print_findings(run, "What is not known", TPAD_RULES_UNKNOWN, TPAD_RULES_UNKNOWN, 0);
    print_findings(run, "Accepted before", TPAD_RULES_UNKNOWN, TPAD_RULES_CRASHES, 1);
    print_ways(run);
}

const check_format check_text = {
    "text", check_collect_begin, check_collect_model, check_collect_node, NULL, end_text};

/* --format details: all findings, node by node. */

static void model_begin(check_run *run, const char *path, const char *error, int64_t pads)
{
    write_plain(run->out, path);
    fputc('\n', run->out);
    if (error)
        fputs("    cannot be checked\n", run->out);
    else if (pads == 0)
        fputs("    no Pad\n", run->out);
}

/* 1 if two verdicts and their kinds of source are equal. */
static int are_alike(const check_verdict *a, const check_verdict *b)
{
    return a->found.verdict.kind == b->found.verdict.kind && a->accepted == b->accepted &&
           a->found.verdict.measured == b->found.verdict.measured &&
           a->found.verdict.choice.is_nearest == b->found.verdict.choice.is_nearest &&
           strcmp(a->found.text, b->found.text) == 0;
}

static int was_printed(const check_node *node, int32_t k)
{
    for (int32_t i = 0; i < k; i++)
        if (are_alike(&node->verdicts[i], &node->verdicts[k])) return 1;
    return 0;
}

static void print_group(const check_run *run, const check_node *node, int32_t first)
{
    const check_verdict *verdict = &node->verdicts[first];
    const char *between = "";
    fprintf(run->out, "    %-8s ", tpad_rules_kind_name(verdict->found.verdict.kind));
    for (int32_t k = first; k < run->targets.count; k++) {
        if (!are_alike(&node->verdicts[k], verdict)) continue;
        fprintf(run->out, "%s%s", between, run->targets.items[k].name);
        between = ", ";
    }
    if (verdict->found.verdict.choice.is_nearest)
        fprintf(run->out, "  (as %s, not run)",
                tpad_rules_target_at(verdict->found.verdict.choice.low)->name);
    else if (!verdict->found.verdict.measured)
        fputs("  (documented, not run)", run->out);
    if (verdict->accepted) fputs("  (accepted)", run->out);
    fputc('\n', run->out);
    if (*verdict->found.text) fprintf(run->out, "             %s ", verdict->found.code);
    if (*verdict->found.text) write_plain(run->out, verdict->found.text);
    if (*verdict->found.text) fputc('\n', run->out);
}

static void print_node(check_run *run, const char *path, const check_node *node)
{
    (void)path;
    fputs("  ", run->out);
    write_pad_name(run->out, node->pad);
    fputs("  ", run->out);
    report_write_look(run->out, node->pad);
    fputc('\n', run->out);
    for (int32_t kind = TPAD_RULES_KINDS - 1; kind >= 0; kind--)
        for (int32_t k = 0; k < run->targets.count; k++)
            if (node->verdicts[k].found.verdict.kind == kind && !was_printed(node, k))
                print_group(run, node, k);
}

static void end_details(check_run *run)
{
    check_write_totals(run, write_plain);
    fputc('\n', run->out);
}

const check_format check_details = {"details", NULL, model_begin, print_node, NULL, end_details};
