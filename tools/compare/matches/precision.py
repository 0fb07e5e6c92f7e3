"""Training in bf16 and fp16 next to torch.autocast and GradScaler, with overflows on the way."""

import math

import torch
import torch.nn.functional as F
from safetensors.torch import save_file

from .case import Case, classifier, cross_entropy, flow, source_model, trained_on
from .knead import ROOT
from .losses import HEADS
from .models import VIT
from .table import COEFFICIENT, COUNT, EQUAL, NORM, Bound
from .training import How, class_of, train

DTYPES = {"fp32": torch.float32, "tf32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
LOSSES = Bound(1e-6, "the same casts and kernels; a mean in float32")
ROUNDED = Bound(1e-3, "fp16 or bf16 of numbers that a power of two does not divide")
# Gradients of knead are more than half as large as PyTorch's on the way: it multiplies the sum of the losses by the
# largest power of two up to scale / count, PyTorch the mean by scale. So it may leave out one step less.
ABOUT_COUNT = Bound(1, "scales less than a factor of 2 apart: one overflow", absolute=True)
SCALERS = [{}, {"init": 2.0**30, "interval": 4}, {"init": 1.0},
           {"init": 2.0**20, "growth": 3.0, "backoff": 0.25, "interval": 2}]


def as_torch(scaler):
    names = {"init": "init_scale", "growth": "growth_factor", "backoff": "backoff_factor",
             "interval": "growth_interval"}
    return {names[key]: value for key, value in scaler.items()}


def norms(run, theirs):
    """Those of steps without an overflow in PyTorch."""
    pairs = zip(run.reported("gradient_norm"), theirs.norms, strict=True)
    taken = [pair for pair in pairs if math.isfinite(pair[1])]
    return [ours for ours, _ in taken], [right for _, right in taken]


def compare(changes, make_model, loss_of, precision, inputs=("x",), clip=None):
    """`precision`: as a recipe says it."""
    how = How(steps=14, inputs=inputs, dtype=DTYPES[precision["compute"]], scaler=as_torch(precision.get("scaler", {})),
              clip=clip and (lambda parameters: torch.nn.utils.clip_grad_norm_(parameters, clip)))

    def check(case, knead):
        run = knead.run(case.changes)
        model = make_model()
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
        theirs = train(model, loss_of, optimizer, trained_on(knead), how)
        yield "losses of 14 steps", run.reported("loss"), theirs.losses, LOSSES
        yield "gradient norms of steps that are taken", *norms(run, theirs), NORM
        yield f"steps left out: {theirs.skipped} of 14", run.reported("skipped")[-1], theirs.skipped, COUNT
        yield "weights after 14 steps", run.weights(), theirs.weights(), COEFFICIENT if clip else EQUAL

    changes = {"precision": precision, "optimizer": {"type": "adamw", "lr": 0.01}, "train": "14 steps"} | changes
    return Case("precision", changes | ({"clip": clip} if clip else {}), check)


def model_of(name, class_name, fields, target, **args):
    """Of models/: the changes, and how Python makes it."""
    changes = {"model": {"source": str(ROOT / f"models/{name}.py"), "class": class_name, "args": args,
                         "inputs": fields},
               "data.train.fields": {**{each: each for each in fields}, "y": target}}
    return changes, lambda: source_model(f"models/{name}.py", class_name, **args)


def has_kernel(compute):
    """Whether PyTorch has an LSTM in this precision on this processor."""
    try:
        with torch.autocast("cpu", dtype=DTYPES[compute]):
            torch.nn.LSTM(4, 8)(torch.zeros(2, 1, 4))
    except RuntimeError:
        return False
    return True


def of_images(output, batch):
    return F.cross_entropy(output, batch["label"])


def outer(size, batch, precision):
    """mse of size × size numbers for each sample, whose sum is far from its mean."""
    scaler = as_torch(precision.get("scaler", {}))
    is_power = batch & (batch - 1) == 0

    def make():
        torch.manual_seed(3)
        return class_of(HEADS, "Wide")[0](size)

    def check(case, knead):
        target = {"wide": trained_on(knead)["wide"]}
        if size != 64:
            target["wide"] = torch.randn(24, size, size, generator=torch.Generator().manual_seed(5))
        count = len(target["wide"]) // batch * batch
        data = {"x": trained_on(knead)["x"][:count].contiguous(), "wide": target["wide"][:count].contiguous()}
        path = knead.folder / f"wide-{size}.safetensors"
        save_file(data, path)
        run = knead.run(case.changes | {"data.train.path": str(path)})
        model = make()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.5, fused=True)
        how = How(steps=10, size=batch, dtype=DTYPES[precision["compute"]], scaler=scaler)
        theirs = train(model, lambda o, b: F.mse_loss(o, b["wide"]), optimizer, data, how)
        skipped = run.reported("skipped")[-1]
        yield f"steps left out: {theirs.skipped} of 10", skipped, theirs.skipped, COUNT if is_power else ABOUT_COUNT
        if skipped != theirs.skipped:
            return  # all that follows is of other steps
        yield "losses of 10 steps", run.reported("loss"), theirs.losses, LOSSES if is_power else ROUNDED
        yield "gradient norms of steps that are taken", *norms(run, theirs), NORM if is_power else ROUNDED
        yield "weights after 10 steps", run.weights(), theirs.weights(), EQUAL if is_power else ROUNDED

    model = {"source": str(HEADS), "class": "Wide", "args": {"size": size}, "inputs": ["x"]}
    changes = {"precision": precision, "model": model,
               "data.train.fields": {"x": "x", "y": "wide"}, "loss": {"type": "mse", "target": "y"}, "batch": batch,
               "optimizer": {"type": "sgd", "lr": 0.5}}
    return Case("precision", changes, check)


def cases():
    for compute in ("fp32", "tf32", "bf16"):
        yield compare({}, classifier, cross_entropy, {"compute": compute})
    for scaler in SCALERS:
        yield compare({}, classifier, cross_entropy, flow(compute="fp16", scaler=scaler))
    yield compare({}, classifier, cross_entropy, {"compute": "bf16", "cache": False})
    yield compare({}, classifier, cross_entropy, {"compute": "fp16"}, clip=0.3)
    yield compare({}, classifier, cross_entropy, {"compute": "bf16"}, clip=0.3)
    for compute in ("bf16", "fp16"):
        for name, make, loss, inputs in [
            ("cnn", ("CNN", {"channels": 1, "widths": [6], "classes": 4}), of_images, "image"),
            ("vit", ("ViT", VIT), of_images, "image"),
            ("lstm", ("LSTM", {"inputs": 4, "hidden": 8, "outputs": 4}), of_images, "sequence"),
        ]:
            if name == "lstm" and not has_kernel(compute):
                continue
            changes, model = model_of(name, make[0], [inputs], "label", **make[1])
            yield compare(changes, model, loss, {"compute": compute}, (inputs,))
    for size, batch in [(64, 32), (64, 20), (512, 4)]:
        yield outer(size, batch, {"compute": "fp16"})
        yield outer(size, batch, {"compute": "fp16", "scaler": {"init": 2.0**26, "interval": 3}})
        yield outer(size, batch, {"compute": "bf16"})
