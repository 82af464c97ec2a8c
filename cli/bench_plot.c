/* The picture of `tensorpad bench --plot`.  SPDX-License-Identifier: MIT */
#include "bench_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "outputs.h"
#include "report.h"

/* In pixels. The names of workloads end at LEFT, where the bars begin. Bars end at RIGHT at the
 * latest; behind it is a column of figures. */
enum { WIDTH = 800, LEFT = 236, RIGHT = 732, TOP = 92, ROW = 21, BAR = 13, FOOT = 64 };

/* The scale ends between these ratios. A bar beyond it is cut, and its figure tells the rest. */
static const double least_end = 1.5, most_end = 4;

/* Colours of the bars for every page, and of everything else for light and for dark pages. The bars
 * also differ for readers who cannot tell red from green. */
static const char style[] =
    "<style type=\"text/css\">\n"
    "text{font-family:\"DejaVu Sans\",Verdana,Helvetica,Arial,sans-serif;font-size:12px;"
    "fill:#1f2328}\n"
    ".page{fill:#ffffff}.small{font-size:11px;fill:#59636e}.grid{stroke:#d8dee4}\n"
    ".one,.whisker{stroke:#1f2328}.cut{stroke:#ffffff}\n"
    ".fast{fill:#009e73}.fair{fill:#e69f00}.slow{fill:#d55e00}\n"
    "@media (prefers-color-scheme:dark){text{fill:#f0f6fc}.page{fill:#0d1117}"
    ".small{fill:#9198a1}.grid{stroke:#30363d}.one,.whisker{stroke:#f0f6fc}"
    ".cut{stroke:#0d1117}}\n"
    "</style>\n";

/* Text in XML. Characters that XML forbids or that show nothing are written as \xNN or \uNNNN. */
static void put_text(FILE *out, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        char piece[TPAD_PRINTABLE_BYTES];
        const size_t length = tpad_printable_next(piece, text, left);
        if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else
            fputs(piece, out);
        text += length;
        left -= length;
    }
}

/* Decided by the figure that is shown: 1.004 is shown as 1.00, and then the bar is green. */
static const char *class_of(double ratio)
{
    return ratio < 1.005 ? "fast" : ratio < 1.505 ? "fair" : "slow";
}

static double end_of_scale(const bench_bar *bars, int count)
{
    double end = least_end;
    for (int i = 0; i < count; i++) end = fmax(end, bars[i].ratio.upper);
    return fmin(most_end, ceil(end * 4) / 4);
}

static double place(double ratio, double end)
{
    return LEFT + (RIGHT - LEFT) * fmin(ratio, end) / end;
}

static void put_scale(FILE *out, double end, int bottom)
{
    const double step = end > 2 ? 0.5 : 0.25;
    for (int i = 0; i * step <= end; i++) {
        const double x = place(i * step, end);
        fprintf(out,
                "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n"
                "<text class=\"small\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
                x, TOP, x, bottom, x, bottom + 16, i * step);
    }
}

static void put_bar(FILE *out, const bench_bar *bar, double end, int top)
{
    const bench_spread *ratio = &bar->ratio;
    const double x = place(ratio->median, end), low = place(ratio->lower, end),
                 high = place(ratio->upper, end), middle = top + ROW / 2.0;
    fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 8, middle + 4);
    put_text(out, bar->label);
    fprintf(out, "</text>\n<rect class=\"%s\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>\n",
            class_of(ratio->median), LEFT, middle - BAR / 2.0, x - LEFT, BAR);
    if (ratio->median > end)
        fprintf(out,
                "<path class=\"cut\" fill=\"none\" stroke-width=\"3\" "
                "d=\"M%.1f %.1fl6 %dm5 0l-6 -%d\"/>\n",
                x - 22, middle - BAR / 2.0 - 1, BAR + 2, BAR + 2);
    else
        fprintf(out,
                "<path class=\"whisker\" fill=\"none\" d=\"M%.1f %.1fv6m0 -3H%.1fm0 -3v6\"/>\n",
                low, middle - 3, high);
    fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.*f</text>\n", WIDTH - 20,
            middle + 4, ratio->median < 9.995 ? 2 : 0, ratio->median);
}

