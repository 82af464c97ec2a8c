/* Large tensors in pieces, as JavaScript runs them.  SPDX-License-Identifier: MIT
 *
 * Random problems through rooms of every size are what the oracle says, although the rooms hold
 * nothing but the ranges that were asked for; how much is copied in some known problems. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tests/support/random_main.h"
#include "../engine/pieces.h"

enum { DEFAULT_CASES = 30000 };

/* What a run did. */
typedef struct account {
    int64_t pieces, ranges, copied, plain; /* copied: bytes of input; plain: bytes of output */
    int64_t sides;                         /* rows of which only the sides were made */
    int64_t plans; /* how often a plan was made for pieces that are no sides */
} account;

static bool failed(const char *what, double a, double b)
{
    fprintf(stderr, "%s: %.0f, %.0f\n", what, a, b);
    return false;
}

/* Copies the ranges that the slate names, into a room that holds nothing else. */
static bool copy_in(const pieces_slate *slate, const pieces_rooms *rooms, const unsigned char *src,
                    int64_t src_bytes, account *sum)
{
    if (slate->copy_count > 2 * PIECES_MOST_COPIES) return failed("too many", slate->copy_count, 0);
    if (slate->copy_count > 0) memset(rooms->in, 0xEE, (size_t)rooms->in_bytes);
    for (int32_t i = 0; i < slate->copy_count; i++) {
        const pieces_copy *c = &slate->copies[i];
        if (c->count < 1 || c->bytes < 1) return failed("an empty range", c->count, c->bytes);
        for (int32_t k = 0; k < c->count; k++) {
            const double from = c->from + k * c->from_step;
            const int64_t to = c->to + (int64_t)k * c->to_step;
            if (from < 0 || from + c->bytes > (double)src_bytes)
                return failed("a range outside of the input", from, c->bytes);
            if (to < 0 || to + c->bytes > rooms->in_bytes)
                return failed("a range outside of the room", (double)to, c->bytes);
            memcpy(rooms->in + to, src + (int64_t)from, (size_t)c->bytes);
            sum->ranges++;
            sum->copied += c->bytes;
        }
    }
    return true;
}

/* Copies out what a step made. */
static bool copy_out(const pieces_slate *slate, const pieces_rooms *rooms, const unsigned char *src,
                     int64_t src_bytes, unsigned char *dst, int64_t done, int64_t dst_bytes,
                     account *sum)
{
    if (slate->out_first != (double)done || slate->out_bytes < 1 ||
        slate->out_bytes > (double)(dst_bytes - done))
        return failed("the next range of the output", slate->out_first, slate->out_bytes);
    if (slate->out_from >= 0) {
        const int64_t each = (int64_t)slate->out_bytes / slate->out_count;
        const int64_t gap = slate->out_gap, front = slate->out_front, plain = each - gap;
        if (slate->out_count < 1 || each * slate->out_count != (int64_t)slate->out_bytes)
            return failed("rows of unequal length", slate->out_count, slate->out_bytes);
        if (front < 0 || gap < front || plain < 1 || gap * slate->out_count > rooms->out_bytes)
            return failed("the sides of rows", (double)front, (double)gap);
        if (slate->out_pitch != gap && slate->out_pitch != 0)
            return failed("the pitch of the sides", slate->out_pitch, (double)gap);
        if (slate->out_pitch == 0 && slate->out_count > 1 &&
            memcmp(rooms->out, rooms->out + gap, (size_t)gap) != 0)
            return failed("two rows with other sides", (double)front, (double)gap);
        for (int32_t k = 0; k < slate->out_count; k++) {
            const double from = slate->out_from + k * slate->out_step;
            unsigned char *row = dst + done + k * each, *sides = rooms->out + k * slate->out_pitch;
            if (from < 0 || from + (double)plain > (double)src_bytes)
                return failed("a plain copy from outside", from, (double)plain);
            memcpy(row, sides, (size_t)front);
            memcpy(row + front, src + (int64_t)from, (size_t)plain);
            memcpy(row + front + plain, sides + front, (size_t)(gap - front));
        }
        sum->plain += plain * slate->out_count;
        if (gap > 0) sum->sides += slate->out_count;
        return true;
    }
    if (slate->out_bytes > (double)rooms->out_bytes)
        return failed("more than the room", slate->out_bytes, (double)rooms->out_bytes);
    memcpy(dst + done, rooms->out, (size_t)slate->out_bytes);
    return true;
}

