# shellcheck shell=bash
# Makes a machine for one test: a clone in a path with spaces, an empty cache, and a PATH on which
# tests/bootstrap/stub stands in for the programs that install, fetch and compile.

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
clone="$work/a clone with spaces"
export calls=$work/calls KNEAD_HOME="$work/a cache" installed=all user=1000 pip=works compiler=works
unset KNEAD_TORCH
kind=cpu
[[ ! -e /proc/driver/nvidia/version ]] || kind=cuda # the one thing that no stub can hide
cached="$KNEAD_HOME/libtorch-2.11.0-$kind"
failures=0

make_machine() {
  local program
  mkdir "$work/bin"
  for program in bash cat chmod dirname env flock grep mkdir mv readlink realpath rm sed sleep stat \
    stdbuf sync tail tee touch; do
    ln -s "$(command -v "$program")" "$work/bin/$program"
  done
  for program in apt-cache apt-get cmake dpkg-query id ldconfig ldd ninja python3 uname; do
    ln -s "$1/tests/bootstrap/stub" "$work/bin/$program"
  done
}

fresh_clone() {
  rm -rf -- "$clone" "$KNEAD_HOME"
  mkdir -p -- "$clone"
  cp -R -- "$repository/tools" "$clone"
}

on_machine() { (cd "$1" && PATH="$work/bin" "$clone/tools/$2" "${@:3}"); }

# build OPTION…: runs tools/build from another folder; sets `status`, `said` and `printed`, and
# leaves the calls in $calls. Drops the line that says that a build waits for LibTorch: it appears
# only where the fetch ends after the build of the front.
build() {
  : >"$calls"
  status=0
  said=$(on_machine / build "$@" 2>&1 >"$work/printed" |
    sed '/^knead: waiting for LibTorch$/d') || status=$?
  printed=$(cat "$work/printed")
}

called() { sed -n "s|^$1 ||p" "$calls"; }

configured_torch() { called cmake | sed -n '$s/.*KNEAD_TORCH:PATH=//p'; }

make_torch() {
  mkdir -p "$1/lib" "$1/include/ATen/core"
  touch "$1"/{lib/libtorch_cpu.so,lib/libc10.so,include/ATen/core/Tensor.h}
  echo "__version__ = '$2'" >"$1/version.py"
}

# expect SENTENCE EXPECTED GOT: prints the SENTENCE and counts a failure unless both are equal.
expect() {
  [[ $2 != "$3" ]] || return 0
  printf '%s\n  expected: %s\n  got:      %s\n' "$1" "$2" "$3"
  failures=$((failures + 1))
}
