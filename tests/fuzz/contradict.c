/* What files that contradict themselves are made of.  SPDX-License-Identifier: MIT
 * See contradict.h. */
#include "contradict.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Drawing --------------------------------------------------------------------------------- */

uint32_t pick(maker *m, uint32_t count)
{
    m->random = m->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(m->random >> 33) % count;
}

int rarely(maker *m, uint32_t count)
{
    return pick(m, count) == 0;
}

const char *pick_text(maker *m, const char *const *texts)
{
    uint32_t count = 0;
    while (texts[count]) count++;
    return texts[pick(m, count)];
}

int64_t pick_number(maker *m)
{
    static const int64_t ends[] = {INT64_MIN, INT64_MAX, INT32_MAX, INT32_MIN};
    static const int64_t small[] = {0, 0, 0, 1, 1, 2, 3, -1, -2};
    return rarely(m, 4) ? ends[pick(m, sizeof ends / sizeof *ends)]
                        : small[pick(m, sizeof small / sizeof *small)];
}

#define HUGE 1024, 1024, 1024, 1024, 1024, 1024, 1024

const shape *pick_shape(maker *m)
{
    static const shape shapes[] = {
        {0, {0}},       {1, {1}},       {1, {2}},
        {1, {3}},       {1, {4}},       {1, {5}},
        {1, {0}},       {2, {1, 4}},    {2, {2, 2}},
        {3, {2, 1, 0}}, {1, {60}},      {1, {1000}},
        {2, {60, 2}},   {2, {1, 0}},    {2, {INT32_MAX, 0}},
        {8, {0, HUGE}}, {8, {HUGE, 0}}, {2, {INT64_MAX, 2}},
        {1, {-1}},      {2, {-1, 3}},   {-1, {0}},
    };
    return &shapes[pick(m, sizeof shapes / sizeof *shapes)];
}

/* The number of elements; -1 if it is unknown or more than MOST_CELLS. */
static int64_t count_cells(const shape *s)
{
    int64_t count = 1;
    for (int i = 0; i < s->rank; i++)
        if (s->extents[i] == 0) return 0;
    for (int i = 0; i < s->rank; i++) {
        if (s->extents[i] < 0 || s->extents[i] > MOST_CELLS) return -1;
        count *= s->extents[i];
    }
    return s->rank < 0 || count > MOST_CELLS ? -1 : count;
}

const shape *pick_held_shape(maker *m, int64_t *count)
{
    const shape *s = pick_shape(m);
    while (count_cells(s) < 0 && !rarely(m, 60)) s = pick_shape(m);
    *count = count_cells(s);
    if (*count < 0 || rarely(m, 60)) *count = (int64_t)pick(m, MOST_CELLS);
    return s;
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

void put_bytes(maker *m, const void *bytes, size_t count)
{
    m->full |= count > m->room - m->used;
    if (m->full || count == 0) return;
    memcpy(m->bytes + m->used, bytes, count);
    m->used += count;
}

void put_print(maker *m, const char *format, ...)
{
    char text[600];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    put_bytes(m, text, (size_t)length);
}

/* ---- Protobuf -------------------------------------------------------------------------------- */

static void put_varint(maker *m, uint64_t number)
{
    do {
        const uint8_t byte = (uint8_t)((number & 0x7F) | (number > 0x7F ? 0x80 : 0));
        put_bytes(m, &byte, 1);
        number >>= 7;
    } while (number);
}

void put_number(maker *m, uint32_t field, int64_t number)
{
    put_varint(m, field << 3);
    put_varint(m, (uint64_t)number);
}

void put_text(maker *m, uint32_t field, const char *text)
{
    put_varint(m, field << 3 | 2);
    put_varint(m, strlen(text));
    put_bytes(m, text, strlen(text));
}

size_t put_open(maker *m, uint32_t field)
{
    put_varint(m, field << 3 | 2);
    put_bytes(m, "\x80", 2); /* the length of up to 14 bits, which put_close writes */
    return m->used;
}

void put_close(maker *m, size_t place)
{
    const size_t length = m->used - place;
    m->full |= length >> 14 != 0;
    if (m->full) return;
    m->bytes[place - 2] = (uint8_t)(0x80 | (length & 0x7F));
    m->bytes[place - 1] = (uint8_t)(length >> 7);
}

enum { TENSOR_DIMS = 1, TENSOR_TYPE, TENSOR_INT32S = 5, TENSOR_INT64S = 7, TENSOR_NAME };
enum { TENSOR_RAW = 9, TENSOR_EXTERNAL = 13, TENSOR_LOCATION };

static void put_elements(maker *m, int64_t count, int bytes)
{
    const size_t place = put_open(m, TENSOR_RAW);
    for (int64_t i = 0; i < count; i++) {
        const int64_t number = pick_number(m);
        put_bytes(m, &number, (size_t)bytes);
    }
    put_close(m, place);
}

static void put_external(maker *m)
{
    static const char *const keys[] = {"location", "offset", "length"};
    static const char *const values[] = {"weights.bin", "0", "8", "16", "64", "2147483648", NULL};
    for (int i = 0; i < 3; i++) {
        const size_t place = put_open(m, TENSOR_EXTERNAL);
        put_text(m, 1, keys[i]);
        put_text(m, 2, i ? pick_text(m, values) : values[0]);
        put_close(m, place);
    }
    put_number(m, TENSOR_LOCATION, 1);
}

void put_tensor(maker *m, const char *name)
{
    /* int64, int32, int8, uint8, bool; all of them in raw_data */
    static const int types[] = {7, 7, 7, 7, 6, 3, 2, 9}, bytes[] = {8, 8, 8, 8, 4, 1, 1, 1};
    const uint32_t type = pick(m, sizeof types / sizeof *types);
    int64_t count;
    const shape *s = pick_held_shape(m, &count);
    for (int i = 0; i < s->rank; i++) put_number(m, TENSOR_DIMS, s->extents[i]);
    put_number(m, TENSOR_TYPE, types[type]);
    if (rarely(m, 60)) put_number(m, TENSOR_TYPE, types[pick(m, 8)]);
    if (rarely(m, 60))
        put_external(m);
    else
        put_elements(m, count, bytes[type]);
    if (rarely(m, 60)) put_number(m, rarely(m, 2) ? TENSOR_INT64S : TENSOR_INT32S, pick_number(m));
    if (rarely(m, 60)) put_elements(m, count, bytes[type]);
    put_text(m, TENSOR_NAME, name);
}

void put_list(maker *m, const char *name, int64_t count)
{
    put_number(m, TENSOR_DIMS, count);
    put_number(m, TENSOR_TYPE, 7);
    put_elements(m, count, 8);
    put_text(m, TENSOR_NAME, name);
}

/* A TensorProto whose parts disagree, in targets that have no files of their own. */
__attribute__((weak)) size_t fuzz_contradict(uint8_t *bytes, size_t room, uint32_t number)
{
    maker m = {.bytes = bytes, .room = room, .random = number};
    put_tensor(&m, "x");
    for (int i = 0; i < 2 && rarely(&m, 3); i++) put_tensor(&m, "x"); /* its fields once more */
    return m.full ? 0 : m.used;
}

#ifdef TPAD_LIBFUZZER
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed);

/* Every second change that libFuzzer makes is such a file. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    const size_t made = seed % 2 ? fuzz_contradict(data, most, seed / 2) : 0;
    return made ? made : LLVMFuzzerMutate(data, size, most);
}
#endif
