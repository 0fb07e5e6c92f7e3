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


def _tuple(value, count: int):
    """A number for each of `count` dimensions, or what is there for each of them already."""
    return (value,) * count if isinstance(value, (int, float)) else tuple(value)


def _parameter(module, name: str, shape, device, dtype, exists: bool = True):
    """Gives a module a Parameter that is still to be filled, or None in its place."""
    tensor = torch.empty(shape, device=device, dtype=dtype) if exists else None
    module.register_parameter(name, None if tensor is None else Parameter(tensor))


def _ntuple(count: int):
    return lambda value: tuple(value) if isinstance(value, (list, tuple)) else (value,) * count


_single = _ntuple(1)
_pair = _ntuple(2)
_triple = _ntuple(3)
_quadruple = _ntuple(4)


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
        _parameter(self, "weight", (out_features, in_features), device, dtype)
        _parameter(self, "bias", (out_features,), device, dtype, bias)
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
        _parameter(self, "weight", (out_features, in1_features, in2_features), device, dtype)
        _parameter(self, "bias", (out_features,), device, dtype, bias)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.weight.size(1))
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        return F.bilinear(input1, input2, self.weight, self.bias)


# --- activations


class _InPlace(Module):
    """An activation that may write over its input."""

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace


class ReLU(_InPlace):
    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, self.inplace)


class ReLU6(_InPlace):
    def forward(self, input: Tensor) -> Tensor:
        return F.relu6(input, self.inplace)


class SELU(_InPlace):
    def forward(self, input: Tensor) -> Tensor:
        return F.selu(input, self.inplace)


class SiLU(_InPlace):
    def forward(self, input: Tensor) -> Tensor:
        return F.silu(input, self.inplace)


class Mish(_InPlace):
    def forward(self, input: Tensor) -> Tensor:
        return F.mish(input, self.inplace)


class Hardswish(_InPlace):
    def forward(self, input: Tensor) -> Tensor:
        return F.hardswish(input, self.inplace)


class Hardsigmoid(_InPlace):
    def forward(self, input: Tensor) -> Tensor:
        return F.hardsigmoid(input, self.inplace)


class LeakyReLU(_InPlace):
    def __init__(self, negative_slope: float = 0.01, inplace: bool = False):
        super().__init__(inplace)
        self.negative_slope = float(negative_slope)

    def forward(self, input: Tensor) -> Tensor:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class RReLU(_InPlace):
    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False):
        super().__init__(inplace)
        self.lower = float(lower)
        self.upper = float(upper)

    def forward(self, input: Tensor) -> Tensor:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class ELU(_InPlace):
    def __init__(self, alpha: float = 1.0, inplace: bool = False):
        super().__init__(inplace)
        self.alpha = float(alpha)

    def forward(self, input: Tensor) -> Tensor:
        return F.elu(input, self.alpha, self.inplace)


class CELU(_InPlace):
    def __init__(self, alpha: float = 1.0, inplace: bool = False):
        super().__init__(inplace)
        self.alpha = float(alpha)

    def forward(self, input: Tensor) -> Tensor:
        return F.celu(input, self.alpha, self.inplace)


class Hardtanh(_InPlace):
    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False):
        super().__init__(inplace)
        assert max_val > min_val
        self.min_val = float(min_val)
        self.max_val = float(max_val)

    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class Threshold(_InPlace):
    def __init__(self, threshold: float, value: float, inplace: bool = False):
        super().__init__(inplace)
        self.threshold = float(threshold)
        self.value = float(value)

    def forward(self, input: Tensor) -> Tensor:
        return F.threshold(input, self.threshold, self.value, self.inplace)


class PReLU(Module):
    def __init__(self, num_parameters: int = 1, init: float = 0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        _parameter(self, "weight", (num_parameters,), device, dtype)
        self.reset_parameters()

    def reset_parameters(self):
        with torch.no_grad():
            self.weight.fill_(self.init)

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)


class GELU(Module):
    def __init__(self, approximate: str = "none"):
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        return F.gelu(input, approximate=self.approximate)


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


class Softplus(Module):
    def __init__(self, beta: float = 1.0, threshold: float = 20.0):
        super().__init__()
        self.beta = float(beta)
        self.threshold = float(threshold)

    def forward(self, input: Tensor) -> Tensor:
        return F.softplus(input, self.beta, self.threshold)


class Tanhshrink(Module):
    def forward(self, input: Tensor) -> Tensor:
        return F.tanhshrink(input)


class Sigmoid(Module):
    def forward(self, input: Tensor) -> Tensor:
        return torch.sigmoid(input)


class LogSigmoid(Module):
    def forward(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


class Tanh(Module):
    def forward(self, input: Tensor) -> Tensor:
        return torch.tanh(input)


class Softsign(Module):
    def forward(self, input: Tensor) -> Tensor:
        return F.softsign(input)


class _OverDimension(Module):
    def __init__(self, dim: Optional[int] = None):
        super().__init__()
        self.dim = dim


class Softmax(_OverDimension):
    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input, self.dim)


class LogSoftmax(_OverDimension):
    def forward(self, input: Tensor) -> Tensor:
        return F.log_softmax(input, self.dim)


class Softmin(_OverDimension):
    def forward(self, input: Tensor) -> Tensor:
        return F.softmin(input, self.dim)


