/* Words in plain C. SPDX-License-Identifier: MIT
 *
 * Makes one word in many groups before the next word, so that its program stays in registers. If
 * the compiler has a type for two words and the machine has vectors, the same instructions make
 * two. */
#include "words.h"

#if (defined(__GNUC__) || defined(__clang__)) &&                                                   \
    (defined(__SSE2__) || defined(__ARM_NEON) || defined(__VSX__) || defined(__wasm_simd128__))
typedef uint64_t lanes __attribute__((vector_size(16)));
enum { LANES = 2 };
#define EVERY(WORD)   ((lanes){(WORD), (WORD)})
#define LANE_OF(X, K) ((X)[K])
#else
typedef uint64_t lanes;
enum { LANES = 1 };
#define EVERY(WORD)   (WORD)
#define LANE_OF(X, K) (X)
#endif

/* A function with a constant parameter; it is compiled once for each value. */
#if (defined(__GNUC__) || defined(__clang__)) && defined(__OPTIMIZE__)
#define INLINE inline __attribute__((always_inline))
#else
#define INLINE inline
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { HIGH_BYTE_FIRST = 1 };
#else
enum { HIGH_BYTE_FIRST = 0 };
#endif

/* AT_ONCE: the words that steps make at the same time. GROUPS_BYTES: the output of the groups that
 * are done together, so that they stay in the first-level cache. */
enum { AT_ONCE = 6 * LANES, GROUPS_BYTES = 16384 };

/* The same word in `count` places, evenly spaced. */
typedef struct row {
    unsigned char *dst;
    const unsigned char *src;
    int64_t count, dst_step, src_step;
} row;

/* Evenly spaced rows of the same word. */
typedef struct rows {
    row first;
    int64_t count, dst_step, src_step;
} rows;

/* Removes the first row. Returns 0 if there is none. */
static INLINE int take_row(rows *all, row *r)
{
    if (all->count-- == 0) return 0;
    *r = all->first;
    all->first.dst += all->dst_step;
    all->first.src += all->src_step;
    return 1;
}

/* Removes the first `count` places. */
static INLINE void pass(row *r, int64_t count)
{
    r->count -= count;
    r->dst += count * r->dst_step;
    r->src += count * r->src_step;
}

static INLINE uint64_t turned(uint64_t x)
{
    x = (x >> 8 & UINT64_C(0x00FF00FF00FF00FF)) | (x & UINT64_C(0x00FF00FF00FF00FF)) << 8;
    x = (x >> 16 & UINT64_C(0x0000FFFF0000FFFF)) | (x & UINT64_C(0x0000FFFF0000FFFF)) << 16;
    return x >> 32 | x << 32;
}

static INLINE uint64_t load_word(const unsigned char *src, int turn)
{
    uint64_t x;
    tpad_memcpy(&x, src, sizeof x);
    return turn ? turned(x) : x;
}

static INLINE lanes load(const unsigned char *src, int64_t step, int turn)
{
    const uint64_t first = load_word(src, turn);
    lanes all = EVERY(first);
    for (int k = 1; k < LANES; k++) LANE_OF(all, k) = load_word(src + k * step, turn);
    return all;
}

static INLINE void store(unsigned char *dst, int64_t step, lanes all, int turn)
{
    for (int k = 0; k < LANES; k++) {
        const uint64_t x = turn ? turned(LANE_OF(all, k)) : LANE_OF(all, k);
        tpad_memcpy(dst + k * step, &x, sizeof x);
    }
}

/* ---- By steps -------------------------------------------------------------------------------- */

#define EACH for (int k = 0; k < vectors; k++)

/* The word in the first `vectors` (a constant) * LANES places of a row. */
static INLINE void make_by_steps(const tpad_word *w, const tpad_step *s, const row *r, int vectors,
                                 int turn)
{
    lanes x[AT_ONCE / LANES], made[AT_ONCE / LANES];
    const unsigned char *src;
    EACH made[k] = x[k] = EVERY(w->fill);
    for (const tpad_step *end = s + w->steps; s < end; s++) {
        const lanes mask = EVERY(s->mask);
        const int by = s->amount;
        switch (s->kind) {
        case TPAD_LOAD:
            src = r->src + s->src;
            EACH
            {
                x[k] = load(src, r->src_step, turn);
                src += LANES * r->src_step;
            }
            break;
        case TPAD_UP:
            EACH x[k] <<= by;
            break;
        case TPAD_DOWN:
            EACH x[k] >>= by;
            break;
        case TPAD_REPEAT_UP:
            EACH made[k] |= (made[k] << by) & mask;
            break;
        case TPAD_REPEAT_DOWN:
            EACH made[k] |= (made[k] >> by) & mask;
            break;
        case TPAD_TAKE:
            EACH made[k] |= x[k] & mask;
            break;
        case TPAD_TAKE_UP:
            EACH made[k] |= (x[k] << by) & mask;
            break;
        default: /* TPAD_TAKE_DOWN */
            EACH made[k] |= (x[k] >> by) & mask;
        }
    }
    unsigned char *dst = r->dst;
    EACH
    {
        store(dst, r->dst_step, made[k], turn);
        dst += LANES * r->dst_step;
    }
}

