#!/usr/bin/env python3
"""Holds the documents against the code: examples/01_quickstart.c has 15 lines of body at most; every relative link leads to a file of a fresh clone, and its anchor to a heading;
every C example has its row; every page is in the navigation of the site; every `make` target
that is named exists, and so does every test that docs/specs/conformance.md names; paths in code exist, from
the root; CONTRIBUTING.md has a row for every folder at the top; lines of prose are below 110 characters."""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
TOP = sorted(
    path.name
    for path in ROOT.iterdir()
    if path.is_dir() and not path.name.startswith((".", "build", "__"))
)
# Folders further down: without the folders above them, a path that begins with one of these is no path.
INNER = sorted(
    {
        path.name
        for above in ("src", "tests")
        for path in (ROOT / above).iterdir()
        if path.is_dir() and path.name != "__pycache__"
    }
    - set(TOP)
)
ABOUT_SOURCES = (
    "internals.md",
    "extending.md",
    "verification.md",
    "check.md",
    "CONTRIBUTING.md",
)  # no such word is a field
BUILT = re.compile(
    r"(^|/)(build(-[^/]*)?|__pycache__)(/|$)"
)  # what a build writes, as in .gitignore
faults = []


def without_code(text):
    """The text of a page without code, which may look like links, and without what the site alone shows."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return re.sub(r"^ {4}.*$|`[^`\n]*`", "", text, flags=re.M)


def anchors(page):
    """The anchors that GitHub gives to the headings of a page."""
    times = collections.Counter()
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        times[anchor] += 1
    return {f"{anchor}-{n}" if n else anchor for anchor in times for n in range(times[anchor])}


def check_links(page, text):
    for link in ("".join(pair) for pair in LINK.findall(without_code(text))):
        path, _, anchor = link.partition("#")
        target = (page.parent / path if path else page).resolve()
        if "://" in link or link.startswith("mailto:"):
            continue
        if not target.exists() or BUILT.search(str(target).removeprefix(f"{ROOT}/")):
            faults.append(f"{page.relative_to(ROOT)}: link to {path}, which a fresh clone lacks")
        elif anchor and (target.suffix != ".md" or anchor not in anchors(target)):
            faults.append(f"{page.relative_to(ROOT)}: link to {link}, but there is no such heading")


readme = (ROOT / "README.md").read_text(encoding="utf-8")
quickstart = (ROOT / "examples/01_quickstart.c").read_text(encoding="utf-8")
(run,) = re.findall(
    r"\d+ versions of \d+ runtimes", (ROOT / "docs/runtimes.md").read_text(encoding="utf-8")
)
if run not in readme:
    faults.append(f"README.md: {run} were run, as docs/runtimes.md has it")
body = [line for line in quickstart.splitlines() if line.strip() and not line.startswith("#")]
if len(body) > 15:
    faults.append(f"examples/01_quickstart.c: {len(body)} lines, more than 15")

makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
targets = set(re.findall(r"^([a-z-]+):", makefile, re.M))
places = (
    "*.md",
    "docs/**/*.md",
    "examples/*.md",
    "conformance/**/*.md",
    "javascript/**/*.md",
    "tests/**/*.md",
    "checker/**/*.md",
    "bench/**/*.md",
)
pages = [path for where in places for path in ROOT.glob(where)]
for page in sorted(pages):
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(ROOT)
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) >= 110 and not line.startswith("|"):  # a row
            faults.append(f"{name}:{number}: {len(line)} characters, 110 or more")
    check_links(page, text)
    for target in re.findall(r"`make\s([a-z-]+)", text):
        if target not in targets:
            faults.append(f"{name}: `make {target}` is no target")
    for path in re.findall(rf"`((?:{'|'.join(TOP + INNER)})/[\w./-]*)`", text):
        if not ((ROOT / path).exists() or re.search("[A-Z]{4}", path)):
            faults.append(f"{name}: {path} is not there")
    if name.name in ABOUT_SOURCES:
        for word in re.findall(rf"`({'|'.join(INNER)})`", text):
            faults.append(f"{name}: {word} is no folder at the root")
    for path in re.findall(r"\bin the folder `([^`]+)`", text):
        if not (ROOT / path).exists():
            faults.append(f"{name}: the folder {path} is not there")

workflow = (ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8")
for target in re.findall(r"(?:: |\[|, )make ([a-z-]+)", workflow):
    if target not in targets:
        faults.append(f"test.yml: `make {target}` is no target")
for path in re.findall(r"\b(?:scripts|tests)/[\w/.-]*\w", workflow):
    if not (ROOT / path).exists():
        faults.append(f"test.yml: {path} is not there")

navigation = (ROOT / "scripts/docs/zensical.toml").read_text(encoding="utf-8")
for page in sorted((ROOT / "docs").rglob("*.md")):
    if f'= "{page.relative_to(ROOT)}"' not in navigation:
        faults.append(
            f"{page.relative_to(ROOT)}: not in the navigation, scripts/docs/zensical.toml"
        )

rows = (ROOT / "examples/README.md").read_text(encoding="utf-8")
for example in sorted((ROOT / "examples").glob("*.c")):
    if f"| [{example.name}]({example.name}) |" not in rows:
        faults.append(f"examples/README.md: there is no row for {example.name}")

tests = "\n".join(
    path.read_text(encoding="utf-8")
    for top in ("tests", "checker/tests")
    for path in (ROOT / top).rglob("*")
    if path.suffix in (".c", ".py")
)
named = set()
columns = []
for line in (ROOT / "docs/specs/conformance.md").read_text(encoding="utf-8").splitlines():
    cells = line.split("|") if line.startswith("|") else []
    if not columns:
        columns = [k for k, cell in enumerate(cells) if "test" in cell]
    for k in columns if cells else []:
        words = re.sub(r"\(.*?\)", "", cells[k])
        named.update(re.findall(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b(?!\.)", words))
    columns = columns if cells else []
for test in sorted(named):
    if not re.search(rf"(?:static void|def) {test}\(", tests):
        faults.append(f"docs/specs/conformance.md: there is no test {test}")

contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
for folder in TOP:
    if f"| `{folder}" not in contributing and f", `{folder}`" not in contributing:
        faults.append(f"CONTRIBUTING.md: no row for {folder}")

print("\n".join(faults) or "documents and code agree")
sys.exit(1 if faults else 0)
