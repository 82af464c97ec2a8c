/* The plug-in inside ONNX Runtime, of whose functions each call fails once.
 * SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "failing_ort.h"

/* ---- Registering ----------------------------------------------------------------------------- */

static void test_types_follow_the_version(void **state)
{
    static const struct {
        const char *version;
        int types, infers;
    } known[] = {{"1.17.3", 18, 0}, {"1.18.1", 18, 0}, {"1.19.2", 20, 0}, {"1.23.2", 20, 0},
                 {"1.24.4", 23, 1}, {"1.27.0", 24, 1}, {"1.30.0", 24, 1}, {"1.31.1", 24, 1},
                 {"1.40", 24, 1},   {"2.0.0", 24, 1}};
    /* A program may load one version after the other at the same address. */
    const struct OrtApiBase *base = new_base();
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const int ops = 2 * 2 * known[i].types; /* types of axes, domains */
        reset(NULL);
        version = known[i].version;
        for (int k = 0; k < 2; k++) { /* other options: the same operators */
            ort_options *options = new_options(1);
            assert_null(register_with(options, base));
            assert_null(register_with(options, base));
            assert_int_equal(added, ops);
            assert_int_equal(inferring, known[i].infers * ops);
            api.release_options(options);
        }
    }
    ort_options *options = new_options(1); /* the same version, but its functions are elsewhere */
    ort_any_function *moved = &table[AT_node_name];
    *moved = (ort_any_function)call_info_string;
    assert_null(register_with(options, base));
    assert_int_equal(added, 2 * 2 * 2 * 24);
    api.release_options(options);
}

static void test_an_older_version_is_refused(void **state)
{
    ort_options *options = new_options(1);
    (void)state;
    is_old = 1;
    fails(register_with(options, new_base()), "tensorpad needs ONNX Runtime 1.17 or newer");
    api.release_options(options);
}

static void test_each_call_of_registering_may_fail(void **state)
{
    (void)state;
    for (int there = 0; there < 2; there++)
        for (int k = 1;; k++) {
            const struct OrtApiBase *base = new_base();
            ort_options *options = new_options(1);
            reset(NULL);
            if (there)
                succeeds(api.add_entry(options, "optimization.disable_specified_optimizers", "X"));
            fails_at = k;
            counting = 1;
            ort_status *status = register_with(options, base);
            counting = 0;
            nothing_lives();
            if (status) {
                api.release_status(status);
                assert_int_equal(domains, 2 * (added == 2 * 48)); /* all of it, or none */
                assert_null(register_with(options, base));
            }
            assert_int_equal(domains, 2);
            api.release_options(options);
            if (!status) {
                assert_true(k > 2 * 48);
                break;
            }
        }
}

static ort_options *options_of_both;
static const struct OrtApiBase *base_of_both;

static void register_too(void)
{
    assert_null(register_with(options_of_both, base_of_both));
}

