"""The version of the GPU's driver, from NVIDIA's management library."""

import ctypes

# NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE
_SIZE = 80


def version(library="libnvidia-ml.so.1"):
    """Returns a version such as "580.65.06", or None if there is no driver."""
    try:
        nvml = ctypes.CDLL(library)
        if nvml.nvmlInit_v2() != 0:
            return None
        try:
            text = ctypes.create_string_buffer(_SIZE)
            done = nvml.nvmlSystemGetDriverVersion(text, ctypes.c_uint(_SIZE))
        finally:
            nvml.nvmlShutdown()
    except (OSError, AttributeError):
        return None
    return text.value.decode() if done == 0 else None
