/* Tables for short rows: which tile of the output is a fixed permutation of a small part of the
 * input, and the pieces that make it. SPDX-License-Identifier: MIT
 *
 * Whatever the modes, byte b of every tile comes from the same place relative to the tile's source,
 * or is fill. This file walks one tile byte by byte at plan time, cuts it into vectors and writes
 * down for each which window of the input it needs and which byte of it goes where. Stretches that
 * are alike (a long copy, a mirror, a repeated edge, evenly spaced elements) are one piece, many
 * times. Knows loops, not axes as given; where no table fits, the plan simply has none. */
#include "table.h"
#include "../kernels/kernels.h"
#include "checked.h"

#if TPAD_TABLE_BYTES > 0

/* Where going around the caches began to win, on a machine with 32 MB of last-level cache. It never
 * did for rows of medium length, whose ends are many and lie on no line. */
enum { LARGE_BYTES = 32 << 20, LONG_ROW_BYTES = 1024 };

enum {
    MOST_TILE_BYTES = 1280,  /* of several rows */
    MOST_GROUP_VECTORS = 16, /* of several tiles */
    MEDIUM_VECTORS = 3,      /* rows of more have a middle that is one piece */
    FEWEST_ALIKE = 2,        /* vectors that are worth a piece of their own */
    WHOLE_OUTPUT_BYTES = 256 /* an output so small is one tile; a larger one is at least four */
};

static uint64_t ones(int64_t count)
{
    return count < 64 ? (UINT64_C(1) << count) - 1 : ~UINT64_C(0);
}

/* Where row number `row` of the tile comes from, or NO_SOURCE. */
static int64_t row_source(const maker *m, int64_t row)
{
    const plan *p = m->p;
    const int32_t first = p->loop_count - p->tile_loops;
    int64_t source = 0;
    for (int32_t k = p->loop_count - 2; k >= first; k--) {
        const axis *a = &p->loops[k];
        int64_t i = row, rest = 0;
        if (row >= a->extent) {
            i = row % a->extent;
            rest = row / a->extent;
        }
        const run r = tpad_axis_run(a, i);
        if (r.source < 0) return NO_SOURCE;
        source += r.source * a->in_stride;
        row = rest;
    }
    return source + row * p->tile_in_stride;
}

/* The sources of at most `most` grains of a run, from `rest` bytes behind its beginning on;
 * `source`: of its first cell. Returns how many. */
static int32_t gather_run(const maker *m, const run *r, int64_t source, int64_t rest, int32_t most,
                          int32_t *from)
{
    const int64_t cell = m->p->cell, step = r->step * m->inner->in_stride;
    const int32_t count = (int32_t)tpad_min(most, (r->length * cell - rest) >> m->grain_shift);
    if (r->source < 0) {
        for (int32_t i = 0; i < count; i++) from[i] = NO_SOURCE;
    } else if (r->spacing == 1 && step == cell) {
        for (int32_t i = 0; i < count; i++) from[i] = (int32_t)(source + rest) + i * m->grain;
    } else {
        for (int32_t i = 0, gap = 0; i < count; i++) {
            from[i] = gap == 0 ? (int32_t)(source + rest) : NO_SOURCE;
            rest += m->grain;
            if (rest < cell) continue;
            rest = 0;
            if (++gap < r->spacing) continue;
            gap = 0;
            source += step;
        }
    }
    return count;
}

void tpad_table_gather(const maker *m, int64_t at, int32_t count, int32_t *from)
{
    const axis *a = m->inner;
    int64_t row = 0;
    if (at >= m->row_bytes) {
        row = at / m->row_bytes;
        at %= m->row_bytes;
    }
    int64_t i = at / m->p->cell, rest = at % m->p->cell;
    for (int32_t n = 0; n < count; row++, i = 0) {
        const int64_t base = row_source(m, row);
        for (run r; n < count && i < a->extent; i += r.length, rest = 0) {
            r = base == NO_SOURCE ? (run){a->extent - i, -1, 0, 1} : tpad_axis_run(a, i);
            n += gather_run(m, &r, base + r.source * a->in_stride, rest, count - n, from + n);
        }
    }
}

/* Writes `grain` neighbouring places, the first one `place`, lowest first: the machines that have
 * tables are little-endian. */