/* As two threads do that meet a new runtime at the same time: each makes operators of its own. */
static void test_two_calls_at_the_same_time(void **state)
{
    (void)state;
    options_of_both = new_options(1);
    base_of_both = new_base();
    meanwhile = register_too;
    alarm(60); /* one that waits for the other would wait for ever */
    register_too();
    alarm(0);
    assert_int_equal(added, 2 * 2 * 48);
    register_too();
    assert_int_equal(added, 2 * 2 * 48);
    api.release_options(options_of_both);
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

enum { FLOAT = TPAD_ONNX_FLOAT, INT64 = TPAD_ONNX_INT64, STRING = TPAD_ONNX_STRING };

/* The types of attributes in ONNX. */
enum { A_FLOAT = 1, AN_INTEGER, A_TEXT, INTEGERS = 7 };

static void add_attribute(message *n, const char *name, int type, const int64_t *list, int count)
{
    message m = {0};
    put_text(&m, ATTR_NAME, name);
    if (type == A_FLOAT) put_float(&m, ATTR_F, 9);
    if (type == AN_INTEGER) put_number(&m, ATTR_I, 1);
    if (type == A_TEXT) put_text(&m, ATTR_S, "constant");
    for (int i = 0; i < count; i++) put_number(&m, ATTR_INTS, list[i]);
    put_number(&m, ATTR_TYPE, type);
    put_message(n, NODE_ATTRIBUTE, &m);
}

/* A node that has these of the inputs x, pads, value and axes. */
static message a_node(const char *inputs)
{
    return node("Pad", "a pad", inputs, "y");
}

static message model_with(const message *n, const char *inputs, int type, int rank,
                          const int64_t *shape, int64_t opset)
{
    message graph = {0};
    put_message(&graph, GRAPH_NODE, n);
    put_text(&graph, GRAPH_NAME, "graph");
    add_value(&graph, GRAPH_INPUT, "x", type, rank, shape);
    if (strstr(inputs, "pads")) add_value(&graph, GRAPH_INPUT, "pads", INT64, -1, NULL);
    if (strstr(inputs, "value")) add_value(&graph, GRAPH_INPUT, "value", type, -1, NULL);
    if (strstr(inputs, "axes")) add_value(&graph, GRAPH_INPUT, "axes", axes_type, -1, NULL);
    add_value(&graph, GRAPH_OUTPUT, "y", type, -1, NULL);
    return model_of(&graph, opset);
}

static ort_value *tensor(int type, size_t rank, const int64_t *shape, const void *data)
{
    ort_value *value;
    size_t cells = 1;
    for (size_t i = 0; i < rank; i++) cells *= (size_t)shape[i];
    if (type == STRING) {
        ort_allocator *allocator;
        succeeds(api.get_allocator(&allocator));
        succeeds(api.create_strings(allocator, shape, rank, type, &value));
        succeeds(api.fill_strings(value, data, cells));
    } else {
        succeeds(api.create_tensor(memory, data, cells * (type == INT64 ? 8 : 4), shape, rank, type,
                                   &value));
    }
    return value;
}

static ort_value *list(const int64_t *numbers, int64_t count)
{
    return tensor(INT64, 1, &count, numbers);
}

typedef struct inputs {
    ort_value *values[4]; /* x, pads, value, axes; NULL: absent */
} inputs;

static void release_inputs(inputs *in)
{
    for (int i = 0; i < 4; i++)
        if (in->values[i]) api.release_value(in->values[i]);
}

static ort_status *try_session(ort_session **session, const struct OrtApiBase *base,
                               const message *model)
{
    ort_options *options = new_options(2);
    *session = NULL;
    const int is_counting = counting;
    counting = 0;
    assert_null(register_with(options, base));
    counting = is_counting;
    ort_status *status = api.create_session(env, model->bytes, model->count, options, session);
    api.release_options(options);
    return status;
}

static ort_status *run(ort_session *session, const inputs *in, ort_value **y)
{
    static const char *const names[] = {"x", "pads", "value", "axes"}, *const outputs[] = {"y"};
    const char *given[4];
    const ort_value *values[4];
    size_t count = 0;
    for (int i = 0; i < 4; i++)
        if (in->values[i]) {
            given[count] = names[i];
            values[count++] = in->values[i];
        }
    return api.run(session, NULL, given, values, count, outputs, 1, y);
}

/* Asserts that y has these rows and columns, and elements. */
static void is(ort_value *y, int64_t rows, int64_t columns, const float *wanted)
{
    ort_shape *shape;
    int64_t extents[2];
    void *data;
    succeeds(api.shape_of(y, &shape));
    succeeds(api.extents_of(shape, extents, 2));
    succeeds(api.tensor_data(y, &data));
    api.release_shape(shape);
    assert_int_equal(extents[0], rows);
    assert_int_equal(extents[1], columns);
    assert_memory_equal(data, wanted, (size_t)(rows * columns) * sizeof *wanted);
}

static void gives(ort_session *session, const inputs *in, int64_t rows, int64_t columns,
                  const float *wanted)
{
    ort_value *y = NULL;
    succeeds(run(session, in, &y));
    is(y, rows, columns, wanted);
    api.release_value(y);
}

static const int64_t two_by_two[] = {2, 2}, one_first[] = {1, 0, 0, 1};
static const float four[] = {1, 2, 3, 4};
static const float framed[] = {9, 9, 9, 1, 2, 9, 3, 4, 9};

static void are_framed(ort_value *y)
{
    is(y, 3, 3, framed);
}

/* Makes a session and runs it once for each call that may fail; `check` sees each output. bound:
 * an output that the program gives, or NULL. */
static void each_call_may_fail(const message *model, const inputs *in, ort_value *bound,
                               void (*check)(ort_value *y))
{
    const struct OrtApiBase *base = new_base();
    for (int k = 1, is_over = 0; !is_over; k++) {
        ort_session *session;
        ort_value *y = bound;
        calls = 0;
        fails_at = k;
        counting = 1;
        ort_status *status = try_session(&session, base, model);
        if (!status) status = run(session, in, &y);
        counting = 0;
        is_over = calls < k;
        if (is_over) succeeds(status);
        if (status)
            api.release_status(status);
        else
            check(y);
        if (y && y != bound) api.release_value(y);
        if (session) api.release_session(session);
        nothing_lives();
    }
}

static void test_each_call_of_a_node_may_fail(void **state)
{
    static const int64_t both[] = {0, 1};
    static const float nine = 9;
    inputs in = {{tensor(FLOAT, 2, two_by_two, four), list(one_first, 4),
                  tensor(FLOAT, 0, NULL, &nine), list(both, 2)}};
    message n = a_node("x pads value axes");
    (void)state;
    add_attribute(&n, "mode", A_TEXT, NULL, 0);
    const message model = model_with(&n, "x pads value axes", FLOAT, 2, two_by_two, 18);
    each_call_may_fail(&model, &in, NULL, are_framed);
    release_inputs(&in);
}

static void test_each_call_for_attributes_may_fail(void **state)
{
    static const char *const names[] = {"paddings", "pads"};
    inputs in = {{tensor(FLOAT, 2, two_by_two, four)}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        message n = a_node("x");
        add_attribute(&n, "mode", A_TEXT, NULL, 0);
        add_attribute(&n, names[i], INTEGERS, one_first, 4);
        add_attribute(&n, "value", A_FLOAT, NULL, 0);
        const message model = model_with(&n, "x", FLOAT, 2, two_by_two, i + 1);
        each_call_may_fail(&model, &in, NULL, are_framed);
    }
    release_inputs(&in);
}

enum { ROWS = 1500, COLUMNS = 1001 };

static void is_large(ort_value *y)
{
    void *data;
    succeeds(api.tensor_data(y, &data));
    for (int i = 0; i < ROWS + 1; i++)
        for (int k = 0; k < COLUMNS + 1; k++) {
            const float wanted = i && k < COLUMNS ? (float)((i - 1) * COLUMNS + k) : 0;
            if (((float *)data)[i * (COLUMNS + 1) + k] != wanted)
                fail_msg("[%d, %d] is wrong", i, k);
        }
}

/* The pool of threads may refuse, too. */
static void test_a_large_output_is_shared_by_threads(void **state)
{
    static float data[ROWS * COLUMNS];
    for (int i = 0; i < ROWS * COLUMNS; i++) data[i] = (float)i;
    const int64_t shape[] = {ROWS, COLUMNS};
    inputs in = {{tensor(FLOAT, 2, shape, data), list(one_first, 4)}};
    const message n = a_node("x pads");
    const message model = model_with(&n, "x pads", FLOAT, 2, shape, 18);
    (void)state;
    each_call_may_fail(&model, &in, NULL, is_large);
    release_inputs(&in);
}

static float shifted[4];

static void is_shifted(ort_value *y)
{
    is(y, 2, 2, (const float[]){0, 0, 1, 2});
    memcpy(shifted, four, sizeof four);
}

/* A program may bind one value as input and output; ONNX Runtime's own Pad is right there. Also the
 * copy of the input may fail. */
static void test_one_value_on_both_sides(void **state)
{
    static const int64_t amounts[] = {1, 0, -1, 0};
    memcpy(shifted, four, sizeof four);
    inputs in = {{tensor(FLOAT, 2, two_by_two, shifted), list(amounts, 4)}};
    const message n = a_node("x pads");
    const message model = model_with(&n, "x pads", FLOAT, 2, two_by_two, 18);
    (void)state;
    each_call_may_fail(&model, &in, in.values[0], is_shifted);
    release_inputs(&in);
}

static const char *wanted_texts;

static void are_texts(ort_value *y)
{
    char text[40];
    size_t offsets[9], bytes;
    succeeds(api.strings_length(y, &bytes));
    assert_int_equal(bytes, strlen(wanted_texts));
    succeeds(api.strings(y, text, bytes, offsets, strlen(wanted_texts) ? 6 : 3));
    assert_memory_equal(text, wanted_texts, bytes);
}

static void test_strings(void **state)
{
    static const char *const texts[] = {"one", "", "three"}, *const fill[] = {"fill"};
    static const int64_t pads[] = {1, 2}, three = 3, none = 0, open = -1;
    inputs in = {{tensor(STRING, 1, &three, texts), list(pads, 2), tensor(STRING, 0, NULL, fill)}};
    inputs empty = {{tensor(STRING, 1, &none, texts), list(pads, 2)}};
    (void)state;
    message n = a_node("x pads value");
    message model = model_with(&n, "x pads value", STRING, 1, &open, 18);
    wanted_texts = "fillonethreefillfill";
    each_call_may_fail(&model, &in, NULL, are_texts);
    n = a_node("x pads");
    model = model_with(&n, "x pads", STRING, 1, &open, 18);
    wanted_texts = "";
    each_call_may_fail(&model, &empty, NULL, are_texts);
    release_inputs(&in);
    release_inputs(&empty);
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void make_long(int place, const uintptr_t *arguments)
{
    if (place == AT_info_integers) *(size_t *)arguments[3] = (size_t)INT32_MAX + 1;
}

static void test_attributes_of_another_kind_are_refused(void **state)
{
    static const struct {
        const char *name;
        int type;
        const char *words;
    } wrong[] = {
        {"mode", AN_INTEGER, "Pad 'a pad': attribute 'mode' must be a string"},
        {"mode", INTEGERS, "attribute 'mode' must be a string"},
        {"value", AN_INTEGER, "attribute 'value' must be a float"},
        {"axes", INTEGERS, "axes are an input, not an attribute"},
        {"pads", INTEGERS, "a list is too long"},
    };
    enum { WRONG = sizeof wrong / sizeof *wrong };
    (void)state;
    for (int i = 0; i < WRONG; i++) {
        ort_session *session;
        message n = a_node("x");
        add_attribute(&n, wrong[i].name, wrong[i].type, one_first,
                      wrong[i].type == INTEGERS ? 4 : 0);
        const message model = model_with(&n, "x", FLOAT, 2, two_by_two, 2);
        if (i == WRONG - 1) after = make_long;
        fails(try_session(&session, new_base(), &model), wrong[i].words);
        assert_null(session);
        nothing_lives();
    }
}

static int outputs;

static void hide_inputs(int place, const uintptr_t *arguments)
{
    if (place == AT_input_count) *(size_t *)arguments[1] = 0;
}

static void hide_output(int place, const uintptr_t *arguments)
{
    outputs += place == AT_output;
    if (place == AT_tensor_data && outputs) *(void **)arguments[1] = NULL;
}

static void test_wrong_inputs(void **state)
{
    static const int64_t many[100] = {0};
    static const float one = 1;
    int64_t ones[TPAD_MAX_RANK + 1];
    for (int i = 0; i <= TPAD_MAX_RANK; i++) ones[i] = 1;
    inputs in = {{tensor(FLOAT, 2, two_by_two, four), list(many, 100)}},
           right = {{in.values[0], list(one_first, 4)}},
           deep = {{tensor(FLOAT, TPAD_MAX_RANK + 1, ones, &one), in.values[1]}};
    const message n = a_node("x pads");
    const message model = model_with(&n, "x pads", FLOAT, -1, NULL, 18);
    ort_session *session;
    ort_value *y = NULL;
    (void)state;
    succeeds(try_session(&session, new_base(), &model));
    fails(run(session, &in, &y), "Pad 'a pad': pads: 100 entries");
    fails(run(session, &deep, &y), "Pad 'a pad': an input has too many axes");
    after = hide_inputs;
    fails(run(session, &right, &y), "Pad 'a pad': input 'data' is missing");
    after = hide_output;
    fails(run(session, &right, &y), "Pad 'a pad': a required argument is missing");
    after = NULL;
    gives(session, &right, 3, 3, (const float[]){0, 0, 0, 1, 2, 0, 3, 4, 0});
    api.release_session(session);
    nothing_lives();
    release_inputs(&in);
    api.release_value(right.values[1]);
    api.release_value(deep.values[0]);
}

/* ---- Plans ----------------------------------------------------------------------------------- */

static void test_the_plan_is_kept(void **state)
{
    float nine = 9;
    int64_t pads[] = {1, 0};
    int32_t axis = -1;
    /* The built-in Pad allows amounts in one row and a value of rank 2, too. */
    const int64_t row[] = {1, 2}, cell[] = {1, 1};
    inputs in = {{tensor(FLOAT, 2, two_by_two, four), tensor(INT64, 2, row, pads),
                  tensor(FLOAT, 2, cell, &nine), tensor(TPAD_ONNX_INT32, 1, cell, &axis)}};
    axes_type = TPAD_ONNX_INT32;
    const message n = a_node("x pads value axes");
    const message model = model_with(&n, "x pads value axes", FLOAT, -1, NULL, 18);
    ort_session *session;
    (void)state;
    succeeds(try_session(&session, new_base(), &model));
    gives(session, &in, 2, 3, (const float[]){9, 1, 2, 9, 3, 4});
    const int before = allocations;
    gives(session, &in, 2, 3, (const float[]){9, 1, 2, 9, 3, 4});
    nine = 8; /* the value is no part of the plan */
    gives(session, &in, 2, 3, (const float[]){8, 1, 2, 8, 3, 4});
    assert_int_equal(allocations, before);
    axis = 0; /* the same shapes, another axis: another plan */
    gives(session, &in, 3, 2, (const float[]){8, 8, 1, 2, 3, 4});
    pads[1] = -1;
    gives(session, &in, 2, 2, (const float[]){8, 8, 1, 2});
    assert_true(allocations > before);
    api.release_session(session);
    release_inputs(&in);
}

/* A thread that holds the last plan may be stopped for long: nobody waits for it. */
static void test_nobody_waits_for_the_last_plan(void **state)
{
    static const float wanted[] = {0, 0, 0, 1, 2, 0, 3, 4, 0};
    inputs in = {{tensor(FLOAT, 2, two_by_two, four), list(one_first, 4)}};
    const message n = a_node("x pads");
    const message model = model_with(&n, "x pads", FLOAT, 2, two_by_two, 18);
    ort_session *session;
    (void)state;
    succeeds(try_session(&session, new_base(), &model));
    pad_plans *plans = &kernel->plans;
    alarm(60); /* a thread that waits here would wait for ever */
    for (int i = 0; i < 2; i++) {
        const pad_planned *kept = plans->last;
        assert_true((kept != NULL) == i);
        assert_false(atomic_flag_test_and_set(&plans->busy));
        gives(session, &in, 3, 3, wanted);
        assert_ptr_equal(plans->last, kept); /* it had a plan of its own */
        atomic_flag_clear(&plans->busy);
        gives(session, &in, 3, 3, wanted);
    }
    alarm(0);
    api.release_session(session);
    release_inputs(&in);
}

/* ---- Shapes before the run ------------------------------------------------------------------- */

static int64_t told[3];
static int times_told;

static void see_extents(int place, const uintptr_t *arguments)
{
    if (place != AT_set_extents) return;
    times_told++;
    assert_int_equal(arguments[2], 3);
    memcpy(told, (const void *)arguments[1], sizeof told);
}

static void test_shapes_are_told(void **state)
{
    static const int64_t amounts[] = {1, 0, -5, 2, INT64_MAX, 0}, few[] = {1, 2};
    static const struct {
        int64_t shape[3];
        const char *name;
        const int64_t *list;
        int count;
        int64_t wanted[3];
    } cases[] = {
        {{4, -1, 3}, NULL, NULL, 0, {-1, -1, -1}},
        {{4, -1, 3}, "pads", amounts, 6, {7, -1, -1}}, /* 3 - 5 is below 0 */
        {{4, -1, INT64_MAX}, "pads", amounts, 6, {7, -1, INT64_MAX - 5}},
        {{INT64_MAX, 5, 6}, "paddings", amounts, 6, {-1, -1, 1}},
        {{INT64_MAX, 5, 6}, "paddings", few, 2, {-1, -1, -1}},
    };
    (void)state;
    after = see_extents;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ort_session *session;
        message n = a_node(cases[i].name ? "x" : "x pads");
        if (cases[i].name)
            add_attribute(&n, cases[i].name, INTEGERS, cases[i].list, cases[i].count);
        const message model = model_with(&n, cases[i].name ? "x" : "x pads", FLOAT, 3,
                                         cases[i].shape, cases[i].name ? 2 : 18);
        times_told = 0;
        ort_status *status = try_session(&session, new_base(), &model);
        assert_true(times_told > 0);
        assert_memory_equal(told, cases[i].wanted, sizeof told);
        if (status) api.release_status(status);
        if (session) api.release_session(session);
        nothing_lives();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_types_follow_the_version, reset),
        cmocka_unit_test_setup(test_an_older_version_is_refused, reset),
        cmocka_unit_test_setup(test_each_call_of_registering_may_fail, reset),
        cmocka_unit_test_setup(test_two_calls_at_the_same_time, reset),
        cmocka_unit_test_setup(test_each_call_of_a_node_may_fail, reset),
        cmocka_unit_test_setup(test_each_call_for_attributes_may_fail, reset),
        cmocka_unit_test_setup(test_a_large_output_is_shared_by_threads, reset),
        cmocka_unit_test_setup(test_one_value_on_both_sides, reset),
        cmocka_unit_test_setup(test_strings, reset),
        cmocka_unit_test_setup(test_attributes_of_another_kind_are_refused, reset),
        cmocka_unit_test_setup(test_wrong_inputs, reset),
        cmocka_unit_test_setup(test_the_plan_is_kept, reset),
        cmocka_unit_test_setup(test_nobody_waits_for_the_last_plan, reset),
        cmocka_unit_test_setup(test_shapes_are_told, reset),
    };
    real_base = open_ort();
    if (!real_base) return 77;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    close_ort();
    return failed;
}
