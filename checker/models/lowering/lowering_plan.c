/* Decides which Pads are rewritten, and why.  SPDX-License-Identifier: MIT
 *
 * Each node stays, is rewritten, or cannot be. rewrite_choice.c finds the rewrite; the model's
 * format writes it. */
#include <stdlib.h>
#include <string.h>

#include "rewrite.h"

static int32_t no_memory(const tpad_lowering *lowering, tpad_io_error *error)
{
    return tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", lowering->model->path);
}

/* Lowering by the format of the model. */
static const struct {
    /* Why the format cannot write that node as other operators, or NULL; a NULL function: it always
     * can. */
    const char *(*why_not)(const tpad_model *model, const tpad_graph_pad *pad);
    int32_t (*write_model)(const tpad_lowering *lowering, tpad_output *output, tpad_output *weights,
                           tpad_io_error *error);
    int32_t (*fold)(tpad_lowering *lowering, int64_t index, tpad_io_error *error); /* or NULL */
} formats[] = {
#ifdef TPAD_WITH_NANOPB
    [FORMAT_ONNX] = {NULL, tpad_onnx_write_lowered, tpad_folded_decide},
#endif
#ifdef TPAD_WITH_EXPAT
    [FORMAT_IR] = {tpad_ir_why_not_lowered, tpad_ir_write_lowered, NULL},
#endif
    [FORMATS] = {NULL, NULL, NULL}, /* a build may read none */
};

/* ---- The worst verdict ----------------------------------------------------------------------- */

/* How bad it is if a node stays: a node that is wrong somewhere must be rewritten; an unknown one
 * cannot be. */
static int32_t badness(int32_t kind)
{
    static const int32_t ranks[TPAD_RULES_KINDS] = {
        [TPAD_RULES_SAME] = 0,    [TPAD_RULES_DIFFERS] = 1, [TPAD_RULES_REFUSES] = 2,
        [TPAD_RULES_CRASHES] = 3, [TPAD_RULES_UNKNOWN] = 4, [TPAD_RULES_ACCEPTS] = 5,
    };
    return ranks[kind];
}

/* Sets the node's target to the one of the worst verdict; returns the kind. */
static int32_t find_worst(const tpad_lowering *lowering, tpad_lowered_node *node,
                          const tpad_rules_facts *facts)
{
    int32_t kind = TPAD_RULES_SAME;
    for (int32_t i = 0; i < lowering->target_count; i++) {
        tpad_rules_verdict verdict;
        tpad_rules_judge(&verdict, facts, *lowering->targets[i].choice);
        if (badness(verdict.kind) <= badness(kind)) continue;
        kind = verdict.kind;
        node->target = i;
    }
    return kind;
}

/* 1 for a mode that only newer versions of ONNX's Pad have: wrap before opset 19. */
static int32_t has_newer_mode(const tpad_rules_facts *facts)
{
    return facts->spec == TPAD_RULES_ONNX && facts->document == TPAD_RULES_FORBIDS_MODE &&
           facts->mode == TPAD_RULES_WRAP;
}

/* Treats the node as if its version had the mode. */
static int32_t take_newer_mode(tpad_lowering *lowering, int64_t index)
{
    tpad_graph_pad *pad = tpad_arena_take(&lowering->arena, 1, sizeof *pad);
    tpad_rules_facts *facts = tpad_arena_take(&lowering->arena, 1, sizeof *facts);
    if (!pad || !facts) return 0;
    *pad = *lowering->rewrites[index].pad;
    *facts = *pad->facts;
    facts->document = TPAD_RULES_ANSWERS;
    pad->facts = facts;
    lowering->rewrites[index].pad = pad;
    return 1;
}

