"""Which specification a pad has: what --spec, --lenient and no --spec accept, and what is said of it.
SPDX-License-Identifier: MIT"""

import itertools
import random
import re
import shutil

import numpy as np
import onnx_models
import pytest

MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]
SPECS = ["onnx", "onnx-2", "onnx-18", "openvino", "openvino-1", "ngraph", "mli-hwc", "mli-chw"]


# ---- What accepts the words ----------------------------------------------------------------------


def problems():
    """Words that some specification refuses: modes, amounts, types, values."""
    for spec, mode, amount in itertools.product(SPECS, MODES, [1, -1, 9]):
        yield spec, [f"--mode={mode}", f"--begin={amount},0,0", "--end=9,0,0", "--value=0"]
    for spec in SPECS:
        yield spec, ["--begin=0,1,0", "--end=0,0,0"]
        yield spec, ["--begin=0,1,1", "--end=0,0,0", "--value=1"]
        yield spec, ["--begin=0,1,0,0", "--end=0,0,0,0", "--value=0"]
        yield spec, ["--begin=0,-9,0", "--end=0,0,0", "--value=0"]
        if spec.startswith(("onnx", "openvino")):
            yield spec, ["--lenient", "--begin=-9,0,0", "--end=9,0,0", "--mode=edge"]
            yield spec, ["--lenient", "--begin=1,0,0", "--end=0,0,0", "--mode=symmetric"]


@pytest.mark.parametrize("command", ["pad", "show"])
@pytest.mark.parametrize("dtype", ["f4", "i1", "V3"])
def test_a_refusal_names_exactly_what_accepts_the_words(folder, command, dtype):
    folder.save("in.npy", np.zeros((2, 3, 4), dtype))
    files = ["in.npy", "out.npy", "-f"] if command == "pad" else ["in.npy"]
    cases = list(problems())
    refused = 0
    chosen = random.Random(f"{command} {dtype}").sample(cases, 40)
    for spec, words in chosen + [case for case in cases if "--lenient" in case[1]]:
        first = folder.run_any(command, "--spec", spec, *words, *files)
        if first.status == 0:
            continue
        refused += 1
        assert first.status == 3, first.error
        family = re.sub(r"-\d+$", "", spec)
        ways = {"--spec plain": ["--spec", "plain"]}
        if family in ("onnx", "openvino"):
            ways["--lenient"] = ["--spec", spec, "--lenient"]
        if family != spec:
            ways[f"--spec {family}"] = ["--spec", family]
        accepting = {way for way, other in ways.items() if folder.run_any(command, *other, *words, *files).status == 0}
        said = re.search(r" \(((?:--[a-z -]+(?:, | and )?)+) accepts? it\)\n$", first.error)
        named = set(re.split(", | and ", said[1])) if said else set()
        # In the texts of MLI it stands already, also for lists of two, which only MLI takes.
        named |= {way for way in accepting if first.error.endswith(("any type\n", "every axis\n", "modes\n", "value\n"))}
        assert named == accepting, (first.error, words)
    assert refused > 15


def test_show_blames_no_shape(folder):
    line = folder.fail(3, "show", "--spec", "onnx-18", "--mode", "wrap", "--shape", "3,4", "--begin", "1,1").error
    assert line == (
        "tensorpad: show: mode: Pad-18 has no mode 'wrap'; Pad-19 is the first version that has it "
        "(--spec onnx, --lenient and --spec plain accept it)\n"
    )
    for spec, mode in itertools.product(SPECS, MODES):
        for words in (["--begin=1,1,1"], ["--begin=1"], ["--begin=-9,0,0"], ["--begin=1,1,1", "--value=x"]):
            done = folder.run_any("show", "--spec", spec, "--mode", mode, "--shape", "2,3,4", *words)
            assert "--shape" not in done.error
            assert done.status == 0 or done.error.startswith("tensorpad: show: ")
    said = folder.fail(3, "show", "--json", "--spec", "ngraph", "--shape", "3", "--begin", "1").error
    assert '"file":null' in said.replace(" ", "")


def test_a_node_cannot_have_another_spec(folder):
    (folder / "m.onnx").write_bytes(onnx_models.one_pad(mode="wrap", opset=18))
    line = folder.fail(3, "show", "m.onnx").error
    assert line.endswith("that has it (--lenient accepts it)\n")
    folder.run("show", "m.onnx", "--lenient")


def test_run_names_lenient_where_it_helps(folder):
    folder.save("x.npy", np.zeros((3, 2), "f4"))
    run = ["run", "m.onnx", "--input", "x.npy", "--output", "out.npy"]
    (folder / "m.onnx").write_bytes(onnx_models.one_pad(mode="symmetric"))
    for node in ([], ["--node", "pad_0"]):
        assert folder.fail(3, *run, *node).error.endswith(" (--lenient accepts it)\n")
    folder.run(*run, "--lenient")
    (folder / "m.onnx").write_bytes(onnx_models.one_pad(mode="mean"))
    assert "--lenient" not in folder.fail(3, *run).error
    assert "--lenient" not in folder.fail(3, *run, "--lenient").error


# ---- Without --spec ------------------------------------------------------------------------------


