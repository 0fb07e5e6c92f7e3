"""model.init next to torch.nn.init: the numbers that parameters begin with, drawn in the order of the parameters."""

from torch import nn

from .case import Case, classifier
from .table import EQUAL

NEVER = {"schedule": {"type": "phases", "phases": [{"shape": "constant", "from": 0}]}, "train": "1 steps"}


def matrices(rule, function):
    """A rule for matrices alone."""
    return [{"ndim_at_least": 2, **rule}], lambda name, each: function(each) if each.dim() >= 2 else None


def everything(rule, function):
    return [rule], lambda name, each: function(each)


def by_turns(name, parameter):
    """The first rule that fits counts."""
    if name == "layers.4.weight":
        nn.init.normal_(parameter, std=0.007)
    elif parameter.dim() >= 2:
        nn.init.kaiming_normal_(parameter, nonlinearity="relu")
    elif parameter.dim() < 2:
        nn.init.constant_(parameter, 0.1)


RULES = [
    everything({"constant": 0.25}, lambda w: nn.init.constant_(w, 0.25)),
    everything({"normal": {"std": 0.02}}, lambda w: nn.init.normal_(w, std=0.02)),
    everything({"normal": {"mean": 0.5, "std": 0.1}}, lambda w: nn.init.normal_(w, 0.5, 0.1)),
    everything({"trunc_normal": {"std": 0.02}}, lambda w: nn.init.trunc_normal_(w, std=0.02)),
    everything({"trunc_normal": {"mean": 0.1, "std": 0.5, "low": -0.4, "high": 0.3}},
               lambda w: nn.init.trunc_normal_(w, 0.1, 0.5, -0.4, 0.3)),
    everything({"uniform": {"low": -0.1, "high": 0.3}}, lambda w: nn.init.uniform_(w, -0.1, 0.3)),
    matrices({"xavier_uniform": {}}, nn.init.xavier_uniform_),
    matrices({"xavier_uniform": {"gain": 1.4}}, lambda w: nn.init.xavier_uniform_(w, 1.4)),
    matrices({"xavier_normal": {"gain": 0.5}}, lambda w: nn.init.xavier_normal_(w, 0.5)),
    matrices({"kaiming_uniform": "relu"}, lambda w: nn.init.kaiming_uniform_(w, nonlinearity="relu")),
    matrices({"kaiming_uniform": {"a": 0.3, "mode": "fan_out"}}, lambda w: nn.init.kaiming_uniform_(w, 0.3, "fan_out")),
    matrices({"kaiming_normal": {"nonlinearity": "tanh"}}, lambda w: nn.init.kaiming_normal_(w, nonlinearity="tanh")),
    matrices({"kaiming_normal": {"nonlinearity": "selu", "mode": "fan_out"}},
             lambda w: nn.init.kaiming_normal_(w, mode="fan_out", nonlinearity="selu")),
    matrices({"orthogonal": {}}, nn.init.orthogonal_),
    matrices({"orthogonal": {"gain": 2}}, lambda w: nn.init.orthogonal_(w, 2)),
    ([{"match": "layers.4.weight", "normal": {"std": 0.007}}, {"ndim_at_least": 2, "kaiming_normal": "relu"},
      {"ndim_below": 2, "constant": 0.1}], by_turns),
]


def compare(rules, fill):
    def check(case, knead):
        run = knead.run(case.changes | NEVER)
        model = classifier()  # drawn first, as in a script that then calls nn.init
        for name, parameter in model.named_parameters():
            fill(name, parameter)
        yield "initial weights", run.weights(), {name: each.detach() for name, each in model.named_parameters()}, EQUAL

    return Case("init", {"model.init": rules}, check)


def cases():
    yield from (compare(*each) for each in RULES)