class Softmax2d(Module):
    """Over the channels of (B, C, H, W) or (C, H, W)."""

    def forward(self, input: Tensor) -> Tensor:
        return torch.softmax(input, -3)


class GLU(Module):
    def __init__(self, dim: int = -1):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)


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


class FeatureAlphaDropout(_Dropout):
    def forward(self, input: Tensor) -> Tensor:
        return F.feature_alpha_dropout(input, self.p, self.training)


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


class ChannelShuffle(Module):
    def __init__(self, groups: int):
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)


class Unfold(Module):
    """(B, C, H, W) to (B, C · kernel, places)."""

    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class Fold(Module):
    """(B, C · kernel, places) to (B, C, H, W): what overlaps is added."""

    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)


class Upsample(Module):
    """(B, C, L), (B, C, H, W) or (B, C, D, H, W), larger or smaller."""

    def __init__(
        self,
        size=None,
        scale_factor=None,
        mode: str = "nearest",
        align_corners: Optional[bool] = None,
        recompute_scale_factor: Optional[bool] = None,
    ):
        super().__init__()
        self.size = size
        if scale_factor is not None:
            is_one = isinstance(scale_factor, (int, float))
            scale_factor = float(scale_factor) if is_one else tuple(float(factor) for factor in scale_factor)
        self.scale_factor = scale_factor
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        )


class UpsamplingNearest2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)


class _Pad(Module):
    """`padding` counts from the last dimension: left, right, top, bottom, …"""

    dimensions = 2
    mode = "constant"

    def __init__(self, padding):
        super().__init__()
        self.padding = _tuple(padding, 2 * self.dimensions)
        self.value = 0.0

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, self.mode, self.value)


class ZeroPad1d(_Pad):
    dimensions = 1


class ZeroPad2d(_Pad):
    dimensions = 2


class ZeroPad3d(_Pad):
    dimensions = 3


class ReflectionPad1d(_Pad):
    dimensions, mode = 1, "reflect"


class ReflectionPad2d(_Pad):
    dimensions, mode = 2, "reflect"


class ReflectionPad3d(_Pad):
    dimensions, mode = 3, "reflect"


class ReplicationPad1d(_Pad):
    dimensions, mode = 1, "replicate"


class ReplicationPad2d(_Pad):
    dimensions, mode = 2, "replicate"


class ReplicationPad3d(_Pad):
    dimensions, mode = 3, "replicate"


class CircularPad1d(_Pad):
    dimensions, mode = 1, "circular"


class CircularPad2d(_Pad):
    dimensions, mode = 2, "circular"


class CircularPad3d(_Pad):
    dimensions, mode = 3, "circular"


class _ConstantPad(_Pad):
    def __init__(self, padding, value: float):
        super().__init__(padding)
        self.value = float(value)


class ConstantPad1d(_ConstantPad):
    dimensions = 1


class ConstantPad2d(_ConstantPad):
    dimensions = 2


class ConstantPad3d(_ConstantPad):
    dimensions = 3


# --- embedding


class _Table(Module):
    """A row of numbers for each of some things."""

    def _make(self, num_embeddings: int, embedding_dim: int, padding_idx: Optional[int], weight, freeze, device, dtype):
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        if padding_idx is not None:
            assert -num_embeddings <= padding_idx < num_embeddings, "Padding_idx must be within num_embeddings"
            if padding_idx < 0:
                padding_idx += num_embeddings
        self.padding_idx = padding_idx
        if weight is None:
            _parameter(self, "weight", (num_embeddings, embedding_dim), device, dtype)
            self.reset_parameters()
        else:
            # Without a draw of weights that would be thrown away: the layers after this one have PyTorch's.
            assert list(weight.shape) == [num_embeddings, embedding_dim], (
                "Shape of weight does not match num_embeddings and embedding_dim"
            )
            self.weight = Parameter(weight, requires_grad=not freeze)

    def reset_parameters(self):
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with torch.no_grad():
                self.weight[self.padding_idx].fill_(0)


class Embedding(_Table):
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
        _weight=None,
        _freeze: bool = False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        assert max_norm is None, "max_norm changes the weights while they are read, which models cannot do"
        assert not sparse, "sparse gradients are not supported"
        self.max_norm, self.norm_type, self.sparse = max_norm, norm_type, sparse
        self.scale_grad_by_freq = scale_grad_by_freq
        self._make(num_embeddings, embedding_dim, padding_idx, _weight, _freeze, device, dtype)

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        padding_idx: Optional[int] = None,
        max_norm: Optional[float] = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ):
        assert embeddings.dim() == 2, "Embeddings parameter is expected to be 2-dimensional"
        rows, columns = embeddings.shape
        return cls(
            rows, columns, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, embeddings, _freeze=freeze
        )

    def forward(self, input: Tensor) -> Tensor:
        padding = -1 if self.padding_idx is None else self.padding_idx
        return torch.embedding(self.weight, input, padding, self.scale_grad_by_freq, False)


