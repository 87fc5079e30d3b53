"""The options of the compiler, which the compiler itself declares."""

import dataclasses
import functools

from . import _libraries


@dataclasses.dataclass(frozen=True)
class CompilerOption:
    """An option that grout.compile and its siblings take as a keyword."""

    name: str
    """The keyword, such as "scop_tree"."""
    help: str
    default: str
    """The default, as text: "true", "0", "auto"."""
    values: tuple[str, ...]
    """All values as text; empty if they cannot be listed, as with files."""


@functools.cache
def options() -> dict[str, CompilerOption]:
    """Returns the options of the compiler by their keywords.

    The functions of this package set some of them otherwise: for example,
    `mode` is "auto" in grout.compile.
    """
    return {
        option.name: option
        for option in map(_parse, _libraries.description()["options"])
    }


def _parse(described: dict[str, str]) -> CompilerOption:
    values = described["values"]
    return CompilerOption(
        described["name"].replace("-", "_"),
        described["help"],
        described["default_value"],
        tuple(values.split(",")) if values else (),
    )
