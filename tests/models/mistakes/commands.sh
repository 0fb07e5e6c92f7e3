# shellcheck shell=bash
# Words for the transcripts of wrong models.

build=$(dirname "$program")
# shellcheck source-path=SCRIPTDIR/../../..
source "$root/tests/launch/waiting_engine.sh"

# said VERB FILE [key=value]…: what knead says is wrong with a model. Lines of layers move, and so does the place where
# the steps of a loop without end are used up: each change of what is counted moves it.
said() {
  local status=0
  "$program" "$1" net.yaml "model.source=$2.py" "${@:3}" >"$work/result" 2>"$work/told" </dev/null || status=$?
  [[ $1 != lint ]] || sed '/ in net.yaml$/d' "$work/result"
  sed -E -e 's|(models/layers/[a-z]+.py):[0-9]+:[0-9]+|\1:LINE:COLUMN|' -e '/^net$/d' -e '/^  [a-z]+ /d' \
    -e '/: this takes too many steps/{s|:[0-9]+:[0-9]+:|:LINE:COLUMN:|;n;N;d}' \
    -e '/^step /d' -e '/^saved /d' -e '/^knead: [0-9]* *(error|the model)/d' "$work/told"
  return $status
}

# tried FILE [key=value]…: what the first of lint, plan and run says that does not take the model. Those after it say
# the same, and no folder is left.
tried() {
  local verb told finder=nobody found=''
  for verb in lint plan run; do
    if told=$(said "$verb" "$@"); then
      [[ $verb != lint ]] || found=$told
    elif [[ $finder == nobody ]]; then
      finder=$verb found=$told
      continue
    fi
    [[ $finder == nobody || $told == "$found" ]] || printf '%s says instead:\n%s\n' "$verb" "$told"
  done
  echo "found by $finder"
  [[ $finder == nobody || ! -e runs ]] || echo 'a folder is left'
  rm -rf runs
  [[ -z $found ]] || printf '%s\n' "$found" >&2
}
