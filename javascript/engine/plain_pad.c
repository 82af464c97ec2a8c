/* Problems without a specification, and what all calls share. SPDX-License-Identifier: MIT */
#include "slate.h"

slate engine_slate;
tpad_translation engine_problem;

slate *EXPORT(slate_address)(void);
slate *slate_address(void)
{
    return &engine_slate;
}

const char *EXPORT(version)(void);
const char *version(void)
{
    return tpad_version();
}

const char *EXPORT(kernels)(void);
const char *kernels(void)
{
    return tpad_kernels_name();
}

int32_t engine_refuse(const tpad_error *error)
{
    char *text = engine_slate.text;
    size_t used = 0;
    for (const char *name = tpad_status_name(error->code); *name; name++) text[used++] = *name;
    text[used++] = '\0';
    tpad_error_format(error, text + used, SLATE_TEXT - used);
    engine_slate.error_axis = error->axis;
    engine_slate.got = (double)error->got;
    engine_slate.limit = (double)error->limit;
    return error->code;
}

int32_t engine_measure(int32_t made_status, const tpad_error *error)
{
    if (made_status != TPAD_OK) return engine_refuse(error);
    const tpad_problem problem = tpad_translation_problem(&engine_problem);
    int64_t extents[TPAD_MAX_RANK], elems, bytes;
    tpad_error refused;
    if (tpad_shape(&problem, extents, &elems, &bytes, &refused) != TPAD_OK)
        return engine_refuse(&refused);
    for (int32_t i = 0; i < problem.rank; i++) {
        if (extents[i] > SLATE_MOST) {
            const tpad_axis *axis = &engine_problem.axes[i];
            const tpad_error too_long = {TPAD_E_OVERFLOW,
                                         i,
                                         extents[i],
                                         SLATE_MOST,
                                         axis->before,
                                         axis->after,
                                         NULL,
                                         "axis %a: output extent %g exceeds %l, the largest whole "
                                         "number of JavaScript (before %b, after %e)"};
            return engine_refuse(&too_long);
        }
        engine_slate.out_extents[i] = (double)extents[i];
    }
    engine_slate.out_elems = (double)elems;
    engine_slate.out_bytes = (double)bytes;
    return TPAD_OK;
}

/* Makes a problem of extents, before, after, interior, modes, rank, order, elem_bits,
 * high_bits_first and value (value_type -1: zero). Writes out_extents, out_elems and out_bytes.
 * Returns a status; on failure the error is in the slate. */
int32_t EXPORT(make_problem)(void);
int32_t make_problem(void)
{
    const slate *from = &engine_slate;
    tpad_translation *made = &engine_problem;
    made->rank = from->rank;
    made->elem_bits = from->elem_bits;
    made->flags = from->high_bits_first ? TPAD_HIGH_BITS_FIRST : 0;
    made->value = NULL;
    made->fill_bytes = from->value_type < 0 ? 0 : TPAD_FILL_BYTES;
    for (int i = 0; i < TPAD_FILL_BYTES; i++) made->fill[i] = from->value[i];
    for (int32_t i = 0; i < from->rank && i < TPAD_MAX_RANK; i++)
        made->axes[i] = (tpad_axis){.in_extent = (int64_t)from->extents[i],
                                    .before = (int64_t)from->before[i],
                                    .after = (int64_t)from->after[i],
                                    .interior = (int64_t)from->interior[i],
                                    .mode = from->modes[i],
                                    .order = from->order};
    return engine_measure(TPAD_OK, NULL);
}
