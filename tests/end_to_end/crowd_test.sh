#!/usr/bin/env bash
# Checks that runs on two ranks do not meet each other's ranks when many begin at once: crowd_test.sh ROOT BUILD [COUNT]
#
# The tests have a few; 50 are `bash tests/end_to_end/crowd_test.sh . build 50`.
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2") count=${3:-8}
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
runs=$work/runs
mkdir "$runs"

processes=()
for ((i = 0; i < count; ++i)); do
  # Each has a seed of its own: a rank of another run would be seen in the weights.
  "$build/knead" run "$root/recipes/digits.yaml" distributed=2 threads=1 'train=20 steps' "seed=$i" 'expect=[]' \
    "output=$runs" "name=run-$i" >"$work/said.$i" 2>&1 &
  processes+=($!)
done
for ((i = 0; i < count; ++i)); do
  wait "${processes[i]}" || fail "run $i of $count at once trains" "$(tail -n 3 "$work/said.$i")"
done
for ((i = 0; i < count; i += 1 + count / 8)); do
  "$build/knead" run "$root/recipes/digits.yaml" distributed=2 threads=1 'train=20 steps' "seed=$i" 'expect=[]' \
    "output=$runs" "name=alone-$i" >"$work/said" 2>&1 || fail "run $i trains alone" "$(tail -n 3 "$work/said")"
  expect "run $i has the outcome that it has alone" "$(outcome "$runs/alone-$i")" "$(outcome "$runs/run-$i")"
done
expect 'no process is left' '' "$(pgrep -f "output=$runs" || true)"

finish "$count runs on two ranks at once"
