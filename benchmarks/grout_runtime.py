"""Grout's C runtime on PyTorch tensors, through ctypes."""

import ctypes


class _Config(ctypes.Structure):
    """grout_session_config of include/grout-c/Runtime.h."""
    _fields_ = [
        ("struct_size", ctypes.c_size_t), ("plan", ctypes.c_int),
        ("workers", ctypes.c_uint32), ("cuda_ordinal", ctypes.c_int32),
        ("timeout_seconds", ctypes.c_double),
        ("poison_intermediates", ctypes.c_uint32),
        ("delay_seed", ctypes.c_uint64)]


class Session:
    """A plan on the current GPU. `run` enqueues on PyTorch's current stream."""

    def __init__(self, library, path, poison):
        self._library = library
        self._module = ctypes.c_void_p()
        self._session = ctypes.c_void_p()
        self._check(library.grout_module_load_file(
            str(path).encode(), ctypes.byref(self._module)))
        config = _Config()
        library.grout_session_config_init(ctypes.byref(config))
        config.poison_intermediates = poison
        self._check(library.grout_session_create(
            self._module, ctypes.byref(config), ctypes.byref(self._session)))

    def _check(self, status):
        if status != 0:
            raise RuntimeError(self._library.grout_last_error().decode())

    def run(self, inputs, outputs):
        """Both are CUDA tensors, dense, of the signature's shapes and types."""
        import torch
        pointers = [(ctypes.c_void_p * len(tensors))(
            *(tensor.data_ptr() for tensor in tensors))
            for tensors in (inputs, outputs)]
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        self._check(self._library.grout_session_run(
            self._session, *pointers, stream))

    def __del__(self):
        self._library.grout_session_destroy(self._session)
        self._library.grout_module_destroy(self._module)


class Runtime:
    """libGroutRuntime.so."""

    def __init__(self, path):
        self._library = ctypes.CDLL(str(path))
        self._library.grout_last_error.restype = ctypes.c_char_p
        for name in ("grout_session_destroy", "grout_module_destroy"):
            function = getattr(self._library, name)
            function.argtypes = [ctypes.c_void_p]
            function.restype = None

    def session(self, path, poison=False):
        return Session(self._library, path, int(poison))
