/* What `tensorpad lower` did to each Pad. SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "error_report.h"
#include "json_writer.h"
#include "lower_report.h"

static const char *target_name(const lower_run *run, const tpad_lowered_node *node)
{
    return node->target < 0 ? NULL : run->targets.items[node->target].name;
}

/* ---- For people ------------------------------------------------------------------------------ */

/* pad_1: refuses on ort-1.17 (TP104), now Slice x2, Concat */
static void print_node(const lower_run *run, const tpad_pad_node *pad,
                       const tpad_lowered_node *node)
{
    const int32_t kind = node->finding ? node->finding->verdict.kind : TPAD_RULES_SAME;
    write_pad_name(stdout, pad);
    if (!node->finding && run->plugin) fputs(": the plug-in is faster", stdout);
    if (!node->finding && run->fold) fputs(": takes in a Pad before it", stdout);
    /* Of a node that the document forbids, `same` says that the target refuses it, too. */
    if (kind != TPAD_RULES_SAME)
        printf(": %s on %s (%s)", tpad_rules_kind_name(kind), target_name(run, node),
               node->finding->code);
    if (node->outcome == TPAD_LOWER_REWRITTEN) {
        printf(", now %s\n", node->operators);
        return;
    }
    fputs(kind == TPAD_RULES_SAME ? ": stays: " : ", stays: ", stdout);
    write_plain(stdout, node->reason);
    putchar('\n');
}

/* pad_1: now part of Conv conv_1
 * pad_2: not folded: its value is not 0, ... */
static void print_fold(const tpad_pad_node *pad, const tpad_lowered_node *node)
{
    const char *text = node->into ? node->into : node->not_folded;
    if (!text) return;
    write_pad_name(stdout, pad);
    if (node->not_folded)
        fputs(": not folded: ", stdout);
    else
        fputs(*text ? ": now part of " : ": adds nothing, and is left out", stdout);
    write_plain(stdout, text);
    putchar('\n');
}

/* 1 if OUT relies on something that was said in this way of the inputs. */
static int says(const lower_run *run, int32_t way)
{
    if (!tpad_lowering_is_shaped(run->lowering)) return 0;
    for (int32_t i = 0; i < run->shapes.count; i++)
        if (run->shapes.items[i].says == way) return 1;
    return 0;
}

void lower_print(const lower_run *run)
{
    const int64_t count = tpad_model_pad_count(run->model);
    for (int64_t i = 0; i < count; i++) {
        const tpad_lowered_node *node = tpad_lowering_at(run->lowering, i);
        const tpad_pad_node *pad = tpad_model_pad_at(run->model, i);
        if (node->outcome == TPAD_LOWER_REWRITTEN || node->outcome == TPAD_LOWER_CANNOT)
            print_node(run, pad, node);
        print_fold(pad, node);
    }
    printf("%" PRId64 " Pad node%s: ", count, count == 1 ? "" : "s");
    if (run->fold) printf("%" PRId64 " folded, ", run->counts[TPAD_LOWER_FOLDED]);
    printf("%" PRId64 " kept, %" PRId64 " rewritten, %" PRId64 " cannot be lowered; ",
           run->counts[TPAD_LOWER_KEPT], run->counts[TPAD_LOWER_REWRITTEN],
           run->counts[TPAD_LOWER_CANNOT]);
    if (run->refused) {
        fputs("nothing is written", stdout);
    } else {
        write_plain(stdout, run->out);
        const int is_shaped = says(run, TPAD_SAYS_SHAPE) || says(run, TPAD_SAYS_EXTENT);
        const int is_new = is_shaped || run->counts[TPAD_LOWER_REWRITTEN] > 0 ||
                           run->counts[TPAD_LOWER_FOLDED] > 0;
        fputs(is_new ? " is written" : " is a copy", stdout);
        if (is_shaped) fputs(", whose inputs have the shapes that were given", stdout);
        if (is_new && says(run, TPAD_SAYS_LEAST)) fputs("; it relies on --assume", stdout);
    }
    putchar('\n');
}

