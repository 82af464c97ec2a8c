/* The facts of a Pad node that runtimes/ judges.  SPDX-License-Identifier: MIT
 *
 * Shared by pad_facts.c, which has what all formats share, and the formats, which know the arguments. */
#ifndef TENSORPAD_MODELS_GRAPH_PAD_FACTS_H
#define TENSORPAD_MODELS_GRAPH_PAD_FACTS_H

#include "inspection.h"
#include "runtimes/runtimes.h"

/* Sets pad->facts. refusal: why the dialect refuses the node; its code is OK if it does not. */
void tpad_describe_facts(tpad_inspection *inspection, const tpad_error *refusal);

/* What the model itself leaves open, a runtime does not know when it loads the model, also if the
 * caller gave shapes of inputs. plain: the same model, read without them. */
void tpad_facts_left_open(tpad_model *model, const tpad_model *plain);

/* How an input reaches the node: TPAD_RULES_ABSENT ... */
int32_t tpad_fact_given(const tpad_inspection *inspection, int32_t input);
/* What is true of the elements of a tensor of a type of ONNX: TPAD_RULES_NOT_ZERO | ... */
int32_t tpad_fact_bits(const tpad_tensor *tensor);
/* Sets value_known and value_bits from a constant; NULL: it is not known. */
void tpad_fact_value(tpad_rules_facts *facts, const tpad_tensor *value);

/* pad_origin.c. TPAD_RULES_FROM_QUANTISED | ... */
int32_t tpad_data_from(tpad_model *model, const tpad_graph_pad *pad);

/* pad_reader.c. TPAD_RULES_MAX_POOL ..., or OTHER_OPERATOR. */
int32_t tpad_operator_of(const tpad_node *node);
/* Sets facts->reader; facts->behind is set. */
void tpad_look_at_reader(tpad_rules_facts *facts, tpad_model *model, const tpad_graph_pad *pad);
/* As facts->data_returned says. */
int32_t tpad_is_data_returned(tpad_model *model, const tpad_graph_pad *pad);

/* signs.c. 1 if the operators that make a value show that no number of it is below zero. */
int32_t tpad_is_not_negative(tpad_model *model, const tpad_graph *graph, tpad_value *value);

#endif
