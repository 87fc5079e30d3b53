"""Tables of decompositions: how operators are decomposed before Grout sees
them.

A table starts from PyTorch's core ATen decompositions. It leaves out operators
that are better kept whole (see `_KEPT`), and adds rules of this folder. The
table for the CPU also decomposes attention into GEMMs and sums.
"""

import contextvars
import functools
import itertools
import math
from typing import Any, Callable, Optional, Sequence

import torch
from torch import fx

from ... import targets
from ..graph import support
from . import (
    comparisons,
    encoders,
    extremes,
    functions,
    grouped,
    histograms,
    narrow,
    outer,
    quotients,
    resampling,
    scans,
    shapes,
    sorting,
    strides,
    windows,
)
from .extents import are_known, is_any_zero

aten = torch.ops.aten

Table = dict[Any, Callable[..., Any]]

# PyTorch's decompositions of these operators give other strides than eager.
_LAID_OUT = {aten._adaptive_avg_pool2d, *strides.CORRECTED}

# PyTorch's rules must not decompose these operators: Grout, or the fallback,
# does them better than their parts. Rules of this folder decompose some.
_KEPT = (
    aten.embedding_dense_backward,
    aten.hardswish_backward,
    aten._embedding_bag,
    aten.grid_sampler_2d,
    aten.upsample_linear1d,
    aten.upsample_bilinear2d,
    aten.upsample_trilinear3d,
    aten.upsample_nearest1d,
    aten.upsample_nearest2d,
    aten.upsample_nearest3d,
    aten.upsample_bicubic2d,
    aten.bernoulli,
    aten.max_unpool2d,
    aten.max_unpool3d,
    aten.index_put,
)

_NORMS = (
    aten.native_layer_norm,
    aten.native_group_norm,
    aten._native_batch_norm_legit_functional,
    aten._native_batch_norm_legit_no_training,
    aten._native_batch_norm_legit,
)

_MORE = (
    *_NORMS,
    aten.addmm,
    aten.addmv,
    aten.gelu,
    aten._softmax,
    aten._log_softmax,
    aten.logsumexp,
    aten.leaky_relu,
    aten.elu,
    aten.hardtanh,
    aten.softplus,
    aten._adaptive_avg_pool2d,
    aten.masked_fill,
    aten.log_sigmoid_forward,
    aten.native_dropout_backward,
    aten.expand_as,
    aten.clamp_min,
    aten.clamp_max,
    aten._to_copy,
    aten.full_like,
    # torch.export keeps these; for torch.compile, PyTorch decomposes them.
    aten.upsample_bilinear2d.vec,
    aten.upsample_nearest2d.vec,
)


@functools.cache
def for_cpu(has_f32_products: bool) -> Table:
    """Returns the table for graphs on the CPU. `has_f32_products` says whether
    the target has GEMMs of f32, in which attention then computes its scores."""
    return {
        **for_gpu(),
        **_as_eager(_attention(widens=has_f32_products)),
        **_statistics(widens=True),
        **functions.CPU_TABLE,
    }


def for_graph(module: fx.GraphModule) -> Table:
    """Returns the table for a graph that has been decomposed before. It serves
    the operators whose decomposition depends on extents."""
    return for_device(support.device_of(module))


def for_device(device: Optional[torch.device]) -> Table:
    """Returns the table for graphs on a device. None stands for several
    GPUs."""
    return (
        for_gpu()
        if device is None or device.type == "cuda"
        else for_cpu(targets.cpu().has_f32_products)
    )


@functools.cache
def for_gpu() -> Table:
    """Returns the table for graphs on a GPU. Attention stays whole until it is
    known for which attention Grout has kernels."""
    from torch._decomp import core_aten_decompositions, get_decompositions

    kept = set(_KEPT)
    table = {
        operator: function
        for operator, function in core_aten_decompositions().items()
        if _packet(operator) not in kept
    }
    table.update(get_decompositions(_MORE))
    for operator in _attention(widens=False):
        table.pop(operator, None)
    table.update(
        _as_eager(
            {
                operator: rule
                for operator, rule in table.items()
                if _packet(operator) in _LAID_OUT
            }
        )
    )
    for operator in (aten._softmax.default, aten._log_softmax.default):
        table[operator] = narrow.either(_softmax_of_none, table[operator])
    table.update(
        {
            aten.addmm.default: _addmm,
            aten.baddbmm.default: _baddbmm,
            aten.mean.default: _mean_of_all,
            aten.mean.dim: _mean,
            aten.split_with_sizes.default: _split,
            aten.squeeze.dims: _squeeze,
            aten.addbmm.default: _addbmm,
            aten.index_add.default: narrow.either(
                _index_add, table[aten.index_add.default]
            ),
            aten._trilinear.default: _trilinear,
            **extremes.TABLE,
            **functions.TABLE,
            **quotients.TABLE,
            **_statistics(widens=False),
            **_as_eager(_moved()),
        }
    )
    for operator in table:
        if _packet(operator) in _NORMS:
            table[operator] = _as_norm(table[operator])
        elif _packet(operator) in strides.OF_TWO:
            table[operator] = strides.as_eager(operator, table[operator])
    return comparisons.as_eager(narrow.widened(table))


