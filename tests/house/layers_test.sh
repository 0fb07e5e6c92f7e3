#!/usr/bin/env bash
# Who may include and link what: layers_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"

# Each room, and the rooms below it. Nothing includes front or engine but they themselves.
table='
schema
files       schema
syntax      schema
plan        schema
trace
data        schema files plan trace
track       schema files plan trace
checkpoint  schema files plan trace
run         schema files plan data checkpoint track weights trace
launch      schema files
weights     schema files
peers       schema
report      schema files plan track
sweep       schema files plan track launch
front       schema files syntax plan track checkpoint launch peers run report sweep
engine      schema files syntax plan data checkpoint track weights trace run
tools       schema
'
most_scripted=12 # files with TorchScript or autograd headers: 20 s and 1.3 GB of compiling each

# list_includes ROOT GENERATED: "file:line:#include …" for all sources.
list_includes() {
  local include='^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]'
  (cd "$1" && grep -rnE --include='*.h' --include='*.cpp' "$include" schema runner tools tests) || true
  (cd "$2" && grep -rnE --include='*.h' --include='*.cpp' "$include" . | sed 's|^.|generated|') || true
}

# wrong_includes ROOT GENERATED: a sentence for each include that breaks a rule.
wrong_includes() {
  list_includes "$1" "$2" | sort -t: -k1,1 -k2,2n | awk -v table="$table" -v most="$most_scripted" '
    function room_of(path, parts) {
      split(path, parts, "/")
      if (parts[1] == "generated" || path == "recipe.h") return "schema"
      if (parts[1] == "runner") return parts[2]
      return parts[1] ~ /^(schema|tools|tests)$/ ? parts[1] : ""
    }
    function wrong(message) { print file ":" line ": " message }

    BEGIN {
      rows = split(table, row, "\n")
      for (i = 1; i <= rows; ++i) {
        rooms = split(row[i], word, " ")
        for (k = 1; k <= rooms; ++k) may[word[1], word[k]] = 1
        for (k = 2; k <= rooms; ++k) below[word[1]] = below[word[1]] " " word[k]
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
      target = room_of(header)
      is_torch = header ~ /^(torch|ATen|c10|caffe2)\//

      if (room != "tests" && !((room, room) in may)) {
        if (!(room in reported)) wrong("the room \047" room "\047 has no row in the table")
        reported[room] = 1
      } else if (quoted && target == "" && !is_torch) {
        wrong("\"" header "\" is no path from the root of the repository")
      } else if (target != "" && room != "tests" && !((room, target) in may)) {
        wrong(room " may not include " header "; it may include" (below[room] == "" ? " nothing" : below[room]))
      }

      if (is_torch && file !~ /^(runner|tests)\/engine\//) wrong("LibTorch outside runner/engine: " header)
      if (header ~ /^(ATen\/(ATen|Functions|NativeFunctions|Operators)|torch\/(torch|all|types|extension))\.h$/) {
        wrong(header " brings every operator; include ATen/core/Tensor.h and ATen/ops/NAME.h")
      }
      if (header ~ /^torch\/((script|jit|autograd)\.h|csrc\/(jit|autograd)\/)/ &&
          file ~ /^runner\// && !(file in scripted)) {
        scripted[file] = 1
        names = names "\n  " file
        ++scripted_files
      }
      if (header ~ /^yaml-cpp\// && file !~ /^(schema\/.*\.cpp$|tools\/)/) {
        wrong("yaml-cpp outside sources of schema and tools: " header)
      }
      if (header ~ /^boost\/program_options/ && file !~ /^runner\/front\//) {
        wrong("Boost.Program_options outside runner/front: " header)
      }
      if (header ~ /^(cuda|cublas|cudnn|nccl|driver_types|(ATen|c10|torch\/csrc)\/cuda\/)/ &&
          file !~ /^(runner|tests)\/engine\/cuda\//) {
        wrong("CUDA or NCCL outside runner/engine/cuda: " header)
      }
    }

    END {
      if (scripted_files > most) {
        print scripted_files " files include TorchScript or autograd headers, at most " most " may:" names
      }
    }'
}

# wrong_libraries PROGRAM: reads the names of the libraries a program needs, prints those it must
# not.
wrong_libraries() {
  case $1 in
    knead) grep -E '^lib(torch|c10|cuda|nccl|ssl|curl|archive|turbojpeg|png|simdjson|python)' || true ;;
    knead-engine) grep -E '^lib(torch|c10|cud|cublas|nccl|python)' | grep -vE '^lib(torch_cpu|c10)\.so' || true ;;
  esac
}

needed_directly() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
needed_in_all() { ldd "$1" | awk '{ print $1 }'; }

# --- the rules can fail ---------------------------------------------------------------------------

# one_file PATH INCLUDE…: a tree of one file.
one_file() {
  local path=$1
  shift
  rm -rf -- "$work/tree"
  mkdir -p -- "$work/tree/$(dirname "$path")" "$work/tree"/{schema,runner,tools,tests,generated}
  printf '#include %s\n' "$@" >"$work/tree/$path"
}

