"""torch.distributed, as a model sees it: knead starts the ranks, and a model is one process."""


class ReduceOp:
    SUM = "sum"
    AVG = "avg"
    PRODUCT = "product"
    MIN = "min"
    MAX = "max"


def is_available():
    return True


def is_initialized():
    return False


def _no_group():
    raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")


def get_rank(group=None):
    _no_group()


def get_world_size(group=None):
    _no_group()


def barrier(group=None):
    _no_group()


def all_reduce(tensor, op=ReduceOp.SUM, group=None, async_op=False):
    _no_group()


def all_gather(tensor_list, tensor, group=None, async_op=False):
    _no_group()


def broadcast(tensor, src=None, group=None, async_op=False):
    _no_group()
