/* Kernels in plain C: the reference for every other variant, and fast on long rows.
 * SPDX-License-Identifier: MIT
 *
 * The usual widths (1, 2, 4, 8, 16, and pixels of three values) are moved as such, which compilers
 * turn into one or two moves at any alignment; every other width goes through memcpy. */
#include "kernels.h"
#include "words.h"

#include "../core/port.h"

typedef struct vec3 {
    uint8_t part[3];
} vec3;

typedef struct vec6 {
    uint16_t part[3];
} vec6;

typedef struct vec12 {
    uint32_t part[3];
} vec12;

typedef struct vec16 {
    uint64_t part[2];
} vec16;

/* One loop nest for each width: TYPE is moved through a local, so nothing is assumed of alignment.
 */
#define MOVE_CELLS(TYPE)                                                                           \
    for (int64_t r = 0; r < b->rows; r++) {                                                        \
        unsigned char *dst = b->dst + r * b->dst_row;                                              \
        const unsigned char *src = b->src + r * b->src_row;                                        \
        for (int64_t c = 0; c < b->cells; c++) {                                                   \
            TYPE cell;                                                                             \
            tpad_memcpy(&cell, src + c * b->src_step, sizeof cell);                                \
            tpad_memcpy(dst + c * b->dst_step, &cell, sizeof cell);                                \
        }                                                                                          \
    }                                                                                              \
    break

static void move_cells(const tpad_block *b)
{
    switch (b->cell) {
    case 1:
        MOVE_CELLS(uint8_t);
    case 2:
        MOVE_CELLS(uint16_t);
    case 3:
        MOVE_CELLS(vec3);
    case 4:
        MOVE_CELLS(uint32_t);
    case 6:
        MOVE_CELLS(vec6);
    case 8:
        MOVE_CELLS(uint64_t);
    case 12:
        MOVE_CELLS(vec12);
    case 16:
        MOVE_CELLS(vec16);
    default:
        for (int64_t r = 0; r < b->rows; r++)
            for (int64_t c = 0; c < b->cells; c++)
                tpad_memcpy(b->dst + r * b->dst_row + c * b->dst_step,
                            b->src + r * b->src_row + c * b->src_step, (size_t)b->cell);
    }
}

/* Reversed rows, with the steps known to the compiler, which then uses its vectors. */
#define REVERSE_CELLS(TYPE)                                                                        \
    for (int64_t r = 0; r < b->rows; r++) {                                                        \
        unsigned char *dst = b->dst + r * b->dst_row;                                              \
        const unsigned char *src =                                                                 \
            b->src + r * b->src_row - (b->cells - 1) * (int64_t)sizeof(TYPE);                      \
        for (int64_t c = 0; c < b->cells; c++) {                                                   \
            TYPE cell;                                                                             \
            tpad_memcpy(&cell, src + (b->cells - 1 - c) * (int64_t)sizeof(TYPE), sizeof cell);     \
            tpad_memcpy(dst + c * (int64_t)sizeof(TYPE), &cell, sizeof cell);                      \
        }                                                                                          \
    }                                                                                              \
    break

static void reverse_cells(const tpad_block *b)
{
    switch (b->cell) {
    case 1:
        REVERSE_CELLS(uint8_t);
    case 2:
        REVERSE_CELLS(uint16_t);
    case 4:
        REVERSE_CELLS(uint32_t);
    case 8:
        REVERSE_CELLS(uint64_t);
    default:
        move_cells(b);
    }
}

/* Rows and cells change places where that makes the inner loop the longer one. */
static tpad_block transposed(const tpad_block *b)
{
    tpad_block t = *b;
    t.rows = b->cells;
    t.cells = b->rows;
    t.dst_row = b->dst_step;
    t.dst_step = b->dst_row;
    t.src_row = b->src_step;
    t.src_step = b->src_row;
    return t;
}

/* The next plane of a block. */
static void go_on(tpad_block *plane)
{
    plane->dst += plane->dst_plane;
    plane->src += plane->src_plane;
}

