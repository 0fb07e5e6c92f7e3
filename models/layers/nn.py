"""The layers of torch.nn, in the language of models: what a layer holds, how it begins, what it computes.

Module, Parameter and the containers are the engine's own. Names, arguments, defaults, the names of
parameters and the order in which random numbers are drawn are PyTorch's, so that weights and seeds
carry over.
"""

import copy
import math
from typing import Optional

import torch
from torch import Tensor
from torch.nn import Module, ModuleList, Parameter
from torch.nn import functional as F
from torch.nn import init


def _single(value):
    return (value,) if isinstance(value, int) else tuple(value)


def _pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)


def _triple(value):
    return (value, value, value) if isinstance(value, int) else tuple(value)


# --- linear


class Identity(Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class Linear(Module):
    """(..., in_features) to (..., out_features)."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True, device=None, dtype=None):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(torch.empty((out_features, in_features), device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        return F.linear(input, self.weight, self.bias)


class Bilinear(Module):
    """(..., in1_features) and (..., in2_features) to (..., out_features)."""

    def __init__(
        self, in1_features: int, in2_features: int, out_features: int, bias: bool = True, device=None, dtype=None
    ):
        super().__init__()
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        shape = (out_features, in1_features, in2_features)
        self.weight = Parameter(torch.empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.weight.size(1))
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        return F.bilinear(input1, input2, self.weight, self.bias)


# --- activations


class ReLU(Module):
    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, self.inplace)


class ReLU6(Module):
    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.relu6(input, self.inplace)


class LeakyReLU(Module):
    def __init__(self, negative_slope: float = 0.01, inplace: bool = False):
        super().__init__()
        self.negative_slope = float(negative_slope)
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class PReLU(Module):
    def __init__(self, num_parameters: int = 1, init: float = 0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = Parameter(torch.empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self):
        with torch.no_grad():
            self.weight.fill_(self.init)

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)


class ELU(Module):
    def __init__(self, alpha: float = 1.0, inplace: bool = False):
        super().__init__()
        self.alpha = float(alpha)
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.elu(input, self.alpha, self.inplace)


class CELU(Module):
    def __init__(self, alpha: float = 1.0, inplace: bool = False):
        super().__init__()
        self.alpha = float(alpha)
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.celu(input, self.alpha, self.inplace)


class SELU(Module):
    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.selu(input, self.inplace)


class GELU(Module):
    def __init__(self, approximate: str = "none"):
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        return F.gelu(input, approximate=self.approximate)


class SiLU(Module):
    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.silu(input, self.inplace)


class Mish(Module):
    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.mish(input, self.inplace)


class Hardswish(Module):
    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.hardswish(input, self.inplace)


class Hardsigmoid(Module):
    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.hardsigmoid(input, self.inplace)


class Hardtanh(Module):
    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False):
        super().__init__()
        assert max_val > min_val
        self.min_val = float(min_val)
        self.max_val = float(max_val)
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class Hardshrink(Module):
    def __init__(self, lambd: float = 0.5):
        super().__init__()
        self.lambd = float(lambd)

    def forward(self, input: Tensor) -> Tensor:
        return torch.hardshrink(input, self.lambd)


class Softshrink(Module):
    def __init__(self, lambd: float = 0.5):
        super().__init__()
        self.lambd = float(lambd)

    def forward(self, input: Tensor) -> Tensor:
        return F.softshrink(input, self.lambd)


class Tanhshrink(Module):
    def forward(self, input: Tensor) -> Tensor:
        return F.tanhshrink(input)


class Threshold(Module):
    def __init__(self, threshold: float, value: float, inplace: bool = False):
        super().__init__()
        self.threshold = float(threshold)
        self.value = float(value)
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.threshold(input, self.threshold, self.value, self.inplace)


class Sigmoid(Module):
    def forward(self, input: Tensor) -> Tensor:
        return torch.sigmoid(input)


class LogSigmoid(Module):
    def forward(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


class Tanh(Module):
    def forward(self, input: Tensor) -> Tensor:
        return torch.tanh(input)


class Softplus(Module):
    def __init__(self, beta: float = 1.0, threshold: float = 20.0):
        super().__init__()
        self.beta = float(beta)
        self.threshold = float(threshold)

    def forward(self, input: Tensor) -> Tensor:
        return F.softplus(input, self.beta, self.threshold)


class Softsign(Module):
    def forward(self, input: Tensor) -> Tensor:
        return F.softsign(input)


class GLU(Module):
    def __init__(self, dim: int = -1):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)


class Softmax(Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return torch.softmax(input, self.dim)


class LogSoftmax(Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return torch.log_softmax(input, self.dim)


class Softmin(Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return torch.softmax(-input, self.dim)


# --- dropout


class _Dropout(Module):
    def __init__(self, p: float = 0.5, inplace: bool = False):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = float(p)
        self.inplace = inplace


class Dropout(_Dropout):
    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_Dropout):
    def forward(self, input: Tensor) -> Tensor:
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_Dropout):
    def forward(self, input: Tensor) -> Tensor:
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_Dropout):
    def forward(self, input: Tensor) -> Tensor:
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_Dropout):
    def forward(self, input: Tensor) -> Tensor:
        return F.alpha_dropout(input, self.p, self.training)


# --- shapes


class Flatten(Module):
    def __init__(self, start_dim: int = 1, end_dim: int = -1):
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)


class Unflatten(Module):
    def __init__(self, dim: int, unflattened_size):
        super().__init__()
        self.dim = dim
        self.unflattened_size = tuple(unflattened_size)

    def forward(self, input: Tensor) -> Tensor:
        return input.unflatten(self.dim, self.unflattened_size)


class PixelShuffle(Module):
    def __init__(self, upscale_factor: int):
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Module):
    def __init__(self, downscale_factor: int):
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, self.downscale_factor)


class Upsample(Module):
    """(B, C, L) or (B, C, H, W), larger or smaller."""

    def __init__(self, size=None, scale_factor=None, mode: str = "nearest", align_corners: Optional[bool] = None):
        super().__init__()
        if mode not in ["nearest", "linear", "bilinear", "bicubic"]:
            raise ValueError(f"mode {mode} is not supported, use nearest, linear, bilinear or bicubic")
        if (size is None) == (scale_factor is None):
            raise ValueError("only one of size or scale_factor should be defined")
        if align_corners is not None and mode == "nearest":
            raise ValueError("align_corners option can only be set with the interpolating modes")
        self.size = size
        self.scale_factor = scale_factor
        self.mode = mode
        self.align_corners = False if align_corners is None else align_corners
        self.sizes_1d: Optional[list[int]] = None if size is None else list(_single(size))
        self.sizes_2d: Optional[list[int]] = None if size is None else list(_pair(size))
        self.scales_1d: Optional[list[float]] = None
        self.scales_2d: Optional[list[float]] = None
        if scale_factor is not None:
            scales = scale_factor if isinstance(scale_factor, tuple) else (scale_factor, scale_factor)
            self.scales_2d = [float(scale) for scale in scales]
            self.scales_1d = [float(scales[0])]

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() == 3:
            if self.mode == "nearest":
                return torch.ops.aten.upsample_nearest1d(input, self.sizes_1d, self.scales_1d)
            assert self.mode == "linear", f"Got 3D input, but {self.mode} mode needs 4D input"
            return torch.ops.aten.upsample_linear1d(input, self.sizes_1d, self.align_corners, self.scales_1d)
        if input.dim() != 4:
            raise ValueError(f"expected 3D or 4D input (got {input.dim()}D input)")
        if self.mode == "nearest":
            return torch.ops.aten.upsample_nearest2d(input, self.sizes_2d, self.scales_2d)
        if self.mode == "bilinear":
            return torch.ops.aten.upsample_bilinear2d(input, self.sizes_2d, self.align_corners, self.scales_2d)
        assert self.mode == "bicubic", f"Got 4D input, but {self.mode} mode needs 3D input"
        return torch.ops.aten.upsample_bicubic2d(input, self.sizes_2d, self.align_corners, self.scales_2d)


class _Pad(Module):
    """`padding` counts from the last dimension: left, right, top, bottom, …"""

    dimensions = 2
    mode = "constant"

    def __init__(self, padding, value: float = 0.0):
        super().__init__()
        sides = 2 * self.dimensions
        self.padding = (padding,) * sides if isinstance(padding, int) else tuple(padding)
        self.value = float(value)


class ConstantPad1d(_Pad):
    dimensions = 1

    def __init__(self, padding, value: float):
        super().__init__(padding, value)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)


class ConstantPad2d(_Pad):
    def __init__(self, padding, value: float):
        super().__init__(padding, value)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)


class ZeroPad1d(_Pad):
    dimensions = 1

    def __init__(self, padding):
        super().__init__(padding)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", 0.0)


class ZeroPad2d(_Pad):
    def __init__(self, padding):
        super().__init__(padding)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", 0.0)


class ReflectionPad1d(_Pad):
    dimensions = 1

    def __init__(self, padding):
        super().__init__(padding)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "reflect")


class ReflectionPad2d(_Pad):
    def __init__(self, padding):
        super().__init__(padding)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "reflect")


class ReplicationPad2d(_Pad):
    def __init__(self, padding):
        super().__init__(padding)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "replicate")


# --- embedding


class Embedding(Module):
    """(…) of whole numbers below num_embeddings to (…, embedding_dim)."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: Optional[int] = None,
        max_norm: Optional[float] = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        assert max_norm is None, "max_norm changes the weights while they are read, which models cannot do"
        assert not sparse, "sparse gradients are not supported"
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        if padding_idx is not None:
            assert -num_embeddings <= padding_idx < num_embeddings, "Padding_idx must be within num_embeddings"
            if padding_idx < 0:
                padding_idx += num_embeddings
        self.padding_idx = padding_idx
        self.scale_grad_by_freq = scale_grad_by_freq
        self.weight = Parameter(torch.empty((num_embeddings, embedding_dim), device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self):
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with torch.no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Tensor) -> Tensor:
        padding = -1 if self.padding_idx is None else self.padding_idx
        return torch.embedding(self.weight, input, padding, self.scale_grad_by_freq, False)


# --- convolution


class _Conv(Module):
    """What convolutions share: `size` is how a number becomes one for each dimension."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size,
        stride,
        padding,
        dilation,
        groups: int,
        bias: bool,
        padding_mode: str,
        transposed: bool,
        output_padding,
        device,
        dtype,
    ):
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        if isinstance(padding, str):
            if padding not in {"same", "valid"}:
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
            if padding == "same" and any(s != 1 for s in stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        modes = {"zeros", "reflect", "replicate", "circular"}
        if padding_mode not in modes:
            raise ValueError(f"padding_mode must be one of {modes}, but got padding_mode='{padding_mode}'")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        self._around = self._padding_around()
        if transposed:
            shape = (in_channels, out_channels // groups) + kernel_size
        else:
            shape = (out_channels, in_channels // groups) + kernel_size
        self.weight = Parameter(torch.empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def _padding_around(self):
        """What F.pad takes for the padding modes other than zeros: the last dimension first."""
        around = []
        for i in reversed(range(len(self.kernel_size))):
            if isinstance(self.padding, str):
                total = self.dilation[i] * (self.kernel_size[i] - 1) if self.padding == "same" else 0
                around += [total // 2, total - total // 2]
            else:
                around += [self.padding[i], self.padding[i]]
        return around

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)


class Conv1d(_Conv):
    """(B, in_channels, L) to (B, out_channels, L')."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device=None,
        dtype=None,
    ):
        around = padding if isinstance(padding, str) else _single(padding)
        super().__init__(
            in_channels, out_channels, _single(kernel_size), _single(stride), around, _single(dilation),
            groups, bias, padding_mode, False, _single(0), device, dtype,
        )

    def forward(self, input: Tensor) -> Tensor:
        if self.padding_mode != "zeros":
            padded = F.pad(input, self._around, self.padding_mode)
            return torch.conv1d(padded, self.weight, self.bias, self.stride, [0], self.dilation, self.groups)
        return torch.conv1d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Conv2d(_Conv):
    """(B, in_channels, H, W) to (B, out_channels, H', W')."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device=None,
        dtype=None,
    ):
        around = padding if isinstance(padding, str) else _pair(padding)
        super().__init__(
            in_channels, out_channels, _pair(kernel_size), _pair(stride), around, _pair(dilation),
            groups, bias, padding_mode, False, _pair(0), device, dtype,
        )

    def forward(self, input: Tensor) -> Tensor:
        if self.padding_mode != "zeros":
            padded = F.pad(input, self._around, self.padding_mode)
            return torch.conv2d(padded, self.weight, self.bias, self.stride, [0, 0], self.dilation, self.groups)
        return torch.conv2d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Conv3d(_Conv):
    """(B, in_channels, D, H, W) to (B, out_channels, D', H', W')."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device=None,
        dtype=None,
    ):
        around = padding if isinstance(padding, str) else _triple(padding)
        super().__init__(
            in_channels, out_channels, _triple(kernel_size), _triple(stride), around, _triple(dilation),
            groups, bias, padding_mode, False, _triple(0), device, dtype,
        )

    def forward(self, input: Tensor) -> Tensor:
        if self.padding_mode != "zeros":
            padded = F.pad(input, self._around, self.padding_mode)
            return torch.conv3d(padded, self.weight, self.bias, self.stride, [0, 0, 0], self.dilation, self.groups)
        return torch.conv3d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class ConvTranspose1d(_Conv):
    """(B, in_channels, L) to (B, out_channels, L')."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups: int = 1,
        bias: bool = True,
        dilation=1,
        padding_mode: str = "zeros",
        device=None,
        dtype=None,
    ):
        if padding_mode != "zeros":
            raise ValueError('Only "zeros" padding mode is supported for ConvTranspose1d')
        super().__init__(
            in_channels, out_channels, _single(kernel_size), _single(stride), _single(padding),
            _single(dilation), groups, bias, padding_mode, True, _single(output_padding), device, dtype,
        )

    def forward(self, input: Tensor) -> Tensor:
        return torch.conv_transpose1d(
            input, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.groups, self.dilation
        )


class ConvTranspose2d(_Conv):
    """(B, in_channels, H, W) to (B, out_channels, H', W')."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups: int = 1,
        bias: bool = True,
        dilation=1,
        padding_mode: str = "zeros",
        device=None,
        dtype=None,
    ):
        if padding_mode != "zeros":
            raise ValueError('Only "zeros" padding mode is supported for ConvTranspose2d')
        super().__init__(
            in_channels, out_channels, _pair(kernel_size), _pair(stride), _pair(padding),
            _pair(dilation), groups, bias, padding_mode, True, _pair(output_padding), device, dtype,
        )

    def forward(self, input: Tensor) -> Tensor:
        return torch.conv_transpose2d(
            input, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.groups, self.dilation
        )


