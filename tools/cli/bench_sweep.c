/* `tensorpad bench --sweep`: short rows and small planes of every kind.  SPDX-License-Identifier: MIT
 *
 * Owns the list of points, and what is shown of them. A point is a tensor of many rows, padded on
 * its last axis only, or of many planes, padded on both axes.
 */
#include "bench_sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tensorpad/tensorpad.h>

#include "bench_measure.h"
#include "error_report.h"

enum { MOST_EXTENT = 64, MOST_AMOUNT = 8, MOST_INTERIOR = 3, OUTPUT_BYTES = 2 << 20, TURNS = 5 };

/* Points of one width. A sample takes every SAMPLE_STRIDE-th. This number shares no factor with the
 * number of values of any parameter, so the sample contains every value of each, and nearly every
 * pair of values. */
enum {
    AMOUNTS = MOST_AMOUNT + 1,
    INTERIORS = MOST_INTERIOR + 1,
    POINTS = MOST_EXTENT * AMOUNTS * AMOUNTS * TPAD_MODE_COUNT * INTERIORS,
    SAMPLE_STRIDE = 151
};

static const int32_t widths[] = {8, 16, 24, 32, 48, 64, 96, 128, 4, 2, 1};
enum { WIDTHS = sizeof widths / sizeof widths[0] };

typedef struct point {
    int32_t bits, rank;
    tpad_axis axes[3]; /* nothing is padded on the first one */
} point;

static point row_at(int32_t bits, int index)
{
    const int interior = index % INTERIORS, mode = index / INTERIORS % TPAD_MODE_COUNT;
    index /= INTERIORS * TPAD_MODE_COUNT;
    const int extent = 1 + index / (AMOUNTS * AMOUNTS);
    const int before = index / AMOUNTS % AMOUNTS, after = index % AMOUNTS;
    const int64_t row_bits = (int64_t)bits * (before + (extent - 1) * (interior + 1) + 1 + after);
    return (point){.bits = bits,
                   .rank = 2,
                   .axes = {{.in_extent = (int64_t)OUTPUT_BYTES * 8 / row_bits},
                            {.in_extent = extent,
                             .before = before,
                             .after = after,
                             .interior = interior,
                             .mode = mode}}};
}

/* The sample also has the most common pad, by one on each side, for every extent and mode. */
static int in_sample(const point *p, int index)
{
    const tpad_axis *row = &p->axes[1];
    return index % SAMPLE_STRIDE == 0 ||
           (row->before == 1 && row->after == 1 && row->interior == 0);
}

/* Planes: a draw from 4 to 64 a side, 1 to 3 on each side, all modes, 1, 2, 4 and 8 bytes, outputs of
 * 0.2 to 4 MB. The same ones every time. */
enum { PLANES = 2000, MOST_PLANES_BYTES = 4 << 20 };

/* A number from `least` to `most`; moves on the state of the draw. */
static int64_t drawn(uint64_t *state, int64_t least, int64_t most)
{
    *state = *state * UINT64_C(6364136223846793005) + 1;
    return least + (int64_t)(*state >> 33) % (most - least + 1);
}

static point plane_at(int index)
{
    uint64_t state = (uint64_t)index * UINT64_C(0x9E3779B97F4A7C15);
    drawn(&state, 0, 0);
    point p = {.bits = (int32_t)(8 << drawn(&state, 0, 3)), .rank = 3};
    const int32_t mode = (int32_t)drawn(&state, 0, TPAD_MODE_COUNT - 1);
    int64_t bytes = p.bits / 8;
    for (int i = 1; i < 3; i++) {
        tpad_axis *a = &p.axes[i];
        a->in_extent = drawn(&state, 4, 64);
        a->before = drawn(&state, 1, 3);
        a->after = drawn(&state, 1, 3);
        a->mode = mode;
        bytes *= a->before + a->in_extent + a->after;
    }
    p.axes[0].in_extent = drawn(&state, MOST_PLANES_BYTES / 20, MOST_PLANES_BYTES) / bytes;
    return p;
}

static void put_numbers(char **at, char *end, const char *name, const point *p,
                        int64_t (*of)(const tpad_axis *), int first)
{
    *at += snprintf(*at, (size_t)(end - *at), " %s=%s", name, first == 0 ? "[" : "");
    for (int i = first; i < p->rank; i++)
        *at +=
            snprintf(*at, (size_t)(end - *at), "%s%" PRId64, i > first ? "," : "", of(&p->axes[i]));
    if (first == 0) *at += snprintf(*at, (size_t)(end - *at), "]");
}

