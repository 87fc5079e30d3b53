"""grout.targets against the compiler's own list."""

import ctypes

import pytest

from grout import _libraries, targets


class _Target(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("name", ctypes.c_char_p),
                ("architecture", ctypes.c_char_p), ("code", ctypes.c_int),
                ("has_products", ctypes.c_uint32),
                ("has_f32_products", ctypes.c_uint32),
                ("has_attention", ctypes.c_uint32)]


def _known_to_compiler():
    library = _libraries.compiler()
    library.grout_compiler_num_targets.restype = ctypes.c_size_t
    for index in range(library.grout_compiler_num_targets()):
        target = _Target(struct_size=ctypes.sizeof(_Target))
        assert library.grout_compiler_target(ctypes.c_size_t(index),
                                             ctypes.byref(target)) == 0
        yield target


def test_are_those_of_the_compiler():
    compiler = {target.name.decode(): targets.Target(
        target.name.decode(), target.architecture.decode(),
        bool(target.has_products), bool(target.has_f32_products),
        bool(target.has_attention)) for target in _known_to_compiler()}
    assert compiler == targets.TARGETS


def test_devices_are_those_that_the_code_is_for():
    gpus = {target.name.decode() for target in _known_to_compiler()
            if target.code == 1}
    assert {target.name for target in targets.TARGETS.values()
            if target.device_type == "cuda"} == gpus


def test_are_found_by_compute_capability():
    assert targets.of_capability((9, 0)) is targets.get("h200")
    assert targets.of_capability((8, 0)) is targets.get("a100")
    assert targets.of_capability((7, 5)) is None
    assert targets.CPU.capability is None


def test_others_are_refused():
    with pytest.raises(ValueError, match="cpu, h200, a100, not 'abacus'"):
        targets.get("abacus")
