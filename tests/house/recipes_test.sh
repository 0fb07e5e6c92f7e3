#!/usr/bin/env bash
# Checks the texts that users copy and read, which are recipes, the README and the reference: recipes_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
cd "$root"

mapfile -t recipes < <(find recipes -name '*.yaml' | sort)
((${#recipes[@]} > 0)) || fail 'there are recipes'
for recipe in "${recipes[@]}"; do
  said=$("$build/knead" lint --strict "$recipe" 2>&1) || true
  expect "$recipe lints clean" "no problems in $recipe" "$said"
done

# recipes_in PAGE FOLDER: writes each ```yaml block that is a whole recipe to FOLDER/lineN.yaml, where N is the line of
# the page that the block begins at.
recipes_in() {
  # shellcheck disable=SC2016  # $0 is awk's
  awk -v folder="$2" '
    /^[ \t]*```/ { inside = !inside && /^[ \t]*```ya?ml[ \t]*$/; first = inside; file = ""; next }
    inside && first { first = 0; if (/^version:/) file = folder "/line" NR ".yaml" }
    inside && file != "" { print > file }
  ' "$1"
}

# Blocks go into a copy of recipes/, where their paths lead to the same files as those of recipes/.
cp -R recipes "$work/recipes"
cp -R models "$work/models"
mkdir "$work/page"
# shellcheck disable=SC2016  # no commands, Markdown
printf '```yaml\nversion: 1\nname: a\n```\ntext\n```yaml\nname: b\n```\n```sh\nversion: 1\n```\n' >"$work/page.md"
recipes_in "$work/page.md" "$work/page"
expect 'the recipes of a page are found' "line2.yaml: version: 1 name: a" \
  "$(cd "$work/page" && for file in *; do echo "$file: $(tr '\n' ' ' <"$file" | sed 's/ $//')"; done)"
if [[ -e README.md ]]; then
  recipes_in README.md "$work/recipes"
  found=0
  for block in "$work"/recipes/line*.yaml; do
    [[ -e $block ]] || continue
    found=$((found + 1))
    line=${block##*/line}
    said=$(cd "$work/recipes" && "$build/knead" lint --strict "${block##*/}" 2>&1) || true
    expect "the recipe at README.md:${line%.yaml} lints clean" "no problems in ${block##*/}" "$said"
  done
  ((found > 0)) || fail 'README.md shows a recipe: a yaml block that begins with version'
else
  fail 'there is a README.md'
fi

make_reference='knead schema --format markdown > schema/REFERENCE.md'
if [[ -e schema/REFERENCE.md ]]; then
  "$build/knead" schema --format markdown >"$work/REFERENCE.md"
  expect "schema/REFERENCE.md is current; make it with: $make_reference" \
    "$(cat "$work/REFERENCE.md")" "$(cat schema/REFERENCE.md)"
else
  fail "there is a schema/REFERENCE.md; make it with: $make_reference"
fi

finish 'recipes, README and reference are right'
