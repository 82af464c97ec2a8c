/* Constants that are added to a .bin.  SPDX-License-Identifier: MIT
 *
 * Owns their places and their bytes: numbers in little-endian order, strings with their ends before
 * them. */
#include "ir_writing.h"
#include <string.h>

enum { END_BYTES = 4 };

static void add(ir_writing *w, const void *bytes, int64_t count)
{
    ir_addition *addition = tpad_arena_take(&w->arena, 1, sizeof *addition);
    if (!addition) return;
    *addition = (ir_addition){.offset = w->bin_end, .count = count, .bytes = bytes};
    *w->last_addition = addition;
    w->last_addition = &addition->next;
    w->bin_end += count;
}

static void put_number(unsigned char *bytes, int64_t number)
{
    for (int k = 0; k < END_BYTES; k++) bytes[k] = (unsigned char)(number >> 8 * k);
}

/* Their count, 0, where each one ends, and their text. */
static void add_strings(ir_writing *w, const tpad_string *strings, int64_t count)
{
    int64_t head = END_BYTES * (2 + count), end = 0;
    for (int64_t i = 0; i < count; i++) end += strings[i].length;
    unsigned char *bytes = tpad_arena_take(&w->arena, head + end, 1);
    if (!bytes) return;
    add(w, bytes, head + end);
    put_number(bytes, count);
    end = 0;
    for (int64_t i = 0; i < count; i++) {
        if (strings[i].length)
            memcpy(bytes + head + end, strings[i].text, (size_t)strings[i].length);
        end += strings[i].length;
        put_number(bytes + END_BYTES * (2 + i), end);
    }
}

static void add_numbers(ir_writing *w, const tpad_tensor *like, const void *data, int64_t count,
                        int64_t size)
{
    if (tpad_host_big_endian()) {
        void *copy = tpad_arena_take(&w->arena, size, 1);
        if (!copy) return;
        memcpy(copy, data, (size_t)size);
        tpad_swap_bytes(copy, count, like);
        data = copy;
    }
    add(w, data, size);
}

void tpad_ir_add_elements(ir_writing *w, const tpad_operand *constant, int64_t *offset,
                          int64_t *bytes)
{
    tpad_tensor like;
    int64_t count = 0, size = 0;
    tpad_tensor_describe(&like, constant->type, constant->rank, constant->shape);
    tpad_shape_size("", like.rank, like.shape, like.elem_bits, &count, &size, NULL);
    const int32_t is_string =
        constant->type == TPAD_ONNX_STRING; /* has bytes without elements too */
    if (count || is_string) w->bin_end = (w->bin_end + IR_ALIGN - 1) / IR_ALIGN * IR_ALIGN;
    *offset = w->bin_end;
    if (is_string)
        add_strings(w, constant->data, count);
    else if (count)
        add_numbers(w, &like, constant->data, count, size);
    *bytes = w->bin_end - *offset;
}