/* Remaining places are made together with some made before; or, if these are too few, one place is
 * made in every lane. */
static INLINE void run_steps(const tpad_word *w, const tpad_step *s, rows all, int turn)
{
    for (row r; take_row(&all, &r);) {
        const int many = r.count >= AT_ONCE;
        for (; r.count >= AT_ONCE; pass(&r, AT_ONCE))
            make_by_steps(w, s, &r, AT_ONCE / LANES, turn);
        if (many && r.count > LANES) {
            pass(&r, r.count - AT_ONCE);
            make_by_steps(w, s, &r, AT_ONCE / LANES, turn);
            continue;
        }
        for (; r.count >= LANES; pass(&r, LANES)) make_by_steps(w, s, &r, 1, turn);
        r.dst_step = r.src_step = 0;
        if (r.count > 0) make_by_steps(w, s, &r, 1, turn);
    }
}

/* ---- By takes from several places of the input ----------------------------------------------- */

typedef struct takes {
    lanes fill, mask[TPAD_MOST_TAKES];
    int64_t at[TPAD_MOST_TAKES];
} takes;

static INLINE void make_by_takes(const takes *t, const row *r, int count)
{
    lanes made = t->fill;
    for (int k = 0; k < count; k++)
        made |= load(r->src + t->at[k], r->src_step, HIGH_BYTE_FIRST) & t->mask[k];
    store(r->dst, r->dst_step, made, HIGH_BYTE_FIRST);
}

/* `count`, a constant: the number of the word's steps. */
static INLINE void run_takes(const tpad_word *w, const tpad_step *s, rows all, int count)
{
    takes t;
    t.fill = EVERY(w->fill);
    for (int k = 0; k < count; k++) {
        t.mask[k] = EVERY(s[k].mask);
        t.at[k] = s[k].src;
    }
    for (row r; take_row(&all, &r);) {
        for (; r.count >= LANES; pass(&r, LANES)) make_by_takes(&t, &r, count);
        r.dst_step = r.src_step = 0;
        if (r.count > 0) make_by_takes(&t, &r, count);
    }
}

static void make_takes(const tpad_word *w, const tpad_step *s, const rows *all)
{
    switch (w->steps) {
    case 0:
        run_takes(w, s, *all, 0);
        break;
    case 1:
        run_takes(w, s, *all, 1);
        break;
    case 2:
        run_takes(w, s, *all, 2);
        break;
    case 3:
        run_takes(w, s, *all, 3);
        break;
    case 4:
        run_takes(w, s, *all, 4);
        break;
    case 5:
        run_takes(w, s, *all, 5);
        break;
    default:
        run_takes(w, s, *all, TPAD_MOST_TAKES);
    }
}

/* ---- By takes from one place ----------------------------------------------------------------- */

typedef struct shifts {
    lanes fill, mask[TPAD_MOST_SHIFTS];
    int up[TPAD_MOST_SHIFTS], down[TPAD_MOST_SHIFTS]; /* for each take, one of them is 0 */
    int first;                                        /* shift down before all takes */
    int64_t at;
} shifts;

static INLINE void make_by_shifts(const shifts *t, const row *r, int count, int both_ways)
{
    const lanes x = load(r->src + t->at, r->src_step, HIGH_BYTE_FIRST) >> t->first;
    lanes made = t->fill;
    for (int k = 0; k < count; k++) {
        const lanes up = x << t->up[k];
        made |= (both_ways ? up >> t->down[k] : up) & t->mask[k];
    }
    store(r->dst, r->dst_step, made, HIGH_BYTE_FIRST);
}

/* Constants: the number of takes, and whether some of them shift down. */
static INLINE void run_shifts(const tpad_word *w, const tpad_step *s, rows all, int count,
                              int both_ways)
{
    const tpad_step *last = s + w->steps - count;
    shifts t;
    t.fill = EVERY(w->fill);
    t.at = s[0].src;
    t.first = w->steps - count > 1 ? s[1].amount : 0;
    for (int k = 0; k < count; k++) {
        t.mask[k] = EVERY(last[k].mask);
        t.up[k] = last[k].kind == TPAD_TAKE_UP ? last[k].amount : 0;
        t.down[k] = last[k].kind == TPAD_TAKE_DOWN ? last[k].amount : 0;
    }
    for (row r; take_row(&all, &r);) {
        for (; r.count >= LANES; pass(&r, LANES)) make_by_shifts(&t, &r, count, both_ways);
        r.dst_step = r.src_step = 0;
        if (r.count > 0) make_by_shifts(&t, &r, count, both_ways);
    }
}

/* The number of takes after a load, or after a load and one shift down; 0: too many takes, or other
 * steps. */
