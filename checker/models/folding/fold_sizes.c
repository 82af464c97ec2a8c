/* Sizes that are unknown before a model runs, and their bounds.  SPDX-License-Identifier: MIT
 *
 * The problem: models with open sizes compute amounts as h - 2 * (h / 2), (8 - h % 8) % 8 or
 * max(k - h, 0). None of them is a number before the model runs. But runtimes treat the Pad
 * differently if none can be below zero.
 *
 * The idea: a size is a linear form, constant + factor * atom + ..., with integers as atoms: the
 * open extent of an input, or floor(x / k), max(x, y) or min(x, y) of earlier sizes. Sums of sizes,
 * and products with numbers, are sizes; x % k is x - k * floor(x / k). Forms are canonical, so that
 * terms cancel: multiples of k leave the floor, and floor(floor(x / a) / b) is floor(x / ab). Equal
 * sizes have equal numbers.
 *
 * Bounds: floor(x / k) is at least (x - k + 1) / k and at most x / k, and max(x, y) is x or y.
 * Replacing atoms by these, the newest first, leaves a number:
 *
 *     h - 2 * floor(h / 2)  >=  h - 2 * (h / 2)  =  0
 *     h - 2 * floor(h / 2)  <=  h - 2 * (h - 1) / 2  =  1
 *
 * Sums are assumed not to overflow: no tensor has such large extents. */
#include <stdlib.h>
#include <string.h>

#include "fold.h"

enum { TERMS = 4, BLOCK = 64, BLOCKS = 256, CHAINS = 256, MOST_REPLACED = 64, NAMES = 64 };

enum { ATOM_OPEN, ATOM_QUOTIENT }; /* and SIZE_GREATER ... */

typedef struct form {
    int64_t constant;
    int64_t factor[TERMS]; /* 0 after the last term */
    int32_t atom[TERMS];   /* the newest first */
    int32_t next;          /* form with the same hash */
    int32_t atoms;         /* the last atom computed from this form, counted from 1 */
} form;

typedef struct atom {
    int64_t least, most; /* SIZE_LEAST, SIZE_MOST: no bound */
    int32_t kind;        /* ATOM_... or SIZE_..., of the sizes `of` and `other` */
    int32_t of, other;
    int64_t by;
    int32_t next; /* atom computed from the same form */
} atom;

struct tpad_sizes {
    form *forms[BLOCKS]; /* blocks of BLOCK each; form 0 is not a size */
    atom *atoms[BLOCKS];
    int32_t form_count, atom_count;
    int32_t chains[CHAINS];
    struct {
        tpad_string name;
        int32_t size;
    } names[NAMES];
    int32_t name_count;
};

struct tpad_sizes *tpad_sizes_make(void)
{
    struct tpad_sizes *sizes = calloc(1, sizeof *sizes);
    if (sizes) sizes->forms[0] = calloc(BLOCK, sizeof(form));
    if (sizes && sizes->forms[0]) return sizes;
    free(sizes);
    return NULL;
}

void tpad_sizes_free(struct tpad_sizes *sizes)
{
    for (int32_t i = 0; sizes && i < BLOCKS; i++) {
        free(sizes->forms[i]);
        free(sizes->atoms[i]);
    }
    free(sizes);
}

static form *form_at(const struct tpad_sizes *sizes, int32_t number)
{
    return &sizes->forms[number / BLOCK][number % BLOCK];
}

static atom *atom_at(const struct tpad_sizes *sizes, int32_t number)
{
    return &sizes->atoms[number / BLOCK][number % BLOCK];
}

/* ---- Forms ----------------------------------------------------------------------------------- */

static int32_t same_form(const form *a, const form *b)
{
    int32_t same = a->constant == b->constant;
    for (int32_t i = 0; i < TERMS; i++)
        same &= a->factor[i] == b->factor[i] && a->atom[i] == b->atom[i];
    return same;
}

