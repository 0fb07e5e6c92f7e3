#!/usr/bin/env bash
# Checks that a server that fails in any way costs a run a warning, and that afterwards every number is there once:
# mlflow_test.sh ROOT BUILD [KILLS [SEED]]
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
kills=${3:-6} seed=${4:-$RANDOM}
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
recipe=$root/tests/end_to_end/recipes/digits.yaml
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY no_proxy
RANDOM=$seed
echo "seed $seed"
servers=()
trap 'kill "${servers[@]}" 2>/dev/null || true; rm -rf -- "$work"; [[ $finished == yes ]] || echo "the test broke off: a command in it failed"' EXIT

# serve NAME [PORT]: starts a server that stands in for MLflow; $work/NAME.port has its port.
serve() {
  python3 "$root/tests/end_to_end/mlflow_stand_in.py" "$work/$1.port" ${2:+"$2"} 2>"$work/$1.errors" &
  servers+=($!)
  until [[ -e $work/$1.port ]]; do sleep 0.05; done
}
# fail_by NAME WAY: lets the server fail from now on.
fail_by() { python3 -c "import sys, urllib.request; urllib.request.urlopen(sys.argv[1], data=b'')" "http://127.0.0.1:$(cat "$work/$1.port")/fail/$2"; }
track_to() { printf 'track={every: 1 step, to: [{type: mlflow, url: "http://127.0.0.1:%s", experiment: e}]}' "$(cat "$work/$1.port")"; }
# checked NAME RUN [STATUS]
checked() { python3 "$root/tests/end_to_end/mlflow_check.py" "$(cat "$work/$1.port")" "$work/$2" ${3:+"$3"} 2>&1 | tail -n 1; }
send_rest() { "$build/knead" track --to mlflow "$1" >"$1.sent" 2>&1 || fail "$2: the rest is sent" "$(cat "$1.sent")"; }

# --- a server as it should be, over a stop

serve good
status=0
"$engine" run "$recipe" --stop-after=7 -- "output=$work" name=whole "$(track_to good)" 'export=safetensors' >"$work/said" 2>&1 || status=$?
expect 'a run is stopped' 75 $status
"$build/knead" run "$recipe" "output=$work" name=whole "$(track_to good)" 'export=safetensors' >"$work/said" 2>&1 || fail 'it goes on' "$(cat "$work/said")"
expect 'the server has every number once' '' "$(checked good whole FINISHED)"
expect 'nothing is warned of' '' "$(grep -i 'mlflow' "$work/said" || true)"
send_rest "$work/whole" 'a whole run'
expect 'what is sent again is not there twice' '' "$(checked good whole FINISHED)"

# --- servers that fail; all at the same time, for two of them cost the run 8 s at its end

try_way() {
  local way=$1 run=$work/by-$1
  serve "$way"
  fail_by "$way" "$way"
  local begin=$SECONDS status=0
  timeout 120 "$build/knead" run "$recipe" "output=$work" "name=by-$way" "$(track_to "$way")" >"$run.said" 2>&1 || status=$?
  expect "$way: the run ends well" 0 $status
  echo "$way: $((SECONDS - begin)) s"
  expect "$way: there is one warning of the server, and one of what is missing" 2 "$(grep -c '^warning: MLflow' "$run.said")"
  expect "$way: control characters of a server are not printed" '' "$(grep -a $'\e\\[31m' "$run.said" || true)"
  fail_by "$way" none
  send_rest "$run" "$way"
  expect "$way: then the server has every number once" '' "$(checked "$way" "by-$way" FINISHED)"
}
ways=(429 500 garbage redirect endless head slow hole half lost)
jobs=()
for way in "${ways[@]}"; do
  (
    failures=0 servers=()
    trap 'kill "${servers[@]}" 2>/dev/null || true' EXIT
    try_way "$way"
    exit $((failures > 0))
  ) >"$work/$way.result" 2>&1 &
  jobs+=($!)
done
for i in "${!jobs[@]}"; do
  wait "${jobs[i]}" || fail "${ways[i]}" "$(cat "$work/${ways[i]}.result")"
  grep -h ' s$' "$work/${ways[i]}.result" || true
done

# --- a server that is not there at first, and comes later

serve late
port=$(cat "$work/late.port")
to=$(track_to late)
kill "${servers[-1]}" && wait "${servers[-1]}" 2>/dev/null || true
rm "$work/late.port"
"$build/knead" run "$recipe" "output=$work" name=late "$to" >"$work/said" 2>&1 || fail 'a run without its server' "$(cat "$work/said")"
expect 'it says what to do' 1 "$(grep -c "^warning: MLflow lacks something of this run: 'knead track $work/late --to mlflow' sends it$" "$work/said")"
status=0
"$build/knead" track --to mlflow "$work/late" >"$work/said" 2>&1 || status=$?
expect 'without a server the rest cannot be sent' 3 $status
serve late "$port"
send_rest "$work/late" late
expect 'the server has every number once, though late' '' "$(checked late late FINISHED)"

# --- kill -9 of the run, and then of `knead track`

serve killed
killed=0
for ((i = 1; i <= kills; ++i)); do
  ((i % 2)) && fail_by killed none || fail_by killed lost
  "$engine" run "$recipe" -- "output=$work" "name=killed-$i" 'train=4000 steps' "$(track_to killed)" >"$work/said" 2>&1 &
  victim=$!
  sleep "$(printf '%d.%06d' $((RANDOM % 3)) $((RANDOM * 30)))"
  kill -KILL $victim 2>/dev/null || true
  status=0
  wait $victim 2>/dev/null || status=$?
  killed=$((killed + (status == 137)))
  fail_by killed none
  if ((i % 3 == 0)) && [[ -e $work/killed-$i/resolved.yaml ]]; then
    timeout --signal KILL "0.$((RANDOM % 9))" "$build/knead" track --to mlflow "$work/killed-$i" >/dev/null 2>&1 || true
  fi
  "$build/knead" run "$recipe" "output=$work" "name=killed-$i" 'train=4000 steps' "$(track_to killed)" >"$work/said" 2>&1 || fail 'a killed run goes on' "$(cat "$work/said")"
  send_rest "$work/killed-$i" "killed run $i"
  expect "run $i, killed, has every number once" '' "$(checked killed "killed-$i" FINISHED)"
done
echo "$killed of $kills runs were killed"

finish 'a server of metrics fails as it likes'
