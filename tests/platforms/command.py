#!/usr/bin/env python3
"""tensorpad.exe under Wine does what build/tensorpad does here: the same status, the same bytes.

Usage: command.py TENSORPAD_EXE TENSORPAD    Prints what differs, and how many jobs were compared.
SPDX-License-Identifier: MIT
"""
import mmap
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
WINE = "/usr/lib/wine/wine64"
CONTROL_C = 0xC000013A  # the status of Windows for a program that Ctrl-C ended
MODELS = sorted((ROOT / "tests/formats/exports").glob("*.onnx")) + [ROOT / "examples/mirror.onnx"]
LONG = "/".join(["folder with a long name " * 5] * 3)  # more than 260 characters


def npy(descr, shape, data):
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    head += b" " * (63 - (10 + len(head)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data


def png(width, height):
    """Grey, of 8 bits."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(b"".join(b"\0" + bytes(range(y, y + width)) for y in range(height)))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


WIDE = "/".join(["雛" * 50] * 2)  # more than 260 bytes
EXTERNAL = b"\x08\x0c\x10\x01\x6a\x14\x0a\x08location\x12\x08data.bin\x70\x01"  # a TensorProto of 12 floats
MANY_BYTES = "a" + "雛" * 70 + ".npy"  # more than a temporary file shows of the name


def write_external(folder):
    (folder / "external.pb").write_bytes(EXTERNAL)
    (folder / "data.bin").write_bytes(struct.pack("<12f", *range(12)))


def make_inputs(folder):
    (folder / "in.npy").write_bytes(npy("<f4", (3, 4), struct.pack("<12f", *range(12))))
    (folder / "ein Gänseblümchen 雛.npy").write_bytes(npy("|u1", (5, 7, 3), bytes(range(105))))
    (folder / "large.npy").write_bytes(npy("<i8", (600, 700), os.urandom(8) * 420000))
    (folder / "cut.npy").write_bytes((folder / "in.npy").read_bytes()[:-5])
    (folder / "cut.onnx").write_bytes(MODELS[-1].read_bytes()[:50])
    (folder / "picture.png").write_bytes(png(40, 30))
    (folder / "models").mkdir()
    for model in MODELS:
        shutil.copy(model, folder / "models")
    (folder / "models/again").symlink_to(".")
    (folder / LONG).mkdir(parents=True)
    shutil.copy(folder / "in.npy", folder / LONG / "in.npy")
    (folder / WIDE).mkdir(parents=True)
    write_external(folder)
    write_external(folder / WIDE)


def jobs():
    """Arguments of the command."""
    for mode in ("constant", "edge", "reflect", "symmetric", "wrap"):
        yield ["pad", "--mode", mode, "--pads", "1,2,1,2", "in.npy", f"out-{mode}.npy"]
    yield ["pad", "--pads", "2,2,2,2", "--axes", "0,1", "ein Gänseblümchen 雛.npy", "aus ß.npy"]
    yield ["pad", "--pads", "2,2,2,2", "--axes", "0,1", "picture.png", "out.png"]
    yield ["pad", "--pads", "1,1,1,1", "in.npy", "out.pb"]
    yield ["pad", "--threads", "2", "--mode", "reflect", "--pads", "99,9,99,9", "large.npy", "out-large.npy"]
    yield ["pad", "--pads", "1,1,1,1", "in.npy", "out-edge.npy"]  # exists
    yield ["pad", "-f", "--pads", "1,1,1,1", "in.npy", "out-edge.npy"]
    yield ["pad", "--pads", "1,1,1,1", f"{LONG}/in.npy", f"{LONG}/out.npy"]
    for place in (".", WIDE):
        yield ["pad", "--pads", "1,1", f"{place}/external.pb", f"{place}/out-external.npy"]
    yield ["pad", "--pads", "1,1,1,1", "in.npy", "in.npy"]
    yield ["pad", "-f", "--pads", "1,1,1,1", "in.npy", "./in.npy"]
    yield ["pad", "--pads", "1,1,1,1", "in.npy", "no such folder/out.npy"]
    yield ["pad", "--pads", "1,1,1,1", "no such file.npy", "out2.npy"]
    yield ["pad", "--pads", "1,1,1,1", "cut.npy", "out2.npy"]
    yield ["pad", "--pads", "1,1,1,1", "--json", "cut.npy", "out2.npy"]
    yield ["pad", "--pads", "1,1,1,1", "--out-dir", "deep/er", "in.npy"]
    yield ["pad", "--pads", "1,1,1,1", "--out-dir", "deep/er", "--axes", "0,1", "ein Gänseblümchen 雛.npy",
           "picture.png"]
    yield ["pad", "--pads", "1,1,1,1", "--out-dir", "very//deep/er/", "in.npy"]
    yield ["pad", "--pads", "1,1,1,1", "--out-dir", "in.npy/er", "in.npy"]
    yield ["pad", "--pads", "1,1,1,1", "in.npy", MANY_BYTES]
    yield ["pad", "-f", "--pads", "1,1,1,1", "in.npy", MANY_BYTES]
    yield ["pad", "--pads", "1,1,1,1", "in.npy", "-"]
    yield ["pad", "--modus", "edge"]
    for model in MODELS:
        name = f"models/{model.name}"
        yield ["inspect", "--json", name]
        yield ["check", name, "--target", "openvino,tract,ort"]
        yield ["lower", name, f"{model.stem}-lowered.onnx", "--target", "openvino"]
    yield ["inspect", "cut.onnx"]
    yield ["check", "models", "--format", "json"]
    yield ["check", "models", "--target", "openvino", "--format", "sarif"]
    yield ["run", "models/mirror.onnx", "--input", "in.npy", "--output", "run.npy"]
    for options in ([], ["--format", "svg"]):
        yield ["show", "--mode", "reflect", "--pads", "2,2", "--shape", "4", *options]
    yield ["explain", "TP207"]
    yield ["specs"]
    yield ["--help"]
    yield ["completion", "bash"]
    yield []
    yield ["nonsense"]


def run(command, words, folder, **more):
    """Its status, standard output and standard error: files, as services of Wine would keep a pipe open."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        done = subprocess.run([*command, *words], cwd=folder, timeout=300,
                              **{"stdout": out, "stderr": err, **more})
        said = []
        for stream in (out, err):
            stream.seek(0)
            said.append(stream.read())
    return done.returncode, *said


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def compare(wine, here, folders):
    """The jobs, one after the other in both folders. Yields (job, what differs or None)."""
    for words in jobs():
        results = [run(command, words, folder) for command, folder in zip((wine, here), folders)]
        names = ("status", "standard output", "standard error")
        differs = [f"{name}: {a!r} instead of {b!r}" for name, a, b in zip(names, *results) if a != b]
        yield " ".join(words), "; ".join(differs)[:600] or None
    made = [files(folder) for folder in folders]
    differs = sorted(name for name in made[0].keys() | made[1].keys() if made[0].get(name) != made[1].get(name))
    yield "all files together", f"{differs} differ" if differs else None


def streams(wine, here, folder):
    with (folder / "in.npy").open("rb") as file:
        a = run(wine, ["pad", "--pads", "1,1,1,1", "-", "-"], folder, stdin=file)
    b = run(here, ["pad", "--pads", "1,1,1,1", "-", "-"], folder, input=(folder / "in.npy").read_bytes())
    yield "pad - -", None if a == b else f"{a} instead of {b}"
    nul = run(wine, ["pad", "--pads", "1,1,1,1", "in.npy", "-"], folder, stdout=subprocess.DEVNULL)
    yield "pad in.npy - >NUL", None if nul[0] == 0 else str(nul)


def windows_paths(wine, folder):
    r"""Paths with \, of a drive, and names that differ in letters that are the same for Windows."""
    (folder / "sub").mkdir()
    shutil.copy(folder / "in.npy", folder / "sub/IN.npy")
    for words, made in ((r"pad --pads 1,1,1,1 --out-dir back\slash\ sub\IN.npy", ["back/slash/IN.npy"]),
                        (r"pad --pads 1,1,1,1 sub\IN.npy Z:relative.npy", ["relative.npy"]),
                        (r"pad --pads 1,1,1,1 --out-dir drive Z:in.npy", ["drive/in.npy"])):
        result = run(wine, words.split(), folder)
        there = [(folder / name).exists() for name in made]
        yield words, None if result[0] == 0 and all(there) else f"{result}, made: {there}"
    write_external(pathlib.Path(os.environ["WINEPREFIX"]) / "drive_c")
    result = run(wine, ["pad", "--pads", "1,1", "C:/external.pb", "root.npy"], folder)
    equal = result[0] == 0 and (folder / "root.npy").read_bytes() == (folder / "out-external.npy").read_bytes()
    yield "pad C:/external.pb", None if equal else str(result)
    words = r"pad -f --pads 1,1,1,1 --out-dir both in.npy sub\IN.npy"
    result = run(wine, words.split(), folder)
    refused = result[0] == 2 and b"would both become" in result[2] and not (folder / "both").exists()
    yield words, None if refused else str(result)
    (folder / "shapes.ini").write_bytes(b"[models/mirror.onnx]\r\ninput-shape = nobody=1\r\n")
    for path in ("models/mirror.onnx", r"models\mirror.onnx"):
        result = run(wine, ["check", path, "--shapes", "shapes.ini", "--target", "ort"], folder)
        yield f"check {path} --shapes", None if b"nobody" in result[2] else str(result)
    result = run(wine, ["check", r"models\mirror.onnx", "--target", "openvino", "--format", "sarif"], folder)
    yield "check --format sarif", None if b'"models/mirror.onnx"' in result[1] else str(result)


def patterns(wine, folder):
    """* and ? outside of quotes are expanded, as a shell of POSIX does."""
    for name in ("pätterns/b c", "pätterns/ü", "pätterns/.hidden"):
        (folder / name).mkdir(parents=True)
        for each in ("zwei ß.npy", "EINS.NPY", "a.npyx", ".a.npy"):
            (folder / name / each).write_bytes(b"")
    (folder / "pätterns/a.txt").write_bytes(b"")
    both = [f"pätterns/{name}" for name in ("b c/EINS.NPY", "b c/zwei ß.npy", "ü/EINS.NPY", "ü/zwei ß.npy")]
    for words, expected in (("pätterns/*/*.npy", both),
                            (r"p?tterns\*\*i*s*.npy", [rf"pätterns\{name}\EINS.NPY" for name in ("b c", "ü")]),
                            ('"pätterns/b c"/*.npy', both[:2]),
                            ("Z:pätterns/ü/E*", [f"Z:{both[2]}"]),
                            ("pätterns/*/.a.*", ["pätterns/b c/.a.npy", "pätterns/ü/.a.npy"]),
                            ('"pätterns/ü/*" "*.txt"', ["pätterns/ü/*", "*.txt"]),
                            (r'"a \"*.txt', ['a "*.txt']),
                            ("pätterns/*/a.txt no*.npy n?", ["pätterns/*/a.txt", "no*.npy", "n?"])):
        # None of these is a model: check names each one that it cannot read.
        (folder / "patterns.bat").write_text(f'@"{wine[1]}" check {words}\n', encoding="cp850")
        said = run([wine[0], "cmd", "/c", "patterns.bat"], [], folder)[2].decode()
        named = re.findall(r"^tensorpad: (.*): (?:no valid|No such|an empty)", said, re.M)
        yield f"check {words}", None if named == expected else f"named {named} in {said}"


def pixels(path):
    """The bytes of each row of a PNG of RGB, and the sizes in its header."""
    data = path.read_bytes()
    at, packed, sizes = 8, b"", None
    while data[:8] == b"\x89PNG\r\n\x1a\n" and at < len(data):
        count, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + count]
        sizes = struct.unpack(">IIBBBBB", body) if kind == b"IHDR" else sizes
        packed += body if kind == b"IDAT" else b""
        at += count + 12
    return zlib.decompress(packed), sizes


