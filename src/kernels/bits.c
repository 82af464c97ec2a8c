/* Packed cells in plain C: bit strings that begin and end anywhere. SPDX-License-Identifier: MIT
 *
 * A destination byte is either written whole, or read and written back with only its own bits
 * changed. A source byte is read only if one of the wanted bits lies in it. */
#include "kernels.h"

#include "../core/port.h"

/* The byte that holds a bit, also for negative bit numbers. */
static int64_t byte_of(int64_t bit)
{
    return (bit - (bit & 7)) / 8;
}

/* Bits [from, to) of a byte, counted from the end that is first. */
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

/* Cells that lie together become one wide cell. */
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
