"""The folder that `make firmware` writes: frameworks' own tools read it where PyPI has them (PlatformIO, ESP-IDF's
component manager and Kconfig), and programs are compiled with it as Arduino, CMSIS and CMake do, and with the
settings that Kconfig writes for Zephyr and ESP-IDF.

SPDX-License-Identifier: MIT
"""

import pathlib
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree

import kconfiglib
import numpy as np
import pytest
import yaml
from platformio.package.manifest.parser import ManifestParserFactory
from platformio.package.manifest.schema import ManifestSchema

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
FRAME = np.array([[11, 12, 13, 14], [21, 22, 23, 24], [31, 32, 33, 34]], np.int8)
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
PROGRAM = r"""#include <stdio.h>
#include <tensorpad.h>

int main(void)
{
    static const int8_t frame[3][4] = {{11, 12, 13, 14}, {21, 22, 23, 24}, {31, 32, 33, 34}}, zero_point = -1;
    static int8_t padded[5][6];
    const tpad_axis axes[2] = {{.in_extent = 3, .before = 1, .after = 1, .mode = MODE},
                               {.in_extent = 4, .before = 1, .after = 1, .mode = MODE}};
    const tpad_problem problem = TPAD_PROBLEM_OF(int8_t, axes);
    if (tpad_pad(&problem, frame, padded, &zero_point, NULL) != TPAD_OK) return 1;
    for (int i = 0; i < 30; i++) printf("%d%c", padded[i / 6][i % 6], i % 6 < 5 ? ' ' : '\n');
    return 0;
}
"""
ARDUINO = r"""#include <cstdio>
struct {
    void begin(long) {}
    void print(int number) { std::printf("%d", number); }
    void print(const char *text) { std::fputs(text, stdout); }
    void println(const char *text) { std::puts(text); }
} Serial;
#include "PadFrame.ino"
int main() { setup(); loop(); }
"""


def call(command, **how):
    """What a line of a shell prints; "python" is this Python."""
    words = shlex.split(command)
    words[0] = sys.executable if words[0] == "python" else words[0]
    ended = subprocess.run(words, capture_output=True, text=True, **how)
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    return ended.stdout


def printed(mode, **how):
    return "".join(" ".join(map(str, row)) + "\n" for row in np.pad(FRAME, 1, mode, **how))


def settings_of(program, nm="nm"):
    """What stands after the names of the small build's functions."""
    found = set(re.findall(r" [Tt] tpad_pad_(\w+)", call(f"{nm} {program}")))
    assert len(found) == 1
    return found.pop()


def program(package, folder, mode, how):
    """Compiles the program and all sources of src."""
    (folder / "main.c").write_text(PROGRAM.replace("MODE", mode))
    sources = " ".join(map(str, (package / "src").glob("*.c")))
    call(
        f"gcc -Wall -Wextra -Werror {how} -I{package}/src {folder}/main.c {sources} -o {folder}/app"
    )
    return folder / "app"


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package") / "tensorpad"
    call(f"{ROOT}/scripts/firmware/make.py {folder}")
    return folder