static int32_t decide(tpad_lowering *lowering, int64_t index, tpad_io_error *error)
{
    tpad_lowered_node *node = &lowering->nodes[index];
    node->target = -1;
    lowering->rewrites[index].pad = &lowering->model->pads[index];
    if (lowering->ways & TPAD_LOWER_FOLD) {
        const int32_t status = formats[lowering->model->format->kind].fold(lowering, index, error);
        if (status || node->outcome == TPAD_LOWER_FOLDED) return status;
    }
    const tpad_rules_facts *facts = lowering->rewrites[index].pad->facts;
    const int32_t is_newer = has_newer_mode(facts);
    const int32_t kind = find_worst(lowering, node, facts);
    const int32_t for_plugin = lowering->ways & TPAD_LOWER_FOR_PLUGIN;
    if (kind == TPAD_RULES_SAME && !for_plugin) {
        if (facts->document <= TPAD_RULES_ANSWERS) return TPAD_OK;
        node->target = 0; /* forbidden for every target */
    }
    tpad_rules_finding *worst = NULL;
    if (node->target >= 0) {
        worst = tpad_arena_take(&lowering->arena, 1, sizeof *worst);
        if (!worst) return no_memory(lowering, error);
        tpad_rules_find_out(worst, facts, *lowering->targets[node->target].choice);
    }
    if (for_plugin) {
        tpad_plugin_decide(lowering, index, worst);
        return TPAD_OK;
    }
    node->outcome = TPAD_LOWER_CANNOT;
    node->finding = worst;
    if (is_newer && lowering->ways & TPAD_LOWER_LENIENT)
        return take_newer_mode(lowering, index) ? tpad_recipe_choose(lowering, index, error)
                                                : no_memory(lowering, error);
    if (facts->document > TPAD_RULES_ANSWERS) {
        node->reason = is_newer
                           ? "mode wrap came with opset 19: --lenient gives it the meaning it has "
                             "there; so does an export with opset_version=19"
                           : "the specification does not allow the node, so no answer is right";
        return TPAD_OK;
    }
    if (kind == TPAD_RULES_UNKNOWN) {
        node->reason = worst->text; /* names the missing fact */
        return TPAD_OK;
    }
    const int32_t format = lowering->model->format->kind;
    if (formats[format].why_not)
        node->reason = formats[format].why_not(lowering->model, &lowering->model->pads[index]);
    return node->reason ? TPAD_OK : tpad_recipe_choose(lowering, index, error);
}

/* ---- Interface ------------------------------------------------------------------------------- */

static int32_t copy_targets(tpad_lowering *lowering, const tpad_lower_target *targets,
                            int32_t count)
{
    tpad_lower_target *copies = tpad_arena_take(&lowering->arena, count, sizeof *copies);
    tpad_rules_choice *choices = tpad_arena_take(&lowering->arena, count, sizeof *choices);
    if (!copies || !choices) return 0;
    for (int32_t i = 0; i < count; i++) {
        choices[i] = *targets[i].choice;
        copies[i].choice = &choices[i];
        copies[i].name = tpad_arena_format(&lowering->arena, "%s", targets[i].name);
        if (!copies[i].name) return 0;
    }
    lowering->targets = copies;
    lowering->target_count = count;
    return 1;
}

static int32_t plan(tpad_lowering **out, tpad_model *model, const tpad_lower_target *targets,
                    int32_t count, int32_t ways, tpad_io_error *error)
{
    tpad_lowering *lowering = calloc(1, sizeof *lowering);
    const int64_t pads = model->pad_count;
    *out = NULL;
    if (!lowering) return tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", model->path);
    lowering->model = model;
    lowering->ways = ways;
    lowering->nodes = tpad_arena_take(&lowering->arena, pads, sizeof *lowering->nodes);
    lowering->rewrites = tpad_arena_take(&lowering->arena, pads, sizeof *lowering->rewrites);
    int32_t status = TPAD_OK;
    lowering->folds = tpad_arena_take(&lowering->arena, pads, sizeof *lowering->folds);
    if (!lowering->nodes || !lowering->rewrites || !lowering->folds ||
        !copy_targets(lowering, targets, count))
        status = no_memory(lowering, error);
    /* From the last Pad: whether a Pad is folded depends on the nodes after it. */
    for (int64_t i = 0; i < pads && !status; i++)
        status = decide(lowering, ways & TPAD_LOWER_FOLD ? pads - 1 - i : i, error);
    if (!status) status = tpad_lowering_prefix(lowering, error);
    if (status)
        tpad_lowering_free(lowering);
    else
        *out = lowering;
    return status;
}

