/* Pads and what rewrites of them give.  SPDX-License-Identifier: MIT
 *
 * A naive interpreter runs the steps of a rewrite on small tensors. What is right comes from the
 * oracle, which knows no rewrites. */
#ifndef TENSORPAD_TESTS_C_LOWERING_REWRITES_H
#define TENSORPAD_TESTS_C_LOWERING_REWRITES_H

#include "../../support/oracle.h"
#include "models/lowering/rewrite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_CELLS = 20000, MOST_OPERANDS = 2000, FILL = 77 };

/* ---- Problems -------------------------------------------------------------------------------- */

typedef struct problem {
    tpad_axis axes[TPAD_MAX_RANK]; /* the extents as they are when the model runs */
    tpad_rules_facts facts;
    tpad_graph_pad pad;
    tpad_problem meant;
    oracle answer;
    int32_t *in, *out; /* */
    int32_t fill;      /* the pad value */
} problem;

static const char *const mode_names[] = {[TPAD_RULES_CONSTANT] = "constant",
                                         [TPAD_RULES_EDGE] = "edge",
                                         [TPAD_RULES_REFLECT] = "reflect",
                                         [TPAD_RULES_SYMMETRIC] = "symmetric",
                                         [TPAD_RULES_WRAP] = "wrap"};
static const int32_t core_modes[] = {[TPAD_RULES_CONSTANT] = TPAD_CONSTANT,
                                     [TPAD_RULES_EDGE] = TPAD_EDGE,
                                     [TPAD_RULES_REFLECT] = TPAD_REFLECT,
                                     [TPAD_RULES_SYMMETRIC] = TPAD_SYMMETRIC,
                                     [TPAD_RULES_WRAP] = TPAD_WRAP};

/* Begins a Pad of int32, without axes that it pads. */
static inline void begin(problem *p, int32_t spec, int32_t opset, int32_t mode, int32_t rank)
{
    memset(p, 0, sizeof *p);
    tpad_rules_facts_unknown(&p->facts);
    p->facts.spec = spec;
    p->facts.opset = opset;
    p->facts.document = TPAD_RULES_ANSWERS;
    p->facts.mode = mode;
    p->facts.type = TPAD_ONNX_INT32;
    p->facts.rank = rank;
    p->facts.rank_open = 0;
    p->facts.pads_given = TPAD_RULES_INITIALIZER;
    p->facts.pads_type = TPAD_ONNX_INT64;
    p->facts.value_known = 1;
    p->facts.before = TPAD_RULES_OTHER_OPERATOR;
    tpad_rules_facts_apart(&p->facts, TPAD_RULES_OTHER_OPERATOR);
    p->pad.facts = &p->facts;
    p->pad.info.mode = mode_names[mode];
}

static inline void set_axis(problem *p, int32_t axis, int64_t extent, int64_t before, int64_t after)
{
    p->axes[axis] = (tpad_axis){.in_extent = extent, .before = before, .after = after};
    p->facts.axis[axis] =
        (tpad_rules_axis){.extent = extent, .begin = before, .end = after, .amounts_known = 1};
}

/* The pad value: 0 absent, 1 an attribute, 2 an input of the graph. */
static inline void set_value(problem *p, int way, int32_t rank)
{
    static const int32_t attribute = FILL;
    tpad_rules_facts *facts = &p->facts;
    facts->value_given = way == 0   ? TPAD_RULES_ABSENT
                         : way == 1 ? TPAD_RULES_ATTRIBUTE
                                    : TPAD_RULES_GRAPH_INPUT;
    facts->value_known = way < 2;
    facts->value_bits = way == 1 ? TPAD_RULES_NOT_ZERO : 0;
    facts->value_type = way == 2 ? TPAD_ONNX_INT32 : TPAD_RULES_TYPE_UNKNOWN;
    facts->value_rank = way < 2 ? -1 : rank;
    facts->value_count = way < 2 ? -1 : 1;
    p->pad.value = way == 1 ? &attribute : NULL;
    p->pad.value_type = TPAD_ONNX_INT32;
    p->fill = way ? FILL : 0;
}

