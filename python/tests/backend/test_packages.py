"""grout.export, grout.info and grout.load of packages."""

import collections
import copy
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import zipfile

import models
import pytest
import torch
from checking import error
from torch.nn.functional import scaled_dot_product_attention

import grout
from grout._trust import require_private_folders
from grout.torch.decompositions import sorting
from grout.torch.runtime.replaying import Replayed


@pytest.fixture(autouse=True)
def few_are_sorted(monkeypatch):
    """So that sorts are left to PyTorch."""
    monkeypatch.setattr(sorting, "LONGEST", 256)


class Block(torch.nn.Module):
    """Products, attention, a buffer, a convolution, what is left to PyTorch,
    several results."""

    def __init__(self):
        super().__init__()
        self.project = torch.nn.Linear(64, 192)
        self.out = torch.nn.Linear(64, 64)
        self.norm = torch.nn.LayerNorm(64)
        self.convolve = torch.nn.Conv1d(16, 16, 3, padding=1)
        self.register_buffer("shift", torch.randn(64))

    def forward(self, x, *, scale=1.0):
        h = self.norm(x)
        q, k, v = self.project(h).view(2, 16, 3, 4, 16).permute(2, 0, 3, 1, 4)
        h = scaled_dot_product_attention(q, k, v, is_causal=True).transpose(
            1, 2
        )
        y = x + self.out(h.reshape(2, 16, 64)) * scale + self.shift
        # Long sorts are PyTorch's.
        z = self.convolve(y).flatten(1).sort(-1).values.view(y.shape)
        return {"y": z, "sum": y.sum(-1), "nothing": None}


@pytest.fixture
def block():
    torch.manual_seed(0)
    return Block().eval(), torch.randn(2, 16, 64)


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """The package of a block, which is exported once."""
    path = tmp_path_factory.mktemp("exported") / "m.gpkg"
    torch.manual_seed(0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorting, "LONGEST", 256)
        grout.export(
            Block().eval(),
            (torch.randn(2, 16, 64),),
            path,
            kwargs={"scale": 2.0},
        )
    return path


@pytest.fixture
def package(exported, tmp_path):
    """A copy, which a test may change."""
    return pathlib.Path(shutil.copy2(exported, tmp_path / "m.gpkg"))


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        grout.export(torch.nn.Tanh(), (torch.ones(2),), tmp_path / "a" / "b")
    assert caught.value.filename == str(tmp_path / "a")


@pytest.mark.parametrize("fallback", ("eager", "inductor"))
def test_runs_as_the_model_does(block, package, fallback):
    model, _ = block
    x = torch.randn(2, 16, 64)
    loaded = grout.load(package, fallback=fallback)
    result, right = loaded(x, scale=2.0), model(x, scale=2.0)
    assert result.keys() == right.keys() and result["nothing"] is None
    for name in ("y", "sum"):
        torch.testing.assert_close(result[name], right[name])
        assert not result[name].requires_grad


def test_info_says_what_is_in_it(package):
    info = grout.info(package)
    assert (info.name, info.target) == ("Block", "cpu")
    assert [str(one) for one in info.inputs] == ["x: f32[2, 16, 64]"]
    assert [one.shape for one in info.outputs] == [(2, 16, 64), (2, 16)]
    assert len(info.weights) == 9 and info.partitions >= 1
    assert [one.operator for one in info.left] == ["aten.sort.default"]
    assert "Grout sorts at most 256 elements" in str(info)
    assert 0 < info.code_bytes < package.stat().st_size
    # Four times 64 features of 32 tokens, f32, in the MLP.
    assert info.workspace_bytes >= 4 * 64 * 32 * 4
    assert "for intermediates, during a call" in str(info)


def test_info_of_an_artifact(tmp_path):
    module = grout.compile(
        """func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>)
                      outs(%x : tensor<4xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }""",
        target="cpu",
    )
    module.save(tmp_path / "twice.grout")
    info = grout.info(tmp_path / "twice.grout")
    assert info.name == "twice" and str(info.inputs[0]).endswith("f32[4]")
    assert info.code_bytes == len(module.artifact)
    assert info.workspace_bytes == module.workspace_bytes == 0


