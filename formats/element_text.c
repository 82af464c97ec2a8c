/* Reads an element from text, and writes one as text. SPDX-License-Identifier: MIT
 *
 * The grammar of values and the limits of every type. Numbers are read in the notation of the C
 * locale and rounded once. */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "file.h"
#include "formats.h"

enum { SHOWN = 200 }; /* bytes of a text that an error repeats */

typedef struct request {
    unsigned char *out;
    const char *text;
    const tpad_tensor *like;
    tpad_io_error *error;
} request;

static int32_t cannot_hold(const request *q, const char *reason)
{
    return tpad_io_fail(q->error, TPAD_E_TEXT, "%s cannot hold %.*s: it %s",
                        tpad_tensor_type_text(q->like), (int)SHOWN, q->text, reason);
}

static int32_t not_a_value(const request *q, const char *spellings)
{
    return tpad_io_fail(q->error, TPAD_E_TEXT, "\"%.*s\" is not a value of %s: write it as %s",
                        (int)SHOWN, q->text, tpad_tensor_type_text(q->like), spellings);
}

/* Stores the low `bytes` bytes of bits in the order of the file. */
static void store(const request *q, size_t offset, uint64_t bits, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++, bits >>= 8)
        q->out[offset + (q->like->big_endian ? bytes - 1 - i : i)] = (unsigned char)bits;
}

/* ---- Floats ---------------------------------------------------------------------------------- */

static const char float_spellings[] = "1.5, -2, 1e-3, 0x1p-3, inf or nan";

/* The length of the number at the beginning of text, 0 if there is none. Blanks and the payload of
 * a NaN, which strtod would accept, are not part of a number here. */
static size_t number_length(const char *text)
{
    static const char *const spellings[] = {"infinity", "inf", "nan"};
    size_t at = *text == '+' || *text == '-';
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (strncasecmp(text + at, spellings[i], strlen(spellings[i])) == 0)
            return at + strlen(spellings[i]);
    int hex = text[at] == '0' && (text[at + 1] == 'x' || text[at + 1] == 'X');
    const char *digits = hex ? "0123456789abcdefABCDEF" : "0123456789";
    if (hex) at += 2;
    size_t whole = strspn(text + at, digits), part = 0;
    at += whole;
    if (text[at] == '.') {
        part = strspn(text + at + 1, digits);
        at += 1 + part;
    }
    if (whole + part == 0) return 0;
    char mark = (char)(text[at] | 0x20);
    if (mark == (hex ? 'p' : 'e')) {
        size_t sign = text[at + 1] == '+' || text[at + 1] == '-';
        size_t exponent = strspn(text + at + 1 + sign, "0123456789");
        if (exponent) at += 1 + sign + exponent;
    }
    return at;
}

/* The number as a double rounded to odd: the exact value, or the neighbour whose last bit is set.
 * Rounding this double to a type with at least two bits less gives the same as rounding the number
 * itself. */
static double read_odd(const char *text)
{
    uint64_t bits;
#if defined(FE_DOWNWARD) && defined(FE_UPWARD)
    int rounding = fegetround();
    fesetround(FE_DOWNWARD);
    double below = strtod(text, NULL);
    fesetround(FE_UPWARD);
    double above = strtod(text, NULL);
    fesetround(rounding);
#else /* WebAssembly, whose long double has twice the digits */
    const long double exact = strtold(text, NULL);
    const double near = (double)exact;
    const double below = near > exact ? nextafter(near, -INFINITY) : near;
    const double above = near < exact ? nextafter(near, INFINITY) : near;
#endif
    memcpy(&bits, &below, sizeof bits);
    return bits & 1 ? below : above;
}

/* For text in which number_length found a number: 1 if it is an infinity, the only one that begins
 * with i. */
static int says_infinity(const char *text)
{
    return (text[*text == '+' || *text == '-'] | 0x20) == 'i';
}

/* A finite number that rounds to infinity. largest: of the type. */
static int32_t too_large(const request *q, long double largest)
{
    char reason[80];
    snprintf(reason, sizeof reason, "holds numbers from -%.8Lg to %.8Lg", largest, largest);
    return cannot_hold(q, reason);
}

/* Stores one real number in the element, `offset` bytes from its beginning. type: of the number, 0
 * for this machine's long double. */
