/* The four padding2d functions, through MLI's own interface: the calls they take and refuse.
 * SPDX-License-Identifier: MIT
 *
 * Expected statuses come from the table in docs/specs/mli.md. */
#include "padding2d.h"

#ifdef TPAD_MLI_1_0
enum { TOO_SMALL = MLI_STATUS_BAD_TENSOR };
#else
enum { TOO_SMALL = MLI_STATUS_NOT_ENGH_MEM };
#endif

/* ---- Statuses -------------------------------------------------------------------------------- */

/* A call in which everything is right: CHW, [2, 3, 4] by (1, 2, 3, 4) to [2, 10, 7]. */
typedef struct call {
    mli_tensor in, out;
    mli_padding2d_cfg cfg;
    const mli_tensor *in_given;
    const mli_padding2d_cfg *cfg_given;
    mli_tensor *out_given;
} call;

/* There is room for elements of two bytes and for gaps, so that each fault is one alone. */
enum { IN_BYTES = 24, OUT_BYTES = 140, ROOM = 3 };
static unsigned char src_memory[ROOM * IN_BYTES], dst_memory[ROOM * OUT_BYTES];

static void make_call(call *c)
{
    memset(src_memory, 0x11, sizeof src_memory);
    memset(dst_memory, 0xEE, sizeof dst_memory);
    c->in = tensor(src_memory, sizeof src_memory, 2, 3, 4, 1);
    c->out = empty_output(dst_memory, sizeof dst_memory);
    c->cfg = (mli_padding2d_cfg){1, 2, 3, 4};
    c->in_given = &c->in;
    c->cfg_given = &c->cfg;
    c->out_given = &c->out;
}

/* What can be wrong, in the order in which it is looked for. */
typedef void fault(call *c);

static void no_input(call *c)
{
    c->in_given = NULL;
}
static void rank_5(call *c)
{
    c->in.rank = 5;
}
static void input_too_small(call *c)
{
    c->in.capacity = 1;
}
static void no_output(call *c)
{
    c->out_given = NULL;
}
static void no_output_data(call *c)
{
    c->out.data = NULL;
}
static void rank_2(call *c)
{
    c->in.rank = 2;
}
static void no_configuration(call *c)
{
    c->cfg_given = NULL;
}
static void output_too_small(call *c)
{
    c->out.capacity = OUT_BYTES - 1;
}
static void wrong_type(call *c)
{
    c->in.el_type = MLI_EL_FX_16;
}
static void no_input_data(call *c)
{
    c->in.data = NULL;
}
static void in_place(call *c)
{
    if (c->in.data) c->out.data = c->in.data;
}
#ifndef TPAD_MLI_1_0
static void negative_input_stride(call *c)
{
    c->in.mem_stride[1] = -4;
}
static void empty_input(call *c)
{
    c->in.shape[1] = 0;
}
static void set_strides(mli_tensor *t, int32_t a, int32_t b, int32_t c)
{
    t->mem_stride[0] = a;
    t->mem_stride[1] = b;
    t->mem_stride[2] = c;
}
static void folded_input(call *c)
{
    set_strides(&c->in, 2, 4, 1);
}
static void gaps_in_input(call *c)
{
    set_strides(&c->in, 13, 4, 1);
}
static void wrong_output_strides(call *c)
{
    set_strides(&c->out, 70, 8, 1);
}
#endif