/* Runs a dense problem in pieces, as JavaScript does. again: the same problem as in the call before. */
static bool run_in_pieces(const tpad_problem *problem, const unsigned char *src, unsigned char *dst,
                          const void *value, const pieces_rooms *rooms, bool again, account *sum)
{
    static pieces p;
    tpad_plan plan;
    int64_t in_extents[TPAD_MAX_RANK], src_bytes = problem->elem_bits / 8, dst_bytes, done = 0;
    if (!again) memset(&p, 0x55, sizeof p);
    *sum = (account){0};
    for (int32_t i = 0; i < problem->rank; i++) {
        in_extents[i] = problem->axes[i].in_extent;
        src_bytes *= in_extents[i];
    }
    tpad_shape(problem, NULL, NULL, &dst_bytes, NULL);
    if (tpad_plan_init(&plan, sizeof plan, problem, NULL) != TPAD_OK) return false;
    int32_t more = dst_bytes > 0 && again
                       ? pieces_again(&p, &plan, value)
                       : pieces_begin(&p, &plan, in_extents, problem->elem_bits, value, rooms);
    while (more > 0) {
        const pieces_plan before = p.plans[2];
        if (!copy_in(&p.slate, rooms, src, src_bytes, sum)) return false;
        more = pieces_step(&p);
        if (memcmp(&before, &p.plans[2], sizeof before) != 0) sum->plans++;
        if (!copy_out(&p.slate, rooms, src, src_bytes, dst, done, dst_bytes, sum)) return false;
        done += (int64_t)p.slate.out_bytes;
        sum->pieces++;
    }
    return more == 0 && (done == dst_bytes || failed("the output's end", (double)done, 0));
}

static guard in_guard, out_guard;
static int64_t with_sides;

/* Rooms that end at memory that may not be accessed. */
static pieces_rooms make_rooms(int64_t in_bytes, int64_t out_bytes)
{
    return (pieces_rooms){guard_place(&in_guard, (size_t)in_bytes, GUARD_AT_END, 0),
                          guard_place(&out_guard, (size_t)out_bytes, GUARD_AT_END, 0), in_bytes,
                          out_bytes};
}

/* A problem of rows of some thousand bytes, which can be run. */
static void make_long_rows(random_problem *p, rng *r)
{
    const int64_t longest = rng_range(r, 400, 700);
    tpad_axis axes[3] = {{.in_extent = rng_range(r, 1, 2)},
                         {.in_extent = rng_range(r, 15, 30)},
                         {.in_extent = longest}};
    const tpad_problem problem = TPAD_PROBLEM(32, 3, axes);
    const int32_t whole = (int32_t)rng_range(r, -1, 2);
    for (int32_t i = 0; i < 3; i++) {
        if (i == whole) continue;
        axes[i].before = rng_range(r, i > 0 ? -5 : 0, i == 2 ? 20 : 3);
        axes[i].after = rng_range(r, i > 0 ? -5 : 0, i == 2 ? 20 : 3);
        axes[i].mode = (int32_t)rng_range(r, 0, TPAD_MODE_COUNT - 1);
        axes[i].order = (int32_t)rng_range(r, TPAD_WINDOW, TPAD_CROP);
    }
    random_problem_from(p, &problem);
}

