# works
# inputs: torch.randn(2, 3, 4), torch.randn(2, 5, 4)
import torch
from einops import einsum, pack, parse_shape, rearrange, unpack
from torch import nn


def named(x, pattern):
    return parse_shape(x, pattern)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 6))
        self.token = nn.Parameter(torch.randn(4))
        packed, shapes = pack([torch.ones(2, 3), torch.zeros(2), torch.ones(2, 2, 2)], "b *")
        self.register_buffer("packed", packed)
        self.register_buffer("last", unpack(packed, shapes, "b *")[2])
        self.width = parse_shape(packed, "_ width")["width"]

    def forward(self, x, y):
        scores = einsum(x, y, "batch i dim, batch j dim -> batch i j")
        out = einsum(scores, y, self.weight, "b i j, b j d, d e -> b i e")
        mean = einsum(x, "b i d -> b d") / x.shape[1]
        tokens, shapes = pack([mean, x, y], "b * d")
        first, others, rest = unpack(tokens, shapes, "b * d")
        wide, narrow = unpack(tokens, [[-1], []], "b * d")
        flat, flat_shapes = pack([rearrange(out, "b i e -> b i e 1")], "* e")
        [back] = unpack(flat, flat_shapes, "* e")
        again = rearrange(out, "b i e -> (b i e)")
        again = rearrange(again, "(b i e) -> e i b", **parse_shape(out, "b i _"))
        sizes = named(x, "b _ d")
        return scores, out, first + self.token, others, rest, wide, narrow, back, again, sizes, self.last, self.width
