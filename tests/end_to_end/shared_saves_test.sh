#!/usr/bin/env bash
# Checks the checkpoints of ranks that hold shards: others go on from them, what is lost is named, and kills during
# saves lose nothing: shared_saves_test.sh ROOT BUILD [KILLS [SEED]]
#
# The tests have a few kills; 100 are `bash tests/end_to_end/shared_saves_test.sh . build 100`.
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2") kills=${3:-5} seed=${4:-$(($(date +%s) % 100000))}
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
runs=$work/runs
mkdir "$runs"
RANDOM=$seed
echo "seed $seed"

# start NAME DISTRIBUTED OVERRIDE…: trains, writes what is said to NAME.said, and returns the exit code.
start() {
  local name=$1 distributed=$2
  shift 2
  "$build/knead" run "$root/recipes/digits.yaml" 'track.every=10 steps' 'evaluate.every=20 steps' 'expect=[]' \
    'average={type: ema, decay: 0.9}' "distributed={timeout: 20 s, $distributed}" "$@" "output=$runs" "name=$name" \
    >"$work/$name.said" 2>&1
}
trains() { start "$@" || fail "$1 trains with $2" "$(cat "$work/$1.said")"; }
# losses NAME: prints the losses and metrics of a run to five digits.
losses() {
  sed -nE 's/.*"step":([0-9]+).*"(loss|accuracy)":([-0-9.e]+).*/\1 \2 \3/p' \
    "$runs/$1/metrics.jsonl" "$runs/$1/evaluations.jsonl" | awk '{ printf "%s %s %.5g\n", $1, $2, $3 }'
}

# --- any ranks go on from the checkpoints of any others ----------------------------------------------

trains one 'ranks: 1' 'train=40 steps'
for saved in 'ranks: 1' 'ranks: 2, strategy: zero1' 'ranks: 3, strategy: zero2' 'ranks: 4, strategy: zero3, replicas: 2'; do
  trains half "$saved" 'train=20 steps'
  for loaded in 'ranks: 1' 'ranks: 2, strategy: zero3' 'ranks: 4, strategy: zero2'; do
    cp -R "$runs/half" "$runs/whole"
    trains whole "$loaded" 'train=40 steps'
    grep -q 'going on from step 20' "$work/whole.said" || fail "with $loaded it goes on" "$(cat "$work/whole.said")"
    expect "saved with $saved and gone on with $loaded, a run has the losses of one rank" "$(losses one)" "$(losses whole)"
    rm -r -- "$runs/whole"
  done
  rm -r -- "$runs/half"
done

# --- what is lost is named, and what reads checkpoints reads these -----------------------------------

trains parts 'ranks: 3, strategy: zero2' 'train=40 steps' 'checkpoint={every: 20 steps, keep: {last: 2}, async: false}'
last=$runs/parts/checkpoints/step-00000040
expect 'the files of a checkpoint' "$(printf '%s\n' average-0000{1,2,3}-of-00003.safetensors manifest.json \
  model-0000{1,2,3}-of-00003.safetensors model.safetensors.index.json optimizer-0000{1,2,3}-of-00003.safetensors \
  state.json)" "$(ls "$last")"
"$build/knead" export --to safetensors "$runs/parts" "$work/exported.safetensors" >"$work/said" 2>&1 ||
  fail 'they are exported' "$(cat "$work/said")"
evaluated() { sed -nE 's/.*validation +(loss|accuracy) +([0-9.]+).*/\1 \2/p' "$work/said"; }
"$build/knead" evaluate "$runs/parts" >"$work/said" 2>&1 || fail 'they are evaluated' "$(cat "$work/said")"
expect 'an evaluation has the averages of all ranks' \
  "$(sed -nE '/"step":40/s/.*"loss":([0-9.]+),"accuracy":([0-9.]+).*/\1 \2/p' "$runs/parts/evaluations.jsonl" |
    awk '{ printf "loss %.4g\naccuracy %.4g\n", $1, $2 }')" \
  "$(evaluated | awk '{ printf "%s %.4g\n", $1, $2 }')"
trains begun 'ranks: 1' 'train=1 step' "model.weights=$runs/parts"
grep -Eq 'weights +.*/parts, step 40 \(its best\): 6 tensors' "$work/begun.said" ||
  fail 'another run begins with them' "$(cat "$work/begun.said")"

