#!/usr/bin/env bash
# Checks that CMake configures without the libraries of tests: configure_test.sh ROOT BUILD
#
# A part of these libraries may be installed alone, because other Debian packages bring it.
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"

torch=$(sed -n 's/^KNEAD_TORCH:[A-Z]*=//p' "$build/CMakeCache.txt")
programs='knead knead-engine'
[[ -n $torch ]] || programs=knead

# configures WHAT OPTION…: checks that CMake without WHAT has the targets of all programs, and none for tests.
configures() {
  local what=$1
  shift
  cmake -S "$root" -B "$work/build" -G Ninja -DKNEAD_TORCH:PATH="$torch" "$@" >"$work/said" 2>&1 || {
    fail "CMake configures without $what" "$(cat "$work/said")"
    return
  }
  expect "the targets without $what" "$programs" \
    "$(ninja -C "$work/build" -t targets all | sed -nE 's/^(knead|knead-engine|tests): .*/\1/p' | sort -u | paste -sd ' ')"
  rm -rf -- "$work/build"
}

configures 'RapidCheck' -DRAPIDCHECK=
configures 'Catch2' -DCMAKE_DISABLE_FIND_PACKAGE_Catch2=ON
finish 'CMake configures without what tests need'
