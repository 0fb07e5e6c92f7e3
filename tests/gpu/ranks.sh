# shellcheck shell=bash disable=SC2154 # root, build, recipes, here, device: of gpu_test.sh
# The parts of gpu_test.sh with several ranks.

# ranks NAME COUNT RECIPE OVERRIDE…: trains with ranks that share the GPU. NCCL refuses that within one machine, so each
# rank tells it of a machine of its own.
ranks() {
  local name=$1 count=$2 recipe=$3 rank process status=0 port=$((20000 + RANDOM % 9000)) processes=()
  shift 3
  for ((rank = count - 1; rank >= 0; --rank)); do
    env RANK="$rank" WORLD_SIZE="$count" LOCAL_RANK=0 LOCAL_WORLD_SIZE=1 MASTER_ADDR=127.0.0.1 MASTER_PORT="$port" \
      NCCL_HOSTID="machine-$rank" NCCL_SOCKET_IFNAME=lo NCCL_IB_DISABLE=1 \
      "$build/knead" run "$recipe" "output=$PWD" "name=$name" "device=$device" deterministic=true 'expect=[]' \
      'distributed.timeout=40 s' "$@" >"$name.said.$rank" 2>&1 &
    processes+=($!)
  done
  for process in "${processes[@]}"; do wait "$process" || status=$?; done
  return $status
}

# like_one NAME BOUND COUNT RECIPE OVERRIDE…: ranks have the losses of the run `one`.
like_one() {
  local name=$1 bound=$2 count=$3 recipe=$4
  shift 4
  rm -rf -- many
  ranks many "$count" "$recipe" "$@" || { fail "$count ranks, $name: they train" "$(tail -n 5 many.said.*)" && return; }
  close "$count ranks, $name" "$bound" one many
}

part_ranks() {
  local strategy backend common=('train=20 steps' 'track.every=1 step' 'checkpoint.every=10 steps')
  run "$PWD/one" "$recipes/digits.yaml" "${common[@]}" || { fail 'one process trains' "$(tail one.said)" && return; }
  for strategy in data_parallel zero1 zero2 zero3; do
    for backend in nccl gloo; do
      like_one "$strategy by $backend" 1e-6 2 "$recipes/digits.yaml" "${common[@]}" "distributed.strategy=$strategy" \
        "distributed.backend=${backend}"
    done
  done
}

part_ranks_more() {
  local strategy what common=('train=12 steps' 'track.every=1 step' 'checkpoint.every=6 steps' model.args.config.dropout=0)
  write_text
  run "$PWD/one" text.yaml "${common[@]}" || { fail 'one process trains' "$(tail one.said)" && return; }
  for strategy in data_parallel zero3; do
    like_one "text, $strategy" 1e-6 3 text.yaml "${common[@]}" "distributed.strategy=$strategy"
  done
  for what in optimizer parameters; do
    like_one "text, zero3, $what on the host" 1e-5 2 text.yaml "${common[@]}" \
      "distributed={strategy: zero3, offload: {what: $what}}"
  done
  like_one 'text, bf16, gathered in bf16' 2e-2 2 text.yaml "${common[@]}" 'distributed={strategy: zero3, gather: bf16}' \
    precision=bf16
}

# A rank that is killed ends the others.
part_lost_rank() {
  local i process status=0
  write_text
  ranks lost 2 text.yaml 'train=100000 steps' 'checkpoint.every=20 steps' &
  process=$!
  for ((i = 0; i < 600; ++i)); do
    [[ ! -e lost/checkpoints/step-00000020 ]] || break
    sleep 0.1
  done
  pkill -KILL -n -f "output=$PWD name=lost" || true
  wait $process || status=$?
  expect 'one rank is killed' 1 "$((status == 137 || status == 6))"
  expect 'the other says that it has lost it' 1 \
    "$(cat lost.said.* | grep -c 'knead: rank [01] has lost the connection to another rank')"
}
