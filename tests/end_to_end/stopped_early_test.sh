#!/usr/bin/env bash
# A run that is still fetching its data is stopped at once: stopped_early_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
mkdir "$work/runs"

# A server that takes a request and says nothing.
python3 - "$work/port" "$work/asked" <<'PYTHON' &
import pathlib, socket, sys
server = socket.create_server(("127.0.0.1", 0))
pathlib.Path(sys.argv[1] + ".new").write_text(str(server.getsockname()[1]))
pathlib.Path(sys.argv[1] + ".new").rename(sys.argv[1])
connections = []
while True:
    connections.append(server.accept()[0])
    connections[-1].recv(1000)
    pathlib.Path(sys.argv[2]).touch()
PYTHON
server=$!
trap 'kill "$server"; rm -rf -- "$work"' EXIT

# there FILE: waits for it.
there() {
  for ((i = 0; i < 600; ++i)); do
    [[ ! -e $1 ]] || return 0
    sleep 0.05
  done
  fail "there is $1" "not after 30 s: $(cat "$work/said")"
}
there "$work/port"

cat >"$work/web.yaml" <<YAML
version: 1
name: web
model: {source: $root/models/mlp.py, class: MLP, args: {inputs: 1, hidden: [1], outputs: 2}}
data:
  train:
    type: csv
    url: http://127.0.0.1:$(cat "$work/port")/data.csv
    sha256: 86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed
    fields: {x: {columns: a}, y: {columns: b, dtype: int64}}
loss: {type: cross_entropy, target: y}
batch: 1
optimizer: {type: sgd, lr: 0.1}
train: 1 steps
output: runs
YAML

for signal in INT TERM; do
  rm -f -- "$work/asked"
  KNEAD_HOME=$work/cache "$build/knead" run "$work/web.yaml" >"$work/said" 2>&1 &
  run=$!
  there "$work/asked"
  kill -s "$signal" $run
  status=0
  wait $run || status=$?
  expect "exit code of a run that SIG$signal stops" 75 $status
  expect "what it says" "stopped by SIG$signal before there was anything to save; the same command begins again" \
    "$(tail -n 1 "$work/said")"
  expect 'no folder is left' '' "$(ls "$work/runs")"
done

finish 'a run that is still fetching its data is stopped at once'
