#!/usr/bin/env bash
# Checks that data trains alike in every format and for every way to read it: arrays_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
recipe=$root/recipes/digits.yaml
"$build/digits_as" "$root/recipes/data/digits.csv" "$work/as"
mkdir "$work/runs"
runs=$work/runs
short=('train=60 steps' 'track.every=5 steps' 'expect=[]')
words='[zero, one, two, three, four, five, six, seven, eight, nine]'
cd "$work"

# losses NAME: prints the reports and evaluations of a run, without times.
losses() { without_times <"$runs/$1/metrics.jsonl" && without_times <"$runs/$1/evaluations.jsonl"; }

# run NAME SET OPTION…: starts a short run whose data.train is SET. It stops after step `stop`, if that is set.
run() {
  local name=$1 set=$2
  shift 2
  "$engine" run "$recipe" ${stop:+"--stop-after=$stop"} -- "${short[@]}" "data.train=$set" \
    'data.validation={like: train, rows: [1500, 1797]}' "$@" "output=$runs" "name=$name" >"$work/said" 2>&1
}
trains() { stop='' run "$@" || fail "$1 trains" "$(cat "$work/said")"; }

# --- the same numbers in every format ---------------------------------------------------------------

csv="{type: csv, path: $root/recipes/data/digits.csv, fields: {pixels: {columns: '0:64', scale: 0.0625}, digit: {columns: 64, dtype: int64}}, rows: [0, 1500]}"
trains csv "$csv"
trains words "{type: csv, path: as/words.csv, delimiter: ';', fields: {pixels: {columns: '0:64', scale: 0.0625}, digit: {columns: 64, categories: $words}}, rows: [0, 1500]}"
trains npy '{type: npy, fields: {pixels: {path: as/x.npy, scale: 0.0625}, digit: as/y.npy}, rows: [0, 1500]}'
trains npz '{type: npz, path: as/xy.npz, fields: {pixels: {key: x, scale: 0.0625}, digit: y}, rows: [0, 1500]}'
trains idx '{type: idx, fields: {pixels: {path: as/x.idx.gz, scale: 0.0625, shape: [64]}, digit: as/y.idx}, rows: [0, 1500]}'
trains safetensors '{type: safetensors, path: as/xy.safetensors, fields: {pixels: {scale: 0.0625}, digit: {}}, rows: [0, 1500]}'
trains jsonl "{type: jsonl, path: as/xy.jsonl, fields: {pixels: ink.on, digit: {categories: $words}}, rows: [0, 1500]}"
# Packs the digits as samples of two tar archives.
mkdir "$work/samples"
awk -F, -v to="$work/samples" '{
  file = sprintf("%s/%04d", to, NR); pixels = $1
  for (i = 2; i <= 64; ++i) pixels = pixels "," $i
  printf "[%s]", pixels >(file ".json"); close(file ".json")
  printf "%s", $65 >(file ".cls"); close(file ".cls") }' "$root/recipes/data/digits.csv"
(cd "$work/samples" && tar --sort=name -cf "$work/as/0.tar" 0* && tar --sort=name --format=pax -cf "$work/as/1.tar" 1*)
tar="fields: {pixels: json, digit: cls}, rows: [0, 1500], transforms: [{type: normalize, field: pixels, mean: 0, std: 16}]}"
trains tar "{type: tar, path: 'as/?.tar', $tar"
# Trains on packed archives. A run of plain archives goes on with packed ones: the packing does not matter.
export KNEAD_HOME=$work/home
mkdir "$work/packed"
gzip -c "$work/as/0.tar" >"$work/packed/0.tar.gz"
cp "$work/as/1.tar" "$work/packed"
trains packed "{type: tar, path: ['packed/0.tar.gz', 'packed/1.tar'], $tar"
expect 'a packed archive is unpacked' "unpacking $work/packed/0.tar.gz" "$(grep -o '^unpacking [^ ]*' "$work/said")"
stop=31 status=0
run repacked "{type: tar, path: ['as/0.tar', 'as/1.tar'], $tar" || status=$?
((status == 75)) || fail 'a run of plain archives stops' "$(cat "$work/said")"
trains repacked "{type: tar, path: ['packed/0.tar.gz', 'packed/1.tar'], $tar"
expect 'a packed archive is unpacked once' '' "$(grep '^unpacking' "$work/said" || true)"
for name in words npy npz idx safetensors jsonl tar packed repacked; do
  expect "digits train from $name as from csv, to the last bit" "$(losses csv)" "$(losses "$name")"
done

# --- predictions of a file that is read as data.train is --------------------------------------------

