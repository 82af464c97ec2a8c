/* A made-up ONNX Runtime, which does as it is told.  SPDX-License-Identifier: MIT
 *
 * It counts the calls of its functions, and those of malloc and calloc, which are linked with
 * --wrap: the one with the number `fake.fails_at` fails. */
#ifndef TENSORPAD_PLUGINS_ONNXRUNTIME_TESTS_FAKE_ORT_H
#define TENSORPAD_PLUGINS_ONNXRUNTIME_TESTS_FAKE_ORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <tensorpad/onnxruntime.h>

#include "../ort_api.h"

enum { FAKE_INPUTS = 4, FAKE_OPS = 128, FAKE_RANK = 40, FAKE_ENTRIES = 4, FAKE_ATTRIBUTES = 3 };

struct ort_shape {
    int type;
    size_t rank;
    int64_t extents[FAKE_RANK];
    char names[FAKE_RANK][40];
};

struct ort_value {
    struct ort_shape shape;
    void *data;
    char **texts; /* of a tensor of strings */
};

typedef struct fake_attribute {
    const char *name;
    char kind; /* 's' text, 'l' list, 'f' float, 'i' integer */
    const char *text;
    const int64_t *list;
    size_t count;
    float real;
} fake_attribute;

typedef struct fake_entry {
    char key[80], value[80];
} fake_entry;

typedef struct fake_ort {
    const char *version;
    int reloaded;                       /* 1: another library lies where the first one lay */
    const struct OrtApiBase *meanwhile; /* it registers too while a domain is made, once */
    int fails_at, calls;                /* counted from 1; 0: none fails */
    int allocations;                    /* of the plug-in, so far */
    int statuses, shapes, domains;      /* that live */
    char message[600];                  /* of the last status */
    fake_entry entries[FAKE_ENTRIES];   /* of the options */
    int onnx, prepared;                 /* how often the options got these domains */
    const ort_op *ops[FAKE_OPS];
    int ops_count;
    int prepared_ops; /* of the domain `prepared` */
    const char *node_name;
    fake_attribute attributes[FAKE_ATTRIBUTES];
    ort_value *inputs[FAKE_INPUTS];
    size_t inputs_count;
    ort_value output;
    ort_value *bound; /* what a program bound as the output, or NULL */
    ort_shape inferred;
    int inferences; /* how often a shape was told */
    int parts;      /* of outputs, that the pool of threads ran */
} fake_ort;

extern fake_ort fake;

/* One that the plug-in has not seen yet, of that version; session options are &fake. */
const struct OrtApiBase *fake_runtime(const char *of_version);
const struct OrtApiBase *fake_old_runtime(void); /* 1.16 */

/* Forgets everything. */
void fake_reset(void);
void fake_free_output(void);

#endif
