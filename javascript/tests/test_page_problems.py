"""Random problems through the page equal what the command makes of the same words, errors, too."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from page_problems import SHOWN, from_command, one_problem, pad_in, read_cells, same

pytestmark = pytest.mark.long
MOST_DRAWN = 2048  # cells of a result; of a larger one the page says only the shape
HASHES = (
    """async (hashes) => {
    const told = [];
    const shown = %s;
    for (const hash of hashes) {
        const changed = new Promise((done) => addEventListener("hashchange", done, { once: true }));
        location.hash = hash;
        await changed;
        await new Promise((done) => setTimeout(done, 0));
        told.push(shown());
    }
    return told;
}"""
    % SHOWN
)


def all_from_command(tmp_path, problems):
    def one(numbered):
        folder = tmp_path / str(numbered[0])
        folder.mkdir()
        return from_command(folder, numbered[1])

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, enumerate(problems)))


def test_random_problems_by_script(page, tmp_path):
    generator = random.Random(221)
    problems = [one_problem(generator) for _ in range(200)]
    expected = all_from_command(tmp_path, problems)
    told = pad_in(page, problems)
    for problem, answer, wanted in zip(problems, told, expected, strict=True):
        assert same(answer, wanted), (problem, answer, wanted)
    refused = [one["status"] for one in expected if "error" in one]
    assert 20 < len(refused) < 100 and len(set(refused)) >= 5, set(refused)


def hash_of(problem):
    words = {key: ",".join(map(str, x)) if isinstance(x, list) else x for key, x in problem.items()}
    return "&".join(f"{key}={text}" for key, text in words.items())


def test_random_problems_by_the_hash(page, tmp_path):
    generator = random.Random(222)
    problems = [one_problem(generator, (1, 2, 2, 3, 4), (0, 1, 2, 3)) for _ in range(200)]
    expected = all_from_command(tmp_path, problems)
    told = page.evaluate(HASHES, [hash_of(one) for one in problems])
    drawn = 0
    for problem, answer, wanted in zip(problems, told, expected, strict=True):
        answer = read_cells(answer, problem)
        if len(wanted.get("data", [])) > MOST_DRAWN:
            wanted["data"] = []
        assert same(answer, wanted), (hash_of(problem), answer, wanted)
        drawn += len(answer.get("data", [])) > 0
    assert drawn > 60


@pytest.mark.parametrize(
    "words",
    [
        {"spec": "plain", "begin": [1], "end": [1]},
        {"spec": "onnx-25", "pads": [1, 1]},
        {"spec": "onnx-25", "pads": [1, 1, 1, 1], "axes": [0, 0]},
        {"spec": "onnx-25", "pads": [1, 1], "axes": [2]},
        {"spec": "onnx-13", "pads": [1, 1], "axes": [0]},
        {"spec": "openvino-12", "begin": [1, 1, 1], "end": [1, 1, 1]},
        {"spec": "plain", "begin": [1], "end": [1], "axes": [2]},
        {"spec": "ngraph", "begin": [1, 1], "end": [1, 1]},
        {"spec": "onnx-25", "pads": [0, 0, 0, 0], "type": "int8", "value": "300"},
        {"spec": "onnx-25", "pads": [0, 0, 0, 0], "type": "uint8", "value": "-1"},
        {"spec": "onnx-25", "pads": [0, 0, 0, 0], "type": "int8", "value": "1.5"},
    ],
    ids=str,
)
def test_lists_and_values_that_cannot_be(page, tmp_path, words):
    problem = {"shape": [2, 2], "type": "float32", "mode": "edge", "data": [1, 2, 3, 4], **words}
    (told,) = pad_in(page, [problem])
    if "pads" in problem:
        half = len(problem["pads"]) // 2
        problem |= {"begin": problem["pads"][:half], "end": problem["pads"][half:]}
    assert same(told, from_command(tmp_path, problem)), (told, from_command(tmp_path, problem))
