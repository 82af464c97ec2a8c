/* The plug-in with an ONNX Runtime of which each call fails once.  SPDX-License-Identifier: MIT */
#include "fake_ort.h"

#include <tensorpad/onnx.h>
#include <unistd.h>

#include "../kernel.h"

static struct OrtSessionOptions *const options = (struct OrtSessionOptions *)&fake;
static const char optimizers[] = "optimization.disable_specified_optimizers";

static int reset(void **state)
{
    (void)state;
    fake_reset();
    return 0;
}

static void release(ort_status *status)
{
    if (!status) return;
    free(status);
    fake.statuses--;
}

/* Asserts that the status is an error whose message has the words, and releases it. */
static void fails(ort_status *status, const char *words)
{
    assert_non_null(status);
    if (!strstr(fake.message, words)) fail_msg("'%s' has no '%s'", fake.message, words);
    release(status);
}

/* Nothing is left of what calls made, but for the two domains of each such runtime. */
static void nothing_lives(int runtimes)
{
    assert_int_equal(fake.statuses, 0);
    assert_int_equal(fake.shapes, 0);
    assert_int_equal(fake.domains, 2 * runtimes);
}

static ort_status *register_with(const struct OrtApiBase *base)
{
    return (ort_status *)RegisterCustomOps(options, base);
}

/* The operator for elements of that type as ONNX Runtime counts types. */
static const ort_op *op_for(int type, int axes_type)
{
    for (int i = 0; i < fake.ops_count; i++) {
        const ort_op *op = fake.ops[i];
        if (op->input_type(op, 0) == type && op->input_type(op, 3) == axes_type) return op;
    }
    fail_msg("no operator for type %d", type);
    return NULL;
}

/* ---- Registering ----------------------------------------------------------------------------- */

static void test_types_follow_the_version(void **state)
{
    static const struct {
        const char *version;
        int types;
    } known[] = {{"1.17.3", 18}, {"1.18.1", 18}, {"1.19.2", 20}, {"1.23.2", 20}, {"1.24.4", 23},
                 {"1.27.0", 24}, {"1.30.0", 24}, {"1.31.1", 24}, {"1.40", 24},   {"2.0.0", 24}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        fake_reset();
        assert_null(register_with(fake_runtime(known[i].version)));
        assert_int_equal(fake.ops_count, 2 * known[i].types);
        assert_int_equal(fake.prepared_ops, 2 * known[i].types);
        assert_int_equal(fake.onnx, 1);
        assert_int_equal(fake.prepared, 1);
        assert_string_equal(fake.entries[1].key, optimizers);
        assert_string_equal(fake.entries[1].value, "Pad_Fusion");
    }
}

static void test_an_operator_is_onnx_pad(void **state)
{
    (void)state;
    assert_null(register_with(fake_runtime("1.31.1")));
    for (int i = 0; i < fake.ops_count; i++) {
        const ort_op *op = fake.ops[i];
        assert_int_equal(op->version, ORT_API_VERSION_USED);
        assert_string_equal(op->name(op), "Pad");
        assert_null(op->provider(op));
        assert_int_equal(op->input_count(op), 4);
        assert_int_equal(op->output_count(op), 1);
        assert_int_equal(op->input_type(op, 1), TPAD_ONNX_INT64);
        assert_int_equal(op->input_type(op, 2), op->input_type(op, 0));
        assert_int_equal(op->output_type(op, 0), op->input_type(op, 0));
        assert_int_equal(op->input_kind(op, 0), ORT_REQUIRED);
        for (size_t k = 1; k < 4; k++) assert_int_equal(op->input_kind(op, k), ORT_OPTIONAL);
        assert_int_equal(op->output_kind(op, 0), ORT_REQUIRED);
        assert_int_equal(op->input_memory(op, 0), 0);
        assert_int_equal(op->first_version(op), 1);
        assert_true(op->last_version(op) >= 25);
        assert_non_null(op->infer);
    }
    fake_reset();
    assert_null(register_with(fake_runtime("1.23.2"))); /* it dies of inference */
    for (int i = 0; i < fake.ops_count; i++) assert_null(fake.ops[i]->infer);
}

