/* What launches say, and what is refused. SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensorpad/adjoint.h>
#include <tensorpad/gpu.h>

static tpad_gpu_launch launch;
static tpad_error error;

static tpad_plan plan_of(int32_t bits, int32_t rank, const tpad_axis *axes, int32_t flags)
{
    tpad_problem problem = TPAD_PROBLEM(bits, rank, axes);
    tpad_plan plan;
    problem.flags = flags;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, &error), TPAD_OK);
    return plan;
}

static int32_t pad(const tpad_plan *plan, uint64_t src, const void *value, const int64_t *strides)
{
    const tpad_gpu_pad_args args = {sizeof args, src, 0, value, 0, strides};
    memset(&error, 0, sizeof error);
    memset(&launch, 0x55, sizeof launch);
    const int32_t status = tpad_gpu_pad(&launch, plan, &args, &error);
    assert_int_equal(error.code, status);
    if (status != TPAD_OK) assert_int_equal(launch.blocks, 0);
    return status;
}

static int32_t adjoint(const tpad_plan *plan, int32_t number, int32_t flags, uint64_t grad_in)
{
    const tpad_gpu_adjoint_args args = {sizeof args, number, flags, 0, grad_in};
    memset(&error, 0, sizeof error);
    memset(&launch, 0x55, sizeof launch);
    const int32_t status = tpad_gpu_adjoint(&launch, plan, &args, &error);
    assert_int_equal(error.code, status);
    if (status != TPAD_OK) assert_int_equal(launch.blocks, 0);
    return status;
}

/* The kernel of a pad of 100 rows of 30 elements. */
static const char *kernel_of(int32_t bits, uint64_t src)
{
    const tpad_axis axes[2] = {{.in_extent = 100}, {.in_extent = 30, .before = 1, .after = 1}};
    const tpad_plan plan = plan_of(bits, 2, axes, 0);
    assert_int_equal(pad(&plan, src, NULL, NULL), TPAD_OK);
    return launch.kernel;
}

static void words_divide_places(void **state)
{
    (void)state;
    assert_string_equal(kernel_of(1, 0), "tpad_pad_w0_i32");
    assert_string_equal(launch.option, "-DTPAD_GPU_KERNEL=0");
    assert_int_equal(launch.blocks, 2); /* 400 bytes */
    assert_string_equal(kernel_of(8, 0), "tpad_pad_w1_i32");
    assert_string_equal(kernel_of(24, 0), "tpad_pad_w1_i32");
    assert_string_equal(kernel_of(48, 0), "tpad_pad_w2_i32");
    assert_string_equal(kernel_of(32, 0), "tpad_pad_w4_i32");
    assert_string_equal(kernel_of(32, 6), "tpad_pad_w2_i32");
    assert_string_equal(kernel_of(64, 0), "tpad_pad_w8_i32");
    assert_string_equal(kernel_of(128, 0), "tpad_pad_w16_i32");
    assert_string_equal(launch.option, "-DTPAD_GPU_KERNEL=10");
    assert_int_equal(launch.number, 10);
    assert_int_equal(launch.reads_fill, 0);
    const int64_t strides[1] = {4};
    const tpad_axis line = {.in_extent = 30, .before = 1};
    const tpad_plan plan = plan_of(32, 1, &line, 0);
    assert_int_equal(pad(&plan, 0, NULL, strides), TPAD_OK);
    assert_int_equal(launch.reads_fill, 1);
    assert_true(launch.param_bytes <= TPAD_GPU_PARAM_BYTES / 2);
}

