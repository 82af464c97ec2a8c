#!/usr/bin/env python3
"""Damaged files and odd words for the command itself.  SPDX-License-Identifier: MIT

    damaged_files.py [--count N] [--seed S] [--command PATH] [--keep FOLDER]

Runs the command on files of 1 MiB that are made to take much memory, and on `count` others: takes
the inputs in tests/fuzz/corpus.tar.gz, changes them as files get changed (bits, bytes, numbers, pieces cut
out, doubled, moved, taken from others, repeated until they are large), and runs the command on
them. Whatever comes: status 0 to 3, one line of error and no other text, no file that was not asked
for, and less than 64 MiB of memory where the command is no sanitizer build. The same seed gives the
same runs. Needs no package; the process stays small because a child's memory is counted from here.
"""

import argparse
import hashlib
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/support"))
from onnx_wire import field  # noqa: E402

FORMATS = {"npy": "F.npy", "proto": "F.pb", "png": "F.png", "onnx": "F.onnx", "ir": "F.xml"}
MOST_MEMORY = 64 << 20
MOST_INPUT = 1 << 20
MOST_OUTPUT = 16 << 20  # a mapped output counts as memory; beyond this the disk counts as full
SECONDS = 60
ARRAY = (
    b"\x93NUMPY\1\0\x46\0{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }           \n"
    + bytes(range(48))
)
NUMBERS = [0, 1, 2, 7, 16, 17, 127, 128, 255, 256, 1 << 31, 1 << 32, 1 << 61, 1 << 63]
NUMBERS += [-1, -(1 << 63)]
WORDS = (
    "pad run inspect check lower specs --help --version --json --spec --mode --begin --end --pads --axes "
    "--order --interior --value --dtype --threads --lenient --node --input --output -f -q -h "
    "--target --partial --input-shape ort ort-1.17,openvino tract x=3,4 "
    "--to --multiple --square --align --too-long --out-dir y 5,- start end crop_end crop_center "
    "- -- plain onnx onnx-19 openvino-12 ngraph mli-hwc edge reflect wrap symmetric constant "
    "1,1 0,-1,2 nan inf f16 F.npy F.pb F.png F.onnx F.xml x.npy y.npy y.pb y.png y.onnx y.xml"
).split()


# ---- Changes -------------------------------------------------------------------------------------


def piece(rng, raw, most=64):
    start = rng.randrange(len(raw) + 1)
    return start, min(len(raw), start + rng.choice([1, 1, 2, 4, 8, rng.randrange(1, most)]))


def change(rng, raw, other):
    """One change of a bytearray."""
    start, end = piece(rng, raw)
    what = rng.randrange(9)
    if what == 0 and raw:
        raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
    elif what == 1:
        raw[start:end] = rng.choice([b"\0", b"\xff", b"\x80", b"\x7f"]) * (end - start)
    elif what == 2:
        del raw[start:end]
    elif what == 3:
        raw[start:start] = rng.randbytes(end - start)
    elif what == 4:
        raw[start:start] = raw[start:end]
    elif what == 5:
        a, b = piece(rng, other, 200)
        raw[start:end] = other[a:b]
    elif what == 6:
        found = list(re.finditer(rb"-?\d+", raw))
        if found:
            match = rng.choice(found)
            raw[match.start() : match.end()] = b"%d" % rng.choice(NUMBERS)
    elif what == 7:
        size = rng.choice([1, 2, 4, 8])
        number = rng.choice(NUMBERS) & ((1 << 8 * size) - 1)
        raw[start : start + size] = number.to_bytes(size, rng.choice(["little", "big"]))
    elif rng.random() < 0.2:
        del raw[start:]


