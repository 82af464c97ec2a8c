/* In place of page_to_png.c where cairo's headers are missing.  SPDX-License-Identifier: MIT */
#include "drawing.h"

int tpad_pictures_png(void)
{
    return 0;
}

const char *tpad_pictures_features(void)
{
    return "svg (built without cairo: no png)";
}

int32_t tpad_drawing_png(const tpad_drawing *drawing, tpad_written *written)
{
    (void)drawing;
    (void)written;
    return TPAD_E_FILE_TYPE;
}
