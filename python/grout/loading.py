"""Files that run."""

import pathlib
from typing import Any, Union

from . import packages
from .module import Module


def load(source: Union[str, pathlib.Path, bytes], **options: Any) -> Any:
    """The Module of an artifact (.grout: a file, or its bytes), or the Package
    that grout.export wrote (.gpkg). It is checked, and nothing of it is executed
    before the first call. Needs no compiler.

    Both are code. A package is refused if others can write its file, or replace
    it by writing a folder above it.

    Options of packages: `device`, one of the target's kind, by default the
    current one; `fallback="inductor"` compiles what Grout left to PyTorch, at
    the first call, instead of calling its operators one by one ("eager");
    `cuda_graph=True` runs all of it as one CUDA graph: see
    grout.torch.Package. Raises Error for what is neither, is damaged, or is for
    a GPU that is not there.
    """
    if not isinstance(source, bytes):
        path = pathlib.Path(source)
        if packages.is_package(path):
            from .torch.export.packaged_model import load as load_package

            return load_package(path, **options)
        source = path.read_bytes()
    if options:
        raise TypeError(f"an artifact has no option {min(options)!r}")
    return Module(source)
