/* Pictures in files, and their texts.  SPDX-License-Identifier: MIT */
#include "picture_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error_report.h"
#include "output_signals.h"

static int ends_in(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    return length > tail && strcmp(text + length - tail, ending) == 0;
}

int picture_check_name(const char *words, const char *path)
{
    const int is_png = ends_in(path, ".png");
    if (!is_png && !ends_in(path, ".svg"))
        return report_usage("%s '%s': a picture is .svg or .png, by the ending of its name", words,
                            path);
    if (is_png && !tpad_pictures_png())
        return report_usage("%s '%s': .png needs cairo, which is not there (tensorpad --version); "
                            "take .svg",
                            words, path);
    return EXIT_DONE;
}

int picture_commit(tpad_output *output, const char *path, tpad_drawing *drawing)
{
    tpad_written written = {0};
    tpad_io_error error;
    const int32_t status = ends_in(path, ".png") ? tpad_drawing_png(drawing, &written)
                                                 : tpad_drawing_svg(drawing, &written);
    tpad_drawing_free(drawing);
    int result = EXIT_DONE;
    if (status != TPAD_OK) {
        outputs_discard(output);
        return report_refusal(status, path, "%s: the picture cannot be made: %s", path,
                              tpad_status_text(status));
    }
    if (tpad_output_write(output, written.bytes, (int64_t)written.length, &error) != TPAD_OK) {
        outputs_discard(output);
        result = report_io(&error, path, NULL);
    } else if (outputs_commit(output, &error) != TPAD_OK) {
        result = report_io(&error, path, NULL);
    }
    free(written.bytes);
    return result;
}

void picture_text_add(char *text, size_t bytes, const char *more)
{
    size_t used = strlen(text), left = strlen(more);
    while (left > 0) {
        char piece[TPAD_PRINTABLE_BYTES];
        const size_t length = tpad_printable_next(piece, more, left);
        if (used + strlen(piece) >= bytes) return;
        used += (size_t)snprintf(text + used, bytes - used, "%s", piece);
        more += length;
        left -= length;
    }
}
