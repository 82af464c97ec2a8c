/* Helpers for all specifications: errors, names, callers' structs, results.
 * SPDX-License-Identifier: MIT
 *
 * Uses only the core's public headers. */
#ifndef TENSORPAD_SPECS_SPEC_COMMON_H
#define TENSORPAD_SPECS_SPEC_COMMON_H

#include <tensorpad/dialect.h>

/* The size of a struct up to and including the field `last`, without padding after it. */
#define DIALECT_BYTES_UP_TO(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

/* Reports an error that does not concern one axis. */
static inline int32_t dialect_refuse(tpad_error *error, int32_t code, int64_t got, int64_t limit,
                                     const char *name, const char *text)
{
    if (error) *error = (tpad_error){code, -1, got, limit, 0, 0, name, text};
    return code;
}

/* Reports an error about axis i, with both of its amounts. */
static inline int32_t dialect_refuse_axis(tpad_error *error, int32_t code, int32_t i,
                                          const tpad_axis *axis, int64_t got, int64_t limit,
                                          const char *name, const char *text)
{
    if (error) *error = (tpad_error){code, i, got, limit, axis->before, axis->after, name, text};
    return code;
}

static inline int dialect_same_word(const char *a, const char *b)
{
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

static inline void dialect_copy_bytes(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}

/* Copies a caller's struct of arguments, which begins with its size. An older version's struct is
 * shorter (but at least `least` bytes, its size in 0.2): fields that it lacks become 0. to: `bytes`
 * bytes, zeroed. name: the name of the struct, for errors. */
static inline int32_t dialect_read(void *to, size_t bytes, size_t least, const void *from,
                                   const char *name, tpad_error *error)
{
    if (!from)
        return dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, name, "%n: the arguments are missing");
    const size_t given = *(const size_t *)from;
    if (given < least || given > bytes)
        return dialect_refuse(
            error, TPAD_E_ARGUMENT, (int64_t)given, (int64_t)bytes, name,
            given < least ? "%n: struct_size is %g, not %l: set it to sizeof(%n)"
                          : "%n: struct_size is %g, but this tensorpad knows %l: the header "
                            "is newer than the library");
    dialect_copy_bytes(to, from, given);
    return TPAD_OK;
}

/* Refuses unknown bits of `flags`, and a nonzero `reserved`: later versions may use both. */
static inline int32_t dialect_check_flags(int32_t flags, int32_t known, int32_t reserved,
                                          tpad_error *error)
{
    if ((flags & ~known) != 0)
        return dialect_refuse(error, TPAD_E_ARGUMENT, flags, known, NULL,
                              "flags %g: only those of %l are known");
    if (reserved != 0)
        return dialect_refuse(error, TPAD_E_ARGUMENT, reserved, 0, NULL, "reserved is %g, not %l");
    return TPAD_OK;
}

/* The width of a string's handle in bits. string_bytes: as the caller gave it, 0 for a pointer. */
static inline int32_t dialect_handle_bits(int32_t *bits, int32_t string_bytes, tpad_error *error)
{
    const int32_t most = TPAD_MAX_ELEM_BITS / 8;
    if (string_bytes < 0 || string_bytes > most)
        return dialect_refuse(error, TPAD_E_ELEM, string_bytes, most, "string_bytes",
                              "%n: %g is not between 0 and %l");
    *bits = 8 * (string_bytes ? string_bytes : (int32_t)sizeof(void *));
    return TPAD_OK;
}

/* Checks that the caller's memory can hold the translated problem. */
static inline int32_t dialect_check_out(const tpad_translation *out, size_t out_bytes,
                                        tpad_error *error)
{
    if (!out)
        return dialect_refuse(error, TPAD_E_ARGUMENT, 0, 0, "tpad_translation",
                              "%n: the memory for the result is missing");
    if (out_bytes < sizeof *out)
        return dialect_refuse(error, TPAD_E_ARGUMENT, (int64_t)out_bytes, (int64_t)sizeof *out,
                              "tpad_translation", "%n: out_bytes is %g, but %l are needed");
    return TPAD_OK;
}

/* Checks that the output of a translation can exist. out_extents: room for its shape, or NULL. */
static inline int32_t dialect_shape(const tpad_translation *pad, int64_t *out_extents,
                                    int64_t *bytes, tpad_error *error)
{
    const tpad_problem problem = tpad_translation_problem(pad);
    return tpad_shape(&problem, out_extents, NULL, bytes, error);
}

/* Writes a checked translation to the caller's memory, and zeroes the rest of a longer struct (of a
 * later version). The caller's pad value is copied if it fits. */
static inline void dialect_deliver(tpad_translation *out, size_t out_bytes,
                                   const tpad_translation *result)
{
    const size_t bytes = ((size_t)result->elem_bits + 7) / 8;
    *out = *result;
    for (size_t i = sizeof *out; i < out_bytes; i++) ((unsigned char *)out)[i] = 0;
    if (!result->value || bytes > sizeof out->fill) return;
    dialect_copy_bytes(out->fill, result->value, bytes);
    out->fill_bytes = (int32_t)bytes;
    out->value = NULL;
}

#endif