/* Ignores the given shapes: the written model accepts all. */
static int32_t plan_for_plugin(tpad_lowering **out, tpad_model *model,
                               const tpad_lower_target *targets, int32_t count,
                               tpad_io_error *error)
{
    if (model->format->kind != FORMAT_ONNX)
        return tpad_io_fail(error, TPAD_E_FILE_TYPE, "%s: ONNX Runtime reads ONNX models only",
                            model->path);
    for (int32_t i = 0; i < count; i++)
        if (strcmp(tpad_rules_target_at(targets[i].choice->low)->family, "ort") != 0)
            return tpad_io_fail(error, TPAD_E_ARGUMENT, "'%s' has no plug-in: ONNX Runtime has one",
                                targets[i].name);
    return plan(out, model->plain ? model->plain : model, targets, count, TPAD_LOWER_FOR_PLUGIN,
                error);
}

/* 1 if every node is lowered. */
static int32_t is_complete(const tpad_lowering *lowering)
{
    for (int64_t i = 0; i < lowering->model->pad_count; i++)
        if (lowering->nodes[i].outcome == TPAD_LOWER_CANNOT) return 0;
    return 1;
}

static int64_t count_folded(const tpad_lowering *lowering)
{
    int64_t count = 0;
    for (int64_t i = 0; i < lowering->model->pad_count; i++)
        count += lowering->nodes[i].outcome == TPAD_LOWER_FOLDED;
    return count;
}

/* 1 if an input is given a shape without cells: facts about open extents hold from 1 on. */
static int32_t has_no_cells(const tpad_model *model)
{
    for (int64_t i = 0; i < model->top->input_count; i++) {
        const tpad_value *shaped = tpad_input_shaped(model, i);
        for (int32_t axis = 0; shaped && axis < shaped->rank; axis++)
            if (shaped->shape[axis] == 0) return 1;
    }
    return 0;
}

int32_t tpad_lowering_plan(tpad_lowering **out, tpad_model *model, const tpad_lower_target *targets,
                           int32_t count, int32_t ways, tpad_io_error *error)
{
    *out = NULL;
    if (ways & TPAD_LOWER_FOLD && !formats[model->format->kind].fold)
        return tpad_io_fail(
            error, TPAD_E_FILE_TYPE,
            "%s: only ONNX models are folded: OpenVINO folds the Pads of an IR when it "
            "reads it",
            model->path);
    if (ways & TPAD_LOWER_FOR_PLUGIN) return plan_for_plugin(out, model, targets, count, error);
    const int32_t status = plan(out, model, targets, count, ways, error);
    if (status || !model->plain || has_no_cells(model) || !is_complete(*out)) return status;
    tpad_lowering *open;
    const int32_t again = plan(&open, model->plain, targets, count, ways, error);
    if (again || (is_complete(open) && count_folded(open) >= count_folded(*out))) {
        /* no given shape is needed */
        tpad_lowering_free(*out);
        *out = open;
    } else {
        tpad_lowering_free(open);
    }
    return again;
}

int32_t tpad_lowering_is_shaped(const tpad_lowering *lowering)
{
    return lowering->model->plain != NULL;
}

void tpad_lowering_free(tpad_lowering *lowering)
{
    if (!lowering) return;
    tpad_arena_free(&lowering->arena);
    free(lowering);
}

const tpad_lowered_node *tpad_lowering_at(const tpad_lowering *lowering, int64_t index)
{
    return index >= 0 && index < lowering->model->pad_count ? &lowering->nodes[index] : NULL;
}

