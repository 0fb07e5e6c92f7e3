#!/usr/bin/env bash
# Checks the parts of the front that transcripts cannot check: front_test.sh ROOT PROGRAM
set -euo pipefail

root=$(readlink -f "$1") program=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
here="$work/a folder"
cp -R -- "$root/tests/front/recipes" "$here"
cd "$here"
export RUN_NAME=one

# knead WORD…: sets `status`, `printed` (standard output) and `said` (standard error).
knead() {
  status=0
  "$program" "$@" >"$work/printed" 2>"$work/said" </dev/null || status=$?
  printed=$(cat "$work/printed")
  said=$(cat "$work/said")
}

# --- help -----------------------------------------------------------------------------------------

# The command line is frozen: a key of a recipe never becomes an option. A new option adds a line to a file of
# tests/front/help/, so that every reviewer sees it.
help=$root/tests/front/help
knead --help
expect 'knead --help' "0 $(cat "$help/knead.txt")" "$status $printed$said"
verbs=$(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' <<<"$printed" | sort)
expect 'there is a text in tests/front/help for each verb, and no other' "$verbs" \
  "$(cd "$help" && for file in *.txt; do [[ $file == knead.txt ]] || echo "${file%.txt}"; done)"
for verb in $verbs; do
  [[ -e $help/$verb.txt ]] || continue
  for way in "help $verb" "$verb --help" "$verb -h" "$verb --nonsense --help"; do
    # shellcheck disable=SC2086  # two words
    knead $way
    expect "knead $way" "0 $(cat "$help/$verb.txt")" "$status $printed$said"
  done
done
for way in help -h; do
  knead "$way"
  expect "knead $way is knead --help" "0 $(cat "$help/knead.txt")" "$status $printed$said"
done
knead
expect 'knead alone is a usage error that helps' "2  $(cat "$help/knead.txt")" "$status $printed $said"

# --- files ----------------------------------------------------------------------------------------

# Root reads every file, so a test as root gives that right up.
as_owner=()
read_all=-dac_override,-dac_read_search
[[ $(id -u) != 0 ]] || as_owner=(setpriv --bounding-set "$read_all" --inh-caps "$read_all")
cp good.yaml unreadable.yaml
chmod 000 unreadable.yaml
expect 'a file that cannot be read' \
  'unreadable.yaml:1:1: error: the recipe cannot be read: Permission denied [missing-file]' \
  "$("${as_owner[@]}" "$program" lint unreadable.yaml 2>&1 | head -n 1)"
rm -f unreadable.yaml
knead lint good.yaml
linted_here=$printed
(cd / && "$program" lint "$here/good.yaml") >"$work/printed"
expect 'a recipe means the same from another folder' "${linted_here/good.yaml/$here/good.yaml}" "$(cat "$work/printed")"

# --- render ---------------------------------------------------------------------------------------

# renders_to_itself FILE [OVERRIDE…]: checks that the rendered recipe lints clean and renders to itself.
renders_to_itself() {
  knead render "$@"
  expect "knead render $* succeeds silently" '0 ' "$status $said"
  cp "$work/printed" 'rendered elsewhere.yaml'
  local first=$printed
  knead render 'rendered elsewhere.yaml'
  expect "what 'knead render $*' prints renders to itself" "0 $first" "$status $printed$said"
  knead lint --strict 'rendered elsewhere.yaml'
  expect "what 'knead render $*' prints lints clean" "no problems in rendered elsewhere.yaml" "$printed"
  knead render --origin "$@"
  expect "knead render --origin $*: the same, with comments" "$first" \
    "$(sed -e '/^ *# /d' -e 's/  # .*//' "$work/printed")"
}

while IFS= read -r recipe; do
  renders_to_itself "$recipe"
done < <(find "$root/recipes" -name '*.yaml' | sort)
for recipe in good extends env alias; do
  renders_to_itself "$recipe.yaml"
done
renders_to_itself extends.yaml optimizer.lr=1e-5 batch='{size: 4, micro: 2}' clip=null
renders_to_itself good.yaml data.test='{like: validation}' data.validation.rows='[50%, 100%]'
renders_to_itself good.yaml data.validation='{like: train, hold_out: 25%}' data.train.rows=null
renders_to_itself good.yaml optimizer='{type: sgd, lr: 0.1, momentum: 0.9, nesterov: true}' \
  schedule='{type: cosine, warmup: 10%, over: 1 epoch}' train='{until: 100 steps, time_limit: 4 h}'
# shellcheck disable=SC2016  # knead's variables
renders_to_itself good.yaml description='"a: #b \"c\" ${env:RUN_NAME} $${HOME} \ttab 日本"' name='"0123"'
renders_to_itself with_model.yaml model.class=Open \
  model.args='{width: 2, config: null, deep: [{a: [1, [2]]}, {b: null, "0x1": "yes"}, "1e3"]}'
renders_to_itself good.yaml \
  expect='[{metric: validation/loss, at_most: .5}, {metric: train/loss, equals: 1, within: 0}]'

# Every line with a value states its origin.
from='(default|override .*|(\$\{env:.* at )?.+:[0-9]+:[0-9]+(, alias of .+:[0-9]+:[0-9]+)?)'
for recipe in "$root/recipes/digits.yaml" extends.yaml env.yaml alias.yaml; do
  knead render --origin "$recipe" optimizer.weight_decay=0.5
  expect "knead render --origin $recipe: each value has an origin" '' \
    "$(sed "s|$root/||; s|$here/||" "$work/printed" | grep -vE "^ *# |:\$|  # $from\$" || true)"
  expect "knead render --origin $recipe: the override is one" \
    "  weight_decay: 0.5  # override 'optimizer.weight_decay=0.5'" "$(grep weight_decay "$work/printed")"
done

# --- the language ---------------------------------------------------------------------------------

for format in json markdown; do
  knead schema --format "$format"
  first=$printed
  [[ -n $first && -z $said ]] || fail "knead schema --format $format prints the language" "$said"
  (cd / && LC_ALL=C "$program" schema --format "$format") >"$work/printed"
  expect "knead schema --format $format is the same everywhere" "$first" "$(cat "$work/printed")"
done

# Each key of the schema can be explained by its path.
schema_keys=0
while IFS= read -r key; do
  schema_keys=$((schema_keys + 1))
  knead explain "$key"
  [[ $status == 0 && $printed == "$key"* ]] || fail "knead explain $key" "$printed$said"
done < <(sed -n '/^properties:/,/^[^ p]/s/^  \([a-z_]*\):.*/\1/p' "$root/schema/language/recipe.yaml")
((schema_keys > 20)) || fail 'the keys at the top level of the schema are found'

# --- colour ---------------------------------------------------------------------------------------

# on_terminal VARIABLE=VALUE… -- WORD…: runs knead on a terminal and keeps its output in $work/printed.
on_terminal() {
  local settings=()
  while [[ $1 != -- ]]; do
    settings+=("$1")
    shift
  done
  shift
  local command
  printf -v command '%q ' env "${settings[@]}" "$program" "$@"
  script --quiet --return --command "$command" "$work/typescript" </dev/null >"$work/printed" 2>&1 || true
}
is_coloured() { if grep -q $'\033' "$work/printed"; then echo coloured; else echo plain; fi; }

if command -v script >/dev/null; then
  for verb in lint run; do # one complains to standard output, the other to standard error
    on_terminal TERM=xterm -- $verb wrong.yaml
    expect "knead $verb on a terminal" coloured "$(is_coloured)"
    grep -q "must be a number: 'fast'" "$work/printed" ||
      fail "knead $verb on a terminal complains" "$(cat "$work/printed")"
    for setting in NO_COLOR=1 CI=true TERM=dumb; do
      on_terminal TERM=xterm "$setting" -- $verb wrong.yaml
      expect "knead $verb on a terminal with $setting" plain "$(is_coloured)"
    done
    on_terminal TERM=xterm NO_COLOR= -- $verb wrong.yaml
    expect "knead $verb on a terminal with an empty NO_COLOR" coloured "$(is_coloured)"
  done
  on_terminal TERM=xterm -- lint --format json wrong.yaml
  expect 'json is never coloured' plain "$(is_coloured)"
else
  skip 'colour on a terminal: there is no program called script'
fi
TERM=xterm knead lint wrong.yaml
expect 'knead lint into a pipe' plain "$(is_coloured)"

finish "the front keeps its word"
