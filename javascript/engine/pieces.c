/* Cuts an output into pieces and runs them; pieces.h says how. SPDX-License-Identifier: MIT
 *
 * A piece is a box of the output whose cells follow each other in memory: one index on the outer
 * axes, an interval of one axis (the split), all cells of the axes behind it. */
#include "pieces.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* How many there are in each of `parts` parts, at most. */
static int64_t share(int64_t count, int64_t parts)
{
    return (count + parts - 1) / parts;
}

/* ---- What a box reads ------------------------------------------------------------------------ */

/* What `count` cells of an axis read, from cell `first` on. Fewer cells if mode wrap goes from the
 * input's end to its beginning between them, so that what they read lies together. */
static tpad_source source_of(const pieces *p, int32_t axis, int64_t first, int64_t count)
{
    tpad_source parts[2];
    tpad_plan_sources(p->plan, axis, first, count, parts);
    return parts[0];
}

/* 1 or -1 if the cells of a piece of one axis take neighbouring elements up or down, else 0. */
static int32_t line_of(const pieces *p, int32_t axis, const tpad_source *part)
{
    const int64_t count = part->out_extent;
    if (count < 1 || part->in_extent != count) return 0;
    const int64_t end = part->in_first + count - 1;
    const int64_t from = source_of(p, axis, part->out_first, 1).in_first;
    const int64_t to = source_of(p, axis, part->out_first + count - 1, 1).in_first;
    if (from == part->in_first && to == end) return 1;
    return from == end && to == part->in_first ? -1 : 0;
}

/* 1 if `count` cells of an axis are a plain copy of neighbouring elements. */
static int are_plain(const pieces *p, int32_t axis, int64_t first, int64_t count)
{
    const tpad_source part = source_of(p, axis, first, count);
    return part.out_extent == count && line_of(p, axis, &part) == 1;
}

/* The cells of an axis from `first` on that are a plain copy. */
static int64_t plain_cells(const pieces *p, int32_t axis, int64_t first)
{
    if (axis == p->split_least && p->stretch <= first && first < p->stretch_end)
        return p->stretch_end - first;
    int64_t good = 0, bad = least(2, p->out_extents[axis] - first) + 1;
    if (bad == 3 && are_plain(p, axis, first, 2)) bad = p->out_extents[axis] - first + 1;
    while (bad - good > 1) {
        const int64_t count = good + (bad - good) / 2;
        if (are_plain(p, axis, first, count))
            good = count;
        else
            bad = count;
    }
    return good;
}

/* ---- Where the input goes -------------------------------------------------------------------- */

/* A copy of a range takes JavaScript as long as that many bytes. */
enum { RANGE_COST_BYTES = 1024 };

/* The bytes from the first to the last element of a box of the input, on the axes from `axis` on. */
static int64_t range_bytes(const pieces *p, const pieces_input *in, int32_t axis)
{
    int64_t bytes = p->elem_bytes;
    for (int32_t i = axis; i < p->rank; i++) bytes += (in->extents[i] - 1) * p->in_strides[i];
    return bytes;
}

/* Chooses how a box of the input lies in the room: the axes before the result lie dense, the ranges
 * of the others as in the input. Returns -1 if there is no room. */
static int32_t choose_ranges(const pieces *p, const pieces_input *in)
{
    int64_t ranges = 1, groups = 1, least_cost = INT64_MAX;
    int32_t chosen = -1;
    for (int32_t i = 0; i <= p->rank && groups <= PIECES_MOST_COPIES; i++) {
        const int64_t bytes = ranges * range_bytes(p, in, i);
        const int64_t cost = bytes + ranges * RANGE_COST_BYTES;
        if (bytes <= p->rooms.in_bytes && cost < least_cost) {
            least_cost = cost;
            chosen = i;
        }
        groups = ranges;
        if (i < p->rank) ranges *= in->extents[i];
    }
    return chosen;
}

/* Asks for a box of the input, whose ranges begin with axis `from`; it will be what the room
 * holds. */
