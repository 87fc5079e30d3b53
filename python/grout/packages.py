"""Reads and writes packages, without PyTorch.

A package is one file (.gpkg) with a model's program, its compiled partitions
and its weights. It is a ZIP archive without compression:

    manifest.json     the program, and the facts that `info` tells
    0.grout, ...      the compiled partitions
    weights.pt        the weights, as torch.save writes them
"""

import dataclasses
import errno
import json
import os
import pathlib
import tempfile
import zipfile
from typing import IO, Any, Callable, Iterator, Optional, Sequence, Union

from . import _sizes
from ._trust import require_private, require_private_folders
from .errors import Error
from .module import Module, TensorInfo

FORMAT = 4
"""The version of the manifest. Other versions are refused."""

_MANIFEST, _WEIGHTS = "manifest.json", "weights.pt"

Path = Union[str, pathlib.Path]


@dataclasses.dataclass(frozen=True)
class Refused:
    """An operator that a package leaves to PyTorch, and why."""

    operator: str
    """The name of the operator, such as "aten.convolution.default"."""
    reason: str
    count: int


@dataclasses.dataclass(frozen=True)
class Info:
    """The contents of an artifact or a package."""

    name: str
    target: str
    inputs: list[TensorInfo]
    outputs: list[TensorInfo]
    weights: list[TensorInfo]
    """For a package: its parameters and buffers."""
    partitions: int
    """The number of functions that Grout compiled; 1 for an artifact."""
    operators: int
    """For a package: the number of PyTorch's operators in its partitions."""
    left: list[Refused]
    """For a package: the operators that PyTorch runs."""
    versions: dict[str, str]
    """For a package: the versions of "grout" and "torch" that made it."""
    needs: list[str] = dataclasses.field(default_factory=list)
    """For a package: the libraries that it needs beside PyTorch, and what
    for."""
    updated: list[str] = dataclasses.field(default_factory=list)
    """The names of the inputs that a call updates in place."""
    code_bytes: int = 0
    """The size of the artifacts, including their constants."""
    workspace_bytes: int = 0
    """The largest workspace that a compiled function needs for intermediates.
    On a GPU, the functions of a package use the same memory one after another,
    and only during a call."""
    ranks: int = 1
    """For an artifact: the number of ranks that run it together."""
    symmetric_bytes: int = 0
    """For an artifact: the symmetric memory that it needs on each rank."""

    def __str__(self) -> str:
        lines = [f"{self.name} for {self.target}"]
        lines += [f"  input   {info}" for info in self.inputs]
        lines += [f"  output  {info}" for info in self.outputs]
        lines += [f"  updates {name}" for name in self.updated]
        lines += [
            f"  code    {_sizes.text_of(self.code_bytes)}",
            f"  memory  {_sizes.text_of(self.workspace_bytes)} for "
            "intermediates, during a call",
        ]
        if self.ranks > 1:
            lines.append(
                f"  ranks   {self.ranks}, each with "
                f"{_sizes.text_of(self.symmetric_bytes)} of symmetric memory"
            )
        if not self.versions:
            return "\n".join(lines)
        total = sum(info.bytes for info in self.weights)
        lines += [
            f"  weights {len(self.weights)} of {_sizes.text_of(total)}",
            f"  Grout   {self.operators} operators, in "
            f"{self.partitions} partitions",
        ]
        lines += [
            f"  PyTorch {one.count} {one.operator}: {one.reason}"
            for one in self.left
        ]
        lines += [f"  needs   {one}" for one in self.needs]
        lines.append(
            "  made by "
            + ", ".join(
                f"{name} {version}" for name, version in self.versions.items()
            )
        )
        return "\n".join(lines)


def is_package(path: pathlib.Path) -> bool:
    """Whether a file begins like a ZIP archive."""
    with path.open("rb") as file:
        return file.read(2) == b"PK"


def require_folder(path: Path) -> None:
    """Raises FileNotFoundError if there is no folder for a file at `path`, so
    that nothing is compiled in vain."""
    folder = pathlib.Path(path).parent
    if not folder.is_dir():
        raise FileNotFoundError(
            errno.ENOENT, os.strerror(errno.ENOENT), str(folder)
        )