static void large_outputs(void **state)
{
    (void)state;
    tpad_axis axes[2] = {{.in_extent = 3000000000}, {.in_extent = 3, .before = 1}};
    const tpad_plan rows = plan_of(8, 2, axes, 0);
    assert_int_equal(pad(&rows, 0, NULL, NULL), TPAD_OK);
    assert_string_equal(launch.kernel, "tpad_pad_w1_i64");
    assert_int_equal(launch.blocks, 46875000); /* 12e9 bytes, 1 a thread */
    assert_true(launch.param_bytes <= TPAD_GPU_PARAM_BYTES);
    axes[0].in_extent = 70000; /* rows */
    axes[1] = (tpad_axis){.in_extent = 1000, .before = 1};
    const tpad_plan more = plan_of(8, 2, axes, 0);
    assert_int_equal(pad(&more, 0, NULL, NULL), TPAD_OK);
    assert_string_equal(launch.kernel, "tpad_pad_w1_i32");
    assert_int_equal(launch.blocks, 70016 * (31 + 1001 - 61 * 16) / 256);
    axes[0].in_extent = 3000000000;
    axes[1] = (tpad_axis){.in_extent = 4, .before = 1, .mode = TPAD_REFLECT};
    const tpad_plan sums = plan_of(32, 2, axes, 0);
    assert_int_equal(adjoint(&sums, TPAD_NUMBER_F32, 0, 0), TPAD_OK);
    assert_string_equal(launch.kernel, "tpad_adjoint_f32_i64");
    assert_string_equal(launch.option, "-DTPAD_GPU_KERNEL=13");
    axes[0].in_extent = (int64_t)1 << 50;
    const tpad_plan huge = plan_of(32, 2, axes, 0);
    assert_int_equal(pad(&huge, 0, NULL, NULL), TPAD_E_OVERFLOW);
    assert_int_equal(adjoint(&huge, TPAD_NUMBER_F32, 0, 0), TPAD_E_OVERFLOW);
}

/* Only remainders by 16 count: of all places together, where offsets reach far. */
static void far_addresses(void **state)
{
    (void)state;
    const int64_t far = (int64_t)1 << 61;
    tpad_axis axes[2] = {{.in_extent = 4, .in_stride = 100, .out_stride = 101},
                         {.in_extent = 100, .before = 1, .in_stride = 1, .out_stride = 1}};
    for (int k = 0; k < 2; k++) {
        tpad_problem problem = TPAD_PROBLEM(8, 2, axes);
        problem.flags = TPAD_IN_STRIDES | TPAD_OUT_STRIDES;
        problem.in_offset = problem.out_offset = k ? -far : far;
        tpad_plan plan;
        tpad_gpu_launch near;
        assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, &error), TPAD_OK);
        tpad_gpu_pad_args args = {sizeof args, 5, 9, NULL, 0, NULL};
        tpad_gpu_adjoint_args sums = {sizeof sums, TPAD_NUMBER_I8, TPAD_ADJOINT_ADD, 5, 9};
        assert_int_equal(tpad_gpu_pad(&near, &plan, &args, &error), TPAD_OK);
        args.src = UINT64_MAX - 10;
        args.dst = ((uint64_t)1 << 63) + 9;
        assert_int_equal(tpad_gpu_pad(&launch, &plan, &args, &error), TPAD_OK);
        assert_memory_equal(&launch, &near, sizeof launch);
        assert_int_equal(tpad_gpu_adjoint(&near, &plan, &sums, &error), TPAD_OK);
        sums.grad_out = args.src;
        sums.grad_in = args.dst;
        assert_int_equal(tpad_gpu_adjoint(&launch, &plan, &sums, &error), TPAD_OK);
        assert_memory_equal(&launch, &near, sizeof launch);
    }
}

