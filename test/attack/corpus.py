"""The modules of Grout's tests and examples, and how they are used there."""

import dataclasses
import functools
import pathlib
import re
import shlex

ROOT = pathlib.Path(__file__).resolve().parents[2]
_FOLDERS = ("test", "examples")
# What test files say to lit and FileCheck.
_COMMENT = re.compile(r"^\s*//(?! -----).*\n?", re.M)
_DIVIDER = re.compile(r"^// -----.*$", re.M)
# Whole sentences about what tests expect, and files of their own.
_UNWANTED = re.compile(
    r"[<>%]|^-o$|^-$|^-?-verify-diagnostics|"
    r"^-?-split-input-file"
)


@dataclasses.dataclass(frozen=True)
class Module:
    """`commands` are lists of a tool's name and options, without its input."""

    name: str
    text: str
    commands: tuple


@functools.cache
def modules():
    """All, in the order of their names; parts between dividers are modules of
    their own."""
    return [
        module
        for folder in _FOLDERS
        for path in sorted((ROOT / folder).rglob("*.mlir"))
        for module in read(path)
    ]


def read(path):
    source = path.read_text()
    commands = tuple(map(tuple, run_lines(source)))
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    parts = [_COMMENT.sub("", part) for part in _DIVIDER.split(source)]
    return [
        Module(f"{name}#{i}", part.strip() + "\n", commands)
        for i, part in enumerate(parts)
        if part.strip()
    ]


def run_lines(source):
    """The commands of RUN lines that read the file itself."""
    joined = re.sub(r"\\\n//\s*RUN:", " ", source)
    found = []
    for line in re.findall(r"//\s*RUN:(.*)", joined):
        for segment in re.split(r"\||&&|;", line):
            command = _command(segment)
            if command and command not in found:
                found.append(command)
    return found


def _command(segment):
    try:
        words = shlex.split(segment)
    except ValueError:  # A quote that another segment closes.
        return None
    if words[:1] == ["not"]:
        words = words[1:]
    if (
        not words
        or "%s" not in words
        or words[0] not in ("grout-opt", "grout-compile")
    ):
        return None
    command = words[:1]
    skip = False
    for word in words[1:]:
        if skip or _UNWANTED.search(word):
            skip = word == "-o"
            continue
        command.append(word)
    return command


def passes(command):
    """The options of grout-opt's that name a pass, one by one."""
    return [
        word
        for word in command[1:]
        if word.startswith("-")
        and not word.startswith(("--mlir", "-mlir", "--allow", "-allow"))
    ]
