/* Functions that tensorpad._models shares; check, rule and lower. SPDX-License-Identifier: MIT */
#include "models_calls.h"

#include "models/lowering/lowering.h"

#include <stdlib.h>
#include <string.h>

/* ---- Shared functions ------------------------------------------------------------------------ */

const char models_capsule[] = "tensorpad._models.model";

PyObject *models_raise(const tpad_io_error *error)
{
    PyObject *type = error->code == TPAD_E_IO       ? PyExc_OSError
                     : error->code == TPAD_E_MEMORY ? PyExc_MemoryError
                                                    : PyExc_ValueError;
    PyErr_SetString(type, error->text);
    return NULL;
}

int models_find_target(models_target *found, PyObject *name)
{
    char known[1024];
    found->name = PyUnicode_AsUTF8AndSize(name, NULL);
    if (found->name == NULL) return -1;
    if (tpad_rules_find(&found->choice, found->name)) {
        if (found->choice.low == found->choice.high && !found->choice.is_nearest)
            found->name = tpad_rules_target_at(found->choice.low)->name;
        return 0;
    }
    tpad_rules_names(known, sizeof known);
    PyErr_Format(PyExc_ValueError,
                 "unknown target '%s'; known are %s, other versions of these runtimes, and names "
                 "without a version",
                 found->name, known);
    return -1;
}

