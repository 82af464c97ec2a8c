/* The example on top of src/core/table.h is what the library makes.
 * SPDX-License-Identifier: MIT
 *
 * Prints the table of the example as that comment has it, and looks for the lines in the file. */
#include "../../../src/core/plan.h"
#include "../../../src/core/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#if TPAD_TABLE_BYTES > 0 && defined(TPAD_SIMD_X86)

enum { ROWS = 1000, SSSE3 = 1 /* the number of the variant */ };

static char wanted[4096], header[1 << 16];

static void put(const char *format, ...)
{
    const size_t used = strlen(wanted);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(wanted + used, sizeof wanted - used, format, arguments);
    va_end(arguments);
}

static void put_term(const plan *p, const tpad_form *form, int32_t number)
{
    const unsigned char *index = tpad_plan_index(p, form) + number * form->vector_bytes;
    put(" *       term %d: the window of %d bytes from byte %d on, index", (int)number,
        (int)form->window_bytes, (int)tpad_plan_terms(p, form)[number].src[0]);
    for (int32_t k = 0; k < form->vector_bytes; k++) put("%s%d", k % 4 == 0 ? "  " : " ", index[k]);
    put("\n");
}

static void put_table(const plan *p)
{
    const tpad_form *form = &tpad_kernels_at(p->kernels)->forms[p->form];
    int32_t term = p->single.first_term;
    put(" *     a tile of %d bytes takes bytes %d to %d; its windows end %d bytes beyond these\n",
        (int)p->tile.size, (int)p->single.low, (int)p->single.high - 1, (int)p->single.beyond);
    for (int32_t k = 0; k < p->single.pieces; k++) {
        const tpad_piece *piece = tpad_plan_pieces(p) + p->single.first_piece + k;
        put(" *     piece %d: bytes %d to %d of the tile\n", (int)k, (int)piece->dst,
            (int)(piece->dst + piece->bytes - 1));
        for (int32_t n = 0; n < piece->terms; n++) put_term(p, form, term++);
    }
}

int main(int argc, char **argv)
{
    static tpad_plan memory;
    const tpad_axis axes[] = {
        {.in_extent = ROWS},
        {.in_extent = 3, .before = 2, .after = 2, .mode = TPAD_REFLECT},
    };
    const tpad_problem problem = TPAD_PROBLEM_OF(float, axes);
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file || fread(header, 1, sizeof header - 1, file) == 0 || fclose(file) != 0) return 2;
    if (tpad_plan_init(&memory, sizeof memory, &problem, NULL) != TPAD_OK) return 2;
    plan *p = (plan *)(void *)&memory;
    p->kernels = SSSE3;
    tpad_plan_tabulate(p);
    put_table(p);
    fputs(wanted, stdout);
    if (strstr(header, wanted)) return 0;
    printf("these lines are not in %s\n", argv[1]);
    return 1;
}

#else

int main(void)
{
    printf("this build has no tables of SSSE3\n");
    return 77;
}
#endif
