/* Random pads whose gradient can be computed. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_ADJOINT_GRADIENTS_H
#define TENSORPAD_TESTS_ADJOINT_GRADIENTS_H

#include "../../support/random_main.h"
#include "numbers.h"

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

/* A problem whose elements are numbers of some kind, and not too many. Returns false, and there is none,
 * if the random one is another. */
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
