/* What the forms of `tensorpad check` share.  SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "check_results.h"
#include "picture_file.h"

int check_level(int32_t kind)
{
    switch (kind) {
    case TPAD_RULES_SAME:
        return -1;
    case TPAD_RULES_UNKNOWN:
        return 0;
    case TPAD_RULES_ACCEPTS:
        return 1;
    default:
        return 2;
    }
}

/* As far as there is room. */
static void write_escaped(FILE *out, const char *name,
                          void (*write_name)(FILE *out, const char *text))
{
    char text[1024] = "";
    picture_text_add(text, sizeof text, name);
    write_name(out, text);
}

void check_note_size(check_run *run, const char *path, const tpad_pad_node *pad)
{
    double bytes = pad->out_rank < 0 ? 0 : tpad_onnx_type_bits(pad->type) / 8.0;
    for (int32_t i = 0; i < pad->out_rank; i++)
        bytes *= pad->out_shape[i] < 0 ? 0 : (double)pad->out_shape[i];
    if (bytes <= run->most_bytes) return;
    run->most_bytes = bytes;
    run->largest = path;
}

void check_write_totals(const check_run *run, void (*write_name)(FILE *out, const char *text))
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
    if (run->most_bytes >= 0x1p32) { /* a runtime may have no memory for what it would do right */
        fprintf(run->out, "; the largest output takes %.1f GiB, in ", run->most_bytes / 0x1p30);
        write_escaped(run->out, run->largest, write_name);
    }
    if (run->unreadable)
        fprintf(run->out, "; %" PRId64 " model%s cannot be checked", run->unreadable,
                run->unreadable == 1 ? "" : "s");
    for (int32_t i = 0; i < run->lacks.count; i++) {
        fprintf(run->out, "; %" PRId64 " model%s no input or dimension ",
                run->lacks.items[i].models, run->lacks.items[i].models == 1 ? " has" : "s have");
        write_escaped(run->out, run->lacks.items[i].name, write_name);
    }
    if (run->witness && run->witnesses == 0) {
        fputs("; no witness", run->out);
    } else if (run->witness) {
        fprintf(run->out, "; %" PRId64 " witness%s in ", run->witnesses,
                run->witnesses == 1 ? "" : "es");
        write_escaped(run->out, run->witness, write_name);
    }
}

void check_collect_begin(check_run *run)
{
    report_begin(&run->report, &run->targets);
}

void check_collect_model(check_run *run, const char *path, const char *error, int64_t pads)
{
    (void)pads;
    report_model_add(&run->report, path, error);
}

void check_collect_node(check_run *run, const char *path, const check_node *node)
{
    (void)path;
    report_node_add(&run->report, node->pad, node->verdicts);
}
