#!/usr/bin/env python3
"""Makes the site: copies the pages, and the files that they lead to, as they lie in the repository,
and what build/pages has beside them: pages and pictures that programs made for the site. A picture
of these stands in a page as a comment, "<!-- site", which ends here; "<!-- help NAMES -->" becomes docstrings.
Runs the generator (zensical.toml), which follows every link and anchor of the pages; then looks for what it
does not follow.

The site is build/site/site. `make site` runs this with the Python that has the generator.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

import docstrings

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/**/*.md",
    "examples/README.md",
    "conformance/*.md",
)
MADE = ROOT / "build/pages"
# One file; what follows # is its state. Beside it lie what it loads, and the page that holds that.
PLAYGROUND = "build/playground/index.html"
LOADED = "img|script|link|iframe|source"


def copy(pages):
    """Every page, and every file that a page leads to, with their names in the repository."""
    write_options(MADE / "docs/options.md")
    shutil.copytree(MADE, pages)
    for page in [page for root in (ROOT, MADE) for pattern in PAGES for page in root.glob(pattern)]:
        text = re.sub(r"<!-- site\n(.*?)-->", r"\1", page.read_text(encoding="utf-8"), flags=re.S)
        text = re.sub("^<!-- help (.*?) -->$", docstrings.shown, text, flags=re.M | re.S)
        place = page.relative_to(MADE if MADE in page.parents else ROOT)
        links = re.findall(r"\]\(([^)#\s]+)|src(?:set)?=\"([^\"]+)", text)
        files = {(ROOT / place.parent / "".join(pair)).resolve() for pair in links}
        for file in files:
            target = pages / file.relative_to(ROOT)
            if file.is_file() and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)
        (pages / place).parent.mkdir(parents=True, exist_ok=True)
        (pages / place).write_text(text, encoding="utf-8")
    shutil.copyfile(ROOT / "scripts/docs/site.css", pages / "site.css")
    (pages / PLAYGROUND).parent.mkdir(parents=True)
    # No page leads there, but the navigation does. Its own links lead to pages, which end in html here.
    for path in (ROOT / PLAYGROUND).parent.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        text = re.sub(r'href="((?:\.\./)+)([\w/-]+)\.md', made_of_page, text)
        (pages / path.relative_to(ROOT)).write_text(text, encoding="utf-8")
    for path in (ROOT / PLAYGROUND).parent.glob("*.wasm"):
        shutil.copyfile(path, pages / path.relative_to(ROOT))


def write_options(path):
    """The page of all options: the help of the command and of each sub-command."""

    def told(*words):
        return subprocess.run(
            [ROOT / "build/tensorpad", *words, "--help"], check=True, capture_output=True, text=True
        ).stdout

    whole = told()
    parts = ["# The options of the command", f"```text\n{whole}```"]
    for name in re.findall(r"^  ([a-z]+) .*", whole.split("\n\n")[1], re.M):
        parts += [f"## {name}", f"```text\n{told(name)}```"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def made_of_page(link):
    """The link to what the generator makes of a page: of README.md it makes index.html."""
    name = re.sub(r"\bREADME$", "index", link[2])
    return f'href="{link[1]}{name}.html'


def faults(site):
    """What the generator does not look at: files that HTML names, and what is loaded from other hosts."""
    for path in sorted([*site.rglob("*.html"), *site.rglob("*.css")]):
        name, text = path.relative_to(site), path.read_text(encoding="utf-8")
        loaded = re.findall(rf'<(?:{LOADED})\b[^>]*?\b(?:src|href|srcset)="([^"]+)"', text)
        loaded += re.findall(r"url\(\s*[\"']?([^)\"']+)", text)
        links = re.findall(r'<a\b[^>]*?\bhref="([^"]+)"', text)
        for link in [*loaded, *links] if name.name != "404.html" else loaded:
            parts = urllib.parse.urlsplit(link)
            if parts.netloc and link in loaded:
                yield f"{name}: loads {link} from another host"
            elif not (parts.scheme or parts.netloc or name.name == "404.html"):
                if not (path.parent / urllib.parse.unquote(parts.path)).exists():
                    yield f"{name}: link to {link}, which is not there"


def main():
    out = ROOT / "build/site"
    shutil.rmtree(out, ignore_errors=True)
    copy(out / "pages")
    shutil.copyfile(ROOT / "scripts/docs/zensical.toml", out / "zensical.toml")
    generator = pathlib.Path(sys.executable).parent / "zensical"
    made = subprocess.run([generator, "build", "--strict"], cwd=out, text=True, capture_output=True)
    if made.returncode:
        sys.exit(f"{made.stdout}{made.stderr}\nmake site: the generator failed")
    found = sorted(set(faults(out / "site")))
    if found:
        sys.exit("\n".join(found) + f"\nmake site: {len(found)} faults")
    print(f"the site is {out}/site/index.html")


main()
