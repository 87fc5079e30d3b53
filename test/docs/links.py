"""Finds links of Markdown pages that lead nowhere."""

import re
import urllib.parse

_FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.M | re.S)
_CODE = re.compile(r"`[^`]*`")
_LINK = re.compile(r"\]\(\s*<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)")
_DEFINITION = re.compile(r"^\[([^]]+)\]:\s+(\S+)\s*$", re.M)
_FILE = re.compile(r"\[([\w/.-]+\.(?:cpp|h|td|py))\](?![(\]])")
_HEADING = re.compile(r"^#+\s+(.*?)\s*#*$", re.M)
_ELSEWHERE = re.compile(r"^[a-z][a-z0-9+.-]*:|^//", re.I)


def _make_anchor(heading):
    """What GitHub makes of a heading: its words, joined by hyphens."""
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def find_anchors(text):
    """The names of all headings; equal ones are numbered."""
    anchors = set()
    for heading in _HEADING.findall(_FENCE.sub("", text)):
        anchor, number = _make_anchor(heading), 0
        while anchor in anchors:
            number += 1
            anchor = f"{_make_anchor(heading)}-{number}"
        anchors.add(anchor)
    return anchors


def _leave_out_code(text):
    return _CODE.sub("", _FENCE.sub("", text))


def find_links(text):
    """The targets of links, of definitions of links, and of images."""
    text = _leave_out_code(text)
    defined = [link for _, link in _DEFINITION.findall(text)]
    return _LINK.findall(text) + defined


def _find_unmatched(text):
    """Links to files by their names alone, such as [Wgmma.cpp], without a
    definition, and definitions without a link."""
    text = _leave_out_code(text)
    defined = {name for name, _ in _DEFINITION.findall(text)}
    used = set(_FILE.findall(_DEFINITION.sub("", text)))
    return sorted(defined ^ used)


def find_broken(page):
    """What is wrong with the links of `page`, a line for each."""
    text = page.read_text(encoding="utf-8")
    problems = [
        f"{page}: link or definition without the other: [{name}]"
        for name in _find_unmatched(text)
    ]
    for link in find_links(text):
        if _ELSEWHERE.match(link):
            continue
        name, _, anchor = urllib.parse.unquote(link).partition("#")
        target = page.parent / name if name else page
        if not target.exists():
            problems.append(f"{page}: no file {link}")
        elif (
            anchor
            and target.suffix == ".md"
            and anchor not in find_anchors(target.read_text(encoding="utf-8"))
        ):
            problems.append(f"{page}: no heading {link}")
    return problems
