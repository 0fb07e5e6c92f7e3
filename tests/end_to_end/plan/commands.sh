# shellcheck shell=bash
# Defines commands for the transcripts of plan and bench, which run beside copies of the recipes that users have.

cp -R -- "$root/recipes" "$root/models" .

# masked COMMAND…: runs the command and hides the number of threads, which differs between machines.
masked() {
  local status=0
  "$@" >"$work/all" || status=$?
  sed -E -e 's/cpu, [0-9]+ threads?/cpu, N threads/' "$work/all"
  return $status
}

# measured COMMAND…: runs the command and hides the numbers that it measures, which differ from run to run.
measured() {
  local status=0
  "$@" >"$work/all" || status=$?
  sed -E -e 's/(speed +).*( samples)/\1N\2/' -e 's/(waits +).*/\1…/' -e 's/ +[0-9]+\.[0-9]+/ N/g' \
    -e 's/(steps +)[0-9,]+/\1N/' -e 's/(alone in N ms; ).*/\1…/' "$work/all"
  return $status
}

# keys: prints the keys of the JSON object on standard input, with the Python types of their values.
keys() { python3 -c 'import json, sys; [print(key, type(value).__name__) for key, value in json.load(sys.stdin).items()]'; }
