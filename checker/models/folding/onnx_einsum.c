/* The shape of ONNX's Einsum.  SPDX-License-Identifier: MIT
 *
 * Reads the equation: a term of letters for each input and, after an arrow, the output's. "..." is
 * the axes that no letter names, which are broadcast. */
#include <string.h>

#include "onnx_layers.h"

enum { LETTERS = 128 };

typedef struct equation {
    int64_t extents[LETTERS]; /* of each letter; -1 where unknown */
    uint8_t seen[LETTERS];    /* how often it occurs in the inputs' terms: 0, 1, or 2 for more */
    tpad_inferred rest;       /* the axes of the dots */
    int32_t has_dots;
} equation;

static int32_t is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The number of letters in a term; -1 if it has anything but letters, blanks and one "...". */
static int32_t count_letters(tpad_string term, int32_t *dots)
{
    int32_t count = 0;
    *dots = 0;
    for (int64_t i = 0; i < term.length; i++) {
        if (term.text[i] == ' ') continue;
        if (is_letter(term.text[i])) {
            count++;
        } else if (i + 2 < term.length && memcmp(term.text + i, "...", 3) == 0 && !*dots) {
            *dots = 1;
            i += 2;
        } else {
            return -1;
        }
    }
    return count;
}

/* The extent of two axes with the same letter; 1 is broadcast, as in runtimes. */
static int64_t joined(int64_t a, int64_t b)
{
    if (a == 1) return b;
    return b != 1 && a < 0 ? b : a;
}

/* Notes the input's extents for its term. Returns 0 if the two do not match. */
static int32_t take_term(equation *e, tpad_string term, const tpad_inferred *in)
{
    int32_t dots, axis = 0;
    const int32_t letters = count_letters(term, &dots);
    if (letters < 0 || in->rank < letters || (!dots && in->rank != letters)) return 0;
    for (int64_t i = 0; i < term.length; i++) {
        const char c = term.text[i];
        if (c == '.') {
            tpad_inferred here = tpad_inferred_none(in->type);
            here.rank = in->rank - letters;
            for (int32_t k = 0; k < here.rank; k++) here.shape[k] = in->shape[axis++];
            e->rest = e->has_dots ? tpad_fold_broadcast(&e->rest, &here) : here;
            e->has_dots = 1;
            i += 2;
        } else if (is_letter(c)) {
            const int64_t extent = in->shape[axis++];
            e->extents[(int)c] = e->seen[(int)c] ? joined(e->extents[(int)c], extent) : extent;
            e->seen[(int)c] = e->seen[(int)c] ? 2 : 1;
        }
    }
    return 1;
}

static int32_t put_axis(tpad_inferred *out, int64_t extent)
{
    if (out->rank == TPAD_MAX_RANK) return 0;
    out->shape[out->rank++] = extent;
    return 1;
}

static int32_t put_rest(tpad_inferred *out, const equation *e)
{
    for (int32_t k = 0; e->has_dots && k < e->rest.rank; k++)
        if (!put_axis(out, e->rest.shape[k])) return 0;
    return 1;
}

static int32_t put_term(tpad_inferred *out, const equation *e, tpad_string term)
{
    int32_t dots;
    if (count_letters(term, &dots) < 0) return 0;
    for (int64_t i = 0; i < term.length; i++) {
        const char c = term.text[i];
        if (c == ' ') continue;
        if (c == '.' ? !put_rest(out, e) : !e->seen[(int)c] || !put_axis(out, e->extents[(int)c]))
            return 0;
        if (c == '.') i += 2;
    }
    return 1;
}

/* Without an arrow: the axes of the dots, then the letters that occur once, in alphabetical
 * order. */
static int32_t put_implicit(tpad_inferred *out, const equation *e)
{
    if (!put_rest(out, e)) return 0;
    for (int32_t c = 0; c < LETTERS; c++)
        if (e->seen[c] == 1 && !put_axis(out, e->extents[c])) return 0;
    return 1;
}

/* Takes the text before the next comma off `rest`. */
static tpad_string next_term(tpad_string *rest)
{
    const char *comma = memchr(rest->text, ',', (size_t)rest->length);
    const tpad_string term = {rest->text, comma ? comma - rest->text : rest->length};
    const int64_t used = term.length + (comma != NULL);
    *rest = (tpad_string){rest->text + used, rest->length - used};
    return term;
}

static int64_t find_arrow(tpad_string text)
{
    for (int64_t i = 0; i + 1 < text.length; i++)
        if (text.text[i] == '-' && text.text[i + 1] == '>') return i;
    return -1;
}

/* 1 if a letter occurs more than once: only a diagonal is taken. */
static int32_t has_twice(const equation *e)
{
    for (int32_t c = 0; c < LETTERS; c++)
        if (e->seen[c] > 1) return 1;
    return 0;
}

void tpad_onnx_einsum(tpad_fold *fold, int32_t argument)
{
    equation e = {.has_dots = 0};
    tpad_string text;
    tpad_inferred out = tpad_inferred_none(tpad_fold_in(fold, 0).type);
    (void)argument;
    if (!tpad_fold_text(fold, "equation", &text) || text.length == 0) return;
    const int64_t arrow = find_arrow(text);
    tpad_string inputs = {text.text, arrow < 0 ? text.length : arrow};
    int32_t sure = 1;
    for (int32_t i = 0; sure && (i == 0 || tpad_fold_has(fold, i)); i++) {
        const tpad_inferred in = tpad_fold_in(fold, i);
        sure = inputs.length > 0 && take_term(&e, next_term(&inputs), &in);
    }
    if (sure && inputs.length == 0) {
        const int64_t after = arrow + 2;
        out.rank = 0;
        if (!(arrow < 0
                  ? put_implicit(&out, &e)
                  : put_term(&out, &e, (tpad_string){text.text + after, text.length - after})))
            out.rank = -1;
    }
    /* "ij->ij", or "i" */
    const int64_t before = arrow < 0 ? text.length : arrow;
    const int32_t is_same =
        sure && out.rank >= 0 && !memchr(text.text, ',', (size_t)text.length) && !has_twice(&e) &&
        (arrow < 0 ? before == 1
                   : text.length == 2 * before + 2 &&
                         !memcmp(text.text, text.text + before + 2, (size_t)before));
    const tpad_inferred in = is_same ? tpad_fold_value(fold, 0) : out;
    tpad_fold_give(fold, 0, is_same ? &in : &out);
}
