#!/usr/bin/env bash
# Checks that each source, which a build compiles joined with others, compiles by itself: alone_test.sh ROOT BUILD [all]
#
# All sources would take half an hour. The test takes those that the last commits touched, and one in forty of all,
# which each commit chooses anew: after some weeks each source had its turn.
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"

readonly most_touched=12 share=40

ninja -C "$build" -t targets all | sed -n 's/^\(.*_alone\.dir\/.*\.o\): CXX_COMPILER.*/\1/p' |
  sort >"$work/objects"
(($(wc -l <"$work/objects") > 300)) || fail 'there is an object for each source' "$(cat "$work/objects")"

commit=$(git -C "$root" rev-parse HEAD 2>/dev/null) || commit=none

# Prints the number of the share that a line belongs to, from 0 to 39.
turn_of() { cksum <<<"$1" | { read -r sum _ && echo $((sum % share)); }; }

# Prints the sources that the last commits touched, the newest first; a header counts as its source.
touched() {
  git -C "$root" log --max-count 20 --name-only --pretty=format: -- schema runner 2>/dev/null |
    sed -n 's/\.\(h\|cpp\)$/.cpp/p' | awk '!seen[$0]++'
}

taken() {
  local source object turn taken=0
  while read -r source && ((taken < most_touched)); do
    object=$(grep -F "/${source##*/}.o" "$work/objects" | grep "^${source%/*}/CMakeFiles/") || continue
    echo "$object"
    taken=$((taken + 1))
  done < <(touched || true)
  turn=$(turn_of "$commit")
  while read -r object; do
    (($(turn_of "$object") != turn)) || echo "$object"
  done <"$work/objects"
}

if [[ ${3:-} == all ]]; then cat "$work/objects"; else taken | sort -u; fi >"$work/taken"
count=$(wc -l <"$work/taken")
((count > 0)) || fail 'some sources are taken'
xargs ninja -C "$build" -k 0 <"$work/taken" >"$work/output" 2>&1 ||
  fail 'each source compiles by itself' "$(grep --after-context 20 '^FAILED: ' "$work/output")"
finish "$count sources compile by themselves"
