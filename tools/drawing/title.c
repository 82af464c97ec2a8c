/* Words about what is shown.  SPDX-License-Identifier: MIT */
#include "title.h"

#include <inttypes.h>
#include <stdio.h>

#include "text_buffer.h"

static int64_t in_extent(const shown_axis *axis)
{
    return axis->axis.in_extent;
}

static int64_t out_extent(const shown_axis *axis)
{
    return axis->out;
}

static int64_t begin_of(const shown_axis *axis)
{
    return axis->axis.before;
}

static int64_t end_of(const shown_axis *axis)
{
    return axis->axis.after;
}

static int64_t interior_of(const shown_axis *axis)
{
    return axis->axis.interior;
}

static void put_list(writing *out, const tpad_shown *shown, int64_t (*of)(const shown_axis *axis))
{
    for (int32_t i = 0; i < shown->rank; i++)
        write_format(out, "%s%" PRId64, i ? "," : "", of(&shown->axes[i]));
}

static void put_modes(writing *out, const tpad_shown *shown)
{
    int all = 1;
    for (int32_t i = 1; i < shown->rank; i++)
        if (shown->axes[i].axis.mode != shown->axes[0].axis.mode) all = shown->rank;
    for (int32_t i = 0; i < all && i < shown->rank; i++)
        write_format(out, "%s%s", i ? "," : "mode ", tpad_mode_name(shown->axes[i].axis.mode));
}

/* The order is told where it matters: an axis that is cropped and extended, not with a constant. */
static const char *order_of(const tpad_shown *shown)
{
    for (int32_t i = 0; i < shown->rank; i++) {
        const tpad_axis *axis = &shown->axes[i].axis;
        const int crops = axis->before < 0 || axis->after < 0;
        const int extends = axis->before > 0 || axis->after > 0;
        if (crops && extends && axis->mode != TPAD_CONSTANT)
            return axis->order == TPAD_CROP ? ", order crop" : ", order window";
    }
    return "";
}

char *title_of(const tpad_shown *shown)
{
    writing out = {0};
    tpad_written text = {0};
    int interior = 0;
    for (int32_t i = 0; i < shown->rank; i++) interior |= shown->axes[i].axis.interior != 0;
    if (shown->rank > 0) {
        put_modes(&out, shown);
        write_text(&out, ", begin ");
        put_list(&out, shown, begin_of);
        write_text(&out, ", end ");
        put_list(&out, shown, end_of);
        if (interior) {
            write_text(&out, ", interior ");
            put_list(&out, shown, interior_of);
        }
        write_text(&out, order_of(shown));
        write_text(&out, ": ");
    }
    write_text(&out, "[");
    put_list(&out, shown, in_extent);
    write_text(&out, "] -> [");
    put_list(&out, shown, out_extent);
    write_text(&out, "]");
    return writing_end(&out, &text) == TPAD_OK ? text.bytes : NULL;
}

int shown_is_unchanged(const shown_axis *axis)
{
    return axis->axis.before == 0 && axis->axis.after == 0 && axis->axis.interior == 0;
}

shown_amount shown_amount_of(const shown_axis *axis, int side)
{
    const int64_t amount = side ? axis->axis.after : axis->axis.before;
    const int64_t own_first = axis->axis.before, own_end = own_first + axis->dilated;
    shown_amount said = {0, 0, ""};
    if (amount == 0 || axis->count == 0) return said;
    if (side == 0) {
        said.first = amount > 0 ? 0 : own_first;
        said.end = amount > 0 ? own_first : own_end < 0 ? own_end : 0;
    } else {
        said.first = amount > 0 ? own_end : own_first > axis->out ? own_first : axis->out;
        said.end = amount > 0 ? axis->out : own_end;
    }
    /* Where more is cropped than there is, the amounts reach over each other. */
    if (said.first < axis->first) said.first = axis->first;
    if (said.end > axis->first + axis->count) said.end = axis->first + axis->count;
    snprintf(said.text, sizeof said.text, "%s %" PRId64, side ? "end" : "begin", amount);
    return said;
}

void shown_run_words(const tpad_shown *shown, const shown_run *run, char words[RUN_BYTES])
{
    if (run->kind == RUN_FILL)
        snprintf(words, RUN_BYTES, "fill %.40s", shown->fill_label);
    else if (run->kind == RUN_MORE)
        snprintf(words, RUN_BYTES, "and so on");
    else if (run->from == run->to)
        snprintf(words, RUN_BYTES, "%s %" PRId64, run->kind == RUN_REPEAT ? "repeat" : "copy",
                 run->from);
    else
        snprintf(words, RUN_BYTES, "%s %" PRId64 "..%" PRId64,
                 run->kind == RUN_REVERSE ? "reverse" : "copy", run->from, run->to);
}

void shown_axis_words(const shown_axis *axis, int32_t number, char words[2 * RUN_BYTES])
{
    char interior[40] = "";
    const tpad_axis *of = &axis->axis;
    if (of->interior) snprintf(interior, sizeof interior, ", interior %" PRId64, of->interior);
    if (shown_is_unchanged(axis))
        snprintf(words, 2 * RUN_BYTES, "axis %d: %" PRId64 ", as it is", (int)number, axis->out);
    else
        snprintf(words, 2 * RUN_BYTES,
                 "axis %d: %" PRId64 " -> %" PRId64 ", begin %" PRId64 ", end %" PRId64 "%s, %s",
                 (int)number, of->in_extent, axis->out, of->before, of->after, interior,
                 tpad_mode_name(of->mode));
}