def changed(rng, raw, others):
    raw = bytearray(raw)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3, 6])):
        change(rng, raw, rng.choice(others))
    if rng.random() < 0.03:  # a piece of it again and again
        start, end = piece(rng, raw, 400)
        times = rng.randrange(2, 1 + max(2, (MOST_INPUT - len(raw)) // max(1, end - start)))
        raw[start:start] = raw[start:end] * times
    return bytes(raw[: MOST_INPUT - 1])


# ---- Large in memory -----------------------------------------------------------------------------


def large_files():
    """(target, bytes) a little below 1 MiB, of what is small in a file and large in memory."""
    pad, other = b"\x0a\x00\x22\x03Pad", b"\x0a\x00\x22\x01A"
    opset = b"\x42\x02\x10\x19"

    def filled(around, piece):
        return around(piece * ((MOST_INPUT - 64) // len(piece)))

    for number, piece in [
        (1, b""),
        (1, pad),
        (1, other),
        (11, b""),
        (11, b"\x0a\1a"),
        (5, b""),
        (13, b""),
        (15, b""),
    ]:
        yield "onnx", filled(lambda all: field(7, all) + opset, field(number, piece))
    named = field(3, b"n" * 900) + b"\x22\x02If"
    for piece in b"", b"\x12\x00", field(1, pad):
        graphs = filled(lambda all: field(5, all), field(11, piece))
        yield "onnx", field(7, field(1, named + graphs)[:MOST_INPUT]) + opset
    for piece in b"", field(1, b"f"), field(1, b"f") + field(7, pad):
        yield "onnx", filled(lambda all: field(7, b"") + opset + all, field(25, piece))
    for piece in b"<body/>", b"<body><layers/></body>", b"<blobs/>", b"<data shape=''/>":
        start = b"<net version='11'><layers><layer id='0' type='If'>"
        yield "ir", filled(lambda all: start + all + b"</layer></layers></net>", piece)
    start = b"<net version='11'><layers>"
    layers = b"".join(b"<layer id='%d' type='Pad'/>" % number for number in range(30000))
    yield "ir", start + layers + b"</layers></net>"
    text = b"{'descr': [" + b"('a','<i2')," * 80000
    yield "npy", b"\x93NUMPY\2\0" + len(text).to_bytes(4, "little") + text


# ---- Command lines -------------------------------------------------------------------------------


def usual_words(rng, target):
    """How a file of that kind is read."""
    return [os.fsencode(word) for word in usual_text(rng, target)]


def usual_text(rng, target):
    name, json = FORMATS[target], ["--json"] * rng.randrange(2)
    if target in ("onnx", "ir"):
        if rng.randrange(2):
            return ["inspect", *json, name]
        if rng.randrange(2):
            targets = rng.choice(["ort", "ort-1.17,ort-1.23", "openvino", "tract,opencv-5.0"])
            out = name.replace("F", "y")
            return [
                "lower",
                *json,
                name,
                out,
                "--target",
                targets,
                *["--partial"] * rng.randrange(2),
            ]
        node = [] if rng.randrange(2) else ["--node", rng.choice(["pad", "pad_0", "y", "p"])]
        given = ["--input", "x.npy"] if rng.randrange(4) else []
        return ["run", name, *json, *node, *given, "--output", "y.npy"]
    ending = rng.choice(["npy", "npy", "pb", "png"])
    amounts = ",".join(str(rng.choice([0, 1, 2, -1])) for _ in range(rng.choice([1, 2, 2, 3])))
    mode = rng.choice(["constant", "edge", "reflect", "symmetric", "wrap"])
    size = rng.choice(["5", "5,-", "-,4,2", "1,1"])
    how = rng.choice(
        [
            ["--spec=plain", f"--begin={amounts}"],
            [f"--to={size}", f"--too-long={rng.choice(['error', 'crop_end', 'crop_center'])}"],
            [
                f"--multiple={rng.choice([2, 3, 1 << 40])}",
                f"--align={rng.choice(['start', 'end'])}",
            ],
        ]
    )
    files = [name, "x.npy", "--out-dir=y"] if rng.random() < 0.2 else [name, f"y.{ending}"]
    return ["pad", *json, *how, f"--mode={mode}", *files]


def odd_words(rng, lines):
    """The words of a corpus entry, changed, and its file."""
    raw = rng.choice(lines)
    text, _, content = raw.partition(b"\n\n") if not raw.startswith(b"\n") else (b"", b"", raw[1:])
    words = [word for word in text.split(b"\n") if word]
    for _ in range(rng.choice([0, 1, 1, 2, 4])):
        at = rng.randrange(len(words) + 1)
        what = rng.randrange(4)
        if what == 0:
            words.insert(at, rng.choice(WORDS).encode())
        elif what == 1 and at < len(words):
            del words[at]
        elif what == 2 and at < len(words):
            word = bytearray(words[at])
            change(rng, word, rng.choice(words))
            words[at] = bytes(word)
        elif at < len(words):
            words[at] = b"%d,%d" % (rng.choice(NUMBERS), rng.choice(NUMBERS))
    return [word.replace(b"\0", b"") for word in words], content


def is_harmless(words):
    """Nothing leaves the folder, and nobody waits for `bench`."""
    return not any(b"/" in word for word in words) and words[:1] != [b"bench"]


# ---- One run -------------------------------------------------------------------------------------


def run(command, words, said):
    """Status (or minus the signal) and peak memory of the command in the current folder."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_OUTPUT, MOST_OUTPUT))
        null = os.open("/dev/null", os.O_WRONLY)
        os.dup2(os.open("stdin", os.O_RDONLY), 0)
        os.unlink("stdin")
        os.dup2(null, 1)
        os.dup2(said, 2)
        signal.alarm(SECONDS)
        os.execv(command, [b"tensorpad", *words])
    _, status, used = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), used.ru_maxrss * 1024


def said_wrongly(words, status, text):
    """What is wrong with standard error."""
    lines, most = text.splitlines(), 1
    if text and not text.endswith(b"\n"):
        return "no whole line"
    # `pad --out-dir` has an error for each file, and counts them in its last line.
    if lines and re.search(
        rb": padded \d+ files?, skipped \d+ that exists?, failed \d+$", lines[-1]
    ):
        del lines[-1]
        most = len(words)
    elif b"--json" in words or words[:1] == [b"check"]:  # which has one for each model
        most = len(words)
    if status == 0 and lines:
        return "words on standard error in spite of success"
    if status and not text.startswith(b"usage: "):
        good = all(line.startswith((b"tensorpad: ", b'{"error":{')) for line in lines)
        if not good or not 1 <= len(lines) <= most:
            return "no single line of error"
    return None


def names():
    """Of all files here, also of those in folders."""
    return {os.path.join(at, name)[2:] for at, _, found in os.walk(b".") for name in found}


def complaints(words, status, memory, text, before, sanitized):
    """What is not as it should be."""
    after = names()
    named = b"\n".join(words)
    if status not in (0, 1, 2, 3):
        yield f"status {status}"
    wrong = said_wrongly(words, status, text)
    if wrong:
        yield wrong
    made = {name.replace(b".bin", b".xml") for name in after - before}  # of an IR, both
    parts = {part for name in made for part in name.split(b"/")}
    if status == 0 and any(part not in named for part in parts):
        yield f"files left over: {after - before}"
    if status and {name for name in after if b"/" not in name} != before:
        yield f"files changed: {after ^ before}"
    if memory > MOST_MEMORY and not sanitized:
        yield f"{memory >> 20} MiB of memory"


def write_files(words, content):
    named = b"\n".join(words).decode("latin-1")
    for name in FORMATS.values():
        if name not in named:
            continue
        first, _, rest = content.partition(b"\0")
        pathlib.Path(name).write_bytes(first if name == "F.xml" else content)
        if name == "F.xml":
            pathlib.Path("F.bin").write_bytes(rest)
    for name in "x.npy", "stdin":
        pathlib.Path(name).write_bytes(ARRAY)


def cases(options, corpus):
    """What is run: the large files, then `count` changed ones."""
    for target, content in large_files():
        name = FORMATS[target]
        out = name.replace("F", "y")
        calls = [["pad", "--pads=0,0", name, out]]
        if target != "npy":
            calls = [["inspect", name], ["lower", "--partial", "--target=openvino", name, out]]
        for words in calls:
            yield [word.encode() for word in words], content[: MOST_INPUT - 1]
    for number in range(options.count):
        yield one(random.Random(f"{options.seed} {number}"), corpus)


def read_corpus():
    corpus = {target: [] for target in [*FORMATS, "command"]}
    with tarfile.open(ROOT / "tests/fuzz/corpus.tar.gz") as archive:
        for member in archive:
            target = member.name.partition("/")[0]
            if target in corpus:
                corpus[target].append(archive.extractfile(member).read())
    return corpus


def one(rng, corpus):
    """The words and the file of one run."""
    if rng.random() < 0.25:
        words, content = odd_words(rng, corpus["command"])
        return (words, content) if is_harmless(words) else one(rng, corpus)
    target = rng.choice(list(FORMATS))
    content = changed(rng, rng.choice(corpus[target]), corpus[target])
    return usual_words(rng, target), content


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--command", default=os.fspath(ROOT / "build" / "tensorpad"))
    parser.add_argument("--keep", help="a folder for what was found")
    options = parser.parse_args()
    command = os.path.abspath(options.command)
    sanitized = b"__asan_init" in pathlib.Path(command).read_bytes()
    keep = options.keep and os.path.abspath(options.keep)
    corpus = read_corpus()
    statuses, found, most = [0] * 4, 0, 0
    in_memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    folder = tempfile.mkdtemp(prefix="tensorpad-", dir=in_memory)
    os.chdir(folder)
    os.environ["ASAN_OPTIONS"] = "allocator_may_return_null=1:exitcode=86"
    os.environ["UBSAN_OPTIONS"] = "exitcode=86"
    with tempfile.TemporaryFile() as said:
        for number, (words, content) in enumerate(cases(options, corpus)):
            for name in names():
                os.unlink(name)
            for name in os.listdir(b"."):
                shutil.rmtree(name)
            write_files(words, content)
            before = names() - {b"stdin"}
            said.seek(0)
            said.truncate()
            status, memory = run(command, words, said.fileno())
            said.seek(0)
            text = said.read()
            most = max(most, memory)
            wrong = list(complaints(words, status, memory, text, before, sanitized))
            if not wrong:
                statuses[status] += 1
                continue
            found += 1
            print(f"run {number}: {'; '.join(wrong)}: {words} {text[:500]}")
            if keep:
                os.makedirs(keep, exist_ok=True)
                name = hashlib.sha1(content).hexdigest()[:16]
                pathlib.Path(keep, name).write_bytes(b"\n".join(words) + b"\n\n" + content)
    os.chdir("/")
    shutil.rmtree(folder)
    each = ", ".join(f"{count} with status {status}" for status, count in enumerate(statuses))
    print(f"{number + 1} runs: {each}; {found} findings; at most {most / (1 << 20):.1f} MiB")
    return 1 if found else 0


sys.exit(main())
