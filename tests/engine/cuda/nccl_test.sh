#!/usr/bin/env bash
# Checks what ranks do by NCCL, with a stand-in for NCCL and one for the device: nccl_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../../..
source "$root/tests/house/expect.sh"

export LD_LIBRARY_PATH=$build/stand_in_nccl STAND_IN_NCCL_FOLDER=$work/memory
mkdir "$STAND_IN_NCCL_FOLDER"
timeout=60

# rank SCENARIO RANK RANKS CARRIER: runs one rank and prints what it says, with its exit code if that is not 0.
rank() {
  "$build/nccl_rank" "$1" "$2" "$3" "$work/rendezvous" "$timeout" "$4" >"$work/said.$2" 2>&1 ||
    echo "exit $?" >>"$work/said.$2"
} 2>/dev/null # of a shell whose command was killed

# ranks SCENARIO RANKS [CARRIER [SCENARIO_OF_LAST CARRIER_OF_LAST]]: runs ranks and prints what they say, once if all say
# the same. The last one may do something else.
ranks() {
  local scenario=$1 count=$2 carrier=${3:-nccl} last=$(($2 - 1)) i
  rm -f -- "$work/rendezvous" "$work"/said.*
  for ((i = 0; i < last; ++i)); do rank "$scenario" "$i" "$count" "$carrier" & done
  rank "${4:-$scenario}" "$last" "$count" "${5:-$carrier}" &
  wait
  for ((i = 1; i < count; ++i)); do
    cmp --silent "$work/said.0" "$work/said.$i" || break
  done
  if ((i == count)); then
    cat "$work/said.0"
  else
    for ((i = 0; i < count; ++i)); do sed "s/^/$i: /" "$work/said.$i"; done
  fi
}

# --- operations that go well ----------------------------------------------------------------------

for count in 2 4; do
  expect "$count ranks add" '36 sums are right' "$(ranks sums $count)"
  expect "$count ranks copy from rank 0" '5 tensors are those of rank 0' "$(ranks copies $count)"
  expect "$count ranks add gradients that they reach in different orders" '10 gradients are right' \
    "$(ranks gradients $count)"
done
for scenario in sums copies gradients; do
  expect "Gloo does the same through host memory: $scenario" "$(ranks $scenario 2)" "$(ranks $scenario 3 gloo)"
done
on_cpu=$(ranks training 2 cpu)
expect 'training by Gloo says something' 2 "$(grep -c weights <<<"$on_cpu")"
expect 'training by NCCL gives the bits of the CPU and Gloo' "$on_cpu" "$(ranks training 2)"
expect 'so does training by Gloo through host memory' "$on_cpu" "$(ranks training 2 gloo)"
expect 'a sum that nobody waits for ends with its group' left "$(ranks leaves 2)"

# --- ranks that do not fit together ---------------------------------------------------------------

# fails WORDS: prints what both of two ranks say where NCCL fails with these words.
fails() { printf '%s\n' "0: NCCL failed on rank 0: $1" '0: exit 3' "1: NCCL failed on rank 1: $1" '1: exit 3'; }
eight='and rank 0 a sum of 8 numbers of type 7'
expect 'another count' "$(fails "rank 1 calls a sum of 7 numbers of type 7, $eight")" "$(ranks other_count 2)"
expect 'another type' "$(fails "rank 1 calls a sum of 8 numbers of type 8, $eight")" "$(ranks other_type 2)"
expect 'another operation' "$(fails "rank 1 calls a copy of 32 numbers of type 1, $eight")" "$(ranks other_operation 2)"
expect 'a type that NCCL does not add' 'NCCL does not add numbers of the type ComplexFloat
exit 3' "$(ranks unknown_type 2)"
expect 'what the stand-in for NCCL holds the engine to' '3 the stream is none
3 two threads use the communicator
3 the call before goes on
3 the stream does not wait for the work that was queued on the device before
3 the communicator has ended' "$(ranks rules 1)"

# --- ranks that are lost --------------------------------------------------------------------------

# A rank leaves it to knead to say which other rank was lost, by an exit code of its own.
lost='0: rank 0 has lost the connection to another rank
0: exit 106'
expect 'a rank is killed between operations' "$lost
1: exit 137" "$(ranks dies 2)"
expect 'a rank is killed within an operation' "$lost
1: exit 137" "$(ranks dies_within 2)"
expect 'a rank ends with an error' "$lost
1: this rank cannot read its data
1: exit 3" "$(ranks throws 2)"
timeout=1
late='0: rank 0 has waited 1 s for the other ranks
0: exit 6'
expect 'a rank hangs' "$late
1: rank 1 has lost the connection to another rank
1: exit 106" "$(ranks hangs 2)"
expect 'a rank does not come to connect' "$late
1: stayed away" "$(ranks sums 2 nccl stays_away gloo)"

# --- NCCL is not there ----------------------------------------------------------------------------

expect 'an old NCCL' 'NCCL cannot be used: it is version 2.18.5, and this knead was built with VERSION
exit 3' "$(STAND_IN_NCCL_VERSION=21805 ranks sums 2 | sed 's/with [0-9.]*$/with VERSION/')"
cp "$build/nccl_rank" "$work/nccl_rank"
expect 'no plug-in' 'this knead was built without NCCL, which carries gradients between GPUs
exit 3' "$(build=$work ranks sums 2)"

expect 'nothing is left behind' '' "$(ls -A "$STAND_IN_NCCL_FOLDER")"

finish 'ranks reduce by NCCL, and end when it fails'