static int64_t extent_of(const tpad_axis *a)
{
    return a->in_extent;
}

static int64_t before_of(const tpad_axis *a)
{
    return a->before;
}

static int64_t after_of(const tpad_axis *a)
{
    return a->after;
}

enum { POINT_WORDS = 200 };

/* In words, of which --only takes some. */
static void put_point(char *text, const point *p)
{
    char *end = text + POINT_WORDS;
    const tpad_axis *row = &p->axes[p->rank - 1];
    text += snprintf(text, (size_t)(end - text), "bits=%d", (int)p->bits);
    put_numbers(&text, end, "shape", p, extent_of, 0);
    put_numbers(&text, end, "begin", p, before_of, 1);
    put_numbers(&text, end, "end", p, after_of, 1);
    snprintf(text, (size_t)(end - text), " interior=%" PRId64 " mode=%s", row->interior,
             tpad_mode_name(row->mode));
}

/* ---- What is told ---------------------------------------------------------------------------- */

enum { WORST = 10, BOUNDS = 4 };
static const double bounds[BOUNDS] = {1.0, 1.5, 2.0, 4.0};

typedef struct sweep_class {
    const char *name;
    double limit; /* no point should be slower */
    int64_t points, over, under[BOUNDS];
    double logarithms;
    double *ratios; /* of all points, for the quartiles */
    int worst_count;
    struct {
        point p;
        double ratio;
    } worst[WORST];
} sweep_class;

enum { BYTES, PACKED, COLUMNS, SMALL_PLANES, CLASSES };

static sweep_class *class_of(sweep_class *classes, const point *p, int64_t out_extent)
{
    if (p->rank == 3) return &classes[SMALL_PLANES];
    return &classes[out_extent == 1 ? COLUMNS : p->bits < 8 ? PACKED : BYTES];
}

static void count(sweep_class *c, const point *p, double ratio)
{
    c->ratios[c->points++] = ratio;
    c->over += ratio > c->limit;
    c->logarithms += log(ratio);
    for (int i = 0; i < BOUNDS; i++) c->under[i] += ratio < bounds[i];
    int at = c->worst_count;
    if (at < WORST)
        c->worst_count++;
    else if (ratio <= c->worst[--at].ratio)
        return;
    for (; at > 0 && c->worst[at - 1].ratio < ratio; at--) c->worst[at] = c->worst[at - 1];
    c->worst[at].p = *p;
    c->worst[at].ratio = ratio;
}

static double share(int64_t some, const sweep_class *c)
{
    return (double)some / (double)c->points;
}

static void print(const sweep_class *classes)
{
    printf("%-13s %7s %8s  %-20s", "output", "points", "geomean", "quartiles, median");
    for (int i = 0; i < BOUNDS; i++) printf("   < %.1f", bounds[i]);
    printf("  limit    over\n");
    for (const sweep_class *c = classes; c < classes + CLASSES; c++) {
        if (c->points == 0) continue;
        const bench_spread s = bench_spread_of(c->ratios, (int)c->points);
        printf("%-13s %7" PRId64 " %8.2f  %5.2f..%-5.2f %6.2f ", c->name, c->points,
               exp(c->logarithms / (double)c->points), s.lower, s.upper, s.median);
        for (int i = 0; i < BOUNDS; i++) printf(" %5.1f %%", 100 * share(c->under[i], c));
        printf("%6.1f %7" PRId64 "\n", c->limit, c->over);
    }
    for (const sweep_class *c = classes; c < classes + CLASSES; c++) {
        if (c->points > 0) printf("\nworst of %s\n", c->name);
        for (int i = 0; i < c->worst_count; i++) {
            char words[POINT_WORDS];
            put_point(words, &c->worst[i].p);
            printf("%8.2f  %s\n", c->worst[i].ratio, words);
        }
    }
}

