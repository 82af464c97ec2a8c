/* The findings of `tensorpad check` for people.  SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "check_results.h"
#include "error_report.h"

static void print_shape(FILE *out, int32_t rank, const int64_t *shape)
{
    if (rank < 0) {
        fputs(" [...]", out);
        return;
    }
    fputs(" [", out);
    for (int32_t i = 0; i < rank; i++) {
        if (i) fputc(',', out);
        if (shape[i] < 0) {
            fputc('?', out);
        } else {
            fprintf(out, "%" PRId64, shape[i]);
        }
    }
    fputc(']', out);
}

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
    const tpad_pad_node *pad = node->pad;
    (void)path;
    fputs("  ", run->out);
    write_pad_name(run->out, node->pad);
    if (pad->version > 0) fprintf(run->out, "  Pad-%d ", (int)pad->version);
    if (pad->version <= 0) fputs("  Pad-? ", run->out);
    write_plain(run->out, pad->mode ? pad->mode : "mode ?");
    fputc(' ', run->out);
    write_plain(run->out, pad->type_name ? pad->type_name : "type ?");
    print_shape(run->out, pad->in_rank, pad->in_shape);
    fputs(" ->", run->out);
    print_shape(run->out, pad->out_rank, pad->out_shape);
    fputc('\n', run->out);
    for (int32_t kind = TPAD_RULES_KINDS - 1; kind >= 0; kind--)
        for (int32_t k = 0; k < run->targets.count; k++)
            if (node->verdicts[k].found.verdict.kind == kind && !was_printed(node, k))
                print_group(run, node, k);
}

static void end(check_run *run)
{
    const char *between = ": ";
    fprintf(run->out, "%" PRId64 " model%s, %" PRId64 " Pad node%s", run->models,
            run->models == 1 ? "" : "s", run->nodes, run->nodes == 1 ? "" : "s");
    for (int32_t kind = TPAD_RULES_KINDS - 1; kind >= 0; kind--) {
        if (run->counts[kind] == 0) continue;
        fprintf(run->out, "%s%" PRId64 " %s", between, run->counts[kind],
                tpad_rules_kind_name(kind));
        between = ", ";
    }
    if (run->accepted) fprintf(run->out, ", %" PRId64 " accepted before", run->accepted);
    if (run->unreadable)
        fprintf(run->out, "; %" PRId64 " model%s cannot be checked", run->unreadable,
                run->unreadable == 1 ? "" : "s");
    if (run->witness && run->witnesses == 0) {
        fputs("; no witness", run->out);
    } else if (run->witness) {
        fprintf(run->out, "; %" PRId64 " witness%s in ", run->witnesses,
                run->witnesses == 1 ? "" : "es");
        write_plain(run->out, run->witness);
    }
    fputc('\n', run->out);
}

const check_format check_text = {"text", NULL, model_begin, print_node, NULL, end};
