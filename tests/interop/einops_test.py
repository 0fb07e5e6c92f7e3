"""What knead makes of einops is what einops computes, and refuses what einops refuses: einops_test.py SAVE_ARCHIVES

Patterns are made at random, and half of them are then spoilt. Each is computed while a model is made, and in a method
that is compiled: numbers, strides and the sharing of memory must be equal, and so must be whether it is refused.
"""

import dataclasses
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import warnings

import einops
import einops.layers.torch
import torch

COUNT = 700  # patterns
REDUCTIONS = ("min", "max", "sum", "mean", "prod", "any", "all")
FUNCTIONS = "rearrange, repeat, reduce, einsum, pack, unpack, parse_shape"


@dataclasses.dataclass
class Case:
    call: str  # an expression of x, and of y for a second tensor
    shapes: list  # of the inputs
    dtype: str = "torch.float32"
    order: tuple = ()  # dimensions of the first input, permuted before the call
    setup: str = ""  # what __init__ makes for the call in a method: a layer
    lengths: dict = dataclasses.field(default_factory=dict)  # that are known only while the model runs

    def inputs(self) -> list:
        made = []
        for i, shape in enumerate(self.shapes):
            count = torch.Size(shape).numel()
            numbers = (torch.arange(count) * (7 + 2 * i) % 23 - 9).reshape(shape)
            made.append(numbers.to(eval(self.dtype)) * (0.37 if "float" in self.dtype else 1))
        if self.order:
            made[0] = made[0].permute(self.order)
        return made


# --- patterns


def grouped(axes: list, rng: random.Random, most: int = 3) -> list:
    """Axes in groups of random sizes, with groups without axes between them."""
    groups, rest = [], list(axes)
    while rest:
        size = 1 if rng.random() < 0.5 or rest[0] == "..." else rng.randint(1, most)
        group = rest[:size]
        if "..." in group[1:]:
            group = group[: group.index("...", 1)]
        groups.append(group)
        rest = rest[len(group) :]
        if rng.random() < 0.1:
            groups.append([])
    return groups


def text_of(groups: list, rng: random.Random, may_merge_ellipsis: bool = False) -> str:
    words = []
    for group in groups:
        inner = " ".join(group)
        if group == ["..."]:
            words.append("(...)" if may_merge_ellipsis and rng.random() < 0.2 else "...")
        elif len(group) == 1 and rng.random() < 0.9:
            words.append(inner)
        else:
            words.append(rng.choice(["1", "()"]) if not group else f"({inner})")
    return " ".join(words)


def transformation(rng: random.Random) -> Case:
    operation = rng.choice(["rearrange", "rearrange", "repeat", *REDUCTIONS[: rng.choice([5, 7])]])
    names = rng.sample(["b", "c", "h", "w", "h1", "dim_head", "n", "Δ"], rng.randint(1, 5))
    lengths = {name: rng.choice([1, 2, 2, 3]) for name in names}
    left = list(names)
    has_ellipsis = rng.random() < 0.35
    if has_ellipsis:
        left.insert(rng.randint(0, len(left)), "...")
    numbers = {}
    right = list(left)
    rng.shuffle(right)
    if operation == "repeat":
        for name in rng.sample(["copies", "r", "5"], rng.randint(0, 2)):
            right.insert(rng.randint(0, len(right)), name)
            if name != "5":
                lengths[name] = numbers[name] = rng.choice([1, 2, 3])
    elif operation != "rearrange":
        right = right[: rng.randint(0, len(right))]
    left_groups = grouped(left, rng)
    ellipsis = [rng.choice([1, 2, 3]) for _ in range(rng.randint(0, 2))]
    shape = []
    for group in left_groups:
        if group == ["..."]:
            shape.extend(ellipsis)
            continue
        size = 1
        for name in group:
            size *= lengths[name]
        shape.append(size)
        unknown = rng.choice(group) if group else None
        for name in group:
            if name != unknown or rng.random() < 0.2:
                numbers[name] = lengths[name]
    is_merged = rng.random() < 0.3
    right_groups = grouped(right, rng) if not is_merged else [right]
    pattern = f"{text_of(left_groups, rng)} -> {text_of(right_groups, rng, True)}"
    return transformation_of(operation, pattern, numbers, shape, rng)


