# shellcheck shell=bash
# What the tests of whole runs share: sourced with `root` and `build` set.

# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
engine=$build/knead-engine

# train RECIPE FOLDER OPTION…: one process; its words in FOLDER.said. Returns its exit code.
train() {
  local recipe=$1 folder=$2 status=0
  shift 2
  "$engine" run "$recipe" "$@" -- "output=$(dirname "$folder")" "name=$(basename "$folder")" \
    >"$folder.said" 2>&1 || status=$?
  return $status
}

# outcome FOLDER: everything of a run that must not depend on how it was interrupted: the tensors of
# its last checkpoint, what else is in its state, and its journals, all but times.
outcome() {
  local last
  last=$(find "$1/checkpoints" -maxdepth 1 -name 'step-*' | sort | tail -n 1)
  echo "last $(basename "$last")"
  (cd "$last" && sha256sum -- *.safetensors)
  without_times <"$last/state.json" | sha256sum
  without_times <"$1/metrics.jsonl"
  without_times <"$1/evaluations.jsonl"
}

# The seconds that a run takes, what is computed from them, and where the journals end: their lines
# hold times of other lengths.
without_times() {
  sed -E 's/"(time|seconds|samples_per_second|data_wait|reported_at|saved_at|evaluated_at|[a-z]+\.(jsonl|csv))": ?[-+.0-9eE]+,?//g'
}
