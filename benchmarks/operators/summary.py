"""Outcomes as a table by kind, in Markdown."""

import re
from collections import Counter

from operators import checking

_BAD = (
    checking.INVALID,
    checking.NOT_COMPILED,
    checking.FAILED,
    checking.NOT_RUN,
    checking.DIFFERS,
    checking.ILL_CONDITIONED,
)

_NUMBERS = re.compile(r"(?<![\w^])(?<!nor )\d+(?:x\d+)*")


def failures(outcomes):
    return [outcome for outcome in outcomes if outcome.status in _BAD]


def document(outcomes):
    kinds = list(dict.fromkeys(outcome.row.kind for outcome in outcomes))
    bad = [
        status
        for status in _BAD
        if any(outcome.status == status for outcome in outcomes)
    ]
    run = any(
        outcome.status
        not in (checking.COMPILES, checking.REFUSED, checking.NOT_COMPILED)
        for outcome in outcomes
    )
    heads = ["kind", "rows", "compile", *["agree"] * run, *bad, "refused"]
    lines = [
        "| " + " | ".join(heads) + " |",
        "|---|" + "---:|" * (len(heads) - 1),
    ]
    for kind in [*kinds, None]:
        counts = Counter(
            outcome.status
            for outcome in outcomes
            if kind in (outcome.row.kind, None)
        )
        total = counts.total()
        refused = counts[checking.REFUSED]
        wrong = counts[checking.INVALID] + counts[checking.NOT_COMPILED]
        cells = [
            kind or "all",
            total,
            total - refused - wrong,
            *[counts[checking.AGREES]] * run,
            *(counts[name] for name in bad),
            refused,
        ]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    # Those that differ in extents and positions are one.
    reasons = Counter(
        _NUMBERS.sub("N", outcome.reason)
        for outcome in outcomes
        if outcome.status == checking.REFUSED
    )
    if reasons:
        lines += ["", "| refused because | rows |", "|---|---:|"]
        lines += [
            f"| {reason} | {count} |" for reason, count in reasons.most_common()
        ]
    return "\n".join(lines)
