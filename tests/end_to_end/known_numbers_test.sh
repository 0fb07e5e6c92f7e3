#!/usr/bin/env bash
# Checks short runs against numbers that are known by arithmetic or from the documentation and tests of Accelerate:
# known_numbers_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
source "$root/tests/launch/waiting_engine.sh"
engine=$ask_engine
cd "$work"

cat >models.py <<'PYTHON'
import torch
from torch import nn


class Line(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return self.weight * x


class Root(nn.Module):
    """Of 0 the root is finite, and its gradient is not."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return torch.sqrt(self.weight * self.weight * x)


class Tokens(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(1, 2, bias=False)

    def forward(self, ids):
        return self.linear(ids.unsqueeze(-1))
PYTHON

# line_of LAST: writes the points (x, 2x) for x = 1 … LAST to line.csv.
line_of() { seq "$1" | awk '{ print $1 "," 2 * $1 }' >line.csv; }
cat >line.yaml <<'YAML'
version: 1
name: run
model: {source: models.py, class: Line}
data:
  train: {type: csv, path: line.csv, fields: {x: 0, y: 1}}
  shuffle: false
loss: {type: mse, target: y}
batch: 8
optimizer: {type: sgd, lr: 0.02}
train: 1 step
track: {every: 1 step}
threads: 1
YAML

# trained RECIPE OVERRIDE…: trains in an empty folder run/.
trained() {
  rm -rf run
  "$engine" run "$1" -- "output=$work" "${@:2}" >said 2>&1 || fail "$* trains" "$(cat said)"
}

# weights [STEP]: prints the weights of a step's checkpoint, or of the last one if no step is named.
weights() {
  python3 - "run/checkpoints/step-${1:-*}" <<'PYTHON'
import glob, json, struct, sys
data = open(sorted(glob.glob(sys.argv[1]))[-1] + "/model.safetensors", "rb").read()
size = int.from_bytes(data[:8], "little")
print(*(f"{number:.4f}" for number, in struct.iter_unpack("<f", data[8 + size:])))
PYTHON
}

# each KEY: prints the number of a key from each line of metrics.jsonl.
each() { sed -n "s/.*\"$1\":\([-+.0-9e]*\).*/\1/p" run/metrics.jsonl | paste -sd ' '; }

# --- one update -----------------------------------------------------------------------------------

line_of 8
for micro in 1 2 4 8; do
  trained line.yaml "batch={size: 8, micro: $micro}"
  expect "w after one step of y = 2x, $micro at once" 2.0400 "$(weights)"
done

# Sequences of 1 … N tokens are filled up with -100. Each token counts alike, whichever sequence holds it.
cat >tokens.yaml <<'YAML'
extends: [line.yaml]
model: {class: Tokens}
loss: {type: cross_entropy, target: labels, class_dim: last}
optimizer: {lr: 0.08}
YAML
for count in 8 16; do
  for ((i = 1; i <= count; ++i)); do
    awk -v i="$i" -v n="$count" 'BEGIN {
      for (k = 1; k <= n; ++k) printf "%d,", k <= i ? k : -100
      for (k = 1; k <= n; ++k) printf "%d%s", k <= i ? k % 2 : -100, k < n ? "," : "\n"
    }'
  done >tokens.csv
  fields="{ids: \"0:$count\", labels: {columns: \"$count:$((2 * count))\", dtype: int64}}"
  for micro in 1 2 4 $count; do
    trained tokens.yaml "data.train={type: csv, path: tokens.csv, fields: $fields}" "batch={size: $count, micro: $micro}"
    wanted='0.0953 0.4337'
    [[ $count == 8 ]] || wanted='0.2117 0.3172'
    expect "weights after one step of $count sequences, $micro at once" "$wanted" "$(weights)"
  done
done

# --- windows --------------------------------------------------------------------------------------

line_of 10
trained line.yaml 'batch={size: 4, micro: 2}' 'train=1 epoch' optimizer.lr=1e-3
expect 'five micro-batches, two to an update' '1 2 3 of 4 8 10' "$(each step) of $(each samples)"

# With a weight that stays 0 the loss of a sample is (2x)²: the mean shows that each sample counts once.
while read -r count batch; do
  line_of "$count"
  trained line.yaml "batch=$batch" 'train=2 epochs' optimizer.lr=1e-30 data.shuffle=true 'track.every=1 epoch'
  mean=$(awk -v n="$count" 'BEGIN { print 4 * (n + 1) * (2 * n + 1) / 6 }')
  expect "$count samples, $batch at once, two epochs: the loss of each" "$mean $mean" \
    "$(each loss | awk '{ printf "%.6g %.6g", $1, $2 }')"
  expect "$count samples, $batch at once, two epochs: how many" "$count $((2 * count))" "$(each samples)"
done <<'SIZES'
22 4
99 16
512 16
17 1
17 2
17 4
17 8
SIZES

for count in 22 99 17; do
  line_of "$count"
  trained line.yaml train='4 steps' optimizer.lr=1e-5 'evaluate.batch=4' 'data.validation={like: train}' \
    data.shuffle=true
  "$build/knead" predict --data validation --out out.csv run 2>said || fail 'predicts' "$(cat said)"
  expect "$count samples, 4 at once: each once, in order" "$(seq "$count")" \
    "$(sed 1d out.csv | awk -F, 'NR == 1 { one = $1 } { printf "%.0f\n", $1 / one }')"
done

# --- learning rates -------------------------------------------------------------------------------

line_of 8
trained line.yaml 'optimizer={type: adamw, lr: 1e-3}' 'train=12 epochs' 'schedule={type: polynomial, power: 0.65}'
expect 'learning rates are those of the formula, to the last bit' True \
  "$(each lr | python3 -c 'print([float(x) for x in input().split()] == [1e-3 * (1 - s / 12) ** 0.65 for s in range(12)])')"
trained line.yaml 'optimizer={type: adamw, lr: 1}' 'train=10 steps' schedule=linear
expect 'a factor of 1 - n/10' '1 0.9 0.8 0.7' "$(each lr | awk '{ print $1 + 0, $2, $3 + 0, $4 + 0 }')"

# --- evaluations and checkpoints ------------------------------------------------------------------

line_of 80
trained line.yaml 'train=2 epochs' optimizer.lr=1e-5 data.shuffle=true
plain=$(weights)
trained line.yaml 'train=2 epochs' optimizer.lr=1e-5 data.shuffle=true 'data.validation={like: train}' \
  'evaluate=3 steps'
expect 'evaluations inside an epoch change nothing' "$plain" "$(weights)"

trained line.yaml 'train=11 steps' 'checkpoint={every: 1 step, keep: {last: 2}, async: false}'
expect 'two of eleven checkpoints are kept' 'step-00000010 step-00000011' "$(ls run/checkpoints | paste -sd ' ')"

# --- gradients that are not finite ----------------------------------------------------------------

printf '4,1\n0,1\n0,1\n4,1\n' >line.csv
for precision in 'precision=fp32' 'precision={compute: fp16}'; do
  trained line.yaml model.class=Root batch=1 'train=4 steps' 'non_finite={action: skip}' "$precision" \
    'checkpoint={every: 1 step, keep: {last: 4}, async: false}'
  expect "$precision: steps with a gradient of NaN are skipped" '0 1 2 2' "$(each skipped)"
  before=1.0000 skipped=()
  for step in 1 2 3 4; do
    now=$(weights "0000000$step")
    if [[ $now == "$before" ]]; then skipped+=(T); else skipped+=(F); fi
    before=$now
  done
  expect "$precision: and change no weight" 'F T T F' "${skipped[*]}"
done
expect 'each halves the scale' 16384.0 \
  "$(python3 -c 'import json; print(float(json.load(open("run/checkpoints/step-00000004/state.json"))["progress"]["loss_scale"]))')"

finish 'runs end with the numbers that are known'
