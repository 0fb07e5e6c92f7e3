# Runs kernels whose rounding depends on the processor, in TorchScript: Python and C++ run this text alike.
#
# The kernels give the same numbers on two processors for which PyTorch, MKL and oneDNN choose the same code. Inputs are
# quotients of whole numbers, which all processors round alike. `aten` names operators that `torch` of Python lacks.


def numbers(shape: List[int], first: int) -> Tensor:
    """Of [-0.5, 0.5), in no order."""
    count = 1
    for size in shape:
        count *= size
    return ((torch.arange(count) * 7919 + first) % 1009).float().div(1009.0).sub(0.5).reshape(shape)


def products() -> List[Tensor]:
    found: List[Tensor] = []
    for rows, inner, columns in [(3, 4, 4), (1, 5, 3), (7, 6, 5), (3, 8, 24), (21, 8, 17), (16, 64, 33), (65, 128, 64), (5, 300, 2)]:
        left, right = numbers([rows, inner], 1), numbers([inner, columns], 2)
        turned = numbers([columns, inner], 3).t()
        found.append(torch.mm(left, right))
        found.append(torch.mm(left, turned))
        found.append(torch.mm(left.t().contiguous().t(), right))
        found.append(torch.addmm(numbers([columns], 4), left, turned))
        found.append(torch.mv(left, numbers([inner], 5)))
        found.append(torch.mm(left.double(), right.double()))
        # 15 stands for bfloat16, for which TorchScript in C++ has no name
        found.append(torch.mm(left.to(15), right.to(15)))
        found.append(torch.bmm(numbers([3, rows, inner], 6), numbers([3, inner, columns], 7)))
        found.append(torch.baddbmm(numbers([2, rows, columns], 8), numbers([2, rows, inner], 9), numbers([2, inner, columns], 10)))
    return found


def convolution(x: Tensor, weight: Tensor, stride: int, padding: int, transposed: bool, groups: int) -> List[Tensor]:
    """With what backward gives to input, weight and bias."""
    spread = x.dim() - 2
    bias = numbers([weight.size(1) * groups if transposed else weight.size(0)], 11)
    strides, paddings, ones, zeros = [stride] * spread, [padding] * spread, [1] * spread, [0] * spread
    out = torch.convolution(x, weight, bias, strides, paddings, ones, transposed, zeros, groups)
    of_input, of_weight, of_bias = aten.convolution_backward(
        out, x, weight, bias.shape, strides, paddings, ones, transposed, zeros, groups, [True, True, True]
    )
    return [out, of_input, of_weight, of_bias]


def convolutions() -> List[Tensor]:
    found: List[Tensor] = []
    found += convolution(numbers([2, 4, 9], 1), numbers([6, 4, 3], 2), 1, 1, False, 1)
    found += convolution(numbers([2, 3, 8, 8], 1), numbers([8, 3, 3, 3], 2), 1, 1, False, 1)
    found += convolution(numbers([2, 3, 33, 33], 1), numbers([4, 3, 7, 7], 2), 2, 3, False, 1)
    found += convolution(numbers([3, 3, 8, 8], 1), numbers([8, 3, 4, 4], 2), 4, 0, False, 1)
    found += convolution(numbers([2, 6, 8, 8], 1), numbers([6, 2, 3, 3], 2), 1, 1, False, 3)
    found += convolution(numbers([2, 6, 7, 7], 1), numbers([6, 1, 3, 3], 2), 1, 1, False, 6)
    found += convolution(numbers([4, 16, 8, 8], 1), numbers([32, 16, 3, 3], 2), 1, 1, False, 1)
    found += convolution(numbers([4, 16, 8, 8], 1), numbers([32, 16, 1, 1], 2), 2, 0, False, 1)
    found += convolution(numbers([2, 4, 5, 5], 1), numbers([4, 6, 3, 3], 2), 2, 1, True, 1)
    found += convolution(numbers([2, 2, 4, 5, 6], 1), numbers([4, 2, 3, 3, 3], 2), 1, 1, False, 1)
    return found


