#!/usr/bin/env python3
"""Makes the site: copies the pages, and the files that they lead to, as they lie in the repository,
and what build/pages has beside them: pages and pictures that programs made for the site. A picture
of these stands in a page as a comment, "<!-- site", which ends here. Runs the generator
(zensical.toml); then follows every link and anchor of what it wrote, README's included.

The site is build/site/site. `make site` runs this with the Python that has the generator.
"""

import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

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
LOADED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "srcset"}


def copy(pages):
    """Every page, and every file that a page leads to, with their names in the repository."""
    write_options(MADE / "docs/options.md")
    shutil.copytree(MADE, pages)
    for page in [page for root in (ROOT, MADE) for pattern in PAGES for page in root.glob(pattern)]:
        text = re.sub(r"<!-- site\n(.*?)-->", r"\1", page.read_text(encoding="utf-8"), flags=re.S)
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


class Page(html.parser.HTMLParser):
    """The anchors and the links of one written page, and what it loads from other hosts."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.foreign = {""}, [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[name] for name in ("id", "name") if values.get(name))
        self.links += [values[name] for name in ("href", "src") if values.get(name)]
        loaded = values.get(LOADED.get(tag, ""), "") or ""
        if re.match(r"(https?:)?//", loaded) and values.get("rel") != "canonical":
            self.foreign.append(loaded)


def faults(site):
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    for path, page in sorted(pages.items()):
        name = path.relative_to(site)
        yield from (f"{name}: loads {address} from another host" for address in page.foreign)
        if name.name == "404.html":
            continue
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = urllib.parse.unquote(parts.path)
            file = (path.parent / target).resolve() if target else path
            file = file / "index.html" if file.is_dir() else file
            anchor = urllib.parse.unquote(parts.fragment)
            if not file.exists():
                yield f"{name}: link to {link}, which is not there"
            elif file in pages and anchor not in pages[file].anchors:
                yield f"{name}: link to {link}, but there is no such anchor"
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        for address in re.findall(r"url\(\s*[\"']?((?:https?:)?//[^)\"']+)", text):
            yield f"{style.relative_to(site)}: loads {address} from another host"


def main():
    out = ROOT / "build/site"
    shutil.rmtree(out, ignore_errors=True)
    copy(out / "pages")
    shutil.copyfile(ROOT / "scripts/docs/zensical.toml", out / "zensical.toml")
    generator = pathlib.Path(sys.executable).parent / "zensical"
    made = subprocess.run([generator, "build"], cwd=out, text=True, capture_output=True)
    if made.returncode:
        sys.exit(f"{made.stdout}{made.stderr}\nmake site: the generator failed")
    found = sorted(set(faults(out / "site")))
    if found:
        sys.exit("\n".join(found) + f"\nmake site: {len(found)} faults")
    print(f"the site is {out}/site/index.html")


main()
