"""`report` with inputs: compares the choices of mode `auto` for whole chains
with measured times."""

import collections
import statistics

from tuning.judgement import get_refined
from tuning.summary import CLOSE

Row = collections.namedtuple("Row", "name chosen best")


def _ratio(row):
    return row.chosen["us"] / row.best["us"]


def _find(lines, mode, tilings):
    return next(
        (
            line
            for line in lines
            if line["mode"] == mode and line["tilings"] == tilings
        ),
        None,
    )


def _find_choice(lines, function, mode):
    """Returns the measurement of the choice, or of the tilings that it
    refines."""
    choice = function["choices"].get(mode)
    if not choice:
        return None
    refined = [
        get_refined(product, tiling)
        for product, tiling in zip(function["products"], choice)
    ]
    return _find(lines, mode, choice) or _find(lines, mode, refined)


def judge(functions, target, database):
    """Returns rows for those of the (name, function) pairs with several
    products whose choice is in the database, the worst first. Also returns the
    names of pairs for which the database only has other measurements."""
    rows, unknown = {}, {}
    for name, function in functions:
        key, mode = function["key"], function["auto"]
        lines = database.lines(target, "chain", key)
        if len(function["products"]) < 2 or not lines:
            continue
        chosen = _find_choice(lines, function, mode)
        if not chosen:
            unknown.setdefault(key, name)
            continue
        compared = [line for line in lines if not line.get("eliminated")]
        best = min([*compared, chosen], key=lambda line: line["us"])
        rows.setdefault(key, Row(name, chosen, best))
    return (
        sorted(rows.values(), key=_ratio, reverse=True),
        list(unknown.values()),
    )


def _cell(line):
    return f"`{line['mode']} {' '.join(line['tilings'])}` | {line['us']:.2f}"


def document(rows, unknown):
    lines = []
    if rows:
        lines += [
            "| name | auto's choice | us | fastest | us | choice / fastest |",
            "|" + "---|" * 6,
        ]
        lines += [
            f"| {row.name} | {_cell(row.chosen)} | {_cell(row.best)} "
            f"| {_ratio(row):.3f} |"
            for row in rows
        ]
        ratios = [_ratio(row) for row in rows]
        close = sum(ratio <= CLOSE for ratio in ratios)
        lines += [
            "",
            f"auto's choice is within 5 % of the fastest for {close} "
            f"of {len(rows)} chains ({close / len(rows):.1%}); "
            f"{statistics.mean(ratios) - 1:.1%} slower on average, "
            f"{max(ratios) - 1:.1%} at most",
        ]
    if unknown:
        lines.append(
            f"auto's choice was not measured of {len(unknown)} "
            f"chains: {', '.join(unknown)}"
        )
    return "\n".join(lines)
