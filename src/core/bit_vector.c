/* A vector of packed output while its passes are written down. SPDX-License-Identifier: MIT
 *
 * What both ways to make a pass share (bit_quadwords.c, bit_pairs.c). */
#include "bit_vector.h"

#if TPAD_TABLE_BYTES > 0

/* Which window byte i of the vector takes from. */
static int32_t window_of(const bit_vector *v, int32_t i)
{
    return v->t->pairs ? i & 1 : 0;
}

unsigned char tpad_bits_place(const bit_vector *v, int32_t place)
{
    return (unsigned char)(v->turned ? v->t->vector - 1 - place : place);
}

/* How many elements from e on follow each other upwards in the input, at most `left`. */
static int32_t stretch_from(const int32_t *e, int32_t left, int32_t grain)
{
    int32_t count = 1;
    while (count < left && e[count] == e[count - 1] + grain) count++;
    return count;
}

/* 1 if e[0], which no other follows upwards, is one of several downwards. */
static int is_backward(const int32_t *e, int32_t before, int32_t left, int32_t grain)
{
    return (before > 0 && e[-1] == e[0] + grain) || (left > 1 && e[1] == e[0] - grain);
}

int tpad_bits_find(const bit_vector *v, int32_t i, bit_stretch *s)
{
    const tile_map *m = &v->t->map;
    const int32_t *from = v->from + i * v->in_byte, low = v->low[window_of(v, i)];
    for (; s->first < v->in_byte; s->first++) {
        const int32_t *e = from + s->first, left = v->in_byte - s->first;
        s->place = (*e >> 3) - low;
        if (*e == NO_SOURCE || s->place < 0 || s->place >= v->t->vector) continue;
        s->count = stretch_from(e, left, m->grain);
        if (s->count == 1 && v->turns && is_backward(e, s->first, left, m->grain)) continue;
        s->skip = (*e & 7) - s->first * m->grain;
        s->pair = s->count > (8 - (*e & 7)) >> m->grain_shift;
        return 1;
    }
    return 0;
}

void tpad_bits_shorten(const bit_vector *v, bit_stretch *s)
{
    if (s->pair) s->count = ((8 - s->skip) >> v->t->map.grain_shift) - s->first;
    s->pair = 0;
}

unsigned char tpad_bits_wanted(const bit_vector *v, const bit_stretch *s)
{
    const int32_t to = s->first * v->t->map.grain, bits = s->count * v->t->map.grain;
    return (unsigned char)(((1 << bits) - 1) << (v->t->high_first ? 8 - to - bits : to));
}

int32_t tpad_bits_take(bit_vector *v, int32_t i, const bit_stretch *s)
{
    int32_t *from = v->from + i * v->in_byte + s->first;
    for (int32_t k = 0; k < s->count; k++) from[k] = NO_SOURCE;
    return s->count;
}

#endif
