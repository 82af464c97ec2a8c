"""python -m tensorpad.dropin --torch: tensorpad.torch.functional.pad in the place of torch.nn.functional.pad."""

import re

from fake_torch import torch_for

torch = torch_for(__file__, "--torch")
from dropin_runs import dropin, python, write  # noqa: F401 (a fixture)
from tensorpad.dropin import _stand_in
from tensorpad.torch import functional

F = torch.nn.functional


def test_a_program(write):
    """Through every module that pads; the report tells who ran what."""
    folder = write(
        program="""
        import torch
        from torch.nn.functional import pad

        nn = torch.nn
        x = torch.rand(2, 3, 8, 9, requires_grad=True)
        for module in (nn.ReflectionPad2d(2), nn.ReplicationPad2d(1), nn.CircularPad2d(1),
                       nn.ConstantPad2d(1, 4.0), nn.ZeroPad2d(1),
                       nn.Conv2d(3, 4, 3, padding=1, padding_mode="reflect"),
                       nn.Conv2d(3, 4, 3, padding=1, padding_mode="circular")):
            module(x).square().sum().backward()
        pad(x.to("meta"), (1, 1))
        scripted = torch.jit.script(nn.ReflectionPad2d(1))
        print(tuple(scripted(x).shape), x.grad.shape == x.shape)

        @torch.jit.script
        def own(x: torch.Tensor):
            return torch.nn.functional.pad(x, [1, 1], "constant", 2.0)

        print(own(torch.zeros(1)).tolist())
        """
    )
    done, said = dropin(folder, "--torch", "--verify", "program.py")
    assert (done.returncode, done.stdout) == (0, "(2, 3, 10, 11) True\n[2.0, 0.0, 2.0]\n"), (
        done.stderr
    )
    assert said["in_place_of"] == "torch.nn.functional.pad"
    assert (said["calls"], said["different"], said["compared"]) == (8, 0, 7)
    assert said["run_by_torch"]["calls"] == 1
    assert {site["mode"] for site in said["sites"]} == {
        "reflect",
        "replicate",
        "circular",
        "constant",
    }
    assert all(
        site["run_by"] == ("torch" if site["file"].endswith("program.py") else "tensorpad")
        for site in said["sites"]
    )
    done = python(folder, "-m", "tensorpad.dropin", "--torch", "program.py")
    assert (
        "torch.nn.functional.pad was tensorpad.torch.functional.pad; program.py ran" in done.stderr
    )
    assert "run by torch 1 call," in done.stderr


def test_what_it_does_not_run(write):
    folder = write(
        program="""
        import torch
        import torch.nn.functional as F

        class Own(torch.Tensor):
            pass

        x = torch.rand(1, 4, 4)
        assert type(F.pad(x.as_subclass(Own), (1, 1), "reflect")) is Own
        assert F.pad(torch.nn.Parameter(x), (1, 1)).requires_grad
        compiled = torch.compile(lambda x: F.pad(x, (1, 1), "reflect"), backend="eager", fullgraph=True)
        assert compiled(x).shape == (1, 4, 6)
        try:
            F.pad(x, (1, 1), "mirror")
        except (ValueError, NotImplementedError) as error:
            print(type(error).__name__)
        """
    )
    done, said = dropin(folder, "--torch", "program.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "ValueError\n"
    assert (said["calls"], said["raised"], said["run_by_torch"]["calls"]) == (3, 1, 1)


def test_programs_whose_graph_is_looked_at(write):
    """Checkpoints, hooks, transforms and traces are as without the runner."""
    folder = write(
        program="""
        import torch
        import torch.nn.functional as F
        from torch.fx.experimental.proxy_tensor import make_fx
        from torch.utils.checkpoint import checkpoint

        x = torch.rand(1, 2, 8, 8, requires_grad=True)
        checkpoint(lambda x: F.pad(x, (1, 1, 1, 1), "reflect").sin().sum(), x, use_reentrant=False).backward()
        calls = []
        y = x * 2
        y.register_hook(calls.append)
        F.pad(y, (1, 1, 1, 1), "replicate").sum().backward()
        print(len(calls))
        print(torch.vmap(lambda x: F.pad(x, (1, 1), "reflect"))(torch.ones(2, 3, 3)).shape[2])
        make_fx(lambda x: F.pad(x, (1, 1), "reflect"), tracing_mode="symbolic")(torch.ones(3, 3))
        """
    )
    for option in ("--verify", "--sample=1"):
        done, said = dropin(folder, "--torch", option, "program.py")
        assert (done.returncode, done.stdout) == (0, "1\n5\n"), done.stderr
        assert said["different"] == 0 and said["calls"] == 3


def test_children(write):
    folder = write(
        program="""
        import multiprocessing
        import torch

        def padded(number):
            return torch.nn.functional.pad(torch.ones(1, number), (1, 1), "replicate").sum().item()

        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(2) as pool:
                print(pool.map(padded, [1, 2, 3]))
        """
    )
    done, said = dropin(folder, "--torch", "program.py")
    assert (done.returncode, done.stdout) == (0, "[3.0, 4.0, 5.0]\n"), done.stderr
    assert said["calls"] == 3


def test_differences_are_told(monkeypatch):
    x = torch.rand(1, 4, requires_grad=True)
    result = F.pad(x, (1, 1), "reflect")
    same = F.pad(x, (1, 1), "reflect")

    def said(result, theirs, error=None, refused=None):
        call = x, (1, 1), "reflect", None
        return _stand_in.torchs_difference(F.pad, result, error, theirs, refused, call)

    assert said(result, same) is None
    wrong = same.detach().clone()
    wrong[0, 3] += 1
    assert re.search(r"element \(0, 3\) is [\d.]+, torch's [\d.]+$", said(result, wrong))
    with monkeypatch.context() as patch:
        patch.setattr(functional, "pad", lambda x, *words: 2 * F.pad(x, *words))
        assert "gradients differ by up to" in said(result, same)
    assert "shape" in said(result, same[:, 1:]) and "dtype" in said(result, same.double())
    assert said(result, None, None, ValueError("no")).endswith(
        "went well, torch's raised ValueError: no"
    )
    nan = torch.tensor([float("nan"), 0.0])
    assert _stand_in.tensors(nan, nan.clone()) is None


def test_it_needs_torch(write):
    folder = write(program="pass")
    done = python(
        folder,
        "-c",
        "import importlib.util as util\nfind = util.find_spec\n"
        "util.find_spec = lambda name: None if name == 'torch' else find(name)\n"
        "import sys; sys.argv = ['x', '--torch', 'program.py']\n"
        "from tensorpad.dropin.__main__ import main; main()",
    )
    assert (done.returncode, done.stderr) == (
        2,
        "tensorpad.dropin: --torch needs PyTorch, which is not installed\n",
    )
