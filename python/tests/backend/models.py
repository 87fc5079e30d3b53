"""Models with random weights: TINY ones for the tests, and in REAL sizes."""

import dataclasses
import functools
from typing import Callable

import torch


@dataclasses.dataclass(frozen=True)
class Model:
    """A model and inputs that it takes by position."""

    build: Callable
    least: float
    """The share of its operators that is to be Grout's."""
    targets: tuple = ("cpu", "h200")
    """Processors for whose check its weights are not too many."""
    is_trained: bool = False
    """Whether the gradients of its weights are checked, too."""

    def make(self):
        model, args = self.build()
        _randomise(model)
        return model, args


@torch.no_grad()
def _randomise(model):
    """Makes a difference of what libraries set to 0 (biases, last layers), to
    1 (scales) or to almost nothing (scales of layers): else whatever is wrong
    before it would not be seen."""
    statistics = [
        buffer
        for name, buffer in model.named_buffers()
        if name.endswith(("running_mean", "running_var"))
    ]
    for tensor in (*model.parameters(), *statistics):
        first = tensor.flatten()[0].item()
        if tensor.eq(first).all():
            if first == 0:
                tensor.normal_(std=0.1)
            else:
                tensor.uniform_(0.5, 1.5)


def _ids(vocabulary, *shape):
    return torch.randint(0, vocabulary, shape)


def _image(size, batch=1):
    return (torch.randn(batch, 3, size, size),)


def gpt2(length, **sizes):
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(use_cache=False, **sizes)
    return GPT2LMHeadModel(config), (_ids(config.vocab_size, 2, length),)


def bert(length, **sizes):
    from transformers import BertConfig, BertModel

    config = BertConfig(**sizes)
    return BertModel(config), (_ids(config.vocab_size, 2, length),)


def whisper(length, **sizes):
    """Its encoder, for as many positions, of two frames each."""
    from transformers import WhisperConfig
    from transformers.models.whisper.modeling_whisper import WhisperEncoder

    config = WhisperConfig(max_source_positions=length, **sizes)
    return (
        WhisperEncoder(config),
        (torch.randn(1, config.num_mel_bins, 2 * length),),
    )


def wav2vec2(length, **sizes):
    from transformers import Wav2Vec2Config, Wav2Vec2Model

    return Wav2Vec2Model(Wav2Vec2Config(**sizes)), (torch.randn(1, length),)


def llama(length, **sizes):
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(use_cache=False, **sizes)
    return LlamaForCausalLM(config), (_ids(config.vocab_size, 1, length),)


def mixtral(length, **sizes):
    """Two of several experts for each word."""
    from transformers import MixtralConfig, MixtralForCausalLM

    config = MixtralConfig(use_cache=False, **sizes)
    return MixtralForCausalLM(config), (_ids(config.vocab_size, 1, length),)


def qwen3_moe(length, **sizes):
    """Eight of many small experts for each word."""
    from transformers import Qwen3MoeConfig, Qwen3MoeForCausalLM

    config = Qwen3MoeConfig(use_cache=False, **sizes)
    return Qwen3MoeForCausalLM(config), (_ids(config.vocab_size, 1, length),)


def olmoe(length, **sizes):
    """Many small experts, and norms of queries and keys."""
    from transformers import OlmoeConfig, OlmoeForCausalLM

    config = OlmoeConfig(use_cache=False, **sizes)
    return OlmoeForCausalLM(config), (_ids(config.vocab_size, 1, length),)


def gpt_oss(length, **sizes):
    """Experts with biases, and attention sinks."""
    from transformers import GptOssConfig, GptOssForCausalLM

    config = GptOssConfig(use_cache=False, **sizes)
    return GptOssForCausalLM(config), (_ids(config.vocab_size, 1, length),)


def deepseek_v2(length, **sizes):
    """Keys and values of few numbers, rotary embeddings by complex numbers, and
    an expert for all words."""
    from transformers import DeepseekV2Config, DeepseekV2ForCausalLM

    config = DeepseekV2Config(use_cache=False, **sizes)
    return DeepseekV2ForCausalLM(config), (_ids(config.vocab_size, 1, length),)


def deepseek_v3(length, **sizes):
    """Experts of the best groups."""
    from transformers import DeepseekV3Config, DeepseekV3ForCausalLM

    config = DeepseekV3Config(use_cache=False, **sizes)
    return DeepseekV3ForCausalLM(config), (_ids(config.vocab_size, 1, length),)


