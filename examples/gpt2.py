"""GPT-2 through torch.compile(backend="grout"), on the CPU.

  python examples/gpt2.py [--layers 12] [--tokens 32]

A model of GPT-2's shape with random weights decodes greedily: first the prompt
at once, then token by token, with keys and values of all earlier ones kept. The
tokens must be those of PyTorch alone. Ends with a report of what Grout runs.
"""

import argparse
import sys
import time

import torch
from torch import nn
from torch.nn import functional

import grout.torch


class Layer(nn.Module):
    """Attention over what is cached, and a multi-layer perceptron."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = (
            nn.Linear(width, 3 * width),
            nn.Linear(width, width),
        )
        self.up, self.down = (
            nn.Linear(width, 4 * width),
            nn.Linear(4 * width, width),
        )

    def forward(self, x, keys, values, positions, mask):
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, -1).transpose(1, 2)
            for part in self.qkv(self.norm1(x)).chunk(3, -1)
        )
        keys = keys.index_copy(2, positions, k)
        values = values.index_copy(2, positions, v)
        y = functional.scaled_dot_product_attention(q, keys, values, mask)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        x = x + self.down(
            functional.gelu(self.up(self.norm2(x)), approximate="tanh")
        )
        return x, keys, values


class GPT2(nn.Module):
    def __init__(
        self, layers, width=768, heads=12, vocabulary=50257, length=128
    ):
        super().__init__()
        self.length, self.heads, self.width = length, heads, width
        self.tokens = nn.Embedding(vocabulary, width)
        self.places = nn.Embedding(length, width)
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)

    def empty_cache(self):
        shape = (1, self.heads, self.length, self.width // self.heads)
        return [(torch.zeros(shape), torch.zeros(shape)) for _ in self.layers]

    def forward(self, tokens, positions, cache):
        """The scores of the token after the last, and the new cache."""
        x = self.tokens(tokens) + self.places(positions)
        mask = torch.arange(self.length)[None, :] <= positions[:, None]
        written = []
        for layer, (keys, values) in zip(self.layers, cache):
            x, keys, values = layer(x, keys, values, positions, mask)
            written.append((keys, values))
        return self.head(self.norm(x[:, -1])), written


@torch.no_grad()
def decode(model, run, prompt, count):
    """`count` tokens after the prompt, each the likeliest."""
    cache = model.empty_cache()
    tokens, positions, found = prompt, torch.arange(prompt.shape[1]), []
    for _ in range(count):
        scores, cache = run(tokens, positions, cache)
        tokens = scores.argmax(-1, keepdim=True)
        positions = positions[-1:] + 1
        found.append(tokens.item())
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--tokens", type=int, default=32)
    args = parser.parse_args()
    torch.manual_seed(0)
    model = GPT2(args.layers).eval()
    prompt = torch.randint(0, 50257, (1, 16))
    wanted = decode(model, model, prompt, args.tokens)

    start = time.monotonic()
    compiled = torch.compile(model, backend="grout", dynamic=False)
    decode(model, compiled, prompt, 2)
    print(f"compiled in {time.monotonic() - start:.1f} s")
    found = decode(model, compiled, prompt, args.tokens)
    print("tokens:", *found)
    report = grout.report(
        model, (prompt, torch.arange(16), model.empty_cache())
    )
    print(report)
    if found != wanted:
        sys.exit(f"PyTorch alone decodes {wanted}")
    if report.share_of_flops < 0.95:
        sys.exit("Grout should run 95 % of the FLOPs")


if __name__ == "__main__":
    main()
