# shellcheck shell=bash
# Debian packages: which ones knead needs, and installing those that are missing.

front_packages=(g++ cmake ninja-build ccache mold libyaml-cpp-dev libfmt-dev
  libspdlog-dev nlohmann-json3-dev libboost-program-options-dev libxxhash-dev)
engine_packages=(libssl-dev ca-certificates zlib1g-dev libturbojpeg0-dev libpng-dev
  libsimdjson-dev libpcre2-dev libutf8proc-dev libzstd-dev)
test_packages=(catch2 librapidcheck-dev libcpp-httplib-dev hyperfine time zsh fish iproute2 openmpi-bin)
pip_packages=(python3 python3-pip)
package_packages=(python3 dpkg-dev file) # the last two say what a .deb depends on
venv_packages=(python3 python3-venv)
interop_packages=(slurm-wlm munge shellcheck chromium prometheus git)
fuzz_packages=(clang libclang-rt-14-dev)
optional_packages=' ccache mold hyperfine time zsh fish iproute2 openmpi-bin ' # faster or more with them, complete without

# lacks_packages PACKAGE…: sets `missing`, and `required` to those of them that are not optional.
# Optional packages alone are no reason to install: where the archive lacks them, every build would
# ask it again.
lacks_packages() {
  local package installed
  missing=() required=()
  command -v dpkg-query >/dev/null || { require_programs && return 1; }
  # shellcheck disable=SC2016  # the format is dpkg-query's
  local format='${db:Status-Status} ${Package}\n'
  installed=$(dpkg-query --show --showformat "$format" "$@" 2>/dev/null) || true
  for package; do
    [[ $'\n'$installed$'\n' != *$'\n'"installed $package"$'\n'* ]] || continue
    missing+=("$package")
    [[ $optional_packages == *" $package "* ]] || required+=("$package")
  done
  ((${#required[@]}))
}

# install_missing LOG, after lacks_packages.
install_missing() {
  local as_root=()
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null || ask_administrator 'Debian packages are missing'
    as_root=(sudo)
    [[ -t 2 ]] || as_root+=(--non-interactive)
  fi
  say "installing ${#missing[@]} Debian package${missing[1]+s}: ${missing[*]}"
  apt_install "${missing[@]}" >"$1" 2>&1 ||
    ask_administrator "Debian packages could not be installed: $(apt_complaint "$1")"
}

apt_install() (
  export DEBIAN_FRONTEND=noninteractive
  export PATH="$PATH:/usr/sbin:/sbin" # `su` may leave root without them
  update_package_lists
  for package; do
    shift
    [[ $optional_packages == *" $package "* ]] && ! apt-cache show "$package" >/dev/null 2>&1 && continue
    set -- "$@" "$package"
  done
  "${as_root[@]}" apt-get install --yes -qq --no-install-recommends -o DPkg::Lock::Timeout=600 "$@"
)

# apt-get waits for the lock of dpkg but not for the one on its lists. What else goes wrong here,
# installing will tell.
update_package_lists() {
  local errors tries
  for ((tries = 0; tries < 150; ++tries)); do
    errors=$("${as_root[@]}" apt-get update -qq 2>&1) && break
    [[ $errors == *'Could not get lock'* ]] || break
    sleep 2
  done
  echo "$errors"
}

# Of what apt-get complains about, the first is the cause; of sudo's lines, the last.
apt_complaint() { grep --max-count 1 '^[EW]: ' "$1" || tail -n 1 "$1"; }

ask_administrator() {
  give_up 3 "$1" \
    "As administrator: apt-get update && apt-get install --no-install-recommends ${required[*]}"
}

require_programs() {
  local program missing=()
  for program in cmake ninja g++; do
    command -v "$program" >/dev/null || missing+=("$program")
  done
  ((${#missing[@]} == 0)) ||
    give_up 3 "programs are missing: ${missing[*]}" \
      "This is no Debian: please install them and the libraries that CMakeLists.txt names."
}
