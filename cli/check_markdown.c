/* The findings of `tensorpad check` as one page of HTML, which needs nothing else.
 * SPDX-License-Identifier: MIT
 *
 * No scripts, no addresses. All texts from files pass write_html, and stand only between tags. */
#include <inttypes.h>
#include <string.h>

#include "check.h"

static const char head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'\">\n"
    "<title>What runtimes do with Pads</title>\n"
    "<style>\n"
    ":root{color-scheme:light dark}\n"
    "body{font-family:\"DejaVu Sans\",Verdana,Helvetica,Arial,sans-serif;margin:2em;"
    "line-height:1.4}\n"
    "table{border-collapse:collapse;display:block;overflow-x:auto}\n"
    "th,td{border:1px solid #888;padding:.2em .5em;text-align:left;white-space:nowrap}\n"
    "td.count{text-align:right}\n"
    "code{overflow-wrap:anywhere;white-space:pre-wrap}\n"
    "summary{cursor:pointer}\n"
    "svg{max-width:100%;height:auto}\n"
    ".same{background:#cfe8cf;color:#000}.unknown,.accepted{background:#e4e4e4;color:#000}\n"
    ".accepts{background:#f4e8b8;color:#000}.differs{background:#f6cfa0;color:#000}\n"
    ".refuses{background:#f2b8b0;color:#000}.crashes{background:#d98a90;color:#000}\n"
    "</style>\n"
    "</head>\n"
    "<body>\n"
    "<h1>What runtimes do with Pads</h1>\n";

static void write_html(FILE *out, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '&'    ? "&amp;"
                             : *text == '<'  ? "&lt;"
                             : *text == '>'  ? "&gt;"
                             : *text == '"'  ? "&quot;"
                             : *text == '\'' ? "&#39;"
                                             : NULL;
        if (entity)
            fputs(entity, out);
        else
            fputc(*text, out);
    }
}

static void write_code(FILE *out, const char *text)
{
    fputs("<code>", out);
    write_html(out, text);
    fputs("</code>", out);
}

/* A picture is drawn for the first of the Pads that are alike. */
static void collect(check_run *run, const char *path, const check_node *node)
{
    (void)path;
    report_pad *pad = report_node_add(&run->report, node->pad, node->verdicts);
    if (pad && pad->count == 1 && check_picture(&pad->picture, node->pad, node->facts) != TPAD_OK)
        run->report.failed = 1;
}

/* ---- The table ------------------------------------------------------------------------------- */

static void write_row(const check_run *run, const report_model *model, int number)
{
    char text[REPORT_CELL_BYTES];
    FILE *out = run->out;
    fprintf(out, "<tr><td><a href=\"#model-%d\">", number);
    write_code(out, model->path);
    fprintf(out, "</a></td><td class=\"count\">%" PRId64 "</td>", model->count);
    if (model->error || !model->pads)
        fprintf(out, "<td colspan=\"%d\">%s</td>", (int)run->targets.count,
                model->error ? "cannot be checked" : "no Pad");
    for (int32_t k = 0; model->pads && k < run->targets.count; k++) {
        const int32_t kind = report_cell_of(model, k).kind;
        report_cell_text(text, model, k);
        fprintf(out, "<td class=\"%s\">%s</td>",
                kind == REPORT_ACCEPTED ? "accepted" : tpad_rules_kind_name(kind), text);
    }
    fputs("</tr>\n", out);
}

static void html_table(const check_run *run)
{
    int number = 0;
    fputs("<table>\n<thead><tr><th>model</th><th>Pads</th>", run->out);
    for (int32_t k = 0; k < run->targets.count; k++) {
        fputs("<th>", run->out);
        write_html(run->out, run->targets.items[k].name);
        fputs("</th>", run->out);
    }
    fputs("</tr></thead>\n<tbody>\n", run->out);
    for (const report_model *model = run->report.models; model; model = model->next)
        write_row(run, model, ++number);
    fputs("</tbody>\n</table>\n", run->out);
    report_write_not_run(run->out, &run->report, "<p>Not run: ", ".</p>\n");
}

/* ---- Findings -------------------------------------------------------------------------------- */

static void html_finding(const check_run *run, const report_finding *finding)
{
    char code[TPAD_RULES_CODE_BYTES];
    tpad_rules_page page;
    int number = 0;
    tpad_rules_code_text(code, finding->code);
    tpad_rules_page_of(&page, finding->code);
    fprintf(run->out, "<h3>%s <span class=\"%s\">%s</span>: ", code,
            tpad_rules_kind_name(finding->kind), tpad_rules_kind_name(finding->kind));
    write_html(run->out, page.title);
    fputs("</h3>\n<p>On ", run->out);
    report_write_targets(run->out, &run->report, finding->targets);
    fprintf(run->out, ": %" PRId64 " Pad%s of %" PRId64 " model%s%s: ", finding->pads,
            finding->pads == 1 ? "" : "s", finding->models, finding->models == 1 ? "" : "s",
            finding->accepted ? ", accepted before" : "");
    const char *between = "";
    for (const report_model *model = run->report.models; model; model = model->next) {
        const report_pad *pad = model->pads;
        number++;
        while (pad && !report_shows_any(&run->report, pad, finding)) pad = pad->next;
        if (!pad) continue;
        fprintf(run->out, "%s<a href=\"#model-%d\">", between, number);
        write_code(run->out, model->path);
        fputs("</a>", run->out);
        between = ", ";
    }
    fputs("</p>\n<p>", run->out);
    write_html(run->out, page.text);
    fputs("</p>\n<p>What to do: ", run->out);
    write_html(run->out, page.ways_out);
    fputs("</p>\n", run->out);
}

