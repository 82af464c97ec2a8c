/* Parsing of a command line.  SPDX-License-Identifier: MIT */
#include "arguments.h"

#include "formats/formats.h"
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error_report.h"
#include "help.h"

/* ---- Options and file names ------------------------------------------------------------------ */

enum { MOST_ROWS = 32, FIRST_ROW = UCHAR_MAX + 1 };

/* The rows as getopt takes them. The `val` of row i is FIRST_ROW + i; after the rows is --help. */
typedef struct getopt_table {
    struct option options[MOST_ROWS + 2];
    char letters[2 * MOST_ROWS];
} getopt_table;

static void make_table(getopt_table *table, const sub_command *command)
{
    const option_row *row;
    /* '-' returns file names in their order, even if POSIXLY_CORRECT is set. ':' distinguishes a
     * missing value from an unknown option. */
    int i = 0, used = sprintf(table->letters, "-:h");
    for (; i < MOST_ROWS && (row = sub_command_row(command, i)) != NULL; i++) {
        const int has = !row->value                                  ? no_argument
                        : *row->value == '[' && row->value[1] == '=' ? optional_argument
                                                                     : required_argument;
        table->options[i] = (struct option){row->name, has, NULL, FIRST_ROW + i};
        if (row->letter) table->letters[used++] = row->letter;
        if (row->letter && row->value) table->letters[used++] = ':';
    }
    table->letters[used] = 0;
    table->options[i++] = (struct option){"help", no_argument, NULL, 'h'};
    table->options[i] = (struct option){NULL, 0, NULL, 0};
}

static int unknown_option(const sub_command *command, char **argv, const struct option *options)
{
    const char *word = argv[optind - 1];
    char accepted[512] = "";
    size_t used = 0;
    for (const struct option *at = options; at->name && used < sizeof accepted; at++) {
        /* A long option without a value; a letter may be inside a bundle. */
        if (optopt == at->val && strncmp(word, "--", 2) == 0)
            return report_usage("%s: option --%s takes no value: '%s'", command->name, at->name,
                                word);
        used += (size_t)snprintf(accepted + used, sizeof accepted - used, " --%s", at->name);
    }
    if (optopt)
        return report_usage("%s: unknown option '-%c'; it has%s", command->name, optopt, accepted);
    return report_usage("%s: unknown or ambiguous option '%.*s'; it has%s", command->name,
                        (int)strcspn(word, "="), word, accepted);
}

static int take_row(const sub_command *command, void *options, int val)
{
    const option_row *row;
    for (int i = 0; (row = sub_command_row(command, i)) != NULL; i++) {
        if (val != FIRST_ROW + i && val != row->letter) continue;
        const given_option given = {command->name, row, optarg};
        if (command->note) command->note(options, row);
        return row->take ? row->take((char *)options + row->field, &given) : EXIT_DONE;
    }
    return EXIT_DONE;
}

/* *helped: 1 if --help was given; nothing after it is read. */
static int read_words(const sub_command *command, void *options, int argc, char **argv, int *helped)
{
    getopt_table table;
    int status = EXIT_DONE;
    make_table(&table, command);
    optind = 0; /* getopt begins anew */
    while (status == EXIT_DONE) {
        const int val = getopt_long(argc, argv, table.letters, table.options, NULL);
        switch (val) {
        case -1: /* -- or the end: the rest are file names */
            for (; status == EXIT_DONE && optind < argc; optind++)
                status = command->take_file(options, argv[optind]);
            return status;
        case 1:
            status = command->take_file(options, optarg);
            break;
        case ':':
            return report_usage("%s: option %s needs a value", command->name, argv[optind - 1]);
        case '?':
            return unknown_option(command, argv, table.options);
        case 'h':
            *helped = 1;
            return EXIT_DONE;
        default:
            status = take_row(command, options, val);
        }
    }
    return status;
}

int sub_command_run(const sub_command *command, int argc, char **argv)
{
    int helped = 0;
    void *options = calloc(1, command->bytes + 1);
    if (!options) return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    int status = command->start ? command->start(options, argc) : EXIT_DONE;
    if (status == EXIT_DONE) status = read_words(command, options, argc, argv, &helped);
    if (status == EXIT_DONE) status = helped ? help_print(command) : command->run(options);
    if (command->free_options) command->free_options(options);
    free(options);
    return status;
}

