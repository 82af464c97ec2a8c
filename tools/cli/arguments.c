/* The words of a command line.  SPDX-License-Identifier: MIT */
#include "arguments.h"

#include "models/models.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <tensorpad/fit.h>

#include "mode_names.h"
#include "error_report.h"

/* ---- Options and file names ------------------------------------------------------------------ */

enum { SHORT_BYTES = 16 };

static int unknown_option(const arguments *words)
{
    const char *word = words->argv[optind - 1];
    char accepted[512] = "";
    size_t used = 0;
    if (optopt) {
        /* The name of the option: a letter, which may stand inside a bundle, or a long option
         * without a value. */
        for (const struct option *at = words->options; at->name; at++)
            if (at->val == optopt && strncmp(word, "--", 2) == 0)
                return report_usage("%s: option --%s takes no value: '%s'", words->command,
                                    at->name, word);
    }
    for (const struct option *at = words->options; at->name; at++) {
        int wrote = snprintf(accepted + used, sizeof accepted - used, " --%s", at->name);
        if (wrote > 0) used += (size_t)wrote;
        if (used >= sizeof accepted) break;
    }
    if (optopt)
        return report_usage("%s: unknown option '-%c'; it has%s", words->command, optopt, accepted);
    return report_usage("%s: unknown or ambiguous option '%.*s'; it has%s", words->command,
                        (int)strcspn(word, "="), word, accepted);
}

/* The short options of the table, as getopt takes them. '-' returns file names in their order, even
 * if POSIXLY_CORRECT is set. ':' distinguishes a missing value from an unknown option. */
static void list_letters(const struct option *options, char letters[SHORT_BYTES])
{
    size_t used = 0;
    letters[used++] = '-';
    letters[used++] = ':';
    for (const struct option *at = options; at->name; at++) {
        if (at->val > UCHAR_MAX || used + 3 > SHORT_BYTES) continue;
        letters[used++] = (char)at->val;
        if (at->has_arg == required_argument) letters[used++] = ':';
    }
    letters[used] = 0;
}

int arguments_next(arguments *words)
{
    char letters[SHORT_BYTES];
    list_letters(words->options, letters);
    int found =
        words->ended ? -1 : getopt_long(words->argc, words->argv, letters, words->options, NULL);
    switch (found) {
    case -1:
        words->ended = 1;
        if (optind >= words->argc) return ARGUMENT_END;
        words->text = words->argv[optind++];
        return ARGUMENT_FILE;
    case ':':
        report_usage("%s: option %s needs a value", words->command, words->argv[optind - 1]);
        return ARGUMENT_BAD;
    case '?':
        unknown_option(words);
        return ARGUMENT_BAD;
    default:
        words->text = optarg;
        return found;
    }
}

/* ---- Lists ----------------------------------------------------------------------------------- */

void integers_free(integers *list)
{
    free(list->items);
    *list = (integers){0};
}

int integers_make(integers *list, int32_t count)
{
    integers_free(list);
    list->items = calloc((size_t)count + 1, sizeof *list->items);
    if (list->items == NULL) return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    list->count = count;
    list->given = 1;
    return EXIT_DONE;
}

static int make_for(integers *list, const char *text)
{
    size_t entries = *text != 0;
    for (const char *at = text; *at; at++) entries += *at == ',';
    if (entries >= INT32_MAX / 2) return report_refusal(TPAD_E_MEMORY, NULL, "a list is too long");
    return integers_make(list, (int32_t)entries);
}

/* example: a list as it is written. */
static int take_integers(integers *list, const char *option, const char *text, int are_extents,
                         const char *example)
{
    int status = make_for(list, text);
    const char *at = text;
    for (int32_t i = 0; status == EXIT_DONE && i < list->count; i++) {
        int length = (int)strcspn(at, ",");
        const char *digits = at + (*at == '-' || *at == '+');
        char *end;
        errno = 0;
        list->items[i] = strtoll(at, &end, 10);
        if (are_extents && length == 1 && *at == '-') {
            list->items[i] = -1;
        } else if (*digits < '0' || *digits > '9' || end != at + length) {
            status = report_usage("--%s '%s': entry %d, '%.*s', is not a whole number; a list is "
                                  "written as %s",
                                  option, text, (int)i + 1, length, at, example);
        } else if (errno == ERANGE) {
            status = report_usage("--%s '%s': entry %d, %.*s, does not fit in 64 bits", option,
                                  text, (int)i + 1, length, at);
        } else if (are_extents && list->items[i] < 0) {
            status = report_usage("--%s '%s': entry %d, %.*s, is below 0; a list is written as %s",
                                  option, text, (int)i + 1, length, at, example);
        }
        at += length + 1;
    }
    return status;
}

int arguments_integers(integers *list, const char *option, const char *text)
{
    return take_integers(list, option, text, 0, "0,-1,2");
}