static void ask_for(pieces *p, const pieces_input *in, int32_t from)
{
    const int64_t bytes = range_bytes(p, in, from);
    const int32_t last = from - 1; /* its ranges are one entry of the slate */
    int64_t index[TPAD_MAX_RANK] = {0}, stride = bytes, to = 0;
    p->held = *in;
    for (int32_t i = p->rank - 1; i >= 0; i--) {
        p->held.strides[i] = i >= from ? p->in_strides[i] : stride;
        if (i < from) stride *= in->extents[i];
    }
    const int32_t count = last < 0 ? 1 : (int32_t)in->extents[last];
    for (int32_t i = 0; i >= 0;) {
        int64_t first = 0;
        for (int32_t k = 0; k < p->rank; k++) first += (in->first[k] + index[k]) * p->in_strides[k];
        p->slate.copies[p->slate.copy_count++] =
            (pieces_copy){.from = (double)first,
                          .from_step = last < 0 ? 0 : (double)p->in_strides[last],
                          .to = (int32_t)to,
                          .to_step = (int32_t)bytes,
                          .bytes = (int32_t)bytes,
                          .count = count};
        to += count * bytes;
        for (i = last - 1; i >= 0 && ++index[i] == in->extents[i]; i--) index[i] = 0;
    }
}

/* 1 if the room holds a box of the input; then sets where. */
static int is_held(const pieces *p, pieces_box *box)
{
    box->place = 0;
    if (!p->held.reads) return 0;
    for (int32_t i = 0; i < p->rank; i++) {
        const int64_t offset = box->input.first[i] - p->held.first[i];
        if (offset < 0 || offset + box->input.extents[i] > p->held.extents[i]) return 0;
        box->input.strides[i] = p->held.strides[i];
        box->place += offset * p->held.strides[i];
    }
    return 1;
}

/* ---- Choosing a piece ------------------------------------------------------------------------ */

/* Sets the box of `count` cells of axis `split`, or fewer where a seam is. */
static void set_box(pieces *p, int32_t split, int64_t count)
{
    pieces_box *b = &p->next;
    b->input.reads = p->all.reads;
    for (int32_t i = 0; i < p->rank; i++) {
        b->first[i] = p->at[i];
        b->extents[i] = i < split ? 1 : p->out_extents[i];
        b->input.first[i] = p->all.first[i];
        b->input.extents[i] = p->all.extents[i];
        b->line[i] = 0;
        if (i > split) continue;
        const tpad_source part = source_of(p, i, p->at[i], i < split ? 1 : count);
        b->extents[i] = part.out_extent;
        b->input.first[i] = part.in_first;
        b->input.extents[i] = part.in_extent;
        b->line[i] = line_of(p, i, &part);
        if (part.in_extent == 0) b->input.reads = 0;
    }
    b->bytes = (double)p->elem_bytes;
    for (int32_t i = 0; i < p->rank; i++) b->bytes *= (double)b->extents[i];
    b->out_from = -1;
    b->out_count = 0;
    b->out_step = 0;
}

/* The bytes of one cell of an axis, with all cells of the axes behind it. */
static double cell_bytes(const pieces *p, int32_t axis)
{
    double bytes = (double)p->elem_bytes;
    for (int32_t i = axis + 1; i < p->rank; i++) bytes *= (double)p->out_extents[i];
    return bytes;
}

/* Looks for a plain copy on axis split_least that is worth a piece. It finds those of an eighth of
 * the axis or more. */
static void find_stretch(pieces *p)
{
    const int32_t axis = p->split_least;
    const int64_t extent = p->out_extents[axis];
    const double worth = (double)p->rooms.out_bytes / 2 / cell_bytes(p, axis);
    p->has_plain_rows = axis > 0 && are_plain(p, axis, 0, extent);
    for (int32_t i = 0; i < 8; i++) {
        const int64_t inside = extent / 8 * i;
        const int64_t count = plain_cells(p, axis, inside);
        if (count == 0 || (double)count < worth) continue;
        int64_t good = inside, bad = -1;
        while (good - bad > 1) {
            const int64_t first = bad + (good - bad) / 2;
            if (are_plain(p, axis, first, inside + 1 - first))
                good = first;
            else
                bad = first;
        }
        p->stretch = good;
        p->stretch_end = inside + count;
        return;
    }
}

