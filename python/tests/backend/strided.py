"""Operators on tensors in many layouts, whose results are to have eager's
strides."""

import functools
import random
import warnings

import torch
from sweep import ABSENT, OK, WRONG, Outcome, device_of
from torch.utils._pytree import tree_leaves

F = torch.nn.functional

# Layouts. Each takes a contiguous tensor of four axes, and draws.


def _contiguous(x, draw):
    return x


def _channels_last(x, draw):
    return x.contiguous(memory_format=torch.channels_last)


def _transposed(x, draw):
    order = draw.sample(range(4), 4)
    back = [order.index(dim) for dim in range(4)]
    return x.permute(order).contiguous().permute(back)


def _expanded(x, draw):
    return x.narrow(draw.randrange(4), 0, 1).expand(x.shape)


def _stepped(x, draw):
    """Every second or third element of an axis of a wider tensor."""
    axis, step = draw.randrange(4), draw.choice((2, 3))
    wide = x.repeat_interleave(step, axis)
    return wide[(slice(None),) * axis + (slice(1, None, step),)]


def _of_one(x, draw):
    """An axis of one element, with any stride."""
    axis = draw.randrange(4)
    part = x.narrow(axis, 0, 1).contiguous()
    stride = list(part.stride())
    stride[axis] = draw.choice((0, 1, 2, 7, 1000))
    return part.as_strided(part.shape, stride)


def _overlapping(x, draw):
    """Elements that share their places, as windows do."""
    stride = [draw.randrange(1, 4) for _ in range(4)]
    return torch.randn(100).as_strided(x.shape, stride)


LAYOUTS = {
    "contiguous": _contiguous,
    "channels_last": _channels_last,
    "transposed": _transposed,
    "expanded": _expanded,
    "stepped": _stepped,
    "of_one": _of_one,
    "overlapping": _overlapping,
}

# Operators. Each draws, and gives a function of one tensor.


def _plainly(function):
    return lambda draw: function


def _along(function):
    """Of one of four axes."""

    def make(draw):
        axis = draw.randrange(4)
        return lambda x: function(x, axis)

    return make


def _across(function):
    """Of two axes."""

    def make(draw):
        axes = tuple(draw.sample(range(4), 2))
        return lambda x: function(x, axes)

    return make


def _chosen(function, *choices):
    def make(draw):
        choice = draw.choice(choices)
        return lambda x: function(x, choice)

    return make


def _named(module, names):
    return {name: getattr(module, name) for name in names.split()}


def _count(x, start, end):
    """Numbers where `x` is, as graphs may not know the default device."""
    return torch.arange(float(start), float(end), device=x.device)


def _rows(x):
    """One axis less: lines instead of images."""
    return x.flatten(0, 1)


def _volume(x):
    return x.unsqueeze(0)


def _filter(x, features=4, size=3):
    return torch.full((features, x.shape[1], size, size), 0.1)


def _single(x, axis):
    """A shape that has one element along an axis."""
    shape = list(x.shape)
    shape[axis] = 1
    return shape


def _zeros(*shape):
    return torch.zeros(shape, dtype=torch.int64)


def _first(x, axis):
    return x.narrow(axis, 0, 1)


def _resized(size=None, scale=None, **options):
    return lambda x: F.interpolate(x, size=size, scale_factor=scale, **options)


def _untied(function):
    """Which of equal elements it takes is nobody's promise: of places, only the
    layout is compared."""

    def chosen(x, axis):
        values, places = function(x, axis)
        return values, places * 0

    return _along(chosen)


