/* Sums of a region of grad_in. SPDX-License-Identifier: MIT
 *
 * The gradient of a pad: each element of the input gets the sum of the cells that took it. Mode
 * reflect with one cell on each side turns 1 2 3 into 2 1 2 3 2, so with grad_out g0 g1 g2 g3 g4:
 *
 *     own places    g1  g2  g3           a copy, as in a crop
 *     then add          g0               the cell before took element 1
 *     then add          g4               and so did the cell after
 *
 * The idea: go from the elements to the cells, not from the cells to the elements, so that no two
 * threads write one element. Most cells of an image are at their elements' own places, so most of
 * the work is one copy. The others come from the runs of each axis as blocks of evenly spaced cells
 * (sums.c), one block for each combination of spans of the loops.
 *
 * The region is cut into pieces of 32 KB, which stay in the first-level cache together with the
 * cells that took them: copy, then add. An element that no cell took becomes 0, or keeps its value
 * with TPAD_ADJOINT_ADD. 16-bit numbers are copied if no other cell took the element; otherwise
 * they are summed in a buffer of floats and rounded once. One part computes a whole sum, always in
 * the same order, so results do not depend on the threads. */
#include "../core/checked.h"
#include "sums.h"

enum {
    PIECE_BYTES = 32768, /* of grad_in; there are about as many of grad_out */
    BUFFER_FLOATS = 2048 /* enough for the largest cell of 16-bit numbers */
};

/* The place where a region is summed. Its first element is `offset` after `base`. Positions count
 * from there, because a buffer's stride times an element's index may overflow. */
typedef struct target {
    const region *of;
    unsigned char *base;
    int64_t offset;
    int64_t strides[TPAD_MAX_RANK];
    int64_t cell;   /* bytes of a cell there */
    sum_kernel set; /* for cells at their own places, which come first */
    sum_kernel add; /* for the others */
} target;

/* Sets the cells, rows or planes of a block: the loop `outside` levels above the innermost one. A
 * kernel steps once past the last row, so a single row gets step 0: its stride may lead
 * anywhere. */
static void set_block_loop(sum_block *b, int32_t outside, int64_t count, int64_t to_step,
                           int64_t from_step)
{
    if (count == 1) to_step = from_step = 0;
    if (outside == 0) {
        b->cells = count;
        b->to_step = to_step;
        b->from_step = from_step;
    } else if (outside == 1) {
        b->rows = count;
        b->to_row = to_step;
        b->from_row = from_step;
    } else {
        b->planes = count;
        b->to_plane = to_step;
        b->from_plane = from_step;
    }
}

/* Turns rows of one cell into one row of cells, and likewise planes into rows. */
static void shift_loops(sum_block *b)
{
    for (int twice = 0; twice < 2 && b->cells == 1; twice++) {
        set_block_loop(b, 0, b->rows, b->to_row, b->from_row);
        set_block_loop(b, 1, b->planes, b->to_plane, b->from_plane);
        b->planes = 1;
    }
}

/* Sums the cells of a region's elements, from loop k on. The loops before k have set b, and lead to
 * `to` and `from`. own: all of their cells are at their own places. */
static void sum_loop(const adjoint *w, const region *r, const target *t, int32_t k, sum_block b,
                     int64_t to, int64_t from, int own)
{
    const int32_t outside = w->loops - 1 - k;
    taker_reader reader = tpad_read_takers(&w->loop[k], r->first[k], r->end[k], t->strides[k]);
    for (takers s; tpad_next_takers(&reader, &s);) {
        /* Several rows of one element are added row by row. */
        const int one_by_one = outside > 2 || (outside > 0 && s.in_step == 0);
        const int64_t together = one_by_one ? 1 : s.count;
        for (int64_t i = 0; i < s.count; i += together) {
            const int64_t to_cell = to + s.in + i * s.in_step;
            const int64_t from_cell = from + s.out + i * s.out_step;
            set_block_loop(&b, outside, together, s.in_step, s.out_step);
            if (outside > 0) {
                sum_loop(w, r, t, k + 1, b, to_cell, from_cell, own && s.own);
                continue;
            }
            sum_block cells = b;
            shift_loops(&cells);
            cells.to = t->base + to_cell;
            cells.from = w->out + from_cell;
            (own && s.own ? t->set : t->add)(&cells);
        }
    }
}