static void test_a_second_call_does_nothing(void **state)
{
    const struct OrtApiBase *base = fake_runtime("1.31.1");
    (void)state;
    assert_null(register_with(base));
    const fake_ort once = fake;
    assert_null((ort_status *)tpad_ort_register(options, base));
    assert_int_equal(fake.ops_count, once.ops_count);
    assert_int_equal(fake.onnx, 1);
    assert_memory_equal(fake.entries, once.entries, sizeof once.entries);
    memset(fake.entries, 0, sizeof fake.entries); /* other options: the same operators */
    assert_null(register_with(base));
    assert_int_equal(fake.ops_count, once.ops_count);
    assert_int_equal(fake.onnx, 2);
}

/* A prepared model says which Pads are the plug-in's; the others stay as ONNX Runtime has them. */
static void test_options_for_prepared_models(void **state)
{
    (void)state;
    const struct OrtApiBase *base = fake_runtime("1.31.1");
    strcpy(fake.entries[0].key, "tensorpad.only_prepared");
    strcpy(fake.entries[0].value, "1");
    for (int i = 0; i < 2; i++) {
        assert_null(register_with(base));
        assert_int_equal(fake.prepared, 1);
        assert_int_equal(fake.onnx, 0);
        assert_string_equal(fake.entries[1].key, "tensorpad.pad");
        assert_string_equal(fake.entries[2].key, "");
    }
}

/* A program may unload ONNX Runtime and load another one, which then lies at the same address. */
static void test_another_library_at_the_same_address(void **state)
{
    const struct OrtApiBase *base = fake_runtime("1.31.1");
    (void)state;
    assert_null(register_with(base));
    fake_reset();
    fake.version = "1.31.1"; /* the same version, whose functions lie elsewhere */
    fake.reloaded = 1;
    assert_null(register_with(base));
    assert_int_equal(fake.ops_count, 2 * 24);
    assert_int_equal(fake.onnx, 1);
    fake_reset();
    fake.version = "1.17.3"; /* another version, whose functions lie where they were */
    fake.reloaded = 1;
    assert_null(register_with(base));
    assert_int_equal(fake.ops_count, 2 * 18);
    assert_int_equal(fake.onnx, 1);
}

/* As two threads do that meet a new runtime at the same time: each makes operators of its own. */
static void test_two_calls_at_the_same_time(void **state)
{
    const struct OrtApiBase *base = fake_runtime("1.31.1");
    (void)state;
    fake.meanwhile = base;
    alarm(60); /* one that waits for the other would wait for ever */
    assert_null(register_with(base));
    alarm(0);
    assert_int_equal(fake.ops_count, 2 * 2 * 24);
    assert_int_equal(fake.onnx, 1); /* they had the same options */
    memset(fake.entries, 0, sizeof fake.entries);
    assert_null(register_with(base));
    assert_int_equal(fake.ops_count, 2 * 2 * 24);
    assert_int_equal(fake.onnx, 2);
}

static void test_what_is_switched_off_stays_off(void **state)
{
    (void)state;
    strcpy(fake.entries[0].key, optimizers);
    strcpy(fake.entries[0].value, "GeluFusion;X");
    assert_null(register_with(fake_runtime("1.31.1")));
    assert_string_equal(fake.entries[0].value, "GeluFusion;X;Pad_Fusion");
}

static void test_an_older_version_is_refused(void **state)
{
    (void)state;
    fails(register_with(fake_old_runtime()), "tensorpad needs ONNX Runtime 1.17 or newer");
}

