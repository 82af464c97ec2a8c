/* The words that say how an array is padded.  SPDX-License-Identifier: MIT
 *
 * `tensorpad pad` and `tensorpad show` have the same ones. What either has besides, it reads
 * itself.
 */
#ifndef TENSORPAD_CLI_PAD_WORDS_H
#define TENSORPAD_CLI_PAD_WORDS_H

#include "spec_shared.h"

enum {
    PAD_WORD_SPEC = 256,
    PAD_WORD_MODE,
    PAD_WORD_BEGIN,
    PAD_WORD_END,
    PAD_WORD_PADS,
    PAD_WORD_AXES,
    PAD_WORD_INTERIOR,
    PAD_WORD_TO,
    PAD_WORD_MULTIPLE,
    PAD_WORD_SQUARE,
    PAD_WORD_ALIGN,
    PAD_WORD_TOO_LONG,
    PAD_WORD_ORDER,
    PAD_WORD_VALUE,
    PAD_WORD_DTYPE,
    PAD_WORD_LENIENT,
    PAD_WORD_JSON,
    PAD_WORDS_END /* where the other words of a command begin */
};

/* Entries of the table of a command. */
#define PAD_WORDS                                                                                  \
    {"spec", required_argument, NULL, PAD_WORD_SPEC},                                              \
        {"mode", required_argument, NULL, PAD_WORD_MODE},                                          \
        {"begin", required_argument, NULL, PAD_WORD_BEGIN},                                        \
        {"end", required_argument, NULL, PAD_WORD_END},                                            \
        {"pads", required_argument, NULL, PAD_WORD_PADS},                                          \
        {"axes", required_argument, NULL, PAD_WORD_AXES},                                          \
        {"interior", required_argument, NULL, PAD_WORD_INTERIOR},                                  \
        {"to", required_argument, NULL, PAD_WORD_TO},                                              \
        {"multiple", required_argument, NULL, PAD_WORD_MULTIPLE},                                  \
        {"square", required_argument, NULL, PAD_WORD_SQUARE},                                      \
        {"align", required_argument, NULL, PAD_WORD_ALIGN},                                        \
        {"too-long", required_argument, NULL, PAD_WORD_TOO_LONG},                                  \
        {"order", required_argument, NULL, PAD_WORD_ORDER},                                        \
        {"value", required_argument, NULL, PAD_WORD_VALUE},                                        \
        {"dtype", required_argument, NULL, PAD_WORD_DTYPE},                                        \
        {"lenient", no_argument, NULL, PAD_WORD_LENIENT}, {"force", no_argument, NULL, 'f'},       \
        {"json", no_argument, NULL, PAD_WORD_JSON},                                                \
    {                                                                                              \
        "help", no_argument, NULL, 'h'                                                             \
    }

/* Starts options of the command with this name. Returns EXIT_DONE, or the status of the error that
 * it reported, as the other functions do. The caller frees the words in both cases. */
int pad_words_start(pad_options *options, const char *command);
/* Takes one of the words above, in its order. */
int pad_words_take(pad_options *options, int word, const char *text);
/* Refuses words that may not stand together, before any file is read. */
int pad_words_check(pad_options *options);
/* The first word that was given of those that say how much is padded and how, which a Pad node says
 * itself: "--mode"; NULL: none. */
const char *pad_words_given(const pad_options *options);
/* Makes one list of --begin and --end. */
int pad_words_join(pad_options *options);
void pad_words_free(pad_options *options);

#endif