ELEMENTWISE = {
    **_named(
        torch,
        """
        abs neg exp sin relu sigmoid tanh floor trunc sign erf square isnan
        logical_not round frac clone zeros_like ones_like""",
    ),
    **_named(
        F,
        """
        gelu silu mish elu softplus hardswish hardsigmoid hardtanh leaky_relu
        logsigmoid softsign tanhshrink softshrink""",
    ),
    "rrelu": lambda x: F.rrelu(x, training=False),
    "prelu": lambda x: F.prelu(x, torch.full((x.shape[1],), 0.2)),
    "dropout": lambda x: F.dropout(x, training=False) + 1,
    "to_f16": lambda x: x.half(),
    "to_f64": lambda x: x.double(),
    "to_truth": lambda x: x > 0,
    "scalar_minus": lambda x: 1.5 - x,
    "square_power": lambda x: x**2,
    "power_of_number": lambda x: 2.0**x,
    "clamp": lambda x: x.clamp(-0.5, 0.5),
    "masked_fill": lambda x: x.masked_fill(x > 0, 2.0),
    "where": lambda x: torch.where(x > 0, x, -1.0),
    "copysign": lambda x: torch.copysign(x, -1.0),
    "remainder": lambda x: torch.remainder(x, 0.75),
    "floor_divide": lambda x: torch.floor_divide(x, 0.3),
    "lerp": lambda x: torch.lerp(x, x * 2, 0.3),
    "addcmul": lambda x: torch.addcmul(x, x, x, value=0.5),
    "hypot": lambda x: torch.hypot(x, x),
    "in_place": lambda x: x.clone().mul_(2),
    "channels_last": lambda x: x.to(memory_format=torch.channels_last) * 2,
    "bucketize": lambda x: torch.bucketize(x, _count(x, -1, 2)),
    "one_hot": lambda x: F.one_hot((x > 0).long(), 3),
    "mse_loss": lambda x: F.mse_loss(x, x * 2, reduction="none"),
    "logits_loss": lambda x: F.binary_cross_entropy_with_logits(
        x, torch.ones_like(x), reduction="none"
    ),
}

BROADCAST = {
    "row": lambda x: x * _count(x, 0, x.shape[-1]),
    "column": lambda x: x + _count(x, 0, x.shape[1]).view(-1, 1, 1),
    "more_axes": lambda x: _count(x, 0, 2).view(2, 1, 1, 1, 1) + x,
    "outer": lambda x: x[:, :, :1] + x[..., :1],
    "contiguous_first": lambda x: torch.ones(x.shape) + x,
    "channels_last_second": lambda x: (
        x + torch.ones(x.shape).to(memory_format=torch.channels_last)
    ),
    "transposed_second": lambda x: torch.maximum(x, x.mT.contiguous().mT),
    "where_row": lambda x: torch.where(
        torch.ones(x.shape[-1], dtype=torch.bool), x, x.new_zeros(())
    ),
    "expand": lambda x: x.expand(2, *x.shape).exp(),
}

REDUCTIONS = {
    **{
        name: _along(lambda x, axis, of=of: of(x, dim=axis))
        for name, of in _named(
            torch,
            """
        sum amax argmax prod mean var logsumexp max min aminmax nansum
        count_nonzero cumsum cumprod cummax cummin logcumsumexp""",
        ).items()
    },
    # PyTorch 2.15 itself misreads some views here, so these get a copy.
    "median": _untied(lambda x, axis: x.clone().median(axis)),
    "nanmedian": _untied(lambda x, axis: x.clone().nanmedian(axis)),
    "mode": _untied(torch.mode),
    "any": _along(lambda x, axis: (x > 0).any(axis)),
    "kthvalue": _untied(lambda x, axis: x.kthvalue(1, axis)),
    "quantile": _along(lambda x, axis: x.quantile(0.25, axis)),
    "sum_keepdim": _across(lambda x, axes: x.sum(axes, keepdim=True)),
    "mean_two": _across(lambda x, axes: x.mean(axes)),
    "amin_keepdim": _across(lambda x, axes: x.amin(axes, keepdim=True)),
    "std_keepdim": _across(lambda x, axes: x.std(axes, keepdim=True)),
    "var_mean": _across(lambda x, axes: torch.var_mean(x, axes)),
    "norm": _along(lambda x, axis: x.norm(2, axis)),
    "vector_norm": _along(
        lambda x, axis: torch.linalg.vector_norm(x, 3, axis, keepdim=True)
    ),
    "median_keepdim": _untied(
        lambda x, axis: x.clone().median(axis, keepdim=True)
    ),
    "sort": _along(lambda x, axis: x.sort(dim=axis, stable=True)),
    "sort_descending": _along(
        lambda x, axis: x.sort(dim=axis, descending=True, stable=True)
    ),
    "argsort": _along(lambda x, axis: x.argsort(dim=axis, stable=True)),
    "topk": _untied(lambda x, axis: x.topk(1, axis)),
    "diff": _along(lambda x, axis: x.diff(dim=axis)),
    "trapezoid": _along(lambda x, axis: torch.trapezoid(x, dim=axis)),
    "cross_entropy": _plainly(
        lambda x: F.cross_entropy(
            x, _zeros(x.shape[0], *x.shape[2:]), reduction="none"
        )
    ),
    "cosine": _along(lambda x, axis: F.cosine_similarity(x, x * 2, axis)),
}

