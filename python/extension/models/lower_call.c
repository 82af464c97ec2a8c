/* Models whose Pads the targets run right, for Python.  SPDX-License-Identifier: MIT */
#include "lowering/lowering.h"
#include "models_shared.h"

#include <stdlib.h>

/* Writes the model to `path` and, of an IR, its .bin to `weights_path`. Without the GIL.
 * has_data: its external data goes along. */
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

/* Plans and, unless a node cannot be lowered and `partial` is 0, writes. A status of models.h. */
static int32_t lower(tpad_lowering **lowering, tpad_model *model, const tpad_lower_target *targets,
                     int32_t count, const char *path, int partial, int32_t ways,
                     tpad_io_error *error)
{
    char *weights = NULL;
    int32_t status = TPAD_OK;
    /* A model for the plug-in is no file to the caller, but bytes: any place will do. */
    if (!(ways & TPAD_LOWER_FOR_PLUGIN)) status = tpad_lowered_place(&weights, model, path, error);
    if (!status) status = tpad_lowering_plan(lowering, model, targets, count, ways, error);
    if (!status &&
        (partial || !has_outcome(*lowering, tpad_model_pad_count(model), TPAD_LOWER_CANNOT)))
        status =
            write_files(*lowering, model, path, weights, !(ways & TPAD_LOWER_FOR_PLUGIN), error);
    free(weights);
    return status;
}

/* lower(model, names of targets as a tuple, path as bytes, partial, lenient, plugin, fold=False): a list of
 * dicts, one for each node. Without `partial`, nothing is written if a node cannot be lowered. */
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
