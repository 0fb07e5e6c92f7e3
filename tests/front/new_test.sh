#!/usr/bin/env bash
# Checks the files that `knead new` copies: new_test.sh ROOT PROGRAM
set -euo pipefail

root=$(readlink -f "$1") program=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
cd "$work"

# knead WORD…: sets `status`, and `said` to the text of both streams.
knead() {
  status=0
  said=$("$program" "$@" 2>&1) || status=$?
}

knead new
listed=$said
expect 'new alone lists what there is' 0 "$status"
expect 'so does new --list' "$listed" "$(knead new --list && echo "$said")"
expect 'every recipe is offered' "$(cd "$root/recipes" && ls -- *.yaml | sed 's/\.yaml$//' | sort)" \
  "$(sed 's/ .*//' <<<"$listed")"
expect 'each with a sentence' '' "$(grep -v '^[^ ]*  *[^ ].*\.$' <<<"$listed" || true)"

for name in $(sed 's/ .*//' <<<"$listed"); do
  mkdir "$work/a $name" && cd "$work/a $name"
  knead new "$name"
  expect "new $name" 0 "$status"
  verb=$(grep -q '^sweep:' "$name.yaml" && echo sweep || echo run)
  expect "new $name says what to do next" "next: knead $verb $name.yaml" "$(tail -n 1 <<<"$said")"
  expect "new $name writes one recipe" "./$name.yaml" "$(find . -name '*.yaml')"
  expect "new $name writes what it says" "$(sed -n 's/^wrote //p' <<<"$said" | sort)" \
    "$(find . -type f | sed 's#^\./##' | sort)"
  TEXT=$name.yaml knead lint "$name.yaml"
  expect "what new $name wrote lints clean" "0 no problems in $name.yaml" "$status $said"
done

cd "$work/a digits"
knead new digits
expect 'what is there and the same stays' '0 next: knead run digits.yaml' "$status $said"
echo '# mine' >>models/mlp.py
cp models/mlp.py "$work/mine"
knead new digits
expect 'what is there and another is left alone' "3 knead: here is another models/mlp.py already
     = call it in an empty folder, or move what is in the way" "$status $said"
expect 'and is not touched' '' "$(cmp models/mlp.py "$work/mine" 2>&1)"

mkdir "$work/half" && cd "$work/half"
echo 'no folder' >data
knead new digits
expect 'nothing is written by halves' "3 knead: cannot write data: Not a directory
     = call it in a folder that you can write to" "$status $said"
expect 'nothing is left' data "$(find . -type f -printf '%P\n')"

knead new digit
expect 'a name that is nearly right' "2 knead: there is no recipe 'digit' to start from
     = did you mean 'digits'?" "$status $said"

finish 'new copies what runs'