static void put_places(unsigned char *index, int64_t place, int32_t grain)
{
    const uint64_t eight =
        (uint64_t)place * UINT64_C(0x0101010101010101) + UINT64_C(0x0706050403020100);
    switch (grain) {
    case 1:
        tpad_memcpy(index, &eight, 1);
        break;
    case 2:
        tpad_memcpy(index, &eight, 2);
        break;
    case 4:
        tpad_memcpy(index, &eight, 4);
        break;
    case 8:
        tpad_memcpy(index, &eight, 8);
        break;
    default:
        put_places(index, place, 8);
        put_places(index + 8, place + 8, 8);
    }
}

/* Where the window for what is still to be taken begins. */
static int64_t window_begin(const maker *m, const int32_t *from, int32_t count)
{
    int64_t low = m->high;
    for (int32_t i = 0; i < count; i++)
        if (from[i] != NO_SOURCE && from[i] < low) low = from[i];
    if (low == m->high) return m->low; /* nothing is */
    /* A window that is read whole ends where the input does. */
    return m->masked ? low : tpad_min(low, m->high - m->vector);
}

/* Takes what the window from `low` on holds of `from`, and marks that as taken. Its bytes count
 * from `place0` on in the index; *take gets those of the vector. Returns those of the window. */
static uint64_t take_window(const maker *m, int32_t *from, int32_t count, int64_t low,
                            int32_t place0, unsigned char *index, uint64_t *take)
{
    uint64_t load = 0;
    for (int32_t i = 0; i < count; i++) {
        const int64_t place = from[i] - low;
        if (from[i] == NO_SOURCE || place > m->vector - m->grain) continue;
        put_places(index + i * m->grain, place0 + place, m->grain);
        load |= ones(m->grain) << place;
        *take |= ones(m->grain) << i * m->grain;
        from[i] = NO_SOURCE;
    }
    return load;
}

/* The bytes of the vector that are still to be taken, and how many grains they are. */
static uint64_t still_to_take(const maker *m, const int32_t *from, int32_t count, int32_t *left)
{
    uint64_t bytes = 0;
    *left = 0;
    for (int32_t i = 0; i < count; i++) {
        if (from[i] == NO_SOURCE) continue;
        bytes |= ones(m->grain) << i * m->grain;
        ++*left;
    }
    return bytes;
}

/* Adds a piece that takes what one window holds of `from`, or where there are masks, two. `first`:
 * the first one of this vector, which also writes the fill. Returns how many grains are still to be
 * taken, or -1 if there is no room. */
static int32_t add_piece(maker *m, int64_t at, int32_t count, int32_t *from, int first)
{
    if (m->used == m->capacity) return -1;
    unsigned char *index = m->index + (int64_t)m->used * m->vector;
    tpad_memset(index, TPAD_INDEX_FILL, (size_t)m->vector);
    int32_t left;
    const int64_t low = window_begin(m, from, count);
    tpad_piece p = {
        .dst = (int32_t)at, .src = (int32_t)low, .count = 1, .phase = (int32_t)(at % m->elem)};
    p.load = take_window(m, from, count, low, 0, index, &p.take);
    uint64_t later = still_to_take(m, from, count, &left);
    if (m->masked && later != 0) {
        const int64_t far = window_begin(m, from, count);
        p.far = (int32_t)(far - low);
        p.load_far = take_window(m, from, count, far, m->vector, index, &p.take);
        later = still_to_take(m, from, count, &left);
    }
    p.store = p.take;
    if (first) p.store = m->masked ? ones(count * m->grain) & ~later : ones(m->vector);
    m->pieces[m->used++] = p;
    return left;
}

/* Vectors that are alike: the same piece, `count` times. */
typedef struct alike {
    int64_t count, unit, src_step;
    int32_t dst_step;
} alike;

/* How often the vector that begins at byte `at` of the tile repeats. unit: the bytes after which
 * the pattern begins anew. *run_bytes: how far the run goes that was looked at. */
