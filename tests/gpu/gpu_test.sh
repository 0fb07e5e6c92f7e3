#!/usr/bin/env bash
# Checks on a real GPU what the other tests check on the CPU and on stand-ins: gpu_test.sh ROOT BUILD [PART …]
#
# Parts run side by side, and share the first GPU that CUDA_VISIBLE_DEVICES shows. Without names, all run.
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
shift 2
first_gpu=${CUDA_VISIBLE_DEVICES-0}
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
export CUDA_VISIBLE_DEVICES=${first_gpu%%,*}
export recipes=$root/tests/end_to_end/recipes here=$root/tests/gpu
device=${KNEAD_TEST_DEVICE:-cuda} # cpu: whether this script works
if [[ $device == cuda ]] && ! "$build/knead" env | grep -q "^cuda .*; LibTorch's CUDA half is loaded"; then
  skip 'there is no GPU, or no LibTorch that can use it; knead env says what there is'
  finished=yes
  exit 77
fi
source "$root/tests/gpu/runs_on_gpu.sh"
source "$root/tests/gpu/training.sh"
source "$root/tests/gpu/uses.sh"
source "$root/tests/gpu/failures.sh"
source "$root/tests/gpu/ranks.sh"

parts=("$@")
[[ ${#parts[@]} != 0 ]] || mapfile -t parts < <(declare -F | sed -n 's/^declare -f part_//p')
cd "$work"
most=$(nproc) begin=$SECONDS bad=()
# run_part NAME: runs a part in a folder of its own.
run_part() {
  set +e
  mkdir "$1" && cd "$1" && failures=0
  "part_$1" >"$work/$1.log" 2>&1
  echo "$failures failures; it ended after $((SECONDS - begin)) s" >>"$work/$1.log"
  ((failures == 0)) || touch "$work/$1.failed"
}
for part in "${parts[@]}"; do
  while (($(jobs -rp | wc -l) >= most)); do wait -n; done
  run_part "$part" &
done
wait
for part in "${parts[@]}"; do
  printf '\n=== %s\n' "$part"
  cat "$part.log"
  [[ ! -e $part.failed ]] || bad+=("$part")
done
[[ ${#bad[@]} == 0 ]] || fail "parts failed: ${bad[*]}"
finish 'a GPU gives the numbers of the CPU, and a run on it goes on as if it had never stopped'
