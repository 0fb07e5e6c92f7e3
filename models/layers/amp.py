"""torch.amp and torch.cuda.amp: a precision that the recipe chooses, and not the model."""


class autocast:
    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        self.device = device_type
        self.enabled = enabled

    def __enter__(self):
        # PyTorch does not cast either where the model is on another device.
        if self.enabled:
            _expect_other_device(self.device)
        return self

    def __exit__(self, kind, value, traceback):
        return False

    def __call__(self, function):
        if not self.enabled:
            return function

        def inside(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return inside


class _cuda_autocast(autocast):
    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        super().__init__("cuda", dtype, enabled, cache_enabled)


class _cpu_autocast(autocast):
    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        super().__init__("cpu", dtype, enabled, cache_enabled)


def custom_fwd(fwd=None, *, device_type="cuda", cast_inputs=None):
    return (lambda function: function) if fwd is None else fwd


def custom_bwd(bwd=None, *, device_type="cuda"):
    return (lambda function: function) if bwd is None else bwd
