/* Words in plain C. SPDX-License-Identifier: MIT
 *
 * A word is made in many groups before the next one, so that what says how it is made stays in
 * registers. Where the compiler has a type for two words at once and the machine has vectors, two
 * are made by the same instructions. */
#include "words.h"

#if defined(__GNUC__) &&                                                                           \
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

/* A function of which one parameter is a constant: it is compiled once for each. */
#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define INLINE inline __attribute__((always_inline))
#else
#define INLINE inline
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { HIGH_BYTE_FIRST = 1 };
#else
enum { HIGH_BYTE_FIRST = 0 };
#endif

/* AT_ONCE: words that steps make at the same time. GROUPS_BYTES: of output in the groups that are
 * done before the next ones, so that they stay in the first-level cache. */
enum { AT_ONCE = 4 * LANES, GROUPS_BYTES = 16384 };

/* The same word in `count` places, evenly spaced. */
typedef struct row {
    unsigned char *dst;
    const unsigned char *src;
    int64_t count, dst_step, src_step;
} row;

/* Takes the first `count` places off. */
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
    EACH made[k] = x[k] = EVERY(w->fill);
    for (const tpad_step *end = s + w->steps; s < end; s++) {
        const lanes mask = EVERY(s->mask), by = EVERY((uint64_t)s->amount);
        switch (s->kind) {
        case TPAD_LOAD:
            EACH x[k] = load(r->src + s->src + k * LANES * r->src_step, r->src_step, turn);
            break;
        case TPAD_UP:
            EACH x[k] <<= by;
            break;
        case TPAD_DOWN:
            EACH x[k] >>= by;
            break;
        case TPAD_SPREAD_UP:
            EACH x[k] = (x[k] & ~mask) | ((x[k] << by) & mask);
            break;
        case TPAD_SPREAD_DOWN:
            EACH x[k] = (x[k] & ~mask) | ((x[k] >> by) & mask);
            break;
        case TPAD_SWAP:
            EACH x[k] = ((x[k] >> by) & mask) | ((x[k] & mask) << by);
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
    EACH store(r->dst + k * LANES * r->dst_step, r->dst_step, made[k], turn);
}

/* One place is made as often as there are lanes. */
static INLINE void run_steps(const tpad_word *w, const tpad_step *s, row r, int turn)
{
    for (; r.count >= AT_ONCE; pass(&r, AT_ONCE)) make_by_steps(w, s, &r, AT_ONCE / LANES, turn);
    for (; r.count >= LANES; pass(&r, LANES)) make_by_steps(w, s, &r, 1, turn);
    r.dst_step = r.src_step = 0;
    if (r.count > 0) make_by_steps(w, s, &r, 1, turn);
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

/* `count`, a constant: how many steps the word has. */
static INLINE void run_takes(const tpad_word *w, const tpad_step *s, row r, int count)
{
    takes t;
    t.fill = EVERY(w->fill);
    for (int k = 0; k < count; k++) {
        t.mask[k] = EVERY(s[k].mask);
        t.at[k] = s[k].src;
    }
    for (; r.count >= LANES; pass(&r, LANES)) make_by_takes(&t, &r, count);
    r.dst_step = r.src_step = 0;
    if (r.count > 0) make_by_takes(&t, &r, count);
}

static void make_takes(const tpad_word *w, const tpad_step *s, const row *r)
{
    switch (w->steps) {
    case 0:
        run_takes(w, s, *r, 0);
        break;
    case 1:
        run_takes(w, s, *r, 1);
        break;
    case 2:
        run_takes(w, s, *r, 2);
        break;
    case 3:
        run_takes(w, s, *r, 3);
        break;
    case 4:
        run_takes(w, s, *r, 4);
        break;
    case 5:
        run_takes(w, s, *r, 5);
        break;
    default:
        run_takes(w, s, *r, TPAD_MOST_TAKES);
    }
}

/* ---- By takes from one place ----------------------------------------------------------------- */

enum { MOST_SHIFTS = 4 };

/* Of `up` and `down` one is 0. */
typedef struct shifts {
    lanes fill, mask[MOST_SHIFTS], up[MOST_SHIFTS], down[MOST_SHIFTS];
    int64_t at;
} shifts;

static INLINE void make_by_shifts(const shifts *t, const row *r, int count, int turn)
{
    const lanes x = load(r->src + t->at, r->src_step, turn);
    lanes made = t->fill;
    for (int k = 0; k < count; k++) made |= ((x << t->up[k]) >> t->down[k]) & t->mask[k];
    store(r->dst, r->dst_step, made, turn);
}

/* `count`, a constant: how many steps follow the load. */
static INLINE void run_shifts(const tpad_word *w, const tpad_step *s, row r, int count, int turn)
{
    shifts t;
    t.fill = EVERY(w->fill);
    t.at = s[0].src;
    for (int k = 0; k < count; k++) {
        const uint64_t by = (uint64_t)s[k + 1].amount;
        t.mask[k] = EVERY(s[k + 1].mask);
        t.up[k] = EVERY(s[k + 1].kind == TPAD_TAKE_UP ? by : 0);
        t.down[k] = EVERY(s[k + 1].kind == TPAD_TAKE_DOWN ? by : 0);
    }
    for (; r.count >= LANES; pass(&r, LANES)) make_by_shifts(&t, &r, count, turn);
    r.dst_step = r.src_step = 0;
    if (r.count > 0) make_by_shifts(&t, &r, count, turn);
}

/* How many takes follow a load that is the only other step; 0: they are too many or not alone. */
static int32_t count_shifts(const tpad_word *w, const tpad_step *s)
{
    for (int32_t k = 1; k < w->steps; k++)
        if (s[k].kind < TPAD_TAKE) return 0;
    return w->steps <= 1 + MOST_SHIFTS ? w->steps - 1 : 0;
}

static INLINE void make_steps(const tpad_word *w, const tpad_step *s, const row *r, int turn)
{
    switch (count_shifts(w, s)) {
    case 1:
        run_shifts(w, s, *r, 1, turn);
        break;
    case 2:
        run_shifts(w, s, *r, 2, turn);
        break;
    case 3:
        run_shifts(w, s, *r, 3, turn);
        break;
    case MOST_SHIFTS:
        run_shifts(w, s, *r, MOST_SHIFTS, turn);
        break;
    default:
        run_steps(w, s, *r, turn);
    }
}

/* ---- Copies ---------------------------------------------------------------------------------- */

/* `bytes` (a constant) neighbouring bytes in each place. */
static INLINE void copy_few(row r, size_t bytes)
{
    for (; r.count > 0; pass(&r, 1)) tpad_memcpy(r.dst, r.src, bytes);
}

/* The same for 32 bytes or more, which need not be a constant. */
static void copy_many(row r, int64_t bytes)
{
    enum { MOVE = 32, LONG_COPY = 512 };
    unsigned char move[MOVE];
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

static void copy_words(const row *r, int32_t count)
{
    switch (count) {
    case 1:
        copy_few(*r, 8);
        break;
    case 2:
        copy_few(*r, 16);
        break;
    case 3:
        copy_few(*r, 24);
        break;
    default:
        copy_many(*r, count * INT64_C(8));
    }
}

/* ---------------------------------------------------------------------------------------------- */

/* A word, and those that are like it, in `groups` groups: in rows of whichever are more. */
static void run_word(const tpad_words *all, const tpad_word *w, const tpad_step *s,
                     unsigned char *dst, const unsigned char *src, int64_t groups)
{
    row r = {dst + w->dst, src + w->src, groups, all->dst_step, all->src_step};
    if (w->kind == TPAD_WORD_COPY) {
        copy_words(&r, w->count);
        return;
    }
    row other = {NULL, NULL, w->count, 8, w->src_step};
    if (other.count > r.count) {
        other = (row){NULL, NULL, groups, all->dst_step, all->src_step};
        r = (row){r.dst, r.src, w->count, 8, w->src_step};
    }
    for (; other.count > 0; other.count--) {
        if (w->kind == TPAD_WORD_TAKES)
            make_takes(w, s, &r);
        else if (all->high_bits_first != HIGH_BYTE_FIRST)
            make_steps(w, s, &r, 1);
        else
            make_steps(w, s, &r, 0);
        r.dst += other.dst_step;
        r.src += other.src_step;
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
