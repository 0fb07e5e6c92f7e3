#!/usr/bin/env bash
# Checks the share of the device's peak that a run reports (track.device_peak): utilization_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
cd "$work"
digits=$root/tests/end_to_end/recipes/digits.yaml
must() { train "$digits" "$work/$1" "${@:2}" || fail "$1 is trained" "$(cat "$work/$1.said")"; }
# agree FOLDER RANKS FORWARDS: the numbers of a run follow from the work that a plan counts. FORWARDS: what a step takes
# of forward; 0: of forward and backward.
agree() {
  python3 - "$work/plan.json" "$@" <<'PYTHON' || fail "$1 reports what follows from its plan" "$(cat "$1/metrics.jsonl")"
import json, sys
plan, folder, ranks, forwards = sys.argv[1:]
flops = json.load(open(plan))["flops"]
work = float(forwards) * flops["forward"] or flops["forward"] + flops["backward"]
lines = [json.loads(line) for line in open(f"{folder}/metrics.jsonl")]
assert lines
for line in lines:
    wanted = work * line["samples_per_second"] / (1e9 * int(ranks))
    assert abs(line["mfu"] - wanted) < 1e-9 * wanted, (line, wanted)
PYTHON
}

"$build/knead" plan "$digits" --format json >plan.json 2>said || fail 'a plan is made' "$(cat said)"
must plain
expect 'without a peak nothing is said of it' no "$(grep -q mfu plain.said plain/metrics.jsonl && echo yes || echo no)"
must known track.device_peak=1e9 'track.to=[csv, tensorboard, prometheus, dvclive]'
agree known 1 0
[[ $(cat known.said) == *'samples/s  mfu '* ]] || fail 'the line of progress shows it' "$(cat known.said)"
[[ $(cat known/metrics.prom) == *'knead_train_mfu_ratio{run="known"} '* ]] || fail 'a sink has it' "$(cat known/metrics.prom)"
expect 'the table keeps its columns' "$(head -n 1 known/metrics.csv | tr -cd , | wc -c)" \
  "$(sed -n 2p known/metrics.csv | tr -cd , | wc -c)"
expect 'training does not depend on it' "$(outcome plain)" "$(outcome known)"

train "$digits" "$work/stopped" --stop-after=7 track.device_peak=1e9 || true
train "$digits" "$work/stopped" track.device_peak=1e9 || fail 'the run goes on' "$(cat stopped.said)"
agree stopped 1 0
expect 'a resumed run is equal' "$(outcome plain)" "$(outcome stopped)"

# Modules that forward runs again are no work of the model: backward is taken as twice forward.
must again track.device_peak=1e9 'activation_checkpointing=[layers.0, layers.2]'
agree again 1 3

"$build/knead" run "$digits" distributed.ranks=2 track.device_peak=1e9 "output=$work" name=ranks >said 2>&1 ||
  fail 'two ranks train' "$(cat said)"
agree ranks 2 0
"$build/knead" report known --html page.html 2>said || fail 'a report is made' "$(cat said)"
[[ $(cat page.html) == *'model FLOPs utilization, share of the peak'* ]] || fail 'the report has a curve of it' ''
finish 'runs report the share of their devices that they use'
