import torch

learning_rate = 0.01
