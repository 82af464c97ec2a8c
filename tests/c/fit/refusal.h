/* What refused calls say, for the tests of fits and of batches. SPDX-License-Identifier: MIT
 *
 * Include it after cmocka.h. */
#ifndef TENSORPAD_TESTS_C_SIZING_REFUSAL_H
#define TENSORPAD_TESTS_C_SIZING_REFUSAL_H

#include <stdio.h>

#include <tensorpad/fit.h>

#include "../../support/expect.h"

#define MOST      TPAD_MAX_EXTENT
#define MOST_TEXT "2305843009213693951"

/* The sizes of structs depend on the machine. line: room for the text. way_out: what the text
 * advises if the size is too small. */
static inline said wrong_size(char line[160], const char *what, size_t got, size_t limit,
                              const char *way_out)
{
    if (got < limit)
        snprintf(line, 160, "%s is %d, not %d: %s", what, (int)got, (int)limit, way_out);
    else
        snprintf(line, 160,
                 "%s is %d, but this tensorpad knows %d: the header is newer than the library",
                 what, (int)got, (int)limit);
    return (said){TPAD_E_ARGUMENT, line};
}

#endif
