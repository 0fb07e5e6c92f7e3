"""einops.layers.torch: layers whose patterns are checked when they are made."""

import torch
from einops import EinopsError, _check, _groups, rearrange, reduce
from torch import Tensor
from torch.nn import Module, Parameter


def _lengths_text(axes_lengths) -> str:
    return "".join(f", {axis}={length}" for axis, length in axes_lengths.items())


class Rearrange(Module):
    def __init__(self, pattern: str, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.axes_lengths = axes_lengths
        _check(pattern, "rearrange", axes_lengths)

    def __repr__(self):
        return f"{self.__class__.__name__}({self.pattern!r}{_lengths_text(self.axes_lengths)})"

    def forward(self, input: Tensor) -> Tensor:
        return rearrange(input, self.pattern, **self.axes_lengths)


class Reduce(Module):
    def __init__(self, pattern: str, reduction: str, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.reduction = reduction
        self.axes_lengths = axes_lengths
        _check(pattern, reduction, axes_lengths)
        if reduction in ("any", "all"):
            raise NotImplementedError(f"the layer Reduce has no reduction {reduction!r}; the function reduce() has")

    def __repr__(self):
        lengths = _lengths_text(self.axes_lengths)
        return f"{self.__class__.__name__}({self.pattern!r}, {self.reduction!r}{lengths})"

    def forward(self, input: Tensor) -> Tensor:
        return reduce(input, self.pattern, self.reduction, **self.axes_lengths)


def _flat(groups):
    """The axes of groups, one after another; an ellipsis outside of parentheses is no list."""
    return [axis for group in groups for axis in ([group] if isinstance(group, str) else group)]


def _is_single(group) -> bool:
    return isinstance(group, str) or (len(group) == 1 and group[0] != "...")


def _refuse(axes, message: str):
    if len(axes) > 0:
        raise EinopsError(message.format(axes))


def _check_einmix(pattern: str, left, right, weight, weight_shape: str):
    """Refuses what EinMix cannot compute; the arguments are the groups of each expression."""
    known = _flat(left) + _flat(weight)
    _refuse(
        [axis for axis in _flat(right) if axis not in known],
        "Unrecognized identifiers on the right side of EinMix {}",
    )
    if "..." in _flat(weight):
        raise EinopsError("Ellipsis is not supported in weight, as its shape should be fully specified")
    if ("..." in _flat(left)) != ("..." in _flat(right)):
        raise EinopsError(f"Ellipsis in EinMix should be on both sides, {pattern}")
    if any(not isinstance(axis, str) for axis in known + _flat(right)):
        raise EinopsError("Anonymous axes (numbers) are not allowed in EinMix")
    if "(" in weight_shape or ")" in weight_shape:
        raise EinopsError(f"Parenthesis is not allowed in weight shape: {weight_shape}")
    if any(len(group) != 1 for group in weight):
        raise EinopsError(f"An axis of weight has a name: {weight_shape}")


class EinMix(Module):
    """A product with a weight, summed over the axes that the result has not: the layers of einsum."""

    def __init__(self, pattern: str, weight_shape: str, bias_shape=None, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.weight_shape = weight_shape
        self.bias_shape = bias_shape
        self.axes_lengths = axes_lengths
        left_pattern, right_pattern = pattern.split("->")
        left, right, weight = _groups(left_pattern), _groups(right_pattern), _groups(weight_shape)
        _check_einmix(pattern, left, right, weight, weight_shape)
        self.pre_rearrange = None
        if not all(_is_single(group) for group in left):
            names = _flat(left)
            lengths = {name: length for name, length in axes_lengths.items() if name in names}
            self.pre_rearrange = Rearrange(f"{left_pattern}-> {' '.join(names)}", **lengths)
        self.post_rearrange = None
        if not all(_is_single(group) for group in right):
            self.post_rearrange = Rearrange(f"{' '.join(_flat(right))} ->{right_pattern}")
        self._check_lengths(_flat(left), _flat(right), _flat(weight))
        fan_in = 1
        for axis in _flat(weight):
            if axis not in _flat(right):
                fan_in *= axes_lengths[axis]
        self._make_parameter("weight", [axes_lengths[axis] for axis in _flat(weight)], (3 / fan_in) ** 0.5)
        bias = None if bias_shape is None else self._shape_of_bias(_flat(_groups(bias_shape)), _flat(right))
        self._make_parameter("bias", bias, (1 / fan_in) ** 0.5)
        axes = sorted({axis for axis in _flat(left) + _flat(right) + _flat(weight) if axis != "..."})
        letters = {axis: letter for axis, letter in zip(axes, "abcdefghijklmnopqrstuvwxyz")}
        letters["..."] = "..."
        sides = ["".join([letters[axis] for axis in _flat(side)]) for side in (left, weight, right)]
        self.einsum_pattern = f"{sides[0]},{sides[1]}->{sides[2]}"

    def _check_lengths(self, left, right, weight):
        for axis in weight:
            if axis not in self.axes_lengths:
                raise EinopsError(f"Dimension {axis} of weight should be specified")
        unused = [axis for axis in self.axes_lengths if axis not in left + weight]
        _refuse(unused, "Axes {} are not used in pattern")
        _refuse([axis for axis in weight if axis not in left + right], "Weight axes {} are redundant")

    def _shape_of_bias(self, bias, right):
        """The sizes of the bias: 1 for the axes of the result that it has not."""
        _refuse([axis for axis in bias if axis not in right], "Bias axes {} not present in output")
        _refuse([axis for axis in bias if axis not in self.axes_lengths], "Sizes not provided for bias axes {}")
        shape = []
        has_size = False
        for axis in right:
            if axis == "...":
                if has_size:
                    raise EinopsError("all bias dimensions should go after ellipsis in the output")
            else:
                has_size = has_size or axis in bias
                shape.append(self.axes_lengths[axis] if axis in bias else 1)
        return shape

    def _make_parameter(self, name: str, shape, bound):
        tensor = None if shape is None else torch.zeros(shape).uniform_(-bound, bound)
        self.register_parameter(name, None if tensor is None else Parameter(tensor))

    def __repr__(self):
        shapes = f"{self.pattern!r}, '{self.weight_shape}'"
        if self.bias_shape is not None:
            shapes = f"{shapes}, '{self.bias_shape}'"
        return f"{self.__class__.__name__}({shapes}{_lengths_text(self.axes_lengths)})"

    def forward(self, input: Tensor) -> Tensor:
        if self.pre_rearrange is not None:
            input = self.pre_rearrange(input)
        result = torch.einsum(self.einsum_pattern, input, self.weight)
        if self.bias is not None:
            result += self.bias
        if self.post_rearrange is not None:
            result = self.post_rearrange(result)
        return result
