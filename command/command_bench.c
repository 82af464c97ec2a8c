/* `tensorpad bench`: how long runs take, compared with memcpy. SPDX-License-Identifier: MIT
 *
 * The command's options and the small calls. workloads.c has the table of workloads; bench.c
 * measures. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "bench.h"
#include "error_report.h"
#include "formats/port/system.h"
#include "help.h"
#include "json_writer.h"
#include "workloads.h"

enum { TURNS = BENCH_MOST_TURNS, LARGE_TURNS = 21, LARGE_BYTES = 20000000 };

typedef struct bench_options {
    int as_json, list;
    const char *only;
} bench_options;

/* Of the ratios that were measured. */
typedef struct bench_results {
    int count;
    double logarithms, worst;
    const char *name_of_worst;
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
    json_integer(out, system_processors());
    json_close(out, '}');
}

static void print_machine(void)
{
    char cpu[256];
    bench_cpu_name(cpu, sizeof cpu);
    printf("tensorpad %s, kernels: %s; %s, %d cores; one thread\n\n", tpad_version(),
           tpad_kernels_name(), cpu, system_processors());
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

static int time_workload(const workload *w, json *out, bench_results *results)
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
        const int turns = bytes > LARGE_BYTES ? LARGE_TURNS : TURNS;
        const bench_timing t = bench_measure(&plan, &buffers, bytes, turns);
        results->count++;
        results->logarithms += log(t.ratio.median);
        if (t.ratio.median > results->worst) {
            results->worst = t.ratio.median;
            results->name_of_worst = w->name;
        }
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

static int time_workloads(const bench_options *options, json *out)
{
    int status = EXIT_DONE;
    bench_results results = {0};
    const workload *w;
    if (out) {
        json_key(out, "workloads");
        json_open(out, '[');
    }
    for (int i = 0; status == EXIT_DONE && (w = workload_at(i)) != NULL; i++) {
        if (!is_wanted(options, w->name)) continue;
        if (!out && results.count == 0)
            printf("%-38s %10s %10s %10s %7s  %s\n", "workload", "bytes", "us", "memcpy us",
                   "ratio", "quartiles");
        status = time_workload(w, out, &results);
    }
    if (out)
        json_close(out, ']');
    else if (status == EXIT_DONE && results.count > 1)
        printf("geometric mean %.2f, worst %.2f (%s)\n\n", exp(results.logarithms / results.count),
               results.worst, results.name_of_worst);
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
        const bench_spread s = bench_measure_calls(calls[i].call, &c, SMALL_CALLS, TURNS);
        if (out) {
            json_open(out, '{');
            json_text_field(out, "name", calls[i].name);
            json_key(out, "turns");
            json_integer(out, TURNS);
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

static int is_any_wanted(const bench_options *options)
{
    const workload *w;
    int found = 0;
    for (int i = 0; (w = workload_at(i)) != NULL; i++) found |= is_wanted(options, w->name);
    for (int i = 0; i < CALLS; i++) found |= is_wanted(options, calls[i].name);
    return found;
}

static int bench(void *field)
{
    const bench_options *options = field;
    if (!is_any_wanted(options))
        return report_usage("bench: no workload has '%s' in its name; --list shows them",
                            options->only);
    json written = {stdout, 0}, *const out = options->as_json ? &written : NULL;
    if (out) json_open(out, '{');
    if (options->list) {
        list(options, out);
    } else {
        if (out)
            write_machine(out);
        else
            print_machine();
        const int status = time_workloads(options, out);
        if (status != EXIT_DONE) return status;
        time_calls(options, out);
    }
    if (out) {
        json_close(out, '}');
        putchar('\n');
    }
    return report_stdout_end();
}

static const option_row bench_rows[] = {
    {"only", 0, "TEXT", argument_text, offsetof(bench_options, only), NULL,
     "workloads with TEXT in their names"},
    {"list", 0, NULL, argument_flag, offsetof(bench_options, list), NULL,
     "names only; with --json all that makes each workload"},
    {"json", 0, NULL, argument_flag, offsetof(bench_options, as_json), NULL,
     "one JSON object: {\"version\", \"compiler\", \"kernels\", \"machine\", "
     "\"workloads\": [...], \"calls\": [...]}; times are in ns"},
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
           "exit status: 0 done, 1 failed (no memory), 2 wrong usage\n"
           "\n"
           "  tensorpad bench --only channels\n"
           "  tensorpad bench --list --json\n",
    .bytes = sizeof(bench_options),
    .take_file = take_no_file,
    .run = bench,
};
