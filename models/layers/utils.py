"""What torch.nn.utils changes of a module: normed weights, parametrizations, vectors of parameters.

PyTorch computes a normed weight in a hook before forward. Here the attribute becomes a property that computes it: the
layers read their weight once in forward.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

_kinds = {}


def _compute(module, name, key, compute):
    """Makes an attribute of a module a property. Modules with one key share their class and its compiled code."""
    kind = type(module)
    if (kind, name, key) not in _kinds:
        _kinds[kind, name, key] = torch._with_property(kind, name, compute)
    module.__class__ = _kinds[kind, name, key]


def _norm_except(v: Tensor, dim: int) -> Tensor:
    if dim == -1:
        return v.norm()
    return torch.norm_except_dim(v, 2, dim)


def weight_norm(module, name: str = "weight", dim=0):
    if hasattr(module, name + "_g"):
        raise RuntimeError(f"Cannot register two weight_norm hooks on the same parameter {name}")
    dim = -1 if dim is None else dim
    weight = getattr(module, name)
    delattr(module, name)
    module.register_parameter(name + "_g", nn.Parameter(_norm_except(weight, dim).data))
    module.register_parameter(name + "_v", nn.Parameter(weight.data))

    def compute(self):
        return torch._weight_norm(getattr(self, name + "_v"), getattr(self, name + "_g"), dim)

    _compute(module, name, ("weight_norm", dim), compute)
    return module


def remove_weight_norm(module, name: str = "weight"):
    if not hasattr(module, name + "_g"):
        raise ValueError(f"weight_norm of '{name}' not found in {module}")
    weight = getattr(module, name)
    delattr(module, name + "_g")
    delattr(module, name + "_v")
    module.__class__ = torch._without_property(type(module), name)
    setattr(module, name, nn.Parameter(weight.data))
    return module


def _to_front(weight: Tensor, dim: int) -> Tensor:
    return weight if dim == 0 else weight.movedim(dim, 0)


def _as_matrix(weight: Tensor, dim: int) -> Tensor:
    return _to_front(weight, dim).reshape(weight.size(dim), -1)


def _dimension(module, dim):
    if dim is not None:
        return dim
    transposed = (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)
    return 1 if isinstance(module, transposed) else 0


def spectral_norm(module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim=None):
    if hasattr(module, name + "_orig"):
        raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
    if n_power_iterations <= 0:
        raise ValueError(
            f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
        )
    dim = _dimension(module, dim)
    weight = getattr(module, name)
    with torch.no_grad():
        matrix = _as_matrix(weight, dim)
        u = F.normalize(matrix.new_empty(matrix.size(0)).normal_(0, 1), dim=0, eps=eps)
        v = F.normalize(matrix.new_empty(matrix.size(1)).normal_(0, 1), dim=0, eps=eps)
    delattr(module, name)
    module.register_parameter(name + "_orig", weight)
    module.register_buffer(name + "_u", u)
    module.register_buffer(name + "_v", v)

    def compute(self):
        weight = getattr(self, name + "_orig")
        u = getattr(self, name + "_u")
        v = getattr(self, name + "_v")
        matrix = _as_matrix(weight, dim)
        if self.training:
            with torch.no_grad():
                for _ in range(n_power_iterations):
                    v.copy_(F.normalize(torch.mv(matrix.t(), u), dim=0, eps=eps))
                    u.copy_(F.normalize(torch.mv(matrix, v), dim=0, eps=eps))
                u = u.clone()
                v = v.clone()
        return weight / torch.dot(u, torch.mv(matrix, v))

    _compute(module, name, ("spectral_norm", n_power_iterations, eps, dim), compute)
    return module


class _Parametrizations(nn.ModuleList):
    """The functions that make a parameter of `original`, or of original0, original1, …"""

    def __init__(self, modules, originals, is_tensor):
        super().__init__(modules)
        self.is_tensor = is_tensor
        self.ntensors = len(originals)
        for i, original in enumerate(originals):
            self.register_parameter("original" if is_tensor else f"original{i}", nn.Parameter(original.data))


class _WeightNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return torch._weight_norm(weight_v, weight_g, self.dim)

    def right_inverse(self, weight):
        return _norm_except(weight, self.dim), weight


class _SpectralNorm(nn.Module):
    def __init__(self, weight, n_power_iterations, dim, eps):
        super().__init__()
        self.dim = dim if dim >= 0 else dim + weight.ndim
        self.eps = eps
        if weight.ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = _to_front(weight, self.dim).flatten(1)
            u = matrix.new_empty(matrix.size(0)).normal_(0, 1)
            v = matrix.new_empty(matrix.size(1)).normal_(0, 1)
            self.register_buffer("_u", F.normalize(u, dim=0, eps=self.eps))
            self.register_buffer("_v", F.normalize(v, dim=0, eps=self.eps))
            self._iterate(matrix, 15)

    @torch.no_grad()
    def _iterate(self, matrix, times: int):
        for _ in range(times):
            self._u.copy_(F.normalize(torch.mv(matrix, self._v), dim=0, eps=self.eps))
            self._v.copy_(F.normalize(torch.mv(matrix.t(), self._u), dim=0, eps=self.eps))

    def forward(self, weight):
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = _to_front(weight, self.dim).flatten(1)
        if self.training:
            self._iterate(matrix, self.n_power_iterations)
        u = self._u.clone()
        v = self._v.clone()
        return weight / torch.vdot(u, torch.mv(matrix, v))

    def right_inverse(self, value):
        return value


def register_parametrization(module, tensor_name: str, parametrization, *, unsafe: bool = False):
    if hasattr(module, "parametrizations") and tensor_name in module.parametrizations:
        raise RuntimeError(f"'{tensor_name}' has a parametrization already: several on one tensor are left out here")
    weight = getattr(module, tensor_name)
    original = weight
    if hasattr(parametrization, "right_inverse"):
        with torch.no_grad():
            original = parametrization.right_inverse(weight)
    is_tensor = isinstance(original, Tensor)
    parts = _Parametrizations([parametrization], [original] if is_tensor else list(original), is_tensor)
    if not unsafe:
        # PyTorch tries the parametrization out, which is a step of the iteration of a spectral norm.
        with torch.no_grad():
            parametrization(original) if is_tensor else parametrization(*original)
    delattr(module, tensor_name)
    if not hasattr(module, "parametrizations"):
        module.parametrizations = nn.ModuleDict()
    module.parametrizations[tensor_name] = parts

    if is_tensor:

        def compute(self):
            parts = self.parametrizations[tensor_name]
            return parts[0](parts.original)

    else:

        def compute(self):
            parts = self.parametrizations[tensor_name]
            return parts[0](parts.original0, parts.original1)

    _compute(module, tensor_name, ("parametrized", is_tensor), compute)
    return module


def is_parametrized(module, tensor_name=None) -> bool:
    if not hasattr(module, "parametrizations"):
        return False
    return tensor_name is None or tensor_name in module.parametrizations


def _parametrized_weight_norm(module, name: str = "weight", dim: int = 0):
    return register_parametrization(module, name, _WeightNorm(dim))


def _parametrized_spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    weight = getattr(module, name)
    norm = _SpectralNorm(weight, n_power_iterations, _dimension(module, dim), eps)
    return register_parametrization(module, name, norm)


def parameters_to_vector(parameters) -> Tensor:
    return torch.cat([parameter.view(-1) for parameter in parameters])
