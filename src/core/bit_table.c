/* Tables for short rows of packed elements: which bit of the input each bit of a tile is.
 * SPDX-License-Identifier: MIT
 *
 * A group of neighbouring tiles that begins and ends on whole bytes, of the output and of the input,
 * is a fixed permutation of bits. It is written down in pieces of 64 bits of output, each of which
 * says for every bit which byte of a window of the input it is in and which of that byte's. Modes,
 * gaps and the order of bits cost nothing extra. Where a group is too large there is no table. */
#include "../kernels/kernels.h"
#include "checked.h"
#include "table.h"

#if TPAD_TABLE_BYTES > 0

enum {
    VECTOR_BYTES = TPAD_BIT_VECTOR / 8, /* of output that a piece writes */
    WINDOW_BYTES = 64
};

/* Adds the piece that takes what one window holds of `from`, and marks that as taken. `first`: the
 * first one of these bits, which also writes the fill. Returns the elements that are still to be
 * taken, or -1 if there is no room. */
static int32_t add_piece(maker *m, int64_t at, int32_t *from, int first)
{
    if (m->used == m->capacity) return -1;
    const int32_t count = TPAD_BIT_VECTOR >> m->grain_shift;
    const int flip = m->p->flags & PLAN_HIGH_BITS_FIRST ? 7 : 0;
    int32_t low = INT32_MAX, left = 0;
    for (int32_t i = 0; i < count; i++)
        if (from[i] != NO_SOURCE && from[i] < low) low = from[i];
    low = low == INT32_MAX ? 0 : low - (low & 7);

    unsigned char *index = m->index + (int64_t)m->used * 2 * TPAD_BIT_VECTOR;
    unsigned char *wanted = index + TPAD_BIT_VECTOR;
    uint64_t load = 0, take = 0;
    tpad_memset(index, 0, 2 * TPAD_BIT_VECTOR);
    for (int32_t i = 0; i < count; i++) {
        if (from[i] == NO_SOURCE) continue;
        /* No element lies in two bytes. */
        const int32_t bit = from[i] - low, byte = bit >> 3;
        const int here = byte < WINDOW_BYTES;
        for (int32_t k = 0; k < m->grain; k++) {
            const int32_t place = (i * m->grain + k) ^ flip;
            take |= UINT64_C(1) << place;
            if (!here) continue;
            index[place] = (unsigned char)byte;
            wanted[place] = (unsigned char)(1 << (((bit & 7) + k) ^ flip));
        }
        if (!here) {
            left++;
            continue;
        }
        load |= UINT64_C(1) << byte;
        from[i] = NO_SOURCE;
    }
    m->pieces[m->used++] = (tpad_piece){.dst = (int32_t)(at / 8),
                                        .src = low / 8,
                                        .count = 1,
                                        .load = load,
                                        .store = first ? ~UINT64_C(0) : 0,
                                        .take = take};
    return left;
}

/* Writes down all pieces of a group. Returns how many, or 0. */
static int32_t make_table(maker *m, int32_t tiles)
{
    int32_t from[TPAD_BIT_VECTOR];
    if (!tpad_table_begin(m, tiles)) return 0;
    m->used = 0;
    for (int64_t next = 0; next < m->bytes; next += TPAD_BIT_VECTOR) {
        /* The last piece ends where the group does and writes some bytes twice. */
        const int64_t at = tpad_min(next, m->bytes - TPAD_BIT_VECTOR);
        tpad_table_gather(m, at, TPAD_BIT_VECTOR >> m->grain_shift, from);
        int32_t left = 1;
        for (int first = 1; left > 0; first = 0) {
            left = add_piece(m, at, from, first);
            if (left < 0) return 0;
        }
    }
    return m->used;
}

/* The fewest tiles that are whole bytes on both sides, many times until they are whole pieces but for
 * a tenth, or as nearly as there is room for. 0 if a piece is more than there are. */
static int32_t best_group(const maker *m, int64_t most)
{
    const int64_t bits = m->p->tile_bytes, room = (int64_t)m->capacity * TPAD_BIT_VECTOR;
    int64_t fewest = 1, best = 0;
    while (((fewest * bits) & 7) + ((fewest * m->p->tile_in_stride) & 7) != 0) fewest *= 2;
    for (int64_t n = fewest; n <= most && n * bits <= room; n += fewest) {
        const int64_t pieces = (n * bits + TPAD_BIT_VECTOR - 1) / TPAD_BIT_VECTOR;
        const int64_t fewer = (best * bits + TPAD_BIT_VECTOR - 1) / TPAD_BIT_VECTOR;
        if (n * bits < TPAD_BIT_VECTOR) continue;
        /* Pieces for each tile, compared crosswise. */
        if (best == 0 || pieces * best < fewer * n) best = n;
        if (n * bits * 10 >= pieces * TPAD_BIT_VECTOR * 9) break;
    }
    return (int32_t)best;
}

void tpad_table_of_bits(plan *p)
{
    const axis *inner = &p->loops[p->loop_count - 1];
    if (!tpad_kernels_at(p->kernels)->bit_tiles || !(p->flags & PLAN_BIT_STREAM) ||
        p->cells > MOST_REACH * INT64_C(64) || inner->out_stride != p->cell)
        return;
    maker m = {.p = p,
               .inner = inner,
               .masked = 1,
               .grain = (int32_t)p->cell,
               .grain_shift = (int32_t)(p->cell / 2),
               .row_bytes = inner->extent * p->cell,
               .capacity = tpad_plan_capacity(2 * TPAD_BIT_VECTOR),
               .pieces = (tpad_piece *)(void *)p->table};
    m.index = (unsigned char *)(void *)(m.pieces + m.capacity);
    const int64_t room = (int64_t)m.capacity * TPAD_BIT_VECTOR;
    tpad_table_choose_loops(p, tpad_min(room, p->cells * p->cell / 4));
    int32_t group = 0;
    p->single_pieces = p->group_pieces = 0;
    for (; p->tile_loops > 0; tpad_table_choose_loops(p, p->tile_bytes - 1)) {
        const int64_t most = tpad_table_neighbours(p);
        if (p->tile_loops < p->loop_count && p->tile_bytes <= room) group = best_group(&m, most);
        if (group > 0) p->group_pieces = make_table(&m, group);
        if (p->group_pieces > 0) break;
        group = 0;
        if (p->tile_loops == 1) p->tile_loops = 0;
        if (p->tile_loops == 0) return;
    }
    p->group = group;
    p->tile_cells = p->tile_bytes / p->cell;
    p->tile_count = p->cells / p->tile_cells;
}

#endif
