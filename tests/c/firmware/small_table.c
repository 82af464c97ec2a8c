/* One small build after plain numbers. SPDX-License-Identifier: MIT
 *
 * The library is taken in as one file, so that none of its names meets the ordinary build.
 * SMALL_BUILD is the number of a table: which parts are left out. */
#if SMALL_BUILD == 0
#define SMALL_NAME small_all
#elif SMALL_BUILD == 1
#define SMALL_NAME    small_constant
#define TPAD_MAX_RANK 5
#define TPAD_MODES    1
#define TPAD_INTERIOR 0
#define TPAD_STRIDES  0
#elif SMALL_BUILD == 2
#define SMALL_NAME   small_dense
#define TPAD_STRIDES 0
#elif SMALL_BUILD == 3
#define SMALL_NAME    small_rows
#define TPAD_INTERIOR 0
#define TPAD_STRIDES  0
#else
#define SMALL_NAME    small_reflect
#define TPAD_MODES    5
#define TPAD_INTERIOR 0
#endif
#define TPAD_SMALL
#define TPAD_ONE_FILE
#define TPAD_API static __attribute__((unused))

#include "small_table.h"

#include "../../../src/core/axis.c"
#include "../../../src/core/problem.c"
#include "../../../src/firmware/small_build.c"

static int fits(int64_t number)
{
    return number >= INT32_MIN && number <= INT32_MAX;
}

/* 0 if the numbers are too large for this build. */
static int narrow(tpad_problem *problem, tpad_axis *axes, const small_call *c)
{
    int good = fits(c->in_offset) && fits(c->out_offset);
    for (int32_t i = 0; c->axes && i < c->rank && i < TPAD_MAX_RANK; i++) {
        const wide_axis *w = &c->axes[i];
        good = good && fits(w->in_extent) && fits(w->before) && fits(w->after) &&
               fits(w->interior) && fits(w->in_stride) && fits(w->out_stride);
        axes[i] = (tpad_axis){(tpad_index)w->in_extent,
                              (tpad_index)w->before,
                              (tpad_index)w->after,
                              (tpad_index)w->interior,
                              (tpad_index)w->in_stride,
                              (tpad_index)w->out_stride,
                              w->mode,
                              w->order};
    }
    *problem = (tpad_problem){
        sizeof(tpad_problem), sizeof(tpad_axis),        c->axes ? axes : NULL,     c->rank,
        c->elem_bits,         (tpad_index)c->in_offset, (tpad_index)c->out_offset, c->flags,
        c->reserved};
    return good;
}

static void call(small_call *c)
{
    tpad_axis axes[TPAD_MAX_RANK];
    tpad_problem problem;
    tpad_plan the_plan;
    tpad_error error = {.code = -1, .axis = -1};
    c->run = -1;
    c->init = -1;
    if (!narrow(&problem, axes, c)) return;
    if (c->at_once) {
        const int32_t status = tpad_pad(&problem, c->src, c->dst, c->value, &error);
        c->init = status;
        if (status == TPAD_OK) c->run = TPAD_OK;
        c->error_code = error.code;
        c->error_axis = error.axis;
        return;
    }
    const size_t bytes = c->plan_bytes ? (size_t)c->plan_bytes : sizeof the_plan;
    c->init = tpad_plan_init(&the_plan, bytes, &problem, &error);
    c->error_code = error.code;
    c->error_axis = error.axis;
    if (c->init == TPAD_OK) c->run = tpad_run(&the_plan, c->src, c->dst, c->value);
}

static int32_t shape(const small_call *c, int64_t *extents, int64_t *elems, int64_t *bytes)
{
    tpad_axis axes[TPAD_MAX_RANK];
    tpad_problem problem;
    tpad_index small_extents[TPAD_MAX_RANK] = {0}, small_elems = 0, small_bytes = 0;
    if (!narrow(&problem, axes, c)) return -1;
    const int32_t status = tpad_shape(&problem, small_extents, &small_elems, &small_bytes, NULL);
    for (int32_t i = 0; i < c->rank && i < TPAD_MAX_RANK; i++) extents[i] = small_extents[i];
    *elems = small_elems;
    *bytes = small_bytes;
    return status;
}

/* Makes a plan that runs, then one from `problem` in its memory, which fails; 0 if the old plan
 * still runs. */
static int is_gone_after(size_t bytes, const tpad_problem *problem)
{
    const tpad_problem scalar = TPAD_PROBLEM(8, 0, NULL);
    tpad_plan old;
    const unsigned char from = 0;
    unsigned char to = 0;
    return tpad_plan_init(&old, sizeof old, &scalar, NULL) == TPAD_OK &&
           tpad_run(&old, &from, &to, NULL) == TPAD_OK &&
           tpad_plan_init(&old, bytes, problem, NULL) != TPAD_OK &&
           tpad_run(&old, &from, &to, NULL) == TPAD_E_NOT_A_PLAN;
}

static int32_t run_nothing(void)
{
    static tpad_plan never_made;
    const tpad_problem scalar = TPAD_PROBLEM(8, 0, NULL), no_width = TPAD_PROBLEM(0, 0, NULL);
    unsigned char from = 0, to = 0;
    const int32_t status = tpad_run(&never_made, &from, &to, NULL);
    if (tpad_run(NULL, &from, &to, NULL) != status) return -1;
    if (!is_gone_after(sizeof never_made, NULL) || !is_gone_after(sizeof never_made, &no_width))
        return -1;
    for (size_t bytes = 1; bytes < sizeof never_made; bytes += 3)
        if (!is_gone_after(bytes, &scalar)) return -1;
    return status;
}

static int32_t plan_nothing(void)
{
    const tpad_problem problem = {.struct_size = sizeof problem};
    tpad_plan the_plan;
    tpad_error error = {.code = -1};
    const int32_t status = tpad_plan_init(NULL, sizeof the_plan, &problem, NULL);
    const int32_t other = tpad_plan_init(&the_plan, sizeof the_plan, NULL, &error);
    return other == status && error.code == status ? status : -1;
}

#define WORD(name) #name
#define NAME(name) WORD(name)
const small_build SMALL_NAME = {NAME(SMALL_NAME), TPAD_MODES,        TPAD_INTERIOR, TPAD_STRIDES,
                                TPAD_MAX_RANK,    sizeof(tpad_plan), call,          shape,
                                run_nothing,      plan_nothing};
