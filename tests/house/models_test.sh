#!/usr/bin/env bash
# Checks that the files of models bear out models/README.md: models_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
cd "$root"
page=models/README.md

for model in models/*.py; do
  grep -qF "| \`${model#models/}\` |" "$page" || fail "$page has a row for $model"
done

# The last column of a table names files of the corpus.
while read -r name; do
  [[ -f tests/models/corpus/$name.py ]] || fail "$page names $name, which is no file of the corpus"
  case $name in
    refused_*) tag='# refused: ' ;;
    *) tag='# works' ;;
  esac
  [[ $(head -n 1 "tests/models/corpus/$name.py") == "$tag"* ]] || fail "$name is tagged '$tag'"
done < <(sed -n 's/^|.*| \(`[a-z_`, ]*`\) |$/\1/p' "$page" | grep -o '[a-z_]\+')

for name in gpt llama resnet18 unet mobilenet_v2 vit lstm_classifier vae transformer dlrm; do
  [[ -f tests/models/real/$name.py ]] || fail "$name is one of the ten real models"
done
finish 'the page on models says what is there'