static void html_ways(const check_run *run)
{
    const uint64_t targets = run->report.lowered;
    if (!targets && !report_needs_extents(&run->report)) return;
    fputs("<h2>How to mend it</h2>\n<ul>\n", run->out);
    if (targets) {
        fputs("<li><code>tensorpad lower MODEL OUT --target ", run->out);
        report_write_target_list(run->out, &run->report, targets);
        fputs("</code> writes other operators in place of the Pads.</li>\n", run->out);
    }
    if (report_needs_extents(&run->report))
        fputs(
            "<li><code>--input-shape</code>, <code>--dim</code> or <code>--assume</code> say what "
            "is not known of the inputs.</li>\n",
            run->out);
    fputs("</ul>\n", run->out);
}

/* ---- Models ---------------------------------------------------------------------------------- */

static int are_alike(const report_verdict *a, const report_verdict *b)
{
    return a->kind == b->kind && a->accepted == b->accepted && a->measured == b->measured &&
           (!a->text || strcmp(a->text, b->text) == 0);
}

/* The verdict on target `first`, with all targets that share it, unless it was written before. */
static void write_verdict(const check_run *run, const report_pad *pad, int32_t first)
{
    char code[TPAD_RULES_CODE_BYTES];
    const report_verdict *verdict = &pad->verdicts[first];
    const char *word = tpad_rules_kind_name(verdict->kind);
    uint64_t targets = 0;
    for (int32_t k = 0; k < run->targets.count; k++) {
        if (!are_alike(&pad->verdicts[k], verdict)) continue;
        if (k < first) return;
        targets |= UINT64_C(1) << k;
    }
    fprintf(run->out, "<li><span class=\"%s\">%s</span> ", word, word);
    report_write_targets(run->out, &run->report, targets);
    if (verdict->accepted) fputs(" (accepted before)", run->out);
    if (!verdict->measured) fputs(" (not run)", run->out);
    if (verdict->text) {
        tpad_rules_code_text(code, verdict->code);
        fprintf(run->out, ": %s ", code);
        write_html(run->out, verdict->text);
    }
    fputs("</li>\n", run->out);
}

static void write_pad(const check_run *run, const report_pad *pad)
{
    const char *between = "";
    fputs("<details><summary>", run->out);
    if (pad->count > 1) fprintf(run->out, "%" PRId64 " alike Pads: ", pad->count);
    write_code(run->out, pad->look);
    fputs("</summary>\n<p>", run->out);
    for (const report_name *name = pad->names; name; name = name->next) {
        fputs(between, run->out);
        write_code(run->out, name->text);
        between = ", ";
    }
    fputs("</p>\n<ul>\n", run->out);
    for (int32_t kind = TPAD_RULES_KINDS - 1; kind >= 0; kind--)
        for (int32_t k = 0; k < run->targets.count; k++)
            if (pad->verdicts[k].kind == kind) write_verdict(run, pad, k);
    fputs("</ul>\n", run->out);
    if (pad->picture)
        fputs(pad->picture, run->out);
    else
        fputs("<p>Not drawn: not everything of it is known, or it is not allowed.</p>\n", run->out);
    fputs("</details>\n", run->out);
}

static void write_models(const check_run *run)
{
    int number = 0;
    fputs("<h2>Models</h2>\n", run->out);
    for (const report_model *model = run->report.models; model; model = model->next) {
        fprintf(run->out, "<h3 id=\"model-%d\">", ++number);
        write_code(run->out, model->path);
        fputs("</h3>\n", run->out);
        if (model->error) {
            fputs("<p>Cannot be checked: ", run->out);
            write_code(run->out, model->error);
            fputs("</p>\n", run->out);
        } else if (!model->pads) {
            fputs("<p>No Pad.</p>\n", run->out);
        }
        for (const report_pad *pad = model->pads; pad; pad = pad->next) write_pad(run, pad);
    }
}

static void end_html(check_run *run)
{
    const check_report *report = &run->report;
    report_end(&run->report);
    if (report->failed) return;
    fputs(head, run->out);
    fputs("<p>", run->out);
    check_write_totals(run, write_html);
    fputs(".</p>\n", run->out);
    html_table(run);
    if (report->finding_count) fputs("<h2>Findings</h2>\n", run->out);
    for (int32_t i = 0; i < report->finding_count; i++) html_finding(run, &report->findings[i]);
    html_ways(run);
    write_models(run);
    fputs("</body>\n</html>\n", run->out);
}

const check_format check_html = {"html",  check_collect_begin, check_collect_model, collect, NULL,
                                 end_html};

/* The findings of `tensorpad check` as Markdown, as GitHub and GitLab show it.
 *
 * Names from files stand in code spans, in which nothing has a meaning but backticks and, in
 * tables, the sign between two columns. The words of the rules have no signs with a meaning but
 * those escaped here. */

enum { ENTRIES = 20 }; /* maximum number of places listed for a finding */

/* In a table a backslash stands before the sign between two columns. */
static void write_span(FILE *out, const char *text, int is_in_table)
{
    int longest = 0, run = 0;
    for (const char *at = text; *at; at++) {
        run = *at == '`' ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    for (int i = 0; i <= longest; i++) fputc('`', out);
    if (longest) fputc(' ', out); /* which does not belong to the text where both ends have one */
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
    fputs("\n## How to mend it\n\n", run->out);
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