NORMS = {
    "softmax": _along(torch.softmax),
    "log_softmax": _along(torch.log_softmax),
    "softmax_f64": _along(lambda x, axis: x.softmax(axis, dtype=torch.float64)),
    # A row of an expanded axis is one number: with a small eps, results would
    # be the last bit of its mean, many times.
    "layer_norm": _plainly(lambda x: F.layer_norm(x, x.shape[-1:], eps=0.1)),
    "layer_norm_two": _plainly(
        lambda x: F.layer_norm(x, x.shape[-2:], eps=0.1)
    ),
    "layer_norm_channels": _plainly(
        lambda x: F.layer_norm(
            x.permute(0, 2, 3, 1), x.shape[1:2], eps=0.1
        ).permute(0, 3, 1, 2)
    ),
    "rms_norm": _plainly(lambda x: F.rms_norm(x, x.shape[-1:])),
    "group_norm": _plainly(lambda x: F.group_norm(x, 1)),
    "instance_norm": _plainly(F.instance_norm),
    "batch_norm": _plainly(
        lambda x: F.batch_norm(
            x, torch.zeros(x.shape[1]), torch.ones(x.shape[1])
        )
    ),
    "batch_norm_training": _plainly(
        lambda x: F.batch_norm(x, None, None, training=True)
    ),
    "local_response_norm": _plainly(lambda x: F.local_response_norm(x, 2)),
    "normalize": _along(lambda x, axis: F.normalize(x, dim=axis)),
    "renorm": _along(lambda x, axis: x.renorm(2, axis, 1.0)),
}