/* The number of a form; 0 if there is no room for one more. */
static int32_t number_of(struct tpad_sizes *sizes, form *wanted)
{
    uint64_t hash = (uint64_t)wanted->constant;
    for (int32_t i = 0; i < TERMS; i++)
        hash = (hash ^ (uint64_t)wanted->factor[i] ^ (uint64_t)wanted->atom[i] << 32) *
               UINT64_C(0x9E3779B97F4A7C15);
    int32_t *chain = &sizes->chains[hash >> 32 & (CHAINS - 1)];
    for (int32_t i = *chain; i; i = form_at(sizes, i)->next)
        if (same_form(form_at(sizes, i), wanted)) return i;
    const int32_t number = sizes->form_count + 1;
    if (number == BLOCK * BLOCKS) return 0;
    form **block = &sizes->forms[number / BLOCK];
    if (!*block) *block = calloc(BLOCK, sizeof **block);
    if (!*block) return 0;
    wanted->next = *chain;
    *form_at(sizes, number) = *wanted;
    return *chain = sizes->form_count = number;
}

/* The size of an atom, which is added if there is no equal one. */
static int32_t single_atom(struct tpad_sizes *sizes, atom new)
{
    int32_t *list = new.of ? &form_at(sizes, new.of)->atoms : NULL, at = list ? *list : 0;
    for (; at; at = atom_at(sizes, at - 1)->next) {
        const atom *old = atom_at(sizes, at - 1);
        if (old->kind == new.kind && old->by == new.by && old->other == new.other) break;
    }
    if (!at) {
        if (sizes->atom_count == BLOCK * BLOCKS) return 0;
        atom **block = &sizes->atoms[sizes->atom_count / BLOCK];
        if (!*block) *block = calloc(BLOCK, sizeof **block);
        if (!*block) return 0;
        if (list) new.next = *list;
        *atom_at(sizes, sizes->atom_count) = new;
        at = ++sizes->atom_count;
        if (list) *list = at;
    }
    return number_of(sizes, &(form){.factor = {1}, .atom = {at - 1}});
}

int32_t tpad_size_open(struct tpad_sizes *sizes, int64_t least, int64_t most)
{
    if (least == SIZE_LEAST && most == SIZE_MOST) return 0;
    return least == most ? tpad_size_number(sizes, least)
                         : single_atom(sizes, (atom){.least = least, .most = most});
}

int32_t tpad_size_named(struct tpad_sizes *sizes, tpad_string name, int64_t least)
{
    for (int32_t i = 0; name.length && i < sizes->name_count; i++)
        if (sizes->names[i].name.length == name.length &&
            !memcmp(sizes->names[i].name.text, name.text, (size_t)name.length))
            return sizes->names[i].size;
    const int32_t size = tpad_size_open(sizes, least, SIZE_MOST);
    if (name.length && sizes->name_count < NAMES) {
        sizes->names[sizes->name_count].name = name;
        sizes->names[sizes->name_count++].size = size;
    }
    return size;
}

int32_t tpad_size_number(struct tpad_sizes *sizes, int64_t number)
{
    return number_of(sizes, &(form){.constant = number});
}

int32_t tpad_size_is_number(const struct tpad_sizes *sizes, int32_t size, int64_t *number)
{
    *number = form_at(sizes, size)->constant;
    return size > 0 && !form_at(sizes, size)->factor[0];
}

/* out = fa * a + fb * b; 0 if it has too many terms or exceeds 64 bits. */
static int32_t add(form *out, const form *a, int64_t fa, const form *b, int64_t fb)
{
    int64_t left, right;
    *out = (form){0};
    if (__builtin_mul_overflow(a->constant, fa, &left) ||
        __builtin_mul_overflow(b->constant, fb, &right) ||
        __builtin_add_overflow(left, right, &out->constant))
        return 0;
    for (int32_t i = 0, k = 0, count = 0;;) {
        const int32_t in_a = i < TERMS && a->factor[i] ? a->atom[i] : -1;
        const int32_t in_b = k < TERMS && b->factor[k] ? b->atom[k] : -1;
        int64_t factor = left = right = 0;
        if (in_a < 0 && in_b < 0) return 1;
        if (in_a >= in_b && __builtin_mul_overflow(a->factor[i++], fa, &left)) return 0;
        if (in_b >= in_a && __builtin_mul_overflow(b->factor[k++], fb, &right)) return 0;
        if (__builtin_add_overflow(left, right, &factor)) return 0;
        if (!factor) continue;
        if (count == TERMS) return 0;
        out->atom[count] = in_a > in_b ? in_a : in_b;
        out->factor[count++] = factor;
    }
}

