"""The functions of the Python package, read from its sources, which need not be built. In a page of the
site, `<!-- help tensorpad.pad -->` becomes the signature and the docstring of this function."""

import ast
import pathlib
import re
import textwrap

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "python"


def found(name):
    """(the node of "tensorpad.Plan.run" that has its arguments, its docstring)"""
    above, _, last = name.rpartition(".")
    place = SOURCES / above.replace(".", "/")
    files = [place.with_suffix(".py"), place / "__init__.py", place / "__init__.pyi"]
    scopes = [ast.parse(file.read_text(encoding="utf-8")) for file in files if file.exists()]
    for scope in scopes or [found(above)[0]]:
        for node in reversed(scope.body):
            if getattr(node, "name", None) == last:
                return node, ast.get_docstring(node)
            for alias in node.names if isinstance(node, ast.ImportFrom) else ():
                if last == (alias.asname or alias.name) and node.module == "_core":
                    return stub(place, last), of_c(alias.name)
                if last == (alias.asname or alias.name):
                    package = above if place.is_dir() else above.rpartition(".")[0]
                    return found(f"{package}.{node.module}.{alias.name}")
    raise KeyError(name)


def stub(place, name):
    """Its node in the stub of the module: the first one, in which every argument has its default."""
    file = place / "__init__.pyi" if place.is_dir() else place.with_suffix(".pyi")
    body = ast.parse(file.read_text(encoding="utf-8")).body
    return next(node for node in body if getattr(node, "name", None) == name)


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


def shown(name):
    """Markdown: the signature as code, then the docstring, whose lines "name: text" become a list."""
    arguments, doc = declared(name)
    call = textwrap.fill(
        (name + arguments).replace("'", '"'), 96, subsequent_indent=" " * (len(name) + 1)
    )
    doc = re.sub(r"([*<[])", r"\\\1", doc)
    doc = re.sub(r"^((?:[\\*]*\w+, )*[\\*]*\w+): ", r"- **\1**: ", doc, flags=re.M)
    return f"```python\n{call}\n```\n\n{doc}\n"
