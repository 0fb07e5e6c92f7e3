#!/usr/bin/env bash
# Checks that a run that still fetches its data, or whose step never ends, can be stopped:
# stopped_early_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
mkdir "$work/runs"

# This server takes a request and never answers.
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

# there FILE: waits up to 30 s until the file exists.
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

# --- steps that take very long

cat >"$work/endless.py" <<'PYTHON'
import torch
from torch import nn


class Endless(nn.Module):
    """Takes hours for a forward pass after so many calls: few operators, each of them long."""

    def __init__(self, calls: int):
        super().__init__()
        self.calls = calls
        self.linear = nn.Linear(10, 1)

    def forward(self, x):
        self.calls -= 1
        if self.calls < 0:
            y = torch.zeros(1500, 1500)
            for i in range(200000):
                y = torch.mm(y, y)
        return self.linear(x).squeeze(1)
PYTHON
cat >"$work/endless.yaml" <<YAML
version: 1
name: endless
model: {source: endless.py, class: Endless, args: {calls: 0}}
data:
  train:
    type: csv
    path: $root/recipes/data/diabetes.csv
    fields:
      x: {columns: [age, sex, bmi, bp, tc, ldl, hdl, tch, ltg, glu]}
      y: {columns: progression, scale: 0.01}
loss: {type: mse, target: y}
batch: 32
optimizer: {type: sgd, lr: 0.01}
train: 5 steps
track: {every: 1 step}
checkpoint: {every: 1 step}
output: runs
YAML

# busy PID: waits up to 30 s until the engine of this process has computed for 2 s.
busy() {
  local engine=
  for ((i = 0; i < 600; ++i)); do
    engine=$(pgrep -P "$1" || true)
    if [[ -n $engine ]] && (($(ps -o cputimes= -p "$engine" || echo 0) >= 2)); then return 0; fi
    sleep 0.05
  done
  fail 'the step begins' "not after 30 s: $(cat "$work/said")"
}

# end PID: waits for the process and leaves its exit code in `status`; kills it after 20 s.
end() {
  (sleep 20 && kill -KILL "$(pgrep -P "$1")" "$1") >/dev/null 2>&1 &
  local watch=$!
  status=0
  wait "$1" || status=$?
  kill $watch 2>/dev/null || true
}

for verb in plan run; do
  for signal in INT TERM; do
    "$build/knead" $verb "$work/endless.yaml" >"$work/said" 2>&1 &
    run=$!
    busy $run
    kill -s "$signal" $run
    end $run
    expect "exit code of a $verb whose first step does not end, after SIG$signal" 75 $status
  done
done
expect 'what it says' 'stopped by SIGTERM before there was anything to save; the same command begins again' \
  "$(tail -n 1 "$work/said")"

# The third step does not end. The first signal asks the run to stop, in vain; the second ends it.
"$build/knead" run "$work/endless.yaml" model.args.calls=2 >"$work/said" 2>&1 &
run=$!
there "$work/runs/endless/checkpoints/step-00000001"
sleep 1
kill -s TERM $run
sleep 0.5
kill -0 $run || fail 'one signal asks a step to end' "$(cat "$work/said")"
kill -s TERM $run
end $run
expect 'exit code of a run whose third step does not end' 75 $status
expect 'what it says then' \
  'stopped by SIGTERM within a step that has not ended since the signal before; the same command goes on from the last checkpoint' \
  "$(tail -n 1 "$work/said" | tr '\r' '\n' | tail -n 1)"

finish 'a run that is still fetching its data, or whose step never ends, can be stopped'
