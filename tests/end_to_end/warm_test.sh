#!/usr/bin/env bash
# Checks runs that an engine forks which has loaded LibTorch and the data before: warm_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
cp -R -- "$root/recipes" "$root/models" "$work"
recipe=$work/recipes/digits.yaml

# warm: does with a warm engine what standard input says, see tests/launch/warm_calls.cpp. What it prints, sorted by the
# number of the call, becomes `ends`.
warm() {
  ends=$("$build/warm_calls" "$engine" 2>"$work/said" | sort -n)
}

# call NAME [OPTION] OVERRIDE…: the line that starts a run.
call() {
  local name=$1 option=
  shift
  if [[ $1 == --* ]]; then option=$1 && shift; fi
  echo "start $work/$name.said run $option $recipe -- output=$work name=$name $*"
}

# are_gone PROCESS…: waits up to 10 s until the processes have ended.
are_gone() {
  local process
  for ((i = 0; i < 200; ++i)); do
    local left=
    for process in "$@"; do
      [[ $(ps -o state= -p "$process" | tr -d ' ') == [!Z] ]] && left+="$process "
    done
    [[ -n $left ]] || return 0
    sleep 0.05
  done
  return 1
}

# there PATTERN: waits up to 30 s until a file exists.
there() {
  for ((i = 0; i < 600; ++i)); do
    ! compgen -G "$1" >/dev/null || return 0
    sleep 0.05
  done
  fail "there is $1" "not after 30 s"
}

# --- the same bits as runs of their own, two at a time, on one thread and on two

short=(train.until='2 epochs' evaluate.every='10 steps' checkpoint.every='20 steps')
# Words of a line have no spaces.
joined=(train.until=2epochs evaluate.every=10steps checkpoint.every=20steps)
wide='model.args.hidden=[2048,2048] batch=500 threads=2'
train "$recipe" "$work/own" "${short[@]}" || true
train "$recipe" "$work/own-seed" "${short[@]}" seed=7 optimizer.lr=0.01 || true
# shellcheck disable=SC2086
train "$recipe" "$work/own-wide" "${short[@]}" $wide || true
warm <<CALLS
limit 2
$(call warm "${joined[@]}")
$(call warm-seed "${joined[@]}" seed=7 optimizer.lr=0.01)
$(call warm-wide "${joined[@]}" "$wide")
$(call warm-again "${joined[@]}")
finish
CALLS
expect 'how they end' '1 exit 4
2 exit 4
3 exit 4
4 exit 4' "$ends"
for each in '' -seed -wide; do
  expect "what a run of its own computes${each/-/, }" "$(outcome "$work/own$each")" "$(outcome "$work/warm$each")"
done
expect 'what the same run computes again' "$(outcome "$work/own")" "$(outcome "$work/warm-again")"
# said FILE: what a run has printed, without times and in an order that does not depend on them.
said() { sed -E 's/took .*//; s/ +[0-9.,k]+ samples.s.*//; s/(own|warm)//' "$1" | sort; }
expect 'what a run prints' "$(said "$work/own.said")" "$(said "$work/warm.said")"

# --- a recipe that cannot be loaded the run itself refuses, as a run of its own

warm <<CALLS
$(call warm-wrong optimizer.lr=-1)
finish
CALLS
expect 'a run whose recipe is wrong' '1 exit 2' "$ends"
"$engine" run "$recipe" -- output="$work" name=warm-wrong optimizer.lr=-1 >"$work/own-wrong.said" 2>&1 || true
expect 'what it says' "$(cat "$work/own-wrong.said")" "$(cat "$work/warm-wrong.said")"
grep -q 'optimizer.lr must be more than 0' "$work/warm-wrong.said" || fail 'it says why' "$(cat "$work/warm-wrong.said")"

# --- a run that stops at a rung and goes on is the undisturbed one

warm < <(call warm-rungs --stop-after=1epochs "${joined[@]}" && echo finish)
expect 'a run that stops at a rung' '1 exit 75' "$ends"
expect 'where it stops' step-00000047 "$(find "$work/warm-rungs/checkpoints" -name 'step-*' -printf '%f\n' | sort | tail -n 1)"
warm < <(call warm-rungs --stop-after=9epochs "${joined[@]}" && echo finish)
expect 'a run that ends before its rung' '1 exit 4' "$ends"
expect 'what a run with rungs computes' "$(outcome "$work/own")" "$(outcome "$work/warm-rungs")"

# --- data are read anew when they change, and what is wrong with them the run says

