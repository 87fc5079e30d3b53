"""Bytes, as people read them."""

import pytest

from grout._sizes import text_of


@pytest.mark.parametrize(
    "size, text",
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (43264, "43.3 kB"),
        (999_949, "999.9 kB"),
        (999_950, "1.0 MB"),
        (1_500_000_000, "1.5 GB"),
        (2 * 10**15, "2000.0 TB"),
    ],
)
def test_text(size, text):
    assert text_of(size) == text
