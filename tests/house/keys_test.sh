#!/usr/bin/env bash
# Checks that some code reads every key and that every default stands in the schema only: keys_test.sh ROOT BUILD
#
# recipe.h and the headers of its blocks mark each key with KNEAD_KEY("Struct.key"). With KNEAD_MARK_KEYS the compiler
# warns at each use of a key and names it.
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
headers=("$build/generated/recipe.h" "$build"/generated/recipe/*.h)
unread_file=tests/house/unread_keys.txt
cd "$root"

# Lists the sources that use keys without obeying them.
tellers=(
  runner/run/summary.cpp # shows a recipe to a person
)

# readers: prints the sources of runner/ that see a header of the recipe, directly or through headers. A ! stands before
# those that see TorchScript or autograd too, which take 20 s each to compile.
readers() {
  # shellcheck disable=SC2016  # $0 is awk's
  grep -rnE --include='*.h' --include='*.cpp' '^[[:space:]]*#[[:space:]]*include' schema runner | awk '
    function reach(file, seen, count, list, i) {
      if (file in seen) return
      seen[file] = 1
      count = split(includes[file], list, " ")
      for (i = 1; i <= count; ++i) reach(list[i], seen)
    }
    {
      file = substr($0, 1, index($0, ":") - 1)
      match($0, /[<"][^>"]*[>"]/)
      name = substr($0, RSTART + 1, RLENGTH - 2)
      if (name ~ /^torch\//) name = "TorchScript"
      includes[file] = includes[file] " " name
      if (file ~ /^runner\/.*\.cpp$/) sources[file] = 1
    }
    END {
      for (file in sources) {
        split("", seen)
        reach(file, seen)
        for (name in seen) if (name ~ /^recipe[.\/]/) break
        if (name ~ /^recipe[.\/]/) print (("TorchScript" in seen) ? "!" : "") file
      }
    }' | sort | grep -vxF -f <(printf '%s\n' "${tellers[@]}")
}

# units: prints a line "sources<TAB>command" for each unit of runner/ that a build compiles: the sources that it joins,
# below the root, and the compiler's command without launcher and output. The command keeps the level of optimisation,
# because precompiled headers hold for one level. Skips the units with sanitizers and the sources that house_alone
# compiles by themselves, which repeat others.
units() {
  local command unit
  sed -n -e '/fsanitize/d' -e '/_alone\.dir/d' -e 's/\\\(.\)/\1/g' -e 's/^ *"command": "\([^ ]*ccache \)\?[^ ]* \(.*\)",\?$/\2/p' \
    "$build/compile_commands.json" | sed -E 's/ -o [^ ]+//g' | while IFS= read -r command; do
    unit=${command##* -c }
    unit=${unit//\"/}
    case $unit in
      "$root"/runner/*.cpp) printf '%s\t%s\n' "${unit#"$root/"}" "$command" ;;
      "$build"/runner/*/Unity/*)
        printf '%s\t%s\n' "$(sed -n "s|^#include \"$root/\(.*\)\"|\1|p" "$unit" | paste -sd ' ')" "$command"
        ;;
    esac
  done
}

# units_of FILE: prints the lines of `units` on standard input that join a source named in FILE.
units_of() {
  awk -F '\t' '
    FNR == NR { wanted[$0] = 1; next }
    {
      count = split($1, source, " ")
      for (i = 1; i <= count; ++i) if (source[i] in wanted) { print; next }
    }' "$1" -
}

# compile_units WORKER WORKERS: compiles this worker's share of the units. Notes "file:line:column:Struct.key" for each
# use of a key outside generated files and tellers.
compile_units() {
  local sources command name number=0
  while IFS=$'\t' read -r sources command; do
    ((number++ % $2 == $1)) || continue
    name=$work/unit-$number
    if ! (cd "$build" && eval "c++ $command -fsyntax-only -DKNEAD_MARK_KEYS -fdiagnostics-color=never") >"$name.log" 2>&1; then
      printf '%s\t%s\n' "$name" "$sources" >>"$work/broken"
    fi
    sed -n 's/^\(.*:[0-9]*:[0-9]*\): warning: .*knead-key \([A-Za-z0-9]*\.[a-z_0-9]*\).*/\1:\2/p' "$name.log" |
      grep -v '^[^:]*/generated/' | grep -vF -f <(printf '%s:\n' "${tellers[@]}") >"$name.uses" || true
  done <"$work/units"
}