WINDOWS = {
    "max_pool1d": lambda x: F.max_pool1d(_rows(x), 3, 1, 1),
    "max_pool2d": lambda x: F.max_pool2d(x, 3, 2, 1, return_indices=True),
    "max_pool3d": lambda x: F.max_pool3d(_volume(x), 3, 1, 1),
    "avg_pool1d": lambda x: F.avg_pool1d(_rows(x), 3, 1, 1),
    "avg_pool2d": lambda x: F.avg_pool2d(x, 2, 1, 1),
    "avg_pool2d_ceil": lambda x: F.avg_pool2d(
        x, 3, 2, 1, ceil_mode=True, count_include_pad=False
    ),
    "avg_pool3d": lambda x: F.avg_pool3d(_volume(x), 2, 1, 1),
    "lp_pool2d": lambda x: F.lp_pool2d(x.abs(), 2, 1),
    "unfold_image": lambda x: F.unfold(x, 2, padding=1),
    "fold": lambda x: F.fold(
        F.unfold(x, 2, padding=1), x.shape[2:], 2, padding=1
    ),
    "pixel_shuffle": lambda x: F.pixel_shuffle(torch.cat([x] * 4, 1), 2),
    "pixel_unshuffle": lambda x: F.pixel_unshuffle(x.tile(2, 2), 2),
    "channel_shuffle": lambda x: F.channel_shuffle(torch.cat([x, x], 1), 2),
    "nearest1d": lambda x: F.interpolate(_rows(x), scale_factor=2),
    "nearest2d": _resized(scale=2),
    "nearest_size": _resized((5, 7)),
    "nearest_exact": _resized((5, 7), mode="nearest-exact"),
    "nearest3d": lambda x: F.interpolate(_volume(x), scale_factor=2),
    "linear1d": lambda x: F.interpolate(
        _rows(x), scale_factor=2, mode="linear"
    ),
    "bilinear": _resized(scale=2, mode="bilinear"),
    "bilinear_corners": _resized((5, 7), mode="bilinear", align_corners=True),
    "bicubic": _resized(scale=2, mode="bicubic"),
    "nearest_seen": lambda x: _resized((5, 7))(x) * 2 + 1,
    "bilinear_seen": lambda x: _resized(scale=2, mode="bilinear")(x) * 2 + 1,
    "trilinear": lambda x: F.interpolate(
        _volume(x), scale_factor=2, mode="trilinear"
    ),
    "area": _resized((2, 2), mode="area"),
    "grid_sample": lambda x: F.grid_sample(
        x, torch.full((x.shape[0], 2, 3, 2), 0.1), align_corners=False
    ),
    "conv": lambda x: F.conv2d(x, _filter(x), padding=1),
    "conv_pixels": lambda x: F.conv2d(x, _filter(x, size=1)),
    "conv_channels_last": lambda x: F.conv2d(
        x, _filter(x).to(memory_format=torch.channels_last), padding=1
    ),
    "conv_relu": lambda x: F.conv2d(x, _filter(x), padding=1).relu() + 1,
    "conv_depthwise": lambda x: F.conv2d(
        x, torch.full((x.shape[1], 1, 3, 3), 0.1), padding=1, groups=x.shape[1]
    ),
    "conv_transposed": lambda x: F.conv_transpose2d(
        x, _filter(x, size=2).transpose(0, 1), stride=2
    ),
    "conv1d": lambda x: F.conv1d(
        _rows(x), torch.full((4, x.shape[2], 3), 0.1), padding=1
    ),
    "conv3d": lambda x: F.conv3d(
        _volume(x), torch.full((4, x.shape[0], 1, 1, 1), 0.1)
    ),
    "pad": lambda x: F.pad(x, (1, 2)),
    "pad_value": lambda x: F.pad(x, (1, 2, 0, 1), value=1.5),
    "pad_all": lambda x: F.pad(x, (1, 0, 0, 1, 1, 0, 1, 1)),
    "pad_cut": lambda x: F.pad(x, (-1, 2)),
    "pad_reflect": lambda x: F.pad(x, (1, 1, 1, 1), mode="reflect"),
    "pad_replicate": lambda x: F.pad(x, (1, 2, 0, 1), mode="replicate"),
    "pad_circular": lambda x: F.pad(x, (1, 1, 0, 1), mode="circular"),
}

