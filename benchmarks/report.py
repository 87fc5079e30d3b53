"""Formats results as text: as lines while they come in, and as Markdown
tables."""

import math

from errors import UserError

REGIMES = ("cool", "sustained")


def times(row, regime, group=None):
    """Returns the median microseconds of each variant that has a right
    result."""
    return {
        name: variant[regime]["median"]
        for name, variant in row["variants"].items()
        if regime in variant
        and "failed" not in variant
        and group in (None, variant["group"])
    }


def ratios(row, regime):
    """Returns how many times as fast as the best peer each variant of Grout is.
    The key None has the best of these ratios."""
    best = min(times(row, regime, "peer").values(), default=None)
    if best is None:
        return {}
    result = {
        name: best / value
        for name, value in times(row, regime, "grout").items()
    }
    return {None: max(result.values()), **result} if result else {}


def spread(variant, regime):
    """Returns the difference between the slowest and the fastest sample,
    relative to the median."""
    figures = variant[regime]
    return (figures["high"] - figures["low"]) / figures["median"]


def models(results):
    """Groups the rows by the name of their model, in order."""
    grouped = {}
    for row in results["rows"]:
        grouped.setdefault(row["case"]["name"], []).append(row)
    return grouped


def columns(results, group):
    """Returns the variants of a group in any row, in order of appearance."""
    return list(
        dict.fromkeys(
            name
            for row in results["rows"]
            for name, variant in row["variants"].items()
            if variant["group"] == group
        )
    )


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def console(row):
    """Returns a line for each regime, and lines about problems."""
    lines = []
    for regime in REGIMES:
        found = times(row, regime)
        if not found:
            continue
        line = "  ".join(f"{name} {value:.1f}" for name, value in found.items())
        ratio = ratios(row, regime)
        if ratio:
            best = max(list(ratio)[1:], key=ratio.get)
            line += f"  best peer/{best} {ratio[best]:.3f}"
        widest = max(spread(row["variants"][name], regime) for name in found)
        lines.append(f"{regime:9}  {line}  spread {widest:.1%}")
    errors = [
        variant["error"]
        for variant in row["variants"].values()
        if "error" in variant
    ]
    replayed = sum(
        "replays" in variant and "failed" not in variant
        for variant in row["variants"].values()
    )
    lines.append(
        f"errors up to {max(errors, default=math.nan):.1e}"
        + (f"; replays of {replayed} equal" if replayed else "")
        + f"; {row['seconds']:.1f} s"
    )
    for name, variant in row["variants"].items():
        for problem in ("refused", "failed"):
            if problem in variant:
                lines.append(
                    f"{name} {problem}: " + variant[problem].partition("\n")[0]
                )
    width = max(24, len(row["id"]))
    return "\n".join(
        f"{row['id'] if i == 0 else '':{width}}  {line}"
        for i, line in enumerate(lines)
    )


def _time_cell(row, name, regime):
    variant = row["variants"].get(name, {})
    for problem in ("refused", "failed"):
        if problem in variant:
            return problem
    return f"{variant[regime]['median']:,.1f}" if regime in variant else "-"


def _geomean_cell(all_ratios, name):
    values = [ratio[name] for ratio in all_ratios if name in ratio]
    if not values:
        return "-"
    cell = f"{geomean(values):.2f}"
    return (
        cell if len(values) == len(all_ratios) else f"{cell} (of {len(values)})"
    )


def _line(cells):
    return "| " + " | ".join(cells) + " |"


def table(results, regime):
    """Returns a Markdown table of microseconds and ratios, with a geometric
    mean for each model."""
    peers, ours = columns(results, "peer"), columns(results, "grout")
    heads = [
        "model",
        "M",
        *peers,
        *ours,
        "best peer / best",
        *(f"best peer / {name}" for name in ours),
    ]
    lines = [_line(heads), "|" + "---|" * len(heads)]
    for model, rows in models(results).items():
        all_ratios = [ratios(row, regime) for row in rows]
        for row, ratio in zip(rows, all_ratios):
            lines.append(
                _line(
                    [
                        model,
                        f"{row['case']['M']:,}",
                        *(
                            _time_cell(row, name, regime)
                            for name in peers + ours
                        ),
                        *(
                            f"{ratio[name]:.2f}" if name in ratio else "-"
                            for name in [None, *ours]
                        ),
                    ]
                )
            )
        lines.append(
            _line(
                [
                    model,
                    "geomean",
                    *([""] * len(peers + ours)),
                    *(
                        _geomean_cell(all_ratios, name)
                        for name in [None, *ours]
                    ),
                ]
            )
        )
    return "\n".join(lines)


def _how(results, regime):
    method = results["method"]
    if regime == "cool":
        return (
            f"medians of {method['bursts']} interleaved bursts with "
            f"{method['idle_ms']:g} ms of idle before each"
        )
    return (
        f"medians of {method['rounds']} turns of "
        f"{method['sustained_seconds']:g} s without idle, the first third "
        "of each left out"
    )


def document(results, regime):
    """Returns the table, and a sentence about its figures."""
    widest = max(
        (
            spread(variant, regime)
            for row in results["rows"]
            for variant in row["variants"].values()
            if regime in variant
        ),
        default=None,
    )
    if widest is None:
        raise UserError(f"there are no times of the regime '{regime}'")
    return (
        f"{results['title']}: microseconds, {regime} regime "
        f"({_how(results, regime)}), {results['device']['gpu']}, PyTorch "
        f"{results['device']['torch']}. Largest spread "
        f"{widest:.1%} of its median.\n\n{table(results, regime)}"
    )
