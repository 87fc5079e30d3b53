"""Reads JSON that users write, or that may be damaged."""

import contextlib
import json

from errors import UserError


@contextlib.contextmanager
def naming(path):
    """A context that turns exceptions about the content of a file into a
    UserError that names the file."""
    try:
        yield
    except RecursionError as error:
        raise UserError(f"{path}: nests too deeply") from error
    except KeyError as error:
        raise UserError(f"{path}: lacks {error}") from error
    except (AttributeError, TypeError, ValueError) as error:
        raise UserError(f"{path}: {error}") from error


def read(path):
    with naming(path):
        return json.loads(path.read_text(encoding="utf-8"))


def check_types(fields, types):
    """Raises TypeError unless each of `fields`, by name, has its type of
    `types`."""
    for name, kind in types.items():
        value = fields[name]
        wanted = (int, float) if kind is float else kind
        if isinstance(value, bool) != (kind is bool) or not isinstance(
            value, wanted
        ):
            raise TypeError(
                f"'{name}' must be {kind.__name__}, and is {value!r:.40}"
            )
