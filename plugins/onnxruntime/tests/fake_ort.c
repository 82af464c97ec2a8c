/* The made-up ONNX Runtime.  SPDX-License-Identifier: MIT */
#include "fake_ort.h"

#include <tensorpad/onnx.h>

fake_ort fake;

struct ort_status {
    int code;
};

/* ---- Failures -------------------------------------------------------------------------------- */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

/* 1 if this call is the one that is to fail. */
static int fails_now(void)
{
    fake.calls++;
    return fake.fails_at && fake.calls == fake.fails_at;
}

void *__wrap_malloc(size_t bytes)
{
    fake.allocations++;
    return fails_now() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    fake.allocations++;
    return fails_now() ? NULL : __real_calloc(count, bytes);
}

static ort_status *new_status(int code, const char *text)
{
    ort_status *made = __real_malloc(sizeof *made);
    assert_non_null(made);
    made->code = code;
    fake.statuses++;
    snprintf(fake.message, sizeof fake.message, "%s", text);
    return made;
}

#define MAY_FAIL                                                                                   \
    if (fails_now()) return new_status(ORT_CODE_FAIL, "as told")

static ort_status *create_status(int code, const char *text)
{
    return new_status(code, text);
}

static void release_status(ort_status *status)
{
    assert_non_null(status);
    fake.statuses--;
    free(status);
}

/* ---- Options and domains --------------------------------------------------------------------- */

static ort_status *create_domain(const char *name, ort_domain **domain)
{
    MAY_FAIL;
    if (*name) assert_string_equal(name, "tensorpad");
    const struct OrtApiBase *meanwhile = fake.meanwhile;
    fake.meanwhile = NULL;
    if (meanwhile) assert_null(RegisterCustomOps((struct OrtSessionOptions *)&fake, meanwhile));
    fake.domains++;
    *domain = (ort_domain *)(*name ? &fake.prepared : &fake.onnx);
    return NULL;
}

/* How often the options got that domain. */
static int *count_of(ort_domain *domain)
{
    int *count = (int *)domain;
    if (count != &fake.prepared) assert_ptr_equal(count, &fake.onnx);
    return count;
}

static void release_domain(ort_domain *domain)
{
    count_of(domain);
    fake.domains--;
}

static ort_status *domain_add(ort_domain *domain, const ort_op *op)
{
    MAY_FAIL;
    if (count_of(domain) == &fake.prepared) {
        assert_ptr_equal(op,
                         fake.ops[fake.ops_count - 1]); /* the domains have the same operators */
        fake.prepared_ops++;
        return NULL;
    }
    assert_in_range(fake.ops_count, 0, FAKE_OPS - 1);
    fake.ops[fake.ops_count++] = op;
    return NULL;
}

static ort_status *add_domain(ort_options *options, ort_domain *domain)
{
    MAY_FAIL;
    assert_false(fake.reloaded);
    assert_ptr_equal(options, &fake);
    ++*count_of(domain);
    return NULL;
}

/* The same function where another library has it. */
static ort_status *add_domain_elsewhere(ort_options *options, ort_domain *domain)
{
    MAY_FAIL;
    assert_true(fake.reloaded);
    assert_ptr_equal(options, &fake);
    ++*count_of(domain);
    return NULL;
}

static fake_entry *entry_of(const char *key)
{
    fake_entry *entry = fake.entries;
    while (entry->key[0] && strcmp(entry->key, key) != 0) entry++;
    assert_true(entry < fake.entries + FAKE_ENTRIES);
    return entry;
}

static ort_status *add_entry(ort_options *options, const char *key, const char *value)
{
    MAY_FAIL;
    assert_ptr_equal(options, &fake);
    fake_entry *entry = entry_of(key);
    snprintf(entry->key, sizeof entry->key, "%s", key);
    snprintf(entry->value, sizeof entry->value, "%s", value);
    return NULL;
}

static ort_status *has_entry(const ort_options *options, const char *key, int *found)
{
    MAY_FAIL;
    (void)options;
    *found = entry_of(key)->key[0] != '\0';
    return NULL;
}

/* Texts: without a buffer only the size is told, with one that is too small the call fails. */
static ort_status *tell(const char *text, char *out, size_t *bytes)
{
    const size_t needed = strlen(text) + 1, room = *bytes;
    *bytes = needed;
    if (!out) return NULL;
    if (room < needed) return new_status(ORT_CODE_INVALID_ARGUMENT, "the buffer is too small");
    memcpy(out, text, needed);
    return NULL;
}

static ort_status *entry(const ort_options *options, const char *key, char *value, size_t *bytes)
{
    MAY_FAIL;
    (void)options;
    return tell(entry_of(key)->value, value, bytes);
}

/* ---- Tensors --------------------------------------------------------------------------------- */

static ort_status *tensor_data(ort_value *value, void **data)
{
    MAY_FAIL;
    *data = value->data;
    return NULL;
}

static size_t cells_of(const ort_shape *shape)
{
    size_t cells = 1;
    for (size_t i = 0; i < shape->rank; i++) cells *= (size_t)shape->extents[i];
    return cells;
}

