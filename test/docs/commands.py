"""Runs the commands of a Markdown page that shows what they print.

Usage: commands.py PAGE TOOLS

A command is an indented block that begins with build/bin/, from where the tools
of the folder TOOLS are taken. It runs in a temporary folder that has the
examples and tests, and must succeed. If a block in fences follows, this is what
it prints, with `...` for what is left out; blanks, and where lines are broken,
do not matter.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

_ROOT = pathlib.Path(__file__).resolve().parents[2]
_BLOCK = re.compile(
    r"^```.*\n(?P<shown>(?:(?!```).*\n)*)```$|"
    r"^    (?P<command>build/bin/.*\n(?:    .*\n)*)|"
    r"^(?P<heading>#+ )",
    re.MULTILINE,
)


def find_commands(text):
    """Pairs of a command and what it prints, which is empty if that is not
    shown."""
    commands = []
    is_open = False
    for block in _BLOCK.finditer(text):
        if block["command"]:
            commands.append((block["command"], ""))
        elif is_open and block["shown"]:
            commands[-1] = (commands[-1][0], block["shown"])
        is_open = bool(block["command"])
    return commands


def find_missing(shown, printed):
    """The first part of `shown` that is not printed behind those before it;
    None if all are."""
    printed = "".join(printed.split())
    start = 0
    for part in shown.split("..."):
        words = part.split()
        place = printed.find("".join(words), start)
        if place < 0:
            return " ".join(words)
        start = place + len("".join(words))
    return None


def _run(command, tools):
    script = "set -e\n" + command.replace("build/bin/", f"{tools}/")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("examples", "test"):
            (pathlib.Path(folder) / name).symlink_to(_ROOT / name)
        return subprocess.run(
            ["bash", "-c", script],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )


def _check(command, shown, tools):
    """What is wrong; empty if nothing is."""
    result = _run(command, tools)
    if result.returncode != 0:
        return f"exit status {result.returncode}:\n{result.stdout}"
    missing = find_missing(shown, result.stdout)
    if missing is None:
        return ""
    return f"does not print\n  {missing}\nbut\n{result.stdout}"


def main(page, tools):
    commands = find_commands(pathlib.Path(page).read_text(encoding="utf-8"))
    if not commands:
        sys.exit(f"{page}: no commands")
    for command, shown in commands:
        problem = _check(command, shown, tools)
        if problem:
            sys.exit(f"{page}: {command}{problem}")
    print(f"{len(commands)} commands")


if __name__ == "__main__":
    main(*sys.argv[1:])
