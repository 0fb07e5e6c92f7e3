#!/usr/bin/env bash
# Checks the messages of tools/build and the programs that it calls: build_script_test.sh REPOSITORY
set -euo pipefail

repository=$(readlink -f "$1")
# shellcheck source-path=SCRIPTDIR/../..
source "$repository/tests/bootstrap/machine.sh"
make_machine "$repository"

fresh_clone
build --help
expect '--help names the variables' '0 yes' \
  "$status $([[ $printed == *KNEAD_TORCH*KNEAD_HOME* ]] && echo yes)"
build --frnot
expect 'an unknown option is a usage error' '2 knead: unknown option: --frnot' \
  "$status ${said%%$'\n'*}"
expect 'which calls nothing' '' "$(cat "$calls")"

fresh_clone
mkdir -p "$cached.partial/torch" # left by a fetch that was killed
build
expect 'a first build fetches LibTorch' '0 knead: fetching LibTorch 2.11.0' "$status ${said%% (*}"
expect 'and ends with the build' 'knead: building' "${said##*$'\n'}"
expect 'it configures with the cache' \
  "-S $clone -B $clone/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DKNEAD_TORCH:PATH=$cached/torch" \
  "$(called cmake | tail -n 1)"
expect 'before that, it builds the front without' "-C $clone/build knead" \
  "$(called ninja | grep -v ' -n ' | head -n 1)"
expect 'it builds both programs' "-C $clone/build knead knead-engine" "$(called ninja | tail -n 1)"
expect 'it leaves one complete folder' "$cached $cached.lock torch" \
  "$(echo "$cached"*) $(ls "$cached")"
expect 'it installs nothing that is there' '' "$(called apt-get)"

build
expect 'a second build says nothing' '0 ' "$status $said"
expect 'and only asks ninja' "ninja -C $clone/build -n knead knead-engine" "$(cat "$calls")"

rm "$clone/build/knead"
build --front
expect '--front keeps LibTorch' '0 knead: building ' "$status $said $(called cmake)"

rm "$clone/build/knead"
expect 'knead runs where the user is' 'knead in /usr: [lint] [a b] []' \
  "$(on_machine /usr knead lint 'a b' '' 2>"$work/errors")"
expect 'after a build that leaves its output alone' 'knead: building' "$(cat "$work/errors")"

mv "$clone" "$clone that moved"
clone+=' that moved'
build
expect 'a clone that moved is configured anew' "0 knead: building $cached/torch" \
  "$status $said $(configured_torch)"

fresh_clone
: >"$calls"
for _ in first second; do
  on_machine / build 2>>"$work/errors" &
done
wait
expect 'two at once fetch once, configure and build the front and all once' '1 2 2' \
  "$(called python3 | grep -c install) $(called cmake | wc -l) $(called ninja | grep -vc ' -n ')"

fresh_clone
compiler=fails build
expect 'a build that fails shows where' "1 knead: building what needs no LibTorch
FAILED: two.o
two.cpp:3:1: error: no
knead: the build failed; all of its output is in $clone/build/build.log
" "$status ${said#*$'\n'}
$printed"

fresh_clone
begun=$SECONDS
compiler=fails pip=waits build
expect 'a build that fails ends the fetch' "1 $cached.lock" "$status $(echo "$cached"*)"
expect 'at once' yes "$( ((SECONDS - begun < 30)) && echo yes)"

fresh_clone
build --front
expect '--front needs no LibTorch' '0 knead: building' "$status $said"
expect 'and no python' '' "$(called python3)"
build
expect 'a whole build after it fetches' "$cached/torch" "$(configured_torch)"

fresh_clone
pip=fails build
fetching=${said%%$'\n'*}
expect 'a failed fetch is one message' "3 $fetching
knead: building what needs no LibTorch
knead: LibTorch 2.11.0 is needed and cannot be fetched:\
 No matching distribution found for torch==2.11.0
  Connect this machine to a package index (the settings of pip hold) and run this again,
  or set KNEAD_TORCH to the torch folder of an installed PyTorch 2.11.0,
  or run tools/build --front: that is enough to lint recipes." "$status $said"
expect 'and leaves no half folder' "$cached.lock" "$(echo "$cached"*)"

fresh_clone
KNEAD_TORCH="$work/no/where" build
expect 'KNEAD_TORCH without a folder' \
  "3 knead: KNEAD_TORCH=$work/no/where cannot be used: there is no such folder
  It must be the torch folder of an installed PyTorch 2.11.0:
  the one with lib/libtorch_cpu.so in it." "$status $said"
KNEAD_TORCH="$work" build
expect 'KNEAD_TORCH with another folder' \
  "3 knead: KNEAD_TORCH=$work cannot be used: it has no version.py" "$status ${said%%$'\n'*}"
make_torch "$work/old" 2.10.0+cpu
KNEAD_TORCH="$work/old" build
expect 'KNEAD_TORCH of another version' \
  "3 knead: KNEAD_TORCH=$work/old cannot be used: it is PyTorch 2.10.0+cpu" \
  "$status ${said%%$'\n'*}"
make_torch "$work/right" 2.11.0+cpu
KNEAD_TORCH="$work/right" build
expect 'KNEAD_TORCH is used' "0 knead: building $work/right" "$status $said $(configured_torch)"
rm "$clone/build/knead"
build
expect 'and remembered' '0 knead: building ' "$status $said $(called cmake)"

required='g++ cmake ninja-build libyaml-cpp-dev libfmt-dev libspdlog-dev nlohmann-json3-dev'
required+=' libboost-program-options-dev libxxhash-dev'
all=${required/ninja-build/ninja-build ccache mold}
fresh_clone
installed=none build --front
expect 'neither root nor sudo' "3 knead: Debian packages are missing
  As administrator: apt-get update && apt-get install --no-install-recommends $required" \
  "$status $said"
installed=$required build --front
expect 'optional packages are no reason to install' '0 knead: building' "$status $said"
fresh_clone
user=0 installed=none build --front
expect 'root installs them' "0 knead: installing 11 Debian packages: $all" \
  "$status ${said%%$'\n'*}"
expect 'after an update' "update -qq
install --yes -qq --no-install-recommends -o DPkg::Lock::Timeout=600 $all" "$(called apt-get)"

((failures == 0)) || exit 1
echo 'tools/build keeps its word'
