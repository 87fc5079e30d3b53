"""Single operators of PyTorch, to try the backend on."""

import dataclasses
import functools
from typing import Callable

import torch

F = torch.nn.functional


@dataclasses.dataclass(frozen=True)
class Case:
    """A function of tensors, and how to make each of them in a type."""

    name: str
    function: Callable
    makers: tuple
    is_elementwise: bool = False

    def inputs(self, dtype):
        torch.manual_seed(0)
        return [make(dtype) for make in self.makers]


def normal(*shape):
    return lambda dtype: torch.randn(shape).to(dtype)


def between(low, high, *shape):
    return lambda dtype: torch.empty(shape).uniform_(low, high).to(dtype)


def integers(low, high, *shape):
    return lambda dtype: torch.randint(low, high, shape)


def truth(*shape):
    return lambda dtype: torch.rand(shape) < 0.5


def odd(*shape):
    """Numbers, infinities and what is no number."""

    def make(dtype):
        x = torch.randn(shape)
        x.view(-1)[::7], x.view(-1)[1::7] = torch.inf, -torch.inf
        x.view(-1)[2::7] = torch.nan
        return x.to(dtype)

    return make


def ascending(count):
    return lambda dtype: torch.randn(count).sort()[0].to(dtype)


def distribution(*shape):
    return lambda dtype: torch.randn(shape).softmax(-1).to(dtype)


CASES: dict[str, Case] = {}

_X = normal(3, 17, 5)
_Y = normal(3, 17, 5)
_ROW = normal(5)
_UNIT = between(-0.9, 0.9, 3, 17, 5)
_POSITIVE = between(0.5, 3, 3, 17, 5)
_INTEGERS = integers(-9, 9, 3, 17, 5)
_COUNTS = integers(1, 7, 3, 17, 5)
_TRUTH = truth(3, 17, 5)
_IMAGE = normal(2, 3, 11, 9)


def _add(cases, *makers):
    """What says nothing of its inputs has those given here."""
    for name, case in cases.items():
        function, *own = case if isinstance(case, tuple) else (case,)
        assert name not in CASES, name
        CASES[name] = Case(name, function, tuple(own or makers))


def _named(module, names):
    return {name: getattr(module, name) for name in names.split()}


# Elementwise, of one tensor.

_add(
    _named(
        torch,
        """
    abs atan ceil cos cosh deg2rad erf erfc exp exp2 expm1 floor frac neg
    rad2deg relu round sgn sigmoid sign signbit sin sinc sinh square
    tan tanh trunc asinh nan_to_num isfinite isinf isnan isneginf isposinf
    isreal logical_not angle clone zeros_like ones_like""",
    ),
    _X,
)
_add(_named(torch, "acos asin atanh erfinv"), _UNIT)
_add(
    _named(
        torch,
        """
    log log10 log1p log2 reciprocal rsqrt sqrt digamma lgamma acosh
    i0""",
    ),
    between(1.1, 3, 3, 17, 5),
)
_add(
    {
        "logit": (torch.logit, between(0.1, 0.9, 3, 17, 5)),
        "bitwise_not": (torch.bitwise_not, _INTEGERS),
        "bitwise_not_truth": (torch.bitwise_not, _TRUTH),
        "abs_integers": (torch.abs, _INTEGERS),
        "neg_integers": (torch.neg, _INTEGERS),
        "sign_integers": (torch.sign, _INTEGERS),
        "round_decimals": lambda x: torch.round(x, decimals=2),
        "special_erfcx": torch.special.erfcx,
        "special_ndtr": torch.special.ndtr,
        "special_entr": (torch.special.entr, _POSITIVE),
        "special_log_ndtr": torch.special.log_ndtr,
        "exponent_2": lambda x: x**2,
        "exponent_3": lambda x: x**3,
        "exponent_half": (lambda x: x**0.5, _POSITIVE),
        "exponent_odd": (lambda x: x**1.7, _POSITIVE),
        "exponent_negative": (lambda x: x**-2, _POSITIVE),
        "scalar_to_power": lambda x: 2.0**x,
        "scalar_minus": lambda x: 1.5 - x,
        "scalar_over": (lambda x: 2.0 / x, _POSITIVE),
        "scalar_sum": lambda x: x + 1.5,
        "scalar_product": lambda x: x * 0.3,
        "scalar_remainder": lambda x: torch.remainder(x, 0.75),
        "to_f32": lambda x: x.to(torch.float32) + 1,
        "to_f16": lambda x: x.to(torch.float16) + 1,
        "to_bf16": lambda x: x.to(torch.bfloat16) + 1,
        "to_truth": lambda x: x.to(torch.bool),
        "to_i32": lambda x: (x * 10).to(torch.int32),
        "to_i64": lambda x: x.to(torch.int64),
        "from_truth": (lambda b: b.float(), _TRUTH),
        "from_integers": (lambda i: i.float(), _INTEGERS),
        "cast_down_f16": (lambda i: i.half(), _INTEGERS),
        "clamp": lambda x: x.clamp(-0.5, 0.7),
        "clamp_min": lambda x: x.clamp(min=0.1),
        "clamp_max": lambda x: x.clamp(max=0.1),
        "clamp_tensors": (torch.clamp, _X, normal(5), between(2, 3, 17, 1)),
        "dropout_eval": lambda x: F.dropout(x, 0.5, training=False) + 0.0,
        "masked_fill": (lambda x, m: x.masked_fill(m, -2.0), _X, _TRUTH),
        "masked_fill_rows": (
            lambda x, m: x.masked_fill(m, -torch.inf),
            _X,
            truth(17, 1),
        ),
        "where_scalar": (lambda m, x: torch.where(m, x, 0.0), _TRUTH, _X),
        "copysign_scalar": lambda x: torch.copysign(x, -1.0),
        "threshold": lambda x: F.threshold(x, 0.2, -1.0),
        "bitwise_shift_left": (lambda i: i << 2, _COUNTS),
        "bitwise_shift_right": (lambda i: i >> 1, _COUNTS),
        "full_like": lambda x: torch.full_like(x, 2.5),
        "frexp_mantissa": lambda x: torch.frexp(x)[0],
    },
    _X,
)