/* Makes the next piece a plain copy; 0 if it reads nothing. */
static int set_plain(pieces *p, int32_t split, int64_t count)
{
    pieces_box *b = &p->next;
    set_box(p, split, count);
    if (!b->input.reads) return 0;
    b->out_from = 0;
    b->out_count = 1;
    for (int32_t i = 0; i < p->rank; i++)
        b->out_from += (double)b->input.first[i] * (double)p->in_strides[i];
    return 1;
}

/* From such a length on JavaScript copies rows itself, and from such an output on a piece of them
 * is worth it. */
enum { PLAIN_ROW_BYTES = 1024, PLAIN_ROWS_BYTES = 32768 };

/* Chooses a piece that is a plain copy of the input, if it is worth it; it may be of any size. */
static int choose_plain(pieces *p, int32_t outermost)
{
    if (!p->all.reads) return 0;
    const int32_t rows = p->split_least - 1;
    if (p->has_plain_rows && outermost <= rows) {
        const double row_bytes = cell_bytes(p, rows);
        const int64_t count = plain_cells(p, rows, p->at[rows]);
        if (row_bytes >= PLAIN_ROW_BYTES && (double)count * row_bytes >= PLAIN_ROWS_BYTES &&
            set_plain(p, rows, count)) {
            p->next.out_count = (int32_t)count;
            p->next.out_step = (double)p->in_strides[rows];
            return 1;
        }
    }
    for (int32_t split = outermost > p->split_least ? outermost : p->split_least; split < p->rank;
         split++) {
        const double worth = (double)p->rooms.out_bytes / 2 / cell_bytes(p, split);
        if ((double)(p->out_extents[split] - p->at[split]) < worth) continue;
        const int64_t count = plain_cells(p, split, p->at[split]);
        if (count == 0 || (double)count < worth) continue;
        if (set_plain(p, split, count)) return 1;
    }
    return 0;
}

/* Chooses the largest piece whose output and input have room. An interval of the innermost axis
 * without a seam reads no more elements than it has cells, so one cell always has. */
static void choose_made(pieces *p, int32_t outermost)
{
    for (int32_t split = outermost; split < p->rank; split++) {
        const double most = (double)p->rooms.out_bytes / cell_bytes(p, split);
        const int64_t extent = p->out_extents[split], left = extent - p->at[split];
        int64_t count = most < (double)extent ? (int64_t)most : extent;
        /* Pieces of equal size, which one plan can serve. */
        if (count > 0) count = share(extent, share(extent, count));
        const int64_t before = p->stretch - p->at[split];
        if (split == p->split_least && before > 0) count = least(count, before);
        for (count = least(count, left); count > 0; count /= 2) {
            set_box(p, split, count);
            if (!p->next.input.reads || is_held(p, &p->next)) return;
            const int32_t from = choose_ranges(p, &p->next.input);
            if (from < 0) continue;
            ask_for(p, &p->next.input, from);
            is_held(p, &p->next);
            return;
        }
    }
    /* Only rank 0 gets here: the room holds the one element that there is. */
    set_box(p, 0, 0);
    is_held(p, &p->next);
}

static void choose(pieces *p)
{
    int32_t outermost = 0;
    for (int32_t i = 0; i < p->rank; i++)
        if (p->at[i] > 0) outermost = i;
    if (!choose_plain(p, outermost)) choose_made(p, outermost);
}

/* ---- Running --------------------------------------------------------------------------------- */

