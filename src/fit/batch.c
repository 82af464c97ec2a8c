/* Batches: tensors of different extents in one output. SPDX-License-Identifier: MIT
 *
 * The first pass over the tensors checks everything. The second one writes, on the caller's threads
 * if there is much to write; it cannot fail. */
#include "fit_rules.h"

#include "../specs/spec_common.h"

/* Tensors of the output up to this size are not split. */
enum { WHOLE_BYTES = 65536 };
/* The bytes of fill values for put_row, and the widest elements that it accepts. */
enum { PATTERN_BYTES = 512, ROW_ELEM_BYTES = 64 };

/* As in tpad_run_with (src/core/run.c): outputs that are worth threads. */
enum { WORTH_SHARES = 2 << 20, SMALLEST_SHARE = 1 << 20, MOST_SHARES = 1024 };

/* A checked batch. */
typedef struct batch_job {
    tpad_batch batch; /* the caller's */
    tpad_fit fit;
    int64_t elem_bytes;
    int64_t extents[TPAD_MAX_RANK]; /* of each tensor in the output, */
    int64_t cells, bytes;           /* and its size */
    int rows;       /* 1: the output consists of short vectors, which put_row can write */
    int64_t shares; /* number of parts the whole output is split into */
    int64_t pieces; /* number of parts each tensor is split into */
    int64_t pattern_bytes;
    unsigned char pattern[PATTERN_BYTES]; /* the fill value, repeated */
    unsigned char statuses[MOST_SHARES];  /* of each share, the largest of its tensors */
} batch_job;

/* One tensor as a problem of the core. */
typedef struct batch_pad {
    tpad_axis axes[TPAD_MAX_RANK];
    tpad_problem problem;
} batch_pad;

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a < b ? b : a;
}

/* The first of `count` things that belongs to this one of equal parts, or to a later part. */
static int64_t first_of(int64_t count, int64_t part, int64_t parts)
{
    return count / parts * part + smaller(part, count % parts);
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static int32_t read_batch(batch_job *job, const tpad_batch *given, tpad_error *error)
{
    tpad_batch *batch = &job->batch;
    *batch = (tpad_batch){0};
    int32_t status = dialect_read(batch, sizeof *batch, DIALECT_BYTES_UP_TO(tpad_batch, lengths),
                                  given, "tpad_batch", error);
    if (status == TPAD_OK) status = dialect_check_flags(0, 0, batch->reserved, error);
    if (status == TPAD_OK) status = tpad_fit_read(&job->fit, batch->fit, error);
    if (status != TPAD_OK) return status;
    if (job->fit.rank >= TPAD_MAX_RANK)
        return dialect_refuse(error, TPAD_E_RANK, job->fit.rank, TPAD_MAX_RANK - 1, NULL,
                              "rank %g: the tensors of a batch have at most %l axes");
    if (batch->count < 1)
        return dialect_refuse(error, TPAD_E_ARGUMENT, batch->count, 1, NULL,
                              "there are %g tensors, but at least %l is needed");
    if (!batch->items)
        return dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "items", "%n is missing");
    if (batch->elem_bits < 8 || batch->elem_bits % 8 != 0 || batch->elem_bits > TPAD_MAX_ELEM_BITS)
        return dialect_refuse(error, TPAD_E_ELEM, batch->elem_bits, TPAD_MAX_ELEM_BITS, NULL,
                              "elements of %g bits: a batch has whole bytes up to %l bits");
    job->elem_bytes = batch->elem_bits / 8;
    return TPAD_OK;
}

static int32_t check_runner(const tpad_runner *runner, tpad_error *error)
{
    tpad_runner read;
    const int32_t status =
        dialect_read(&read, sizeof read, sizeof read, runner, "tpad_runner", error);
    if (status != TPAD_OK) return status;
    if (!runner->run)
        return dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "tpad_runner", "%n: run is missing");
    if (runner->width < 1)
        return dialect_refuse(error, TPAD_E_ARGUMENT, runner->width, 1, "tpad_runner",
                              "%n: width is %g, but at least %l is needed");
    return TPAD_OK;
}

