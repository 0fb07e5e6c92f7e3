#!/usr/bin/env bash
# The schema's dialect is closed: schemagen_test.sh ROOT BUILD
#
# Each file of wrong_schemas/ begins with the first line that schemagen must say about it.
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
cd "$root/tests/house/wrong_schemas"

for file in *.yaml; do
  status=0
  said=$("$build/schemagen" "$file" "$work/made" 2>&1) || status=$?
  expect "$file is refused" "$(sed -n '1s/^# //p' "$file")" "${said%%$'\n'*}"
  expect "$file is refused with exit code 2" 2 "$status"
  [[ ! -e $work/made ]] || { fail "nothing is made of $file" && rm -r "$work/made"; }
done

# What is right in all of them is right by itself.
sed -e '/^ *#/d' -e 's/, colour: red//' unknown_word.yaml >"$work/right.yaml"
expect 'a right schema passes' '' "$("$build/schemagen" "$work/right.yaml" "$work/made" 2>&1 || true)"
expect 'and makes three files' 'recipe.h recipe_reader.cpp recipe_table.cpp' "$(cd "$work/made" && echo *)"
"$build/schemagen" "$work/right.yaml" "$work/again"
diff -r "$work/made" "$work/again" || fail 'the same schema makes the same files'

finish 'schemagen refuses what is none of its dialect'
