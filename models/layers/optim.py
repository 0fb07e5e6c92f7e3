"""Optimizers that a model makes for itself. The recipe's optimizer trains it, so they do nothing."""


class Optimizer:
    def __init__(self, params, *args, **kwargs):
        self.defaults = dict(kwargs)
        groups = list(params)
        if not groups or not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        self.param_groups = [{**self.defaults, **group} for group in groups]
        print(f"{type(self).__name__} in the model is not used: the recipe's optimizer trains it")

    def zero_grad(self, set_to_none=True):
        pass

    def step(self, closure=None):
        raise NotImplementedError("the recipe's optimizer trains the model")


class Adadelta(Optimizer):
    pass


class Adagrad(Optimizer):
    pass


class Adam(Optimizer):
    pass


class AdamW(Optimizer):
    pass


class Adamax(Optimizer):
    pass


class NAdam(Optimizer):
    pass


class RAdam(Optimizer):
    pass


class RMSprop(Optimizer):
    pass


class SGD(Optimizer):
    pass
