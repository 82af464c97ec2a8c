/* The part of a model that only ONNX files have. SPDX-License-Identifier: MIT
 *
 * onnx_reader.c and onnx_graph.c make graphs, proto.c reads values, onnx_attributes.c attributes,
 * onnx_pad.c Pad nodes and their facts for runtimes/. */
#ifndef TENSORPAD_MODELS_ONNX_ONNX_FILE_H
#define TENSORPAD_MODELS_ONNX_ONNX_FILE_H

#include "models/graph/pads.h"
#include "protobuf/tensor_proto.h"

/* The inputs of Pad after its data. */
enum { IN_PADS = 1, IN_VALUE, IN_AXES };

/* The target of tpad_node.payload. */
typedef struct tpad_onnx_message {
    tpad_strings inputs, outputs;
    tpad_strings attributes; /* undecoded */
    tpad_string body;        /* the whole NodeProto */
} tpad_onnx_message;

/* The target of a constant's tpad_value.payload: one of the two texts. */
typedef struct tpad_onnx_constant {
    tpad_string tensor;    /* the TensorProto of an initializer or Constant node */
    tpad_string attribute; /* the attribute of another Constant node */
} tpad_onnx_constant;

/* The target of tpad_graph_pad.attributes; NULL for absent ones. */
typedef struct tpad_onnx_attributes {
    const char *mode;
    const int64_t *pads, *paddings;
    const float *value;
    int32_t pads_count, paddings_count;
    uint8_t mode_computed, pads_computed, paddings_computed, value_computed;
    uint8_t wrong_name, wrong_type;  /* 1: an attribute is not one of Pad's, or has a wrong type */
    uint8_t wrong_value, wrong_mode; /* 1: this attribute has the wrong type */
    uint8_t has_axes;                /* 1: has an attribute axes, which no version has */
} tpad_onnx_attributes;

static inline const tpad_onnx_message *tpad_message_of(const tpad_node *node)
{
    return node->payload;
}

static inline const tpad_onnx_attributes *tpad_attributes_of(const tpad_graph_pad *pad)
{
    return pad->attributes;
}

/* onnx_graph.c. body: a GraphProto, or a FunctionProto for a function. The caller has filled in the
 * members of `graph` that its parent knows. Recurses into subgraphs. */
int32_t tpad_graph_read(tpad_model *model, tpad_graph *graph, tpad_string body,
                        tpad_io_error *error);
/* 1 for an operator of ONNX's own domain. */
int32_t tpad_node_is(const tpad_node *node, const char *op_type);
/* The value with that name in the graph or, for subgraphs, in those around it; or NULL. */
tpad_value *tpad_graph_find(const tpad_graph *graph, tpad_string name);

/* TPAD_RULES_NAMES_...: the form of an extent's name (dim_param). */
int32_t tpad_onnx_extent_name(tpad_string name);

/* Fills `value` from its TensorProto, after checking it: type, shape, and where the elements are.
 * If we cannot read it (because of its rank, or a newer type), it stays unknown.
 * what: "initializer", "Constant". */
int32_t tpad_constant_describe(tpad_model *model, tpad_value *value, tpad_string tensor,
                               const char *what, tpad_io_error *error);
/* The same for the output of a Constant node. */
int32_t tpad_constant_node(tpad_model *model, tpad_value *value, const tpad_node *node,
                           tpad_io_error *error);

/* Adds to model->named_files if the elements of that TensorProto are in another file. A message
 * that cannot be read is not an error here. Errors: E_MEMORY. */
int32_t tpad_external_note(tpad_model *model, tpad_string tensor, tpad_io_error *error);

/* onnx_attributes.c. The message of an attribute, taken from the caller if the node of a function
 * refers to it: 1 if it is present, 0 if not, -1 if unknown. */
int32_t tpad_onnx_attribute_find(tpad_string *body, const tpad_graph *graph, const tpad_node *node,
                                 tpad_string name);

/* The functions of tpad_format: onnx_attributes.c, proto.c, onnx_pad.c. */
int64_t tpad_onnx_input_count(const tpad_node *node);
tpad_value *tpad_onnx_node_input(const tpad_graph *graph, const tpad_node *node, int64_t index);
tpad_value *tpad_onnx_node_output(const tpad_graph *graph, const tpad_node *node, int64_t index);
int32_t tpad_onnx_attribute(tpad_attribute *out, const tpad_graph *graph, const tpad_node *node,
                            const char *name);
int32_t tpad_onnx_load(tpad_tensor *tensor, tpad_model *model, const tpad_value *value,
                       tpad_io_error *error);
int32_t tpad_onnx_read_pad(tpad_model *model, tpad_graph_pad *pad, tpad_io_error *error);
int32_t tpad_onnx_translate_pad(tpad_translation *out, const tpad_graph_pad *pad,
                                const tpad_tensor *const in[IN_COUNT], int32_t lenient,
                                tpad_error *error);
void tpad_onnx_describe_pad(tpad_inspection *inspection);
void tpad_onnx_fill_placeholders(tpad_probe *probe, const tpad_inspection *inspection);
void tpad_onnx_describe_facts(struct tpad_rules_facts *facts, const tpad_inspection *inspection,
                              const tpad_error *refusal);

#endif
