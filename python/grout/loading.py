"""Loads artifacts and packages."""

import pathlib
from typing import Any, Union

from . import packages
from .module import Module


def load(source: Union[str, pathlib.Path, bytes], **options: Any) -> Any:
    """Loads an artifact or a package.

    Returns a Module for an artifact (.grout: a file, or its bytes), and a
    grout.torch.Package for a package that grout.export wrote (.gpkg). The
    content is checked, but none of it is executed before the first call. No
    compiler is needed.

    Both are code, so load only files that you trust. A package is refused if
    others can write its file, or can replace it because they can write a folder
    above it.

    Packages have these options:

    - `device` is a device of the target's kind, by default the current one.
    - `fallback="eager"` (default) calls the operators that Grout left to
      PyTorch one by one; `fallback="inductor"` compiles them at the first call.
    - `cuda_graph=True` runs the whole package as one CUDA graph: see
      grout.torch.Package.

    Raises Error if the source is neither an artifact nor a package, is damaged,
    or is for a GPU that is not there, and TypeError for other options.
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
