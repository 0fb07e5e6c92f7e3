#!/usr/bin/env bash
# Checks that schemagen refuses every word outside the schema's dialect: schemagen_test.sh ROOT BUILD
#
# Each file of wrong_schemas/ begins with the first line that schemagen must say about it. A folder is a language of
# several files, and its recipe.yaml begins with that line.
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
cd "$root/tests/house/wrong_schemas"

# files_of CASE: prints the files of a language, the recipe first.
files_of() {
  [[ -d $1 ]] || { echo "$1" && return; }
  echo "$1/recipe.yaml"
  find "$1" -name '*.yaml' ! -name recipe.yaml | sort
}

for case in *; do
  status=0
  mapfile -t files < <(files_of "$case")
  said=$("$build/schemagen" "$work/made" "${files[@]}" 2>&1) || status=$?
  expect "$case is refused" "$(sed -n '1s/^# //p' "${files[0]}")" "${said%%$'\n'*}"
  expect "$case is refused with exit code 2" 2 "$status"
  [[ ! -e $work/made ]] || { fail "nothing is made of $case" && rm -r "$work/made"; }
done

# A wrong schema without its mistake passes: the mistake alone makes it wrong.
sed -e '/^ *#/d' -e 's/, colour: red//' unknown_word.yaml >"$work/right.yaml"
expect 'a right schema passes' '' "$("$build/schemagen" "$work/made" "$work/right.yaml" 2>&1 || true)"
expect 'and makes these files' 'recipe recipe.h recipe_reader.cpp recipe_table.cpp' "$(cd "$work/made" && echo *)"
"$build/schemagen" "$work/again" "$work/right.yaml"
diff -r "$work/made" "$work/again" || fail 'the same schema makes the same files'

# Every file may refer to the definitions of every other file.
mkdir "$work/language"
cat >"$work/language/recipe.yaml" <<'YAML'
type: object
properties:
  a: {$ref: "#/$defs/A", description: A block.}
YAML
cat >"$work/language/a.yaml" <<'YAML'
$defs:
  A: {type: object, properties: {b: {$ref: "#/$defs/B"}}}
YAML
cat >"$work/language/b.yaml" <<'YAML'
$defs:
  B: {type: integer, description: A number., default: 1}
YAML
mapfile -t files < <(files_of "$work/language")
"$build/schemagen" "$work/several" "${files[@]}"
cat "$work/language/recipe.yaml" "$work/language/a.yaml" <(grep -v defs "$work/language/b.yaml") >"$work/one.yaml"
"$build/schemagen" "$work/one" "$work/one.yaml"
expect 'each file has a header' 'a.h b.h key.h' "$(cd "$work/several/recipe" && echo *)"
expect 'which includes what it needs' '#include "recipe/a.h" #include "recipe/key.h"' \
  "$(grep '#include "recipe' "$work/several/recipe.h" | sort | paste -sd ' ')"
for made in one several; do
  expect "the types of $made" 'struct A { struct Recipe {' \
    "$(grep -rhx 'struct .*' "$work/$made/recipe" "$work/$made/recipe.h" | sort | paste -sd ' ')"
done
for file in recipe_reader.cpp recipe_table.cpp; do
  diff "$work/one/$file" "$work/several/$file" || fail "one file and several make the same $file"
done

# Names of other trainers reach the table: the names of a key or, if it has none, of the definition that it refers to.
cat >"$work/language/peers.yaml" <<'YAML'
A:
  b: [c, {as in 1: [d, e]}]
B: [f]
YAML
"$build/schemagen" "$work/several" "${files[@]}" "$work/language/peers.yaml"
expect 'the names of a key' 'kAlso_A_b[] = {"c", "d: as in 1", "e: as in 1"};' \
  "$(grep -o 'kAlso_.*' "$work/several/recipe_table.cpp" | grep '\[\]')"
sed -i '1,2d' "$work/language/peers.yaml"
"$build/schemagen" "$work/several" "${files[@]}" "$work/language/peers.yaml"
expect 'the names of a definition' 'kAlso_A_b[] = {"f"};' \
  "$(grep -o 'kAlso_.*' "$work/several/recipe_table.cpp" | grep '\[\]')"

# A block with x-group gives the same files as a block that is written out for each list of groups.
cat >"$work/derived.yaml" <<'YAML'
type: object
properties:
  a: {$ref: "#/$defs/A", description: Of a kind.}
$defs:
  A: {oneOf: [{$ref: "#/$defs/B"}]}
  B:
    type: object
    properties:
      type: {const: b, description: The kind.}
      size: {type: integer, description: A size., default: 1}
      speed: {type: integer, description: A speed., x-default: that of light}
      parts: {$ref: "#/$defs/Parts", x-group-keys: {colour: {type: string, description: A colour.}}}
  Parts: {type: array, items: {$ref: "#/$defs/Part"}, default: [], description: Its parts.}
  Part:
    type: object
    description: Some of it ({type}).
    x-group: its own
    properties:
      speed: {type: integer, description: A speed.}
YAML
cat >"$work/written.yaml" <<'YAML'
type: object
properties:
  a: {$ref: "#/$defs/A", description: Of a kind.}
$defs:
  A: {oneOf: [{$ref: "#/$defs/B"}]}
  B:
    type: object
    properties:
      type: {const: b, description: The kind.}
      size: {type: integer, description: A size., default: 1}
      speed: {type: integer, description: A speed., x-default: that of light}
      parts: {type: array, items: {$ref: "#/$defs/BPart"}, default: [], description: Its parts.}
  BPart:
    type: object
    description: Some of it (b).
    properties:
      speed: {type: integer, description: A speed.}
      size: {type: integer, description: A size., x-default: its own}
      colour: {type: string, description: A colour.}
YAML
"$build/schemagen" "$work/derived" "$work/derived.yaml"
"$build/schemagen" "$work/written" "$work/written.yaml"
diff -r "$work/written" "$work/derived" || fail 'a group is what one would write'

# A file that CMake's list forgets would not be part of the language.
expect 'each file of the language is in the list' "$(cd "$root/schema" && echo language/*.yaml | tr ' ' '\n')" \
  "$(sed -n 's|^  \(language/.*\.yaml\))\?$|\1|p' "$root/schema/CMakeLists.txt" | sort)"

finish 'schemagen refuses what is none of its dialect'
