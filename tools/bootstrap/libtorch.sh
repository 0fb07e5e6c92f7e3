# shellcheck shell=bash
# LibTorch: the libraries and headers inside the PyTorch wheel, found on this machine or fetched.

torch_version=2.11.0

# The folder that KNEAD_TORCH asks for, if any.
asked_torch() { [[ -z ${KNEAD_TORCH:-} ]] || absolute_path "$KNEAD_TORCH"; }

# find_torch CONFIGURED: sets `torch`, or returns 1 where it has to be fetched. CONFIGURED is what
# this clone was built with.
find_torch() {
  local problem cache
  torch=$(asked_torch)
  if [[ -n $torch ]]; then
    problem=$(torch_problem "$torch")
    [[ -z $problem ]] || give_up 3 "KNEAD_TORCH=$KNEAD_TORCH cannot be used: $problem" \
      "It must be the torch folder of an installed PyTorch $torch_version:" \
      'the one with lib/libtorch_cpu.so in it.'
    return
  fi
  cache=$(torch_cache)
  usable_torch "$1" || usable_torch "$(torch_of_python)" || usable_torch "$cache/torch"
}

usable_torch() { [[ -n $1 && -z $(torch_problem "$1") ]] && torch=$1; }

# Prints what is wrong with a folder as the torch folder of a wheel; nothing where it is right.
torch_problem() {
  local file version absent
  [[ -d $1 ]] || { echo 'there is no such folder' && return; }
  for file in version.py lib/libtorch_cpu.so lib/libc10.so include/ATen/core/Tensor.h; do
    [[ -e $1/$file ]] || { echo "it has no $file" && return; }
  done
  version=$(sed -n "s/^__version__ = ['\"]\([^'\"]*\)['\"].*/\1/p" "$1/version.py")
  [[ ${version%%+*} == "$torch_version" ]] || { echo "it is PyTorch ${version:-?}" && return; }
  absent=$(ldd "$1/lib/libtorch_cpu.so" 2>/dev/null |
    sed -n 's/^[[:space:]]*\(.*\) => not found$/\1/p')
  [[ -z $absent ]] || echo "its libraries need ${absent//$'\n'/, }, not found"
}

# Asks without importing it, and from a folder where no stray `torch` lies.
torch_of_python() {
  local ask='from importlib.util import find_spec'
  ask+='; print(find_spec("torch").submodule_search_locations[0])'
  (cd / && python3 -c "$ask" 2>/dev/null) || true
}

# The wheel's CUDA libraries weigh 3.4 GB: only where a driver can use them.
has_nvidia_driver() {
  [[ -e /proc/driver/nvidia/version ]] ||
    [[ $(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null) == *libcuda.so.1* ]]
}

torch_cache() {
  local kind=cpu
  ! has_nvidia_driver || kind=cuda
  echo "$(cache_folder)/libtorch-$torch_version-$kind"
}

# begin_fetch: fetches LibTorch into the cache while this script goes on; ends with it. Needs python3
# with pip. What the fetch has to say is kept for end_fetch: it must not come between the lines of a
# build.
begin_fetch() {
  local download=0.6
  ! has_nvidia_driver || download=2.7
  say "fetching LibTorch $torch_version ($download GB) into $(torch_cache)"
  set -m # a process group of its own, so that pip can be ended too
  make_cached "$(torch_cache)" is_torch_set unpack_wheels 2>"$build/fetch.log" &
  fetching=$!
  set +m
  trap 'kill -TERM -- "-$fetching" 2>/dev/null || true; wait "$fetching" || true' EXIT
}

# end_fetch: sets `torch`, or ends this script with what the fetch said.
end_fetch() {
  local code=0
  ! kill -0 "$fetching" 2>/dev/null || say 'waiting for LibTorch'
  wait "$fetching" || code=$?
  trap - EXIT
  ((code == 0)) || { cat -- "$build/fetch.log" && exit "$code"; }
  torch=$(torch_cache)/torch
}

is_torch_set() { usable_torch "$1/torch"; }

# The wheels are only unpacked, never imported: any python3 can fetch those of CPython 3.12.
unpack_wheels() {
  local partial=$1 python machine minor needed=1900 kept=1250
  local wheels=(--no-deps "torch==$torch_version"
    nvidia-cuda-runtime==13.0.96 nvidia-cuda-cupti==13.0.85)
  if [[ $partial == *-cuda.partial ]]; then
    wheels=("torch==$torch_version") needed=7600 kept=4800
  fi
  machine=$(uname -m)
  for ((minor = 28; minor >= 5; --minor)); do
    wheels+=(--platform "manylinux_2_${minor}_$machine")
  done
  python=$(python_with pip) || refuse_without_torch 'there is no python3 with pip'
  (($(free_megabytes "$partial") >= needed)) || refuse_small_disk "$partial" $needed $kept
  mkdir -- "$partial/unpacking" # as large as the result while pip works, and /tmp is often small
  TMPDIR=$partial/unpacking run_pip "$python" --target "$partial" --python-version 3.12 \
    --implementation cp --only-binary :all: --platform "manylinux2014_$machine" "${wheels[@]}" || {
    ! disk_was_full || refuse_small_disk "$partial" $needed $kept
    refuse_without_torch "$(pip_complaint)"
  }
  rm -rf -- "$partial/unpacking"
}

refuse_without_torch() {
  give_up 3 "LibTorch $torch_version is needed and cannot be fetched: $1" \
    'Connect this machine to a package index (the settings of pip hold) and run this again,' \
    "or set KNEAD_TORCH to the torch folder of an installed PyTorch $torch_version," \
    'or run tools/build --front: that is enough to lint recipes.'
}

refuse_small_disk() {
  rm -rf -- "$1/unpacking"
  give_up 3 "the disk is full: fetching LibTorch needs $2 MB, of which $3 MB stay;\
 ${1%/*} has $(free_megabytes "$1") MB left" \
    'Make room, or set KNEAD_HOME to a folder on a larger disk.'
}