def _moved() -> Table:
    """Returns the rules for operators that move or repeat elements, or that
    read several elements for one result."""
    tables: list[Table] = [
        {
            aten.roll.default: _roll,
            aten.rrelu_with_noise_functional.default: functions.rrelu,
        },
        encoders.TABLE,
        grouped.TABLE,
        histograms.TABLE,
        outer.TABLE,
        resampling.TABLE,
        scans.TABLE,
        shapes.TABLE,
        sorting.TABLE,
        windows.TABLE,
    ]
    return {
        operator: rule for table in tables for operator, rule in table.items()
    }


def _as_eager(table: Table) -> Table:
    return {
        operator: strides.as_eager(operator, rule)
        for operator, rule in table.items()
    }


def _packet(operator: Any) -> Any:
    return getattr(operator, "overloadpacket", operator)


def _addmm(
    bias: torch.Tensor,
    x: torch.Tensor,
    y: torch.Tensor,
    *,
    beta: Any = 1,
    alpha: Any = 1,
) -> torch.Tensor:
    return _scaled(bias, beta, torch.mm(x, y), alpha)


def _baddbmm(
    bias: torch.Tensor,
    x: torch.Tensor,
    y: torch.Tensor,
    *,
    beta: Any = 1,
    alpha: Any = 1,
) -> torch.Tensor:
    return _scaled(bias, beta, torch.bmm(x, y), alpha)


def _addbmm(
    bias: torch.Tensor,
    x: torch.Tensor,
    y: torch.Tensor,
    *,
    beta: Any = 1,
    alpha: Any = 1,
) -> torch.Tensor:
    return _scaled(bias, beta, torch.bmm(x, y).sum(0, dtype=x.dtype), alpha)


def _trilinear(
    x: torch.Tensor,
    y: torch.Tensor,
    z: torch.Tensor,
    new_x: Sequence[int],
    new_y: Sequence[int],
    new_z: Sequence[int],
    summed: Sequence[int],
    unroll_dim: int = 1,
) -> torch.Tensor:
    """Multiplies three tensors elementwise, after they get new axes, and sums
    the product over the axes `summed`."""
    for dim in sorted(new_x):
        x = x.unsqueeze(dim)
    for dim in sorted(new_y):
        y = y.unsqueeze(dim)
    for dim in sorted(new_z):
        z = z.unsqueeze(dim)
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    product = x.to(wide) * y.to(wide) * z.to(wide)
    return (product.sum(list(summed)) if summed else product).to(x.dtype)


def _scaled(
    bias: torch.Tensor, beta: Any, product: torch.Tensor, alpha: Any
) -> torch.Tensor:
    """Returns beta * bias + alpha * product, rounded once, as by a kernel that
    computes all of it."""
    wide = torch.float32 if product.dtype in narrow.HALVES else product.dtype
    result = product.to(wide)
    if alpha != 1:
        result = result * alpha
    if beta == 0:  # drops NaN in the bias, too
        return result.to(product.dtype)
    bias = bias.to(wide)
    return (result + (bias if beta == 1 else bias * beta)).to(product.dtype)


def _softmax_of_none(x: torch.Tensor, *_: Any) -> torch.Tensor:
    """Eager accepts tensors without elements, of any type."""
    return x.clone() if is_any_zero(*x.shape) else NotImplemented


def _dims(x: torch.Tensor, dim: Optional[Sequence[int]]) -> list[int]:
    """Returns the axes of a reduction as numbers from 0 on. None or an empty
    `dim` stands for all axes."""
    if not x.dim():
        return []
    return [d % x.dim() for d in dim] if dim else list(range(x.dim()))


def _mean(
    x: torch.Tensor,
    dim: Any,
    keepdim: bool = False,
    *,
    dtype: Optional[torch.dtype] = None,
) -> torch.Tensor:
    """Computes the mean, with the sum in f32 or better."""
    result = dtype or x.dtype
    if not result.is_floating_point:
        return NotImplemented
    dims = _dims(x, dim)
    count = math.prod(x.shape[d] for d in dims)
    wide = (
        torch.float64 if torch.float64 in (result, x.dtype) else torch.float32
    )
    return (x.to(wide).sum(dims, keepdim=keepdim) / count).to(result)


