"""grout.targets against the compiler's own list."""

import ctypes

import pytest

from grout import _libraries, targets


class _Target(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
        ("architecture", ctypes.c_char_p),
        ("code", ctypes.c_int),
        ("has_products", ctypes.c_uint32),
        ("has_f32_products", ctypes.c_uint32),
        ("has_attention", ctypes.c_uint32),
        ("processors", ctypes.c_uint32),
        ("peak_memory_rate", ctypes.c_uint64),
        ("cache_bytes", ctypes.c_uint64),
    ]


def _known_to_compiler():
    library = _libraries.compiler()
    library.grout_compiler_num_targets.restype = ctypes.c_size_t
    for index in range(library.grout_compiler_num_targets()):
        target = _Target(struct_size=ctypes.sizeof(_Target))
        assert (
            library.grout_compiler_target(
                ctypes.c_size_t(index), ctypes.byref(target)
            )
            == 0
        )
        yield target


def test_are_those_of_the_compiler():
    compiler = {
        target.name.decode(): targets.Target(
            target.name.decode(),
            target.architecture.decode(),
            bool(target.has_products),
            bool(target.has_f32_products),
            bool(target.has_attention),
            target.processors,
            target.peak_memory_rate,
            target.cache_bytes,
        )
        for target in _known_to_compiler()
    }
    assert compiler == targets.TARGETS


def test_devices_are_those_that_the_code_is_for():
    gpus = {
        target.name.decode()
        for target in _known_to_compiler()
        if target.code == 1
    }
    assert {
        target.name
        for target in targets.TARGETS.values()
        if target.device_type == "cuda"
    } == gpus


# What drivers say of them: TB/s are those of clock and bus.
@pytest.mark.parametrize(
    "name, processors, rate, megabytes, target, alike",
    [
        ("NVIDIA H100 80GB HBM3", 132, 3.352e12, 50, "h100", True),
        ("NVIDIA H200", 132, 4.917e12, 60, "h200", True),
        ("NVIDIA GH200 144G HBM3e", 132, 4.9e12, 60, "h200", True),
        ("NVIDIA GH200 480GB", 132, 4.02e12, 60, "h100", False),
        ("NVIDIA H100 PCIe", 114, 2.04e12, 50, "h100", False),
        ("NVIDIA H20", 78, 4.0e12, 60, "h100", False),
        # A PyTorch that does not know the memory's rate leaves the name.
        ("NVIDIA H200", 132, 0, 50, "h200", True),
        ("NVIDIA H100 80GB HBM3", 132, 0, 50, "h100", True),
    ],
)
def test_are_found_by_what_a_gpu_has(
    name, processors, rate, megabytes, target, alike
):
    gpu = targets.Gpu(name, (9, 0), processors, rate, megabytes << 20)
    assert targets.of_gpu(gpu) is targets.get(target)
    assert targets.is_alike(gpu, targets.get(target)) == alike


def test_run_only_on_gpus_of_their_architecture():
    a100 = targets.Gpu("NVIDIA A100-SXM4-80GB", (8, 0), 108, 2.039e12, 40 << 20)
    assert targets.of_gpu(a100) is targets.get("a100")
    assert targets.of_gpu(targets.Gpu("Tesla T4", (7, 5), 40)) is None
    assert targets.CPU.capability is None


def test_others_are_refused():
    with pytest.raises(ValueError, match="cpu, h100, h200, a100, not 'abacus'"):
        targets.get("abacus")