def pictures(wine, folder):
    """A PNG of a drawing is twice as large as the SVG, and is no empty page. Its text has the fonts of Windows, so
    it has other bytes than on Linux."""
    words = ["show", "--mode", "reflect", "--pads", "2,2", "--shape", "4", "-o"]
    ended = [run(wine, [*words, f"shown.{kind}"], folder) for kind in ("svg", "png")]
    if any(each[0] for each in ended):
        yield "show -o", str(ended)
        return
    svg = (folder / "shown.svg").read_text()
    width, height = (2 * int(re.search(rf' {name}="(\d+)"', svg)[1]) for name in ("width", "height"))
    rows, sizes = pixels(folder / "shown.png")
    right = sizes == (width, height, 8, 2, 0, 0, 0) and len(rows) == height * (1 + 3 * width)
    yield "show -o", None if right and len(set(rows)) > 50 else f"{sizes} instead of {width}, {height}"


def heap(wine, folder):
    """What was not from malloc is not given to free: Windows ends the process, Wine warns."""
    words = ["bench", "--only", "14,14", "--turns", "1"]
    status, said, warned = run(wine, words, folder, env=os.environ | {"WINEDEBUG": "warn+heap"})
    wrong = [line for line in warned.splitlines() if b"invalid" in line]
    yield " ".join(words), None if status == 0 and b"14,14" in said and not wrong else f"{status} {said} {wrong}"


