/* `tensorpad bench`: how long runs take, compared with memcpy. SPDX-License-Identifier: MIT
 *
 * The command's options and the small calls. bench/workloads.c has the table of workloads,
 * bench_measure.c measures, bench_sweep.c has the short rows, bench_plot.c draws. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../bench/workloads.h"
#include "arguments.h"
#include "bench.h"
#include "error_report.h"
#include "formats/port/system.h"
#include "help.h"
#include "json_writer.h"
#include "output.h"

enum { TURNS = 201, LARGE_TURNS = 21, LARGE_BYTES = 20000000 };

typedef struct bench_options {
    int as_json, list, sweep, full, force;
    int turns; /* 0: not given */
    const char *only, *plot;
} bench_options;

/* What was measured, in the order of the table. */
typedef struct bench_results {
    int count;
    bench_bar bars[BENCH_MOST_BARS];
    const char *names[BENCH_MOST_BARS];
} bench_results;

static int is_wanted(const bench_options *options, const char *name)
{
    return options->only == NULL || strstr(name, options->only) != NULL;
}

/* ---- Small calls ----------------------------------------------------------------------------- */

enum { SMALL_CALLS = 1000 };

typedef struct small_call {
    tpad_axis axes[2];
    tpad_problem problem;
    tpad_plan plan;
    float src[2][3], dst[4][5];
} small_call;

static void call_run(void *context)
{
    small_call *c = context;
    tpad_run(&c->plan, c->src, c->dst, NULL);
}

static void call_plan_run(void *context)
{
    small_call *c = context;
    tpad_plan_init(&c->plan, sizeof c->plan, &c->problem, NULL);
    tpad_run(&c->plan, c->src, c->dst, NULL);
}

static void call_pad(void *context)
{
    small_call *c = context;
    tpad_pad(&c->problem, c->src, c->dst, NULL, NULL);
}

static const struct {
    const char *name;
    void (*call)(void *context);
} calls[] = {
    {"f32 [2,3] 1 all round, run", call_run},
    {"f32 [2,3] 1 all round, plan and run", call_plan_run},
    {"f32 [2,3] 1 all round, pad", call_pad},
};
enum { CALLS = sizeof calls / sizeof calls[0] };

static void small_call_make(small_call *c)
{
    *c = (small_call){.axes = {{.in_extent = 2, .before = 1, .after = 1},
                               {.in_extent = 3, .before = 1, .after = 1}}};
    c->problem = (tpad_problem)TPAD_PROBLEM(32, 2, c->axes);
    tpad_plan_init(&c->plan, sizeof c->plan, &c->problem, NULL);
}

/* ---- The machine ----------------------------------------------------------------------------- */

static void write_machine(json *out)
{
    char name[256];
    json_text_field(out, "version", tpad_version());
    json_text_field(out, "compiler", __VERSION__);
    json_text_field(out, "kernels", tpad_kernels_name());
    json_key(out, "machine");
    json_open(out, '{');
    bench_cpu_name(name, sizeof name);
    json_text_field(out, "cpu", name);
    json_key(out, "cores");
    json_integer(out, sysconf(_SC_NPROCESSORS_ONLN));
    json_close(out, '}');
}

static void print_machine(void)
{
    char cpu[256];
    bench_cpu_name(cpu, sizeof cpu);
    printf("tensorpad %s, kernels: %s; %s, %ld cores; one thread\n\n", tpad_version(),
           tpad_kernels_name(), cpu, sysconf(_SC_NPROCESSORS_ONLN));
}

/* ---- Lists ----------------------------------------------------------------------------------- */

static void write_list(json *out, const char *name, const int64_t *items, int32_t count)
{
    json_key(out, name);
    json_open(out, '[');
    for (int32_t i = 0; i < count; i++) json_integer(out, items[i]);
    json_close(out, ']');
}

/* Writes the parameters of a workload, without the closing brace. */
static void write_workload(json *out, const workload *w)
{
    tpad_axis axes[WORKLOAD_RANK];
    const tpad_problem problem = workload_problem(w, axes);
    int64_t out_shape[WORKLOAD_RANK], bytes = 0;
    tpad_shape(&problem, out_shape, NULL, &bytes, NULL);
    json_open(out, '{');
    json_text_field(out, "name", w->name);
    json_text_field(out, "label", w->label);
    json_text_field(out, "dtype", w->dtype);
    write_list(out, "shape", w->shape, w->rank);
    write_list(out, "begin", w->begin, w->rank);
    write_list(out, "end", w->end, w->rank);
    write_list(out, "interior", w->interior, w->rank);
    json_text_field(out, "mode", tpad_mode_name(w->mode));
    write_list(out, "out_shape", out_shape, w->rank);
    json_key(out, "bytes");
    json_integer(out, bytes);
}

