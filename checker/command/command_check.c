/* `tensorpad check`: what every runtime does with every Pad.  SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "command/arguments.h"
#include "command/error_report.h"
#include "command/help.h"
#include "command/output.h"
#include "model_options.h"
#include "models/folding/folding.h"
#include "models/lowering/lowering.h"

enum {
    FORMAT_TEXT,
    FORMAT_DETAILS,
    FORMAT_MARKDOWN,
    FORMAT_JSON,
    FORMAT_SARIF,
    FORMAT_GITHUB,
    FORMATS
};
static const check_format *const formats[FORMATS] = {
    [FORMAT_TEXT] = &check_text,         [FORMAT_DETAILS] = &check_details,
    [FORMAT_MARKDOWN] = &check_markdown, [FORMAT_JSON] = &check_json,
    [FORMAT_SARIF] = &check_sarif,       [FORMAT_GITHUB] = &check_github,
};

/* ---- Options --------------------------------------------------------------------------------- */

typedef struct words_given {
    check_run run;
    check_paths paths;
    input_shapes shapes;
    check_shapes more_shapes;
    int is_folder;           /* 1: some argument is a folder */
    int32_t format, fail_on; /* fail_on -1: not given */
    const char *baseline, *new_baseline, *shapes_file;
    int quiet, overwrite;
} words_given;

static const char *format_word(int32_t index)
{
    return index < FORMATS ? formats[index]->name : NULL;
}

static int take_json(void *field, const given_option *given)
{
    (void)given;
    *(int32_t *)field = FORMAT_JSON;
    return EXIT_DONE;
}

static const option_row check_rows[] = {
    {"target", 0, "LIST", targets_add_list, offsetof(words_given, run.targets), target_word,
     "these runtimes, as ort-1.31,openvino-2026.4; a name without a version is the newest; "
     "default all known"},
    {"fail-on", 0, "VERDICT", argument_word, offsetof(words_given, fail_on), tpad_rules_kind_name,
     "status 4 if a verdict is at or above this one: same unknown accepts differs refuses "
     "crashes; default differs with --target, and without it never"},
    {"format", 0, "FORM", argument_word, offsetof(words_given, format), format_word,
     "text (default: a summary, what is wrong, what to do), details (each node), markdown, json, "
     "sarif (2.1.0), or github (lines that a workflow shows)"},
    {"baseline", 0, "FILE", argument_text, offsetof(words_given, baseline), NULL,
     "findings in it are accepted: they do not count"},
    {"write-baseline", 0, "FILE", argument_text, offsetof(words_given, new_baseline), NULL,
     "writes the findings (-f: overwrites); status 0"},
    {"witness", 0, "DIR", argument_text, offsetof(words_given, run.witness), NULL,
     "for each node that differs: a model that shows it, an input, the specification's "
     "answer, and a script"},
    {"input-shape", 0, "NAME=1,3,224,224", input_shapes_add, offsetof(words_given, shapes), NULL,
     "the shape of an input of the models"},
    INPUT_DIMENSION_ROWS(offsetof(words_given, shapes)),
    {"shapes", 0, "FILE", argument_text, offsetof(words_given, shapes_file), NULL,
     "the same for models by patterns of their paths: lines as dim = h=224 below [swin/*.onnx]"},
    {"force", 'f', NULL, argument_flag, offsetof(words_given, overwrite), NULL,
     "overwrite the file of --write-baseline"},
    {"quiet", 'q', NULL, argument_flag, offsetof(words_given, quiet), NULL, "no progress"},
    {"json", 0, NULL, take_json, offsetof(words_given, format), NULL,
     "as --format json, errors too: docs/check.schema.json describes it"},
    {NULL, 0, NULL, NULL, 0, NULL, NULL},
};

static int start(void *field, int argc)
{
    words_given *given = field;
    (void)argc;
    given->run.out = stdout;
    given->fail_on = -1;
    return EXIT_DONE;
}

static int take_path(void *field, char *name)
{
    words_given *given = field;
    return check_paths_add(&given->paths, name, &given->is_folder);
}

