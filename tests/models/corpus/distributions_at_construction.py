# works
# inputs: torch.randn(3, 4)
import torch
import torch.nn.functional as F
from torch import nn
from torch import distributions as D
from torch.distributions import Normal, kl_divergence


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.pools = nn.ModuleList([nn.LPPool2d(2, 2), nn.LPPool2d(3, (1, 2), stride=1)])
        self.softmax = nn.Softmax()
        normal = Normal(torch.zeros(4), torch.arange(1.0, 5))
        other = D.Normal(0.5, 2.0)
        bernoulli = D.Bernoulli(probs=torch.tensor([0.1, 0.5, 0.9]))
        logits = D.Bernoulli(logits=torch.tensor([0.3, -2.0]))
        categorical = D.Categorical(probs=torch.tensor([[1.0, 2.0, 3.0], [4.0, 1.0, 1.0]]))
        by_logits = D.Categorical(logits=torch.tensor([0.1, 0.2, 0.7]))
        one_hot = torch.distributions.OneHotCategorical(torch.ones(3, 5) / 5)
        uniform = D.Uniform(torch.tensor([0.0, -1.0]), torch.tensor([1.0, 3.0]))
        independent = D.Independent(Normal(torch.zeros(2, 4), torch.ones(2, 4)), 1)
        facts = {
            "normal": normal.sample((2,)),
            "normal_again": normal.rsample(),
            "other": other.sample((3, 2)),
            "log_prob": normal.log_prob(torch.ones(4)),
            "entropy": normal.entropy(),
            "cdf": normal.cdf(torch.tensor(0.3)),
            "kl": kl_divergence(normal, other),
            "bernoulli": bernoulli.sample((4,)),
            "bernoulli_log": bernoulli.log_prob(torch.tensor([1.0, 0.0, 1.0])),
            "bernoulli_entropy": logits.entropy(),
            "categorical": categorical.sample((6,)).float(),
            "categorical_log": categorical.log_prob(torch.tensor([2, 0])),
            "categorical_entropy": by_logits.entropy(),
            "categorical_kl": kl_divergence(D.Categorical(probs=by_logits.probs), by_logits),
            "one_hot": one_hot.sample((2,)),
            "one_hot_log": one_hot.log_prob(F.one_hot(torch.tensor([1, 2, 3]), 5).float()),
            "uniform": uniform.sample((3,)),
            "uniform_log": uniform.log_prob(torch.tensor([0.5, 2.0])),
            "uniform_entropy": uniform.entropy(),
            "independent": independent.log_prob(independent.sample()),
            "moments": normal.mean + normal.variance + normal.stddev,
        }
        for name, fact in facts.items():
            self.register_buffer(name, fact)
        assert normal.batch_shape == (4,) and independent.event_shape == (4,)
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        x = self.softmax(self.linear(x)) + self.normal.sum()
        images = x.abs().reshape(1, 1, 3, 4)
        pooled = self.pools[0](images).mean() + self.pools[1](images).mean()
        return x + pooled + F.lp_pool1d(x.abs().unsqueeze(0), 2.0, 2).mean() + torch.spmm(x, x.t()).mean()