# Infinities and what is no number.

_ODD = odd(3, 17, 5)
_add(
    {
        f"{name}_odd": getattr(torch, name)
        for name in """
    isnan isinf isfinite relu sigmoid tanh exp log sqrt abs sign floor round
    logical_not argmax argmin sum amax amin max erf angle
    """.split()
    },
    _ODD,
)
_add(
    {
        f"{name}_odd": getattr(F, name)
        for name in """
    gelu silu relu6 hardtanh hardswish hardsigmoid softplus elu
    leaky_relu""".split()
    },
    _ODD,
)
_add(
    {
        "nan_to_num_odd": lambda x: torch.nan_to_num(x, 1.0, 2.0, -2.0),
        "eq_itself": lambda x: x == x,
        "ge_itself": lambda x: x >= x,
        "ne_itself": lambda x: x != x,
        "lt_itself": lambda x: x < x,
        "sub_itself": lambda x: x - x,
        "div_itself": lambda x: x / x,
        "mul_zero": lambda x: x * 0,
        "clamp_odd": lambda x: x.clamp(-0.5, 0.5),
        "clamp_min_odd": lambda x: x.clamp(min=0.5),
        "max_dim_odd": lambda x: x.max(1),
        "softmax_odd": lambda x: x.softmax(-1),
        "cumsum_odd": lambda x: x.cumsum(1),
        "cummax_odd": lambda x: x.cummax(1),
        "to_truth_odd": lambda x: x.to(torch.bool),
        "lt_odd": lambda x: x < 0.5,
        "ne_odd": lambda x: x != 0.5,
        "pow_odd": lambda x: x**3,
        "remainder_odd": lambda x: torch.remainder(x, 0.75),
        "max_pool2d_odd": (lambda x: F.max_pool2d(x, 2), odd(2, 3, 12, 8)),
        "maximum_odd": (torch.maximum, _ODD, _X),
        "minimum_odd": (torch.minimum, _X, _ODD),
        "fmax_odd": (torch.fmax, _ODD, _X),
        "fmin_odd": (torch.fmin, _X, _ODD),
        "hypot_odd": (torch.hypot, _X, _ODD),
        "hypot_both_odd": (lambda x, y: torch.hypot(x, y.flip(2)), _ODD, _ODD),
        "logaddexp_odd": (torch.logaddexp, _ODD, _ODD),
        "copysign_odd": (torch.copysign, _X, between(-1, 1, 3, 17, 5)),
    },
    _ODD,
)

# Activations.

_add(
    _named(
        F,
        """
    celu elu gelu hardshrink hardsigmoid hardswish hardtanh leaky_relu
    logsigmoid mish relu6 selu silu softplus softshrink softsign
    tanhshrink""",
    ),
    _X,
)
_add(
    {
        "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
        "elu_alpha": lambda x: F.elu(x, 0.7),
        "leaky_relu_slope": lambda x: F.leaky_relu(x, 0.3),
        "softplus_beta": lambda x: F.softplus(x, 2.0, 1.0),
        "hardtanh_limits": lambda x: F.hardtanh(x, -0.3, 0.4),
        "glu": (F.glu, normal(3, 17, 10)),
        "glu_rows": (lambda x: F.glu(x, 1), normal(3, 18, 5)),
        "prelu": (F.prelu, _X, normal(17)),
        "prelu_one": (F.prelu, _X, normal(1)),
        "rrelu_eval": lambda x: F.rrelu(x, training=False),
        "swiglu": (lambda x, y: F.silu(x) * y, _X, _Y),
        "geglu": (lambda x, y: F.gelu(x) * y, _X, _Y),
        "squared_relu": lambda x: F.relu(x).square(),
    },
    _X,
)

# Elementwise, of several tensors.

