/* The operators that replace a Pad, and where they were observed to be right.
 * SPDX-License-Identifier: MIT
 *
 * The table comes from running small models in each runtime (conformance/kit.py survey). */
#include "rule.h"

/* `types` were right from opset `first` to opset `last`. */
typedef struct right_row {
    uint32_t targets; /* bit i: measured_targets[i] */
    int32_t spec;     /* TPAD_RULES_ONNX, ... */
    int32_t use;      /* TPAD_RULES_USE_IDENTITY, ... */
    int32_t carrier;  /* CAST_AND_BACK: the type between; else 0 */
    int32_t first, last;
    uint32_t types;
} right_row;

/* Limits of what was right. */
typedef struct limits_row {
    uint32_t targets;
    int32_t spec, use, carrier;
    uint32_t ranks; /* bit r: rank r */
    uint32_t empty; /* types: operands and results without elements */
    uint32_t line;  /* types: the same if no rank is above 1 */
    uint32_t open;  /* types: operands whose extents the model leaves open */
} limits_row;

/* Elements that did not come out unchanged. */
typedef struct spoiled_row {
    uint32_t targets;
    int32_t spec, use, carrier;
    int32_t bits; /* TPAD_RULES_MINUS_ZERO ... */
    uint32_t types;
} spoiled_row;

#include "operators_measured.h"

/* Whether a row is about this use on the target with that bit. */
#define IS_ABOUT(row, target, asked)                                                               \
    ((row)->targets & (target) && (row)->spec == (asked)->spec && (row)->use == (asked)->op &&     \
     (row)->carrier == (asked)->carrier)

#define COUNT(array) ((int32_t)(sizeof(array) / sizeof *(array)))

const char *tpad_rules_use_name(int32_t op)
{
    static const char *const names[TPAD_RULES_USES] = {
        [TPAD_RULES_USE_IDENTITY] = "Identity", [TPAD_RULES_USE_CONSTANT] = "Constant",
        [TPAD_RULES_USE_RESHAPE] = "Reshape",   [TPAD_RULES_USE_EXPAND] = "Expand",
        [TPAD_RULES_USE_SLICE] = "Slice",       [TPAD_RULES_USE_SLICE_BACK] = "Slice by -1",
        [TPAD_RULES_USE_CONCAT] = "Concat",     [TPAD_RULES_USE_GATHER] = "Gather",
        [TPAD_RULES_USE_WHERE] = "Where",       [TPAD_RULES_USE_CAST_AND_BACK] = "Cast and back",
    };
    return op >= 0 && op < TPAD_RULES_USES ? names[op] : NULL;
}

/* The bit of a target in rows; 0, which matches no row, if nobody has run it. */
static uint32_t find_measured(int32_t target)
{
    const tpad_rules_target *about = tpad_rules_target_at(target);
    for (int32_t i = 0; about && i < COUNT(measured_targets); i++) {
        const char *a = about->name, *b = measured_targets[i];
        while (*a && *a == *b) a++, b++;
        if (*a == *b) return UINT32_C(1) << i;
    }
    return 0;
}

static int32_t is_right_at_opset(const tpad_rules_use *asked, uint32_t target, uint32_t type)
{
    for (int32_t i = 0; i < COUNT(measured_right); i++) {
        const right_row *row = &measured_right[i];
        if (IS_ABOUT(row, target, asked) && row->first <= asked->opset && asked->opset <= row->last)
            return (row->types & type) != 0;
    }
    return 0;
}

/* An unknown rank is at least 1. */
static int32_t has_rank(uint32_t ranks, int32_t rank)
{
    if (rank < 0) return (ranks | 1) == MEASURED_RANKS;
    return rank < 32 && ranks >> rank & 1;
}

static uint32_t may_be_empty(const limits_row *row, int32_t rank)
{
    return rank == 1 ? row->empty | row->line : row->empty;
}

static int32_t is_within_limits(const tpad_rules_use *asked, uint32_t target, uint32_t type)
{
    for (int32_t i = 0; i < COUNT(measured_limits); i++) {
        const limits_row *row = &measured_limits[i];
        if (IS_ABOUT(row, target, asked))
            return has_rank(row->ranks, asked->rank) &&
                   (!asked->is_empty || may_be_empty(row, asked->rank) & type) &&
                   (!asked->is_open || row->open & type);
    }
    return 0;
}

static int32_t is_spoiled(const tpad_rules_use *asked, uint32_t target, uint32_t type)
{
    for (int32_t i = 0; i < COUNT(measured_spoiled); i++) {
        const spoiled_row *row = &measured_spoiled[i];
        if (IS_ABOUT(row, target, asked) && row->types & type && row->bits & asked->bits) return 1;
    }
    return 0;
}

/* tract cannot read a Slice with attributes (before opset 10) along an open axis. The survey does
 * not cut open axes. */
static int32_t is_unread_slice(const tpad_rules_use *asked, int32_t target)
{
    return asked->op == TPAD_RULES_USE_SLICE && asked->opset < 10 && asked->cuts_open &&
           asked->spec == TPAD_RULES_ONNX && rules_of_target(target) == &rules_of_tract;
}

static int32_t may_use_on(const tpad_rules_use *asked, int32_t target)
{
    const uint32_t measured = find_measured(target);
    if (asked->type < 1 || asked->type > 31 || is_unread_slice(asked, target)) return 0;
    const uint32_t type = UINT32_C(1) << asked->type;
    return is_right_at_opset(asked, measured, type) && is_within_limits(asked, measured, type) &&
           !is_spoiled(asked, measured, type);
}

int32_t tpad_rules_may_use(const tpad_rules_use *use, tpad_rules_choice choice)
{
    return may_use_on(use, choice.low) && may_use_on(use, choice.high);
}

/* Conv and pools with pads of their own, and where they were observed to be right.
 *
 * The table comes from running small models in each runtime (conformance/kit.py survey). */

enum { MOST_AXES = 3 };

typedef struct windows_row {
    const char *target;
    int32_t op;                /* TPAD_RULES_WINDOW_CONV, ... */
    uint32_t types[MOST_AXES]; /* of data, for images of one, two and three axes */
} windows_row;

#include "windows_measured.h"

static int32_t is_target(const char *name, int32_t target)
{
    const tpad_rules_target *about = tpad_rules_target_at(target);
    if (!about) return 0;
    const char *its_name = about->name;
    while (*name && *name == *its_name) name++, its_name++;
    return *name == *its_name;
}

static int32_t takes_pads_on(const tpad_rules_window *window, int32_t target)
{
    for (size_t i = 0; i < sizeof measured_windows / sizeof *measured_windows; i++) {
        const windows_row *row = &measured_windows[i];
        if (row->op == window->op && is_target(row->target, target))
            return fact_has_type(window->type, row->types[window->axes - 1]);
    }
    return 0;
}

int32_t tpad_rules_takes_pads(const tpad_rules_window *window, tpad_rules_choice choice)
{
    return window->axes >= 1 && window->axes <= MOST_AXES && takes_pads_on(window, choice.low) &&
           takes_pads_on(window, choice.high);
}
