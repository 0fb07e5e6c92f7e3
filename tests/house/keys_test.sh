#!/usr/bin/env bash
# Every key is read by some code, every default stands in the schema only: keys_test.sh ROOT BUILD
#
# recipe.h marks each key with KNEAD_KEY("Struct.key"); compiled with KNEAD_MARK_KEYS, a use of it is
# a warning that names it.
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
header=$build/generated/recipe.h
unread_file=tests/house/unread_keys.txt
cd "$root"

# What these do with a key is not obeying it.
tellers=(
  runner/run/summary.cpp # shows a recipe to a person
)

# readers: the sources of runner/ that see recipe.h, directly or through headers; those that see TorchScript
# or autograd too, which take 20 s each to compile, with a ! before the name.
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
        if ("recipe.h" in seen) print (("TorchScript" in seen) ? "!" : "") file
      }
    }' | sort | grep -vxF -f <(printf '%s\n' "${tellers[@]}")
}

# with_flags FILE: for each source in a file a line "flags<TAB>source": how it is compiled, from the compilation
# database, without launcher, output and optimisation.
with_flags() {
  sed -n -e '/fsanitize/d' -e 's/\\\(.\)/\1/g' -e 's/^ *"command": "\([^ ]*ccache \)\?[^ ]* \(.*\)",\?$/\2/p' \
    "$build/compile_commands.json" | sed -E 's/ -o [^ ]+| -O[0-9]//g' | awk '
      FNR == NR {
        match($0, / -c .*$/)
        source = substr($0, RSTART + 4)
        gsub(/"/, "", source)  # a path with blanks
        flags[source] = substr($0, 1, RSTART)
        next
      }
      { print flags[root "/" $0] "\t" $0 }' root="$root" - "$1"
}

# in_batches: of lines "flags<TAB>source", lines "flags<TAB>source source…" of sources that can be one translation
# unit: what one of them calls its own in "namespace {", no other one uses. It is told from the text alone, the code
# being formatted; where that was wrong, uses_in finds out.
in_batches() {
  awk -F '\t' '
    function own_name(line) {
      if (match(line, /^(template.*> )?(class|struct|enum class|enum|using) [A-Za-z_0-9]+/)) {
        line = substr(line, RSTART, RLENGTH)
      } else if (match(line, /[A-Za-z_0-9]+ *\(/)) {
        line = substr(line, RSTART, RLENGTH - 1)
      } else if (match(line, /[A-Za-z_0-9]+ *[{=[;]/)) {
        line = substr(line, RSTART, RLENGTH - 1)
      }
      sub(/ *$/, "", line)
      sub(/.* /, "", line)
      return line
    }
    function look(file, line, inside, count, list, i, path) {
      split("", own)
      split("", used)
      path = root "/" file
      while ((getline line <path) > 0) {
        if (line == "}  // namespace") inside = 0
        if (inside && line ~ /^[A-Za-z]/) own[own_name(line)] = 1
        if (line == "namespace {") inside = 1
        sub(/\/\/.*/, "", line)
        gsub(/"([^"\\]|\\.)*"|(\.|->)[A-Za-z_0-9]+/, " ", line)
        count = split(line, list, /[^A-Za-z_0-9]+/)
        for (i = 1; i <= count; ++i) used[list[i]] = 1
      }
      close(path)
    }
    function fits(batch, name) {
      if (flags[batch] != $1) return 0
      for (name in own) if ((batch, name) in all_used) return 0
      for (name in used) if ((batch, name) in all_own) return 0
      return 1
    }
    {
      look($2)
      for (batch = 1; batch <= batches && !fits(batch); ++batch);
      if (batch > batches) flags[batches = batch] = $1
      sources[batch] = sources[batch] " " $2
      for (name in own) all_own[batch, name] = 1
      for (name in used) all_used[batch, name] = 1
    }
    END { for (batch = 1; batch <= batches; ++batch) print flags[batch] "\t" substr(sources[batch], 2) }' root="$root"
}

# uses_in FLAGS NAME SOURCE…: "file:line:column:Struct.key" for each use of a key that stands in no made file, of all
# sources compiled as one.
uses_in() {
  local flags=$1 name=$2
  shift 2
  printf '#include "%s"\n' "$@" >"$name.cpp"
  (cd "$build" && eval "c++ $flags -fsyntax-only -DKNEAD_MARK_KEYS -fdiagnostics-color=never $name.cpp") \
    >"$name.log" 2>&1 || return 1
  sed -n 's/^\(.*:[0-9]*:[0-9]*\): warning: .*knead-key \([A-Za-z0-9]*\.[a-z_0-9]*\).*/\1:\2/p' "$name.log" |
    grep -v '^[^:]*/generated/' || true
}

# without_filling: drops the lines that give other keys their computed defaults, `fill(key, value)`.
without_filling() {
  local file line key
  while IFS=: read -r file line _ key; do
    [[ $file == */runner/plan/resolve.cpp && $(sed -n "${line}p" "$file") == *fill\(* ]] || echo "$key"
  done
}

# compile_batches WORKER WORKERS: every so-maniest batch. A batch that does not compile is taken apart.
compile_batches() {
  local flags sources source name number=0
  while IFS=$'\t' read -r flags sources; do
    ((number++ % $2 == $1)) || continue
    name=$work/batch-$number
    # shellcheck disable=SC2086  # names of sources have no blanks
    ! uses_in "$flags" "$name" $sources >"$name.uses" || continue
    for source in $sources; do
      name=$work/${source//\//-}
      uses_in "$flags" "$name" "$source" >"$name.uses" || echo "$source" >>"$work/broken"
    done
  done <"$work/batches"
}

mkdir -p "$work/tree/runner/engine" "$work/tree/schema"
printf '#include "recipe.h"\n#include <ATen/core/Tensor.h>\n' >"$work/tree/runner/engine/a.h"
printf '#include "runner/engine/a.h"\n' >"$work/tree/runner/engine/a.cpp"
printf '#include "runner/engine/a.h"\n#include <torch/csrc/jit/api/module.h>\n' >"$work/tree/runner/engine/b.cpp"
expect 'a source with both recipe.h and TorchScript is found' $'!runner/engine/b.cpp\nrunner/engine/a.cpp' \
  "$(cd "$work/tree" && readers)"

mapfile -t slow < <(readers | grep '^!' | cut -c 2-)
expect 'no source sees both recipe.h and TorchScript' '' "${slow[*]}"
mapfile -t sources < <(readers | grep -v '^!')
((${#sources[@]} > 0)) || fail 'some source of runner/ reads the recipe'
printf '%s\n' "${sources[@]}" >"$work/sources"
with_flags "$work/sources" >"$work/commands"
expect 'each of them is compiled' '' "$(sed -n 's/^\t//p' "$work/commands")"
in_batches <"$work/commands" >"$work/batches"
expect 'each is in one batch' "$(cat "$work/sources")" \
  "$(cut -f 2 "$work/batches" | tr ' ' '\n' | sort)"
compile_batches 0 2 &
compile_batches 1 2
wait
if [[ -e $work/broken ]]; then
  while read -r source; do
    name=$work/${source//\//-}
    fail "$source compiles with KNEAD_MARK_KEYS" "$(grep -m 3 'error' "$name.log" || cat "$name.uses")"
  done <"$work/broken"
  finish ''
fi

sed -n 's/^ *KNEAD_KEY("\([^"]*\)").*/\1/p' "$header" | sort -u >"$work/keys"
cat "$work"/*.uses | sort -u | without_filling | sort -u >"$work/read"
sed -e '/^#/d' -e '/^$/d' "$unread_file" >"$work/listed"

[[ $(wc -l <"$work/keys") -gt 50 ]] || fail "the keys are found in $header"
[[ -s $work/read ]] || fail 'the compiler names the keys that are read'
expect "the keys of $unread_file are sorted and stand there once" "$(sort -u "$work/listed")" "$(cat "$work/listed")"
sort -u "$work/listed" -o "$work/listed"
expect "no code reads these keys: obey them, or take them out of the schema" '' \
  "$(comm -23 <(comm -23 "$work/keys" "$work/read") "$work/listed")"
expect "these keys are read: take them out of $unread_file" '' "$(comm -12 "$work/read" "$work/listed")"
expect "these are no keys: take them out of $unread_file" '' "$(comm -13 "$work/keys" "$work/listed")"

# --- one default ----------------------------------------------------------------------------------

# A member with an initialiser would be a second default.
expect 'no member of a recipe has an initialiser' '' "$(grep -nE 'KNEAD_KEY\(".*"\) .*[={].*;' "$header" || true)"

# second_defaults FILE…: places that could give an absent key a value.
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
expect "an absent key gets its value in plan/resolve.cpp and nowhere else" '' "$(second_defaults "${code[@]}")"

finish 'every key is read or waits in the list, and has one default'
