"""A cache of compiled programs on disk.

Cache entries are code, so the cache uses them only if no other user can write
them: the folder and each file must belong to the user or to root, and neither
the group nor others may write them. A process writes an entry to a temporary
file, and then moves it into place. So processes may share a folder, and a
process that is killed leaves nothing that another process would read.
"""

import functools
import hashlib
import importlib.metadata
import json
import os
import pathlib
import platform
import tempfile
from typing import Any, Literal, Optional, Union

from . import logs
from ._trust import read_private, require_private
from .errors import Error, RunError
from .module import Module

log = logs.logger("cache")

_FORMAT = 1  # the version of the keys and of the entries

Entry = Union[Module, "Refusal"]

Folder = Union[pathlib.Path, Literal[""]]
"""The folder of a cache; "" means no cache."""


def folder_of(given: Any) -> Folder:
    """Returns the folder that `given` names, or "". Raises TypeError if `given`
    is not a path."""
    if not isinstance(given, (str, os.PathLike)):
        raise TypeError(f"grout: cache_dir is a folder, not {given!r}")
    return pathlib.Path(given).expanduser() if os.fspath(given) else ""


class Refusal:
    """A graph that the compiler refuses: the reason, and the numbers of the
    nodes that caused it, if they are known."""

    def __init__(self, reason: str, nodes: list[int]):
        self.reason = reason
        self.nodes = nodes


def open_cache(folder: Optional[Folder]) -> "Optional[Cache]":
    """Opens the cache in `folder`. If that is None, opens the cache in the
    folder that GROUT_CACHE_DIR names, or else in the user's cache folder.
    Returns None if the folder is ""."""
    folder = _default_folder() if folder is None else folder
    return Cache(folder) if isinstance(folder, pathlib.Path) else None


def _default_folder() -> Folder:
    given = os.environ.get("GROUT_CACHE_DIR")
    if given is not None:
        return folder_of(given)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(base) / "grout"


@functools.cache
def _build() -> str:
    """Identifies the Grout that compiles: its version or, in a build tree, the
    size and time of the compiler's library."""
    folder = os.environ.get("GROUT_LIBRARY_DIR")
    if folder is None:
        return importlib.metadata.version("grout")
    state = (pathlib.Path(folder) / "libGroutCompiler.so.1").stat()
    return f"{state.st_size} {state.st_mtime_ns}"


def key_of(target: str, program: str) -> str:
    """Returns the key of a program, given as text, that this version of Grout
    compiles for `target`."""
    parts = [str(_FORMAT), _build(), target, platform.machine(), program]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class Cache:
    """A folder of entries by key. If the folder cannot be used or written, the
    cache logs one warning, and then does nothing more."""

    def __init__(self, folder: pathlib.Path):
        self._folder: Optional[pathlib.Path] = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            require_private(folder)
        except (OSError, Error) as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        log.warning("the cache is not used: %s", error)
        self._folder = None

    def load(self, key: str) -> Optional[Entry]:
        """Returns the entry of `key`, or None if there is no entry that can be
        read and trusted."""
        if self._folder is None:
            return None
        for suffix, read in ((".grout", Module), (".json", _read_refusal)):
            path = self._folder / (key + suffix)
            try:
                data = read_private(path)
            except FileNotFoundError:
                continue
            except (OSError, Error) as error:
                log.warning("an entry of the cache is not used: %s", error)
                continue
            try:
                entry: Entry = read(data)
            except (RunError, ValueError) as error:
                log.warning(
                    "an entry of the cache is damaged: %s: %s", path, error
                )
                continue
            return entry
        return None

    def store(self, key: str, entry: Entry) -> None:
        """Adds an entry, or replaces it."""
        if self._folder is None:
            return
        if isinstance(entry, Refusal):
            suffix = ".json"
            data = json.dumps(
                {"reason": entry.reason, "nodes": entry.nodes}
            ).encode()
        else:
            suffix, data = ".grout", entry.artifact
        try:
            descriptor, name = tempfile.mkstemp(
                dir=self._folder, prefix=".new-"
            )
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(name, self._folder / (key + suffix))
            except BaseException:
                os.unlink(name)
                raise
        except OSError as error:
            self._give_up(error)


def _read_refusal(data: bytes) -> Refusal:
    entry = json.loads(data)
    if not (
        isinstance(entry, dict)
        and isinstance(entry.get("reason"), str)
        and isinstance(entry.get("nodes"), list)
        and all(isinstance(node, int) for node in entry["nodes"])
    ):
        raise ValueError("it is not what a refusal looks like")
    return Refusal(entry["reason"], entry["nodes"])
