#!/usr/bin/env bash
# Checks how knead ends when its engine ends, fails, is killed or gets signals: launch_test.sh ROOT PROGRAM
set -euo pipefail

root=$(readlink -f "$1") program=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
here="$work/a folder"
engines=$root/tests/launch/engines
real_engine=$(dirname "$program")/knead-engine
export NOTES=$work/notes
cp -R -- "$root/tests/front/recipes" "$here"
cd "$here"

# within SECONDS COMMAND…: waits until the command succeeds. Returns 1 if it does not within that time.
within() {
  local tries=$(($1 * 50))
  shift
  until "$@" 2>/dev/null; do
    ((--tries > 0)) || return 1
    sleep 0.02
  done
}
is_gone() { ! kill -0 "$1" 2>/dev/null || [[ $(ps -o state= -p "$1") == Z ]]; }
was_started() { grep -q '^started' "$NOTES"; }
has_noted() { grep -qx "$1" "$NOTES"; }

# start_run VARIABLE=VALUE…: starts a run with an engine that trains until it is stopped. Sets `runner` and `engine`,
# the process ids of knead and of the engine.
start_run() {
  rm -f -- "$NOTES" "$work/runner" "$work/status"
  (
    # A background process of a script ignores SIGINT; knead and its engine do not.
    env KNEAD_ENGINE="$engines/trains" "$@" \
      "$program" run good.yaml >"$work/printed" 2>"$work/said" &
    echo $! >"$work/runner"
    status=0
    wait $! || status=$?
    echo $status >"$work/status"
  ) 2>/dev/null & # bash has its own words for a process that was killed
  within 20 was_started || fail 'the engine starts' "$(cat "$work/said")"
  runner=$(cat "$work/runner")
  engine=$(sed -n 's/^started //p' "$NOTES")
}

# end_run SENTENCE STATUS NOTES SAID: waits for knead and checks its exit code, the notes of the engine and the output.
end_run() {
  if ! within 20 test -s "$work/status"; then
    fail "$1: knead ends"
    kill -KILL "$runner"
    within 5 test -s "$work/status"
  fi
  expect "$1" "$2 [$3] $4" \
    "$(cat "$work/status") [$(sed 1d "$NOTES" | paste -sd ' ')] $(cat "$work/printed" "$work/said")"
  within 2 is_gone "$engine" || { fail "$1: the engine is gone within 2 s" && kill -KILL "$engine"; }
}

# --- signals --------------------------------------------------------------------------------------

for signal in INT TERM USR1; do
  start_run
  kill -s $signal "$runner"
  end_run "SIG$signal reaches the engine, and its exit code comes back" 75 $signal ''
done

trap '' HUP # as nohup does
start_run
trap - HUP
kill -s HUP "$runner"
sleep 0.2
is_gone "$runner" && fail 'a run under nohup outlives its terminal'
kill -s TERM "$runner"
end_run 'a run under nohup is stopped by SIGTERM' 75 TERM ''

start_run STUBBORN=yes
kill -s TERM "$runner"
within 5 has_noted TERM || fail 'SIGTERM reaches a stubborn engine'
kill -s INT "$runner"
within 5 has_noted INT || fail 'SIGINT after it, too'
is_gone "$runner" && fail 'knead goes on after a SIGTERM and one SIGINT'
kill -s INT "$runner"
end_run 'a second SIGINT ends a stubborn engine at once' 130 'TERM INT' 'knead: interrupted twice: ended at once'

start_run
kill -s KILL "$engine"
end_run 'an engine that is killed' 6 '' "knead: rank 0 was ended by SIGKILL
     = SIGKILL is mostly the kernel's out-of-memory killer; see its log"

start_run CRASHES=yes
kill -s TERM "$runner"
end_run 'an engine that crashes while it stops' 6 TERM "knead: rank 0 was ended by SIGSEGV
     = please report it, with the recipe, its model and what 'knead env' prints"

start_run UNREADY=yes
kill -s TERM "$runner"
end_run 'an engine that does not take signals yet' 75 '' \
  'knead: stopped before the run could take the signal'

start_run
kill -s KILL "$runner"
end_run 'an engine does not outlive a knead that is killed' 137 '' ''

status=0
CODE=5 KNEAD_ENGINE=$engines/exits timeout --kill-after=1 20 \
  env --ignore-signal=CHLD "$program" run good.yaml >"$work/said" 2>&1 || status=$?
expect 'a knead whose parent ignores SIGCHLD ends with its engine' '5 ' "$status $(cat "$work/said")"

# --- the real engine ------------------------------------------------------------------------------

if [[ -x $real_engine ]]; then
  status=0
  "$program" run good.yaml optimizer.lr=0.5 >"$work/printed" 2>"$work/said" || status=$?
  expect 'a run says what it does, to standard error only' "0  good
optimizer  adamw, lr 0.5, weight_decay 0.01" \
    "$status $(cat "$work/printed") $(sed -n -e 1p -e 's/^  \(optimizer .*\)/\1/p' "$work/said")"
  expect 'and trains to its end' 'LOCK checkpoints end.json evaluations.jsonl log.txt metrics.jsonl recipe.yaml resolved.yaml' \
    "$(ls runs/good | paste -sd ' ')"

  cp good.yaml edited.yaml
  status=0
  REAL_ENGINE=$real_engine KNEAD_ENGINE=$engines/edits_the_recipe \
    "$program" run edited.yaml >"$work/said" 2>&1 || status=$?
  expect 'a recipe that changes between front and engine' \
    "3 knead: the recipe 'edited.yaml' changed while starting
     = start again; if it stays so, knead and knead-engine are of different builds: run tools/build" "$status $(cat "$work/said")"

  cp "$program" "$work/alone"
  status=0
  "$work/alone" run good.yaml >"$work/said" 2>&1 || status=$?
  expect 'no engine beside knead' "3 knead: cannot start '$work/knead-engine': No such file or directory
     = build it with tools/build, or set KNEAD_ENGINE to the program" "$status $(cat "$work/said")"
else
  skip 'what needs the real engine, which was not built'
fi

finish 'runs start and end as they should'
