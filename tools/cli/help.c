/* The texts of --help.  SPDX-License-Identifier: MIT
 *
 * Each fits a screen: at most 40 lines of 80 columns.
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "mode_names.h"
#include "error_report.h"

#define USAGE                                                                                      \
    "usage: tensorpad pad     [options] IN OUT   pad, crop or dilate arrays\n"                     \
    "       tensorpad run     [options] MODEL    run a model made of Pad nodes, or\n"              \
    "                                            one Pad node of any model\n"                      \
    "       tensorpad inspect [options] MODEL    list every Pad node of a model\n"                 \
    "       tensorpad check   [options] MODEL... what each runtime does with a Pad\n"              \
    "       tensorpad lower   [options] MODEL OUT   rewrite what a runtime gets wrong\n"           \
    "       tensorpad explain [CODE]             a rule of check at length\n"                      \
    "       tensorpad specs   [--json] [SPEC]    what each specification allows\n"                 \
    "       tensorpad show    [options] FILE     draw what a pad does\n"                           \
    "       tensorpad bench   [options]          how long runs take, beside memcpy\n"              \
    "       tensorpad --help, tensorpad COMMAND --help, tensorpad --version\n"

static const char help_all[] =
    USAGE "\n"
          "Pads tensors exactly as ONNX, OpenVINO, nGraph and embARC MLI specify it.\n"
          "\n"
          "  tensorpad pad --mode reflect --pads 0,2,0,2 in.npy out.npy\n"
          "  tensorpad inspect model.onnx\n"
          "  tensorpad run model.onnx --node pad_3 --input in.npy --output out.npy\n"
          "\n"
          "Arrays are .npy, .pb (an ONNX TensorProto) or .png (height x width x\n"
          "channels), by the ending of the name; - is an .npy on standard input or\n"
          "output. Models are .onnx, or .xml (an OpenVINO IR with its .bin). Options\n"
          "stand before or after the file names; -- ends them. An output appears whole\n"
          "under its name or not at all.\n"
          "\n"
          "Errors are one line on standard error, or with --json one JSON object.\n"
          "\n"
          "exit status  0  done\n"
          "             1  the operation failed: reading, writing, memory, and an\n"
          "                output that exists (-f overwrites)\n"
          "             2  wrong usage, seen from the words alone\n"
          "             3  a bad file or model, or what the specification does not\n"
          "                allow\n"
          "             4  check: a verdict at or above --fail-on\n"
          "\n"
          "To try it in a browser: make playground, then build/playground/index.html\n";

static const char help_pad_begin[] =
    "usage: tensorpad pad [options] IN OUT\n"
    "       tensorpad pad [options] --out-dir DIR FILE...\n"
    "\n"
    "  --spec SPEC      onnx (default) or onnx-N, N an opset; openvino or openvino-N;\n"
    "                   ngraph; mli-chw, mli-hwc; or plain: everything there is, for\n"
    "                   any element type (tensorpad specs lists what each allows)\n"
    "  --mode MODE      what lies beyond the edge of abcd, padded by two:\n";

static const char help_pad_end[] =
    "                   plain also takes a list of modes, one per axis\n"
    "  --begin LIST     cells to add before each axis, as 0,2; negative ones remove\n"
    "                   (ngraph's padding_below: at the top and left, not beneath)\n"
    "  --end LIST       and behind; without one of the two: zeros (mli: TOP,LEFT and\n"
    "                   BOTTOM,RIGHT; or each axis, 0 for channels)\n"
    "  --pads LIST      both in one, all begins and then all ends, as ONNX has it\n"
    "  --to LIST        extents, not amounts (plain, which it implies): 512,512,-\n"
    "  --multiple LIST  ... of IN or of --to, rounded up to a multiple of this\n"
    "  --square A,B     ... the larger one of axes A and B, for both\n"
    "  --align WORD     where IN lies then: start, center (default), end\n"
    "  --too-long WORD  IN is longer: error (default) crop_end crop_start crop_center\n"
    "  --axes LIST      what the lists speak of (onnx from 18; plain); -1 is the last\n"
    "  --interior LIST  cells to insert between neighbours (plain, ngraph)\n"
    "  --order ORDER    window (default) or crop: cut first, extend the rest (plain)\n"
    "  --value TEXT     the constant: 1.5 1e-3 inf nan 0x1p-3 -7 true 1.5-2j, or the\n"
    "                   text itself for strings; default 0 (ngraph: required)\n"
    "  --dtype TYPE     the element type where the file cannot say it: bf16 f8e4m3fn\n"
    "  --threads N      how many threads work; default all there are, 1: one\n"
    "  --lenient        compute also what this version forbids, if it has a meaning\n"
    "  --out-dir DIR    pad many files into DIR; what is there already is skipped\n"
    "  -f, --force      overwrite; -q, --quiet  errors only; --json  errors as JSON\n"
    "\n"
    "IN, OUT: .npy, .pb (an ONNX TensorProto), .png (height x width x channels), or\n"
    "- for an .npy through a pipe. OUT keeps the type and byte order of IN.\n"
    "exit status: 0 done, 1 failed (also: OUT exists), 2 wrong usage, 3 refused\n"
    "\n"
    "  tensorpad pad --spec onnx-19 --mode wrap --pads 2,1,1,1 in.npy out.npy\n"
    "  tensorpad pad --to 640,640 --axes 0,1 --out-dir padded photos/*.png\n";

static const char help_run[] =
    "usage: tensorpad run [options] MODEL\n"
    "\n"
    "Runs an ONNX model (.onnx) or OpenVINO IR (.xml) made only of Pad nodes and\n"
    "constants, or with --node one Pad node of any model. The model says version,\n"
    "mode and types.\n"
    "\n"
    "  --node NAME           the node; where it has no name, its output's name; in a\n"
    "                        subgraph, GRAPH/NAME as tensorpad inspect shows them\n"
    "  --input [NAME=]FILE   an input that is no constant in the model; NAME may be\n"
    "                        left out where there is only one, and with --node be\n"
    "                        what the specification calls the input: pads\n"
    "  --input-shape NAME=1,3,224,224\n"
    "                        the shape of an input of the model that the file leaves\n"
    "                        open, from which a node's amounts may follow\n"
    "  --output [NAME=]FILE  an output, at least one; the others are computed and\n"
    "                        dropped\n"
    "  --threads N           how many threads work; default all there are, 1: one\n"
    "  --lenient             compute also what the version forbids, where it has a\n"
    "                        meaning\n"
    "  -f, --force           overwrite outputs\n"
    "  -q, --quiet           errors only\n"
    "  --json                errors as a JSON object\n"
    "\n"
    "FILE: .npy, .pb (an ONNX TensorProto), .png (height x width x channels), or -\n"
    "for an .npy through a pipe. If anything fails while computing, no output is\n"
    "written.\n"
    "exit status: 0 done, 1 failed (also: an output exists), 2 wrong usage,\n"
    "3 refused\n"
    "\n"
    "  tensorpad run model.onnx --input in.npy --output out.npy\n"
    "  tensorpad run model.onnx --node if_0/then_branch/pad_1 --input x=in.npy \\\n"
    "      --input pads=pads.npy --output out.npy\n";

static const char help_inspect[] =
    "usage: tensorpad inspect [options] MODEL\n"
    "\n"
    "Lists every Pad node of an ONNX model (.onnx) or OpenVINO IR (.xml), also those\n"
    "inside subgraphs (If, Loop ...) and local functions: name, version of Pad, mode,\n"
    "type, shapes (? where the file does not tell), begin and end amounts, value, and\n"
    "what the specification or known runtimes have to say about it. \"computed at run\n"
    "time\" marks what neither a constant tells nor what follows from constants and\n"
    "shapes; tensorpad run --node takes that with --input.\n"
    "\n"
    "  --input-shape NAME=1,3,224,224\n"
    "               the shape of an input that the file leaves open; for several\n"
    "               inputs, several times\n"
    "  --json       one JSON object, errors too:\n"
    "               {\"model\": ..., \"nodes\": [{\"name\", \"graph\" (\"\" for the top),\n"
    "               \"spec\", \"version\", \"mode\", \"type\", \"input_shape\",\n"
    "               \"output_shape\", \"begin\", \"end\", \"axes\", \"value\", \"computed\",\n"
    "               \"findings\"}, ...]}; unknown things are null\n"
    "\n"
    "exit status: 0 done, 1 failed, 2 wrong usage, 3 a bad model\n"
    "\n"
    "  tensorpad inspect model.onnx\n"
    "  tensorpad inspect --json model.onnx | python3 -m json.tool\n";

static const char help_check[] =
    "usage: tensorpad check [options] MODEL...\n"
    "\n"
    "Says for every Pad node of the models what each runtime does with it: same (the\n"
    "document's answer, bit by bit), differs, refuses, crashes, accepts (answers what\n"
    "the document forbids), or unknown, with the fact that is missing. A verdict has\n"
    "the code of its rule: tensorpad explain TP104. A folder stands for all .onnx\n"
    "files and IR files (.xml) in it.\n"
    "\n"
    "  --target LIST          these runtimes, as ort-1.31,openvino-2026.4; a name\n"
    "                         without a version is the newest; default all known\n"
    "  --fail-on VERDICT      status 4 if a verdict is at or above this one: same\n"
    "                         unknown accepts differs refuses crashes; default\n"
    "                         differs with --target, and without it never\n"
    "  --format FORM          text (default), json, sarif (2.1.0), or github (lines\n"
    "                         that a workflow shows)\n"
    "  --baseline FILE        findings in it are accepted: they do not count\n"
    "  --write-baseline FILE  writes the findings of this call; -f overwrites\n"
    "  --witness DIR          for each node that differs: the node alone as a model,\n"
    "                         an input, the document's answer, and a script\n"
    "  --input-shape NAME=1,3,224,224\n"
    "                         the shape of an input of the models\n"
    "  -q, --quiet            no progress\n"
    "  --json                 as --format json, errors too: {\"models\": [{\"path\",\n"
    "                         \"error\", \"nodes\": [{\"name\", \"graph\", \"opset\", \"mode\",\n"
    "                         \"type\", \"verdicts\": [{\"target\", \"verdict\", \"code\",\n"
    "                         \"measured\", \"accepted\", \"text\"}]}]}]}\n"
    "\n"
    "exit status: 0 done, 1 failed, 2 wrong usage, 3 a model cannot be read,\n"
    "4 a verdict at or above --fail-on\n"
    "\n"
    "  tensorpad check model.onnx --target ort,openvino\n"
    "  tensorpad check models/ --format sarif --fail-on crashes > check.sarif\n";

static const char help_lower[] =
    "usage: tensorpad lower [options] MODEL OUT --target T[,T...]\n"
    "\n"
    "Writes MODEL as OUT with other operators in place of each Pad that a target does\n"
    "not run as the document says (tensorpad check). Only operators are used that\n"
    "every target was seen to run right. All else stays, byte for byte. If a Pad\n"
    "cannot be lowered, nothing is written and the status is 3.\n"
    "\n"
    "  --target LIST  these runtimes, as ort-1.31,openvino-2026.4; a name without a\n"
    "                 version is the newest\n"
    "  --partial      write OUT also if some Pads cannot be lowered: they stay\n"
    "  --input-shape NAME=1,3,224,224\n"
    "                 the shape of an input that the file leaves open; OUT is then\n"
    "                 right for this shape only\n"
    "  -f, --force    overwrite OUT\n"
    "  -q, --quiet    errors only\n"
    "  --json         one JSON object, errors too: {\"model\", \"output\", \"written\",\n"
    "                 \"targets\", \"input_shapes\": [{\"name\", \"shape\"}], \"nodes\":\n"
    "                 [{\"graph\", \"name\", \"outcome\" (kept, rewritten, cannot),\n"
    "                 \"target\", \"verdict\", \"code\", \"text\", \"operators\",\n"
    "                 \"reason\"}, ...], \"kept\", \"rewritten\", \"cannot\"}\n"
    "\n"
    "MODEL and OUT are ONNX (.onnx) or OpenVINO IR (.xml, with the .bin beside it).\n"
    "exit status: 0 written, 1 failed (also: OUT exists), 2 wrong usage, 3 a bad\n"
    "model, or a Pad that cannot be lowered\n"
    "\n"
    "  tensorpad lower model.onnx lowered.onnx --target ort-1.23,openvino\n";

static const char help_explain[] =
    "usage: tensorpad explain [CODE]\n"
    "\n"
    "Prints a rule of tensorpad check at length: what happens and why, the smallest\n"
    "example, what to do, and on which versions it was measured or where it is\n"
    "documented. Without CODE it lists all rules.\n"
    "\n"
    "  tensorpad explain TP104\n";

static const char help_specs[] =
    "usage: tensorpad specs [--json] [SPEC]\n"
    "\n"
    "Lists every specification that --spec of tensorpad pad knows, or the one of that\n"
    "name (onnx, onnx-N, openvino, openvino-N, ngraph, mli-chw, mli-hwc, plain): its\n"
    "modes, its element types, the order of crop and pad, amounts, limits, and how\n"
    "amounts and the pad value are given. The list is made from the data that is\n"
    "enforced.\n"
    "\n"
    "  --json       one JSON object: {\"specs\": [{\"spec\", \"modes\", \"types\" (null is\n"
    "               any), \"order\", \"amounts\", \"mode_limits\", \"pads\", \"axes\",\n"
    "               \"interior\", \"value\", \"default_value\" (null: required),\n"
    "               \"negative_extent\"}, ...]}\n";

static const char help_show[] =
    "usage: tensorpad show [options] --shape LIST | FILE\n"
    "       tensorpad show [options] MODEL [--node NAME]\n"
    "\n"
    "Draws what a pad does: which element of the input each cell of the output\n"
    "repeats, what is fill, what is interior, and what is cropped. Arrays of one and\n"
    "two axes are drawn cell by cell as far as they have at most 32 cells on each\n"
    "axis; others axis by axis.\n"
    "\n"
    "  --shape LIST         of an input that is not there, as 4,6; or of the node's,\n"
    "                       where MODEL leaves it open\n"
    "  -o, --output FILE    writes the picture: .svg or, with cairo, .png; without\n"
    "                       it, it is text on standard output\n"
    "  --node NAME          the Pad node of MODEL, where it has several; in a\n"
    "                       subgraph, GRAPH/NAME as tensorpad inspect shows them\n"
    "  --input-shape NAME=1,3,224,224\n"
    "                       the shape of an input of MODEL that the file leaves open\n"
    "  --spec --mode --begin --end --pads --axes --interior --to --multiple --square\n"
    "  --align --too-long --order --value --dtype --lenient\n"
    "                       as in tensorpad pad; --dtype also gives the type that\n"
    "                       --shape has (default float)\n"
    "  -f, --force          overwrite FILE\n"
    "  --json               errors as a JSON object\n"
    "\n"
    "FILE: .npy, .pb, .png, or - for an .npy through a pipe; small arrays show their\n"
    "values. Text has colours on a terminal, unless NO_COLOR is set.\n"
    "exit status: 0 done, 1 failed (also: the picture exists), 2 wrong usage,\n"
    "3 refused\n"
    "\n"
    "  tensorpad show --shape 4,6 --mode reflect --begin 2,1 --end 1,2\n"
    "  tensorpad show --spec plain --shape 5 --mode edge --begin=-2 --end 3 -o a.svg\n"
    "  tensorpad show model.onnx --node pad_3\n";

static const char help_bench[] =
    "usage: tensorpad bench [options]\n"
    "\n"
    "Times the run of a ready plan and a memcpy of as many bytes as its output has,\n"
    "in turns, on one thread, in memory that was touched before, and divides the\n"
    "one by the other turn by turn. Shows medians, and the quartiles of that ratio.\n"
    "Two lines more time a small call. Without options some ten seconds; the\n"
    "largest workload takes 540 MB of memory.\n"
    "\n"
    "  --only TEXT  workloads with TEXT in their names\n"
    "  --turns N    turns of each workload, 1 to 10000; default 201, and 21 where the\n"
    "               output is larger than 20 MB; 5 in a sweep\n"
    "  --plot FILE  also draws the ratios as bars: .svg, or .png with cairo; -f\n"
    "               or --force overwrites it\n"
    "  --list       names only; with --json all that makes each workload\n"
    "  --sweep      instead, short rows of 2 MB outputs, padded on their last axis:\n"
    "               extents 1 to 64, amounts 0 to 8 on each side, all modes, 0 to 3\n"
    "               interior cells, 1 2 3 4 6 8 12 16 bytes and 4 2 1 bits: every\n"
    "               151st of all these, and all that pad by one on both sides. Shows\n"
    "               geometric mean and quartiles of the ratios, how many are below\n"
    "               1.0 to 4.0, and the ten worst, whose words --only takes\n"
    "  --sweep=full every one of them: hours\n"
    "  --json       one JSON object: {\"version\", \"compiler\", \"kernels\", \"machine\",\n"
    "               \"workloads\": [...], \"calls\": [...]} or, swept, \"sweep\": [...];\n"
    "               times are in ns\n"
    "\n"
    "exit status: 0 done, however slow, 1 failed (no memory, FILE exists),\n"
    "2 wrong usage\n"
    "\n"
    "  tensorpad bench --plot bench.svg\n"
    "  tensorpad bench --sweep --only 'bits=8 '\n";

int help(const char *command)
{
    const char *text = help_all;
    if (strcmp(command, "pad") == 0) {
        fputs(help_pad_begin, stdout);
        modes_print(stdout, "                     ");
        text = help_pad_end;
    }
    if (strcmp(command, "run") == 0) text = help_run;
    if (strcmp(command, "inspect") == 0) text = help_inspect;
    if (strcmp(command, "check") == 0) text = help_check;
    if (strcmp(command, "lower") == 0) text = help_lower;
    if (strcmp(command, "explain") == 0) text = help_explain;
    if (strcmp(command, "specs") == 0) text = help_specs;
    if (strcmp(command, "show") == 0) text = help_show;
    if (strcmp(command, "bench") == 0) text = help_bench;
    fputs(text, stdout);
    return report_stdout_end();
}

void help_usage(void)
{
    fputs(USAGE, stderr);
}