static const struct {
    fault *make;
    int status;
} faults[] = {
    {no_input, MLI_STATUS_BAD_TENSOR},
    {rank_5, MLI_STATUS_BAD_TENSOR},
#ifndef TPAD_MLI_1_0
    {negative_input_stride, MLI_STATUS_BAD_TENSOR},
    {empty_input, MLI_STATUS_BAD_TENSOR},
    {folded_input, MLI_STATUS_BAD_TENSOR},
#endif
    {input_too_small, TOO_SMALL},
    {no_output, MLI_STATUS_BAD_TENSOR},
    {no_output_data, MLI_STATUS_BAD_TENSOR},
    {rank_2, MLI_STATUS_SHAPE_MISMATCH},
#ifndef TPAD_MLI_1_0
    {gaps_in_input, MLI_STATUS_INCOMPATEBLE_TENSORS},
#endif
    {no_configuration, MLI_STATUS_BAD_FUNC_CFG},
#ifndef TPAD_MLI_1_0
    {wrong_output_strides, MLI_STATUS_INCOMPATEBLE_TENSORS},
#endif
    {output_too_small, MLI_STATUS_NOT_ENGH_MEM},
    {wrong_type, MLI_STATUS_TYPE_MISMATCH},
    {no_input_data, MLI_STATUS_BAD_TENSOR},
    {in_place, MLI_STATUS_INCOMPATEBLE_TENSORS},
};
enum { FAULT_COUNT = sizeof faults / sizeof faults[0] };

/* Runs the call; if it fails nothing may have been written. */
static int run_call(call *c)
{
    const mli_tensor before = c->out;
    unsigned char memory[sizeof dst_memory];
    memcpy(memory, dst_memory, sizeof memory);
    const int status = (int)mli_krn_padding2d_chw_fx8(c->in_given, c->cfg_given, c->out_given);
    if (status != MLI_STATUS_OK) {
        assert_memory_equal(&before, &c->out, sizeof before);
        assert_memory_equal(memory, dst_memory, sizeof memory);
    }
    return status;
}

static void every_status(void **state)
{
    (void)state;
    call c;
    make_call(&c);
    assert_int_equal(run_call(&c), MLI_STATUS_OK);
    for (int i = 0; i < FAULT_COUNT; i++) {
        make_call(&c);
        faults[i].make(&c);
        assert_int_equal(run_call(&c), faults[i].status);
    }
}

/* Of two faults the one that stands first in the table wins. */
static void the_first_fault_wins(void **state)
{
    (void)state;
    for (int first = 0; first < FAULT_COUNT; first++)
        for (int second = first + 1; second < FAULT_COUNT; second++) {
            call c;
            make_call(&c);
            /* Later faults are made first, so that the earlier one is never undone. */
            faults[second].make(&c);
            faults[first].make(&c);
            assert_int_equal(run_call(&c), faults[first].status);
        }
}

/* Other functions and types: each takes its own type only. */
static void types(void **state)
{
    (void)state;
    static int32_t src[24], dst[140];
    const mli_padding2d_cfg cfg = {1, 2, 3, 4};
    for (int function = 0; function < FUNCTION_COUNT; function++)
        for (int type = -1; type < 6; type++) {
            const int right = functions[function].bytes == 1 ? MLI_EL_FX_8 : MLI_EL_FX_16;
            mli_tensor in = functions[function].hwc ? tensor(src, sizeof src, 3, 4, 2, 1)
                                                    : tensor(src, sizeof src, 2, 3, 4, 1);
            mli_tensor out = empty_output(dst, sizeof dst);
            in.el_type = (mli_element_type)type;
            assert_int_equal(functions[function].run(&in, &cfg, &out),
                             type == right ? MLI_STATUS_OK : MLI_STATUS_TYPE_MISMATCH);
        }
#ifndef TPAD_MLI_1_0
    /* The sizes are still those of the wrong type, as in MLI. */
    mli_tensor in = tensor(src, 24 * 4 - 1, 2, 3, 4, 1), out = empty_output(dst, 140 * 4);
    in.el_type = MLI_EL_ASYM_I32;
    assert_int_equal(mli_krn_padding2d_chw_fx8(&in, &cfg, &out), MLI_STATUS_NOT_ENGH_MEM);
    in.capacity++;
    assert_int_equal(mli_krn_padding2d_chw_fx8(&in, &cfg, &out), MLI_STATUS_TYPE_MISMATCH);
    out.capacity--;
    assert_int_equal(mli_krn_padding2d_chw_fx8(&in, &cfg, &out), MLI_STATUS_NOT_ENGH_MEM);
    in.el_type = MLI_EL_ASYM_I8;
    assert_int_equal(mli_krn_padding2d_chw_fx8(&in, &cfg, &out), MLI_STATUS_TYPE_MISMATCH);
#endif
}

