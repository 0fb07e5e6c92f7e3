"""The initialisation of models/gpt.py by Python itself, and the way to its first step: no knead in here.

usage: compile.py init MODELS THREADS CONFIG       two lines of milliseconds of processor time: the class's object, made twice
       compile.py step MODELS THREADS CONFIG CSV   one step of AdamW on 12 rows of digits, from the start of Python
CONFIG is JSON: the fields of GPTConfig.
"""
import json
import sys
import time

import torch

what, models, threads, config = sys.argv[1:5]
sys.path.insert(0, models)
torch.set_num_threads(int(threads))
from gpt import GPT, GPTConfig  # noqa: E402

if what == "init":
    for _ in range(2):
        torch.manual_seed(0)
        begin = time.process_time()
        model = GPT(GPTConfig(**json.loads(config)))
        print(f"{1e3 * (time.process_time() - begin):.3f}")
else:
    import csv

    torch.manual_seed(0)
    with open(sys.argv[5], encoding="utf-8") as file:
        rows = torch.tensor([[int(cell) for cell in row] for row in csv.reader(file)])[:1500]
    model = GPT(GPTConfig(**json.loads(config)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
    batch = rows[torch.randperm(1500)[:12]]
    logits = model(batch[:, :64])
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