static bool run_case(bench *b, rng *r, bool *in_several)
{
    random_problem p;
    account sum;
    if (rng_percent(r, 5)) {
        make_long_rows(&p, r);
    } else {
        do {
            random_problem_make(&p, r, RANDOM_DENSE);
            if (p.problem.elem_bits >= 8) break;
            random_problem_close(&p);
        } while (true);
    }
    const int64_t elem = oracle_unit(&p.problem), most = rng_percent(r, 30) ? 60000 : 600;
    const pieces_rooms rooms =
        make_rooms(elem + rng_range(r, 0, most), elem + rng_range(r, 0, most));
    bool good = true;
    for (int again = 0; again < 2 && good; again++) {
        bench_fill(b, r, &p);
        good = run_in_pieces(&p.problem, b->src, b->dst, b->value, &rooms, again, &sum) &&
               bench_check(b, again ? "in pieces again" : "in pieces") &&
               (guard_intact(&in_guard) || failed("written beside the input's room", 0, 0)) &&
               (guard_intact(&out_guard) || failed("written beside the output's room", 0, 0));
    }
    *in_several = sum.pieces > 1;
    if (sum.sides > 0) with_sides++;
    if (!good) {
        fprintf(stderr, "rooms of %" PRId64 " and %" PRId64 " bytes\n", rooms.in_bytes,
                rooms.out_bytes);
        random_report(&p.problem);
    }
    random_problem_close(&p);
    return good;
}

/* ---- How much is copied ---------------------------------------------------------------------- */

enum { ROOM = 64 << 10, PLANES = 16, SIDE = 256, PLANE = SIDE * SIDE };

/* Runs a problem of PLANES x SIDE x SIDE floats, of which the named axis is padded, through rooms
 * of `room` bytes. */
static account accounts_in(int64_t room, int32_t axis, tpad_axis amounts)
{
    static unsigned char src[PLANES * PLANE * 4], whole[PLANES * PLANE * 9], dst[sizeof whole];
    tpad_axis axes[3] = {{.in_extent = PLANES}, {.in_extent = SIDE}, {.in_extent = SIDE}};
    const tpad_problem problem = TPAD_PROBLEM(32, 3, axes);
    const pieces_rooms rooms = make_rooms(room, room);
    account sum;
    int64_t bytes;
    rng r = rng_seeded(1, 1);
    rng_bytes(&r, src, sizeof src);
    amounts.in_extent = axes[axis].in_extent;
    axes[axis] = amounts;
    if (tpad_shape(&problem, NULL, NULL, &bytes, NULL) != TPAD_OK ||
        tpad_pad(&problem, src, whole, NULL, NULL) != TPAD_OK ||
        !run_in_pieces(&problem, src, dst, NULL, &rooms, false, &sum) ||
        memcmp(whole, dst, (size_t)bytes) != 0) {
        fprintf(stderr, "axis %d: wrong\n", axis);
        exit(1);
    }
    return sum;
}

static account accounts(int32_t axis, tpad_axis amounts)
{
    return accounts_in(ROOM, axis, amounts);
}

static bool expect(const char *what, int64_t got, int64_t least, int64_t most)
{
    if (least <= got && got <= most) return true;
    fprintf(stderr, "%s: %" PRId64 ", not %" PRId64 " to %" PRId64 "\n", what, got, least, most);
    return false;
}