static int32_t store_real(const request *q, size_t offset, int32_t type, const char *text)
{
    if (type == 0) {
        long double value = strtold(text, NULL);
        if (isinf(value) && !says_infinity(text)) return too_large(q, LDBL_MAX);
        /* An x87 number has ten bytes; the rest of the element stays zero. */
        size_t used = LDBL_MANT_DIG == 64 ? 10 : sizeof value;
        unsigned char bytes[sizeof value] = {0};
        memcpy(bytes, &value, used);
        int swap = q->like->big_endian != tpad_host_big_endian();
        for (size_t i = 0; i < sizeof value; i++)
            q->out[offset + i] = bytes[swap ? sizeof value - 1 - i : i];
        return TPAD_OK;
    }
    if (type == TPAD_ONNX_DOUBLE) {
        double value = strtod(text, NULL);
        uint64_t bits;
        if (isinf(value) && !says_infinity(text)) return too_large(q, DBL_MAX);
        memcpy(&bits, &value, sizeof bits);
        store(q, offset, bits, sizeof bits);
        return TPAD_OK;
    }
    uint32_t code;
    const char *reason = tpad_float_encode(&code, type, read_odd(text));
    if (reason) return cannot_hold(q, reason);
    if (isinf(tpad_float_decode(code, type)) && !says_infinity(text)) /* code - 1: the largest */
        return too_large(q, fabs(tpad_float_decode(code - 1, type)));
    store(q, offset, code, ((size_t)tpad_onnx_type_bits(type) + 7) / 8);
    return TPAD_OK;
}

static int32_t parse_real(const request *q, int32_t type)
{
    size_t length = number_length(q->text);
    if (length == 0 || q->text[length] != '\0') return not_a_value(q, float_spellings);
    return store_real(q, 0, type, q->text);
}

/* 1.5, 2j, 1.5-2j, (1.5-2j). part_type: of the two parts, as in store_real. */
static int32_t parse_complex(const request *q, int32_t part_type)
{
    const char *end = q->text + strlen(q->text), *first = q->text, *second = NULL;
    if (end - first >= 2 && *first == '(' && end[-1] == ')') first++, end--;
    size_t length = number_length(first);
    const char *at = first + length;
    if (length > 0 && (*at == '+' || *at == '-')) {
        second = at;
        length = number_length(second);
        at += length;
    }
    int imaginary = at < end && (*at == 'j' || *at == 'J');
    if (length == 0 || at + imaginary != end || (second && !imaginary))
        return not_a_value(q, "1.5, 2j or 1.5-2j, each part as 1.5, 1e-3, 0x1p-3, inf or nan");
    size_t part_bytes = (size_t)q->like->elem_bits / 16;
    const char *real = second || !imaginary ? first : "0";
    int32_t status = store_real(q, 0, part_type, real);
    if (!status && imaginary)
        status = store_real(q, part_bytes, part_type, second ? second : first);
    return status;
}

/* ---- Integers -------------------------------------------------------------------------------- */

enum { NO_INTEGER, FRACTION, TOO_LARGE, INTEGER };

static int read_hex(const char *digits, uint64_t *magnitude)
{
    size_t count = strspn(digits, "0123456789abcdefABCDEF");
    if (count == 0 || digits[count] != '\0') return NO_INTEGER;
    digits += strspn(digits, "0");
    if (strlen(digits) > 16) return TOO_LARGE;
    *magnitude = strtoull(digits, NULL, 16);
    return INTEGER;
}

/* Reads an integer exactly, even if it is written as 1e3 or 2.0. */
static int read_integer(const char *text, int *negative, uint64_t *magnitude)
{
    *negative = *text == '-';
    if (*text == '+' || *text == '-') text++;
    if (text[0] == '0' && (text[1] | 0x20) == 'x') return read_hex(text + 2, magnitude);
    size_t whole = strspn(text, "0123456789");
    int point = text[whole] == '.';
    size_t part = point ? strspn(text + whole + 1, "0123456789") : 0;
    size_t digits = whole + part;
    const char *end = text + digits + point;
    long exponent = 0;
    if ((*end | 0x20) == 'e') {
        char *after;
        size_t sign = end[1] == '+' || end[1] == '-';
        if (strspn(end + 1 + sign, "0123456789") == 0) return NO_INTEGER;
        exponent = strtol(end + 1, &after, 10);
        end = after;
    }
    if (digits == 0 || *end != '\0') return NO_INTEGER;
    /* `units`: how many digits precede the decimal point. Uselessly large exponents are clamped. */
    if (exponent > 1000000000) exponent = 1000000000;
    if (exponent < -1000000000) exponent = -1000000000;
    int64_t units = (int64_t)whole + exponent;
    *magnitude = 0;
    for (size_t i = 0; i < digits; i++) {
        uint64_t digit = (uint64_t)(text[i < whole ? i : i + 1] - '0');
        if ((int64_t)i >= units) {
            if (digit != 0) return FRACTION;
        } else if (__builtin_mul_overflow(*magnitude, 10, magnitude) ||
                   __builtin_add_overflow(*magnitude, digit, magnitude))
            return TOO_LARGE;
    }
    for (int64_t i = (int64_t)digits; i < units && *magnitude != 0; i++)
        if (__builtin_mul_overflow(*magnitude, 10, magnitude)) return TOO_LARGE;
    return INTEGER;
}

