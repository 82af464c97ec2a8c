/* Writes an IR with its rewritten Pads.  SPDX-License-Identifier: MIT
 *
 * Shared by ir_rewritten.c (walks through the Pads), ir_layers.c (writes the steps of a rewrite as
 * layers) and ir_text.c (changes the text of the .xml and appends constants to the .bin). */
#ifndef TENSORPAD_LOWERING_IR_WRITING_H
#define TENSORPAD_LOWERING_IR_WRITING_H

#include "models/openvino/ir.h"
#include "rewrite.h"

/* A text that replaces some bytes of the .xml, or is inserted if the span is empty. */
typedef struct ir_edit {
    struct ir_edit *next;
    ir_span span;
    int64_t order; /* among the edits at the same place */
    const char *text;
} ir_edit;

/* Bytes appended to the .bin, at a multiple of the size of the largest elements. */
enum { IR_ALIGN = 8 };
typedef struct ir_addition {
    struct ir_addition *next;
    int64_t offset, count;
    const void *bytes;
} ir_addition;

/* The source of an operand. */
typedef struct ir_place {
    int64_t layer, port;
} ir_place;

typedef struct ir_writing {
    const tpad_lowering *lowering;
    const tpad_model *model;
    tpad_arena arena; /* its failure is checked at the end */
    ir_edit *edits, **last_edit;
    int64_t edit_count;
    ir_addition *additions, **last_addition;
    int64_t bin_end;
    int64_t last_id; /* the largest id of a layer so far */
    /* Of the current Pad: */
    int64_t index;
    const tpad_rewrite *rewrite;
    const ir_layer *pad;
    int32_t names;         /* so far */
    ir_place *places;      /* of the operands */
    const char *layer_gap; /* the blanks before its layer */
    const char *edge_gap;  /* the blanks before the first edge that leads to it */
    ir_span slot;          /* of that edge */
    int32_t edges;         /* so far */
} ir_writing;

/* ir_text.c. Replaces these bytes. */
void tpad_ir_put(ir_writing *w, ir_span span, const char *text);
/* Removes these bytes and the blanks before them. */
void tpad_ir_drop(ir_writing *w, ir_span span);
/* The bytes between the quotes of an attribute of that start tag; empty if there is none. */
ir_span tpad_ir_attribute_span(const ir_writing *w, ir_span tag, const char *name);
/* The blanks before a place. */
const char *tpad_ir_gap(ir_writing *w, int64_t at);
/* Writes the .xml with all edits. */
int32_t tpad_ir_write_text(ir_writing *w, tpad_output *output, tpad_io_error *error);

/* ir_text.c. Appends the elements of a constant to the .bin, and returns where they begin and how
 * many bytes they take. */
void tpad_ir_add_elements(ir_writing *w, const tpad_operand *constant, int64_t *offset,
                          int64_t *bytes);

/* ir_layers.c. Writes the rewrite of the current Pad. */
void tpad_ir_write_rewrite(ir_writing *w);

#endif
