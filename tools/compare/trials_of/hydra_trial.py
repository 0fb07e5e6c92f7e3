"""The trial of objective.py as an application of Hydra.

usage: hydra_trial.py data=FILE [lr=NUMBER] [weight_decay=NUMBER]    with --multirun: lr=NUMBER,NUMBER,…
"""
import hydra
import torch
from hydra.core.config_store import ConfigStore
from objective import data, train

ConfigStore.instance().store(name="trial", node={"data": "???", "lr": 1e-3, "weight_decay": 0.01})


@hydra.main(version_base=None, config_path=None, config_name="trial")
def main(config):
    torch.set_num_threads(1)
    return train(config.lr, config.weight_decay, *data(config.data))


main()
