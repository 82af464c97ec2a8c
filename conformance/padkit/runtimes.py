"""The runtimes that the survey knows: one adapter each in conformance/adapters, and how it is installed.

SPDX-License-Identifier: MIT

Reads the constants of an adapter without running it, since what it imports is only in the folder of
the runtime. conformance/adapters/README.md says what an adapter is.
"""

import ast
import dataclasses
import pathlib
import subprocess
import sys

KIT = pathlib.Path(__file__).parents[1]
ADAPTERS = KIT / "adapters"
INSTALLED = KIT.parent / "build/runtimes"
CONSTANTS = ("RUNTIME", "TARGETS", "INSTALL", "COMMAND", "READS", "SECONDS", "FORKS", "PLAIN")


class Missing(Exception):
    """What is asked for is not there; the text says how to get it."""


@dataclasses.dataclass(frozen=True)
class Target:
    """A version of a runtime, how it is installed in `home`, and how its worker is started."""

    name: str
    runtime: str
    adapter: pathlib.Path
    packages: tuple[str, ...]
    home: pathlib.Path
    install: tuple[
        tuple[str, ...], ...
    ]  # commands; {home}, {adapters}: folders; {python}: this one
    command: tuple[str, ...]
    reads: tuple[str, ...]  # folders of the kit
    seconds: float  # the longest that one case may take
    forks: bool  # each case runs in a copy of the worker's process
    plain: bool  # it can be told to optimise nothing

    def words(self, command):
        """A command with the folders put in."""
        return [
            word.format(home=self.home, adapters=self.adapter.parent, python=sys.executable)
            for word in command
        ]

    @property
    def installed(self):
        done = self.home / "done"
        return done.exists() and done.read_text() == self.contents()

    def contents(self):
        """What its marker says when it is finished: other packages are another installation."""
        return "".join(f"{' '.join(words)}\n" for words in [self.packages, *self.install])


def constants(path):
    """The constants of an adapter that the survey needs, which must be literals."""
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in CONSTANTS
    }


def targets(adapters=ADAPTERS, installed=INSTALLED):
    """Every target of every adapter, by name."""
    found = {}
    for path in sorted(adapters.glob("*.py")):
        said = constants(path)
        python = "{home}/bin/python"
        pip = (
            ("{python}", "-m", "venv", "{home}"),
            (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
        )
        for name, packages in said["TARGETS"].items():
            install = [tuple(words) for words in said.get("INSTALL", pip)]
            install[-1] += tuple(packages)
            found[name] = Target(
                name=name,
                runtime=said["RUNTIME"],
                adapter=path,
                packages=tuple(packages),
                home=installed / name,
                install=tuple(install),
                command=tuple(said.get("COMMAND", (python, str(KIT / "worker.py"), str(path)))),
                reads=tuple(said.get("READS", ("onnx",))),
                seconds=said.get("SECONDS", 20),
                forks=said.get("FORKS", False),
                plain=said.get("PLAIN", False),
            )
    return found


def find(name, known):
    """The target of that name, or Missing."""
    if name not in known:
        raise Missing(f"no target {name}; there are {', '.join(known)}")
    return known[name]


def in_this_python(target):
    """The target with the packages of the Python that runs this, whatever their versions."""
    command = (sys.executable, str(KIT / "worker.py"), str(target.adapter))
    return dataclasses.replace(target, command=command)


def check_installed(target):
    """Raises Missing unless the target is in its folder."""
    if not target.installed:
        raise Missing(
            f"{target.name} is not installed in {target.home}: "
            f"run `conformance/survey.py --install {target.name}`, or `conformance/run.sh survey` for all"
        )


def install(target):
    """Installs a target into its folder unless it is there; raises Missing with the reason."""
    if target.installed:
        return
    target.home.mkdir(parents=True, exist_ok=True)
    for command in target.install:
        words = target.words(command)
        try:
            made = subprocess.run(words, capture_output=True, text=True, errors="replace")
        except OSError as error:
            raise Missing(f"{target.name} cannot be installed: {error}") from error
        if made.returncode:
            said = made.stderr.strip().splitlines() or [f"status {made.returncode}"]
            raise Missing(f"{target.name} cannot be installed: {words[0]}: {said[-1]}")
    (target.home / "done").write_text(target.contents())
