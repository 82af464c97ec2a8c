/* Rewrites the text of an IR.  SPDX-License-Identifier: MIT
 *
 * Replaces some texts of the .xml and copies everything else as it is. */
#include <stdlib.h>
#include <string.h>

#include "ir_writing.h"

void tpad_ir_put(ir_writing *w, ir_span span, const char *text)
{
    ir_edit *edit = tpad_arena_take(&w->arena, 1, sizeof *edit);
    if (!edit) return;
    *edit = (ir_edit){.span = span, .order = w->edit_count++, .text = text};
    *w->last_edit = edit;
    w->last_edit = &edit->next;
}

static int32_t is_blank(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* The beginning of the blanks before this place. */
static int64_t blanks_before(const tpad_model *model, int64_t at)
{
    while (at > 0 && is_blank(model->bytes.data[at - 1])) at--;
    return at;
}

const char *tpad_ir_gap(ir_writing *w, int64_t at)
{
    const int64_t begin = blanks_before(w->model, at);
    const char *text = (const char *)w->model->bytes.data + begin;
    const char *gap = tpad_arena_text(&w->arena, (tpad_string){text, at - begin});
    return gap ? gap : "";
}

void tpad_ir_drop(ir_writing *w, ir_span span)
{
    if (!span.end) return;
    span.begin = blanks_before(w->model, span.begin);
    tpad_ir_put(w, span, "");
}

/* The parser accepted the tag, so every attribute has quotes. */
ir_span tpad_ir_attribute_span(const ir_writing *w, ir_span tag, const char *name)
{
    const unsigned char *text = w->model->bytes.data;
    const int64_t length = (int64_t)strlen(name);
    int64_t at = tag.begin;
    while (at < tag.end && !is_blank(text[at])) at++; /* "<layer" */
    while (at < tag.end) {
        while (is_blank(text[at])) at++;
        const int64_t begin = at;
        while (at < tag.end && text[at] != '"' && text[at] != '\'') at++;
        if (at == tag.end) break;
        const unsigned char quote = text[at];
        ir_span value = {at + 1, at + 1};
        while (value.end < tag.end && text[value.end] != quote) value.end++;
        if (memcmp(text + begin, name, (size_t)length) == 0 &&
            (is_blank(text[begin + length]) || text[begin + length] == '='))
            return value;
        at = value.end + 1;
    }
    return (ir_span){0, 0};
}

/* In the order of the file; insertions come before a replacement at the same place. */
static int compare_edits(const void *a, const void *b)
{
    const ir_edit *first = *(ir_edit *const *)a, *second = *(ir_edit *const *)b;
    const int64_t differences[] = {first->span.begin - second->span.begin,
                                   first->span.end - second->span.end,
                                   first->order - second->order};
    for (int i = 0; i < 2; i++)
        if (differences[i]) return differences[i] < 0 ? -1 : 1;
    return differences[2] < 0 ? -1 : 1;
}

int32_t tpad_ir_write_text(ir_writing *w, tpad_output *output, tpad_io_error *error)
{
    const unsigned char *bytes = w->model->bytes.data;
    ir_edit **sorted = tpad_arena_take(&w->arena, w->edit_count, sizeof(ir_edit *));
    int64_t at = 0, count = 0;
    int32_t status = TPAD_OK;
    if (w->arena.failed)
        return tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", w->model->path);
    for (ir_edit *edit = w->edits; edit; edit = edit->next) sorted[count++] = edit;
    qsort(sorted, (size_t)count, sizeof(ir_edit *), compare_edits);
    for (int64_t i = 0; i < count && !status; i++) {
        const ir_edit *edit = sorted[i];
        status = tpad_output_write(output, bytes + at, edit->span.begin - at, error);
        if (!status)
            status = tpad_output_write(output, edit->text, (int64_t)strlen(edit->text), error);
        at = edit->span.end;
    }
    return status ? status
                  : tpad_output_write(output, bytes + at, w->model->bytes.count - at, error);
}

/* Constants appended to a .bin: numbers in little-endian order, strings preceded by their ends. */

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

/* Writes the count of the strings, 0, the end of each one, and their text. */
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
        constant->type == TPAD_ONNX_STRING; /* has bytes even without elements */
    if (count || is_string) w->bin_end = (w->bin_end + IR_ALIGN - 1) / IR_ALIGN * IR_ALIGN;
    *offset = w->bin_end;
    if (is_string)
        add_strings(w, constant->data, count);
    else if (count)
        add_numbers(w, &like, constant->data, count, size);
    *bytes = w->bin_end - *offset;
}
