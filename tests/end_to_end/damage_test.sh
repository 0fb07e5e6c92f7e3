#!/usr/bin/env bash
# Checks that a run finds one wrong bit anywhere in the newest checkpoint and goes on from the one before:
# damage_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
recipe=$root/tests/end_to_end/recipes/digits.yaml

train "$recipe" "$work/whole" || fail 'the run trains' "$(cat "$work/whole.said")"
outcome "$work/whole" >"$work/expected"
train "$recipe" "$work/stopped" --stop-after=11 || true
newest=$work/stopped/checkpoints/step-00000011
[[ -d $newest ]] || fail 'the stop is saved' "$(ls "$work/stopped/checkpoints")"

# flip FILE BYTE: inverts the lowest bit of a byte.
flip() {
  local byte
  byte=$(od -An -tu1 -j "$2" -N 1 "$1")
  printf '%b' "\\x$(printf %02x $((byte ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

for file in "$newest"/*; do
  name=$(basename "$file")
  size=$(stat -c %s "$file")
  for place in 0 $((size / 2)) $((size - 1)); do
    rm -rf -- "$work/damaged"
    cp -R -- "$work/stopped" "$work/damaged"
    flip "$work/damaged/checkpoints/step-00000011/$name" "$place"
    status=0
    KNEAD_ENGINE=$engine "$build/knead" verify "$work/damaged" >"$work/verified" 2>&1 || status=$?
    expect "verify finds byte $place of $name" 3 $status
    train "$recipe" "$work/damaged" || fail "a run goes on past byte $place of $name" "$(cat "$work/damaged.said")"
    grep -q "$name" "$work/damaged.said" || fail "byte $place of $name is said to be wrong" "$(cat "$work/damaged.said")"
    grep -q 'going on from step 9' "$work/damaged.said" ||
      fail "the checkpoint before is used, byte $place of $name" "$(cat "$work/damaged.said")"
    expect "byte $place of $name costs two steps, and nothing else" "$(cat "$work/expected")" "$(outcome "$work/damaged")"
  done
done

finish 'a wrong bit is found, and costs a few steps'