int arguments_extents(integers *list, const char *option, const char *text)
{
    return take_integers(list, option, text, 1, "512,512,-, where - leaves an axis as it is");
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* Other programs' names of the modes. Some names have different meanings in different programs. */
static const struct {
    const char *alias;
    const char *canonical;
} mode_aliases[] = {
    {"fill", "constant"},
    {"zeros", "constant"},
    {"border_constant", "constant"},
    {"replicate", "edge"},
    {"nearest", "edge"},
    {"clamp", "edge"},
    {"smear", "edge"},
    {"repeat_edge", "edge"},
    {"border_replicate", "edge"},
    {"mirror", "reflect (SciPy) or symmetric (ITK, libvips, ffmpeg)"},
    {"reflect_101", "reflect"},
    {"border_reflect_101", "reflect"},
    {"mirror_interior", "reflect"},
    {"border_reflect", "symmetric"},
    {"circular", "wrap"},
    {"periodic", "wrap"},
    {"torus", "wrap"},
    {"tile", "wrap"},
    {"grid-wrap", "wrap"},
    {"border_wrap", "wrap"},
};

static int unknown_mode(const char *word)
{
    for (size_t i = 0; i < sizeof mode_aliases / sizeof mode_aliases[0]; i++)
        if (strcasecmp(word, mode_aliases[i].alias) == 0)
            return report_usage("unknown mode '%s': here it is called %s", word,
                                mode_aliases[i].canonical);
    for (int32_t mode = 0; mode < TPAD_MODE_COUNT; mode++)
        if (strcasecmp(word, tpad_mode_name(mode)) == 0)
            return report_usage("unknown mode '%s': here it is called %s", word,
                                tpad_mode_name(mode));
    char modes[MODES_BYTES];
    modes_list(modes, modes_all(), "or");
    return report_usage("unknown mode '%s': %s", word, modes);
}

static int unknown_align(const char *word)
{
    return report_usage("unknown align '%s': %s, %s or %s", word, tpad_align_name(TPAD_ALIGN_START),
                        tpad_align_name(TPAD_ALIGN_CENTER), tpad_align_name(TPAD_ALIGN_END));
}

/* Where the input lies is one word here, so it cannot be at an offset. */
static int32_t align_from_name(const char *word)
{
    const int32_t align = tpad_align_from_name(word);
    return align == TPAD_ALIGN_OFFSET ? -1 : align;
}

static int unknown_too_long(const char *word)
{
    return report_usage("unknown way '%s' to treat what is too long: %s, %s, %s or %s", word,
                        tpad_too_long_name(TPAD_TOO_LONG_ERROR),
                        tpad_too_long_name(TPAD_TOO_LONG_CROP_END),
                        tpad_too_long_name(TPAD_TOO_LONG_CROP_START),
                        tpad_too_long_name(TPAD_TOO_LONG_CROP_CENTER));
}

/* from_name: the number of a word, below 0 if there is no such word, which `unknown` reports. */
static int take_words(integers *list, const char *text, int32_t (*from_name)(const char *word),
                      int (*unknown)(const char *word))
{
    int status = make_for(list, text);
    if (status == EXIT_DONE && list->count == 0) return unknown(text);
    for (int32_t i = 0; status == EXIT_DONE && i < list->count; i++) {
        size_t length = strcspn(text, ",");
        char *word = strndup(text, length);
        if (word == NULL) return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
        list->items[i] = from_name(word);
        if (list->items[i] < 0) status = unknown(word);
        free(word);
        text += length + 1;
    }
    return status;
}

int arguments_modes(integers *list, const char *text)
{
    return take_words(list, text, tpad_mode_from_name, unknown_mode);
}

int arguments_aligns(integers *list, const char *text)
{
    return take_words(list, text, align_from_name, unknown_align);
}

int arguments_too_longs(integers *list, const char *text)
{
    return take_words(list, text, tpad_too_long_from_name, unknown_too_long);
}

int arguments_order(int32_t *order, const char *text)
{
    if (strcmp(text, "window") == 0) {
        *order = TPAD_WINDOW;
    } else if (strcmp(text, "crop") == 0) {
        *order = TPAD_CROP;
    } else {
        return report_usage("unknown order '%s': window or crop", text);
    }
    return EXIT_DONE;
}

int arguments_type(int32_t *type, const char *text)
{
    *type = tpad_type_from_text(text);
    if (*type != 0) return EXIT_DONE;
    return report_usage("unknown type '%s': a name such as float16, bfloat16, float8e4m3fn, uint4, "
                        "or short f16, bf16, f8e4m3fn, u4",
                        text);
}

int arguments_threads(tpad_threads **threads, const char *text)
{
    tpad_error error;
    char *end;
    const long number = strtol(text, &end, 10);
    const int good = *text >= '1' && *text <= '9' && *end == 0 && number <= INT32_MAX;
    tpad_threads_destroy(*threads);
    int32_t code = tpad_threads_create(threads, good ? (int32_t)number : -1, &error);
    if (code == TPAD_E_MEMORY) return report_refusal(code, NULL, "out of memory");
    if (code == TPAD_OK) return EXIT_DONE;
    return report_usage("--threads '%s': a number from 1 to %d%s", text, (int)error.limit,
                        error.limit == 1 ? "; this tensorpad was built without pthreadpool" : "");
}