int argument_flag(void *field, const given_option *given)
{
    (void)given;
    *(int *)field = 1;
    return EXIT_DONE;
}

int argument_text(void *field, const given_option *given)
{
    *(const char **)field = given->text;
    return EXIT_DONE;
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

/* example: a valid list. */
static int take_integers(integers *list, const given_option *given, int are_extents,
                         const char *example)
{
    const char *option = given->row->name, *text = given->text;
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

int argument_integers(void *field, const given_option *given)
{
    return take_integers(field, given, 0, "0,-1,2");
}

int argument_targets(void *field, const given_option *given)
{
    return take_integers(field, given, 1, "512,512,-, where - leaves an axis as it is");
}

int argument_integers_from(void *field, const given_option *given, int64_t least)
{
    const integers *list = field;
    const int status = argument_integers(field, given);
    for (int32_t i = 0; status == EXIT_DONE && i < list->count; i++)
        if (list->items[i] < least)
            return report_usage("--%s '%s': entry %d, %lld, is below %lld", given->row->name,
                                given->text, (int)i + 1, (long long)list->items[i],
                                (long long)least);
    return status;
}

/* ---- Keywords -------------------------------------------------------------------------------- */

static int unknown_mode(const char *word)
{
    const char *here = tpad_mode_elsewhere(word);
    if (here) return report_usage("unknown mode '%s': here it is called %s", word, here);
    char modes[MODES_BYTES];
    modes_list(modes, modes_all(), "or");
    return report_usage("unknown mode '%s': %s", word, modes);
}

/* Writes the option's keywords: "start, center or end". */
static void list_words(char *text, size_t bytes, const option_row *row)
{
    size_t used = 0;
    for (int32_t i = 0; row->word_at(i) && used < bytes; i++) {
        const char *between = i == 0 ? "" : row->word_at(i + 1) ? ", " : " or ";
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", between, row->word_at(i));
    }
}

static int unknown_word(const given_option *given, const char *word)
{
    char words[512] = "";
    if (given->row->word_at == modes_word) return unknown_mode(word);
    list_words(words, sizeof words, given->row);
    return report_usage("%s: unknown %s '%s': %s", given->command, given->row->name, word, words);
}

/* The number of the keyword of that length; -1 if there is none. */
static int32_t number_of(const given_option *given, const char *text, size_t length)
{
    const char *word;
    for (int32_t i = 0; (word = given->row->word_at(i)) != NULL; i++)
        if (strlen(word) == length && memcmp(word, text, length) == 0) return i;
    return -1;
}

int argument_word(void *field, const given_option *given)
{
    const int32_t number = number_of(given, given->text, strlen(given->text));
    if (number < 0) return unknown_word(given, given->text);
    *(int32_t *)field = number;
    return EXIT_DONE;
}

int argument_words(void *field, const given_option *given)
{
    integers *list = field;
    char *text = given->text;
    int status = make_for(list, text);
    if (status == EXIT_DONE && list->count == 0) return unknown_word(given, text);
    for (int32_t i = 0; status == EXIT_DONE && i < list->count; i++) {
        const size_t length = strcspn(text, ",");
        list->items[i] = number_of(given, text, length);
        text[length] = 0;
        if (list->items[i] < 0) status = unknown_word(given, text);
        text += length + 1;
    }
    return status;
}

int argument_type(void *field, const given_option *given)
{
    const int32_t type = tpad_type_from_text(given->text);
    *(int32_t *)field = type;
    if (type != 0) return EXIT_DONE;
    return report_usage("unknown type '%s': a name such as float16, bfloat16, float8e4m3fn, uint4, "
                        "or short f16, bf16, f8e4m3fn, u4",
                        given->text);
}

int argument_threads(void *field, const given_option *given)
{
    tpad_threads **threads = field;
    const char *text = given->text;
    tpad_error error;
    char *end;
    const long number = strtol(text, &end, 10);
    const int good = *text >= '1' && *text <= '9' && *end == 0 && number <= INT32_MAX;
    tpad_threads_destroy(*threads);
    int32_t code = tpad_threads_create(threads, good ? (int32_t)number : -1, &error);
    if (code == TPAD_E_MEMORY) return report_refusal(code, NULL, "out of memory");
    if (code == TPAD_OK) return EXIT_DONE;
    return report_usage("--threads '%s': a number from 1 to %d%s", text, (int)error.limit,
                        error.limit == 1 ? "; this tensorpad was built without threads" : "");
}