def experts(make, length, **sizes):
    """The experts of one layer, with their router."""
    model, _ = make(1, num_hidden_layers=1, vocab_size=32, **sizes)
    block = next(
        module
        for module in model.modules()
        if hasattr(module, "experts") and hasattr(module, "gate")
    )
    return block, (torch.randn(1, length, model.config.hidden_size),)


def t5(length, **sizes):
    """Encoder and decoder, and a mask that leaves out the last words."""
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(use_cache=False, **sizes)
    mask = torch.ones(2, length, dtype=torch.int64)
    mask[1, -3:] = 0
    return T5ForConditionalGeneration(config), (
        _ids(config.vocab_size, 2, length),
        mask,
        _ids(config.vocab_size, 2, length // 2),
    )


def vit(**sizes):
    from transformers import ViTConfig, ViTModel

    config = ViTConfig(**sizes)
    return ViTModel(config), _image(config.image_size)


def sam(**sizes):
    """The encoder of images."""
    from transformers import SamVisionConfig, SamVisionModel

    config = SamVisionConfig(**sizes)
    return SamVisionModel(config), _image(config.image_size)


def mixer(image=224, **sizes):
    """Mixer-B/16, unless told otherwise."""
    from timm.models.mlp_mixer import MlpMixer

    return MlpMixer(img_size=image, **sizes), _image(image)


class _DeepFM(torch.nn.Module):
    """Factorisation machine beside a deep network: click rates from numbers
    and categories, one of each field."""

    def __init__(self, numbers, fields, entries, size, width):
        super().__init__()
        self.numbers = torch.nn.Linear(numbers, size)
        self.embedding = torch.nn.Embedding(entries, size)
        torch.nn.init.normal_(self.embedding.weight, std=0.1)
        self.linear = torch.nn.Linear(numbers, 1)
        self.linear_embedding = torch.nn.Embedding(entries, 1)
        layers, inputs = [], (fields + 1) * size
        for _ in range(3):
            layers += [
                torch.nn.Linear(inputs, width),
                torch.nn.BatchNorm1d(width),
                torch.nn.ReLU(),
                torch.nn.Dropout(0.5),
            ]
            inputs = width
        self.deep = torch.nn.Sequential(*layers, torch.nn.Linear(width, 1))

    def forward(self, numbers, categories):
        rows = torch.cat(
            [self.numbers(numbers).unsqueeze(1), self.embedding(categories)], 1
        )
        pairs = (rows.sum(1).square() - rows.square().sum(1)).sum(
            1, keepdim=True
        ) / 2
        linear = self.linear(numbers) + self.linear_embedding(categories).sum(1)
        return torch.sigmoid(linear + pairs + self.deep(rows.flatten(1)))


def deepfm(batch, entries, size, width):
    """Of 13 numbers and 26 categories, as in the Criteo data."""
    return (
        _DeepFM(13, 26, entries, size, width),
        (torch.randn(batch, 13), _ids(entries, batch, 26)),
    )


class _UNetBlock(torch.nn.Module):
    """A block on the way up of a diffusion model: it concatenates what the way
    down has left, and has a residual block and attention."""

    def __init__(self, channels, heads, groups=32):
        super().__init__()
        nn = torch.nn
        self.heads = heads
        self.norms = nn.ModuleList(
            nn.GroupNorm(groups, size)
            for size in (2 * channels, channels, channels)
        )
        self.convolutions = nn.ModuleList(
            nn.Conv2d(size, channels, 3, padding=1)
            for size in (2 * channels, channels)
        )
        self.shortcut = nn.Conv2d(2 * channels, channels, 1)
        self.queries, self.keys, self.values = (
            nn.Linear(channels, channels, bias=False) for _ in range(3)
        )
        self.out = nn.Linear(channels, channels)

    def attend(self, x):
        rows = x.flatten(2).mT
        q, k, v = (
            layer(rows).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for layer in (self.queries, self.keys, self.values)
        )
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v)
        return self.out(y.transpose(1, 2).flatten(2)).mT.view(x.shape)

    def forward(self, x, left):
        x = torch.cat([x, left], 1)
        y = x
        for norm, convolution in zip(self.norms, self.convolutions):
            y = convolution(torch.nn.functional.silu(norm(y)))
        x = self.shortcut(x) + y
        return x + self.attend(self.norms[2](x))


