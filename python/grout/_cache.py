"""Compiled programs on disk.

Entries are code, so they are used only where nobody but the user can write:
the folder, and each file, must be the user's, and neither the group's nor
everybody's to write. They are written to the side and moved into place, so
that processes may share a folder, and one that is killed leaves nothing that
another would read.
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

_FORMAT = 1  # of the keys and of what the cache has for them

Entry = Union[Module, "Refusal"]

Folder = Union[pathlib.Path, Literal[""]]
"""Of a cache; "" for none."""


def folder_of(given: Any) -> Folder:
    """Raises TypeError for what names no folder."""
    if not isinstance(given, (str, os.PathLike)):
        raise TypeError(f"grout: cache_dir is a folder, not {given!r}")
    return pathlib.Path(given).expanduser() if os.fspath(given) else ""


class Refusal:
    """That a graph is refused: why, and for which of its nodes (by number)."""

    def __init__(self, reason: str, nodes: list[int]):
        self.reason = reason
        self.nodes = nodes


def open_cache(folder: Optional[Folder]) -> "Optional[Cache]":
    """That in `folder`; without one, in GROUT_CACHE_DIR, or in the user's
    cache."""
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
    """The Grout that compiles: its version, or a build tree's library."""
    folder = os.environ.get("GROUT_LIBRARY_DIR")
    if folder is None:
        return importlib.metadata.version("grout")
    state = (pathlib.Path(folder) / "libGroutCompiler.so.1").stat()
    return f"{state.st_size} {state.st_mtime_ns}"


def key_of(target: str, program: str) -> str:
    """Of a program, as text, that is compiled for `target` by this version of
    Grout."""
    parts = [str(_FORMAT), _build(), target, platform.machine(), program]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class Cache:
    """A folder of entries by key. What is wrong with it is logged, once, and
    the cache then does nothing."""

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
        """None if there is no such entry, or none that can be trusted."""
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
