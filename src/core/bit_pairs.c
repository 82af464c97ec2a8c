/* Passes by pairs: of each byte all that one multiplication of 16 bits can bring to its place.
 * SPDX-License-Identifier: MIT
 *
 * A power of two as factor moves the bits of a pair of bytes all by one way. A sum of such powers moves
 * each bit by several ways at once, so that a repeated element comes to all of its places, and
 * elements that are spread out come to theirs. What else the product has is masked away, as long as
 * no two bits come to one place that is wanted, and nothing is carried there. */
#include "bit_vector.h"

#if TPAD_TABLE_BYTES > 0

/* What a byte of the vector takes by a pair: the bytes in the window, low one first, or -1; which
 * bits of them, as a number of 16 bits; the other factor; and the bits that come to be. */
typedef struct byte_pair {
    int32_t place[2];
    uint32_t bits, factor, wanted;
} byte_pair;

/* 1 if the high byte of the product has each wanted bit as it is in one place of `bits`: no second
 * one comes to that place, and nothing is carried there. */
static int is_clean(const byte_pair *p)
{
    /* Four bits for each bit of the product. The other factor has a bit for each stretch of a byte, eight
     * at most, so no more ones meet there. */
    uint64_t sums = 0, ones = 0;
    for (int k = 0; k < 16; k++) ones |= (uint64_t)(p->bits >> k & 1) << 4 * k;
    for (int k = 0; k < 16; k++)
        if (p->factor >> k & 1) sums += ones << 4 * k;
    uint32_t carried = 0;
    for (int k = 0; k < 16; k++) {
        const uint32_t sum = (sums >> 4 * k & 15) + carried;
        if (k >= 8 && (p->wanted >> (k - 8) & 1) && sum != 1) return 0;
        carried = sum / 2;
    }
    return 1;
}

/* Adds a stretch whose first byte would be the number's low one (half 0) or its high one, or, where
 * the high bits are first, the other way round. Returns 0 if it cannot. */
static int add_to_pair(const bit_vector *v, byte_pair *p, const bit_stretch *s, int half)
{
    const int32_t grain = v->t->map.grain, bits = s->count * grain, to = s->first * grain;
    byte_pair with = *p;
    for (int k = 0; k <= s->pair; k++) {
        int32_t *place = &with.place[v->t->high_first ? half - k : half + k];
        if (*place >= 0 && *place != s->place + k) return 0;
        *place = s->place + k;
    }
    /* The lowest bit of the stretch in the number and in the vector's byte. */
    const int32_t from = 8 * half + (v->t->high_first ? 8 - (to + s->skip) - bits : to + s->skip);
    const int32_t by = 8 + (v->t->high_first ? 8 - to - bits : to) - from;
    if (by < 0) return 0;
    with.bits |= ((UINT32_C(1) << bits) - 1) << from;
    with.factor |= UINT32_C(1) << by;
    with.wanted |= tpad_bits_wanted(v, s);
    if (!is_clean(&with)) return 0;
    *p = with;
    return 1;
}

/* Takes stretches of byte i, as many as one pair can. Returns how many elements. */
static int32_t take_by_pairs(bit_vector *v, int32_t i, unsigned char *pass)
{
    const int32_t vector = v->t->vector;
    int32_t taken = 0;
    byte_pair p = {.place = {-1, -1}};
    bit_stretch s = {0};
    for (; tpad_bits_find(v, i, &s); s.first += s.count) {
        if (s.pair && s.place + 1 == vector) tpad_bits_shorten(v, &s);
        const int half = s.pair && v->t->high_first;
        if (add_to_pair(v, &p, &s, half) || (!s.pair && add_to_pair(v, &p, &s, 1)))
            taken += tpad_bits_take(v, i, &s);
    }
    byte_pair whole = p;
    whole.bits = 0xFFFF;
    if (is_clean(&whole))
        p = whole;
    else
        v->picks = 1;
    unsigned char *at = pass + (i & 1) * 3 * vector + (i & ~1);
    for (int k = 0; k < 2; k++) {
        at[k] = p.place[k] < 0 ? 0 : tpad_bits_place(v, p.place[k]);
        at[vector + k] = (unsigned char)(p.bits >> 8 * k);
        at[2 * vector + k] = (unsigned char)(p.factor >> 8 * k);
    }
    pass[6 * vector + i] = (unsigned char)p.wanted;
    return taken;
}

int32_t tpad_pass_by_pairs(bit_vector *v, unsigned char *pass)
{
    int32_t taken = 0;
    for (int32_t i = 0; i < v->bytes; i++) taken += take_by_pairs(v, i, pass);
    return taken;
}

#endif