def _mean_of_all(
    x: torch.Tensor, *, dtype: Optional[torch.dtype] = None
) -> torch.Tensor:
    return _mean(x, None, dtype=dtype)


def _index_add(
    x: torch.Tensor,
    dim: int,
    index: torch.Tensor,
    source: torch.Tensor,
    *,
    alpha: Any = 1,
) -> torch.Tensor:
    """Adds truth values, where each `alpha` but 0 is 1."""
    if x.dtype != torch.bool or alpha == 1:
        return NotImplemented
    return torch.index_add(
        x, dim, index, source if alpha else torch.zeros_like(source)
    )


def _roll(
    x: torch.Tensor, shifts: Sequence[int], dims: Sequence[int] = ()
) -> torch.Tensor:
    """Rolls by two slices for each axis, instead of an index."""
    if not are_known(*shifts, *x.shape):
        return NotImplemented
    if not dims:
        return _roll(x.reshape(-1), shifts, [0]).reshape(x.shape)
    for shift, dim in zip(shifts, dims):
        extent = x.shape[dim]
        if extent and (start := -shift % extent):
            x = torch.cat(
                [x.narrow(dim, start, extent - start), x.narrow(dim, 0, start)],
                dim,
            )
    return x.clone()


def _squeeze(x: torch.Tensor, dims: Sequence[int]) -> torch.Tensor:
    removed = {dim % x.dim() for dim in dims} if x.dim() else set()
    return aten.view(
        x,
        [
            extent
            for dim, extent in enumerate(x.shape)
            if dim not in removed or extent != 1
        ],
    )


def _split(
    x: torch.Tensor, sizes: Sequence[int], dim: int = 0
) -> list[torch.Tensor]:
    starts = itertools.accumulate(sizes, initial=0)
    return [
        aten.slice(x, dim, start, start + size)
        for start, size in zip(starts, sizes)
    ]


_IN_NORM = contextvars.ContextVar("in_norm", default=False)
"""Whether a norm is being decomposed."""