_add(
    _named(
        torch,
        """
    add sub mul atan2 maximum minimum fmax fmin hypot logaddexp logaddexp2
    copysign eq ne lt le gt ge logical_and logical_or logical_xor isclose
    heaviside dist""",
    ),
    _X,
    _Y,
)
_add(
    {
        "div": (torch.div, _X, _POSITIVE),
        "div_floor": (
            lambda x, y: torch.div(x, y, rounding_mode="floor"),
            _X,
            _POSITIVE,
        ),
        "div_trunc": (
            lambda x, y: torch.div(x, y, rounding_mode="trunc"),
            _X,
            _POSITIVE,
        ),
        "floor_divide": (torch.floor_divide, _INTEGERS, _COUNTS),
        "div_integers": (torch.div, _INTEGERS, _COUNTS),
        "div_trunc_integers": (
            lambda x, y: torch.div(x, y, rounding_mode="trunc"),
            _INTEGERS,
            _COUNTS,
        ),
        "fmod": (torch.fmod, _X, _POSITIVE),
        "fmod_large": (torch.fmod, between(1e3, 6e4, 3, 17, 5), _POSITIVE),
        "floor_divide_tenths": (
            torch.floor_divide,
            lambda dtype: torch.arange(60).to(dtype),
            lambda dtype: torch.full((60,), 0.1).to(dtype),
        ),
        "remainder": (torch.remainder, _X, _POSITIVE),
        "remainder_integers": (torch.remainder, _INTEGERS, _COUNTS),
        "pow": (torch.pow, _POSITIVE, _X),
        "float_power": (torch.float_power, _POSITIVE, _X),
        "xlogy": (torch.xlogy, _X, _POSITIVE),
        "ldexp": (torch.ldexp, _X, _COUNTS),
        "add_alpha": lambda x, y: torch.add(x, y, alpha=2),
        "sub_alpha": lambda x, y: torch.sub(x, y, alpha=0.5),
        "add_row": (torch.add, _X, _ROW),
        "add_column": (torch.add, _X, normal(17, 1)),
        "add_scalar_tensor": (torch.add, _X, normal()),
        "mul_outer": (torch.mul, normal(17, 1), normal(1, 5)),
        "mul_batch": (torch.mul, _X, normal(3, 1, 1)),
        "add_integers": (torch.add, _INTEGERS, _COUNTS),
        "mul_integers": (torch.mul, _INTEGERS, _COUNTS),
        "maximum_integers": (torch.maximum, _INTEGERS, _COUNTS),
        "eq_integers": (torch.eq, _INTEGERS, _COUNTS),
        "bitwise_and": (torch.bitwise_and, _INTEGERS, _COUNTS),
        "bitwise_or": (torch.bitwise_or, _INTEGERS, _COUNTS),
        "bitwise_xor": (torch.bitwise_xor, _INTEGERS, _COUNTS),
        "addcmul": (
            lambda x, y, z: torch.addcmul(x, y, z, value=0.5),
            _X,
            _Y,
            _X,
        ),
        "addcdiv": (
            lambda x, y, z: torch.addcdiv(x, y, z, value=0.5),
            _X,
            _Y,
            _POSITIVE,
        ),
        "lerp": (lambda x, y: torch.lerp(x, y, 0.3), _X, _Y),
        "lerp_tensor": (torch.lerp, _X, _Y, _UNIT),
        "where": (torch.where, _TRUTH, _X, _Y),
        "where_row": (torch.where, truth(5), _X, normal(17, 1)),
        "equal_scalar": lambda x, y: x > 0.25,
        "mixed_types": (lambda x, i: x * i, _X, _INTEGERS),
        "rsub": lambda x, y: torch.rsub(x, y, alpha=2),
        "true_divide": (torch.true_divide, _X, _POSITIVE),
        "residual_scale": lambda x, y: x + 0.1 * y,
        "cross": (torch.linalg.cross, normal(17, 3), normal(17, 3)),
        "nextafter": torch.nextafter,
        "gcd": (torch.gcd, _COUNTS, _COUNTS),
        "rotary": (
            lambda x, c, s: (
                x * c + torch.cat([-x[..., 4:], x[..., :4]], -1) * s
            ),
            normal(2, 17, 8),
            normal(17, 8),
            normal(17, 8),
        ),
    },
    _X,
    _Y,
)

# Reductions.

_add(
    {
        "sum": torch.sum,
        "sum_last": lambda x: x.sum(-1),
        "sum_first": lambda x: x.sum(0),
        "sum_middle_keepdim": lambda x: x.sum(1, keepdim=True),
        "sum_two": lambda x: x.sum((0, 2)),
        "sum_f32": lambda x: x.sum(-1, dtype=torch.float32),
        "sum_integers": (lambda i: i.sum(-1), _INTEGERS),
        "sum_truth": (lambda b: b.sum(-1), _TRUTH),
        "sum_long": (torch.sum, normal(2, 1031)),
        "mean": torch.mean,
        "mean_last": lambda x: x.mean(-1),
        "mean_two_keepdim": lambda x: x.mean((1, 2), keepdim=True),
        "prod": (torch.prod, between(0.8, 1.2, 3, 17)),
        "prod_last": (lambda x: x.prod(-1), _POSITIVE),
        "amax": lambda x: x.amax(-1),
        "amax_two": lambda x: x.amax((0, 2), keepdim=True),
        "amin": lambda x: x.amin(1),
        "aminmax": lambda x: torch.aminmax(x, dim=-1),
        "max_all": torch.max,
        "min_all": torch.min,
        "max_dim_ties": (lambda x: x.float().max(1), _COUNTS),
        "argmin_integers": (lambda i: i.argmin(-1), _COUNTS),
        "max_dim": lambda x: x.max(-1),
        "min_dim": lambda x: x.min(1, keepdim=True),
        "argmax": lambda x: x.argmax(-1),
        "argmax_keepdim": lambda x: x.argmax(1, keepdim=True),
        "argmax_all": torch.argmax,
        "argmin": lambda x: x.argmin(0),
        "all": torch.all,
        "all_last": (lambda b: b.all(-1), _TRUTH),
        "any": torch.any,
        "any_last": (lambda b: b.any(-1), _TRUTH),
        "var": torch.var,
        "var_last": lambda x: x.var(-1),
        "var_biased": lambda x: x.var(1, correction=0, keepdim=True),
        "std": torch.std,
        "std_last": lambda x: x.std(-1),
        "var_mean": lambda x: torch.var_mean(x, -1),
        "std_mean": lambda x: torch.std_mean(x, (0, 2)),
        "norm_2": lambda x: x.norm(2, -1),
        "norm_1": lambda x: x.norm(1, -1),
        "norm_inf": lambda x: x.norm(torch.inf, -1),
        "vector_norm": torch.linalg.vector_norm,
        "vector_norm_3": lambda x: torch.linalg.vector_norm(x, 3, -1),
        "matrix_norm": torch.linalg.matrix_norm,
        "logsumexp": lambda x: x.logsumexp(-1),
        "logsumexp_two": lambda x: x.logsumexp((0, 1)),
        "nansum": (lambda x: x.nansum(-1), _X),
        "nanmean": (lambda x: x.nanmean(-1), _X),
        "count_nonzero": lambda x: torch.count_nonzero(x, -1),
        "trace": (torch.trace, normal(17, 17)),
        "median": lambda x: x.median(-1)[0],
        "median_odd": (lambda x: x.median(-1, keepdim=True)[0], odd(3, 17, 5)),
        "median_of_all": (torch.median, normal(4, 8)),
        "nanmedian": (lambda x: x.nanmedian(1)[0], odd(3, 17, 5)),
        "nanmedian_integers": (lambda x: x.nanmedian(1)[0], _INTEGERS),
        "kthvalue": lambda x: x.kthvalue(4, 1)[0],
        "cdist": (torch.cdist, normal(2, 17, 5), normal(2, 7, 5)),
        "quantile": (lambda x: torch.quantile(x.float(), 0.25, -1), _X),
        "cov": (torch.cov, normal(5, 17)),
        "renorm": lambda x: torch.renorm(x, 2, 0, 1.0),
    },
    _X,
)

