#!/usr/bin/env bash
# Checks that ranks evaluate and predict what one process does: evaluate_ranks_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
cd "$work"

knead() { "$build/knead" "$@" 2>"$work/said"; }
# values NAME SET RANKS: prints the values of a set as `evaluate` computes them on so many ranks.
values() { knead evaluate --set "$2" --format json "$1" "distributed.ranks=$3" | tr -d ' \n'; }
# in_journal NAME SET: prints the last values of a set that the run has written, as `evaluate` prints them.
in_journal() {
  sed -n "s/.*\"set\":\"$2\",\(\"loss\":[^}]*\),\"seconds.*/\1/p" "$1/evaluations.jsonl" | tail -n 1
}
# predict NAME RANKS: writes the predictions of the test set to NAME-RANKS.npy.
predict() {
  knead predict --data test --out "$1-$2.npy" "$1" "distributed.ranks=$2" || fail "$2 ranks predict $1" "$(cat said)"
}

# Nine batches, which 2 and 4 ranks cannot share evenly.
ranks_evaluate() {
  local name=$1 recipe=$2 distributed=$3
  shift 3
  knead run "$root/recipes/$recipe.yaml" "output=$work" "name=$name" 'train=40 steps' 'evaluate=20 steps' \
    'evaluate.batch=33' 'data.validation.rows=[1500, 1600]' 'data.test={like: train, rows: [1500, 1797]}' 'expect=[]' \
    "distributed=$distributed" "$@" || fail "$name trains" "$(cat said)"
  local one
  one=$(values "$name" test 1)
  expect "$name: the test set is evaluated as one process does" "$one" \
    "{\"step\":$(sed -E 's/.*"step":([0-9]+).*/\1/' <<<"$one"),\"sets\":{\"test\":{$(in_journal "$name" test)}}}"
  predict "$name" 1
  for ranks in 2 4; do
    expect "$name: $ranks ranks evaluate as one does" "$one" "$(values "$name" test "$ranks")"
    predict "$name" "$ranks"
    cmp "$name-1.npy" "$name-$ranks.npy" || fail "$name: $ranks ranks predict what one does"
  done
}
ranks_evaluate plain digits '{ranks: 2}'
ranks_evaluate units digits '{ranks: 2, strategy: zero3, gather: bf16}' 'average={type: ema, decay: 0.9}' 'export=torchscript'
ranks_evaluate statistics digits-cnn '{ranks: 2, strategy: zero1}' 'schedule.warmup=1 steps' 'train=6 steps' 'evaluate=3 steps' 'export=safetensors'
ranks_evaluate sequence digits-lstm '{ranks: 3, strategy: zero3}' 'schedule.warmup=1 steps'

# The exported model is that of the checkpoint, whichever ranks held its parts.
knead export units --to safetensors whole.safetensors || fail 'the weights are exported' "$(cat said)"
knead export statistics --to safetensors statistics.safetensors || fail 'the weights are exported' "$(cat said)"
cmp statistics.safetensors statistics/export/model.safetensors || fail 'a run exports what the checkpoint holds'
[[ -s units/export/model.pt ]] || fail 'a run exports an archive'

# Parts of an export, with their index, are the model again.
knead export units --to safetensors parts.safetensors 'export={to: safetensors, max_shard: 20 kB}' ||
  fail 'the weights are exported in parts' "$(cat said)"
expect 'the index is named' "wrote parts.safetensors.index.json: the weights of step 40" "$(cat said)"
expect 'each part is at most that large' "$(find . -maxdepth 1 -name 'parts-*' | wc -l)" \
  "$(find . -maxdepth 1 -name 'parts-*' -size -40k | wc -l)"
knead run "$root/recipes/digits.yaml" "output=$work" name=again 'train=1 steps' 'evaluate.every=1 steps' evaluate.at_start=true evaluate.batch=33 \
  'data.validation.rows=[1500, 1797]' 'expect=[]' 'model.weights=parts.safetensors.index.json' || fail 'parts are read' "$(cat said)"
expect 'parts hold the exported weights' "$(in_journal units test)" \
  "$(sed -n '1s/.*"set":"validation",\("loss":[^}]*\),"seconds.*/\1/p' again/evaluations.jsonl)"
refused() { # refused WHAT TEXT ARGUMENT…
  local what=$1 text=$2
  shift 2
  ! knead export units "$@" || fail "$what is refused"
  expect "$what" "$text" "$(cat said)"
}
refused 'a key of training' "knead: 'export' takes no 'seed': exported weights are those of the run as it was trained
     = only keys of 'export' change what is written, such as export.max_shard" --to safetensors x.safetensors seed=1
refused 'parts of another name' "knead: 'x.bin' cannot be cut into parts, as export.max_shard asks for
     = give it a name that ends in .safetensors" --to safetensors x.bin 'export={to: safetensors, max_shard: 20 kB}'

# A launcher starts each rank as a process of its own: one of them answers.
start=(env WORLD_SIZE=2 LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 "MASTER_PORT=$((20000 + $$ % 20000))")
"${start[@]}" RANK=1 LOCAL_RANK=1 "$build/knead" evaluate --set test --format json units >other 2>other.said &
printed=$("${start[@]}" RANK=0 LOCAL_RANK=0 "$build/knead" evaluate --set test --format json units 2>said | tr -d ' \n')
wait $! || fail 'the other rank ends well' "$(cat other.said)"
expect 'ranks that a launcher starts evaluate as one does' "$(values units test 1)" "$printed"
expect 'rank 0 answers alone' '' "$(cat other other.said)"

# A rank that does not have the recipe of rank 0 is refused.
"${start[@]}" RANK=1 LOCAL_RANK=1 "$build/knead" evaluate units evaluate.batch=32 >other 2>other.said &
status=0
"${start[@]}" RANK=0 LOCAL_RANK=0 "$build/knead" evaluate units >printed 2>said || status=$?
wait $! || true
expect 'another recipe' "3 knead: rank 1 on $(uname -n) has 'batch: 32' in its recipe, and rank 0 has 'batch: 33'" \
  "$status $(head -n 1 said)"

finish 'ranks evaluate and predict what one process does'
