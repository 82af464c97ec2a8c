/* The names of the modes in messages and help, from the table of modes. SPDX-License-Identifier:
 * MIT
 *
 * A mode that is added to TPAD_MODE_MAP appears in messages and in the help by itself: its picture
 * is computed by the library, and the specifications are asked whether they have it.
 */
#include "mode_names.h"

#include <tensorpad/ngraph.h>
#include <tensorpad/onnx.h>
#include <tensorpad/openvino.h>
#include <tensorpad/tensorpad.h>

enum { NOTE_BYTES = 64 };

uint32_t modes_all(void)
{
    return (UINT32_C(1) << TPAD_MODE_COUNT) - 1;
}

const char *modes_word(int32_t index)
{
    return index < TPAD_MODE_COUNT ? tpad_mode_name(index) : NULL;
}

void modes_list(char text[MODES_BYTES], uint32_t modes, const char *between)
{
    size_t used = 0;
    text[0] = '\0';
    for (int32_t mode = 0; mode < TPAD_MODE_COUNT && used < MODES_BYTES; mode++) {
        if (!(modes >> mode & 1)) continue;
        const uint32_t behind = modes >> mode >> 1;
        used += (size_t)snprintf(text + used, MODES_BYTES - used, "%s", tpad_mode_name(mode));
        if (behind == 0 || used >= MODES_BYTES) return;
        if (behind & (behind - 1))
            used += (size_t)snprintf(text + used, MODES_BYTES - used, ", ");
        else
            used += (size_t)snprintf(text + used, MODES_BYTES - used, " %s ", between);
    }
}

uint32_t modes_of_ngraph(void)
{
    uint32_t modes = 0;
    for (int32_t i = 0; i < tpad_ngraph_mode_count(); i++)
        modes |= UINT32_C(1) << tpad_ngraph_mode_at(i)->mode;
    return modes;
}

/* Writes which specifications have a mode: " (plain, onnx from 19)"; nothing if all have it in all
 * versions. */
static void write_note(char note[NOTE_BYTES], int32_t mode)
{
    const int32_t last = tpad_openvino_version_count() - 1;
    const int openvino = tpad_openvino_version_at(last)->modes >> mode & 1;
    const int ngraph = modes_of_ngraph() >> mode & 1;
    char onnx[24] = "";
    int32_t i = 0;
    while (i < tpad_onnx_version_count() && !(tpad_onnx_version_at(i)->modes >> mode & 1)) i++;
    note[0] = '\0';
    if (i == 0 && openvino && ngraph) return;
    if (i == 0)
        snprintf(onnx, sizeof onnx, ", onnx");
    else if (i < tpad_onnx_version_count())
        snprintf(onnx, sizeof onnx, ", onnx from %d", (int)tpad_onnx_version_at(i)->since);
    snprintf(note, NOTE_BYTES, " (plain%s%s%s)", onnx, openvino ? ", openvino" : "",
             ngraph ? ", ngraph" : "");
}

void modes_print(FILE *out, int indent)
{
    for (int32_t mode = 0; mode < TPAD_MODE_COUNT; mode++) {
        char picture[8], note[NOTE_BYTES];
        tpad_axis axis = {.in_extent = 4, .before = 2, .after = 2, .mode = mode};
        const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
        if (tpad_pad(&problem, "abcd", picture, "k", NULL) != TPAD_OK) continue;
        write_note(note, mode);
        fprintf(out, "%*s%-10s %.2s %.4s %.2s%s\n", indent, "", tpad_mode_name(mode), picture,
                picture + 2, picture + 6, mode == TPAD_CONSTANT ? " (default)" : note);
    }
}