def write(
    path: Path,
    manifest: dict[str, Any],
    artifacts: Sequence[bytes],
    save_weights: Callable[[IO[bytes]], None],
    check: Callable[["Reader"], None],
) -> None:
    """Writes a package, or nothing: writes a temporary file, lets `check` read
    it, and moves it into place."""
    path = pathlib.Path(path)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(descriptor, "w+b") as file:
            with zipfile.ZipFile(file, "w") as archive:
                archive.writestr(
                    _MANIFEST,
                    json.dumps({"format": FORMAT, **manifest}, indent=1),
                )
                for i, artifact in enumerate(artifacts):
                    archive.writestr(f"{i}.grout", artifact)
                with archive.open(_WEIGHTS, "w", force_zip64=True) as weights:
                    save_weights(weights)
            file.flush()
            with Reader(path, file) as reader:
                check(reader)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


class Reader:
    """An open package. A package is code: the constructor raises Error if
    others can write the file or a folder above it, and if the file is damaged.
    A `file` that is given was written by this process, so its permissions are
    not checked."""

    def __init__(self, path: pathlib.Path, file: Optional[IO[bytes]] = None):
        if file is None:
            require_private_folders(path)
        self._file = file or path.open("rb")
        try:
            if file is None:
                require_private(path, os.fstat(self._file.fileno()))
            self._archive = _open(self._file, path)
            with damage_of(path):
                damaged = self._archive.testzip()
                if damaged is not None:
                    raise ValueError(f"{damaged} was changed")
            self.manifest = _read_manifest(self._archive, path)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def artifact(self, number: int) -> bytes:
        """Returns an artifact by its number."""
        return self._archive.read(f"{number}.grout")

    def weights(self) -> IO[bytes]:
        """Opens the weights, for torch.load."""
        return self._archive.open(_WEIGHTS)


class damage_of:
    """A context that turns the exceptions of malformed contents into an Error
    that names the file."""

    def __init__(self, path: Path):
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, _: Any) -> None:
        if isinstance(error, Exception) and not isinstance(
            error, (Error, ImportError, MemoryError)
        ):
            raise Error(f"{self._path} is damaged: {error}") from error


def _open(file: IO[bytes], path: pathlib.Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise Error(f"{path} is no package of Grout: {error}") from error


def _read_manifest(archive: zipfile.ZipFile, path: Path) -> dict[str, Any]:
    with damage_of(path):
        manifest = json.loads(archive.read(_MANIFEST))
        found = manifest["format"]
    if found != FORMAT:
        raise Error(
            f"{path} has format {found}; this version of Grout reads {FORMAT}"
        )
    assert isinstance(manifest, dict)
    return manifest


def info(path: Path) -> Info:
    """Describes an artifact (.grout) or a package (.gpkg). Executes nothing of
    the file, so that you need not trust it. Raises Error if the file is
    neither."""
    path = pathlib.Path(path)
    if not is_package(path):
        module = Module(path.read_bytes())
        return Info(
            module.name,
            module.target,
            module.inputs,
            module.outputs,
            [],
            1,
            0,
            [],
            {},
            code_bytes=len(module.artifact),
            updated=[
                module.inputs[output.in_place].name
                for output in module.outputs
                if output.in_place is not None
            ],
            workspace_bytes=module.workspace_bytes,
            ranks=module.ranks,
            symmetric_bytes=module.symmetric_bytes,
        )
    with path.open("rb") as file:
        archive = _open(file, path)
        manifest = _read_manifest(archive, path)
        with damage_of(path):
            artifacts = [
                archive.read(name)
                for name in archive.namelist()
                if name.endswith(".grout")
            ]
            return Info(
                name=str(manifest["name"]),
                target=str(manifest["target"]),
                inputs=list(_tensors(manifest["inputs"])),
                outputs=list(_tensors(manifest["outputs"])),
                weights=list(_tensors(manifest["weights"])),
                partitions=sum(
                    "artifact" in step for step in manifest["steps"]
                ),
                operators=int(manifest["operators"]),
                left=[Refused(**one) for one in manifest["left"]],
                needs=list(map(str, manifest["needs"])),
                updated=[
                    str(value["name"])
                    for value in manifest["inputs"]
                    if isinstance(value, dict) and value.get("is_updated")
                ],
                code_bytes=sum(map(len, artifacts)),
                workspace_bytes=max(
                    (
                        Module(artifact).workspace_bytes
                        for artifact in artifacts
                    ),
                    default=0,
                ),
                versions={
                    str(name): str(version)
                    for name, version in manifest["versions"].items()
                },
            )


def _tensors(values: Sequence[Any]) -> Iterator[TensorInfo]:
    for value in values:
        if isinstance(value, dict) and "dtype" in value:
            yield TensorInfo(
                str(value["name"]),
                str(value["dtype"]),
                tuple(map(int, value["shape"])),
                int(value["bytes"]),
            )
