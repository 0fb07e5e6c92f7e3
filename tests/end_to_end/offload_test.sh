#!/usr/bin/env bash
# Checks that ranks get the same numbers wherever their parameters and the optimizer's state lie, and that nothing stays
# on the disk that held them: offload_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
knead=$build/knead
recipe=$root/tests/end_to_end/recipes/digits.yaml
cd "$work"

# Each part of a parameter is larger than what is too small for a file.
wide='model.args={inputs: 64, hidden: [1200, 300], outputs: 10}'

# trains NAME DISTRIBUTED OVERRIDE…
trains() {
  local name=$1 distributed=$2
  shift 2
  "$knead" run "$recipe" "output=$work/runs" "name=$name" "$wide" 'optimizer={type: adamw, lr: 1e-3}' 'train=6 steps' \
    'checkpoint.every=2 steps' "distributed=$distributed" "$@" >"$name.said" 2>&1
}

for export in '' 'export={to: [torchscript, safetensors]}'; do
  rm -rf runs
  trains kept '{ranks: 2, strategy: zero3}' ${export:+"$export"} || fail 'the run trains' "$(cat kept.said)"
  for what in optimizer parameters; do
    trains $what "{ranks: 2, strategy: zero3, offload: {what: $what, path: $work/scratch}}" ${export:+"$export"} ||
      fail "$what on a disk: the run trains" "$(cat $what.said)"
    expect "$what on a disk: the same numbers" "$(outcome runs/kept)" "$(outcome runs/$what)"
    expect "$what on a disk: nothing stays there" '' "$(ls -A scratch)"
  done
done
for what in optimizer parameters; do
  expect "$what on a disk: the same weights" "$(sha256sum <runs/kept/export/model.safetensors)" \
    "$(sha256sum <runs/$what/export/model.safetensors)"
  expect "$what on a disk: the same archive" "$(unzip -p runs/kept/export/model.pt | sha256sum)" \
    "$(unzip -p runs/$what/export/model.pt | sha256sum)"
done

# A run goes on from any place in any other.
trains parts "{ranks: 2, strategy: zero3, offload: {what: parameters, path: $work/scratch}}" 'train=4 steps' ||
  fail 'the first steps' "$(cat parts.said)"
trains parts '{ranks: 2, strategy: zero3}' || fail 'it goes on without the disk' "$(cat parts.said)"
expect 'it ends as if nothing had been' "$(outcome runs/kept | grep safetensors)" "$(outcome runs/parts | grep safetensors)"

# Without a folder for temporary files the model is built in memory.
TMPDIR=$work/missing trains nowhere '{ranks: 2, strategy: zero3}' || fail 'no temporary folder' "$(cat nowhere.said)"
expect 'no temporary folder: the same numbers' "$(outcome runs/kept)" "$(outcome runs/nowhere)"

# Under auto the model lies in files until the strategy is known, and moves to memory if it stays whole.
trains whole '{ranks: 2, strategy: data_parallel}' || fail 'data_parallel' "$(cat whole.said)"
trains chosen '{ranks: 2, strategy: auto}' || fail 'auto' "$(cat chosen.said)"
expect 'auto takes data_parallel' 1 "$(grep -c 'strategy  *data_parallel: the first that fits' chosen.said)"
expect 'auto: the same numbers' "$(outcome runs/whole)" "$(outcome runs/chosen)"

# refused NAME CODE MESSAGE DISTRIBUTED
refused() {
  local status=0
  trains refused "$4" || status=$?
  expect "$1: exit code" "$2" $status
  expect "$1: the message" "$3" "$(grep -m 1 -A 1 'knead: ' refused.said)"
}
if [[ -d /dev/shm && -w /dev/shm ]]; then
  refused 'a folder in memory' 3 "knead: no memory can be laid into /dev/shm: it lies in the memory of the machine (tmpfs)
     = name a folder of a local disk in distributed.offload.path" \
    '{ranks: 2, strategy: zero3, offload: {what: parameters, path: /dev/shm}}'
fi

finish 'parameters and states on a disk change no number'
