"""Groups what is wrong in a family of runtimes: one sentence, and how many cases it is in each version.

SPDX-License-Identifier: MIT
"""

import dataclasses
import re
import typing

from padkit.recorded import verdict_of

from runtimes_page.kinds import REASONS

WORST_FIRST = ("differs", "crashes", "accepts", "refuses")


class Fault(typing.NamedTuple):
    """A sentence, the verdict that it explains, and which cases it is about."""

    verdict: str
    says: str
    holds: typing.Callable  # of Facts
    message: str = ""  # a regular expression that the runtime's message must contain

    def fits(self, facts, verdict, message):
        return (
            verdict == self.verdict
            and self.holds(facts)
            and re.search(self.message, message) is not None
        )


@dataclasses.dataclass
class Group:
    """Cases of one runtime family with one verdict that have one reason."""

    verdict: str
    says: str
    cases: dict = dataclasses.field(default_factory=dict)  # target: {name: message}
    such: dict = dataclasses.field(
        default_factory=dict
    )  # target: how many cases the sentence is about


def message_of(outcome):
    return "" if outcome == "same" else outcome.get("message", "")


def kind_of_message(message):
    """The message without what is different in each case: numbers, names and what is quoted."""
    message = re.sub(r"'[^']*'|\"[^\"]*\"", "'…'", message)
    message = re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "N", message)
    return re.sub(r"N(, ?N)+", "N, …", message)


def reason(table, facts, verdict, message):
    """(the place in the table or None, sentence) for one outcome that is not `same`."""
    for place, fault in enumerate(table):
        if fault.fits(facts, verdict, message):
            return place, fault.says
    if facts.forbidden and facts.document == "onnx":
        return None, REASONS[facts.name.split("_")[2]]
    if facts.forbidden:
        return None, f"IR: {kind_of_message(facts.forbidden)}"
    return None, kind_of_message(message)


def such_cases(table, place, facts, outcomes):
    """How many cases the sentence is about, less those that an earlier sentence explains."""
    fault = table[place]
    cases = [
        (facts[name], verdict_of(outcome), message_of(outcome))
        for name, outcome in outcomes.items()
        if fault.holds(facts[name]) and bool(facts[name].forbidden) == (fault.verdict == "accepts")
    ]
    return sum(not any(earlier.fits(*case) for earlier in table[:place]) for case in cases)


def groups(table, facts, targets):
    """[Group], worst first. targets: {target: outcomes}; facts: {name: Facts}"""
    found = {}
    for target, outcomes in targets.items():
        for name, outcome in outcomes.items():
            verdict = verdict_of(outcome)
            if verdict == "same" or verdict == "refuses" and facts[name].forbidden:
                continue
            place, says = reason(table, facts[name], verdict, message_of(outcome))
            group = found.setdefault((verdict, place, says), Group(verdict, says))
            group.cases.setdefault(target, {})[name] = message_of(outcome)
            if place is not None and target not in group.such and not table[place].message:
                group.such[target] = such_cases(table, place, facts, outcomes)
    newest = list(targets)[-1]
    return sorted(
        found.values(),
        key=lambda group: (
            WORST_FIRST.index(group.verdict),
            -len(group.cases.get(newest, ())),
            -sum(map(len, group.cases.values())),
            group.says,
        ),
    )


def smallest(group, facts):
    """(target, Facts, message) of the simplest model, in the newest version that has the fault."""
    target = list(group.cases)[-1]
    name = min(group.cases[target], key=lambda name: facts[name].size())
    return target, facts[name], group.cases[target][name]
