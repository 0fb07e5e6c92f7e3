"""Distributions that a model makes while it is built."""

import math

import torch
from torch.nn import functional as F


def _broadcast(*values):
    tensors = [v if isinstance(v, torch.Tensor) else torch.tensor(float(v)) for v in values]
    return torch.broadcast_tensors(tensors) if len(tensors) > 1 else tensors


def _sizes(shape):
    return [shape] if isinstance(shape, int) else list(shape)


class Distribution:
    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self.batch_shape = tuple(batch_shape)
        self.event_shape = tuple(event_shape)

    def _extended_shape(self, sample_shape=()):
        return _sizes(sample_shape) + list(self.batch_shape) + list(self.event_shape)

    @property
    def stddev(self):
        return self.variance.sqrt()

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return self.rsample(sample_shape)

    def sample_n(self, n):
        return self.sample((n,))

    def perplexity(self):
        return torch.exp(self.entropy())


class Normal(Distribution):
    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = _broadcast(loc, scale)
        super().__init__(self.loc.shape)

    @property
    def mean(self):
        return self.loc

    @property
    def stddev(self):
        return self.scale

    @property
    def variance(self):
        return self.scale.pow(2)

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        noise = torch.normal(torch.zeros(shape, dtype=self.loc.dtype), torch.ones(shape, dtype=self.loc.dtype))
        return self.loc + noise * self.scale

    def log_prob(self, value):
        var = self.scale**2
        return -((value - self.loc) ** 2) / (2 * var) - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value):
        return 0.5 * (1 + torch.erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + torch.log(self.scale)


class Uniform(Distribution):
    def __init__(self, low, high, validate_args=None):
        self.low, self.high = _broadcast(low, high)
        super().__init__(self.low.shape)

    @property
    def mean(self):
        return (self.high + self.low) / 2

    @property
    def variance(self):
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape=()):
        rand = torch.rand(self._extended_shape(sample_shape), dtype=self.low.dtype)
        return self.low + rand * (self.high - self.low)

    def log_prob(self, value):
        lb = self.low.le(value).type_as(self.low)
        ub = self.high.gt(value).type_as(self.low)
        return torch.log(lb.mul(ub)) - torch.log(self.high - self.low)

    def entropy(self):
        return torch.log(self.high - self.low)


class Bernoulli(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        (given,) = _broadcast(logits if probs is None else probs)
        self.logits = _logits_of(given) if logits is None else given
        self.probs = torch.sigmoid(given) if probs is None else given
        super().__init__(given.shape)

    @property
    def mean(self):
        return self.probs

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return torch.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        logits, value = torch.broadcast_tensors([self.logits, value])
        return -F.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")


def _logits_of(probs):
    eps = torch.finfo(probs.dtype).eps
    clamped = probs.clamp(eps, 1 - eps)
    return torch.log(clamped) - torch.log1p(-clamped)


class Categorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        if probs is not None:
            self.probs = probs / probs.sum(-1, keepdim=True)
            eps = torch.finfo(probs.dtype).eps
            self.logits = torch.log(self.probs.clamp(eps, 1 - eps))
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
            self.probs = F.softmax(self.logits, dim=-1)
        self._num_events = self.probs.size(-1)
        super().__init__(self.probs.shape[:-1])

    def sample(self, sample_shape=()):
        count = 1
        for size in _sizes(sample_shape):
            count *= size
        drawn = torch.multinomial(self.probs.reshape(-1, self._num_events), count, True).T
        return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value):
        value, log_pmf = torch.broadcast_tensors([value.long().unsqueeze(-1), self.logits])
        return log_pmf.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        logits = torch.clamp(self.logits, min=torch.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)


class OneHotCategorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)
        self.probs, self.logits = self._categorical.probs, self._categorical.logits
        super().__init__(self._categorical.batch_shape, self.probs.shape[-1:])

    @property
    def mean(self):
        return self.probs

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        indices = self._categorical.sample(sample_shape)
        return F.one_hot(indices, self._categorical._num_events).to(self.probs.dtype)

    def log_prob(self, value):
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self):
        return self._categorical.entropy()


class Independent(Distribution):
    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        shape = base_distribution.batch_shape + base_distribution.event_shape
        split = len(base_distribution.batch_shape) - reinterpreted_batch_ndims
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        super().__init__(shape[:split], shape[split:])

    def _summed(self, value):
        for _ in range(self.reinterpreted_batch_ndims):
            value = value.sum(-1)
        return value

    @property
    def mean(self):
        return self.base_dist.mean

    @property
    def variance(self):
        return self.base_dist.variance

    def sample(self, sample_shape=()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        return self._summed(self.base_dist.log_prob(value))

    def entropy(self):
        return self._summed(self.base_dist.entropy())


def kl_divergence(p, q):
    if isinstance(p, Normal) and isinstance(q, Normal):
        ratio = (p.scale / q.scale).pow(2)
        return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())
    if isinstance(p, Categorical) and isinstance(q, Categorical):
        t = p.probs * (p.logits - q.logits)
        t[(q.probs == 0).expand_as(t)] = float("inf")
        t[(p.probs == 0).expand_as(t)] = 0
        return t.sum(-1)
    if isinstance(p, OneHotCategorical) and isinstance(q, OneHotCategorical):
        return kl_divergence(p._categorical, q._categorical)
    raise NotImplementedError(f"kl_divergence() of {type(p).__name__} and {type(q).__name__}")
