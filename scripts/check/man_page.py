"""The texts of --help as a page for `man`, which scripts/check/options_page.py writes.

What a line of these texts is follows from how it is indented (tools/cli/help.c): an option and its text, an
example, or prose.
"""
import re
import textwrap

OPTION = re.compile(r"  (-\S.*?)(?:  +(.*))?$")
STATUS = re.compile(r"(?:exit status|           )  (\d)  (.*)$")


def verbatim(line):
    """A line as it stands, with what roff would take for its own."""
    for sign, name in {"\\": "\\e", "-": "\\-", "'": "\\(aq", "~": "\\(ti"}.items():
        line = line.replace(sign, name)
    return "\\&" + line if line.startswith(".") else line


def prose(line):
    """A line that roff may fill: here a hyphen inside of a word stays one. In lines of 80 characters."""
    line = re.sub(r"(?<!\S)[\[(]?-\S*", lambda word: word[0].replace("-", "\\-"), line.replace("\\", "\\e"))
    lines = textwrap.wrap(line, 80, break_on_hyphens=False)
    return ["\\&" + part if part[0] in ".'" else part for part in lines]


def example(lines):
    return [".PP", ".RS 4", ".nf", *map(verbatim, lines), ".fi", ".RE"]


def item(label, lines):
    """An entry of a list. Its last lines are a table, if they are indented further than the first one."""
    column = re.match(" *", lines[0])[0]
    table = [line for line in lines if column and line.startswith(column + " ")]
    out = [".TP", f".B {verbatim(label)}"]
    for line in lines[: len(lines) - len(table)]:
        out += prose(line.strip())
    return out + ([".nf", *(verbatim(line.strip()) for line in table), ".fi"] if table else [])


def paragraph(lines):
    """A block of lines between two empty ones."""
    out, at = [], 0
    while at < len(lines):
        option, status = OPTION.match(lines[at]), STATUS.match(lines[at])
        end = at + 1
        if option or status:
            while end < len(lines) and lines[end].startswith(" " * 6) and not STATUS.match(lines[end]):
                end += 1
        if status:
            out += item(status[1], [status[2], *lines[at + 1:end]])
        elif option and not option[2] and end == at + 1:  # the label goes on in the next line
            lines[end] = f"{lines[at]} {lines[end].strip()}"
        elif option:
            # The first line begins where the label ends; those below it tell where the text stands.
            first = [" " * lines[at].rindex(option[2]) + option[2]] if option[2] else []
            out += item(option[1], first + lines[at + 1:end])
        elif lines[at].startswith("  "):
            while end < len(lines) and lines[end].startswith("  "):
                end += 1
            out += example([line[2:] for line in lines[at:end]])
        else:
            while end < len(lines) and not lines[end].startswith(("  ", "exit status:")):
                end += 1
            out += [".PP", *(part for line in lines[at:end] for part in prose(line))]
        at = end
    return out


def blocks(text):
    return [block.strip("\n").split("\n") for block in text.split("\n\n")]


def section(name, *parts):
    """A section of paragraphs, the first of which needs no macro."""
    lines = [line for part in parts for line in part]
    return [f".SH {name}", *(lines[1:] if lines[0] == ".PP" else lines)]


def synopsis(uses):
    return [".nf", *(f".B {verbatim(use)}" for use in uses), ".fi"]


def page(date, whole, parts):
    """The page. whole: the help of the command; parts: the helps of its sub-commands, by name."""
    # The last block says how to make the playground, which is not installed.
    usage, commands, calls, *about, status, _ = blocks(whole)
    listed = [re.match(r"  (.*?)  +(.*)", line).groups() for line in commands]
    uses = [usage[0].removeprefix("usage: "), *calls[0].strip().split(", ")]
    lines = [f'.TH TENSORPAD 1 {date} "tensorpad" "User Commands"']
    lines += section("NAME", ["tensorpad \\- pads tensors exactly as ONNX, OpenVINO, nGraph and MLI specify it"])
    lines += section("SYNOPSIS", synopsis(uses))
    lines += section("DESCRIPTION", *map(paragraph, about))
    lines += section("COMMANDS", *(item(label, [summary]) for label, summary in listed))
    lines += section("EXIT STATUS", paragraph(status))
    for name, text in parts.items():
        usage, *about = blocks(text)
        uses = [line.removeprefix("usage:").strip() for line in usage]
        lines += section(f"TENSORPAD {name.upper()}", synopsis(uses), *map(paragraph, about))
    return "\n".join(lines) + "\n"
