/* What docs/semantics.md ("To a size") says, step by step. SPDX-License-Identifier: MIT
 *
 * An oracle for small numbers that counts, adds and cuts cells one at a time. It shares with it
 * only the public structs and numbers. */
#ifndef TENSORPAD_TESTS_C_SIZING_FIT_ORACLE_H
#define TENSORPAD_TESTS_C_SIZING_FIT_ORACLE_H

#include <stdbool.h>

#include <tensorpad/fit.h>

#include "../../support/random_problem.h"

enum { NAIVE_RANK = 4 };

/* 0 and 1 are no request. */
static inline bool naive_is_multiple(int64_t extent, int64_t of)
{
    return of < 2 || extent % of == 0;
}

/* The output's extents for all of `count` tensors. */
static inline void naive_extents(const tpad_fit *fit, const int64_t *in_extents, int64_t count,
                                 int64_t *out)
{
    for (int32_t i = 0; i < fit->rank; i++) {
        const tpad_fit_axis *request = &fit->axes[i];
        out[i] = request->sized ? request->extent : 0;
        const bool grows = !request->sized || request->too_long == TPAD_TOO_LONG_KEEP;
        for (int64_t k = 0; k < count && grows; k++) {
            int64_t needed = in_extents[k * fit->rank + i];
            if (request->align == TPAD_ALIGN_OFFSET) needed += request->offset;
            if (needed > out[i]) out[i] = needed;
        }
        while (!naive_is_multiple(out[i], request->multiple)) out[i]++;
    }
    if (fit->aspect[0] == 0) return;
    /* Tries one extent after the other. */
    const int32_t a = fit->aspect_axes[0], b = fit->aspect_axes[1];
    const int64_t least = out[b];
    for (;; out[a]++) {
        out[b] = out[a] * fit->aspect[1] / fit->aspect[0];
        if (out[b] * fit->aspect[0] == out[a] * fit->aspect[1] && out[b] >= least &&
            naive_is_multiple(out[a], fit->axes[a].multiple) &&
            naive_is_multiple(out[b], fit->axes[b].multiple))
            return;
    }
}

static inline bool naive_crops(const tpad_fit_axis *request)
{
    return request->too_long != TPAD_TOO_LONG_ERROR && request->too_long != TPAD_TOO_LONG_KEEP;
}

/* Adds or cuts cells until an input of `n` cells is as long as the output. Returns false if the
 * request does not allow to cut. */
static inline bool naive_amounts(const tpad_fit_axis *request, int64_t n, int64_t extent,
                                 int64_t *before, int64_t *after)
{
    *before = *after = 0;
    if (request->align == TPAD_ALIGN_OFFSET) {
        *before = request->offset;
        *after = extent - n - request->offset;
        return naive_crops(request) || (*before >= 0 && *after >= 0);
    }
    bool behind = true; /* of the centred ones, the first cell behind, the next in front ... */
    for (int64_t length = n; length < extent; length++, behind = !behind) {
        if (request->align == TPAD_ALIGN_START || (request->align == TPAD_ALIGN_CENTER && behind))
            ++*after;
        else
            ++*before;
    }
    for (int64_t length = n; length > extent; length--, behind = !behind) {
        if (!naive_crops(request)) return false;
        if (request->too_long == TPAD_TOO_LONG_CROP_END ||
            (request->too_long == TPAD_TOO_LONG_CROP_CENTER && behind))
            --*after;
        else
            --*before;
    }
    return true;
}

/* The element that position t of an axis takes, or -1 for the fill value. n > 0, or constant. */
static inline int64_t naive_source(int32_t mode, int64_t n, int64_t t)
{
    while (t < 0 || t >= n) {
        switch (mode) {
        case TPAD_EDGE:
            t += t < 0 ? 1 : -1;
            break;
        case TPAD_WRAP:
            t += t < 0 ? n : -n;
            break;
        case TPAD_SYMMETRIC:
            t = t < 0 ? -1 - t : 2 * n - 1 - t;
            break;
        case TPAD_REFLECT:
            t = n == 1 ? 0 : t < 0 ? -t : 2 * (n - 1) - t;
            break;
        default:
            return -1;
        }
    }
    return t;
}

/* Random requests for small tensors of that rank; `axes` has room for them. */
static inline tpad_fit naive_requests(rng *r, int32_t rank, tpad_fit_axis *axes)
{
    tpad_fit fit = TPAD_FIT(rank, axes);
    for (int32_t i = 0; i < rank; i++) {
        axes[i] = (tpad_fit_axis){.sized = rng_percent(r, 50),
                                  .extent = rng_range(r, 0, 9),
                                  .multiple = rng_percent(r, 50) ? 0 : rng_range(r, 0, 5),
                                  .offset = rng_range(r, -3, 5),
                                  .align = (int32_t)rng_range(r, 0, TPAD_ALIGN_COUNT - 1),
                                  .too_long = (int32_t)rng_range(r, 0, TPAD_TOO_LONG_COUNT - 1),
                                  .mode = rng_percent(r, 50)
                                              ? TPAD_CONSTANT
                                              : (int32_t)rng_range(r, 0, TPAD_MODE_COUNT - 1)};
        if (axes[i].too_long == TPAD_TOO_LONG_ERROR && rng_percent(r, 70)) axes[i].sized = 0;
        if (!axes[i].sized) axes[i].extent = 0;
        if (axes[i].align != TPAD_ALIGN_OFFSET) axes[i].offset = 0;
    }
    if (rank >= 2 && rng_percent(r, 20)) {
        const int32_t a = (int32_t)rng_range(r, 0, rank - 1);
        fit.aspect_axes[0] = a;
        fit.aspect_axes[1] = (a + (int32_t)rng_range(r, 1, rank - 1)) % rank;
        fit.aspect[0] = rng_range(r, 1, 4);
        fit.aspect[1] = rng_range(r, 1, 4);
    }
    return fit;
}

#endif