static void list(const bench_options *options, json *out)
{
    if (out) {
        json_key(out, "workloads");
        json_open(out, '[');
    }
    const workload *w;
    for (int i = 0; (w = workload_at(i)) != NULL; i++) {
        if (!is_wanted(options, w->name)) continue;
        if (out) {
            write_workload(out, w);
            json_close(out, '}');
        } else {
            printf("%s\n", w->name);
        }
    }
    if (out) {
        json_close(out, ']');
        json_key(out, "calls");
        json_open(out, '[');
    }
    for (int i = 0; i < CALLS; i++) {
        if (!is_wanted(options, calls[i].name)) continue;
        if (out)
            json_text(out, calls[i].name);
        else
            printf("%s\n", calls[i].name);
    }
    if (out) json_close(out, ']');
}

/* ---- The table ------------------------------------------------------------------------------- */

static void write_spread(json *out, const char *name, const bench_spread *s, double unit)
{
    json_key(out, name);
    json_open(out, '{');
    json_number_field(out, "least", s->least * unit);
    json_number_field(out, "lower", s->lower * unit);
    json_number_field(out, "median", s->median * unit);
    json_number_field(out, "upper", s->upper * unit);
    json_number_field(out, "most", s->most * unit);
    json_close(out, '}');
}

static int time_workload(const bench_options *options, const workload *w, json *out,
                         bench_results *results)
{
    tpad_axis axes[WORKLOAD_RANK];
    const tpad_problem problem = workload_problem(w, axes);
    tpad_plan plan;
    tpad_error error;
    int64_t bytes;
    if (tpad_shape(&problem, NULL, NULL, &bytes, &error) != TPAD_OK ||
        tpad_plan_init(&plan, sizeof plan, &problem, &error) != TPAD_OK)
        return report_core(&error, w->name);
    bench_buffers buffers;
    const int status = bench_buffers_make(&buffers, workload_in_bytes(w), bytes, w->offset);
    if (status == EXIT_DONE) {
        const int turns = options->turns        ? options->turns
                          : bytes > LARGE_BYTES ? LARGE_TURNS
                                                : TURNS;
        const bench_timing t = bench_measure(&plan, &buffers, bytes, turns);
        results->names[results->count] = w->name;
        results->bars[results->count++] = (bench_bar){w->label, t.ratio};
        if (out) {
            char kernels[256];
            workload_kernels(&plan, kernels, sizeof kernels);
            write_workload(out, w);
            json_text_field(out, "kernels", kernels);
            json_key(out, "turns");
            json_integer(out, turns);
            write_spread(out, "run_ns", &t.run, 1e9);
            write_spread(out, "memcpy_ns", &t.copy, 1e9);
            write_spread(out, "ratio", &t.ratio, 1);
            json_close(out, '}');
        } else {
            printf("%-38s %10" PRId64 " %10.1f %10.1f %7.2f  %.2f..%.2f\n", w->name, bytes,
                   t.run.median * 1e6, t.copy.median * 1e6, t.ratio.median, t.ratio.lower,
                   t.ratio.upper);
            fflush(stdout);
        }
    }
    bench_buffers_free(&buffers);
    return status;
}

static void print_foot(const bench_results *results)
{
    int worst = 0;
    for (int i = 1; i < results->count; i++)
        if (results->bars[i].ratio.median > results->bars[worst].ratio.median) worst = i;
    printf("geometric mean %.2f, worst %.2f (%s)\n\n",
           bench_geometric_mean(results->bars, results->count), results->bars[worst].ratio.median,
           results->names[worst]);
}

static int time_workloads(const bench_options *options, json *out, bench_results *results)
{
    int status = EXIT_DONE, shown = 0;
    const workload *w;
    if (out) {
        json_key(out, "workloads");
        json_open(out, '[');
    }
    for (int i = 0; status == EXIT_DONE && i < BENCH_MOST_BARS && (w = workload_at(i)) != NULL;
         i++) {
        if (!is_wanted(options, w->name)) continue;
        if (!out && shown++ == 0)
            printf("%-38s %10s %10s %10s %7s  %s\n", "workload", "bytes", "us", "memcpy us",
                   "ratio", "quartiles");
        status = time_workload(options, w, out, results);
    }
    if (out)
        json_close(out, ']');
    else if (status == EXIT_DONE && results->count > 1)
        print_foot(results);
    return status;
}

