"""random: the numbers that Python draws, in its order. Without a seed they follow from the recipe's."""

import math


def _sums(numbers):
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def _place_among(sums, number, last):
    """The first place whose sum is above a number, as bisect finds it; at most `last`."""
    low, high = 0, last
    while low < high:
        middle = (low + high) // 2
        if number < sums[middle]:
            high = middle
        else:
            low = middle + 1
    return low


class Random:
    def __init__(self, x=None):
        self.seed(x)

    def seed(self, a=None, version=2):
        if a is not None and not isinstance(a, int):
            raise NotImplementedError("the seed of random is a whole number here")
        self._state = _twister_start(a)
        self.gauss_next = None

    def random(self):
        return _twister_float(self._state)

    def getrandbits(self, k):
        return _twister_bits(self._state, k)

    def _randbelow(self, n):
        bits = 0
        while n >> bits:
            bits += 1
        drawn = self.getrandbits(bits)
        while drawn >= n:
            drawn = self.getrandbits(bits)
        return drawn

    def randrange(self, start, stop=None, step=1):
        if stop is None:
            start, stop = 0, start
        if step == 0:
            raise ValueError("zero step for randrange()")
        among = range(start, stop, step)
        if len(among) == 0:
            raise ValueError("empty range for randrange()")
        return among[self._randbelow(len(among))]

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def choice(self, seq):
        if len(seq) == 0:
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self._randbelow(len(seq))]

    def shuffle(self, x):
        for last in range(len(x) - 1, 0, -1):
            place = self._randbelow(last + 1)
            x[last], x[place] = x[place], x[last]

    def sample(self, population, k):
        if isinstance(population, (set, dict)):
            raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
        count = len(population)
        if not 0 <= k <= count:
            raise ValueError("Sample larger than population or is negative")
        # Python draws from a shrinking list or anew until a place is free, whichever takes less memory.
        small = 21
        if k > 5:
            small += 4 ** math.ceil(math.log(k * 3, 4))
        if count <= small:
            pool = list(population)
            drawn = []
            for i in range(k):
                place = self._randbelow(count - i)
                drawn.append(pool[place])
                pool[place] = pool[count - i - 1]
            return drawn
        places = []
        while len(places) < k:
            place = self._randbelow(count)
            if place not in places:
                places.append(place)
        return [population[place] for place in places]

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        count = len(population)
        if cum_weights is None and weights is None:
            return [population[math.floor(self.random() * float(count))] for _ in range(k)]
        if cum_weights is not None and weights is not None:
            raise TypeError("Cannot specify both weights and cumulative weights")
        sums = _sums(weights) if cum_weights is None else list(cum_weights)
        if len(sums) != count:
            raise ValueError("The number of weights does not match the population")
        total = float(sums[-1])
        if total <= 0.0:
            raise ValueError("Total of weights must be greater than zero")
        return [population[_place_among(sums, self.random() * total, count - 1)] for _ in range(k)]

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def triangular(self, low=0.0, high=1.0, mode=None):
        drawn = self.random()
        if high == low:
            return low
        share = 0.5 if mode is None else (mode - low) / (high - low)
        if drawn > share:
            return high + (low - high) * math.sqrt((1.0 - drawn) * (1.0 - share))
        return low + (high - low) * math.sqrt(drawn * share)

    def gauss(self, mu=0.0, sigma=1.0):
        kept, self.gauss_next = self.gauss_next, None
        if kept is None or _model_runs():
            angle = self.random() * (2.0 * math.pi)
            radius = math.sqrt(-2.0 * math.log(1.0 - self.random()))
            kept, self.gauss_next = math.cos(angle) * radius, math.sin(angle) * radius
        return mu + kept * sigma

    def normalvariate(self, mu=0.0, sigma=1.0):
        scale = 4 * math.exp(-0.5) / math.sqrt(2.0)
        while True:
            first = self.random()
            second = 1.0 - self.random()
            z = scale * (first - 0.5) / second
            if z * z / 4.0 <= -math.log(second):
                return mu + z * sigma

    def lognormvariate(self, mu=0.0, sigma=1.0):
        return math.exp(self.normalvariate(mu, sigma))

    def expovariate(self, lambd=1.0):
        return -math.log(1.0 - self.random()) / lambd


_shared = Random()
seed = _shared.seed
random = _shared.random
getrandbits = _shared.getrandbits
randrange = _shared.randrange
randint = _shared.randint
choice = _shared.choice
shuffle = _shared.shuffle
sample = _shared.sample
choices = _shared.choices
uniform = _shared.uniform
triangular = _shared.triangular
gauss = _shared.gauss
normalvariate = _shared.normalvariate
lognormvariate = _shared.lognormvariate
expovariate = _shared.expovariate