@pytest.fixture(scope="module")
def version():
    header = (ROOT / "include/tensorpad/tensorpad.h").read_text(encoding="utf-8")
    return ".".join(re.findall(r"^#define TPAD_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.M))


def test_everything_is_filled_in(package):
    for path in package.rglob("*"):
        assert path.is_dir() or not re.search(r"@[A-Z_]+ ?@", path.read_text(encoding="utf-8")), (
            path
        )


@pytest.mark.parametrize("name, times", [("CMakeLists.txt", 2), ("zephyr/CMakeLists.txt", 1)])
def test_all_sources_are_named(package, name, times):
    """As often as the file has a library: for ESP-IDF and for CMake alone."""
    path = package / name
    words = re.findall(r"[\w./]*\bsrc\b[\w./]*", path.read_text(encoding="utf-8"))
    named = sorted((path.parent / word).resolve() for word in words)
    src = package / "src"
    assert named == sorted([src, *src.glob("*.c")] * times)


@pytest.mark.parametrize("name", ["library.json", "library.properties"])
def test_arduino_and_platformio(package, version, name, monkeypatch):
    # PlatformIO asks the network for the list of licences.
    monkeypatch.setattr(
        ManifestSchema,
        "load_spdx_licenses",
        staticmethod(lambda: {"licenses": [{"licenseId": "MIT"}]}),
    )
    found = ManifestSchema().load_manifest(
        ManifestParserFactory.new_from_file(str(package / name)).as_dict()
    )
    assert (found["name"], found["version"]) == ("tensorpad", version)
    for example in found.get("examples", []):
        assert all((package / example["base"] / file).is_file() for file in example["files"])


@pytest.mark.parametrize("defines", ["", "-DTPAD_MAX_RANK=2 -DTPAD_MODES=1"])
def test_sketch(package, tmp_path, defines):
    """As Arduino does it, or PlatformIO with build_flags: the sketch as C++, what is below src as C."""
    (tmp_path / "sketch.cpp").write_text(ARDUINO)
    how = f"{WARNINGS} {defines} -I{package}/src -I{package}/examples/PadFrame"
    sources = list((package / "src").rglob("*.c"))
    for source in sources:
        call(f"clang -std=gnu11 {how} -c {source} -o {tmp_path}/{source.name}.o")
    objects = " ".join(f"{tmp_path}/{source.name}.o" for source in sources)
    call(f"clang++ -std=gnu++11 {how} {tmp_path}/sketch.cpp {objects} -o {tmp_path}/app")
    assert call(f"{tmp_path}/app") == printed("constant", constant_values=-1)
    # An Arduino Uno, whose int has 16 bits
    call(
        f"avr-gcc -mmcu=atmega328p -std=gnu11 -Os -Wall -Wextra -Werror {defines} -I{package}/src "
        f"-c {package}/src/tensorpad.c -o {tmp_path}/uno.o"
    )


def test_zephyr(package, tmp_path):
    module = yaml.safe_load((package / "zephyr/module.yml").read_text(encoding="utf-8"))["build"]
    (tmp_path / "Kconfig").write_text(f'source "{package / module["kconfig"]}"\n')
    kconfig = kconfiglib.Kconfig(str(tmp_path / "Kconfig"))
    kconfig.write_autoconf(str(tmp_path / "autoconf.h"))
    assert "TENSORPAD" not in (tmp_path / "autoconf.h").read_text()
    (tmp_path / "prj.conf").write_text(
        "CONFIG_TENSORPAD=y\nCONFIG_TENSORPAD_MAX_RANK=2\nCONFIG_TENSORPAD_MODES=1\n"
        "CONFIG_TENSORPAD_INTERIOR=n\nCONFIG_TENSORPAD_STRIDES=n\n"
    )
    kconfig.warn_assign_undef = True
    kconfig.load_config(str(tmp_path / "prj.conf"))
    assert not kconfig.warnings
    kconfig.write_autoconf(str(tmp_path / "autoconf.h"))
    assert module["cmake"] == "zephyr"
    built = (package / "zephyr/CMakeLists.txt").read_text(encoding="utf-8")
    assert set(re.findall(r"CONFIG_(\w+)", built)) <= kconfig.syms.keys()
    app = program(package, tmp_path, "TPAD_CONSTANT", f"-imacros {tmp_path}/autoconf.h")
    assert call(f"{app}") == printed("constant", constant_values=-1)
    assert settings_of(app) == "rank2_modes1_interior0_strides0"


def test_esp_idf(package, version, tmp_path):
    call(
        "python -m idf_component_manager component pack --name tensorpad "
        f"--project-dir {package} --dest-dir {tmp_path}",
        cwd=tmp_path,
    )
    assert (tmp_path / f"tensorpad_{version}.tgz").is_file()
    call(f"python -m kconfcheck {package}/Kconfig")
    (tmp_path / "Kconfig").write_text(f'mainmenu "app"\nsource "{package / "Kconfig"}"\n')
    (tmp_path / "defaults").write_text(
        "CONFIG_TENSORPAD_MAX_RANK=3\nCONFIG_TENSORPAD_MODES=5\nCONFIG_TENSORPAD_INTERIOR=n\n"
    )
    call(
        "python -m kconfgen --kconfig Kconfig --defaults defaults --config sdkconfig "
        "--output header sdkconfig.h",
        cwd=tmp_path,
    )
    app = program(package, tmp_path, "TPAD_REFLECT", f"-DESP_PLATFORM -I{tmp_path}")
    assert call(f"{app}") == printed("reflect")
    assert settings_of(app) == "rank3_modes5_interior0_strides1"


def test_cmake(package, tmp_path):
    (tmp_path / "main.c").write_text(PROGRAM.replace("MODE", "TPAD_WRAP"))
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.21)\nproject(frame LANGUAGES C)\n"
        f"add_executable(app main.c)\nadd_subdirectory({package} tensorpad)\n"
        "target_compile_definitions(tensorpad PUBLIC TPAD_MAX_RANK=2 TPAD_MODES=17)\n"
        "target_link_libraries(app PRIVATE tensorpad)\n"
    )
    call(f"cmake -S {tmp_path} -B {tmp_path}/build '-DCMAKE_C_FLAGS=-Wall -Wextra -Werror'")
    call(f"cmake --build {tmp_path}/build")
    app = tmp_path / "build/app"
    assert call(f"{app}") == printed("wrap")
    assert settings_of(app) == "rank2_modes17_interior1_strides1"