static alike find_alike(const maker *m, int64_t at, int64_t *run_bytes)
{
    const axis *a = m->inner;
    const int64_t cell = m->p->cell, base = row_source(m, at / m->row_bytes);
    const int64_t in_row = at % m->row_bytes, rest = in_row % cell;
    alike v = {0, cell, 0, 0};
    run r = {(m->row_bytes - in_row) / cell, -1, 0, 1};
    if (base != NO_SOURCE) r = tpad_axis_run(a, in_row / cell);
    *run_bytes = r.length * cell - rest;
    const int dense = r.source >= 0 && r.spacing == 1 && r.step * a->in_stride == cell;
    if (rest != 0 && !dense) return v;
    if (dense) v.unit = m->grain;
    if (r.source < 0) v.unit = m->elem;
    if (r.spacing > 1) v.unit = r.spacing * cell;
    if (v.unit > m->vector) return v;
    v.dst_step = (int32_t)(m->vector / v.unit * v.unit);
    if (dense)
        v.src_step = v.dst_step;
    else if (r.source >= 0)
        v.src_step = v.dst_step / cell / r.spacing * r.step * a->in_stride;
    v.count = *run_bytes / v.dst_step;
    if (!m->masked) {
        /* What the last vector writes beyond its step must be part of the tile. */
        const int64_t most = (m->bytes - at - m->vector) / v.dst_step + 1;
        v.count = m->bytes - at < m->vector ? 0 : tpad_min(v.count, most);
    }
    return v;
}

/* Writes down vectors that are alike as one piece. Returns the bytes that it makes, or 0. */
static int64_t add_alike(maker *m, int64_t at, const alike *v)
{
    int32_t from[TPAD_VECTOR_BYTES];
    const int32_t count = v->dst_step / m->grain;
    tpad_table_gather(m, at, count, from);
    const int32_t before = m->used;
    if (add_piece(m, at, count, from, 1) != 0) {
        m->used = before;
        return 0;
    }
    tpad_piece *piece = &m->pieces[before];
    int64_t times = v->count;
    if (!m->masked && v->src_step > 0)
        times = tpad_min(times, (m->high - m->vector - piece->src) / v->src_step + 1);
    if (!m->masked && v->src_step < 0)
        times = tpad_min(times, (piece->src - m->low) / -v->src_step + 1);
    piece->count = (int32_t)times;
    piece->dst_step = v->dst_step;
    piece->src_step = (int32_t)v->src_step;
    return times * v->dst_step;
}

/* The bytes of the vector at `at` that is all sorts: shorter where it ends best at the beginning of
 * vectors that are alike. */
static int64_t mixed_bytes(const maker *m, int64_t at)
{
    const int64_t row_left = m->row_bytes - at % m->row_bytes;
    for (int64_t before = 0, run_bytes; before < m->vector && before < row_left;
         before += run_bytes) {
        const alike v = find_alike(m, at + before, &run_bytes);
        if (v.count >= FEWEST_ALIKE) return before + (m->vector - before) / v.unit * v.unit;
    }
    return m->vector;
}

/* Writes down all pieces of the tile. Returns how many, or 0. */
static int32_t write_pieces(maker *m)
{
    const int32_t before = m->used;
    const int long_rows = m->row_bytes > MEDIUM_VECTORS * m->vector;
    int32_t from[TPAD_VECTOR_BYTES];
    for (int64_t at = 0; at < m->bytes;) {
        int64_t made = 0, run_bytes;
        if (long_rows) {
            const alike v = find_alike(m, at, &run_bytes);
            if (v.count >= FEWEST_ALIKE) made = add_alike(m, at, &v);
        }
        if (made == 0) {
            made = long_rows ? mixed_bytes(m, at) : m->vector;
            if (made > m->bytes - at) made = m->bytes - at;
            const int once = m->p->tile_loops == m->p->loop_count;
            if (m->bytes - at < m->vector && m->bytes >= m->vector && !(m->masked && once)) {
                /* The last vector ends where the tile does and writes some bytes twice: parts of
                 * vectors are slower, where they can be written at all. */
                at = m->bytes - m->vector;
                made = m->vector;
            }
            const int32_t count = (int32_t)made / m->grain;
            int32_t left = count;
            tpad_table_gather(m, at, count, from);
            for (int first = 1; left > 0; first = 0) {
                left = add_piece(m, at, count, from, first);
                if (left < 0) {
                    m->used = before;
                    return 0;
                }
            }
        }
        at += made;
    }
    return m->used - before;
}

