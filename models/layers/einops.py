"""einops: the functions that need no more than the language of models says.

rearrange, repeat, reduce and einsum are the engine's own: they are compiled to the operators of their pattern. A
name that begins with an underscore answers a question about a pattern before the model runs.
"""

from typing import Dict, List

import torch
from einops import EinopsError, _pack_axes, _shape_axes
from torch import Tensor


def parse_shape(x: Tensor, pattern: str):
    """The sizes of the dimensions that a pattern names: parse_shape(x, "b _ h w")["h"]."""
    described = _shape_axes(pattern)
    if described[1]:
        if x.dim() < described[0]:
            raise RuntimeError(f"Can't parse shape with this number of dimensions: {pattern} {x.shape}")
    elif x.dim() != described[0]:
        raise RuntimeError(f"Can't parse shape with different number of dimensions: {pattern} {x.shape}")
    sizes: Dict[str, int] = {}
    for name, length, place in described[2]:
        if length == 0:
            sizes[name] = x.size(place)
        elif x.size(place) != length:
            raise RuntimeError(f"Length of an axis is not {length}: {pattern} {x.shape}")
    return sizes


def pack(tensors: List[Tensor], pattern: str):
    """One tensor of several, and the sizes that `*` stands for in each of them."""
    axes = _pack_axes(pattern, "pack")
    before = axes[0]
    after = axes[1]
    flat: List[Tensor] = []
    packed_shapes: List[List[int]] = []
    for i in range(len(tensors)):
        shape = list(tensors[i].shape)
        if len(shape) < before + after:
            raise EinopsError(
                f"packed tensor #{i} (enumeration starts with 0) has shape {shape}, "
                f"while pattern {pattern} assumes at least {before + after} axes"
            )
        end = len(shape) - after
        packed_shapes.append(shape[before:end])
        flat.append(tensors[i].reshape(shape[:before] + [-1] + shape[end:]))
    return torch.cat(flat, dim=before), packed_shapes


def unpack(tensor: Tensor, packed_shapes: List[List[int]], pattern: str):
    """What pack() made one tensor of, as views; one size of one shape may be -1."""
    axes = _pack_axes(pattern, "unpack")
    before = axes[0]
    after = axes[1]
    shape = list(tensor.shape)
    if len(shape) != before + 1 + after:
        raise EinopsError(f"unpack(..., {pattern}) received input of wrong dim with shape {shape}")
    unknown = -1
    lengths: List[int] = []
    for i in range(len(packed_shapes)):
        length = 1
        for size in packed_shapes[i]:
            if size == -1:
                if unknown >= 0 and unknown != i:
                    raise EinopsError(
                        f"unpack(..., {pattern}) received more than one -1 in {packed_shapes} and can't infer dimensions"
                    )
                unknown = i
            else:
                length = length * size
        lengths.append(length)
    # Before the unknown length the places are counted from the begin, behind it from the end.
    places: List[int] = [0]
    for i in range(len(lengths)):
        places.append(places[i] + lengths[i])
    places[len(lengths)] = shape[before]
    if unknown >= 0:
        for back in range(len(lengths) - 1 - unknown):
            i = len(lengths) - 1 - back
            places[i] = places[i + 1] - lengths[i]
    parts: List[Tensor] = []
    for i in range(len(lengths)):
        part = torch.ops.aten.slice(tensor, before, places[i], places[i + 1])
        length, size = lengths[i], part.size(before)
        is_wrong = length == 0 or size % length != 0 if i == unknown else size != length
        if is_wrong and tensor.numel() > 0:
            raise EinopsError(
                f'Error during unpack(..., "{pattern}"): could not split axis of size {shape[before]} '
                f"into requested {packed_shapes}"
            )
        parts.append(part.reshape(shape[:before] + list(packed_shapes[i]) + shape[before + 1 :]))
    return parts
