"""The training of recipes/digits.yaml as one would write it by hand in PyTorch, and time it: no knead in here.

usage: digits.py CSV FOLDER    prints a line of JSON: losses of the first and last step, accuracy, ms a step
"""
import csv
import json
import pathlib
import sys
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

folder = pathlib.Path(sys.argv[2])
torch.manual_seed(0)
with open(sys.argv[1], encoding="utf-8") as file:
    rows = torch.tensor([[float(cell) for cell in row] for row in csv.reader(file)])
pixels, digit = rows[:, :64] * 0.0625, rows[:, 64].long()
train = DataLoader(TensorDataset(pixels[:1500], digit[:1500]), batch_size=32, shuffle=True)
validation = DataLoader(TensorDataset(pixels[1500:], digit[1500:]), batch_size=32)

model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
loss_of = nn.CrossEntropyLoss()

losses, accuracy, steps, seconds = [], 0.0, 0, 0.0
for epoch in range(20):
    begin = time.perf_counter()
    model.train()
    for x, y in train:
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(model(x), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), float("inf"))  # knead measures the norm too
        optimizer.step()
        losses.append(loss.item())
        steps += 1
    seconds += time.perf_counter() - begin
    model.eval()
    with torch.no_grad():
        right = sum((model(x).argmax(1) == y).sum().item() for x, y in validation)
    accuracy = right / 297
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, folder / "last.pt")
print(json.dumps({"first": losses[0], "last": losses[-1], "accuracy": accuracy, "ms": 1000 * seconds / steps}))
