/* The dictionary in the header of an .npy file.  SPDX-License-Identifier: MIT
 *
 * Owns the grammar: the small part of Python's literals that NumPy writes there. It accepts any
 * order of keys, blanks, trailing commas, both quotes and the L of old Pythons, and it evaluates
 * nothing. Knows no file: a text goes in, a layout comes out.
 */
#include "npy_header.h"

#include <string.h>

enum { MAX_NESTING = 32, SHOWN = 40 };

typedef struct reader {
    const char *at;
    const char *path;
    tpad_io_error *error;
} reader;

static int32_t broken(reader *r, const char *expected)
{
    if (*r->at == '\0')
        return tpad_io_fail(r->error, TPAD_E_FILE, "%s: the .npy header ends where %s should be",
                            r->path, expected);
    return tpad_io_fail(r->error, TPAD_E_FILE,
                        "%s: the .npy header has \"%.*s\" where %s should be", r->path, (int)SHOWN,
                        r->at, expected);
}

static void skip_blanks(reader *r)
{
    r->at += strspn(r->at, " \t\r\n\f\v");
}

/* Takes one punctuation character, with the blanks before it. */
static int take(reader *r, char wanted)
{
    skip_blanks(r);
    if (*r->at != wanted) return 0;
    r->at++;
    return 1;
}

typedef struct span {
    const char *text;
    size_t length;
} span;

static int32_t take_string(reader *r, span *out, const char *expected)
{
    skip_blanks(r);
    char quote = *r->at;
    if (quote != '\'' && quote != '"') return broken(r, expected);
    const char *end = r->at + 1;
    while (*end != quote && *end != '\0') {
        if (*end == '\\' && end[1] != '\0') end++;
        end++;
    }
    if (*end == '\0') return broken(r, "the end of a string");
    *out = (span){r->at + 1, (size_t)(end - r->at - 1)};
    r->at = end + 1;
    return TPAD_OK;
}

static int span_is(span s, const char *word)
{
    return s.length == strlen(word) && memcmp(s.text, word, s.length) == 0;
}

static int32_t take_bool(reader *r, int32_t *out)
{
    skip_blanks(r);
    if (strncmp(r->at, "True", 4) == 0)
        *out = 1, r->at += 4;
    else if (strncmp(r->at, "False", 5) == 0)
        *out = 0, r->at += 5;
    else
        return broken(r, "True or False");
    return TPAD_OK;
}

static int32_t take_extent(reader *r, int64_t *out)
{
    skip_blanks(r);
    const char *start = r->at;
    if (*start == '-')
        return tpad_io_fail(r->error, TPAD_E_FILE,
                            "%s: negative extent \"%.*s\" in the .npy header", r->path,
                            (int)(1 + strspn(start + 1, "0123456789")), start);
    if (*start < '0' || *start > '9') return broken(r, "an extent");
    *out = 0;
    for (; *r->at >= '0' && *r->at <= '9'; r->at++)
        if (__builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, *r->at - '0', out))
            return tpad_io_fail(r->error, TPAD_E_FILE,
                                "%s: extent %.*s in the .npy header is beyond the limit of %lld",
                                r->path, (int)strspn(start, "0123456789"), start,
                                (long long)TPAD_MAX_EXTENT);
    if (*r->at == 'L') r->at++;
    return TPAD_OK;
}

/* "(2, 3)", each extent handed to `add`. */
static int32_t take_tuple(reader *r, int32_t (*add)(reader *, void *, int64_t), void *context)
{
    if (!take(r, '(')) return broken(r, "a tuple of extents");
    while (!take(r, ')')) {
        int64_t extent;
        int32_t status = take_extent(r, &extent);
        if (!status) status = add(r, context, extent);
        if (status) return status;
        if (!take(r, ',')) {
            if (!take(r, ')')) return broken(r, "a comma or )");
            break;
        }
    }
    return TPAD_OK;
}

static int32_t add_axis(reader *r, void *context, int64_t extent)
{
    tpad_npy_layout *layout = context;
    if (layout->rank == TPAD_MAX_RANK)
        return tpad_io_fail(r->error, TPAD_E_RANK, "%s: has more than %d axes, which is the limit",
                            r->path, TPAD_MAX_RANK);
    layout->shape[layout->rank++] = extent;
    return TPAD_OK;
}

static int32_t too_wide(reader *r)
{
    return tpad_io_fail(r->error, TPAD_E_FILE_TYPE,
                        "%s: its elements are wider than the limit of %d bytes", r->path,
                        TPAD_MAX_ELEM_BITS / 8);
}

/* Limits sizes at every step, so that no sum or product of them can overflow. */
static int32_t multiply_bytes(reader *r, void *context, int64_t extent)
{
    int64_t *bytes = context;
    if (*bytes != 0 && extent > TPAD_MAX_ELEM_BITS / 8 / *bytes) return too_wide(r);
    *bytes *= extent;
    return TPAD_OK;
}

static int32_t take_kind(reader *r, tpad_npy_kind *kind, span *spelling)
{
    char descr[64];
    int32_t status = take_string(r, spelling, "an element type");
    if (status) return status;
    span s = *spelling;
    int shown = s.length < SHOWN ? (int)s.length : SHOWN;
    int known = s.length < sizeof descr;
    if (known) {
        memcpy(descr, s.text, s.length);
        descr[s.length] = '\0';
        known = tpad_npy_kind_parse(kind, descr);
    }
    if (!known)
        return tpad_io_fail(r->error, TPAD_E_FILE,
                            "%s: unknown element type \"%.*s\" in the .npy "
                            "header",
                            r->path, shown, s.text);
    if (kind->letter == 'O')
        return tpad_io_fail(r->error, TPAD_E_FILE_TYPE,
                            "%s: holds Python objects (dtype object), which only Python can read; "
                            "save it with a numeric or fixed-width dtype",
                            r->path);
    if (kind->size > TPAD_MAX_ELEM_BITS / 8) return too_wide(r);
    return TPAD_OK;
}

