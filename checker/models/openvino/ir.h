/* The contents of an OpenVINO IR file. SPDX-License-Identifier: MIT
 *
 * ir_xml.c parses it, ir_reader.c makes a model of it, ir_constants.c reads its constants, ir_pad.c
 * its Pad layers and their facts for runtimes/. */
#ifndef TENSORPAD_MODELS_OPENVINO_IR_H
#define TENSORPAD_MODELS_OPENVINO_IR_H

#include "models/graph/pads.h"

/* The inputs of Pad after its data. */
enum { IN_BEGIN = 1, IN_END, IN_VALUE };

/* The attributes of layers that the reader needs; the text is NULL if absent. */
enum {
    ATTR_ELEMENT_TYPE,
    ATTR_SHAPE,
    ATTR_OFFSET,
    ATTR_SIZE,
    ATTR_DESTINATION_TYPE,
    ATTR_PAD_MODE,
    ATTR_PADS_BEGIN,
    ATTR_PADS_END,
    ATTR_PAD_VALUE,
    ATTR_NAMED, /* from here on: attributes that are read by name (ir_xml.c lists them) */
    ATTR_COUNT = ATTR_NAMED + 26
};

/* Bytes of the .xml, from `begin` up to before `end`. */
typedef struct ir_span {
    int64_t begin, end;
} ir_span;

typedef struct ir_port {
    struct ir_port *next;
    struct ir_layer *layer;
    int64_t id;
    int32_t position;     /* its place on its side; edges use it, ids are only labels */
    int32_t type;         /* TPAD_OPENVINO_..., 0 if unknown */
    int32_t rank;         /* the number of dims; -1 for more than TPAD_MAX_RANK */
    const int64_t *shape; /* -1 where unknown */
    tpad_string names;    /* a list with commas */
    /* Set by ir_reader.c. */
    struct ir_port *from;       /* of an input: the output that it reads, or NULL */
    const struct ir_edge *edge; /* of an input: the edge to it, or NULL */
    tpad_value *value;          /* of an output */
    int32_t consumers;          /* of an output */
    int32_t converts;           /* of a constant output: the number of Converts before it */
    tpad_string elements;       /* of a Const: its bytes in the .bin */
} ir_port;

/* Ports of one side of a layer. */
typedef struct ir_ports {
    ir_port *first;
    ir_port **last;
    ir_port **by_id; /* sorted; made by ir_reader.c */
    int32_t count;
} ir_ports;

typedef struct ir_layer {
    struct ir_layer *next;
    int64_t id;
    tpad_string name, type, version, output_names;
    tpad_string *attributes; /* ATTR_COUNT of them, or NULL */
    int32_t precision;       /* of old files: a type for the whole layer */
    ir_ports in, out;
    struct ir_graph *graph, *bodies, **last_body;
    ir_span tag, data, input; /* its start tag, and its elements <data> and <input> */
    int32_t repeats;          /* 1: one of these elements occurs twice */
    /* Set by ir_reader.c. */
    struct ir_layer *below; /* on the stack of a search */
    ir_port *cursor;
    int32_t mark;
    int32_t used; /* 1: an output of the model needs it */
} ir_layer;

typedef struct ir_edge {
    struct ir_edge *next;
    int64_t from_layer, from_port, to_layer, to_port;
    ir_span span;
} ir_edge;

typedef struct ir_graph {
    const struct ir_file *file;
    struct ir_graph *parent, *next;
    tpad_string label; /* "then_body" ... */
    int32_t depth;
    ir_layer *layers, **last_layer;
    int64_t layer_count;
    ir_edge *edges, **last_edge;
} ir_graph;

/* A whole file. */
typedef struct ir_file {
    int64_t version;
    int64_t last_id; /* the largest of any layer, at least 0 */
    ir_graph *top;
} ir_file;

/* The target of tpad_graph_pad.attributes. */
typedef struct ir_pad {
    int32_t opset;
    const char *mode;           /* NULL: absent */
    const int64_t *begin, *end; /* of old files, which have attributes; else NULL */
    int32_t begin_count, end_count;
    const void *value; /* of old files: one element of the data's type, or NULL */
} ir_pad;

/* ir_xml.c. Reads the text of the model into the model's arena. */
int32_t tpad_ir_parse(ir_file *file, tpad_model *model, tpad_io_error *error);
/* Reads a whole number, or a list of at most `room` numbers with commas ("0, -1,2") into items.
 * Returns 1, or 0 for any other text. */
int32_t tpad_ir_integer(int64_t *number, tpad_string text);
int32_t tpad_ir_integers(int64_t *items, int32_t room, int32_t *count, tpad_string text);
/* The attribute, or an empty text. */
tpad_string tpad_ir_attribute(const ir_layer *layer, int32_t attribute);
tpad_string tpad_ir_attribute_named(const ir_layer *layer, const char *name);
/* 1 if the layer is of that type, in upper or lower case. */
int32_t tpad_ir_is(const ir_layer *layer, const char *type);
/* The type with that name, or 0. */
int32_t tpad_ir_type(tpad_string name);

/* ir_constants.c. Checks the layer Const against its file and fills the value of its output. */
int32_t tpad_ir_constant(tpad_model *model, const ir_layer *layer, tpad_io_error *error);
/* The same for a Convert, whose input may be a constant. */
int32_t tpad_ir_convert(tpad_model *model, const ir_layer *layer, tpad_io_error *error);
int32_t tpad_ir_load(tpad_tensor *tensor, tpad_model *model, const tpad_value *value,
                     tpad_io_error *error);
/* The whole .bin; no bytes if there is none. */
int32_t tpad_ir_weights(const tpad_bytes **bytes, tpad_model *model, tpad_io_error *error);

/* Converts elements between OpenVINO's number types. Returns NULL, or why an element cannot be
 * converted. `to` has room for `count`. */
int32_t tpad_ir_can_convert(int32_t to, int32_t from);
const char *tpad_ir_convert_elements(void *to, int32_t to_type, const void *from, int32_t from_type,
                                     int32_t big_endian, int64_t count);

/* The functions of tpad_format (ir_pad.c). */
int64_t tpad_ir_input_count(const tpad_node *node);
tpad_value *tpad_ir_node_input(const tpad_graph *graph, const tpad_node *node, int64_t index);
tpad_value *tpad_ir_node_output(const tpad_graph *graph, const tpad_node *node, int64_t index);
int32_t tpad_ir_node_attribute(tpad_attribute *out, const tpad_graph *graph, const tpad_node *node,
                               const char *name);
int32_t tpad_ir_read_pad(tpad_model *model, tpad_graph_pad *pad, tpad_io_error *error);
int32_t tpad_ir_translate(tpad_translation *out, const tpad_graph_pad *pad,
                          const tpad_tensor *const in[IN_COUNT], int32_t lenient,
                          tpad_error *error);
void tpad_ir_describe_pad(tpad_inspection *inspection);
void tpad_ir_fill_placeholders(tpad_probe *probe, const tpad_inspection *inspection);
void tpad_ir_describe_facts(struct tpad_rules_facts *facts, const tpad_inspection *inspection,
                            const tpad_error *refusal);

#endif