# Normalisation and softmax.

_add(
    {
        "layer_norm": lambda x: F.layer_norm(x, (5,)),
        "layer_norm_affine": (
            lambda x, w, b: F.layer_norm(x, (5,), w, b),
            _X,
            _ROW,
            _ROW,
        ),
        "layer_norm_two": lambda x: F.layer_norm(x, (17, 5)),
        "layer_norm_long": (
            lambda x, w, b: F.layer_norm(x, (257,), w, b),
            normal(7, 257),
            normal(257),
            normal(257),
        ),
        "rms_norm": lambda x: F.rms_norm(x, (5,)),
        "rms_norm_weight": (lambda x, w: F.rms_norm(x, (5,), w), _X, _ROW),
        "rms_norm_eps": (lambda x, w: F.rms_norm(x, (5,), w, 1e-6), _X, _ROW),
        "group_norm": (lambda x: F.group_norm(x, 2), normal(2, 6, 7, 5)),
        "group_norm_affine": (
            lambda x, w, b: F.group_norm(x, 3, w, b),
            normal(2, 6, 7, 5),
            normal(6),
            normal(6),
        ),
        "batch_norm": (
            lambda x, m, v: F.batch_norm(x, m, v),
            _IMAGE,
            normal(3),
            between(0.5, 2, 3),
        ),
        "batch_norm_affine": (
            lambda x, m, v, w, b: F.batch_norm(x, m, v, w, b),
            _IMAGE,
            normal(3),
            between(0.5, 2, 3),
            normal(3),
            normal(3),
        ),
        "batch_norm_rows": (
            lambda x, m, v: F.batch_norm(x, m, v),
            normal(17, 5),
            normal(5),
            between(0.5, 2, 5),
        ),
        "instance_norm": (F.instance_norm, _IMAGE),
        "instance_norm_affine": (
            lambda x, w, b: F.instance_norm(x, weight=w, bias=b),
            _IMAGE,
            normal(3),
            normal(3),
        ),
        "local_response_norm": (lambda x: F.local_response_norm(x, 2), _IMAGE),
        "normalize": lambda x: F.normalize(x, dim=-1),
        "normalize_1": lambda x: F.normalize(x, p=1.0, dim=1),
        "softmax": lambda x: x.softmax(-1),
        "softmax_scalar": (lambda x: x.softmax(0), normal()),
        "softmax_first": lambda x: x.softmax(0),
        "softmax_middle": lambda x: x.softmax(1),
        "softmax_f32": lambda x: x.softmax(-1, dtype=torch.float32),
        "softmax_long": (lambda x: x.softmax(-1), normal(5, 513)),
        "softmax_one": (lambda x: x.softmax(0), normal(17)),
        "log_softmax": lambda x: x.log_softmax(-1),
        "log_softmax_middle": lambda x: x.log_softmax(1),
        "softmin": lambda x: F.softmin(x, -1),
        "masked_softmax": (
            lambda x, m: x.masked_fill(m, -1e4).softmax(-1),
            _X,
            _TRUTH,
        ),
        "gumbel_like": lambda x: ((x + 1.0) / 0.5).softmax(-1),
    },
    _X,
)

# Losses.

_add(
    {
        "mse_loss": F.mse_loss,
        "mse_loss_sum": lambda x, y: F.mse_loss(x, y, reduction="sum"),
        "mse_loss_none": lambda x, y: F.mse_loss(x, y, reduction="none"),
        "l1_loss": F.l1_loss,
        "smooth_l1_loss": F.smooth_l1_loss,
        "huber_loss": F.huber_loss,
        "soft_margin_loss": F.soft_margin_loss,
        "binary_cross_entropy": (
            F.binary_cross_entropy,
            between(0.1, 0.9, 3, 17),
            between(0.1, 0.9, 3, 17),
        ),
        "binary_cross_entropy_with_logits": F.binary_cross_entropy_with_logits,
        "kl_div": (
            lambda x, y: F.kl_div(x.log_softmax(-1), y, reduction="batchmean"),
            _X,
            distribution(3, 17, 5),
        ),
        "cross_entropy": (F.cross_entropy, normal(17, 5), integers(0, 5, 17)),
        "cross_entropy_soft": (
            F.cross_entropy,
            normal(17, 5),
            distribution(17, 5),
        ),
        "nll_loss": (F.nll_loss, normal(17, 5), integers(0, 5, 17)),
        "poisson_nll_loss": F.poisson_nll_loss,
        "gaussian_nll_loss": (F.gaussian_nll_loss, _X, _Y, _POSITIVE),
        "hinge_embedding_loss": F.hinge_embedding_loss,
        "cosine_embedding_loss": (
            F.cosine_embedding_loss,
            normal(17, 5),
            normal(17, 5),
            normal(17),
        ),
        "cosine_similarity": lambda x, y: F.cosine_similarity(x, y, -1),
        "pairwise_distance": F.pairwise_distance,
        "margin_ranking_loss": (
            F.margin_ranking_loss,
            normal(17),
            normal(17),
            normal(17),
        ),
        "triplet_margin_loss": (
            F.triplet_margin_loss,
            normal(17, 5),
            normal(17, 5),
            normal(17, 5),
        ),
        "multilabel_soft_margin_loss": (
            F.multilabel_soft_margin_loss,
            normal(17, 5),
            between(0, 1, 17, 5),
        ),
        "multi_margin_loss": (
            F.multi_margin_loss,
            normal(17, 5),
            integers(0, 5, 17),
        ),
    },
    _X,
    _Y,
)

# Products.

