#!/usr/bin/env bash
# Checks the batch script of `knead run --emit slurm` on a Slurm of three nodes, which this test starts on this machine:
# first with a program in place of knead that notes what it gets, then with knead itself: slurm_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/launch/slurm/cluster.sh"
has_slurm || { skip 'Slurm is not here' && finish '' && exit; }
knead=$build/knead
trap 'stop_cluster; rm -rf -- "$work"; [[ $finished == yes ]] || echo "the test broke off: a command in it failed"' EXIT
start_cluster "$work/slurm" 3
cp -R -- "$root/tests/front/recipes" "$work/a folder"
cd "$work/a folder"

# field JOB NAME: prints a field of what Slurm says of a job.
field() { scontrol --oneliner show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p"; }

# ended JOB: waits for the end of a job, without the two minutes that Slurm holds back one that is queued again: what it
# has sent to end the old start must be older than the new one, in whole seconds. Prints the state of the job, its exit
# code and how often it was queued again.
ended() {
  local job=$1 state tries
  for ((tries = 0; tries < 1500; ++tries)); do
    state=$(field "$job" JobState)
    case $state in
      PENDING)
        [[ $(field "$job" Restarts) == 0 ]] || sleep 2
        scontrol update jobid="$job" StartTime=now 2>/dev/null || true
        ;;
      RUNNING | COMPLETING) ;;
      *) break ;;
    esac
    sleep 0.2
  done
  echo "$state $(field "$job" ExitCode) $(field "$job" Restarts)"
}

# submit SCRIPT OPTION…: prints the number of the job.
submit() { sbatch --parsable "${@:2}" "$1"; }

# --- the script -----------------------------------------------------------------------------------

odd="it's -x.yaml"
cp good.yaml "$odd"
line=$'description=$(id) ~ "b"\nand \\ more'
"$knead" run --emit slurm good.yaml >plain.sh
"$knead" run --emit slurm "$odd" "$line" batch=12 distributed.ranks=2 threads=2 device=cuda >odd.sh 2>warnings
"$knead" run --emit slurm good.yaml 'distributed.restarts=2' 'train.time_limit=1 h' >again.sh
for script in plain.sh odd.sh again.sh; do
  bash -n $script || fail "$script is a script"
  ! command -v shellcheck >/dev/null || expect "$script has no mistakes" '' "$(shellcheck --exclude SC2016 $script)"
done

# --- what ranks get -------------------------------------------------------------------------------

cat >"$work/notes" <<'END'
#!/usr/bin/env bash
# Notes what a rank is started with in a folder of its start, and ends as the commands in HOW say.
folder=$NOTES/$SLURM_JOB_NAME.${SLURM_RESTART_COUNT:-0}.$SLURM_STEP_ID
mkdir -p "$folder"
printf '%s\0' "$@" >"$folder/words.$SLURM_PROCID"
echo "$SLURM_STEP_NUM_TASKS $MASTER_ADDR:$MASTER_PORT" >"$folder/place.$SLURM_PROCID"
echo "$SLURM_LOCALID ${CUDA_VISIBLE_DEVICES:-none} ${SLURM_CPUS_PER_TASK:-none}" >"$folder/local.$SLURM_PROCID"
echo "$KNEAD_TOKEN" >"$folder/token.$SLURM_PROCID"
eval "$HOW"
END
chmod +x "$work/notes"
export KNEAD=$work/notes NOTES=$work/noted