class EmbeddingBag(_Table):
    """Sums, means or maxima of the rows of bags: (B, N), or (N) with where each bag begins, to (B, embedding_dim)."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: Optional[float] = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight=None,
        include_last_offset: bool = False,
        padding_idx: Optional[int] = None,
        device=None,
        dtype=None,
    ):
        super().__init__()
        assert max_norm is None, "max_norm changes the weights while they are read, which models cannot do"
        assert not sparse, "sparse gradients are not supported"
        assert mode in ("sum", "mean", "max"), "mode has to be one of sum or mean or max"
        self.scale_grad_by_freq = scale_grad_by_freq
        self.mode = mode
        self.include_last_offset = include_last_offset
        self._make(num_embeddings, embedding_dim, padding_idx, _weight, False, device, dtype)

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        max_norm: Optional[float] = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        include_last_offset: bool = False,
        padding_idx: Optional[int] = None,
    ):
        assert embeddings.dim() == 2, "Embeddings parameter is expected to be 2-dimensional"
        rows, columns = embeddings.shape
        table = cls(
            rows,
            columns,
            max_norm,
            norm_type,
            scale_grad_by_freq,
            mode,
            sparse,
            embeddings,
            include_last_offset,
            padding_idx,
        )
        table.weight.requires_grad = not freeze
        return table

    def forward(
        self, input: Tensor, offsets: Optional[Tensor] = None, per_sample_weights: Optional[Tensor] = None
    ) -> Tensor:
        return F.embedding_bag(
            input,
            self.weight,
            offsets,
            None,
            2.0,
            self.scale_grad_by_freq,
            self.mode,
            False,
            per_sample_weights,
            self.include_last_offset,
            self.padding_idx,
        )


# --- convolution


class _Convolution(Module):
    """What convolutions share; a number stands for one in each of `dimensions`."""

    dimensions = 2
    transposed = False

    def _make(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size,
        stride,
        padding,
        output_padding,
        dilation,
        groups: int,
        bias: bool,
        padding_mode: str,
        device,
        dtype,
    ):
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        modes = {"zeros", "reflect", "replicate", "circular"}
        if padding_mode not in modes:
            raise ValueError(f"padding_mode must be one of {modes}, but got padding_mode='{padding_mode}'")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = _tuple(kernel_size, self.dimensions)
        self.stride = _tuple(stride, self.dimensions)
        self.padding = padding if isinstance(padding, str) else _tuple(padding, self.dimensions)
        self.dilation = _tuple(dilation, self.dimensions)
        self.output_padding = _tuple(output_padding, self.dimensions)
        self.groups = groups
        self.padding_mode = padding_mode
        self._no_padding = _tuple(0, self.dimensions)
        self._around = self._padding_around()
        channels = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        shape = (channels[0], channels[1] // groups) + self.kernel_size
        _parameter(self, "weight", shape, device, dtype)
        _parameter(self, "bias", (out_channels,), device, dtype, bias)
        self.reset_parameters()

    def _padding_around(self):
        """What F.pad takes for the padding modes other than zeros: the last dimension first."""
        if isinstance(self.padding, str):
            if self.padding not in {"same", "valid"}:
                raise ValueError(f"Invalid padding string {self.padding!r}, should be one of {{'same', 'valid'}}")
            if self.padding == "same" and any(s != 1 for s in self.stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        around = []
        for i in reversed(range(self.dimensions)):
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


_ConvNd = _Convolution


class _Conv(_Convolution):
    """(B, in_channels, …) to (B, out_channels, …)."""

    convolve = torch.conv2d

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
        super().__init__()
        self._make(
            in_channels, out_channels, kernel_size, stride, padding, 0, dilation, groups, bias, padding_mode, device, dtype
        )

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Optional[Tensor]) -> Tensor:
        if self.padding_mode == "zeros":
            return self.convolve(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        padded = F.pad(input, self._around, self.padding_mode)
        return self.convolve(padded, weight, bias, self.stride, self._no_padding, self.dilation, self.groups)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class Conv1d(_Conv):
    dimensions, convolve = 1, torch.conv1d


class Conv2d(_Conv):
    dimensions, convolve = 2, torch.conv2d


class Conv3d(_Conv):
    dimensions, convolve = 3, torch.conv3d


class _ConvTranspose(_Convolution):
    """(B, in_channels, …) to (B, out_channels, …), larger: what a convolution does to its gradient."""

    transposed = True
    convolve = torch.conv_transpose2d

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
        super().__init__()
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        self._make(
            in_channels, out_channels, kernel_size, stride, padding, output_padding, dilation, groups, bias, padding_mode,
            device, dtype,
        )

    def _padding_for(self, input: Tensor, output_size: list[int]) -> list[int]:
        """What must be added to the smallest output to give these sizes."""
        count = len(self.kernel_size)
        sizes = output_size[len(output_size) - count :]
        padding: list[int] = []
        for i in range(count):
            length = input.size(input.dim() - count + i)
            least = (length - 1) * self.stride[i] - 2 * self.padding[i] + self.dilation[i] * (self.kernel_size[i] - 1) + 1
            if sizes[i] < least or sizes[i] > least + self.stride[i] - 1:
                raise ValueError(f"an output of {sizes[i]} is not possible for an input of {length}: it is at least {least}")
            padding.append(sizes[i] - least)
        return padding

    def forward(self, input: Tensor, output_size: Optional[list[int]] = None) -> Tensor:
        if output_size is None:
            return self.convolve(
                input, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.groups, self.dilation
            )
        padding = self._padding_for(input, output_size)
        return self.convolve(
            input, self.weight, self.bias, self.stride, self.padding, padding, self.groups, self.dilation
        )


class ConvTranspose1d(_ConvTranspose):
    dimensions, convolve = 1, torch.conv_transpose1d


class ConvTranspose2d(_ConvTranspose):
    dimensions, convolve = 2, torch.conv_transpose2d


class ConvTranspose3d(_ConvTranspose):
    dimensions, convolve = 3, torch.conv_transpose3d


# --- pooling


class _MaxPool(Module):
    def __init__(
        self, kernel_size, stride=None, padding=0, dilation=1, return_indices: bool = False, ceil_mode: bool = False
    ):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor):
        if self.return_indices:
            return self.pool_with_indices(
                input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode
            )
        return self.pool(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode)


class MaxPool1d(_MaxPool):
    pool, pool_with_indices = torch.max_pool1d, torch.max_pool1d_with_indices


class MaxPool2d(_MaxPool):
    pool, pool_with_indices = torch.max_pool2d, torch.ops.aten.max_pool2d_with_indices


class MaxPool3d(_MaxPool):
    pool, pool_with_indices = torch.max_pool3d, torch.ops.aten.max_pool3d_with_indices


class MaxUnpool2d(Module):
    """Puts maxima back to where MaxPool2d with return_indices found them."""

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size = _tuple(kernel_size, 2)
        self.stride = self.kernel_size if stride is None else _tuple(stride, 2)
        self.padding = _tuple(padding, 2)

    def forward(self, input: Tensor, indices: Tensor, output_size: Optional[list[int]] = None) -> Tensor:
        return F.max_unpool2d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class AvgPool1d(Module):
    def __init__(
        self, kernel_size, stride=None, padding=0, ceil_mode: bool = False, count_include_pad: bool = True
    ):
        super().__init__()
        self.kernel_size = _tuple(kernel_size, 1)
        self.stride = self.kernel_size if stride is None else _tuple(stride, 1)
        self.padding = _tuple(padding, 1)
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

    def forward(self, input: Tensor) -> Tensor:
        return self.pool(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool2d(_AvgPool):
    pool = torch.ops.aten.avg_pool2d


class AvgPool3d(_AvgPool):
    pool = torch.ops.aten.avg_pool3d


class _LPPool(Module):
    def __init__(self, norm_type: float, kernel_size, stride=None, ceil_mode: bool = False):
        super().__init__()
        self.norm_type = float(norm_type)
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode


class LPPool1d(_LPPool):
    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool1d(input, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(_LPPool):
    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool2d(input, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class _AdaptivePool(Module):
    """To (…, size of each of `dimensions`); a size that is None stays what it is."""

    dimensions = 2

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size
        sizes = (None,) * self.dimensions if output_size is None else _tuple(output_size, self.dimensions)
        self._sizes = [-1 if size is None else size for size in sizes]

    def _output_size(self, input: Tensor) -> list[int]:
        sizes: list[int] = []
        for i in range(self.dimensions):
            size = self._sizes[i]
            sizes.append(input.size(i - self.dimensions) if size < 0 else size)
        return sizes


class _AdaptiveAvgPool(_AdaptivePool):
    def forward(self, input: Tensor) -> Tensor:
        return self.pool(input, self._output_size(input))


class AdaptiveAvgPool1d(_AdaptiveAvgPool):
    dimensions, pool = 1, torch.adaptive_avg_pool1d


class AdaptiveAvgPool2d(_AdaptiveAvgPool):
    dimensions, pool = 2, torch.ops.aten.adaptive_avg_pool2d


class AdaptiveAvgPool3d(_AdaptiveAvgPool):
    dimensions, pool = 3, torch.ops.aten.adaptive_avg_pool3d


class _AdaptiveMaxPool(_AdaptivePool):
    def __init__(self, output_size, return_indices: bool = False):
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input: Tensor):
        maxima, indices = self.pool(input, self._output_size(input))
        if self.return_indices:
            return maxima, indices
        return maxima


class AdaptiveMaxPool1d(_AdaptiveMaxPool):
    dimensions, pool = 1, torch.adaptive_max_pool1d


class AdaptiveMaxPool2d(_AdaptiveMaxPool):
    dimensions, pool = 2, torch.ops.aten.adaptive_max_pool2d


class AdaptiveMaxPool3d(_AdaptiveMaxPool):
    dimensions, pool = 3, torch.ops.aten.adaptive_max_pool3d


# --- norms


class _Affine(Module):
    """A weight that begins as ones and a bias that begins as zeros, where there are such."""

    def reset_parameters(self):
        if self.weight is not None:
            init.ones_(self.weight)
        if getattr(self, "bias", None) is not None:
            init.zeros_(self.bias)


def _expect_dimensions(input: Tensor, least: int, most: int):
    """Whether an input has as many dimensions as a norm wants."""
    if input.dim() < least or input.dim() > most:
        wanted = f"{least}D" if least == most else f"{least}D or {most}D"
        raise ValueError(f"expected {wanted} input (got {input.dim()}D input)")


class _BatchNorm(_Affine):
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
        _parameter(self, "weight", (num_features,), device, dtype, affine)
        _parameter(self, "bias", (num_features,), device, dtype, affine)
        tracked = track_running_stats
        self.register_buffer("running_mean", torch.zeros(num_features, device=device, dtype=dtype) if tracked else None)
        self.register_buffer("running_var", torch.ones(num_features, device=device, dtype=dtype) if tracked else None)
        self.register_buffer("num_batches_tracked", torch.tensor(0, dtype=torch.long) if tracked else None)
        self.reset_parameters()

    def reset_running_stats(self):
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        self.reset_running_stats()
        super().reset_parameters()

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
        _expect_dimensions(input, 2, 3)
        return self._normalized(input)


class BatchNorm2d(_BatchNorm):
    def forward(self, input: Tensor) -> Tensor:
        _expect_dimensions(input, 4, 4)
        return self._normalized(input)


class BatchNorm3d(_BatchNorm):
    def forward(self, input: Tensor) -> Tensor:
        _expect_dimensions(input, 5, 5)
        return self._normalized(input)


class SyncBatchNorm(_BatchNorm):
    """A BatchNorm of any number of dimensions. Several ranks refuse it: it is not synchronised."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: Optional[float] = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        process_group=None,
        device=None,
        dtype=None,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        _expect_dimensions(input, 2, 5)
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

    def _of_each(self, input: Tensor, dimensions: int) -> Tensor:
        _expect_dimensions(input, dimensions - 1, dimensions)
        batch = input if input.dim() == dimensions else input.unsqueeze(0)
        from_input = self.training or not self.track_running_stats
        normalized = F.instance_norm(
            batch, self.running_mean, self.running_var, self.weight, self.bias, from_input, self.momentum, self.eps
        )
        return normalized if input.dim() == dimensions else normalized.squeeze(0)