static bool check_accounts(void)
{
    const int64_t all = PLANES * (int64_t)PLANE * 4;
    /* Nothing to make: one copy. */
    account sum = accounts(0, (tpad_axis){0});
    bool good = expect("no padding, pieces", sum.pieces, 1, 1) &&
                expect("no padding, plain", sum.plain, all, all);
    /* A plane in front of the others is filled, the others are copied as they are. */
    sum = accounts(0, (tpad_axis){.before = 1});
    good = good && expect("outer axis, pieces", sum.pieces, 2, 6) &&
           expect("outer axis, plain", sum.plain, all, all);
    /* A crop of long rows: a range for each, and nothing to make. */
    sum = accounts(1, (tpad_axis){.before = -50, .after = -6});
    good = good && expect("crop, pieces", sum.pieces, 1, 1) &&
           expect("crop, plain", sum.plain, PLANES * 200 * SIDE * 4, PLANES * 200 * SIDE * 4);
    /* Of long rows only the ends are made. */
    sum = accounts(1, (tpad_axis){.before = 1, .after = 1, .mode = TPAD_EDGE});
    good = good && expect("planes, pieces", sum.pieces, 1, 1) &&
           expect("planes, plain", sum.plain, all, all) &&
           expect("planes, copied", sum.copied, 2 * PLANES * SIDE * 4, 2 * PLANES * SIDE * 4);
    sum = accounts(1, (tpad_axis){.before = 1, .after = 1});
    good = good && expect("filled ends, pieces", sum.pieces, 1, 1) &&
           expect("filled ends, copied", sum.copied, 0, 0);
    /* Each element is copied in once, in pieces of about the room's size. */
    sum = accounts(2, (tpad_axis){.before = 1, .after = 1, .mode = TPAD_EDGE});
    good = good && expect("inner axis, pieces", sum.pieces, 64, 80) &&
           expect("inner axis, copied", sum.copied, all, all) &&
           expect("inner axis, ranges", sum.ranges, sum.pieces, sum.pieces);
    /* One column less is not worth a range for each row. */
    sum = accounts(2, (tpad_axis){.after = -1});
    good = good && expect("most columns, ranges", sum.ranges, sum.pieces, sum.pieces);
    /* Of 8 columns of 256, little more than these: by ranges of a row. */
    sum = accounts(2, (tpad_axis){.before = -100, .after = -148});
    good = good && expect("columns, copied", sum.copied, all / 32, all / 2) &&
           expect("columns, ranges", sum.ranges, 1, PLANES * SIDE);
    /* A room holds the rows that are read, and they are copied once for many cells. */
    sum = accounts(1, (tpad_axis){.before = -250, .after = 300, .mode = TPAD_EDGE});
    good =
        good && expect("rows, copied", sum.copied, PLANES * 6 * SIDE * 4, PLANES * 12 * SIDE * 4);
    /* A larger room holds all rows that are read. They are copied once. */
    sum = accounts_in(2 * ROOM, 1, (tpad_axis){.before = -250, .after = 300, .mode = TPAD_EDGE});
    good = good &&
           expect("all rows, copied", sum.copied, PLANES * 6 * SIDE * 4, PLANES * 6 * SIDE * 4);
    /* Pieces of mirrored rows have a plan in common. */
    sum = accounts(1, (tpad_axis){.before = 255, .mode = TPAD_REFLECT});
    good = good && expect("mirrored rows, plans", sum.plans, 1, 2 * PLANES);
    /* The seam of wrap: what is between the ends is not copied. */
    sum = accounts(0, (tpad_axis){.before = 2, .after = -12, .mode = TPAD_WRAP});
    return good && expect("wrap, copied", sum.copied + sum.plain, 6 * PLANE * 4, 6 * PLANE * 4);
}

/* What cannot be run in pieces, and what has none. */
static bool check_refused(void)
{
    static pieces p;
    tpad_axis axis = {.in_extent = 8};
    tpad_problem problem = TPAD_PROBLEM(4, 1, &axis);
    const int64_t extent = 8;
    pieces_rooms rooms = make_rooms(8, 8);
    tpad_plan plan;
    tpad_plan_init(&plan, sizeof plan, &problem, NULL);
    bool good = expect("packed", pieces_begin(&p, &plan, &extent, 4, NULL, &rooms), -1, -1);
    problem.elem_bits = 72;
    tpad_plan_init(&plan, sizeof plan, &problem, NULL);
    good = good && expect("9 bytes", pieces_begin(&p, &plan, &extent, 72, NULL, &rooms), -1, -1);
    memset(&plan, 0, sizeof plan);
    good = good && expect("no plan", pieces_begin(&p, &plan, &extent, 8, NULL, &rooms), -1, -1);
    axis.before = -8;
    problem.elem_bits = 8;
    tpad_plan_init(&plan, sizeof plan, &problem, NULL);
    return good && expect("no cells", pieces_begin(&p, &plan, &extent, 8, NULL, &rooms), 0, 0);
}

int main(int argc, char **argv)
{
    random_run run = {"test_pieces", 1, 0, DEFAULT_CASES, NULL};
    uint64_t in_several;
    guard_open(&in_guard, RANDOM_MAX_BYTES);
    guard_open(&out_guard, RANDOM_MAX_BYTES);
    int status = cases_main(&run, argc, argv, run_case, &in_several);
    if (status == 0)
        printf("%" PRIu64 " in several pieces, %" PRId64 " with long rows\n", in_several,
               with_sides);
    if (status == 0 && !(check_accounts() && check_refused())) status = 1;
    guard_close(&in_guard);
    guard_close(&out_guard);
    return status;
}
