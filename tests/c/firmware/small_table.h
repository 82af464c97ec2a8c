/* The small build, called from a program that knows the ordinary one. SPDX-License-Identifier: MIT
 *
 * Both have the same names with other widths after them, so they meet only here, by plain numbers.
 * Each build of small_table.c, with its own switches, is a table of this kind. */
#ifndef TENSORPAD_TESTS_C_FIRMWARE_SMALL_TABLE_H
#define TENSORPAD_TESTS_C_FIRMWARE_SMALL_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* A tpad_axis. Numbers that 32 bits do not hold are refused before they get there. */
typedef struct wide_axis {
    int64_t in_extent, before, after, interior, in_stride, out_stride;
    int32_t mode, order;
} wide_axis;

/* A call of tpad_plan_init and, if that succeeds, tpad_run; or of tpad_pad, which is both. */
typedef struct small_call {
    int32_t at_once;    /* 1: tpad_pad */
    int64_t plan_bytes; /* 0: the right number */
    int32_t elem_bits, rank;
    const wide_axis *axes;
    int64_t in_offset, out_offset;
    int32_t flags, reserved;
    const void *src;
    void *dst;
    const void *value;
    int32_t init, run;              /* what the two returned; run is -1 where it was not called */
    int32_t error_code, error_axis; /* -1 where no error was filled */
} small_call;

typedef struct small_build {
    const char *name;
    int32_t modes; /* bit m: mode m is there */
    int32_t interior, strides;
    int32_t max_rank;
    size_t plan_bytes;
    void (*call)(small_call *c);
    int32_t (*shape)(const small_call *c, int64_t *extents, int64_t *elems, int64_t *bytes);
    int32_t (*run_nothing)(void);  /* tpad_run of what is no plan, and of no plan at all */
    int32_t (*plan_nothing)(void); /* tpad_plan_init without a plan, and without a problem */
} small_build;

extern const small_build small_all, small_constant, small_dense, small_rows, small_reflect;

#endif
