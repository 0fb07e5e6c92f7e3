#!/usr/bin/env bash
# Checks completion in the shells that this machine has: completion_test.sh ROOT PROGRAM
set -euo pipefail

root=$(readlink -f "$1") program=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
cd "$work"
export PATH=$work:$PATH
ln -s "$program" knead
for shell in bash zsh fish; do knead completion "$shell" >"$shell.completion"; done

# in_bash LINE, in_zsh LINE, in_fish LINE: prints the words that the shell offers for an unfinished line, in one line.
in_bash() {
  # shellcheck disable=SC2016  # for the inner shell
  bash --norc -c 'source bash.completion; compopt() { :; }
    COMP_LINE=$1 COMP_POINT=${#1}; _knead; echo "${COMPREPLY[*]}"' bash "$1"
}
in_zsh() {
  # shellcheck disable=SC2016
  zsh --no-rcs -c 'compdef() { :; }; source ./zsh.completion
    compadd() { while [[ $1 != -- ]]; do shift; done; shift; offered+=($@) }
    _files() { offered+=(FILES) }
    words=("${(@s: :)1}"); CURRENT=$#words; _knead; echo $offered' zsh "$1"
}
in_fish() {
  # shellcheck disable=SC2016
  HOME=$work fish --no-config -c 'source fish.completion; complete --do-complete "$argv[1]"' "$1" | xargs
}

# offers SHELL LINE EXPECTED
offers() { expect "$1 offers for '$2'" "$3" "$("in_$1" "$2")"; }

offers bash 'knead ren' 'render'
offers bash 'knead lint --f' '--format'
offers bash 'knead lint --format s' 'sarif'
offers bash 'knead import --from a' 'accelerate axolotl'
offers bash 'knead run --e' '--emit'
offers bash 'knead run --emit s' 'slurm'
offers bash 'knead explain optimizer.amsg' 'optimizer.amsgrad'
offers bash 'knead run a.yaml batch.m' 'batch.micro='
offers bash 'knead run a.yaml device=c' 'cpu cuda'
offers bash 'knead run a.yaml precision=b' 'bf16'
offers bash 'knead run a.yaml name=x data.sh' 'data.shuffle='
offers bash 'knead run a' ''
offers bash 'knead nonsense a' ''
for shell in zsh fish; do
  command -v "$shell" >/dev/null || { skip "$shell is not here" && continue; }
  offers "$shell" 'knead ren' 'render'
  offers "$shell" 'knead lint --format s' 'sarif'
  offers "$shell" 'knead run a.yaml batch.m' 'batch.micro='
  offers "$shell" 'knead run a.yaml precision=bf' 'precision=bf16'
  offers "$shell" 'knead run a.yaml device=c' 'device=cpu device=cuda'
  [[ $shell == fish ]] || offers "$shell" 'knead run a' 'FILES'
done

finish "shells complete what knead offers"