# The signal comes up to a minute early, so this job goes on beside the others.
# shellcheck disable=SC2016  # the rank reads the variables
stopped=$(HOW='((${SLURM_RESTART_COUNT:-0} == 0)) || exit 0
  trap "echo rank $SLURM_PROCID is asked to stop; exit 75" USR1
  for ((i = 0; i < 900; ++i)); do sleep 0.1; done' \
  submit plain.sh --job-name=stopped --nodes=2 --time=1 --signal=USR1@30)

job=$(HOW='exit 0' submit odd.sh --job-name=odd --nodes=3)
expect 'a job ends as its ranks do' 'COMPLETED 0:0 0' "$(ended "$job")"
noted=$NOTES/odd.0.0
expect 'three nodes get two ranks each' '0 1 2 3 4 5' "$(cd "$noted" && echo words.* | sed 's/words\.//g')"
expect 'they get the words as they were' "$(printf '%s\0' run -- "$odd" "$line" batch=12 distributed.ranks=2 threads=2 \
  device=cuda | sha256sum)" "$(sha256sum <"$noted/words.5")"
expect 'all get the same words' 1 "$(sha256sum "$noted"/words.* | awk '{ print $1 }' | sort -u | wc -l)"
expect 'they meet at one place' "6 127.0.0.1:$((15000 + job))" "$(sort -u "$noted"/place.*)"
expect 'with the GPUs of their node and two processors' $'0 0,1 2\n1 0,1 2' "$(sort -u "$noted"/local.*)"
expect 'and one token' yes "$([[ $(sort -u "$noted"/token.*) =~ ^[0-9a-f]{32}$ ]] && echo yes)"
expect 'which is not in the log' 0 "$(grep -c -f "$noted/token.0" "odd-$job.log" || true)"

job=$(HOW='exit 3' submit plain.sh --job-name=three)
expect 'an exit code is that of the job' 'FAILED 3:0 0' "$(ended "$job")"

# shellcheck disable=SC2016
job=$(HOW='exit $((${SLURM_RESTART_COUNT:-0} > 0 ? 0 : 75))' submit plain.sh --job-name=resumed --nodes=2)
expect 'a run that stopped is queued again' 'COMPLETED 0:0 1' "$(ended "$job")"
expect 'with another token' 2 "$(sort -u "$NOTES"/resumed.[01].0/token.* | wc -l)"

sed 's/^most_requeues=.*/most_requeues=1/' plain.sh >bounded.sh
job=$(HOW='exit 75' submit bounded.sh --job-name=bounded)
expect 'one that stops at each start is queued again no more often than the script says' 'FAILED 75:0 1' "$(ended "$job")"
expect 'and its log says why it ended' \
  'the job has been queued again as often as most_requeues says: submit it again, and it goes on' "$(tail -n 1 "bounded-$job.log")"

# shellcheck disable=SC2016
job=$(HOW='((SLURM_PROCID != 1 || SLURM_STEP_ID > 1)) || kill -KILL $$' submit again.sh --job-name=lost --nodes=3)
expect 'a lost rank begins all again' 'COMPLETED 0:0 0' "$(ended "$job")"
expect 'as often as the recipe says' "$(printf '%s\n' "$NOTES"/lost.0.{0,1,2})" "$(printf '%s\n' "$NOTES"/lost.*)"
# shellcheck disable=SC2016
job=$(HOW='kill -KILL $$' submit again.sh --job-name=lost-again --nodes=1)
expect 'and no more often' 'FAILED 137:0 0' "$(ended "$job")"
expect 'which are three steps' 3 "$(printf '%s\n' "$NOTES"/lost-again.* | wc -l)"

job=$(HOW='sleep 60' submit plain.sh --job-name=cancelled --nodes=2)
until [[ -e $NOTES/cancelled.0.0/token.1 ]]; do sleep 0.1; done
scancel "$job"
# Its exit code is the signal's, or that of the script if srun gives it the end of the ranks in time.
expect 'a cancelled job stays so' 'CANCELLED 0' "$(ended "$job" | sed -E 's/ (0:15|143:0) / /')"

# --- a whole run ----------------------------------------------------------------------------------

if [[ -x $build/knead-engine ]]; then
  unset HOW
  export KNEAD=$knead
  runs=$work/runs
  words=("$root/recipes/digits.yaml" "output=$runs" 'checkpoint.every=10 steps' 'train=500 steps' 'expect=[]'
    'distributed.timeout=30 s' threads=1)
  "$knead" run "${words[@]}" name=undisturbed distributed.ranks=3 >said 2>&1 || fail 'ranks of knead train' "$(cat said)"
  undisturbed=$(outcome "$runs/undisturbed")

  # goes_on NAME: waits until a run has saved a step from 200 on.
  goes_on() {
    local tries
    for ((tries = 0; tries < 2400; ++tries)); do
      ! grep -qE 'saved step [2-9][0-9][0-9]$' "$runs/$1/log.txt" 2>/dev/null || return 0
      sleep 0.05
    done
    fail "$1 trains" "$(tail -n 20 ./*"$job.log")"
  }
  # trained NAME RESTARTS SENTENCE
  trained() {
    expect "$3" "COMPLETED 0:0 $2" "$(ended "$job")"
    expect "$3, with the outcome of ranks on one machine" "$undisturbed" "$(outcome "$runs/$1")"
    [[ -e $runs/$1/end.json ]] || fail "$1 says where it ended" "$(tail -n 20 ./*"$job.log")"
  }

  "$knead" run "${words[@]}" name=nodes --emit slurm >nodes.sh
  job=$(submit nodes.sh --nodes=3)
  goes_on nodes
  scancel --signal USR1 "$job"
  trained nodes 1 'a run on three nodes is stopped and goes on'

  "$knead" run "${words[@]}" name=requeued --emit slurm >requeued.sh
  job=$(submit requeued.sh --nodes=2 --ntasks=3 --ntasks-per-node=2)
  goes_on requeued
  scontrol requeue "$job"
  trained requeued 1 'a run on two nodes whose job is queued again goes on'

  "$knead" run "${words[@]}" name=killed distributed.ranks=3 distributed.restarts=1 --emit slurm >killed.sh
  job=$(submit killed.sh)
  goes_on killed
  pkill -KILL -f -- "--rank=1 .*output=$runs .*name=killed" || fail 'a rank is killed' "$(tail -n 20 killed-*.log)"
  trained killed 0 'a run on one node begins again after a lost rank'
else
  skip 'a whole run: the engine was not built'
fi

expect 'a job that runs into its time limit is queued again' 'COMPLETED 0:0 1' "$(ended "$stopped")"
expect 'because its ranks were asked to stop' $'rank 0 is asked to stop\nrank 1 is asked to stop' \
  "$(grep -x 'rank . is asked to stop' "stopped-$stopped.log" | sort)"

finish 'Slurm trains what the batch script says'
