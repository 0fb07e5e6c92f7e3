#!/usr/bin/env bash
# The engine asks the driver before LibTorch can: driver_test.sh ROOT BUILD TORCH
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2") torch=$3
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
cd "$root"

run() { "$build/knead" run recipes/digits.yaml "$@" 2>&1 >/dev/null || echo "exit $?"; }
# with_driver COMMAND…: where a driver with one device is seen.
with_driver() { (export LD_LIBRARY_PATH=$build/fake_driver && "$@"); }

if [[ -e /proc/driver/nvidia/version ]]; then
  skip 'what is said without a driver: there is one'
else
  expect 'device: cuda without a driver' "knead-engine: device is cuda, and there is no NVIDIA driver with a device
     = write device: cpu, or auto
exit 3" "$(run device=cuda)"
fi
if [[ -e $torch/../nvidia/cublas || -e $torch/../nvidia/cu13/lib/libcublas.so.13 ]]; then
  skip 'a driver without the CUDA wheels: they are installed'
else
  said=$(with_driver run)
  expect 'a driver without the CUDA wheels: what and where' "knead-engine: LibTorch's CUDA half cannot be loaded" "${said%% loaded:*} loaded"
  expect 'a driver without the CUDA wheels: the remedy and the exit code' \
    "     = install the whole wheel, 'pip install torch==2.11.0', and set KNEAD_TORCH to its torch folder; or write device: cpu
exit 3" "$(tail -n 2 <<<"$said")"
  expect 'a driver, but device: cpu' 'understood; this version reads recipes and data, it does not train yet' \
    "$(with_driver run device=cpu | tail -n 1)"
fi

finish 'the engine finds out about CUDA as it should'