static void time_calls(const bench_options *options, json *out)
{
    small_call c;
    small_call_make(&c);
    if (out) {
        json_key(out, "calls");
        json_open(out, '[');
    }
    for (int i = 0; i < CALLS; i++) {
        if (!is_wanted(options, calls[i].name)) continue;
        const int turns = options->turns ? options->turns : TURNS;
        const bench_spread s = bench_measure_calls(calls[i].call, &c, SMALL_CALLS, turns);
        if (out) {
            json_open(out, '{');
            json_text_field(out, "name", calls[i].name);
            json_key(out, "turns");
            json_integer(out, turns);
            write_spread(out, "ns", &s, 1e9);
            json_close(out, '}');
        } else {
            printf("%-38s %7.1f ns (%.1f..%.1f)\n", calls[i].name, s.median * 1e9, s.lower * 1e9,
                   s.upper * 1e9);
        }
    }
    if (out) json_close(out, ']');
}

/* ---- The command ----------------------------------------------------------------------------- */

static sweep_options swept_as(const bench_options *options)
{
    return (sweep_options){options->full, options->turns, options->only};
}

static int is_any_wanted(const bench_options *options)
{
    const workload *w;
    int found = 0;
    for (int i = 0; (w = workload_at(i)) != NULL; i++) found |= is_wanted(options, w->name);
    /* Small calls have no ratio, so they are not drawn. */
    for (int i = 0; i < CALLS && !options->plot; i++) found |= is_wanted(options, calls[i].name);
    return found;
}

/* EXIT_DONE, or the status of the error that there is nothing to measure. */
static int check_wanted(const bench_options *options)
{
    const sweep_options swept = swept_as(options);
    if (options->sweep && bench_sweep_is_empty(&swept))
        return report_usage("bench: no point of this sweep has '%s' in its words, such as bits=8 "
                            "shape=[524288,2] begin=1 end=1 interior=0 mode=edge",
                            options->only);
    if (!options->sweep && !is_any_wanted(options))
        return report_usage("bench: no workload has '%s' in its name; --list shows them",
                            options->only);
    return EXIT_DONE;
}

/* EXIT_DONE, or the status of the error that options contradict each other. */
static int check_options(const bench_options *options)
{
    if (options->list && options->sweep)
        return report_usage("bench: --list shows the workloads, and --sweep has none");
    if (options->plot && (options->list || options->sweep))
        return report_usage("bench: --plot draws the workloads, which --%s does not time",
                            options->list ? "list" : "sweep");
    if (options->plot) {
        const int status = picture_check_name("bench: --plot", options->plot);
        if (status != EXIT_DONE) return status;
    }
    if (options->force && !options->plot)
        return report_usage("bench: -f overwrites the file of --plot, which is not given");
    return check_wanted(options);
}

static int measure(const bench_options *options, json *out, bench_results *results)
{
    if (options->sweep) {
        const sweep_options swept = swept_as(options);
        return bench_sweep(&swept, out);
    }
    if (options->list) {
        list(options, out);
        return EXIT_DONE;
    }
    const int status = time_workloads(options, out, results);
    if (status == EXIT_DONE) time_calls(options, out);
    return status;
}

static int bench(void *field)
{
    const bench_options *options = field;
    static bench_results results;
    tpad_output *picture = NULL;
    tpad_io_error error;
    int status = check_options(options);
    if (status != EXIT_DONE) return status;
    /* Before anything is measured, so that a name that cannot be used is refused at once. */
    if (options->plot &&
        outputs_begin(&picture, options->plot, NULL, options->force, &error) != TPAD_OK)
        return report_io(&error, options->plot, NULL);
    json out = {stdout, 0};
    if (options->as_json) {
        json_open(&out, '{');
        if (!options->list) write_machine(&out);
    } else if (!options->list) {
        print_machine();
    }
    status = measure(options, options->as_json ? &out : NULL, &results);
    if (status == EXIT_DONE) {
        if (options->as_json) {
            json_close(&out, '}');
            putchar('\n');
        }
        status = report_stdout_end();
    }
    if (status == EXIT_DONE && picture) {
        char cpu[256];
        bench_cpu_name(cpu, sizeof cpu);
        return bench_plot_commit(picture, options->plot, cpu, results.bars, results.count);
    }
    outputs_discard(picture);
    return status;
}

static int take_turns(void *field, const given_option *given)
{
    integers entries = {0};
    int status = argument_integers(&entries, given);
    if (status == EXIT_DONE &&
        (entries.count != 1 || entries.items[0] < 1 || entries.items[0] > BENCH_MOST_TURNS))
        status = report_usage("bench: --turns '%s': one number from 1 to %d", given->text,
                              BENCH_MOST_TURNS);
    if (status == EXIT_DONE) *(int *)field = (int)entries.items[0];
    integers_free(&entries);
    return status;
}

