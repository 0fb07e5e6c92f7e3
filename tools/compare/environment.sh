# The Python environment of the comparisons. To be sourced, behind tools/bootstrap/{messages,cache}.sh.
# shellcheck shell=bash

is_compare_environment() { cmp --silent "$root/tools/compare/requirements.txt" "$1/requirements.txt"; }

make_compare_environment() {
  say "fetching Accelerate, Lightning and Hydra into ${1%.partial}"
  "$python" -m venv "$1"
  # They find the PyTorch that is there.
  "$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$(echo "$1"/lib/python*/site-packages)/interop.pth"
  run_pip "$1/bin/python" --requirement "$root/tools/compare/requirements.txt" ||
    give_up 3 "Accelerate, Lightning and Hydra cannot be fetched: $(pip_complaint)"
  cp -- "$root/tools/compare/requirements.txt" "$1/requirements.txt"
}

# Makes `python`, which has PyTorch, one that also has what tools/compare/requirements.txt names.
prepare_compare_environment() {
  local environment
  environment=$(cache_folder)/compare-venv
  make_cached "$environment" is_compare_environment make_compare_environment
  python=$environment/bin/python
}
