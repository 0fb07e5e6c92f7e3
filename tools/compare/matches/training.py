"""The same training in PyTorch, as one writes it by hand."""

import importlib.util
from dataclasses import dataclass, field

import torch

from . import samples

DROPOUT = 3  # which stream of random numbers: Purpose::dropout of runner/plan/random.h


def class_of(path, name):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name), module


def seed_of_dropout(seed):
    """knead seeds the generator anew when the model is built: Philox 4x32-10 of the seed, as runner/plan/random.cpp."""
    low = 0xFFFFFFFF
    counter, key = [0, 0, 0, DROPOUT], [seed & low, seed >> 32]
    for _ in range(10):
        first, second = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [second >> 32 ^ counter[1] ^ key[0], second & low, first >> 32 ^ counter[3] ^ key[1], first & low]
        key = [(key[0] + 0x9E3779B9) & low, (key[1] + 0xBB67AE85) & low]
    return counter[1] << 32 | counter[0]


@dataclass
class Trained:
    """What there is to compare, a number a step."""

    model: torch.nn.Module
    losses: list = field(default_factory=list)
    norms: list = field(default_factory=list)
    rates: list = field(default_factory=list)
    evaluations: list = field(default_factory=list)
    skipped: int = 0
    average: torch.optim.swa_utils.AveragedModel | None = None

    def weights(self):
        return {name: tensor.detach().clone() for name, tensor in self.model.state_dict().items()}

    def averages(self):
        """The averaged parameters with the buffers of the training."""
        averages = dict(zip(self.model.parameters(), self.average.module.parameters()))
        named = self.model.named_parameters(remove_duplicate=False)  # one that is tied has two names
        return self.weights() | {name: averages[parameter].detach() for name, parameter in named}


@dataclass
class How:
    """What a loop may do besides forward, backward and step; what is absent is not done."""

    steps: int = 10
    size: int = 32
    seed: int = 3
    inputs: tuple = ("x",)
    schedule: object = None  # from an optimizer to one of torch.optim.lr_scheduler
    clip: object = None  # a function of the parameters
    norm_type: float = 2.0
    dtype: torch.dtype = torch.float32  # of autocast
    scaler: dict = field(default_factory=dict)
    average: object = None  # from a model to an AveragedModel
    follows: object = None  # whether the average takes in the weights of a step; each, unless it says
    evaluate: object = None  # (steps, a function of the model)
    plateau: object = None  # from an optimizer to a ReduceLROnPlateau, which looks at the evaluations
    drop_last: bool = False
    is_bad: object = None  # whether a loss or norm makes a loop leave the step out


def train(model, loss_of, optimizers, data, how):
    """One optimizer, or a list of several that share the parameters between them."""
    optimizers = optimizers if isinstance(optimizers, list) else [optimizers]
    trained = Trained(model, average=how.average(model) if how.average else None)
    schedules = [how.schedule(optimizer) for optimizer in optimizers] if how.schedule else []
    plateau = how.plateau(optimizers[0]) if how.plateau else None
    scaler = torch.amp.GradScaler("cpu", enabled=how.dtype == torch.float16, **how.scaler)
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    torch.manual_seed(seed_of_dropout(how.seed))
    model.train()
    for step, batch in enumerate(samples.batches(data, how.size, how.steps, how.drop_last), 1):
        with torch.autocast("cpu", dtype=how.dtype, enabled=how.dtype != torch.float32):
            loss = loss_of(model(*(batch[name] for name in how.inputs)), batch)
        scaler.scale(loss).backward()
        if how.clip and scaler.is_enabled():
            for optimizer in optimizers:
                scaler.unscale_(optimizer)
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        norm = torch.nn.utils.get_total_norm(gradients, how.norm_type).item()
        trained.norms.append(norm / (1 if how.clip else scaler.get_scale()))
        if how.clip:
            how.clip(parameters)
        trained.losses.append(loss.item())
        trained.rates.append(optimizers[0].param_groups[0]["lr"])
        step_unless_bad(trained, optimizers, scaler, how)
        for each in schedules:
            each.step()
        if trained.average and (how.follows is None or how.follows(step)):
            trained.average.update_parameters(model)
        if how.evaluate and (step % how.evaluate[0] == 0 or step == how.steps):
            trained.evaluations.append(evaluated(trained, how.evaluate[1]))
            if plateau:
                plateau.step(trained.evaluations[-1])
    return trained


def step_unless_bad(trained, optimizers, scaler, how):
    if how.is_bad and how.is_bad(trained.losses[-1], trained.norms[-1]):
        trained.skipped += 1
    else:
        before = scaler.get_scale()
        for optimizer in optimizers:
            scaler.step(optimizer)
        scaler.update()
        trained.skipped += scaler.get_scale() < before
    for optimizer in optimizers:
        optimizer.zero_grad()


@torch.no_grad()
def evaluated(trained, measure):
    """A measure of the averaged weights where there are any, put in place of those in training meanwhile."""
    model, generator = trained.model, torch.get_rng_state()
    places = [*model.parameters(), *model.buffers()]  # a traced batch norm counts in evaluations too
    kept = [place.clone() for place in places]
    if trained.average and trained.average.n_averaged > 0:
        for parameter, average in zip(model.parameters(), trained.average.module.parameters()):
            parameter.copy_(average)
    model.eval()
    result = measure(model)
    model.train()
    for place, tensor in zip(places, kept):
        place.copy_(tensor)
    torch.set_rng_state(generator)
    return result


@torch.no_grad()
def outputs(model, data, inputs, size=32):
    """In evaluation mode, batch by batch; a traced dropout draws the same numbers each time."""
    torch.manual_seed(0)
    model.eval()
    count = len(data[inputs[0]])
    batches = [[data[name][i : i + size] for name in inputs] for i in range(0, count, size)]
    return torch.cat([model(*batch) for batch in batches])
