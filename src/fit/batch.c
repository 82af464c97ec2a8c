/* Batches: tensors of different extents in one output. SPDX-License-Identifier: MIT
 *
 * Everything is checked in a first pass over the tensors; the second one writes and cannot fail. */
#include "wishes.h"

#include "../dialects/common.h"

/* A batch that was checked: the caller's struct and what follows from it. */
typedef struct batch_job {
    tpad_batch given;
    tpad_fit fit;
    int64_t extents[TPAD_MAX_RANK];
    int64_t cells; /* of one tensor in the output */
    int64_t bytes; /* of the whole output */
} batch_job;

/* One tensor as a problem of the core. */
typedef struct batch_pad {
    tpad_axis axes[TPAD_MAX_RANK];
    tpad_problem problem;
} batch_pad;

/* ---- Checks ---------------------------------------------------------------------------------- */

/* *out = a * b for a, b >= 0; returns 0 if that is above TPAD_MAX_EXTENT. The core's arithmetic of
 * addresses is safe for dense tensors of up to so many bytes. */
static int size_fits(int64_t a, int64_t b, int64_t *out)
{
    if (a != 0 && b > TPAD_MAX_EXTENT / a) return 0;
    *out = a * b;
    return 1;
}

static int32_t read_batch(batch_job *job, const tpad_batch *given, tpad_error *error)
{
    tpad_batch *batch = &job->given;
    *batch = (tpad_batch){0};
    int32_t status = dialect_read(batch, sizeof *batch, DIALECT_BYTES_UP_TO(tpad_batch, lengths),
                                  given, "tpad_batch", error);
    if (status == TPAD_OK) status = tpad_fit_read(&job->fit, batch->fit, error);
    if (status == TPAD_OK) status = dialect_check_flags(0, 0, batch->reserved, error);
    if (status != TPAD_OK) return status;
    if (job->fit.rank >= TPAD_MAX_RANK)
        return dialect_refuse(error, TPAD_E_RANK, job->fit.rank, TPAD_MAX_RANK - 1, NULL,
                              "the tensors of a batch have at most %l axes, not %g");
    if (batch->count < 1)
        return dialect_refuse(error, TPAD_E_ARGUMENT, batch->count, 1, NULL,
                              "there are %g tensors, but at least %l is needed");
    if (!batch->items)
        return dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "items", "%n is missing");
    if (batch->elem_bits < 8 || batch->elem_bits % 8 != 0 || batch->elem_bits > TPAD_MAX_ELEM_BITS)
        return dialect_refuse(error, TPAD_E_ELEM, batch->elem_bits, TPAD_MAX_ELEM_BITS, NULL,
                              "elements of %g bits: a batch takes whole bytes up to %l bits");
    return TPAD_OK;
}

/* Checks what needs no memory, and finds the extents of the output and its size. */
static int32_t measure_batch(batch_job *job, const tpad_batch *given, int64_t *item,
                             tpad_error *error)
{
    const tpad_fit *fit = &job->fit;
    *item = -1;
    int32_t status = read_batch(job, given, error);
    if (status != TPAD_OK) return status;
    for (int32_t i = 0; i < fit->rank; i++) job->extents[i] = 0;
    for (int64_t k = 0; fit->rank > 0 && k < job->given.count; k++) {
        const int64_t *extents = job->given.items[k].extents;
        status = extents ? tpad_fit_include(fit, extents, job->extents, error)
                         : dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "extents", "%n is missing");
        if (status == TPAD_OK) continue;
        *item = k;
        return status;
    }
    status = tpad_fit_round(fit, job->extents, error);
    if (status != TPAD_OK) return status;

    job->cells = 1;
    for (int32_t i = 0; i < fit->rank; i++)
        if (job->extents[i] == 0) job->cells = 0;
    for (int32_t i = 0; i < fit->rank; i++)
        if (!size_fits(job->cells, job->extents[i], &job->cells))
            return tpad_fit_refuse(error, TPAD_E_OVERFLOW, i, job->extents[i], TPAD_MAX_EXTENT,
                                   "axis %a: with extent %g a tensor of the output has more than "
                                   "%l elements");
    if (!size_fits(job->cells, job->given.count, &job->bytes) ||
        !size_fits(job->bytes, job->given.elem_bits / 8, &job->bytes))
        return dialect_refuse(error, TPAD_E_OVERFLOW, job->cells, TPAD_MAX_EXTENT, NULL,
                              "a batch with %g elements for each tensor has more than %l bytes");
    return TPAD_OK;
}

/* Checks that the addresses of a tensor's elements do not lead too far: as the core does it, but
 * before anything is written. */
static int32_t check_reach(const tpad_axis *axes, int32_t rank, int64_t elem_bytes, int dense,
                           tpad_error *error)
{
    int64_t reach = elem_bytes;
    for (int32_t i = 0; dense && i < rank; i++)
        if (axes[i].in_extent == 0) return TPAD_OK;
    for (int32_t i = rank - 1; i >= 0; i--) {
        const int64_t extent = axes[i].in_extent, stride = axes[i].in_stride;
        if (dense && size_fits(reach, extent, &reach)) continue;
        if (!dense && extent < 2) continue;
        int64_t distance;
        const int64_t most = INT64_MAX / 2;
        if (!dense && stride >= -most && stride <= most &&
            (stride == 0 || extent <= most / (stride < 0 ? -stride : stride))) {
            distance = extent * (stride < 0 ? -stride : stride);
            if (distance <= most - reach) {
                reach += distance;
                continue;
            }
        }
        return dense ? tpad_fit_refuse(error, TPAD_E_OVERFLOW, i, extent, TPAD_MAX_EXTENT,
                                       "axis %a: with extent %g the tensor has more than %l bytes")
                     : tpad_fit_refuse(error, TPAD_E_OVERFLOW, i, stride, most,
                                       "axis %a: with stride %g addresses exceed %l");
    }
    return TPAD_OK;
}

