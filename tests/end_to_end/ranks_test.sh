#!/usr/bin/env bash
# Checks that several ranks train as one process does, and go on from their checkpoints: ranks_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
mkdir "$work/runs"
runs=$work/runs
short=('train=40 steps' 'track.every=5 steps' 'checkpoint.every=10 steps' 'expect=[]')

# ranks COUNT RECIPE NAME OVERRIDE…: trains with so many ranks, to the step `stop` if that is set.
ranks() {
  local count=$1 recipe=$2 name=$3 rank status=0
  shift 3
  rm -f -- "$work/rendezvous"
  touch "$work/rendezvous"
  for ((rank = count - 1; rank > 0; --rank)); do
    one_rank "$@" >"$work/said.$rank" 2>&1 &
  done
  rank=0
  one_rank "$@" >"$work/said" 2>&1 || status=$?
  wait
  return $status
}
one_rank() {
  local words=()
  ((count == 1)) || words=("--rank=$rank" "--ranks=$count" "--rendezvous=$work/rendezvous")
  "$engine" run "$recipe" ${stop:+"--stop-after=$stop"} "${words[@]}" -- "distributed=$count" "${short[@]}" "$@" \
    "output=$runs" "name=$name"
}
trains() { stop='' ranks "$@" || fail "$3 trains on $1 ranks" "$(cat "$work"/said*)"; }
stops() {
  local status=0
  ranks "$@" || status=$?
  expect "$3 stops on $1 ranks after step $stop" 75 $status
}

# numbers FILE: prints the float32 numbers of a safetensors file.
numbers() {
  local header
  header=$((8 + $(od -An -t u8 -N 8 "$1")))
  tail -c +$((header + 1)) "$1" | od -An -v -t f4 -w4
}
last_weights() { find "$runs/$1/checkpoints" -name 'step-*' | sort | sed -n '$p'; }

# expect_close NAME NAME MOST: compares the weights, losses and metrics of two runs.
expect_close() {
  local far
  far=$(paste <(numbers "$(last_weights "$1")/model.safetensors") <(numbers "$(last_weights "$2")/model.safetensors") |
    awk -v most="$3" '{ d = $1 - $2; if (d < 0) d = -d; if (d > far) far = d; ++n }
      END { if (!n) print "there are no numbers"; else if (!(far <= most)) printf "%g\n", far }')
  expect "$2 has the weights of $1, to $3" '' "$far"
  expect "$2 has the losses of $1" "$(rounded "$1")" "$(rounded "$2")"
}
# Prints the losses of a run to five digits, and its metrics.
rounded() {
  sed -E 's/.*"step":([0-9]+).*"loss":([-0-9.e]+).*/\1 \2/' "$runs/$1/metrics.jsonl" "$runs/$1/evaluations.jsonl" |
    awk '{ printf "%s %.5g\n", $1, $2 }'
  sed -nE 's/.*"(accuracy|mae)":([-0-9.e]+).*/\1 \2/p' "$runs/$1/evaluations.jsonl" | awk '{ printf "%s %.5g\n", $1, $2 }'
}

# --- any number of ranks trains alike ----------------------------------------------------------------

digits=$root/recipes/digits.yaml
trains 1 "$digits" one
for count in 2 3 4; do
  trains $count "$digits" of-$count
  expect_close one of-$count 1e-6
done
# An epoch of 100 samples ends with 4 of them, which is less than 3 ranks twice: windows need not divide.
uneven=('data.train.rows=[0, 100]' 'batch.micro=4')
trains 1 "$digits" uneven "${uneven[@]}"
trains 3 "$digits" uneven-3 "${uneven[@]}"
expect_close uneven uneven-3 2e-6
tiny=('data.train.rows=[0, 33]' 'optimizer={type: sgd, lr: 0.1}')
trains 1 "$digits" tiny "${tiny[@]}"
trains 4 "$digits" tiny-4 "${tiny[@]}"  # three ranks have no sample of each second window
expect_close tiny tiny-4 1e-6

# --- a parameter that some samples reach, and one that none reaches ---------------------------------

cat >"$work/branches.py" <<'END'
import torch
from torch import nn


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(64, 10)
        self.second = nn.Linear(64, 10)
        self.never = nn.Linear(64, 10)

    def forward(self, x):
        if bool(x.sum() > 350.0 * x.size(0) / 16):
            return self.first(x)
        return self.first(x) + self.second(x)
END
branches=("model={source: $work/branches.py, class: Branches}" 'optimizer={type: adamw, lr: 1e-3, weight_decay: 0.1}'
  'checkpoint.keep.last=9')
trains 2 "$digits" branches "${branches[@]}"
expect 'a parameter that no rank reaches stays as it was' '' "$(
  cmp <(numbers "$runs/branches/checkpoints/step-00000010/model.safetensors" | sed -n '651,1300p') \
    <(numbers "$runs/branches/checkpoints/step-00000040/model.safetensors" | sed -n '651,1300p') 2>&1)"

# --- what a run on several ranks saves ---------------------------------------------------------------

lstm=$root/recipes/digits-lstm.yaml cnn=$root/recipes/digits-cnn.yaml
dropout=("model={source: $work/dropout.py, class: Dropout}")
cat >"$work/dropout.py" <<'END'
from torch import nn


class Dropout(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(64, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 10))
END
for each in "dropout $digits ${dropout[*]}" "lstm $lstm schedule.warmup=3 steps" "cnn $cnn"; do
  read -r name recipe override <<<"$each"
  trains 2 "$recipe" "$name" ${override:+"$override"}
  for stop in 1 10 27; do
    stops 2 "$recipe" "$name-$stop" ${override:+"$override"}
    trains 2 "$recipe" "$name-$stop" ${override:+"$override"}
    expect "$name goes on from step $stop on 2 ranks as if nothing had been" "$(outcome "$runs/$name")" \
      "$(outcome "$runs/$name-$stop")"
  done
done
stop=27
stops 2 "$digits" other
trains 3 "$digits" other
expect_close one other 1e-6
grep -q '^warning: the checkpoint is of 2 ranks and the run goes on with 3: sums round differently' "$work/said" ||
  fail 'another number of ranks is said' "$(cat "$work/said")"
stops 2 "$digits" alone
trains 1 "$digits" alone
expect_close one alone 1e-6

finish 'several ranks train as one process does'
