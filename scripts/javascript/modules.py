"""Compiles the engine to WebAssembly, and joins ES modules into one script."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILED = ROOT / "build/javascript"
CHECK = ROOT / "build/checker-javascript"

IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
REEXPORT = re.compile(r'^export \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(
    r"^export (?=(?:async )?(?:function\*?|class|const|let) (?:(\w+)|\{([^}]*)\}))", re.MULTILINE
)


def compiled(source, build, *options):
    """Whether CMake made what a folder describes; else it says why not."""
    build.mkdir(parents=True, exist_ok=True)
    how = ["cmake", "-S", source, "-B", build, "-G", "Ninja", "-Wno-dev", *options]
    configured = subprocess.run(how, capture_output=True, text=True)
    if configured.returncode:
        print(configured.stdout + configured.stderr, file=sys.stderr)
        return False
    return subprocess.run(["cmake", "--build", build, "--", "--quiet"]).returncode == 0


def compile_modules():
    """Makes COMPILED/*.wasm, for the npm package and the playground."""
    if not compiled(ROOT / "javascript", COMPILED):
        sys.exit(1)


def compile_check():
    """Makes CHECK/check.wasm, for tensorpad/check. Needs WASI's C library and, the first time, nanopb's sources
    from Debian. None where they are missing, and says so."""
    sources = ROOT / "build/nanopb-source"
    fetch = ROOT / "scripts/wheels/sources.sh"
    if subprocess.run([fetch, sources, "bookworm", "nanopb"]).returncode or not compiled(
        ROOT / "checker/javascript", CHECK, f"-DNANOPB={sources / 'nanopb'}"
    ):
        print("npm: tensorpad/check is not made, see above", file=sys.stderr)
        return None
    return CHECK / "check.wasm"


def modules_in_order(path, order):
    """Appends the modules that `path` needs, each after those that it imports, and then itself."""
    text = path.read_text()
    for _, name in IMPORT.findall(text) + REEXPORT.findall(text):
        imported = (path.parent / name).resolve()
        if imported not in order:
            modules_in_order(imported, order)
    if path not in order:
        order.append(path)
    return order


def exported(path):
    """The names that a module exports."""
    text = path.read_text()
    found = [one or many for one, many in EXPORT.findall(text)] + [
        many for many, _ in REEXPORT.findall(text)
    ]
    return [name.strip() for names in found for name in names.split(",") if name.strip()]


def variable(path, order):
    """The variable that holds what a module exports."""
    return f"module{order.index(path)}"


def joined(order, root):
    """One script of these modules, each in a scope of its own and with its exports in a variable."""
    parts = []
    for path in order:
        text = path.read_text()
        exports = exported(path)

        def taken(found, path=path):
            names = re.sub(r"\s+", " ", found[1].replace(" as ", ": ")).strip().rstrip(",")
            imported = (path.parent / found[2]).resolve()
            return f"const {{ {names} }} = {variable(imported, order)};\n"

        text = EXPORT.sub("", REEXPORT.sub(taken, IMPORT.sub(taken, text)))
        left = re.search(r"^(import|export)\b.*", text, re.MULTILINE)
        if left:
            sys.exit(f"{path}: cannot join this line: {left[0]}")
        parts.append(
            f"// {path.relative_to(root)}\nconst {variable(path, order)} = (() => {{\n{text}"
            f"return {{ {', '.join(exports)} }};\n}})();\n"
        )
    return "".join(parts)