static void launches_suit_addresses(void **state)
{
    (void)state;
    const int64_t strides[1] = {0};
    const tpad_axis line = {.in_extent = 30, .before = 1, .mode = TPAD_EDGE};
    const tpad_plan plan = plan_of(32, 1, &line, 0), none = plan_of(32, 1, &(tpad_axis){0}, 0);
    tpad_gpu_pad_args args = {sizeof args, 0x104, 0x208, NULL, 0x30C, strides};
    assert_int_equal(tpad_gpu_pad(&launch, &plan, &args, &error), TPAD_OK);
    assert_int_equal(tpad_gpu_suits(&launch, 0x514, 0xF28, 0x1C), 1);
    assert_int_equal(tpad_gpu_suits(&launch, 0x518, 0xF28, 0x1C), 0);
    assert_int_equal(tpad_gpu_suits(&launch, 0x514, 0xF24, 0x1C), 0);
    assert_int_equal(tpad_gpu_suits(&launch, 0x514, 0xF28, 0x18), 0);
    args.fill_strides = NULL;
    assert_int_equal(tpad_gpu_pad(&launch, &plan, &args, &error), TPAD_OK);
    assert_int_equal(tpad_gpu_suits(&launch, 0x514, 0xF28, 0x18), 1);
    const tpad_gpu_adjoint_args sums = {sizeof sums, TPAD_NUMBER_F32, 0, 4, 8};
    assert_int_equal(tpad_gpu_adjoint(&launch, &plan, &sums, &error), TPAD_OK);
    assert_int_equal(tpad_gpu_suits(&launch, 0x14, 0x18, 7), 1);
    assert_int_equal(tpad_gpu_suits(&launch, 0x14, 0x1C, 7), 0);
    assert_int_equal(tpad_gpu_pad(&launch, &none, &args, &error), TPAD_OK);
    args.dst++;
    assert_int_equal(tpad_gpu_suits(&launch, args.src, args.dst, 0), 1);
}

static void nothing_to_do(void **state)
{
    (void)state;
    const tpad_axis axes[2] = {{.in_extent = 0}, {.in_extent = 3}};
    const tpad_plan none = plan_of(32, 2, axes, 0);
    assert_int_equal(pad(&none, 0, NULL, NULL), TPAD_OK);
    assert_int_equal(launch.blocks, 0);
    assert_int_equal(adjoint(&none, TPAD_NUMBER_F32, 0, 0), TPAD_OK);
    assert_int_equal(launch.blocks, 0);
}

static void refused_pads(void **state)
{
    (void)state;
    static const char value[32];
    const int64_t far[2] = {INT64_MAX / 2, 1};
    tpad_plan never = {{0}};
    tpad_axis axes[2] = {{.in_extent = 4}, {.in_extent = 3, .before = 1}};
    const tpad_plan wide = plan_of(256, 2, axes, 0), good = plan_of(32, 2, axes, 0);
    assert_int_equal(pad(&never, 0, NULL, NULL), TPAD_E_NOT_A_PLAN);
    assert_int_equal(pad(NULL, 0, NULL, NULL), TPAD_E_NOT_A_PLAN);
    tpad_gpu_pad_args args = {.struct_size = sizeof args};
    assert_int_equal(tpad_gpu_pad(NULL, &good, &args, NULL), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_gpu_pad(&launch, &good, NULL, NULL), TPAD_E_ARGUMENT);
    for (args.struct_size = 0; args.struct_size < 2 * sizeof args; args.struct_size++)
        assert_int_equal(tpad_gpu_pad(&launch, &good, &args, NULL),
                         args.struct_size == sizeof args ? TPAD_OK : TPAD_E_ARGUMENT);
    assert_int_equal(pad(&wide, 0, value, NULL), TPAD_E_ELEM);
    assert_int_equal(pad(&wide, 0, NULL, NULL), TPAD_OK);
    assert_int_equal(pad(&good, 0, NULL, far), TPAD_E_OVERFLOW);
    /* Packed: with gaps, a border, and a box that begins or ends inside a byte. */
    axes[0].out_stride = 8;
    axes[1].out_stride = 1;
    const tpad_plan gaps = plan_of(4, 2, axes, TPAD_OUT_STRIDES);
    assert_int_equal(pad(&gaps, 0, NULL, NULL), TPAD_E_ELEM);
    axes[0].out_stride = axes[1].out_stride = 0;
    const tpad_plan packed = plan_of(4, 2, axes, 0);
    tpad_plan part;
    assert_int_equal(tpad_plan_border(&part, sizeof part, &packed, &error), TPAD_OK);
    assert_int_equal(pad(&part, 0, NULL, NULL), TPAD_E_ELEM);
    const tpad_axis line = {.in_extent = 8};
    const tpad_plan row = plan_of(4, 1, &line, 0);
    for (int64_t first = 0; first < 3; first++) {
        const int64_t extent = 3 - first % 2 + (first == 2);
        const tpad_box box = {sizeof box, &first, &extent, NULL, NULL, NULL};
        assert_int_equal(tpad_plan_box(&part, sizeof part, &row, &box, &error), TPAD_OK);
        assert_int_equal(pad(&part, 0, NULL, NULL), first == 2 ? TPAD_OK : TPAD_E_ELEM);
    }
}