def outputs(folder, out_dir, spec, mode, begin, end):
    """What becomes of rows of 0 to 5 elements: the status, and of each row its output or its error."""
    rows = [f"row{n}.npy" for n in range(6)]
    words = [*spec, "--mode", mode, f"--begin={begin}", f"--end={end}"]
    done = folder.run_any("pad", *words, "--out-dir", out_dir, "-f", *rows)
    errors = {line.split(": ")[1]: line for line in done.error.splitlines() if line.startswith("tensorpad: ")}
    found = {row: errors.get(row) or (folder / out_dir / row).read_bytes() for row in rows}
    shutil.rmtree(folder / out_dir)
    return done.status, found


@pytest.mark.parametrize("mode", MODES)
def test_without_spec_is_what_plain_and_onnx_both_do(folder, mode):
    """Every begin and end from -3 to 4 on rows of 0 to 5 elements."""
    for n in range(6):
        folder.save(f"row{n}.npy", np.arange(1, n + 1, dtype="u1"))
    seen = set()
    for begin, end in itertools.product(range(-3, 5), repeat=2):
        _, plain = outputs(folder, "plain", ["--spec", "plain"], mode, begin, end)
        _, onnx = outputs(folder, "onnx", ["--spec", "onnx"], mode, begin, end)
        status, both = outputs(folder, "both", [], mode, begin, end)
        unclear = failed = 0
        for row, got in both.items():
            texts = isinstance(plain[row], str), isinstance(onnx[row], str)
            if plain[row] == onnx[row] or texts == (True, True):
                assert got == plain[row], (begin, end)
                failed += texts[0]
                seen.add("refused" if texts[0] else "same")
            else:
                assert isinstance(got, str) and "--spec plain" in got and "--spec onnx" in got, (begin, end, row)
                unclear += 1
                seen.add("order" if texts == (False, False) else "acceptance")
        assert status == (2 if unclear else 1 if failed else 0)
    expected = {"constant": set(), "edge": {"acceptance"}, "symmetric": {"acceptance"}}
    assert seen - {"same", "refused"} == expected.get(mode, {"order", "acceptance"})
    assert "same" in seen or mode == "symmetric"


def test_without_spec_on_several_axes(folder):
    """One file, and a shape that is drawn, with any amounts on two axes."""
    random_numbers = random.Random(5)
    seen = set()
    folder.save("in.npy", np.arange(1, 13, dtype="u1").reshape(3, 4))
    for _ in range(60):
        mode = random_numbers.choice(MODES)
        amounts = [random_numbers.choice([-4, -3, -2, -1, 0, 1, 2, 3]) for _ in range(4)]
        words = ["--mode", mode, f"--pads={','.join(map(str, amounts))}"]
        outcomes = []
        for spec in (["--spec", "plain"], ["--spec", "onnx"]):
            done = folder.run_any("pad", *spec, *words, "-f", "in.npy", "out.npy")
            outcomes.append(done.status or (folder / "out.npy").read_bytes())
        wanted = 2 if outcomes[0] != outcomes[1] else 3 if outcomes[0] == 3 else 0
        seen.add(wanted)
        done = folder.run_any("pad", *words, "-f", "in.npy", "out.npy")
        assert done.status == wanted, (words, done.error)
        drawn = folder.run_any("show", *words, "--shape", "3,4")
        assert drawn.status == wanted
        if wanted == 0:
            assert (folder / "out.npy").read_bytes() == outcomes[0]
        if wanted == 2:
            assert "--spec plain" in done.error and "--spec onnx" in done.error
            assert drawn.error == done.error.replace("in.npy", "show")
    assert seen == {0, 2, 3}


def test_what_is_said_without_spec(folder):
    row = np.array([1, 2, 3, 4], "u1")
    words = ["--mode", "reflect", "--begin=-1", "--end", "3"]
    assert folder.refused(row, *words, status=2) == (
        "tensorpad: in.npy: axis 0, mode reflect, begin -1 and end 3: --spec plain, the default from 0.3 on, "
        "repeats cells of the whole input, and --spec onnx, the default before, only of what is left after the "
        "crop: name one of the two\n"
    )
    assert folder.padded(row, "--spec", "plain", *words).tolist() == [2, 3, 4, 3, 2, 1]
    assert folder.padded(row, "--spec", "onnx", *words).tolist() == [2, 3, 4, 3, 2, 3]
    assert "(mode: no version of ONNX Pad has mode 'symmetric'" in folder.refused(
        row, "--mode", "symmetric", "--begin", "1", status=2)
    assert "in ONNX" in folder.refused(np.zeros(3, "V3"), "--begin", "1", status=2)


@pytest.mark.parametrize("words, option, spec", [
    (["--interior", "1"], "--interior", "plain"),
    (["--begin", "1", "--order", "window"], "--order", "plain"),
    (["--begin", "1,1", "--mode", "edge,wrap"], "--mode with a mode for each axis", "plain"),
    (["--begin", "1", "--lenient"], "--lenient", "onnx"),
])
def test_options_of_one_of_the_two(folder, words, option, spec):
    """The words alone tell it, also where there is no file."""
    for command, files in (("pad", ["no.npy", "out.npy"]), ("show", ["--shape", "3"])):
        said = folder.fail(2, command, *words, *files).error
        assert f" {option}" in said and "--spec plain" in said and "--spec onnx" in said
        assert said.endswith(f": add --spec {spec}\n")


def test_sizes_need_no_spec(folder):
    assert folder.padded(np.array([1, 2], "u1"), "--to", "4").tolist() == [0, 1, 2, 0]
    assert folder.padded(np.array([1, 2], "u1"), "--to", "4", "--mode", "symmetric").tolist() == [1, 1, 2, 2]