/* Checks and defaults that need all options. */
static int complete(words_given *given)
{
    check_run *run = &given->run;
    if (given->paths.count == 0)
        return report_usage("check: no model: tensorpad check MODEL... [--target T,...]; folders "
                            "stand for the .onnx and .xml files in them");
    if (given->overwrite && !given->new_baseline)
        return report_usage(
            "check: -f overwrites the file of --write-baseline, which is not given");
    run->fail_on = given->fail_on >= 0      ? given->fail_on
                   : run->targets.count > 0 ? TPAD_RULES_DIFFERS
                                            : TPAD_RULES_KINDS;
    if (run->targets.count > 0) return EXIT_DONE;
    for (int32_t i = 0; i < tpad_rules_target_count(); i++) {
        const int status = targets_add(&run->targets, "check", tpad_rules_target_at(i)->name);
        if (status != EXIT_DONE) return status;
    }
    return EXIT_DONE;
}

/* ---- Judging --------------------------------------------------------------------------------- */

static int check_one(words_given *given, const char *path, const check_baseline *baseline,
                     check_baseline *new_baseline, const tpad_model *model, int64_t index)
{
    check_run *run = &given->run;
    const check_format *format = formats[given->format];
    check_verdict verdicts[TARGETS_MOST];
    const tpad_pad_node *pad = tpad_model_pad_at(model, index);
    const check_node node = {
        .pad = pad,
        .facts = tpad_model_facts_at(model, index),
        .name = tpad_pad_name(pad),
        .verdicts = verdicts,
    };
    int status = EXIT_DONE;
    run->nodes++;
    check_note_size(run, path, pad);
    for (int32_t k = 0; k < run->targets.count && status == EXIT_DONE; k++) {
        const char *target = run->targets.items[k].name;
        check_verdict *verdict = &verdicts[k];
        *verdict = (check_verdict){.accepted = 0};
        tpad_model_find_out(&verdict->found, model, index, run->targets.items[k].choice);
        const int32_t kind = verdict->found.verdict.kind;
        if (check_level(kind) >= 0 && (given->baseline || given->new_baseline)) {
            char *line = check_baseline_line(path, &node, target, verdict);
            if (!line) return EXIT_FAILED;
            verdict->accepted = check_baseline_has(baseline, line);
            status = check_baseline_keep(new_baseline, line);
        }
        if (verdict->accepted) {
            run->accepted++;
            continue;
        }
        run->counts[kind]++;
        if (kind > run->worst) run->worst = kind;
    }
    if (status == EXIT_DONE) format->node(run, path, &node);
    if (status == EXIT_DONE && run->witness) status = check_witness_write(run, path, &node);
    return status;
}

/* 1 if a name of an input may be missing in some models. */
static int is_of_many(const words_given *given)
{
    return given->is_folder || given->paths.count > 1;
}

/* Counts a model without this name. */
static int lack_add(check_lacks *lacks, const char *name)
{
    for (int32_t i = 0; i < lacks->count; i++) {
        if (strcmp(lacks->items[i].name, name) != 0) continue;
        lacks->items[i].models++;
        return EXIT_DONE;
    }
    check_lack *grown = realloc(lacks->items, ((size_t)lacks->count + 1) * sizeof *grown);
    if (!grown) return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    lacks->items = grown;
    grown[lacks->count++] = (check_lack){name, 1};
    return EXIT_DONE;
}

static int note_lack(check_run *run, const char *name)
{
    const int32_t before = run->model_lacks.count;
    const int status = lack_add(&run->model_lacks, name);
    /* Count duplicates once. */
    if (status != EXIT_DONE || run->model_lacks.count == before) return status;
    return lack_add(&run->lacks, name);
}

