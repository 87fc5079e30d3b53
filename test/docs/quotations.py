"""Finds code in Markdown pages that is not in the file that it is from."""

import re

_QUOTATION = re.compile(
    r"(?P<text>(?:^.+\n)+)\n^```(?:c\+\+|cmake|tablegen)\n"
    r"(?P<code>(?:(?!```).*\n)*)```$",
    re.MULTILINE,
)
_SOURCE = re.compile(r"\]\((?P<path>[^)#]*examples/out-of-tree/[^)#]+)\)")


def find_quotations(text):
    """Pairs of the files that a paragraph links to, relative to the page, and
    the code below it."""
    for quotation in _QUOTATION.finditer(text):
        files = _SOURCE.findall(quotation["text"])
        if files:
            yield files, quotation["code"]


def find_wrong(page):
    """What `page` quotes wrongly, a line for each. Lines of `...` stand for
    what is left out."""
    problems = []
    for files, code in find_quotations(page.read_text(encoding="utf-8")):
        source = "".join(
            (page.parent / file).read_text(encoding="utf-8") for file in files
        )
        place = 0
        for part in re.split(r"^\.\.\.\n", code, flags=re.MULTILINE):
            place = source.find(part, place)
            if place < 0:
                problems.append(f"{page}: not in {' or '.join(files)}:\n{part}")
                break
            place += len(part)
    return problems
