"""Inputs for operators of PyTorch that its own tests use, as they are and
in odd forms: views of memory in another order, empty, infinite."""

import dataclasses
import functools
import random
from typing import Callable

import torch
from sweep import ABSENT, Outcome, try_case
from torch.testing._internal import common_methods_invocations as invocations
from torch.testing._internal.common_utils import set_rng_seed
from torch.testing._internal.opinfo.core import BinaryUfuncInfo, UnaryUfuncInfo
from torch.utils._pytree import tree_leaves, tree_map

TYPES = {
    "f32": torch.float32,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f64": torch.float64,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
    "bool": torch.bool,
}

LARGEST = 1 << 16
"""Elements of a tensor; samples with more only take longer."""

MISSING = Outcome(ABSENT, "there are no more samples")

# What they give is in nobody's hands.
_UNDEFINED = (
    "empty",
    "empty_like",
    "empty_permuted",
    "empty_strided",
    "new_empty",
    "new_empty_strided",
)


class Exhausted(Exception):
    """An operator has fewer samples."""


_OPERATORS = {
    ".".join(
        filter(None, (operator.name, operator.variant_test_name))
    ): operator
    for operator in invocations.op_db
    if operator.name not in _UNDEFINED
}


def names(dtype):
    """Of the operators that PyTorch has in a type."""
    return [
        name
        for name, operator in _OPERATORS.items()
        if TYPES[dtype] in operator.supported_dtypes("cpu")
    ]


def _strided(x):
    """Every second element of a wider tensor."""
    if not x.dim():
        return x
    wide = x.new_zeros([*x.shape[:-1], 2 * x.shape[-1]])
    wide[..., 1::2] = x
    return wide[..., 1::2]


def _reversed(x):
    """With its axes in the opposite order in memory."""
    order = list(reversed(range(x.dim())))
    return x.permute(order).contiguous().permute(order)


def _offset(x):
    """One element behind the beginning of its memory."""
    return torch.cat([x.new_zeros(1), x.reshape(-1)])[1:].view(x.shape)


def _negated(x):
    """A view that negates what is in memory."""
    return x if x.dtype == torch.bool else torch._neg_view(-x)


def _repeated(x):
    """One row, again and again."""
    return x[:1].expand(x.shape) if x.dim() and x.shape[0] else x


def _empty(x):
    return x[:0] if x.dim() else x


def _scalar(x):
    return x.reshape(-1)[0] if x.numel() else x


def _extreme(x, is_elementwise):
    """Infinities, what is no number, zeros of both signs, the least and, as
    sums of them depend on their order, the square root of the largest."""
    if x.dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        info = torch.finfo(x.dtype)
        largest = info.max if is_elementwise else info.max**0.5
        values = [
            torch.inf,
            -torch.inf,
            torch.nan,
            0.0,
            -0.0,
            info.tiny,
            -info.tiny / 2,
            largest,
            -largest,
        ]
    elif is_elementwise and x.dtype != torch.bool:
        info = torch.iinfo(x.dtype)
        values = [info.max, info.min + 1, 0, -1]
    else:
        return x
    special = x.new_tensor(values)
    chosen = torch.randint(len(values), x.shape)
    return torch.where(torch.rand(x.shape) < 0.4, special[chosen], x)


def _plain(x):
    return x


VARIANTS = {
    "plain": _plain,
    "strided": _strided,
    "reversed": _reversed,
    "offset": _offset,
    "negated": _negated,
    "repeated": _repeated,
    "empty": _empty,
    "scalar": _scalar,
    "extreme": None,
}


@dataclasses.dataclass(frozen=True)
class Sample:
    """One call of an operator: the number of a sample, in a random order, and
    the form that its tensors are brought into."""

    operator: str
    number: int
    seed: int

    def _random(self, *more):
        return random.Random(repr((self.operator, self.seed, *more)))

    @functools.cached_property
    def variant(self):
        """Half of them are plain."""
        chosen = self._random(self.number)
        return (
            chosen.choice(list(VARIANTS)) if chosen.random() < 0.5 else "plain"
        )

    @property
    def is_elementwise(self) -> bool:
        return isinstance(
            _OPERATORS[self.operator], (BinaryUfuncInfo, UnaryUfuncInfo)
        )

    @property
    def function(self) -> Callable:
        operator = _OPERATORS[self.operator]
        return lambda args, kwargs: operator(*args, **kwargs)

    def inputs(self, dtype):
        """Positional arguments and named ones. Raises Exhausted if there are
        not so many samples."""
        set_rng_seed(self.seed)
        samples = [
            sample
            for sample in _OPERATORS[self.operator].reference_inputs(
                "cpu", dtype
            )
            if _is_small(sample)
        ]
        self._random().shuffle(samples)
        if self.number >= len(samples):
            raise Exhausted
        sample = samples[self.number]
        return tree_map(
            self._vary, [(sample.input, *sample.args), dict(sample.kwargs)]
        )

    def _vary(self, leaf):
        if not isinstance(leaf, torch.Tensor):
            return leaf
        if self.variant == "extreme":
            return _extreme(leaf, self.is_elementwise)
        return VARIANTS[self.variant](leaf)


def _tensors(value):
    return [
        leaf for leaf in tree_leaves(value) if isinstance(leaf, torch.Tensor)
    ]


def _is_small(sample):
    return all(
        leaf.layout == torch.strided and leaf.numel() <= LARGEST
        for leaf in _tensors([sample.input, sample.args, sample.kwargs])
    )


def _is_random(sample, dtype):
    """Whether a call depends on the state of the generator."""
    results = []
    for seed in range(2):
        inputs = sample.inputs(dtype)
        torch.manual_seed(seed)
        results.append(_tensors(sample.function(*inputs)))
    return not all(map(_is_same, *results))


def _is_same(x, y):
    return x.shape == y.shape and bool(((x == y) | ((x != x) & (y != y))).all())


def try_sample(operator, number, seed, dtype, target):
    """The outcome of a sample; the type by its name. MISSING if there are not
    so many."""
    sample = Sample(operator, number, seed)
    try:
        if _is_random(sample, TYPES[dtype]):
            return Outcome(ABSENT, "it is random")
    except Exhausted:
        return MISSING
    except Exception as error:
        return Outcome(ABSENT, str(error))
    return try_case(sample, TYPES[dtype], target)
