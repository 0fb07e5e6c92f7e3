"""Searches that propose a point and are told what came of it."""

import json
import subprocess

import optuna


class Knead:
    """Asks the program propose_points, which remembers nothing: each question holds all that is known."""

    def __init__(self, program, search, problem):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.search, self.space = search, problem.space

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def begin(self, seed):
        self.seed, self.points, self.history = seed, [], []
        return self

    def propose(self):
        number = len(self.points)
        asked = {"search": self.search, "seed": self.seed, "number": number, "space": self.space,
                 "history": self.history}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        self.points.append(json.loads(self.process.stdout.readline()))
        return number, self.points[-1]

    def tell(self, number, loss):
        self.history.append({"point": self.points[number], "loss": loss, "reach": 1})


def distribution(dimension):
    if "choices" in dimension:
        return optuna.distributions.CategoricalDistribution(list(range(dimension["choices"])))
    kind = optuna.distributions.IntDistribution if dimension["integer"] else optuna.distributions.FloatDistribution
    return kind(dimension["low"], dimension["high"], log=dimension["log"])


class Optuna:
    def __init__(self, sampler, problem):
        self.study = optuna.create_study(sampler=sampler)
        self.space = {f"x{i}": distribution(dimension) for i, dimension in enumerate(problem.space)}

    def propose(self):
        trial = self.study.ask(self.space)
        return trial, [trial.params[name] for name in self.space]

    def tell(self, trial, loss):
        self.study.tell(trial, loss)
