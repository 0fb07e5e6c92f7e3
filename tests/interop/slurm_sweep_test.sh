#!/usr/bin/env bash
# Checks the array of `knead sweep --emit slurm` on a Slurm that this test starts on this machine: first with a program in
# place of knead that notes what it gets, then with knead itself: slurm_sweep_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/launch/slurm/cluster.sh"
has_slurm || { skip 'Slurm is not here' && finish '' && exit; }
trap 'stop_cluster; rm -rf -- "$work"; [[ $finished == yes ]] || echo "the test broke off: a command in it failed"' EXIT
start_cluster "$work/slurm" 1
knead=$build/knead
cp -R -- "$root/tests/front/recipes" "$work/a folder"
cd "$work/a folder"

# tasks JOB: prints a line for each task of an array: number, state, exit code, how often it was queued again.
tasks() {
  scontrol --oneliner show job "$1" | awk '{
    split("", seen)
    for (i = 1; i <= NF; ++i) { at = index($i, "="); seen[substr($i, 1, at - 1)] = substr($i, at + 1) }
    if (seen["ArrayTaskId"] ~ /^[0-9]+$/) print seen["ArrayTaskId"], seen["JobState"], seen["ExitCode"], seen["Restarts"]
  }' | sort -n
}

# all_ended JOB COUNT: waits for the end of all tasks, without the two minutes that Slurm holds back one that is queued
# again, and prints them.
all_ended() {
  local job=$1 count=$2 tries task state restarts
  for ((tries = 0; tries < 1500; ++tries)); do
    [[ $(tasks "$job" | grep -cE ' (COMPLETED|FAILED|CANCELLED|TIMEOUT) ') != "$count" ]] || break
    while read -r task state _ restarts; do
      [[ $state != PENDING || $restarts == 0 ]] || {
        sleep 2
        scontrol update jobid="${job}_$task" StartTime=now 2>/dev/null || true
      }
    done < <(tasks "$job")
    sleep 0.2
  done
  tasks "$job"
}

submit() { sbatch --parsable "${@:2}" "$1"; }

# await_file FILE: waits until a shard has written it.
await_file() {
  local tries file=$1
  for ((tries = 0; tries < 300; ++tries)); do
    [[ ! -e $file ]] || return 0
    sleep 0.1
  done
  fail "a shard writes $file" "$(cat ./*.log 2>/dev/null)"
}

# --- the script -----------------------------------------------------------------------------------

odd="it's -x.yaml"
line=$'description=$(id) ~ "b"\nand \\ more'
six='sweep={over: {seed: [1, 2, 3, 4, 5, 6]}}'
cp good.yaml "$odd"
"$knead" sweep --emit slurm "$odd" "$line" "$six" name=six threads=2 >six.sh
"$knead" sweep --emit slurm good.yaml 'sweep={over: {seed: [1, 2]}}' batch=4 distributed.ranks=2 device=cuda name=gpus >gpus.sh \
  2>warnings
for script in six.sh gpus.sh; do
  bash -n $script || fail "$script is a script"
  ! command -v shellcheck >/dev/null || expect "$script has no mistakes" '' "$(shellcheck --exclude SC2016 $script)"
done

cat >"$work/notes" <<'END'
#!/usr/bin/env bash
# Notes what a shard is started with, in a folder of its start, and ends as the commands in HOW say.
folder=$NOTES/$SLURM_JOB_NAME.$SLURM_ARRAY_TASK_ID.${SLURM_RESTART_COUNT:-0}
mkdir -p "$folder"
printf '%s\0' "$@" >"$folder/words"
echo "${CUDA_VISIBLE_DEVICES:-none} ${SLURM_CPUS_PER_TASK:-none}" >"$folder/place"
eval "$HOW"
END
chmod +x "$work/notes"
export KNEAD=$work/notes NOTES=$work/noted

# --- shards ---------------------------------------------------------------------------------------