static sum_block block_of(const adjoint *w, const target *t)
{
    return (sum_block){.planes = 1,
                       .rows = 1,
                       .cells = 1,
                       .numbers = w->cell / w->numbers->bytes,
                       .cell = t->cell};
}

static void sum_takers(const adjoint *w, const region *r, const target *t)
{
    sum_loop(w, r, t, 0, block_of(w, t), t->offset, w->out_offset, 1);
}

/* Calls a kernel for the elements of a region: to `t`, from `from`. */
static void each_element(const adjoint *w, const region *r, const target *t, const target *from,
                         sum_kernel kernel)
{
    int64_t index[TPAD_MAX_RANK];
    sum_block b = block_of(w, t);
    int64_t to_first = t->offset, from_first = from->offset;
    for (int32_t k = 0; k < w->loops; k++) {
        const int32_t outside = w->loops - 1 - k;
        if (r->first[k] == r->end[k]) return;
        if (outside < 3)
            set_block_loop(&b, outside, r->end[k] - r->first[k], t->strides[k], from->strides[k]);
        index[k] = r->first[k];
        to_first += (r->first[k] - t->of->first[k]) * t->strides[k];
        from_first += (r->first[k] - from->of->first[k]) * from->strides[k];
    }
    for (int32_t k = 0; k >= 0;) {
        b.to = t->base + to_first;
        b.from = from->base + from_first;
        kernel(&b);
        /* The next index of the loops outside the block. */
        for (k = w->loops - 4; k >= 0; k--) {
            to_first += t->strides[k];
            from_first += from->strides[k];
            if (++index[k] < r->end[k]) break;
            to_first -= (index[k] - r->first[k]) * t->strides[k];
            from_first -= (index[k] - r->first[k]) * from->strides[k];
            index[k] = r->first[k];
        }
    }
}

static void put_zeros(const sum_block *b)
{
    for (int64_t p = 0; p < b->planes; p++)
        for (int64_t r = 0; r < b->rows; r++) {
            unsigned char *to = b->to + (p * b->to_plane + r * b->to_row);
            if (b->to_step == b->cell)
                tpad_memset(to, 0, (size_t)(b->cells * b->cell));
            else
                for (int64_t c = 0; c < b->cells; c++)
                    tpad_memset(to + c * b->to_step, 0, (size_t)b->cell);
        }
}

static void put_copies(const sum_block *b)
{
    const tpad_block copies = {.dst = b->to,
                               .src = b->from,
                               .planes = b->planes,
                               .rows = b->rows,
                               .cells = b->cells,
                               .dst_plane = b->to_plane,
                               .src_plane = b->from_plane,
                               .dst_row = b->to_row,
                               .src_row = b->from_row,
                               .dst_step = b->cells == 1 ? b->cell : b->to_step,
                               .src_step = b->cells == 1 ? b->cell : b->from_step,
                               .cell = b->cell};
    tpad_copy_plain(&copies);
}

/* Writes 0 to the elements of a region without a cell at their own place. */
static void clear_others(const adjoint *w, const region *all, const target *t)
{
    region r = *all;
    for (int32_t k = 0; k < w->loops; k++) {
        const taken_axis *of = &w->loop[k];
        const int64_t first = r.first[k], end = r.end[k];
        int64_t own_first = tpad_max(of->own_first, first);
        int64_t own_end = tpad_min(of->own_end, end);
        if (own_first >= own_end) own_first = own_end = first;
        r.end[k] = own_first;
        each_element(w, &r, t, t, put_zeros);
        r.first[k] = own_end;
        r.end[k] = end;
        each_element(w, &r, t, t, put_zeros);
        r.first[k] = own_first;
        r.end[k] = own_end;
    }
}