static int take_sweep(void *field, const given_option *given)
{
    bench_options *options = field;
    options->sweep = 1;
    options->full = given->text != NULL;
    if (given->text == NULL || strcmp(given->text, "full") == 0) return EXIT_DONE;
    return report_usage("bench: --sweep=%s: --sweep for a sample, --sweep=full for every point",
                        given->text);
}

static const option_row bench_rows[] = {
    {"only", 0, "TEXT", argument_text, offsetof(bench_options, only), NULL,
     "workloads with TEXT in their names"},
    {"turns", 0, "N", take_turns, offsetof(bench_options, turns), NULL,
     "turns of each workload, 1 to 10000; default 201, and 21 where the output is larger "
     "than 20 MB; 5 in a sweep"},
    {"plot", 0, "FILE", argument_text, offsetof(bench_options, plot), NULL,
     "also draws the ratios as bars: .svg, or .png with cairo"},
    {"force", 'f', NULL, argument_flag, offsetof(bench_options, force), NULL,
     "overwrite the file of --plot"},
    {"list", 0, NULL, argument_flag, offsetof(bench_options, list), NULL,
     "names only; with --json all that makes each workload"},
    {"sweep", 0, "[=full]", take_sweep, 0, NULL,
     "instead, short rows of 2 MB outputs, padded on their last axis: extents 1 to 64, "
     "amounts 0 to 8 on each side, all modes, 0 to 3 interior cells, 1 2 3 4 6 8 12 16 "
     "bytes and 4 2 1 bits: every 151st of all these, and all that pad by one on both "
     "sides. Then 2,000 tensors of planes of 4 to 64 a side, padded by 1 to 3 on each "
     "side. Shows geometric mean and quartiles of the ratios, how many are below 1.0 to "
     "4.0, and the ten worst, whose words --only takes. =full: every one of them: hours"},
    {"json", 0, NULL, argument_flag, offsetof(bench_options, as_json), NULL,
     "one JSON object: {\"version\", \"compiler\", \"kernels\", \"machine\", "
     "\"workloads\": [...], \"calls\": [...]} or, swept, \"sweep\": [...]; times are in "
     "ns"},
    {NULL, 0, NULL, NULL, 0, NULL, NULL},
};

static int take_no_file(void *field, char *name)
{
    (void)field;
    return report_usage("bench: takes no file, such as '%s'", name);
}

const sub_command command_bench = {
    .name = "bench",
    .files = "",
    .summary = "how long runs take, beside memcpy",
    .about = "\n"
             "Times the run of a ready plan and a memcpy of as many bytes as its output has,\n"
             "in turns, on one thread, in memory that was touched before, and divides the\n"
             "one by the other turn by turn. Shows medians, and the quartiles of that ratio.\n"
             "Two more lines give the time of a small call. Without options it takes about\n"
             "ten seconds, and the largest workload takes 540 MB of memory.\n",
    .rows = bench_rows,
    .end = "\n"
           "exit status: 0 done, 1 failed (no memory, FILE exists), 2 wrong usage\n"
           "\n"
           "  tensorpad bench --plot bench.svg\n"
           "  tensorpad bench --sweep --only 'bits=8 '\n",
    .bytes = sizeof(bench_options),
    .take_file = take_no_file,
    .run = bench,
};

/* The picture of `tensorpad bench --plot`. */

double bench_geometric_mean(const bench_bar *bars, int count)
{
    double logarithms = 0;
    for (int i = 0; i < count; i++) logarithms += log(bars[i].ratio.median);
    return exp(logarithms / count);
}

int bench_plot_commit(tpad_output *picture, const char *path, const char *cpu,
                      const bench_bar *bars, int count)
{
    char title[512] = "Padding on ", rest[64], subtitle[256];
    tpad_bar drawn[BENCH_MOST_BARS];
    tpad_drawing *drawing;
    picture_text_add(title, sizeof title - sizeof rest, cpu);
    snprintf(rest, sizeof rest, ": kernels %s, %ld cores", tpad_kernels_name(),
             sysconf(_SC_NPROCESSORS_ONLN));
    picture_text_add(title, sizeof title, rest);
    snprintf(subtitle, sizeof subtitle,
             "Time of a run / time of a memcpy of its output; geometric mean %.2f. Shorter is "
             "faster. tensorpad %s, one thread.",
             bench_geometric_mean(bars, count), tpad_version());
    for (int i = 0; i < count; i++)
        drawn[i] = (tpad_bar){bars[i].label, bars[i].ratio.lower, bars[i].ratio.median,
                              bars[i].ratio.upper};
    if (tpad_bars_draw(title, subtitle, drawn, count, &drawing) == TPAD_OK)
        return picture_commit(picture, path, drawing);
    outputs_discard(picture);
    return report_refusal(TPAD_E_MEMORY, path, "%s: no memory for the picture", path);
}
