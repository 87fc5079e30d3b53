"""`probe`: measures the limits and the rates of a GPU, with which `fit`
begins."""

import statistics

from tuning.cuda_driver import Driver

VERSION = 1

_CLUSTERS = (1, 2, 4, 8)
# Far more than a cache holds.
_COPY_BYTES = 1 << 30
_COPIES = 8
_MATRIX = 8192
_PRODUCTS = 8
_ROUNDS = 9


def probe(torch, device):
    """Returns the limits that the GPU reports and the rates that it reaches.
    `device`, a TorchDevice, measures times."""
    driver = Driver()
    found = driver.attributes()
    return {
        "version": VERSION,
        **device.describe(),
        "architecture": f"sm_{found['major']}{found['minor']}",
        "processors": found["processors"],
        "processorThreads": found["processor_threads"],
        "sharedMemory": found["shared_memory"],
        "cacheBytes": found["cache_bytes"],
        # The memory moves data twice per clock.
        "peakMemoryRate": 2e3 * found["memory_khz"] * found["bus_bits"] / 8,
        "clusters": (
            driver.clusters(_CLUSTERS)
            if found["major"] >= 9
            else [found["processors"], 0, 0, 0]
        ),
        "memoryRate": _memory_rate(torch, device),
        "matrixRate": _matrix_rate(torch, device),
    }


def _seconds(device, graph):
    """Returns the median time of a replay."""

    def once():
        device.synchronize()
        device.idle(0.02)
        device.hold()
        begin = device.event()
        graph.replay()
        end = device.event()
        device.synchronize()
        return device.elapsed_us(begin, end) * 1e-6

    once()
    return statistics.median(once() for _ in range(_ROUNDS))


def _memory_rate(torch, device):
    """Returns the rate of kernels that read numbers and write them negated;
    the bytes of both count. Not copies: a graph may use the slower copy
    engines for them."""
    source = torch.rand(_COPY_BYTES // 4, device="cuda")
    target = torch.empty_like(source)
    graph = device.capture(lambda: torch.neg(source, out=target), _COPIES)
    return 2 * _COPIES * _COPY_BYTES / _seconds(device, graph)


def _matrix_rate(torch, device):
    """Returns the rate of a large product of random numbers. It runs in bursts
    of some milliseconds, as products are measured: the power limit applies,
    and the GPU is not hot yet."""
    one, other = (
        torch.randn(_MATRIX, _MATRIX, device="cuda", dtype=torch.float16)
        for _ in range(2)
    )
    graph = device.capture(lambda: one @ other, _PRODUCTS)
    return _PRODUCTS * 2 * _MATRIX**3 / _seconds(device, graph)
