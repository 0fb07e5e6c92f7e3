"""torch.nn.attention: from which kernels LibTorch may choose."""


class SDPBackend:
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


class sdpa_kernel:
    def __init__(self, backends, set_priority=False):
        self.backends = list(backends) if isinstance(backends, (list, tuple)) else [backends]

    def __enter__(self):
        self._before = _choose_kernels(self.backends)
        return {}

    def __exit__(self, kind, value, traceback):
        _choose_kernels(self._before)
        return False
