"""torch.nn.functional: what is there is here. First the names that stand for an operator of LibTorch with the same
arguments, then what is more than that."""

from typing import Optional

import torch
from torch import Tensor
from torch._jit_internal import BroadcastingList1, BroadcastingList2, BroadcastingList3

linear = torch.ops.aten.linear
bilinear = torch.ops.aten.bilinear
conv1d = torch.ops.aten.conv1d
conv2d = torch.ops.aten.conv2d
conv3d = torch.ops.aten.conv3d
conv_transpose1d = torch.ops.aten.conv_transpose1d
conv_transpose2d = torch.ops.aten.conv_transpose2d
conv_transpose3d = torch.ops.aten.conv_transpose3d
scaled_dot_product_attention = torch.ops.aten.scaled_dot_product_attention
rms_norm = torch.ops.aten.rms_norm
gelu = torch.ops.aten.gelu
glu = torch.ops.aten.glu
sigmoid = torch.ops.aten.sigmoid
tanh = torch.ops.aten.tanh
softplus = torch.ops.aten.softplus
hardshrink = torch.ops.aten.hardshrink
softshrink = torch.ops.aten.softshrink
prelu = torch.ops.aten.prelu
relu_ = torch.ops.aten.relu_
leaky_relu_ = torch.ops.aten.leaky_relu_
elu_ = torch.ops.aten.elu_
celu_ = torch.ops.aten.celu_
selu_ = torch.ops.aten.selu_
hardtanh_ = torch.ops.aten.hardtanh_
threshold_ = torch.ops.aten.threshold_
adaptive_avg_pool1d = torch.ops.aten.adaptive_avg_pool1d
adaptive_avg_pool3d = torch.ops.aten.adaptive_avg_pool3d
avg_pool3d = torch.ops.aten.avg_pool3d
pad = torch.ops.aten.pad
one_hot = torch.ops.aten.one_hot
pixel_shuffle = torch.ops.aten.pixel_shuffle
pixel_unshuffle = torch.ops.aten.pixel_unshuffle
channel_shuffle = torch.ops.aten.channel_shuffle
cosine_similarity = torch.ops.aten.cosine_similarity
pairwise_distance = torch.ops.aten.pairwise_distance
pdist = torch.ops.aten.pdist