def test_cmsis(package, version, tmp_path):
    """What the component of the pack lists, as CMSIS-Toolbox gives it to the compiler."""
    [description] = package.glob("*.pdsc")
    root = xml.etree.ElementTree.parse(description).getroot()
    component = root.find("components/component")
    assert root.find("releases/release").get("version") == component.get("Cversion") == version
    named = {kind: [] for kind in ("doc", "include", "source")}
    for file in component.find("files"):
        named[file.get("category")].append(package / file.get("name"))
    folders = " ".join(f"-I{folder}" for folder in named["include"])
    (tmp_path / "main.c").write_text(PROGRAM.replace("MODE", "TPAD_WRAP"))
    call(
        "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -std=c11 -Os -Wall -Wextra -Werror -Wno-format "
        f"-DTPAD_MODES=17 {folders} {' '.join(map(str, named['source']))} {tmp_path}/main.c "
        f"--specs=rdimon.specs -o {tmp_path}/app.elf"
    )
    assert (
        settings_of(tmp_path / "app.elf", "arm-none-eabi-nm") == "rank5_modes17_interior1_strides1"
    )


def test_tflm(package, tmp_path):
    """The kernels for TensorFlow Lite Micro, in an interpreter of three nodes."""
    headers = tmp_path / "tensorflow/lite"
    for name in re.findall(
        r'#include "tensorflow/lite/([^"]+)"', (package / "tflm/tflm_register.cc").read_text()
    ):
        (headers / name).parent.mkdir(parents=True, exist_ok=True)
        (headers / name).write_text("")
    flags = f"-Wall -Wextra -Werror -I{package}/src -I{package}/tflm -I{tmp_path}"
    for name in ("tensorpad", "tflm_pad"):
        call(f"clang -std=c11 {flags} -c {package}/src/{name}.c -o {tmp_path}/{name}.o")
    objects = f"{tmp_path}/tensorpad.o {tmp_path}/tflm_pad.o"
    call(f"clang++ -std=c++17 {flags} {HERE}/tflm.cc {objects} -o {tmp_path}/app")
    assert call(f"{tmp_path}/app") == (
        printed("constant", constant_values=-1) * 2
        + printed("constant", constant_values=7)
        + printed("reflect")
        + printed("symmetric")
        + "refused\n" * 7
    )


def test_the_files_are_the_pair(package, tmp_path):
    """`files` and `src` make the same code."""
    flags = "-std=c11 -Os -c -DTPAD_SMALL -DTPAD_MAX_RANK=5 -ffunction-sections"
    call(f"gcc {flags} -I{package}/src {package}/src/tensorpad.c -o {tmp_path}/pair.o")
    sources = sorted((package / "files").rglob("*.c"))
    for source in sources:
        call(f"gcc {flags} -I{package}/files/include {source} -o {tmp_path}/{source.stem}.o")
    objects = " ".join(f"{tmp_path}/{source.stem}.o" for source in sources)
    call(f"ld -r {objects} -o {tmp_path}/files.o")

    def exported(name):
        listed = call(f"nm {tmp_path}/{name}.o")
        return set(re.findall(r" T (tpad_(?:pad|run|shape|plan)\w+)", listed))

    assert len(exported("pair")) == 4
    assert exported("pair") <= exported("files")