/* ---- Tensors --------------------------------------------------------------------------------- */

/* Makes the problem of tensor k. */
static int32_t place_tensor(const batch_job *job, int64_t k, batch_pad *pad, tpad_error *error)
{
    const tpad_batch_item *item = &job->given.items[k];
    const int32_t rank = job->fit.rank;
    for (int32_t i = 0; i < rank; i++) {
        pad->axes[i] = (tpad_axis){.in_extent = item->extents[i],
                                   .in_stride = item->strides ? item->strides[i] : 0};
        const int32_t status = tpad_fit_place(&job->fit, i, job->extents[i], &pad->axes[i], error);
        if (status != TPAD_OK) return status;
    }
    pad->problem = (tpad_problem)TPAD_PROBLEM(job->given.elem_bits, rank, pad->axes);
    if (item->strides) pad->problem.flags = TPAD_IN_STRIDES;
    return TPAD_OK;
}

static int32_t check_tensor(const batch_job *job, int64_t k, tpad_error *error)
{
    batch_pad pad;
    const tpad_batch_item *item = &job->given.items[k];
    int32_t status = place_tensor(job, k, &pad, error);
    if (status == TPAD_OK) status = tpad_shape(&pad.problem, NULL, NULL, NULL, error);
    if (status == TPAD_OK)
        status =
            check_reach(pad.axes, job->fit.rank, job->given.elem_bits / 8, !item->strides, error);
    if (status != TPAD_OK || item->src) return status;
    for (int32_t i = 0; i < job->fit.rank; i++)
        if (item->extents[i] == 0) return TPAD_OK;
    return dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "src", "%n of a tensor is missing");
}

/* How many elements of an axis lie in the output. */
static int64_t kept_length(const tpad_axis *axis, int64_t extent)
{
    const int64_t begin = axis->before > 0 ? axis->before : 0;
    const int64_t last = axis->before + axis->in_extent;
    const int64_t end = last < extent ? last : extent;
    return end > begin ? end - begin : 0;
}

/* Pads tensor k, and writes its part of the mask and its lengths. */
static void pad_tensor(const batch_job *job, int64_t k)
{
    static const unsigned char one = 1;
    const tpad_batch *batch = &job->given;
    const int32_t rank = job->fit.rank;
    batch_pad pad;
    place_tensor(job, k, &pad, NULL);
    for (int32_t i = 0; batch->lengths && i < rank; i++)
        batch->lengths[k * rank + i] = kept_length(&pad.axes[i], job->extents[i]);
    if (job->cells == 0) return;
    unsigned char *dst = (unsigned char *)batch->dst + k * job->cells * (batch->elem_bits / 8);
    tpad_pad(&pad.problem, batch->items[k].src, dst, batch->value, NULL);
    if (!batch->mask) return;
    for (int32_t i = 0; i < rank; i++) {
        pad.axes[i].in_stride = 0;
        pad.axes[i].mode = TPAD_CONSTANT;
    }
    pad.problem.elem_bits = 8;
    pad.problem.flags = TPAD_IN_STRIDES;
    tpad_pad(&pad.problem, &one, batch->mask + k * job->cells, NULL, NULL);
}

/* ---- Calls ----------------------------------------------------------------------------------- */

int32_t tpad_batch_shape(const tpad_batch *given, int64_t *out_extents, int64_t *bytes,
                         int64_t *item, tpad_error *error)
{
    batch_job job;
    int64_t about;
    int32_t status = measure_batch(&job, given, &about, error);
    if (status == TPAD_OK && job.fit.rank > 0 && !out_extents)
        status = dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "out_extents", "%n is missing");
    if (item) *item = about;
    if (status != TPAD_OK) return status;
    for (int32_t i = 0; i < job.fit.rank; i++) out_extents[i] = job.extents[i];
    if (bytes) *bytes = job.bytes;
    return TPAD_OK;
}

int32_t tpad_batch_run(const tpad_batch *given, const tpad_runner *runner, int64_t *item,
                       tpad_error *error)
{
    batch_job job;
    int64_t about;
    int32_t status = measure_batch(&job, given, &about, error);
    if (status == TPAD_OK && runner &&
        (runner->struct_size != sizeof *runner || !runner->run || runner->width < 1))
        status = dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "runner",
                                "%n: its struct_size, run or width is wrong");
    if (status == TPAD_OK && job.cells > 0 && !job.given.dst)
        status = dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "dst", "%n is missing");
    for (int64_t k = 0; status == TPAD_OK && k < job.given.count; k++) {
        status = check_tensor(&job, k, error);
        if (status != TPAD_OK) about = k;
    }
    if (item) *item = about;
    if (status != TPAD_OK) return status;
    for (int64_t k = 0; k < job.given.count; k++) pad_tensor(&job, k);
    return TPAD_OK;
}
