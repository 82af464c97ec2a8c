/* Amounts before a convolution or a pool: SAME and causal padding. SPDX-License-Identifier: MIT
 *
 * A window reads the cells t * stride + k * dilation for k = 0 ... kernel - 1, so it spans
 * (kernel - 1) * dilation + 1 cells. "same" wants ceil(extent / stride) windows. */
#include "fit_rules.h"

#include "../specs/spec_common.h"

#define WORD(name, number, word) word,
static const char *const window_words[] = {TPAD_WINDOW_MAP(WORD)};
#undef WORD

const char *tpad_window_name(int32_t rule)
{
    return rule >= 0 && rule < TPAD_WINDOW_COUNT ? window_words[rule] : "?";
}

int32_t tpad_window_from_name(const char *name)
{
    for (int32_t i = 0; name && i < TPAD_WINDOW_COUNT; i++)
        if (dialect_same_word(window_words[i], name)) return i;
    return -1;
}

static int32_t check_window(const tpad_window *window, int32_t i, const tpad_axis *axis,
                            tpad_error *error)
{
    const struct {
        int64_t number;
        const char *text;
    } all[] = {
        {axis->in_extent, "axis %a: extent %g is not between 0 and %l"},
        {window->kernel, "axis %a: the kernel %g is not between 0 and %l"},
        {window->stride, "axis %a: the stride %g is not between 0 and %l"},
        {window->dilation, "axis %a: the dilation %g is not between 0 and %l"},
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        if (all[k].number < 0 || all[k].number > TPAD_MAX_EXTENT)
            return tpad_fit_refuse(error, TPAD_E_EXTENT, i, all[k].number, TPAD_MAX_EXTENT,
                                   all[k].text);
    if (window->rule < 0 || window->rule >= TPAD_WINDOW_COUNT)
        return tpad_fit_refuse(error, TPAD_E_ARGUMENT, i, window->rule, TPAD_WINDOW_COUNT - 1,
                               "axis %a: the rule %g is not between 0 and %l");
    if (window->reserved != 0)
        return tpad_fit_refuse(error, TPAD_E_ARGUMENT, i, window->reserved, 0,
                               "axis %a: reserved is %g, but it must be %l");
    if (window->rule == TPAD_WINDOW_SAME && window->stride > 1)
        return tpad_fit_refuse(error, TPAD_E_ARGUMENT, i, window->stride, 1,
                               "axis %a: rule same has stride %l, got %g: same_upper has any");
    return TPAD_OK;
}

/* Finds the amounts of one axis. Its numbers have been checked. */
static int32_t place_window(const tpad_window *window, int32_t i, tpad_axis *axis,
                            tpad_error *error)
{
    const int64_t stride = window->stride > 1 ? window->stride : 1;
    int64_t more = 0; /* the cells that a window spans after its first one */
    if (window->kernel > 1 &&
        !fit_product(window->kernel - 1, window->dilation > 1 ? window->dilation : 1, &more))
        return tpad_fit_refuse(error, TPAD_E_OVERFLOW, i, window->kernel, TPAD_MAX_EXTENT,
                               "axis %a: a window of kernel %g spans more than %l cells");
    int64_t all = more;
    if (window->rule != TPAD_WINDOW_CAUSAL) {
        /* The last window begins less than a stride before the end. */
        const int64_t extent = axis->in_extent;
        const int64_t rest = extent % stride != 0 ? extent % stride : stride;
        all = more + 1 - rest;
        if (all < 0) all = 0;
    }
    axis->before = window->rule == TPAD_WINDOW_CAUSAL       ? all
                   : window->rule == TPAD_WINDOW_SAME_LOWER ? all - all / 2
                                                            : all / 2;
    axis->after = all - axis->before;
    return TPAD_OK;
}

int32_t tpad_window_amounts(int32_t rank, const tpad_window *windows, tpad_axis *axes,
                            tpad_error *error)
{
    tpad_axis placed[TPAD_MAX_RANK];
    int32_t status = TPAD_OK;
    if (rank < 0 || rank > TPAD_MAX_RANK)
        return dialect_refuse(error, TPAD_E_RANK, rank, TPAD_MAX_RANK, NULL,
                              "rank %g is not between 0 and %l");
    if (rank > 0 && (!windows || !axes))
        return dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, windows ? "axes" : "windows",
                              "%n is missing");
    for (int32_t i = 0; status == TPAD_OK && i < rank; i++) {
        placed[i] = axes[i];
        status = check_window(&windows[i], i, &axes[i], error);
        if (status == TPAD_OK) status = place_window(&windows[i], i, &placed[i], error);
    }
    for (int32_t i = 0; status == TPAD_OK && i < rank; i++) axes[i] = placed[i];
    return status;
}