def _as_norm(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Makes the variance in a norm's decomposition one of f32. PyTorch's norms
    compute it in f32 on the CPU, too."""

    @functools.wraps(rule)
    def decompose(*args: Any, **kwargs: Any) -> Any:
        token = _IN_NORM.set(True)
        try:
            return rule(*args, **kwargs)
        finally:
            _IN_NORM.reset(token)

    return decompose


def _statistics(widens: bool) -> Table:
    """Returns the rules of the variance, and of its root, with the mean and
    without. If `widens` is set, they are computed in f64."""

    def make_rule(has_root: bool, has_mean: bool) -> Callable[..., Any]:
        def decompose(
            x: torch.Tensor,
            dim: Any = None,
            *,
            correction: Any = None,
            keepdim: bool = False,
        ) -> Any:
            if x.is_complex():
                return NotImplemented
            spread, mean = _moments(x, dim, correction, keepdim, widens)
            spread = (spread.sqrt() if has_root else spread).to(x.dtype)
            return (spread, mean.to(x.dtype)) if has_mean else spread

        return decompose

    return {
        aten.std.correction: make_rule(has_root=True, has_mean=False),
        aten.std_mean.correction: make_rule(has_root=True, has_mean=True),
        aten.var.correction: make_rule(has_root=False, has_mean=False),
        aten.var_mean.correction: make_rule(has_root=False, has_mean=True),
    }


def _moments(
    x: torch.Tensor, dim: Any, correction: Any, keepdim: bool, widens: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """Computes the variance from differences from the mean, and the mean. As in
    eager, both are f64 if `widens` is set, since f32 could not hold the squares
    of large numbers, and f32 in norms."""
    dims = _dims(x, dim)
    is_wide = x.dtype == torch.float64 or (
        widens and x.dtype != torch.float16 and not _IN_NORM.get()
    )
    wide = x.double() if is_wide else x.float()
    count = math.prod(x.shape[d] for d in dims)
    mean = wide.sum(dims, keepdim=True) / count
    squares = (wide - mean).square().sum(dims, keepdim=keepdim)
    # Infinite or NaN where there are too few elements, as in PyTorch.
    divisor = max(count - (1 if correction is None else correction), 0)
    variance = squares / divisor if divisor else squares * math.inf
    return variance, mean if keepdim else mean.squeeze(dims)


def _attention(widens: bool) -> Table:
    rules: Table = {
        aten._scaled_dot_product_flash_attention_for_cpu.default: _attention_forward,
        aten._scaled_dot_product_flash_attention_for_cpu_backward.default: _attention_backward,
    }
    return {
        operator: functools.partial(rule, widens=widens)
        for operator, rule in rules.items()
    }


def _attention_scores(
    query: torch.Tensor,
    key: torch.Tensor,
    is_causal: bool,
    mask: Optional[torch.Tensor],
    scale: Optional[float],
    widens: bool,
) -> tuple[torch.Tensor, float]:
    """Returns the scores in f32 or better, and the scale. PyTorch's kernel does
    not round the product of queries and keys. Here this product is rounded to
    the type of the queries, unless `widens` is set, which widens both
    operands."""
    if scale is None:
        scale = 1 / math.sqrt(query.shape[-1])
    wide = _wide_type(query)
    if widens:
        query, key = query.to(wide), key.to(wide)
    scores = torch.matmul(query, key.transpose(-2, -1)).to(wide) * scale
    if is_causal:
        rows, columns = scores.shape[-2:]
        allowed = (
            torch.arange(columns, device=query.device)[None, :]
            <= torch.arange(rows, device=query.device)[:, None]
        )
        scores = torch.where(allowed, scores, -math.inf)
    if mask is not None and mask.dtype == torch.bool:
        scores = torch.where(mask, scores, -math.inf)
    elif mask is not None:
        scores = scores + mask.to(wide)
    return scores, scale


def _wide_type(x: torch.Tensor) -> torch.dtype:
    """Returns the type in which to sum."""
    return torch.float64 if x.dtype == torch.float64 else torch.float32


def _repeat_heads(x: torch.Tensor, query: torch.Tensor) -> torch.Tensor:
    """Repeats keys or values of grouped heads for each head of the query."""
    heads, groups = query.shape[1], x.shape[1]
    if heads == groups:
        return x
    b, _, length, size = x.shape
    return (
        x.unsqueeze(2)
        .expand(b, groups, heads // groups, length, size)
        .reshape(b, heads, length, size)
    )


def attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: Optional[torch.Tensor],
    is_causal: bool,
    scale: Optional[float],
) -> torch.Tensor:
    """Computes scaled_dot_product_attention without dropout. Query, key, value
    and result are [batch, heads, length, size]. In memory, the result is
    [batch, length, heads, size]."""
    result: torch.Tensor = _attention_forward(
        query, key, value, is_causal=is_causal, attn_mask=mask, scale=scale
    )[0]
    # PyTorch's GPU kernels give this order in memory.
    return result.transpose(1, 2).contiguous().transpose(1, 2)


def _attention_forward(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    attn_mask: Optional[torch.Tensor] = None,
    scale: Optional[float] = None,
    widens: bool = False,
) -> Any:
    """Returns the output, and the logsumexp of the scores for the backward
    pass."""
    if dropout_p != 0.0:
        return NotImplemented
    key, value = _repeat_heads(key, query), _repeat_heads(value, query)
    scores, _ = _attention_scores(
        query, key, is_causal, attn_mask, scale, widens
    )
    # A row whose scores are all masked has no largest score to subtract, and
    # its sum is 0. PyTorch's kernel gives 0 for it, and 0 as logsumexp.
    largest = scores.amax(-1, keepdim=True)
    largest = torch.where(largest == -math.inf, 0.0, largest)
    exponentials = torch.exp(scores - largest)
    total = exponentials.sum(-1, keepdim=True)
    total = torch.where(total == 0, 1.0, total)
    weights = (exponentials / total).to(query.dtype)
    output = torch.matmul(weights, value)
    logsumexp = (torch.log(total) + largest).squeeze(-1)
    return output, logsumexp


def _attention_backward(
    grad: torch.Tensor,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    output: torch.Tensor,
    logsumexp: torch.Tensor,
    dropout_p: float,
    is_causal: bool,
    *,
    attn_mask: Optional[torch.Tensor] = None,
    scale: Optional[float] = None,
    widens: bool = False,
) -> Any:
    if dropout_p != 0.0 or query.shape[1] != key.shape[1]:
        return NotImplemented
    scores, scale = _attention_scores(
        query, key, is_causal, attn_mask, scale, widens
    )
    weights = torch.exp(scores - logsumexp.unsqueeze(-1))
    narrow = weights.to(query.dtype)
    grad_value = torch.matmul(narrow.transpose(-2, -1), grad)
    wide = _wide_type(query)
    grad_weights = torch.matmul(grad, value.transpose(-2, -1)).to(wide)
    along = (grad.to(wide) * output.to(wide)).sum(-1, keepdim=True)
    grad_scores = (weights * (grad_weights - along) * scale).to(query.dtype)
    return (
        torch.matmul(grad_scores, key),
        torch.matmul(grad_scores.transpose(-2, -1), query),
        grad_value,
    )
