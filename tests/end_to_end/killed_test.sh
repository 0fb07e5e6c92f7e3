#!/usr/bin/env bash
# Checks that kill -9 at any moment costs only the steps since the last save: killed_test.sh ROOT BUILD [KILLS [SEED]]
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
kills=${3:-20} seed=${4:-$RANDOM}
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
recipe=$root/tests/end_to_end/recipes/diabetes.yaml
RANDOM=$seed
echo "seed $seed"

SECONDS=0
train "$recipe" "$work/whole" || fail 'the run trains' "$(cat "$work/whole.said")"
begin=$EPOCHREALTIME
train "$recipe" "$work/timed" || true
length=$((${EPOCHREALTIME/./} - ${begin/./})) # microseconds, the start included
outcome "$work/whole" >"$work/expected"

killed=0
for ((i = 1; i <= kills; ++i)); do
  folder=$work/run-$i
  deaths=0
  # Kills the run up to four times, also while it recovers, unless it ends before.
  while ((deaths < 4)); do
    "$engine" run "$recipe" -- "output=$work" "name=run-$i" >"$folder.said" 2>&1 &
    victim=$!
    instant=$((RANDOM * 32768 + RANDOM))
    sleep "$(printf '0.%06d' $((instant % (length < 900000 ? length : 900000))))"
    kill -KILL $victim 2>/dev/null || true
    status=0
    wait $victim 2>/dev/null || status=$?
    if ((status != 137)); then
      length=$((length * 3 / 4 + 1)) # the run ended before the kill: the machine was busier when `length` was measured
      break
    fi
    deaths=$((deaths + 1)) killed=$((killed + 1))
  done
  train "$recipe" "$folder" || fail "run $i is finished" "$(cat "$folder.said")"
  expect "run $i, killed $deaths times, ends like the others" "$(cat "$work/expected")" "$(outcome "$folder")"
  expect "run $i leaves nothing half-made" '' "$(find "$folder/checkpoints" -name '.tmp-*' -o -name 'bad-*')"
  rm -rf -- "$folder"
done
echo "$kills runs, killed $killed times"
((killed >= kills)) || fail 'the runs are killed before they end' "$killed"

# A run that reaches its time limit saves and says so; the next start has the whole limit again.
for ((i = 1; i <= 2; ++i)); do
  status=0
  "$build/knead" run "$recipe" "output=$work" name=limited 'train.until=1000000000 steps' 'train.time_limit=4 s' \
    'checkpoint.every=1 h' >"$work/said" 2>&1 || status=$?
  expect "a time limit can be resumed, start $i" 75 "$status"
  steps[i]=$(sed -n 's/^stopped by the time limit after step \([0-9]*\), which is saved;.*/\1/p' "$work/said")
  [[ -d $work/limited/checkpoints/$(printf 'step-%08d' "${steps[i]}") ]] || fail 'the last step is saved' "$(cat "$work/said")"
done
((steps[2] > steps[1])) || fail 'the second start goes on' "${steps[*]}"

finish 'what was killed goes on as if nothing had been'
