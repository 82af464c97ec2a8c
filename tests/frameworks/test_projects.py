"""A project of each framework, with the folder of `make firmware`. The frameworks themselves are no packages
of a registry, so what the projects need of them stands here: a header or a part of the build. Kconfig is the
real one of Zephyr and of ESP-IDF. Projects run on this machine; that of CMSIS is linked for a Cortex-M4.

SPDX-License-Identifier: MIT
"""

import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

import kconfiglib
import numpy as np
import yaml

HERE = pathlib.Path(__file__).parent
FRAME = np.array([[11, 12, 13, 14], [21, 22, 23, 24], [31, 32, 33, 34]], np.int8)
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]


def call(*command, **how):
    ended = subprocess.run([str(word) for word in command], capture_output=True, text=True, **how)
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    return ended.stdout


def printed(mode, **how):
    return "".join(" ".join(map(str, row)) + "\n" for row in np.pad(FRAME, 1, mode, **how))


def settings_of(program, nm="nm"):
    """What stands behind the names of the small build's functions."""
    found = set(re.findall(r" [Tt] tpad_pad_(\w+)", call(nm, program)))
    assert len(found) == 1
    return found.pop()


def cmake(project, build, *definitions, environment=None):
    call("cmake", "-S", project, "-B", build, "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror", *definitions,
         env=os.environ | (environment or {}))
    call("cmake", "--build", build)
    return build / "app"


def built_as_arduino_does(package, folder, *flags, c="clang", cpp="clang++"):
    """The sketch as C++, each file below src as C, one library."""
    sketch = folder / "sketch.cpp"
    sketch.write_text("#include <Arduino.h>\n" + (package / "examples/PadFrame/PadFrame.ino").read_text())
    objects = []
    for source in [*sorted((package / "src").rglob("*.c")), HERE / "arduino/core.cpp", sketch]:
        objects.append(folder / f"{source.name}.o")
        compiler = [c, "-std=gnu11"] if source.suffix == ".c" else [cpp, "-std=gnu++11"]
        call(*compiler, *flags, f"-I{package / 'src'}", f"-I{HERE / 'arduino'}", "-c", source, "-o",
             objects[-1])
    call(cpp, *flags, *objects, "-o", folder / "app")
    return folder / "app"


def test_arduino(package, tmp_path):
    app = built_as_arduino_does(package, tmp_path, *WARNINGS)
    assert call(app) == printed("constant", constant_values=-1)


def test_arduino_uno(package, tmp_path):
    """The processor of an Arduino Uno, whose int has 16 bits, in a simulator."""
    app = built_as_arduino_does(package, tmp_path, "-mmcu=atmega328p", "-Os", "-Wall", "-Wextra", "-Werror",
                                "-ffunction-sections", "-Wl,--gc-sections", c="avr-gcc", cpp="avr-g++")
    ran = subprocess.run(["simavr", "-m", "atmega328p", "-f", "16000000", app], check=True, capture_output=True,
                         text=True, timeout=60)
    # The serial line comes in colours, with a dot for the end of a line.
    lines = re.sub(r"\x1b\[[0-9;]*m", "", ran.stderr).splitlines()
    assert "".join(line.removesuffix(".") + "\n" for line in lines if line) == printed(
        "constant", constant_values=-1)


def test_platformio(package, tmp_path):
    """As Arduino, with build_flags of platformio.ini."""
    app = built_as_arduino_does(package, tmp_path, *WARNINGS, "-DTPAD_MAX_RANK=2", "-DTPAD_MODES=1")
    assert call(app) == printed("constant", constant_values=-1)
    tables = call("nm", tmp_path / "tensorpad.c.o")
    assert " T tpad_run_rank2_modes1_interior1_strides1" in tables


def test_zephyr(package, tmp_path):
    module = yaml.safe_load((package / "zephyr/module.yml").read_text())["build"]
    (tmp_path / "Kconfig").write_text(f'source "{package / module["kconfig"]}"\n')
    kconfig = kconfiglib.Kconfig(str(tmp_path / "Kconfig"))
    kconfig.warn_assign_undef = True
    kconfig.load_config(str(HERE / "zephyr/app/prj.conf"))
    assert not kconfig.warnings
    kconfig.write_autoconf(str(tmp_path / "autoconf.h"))
    app = cmake(HERE / "zephyr/app", tmp_path / "build", f"-DZephyr_DIR={HERE / 'zephyr/sdk'}",
                f"-DZEPHYR_MODULE={package / module['cmake']}", f"-DAUTOCONF={tmp_path / 'autoconf.h'}")
    assert call(app) == printed("constant", constant_values=-1)
    assert settings_of(app) == "rank2_modes1_interior0_strides0"