class InstanceNorm1d(_InstanceNorm):
    def forward(self, input: Tensor) -> Tensor:
        return self._of_each(input, 3)


class InstanceNorm2d(_InstanceNorm):
    def forward(self, input: Tensor) -> Tensor:
        return self._of_each(input, 4)


class InstanceNorm3d(_InstanceNorm):
    def forward(self, input: Tensor) -> Tensor:
        return self._of_each(input, 5)


class LayerNorm(_Affine):
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
        self.normalized_shape = _tuple(normalized_shape, 1)
        self.eps = float(eps)
        self.elementwise_affine = elementwise_affine
        _parameter(self, "weight", self.normalized_shape, device, dtype, elementwise_affine)
        _parameter(self, "bias", self.normalized_shape, device, dtype, elementwise_affine and bias)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        return torch.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps, True)


class RMSNorm(_Affine):
    """Divides by the root of the mean square over the last dimensions."""

    def __init__(
        self, normalized_shape, eps: Optional[float] = None, elementwise_affine: bool = True, device=None, dtype=None
    ):
        super().__init__()
        self.normalized_shape = _tuple(normalized_shape, 1)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        _parameter(self, "weight", self.normalized_shape, device, dtype, elementwise_affine)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        return torch.rms_norm(input, self.normalized_shape, self.weight, self.eps)


