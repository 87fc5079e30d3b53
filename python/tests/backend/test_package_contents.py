"""Types of tensors that packages hold, and what their results are made of."""

import collections
import json
import subprocess
import sys
import textwrap
import zipfile

import pytest
import torch
from torch.utils import _pytree as pytree

import grout
from grout.torch import records
from grout.torch.export import nesting
from grout.torch.export import packaged_model as torch_package

_DTYPES = sorted(
    {value for value in vars(torch).values() if isinstance(value, torch.dtype)},
    key=str,
)


class Beside(torch.nn.Module):
    """Something to compile, and a tensor that is only there."""

    def __init__(self, buffer=None):
        super().__init__()
        self.register_buffer("buffer", buffer)

    def forward(self, x, other=None):
        return torch.tanh(x @ x) * 2, other, self.buffer


@pytest.fixture
def path(tmp_path):
    """In a folder that is the test's alone."""
    (tmp_path / "packages").mkdir()
    return tmp_path / "packages/m.gpkg"


def test_types_have_names_of_their_own():
    names = [records.type_name(dtype) for dtype in _DTYPES]
    assert len(set(names)) == len(names)
    assert list(map(records.dtype_of, names)) == _DTYPES
    with pytest.raises(grout.Error, match="this PyTorch has no type f7"):
        records.dtype_of("f7")


@pytest.mark.parametrize(
    "dtype",
    [
        torch.float8_e4m3fn,
        torch.float8_e8m0fnu,
        torch.float4_e2m1fn_x2,
        torch.uint16,
        torch.uint32,
        torch.uint64,
        torch.complex32,
        torch.bool,
        torch.int4,
        torch.uint1,
    ],
)
def test_inputs_of_any_type(dtype, path):
    x, other = torch.randn(4, 4), torch.empty(4, 4, dtype=dtype)
    info = grout.export(Beside(), (x, other), path)
    assert info.inputs[1].dtype == records.type_name(dtype)
    _, result, _ = grout.load(path)(x, other)
    assert result.dtype == dtype


@pytest.mark.parametrize(
    "dtype",
    [torch.float8_e5m2, torch.uint16, torch.complex64, torch.float4_e2m1fn_x2],
)
def test_weights_of_any_type(dtype, path):
    grout.export(
        Beside(torch.empty(4, 4, dtype=dtype)), (torch.randn(4, 4),), path
    )
    assert grout.load(path)(torch.randn(4, 4))[2].dtype == dtype


def test_what_cannot_be_read_is_not_written(path):
    x = torch.randn(4, 4)
    with pytest.raises(grout.Error, match="weights, whose types are int4"):
        grout.export(Beside(torch.empty(4, 4, dtype=torch.int4)), (x,), path)
    quantised = torch.quantize_per_tensor(x, 0.1, 0, torch.quint8)
    for model, args in ((Beside(), (x, quantised)), (Beside(quantised), (x,))):
        with pytest.raises(
            grout.Error, match="quantised tensors, such as of quint8"
        ):
            grout.export(model, args, path)
    with pytest.raises(grout.Error, match="whose layout is sparse_coo"):
        grout.export(Beside(), (x, x.to_sparse()), path)
    assert not list(path.parent.iterdir())


def test_what_is_written_is_read_first(path, monkeypatch):
    def damaged(reader, device):
        raise ValueError("there is no such thing")

    monkeypatch.setattr(torch_package, "check", damaged)
    with pytest.raises(
        grout.Error,
        match="what was written could not be read: there is no such thing",
    ):
        grout.export(Beside(), (torch.randn(4, 4),), path)
    assert not list(path.parent.iterdir())


class Outputs(collections.OrderedDict):
    """As transformers has them."""


class Inputs(collections.OrderedDict):
    pass


def register(kind, name):
    pytree.register_pytree_node(
        kind,
        lambda value: (list(value.values()), list(value)),
        lambda values, names: kind(zip(names, values)),
        serialized_type_name=name,
        flatten_with_keys_fn=lambda value: (
            [(pytree.MappingKey(key), one) for key, one in value.items()],
            list(value),
        ),
    )


register(Outputs, "transformers.stand_in.Outputs")
register(Inputs, "unknown_library.Inputs")


class Unknown(Outputs):
    pass


register(Unknown, "unknown_library.Unknown")