MOVED = {
    "roll": lambda draw: functools.partial(
        torch.roll, shifts=draw.randrange(-3, 4), dims=draw.randrange(4)
    ),
    "roll_two": _across(lambda x, axes: x.roll((1, -2), axes)),
    "roll_flat": _plainly(lambda x: x.roll(2)),
    "roll_seen": _along(
        lambda x, axis: x.roll(1, axis).as_strided((2, 2), (1, 2))
    ),
    "flip": _along(lambda x, axis: x.flip(axis)),
    "flip_two": _across(lambda x, axes: x.flip(axes)),
    "rot90": _across(lambda x, axes: x.rot90(1, axes)),
    "tile": _plainly(lambda x: x.tile(2, 1, 1, 2)),
    "repeat": _plainly(lambda x: x.repeat(2, 1, 2, 1, 1)),
    "repeat_interleave": _along(lambda x, axis: x.repeat_interleave(2, axis)),
    "tril": _plainly(torch.tril),
    "triu": _plainly(lambda x: x.triu(1)),
    "diag_embed": _plainly(torch.diag_embed),
    "diagonal": _across(lambda x, axes: x.diagonal(0, *axes) * 1),
    "diagonal_view": _across(lambda x, axes: x.exp().diagonal(0, *axes)),
    "diagonal_copy": _across(lambda x, axes: torch.diagonal_copy(x, 0, *axes)),
    "diagonal_scatter": _plainly(
        lambda x: x.diagonal_scatter(torch.zeros(x.diagonal().shape))
    ),
    "unfold": _along(
        lambda x, axis: x.unfold(axis, min(2, x.shape[axis]), 1) * 1
    ),
    "unfold_view": _along(
        lambda x, axis: x.exp().unfold(axis, min(2, x.shape[axis]), 1)
    ),
    "unfold_sum": _along(
        lambda x, axis: x.unfold(axis, min(2, x.shape[axis]), 1).sum(-1)
    ),
    "permute": lambda draw: functools.partial(
        lambda order, x: x.permute(order) * 2, draw.sample(range(4), 4)
    ),
    "permute_copy": lambda draw: functools.partial(
        torch.permute_copy, dims=draw.sample(range(4), 4)
    ),
    "transpose": _across(lambda x, axes: x.transpose(*axes).exp()),
    "expand": _along(lambda x, axis: _first(x, axis).expand(x.shape) + 1),
    "narrow": _along(lambda x, axis: _first(x, axis) * 2),
    "slice": _plainly(lambda x: x[..., ::2] * 2),
    "select": _along(lambda x, axis: x.select(axis, 0) * 2),
    "squeeze": _along(lambda x, axis: x.squeeze(axis) * 2),
    "unsqueeze": _along(lambda x, axis: x.unsqueeze(axis) * 2),
    "flatten": _plainly(lambda x: x.flatten(1) * 2),
    "tokens": _plainly(lambda x: x.flatten(2).transpose(1, 2) * 2),
    "reshape": _plainly(lambda x: x.reshape(-1, x.shape[-1]) * 2),
    "split": _along(lambda x, axis: [part * 2 for part in x.split(1, axis)]),
    "unbind": _along(lambda x, axis: [part + 1 for part in x.unbind(axis)]),
    "cat": _along(lambda x, axis: torch.cat([x, x * 2], axis)),
    "cat_itself": _along(lambda x, axis: torch.cat([x, x], axis)),
    "stack": _along(lambda x, axis: torch.stack([x, x * 2], axis)),
    "slice_scatter": _along(
        lambda x, axis: x.slice_scatter(_first(x, axis) * 2, axis, 0, 1)
    ),
    "select_scatter": _along(
        lambda x, axis: x.select_scatter(x.select(axis, 0) * 2, axis, 0)
    ),
    "as_strided": _plainly(lambda x: x.exp().as_strided((2, 2), (1, 1))),
    "gather": _along(lambda x, axis: x.gather(axis, _zeros(*_single(x, axis)))),
    "index_select": _along(lambda x, axis: x.index_select(axis, _zeros(2))),
    "index": _plainly(lambda x: x[_zeros(2)]),
    "index_channels": _plainly(lambda x: x[:, _zeros(2)]),
    "index_apart": _plainly(lambda x: x[:, _zeros(2), :, _zeros(2)]),
    "index_side_by_side": _plainly(lambda x: x[..., _zeros(1, 2), _zeros(2)]),
    "take": _plainly(lambda x: x.take(_count(x, 0, 2).long())),
    "embedding": _plainly(
        lambda x: F.embedding((x > 0).long(), _count(x, 0, 4).view(2, 2))
    ),
    "scatter": _along(lambda x, axis: x.scatter(axis, _zeros(1, 1, 1, 1), 5.0)),
    "index_add": _along(
        lambda x, axis: x.index_add(axis, _zeros(1), _first(x, axis))
    ),
    "index_copy": _along(
        lambda x, axis: x.index_copy(axis, _zeros(1), _first(x, axis) * 2)
    ),
    "index_fill": _along(lambda x, axis: x.index_fill(axis, _zeros(1), 2.0)),
    "adaptive_avg_pool1d": _chosen(
        lambda x, size: F.adaptive_avg_pool1d(_rows(x), size), 1, 2, 3
    ),
    "adaptive_avg_pool2d": _chosen(
        F.adaptive_avg_pool2d, 1, 2, 3, (1, 2), (None, 1)
    ),
    "adaptive_avg_pool2d_one": _chosen(
        lambda x, size: F.adaptive_avg_pool2d(x[0], size), 1, 2, (1, 3)
    ),
    "adaptive_avg_pool3d": _chosen(
        lambda x, size: F.adaptive_avg_pool3d(_volume(x), size), 1, 2, 3
    ),
    "adaptive_max_pool2d": _chosen(
        lambda x, size: F.adaptive_max_pool2d(x, size, return_indices=True),
        1,
        2,
        3,
    ),
}

