/* Describes outcomes for users.  SPDX-License-Identifier: MIT */
#include "rewrite.h"
#include <stdio.h>
#include <string.h>

#include "models/folding/folding.h"

/* ---- Operators ------------------------------------------------------------------------------- */

static const char *step_name(int32_t op)
{
    return op == STEP_PAD ? "Pad" : op == STEP_CAST ? "Cast" : tpad_rules_use_name(op);
}

const char *tpad_recipe_operators(const tpad_recipe *recipe)
{
    enum { LONGEST = 32 };
    char *text = tpad_arena_take(&recipe->lowering->arena, recipe->step_count, LONGEST);
    int32_t length = 0;
    for (int32_t i = 0, next; text && i < recipe->step_count; i = next) {
        const int32_t op = recipe->steps[i].op;
        for (next = i + 1; next < recipe->step_count;) {
            if (recipe->steps[next].op != op) break;
            next++;
        }
        length += snprintf(text + length, LONGEST, "%s%s", i ? ", " : "", step_name(op));
        if (next - i > 1) length += snprintf(text + length, LONGEST, " x%d", (int)(next - i));
    }
    return text;
}

/* ---- Targets --------------------------------------------------------------------------------- */

static const tpad_rules_target *target_at(const tpad_recipe *recipe, int32_t index)
{
    return tpad_rules_target_at(recipe->lowering->targets[index].choice->high);
}

/* "ONNX Runtime 1.31", or the target's name for a version between two. */
static void write_target(char *text, size_t bytes, const tpad_recipe *recipe, int32_t index)
{
    const tpad_lower_target *target = &recipe->lowering->targets[index];
    const tpad_rules_target *about = target_at(recipe, index);
    if (target->choice->low == target->choice->high)
        snprintf(text, bytes, "%s %d.%d", about->runtime, (int)(about->number / 10000),
                 (int)(about->number % 10000));
    else
        snprintf(text, bytes, "%s", target->name);
}

/* ---- Before the search ----------------------------------------------------------------------- */

/* A Pad that every runtime supports, in the place of the node. */
static void plain_facts(tpad_rules_facts *facts, const tpad_rules_facts *node, int32_t inside)
{
    tpad_rules_facts_unknown(facts);
    facts->spec = node->spec;
    facts->opset = node->opset;
    facts->ir_version = node->ir_version;
    facts->ml_opset = node->ml_opset;
    facts->own_opset = node->own_opset;
    facts->inputs_unnamed = node->inputs_unnamed;
    facts->extent_names = node->extent_names;
    facts->inside = inside;
    facts->condition_listed = node->condition_listed;
    facts->branches_differ = node->branches_differ;
    facts->end_without_shape = node->end_without_shape;
    facts->document = TPAD_RULES_ANSWERS;
    facts->type = TPAD_ONNX_FLOAT;
    facts->mode = TPAD_RULES_CONSTANT;
    facts->rank = 2; /* OpenCV 4 has no tensors of rank 1 */
    facts->rank_open = 0;
    facts->axis[0] = (tpad_rules_axis){.extent = 4, .begin = 1, .end = 1, .amounts_known = 1};
    facts->axis[1] = (tpad_rules_axis){.extent = 4, .amounts_known = 1};
    facts->pads_given = node->opset < 11 && node->spec == TPAD_RULES_ONNX ? TPAD_RULES_ATTRIBUTE
                                                                          : TPAD_RULES_INITIALIZER;
    facts->value_known = 1;
    facts->data_known = 1;
    facts->before = TPAD_RULES_OTHER_OPERATOR;
    tpad_rules_facts_apart(facts, TPAD_RULES_OTHER_OPERATOR);
}

/* 1 if the target runs such a Pad correctly. *finding: its verdict. */
static int32_t runs_plain(tpad_rules_finding *finding, const tpad_recipe *recipe, int32_t target,
                          int32_t inside)
{
    tpad_rules_facts facts;
    plain_facts(&facts, recipe->facts, inside);
    tpad_rules_find_out(finding, &facts, *recipe->lowering->targets[target].choice);
    return finding->verdict.kind == TPAD_RULES_SAME;
}

/* 1 if a target reads files like this one, whatever their opset and nodes. */
static int32_t reads_the_file(tpad_rules_finding *finding, const tpad_recipe *recipe,
                              int32_t target)
{
    tpad_rules_facts facts;
    if (recipe->facts->spec != TPAD_RULES_ONNX) return 1;
    plain_facts(&facts, recipe->facts, 0);
    facts.opset = 13;
    facts.pads_given = TPAD_RULES_INITIALIZER;
    const int32_t computes_nan = recipe->facts->value_given == TPAD_RULES_FOLDED &&
                                 recipe->facts->value_bits & TPAD_RULES_NAN;
    if (computes_nan) { /* the nodes that compute the NaN stay */
        facts.value_given = TPAD_RULES_FOLDED;
        facts.made_by = recipe->facts->made_by & TPAD_RULES_BY_IDENTITY;
        facts.value_type = TPAD_ONNX_FLOAT;
        facts.value_rank = 0;
        facts.value_count = 1;
        facts.value_bits = TPAD_RULES_NOT_ZERO | TPAD_RULES_NAN;
    }
    tpad_rules_find_out(finding, &facts, *recipe->lowering->targets[target].choice);
    return finding->verdict.kind == TPAD_RULES_SAME;
}

