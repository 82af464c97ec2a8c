/* How `tensorpad bench` measures.  SPDX-License-Identifier: MIT */
#include "bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tensorpad/tensorpad.h>
#include <time.h>

#include "error_report.h"
#include "formats/port/system.h"

/* A turn is one run and one memcpy. Each finds its buffers in the state in which the other's
 * traffic left them: in the caches as far as they fit, but not in the first-level cache as if
 * nothing else ran. (Repeating each until a turn is long would keep outputs of some 100 KB in the
 * second-level cache, where no caller will find them.) Only runs that are short compared with the
 * clock's resolution are repeated. */
enum { SMALL_BYTES = 100000, SMALL_TIMES = 20 };

/* memcpy is called through a pointer in memory, so that no compiler drops a copy that nobody reads.
 */
static void *(*volatile copy_bytes)(void *, const void *, size_t) = memcpy;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the samples. count: at least 1. */
static bench_spread bench_spread_of(double *samples, int count)
{
    qsort(samples, (size_t)count, sizeof *samples, compare);
    return (bench_spread){.least = samples[0],
                          .lower = samples[count / 4],
                          .median = samples[count / 2],
                          .upper = samples[count - 1 - count / 4],
                          .most = samples[count - 1]};
}

/* Every buffer begins on a huge page, so that the compared buffers have the same page size. */
static unsigned char *buffer(int64_t bytes, int filler)
{
    return system_large_memory((size_t)bytes, filler);
}

int bench_buffers_make(bench_buffers *buffers, int64_t in_bytes, int64_t out_bytes, int64_t offset)
{
    *buffers = (bench_buffers){.src = buffer(in_bytes + offset, 1),
                               .dst = buffer(out_bytes + offset, 2),
                               .from = buffer(out_bytes + offset, 3),
                               .to = buffer(out_bytes + offset, 4),
                               .offset = offset};
    if (buffers->src && buffers->dst && buffers->from && buffers->to) return EXIT_DONE;
    return report_refusal(TPAD_E_MEMORY, NULL,
                          "bench: no memory for an input of %lld bytes and three times an output "
                          "of %lld; --only TEXT measures fewer workloads",
                          (long long)in_bytes, (long long)out_bytes);
}

void bench_buffers_free(bench_buffers *buffers)
{
    system_free_large(buffers->src);
    system_free_large(buffers->dst);
    system_free_large(buffers->from);
    system_free_large(buffers->to);
    *buffers = (bench_buffers){0};
}

static double time_runs(const tpad_plan *plan, const bench_buffers *buffers, int times)
{
    const double start = now();
    const int64_t at = buffers->offset;
    for (int k = 0; k < times; k++) tpad_run(plan, buffers->src + at, buffers->dst + at, NULL);
    return (now() - start) / times;
}

static double time_copies(const bench_buffers *buffers, size_t bytes, int times)
{
    const double start = now();
    const int64_t at = buffers->offset;
    for (int k = 0; k < times; k++) copy_bytes(buffers->to + at, buffers->from + at, bytes);
    return (now() - start) / times;
}

bench_timing bench_measure(const tpad_plan *plan, const bench_buffers *buffers, int64_t out_bytes,
                           int turns)
{
    static double run[BENCH_MOST_TURNS], copy[BENCH_MOST_TURNS], ratio[BENCH_MOST_TURNS];
    const int times = out_bytes < SMALL_BYTES ? SMALL_TIMES : 1;
    const size_t bytes = (size_t)out_bytes;
    time_runs(plan, buffers, 1);
    time_copies(buffers, bytes, 1);
    for (int i = 0; i < turns; i++) {
        /* Run and memcpy go first alternately, because the one that goes first finds its buffers
         * colder. */
        if (i % 2 == 0) run[i] = time_runs(plan, buffers, times);
        copy[i] = time_copies(buffers, bytes, times);
        if (i % 2 == 1) run[i] = time_runs(plan, buffers, times);
        ratio[i] = run[i] / copy[i];
    }
    return (bench_timing){bench_spread_of(run, turns), bench_spread_of(copy, turns),
                          bench_spread_of(ratio, turns)};
}

bench_spread bench_measure_calls(void (*call)(void *context), void *context, int calls, int turns)
{
    static double seconds[BENCH_MOST_TURNS];
    call(context);
    for (int i = 0; i < turns; i++) {
        const double start = now();
        for (int k = 0; k < calls; k++) call(context);
        seconds[i] = (now() - start) / calls;
    }
    return bench_spread_of(seconds, turns);
}

void bench_cpu_name(char *name, size_t bytes)
{
    static const char label[] = "model name";
    char line[256];
    snprintf(name, bytes, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL) return;
    while (fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, label, strlen(label)) != 0 || colon == NULL) continue;
        colon += 1 + strspn(colon + 1, " ");
        snprintf(name, bytes, "%.*s", (int)strcspn(colon, "\n"), colon);
        break;
    }
    fclose(file);
}

/* `tensorpad bench --sweep`: short rows and small planes of every kind.
 *
 * The list of points, and what is shown of them. A point is a tensor of many rows, padded on its
 * last axis only, or of many planes, padded on both axes. */

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

/* Planes: a draw from 4 to 64 a side, 1 to 3 on each side, all modes, 1, 2, 4 and 8 bytes, outputs
 * of 0.2 to 4 MB. The same ones every time. */
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

/* A point this many times over its limit in the first turn is not measured again. */
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

/* Finds the next point that is wanted, from *number on, and moves that after it. Returns 0 if that
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
