/* A model in memory: graphs, nodes, values, Pad nodes.  SPDX-License-Identifier: MIT
 *
 * Shared by model.c and graph.c (which make it), constant.c, inspect.c and findings.c (which look
 * at its Pad nodes) and job.c and execute.c (which run them). */
#ifndef TPAD_IO_MODEL_H
#define TPAD_IO_MODEL_H

#include "arena.h"
#include "tensor_proto.h"

/* The inputs of Pad, in their order. */
enum { IN_DATA, IN_PADS, IN_VALUE, IN_AXES, IN_COUNT };

typedef struct tpad_node {
    tpad_string name, op_type, domain;
    tpad_strings inputs, outputs;
    tpad_strings attributes;      /* undecoded */
    struct tpad_graph *subgraphs; /* a list, in file order */
} tpad_node;

/* A name in a graph, and what the file tells of it. */
typedef struct tpad_value {
    tpad_string name;
    int32_t type;             /* TPAD_ONNX_..., 0 if unknown */
    int32_t rank;             /* -1 if unknown */
    const int64_t *shape;     /* -1 where unknown */
    int64_t producer;         /* index of the node, or -1 */
    tpad_string tensor;       /* the TensorProto of an initializer or Constant node, or NULL */
    tpad_string attribute;    /* the attribute of another Constant node, or NULL */
    const tpad_tensor *small; /* its elements, once somebody asked for them */
    int64_t order;            /* in which it was met, before sorting */
    uint8_t is_input;         /* of its graph or function */
    uint8_t is_initializer;   /* also one that cannot be read: then there is no `tensor` */
} tpad_value;

typedef struct tpad_graph {
    struct tpad_graph *parent; /* NULL: the top graph or a function */
    const tpad_node *holder;   /* the parent's node that holds it */
    tpad_string label;         /* the attribute's name; of a function its name */
    tpad_string domain;        /* of a function */
    tpad_string overload;      /* of a function */
    int64_t label_index;       /* in a list of graphs, or -1 */
    int32_t is_function;
    int32_t depth;
    int32_t opset;    /* of the domain that Pad is in; 0 if there is none */
    const char *path; /* as in tpad_pad_node; NULL until somebody wants it */
    tpad_node *nodes;
    int64_t node_count;
    tpad_strings inputs, outputs; /* names, in the file's order */
    tpad_value *values;           /* sorted by name */
    int64_t value_count;
    struct tpad_graph *next; /* in the list that it is in */
} tpad_graph;

/* A Pad node: what is shown of it, and what is needed to run it. */
typedef struct tpad_pad {
    tpad_pad_node shown;
    tpad_graph *graph;
    const tpad_node *node;
    tpad_value *inputs[IN_COUNT]; /* NULL: absent, or nobody makes it */
    uint8_t present[IN_COUNT];    /* 1: the node names one */
    /* Attributes: NULL where absent. */
    const char *mode;
    const int64_t *pads, *paddings;
    const float *value;
    int32_t pads_count, paddings_count;
    uint8_t mode_computed, pads_computed, paddings_computed, value_computed;
    const char *trouble; /* why its attributes and inputs are none of Pad's, or NULL */
} tpad_pad;

struct tpad_model {
    tpad_arena arena;
    tpad_bytes bytes;
    char *path;
    int64_t ir_version;
    tpad_graph *top;
    tpad_graph *functions; /* a list, in file order */
    tpad_pad *pads;
    int64_t pad_count;
    struct tpad_external *externals; /* files that were opened for external data */
};

/* graph.c. body: a GraphProto, or of a function a FunctionProto. `graph` is filled as far as its
 * parent knows it. Recurses into subgraphs. */
int32_t tpad_graph_read(tpad_model *model, tpad_graph *graph, tpad_string body,
                        tpad_io_error *error);
/* 1 for an operator of ONNX's own domain. */
int32_t tpad_node_is(const tpad_node *node, const char *op_type);
/* The value of that name in the graph or, for subgraphs, in those around it; or NULL. */
tpad_value *tpad_graph_find(const tpad_graph *graph, tpad_string name);
/* Gives list->items room for what was counted; 0 if there is no memory. */
int32_t tpad_strings_reserve(tpad_arena *arena, tpad_strings *list);

/* constant.c. 1 if the value is known without running anything. */
int32_t tpad_value_is_constant(const tpad_value *value);
/* Makes `value` what its TensorProto says, checked: type, shape, where the elements are. One that
 * we cannot read (its rank, or a newer type) stays unknown. what: "initializer", "Constant". */
int32_t tpad_constant_describe(tpad_model *model, tpad_value *value, tpad_string tensor,
                               const char *what, tpad_io_error *error);
/* The same of the output of a Constant node. */
int32_t tpad_constant_node(tpad_model *model, tpad_value *value, const tpad_node *node,
                           tpad_io_error *error);
/* Its elements, for the caller to free with tpad_tensor_free before the model. */
int32_t tpad_constant_load(tpad_tensor *tensor, tpad_model *model, const tpad_value *value,
                           tpad_io_error *error);
/* The same of at most TPAD_SMALL elements, loaded once and owned by the model: however many nodes
 * share a constant, it costs its bytes once. */
enum { TPAD_SMALL = 64 };
int32_t tpad_constant_small(const tpad_tensor **tensor, tpad_model *model, tpad_value *value,
                            tpad_io_error *error);
void tpad_externals_close(tpad_model *model);

/* pad_node.c. Fills what a Pad node's own message says; its graph and node are set. */
int32_t tpad_pad_read(tpad_model *model, tpad_pad *pad, tpad_io_error *error);
/* The node's arguments as the file has them, without the tensors. */
void tpad_pad_begin(tpad_onnx_pad *out, const tpad_pad *pad, int32_t flags);
/* Fills graph->path. */
int32_t tpad_graph_name(tpad_model *model, tpad_graph *graph, tpad_io_error *error);
/* A name with a NUL behind it; E_FILE if there is one inside. */
int32_t tpad_name_text(const char **text, tpad_model *model, tpad_string name,
                       tpad_io_error *error);

/* inspect.c. Fills model->pads. */
int32_t tpad_model_inspect(tpad_model *model, tpad_io_error *error);

/* findings.c. What runtimes are known to make of a problem. known: bit i is set where the extent of
 * axis i is. Calls `found` for each sentence. */
void tpad_find_differences(const tpad_onnx_problem *problem, int32_t opset, int32_t type,
                           uint32_t known, void (*found)(void *context, const char *sentence),
                           void *context);

int32_t tpad_no_memory(const tpad_model *model, tpad_io_error *error);

#endif
