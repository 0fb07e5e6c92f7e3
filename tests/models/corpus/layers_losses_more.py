# works
# inputs: torch.randn(4, 3), torch.rand(4, 3), torch.tensor([1.0, -1.0, 1.0, -1.0])
import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.pairs = nn.ModuleList(
            [nn.SmoothL1Loss(beta=0.5), nn.HuberLoss(delta=0.3), nn.KLDivLoss(reduction="batchmean"), nn.BCEWithLogitsLoss()]
        )
        self.ranking = nn.MarginRankingLoss(margin=0.1)
        self.cosine = nn.CosineEmbeddingLoss()
        self.hinge = nn.HingeEmbeddingLoss()
        self.triplet = nn.TripletMarginLoss(margin=0.5)
        self.margin = nn.SoftMarginLoss()

    def forward(self, x, y, sign):
        x = self.linear(x)
        losses = [loss(x, y) for loss in self.pairs]
        a = self.ranking(x[:, 0], y[:, 0], sign) + self.cosine(x, y, sign) + self.hinge(x[:, 0], sign)
        b = self.triplet(x, y, y.flip(0)) + self.margin(x[:, 1], sign)
        return losses, a, b, F.poisson_nll_loss(x, y), F.hinge_embedding_loss(x[:, 0], sign, reduction="sum"), F.binary_cross_entropy(torch.sigmoid(x), y)
