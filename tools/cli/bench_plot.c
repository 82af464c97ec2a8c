/* The picture of `tensorpad bench --plot`.  SPDX-License-Identifier: MIT */
#include "bench_plot.h"

#include <math.h>
#include <stdio.h>

#include "error_report.h"
#include "output_signals.h"
#include "picture_file.h"
#include "port/system.h"

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