def transformation_of(operation: str, pattern: str, numbers: dict, shape: list, rng: random.Random) -> Case:
    case = Case("", [shape], dtype=rng.choice(["torch.float32"] * 4 + ["torch.int64", "torch.float64"]))
    if operation in ("any", "all"):
        case.dtype = "torch.bool"
    if rng.random() < 0.3:
        case.order = tuple(rng.sample(range(len(shape)), len(shape)))
        inverse = sorted(range(len(shape)), key=lambda i: case.order[i])
        case.shapes = [[shape[i] for i in inverse]]
    function = operation if operation in ("rearrange", "repeat") else "reduce"
    given = [repr(pattern)] + ([repr(operation)] if function == "reduce" else [])
    dynamic = rng.random() < 0.3
    if dynamic:
        case.lengths = numbers
    words = [f"{name}=n_{i}" if dynamic else f"{name}={length}" for i, (name, length) in enumerate(numbers.items())]
    kind = rng.random()
    if kind < 0.2 and not dynamic:
        layer = f"{'Reduce' if function == 'reduce' else 'Rearrange'}"
        if function != "repeat":
            case.setup = f"self.layer = {layer}({', '.join(given + words)})"
            case.call = "self.layer(x)"
            return case
    tensor = "x"
    if kind > 0.85 and shape and shape[0] > 0 and not case.order:
        tensor = "[" + ", ".join(f"x[{i}]" for i in range(shape[0])) + "]"
    case.call = f"{function}({', '.join([tensor, *given, *words])})"
    return case


def einsum_case(rng: random.Random) -> Case:
    names = rng.sample(["i", "j", "batch", "head_dim", "k"], rng.randint(2, 4))
    lengths = {name: rng.choice([1, 2, 3, 5]) for name in names}
    sides, shapes = [], []
    ellipsis = rng.random() < 0.3
    for _ in range(rng.choice([1, 2, 2])):
        side = rng.sample(names, rng.randint(1, len(names)))
        sides.append(" ".join((["..."] if ellipsis else []) + side))
        shapes.append(([2] if ellipsis else []) + [lengths[name] for name in side])
    used = [name for name in names if any(name in side.split() for side in sides)]
    right = rng.sample(used, rng.randint(0, len(used)))
    pattern = f"{', '.join(sides)} -> {' '.join((['...'] if ellipsis else []) + right)}"
    return Case(f"einsum({', '.join(['x', 'y'][: len(sides)])}, {pattern!r})", shapes)


def pack_case(rng: random.Random) -> Case:
    before, after = rng.randint(0, 2), rng.randint(0, 2)
    start, end = [2, 3][:before], [4, 2][:after]
    pattern = " ".join(["a", "b"][:before] + ["*"] + ["c", "d"][:after])
    middles = [[rng.randint(1, 3) for _ in range(rng.randint(0, 2))] for _ in range(2)]
    shapes = [start + middle + end for middle in middles]
    if rng.random() < 0.5:
        return Case(f"pack([x, y], {pattern!r})", shapes)
    sizes = [torch.Size(middle).numel() for middle in middles]
    wanted = [list(middle) for middle in middles]
    if rng.random() < 0.4 and wanted[0]:
        wanted[rng.randint(0, 1)] = [-1]
    return Case(f"unpack(x, {wanted!r}, {pattern!r})", [start + [sum(sizes)] + end])


def shape_case(rng: random.Random) -> Case:
    words, shape = [], []
    for name in ["batch", "h", "w"][: rng.randint(1, 3)]:
        size = rng.randint(1, 3)
        words.append(rng.choice([name, name, "_", str(size), "1", "()"]))
        shape.append(size)
    if rng.random() < 0.3:
        place = rng.randint(0, len(words))
        words.insert(place, "...")
        shape[place:place] = [2] * rng.randint(0, 2)
    return Case(f"parse_shape(x, {' '.join(words)!r})", [shape])


