"""Models with random weights: tiny ones for tests, and their real sizes."""

import torch


def _ids(vocabulary, length, batch=2):
    return (torch.randint(0, vocabulary, (batch, length)),)


def _image(size, batch=1):
    return (torch.randn(batch, 3, size, size),)


def gpt2(tiny):
    from transformers import GPT2Config, GPT2LMHeadModel
    sizes = dict(n_layer=2, n_embd=64, n_head=4, vocab_size=100,
                 n_positions=64, bos_token_id=0, eos_token_id=0) if tiny else {}
    config = GPT2Config(use_cache=False, **sizes)
    return GPT2LMHeadModel(config), _ids(config.vocab_size, 17 if tiny else 128)


def bert(tiny):
    from transformers import BertConfig, BertModel
    sizes = dict(num_hidden_layers=2, hidden_size=64, num_attention_heads=4,
                 intermediate_size=128, vocab_size=100) if tiny else {}
    config = BertConfig(**sizes)
    return BertModel(config), _ids(config.vocab_size, 17 if tiny else 128)


def llama(tiny):
    from transformers import LlamaConfig, LlamaForCausalLM
    sizes = (dict(hidden_size=64, num_attention_heads=4, num_key_value_heads=2,
                  intermediate_size=128, vocab_size=100) if tiny else
             dict(hidden_size=4096, num_attention_heads=32,
                  num_key_value_heads=8, intermediate_size=14336,
                  vocab_size=128256))
    config = LlamaConfig(num_hidden_layers=2, **sizes)
    return LlamaForCausalLM(config), _ids(config.vocab_size,
                                          17 if tiny else 128)


def t5(tiny):
    from transformers import T5Config, T5EncoderModel
    sizes = dict(num_layers=2, d_model=64, num_heads=4, d_ff=128, d_kv=16,
                 vocab_size=100) if tiny else {}
    config = T5Config(**sizes)
    return T5EncoderModel(config), _ids(config.vocab_size, 17 if tiny else 128)


def vit(tiny):
    from transformers import ViTConfig, ViTModel
    sizes = dict(num_hidden_layers=2, hidden_size=64, num_attention_heads=4,
                 intermediate_size=128, image_size=32,
                 patch_size=8) if tiny else {}
    config = ViTConfig(**sizes)
    return ViTModel(config), _image(config.image_size)


def sam(tiny):
    """The encoder of images."""
    from transformers import SamVisionConfig, SamVisionModel
    sizes = dict(num_hidden_layers=2, hidden_size=64, num_attention_heads=4,
                 mlp_dim=128, image_size=64, patch_size=8, output_channels=16,
                 window_size=3, global_attn_indexes=[1]) if tiny else {}
    config = SamVisionConfig(**sizes)
    return SamVisionModel(config), _image(config.image_size)


def swin(tiny):
    import timm
    sizes = dict(img_size=56, embed_dim=24, depths=(2, 2), num_heads=(2, 4),
                 num_classes=10) if tiny else {}
    model = timm.create_model("swin_tiny_patch4_window7_224", **sizes)
    return model, _image(56 if tiny else 224)


def convnext(tiny):
    import timm
    sizes = dict(depths=(1, 1, 1, 1), dims=(16, 32, 48, 64),
                 num_classes=10) if tiny else {}
    return timm.create_model("convnext_atto", **sizes), _image(
        64 if tiny else 224)


def mixer(tiny):
    from timm.models.mlp_mixer import MlpMixer
    sizes = dict(img_size=64, patch_size=16, num_blocks=2, embed_dim=64,
                 num_classes=10) if tiny else {}
    return MlpMixer(**sizes), _image(64 if tiny else 224)


class _DeepFM(torch.nn.Module):
    """Factorisation machine beside a deep network, on ten categories."""

    def __init__(self, entries, size):
        super().__init__()
        self.embedding = torch.nn.Embedding(entries, size)
        torch.nn.init.normal_(self.embedding.weight, std=0.1)
        self.linear = torch.nn.Embedding(entries, 1)
        self.deep = torch.nn.Sequential(
            torch.nn.Linear(10 * size, 64), torch.nn.BatchNorm1d(64),
            torch.nn.ReLU(), torch.nn.Linear(64, 1))

    def forward(self, categories):
        rows = self.embedding(categories)
        pairs = (rows.sum(1).square() - rows.square().sum(1)).sum(
            1, keepdim=True) / 2
        return torch.sigmoid(self.linear(categories).sum(1) + pairs
                             + self.deep(rows.flatten(1)))


def deepfm(tiny):
    entries = 1000 if tiny else 100000
    return (_DeepFM(entries, 8 if tiny else 64),
            (torch.randint(0, entries, (8 if tiny else 512, 10)),))


def _torchvision(name, size=224, tiny_size=64, **options):
    def make(tiny):
        import torchvision
        model = getattr(torchvision.models, name)(
            num_classes=10, weights=None, **options)
        return model, _image(tiny_size if tiny else size, 2)
    make.__name__ = name
    return make


TRANSFORMERS = (gpt2, bert, llama, t5, vit, sam, swin, mixer, deepfm)
"""At least 95 % of their operators are Grout's."""

CONVOLUTIONAL = (
    convnext, _torchvision("resnet18"), _torchvision("mobilenet_v3_small"),
    _torchvision("googlenet", init_weights=False),
    _torchvision("inception_v3", 299, 96, init_weights=False),
    _torchvision("efficientnet_b0"), _torchvision("densenet121"),
    _torchvision("mnasnet0_5"))
"""Convolutions are PyTorch's, and what is between them Grout's."""
