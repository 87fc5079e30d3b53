"""How arguments and results of packages are nested, as JSON.

PyTorch's own format for this depends on its version, and on the classes that a
process has registered; and PyTorch imports the modules that a file names. Here
classes are imported only from known libraries. Results of other classes become
dictionaries or tuples.
"""

import collections
import importlib
import json
import re
from typing import Any, Iterator, Mapping, Optional, Sequence

from torch.utils import _pytree as pytree

from ...errors import Error

_LIBRARIES = ("transformers", "diffusers")
"""Libraries that register the classes of their models' results when they are
imported."""

_CLASS = re.compile(rf"(?:{'|'.join(_LIBRARIES)})(?:\.[A-Za-z]\w*)+")

_SIMPLE: dict[str, Any] = {"tuple": tuple, "list": list}
_MAPPINGS: dict[str, Any] = {
    "dict": dict,
    "OrderedDict": collections.OrderedDict,
}
_KEYS = (str, int, float, bool, type(None))


def encode(spec: pytree.TreeSpec, *, is_result: bool) -> Any:
    """Returns a nesting as JSON. Raises Error if it cannot be written."""
    if spec.is_leaf():
        return None
    children = [encode(child, is_result=is_result) for child in _children(spec)]
    for name, kind in _SIMPLE.items():
        if spec.type is kind:
            return {name: children}
    for name, kind in _MAPPINGS.items():
        if spec.type is kind:
            return {name: list(map(list, zip(_keys(spec.context), children)))}
    if spec.type is collections.namedtuple:
        if not is_result:
            raise _refuse(spec.context, "is a named tuple among arguments")
        return {
            "namedtuple": spec.context.__name__,
            "fields": list(spec.context._fields),
            "items": children,
        }
    return {
        "class": _name_of(spec.type),
        "context": _context_of(spec),
        "items": children,
    }


def _children(spec: pytree.TreeSpec) -> Sequence[pytree.TreeSpec]:
    # Older versions of PyTorch have an attribute instead of the method.
    found: Sequence[pytree.TreeSpec] = (
        spec.children() if hasattr(spec, "children") else spec.children_specs
    )
    return found


def _keys(keys: Sequence[Any]) -> Sequence[Any]:
    for key in keys:
        if type(key) not in _KEYS:
            raise Error(
                "the model takes or returns a dictionary with the key "
                f"{key!r}, which a package cannot hold"
            )
    return keys


def _refuse(kind: Any, reason: str) -> Error:
    return Error(
        "the model takes or returns what a package cannot hold: "
        f"{kind.__module__}.{kind.__qualname__} {reason}"
    )


def _name_of(kind: Any) -> str:
    node = pytree.SUPPORTED_SERIALIZED_TYPES.get(kind)
    name = node and node.serialized_type_name
    if not name or name == pytree.NO_SERIALIZED_TYPE_NAME_FOUND:
        raise _refuse(kind, "is registered without serialized_type_name")
    return str(name)


def _context_of(spec: pytree.TreeSpec) -> Any:
    node = pytree.SUPPORTED_SERIALIZED_TYPES[spec.type]
    try:
        if node.to_dumpable_context is not None:
            return json.loads(
                json.dumps(node.to_dumpable_context(spec.context))
            )
        return json.loads(json.dumps(spec.context))
    except (NotImplementedError, TypeError, ValueError) as error:
        raise _refuse(
            spec.type, f"cannot be written as JSON: {error}"
        ) from error


def classes(value: Any) -> Iterator[str]:
    """Yields the names of the classes in a nesting that `encode` made."""
    if value is None:
        return
    if "class" in value:
        yield value["class"]
    for child in _items(value):
        yield from classes(child)


def _items(value: Mapping[str, Any]) -> list[Any]:
    (kind, content), *_ = value.items()
    if kind in _SIMPLE:
        return list(content)
    if kind in _MAPPINGS:
        return [child for _, child in content]
    return list(value["items"])


def decode(value: Any, *, is_result: bool) -> pytree.TreeSpec:
    """The inverse of `encode`. A class that is not available becomes a
    dictionary or a tuple in results, and raises Error in arguments."""
    if value is None:
        return pytree.tree_flatten(0)[1]
    children = [decode(child, is_result=is_result) for child in _items(value)]
    (kind, content), *_ = value.items()
    if kind in _SIMPLE:
        return pytree.TreeSpec(_SIMPLE[kind], None, children)
    if kind in _MAPPINGS:
        return pytree.TreeSpec(
            _MAPPINGS[kind], [key for key, _ in content], children
        )
    if kind == "namedtuple":
        make: Any = collections.namedtuple
        return pytree.TreeSpec(make, make(content, value["fields"]), children)
    if kind != "class":
        raise ValueError(f"{kind} is no kind of container")
    found = _find(content)
    if found is not None:
        return pytree.TreeSpec(
            found, _read_context(found, value["context"]), children
        )
    if not is_result:
        raise Error(
            f"the package takes a {content}, which is not registered: "
            f"import {_module_of(content)} before it is loaded"
        )
    return _plain(value["context"], children)


def _find(name: str) -> Optional[Any]:
    """Returns a class that is registered, if need be after importing its
    library, if that is known and installed. Returns None otherwise."""
    registered = pytree.SERIALIZED_TYPE_TO_PYTHON_TYPE
    if name not in registered and _CLASS.fullmatch(name):
        try:
            importlib.import_module(_module_of(name))
        except Exception:  # such as of a library that lacks a dependency
            return None
    return registered.get(name)


def _module_of(name: str) -> str:
    return name.rpartition(".")[0]


def _read_context(kind: Any, context: Any) -> Any:
    node = pytree.SUPPORTED_SERIALIZED_TYPES[kind]
    return (
        context
        if node.from_dumpable_context is None
        else node.from_dumpable_context(context)
    )


def _plain(context: Any, children: list[pytree.TreeSpec]) -> pytree.TreeSpec:
    """Makes a dictionary if the class has names for its children, or else a
    tuple."""
    names = _names(context, len(children))
    return (
        pytree.TreeSpec(tuple, None, children)
        if names is None
        else pytree.TreeSpec(dict, names, children)
    )


def _names(context: Any, count: int) -> Optional[list[str]]:
    """Returns the names of the children, or None. The context of a dataclass
    may have the names as its first item."""
    candidates = [context]
    if isinstance(context, list) and context:
        candidates.append(context[0])
    for names in candidates:
        if (
            isinstance(names, list)
            and len(names) == count
            and all(isinstance(name, str) for name in names)
        ):
            return names
    return None
