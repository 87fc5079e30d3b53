"""The passes over graphs: their order, and one that is a file and no more."""

import pathlib
import shutil

import pytest
import torch

from grout.torch import rewrites
from grout.torch.rewrites import registry
from grout.torch.rewrites.rewrite import Rewrite

ORDER = [
    "collectives",
    "complex_numbers",
    "grouping",
    "views",
    "attention",
    "sinks",
    "adding",
    "constants",
    "bags",
    "patch_convolutions",
    "one_pixel_convolutions",
    "convolving",
    "concatenations",
    "layouts",
    "empties",
    "literals",
    "operand_types",
    "simplify",
    "decided",
    "ranges",
    "updates",
]

OUTSIDE = pathlib.Path(__file__).parent / "outside"

# Those whose reason is told if several have one.
REFUSALS = [
    "collectives",
    "attention",
    "unsupported",
    "adding",
    "patch_convolutions",
    "convolutions",
    "f32_products",
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder whose modules are rewrites, too."""
    monkeypatch.setattr(
        rewrites, "__path__", [*rewrites.__path__, str(tmp_path)]
    )
    registry.find.cache_clear()
    yield tmp_path
    registry.find.cache_clear()


def test_order():
    """Of these: there may be more."""
    found = registry.find()
    applied = [name for name, one in found.items() if one.apply]
    assert [name for name in applied if name in ORDER] == ORDER
    refusing = [name for name, one in found.items() if one.refusal]
    assert [name for name in refusing if name in REFUSALS] == REFUSALS


def test_a_rewrite_is_one_file(folder):
    shutil.copy(OUTSIDE / "cosines.py", folder)

    def model(x):
        return torch.cos(x) * 2 + torch.tan(x)

    x = torch.randn(40)
    from grout.torch import records

    with records.listen() as operators:
        got = torch.compile(
            model,
            backend="grout",
            options={"min_block_size": 1, "fallback": "eager"},
        )(x)
    assert torch.allclose(got, model(x), atol=1e-5)
    names = {one.operator: one.reason for one in operators}
    assert names["aten.sin.default"] == "" and "aten.cos.default" not in names
    assert names["aten.tan.default"] == "tan is ours"


def test_names_in_after_are_rewrites(folder):
    (folder / "lost.py").write_text(
        "from grout.torch.rewrites.rewrite import Rewrite\n"
        'REWRITE = Rewrite(after=("nothing",))\n'
    )
    with pytest.raises(ValueError, match="rewrite lost comes after nothing"):
        registry.find()


def test_modules_without_rewrite_are_none():
    assert "padding" not in registry.find()
    assert all(isinstance(one, Rewrite) for one in registry.find().values())