static const char open_amounts[] = "the amounts are known only when the model runs: give "
                                   "--input-shape if they follow from shapes, else make them "
                                   "constants";

static const char *unknown_fact(const tpad_recipe *recipe)
{
    const tpad_rules_facts *facts = recipe->facts;
    const int32_t may_stay = facts->spec == TPAD_RULES_ONNX && recipe->pad->present[IN_DATA + 1];
    if (facts->opset == 0) return "the opset is not known";
    if (facts->type == TPAD_RULES_TYPE_UNKNOWN) return "the type of the data is not known";
    if (facts->mode == TPAD_RULES_MODE_UNKNOWN) return "the mode is known only when the model runs";
    if (facts->rank < 0) return "the rank of the data is not known: give --input-shape";
    for (int32_t i = 0; i < facts->rank; i++)
        if (!facts->axis[i].amounts_known && !may_stay) return open_amounts;
    return NULL;
}

/* The newest measured version of the first runtime that runs the node incorrectly; NULL: none. */
static const tpad_rules_target *also_wrong(const tpad_rules_facts *facts)
{
    for (int32_t i = 0; i < tpad_rules_target_count(); i++) {
        const tpad_rules_target *target = tpad_rules_target_at(i),
                                *next = tpad_rules_target_at(i + 1);
        const tpad_rules_choice choice = {.low = i, .high = i};
        tpad_rules_verdict verdict;
        if (!target->version || (next && strcmp(target->family, next->family) == 0)) continue;
        tpad_rules_judge(&verdict, facts, choice);
        if (verdict.kind >= TPAD_RULES_DIFFERS) return target;
    }
    return NULL;
}

/* Why nothing is rewritten for a target known only by its documentation, and a better target. */
static const char *not_measured(tpad_recipe *recipe, const char *runtime)
{
    const tpad_rules_target *alternative = also_wrong(recipe->facts);
    return tpad_arena_format(&recipe->lowering->arena,
                             "nobody has run %s: only its documentation was read, so no operator "
                             "is known to be right there%s%s%s",
                             runtime, alternative ? "; --target " : "",
                             alternative ? alternative->name : "",
                             alternative ? " writes other operators in its place" : "");
}

const char *tpad_recipe_hopeless(tpad_recipe *recipe)
{
    const char *text = unknown_fact(recipe);
    for (int32_t i = 0; i < recipe->lowering->target_count && !text; i++) {
        tpad_rules_finding finding;
        if (!target_at(recipe, i)->version)
            text = not_measured(recipe, target_at(recipe, i)->runtime);
        else if (!reads_the_file(&finding, recipe, i))
            text = tpad_arena_format(&recipe->lowering->arena, "no operator helps in this file: %s",
                                     finding.text);
        else if (runs_plain(&finding, recipe, i, 0) &&
                 !runs_plain(&finding, recipe, i, recipe->facts->inside))
            text = tpad_arena_format(&recipe->lowering->arena,
                                     "no operator helps at this place: %s", finding.text);
        else
            continue;
        if (!text) tpad_recipe_no_memory(recipe);
    }
    return text;
}

/* ---- After the search ------------------------------------------------------------------------ */

enum { NAMES_BYTES = 160, TARGET_BYTES = 64 };

/* "Slice, Gather" */
static void write_operators(char *text, uint32_t operators)
{
    size_t length = 0;
    text[0] = 0;
    for (int32_t i = 0; i <= STEP_PAD; i++)
        if (operators >> i & 1)
            length += (size_t)snprintf(text + length, NAMES_BYTES - length, "%s%s",
                                       length ? ", " : "", step_name(i));
}

/* The property of the elements that runtimes lose. */
static const char *digits(const tpad_rules_facts *facts)
{
    const int32_t bits = tpad_possible_bits(facts, facts->data_known, facts->data_bits) |
                         tpad_possible_bits(facts, facts->value_known, facts->value_bits);
    if (bits & TPAD_RULES_BEYOND_INT32) return " with numbers beyond int32";
    if (bits & TPAD_RULES_BEYOND_FLOAT32) return " with digits beyond float32";
    if (bits & TPAD_RULES_NAN_PAYLOAD) return " with payloads of NaN";
    if (bits & TPAD_RULES_INFINITE) return " with infinity";
    return "";
}

