/* Passes by quadwords: one stretch, at most, of each byte. SPDX-License-Identifier: MIT
 *
 * Before it picks them, a pass brings the bytes that stretches lie in into the slots of a quadword: eight
 * bytes of the vector share eight slots. What finds none waits for the next pass. */
#include "bit_vector.h"

#if TPAD_TABLE_BYTES > 0

enum { QUADWORD = 8 };

/* What a quadword holds: the place in the window of the first byte to come is in slot 0. */
typedef struct quadword {
    int32_t used, places[QUADWORD];
} quadword;

/* The slot of the byte at `place`, if the next one holds or may hold the byte behind it where `pair`
 * is 1. -1 if there is none. */
static int32_t find_slot(quadword *q, int32_t place, int pair)
{
    for (int32_t k = 0; k < q->used; k++) {
        if (q->places[k] != place) continue;
        if (!pair || (k + 1 < q->used && q->places[k + 1] == place + 1)) return k;
        if (k + 1 < q->used || k + 1 == QUADWORD) continue;
        q->places[q->used++] = place + 1;
        return k;
    }
    if (q->used + 1 + pair > QUADWORD) return -1;
    const int32_t slot = q->used;
    q->places[q->used++] = place;
    if (pair) q->places[q->used++] = place + 1;
    return slot;
}

/* How byte i takes the stretch, or what of it finds a slot. Returns 0 if nothing does. */
static int put_by_quadwords(const bit_vector *v, quadword *q, int32_t i, bit_stretch *s,
                            unsigned char *pass)
{
    int32_t slot = -1;
    if (s->pair && s->place + 1 < v->t->vector) slot = find_slot(q, s->place, 1);
    if (slot < 0) {
        tpad_bits_shorten(v, s);
        slot = find_slot(q, s->place, 0);
    }
    if (slot < 0) return 0;
    pass[v->t->vector + i] = (unsigned char)(8 * (v->t->high_first ? QUADWORD - 1 - slot : slot) +
                                             (v->t->high_first ? -s->skip : s->skip)) &
                             63;
    return 1;
}

/* Takes a stretch of byte i, or what of it finds a slot. Returns how many elements. */
static int32_t take_by_quadwords(bit_vector *v, quadword *q, int32_t i, unsigned char *pass)
{
    const bit_table *t = v->t;
    bit_stretch s = {0};
    if (!tpad_bits_find(v, i, &s) || !put_by_quadwords(v, q, i, &s, pass)) return 0;
    v->load |= UINT64_C(1) << tpad_bits_place(v, s.place);
    if (s.pair) v->load |= UINT64_C(1) << tpad_bits_place(v, s.place + 1);
    pass[t->pass_bytes - t->vector + i] = tpad_bits_wanted(v, &s);
    return tpad_bits_take(v, i, &s);
}

int32_t tpad_pass_by_quadwords(bit_vector *v, unsigned char *pass)
{
    int32_t taken = 0;
    for (int32_t i = 0; i < v->bytes; i += QUADWORD) {
        quadword q;
        q.used = 0;
        for (int32_t k = i; k < i + QUADWORD && k < v->bytes; k++)
            taken += take_by_quadwords(v, &q, k, pass);
        for (int32_t k = 0; k < q.used; k++)
            pass[i + (v->t->high_first ? QUADWORD - 1 - k : k)] = tpad_bits_place(v, q.places[k]);
    }
    return taken;
}

#endif