int32_t tpad_size_sum(struct tpad_sizes *sizes, int32_t a, int64_t fa, int32_t b, int64_t fb)
{
    form out;
    return a > 0 && b > 0 && add(&out, form_at(sizes, a), fa, form_at(sizes, b), fb)
               ? number_of(sizes, &out)
               : 0;
}

static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

int32_t tpad_size_quotient(struct tpad_sizes *sizes, int32_t size, int64_t by)
{
    form whole = {0}, rest = {0}, out;
    if (size <= 0 || by < 1) return 0;
    const form *of = form_at(sizes, size);
    if (by == 1) return size;
    /* The multiples of `by`, and the rest, whose constant is in [0, by) */
    whole.constant = floor_of(of->constant, by);
    rest.constant = of->constant - whole.constant * by;
    for (int32_t i = 0, w = 0, r = 0; i < TERMS && of->factor[i]; i++) {
        form *to = of->factor[i] % by ? &rest : &whole;
        int32_t *at = to == &rest ? &r : &w;
        to->atom[*at] = of->atom[i];
        to->factor[(*at)++] = to == &rest ? of->factor[i] : of->factor[i] / by;
    }
    if (!rest.factor[0]) return number_of(sizes, &whole);
    const atom *only = rest.factor[0] == 1 && !rest.factor[1] ? atom_at(sizes, rest.atom[0]) : NULL;
    int64_t shift, product;
    if (only && only->of && !__builtin_mul_overflow(only->by, by, &product) &&
        !__builtin_mul_overflow(only->by, rest.constant, &shift)) {
        /* floor((floor(x / a) + c) / b) is floor((x + ac) / ab) */
        const form added = {.constant = shift};
        if (!add(&out, form_at(sizes, only->of), 1, &added, 1)) return 0;
        return tpad_size_sum(sizes, tpad_size_quotient(sizes, number_of(sizes, &out), product), 1,
                             number_of(sizes, &whole), 1);
    }
    atom quotient = {.kind = ATOM_QUOTIENT, .of = number_of(sizes, &rest), .by = by};
    if (!quotient.of) return 0;
    tpad_size_bounds(sizes, quotient.of, &quotient.least, &quotient.most);
    if (quotient.least != SIZE_LEAST) quotient.least = floor_of(quotient.least, by);
    if (quotient.most != SIZE_MOST) quotient.most = floor_of(quotient.most, by);
    return tpad_size_sum(sizes, single_atom(sizes, quotient), 1, number_of(sizes, &whole), 1);
}

int32_t tpad_size_choice(struct tpad_sizes *sizes, int32_t a, int32_t b, int32_t kind)
{
    int64_t least, most;
    if (a <= 0 || b <= 0 || a == b) return a == b ? a : 0;
    tpad_size_bounds(sizes, tpad_size_sum(sizes, a, 1, b, -1), &least, &most);
    if (kind != SIZE_EITHER && least >= 0) return kind == SIZE_GREATER ? a : b;
    if (kind != SIZE_EITHER && most <= 0) return kind == SIZE_GREATER ? b : a;
    atom new = {.kind = kind, .of = a < b ? a : b, .other = a < b ? b : a};
    tpad_size_bounds(sizes, a, &least, &most);
    tpad_size_bounds(sizes, b, &new.least, &new.most);
    if ((least < new.least) != (kind == SIZE_GREATER)) new.least = least;
    if ((most > new.most) != (kind == SIZE_LESSER)) new.most = most;
    return single_atom(sizes, new);
}

/* ---- Bounds ---------------------------------------------------------------------------------- */

/* A lower bound of the form from the bounds of its atoms alone; SIZE_LEAST: none. */
static int64_t least_by_atoms(const struct tpad_sizes *sizes, const form *of)
{
    int64_t sum = of->constant, part;
    for (int32_t i = 0; i < TERMS && of->factor[i]; i++) {
        const atom *a = atom_at(sizes, of->atom[i]);
        const int64_t bound = of->factor[i] > 0 ? a->least : a->most;
        if (bound == SIZE_LEAST || bound == SIZE_MOST ||
            __builtin_mul_overflow(bound, of->factor[i], &part) ||
            __builtin_add_overflow(sum, part, &sum))
            return SIZE_LEAST;
    }
    return sum;
}

