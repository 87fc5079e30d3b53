"""A sample of whole models, tiny; scripts/check-models has all of them, also in
real sizes."""

import pytest
import torch
from checking import check_forward, share
from models import TINY

# One of each kind. The others have the same operators, in larger graphs: regnet
# and mobilenet_v3 those of resnet and efficientnet, googlenet, inception_v3 and
# nasnet also those of densenet.
SAMPLE = """
    gpt2 bert llama t5 whisper wav2vec2 vit sam swin unet_block mixer deepfm
    convnext resnet efficientnet densenet
    """.split()


@pytest.mark.parametrize("name", SAMPLE)
def test_model(name):
    model, args = TINY[name].make()
    assert share(check_forward(model, args)) >= TINY[name].least


@pytest.mark.parametrize(
    "name, dtype",
    [("bert", torch.float16), ("llama", torch.bfloat16)],
    ids=["bert-f16", "llama-bf16"],
)
def test_half_precision(name, dtype):
    model, args = TINY[name].make()
    assert share(check_forward(model.to(dtype), args)) >= TINY[name].least
