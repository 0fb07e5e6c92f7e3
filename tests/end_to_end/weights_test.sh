#!/usr/bin/env bash
# Checks a run that begins with the weights of another, most of them frozen: weights_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
base=$root/tests/end_to_end/recipes/digits.yaml

cat >"$work/tuned.yaml" <<YAML
extends: [$base]
name: tuned
model:
  weights: $work/digits
  freeze: ["layers.0.*", "layers.2.*"]
  init: [{match: layers.4.bias, constant: 0}]
data: {train: {rows: [150, 300]}}
YAML

printf 'extends: [%s]\ntrain: 4 epochs\n' "$base" >"$work/longer.yaml"

# weights FOLDER BEGIN END: prints a digest of some of the numbers in the last checkpoint of a run. Tensors
# lie in the order of their names there: 128 + 64·128 and 64 + 128·64 numbers of the first layers.
weights() {
  local file header
  file=$(find "$1/checkpoints" -name 'step-*' | sort | tail -n 1)/model.safetensors
  header=$((8 + $(od -An -t u8 -N 8 "$file")))
  tail -c +$((header + 1 + 4 * $2)) "$file" | head -c $((4 * ($3 - $2))) | sha256sum
}
frozen=$((128 + 64 * 128 + 64 + 128 * 64)) all=$((frozen + 10 + 64 * 10))

train "$base" "$work/digits" || fail 'the first run trains' "$(cat "$work/digits.said")"
train "$work/tuned.yaml" "$work/tuned" || fail 'the second goes on from its weights' "$(cat "$work/tuned.said")"
grep -Eq 'weights +.*/digits, step [0-9]+ \(its best\): 6 tensors' "$work/tuned.said" ||
  fail 'it says what it begins with' "$(cat "$work/tuned.said")"
grep -q 'parameters *17,226 in 6 tensors: 650 trained, 16,576 frozen' "$work/tuned.said" ||
  fail 'it says what it trains' "$(cat "$work/tuned.said")"

best=$(sed -nE 's/.*digits, step ([0-9]+) .*/\1/p' "$work/tuned.said" | sed -n 1p)
mkdir -p "$work/was/checkpoints"
cp -R "$work/digits/checkpoints/step-$(printf %08d "$best")" "$work/was/checkpoints"
expect 'what is frozen is as it was' "$(weights "$work/was" 0 $frozen)" "$(weights "$work/tuned" 0 $frozen)"
[[ $(weights "$work/was" $frozen $all) != "$(weights "$work/tuned" $frozen $all)" ]] ||
  fail 'what is not frozen is trained' layers.4
last=$(find "$work/tuned/checkpoints" -name 'step-*' | sort | tail -n 1)
! grep -aq 'layers.0' "$last/optimizer.safetensors" || fail 'what is frozen has no state in the optimizer' layers.0

# The second run may be stopped after any step. Once it has begun, the first run may go on or be moved away.
outcome "$work/tuned" >"$work/expected"
train "$work/tuned.yaml" "$work/again" --stop-after=7 || true
train "$work/longer.yaml" "$work/digits" || fail 'the first run goes on' "$(cat "$work/digits.said")"
train "$work/tuned.yaml" "$work/again" --stop-after=9 || true
mv "$work/digits" "$work/moved"
train "$work/tuned.yaml" "$work/again" || fail 'it goes on without the first run' "$(cat "$work/again.said")"
expect 'it ends as if it had not been stopped' "$(cat "$work/expected")" "$(outcome "$work/again")"

# A run is refused when its path names other weights than those it began with.
train "$work/tuned.yaml" "$work/other" --stop-after=7 && fail 'there is nothing to begin with' ''
mv "$work/moved" "$work/digits"
train "$work/tuned.yaml" "$work/other" --stop-after=7 || true
mv "$work/digits" "$work/moved"
train "$base" "$work/digits" || true
status=0
train "$work/tuned.yaml" "$work/other" || status=$?
expect 'other weights are refused' 7 $status
grep -q 'model.weights.from (the content)  run' "$work/other.said" || fail 'and named' "$(cat "$work/other.said")"

# A run may begin with a checkpoint, and with an export of each kind.
for format in safetensors torch; do
  KNEAD_ENGINE=$engine "$build/knead" export --to $format "$work/moved" "$work/moved.$format" 2>/dev/null
done
for from in "$work/was/checkpoints/step-$(printf %08d "$best")" "$work/moved.safetensors" "$work/moved.torch"; do
  sed "s|weights: .*|weights: $from|" "$work/tuned.yaml" >"$work/from.yaml"
  rm -rf "$work/from"
  train "$work/from.yaml" "$work/from" || fail "a run begins with $from" "$(cat "$work/from.said")"
  grep -q ': 6 tensors' "$work/from.said" || fail "it says so of $from" "$(cat "$work/from.said")"
done

finish 'a run begins with the weights of another'