class GroupNorm(_Affine):
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
        _parameter(self, "weight", (num_channels,), device, dtype, affine)
        _parameter(self, "bias", (num_channels,), device, dtype, affine)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        return torch.group_norm(input, self.num_groups, self.weight, self.bias, self.eps, True)


class LocalResponseNorm(Module):
    """Divides by what the channels beside each add up to."""

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0):
        super().__init__()
        self.size = size
        self.alpha = float(alpha)
        self.beta = float(beta)
        self.k = float(k)

    def forward(self, input: Tensor) -> Tensor:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)


# --- recurrent


class _Recurrence(Module):
    """Weights that all begin in the same range."""

    gates = 1

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)


class _Recurrent(_Recurrence):
    """The weights of stacked recurrent layers, in the order in which LibTorch's fused operators take them."""

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
        self._name = type(self).__name__
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

    def flatten_parameters(self):
        pass

    def _settings(self) -> tuple[bool, int, float, bool, bool, bool]:
        """What the operators take behind the weights."""
        return self.bias, self.num_layers, self.dropout, self.training, self.bidirectional, self.batch_first

    def _batch(self, input: Tensor) -> Tensor:
        """An input without a batch as a batch of one."""
        if input.dim() != 2 and input.dim() != 3:
            raise ValueError(f"{self._name}: Expected input to be 2D or 3D, got {input.dim()}D instead")
        return input if input.dim() == 3 else input.unsqueeze(0 if self.batch_first else 1)

    def _zeros(self, input: Tensor, width: int) -> Tensor:
        batch = input.size(0) if self.batch_first else input.size(1)
        return torch.zeros(self.states, batch, width, dtype=input.dtype, device=input.device)


