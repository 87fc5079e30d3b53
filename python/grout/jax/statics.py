"""Arguments that are values to compile for, not arrays."""

import inspect
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

Numbers = Optional[Union[int, Iterable[int]]]
Names = Optional[Union[str, Iterable[str]]]

_POSITIONAL = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)


class Statics:
    """Which arguments jax.jit takes as static, given its `static_argnums` and
    `static_argnames`: one is found from the other, unless both are given."""

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
        """The arguments that are arrays."""
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
    except (TypeError, ValueError):  # of functions that are not Python's
        return []
    return [one.name for one in parameters if one.kind in _POSITIONAL]
