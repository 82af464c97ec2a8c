/* What runtimes do with the Pads of a model, for Python.  SPDX-License-Identifier: MIT
 *
 * Binds tools/runtimes/runtimes.h: judging the nodes of a model, and a rule at length. */
#include "models_shared.h"

static PyObject *make_code(int32_t code)
{
    char text[TPAD_RULES_CODE_BYTES];
    tpad_rules_code_text(text, code);
    return models_text(*text ? text : NULL);
}

/* The extents that make an unknown verdict "same": a list of dicts, or None. */
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

static PyObject *make_verdict(const models_target *asked, const tpad_rules_facts *facts)
{
    tpad_rules_finding finding;
    PyObject *dict = PyDict_New();
    if (dict == NULL) return NULL;
    tpad_rules_find_out(&finding, facts, asked->choice);
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
        models_put(dict, "same_if", make_bounds(&finding, facts->rank)) != 0)
        Py_CLEAR(dict);
    return dict;
}

static PyObject *make_verdicts(PyObject *targets, const tpad_rules_facts *facts)
{
    PyObject *list = PyList_New(0);
    for (Py_ssize_t i = 0; list && i < PyTuple_Size(targets); i++) {
        models_target asked;
        PyObject *verdict = models_find_target(&asked, PyTuple_GetItem(targets, i)) == 0
                                ? make_verdict(&asked, facts)
                                : NULL;
        if (verdict == NULL || PyList_Append(list, verdict) != 0) Py_CLEAR(list);
        Py_XDECREF(verdict);
    }
    return list;
}

static PyObject *make_node(const tpad_pad_node *node, const tpad_rules_facts *facts,
                           PyObject *targets)
{
    PyObject *dict = PyDict_New();
    if (dict == NULL) return NULL;
    if (models_put(dict, "name", models_text(tpad_pad_name(node))) != 0 ||
        models_put(dict, "graph", models_text(node->graph)) != 0 ||
        models_put(dict, "opset",
                   facts->opset > 0 ? PyLong_FromLong(facts->opset) : Py_NewRef(Py_None)) != 0 ||
        models_put(dict, "mode", models_text(node->mode)) != 0 ||
        models_put(dict, "type", models_text(node->type_name)) != 0 ||
        models_put(dict, "input_shape", models_integers(node->in_rank, node->in_shape, 1)) != 0 ||
        models_put(dict, "output_shape", models_integers(node->out_rank, node->out_shape, 1)) !=
            0 ||
        models_put(dict, "begin", models_integers(node->pads_count, node->begin, 0)) != 0 ||
        models_put(dict, "end", models_integers(node->pads_count, node->end, 0)) != 0 ||
        models_put(dict, "axes", models_integers(node->axes_count, node->axes, 0)) != 0 ||
        models_put(dict, "value", models_text(node->value)) != 0 ||
        models_put(dict, "verdicts", make_verdicts(targets, facts)) != 0)
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
    for (Py_ssize_t i = 0; list && i < asked; i++) /* also where the model has no Pad */
        if (models_find_target(&known, PyTuple_GetItem(targets, i)) != 0) Py_CLEAR(list);
    for (int64_t i = 0; list && i < tpad_model_pad_count(model); i++) {
        PyObject *node =
            make_node(tpad_model_pad_at(model, i), tpad_model_facts_at(model, i), targets);
        if (node == NULL || PyList_Append(list, node) != 0) Py_CLEAR(list);
        Py_XDECREF(node);
    }
    Py_XDECREF(targets);
    return list;
}

/* The names of the targets for which a rule holds. */
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