static void copy_plane(tpad_block b)
{
    if (b.dst_step == b.cell && b.src_step == b.cell) {
        /* Whole rows as one cell each; rows that follow each other as one row. */
        b.cell *= b.cells;
        b.cells = 1;
        if (b.dst_row == b.cell && b.src_row == b.cell) {
            b.cell *= b.rows;
            b.rows = 1;
        }
        b = transposed(&b);
    } else if (b.dst_step == b.cell && b.src_step == -b.cell && b.cells >= 4) {
        reverse_cells(&b);
        return;
    } else if (b.dst_step == b.cell && b.src_step == 0 && b.cells >= 4 && b.cell <= 16) {
        tpad_block row = b;
        row.planes = row.rows = 1;
        row.value_size = (int32_t)b.cell;
        for (int64_t r = 0; r < b.rows; r++) {
            row.dst = b.dst + r * b.dst_row;
            row.value = b.src + r * b.src_row;
            tpad_fill_plain(&row);
        }
        return;
    } else if (b.cells < b.rows) {
        b = transposed(&b);
    }
    move_cells(&b);
}

void tpad_copy_plain(const tpad_block *block)
{
    tpad_block plane = *block;
    for (int64_t p = 0; p < block->planes; p++, go_on(&plane)) copy_plane(plane);
}

#define FILL_WORDS(TYPE)                                                                           \
    do {                                                                                           \
        TYPE word;                                                                                 \
        tpad_memcpy(&word, value, sizeof word);                                                    \
        for (int64_t i = 0; i < bytes; i += (int64_t)sizeof word)                                  \
            tpad_memcpy(dst + i, &word, sizeof word);                                              \
    } while (0)

/* `bytes` bytes of the value over and over, a whole number of times. */
static void fill_span(unsigned char *dst, int64_t bytes, const unsigned char *value, int32_t size)
{
    switch (size) {
    case 1:
        tpad_memset(dst, value[0], (size_t)bytes);
        break;
    case 2:
        FILL_WORDS(uint16_t);
        break;
    case 4:
        FILL_WORDS(uint32_t);
        break;
    case 8:
        FILL_WORDS(uint64_t);
        break;
    case 16:
        FILL_WORDS(vec16);
        break;
    default:
        for (int64_t i = 0; i < bytes; i += size) tpad_memcpy(dst + i, value, (size_t)size);
    }
}

static void fill_plane(tpad_block b)
{
    if (b.dst_step == b.cell) {
        b.cell *= b.cells;
        b.cells = 1;
        if (b.dst_row == b.cell) {
            b.cell *= b.rows;
            b.rows = 1;
        }
    }
    /* Short cells are made once and then stored as a whole, like a copy that stands still. */
    unsigned char cell[16];
    if (b.cell <= (int64_t)sizeof cell) {
        fill_span(cell, b.cell, b.value, b.value_size);
        b.src = cell;
        b.src_row = b.src_step = 0;
        if (b.cells < b.rows) b = transposed(&b);
        move_cells(&b);
        return;
    }
    for (int64_t r = 0; r < b.rows; r++)
        for (int64_t c = 0; c < b.cells; c++)
            fill_span(b.dst + r * b.dst_row + c * b.dst_step, b.cell, b.value, b.value_size);
}

void tpad_fill_plain(const tpad_block *block)
{
    tpad_block plane = *block;
    for (int64_t p = 0; p < block->planes; p++, plane.dst += plane.dst_plane) fill_plane(plane);
}

static int always(void)
{
    return 1;
}

TPAD_INTERNAL_DEF const tpad_kernels tpad_kernels_plain = {.name = "plain",
                                                           .usable = always,
                                                           .copy = tpad_copy_plain,
                                                           .fill = tpad_fill_plain,
                                                           .copy_bits = tpad_copy_bits_plain,
                                                           .fill_bits = tpad_fill_bits_plain,
                                                           .words = tpad_run_words};
