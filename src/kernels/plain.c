/* Kernels in plain C: the reference for every other variant, and fast on long rows.
 * SPDX-License-Identifier: MIT
 *
 * The usual widths (1, 2, 4, 8, 16, and pixels of three values) are moved as types of their width,
 * which compilers turn into one or two moves at any alignment; other widths go through memcpy. */
#include "../core/port.h"
#include "kernels.h"
#include "words.h"

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

/* One loop nest for each width: TYPE is moved through a local, so any alignment works. */
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

/* Reversed rows. The compiler knows the steps, so that it vectorises the loop. */
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

/* The block with rows and cells exchanged, to make the inner loop the longer one. */
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

/* Advances to the next plane of a block. */
static void go_on(tpad_block *plane)
{
    plane->dst += plane->dst_plane;
    plane->src += plane->src_plane;
}

static void copy_plane(tpad_block b)
{
    if (b.dst_step == b.cell && b.src_step == b.cell) {
        /* Each row becomes one cell; contiguous rows become one row. */
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

/* Fills `bytes` bytes, a multiple of the value's size, with the value. */
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
    /* Short cells are made once and then stored as a whole, like a copy with steps of 0. */
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

/* Small outputs: copies that are listed by their places. */

/* Copies the stretch `s` of all rows. With a constant number of bytes the compiler uses one or two
 * moves, otherwise a call. */
#define COPY_ROWS(BYTES)                                                                           \
    for (const tpad_place *r = rows; r < rows + row_count; r++)                                    \
        tpad_memcpy(dst + r->dst + s->at.dst,                                                      \
                    (const void *)(src + (uintptr_t)((int64_t)r->src + s->at.src)), BYTES);        \
    break

void tpad_copy_cells(unsigned char *dst, uintptr_t src, const tpad_place *rows, int32_t row_count,
                     const tpad_stretch *stretches, int32_t stretch_count)
{
    for (const tpad_stretch *s = stretches; s < stretches + stretch_count; s++) {
        switch (s->bytes) {
        case 1:
            COPY_ROWS(1);
        case 2:
            COPY_ROWS(2);
        case 3:
            COPY_ROWS(3);
        case 4:
            COPY_ROWS(4);
        case 8:
            COPY_ROWS(8);
        case 12:
            COPY_ROWS(12);
        case 16:
            COPY_ROWS(16);
        case 32:
            COPY_ROWS(32);
        default:
            COPY_ROWS((size_t)s->bytes);
        }
    }
}

/* Packed cells in plain C: bit strings that begin and end anywhere.
 *
 * A destination byte is either written whole, or read and written back with only the cell's bits
 * changed. A source byte is read only if it holds one of the bits to copy. */

/* The byte that holds a bit; the bit may be negative. */
static int64_t byte_of(int64_t bit)
{
    return (bit - (bit & 7)) / 8;
}

/* Bits [from, to) of a byte, counted from its first end. */
static unsigned mask_of(int from, int to, int high_first)
{
    const unsigned low = ((1u << to) - 1u) & ~((1u << from) - 1u);
    return high_first ? ((0xFF00u >> to) & (0xFFu >> from) & 0xFFu) : low;
}

/* The `count` bits (1 to 8) from bit `bit` on, at the first end of a byte. */
static unsigned load_bits(const unsigned char *src, int64_t bit, int count, int high_first)
{
    const unsigned char *at = src + byte_of(bit);
    const int skip = (int)(bit & 7);
    unsigned bits = high_first ? (unsigned)at[0] << skip : (unsigned)at[0] >> skip;
    if (skip + count > 8)
        bits |= high_first ? (unsigned)at[1] >> (8 - skip) : (unsigned)at[1] << (8 - skip);
    return bits & 0xFFu;
}

/* Stores the first `count` bits of `bits` from bit number `skip` of a byte on. */
static void store_bits(unsigned char *at, int skip, int count, unsigned bits, int high_first)
{
    const unsigned mask = mask_of(skip, skip + count, high_first);
    const unsigned moved = high_first ? bits >> skip : bits << skip;
    *at = (unsigned char)((*at & ~mask) | (moved & mask));
}

static void copy_string(unsigned char *dst, int64_t dst_bit, const unsigned char *src,
                        int64_t src_bit, int64_t count, int high_first)
{
    const int skip = (int)(dst_bit & 7);
    if (skip > 0) {
        const int head = count < 8 - skip ? (int)count : 8 - skip;
        store_bits(dst + byte_of(dst_bit), skip, head, load_bits(src, src_bit, head, high_first),
                   high_first);
        dst_bit += head;
        src_bit += head;
        count -= head;
    }
    unsigned char *to = dst + byte_of(dst_bit);
    const int64_t bytes = count / 8;
    const int tail = (int)(count % 8);
    if ((src_bit & 7) == 0 && bytes > 0)
        tpad_memcpy(to, src + byte_of(src_bit), (size_t)bytes);
    else
        for (int64_t i = 0; i < bytes; i++)
            to[i] = (unsigned char)load_bits(src, src_bit + i * 8, 8, high_first);
    if (tail > 0)
        store_bits(to + bytes, 0, tail, load_bits(src, src_bit + bytes * 8, tail, high_first),
                   high_first);
}

static void fill_string(unsigned char *dst, int64_t bit, int64_t count, unsigned value,
                        int high_first)
{
    const int skip = (int)(bit & 7);
    if (skip > 0) {
        const int head = count < 8 - skip ? (int)count : 8 - skip;
        const unsigned mask = mask_of(skip, skip + head, high_first);
        unsigned char *at = dst + byte_of(bit);
        *at = (unsigned char)((*at & ~mask) | (value & mask));
        bit += head;
        count -= head;
    }
    unsigned char *to = dst + byte_of(bit);
    if (count >= 8) tpad_memset(to, (int)value, (size_t)(count / 8));
    if (count % 8 > 0) {
        const unsigned mask = mask_of(0, (int)(count % 8), high_first);
        to[count / 8] = (unsigned char)((to[count / 8] & ~mask) | (value & mask));
    }
}

/* Joins contiguous cells into one wide cell. */
static tpad_block joined(const tpad_block *block, int with_source)
{
    tpad_block b = *block;
    if (b.dst_step == b.cell && (!with_source || b.src_step == b.cell)) {
        b.cell *= b.cells;
        b.cells = 1;
        if (b.dst_row == b.cell && (!with_source || b.src_row == b.cell)) {
            b.cell *= b.rows;
            b.rows = 1;
        }
    }
    return b;
}

void tpad_copy_bits_plain(const tpad_block *block)
{
    tpad_block b = joined(block, 1);
    for (int64_t p = 0; p < b.planes; p++, b.dst_bit += b.dst_plane, b.src_bit += b.src_plane)
        for (int64_t r = 0; r < b.rows; r++)
            for (int64_t c = 0; c < b.cells; c++)
                copy_string(b.dst, b.dst_bit + r * b.dst_row + c * b.dst_step, b.src,
                            b.src_bit + r * b.src_row + c * b.src_step, b.cell, b.high_bits_first);
}

void tpad_fill_bits_plain(const tpad_block *block)
{
    tpad_block b = joined(block, 0);
    for (int64_t p = 0; p < b.planes; p++, b.dst_bit += b.dst_plane)
        for (int64_t r = 0; r < b.rows; r++)
            for (int64_t c = 0; c < b.cells; c++)
                fill_string(b.dst, b.dst_bit + r * b.dst_row + c * b.dst_step, b.cell, b.value[0],
                            b.high_bits_first);
}
