#!/usr/bin/env bash
# Checks that those whom a recipe names are told how a run ended, after a crash too, and that nothing shows the address:
# notify_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
recipe=$root/tests/end_to_end/recipes/digits.yaml
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY no_proxy
python3 "$root/tests/end_to_end/hook_stand_in.py" "$work/port" "$work/told" &
server=$!
trap 'kill $server 2>/dev/null || true; rm -rf -- "$work"; [[ $finished == yes ]] || echo "the test broke off: a command in it failed"' EXIT
until [[ -e $work/port ]]; do sleep 0.05; done
export HOOK="http://127.0.0.1:$(<"$work/port")/secret-path"
export SILENT=${HOOK/secret-path/silent-secret-path} REFUSES=${HOOK/secret-path/refuses-secret-path}
touch "$work/told"

# run NAME OVERRIDE…: trains by the front. Sets `status`.
run() {
  local name=$1
  shift
  status=0
  "$build/knead" run "$recipe" "output=$work" "name=$name" "$@" >"$work/$name.said" 2>&1 || status=$?
}
# told: prints what was told since the last call, without names of machines and folders.
told() {
  sed -E -e 's/"host":"[^"]*","folder":"[^"]*"/PLACE/' -e 's/ \([^ ]*:[^ ]*\)//' -e 's/; best [^"]*//; s/"best":"[^"]*"/BEST/' "$work/told"
  : >"$work/told"
}

run done 'notify=["${env:HOOK}", {type: slack, url: "${env:HOOK}", on: [failed, stopped]}]'
expect 'a run that finishes' "0 /secret-path {\"name\":\"done\",\"end\":\"finished\",\"exit_code\":0,\"step\":15,BEST,PLACE,\"text\":\"done finished after step 15\"}" \
  "$status $(told)"

run unmet 'notify={type: slack, url: "${env:HOOK}", on: failed}' 'expect={metric: validation/loss, at_most: 0}'
expect 'an expectation that is not met' '4 /secret-path {"text":"unmet failed after step 15: an expectation is not met"}' "$status $(told)"

run limited 'train=100000000 steps' 'train.time_limit=1 s' 'notify={type: discord, url: "${env:HOOK}", on: stopped}'
expect 'a run that is stopped' '75 /secret-path {"content":"limited stopped after step N: the same command goes on","allowed_mentions":{"parse":[]}}' \
  "$status $(told | sed -E 's/step [0-9]+/step N/')"

# --- a crash

"$build/knead" run "$recipe" "output=$work" name=killed 'train=100000000 steps' 'notify={type: slack, url: "${env:HOOK}"}' >"$work/killed.said" 2>&1 &
front=$!
until [[ -s $work/killed/metrics.jsonl ]]; do sleep 0.05; done
engine_process=$(pgrep --parent $front)
expect 'the address is no argument of a process' '' "$(tr '\0' ' ' <"/proc/$engine_process/cmdline" | grep secret-path || true)"
kill -KILL "$engine_process"
status=0
wait $front || status=$?
expect 'a run that is killed' '6 /secret-path {"text":"killed failed after step N: a process was lost or hung"}' \
  "$status $(told | sed -E 's/step [0-9]+/step N/')"

# --- those who do not listen

run silent 'notify=["${env:SILENT}", "${env:REFUSES}", "${env:HOOK}"]'
expect 'a run is not harmed by who does not answer' 0 $status
expect 'that is a warning each' "warning: a notice was not sent: the server says 500
warning: a notice was not sent: the server takes more than 5 s" "$(grep 'notice' "$work/silent.said" | sort)"
expect 'the others are told' 1 "$(told | grep -c '^/secret-path')"
HOOK='' run nobody 'notify="${env:HOOK}"'
expect 'an empty variable tells nobody' '0 ' "$status $(told)"
HOOK='ftp://secret-path' run wrong 'notify="${env:HOOK}"'
expect 'an address that is none is not repeated' 'warning: a notice was not sent: its url is no https or http address' \
  "$(grep -a 'notice\|secret' "$work/wrong.said")"

# --- a sweep tells once, its trials nobody

status=0
"$build/knead" sweep "$recipe" "output=$work" name=swept 'sweep={over: {optimizer.lr: [0.001, 0.01]}}' 'notify={type: slack, url: "${env:HOOK}"}' \
  >"$work/swept.said" 2>&1 || status=$?
expect 'a sweep' '0 /secret-path {"text":"swept finished"}' "$status $(told)"

unset HOOK
"$build/knead" evaluate "$work/done" >/dev/null 2>"$work/said" || fail 'a run is evaluated without the address' "$(cat "$work/said")"
expect 'the address stands in no file' '' "$(grep -rl secret-path "$work" | grep -v '/told$' || true)"

finish 'those who are named are told'