/* Computes the size of the output, bounded so that the core can reach every byte of it. */
static int32_t measure_output(batch_job *job, tpad_error *error)
{
    const int32_t rank = job->fit.rank;
    job->cells = 1;
    for (int32_t i = 0; i < rank; i++)
        if (job->extents[i] == 0) job->cells = 0;
    for (int32_t i = 0; i < rank; i++)
        if (!fit_product(job->cells, job->extents[i], &job->cells))
            return tpad_fit_refuse(error, TPAD_E_OVERFLOW, i, job->extents[i], TPAD_MAX_EXTENT,
                                   "axis %a: with an extent of %g each tensor of the output would "
                                   "have more than %l elements");
    int64_t whole;
    if (!fit_product(job->cells, job->elem_bytes, &job->bytes) ||
        !fit_product(job->bytes, job->batch.count, &whole))
        return dialect_refuse(error, TPAD_E_OVERFLOW, job->cells, TPAD_MAX_EXTENT, NULL,
                              "with %g elements for each tensor the output would have more than "
                              "%l bytes");
    job->rows = job->fit.rank == 1 && fit_request(&job->fit, 0)->mode == TPAD_CONSTANT &&
                job->elem_bytes <= ROW_ELEM_BYTES && job->bytes <= WHOLE_BYTES &&
                !job->batch.value_strides;
    return TPAD_OK;
}

/* Checks everything except the tensors' places, and finds the extents of the output. */
static int32_t open_batch(batch_job *job, const tpad_batch *given, int64_t *item, tpad_error *error)
{
    const tpad_fit *fit = &job->fit;
    *item = -1;
    int32_t status = read_batch(job, given, error);
    if (status != TPAD_OK) return status;
    for (int32_t i = 0; i < fit->rank; i++) job->extents[i] = 0;
    for (int64_t k = 0; fit->rank > 0 && k < job->batch.count; k++) {
        const int64_t *extents = job->batch.items[k].extents;
        status = extents ? tpad_fit_include(fit, extents, job->extents, error)
                         : dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "extents",
                                          "%n of a tensor is missing");
        if (status != TPAD_OK) {
            *item = k;
            return status;
        }
    }
    status = tpad_fit_round(fit, job->extents, error);
    return status == TPAD_OK ? measure_output(job, error) : status;
}

/* The place of tensor k in the output. */
static unsigned char *tensor_place(const batch_job *job, int64_t k)
{
    return (unsigned char *)job->batch.dst + k * job->bytes;
}

/* Adds to *reach how far a stride leads over `count` neighbours; 0: too far for the core. */
static int add_distance(int64_t *reach, int64_t stride, int64_t count)
{
    const int64_t most = INT64_MAX / 2;
    if (stride < -most || stride > most) return 0;
    const int64_t size = stride < 0 ? -stride : stride;
    if (size != 0 && count > (most - *reach) / size) return 0;
    *reach += size * count;
    return 1;
}

/* The cells of an output axis that hold the tensor's own elements. */
typedef struct batch_span {
    int64_t first, count;
} batch_span;

static batch_span kept_span(const tpad_axis *axis, int64_t extent)
{
    const int64_t first = larger(axis->before, 0);
    const int64_t end = smaller(axis->before + axis->in_extent, extent);
    return first < end ? (batch_span){first, end - first} : (batch_span){0, 0};
}

/* 1 if the output holds elements of a tensor, in place or repeated by a mode. */
static int is_read(const batch_job *job, const tpad_axis *axes)
{
    for (int32_t i = 0; i < job->fit.rank; i++)
        if (axes[i].mode == TPAD_CONSTANT && kept_span(&axes[i], job->extents[i]).count == 0)
            return 0;
    return 1;
}

/* Checks that the core can reach all elements of tensor k, and that they are not read from the
 * place where the tensor is written. The core requires reachable strides even if another axis is
 * empty. */