# --- pooling


class _MaxPool(Module):
    def __init__(
        self, kernel_size, stride=None, padding=0, dilation=1, return_indices: bool = False, ceil_mode: bool = False
    ):
        super().__init__()
        assert not return_indices, "return_indices is not supported"
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.ceil_mode = ceil_mode


class MaxPool1d(_MaxPool):
    def forward(self, input: Tensor) -> Tensor:
        return torch.max_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode
        )


class MaxPool2d(_MaxPool):
    def forward(self, input: Tensor) -> Tensor:
        return torch.max_pool2d(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode
        )


class MaxPool3d(_MaxPool):
    def forward(self, input: Tensor) -> Tensor:
        return torch.max_pool3d(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode
        )


class AvgPool1d(Module):
    def __init__(
        self, kernel_size, stride=None, padding=0, ceil_mode: bool = False, count_include_pad: bool = True
    ):
        super().__init__()
        self.kernel_size = _single(kernel_size)
        self.stride = self.kernel_size if stride is None else _single(stride)
        self.padding = _single(padding)
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        return torch.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )


class _AvgPool(Module):
    def __init__(
        self,
        kernel_size,
        stride=None,
        padding=0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: Optional[int] = None,
    ):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override


class AvgPool2d(_AvgPool):
    def forward(self, input: Tensor) -> Tensor:
        return torch.ops.aten.avg_pool2d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool3d(_AvgPool):
    def forward(self, input: Tensor) -> Tensor:
        return torch.ops.aten.avg_pool3d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AdaptiveAvgPool1d(Module):
    def __init__(self, output_size):
        super().__init__()
        self.output_size = _single(output_size)

    def forward(self, input: Tensor) -> Tensor:
        return torch.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(Module):
    """To (…, H', W'); a size that is None stays what it is."""

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size
        height, width = _pair(output_size)
        self.height = -1 if height is None else height
        self.width = -1 if width is None else width

    def forward(self, input: Tensor) -> Tensor:
        height = input.size(-2) if self.height < 0 else self.height
        width = input.size(-1) if self.width < 0 else self.width
        return torch.ops.aten.adaptive_avg_pool2d(input, [height, width])


