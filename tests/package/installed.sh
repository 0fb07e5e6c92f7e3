# shellcheck shell=bash
# Defines functions for the tests of packages, which source it after tests/house/expect.sh: they make virtual
# environments and list the libraries that installed programs need.

# shellcheck disable=SC2034  # used by the tests that source this file
# Lists the libraries of libc, and those that LibTorch brings or takes from the system.
system_libraries='libc.so.6 libm.so.6 libdl.so.2 librt.so.1 libpthread.so.0 ld-linux-x86-64.so.2'
torch_libraries='libtorch_cpu.so libc10.so libgomp.so.1 libstdc++.so.6 libgcc_s.so.1'

unset PYTHONPATH PYTHONHOME KNEAD_TORCH LD_LIBRARY_PATH
unset "${!PIP_@}"
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1

# make_environment FOLDER: makes a virtual environment.
make_environment() { "${KNEAD_INTEROP_PYTHON:-python3}" -m venv "$1"; }

# wheel_of PACKAGE: prints the path of the package's only wheel in the folder $dist.
wheel_of() {
  local wheels=("$dist/$1"-*.whl)
  ((${#wheels[@]} == 1)) || fail "there is one wheel of $1" "${wheels[*]}"
  echo "${wheels[0]}"
}

# needed_beyond ALLOWED FILE…: prints the libraries that the files need and the word list ALLOWED lacks.
needed_beyond() {
  objdump -p "${@:2}" | sed -n 's/^ *NEEDED *//p' | sort -u |
    while IFS= read -r library; do [[ " $1 " == *" $library "* ]] || echo "$library"; done
}

# megabytes_over MOST FILE: prints the size of a file that is larger than MOST MB.
megabytes_over() {
  local size
  size=$(stat --format %s "$2")
  ((size <= $1 * 1000000)) || echo "$size bytes"
}
