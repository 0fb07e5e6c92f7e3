# shellcheck shell=bash
# The build tree `$build`: configured with CMake, built with Ninja.

cmake_options=()

cached_setting() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null || true; }

# A tree that moved or was configured for another generator cannot be configured again as it is.
is_our_tree() {
  [[ $(cached_setting CMAKE_HOME_DIRECTORY) == "$root" ]] &&
    [[ $(cached_setting CMAKE_GENERATOR) == Ninja ]]
}

# is_up_to_date TORCH TARGET…: nothing to configure, nothing to build. An empty TORCH is
# whatever is configured.
is_up_to_date() {
  local torch=$1 pending
  shift
  is_our_tree && [[ -z $torch || $(cached_setting KNEAD_TORCH) == "$torch" ]] &&
    pending=$(ninja -C "$build" -n "$@" 2>/dev/null) && [[ $pending == *'no work to do'* ]]
}

# configure TORCH TARGET…, unless that was done.
configure() {
  local torch=$1
  shift
  if ! is_our_tree; then
    rm -rf -- "$build/CMakeCache.txt" "$build/CMakeFiles"
  elif [[ $(cached_setting KNEAD_TORCH) == "$torch" ]] &&
    ninja -C "$build" -n "$@" >/dev/null 2>&1; then
    return
  fi
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DKNEAD_TORCH:PATH="$torch" \
    "${cmake_options[@]}" >"$build/configure.log" 2>&1 || {
    cat "$build/configure.log"
    give_up 1 "CMake failed; what it said is in $build/configure.log"
  }
}

# compile WORDS TARGET…
compile() {
  local words=$1
  shift
  say "$words"
  # Clones share what ccache keeps: paths below the clone do not count.
  export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
  # Else it does not keep what was compiled with precompiled headers.
  export CCACHE_SLOPPINESS=pch_defines,time_macros
  local work
  work=$(whole_work "$@")
  # ninja keeps lines back when it writes to a pipe.
  stdbuf --output=L ninja -C "$build" "$@" 2>&1 | tee -- "$build/build.log" |
    show_progress "$words" "$work" || {
    failing_part "$build/build.log"
    give_up 1 "the build failed; all of its output is in $build/build.log"
  }
}

failing_part() { grep --max-count 1 --after-context 60 '^FAILED: ' "$1" || tail -n 30 "$1"; }