def unet_block(channels, image, heads, **sizes):
    return (
        _UNetBlock(channels, heads, **sizes),
        (
            torch.randn(1, channels, image, image),
            torch.randn(1, channels, image, image),
        ),
    )


def timm_model(name, image, **sizes):
    import timm

    return timm.create_model(name, **sizes), _image(image)


def hrnet(name, image):
    """Its batch norms have the statistics of an image, since results in f16
    would be infinite with a mean of 0 and a variance of 1."""
    model, args = timm_model(name, image)
    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.momentum = 1
    with torch.no_grad():
        model.train()(*args)
    return model.eval(), args


def torchvision_model(name, image, **sizes):
    import torchvision

    return (
        getattr(torchvision.models, name)(weights=None, **sizes),
        _image(image),
    )


def small_densenet():
    from torchvision.models import DenseNet

    return DenseNet(8, (2, 2), 16, num_classes=10), _image(64, 2)


def small_efficientnet():
    """Each stage is one block."""
    from torchvision.models import EfficientNet
    from torchvision.models.efficientnet import MBConvConfig

    stages = [(1, 3, 1, 16, 8), (6, 3, 2, 8, 16), (6, 5, 2, 16, 24)]
    return EfficientNet(
        [MBConvConfig(*stage, 1) for stage in stages], 0.0, num_classes=10
    ), _image(64, 2)


class _First(torch.nn.Module):
    def forward(self, x, *rest):
        return x


def without(make, *names):
    """A model without some of its blocks, which change no shape."""
    model, args = make()
    for name in names:
        setattr(model, name, _First())
    return model, args


def _tiny(make, *args, least=0.95, **sizes):
    return Model(functools.partial(make, *args, **sizes), least)


_WORDS = dict(vocab_size=100)
_VISION = dict(num_hidden_layers=2, hidden_size=64, num_attention_heads=4)

TINY = {
    "gpt2": _tiny(
        gpt2,
        17,
        n_layer=2,
        n_embd=64,
        n_head=4,
        n_positions=64,
        bos_token_id=0,
        eos_token_id=0,
        **_WORDS,
    ),
    "bert": _tiny(bert, 17, intermediate_size=128, **_VISION, **_WORDS),
    "llama": _tiny(
        llama,
        17,
        num_key_value_heads=2,
        intermediate_size=128,
        **_VISION,
        **_WORDS,
    ),
    "t5": _tiny(
        t5,
        17,
        num_layers=2,
        d_model=64,
        num_heads=4,
        d_ff=128,
        d_kv=16,
        **_WORDS,
    ),
    "whisper": _tiny(
        whisper,
        50,
        d_model=64,
        encoder_layers=2,
        encoder_attention_heads=4,
        encoder_ffn_dim=128,
    ),
    "wav2vec2": _tiny(
        wav2vec2,
        4000,
        intermediate_size=128,
        conv_dim=(32,) * 7,
        num_conv_pos_embeddings=16,
        num_conv_pos_embedding_groups=4,
        **_VISION,
    ),
    "vit": _tiny(
        vit, intermediate_size=128, image_size=32, patch_size=8, **_VISION
    ),
    "sam": _tiny(
        sam,
        mlp_dim=128,
        image_size=64,
        patch_size=8,
        output_channels=16,
        window_size=3,
        global_attn_indexes=[1],
        **_VISION,
    ),
    "swin": _tiny(
        timm_model,
        "swin_tiny_patch4_window7_224",
        56,
        img_size=56,
        embed_dim=24,
        depths=(2, 2),
        num_heads=(2, 4),
        num_classes=10,
    ),
    "unet_block": _tiny(unet_block, 32, 8, 2, groups=4),
    "mixer": _tiny(mixer, 64, num_blocks=2, embed_dim=64, num_classes=10),
    "deepfm": _tiny(deepfm, 8, 1000, 8, 32),
    "convnext": _tiny(
        timm_model,
        "convnext_atto",
        64,
        least=0.8,
        depths=(1, 1, 1, 1),
        dims=(16, 32, 48, 64),
        num_classes=10,
    ),
    "resnet": _tiny(
        torchvision_model, "resnet18", 64, least=0.8, num_classes=10
    ),
    "regnet": _tiny(timm_model, "regnetx_002", 64, least=0.8, num_classes=10),
    "googlenet": _tiny(
        without,
        functools.partial(
            torchvision_model,
            "googlenet",
            64,
            init_weights=False,
            aux_logits=False,
            num_classes=10,
        ),
        "inception4b",
        "inception4c",
        "inception5a",
        least=0.8,
    ),
    "inception_v3": _tiny(
        without,
        functools.partial(
            torchvision_model,
            "inception_v3",
            80,
            init_weights=False,
            aux_logits=False,
            num_classes=10,
        ),
        "Mixed_5d",
        "Mixed_6c",
        "Mixed_6d",
        "Mixed_6e",
        "Mixed_7c",
        least=0.8,
    ),
    "nasnet": _tiny(
        without,
        functools.partial(
            timm_model,
            "nasnetalarge",
            64,
            stem_size=8,
            num_features=96,
            num_classes=10,
        ),
        *(f"cell_{i}" for i in range(18) if i not in (0, 1, 6, 12)),
        least=0.8,
    ),
    "mobilenet_v3": _tiny(
        torchvision_model, "mobilenet_v3_small", 64, least=0.8, num_classes=10
    ),
    "efficientnet": _tiny(small_efficientnet, least=0.8),
    "densenet": _tiny(small_densenet, least=0.8),
}


