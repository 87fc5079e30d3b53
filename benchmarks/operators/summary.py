"""Outcomes as a table by kind, in Markdown."""

from collections import Counter

from operators import checking

_BAD = (checking.INVALID, checking.NOT_COMPILED, checking.DIFFERS,
        checking.ILL_CONDITIONED)


def failures(outcomes):
    return [outcome for outcome in outcomes if outcome.status in _BAD]


def document(outcomes):
    kinds = list(dict.fromkeys(outcome.row.kind for outcome in outcomes))
    bad = [status for status in _BAD
           if any(outcome.status == status for outcome in outcomes)]
    heads = ["kind", "rows", "emitted", "agree", *bad, "refused"]
    lines = ["| " + " | ".join(heads) + " |",
             "|---|" + "---:|" * (len(heads) - 1)]
    for kind in [*kinds, None]:
        counts = Counter(outcome.status for outcome in outcomes
                         if kind in (outcome.row.kind, None))
        total = counts.total()
        refused = counts[checking.REFUSED]
        cells = [kind or "all", total, total - refused,
                 counts[checking.AGREES], *(counts[name] for name in bad),
                 refused]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    reasons = Counter(outcome.reason for outcome in outcomes
                      if outcome.status == checking.REFUSED)
    if reasons:
        lines += ["", "| refused because | rows |", "|---|---:|"]
        lines += [f"| {reason} | {count} |"
                  for reason, count in reasons.most_common()]
    return "\n".join(lines)
