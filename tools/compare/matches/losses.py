"""Every loss with its options, whole and cut into micro-batches, next to torch.nn.functional's mean over the batch."""

import warnings

import torch
import torch.nn.functional as F

from .case import Case, trained_on
from .knead import ROOT
from .table import DIVIDED, MEAN, NORM, ORDER, ORDER_OF_WEIGHTS
from .training import How, class_of, train

warnings.filterwarnings("ignore", "reduction: 'mean' divides")  # kl_div's mean is one of the cases
HEADS = ROOT / "tools/compare/matches/heads.py"
WEIGHTS = [1.0, 0.5, 2.0, 0.25]

# A head of heads.py, the field, options as a recipe says them, torch's mean, and the size of micro-batches.
LOSSES = [
    ("Scores", "label", {"type": "cross_entropy"}, lambda o, t: F.cross_entropy(o, t), 8),
    ("Scores", "label", {"type": "cross_entropy", "label_smoothing": 0.1},
     lambda o, t: F.cross_entropy(o, t, label_smoothing=0.1), 4),
    ("Scores", "label", {"type": "cross_entropy", "weight": WEIGHTS},
     lambda o, t: F.cross_entropy(o, t, torch.tensor(WEIGHTS)), 16),
    ("Scores", "gappy", {"type": "cross_entropy", "ignore_index": -1},
     lambda o, t: F.cross_entropy(o, t, ignore_index=-1), 2),
    ("Scores", "label", {"type": "cross_entropy", "ignore_index": 2, "weight": WEIGHTS, "label_smoothing": 0.2},
     lambda o, t: F.cross_entropy(o, t, torch.tensor(WEIGHTS), ignore_index=2, label_smoothing=0.2), 8),
    ("Scores", "share", {"type": "cross_entropy"}, lambda o, t: F.cross_entropy(o, t), 1),
    ("Scores", "share", {"type": "cross_entropy", "weight": WEIGHTS, "label_smoothing": 0.1},
     lambda o, t: F.cross_entropy(o, t, torch.tensor(WEIGHTS), label_smoothing=0.1), 8),
    ("Places", "places", {"type": "cross_entropy"}, lambda o, t: F.cross_entropy(o, t), 4),
    ("LastPlaces", "places", {"type": "cross_entropy", "class_dim": "last", "ignore_index": 3},
     lambda o, t: F.cross_entropy(o.flatten(0, 1), t.flatten(), ignore_index=3), 8),
    ("LogShares", "label", {"type": "nll"}, lambda o, t: F.nll_loss(o, t), 8),
    ("LogShares", "gappy", {"type": "nll", "ignore_index": -1, "weight": WEIGHTS},
     lambda o, t: F.nll_loss(o, t, torch.tensor(WEIGHTS), ignore_index=-1), 4),
    ("Value", "value", {"type": "mse"}, lambda o, t: F.mse_loss(o, t), 8),
    ("Column", "value", {"type": "mse"}, lambda o, t: F.mse_loss(o.squeeze(1), t), 16),
    ("Values", "values", {"type": "mse"}, lambda o, t: F.mse_loss(o, t), 4),
    ("Values", "values", {"type": "l1"}, lambda o, t: F.l1_loss(o, t), 8),
    ("Values", "values", {"type": "smooth_l1"}, lambda o, t: F.smooth_l1_loss(o, t), 8),
    ("Values", "values", {"type": "smooth_l1", "beta": 0.3}, lambda o, t: F.smooth_l1_loss(o, t, beta=0.3), 2),
    ("Values", "values", {"type": "smooth_l1", "beta": 0}, lambda o, t: F.smooth_l1_loss(o, t, beta=0.0), 8),
    ("Values", "values", {"type": "huber", "delta": 0.5}, lambda o, t: F.huber_loss(o, t, delta=0.5), 4),
    ("Value", "yes", {"type": "bce_with_logits"}, lambda o, t: F.binary_cross_entropy_with_logits(o, t), 8),
    ("Column", "yes", {"type": "bce_with_logits", "pos_weight": [3]},
     lambda o, t: F.binary_cross_entropy_with_logits(o.squeeze(1), t, pos_weight=torch.tensor([3.0])), 4),
    ("Values", "several", {"type": "bce_with_logits", "weight": [1, 0.5, 2], "pos_weight": [3, 1, 0.2]},
     lambda o, t: F.binary_cross_entropy_with_logits(
         o, t, torch.tensor([1.0, 0.5, 2.0]), pos_weight=torch.tensor([3.0, 1.0, 0.2])), 16),
    ("LogShares", "share", {"type": "kl_div"}, lambda o, t: F.kl_div(o, t, reduction="mean"), 8),
    ("LogShares", "share", {"type": "kl_div", "reduction": "batchmean"},
     lambda o, t: F.kl_div(o, t, reduction="batchmean"), 4),
    ("LogShares", "log_share", {"type": "kl_div", "reduction": "batchmean", "log_target": True},
     lambda o, t: F.kl_div(o, t, reduction="batchmean", log_target=True), 8),
    ("Value", "count", {"type": "poisson_nll"}, lambda o, t: F.poisson_nll_loss(o, t), 8),
    ("Value", "count", {"type": "poisson_nll", "full": True}, lambda o, t: F.poisson_nll_loss(o, t, full=True), 4),
    ("Rate", "count", {"type": "poisson_nll", "log_input": False, "eps": 1e-3},
     lambda o, t: F.poisson_nll_loss(o, t, log_input=False, eps=1e-3), 16),
    ("Two", "sign", {"type": "cosine_embedding", "margin": 0.3},
     lambda o, t: F.cosine_embedding_loss(*o, t, margin=0.3), 8),
    ("TwoValues", "sign", {"type": "margin_ranking", "margin": 0.5},
     lambda o, t: F.margin_ranking_loss(*o, t, margin=0.5), 4),
    ("Value", "sign", {"type": "hinge_embedding", "margin": 0.7},
     lambda o, t: F.hinge_embedding_loss(o, t, margin=0.7), 8),
]