_add(
    {
        "mm": (torch.mm, normal(17, 32), normal(32, 24)),
        "mm_ragged": (torch.mm, normal(17, 13), normal(13, 7)),
        "mm_transposed": (
            lambda x, y: x @ y.t(),
            normal(16, 32),
            normal(24, 32),
        ),
        "mm_left_transposed": (
            lambda x, y: x.t() @ y,
            normal(32, 16),
            normal(32, 24),
        ),
        "bmm": (torch.bmm, normal(3, 17, 16), normal(3, 16, 8)),
        "bmm_ragged": (torch.bmm, normal(3, 17, 5), normal(3, 5, 7)),
        "addmm": (torch.addmm, normal(24), normal(17, 32), normal(32, 24)),
        "addmm_scaled": (
            lambda b, x, y: torch.addmm(b, x, y, beta=0.5, alpha=2),
            normal(17, 24),
            normal(17, 32),
            normal(32, 24),
        ),
        "baddbmm": (
            torch.baddbmm,
            normal(3, 17, 8),
            normal(3, 17, 16),
            normal(3, 16, 8),
        ),
        "addbmm": (
            torch.addbmm,
            normal(17, 8),
            normal(3, 17, 16),
            normal(3, 16, 8),
        ),
        "mv": (torch.mv, normal(17, 32), normal(32)),
        "addmv": (torch.addmv, normal(17), normal(17, 32), normal(32)),
        "dot": (torch.dot, normal(33), normal(33)),
        "outer": (torch.outer, normal(17), normal(5)),
        "addr": (torch.addr, normal(17, 5), normal(17), normal(5)),
        "ger_like": (lambda x, y: x[:, None] * y[None], normal(17), normal(5)),
        "kron": (torch.kron, normal(3, 5), normal(2, 7)),
        "inner": (torch.inner, normal(17, 8), normal(5, 8)),
        "vecdot": (torch.linalg.vecdot, _X, _Y),
        "matmul_vector": (torch.matmul, normal(3, 17, 8), normal(8)),
        "matmul_3_2": (torch.matmul, normal(3, 17, 8), normal(8, 16)),
        "matmul_2_3": (torch.matmul, normal(17, 8), normal(3, 8, 16)),
        "matmul_3_3": (torch.matmul, normal(3, 17, 8), normal(3, 8, 16)),
        "matmul_4": (torch.matmul, normal(2, 3, 17, 8), normal(2, 3, 8, 16)),
        "matmul_broadcast": (
            torch.matmul,
            normal(2, 1, 17, 8),
            normal(3, 8, 16),
        ),
        "linear": (F.linear, normal(3, 17, 32), normal(24, 32)),
        "linear_bias": (
            F.linear,
            normal(3, 17, 32),
            normal(24, 32),
            normal(24),
        ),
        "linear_2d": (F.linear, normal(16, 32), normal(24, 32), normal(24)),
        "linear_ragged": (F.linear, normal(17, 5), normal(7, 5), normal(7)),
        "bilinear": (F.bilinear, normal(17, 5), normal(17, 7), normal(3, 5, 7)),
        "einsum_product": (
            lambda x, y: torch.einsum("ik,kj->ij", x, y),
            normal(17, 32),
            normal(32, 24),
        ),
        "einsum_batch": (
            lambda x, y: torch.einsum("bhid,bhjd->bhij", x, y),
            normal(2, 3, 17, 8),
            normal(2, 3, 16, 8),
        ),
        "einsum_rows": (
            lambda x, y: torch.einsum("bik,k->bi", x, y),
            normal(3, 17, 8),
            normal(8),
        ),
        "einsum_sum": (lambda x: torch.einsum("ijk->ik", x), _X),
        "einsum_diagonal": (
            lambda x: torch.einsum("ii->i", x) + 1,
            normal(17, 17),
        ),
        "einsum_outer": (
            lambda x, y: torch.einsum("i,j->ij", x, y),
            normal(17),
            normal(5),
        ),
        "tensordot": (
            lambda x, y: torch.tensordot(x, y, 1),
            normal(3, 17, 8),
            normal(8, 16),
        ),
        "multi_dot": (
            lambda *x: torch.linalg.multi_dot(x),
            normal(16, 32),
            normal(32, 8),
            normal(8, 24),
        ),
        "matrix_power": (
            lambda x: torch.linalg.matrix_power(x, 2),
            normal(16, 16),
        ),
        "linear_relu": (
            lambda x, w, b: F.relu(F.linear(x, w, b)),
            normal(17, 32),
            normal(24, 32),
            normal(24),
        ),
        "linear_gelu": (
            lambda x, w, b: F.gelu(F.linear(x, w, b)),
            normal(17, 32),
            normal(24, 32),
            normal(24),
        ),
    }
)

# Attention: batch, heads, length, size.

_Q, _K = normal(2, 4, 17, 8), normal(2, 4, 17, 8)
_attention = F.scaled_dot_product_attention
_add(
    {
        "attention": _attention,
        "attention_causal": functools.partial(_attention, is_causal=True),
        "attention_scale": functools.partial(_attention, scale=0.2),
        "attention_mask": (_attention, _Q, _K, _K, truth(17, 17)),
        "attention_bias": (_attention, _Q, _K, _K, normal(2, 1, 17, 17)),
        "attention_cross": (
            _attention,
            _Q,
            normal(2, 4, 23, 8),
            normal(2, 4, 23, 8),
        ),
        "attention_grouped": (
            functools.partial(_attention, enable_gqa=True),
            _Q,
            normal(2, 2, 17, 8),
            normal(2, 2, 17, 8),
        ),
        "attention_grouped_causal": (
            functools.partial(_attention, enable_gqa=True, is_causal=True),
            normal(2, 4, 16, 16),
            normal(2, 1, 16, 16),
            normal(2, 1, 16, 16),
        ),
        "attention_one_query": (_attention, normal(2, 4, 1, 8), _K, _K),
        "attention_3d": (
            _attention,
            normal(4, 17, 8),
            normal(4, 17, 8),
            normal(4, 17, 8),
        ),
        "attention_64": (
            functools.partial(_attention, is_causal=True),
            normal(1, 2, 64, 64),
            normal(1, 2, 64, 64),
            normal(1, 2, 64, 64),
        ),
    },
    _Q,
    _K,
    _K,
)

# Shapes. What would be a view is made dense.

