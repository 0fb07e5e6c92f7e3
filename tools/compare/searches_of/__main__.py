"""usage: python -m searches_of PROPOSE_POINTS [--seeds N] [--only TEXT]"""

import argparse
import os
import platform
import statistics
import sys
import warnings

import numpy
import optuna

from searches_of.problems import PROBLEMS
from searches_of.searches import Knead, Optuna

BUDGETS = (60, 100)
MOST = 1.1
RESAMPLES = 2000
# What is compared: a title, knead's search, Optuna's sampler, and how many trials run at once.
PAIRS = [
    ("random", "random", lambda seed: optuna.samplers.RandomSampler(seed=seed), 1),
    (
        "sobol",
        "sobol",
        lambda seed: optuna.samplers.QMCSampler(seed=seed, scramble=True, warn_independent_sampling=False),
        1,
    ),
    ("tpe", "tpe", lambda seed: optuna.samplers.TPESampler(seed=seed), 1),
    ("tpe, 4 at once", "tpe", lambda seed: optuna.samplers.TPESampler(seed=seed), 4),
]


def regrets(search, problem, seed, at_once):
    """Returns the regret after each budget: trials end in the order in which they began."""
    noise = numpy.random.default_rng(seed)
    best, regret = float("inf"), float("nan")
    running, found = [], []
    for ended in range(max(BUDGETS)):
        while len(running) < at_once and ended + len(running) < max(BUDGETS):
            running.append(search.propose())
        trial, point = running.pop(0)
        value = problem.value(point)
        loss = value + problem.noise * noise.standard_normal()
        search.tell(trial, loss)
        if loss < best:
            best, regret = loss, value - problem.least
        if ended + 1 in BUDGETS:
            found.append(regret)
    return found


def interval(ours, theirs):
    """Returns between which values 95 % of the ratios of medians of resampled seeds lie."""
    draw = numpy.random.default_rng(0)
    medians = [
        numpy.median(draw.choice(numpy.array(values), (RESAMPLES, len(values))), axis=1) for values in (ours, theirs)
    ]
    return numpy.percentile(medians[0] / medians[1], [2.5, 97.5])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.simplefilter("ignore")  # QMCSampler is experimental
    print(f"machine    {os.cpu_count()} threads, load {os.getloadavg()[0]:.2f}")
    print(f"python     {platform.python_version()}, Optuna {optuna.__version__}")
    print(f"seeds      0 to {options.seeds - 1}; medians of the regret, lower is better\n")
    print(f"{'search':<16}{'function':<17}{'trials':>6}{'knead':>10}{'Optuna':>10}{'ratio':>7}   95 %")
    above = worse = 0
    pairs = [pair for pair in PAIRS if options.only in pair[0]]
    for title, search, sampler, at_once in pairs:
        for problem in PROBLEMS:
            with Knead(options.program, search, problem) as knead:
                ours = [regrets(knead.begin(seed), problem, seed, at_once) for seed in range(options.seeds)]
            theirs = [
                regrets(Optuna(sampler(seed), problem), problem, seed, at_once) for seed in range(options.seeds)
            ]
            for budget, ours_at, theirs_at in zip(BUDGETS, zip(*ours), zip(*theirs)):
                medians = statistics.median(ours_at), statistics.median(theirs_at)
                ratio = medians[0] / medians[1]
                low, high = interval(ours_at, theirs_at)
                above += ratio > MOST
                worse += ratio > MOST and low > MOST
                print(
                    f"{title:<16}{problem.name:<17}{budget:>6}{medians[0]:>10.4f}{medians[1]:>10.4f}{ratio:>7.2f}"
                    f"   {low:.2f} – {high:.2f}{'   ABOVE ' + str(MOST) if ratio > MOST else ''}",
                    flush=True,
                )
    lines = len(pairs) * len(PROBLEMS) * len(BUDGETS)
    print(f"\n{lines} lines: {above} above {MOST}, {worse} of them by more than the seeds explain")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