/* 1 if the target is known to run some operator correctly on tensors of the type. */
static int32_t carries(const tpad_recipe *recipe, int32_t target, int32_t type)
{
    static const int32_t operators[] = {TPAD_RULES_USE_IDENTITY, TPAD_RULES_USE_SLICE,
                                        TPAD_RULES_USE_CONCAT, TPAD_RULES_USE_GATHER};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        const tpad_rules_use use = {.spec = recipe->facts->spec,
                                    .opset = recipe->facts->opset,
                                    .op = operators[i],
                                    .type = type,
                                    .rank = 1};
        if (tpad_rules_may_use(&use, *recipe->lowering->targets[target].choice)) return 1;
    }
    return 0;
}

static const char *no_operator(const tpad_recipe *recipe)
{
    const tpad_trouble *trouble = &recipe->trouble;
    const tpad_rules_facts *facts = recipe->facts;
    tpad_arena *arena = &recipe->lowering->arena;
    const char *name = tpad_onnx_type_name(facts->type), *type = name ? name : "unknown";
    char names[NAMES_BYTES], target[TARGET_BYTES];
    tpad_rules_finding finding;
    write_target(target, sizeof target, recipe, trouble->target);
    write_operators(names, trouble->operators);
    if (!carries(recipe, trouble->target, TPAD_ONNX_FLOAT) &&
        !runs_plain(&finding, recipe, trouble->target, facts->inside))
        return tpad_arena_format(arena, "no operator helps at this opset: %s", finding.text);
    if (!carries(recipe, trouble->target, facts->type))
        return tpad_arena_format(arena, "%s: no operator is right there for type %s at opset %d",
                                 target, type, (int)facts->opset);
    if (trouble->is_empty)
        return tpad_arena_format(arena,
                                 "%s: these operators are not right there for tensors without "
                                 "elements at opset %d: %s",
                                 target, (int)facts->opset, names);
    return tpad_arena_format(arena,
                             "%s: these operators are not right there for type %s%s at opset %d: "
                             "%s",
                             target, type, digits(facts), (int)facts->opset, names);
}

/* The reason if an extent is missing; a bound may be enough. */
static const char *extent_reason(const tpad_recipe *recipe)
{
    const int32_t number = recipe->trouble.axis;
    const tpad_rules_axis *axis = &recipe->facts->axis[number];
    const int64_t cells = tpad_needed_cells(recipe->facts->mode, axis);
    tpad_string name = {"", 0};
    char bound[128] = "";
    int64_t needed = 0;
    if (!axis->amounts_known || tpad_axis_is_cut(axis) || cells <= axis->least)
        return tpad_arena_format(&recipe->lowering->arena,
                                 "the extent of axis %d is not known: give --input-shape",
                                 (int)number);
    if (tpad_model_needs(recipe->lowering->model, recipe->pad, number, cells, &name, &needed))
        snprintf(bound, sizeof bound, " '%.*s>=%lld'", TPAD_SHOW(name), (long long)needed);
    return tpad_arena_format(
        &recipe->lowering->arena,
        "the extent of axis %d is not known: give --input-shape, or --assume%s "
        "if it is always at least %lld",
        (int)number, bound, (long long)cells);
}

const char *tpad_recipe_reason(const tpad_recipe *recipe)
{
    if (recipe->is_open) return open_amounts;
    switch (recipe->trouble.kind) {
    case TROUBLE_OPERATOR:
        return no_operator(recipe);
    case TROUBLE_SIZE:
        return "the rewrite would need more than 16 MiB of constants for this node, or 512 MiB for "
               "the model";
    case TROUBLE_EXTENT:
        return extent_reason(recipe);
    default:
        return "there is no rewrite for such a node";
    }
}

/* ---- Verdicts -------------------------------------------------------------------------------- */

void tpad_model_find_out(tpad_rules_finding *finding, const tpad_model *model, int64_t index,
                         tpad_rules_choice choice)
{
    const tpad_graph_pad *pad = &model->pads[index];
    const char *between = ": --assume '";
    tpad_rules_find_out(finding, pad->facts, choice);
    for (int32_t axis = 0; finding->has_bounds && axis < pad->facts->rank; axis++) {
        tpad_string name;
        int64_t needed;
        if (finding->least[axis] <= 1 ||
            !tpad_model_needs(model, pad, axis, finding->least[axis], &name, &needed))
            continue;
        const size_t used = strlen(finding->text), room = sizeof finding->text - used;
        const int length = snprintf(finding->text + used, room, "%s%.*s>=%lld'", between,
                                    TPAD_SHOW(name), (long long)needed);
        if (length < 0 || (size_t)length >= room) finding->text[used] = 0;
        between = " --assume '";
    }
}