static int32_t check_source(const batch_job *job, int64_t k, const tpad_axis *axes,
                            tpad_error *error)
{
    const tpad_batch_item *item = &job->batch.items[k];
    const int32_t rank = job->fit.rank;
    int64_t bytes = job->elem_bytes;
    int is_empty = 0;
    for (int32_t i = 0; i < rank; i++) is_empty |= item->extents[i] == 0;
    for (int32_t i = rank - 1; i >= 0; i--) {
        const int64_t extent = item->extents[i];
        if (!item->strides && !is_empty && !fit_product(bytes, extent, &bytes))
            return tpad_fit_refuse(
                error, TPAD_E_OVERFLOW, i, extent, TPAD_MAX_EXTENT,
                "axis %a: with an extent of %g the tensor has more than %l bytes");
        if (item->strides && extent > 1 && !add_distance(&bytes, item->strides[i], extent))
            return tpad_fit_refuse(error, TPAD_E_OVERFLOW, i, item->strides[i], INT64_MAX / 2,
                                   "axis %a: with stride %g addresses exceed %l");
    }
    if (is_empty) return TPAD_OK;
    if (!item->src)
        return dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "src", "%n of a tensor is missing");
    if (job->cells > 0 && item->src == tensor_place(job, k) && is_read(job, axes))
        return dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "src",
                              "%n of a tensor is its place in dst: the output would overwrite the "
                              "input");
    return TPAD_OK;
}

/* ---- One tensor ------------------------------------------------------------------------------ */

/* Makes the problem of a tensor. */
static int32_t place_tensor(const batch_job *job, const tpad_batch_item *item, batch_pad *pad,
                            tpad_error *error)
{
    const int32_t rank = job->fit.rank;
    for (int32_t i = 0; i < rank; i++) {
        pad->axes[i] = (tpad_axis){.in_extent = item->extents[i],
                                   .in_stride = item->strides ? item->strides[i] : 0};
        const int32_t status = tpad_fit_place(&job->fit, i, job->extents[i], &pad->axes[i], error);
        if (status != TPAD_OK) return status;
    }
    pad->problem = (tpad_problem)TPAD_PROBLEM(job->batch.elem_bits, rank, pad->axes);
    pad->problem.flags = item->strides ? TPAD_IN_STRIDES : 0;
    return TPAD_OK;
}

/* Checks that the core can reach all values of an array. */
static int32_t check_values(const batch_job *job, tpad_error *error)
{
    const int64_t *strides = job->batch.value_strides;
    int64_t bytes = job->elem_bytes;
    for (int32_t i = 0; strides && i < job->fit.rank; i++)
        if (job->extents[i] > 1 && !add_distance(&bytes, strides[i], job->extents[i]))
            return tpad_fit_refuse(error, TPAD_E_OVERFLOW, i, strides[i], INT64_MAX / 2,
                                   "axis %a: with a stride of %g for values addresses exceed %l");
    return TPAD_OK;
}

/* 1 if put_row can pad the tensor. */
static int is_row(const batch_job *job, const tpad_batch_item *item)
{
    return job->rows && (!item->strides || item->strides[0] == job->elem_bytes);
}

static int32_t check_tensor(const batch_job *job, int64_t k, tpad_error *error)
{
    const tpad_batch_item *item = &job->batch.items[k];
    batch_pad pad;
    int32_t status = place_tensor(job, item, &pad, error);
    if (status == TPAD_OK && !is_row(job, item))
        status = tpad_shape(&pad.problem, NULL, NULL, NULL, error);
    return status == TPAD_OK ? check_source(job, k, pad.axes, error) : status;
}

/* Repeats the fill value, so that put_row writes many at once. */
static void make_pattern(batch_job *job)
{
    int64_t bytes = job->batch.value ? job->elem_bytes : PATTERN_BYTES;
    if (job->batch.value)
        tpad_memcpy(job->pattern, job->batch.value, (size_t)bytes);
    else
        tpad_memset(job->pattern, 0, (size_t)bytes);
    for (; 2 * bytes <= PATTERN_BYTES; bytes *= 2)
        tpad_memcpy(job->pattern + bytes, job->pattern, (size_t)bytes);
    job->pattern_bytes = bytes;
}

