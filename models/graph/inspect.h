/* Looking at one Pad node.  SPDX-License-Identifier: MIT
 *
 * Shared by inspect.c and the formats, which know what the arguments mean. */
#ifndef TPAD_GRAPH_INSPECT_H
#define TPAD_GRAPH_INSPECT_H

#include "model.h"

enum { MAX_FINDINGS = 24, STAND_IN_EXTENT = 1000 };

/* One node while it is looked at. */
typedef struct tpad_look {
    tpad_model *model;
    tpad_graph_pad *pad;
    const tpad_tensor *constants[IN_COUNT]; /* where they are known */
    const char *findings[MAX_FINDINGS];
    int32_t failed; /* no memory */
} tpad_look;

/* A node's arguments with something harmless in place of what is not known. inspect.c fills the
 * data; the format the rest, and takes away from `known` and `everything`. */
typedef struct tpad_trial {
    tpad_graph_pad pad; /* a copy of the node */
    const tpad_tensor *in[IN_COUNT];
    tpad_tensor tensors[IN_COUNT];
    int64_t zeros[2 * TPAD_MAX_RANK];
    int64_t axes[TPAD_MAX_RANK];
    union {
        const void *align;
        unsigned char bytes[128];
    } own;              /* for a copy of pad.own */
    uint32_t known;     /* bit i: the output's extent on axis i follows */
    int32_t guessed;    /* 1: the rank is a guess */
    int32_t everything; /* 1: nothing stands in for anything */
} tpad_trial;

/* Adds a sentence to what is found. */
void tpad_find(tpad_look *look, const char *sentence);
/* The list of integers that a constant is, or NULL if it is none; [1, n] is one too: some models
 * have it. */
const int64_t *tpad_look_list(tpad_look *look, const tpad_tensor *tensor, int32_t *count);
/* Shows one element of an ONNX type as the pad value. */
void tpad_look_value(tpad_look *look, int32_t type, const void *element);
/* 1 if the tensor has one element. */
int32_t tpad_is_single(const tpad_tensor *tensor);

#endif
