"""The functions of the Python package, read from its sources, which need not be built. In a page of the
site, `<!-- help tensorpad.pad -->` becomes the signatures and the docstrings of the functions in it."""

import ast
import pathlib
import re
import textwrap

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "python"


def found(name):
    """(the node of "tensorpad.Plan.run" that has its arguments, its docstring)"""
    above, _, last = name.rpartition(".")
    if not above:
        raise KeyError(name)
    place, core = SOURCES / above.replace(".", "/"), None
    files = [place.with_suffix(".py"), place / "__init__.py"]
    files += [file.with_suffix(".pyi") for file in files]
    scopes = [ast.parse(file.read_text(encoding="utf-8")) for file in files if file.exists()]
    for scope in scopes or [found(above)[0]]:
        # An overload has no docstring; of a stub's, the first one has every argument with its default.
        nodes = [node for node in scope.body if getattr(node, "name", None) == last]
        if nodes:
            return (nodes[0], of_c(core)) if core else (nodes[-1], ast.get_docstring(nodes[-1]))
        for node in (node for node in scope.body if isinstance(node, ast.ImportFrom)):
            for alias in (one for one in node.names if (one.asname or one.name) == last):
                if node.module != "_core":
                    package = above if place.is_dir() else above.rpartition(".")[0]
                    return found(f"{package}.{node.module}.{alias.name}")
                core = alias.name
    raise KeyError(name)


def of_c(name):
    """The docstring of a function in the C extension: in its PyDoc_STRVAR, the lines that are strings."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES.glob("extension/*.c"))
    doc = re.search(rf"PyDoc_STRVAR\(\s*{name}_doc,(.*?)\)\);\n", text, re.S)[1]
    return "".join(ast.literal_eval(line) for line in re.findall(r'^ +(".*")$', doc, re.M))


def declared(name):
    """("(array, pad_width, mode='constant', ...)", docstring)"""
    node, doc = found(name)
    for one in ast.walk(node):
        if isinstance(one, ast.arg):
            one.annotation = None
    made = [one for one in getattr(node, "body", ()) if getattr(one, "name", None) == "__init__"]
    node = (made or [node])[0]
    arguments = f"({ast.unparse(node.args)})" if hasattr(node, "args") else ""
    return re.sub(r"^\(self(, )?", "(", arguments), doc


def shown(comment):
    """Markdown: signatures as code, then the docstrings, whose lines "name: text" become a list."""
    parts = []
    for name in comment[1].split():
        arguments, doc = declared(name)
        call = (name + arguments).replace("'", '"')
        call = textwrap.fill(call, 96, subsequent_indent=" " * (len(name) + 1))
        doc = re.sub(r"([*<[])", r"\\\1", doc)
        doc = re.sub(r"^((?:[\\*]*\w+, )*[\\*]*\w+): ", r"- **\1**: ", doc, flags=re.M)
        parts.append(f"```python\n{call}\n```\n\n{doc}\n")
    return "\n".join(parts)
