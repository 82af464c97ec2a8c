/* Lists of tokens of different lengths as one array, with its mask. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <tensorpad/fit.h>

static int refused(int64_t list, const tpad_error *error)
{
    char line[200];
    tpad_error_format(error, line, sizeof line);
    fprintf(stderr, "list %d, %s\n", (int)list, line);
    return 1;
}

int main(void)
{
    static const int32_t a[] = {101, 7592, 102}, b[] = {101, 2129, 2024, 2017, 102},
                         c[] = {101, 102};
    static const int64_t lengths[] = {3, 5, 2};
    const tpad_batch_item lists[] = {
        {a, &lengths[0], NULL}, {b, &lengths[1], NULL}, {c, &lengths[2], NULL}};

    /* As long as the longest list, rounded up to a multiple of 4; the lists begin at the left. */
    const tpad_fit_axis request = {.multiple = 4, .align = TPAD_ALIGN_START};
    const tpad_fit fit = TPAD_FIT(1, &request);
    const int32_t padding = -1;
    tpad_batch batch = {.struct_size = sizeof batch,
                        .fit = &fit,
                        .items = lists,
                        .count = 3,
                        .elem_bits = 32,
                        .value = &padding};
    int64_t extent, bytes, list;
    tpad_error error;
    if (tpad_batch_shape(&batch, &extent, &bytes, &list, &error) != TPAD_OK)
        return refused(list, &error);

    const int64_t cells = batch.count * extent;
    int32_t *array = malloc((size_t)bytes);
    unsigned char *mask = malloc((size_t)cells); /* 1 where a token lies */
    if (!array || !mask) return 1;
    batch.dst = array;
    batch.mask = mask;
    if (tpad_batch_run(&batch, NULL, &list, &error) != TPAD_OK) return refused(list, &error);
    for (int64_t i = 0; i < cells; i++)
        printf("%d/%d%s", (int)array[i], mask[i], (i + 1) % extent == 0 ? "\n" : " ");
    free(array);
    free(mask);
    return 0;
}
