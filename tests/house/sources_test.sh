#!/usr/bin/env bash
# Checks that no source has lines, names, folders or sizes that house.md forbids: sources_test.sh ROOT
set -euo pipefail

root=$(readlink -f "$1")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
most_lines=300
most_letters=100 # the most in a line of C++; lines of a raw string may be longer

# The patterns are spelt so that this file does not match them.
unfinished='\b(TO[D]O|FIX[M]E|X[X]X|HAC[K])\b'
namespace_std='using[[:space:]]+namespace[[:space:]]+st[d]\b'
# A name states what the thing does; these words state nothing.
nothing_said='\b[A-Za-z0-9]*(Manager|Handler|Helper|Util|Impl|Base)s?\b'
nothing_said+='|\b[a-z_]+_(manager|handler|helper|util|impl)s?\('
foreign='\b((YAML|std|boost|fmt|po|nlohmann|at|c10|torch)::[A-Za-z0-9_:]*|unsafeGetTensorImpl)'
folders='/(common|utils?|core|helpers?|misc|lib)$'

# The functions below run in the root of a tree and print the places that break a rule.
unfinished_in() { grep -rnE --binary-files=without-match -- "$unfinished" schema runner tools tests || true; }
namespaces_in() { grep -rnE --include='*.h' --include='*.cpp' -- "$namespace_std" schema runner tools tests || true; }
empty_names_in() {
  # Comments may hold these words, and so may names of libraries.
  find schema runner tools -name '*.h' -o -name '*.cpp' | sort | while IFS= read -r file; do
    sed -E -e 's|//.*||' -e "s/$foreign//g" -e 's/unsafeGetTensorImpl//g' "$file" | grep -nE -- "$nothing_said" | sed "s|^|$file:|" || true
  done
}
empty_folders_in() { find schema runner tools tests -type d | grep -E -- "$folders" || true; }
long_files_in() {
  find CMakeLists.txt schema runner tools tests -type f \
    '(' -name '*.h' -o -name '*.cpp' -o -name '*.sh' -o -name '*.cmake' -o -name CMakeLists.txt -o -perm -u+x ')' \
    -exec wc -l '{}' + | awk -v most=$most_lines '$1 > most && $2 != "total" { print $2 ": " $1 " lines" }' | sort
}

wide_lines_in() {
  # grep counts letters; awk would count bytes.
  find schema runner tools tests -name '*.h' -o -name '*.cpp' | sort |
    LC_ALL=C.UTF-8 xargs grep -nE -- "^.{$((most_letters + 1))}" /dev/null | cut -d: -f 1,2 |
    grep -vxF -f <(raw_lines_in) || true
}
raw_lines_in() {
  find schema runner tools tests -name '*.h' -o -name '*.cpp' | xargs awk '
    FNR == 1 { raw = 0 }
    {
      if (/R"[a-zA-Z]*\(/) raw = 1
      if (raw) print FILENAME ":" FNR
      if (/\)[a-zA-Z]*"/) raw = 0
    }'
}

# A glob with CONFIGURE_DEPENDS gives every ninja call work, and `tools/knead` builds before every call.
eager_globs_in() { grep -nE '^[^#]*[^_]CONFIGURE_DEPENDS' CMakeLists.txt || true; }

# --- the rules can fail ---------------------------------------------------------------------------

mkdir -p "$work/tree"/{schema,runner/helpers,tools,tests}
cd "$work/tree"
printf '# CONFIGURE_DEPENDS\nfile(GLOB a CONFIGURE_DEPENDS *)\nset_property(DIRECTORY PROPERTY CMAKE_CONFIGURE_DEPENDS a)\n' >CMakeLists.txt
printf '// TO%s: later\n' DO >schema/a.h
printf 'using namespace st%s;\n' d >runner/a.cpp
printf 'struct A : YAML::EventHan%s {};\nclass TrainerHel%s {};\n// the Base of all\nvoid run_hel%s();\n' \
  dler per per >tools/a.cpp
seq $((most_lines + 1)) >runner/long.cpp
wide=$(printf '%*s' $((most_letters + 1)) '')
wide=${wide// /ö}
printf '%s\n%s\nR"(\n%s\n)";\n%s\n' "$wide" "${wide#ö}" "$wide" "$wide" >runner/wide.h
expect 'wide lines are found' $'runner/wide.h:1\nrunner/wide.h:6' "$(wide_lines_in)"
expect 'unfinished work is found' 'schema/a.h:1' "$(unfinished_in | cut -d: -f 1,2)"
expect 'using namespace is found' 'runner/a.cpp:1' "$(namespaces_in | cut -d: -f 1,2)"
expect 'names that say nothing are found' $'tools/a.cpp:2\ntools/a.cpp:4' "$(empty_names_in | cut -d: -f 1,2)"
expect 'folders that say nothing are found' 'runner/helpers' "$(empty_folders_in)"
expect 'a glob that gives every build work is found' '2' "$(eager_globs_in | cut -d: -f 1)"
expect 'long files are found' "runner/long.cpp: $((most_lines + 1)) lines" "$(long_files_in)"

# --- the rules hold in this repository ------------------------------------------------------------

cd "$root"
expect 'no glob gives every build work' '' "$(eager_globs_in)"
expect 'nothing is left for later' '' "$(unfinished_in)"
expect 'no using namespace of the standard library' '' "$(namespaces_in)"
expect 'nothing is called Manager, Handler, Helper, Util, Impl or Base' '' "$(empty_names_in)"
expect 'no folder is called common, utils, core or helpers' '' "$(empty_folders_in)"
expect "no line is wider than $most_letters letters" '' "$(wide_lines_in)"
expect "no source is longer than $most_lines lines" '' "$(long_files_in)"

finish 'the sources look as they should'
