/* Small forms of some workloads, for counting their instructions.  SPDX-License-Identifier: MIT
 *
 * Which workloads are counted, and one function that does nothing but run them, `counted`, at whose
 * entry and exit bench/instructions.py lets callgrind count. Usage: instructions NUMBER; prints the
 * name of that workload, the kernels and the compiler, a line each. Status 3: there is no such
 * number; 4: this build has no such pad: instructions_small is the small build with mode constant
 * alone, as CMSIS-NN has it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../command/workloads.h"

enum { ALIGNMENT = 4096, NO_AXIS = -1 };

/* A workload of the table, with one axis cut to `extent` so that counting takes a moment: it is
 * repeated work that goes. The names are keys of bench/instructions.json. */
static const struct {
    const char *name;
    int axis;
    int64_t extent;
} forms[] = {
    {"f32 [1,64,112,112] H,W 1 constant", 1, 8},       /* rows of some length */
    {"f32 [1,256,14,14] H,W 1 constant", 1, 64},       /* planes of short rows */
    {"f32 [8,512,7,7] H,W 1 reflect", 1, 8},           /* planes whose rows repeat others */
    {"f32 [64,64,3,3] last two 1 constant", 0, 8},     /* planes of 3 x 3 */
    {"f32 [100000,2] last axis 1,1 reflect", 0, 4000}, /* pairs */
    {"u8 [1,224,224,3] channels 3 -> 4", 1, 32},       /* bytes */
    {"f32 [1,64,56,56] interior 1, H,W 1", 1, 4},      /* gaps */
    {"f32 [1,480000] 200,200 reflect", NO_AXIS, 0},    /* one long row */
    {"f32 [64,64,64] 2 all round reflect", 0, 8},      /* rows repeated on outer axes */
    {"u8 [1080,1920,3] crop to 1024x960", NO_AXIS, 0}, /* rows of a larger input */
    {"f16 [1,64,112,112] H,W 1 constant", 1, 8},       /* elements of two bytes */
};
enum { FORMS = sizeof forms / sizeof forms[0] };
static const char small_name[] = "f32 [2,3] 1 all round, plan and run";

/* Not static, so that it keeps its name; never inlined. What is counted is one call. */
void counted(tpad_plan *plan, const tpad_problem *replan, const void *src, void *dst);

__attribute__((noinline)) void counted(tpad_plan *plan, const tpad_problem *replan, const void *src,
                                       void *dst)
{
    if (replan) tpad_plan_init(plan, sizeof *plan, replan, NULL);
    tpad_run(plan, src, dst, NULL);
}

/* The form of that number; its name with what was cut. NULL: there is none. */
static const workload *form_at(int number, workload *form, char *name, size_t bytes)
{
    if (number == FORMS) {
        *form =
            (workload){.elem_bits = 32, .rank = 2, .shape = {2, 3}, .begin = {1, 1}, .end = {1, 1}};
        snprintf(name, bytes, "%s", small_name);
        return form;
    }
    const workload *w = NULL;
    for (int i = 0; number >= 0 && number < FORMS && (w = workload_at(i)) != NULL; i++)
        if (strcmp(w->name, forms[number].name) == 0) break;
    if (w == NULL) return NULL;
    *form = *w;
    snprintf(name, bytes, "%s", w->name);
    const int axis = forms[number].axis;
    if (axis == NO_AXIS) return form;
    form->shape[axis] = forms[number].extent;
    snprintf(name, bytes, "%s; axis %d: %lld", w->name, axis, (long long)forms[number].extent);
    return form;
}

int main(int argc, char **argv)
{
    workload form;
    char name[128], kernels[256];
    const int number = argc == 2 ? atoi(argv[1]) : -1;
    if (!form_at(number, &form, name, sizeof name)) return 3;

    tpad_axis axes[WORKLOAD_RANK];
    const tpad_problem problem = workload_problem(&form, axes);
    tpad_plan plan;
    tpad_index out_bytes;
    if (tpad_shape(&problem, NULL, NULL, &out_bytes, NULL) != TPAD_OK ||
        tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK)
        return 4;
    const size_t in_room = ((size_t)workload_in_bytes(&form) / ALIGNMENT + 1) * ALIGNMENT;
    const size_t out_room = ((size_t)out_bytes / ALIGNMENT + 1) * ALIGNMENT;
    void *src = aligned_alloc(ALIGNMENT, in_room), *dst = aligned_alloc(ALIGNMENT, out_room);
    if (!src || !dst) return 1;
    memset(src, 1, in_room);

    /* The first run binds the C library's functions, which is no work of ours. */
    tpad_run(&plan, src, dst, NULL);
    counted(&plan, number == FORMS ? &problem : NULL, src, dst);

    workload_kernels(&plan, kernels, sizeof kernels);
    printf("%s\n%s\n%s\n", name, kernels, __VERSION__);
    free(src);
    free(dst);
    return 0;
}
