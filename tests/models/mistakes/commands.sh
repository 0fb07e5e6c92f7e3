# shellcheck shell=bash
# Words for the transcripts of wrong models.

# said_by VERB FILE …: what knead says about the model of the file.
said_by() {
  knead "$1" net.yaml "model.source=$2.py" "${@:3}" 2>&1 >/dev/null |
    sed -E 's|(models/layers/[a-z]+.py):[0-9]+:[0-9]+|\1:LINE:COLUMN|' | grep -v '^  \(loss\|model\) ' 
}

# tried FILE [key=value]…: what the first verb that finds something wrong says; the verbs after it
# say the same, and leave no folder.
tried() {
  local verb said='' finder=nobody
  for verb in lint plan run; do
    if [[ $finder == nobody ]]; then
      said=$(said_by "$verb" "$@") || finder=$verb
    elif [[ $(said_by "$verb" "$@") != "$said" ]]; then
      echo "$verb says something else:" && said_by "$verb" "$@"
    fi
  done
  echo "found by $finder"
  [[ ! -d runs ]] || echo 'a folder is left'
  rm -rf runs
  echo "$said" >&2
}
