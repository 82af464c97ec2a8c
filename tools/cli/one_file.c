/* One array from a file into a file.  SPDX-License-Identifier: MIT */
#include "many_files.h"

#include "error_report.h"
#include "output_signals.h"
#include "progress.h"
#include "spec_choice.h"

/* A smaller output is done before anybody could see a progress. */
enum { WORTH_WATCHING_BYTES = 16 << 20 };

static int write_output(const pad_options *options, const pad_problem *made,
                        const tpad_tensor *input, const tpad_tensor *like, int64_t bytes)
{
    tpad_output *output = NULL;
    tpad_io_error error;
    progress shown;
    if (outputs_begin(&output, options->out, like, options->force, &error) != TPAD_OK)
        return report_io(&error, options->out, NULL);
    const tpad_runner *threads = tpad_threads_runner(options->threads);
    const tpad_runner *watched = progress_begin(&shown, options->quiet, threads);
    int32_t code = tpad_run_fill(&made->plan, input->data, tpad_output_data(output), &made->fill,
                                 bytes >= WORTH_WATCHING_BYTES ? watched : threads);
    progress_end(&shown);
    if (code != TPAD_OK) {
        outputs_discard(output);
        return report_refusal(code, options->in, "%s: the plan did not run", options->in);
    }
    if (outputs_commit(output, &error) != TPAD_OK) return report_io(&error, options->out, NULL);
    outputs_remark(options->quiet, options->out, like, input);
    return EXIT_DONE;
}

static int pad_tensor(const pad_options *options, const tpad_tensor *input)
{
    pad_problem made;
    tpad_tensor like = *input;
    int64_t bytes = 0;
    int status = pad_problem_make(&made, options, input);
    like.data = NULL;
    if (status == EXIT_DONE) {
        tpad_shape(&made.problem, like.shape, NULL, &bytes,
                   NULL); /* the plan was made, so this is */
        status = write_output(options, &made, input, &like, bytes);
    }
    pad_problem_free(&made);
    return status;
}

int pad_file(const pad_options *options)
{
    tpad_tensor input = {0};
    tpad_io_error error;
    if (tpad_tensor_load(&input, options->in, options->dtype, &error) != TPAD_OK)
        return report_io(&error, options->in, NULL);
    const int status = pad_tensor(options, &input);
    tpad_tensor_free(&input);
    return status;
}
