/* Cuts an output into pieces and runs them; pieces.h says how. SPDX-License-Identifier: MIT
 *
 * A piece is a box of the output whose cells follow each other in memory: one index on the outer
 * axes, an interval of one axis (the split), all cells of the axes after it. */
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

/* 1 or -1 if the cells of a piece of one axis take neighbouring elements up or down, else 0. Each
 * cell's element is beside the one before it, so cells that read as many elements as they are go
 * one way. */
static int32_t line_of(const pieces *p, int32_t axis, const tpad_source *part)
{
    if (part->in_extent != part->out_extent) return 0;
    return source_of(p, axis, part->out_first, 1).in_first == part->in_first ? 1 : -1;
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
    const pieces_stretch *known = axis == p->inner ? &p->stretch : &p->rows;
    if (axis >= p->inner - 1 && axis <= p->inner && known->first <= first && first < known->end)
        return known->end - first;
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

/* Looks for a plain copy of `worth` cells or more. It finds those of an eighth of the axis or
 * more. */
static pieces_stretch find_stretch(const pieces *p, int32_t axis, double worth)
{
    for (int32_t i = 0; i < 8; i++) {
        const int64_t inside = p->out_extents[axis] / 8 * i;
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
        return (pieces_stretch){good, inside + count};
    }
    return (pieces_stretch){0, 0};
}

/* The bytes of one cell of an axis, with all cells of the axes after it. */
static double cell_bytes(const pieces *p, int32_t axis)
{
    double bytes = (double)p->elem_bytes;
    for (int32_t i = axis + 1; i < p->rank; i++) bytes *= (double)p->out_extents[i];
    return bytes;
}

/* ---- Where the input goes -------------------------------------------------------------------- */

/* A copy of a range takes JavaScript as long as that many bytes. */
enum { RANGE_COST_BYTES = 1024 };

/* The bytes from the first to the last element of a box of the input, on the axes from `axis` on.
 */
static int64_t range_bytes(const pieces *p, const pieces_input *in, int32_t axis)
{
    int64_t bytes = p->elem_bytes;
    for (int32_t i = axis; i < p->rank; i++) bytes += (in->extents[i] - 1) * p->in_strides[i];
    return bytes;
}

/* Chooses how a box of the input lies in `room` bytes: the axes before the result lie dense, the
 * ranges of the others as in the input. Returns -1 if there is no room. */
static int32_t choose_ranges(const pieces *p, const pieces_input *in, int64_t room)
{
    int64_t ranges = 1, groups = 1, least_cost = INT64_MAX;
    int32_t chosen = -1;
    for (int32_t i = 0; i <= p->rank && groups <= PIECES_MOST_COPIES; i++) {
        const int64_t bytes = ranges * range_bytes(p, in, i);
        const int64_t cost = bytes + ranges * RANGE_COST_BYTES;
        if (bytes <= room && cost < least_cost) {
            least_cost = cost;
            chosen = i;
        }
        groups = ranges;
        if (i < p->rank) ranges *= in->extents[i];
    }
    return chosen;
}

/* Asks for a box of the input, whose ranges begin with axis `from`, from byte `to` of the room
 * on. */
static void ask_for(pieces *p, pieces_input *in, int32_t from, int64_t to)
{
    const int64_t bytes = range_bytes(p, in, from);
    const int32_t last = from - 1; /* its ranges are one entry of the slate */
    int64_t index[TPAD_MAX_RANK] = {0}, stride = bytes;
    for (int32_t i = p->rank - 1; i >= 0; i--) {
        in->strides[i] = i >= from ? p->in_strides[i] : stride;
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
static void set_box(const pieces *p, pieces_box *b, int32_t split, int64_t count)
{
    b->input.reads = p->all.reads;
    b->pitch = 0;
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
}

/* Makes the next piece `count` cells of axis `split`. */
static void set_piece(pieces *p, int32_t split, int64_t count)
{
    set_box(p, &p->next, split, count);
    p->out = (pieces_out){.bytes = (double)p->elem_bytes, .from = -1};
    for (int32_t i = 0; i < p->rank; i++) p->out.bytes *= (double)p->next.extents[i];
}

/* Makes the next piece a plain copy of the input, or of a part of it; 0 if it reads nothing. */
static int set_plain(pieces *p, int32_t split, int64_t count)
{
    set_piece(p, split, count);
    if (!p->next.input.reads) return 0;
    p->out.from = 0;
    p->out.count = 1;
    for (int32_t i = 0; i < p->rank; i++)
        p->out.from += (double)p->next.input.first[i] * (double)p->in_strides[i];
    return 1;
}

/* Chooses a piece that is a plain copy of the input, if it is worth it; it may be of any size. */
static int choose_plain(pieces *p, int32_t outermost)
{
    if (!p->all.reads) return 0;
    for (int32_t split = outermost > p->inner ? outermost : p->inner; split < p->rank; split++) {
        const double worth = (double)p->rooms.out_bytes / 2 / cell_bytes(p, split);
        if ((double)(p->out_extents[split] - p->at[split]) < worth) continue;
        const int64_t count = plain_cells(p, split, p->at[split]);
        if (count == 0 || (double)count < worth) continue;
        if (set_plain(p, split, count)) return 1;
    }
    return 0;
}

/* From such a length on JavaScript copies the stretch of a row itself, and from such an output on a
 * piece of them is worth it. */
enum { LONG_ROW_BYTES = 1536, LONG_ROWS_BYTES = 32768 };

/* Finds out whether the output has long rows, and where: a stretch of many cells of axis `inner`,
 * and of each of its rows what is in front of it and after it, which is little. */
static void find_rows(pieces *p)
{
    const int32_t inner = p->inner;
    const double cell = cell_bytes(p, inner);
    p->has_rows = 0;
    p->stretch = find_stretch(p, inner, LONG_ROW_BYTES / cell);
    const double bytes = (double)(p->stretch.end - p->stretch.first) * cell;
    if (inner == 0 || bytes == 0 || cell_bytes(p, inner - 1) > 1.5 * bytes) return;
    p->rows = find_stretch(p, inner - 1, LONG_ROWS_BYTES / bytes);
    p->has_rows = p->rows.end > p->rows.first;
}

/* Sets the boxes in front of and after the stretch of `count` rows; 0 if their input has no
 * room. */
static int set_sides(pieces *p, int64_t count)
{
    const int32_t inner = p->inner;
    const int64_t ends[2] = {p->stretch.first, p->out_extents[inner]};
    const int64_t room = p->rooms.in_bytes / 2;
    int32_t ranges[2];
    for (int32_t k = 0; k < 2; k++) {
        pieces_box *b = &p->sides[k];
        set_box(p, b, inner - 1, count);
        b->pitch = p->out.gap;
        b->first[inner] = k == 0 ? 0 : p->stretch.end;
        b->extents[inner] = ends[k] - b->first[inner];
        /* The stretch begins and ends where mode wrap passes from the end to the beginning. */
        const tpad_source part = source_of(p, inner, b->first[inner], b->extents[inner]);
        if (part.out_extent != b->extents[inner]) return 0;
        b->input.first[inner] = part.in_first;
        b->input.extents[inner] = part.in_extent;
        if (part.in_extent == 0) b->input.reads = 0;
        ranges[k] = b->input.reads ? choose_ranges(p, &b->input, room) : 0;
        if (ranges[k] < 0) return 0;
    }
    if (!p->sides[0].input.reads && !p->sides[1].input.reads) {
        /* All rows have the same sides. Two rows hold what lies between two of them. */
        p->out.pitch = 0;
        for (int32_t k = 0; k < 2; k++) p->sides[k].extents[inner - 1] = least(2, count);
    }
    for (int32_t k = 0; k < 2; k++) {
        pieces_box *b = &p->sides[k];
        if (!b->input.reads) continue;
        ask_for(p, &b->input, ranges[k], k * room);
        b->place = k * room;
        p->held.reads = 0;
    }
    return 1;
}

/* Chooses a piece of long rows. */
static int choose_rows(pieces *p, int32_t outermost)
{
    const int32_t rows = p->inner - 1;
    if (!p->has_rows || outermost > rows) return 0;
    const int64_t stretch = p->stretch.end - p->stretch.first;
    const double cell = cell_bytes(p, p->inner), bytes = (double)stretch * cell;
    const double gap = cell_bytes(p, rows) - bytes;
    int64_t count = plain_cells(p, rows, p->at[rows]);
    if (gap > 0) count = least(count, (int64_t)((double)p->rooms.out_bytes / gap));
    for (; count > 0 && (double)count * bytes >= LONG_ROWS_BYTES; count /= 2) {
        if (!set_plain(p, rows, count)) return 0;
        const int64_t first = source_of(p, p->inner, p->stretch.first, 1).in_first;
        p->out.from += (double)(first - p->all.first[p->inner]) * (double)p->in_strides[p->inner];
        p->out.step = (double)p->in_strides[rows];
        p->out.count = (int32_t)count;
        p->out.front = (int32_t)((double)p->stretch.first * cell);
        p->out.gap = p->out.pitch = (int32_t)gap;
        if (gap == 0 || set_sides(p, count)) return 1;
    }
    return 0;
}

/* Chooses the largest piece whose output and input have room. An interval of the innermost axis
 * without a seam reads no more elements than it has cells, so one cell always has. */
static void choose_made(pieces *p, int32_t outermost)
{
    const int32_t rows = p->inner - 1;
    const int64_t stretch = p->stretch.end - p->stretch.first;
    const int is_long = 2 * (double)stretch * cell_bytes(p, p->inner) >= (double)p->rooms.out_bytes;
    if (p->has_rows && outermost < rows) outermost = rows;
    for (int32_t split = outermost; split < p->rank; split++) {
        const double most = (double)p->rooms.out_bytes / cell_bytes(p, split);
        const int64_t extent = p->out_extents[split], at = p->at[split];
        int64_t count = most < (double)extent ? (int64_t)most : extent;
        /* Pieces of equal size, which one plan can serve. */
        if (count > 0) count = share(extent, share(extent, count));
        /* What JavaScript copies itself begins another piece. */
        if (split == rows && p->has_rows && at < p->rows.first)
            count = least(count, p->rows.first - at);
        if (split == p->inner && is_long && at < p->stretch.first)
            count = least(count, p->stretch.first - at);
        for (count = least(count, extent - at); count > 0; count /= 2) {
            set_piece(p, split, count);
            if (!p->next.input.reads || is_held(p, &p->next)) return;
            const int32_t from = choose_ranges(p, &p->next.input, p->rooms.in_bytes);
            if (from < 0) continue;
            ask_for(p, &p->next.input, from, 0);
            p->held = p->next.input;
            p->next.place = 0;
            return;
        }
    }
    /* Only rank 0 gets here: the room holds the one element that there is. */
    set_piece(p, 0, 0);
    is_held(p, &p->next);
}

static void choose(pieces *p)
{
    int32_t outermost = 0;
    for (int32_t i = 0; i < p->rank; i++)
        if (p->at[i] > 0) outermost = i;
    if (!choose_rows(p, outermost) && !choose_plain(p, outermost)) choose_made(p, outermost);
}

/* ---- Running --------------------------------------------------------------------------------- */

/* 1 if a plan of one box also serves the other, from another place in the room. */
static int are_alike(const pieces *p, const pieces_box *a, const pieces_box *b)
{
    if (a->input.reads != b->input.reads || a->pitch != b->pitch) return 0;
    for (int32_t i = 0; i < p->rank; i++) {
        if (a->extents[i] != b->extents[i]) return 0;
        if (!a->input.reads) continue;
        if (a->input.strides[i] != b->input.strides[i]) return 0;
        if (a->first[i] != b->first[i] && (a->line[i] == 0 || a->line[i] != b->line[i])) return 0;
    }
    return 1;
}

/* Runs a box, to byte `to` of the room for output, by plan number `number`. */
static void run_box(pieces *p, const pieces_box *b, int32_t number, int64_t to)
{
    pieces_plan *of = &p->plans[number];
    if (!of->there || !are_alike(p, b, &of->box)) {
        int64_t out_strides[TPAD_MAX_RANK], stride = p->elem_bytes;
        for (int32_t i = p->rank - 1; i >= 0; stride *= b->extents[i--])
            out_strides[i] = b->pitch > 0 && i == p->inner - 1 ? b->pitch : stride;
        const tpad_box box = {.struct_size = sizeof box,
                              .first = b->first,
                              .extents = b->extents,
                              .out_strides = out_strides,
                              .in_first = b->input.reads ? b->input.first : NULL,
                              .in_strides = b->input.reads ? b->input.strides : NULL};
        /* This does not fail, nor does the run: the box lies in the output, and its strides lead no
         * farther than those of the dense tensors, of which the plan was made. */
        tpad_plan_box(&of->plan, sizeof of->plan, p->plan, &box, NULL);
        of->box = *b;
        of->there = 1;
    }
    tpad_run(&of->plan, b->input.reads ? p->rooms.in + b->place : NULL, p->rooms.out + to,
             p->value);
}

/* Goes after the piece; 0 at the end of the output. */
static int32_t go_on(pieces *p)
{
    p->at_byte += (int64_t)p->out.bytes;
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
    p->slate.out_bytes = 0;
    p->rooms = *rooms;
    p->plan = plan;
    p->elem_bytes = elem_bits / 8;
    for (int32_t i = 0; i < PIECES_PLANS; i++) p->plans[i].there = 0;
    p->has_rows = 0;
    p->stretch = p->rows = (pieces_stretch){0, 0};
    p->rank = tpad_plan_shape(plan, p->out_extents);
    if (p->rank < 0 || elem_bits < 8 || p->elem_bytes > least(rooms->in_bytes, rooms->out_bytes))
        return -1;
    p->all.reads = tpad_plan_needs(plan, p->all.first, p->all.extents) == TPAD_OK;
    int64_t stride = p->elem_bytes;
    for (int32_t i = p->rank - 1; i >= 0; i--) {
        if (p->out_extents[i] == 0) return 0;
        p->in_extents[i] = in_extents[i];
        p->in_strides[i] = stride;
        stride *= in_extents[i];
        if (p->all.extents[i] == 0) p->all.reads = 0;
    }
    p->inner = p->rank > 0 ? p->rank - 1 : 0;
    while (p->inner > 0 && p->in_extents[p->inner] == p->out_extents[p->inner] &&
           are_plain(p, p->inner, 0, p->out_extents[p->inner]))
        p->inner--;
    if (p->all.reads && p->rank > 0) find_rows(p);
    return pieces_again(p, plan, value);
}

int32_t pieces_again(pieces *p, const tpad_plan *plan, const void *value)
{
    p->slate.copy_count = 0;
    p->plan = plan;
    p->value = value;
    p->at_byte = 0;
    p->held.reads = 0;
    for (int32_t i = 0; i < p->rank; i++) p->at[i] = 0;
    const int32_t from =
        p->all.reads && !p->has_rows ? choose_ranges(p, &p->all, p->rooms.in_bytes) : -1;
    if (from >= 0) {
        ask_for(p, &p->all, from, 0);
        p->held = p->all;
    }
    choose(p);
    return 1;
}

int32_t pieces_step(pieces *p)
{
    p->slate.copy_count = 0;
    p->slate.out_first = (double)p->at_byte;
    p->slate.out_bytes = p->out.bytes;
    p->slate.out_from = p->out.from;
    p->slate.out_step = p->out.step;
    p->slate.out_count = p->out.count;
    p->slate.out_front = p->out.front;
    p->slate.out_gap = p->out.gap;
    p->slate.out_pitch = p->out.pitch;
    if (p->out.from < 0) {
        run_box(p, &p->next, 2, 0);
    } else if (p->out.gap > 0) {
        if (p->out.front > 0) run_box(p, &p->sides[0], 0, 0);
        if (p->out.front < p->out.gap) run_box(p, &p->sides[1], 1, p->out.front);
    }
    const int32_t more = go_on(p);
    if (more) choose(p);
    return more;
}
