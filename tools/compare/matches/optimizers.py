"""Every optimizer with its options: next to torch.optim as one calls it, and next to its fused or foreach kernels."""

import torch

from .by_hand import Lamb, Lion
from .case import Case, classifier, cross_entropy, flow, trained_on
from .table import EQUAL, NORM, Bound
from .training import How, train

FUSED, FOREACH = {"fused": True}, {"foreach": True}
OTHER = {"betas": (0.8, 0.95), "eps": 1e-3}
DECAY = {"weight_decay": 0.1}
LOSSES = Bound(1e-6, "means, of weights that differ in their last bits")
SINGLE = Bound(1e-6, "another kernel than torch's loop over tensors")

# A kind's class, its rate, the kernels that knead takes, and option sets that make every branch of its code run.
KINDS = {
    "adamw": (torch.optim.AdamW, 0.01, FUSED,
              [{}, {"amsgrad": True}, OTHER | DECAY, OTHER | DECAY | {"amsgrad": True}]),
    "adam": (torch.optim.Adam, 0.01, FUSED, [{}, {"amsgrad": True}, OTHER | DECAY]),
    "sgd": (torch.optim.SGD, 0.1, FUSED, [
        {}, DECAY, {"momentum": 0.9}, {"momentum": 0.9, "dampening": 0.2} | DECAY,
        {"momentum": 0.9, "nesterov": True} | DECAY]),
    "adagrad": (torch.optim.Adagrad, 0.05, FUSED, [
        {}, {"lr_decay": 0.1} | DECAY, {"initial_accumulator_value": 0.5, "eps": 1e-3}]),
    "rmsprop": (torch.optim.RMSprop, 0.005, FOREACH, [
        {}, {"centered": True}, {"momentum": 0.9} | DECAY,
        {"alpha": 0.8, "eps": 1e-3, "momentum": 0.5, "centered": True}]),
    "nadam": (torch.optim.NAdam, 0.01, FOREACH, [
        {}, DECAY, OTHER | DECAY | {"momentum_decay": 0.05, "decoupled_weight_decay": True}]),
    "radam": (torch.optim.RAdam, 0.01, FOREACH, [
        {}, DECAY, {"betas": (0.8, 0.7)}, OTHER | DECAY | {"decoupled_weight_decay": True}]),
    "adamax": (torch.optim.Adamax, 0.01, FOREACH, [{}, DECAY, OTHER]),
    "adadelta": (torch.optim.Adadelta, 1.0, FOREACH, [{}, {"rho": 0.7, "eps": 1e-3} | DECAY]),
    "lion": (Lion, 0.003, None, [{}, {"betas": (0.8, 0.7)} | DECAY]),
    "lamb": (Lamb, 0.01, None, [{}, {"weight_decay": 0.0, "eps": 1e-3}, OTHER | DECAY]),
    "adafactor": (torch.optim.Adafactor, 0.02, None, [
        {}, {"eps": (1e-4, 1e-2), "d": 1.5, "beta2_decay": -0.5} | DECAY]),
}


def compare(kind, options):
    make, lr, kernels, _ = KINDS[kind]

    def check(case, knead):
        run = knead.run(case.changes)
        model = classifier()
        theirs = train(model, cross_entropy, make(model.parameters(), lr=lr, **options), trained_on(knead), How())
        yield "losses of 10 steps", run.reported("loss"), theirs.losses, LOSSES
        yield "weights after 10 steps", run.weights(), theirs.weights(), SINGLE
        if kernels:
            model = classifier()
            optimizer = make(model.parameters(), lr=lr, **options, **kernels)
            theirs = train(model, cross_entropy, optimizer, trained_on(knead), How())
            yield f"weights, torch with {next(iter(kernels))}=True", run.weights(), theirs.weights(), EQUAL

    return Case("optimizer", {"optimizer": flow(type=kind, lr=lr, **options)}, check)


# Of the classifier: by the order of its parameters a weight and a bias, three times.
def split_of(model):
    matrices = [parameter for parameter in model.parameters() if parameter.dim() >= 2]
    vectors = [parameter for parameter in model.parameters() if parameter.dim() < 2]
    return matrices, vectors


def adamw_groups(model):
    matrices, vectors = split_of(model)
    return torch.optim.AdamW([{"params": matrices}, {"params": vectors, "weight_decay": 0.0}],
                             lr=0.01, weight_decay=0.1, fused=True)


def sgd_groups(model):
    first, *others = model.layers[0].parameters(), model.layers[2].parameters(), model.layers[4].parameters()
    groups = [{"params": first, "lr": 0.5, "momentum": 0.0}, {"params": others[0]},
              {"params": others[1], "lr": 0.1 * 0.3, "weight_decay": 0.2}]
    return torch.optim.SGD(groups, lr=0.1, momentum=0.9, fused=True)


def rmsprop_groups(model):
    matrices, vectors = split_of(model)
    other = {"params": vectors, "alpha": 0.5, "momentum": 0.5, "centered": True}
    return torch.optim.RMSprop([{"params": matrices}, other], lr=0.005, foreach=True)


def muon(**options):
    def make(model):
        matrices, vectors = split_of(model)
        return [torch.optim.Muon(matrices, lr=0.02, **options),
                torch.optim.AdamW(vectors, lr=0.01, weight_decay=0.0, fused=True)]

    return make


def frozen(model):
    model.layers[0].requires_grad_(False)
    return torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)


def compare_made(changes, make, note=""):
    """Weights that equal those of an optimizer with groups, made from the model."""

    def check(case, knead):
        run = knead.run(case.changes)
        model = classifier()
        theirs = train(model, cross_entropy, make(model), trained_on(knead), How())
        yield "losses of 10 steps", run.reported("loss"), theirs.losses, LOSSES
        yield "gradient norms before each step", run.reported("gradient_norm"), theirs.norms, NORM
        yield "weights after 10 steps", run.weights(), theirs.weights(), EQUAL

    return Case("optimizer", changes, check, note)


def for_vectors(**options):
    return flow(type="muon", lr=0.02, **options, groups=[{"ndim_below": 2, "lr": 0.01, "adamw": {"weight_decay": 0}}])


def cases():
    yield from (compare(kind, options) for kind, (_, _, _, sets) in KINDS.items() for options in sets)
    adjusted = {"nesterov": False, "adjust_lr_fn": "match_rms_adamw"}
    for options in [{}, adjusted, {"ns_steps": 3, "momentum": 0.5, "eps": 1e-3}]:
        yield compare_made({"optimizer": for_vectors(**options)}, muon(**options))
    yield compare_made({"optimizer": {"type": "adamw", "lr": 0.01, "weight_decay": 0.1,
                                      "groups": [{"ndim_below": 2, "weight_decay": 0}]}}, adamw_groups)
    yield compare_made({"optimizer": {"type": "sgd", "lr": 0.1, "momentum": 0.9, "groups": [
        {"match": "layers.0.*", "lr": 0.5, "momentum": 0},
        {"match": "*4.*", "lr_scale": 0.3, "weight_decay": 0.2}]}}, sgd_groups)
    yield compare_made({"optimizer": {"type": "rmsprop", "lr": 0.005, "groups": [
        {"ndim_below": 2, "alpha": 0.5, "momentum": 0.5, "centered": True}]}}, rmsprop_groups)
    yield compare_made({"optimizer": {"type": "adamw", "lr": 0.01}, "model.freeze": ["layers.0.*"]}, frozen)
