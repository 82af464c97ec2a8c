/* The inspection of a Pad node.  SPDX-License-Identifier: MIT
 *
 * Shared by pad_inspection.c and the formats, which know what the arguments mean. */
#ifndef TENSORPAD_MODELS_GRAPH_PADS_H
#define TENSORPAD_MODELS_GRAPH_PADS_H

#include "model.h"
#include "runtimes/runtimes.h"

enum { MAX_FINDINGS = 24, PLACEHOLDER_EXTENT = 1000 };

/* A node during inspection. */
typedef struct tpad_inspection {
    tpad_model *model;
    tpad_graph_pad *pad;
    const tpad_tensor *constants[IN_COUNT]; /* NULL if unknown */
    const char *findings[MAX_FINDINGS];
    int64_t out_extents[TPAD_MAX_RANK]; /* of the output, if tpad_describe_facts knows bounds */
    int32_t failed;                     /* no memory */
} tpad_inspection;

/* A copy of a node with placeholders for unknown arguments and extents: zeros as amounts, 1000 as
 * an extent. src/specs translates this copy; `known` and `complete` say how far its answer is true
 * of the node itself. pad_inspection.c fills in the data, the format the other inputs. Code that
 * puts in a placeholder clears the bits of `known` that depend on it, and `complete`. */
typedef struct tpad_probe {
    tpad_graph_pad pad;
    const tpad_tensor *in[IN_COUNT];
    tpad_tensor tensors[IN_COUNT];
    int64_t zeros[2 * TPAD_MAX_RANK];
    int64_t axes[TPAD_MAX_RANK];
    union {
        const void *align;
        unsigned char bytes[128];
    } attributes;     /* for a copy of pad.attributes */
    uint32_t known;   /* bit i: the output's extent on axis i is known */
    int32_t guessed;  /* 1: the rank is a guess */
    int32_t complete; /* 1: it has no placeholders */
} tpad_probe;

/* Adds a sentence to the node's findings. */
void tpad_add_finding(tpad_inspection *inspection, const char *sentence);
/* A constant as a list of integers, or NULL if it is not a list. Shape [1, n] counts as a list,
 * because some models have it. */
const int64_t *tpad_inspect_list(tpad_inspection *inspection, const tpad_tensor *tensor,
                                 int32_t *count);
/* Stores an element of an ONNX type as the text of the pad value. */
void tpad_inspect_value(tpad_inspection *inspection, int32_t type, const void *element);
/* 1 if the tensor has one element. */
int32_t tpad_is_single(const tpad_tensor *tensor);

/* The facts of a Pad node, which runtimes/ judges. pad_facts.c sets those that all formats share;
 * the formats know the arguments. */

/* Sets pad->facts. refusal: why the specification forbids the node, or with code OK. */
void tpad_describe_facts(tpad_inspection *inspection, const tpad_error *refusal);

/* Restores open facts: a runtime that loads the model does not know the shapes that the caller
 * gave. plain: the same model, read without them. */
void tpad_facts_left_open(tpad_model *model, const tpad_model *plain);

/* How an input reaches the node: TPAD_RULES_ABSENT ... */
int32_t tpad_fact_given(const tpad_inspection *inspection, int32_t input);
/* Properties of the elements of a tensor with an ONNX type: TPAD_RULES_NOT_ZERO | ... */
int32_t tpad_fact_bits(const tpad_tensor *tensor);
/* Sets value_known and value_bits from a constant; NULL: unknown. */
void tpad_fact_value(tpad_rules_facts *facts, const tpad_tensor *value);

/* pad_facts.c. TPAD_RULES_FROM_CAST | ... */
int32_t tpad_data_from(tpad_model *model, const tpad_graph_pad *pad);
/* quantised.c. TPAD_RULES_FROM_QUANTISED | ... */
int32_t tpad_from_quantised(tpad_model *model, const tpad_graph_pad *pad);

/* pad_reader.c. TPAD_RULES_MAX_POOL ..., or OTHER_OPERATOR. */
int32_t tpad_operator_of(const tpad_node *node);
/* Sets facts->reader; facts->after is set. */
void tpad_look_at_reader(tpad_rules_facts *facts, tpad_model *model, const tpad_graph_pad *pad);
/* The value for facts->data_returned. */
int32_t tpad_is_data_returned(tpad_model *model, const tpad_graph_pad *pad);

/* signs.c. 1 if the operators that make a value show that none of its numbers is below zero. */
int32_t tpad_is_not_negative(tpad_model *model, const tpad_graph *graph, tpad_value *value);

#endif
