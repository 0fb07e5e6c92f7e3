#!/usr/bin/env bash
# Checks that ranks which torchrun and mpirun start train as those that knead starts: launchers_test.sh ROOT BUILD PYTHON
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2") python=$3
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
runs=$work/runs
mkdir "$runs"
knead=$build/knead
words=("$root/recipes/digits.yaml" "output=$runs" 'checkpoint.every=10 steps' 'train=40 steps' 'expect=[]'
  'distributed.timeout=30 s')

# torchrun OPTION… -- NAME OVERRIDE…
torchrun() {
  local options=()
  while [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  timeout 120 "$python" -m torch.distributed.run "${options[@]}" --no-python "$knead" run "${words[@]}" "name=$2" "${@:3}"
}
# expect_equal NAME SENTENCE: the run has the outcome of the ranks that knead starts.
expect_equal() { expect "$2" "$(outcome "$runs/ranks-$3")" "$(outcome "$runs/$1")"; }

for count in 2 4; do
  "$knead" run "${words[@]}" name=ranks-$count distributed.ranks=$count >"$work/said" 2>&1 ||
    fail "$count ranks train" "$(cat "$work/said")"
done

# --- torchrun ------------------------------------------------------------------------------------------

torchrun --nproc-per-node 2 -- torchrun >"$work/said" 2>&1 || fail 'two ranks of torchrun train' "$(cat "$work/said")"
expect_equal torchrun 'torchrun starts two ranks' 2

timeout 120 "$python" -m torch.distributed.run --nproc-per-node 2 --no-python "$knead" bench --format json "${words[0]}" \
  >"$work/bench" 2>"$work/said" || fail 'two ranks of torchrun make a benchmark' "$(cat "$work/said")"
expect 'ranks of torchrun make one benchmark together' 2 \
  "$("$python" -c 'import json, sys; print(len(json.load(sys.stdin)["ranks"]))' <"$work/bench")"

# two_agents NAME OPTION…: trains with two times two ranks; AGENT in an option is the number of the agent.
two_agents() {
  local name=$1 agent status=0
  shift
  for agent in 1 0; do
    torchrun --nnodes 2 --nproc-per-node 2 "${@//AGENT/$agent}" -- "$name" >"$work/said.$agent" 2>&1 &
  done
  wait %1 || status=$?
  wait %2 || status=$?
  ((status == 0)) || fail "$name trains" "$(cat "$work"/said.?)"
}
# A free port: the system chooses it for a moment.
free_port() { "$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
two_agents agents --rdzv-backend c10d --rdzv-id job --rdzv-endpoint "127.0.0.1:$(free_port)"
expect_equal agents 'two agents of torchrun meet at a store' 4
two_agents static --master-addr 127.0.0.1 --master-port "$(free_port)" --node-rank AGENT
expect_equal static 'two agents of torchrun meet at a fixed address' 4

# A rank that is killed ends the others; torchrun starts all again, and they go on.
torchrun --nproc-per-node 2 --max-restarts 1 --monitor-interval 0.1 -- again --fresh 'train=6000 steps' >"$work/said" 2>&1 &
runner=$!
for ((i = 0; i < 400; ++i)); do
  ! grep -q 'saved step [0-9][0-9][0-9]$' "$runs/again/log.txt" 2>/dev/null || break
  sleep 0.05
done
pkill -KILL -f -- "--rank=1 .*name=again" || fail 'a rank is killed' "$(cat "$work/said")"
wait $runner || fail 'torchrun starts the ranks again' "$(cat "$work/said")"
grep -q 'going on from step' "$runs/again/log.txt" || fail 'they go on from a checkpoint' "$(cat "$runs/again/log.txt")"
"$knead" run "${words[@]}" name=undisturbed distributed.ranks=2 'train=6000 steps' >"$work/said" 2>&1
expect 'ranks that torchrun starts again end as if nothing had been' "$(outcome "$runs/undisturbed")" \
  "$(outcome "$runs/again")"

# --- mpirun ----------------------------------------------------------------------------------------------

if command -v mpirun >/dev/null; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  timeout 120 mpirun -n 2 --oversubscribe "$knead" run "${words[@]}" name=mpi >"$work/said" 2>&1 ||
    fail 'two ranks of mpirun train' "$(cat "$work/said")"
  expect_equal mpi 'mpirun starts two ranks' 2
else
  skip 'mpirun is not here'
fi

finish 'ranks of torchrun and mpirun train as those of knead do'
