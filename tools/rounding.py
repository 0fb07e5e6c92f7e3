"""What tools/record_* write beside the numbers, so that tests know what another processor may make of them.

`processor()` is a digest of what a fixed set of kernels gives. Where it is the recorded one, tests demand the recorded
bits. Elsewhere sums are taken in another order and functions are other polynomials, so a number may be off by what
`bound()` says. How much that is follows from what is computed: the recorder computes it again, DRAWS times, while
`OtherRounding` moves what each operation gives by a unit in the last place, up or down at random. Where terms cancel,
the result moves as far as the last places of its terms do; what is computed without rounding does not move.
"""

import hashlib
import math
import pathlib

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

aten = torch.ops.aten  # the probe calls operators by this name

PROBE = pathlib.Path(__file__).resolve().parent.parent / "tests/engine/processor_probe.py"
DRAWS = 8
# The largest of DRAWS movements of one number falls short of a rare one by about 2, and kernels without vector
# instructions, which add thousands of terms to one sum, round about 4 times as much as those that add to 16.
# Between all instruction sets that can be chosen on a processor with AVX-512 the most that was seen is 2.5 movements.
FACTOR = 16


def processor() -> str:
    """The digest of what the probe gives; tests/engine/processor_probe.cpp computes it alike."""
    threads, state = torch.get_num_threads(), torch.get_rng_state()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    digest = hashlib.sha256()
    for tensor in torch.jit.CompilationUnit(PROBE.read_text()).probe():
        digest.update(bytes(tensor.contiguous().reshape(-1).view(torch.uint8).numpy()))
    torch.set_num_threads(threads)
    torch.set_rng_state(state)
    return digest.hexdigest()


def floating_in(value) -> list:
    tensors = [leaf for leaf in tree_leaves(value) if isinstance(leaf, torch.Tensor)]
    return [tensor for tensor in tensors if tensor.is_floating_point() and tensor.layout == torch.strided]


def numbers_in(value):
    tensors = floating_in(value)
    return torch.cat([tensor.double().flatten() for tensor in tensors]) if tensors else torch.empty(0)


class OtherRounding(TorchDispatchMode):
    """Moves every floating number that an operation gives by -1, 0 or 1 units in the last place.

    Whole numbers stay, for they come from counting and comparing, and so does what is copied or chosen from what the
    operation is given: no processor rounds these, and backward of amax() looks for the number that was chosen.
    """

    def __init__(self, seed: int):
        super().__init__()
        self.generator = torch.Generator().manual_seed(seed)

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        given = numbers_in((args, kwargs))  # before they are written to
        result = operator(*args, **kwargs)
        described = operator._schema
        returned = result if len(described.returns) > 1 else [result]
        made = [value for each, value in zip(described.returns, returned) if each.alias_info is None]  # no view
        passed = {**dict(zip((each.name for each in described.arguments), args)), **kwargs}
        written = [passed.get(each.name) for each in described.arguments if each.alias_info and each.alias_info.is_write]
        for tensor in floating_in([made, written]):
            self.move(tensor, given)
        return result

    def move(self, tensor, given=torch.empty(0)) -> None:
        is_whole = tensor == tensor.round()
        if (is_whole | torch.isin(tensor.double(), given)).all():
            return
        units = torch.randint(-1, 2, tensor.shape, generator=self.generator).to(tensor.dtype)
        tensor.mul_(1 + torch.where(is_whole, 0, units * torch.finfo(tensor.dtype).eps))

    def moved(self, value):
        """A copy of what goes into a computation, in which the floating numbers are moved."""
        copy = tree_map(lambda leaf: leaf.clone() if isinstance(leaf, torch.Tensor) else leaf, value)
        for tensor in floating_in(copy):
            self.move(tensor)
        return copy


def bound(tensor, others) -> float:
    """How far each number may be off, from what the DRAWS computations gave; 0 where nothing moved or moves."""
    if not tensor.is_floating_point() or tensor.numel() == 0:
        return 0.0
    finite = torch.isfinite(tensor)
    numbers = tensor.detach()[finite].double()
    if not finite.any():
        return 0.0
    most = max((other.detach()[finite].double() - numbers).abs().max().item() for other in others)
    assert math.isfinite(most), "rounding decides what is computed"
    if most == 0.0:
        return 0.0
    return float(f"{FACTOR * (most + torch.finfo(tensor.dtype).eps * numbers.abs().max().item()):.2g}")
