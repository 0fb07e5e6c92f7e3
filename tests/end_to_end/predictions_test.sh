#!/usr/bin/env bash
# Checks what a run keeps of its predictions (evaluate.samples): predictions_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
mkdir "$work/runs"
cd "$work"
digits=$root/tests/end_to_end/recipes/digits.yaml
must() { train "$digits" "$work/runs/$1" "${@:2}" || fail "$1 is trained" "$(cat "$work/runs/$1.said")"; }
kept() { (cd "$work/runs/$1/predictions" && sha256sum -- *); }

must plain
must samples evaluate.samples=8
expect 'training does not depend on the predictions' "$(outcome "$work/runs/plain")" "$(outcome "$work/runs/samples")"
expect 'without the key there is no folder' no "$([[ -e runs/plain/predictions ]] && echo yes || echo no)"
python3 - runs/samples <<'PYTHON' || fail 'the file agrees with the evaluation' "$(ls runs/samples/predictions)"
import base64, glob, json, sys
folder = sys.argv[1]
evaluations = [json.loads(line) for line in open(f"{folder}/evaluations.jsonl")]
best = min(evaluations, key=lambda each: each["loss"])["step"]
files = {int(path[-13:-5]): json.load(open(path)) for path in glob.glob(f"{folder}/predictions/*.json")}
assert set(files) == {best, evaluations[-1]["step"]}, (set(files), best)
for step, found in files.items():
    numbers = next(each for each in evaluations if each["step"] == step)
    assert found["samples"] == 297 and found["classes"] == 10 and found["set"] == "validation"
    right = sum(count for target, predicted, count in found["pairs"] if target == predicted)
    assert abs(right / 297 - numbers["accuracy"]) < 1e-12, (right, numbers)
    assert sum(count for _, _, count in found["pairs"]) == 297 == sum(count for count, _, _ in found["bins"])
    assert sum(right for _, right, _ in found["bins"]) == right
    worst, least = [each["loss"] for each in found["worst"]], [each["loss"] for each in found["best"]]
    assert len(worst) == len(least) == 8 and worst == sorted(worst, reverse=True) and least == sorted(least)
    assert least[-1] <= numbers["loss"] <= worst[0]
    for each in found["worst"] + found["best"]:
        assert base64.b64decode(each["picture"])[:8] == b"\x89PNG\r\n\x1a\n" and each["text"] == ""
        assert each["target"] in "0123456789" and 0 < each["confidence"] <= 1
PYTHON

# The same digits on one, two and four ranks: with a learning rate that changes no weight they evaluate equal weights.
still=(evaluate.samples=8 'optimizer={type: sgd, lr: 1e-30}' 'train=3 steps' 'schedule=null' 'average=null')
for ranks in 1 2 4; do
  "$build/knead" run "$digits" "output=$work/runs" "name=ranks-$ranks" "distributed=$ranks" "${still[@]}" >said 2>&1 ||
    fail "$ranks ranks evaluate" "$(cat said)"
  expect "what $ranks ranks find" "$(kept ranks-1)" "$(kept "ranks-$ranks")"
done

# A run that was stopped ends with the files of one that was not, and never shows what it has not reached.
for stop in 4 7; do
  status=0
  "$engine" run "$digits" "--stop-after=$stop steps" -- "output=$work/runs" "name=stopped-$stop" evaluate.samples=8 >said 2>&1 ||
    status=$?
  expect "the run stops after step $stop" 75 $status
  must "stopped-$stop" evaluate.samples=8
  expect "what a run finds that was stopped after step $stop" "$(kept samples)" "$(kept "stopped-$stop")"
done
cp -r runs/samples runs/behind
touch runs/behind/predictions/step-99999999.json
must behind evaluate.samples=8
expect 'a file behind the checkpoint is removed' "$(kept samples)" "$(kept behind)"

# Numbers: all pairs of what is true and what was predicted, and no classes.
train "$root/tests/end_to_end/recipes/diabetes.yaml" "$work/runs/numbers" evaluate.samples=4 ||
  fail 'numbers are trained' "$(cat runs/numbers.said)"
python3 - runs/numbers/predictions <<'PYTHON' || fail 'numbers have points' "$(ls runs/numbers/predictions)"
import glob, json, sys
for path in glob.glob(f"{sys.argv[1]}/*.json"):
    found = json.load(open(path))
    assert found["classes"] == 0 and not found["pairs"] and not found["bins"], found
    assert len(found["points"]) == min(found["samples"], 500) and len(found["worst"]) == 4, found
    assert all(each["text"] and not each["picture"] for each in found["worst"]), found
    assert found["worst"][0]["confidence"] == "NaN" and found["worst"][0]["target"], found
PYTHON

# The report has all of it in one file.
"$build/knead" report runs/samples --html page.html >said 2>&1 || fail 'a report is written' "$(cat said)"
for part in 'id="predictions"' 'Confusion matrix' 'expected calibration error' 'Worst predictions' 'data:image/png;base64,' \
  "img-src data:;"; do
  grep -qF "$part" page.html || fail "the report has $part"
done
"$build/knead" report runs/numbers --html numbers.html >said 2>&1 || fail 'a report is written' "$(cat said)"
grep -q 'Predicted (upwards) against true' numbers.html || fail 'the report has the numbers'
"$build/knead" report runs/samples --markdown page.md >said 2>&1 || fail 'a report is written' "$(cat said)"
python3 - runs/samples page.md <<'PYTHON' || fail 'the report in Markdown has the predictions' "$(cat page.md)"
import glob, json, sys
folder, text = sys.argv[1], open(sys.argv[2]).read()
evaluations = [json.loads(line) for line in open(f"{folder}/evaluations.jsonl")]
best = min(evaluations, key=lambda each: each["loss"])["step"]
found = json.load(open(f"{folder}/predictions/step-{best:08}.json"))
assert f"Predictions of 297 samples of the validation set at step {best}<" in text
worst = found["worst"][0]
assert f"| {worst['sample']} | " in text.split("Largest losses:")[1].split("Least losses:")[0]
target, predicted, count = max((each for each in found["pairs"] if each[0] != each[1]), key=lambda each: each[2])
assert f"Most frequent mistakes: {target} taken for {predicted} ({count} ×)" in text
PYTHON
finish 'evaluations keep predictions'
