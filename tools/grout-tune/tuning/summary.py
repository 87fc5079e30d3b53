"""`report`: the model's choices beside the tuned ones."""

import collections

# The model's choice is close if it takes at most this many times as long as
# the tuned choice.
CLOSE = 1.05

Row = collections.namedtuple("Row", "name key mode model tuned")


def _rows_of(lines):
    """Yields a row for each mode, and a row for the mode that auto should have
    chosen."""
    lines = [line for line in lines if not line.get("eliminated")]
    first = lines[0] if lines else None
    for mode in dict.fromkeys(line["mode"] for line in lines):
        of_mode = [line for line in lines if line["mode"] == mode]
        model = next((line for line in of_mode if line.get("model")), None)
        if model:
            yield Row(
                first.get("name", ""),
                first["key"],
                mode,
                model,
                min(of_mode, key=lambda line: line["us"]),
            )
    auto = next((line for line in lines if line.get("auto")), None)
    if auto:
        yield Row(
            first.get("name", ""),
            first["key"],
            "auto",
            auto,
            min(lines, key=lambda line: line["us"]),
        )


def rows(database):
    return [
        (kind, row)
        for target, kind, key in database.cases()
        for row in _rows_of(database.lines(target, kind, key))
    ]


def _choice(line, with_mode):
    tilings = " ".join(line["tilings"])
    return f"{line['mode']} {tilings}" if with_mode else tilings


def _table(found):
    lines = [
        "| name | key | mode | model's choice | us | tuned choice | us | "
        "model / tuned |",
        "|" + "---|" * 8,
    ]
    for row in found:
        auto = row.mode == "auto"
        same = row.model is row.tuned
        lines.append(
            f"| {row.name} | `{row.key}` | {row.mode} | "
            f"`{_choice(row.model, auto)}` | {row.model['us']:.2f} | "
            + ("the same" if same else f"`{_choice(row.tuned, auto)}`")
            + f" | {row.tuned['us']:.2f} | "
            f"{row.model['us'] / row.tuned['us']:.3f} |"
        )
    return lines


def describe_origin(origin):
    device, driver = origin
    return (
        f"{device or 'unknown GPU'}, "
        f"{f'driver {driver}' if driver else 'unknown driver'}"
    )


def provenance(database):
    """Says where the times were measured, and warns if they do not compare."""
    origins, mixed = database.origins()
    text = "measured on " + "; ".join(
        sorted(
            f"{describe_origin(origin)} ({count} shapes)"
            for origin, count in origins.items()
        )
    )
    if len(origins) > 1:
        text += (
            "\nwarning: times of different GPUs or drivers do not "
            f"compare, and {mixed} of {len(database.cases())} shapes mix "
            "them; grout-tune run --again measures anew"
        )
    return text


def document(database):
    """Returns the tables, and how often the model is close."""
    found = rows(database)
    lines, shares = [], []
    for kind in ("product", "chain"):
        of_kind = [row for row_kind, row in found if row_kind == kind]
        if not of_kind:
            continue
        lines += [f"## {kind.capitalize()}s", "", *_table(of_kind), ""]
        for mode in dict.fromkeys(row.mode for row in of_kind):
            ratios = [
                row.model["us"] / row.tuned["us"]
                for row in of_kind
                if row.mode == mode
            ]
            close = sum(ratio <= CLOSE for ratio in ratios)
            shares.append(
                f"{kind}s, {mode}: the model is within 5 % of the tuned choice "
                f"on {close} of {len(ratios)} ({close / len(ratios):.0%}); "
                f"at most {max(ratios) - 1:.1%} above it"
            )
    if not found:
        lines.append(
            "no line is marked as the model's choice; with inputs, the "
            "report asks the compiler for it"
        )
    return "\n".join([*lines, provenance(database), *shares])