int32_t tpad_lowering_write(const tpad_lowering *lowering, tpad_output *output,
                            tpad_output *weights, tpad_io_error *error)
{
    return formats[lowering->model->format->kind].write_model(lowering, output, weights, error);
}

/* Chooses the Pads that the plug-in for ONNX Runtime runs: by the rules of runtimes/, and by what
 * ONNX Runtime does with its own Pad and its neighbours. */

/* 1 if ONNX Runtime joins its own Pad with a neighbour, or moves the neighbour past it. That saves
 * more than a faster Pad. */
static int32_t is_optimised(const tpad_graph_pad *pad)
{
    static const char *const moved[] = {"QuantizeLinear", "DequantizeLinear"};
    const tpad_rules_facts *facts = pad->facts;
    if (facts->before == TPAD_RULES_TRANSPOSE || facts->after == TPAD_RULES_TRANSPOSE) return 1;
    if (facts->mode == TPAD_RULES_CONSTANT && facts->reader.op >= TPAD_RULES_MAX_POOL &&
        facts->reader.op <= TPAD_RULES_CONV && !facts->reader.is_valid)
        return 1;
    for (size_t i = 0; pad->users == 1 && i < sizeof moved / sizeof *moved; i++)
        if (tpad_string_is(pad->user->op_type, moved[i])) return 1;
    return 0;
}

/* ONNX Runtime's own Pad copies row by row; with few rows it takes no longer than the plug-in, and
 * it may remove a Pad that adds nothing. But it loses NaN payloads of float16. */
enum { FEW_ROWS = 32, OPEN_EXTENT = 16 };

/* 1 if there are few rows. A row is all axes from the last padded one on. Open extents count as
 * OPEN_EXTENT. */
static int32_t has_few_rows(const tpad_rules_facts *facts)
{
    int64_t before = 1, rows = 0;
    if (facts->type == TPAD_ONNX_FLOAT16) return 0;
    for (int32_t i = 0; i < facts->rank; i++) {
        const tpad_rules_axis *axis = &facts->axis[i];
        const int64_t added = axis->begin + axis->end;
        const int64_t extent = axis->extent < 0 ? OPEN_EXTENT : axis->extent + added;
        if (!axis->amounts_known) return 0;
        if (axis->begin || axis->end) rows = before;
        if (before < FEW_ROWS) before *= extent;
    }
    return facts->rank >= 0 && rows < FEW_ROWS;
}

static int32_t has_open_input(const tpad_graph *top)
{
    for (int64_t i = 0; i < top->input_count; i++) {
        const tpad_value *value = top->inputs[i].value;
        if (!value || value->rank < 0) return 1;
        for (int32_t axis = 0; axis < value->rank; axis++)
            if (value->shape[axis] < 0) return 1;
    }
    return 0;
}

/* 1 if ONNX Runtime may know a shape that is not known here, and fold nodes that depend on it. */
static int32_t may_be_folded(const tpad_rules_facts *facts, const tpad_graph *top)
{
    int32_t is_known = facts->rank >= 0;
    for (int32_t i = 0; i < facts->rank; i++) is_known &= facts->axis[i].extent >= 0;
    return !is_known && !has_open_input(top);
}

void tpad_plugin_decide(tpad_lowering *lowering, int64_t index, const tpad_rules_finding *worst)
{
    tpad_lowered_node *node = &lowering->nodes[index];
    const tpad_graph_pad *pad = lowering->rewrites[index].pad;
    if (pad->facts->document > TPAD_RULES_ANSWERS) { /* there is no answer */
        node->target = -1;
    } else if (node->target >= 0 || !(is_optimised(pad) || has_few_rows(pad->facts) ||
                                      may_be_folded(pad->facts, lowering->model->top))) {
        node->outcome = TPAD_LOWER_REWRITTEN;
        node->operators = "Pad of the plug-in";
        node->finding = worst;
    }
}