class LSTM(_Recurrent):
    """(T, B, input_size), or (B, T, input_size) with batch_first, to the outputs and (h, c)."""

    gates = 4

    def _check(self, input: Tensor, h: Tensor, c: Tensor):
        """LibTorch's operator does not compare the shapes of its arguments, and reads behind the end of one that is short."""
        if input.size(2) != self.input_size:
            raise ValueError(f"LSTM: input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(2)}")
        directions = 2 if self.bidirectional else 1
        states = self.num_layers * directions
        batch = input.size(0 if self.batch_first else 1)
        width = self.proj_size if self.proj_size > 0 else self.hidden_size
        if list(h.size()) != [states, batch, width]:
            raise ValueError(f"LSTM: Expected hidden[0] size {[states, batch, width]}, got {h.size()}")
        if list(c.size()) != [states, batch, self.hidden_size]:
            raise ValueError(f"LSTM: Expected hidden[1] size {[states, batch, self.hidden_size]}, got {c.size()}")
        each = (4 if self.bias else 2) + (1 if self.proj_size > 0 else 0)
        rows = 4 * self.hidden_size
        fits = len(self._flat_weights) == states * each
        for i in range(states):
            below = self.input_size if i < directions else width * directions
            fits = fits and list(self._flat_weights[i * each].size()) == [rows, below]
            fits = fits and list(self._flat_weights[i * each + 1].size()) == [rows, width]
            if self.bias:
                fits = fits and list(self._flat_weights[i * each + 2].size()) == [rows]
                fits = fits and list(self._flat_weights[i * each + 3].size()) == [rows]
            if self.proj_size > 0:
                fits = fits and list(self._flat_weights[i * each + each - 1].size()) == [width, self.hidden_size]
        if not fits:
            raise ValueError("LSTM: the weights have other shapes than __init__ gave them")

    def forward(
        self, input: Tensor, hx: Optional[tuple[Tensor, Tensor]] = None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        batched = input.dim() == 3
        input = self._batch(input)
        if hx is None:
            h, c = self._zeros(input, self.output_size), self._zeros(input, self.hidden_size)
        else:
            h = hx[0] if batched else hx[0].unsqueeze(1)
            c = hx[1] if batched else hx[1].unsqueeze(1)
        self._check(input, h, c)
        output, h, c = torch.lstm(input, [h, c], self._flat_weights, *self._settings())
        if not batched:
            return output.squeeze(0 if self.batch_first else 1), (h.squeeze(1), c.squeeze(1))
        return output, (h, c)


class _OneState(_Recurrent):
    """(T, B, input_size), or (B, T, input_size) with batch_first, to the outputs and h."""

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> tuple[Tensor, Tensor]:
        batched = input.dim() == 3
        input = self._batch(input)
        if hx is None:
            h = self._zeros(input, self.hidden_size)
        else:
            h = hx if batched else hx.unsqueeze(1)
        output, h = self._run(input, h)
        if not batched:
            return output.squeeze(0 if self.batch_first else 1), h.squeeze(1)
        return output, h


class GRU(_OneState):
    gates = 3

    def _run(self, input: Tensor, h: Tensor) -> tuple[Tensor, Tensor]:
        return torch.gru(input, h, self._flat_weights, *self._settings())


class RNN(_OneState):
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

    def _run(self, input: Tensor, h: Tensor) -> tuple[Tensor, Tensor]:
        if self.nonlinearity == "tanh":
            return torch.rnn_tanh(input, h, self._flat_weights, *self._settings())
        return torch.rnn_relu(input, h, self._flat_weights, *self._settings())


class _Cell(_Recurrence):
    """One step of one recurrent layer."""

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = self.gates * hidden_size
        _parameter(self, "weight_ih", (rows, input_size), device, dtype)
        _parameter(self, "weight_hh", (rows, hidden_size), device, dtype)
        _parameter(self, "bias_ih", (rows,), device, dtype, bias)
        _parameter(self, "bias_hh", (rows,), device, dtype, bias)
        self.reset_parameters()

    def _batch(self, input: Tensor) -> Tensor:
        """One sample as a batch of one."""
        return input if input.dim() == 2 else input.unsqueeze(0)

    def _zeros(self, batch: Tensor) -> Tensor:
        return torch.zeros(batch.size(0), self.hidden_size, dtype=batch.dtype, device=batch.device)


class LSTMCell(_Cell):
    """(B, input_size) and (h, c) to the next (h, c)."""

    gates = 4

    def forward(self, input: Tensor, hx: Optional[tuple[Tensor, Tensor]] = None) -> tuple[Tensor, Tensor]:
        batch = self._batch(input)
        if hx is None:
            h = self._zeros(batch)
            c = h
        else:
            h, c = self._batch(hx[0]), self._batch(hx[1])
        h, c = torch.lstm_cell(batch, [h, c], self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        if input.dim() == 1:
            return h.squeeze(0), c.squeeze(0)
        return h, c


class _OneStateCell(_Cell):
    """(B, input_size) and h to the next h."""

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tensor:
        batch = self._batch(input)
        h = self._zeros(batch) if hx is None else self._batch(hx)
        h = self._step(batch, h)
        return h if input.dim() == 2 else h.squeeze(0)


class GRUCell(_OneStateCell):
    gates = 3

    def _step(self, batch: Tensor, h: Tensor) -> Tensor:
        return torch.gru_cell(batch, h, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)


class RNNCell(_OneStateCell):

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device=None,
        dtype=None,
    ):
        super().__init__(input_size, hidden_size, bias, device, dtype)
        if nonlinearity not in ["tanh", "relu"]:
            raise RuntimeError(f"Unknown nonlinearity: {nonlinearity}")
        self.nonlinearity = nonlinearity

    def _step(self, batch: Tensor, h: Tensor) -> Tensor:
        if self.nonlinearity == "tanh":
            return torch.rnn_tanh_cell(batch, h, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return torch.rnn_relu_cell(batch, h, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)


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
            _parameter(self, "in_proj_weight", (3 * embed_dim, embed_dim), device, dtype)
        _parameter(self, "q_proj_weight", (embed_dim, embed_dim), device, dtype, not self.packed)
        _parameter(self, "k_proj_weight", (embed_dim, self.kdim), device, dtype, not self.packed)
        _parameter(self, "v_proj_weight", (embed_dim, self.vdim), device, dtype, not self.packed)
        if not self.packed:
            self.register_parameter("in_proj_weight", None)
        _parameter(self, "in_proj_bias", (3 * embed_dim,), device, dtype, bias)
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


def _attended(
    attention: Module,
    x: Tensor,
    to: Tensor,
    mask: Optional[Tensor],
    key_padding_mask: Optional[Tensor],
    is_causal: bool,
) -> Tensor:
    values, _ = attention(
        x, to, to, key_padding_mask=key_padding_mask, need_weights=False, attn_mask=mask, is_causal=is_causal
    )
    return values


class _TransformerLayer(Module):
    """Parts with attention and one with two linear layers, each with dropout, a residual and a norm."""

    looks_up = False  # whether there is attention to what an encoder made

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
        made = {"bias": bias, "device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **made)
        if self.looks_up:
            self.multihead_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **made)
        self.linear1 = Linear(d_model, dim_feedforward, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **made)
        self.norm_first = norm_first
        parts = 3 if self.looks_up else 2
        for i in range(parts):
            setattr(self, f"norm{i + 1}", LayerNorm(d_model, eps=layer_norm_eps, **made))
        for i in range(parts):
            setattr(self, f"dropout{i + 1}", Dropout(dropout))
        self.activation = _activation(activation)

    def _fed(self, x: Tensor) -> Tensor:
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class TransformerEncoderLayer(_TransformerLayer):
    def _sa_block(
        self,
        x: Tensor,
        attn_mask: Optional[Tensor],
        key_padding_mask: Optional[Tensor],
        is_causal: bool = False,
    ) -> Tensor:
        return self.dropout1(_attended(self.self_attn, x, x, attn_mask, key_padding_mask, is_causal))

    def _ff_block(self, x: Tensor) -> Tensor:
        return self.dropout2(self._fed(x))

    def forward(
        self,
        src: Tensor,
        src_mask: Optional[Tensor] = None,
        src_key_padding_mask: Optional[Tensor] = None,
        is_causal: bool = False,
    ) -> Tensor:
        if self.norm_first:
            x = src + self._sa_block(self.norm1(src), src_mask, src_key_padding_mask, is_causal=is_causal)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(src + self._sa_block(src, src_mask, src_key_padding_mask, is_causal=is_causal))
        return self.norm2(x + self._ff_block(x))


class TransformerDecoderLayer(_TransformerLayer):
    looks_up = True

    def _sa_block(
        self,
        x: Tensor,
        attn_mask: Optional[Tensor],
        key_padding_mask: Optional[Tensor],
        is_causal: bool = False,
    ) -> Tensor:
        return self.dropout1(_attended(self.self_attn, x, x, attn_mask, key_padding_mask, is_causal))

    def _mha_block(
        self,
        x: Tensor,
        mem: Tensor,
        attn_mask: Optional[Tensor],
        key_padding_mask: Optional[Tensor],
        is_causal: bool = False,
    ) -> Tensor:
        return self.dropout2(_attended(self.multihead_attn, x, mem, attn_mask, key_padding_mask, is_causal))

    def _ff_block(self, x: Tensor) -> Tensor:
        return self.dropout3(self._fed(x))

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
            x = tgt + self._sa_block(self.norm1(tgt), tgt_mask, tgt_key_padding_mask, tgt_is_causal)
            x = x + self._mha_block(self.norm2(x), memory, memory_mask, memory_key_padding_mask, memory_is_causal)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(tgt + self._sa_block(tgt, tgt_mask, tgt_key_padding_mask, tgt_is_causal))
        x = self.norm2(x + self._mha_block(x, memory, memory_mask, memory_key_padding_mask, memory_is_causal))
        return self.norm3(x + self._ff_block(x))


class _Stack(Module):
    """Copies of one layer, one after the other."""

    def _make(self, layer, num_layers: int, norm):
        self.layers = ModuleList([copy.deepcopy(layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm


class TransformerEncoder(_Stack):
    def __init__(
        self, encoder_layer, num_layers: int, norm=None, enable_nested_tensor: bool = True, mask_check: bool = True
    ):
        super().__init__()
        self._make(encoder_layer, num_layers, norm)

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


class TransformerDecoder(_Stack):
    def __init__(self, decoder_layer, num_layers: int, norm=None):
        super().__init__()
        self._make(decoder_layer, num_layers, norm)

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


class Transformer(Module):
    """An encoder for (S, B, d_model) and a decoder for (T, B, d_model), or (B, …) with batch_first."""

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation=F.relu,
        custom_encoder=None,
        custom_decoder=None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first)
        made = {"bias": bias, "device": device, "dtype": dtype}
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            layer = TransformerEncoderLayer(*options, **made)
            self.encoder = TransformerEncoder(
                layer, num_encoder_layers, LayerNorm(d_model, eps=layer_norm_eps, **made)
            )
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            layer = TransformerDecoderLayer(*options, **made)
            self.decoder = TransformerDecoder(
                layer, num_decoder_layers, LayerNorm(d_model, eps=layer_norm_eps, **made)
            )
        for weight in self.parameters():
            if weight.dim() > 1:
                init.xavier_uniform_(weight)
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    @staticmethod
    def generate_square_subsequent_mask(sz: int) -> Tensor:
        return torch.triu(torch.full([sz, sz], float("-inf")), diagonal=1)

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Optional[Tensor] = None,
        tgt_mask: Optional[Tensor] = None,
        memory_mask: Optional[Tensor] = None,
        src_key_padding_mask: Optional[Tensor] = None,
        tgt_key_padding_mask: Optional[Tensor] = None,
        memory_key_padding_mask: Optional[Tensor] = None,
    ) -> Tensor:
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
        )


# --- parameters by name


class ParameterDict(Module):
    """Parameters by their names, in order."""

    def __init__(self, parameters=None):
        super().__init__()
        self._keys = ()
        if parameters is not None:
            self.update(parameters)

    def update(self, parameters):
        """A dict is taken in the order of its keys, as PyTorch does."""
        if isinstance(parameters, dict):
            parameters = sorted(parameters.items(), key=lambda item: item[0])
        elif isinstance(parameters, ParameterDict):
            parameters = parameters.items()
        for key, value in parameters:
            self[key] = value

    def __setitem__(self, key, value):
        if key not in self._keys:
            self._keys = self._keys + (key,)
        is_plain = isinstance(value, Tensor) and not isinstance(value, Parameter)
        setattr(self, key, Parameter(value) if is_plain else value)

    def __getitem__(self, key: str):
        return getattr(self, key)

    def __contains__(self, key):
        return key in self._keys

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self):
        return iter(self._keys)

    def keys(self):
        return self._keys

    def values(self):
        return [getattr(self, key) for key in self._keys]

    def items(self):
        return [(key, getattr(self, key)) for key in self._keys]


# --- distances


class CosineSimilarity(Module):
    def __init__(self, dim: int = 1, eps: float = 1e-8):
        super().__init__()
        self.dim = dim
        self.eps = float(eps)

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False):
        super().__init__()
        self.norm = float(p)
        self.eps = float(eps)
        self.keepdim = keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