/* Adds what a loop over `count` elements from `first` on reaches. */
static int reach(maker *m, int64_t first, int64_t count, int64_t stride)
{
    const int64_t last = first + count - 1;
    m->low += (stride < 0 ? last : first) * stride;
    m->high += (stride < 0 ? first : last) * stride;
    return m->low > -MOST_REACH && m->high < MOST_REACH;
}

/* A loop over elements of the input: how far apart two neighbours are, and the first and the last.
 */
typedef struct steps {
    int64_t distance, reach;
} steps;

/* 1 if there is no gap between the elements that the loops reach together from one cell on: in
 * ascending order, the neighbours of each loop are at most as far apart as the loops before it
 * reach. As many elements as there is room for are no sign of it: where some lie over each other,
 * there may be gaps between others. */
static int is_dense(int64_t cell, steps *loops, int32_t count)
{
    for (int64_t reached = cell; count > 0; count--) {
        int32_t k = count - 1;
        while (k >= 0 && loops[k].distance > reached) k--;
        if (k < 0) return 0;
        reached += loops[k].reach;
        loops[k] = loops[count - 1];
    }
    return 1;
}

int tpad_table_begin(maker *m, int32_t tiles)
{
    const plan *p = m->p;
    steps loops[TPAD_MAX_RANK + 1];
    int32_t used = 0;
    m->bytes = p->tile_bytes * tiles;
    m->low = 0;
    m->high = p->cell;
    for (int32_t n = 0; n <= p->tile_loops; n++) {
        int64_t first = 0, count = tiles, stride = p->tile_in_stride;
        if (n > 0) {
            const axis *a = &p->loops[p->loop_count - p->tile_loops + n - 1];
            tpad_axis_needs(a, &first, &count);
            stride = a->in_stride;
        }
        if (count == 0 || !reach(m, first, count, stride)) return 0;
        const int64_t distance = stride < 0 ? -stride : stride;
        if (count > 1) loops[used++] = (steps){distance, distance * (count - 1)};
    }
    /* Windows that are read whole must hold nothing but input. */
    return m->masked || (m->bytes >= m->vector && m->high - m->low >= m->vector &&
                         is_dense(p->cell, loops, used));
}

static int32_t make_table(maker *m, int32_t tiles)
{
    return tpad_table_begin(m, tiles) ? write_pieces(m) : 0;
}

/* How many tiles are a whole number of vectors, so that all of these may be aligned. */
static int32_t aligned_group(const maker *m, int64_t most)
{
    const int64_t bytes = m->p->tile_bytes | m->vector, odd = bytes & (~bytes + 1);
    return (int32_t)tpad_min(most, m->vector / odd);
}

/* The largest power of two, at most 16, that divides whatever the tile's addresses are made of: its
 * logarithm. */
static int32_t grain_shift_of(const plan *p, int32_t elem)
{
    uint64_t all = 16 | (uint64_t)p->cell | (uint64_t)elem;
    for (int32_t k = 0; k < p->loop_count; k++) all |= (uint64_t)p->loops[k].in_stride;
    int32_t shift = 0;
    while ((all >> shift & 1) == 0) shift++;
    return shift;
}

void tpad_table_choose_loops(plan *p, int64_t most)
{
    p->tile_loops = 1;
    p->tile_bytes = p->loops[p->loop_count - 1].extent * p->cell;
    while (p->tile_loops < p->loop_count) {
        const axis *a = &p->loops[p->loop_count - p->tile_loops - 1];
        if (a->out_stride != p->tile_bytes || a->extent > most / p->tile_bytes) return;
        p->tile_bytes *= a->extent;
        p->tile_loops++;
    }
}

int64_t tpad_table_neighbours(plan *p)
{
    p->tile_in_stride = 0;
    if (p->tile_loops == p->loop_count) return 1;
    const axis *rows = &p->loops[p->loop_count - p->tile_loops - 1];
    const int64_t end = tpad_min(rows->hi, rows->origin + rows->extent);
    const int64_t begin = rows->lo > rows->origin ? rows->lo : rows->origin;
    p->tile_in_stride = rows->in_stride;
    return rows->spacing == 1 && rows->out_stride == p->tile_bytes ? end - begin : 1;
}

