# shellcheck shell=bash
# Words for the transcripts of plan and bench: they run beside copies of the recipes that users have.

cp -R -- "$root/recipes" "$root/models" .

# masked COMMAND…: without what machines decide.
masked() {
  local status=0
  "$@" >"$work/all" || status=$?
  sed -E -e 's/cpu, [0-9]+ threads?/cpu, N threads/' "$work/all"
  return $status
}

# measured COMMAND…: without numbers that are another each time.
measured() {
  local status=0
  "$@" >"$work/all" || status=$?
  sed -E -e 's/(speed +).*( samples)/\1N\2/' -e 's/(waits +).*/\1…/' -e 's/ +[0-9]+\.[0-9]+/ N/g' \
    -e 's/(steps +)[0-9,]+/\1N/' "$work/all"
  return $status
}

# keys: the keys of a JSON object, and what lists hold.
keys() { python3 -c 'import json, sys; [print(key, type(value).__name__) for key, value in json.load(sys.stdin).items()]'; }
