#!/usr/bin/env bash
# Checks zero3 where a unit of a model could lack its parameters: units_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
runs=$work/runs
mkdir "$runs"
cd "$work"

# start NAME DISTRIBUTED OVERRIDE…: trains, writes what is said to NAME.said, and returns the exit code.
start() {
  local name=$1 distributed=$2
  shift 2
  "$build/knead" run "$root/recipes/digits.yaml" 'train=20 steps' 'track.every=5 steps' 'expect=[]' \
    "distributed={timeout: 20 s, $distributed}" "$@" "output=$runs" "name=$name" >"$work/$name.said" 2>&1
}
# losses NAME: prints the losses of a run to five digits.
losses() {
  sed -nE 's/.*"loss":([-0-9.e]+).*/\1/p' "$runs/$1/metrics.jsonl" "$runs/$1/evaluations.jsonl" | awk '{ printf "%.5g\n", $1 }'
}
# same WHAT DISTRIBUTED OVERRIDE…: expects the losses of one process.
same() {
  local what=$1 distributed=$2
  shift 2
  rm -rf -- "$runs/one" "$runs/many"
  start one 'ranks: 1' "$@" || fail "$what: one process trains" "$(cat one.said)"
  start many "$distributed" "$@" || fail "$what: ranks train" "$(cat many.said)"
  expect "$what: $distributed has the losses of one process" "$(losses one)" "$(losses many)"
}

# Writes model NAME, whose blocks take a list and add to it, or whose forward reads the weight of a block.
write_model() {
  cat >"$1.py" <<'TEXT'
from typing import List, Tuple

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(64, 64)

    def forward(self, seen: List[torch.Tensor]) -> Tuple[torch.Tensor, List[torch.Tensor]]:
        y = torch.relu(self.linear(seen[-1]))
        seen.append(y)
        return y, seen


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(), Block()])
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        seen = [x]
        for block in self.blocks:
            x, seen = block(seen)
TEXT
  echo "        return self.head($2)" >>"$1.py"
}
write_model lists 'x + seen[0]'
write_model reads 'x) + self.blocks[0].linear.weight.sum('

same 'a list that units change' 'ranks: 3, strategy: zero3' "model={source: $work/lists.py, class: Net}"
same 'ranks without a micro-batch' 'ranks: 4, strategy: zero3' 'batch={size: 15, micro: 3}'
same 'fewer samples than ranks at the end of an epoch' 'ranks: 4, strategy: zero3, replicas: 2' 'batch=16' \
  'data.train.rows=[0, 82]' 'data.validation.rows=[1500, 1797]'
same 'a bucket smaller than a tensor' 'ranks: 2, strategy: zero3, bucket: 1 kB' \
  'activation_checkpointing=["layers.*"]'

start reads 'ranks: 2, strategy: zero3' "model={source: $work/reads.py, class: Net}" && fail 'weights of a unit are not read' \
  "$(cat reads.said)"
expect 'code that reads the weights of a unit is refused at its line' \
  "reads.py:28:31: error: distributed.strategy zero3: 'weight' is used here without a call of the unit that holds it, whose weights are not gathered then [unit-not-called]
   28 |         return self.head(x) + self.blocks[0].linear.weight.sum()
      |                               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
      = take zero2, or name other modules in distributed.units" "$(grep -A3 '^reads.py' reads.said)"

# A run ends with the weights of its best step, evaluated on the test set and exported.
ends() {
  rm -rf -- "${runs:?}/$1"
  start "$1" "$2" 'data.test={like: train, rows: [1500, 1797]}' 'export={to: [safetensors, torchscript]}' || fail "$1 ends" "$(cat "$1.said")"
  sed -nE 's/^ *(.*test .*)$/\1/p' "$1.said"
  (cd "$runs/$1/export" && find . -type f -printf '%f %s\n' | sort)
}
expect 'a run under zero3 ends as one of one process' "$(ends one 'ranks: 1')" "$(ends many 'ranks: 3, strategy: zero3')"

start none 'ranks: 2, strategy: zero3, units: ["blocks.*"]' && fail 'units that are not there are refused' "$(cat none.said)"
expect 'a pattern that fits no module is refused' "knead: distributed.units.0: 'blocks.*' fits no module
     = there is 'layers', 'layers.0', 'layers.1', 'layers.2' …; knead plan lists them all" "$(grep -A1 '^knead' none.said)"

finish 'units have their parameters where they compute, and code that would lack them is refused'