class AdaptiveMaxPool1d(Module):
    def __init__(self, output_size, return_indices: bool = False):
        super().__init__()
        assert not return_indices, "return_indices is not supported"
        self.output_size = _single(output_size)

    def forward(self, input: Tensor) -> Tensor:
        return torch.adaptive_max_pool1d(input, self.output_size)[0]


class AdaptiveMaxPool2d(Module):
    """To (…, H', W'); a size that is None stays what it is."""

    def __init__(self, output_size, return_indices: bool = False):
        super().__init__()
        assert not return_indices, "return_indices is not supported"
        self.output_size = output_size
        height, width = _pair(output_size)
        self.height = -1 if height is None else height
        self.width = -1 if width is None else width

    def forward(self, input: Tensor) -> Tensor:
        height = input.size(-2) if self.height < 0 else self.height
        width = input.size(-1) if self.width < 0 else self.width
        return torch.ops.aten.adaptive_max_pool2d(input, [height, width])[0]


# --- norms


class _BatchNorm(Module):
    """Normalises each channel of (B, C, …) over everything else."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: Optional[float] = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.num_features = num_features
        self.eps = float(eps)
        self.momentum = None if momentum is None else float(momentum)
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = Parameter(torch.ones(num_features, device=device, dtype=dtype))
            self.bias = Parameter(torch.zeros(num_features, device=device, dtype=dtype))
        else:
            self.register_parameter("weight", None)
            self.register_parameter("bias", None)
        if track_running_stats:
            self.register_buffer("running_mean", torch.zeros(num_features, device=device, dtype=dtype))
            self.register_buffer("running_var", torch.ones(num_features, device=device, dtype=dtype))
            self.register_buffer("num_batches_tracked", torch.tensor(0, dtype=torch.long))
        else:
            self.register_buffer("running_mean", None)
            self.register_buffer("running_var", None)
            self.register_buffer("num_batches_tracked", None)

    def reset_running_stats(self):
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            init.zeros_(self.bias)

    def _factor(self) -> float:
        """How much the running values move towards this batch's."""
        factor = 0.0
        if self.momentum is not None:
            factor = self.momentum
        if self.training and self.track_running_stats:
            if self.num_batches_tracked is not None:
                self.num_batches_tracked.add_(1)
                if self.momentum is None:
                    factor = 1.0 / float(self.num_batches_tracked)
        return factor

    def _normalized(self, input: Tensor) -> Tensor:
        factor = self._factor()
        if not self.track_running_stats:
            return F.batch_norm(input, None, None, self.weight, self.bias, True, factor, self.eps)
        return F.batch_norm(
            input, self.running_mean, self.running_var, self.weight, self.bias, self.training, factor, self.eps
        )


