#!/usr/bin/env python3
"""call_peer.py DESCRIPTION PEER SEED: calls a peer a few times, and then once
more between marks for a profiler. DESCRIPTION is a case, as a manifest
describes it."""

import json
import sys

import peers
import workloads
from runner import Data
from torch_compile import TorchCompile
from torch_device import TorchDevice

_WARM_UPS = 3
# Longer than the profiler waits for this program.
_COMPILE_SECONDS = 3600.0


def call(device, case, name):
    torch = device.torch
    data = Data(device)
    data.prepare(case)
    compiler = TorchCompile(device, "", _COMPILE_SECONDS, _COMPILE_SECONDS)
    body = peers.make(device, case, [name], data.x, data.weights, compiler)[
        name
    ]()
    for _ in range(_WARM_UPS):
        body()
    device.synchronize()
    torch.cuda.profiler.start()
    body()
    device.synchronize()
    torch.cuda.profiler.stop()


def main():
    import torch

    description, name, seed = sys.argv[1:]
    call(
        TorchDevice(torch, int(seed)),
        workloads.from_description(json.loads(description)),
        name,
    )


if __name__ == "__main__":
    main()