@pytest.mark.parametrize(
    "make", (models.gpt2, models.bert), ids=lambda make: make.__name__
)
def test_models(make, tmp_path):
    torch.manual_seed(0)
    model, inputs = make(True)
    model.eval()
    args, kwargs = ((), inputs) if isinstance(inputs, dict) else (inputs, {})
    grout.export(model, args, tmp_path / "m.gpkg", kwargs=kwargs)
    with torch.no_grad():
        right = model(*args, **kwargs)
    result = grout.load(tmp_path / "m.gpkg")(*args, **kwargs)
    assert type(result) is type(right)
    assert error(result, right) < 1e-5


@pytest.mark.parametrize("dtype", (torch.float16, torch.bfloat16))
def test_for_a_gpu_without_one(block, dtype, tmp_path):
    model, x = block
    info = grout.export(
        model.to(dtype), (x.to(dtype),), tmp_path / "m.gpkg", target="h200"
    )
    assert info.target == "h200"
    assert {one.operator for one in info.left} == {"aten.sort.default"}
    if not torch.cuda.is_available():
        with pytest.raises(grout.Error, match="for a GPU, and PyTorch finds"):
            grout.load(tmp_path / "m.gpkg")


@pytest.mark.parametrize("mode", ["nearest", "bilinear", "bicubic"])
@pytest.mark.parametrize("target", ["cpu", "h200"])
def test_upsampling(mode, target, tmp_path):
    """It is broken up as for torch.compile."""
    model = torch.nn.Sequential(
        torch.nn.Conv2d(8, 16, 1),
        torch.nn.Upsample(scale_factor=2, mode=mode),
        torch.nn.Conv2d(16, 8, 1),
    ).eval()
    x = torch.randn(1, 8, 6, 6)
    if target == "h200":
        model, x = model.half(), x.half()
    path = tmp_path / "m.gpkg"
    info = grout.export(model, (x,), path, target=target)
    assert not info.left
    if target == "cpu":
        with torch.no_grad():
            torch.testing.assert_close(grout.load(path)(x), model(x))


def test_needs_neither_compiler_nor_importer(package):
    program = f"""
import sys, torch
sys.modules["torch_mlir"] = None
import grout, grout.compiling
grout.compiling.compile = None
result = grout.load({str(package)!r})(torch.ones(2, 16, 64), scale=2.0)
print(tuple(result["y"].shape))
"""
    result = subprocess.run(
        [sys.executable, "-c", program], text=True, capture_output=True
    )
    assert result.stdout == "(2, 16, 64)\n", result.stderr


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(32, 32)

    def forward(self, x):
        return x + torch.tanh(self.linear(x))


def test_equal_layers_have_one_artifact(tmp_path):
    model = torch.nn.Sequential(Layer(), Layer(), Layer())
    info = grout.export(model, (torch.randn(8, 32),), tmp_path / "m.gpkg")
    with zipfile.ZipFile(tmp_path / "m.gpkg") as archive:
        artifacts = [
            name for name in archive.namelist() if name.endswith(".grout")
        ]
    assert info.partitions == 3 and len(artifacts) == 1


def test_arguments_that_do_not_fit(package):
    loaded = grout.load(package)
    x = torch.randn(2, 16, 64)
    wanted = (
        r"Block is called as it was exported, Block\(x, scale=scale\), "
        "not "
    )
    with pytest.raises(TypeError, match=wanted + r"Block\(Tensor\)$"):
        loaded(x)
    with pytest.raises(TypeError, match=wanted + r"Block\(\)$"):
        loaded()
    with pytest.raises(
        TypeError, match=wanted + (r"Block\(x=Tensor, scale=float\)$")
    ):
        loaded(x=x, scale=2.0)
    with pytest.raises(ValueError, match="scale is 2.0 in this package, not 3"):
        loaded(x, scale=3.0)
    with pytest.raises(ValueError, match=r"not torch.float32\[2, 16, 63\]"):
        loaded(x[..., :63], scale=2.0)
    with pytest.raises(ValueError, match="not torch.float64"):
        loaded(x.double(), scale=2.0)
    with pytest.raises(ValueError, match="a tensor, not a int"):
        loaded(1, scale=2.0)
    with pytest.raises(ValueError, match="for cpu, not for cuda"):
        grout.load(package, device="cuda")
    with pytest.raises(ValueError, match="needs a package for a GPU"):
        grout.load(package, cuda_graph=True)
    with pytest.raises(ValueError, match="only a package that was loaded with"):
        _ = loaded.buffers
    with pytest.raises(
        TypeError,
        match="no option 'stream'; there are device, fallback, cuda_graph",
    ):
        grout.load(package, stream=1)


