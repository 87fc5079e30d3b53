"""Decides whose files are executed: as ssh does with keys, only files that
nobody but the user or root can write or replace."""

import os
import pathlib
import stat
from typing import Optional

from .errors import Error

# Linux follows as many.
_MOST_LINKS = 40


def require_private(
    path: pathlib.Path, state: Optional[os.stat_result] = None
) -> None:
    """Raises Error if a file or folder belongs to another user than this one
    and root, or if others may write it."""
    state = state or path.stat()
    if state.st_uid not in (os.geteuid(), 0):
        raise Error(f"{path} belongs to another user")
    if state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise Error(f"{path} can be written by others")


def require_private_folders(path: pathlib.Path) -> None:
    """Raises Error if others may replace the file that `path` names.

    They may if they can write one of the folders in which the path, or a
    symbolic link on its way, is looked up, unless the folder has the sticky
    bit, as /tmp has. A symbolic link that belongs to another user is an error,
    too.
    """
    folder, names = pathlib.Path("/"), list(reversed(path.absolute().parts[1:]))
    links = 0
    while names:
        state = folder.stat()
        if not state.st_mode & stat.S_ISVTX:
            require_private(folder, state)
        name = names.pop()
        if name == "..":
            folder = folder.parent
            continue
        found = folder / name
        if not found.is_symlink():
            folder = found
            continue
        links += 1
        if links > _MOST_LINKS:
            raise Error(f"{path} has too many symbolic links on its way")
        if found.lstat().st_uid not in (os.geteuid(), 0):
            raise Error(f"{found} belongs to another user")
        target = found.readlink()
        names += reversed(
            target.parts[1:] if target.is_absolute() else target.parts
        )
        if target.is_absolute():
            folder = pathlib.Path("/")


def read_private(path: pathlib.Path) -> bytes:
    """Reads a file. Raises Error if it belongs to others, or if they may write
    it."""
    with path.open("rb") as file:
        require_private(path, os.fstat(file.fileno()))
        return file.read()