_add(
    {
        name: (lambda function: lambda *x: function(*x).contiguous())(function)
        for name, function in {
            "permute": lambda x: x.permute(2, 0, 1),
            "transpose": lambda x: x.transpose(0, 1),
            "matrix_transpose": lambda x: x.mT,
            "movedim": lambda x: x.movedim(0, 2),
            "swapaxes": lambda x: x.swapaxes(1, 2),
            "expand": lambda x: x[:, :1].expand(3, 4, 5),
            "broadcast_to": lambda x: x.broadcast_to(2, 3, 17, 5),
            "slice": lambda x: x[:, 2:9],
            "slice_step": lambda x: x[:, 1::3],
            "slice_negative": lambda x: x[:, -4:, :-1],
            "select": lambda x: x[:, 3],
            "narrow": lambda x: x.narrow(1, 4, 7),
            "diagonal": lambda x: x.diagonal(0, 1, 2),
            "unfold": lambda x: x.unfold(1, 4, 3),
            "as_strided": lambda x: x.as_strided((3, 4), (5, 2), 1),
            "flatten_transposed": lambda x: x.transpose(1, 2).flatten(1),
            "reshape_transposed": lambda x: x.transpose(0, 1).reshape(17, 15),
            "unflatten": lambda x: x.unflatten(0, (1, 3)).transpose(1, 2),
            "squeeze": lambda x: x[:, :1].squeeze(1),
            "unsqueeze": lambda x: x.transpose(0, 1).unsqueeze(1),
            "expand_as": lambda x: x[:, :1].expand_as(x),
        }.items()
    },
    _X,
)
_add(
    {
        "split": lambda x: [part + 1 for part in x.split(6, 1)],
        "split_sizes": lambda x: [part * 2 for part in x.split([2, 15], 1)],
        "chunk": lambda x: [part + 1 for part in x.chunk(4, 1)],
        "tensor_split": lambda x: [p + 1 for p in x.tensor_split(3, 1)],
        "unbind": lambda x: [part + 1 for part in x.unbind(0)],
        "roll": lambda x: x.roll(3, 1),
        "roll_two": lambda x: x.roll((1, -2), (0, 2)),
        "roll_flat": lambda x: x.roll(4),
        "flip": lambda x: x.flip(1),
        "flip_scalar": (lambda x: x.flip(0), normal()),
        "flip_two": lambda x: x.flip(0, 2),
        "fliplr": lambda x: x.fliplr(),
        "rot90": lambda x: x.rot90(1, (1, 2)),
        "tile": lambda x: x.tile(2, 1, 3),
        "repeat": lambda x: x.repeat(2, 1, 1),
        "repeat_more": lambda x: x.repeat(2, 1, 1, 2),
        "repeat_interleave": lambda x: x.repeat_interleave(3, 1),
        "tril": lambda x: x.tril(),
        "triu": lambda x: x.triu(1),
        "tril_below": lambda x: x.tril(-2),
        "diag": (torch.diag, normal(17)),
        "diag_of": (lambda x: torch.diag(x) + 1, normal(17, 17)),
        "diag_embed": (torch.diag_embed, normal(3, 5)),
        "pad": lambda x: F.pad(x, (1, 2)),
        "pad_value": lambda x: F.pad(x, (1, 2, 3, 0), value=1.5),
        "pad_negative": lambda x: F.pad(x, (-1, 2)),
        "pad_reflect": lambda x: F.pad(x, (1, 2), mode="reflect"),
        "pad_reflect_2d": (
            lambda x: F.pad(x, (1, 2, 3, 0), mode="reflect"),
            _IMAGE,
        ),
        "pad_replicate": lambda x: F.pad(x, (1, 2), mode="replicate"),
        "pad_circular": lambda x: F.pad(x, (1, 2), mode="circular"),
        "pixel_shuffle": (lambda x: F.pixel_shuffle(x, 2), normal(2, 12, 5, 3)),
        "pixel_unshuffle": (
            lambda x: F.pixel_unshuffle(x, 2),
            normal(2, 3, 10, 6),
        ),
        "channel_shuffle": (
            lambda x: F.channel_shuffle(x, 3),
            normal(2, 6, 5, 3),
        ),
        "space_windows": (
            lambda x: (
                x.view(2, 2, 4, 2, 4, 3)
                .permute(0, 1, 3, 2, 4, 5)
                .reshape(8, 16, 3)
            ),
            normal(2, 8, 8, 3),
        ),
        "diagonal_scatter": (torch.diagonal_scatter, normal(5, 5), normal(5)),
        "tril_square": (torch.tril, normal(17, 17)),
        "vander": (torch.vander, normal(7)),
        "diff": lambda x: x.diff(dim=1),
        "unfold_image": (lambda x: F.unfold(x, 3), _IMAGE),
        "fold_stride": (
            lambda x: F.fold(x, (7, 6), 3, stride=2, padding=1),
            normal(2, 18, 12),
        ),
        "fold_side_by_side": (
            lambda x: F.fold(x, (30, 14), 8, stride=8, padding=1),
            normal(2, 192, 8),
        ),
        "fold_image": (lambda x: F.fold(x, (6, 5), 2), normal(2, 12, 20)),
    },
    _X,
)
_add(
    {
        "cat": lambda x, y: torch.cat([x, y], 1),
        "cat_first": lambda x, y: torch.cat([x, y, x]),
        "cat_last": lambda x, y: torch.cat([x, y], -1),
        "cat_ragged": (lambda x, y: torch.cat([x, y], 1), _X, normal(3, 2, 5)),
        "stack": lambda x, y: torch.stack([x, y]),
        "stack_last": lambda x, y: torch.stack([x, y], -1),
        "hstack": lambda x, y: torch.hstack([x, y]),
        "vstack": lambda x, y: torch.vstack([x, y]),
        "dstack": lambda x, y: torch.dstack([x, y]),
        "column_stack": (
            lambda x, y: torch.column_stack([x, y]),
            normal(17),
            normal(17, 3),
        ),
        "block_diag": (
            lambda x, y: torch.block_diag(x, y),
            normal(3, 5),
            normal(2, 4),
        ),
        "meshgrid": (
            lambda x, y: [g + 1 for g in torch.meshgrid(x, y, indexing="ij")],
            normal(17),
            normal(5),
        ),
        "cartesian_prod": (torch.cartesian_prod, normal(7), normal(5)),
        "select_scatter": (
            lambda x, y: torch.select_scatter(x, y, 1, 2),
            _X,
            normal(3, 5),
        ),
        "slice_scatter": (
            lambda x, y: torch.slice_scatter(x, y, 1, 2, 6),
            _X,
            normal(3, 4, 5),
        ),
        "atleast_cat": (
            lambda x, y: torch.cat([torch.atleast_2d(x), torch.atleast_2d(y)]),
            normal(5),
            normal(5),
        ),
    },
    _X,
    _Y,
)