class Doubling(torch.nn.Module):
    def forward(self, x, mask=None, *, doubled=True):
        assert mask is None
        return x + x if doubled else x


class Calls:
    """Stands for the graph of a Replayed where there is no GPU."""

    def __init__(self, replayed):
        self.replayed = replayed

    def replay(self):
        self.replayed._results = self.replayed._function(*self.replayed.inputs)


def replay_without_a_gpu(package, own):
    """Gives a package what it has with cuda_graph=True: `own`, with None for
    what is no tensor."""
    package._own = own
    package._replayed = Replayed(
        package._function,
        [one for one in own if one is not None],
        package.device,
        package._updated(),
    )
    package._replayed.graph = Calls(package._replayed)


def test_arguments_that_are_none_with_a_cuda_graph(tmp_path):
    x = torch.randn(4, 4)
    grout.export(
        Doubling(), (x, None), tmp_path / "m.gpkg", kwargs={"doubled": True}
    )
    loaded = grout.load(tmp_path / "m.gpkg")
    own = torch.zeros(4, 4)
    replay_without_a_gpu(loaded, [own, None, None])
    for given in (x, own):
        assert torch.equal(loaded(given, None, doubled=True), 2 * given)
    with pytest.raises(ValueError, match="doubled is True in this package"):
        loaded(x, None, doubled=None)


class Remembering(torch.nn.Module):
    """Updates a part of a cache, and the whole of a count."""

    def forward(self, x, Cache, places, *, state):
        Cache.index_copy_(1, places, x.relu() * 2)
        state["count"].add_(1)
        return Cache.sum(-1) * state["count"]


def inputs_of_remembering():
    return (
        (torch.randn(2, 1, 8), torch.randn(2, 4, 8), torch.tensor([3])),
        {"state": {"count": torch.zeros(2, 4)}},
    )


def assert_updates_alike(function, args, kwargs):
    """As the model does, at each of several calls."""
    model, (others, by_name) = Remembering(), copy.deepcopy((args, kwargs))
    for _ in range(3):
        torch.testing.assert_close(
            function(*args, **kwargs), model(*others, **by_name)
        )
        torch.testing.assert_close((args, kwargs), (others, by_name))


@pytest.mark.parametrize("fallback", ("eager", "inductor"))
def test_arguments_are_updated_in_place(fallback, tmp_path):
    args, kwargs = inputs_of_remembering()
    given = copy.deepcopy((args, kwargs))
    info = grout.export(Remembering(), args, tmp_path / "m.gpkg", kwargs=kwargs)
    torch.testing.assert_close((args, kwargs), given)
    # A part of the cache is updated by a kernel.
    assert [(one.operator, one.count) for one in info.left] == [
        ("aten.copy_.default", 1)
    ]
    assert info.updated == [info.inputs[1].name, info.inputs[3].name]
    assert f"updates {info.updated[0]}\n" in str(info)
    package = grout.load(tmp_path / "m.gpkg", fallback=fallback)
    assert_updates_alike(package, args, kwargs)
    x, cache, places = args
    strided = torch.randn(2, 8, 4).transpose(1, 2)
    assert_updates_alike(package, (x, strided, places), kwargs)


def test_arguments_that_overlap_what_is_updated_are_named(tmp_path):
    (x, cache, places), kwargs = inputs_of_remembering()
    grout.export(
        Remembering(), (x, cache, places), tmp_path / "m.gpkg", kwargs=kwargs
    )
    package = grout.load(tmp_path / "m.gpkg")
    # Aligned as kernels need it, so that nothing is copied.
    x = cache.view(-1)[-16:].view(2, 1, 8)
    with pytest.raises(
        ValueError,
        match="cache is updated, and shares memory "
        "with x; pass a copy of one of them",
    ):
        package(x, cache, places, **kwargs)
    package(x.clone(), cache, places, **kwargs)