# refuses MESSAGE PATH INCLUDE, accepts PATH INCLUDE
refuses() {
  one_file "$2" '<string>' "$3"
  expect "a wrong include is found: $2 with $3" "$2:2: $1" "$(wrong_includes "$work/tree" "$work/tree/generated")"
}
accepts() {
  one_file "$1" '<string>' "$2"
  expect "a right include passes: $1 with $2" '' "$(wrong_includes "$work/tree" "$work/tree/generated")"
}

refuses 'plan may not include runner/files/a.h; it may include schema' runner/plan/a.cpp '"runner/files/a.h"'
refuses 'schema may not include runner/plan/a.h; it may include nothing' schema/a.h '"runner/plan/a.h"'
refuses 'schema may not include runner/plan/a.h; it may include nothing' generated/a.h '"runner/plan/a.h"'
refuses 'launch may not include runner/front/a.h; it may include schema files' runner/launch/a.h '"runner/front/a.h"'
refuses 'tools may not include runner/front/a.h; it may include schema' tools/a.cpp '"runner/front/a.h"'
one_file runner/common/a.h '<string>' '"schema/a.h"'
expect 'a room without a row is found' "runner/common/a.h:1: the room 'common' has no row in the table" \
  "$(wrong_includes "$work/tree" "$work/tree/generated")"
refuses '"a.h" is no path from the root of the repository' runner/plan/a.cpp '"a.h"'
refuses '"../files/a.h" is no path from the root of the repository' runner/plan/a.cpp '"../files/a.h"'
refuses 'LibTorch outside runner/engine: ATen/core/Tensor.h' runner/plan/a.cpp '<ATen/core/Tensor.h>'
refuses 'LibTorch outside runner/engine: c10/util/Half.h' schema/a.cpp '"c10/util/Half.h"'
refuses 'LibTorch outside runner/engine: torch/version.h' tests/plan/a.cpp '<torch/version.h>'
refuses 'ATen/ATen.h brings every operator; include ATen/core/Tensor.h and ATen/ops/NAME.h' \
  runner/engine/a.cpp '<ATen/ATen.h>'
refuses 'torch/torch.h brings every operator; include ATen/core/Tensor.h and ATen/ops/NAME.h' \
  tests/engine/a.cpp '<torch/torch.h>'
refuses 'yaml-cpp outside sources of schema and tools: yaml-cpp/yaml.h' schema/a.h '<yaml-cpp/yaml.h>'
refuses 'yaml-cpp outside sources of schema and tools: yaml-cpp/yaml.h' runner/front/a.cpp '<yaml-cpp/yaml.h>'
refuses 'Boost.Program_options outside runner/front: boost/program_options.hpp' \
  tools/a.cpp '<boost/program_options.hpp>'
refuses 'CUDA or NCCL outside runner/engine/cuda: nccl.h' runner/engine/parallel/a.cpp '<nccl.h>'
refuses 'CUDA or NCCL outside runner/engine/cuda: ATen/cuda/CUDAContext.h' \
  runner/engine/a.cpp '<ATen/cuda/CUDAContext.h>'
accepts runner/engine/model/a.cpp '<torch/script.h>'
accepts runner/engine/cuda/a.cpp '<cuda_runtime.h>'
accepts runner/sweep/a.cpp '"runner/launch/a.h"'
accepts runner/plan/a.h '"recipe.h"'
accepts tests/plan/a.cpp '"runner/plan/a.h"'
accepts schema/a.cpp '<yaml-cpp/yaml.h>'

one_file runner/engine/a.cpp '<string>'
for ((i = 1; i <= most_scripted + 1; ++i)); do
  printf '#include <torch/csrc/jit/api/module.h>\n#include <torch/script.h>\n' >"$work/tree/runner/engine/$i.cpp"
done
expect 'too many files with TorchScript are found' \
  '13 files include TorchScript or autograd headers, at most 12 may:' \
  "$(wrong_includes "$work/tree" "$work/tree/generated" | head -n 1)"
rm "$work/tree/runner/engine/1.cpp"
expect 'so many pass' '' "$(wrong_includes "$work/tree" "$work/tree/generated")"

expect 'a front with LibTorch is found' $'libc10.so\nlibssl.so.3' \
  "$(printf '%s\n' libc10.so libfmt.so.9 libssl.so.3 | wrong_libraries knead)"
expect "an engine with LibTorch's CUDA half is found" $'libtorch.so\nlibtorch_cuda.so' \
  "$(printf '%s\n' libtorch.so libtorch_cpu.so libc10.so libtorch_cuda.so | wrong_libraries knead-engine)"

# --- and hold here --------------------------------------------------------------------------------

violations=$(wrong_includes "$root" "$build/generated")
[[ -z $violations ]] || fail 'every include is one that the table allows' "$violations"
[[ $(list_includes "$root" "$build/generated" | wc -l) -gt 200 ]] || fail 'the sources are found at all'

expect 'knead needs no LibTorch, data library or TLS' '' "$(needed_in_all "$build/knead" | wrong_libraries knead)"
if [[ -x $build/knead-engine ]]; then
  expect 'knead-engine is linked to libtorch_cpu and libc10 only' '' \
    "$(needed_directly "$build/knead-engine" | wrong_libraries knead-engine)"
else
  skip 'knead-engine, which was not built'
fi

finish 'every room includes and links what it may'