# --- losses


class _Loss(Module):
    """`size_average` and `reduce` are PyTorch's older words for `reduction`, which nobody needs."""

    def __init__(self, size_average=None, reduce=None, reduction: str = "mean"):
        super().__init__()
        assert size_average is None and reduce is None, "write reduction"
        self.reduction = reduction


class MSELoss(_Loss):
    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.mse_loss(input, target, reduction=self.reduction)


class L1Loss(_Loss):
    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.l1_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    def __init__(self, size_average=None, reduce=None, reduction: str = "mean", beta: float = 1.0):
        super().__init__(size_average, reduce, reduction)
        self.beta = float(beta)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(_Loss):
    def __init__(self, reduction: str = "mean", delta: float = 1.0):
        super().__init__(reduction=reduction)
        self.delta = float(delta)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.huber_loss(input, target, self.reduction, self.delta)


class KLDivLoss(_Loss):
    def __init__(self, size_average=None, reduce=None, reduction: str = "mean", log_target: bool = False):
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class SoftMarginLoss(_Loss):
    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class _MarginLoss(_Loss):
    def __init__(self, margin: float = 0.0, size_average=None, reduce=None, reduction: str = "mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = float(margin)


class MarginRankingLoss(_MarginLoss):
    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return F.margin_ranking_loss(input1, input2, target, self.margin, reduction=self.reduction)


class CosineEmbeddingLoss(_MarginLoss):
    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return F.cosine_embedding_loss(input1, input2, target, self.margin, reduction=self.reduction)


class HingeEmbeddingLoss(_MarginLoss):
    def __init__(self, margin: float = 1.0, size_average=None, reduce=None, reduction: str = "mean"):
        super().__init__(margin, size_average, reduce, reduction)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.hinge_embedding_loss(input, target, self.margin, reduction=self.reduction)


class TripletMarginLoss(_MarginLoss):
    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        eps: float = 1e-6,
        swap: bool = False,
        size_average=None,
        reduce=None,
        reduction: str = "mean",
    ):
        super().__init__(margin, size_average, reduce, reduction)
        self.p = float(p)
        self.eps = float(eps)
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        return F.triplet_margin_loss(
            anchor, positive, negative, self.margin, self.p, self.eps, self.swap, reduction=self.reduction
        )


class _WeightedLoss(_Loss):
    def __init__(self, weight: Optional[Tensor], size_average, reduce, reduction: str):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


class CrossEntropyLoss(_WeightedLoss):
    def __init__(
        self,
        weight: Optional[Tensor] = None,
        size_average=None,
        ignore_index: int = -100,
        reduce=None,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ):
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = float(label_smoothing)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.cross_entropy(
            input,
            target,
            self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )


class NLLLoss(_WeightedLoss):
    def __init__(
        self,
        weight: Optional[Tensor] = None,
        size_average=None,
        ignore_index: int = -100,
        reduce=None,
        reduction: str = "mean",
    ):
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.nll_loss(
            input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction
        )


class BCELoss(_WeightedLoss):
    def __init__(self, weight: Optional[Tensor] = None, size_average=None, reduce=None, reduction: str = "mean"):
        super().__init__(weight, size_average, reduce, reduction)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_WeightedLoss):
    def __init__(
        self,
        weight: Optional[Tensor] = None,
        size_average=None,
        reduce=None,
        reduction: str = "mean",
        pos_weight: Optional[Tensor] = None,
    ):
        super().__init__(weight, size_average, reduce, reduction)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, reduction=self.reduction, pos_weight=self.pos_weight
        )
