/* The bars of measurements: the figure and the colour of each ratio.  SPDX-License-Identifier: MIT
 *
 * The ratios are chosen at the edges where the shown figure, its number of digits or the colour
 * changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "drawing/drawing.h"

typedef struct expected {
    double ratio;
    const char *figure, *colour;
} expected;

static const expected table[] = {
    {0.004, "0.00", "fast"},  {0.006, "0.01", "fast"},   {0.999, "1.00", "fast"},
    {1.0049, "1.00", "fast"}, {1.0051, "1.01", "fair"},  {1.5049, "1.50", "fair"},
    {1.5051, "1.51", "slow"}, {9.994, "9.99", "slow"},   {9.9951, "10", "slow"},
    {10.4951, "10", "slow"},  {10.5001, "11", "slow"},   {64.4949, "64", "slow"},
    {64.4951, "64", "slow"},  {64.4999, "64", "slow"},   {64.5001, "65", "slow"},
    {99.996, "100", "slow"},  {12345.6, "12346", "slow"}};

/* The picture as SVG. The caller frees its bytes. */
static tpad_written picture_of(const tpad_bar *bars, int count)
{
    tpad_drawing *drawing;
    tpad_written svg;
    assert_int_equal(tpad_bars_draw("title", "subtitle", bars, count, &drawing), TPAD_OK);
    assert_int_equal(tpad_drawing_svg(drawing, &svg), TPAD_OK);
    tpad_drawing_free(drawing);
    return svg;
}

/* After a bar's name are its rectangle, with the colour, and then its figure as the next text. */
static void check_bar(const char *svg, const char *name, const expected *bar)
{
    char label[64], figure[64], colour[64];
    snprintf(label, sizeof label, ">%.40s</text>", name);
    snprintf(figure, sizeof figure, ">%s</text>", bar->figure);
    snprintf(colour, sizeof colour, "class=\"tp-%s\"", bar->colour);
    const char *at = strstr(svg, label);
    assert_non_null(at);
    at += strlen(label);
    const char *rect = strstr(at, "<rect "), *end = strstr(at, "</text>");
    assert_non_null(rect);
    assert_non_null(end);
    const size_t length = strlen(figure), begun = strlen("</text>");
    if (strncmp(end + begun - length, figure, length) != 0)
        fail_msg("%.4f: no figure %s after %s", bar->ratio, bar->figure, name);
    const char *found = strstr(rect, colour);
    if (found == NULL || found > strchr(rect, '>'))
        fail_msg("%.4f: its colour is not %s", bar->ratio, bar->colour);
}

static void test_figures_and_colours(void **state)
{
    enum { COUNT = sizeof table / sizeof table[0] };
    char names[COUNT][17];
    tpad_bar bars[COUNT];
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "bar %d.", i);
        bars[i] = (tpad_bar){names[i], table[i].ratio, table[i].ratio, table[i].ratio};
    }
    const tpad_written svg = picture_of(bars, COUNT);
    for (int i = 0; i < COUNT; i++) check_bar(svg.bytes, names[i], &table[i]);
    free(svg.bytes);
}

/* The scale ends at 1.5 at least and at 4 at most. */
static void test_the_scale(void **state)
{
    static const struct {
        double ratio;
        const char *last, *beyond;
    } ends[] = {{0.5, ">1.5</text>", ">1.75</text>"},
                {1.6, ">1.75</text>", ">2</text>"},
                {2.2, ">2</text>", ">2.5</text>"},
                {99, ">4</text>", ">4.5</text>"}};
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const tpad_bar bar = {"a bar", ends[i].ratio, ends[i].ratio, ends[i].ratio};
        const tpad_written svg = picture_of(&bar, 1);
        assert_non_null(strstr(svg.bytes, ends[i].last));
        assert_null(strstr(svg.bytes, ends[i].beyond));
        free(svg.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_figures_and_colours),
                                       cmocka_unit_test(test_the_scale)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
