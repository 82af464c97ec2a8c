"""The engine inside WebAssembly: the C tests of core and kernels, compiled for it and run by Node with the
kernels of simd.wasm and with the plain ones. The input often ends where the memory ends, so that a read
beyond it traps."""

import concurrent.futures
import shutil
import subprocess

import pytest
from conftest import HERE, ROOT

pytestmark = pytest.mark.long
SIMD = ROOT / "build/javascript/simd.wasm"
# As in javascript/CMakeLists.txt; TPAD_KERNELS_ENV makes plans that have a table instead of a list.
FLAGS = """--target=wasm32-wasi -std=c11 -O2 -mbulk-memory -msign-ext -mnontrapping-fptoint
    -ftls-model=local-exec -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
    -D_GNU_SOURCE -D_WASI_EMULATED_SIGNAL
    -DTPAD_TABLE_BYTES=8192 -DTPAD_WASM_TILES_APART -DTPAD_KERNELS_ENV""".split()
LINKED = """-O0 -Wl,--global-base=16384 -Wl,--export-table -Wl,--growable-table
    -Wl,-z,stack-size=1048576 -lwasi-emulated-signal -lc-printscan-no-floating-point -lc""".split()
SOURCES = [
    *ROOT.glob("src/core/*.c"),
    *ROOT.glob("src/kernels/*.c"),
    *ROOT.glob("src/specs/*.c"),
    *ROOT.glob("tests/support/*.c"),
    ROOT / "javascript/engine/wasm.c",
    ROOT / "javascript/engine/pieces.c",
]
PROGRAMS = {
    "laws": ROOT / "tests/c/core/test_laws.c",
    "kernels": ROOT / "tests/c/kernels/test_kernels.c",
    "pieces": ROOT / "javascript/tests/test_pieces.c",
}
# Reads the byte after a block at the memory's end, where WebAssembly has to trap: so the other programs notice
# it, too.
READ_BEYOND = """#include "guard.h"
int main(void)
{
    guard memory;
    guard_open(&memory, 100);
    const volatile unsigned char *block = guard_place(&memory, 10, GUARD_AT_END, 0);
    const int inside = block[9];
    return block[10] == inside ? 0 : 1;
}
"""


def clang(*words):
    command = ["clang", *FLAGS, f"-I{ROOT}/include"]
    return subprocess.run([*command, *map(str, words)], capture_output=True, text=True)


def compiled(source, folder):
    made = folder / f"{source.parent.name}_{source.stem}.o"
    done = clang("-c", source, "-o", made)
    assert done.returncode == 0, done.stderr[-4000:]
    return made


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The programs by name, each with a library of its own."""
    missing = [tool for tool in ["clang", "wasm-ld", "node"] if not shutil.which(tool)]
    if missing:
        pytest.skip(f"missing: {' '.join(missing)}")
    if not SIMD.exists():
        pytest.skip("build/javascript/simd.wasm is missing; scripts/javascript/npm.py makes it")
    folder = tmp_path_factory.mktemp("wasm")
    probe = folder / "probe.c"
    probe.write_text('#include <stdlib.h>\nint main(void) { return (int)strtoll("0", 0, 0); }\n')
    if clang(probe, "-o", folder / "probe.wasm", *LINKED).returncode != 0:
        pytest.skip(
            "no C library for WebAssembly: Debian has wasi-libc and libclang-rt-14-dev-wasm32"
        )
    beyond = folder / "read_beyond.c"
    beyond.write_text(READ_BEYOND)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        objects = list(pool.map(lambda source: compiled(source, folder), SOURCES))

        def link(source):
            made = folder / f"{source.stem}.wasm"
            done = clang(source, f"-I{ROOT}/tests/support", *objects, "-o", made, *LINKED)
            assert done.returncode == 0, done.stderr[-4000:]
            return made

        sources = {**PROGRAMS, "read_beyond": beyond}
        return dict(zip(sources, pool.map(link, sources.values())))


def run(program, kernels, *words):
    command = ["node", "--no-warnings", HERE / "run.mjs", "program", program, SIMD, kernels, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=100)


@pytest.mark.parametrize(
    "kernels, name, words",
    [
        ("wasm", "laws", "--cases 8000"),
        ("plain", "laws", "--cases 4000"),
        ("wasm", "kernels", "--forced wasm"),
        ("plain", "kernels", "--forced plain"),
        ("wasm", "pieces", "--cases 2000"),
    ],
)
def test_in_webassembly(programs, kernels, name, words):
    done = run(programs[name], kernels, *words.split())
    assert done.returncode == 0, f"{done.stdout[-500:]}\n{done.stderr[-3000:]}"


def test_a_read_beyond_the_memory_is_noticed(programs):
    done = run(programs["read_beyond"], "plain")
    assert done.returncode != 0
    assert "memory access out of bounds" in done.stderr
