"""Pads and overlaps of dask's arrays on two worker processes: how many bytes move from one to the
other, and that the result is exact when one is killed."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("distributed")

pytestmark = pytest.mark.long
PROGRAM = pathlib.Path(__file__).parent / "dask_two_workers.py"
KILLS = int(os.environ.get("TENSORPAD_KILLS", "3"))
SECONDS = 120 + 20 * KILLS  # a calm machine needs a tenth of it
FLOAT32, CELLS = 4, 10


def left_over(group):
    """The processes of a group that still run."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, fields = path.read_text(encoding="utf-8").rsplit(")", 1)
        except OSError:  # it ended
            continue
        state, _, its_group = fields.split()[:3]
        if int(its_group) == group and state != "Z":
            found.append(name)
    return found


@pytest.fixture(scope="module")
def said():
    """What python/tests/dask_two_workers.py printed. All that it starts is in its own group of
    processes, which ends with it."""
    program = subprocess.Popen(
        [sys.executable, str(PROGRAM), str(KILLS)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, errors = program.communicate(timeout=SECONDS)
        late = ""
    except subprocess.TimeoutExpired:
        late = f"not done after {SECONDS} s\n"
    end = time.monotonic() + 10  # what ends by itself when its parent does
    while (remained := left_over(program.pid)) and not late and time.monotonic() < end:
        time.sleep(0.1)
    try:
        os.killpg(program.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    if late:
        out, errors = program.communicate()
    assert not late and program.returncode == 0, late + errors[-4000:]
    return {**json.loads(out), "left over": remained}


def test_what_moves_is_counted(said):
    """All bounds below are upper ones: one worker may compute everything when the other is late."""
    assert 8000 <= said["moved"]["one read"] <= 9000


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric"])
def test_nothing_moves_for_pads_made_of_the_chunk_beside_them(said, mode):
    assert said["moved"][mode] == 0


def test_wrap_moves_at_most_the_cells_of_the_other_side(said):
    side, corner = 4000 * CELLS * FLOAT32, CELLS * CELLS * FLOAT32
    assert said["moved"]["wrap"] <= 4 * side + 4 * corner


def test_overlap_moves_halos_only(said):
    halos = 2 * 7 * 2 * 8000 * CELLS * FLOAT32  # both ways over seven boundaries of two axes
    corners = 4 * 7 * 7 * CELLS * CELLS * FLOAT32
    assert said["moved"]["overlap"] <= min(halos + corners, 7_000_000)


def test_calls_in_a_task_take_one_thread(said):
    """As dask tells all libraries of a worker's process."""
    assert said["threads"] == [1, 1]


def test_a_killed_worker_changes_nothing(said):
    assert len(said["killed"]) == KILLS
    for each in said["killed"]:
        assert 10 <= each["finished"] < each["chunks"] == 169, each
        assert each["exact"], each


def test_no_process_is_left_behind(said):
    assert said["left over"] == []