static void fill_row(const batch_job *job, unsigned char *dst, int64_t bytes)
{
    for (; bytes > job->pattern_bytes; bytes -= job->pattern_bytes) {
        tpad_memcpy(dst, job->pattern, (size_t)job->pattern_bytes);
        dst += job->pattern_bytes;
    }
    tpad_memcpy(dst, job->pattern, (size_t)bytes);
}

/* Writes a short vector in mode constant, like tpad_pad without its checks. */
static void put_row(const batch_job *job, const unsigned char *src, const tpad_axis *axis,
                    unsigned char *dst)
{
    const batch_span kept = kept_span(axis, job->extents[0]);
    const int64_t bytes = kept.count * job->elem_bytes, front = kept.first * job->elem_bytes;
    fill_row(job, dst, front);
    if (bytes > 0)
        tpad_memcpy(dst + front, src + (axis->before < 0 ? -axis->before * job->elem_bytes : 0),
                    (size_t)bytes);
    fill_row(job, dst + front + bytes, job->bytes - front - bytes);
}

/* Advances to the next row. */
static void next_row(int64_t *index, const int64_t *extents, int32_t axes)
{
    for (int32_t i = axes - 1; i >= 0 && ++index[i] == extents[i]; i--) index[i] = 0;
}

static int is_kept(const int64_t *index, const batch_span *kept, int32_t axes)
{
    for (int32_t i = 0; i < axes; i++)
        if (index[i] < kept[i].first || index[i] >= kept[i].first + kept[i].count) return 0;
    return 1;
}

/* Writes cells [begin, end) of a tensor's mask. A row spans the innermost axis that is not all
 * ones, and the axes inside it. */
static void put_mask(const batch_job *job, const tpad_axis *axes, unsigned char *mask,
                     int64_t begin, int64_t end)
{
    batch_span kept[TPAD_MAX_RANK], ones = {0, 1};
    int64_t index[TPAD_MAX_RANK], row = 1, at = begin;
    int32_t outer = job->fit.rank;
    for (int32_t i = 0; i < outer; i++) kept[i] = kept_span(&axes[i], job->extents[i]);
    while (outer > 0 && ones.count == row) {
        outer--;
        ones = (batch_span){kept[outer].first * row, kept[outer].count * row};
        row *= job->extents[outer];
    }
    int64_t rest = begin / row;
    for (int32_t i = outer - 1; i >= 0; i--) {
        index[i] = rest % job->extents[i];
        rest /= job->extents[i];
    }
    for (int64_t first = begin - begin % row; first < end; first += row) {
        const int64_t from = larger(first + ones.first, at);
        const int64_t to = smaller(first + ones.first + ones.count, end);
        if (from < to && is_kept(index, kept, outer)) {
            tpad_memset(mask + at, 0, (size_t)(from - at));
            tpad_memset(mask + from, 1, (size_t)(to - from));
            at = to;
        }
        next_row(index, job->extents, outer);
    }
    tpad_memset(mask + at, 0, (size_t)(end - at));
}

/* ---- Shares ---------------------------------------------------------------------------------- */

/* Pads pieces [first, last) of a tensor. A separate function, so that only tensors that are split,
 * or have an array of values, need the memory of a plan. */
static TPAD_NOINLINE int64_t pad_pieces(const batch_job *job, const tpad_problem *problem,
                                        const void *src, void *dst, int64_t first, int64_t last)
{
    tpad_plan plan;
    const tpad_fill fill = {sizeof fill, job->batch.value, job->batch.value_strides};
    int64_t status = tpad_plan_init(&plan, sizeof plan, problem, NULL);
    for (int64_t piece = first; piece < last; piece++)
        status = larger(status, tpad_run_fill_part(&plan, src, dst, &fill, piece, job->pieces));
    return status;
}

/* Writes pieces [first, last) of tensor k: its elements, its mask and, with the first piece, its
 * lengths. Returns the core's status. */