static int check_model(words_given *given, const char *path, const check_baseline *baseline,
                       check_baseline *new_baseline)
{
    check_run *run = &given->run;
    const check_format *format = formats[given->format];
    tpad_model *model = NULL;
    tpad_io_error error;
    input_shapes shapes;
    int status =
        check_shapes_of(&shapes, &given->more_shapes, &given->shapes, path, is_of_many(given));
    if (status != EXIT_DONE) return status;
    const int32_t read = tpad_model_load_shaped(&model, path, shapes.items, shapes.count, &error);
    run->models++;
    run->model_lacks.count = 0;
    for (int32_t i = 0; read == TPAD_OK && i < shapes.count && status == EXIT_DONE; i++)
        if (tpad_model_lacks(model, i)) status = note_lack(run, shapes.items[i].name);
    free(shapes.items);
    if (read == TPAD_E_MEMORY) return report_io(&error, path, NULL);
    if (status != EXIT_DONE) {
        tpad_model_free(model);
        return status;
    }
    if (read != TPAD_OK) {
        run->unreadable++;
        report_io(&error, path, NULL);
    }
    if (format->model_begin)
        format->model_begin(run, path, read == TPAD_OK ? NULL : error.text,
                            read == TPAD_OK ? tpad_model_pad_count(model) : 0);
    if (read == TPAD_OK)
        for (int64_t i = 0; i < tpad_model_pad_count(model) && status == EXIT_DONE; i++)
            status = check_one(given, path, baseline, new_baseline, model, i);
    if (read == TPAD_OK && status == EXIT_DONE && run->report.last &&
        report_try_to_lower(&run->report, model, &error))
        status = report_io(&error, path, NULL);
    if (format->model_end) format->model_end(run);
    tpad_model_free(model);
    return status;
}

static void show_progress(size_t done, size_t count)
{
    char line[80];
    snprintf(line, sizeof line, "checking: %zu of %zu models", done, count);
    report_progress(line);
}

static int check_all(words_given *given)
{
    check_run *run = &given->run;
    const check_format *format = formats[given->format];
    check_baseline baseline = {0}, new_baseline = {0};
    const int shown = progress_wanted(given->quiet) && given->paths.count > 1;
    run->report.shapes = &given->shapes;
    int status = given->baseline ? check_baseline_read(&baseline, given->baseline) : EXIT_DONE;
    if (status == EXIT_DONE && given->shapes_file)
        status = check_shapes_read(&given->more_shapes, given->shapes_file);
    if (status == EXIT_DONE && run->witness) status = check_witness_begin(run);
    if (status == EXIT_DONE && format->begin) format->begin(run);
    for (size_t i = 0; i < given->paths.count && status == EXIT_DONE; i++) {
        if (shown) show_progress(i, given->paths.count);
        status = check_model(given, given->paths.items[i], &baseline, &new_baseline);
    }
    if (shown) report_progress(NULL);
    if (status == EXIT_DONE && format->end) format->end(run);
    if (status == EXIT_DONE && run->report.failed)
        status = report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    if (status == EXIT_DONE && given->new_baseline)
        status = check_baseline_write(&new_baseline, given->new_baseline, given->overwrite);
    check_baseline_free(&baseline);
    check_baseline_free(&new_baseline);
    if (status != EXIT_DONE) return status;
    status = report_stdout_end();
    if (status != EXIT_DONE) return status;
    if (run->unreadable) return EXIT_REFUSED;
    return run->worst >= run->fail_on && !given->new_baseline ? EXIT_FINDINGS : EXIT_DONE;
}

static int check(void *field)
{
    const int status = complete(field);
    return status == EXIT_DONE ? check_all(field) : status;
}

static void free_words(void *field)
{
    words_given *given = field;
    check_paths_free(&given->paths);
    input_shapes_free(&given->shapes);
    check_shapes_free(&given->more_shapes);
    free(given->run.lacks.items);
    free(given->run.model_lacks.items);
    report_free(&given->run.report);
}

const sub_command command_check = {
    .name = "check",
    .files = "MODEL...",
    .summary = "what each runtime does with a Pad",
    .about = "\n"
             "Says for every Pad node of the models what each runtime does with it: same (it\n"
             "gives the answer of the specification, bit by bit), differs, refuses, crashes,\n"
             "accepts (it answers what the specification forbids), or unknown, with the fact\n"
             "that is missing. Every other verdict than same has the code of a rule, which\n"
             "tensorpad explain prints at length. A folder stands for all .onnx files and IR\n"
             "files (.xml) in it.\n",
    .rows = check_rows,
    .end = "\n"
           "exit status: 0 done, 1 failed, 2 wrong usage, 3 a model cannot be checked,\n"
           "4 a verdict at or above --fail-on\n"
           "\n"
           "  tensorpad check model.onnx --target ort,openvino\n"
           "  tensorpad check models/ --format sarif --fail-on crashes > check.sarif\n",
    .bytes = sizeof(words_given),
    .start = start,
    .take_file = take_path,
    .run = check,
    .free_options = free_words,
};