/* 1 if a plan of one box also serves the other, from another place in the room. */
static int are_alike(const pieces *p, const pieces_box *a, const pieces_box *b)
{
    if (a->input.reads != b->input.reads) return 0;
    for (int32_t i = 0; i < p->rank; i++) {
        if (a->extents[i] != b->extents[i]) return 0;
        if (!a->input.reads) continue;
        if (a->input.strides[i] != b->input.strides[i]) return 0;
        if (a->first[i] != b->first[i] && (a->line[i] == 0 || a->line[i] != b->line[i])) return 0;
    }
    return 1;
}

static void run_box(pieces *p)
{
    const pieces_box *b = &p->next;
    if (!p->has_plan || !are_alike(p, b, &p->planned)) {
        int64_t out_strides[TPAD_MAX_RANK], stride = p->elem_bytes;
        for (int32_t i = p->rank - 1; i >= 0; stride *= b->extents[i--]) out_strides[i] = stride;
        const tpad_box box = {.struct_size = sizeof box,
                              .first = b->first,
                              .extents = b->extents,
                              .out_strides = out_strides,
                              .in_first = b->input.reads ? b->input.first : NULL,
                              .in_strides = b->input.reads ? b->input.strides : NULL};
        tpad_plan_box(&p->box_plan, sizeof p->box_plan, p->plan, &box, NULL);
        p->planned = *b;
        p->has_plan = 1;
    }
    tpad_run(&p->box_plan, b->input.reads ? p->rooms.in + b->place : NULL, p->rooms.out, p->value);
}

/* Goes behind the piece; 0 at the end of the output. */
static int32_t go_on(pieces *p)
{
    p->at_byte += (int64_t)p->next.bytes;
    int32_t i = p->rank - 1;
    for (; i >= 0; i--) {
        p->at[i] += p->next.extents[i];
        if (p->at[i] < p->out_extents[i]) return 1;
        p->at[i] = 0;
    }
    return 0;
}

int32_t pieces_begin(pieces *p, const tpad_plan *plan, const int64_t *in_extents, int32_t elem_bits,
                     const void *value, const pieces_rooms *rooms)
{
    p->slate.copy_count = 0;
    p->slate.out_bytes = 0;
    p->rooms = *rooms;
    p->plan = plan;
    p->value = value;
    p->elem_bytes = elem_bits / 8;
    p->at_byte = 0;
    p->held.reads = p->has_plan = 0;
    p->rank = tpad_plan_shape(plan, p->out_extents);
    if (p->rank < 0 || elem_bits < 8 || p->elem_bytes > least(rooms->in_bytes, rooms->out_bytes))
        return -1;
    p->all.reads = tpad_plan_needs(plan, p->all.first, p->all.extents) == TPAD_OK;
    int64_t stride = p->elem_bytes;
    for (int32_t i = p->rank - 1; i >= 0; i--) {
        if (p->out_extents[i] == 0) return 0;
        p->at[i] = 0;
        p->in_extents[i] = in_extents[i];
        p->in_strides[i] = stride;
        stride *= in_extents[i];
        if (p->all.extents[i] == 0) p->all.reads = 0;
    }
    p->stretch = p->stretch_end = 0;
    p->split_least = p->rank - 1;
    while (p->split_least > 0 && p->in_extents[p->split_least] == p->out_extents[p->split_least] &&
           are_plain(p, p->split_least, 0, p->out_extents[p->split_least]))
        p->split_least--;
    if (p->rank > 0) find_stretch(p);
    const int32_t from = p->all.reads ? choose_ranges(p, &p->all) : -1;
    if (from >= 0) ask_for(p, &p->all, from);
    choose(p);
    return 1;
}

int32_t pieces_step(pieces *p)
{
    p->slate.copy_count = 0;
    p->slate.out_first = (double)p->at_byte;
    p->slate.out_bytes = p->next.bytes;
    p->slate.out_from = p->next.out_from;
    p->slate.out_step = p->next.out_step;
    p->slate.out_count = p->next.out_count;
    if (p->next.out_from < 0) run_box(p);
    const int32_t more = go_on(p);
    if (more) choose(p);
    return more;
}
