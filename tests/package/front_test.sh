#!/usr/bin/env bash
# Checks the packages of the front alone: front_test.sh ROOT DIST
set -euo pipefail

root=$(readlink -f "$1") dist=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
source "$root/tests/package/installed.sh"
wheel=$(wheel_of knead_lint)
cd "$work"

expect 'the wheel is small' '' "$(megabytes_over 8 "$wheel")"
make_environment v
v/bin/pip install --quiet "$wheel" # needs no index: the wheel depends on no other
export PATH=$work/v/bin:$PATH

expect 'knead is there' "$work/v/bin/knead" "$(command -v knead)"
expect 'and needs libc alone' '' "$(needed_beyond "$system_libraries" v/bin/knead)"
knead new digits >/dev/null
expect 'it lints' '0  no problems in digits.yaml' \
  "$(status=0 && knead lint digits.yaml >said 2>&1 || status=$?; echo "$status  $(cat said)")"
expect 'its schema is installed for editors' '' "$(knead schema | diff - v/share/knead/recipe.schema.json)"
expect 'no file names the machine that built it' '' "$(grep -rlF "$root" v/bin/knead v/share || true)"
for file in bash-completion/completions/knead zsh/site-functions/_knead fish/vendor_completions.d/knead.fish; do
  [[ $(grep -c 'knead completion words' "v/share/$file") == 1 ]] || fail "$file asks the knead of the PATH"
done
expect 'it says what it cannot do' '3  knead: this knead was installed without its engine: it checks recipes, it cannot train
     = install the package '\''knead'\'' in place of '\''knead-lint'\' \
  "$(status=0 && knead run digits.yaml >said 2>&1 || status=$?; echo "$status  $(cat said)")"
expect 'for a bug report too' "engine     not installed; install the package 'knead' in place of 'knead-lint'" \
  "$(knead env | tail -n 1)"

# shellcheck disable=SC2016  # for the inner shell
expect 'bash completes' 'render' "$(bash --norc -c 'source v/share/bash-completion/completions/knead
  compopt() { :; }; COMP_LINE="knead ren" COMP_POINT=9; _knead; echo "${COMPREPLY[*]}"')"
if command -v zsh >/dev/null; then
  # shellcheck disable=SC2016
  expect 'zsh completes at the first call of its file' 'render' "$(zsh --no-rcs -c 'fpath=($PWD/v/share/zsh/site-functions)
    compdef() { :; }; compadd() { while [[ $1 != -- ]]; do shift; done; shift; echo $@ }; _files() { : }
    autoload _knead; words=(knead ren) CURRENT=2; _knead')"
fi

packs() { status=0 && "$root/tools/package" "$@" >said 2>&1 || status=$?; echo "$status $(head -n 1 said)"; }
expect 'an option that is not there' '2 knead: unknown option: --wheel' "$(packs --wheel)"
expect 'a folder that is not named' '2 knead: --to needs a folder' "$(packs --front --to)"

deb=$(echo "$dist"/knead-lint_*.deb)
expect 'the .deb depends on libc alone' 'libc6' "$(dpkg-deb --field "$deb" Depends | sed 's/ (.*)//')"
dpkg-deb --extract "$deb" deb
expect 'and has the same program' '' "$(cmp v/bin/knead deb/usr/bin/knead 2>&1)"
expect 'and the same completion' '' "$(diff v/share/zsh/site-functions/_knead deb/usr/share/zsh/vendor-completions/_knead)"

finish 'the front is installed by pip and by apt, without a compiler'
