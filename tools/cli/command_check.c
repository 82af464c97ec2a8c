/* `tensorpad check`: what every runtime does with every Pad.  SPDX-License-Identifier: MIT */
#include "check_results.h"

#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "commands.h"
#include "input_shape_option.h"
#include "progress.h"
#include "error_report.h"

static const check_format *const formats[] = {&check_text, &check_json, &check_sarif,
                                              &check_github};
enum { FORMATS = sizeof formats / sizeof *formats };

/* ---- Words ----------------------------------------------------------------------------------- */

typedef struct words_given {
    check_run run;
    check_paths paths;
    input_shapes shapes;
    const check_format *format;
    const char *baseline, *new_baseline;
    int fail_given, quiet, overwrite;
} words_given;

static int find_format(const check_format **format, const char *name)
{
    for (int i = 0; i < FORMATS; i++) {
        if (strcmp(formats[i]->name, name) != 0) continue;
        *format = formats[i];
        return EXIT_DONE;
    }
    return report_usage("check: unknown format '%s': text, json, sarif or github", name);
}

static int find_kind(int32_t *kind, const char *name)
{
    *kind = tpad_rules_kind_from_name(name);
    if (*kind >= 0) return EXIT_DONE;
    return report_usage("check: unknown verdict '%s': same, unknown, accepts, differs, refuses or "
                        "crashes",
                        name);
}

enum {
    OPTION_JSON = 256,
    OPTION_TARGET,
    OPTION_FORMAT,
    OPTION_FAIL_ON,
    OPTION_BASELINE,
    OPTION_WRITE_BASELINE,
    OPTION_WITNESS,
    OPTION_INPUT_SHAPE,
};

static const struct option check_words[] = {
    {"target", required_argument, NULL, OPTION_TARGET},
    {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"baseline", required_argument, NULL, OPTION_BASELINE},
    {"write-baseline", required_argument, NULL, OPTION_WRITE_BASELINE},
    {"witness", required_argument, NULL, OPTION_WITNESS},
    {"input-shape", required_argument, NULL, OPTION_INPUT_SHAPE},
    {"force", no_argument, NULL, 'f'},
    {"quiet", no_argument, NULL, 'q'},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int take_word(words_given *given, int word, char *text)
{
    switch (word) {
    case OPTION_TARGET:
        return targets_add_list(&given->run.targets, "check", text);
    case OPTION_FAIL_ON:
        given->fail_given = 1;
        return find_kind(&given->run.fail_on, text);
    case OPTION_FORMAT:
        return find_format(&given->format, text);
    case OPTION_JSON:
        given->format = &check_json;
        return EXIT_DONE;
    case OPTION_BASELINE:
        given->baseline = text;
        return EXIT_DONE;
    case OPTION_WRITE_BASELINE:
        given->new_baseline = text;
        return EXIT_DONE;
    case OPTION_WITNESS:
        given->run.witness = text;
        return EXIT_DONE;
    case OPTION_INPUT_SHAPE:
        return input_shapes_add(&given->shapes, text);
    case 'f':
        given->overwrite = 1;
        return EXIT_DONE;
    case 'q':
        given->quiet = 1;
        return EXIT_DONE;
    default:
        return check_paths_add(&given->paths, text);
    }
}

/* What follows from all words together. */
static int complete(words_given *given)
{
    check_run *run = &given->run;
    if (given->paths.count == 0)
        return report_usage("check: no model: tensorpad check MODEL... [--target T,...]; folders "
                            "stand for the .onnx and .xml files in them");
    if (given->overwrite && !given->new_baseline)
        return report_usage(
            "check: -f overwrites the file of --write-baseline, which is not given");
    if (!given->fail_given)
        run->fail_on = run->targets.count ? TPAD_RULES_DIFFERS : TPAD_RULES_KINDS;
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
    for (int32_t k = 0; k < run->targets.count && status == EXIT_DONE; k++) {
        const char *target = run->targets.items[k].name;
        check_verdict *verdict = &verdicts[k];
        *verdict = (check_verdict){.accepted = 0};
        tpad_rules_find_out(&verdict->found, node.facts, run->targets.items[k].choice);
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
    if (status == EXIT_DONE) given->format->node(run, path, &node);
    if (status == EXIT_DONE && run->witness) status = check_witness_write(run, path, &node);
    return status;
}

static int check_model(words_given *given, const char *path, const check_baseline *baseline,
                       check_baseline *new_baseline)
{
    check_run *run = &given->run;
    tpad_model *model = NULL;
    tpad_io_error error;
    int status = EXIT_DONE;
    const int32_t read =
        tpad_model_load_shaped(&model, path, given->shapes.items, given->shapes.count, &error);
    run->models++;
    if (read == TPAD_E_MEMORY) return report_io(&error, path, NULL);
    if (read != TPAD_OK) {
        run->unreadable++;
        report_io(&error, path, NULL);
    }
    if (given->format->model_begin)
        given->format->model_begin(run, path, read == TPAD_OK ? NULL : error.text,
                                   read == TPAD_OK ? tpad_model_pad_count(model) : 0);
    if (read == TPAD_OK)
        for (int64_t i = 0; i < tpad_model_pad_count(model) && status == EXIT_DONE; i++)
            status = check_one(given, path, baseline, new_baseline, model, i);
    if (given->format->model_end) given->format->model_end(run);
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
    check_baseline baseline = {0}, new_baseline = {0};
    const int shown = progress_wanted(given->quiet) && given->paths.count > 1;
    int status = given->baseline ? check_baseline_read(&baseline, given->baseline) : EXIT_DONE;
    if (status == EXIT_DONE && run->witness) status = check_witness_begin(run);
    if (status == EXIT_DONE && given->format->begin) given->format->begin(run);
    for (size_t i = 0; i < given->paths.count && status == EXIT_DONE; i++) {
        if (shown) show_progress(i, given->paths.count);
        status = check_model(given, given->paths.items[i], &baseline, &new_baseline);
    }
    if (shown) report_progress(NULL);
    if (status == EXIT_DONE && given->format->end) given->format->end(run);
    if (status == EXIT_DONE && given->new_baseline)
        status = check_baseline_write(&new_baseline, given->new_baseline, given->overwrite);
    check_baseline_free(&baseline);
    check_baseline_free(&new_baseline);
    if (status != EXIT_DONE) return status;
    status = report_stdout_end();
    if (status != EXIT_DONE) return status;
    if (run->unreadable) return EXIT_REFUSED;
    return run->worst >= run->fail_on ? EXIT_FINDINGS : EXIT_DONE;
}

int command_check(int argc, char **argv)
{
    arguments words = {"check", argc, argv, check_words, NULL, 0};
    words_given given = {.run = {.out = stdout}, .format = &check_text};
    int status = EXIT_DONE, word;
    while (status == EXIT_DONE && (word = arguments_next(&words)) != ARGUMENT_END) {
        if (word == 'h') {
            check_paths_free(&given.paths);
            input_shapes_free(&given.shapes);
            return help("check");
        }
        /* getopt gives words of argv, which may be written to. */
        status = word == ARGUMENT_BAD ? EXIT_USAGE : take_word(&given, word, (char *)words.text);
    }
    if (status == EXIT_DONE) status = complete(&given);
    if (status == EXIT_DONE) status = check_all(&given);
    check_paths_free(&given.paths);
    input_shapes_free(&given.shapes);
    return status;
}