static ort_status *strings_length(const ort_value *value, size_t *bytes)
{
    MAY_FAIL;
    *bytes = 0;
    for (size_t i = 0; i < cells_of(&value->shape); i++) *bytes += strlen(value->texts[i]);
    return NULL;
}

static ort_status *strings(const ort_value *value, void *text, size_t bytes, size_t *offsets,
                           size_t count)
{
    MAY_FAIL;
    size_t at = 0;
    assert_int_equal(count, cells_of(&value->shape));
    for (size_t i = 0; i < count; i++) {
        offsets[i] = at;
        memcpy((char *)text + at, value->texts[i], strlen(value->texts[i]));
        at += strlen(value->texts[i]);
    }
    assert_int_equal(at, bytes);
    return NULL;
}

static ort_status *string_buffer(ort_value *value, size_t index, size_t bytes, char **buffer)
{
    MAY_FAIL;
    assert_true(index < cells_of(&value->shape));
    free(value->texts[index]);
    value->texts[index] = __real_calloc(bytes + 1, 1);
    *buffer = value->texts[index];
    return NULL;
}

static ort_status *new_shape(ort_shape **shape, const ort_shape *from)
{
    MAY_FAIL;
    *shape = __real_calloc(1, sizeof **shape);
    assert_non_null(*shape);
    if (from) **shape = *from;
    fake.shapes++;
    return NULL;
}

static ort_status *create_shape(ort_shape **shape)
{
    return new_shape(shape, NULL);
}

static ort_status *shape_of(const ort_value *value, ort_shape **shape)
{
    return new_shape(shape, &value->shape);
}

static void release_shape(ort_shape *shape)
{
    assert_non_null(shape);
    fake.shapes--;
    free(shape);
}

static ort_status *set_type(ort_shape *shape, int type)
{
    MAY_FAIL;
    shape->type = type;
    return NULL;
}

static ort_status *set_extents(ort_shape *shape, const int64_t *extents, size_t rank)
{
    MAY_FAIL;
    shape->rank = rank;
    memcpy(shape->extents, extents, rank * sizeof *extents);
    return NULL;
}

static ort_status *set_names(ort_shape *shape, const char **names, size_t rank)
{
    MAY_FAIL;
    assert_int_equal(rank, shape->rank);
    for (size_t i = 0; i < rank; i++) strcpy(shape->names[i], names[i]);
    return NULL;
}

static ort_status *type_of(const ort_shape *shape, int *type)
{
    MAY_FAIL;
    *type = shape->type;
    return NULL;
}

static ort_status *rank_of(const ort_shape *shape, size_t *rank)
{
    MAY_FAIL;
    *rank = shape->rank;
    return NULL;
}

static ort_status *extents_of(const ort_shape *shape, int64_t *extents, size_t rank)
{
    MAY_FAIL;
    assert_int_equal(rank, shape->rank);
    memcpy(extents, shape->extents, rank * sizeof *extents);
    return NULL;
}

/* ---- Attributes ------------------------------------------------------------------------------ */

/* The attribute of that name and kind, or a status. */
static ort_status *find(const fake_attribute **found, const char *name, char kind)
{
    MAY_FAIL;
    for (*found = fake.attributes; *found < fake.attributes + FAKE_ATTRIBUTES; (*found)++)
        if ((*found)->name && strcmp((*found)->name, name) == 0 && (*found)->kind == kind)
            return NULL;
    return new_status(ORT_CODE_FAIL, "no such attribute");
}

static ort_status *info_float(const ort_info *info, const char *name, float *value)
{
    const fake_attribute *found;
    ort_status *status = find(&found, name, 'f');
    (void)info;
    if (!status) *value = found->real;
    return status;
}

static ort_status *info_integer(const ort_info *info, const char *name, int64_t *value)
{
    const fake_attribute *found;
    ort_status *status = find(&found, name, 'i');
    (void)info;
    if (!status) *value = 1;
    return status;
}

static ort_status *info_string(const ort_info *info, const char *name, char *text, size_t *bytes)
{
    const fake_attribute *found;
    ort_status *status = find(&found, name, 's');
    (void)info;
    return status ? status : tell(found->text, text, bytes);
}

static ort_status *info_integers(const ort_info *info, const char *name, int64_t *list,
                                 size_t *count)
{
    const fake_attribute *found;
    ort_status *status = find(&found, name, 'l');
    (void)info;
    if (status) return status;
    *count = found->count;
    if (list) memcpy(list, found->list, found->count * sizeof *list);
    return NULL;
}