static void put_legend(FILE *out, int y)
{
    static const struct {
        const char *class, *words;
        int x;
    } entries[] = {{"fast", "as fast as memcpy, or faster", LEFT},
                   {"fair", "up to 1.5 times its time", LEFT + 196},
                   {"slow", "more", LEFT + 370}};
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        fprintf(out,
                "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"11\" height=\"11\"/>\n"
                "<text class=\"small\" x=\"%d\" y=\"%d\">%s</text>\n",
                entries[i].class, entries[i].x, y - 10, entries[i].x + 16, y, entries[i].words);
}

static void put_picture(FILE *out, const char *title, const char *subtitle, const bench_bar *bars,
                        int count)
{
    const double end = end_of_scale(bars, count), one = place(1, end);
    const int bottom = TOP + ROW * count, height = bottom + FOOT;
    /* A processor may have a long name. */
    const double room = 2.0 * (WIDTH - 32) / (double)(strlen(title) + 1);
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\">\n<title>",
            WIDTH, height, WIDTH, height);
    put_text(out, title);
    fprintf(out,
            "</title>\n%s<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n"
            "<text x=\"16\" y=\"28\" style=\"font-size:%.1fpx;font-weight:bold\">",
            style, WIDTH, height, fmin(17, room));
    put_text(out, title);
    fprintf(out, "</text>\n<text class=\"small\" x=\"16\" y=\"48\">");
    put_text(out, subtitle);
    fprintf(out, "</text>\n");
    put_scale(out, end, bottom);
    for (int i = 0; i < count; i++) put_bar(out, &bars[i], end, TOP + ROW * i);
    fprintf(out,
            "<line class=\"one\" stroke-width=\"2.5\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" "
            "y2=\"%d\"/>\n<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" "
            "style=\"font-weight:bold\">memcpy = 1</text>\n",
            one, TOP - 10, one, bottom, one, TOP - 16);
    put_legend(out, bottom + 44);
    fprintf(out, "</svg>\n");
}

double bench_geometric_mean(const bench_bar *bars, int count)
{
    double logarithms = 0;
    for (int i = 0; i < count; i++) logarithms += log(bars[i].ratio.median);
    return exp(logarithms / count);
}

int bench_plot_commit(tpad_output *picture, const char *path, const char *cpu,
                      const bench_bar *bars, int count)
{
    char title[512], subtitle[256];
    char *text = NULL;
    size_t bytes = 0;
    tpad_io_error error;
    snprintf(title, sizeof title, "Padding on %s: kernels %s, %ld cores", cpu, tpad_kernels_name(),
             sysconf(_SC_NPROCESSORS_ONLN));
    snprintf(subtitle, sizeof subtitle,
             "Time of a run / time of a memcpy of its output; geometric mean %.2f. Shorter is "
             "faster. tensorpad %s, one thread.",
             bench_geometric_mean(bars, count), tpad_version());
    FILE *out = open_memstream(&text, &bytes);
    if (out) put_picture(out, title, subtitle, bars, count);
    const int failed = !outputs_memory_end(out, &text);
    int status = EXIT_DONE;
    if (failed) {
        outputs_discard(picture);
        status = report_refusal(TPAD_E_MEMORY, path, "%s: no memory for the picture", path);
    } else if (tpad_output_write(picture, text, (int64_t)bytes, &error) != TPAD_OK) {
        outputs_discard(picture);
        status = report_io(&error, path, NULL);
    } else if (outputs_commit(picture, &error) != TPAD_OK) {
        status = report_io(&error, path, NULL);
    }
    free(text);
    return status;
}
