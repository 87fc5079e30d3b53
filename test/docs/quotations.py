"""Finds code in Markdown pages that is not in the file that it is from."""

import re

_QUOTATION = re.compile(
    r"(?P<text>(?:^.+\n)+)\n^```(?:c\+\+|cmake|python|tablegen)\n"
    r"(?P<code>(?:(?!```).*\n)*)```$",
    re.MULTILINE,
)
# A link to the example, or "From [file](path)", quotes.
_SOURCE = re.compile(
    r"\]\(([^)#]*examples/out-of-tree/[^)#]+)\)"
    r"|\bFrom\s+\[[^]]*\]\((?![^)#]*examples/out-of-tree/)([^)#]+)\)"
)


def find_quotations(text):
    """Pairs of the files that a paragraph links to, relative to the page, and
    the code below it."""
    for quotation in _QUOTATION.finditer(text):
        files = [
            path
            for paths in _SOURCE.findall(quotation["text"])
            for path in paths
            if path
        ]
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
