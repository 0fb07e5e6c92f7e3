"""The layers of timm (timm.layers, timm.models.layers) that many models import."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.init import trunc_normal_


def _ntuple(n):
    def parse(x):
        if isinstance(x, (list, tuple)):
            return tuple(x)
        return tuple([x] * n)

    return parse


IMAGENET_DEFAULT_MEAN = (0.485, 0.456, 0.406)
IMAGENET_DEFAULT_STD = (0.229, 0.224, 0.225)
IMAGENET_INCEPTION_MEAN = (0.5, 0.5, 0.5)
IMAGENET_INCEPTION_STD = (0.5, 0.5, 0.5)


def register_model(fn):
    return fn


def _cfg(url="", **kwargs):
    """What timm says about weights that others trained. A model keeps it and reads nothing of it."""
    return {
        "url": url,
        "num_classes": 1000,
        "input_size": (3, 224, 224),
        "pool_size": None,
        "crop_pct": 0.9,
        "interpolation": "bicubic",
        "mean": IMAGENET_DEFAULT_MEAN,
        "std": IMAGENET_DEFAULT_STD,
        **kwargs,
    }


def register_notrace_module(module):
    return module


def register_notrace_function(func):
    return func


def _assert(condition: bool, message: str):
    assert condition, message


to_1tuple = _ntuple(1)
to_2tuple = _ntuple(2)
to_3tuple = _ntuple(3)
to_4tuple = _ntuple(4)
to_ntuple = _ntuple


def make_divisible(v, divisor=8, min_value=None, round_limit=0.9):
    min_value = min_value or divisor
    new_v = max(min_value, int(v + divisor / 2) // divisor * divisor)
    if new_v < round_limit * v:
        new_v += divisor
    return new_v


def variance_scaling_(tensor, scale=1.0, mode="fan_in", distribution="normal"):
    fan_in, fan_out = nn.init._calculate_fan_in_and_fan_out(tensor)
    if mode == "fan_in":
        denominator = fan_in
    elif mode == "fan_out":
        denominator = fan_out
    else:
        denominator = (fan_in + fan_out) / 2
    variance = scale / denominator
    with torch.no_grad():
        if distribution == "truncated_normal":
            trunc_normal_(tensor, std=1.0)
            tensor.mul_(math.sqrt(variance) / 0.87962566103423978)
        elif distribution == "normal":
            tensor.normal_(std=math.sqrt(variance))
        elif distribution == "uniform":
            bound = math.sqrt(3 * variance)
            tensor.uniform_(-bound, bound)
        else:
            raise ValueError(f"invalid distribution {distribution}")


def lecun_normal_(tensor):
    variance_scaling_(tensor, mode="fan_in", distribution="truncated_normal")


def drop_path(x: Tensor, drop_prob: float = 0.0, training: bool = False, scale_by_keep: bool = True) -> Tensor:
    if drop_prob == 0.0 or not training:
        return x
    keep = 1 - drop_prob
    mask = x.new_empty([x.size(0)] + [1] * (x.dim() - 1)).bernoulli_(keep)
    if keep > 0.0 and scale_by_keep:
        mask.div_(keep)
    return x * mask


class DropPath(nn.Module):
    def __init__(self, drop_prob: float = 0.0, scale_by_keep: bool = True):
        super().__init__()
        self.drop_prob = drop_prob
        self.scale_by_keep = scale_by_keep

    def forward(self, x):
        if self.drop_prob is None:
            return x
        return drop_path(x, float(self.drop_prob), self.training, self.scale_by_keep)


class Mlp(nn.Module):
    def __init__(
        self,
        in_features,
        hidden_features=None,
        out_features=None,
        act_layer=nn.GELU,
        norm_layer=None,
        bias=True,
        drop=0.0,
        use_conv=False,
    ):
        super().__init__()
        out_features = out_features or in_features
        hidden_features = hidden_features or in_features
        biases = to_2tuple(bias)
        drops = to_2tuple(drop)

        def linear(inputs, outputs, with_bias):
            return nn.Conv2d(inputs, outputs, 1, bias=with_bias) if use_conv else nn.Linear(inputs, outputs, bias=with_bias)

        self.fc1 = linear(in_features, hidden_features, biases[0])
        self.act = act_layer()
        self.drop1 = nn.Dropout(drops[0])
        self.norm = norm_layer(hidden_features) if norm_layer is not None else nn.Identity()
        self.fc2 = linear(hidden_features, out_features, biases[1])
        self.drop2 = nn.Dropout(drops[1])

    def forward(self, x):
        x = self.drop1(self.act(self.fc1(x)))
        return self.drop2(self.fc2(self.norm(x)))


class GluMlp(nn.Module):
    """A gated linear unit: one half of the hidden features is the gate of the other."""

    def __init__(
        self,
        in_features,
        hidden_features=None,
        out_features=None,
        act_layer=nn.Sigmoid,
        norm_layer=None,
        bias=True,
        drop=0.0,
        use_conv=False,
        gate_last=True,
    ):
        super().__init__()
        out_features = out_features or in_features
        hidden_features = hidden_features or in_features
        assert hidden_features % 2 == 0
        biases = to_2tuple(bias)
        drops = to_2tuple(drop)

        def linear(inputs, outputs, with_bias):
            return nn.Conv2d(inputs, outputs, 1, bias=with_bias) if use_conv else nn.Linear(inputs, outputs, bias=with_bias)

        self.chunk_dim = 1 if use_conv else -1
        self.gate_last = gate_last
        self.fc1 = linear(in_features, hidden_features, biases[0])
        self.act = act_layer()
        self.drop1 = nn.Dropout(drops[0])
        self.norm = norm_layer(hidden_features // 2) if norm_layer is not None else nn.Identity()
        self.fc2 = linear(hidden_features // 2, out_features, biases[1])
        self.drop2 = nn.Dropout(drops[1])

    def forward(self, x):
        x1, x2 = self.fc1(x).chunk(2, dim=self.chunk_dim)
        x = x1 * self.act(x2) if self.gate_last else self.act(x1) * x2
        return self.drop2(self.fc2(self.norm(self.drop1(x))))


class SwiGLU(nn.Module):
    """A gated linear unit with a layer for each half."""

    def __init__(
        self,
        in_features,
        hidden_features=None,
        out_features=None,
        act_layer=nn.SiLU,
        norm_layer=None,
        bias=True,
        drop=0.0,
        align_to=0,
    ):
        super().__init__()
        out_features = out_features or in_features
        hidden_features = hidden_features or in_features
        if align_to:
            hidden_features = hidden_features + (-hidden_features % align_to)
        biases = to_2tuple(bias)
        drops = to_2tuple(drop)
        self.fc1_g = nn.Linear(in_features, hidden_features, bias=biases[0])
        self.fc1_x = nn.Linear(in_features, hidden_features, bias=biases[0])
        self.act = act_layer()
        self.drop1 = nn.Dropout(drops[0])
        self.norm = norm_layer(hidden_features) if norm_layer is not None else nn.Identity()
        self.fc2 = nn.Linear(hidden_features, out_features, bias=biases[1])
        self.drop2 = nn.Dropout(drops[1])

    def forward(self, x):
        gate = self.fc1_g(x)
        x = self.drop1(self.act(gate) * self.fc1_x(x))
        return self.drop2(self.fc2(self.norm(x)))


class GatedMlp(nn.Module):
    def __init__(
        self,
        in_features,
        hidden_features=None,
        out_features=None,
        act_layer=nn.GELU,
        norm_layer=None,
        gate_layer=None,
        bias=True,
        drop=0.0,
    ):
        super().__init__()
        out_features = out_features or in_features
        hidden_features = hidden_features or in_features
        biases = to_2tuple(bias)
        drops = to_2tuple(drop)
        self.fc1 = nn.Linear(in_features, hidden_features, bias=biases[0])
        self.act = act_layer()
        self.drop1 = nn.Dropout(drops[0])
        if gate_layer is not None:
            self.gate = gate_layer(hidden_features)
            hidden_features = hidden_features // 2
        else:
            self.gate = nn.Identity()
        self.norm = norm_layer(hidden_features) if norm_layer is not None else nn.Identity()
        self.fc2 = nn.Linear(hidden_features, out_features, bias=biases[1])
        self.drop2 = nn.Dropout(drops[1])

    def forward(self, x):
        x = self.gate(self.drop1(self.act(self.fc1(x))))
        return self.drop2(self.fc2(self.norm(x)))


class ConvMlp(nn.Module):
    def __init__(
        self,
        in_features,
        hidden_features=None,
        out_features=None,
        act_layer=nn.ReLU,
        norm_layer=None,
        bias=True,
        drop=0.0,
    ):
        super().__init__()
        out_features = out_features or in_features
        hidden_features = hidden_features or in_features
        biases = to_2tuple(bias)
        self.fc1 = nn.Conv2d(in_features, hidden_features, kernel_size=1, bias=biases[0])
        self.norm = norm_layer(hidden_features) if norm_layer else nn.Identity()
        self.act = act_layer()
        self.drop = nn.Dropout(drop)
        self.fc2 = nn.Conv2d(hidden_features, out_features, kernel_size=1, bias=biases[1])

    def forward(self, x):
        return self.fc2(self.drop(self.act(self.norm(self.fc1(x)))))


class Attention(nn.Module):
    """Self-attention over (B, tokens, dim)."""

    def __init__(
        self,
        dim,
        num_heads=8,
        qkv_bias=False,
        qk_norm=False,
        scale_norm=False,
        proj_bias=True,
        attn_drop=0.0,
        proj_drop=0.0,
        norm_layer=None,
    ):
        super().__init__()
        assert dim % num_heads == 0, "dim should be divisible by num_heads"
        if qk_norm or scale_norm:
            assert norm_layer is not None, "norm_layer must be provided if qk_norm or scale_norm is True"
        self.num_heads = num_heads
        self.head_dim = dim // num_heads
        self.scale = self.head_dim**-0.5
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.q_norm = norm_layer(self.head_dim) if qk_norm else nn.Identity()
        self.k_norm = norm_layer(self.head_dim) if qk_norm else nn.Identity()
        self.attn_drop = nn.Dropout(attn_drop)
        self.norm = norm_layer(dim) if scale_norm else nn.Identity()
        self.proj = nn.Linear(dim, dim, bias=proj_bias)
        self.proj_drop = nn.Dropout(proj_drop)

    def forward(self, x, attn_mask=None):
        batch, tokens, dim = x.shape
        qkv = self.qkv(x).reshape(batch, tokens, 3, self.num_heads, self.head_dim).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        q, k = self.q_norm(q), self.k_norm(k)
        dropout = self.attn_drop.p if self.training else 0.0
        x = F.scaled_dot_product_attention(q, k, v, attn_mask=attn_mask, dropout_p=dropout)
        x = x.transpose(1, 2).reshape(batch, tokens, dim)
        return self.proj_drop(self.proj(self.norm(x)))


class SelectAdaptivePool2d(nn.Module):
    def __init__(self, output_size=1, pool_type="fast", flatten=False, input_fmt="NCHW"):
        super().__init__()
        if input_fmt != "NCHW":
            raise ValueError("SelectAdaptivePool2d takes images in the order NCHW here")
        pool_type = (pool_type or "").lower()
        if pool_type.startswith("fast"):
            pool_type = pool_type[4:] or "avg"
        if pool_type not in ("", "avg", "max", "avgmax", "catavgmax"):
            raise ValueError(f"Invalid pool type: {pool_type}")
        self.pool_type = pool_type
        self.output_size = output_size
        self.flatten = nn.Flatten(1) if flatten else nn.Identity()

    def is_identity(self):
        return not self.pool_type

    def feat_mult(self):
        return 2 if self.pool_type == "catavgmax" else 1

    def forward(self, x):
        if self.pool_type == "avg":
            x = F.adaptive_avg_pool2d(x, self.output_size)
        elif self.pool_type == "max":
            x = F.adaptive_max_pool2d(x, self.output_size)
        elif self.pool_type == "avgmax":
            x = 0.5 * (F.adaptive_avg_pool2d(x, self.output_size) + F.adaptive_max_pool2d(x, self.output_size))
        elif self.pool_type == "catavgmax":
            x = torch.cat([F.adaptive_avg_pool2d(x, self.output_size), F.adaptive_max_pool2d(x, self.output_size)], 1)
        return self.flatten(x)


class PatchEmbed(nn.Module):
    def __init__(
        self,
        img_size=224,
        patch_size=16,
        in_chans=3,
        embed_dim=768,
        norm_layer=None,
        flatten=True,
        bias=True,
        strict_img_size=True,
    ):
        super().__init__()
        self.img_size = to_2tuple(img_size)
        self.patch_size = to_2tuple(patch_size)
        self.grid_size = tuple(image // patch for image, patch in zip(self.img_size, self.patch_size))
        self.num_patches = self.grid_size[0] * self.grid_size[1]
        self.flatten = flatten
        self.strict_img_size = strict_img_size
        self.proj = nn.Conv2d(in_chans, embed_dim, kernel_size=self.patch_size, stride=self.patch_size, bias=bias)
        self.norm = norm_layer(embed_dim) if norm_layer else nn.Identity()

    def forward(self, x):
        if self.strict_img_size:
            assert x.size(2) == self.img_size[0], "the height of the image is not that of the model"
            assert x.size(3) == self.img_size[1], "the width of the image is not that of the model"
        x = self.proj(x)
        if self.flatten:
            x = x.flatten(2).transpose(1, 2)
        return self.norm(x)


class LayerNorm(nn.LayerNorm):
    def __init__(self, num_channels, eps=1e-6, affine=True):
        super().__init__(num_channels, eps=eps, elementwise_affine=affine)


class LayerNorm2d(nn.LayerNorm):
    def __init__(self, num_channels, eps=1e-6, affine=True):
        super().__init__(num_channels, eps=eps, elementwise_affine=affine)

    def forward(self, x):
        x = x.permute(0, 2, 3, 1)
        x = F.layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)
        return x.permute(0, 3, 1, 2)


class LayerScale(nn.Module):
    def __init__(self, dim, init_values=1e-5, inplace=False):
        super().__init__()
        self.inplace = inplace
        self.gamma = nn.Parameter(init_values * torch.ones(dim))

    def forward(self, x):
        return x.mul_(self.gamma) if self.inplace else x * self.gamma


class SqueezeExcite(nn.Module):
    def __init__(
        self,
        channels,
        rd_ratio=1.0 / 16,
        rd_channels=None,
        rd_divisor=8,
        add_maxpool=False,
        bias=True,
        act_layer=nn.ReLU,
        norm_layer=None,
        gate_layer=nn.Sigmoid,
    ):
        super().__init__()
        self.add_maxpool = add_maxpool
        if not rd_channels:
            rd_channels = make_divisible(channels * rd_ratio, rd_divisor, round_limit=0.0)
        self.fc1 = nn.Conv2d(channels, rd_channels, kernel_size=1, bias=bias)
        self.bn = norm_layer(rd_channels) if norm_layer else nn.Identity()
        self.act = act_layer(inplace=True)
        self.fc2 = nn.Conv2d(rd_channels, channels, kernel_size=1, bias=bias)
        self.gate = gate_layer()

    def forward(self, x):
        squeezed = x.mean((2, 3), keepdim=True)
        if self.add_maxpool:
            squeezed = 0.5 * squeezed + 0.5 * x.amax((2, 3), keepdim=True)
        squeezed = self.fc2(self.act(self.bn(self.fc1(squeezed))))
        return x * self.gate(squeezed)


SEModule = SqueezeExcite


class GlobalResponseNorm(nn.Module):
    def __init__(self, dim, eps=1e-6, channels_last=True):
        super().__init__()
        self.eps = eps
        self.channels_last = channels_last
        self.weight = nn.Parameter(torch.zeros(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        norm = x.norm(p=2, dim=(1, 2) if self.channels_last else (2, 3), keepdim=True)
        ratio = norm / (norm.mean(dim=-1 if self.channels_last else 1, keepdim=True) + self.eps)
        shape = [1, 1, 1, -1] if self.channels_last else [1, -1, 1, 1]
        return x + torch.addcmul(self.bias.view(shape), self.weight.view(shape), x * ratio)