def interrupted(wine, folder):
    """Ctrl-C while an output of 1.6 GB is half made leaves neither it nor its temporary file."""
    process = subprocess.Popen([*wine, "pad", "--pads", "0,0,20000,20000", "in.npy", "interrupted.npy"], cwd=folder)
    while not list(folder.glob(".interrupted.npy.*")) and process.poll() is None:
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    status = process.wait(60)
    left = [path.name for path in folder.glob("*interrupted*")]
    ended = status == CONTROL_C & 0xFF  # of the status, Linux sees the last byte
    yield "Ctrl-C", None if ended and not left else f"status {status}, left {left}"


def replaced_while_mapped(wine, here, folder):
    """A file that another process maps stays, or is replaced; both are whole, and the status says which."""
    path = folder / "mapped.npy"
    shutil.copy(folder / "in.npy", path)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        before = bytes(mapped)
        status = run(wine, ["pad", "-f", "--pads", "1,1,1,1", "in.npy", "mapped.npy"], folder)[0]
        run(here, ["pad", "-f", "--pads", "1,1,1,1", "in.npy", "expected.npy"], folder)
        whole = path.read_bytes() == (before if status else (folder / "expected.npy").read_bytes())
        kept = bytes(mapped) == before
    yield "pad onto a mapped file", None if whole and kept and status in (0, 1) else f"status {status}"


def main():
    wine, here = [WINE, sys.argv[1]], [sys.argv[2]]
    os.environ["WINEPREFIX"] = os.environ.get("WINEPREFIX", str(ROOT / "build/platforms/wine"))
    os.environ["WINEDEBUG"] = "-all"
    with tempfile.TemporaryDirectory() as scratch:
        folders = [pathlib.Path(scratch) / name for name in ("wine", "here")]
        for folder in folders:
            folder.mkdir()
            make_inputs(folder)
        random = (folders[0] / "large.npy").read_bytes()
        (folders[1] / "large.npy").write_bytes(random)
        results = [*compare(wine, here, folders), *streams(wine, here, folders[0]),
                   *windows_paths(wine, folders[0]), *patterns(wine, folders[0]), *pictures(wine, folders[0]),
                   *heap(wine, folders[0]),
                   *interrupted(wine, folders[0]), *replaced_while_mapped(wine, here, folders[0])]
    failed = [(job, why) for job, why in results if why]
    for job, why in failed:
        print(f"FAILED tensorpad {job}: {why}")
    print(f"tensorpad.exe: {len(results)} jobs, {len(failed)} of them other than on Linux")
    sys.exit(1 if failed else 0)


main()
