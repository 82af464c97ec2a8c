/* Names of extents (dim_param) as formulas.  SPDX-License-Identifier: MIT
 *
 * ONNX takes any text as a name. Exporters write formulas into it, such as "2*h + 1", and some runtimes
 * read them:
 *
 *     sum     = part { operator part }, where # binds loosest, then + - * /; behind / is a number
 *     part    = number | word | "-" part | "(" sum ")" | function "(" [ sum { "," sum } ] ")"
 *     function = "min" | "max" | "floor" */
#include "models/graph/pad_facts.h"
#include "onnx_file.h"

enum { MOST_DEPTH = 32 };

typedef struct text {
    const char *at, *end;
    int32_t depth;
    int32_t is_chained; /* 1: two operators of one kind in a row, floor, or a dot in a word */
} text;

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_spaces(text *t)
{
    while (t->at < t->end && is_space(*t->at)) t->at++;
}

/* Whether the character comes next, spaces around it or not. It is read then. */
static int reads(text *t, char wanted)
{
    const char *start = t->at;
    skip_spaces(t);
    if (t->at == t->end || *t->at != wanted) {
        t->at = start;
        return 0;
    }
    t->at++;
    skip_spaces(t);
    return 1;
}

static int read_number(text *t)
{
    const char *start = t->at;
    while (t->at < t->end && is_digit(*t->at)) t->at++;
    return t->at > start && t->at - start < 19; /* it fits into 64 bits */
}

static int read_sum(text *t, const char *operators);

static int read_list(text *t)
{
    if (reads(t, ')')) return 1;
    do
        if (!read_sum(t, "#+-*/")) return 0;
    while (reads(t, ','));
    return reads(t, ')');
}

static int read_word(text *t)
{
    const char *start = t->at;
    int dots = 0;
    while (t->at < t->end && (is_letter(*t->at) || is_digit(*t->at) || *t->at == '.'))
        dots |= *t->at++ == '.';
    const tpad_string word = {start, t->at - start};
    t->is_chained |= dots;
    const int is_floor = tpad_string_is(word, "floor");
    if (!is_floor && !tpad_string_is(word, "min") && !tpad_string_is(word, "max")) return 1;
    if (!reads(t, '(')) return 1;
    t->is_chained |= is_floor;
    return read_list(t);
}

static int read_part(text *t)
{
    if (t->depth == MOST_DEPTH) return 0;
    t->depth++;
    int is_part;
    if (reads(t, '-'))
        is_part = read_part(t);
    else if (reads(t, '('))
        is_part = read_sum(t, "#+-*/") && reads(t, ')');
    else if (t->at < t->end && is_letter(*t->at))
        is_part = read_word(t);
    else
        is_part = read_number(t);
    t->depth--;
    return is_part;
}

/* operators: those that may come here, the loosest first. */
static int read_sum(text *t, const char *operators)
{
    if (!*operators) return read_part(t);
    if (!read_sum(t, operators + 1)) return 0;
    int count = 0;
    for (; reads(t, *operators); count++)
        if (!(*operators == '/' ? read_number(t) : read_sum(t, operators + 1))) return 0;
    t->is_chained |= count > 1;
    return 1;
}

int32_t tpad_onnx_extent_name(tpad_string name)
{
    text t = {.at = name.text, .end = name.text + name.length};
    if (!read_sum(&t, "#+-*/") || t.at != t.end) return TPAD_RULES_NAMES_OTHER;
    return t.is_chained ? TPAD_RULES_NAMES_CHAINED : TPAD_RULES_NAMES_SIMPLE;
}