# --- activations


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    return torch.relu_(input) if inplace else torch.relu(input)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    return torch.ops.aten.relu6_(input) if inplace else torch.ops.aten.relu6(input)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.ops.aten.leaky_relu_(input, negative_slope)
    return torch.ops.aten.leaky_relu(input, negative_slope)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    return torch.ops.aten.elu_(input, alpha) if inplace else torch.ops.aten.elu(input, alpha)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    return torch.celu_(input, alpha) if inplace else torch.celu(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    return torch.selu_(input) if inplace else torch.selu(input)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.ops.aten.hardtanh_(input, min_val, max_val)
    return torch.ops.aten.hardtanh(input, min_val, max_val)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    return torch.ops.aten.hardswish_(input) if inplace else torch.ops.aten.hardswish(input)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    return torch.ops.aten.hardsigmoid_(input) if inplace else torch.ops.aten.hardsigmoid(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    return torch.ops.aten.silu_(input) if inplace else torch.ops.aten.silu(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    return torch.ops.aten.mish_(input) if inplace else torch.ops.aten.mish(input)


def rrelu(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Tensor:
    return torch.rrelu_(input, lower, upper, training) if inplace else torch.rrelu(input, lower, upper, training)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.threshold_(input, threshold, value)
    return torch.threshold(input, threshold, value)


def logsigmoid(input: Tensor) -> Tensor:
    return torch.ops.aten.log_sigmoid(input)


def softsign(input: Tensor) -> Tensor:
    return input / (input.abs() + 1)


def tanhshrink(input: Tensor) -> Tensor:
    return input - input.tanh()


def _softmax_dim(input: Tensor, dim: Optional[int]) -> int:
    """The dimension that PyTorch chooses, with a warning, where none is given."""
    if dim is not None:
        return dim
    return 0 if input.dim() in [0, 1, 3] else 1


def softmax(
    input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[int] = None
) -> Tensor:
    return torch.softmax(input, _softmax_dim(input, dim), dtype=dtype)


def log_softmax(
    input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[int] = None
) -> Tensor:
    return torch.log_softmax(input, _softmax_dim(input, dim), dtype=dtype)


def softmin(
    input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[int] = None
) -> Tensor:
    return torch.softmax(-input, _softmax_dim(input, dim), dtype=dtype)


# --- dropout


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    return torch.dropout_(input, p, training) if inplace else torch.dropout(input, p, training)


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    return torch.alpha_dropout_(input, p, training) if inplace else torch.alpha_dropout(input, p, training)


def _channels(input: Tensor, batched: int, p: float, training: bool, inplace: bool) -> Tensor:
    """Whole channels of (B, C, …) with `batched` dimensions; of one less, the batch is missing."""
    if input.dim() == batched:
        return torch.feature_dropout_(input, p, training) if inplace else torch.feature_dropout(input, p, training)
    if inplace:
        return torch.feature_dropout_(input.unsqueeze_(0), p, training).squeeze_(0)
    return torch.feature_dropout(input.unsqueeze(0), p, training).squeeze(0)


def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    if inplace:
        return torch.feature_alpha_dropout_(input, p, training)
    return torch.feature_alpha_dropout(input, p, training)


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Whole channels of (B, C, L) or (C, L)."""
    return _channels(input, 3, p, training, inplace)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Whole channels of (B, C, H, W); the first two dimensions, whatever there are."""
    return torch.feature_dropout_(input, p, training) if inplace else torch.feature_dropout(input, p, training)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Whole channels of (B, C, D, H, W) or (C, D, H, W)."""
    return _channels(input, 5, p, training, inplace)


# --- embedding and norms


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: Optional[int] = None,
    max_norm: Optional[float] = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    padding = -1
    if padding_idx is not None:
        assert -weight.size(0) <= padding_idx < weight.size(0), "Padding_idx must be within num_embeddings"
        padding = padding_idx if padding_idx >= 0 else weight.size(0) + padding_idx
    assert max_norm is None, "max_norm changes the weights while they are read, which models cannot do"
    return torch.embedding(weight, input, padding, scale_grad_by_freq, sparse)


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Optional[Tensor] = None,
    max_norm: Optional[float] = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Optional[Tensor] = None,
    include_last_offset: bool = False,
    padding_idx: Optional[int] = None,
) -> Tensor:
    """One row for each bag: those of (B, N), or those that begin at the `offsets` of (N)."""
    assert max_norm is None, "max_norm changes the weights while they are read, which models cannot do"
    modes = ["sum", "mean", "max"]
    begins = offsets
    if input.dim() == 2:
        assert offsets is None, "if input is 2D, then offsets has to be None, as input is treated as bags of one length"
        begins = torch.arange(0, input.numel(), input.size(1), dtype=input.dtype, device=input.device)
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    assert begins is not None, "offsets has to be a 1D Tensor but got None"
    # LibTorch does not check the offsets between the first and the last.
    assert begins.numel() == 0 or int(begins.min()) >= 0, "offsets must not be negative"
    rows = torch.ops.aten.embedding_bag(
        weight,
        input,
        begins,
        scale_grad_by_freq,
        modes.index(mode),
        sparse,
        per_sample_weights,
        include_last_offset,
        padding_idx,
    )
    return rows[0]


def batch_norm(
    input: Tensor,
    running_mean: Optional[Tensor],
    running_var: Optional[Tensor],
    weight: Optional[Tensor] = None,
    bias: Optional[Tensor] = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    if training:
        values = input.numel() // input.size(1)
        assert values != 1, f"Expected more than 1 value per channel when training, got input size {input.shape}"
    return torch.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, True)


def instance_norm(
    input: Tensor,
    running_mean: Optional[Tensor] = None,
    running_var: Optional[Tensor] = None,
    weight: Optional[Tensor] = None,
    bias: Optional[Tensor] = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    return torch.instance_norm(
        input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, True
    )


def layer_norm(
    input: Tensor,
    normalized_shape: list[int],
    weight: Optional[Tensor] = None,
    bias: Optional[Tensor] = None,
    eps: float = 1e-5,
) -> Tensor:
    return torch.layer_norm(input, normalized_shape, weight, bias, eps, True)


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Optional[Tensor] = None,
    bias: Optional[Tensor] = None,
    eps: float = 1e-5,
) -> Tensor:
    return torch.group_norm(input, num_groups, weight, bias, eps, True)


def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """Divides each channel of (B, C, …) by what it and those beside it add up to."""
    before, after = size // 2, (size - 1) // 2
    squares = input.mul(input).unsqueeze(1)
    if input.dim() == 3:
        squares = torch.ops.aten.pad(squares, [0, 0, before, after])
        means = torch.ops.aten.avg_pool2d(squares, [size, 1], [1, 1]).squeeze(1)
    else:
        flat = squares.view(input.size(0), 1, input.size(1), input.size(2), -1)
        flat = torch.ops.aten.pad(flat, [0, 0, 0, 0, before, after])
        means = torch.ops.aten.avg_pool3d(flat, [size, 1, 1], [1, 1, 1]).squeeze(1).view(input.size())
    return input / means.mul(alpha).add(k).pow(beta)


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    norm = torch.linalg.vector_norm(input, p, dim, keepdim=True)
    return input / norm.clamp_min(eps).expand_as(input)


# --- pooling


def max_pool1d(
    input: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0,
    dilation: BroadcastingList1[int] = 1,
    ceil_mode: bool = False,
) -> Tensor:
    return torch.max_pool1d(
        input, kernel_size, kernel_size if stride is None else stride, padding, dilation, ceil_mode
    )


def max_pool2d(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0,
    dilation: BroadcastingList2[int] = 1,
    ceil_mode: bool = False,
) -> Tensor:
    return torch.max_pool2d(
        input, kernel_size, kernel_size if stride is None else stride, padding, dilation, ceil_mode
    )


def max_pool3d(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None,
    padding: BroadcastingList3[int] = 0,
    dilation: BroadcastingList3[int] = 1,
    ceil_mode: bool = False,
) -> Tensor:
    return torch.max_pool3d(
        input, kernel_size, kernel_size if stride is None else stride, padding, dilation, ceil_mode
    )


def avg_pool1d(
    input: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    return torch.avg_pool1d(
        input, kernel_size, kernel_size if stride is None else stride, padding, ceil_mode, count_include_pad
    )


def avg_pool2d(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: Optional[int] = None,
) -> Tensor:
    return torch.ops.aten.avg_pool2d(
        input,
        kernel_size,
        kernel_size if stride is None else stride,
        padding,
        ceil_mode,
        count_include_pad,
        divisor_override,
    )


def _root(means: Tensor, norm_type: float, count: int) -> Tensor:
    """The root of the sum of powers, from their mean; negative means become 0."""
    return (torch.sign(means) * torch.relu(torch.abs(means))).mul(count).pow(1.0 / norm_type)


def lp_pool1d(
    input: Tensor, norm_type: float, kernel_size: int, stride: Optional[int] = None, ceil_mode: bool = False
) -> Tensor:
    means = avg_pool1d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return _root(means, norm_type, kernel_size)


def lp_pool2d(
    input: Tensor,
    norm_type: float,
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    ceil_mode: bool = False,
) -> Tensor:
    means = avg_pool2d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    if isinstance(kernel_size, int):
        return _root(means, norm_type, kernel_size * kernel_size)
    return _root(means, norm_type, kernel_size[0] * kernel_size[1])


def adaptive_avg_pool2d(input: Tensor, output_size: BroadcastingList2[int]) -> Tensor:
    return torch.ops.aten.adaptive_avg_pool2d(input, output_size)


def adaptive_max_pool1d(input: Tensor, output_size: BroadcastingList1[int]) -> Tensor:
    return torch.ops.aten.adaptive_max_pool1d(input, output_size)[0]


def adaptive_max_pool2d(input: Tensor, output_size: BroadcastingList2[int]) -> Tensor:
    return torch.ops.aten.adaptive_max_pool2d(input, output_size)[0]


def adaptive_max_pool3d(input: Tensor, output_size: BroadcastingList3[int]) -> Tensor:
    return torch.ops.aten.adaptive_max_pool3d(input, output_size)[0]


def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size,
    stride=None,
    padding=0,
    output_size: Optional[list[int]] = None,
) -> Tensor:
    """Maxima back where they were; everything else is 0."""
    if output_size is not None:
        height, width = output_size[-2], output_size[-1]
    else:
        kernel, around = _whole(kernel_size, 2), _whole(padding, 2)
        steps = kernel if stride is None else _whole(stride, 2)
        height = (input.size(-2) - 1) * steps[0] + kernel[0] - 2 * around[0]
        width = (input.size(-1) - 1) * steps[1] + kernel[1] - 2 * around[1]
    before = list(input.size()[:-2])
    places = torch.zeros(before + [height * width], dtype=input.dtype, device=input.device)
    return places.scatter(-1, indices.flatten(-2), input.flatten(-2)).view(before + [height, width])


# --- sizes of images


def _whole(value, count: int) -> list[int]:
    if isinstance(value, int):
        return [value] * count
    return [int(one) for one in value]


def _factors(value, count: int) -> list[float]:
    if isinstance(value, (int, float)):
        return [float(value)] * count
    return [float(one) for one in value]


def interpolate(
    input: Tensor,
    size=None,
    scale_factor=None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> Tensor:
    """(B, C, L), (B, C, H, W) or (B, C, D, H, W) to a size, or as many times as large."""
    if (size is None) == (scale_factor is None):
        raise ValueError("only one of size or scale_factor should be defined")
    if align_corners is not None and mode in ("nearest", "area", "nearest-exact"):
        raise ValueError("align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear")
    if antialias and mode not in ("bilinear", "bicubic"):
        raise ValueError("Anti-alias option is restricted to bilinear and bicubic modes")
    dimensions = input.dim() - 2
    corners = False if align_corners is None else align_corners
    sizes: Optional[list[int]] = None
    scales: Optional[list[float]] = None
    if size is not None:
        sizes = _whole(size, dimensions)
    else:
        factors = _factors(scale_factor, dimensions)
        if mode == "area" or recompute_scale_factor is True:
            sizes = [int(input.size(i + 2) * factors[i]) for i in range(dimensions)]
        else:
            scales = factors
    if mode == "area":
        assert sizes is not None
        if dimensions == 1:
            return torch.ops.aten.adaptive_avg_pool1d(input, sizes)
        if dimensions == 2:
            return torch.ops.aten.adaptive_avg_pool2d(input, sizes)
        return torch.ops.aten.adaptive_avg_pool3d(input, sizes)
    if mode == "nearest":
        if dimensions == 1:
            return torch.ops.aten.upsample_nearest1d(input, sizes, scales)
        if dimensions == 2:
            return torch.ops.aten.upsample_nearest2d(input, sizes, scales)
        return torch.ops.aten.upsample_nearest3d(input, sizes, scales)
    if mode == "nearest-exact":
        if dimensions == 1:
            return torch.ops.aten._upsample_nearest_exact1d(input, sizes, scales)
        if dimensions == 2:
            return torch.ops.aten._upsample_nearest_exact2d(input, sizes, scales)
        return torch.ops.aten._upsample_nearest_exact3d(input, sizes, scales)
    if mode == "linear":
        assert dimensions == 1, "linear mode needs 3D input"
        return torch.ops.aten.upsample_linear1d(input, sizes, corners, scales)
    if mode == "bilinear":
        assert dimensions == 2, "bilinear mode needs 4D input"
        if antialias:
            return torch.ops.aten._upsample_bilinear2d_aa(input, sizes, corners, scales)
        return torch.ops.aten.upsample_bilinear2d(input, sizes, corners, scales)
    if mode == "bicubic":
        assert dimensions == 2, "bicubic mode needs 4D input"
        if antialias:
            return torch.ops.aten._upsample_bicubic2d_aa(input, sizes, corners, scales)
        return torch.ops.aten.upsample_bicubic2d(input, sizes, corners, scales)
    assert mode == "trilinear", f"{mode} is no mode of interpolation"
    assert dimensions == 3, "trilinear mode needs 5D input"
    return torch.ops.aten.upsample_trilinear3d(input, sizes, corners, scales)


def upsample(
    input: Tensor, size=None, scale_factor=None, mode: str = "nearest", align_corners: Optional[bool] = None
) -> Tensor:
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input: Tensor, size=None, scale_factor=None) -> Tensor:
    return interpolate(input, size, scale_factor, "nearest")


def upsample_bilinear(input: Tensor, size=None, scale_factor=None) -> Tensor:
    return interpolate(input, size, scale_factor, "bilinear", True)


def affine_grid(theta: Tensor, size: list[int], align_corners: Optional[bool] = None) -> Tensor:
    return torch.ops.aten.affine_grid_generator(theta, size, align_corners is True)


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: Optional[bool] = None,
) -> Tensor:
    """(B, C, H, W) where a grid (B, H', W', 2) of places between -1 and 1 says."""
    modes = ["bilinear", "nearest", "bicubic"]
    padding_modes = ["zeros", "border", "reflection"]
    return torch.ops.aten.grid_sampler(
        input, grid, modes.index(mode), padding_modes.index(padding_mode), align_corners is True
    )


# --- pieces of images


def unfold(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    dilation: BroadcastingList2[int] = 1,
    padding: BroadcastingList2[int] = 0,
    stride: BroadcastingList2[int] = 1,
) -> Tensor:
    """(B, C, H, W) to (B, C · kernel, places)."""
    return torch.ops.aten.im2col(input, kernel_size, dilation, padding, stride)


def fold(
    input: Tensor,
    output_size: BroadcastingList2[int],
    kernel_size: BroadcastingList2[int],
    dilation: BroadcastingList2[int] = 1,
    padding: BroadcastingList2[int] = 0,
    stride: BroadcastingList2[int] = 1,
) -> Tensor:
    """(B, C · kernel, places) to (B, C, H, W): what overlaps is added."""
    return torch.ops.aten.col2im(input, output_size, kernel_size, dilation, padding, stride)


# --- sampling


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    noise = -torch.empty_like(logits).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    one_hot = torch.zeros_like(logits).scatter_(dim, index, 1.0)
    return one_hot - soft.detach() + soft


# --- losses. Where PyTorch's older words for `reduction` come between, it is given by name.


def _reduction(reduction: str) -> int:
    if reduction == "none":
        return 0
    if reduction == "mean":
        return 1
    assert reduction == "sum", f"{reduction} is not a valid value for reduction"
    return 2


def mse_loss(input: Tensor, target: Tensor, *, reduction: str = "mean") -> Tensor:
    return torch.ops.aten.mse_loss(input, target, _reduction(reduction))


def l1_loss(input: Tensor, target: Tensor, *, reduction: str = "mean") -> Tensor:
    return torch.ops.aten.l1_loss(input, target, _reduction(reduction))


def smooth_l1_loss(input: Tensor, target: Tensor, *, reduction: str = "mean", beta: float = 1.0) -> Tensor:
    return torch.ops.aten.smooth_l1_loss(input, target, _reduction(reduction), beta)


def huber_loss(input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0) -> Tensor:
    return torch.ops.aten.huber_loss(input, target, _reduction(reduction), delta)


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    return torch.ops.aten.cross_entropy_loss(
        input, target, weight, _reduction(reduction), ignore_index, label_smoothing
    )


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    return torch.ops.aten.nll_loss_nd(input, target, weight, _reduction(reduction), ignore_index)


def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Optional[Tensor] = None, *, reduction: str = "mean"
) -> Tensor:
    return torch.ops.aten.binary_cross_entropy(input, target, weight, _reduction(reduction))


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    *,
    reduction: str = "mean",
    pos_weight: Optional[Tensor] = None,
) -> Tensor:
    return torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, _reduction(reduction))


def kl_div(input: Tensor, target: Tensor, *, reduction: str = "mean", log_target: bool = False) -> Tensor:
    if reduction == "batchmean":
        return torch.kl_div(input, target, 2, log_target=log_target) / input.size(0)
    return torch.kl_div(input, target, _reduction(reduction), log_target=log_target)


def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, *, reduction: str = "mean"
) -> Tensor:
    return torch.cosine_embedding_loss(input1, input2, target, margin, _reduction(reduction))


def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, *, reduction: str = "mean"
) -> Tensor:
    return torch.margin_ranking_loss(input1, input2, target, margin, _reduction(reduction))


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    *,
    reduction: str = "mean",
) -> Tensor:
    return torch.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, _reduction(reduction))


def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, *, reduction: str = "mean") -> Tensor:
    return torch.hinge_embedding_loss(input, target, margin, _reduction(reduction))


def soft_margin_loss(input: Tensor, target: Tensor, *, reduction: str = "mean") -> Tensor:
    return torch.ops.aten.soft_margin_loss(input, target, _reduction(reduction))


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    *,
    eps: float = 1e-8,
    reduction: str = "mean",
) -> Tensor:
    return torch.poisson_nll_loss(input, target, log_input, full, eps, _reduction(reduction))


def _check_targets(is_class: Tensor, lengths: Tensor, classes: int):
    if is_class.dim() == 1:
        known = bool(is_class[: int(lengths.sum())].all())
    else:
        places = torch.arange(is_class.size(1), device=is_class.device)
        known = bool((is_class | (places >= lengths.to(is_class.device).unsqueeze(1))).all())
    if not known:
        raise ValueError(f"ctc_loss(): the targets must be classes of 0 to {classes - 1}")


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths,
    target_lengths,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    classes = log_probs.size(-1)
    is_class = (targets >= 0) & (targets < classes)
    if not bool(is_class.all()):
        # LibTorch does not check the targets. Those behind their length may be anything.
        lengths = target_lengths if isinstance(target_lengths, Tensor) else torch.tensor(target_lengths)
        _check_targets(is_class, lengths, classes)
        targets = targets.clamp(0, classes - 1)
    return torch.ctc_loss(
        log_probs, targets, input_lengths, target_lengths, blank, _reduction(reduction), zero_infinity
    )