/* What Pad means for a mode and amounts, in the order of the specification. */
static inline tpad_problem meaning(tpad_axis *axes, const tpad_rules_facts *facts, int32_t rank)
{
    for (int32_t i = 0; i < rank; i++) {
        axes[i].mode = core_modes[facts->mode];
        axes[i].order = facts->spec == TPAD_RULES_ONNX ? TPAD_CROP : TPAD_WINDOW;
    }
    return (tpad_problem){
        .struct_size = sizeof(tpad_problem), .elem_bits = 32, .rank = rank, .axes = axes};
}

/* Finds the answer; 0 if the document has none, or if it is too large. */
static inline int solve(problem *p)
{
    int64_t cells = 1;
    const tpad_problem meant = meaning(p->axes, &p->facts, p->facts.rank);
    for (int32_t i = 0; i < p->facts.rank; i++) cells *= p->axes[i].in_extent;
    oracle_solve(&p->answer, &meant);
    if (p->answer.status || p->answer.cells > MOST_CELLS) {
        oracle_close(&p->answer);
        return 0;
    }
    p->in = malloc((size_t)(cells + 1) * sizeof *p->in);
    p->out = malloc((size_t)(p->answer.cells + 1) * sizeof *p->out);
    assert_true(p->in && p->out);
    for (int64_t i = 0; i < cells; i++) p->in[i] = (int32_t)(1000 + i);
    oracle_run(&p->answer, &meant, p->in, p->out, &p->fill);
    return 1;
}

static inline void free_problem(problem *p)
{
    oracle_close(&p->answer);
    free(p->in);
    free(p->out);
}

/* ---- Running a rewrite ----------------------------------------------------------------------- */

/* Elements of every type are int32 here; casts must not matter. */
typedef struct tensor {
    int32_t rank;
    int64_t shape[TPAD_MAX_RANK];
    int32_t *cells;
} tensor;

static tensor tensors[MOST_OPERANDS];

static inline int64_t count_of(const tensor *t)
{
    int64_t count = 1;
    for (int32_t i = 0; i < t->rank; i++) count *= t->shape[i];
    return count;
}

static inline void new_cells(tensor *t)
{
    assert_in_range(count_of(t), 0, 1 << 20);
    t->cells = calloc((size_t)count_of(t) + 1, sizeof *t->cells);
    assert_non_null(t->cells);
}

/* The indices of the next cell. */
static inline void advance(int64_t *at, const tensor *t)
{
    for (int32_t i = t->rank - 1; i >= 0 && ++at[i] == t->shape[i]; i--) at[i] = 0;
}

/* The cell of t at `at`, where extents of 1 and missing axes in front are broadcast. */
static inline int32_t broadcast_cell(const tensor *t, const int64_t *at, int32_t rank)
{
    int64_t place = 0;
    assert_true(t->rank <= rank);
    for (int32_t i = 0; i < t->rank; i++) {
        const int64_t index = at[rank - t->rank + i];
        place = place * t->shape[i] + (t->shape[i] == 1 ? 0 : index);
        assert_true(t->shape[i] == 1 || index < t->shape[i]);
    }
    return t->cells[place];
}

static inline int64_t clamp(int64_t number, int64_t least, int64_t most)
{
    return number < least ? least : number > most ? most : number;
}