static int64_t put_tensor(const batch_job *job, int64_t k, int64_t first, int64_t last)
{
    const tpad_batch *batch = &job->batch;
    const tpad_batch_item *item = &batch->items[k];
    const int32_t rank = job->fit.rank;
    batch_pad pad;
    int64_t status = place_tensor(job, item, &pad, NULL);
    for (int32_t i = 0; batch->lengths && first == 0 && i < rank; i++)
        batch->lengths[k * rank + i] = kept_span(&pad.axes[i], job->extents[i]).count;
    if (job->cells == 0) return status;
    unsigned char *dst = tensor_place(job, k);
    if (is_row(job, item))
        put_row(job, item->src, &pad.axes[0], dst);
    else if (last - first == job->pieces && !batch->value_strides)
        status = tpad_pad(&pad.problem, item->src, dst, batch->value, NULL);
    else
        status = pad_pieces(job, &pad.problem, item->src, dst, first, last);
    if (batch->mask)
        put_mask(job, pad.axes, batch->mask + k * job->cells,
                 first_of(job->cells, first, job->pieces), first_of(job->cells, last, job->pieces));
    return status;
}

/* The start of a share of the output: a tensor, and a piece of it. */
typedef struct batch_place {
    int64_t tensor, piece;
} batch_place;

static batch_place begin_of_share(const batch_job *job, int64_t share)
{
    const int64_t rest = job->batch.count % job->shares * share;
    return (batch_place){job->batch.count / job->shares * share + rest / job->shares,
                         rest % job->shares * job->pieces / job->shares};
}

static void put_share(void *user, int64_t share)
{
    batch_job *job = user;
    const batch_place from = begin_of_share(job, share), to = begin_of_share(job, share + 1);
    int64_t status = TPAD_OK;
    for (int64_t k = from.tensor; k < to.tensor + (to.piece > 0); k++)
        status = larger(status, put_tensor(job, k, k == from.tensor ? from.piece : 0,
                                           k == to.tensor ? to.piece : job->pieces));
    job->statuses[share] = (unsigned char)status;
}

/* Chooses the number of shares. Small tensors are not split themselves. */
static void cut(batch_job *job, const tpad_runner *runner)
{
    const int64_t whole = job->bytes * job->batch.count;
    job->shares = 1;
    if (runner && whole >= WORTH_SHARES)
        job->shares = smaller(smaller(runner->width, MOST_SHARES), whole / SMALLEST_SHARE);
    job->pieces = job->bytes > WHOLE_BYTES ? job->shares : 1;
    tpad_memset(job->statuses, 0, (size_t)job->shares); /* for shares that the runner skips */
}

/* ---- Calls ----------------------------------------------------------------------------------- */

int32_t tpad_batch_shape(const tpad_batch *given, int64_t *out_extents, int64_t *bytes,
                         int64_t *item, tpad_error *error)
{
    batch_job job;
    int64_t about;
    int32_t status = open_batch(&job, given, &about, error);
    if (status == TPAD_OK && job.fit.rank > 0 && !out_extents)
        status = dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "out_extents", "%n is missing");
    if (item) *item = about;
    if (status != TPAD_OK) return status;
    for (int32_t i = 0; i < job.fit.rank; i++) out_extents[i] = job.extents[i];
    if (bytes) *bytes = job.bytes * job.batch.count;
    return TPAD_OK;
}

int32_t tpad_batch_run(const tpad_batch *given, const tpad_runner *runner, int64_t *item,
                       tpad_error *error)
{
    batch_job job;
    int64_t about;
    int32_t status = open_batch(&job, given, &about, error);
    if (status == TPAD_OK && runner) status = check_runner(runner, error);
    if (status == TPAD_OK && job.cells > 0 && !job.batch.dst)
        status = dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "dst", "%n is missing");
    if (status == TPAD_OK) status = check_values(&job, error);
    for (int64_t k = 0; status == TPAD_OK && k < job.batch.count; k++) {
        status = check_tensor(&job, k, error);
        if (status != TPAD_OK) about = k;
    }
    if (item) *item = about;
    if (status != TPAD_OK) return status;
    cut(&job, runner);
    if (job.rows) make_pattern(&job);
    if (job.shares > 1)
        status = runner->run(runner->context, job.shares, put_share, &job);
    else
        put_share(&job, 0);
    if (status != TPAD_OK) return status;
    for (int64_t share = 0; share < job.shares; share++)
        status = (int32_t)larger(status, job.statuses[share]);
    return status;
}