def einmix_case(rng: random.Random) -> Case:
    pattern, weight, bias, lengths, shape = rng.choice(
        [
            ("t b c -> t b d", "c d", "d", {"c": 3, "d": 4}, [2, 5, 3]),
            ("b c (h h1) (w w1) -> b (h w) d", "c h1 w1 d", "d", {"c": 2, "h1": 2, "w1": 2, "d": 3}, [2, 2, 4, 4]),
            ("... (head c) -> ... (head d)", "head c d", "head d", {"head": 2, "c": 3, "d": 2}, [2, 3, 6]),
            ("h w c -> d w c", "h d", None, {"h": 3, "d": 2}, [3, 2, 4]),
            ("b c -> b c", "c", "c", {"c": 4}, [3, 4]),
            ("b 1 c -> b (1 d)", "c d", "d", {"c": 2, "d": 3}, [4, 1, 2]),
            ("... c -> (...) d", "c d", "d", {"c": 2, "d": 3}, [2, 3, 2]),
        ]
    )
    words = [f"{name}={length}" for name, length in lengths.items()]
    layer = f"EinMix({', '.join([repr(pattern), repr(weight), repr(bias), *words])})"
    return Case("self.layer(x)", [shape], setup=f"self.layer = {layer}")


def spoilt(case: Case, rng: random.Random) -> Case:
    """The same with a letter of the pattern, a length or a shape that is another one."""
    text = case.setup or case.call
    begin, end = text.find("'") + 1, text.find("'", text.find("'") + 1)
    place = rng.randint(begin, max(begin, end - 1))
    kind = rng.randint(0, 5)
    if kind == 0:
        text = text[:place] + text[place + 1 :]
    elif kind in (1, 2):
        text = text[:place] + rng.choice("() .1ab_*,->2") + text[place:]
    elif kind == 3:
        text = text[:place] + text[begin:end].split(" ")[0] + " " + text[place:]
    elif kind == 4 and case.shapes[0]:
        place = rng.randrange(len(case.shapes[0]))
        case.shapes[0][place] += rng.choice([-1, 1, 2])
    elif case.lengths:
        name = rng.choice(list(case.lengths))
        case.lengths[name] = rng.choice([0, 1, 2, 3, 4])
    elif given := list(re.finditer(r"\b(\w+)=(\d+)", text)):
        one = rng.choice(given)
        other = rng.choice([f"other={one[2]}", f"{one[1]}={rng.randint(0, 4)}", f"{one[1]}={one[2]}, more=2"])
        text = text[: one.start()] + other + text[one.end() :]
    if case.setup:
        case.setup = text
    else:
        case.call = text
    return case


def cases() -> list:
    rng = random.Random(1)
    kinds = [transformation] * 6 + [einsum_case, pack_case, shape_case, einmix_case]
    made = []
    while len(made) < COUNT:
        case = rng.choice(kinds)(rng)
        if rng.random() < 0.5:
            case = spoilt(case, rng)
        try:
            compile(case.setup or case.call, "call", "exec")
        except SyntaxError:
            continue
        if all(size >= 0 for shape in case.shapes for size in shape):
            made.append(case)
    return made


# --- models

HEAD = f"""# tried
import torch
from einops import {FUNCTIONS}
from einops.layers.torch import EinMix, Rearrange, Reduce
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
"""


def names_of(case: Case) -> list:
    return ["x", "y"][: len(case.shapes)]


def compiled_source(case: Case) -> str:
    lengths = [f"n_{i}: int" for i in range(len(case.lengths))]
    setup = f"        {case.setup}\n" if case.setup else ""
    return HEAD + setup + f"\n    def forward(self, {', '.join(names_of(case) + lengths)}):\n        return {case.call}\n"


def eager_source(case: Case) -> str:
    """The call while the model is made; what it gives are buffers, in order."""
    lines = [case.setup] if case.setup else []
    for i, (name, shape) in enumerate(zip(names_of(case), case.shapes)):
        lines.append(f"{name} = (torch.arange({torch.Size(shape).numel()}) * {7 + 2 * i} % 23 - 9).reshape({shape})")
        lines.append(f"{name} = {name}.to({case.dtype}) * {0.37 if 'float' in case.dtype else 1}")
    if case.order:
        lines.append(f"x = x.permute({case.order})")
    lines += [f"n_{i} = {length}" for i, length in enumerate(case.lengths.values())]
    lines.append(f"made = {case.call}")
    lines.append("if isinstance(made, dict):")
    lines.append("    made = [torch.tensor(list(made.values()), dtype=torch.int64)]")
    lines.append("if isinstance(made, tuple):")
    lines.append("    made = [made[0]] + [torch.tensor(list(shape), dtype=torch.int64) for shape in made[1]]")
    lines.append("made = made if isinstance(made, list) else [made]")
    lines.append("for i, one in enumerate(made):")
    lines.append("    self.register_buffer(f'made_{i}', one.detach())")
    body = "".join(f"        {line}\n" for line in lines)
    return HEAD + body + "\n    def forward(self, x):\n        return x\n"


