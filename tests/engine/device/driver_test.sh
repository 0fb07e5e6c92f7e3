#!/usr/bin/env bash
# Checks that the engine asks the driver before LibTorch does: driver_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
cd "$root"

run() { "$build/knead" run recipes/digits.yaml "output=$work" 'train.until=1 step' "$@" 2>&1 >/dev/null || echo "exit $?"; }
# with_driver COMMAND…: runs the command with a fake driver that has one device.
with_driver() { (export LD_LIBRARY_PATH=$build/fake_driver && "$@"); }

if [[ -e /proc/driver/nvidia/version ]]; then
  skip 'what is said without a driver: there is one'
else
  expect 'device: cuda without a driver' "knead: device is cuda, and there is no NVIDIA driver with a device
     = write device: cpu, or auto
exit 3" "$(run device=cuda)"
fi

# The wheel for the CPU lacks several libraries; the loader names the first of them.
torch=$(sed -n 's/^KNEAD_TORCH:PATH=//p' "$build/CMakeCache.txt")
if compgen -G "$torch/../nvidia/cu13/lib/libcublas.so*" >/dev/null; then
  skip "a driver, and a wheel without CUDA's libraries: they are there"
else
  expect "a driver, and a wheel without CUDA's libraries" "knead: LibTorch's CUDA half cannot be loaded: LIBRARY: cannot open shared object file: No such file or directory
     = install the whole wheel, 'pip install torch==2.11.0', and set KNEAD_TORCH to its torch folder; or write device: cpu
exit 3" "$(with_driver run device=cuda | sed 's/loaded: [^:]*:/loaded: LIBRARY:/')"
fi
expect 'device: auto where the system shows no GPU' '  device     cpu' \
  "$(with_driver run | sed -n 's/^\(  device  *cpu\),.*/\1/p')"
expect 'what env says of it' 1 "$(with_driver "$build/knead" env | grep -c "^cuda .*LibTorch's CUDA half")"

expect 'a driver with fewer devices than ranks' 'rank 1 of this machine needs a GPU of its own, and the driver shows 1' \
  "$(with_driver "$build/knead-engine" run --rank=1 --ranks=2 --rendezvous=nowhere recipes/digits.yaml device=cuda 2>&1 |
    sed -n 's/^knead[^:]*: //p')"

# nccl_words FOLDER: prints what env says of NCCL, with the libraries of a folder.
nccl_words() { LD_LIBRARY_PATH=$1 STAND_IN_NCCL_VERSION=29901 "$build/knead" env | sed -n 's/^nccl  *//p'; }
[[ -e /proc/driver/nvidia/version ]] ||
  expect 'what env says of NCCL without a driver' 'not looked for without a device' "$(nccl_words "$build/no_folder")"
if [[ -d $build/stand_in_nccl ]]; then
  expect 'what env says of NCCL' 2.99.1 "$(nccl_words "$build/fake_driver:$build/stand_in_nccl")"
else
  skip 'what env says of NCCL: its headers are not there'
fi

# loadings COMMAND…: prints how often the command loads the driver.
loadings() {
  rm -f "$work/loadings"
  FAKE_DRIVER_LOG=$work/loadings with_driver "$@" >/dev/null
  if [[ -e $work/loadings ]]; then wc -l <"$work/loadings"; else echo 0; fi
}
expect 'env loads the driver' 1 "$(loadings "$build/knead" env)"
expect 'device: cpu leaves the driver alone' 0 "$(loadings run device=cpu name=alone)"

finish 'the engine finds out about CUDA as it should'
