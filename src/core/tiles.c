/* Tiles: which part of the output repeats, and writing it by its table.
 * SPDX-License-Identifier: MIT
 *
 * A tile is the part of the output that a table describes: the loops from the innermost one on, as
 * far as they lie together in memory and are not too large. An output of at most 256 bytes is one
 * tile; of a larger one, a tile is at most a quarter. A tile of several rows has at most 400 bytes,
 * or 32 vectors if some rows repeat others. In a crop whose cells lie apart in the input, each cell
 * is a row and so a tile. A group is several neighbouring tiles that are written together, in at
 * most four vectors. It has the fewest tiles that use nine tenths of these vectors; if no number of
 * tiles does, the number that wastes least.
 *
 * To be written, rows of tiles are cut into spans: first of whole groups, then of single tiles;
 * what neither takes is left to blocks. Memory is fastest if it is written in order, so the spans
 * of a plane are found once and handed to the kernel for many planes: it loads indices and fill
 * into registers once and writes one plane after the other. Only tiles of the last group of a span
 * may be written twice, with the same values.
 *
 * A large output is streamed: stores go around the caches (src/kernels/stream.c). From a form's
 * stream_bytes on, streaming is faster. With TPAD_OUT_READ_SOON nothing is streamed; with
 * TPAD_OUT_READ_LATE, outputs from 4 MiB on are.
 *
 * A window may be longer than what its tile takes, if the whole input has no gaps. After the last
 * row there is nothing to read. put_tiles finds the planes, and count_inside the groups, whose
 * windows would end there; put_last makes such tiles from a copy of the bytes that they take.
 * windows_are_input checks this in checked builds. */
#include "tiles.h"

#include "checked.h"
#include "spans.h"
#include "table.h"
#include "walk.h"

/* Tiles: parts of the output that repeat.
 *
 * Whatever the modes, each place of every tile comes from the same place relative to the tile's
 * source, or is fill. Tables and programs of words describe one tile and apply that to all. */

/* The loop that counts the tiles, if they are not all of the output. */
static const axis *tiles_axis(const plan *p, const tile_shape *t)
{
    return t->loops < p->loop_count ? &p->loops[p->loop_count - 1 - t->loops] : NULL;
}

tile_shape tpad_tile_choose(const plan *p, int64_t most)
{
    tile_shape t = {.loops = 1, .size = p->loops[p->loop_count - 1].extent * p->cell};
    const axis *a = tiles_axis(p, &t);
    for (; a && a->out_stride == t.size && a->extent <= most / t.size; a = tiles_axis(p, &t)) {
        t.size *= a->extent;
        t.loops++;
    }
    if (a) t.in_stride = a->in_stride;
    t.cells = t.size / p->cell;
    t.count = p->cells / t.cells;
    return t;
}

int64_t tpad_tile_neighbours(const plan *p, const tile_shape *t)
{
    const axis *a = tiles_axis(p, t);
    if (!a || a->spacing > 1 || a->out_stride != t->size) return 1;
    const int64_t end = tpad_min(a->hi, a->origin + a->extent);
    const int64_t begin = a->lo > a->origin ? a->lo : a->origin;
    return end - begin > 1 ? end - begin : 1;
}

/* A loop over elements of the input: how far apart two neighbours are, and the first and the last.
 */
typedef struct steps {
    int64_t distance, reach;
} steps;

/* 1 if there is no gap between the elements that the loops reach together from one cell on: in
 * ascending order, the neighbours of each loop are at most as far apart as the loops before it
 * reach. The right element count does not prove it: overlaps can hide gaps. */
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

