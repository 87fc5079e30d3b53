"""Grout's C runtime through ctypes, on PyTorch's tensors or on pointers."""

import ctypes


class _Config(ctypes.Structure):
    """grout_session_config of include/grout-c/Runtime.h."""

    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("plan", ctypes.c_int),
        ("workers", ctypes.c_uint32),
        ("cuda_ordinal", ctypes.c_int32),
        ("timeout_seconds", ctypes.c_double),
        ("poison_intermediates", ctypes.c_uint32),
        ("delay_seed", ctypes.c_uint64),
        # Room for fields that later versions add; the library sets them.
        ("later", ctypes.c_uint8 * 256),
    ]


class Session:
    """An artifact's plan, on the device that the artifact is for."""

    def __init__(self, library, path, poison):
        self._library = library
        self._module = ctypes.c_void_p()
        self._session = ctypes.c_void_p()
        self._check(
            library.grout_module_load_file(
                str(path).encode(), ctypes.byref(self._module)
            )
        )
        config = _Config()
        library.grout_session_config_init(ctypes.byref(config))
        config.poison_intermediates = poison
        self._check(
            library.grout_session_create(
                self._module, ctypes.byref(config), ctypes.byref(self._session)
            )
        )

    def _check(self, status):
        if status != 0:
            raise RuntimeError(self._library.grout_last_error().decode())

    def run(self, inputs, outputs):
        """Enqueues the plan on PyTorch's current stream. Inputs and outputs are
        dense CUDA tensors with the shapes and types of the signature."""
        import torch

        self.run_pointers(
            [tensor.data_ptr() for tensor in inputs],
            [tensor.data_ptr() for tensor in outputs],
            torch.cuda.current_stream().cuda_stream,
        )

    def run_pointers(self, inputs, outputs, stream=None):
        """Runs the plan on addresses. On the CPU these are addresses of the
        host, and there is no stream."""
        arrays = [
            (ctypes.c_void_p * len(pointers))(*pointers)
            for pointers in (inputs, outputs)
        ]
        self._check(
            self._library.grout_session_run(
                self._session, *arrays, ctypes.c_void_p(stream)
            )
        )

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