class Returning(torch.nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def forward(self, x):
        if isinstance(x, Inputs):
            x = x["x"]
        return self.kind(y=x @ x, z=(x + 1, None))


# Registers the class, and says so.
_LIBRARY = textwrap.dedent("""
    import collections, sys
    from torch.utils import _pytree as pytree
    class Outputs(collections.OrderedDict): pass
    pytree.register_pytree_node(
        Outputs, lambda value: (list(value.values()), list(value)),
        lambda values, names: Outputs(zip(names, values)),
        serialized_type_name=__name__ + "." + "Outputs")
    print(__name__, "is imported")
    """)


# Forks for each package, because what is imported first needs seconds.
_CALLER = """
import json, os, sys, traceback
import torch, grout
import grout.torch.export.packaged_model
for line in sys.stdin:
    path, folder, printed = json.loads(line)
    child = os.fork()
    if not child:
        code = 0
        os.dup2(os.open(printed, os.O_WRONLY | os.O_CREAT, 0o600), 1)
        os.dup2(1, 2)
        sys.path.insert(0, folder)
        try:
            result = grout.load(path)(torch.ones(4, 4))
            print(type(result).__name__, list(result), result["y"].shape[0],
                  type(result["z"]).__name__)
        except BaseException:
            traceback.print_exc()
            code = 1
        sys.stdout.flush()
        os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.fixture(scope="module")
def caller():
    """A process that has imported Grout, and nothing of the model's."""
    with subprocess.Popen(
        [sys.executable, "-c", _CALLER],
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        yield process
        process.stdin.close()


def called_elsewhere(caller, path, libraries=()):
    """What a process prints that has not imported the model's classes."""
    folder = path.parent / "libraries"
    for name in libraries:
        module = folder / (name.replace(".", "/") + ".py")
        module.parent.mkdir(parents=True, exist_ok=True)
        (module.parent / "__init__.py").touch()
        module.write_text(_LIBRARY)
    printed = path.parent / "printed.txt"
    print(
        json.dumps([str(path), str(folder), str(printed)]),
        file=caller.stdin,
        flush=True,
    )
    status = caller.stdout.readline()
    assert status == "0\n", printed.read_text()
    return printed.read_text().splitlines()


def test_classes_of_known_libraries_are_imported(caller, path):
    info = grout.export(Returning(Outputs), (torch.randn(4, 4),), path)
    assert info.needs == [
        "transformers.stand_in.Outputs, for its results; "
        "without it they are a dictionary or a tuple"
    ]
    assert f"  needs   {info.needs[0]}\n" in str(info)
    assert called_elsewhere(caller, path, ["transformers.stand_in"]) == [
        "transformers.stand_in is imported",
        "Outputs ['y', 'z'] 4 tuple",
    ]


def test_without_a_library_results_are_dictionaries(caller, path):
    grout.export(Returning(Outputs), (torch.randn(4, 4),), path)
    # This is a transformers that has no such class.
    assert called_elsewhere(caller, path, ["transformers.other"]) == [
        "dict ['y', 'z'] 4 tuple"
    ]


def test_other_modules_are_not_imported(caller, path):
    grout.export(Returning(Unknown), (torch.randn(4, 4),), path)
    assert called_elsewhere(caller, path, ["unknown_library"]) == [
        "dict ['y', 'z'] 4 tuple"
    ]


def test_classes_that_are_registered_are_used(path):
    x = torch.randn(4, 4)
    grout.export(Returning(Unknown), (x,), path)
    assert type(grout.load(path)(x)) is Unknown


def test_arguments_have_their_class(path, monkeypatch):
    x = torch.randn(4, 4)
    info = grout.export(Returning(dict), (Inputs(x=x),), path)
    assert info.needs == ["unknown_library.Inputs, for its arguments"]
    torch.testing.assert_close(grout.load(path)(Inputs(x=x))["y"], x @ x)
    monkeypatch.delitem(
        pytree.SERIALIZED_TYPE_TO_PYTHON_TYPE, "unknown_library.Inputs"
    )
    with pytest.raises(
        grout.Error,
        match="takes a unknown_library.Inputs, "
        "which is not registered: import unknown_library "
        "before it is loaded",
    ):
        grout.load(path)


Pair = collections.namedtuple("Pair", "left, right")


def test_named_tuples_are_results(path):
    x = torch.randn(4, 4)
    grout.export(Returning(lambda y, z: [Pair(y, z[0]), y.max(-1)]), (x,), path)
    pair, largest = grout.load(path)(x)
    assert type(pair).__name__ == "Pair" and pair._fields == Pair._fields
    assert torch.equal(pair.right, x + 1)
    assert isinstance(largest, torch.return_types.max)


def test_manifests_have_nothing_of_pytorchs_own_format(path):
    grout.export(Returning(Outputs), (torch.randn(4, 4),), path)
    with zipfile.ZipFile(path) as archive:
        call = json.loads(archive.read("manifest.json"))["call"]
    assert call == {
        "inputs": {"tuple": [{"tuple": [None]}, {"dict": []}]},
        "outputs": {
            "class": "transformers.stand_in.Outputs",
            "context": ["y", "z"],
            "items": [None, {"tuple": [None, None]}],
        },
    }


def test_containers():
    value = {
        "a": [1, (2,)],
        3: collections.OrderedDict(b=None),
        "d": collections.deque([4], 5),
    }
    spec = pytree.tree_flatten(value)[1]
    written = json.loads(json.dumps(nesting.encode(spec, is_result=True)))
    assert nesting.decode(written, is_result=True) == spec
    with pytest.raises(grout.Error, match="dictionary with the key torch.f"):
        nesting.encode(
            pytree.tree_flatten({torch.float32: 1})[1], is_result=True
        )
    with pytest.raises(grout.Error, match="Pair is a named tuple among"):
        nesting.encode(pytree.tree_flatten(Pair(1, 2))[1], is_result=False)


@torch.library.custom_op("grout_packages::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x + x


@twice.register_fake
def _(x):
    return torch.empty_like(x)


class Twice(torch.nn.Module):
    def forward(self, x):
        return {"y": twice(x @ x), "z": (x,)}


def test_operators_of_libraries_are_named(caller, path):
    x = torch.randn(4, 4)
    info = grout.export(Twice(), (x,), path)
    assert info.needs == [
        "grout_packages, for its operator grout_packages.twice.default"
    ]
    torch.testing.assert_close(grout.load(path)(x)["y"], 2 * (x @ x))
    with pytest.raises(
        AssertionError,
        match="there is no operator "
        "grout_packages.twice.default: import the library",
    ):
        called_elsewhere(caller, path)