# The signal comes up to a minute early, so this array goes on beside the others.
# shellcheck disable=SC2016  # the shard reads the variables
limited=$(HOW='((${SLURM_RESTART_COUNT:-0} == 0)) || exit 0
  trap "echo shard $SLURM_ARRAY_TASK_ID is asked to stop; exit 75" USR1
  for ((i = 0; i < 900; ++i)); do sleep 0.1; done' \
  submit six.sh --job-name=limited --array=1-2 --time=1 --signal=USR1@30 --cpus-per-task=1)

# shellcheck disable=SC2016
job=$(HOW='((SLURM_ARRAY_TASK_ID != 4)) || exit 5' submit six.sh)
expect 'tasks end as their shards do' '1 COMPLETED 0:0 0
2 COMPLETED 0:0 0
3 COMPLETED 0:0 0
4 FAILED 5:0 0
5 COMPLETED 0:0 0
6 COMPLETED 0:0 0' "$(all_ended "$job" 6)"
for shard in 1 6; do
  expect "shard $shard gets the words as they were" \
    "$(printf '%s\0' sweep --jobs 1 --shard "$shard/6" -- "$odd" "$line" "$six" name=six threads=2 | sha256sum)" \
    "$(sha256sum <"$NOTES/six.$shard.0/words")"
done
expect 'a task has the processors of a trial' 'none 2' "$(cat "$NOTES/six.1.0/place")"
job=$(HOW=true submit gpus.sh)
all_ended "$job" 2 >/dev/null
expect 'or its GPUs' '0,1 2' "$(cat "$NOTES/gpus.2.0/place")"

# shellcheck disable=SC2016
job=$(HOW=true submit six.sh --job-name=more --array=1-9%2)
expect 'sbatch says how many shards there are' 9 "$(all_ended "$job" 9 | grep -c COMPLETED)"
expect 'which each shard knows' "$(printf '%s\0' --shard 9/9 | tr '\0' ' ')" \
  "$(tr '\0' ' ' <"$NOTES/more.9.0/words" | grep -o -- '--shard 9/9 ')"
job=$(HOW=true submit six.sh --job-name=gap --array=2,4)
expect 'an array with gaps is refused' $'2 FAILED 2:0 0\n4 FAILED 2:0 0' "$(all_ended "$job" 2)"
expect 'with a reason' \
  'the tasks have to be 1 to N: submit the whole array again, trials that are done do not run' "$(cat "gap-${job}_2.log")"

# --- stops ----------------------------------------------------------------------------------------

# shellcheck disable=SC2016
job=$(HOW='((SLURM_ARRAY_TASK_ID == 2 && ${SLURM_RESTART_COUNT:-0} < 1)) && exit 75; exit 0' \
  submit six.sh --job-name=again --array=1-3)
expect 'the task that stopped is queued again, and no other' '1 COMPLETED 0:0 0
2 COMPLETED 0:0 1
3 COMPLETED 0:0 0' "$(all_ended "$job" 3)"
# The number of the array is that of its last task, too.
# shellcheck disable=SC2016
job=$(HOW='((SLURM_ARRAY_TASK_ID == 3 && ${SLURM_RESTART_COUNT:-0} < 1)) && exit 75; exit 0' \
  submit six.sh --job-name=last --array=1-3)
expect 'so is the last one' '1 COMPLETED 0:0 0
2 COMPLETED 0:0 0
3 COMPLETED 0:0 1' "$(all_ended "$job" 3)"
expect 'and is the same shard' "$(sha256sum <"$NOTES/last.3.0/words")" "$(sha256sum <"$NOTES/last.3.1/words")"

# shellcheck disable=SC2016
job=$(HOW='((${SLURM_RESTART_COUNT:-0} == 0)) || exit 0
  trap "echo asked to stop; exit 75" TERM
  for ((i = 0; i < 600; ++i)); do sleep 0.1; done' submit six.sh --job-name=preempted --array=1-2 --cpus-per-task=2)
await_file "$NOTES/preempted.1.0/place"
await_file "$NOTES/preempted.2.0/place"
urgent=$(sbatch --parsable --partition=urgent --ntasks=1 --cpus-per-task=7 --output=urgent.log --wrap='sleep 1')
expect 'tasks that Slurm takes off their node go on later' $'1 COMPLETED 0:0 1\n2 COMPLETED 0:0 1' \
  "$(all_ended "$job" 2)"
expect 'for the sake of another job' COMPLETED \
  "$(scontrol --oneliner show job "$urgent" | grep -oE 'JobState=[A-Z]+' | cut -d= -f2)"
expect 'and were asked to stop' 'asked to stop' "$(sort -u <(grep -hx 'asked to stop' preempted-"$job"_*.log))"

# --- a whole sweep --------------------------------------------------------------------------------

# trains_on FOLDER: waits until a trial has saved a step from 1000 on.
trains_on() {
  local tries
  for ((tries = 0; tries < 1200; ++tries)); do
    ! grep -qsE 'saved step [0-9]{4,}$' "$1"/*/log.txt || return 0
    sleep 0.05
  done
  fail 'the sweep trains' "$(tail -n 20 whole-*.log)"
}

# go_on_after RESTARTS JOB: waits until both tasks of an array run, having been queued again so often.
go_on_after() {
  local tries task state restarts
  for ((tries = 0; tries < 300; ++tries)); do
    [[ $(tasks "$2" | grep -c " RUNNING 0:0 $1\$") != 2 ]] || { sleep 1 && return 0; }
    while read -r task state _ restarts; do
      [[ $state != PENDING || $restarts != "$1" ]] || scontrol update jobid="${2}_$task" StartTime=now 2>/dev/null || true
    done < <(tasks "$2")
    sleep 0.5
  done
  return 1
}

# signal NAME JOB: signals the tasks of a job, which Slurm refuses for a moment after their start.
signal() {
  local tries
  for ((tries = 0; tries < 50; ++tries)); do
    ! scancel --signal "$1" "$2" 2>/dev/null || return 0
    sleep 0.2
  done
  fail "a job is signalled" "$(tasks "$2")"
}

# outcome_of FOLDER: prints what a sweep leaves behind, without times.
outcome_of() { sed 's/,"seconds":.*//' "$1/sweep.jsonl" && grep -v '^output:' "$1/best.yaml"; }

if [[ -x $build/knead-engine ]]; then
  unset HOW
  export KNEAD=$knead
  words=("$root/recipes/digits.yaml" 'train=50000 steps' 'evaluate.every=5000 steps' 'checkpoint.every=500 steps'
    'expect=[]' threads=1 'sweep={over: {optimizer.lr: [1e-3, 3e-3], seed: [1, 2]}}')
  "$knead" sweep "${words[@]}" output=undisturbed name=whole >said 2>&1 || fail 'knead sweeps' "$(cat said)"
  "$knead" sweep "${words[@]}" output=disturbed name=whole --emit slurm >whole.sh
  job=$(submit whole.sh --array=1-2 --time=2 --signal=USR1@50)
  trains_on disturbed/whole/sweep
  sbatch --parsable --partition=urgent --ntasks=1 --cpus-per-task=8 --output=urgent.log --wrap='sleep 1' >urgent
  go_on_after 1 "$job" || fail 'a sweep goes on after a preemption' "$(tasks "$job")"
  # Slurm sends the signal 10 to 40 s after a start. A frozen trial does not end before, however fast it is. A signal
  # that comes before the trials of both tasks go on freezes nothing.
  for ((tries = 0; tries < 400; ++tries)); do
    (($(cat disturbed/whole/sweep/*/log.txt | grep -c 'going on from step') < 2)) || break
    sleep 0.05
  done
  signal STOP "$job"
  sleep 45
  signal CONT "$job"
  # On a busy machine the rest may run into a time limit once more.
  expect 'a sweep goes on after a preemption and a time limit' $'1 COMPLETED 0:0 2+\n2 COMPLETED 0:0 2+' \
    "$(all_ended "$job" 2 | sed -E 's/ [2-9]$/ 2+/')"
  expect 'and says when it stops' stopped "$(grep -hoE '^stopped;' "whole-${job}"_*.log | sort -u | tr -d ';')"
  "$knead" sweep "${words[@]}" output=disturbed name=whole >said 2>&1 || fail 'a sweep is judged' "$(cat said)"
  expect 'all trials were done' '4 trials in disturbed/whole/sweep, 4 of them finished before' \
    "$(grep -oE '^4 trials.* before' said)"
  expect 'with the outcome of an undisturbed sweep' "$(outcome_of undisturbed/whole/sweep)" \
    "$(outcome_of disturbed/whole/sweep)"
else
  skip 'a whole sweep: the engine was not built'
fi

expect 'tasks that run into their time limit are queued again' $'1 COMPLETED 0:0 1\n2 COMPLETED 0:0 1' \
  "$(all_ended "$limited" 2)"
expect 'because their shards were asked to stop' $'shard 1 is asked to stop\nshard 2 is asked to stop' \
  "$(grep -hx 'shard . is asked to stop' limited-"$limited"_*.log | sort)"

finish 'Slurm runs the shards of a sweep'