# predict RUN FILE OUT OVERRIDE…: writes the run's predictions of FILE to OUT.
predict() {
  "$build/knead" predict --data "$2" --out "$3" "$runs/$1" "${@:4}" 2>"$work/said" ||
    fail "$1: predictions of $2" "$(cat "$work/said")"
}
refused() { # refused WHAT TEXT RUN FILE: checks that predictions of FILE end with the message TEXT
  if "$build/knead" predict --data "$4" --out out.csv "$runs/$3" 2>"$work/said"; then fail "$1 is refused"; fi
  expect "$1" "$2" "$(cat "$work/said")"
}
# numbered FILE: prints predictions with the numbers of the classes that have names.
numbered() {
  awk -F, -v OFS=, -v words="${words//[\[\] ]/}" '
    BEGIN { n = split(words, list, ","); for (i = 1; i <= n; ++i) number[list[i]] = i - 1 }
    $NF in number { $NF = number[$NF] }
    { print }' "$1"
}
predict csv "$root/recipes/data/digits.csv" expected.csv
expect 'a prediction for each row' 1798 "$(wc -l <expected.csv)"
while read -r name file; do
  predict "$name" "$file" "$name.csv"
  cmp expected.csv <(numbered "$name.csv") || fail "predictions of $file are those of the csv file"
done <<'END'
words as/words.csv
npy as/x.npy
npz as/xy.npz
idx as/x.idx.gz
safetensors as/xy.safetensors
jsonl as/xy.jsonl
tar as/?.tar
END
head -n 2 as/xy.jsonl | sed 's/"ink"/"pen"/' >pen.jsonl
refused 'a jsonl file without the field' "knead: pen.jsonl:1: there is no 'ink.on'
     = field 'pixels' reads it" jsonl pen.jsonl

# trains_alike NAME SET OPTION…: checks that a run has the same losses for each of several ways to read the set, and
# for each of several steps to stop after.
trains_alike() {
  local reading stop status
  trains "$@"
  for reading in 'data.workers=0' 'data.workers=1 data.prefetch=1' 'data.workers=3 data.prefetch=7' 'data.workers=8'; do
    rm -rf -- "$runs/again"
    # shellcheck disable=SC2086  # several options
    trains again "${@:2}" $reading
    expect "$1: trains alike with $reading" "$(losses "$1")" "$(losses again)"
  done
  for stop in 1 7 33 47 59; do
    rm -rf -- "$runs/again"
    status=0
    run again "${@:2}" || status=$?
    ((status == 75)) || fail "$1: stops after step $stop" "$(cat "$work/said")"
    trains again "${@:2}"
    expect "$1: goes on from step $stop as if nothing had been" "$(losses "$1")" "$(losses again)"
  done
}

# --- images, transforms and a sampler ----------------------------------------------------------------

augmented="{type: images, path: as/images, channels: 1, transforms: [{type: crop, size: 8, padding: 1}, {type: rotate, degrees: 10}, {type: scale, factor: [0.9, 1.1]}, {type: shift, pixels: 1}, {type: cutout, size: 2}, {type: noise, std: 0.05}, {type: normalize, mean: 0.3, std: 0.4}]}"
images=('data.validation={like: train, hold_out: 297 samples}' 'loss.target=label' 'data.sampler={balanced: label}'
  "model={source: $root/models/cnn.py, args: {channels: 1, widths: [4, 8], classes: 10}}")
trains_alike images "$augmented" "${images[@]}"

# A prediction draws no random transforms; a list of images needs no labels. Batches are equal, because some processors
# round convolutions of other batches otherwise.
predict images as/images folder.csv evaluate.batch=3
expect 'a prediction for each image' 1798 "$(wc -l <folder.csv)"
expect 'the first images are of the first class' 'as/images/eight' "$(find as/images -mindepth 1 -maxdepth 1 | sort | head -n 1)"
{ echo path && find as/images/eight -name '*.png' | sort | sed -n 1,3p; } >list.csv
predict images list.csv list.out.csv evaluate.batch=3
expect 'a list of images gives what its folder gives' "$(head -n 4 folder.csv)" "$(cat list.out.csv)"

# --- a mix of sets, for every way to read it and every step to stop after ----------------------------

npz='{type: npz, path: as/xy.npz, fields: {pixels: {key: x, scale: 0.0625}, digit: y}, rows: [1000, 1500], transforms: [{type: noise, std: 0.05}]}'
mixed="{type: mix, of: [${csv%, rows*}, rows: [0, 1000], weight: 3}, ${npz%\}}, weight: 2}]}"
mixing=('data.validation={like: train, hold_out: 10%}')
trains_alike mix "$mixed" "${mixing[@]}"
refused 'a file for a mix' 'knead: data.train is a mix: a file cannot be read as all of its sets are
     = write --data train, validation or test, and change its files, as in data.test.path=FILE' mix as/xy.npz

finish 'data trains alike in whatever format it comes'
