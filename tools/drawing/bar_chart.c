/* Ratios to memcpy as bars.  SPDX-License-Identifier: MIT
 *
 * Shorter is faster. A strong line stands where the ratio is 1. Colours say which bars are longer;
 * readers who see few colours read it from that line.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "page.h"

/* In pixels. The names of bars end at LEFT, where the bars begin. Bars end at RIGHT at the latest;
 * behind it is a column of figures. */
enum { WIDTH = 800, LEFT = 236, RIGHT = 732, TOP = 92, ROW = 21, BAR = 13, FOOT = 64 };

/* The scale ends between these ratios. A bar beyond it is cut, and its figure tells the rest. */
static const double least_end = 1.5, most_end = 4;

/* Decided by the figure that is shown: 1.004 is shown as 1.00, and then the bar is green. */
static int ink_of(double ratio)
{
    return ratio < 1.005 ? INK_FAST : ratio < 1.505 ? INK_FAIR : INK_SLOW;
}

static double end_of_scale(const tpad_bar *bars, int count)
{
    double end = least_end;
    for (int i = 0; i < count; i++) end = fmax(end, bars[i].upper);
    return fmin(most_end, ceil(end * 4) / 4);
}

static double place(double ratio, double end)
{
    return LEFT + (RIGHT - LEFT) * fmin(ratio, end) / end;
}

/* "1.25", "0.5" or "12" in a text of at least 16 bytes, with at most `digits` digits behind the
 * point; zeros at the end are left out if short_text is 1. */
static void put_figure(char text[16], double value, int digits, int short_text)
{
    const double kept = fmin(value, 1e6);
    const int hundredths = (int)lround(kept * 100);
    if (digits == 0)
        snprintf(text, 16, "%d", (int)lround(kept));
    else
        snprintf(text, 16, "%d.%02d", hundredths / 100, hundredths % 100);
    for (size_t end = strlen(text); short_text && digits; end--) {
        if (text[end - 1] != '0' && text[end - 1] != '.') break;
        const int was_point = text[end - 1] == '.';
        text[end - 1] = 0;
        if (was_point) break;
    }
}

static void draw_scale(tpad_drawing *to, double end, int bottom)
{
    const double step = end > 2 ? 0.5 : 0.25;
    for (int i = 0; i * step <= end; i++) {
        const double x = place(i * step, end);
        char figure[16];
        put_figure(figure, i * step, 2, 1);
        draw_line(to, x, TOP, x, bottom, INK_RULE, 1);
        draw_text(to, x, bottom + 16, ANCHOR_MIDDLE, 11, INK_FAINT, 0, figure);
    }
}

static void draw_bar(tpad_drawing *to, const tpad_bar *bar, double end, int top)
{
    const double x = place(bar->median, end), low = place(bar->lower, end),
                 high = place(bar->upper, end), middle = top + ROW / 2.0;
    char figure[16];
    draw_text(to, LEFT - 8, middle + 4, ANCHOR_END, 12, INK_TEXT, 0, bar->label);
    draw_rect(to, LEFT, middle - BAR / 2.0, x - LEFT, BAR, ink_of(bar->median), INK_NONE, 0);
    if (bar->median > end) {
        for (int i = 0; i < 2; i++)
            draw_line(to, x - 22 + 5 * i, middle - BAR / 2.0 - 1, x - 16 + 5 * i,
                      middle + BAR / 2.0 + 1, INK_PAGE, 3);
    } else {
        draw_line(to, low, middle - 3, low, middle + 3, INK_TEXT, 1);
        draw_line(to, low, middle, high, middle, INK_TEXT, 1);
        draw_line(to, high, middle - 3, high, middle + 3, INK_TEXT, 1);
    }
    put_figure(figure, bar->median, bar->median < 9.995 ? 2 : 0, 0);
    draw_text(to, WIDTH - 20, middle + 4, ANCHOR_END, 12, INK_TEXT, 0, figure);
}

static void draw_bar_legend(tpad_drawing *to, int y)
{
    static const struct {
        int ink, x;
        const char *words;
    } entries[] = {{INK_FAST, LEFT, "as fast as memcpy, or faster"},
                   {INK_FAIR, LEFT + 196, "up to 1.5 times its time"},
                   {INK_SLOW, LEFT + 370, "more"}};
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        draw_rect(to, entries[i].x, y - 10, 11, 11, entries[i].ink, INK_NONE, 0);
        draw_text(to, entries[i].x + 16, y, ANCHOR_START, 11, INK_FAINT, 0, entries[i].words);
    }
}

int32_t tpad_bars_draw(const char *title, const char *subtitle, const tpad_bar *bars, int count,
                       tpad_drawing **drawing)
{
    const double end = end_of_scale(bars, count), one = place(1, end);
    const int bottom = TOP + ROW * count;
    /* A processor may have a long name. */
    const double room = 17 * (WIDTH - 32) / fmax(1, drawn_width(title, 17, 1));
    tpad_drawing *to = drawing_new(title, subtitle);
    draw_text(to, 16, 28, ANCHOR_START, fmin(17, room), INK_TEXT, 1, title);
    draw_text(to, 16, 48, ANCHOR_START, 11, INK_FAINT, 0, subtitle);
    draw_scale(to, end, bottom);
    for (int i = 0; i < count; i++) draw_bar(to, &bars[i], end, TOP + ROW * i);
    draw_line(to, one, TOP - 10, one, bottom, INK_TEXT, 2.5);
    draw_text(to, one, TOP - 16, ANCHOR_MIDDLE, 12, INK_TEXT, 1, "memcpy = 1");
    draw_bar_legend(to, bottom + 44);
    return drawing_end(to, WIDTH, bottom + FOOT, drawing);
}