mv "$last/optimizer-00002-of-00003.safetensors" "$work/lost"
"$build/knead" verify "$runs/parts" >"$work/said" 2>&1 && fail 'a lost part is found' "$(cat "$work/said")"
grep -q '^step-00000040  .*optimizer-00002-of-00003.safetensors is missing' "$work/said" ||
  fail 'a lost part is named' "$(cat "$work/said")"
trains parts 'ranks: 2, strategy: zero1' 'train=40 steps'
grep -q 'step-00000040 cannot be used (optimizer-00002-of-00003.safetensors is missing): it is kept as bad-step-00000040-1' \
  "$work/parts.said" || fail 'a start names the lost part' "$(cat "$work/parts.said")"
grep -q 'going on from step 20' "$work/parts.said" || fail 'the checkpoint before is used' "$(cat "$work/parts.said")"

# --- all ranks need the folder of rank 0 -------------------------------------------------------------

touch "$work/rendezvous"
rank() {
  "$engine" run "$root/recipes/digits.yaml" "--rank=$1" --ranks=2 "--rendezvous=$work/rendezvous" -- \
    'distributed={ranks: 2, strategy: zero1}' 'train=5 steps' 'expect=[]' name=apart "output=$2"
}
rank 1 "$work/elsewhere" >"$work/other.said" 2>&1 &
status=0
rank 0 "$runs" >"$work/apart.said" 2>&1 || status=$?
wait
expect 'a rank that has another folder ends the run' 3 $status
name=$(uname -n)
grep -qF "knead: rank 1 on $name cannot write its part of a checkpoint into $runs/apart/checkpoints of rank 0 on $name (" \
  "$work/apart.said" || fail 'it is said which rank' "$(cat "$work/apart.said" "$work/other.said")"
expect 'nothing is left of it' '' "$(find "$runs/apart" "$work/elsewhere" -name '.tmp-*' 2>"$work/ignored")"

# --- kills during saves ------------------------------------------------------------------------------

long=('train=400 steps' 'checkpoint={every: 1 step, keep: {last: 3}}')
four='ranks: 4, strategy: zero2'
trains whole "$four" "${long[@]}"
saves=$runs/killed/checkpoints during=0 newest=0
# newest_step: prints the step of the last checkpoint; 0 if there is none.
newest_step() {
  { find "$saves" -maxdepth 1 -name 'step-*' 2>"$work/ignored" || true; } | sort | sed -nE '$s/.*step-0*([0-9]+)$/\1/p'
}
for ((i = 1; i <= kills; ++i)); do
  start killed "$four" "${long[@]}" &
  runner=$! victim=$((RANDOM % 4))
  # Waits for some updates, then for a save, and a random moment of it.
  for ((steps = RANDOM % 20; steps >= 0; --steps)); do
    until compgen -G "$saves/.tmp-*" >"$work/ignored" || ! kill -0 $runner 2>"$work/ignored"; do :; done
  done
  sleep "0.00$((RANDOM % 10))"
  process=$(pgrep -f -- "--rank=$victim .*name=killed\$" || true)
  [[ -z $process ]] || kill -KILL "$process" 2>"$work/ignored" || true
  wait $runner || true
  compgen -G "$saves/.tmp-*" >"$work/ignored" && during=$((during + 1))
  what="seed $seed, kill $i, of rank $victim"
  said=$(sed -nE 's/.*saved step ([0-9]+).*/\1/p' "$work/killed.said" | tail -n 1)
  found=$(newest_step)
  ((${found:-0} >= ${said:-0} && ${found:-0} >= newest)) ||
    fail "$what: the last saved step is there" "said ${said:-none}, was $newest, found ${found:-none}"
  newest=${found:-0}
  [[ ! -e $saves || -z $found ]] || "$build/knead" verify "$runs/killed" >"$work/said" 2>&1 ||
    fail "$what: all checkpoints are whole" "$(cat "$work/said")"
  [[ ! -e $runs/killed/end.json ]] || rm -r -- "$runs/killed"
  [[ -e $runs/killed ]] || newest=0
done
trains killed "$four" "${long[@]}"
expect 'a run that was killed ends as one that was not' "$(outcome "$runs/whole")" "$(outcome "$runs/killed")"
expect 'nothing is left of saves that were killed' '' "$(find "$saves" -name '.tmp-*')"

finish "any ranks go on from the checkpoints of others; $kills kills, of which $during left a save half done, lost nothing"
