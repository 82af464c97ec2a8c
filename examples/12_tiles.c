/* An output that does not fit into memory, made tile by tile: each tile asks which part of the
 * input it needs, loads just that, and is computed in two small buffers.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <tensorpad/tensorpad.h>

enum { HEIGHT = 40, WIDTH = 60, PAD = 8, TILE = 16 };

/* Stands for slow storage. */
static unsigned char pixel(int64_t y, int64_t x)
{
    return (unsigned char)(y * 5 + x * 3);
}

static unsigned char input[HEIGHT][WIDTH];
static unsigned char whole[HEIGHT + 2 * PAD][WIDTH + 2 * PAD];

int main(void)
{
    tpad_axis axes[2] = {{.in_extent = HEIGHT, .before = PAD, .after = PAD, .mode = TPAD_REFLECT},
                         {.in_extent = WIDTH, .before = PAD, .after = PAD, .mode = TPAD_WRAP}};
    tpad_problem problem = TPAD_PROBLEM_OF(unsigned char, axes);
    tpad_plan plan, tile_plan;
    int64_t shape[2];
    int64_t most = 0, wrong = 0, tiles = 0;
    if (tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK) return 1;
    tpad_plan_shape(&plan, shape);

    /* What the tiles are compared with in the end. */
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) input[y][x] = pixel(y, x);
    tpad_run(&plan, input, whole, NULL);

    for (int64_t y = 0; y < shape[0]; y += TILE) {
        for (int64_t x = 0; x < shape[1]; x += TILE) {
            int64_t first[2] = {y, x}, extents[2], needed_first[2], needed[2];
            extents[0] = shape[0] - y < TILE ? shape[0] - y : TILE;
            extents[1] = shape[1] - x < TILE ? shape[1] - x : TILE;
            tpad_box box = {.struct_size = sizeof box, .first = first, .extents = extents};
            if (tpad_plan_box(&tile_plan, sizeof tile_plan, &plan, &box, NULL) != TPAD_OK) return 1;
            tpad_plan_needs(&tile_plan, needed_first, needed);

            /* A tile across the seam of a wrapped axis needs both ends of it. */
            unsigned char part[HEIGHT][WIDTH], tile[TILE][TILE];
            if (needed[0] * needed[1] > most) most = needed[0] * needed[1];
            for (int64_t i = 0; i < needed[0]; i++)
                for (int64_t j = 0; j < needed[1]; j++)
                    part[i][j] = pixel(needed_first[0] + i, needed_first[1] + j);

            const int64_t part_strides[2] = {WIDTH, 1}, tile_strides[2] = {TILE, 1};
            box.in_first = needed_first;
            box.in_strides = part_strides;
            box.out_strides = tile_strides;
            if (tpad_plan_box(&tile_plan, sizeof tile_plan, &plan, &box, NULL) != TPAD_OK) return 1;
            tpad_run(&tile_plan, part, tile, NULL);
            for (int64_t i = 0; i < extents[0]; i++)
                for (int64_t j = 0; j < extents[1]; j++) wrong += tile[i][j] != whole[y + i][x + j];
            tiles++;
        }
    }
    printf("%d tiles, %d cells differ, at most %d input cells at a time\n", (int)tiles, (int)wrong,
           (int)most);
    return wrong == 0 ? 0 : 1;
}
