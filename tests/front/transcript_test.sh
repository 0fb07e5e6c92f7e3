#!/usr/bin/env bash
# Checks the output of the programs to the character: transcript_test.sh ROOT FOLDER PROGRAM [--accept]
#
# A transcript in FOLDER/transcripts/ is a list of commands, each after '$ ', with their output: '| ' stands before a
# line of standard output, '! ' before a line of standard error, and the exit code follows. Commands run in a copy of
# FOLDER/recipes/, whose path is shown as HERE. FOLDER/commands.sh may define more commands, and name as `left_out` a
# transcript that cannot run on this machine.
# --accept writes the current output into the transcripts: read the difference before you
# commit it.
set -euo pipefail

root=$(readlink -f "$1") folder=$(readlink -f "$2") program=$(readlink -f "$3")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
transcripts=$folder/transcripts
here="$work/a folder"
cp -R -- "$folder/recipes" "$here"
cp -R -- "$root/tests/launch/engines" "$work/engines"
cd "$here"

# --- commands that transcripts use ----------------------------------------------------------------

knead() { "$program" "$@"; }

# with_engine NAME COMMAND…: runs the command with an engine of tests/launch/engines/ in place of the real one.
with_engine() {
  local engine=$1
  shift
  KNEAD_ENGINE=$work/engines/$engine "$@"
}

# shellcheck source=/dev/null
[[ ! -e $folder/commands.sh ]] || source "$folder/commands.sh"

# --------------------------------------------------------------------------------------------------

# shown MARK FILE: prints the lines of a file, each after the mark. Makes a blank at the end of a line visible, and a
# missing newline at the end of the file.
shown() {
  local text
  [[ -s $2 ]] || return 0
  text=$(cat "$2" && echo .)
  text=${text%.}
  text=${text//"$here"/HERE}
  text=${text//"$work"/ABOVE}
  printf '%s' "$text" | sed -e "s/^/$1 /" -e 's/^. $/'"$1"'/' -e 's/[[:blank:]]$/&(blank)/'
  [[ $text == *$'\n' ]] || printf '\\ no newline at the end\n'
}

# replay: runs the commands of a transcript from standard input and prints the transcript with their current output.
replay() {
  local line status
  while IFS= read -r line; do
    case $line in
      '$ '*)
        status=0
        (eval "${line#\$ }") >"$work/printed" 2>"$work/said" </dev/null || status=$?
        printf '%s\n' "$line"
        shown '|' "$work/printed"
        shown '!' "$work/said"
        printf 'exit %d\n' "$status"
        ;;
      '| '* | '|' | '! '* | '!' | '\ '* | 'exit '*) ;;
      *) printf '%s\n' "$line" ;;
    esac
  done
}

for transcript in "$transcripts"/*.txt; do
  if [[ $(basename "$transcript") == "${left_out:-}" ]]; then
    skip "$left_out, which cannot be tried here"
    continue
  fi
  replay <"$transcript" >"$work/transcript"
  if [[ ${4:-} == --accept ]]; then
    cat "$work/transcript" >"$transcript"
  else
    expect "${transcript#"$root/"} says what the programs print" "$(cat "$transcript")" "$(cat "$work/transcript")"
  fi
done

finish "the programs print what the transcripts say"
