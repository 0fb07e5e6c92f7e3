#!/usr/bin/env bash
# Checks evaluations and predictions with a run's best weights: evaluate_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"

knead() { "$build/knead" "$@" 2>"$work/said"; }
refused() { # refused WHAT TEXT ARGUMENT…: checks that knead refuses the arguments with the message TEXT
  local what=$1 text=$2 status=0
  shift 2
  knead "$@" >"$work/printed" || status=$?
  [[ $status != 0 ]] || fail "$what is refused" "$(cat "$work/printed")"
  expect "$what" "$text" "$(sed "s|$work/||g" "$work/said" | head -n 1)"
}

knead run "$root/recipes/digits.yaml" "output=$work" 'train.until=3 epochs' 'expect=[]' || fail 'digits trains' "$(cat "$work/said")"
run=$work/digits
best=$(sed -n 's/.*"set":"validation","loss":\([.0-9]*\).*/\1/p' "$run/evaluations.jsonl" | sort -g | sed -n 1p)

expect 'the best weights give the best loss again' "$best" \
  "$(knead evaluate --format json "$run" | sed -n 's/.*"loss": \([.0-9]*\).*/\1/p')"
expect 'other metrics can be asked for' 'loss accuracy f1 auroc' \
  "$(knead evaluate "$run" 'evaluate.metrics=[accuracy, f1, auroc]' | awk '{ printf "%s%s", sep, $2; sep = " " }')"
expect 'the batch does not matter' "$(knead evaluate "$run" evaluate.batch=7 --set train)" \
  "$(knead evaluate "$run" --set train evaluate.batch=300)"

noise='data.train.transforms=[{type: noise, field: pixels, std: 1}]'
expect 'random transforms are left out of an evaluation' "$(knead evaluate --set train "$run")" \
  "$(knead evaluate --set train "$run" "$noise")"
knead predict --data train --out "$work/plain.npy" "$run" || fail 'the training set is predicted' "$(cat "$work/said")"
knead predict --data train --out "$work/noisy.npy" "$run" "$noise" || fail 'with noise too' "$(cat "$work/said")"
cmp "$work/plain.npy" "$work/noisy.npy" || fail 'random transforms are left out of predictions'

# Each command leaves a damaged checkpoint out and says so.
(cd "$work" && knead evaluate digits >printed)
chosen=$(sed -n 's/^the weights of step //p' "$work/said")
other=$(find "$run/checkpoints" -name 'step-*' -printf '%f\n' | sed 's/step-0*//' | sort -g | grep -vx "$chosen" | tail -n 1)
cp -R "$run" "$work/half"
printf x | dd of="$work/half/checkpoints/$(printf 'step-%08d' "$chosen")/model.safetensors" bs=1 seek=4000 conv=notrunc status=none
for command in 'evaluate' 'predict --data validation --out out.csv' 'export --to safetensors'; do
  # shellcheck disable=SC2086  # several words
  (cd "$work" && knead $command half $([[ $command != export* ]] || echo half.safetensors) >printed) ||
    fail "$command of a run with a damaged checkpoint" "$(cat "$work/said")"
  expect "${command%% *} says which checkpoint is left out" \
    "warning: $(printf 'step-%08d' "$chosen") is left out: model.safetensors is not as it was written: its digest is DIGEST, not DIGEST" \
    "$(head -n 1 "$work/said" | sed -E 's/[0-9a-f]{32}/DIGEST/g')"
  expect "${command%% *} takes another one" "$other" "$(grep -o 'step [0-9]*$' "$work/said" | cut -d' ' -f2)"
done
for folder in "$work/half/checkpoints"/step-*; do rm "$folder/manifest.json"; done
refused 'a run without a checkpoint that is whole' "knead: 'half' holds no checkpoint that is whole" evaluate "$work/half"

