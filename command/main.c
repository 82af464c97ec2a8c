/* The command `tensorpad`.  SPDX-License-Identifier: MIT
 *
 * Chooses the sub-command and prepares the process for it.
 */
#include "formats/formats.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <tensorpad/threads.h>

#include "arguments.h"
#include "drawing/drawing.h"
#include "error_report.h"
#include "formats/port/system.h"
#include "help.h"
#include "output.h"

static const sub_command *const *commands; /* NULL after the last */

static int version(void)
{
    printf("tensorpad %s\nfiles: %s\nkernels: %s\nthreads: %s\n", tpad_version(),
           tpad_io_features(), tpad_kernels_name(), tpad_threads_features());
    return report_stdout_end();
}

/* ---- tensorpad completion -------------------------------------------------------------------- */

static int take_shell(void *options, char *name)
{
    *(const char **)options = name;
    return EXIT_DONE;
}

static int complete(void *options);

const sub_command command_completion = {
    .name = "completion",
    .files = "SHELL",
    .summary = "what bash, zsh or fish complete",
    .about = "\n"
             "Writes what SHELL reads to complete sub-commands, options and their words: bash,\n"
             "zsh or fish.\n"
             "\n"
             "  echo 'source <(tensorpad completion bash)' >> ~/.bashrc\n"
             "  echo 'source <(tensorpad completion zsh)' >> ~/.zshrc\n"
             "  tensorpad completion fish > ~/.config/fish/completions/tensorpad.fish\n",
    .end = "",
    .bytes = sizeof(const char *),
    .take_file = take_shell,
    .run = complete,
};

static int complete(void *options)
{
    const char *const *name = options, *shell;
    for (int32_t i = 0; *name && (shell = completion_shell(i)) != NULL; i++) {
        if (strcmp(*name, shell) != 0) continue;
        completion_write(i, commands);
        return report_stdout_end();
    }
    return report_usage("completion: for which shell? bash, zsh or fish");
}

/* ---- The command ----------------------------------------------------------------------------- */

static void usage(FILE *out)
{
    fputs("usage: tensorpad COMMAND [options] ...\n\n", out);
    for (int i = 0; commands[i]; i++) {
        const int wide = fprintf(out, "  %s %s", commands[i]->name, commands[i]->files);
        fprintf(out, "%*s%s\n", 36 - wide, "", commands[i]->summary);
    }
    fputs("\n  tensorpad --help, tensorpad COMMAND --help, tensorpad --version\n", out);
}

static const char help_end[] =
    "\n"
    "Pads tensors exactly as ONNX, OpenVINO, nGraph and embARC MLI specify it.\n"
    "\n"
    "  tensorpad pad --mode reflect --pads 0,2,0,2 in.npy out.npy\n"
    "  tensorpad inspect model.onnx\n"
    "  tensorpad run model.onnx --node pad_3 --input in.npy --output out.npy\n"
    "\n"
    "Arrays are .npy, .pb (an ONNX TensorProto) or .png (height x width x\n"
    "channels), by the ending of the name; - is an .npy on standard input or\n"
    "output. Models are .onnx, or .xml (an OpenVINO IR with its .bin). Options\n"
    "come before or after the file names; -- ends them. An output appears whole\n"
    "under its name or not at all.\n"
    "\n"
    "Errors are one line on standard error, or with --json one JSON object.\n"
    "\n"
    "exit status  0  done\n"
    "             1  the operation failed: reading, writing, memory, and an\n"
    "                output that exists (-f overwrites)\n"
    "             2  wrong usage, whatever the files hold\n"
    "             3  a bad file or model, or what the specification does not\n"
    "                allow\n"
    "             4  check: a verdict at or above --fail-on\n"
    "\n"
    "To try it in a browser: scripts/javascript/playground.py\n";

static int help(void)
{
    usage(stdout);
    fputs(help_end, stdout);
    return report_stdout_end();
}

/* Edit distance with swaps (Damerau-Levenshtein). Words of LONGEST letters or more are far from all
 * others. */
static int distance(const char *a, const char *b)
{
    enum { LONGEST = 16 };
    int rows[LONGEST][LONGEST];
    const int m = (int)strlen(a), n = (int)strlen(b);
    if (m >= LONGEST || n >= LONGEST) return LONGEST;
    for (int i = 0; i <= m; i++)
        for (int j = 0; j <= n; j++) {
            int best = i + j; /* for the first row and column */
            if (i > 0 && j > 0) {
                best = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
                if (rows[i - 1][j] < best) best = rows[i - 1][j] + 1;
                if (rows[i][j - 1] < best) best = rows[i][j - 1] + 1;
            }
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                rows[i - 2][j - 2] < best)
                best = rows[i - 2][j - 2] + 1;
            rows[i][j] = best;
        }
    return rows[m][n];
}

static int unknown_command(const char *word)
{
    enum { NEAR = 2 };
    char names[256];
    int used = 0;
    const char *nearest = NULL;
    for (int i = 0, least = NEAR + 1; commands[i]; i++) {
        const int far = distance(word, commands[i]->name);
        if (far >= least || far >= (int)strlen(commands[i]->name) - 1) continue;
        least = far;
        nearest = commands[i]->name;
    }
    if (nearest)
        return report_usage("unknown command '%s': did you mean %s? (see tensorpad --help)", word,
                            nearest);
    for (int i = 0; commands[i]; i++)
        used += snprintf(names + used, sizeof names - (size_t)used, "%s%s",
                         i == 0            ? ""
                         : commands[i + 1] ? ", "
                                           : " or ",
                         commands[i]->name);
    return report_usage("unknown %s '%s': %s comes first (see tensorpad --help)",
                        word[0] == '-' ? "option" : "command", word, names);
}

int command_main(int argc, char **argv, const sub_command *const *rows,
                 int (*elsewhere)(const char *name))
{
    /* Looked for before parsing, because a parse error must be JSON, too. */
    int json = 0;
    commands = rows;
    system_begin(&argc, &argv);
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0) json = 1;
    report_as_json(json);
    if (system_fill_streams() != 0) {
        report_refusal(TPAD_E_IO, NULL,
                       "/dev/null, in place of a standard stream that is closed: %s",
                       strerror(errno));
        return EXIT_FAILED;
    }
    outputs_handle_signals();
    if (argc < 2) {
        usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return help();
    if (strcmp(argv[1], "--version") == 0) return version();
    for (int i = 0; commands[i]; i++)
        if (strcmp(argv[1], commands[i]->name) == 0)
            return sub_command_run(commands[i], argc - 1, argv + 1);
    const int status = elsewhere ? elsewhere(argv[1]) : EXIT_DONE;
    return status == EXIT_DONE ? unknown_command(argv[1]) : status;
}