def class_of(source: str):
    names = {}
    exec(compile(source, "model.py", "exec"), names)
    return names["Model"]


# --- comparison


def equal(a, b) -> bool:
    if isinstance(a, torch.Tensor):
        same = isinstance(b, torch.Tensor) and a.dtype == b.dtype and a.shape == b.shape
        return same and a.stride() == b.stride() and torch.equal(a, b)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(equal, a, b))
    return a == b


def tensors_in(value) -> list:
    if isinstance(value, torch.Tensor):
        return [value]
    return [one for item in value for one in tensors_in(item)] if isinstance(value, (list, tuple)) else []


def shares(value, x: torch.Tensor) -> list:
    return [one.untyped_storage().data_ptr() == x.untyped_storage().data_ptr() for one in tensors_in(value)]


def attempted(compute):
    """What a call gives, or None and why it fails."""
    try:
        return compute(), ""
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


REFUSED = "refused by both"


def check_eager(case: Case, archive: pathlib.Path, message: str) -> str:
    """How the two differ, or REFUSED; an empty text if they give the same."""
    torch.manual_seed(1)
    model, fault = attempted(class_of(eager_source(case)))
    if message or fault:
        return REFUSED if message and fault else f"einops: {fault or 'accepts'}; ours: {message or 'accepts'}"
    ours, expected = torch.jit.load(archive).state_dict(), model.state_dict()
    fits = ours.keys() == expected.keys() and all(torch.equal(ours[key], expected[key]) for key in ours)
    return "" if fits else f"einops: {expected}; ours: {ours}"


def check_compiled(case: Case, archive: pathlib.Path, message: str) -> str:
    """As check_eager, of a method."""
    torch.manual_seed(1)
    model, fault = attempted(class_of(compiled_source(case)))
    inputs, lengths = case.inputs(), list(case.lengths.values())
    with torch.no_grad():
        expected, fault = (None, fault) if fault else attempted(lambda: model.eval()(*inputs, *lengths))
        ours = None
        if not message:
            loaded = torch.jit.load(archive)
            if model:
                assert model.state_dict().keys() == loaded.state_dict().keys(), case
            ours, message = attempted(lambda: loaded(*inputs, *lengths))
    if message or fault:
        return REFUSED if message and fault else f"einops: {fault or 'accepts'}; ours: {message or 'accepts'}"
    if not equal(expected, ours):
        return f"einops: {expected}; ours: {ours}"
    return "" if shares(expected, inputs[0]) == shares(ours, inputs[0]) else "memory is shared otherwise"


def main() -> None:
    program = sys.argv[1]
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    print(f"einops {einops.__version__}")
    all_cases = cases()
    sources = {}
    for i, case in enumerate(all_cases):
        sources[f"eager_{i}"] = eager_source(case)
        sources[f"compiled_{i}"] = compiled_source(case)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for stem, source in sources.items():
            (folder / f"{stem}.py").write_text(source)
        output = subprocess.run([program, folder, folder], check=True, capture_output=True, text=True).stdout
        messages = dict((line.split("\t", 1) + [""])[:2] for line in output.splitlines() if line)
        wrong, refused = [], 0
        for i, case in enumerate(all_cases):
            for kind, check in (("eager", check_eager), ("compiled", check_compiled)):
                difference = check(case, folder / f"{kind}_{i}.pt", messages[f"{kind}_{i}"])
                if difference == REFUSED:
                    refused += 1
                elif difference:
                    wrong.append(f"{kind}: {case}\n    {difference}")
    print("\n".join(wrong))
    same = 2 * len(all_cases) - refused - len(wrong)
    print(f"{len(all_cases)} calls, eager and compiled: {same} give the same, {refused} are refused by both")
    assert not wrong and same > 600 and refused > 300


if __name__ == "__main__":
    main()