# without_filling: drops the lines that give other keys their computed defaults, `fill(key, value)`.
without_filling() {
  local file line key
  while IFS=: read -r file line _ key; do
    [[ $file == */runner/plan/resolve.cpp && $(sed -n "${line}p" "$file") == *fill\(* ]] || echo "$key"
  done
}

mkdir -p "$work/tree/runner/engine" "$work/tree/schema"
printf '#include "recipe/loss.h"\n#include <ATen/core/Tensor.h>\n' >"$work/tree/runner/engine/a.h"
printf '#include "runner/engine/a.h"\n' >"$work/tree/runner/engine/a.cpp"
printf '#include "runner/engine/a.h"\n#include <torch/csrc/jit/api/module.h>\n' >"$work/tree/runner/engine/b.cpp"
expect 'a source with both recipe.h and TorchScript is found' $'!runner/engine/b.cpp\nrunner/engine/a.cpp' \
  "$(cd "$work/tree" && readers)"

mapfile -t slow < <(readers | grep '^!' | cut -c 2-)
expect 'no source sees both recipe.h and TorchScript' '' "${slow[*]}"
mapfile -t sources < <(readers | grep -v '^!')
((${#sources[@]} > 0)) || fail 'some source of runner/ reads the recipe'
printf '%s\n' "${sources[@]}" >"$work/sources"
units | units_of "$work/sources" >"$work/units"
expect 'each of them is compiled' '' \
  "$(comm -23 <(sort "$work/sources") <(cut -f 1 "$work/units" | tr ' ' '\n' | sort -u))"
compile_units 0 2 &
compile_units 1 2
wait
if [[ -e $work/broken ]]; then
  while IFS=$'\t' read -r name sources; do
    fail "$sources: compiles with KNEAD_MARK_KEYS" "$(grep -m 3 'error' "$name.log")"
  done <"$work/broken"
  finish ''
fi

sed -n 's/^ *KNEAD_KEY("\([^"]*\)").*/\1/p' "${headers[@]}" | sort -u >"$work/keys"
cat "$work"/*.uses | sort -u | without_filling | sort -u >"$work/read"
sed -e '/^#/d' -e '/^$/d' "$unread_file" >"$work/listed"

[[ $(wc -l <"$work/keys") -gt 50 ]] || fail "the keys are found in the headers of the recipe"
[[ -s $work/read ]] || fail 'the compiler names the keys that are read'
expect "the keys of $unread_file are sorted and stand there once" "$(sort -u "$work/listed")" "$(cat "$work/listed")"
sort -u "$work/listed" -o "$work/listed"
expect "no code reads these keys: obey them, or take them out of the schema" '' \
  "$(comm -23 <(comm -23 "$work/keys" "$work/read") "$work/listed")"
expect "these keys are read: take them out of $unread_file" '' "$(comm -12 "$work/read" "$work/listed")"
expect "these are no keys: take them out of $unread_file" '' "$(comm -13 "$work/keys" "$work/listed")"

# --- one default ----------------------------------------------------------------------------------

# An initialiser of a member would be a second default.
expect 'no member of a recipe has an initialiser' '' "$(grep -nE 'KNEAD_KEY\(".*"\) .*[={].*;' "${headers[@]}" || true)"

# second_defaults FILE…: prints the places that could give an absent key a value.
second_defaults() {
  grep -nE 'value_or\(|or_else\(|([A-Za-z_.>()-]+) \? \*\1 :' -- "$@" || true
}
cat >"$work/wrong.cpp" <<'CODE'
const auto a = recipe.batch.micro.value_or(1);
const auto b = recipe.threads ? *recipe.threads : 1;
const auto c = size->micro ? *size->micro : 1;
CODE
expect 'second defaults are found' 3 "$(second_defaults "$work/wrong.cpp" | wc -l)"
mapfile -t code < <(printf '%s\n' "${sources[@]}" "${sources[@]/%.cpp/.h}" | xargs ls 2>/dev/null)
expect "an absent key gets its value in plan/resolve.cpp and nowhere else" '' \
  "$(second_defaults "${code[@]}" | sed '/^runner\/plan\/resolve.cpp:/d')"

finish 'every key is read or waits in the list, and has one default'
