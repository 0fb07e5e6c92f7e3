# shellcheck shell=bash
# What the bootstrap scripts say, to standard error: standard output belongs to the program.

say() { printf 'knead: %s\n' "$1" >&2; }

# give_up CODE MESSAGE [LINE…]: one message, its lines indented, and the end.
give_up() {
  local code=$1
  say "$2"
  shift 2
  (($# == 0)) || printf '  %s\n' "$@" >&2
  exit "$code"
}

# wait_for_lock FILE WHAT: this process and its children hold the lock until all of them have ended.
wait_for_lock() {
  local lock
  [[ -e $1 ]] || : >"$1"
  exec {lock}<"$1" # reading is enough, also where another user made the file
  flock --nonblock "$lock" || { say "waiting for $2" && flock "$lock"; }
}