/* bits: 2 to 64. */
static int32_t parse_integer(const request *q, int32_t bits, int has_sign)
{
    uint64_t all = UINT64_MAX >> (64 - bits), magnitude = 0;
    uint64_t above = has_sign ? all >> 1 : all, below = has_sign ? above + 1 : 0;
    int negative;
    int kind = read_integer(q->text, &negative, &magnitude);
    size_t length = number_length(q->text);
    int endless = length > 0 && q->text[length] == '\0' && !strpbrk(q->text, "xX"); /* inf, nan */
    if (kind == NO_INTEGER && !endless) return not_a_value(q, "7, -7, 0x1f or 1e3");
    if (kind != INTEGER || magnitude > (negative ? below : above)) {
        char reason[80];
        snprintf(reason, sizeof reason, "holds whole numbers from %s%llu to %llu",
                 has_sign ? "-" : "", (unsigned long long)below, (unsigned long long)above);
        return cannot_hold(q, reason);
    }
    store(q, 0, (negative ? 0 - magnitude : magnitude) & all, ((size_t)bits + 7) / 8);
    return TPAD_OK;
}

static int32_t parse_bool(const request *q)
{
    int yes = strcasecmp(q->text, "true") == 0 || strcmp(q->text, "1") == 0;
    if (!yes && strcasecmp(q->text, "false") != 0 && strcmp(q->text, "0") != 0)
        return not_a_value(q, "true, false, 1 or 0");
    q->out[0] = (unsigned char)yes;
    return TPAD_OK;
}

/* ---- Types that only .npy has ---------------------------------------------------------------- */

static int32_t parse_bytes(const request *q)
{
    size_t length = strlen(q->text), room = (size_t)q->like->elem_bits / 8;
    if (length > room) {
        char reason[80];
        snprintf(reason, sizeof reason, "ends at %zu bytes, these are %zu", room, length);
        return cannot_hold(q, reason);
    }
    memcpy(q->out, q->text, length);
    return TPAD_OK;
}

static int32_t parse_unicode(const request *q)
{
    size_t length = strlen(q->text), room = (size_t)q->like->elem_bits / 8, used = 0;
    for (size_t at = 0; at < length; used += 4) {
        uint32_t code;
        size_t taken = tpad_utf8_next(q->text + at, length - at, &code);
        if (taken == 0) return not_a_value(q, "UTF-8");
        if (used == room) {
            char reason[80];
            snprintf(reason, sizeof reason, "ends at %zu characters", room / 4);
            return cannot_hold(q, reason);
        }
        store(q, used, code, 4);
        at += taken;
    }
    return TPAD_OK;
}

static int32_t parse_date(const request *q)
{
    if (strcasecmp(q->text, "NaT") == 0) {
        store(q, 0, UINT64_C(1) << 63, 8);
        return TPAD_OK;
    }
    return parse_integer(q, 64, 1);
}

static int32_t parse_npy_only(const request *q)
{
    tpad_npy_kind kind = {0};
    int known = q->like->npy_descr && tpad_npy_kind_parse(&kind, q->like->npy_descr);
    size_t bytes = (size_t)q->like->elem_bits / 8;
    switch (known ? kind.letter : 'V') {
    case 'S':
        return parse_bytes(q);
    case 'U':
        return parse_unicode(q);
    case 'M':
    case 'm':
        return parse_date(q);
    case 'f':
        if (bytes == sizeof(long double)) return parse_real(q, 0);
        break;
    case 'c':
        if (bytes == 2 * sizeof(long double)) return parse_complex(q, 0);
        break;
    }
    if (strcmp(q->text, "0") == 0) return TPAD_OK;
    return not_a_value(q, "0, all bits zero: nothing else is known of this type");
}

/* ---- Any type -------------------------------------------------------------------------------- */

int32_t tpad_value_parse(void *value, const char *text, const tpad_tensor *like,
                         tpad_io_error *error)
{
    request q = {value, text, like, error};
    tpad_string string = {text, (int64_t)strlen(text)};
    memset(value, 0, ((size_t)like->elem_bits + 7) / 8);
    switch (like->type) {
    case 0:
        return parse_npy_only(&q);
    case TPAD_ONNX_STRING:
        memcpy(value, &string, sizeof string);
        return TPAD_OK;
    case TPAD_ONNX_BOOL:
        return parse_bool(&q);
    case TPAD_ONNX_COMPLEX64:
        return parse_complex(&q, TPAD_ONNX_FLOAT);
    case TPAD_ONNX_COMPLEX128:
        return parse_complex(&q, TPAD_ONNX_DOUBLE);
    }
    if (tpad_type_is_signed(like->type) || tpad_type_is_unsigned(like->type))
        return parse_integer(&q, like->elem_bits, tpad_type_is_signed(like->type));
    return parse_real(&q, like->type);
}