def test_arguments_are_updated_by_a_cuda_graph(tmp_path):
    args, kwargs = inputs_of_remembering()
    grout.export(Remembering(), args, tmp_path / "m.gpkg", kwargs=kwargs)
    package = grout.load(tmp_path / "m.gpkg")
    assert package._updated() == [1, 3]
    own = [torch.zeros_like(one) for one in (*args, kwargs["state"]["count"])]
    replay_without_a_gpu(package, own)
    assert_updates_alike(package, args, kwargs)
    assert_updates_alike(package, own[:3], {"state": {"count": own[3]}})


class Counting(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(4))

    def forward(self, x):
        self.calls += 1
        return x @ x


class Unique(torch.nn.Module):
    def forward(self, x):
        values, places = torch.unique(x, return_inverse=True)
        return places


def test_models_that_are_refused(tmp_path):
    path = tmp_path / "m.gpkg"
    x = torch.randn(4, 4)
    with pytest.raises(grout.Error, match="changes calls"):
        grout.export(Counting(), (x,), path)
    rows = {"x": {0: torch.export.Dim("rows", min=2, max=9)}}

    class Product(torch.nn.Module):
        def forward(self, x):
            return x @ x.T

    program = torch.export.export(Product(), (x,), dynamic_shapes=rows)
    with pytest.raises(grout.Error, match="without dynamic_shapes"):
        grout.export(program, (), path)
    # Of an operator with several results, by its own name.
    with pytest.raises(grout.Error, match="shape of _?unique2? depends on the"):
        grout.export(Unique(), (x,), path)
    for args, kwargs in (((x,), None), ((), {"x": x})):
        with pytest.raises(TypeError, match="no args and kwargs with an Exp"):
            grout.export(program, args, path, kwargs=kwargs)
    with pytest.raises(ValueError, match="no option 'fallback'"):
        grout.export(Product(), (x,), path, options={"fallback": "error"})
    with pytest.raises(ValueError, match="target is one of"):
        grout.export(Product(), (x,), path, target="h100x")
    with pytest.raises(TypeError, match="arguments as a tuple, not a tensor"):
        grout.export(Product(), x, path)

    class Positive(torch.nn.Module):
        def forward(self, x):
            return x[x > 0] * 2

    line = Positive.forward.__code__.co_firstlineno + 1
    with pytest.raises(
        grout.Error,
        match="depends on the values of elements "
        rf"\({re.escape(__file__)}:{line}\); packages have",
    ):
        grout.export(Positive(), (x,), path)
    assert not list(tmp_path.iterdir())


class Nested(torch.nn.Module):
    def forward(self, pair, named):
        return pair[0] + pair[1] * named["z"]


def test_calls_of_nested_arguments_that_do_not_fit(tmp_path):
    x = torch.randn(4)
    grout.export(Nested(), ((x, x), {"z": x}), tmp_path / "m.gpkg")
    loaded = grout.load(tmp_path / "m.gpkg")
    with pytest.raises(
        TypeError,
        match=re.escape(
            "Nested((pair_0, pair_1), {'z': named_z}), not "
            "Nested([Tensor, Tensor], {'z': Tensor})"
        ),
    ):
        loaded([x, x], {"z": x})


def test_others_may_not_write_it(package):
    os.chmod(package, 0o666)
    with pytest.raises(grout.Error, match="can be written by others"):
        grout.load(package)
    assert grout.info(package).name == "Block"
    os.chmod(package, 0o600)
    os.chmod(package.parent, 0o777)
    with pytest.raises(grout.Error, match="can be written by others"):
        grout.load(package)


class Cast(torch.nn.Module):
    """A cast between convolutions, whose tensors torch.export checks."""

    def __init__(self):
        super().__init__()
        self.one = torch.nn.Conv2d(8, 16, 3, padding=1)
        self.other = torch.nn.Conv2d(16, 8, 3, padding=1)

    def forward(self, x):
        return self.other(self.one(x).relu().float().sin().to(x.dtype))


@pytest.mark.parametrize("target", ("cpu", "h200"))
def test_casts(tmp_path, target):
    info = grout.export(
        Cast().half().eval(),
        (torch.randn(1, 8, 9, 9).half(),),
        tmp_path / "m.gpkg",
        target=target,
    )
    assert not any("assert" in one.operator for one in info.left)