# Predictions are the same numbers in four formats; a file may lack the column of the target.
python=$(command -v python3)
cut -d, -f1-64 "$root/recipes/data/digits.csv" | sed -n '1501,1797p' >"$work/unknown.csv"
for format in csv jsonl npy safetensors; do
  knead predict --data validation --out "$work/out.$format" "$run" || fail "$format is written" "$(cat "$work/said")"
  knead predict --data "$work/unknown.csv" --out "$work/more.$format" "$run" || fail "a file is read" "$(cat "$work/said")"
  cmp "$work/out.$format" "$work/more.$format" || fail "$format of the same samples is the same"
done
expect 'a row for each sample' 298 "$(wc -l <"$work/out.csv")"
"$python" - "$work" "$root/recipes/data/digits.csv" >"$work/compared" <<'END'
import csv, json, pathlib, struct, sys

work, data = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
rows = list(csv.DictReader((work / "out.csv").open()))
lines = [json.loads(line) for line in (work / "out.jsonl").read_text().splitlines()]
npy = (work / "out.npy").read_bytes()
header = int.from_bytes(npy[8:10], "little")
assert npy[:8] == b"\x93NUMPY\x01\x00" and (10 + header) % 64 == 0 and b"'shape': (297,10,)" in npy
numbers = struct.unpack("<2970f", npy[10 + header :])
tensors = (work / "out.safetensors").read_bytes()
size = int.from_bytes(tensors[:8], "little")
index = json.loads(tensors[8 : 8 + size])
begin, end = index["output"]["data_offsets"]
assert struct.unpack("<2970f", tensors[8 + size + begin : 8 + size + end]) == numbers
right = 0
truth = [int(line.rsplit(",", 1)[1]) for line in data.read_text().split()[1500:1797]]
for row, line, digit, i in zip(rows, lines, truth, range(297)):
    here = numbers[10 * i : 10 * i + 10]
    assert [struct.unpack("<f", struct.pack("<f", float(row[f"output_{k}"])))[0] for k in range(10)] == list(here)
    assert [struct.unpack("<f", struct.pack("<f", each))[0] for each in line["output"]] == list(here)
    assert int(row["class"]) == line["class"] == max(range(10), key=lambda k: here[k])
    right += int(row["class"]) == digit
print(f"{right / 297:.6g}")
END
expect 'predictions are as good as the metric says' "$(knead evaluate "$run" | awk '$2 == "accuracy" { print $3 }')" \
  "$(cat "$work/compared")"

# Classes with names are written by their names, and by their numbers where a file holds numbers alone.
awk -F, -v OFS=, '{ $65 = "\"digit, " $65 "\""; print }' "$root/recipes/data/digits.csv" >"$work/words.csv"
categories=$(printf '"digit, %d",' {0..9})
knead run "$root/recipes/digits.yaml" "output=$work" name=named 'train.until=1 epochs' 'expect=[]' "data.train.path=$work/words.csv" \
  "data.train.fields.digit={columns: 64, categories: [${categories%,}]}" || fail 'a model of words trains' "$(cat "$work/said")"
for format in csv jsonl safetensors; do
  knead predict --data validation --out "$work/named.$format" "$work/named" || fail "names in $format" "$(cat "$work/said")"
done
"$python" - "$work" <<'END' || fail 'names are those of the numbers'
import csv, json, pathlib, struct, sys

work = pathlib.Path(sys.argv[1])
tensors = (work / "named.safetensors").read_bytes()
size = int.from_bytes(tensors[:8], "little")
begin, end = json.loads(tensors[8 : 8 + size])["class"]["data_offsets"]
names = [f"digit, {k}" for k in struct.unpack("<297q", tensors[8 + size + begin : 8 + size + end])]
assert [row["class"] for row in csv.DictReader((work / "named.csv").open())] == names
assert [json.loads(line)["class"] for line in (work / "named.jsonl").read_text().splitlines()] == names
assert len(set(names)) > 3
END