/* The name of a field, or ('title', 'name'). */
static int32_t skip_name(reader *r)
{
    span s;
    if (!take(r, '(')) return take_string(r, &s, "the name of a field");
    int32_t status = take_string(r, &s, "the title of a field");
    if (!status && !take(r, ',')) status = broken(r, "a comma");
    if (!status) status = take_string(r, &s, "the name of a field");
    if (status) return status;
    take(r, ',');
    return take(r, ')') ? TPAD_OK : broken(r, ")");
}

static int32_t take_record(reader *r, int64_t *bytes, int32_t nesting);

/* ('name', '<f4'), ('name', '<f4', (2, 3)) or ('name', [...]). */
static int32_t take_field(reader *r, int64_t *bytes, int32_t nesting)
{
    if (!take(r, '(')) return broken(r, "a field of the record type");
    int32_t status = skip_name(r);
    if (status) return status;
    if (!take(r, ',')) return broken(r, "a comma");
    skip_blanks(r);
    if (*r->at == '[')
        status = take_record(r, bytes, nesting + 1);
    else {
        tpad_npy_kind kind;
        span spelling;
        status = take_kind(r, &kind, &spelling);
        if (!status) *bytes = kind.size;
    }
    if (status) return status;
    if (take(r, ',')) {
        skip_blanks(r);
        if (*r->at == '(')
            status = take_tuple(r, multiply_bytes, bytes);
        else if (*r->at != ')') {
            int64_t extent;
            status = take_extent(r, &extent);
            if (!status) status = multiply_bytes(r, bytes, extent);
        }
        if (status) return status;
        take(r, ',');
    }
    return take(r, ')') ? TPAD_OK : broken(r, ")");
}

static int32_t take_record(reader *r, int64_t *bytes, int32_t nesting)
{
    if (nesting > MAX_NESTING)
        return tpad_io_fail(r->error, TPAD_E_FILE,
                            "%s: record types nested more than %d deep in the .npy header", r->path,
                            (int)MAX_NESTING);
    if (!take(r, '[')) return broken(r, "a record type");
    *bytes = 0;
    while (!take(r, ']')) {
        int64_t field = 0;
        int32_t status = take_field(r, &field, nesting);
        if (status) return status;
        *bytes += field;
        if (*bytes > TPAD_MAX_ELEM_BITS / 8) return too_wide(r);
        if (!take(r, ',')) {
            if (!take(r, ']')) return broken(r, "a comma or ]");
            break;
        }
    }
    return TPAD_OK;
}

static int32_t take_descr(reader *r, tpad_npy_layout *layout)
{
    int32_t status;
    span spelling = {0};
    skip_blanks(r);
    layout->is_record = *r->at == '[';
    if (layout->is_record) {
        spelling.text = r->at;
        status = take_record(r, &layout->elem_bytes, 1);
        spelling.length = (size_t)(r->at - spelling.text);
    } else {
        status = take_kind(r, &layout->kind, &spelling);
        layout->elem_bytes = layout->kind.size;
    }
    layout->descr = spelling.text;
    layout->descr_length = spelling.length;
    if (!status && layout->elem_bytes == 0)
        status = tpad_io_fail(r->error, TPAD_E_FILE_TYPE,
                              "%s: its elements are 0 bytes wide, so "
                              "there is nothing to pad",
                              r->path);
    return status;
}

int32_t tpad_npy_parse(tpad_npy_layout *layout, const char *text, const char *path,
                       tpad_io_error *error)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    enum { DESCR, ORDER, SHAPE, KEYS };
    reader r = {text, path, error};
    int seen[KEYS] = {0};
    *layout = (tpad_npy_layout){0};
    if (!take(&r, '{')) return broken(&r, "{");
    while (!take(&r, '}')) {
        span key;
        int number = 0;
        int32_t status = take_string(&r, &key, "a key");
        if (status) return status;
        while (number < KEYS && !span_is(key, keys[number])) number++;
        if (number == KEYS || seen[number])
            return tpad_io_fail(error, TPAD_E_FILE, "%s: the .npy header has a%s key \"%.*s\"",
                                path, number == KEYS ? "n unknown" : " second",
                                key.length < SHOWN ? (int)key.length : (int)SHOWN, key.text);
        seen[number] = 1;
        if (!take(&r, ':')) return broken(&r, ":");
        status = number == DESCR   ? take_descr(&r, layout)
                 : number == ORDER ? take_bool(&r, &layout->column_major)
                                   : take_tuple(&r, add_axis, layout);
        if (status) return status;
        if (!take(&r, ',')) {
            if (!take(&r, '}')) return broken(&r, "a comma or }");
            break;
        }
    }
    for (int i = 0; i < KEYS; i++)
        if (!seen[i])
            return tpad_io_fail(error, TPAD_E_FILE, "%s: the .npy header has no \"%s\"", path,
                                keys[i]);
    skip_blanks(&r);
    return *r.at == '\0' ? TPAD_OK : broken(&r, "its end");
}
