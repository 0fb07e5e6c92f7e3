#!/usr/bin/env bash
# Writes pages on real runs and a real sweep, as users do: report_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
cd "$work"

knead() { "$build/knead" "$@" 2>said; }
# has WHAT FILE TEXT…: expects each text in a file.
has() {
  local what=$1 file=$2
  shift 2
  for text; do
    grep -qF -- "$text" "$file" || fail "$what: '$text' is missing"
  done
}

for lr in 1e-3 1e-2; do
  knead run "$root/recipes/digits.yaml" output=runs "name=lr-$lr" "optimizer.lr=$lr" 'train.until=3 epochs' 'profile=[5, 8]' \
    'expect={metric: validation/accuracy, at_least: 0.5}' || fail 'digits trains' "$(cat said)"
done

# --- a run ---------------------------------------------------------------------------------------

knead report runs/lr-1e-3 || fail 'a run has a report' "$(cat said)"
expect 'the file is named' 'runs/lr-1e-3/report.html' "$(cat said)"
has 'the page of a run' runs/lr-1e-3/report.html 'Finished at step 141' '1 of 1 expectations met' 'validation/accuracy' \
  'class="badge good">best' 'layers.0.weight' 'libtorch 2.11.0' 'backward' 'override &#39;optimizer.lr=1e-3&#39;' 'saved step 141'
expect 'the page names no other file' '' "$(grep -oE '(src|href)="[^#][^"]*"|https?://[^"]*' runs/lr-1e-3/report.html |
  grep -vF 'http://www.w3.org/2000/svg' || true)"

# A page has each report and each evaluation, and the same ones in the data of its script.
reports=$(wc -l <runs/lr-1e-3/metrics.jsonl)
points=$(sed -n 's/.*<script type="application\/json" id="data">\(.*\)<\/script>/\1/p' runs/lr-1e-3/report.html |
  grep -o '"name":"train/loss"[^]]*' | sed 's/.*"x":\[//' | tr ',' '\n' | wc -l)
expect 'the curve of the loss has each report' "$reports" "$points"

before=$(find runs -type f ! -name report.html -exec sha256sum {} + | sort)
knead report runs/lr-1e-3 --html - >page.html
cmp page.html runs/lr-1e-3/report.html || fail 'the page is the same on standard output'
knead report runs/lr-1e-3 --markdown - >page.md
has 'the page in short' page.md '## Run lr-1e-3: ✅ finished' '| train/loss | █' '- ✅ expect validation/accuracy'
expect 'a report changes nothing of the run' "$before" "$(find runs -type f ! -name report.html -exec sha256sum {} + | sort)"

# --- several runs --------------------------------------------------------------------------------

knead report runs/lr-1e-3 runs/lr-1e-2 --html both.html || fail 'two runs have a report' "$(cat said)"
has 'the page of two runs' both.html '<h1>2 runs</h1>' '<code>optimizer.lr</code>' '<code>0.001</code>' '<code>0.01</code>'
knead report runs --html all.html || fail 'a folder of runs has a report' "$(cat said)"
has 'the page of a folder' all.html '<h1>2 runs</h1>' 'lr-1e-2, lr-1e-3'

# --- a run that has stopped, and goes on ---------------------------------------------------------

train "$root/recipes/digits.yaml" runs/stopped --stop-after=60 || expect 'the run stops' 75 $?
knead report runs/stopped --markdown - >stopped.md
has 'the report of a stopped run' stopped.md '## Run stopped: ⏸ stopped' 'Stopped after step 60, and can be resumed'
train "$root/recipes/digits.yaml" runs/stopped || fail 'a stopped run goes on' "$(cat runs/stopped.said)"
knead report runs/stopped
has 'the report of a resumed run' runs/stopped/report.html 'Finished at step 940' '<title>resumed from step 60 at 20'

# --- a sweep -------------------------------------------------------------------------------------

cat >sweep.yaml <<TEXT
extends: [$root/recipes/digits.yaml]
version: 1
name: s
train: {until: 2 epochs}
expect: []
sweep:
  over: {optimizer.lr: [1e-4, 1e-3, 1e-2], batch: [32, 64]}
  seeds: 2
TEXT
knead sweep sweep.yaml output=sweeps --jobs 2 || fail 'the sweep trains' "$(cat said)"
knead report sweeps/s --markdown sweep.md --html sweep.html || fail 'a sweep has a report' "$(cat said)"
has 'the page of a sweep' sweep.html '12 finished' 'Best recipe' 'Parallel coordinates' 'Importance' '6 points, the best first' \
  'the mean of 2 seeds' 'When trials were trained'
has 'a sweep in short' sweep.md '## Sweep s' '### Importance' 'So few points are a hint'
best=$(sed -n 's/^#   optimizer.lr: \([^ ]*\) .*/\1/p' sweeps/s/sweep/best.yaml)
has 'the best recipe' sweep.md "| optimizer.lr | $best | 0.001 |"
expect 'the sweep itself can be named' "$(knead report sweeps/s --markdown -)" "$(knead report sweeps/s/sweep --markdown -)"
trial=$(basename "$(find sweeps/s/sweep -mindepth 1 -maxdepth 1 -type d | head -n 1)")
knead report "sweeps/s/sweep/$trial" --html - >trial.html || fail 'a trial is a run' "$(cat said)"
has 'the page of a trial' trial.html "<h1>$trial</h1>"

finish 'reports say what runs did'
