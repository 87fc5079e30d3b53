"""Results of `memory.py run` as tables in Markdown."""

import json
import statistics
from collections import Counter

from errors import UserError

from memory_bound.names import AUTO, COPY

# Above this size an operator is to run about as fast as a copy.
LARGE = 64_000_000
_SHARE = 0.85


def load(paths):
    """The rows of all files."""
    rows, seen = [], {}
    for path in paths:
        for row in json.loads(path.read_text())["rows"]:
            if row["name"] in seen:
                raise UserError(
                    f"{row['name']} is in {seen[row['name']]} and in {path}"
                )
            seen[row["name"]] = path
            rows.append(row)
    return rows


def wrong(rows):
    """A line for each wrong result."""
    return [
        f"{row['name']} {name}: {outcome['wrong']}"
        for row in rows
        for name, outcome in row["variants"].items()
        if "wrong" in outcome
    ]


def _peers(rows):
    """All that is compared, the copy last."""
    names = dict.fromkeys(name for row in rows for name in row["variants"])
    return [name for name in names if name not in (AUTO, COPY)] + [COPY]


def _ratio(row, peer):
    times = [row["variants"].get(name, {}).get("us") for name in (peer, AUTO)]
    return times[0] / times[1] if all(times) else None


def _cell(row, peer):
    ratio = _ratio(row, peer)
    if ratio is not None:
        return f"{ratio:.2f}"
    outcome = row["variants"].get(peer, {})
    return next(
        (state for state in ("wrong", "refused") if state in outcome), "-"
    )


def _table(heads, lines, texts=1):
    """So many columns are text, the others numbers."""
    rule = "|" + "---|" * texts + "---:|" * (len(heads) - texts)
    head, *rest = [
        "| " + " | ".join(map(str, line)) + " |" for line in (heads, *lines)
    ]
    return "\n".join([head, rule, *rest])


def _ours(row):
    outcome = row["variants"].get(AUTO, {})
    return f"{outcome['us']:.1f}" if "us" in outcome else _cell(row, AUTO)


def line(row):
    """What run says of a row as soon as it has it."""
    return (
        f"{row['name']}: {row['bytes'] / 1e6:.1f} MB, {AUTO} {_ours(row)}; "
        + ", ".join(f"{peer} {_cell(row, peer)}" for peer in _peers([row]))
    )


def _rows(rows, peers):
    return _table(
        ["operator", "MB", f"{AUTO}, us", *peers],
        [
            [
                row["name"],
                f"{row['bytes'] / 1e6:.1f}",
                _ours(row),
                *(_cell(row, peer) for peer in peers),
            ]
            for row in rows
        ],
    )


def _summary(groups, peers):
    lines = []
    for title, rows in groups:
        for peer in peers:
            ratios = [
                ratio
                for row in rows
                if (ratio := _ratio(row, peer)) is not None
            ]
            if ratios:
                lines.append(
                    [
                        title,
                        peer,
                        len(ratios),
                        f"{statistics.geometric_mean(ratios):.2f}",
                        f"{min(ratios):.2f}",
                        f"{max(ratios):.2f}",
                    ]
                )
    return _table(
        ["operators", f"peer / {AUTO}", "compared", "geomean", "least", "most"],
        lines,
        texts=2,
    )


def _refusals(rows):
    reasons = Counter(
        (name, outcome["refused"])
        for row in rows
        for name, outcome in row["variants"].items()
        if "refused" in outcome
    )
    return (
        _table(
            ["variant", "refused because", "operators"],
            [
                [name, reason, count]
                for (name, reason), count in reasons.most_common()
            ],
            texts=2,
        )
        if reasons
        else ""
    )


def document(rows):
    """Ratios are of times, peer / ours: that of a copy is the share of its
    speed."""
    peers = _peers(rows)
    large = [row for row in rows if row["bytes"] > LARGE]
    groups = [("all", rows)]
    kinds = dict.fromkeys(row["group"] for row in rows)
    if len(kinds) > 1:
        groups += [
            (kind, [row for row in rows if row["group"] == kind])
            for kind in kinds
        ]
    title = f"> {LARGE // 1_000_000} MB"
    groups.append((title, large))
    shares = [
        ratio for row in large if (ratio := _ratio(row, COPY)) is not None
    ]
    parts = [_rows(rows, peers), _summary(groups, peers)]
    if shares:
        fast = sum(share >= _SHARE for share in shares)
        parts.append(
            f"{title}: {fast} of {len(large)} at {_SHARE:.0%} of a "
            "copy's speed or more."
        )
    parts.append(_refusals(rows))
    return "\n\n".join(part for part in parts if part)
