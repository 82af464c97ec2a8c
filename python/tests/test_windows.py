"""tensorpad.window_widths: counts of windows, and torch's and ONNX's own convolutions."""

import itertools

import numpy as np
import pytest
import tensorpad
from tensorpad import window_widths


def windows_in(cells, kernel, stride, dilation):
    """The indices that each window reads."""
    first = range(0, max(cells - (kernel - 1) * dilation, 0), stride)
    return [[begin + k * dilation for k in range(kernel)] for begin in first]


@pytest.mark.parametrize("mode", ["same_upper", "same_lower", "same", "causal"])
def test_all_small_windows(mode):
    strides = [1] if mode == "same" else range(1, 5)
    for kernel, stride, dilation in itertools.product(range(1, 6), strides, range(1, 4)):
        for extent in range(1, 9):
            before, after = window_widths(kernel, stride, dilation, shape=extent, mode=mode)[0]
            found = windows_in(extent + before + after, kernel, stride, dilation)
            assert len(found) == -(-extent // stride) and min(before, after) >= 0
            if mode == "causal":
                assert [reads[-1] - before for reads in found] == list(range(0, extent, stride))
                continue
            odd = before - after if mode == "same_lower" else after - before
            assert odd in (0, 1)
            if before + after:  # not one cell more than needed
                assert len(windows_in(extent + before + after - 1, kernel, stride, dilation)) < len(
                    found
                )


def test_arguments():
    assert window_widths(3) == ((1, 1),)
    assert window_widths((3, 5)) == ((1, 1), (2, 2))
    assert window_widths(3, np.array([1, 2]), shape=[6, np.int64(6)]) == ((1, 1), (0, 1))
    assert all(type(one) is int for one in window_widths(np.int64(3), shape=np.array([4]))[0])
    assert window_widths([]) == ()
    assert window_widths(5, 2, shape=0) == ((1, 2),)
    x = np.arange(5)
    assert tensorpad.pad(x, window_widths(4, mode="causal")).tolist() == [0, 0, 0, 0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: window_widths(3, mode="SAME"), ValueError, "mode 'SAME' is not known: it is one"),
        (lambda: window_widths(3, mode="same_uper"), ValueError, "did you mean same_upper"),
        (lambda: window_widths(0), ValueError, "kernel has to be at least 1, got 0"),
        (lambda: window_widths(3, -1), ValueError, "stride has to be at least 1, got -1"),
        (lambda: window_widths(3, shape=-1), ValueError, "shape has to be at least 0, got -1"),
        (lambda: window_widths(3.0), TypeError, "kernel has to be integers, got 3.0"),
        (lambda: window_widths(3, dilation=True), TypeError, "dilation has to be integers"),
        (lambda: window_widths("3"), TypeError, "kernel has to be integers, got '3'"),
        (lambda: window_widths((3, 3), (1, 1, 1)), ValueError, "stride has 3 entries, for 2 axes"),
        (lambda: window_widths(3, 2), ValueError, "axis 0: with stride 2, mode 'same_upper' needs"),
        (lambda: window_widths(3, (1, 2), mode="same"), ValueError, "axis 1: mode 'same' is torch"),
    ],
)
def test_refusals(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_as_torch_convolves():
    torch = pytest.importorskip(
        "torch", reason="torch is not installed: its 'same' was not compared"
    )
    for kernel, dilation in itertools.product(range(1, 6), range(1, 4)):
        x, weights = torch.rand(1, 1, 7), torch.rand(1, 1, kernel)
        widths = window_widths(kernel, dilation=dilation, mode="same")
        padded = tensorpad.pad(x, widths, axes=2)
        found = torch.nn.functional.conv1d(padded, weights, dilation=dilation)
        expected = torch.nn.functional.conv1d(x, weights, dilation=dilation, padding="same")
        torch.testing.assert_close(found, expected)


def test_as_torch_traces():
    torch = pytest.importorskip("torch", reason="torch is not installed: its traces were not tried")
    import tensorpad.torch

    class Same(torch.nn.Module):
        def forward(self, x):
            widths = window_widths(3, 2, shape=x.shape[2:])
            padded = tensorpad.torch.pad(x, widths, axes=(2, 3))
            return torch.nn.functional.max_pool2d(padded, 3, 2)

    sizes = ({2: torch.export.Dim("height", min=4, max=512)},)
    program = torch.export.export(Same(), (torch.rand(1, 1, 8, 9),), dynamic_shapes=sizes)
    for height in (7, 8, 13):
        x = torch.rand(1, 1, height, 9)
        assert torch.equal(program.module()(x), Same()(x))
        assert Same()(x).shape == (1, 1, -(-height // 2), 5)