/* The number of digits that distinguish any two neighbours of a float type. */
static int digits_of(int32_t type)
{
    return type == TPAD_ONNX_FLOAT ? 9 : type == TPAD_ONNX_FLOAT16 ? 5 : 4;
}

static int format_string(char *buffer, size_t bytes, const tpad_string *string)
{
    size_t used = 0, count = (size_t)string->length;
    /* The quotes come before the first and after the last character. */
    for (size_t at = 0, quotes = 0; quotes < 2;) {
        char piece[TPAD_PRINTABLE_BYTES] = "\"";
        if (quotes == 0 || at == count)
            quotes++;
        else if (string->text[at] == '"' || string->text[at] == '\\')
            snprintf(piece, sizeof piece, "\\%c", string->text[at++]);
        else
            at += tpad_printable_next(piece, string->text + at, count - at);
        for (const char *c = piece; *c; c++, used++)
            if (used + 1 < bytes) buffer[used] = *c;
    }
    if (bytes > 0) buffer[used < bytes ? used : bytes - 1] = '\0';
    return (int)used;
}

static int64_t sign_extend(uint64_t bits, int32_t width)
{
    uint64_t sign = UINT64_C(1) << (width - 1);
    return (int64_t)((bits ^ sign) - sign);
}

int tpad_value_format(char *buffer, size_t bytes, int32_t type, const void *value)
{
    int32_t width = tpad_onnx_type_bits(type);
    float f[2];
    double d[2];
    if (type == TPAD_ONNX_STRING) {
        tpad_string string;
        memcpy(&string, value, sizeof string);
        return format_string(buffer, bytes, &string);
    }
    if (type == TPAD_ONNX_COMPLEX64) {
        memcpy(f, value, sizeof f);
        return snprintf(buffer, bytes, "%.9g%+.9gj", (double)f[0], (double)f[1]);
    }
    if (type == TPAD_ONNX_COMPLEX128) {
        memcpy(d, value, sizeof d);
        return snprintf(buffer, bytes, "%.17g%+.17gj", d[0], d[1]);
    }
    if (type == TPAD_ONNX_DOUBLE) {
        memcpy(d, value, sizeof *d);
        return snprintf(buffer, bytes, "%.17g", d[0]);
    }
    size_t count = ((size_t)width + 7) / 8;
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = tpad_host_big_endian() ? i : count - 1 - i;
        bits = bits << 8 | ((const unsigned char *)value)[at];
    }
    if (width < 8) bits &= (1u << width) - 1;
    if (type == TPAD_ONNX_BOOL) return snprintf(buffer, bytes, "%s", bits ? "true" : "false");
    if (tpad_type_is_signed(type))
        return snprintf(buffer, bytes, "%lld", (long long)sign_extend(bits, width));
    if (tpad_type_is_unsigned(type))
        return snprintf(buffer, bytes, "%llu", (unsigned long long)bits);
    return snprintf(buffer, bytes, "%.*g", digits_of(type),
                    tpad_float_decode((uint32_t)bits, type));
}

/* Other programs' names for the modes. Some mean different modes in different programs. */

static const struct {
    const char *alias;
    const char *here;
} mode_aliases[] = {
    {"fill", "constant"},
    {"zeros", "constant"},
    {"border_constant", "constant"},
    {"replicate", "edge"},
    {"nearest", "edge"},
    {"clamp", "edge"},
    {"smear", "edge"},
    {"repeat_edge", "edge"},
    {"border_replicate", "edge"},
    {"mirror", "reflect (SciPy) or symmetric (ITK, libvips, ffmpeg)"},
    {"reflect_101", "reflect"},
    {"border_reflect_101", "reflect"},
    {"mirror_interior", "reflect"},
    {"border_reflect", "symmetric"},
    {"circular", "wrap"},
    {"periodic", "wrap"},
    {"torus", "wrap"},
    {"tile", "wrap"},
    {"grid-wrap", "wrap"},
    {"grid-mirror", "symmetric"},
    {"grid-constant", "constant"},
    {"border_wrap", "wrap"},
};

const char *tpad_mode_elsewhere(const char *word)
{
    for (size_t i = 0; i < sizeof mode_aliases / sizeof mode_aliases[0]; i++)
        if (strcasecmp(word, mode_aliases[i].alias) == 0) return mode_aliases[i].here;
    for (int32_t mode = 0; mode < TPAD_MODE_COUNT; mode++)
        if (strcasecmp(word, tpad_mode_name(mode)) == 0) return tpad_mode_name(mode);
    return NULL;
}
