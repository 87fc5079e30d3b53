"""What masks do."""

import pytest
import torch

from grout.torch.rewrites import masks

SHOWN = torch.ones(4, 6, dtype=torch.bool).tril()
ONLY_FIRST = torch.arange(6) == 0


@pytest.mark.parametrize(
    "shown, queries, kind",
    [
        (SHOWN, 4, masks.Kind.CAUSAL),
        (SHOWN.expand(2, 3, 4, 6), 4, masks.Kind.CAUSAL),
        (ONLY_FIRST, 1, masks.Kind.CAUSAL),
        # One row for all queries.
        (ONLY_FIRST, 4, masks.Kind.OTHER),
        (ONLY_FIRST[None, None, None], 4, masks.Kind.OTHER),
        (ONLY_FIRST < 2, 4, masks.Kind.NEUTRAL),
        # One column for all keys.
        (torch.ones(4, 1, dtype=torch.bool), 4, masks.Kind.NEUTRAL),
        (torch.arange(4)[:, None] > 0, 4, masks.Kind.OTHER),
    ],
)
def test_what_masks_do(shown, queries, kind):
    assert masks.kind_of(shown, queries, 6) is kind
    added = torch.where(shown, 0.0, -torch.inf)
    assert masks.kind_of(added, queries, 6) is kind
