"""Cases that Hypothesis makes, and makes small."""

import hypothesis
from hypothesis import HealthCheck, Phase

# Of a case. The first that Hypothesis makes is the simplest that there is.
EXAMPLES = 6


class _Found(Exception):
    def __init__(self, finding):
        super().__init__(finding.key)
        self.finding = finding


def falsify(case, strategy, check, examples=EXAMPLES):
    """The findings of check(value), for values of `strategy`: none, or the
    first, made small."""
    phases = [Phase.generate] + [Phase.shrink] * case.shrinks
    keys = []

    @hypothesis.seed(case.hypothesis_seed)
    @hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=phases,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=hypothesis.Verbosity.quiet,
    )
    @hypothesis.given(strategy)
    def test(value):
        finding = check(value)
        if finding is None or keys and finding.verdict != keys[0]:
            # What shrinking turns into another defect is no smaller.
            return
        keys[:] = [finding.verdict]
        raise _Found(finding)

    try:
        test()
    except _Found as found:
        return [found.finding]
    return []
