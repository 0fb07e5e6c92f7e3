"""Models of every kind, from the first weights to the exported archive; also averaged, and stopped on the way."""

import torch
import torch.nn.functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from .case import Case, source_model, trained_on, validated_on
from .knead import ROOT, validation
from .table import DIVIDED, EQUAL, MEAN, NORM, RUNNING, Bound
from .training import How, class_of, evaluated, outputs, train

KINDS = "tests/models/kinds.py"
AVERAGED = Bound(1e-6, "averages that differ in their last bits")


class Model:
    """What there is to say of a model: its file and class, its inputs, its target and loss."""

    kind = "model"
    draws = False  # random numbers in evaluations too, of which each program has its own

    def __init__(self, file, name, inputs, target, loss, args=None, keeps_lists=False, bound=EQUAL):
        self.file, self.name, self.inputs, self.target, self.loss = file, name, inputs, target, loss
        self.args, self.keeps_lists, self.bound = args or {}, keeps_lists, bound

    def make(self):
        args = dict(self.args)
        if "config" in args:  # of a dataclass
            args["config"] = class_of(ROOT / self.file, "GPTConfig")[0](**args["config"])
        return source_model(self.file, self.name, **args)

    def changes(self):
        return {
            "model": {"source": str(ROOT / self.file), "class": self.name, "args": self.args,
                      "inputs": list(self.inputs)},
            "data.train.fields": self.fields(),
            "loss": {"type": self.loss, "target": self.target},
            "optimizer": {"type": "adamw", "lr": 0.01},
        }

    def fields(self):
        return {name: name for name in dict.fromkeys([*self.inputs, self.target])}

    def mean(self, output, batch, reduction="mean"):
        target = batch[self.target]
        if self.loss == "mse":
            return F.mse_loss(output, target, reduction=reduction)
        return F.cross_entropy(output.flatten(0, -2), target.flatten(), reduction=reduction)

    def measure(self, data):
        """The loss over a set, in batches of 32."""

        def of(model):
            parts = [{name: field[i : i + 32] for name, field in data.items()} for i in range(0, len(data["x"]), 32)]
            sums = sum(self.mean(model(*(part[name] for name in self.inputs)), part, "sum").item() for part in parts)
            return sums / data[self.target].numel()

        return of

    def train(self, program, **how):
        model = self.make()
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
        measure = (5, self.measure(validated_on(program)))
        return train(model, self.mean, optimizer, trained_on(program), How(inputs=self.inputs, evaluate=measure, **how))


def of_kinds(name, **more):
    return Model(KINDS, name, ("x",), "value", "mse", **more)


def of_images(file, name, args):
    return Model(f"models/{file}.py", name, ("image",), "label", "cross_entropy", args)


RESNET = {"layers": [1, 1, 1, 1], "classes": 4, "channels": 1, "width": 4}
VIT = {"image": 8, "patch": 4, "classes": 4, "channels": 1, "width": 16, "layers": 1, "heads": 2}
MODELS = [
    *(of_kinds(name) for name in ("LSTM", "ProjectedLSTM", "GRU", "RNN", "Cells", "Convolution", "Attention", "Tied")),
    of_kinds("OwnLists", keeps_lists=True),
    Model("models/mlp.py", "MLP", ("x",), "label", "cross_entropy", {"inputs": 10, "hidden": [16, 8], "outputs": 4}),
    of_images("cnn", "CNN", {"channels": 1, "widths": [4, 8], "classes": 4, "dropout": 0.2}),
    of_images("resnet", "ResNet", RESNET | {"small": True}),
    of_images("resnet", "ResNet", RESNET | {"bottleneck": True}),
    of_images("vit", "ViT", VIT | {"dropout": 0.1}),
    Model("models/gpt.py", "GPT", ("tokens",), "next", "cross_entropy",
          {"config": {"vocab": 17, "context": 8, "layers": 2, "heads": 2, "width": 16, "dropout": 0.1}}),
    Model("models/lstm.py", "LSTM", ("sequence",), "label", "cross_entropy",
          {"inputs": 4, "hidden": 8, "outputs": 4, "layers": 2, "bidirectional": True, "dropout": 0.1}),
    Model("models/autoencoder.py", "Autoencoder", ("x",), "x", "mse", {"inputs": 10, "hidden": [8], "code": 3},
          bound=DIVIDED),  # 320 numbers in a step
]