static void refused_gradients(void **state)
{
    (void)state;
    tpad_plan never = {{0}}, border;
    tpad_axis axes[2] = {{.in_extent = 4}, {.in_extent = 3, .before = 1}};
    const tpad_plan good = plan_of(32, 2, axes, 0);
    assert_int_equal(adjoint(&never, TPAD_NUMBER_F32, 0, 0), TPAD_E_NOT_A_PLAN);
    tpad_gpu_adjoint_args args = {sizeof args, TPAD_NUMBER_F32, 0, 0, 0};
    assert_int_equal(tpad_gpu_adjoint(NULL, &good, &args, NULL), TPAD_E_ARGUMENT);
    assert_int_equal(tpad_gpu_adjoint(&launch, &good, NULL, NULL), TPAD_E_ARGUMENT);
    args.struct_size--;
    assert_int_equal(tpad_gpu_adjoint(&launch, &good, &args, NULL), TPAD_E_ARGUMENT);
    assert_int_equal(adjoint(&good, TPAD_NUMBER_F64, 0, 0), TPAD_E_ELEM);
    assert_int_equal(adjoint(&good, 99, 0, 0), TPAD_E_ELEM);
    assert_int_equal(adjoint(&good, TPAD_NUMBER_F32, 2, 0), TPAD_E_ARGUMENT);
    assert_int_equal(adjoint(&good, TPAD_NUMBER_F32, 0, 2), TPAD_E_ARGUMENT);
    assert_int_equal(adjoint(&good, TPAD_NUMBER_F32, TPAD_ADJOINT_ADD, 4), TPAD_OK);
    assert_int_equal(tpad_plan_border(&border, sizeof border, &good, &error), TPAD_OK);
    assert_int_equal(adjoint(&border, TPAD_NUMBER_F32, 0, 0), TPAD_E_BORDER);
    axes[0].in_stride = axes[1].in_stride = 4; /* elements that lie over each other */
    const tpad_plan over = plan_of(32, 2, axes, TPAD_IN_STRIDES);
    assert_int_equal(adjoint(&over, TPAD_NUMBER_F32, 0, 0), TPAD_E_ARGUMENT);
}

static void the_source_is_text(void **state)
{
    (void)state;
    const char *text = tpad_gpu_source();
    assert_non_null(strstr(text, "TPAD_KERNEL(tpad_pad)"));
    assert_non_null(strstr(text, "TPAD_KERNEL(tpad_adjoint)"));
    assert_null(strstr(text, "#include \""));
    assert_int_equal(text[strlen(text) - 1], '\n');
    uint64_t id = 14695981039346656037u; /* FNV-1a */
    for (size_t k = 0; k < strlen(text); k++) {
        id ^= (unsigned char)text[k];
        id *= 1099511628211u;
    }
    assert_true(tpad_gpu_source_id() == id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_divide_places), cmocka_unit_test(large_outputs),
        cmocka_unit_test(far_addresses),       cmocka_unit_test(launches_suit_addresses),
        cmocka_unit_test(nothing_to_do),       cmocka_unit_test(refused_pads),
        cmocka_unit_test(refused_gradients),   cmocka_unit_test(the_source_is_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
