"""The first 20 losses of the character GPT next to a loop in PyTorch, with the same weights and batches, to 1e-5.

usage: gpt_test.py KNEAD ROOT
"""

import importlib.util
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import torch

torch.set_num_threads(1)

STEPS, BATCH, CONTEXT, WIDTH, HEADS, LAYERS = 20, 12, 64, 128, 4, 4


class Plain(torch.nn.Module):
    """A GPT written by hand, of matrices and softmax; its parameters have the names of models/gpt.py."""

    def __init__(self, vocab):
        super().__init__()
        weight = {"token.weight": (vocab, WIDTH), "position.weight": (CONTEXT, WIDTH), "norm.weight": (WIDTH,)}
        for i in range(LAYERS):
            weight |= {f"blocks.{i}.attention_norm.weight": (WIDTH,),
                       f"blocks.{i}.attention.qkv.weight": (3 * WIDTH, WIDTH),
                       f"blocks.{i}.attention.out.weight": (WIDTH, WIDTH),
                       f"blocks.{i}.feed_forward_norm.weight": (WIDTH,),
                       f"blocks.{i}.feed_forward.wide.weight": (4 * WIDTH, WIDTH),
                       f"blocks.{i}.feed_forward.out.weight": (WIDTH, 4 * WIDTH)}
        self.weight = {name: torch.nn.Parameter(torch.ones(shape) if len(shape) == 1 else 0.03 * torch.randn(shape))
                       for name, shape in weight.items()}

    def parameters(self):
        return self.weight.values()

    def state(self):
        return {**{name: each.detach().clone() for name, each in self.weight.items()},
                "head.weight": self.weight["token.weight"].detach().clone()}

    @staticmethod
    def normed(x, weight):
        centred = x - x.mean(-1, keepdim=True)
        return centred * torch.rsqrt(centred.square().mean(-1, keepdim=True) + 1e-5) * weight

    def forward(self, tokens):
        w = self.weight
        x = w["token.weight"][tokens] + w["position.weight"]
        future = torch.ones(CONTEXT, CONTEXT, dtype=torch.bool).triu(1)
        for i in range(LAYERS):
            block = f"blocks.{i}."
            qkv = self.normed(x, w[block + "attention_norm.weight"]) @ w[block + "attention.qkv.weight"].T
            q, k, v = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in qkv.chunk(3, -1))
            scores = (q @ k.mT / math.sqrt(WIDTH // HEADS)).masked_fill(future, -math.inf)
            mixed = (scores.softmax(-1) @ v).transpose(1, 2).flatten(2)
            x = x + mixed @ w[block + "attention.out.weight"].T
            wide = self.normed(x, w[block + "feed_forward_norm.weight"]) @ w[block + "feed_forward.wide.weight"].T
            gelu = wide * 0.5 * (1 + torch.erf(wide / math.sqrt(2)))
            x = x + gelu @ w[block + "feed_forward.out.weight"].T
        return self.normed(x, w["norm.weight"]) @ w["token.weight"].T


def losses_of_pytorch(model, ids):
    matrices = [each for each in model.parameters() if each.dim() >= 2]
    others = [each for each in model.parameters() if each.dim() < 2]
    optimizer = torch.optim.AdamW([{"params": matrices}, {"params": others, "weight_decay": 0.0}],
                                  lr=1e-3, betas=(0.9, 0.99), weight_decay=0.1)
    losses = []
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * (step + 1) / 100
        windows = [ids[CONTEXT * i:CONTEXT * i + CONTEXT + 1] for i in range(BATCH * step, BATCH * (step + 1))]
        batch = torch.stack(windows)
        logits = model.forward(batch[:, :-1])
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(model.parameters()), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses


def losses_of_knead(program, root, folder, vocab, *more):
    subprocess.run([program, "run", root / "recipes/gpt.yaml", f"output={folder}", "data.train.url=null",
                    "data.train.sha256=null", f"data.train.path={folder}/text.txt", "data.train.windows=sequential",
                    "data.shuffle=false", "data.validation=null", "evaluate=null", "expect=null", "track.every=1 step",
                    f"train={STEPS} steps", "schedule.over=2000 steps", f"model.args.config.vocab={vocab}", "threads=1",
                    "--fresh", *more], check=True, capture_output=True)
    return [json.loads(line)["loss"] for line in (folder / "gpt/metrics.jsonl").read_text().splitlines()]


def expect_close(ours, theirs, what):
    farthest = max(abs(a - b) for a, b in zip(ours, theirs, strict=True))
    print(f"{what}: {theirs[0]:.4f} to {theirs[-1]:.4f}, at most {farthest:.2e} apart")
    assert farthest <= 1e-5, (ours, theirs)


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    files = sorted([*root.glob("models/*.py"), root / "README.md", root / "CONTRIBUTING.md"])
    text = "".join(file.read_text() for file in files)
    assert len(text) > BATCH * STEPS * CONTEXT
    letters = sorted(set(text))
    ids = torch.tensor([letters.index(letter) for letter in text])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "text.txt").write_text(text)
        torch.manual_seed(1)
        plain = Plain(len(letters))
        torch.save(plain.state(), folder / "first.pt")
        ours = losses_of_knead(program, root, folder, len(letters), f"model.weights={folder}/first.pt")
        expect_close(ours, losses_of_pytorch(plain, ids), "a GPT by hand, its weights taken over")

        spec = importlib.util.spec_from_file_location("gpt", root / "models/gpt.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        torch.manual_seed(7)
        shape = dict(vocab=len(letters), context=CONTEXT, layers=LAYERS, heads=HEADS, width=WIDTH, bias=False)
        model = module.GPT(module.GPTConfig(**shape))
        ours = losses_of_knead(program, root, folder, len(letters), "seed=7")
        expect_close(ours, losses_of_pytorch(model, ids), "models/gpt.py in Python, with the same seed")


main()
