/* Random pads whose gradient can be computed, and numbers of every kind, computed with slowly and
 * obviously. SPDX-License-Identifier: MIT
 *
 * What the kinds of tensorpad/adjoint.h are: their bytes, their sums, and their rounding. */
#ifndef TENSORPAD_TESTS_ADJOINT_GRADIENTS_H
#define TENSORPAD_TESTS_ADJOINT_GRADIENTS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <tensorpad/adjoint.h>

#include "../../support/random_main.h"
#include "../../support/random_problem.h"

/* ---- Numbers --------------------------------------------------------------------------------- */

static const struct {
    int32_t number, bits, parts;
} kinds[] = {
#define KIND(name, number, bits) {number, bits, number == 5 || number == 6 ? 2 : 1},
    TPAD_NUMBER_MAP(KIND)
#undef KIND
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static inline bool is_float(int32_t number)
{
    return number <= TPAD_NUMBER_COMPLEX128;
}

/* A float of 16 bits: so many bits of fraction. */
static inline double half_value(uint16_t bits, int fraction)
{
    const int exponent_bits = 15 - fraction, bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = bits >> fraction & ((1 << exponent_bits) - 1);
    const int rest = bits & ((1 << fraction) - 1);
    double size;
    if (exponent == (1 << exponent_bits) - 1)
        size = rest ? NAN : INFINITY;
    else if (exponent == 0)
        size = ldexp(rest, 1 - bias - fraction);
    else
        size = ldexp(rest + (1 << fraction), exponent - bias - fraction);
    return bits & 0x8000 ? -size : size;
}

/* To nearest, ties to even. */
static inline uint16_t half_bits(double value, int fraction)
{
    const int exponent_bits = 15 - fraction, bias = (1 << (exponent_bits - 1)) - 1;
    const int infinity = ((1 << exponent_bits) - 1) << fraction;
    const int sign = signbit(value) ? 0x8000 : 0;
    int exponent;
    if (isnan(value)) return (uint16_t)(infinity | 1);
    if (isinf(value)) return (uint16_t)(sign | infinity);
    frexp(value, &exponent); /* value is below 2^exponent */
    int step = exponent - 1 - fraction;
    if (step < 1 - bias - fraction) step = 1 - bias - fraction;
    const double steps = nearbyint(ldexp(fabs(value), -step)); /* at most 2^(fraction + 1) */
    int bits = (int)steps;
    if (bits >= 1 << fraction) /* normal: the hidden bit counts as one step of the exponent */
        bits += (step - (1 - bias - fraction)) << fraction;
    return (uint16_t)(sign | (bits > infinity ? infinity : bits));
}

/* A number read from memory, and a sum of such numbers. */
typedef struct total {
    float f32;
    double f64;
    uint64_t integer;
} total;

static inline total read_number(int32_t number, const unsigned char *at)
{
    total t = {0, 0, 0};
    uint16_t half;
    uint32_t word;
    switch (number) {
    case TPAD_NUMBER_F32:
    case TPAD_NUMBER_COMPLEX64:
        memcpy(&t.f32, at, 4);
        t.f64 = t.f32;
        break;
    case TPAD_NUMBER_F64:
    case TPAD_NUMBER_COMPLEX128:
        memcpy(&t.f64, at, 8);
        break;
    case TPAD_NUMBER_F16:
    case TPAD_NUMBER_BF16:
        memcpy(&half, at, 2);
        t.f64 = half_value(half, number == TPAD_NUMBER_F16 ? 10 : 7);
        t.f32 = (float)t.f64;
        break;
    case TPAD_NUMBER_I8:
        t.integer = *at;
        break;
    case TPAD_NUMBER_I16:
        memcpy(&half, at, 2);
        t.integer = half;
        break;
    case TPAD_NUMBER_I32:
        memcpy(&word, at, 4);
        t.integer = word;
        break;
    default:
        memcpy(&t.integer, at, 8);
    }
    return t;
}

static inline void add_number(total *sum, total t)
{
    volatile float f32 = sum->f32 + t.f32; /* rounded, whatever the machine computes with */
    volatile double f64 = sum->f64 + t.f64;
    sum->f32 = f32;
    sum->f64 = f64;
    sum->integer += t.integer;
}

/* wide: floats are summed in 64 bits, but for these. */
static inline void write_total(int32_t number, unsigned char *at, total t, bool wide)
{
    uint16_t half;
    uint32_t word;
    const double narrow = wide ? t.f64 : (double)t.f32;
    const float f32 = wide ? (float)t.f64 : t.f32;
    switch (number) {
    case TPAD_NUMBER_F32:
    case TPAD_NUMBER_COMPLEX64:
        memcpy(at, &f32, 4);
        break;
    case TPAD_NUMBER_F64:
    case TPAD_NUMBER_COMPLEX128:
        memcpy(at, &t.f64, 8);
        break;
    case TPAD_NUMBER_F16:
    case TPAD_NUMBER_BF16:
        half = half_bits(narrow, number == TPAD_NUMBER_F16 ? 10 : 7);
        memcpy(at, &half, 2);
        break;
    case TPAD_NUMBER_I8:
        *at = (unsigned char)t.integer;
        break;
    case TPAD_NUMBER_I16:
        half = (uint16_t)t.integer;
        memcpy(at, &half, 2);
        break;
    case TPAD_NUMBER_I32:
        word = (uint32_t)t.integer;
        memcpy(at, &word, 4);
        break;
    default:
        memcpy(at, &t.integer, 8);
    }
}

/* 1 if the numbers are the same to the bit, or both are NaN. */
static inline bool same_number(int32_t number, int32_t bytes, const unsigned char *a,
                               const unsigned char *b)
{
    if (memcmp(a, b, (size_t)bytes) == 0) return true;
    if (!is_float(number)) return false;
    return isnan(read_number(number, a).f64) && isnan(read_number(number, b).f64);
}

/* Random numbers: some small ones whose sums are exact, some of all sizes, few of any bits. */
static inline void random_numbers(rng *r, int32_t number, int32_t bytes, unsigned char *at,
                                  int64_t count)
{
    const int64_t any = rng_range(r, 0, 9);
    for (int64_t i = 0; i < count; i++, at += bytes) {
        total t = {0, 0, 0};
        rng_bytes(r, at, (size_t)bytes);
        if (!is_float(number) || any == 0) continue;
        t.f64 = (double)rng_range(r, -100, 100);
        if (any > 5)
            t.f64 *= ldexp(1 + (double)rng_range(r, 0, 255) / 256, (int)rng_range(r, -30, 12));
        t.f32 = (float)t.f64;
        write_total(number, at, t, false);
    }
}

/* ---- Gradients ------------------------------------------------------------------------------- */

enum { MOST_ELEMENTS = 40000 };

typedef struct gradient {
    const random_problem *p;
    int32_t number, bytes, parts; /* bytes: of one of the parts of an element */
    int64_t in_strides[TPAD_MAX_RANK], out_strides[TPAD_MAX_RANK];
    int32_t order[TPAD_MAX_RANK]; /* the axes, that with the largest stride first */
} gradient;

static inline int64_t size_of(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

static inline void gradient_of(gradient *g, const random_problem *p)
{
    oracle_in_strides(&p->problem, g->in_strides);
    oracle_out_strides(&p->truth, &p->problem, g->out_strides);
    g->p = p;
    for (int32_t i = 0; i < p->problem.rank; i++) {
        int32_t at = i;
        for (; at > 0 && size_of(g->out_strides[g->order[at - 1]]) < size_of(g->out_strides[i]);
             at--)
            g->order[at] = g->order[at - 1];
        g->order[at] = i;
    }
}

/* As the header has it: each stride leads beyond all that the smaller ones reach. */
static inline bool is_apart(const gradient *g)
{
    int64_t reach = g->p->problem.elem_bits / 8, sizes[TPAD_MAX_RANK], counts[TPAD_MAX_RANK];
    int32_t count = 0;
    for (int32_t i = 0; i < g->p->problem.rank; i++) {
        const int64_t n = g->p->axes[i].in_extent, size = size_of(g->in_strides[i]);
        if (n == 0) return true;
        if (n == 1) continue;
        int32_t at = count++;
        for (; at > 0 && sizes[at - 1] > size; at--) {
            sizes[at] = sizes[at - 1];
            counts[at] = counts[at - 1];
        }
        sizes[at] = size;
        counts[at] = n;
    }
    for (int32_t k = 0; k < count; k++) {
        if (sizes[k] < reach) return false;
        reach += (counts[k] - 1) * sizes[k];
    }
    return true;
}

/* A problem whose elements are numbers of some kind, and not too many. Returns false, and there is
 * none, if the random one is another. */
static inline bool gradient_make(gradient *g, random_problem *p, rng *r)
{
    int fitting[KIND_COUNT], fits = 0;
    int64_t elements = 1;
    random_problem_make(p, r, rng_percent(r, 50) ? RANDOM_SMALL : 0);
    for (int32_t i = 0; i < p->problem.rank && elements <= MOST_ELEMENTS; i++)
        elements = p->axes[i].in_extent > MOST_ELEMENTS ? MOST_ELEMENTS + 1
                                                        : elements * p->axes[i].in_extent;
    for (int k = 0; k < KIND_COUNT; k++)
        if (kinds[k].bits == p->problem.elem_bits) fitting[fits++] = k;
    if (fits == 0 || p->far || elements > MOST_ELEMENTS) {
        random_problem_close(p);
        return false;
    }
    const int kind = fitting[rng_range(r, 0, fits - 1)];
    *g = (gradient){.number = kinds[kind].number, .parts = kinds[kind].parts};
    g->bytes = p->problem.elem_bits / 8 / g->parts;
    gradient_of(g, p);
    return true;
}

/* On this thread, in another order than that of the parts. */
static inline int32_t run_backwards(void *context, int64_t count, tpad_body body, void *user)
{
    *(int64_t *)context += count;
    for (int64_t i = count - 1; i >= 0; i--) body(user, i);
    return 0;
}

#endif
