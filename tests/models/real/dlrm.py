# works
# inputs: torch.rand(4, 3), [torch.tensor([1, 2, 0, 4, 3]), torch.tensor([0, 5, 6]), torch.tensor([1, 1, 2, 0])], [torch.tensor([0, 1, 3, 4]), torch.tensor([0, 1, 1, 2]), torch.tensor([0, 2, 2, 3])]
# class: DLRM_Net
# args: {"m_spa": 4, "ln_emb": [5, 7, 3], "ln_bot": [3, 6, 4], "ln_top": [10, 8, 1], "sigmoid_top": 1, "loss_threshold": 0.01}
"""A recommendation model: dense features through an MLP, sparse ones through embedding bags, and how they interact."""

from typing import List

import numpy as np
import torch
import torch.nn as nn


class DLRM_Net(nn.Module):
    def create_mlp(self, ln, sigmoid_layer):
        # build MLP layer by layer
        layers = nn.ModuleList()
        for i in range(0, len(ln) - 1):
            n = ln[i]
            m = ln[i + 1]

            # construct fully connected operator
            LL = nn.Linear(int(n), int(m), bias=True)
            nn.init.normal_(LL.weight, mean=0.0, std=(2 / (m + n)) ** 0.5)
            nn.init.normal_(LL.bias, mean=0.0, std=(1 / m) ** 0.5)
            layers.append(LL)

            # construct sigmoid or relu operator
            if i == sigmoid_layer:
                layers.append(nn.Sigmoid())
            else:
                layers.append(nn.ReLU())

        return torch.nn.Sequential(*layers)

    def create_emb(self, m, ln):
        emb_l = nn.ModuleList()
        for n in ln:
            # construct embedding operator
            EE = nn.EmbeddingBag(n, m, mode="sum")
            nn.init.uniform_(EE.weight, a=-((1 / n) ** 0.5), b=(1 / n) ** 0.5)
            emb_l.append(EE)
        return emb_l

    def __init__(
        self,
        m_spa=None,
        ln_emb=None,
        ln_bot=None,
        ln_top=None,
        arch_interaction_op="dot",
        arch_interaction_itself=False,
        sigmoid_bot=-1,
        sigmoid_top=-1,
        loss_threshold=0.0,
    ):
        super(DLRM_Net, self).__init__()

        if (m_spa is not None) and (ln_emb is not None) and (ln_bot is not None) and (ln_top is not None):
            self.loss_threshold = loss_threshold
            self.arch_interaction_op = arch_interaction_op
            self.arch_interaction_itself = arch_interaction_itself
            self.emb_l = self.create_emb(m_spa, ln_emb)
            self.bot_l = self.create_mlp(ln_bot, sigmoid_bot)
            self.top_l = self.create_mlp(ln_top, sigmoid_top)
            ni = len(ln_emb) + 1
            offset = 0 if arch_interaction_itself else -1
            self.register_buffer("tril", torch.tril_indices(ni, ni, offset=offset), persistent=False)

    def apply_mlp(self, x, layers):
        return layers(x)

    def apply_emb(self, lS_o: List[torch.Tensor], lS_i: List[torch.Tensor]):
        # 1. lists of indices, one for each table; 2. where each bag begins
        ly: List[torch.Tensor] = []
        for k, E in enumerate(self.emb_l):
            V = E(lS_i[k], lS_o[k])
            ly.append(V)
        return ly

    def interact_features(self, x, ly: List[torch.Tensor]):
        if self.arch_interaction_op == "dot":
            # concatenate dense and sparse features
            (batch_size, d) = x.shape
            T = torch.cat([x] + ly, dim=1).view((batch_size, -1, d))
            # perform a dot product
            Z = torch.bmm(T, torch.transpose(T, 1, 2))
            Zflat = Z[:, self.tril[0], self.tril[1]]
            # concatenate dense features and interactions
            R = torch.cat([x] + [Zflat], dim=1)
        elif self.arch_interaction_op == "cat":
            R = torch.cat([x] + ly, dim=1)
        else:
            raise RuntimeError("ERROR: --arch-interaction-op=" + self.arch_interaction_op + " is not supported")
        return R

    def forward(self, dense_x, lS_i: List[torch.Tensor], lS_o: List[torch.Tensor]):
        # process dense features (using bottom mlp), resulting in a row vector
        x = self.apply_mlp(dense_x, self.bot_l)
        # process sparse features (using embeddings), resulting in a list of row vectors
        ly = self.apply_emb(lS_o, lS_i)
        # interact features (dense and sparse)
        z = self.interact_features(x, ly)
        # obtain probability of a click (using top mlp)
        p = self.apply_mlp(z, self.top_l)
        # clamp output if needed
        if 0.0 < self.loss_threshold and self.loss_threshold < 1.0:
            z = torch.clamp(p, min=self.loss_threshold, max=(1.0 - self.loss_threshold))
        else:
            z = p
        return z
