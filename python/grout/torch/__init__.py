"""The backend of torch.compile(model, backend="grout").

    import torch

    fast = torch.compile(model, backend="grout")
    y = fast(x)

PyTorch finds the backend by its name once the package is installed. In a source
tree, `import grout.torch` registers the backend.
"""

from torch._dynamo import list_backends as _list_backends
from torch._dynamo import register_backend as _register_backend

from .backend import backend
from .compilation.specialising import wait
from .errors import FallbackForbidden, ImportFailed, MismatchError
from .experts import register_experts
from .export.exporting import export
from .export.packaged_model import Package
from .options import Options
from .records import Operator
from .report import Report, report

# An installed package has an entry point of this name.
if "grout" not in _list_backends():
    _register_backend(backend, name="grout")

__all__ = [
    "FallbackForbidden",
    "ImportFailed",
    "MismatchError",
    "Operator",
    "Options",
    "Package",
    "Report",
    "backend",
    "export",
    "register_experts",
    "report",
    "wait",
]