PyObject *models_text(const char *text)
{
    if (text == NULL) return Py_NewRef(Py_None);
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

int models_put(PyObject *dict, const char *name, PyObject *value)
{
    int status = value ? PyDict_SetItemString(dict, name, value) : -1;
    Py_XDECREF(value);
    return status;
}

PyObject *models_integers(int32_t count, const int64_t *items, int extents)
{
    if (count < 0) return Py_NewRef(Py_None);
    PyObject *tuple = PyTuple_New(count);
    for (int32_t i = 0; tuple && i < count; i++) {
        PyObject *item =
            extents && items[i] < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(items[i]);
        if (item == NULL || PyTuple_SetItem(tuple, i, item) != 0) Py_CLEAR(tuple);
    }
    return tuple;
}

/* ---- check and rule -------------------------------------------------------------------------- */

/* Binds runtimes/runtimes.h: judges the nodes of a model, and explains a rule. */

static PyObject *make_code(int32_t code)
{
    char text[TPAD_RULES_CODE_BYTES];
    tpad_rules_code_text(text, code);
    return models_text(*text ? text : NULL);
}

/* Extents that would make an unknown verdict "same": a list of dicts, or None. */
static PyObject *make_bounds(const tpad_rules_finding *finding, int32_t rank)
{
    if (!finding->has_bounds) return Py_NewRef(Py_None);
    PyObject *list = PyList_New(0);
    for (int32_t axis = 0; list && axis < rank; axis++) {
        if (finding->least[axis] <= 1) continue;
        PyObject *bound = PyDict_New();
        if (!bound || models_put(bound, "axis", PyLong_FromLong(axis)) != 0 ||
            models_put(bound, "least", PyLong_FromLongLong(finding->least[axis])) != 0 ||
            PyList_Append(list, bound) != 0)
            Py_CLEAR(list);
        Py_XDECREF(bound);
    }
    return list;
}

static PyObject *make_verdict(const models_target *asked, const tpad_model *model, int64_t index)
{
    tpad_rules_finding finding;
    PyObject *dict = PyDict_New();
    if (dict == NULL) return NULL;
    tpad_model_find_out(&finding, model, index, asked->choice);
    if (models_put(dict, "target", models_text(asked->name)) != 0 ||
        models_put(dict, "verdict", models_text(tpad_rules_kind_name(finding.verdict.kind))) != 0 ||
        models_put(dict, "code", make_code(finding.verdict.code)) != 0 ||
        models_put(dict, "measured", PyBool_FromLong(finding.verdict.measured)) != 0 ||
        models_put(dict, "missing",
                   models_text(tpad_rules_missing_name(finding.verdict.missing))) != 0 ||
        models_put(dict, "axis",
                   finding.verdict.axis >= 0 ? PyLong_FromLong(finding.verdict.axis)
                                             : Py_NewRef(Py_None)) != 0 ||
        models_put(dict, "text", models_text(finding.text)) != 0 ||
        models_put(dict, "same_if",
                   make_bounds(&finding, tpad_model_facts_at(model, index)->rank)) != 0)
        Py_CLEAR(dict);
    return dict;
}

static PyObject *make_verdicts(PyObject *targets, const tpad_model *model, int64_t index)
{
    PyObject *list = PyList_New(0);
    for (Py_ssize_t i = 0; list && i < PyTuple_Size(targets); i++) {
        models_target asked;
        PyObject *verdict = models_find_target(&asked, PyTuple_GetItem(targets, i)) == 0
                                ? make_verdict(&asked, model, index)
                                : NULL;
        if (verdict == NULL || PyList_Append(list, verdict) != 0) Py_CLEAR(list);
        Py_XDECREF(verdict);
    }
    return list;
}

int models_put_pad(PyObject *dict, const tpad_pad_node *node)
{
    return models_put(dict, "mode", models_text(node->mode)) != 0 ||
           models_put(dict, "type", models_text(node->type_name)) != 0 ||
           models_put(dict, "input_shape", models_integers(node->in_rank, node->in_shape, 1)) !=
               0 ||
           models_put(dict, "output_shape", models_integers(node->out_rank, node->out_shape, 1)) !=
               0 ||
           models_put(dict, "begin", models_integers(node->pads_count, node->begin, 0)) != 0 ||
           models_put(dict, "end", models_integers(node->pads_count, node->end, 0)) != 0 ||
           models_put(dict, "axes", models_integers(node->axes_count, node->axes, 0)) != 0 ||
           models_put(dict, "value", models_text(node->value)) != 0;
}

static PyObject *make_checked_node(const tpad_model *model, int64_t index, PyObject *targets)
{
    const tpad_pad_node *node = tpad_model_pad_at(model, index);
    const tpad_rules_facts *facts = tpad_model_facts_at(model, index);
    PyObject *dict = PyDict_New();
    if (dict == NULL) return NULL;
    if (models_put(dict, "name", models_text(tpad_pad_name(node))) != 0 ||
        models_put(dict, "graph", models_text(node->graph)) != 0 ||
        models_put(dict, "opset",
                   facts->opset > 0 ? PyLong_FromLong(facts->opset) : Py_NewRef(Py_None)) != 0 ||
        models_put_pad(dict, node) != 0 ||
        models_put(dict, "verdicts", make_verdicts(targets, model, index)) != 0)
        Py_CLEAR(dict);
    return dict;
}

static PyObject *every_target(void)
{
    const int32_t count = tpad_rules_target_count();
    PyObject *names = PyTuple_New(count);
    for (int32_t i = 0; names && i < count; i++) {
        PyObject *name = models_text(tpad_rules_target_at(i)->name);
        if (name == NULL || PyTuple_SetItem(names, i, name) != 0) Py_CLEAR(names);
    }
    return names;
}

/* check(model, names of targets as a tuple, or None): a list of dicts, one for each node */
PyObject *models_check(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    models_target known;
    if (count != 2) return PyErr_Format(PyExc_TypeError, "check takes 2 arguments");
    const tpad_model *model = PyCapsule_GetPointer(args[0], models_capsule);
    if (model == NULL) return NULL;
    PyObject *targets = args[1] == Py_None ? every_target() : Py_NewRef(args[1]);
    PyObject *list = NULL;
    if (targets) list = PyList_New(0);
    const Py_ssize_t asked = list ? PyTuple_Size(targets) : 0;
    if (asked < 0) Py_CLEAR(list);
    for (Py_ssize_t i = 0; list && i < asked; i++) /* also if the model has no Pad */
        if (models_find_target(&known, PyTuple_GetItem(targets, i)) != 0) Py_CLEAR(list);
    for (int64_t i = 0; list && i < tpad_model_pad_count(model); i++) {
        PyObject *node = make_checked_node(model, i, targets);
        if (node == NULL || PyList_Append(list, node) != 0) Py_CLEAR(list);
        Py_XDECREF(node);
    }
    Py_XDECREF(targets);
    return list;
}

/* The names of a rule's targets. */
static PyObject *make_targets(uint32_t targets)
{
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < tpad_rules_target_count(); i++) {
        if (!(targets >> i & 1)) continue;
        PyObject *name = models_text(tpad_rules_target_at(i)->name);
        if (name == NULL || PyList_Append(list, name) != 0) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

/* rule(code): a dict */
PyObject *models_rule(PyObject *module, PyObject *code)
{
    (void)module;
    tpad_rules_page page;
    const char *text = PyUnicode_AsUTF8AndSize(code, NULL);
    if (text == NULL) return NULL;
    if (!tpad_rules_page_of(&page, tpad_rules_code_from_text(text)))
        return PyErr_Format(PyExc_ValueError,
                            "there is no rule '%s': the command tensorpad explain lists all", text);
    PyObject *dict = PyDict_New();
    if (dict == NULL) return NULL;
    if (models_put(dict, "code", make_code(page.code)) != 0 ||
        models_put(dict, "verdict", models_text(tpad_rules_kind_name(page.kind))) != 0 ||
        models_put(dict, "title", models_text(page.title)) != 0 ||
        models_put(dict, "text", models_text(page.text)) != 0 ||
        models_put(dict, "example", models_text(page.example)) != 0 ||
        models_put(dict, "ways_out", models_text(page.ways_out)) != 0 ||
        models_put(dict, "source", models_text(page.source)) != 0 ||
        models_put(dict, "targets", make_targets(page.targets)) != 0)
        Py_CLEAR(dict);
    return dict;
}

/* ---- lower ----------------------------------------------------------------------------------- */

/* Writes the model to `path` and, for an IR, its .bin to `weights_path`. Called without the GIL.
 * has_data: copies its external data, too. */
static int32_t write_files(const tpad_lowering *lowering, const tpad_model *model, const char *path,
                           const char *weights_path, int has_data, tpad_io_error *error)
{
    static const tpad_output_calls calls = {tpad_output_begin, tpad_output_commit,
                                            tpad_output_discard};
    tpad_output *output = NULL, *weights = NULL;
    tpad_data_copy *data = NULL;
    int32_t status = tpad_output_begin(&output, path, NULL, 1, error);
    if (!status && has_data) status = tpad_lowered_data(&data, model, path, &calls, error);
    if (!status && weights_path) status = tpad_output_begin(&weights, weights_path, NULL, 1, error);
    if (!status) status = tpad_lowering_write(lowering, output, weights, error);
    if (!status && weights) {
        status = tpad_output_commit(weights, error);
        weights = NULL;
    }
    if (!status) {
        status = tpad_output_commit(output, error);
        output = NULL;
    }
    tpad_output_discard(weights);
    tpad_output_discard(output);
    tpad_lowered_data_end(data, !status);
    return status;
}

static int has_outcome(const tpad_lowering *lowering, int64_t count, int32_t outcome)
{
    for (int64_t i = 0; i < count; i++)
        if (tpad_lowering_at(lowering, i)->outcome == outcome) return 1;
    return 0;
}

static PyObject *make_node(const tpad_pad_node *pad, const tpad_lowered_node *node,
                           const models_target *targets)
{
    static const char *const outcomes[] = {"kept", "rewritten", "cannot", "folded"};
    const tpad_rules_finding *finding = node->finding;
    PyObject *dict = PyDict_New();
    if (dict == NULL) return NULL;
    if (models_put(dict, "graph", models_text(pad->graph)) != 0 ||
        models_put(dict, "name", models_text(tpad_pad_name(pad))) != 0 ||
        models_put(dict, "outcome", models_text(outcomes[node->outcome])) != 0 ||
        models_put(dict, "target",
                   models_text(node->target < 0 ? NULL : targets[node->target].name)) != 0 ||
        models_put(dict, "verdict",
                   models_text(finding ? tpad_rules_kind_name(finding->verdict.kind) : NULL)) !=
            0 ||
        models_put(dict, "code", models_text(finding && *finding->code ? finding->code : NULL)) !=
            0 ||
        models_put(dict, "text", models_text(finding && *finding->text ? finding->text : NULL)) !=
            0 ||
        models_put(dict, "operators", models_text(node->operators)) != 0 ||
        models_put(dict, "reason", models_text(node->reason)) != 0 ||
        models_put(dict, "into", models_text(node->into)) != 0 ||
        models_put(dict, "not_folded", models_text(node->not_folded)) != 0)
        Py_CLEAR(dict);
    return dict;
}

static PyObject *make_nodes(const tpad_model *model, const tpad_lowering *lowering,
                            const models_target *targets)
{
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list && i < tpad_model_pad_count(model); i++) {
        PyObject *node =
            make_node(tpad_model_pad_at(model, i), tpad_lowering_at(lowering, i), targets);
        if (node == NULL || PyList_Append(list, node) != 0) Py_CLEAR(list);
        Py_XDECREF(node);
    }
    return list;
}

/* Plans and writes, but does not write if a node cannot be lowered and `partial` is 0. Returns a
 * status of models.h. */
static int32_t lower(tpad_lowering **lowering, tpad_model *model, const tpad_lower_target *targets,
                     int32_t count, const char *path, int partial, int32_t ways,
                     tpad_io_error *error)
{
    char *weights = NULL;
    int32_t status = TPAD_OK;
    /* A model for the plug-in is bytes to the caller, so any path will do. */
    if (!(ways & TPAD_LOWER_FOR_PLUGIN)) status = tpad_lowered_place(&weights, model, path, error);
    if (!status) status = tpad_lowering_plan(lowering, model, targets, count, ways, error);
    if (!status &&
        (partial || !has_outcome(*lowering, tpad_model_pad_count(model), TPAD_LOWER_CANNOT)))
        status =
            write_files(*lowering, model, path, weights, !(ways & TPAD_LOWER_FOR_PLUGIN), error);
    free(weights);
    return status;
}

/* lower(model, names of targets as a tuple, path as bytes, partial, lenient, plugin, fold=False): a
 * list of dicts, one for each node. Without `partial`, nothing is written if a node cannot be
 * lowered. */
PyObject *models_lower(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *capsule, *names, *list = NULL;
    const char *path;
    int partial, lenient, plugin, fold = 0;
    if (!PyArg_ParseTuple(arguments, "OO!yppp|p", &capsule, &PyTuple_Type, &names, &path, &partial,
                          &lenient, &plugin, &fold))
        return NULL;
    tpad_model *model = PyCapsule_GetPointer(capsule, models_capsule);
    if (model == NULL) return NULL;
    models_target targets[MODELS_TARGETS_MOST];
    tpad_lower_target asked[MODELS_TARGETS_MOST];
    const Py_ssize_t count = PyTuple_Size(names);
    if (count < 1 || count > MODELS_TARGETS_MOST)
        return PyErr_Format(PyExc_ValueError, "lower_model takes 1 to %d targets, got %zd",
                            MODELS_TARGETS_MOST, count);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (models_find_target(&targets[i], PyTuple_GetItem(names, i)) != 0) return NULL;
        asked[i] = (tpad_lower_target){targets[i].name, &targets[i].choice};
    }
    const int32_t ways = (lenient ? TPAD_LOWER_LENIENT : 0) | (plugin ? TPAD_LOWER_FOR_PLUGIN : 0) |
                         (fold ? TPAD_LOWER_FOLD : 0);
    tpad_lowering *lowering = NULL;
    tpad_io_error error;
    int32_t status;
    Py_BEGIN_ALLOW_THREADS
    status = lower(&lowering, model, asked, (int32_t)count, path, partial, ways, &error);
    Py_END_ALLOW_THREADS
    if (status) {
        models_raise(&error);
    } else
        list = make_nodes(model, lowering, targets);
    tpad_lowering_free(lowering);
    return list;
}
