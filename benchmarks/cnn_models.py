"""Convolutional networks, and parts of them, for torch_models.py."""

import torch
from torch import nn
from torch.nn import functional


def _normed(channels, features, size, stride=1, padding=None):
    """Returns a convolution with batch normalisation."""
    if padding is None:
        padding = size // 2
    return nn.Sequential(
        nn.Conv2d(channels, features, size, stride, padding, bias=False),
        nn.BatchNorm2d(features),
    )


class Bottleneck(nn.Module):
    """ResNet's bottleneck block: from `channels` through `width` to 4 * `width`
    channels."""

    def __init__(self, channels, width, stride=1):
        super().__init__()
        self.reduce = _normed(channels, width, 1)
        self.filter = _normed(width, width, 3, stride)
        self.expand = _normed(width, 4 * width, 1)
        self.shortcut = (
            nn.Identity()
            if channels == 4 * width
            else _normed(channels, 4 * width, 1, stride)
        )

    def forward(self, x):
        y = functional.relu(self.reduce(x))
        y = functional.relu(self.filter(y))
        return functional.relu(self.expand(y) + self.shortcut(x))


def bottlenecks(channels, width, count):
    """Returns `count` bottleneck blocks in a row, with images of one size."""
    first = [Bottleneck(channels, width)]
    return nn.Sequential(
        *first, *(Bottleneck(4 * width, width) for _ in range(count - 1))
    )


class ResNet50(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(
            _normed(3, 64, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1)
        )
        stages, channels = [], 64
        for width, count, stride in (
            (64, 3, 1),
            (128, 4, 2),
            (256, 6, 2),
            (512, 3, 2),
        ):
            stages.append(Bottleneck(channels, width, stride))
            stages += [Bottleneck(4 * width, width) for _ in range(count - 1)]
            channels = 4 * width
        self.stages = nn.Sequential(*stages)
        self.classes = nn.Linear(channels, 1000)

    def forward(self, x):
        return self.classes(self.stages(self.stem(x)).mean((2, 3)))


class VGG19(nn.Module):
    """VGG-19 without its linear layers."""

    def __init__(self):
        super().__init__()
        layers, channels = [], 3
        for features, count in (
            (64, 2),
            (128, 2),
            (256, 4),
            (512, 4),
            (512, 4),
        ):
            for _ in range(count):
                layers += [
                    nn.Conv2d(channels, features, 3, padding=1),
                    nn.ReLU(),
                ]
                channels = features
            layers.append(nn.MaxPool2d(2))
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)


class Inception(nn.Module):
    """GoogLeNet's module 3a."""

    def __init__(self, channels=192):
        super().__init__()

        def branch(*layers):
            return nn.Sequential(
                *(part for layer in layers for part in (layer, nn.ReLU()))
            )

        self.branches = nn.ModuleList(
            [
                branch(_normed(channels, 64, 1)),
                branch(_normed(channels, 96, 1), _normed(96, 128, 3)),
                branch(_normed(channels, 16, 1), _normed(16, 32, 3)),
                nn.Sequential(
                    nn.MaxPool2d(3, 1, 1), branch(_normed(channels, 32, 1))
                ),
            ]
        )

    def forward(self, x):
        return torch.cat([branch(x) for branch in self.branches], 1)
