#!/usr/bin/env bash
# Checks that a run of every optimizer, schedule, average, sampler and precision goes on in new processes as if it had
# never been stopped, to the last bit: resume_kinds_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
source "$root/tests/launch/waiting_engine.sh"
engine=$ask_engine
recipes=$root/tests/end_to_end/recipes
steps=7
mkdir "$work/runs"
for ((i = 0; i < 40; ++i)); do echo "the quick brown fox $i jumps over the lazy dog"; done >"$work/foxes.txt"

cat >"$work/text.yaml" <<YAML
version: 1
name: text
model:
  source: $root/models/gpt.py
  class: GPT
  args: {config: {vocab: 38, context: 8, layers: 1, heads: 2, width: 8, dropout: 0.1}}
data:
  train: {type: text, path: foxes.txt, tokenizer: characters, context: 8, rows: [0%, 90%]}
  validation: {like: train, windows: sequential, rows: [90%, 100%]}
loss: {type: cross_entropy, target: targets}
batch: {size: 6, micro: 2}
optimizer: {type: adamw, lr: 1e-2}
train: 7 steps
evaluate: 2 steps
track: {every: 2 steps}
threads: 1
YAML

number=0
# tries NAME STOPS RECIPE OVERRIDE…: checks that a run that is stopped after each of these steps and goes on in a new
# process ends like one that is never stopped.
tries() {
  local name=$1 stops=$2 recipe=$3 stop status
  shift 3
  local common=("train=$steps steps" 'evaluate.every=2 steps' 'checkpoint.every=3 steps' "$@")
  train_with "$runs/whole" || fail "$name trains" "$(cat "$runs/whole.said")"
  outcome "$runs/whole" >"$work/whole"
  expect "$name: takes all steps" "$steps" "$(sed -n 's/^last step-0*//p' "$work/whole")"
  for stop in $stops; do
    status=0
    train_with "$runs/parts" "--stop-after=$stop" || status=$?
    expect "$name: stops after step $stop" 75 $status
  done
  train_with "$runs/parts" || fail "$name: goes on from step $stop" "$(cat "$runs/parts.said")"
  expect "$name: stopped after $stops, as if nothing had been" "$(cat "$work/whole")" "$(outcome "$runs/parts")"
  tail -n 1 "$runs/whole/metrics.jsonl" >"$work/last"
  rm -rf -- "$runs/whole" "$runs/parts"
  number=$((number + 1))
}

# train_with FOLDER OPTION…: trains the recipe of `tries` with its overrides. Returns the exit code.
train_with() {
  local folder=$1 status=0
  shift
  "$engine" run "$recipe" "$@" -- "output=$runs" "name=$(basename "$folder")" "${common[@]}" \
    >"$folder.said" 2>&1 || status=$?
  return $status
}

# everywhere: prints two steps to stop after, which change from one kind to the next.
everywhere() { echo "$((number % 3 + 1)) $((number % 3 + 4))"; }
runs=$work/runs

while read -r optimizer; do
  tries "optimizer $optimizer" "$(everywhere)" "$recipes/diabetes.yaml" "optimizer={lr: 0.01, type: $optimizer}"
done <<'KINDS'
adamw, amsgrad: true
adam
sgd, momentum: 0.9, dampening: 0.1
adagrad
rmsprop, centered: true, momentum: 0.9
nadam
radam
adamax
adadelta
lion
lamb
adafactor
muon, groups: [{ndim_below: 2, adamw: {}}]
adamw, groups: [{ndim_below: 2, weight_decay: 0}, {match: 'hidden.*', lr_scale: 3}]
KINDS

while read -r schedule; do
  tries "schedule $schedule" "$(everywhere)" "$recipes/diabetes.yaml" 'schedule={type: constant}' "schedule=$schedule"
done <<'KINDS'
constant
linear
cosine
{type: polynomial, power: 2}
{type: exponential, gamma: 0.5}
{type: step, every: 2 steps, gamma: 0.5}
{type: multistep, milestones: [2 steps, 50%]}
{type: inverse_sqrt, warmup: 3 steps}
one_cycle
{type: wsd, warmup: 2 steps}
{type: plateau, patience: 1 evaluations, gamma: 0.5}
{type: phases, phases: [{shape: linear, for: 3 steps, from: 0, to: 1}, {shape: sqrt, to: 0}]}
KINDS

for average in '{type: ema, decay: 0.5}' '{type: ema, decay: 0.9, every: 2 steps, start: 3 steps}' \
  '{type: swa, every: 2 steps, start: 50%}'; do
  tries "average $average" "$(everywhere)" "$recipes/diabetes.yaml" "average=$average"
done

for data in data.shuffle=true data.shuffle=false data.drop_last=true 'data.sampler={balanced: digit}' \
  'data.sampler={weights: digit}' data.workers=0; do
  tries "$data" "$(everywhere)" "$recipes/digits.yaml" "$data"
done
tries 'windows in order' "$(everywhere)" "$work/text.yaml"
tries 'random windows' "$(everywhere)" "$work/text.yaml" data.train.windows=random

for precision in fp32 bf16 '{compute: fp16, scaler: {interval: 2}}' \
  '{compute: fp16, scaler: {init: 8388608, interval: 3}}'; do
  tries "precision $precision" '1 2 3 4 5 6' "$recipes/digits.yaml" "precision=$precision"
done
skipped=$(sed -n 's/.*"skipped":\([0-9]*\).*/\1/p' "$work/last")
((skipped > 0 && skipped < steps)) || fail 'some steps overflow, and not all' "$skipped"

tries 'the state on a disk' '1 2 3' "$recipes/digits.yaml" 'model.args.hidden=[512]' \
  "distributed.offload={path: $work/scratch}"
mv "$work/whole" "$work/on_a_disk"
tries 'the state in memory' '1 2 3' "$recipes/digits.yaml" 'model.args.hidden=[512]'
expect 'the place of the state changes no number' "$(cat "$work/whole")" "$(cat "$work/on_a_disk")"
expect 'nothing stays on the disk' '' "$(ls -A "$work/scratch")"

finish "$number kinds of runs go on from where they were stopped"
