"""What is trained: models of this repository on random data, the same on both sides."""
import torch

from ranks_of.workloads import write

# Model file, class, arguments, samples of a step.
WORKLOADS = {
    "gpt": ("gpt.py", "GPT", {"config": {"vocab": 65, "context": 32, "layers": 4, "heads": 4, "width": 64}}, 16),
    "vit": ("vit.py", "ViT", {"image": 16, "patch": 4, "classes": 10, "width": 48, "heads": 3}, 16),
    "lstm": ("lstm.py", "LSTM", {"inputs": 8, "hidden": 48, "outputs": 10, "bidirectional": True}, 16),
    "resnet": ("resnet.py", "ResNet", {"layers": [1, 1, 1, 1], "classes": 10, "small": True}, 16),
    # 25 M parameters: 100 MB.
    "gpt-100mb": ("gpt.py", "GPT",
                  {"config": {"vocab": 512, "context": 32, "layers": 8, "heads": 8, "width": 512}}, 8),
    # 30 M parameters.
    "gpt-30m": ("gpt.py", "GPT",
                {"config": {"vocab": 512, "context": 64, "layers": 9, "heads": 8, "width": 512}}, 8),
}


def data(name):
    """Inputs and targets of 20 steps, drawn from a fixed seed."""
    generator = torch.Generator().manual_seed(7)
    _, _, arguments, batch = WORKLOADS[name]
    samples = 20 * batch
    if name.startswith("gpt"):
        config = arguments["config"]
        tokens = torch.randint(config["vocab"], (samples, config["context"] + 1), generator=generator)
        return tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous()
    shape = {"vit": (3, 16, 16), "lstm": (8, 8), "resnet": (3, 32, 32)}[name]
    return torch.randn((samples, *shape), generator=generator), torch.randint(10, (samples,), generator=generator)


def write_recipe(name, folder):
    """Writes the data and the recipe of a workload below a folder, and returns the recipe's path."""
    # Adam would amplify rounding where a gradient is nearly zero.
    more = {"optimizer": {"type": "sgd", "lr": 0.05, "momentum": 0.9}, "clip": 1.0, "train": "20 steps"}
    return write(name, WORKLOADS[name], data(name), folder, **more)
