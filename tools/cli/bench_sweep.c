/* `tensorpad bench --sweep`: short rows of every kind.  SPDX-License-Identifier: MIT
 *
 * Owns the list of points, and what is shown of them. A point is a tensor of many rows, padded on
 * its last axis only.
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
    int32_t bits;
    tpad_axis axes[2];
} point;

static point point_at(int32_t bits, int index)
{
    const int interior = index % INTERIORS, mode = index / INTERIORS % TPAD_MODE_COUNT;
    index /= INTERIORS * TPAD_MODE_COUNT;
    const int extent = 1 + index / (AMOUNTS * AMOUNTS);
    const int before = index / AMOUNTS % AMOUNTS, after = index % AMOUNTS;
    const int64_t row_bits = (int64_t)bits * (before + (extent - 1) * (interior + 1) + 1 + after);
    return (point){.bits = bits,
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

static void put_point(char *text, size_t bytes, const point *p)
{
    const tpad_axis *row = &p->axes[1];
    snprintf(text, bytes,
             "bits=%d shape=[%" PRId64 ",%" PRId64 "] begin=%" PRId64 " end=%" PRId64
             " interior=%" PRId64 " mode=%s",
             (int)p->bits, p->axes[0].in_extent, row->in_extent, row->before, row->after,
             row->interior, tpad_mode_name(row->mode));
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

enum { BYTES, PACKED, COLUMNS, CLASSES };

static sweep_class *class_of(sweep_class *classes, const point *p, int64_t out_extent)
{
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
            char words[160];
            put_point(words, sizeof words, &c->worst[i].p);
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
        char words[160];
        put_point(words, sizeof words, &c->worst[i].p);
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
    const tpad_problem problem = TPAD_PROBLEM(p->bits, 2, p->axes);
    tpad_plan plan;
    int64_t bytes, extents[2];
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

static int is_wanted(const sweep_options *options, const point *p, int index)
{
    char words[160];
    if (!options->full && !in_sample(p, index)) return 0;
    if (options->only == NULL) return 1;
    put_point(words, sizeof words, p);
    return strstr(words, options->only) != NULL;
}

int bench_sweep_is_empty(const sweep_options *options)
{
    for (int w = 0; w < WIDTHS; w++) {
        for (int index = 0; index < POINTS; index++) {
            const point p = point_at(widths[w], index);
            if (is_wanted(options, &p, index)) return 0;
        }
    }
    return 1;
}

int bench_sweep(const sweep_options *options, json *out)
{
    sweep_class classes[CLASSES] = {{.name = "bytes", .limit = 2},
                                    {.name = "packed bits", .limit = 4},
                                    {.name = "lone columns", .limit = 4}};
    const int turns = options->turns ? options->turns : TURNS;
    bench_buffers buffers;
    /* Nothing is cropped, so that no input is larger than its output. */
    int status = bench_buffers_make(&buffers, OUTPUT_BYTES, OUTPUT_BYTES);
    for (int i = 0; i < CLASSES && status == EXIT_DONE; i++) {
        classes[i].ratios = malloc(WIDTHS * POINTS * sizeof(double));
        if (classes[i].ratios == NULL)
            status = report_refusal(TPAD_E_MEMORY, NULL, "bench: no memory for the points");
    }
    for (int w = 0; status == EXIT_DONE && w < WIDTHS; w++) {
        for (int index = 0; index < POINTS; index++) {
            const point p = point_at(widths[w], index);
            if (is_wanted(options, &p, index)) measure(classes, &p, &buffers, turns);
        }
    }
    bench_buffers_free(&buffers);
    if (status == EXIT_DONE && out)
        write_json(out, classes);
    else if (status == EXIT_DONE)
        print(classes);
    for (int i = 0; i < CLASSES; i++) free(classes[i].ratios);
    return status;
}