data=$work/recipes/data/digits.csv
touch -d '1 hour ago' "$data"
coproc engine_of_calls { exec "$build/warm_calls" "$engine" 2>&1; }
exec 3>&"${engine_of_calls[1]}" 4<&"${engine_of_calls[0]}"
calls=$!
# ask LINE…: sends lines, and prints the answer to the last.
ask() {
  printf '%s\n' "$@" >&3
  read -r -t 60 answer <&4 || answer='no answer'
  echo "$answer"
}
warm_process=$(ask engine)
expect 'a run with data that are read' '1 exit 4' "$(ask "$(call data-1 "${joined[@]}")" wait)"
expect 'threads of the engine that forks' 1 "$(find "/proc/$warm_process/task" -mindepth 1 -maxdepth 1 | wc -l)"
expect 'a run with data that are kept' '2 exit 4' "$(ask "$(call data-2 "${joined[@]}")" wait)"
expect 'what it computes' "$(outcome "$work/own")" "$(outcome "$work/data-2")"
# A mapped file would be seen here too, a file read again would not.
tail -n 1 "$data" >"$work/last"
{ sed '$d' "$data" && sed 's/^[0-9]*/16/' "$work/last"; } >"$work/changed"
cp -- "$work/changed" "$data"
train "$recipe" "$work/own-changed" "${short[@]}" || true
expect 'a run with changed data' '3 exit 4' "$(ask "$(call data-3 "${joined[@]}")" wait)"
expect 'what it computes' "$(outcome "$work/own-changed")" "$(outcome "$work/data-3")"
if cmp -s <(outcome "$work/own") <(outcome "$work/own-changed"); then fail 'the change shows'; fi
mv -- "$data" "$data.away"
expect 'a run whose data are gone' '4 exit 3' "$(ask "$(call data-4 "${joined[@]}")" wait)"
train "$recipe" "$work/own-gone" "${short[@]}" || true
expect 'what it says' "$(cat "$work/own-gone.said")" "$(cat "$work/data-4.said")"
echo '1,2,x' >"$data"
expect 'a run whose data are wrong' '5 exit 3' "$(ask "$(call data-5 "${joined[@]}")" wait)"
mv -- "$data.away" "$data"
expect 'a run after that' '6 exit 4' "$(ask "$(call data-6 "${joined[@]}")" wait)"
expect 'what it computes' "$(outcome "$work/own-changed")" "$(outcome "$work/data-6")"

# --- what ends one run ends no other

long=(train.until=100000epochs evaluate.every=10000epochs checkpoint.every=47steps)
ask "$(call long-1 "${long[@]}")" "$(call long-2 "${long[@]}")" engine >/dev/null
there "$work/long-1/checkpoints/step-*"
there "$work/long-2/checkpoints/step-*"
one=$(pgrep -P "$warm_process" -o) two=$(pgrep -P "$warm_process" -n)
# The socket of the engine, and the folder that it locks.
for process in "$one" "$two"; do
  other=$work/long-$([[ $process == "$one" ]] && echo 2 || echo 1)
  expect 'descriptors of another run' '' "$(find "/proc/$process/fd" -lname "$other*")"
done
kill -SEGV "$one"
expect 'a run that crashes' '7 signal 11' "$(ask wait)"
kill -0 "$two" || fail 'the other run goes on'
expect 'a run that is asked to stop' '8 exit 75' "$(ask 'signal 8 15' wait)"

# --- killed with the engine, and with the front; a run goes on from its checkpoint then

ask "$(call long-1 "${long[@]}")" engine >/dev/null
there "$work/long-1/LOCK"
sleep 0.5
one=$(pgrep -P "$warm_process")
kill -KILL "$warm_process"
expect 'a run whose engine is killed' '9 signal 9 with the engine' "$(ask wait)"
are_gone "$warm_process" "$one" || fail 'no process is left of a killed engine'
expect 'a run after that' '10 exit 75' "$(ask "$(call long-1 --stop-after=1step "${long[@]}")" wait)"
grep -q 'going on from step' "$work/long-1.said" || fail 'it goes on' "$(cat "$work/long-1.said")"

next=$(ask "$(call long-1 "${long[@]}")" engine)
sleep 1
one=$(pgrep -P "$next")
kill -KILL "$calls"
are_gone "$next" "$one" || fail 'no process is left of a killed front' "$next $one"
exec 3>&- 4<&-

finish 'runs that a warm engine forks are the runs that they would be alone'