@pytest.mark.parametrize("target", ("cpu", "h200"))
def test_arguments_that_are_called_as_functions_of_python_are(tmp_path, target):
    """As nn.Sequential calls its own."""
    model = torch.nn.Sequential(
        torch.nn.Conv2d(8, 16, 3), torch.nn.ReLU(), torch.nn.Conv2d(16, 8, 3)
    )
    info = grout.export(
        model.half().eval(),
        (torch.randn(1, 8, 9, 9).half(),),
        tmp_path / "m.gpkg",
        target=target,
    )
    assert [str(one) for one in info.inputs] == ["input: f16[1, 8, 9, 9]"]
    with zipfile.ZipFile(tmp_path / "m.gpkg") as archive:
        steps = json.loads(archive.read("manifest.json"))["steps"]
    assert "input" in steps[0]["inputs"]


def test_others_may_not_turn_a_link(package, tmp_path):
    folder = tmp_path / "shared"
    folder.mkdir()
    link = folder / "m.gpkg"
    link.symlink_to(package)
    (tmp_path / "again").symlink_to("shared")
    folder.chmod(0o777)
    for path in (
        link,
        tmp_path / "again" / "m.gpkg",
        tmp_path / "again" / ".." / "shared" / "m.gpkg",
    ):
        with pytest.raises(grout.Error, match="shared can be written by"):
            grout.load(path)
    folder.chmod(0o700)
    assert grout.load(link).info.name == "Block"
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(grout.Error, match="too many symbolic links"):
        require_private_folders(tmp_path / "loop")


def test_what_is_no_number_stays_so(block, tmp_path):
    model, x = block
    path = tmp_path / "m.gpkg"
    grout.export(model, (x,), path, kwargs={"scale": math.nan})
    loaded = grout.load(path)
    assert loaded(x, scale=math.nan)["y"].isnan().all()
    with pytest.raises(ValueError, match="scale is nan in this package"):
        loaded(x, scale=2.0)


def test_manifests_that_say_what_is_not(package):
    with zipfile.ZipFile(package) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(parts["manifest.json"])
    for change in (
        {"target": "h300"},
        {"inputs": [{"name": None}]},
        {"steps": [{"artifact": 7}]},
    ):
        parts["manifest.json"] = json.dumps({**manifest, **change}).encode()
        with zipfile.ZipFile(package, "w") as archive:
            for name, data in parts.items():
                archive.writestr(name, data)
        with pytest.raises(grout.Error, match="is damaged"):
            grout.load(package)


def test_damaged_packages(package, tmp_path):
    """Cut or changed anywhere, a package is refused, or does what it did."""
    data = package.read_bytes()
    x = torch.ones(2, 16, 64)
    right = grout.load(package)(x, scale=2.0)
    rng = random.Random(0)
    outcomes = collections.Counter()
    for case in range(150):
        damaged = bytearray(data)
        if case % 6 == 0:
            del damaged[rng.randrange(2, len(data)) :]
        elif case % 6 == 3:
            del damaged[2 : rng.randrange(3, len(data))]
        else:
            # Half of them in what describes the rest.
            end = len(data) if case % 3 == 1 else 20000
            damaged[rng.randrange(2, end)] ^= 1 << rng.randrange(8)
        path = tmp_path / "damaged.gpkg"
        path.write_bytes(damaged)
        try:
            result = grout.load(path)(x, scale=2.0)
        except grout.Error:
            outcomes["refused"] += 1
            continue
        outcomes["ran"] += 1
        torch.testing.assert_close(result, right, rtol=0, atol=0)
    assert outcomes["refused"] > 100, outcomes


def test_other_formats_and_files(package, tmp_path, monkeypatch):
    monkeypatch.setattr(grout.packages, "FORMAT", 5)
    with pytest.raises(grout.Error, match="has format 4; .* reads 5"):
        grout.load(package)
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("a.txt", "a")
    for read in (grout.load, grout.info):
        with pytest.raises(grout.Error, match="is damaged"):
            read(tmp_path / "other.zip")
        with pytest.raises(FileNotFoundError):
            read(tmp_path / "absent.gpkg")
