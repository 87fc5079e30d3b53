"""`report` with inputs: compares the model of this build with measured times.
`modelled_us` in a database comes from the build that compiled the
candidates."""

import collections
import statistics

from tuning.summary import CLOSE

# The text of a tiling, and its measured and modelled time.
Tiling = collections.namedtuple("Tiling", "text us modelled")
Row = collections.namedtuple("Row", "name key chosen best known")


def get_refined(product, tiling):
    """Returns the tiling of `product` that `tiling` refines, for which the
    model has the same time. If it refines none, returns `tiling`."""
    return next(
        (
            item["refines"]
            for item in product["candidates"]
            if item["tiling"] == tiling and "refines" in item
        ),
        tiling,
    )


def _ratio(row):
    return row.chosen.us / row.best.us


def _row(name, product, lines):
    """Returns a row for a product, or None if no listed tiling has been
    measured. Also returns the measured tilings that the compiler lists. The
    row's choice is the model's choice. If that has not been measured, it is
    the tiling that the choice refines, which has the same modelled time. If
    that has not been measured either, it is the measured tiling that is the
    fastest by the model."""
    modelled = {item["tiling"]: item["us"] for item in product["candidates"]}
    tilings = [
        (
            Tiling(
                line["tilings"][0], line["us"], modelled.get(line["tilings"][0])
            ),
            line,
        )
        for line in lines
    ]
    listed = [tiling for tiling, _ in tilings if tiling.modelled is not None]
    compared = [
        tiling for tiling, line in tilings if not line.get("eliminated")
    ]
    if not listed or not compared:
        return None, listed
    choice = product["choice"]
    chosen = next(
        (
            tiling
            for text in (choice, get_refined(product, choice))
            for tiling in listed
            if tiling.text == text
        ),
        None,
    )
    known = chosen is not None
    if not known:
        chosen = min(listed, key=lambda tiling: tiling.modelled)
    best = min([*compared, chosen], key=lambda tiling: tiling.us)
    return Row(name, product["key"], chosen, best, known), listed


def judge(functions, target, database):
    """Returns rows for all products of (name, function) pairs that have a
    choice and are in the database, the worst first. Also returns all measured
    tilings of these products, and the names of products that are not in the
    database."""
    rows, listed, missing = {}, [], {}
    for name, function in functions:
        for index, product in enumerate(function["products"]):
            key = product["key"]
            if key in rows or len(product["candidates"]) < 2:
                continue
            several = len(function["products"]) > 1
            label = f"{name} product {index}" if several else name
            row, tilings = _row(
                label, product, database.lines(target, "product", key)
            )
            if row:
                rows[key] = row
                listed += tilings
            else:
                missing.setdefault(key, label)
    return (
        sorted(rows.values(), key=_ratio, reverse=True),
        listed,
        list(missing.values()),
    )


def _cell(tiling):
    modelled = "-" if tiling.modelled is None else f"{tiling.modelled:.2f}"
    return f"`{tiling.text}` | {tiling.us:.2f} | {modelled}"


def document(rows, listed, missing):
    lines = [
        "| name | key | model's choice | us | modelled | fastest | us | "
        "modelled | choice / fastest |",
        "|" + "---|" * 9,
    ]
    for row in rows:
        mark = "" if row.known else "*"
        lines.append(
            f"| {row.name}{mark} | `{row.key}` | {_cell(row.chosen)} "
            f"| {_cell(row.best)} | {_ratio(row):.3f} |"
        )
    lines.append("")
    unknown = sum(not row.known for row in rows)
    if unknown:
        lines.append(
            f"* {unknown} of {len(rows)}: the choice has not been "
            "measured; the model's best of what has stands for it"
        )
    if missing:
        lines.append(f"not measured: {', '.join(missing)}")
    ratios = [_ratio(row) for row in rows]
    close = sum(ratio <= CLOSE for ratio in ratios)
    lines.append(
        f"the model's choice is within 5 % of the fastest for {close} "
        f"of {len(rows)} products ({close / len(rows):.1%}); "
        f"{statistics.mean(ratios) - 1:.1%} slower on average, "
        f"{max(ratios) - 1:.1%} at most"
    )
    errors = sorted(tiling.modelled / tiling.us for tiling in listed)
    tenth = len(errors) // 10
    lines.append(
        f"modelled / measured, of {len(errors)} tilings: median "
        f"{statistics.median(errors):.2f}, eight of ten from "
        f"{errors[tenth]:.2f} to {errors[-1 - tenth]:.2f}"
    )
    return "\n".join(lines)