/* out = scale * rest, with its atom `at` replaced by the form `by_size` / scale. */
static int32_t replaced(const struct tpad_sizes *sizes, form *out, const form *rest, int32_t at,
                        int32_t by_size, int64_t scale)
{
    form without;
    const form term = {.factor = {1}, .atom = {rest->atom[at]}};
    return add(&without, rest, 1, &term, -rest->factor[at]) &&
           add(out, &without, scale, form_at(sizes, by_size), rest->factor[at]);
}

/* A lower bound of a form. rest: the form times scale, or less. left: how many atoms may still be
 * replaced. */
static int64_t least_of(const struct tpad_sizes *sizes, const form *rest, int64_t scale,
                        int32_t *left)
{
    const int64_t bound = least_by_atoms(sizes, rest);
    const int64_t best = bound == SIZE_LEAST ? bound : -floor_of(-bound, scale);
    int32_t at = 0;
    form next;
    while (at < TERMS && rest->factor[at] && !atom_at(sizes, rest->atom[at])->of) at++;
    if (at == TERMS || !rest->factor[at] || (*left)-- <= 0) return best;
    const atom *a = atom_at(sizes, rest->atom[at]);
    const int64_t factor = rest->factor[at];
    int64_t lost = 0, less = SIZE_LEAST, second = SIZE_LEAST;
    if (a->kind == ATOM_QUOTIENT) {
        if (replaced(sizes, &next, rest, at, a->of, a->by) &&
            (factor < 0 || !__builtin_mul_overflow(factor, a->by - 1, &lost)) &&
            !__builtin_sub_overflow(next.constant, lost, &next.constant) &&
            !__builtin_mul_overflow(scale, a->by, &scale))
            less = least_of(sizes, &next, scale, left);
        return less > best ? less : best;
    }
    if (replaced(sizes, &next, rest, at, a->of, 1)) less = least_of(sizes, &next, scale, left);
    if (replaced(sizes, &next, rest, at, a->other, 1)) second = least_of(sizes, &next, scale, left);
    /* The atom is one of both sizes; the greater one is not below either. */
    const int32_t wants_most = a->kind == (factor > 0 ? SIZE_GREATER : SIZE_LESSER);
    if ((second > less) == wants_most) less = second;
    return less > best ? less : best;
}

void tpad_size_bounds(const struct tpad_sizes *sizes, int32_t size, int64_t *least, int64_t *most)
{
    form minus;
    int32_t left = MOST_REPLACED;
    *least = SIZE_LEAST;
    *most = SIZE_MOST;
    if (size <= 0) return;
    *least = least_of(sizes, form_at(sizes, size), 1, &left);
    left = MOST_REPLACED;
    if (!add(&minus, form_at(sizes, size), -1, form_at(sizes, 0), 0)) return;
    const int64_t bound = least_of(sizes, &minus, 1, &left);
    if (bound != SIZE_LEAST) *most = -bound;
}

/* ---- Extents --------------------------------------------------------------------------------- */

int32_t tpad_size_of_extent(const tpad_fold *fold, int64_t extent)
{
    return extent >= 0 ? tpad_size_number(fold->model->folding->sizes, extent)
                       : tpad_extent_size(extent);
}

int64_t tpad_size_as_extent(const tpad_fold *fold, int32_t size, int32_t is_open)
{
    int64_t least, most;
    tpad_size_bounds(fold->model->folding->sizes, size, &least, &most);
    return least < 0 ? -1 : least == most && !is_open ? least : tpad_extent_sized(least, size);
}

/* ---- Names ----------------------------------------------------------------------------------- */

int32_t tpad_size_needs(const struct tpad_sizes *sizes, int32_t size, int64_t least,
                        tpad_string *name, int64_t *needed)
{
    const form *f = form_at(sizes, size);
    if (size <= 0 || f->factor[0] < 1 || f->factor[1] ||
        __builtin_sub_overflow(least, f->constant, &least))
        return 0;
    const atom *a = atom_at(sizes, f->atom[0]);
    least = -floor_of(-least, f->factor[0]);
    if (a->kind == ATOM_QUOTIENT)
        return !__builtin_mul_overflow(least, a->by, &least) &&
               tpad_size_needs(sizes, a->of, least, name, needed);
    *needed = least;
    for (int32_t i = 0; i < sizes->name_count; i++) {
        const form *named = form_at(sizes, sizes->names[i].size);
        if (named->atom[0] != f->atom[0]) continue;
        *name = sizes->names[i].name;
        return 1;
    }
    return 0;
}