def gradients(model, each, data):
    """Of one pass in training mode; dropout draws the same numbers each time."""
    model.train()
    model.zero_grad()
    torch.manual_seed(5)
    batch = {name: field[:32] for name, field in data.items()}
    each.mean(model(*(batch[name] for name in each.inputs)), batch).backward()
    none = torch.empty(0)
    return {name: none if each.grad is None else each.grad for name, each in model.named_parameters()}


def exported(run, each, theirs, data):
    """The archive next to the class: with the exported weights; as trained, where lists hold more than a state dict."""
    archive = torch.jit.load(run.folder / "export/model.pt")
    model = theirs.model
    if not each.keeps_lists:
        model = each.make()
        model.load_state_dict(run.weights())
    right = outputs(model, data, each.inputs)
    yield "outputs of the exported archive", outputs(archive, data, each.inputs), right, EQUAL
    ours, right = gradients(archive, each, data), gradients(model, each, data)
    yield "parameters that no gradient reaches", len(without(ours)), len(without(right)), EQUAL
    yield "gradients of the exported archive", ours, right, EQUAL


def without(gradients):
    return [name for name, gradient in gradients.items() if gradient.numel() == 0]


def initial_weights(each, case, knead):
    """A step at a rate of 0 leaves them as they are."""
    never = {"type": "phases", "phases": [{"shape": "constant", "from": 0}]}
    run = knead.run(case.changes | {"schedule": never, "train": "1 steps"})
    ours, right = run.weights(), {name: tensor.detach() for name, tensor in each.make().named_parameters()}
    yield "initial weights", {name: ours[name] for name in right}, right, EQUAL


def compare(each):
    def check(case, knead):
        yield from initial_weights(each, case, knead)
        run = knead.run(case.changes | {"export": {"to": ["safetensors", "torchscript"]}})
        theirs, data = each.train(knead), trained_on(knead)
        yield "losses of 10 steps", run.reported("loss"), theirs.losses, MEAN
        yield "gradient norms", run.reported("gradient_norm"), theirs.norms, NORM
        yield "weights after 10 steps", run.weights(), theirs.weights(), each.bound
        if not each.draws:
            yield "`knead evaluate`", knead.evaluate(run, "train")["loss"], evaluated(theirs, each.measure(data)), MEAN
            yield "`knead predict`", knead.predict(run, "train"), outputs(theirs.model, data, each.inputs), each.bound
        yield from exported(run, each, theirs, data)

    return Case(each.kind, each.changes(), check)


def ema(model):
    return AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.8))


def compare_stopped(each):
    """Averaged, and in three processes."""

    def check(case, knead):
        more = {"data.validation": validation(knead.samples, each.fields()), "evaluate": "5 steps",
                "export": {"to": ["safetensors", "torchscript"], "weights": "last"}}
        run = knead.run(case.changes | more, stops=(3, 6))
        theirs = each.train(knead, average=ema)
        yield "losses, stopped after 3 and 6", run.reported("loss"), theirs.losses, MEAN
        yield "weights in training, stopped", run.saved(), theirs.weights(), each.bound
        yield "averages that are exported, stopped", run.weights(), theirs.averages(), RUNNING
        if not each.draws:
            yield "validation losses of the averages", run.evaluated(), theirs.evaluations, MEAN
        data = validated_on(knead)
        archive = torch.jit.load(run.folder / "export/model.pt")
        right = evaluated(theirs, lambda model: outputs(model, data, each.inputs))
        yield "outputs of the averages' archive", outputs(archive, data, each.inputs), right, AVERAGED

    return Case(each.kind, each.changes() | {"average": {"type": "ema", "decay": 0.8}}, check)


def cases():
    for each in MODELS:
        yield compare(each)
        yield compare_stopped(each)
