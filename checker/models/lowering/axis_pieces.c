/* Where the cells of an output axis come from.  SPDX-License-Identifier: MIT
 *
 * Amounts and extents are at most 2^61 in size, so sums of three do not overflow. */
#include "rewrite.h"

int32_t tpad_cuts_first(const tpad_rules_facts *facts)
{
    /* Mode constant gives the same result in either order. */
    return facts->spec == TPAD_RULES_ONNX || facts->mode == TPAD_RULES_CONSTANT;
}

int32_t tpad_amounts_are_known(const tpad_rules_facts *facts)
{
    for (int32_t i = 0; i < facts->rank; i++)
        if (!facts->axis[i].amounts_known) return 0;
    return facts->rank >= 0;
}

int64_t tpad_out_extent(const tpad_rules_facts *facts, const tpad_rules_axis *axis)
{
    if (!axis->amounts_known) return -1;
    if (axis->extent < 0) return axis->begin == 0 && axis->end == 0 ? axis->extent : -1;
    int64_t extent;
    if (__builtin_add_overflow(axis->extent, axis->begin, &extent) ||
        __builtin_add_overflow(extent, axis->end, &extent))
        return -1; /* the sum may overflow before a crop makes it smaller */
    return extent < 0 && facts->spec == TPAD_RULES_OPENVINO ? 0 : extent;
}

int32_t tpad_axis_grows(const tpad_rules_axis *axis)
{
    return axis->begin > 0 || axis->end > 0;
}

int32_t tpad_axis_is_cut(const tpad_rules_axis *axis)
{
    return axis->begin < 0 || axis->end < 0;
}

/* The part of the input that a mode repeats. */
typedef struct part {
    int64_t first, end;
} part;

static part part_of(const tpad_rules_facts *facts, const tpad_rules_axis *axis)
{
    const int64_t begin = axis->begin < 0 ? -axis->begin : 0, end = axis->end < 0 ? -axis->end : 0;
    if (!tpad_cuts_first(facts)) return (part){0, axis->extent};
    return (part){begin, axis->extent - end};
}

int32_t tpad_nothing_is_left(const tpad_rules_axis *axis)
{
    const int64_t begin = axis->begin < 0 ? -axis->begin : 0, end = axis->end < 0 ? -axis->end : 0;
    return axis->extent >= 0 && axis->extent - end <= begin;
}

void tpad_cut_axis(tpad_rules_axis *axis)
{
    const int64_t begin = axis->begin < 0 ? axis->begin : 0, end = axis->end < 0 ? axis->end : 0;
    if (axis->extent >= 0)
        axis->extent = tpad_nothing_is_left(axis) ? 0 : axis->extent + begin + end;
    axis->least += begin + end;
    axis->begin -= begin;
    axis->end -= end;
}

static int64_t modulo(int64_t number, int64_t period)
{
    return (number % period + period) % period;
}

/* The piece of a mode at distance `at` from the first of `cells` cells, outside them. */
static tpad_piece piece_outside(int32_t mode, int64_t at, int64_t cells)
{
    const int64_t turn = mode == TPAD_RULES_REFLECT ? 1 : 0; /* the ends are not repeated */
    if (mode == TPAD_RULES_CONSTANT || cells <= 0) return (tpad_piece){PIECE_FILL, 0, INT64_MAX};
    if (mode == TPAD_RULES_EDGE)
        return (tpad_piece){PIECE_REPEAT, at < 0 ? 0 : cells - 1, INT64_MAX};
    if (cells == 1) return (tpad_piece){PIECE_REPEAT, 0, INT64_MAX};
    if (mode == TPAD_RULES_WRAP) {
        const int64_t place = modulo(at, cells);
        return (tpad_piece){PIECE_FORWARD, place, cells - place};
    }
    const int64_t period = 2 * (cells - turn), place = modulo(at, period);
    if (place < cells - turn) return (tpad_piece){PIECE_FORWARD, place, cells - turn - place};
    return (tpad_piece){PIECE_BACK, period - place - (1 - turn), period - place};
}

tpad_piece tpad_piece_at(const tpad_rules_facts *facts, const tpad_rules_axis *axis, int64_t at)
{
    const part p = part_of(facts, axis);
    const int64_t place = at - axis->begin, left = tpad_out_extent(facts, axis) - at;
    tpad_piece piece = {PIECE_FORWARD, place, p.end - place};
    if (place < p.first || place >= p.end) {
        piece = piece_outside(facts->mode, place - p.first, p.end - p.first);
        piece.first += p.first;
        if (place < p.first && p.first < p.end && piece.count > p.first - place)
            piece.count = p.first - place;
    }
    if (piece.count > left) piece.count = left;
    return piece;
}

int64_t tpad_needed_cells(int32_t mode, const tpad_rules_axis *axis)
{
    const int64_t amount = axis->begin > axis->end ? axis->begin : axis->end;
    if (mode == TPAD_RULES_CONSTANT || mode == TPAD_RULES_EDGE) return 0;
    return mode == TPAD_RULES_REFLECT ? amount + 1 : amount;
}

/* The pieces of an uncut axis with unknown extent. Places counted from the end are below 0. */
static int32_t open_pieces(tpad_piece pieces[MOST_PIECES], const tpad_rules_facts *facts,
                           const tpad_rules_axis *axis)
{
    const int64_t begin = axis->begin, end = axis->end;
    tpad_piece before = {PIECE_FILL, 0, begin}, after = {PIECE_FILL, 0, end};
    int32_t count = 0;
    if (tpad_axis_is_cut(axis) ||
        tpad_needed_cells(facts->mode, axis) > (axis->least > 1 ? axis->least : 1))
        return -1;
    switch (facts->mode) {
    case TPAD_RULES_CONSTANT:
        break;
    case TPAD_RULES_EDGE:
        before = (tpad_piece){PIECE_REPEAT, 0, begin};
        after = (tpad_piece){PIECE_REPEAT, -1, end};
        break;
    case TPAD_RULES_WRAP:
        before = (tpad_piece){PIECE_FORWARD, -begin, begin};
        after = (tpad_piece){PIECE_FORWARD, 0, end};
        break;
    case TPAD_RULES_REFLECT:
        before = (tpad_piece){PIECE_BACK, begin, begin};
        after = (tpad_piece){PIECE_BACK, -2, end};
        break;
    case TPAD_RULES_SYMMETRIC:
        before = (tpad_piece){PIECE_BACK, begin - 1, begin};
        after = (tpad_piece){PIECE_BACK, -1, end};
        break;
    default:
        return -1;
    }
    if (begin > 0) pieces[count++] = before;
    pieces[count++] = (tpad_piece){PIECE_FORWARD, 0, -1};
    if (end > 0) pieces[count++] = after;
    return count;
}

int32_t tpad_pieces(tpad_piece pieces[MOST_PIECES], const tpad_rules_facts *facts,
                    const tpad_rules_axis *axis)
{
    const int64_t extent = tpad_out_extent(facts, axis);
    int32_t count = 0;
    if (axis->extent < 0) return open_pieces(pieces, facts, axis);
    for (int64_t at = 0; at < extent; at += pieces[count++].count) {
        if (count == MOST_PIECES) return -1;
        pieces[count] = tpad_piece_at(facts, axis, at);
    }
    return count;
}
