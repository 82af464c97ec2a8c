/* What other programs call the modes.  SPDX-License-Identifier: MIT
 *
 * Some names have different meanings in different programs.
 */
#include "formats.h"

#include <strings.h>

static const struct {
    const char *alias;
    const char *here;
} mode_aliases[] = {
    {"fill", "constant"},
    {"zeros", "constant"},
    {"border_constant", "constant"},
    {"replicate", "edge"},
    {"nearest", "edge"},
    {"clamp", "edge"},
    {"smear", "edge"},
    {"repeat_edge", "edge"},
    {"border_replicate", "edge"},
    {"mirror", "reflect (SciPy) or symmetric (ITK, libvips, ffmpeg)"},
    {"reflect_101", "reflect"},
    {"border_reflect_101", "reflect"},
    {"mirror_interior", "reflect"},
    {"border_reflect", "symmetric"},
    {"circular", "wrap"},
    {"periodic", "wrap"},
    {"torus", "wrap"},
    {"tile", "wrap"},
    {"grid-wrap", "wrap"},
    {"border_wrap", "wrap"},
};

const char *tpad_mode_elsewhere(const char *word)
{
    for (size_t i = 0; i < sizeof mode_aliases / sizeof mode_aliases[0]; i++)
        if (strcasecmp(word, mode_aliases[i].alias) == 0) return mode_aliases[i].here;
    for (int32_t mode = 0; mode < TPAD_MODE_COUNT; mode++)
        if (strcasecmp(word, tpad_mode_name(mode)) == 0) return tpad_mode_name(mode);
    return NULL;
}
