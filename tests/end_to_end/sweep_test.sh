#!/usr/bin/env bash
# Sweeps with the real engine: killed at random moments, cut into shards, shared by two processes, pruned, with trials
# that fail. sweep_test.sh ROOT BUILD [KILLS [SEED]]
#
# The tests kill a sweep three times; ten times are `bash tests/end_to_end/sweep_test.sh . build 10`.
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2") kills=${3:-3} seed=${4:-$(($(date +%s) % 100000))}
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
RANDOM=$seed
echo "seed $seed"
cd "$work"
cat >sweep.yaml <<EOF
extends: [$root/recipes/digits.yaml]
version: 1
name: s
train: {until: 3 epochs}
expect: []
sweep:
  over:
    optimizer.lr: [1e-4, 3e-4, 1e-3, 3e-3]
    model.args.hidden: [[32], [64, 32], [128, 64]]
    batch: [32, 64]
EOF

# sweep OUTPUT ARGUMENT…: sweeps into a folder, writes what is said to OUTPUT.said, and returns the exit code.
sweep() {
  local output=$1
  shift
  "$build/knead" sweep sweep.yaml "output=$output" "$@" >"$output.said" 2>&1
}
# lines OUTPUT: prints sweep.jsonl without times.
lines() { sed 's/,"seconds":.*//' "$1/s/sweep/sweep.jsonl"; }
# best OUTPUT: prints best.yaml without the folder that the sweep was in.
best() { sed '/^output:/d' "$1/s/sweep/best.yaml"; }
# states OUTPUT: counts the trials by state.
states() {
  grep -o '"state":"[a-z]*"' "$1/s/sweep/sweep.jsonl" | cut -d'"' -f4 | sort | uniq -c |
    awk '{ printf "%s%s %s", between, $1, $2; between = ", " }'
}
# Counts the evaluations of all trials: a trial that is trained again after its end has more.
evaluations() { cat "$1"/s/sweep/*/evaluations.jsonl | wc -l; }

sweep whole --jobs 2 || fail "a sweep ends well" "$(cat whole.said)"
expect "all trials have finished" "24 finished" "$(states whole)"
expect "each is evaluated at each of its epochs" 72 "$(evaluations whole)"

"$build/knead" runs whole >listed.said 2>&1
grep -q "^sweep s: 24 finished; best validation/loss [0-9.]* at [0-9]*; 'knead runs whole/s/sweep' lists its trials$" \
  listed.said || fail "a folder of runs lists its sweeps" "$(cat listed.said)"

# --- a trial is an ordinary run ------------------------------------------------------------------

first=$(head -n 1 whole/s/sweep/sweep.jsonl | grep -o '"id":"[0-9a-f]*"' | cut -d'"' -f4)
"$build/knead" run sweep.yaml optimizer.lr=1e-4 'model.args.hidden=[32]' batch=32 sweep=null output=alone \
  >alone.said 2>&1
expect "a trial has the bits of 'knead run'" "$(outcome alone/s)" "$(outcome "whole/s/sweep/$first")"
"$build/knead" verify "whole/s/sweep/$first" >verify.said 2>&1 || fail "a trial verifies" "$(cat verify.said)"

# --- killed --------------------------------------------------------------------------------------

for ((i = 0; i < kills; ++i)); do
  setsid "$build/knead" sweep sweep.yaml output=killed --jobs 2 >>killed.said 2>&1 &
  front=$!
  sleep "$(awk "BEGIN { print 0.1 + $RANDOM / 32768 }")"
  # The front itself, or first the engine that serves all trials, or one of the trials.
  victims=$(pgrep -s $front || true)
  for victim in $(shuf -n 1 --random-source=<(yes "$RANDOM") <<<"$victims") $front; do
    kill -9 "$victim" 2>/dev/null || true
    sleep 0.05
  done
  wait $front 2>/dev/null || true
done
sweep killed --jobs 2 || fail "a sweep goes on after kills (seed $seed)" "$(cat killed.said)"
expect "kills change no line (seed $seed)" "$(lines whole)" "$(lines killed)"
expect "kills do not change the best recipe (seed $seed)" "$(best whole)" "$(best killed)"
expect "no trial is trained after its end (seed $seed)" 72 "$(evaluations killed)"
sweep killed --jobs 2
expect "nothing is trained again" 72 "$(evaluations killed)"
grep -q "24 of them finished before" killed.said || fail "what was finished is said" "$(cat killed.said)"

# --- cut into shards -----------------------------------------------------------------------------

for shard in 1 2 3; do
  sweep "shard$shard" --shard $shard/3 --jobs 2 || fail "a shard ends well" "$(cat shard$shard.said)"
  mkdir -p merged/s
  cp -r "shard$shard/s/sweep" merged/s/
done
sweep merged
expect "three shards are the whole" "$(lines whole)" "$(lines merged)"
expect "three shards have its best recipe" "$(best whole)" "$(best merged)"
expect "merged trials are not trained again" 72 "$(evaluations merged)"

# --- shared by two processes ---------------------------------------------------------------------

sweep shared --jobs 1 &
"$build/knead" sweep sweep.yaml output=shared --jobs 1 >shared2.said 2>&1 ||
  fail "one of two sweeps" "$(cat shared2.said)"
wait $! || fail "the other of two sweeps" "$(cat shared.said)"
expect "two sweeps over a folder make it once" "$(lines whole)" "$(lines shared)"
expect "two sweeps train no trial twice" 72 "$(evaluations shared)"

# --- grown ---------------------------------------------------------------------------------------

sweep shared --jobs 2 'sweep.over.batch=[64, 16, 32]'
expect "a grown sweep trains what is new" $((72 + 36)) "$(evaluations shared)"

# --- stopped -------------------------------------------------------------------------------------

status=0
setsid "$build/knead" sweep sweep.yaml output=stopped --jobs 2 'train=40 epochs' >stopped.said 2>&1 &
front=$!
sleep 1.5
kill -TERM $front
wait $front || status=$?
expect "a signal stops a sweep" 75 $status
sweep stopped --jobs 2 'train=40 epochs' || fail "a stopped sweep goes on" "$(cat stopped.said)"
expect "a stopped sweep trains nothing twice" $((24 * 40)) "$(evaluations stopped)"

# --- pruned --------------------------------------------------------------------------------------

for jobs in 1 2 3; do
  sweep pruned$jobs --jobs $jobs 'train=9 epochs' 'sweep.prune={type: asha, reduction: 3, first: 1 epoch}' ||
    fail "a pruned sweep ends well" "$(cat pruned$jobs.said)"
  expect "who is pruned does not depend on --jobs" "$(lines pruned1)" "$(lines pruned$jobs)"
done
grep -q '"state":"pruned"' pruned1/s/sweep/sweep.jsonl || fail "some are pruned" "$(states pruned1)"

# --- failed --------------------------------------------------------------------------------------

status=0
sweep failed --jobs 2 'sweep.over={optimizer.lr: [1e-3, 1e30], optimizer.type: [sgd]}' || status=$?
expect "a trial that diverges fails the sweep" 5 $status
expect "it fails alone" "1 failed, 1 finished" "$(states failed)"
status=0
sweep next --jobs 2 'expect={metric: validation/loss, baseline: whole/s, at_most_worse: 0.001}' || status=$?
expect "trials that are worse than the best of another sweep" 4 $status
expect "the best is not" 1 "$(grep -c '"met":true' next/s/sweep/sweep.jsonl)"
status=0
sweep unmet --jobs 2 'sweep.over={optimizer.lr: [1e-3, 1e-9]}' 'expect={metric: validation/accuracy, at_least: 0.5}' ||
  status=$?
expect "an expectation that is not met" 4 $status
expect "its trial has finished" "2 finished" "$(states unmet)"
grep -q '^optimizer.lr=1e-09: expect validation/accuracy at least 0.5: [0-9.]*, [0-9.]* too low$' unmet.said ||
  fail "which one is said" "$(cat unmet.said)"

# --- seeds ---------------------------------------------------------------------------------------

# Of two seeds one is below the bound; their mean is not.
two=('train=1 epoch' 'sweep={over: {optimizer.lr: [1e-3]}, seeds: 2}')
sweep seeds "${two[@]}" || fail "a sweep with seeds" "$(cat seeds.said)"
accuracies=$(cat seeds/s/sweep/*/evaluations.jsonl | grep -o '"accuracy":[0-9.]*' | cut -d: -f2 | sort -n)
read -r low high <<<"${accuracies//$'\n'/ }"
between=$(awk "BEGIN { print ($low + $high) / 2 - ($high - $low) / 4 }")
awk "BEGIN { exit !($low < $between) }" || fail "the seeds differ" "$accuracies"
sweep seeds "${two[@]}" "expect={metric: validation/accuracy, at_least: $between}" ||
  fail "finished trials are judged by their mean" "$(cat seeds.said)"
sweep judged "${two[@]}" "expect={metric: validation/accuracy, at_least: $between}" --junit judged.xml ||
  fail "trials are judged by their mean" "$(cat judged.said)"
expect "both ways of it say the same" "$(lines seeds)" "$(lines judged)"
expect "each trial has the code of its point" 2 "$(grep -c '"code":0,.*mean of 2 seeds.*, met' judged/s/sweep/sweep.jsonl)"
expect "a case for each trial, and one for the expectation" 'tests="3" failures="0"' \
  "$(grep -o -m 1 'tests="[0-9]*" failures="[0-9]*"' judged.xml)"
status=0
sweep judged "${two[@]}" "expect={metric: validation/accuracy, at_least: $high}" || status=$?
expect "a mean that is below the bound" 4 $status

finish "$kills kills, three shards, two processes: the same $(lines whole | wc -l) trials, each once"