_DEEPSEEK = dict(
    num_key_value_heads=4,
    intermediate_size=96,
    moe_intermediate_size=48,
    n_routed_experts=8,
    num_experts_per_tok=2,
    n_shared_experts=1,
    first_k_dense_replace=1,
    kv_lora_rank=32,
    qk_rope_head_dim=16,
    qk_nope_head_dim=16,
    v_head_dim=24,
    **_VISION,
    **_WORDS,
)
_EXPERTS = dict(
    num_local_experts=8, num_experts_per_tok=2, intermediate_size=48
)

# Of other models, the layers are not all of one kind.
_LAYER = {**_VISION, "num_hidden_layers": 1}

EXPERTS = {
    "mixtral": _tiny(
        mixtral, 17, num_key_value_heads=2, **_EXPERTS, **_LAYER, **_WORDS
    ),
    "qwen3_moe": _tiny(
        qwen3_moe,
        17,
        num_key_value_heads=2,
        head_dim=16,
        moe_intermediate_size=48,
        num_experts=8,
        num_experts_per_tok=2,
        **_LAYER,
        **_WORDS,
    ),
    "olmoe": _tiny(
        olmoe,
        17,
        num_key_value_heads=4,
        num_experts=8,
        num_experts_per_tok=2,
        intermediate_size=48,
        **_VISION,
        **_WORDS,
    ),
    "gpt_oss": _tiny(
        gpt_oss,
        17,
        num_key_value_heads=2,
        head_dim=16,
        sliding_window=8,
        **_EXPERTS,
        **_VISION,
        **_WORDS,
    ),
    "deepseek_v2": _tiny(
        deepseek_v2,
        17,
        q_lora_rank=None,
        topk_method="greedy",
        **_DEEPSEEK,
    ),
    "deepseek_v2_groups": _tiny(
        deepseek_v2,
        17,
        q_lora_rank=24,
        topk_method="group_limited_greedy",
        n_group=4,
        topk_group=2,
        **_DEEPSEEK,
    ),
    "deepseek_v3": _tiny(
        deepseek_v3, 17, q_lora_rank=24, n_group=4, topk_group=2, **_DEEPSEEK
    ),
}
"""Models with experts."""

TRAINED = {
    f"{name}_trained": dataclasses.replace(
        EXPERTS[name], targets=("cpu",), is_trained=True
    )
    for name in ("mixtral", "deepseek_v2")
}
"""Models whose operators have gradients that others have not."""


_LLAMA_3_8B = dict(
    hidden_size=4096,
    num_attention_heads=32,
    num_key_value_heads=8,
    intermediate_size=14336,
    rms_norm_eps=1e-5,
    rope_theta=500000.0,
)
_BERT_LARGE = dict(
    num_hidden_layers=24,
    hidden_size=1024,
    num_attention_heads=16,
    intermediate_size=4096,
)


