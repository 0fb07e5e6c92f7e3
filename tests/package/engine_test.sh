#!/usr/bin/env bash
# Checks the package of both programs beside an installed PyTorch: engine_test.sh ROOT DIST TORCH
set -euo pipefail

root=$(readlink -f "$1") dist=$(readlink -f "$2") torch=$(readlink -f "$3")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
source "$root/tests/package/installed.sh"
cd "$work"

make_environment v
v/bin/pip install --quiet --no-deps "$(wheel_of knead)"
packages=$(echo v/lib/python3*/site-packages)
export PATH=$work/v/bin:$PATH
expect 'pip is told of LibTorch, and of nothing else' 'torch==2.11.0' \
  "$(sed -n 's/^Requires-Dist: //p' "$packages"/knead-*.dist-info/METADATA)"

carried=$(cd "$packages/knead/lib" && echo -- *)
expect 'the engine and what it carries need nothing else' '' \
  "$(needed_beyond "$system_libraries $torch_libraries $carried" "$packages"/knead/knead-engine "$packages"/knead/lib/*)"
expect 'the terms of what it carries are there' '' \
  "$(for term in libpng16-16 libssl3 zlib1g libyaml-cpp-dev; do
    [[ -s $(echo "$packages"/knead-*.dist-info/licenses/$term) ]] || echo "$term"
  done)"

# trains [VARIABLE=VALUE…]: makes one short run; prints its exit code and the end of its output.
trains() {
  local status=0
  env "$@" knead run digits.yaml train.until='2 steps' expect=null --fresh >said 2>&1 || status=$?
  echo "$status  $(sed 's/, took .*//' said | tail -n 2 | sed "s|$work|HERE|")"
}
remedy="'pip install torch==2.11.0' there, or set KNEAD_TORCH to the torch folder of an installed PyTorch 2.11.0"
knead new digits >/dev/null

expect 'without LibTorch it says what to do' "3  knead: there is no LibTorch in 'HERE/$packages/torch'
     = $remedy" "$(trains)"
[[ $(trains KNEAD_TORCH="$torch") == '0  '* ]] || fail 'LibTorch is elsewhere: it is used' "$(cat said)"
[[ $(trains KNEAD_TORCH="$torch" LD_LIBRARY_PATH=/nowhere) == '0  '* ]] || fail 'whatever else is searched' "$(cat said)"

mkdir -p "$packages/torch/lib"
touch "$packages/torch/lib/libtorch_cpu.so"
echo "__version__ = '2.12.0+cpu'" >"$packages/torch/version.py"
expect 'a LibTorch of another version is refused' "3  knead: 'HERE/$packages/torch' is PyTorch 2.12.0+cpu, and knead needs 2.11.0
     = $remedy" "$(trains)"

rm -r "$packages/torch"
ln -s "$torch" "$packages/torch"
[[ $(trains) == '0  '* ]] || fail 'a recipe runs' "$(cat said)"
expect 'the engine is the installed one' "$work/$packages/knead/knead-engine" \
  "$(knead env | sed -n 's/^engine *//p')"
v/bin/pip install --quiet "$(wheel_of knead_lint)"
[[ $(trains) == '0  '* ]] || fail 'with knead-lint in the same environment too' "$(cat said)"

finish 'pip installs both programs, and they find their LibTorch'
