/* The command `tensorpad`.  SPDX-License-Identifier: MIT
 *
 * Chooses the sub-command and prepares the process for it. Everything under tools/cli knows the public
 * headers only.
 */
#include "models/models.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <tensorpad/threads.h>
#include <unistd.h>

#include "commands.h"
#include "output_files.h"
#include "drawing/drawing.h"
#include "error_report.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"pad", command_pad},     {"run", command_run},     {"inspect", command_inspect},
    {"check", command_check}, {"lower", command_lower}, {"explain", command_explain},
    {"specs", command_specs}, {"bench", command_bench}, {"show", command_show},
};

/* Opens replacements for closed standard streams, so that a file that is opened later does not
 * become standard input, output or error. The replacements are opened for the wrong direction, so
 * that using them fails as a closed stream does. */
static int fill_closed_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
        if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return report_refusal(TPAD_E_IO, NULL,
                                  "/dev/null, in place of a standard stream that is closed: %s",
                                  strerror(errno));
    }
    return EXIT_DONE;
}

static int version(void)
{
    printf("tensorpad %s\nfiles: %s\nkernels: %s\nthreads: %s\npictures: %s\n", tpad_version(),
           tpad_io_features(), tpad_kernels_name(), tpad_threads_features(),
           tpad_pictures_features());
    return report_stdout_end();
}

int main(int argc, char **argv)
{
    /* Found before the options are read, because an error in the options must be JSON too. */
    int json = 0;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0) json = 1;
    report_as_json(json);
    if (fill_closed_streams() != EXIT_DONE) return EXIT_FAILED;
    outputs_handle_signals();
    if (argc < 2) {
        help_usage();
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return help("");
    if (strcmp(argv[1], "--version") == 0) return version();
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(argv[1], commands[i].name) == 0) return commands[i].run(argc - 1, argv + 1);
    return report_usage("unknown %s '%s': pad, run, inspect, check, lower, explain, specs, show or "
                        "bench comes first (see tensorpad --help)",
                        argv[1][0] == '-' ? "option" : "command", argv[1]);
}