/* Ranks 0 to 4 are valid tensors, but only 3 is an image; more is never walked. */
static void ranks(void **state)
{
    (void)state;
    static const uint32_t huge[] = {5, 6, 255, 0x7FFFFFFF, 0x80000000u, 0xFFFFFFFFu};
    call c;
    for (uint32_t rank = 0; rank <= 4; rank++) {
        make_call(&c);
        c.in.shape[3] = 1;
        c.in.rank = rank;
        assert_int_equal(run_call(&c), rank == 3 ? MLI_STATUS_OK : MLI_STATUS_SHAPE_MISMATCH);
    }
    for (size_t i = 0; i < sizeof huge / sizeof huge[0]; i++) {
        make_call(&c);
        c.in.rank = huge[i];
        assert_int_equal(run_call(&c), MLI_STATUS_BAD_TENSOR);
    }
    /* The fourth entries of a tensor of rank 3 say nothing. */
    make_call(&c);
    c.in.shape[3] = 0;
#ifndef TPAD_MLI_1_0
    c.in.mem_stride[3] = -9;
    c.out.mem_stride[3] = -9;
#endif
    assert_int_equal(run_call(&c), MLI_STATUS_OK);
}

static void capacities(void **state)
{
    (void)state;
    call c;
    make_call(&c);
    c.in.capacity = IN_BYTES - 1;
    assert_int_equal(run_call(&c), TOO_SMALL);
    c.in.capacity = IN_BYTES;
    c.out.capacity = OUT_BYTES - 1;
    assert_int_equal(run_call(&c), MLI_STATUS_NOT_ENGH_MEM);
    c.out.capacity = 0;
    assert_int_equal(run_call(&c), MLI_STATUS_NOT_ENGH_MEM);
    c.out.capacity = OUT_BYTES;
    assert_int_equal(run_call(&c), MLI_STATUS_OK);

    /* Sizes whose low 32 bits are small. */
    static const uint32_t wraps[][3] = {{0x10000, 0x10000, 1},
                                        {0x80000000u, 2, 1},
                                        {0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu},
                                        {0x10000, 0x10000, 0x10000},
                                        {1, 0x80000000u, 0x80000000u},
                                        {0x80000000u, 0x80000000u, 4}};
    for (size_t i = 0; i < sizeof wraps / sizeof wraps[0]; i++) {
        make_call(&c);
        memcpy(c.in.shape, wraps[i], sizeof wraps[i]);
        c.in.capacity = 0xFFFFFFFFu;
        assert_int_equal(run_call(&c), TOO_SMALL);
    }
    /* An input that fits (or says so) and an output that does not: 2^32 and more elements, and an
     * extent that a tensor cannot name. */
    static const uint32_t grows[][3] = {
        {0x10000000, 1, 1}, {0x01010101, 1, 1}, {1, 0xFFFFFFFFu, 1}, {1, 1, 0xFFFFFFFFu}};
    for (size_t i = 0; i < sizeof grows / sizeof grows[0]; i++) {
        make_call(&c);
        memcpy(c.in.shape, grows[i], sizeof grows[i]);
        c.in.capacity = c.out.capacity = 0xFFFFFFFFu;
        c.cfg = (mli_padding2d_cfg){7, 8, 7, 8};
        assert_int_equal(run_call(&c), MLI_STATUS_NOT_ENGH_MEM);
    }
}

#ifdef TPAD_MLI_1_0

/* MLI 1.0 lets empty tensors pass; what comes of them is in test_padding2d.c. */
static void empty_tensors(void **state)
{
    (void)state;
    /* Nothing is read, so there may be nothing, or what will be the output. */
    call c;
    make_call(&c);
    c.in.shape[1] = 0;
    c.in.data = NULL;
    assert_int_equal(run_call(&c), MLI_STATUS_OK);
    make_call(&c);
    c.in.shape[1] = 0;
    c.in.data = dst_memory + 5;
    assert_int_equal(run_call(&c), MLI_STATUS_OK);
    /* Without elements there is room for any extent, but no name for this one. */
    make_call(&c);
    c.in.shape[0] = 0;
    c.in.shape[1] = 0xFFFFFFFFu;
    assert_int_equal(run_call(&c), MLI_STATUS_NOT_ENGH_MEM);
    c.cfg.padding_top = c.cfg.padding_bottom = 0;
    assert_int_equal(run_call(&c), MLI_STATUS_OK);
}

