/* All findings of `tensorpad check`, node by node.  SPDX-License-Identifier: MIT */
#include <string.h>

#include "check_results.h"
#include "error_report.h"

static void model_begin(check_run *run, const char *path, const char *error, int64_t pads)
{
    write_plain(run->out, path);
    fputc('\n', run->out);
    if (error)
        fputs("    cannot be checked\n", run->out);
    else if (pads == 0)
        fputs("    no Pad\n", run->out);
}

/* 1 if two verdicts say the same and come from the same kind of source. */
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