def test_zephyr_without_the_module(package, tmp_path):
    (tmp_path / "Kconfig").write_text(f'source "{package / "zephyr/Kconfig"}"\n')
    kconfig = kconfiglib.Kconfig(str(tmp_path / "Kconfig"))
    kconfig.write_autoconf(str(tmp_path / "autoconf.h"))
    assert "TENSORPAD" not in (tmp_path / "autoconf.h").read_text()


def test_esp_idf(package, tmp_path):
    (tmp_path / "Kconfig").write_text(f'mainmenu "app"\nsource "{package / "Kconfig"}"\n')
    call(sys.executable, "-m", "kconfgen", "--kconfig", tmp_path / "Kconfig", "--defaults",
         HERE / "esp_idf/app/sdkconfig.defaults", "--config", tmp_path / "sdkconfig", "--output", "header",
         tmp_path / "sdkconfig.h", cwd=tmp_path)
    app = cmake(HERE / "esp_idf/app", tmp_path / "build", f"-DEXTRA_COMPONENT_DIRS={package}",
                f"-DCONFIG_FOLDER={tmp_path}", environment={"IDF_PATH": str(HERE / "esp_idf/sdk")})
    assert call(app) == printed("reflect")
    assert settings_of(app) == "rank3_modes5_interior0_strides1"


def test_cmake(package, tmp_path):
    app = cmake(HERE / "cmake", tmp_path / "build", f"-DPACKAGE={package}")
    assert call(app) == printed("wrap")
    assert settings_of(app) == "rank2_modes17_interior1_strides1"


def test_cmsis(package, tmp_path):
    """What the component of the pack lists, as CMSIS-Toolbox gives it to the compiler."""
    [description] = package.glob("*.pdsc")
    files = xml.etree.ElementTree.parse(description).getroot().find("components/component/files")
    named = {kind: [package / file.get("name") for file in files if file.get("category") == kind]
             for kind in ("include", "source")}
    call("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-std=c11", "-Os", "-Wall", "-Wextra", "-Werror",
         "-Wno-format", "-DTPAD_MODES=17", *[f"-I{path}" for path in named["include"]], *named["source"],
         HERE / "cmake/main.c", "--specs=rdimon.specs", "-o", tmp_path / "app.elf")
    assert settings_of(tmp_path / "app.elf", "arm-none-eabi-nm") == "rank5_modes17_interior1_strides1"


def test_tflm(package, tmp_path):
    """The kernels, in an interpreter of three nodes."""
    flags = ["-Wall", "-Wextra", "-Werror", f"-I{package / 'src'}", f"-I{HERE / 'tflm/include'}"]
    objects = []
    for source in [package / "src/tensorpad.c", package / "src/tflm_pad.c", package / "tflm/tflm_register.cc",
                   HERE / "tflm/main.cc"]:
        objects.append(tmp_path / f"{source.name}.o")
        compiler = ["clang", "-std=c11"] if source.suffix == ".c" else ["clang++", "-std=c++17"]
        call(*compiler, *flags, "-c", source, "-o", objects[-1])
    call("clang++", *objects, "-o", tmp_path / "app")
    assert call(tmp_path / "app") == (
        printed("constant", constant_values=-1) * 2 + printed("constant", constant_values=7)
        + printed("reflect") + printed("symmetric") + "refused\n" * 7)


def test_the_files_are_the_pair(package, tmp_path):
    """`files` and `src` make the same code."""
    flags = ["-std=c11", "-Os", "-c", "-DTPAD_SMALL", "-DTPAD_MAX_RANK=5", "-ffunction-sections"]
    call("gcc", *flags, f"-I{package / 'src'}", package / "src/tensorpad.c", "-o", tmp_path / "pair.o")
    sources = sorted((package / "files").rglob("*.c"))
    assert sources
    for source in sources:
        call("gcc", *flags, f"-I{package / 'files/include'}", source, "-o", tmp_path / f"{source.stem}.o")
    call("ld", "-r", *[tmp_path / f"{source.stem}.o" for source in sources], "-o", tmp_path / "files.o")

    def exported(path):
        return set(re.findall(r" T (tpad_(?:pad|run|shape|plan)\w+)", call("nm", path)))
    assert len(exported(tmp_path / "pair.o")) == 4
    assert exported(tmp_path / "pair.o") <= exported(tmp_path / "files.o")
