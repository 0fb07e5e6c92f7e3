# shellcheck shell=bash
# The cache: folders made with pip, complete or absent, shared by all clones of a user.

absolute_path() { realpath --no-symlinks --canonicalize-missing -- "$1"; }

cache_folder() {
  local folder=${KNEAD_HOME:-~/.cache/knead}
  absolute_path "$folder"
}

# make_cached FOLDER COMPLETE FILL: unless `COMPLETE FOLDER` holds already, runs `FILL PARTIAL` on a
# sibling that takes FOLDER's place when done. Whoever comes second waits. A subshell, so that the
# lock ends with it.
make_cached() (
  folder=$1 partial=$1.partial
  mkdir -p -- "${folder%/*}" 2>/dev/null && [[ -w ${folder%/*} ]] ||
    give_up 3 "cannot write to ${folder%/*}" \
      'Set KNEAD_HOME to a folder for LibTorch and other things worth keeping.'
  wait_for_lock "$folder.lock" "another build that makes $folder"
  ! "$2" "$folder" || exit 0
  trap 'rm -rf -- "$partial"' EXIT
  trap 'exit 130' INT TERM
  rm -rf -- "$partial" # its maker is dead: we hold the lock
  mkdir -- "$partial"
  "$3" "$partial"
  sync --file-system "$partial"
  rm -rf -- "$folder"
  mv --no-target-directory -- "$partial" "$folder"
)

# run_pip PYTHON ARGUMENT…: progress goes to a terminal only; what went wrong is left in
# `pip_errors`. Settings of the user that contradict our arguments are switched off, those about
# networks hold.
run_pip() {
  local python=$1
  shift
  if [[ -t 2 ]]; then exec 3>&2; else exec 3>/dev/null; fi
  pip_errors=$(PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_ROOT_USER_ACTION=ignore \
    "$python" -m pip install --no-input --no-cache-dir --no-compile --disable-pip-version-check \
    --retries 2 "$@" 2>&1 >&3)
}

disk_was_full() {
  [[ $pip_errors == *'No space left'* || $pip_errors == *'Disk quota exceeded'* ]]
}

pip_complaint() {
  case $pip_errors in
    *CERTIFICATE_VERIFY_FAILED*)
      echo 'the certificate of the package index is not trusted (PIP_CERT names others)'
      ;;
    *NewConnectionError* | *ConnectTimeout* | *'connection broken'*)
      echo 'no connection to the package index'
      ;;
    *) (grep '^ERROR: ' <<<"$pip_errors" || echo "$pip_errors") | sed -n '$s/^ERROR: //; $p' ;;
  esac
}

# python_with MODULES: the python3 of the PATH may be one without pip where Debian's has it.
python_with() {
  local python
  for python in python3 /usr/bin/python3; do
    "$python" -c "import $1" 2>/dev/null && echo "$python" && return
  done
  return 1
}

free_megabytes() { echo $(($(stat --file-system --format '%a * %S' -- "$1") / 1000000)); }
