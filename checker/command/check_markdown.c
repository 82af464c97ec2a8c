/* The findings of `tensorpad check` as Markdown, as GitHub and GitLab show it.
 * SPDX-License-Identifier: MIT
 *
 * Names from files are code spans, where only backticks and, in tables, the column separator are
 * special. The texts of rules contain no special characters but those escaped here. */
#include <inttypes.h>
#include <string.h>

#include "check.h"

enum { ENTRIES = 20 }; /* maximum number of places listed for a finding */

/* In a table, escapes the column separator. */
static void write_span(FILE *out, const char *text, int is_in_table)
{
    int longest = 0, run = 0;
    for (const char *at = text; *at; at++) {
        run = *at == '`' ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    for (int i = 0; i <= longest; i++) fputc('`', out);
    if (longest) fputc(' ', out); /* Markdown strips one space from both ends */
    for (const char *at = text; *at; at++) {
        if (is_in_table && *at == '|') fputc('\\', out);
        fputc(*at, out);
    }
    if (!*text) fputc(' ', out);
    if (longest) fputc(' ', out);
    for (int i = 0; i <= longest; i++) fputc('`', out);
}

static void write_code_span(FILE *out, const char *text)
{
    write_span(out, text, 0);
}

static void write_words(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*_<>[]|#&~", *text)) fputc('\\', out);
        fputc(*text, out);
    }
}

static void write_table(const check_run *run)
{
    char text[REPORT_CELL_BYTES];
    FILE *out = run->out;
    fputs("\n| model | Pads |", out);
    for (int32_t k = 0; k < run->targets.count; k++)
        fprintf(out, " %s |", run->targets.items[k].name);
    fputs("\n|---|--:|", out);
    for (int32_t k = 0; k < run->targets.count; k++) fputs("---|", out);
    fputc('\n', out);
    for (const report_model *model = run->report.models; model; model = model->next) {
        fputs("| ", out);
        write_span(out, model->path, 1);
        fprintf(out, " | %" PRId64 " |", model->count);
        for (int32_t k = 0; k < run->targets.count; k++) {
            const int is_bad = report_cell_of(model, k).kind != TPAD_RULES_SAME;
            report_cell_text(text, model, k);
            if (model->error)
                fputs(" cannot be checked |", out);
            else if (!model->pads)
                fputs(" |", out);
            else
                fprintf(out, is_bad ? " **%s** |" : " %s |", text);
        }
        fputc('\n', out);
    }
    report_write_not_run(out, &run->report, "\nNot run: ", ".\n");
}

/* "- `model.onnx`: `pad_1`, `pad_2`: Pad-19 ...: text" */
static void write_entry(const check_run *run, const report_model *model, const report_pad *pad,
                        const report_finding *finding)
{
    const char *between = ": ";
    int64_t written = 0;
    fputs("- ", run->out);
    write_code_span(run->out, model->path);
    for (const report_name *name = pad->names; name && written < ENTRIES; name = name->next) {
        fputs(between, run->out);
        write_code_span(run->out, name->text);
        between = ", ";
        written++;
    }
    if (pad->count > written) fprintf(run->out, " and %" PRId64 " alike", pad->count - written);
    fputs(": ", run->out);
    write_code_span(run->out, pad->look);
    for (int32_t k = 0; k < run->targets.count; k++) {
        if (!report_shows(pad, finding, k)) continue;
        fputs(": ", run->out);
        write_words(run->out, pad->verdicts[k].text);
        break;
    }
    fputc('\n', run->out);
}

static void write_finding(const check_run *run, const report_finding *finding)
{
    const check_report *report = &run->report;
    char code[TPAD_RULES_CODE_BYTES];
    tpad_rules_page page;
    int64_t entries = 0;
    tpad_rules_code_text(code, finding->code);
    tpad_rules_page_of(&page, finding->code);
    fprintf(run->out, "\n### %s %s: ", code, tpad_rules_kind_name(finding->kind));
    write_words(run->out, page.title);
    fputs("\n\nOn ", run->out);
    report_write_targets(run->out, report, finding->targets);
    fprintf(run->out, ": %" PRId64 " Pad%s of %" PRId64 " model%s%s.\n\n", finding->pads,
            finding->pads == 1 ? "" : "s", finding->models, finding->models == 1 ? "" : "s",
            finding->accepted ? ", accepted before" : "");
    for (const report_model *model = report->models; model; model = model->next)
        for (const report_pad *pad = model->pads; pad; pad = pad->next)
            if (report_shows_any(report, pad, finding) && entries++ < ENTRIES)
                write_entry(run, model, pad, finding);
    if (entries > ENTRIES) fprintf(run->out, "- and %" PRId64 " more\n", entries - ENTRIES);
    fputs("\nWhat to do: ", run->out);
    write_words(run->out, page.ways_out);
    fputc('\n', run->out);
}

static void write_ways(const check_run *run)
{
    const uint64_t targets = run->report.lowered;
    if (!targets && !report_needs_extents(&run->report)) return;
    fputs("\n## How to fix it\n\n", run->out);
    if (targets) {
        fputs("- `tensorpad lower MODEL OUT --target ", run->out);
        report_write_target_list(run->out, &run->report, targets);
        fputs("` writes other operators in place of the Pads.\n", run->out);
    }
    if (report_needs_extents(&run->report))
        fputs("- `--input-shape`, `--dim` or `--assume` say what is not known of the inputs.\n",
              run->out);
}

static void end_markdown(check_run *run)
{
    const check_report *report = &run->report;
    report_end(&run->report);
    if (report->failed) return;
    fputs("# What runtimes do with Pads\n\n", run->out);
    check_write_totals(run, write_code_span);
    fputs(".\n", run->out);
    write_table(run);
    if (report->finding_count) fputs("\n## Findings\n", run->out);
    for (int32_t i = 0; i < report->finding_count; i++) write_finding(run, &report->findings[i]);
    write_ways(run);
}

const check_format check_markdown = {
    "markdown", check_collect_begin, check_collect_model, check_collect_node, NULL, end_markdown};