CODE = """def loss(output: Tensor, batch: Dict[str, Tensor]) -> Tensor:
    return (output - batch['t']).abs().pow(1.5){mean}
"""


def compare(head, fields, changes, mean, micro):
    """`mean`: of an output and a batch."""

    def check(case, knead):
        torch.manual_seed(3)
        model = class_of(HEADS, head)[0]()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, fused=True)
        theirs = train(model, mean, optimizer, trained_on(knead), How())
        whole, cut = knead.run(case.changes), knead.run(case.changes | {"batch.micro": micro})
        yield "losses", whole.reported("loss"), theirs.losses, MEAN
        yield "gradient norms", whole.reported("gradient_norm"), theirs.norms, NORM
        yield "weights after 10 steps", whole.weights(), theirs.weights(), DIVIDED
        yield f"losses in micro-batches of {micro}", cut.reported("loss"), theirs.losses, ORDER
        yield f"weights in micro-batches of {micro}", cut.weights(), theirs.weights(), ORDER_OF_WEIGHTS

    model = {"source": str(HEADS), "class": head, "inputs": ["x"]}
    return Case("loss", {"model": model, "data.train.fields": fields, "loss": changes}, check)


def of_field(head, field, options, mean, micro):
    fields = {"x": "x", "t": field}
    return compare(head, fields, options | {"target": "t"}, lambda o, batch: mean(o, batch[field]), micro)


def ctc(options, lengths, mean):
    fields = {"x": "x", "t": "letters"} | ({"frames": "frames", "lengths": "lengths"} if lengths else {})
    keys = {"input_lengths": "frames", "target_lengths": "lengths"} if lengths else {}
    return compare("Frames", fields, {"type": "ctc", "target": "t", "batch_first": True} | options | keys, mean, 8)


def all_frames(output, batch):
    count = len(output)
    return F.ctc_loss(output.transpose(0, 1), batch["letters"], torch.full((count,), 10), torch.full((count,), 3))


def some_frames(output, batch):
    return F.ctc_loss(output.transpose(0, 1), batch["letters"], batch["frames"], batch["lengths"], zero_infinity=True)


def cases():
    yield from (of_field(*each) for each in LOSSES)
    yield ctc({}, False, all_frames)
    yield ctc({"zero_infinity": True}, True, some_frames)
    items = {"type": "script", "code": CODE.format(mean="")}
    yield compare("Value", {"x": "x", "t": "value"}, items,
                  lambda o, batch: (o - batch["value"]).abs().pow(1.5).mean(), 8)
    scalar = {"type": "script", "code": CODE.format(mean=".mean()")}
    yield compare("Value", {"x": "x", "t": "value"}, scalar,
                  lambda o, batch: (o - batch["value"]).abs().pow(1.5).mean(), 4)
    yield compare("OwnLoss", {"x": "x"}, {"type": "from_model"}, lambda o, batch: o, 8)