# What is made of no tensor, at a tensor's side.

_add(
    {
        "arange": lambda x: x + torch.arange(5, dtype=x.dtype, device=x.device),
        "arange_step": lambda x: torch.arange(1, 20, 3, device=x.device) * 2,
        "linspace": lambda x: (
            x + torch.linspace(0, 1, 5, dtype=x.dtype, device=x.device)
        ),
        "logspace": lambda x: (
            x + torch.logspace(0, 1, 5, dtype=x.dtype, device=x.device)
        ),
        "eye": (
            lambda x: torch.eye(5, dtype=x.dtype, device=x.device) + x,
            normal(5, 5),
        ),
        "full": lambda x: torch.full(
            (3, 5), 2.5, dtype=x.dtype, device=x.device
        ),
        "zeros": lambda x: torch.zeros(3, 5, dtype=x.dtype, device=x.device),
        "ones": lambda x: torch.ones(3, 5, dtype=x.dtype, device=x.device),
        "new_full": lambda x: x.new_full((3, 5), 1.5),
        "tril_mask": lambda x: torch.ones(
            17, 17, dtype=torch.bool, device=x.device
        ).tril(),
        "one_hot": (lambda i: F.one_hot(i, 7), integers(0, 7, 3, 17)),
        "positions": lambda x: (
            torch.arange(17, device=x.device)[:, None]
            >= torch.arange(17, device=x.device)
        ),
    },
    _X,
)

# By index.

_ROWS = integers(0, 17, 3, 4)
_add(
    {
        "embedding": (F.embedding, integers(0, 17, 3, 4), normal(17, 5)),
        "embedding_bag": (
            lambda i, w: F.embedding_bag(i, w, mode="sum"),
            integers(0, 17, 3, 4),
            normal(17, 5),
        ),
        "embedding_bag_mean": (
            lambda i, w: F.embedding_bag(i, w, padding_idx=3),
            integers(0, 17, 3, 4),
            normal(17, 5),
        ),
        "gather": (lambda x, i: x.gather(1, i), normal(3, 17), _ROWS),
        "gather_last": (
            lambda x, i: x.gather(-1, i),
            _X,
            integers(0, 5, 3, 17, 2),
        ),
        "index_select": (
            lambda x, i: x.index_select(1, i),
            _X,
            integers(0, 17, 4),
        ),
        "index_rows": (lambda x, i: x[i], normal(17, 5), integers(0, 17, 4)),
        "index_two": (
            lambda x, i, j: x[i, j],
            normal(17, 5),
            integers(0, 17, 4),
            integers(0, 5, 4),
        ),
        "take": (torch.take, _X, integers(0, 255, 7)),
        "take_along_dim": (
            lambda x, i: torch.take_along_dim(x, i, 1),
            normal(3, 17),
            _ROWS,
        ),
        "scatter": (
            lambda x, i, y: x.scatter(1, i, y),
            normal(3, 17),
            integers(0, 1, 3, 1),
            normal(3, 1),
        ),
        "scatter_add": (
            lambda x, i, y: x.scatter_add(1, i, y),
            normal(3, 17),
            _ROWS,
            normal(3, 4),
        ),
        "index_add": (
            lambda x, i, y: x.index_add(0, i, y),
            normal(17, 5),
            integers(0, 17, 4),
            normal(4, 5),
        ),
        "index_fill": (
            lambda x, i: x.index_fill(0, i, 2.0),
            normal(17, 5),
            integers(0, 17, 4),
        ),
        "index_copy": (
            lambda x, y: x.index_copy(
                0, torch.tensor([0, 4, 2], device=x.device), y
            ),
            normal(17, 5),
            normal(3, 5),
        ),
        "masked_scatter_like": (
            lambda x, m, y: torch.where(m, y, x),
            _X,
            _TRUTH,
            _Y,
        ),
        "sort": (lambda x: x.sort(-1)[0], _X),
        "sort_odd": (lambda x: x.sort(1)[0], odd(3, 17, 5)),
        "sort_odd_descending": (lambda x: x.sort(1, True)[0], odd(3, 17, 5)),
        "sort_stable": (lambda x: x.sort(dim=1, stable=True), _INTEGERS),
        "sort_stable_descending": (
            lambda x: x.sort(dim=1, descending=True, stable=True),
            _INTEGERS,
        ),
        "sort_truth": (lambda x: x.sort(dim=1, stable=True), _TRUTH),
        "sort_33": (lambda x: x.sort()[0], normal(3, 33)),
        "sort_long": (lambda x: x.sort()[0], normal(3, 257)),
        "topk_many": (lambda x: x.topk(50)[0], normal(3, 99)),
        "median_long": (lambda x: x.median(-1)[0], normal(3, 99)),
        "argsort": (lambda x: x.argsort(dim=1, stable=True), _X),
        "topk": (lambda x: x.topk(3)[0], _X),
        "topk_smallest": (lambda x: x.topk(3, 1, largest=False), normal(3, 32)),
        "topk_routes": (lambda x: torch.topk(x.softmax(-1), 2), normal(17, 8)),
        "bucketize": (torch.bucketize, _X, ascending(5)),
        "bucketize_right": (
            lambda x, e: torch.bucketize(x, e, right=True),
            _COUNTS,
            lambda dtype: torch.arange(1, 6, 2),
        ),
    }
)

