"""The files that describe build/firmware to each framework, read by the frameworks' own tools where PyPI has
them: PlatformIO, ESP-IDF's component manager and Kconfig. Arduino's and CMSIS's tools are no packages of a
registry; the rules of their specifications are written down here.

SPDX-License-Identifier: MIT
"""

import re
import subprocess
import sys
import xml.etree.ElementTree

import pytest
import yaml
from platformio.package.manifest.parser import ManifestParserFactory
from platformio.package.manifest.schema import ManifestSchema

# "Arduino library specification", the section on library.properties
ARDUINO_FIELDS = {"name", "version", "author", "maintainer", "sentence", "paragraph", "category", "url",
                  "architectures"}
ARDUINO_CATEGORIES = {"Display", "Communication", "Signal Input/Output", "Sensors", "Device Control", "Timing",
                      "Data Storage", "Data Processing", "Other"}
# "Open-CMSIS-Pack specification", /package and /package/components/component
PACK_FIRST = {"vendor", "name", "description", "url", "releases"}
PACK_MORE = {"license", "keywords", "components"}
RESTRICTED = r"[-_A-Za-z0-9]+"


def properties(package):
    lines = (package / "library.properties").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines)


def test_arduino(package, version):
    found = properties(package)
    assert ARDUINO_FIELDS <= found.keys() <= ARDUINO_FIELDS | {"includes"}
    assert all(value and value == value.strip() for value in found.values())
    assert re.fullmatch(r"[A-Za-z0-9][\w .-]{0,62}", found["name"])
    assert "arduino" not in found["name"].lower()  # a name for official libraries
    assert found["version"] == version
    assert found["category"] in ARDUINO_CATEGORIES
    assert re.match("https?://", found["url"])
    for header in found["includes"].split(","):
        assert (package / "src" / header).is_file()
    # Sources lie in src and nowhere else at the top; a sketch is named like its folder.
    assert not [path for path in package.iterdir() if path.suffix in (".c", ".cpp", ".h") or path.is_symlink()]
    assert not (package / "utility").exists()
    sketches = list((package / "examples").iterdir())
    assert sketches
    for sketch in sketches:
        assert (sketch / f"{sketch.name}.ino").is_file()


@pytest.mark.parametrize("name", ["library.json", "library.properties"])
def test_platformio(package, version, name, monkeypatch):
    # PlatformIO asks the network for the list of licences.
    monkeypatch.setattr(ManifestSchema, "load_spdx_licenses",
                        staticmethod(lambda: {"licenses": [{"licenseId": "MIT"}]}))
    found = ManifestSchema().load_manifest(ManifestParserFactory.new_from_file(str(package / name)).as_dict())
    assert (found["name"], found["version"]) == ("tensorpad", version)
    assert found["frameworks"] == ["*"] if name == "library.json" else found["frameworks"] == ["arduino"]
    examples = found.get("examples", [])
    assert examples or name == "library.properties"  # Arduino looks into the folder of this name
    for example in examples:
        for file in example["files"]:
            assert (package / example["base"] / file).is_file()


def test_esp_idf(package, version, tmp_path):
    packed = subprocess.run(
        [sys.executable, "-m", "idf_component_manager", "component", "pack", "--name", "tensorpad",
         "--project-dir", package, "--dest-dir", tmp_path],
        cwd=tmp_path, capture_output=True, text=True)
    assert packed.returncode == 0, packed.stdout + packed.stderr
    assert (tmp_path / f"tensorpad_{version}.tgz").is_file()
    checked = subprocess.run([sys.executable, "-m", "kconfcheck", package / "Kconfig"], capture_output=True,
                             text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_zephyr(package):
    module = yaml.safe_load((package / "zephyr/module.yml").read_text(encoding="utf-8"))
    assert module.keys() == {"name", "build"}
    assert module["build"].keys() == {"cmake", "kconfig"}
    assert (package / module["build"]["cmake"] / "CMakeLists.txt").is_file()
    assert (package / module["build"]["kconfig"]).is_file()


def test_cmsis_pack(package, version):
    [description] = package.glob("*.pdsc")
    root = xml.etree.ElementTree.parse(description).getroot()
    assert root.tag == "package" and re.fullmatch(r"\d+\.\d+(\.\d+)?", root.get("schemaVersion"))
    names = [child.tag for child in root]
    assert len(set(names)) == len(names) and PACK_FIRST <= set(names) <= PACK_FIRST | PACK_MORE
    assert re.fullmatch(RESTRICTED, root.findtext("vendor")) and re.fullmatch(RESTRICTED, root.findtext("name"))
    assert description.name == f"{root.findtext('vendor')}.{root.findtext('name')}.pdsc"
    assert re.match("https?://", root.findtext("url"))
    assert (package / root.findtext("license")).is_file()
    assert [release.get("version") for release in root.find("releases")] == [version]
    components = root.findall("components/component")
    assert components
    for component in components:
        assert set(component.keys()) == {"Cclass", "Cgroup", "Cversion"}
        assert 2 <= len(component.get("Cclass")) <= 32 and 2 <= len(component.get("Cgroup")) <= 32
        assert component.get("Cversion") == version
        assert [child.tag for child in component] == ["description", "files"]
        for file in component.find("files"):
            path = package / file.get("name")
            assert set(file.keys()) == {"category", "name"} and path.exists()
            assert (file.get("category") == "include") == path.is_dir() == file.get("name").endswith("/")
            assert file.get("category") in ("doc", "include", "header", "source")


def test_everything_is_filled_in(package):
    for path in package.rglob("*"):
        if path.is_file():
            assert not re.search(r"@[A-Z_]+@", path.read_text(encoding="utf-8")), path