static inline void run_slice(tensor *out, const tensor *in, const tpad_step *step)
{
    const int back = step->op == TPAD_RULES_USE_SLICE_BACK;
    int64_t first[TPAD_MAX_RANK] = {0}, by[TPAD_MAX_RANK], at[TPAD_MAX_RANK] = {0};
    *out = *in;
    for (int32_t i = 0; i < in->rank; i++) by[i] = 1;
    for (int32_t i = 0; i < step->count; i++) {
        const int64_t axis = step->axes[i], n = in->shape[axis];
        const int64_t start = step->starts[i] < 0 ? step->starts[i] + n : step->starts[i];
        const int64_t end = step->ends[i] < 0 ? step->ends[i] + n : step->ends[i];
        const int64_t from = back ? clamp(start, 0, n - 1) : clamp(start, 0, n);
        const int64_t to = back ? clamp(end, -1, n - 1) : clamp(end, 0, n);
        const int64_t cells = back ? from - to : to - from;
        first[axis] = from;
        by[axis] = back ? -1 : 1;
        out->shape[axis] = cells < 0 ? 0 : cells;
    }
    new_cells(out);
    for (int64_t cell = 0; cell < count_of(out); cell++, advance(at, out)) {
        int64_t from[TPAD_MAX_RANK];
        for (int32_t i = 0; i < in->rank; i++) from[i] = first[i] + by[i] * at[i];
        int64_t place = 0;
        for (int32_t i = 0; i < in->rank; i++) place = place * in->shape[i] + from[i];
        out->cells[cell] = in->cells[place];
    }
}

static inline void run_concat(tensor *out, const tpad_step *step)
{
    int64_t at[TPAD_MAX_RANK] = {0};
    *out = tensors[step->inputs[0]];
    out->shape[step->axis] = 0;
    for (int32_t i = 0; i < step->input_count; i++) {
        const tensor *in = &tensors[step->inputs[i]];
        assert_int_equal(in->rank, out->rank);
        for (int32_t k = 0; k < in->rank; k++)
            if (k != step->axis) assert_int_equal(in->shape[k], out->shape[k]);
        out->shape[step->axis] += in->shape[step->axis];
    }
    new_cells(out);
    for (int64_t cell = 0; cell < count_of(out); cell++, advance(at, out)) {
        int64_t index[TPAD_MAX_RANK];
        memcpy(index, at, sizeof index);
        for (int32_t i = 0; i < step->input_count; i++) {
            const tensor *in = &tensors[step->inputs[i]];
            if (index[step->axis] < in->shape[step->axis]) {
                int64_t place = 0;
                for (int32_t k = 0; k < in->rank; k++) place = place * in->shape[k] + index[k];
                out->cells[cell] = in->cells[place];
                break;
            }
            index[step->axis] -= in->shape[step->axis];
        }
    }
}

static inline void run_gather(tensor *out, const tensor *in, const tpad_step *step)
{
    int64_t at[TPAD_MAX_RANK] = {0};
    *out = *in;
    out->shape[step->axis] = step->count;
    for (int32_t i = 0; i < step->count; i++)
        assert_in_range(step->list[i], 0, in->shape[step->axis] - 1);
    new_cells(out);
    for (int64_t cell = 0; cell < count_of(out); cell++, advance(at, out)) {
        int64_t place = 0;
        for (int32_t i = 0; i < in->rank; i++)
            place = place * in->shape[i] + (i == step->axis ? step->list[at[i]] : at[i]);
        out->cells[cell] = in->cells[place];
    }
}

/* EXPAND, and WHERE, whose result has the largest extents. */
static inline void run_broadcast(tensor *out, const tpad_step *step)
{
    int64_t at[TPAD_MAX_RANK] = {0};
    *out = (tensor){.rank = step->count};
    for (int32_t i = 0; i < step->count; i++) out->shape[i] = step->list[i];
    for (int32_t i = 0; i < step->input_count; i++) {
        const tensor *in = &tensors[step->inputs[i]];
        const int32_t more = in->rank - out->rank;
        assert_true(step->op != TPAD_RULES_USE_EXPAND || more <= 0);
        if (more > 0) *out = *in;
        for (int32_t k = 1; k <= in->rank; k++)
            if (out->shape[out->rank - k] == 1) out->shape[out->rank - k] = in->shape[in->rank - k];
    }
    new_cells(out);
    for (int64_t cell = 0; cell < count_of(out); cell++, advance(at, out)) {
        int32_t from = 0;
        if (step->op == TPAD_RULES_USE_WHERE)
            from = broadcast_cell(&tensors[step->inputs[0]], at, out->rank) ? 1 : 2;
        out->cells[cell] = broadcast_cell(&tensors[step->inputs[from]], at, out->rank);
    }
}