#else

static void empty_tensors(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        call c;
        make_call(&c);
        c.in.shape[axis] = 0;
        assert_int_equal(run_call(&c), MLI_STATUS_BAD_TENSOR);
    }
}

static int with_in_strides(int32_t a, int32_t b, int32_t c, uint32_t capacity)
{
    call made;
    make_call(&made);
    set_strides(&made.in, a, b, c);
    made.in.capacity = capacity;
    return run_call(&made);
}

static void strides_of_the_input(void **state)
{
    (void)state;
    assert_int_equal(with_in_strides(0, 0, 0, 24), MLI_STATUS_OK);
    assert_int_equal(with_in_strides(12, 4, 1, 24), MLI_STATUS_OK);
    assert_int_equal(with_in_strides(12, 4, 1, 23), MLI_STATUS_NOT_ENGH_MEM);
    /* One 0 and none counts, but negative ones do. */
    assert_int_equal(with_in_strides(0, 9, 9, 24), MLI_STATUS_OK);
    assert_int_equal(with_in_strides(99, 0, 1, 24), MLI_STATUS_OK);
    assert_int_equal(with_in_strides(99, 1, 0, 24), MLI_STATUS_OK);
    assert_int_equal(with_in_strides(0, -1, 0, 24), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(with_in_strides(-12, 4, 1, 24), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(with_in_strides(INT32_MIN, 4, 1, 24), MLI_STATUS_BAD_TENSOR);
    /* Elements on top of each other. */
    assert_int_equal(with_in_strides(11, 4, 1, 24), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(with_in_strides(12, 3, 1, 24), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(with_in_strides(1, 1, 1, 24), MLI_STATUS_BAD_TENSOR);
    /* Gaps: valid tensors, if there is room, but padding2d wants none. */
    assert_int_equal(with_in_strides(16, 5, 1, 16 + 10 + 3), MLI_STATUS_NOT_ENGH_MEM);
    assert_int_equal(with_in_strides(16, 5, 1, 16 + 10 + 4), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(with_in_strides(24, 8, 2, 0xFFFFFFFFu), MLI_STATUS_INCOMPATEBLE_TENSORS);
    /* Sizes beyond 32 bits, and beyond 64. */
    assert_int_equal(with_in_strides(INT32_MAX, INT32_MAX, INT32_MAX, 0xFFFFFFFFu),
                     MLI_STATUS_BAD_TENSOR);
    assert_int_equal(with_in_strides(INT32_MAX, 0x30000000, 0x08000000, 0xFFFFFFFFu),
                     MLI_STATUS_BAD_TENSOR);
    assert_int_equal(with_in_strides(INT32_MAX, 0x20000000, 0x08000000, 3623878655u),
                     MLI_STATUS_NOT_ENGH_MEM);
    assert_int_equal(with_in_strides(INT32_MAX, 0x20000000, 0x08000000, 3623878656u),
                     MLI_STATUS_INCOMPATEBLE_TENSORS);
    call c;
    make_call(&c);
    set_strides(&c.in, INT32_MAX, INT32_MAX, INT32_MAX);
    for (int i = 0; i < 3; i++) c.in.shape[i] = i == 0 ? 0xFFFFFFFFu : 1;
    c.in.capacity = 0xFFFFFFFFu;
    assert_int_equal(run_call(&c), MLI_STATUS_NOT_ENGH_MEM);
}

static int with_out_strides(int32_t a, int32_t b, int32_t c)
{
    call made;
    make_call(&made);
    set_strides(&made.out, a, b, c);
    const int status = run_call(&made);
    /* They stay as they are. */
    assert_int_equal(made.out.mem_stride[0], a);
    assert_int_equal(made.out.mem_stride[1], b);
    assert_int_equal(made.out.mem_stride[2], c);
    return status;
}

static void strides_of_the_output(void **state)
{
    (void)state;
    assert_int_equal(with_out_strides(0, 0, 0), MLI_STATUS_OK);
    assert_int_equal(with_out_strides(70, 7, 1), MLI_STATUS_OK); /* refused by MLI itself */
    assert_int_equal(with_out_strides(12, 4, 1), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(with_out_strides(71, 7, 1), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(with_out_strides(70, 8, 1), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(with_out_strides(140, 14, 2), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(with_out_strides(-70, -7, -1), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(with_out_strides(-70, 7, 1), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(with_out_strides(70, 0, 5), MLI_STATUS_OK); /* a 0 is none at all, as in MLI */
}

#endif

/* ---- Overlap --------------------------------------------------------------------------------- */

/* Input and output anywhere in one block of memory: refused exactly if they share a byte. */
static void overlap_in_every_way(void **state)
{
    (void)state;
    enum { IN = 2 * 2 * 2, OUT = 2 * 3 * 3, ALL = OUT + 2 * IN + 2 };
    static unsigned char memory[ALL];
    for (int function = 0; function < FUNCTION_COUNT; function += 2)
        for (int from = 0; from + IN <= ALL; from++)
            for (int to = 0; to + OUT <= ALL; to++) {
                const int shared = from < to + OUT && to < from + IN;
                const mli_padding2d_cfg cfg = {.padding_left = 1, .padding_top = 1};
                memset(memory, 0x33, sizeof memory);
                const mli_tensor in = tensor(memory + from, IN, 2, 2, 2, 1);
                mli_tensor out = empty_output(memory + to, OUT);
                const mli_status status = functions[function].run(&in, &cfg, &out);
                assert_int_equal(status, shared ? MLI_STATUS_INCOMPATEBLE_TENSORS : MLI_STATUS_OK);
                for (int i = 0; shared && i < ALL; i++) assert_int_equal(memory[i], 0x33);
            }
    /* One tensor as input and output; a capacity that reaches further than the tensor does. */
    call c;
    make_call(&c);
    c.in.capacity = 0xFFFFFFFFu;
    c.out.capacity = 0xFFFFFFFFu;
    assert_int_equal(run_call(&c), MLI_STATUS_OK);
    make_call(&c);
    c.in.capacity = OUT_BYTES;
    assert_int_equal(mli_krn_padding2d_chw_fx8(&c.in, &c.cfg, &c.in),
                     MLI_STATUS_INCOMPATEBLE_TENSORS);
}

/* An output of 512 MiB, by what its fields say: refused, and no byte of it looked at. */
static void too_large_for_the_engine(void **state)
{
    (void)state;
    const mli_padding2d_cfg none = {.padding_left = 0};
    for (int function = 0; function < FUNCTION_COUNT; function++) {
        unsigned char *const from = (unsigned char *)(uintptr_t)0x10000000;
        unsigned char *const to = (unsigned char *)(uintptr_t)0x50000000;
        const int bytes = functions[function].bytes;
        mli_tensor in =
            tensor(from, 0xFFFFFFFFu, 1, 1 << 14, bytes == 1 ? 1 << 15 : 1 << 14, bytes);
        mli_tensor out = empty_output(to, 0xFFFFFFFFu);
        const mli_tensor before = out;
        assert_int_equal(functions[function].run(&in, &none, &out), MLI_STATUS_NOT_SUPPORTED);
        assert_memory_equal(&out, &before, sizeof out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status),
        cmocka_unit_test(the_first_fault_wins),
        cmocka_unit_test(types),
        cmocka_unit_test(ranks),
        cmocka_unit_test(capacities),
        cmocka_unit_test(empty_tensors),
#ifndef TPAD_MLI_1_0
        cmocka_unit_test(strides_of_the_input),
        cmocka_unit_test(strides_of_the_output),
#endif
        cmocka_unit_test(overlap_in_every_way),
        cmocka_unit_test(too_large_for_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
