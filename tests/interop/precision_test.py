"""Training in bf16 and fp16 next to the same loop in PyTorch: autocast, and GradScaler with overflows on the way.

usage: precision_test.py KNEAD ROOT
"""

import csv
import importlib.util
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import torch

STEPS, BATCH, INTERVAL = 24, 32, 6
RECIPE = """
version: 1
name: short
model: {{source: {root}/models/mlp.py, args: {{inputs: 64, hidden: [128, 64], outputs: 10}}}}
data:
  train:
    type: csv
    path: {root}/recipes/data/digits.csv
    fields:
      pixels: {{columns: "0:64", scale: 0.0625}}
      digit: {{columns: 64, dtype: int64}}
  shuffle: false
loss: {{type: cross_entropy, target: digit}}
batch: {batch}
optimizer: {{type: adamw, lr: 1e-2}}
threads: 1
precision: {precision}
track: {{every: 1 step}}
train: {steps} steps
"""


def of_knead(program, root, folder, precision):
    recipe = folder / "short.yaml"
    recipe.write_text(RECIPE.format(root=root, batch=BATCH, steps=STEPS, precision=precision))
    subprocess.run([program, "run", recipe, f"output={folder}", "--fresh"], check=True, capture_output=True)
    lines = (folder / "short/metrics.jsonl").read_text().splitlines()
    reports = [json.loads(line) for line in lines]
    return [report["loss"] for report in reports], reports[-1]["skipped"]


def of_pytorch(root, dtype, first_scale):
    spec = importlib.util.spec_from_file_location("mlp", root / "models/mlp.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with open(root / "recipes/data/digits.csv") as file:
        rows = torch.tensor([[float(cell) for cell in row] for row in csv.reader(file)])
    torch.manual_seed(0)
    model = module.MLP(64, [128, 64], 10)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, fused=True)
    scaler = torch.amp.GradScaler("cpu", init_scale=first_scale, growth_interval=INTERVAL,
                                  enabled=dtype == torch.float16)
    losses, skipped = [], 0
    for begin in range(0, STEPS * BATCH, BATCH):
        batch = rows[begin : begin + BATCH]
        with torch.autocast("cpu", dtype=dtype, enabled=dtype != torch.float32):
            loss = torch.nn.functional.cross_entropy(model(batch[:, :64] * 0.0625), batch[:, 64].long())
        scaler.scale(loss).backward()
        before = scaler.get_scale()
        scaler.step(optimizer)
        scaler.update()
        skipped += scaler.get_scale() < before
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses, skipped


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    torch.set_num_threads(1)
    scaler = f"{{compute: fp16, scaler: {{init: {2.0**30}, interval: {INTERVAL}}}}}"
    for name, dtype, precision in [("fp32", torch.float32, "fp32"), ("bf16", torch.bfloat16, "bf16"),
                                   ("fp16", torch.float16, scaler)]:
        with tempfile.TemporaryDirectory() as folder:
            ours, our_skipped = of_knead(program, root, pathlib.Path(folder), precision)
        theirs, their_skipped = of_pytorch(root, dtype, 2.0**30)
        assert len(ours) == len(theirs) == STEPS
        # The same casts, kernels and updates; only the 32 losses of a batch are added in another order.
        worst = max(abs(a - b) / abs(b) for a, b in zip(ours, theirs))
        assert worst < 1e-6 and not any(map(math.isnan, ours)), (name, ours, theirs)
        assert our_skipped == their_skipped, (name, our_skipped, their_skipped)
        assert name != "fp16" or our_skipped > 3, "no overflow on the way: nothing is tested"
        print(f"{name}: {STEPS} losses within {worst:.1e}, {our_skipped} steps left out")


main()