def functions() -> List[Tensor]:
    """Of 600 numbers, whole vectors and a part of one."""
    found: List[Tensor] = []
    for is_double in [False, True]:
        x = numbers([603], 12).mul(1.9)
        x = x.double() if is_double else x
        y = x.abs().add(0.01)
        found += [x.exp(), x.expm1(), x.sin(), x.cos(), x.tan(), x.tanh(), x.erf(), x.erfc(), x.erfinv(), x.sigmoid()]
        found += [x.atan(), x.asin(), x.sinh(), x.cosh(), y.log(), y.log1p(), y.log2(), y.rsqrt(), y.sqrt(), y.reciprocal()]
        found += [y.lgamma(), y.digamma(), y.pow(0.3), torch.pow(1.7, x), torch.atan2(x, y), torch.hypot(x, y)]
        found += [aten.gelu(x), aten.gelu(x, approximate="tanh"), aten.silu(x), aten.mish(x), aten.softplus(x), aten.elu(x)]
        found += [torch.addcmul(x, y, y, value=0.3), torch.addcdiv(x, x, y, value=0.7), torch.lerp(x, y, 0.3), x.add(y, alpha=0.3)]
    return found


def reductions() -> List[Tensor]:
    found: List[Tensor] = []
    for shape in [[5000], [3, 4], [61, 83], [4, 6, 15, 15]]:
        x = numbers(shape, 13)
        found += [x.sum(), x.sum(0), x.sum(-1), x.mean(-1), x.var(-1), x.cumsum(-1), x.prod(-1), x.norm(), x.logsumexp([-1])]
        found += [torch.softmax(x, -1), torch.softmax(x, 0), torch.log_softmax(x, -1), x.double().sum(), x.square().mean(0)]
    return found


def normalisations() -> List[Tensor]:
    found: List[Tensor] = []
    x = numbers([6, 8, 5, 7], 14)
    scale, shift = numbers([8], 15), numbers([8], 16)
    mean, variance = torch.zeros([8]), torch.ones([8])
    out, of_mean, of_scale = torch.native_batch_norm(x, scale, shift, mean, variance, True, 0.1, 1e-5)
    a, b, c = aten.native_batch_norm_backward(out, x, scale, mean, variance, of_mean, of_scale, True, 1e-5, [True, True, True])
    found += [out, of_mean, of_scale, mean, variance, a, b, c]
    rows, of_mean, of_scale = aten.native_layer_norm(x, [7], numbers([7], 17), numbers([7], 18), 1e-5)
    a, b, c = aten.native_layer_norm_backward(rows, x, [7], of_mean, of_scale, numbers([7], 17), numbers([7], 18), [True, True, True])
    found += [rows, of_mean, of_scale, a, b, c, aten.rms_norm(x, [7])]
    found += [torch.group_norm(x, 2, scale, shift), torch.instance_norm(x, scale, shift, None, None, True, 0.1, 1e-5, False)]
    return found


def others() -> List[Tensor]:
    """Attention, recurrence, scaling of images, distances, decompositions."""
    found: List[Tensor] = []
    q, k, v = numbers([2, 2, 7, 8], 19), numbers([2, 2, 7, 8], 20), numbers([2, 2, 7, 8], 21)
    found += [aten.scaled_dot_product_attention(q, k, v), aten.scaled_dot_product_attention(q, k, v, is_causal=True)]
    weights = [numbers([20, 4], 22), numbers([20, 5], 23), numbers([20], 24), numbers([20], 25)]
    zeros = torch.zeros([1, 3, 5])
    a, b, c = torch.lstm(numbers([6, 3, 4], 26), [zeros, zeros], weights, True, 1, 0.0, False, False, False)
    found += [a, b, c]
    image = numbers([2, 3, 9, 9], 27)
    found += [aten.upsample_bilinear2d(image, [13, 14], False), aten.upsample_bicubic2d(image, [13, 14], True)]
    found += [aten.avg_pool2d(image, [3, 3]), torch.grid_sampler(image, numbers([2, 4, 4, 2], 28), 0, 0, False)]
    found += [torch.cdist(numbers([9, 5], 29), numbers([30, 5], 30)), torch.einsum("abc,adc->bd", numbers([4, 5, 6], 31), numbers([4, 7, 6], 32))]
    for rows, columns in [(7, 4), (8, 8), (4, 4), (65, 40)]:
        found += aten.linalg_qr(numbers([rows, columns], 33))
    return found


def draws() -> List[Tensor]:
    """By the default generator, which the caller seeds: a few numbers, and as many as are drawn in whole vectors."""
    found: List[Tensor] = []
    for is_double in [False, True]:
        for count in [5, 16, 203]:
            x = torch.zeros([count])
            x = x.double() if is_double else x
            found += [x.normal_(0.5, 0.02).clone(), x.uniform_(-0.3, 0.7).clone(), x.exponential_().clone(), x.log_normal_().clone()]
    return found


def probe() -> List[Tensor]:
    return products() + convolutions() + functions() + reductions() + normalisations() + others() + draws()
