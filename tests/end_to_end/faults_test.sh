#!/usr/bin/env bash
# Ends ranks, or their launcher, at random moments of a run, and checks what is said and left, and that the run goes on
# from there as if nothing had been: faults_test.sh ROOT BUILD [COUNT [SEED [SIGNALS [RANKS]]]]
#
# The tests have a few faults; 300 are `bash tests/end_to_end/faults_test.sh . build 300`, and 200 kills of two ranks
# `bash tests/end_to_end/faults_test.sh . build 200 1 KILL 2`.
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2") count=${3:-8} seed=${4:-$(($(date +%s) % 100000))}
read -ra kinds <<<"${5:-KILL KILL SEGV ABRT STOP}"
read -ra counts_of_ranks <<<"${6:-2 3 4}"
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
runs=$work/runs
mkdir "$runs"
RANDOM=$seed
echo "seed $seed"

# run_ranks COUNT NAME: trains, writes what is said to NAME.said, and returns the exit code.
run_ranks() {
  "$build/knead" run "$root/recipes/digits.yaml" "distributed={ranks: $1, timeout: 8 s}" 'train=3000 steps' \
    'track.every=100 steps' 'evaluate.every=150 steps' 'checkpoint.every=40 steps' 'expect=[]' \
    "output=$runs" "name=$2" >"$work/$2.said" 2>&1
}
now() { date +%s%N; }
milliseconds_since() { echo $((($(now) - $1) / 1000000)); }
# Prints the processes of a run that are there: ranks have its name among their arguments.
left() { pgrep -f "name=$1\$" || true; }
# Waits until nothing of a run is left, at most so many milliseconds.
gone() {
  local begin
  begin=$(now)
  while [[ $(left "$1") ]]; do
    (($(milliseconds_since "$begin") < $2)) || return 1
    sleep 0.05
  done
}

declare -A reference duration
for ranks in "${counts_of_ranks[@]}"; do
  begin=$(now)
  run_ranks "$ranks" "whole-$ranks" || fail "$ranks ranks train" "$(cat "$work/whole-$ranks.said")"
  duration[$ranks]=$(milliseconds_since "$begin")
  reference[$ranks]=$(outcome "$runs/whole-$ranks")
done
before=$(find /dev/shm -mindepth 1 | sort)

ended=0
for ((i = 0; i < count; ++i)); do
  ranks=${counts_of_ranks[RANDOM % ${#counts_of_ranks[@]}]} name=fault-$i
  kind=${kinds[RANDOM % ${#kinds[@]}]} victim=$((RANDOM % (ranks + 1) - 1))
  delay=$((RANDOM % (duration[$ranks] + 1)))
  ((victim >= 0)) || kind=KILL # the launcher
  what="seed $seed, fault $i: SIG$kind of rank $victim of $ranks after $delay ms"
  run_ranks "$ranks" $name &
  runner=$!
  sleep "$(awk "BEGIN { print $delay / 1000 }")"
  if ((victim < 0)); then
    process=$(pgrep -P $runner -x knead || echo $runner)
  else
    process=$(pgrep -f -- "--rank=$victim .*name=$name\$" || true)
  fi
  begin=$(now) status=0
  [[ -z $process ]] || kill -s "$kind" "$process" 2>/dev/null || true
  wait $runner || status=$?
  # A signal needs a step to take effect, a hang the timeout of 8 s; then the others have 3 s to end by themselves.
  (($(milliseconds_since "$begin") < 30000)) || fail "$what: the run ends in 30 s" "$(cat "$work/$name.said")"
  gone $name 2000 || fail "$what: no process is left" "$(left $name)"
  if ((status == 0)); then
    : # it had ended, or was not there yet
  elif ((victim < 0)); then
    ended=$((ended + 1))
  elif grep -q "^knead: knead-engine crashed while it read .* (SIG$kind)" "$work/$name.said"; then
    ended=$((ended + 1)) # so early that a file may be to blame
    expect "$what: the exit code" 3 $status
  else
    ended=$((ended + 1))
    expect "$what: the exit code" 6 $status
    if [[ $kind == STOP ]]; then
      grep -Eq "^knead: rank [0-9] has waited 8 s|^knead: rank $victim hung|had to be killed" "$work/$name.said" ||
        fail "$what: a hang is said" "$(cat "$work/$name.said")"
    else
      grep -q "^knead: rank $victim was ended by SIG$kind" "$work/$name.said" ||
        fail "$what: the cause is said" "$(cat "$work/$name.said")"
      ! grep -q 'has lost the connection to another rank' "$work/$name.said" ||
        fail "$what: and nothing else" "$(cat "$work/$name.said")"
    fi
  fi
  run_ranks "$ranks" "$name" || fail "$what: the run goes on" "$(cat "$work/$name.said")"
  expect "$what: the run ends as if nothing had been" "${reference[$ranks]}" "$(outcome "$runs/$name")"
  rm -rf -- "${runs:?}/$name"
done

# Under zero3 ranks wait for each other within the model, whose fault that is not.
name=hang-in-model
"$build/knead" run "$root/recipes/digits.yaml" 'distributed={ranks: 2, strategy: zero3, timeout: 4 s}' 'train=100000000 steps' \
  'expect=[]' "output=$runs" "name=$name" >"$work/$name.said" 2>&1 &
runner=$! status=0
until [[ -s $runs/$name/metrics.jsonl ]]; do sleep 0.05; done
kill -s STOP "$(pgrep -f -- "--rank=1 .*name=$name\$")"
wait $runner || status=$?
expect 'zero3, SIGSTOP of rank 1: the exit code' 6 $status
grep -Eq '^knead: rank 0 has waited 4 s for the other ranks' "$work/$name.said" ||
  fail 'zero3, SIGSTOP of rank 1: the cause is said' "$(cat "$work/$name.said")"
gone $name 2000 || fail 'zero3, SIGSTOP of rank 1: no process is left' "$(left $name)"

# A disk that fills up ends the run after three saves; with room again it goes on.
mkdir "$work/disk"
if mount -t tmpfs -o size=2m none "$work/disk" 2>"$work/said"; then
  head -c 1500k /dev/zero >"$work/disk/other"
  status=0
  runs=$work/disk run_ranks 2 full || status=$?
  expect 'a full disk: the exit code' 5 $status
  grep -q '^knead: 3 saves in a row failed; the last: step [0-9]* is not saved: it needs 2[0-9]* kB' "$work/full.said" ||
    fail 'a full disk is said' "$(cat "$work/full.said")"
  gone full 2000 || fail 'a full disk: no process is left' "$(left full)"
  rm -- "$work/disk/other"
  runs=$work/disk run_ranks 2 full || fail 'the run goes on where there is room' "$(cat "$work/full.said")"
  expect 'a full disk changes nothing' "${reference[2]}" "$(outcome "$work/disk/full")"
  umount "$work/disk"
else
  skip "a full disk: $(head -n 1 "$work/said")"
fi
expect 'no shared memory is left' "$before" "$(find /dev/shm -mindepth 1 | sort)"
((ended * 3 >= count)) || fail 'a third of the faults ends a run' "$ended of $count"
finish "$count faults, of which $ended ended a run: each went on from its last checkpoint"
