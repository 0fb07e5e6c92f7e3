#!/usr/bin/env bash
# Checks that each source includes, and each program links, only what it may: layers_test.sh ROOT BUILD
#
# <build>/rooms.txt has a line "room: rooms that it needs" for each room. CMake links the rooms that a room needs; this
# test checks that the room includes no other, and that the rooms that it needs lie below it.
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"

# Lists the rooms from the ground up. A room may need rooms of earlier lines, and parts of its own room.
layers='
schema trace
files syntax plan
web
data weights checkpoint track peers launch rendezvous
run
sweep
report
board
front
engine
'
never_in_engine='front peers sweep report board'
most_ideas=30     # the most in a folder; a header and its source are one idea
most_scripted=53  # sources that see TorchScript or autograd, directly or through headers: 20 s and 1.3 GB each

# list_includes ROOT GENERATED: prints "file:line:#include …" for all includes of all sources.
list_includes() {
  local include='^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]'
  (cd "$1" && grep -rnE --include='*.h' --include='*.cpp' "$include" schema runner tools tests) || true
  (cd "$2" && grep -rnE --include='*.h' --include='*.cpp' "$include" . | sed 's|^.|generated|') || true
}

# wrong_needs ROOMS: prints a sentence for each need that points upwards, or in a circle.
wrong_needs() {
  awk -v layers="$layers" -v never="$never_in_engine" '
    function top(room) { sub(/\/.*/, "", room); return room }
    function walk(room, list, i, count) {
      state[room] = 1
      count = split(needs[room], list, " ")
      for (i = 1; i <= count; ++i) {
        if (!(list[i] in state)) walk(list[i])
        else if (state[list[i]] == 1) print "a circle: " room " needs " list[i] ", which needs it"
      }
      state[room] = 2
    }
    BEGIN {
      count = split(layers, line, "\n")
      for (i = 1; i <= count; ++i) {
        words = split(line[i], word, " ")
        for (k = 1; k <= words; ++k) level[word[k]] = i
      }
      split(never, list, " ")
      for (i in list) excluded[list[i]] = 1
    }
    {
      room = $1
      sub(/:$/, "", room)
      rooms[++all] = room
      known[room] = 1
      needs[room] = substr($0, length($1) + 2)
    }
    END {
      for (n = 1; n <= all; ++n) {
        room = rooms[n]
        own = top(room)
        if (!(own in level)) print "the room " own " has no layer"
        count = split(needs[room], list, " ")
        for (i = 1; i <= count; ++i) {
          other = top(list[i])
          if (!(list[i] in known)) print room " needs " list[i] ", which is no room"
          else if (other != own && (level[other] >= level[own] || (own == "engine" && other in excluded)))
            print room " needs " list[i] ", which does not lie below it"
        }
      }
      for (n = 1; n <= all; ++n) if (!(rooms[n] in state)) walk(rooms[n])
    }' "$1"
}