static inline void run_reshape(tensor *out, const tensor *in, const tpad_step *step)
{
    int64_t known = 1;
    int32_t open = -1;
    *out = (tensor){.rank = step->count};
    for (int32_t i = 0; i < step->count; i++) {
        out->shape[i] = step->list[i] ? step->list[i] : in->shape[i];
        if (step->list[i] < 0) {
            assert_int_equal(open, -1);
            open = i;
        } else {
            known *= out->shape[i];
        }
    }
    if (open >= 0) out->shape[open] = count_of(in) / known;
    assert_int_equal(count_of(out), count_of(in));
    new_cells(out);
    memcpy(out->cells, in->cells, (size_t)count_of(in) * sizeof *in->cells);
}

static inline void run_pad(tensor *out, const tensor *in, const tpad_step *step, const problem *p)
{
    tpad_axis axes[TPAD_MAX_RANK] = {{0}};
    oracle o;
    const int32_t fill = step->input_count > 1 ? tensors[step->inputs[1]].cells[0] : 0;
    assert_string_equal(step->mode, p->pad.info.mode);
    assert_true(step->axes || step->count == in->rank);
    for (int32_t i = 0; i < in->rank; i++) axes[i].in_extent = in->shape[i];
    for (int32_t i = 0; i < step->count; i++) {
        axes[step->axes ? step->axes[i] : i].before = step->begin[i];
        axes[step->axes ? step->axes[i] : i].after = step->end[i];
    }
    const tpad_problem meant = meaning(axes, &p->facts, in->rank);
    oracle_solve(&o, &meant);
    assert_int_equal(o.status, TPAD_OK);
    *out = (tensor){.rank = in->rank};
    memcpy(out->shape, o.extents, sizeof out->shape);
    new_cells(out);
    oracle_run(&o, &meant, in->cells, out->cells, &fill);
    oracle_close(&o);
}

static inline void run_copy(tensor *out, const tensor *in)
{
    *out = *in;
    new_cells(out);
    memcpy(out->cells, in->cells, (size_t)count_of(in) * sizeof *in->cells);
}

static inline void run_step(const tpad_step *step, const problem *p)
{
    tensor *out = &tensors[step->output];
    const tensor *in = &tensors[step->inputs[0]];
    for (int32_t i = 0; i < step->input_count; i++)
        assert_non_null(tensors[step->inputs[i]].cells); /* made before */
    switch (step->op) {
    case TPAD_RULES_USE_SLICE:
    case TPAD_RULES_USE_SLICE_BACK:
        run_slice(out, in, step);
        break;
    case TPAD_RULES_USE_CONCAT:
        run_concat(out, step);
        break;
    case TPAD_RULES_USE_GATHER:
        run_gather(out, in, step);
        break;
    case TPAD_RULES_USE_EXPAND:
    case TPAD_RULES_USE_WHERE:
        run_broadcast(out, step);
        break;
    case TPAD_RULES_USE_RESHAPE:
        run_reshape(out, in, step);
        break;
    case STEP_PAD:
        run_pad(out, in, step, p);
        break;
    default: /* IDENTITY, CONSTANT, CAST */
        run_copy(out, in);
    }
}

