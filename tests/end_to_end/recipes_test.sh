#!/usr/bin/env bash
# Checks that the recipes that users copy keep their promises: recipes_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"

knead() { "$build/knead" "$@" >"$work/printed" 2>"$work/said"; }

# losses NAME: prints step and loss of every report of a run.
losses() { sed -E 's/.*"step":([0-9]+).*"loss":([-+.0-9eE]+).*/\1 \2/' "$work/$1/metrics.jsonl"; }

for recipe in "$root"/recipes/*.yaml; do
  name=$(sed -n 's/^name: //p' "$recipe")
  here=()
  if grep -q ' url: .*tinyshakespeare' "$recipe"; then
    if [[ ! -f ${SHAKESPEARE:-} ]]; then
      echo "$name: not trained, its text is not part of knead and SHAKESPEARE=FILE names none"
      continue
    fi
    here=(data.train.url=null data.train.sha256=null "data.train.path=$SHAKESPEARE")
  fi
  knead run "$recipe" "output=$work" "${here[@]}" || fail "$name trains, and its expectations are met" "$(cat "$work/said")"
  grep '^expect' "$work/said" | sed "s/^/$name: /"
  knead verify "$work/$name" || fail "$name's checkpoints are whole" "$(cat "$work/printed" "$work/said")"

  cp -R -- "$work/$name" "$work/before"
  knead run "$recipe" "output=$work" "${here[@]}" || fail "$name may be started again" "$(cat "$work/said")"
  grep -q 'finished already' "$work/said" || fail "$name says that it is finished" "$(cat "$work/said")"
  expect "$name is not trained twice" "$(cd "$work/before" && find checkpoints *.jsonl -type f -exec sha256sum {} + | sort)" \
    "$(cd "$work/$name" && find checkpoints *.jsonl -type f -exec sha256sum {} + | sort)"
  rm -rf -- "$work/before"
done

# The size of micro-batches changes memory, not numbers: all losses agree to 6 digits.
knead run "$root/recipes/digits.yaml" batch.micro=8 name=digits-micro8 "output=$work" ||
  fail 'digits trains in smaller pieces' "$(cat "$work/said")"
paste <(losses digits) <(losses digits-micro8) >"$work/losses"
awk '
  { difference = ($2 - $4) / $2; if (difference < 0) difference = -difference; if (difference > most) most = difference
    if ($1 != $3 || !($2 > 0)) wrong = 1; ++reports }
  END { printf "digits: with batch.micro=8 the losses of %d reports differ by %.1g at most\n", reports, most
        exit wrong || reports < 50 || most > 1e-6 }' "$work/losses" || fail 'micro-batches change no loss' "$(head -n 5 "$work/losses")"

finish 'every recipe trains, and keeps its promise'