class BatchNorm1d(_BatchNorm):
    def forward(self, input: Tensor) -> Tensor:
        if input.dim() != 2 and input.dim() != 3:
            raise ValueError(f"expected 2D or 3D input (got {input.dim()}D input)")
        return self._normalized(input)


class BatchNorm2d(_BatchNorm):
    def forward(self, input: Tensor) -> Tensor:
        if input.dim() != 4:
            raise ValueError(f"expected 4D input (got {input.dim()}D input)")
        return self._normalized(input)


class BatchNorm3d(_BatchNorm):
    def forward(self, input: Tensor) -> Tensor:
        if input.dim() != 5:
            raise ValueError(f"expected 5D input (got {input.dim()}D input)")
        return self._normalized(input)


class _InstanceNorm(_BatchNorm):
    """Normalises each channel of each sample."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device=None,
        dtype=None,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype)

    def _of_each(self, input: Tensor) -> Tensor:
        from_input = self.training or not self.track_running_stats
        return F.instance_norm(
            input, self.running_mean, self.running_var, self.weight, self.bias, from_input, self.momentum, self.eps
        )


class InstanceNorm1d(_InstanceNorm):
    def forward(self, input: Tensor) -> Tensor:
        if input.dim() != 3:
            raise ValueError(f"expected 3D input (got {input.dim()}D input)")
        return self._of_each(input)


class InstanceNorm2d(_InstanceNorm):
    def forward(self, input: Tensor) -> Tensor:
        if input.dim() != 4:
            raise ValueError(f"expected 4D input (got {input.dim()}D input)")
        return self._of_each(input)


class LayerNorm(Module):
    """Normalises over the last dimensions, those of normalized_shape."""

    def __init__(
        self,
        normalized_shape,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.normalized_shape = _single(normalized_shape)
        self.eps = float(eps)
        self.elementwise_affine = elementwise_affine
        if elementwise_affine:
            self.weight = Parameter(torch.empty(self.normalized_shape, device=device, dtype=dtype))
        else:
            self.register_parameter("weight", None)
        if elementwise_affine and bias:
            self.bias = Parameter(torch.empty(self.normalized_shape, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Tensor:
        return torch.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps, True)


class RMSNorm(Module):
    """Divides by the root of the mean square over the last dimensions."""

    def __init__(
        self, normalized_shape, eps: Optional[float] = None, elementwise_affine: bool = True, device=None, dtype=None
    ):
        super().__init__()
        self.normalized_shape = _single(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        if elementwise_affine:
            self.weight = Parameter(torch.empty(self.normalized_shape, device=device, dtype=dtype))
        else:
            self.register_parameter("weight", None)
        self.reset_parameters()

    def reset_parameters(self):
        if self.weight is not None:
            init.ones_(self.weight)

    def forward(self, input: Tensor) -> Tensor:
        return torch.rms_norm(input, self.normalized_shape, self.weight, self.eps)


class GroupNorm(Module):
    """Normalises groups of the channels of (B, C, …)."""

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True, device=None, dtype=None
    ):
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = float(eps)
        self.affine = affine
        if affine:
            self.weight = Parameter(torch.empty(num_channels, device=device, dtype=dtype))
            self.bias = Parameter(torch.empty(num_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("weight", None)
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        if self.affine:
            init.ones_(self.weight)
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Tensor:
        return torch.group_norm(input, self.num_groups, self.weight, self.bias, self.eps, True)


# --- recurrent


class _Recurrent(Module):
    """The weights of stacked recurrent layers, in the order in which LibTorch's fused operators take them."""

    gates = 1

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device=None,
        dtype=None,
    ):
        super().__init__()
        if hidden_size <= 0:
            raise ValueError("hidden_size must be greater than zero")
        if num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if dropout < 0 or dropout > 1:
            raise ValueError("dropout should be a number in range [0, 1] representing the probability of an element being zeroed")
        if proj_size < 0 or proj_size >= hidden_size:
            raise ValueError("proj_size should be a positive integer smaller than hidden_size, or zero")
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self.output_size = proj_size if proj_size > 0 else hidden_size
        self.states = num_layers * (2 if bidirectional else 1)
        weights = []
        for layer in range(num_layers):
            for suffix in ["", "_reverse"] if bidirectional else [""]:
                width = input_size if layer == 0 else self.output_size * (2 if bidirectional else 1)
                for name, shape in self._shapes(width):
                    weight = Parameter(torch.empty(shape, device=device, dtype=dtype))
                    setattr(self, f"{name}_l{layer}{suffix}", weight)
                    weights.append(weight)
        self._flat_weights = weights
        self.reset_parameters()

    def _shapes(self, width: int):
        rows = self.gates * self.hidden_size
        shapes = [("weight_ih", (rows, width)), ("weight_hh", (rows, self.output_size))]
        if self.bias:
            shapes += [("bias_ih", (rows,)), ("bias_hh", (rows,))]
        if self.proj_size > 0:
            shapes.append(("weight_hr", (self.proj_size, self.hidden_size)))
        return shapes

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def _batch(self, input: Tensor) -> int:
        return input.size(0) if self.batch_first else input.size(1)