_TOKENS = (1, 16, 256, 4096)
# Mixtral 8x7B, Qwen3 30B A3B and DeepSeek-V2-Lite.
_MIXTRAL = dict(hidden_size=4096, intermediate_size=14336)
_QWEN3_30B = dict(
    hidden_size=2048,
    moe_intermediate_size=768,
    num_experts=128,
    num_experts_per_tok=8,
    norm_topk_prob=True,
)
_DEEPSEEK_V2_LITE = dict(
    hidden_size=2048,
    moe_intermediate_size=1408,
    n_routed_experts=64,
    n_shared_experts=2,
    num_experts_per_tok=6,
    first_k_dense_replace=0,
    topk_method="greedy",
    q_lora_rank=None,
)


def _real(make, *args, least=0.95, targets=("cpu", "h200"), **sizes):
    return Model(functools.partial(make, *args, **sizes), least, targets)


REAL = {
    "gpt2": _real(gpt2, 256),
    "bert_base": _real(bert, 256),
    "bert_large": _real(bert, 128, **_BERT_LARGE),
    "llama_3_8b_2_layers": _real(
        llama,
        512,
        num_hidden_layers=2,
        vocab_size=128256,
        targets=("h200",),
        **_LLAMA_3_8B,
    ),
    "llama_3_8b_1_layer": _real(
        llama,
        128,
        num_hidden_layers=1,
        vocab_size=32000,
        targets=("cpu",),
        **_LLAMA_3_8B,
    ),
    **{
        f"mixtral_2_layers_{tokens}": _real(
            mixtral,
            tokens,
            num_hidden_layers=2,
            vocab_size=32000,
            targets=("h200",),
        )
        for tokens in _TOKENS
    },
    **{
        f"qwen3_moe_2_layers_{tokens}": _real(
            qwen3_moe,
            tokens,
            num_hidden_layers=2,
            vocab_size=151936,
            num_attention_heads=32,
            num_key_value_heads=4,
            head_dim=128,
            targets=("h200",),
            **_QWEN3_30B,
        )
        for tokens in _TOKENS
    },
    # The experts of a layer alone, and a quarter of each expert, as on each of
    # four GPUs.
    **{
        f"{name}_experts_{part}{tokens}": _real(
            experts,
            make,
            tokens,
            targets=("h200",),
            **{**sizes, width: sizes[width] // share},
        )
        for name, make, width, sizes in (
            ("mixtral", mixtral, "intermediate_size", _MIXTRAL),
            ("qwen3_moe", qwen3_moe, "moe_intermediate_size", _QWEN3_30B),
            (
                "deepseek_v2_lite",
                deepseek_v2,
                "moe_intermediate_size",
                _DEEPSEEK_V2_LITE,
            ),
        )
        for part, share in (("", 1), ("quarter_", 4))
        for tokens in _TOKENS
    },
    "t5_small": _real(t5, 256),
    "vit_b_16": _real(vit),
    # On images of 1024 x 1024 it takes more memory in f64 than there may be.
    "sam_vit_b": _real(sam, targets=("h200",)),
    "sam_vit_b_512": _real(sam, image_size=512, targets=("cpu",)),
    "swin_t": _real(timm_model, "swin_tiny_patch4_window7_224", 224),
    "convnext_t": _real(timm_model, "convnext_tiny", 224, least=0.8),
    "unet_block": _real(unet_block, 320, 64, 8),
    "mixer_b_16": _real(mixer),
    "deepfm": _real(deepfm, 512, 1000000, 16, 400),
    "resnet_50": _real(torchvision_model, "resnet50", 224, least=0.8),
    "resnext_50": _real(torchvision_model, "resnext50_32x4d", 224, least=0.8),
    "regnet_y_3_2gf": _real(
        torchvision_model, "regnet_y_3_2gf", 224, least=0.8
    ),
    "googlenet": _real(
        torchvision_model,
        "googlenet",
        224,
        least=0.8,
        init_weights=False,
        aux_logits=False,
    ),
    "inception_v3": _real(
        torchvision_model,
        "inception_v3",
        299,
        least=0.8,
        init_weights=False,
        aux_logits=False,
    ),
    "hrnet_w18": _real(hrnet, "hrnet_w18", 224),
    "nasnet_a_large": _real(timm_model, "nasnetalarge", 331, least=0.8),
    "mobilenet_v3_large": _real(
        torchvision_model, "mobilenet_v3_large", 224, least=0.8
    ),
    "efficientnet_b0": _real(
        torchvision_model, "efficientnet_b0", 224, least=0.8
    ),
    "densenet_121": _real(torchvision_model, "densenet121", 224, least=0.8),
}