PRODUCTS = {
    "linear": lambda x: F.linear(x, torch.full((3, x.shape[-1]), 0.1)),
    "linear_bias": lambda x: F.linear(
        x, torch.full((3, x.shape[-1]), 0.1), torch.ones(3)
    ),
    "matmul": lambda x: x @ x.mT,
    "matmul_vector": lambda x: x @ torch.ones(x.shape[-1]),
    "bmm": lambda x: torch.bmm(x[0], x[0].mT),
    "mm": lambda x: torch.mm(x[0, :, 0].t(), x[0, :, 0]),
    "einsum": lambda x: torch.einsum(
        "bchw,cd->bdhw", x, torch.ones(x.shape[1], 4)
    ),
    "einsum_sum": lambda x: torch.einsum("bchw,bdhw->bcd", x, x),
    "tensordot": lambda x: torch.tensordot(x, torch.ones(x.shape[-1], 2), 1),
    "attention": lambda x: F.scaled_dot_product_attention(x, x, x),
    "attention_causal": lambda x: F.scaled_dot_product_attention(
        x, x * 1, x * 2, is_causal=True
    ),
    "attention_transposed": lambda x: F.scaled_dot_product_attention(
        *[x.transpose(1, 2)] * 3
    ),
    "cdist": lambda x: torch.cdist(x, x),
}

OPERATORS = (
    {
        name: make
        for table in (ELEMENTWISE, BROADCAST, WINDOWS, PRODUCTS)
        for name, make in (
            (name, _plainly(function)) for name, function in table.items()
        )
    }
    | REDUCTIONS
    | NORMS
    | MOVED
)


def _inputs(name, layout, number, seed):
    """A function and its tensor. Extents are small; some are 1."""
    draw = random.Random(f"{name} {layout} {number} {seed}")
    torch.manual_seed(draw.getrandbits(32))
    shape = [draw.randrange(2, 6) for _ in range(4)]
    if draw.random() < 0.25:
        shape[draw.randrange(4)] = 1
    x = LAYOUTS[layout](torch.randn(shape), draw)
    return OPERATORS[name](draw), x


def _tensors(value):
    return [
        leaf for leaf in tree_leaves(value) if isinstance(leaf, torch.Tensor)
    ]


def _strides(x):
    """Of axes that have several elements; others have any."""
    return [
        stride for extent, stride in zip(x.shape, x.stride()) if extent != 1
    ]


def _difference(got, wanted):
    """Of two results, in words; "" if there is none."""
    for x, y in zip(got, wanted, strict=True):
        if x.numel() and _strides(x) != _strides(y):
            return (
                f"strides of {list(y.shape)} are {x.stride()}, not {y.stride()}"
            )
    try:
        torch.testing.assert_close(
            got,
            wanted,
            rtol=1e-4,
            atol=1e-5,
            equal_nan=True,
            check_stride=False,
        )
    except AssertionError as error:
        return str(error).splitlines()[0]
    return ""


def try_layout(name, layout, number, seed, target="cpu"):
    """What becomes of an operator on a tensor of a layout."""
    torch._dynamo.reset()
    with torch.no_grad(), device_of(target), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        function, x = _inputs(name, layout, number, seed)
        try:
            wanted = function(x)
        except Exception as error:
            return Outcome(ABSENT, str(error))
        compiled = torch.compile(
            function,
            backend="grout",
            dynamic=False,
            options={"fallback": "eager", "min_block_size": 1},
        )
        try:
            got = compiled(x)
        except Exception as error:
            return Outcome(WRONG, f"{type(error).__name__}: {error}")
    difference = _difference(_tensors(got), _tensors(wanted))
    return Outcome(WRONG, difference) if difference else Outcome(OK)