/* Fills in an operand that no step makes. */
static inline void set_operand(tensor *t, const tpad_operand *operand, const problem *p)
{
    memset(t, 0, sizeof *t);
    if (operand->kind == OPERAND_STEP) return;
    t->rank = operand->rank;
    for (int32_t i = 0; i < t->rank; i++)
        t->shape[i] = operand->kind == OPERAND_DATA ? p->axes[i].in_extent : operand->shape[i];
    new_cells(t);
    for (int64_t i = 0; i < count_of(t); i++)
        t->cells[i] = operand->kind == OPERAND_DATA     ? p->in[i]
                      : operand->kind == OPERAND_VALUE  ? p->fill
                      : operand->type == TPAD_ONNX_BOOL ? ((const uint8_t *)operand->data)[i]
                                                        : ((const int32_t *)operand->data)[i];
}

/* Whether the rewrite gives the oracle's answer; also that it says the shapes that come out. */
static inline void check(const tpad_operand *operands, int32_t operand_count,
                         const tpad_step *steps, int32_t step_count, const problem *p,
                         const char *what)
{
    assert_in_range(step_count, 1, MOST_OPERANDS);
    assert_in_range(operand_count, 1, MOST_OPERANDS);
    for (int32_t i = 0; i < operand_count; i++) set_operand(&tensors[i], &operands[i], p);
    for (int32_t i = 0; i < step_count; i++) run_step(&steps[i], p);
    int same = 1;
    for (int32_t i = 0; i < operand_count; i++)
        for (int32_t k = 0; tensors[i].cells && k < tensors[i].rank; k++)
            same &= operands[i].shape[k] < 0 || operands[i].shape[k] == tensors[i].shape[k];
    const tensor *result = &tensors[steps[step_count - 1].output];
    same &= result->rank == p->facts.rank;
    for (int32_t i = 0; same && i < p->facts.rank; i++)
        same = result->shape[i] == p->answer.extents[i];
    if (!same || memcmp(result->cells, p->out, (size_t)p->answer.cells * sizeof *p->out) != 0) {
        char text[400];
        int length = 0;
        for (int32_t i = 0; i < p->facts.rank; i++)
            length += snprintf(text + length, 90, " %lld (known: %lld) + %lld + %lld,",
                               (long long)p->axes[i].in_extent, (long long)p->facts.axis[i].extent,
                               (long long)p->facts.axis[i].begin, (long long)p->facts.axis[i].end);
        fail_msg("%s, %s, specification %d:%s", what, p->pad.info.mode, p->facts.spec,
                 p->facts.rank ? text : "");
    }
    for (int32_t i = 0; i < operand_count; i++) free(tensors[i].cells);
}

/* ---- The choice ------------------------------------------------------------------------------ */

static const tpad_format format = {.value_input = 2};

/* Lets rewrite_choice.c choose for the problem and the target ("": any that runs everything),
 * with that many bytes of memory (0: no limit). Returns the status; the lowering has the rest. */
static inline int32_t choose_within(tpad_lowering *lowering, problem *p, const char *name,
                                    int64_t limit)
{
    static tpad_model model;
    static tpad_lowered_node node;
    static tpad_rewrite rewrite;
    static tpad_rules_choice choice;
    static tpad_lower_target target;
    tpad_io_error error;
    model = (tpad_model){.format = &format, .pads = &p->pad, .pad_count = 1, .path = "m.onnx"};
    node = (tpad_lowered_node){.outcome = TPAD_LOWER_CANNOT};
    rewrite = (tpad_rewrite){.pad = &p->pad};
    target = (tpad_lower_target){name, &choice};
    *lowering = (tpad_lowering){.model = &model,
                                .arena = {.limit = limit},
                                .nodes = &node,
                                .rewrites = &rewrite,
                                .targets = &target,
                                .target_count = *name != 0};
    if (*name) assert_true(tpad_rules_find(&choice, name));
    tpad_arena_take(&lowering->arena, 1, 1); /* what is tried is given back from there on */
    return tpad_recipe_choose(lowering, 0, &error);
}

static inline tpad_lowered_node choose(tpad_lowering *lowering, problem *p, const char *name)
{
    assert_int_equal(choose_within(lowering, p, name, 0), TPAD_OK);
    return lowering->nodes[0];
}

#endif
