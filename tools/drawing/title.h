/* Words about what is shown.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_DRAWING_TITLE_H
#define TENSORPAD_DRAWING_TITLE_H

#include "shown.h"

/* "mode reflect, begin 2,1, end 1,0: [3,4] -> [6,5]", for the caller to free; NULL: no memory. */
char *title_of(const tpad_shown *shown);

#endif
