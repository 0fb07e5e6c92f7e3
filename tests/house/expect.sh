# shellcheck shell=bash
# Defines what all tests in bash use, which source it: `work`, a folder that is removed with the test; `expect` and `fail`,
# which count failures; `finish`, which ends the test. Variables of the caller that programs under test would read are
# unset.

unset CI GITHUB_ACTIONS NO_COLOR TERM KNEAD_ENGINE KNEAD_TOKEN RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE MASTER_ADDR MASTER_PORT
unset "${!SLURM_@}" "${!OMPI_@}" "${!PMI_@}" "${!PMIX_@}" "${!TORCHELASTIC_@}" "${!ASAN_@}" "${!UBSAN_@}" "${!LSAN_@}"
export LC_ALL=C.UTF-8
# Tests compute on the CPU, whose numbers they hold, on a machine with GPUs too.
export CUDA_VISIBLE_DEVICES=

work=$(mktemp -d)
failures=0 finished=no
trap 'exit 130' INT TERM
trap 'rm -rf -- "$work"; [[ $finished == yes ]] || echo "the test broke off: a command in it failed"' EXIT

# fail SENTENCE [DETAIL]: prints both and counts a failure.
fail() {
  printf 'FAILED: %s\n' "$1"
  [[ -z ${2:-} ]] || printf '%s\n' "$2" | sed 's/^/  /'
  failures=$((failures + 1))
}

# expect SENTENCE EXPECTED GOT: fails with the difference unless both are equal.
expect() {
  [[ $2 != "$3" ]] || return 0
  if [[ -z $2 ]]; then
    fail "$1 (this should not be there)" "$3"
  else
    fail "$1 ('-' expected, '+' got)" \
      "$(diff --unified=2 <(printf '%s\n' "$2") <(printf '%s\n' "$3") | tail -n +3)"
  fi
}

skip() { printf 'skipped: %s\n' "$1"; }

# finish SENTENCE: ends the test; prints the sentence if nothing failed.
finish() {
  finished=yes
  if ((failures > 0)); then
    printf '%s of the expectations above failed\n' "$failures"
    exit 1
  fi
  printf '%s\n' "$1"
}
