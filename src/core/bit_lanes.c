/* Passes by lanes: one stretch, at most, of each byte. SPDX-License-Identifier: MIT
 *
 * Before it picks them, a pass brings the bytes that stretches lie in into the slots of a lane: eight
 * bytes of the vector share eight slots. What finds none waits for the next pass. */
#include "bit_vector.h"

#if TPAD_TABLE_BYTES > 0

enum { LANE = 8 };

/* What a lane holds: the place in the window of the first byte to come is in slot 0. */
typedef struct lane {
    int32_t used, places[LANE];
} lane;

/* The slot of the byte at `place`, if the next one holds or may hold the byte behind it where `pair`
 * is 1. -1 if there is none. */
static int32_t find_slot(lane *l, int32_t place, int pair)
{
    for (int32_t k = 0; k < l->used; k++) {
        if (l->places[k] != place) continue;
        if (!pair || (k + 1 < l->used && l->places[k + 1] == place + 1)) return k;
        if (k + 1 < l->used || k + 1 == LANE) continue;
        l->places[l->used++] = place + 1;
        return k;
    }
    if (l->used + 1 + pair > LANE) return -1;
    const int32_t slot = l->used;
    l->places[l->used++] = place;
    if (pair) l->places[l->used++] = place + 1;
    return slot;
}

/* How byte i takes the stretch, or what of it finds a slot. Returns 0 if nothing does. */
static int put_by_lanes(const bit_vector *v, lane *l, int32_t i, bit_stretch *s,
                        unsigned char *pass)
{
    int32_t slot = -1;
    if (s->pair && s->place + 1 < v->t->vector) slot = find_slot(l, s->place, 1);
    if (slot < 0) {
        tpad_bits_shorten(v, s);
        slot = find_slot(l, s->place, 0);
    }
    if (slot < 0) return 0;
    pass[v->t->vector + i] = (unsigned char)(8 * (v->t->high_first ? LANE - 1 - slot : slot) +
                                             (v->t->high_first ? -s->skip : s->skip)) &
                             63;
    return 1;
}

/* Takes a stretch of byte i, or what of it finds a slot. Returns how many elements. */
static int32_t take_by_lanes(bit_vector *v, lane *l, int32_t i, unsigned char *pass)
{
    const bit_table *t = v->t;
    bit_stretch s = {0};
    if (!tpad_bits_find(v, i, &s) || !put_by_lanes(v, l, i, &s, pass)) return 0;
    v->load |= UINT64_C(1) << tpad_bits_place(v, s.place);
    if (s.pair) v->load |= UINT64_C(1) << tpad_bits_place(v, s.place + 1);
    pass[t->pass_bytes - t->vector + i] = tpad_bits_wanted(v, &s);
    return tpad_bits_take(v, i, &s);
}

int32_t tpad_pass_by_lanes(bit_vector *v, unsigned char *pass)
{
    int32_t taken = 0;
    for (int32_t i = 0; i < v->bytes; i += LANE) {
        lane l;
        l.used = 0;
        for (int32_t k = i; k < i + LANE && k < v->bytes; k++)
            taken += take_by_lanes(v, &l, k, pass);
        for (int32_t k = 0; k < l.used; k++)
            pass[i + (v->t->high_first ? LANE - 1 - k : k)] = tpad_bits_place(v, l.places[k]);
    }
    return taken;
}

#endif