int64_t tpad_table_best_group(int64_t tile_size, int64_t fewest, int64_t most, int64_t vector,
                              int64_t room)
{
    int64_t best = 0, best_vectors = 1;
    for (int64_t n = fewest; n <= most && n * tile_size <= room * vector; n += fewest) {
        const int64_t vectors = (n * tile_size + vector - 1) / vector;
        /* Vectors for each tile, compared crosswise. */
        if (best == 0 || vectors * best < best_vectors * n) {
            best = n;
            best_vectors = vectors;
        }
        if (n * tile_size * 10 >= vectors * vector * 9) break;
    }
    return best;
}

/* The tables of the tile that was chosen: of a single one, and of a group. */
static int make_tables(maker *m)
{
    plan *p = m->p;
    m->used = 0;
    p->group = 1;
    const int64_t most = tpad_table_neighbours(p);
    p->single_pieces = make_table(m, 1);
    /* What no group takes is done tile by tile, or else row by row. */
    if (p->single_pieces == 0 && p->tile_loops > 1) return 0;
    int32_t group = 1;
    if (p->flags & PLAN_LARGE)
        group = aligned_group(m, most);
    else if (m->row_bytes <= MEDIUM_VECTORS * m->vector)
        group =
            (int32_t)tpad_table_best_group(p->tile_bytes, 1, most, m->vector, MOST_GROUP_VECTORS);
    if (group < 1) group = 1; /* where no tile has a source, or one is more than a group may be */
    p->group_pieces = group > 1 ? make_table(m, group) : 0;
    /* Whole windows may need more input than that. */
    while (!m->masked && p->group_pieces == 0 && p->single_pieces == 0 && group <= most / 2 &&
           2 * group * p->tile_bytes <= MOST_GROUP_VECTORS * m->vector) {
        group *= 2;
        p->group_pieces = make_table(m, group);
    }
    if (p->group_pieces > 0) p->group = group;
    return p->group_pieces > 0 || p->single_pieces > 0;
}

void tpad_plan_tabulate(plan *p)
{
    const tpad_kernels *kernels = tpad_kernels_at(p->kernels);
    p->tile_loops = 0;
    p->flags &= ~PLAN_LARGE;
    if (p->cells == 0 || (p->flags & PLAN_BORDER)) return;
    if (p->cell_unit == 1) {
        tpad_table_of_bits(p);
        return;
    }
    if (!kernels->tiles) return;
    const int32_t vector = kernels->vector_bytes;
    const axis *inner = &p->loops[p->loop_count - 1];
    const int32_t elem = p->elem_bits < 8 ? 1 : p->elem_bits / 8;
    if (elem > vector || inner->out_stride != p->cell || inner->extent > MOST_REACH / p->cell)
        return;
    maker m = {.p = p,
               .inner = inner,
               .vector = vector,
               .masked = kernels->masked,
               .grain_shift = grain_shift_of(p, elem),
               .elem = elem,
               .row_bytes = inner->extent * p->cell,
               .capacity = tpad_plan_capacity(vector),
               .pieces = tpad_plan_new_pieces(p)};
    m.grain = 1 << m.grain_shift;
    m.index = (unsigned char *)(void *)(m.pieces + m.capacity);

    const int medium = m.row_bytes > MEDIUM_VECTORS * vector && m.row_bytes < LONG_ROW_BYTES;
    if (p->cells > LARGE_BYTES / p->cell && !medium) p->flags |= PLAN_LARGE;
    const int64_t bytes = p->cells < MOST_REACH ? p->cells * p->cell : MOST_REACH;
    const int64_t most = bytes <= WHOLE_OUTPUT_BYTES ? bytes : bytes / 4;
    tpad_table_choose_loops(p, tpad_min(most, MOST_TILE_BYTES));
    int made = make_tables(&m);
    if (!made && p->tile_loops > 1) {
        tpad_table_choose_loops(p, 0);
        made = make_tables(&m);
    }
    if (!made) p->tile_loops = 0;
    p->tile_cells = p->tile_bytes / p->cell;
    p->tile_count = p->cells / p->tile_cells;
}

#else

void tpad_plan_tabulate(plan *p)
{
    p->tile_loops = 0;
}

#endif
