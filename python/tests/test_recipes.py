"""docs/recipes.md: its code runs and prints what the page says, each recipe's result is right by an
independent computation, and examples/pictures.py draws its pictures."""

import doctest
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
import tensorpad

ROOT = pathlib.Path(__file__).resolve().parents[2]
PHOTOS = pathlib.Path(os.environ.get("TENSORPAD_DATA", ROOT / "build/data")) / "skimage/data"


class AnyTime(doctest.OutputChecker):
    """Takes every number of milliseconds for every other."""

    def check_output(self, want, got, optionflags):
        want, got = (re.sub(r"[\d.,]+ ms", "N ms", text) for text in (want, got))
        return super().check_output(want, got, optionflags)


@pytest.fixture(scope="module")
def recipes(tmp_path_factory):
    """The names that each section's code leaves, by the section's title."""
    pytest.importorskip("PIL")
    if not PHOTOS.exists():
        pytest.skip("the photographs of make demo are missing")
    page = (ROOT / "docs/recipes.md").read_text(encoding="utf-8")
    names, found = {}, {}
    runner = doctest.DocTestRunner(AnyTime())
    folder = tmp_path_factory.mktemp("recipes")
    shutil.copy(PHOTOS / "coffee.png", folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for section in page.split("\n## "):
            title = section.split("\n", 1)[0]
            test = doctest.DocTestParser().get_doctest(section, names, title, "recipes.md", 0)
            assert test.examples, title
            assert runner.run(test, clear_globs=False).failed == 0, title
            names = test.globs
            found[title] = dict(names)
    return found


def test_windows_of_a_raster(recipes):
    raster, window = (
        recipes["Windows of a raster"]["raster"],
        recipes["Across the date line"]["window"],
    )
    for y, x in np.ndindex(9, 11):
        y, x = y - 3, x - 3
        rows, columns = np.arange(y, y + 3), np.arange(x, x + 4)
        inside = ((0 <= rows) & (rows < 5))[:, None] & (0 <= columns) & (columns < 7)
        around = raster[np.ix_(rows.clip(0, 4), columns % 7)]
        assert np.array_equal(window(y, x, 3, 4), np.where(inside, around, 0))
        assert np.array_equal(window(y, x, 3, 4, mode=("edge", "wrap")), around)


def test_boxes_and_masks_follow_the_photograph(recipes):
    names = recipes["Photographs for a network"]
    photo, square, (left, top) = names["photo"], names["square"], (names["left"], names["top"])
    expected = np.full((640, 640, 3), 114, np.uint8)
    expected[120:520, 20:620] = photo
    assert np.array_equal(square, expected)
    for x0, y0, x1, y1 in names["boxes"]:
        moved = square[y0 + top : y1 + top, x0 + left : x1 + left]
        assert np.array_equal(moved, photo[y0:y1, x0:x1])
    assert np.array_equal(names["bright"], photo.min(axis=2) > 140)
    assert 0.05 < names["bright"].mean() < 0.5  # the picture shows something
    assert np.shares_memory(names["bright"], names["mask"])


def test_mask_and_boxes_move_with_the_picture(recipes):
    names = recipes["Picture, mask and boxes in one call"]
    photo, labels, things = names["photo"], names["labels"], names["things"]
    inside = (slice(None), slice(20, 620))
    assert np.array_equal(names["picture"][inside], photo[40:360])
    assert np.array_equal(names["around"][inside], labels[40:360])
    assert (names["around"][:, :20] == 255).all() and (names["picture"][:, 620:] == 114).all()
    for (x0, y0, x1, y1), (u0, v0, u1, v1) in zip(things[names["seen"]], names["moved"]):
        cells = photo[max(y0, 40) : min(y1, 360), x0:x1]
        assert np.array_equal(names["picture"][v0:v1, u0:u1], cells) and cells.size
    for shape in ((640, 640), (100, 100)):  # all inside; parts of two, and nothing of the third
        made, mask, boxes, seen = names["framed"](photo, labels, things, *shape)
        assert made.shape[:2] == mask.shape == shape and len(boxes) == seen.sum()
        assert (boxes >= 0).all() and (boxes <= shape[0]).all()
        assert seen.all() if shape[0] > 400 else seen.tolist() == [True, True, False]


def test_letterbox_goes_back_to_the_pixel(recipes):
    cv2 = pytest.importorskip("cv2")
    names = recipes["Letterbox, and boxes back"]
    photo = names["photo"]
    for side in (320, 333, 640, 7):
        boxes = np.array([[0, 0, 600, 400], [599, 399, 600, 400], [17, 31, 402, 310]])
        made, ratios = names["letterbox"](photo, boxes, side)
        height = round(400 * side / 600)
        (top, bottom), across = made.amounts
        assert (top + height + bottom, across, made.image.shape) == (side, (0, 0), (side, side, 3))
        inside = tensorpad.unpad_sample(made.image, made.amounts).image
        assert np.array_equal(inside, cv2.resize(photo, (side, height)))
        assert (made.image[:top] == 114).all() and (made.image[top + height :] == 114).all()
        assert np.allclose(made.boxes[0], [0, top, side, top + height])
        back = names["boxes_back"](made.boxes, made, ratios)
        assert np.allclose(back, boxes, rtol=0, atol=1e-9)


def test_tokens_lie_in_front_and_behind(recipes):
    names = recipes["Token lists of different lengths"]
    batch, prompts, positions = names["batch"], names["prompts"], names["positions"]
    assert list(batch) == ["input_ids", "labels", "attention_mask"]
    assert prompts.shape == (3, 8)
    for k, text in enumerate(names["texts"]):
        behind = 6 - len(text)
        assert batch["input_ids"][k].tolist() == text + [0] * behind
        assert batch["labels"][k].tolist() == text[1:] + [-100] * (behind + 1)
        assert batch["attention_mask"][k].tolist() == [1] * len(text) + [0] * behind
        front = 8 - len(text)
        assert prompts[k].tolist() == [0] * front + text
        assert positions[k].tolist() == [0] * front + list(range(len(text)))


def test_volumes_come_back_to_their_cells(recipes):
    names = recipes["Volumes for a network that halves four times"]
    volume, padded, answer = (names[k] for k in ("volume", "padded", "answer"))
    nearest = [
        np.arange(-before, extent + after).clip(0, extent - 1)
        for extent, (before, after) in zip(volume.shape, names["amounts"])
    ]
    assert np.array_equal(padded, volume[np.ix_(*nearest)])
    block = padded[:16, 64:80, :16].mean()
    assert np.isclose(tensorpad.unpad(answer, names["amounts"])[3, 65, 10], block)


def mirrored(index, extent):
    """The cell that mode reflect has at an index from -extent + 1 to 2 * extent - 2."""
    index = np.abs(index)
    return np.where(index < extent, index, 2 * (extent - 1) - index)


def test_frames_are_centred_on_multiples_of_the_hop(recipes):
    """Against the definition of a short-time Fourier transform, as a sum."""
    names = recipes["Frames for a spectrogram"]
    signal, n_fft, hop, spectra = (names[k] for k in ("signal", "n_fft", "hop", "spectra"))
    n = np.arange(n_fft)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * n / n_fft)
    waves = np.exp(-2j * np.pi * np.outer(n, np.arange(n_fft // 2 + 1)) / n_fft)
    assert len(spectra) == 1 + len(signal) // hop
    for frame in (0, 1, 2, 60, 123, 124, 125):
        samples = signal[mirrored(frame * hop + n - n_fft // 2, len(signal))]
        assert np.allclose(spectra[frame], (samples * window) @ waves, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "neighbour"),
    [
        ("wrapped", lambda n, step: (np.arange(n) + step) % n),
        ("held", lambda n, step: (np.arange(n) + step).clip(0, n - 1)),
    ],
)
def test_heat_spreads(recipes, name, neighbour):
    names = recipes["The halo of a stencil"]
    field = names["start"].astype(float)
    up, down = (neighbour(len(field), step) for step in (-1, 1))
    for _ in range(300):
        field = (field + field[up] + field[down] + field[:, up] + field[:, down]) * 0.2
    assert np.allclose(names[name], field, rtol=1e-3, atol=1e-4)
    assert np.isclose(field.sum(), names["start"].sum())  # no heat is lost


def test_convolution_without_a_copy(recipes):
    ndimage = pytest.importorskip("scipy.ndimage")
    names = recipes["Convolution without a padded copy"]
    words = {
        "constant": "constant",
        "edge": "nearest",
        "reflect": "mirror",
        "symmetric": "reflect",
        "wrap": "grid-wrap",
    }
    assert np.array_equal(
        names["same"](names["x"], names["laplace"], "edge"),
        ndimage.correlate(names["x"], names["laplace"], mode="nearest"),
    )
    rng = np.random.default_rng(1)
    for mode, word in words.items():
        for size in (3, 5, 7):
            x, kernel = rng.integers(-99, 99, (19, 14)), rng.integers(-9, 9, (size, size))
            expected = ndimage.correlate(x, kernel, mode=word)
            assert np.array_equal(names["same"](x, kernel, mode), expected), (mode, size)


def test_tiles_read_only_what_they_need(recipes):
    names = recipes["A large picture in tiles"]
    photo, context, side = names["photo"], names["context"], names["side"]
    height, width, _ = photo.shape
    for y, x in ((0, 0), (0, width - 1), (height - 1, 0), (side, side - 1), (203, 417)):
        rows = mirrored(np.arange(y - context, y + context + 1), height)
        columns = mirrored(np.arange(x - context, x + context + 1), width)
        mean = photo[np.ix_(rows, columns)].sum((0, 1), dtype=int) // (2 * context + 1) ** 2
        assert np.array_equal(names["blurred"][y, x], mean)
    read = side + context
    assert names["plan"].needs((0, 0, 0), (side + 2 * context,) * 2 + (3,)) == (
        (0, 0, 0),
        (read, read, 3),
    )


def test_overlapping_tiles_are_weighted_means(recipes):
    names = recipes["Overlapping tiles without seams"]
    photo, extent, step, window = (names[word] for word in ("photo", "extent", "step", "window"))
    height, width, _ = photo.shape
    total, weights = np.zeros(photo.shape), np.zeros((height, width, 1))
    for y in range(-step, height, step):
        for x in range(-step, width, step):
            rows, columns = np.arange(y, y + extent), np.arange(x, x + extent)
            place = np.ix_(mirrored(rows, height), mirrored(columns, width))
            np.add.at(total, place, names["network"](photo[place]) * window)
            np.add.at(weights, place, window)
    assert np.allclose(names["blended"], total / weights, atol=1e-4)


def test_ghost_cells_come_home(recipes):
    names = recipes["Ghost cells"]
    charge = np.zeros((64, 48))
    for y in (0, 1):
        for x in (0, 1):
            part = np.abs(1 - y - names["down"]) * np.abs(1 - x - names["right"])
            rows, columns = (names["cells"] + (y, x)).T
            np.add.at(charge, (rows % 64, columns % 48), part)
    assert np.allclose(names["charge"], charge)


@pytest.mark.long
def test_pictures_show_the_fields_of_the_page(recipes, tmp_path):
    """Of four recipes; the three fields of heat are as large as computed, and not all alike."""
    image = pytest.importorskip("PIL.Image")
    script = [sys.executable, ROOT / "examples/pictures.py", "recipes", PHOTOS, tmp_path]
    subprocess.run(script, check=True, stdout=subprocess.DEVNULL)
    assert len(list(tmp_path.iterdir())) == 4
    side = 4 * len(recipes["The halo of a stencil"]["start"])
    heat = np.asarray(image.open(tmp_path / "recipes-heat.png"), int)
    fields = [heat[16 : 16 + side, 16 + k * (side + 16) :][:, :side] for k in range(3)]
    assert not np.array_equal(fields[0], fields[1]) and not np.array_equal(fields[1], fields[2])
