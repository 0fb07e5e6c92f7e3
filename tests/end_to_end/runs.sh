# shellcheck shell=bash
# Defines functions for the tests of whole runs, which source it with `root` and `build` set.

# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
engine=$build/knead-engine

# train RECIPE FOLDER OPTION…: trains in one process and writes its output to FOLDER.said. Returns its exit code.
train() {
  local recipe=$1 folder=$2 status=0
  shift 2
  "$engine" run "$recipe" "$@" -- "output=$(dirname "$folder")" "name=$(basename "$folder")" \
    >"$folder.said" 2>&1 || status=$?
  return $status
}

# outcome FOLDER: prints everything of a run that no interruption may change: the step of its last checkpoint, digests
# of the tensors and of the state in that, and the journals without times.
outcome() {
  local last
  last=$(find "$1/checkpoints" -maxdepth 1 -name 'step-*' | sort | tail -n 1)
  echo "last $(basename "$last")"
  (cd "$last" && sha256sum -- *.safetensors)
  without_times <"$last/state.json" | sha256sum
  without_times <"$1/metrics.jsonl"
  without_times <"$1/evaluations.jsonl"
}

# Drops the seconds that a run takes, the numbers that are computed from them, and the sizes of the journals, which
# depend on how many digits those numbers have.
without_times() {
  sed -E 's/,"mfu":[-+.0-9eE]+//; s/"(time|seconds|samples_per_second|data_wait|reported_at|saved_at|evaluated_at|[a-z]+\.(jsonl|csv))": ?[-+.0-9eE]+,?//g'
}