static ort_status *node_name(const ort_info *info, char *text, size_t *bytes)
{
    MAY_FAIL;
    (void)info;
    if (!fake.node_name) {
        *bytes = 0;
        return NULL;
    }
    return tell(fake.node_name, text, bytes);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static ort_status *input_count(const ort_context *context, size_t *count)
{
    MAY_FAIL;
    (void)context;
    *count = fake.inputs_count;
    return NULL;
}

static ort_status *input(const ort_context *context, size_t index, const ort_value **value)
{
    MAY_FAIL;
    (void)context;
    assert_true(index < fake.inputs_count);
    *value = fake.inputs[index];
    return NULL;
}

void fake_free_output(void)
{
    for (size_t i = 0; fake.output.texts && i < cells_of(&fake.output.shape); i++)
        free(fake.output.texts[i]);
    free(fake.output.texts);
    free(fake.output.data);
    memset(&fake.output, 0, sizeof fake.output);
}

/* The output has the type of the input. Its strings begin as those of an output that a program
 * hands in. */
static ort_status *output(ort_context *context, size_t index, const int64_t *extents, size_t rank,
                          ort_value **value)
{
    MAY_FAIL;
    (void)context, (void)index;
    if (fake.bound) {
        assert_memory_equal(extents, fake.bound->shape.extents, rank * sizeof *extents);
        *value = fake.bound;
        return NULL;
    }
    fake_free_output();
    ort_value *made = &fake.output;
    made->shape.type = fake.inputs[0]->shape.type;
    made->shape.rank = rank;
    memcpy(made->shape.extents, extents, rank * sizeof *extents);
    const size_t cells = cells_of(&made->shape);
    if (made->shape.type == TPAD_ONNX_STRING) {
        made->texts = __real_calloc(cells + 1, sizeof *made->texts);
        for (size_t i = 0; i < cells; i++)
            made->texts[i] = memcpy(__real_malloc(sizeof "old"), "old", sizeof "old");
    } else {
        made->data = __real_malloc(cells * 8 + 1); /* no type is longer */
    }
    *value = made;
    return NULL;
}

static ort_status *parallel_for(const ort_context *context, void (*body)(void *user, size_t index),
                                size_t count, size_t batches, void *user)
{
    MAY_FAIL;
    (void)context, (void)batches;
    for (size_t i = count; i-- > 0;) body(user, i); /* in another order */
    fake.parts += (int)count;
    return NULL;
}

/* ---- Inference ------------------------------------------------------------------------------- */

static ort_status *inference_shape(const ort_inference *context, size_t index, ort_shape **shape)
{
    MAY_FAIL;
    (void)context;
    assert_int_equal(index, 0);
    *shape = &fake.inputs[0]->shape;
    return NULL;
}

static ort_status *inference_attribute(const ort_inference *context, const char *name,
                                       const ort_attribute **attribute)
{
    const fake_attribute *found;
    ort_status *status = find(&found, name, 'l');
    (void)context;
    *attribute = status ? NULL : (const ort_attribute *)found;
    return status;
}

static ort_status *read_attribute(const ort_attribute *attribute, int kind, void *data,
                                  size_t bytes, size_t *needed)
{
    MAY_FAIL;
    const fake_attribute *from = (const fake_attribute *)attribute;
    assert_int_equal(kind, ORT_ATTRIBUTE_INTS);
    *needed = from->count * sizeof(int64_t);
    if (bytes < *needed) return new_status(ORT_CODE_INVALID_ARGUMENT, "the buffer is too small");
    memcpy(data, from->list, *needed);
    return NULL;
}

static ort_status *inference_give(const ort_inference *context, size_t index,
                                  const ort_shape *shape)
{
    MAY_FAIL;
    (void)context;
    assert_int_equal(index, 0);
    fake.inferred = *shape;
    fake.inferences++;
    return NULL;
}

/* ---- The interface --------------------------------------------------------------------------- */

enum { PLACES = 300 };

static const ort_any_function *get_api(uint32_t version)
{
    static ort_any_function table[PLACES];
    assert_int_equal(version, ORT_API_VERSION_USED);
#define PUT(place, result, name, real, arguments) table[place] = (ort_any_function)name;
    ORT_FUNCTIONS(PUT)
#undef PUT
    enum { PLACE_OF_ADD_DOMAIN = 28 };
    if (fake.reloaded) table[PLACE_OF_ADD_DOMAIN] = (ort_any_function)add_domain_elsewhere;
    return table;
}

static const ort_any_function *get_old_api(uint32_t version)
{
    static ort_any_function table[1];
    table[0] = (ort_any_function)create_status;
    return version == 1 ? table : NULL;
}

static const char *version(void)
{
    return fake.version;
}

/* The plug-in remembers each ONNX Runtime by its address: these are as many as tests need. */
const struct OrtApiBase *fake_runtime(const char *of_version)
{
    enum { RUNTIMES = 400 };
    static ort_base runtimes[RUNTIMES];
    static int given;
    assert_in_range(given, 0, RUNTIMES - 1);
    runtimes[given] = (ort_base){get_api, version};
    fake.version = of_version;
    return (const struct OrtApiBase *)&runtimes[given++];
}

const struct OrtApiBase *fake_old_runtime(void)
{
    static const ort_base old = {get_old_api, version};
    return (const struct OrtApiBase *)&old;
}

void fake_reset(void)
{
    fake_free_output();
    memset(&fake, 0, sizeof fake);
}
