/* The findings of `tensorpad check` as one JSON object, for programs. SPDX-License-Identifier: MIT
 *
 * docs/check.schema.json describes it. A change that an older reader would not understand gives it another
 * number, CHECK_SCHEMA. */
#include "check_results.h"

enum { CHECK_SCHEMA = 1 };

static void begin_json(check_run *run)
{
    run->writer = (json){run->out, 0};
    json_open(&run->writer, '{');
    json_integer_field(&run->writer, "schema", 1, CHECK_SCHEMA);
    json_key(&run->writer, "models");
    json_open(&run->writer, '[');
}

static void model_begin(check_run *run, const char *path, const char *error, int64_t pads)
{
    (void)pads;
    json_open(&run->writer, '{');
    json_text_field(&run->writer, "path", path);
    json_text_field(&run->writer, "error", error);
    json_key(&run->writer, "skipped");
    json_open(&run->writer, '[');
    for (int32_t i = 0; i < run->model_lacks.count; i++)
        json_text(&run->writer, run->model_lacks.items[i].name);
    json_close(&run->writer, ']');
    json_key(&run->writer, "nodes");
    json_open(&run->writer, '[');
}

/* The extents that make an unknown verdict `same`, or null. */
static void write_bounds(json *writer, const tpad_rules_finding *found, int32_t rank)
{
    json_key(writer, "same_if");
    if (!found->has_bounds) {
        json_null(writer);
        return;
    }
    json_open(writer, '[');
    for (int32_t axis = 0; axis < rank; axis++) {
        if (found->least[axis] <= 1) continue;
        json_open(writer, '{');
        json_key(writer, "axis");
        json_integer(writer, axis);
        json_key(writer, "least");
        json_integer(writer, found->least[axis]);
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

static void write_verdict(json *writer, const char *target, const check_verdict *verdict,
                          int32_t rank)
{
    json_open(writer, '{');
    json_text_field(writer, "target", target);
    json_text_field(writer, "verdict", tpad_rules_kind_name(verdict->found.verdict.kind));
    json_text_field(writer, "code", *verdict->found.code ? verdict->found.code : NULL);
    json_key(writer, "measured");
    json_boolean(writer, verdict->found.verdict.measured);
    json_key(writer, "accepted");
    json_boolean(writer, verdict->accepted);
    json_text_field(writer, "missing", tpad_rules_missing_name(verdict->found.verdict.missing));
    json_integer_field(writer, "axis", verdict->found.verdict.axis >= 0,
                       verdict->found.verdict.axis);
    json_text_field(writer, "text", verdict->found.text);
    write_bounds(writer, &verdict->found, rank);
    json_close(writer, '}');
}

static void json_node(check_run *run, const char *path, const check_node *node)
{
    json *writer = &run->writer;
    const tpad_pad_node *pad = node->pad;
    (void)path;
    json_open(writer, '{');
    json_text_field(writer, "name", node->name);
    json_text_field(writer, "graph", pad->graph);
    json_integer_field(writer, "opset", node->facts->opset > 0, node->facts->opset);
    json_text_field(writer, "mode", pad->mode);
    json_text_field(writer, "type", pad->type_name);
    json_integers_field(writer, "input_shape", pad->in_rank, pad->in_shape, 1);
    json_integers_field(writer, "output_shape", pad->out_rank, pad->out_shape, 1);
    json_integers_field(writer, "begin", pad->pads_count, pad->begin, 0);
    json_integers_field(writer, "end", pad->pads_count, pad->end, 0);
    json_integers_field(writer, "axes", pad->axes_count, pad->axes, 0);
    json_text_field(writer, "value", pad->value);
    json_key(writer, "verdicts");
    json_open(writer, '[');
    for (int32_t k = 0; k < run->targets.count; k++)
        write_verdict(writer, run->targets.items[k].name, &node->verdicts[k], node->facts->rank);
    json_close(writer, ']');
    json_close(writer, '}');
}

static void model_end(check_run *run)
{
    json_close(&run->writer, ']');
    json_close(&run->writer, '}');
}

static void end_json(check_run *run)
{
    json_close(&run->writer, ']');
    json_close(&run->writer, '}');
    fputc('\n', run->out);
}

const check_format check_json = {"json", begin_json, model_begin, json_node, model_end, end_json};
