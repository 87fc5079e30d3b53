"""Runs the commands of a Markdown page that shows what they print.

Usage: commands.py PAGE TOOLS

A command is an indented block that begins with build/bin/, from where the tools
of the folder TOOLS are taken. It must succeed. If a block in fences follows
before the next command, this is what it prints, with `...` for what is left
out; how lines are broken and indented does not matter.
"""

import pathlib
import re
import subprocess
import sys

_ROOT = pathlib.Path(__file__).resolve().parents[2]
_BLOCK = re.compile(r"^```\w*\n(?P<shown>(?:(?!```).*\n)*)```$|"
                    r"^    (?P<command>build/bin/.*\n(?:    .*\n)*)",
                    re.MULTILINE)


def find_commands(text):
    """Pairs of a command and what it prints, or None."""
    commands = []
    for block in _BLOCK.finditer(text):
        if block["command"]:
            commands.append((block["command"], None))
        elif commands and commands[-1][1] is None:
            commands[-1] = (commands[-1][0], block["shown"])
    return commands


def find_missing(shown, printed):
    """The first part of `shown` that is not printed behind those before it;
    None if all are."""
    printed = " ".join(printed.split())
    start = 0
    for part in shown.split("..."):
        part = " ".join(part.split())
        place = printed.find(part, start)
        if place < 0:
            return part
        start = place + len(part)
    return None


def _run(command, tools):
    script = "set -e\n" + command.replace("build/bin/", f"{tools}/")
    return subprocess.run(
        ["bash", "-c", script], cwd=_ROOT, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False)


def _check(command, shown, tools):
    """What is wrong; empty if nothing is."""
    result = _run(command, tools)
    if result.returncode != 0:
        return f"exit status {result.returncode}:\n{result.stdout}"
    missing = find_missing(shown or "", result.stdout)
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
