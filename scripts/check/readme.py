#!/usr/bin/env python3
"""Holds the documents against the code: the README's C example is examples/quickstart.c and has
15 lines of body at most, every relative link leads to a file, every `make` target that is named
exists, and so does every test that docs/conformance.md names; lines of prose are below 110
characters."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
faults = []

readme = (ROOT / "README.md").read_text(encoding="utf-8")
blocks = re.findall(r"```c\n(.*?)```", readme, re.S)
quickstart = (ROOT / "examples/quickstart.c").read_text(encoding="utf-8")
if blocks != [quickstart]:
    faults.append("README.md: its C example is not examples/quickstart.c")
body = [line for line in quickstart.splitlines() if line.strip() and not line.startswith("#")]
if len(body) > 15:
    faults.append(f"examples/quickstart.c: {len(body)} lines, more than 15")

makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
targets = set(re.findall(r"^([a-z-]+):", makefile, re.M))
pages = [path for where in ("*.md", "docs/*.md", "kit/**/*.md") for path in ROOT.glob(where)]
for page in sorted(pages):
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(ROOT)
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) >= 110 and not line.startswith("|"):
            faults.append(f"{name}:{number}: {len(line)} characters, 110 or more")
    for link in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text):
        if "://" not in link and not (page.parent / link).exists():
            faults.append(f"{name}: link to {link}, which is not there")
    for target in re.findall(r"`make ([a-z-]+)", text):
        if target not in targets:
            faults.append(f"{name}: `make {target}` is no target")
    for path in re.findall(r"`((?:src|scripts|tests|include|examples|cli)/[\w./-]*)`", text):
        if not (ROOT / path).exists():
            faults.append(f"{name}: {path} is not there")

tests = "\n".join(
    path.read_text(encoding="utf-8")
    for path in (ROOT / "tests").rglob("*") if path.suffix in (".c", ".py")
)
named = set()
columns = []
for line in (ROOT / "docs/conformance.md").read_text(encoding="utf-8").splitlines():
    cells = line.split("|") if line.startswith("|") else []
    if not columns:
        columns = [k for k, cell in enumerate(cells) if "test" in cell]
    for k in columns if cells else []:
        words = re.sub(r"\(.*?\)", "", cells[k])
        named.update(re.findall(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b(?!\.)", words))
    columns = columns if cells else []
for test in sorted(named):
    if not re.search(rf"(?:static void|def) {test}\(", tests):
        faults.append(f"docs/conformance.md: there is no test {test}")

print("\n".join(faults) or "documents and code agree")
sys.exit(1 if faults else 0)