# Along an axis.

_add(
    {
        "cumsum": lambda x: x.cumsum(1),
        "cumsum_last": lambda x: x.cumsum(-1),
        "cumsum_long": (lambda x: x.cumsum(-1), normal(2, 4099)),
        "cumsum_integers": (lambda i: i.cumsum(-1), _INTEGERS),
        "cumprod": (lambda x: x.cumprod(1), between(0.8, 1.2, 3, 17, 5)),
        "logcumsumexp": lambda x: x.logcumsumexp(1),
        "cummax": lambda x: x.cummax(1)[0],
        "trapezoid": lambda x: torch.trapezoid(x, dim=1),
    },
    _X,
)

# Recurrent cells.

_add(
    {
        "lstm_cell": (
            lambda x, h, c, w, u: torch.lstm_cell(x, (h, c), w, u),
            normal(7, 8),
            normal(7, 16),
            normal(7, 16),
            normal(64, 8),
            normal(64, 16),
        ),
        "gru_cell": (
            torch.gru_cell,
            normal(7, 8),
            normal(7, 16),
            normal(48, 8),
            normal(48, 16),
        ),
        "rnn_tanh_cell": (
            torch.rnn_tanh_cell,
            normal(7, 8),
            normal(7, 16),
            normal(16, 8),
            normal(16, 16),
        ),
    }
)

# Pooling, resampling and convolutions.

_add(
    {
        "max_pool1d": (lambda x: F.max_pool1d(x, 2), normal(2, 3, 11)),
        "max_pool2d": lambda x: F.max_pool2d(x, 2),
        "max_pool2d_ceil": (
            lambda x: F.max_pool2d(x, 3, 2, ceil_mode=True),
            normal(2, 3, 8, 12),
        ),
        "max_pool2d_padded": lambda x: F.max_pool2d(x, 3, 2, 1),
        "avg_pool1d": (lambda x: F.avg_pool1d(x, 2), normal(2, 3, 11)),
        "avg_pool2d": lambda x: F.avg_pool2d(x, 2),
        "avg_pool2d_ceil": (
            lambda x: F.avg_pool2d(
                x, 3, 2, 1, ceil_mode=True, count_include_pad=False
            ),
            normal(2, 3, 6, 11),
        ),
        "avg_pool2d_padded": lambda x: F.avg_pool2d(x, 3, 2, 1),
        "adaptive_avg_pool2d_one": lambda x: F.adaptive_avg_pool2d(x, 1),
        "adaptive_avg_pool2d": (
            lambda x: F.adaptive_avg_pool2d(x, (3, 2)),
            normal(2, 3, 12, 8),
        ),
        "adaptive_max_pool2d": lambda x: F.adaptive_max_pool2d(x, 2),
        "adaptive_max_pool2d_places": lambda x: F.adaptive_max_pool2d(
            x, (3, 2), return_indices=True
        ),
        "adaptive_max_pool2d_odd": (
            lambda x: F.adaptive_max_pool2d(x, 2, return_indices=True),
            odd(2, 3, 11, 9),
        ),
        "max_pool2d_places": lambda x: F.max_pool2d(
            x, 3, 2, 1, return_indices=True
        ),
        "lp_pool2d": lambda x: F.lp_pool2d(x, 2.0, 2),
        "interpolate_nearest": lambda x: F.interpolate(x, scale_factor=2),
        "interpolate_bilinear": lambda x: F.interpolate(
            x, scale_factor=2, mode="bilinear"
        ),
        "interpolate_grid": (
            lambda x, g: F.grid_sample(x, g, align_corners=False),
            _IMAGE,
            between(-1.2, 1.2, 2, 5, 6, 2),
        ),
        "interpolate_grid_nearest": (
            lambda x, g: F.grid_sample(x, g, "nearest", "reflection", True),
            _IMAGE,
            between(-1.2, 1.2, 2, 5, 6, 2),
        ),
        "conv1d": (F.conv1d, normal(2, 3, 11), normal(4, 3, 3)),
        "conv1d_frames": (
            lambda x, w, b: F.conv1d(x, w, b, stride=5),
            normal(2, 1, 63),
            normal(16, 1, 10),
            normal(16),
        ),
        "conv1d_same": (
            lambda x, w: F.conv1d(x, w, padding="same", dilation=2, groups=2),
            normal(2, 16, 29),
            normal(32, 8, 4),
        ),
        "conv1d_depthwise": (
            lambda x, w: F.conv1d(x, w, padding=3, groups=7),
            normal(2, 7, 11),
            normal(7, 1, 4),
        ),
        "conv_transpose1d": (
            lambda x, w, b: F.conv_transpose1d(x, w, b, 8, padding=4),
            normal(2, 16, 7),
            normal(16, 8, 16),
            normal(8),
        ),
        "conv_transpose3d": (
            lambda x, w: F.conv_transpose3d(x, w, stride=2),
            normal(1, 8, 3, 4, 5),
            normal(8, 3, 2, 2, 2),
        ),
        "conv_transpose2d_strided": (
            lambda x, w: F.conv_transpose2d(
                x, w, stride=2, padding=1, output_padding=1
            ),
            normal(2, 8, 5, 4),
            normal(8, 16, 3, 3),
        ),
        "conv2d": (F.conv2d, _IMAGE, normal(4, 3, 3, 3)),
        "conv2d_pointwise": (F.conv2d, _IMAGE, normal(4, 3, 1, 1)),
        "conv2d_depthwise": (
            lambda x, w: F.conv2d(x, w, groups=3),
            _IMAGE,
            normal(3, 1, 3, 3),
        ),
        "conv3d": (F.conv3d, normal(1, 2, 5, 6, 7), normal(3, 2, 3, 3, 3)),
        "conv_transpose2d": (F.conv_transpose2d, _IMAGE, normal(3, 4, 2, 2)),
    },
    _IMAGE,
)
