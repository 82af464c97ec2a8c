/* A rewrite of a Pad: steps in the order in which they run.  SPDX-License-Identifier: MIT
 *
 * Private to this folder. A step reads operands and makes one. Nothing here knows how a file writes
 * an operator down: onnx_rewritten.c and ir_rewritten.c do.
 *
 * rewrite_choice.c chooses a rewrite for a node: it tries those of rewrite_methods.c, from the
 * simplest on, and takes the first one of which runtimes/ says that every target runs it right. */
#ifndef TENSORPAD_LOWERING_REWRITE_H
#define TENSORPAD_LOWERING_REWRITE_H

#include "lowering.h"
#include "models/graph/model.h"
#include "runtimes/runtimes.h"

/* What an operand of a step is. */
enum {
    OPERAND_DATA,     /* the Pad's first input */
    OPERAND_VALUE,    /* the Pad's input with the pad value: one element, of rank 0 or 1 */
    OPERAND_CONSTANT, /* elements that the rewrite brings along */
    OPERAND_STEP      /* the result of a step */
};

typedef struct tpad_operand {
    int32_t kind;
    int32_t type;     /* TPAD_ONNX_... */
    int32_t rank;     /* -1 if unknown */
    int64_t *shape;   /* rank extents, -1 where unknown */
    const void *data; /* CONSTANT: dense elements in native byte order; of packed types as in ONNX,
                         the first in the low bits; strings as tpad_string */
} tpad_operand;

/* The operators of steps. Numbers below TPAD_RULES_USES are those of runtimes.h; CAST_AND_BACK is no
 * step. */
enum { STEP_CAST = TPAD_RULES_USES, STEP_PAD };

/* Every list is in the arena of the lowering. Axes count from the front. */
typedef struct tpad_step {
    int32_t op;
    int32_t input_count;
    const int32_t *inputs; /* indices of operands. WHERE: condition, then, else. PAD: data and, in
                              mode constant, the value; without it the value is 0. CONSTANT: one
                              of kind CONSTANT */
    int32_t output;        /* the operand that it makes; its type and shape say CAST's type, and the
                              shape of EXPAND and RESHAPE */
    int32_t axis;          /* CONCAT, GATHER */
    int32_t count;         /* entries of each list below */
    const int64_t *axes;   /* SLICE, SLICE_BACK; PAD: NULL for none, else an input `axes` */
    const int64_t *starts; /* SLICE, SLICE_BACK: as ONNX's Slice, which clamps them */
    const int64_t *ends;   /* */
    const int64_t *begin;  /* PAD: one for each axis, or for each entry of `axes` */
    const int64_t *end;    /* */
    const int64_t *list;   /* GATHER: the indices, all in range. RESHAPE: the shape with at most one
                              -1, and with 0 for "as in the operand". EXPAND: the shape, with 1
                              for "as in the operand" */
    const char *mode;      /* PAD */
} tpad_step;

typedef struct tpad_rewrite {
    const tpad_graph_pad *pad; /* the node; if others were folded into it, with their amounts */
    tpad_operand *operands;    /* operand 0 is the data */
    int32_t operand_count;
    const tpad_step *steps;
    int32_t step_count; /* at least 1; the last one makes the Pad's output */
} tpad_rewrite;

struct tpad_folded;

struct tpad_lowering {
    tpad_model *model;
    tpad_arena arena;
    const tpad_lower_target *targets;
    int32_t target_count;
    int32_t ways;              /* TPAD_LOWER_LENIENT | ... */
    tpad_lowered_node *nodes;  /* one for each Pad node of the model */
    struct tpad_folded *folds; /* the same; what a node that is FOLDED is a part of */
    tpad_rewrite *rewrites;    /* the same; without steps where the node stays as it is */
    const char *prefix;        /* no name of the model begins with it (new_names.c) */
    int64_t constant_bytes;    /* of all rewrites */
    int32_t lacks_memory;      /* 1: memory ended while a fold was decided */
};

/* rewrite_choice.c. Chooses a rewrite for the node of that index, which is rewrites[index].pad: sets
 * `rewrites[index]` and `nodes[index]`. Errors: E_MEMORY. */
int32_t tpad_recipe_choose(tpad_lowering *lowering, int64_t index, tpad_io_error *error);

/* plugin_pads.c. Decides about the node of that index, as TPAD_LOWER_FOR_PLUGIN says. worst: the verdict of
 * the target nodes[index].target, or SAME. */
void tpad_plugin_decide(tpad_lowering *lowering, int64_t index, const tpad_rules_finding *worst);

/* onnx_folds.c. Decides whether the node of that index is FOLDED, as TPAD_LOWER_FOLD says, and else says
 * why not. The nodes of higher indices were decided before. Errors: E_MEMORY. */
int32_t tpad_folded_decide(tpad_lowering *lowering, int64_t index, tpad_io_error *error);
/* 1 if that Pad of the model is FOLDED. */
int32_t tpad_is_folded(const tpad_lowering *lowering, const tpad_graph_pad *pad);
/* The value that takes the place of a value in the written model: another one if folded Pads make it. */
const tpad_value *tpad_folded_source(const tpad_lowering *lowering, const tpad_value *value);

/* new_names.c. Sets lowering->prefix: "lowered" and as many "_" as it takes. Errors: E_MEMORY. */
int32_t tpad_lowering_prefix(tpad_lowering *lowering, tpad_io_error *error);

/* Writes the name of the tensor `number` of that node's rewrite, which nothing in the model has. */
enum { LOWERED_NAME_EXTRA = 48 };
void tpad_lowered_name(char *name, size_t bytes, const tpad_lowering *lowering, int64_t index,
                       int32_t number);

/* onnx_rewritten.c, ir_rewritten.c. Writes the file again with the rewritten nodes. */
int32_t tpad_onnx_write_lowered(const tpad_lowering *lowering, tpad_output *output,
                                tpad_output *weights, tpad_io_error *error);
int32_t tpad_ir_write_lowered(const tpad_lowering *lowering, tpad_output *output,
                              tpad_output *weights, tpad_io_error *error);
/* onnx_prepared.c. Writes the file again with the plug-in's domain in the rewritten nodes. */
int32_t tpad_onnx_write_prepared(const tpad_lowering *lowering, tpad_output *output,
                                 tpad_io_error *error);
/* Why the format cannot write that node as other operators, or NULL. */
const char *tpad_ir_why_not_lowered(const tpad_model *model, const tpad_graph_pad *pad);

#endif
