"""Packages: a model's program, its compiled partitions and its weights, in one
file (.gpkg). This reads and writes them; it needs no PyTorch.

A package is a ZIP archive without compression:

    manifest.json     the program, and what `info` tells
    0.grout, ...      the compiled partitions
    weights.pt        the weights, as torch.save writes them
"""

import dataclasses
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
"""Of the manifest. Others are refused."""

_MANIFEST, _WEIGHTS = "manifest.json", "weights.pt"

Path = Union[str, pathlib.Path]


@dataclasses.dataclass(frozen=True)
class Refused:
    """Operators that a package leaves to PyTorch."""

    operator: str
    """ "aten.convolution.default"."""
    reason: str
    count: int


@dataclasses.dataclass(frozen=True)
class Info:
    """What is in an artifact or a package."""

    name: str
    target: str
    inputs: list[TensorInfo]
    outputs: list[TensorInfo]
    weights: list[TensorInfo]
    """Of a package: parameters and buffers."""
    partitions: int
    """Functions that Grout compiled; 1 for an artifact."""
    operators: int
    """Of a package: how many operators of PyTorch those have."""
    left: list[Refused]
    """Of a package: what PyTorch runs."""
    versions: dict[str, str]
    """Of a package: of the programs that made it, "grout" and "torch"."""
    needs: list[str] = dataclasses.field(default_factory=list)
    """Of a package: libraries beside PyTorch, and what for."""
    updated: list[str] = dataclasses.field(default_factory=list)
    """The inputs that a call updates in place."""
    code_bytes: int = 0
    """Of the artifacts, constants included."""
    workspace_bytes: int = 0
    """The most that a function which Grout compiled needs for intermediates. On
    a GPU the functions of a package take it in turns, for the time of a
    call."""

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
    """Whether a file begins as an archive."""
    with path.open("rb") as file:
        return file.read(2) == b"PK"


def write(
    path: Path,
    manifest: dict[str, Any],
    artifacts: Sequence[bytes],
    save_weights: Callable[[IO[bytes]], None],
    check: Callable[["Reader"], None],
) -> None:
    """Writes a package, or nothing: to the side, and moved into place, once
    `check` has read it."""
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
    """An open package. It is code: raises Error if the file, or a folder above
    it, can be written by others, and if it is damaged. A `file` that is open
    was written by this process."""

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
        """Of a partition."""
        return self._archive.read(f"{number}.grout")

    def weights(self) -> IO[bytes]:
        """For torch.load."""
        return self._archive.open(_WEIGHTS)


class damage_of:
    """Turns what malformed contents raise into an Error that names the file."""

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
    """What is in an artifact (.grout) or a package (.gpkg). Nothing of it is
    run, so that it need not be trusted. Raises Error if it is neither."""
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