# wrong_includes ROOT GENERATED ROOMS: prints a sentence for each include that breaks a rule.
wrong_includes() {
  list_includes "$1" "$2" | sort -t: -k1,1 -k2,2n | awk -v rooms="$3" '
    function room_of(path, parts) {
      if (path ~ /^(generated\/)?recipe(\/|\.h$|_)/) return "schema/language"
      if (path ~ /^generated\//) return ""
      sub(/\/[^\/]*$/, "", path)
      if (path ~ /^tools|^tests/) { sub(/\/.*/, "", path); return path }
      sub(/^runner\//, "", path)
      return path
    }
    function wrong(message) { print file ":" line ": " message }

    BEGIN {
      while ((getline row <rooms) > 0) {
        count = split(row, word, " ")
        sub(/:$/, "", word[1])
        known[word[1]] = 1
        for (i = 2; i <= count; ++i) may[word[1], word[i]] = 1
        below[word[1]] = substr(row, length(word[1]) + 2)
      }
    }

    {
      match($0, /:[0-9]+:/)
      file = substr($0, 1, RSTART - 1)
      line = substr($0, RSTART + 1, RLENGTH - 2)
      rest = substr($0, RSTART + RLENGTH)
      quoted = rest ~ /include[ \t]*"/
      match(rest, /[<"][^>"]*[>"]/)
      header = substr(rest, RSTART + 1, RLENGTH - 2)
      room = room_of(file)
      is_torch = header ~ /^(torch|ATen|c10|caffe2)\//
      is_ours = header ~ /^(schema|runner|tools|tests)\// || header ~ /^recipe(\.h$|\/)/
      target = is_ours ? room_of(header) : ""
      if (file ~ /^tests\// || room == "") target = ""
      if (room == "tools" && target ~ /^schema/) target = ""
      if (target == "tools" && room == "tools") target = ""
      is_main = file ~ /\/main\.cpp$/

      if (quoted && !is_ours && !is_torch) {
        wrong("\"" header "\" is no path from the root of the repository")
      } else if (target != "" && room != "tools" && !(room in known)) {
        if (!(room in reported)) wrong("the room \047" room "\047 is not declared with knead_room()")
        reported[room] = 1
      } else if (target != "" && target != room && !((room, target) in may)) {
        wrong(room " may not include " header "; it needs" (below[room] ~ /^ *$/ ? " nothing" : below[room]))
      }
      used[room, target] = 1

      if (is_torch && file !~ /^(runner|tests)\/engine\//) wrong("LibTorch outside runner/engine: " header)
      if (header ~ /^(ATen\/(ATen|Functions|NativeFunctions|Operators)|torch\/(torch|all|types|extension))\.h$/) {
        wrong(header " brings every operator; include ATen/core/Tensor.h and ATen/ops/NAME.h")
      }
      if (header ~ /^yaml-cpp\// && file !~ /^(schema\/.*\.cpp$|tools\/)/) {
        wrong("yaml-cpp outside sources of schema and tools: " header)
      }
      if (header ~ /^boost\/(asio|beast)/ && file !~ /^runner\/(board\/server|web)\//) {
        wrong("Boost.Asio and Boost.Beast outside runner/board/server and runner/web: " header)
      }
      if (header ~ /^boost\/program_options/ && file !~ /^runner\/front\//) {
        wrong("Boost.Program_options outside runner/front: " header)
      }
      if (header ~ /^spdlog\// && file != "runner/track/log.cpp") wrong("spdlog outside runner/track/log.cpp: " header)
      if (header ~ /^(cuda|cublas|cudnn|nccl|driver_types|(ATen|c10|torch\/csrc)\/cuda\/)/ &&
          file !~ /^(runner|tests)\/engine\/cuda\//) {
        wrong("CUDA or NCCL outside runner/engine/cuda: " header)
      }
    }

    END {
      for (pair in may) {
        split(pair, both, SUBSEP)
        if (!(pair in used)) print both[1] " needs " both[2] ", of which it includes nothing"
      }
    }'
}

# scripted_in ROOT: prints the sources that see TorchScript or autograd, directly or through headers.
scripted_in() {
  (cd "$1" && grep -rnE --include='*.h' --include='*.cpp' '^[[:space:]]*#[[:space:]]*include' runner) | awk '
    function reach(file, seen, count, list, i) {
      if (file in seen) return
      seen[file] = 1
      count = split(includes[file], list, " ")
      for (i = 1; i <= count; ++i) reach(list[i], seen)
    }
    {
      file = substr($0, 1, index($0, ":") - 1)
      match($0, /[<"][^>"]*[>"]/)
      header = substr($0, RSTART + 1, RLENGTH - 2)
      if (header ~ /^torch\/((script|jit|autograd)\.h|csrc\/(jit|autograd)\/)/) header = "TorchScript"
      includes[file] = includes[file] " " header
      if (file ~ /\.cpp$/) sources[file] = 1
    }
    END {
      for (file in sources) {
        split("", seen)
        reach(file, seen)
        if ("TorchScript" in seen) print file
      }
    }' | sort
}

# crowded_in ROOT: prints the folders of sources with more than $most_ideas ideas.
crowded_in() {
  (cd "$1" && find schema runner -name '*.h' -o -name '*.cpp') | sed 's/\.[a-z]*$//' | sort -u |
    awk -v most=$most_ideas '{ sub(/\/[^\/]*$/, ""); ++ideas[$0] }
      END { for (folder in ideas) if (ideas[folder] > most) print folder ": " ideas[folder] " ideas" }' | sort
}

# --- the rules can fail ---------------------------------------------------------------------------

printf '%s\n' 'schema: ' 'files: schema' 'plan: schema schema/language' 'schema/language: ' \
  'engine/step: plan' >"$work/rooms.txt"

# one_file PATH INCLUDE…: makes a tree of one file in $work/tree.
one_file() {
  local path=$1
  shift
  rm -rf -- "$work/tree"
  mkdir -p -- "$work/tree/$(dirname "$path")" "$work/tree"/{schema,runner,tools,tests,generated}
  printf '#include %s\n' "$@" >"$work/tree/$path"
}
found_in_tree() {
  wrong_includes "$work/tree" "$work/tree/generated" "$work/rooms.txt" | grep -v 'of which it includes nothing' || true
}

# refuses MESSAGE PATH INCLUDE, accepts PATH INCLUDE: checks the verdict on a file with this include.
refuses() {
  one_file "$2" '<string>' "$3"
  expect "a wrong include is found: $2 with $3" "$2:2: $1" "$(found_in_tree)"
}
accepts() {
  one_file "$1" '<string>' "$2"
  expect "a right include passes: $1 with $2" '' "$(found_in_tree)"
}

refuses 'files may not include runner/plan/a.h; it needs schema' runner/files/a.cpp '"runner/plan/a.h"'
refuses 'schema may not include runner/plan/a.h; it needs nothing' schema/a.h '"runner/plan/a.h"'
refuses 'files may not include recipe.h; it needs schema' runner/files/a.h '"recipe.h"'
refuses 'files may not include recipe/loss.h; it needs schema' runner/files/a.h '"recipe/loss.h"'
refuses "the room 'common' is not declared with knead_room()" runner/common/a.h '"schema/a.h"'
refuses '"a.h" is no path from the root of the repository' runner/plan/a.cpp '"a.h"'
refuses '"../files/a.h" is no path from the root of the repository' runner/plan/a.cpp '"../files/a.h"'
refuses 'LibTorch outside runner/engine: ATen/core/Tensor.h' runner/plan/a.cpp '<ATen/core/Tensor.h>'
refuses 'LibTorch outside runner/engine: c10/util/Half.h' schema/a.cpp '"c10/util/Half.h"'
refuses 'LibTorch outside runner/engine: torch/version.h' tests/plan/a.cpp '<torch/version.h>'
refuses 'ATen/ATen.h brings every operator; include ATen/core/Tensor.h and ATen/ops/NAME.h' \
  runner/engine/step/a.cpp '<ATen/ATen.h>'
refuses 'yaml-cpp outside sources of schema and tools: yaml-cpp/yaml.h' schema/a.h '<yaml-cpp/yaml.h>'
refuses 'Boost.Asio and Boost.Beast outside runner/board/server and runner/web: boost/asio/write.hpp' \
  runner/front/board.cpp '<boost/asio/write.hpp>'
refuses 'Boost.Program_options outside runner/front: boost/program_options.hpp' \
  tools/a.cpp '<boost/program_options.hpp>'
refuses 'spdlog outside runner/track/log.cpp: spdlog/logger.h' runner/track/log.h '<spdlog/logger.h>'
refuses 'CUDA or NCCL outside runner/engine/cuda: nccl.h' runner/engine/parallel/a.cpp '<nccl.h>'
accepts runner/engine/step/a.cpp '<torch/script.h>'
accepts runner/track/log.cpp '<spdlog/logger.h>'
accepts runner/engine/cuda/a.cpp '<cuda_runtime.h>'
accepts runner/engine/step/a.cpp '"runner/plan/a.h"'
accepts runner/plan/a.h '"recipe.h"'
accepts runner/plan/a.h '"recipe/loss.h"'
accepts tests/plan/a.cpp '"runner/files/a.h"'
accepts schema/a.cpp '<yaml-cpp/yaml.h>'
one_file runner/plan/a.cpp '"recipe.h"'
expect 'a need that nothing uses is found' 'plan needs schema, of which it includes nothing' \
  "$(wrong_includes "$work/tree" "$work/tree/generated" "$work/rooms.txt" | grep '^plan')"

printf '%s\n' 'schema: files' 'files: ' 'engine/step: engine/job front' 'engine/job: engine/step nowhere' 'front: ' \
  >"$work/rooms.txt"
expect 'wrong needs are found' 'schema needs files, which does not lie below it
engine/step needs front, which does not lie below it
engine/job needs nowhere, which is no room
a circle: engine/job needs engine/step, which needs it' "$(wrong_needs "$work/rooms.txt")"

one_file runner/engine/a.h '<torch/script.h>'
printf '#include "runner/engine/a.h"\n' >"$work/tree/runner/engine/b.cpp"
expect 'a source that sees TorchScript through a header is found' runner/engine/b.cpp "$(scripted_in "$work/tree")"
for ((i = 0; i <= most_ideas; ++i)); do touch "$work/tree/runner/engine/$i.h" "$work/tree/runner/engine/$i.cpp"; done
expect 'a crowded folder is found' 'runner/engine: 33 ideas' "$(crowded_in "$work/tree")"

# wrong_libraries PROGRAM: reads the names of the libraries that a program needs and prints those that it must not
# need.
wrong_libraries() {
  case $1 in
    knead) grep -E '^lib(torch|c10|cuda|nccl|ssl|curl|archive|turbojpeg|png|simdjson|python)' || true ;;
    knead-engine) grep -E '^lib(torch|c10|cud|cublas|nccl|python)' | grep -vE '^lib(torch_cpu|c10)\.so' || true ;;
  esac
}
needed_directly() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
needed_in_all() { ldd "$1" | awk '{ print $1 }'; }
expect 'a front with LibTorch is found' $'libc10.so\nlibssl.so.3' \
  "$(printf '%s\n' libc10.so libfmt.so.9 libssl.so.3 | wrong_libraries knead)"
expect "an engine with LibTorch's CUDA half is found" $'libtorch.so\nlibtorch_cuda.so' \
  "$(printf '%s\n' libtorch.so libtorch_cpu.so libc10.so libtorch_cuda.so | wrong_libraries knead-engine)"

# --- the rules hold in this repository ------------------------------------------------------------

expect 'what rooms need lies below them' '' "$(wrong_needs "$build/rooms.txt")"
violations=$(wrong_includes "$root" "$build/generated" "$build/rooms.txt")
[[ -z $violations ]] || fail 'every include is one that the room needs' "$violations"
[[ $(list_includes "$root" "$build/generated" | wc -l) -gt 200 ]] || fail 'the sources are found at all'
expect "no folder holds more than $most_ideas ideas" '' "$(crowded_in "$root")"
scripted=$(scripted_in "$root")
(($(wc -l <<<"$scripted") <= most_scripted)) ||
  fail "at most $most_scripted sources see TorchScript or autograd" "$scripted"

expect 'knead needs no LibTorch, data library or TLS' '' "$(needed_in_all "$build/knead" | wrong_libraries knead)"
if [[ -x $build/knead-engine ]]; then
  expect 'knead-engine is linked to libtorch_cpu and libc10 only' '' \
    "$(needed_directly "$build/knead-engine" | wrong_libraries knead-engine)"
else
  skip 'knead-engine, which was not built'
fi

finish 'every room includes and links what it may'
