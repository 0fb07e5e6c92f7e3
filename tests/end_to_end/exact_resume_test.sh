#!/usr/bin/env bash
# Checks that a run that is stopped after any step and goes on in a new process ends as if it had never been
# stopped, to the last bit: exact_resume_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
recipes=$root/tests/end_to_end/recipes
mkdir "$work/runs"
runs=$work/runs

for name in digits diabetes averaged; do
  recipe=$recipes/$name.yaml
  train "$recipe" "$runs/$name" || fail "$name trains" "$(cat "$runs/$name.said")"
  outcome "$runs/$name" >"$work/$name"
  steps=$(sed -n 's/^last step-0*//p' "$work/$name")
  [[ $steps -ge 8 ]] || fail "$name takes some steps" "$steps"

  train "$recipe" "$runs/$name-again" || true
  expect "$name trains alike twice" "$(cat "$work/$name")" "$(outcome "$runs/$name-again")"

  for ((stop = 1; stop < steps; ++stop)); do
    folder=$runs/$name-$stop
    status=0
    train "$recipe" "$folder" --stop-after=$stop || status=$?
    expect "$name stops after step $stop" 75 $status
    train "$recipe" "$folder" || fail "$name goes on from step $stop" "$(cat "$folder.said")"
    expect "$name goes on from step $stop as if nothing had been" "$(cat "$work/$name")" "$(outcome "$folder")"
    rm -rf -- "$folder"
  done
  echo "$name: stopped after each of its $((steps - 1)) steps"

  # Another run is stopped after every step.
  folder=$runs/$name-often
  for ((stop = 1; stop <= steps; ++stop)); do train "$recipe" "$folder" --stop-after=$stop || true; done
  train "$recipe" "$folder" || true
  expect "$name may be stopped after every step" "$(cat "$work/$name")" "$(outcome "$folder")"
done

finish 'a run goes on from any step as if it had never stopped'