static void write_class(json *out, const sweep_class *c)
{
    json_open(out, '{');
    json_text_field(out, "name", c->name);
    json_key(out, "points");
    json_integer(out, c->points);
    json_number_field(out, "geomean", exp(c->logarithms / (double)c->points));
    const bench_spread s = bench_spread_of(c->ratios, (int)c->points);
    json_number_field(out, "lower", s.lower);
    json_number_field(out, "median", s.median);
    json_number_field(out, "upper", s.upper);
    json_key(out, "share_under");
    json_open(out, '{');
    for (int i = 0; i < BOUNDS; i++) {
        char bound[16];
        snprintf(bound, sizeof bound, "%.1f", bounds[i]);
        json_number_field(out, bound, share(c->under[i], c));
    }
    json_close(out, '}');
    json_number_field(out, "limit", c->limit);
    json_key(out, "over_limit");
    json_integer(out, c->over);
    json_key(out, "worst");
    json_open(out, '[');
    for (int i = 0; i < c->worst_count; i++) {
        char words[POINT_WORDS];
        put_point(words, &c->worst[i].p);
        json_open(out, '{');
        json_text_field(out, "name", words);
        json_number_field(out, "ratio", c->worst[i].ratio);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
}

static void write_json(json *out, const sweep_class *classes)
{
    json_key(out, "sweep");
    json_open(out, '[');
    for (const sweep_class *c = classes; c < classes + CLASSES; c++)
        if (c->points > 0) write_class(out, c);
    json_close(out, ']');
}

/* ---- The sweep ------------------------------------------------------------------------------- */

/* A point that is so many times over its limit in the first turn is not measured longer. */
enum { FAR = 4 };

static double look(const tpad_plan *plan, const bench_buffers *buffers, int64_t bytes, int turns)
{
    return bench_measure(plan, buffers, bytes, turns).ratio.median;
}

static void measure(sweep_class *classes, const point *p, const bench_buffers *buffers, int turns)
{
    const tpad_problem problem = TPAD_PROBLEM(p->bits, p->rank, p->axes);
    tpad_plan plan;
    int64_t bytes, extents[3];
    /* A problem that the mode cannot solve is not a point. */
    if (tpad_shape(&problem, extents, NULL, &bytes, NULL) != TPAD_OK ||
        tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK)
        return;
    sweep_class *c = class_of(classes, p, extents[1]);
    double ratio = look(&plan, buffers, bytes, 1);
    const int more = ratio > FAR * c->limit ? 1 : turns;
    if (more > 1) ratio = look(&plan, buffers, bytes, turns);
    if (ratio > c->limit) {
        /* The machine may have been busy at that moment, so the point is measured once more. */
        const double again = look(&plan, buffers, bytes, more);
        if (again < ratio) ratio = again;
    }
    count(c, p, ratio);
}

static int is_wanted(const sweep_options *options, const point *p)
{
    char words[POINT_WORDS];
    if (options->only == NULL) return 1;
    put_point(words, p);
    return strstr(words, options->only) != NULL;
}

/* Finds the next point that is wanted, from *number on, and moves that behind it. Returns 0 if that
 * was the last one. */
static int next_point(const sweep_options *options, int *number, point *p)
{
    while (*number < WIDTHS * POINTS + PLANES) {
        const int n = (*number)++, index = n % POINTS, is_row = n < WIDTHS * POINTS;
        *p = is_row ? row_at(widths[n / POINTS], index) : plane_at(n - WIDTHS * POINTS);
        if (is_row && !options->full && !in_sample(p, index)) continue;
        if (is_wanted(options, p)) return 1;
    }
    return 0;
}

int bench_sweep_is_empty(const sweep_options *options)
{
    int number = 0;
    point p;
    return !next_point(options, &number, &p);
}

int bench_sweep(const sweep_options *options, json *out)
{
    sweep_class classes[CLASSES] = {{.name = "bytes", .limit = 2},
                                    {.name = "packed bits", .limit = 4},
                                    {.name = "lone columns", .limit = 4},
                                    {.name = "small planes", .limit = 2.2}};
    const int turns = options->turns ? options->turns : TURNS;
    bench_buffers buffers;
    /* Nothing is cropped, so that no input is larger than its output. */
    int status = bench_buffers_make(&buffers, MOST_PLANES_BYTES, MOST_PLANES_BYTES, 0);
    for (int i = 0; i < CLASSES && status == EXIT_DONE; i++) {
        classes[i].ratios = malloc((WIDTHS * POINTS + PLANES) * sizeof(double));
        if (classes[i].ratios == NULL)
            status = report_refusal(TPAD_E_MEMORY, NULL, "bench: no memory for the points");
    }
    int number = 0;
    for (point p; status == EXIT_DONE && next_point(options, &number, &p);)
        measure(classes, &p, &buffers, turns);
    bench_buffers_free(&buffers);
    if (status == EXIT_DONE && out)
        write_json(out, classes);
    else if (status == EXIT_DONE)
        print(classes);
    for (int i = 0; i < CLASSES; i++) free(classes[i].ratios);
    return status;
}