# Data are not replaced by what is predicted from them, by whatever name.
ln "$work/unknown.csv" "$work/linked.csv"
before=$(cksum <"$work/unknown.csv")
refused 'predictions into their own data' "knead: predictions would replace unknown.csv, which is data" predict --data "$work/unknown.csv" --out "$work/linked.csv" "$run"
refused 'predictions into the data of training' "knead: predictions would replace words.csv, which is data" predict --data "$work/unknown.csv" --out "$work/words.csv" "$work/named"
expect 'data stay as they are' "$before" "$(cksum <"$work/unknown.csv")"

# Whether a run is as good as expected stands in the list of runs, for programs.
status=0
knead run "$root/recipes/digits.yaml" "output=$work" name=judged 'train.until=1 epochs' \
  'expect=[{metric: validation/accuracy, at_least: 0.1}, {metric: validation/loss, at_most: 0.001}]' || status=$?
expect 'an expectation that is not met' 4 $status
expect 'both verdicts are listed' '[true, false]' \
  "$(knead runs --format json "$work/judged" | "$python" -c 'import json, sys
print(json.dumps([one["met"] for one in json.load(sys.stdin)[0]["expectations"]]))')"

# Whole numbers stay whole: float32 would round each of these to an even one.
cat >"$work/tokens.py" <<'PYTHON'
from torch import nn


class Tokens(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        scores = self.head(x)
        if self.training:
            return scores
        return scores.argmax(1) + 16777217
PYTHON
knead run "$root/recipes/digits.yaml" "output=$work" name=tokens "model={source: $work/tokens.py}" 'train.until=2 steps' \
  'expect=[]' early_stopping=null evaluate=null data.validation=null data.test=null || fail 'a model of tokens trains' "$(cat "$work/said")"
for format in csv jsonl npy; do
  knead predict --data "$work/unknown.csv" --out "$work/tokens.$format" "$work/tokens" || fail "whole numbers in $format" "$(cat "$work/said")"
done
token='167772(1[7-9]|2[0-6])'
expect 'whole numbers in csv' 297 "$(grep -cxE "$token" "$work/tokens.csv")"
expect 'whole numbers in JSON lines' 297 "$(grep -cxE "\{\"output\":$token\}" "$work/tokens.jsonl")"
expect 'whole numbers in npy' "{'descr': '<i8', 'fortran_order': False, 'shape': (297,), }" \
  "$(head -n 1 "$work/tokens.npy" | tr -d '\0' | grep -aoE '\{.*\}')"

refused 'a format that is not known' "knead: 'out.xlsx' does not say how to write predictions" \
  predict --data validation --out "$work/out.xlsx" "$run"
refused 'a set that is not there' 'knead: the recipe of the run has no data.test' evaluate --set test "$run"
refused 'a folder that is not there' "knead: there is no folder 'nowhere'" evaluate "$work/nowhere"
mkdir "$work/nothing"
refused 'a folder that is no run' "knead: 'nothing' holds no checkpoint" evaluate "$work/nothing"
refused 'predict without a file' "knead: 'predict' needs --data and --out" predict "$run"
refused 'a file that is not there' 'knead: cannot read missing.csv: No such file or directory' predict --data "$work/missing.csv" --out "$work/out.csv" "$run"

knead run "$root/recipes/digits.yaml" name=own "output=$work" 'train.until=1 epochs' 'expect=[]' loss=from_model \
  'evaluate.metrics=[]' data.train.fields.pixels.dtype=float64 \
  "model={source: $root/tests/engine/step/float64.py, class: ItsOwnLoss, args: {inputs: 64, outputs: 10}}" ||
  fail 'a model that gives its loss trains' "$(cat "$work/said")"
refused 'predictions of a model that gives its loss' \
  "knead: the model's output for 32 samples has the shape (): it predicts nothing for each of them" \
  predict --data validation --out "$work/out.csv" "$work/own"

finish 'runs are evaluated, and predict'
