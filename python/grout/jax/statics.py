"""Static arguments: values to compile for, instead of arrays."""

import inspect
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

Numbers = Optional[Union[int, Iterable[int]]]
Names = Optional[Union[str, Iterable[str]]]

_POSITIONAL = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)


class Statics:
    """The arguments that jax.jit takes as static, given its `static_argnums`
    and `static_argnames`. If only one of these is given, the other follows from
    the function's signature."""

    def __init__(
        self, function: Callable[..., Any], numbers: Numbers, names: Names
    ):
        positions = _positional(function)
        self._numbers = set(_tuple(numbers, int))
        self._names = set(_tuple(names, str))
        if numbers is None:
            self._numbers = {
                i for i, name in enumerate(positions) if name in self._names
            }
        elif names is None:
            self._names = {
                name for i, name in enumerate(positions) if i in self._numbers
            }

    def drop(
        self, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Returns the arguments without the static ones."""
        return (
            tuple(
                value
                for i, value in enumerate(args)
                if not self._numbers & {i, i - len(args)}
            ),
            {
                name: value
                for name, value in kwargs.items()
                if name not in self._names
            },
        )


def _tuple(value: Any, kind: type) -> tuple[Any, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, kind) else tuple(value)


def _positional(function: Callable[..., Any]) -> list[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # functions that are not Python's
        return []
    return [one.name for one in parameters if one.kind in _POSITIONAL]