tile_reach tpad_tile_reach(const plan *p, const tile_shape *t, int64_t tiles)
{
    steps loops[TPAD_MAX_RANK + 1];
    int32_t used = 0;
    tile_reach all = {0, p->cell, 0};
    /* The sums fit, because the plan was checked for it. */
    for (int32_t n = 0; n <= t->loops; n++) {
        int64_t first = 0, count = tiles, stride = t->in_stride;
        if (n > 0) {
            const axis *a = &p->loops[p->loop_count - n];
            tpad_axis_needs(a, &first, &count);
            stride = a->in_stride;
        }
        if (count == 0) return (tile_reach){0, 0, 0};
        const int64_t distance = stride < 0 ? -stride : stride, last = first + count - 1;
        all.low += (stride < 0 ? last : first) * stride;
        all.high += (stride < 0 ? first : last) * stride;
        if (count > 1) loops[used++] = (steps){distance, distance * (count - 1)};
    }
    all.is_dense = is_dense(p->cell, loops, used);
    return all;
}

/* Where each place of a tile comes from.
 *
 * Both kinds of tables, of bytes and of bits, are written from this. */

#if TPAD_TABLE_BYTES > 0

int64_t tpad_tile_best_group(int64_t tile_size, int64_t fewest, int64_t step, int64_t most,
                             int64_t vector, int64_t room)
{
    int64_t best = 0, best_vectors = 1;
    for (int64_t n = fewest; n <= most && n * tile_size <= room * vector; n += step) {
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

void tpad_tile_input(plan *p)
{
    const tile_shape whole = {.loops = p->loop_count};
    const tile_reach all = tpad_tile_reach(p, &whole, 1);
    p->in_low = p->loop_in_offset + all.low;
    p->in_high = all.is_dense ? p->loop_in_offset + all.high : p->in_low;
}

int tpad_tile_map(tile_map *m, const plan *p, int32_t tiles)
{
    const tile_reach all = tpad_tile_reach(p, &p->tile, tiles);
    m->plan = p;
    m->inner = &p->loops[p->loop_count - 1];
    m->row_size = m->inner->extent * p->cell;
    m->size = p->tile.size * tiles;
    m->low = all.low;
    m->high = all.high;
    m->is_dense = all.is_dense;
    return all.low < all.high && all.low > -MOST_REACH && all.high < MOST_REACH;
}

int tpad_tile_row(const tile_map *m, int64_t row, int64_t *source)
{
    const plan *p = m->plan;
    const int32_t first = p->loop_count - p->tile.loops;
    *source = 0;
    for (int32_t k = p->loop_count - 2; k >= first; k--) {
        const axis *a = &p->loops[k];
        int64_t i = row, rest = 0;
        if (row >= a->extent) {
            i = row % a->extent;
            rest = row / a->extent;
        }
        const run r = tpad_axis_run(a, i);
        if (r.source < 0) return 0;
        *source += r.source * a->in_stride;
        row = rest;
    }
    *source += row * p->tile.in_stride;
    return 1;
}

/* The sources of at most `most` grains of a run, from `rest` units after its beginning on;
 * `source`: of its first cell. Returns how many. */
static int32_t gather_run(const tile_map *m, const run *r, int64_t source, int64_t rest,
                          int32_t most, int32_t *from)
{
    const int64_t cell = m->plan->cell, step = r->step * m->inner->in_stride;
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

void tpad_tile_gather(const tile_map *m, int64_t at, int32_t count, int32_t *from)
{
    const axis *a = m->inner;
    int64_t row = 0;
    if (at >= m->row_size) {
        row = at / m->row_size;
        at %= m->row_size;
    }
    int64_t i = at / m->plan->cell, rest = at % m->plan->cell;
    for (int32_t n = 0; n < count; row++, i = 0) {
        int64_t base;
        const int has_source = tpad_tile_row(m, row, &base);
        for (run r; n < count && i < a->extent; i += r.length, rest = 0) {
            r = has_source ? tpad_axis_run(a, i) : (run){a->extent - i, -1, 0, 1};
            n += gather_run(m, &r, base + r.source * a->in_stride, rest, count - n, from + n);
        }
    }
}

#endif

#if TPAD_TABLE_BYTES > 0

/* Spans that are written in one way, in each of some planes. */
enum { MOST_SPANS = 16 };
typedef struct batch {
    int32_t count;
    tpad_span spans[MOST_SPANS];
} batch;

/* The three ways. */
typedef struct batches {
    batch groups, singles, blocks;
} batches;

static const tpad_form *form_of(const walk *w)
{
    return &w->kernels->forms[w->plan->form];
}

/* The last `count` things of a span. */
static tpad_span last_of(const tpad_span *s, int64_t count)
{
    tpad_span last = *s;
    last.count = count;
    last.dst += (s->count - count) * s->dst_step;
    last.src += (s->count - count) * s->src_step;
    return last;
}

/* The same things in the other order, if their sources go down. */
static tpad_span upwards(const tpad_span *s)
{
    if (s->src_step >= 0) return *s;
    tpad_span turned = last_of(s, 1);
    turned.count = s->count;
    turned.dst_step = -s->dst_step;
    turned.src_step = -s->src_step;
    return turned;
}

#if defined(TPAD_CHECKED)
/* Why windows that are read whole (by forms without masks, and of packed cells by pairs) hold
 * nothing but input. All windows of a tile lie between `low` and `high + beyond` of it, counted in
 * bytes from the tile's source. Either the input has no gap: then these bytes of every tile lie
 * between in_low and in_high. The tables see to the lower bound, since a tile takes its byte `low`
 * from the input; put_tiles and count_inside see to the upper one, and leave the last tiles to
 * others. Or there are gaps: then nothing is `beyond`, and a tile takes from all that lies between
 * `low` and `high` (`describe` in byte_table.c, `find_bounds` in bit_table.c). */
static int windows_are_input(const walk *w, const plan_tile *tile, const tpad_span *planes,
                             const tpad_span *span)
{
    const plan *p = w->plan;
    if (planes->filled || span->filled) return 1;
    if (p->in_low == p->in_high) return tile->beyond == 0;
    const int64_t low = p->cell_unit == 8 ? p->in_low : p->in_low >> 3;
    const int64_t high = p->cell_unit == 8 ? p->in_high : tpad_bytes_of_bits(p->in_high);
    const tpad_span outer = upwards(planes), inner = upwards(span);
    const int64_t first = outer.src + inner.src;
    const int64_t last =
        first + (outer.count - 1) * outer.src_step + (inner.count - 1) * inner.src_step;
    return first + tile->low >= low && last + tile->high + tile->beyond <= high;
}
#endif

/* Hands spans to the kernel. src: the input, or a copy of some of it (put_last). */
static void put_spans(const walk *w, const plan_tile *tile, const unsigned char *src,
                      const tpad_span *planes, const tpad_span *spans, int32_t count)
{
    const plan *p = w->plan;
    const tpad_form *form = form_of(w);
    const tpad_tiles t = {.dst = w->dst,
                          .src = src,
                          .planes = *planes,
                          .spans = spans,
                          .span_count = count,
                          .scheme = tile->scheme,
                          .streamed = p->streamed,
                          .piece_count = tile->pieces,
                          .elem_bytes = p->elem_bits < 8 ? 1 : p->elem_bits / 8,
                          .tile_bytes = p->tile.size * tile->tiles,
                          .filled_bytes = p->tile.size,
                          .pieces = tpad_plan_pieces(p) + tile->first_piece,
                          .terms = tpad_plan_terms(p, form) + tile->first_term,
                          .index = tpad_plan_index(p, form) +
                                   (int64_t)tile->first_term * form->vector_bytes,
                          .fill = w->fill};
#if defined(TPAD_CHECKED)
    for (int32_t k = 0; !form->masked && src == w->src && k < count; k++)
        if (!windows_are_input(w, tile, planes, &spans[k])) __builtin_trap();
#endif
    form->tiles(&t);
}

/* Tiles of one plane. Those with windows that would end after the input are made from a copy of
 * the bytes they take, which are less than a window. */
static void put_last(const walk *w, const plan_tile *tile, const tpad_span *plane,
                     const tpad_span *span)
{
    unsigned char copy[3 * TPAD_VECTOR_BYTES];
    tpad_span left = upwards(span), one;
    const int64_t limit = w->plan->in_high - tile->high - tile->beyond - plane->src;
    int64_t safe = left.src <= limit ? left.count : 0;
    if (safe > 0 && left.src_step > 0)
        safe = tpad_min(left.count, (limit - left.src) / left.src_step + 1);
    if (safe > 0) {
        one = left;
        one.count = safe;
        put_spans(w, tile, w->src, plane, &one, 1);
    }
    for (int64_t count = left.count - safe; count > 0; count -= one.count) {
        one = last_of(&left, count);
        if (left.src_step > 0) one.count = 1; /* else all take the same */
        tpad_memset(copy, 0, sizeof copy);
        tpad_memcpy(copy, w->src + (plane->src + one.src + tile->low),
                    (size_t)(tile->high - tile->low));
        one.src = -plane->src - tile->low;
        put_spans(w, tile, copy, plane, &one, 1);
    }
}

/* The last source of the given spans. */
static int64_t last_source(const tpad_span *spans, int32_t count)
{
    int64_t last = INT64_MIN;
    for (int32_t k = 0; k < count; k++) {
        if (spans[k].filled) continue;
        const tpad_span s = upwards(&spans[k]);
        const int64_t at = s.src + (s.count - 1) * s.src_step;
        if (at > last) last = at;
    }
    return last;
}

/* Hands spans to the kernel, of all planes. Where each plane ends with filled rows and the next one
 * begins with some, these are one span. */
static void put_all_planes(const walk *w, const plan_tile *tile, const tpad_span *planes,
                           const batch *b)
{
    const int32_t last = b->count - 1;
    const tpad_span *first = &b->spans[0], *end = &b->spans[last];
    if (planes->count < 2 || last < 1 || !first->filled || !end->filled ||
        end->dst_step != w->plan->tile.size ||
        end->dst + end->count * end->dst_step != first->dst + planes->dst_step) {
        put_spans(w, tile, w->src, planes, b->spans, b->count);
        return;
    }
    batch joined = *b;
    tpad_span part = *planes;
    joined.spans[last].count += first->count;
    part.count = 1;
    put_spans(w, tile, w->src, &part, first, 1);
    part.count = planes->count - 1;
    put_spans(w, tile, w->src, &part, joined.spans + 1, last);
    part = last_of(planes, 1);
    put_spans(w, tile, w->src, &part, b->spans + 1, last);
}

/* Hands spans to the kernel, of all planes at once, but for those at the end of the input whose
 * windows would go beyond it. */
static void put_tiles(const walk *w, const plan_tile *tile, const tpad_span *planes, const batch *b)
{
    tpad_span safe = *planes;
    if (b->count == 0) return;
    const int64_t last = tile->beyond > 0 ? last_source(b->spans, b->count) : INT64_MIN;
    if (last > INT64_MIN) {
        safe = upwards(planes);
        const int64_t limit = w->plan->in_high - tile->high - tile->beyond - last;
        while (safe.count > 0 && safe.src + (safe.count - 1) * safe.src_step > limit) {
            const tpad_span plane = last_of(&safe, 1);
            for (int32_t k = 0; k < b->count; k++) {
                if (b->spans[k].filled)
                    put_spans(w, tile, w->src, &plane, &b->spans[k], 1);
                else
                    put_last(w, tile, &plane, &b->spans[k]);
            }
            safe.count--;
        }
    }
    if (safe.count > 0) put_all_planes(w, tile, &safe, b);
}

/* What no tile takes. */
static void put_blocks(const walk *w, const tpad_span *planes, const batch *b)
{
    const tpad_span cells = {w->plan->tile.cells, 0, 0, w->plan->cell, 0, 0};
    for (int32_t k = 0; k < b->count; k++) {
        if (b->spans[k].filled)
            tpad_put_block(w, planes, &b->spans[k], &cells);
        else
            tpad_put_rows(w, planes, &b->spans[k]);
    }
}

/* 1 if the kernel can fill a span of whole tiles. */
static int fills(const walk *w, const tpad_span *s)
{
    /* If a tile is less than a vector, there are only groups, and so no gaps between tiles. */
    return form_of(w)->masked || s->count * w->plan->tile.size >= form_of(w)->vector_bytes;
}

/* Sorts a span of tiles into the batches. A last group that is not whole begins inside the one
 * before it. */
static void sort_span(const walk *w, batches *to, const tpad_span *s)
{
    const plan *p = w->plan;
    const int64_t group = p->group.tiles;
    batch *one = p->single.pieces > 0 ? &to->singles : &to->blocks;
    if (s->filled) {
        batch *tiles = p->group.pieces > 0 ? &to->groups : one;
        if (!fills(w, s)) tiles = &to->blocks;
        tiles->spans[tiles->count++] = *s;
        return;
    }
    if (p->group.pieces > 0 && s->count >= group && s->src_step == p->tile.in_stride) {
        tpad_span *whole = &to->groups.spans[to->groups.count++];
        *whole = *s;
        whole->count = s->count / group;
        whole->dst_step *= group;
        whole->src_step *= group;
        if (s->count % group == 0) return;
        tpad_span *rest = &to->groups.spans[to->groups.count++];
        *rest = last_of(s, group);
        rest->count = 1;
        return;
    }
    one->spans[one->count++] = *s;
}

/* Sorts the spans that are left, as many as there is room for. Returns 0 if that is all. */
static int sort_spans(const walk *w, span_reader *rows, batches *to)
{
    to->groups.count = to->singles.count = to->blocks.count = 0;
    for (tpad_span s; tpad_next_span(rows, &s);) {
        sort_span(w, to, &s);
        if (to->groups.count + to->singles.count + to->blocks.count >= MOST_SPANS - 1) return 1;
    }
    return 0;
}

/* Number of planes handled one way before the other. */
static int64_t planes_at_once(const walk *w, const frame *f, const batches *b)
{
    const int64_t bytes = (f->row_end - f->row_begin) * w->plan->tile.size;
    const int ways = (b->groups.count > 0) + (b->singles.count > 0) + (b->blocks.count > 0);
    if (ways < 2) return INT64_MAX;
    return bytes < BLOCK_BYTES ? BLOCK_BYTES / bytes : 1;
}

static void put_tile_frame(const walk *w, const frame *f)
{
    const axis *rows = tpad_rows_axis(w->plan, w->plan->tile.loops);
    tpad_span planes = f->planes;
    batches b;
    for (int64_t left = planes.count; left > 0; left -= planes.count) {
        span_reader read = tpad_read_spans(rows, f->row_begin, f->row_end, INT64_MAX);
        int more = sort_spans(w, &read, &b);
        planes.count = more ? 1 : tpad_min(left, planes_at_once(w, f, &b));
        for (;;) {
            put_tiles(w, &w->plan->group, &planes, &b.groups);
            put_tiles(w, &w->plan->single, &planes, &b.singles);
            put_blocks(w, &planes, &b.blocks);
            if (!more) break;
            more = sort_spans(w, &read, &b);
        }
        planes.dst += planes.count * planes.dst_step;
        planes.src += planes.count * planes.src_step;
    }
}

/* The cells of packed tiles, tile by tile, since the next one need not follow. */
static void put_bit_rows(const walk *w, const tpad_span *tiles)
{
    const plan *p = w->plan;
    for (int64_t i = 0; i < tiles->count; i++) {
        const int64_t first = (tiles->dst + i * tiles->dst_step) / p->cell;
        tpad_walk_blocks(w, first, first + p->tile.cells);
    }
}

/* How many groups of packed tiles, in bytes, have windows that end before the input does. Where
 * some do not, groups lie one after another (find_bounds in bit_table.c). */
static int64_t count_inside(const walk *w, const tpad_span *groups)
{
    const plan_tile *group = &w->plan->group;
    if (group->beyond == 0) return groups->count;
    const int64_t end = tpad_bytes_of_bits(w->plan->in_high);
    const int64_t room = end - group->high - group->beyond - groups->src;
    return room < 0 ? 0 : tpad_min(groups->count, room / groups->src_step + 1);
}

/* Packed tiles: groups as soon as one begins on a byte of the output and of the input, the tiles
 * before and after these by blocks. The kernel likes blocks of eight, and groups are small. */
static void put_bit_tiles(const walk *w, const tpad_span *tiles)
{
    const plan *p = w->plan;
    const int64_t group = p->group.tiles;
    tpad_span part = *tiles;
    int64_t before = 0;
    while (before < 8 && ((tiles->dst + before * tiles->dst_step) & 7) +
                                 ((tiles->src + before * tiles->src_step) & 7) !=
                             0)
        before++;
    if (before < 8 && tiles->count >= before + group && tiles->dst_step == p->tile.size &&
        tiles->src_step == p->tile.in_stride) {
        const tpad_span whole = last_of(tiles, tiles->count - before);
        tpad_span groups = {whole.count / group,
                            whole.dst / 8,
                            whole.src / 8,
                            whole.dst_step * group / 8,
                            whole.src_step * group / 8,
                            0};
        groups.count = count_inside(w, &groups);
        const tpad_bit_tiles t = {.dst = w->dst,
                                  .src = w->src,
                                  .span = groups,
                                  /* Not 0, since a group is at most 6 vectors. */
                                  .block = BLOCK_BYTES / groups.dst_step / 8 * 8,
                                  .window_count = p->group.pieces,
                                  .windows = tpad_plan_windows(p),
                                  .passes = tpad_plan_passes(p),
                                  .fill = w->fill};
#if defined(TPAD_CHECKED)
        const tpad_span plane = {.count = 1};
        if (w->kernels->bits->pass_vectors == TPAD_PASS_VECTORS_PAIRS && groups.count > 0 &&
            !windows_are_input(w, &p->group, &plane, &groups))
            __builtin_trap();
#endif
        if (groups.count > 0) w->kernels->bits->tiles(&t);
        part.count = before;
        put_bit_rows(w, &part);
        part = last_of(&whole, whole.count - groups.count * group);
    }
    put_bit_rows(w, &part);
}

/* Packed tiles, plane by plane. */
static void put_bit_frame(const walk *w, const frame *f)
{
    const axis *rows = tpad_rows_axis(w->plan, w->plan->tile.loops);
    const tpad_span cells = {w->plan->tile.cells, 0, 0, w->plan->cell, 0, 0};
    for (int64_t i = 0; i < f->planes.count; i++) {
        tpad_span plane = last_of(&f->planes, f->planes.count - i);
        span_reader read = tpad_read_spans(rows, f->row_begin, f->row_end, INT64_MAX);
        plane.count = 1;
        for (tpad_span s; tpad_next_span(&read, &s);) {
            if (s.filled) {
                tpad_put_block(w, &plane, &s, &cells);
                continue;
            }
            s.dst += plane.dst;
            s.src += plane.src;
            put_bit_tiles(w, &s);
        }
    }
}

void tpad_walk_tiles(const walk *w, int64_t first, int64_t last)
{
    const plan *p = w->plan;
    const axis *rows = tpad_rows_axis(p, p->tile.loops);
    const tpad_span cells = {p->tile.cells, 0, 0, p->cell, 0, 0};
    frame_reader all = tpad_read_frames(p, p->tile.loops, first, last);
    for (frame f; tpad_next_frame(&all, &f);) {
        if (f.planes.filled) {
            const tpad_span filled = tpad_filled_span(rows, f.row_begin, f.row_end);
            tpad_put_block(w, &f.planes, &filled, &cells);
        } else if (PLAN_HAS_BIT_TABLE && p->cell_unit == 1) {
            put_bit_frame(w, &f);
        } else {
            put_tile_frame(w, &f);
        }
    }
}

#else

void tpad_walk_tiles(const walk *w, int64_t first, int64_t last)
{
    (void)w;
    (void)first;
    (void)last;
}

#endif