static int32_t count_shifts(const tpad_word *w, const tpad_step *s, int *both_ways)
{
    const int32_t first = s[1].kind == TPAD_DOWN ? 2 : 1;
    *both_ways = 0;
    for (int32_t k = first; k < w->steps; k++) {
        if (s[k].kind < TPAD_TAKE) return 0;
        if (s[k].kind == TPAD_TAKE_DOWN) *both_ways = 1;
    }
    return w->steps <= first + TPAD_MOST_SHIFTS ? w->steps - first : 0;
}

static INLINE void make_shifts(const tpad_word *w, const tpad_step *s, const rows *all, int count,
                               int both_ways)
{
    if (both_ways)
        run_shifts(w, s, *all, count, 1);
    else
        run_shifts(w, s, *all, count, 0);
}

static void make_steps(const tpad_word *w, const tpad_step *s, const rows *all, int high_first)
{
    int both_ways;
    switch (high_first ? 0 : count_shifts(w, s, &both_ways)) {
    case 1:
        make_shifts(w, s, all, 1, both_ways);
        break;
    case 2:
        make_shifts(w, s, all, 2, both_ways);
        break;
    case 3:
        make_shifts(w, s, all, 3, both_ways);
        break;
    case 4:
        make_shifts(w, s, all, 4, both_ways);
        break;
    case TPAD_MOST_SHIFTS:
        make_shifts(w, s, all, TPAD_MOST_SHIFTS, both_ways);
        break;
    default:
        if (high_first)
            run_steps(w, s, *all, !HIGH_BYTE_FIRST);
        else
            run_steps(w, s, *all, HIGH_BYTE_FIRST);
    }
}

/* ---- Copies ---------------------------------------------------------------------------------- */

/* `bytes` (a constant) neighbouring bytes in each place. */
static INLINE void copy_few(rows all, size_t bytes)
{
    for (row r; take_row(&all, &r);)
        for (; r.count > 0; pass(&r, 1)) tpad_memcpy(r.dst, r.src, bytes);
}

/* From this size on memcpy is faster than moves. WebAssembly calls leave the module for it. */
#if defined(__wasm__)
enum { LONG_COPY = 512 };
#else
enum { LONG_COPY = 128 };
#endif

/* The same for 32 bytes or more, not necessarily a constant. */
static void copy_many(rows all, int64_t bytes)
{
    enum { MOVE = 32 };
    unsigned char move[MOVE];
    for (row r; take_row(&all, &r);)
        for (; r.count > 0; pass(&r, 1)) {
            if (bytes >= LONG_COPY) {
                tpad_memcpy(r.dst, r.src, (size_t)bytes);
                continue;
            }
            for (int64_t i = 0; i < bytes - MOVE; i += MOVE) {
                tpad_memcpy(move, r.src + i, MOVE);
                tpad_memcpy(r.dst + i, move, MOVE);
            }
            tpad_memcpy(move, r.src + bytes - MOVE, MOVE);
            tpad_memcpy(r.dst + bytes - MOVE, move, MOVE);
        }
}

static void copy_words(const rows *all, int32_t length)
{
    switch (length) {
    case 1:
        copy_few(*all, 8);
        break;
    case 2:
        copy_few(*all, 16);
        break;
    case 3:
        copy_few(*all, 24);
        break;
    default:
        copy_many(*all, length * INT64_C(8));
    }
}

/* ---------------------------------------------------------------------------------------------- */

/* A word in all of its places, in `groups` groups; the inner loop is over whichever are more. */
static void run_word(const tpad_words *w, const tpad_word *word, const tpad_step *s,
                     unsigned char *dst, const unsigned char *src, int64_t groups)
{
    const row alike = {dst + word->dst, src + word->src, word->count, word->dst_step,
                       word->src_step};
    const row same = {alike.dst, alike.src, groups, w->dst_step, w->src_step};
    const row *inner = alike.count > groups ? &alike : &same;
    const row *outer = inner == &same ? &alike : &same;
    rows all = {*inner, outer->count, outer->dst_step, outer->src_step};
    if (word->kind == TPAD_WORD_COPY) {
        copy_words(&all, word->length);
        return;
    }
    for (int32_t k = 0; k < word->length; k++, all.first.dst += 8) {
        if (word->kind == TPAD_WORD_TAKES)
            make_takes(word, s, &all);
        else
            make_steps(word, s, &all, w->high_bits_first);
    }
}

void tpad_run_words(const tpad_words *w)
{
    const int64_t fit = GROUPS_BYTES / w->group_bytes, block = fit > AT_ONCE ? fit : AT_ONCE;
    unsigned char *dst = w->dst;
    const unsigned char *src = w->src;
    for (int64_t left = w->groups, groups; left > 0; left -= groups) {
        const tpad_step *s = w->steps;
        groups = left < block ? left : block;
        for (int32_t k = 0; k < w->word_count; s += w->words[k++].steps)
            run_word(w, &w->words[k], s, dst, src, groups);
        dst += groups * w->dst_step;
        src += groups * w->src_step;
    }
}
