# shellcheck shell=bash disable=SC2154 # root, build, recipes, here, device: of gpu_test.sh
# Defines what the parts of gpu_test.sh use, which sources it.

# run FOLDER RECIPE OVERRIDE…: trains on the GPU, with kernels that give the same bits each time. What it says goes to
# FOLDER.said.
run() {
  local folder=$1 recipe=$2
  shift 2
  "$build/knead" run "$recipe" "output=$(dirname "$folder")" "name=$(basename "$folder")" \
    "device=$device" deterministic=true 'expect=[]' "$@" >"$folder.said" 2>&1
}

# resumes NAME RECIPE OVERRIDE…: a run that is stopped after steps 2 and 5 ends like one that is never stopped.
resumes() {
  local name=$1 recipe=$2 stop status
  shift 2
  local common=('train=7 steps' 'evaluate.every=2 steps' 'checkpoint.every=3 steps' 'track.every=1 step' "$@")
  rm -rf -- whole parts
  run "$PWD/whole" "$recipe" "${common[@]}" || { fail "$name trains" "$(tail -n 8 whole.said)" && return; }
  for stop in 2 5; do
    status=0
    "$engine" run "$recipe" "--stop-after=$stop" -- "output=$PWD" name=parts "device=$device" deterministic=true 'expect=[]' \
      "${common[@]}" >parts.said 2>&1 || status=$?
    expect "$name stops after step $stop" 75 $status
  done
  run "$PWD/parts" "$recipe" "${common[@]}" || { fail "$name goes on" "$(tail -n 8 parts.said)" && return; }
  expect "$name goes on as if nothing had been" "$(outcome whole)" "$(outcome parts)"
}

write_text() {
  for ((i = 0; i < 200; ++i)); do echo "the quick brown fox $i jumps over the lazy dog"; done >foxes.txt
  cat >text.yaml <<YAML
version: 1
name: text
model:
  source: $root/models/gpt.py
  class: GPT
  args: {config: {vocab: 38, context: 32, layers: 3, heads: 2, width: 32, dropout: 0.1}}
data:
  train: {type: text, path: foxes.txt, tokenizer: characters, context: 32, rows: [0%, 90%]}
  validation: {like: train, windows: sequential, rows: [90%, 100%]}
loss: {type: cross_entropy, target: targets}
batch: {size: 6, micro: 2}
optimizer: {type: adamw, lr: 1e-2}
train: 7 steps
evaluate: 2 steps
threads: 1
YAML
}

# close NAME BOUND RUN RUN: the losses of two runs are that close, relative to their size. Prints how close.
close() {
  local said
  said=$(python3 "$here/apart.py" "$2" "$3" "$4" 2>&1) || fail "$1: losses within $2" "$said"
  echo "$1: $said"
}

# near NAME BOUND RECIPE STEPS OVERRIDE…: the losses of so many steps on the GPU are as close to those on the CPU.
near() {
  local name=$1 bound=$2 recipe=$3 steps=$4
  shift 4
  rm -rf -- cpu gpu
  run "$PWD/gpu" "$recipe" "train=$steps steps" 'track.every=1 step' "$@" || { fail "$name trains" "$(tail -n 8 gpu.said)" && return; }
  run "$PWD/cpu" "$recipe" "train=$steps steps" 'track.every=1 step' "$@" device=cpu || fail "$name trains on the CPU" "$(tail -n 8 cpu.said)"
  close "$steps steps, $name" "$bound" cpu gpu
}