/* ---- For programs ----------------------------------------------------------------------------
 *
 * {"model", "output", "written", "targets": [...], "input_shapes": [{"name", "shape"}], "dims": [{"name", "extent"}], "assumed": [{"name", "least"}],
 *   "nodes": [{"graph", "name", "outcome", "target", "verdict", "code", "text", "operators",
 *   "reason", "into", "not_folded"}], "kept", "rewritten", "cannot", "folded"} */

static void write_node(json *writer, const lower_run *run, int64_t index)
{
    static const char *const outcomes[LOWER_OUTCOMES] = {"kept", "rewritten", "cannot", "folded"};
    const tpad_pad_node *pad = tpad_model_pad_at(run->model, index);
    const tpad_lowered_node *node = tpad_lowering_at(run->lowering, index);
    const tpad_rules_finding *finding = node->finding;
    json_open(writer, '{');
    json_text_field(writer, "graph", pad->graph);
    json_text_field(writer, "name", tpad_pad_name(pad));
    json_text_field(writer, "outcome", outcomes[node->outcome]);
    json_text_field(writer, "target", target_name(run, node));
    json_text_field(writer, "verdict",
                    finding ? tpad_rules_kind_name(finding->verdict.kind) : NULL);
    json_text_field(writer, "code", finding && *finding->code ? finding->code : NULL);
    json_text_field(writer, "text", finding && *finding->text ? finding->text : NULL);
    json_text_field(writer, "operators", node->operators);
    json_text_field(writer, "reason", node->reason);
    json_text_field(writer, "into", node->into);
    json_text_field(writer, "not_folded", node->not_folded);
    json_close(writer, '}');
}

/* What was said in one way of the inputs, and OUT relies on. */
static void write_said(json *writer, const lower_run *run, int32_t way, const char *key,
                       const char *number)
{
    const int32_t count = tpad_lowering_is_shaped(run->lowering) ? run->shapes.count : 0;
    json_key(writer, key);
    json_open(writer, '[');
    for (int32_t i = 0; i < count; i++) {
        const tpad_input_shape *shape = &run->shapes.items[i];
        if (shape->says != way) continue;
        json_open(writer, '{');
        json_text_field(writer, "name", shape->name);
        json_key(writer, number);
        if (way == TPAD_SAYS_SHAPE) json_open(writer, '[');
        for (int32_t k = 0; k < shape->rank; k++) json_integer(writer, shape->shape[k]);
        if (way == TPAD_SAYS_SHAPE) json_close(writer, ']');
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

static void write_shapes(json *writer, const lower_run *run)
{
    write_said(writer, run, TPAD_SAYS_SHAPE, "input_shapes", "shape");
    write_said(writer, run, TPAD_SAYS_EXTENT, "dims", "extent");
    write_said(writer, run, TPAD_SAYS_LEAST, "assumed", "least");
}

static void write_count(json *writer, const char *name, int64_t count)
{
    json_key(writer, name);
    json_integer(writer, count);
}

void lower_print_json(const lower_run *run)
{
    json writer = {stdout, 0};
    json_open(&writer, '{');
    json_text_field(&writer, "model", run->path);
    json_text_field(&writer, "output", run->out);
    json_key(&writer, "written");
    json_boolean(&writer, !run->refused);
    json_key(&writer, "targets");
    json_open(&writer, '[');
    for (int32_t i = 0; i < run->targets.count; i++) json_text(&writer, run->targets.items[i].name);
    json_close(&writer, ']');
    write_shapes(&writer, run);
    json_key(&writer, "nodes");
    json_open(&writer, '[');
    for (int64_t i = 0; i < tpad_model_pad_count(run->model); i++) write_node(&writer, run, i);
    json_close(&writer, ']');
    write_count(&writer, "kept", run->counts[TPAD_LOWER_KEPT]);
    write_count(&writer, "rewritten", run->counts[TPAD_LOWER_REWRITTEN]);
    write_count(&writer, "cannot", run->counts[TPAD_LOWER_CANNOT]);
    write_count(&writer, "folded", run->counts[TPAD_LOWER_FOLDED]);
    json_close(&writer, '}');
    putchar('\n');
}
