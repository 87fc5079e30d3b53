"""torch.compile(model, backend="grout").

    import torch

    fast = torch.compile(model, backend="grout")
    y = fast(x)

The backend is found by name once the package is installed; from a source tree
`import grout.torch` registers it.
"""

from torch._dynamo import list_backends as _list_backends
from torch._dynamo import register_backend as _register_backend

from .backend import backend
from .errors import FallbackForbidden, ImportFailed, MismatchError
from .exporting import export
from .options import Options
from .package import Package
from .records import Operator
from .report import Report, report
from .specialising import wait

# An installed package has an entry point of this name.
if "grout" not in _list_backends():
    _register_backend(backend, name="grout")

__all__ = ["FallbackForbidden", "ImportFailed", "MismatchError", "Operator",
           "Options", "Package", "Report", "backend", "export", "report",
           "wait"]
