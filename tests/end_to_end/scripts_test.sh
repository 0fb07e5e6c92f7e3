#!/usr/bin/env bash
# Checks losses and metrics that a recipe writes itself: scripts_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"

# recipe LOSS…: prints a recipe of the digits with a script metric and with these lines as its loss.
recipe() {
  cat <<END
version: 1
name: digits
output: $work
threads: 1
model: {source: $root/models/mlp.py, class: MLP, args: {inputs: 64, hidden: [16], outputs: 10}}
data:
  train:
    type: csv
    path: $root/recipes/data/digits.csv
    fields: {pixels: {columns: "0:64", scale: 0.0625}, digit: {columns: 64, dtype: int64}}
    rows: [0, 640]
  validation: {like: train, rows: [640, 800]}
batch: {size: 32, micro: 8}
optimizer: {type: adamw, lr: 1e-3}
train: 40 steps
evaluate:
  monitor: validation/wrong
  metrics:
    - accuracy
    - type: script
      name: wrong
      goal: minimize
      code: |
        def metric(output, batch):
            return (output.argmax(1) != batch["digit"]).float()
END
  printf '%s\n' "$@"
}

# numbers FIELD RUN: prints a field of each report of a run.
numbers() { sed -E "s/.*\"$1\":([-+.0-9eE]+).*/\1/" "$work/$2/metrics.jsonl"; }

recipe 'loss: {type: cross_entropy, target: digit}' >"$work/built_in.yaml"
recipe 'loss:' '  type: script' '  target: digit' '  code: |' \
  '    def loss(output: Tensor, batch: Dict[str, Tensor]) -> Tensor:' '' \
  '        # a loss for each item' \
  '        return F.cross_entropy(output, batch["digit"], reduction="none")' >"$work/script.yaml"

for name in built_in script; do
  "$build/knead" run "$work/$name.yaml" "name=$name" >"$work/said" 2>&1 || fail "$name trains" "$(cat "$work/said")"
done
# The script adds in another order than the built-in loss, so they agree to five decimals.
expect 'a script loses what the loss of that name does' "$(numbers loss built_in | xargs printf '%.5f\n')" \
  "$(numbers loss script | xargs printf '%.5f\n')"
wrong=$(sed -E 's/.*"accuracy":([.0-9]+),"wrong":([.0-9]+).*/\1 \2/' "$work/script/evaluations.jsonl" |
  awk '{ if ($1 + $2 < 0.999999 || $1 + $2 > 1.000001) print }')
expect 'a script metric sees what accuracy sees' '' "$wrong"
expect 'the goal of a script metric decides which is best' "$("$build/knead" runs "$work/script" | grep -o 'validation/wrong 0.[0-9]\{3\}')" \
  "validation/wrong $(sed -E 's/.*"wrong":([.0-9]+).*/\1/' "$work/script/evaluations.jsonl" | sort -g | head -n 1 | cut -c 1-5)"

# Each kind of mistake in a script is reported at its line in the recipe.
refused() { # refused WHAT LINE… TEXT: checks that a recipe with these lines as its loss is refused with TEXT
  local what=$1 status=0
  shift
  recipe "${@:1:$#-1}" >"$work/wrong.yaml"
  "$build/knead" plan "$work/wrong.yaml" >"$work/said" 2>&1 || status=$?
  [[ $status != 0 ]] || fail "$what is refused" "$(cat "$work/said")"
  expect "$what" "${*: -1}" "$(sed "s|$work/||" "$work/said" | grep -m 1 'error')"
}
head=('loss:' '  type: script' '  target: digit' '  code: |' '    def loss(output: Tensor, batch: Dict[str, Tensor]) -> Tensor:')
refused 'a name that is not there' "${head[@]}" '        return outptu.mean()' \
  "wrong.yaml:31:16: error: name 'outptu' is not defined [model-refused]"
refused 'source that is not Python' "${head[@]}" '        return (output' \
  "wrong.yaml:31:16: error: '(' is never closed [model-syntax]"
refused 'a field that is not there' "${head[@]}" '        return batch["digits"].float().mean()' \
  'wrong.yaml:31:16: error: KeyError: digits [model-failed]'

finish 'recipes have losses and metrics of their own'
