"""docs/runtimes.md as Markdown: how good each runtime is, what differs, and what to do.

SPDX-License-Identifier: MIT
"""

import textwrap

from padkit.recorded import count

from runtimes_page import situations
from runtimes_page.markdown import table, title_of

LEAD = """\
# Which runtimes pad as ONNX says

For people who run a model with Pad nodes: this page shows which Pads come out wrong in which runtime, and
what you can do.

{lead}

## How good each runtime is

{runtimes}

The first four counts are about Pads that ONNX's specification allows, the last three about Pads that it
forbids.

- *same*: the right answer, to the bit. *refuses*, *refused*: an error, when the model is loaded or when it
  runs.
- *differs*: another answer (numbers, shape or type) and no error, so nobody notices. *accepted*: an answer
  to a forbidden Pad.
- *crashes*, *crashed*: the process ends or hangs.

Most cases test corners of the specification. A share of the cases is therefore not a share of real models. A
runtime that refuses much and never differs is a safe one.

## What differs

{situations}

A number counts cases of the row; one case may be in several rows. The column of errors names a runtime only
if it refuses more than half of the cases, because fewer refusals often have another reason, such as the
type. `make site` lists all faults, each with its smallest model, from the
[recorded outcomes](../conformance/README.md#the-recorded-outcomes).

## What to do

1. [`tensorpad check`](check.md) reads your model and says what each runtime does with each of its Pads.
2. [`tensorpad lower`](lower.md) replaces the Pads that come out wrong by operators that your runtimes run
   right.
3. In ONNX Runtime, the [plug-in](onnxruntime.md) runs the Pads instead, and the model stays as it is.

"""

CI = """\
## The kit in your CI

`conformance/run_backend.py` takes any backend of ONNX's backend interface: `prepare(model, device)` returns
an object whose `run(inputs)` returns a list of arrays. It needs Python with onnx, numpy and ml_dtypes, and
your runtime. The exit status is 0 if all is right, 1 if a case fails, and 2 if the command line is wrong.

    python conformance/make.py build/pad-kit
    python conformance/run_backend.py --backend onnxruntime.backend:prepare --junit pad.xml
    python conformance/run_backend.py --backend mymodule:prepare > known.txt         # what fails today
    python conformance/run_backend.py --backend mymodule:prepare --expect known.txt  # fails if that changes

A backend is a few lines. This is one for ONNX's reference implementation:

```python
from onnx.reference import ReferenceEvaluator


class Prepared:
    def __init__(self, model):
        self.session = ReferenceEvaluator(model)

    def run(self, inputs):
        return self.session.run(None, dict(zip(self.session.input_names, inputs)))


def prepare(model, device="CPU"):
    return Prepared(model)
```
"""


def runtimes(records, facts):
    """How good each runtime is: one line for each record, the cases of ONNX only."""
    rows = []
    for record in records:
        answered = [
            case for case in facts.values() if case.document == "onnx" and not case.forbidden
        ]
        forbidden = [case for case in facts.values() if case.document == "onnx" and case.forbidden]
        found, refused = count(record, answered), count(record, forbidden)
        rows.append(
            [
                title_of(record),
                found["same"],
                *(found[verdict] for verdict in ("differs", "crashes", "refuses")),
                refused["same"],
                refused["accepts"],
                refused["crashes"],
            ]
        )
    heads = [
        "runtime",
        "same",
        "differs",
        "crashes",
        "refuses",
        "forbidden: refused",
        "accepted",
        "crashed",
    ]
    return "\n".join(table(heads, rows)).rstrip()


def how_many(number, whole):
    return f"All {whole}" if number == whole else f"{number} of {whole}"


def result(records, facts):
    """In how many versions there is a refusal, another answer, a crash."""
    cases = [case for case in facts.values() if case.document == "onnx" and not case.forbidden]
    counts = [count(record, cases) for record in records]
    refuse, differ, crash = (
        how_many(sum(found[verdict] > 0 for found in counts), len(records))
        for verdict in ("refuses", "differs", "crashes")
    )
    return (
        f"{refuse} versions refuse some Pads that ONNX allows. {differ} answer some of them wrongly, "
        f"without an error. {crash} crash on some of them."
    )


def what_differs(records, facts):
    heads = ["Pad", "cases", "another answer, no error", "crash", "error"]
    rows = [[label, number, *words] for label, number, words in situations.rows(records, facts)]
    return "\n".join(table(heads, rows)).rstrip()


def write(lead, records, facts):
    """The page as text."""
    about = textwrap.fill(f"{lead} {result(records, facts)}", 106)
    return (
        LEAD.format(
            lead=about, runtimes=runtimes(records, facts), situations=what_differs(records, facts)
        )
        + CI
    )