static target grad_in_of(const adjoint *w, const region *r)
{
    target t = {.of = r,
                .base = w->in,
                .offset = w->in_offset,
                .cell = w->cell,
                .set = w->adds ? w->numbers->add : put_copies,
                .add = w->numbers->add};
    for (int32_t k = 0; k < w->loops; k++) {
        t.strides[k] = w->loop[k].axis.in_stride;
        t.offset += r->first[k] * t.strides[k];
    }
    return t;
}

/* Sums in grad_in itself. */
static void sum_in_place(const adjoint *w, region *r)
{
    const target t = grad_in_of(w, r);
    if (!w->adds) clear_others(w, r, &t);
    sum_takers(w, r, &t);
}

/* Sums in a buffer. The region fits into it. */
static void sum_in_buffer(const adjoint *w, region *r)
{
    float buffer[BUFFER_FLOATS];
    const target place = grad_in_of(w, r);
    target t = {.of = r,
                .base = (unsigned char *)buffer,
                .cell = w->cell / w->numbers->bytes * (int64_t)sizeof(float),
                .set = w->adds ? w->numbers->sum : w->numbers->load,
                .add = w->numbers->sum};
    int64_t stride = t.cell;
    for (int32_t k = w->loops - 1; k >= 0; k--) {
        t.strides[k] = stride;
        stride *= r->end[k] - r->first[k];
    }
    if (w->adds)
        each_element(w, r, &t, &place, w->numbers->load);
    else
        tpad_memset(buffer, 0, (size_t)stride);
    sum_takers(w, r, &t);
    each_element(w, r, &place, &t, w->numbers->store);
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

typedef void (*piece_sum)(const adjoint *w, region *piece);

/* Cuts a region, from loop k on, into pieces of at most `most` cells. `cells`: of the region, which
 * is unchanged afterwards. */
static void each_piece(const adjoint *w, region *r, int32_t k, int64_t cells, int64_t most,
                       piece_sum sum)
{
    if (cells <= most) {
        sum(w, r);
        return;
    }
    const int64_t first = r->first[k], end = r->end[k];
    const int64_t inner = cells / (end - first), step = inner < most ? most / inner : 1;
    for (int64_t at = first; at < end; at = r->end[k]) {
        r->first[k] = at;
        r->end[k] = tpad_min(end, at + step);
        each_piece(w, r, k + 1, inner * (r->end[k] - at), most, sum);
    }
    r->first[k] = first;
    r->end[k] = end;
}

static void sum_pieces(const adjoint *w, region *r, int64_t most, piece_sum sum)
{
    int64_t cells = 1;
    for (int32_t k = 0; k < w->loops; k++) cells *= r->end[k] - r->first[k];
    if (cells > 0) each_piece(w, r, 0, cells, most, sum);
}

/* Sums 16-bit numbers: in a buffer if several cells took an element, otherwise in place. */
static void sum_halves(const adjoint *w, region *all)
{
    const int64_t most = BUFFER_FLOATS / (w->cell / w->numbers->bytes);
    region r = *all;
    for (int32_t k = 0; k < w->loops; k++) {
        const taken_axis *of = &w->loop[k];
        const int64_t first = r.first[k], end = r.end[k];
        int64_t alone_first = tpad_max(of->alone_first, first);
        int64_t alone_end = tpad_min(of->alone_end, end);
        if (alone_first >= alone_end) alone_first = alone_end = first;
        r.end[k] = alone_first;
        sum_pieces(w, &r, most, sum_in_buffer);
        r.first[k] = alone_end;
        r.end[k] = end;
        sum_pieces(w, &r, most, sum_in_buffer);
        r.first[k] = alone_first;
        r.end[k] = alone_end;
    }
    sum_in_place(w, &r);
}

void tpad_sum_region(const adjoint *w, region *r)
{
    sum_pieces(w, r, PIECE_BYTES / w->cell, w->numbers->sum ? sum_halves : sum_in_place);
}