class LSTM(_Recurrent):
    """(T, B, input_size), or (B, T, input_size) with batch_first, to the outputs and (h, c)."""

    gates = 4

    def forward(
        self, input: Tensor, hx: Optional[tuple[Tensor, Tensor]] = None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        if input.dim() != 2 and input.dim() != 3:
            raise ValueError(f"LSTM: Expected input to be 2D or 3D, got {input.dim()}D instead")
        batched = input.dim() == 3
        if not batched:
            input = input.unsqueeze(0 if self.batch_first else 1)
        if hx is None:
            batch = self._batch(input)
            h = torch.zeros(self.states, batch, self.output_size, dtype=input.dtype, device=input.device)
            c = torch.zeros(self.states, batch, self.hidden_size, dtype=input.dtype, device=input.device)
        else:
            h = hx[0] if batched else hx[0].unsqueeze(1)
            c = hx[1] if batched else hx[1].unsqueeze(1)
        output, h, c = torch.lstm(
            input,
            [h, c],
            self._flat_weights,
            self.bias,
            self.num_layers,
            self.dropout,
            self.training,
            self.bidirectional,
            self.batch_first,
        )
        if not batched:
            return output.squeeze(0 if self.batch_first else 1), (h.squeeze(1), c.squeeze(1))
        return output, (h, c)


class GRU(_Recurrent):
    """(T, B, input_size), or (B, T, input_size) with batch_first, to the outputs and h."""

    gates = 3

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> tuple[Tensor, Tensor]:
        if input.dim() != 2 and input.dim() != 3:
            raise ValueError(f"GRU: Expected input to be 2D or 3D, got {input.dim()}D instead")
        batched = input.dim() == 3
        if not batched:
            input = input.unsqueeze(0 if self.batch_first else 1)
        if hx is None:
            batch = self._batch(input)
            h = torch.zeros(self.states, batch, self.hidden_size, dtype=input.dtype, device=input.device)
        else:
            h = hx if batched else hx.unsqueeze(1)
        output, h = torch.gru(
            input,
            h,
            self._flat_weights,
            self.bias,
            self.num_layers,
            self.dropout,
            self.training,
            self.bidirectional,
            self.batch_first,
        )
        if not batched:
            return output.squeeze(0 if self.batch_first else 1), h.squeeze(1)
        return output, h


class RNN(_Recurrent):
    """(T, B, input_size), or (B, T, input_size) with batch_first, to the outputs and h."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device=None,
        dtype=None,
    ):
        if nonlinearity not in ["tanh", "relu"]:
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(
            input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, 0, device, dtype
        )
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> tuple[Tensor, Tensor]:
        if input.dim() != 2 and input.dim() != 3:
            raise ValueError(f"RNN: Expected input to be 2D or 3D, got {input.dim()}D instead")
        batched = input.dim() == 3
        if not batched:
            input = input.unsqueeze(0 if self.batch_first else 1)
        if hx is None:
            batch = self._batch(input)
            h = torch.zeros(self.states, batch, self.hidden_size, dtype=input.dtype, device=input.device)
        else:
            h = hx if batched else hx.unsqueeze(1)
        if self.nonlinearity == "tanh":
            output, h = torch.rnn_tanh(
                input,
                h,
                self._flat_weights,
                self.bias,
                self.num_layers,
                self.dropout,
                self.training,
                self.bidirectional,
                self.batch_first,
            )
        else:
            output, h = torch.rnn_relu(
                input,
                h,
                self._flat_weights,
                self.bias,
                self.num_layers,
                self.dropout,
                self.training,
                self.bidirectional,
                self.batch_first,
            )
        if not batched:
            return output.squeeze(0 if self.batch_first else 1), h.squeeze(1)
        return output, h


class _Cell(Module):
    """One step of one recurrent layer."""

    gates = 1

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = self.gates * hidden_size
        self.weight_ih = Parameter(torch.empty((rows, input_size), device=device, dtype=dtype))
        self.weight_hh = Parameter(torch.empty((rows, hidden_size), device=device, dtype=dtype))
        if bias:
            self.bias_ih = Parameter(torch.empty(rows, device=device, dtype=dtype))
            self.bias_hh = Parameter(torch.empty(rows, device=device, dtype=dtype))
        else:
            self.register_parameter("bias_ih", None)
            self.register_parameter("bias_hh", None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)


class LSTMCell(_Cell):
    """(B, input_size) and (h, c) to the next (h, c)."""

    gates = 4

    def forward(self, input: Tensor, hx: Optional[tuple[Tensor, Tensor]] = None) -> tuple[Tensor, Tensor]:
        if hx is None:
            h = torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)
            c = h
        else:
            h, c = hx
        return torch.lstm_cell(input, [h, c], self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)


class GRUCell(_Cell):
    """(B, input_size) and h to the next h."""

    gates = 3

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tensor:
        if hx is None:
            h = torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)
        else:
            h = hx
        return torch.gru_cell(input, h, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)


# --- attention


class NonDynamicallyQuantizableLinear(Linear):
    pass


def _additive(mask: Tensor, dtype: int) -> Tensor:
    """A mask as numbers to add: minus infinity where a bool mask is True."""
    if mask.dtype != torch.bool:
        return mask
    return torch.zeros_like(mask, dtype=dtype).masked_fill_(mask, float("-inf"))


def _parts(packed: Tensor, count: int, width: int) -> Tensor:
    """(T, B, count · width) to (count, T, B, width)."""
    return packed.unflatten(-1, [count, width]).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()


class MultiheadAttention(Module):
    """(T, B, E) each, or (B, T, E) with batch_first, to the attended values and the weights."""

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: Optional[int] = None,
        vdim: Optional[int] = None,
        batch_first: bool = False,
        device=None,
        dtype=None,
    ):
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.packed = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = float(dropout)
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        assert self.head_dim * num_heads == embed_dim, "embed_dim must be divisible by num_heads"
        if self.packed:
            self.in_proj_weight = Parameter(torch.empty((3 * embed_dim, embed_dim), device=device, dtype=dtype))
            self.register_parameter("q_proj_weight", None)
            self.register_parameter("k_proj_weight", None)
            self.register_parameter("v_proj_weight", None)
        else:
            self.q_proj_weight = Parameter(torch.empty((embed_dim, embed_dim), device=device, dtype=dtype))
            self.k_proj_weight = Parameter(torch.empty((embed_dim, self.kdim), device=device, dtype=dtype))
            self.v_proj_weight = Parameter(torch.empty((embed_dim, self.vdim), device=device, dtype=dtype))
            self.register_parameter("in_proj_weight", None)
        if bias:
            self.in_proj_bias = Parameter(torch.empty(3 * embed_dim, device=device, dtype=dtype))
        else:
            self.register_parameter("in_proj_bias", None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        if add_bias_kv:
            self.bias_k = Parameter(torch.empty((1, 1, embed_dim), device=device, dtype=dtype))
            self.bias_v = Parameter(torch.empty((1, 1, embed_dim), device=device, dtype=dtype))
        else:
            self.bias_k = None
            self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self):
        if self.packed:
            init.xavier_uniform_(self.in_proj_weight)
        else:
            init.xavier_uniform_(self.q_proj_weight)
            init.xavier_uniform_(self.k_proj_weight)
            init.xavier_uniform_(self.v_proj_weight)
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)
        if self.bias_k is not None:
            init.xavier_normal_(self.bias_k)
        if self.bias_v is not None:
            init.xavier_normal_(self.bias_v)

    def _projected(self, query: Tensor, key: Tensor, value: Tensor, shared: int) -> tuple[Tensor, Tensor, Tensor]:
        """`shared`: 2 where query, key and value are one tensor, 1 where key and value are, else 0."""
        width = self.embed_dim
        if self.in_proj_weight is not None:
            weight = self.in_proj_weight
            bias = self.in_proj_bias
            if shared == 2:
                parts = _parts(F.linear(query, weight, bias), 3, width)
                return parts[0], parts[1], parts[2]
            if shared == 1:
                q = F.linear(query, weight[:width], None if bias is None else bias[:width])
                kv = F.linear(key, weight[width:], None if bias is None else bias[width:])
                parts = _parts(kv, 2, width)
                return q, parts[0], parts[1]
            q = F.linear(query, weight[:width], None if bias is None else bias[:width])
            k = F.linear(key, weight[width : 2 * width], None if bias is None else bias[width : 2 * width])
            v = F.linear(value, weight[2 * width :], None if bias is None else bias[2 * width :])
            return q, k, v
        biases = self.in_proj_bias
        q = F.linear(query, self.q_proj_weight, None if biases is None else biases[:width])
        k = F.linear(key, self.k_proj_weight, None if biases is None else biases[width : 2 * width])
        v = F.linear(value, self.v_proj_weight, None if biases is None else biases[2 * width :])
        return q, k, v

    def _mask(
        self,
        attn_mask: Optional[Tensor],
        key_padding_mask: Optional[Tensor],
        batch: int,
        target: int,
        source: int,
    ) -> Optional[Tensor]:
        """Both masks as one, (1 or B · heads, T or 1, S)."""
        if attn_mask is not None:
            if attn_mask.dim() == 2:
                assert attn_mask.size(0) == target and attn_mask.size(1) == source, "attn_mask does not fit"
                attn_mask = attn_mask.unsqueeze(0)
            if self.bias_k is not None:
                attn_mask = F.pad(attn_mask, [0, 1])
            if self.add_zero_attn:
                attn_mask = F.pad(attn_mask, [0, 1])
        if key_padding_mask is not None:
            if self.bias_k is not None:
                key_padding_mask = F.pad(key_padding_mask, [0, 1])
            if self.add_zero_attn:
                key_padding_mask = F.pad(key_padding_mask, [0, 1])
            length = key_padding_mask.size(1)
            padding = key_padding_mask.view(batch, 1, 1, length).expand(-1, self.num_heads, -1, -1)
            padding = padding.reshape(batch * self.num_heads, 1, length)
            if attn_mask is None:
                return padding
            return attn_mask + padding
        return attn_mask

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Optional[Tensor] = None,
        need_weights: bool = True,
        attn_mask: Optional[Tensor] = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Optional[Tensor]]:
        batched = query.dim() == 3
        shared = 0
        if key is value:
            shared = 2 if query is key else 1
        if not batched:
            query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        elif self.batch_first:
            query, key, value = query.transpose(1, 0), key.transpose(1, 0), value.transpose(1, 0)
        target = query.size(0)
        batch = query.size(1)
        source = key.size(0)

        if is_causal and attn_mask is None:
            raise ValueError("Need attn_mask if specifying the is_causal hint.")
        if is_causal and key_padding_mask is None and not need_weights:
            attn_mask = None
        else:
            is_causal = False
        if attn_mask is not None:
            attn_mask = _additive(attn_mask, query.dtype)
        if key_padding_mask is not None:
            if not batched:
                key_padding_mask = key_padding_mask.unsqueeze(0)
            key_padding_mask = _additive(key_padding_mask, query.dtype)
        mask = self._mask(attn_mask, key_padding_mask, batch, target, source)

        q, k, v = self._projected(query, key, value, shared)
        if self.bias_k is not None and self.bias_v is not None:
            k = torch.cat([k, self.bias_k.repeat(1, batch, 1)])
            v = torch.cat([v, self.bias_v.repeat(1, batch, 1)])
        heads = batch * self.num_heads
        q = q.view(target, heads, self.head_dim).transpose(0, 1)
        k = k.view(k.size(0), heads, self.head_dim).transpose(0, 1)
        v = v.view(v.size(0), heads, self.head_dim).transpose(0, 1)
        if self.add_zero_attn:
            zeros = torch.zeros([heads, 1, self.head_dim], dtype=k.dtype, device=k.device)
            k = torch.cat([k, zeros], dim=1)
            v = torch.cat([v, zeros], dim=1)
        source = k.size(1)
        dropout = self.dropout if self.training else 0.0

        if not need_weights:
            if mask is not None:
                if mask.size(0) == 1 and mask.dim() == 3:
                    mask = mask.unsqueeze(0)
                else:
                    mask = mask.view(batch, self.num_heads, -1, source)
            q = q.view(batch, self.num_heads, target, self.head_dim)
            k = k.view(batch, self.num_heads, source, self.head_dim)
            v = v.view(batch, self.num_heads, source, self.head_dim)
            attended = F.scaled_dot_product_attention(q, k, v, mask, dropout, is_causal)
            attended = attended.permute(2, 0, 1, 3).contiguous().view(batch * target, self.embed_dim)
            output = self.out_proj(attended).view(target, batch, self.embed_dim)
            if not batched:
                return output.squeeze(1), None
            return output.transpose(1, 0) if self.batch_first else output, None

        scaled = q * math.sqrt(1.0 / float(self.head_dim))
        if mask is not None:
            weights = torch.baddbmm(mask, scaled, k.transpose(-2, -1))
        else:
            weights = torch.bmm(scaled, k.transpose(-2, -1))
        weights = torch.softmax(weights, -1)
        if dropout > 0.0:
            weights = torch.dropout(weights, dropout, True)
        attended = torch.bmm(weights, v).transpose(0, 1).contiguous().view(target * batch, self.embed_dim)
        output = self.out_proj(attended).view(target, batch, self.embed_dim)
        weights = weights.view(batch, self.num_heads, target, source)
        if average_attn_weights:
            weights = weights.mean(dim=1)
        if not batched:
            return output.squeeze(1), weights.squeeze(0)
        return output.transpose(1, 0) if self.batch_first else output, weights


# --- transformers


def _activation(activation):
    if not isinstance(activation, str):
        return activation
    if activation == "relu":
        return F.relu
    if activation == "gelu":
        return F.gelu
    raise RuntimeError(f"activation should be relu/gelu, not {activation}")


def _is_causal(mask: Optional[Tensor], is_causal: Optional[bool]) -> bool:
    """Whether a mask hides exactly what comes later."""
    if is_causal is not None:
        return is_causal
    if mask is None or mask.dim() != 2 or mask.size(0) != mask.size(1):
        return False
    hidden = torch.full([mask.size(0), mask.size(1)], float("-inf"), dtype=mask.dtype, device=mask.device)
    return bool((mask == torch.triu(hidden, 1)).all())


class TransformerEncoderLayer(Module):
    """Self-attention and two linear layers, each with dropout, a residual and a norm."""

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation=F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        made = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, **made)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **made)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **made)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **made)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = _activation(activation)

    def _attended(
        self, x: Tensor, mask: Optional[Tensor], key_padding_mask: Optional[Tensor], is_causal: bool
    ) -> Tensor:
        attended, _ = self.self_attn(
            x, x, x, key_padding_mask=key_padding_mask, need_weights=False, attn_mask=mask, is_causal=is_causal
        )
        return self.dropout1(attended)

    def _fed(self, x: Tensor) -> Tensor:
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def forward(
        self,
        src: Tensor,
        src_mask: Optional[Tensor] = None,
        src_key_padding_mask: Optional[Tensor] = None,
        is_causal: bool = False,
    ) -> Tensor:
        if self.norm_first:
            x = src + self._attended(self.norm1(src), src_mask, src_key_padding_mask, is_causal)
            return x + self._fed(self.norm2(x))
        x = self.norm1(src + self._attended(src, src_mask, src_key_padding_mask, is_causal))
        return self.norm2(x + self._fed(x))


class TransformerEncoder(Module):
    """Copies of one layer, one after the other."""

    def __init__(
        self, encoder_layer, num_layers: int, norm=None, enable_nested_tensor: bool = True, mask_check: bool = True
    ):
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        src: Tensor,
        mask: Optional[Tensor] = None,
        src_key_padding_mask: Optional[Tensor] = None,
        is_causal: Optional[bool] = None,
    ) -> Tensor:
        causal = _is_causal(mask, is_causal)
        x = src
        for layer in self.layers:
            x = layer(x, src_mask=mask, src_key_padding_mask=src_key_padding_mask, is_causal=causal)
        if self.norm is not None:
            x = self.norm(x)
        return x


class TransformerDecoderLayer(Module):
    """Self-attention, attention to what an encoder made, and two linear layers."""

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation=F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        made = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, **made)
        self.multihead_attn = MultiheadAttention(
            d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, **made
        )
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **made)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **made)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **made)
        self.norm3 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **made)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = _activation(activation)

    def _attended(
        self, x: Tensor, mask: Optional[Tensor], key_padding_mask: Optional[Tensor], is_causal: bool
    ) -> Tensor:
        attended, _ = self.self_attn(
            x, x, x, key_padding_mask=key_padding_mask, need_weights=False, attn_mask=mask, is_causal=is_causal
        )
        return self.dropout1(attended)

    def _looked_up(
        self,
        x: Tensor,
        memory: Tensor,
        mask: Optional[Tensor],
        key_padding_mask: Optional[Tensor],
        is_causal: bool,
    ) -> Tensor:
        attended, _ = self.multihead_attn(
            x,
            memory,
            memory,
            key_padding_mask=key_padding_mask,
            need_weights=False,
            attn_mask=mask,
            is_causal=is_causal,
        )
        return self.dropout2(attended)

    def _fed(self, x: Tensor) -> Tensor:
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Optional[Tensor] = None,
        memory_mask: Optional[Tensor] = None,
        tgt_key_padding_mask: Optional[Tensor] = None,
        memory_key_padding_mask: Optional[Tensor] = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        if self.norm_first:
            x = tgt + self._attended(self.norm1(tgt), tgt_mask, tgt_key_padding_mask, tgt_is_causal)
            x = x + self._looked_up(self.norm2(x), memory, memory_mask, memory_key_padding_mask, memory_is_causal)
            return x + self._fed(self.norm3(x))
        x = self.norm1(tgt + self._attended(tgt, tgt_mask, tgt_key_padding_mask, tgt_is_causal))
        x = self.norm2(x + self._looked_up(x, memory, memory_mask, memory_key_padding_mask, memory_is_causal))
        return self.norm3(x + self._fed(x))


class TransformerDecoder(Module):
    """Copies of one layer, one after the other."""

    def __init__(self, decoder_layer, num_layers: int, norm=None):
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(decoder_layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Optional[Tensor] = None,
        memory_mask: Optional[Tensor] = None,
        tgt_key_padding_mask: Optional[Tensor] = None,
        memory_key_padding_mask: Optional[Tensor] = None,
        tgt_is_causal: Optional[bool] = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        causal = _is_causal(tgt_mask, tgt_is_causal)
        x = tgt
        for layer in self.layers:
            x = layer(
                x,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=causal,
                memory_is_causal=memory_is_causal,
            )
        if self.norm is not None:
            x = self.norm(x)
        return x


# --- losses


class _Loss(Module):
    def __init__(self, reduction: str = "mean"):
        super().__init__()
        self.reduction = reduction


class MSELoss(_Loss):
    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.mse_loss(input, target, self.reduction)


class L1Loss(_Loss):
    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.l1_loss(input, target, self.reduction)


class CrossEntropyLoss(Module):
    def __init__(
        self,
        weight: Optional[Tensor] = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ):
        super().__init__()
        self.register_buffer("weight", weight)
        self.ignore_index = ignore_index
        self.reduction = reduction
        self.label_smoothing = float(label_smoothing)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.cross_entropy(
            input, target, self.weight, self.ignore_index, self.reduction, self.label_smoothing
        )


class NLLLoss(Module):
    def __init__(self, weight: Optional[Tensor] = None, ignore_index: int = -100, reduction: str = "mean"):
        super().__init__()
        self.register_buffer("weight", weight)
        self.ignore_index = ignore_index
        self.reduction = reduction

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.nll_loss(input, target, self.weight, self.ignore_index, self.reduction)


class BCEWithLogitsLoss(Module):
    def __init__(
        self, weight: Optional[Tensor] = None, reduction: str = "mean", pos_weight: Optional[Tensor] = None
    ):
        super().__init__()
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)
        self.reduction = reduction

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy_with_logits(input, target, self.weight, self.reduction, self.pos_weight)
