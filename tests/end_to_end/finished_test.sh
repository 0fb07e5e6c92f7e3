#!/usr/bin/env bash
# Checks that `knead runs` and the next start judge a run's end alike, and that a damaged checkpoint does not spoil it:
# finished_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
recipe=$root/tests/end_to_end/recipes/digits.yaml

# again FOLDER OVERRIDE…: trains with overrides. Returns its exit code.
again() {
  local folder=$1 status=0
  shift
  "$engine" run "$recipe" "${options[@]}" -- "output=$(dirname "$folder")" "name=$(basename "$folder")" "$@" \
    >"$folder.said" 2>&1 || status=$?
  return $status
}
options=()
state() { "$build/knead" runs --format json "$1" | sed -n 's/.*"state": "\(.*\)",/\1/p'; }

# make_loss_huge, make_loss_tiny FOLDER STEP: changes the loss of an evaluation and keeps the number of bytes.
make_loss_huge() { sed -i -E "/\"step\":$2,/s/\"loss\":[0-9]\.[0-9]/\"loss\":99./" "$1/evaluations.jsonl"; }
make_loss_tiny() { sed -i -E "/\"step\":$2,/s/\"loss\":[0-9]\.[0-9]/\"loss\":-9./" "$1/evaluations.jsonl"; }

# --- the evaluation at an old end

early=('evaluate.every=2 steps' 'early_stopping={patience: 1 evaluations}')
run=$work/grows
again "$run" "${early[@]}" 'train=5 steps' || fail 'five steps are trained' "$(cat "$run.said")"
expect 'a run at its end is finished' finished "$(state "$run")"
expect 'and has noted that' '"step": 5,' "$(sed -n 's/^ *\("step".*\)/\1/p' "$run/end.json")"
make_loss_huge "$run" 5
again "$run" "${early[@]}" 'train=5 steps' || fail 'a finished run starts' "$(cat "$run.said")"
grep -q 'finished already, at step 5' "$run.said" || fail 'it says that it is finished' "$(cat "$run.said")"

options=(--stop-after=7)
status=0
again "$run" "${early[@]}" 'train=9 steps' || status=$?
expect 'a longer run goes on, whatever its old end was like' 75 $status
grep -q 'going on from step 5' "$run.said" || fail 'it says so' "$(cat "$run.said")"
expect 'its state is that of a run that was stopped' stopped "$(state "$run")"
options=()
again "$run" "${early[@]}" 'train=9 steps' || fail 'it goes on again' "$(cat "$run.said")"
grep -q 'going on from step 7' "$run.said" || fail 'and says so again' "$(cat "$run.said")"
expect 'then it is finished' finished "$(state "$run")"

# --- a damaged best checkpoint at the end

test_set='data.test={like: train, rows: [1500, 1600]}'
run=$work/damaged
again "$run" "$test_set" || fail 'the run trains' "$(cat "$run.said")"
make_loss_tiny "$run" 12
printf x | dd of="$run/checkpoints/step-00000012/model.safetensors" bs=1 seek=4000 conv=notrunc status=none
again "$run" "$test_set" 'export={to: safetensors, weights: best}' ||
  fail 'the end of a run with a damaged best checkpoint' "$(cat "$run.said")"
expect 'it says which checkpoint is left out, once' \
  'warning: step-00000012 is left out: model.safetensors is not as it was written: its digest is DIGEST, not DIGEST' \
  "$(grep 'left out' "$run.said" | sed -E 's/[0-9a-f]{32}/DIGEST/g')"
expect 'the test set is evaluated once, with the weights of the next one' 15 \
  "$(sed -nE 's/.*"step":([0-9]+),"set":"test".*/\1/p' "$run/evaluations.jsonl")"
again "$work/plain" 'export={to: safetensors, weights: last}' || fail 'a whole run trains' "$(cat "$work/plain.said")"
cmp "$work/plain/export/model.safetensors" "$run/export/model.safetensors" || fail 'these are exported' ''

# --- a run without its checkpoints

run=$work/gone
again "$run" 'train=5 steps' || fail 'a run trains' "$(cat "$run.said")"
cp -R -- "$run" "$work/whole"
rm -r -- "$run"/checkpoints/*
status=0
again "$run" 'train=9 steps' || status=$?
expect 'a finished run whose checkpoints are gone does not begin from scratch' 3 $status
expect 'it says so, and what to do' "knead: $run has ended at step 5, and its checkpoints are gone
     = bring them back, or begin anew with --fresh; the old run is then kept as $run.old-1" "$(cat "$run.said")"
cmp "$run/evaluations.jsonl" "$work/whole/evaluations.jsonl" || fail 'its journals are as they were' ''
cp -R -- "$work/whole/checkpoints" "$run"
again "$run" 'train=9 steps' || fail 'it goes on when they are back' "$(cat "$run.said")"
grep -q 'going on from step 5' "$run.said" || fail 'from where it was' "$(cat "$run.said")"

run=$work/unfinished
options=(--stop-after=4)
again "$run" 'train=9 steps' 'track.every=1 steps' || true
options=()
rm -r -- "$run"/checkpoints/*
again "$run" 'train=9 steps' 'track.every=1 steps' || fail 'a stopped run without checkpoints begins' "$(cat "$run.said")"
grep -qF "the run was at step 4 and its checkpoints are gone: it begins anew, and what it left is kept as $run.old-1" "$run.said" ||
  fail 'it says where the old one is' "$(cat "$run.said")"
expect 'with its journal' 4 "$(wc -l <"$run.old-1/metrics.jsonl")"

# --- why a run failed

run=$work/fails
status=0
again "$run" 'optimizer.lr=1e30' 'train=9 steps' || status=$?
expect 'a run that diverges fails' 5 $status
expect 'its state says so' failed "$(state "$run")"
why=$(sed -n 's/^knead: //p' "$run.said")
expect 'end.json says why' "$why" "$(sed -n 's/^ *"failed": "\(.*\)"$/\1/p' "$run/end.json")"
grep -qF "  knead: $why" "$run/log.txt" || fail 'and so does the log' "$(cat "$run/log.txt")"

# --- --fresh with a recipe that cannot run

run=$work/kept
again "$run" 'train=5 steps' || fail 'a run trains' "$(cat "$run.said")"
options=(--fresh)
status=0
again "$run" 'train=5 steps' 'data.train.path=nothing.csv' || status=$?
expect 'a new run without data is refused' 3 $status
[[ ! -e $run.old-1 && -e $run/end.json ]] || fail 'the old run stays where it is' "$(ls "$work")"
again "$run" 'train=5 steps' || fail 'a new run begins' "$(cat "$run.said")"
grep -qF "the old run is kept as $run.old-1" "$run.said" || fail 'and moves the old one' "$(cat "$run.said")"

finish 'the end of a run is judged alike everywhere'
