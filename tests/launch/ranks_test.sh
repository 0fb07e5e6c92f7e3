#!/usr/bin/env bash
# Checks how knead starts, watches and ends several ranks, with scripts in place of the engine: ranks_test.sh ROOT PROGRAM
set -euo pipefail

root=$(readlink -f "$1") program=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
cp -R -- "$root/tests/front/recipes" "$work/here"
cd "$work/here"
sed -i 's/^batch: .*/batch: 4/' good.yaml
export NOTES=$work/notes KNEAD_ENGINE=$root/tests/launch/engines/ranks

# within SECONDS COMMAND…: waits until the command succeeds. Returns 1 if it does not within that time.
within() {
  local tries=$(($1 * 50))
  shift
  until "$@" 2>/dev/null; do
    ((--tries > 0)) || return 1
    sleep 0.02
  done
}
state() { ps -o state= -p "$1" | tr -d ' ' || true; }
is_gone() { [[ $(state "$1") == '' || $(state "$1") == Z ]]; }
processes() { cat "$NOTES".[0-9] 2>/dev/null || true; }
all_gone() {
  local process
  for process in $(processes); do is_gone "$process" || return 1; done
}
are() {
  local process
  for process in $(processes); do [[ $(state "$process") == [$1] ]] || return 1; done
}
count_of() { (($# > 1)) || [[ -e $1 ]] && echo $# || echo 0; }
have_started() { [[ $(count_of "$NOTES".[0-9]) == "$1" ]]; }
are_ready() { [[ $(count_of "$NOTES".[0-9].ready) == "$1" ]]; }

# train RANKS [VARIABLE=VALUE…] [-- OVERRIDE…]: runs as many ranks to their end, in less than a minute, and sets `result`
# to the exit code and what was printed.
train() {
  local ranks=$1 variables=() status=0
  shift
  while (($# > 0)) && [[ $1 != -- ]]; do variables+=("$1") && shift; done
  (($# == 0)) || shift
  rm -f -- "$NOTES".*
  env "${variables[@]}" timeout --kill-after=1 60 "$program" run good.yaml "distributed.ranks=$ranks" "$@" \
    >"$work/printed" 2>"$work/said" </dev/null || status=$?
  result="$status $(cat "$work/printed" "$work/said")"
  within 5 all_gone || fail "no process is left of ${variables[*]}" "$(processes)"
}

# start RANKS [VARIABLE=VALUE…]: starts ranks that train until they are stopped. Sets `runner`, the process of knead.
start() {
  local ranks=$1
  shift
  rm -f -- "$NOTES".* "$work/status" "$work/runner"
  (
    env DO=trains "$@" "$program" run good.yaml "distributed.ranks=$ranks" distributed.restarts=3 \
      >"$work/printed" 2>"$work/said" </dev/null &
    echo $! >"$work/runner"
    status=0
    wait $! || status=$?
    echo $status >"$work/status"
  ) 2>/dev/null &
  within 20 are_ready "$ranks" || fail 'the ranks start' "$(cat "$work/said")"
  runner=$(cat "$work/runner")
}

# ended SENTENCE EXPECTED: waits for knead, and expects an exit code, the signals of the ranks and the output.
ended() {
  within 20 test -s "$work/status" || {
    fail "$1: knead ends"
    kill -KILL "$runner"
    within 5 test -s "$work/status"
  }
  expect "$1" "$2" \
    "$(cat "$work/status") [$(cat "$NOTES".*.signals 2>/dev/null | paste -sd ' ')] $(cat "$work/printed" "$work/said")"
  within 5 all_gone || fail "$1: no rank is left" "$(processes)"
}

# --- good ends ------------------------------------------------------------------------------------

for ranks in 1 2 3 4; do
  # shellcheck disable=SC2016
  train $ranks 'DO=echo "rank $rank of $ranks"; echo "says $rank" >&2'
  expect "$ranks ranks end well, and rank 0 is heard" "0 rank 0 of $ranks
says 0" "$result"
  have_started $ranks || fail "$ranks ranks were started"
done
train 3 'DO=exit 4'
expect 'the exit code of rank 0' '4 ' "$result"
train 3 'DO=exit 75' DO_0='exit 0'
expect 'rank 0 counts among good ends' '0 ' "$result"
train 3 DO='exit 0' DO_0='sleep 1; echo saved'
expect 'rank 0 may end later' '0 saved' "$result"
train 3 DO='exit 0' DO_1=hang
expect 'a rank that goes on after rank 0 is killed' '0 knead: rank 1 did not end after rank 0, and had to be killed
     = nothing is lost: rank 0 writes what a run leaves' "$result"

# --- what a rank gets -----------------------------------------------------------------------------

# shellcheck disable=SC2016  # $each is the rank's
shows='for each in "$@"; do [[ $each == --digest=* ]] || printf "%s " "${each/fd\/*/fd/N}"; done; echo'
train 2 "DO=$shows" DO_1=: -- optimizer.lr=0.5
expect 'the words of a rank' '0 run good.yaml --rank=0 --ranks=2 --local-rank=0 --local-ranks=2 --rendezvous=/proc/self/fd/N -- distributed.ranks=2 optimizer.lr=0.5 ' \
  "$result"
for ranks in 2 4; do
  train $ranks DO='count 25'
  expect "$ranks ranks open and lock the rendezvous" "0 counted $((ranks * 25))" "$result"
done
# shellcheck disable=SC2016
open='(cd /proc/$$/fd && readlink [0-9]* | grep -v "/engines/ranks$" | sed "s/^/$rank: /" >"$NOTES.$rank.open")'
exec 7<"$root/README.md" 8<>"$work/eight"
train 3 "DO=$open"
exec 7<&- 8<&-
expect 'a rank has its streams, the steps and the rendezvous only' \
  "0: /dev/null
0: $work/printed
0: $work/said
0: /memfd:knead-steps (deleted)
0: /memfd:knead-rendezvous (deleted)
1: /dev/null
1: /memfd:knead-rank-1 (deleted)
1: /memfd:knead-rank-1 (deleted)
1: /memfd:knead-steps (deleted)
1: /memfd:knead-rendezvous (deleted)" "$(cat "$NOTES".[01].open)"
rm -f -- "$NOTES".*
status=0
DO='[[ -e /proc/self/fd/0 && -e /proc/self/fd/2 ]] || exit 5; count 5' \
  timeout --kill-after=1 60 "$program" run good.yaml distributed.ranks=2 <&- 2>&- >&- || status=$?
expect 'ranks start without standard streams' 0 $status

# --- failures -------------------------------------------------------------------------------------

# fails SENTENCE DO EXPECTED: rank 2 of 4 fails; the others notice, or do not.
fails() {
  train 4 DO=lose DO_2="sleep 0.1; $2"
  expect "$1, and the others notice" "$3" "${result//knead: rank 0 lost the others$'\n'/}"
  train 4 DO=hang DO_2="$2"
  expect "$1, and the others hang" "$3" "$result"
}
report_it="     = please report it, with the recipe, its model and what 'knead env' prints"
# shellcheck disable=SC2016  # $$ is the rank
{
  fails 'SIGKILL' 'kill -KILL $$' "6 knead: rank 2 was ended by SIGKILL
     = SIGKILL is mostly the kernel's out-of-memory killer; see its log"
  fails 'SIGSEGV' 'echo at layer 3 >&2; kill -SEGV $$' "6 knead: rank 2 was ended by SIGSEGV
$report_it
  rank 2: at layer 3"
  fails 'SIGABRT' 'echo "terminate called"; kill -ABRT $$' "6 knead: rank 2 was ended by SIGABRT
$report_it
  rank 2: terminate called"
}
fails 'exit 3' 'echo "knead: no such file" >&2; exit 3' '3 knead: rank 2 ended with code 3
  rank 2: knead: no such file'
fails 'exit 200' 'exit 200' "1 knead: knead-engine ended with code 200, as rank 2
     = please report it, with what 'knead env' prints"
train 3 DO=lose
expect 'all ranks lose each other' '6 knead: rank 0 lost the others' "$result"
train 3 DO='lose 0' DO_1=hang
expect 'a rank that hangs is named' '6 knead: rank 0 lost the others
knead: rank 1 hung, and had to be killed' "$result"
train 3 DO=hang DO_0='echo "knead: no memory" >&2; exit 5'
expect 'rank 0 has said why it failed' '5 knead: no memory' "$result"
train 3 DO='echo "knead: no data" >&2; exit 3'
expect 'what all ranks say is printed once' '3 knead: no data' "$result"
train 3 DO='lose 0' DO_1='sleep 1; kill -SEGV $$'
expect 'a crash that ends later than those who notice it' "6 knead: rank 0 lost the others
knead: rank 1 was ended by SIGSEGV
$report_it" "$result"
train 4 KNEAD_ENGINE="$work/missing"
expect 'a program that cannot be started' "3 knead: cannot start '$work/missing': No such file or directory
     = build it with tools/build, or set KNEAD_ENGINE to the program" "$result"

# shellcheck disable=SC2016
says='printf "\033]0;title\007"; for i in {1..20}; do printf "\033[31mline %s\033[0m\r\n" $i; done
  printf "50%%\r60%%\n\tbell \007 \xff \033(B\xc2\x9b31m\n" >&2; kill -SEGV $$'
train 2 DO=lose DO_1="$says"
expect 'the last lines of a rank, without control characters' "6 knead: rank 1 was ended by SIGSEGV
$report_it
$(printf '  rank 1: line %s\n' {13..20})
  rank 1: 60%
  rank 1:  bell ? ? ??31m" "${result//knead: rank 0 lost the others$'\n'/}"

# --- processes of ranks ---------------------------------------------------------------------------

# shellcheck disable=SC2016
for end in 'exit 0' 'exit 3' 'kill -KILL $$'; do
  train 2 DO=lose DO_0='sleep 600 & echo $! >>"$NOTES.0"; sleep 0.2' \
    DO_1="sleep 600 & echo \$! >>\"\$NOTES.1\"; $end"
  [[ $(processes | wc -l) == 4 ]] || fail 'the ranks have children'
done

# --- signals --------------------------------------------------------------------------------------

for signal in INT TERM USR1 HUP; do
  start 3
  kill -s $signal "$runner"
  [[ $signal != HUP ]] || signal=TERM
  ended "SIG$signal reaches all ranks" "75 [$signal $signal $signal] "
done

start 3 DO_1="trap '' INT; echo ready >\"\$NOTES.1.ready\"; hang"
kill -INT "$runner"
within 5 test -s "$NOTES.0.signals" || fail 'SIGINT reaches rank 0'
sleep 0.2
kill -INT "$runner"
ended 'a second SIGINT kills all' '130 [INT INT] knead: interrupted twice: ended at once'

start 3
kill -KILL "$runner"
ended 'ranks do not outlive a launcher that is killed' '137 [] '

# shellcheck disable=SC2016
start 3 DO_2='echo ready >"$NOTES.2.ready"; hang'
kill -TERM "$runner"
ended 'a rank that cannot take signals yet' '75 [TERM TERM] knead: stopped before the run could take the signal'

start 3
kill -TSTP "$runner"
within 5 are T || fail 'all ranks are suspended with knead' "$(processes)"
kill -CONT "$runner"
within 5 are SR || fail 'and continued'
kill -TERM "$runner"
ended 'a run that was suspended is stopped' '75 [TERM TERM TERM] '

# --- restarts -------------------------------------------------------------------------------------

# shellcheck disable=SC2016
dies='echo >>"$NOTES.starts"; [[ $(wc -l <"$NOTES.starts") -ge 3 ]] || kill -KILL $$; count 5'
train 3 DO='count 5' DO_1="$dies" -- distributed.restarts=3
expect 'lost ranks are started again' "0 counted 15
knead: rank 1 was ended by SIGKILL; starting all ranks again (1 of 3)
     = SIGKILL is mostly the kernel's out-of-memory killer; see its log
knead: rank 1 was ended by SIGKILL; starting all ranks again (2 of 3)
     = SIGKILL is mostly the kernel's out-of-memory killer; see its log" "$result"
train 2 DO='lose 0' -- distributed.restarts=1
expect 'restarts are counted' '6 knead: rank 0 lost the others
knead: a rank was lost; starting all ranks again (1 of 1)
knead: rank 0 lost the others' "$result"
train 2 DO='exit 3' -- distributed.restarts=3
expect 'other failures are final' '3 ' "$result"
# shellcheck disable=SC2016
train 1 DO='[[ $(wc -l <"$NOTES.0") -ge 2 ]] || kill -SEGV $$' -- distributed.restarts=1
expect 'a single rank is started again' "0 knead: rank 0 was ended by SIGSEGV; starting it again (1 of 1)
$report_it" "$result"
# shellcheck disable=SC2016
start 2 DO_1='trap "kill -SEGV \$\$" TERM; echo ready >"$NOTES.1.ready"; rest'
kill -TERM "$runner"
ended 'a run that was asked to stop is not started again' "6 [TERM] knead: rank 1 was ended by SIGSEGV
$report_it"

# --fresh is about the old run.
# shellcheck disable=SC2016
crash='printf "%s " "$@" | grep -o -- --fresh; [[ $(wc -l <"$NOTES.0") -ge 2 ]] || { eval "$BEFORE"; kill -KILL $$; }'
for before in 'mv runs/good runs/good.old-1' :; do
  mkdir -p runs/good/checkpoints
  train 1 "DO=$crash" BEFORE="$before; mkdir -p runs/good/checkpoints" -- distributed.restarts=1 --fresh
  [[ $before == : ]] && expected=2 || expected=1
  expect "--fresh after '$before'" "$expected" "$(grep -c -- --fresh "$work/printed")"
done

# --- many at once ---------------------------------------------------------------------------------

rm -f -- "$NOTES".*
for number in {1..20}; do
  NOTES=$work/many-$number DO='count 5' timeout --kill-after=1 100 "$program" run good.yaml distributed.ranks=2 \
    </dev/null >/dev/null 2>"$work/many-said-$number" && echo ended >"$work/many-ended-$number" &
done
wait
expect '20 launchers at once' 20 "$(cat "$work"/many-ended-* | wc -l)"

finish 'ranks start and end as they should'