static void test_each_call_of_registering_may_fail(void **state)
{
    (void)state;
    for (int there = 0; there < 2; there++) {
        for (int k = 1;; k++) {
            const struct OrtApiBase *base = fake_runtime("1.31.1");
            fake_reset();
            fake.version = "1.31.1";
            if (there) strcpy(fake.entries[0].key, optimizers);
            fake.fails_at = k;
            ort_status *status = register_with(base);
            if (!status) {
                assert_true(k > 48);
                break;
            }
            release(status);
            nothing_lives(fake.prepared_ops == 48); /* all of it, or none */
            fake.fails_at = fake.ops_count = 0;
            assert_null(register_with(base));
            nothing_lives(1);
        }
    }
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

enum { FLOAT = TPAD_ONNX_FLOAT, INT64 = TPAD_ONNX_INT64, STRING = TPAD_ONNX_STRING };

static const int64_t two_by_two[] = {1, 0, 0, 1};
static float four[] = {1, 2, 3, 4};

/* Registers, and takes one operator. */
static const ort_op *an_op(int type, int axes_type)
{
    assert_null(register_with(fake_runtime("1.31.1")));
    fake.node_name = "a pad";
    return op_for(type, axes_type);
}

static ort_value tensor(int type, size_t rank, const int64_t *extents, void *data)
{
    ort_value made = {.shape = {.type = type, .rank = rank}, .data = data};
    for (size_t i = 0; i < rank; i++) made.shape.extents[i] = extents[i];
    return made;
}

static ort_value list(const int64_t *numbers, int64_t count)
{
    return tensor(INT64, 1, &count, (void *)(uintptr_t)numbers);
}

static void *new_kernel(const ort_op *op)
{
    void *kernel = NULL;
    ort_status *status = op->create(op, NULL, NULL, &kernel);
    if (status) fail_msg("%s", fake.message);
    assert_non_null(kernel);
    return kernel;
}

static void refuses_attribute(const char *name, char kind, size_t count, const char *words)
{
    void *kernel = &kernel;
    fake_reset();
    const ort_op *op = an_op(FLOAT, INT64);
    fake.attributes[0] = (fake_attribute){.name = name, .kind = kind, .text = "", .count = count};
    fails(op->create(op, NULL, NULL, &kernel), words);
    assert_null(kernel);
    op->destroy(kernel); /* does nothing */
    nothing_lives(1);
}

static void test_attributes_of_another_kind_are_refused(void **state)
{
    (void)state;
    refuses_attribute("mode", 'i', 0, "Pad 'a pad': attribute 'mode' must be a string");
    refuses_attribute("mode", 'l', 0, "attribute 'mode' must be a string");
    refuses_attribute("pads", 'f', 0, "'pads' and 'paddings' must be lists");
    refuses_attribute("paddings", 's', 0, "must be lists of integers");
    refuses_attribute("pads", 'l', (size_t)INT32_MAX + 1, "too long");
    refuses_attribute("value", 'i', 0, "attribute 'value' must be a float");
    refuses_attribute("axes", 'l', 0, "axes are an input, not an attribute");
}

/* Runs with what lies in `fake`; the output is floats. */
static void gives(const ort_op *op, void *kernel, size_t rank, const int64_t *extents,
                  const float *wanted)
{
    size_t cells = 1;
    ort_status *status = op->compute(kernel, NULL);
    if (status) fail_msg("%s", fake.message);
    assert_int_equal(fake.output.shape.rank, rank);
    for (size_t i = 0; i < rank; i++) {
        assert_int_equal(fake.output.shape.extents[i], extents[i]);
        cells *= (size_t)extents[i];
    }
    if (cells > 0) assert_memory_equal(fake.output.data, wanted, cells * sizeof *wanted);
}

static void test_arguments_as_attributes(void **state)
{
    static const float wanted[] = {9, 9, 9, 1, 2, 9, 3, 4, 9};
    static const char *const names[] = {"pads", "paddings"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        fake_reset();
        const ort_op *op = an_op(FLOAT, INT64);
        fake.attributes[0] =
            (fake_attribute){.name = names[i], .kind = 'l', .list = two_by_two, .count = 4};
        fake.attributes[1] = (fake_attribute){.name = "value", .kind = 'f', .real = 9};
        fake.attributes[2] = (fake_attribute){.name = "mode", .kind = 's', .text = "constant"};
        ort_value x = tensor(FLOAT, 2, (int64_t[]){2, 2}, four);
        fake.inputs[0] = &x;
        fake.inputs_count = 1;
        void *kernel = new_kernel(op);
        gives(op, kernel, 2, (int64_t[]){3, 3}, wanted);
        op->destroy(kernel);
        nothing_lives(1);
    }
}

static void test_arguments_as_inputs(void **state)
{
    const ort_op *op = an_op(FLOAT, TPAD_ONNX_INT32);
    static float nine = 9;
    int64_t pads[] = {1, 0};
    int32_t axis = -1;
    ort_value x = tensor(FLOAT, 2, (int64_t[]){2, 2}, four), amounts = list(pads, 2),
              value = tensor(FLOAT, 0, NULL, &nine),
              axes = tensor(TPAD_ONNX_INT32, 1, (int64_t[]){1}, &axis);
    (void)state;
    memcpy(fake.inputs, (ort_value *[]){&x, &amounts, &value, &axes}, sizeof fake.inputs);
    fake.inputs_count = 4;
    fake.node_name = NULL;
    void *kernel = new_kernel(op);
    gives(op, kernel, 2, (int64_t[]){2, 3}, (float[]){9, 1, 2, 9, 3, 4});
    const int allocations = fake.allocations;
    gives(op, kernel, 2, (int64_t[]){2, 3}, (float[]){9, 1, 2, 9, 3, 4});
    assert_int_equal(fake.allocations, allocations); /* the plan is kept */
    axis = 0; /* the same shapes, another axis: another plan */
    gives(op, kernel, 2, (int64_t[]){3, 2}, (float[]){9, 9, 1, 2, 3, 4});
    pads[1] = -1;
    gives(op, kernel, 2, (int64_t[]){2, 2}, (float[]){9, 9, 1, 2});
    pads[1] = 0;
    nine = 8; /* the value is no part of the plan */
    gives(op, kernel, 2, (int64_t[]){3, 2}, (float[]){8, 8, 1, 2, 3, 4});
    fake.inputs[2] = NULL;
    gives(op, kernel, 2, (int64_t[]){3, 2}, (float[]){0, 0, 1, 2, 3, 4});
    x.shape.extents[0] = 1;
    gives(op, kernel, 2, (int64_t[]){2, 2}, (float[]){0, 0, 1, 2});
    fake.inputs[3] = NULL;
    fails(op->compute(kernel, NULL), "Pad '': pads: 2 entries");
    fake.inputs[3] = &axes;
    gives(op, kernel, 2, (int64_t[]){2, 2}, (float[]){0, 0, 1, 2});
    op->destroy(kernel);
    nothing_lives(1);
}

/* A thread that holds the last plan may be stopped for long: nobody waits for it. */
static void test_nobody_waits_for_the_last_plan(void **state)
{
    const ort_op *op = an_op(FLOAT, INT64);
    ort_value x = tensor(FLOAT, 2, (int64_t[]){2, 2}, four), amounts = list(two_by_two, 4);
    static const float wanted[] = {0, 0, 0, 1, 2, 0, 3, 4, 0};
    (void)state;
    memcpy(fake.inputs, (ort_value *[]){&x, &amounts}, 2 * sizeof *fake.inputs);
    fake.inputs_count = 2;
    pad_kernel *kernel = new_kernel(op);
    alarm(60); /* a thread that waits here would wait for ever */
    assert_false(atomic_flag_test_and_set(&kernel->plans.busy));
    gives(op, kernel, 2, (int64_t[]){3, 3}, wanted);
    assert_null(kernel->plans.last); /* it had a plan of its own */
    atomic_flag_clear(&kernel->plans.busy);
    gives(op, kernel, 2, (int64_t[]){3, 3}, wanted);
    const pad_planned *kept = kernel->plans.last;
    assert_non_null(kept);
    assert_false(atomic_flag_test_and_set(&kernel->plans.busy));
    gives(op, kernel, 2, (int64_t[]){3, 3}, wanted);
    atomic_flag_clear(&kernel->plans.busy);
    assert_ptr_equal(kernel->plans.last, kept);
    alarm(0);
    op->destroy(kernel);
    nothing_lives(1);
}

/* What the built-in Pad allows beyond the document: one row of pads, a value of rank 2. */
static void test_amounts_in_one_row(void **state)
{
    const ort_op *op = an_op(FLOAT, INT64);
    static float nine = 9;
    int64_t pads[] = {1, 0, 0, 1};
    ort_value x = tensor(FLOAT, 2, (int64_t[]){2, 2}, four),
              amounts = tensor(INT64, 2, (int64_t[]){1, 4}, pads),
              value = tensor(FLOAT, 2, (int64_t[]){1, 1}, &nine);
    (void)state;
    memcpy(fake.inputs, (ort_value *[]){&x, &amounts, &value}, 3 * sizeof *fake.inputs);
    fake.inputs_count = 3;
    void *kernel = new_kernel(op);
    gives(op, kernel, 2, (int64_t[]){3, 3}, (float[]){9, 9, 9, 1, 2, 9, 3, 4, 9});
    pads[0] = 0; /* another plan */
    gives(op, kernel, 2, (int64_t[]){2, 3}, (float[]){1, 2, 9, 3, 4, 9});
    amounts = tensor(INT64, 2, (int64_t[]){0, 400}, NULL); /* no amounts at all */
    fails(op->compute(kernel, NULL), "pads: rank 2");
    op->destroy(kernel);
    nothing_lives(1);
}

static void test_wrong_inputs(void **state)
{
    const ort_op *op = an_op(FLOAT, INT64);
    static const int64_t many[100] = {0};
    ort_value x = tensor(FLOAT, 2, (int64_t[]){2, 2}, four), amounts = list(many, 100);
    (void)state;
    void *kernel = new_kernel(op);
    fails(op->compute(kernel, NULL), "Pad 'a pad': input 'data' is missing");
    fake.inputs[1] = &amounts;
    fake.inputs_count = 2;
    fails(op->compute(kernel, NULL), "Pad 'a pad': input 'data' is missing");
    fake.inputs[0] = &x;
    fails(op->compute(kernel, NULL), "Pad 'a pad': pads: 100 entries");
    x.shape.rank = TPAD_MAX_RANK + 1;
    fails(op->compute(kernel, NULL), "Pad 'a pad': an input has too many axes");
    op->destroy(kernel);
    nothing_lives(1);
}

static void test_an_output_without_elements(void **state)
{
    const ort_op *op = an_op(FLOAT, INT64);
    static const int64_t pads[] = {0, 3};
    ort_value x = tensor(FLOAT, 2, (int64_t[]){0, 2}, NULL), amounts = list(two_by_two, 4);
    (void)state;
    memcpy(fake.inputs, (ort_value *[]){&x, &amounts}, 2 * sizeof *fake.inputs);
    fake.inputs_count = 2;
    void *kernel = new_kernel(op);
    gives(op, kernel, 2, (int64_t[]){1, 3}, (float[]){0, 0, 0});
    amounts = list((int64_t[]){0, 1, 0, 1}, 4);
    gives(op, kernel, 2, (int64_t[]){0, 4}, NULL);
    x = tensor(FLOAT, 0, NULL, four);
    amounts = list(pads, 0);
    gives(op, kernel, 0, NULL, four);
    op->destroy(kernel);
    nothing_lives(1);
}

static void test_a_large_output_is_shared_by_threads(void **state)
{
    enum { ROWS = 1500, COLUMNS = 1001 };
    const ort_op *op = an_op(FLOAT, INT64);
    float *data = malloc(ROWS * COLUMNS * sizeof *data);
    ort_value x = tensor(FLOAT, 2, (int64_t[]){ROWS, COLUMNS}, data), amounts = list(two_by_two, 4);
    (void)state;
    for (int i = 0; i < ROWS * COLUMNS; i++) data[i] = (float)i;
    memcpy(fake.inputs, (ort_value *[]){&x, &amounts}, 2 * sizeof *fake.inputs);
    fake.inputs_count = 2;
    void *kernel = new_kernel(op);
    assert_null(op->compute(kernel, NULL));
    assert_true(fake.parts > 1);
    const float *y = fake.output.data;
    for (int i = 0; i < ROWS + 1; i++)
        for (int k = 0; k < COLUMNS + 1; k++) {
            const float wanted = i && k < COLUMNS ? data[(i - 1) * COLUMNS + k] : 0;
            if (y[i * (COLUMNS + 1) + k] != wanted) fail_msg("[%d, %d] is wrong", i, k);
        }
    for (int k = 1;; k++) { /* the pool of threads may refuse, too */
        fake.calls = 0;
        fake.fails_at = k;
        ort_status *status = op->compute(kernel, NULL);
        if (!status) break;
        fails(status, "as told");
    }
    op->destroy(kernel);
    free(data);
    nothing_lives(1);
}

/* A program may bind one value as input and output; ONNX Runtime's own Pad is right there. */
static void test_one_value_on_both_sides(void **state)
{
    const ort_op *op = an_op(FLOAT, INT64);
    float numbers[] = {1, 2, 3, 4};
    ort_value x = tensor(FLOAT, 2, (int64_t[]){2, 2}, numbers),
              amounts = list((int64_t[]){1, 0, -1, 0}, 4);
    (void)state;
    memcpy(fake.inputs, (ort_value *[]){&x, &amounts}, 2 * sizeof *fake.inputs);
    fake.inputs_count = 2;
    fake.bound = &x;
    void *kernel = new_kernel(op);
    for (int k = 1;; k++) { /* also the copy of the input may fail */
        fake.calls = 0;
        fake.fails_at = k;
        ort_status *status = op->compute(kernel, NULL);
        if (!status) break;
        release(status);
    }
    assert_memory_equal(numbers, ((float[]){0, 0, 1, 2}), sizeof numbers);
    ort_value without_memory = tensor(FLOAT, 2, (int64_t[]){2, 2}, NULL);
    fake.bound = &without_memory;
    fake.fails_at = 0;
    fails(op->compute(kernel, NULL), "Pad 'a pad': a required argument is missing");
    op->destroy(kernel);
    nothing_lives(1);
}

/* ---- Strings --------------------------------------------------------------------------------- */

static void strings_are(size_t count, const char *const *wanted)
{
    for (size_t i = 0; i < count; i++) assert_string_equal(fake.output.texts[i], wanted[i]);
}

static void test_strings(void **state)
{
    const ort_op *op = an_op(STRING, INT64);
    char *texts[] = {"one", "", "three"}, *fill[] = {"fill"};
    static const int64_t pads[] = {1, 2};
    ort_value x = tensor(STRING, 1, (int64_t[]){3}, NULL), amounts = list(pads, 2),
              value = tensor(STRING, 0, NULL, NULL);
    (void)state;
    x.texts = texts;
    value.texts = fill;
    memcpy(fake.inputs, (ort_value *[]){&x, &amounts, &value}, 3 * sizeof *fake.inputs);
    fake.inputs_count = 3;
    void *kernel = new_kernel(op);
    assert_null(op->compute(kernel, NULL));
    strings_are(6, (const char *[]){"fill", "one", "", "three", "fill", "fill"});
    fake.inputs[2] = NULL;
    assert_null(op->compute(kernel, NULL));
    strings_are(6, (const char *[]){"", "one", "", "three", "", ""});
    x.shape.extents[0] = 0;
    assert_null(op->compute(kernel, NULL));
    strings_are(3, (const char *[]){"", "", ""});
    op->destroy(kernel);
    nothing_lives(1);
}

/* ---- Each call fails ------------------------------------------------------------------------- */

static void test_each_call_of_a_node_may_fail(void **state)
{
    char *texts[] = {"one", "two", "three", "four"}, *fill[] = {"fill"};
    static float nine = 9;
    static const int64_t axis[] = {0, 1};
    ort_value amounts = list(two_by_two, 4), axes = list(axis, 2);
    (void)state;
    for (int type = FLOAT; type <= STRING; type += STRING - FLOAT) {
        fake_reset();
        const ort_op *op = an_op(type, INT64);
        ort_value x = tensor(type, 2, (int64_t[]){2, 2}, four),
                  value = tensor(type, 0, NULL, &nine);
        x.texts = texts;
        value.texts = fill;
        memcpy(fake.inputs, (ort_value *[]){&x, &amounts, &value, &axes}, sizeof fake.inputs);
        fake.attributes[0] = (fake_attribute){.name = "mode", .kind = 's', .text = "constant"};
        fake.inputs_count = 4;
        for (int k = 1;; k++) {
            void *kernel = NULL;
            fake.calls = 0;
            fake.fails_at = k;
            ort_status *status = op->create(op, NULL, NULL, &kernel);
            assert_true((status == NULL) == (kernel != NULL));
            if (!status) status = op->compute(kernel, NULL);
            const int over = fake.calls < k;
            release(status);
            if (over) assert_null(status);
            op->destroy(kernel);
            nothing_lives(1);
            if (over) break;
        }
    }
}

static void test_each_call_for_attributes_may_fail(void **state)
{
    ort_value x = tensor(FLOAT, 2, (int64_t[]){2, 2}, four);
    const ort_op *op = an_op(FLOAT, INT64);
    (void)state;
    fake.attributes[0] =
        (fake_attribute){.name = "pads", .kind = 'l', .list = two_by_two, .count = 4};
    fake.attributes[1] = (fake_attribute){.name = "paddings", .kind = 'l'};
    fake.attributes[2] = (fake_attribute){.name = "mode", .kind = 's', .text = "edge"};
    fake.inputs[0] = &x;
    fake.inputs_count = 1;
    for (int k = 1;; k++) {
        void *kernel = NULL;
        fake.calls = 0;
        fake.fails_at = k;
        release(op->create(op, NULL, NULL, &kernel));
        op->destroy(kernel);
        nothing_lives(1);
        if (fake.calls < k) break;
    }
}

/* ---- Shapes before the run ------------------------------------------------------------------- */

static void infers(const ort_op *op, size_t rank, const int64_t *extents)
{
    const int before = fake.inferences;
    assert_null(op->infer(op, NULL));
    assert_int_equal(fake.inferences, before + 1);
    assert_int_equal(fake.inferred.type, fake.inputs[0]->shape.type);
    assert_int_equal(fake.inferred.rank, rank);
    for (size_t i = 0; i < rank; i++) {
        assert_int_equal(fake.inferred.extents[i], extents[i]);
        assert_int_equal(fake.inferred.names[i][0] != '\0', extents[i] < 0);
        for (size_t k = 0; k < i && extents[i] < 0; k++)
            assert_string_not_equal(fake.inferred.names[i], fake.inferred.names[k]);
    }
}

static void test_shapes_are_told(void **state)
{
    const ort_op *op = an_op(FLOAT, INT64);
    static const int64_t amounts[] = {1, 0, -5, 2, INT64_MAX, 0}, few[] = {1, 2};
    ort_value x = tensor(INT64, 3, (int64_t[]){4, -1, 3}, NULL);
    (void)state;
    fake.inputs[0] = &x;
    infers(op, 3, (int64_t[]){-1, -1, -1});
    fake.attributes[0] = (fake_attribute){.name = "pads", .kind = 'l', .list = amounts, .count = 6};
    infers(op, 3, (int64_t[]){7, -1, -1}); /* 3 - 5 is below 0 */
    x.shape.extents[2] = INT64_MAX;
    infers(op, 3, (int64_t[]){7, -1, INT64_MAX - 5});
    fake.attributes[0].name = "paddings";
    x = tensor(FLOAT, 3, (int64_t[]){INT64_MAX, 5, 6}, NULL);
    infers(op, 3, (int64_t[]){-1, -1, 1});
    fake.attributes[0] = (fake_attribute){.name = "pads", .kind = 'l', .list = few, .count = 2};
    infers(op, 3, (int64_t[]){-1, -1, -1});
    const int told = fake.inferences;
    x.shape.rank = TPAD_MAX_RANK + 1;
    assert_null(op->infer(op, NULL)); /* nothing is told */
    x.shape.rank = 0;                 /* or not known */
    assert_null(op->infer(op, NULL));
    x.shape.type = TPAD_ONNX_FLOAT4E2M1 + 1;
    x.shape.rank = 3;
    assert_null(op->infer(op, NULL));
    assert_int_equal(fake.inferences, told);
    x.shape.type = FLOAT;
    x.shape.rank = 3;
    for (int k = 1;; k++) {
        fake.calls = 0;
        fake.fails_at = k;
        release(op->infer(op, NULL));
        if (fake.calls < k) break;
    }
    nothing_lives(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_types_follow_the_version, reset),
        cmocka_unit_test_setup(test_an_operator_is_onnx_pad, reset),
        cmocka_unit_test_setup(test_a_second_call_does_nothing, reset),
        cmocka_unit_test_setup(test_options_for_prepared_models, reset),
        cmocka_unit_test_setup(test_another_library_at_the_same_address, reset),
        cmocka_unit_test_setup(test_two_calls_at_the_same_time, reset),
        cmocka_unit_test_setup(test_what_is_switched_off_stays_off, reset),
        cmocka_unit_test_setup(test_an_older_version_is_refused, reset),
        cmocka_unit_test_setup(test_each_call_of_registering_may_fail, reset),
        cmocka_unit_test_setup(test_attributes_of_another_kind_are_refused, reset),
        cmocka_unit_test_setup(test_arguments_as_attributes, reset),
        cmocka_unit_test_setup(test_arguments_as_inputs, reset),
        cmocka_unit_test_setup(test_nobody_waits_for_the_last_plan, reset),
        cmocka_unit_test_setup(test_amounts_in_one_row, reset),
        cmocka_unit_test_setup(test_wrong_inputs, reset),
        cmocka_unit_test_setup(test_an_output_without_elements, reset),
        cmocka_unit_test_setup(test_a_large_output_is_shared_by_threads, reset),
        cmocka_unit_test_setup(test_one_value_on_both_sides, reset),
        cmocka_unit_test_setup(test_strings, reset),
        cmocka_unit_test_setup(test_each_call_of_a_node_may_fail, reset),
        cmocka_unit_test_setup(test_each_call_for_attributes_may_fail, reset),
        cmocka_unit_test_setup(test_shapes_are_told, reset),
    };
    return cmocka_run_group_tests(tests, NULL, reset);
}
