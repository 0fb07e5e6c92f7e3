#!/usr/bin/env bash
# Checks how a run ends where its surroundings fail: signals, disks, folders, limits, streams, names, links, many runs at
# once. It ends with a documented exit code and a message, leaves nothing outside of its folder, and goes on later:
# surroundings_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
knead=$build/knead
recipe=$root/tests/end_to_end/recipes/digits.yaml
cases=0
cd "$work"

# judged NAME CODES STATUS SAID: the exit code is one of CODES ("3|5"), and what is said is short, plain and says why.
judged() {
  cases=$((cases + 1))
  [[ $3 =~ ^($2)$ ]] || fail "$1: the exit code is $3, not $2" "$(head -c 1500 "$4")"
  # The lines of progress are as many as the steps that the run could take.
  (($(grep -vacE '^(saved )?step +[0-9]' "$4") <= 60)) || fail "$1: at most 60 lines are said" "$(head -c 1500 "$4")"
  (($(grep -vaE '^(saved )?step +[0-9]' "$4" | wc -c) <= 4096)) || fail "$1: at most 4 kB are said" "$(wc -c <"$4")"
  ! grep -qaP '[\x00-\x08\x0b-\x1f\x7f]' "$4" || fail "$1: no control characters" "$(cat -v "$4" | head -n 5)"
  [[ $3 =~ ^(0|75)$ ]] || grep -qaE '^knead: |: error: ' "$4" || fail "$1: it says why" "$(head -c 1500 "$4")"
}

# tries NAME CODES COMMAND…
tries() {
  local name=$1 codes=$2 status=0
  shift 2
  timeout --kill-after 5 60 "$@" >"$work/said" 2>&1 </dev/null || status=$?
  judged "$name" "$codes" $status "$work/said"
}
trains() { tries "$1" "$2" "$knead" run "$recipe" "output=$work/runs" "${@:3}"; }
# goes_on NAME OVERRIDE…: the run in that folder ends well now.
goes_on() { trains "$1 goes on" 0 "${@:2}"; }

trains 'a run' 0 name=whole
reference=$(outcome runs/whole)
paths=$(cd runs/whole && find . -mindepth 1 -printf '%P\n' | sort)

# --- signals

for signal in INT TERM HUP USR1 ALRM PIPE XFSZ; do
  "$knead" run "$recipe" "output=$work/runs" "name=by-$signal" 'train=100000000 steps' >"$work/said" 2>&1 &
  process=$!
  until [[ -s runs/by-$signal/metrics.jsonl ]] || ! kill -0 $process 2>/dev/null; do sleep 0.02; done
  kill -s $signal $process
  status=0
  if [[ $signal == PIPE || $signal == XFSZ ]]; then
    sleep 0.2 # they mean nothing to a run
    kill -s TERM $process
  fi
  wait $process || status=$?
  [[ $signal =~ ^(USR1|ALRM)$ ]] && status=$((status > 128 ? 75 : status)) # those end it at once, as elsewhere
  judged "SIG$signal" 75 $status "$work/said"
  sleep 0.1
  expect "SIG$signal: no process is left" '' "$(pgrep -f "name=by-$signal" || true)"
done

# --- disks

if mkdir disk && mount -t tmpfs -o size=4k none disk 2>said; then
  for kilobytes in 4 8 12 16 24 32 48 64 96 128 192 256 384 512; do
    umount disk && mount -t tmpfs -o "size=${kilobytes}k" none disk
    tries "a disk of $kilobytes kB" '0|3|5' "$knead" run "$recipe" "output=$work/disk" name=full
    mount -o remount,size=20m disk
    tries "a disk of $kilobytes kB that grows" 0 "$knead" run "$recipe" "output=$work/disk" name=full
    expect "a disk of $kilobytes kB changes nothing" "$reference" "$(outcome disk/full)"
  done
  umount disk && mount -t tmpfs -o size=20m none disk
  head -c 20m /dev/zero >disk/other 2>/dev/null || true
  tries 'a disk that is full before' '3|5' "$knead" run "$recipe" "output=$work/disk" name=full
  umount disk && mount -t tmpfs -o size=20m,nr_inodes=5 none disk
  tries 'a disk with 5 files' '3|5' "$knead" run "$recipe" "output=$work/disk" name=full
  umount disk && mount -t tmpfs -o size=20m,ro none disk
  tries 'a disk that is read only' 3 "$knead" run "$recipe" "output=$work/disk" name=full
  umount disk
else
  skip "disks of a size: $(head -n 1 said)"
fi

# fails_by CALL NUMBER: makes a library that lets a call fail, from its NUMBER-th on, for files below runs/.
cat >fails.c <<'TEXT'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
static int is_ours(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return 0;
  path[size] = 0;
  return strstr(path, "/runs/") != NULL;
}
static int fails(const char* call, int ours) {
  static int count = 0;
  const char* wanted = getenv("FAILS");
  return ours && wanted && !strcmp(wanted, call) && ++count >= atoi(getenv("FAILS_FROM")) && (errno = EIO);
}
ssize_t write(int file, const void* bytes, size_t size) {
  static ssize_t (*real)(int, const void*, size_t);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "write");
  return fails("write", is_ours(file)) ? -1 : real(file, bytes, size);
}
int fsync(int file) {
  static int (*real)(int);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "fsync");
  return fails("fsync", is_ours(file)) ? -1 : real(file);
}
ssize_t read(int file, void* bytes, size_t size) {
  static ssize_t (*real)(int, void*, size_t);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "read");
  return fails("read", is_ours(file)) ? -1 : real(file, bytes, size);
}
int rename(const char* from, const char* to) {
  static int (*real)(const char*, const char*);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "rename");
  return fails("rename", strstr(to, "/runs/") != NULL) ? -1 : real(from, to);
}
TEXT
cc -shared -fPIC -o fails.so fails.c -ldl
for call in write fsync rename read; do
  for from in 1 2 5 10 20; do
    tries "EIO of $call $from" '0|3|5|7' env LD_PRELOAD="$work/fails.so" FAILS=$call FAILS_FROM=$from \
      "$knead" run "$recipe" "output=$work/runs" "name=eio-$call-$from"
    goes_on "EIO of $call $from" "name=eio-$call-$from"
    expect "EIO of $call $from changes nothing" "$reference" "$(outcome "runs/eio-$call-$from")"
  done
done

# --- folders that are moved and removed

for way in moved removed emptied replaced; do
  "$knead" run "$recipe" "output=$work/runs" "name=$way" 'train=100000000 steps' 'checkpoint.every=200 steps' >said 2>&1 &
  process=$!
  until [[ -s runs/$way/metrics.jsonl ]] || ! kill -0 $process 2>/dev/null; do sleep 0.02; done
  case $way in
    moved) mv "runs/$way" elsewhere ;;
    removed) rm -rf "runs/$way" || rm -rf "runs/$way" || true ;;
    emptied) find "runs/$way" -mindepth 1 -delete 2>/dev/null || true ;;
    replaced) mv "runs/$way" before && mkdir "runs/$way" ;;
  esac
  sleep 1
  kill -TERM $process 2>/dev/null || true
  status=0
  wait $process || status=$?
  judged "a folder that is $way" '3|5|75' $status said
done

# --- limits

# A run on the CPU bounds its own memory below that of the machine, so that it ends by itself and not by the kernel.
"$knead" run "$recipe" "output=$work/runs" name=bound --fresh 'train=100000000 steps' >said 2>&1 &
process=$!
until [[ -s $work/runs/bound/metrics.jsonl ]]; do sleep 0.05; done
bound=$(awk '/^Max data size/ { print $4 }' "/proc/$(pgrep --parent $process)/limits")
most=$(awk '/^(MemTotal|SwapTotal):/ { sum += $2 } END { printf "%.0f", sum * 1024 }' /proc/meminfo)
[[ $bound =~ ^[0-9]+$ && $bound -lt $most ]] || fail 'a run bounds its memory' "$bound bytes, of $most"
kill -TERM $process
wait $process || true

for memory in 50000 200000 400000 800000 1200000 2000000; do
  tries "ulimit -v $memory" '0|3|5|6' bash -c "ulimit -v $memory; exec '$knead' run '$recipe' 'output=$work/runs' name=memory --fresh"
done
# With 4 the loader of libraries fails before knead starts.
for files in 5 8 12 16 24 32; do
  tries "ulimit -n $files" '0|2|3|5' bash -c "ulimit -n $files; exec '$knead' run '$recipe' 'output=$work/runs' name=files --fresh"
done
# With 0 the pipe behind knead could not write what knead says.
for blocks in 1 2 8 32 64 128; do
  tries "ulimit -f $blocks" '0|3|5' bash -c "ulimit -f $blocks; exec '$knead' run '$recipe' 'output=$work/limited' 'name=size-$blocks' 2>&1 | cat; exit \${PIPESTATUS[0]}"
done
# Root may start as many processes as it likes.
chmod 755 "$work" && mkdir theirs && chown 65534 theirs
for processes in 1 2 4 8; do
  if setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$knead" 2>/dev/null; then
    tries "ulimit -u $processes" '0|3|5' setpriv --reuid 65534 --regid 65534 --clear-groups bash -c \
      "ulimit -u $processes; exec '$knead' run '$recipe' 'output=$work/theirs' name=processes --fresh"
  fi
done

# --- streams

trains_with() { tries "$1" "$2" bash -c "'$knead' run '$recipe' 'output=$work/runs' 'name=streams-${1// /-}' $3"; }
trains_with 'no standard output' 0 '>&-'
trains_with 'no standard error' 0 '2>&-'
trains_with 'no standard input' 0 '<&-'
trains_with 'no stream' 0 '<&- >&- 2>&-'
trains_with 'a full standard error' 0 '2>/dev/full'
trains_with 'a pipe that nobody reads' 0 '2>&1 | true; exit ${PIPESTATUS[0]}'
for verb in "lint $recipe" "render $recipe" 'schema' 'help' 'runs runs' "explain batch" 'report runs/whole --html -' 'verify runs/whole' 'env' "plan $recipe" 'evaluate runs/whole' 'generate runs/whole'; do
  # shellcheck disable=SC2086
  tries "knead $verb with a full standard output" '1|2|3' bash -c "'$knead' $verb >/dev/full"
  [[ $(cat said) != *'internal error'* ]] || fail "knead $verb: a full standard output is no internal error" "$(cat said)"
  tries "knead $verb with no standard output" '0|2|3' bash -c "'$knead' $verb >&-"
  tries "knead $verb with a pipe that nobody reads" '0|2|3' bash -c "'$knead' $verb | true; exit \${PIPESTATUS[0]}"
done

# --- what the environment lacks

tries 'no HOME' 0 env -u HOME "$knead" run "$recipe" "output=$work/runs" name=no-home
tries 'no variable at all' 0 env -i "$knead" run "$recipe" "output=$work/runs" name=no-variable
tries 'a HOME that is not there' 0 env HOME=/nowhere "$knead" run "$recipe" "output=$work/runs" name=home
tries 'no folder for temporary files' 0 env TMPDIR=/nowhere "$knead" run "$recipe" "output=$work/runs" name=tmp
if unshare --mount true 2>/dev/null; then
  tries 'no /tmp and no /dev/shm' '0|3' unshare --mount bash -c \
    "mkdir -p /run/here && mount --bind '$work' /run/here && mount -t tmpfs -o ro none /tmp && mount -t tmpfs -o ro none /dev/shm && cd /run/here && exec '$knead' run '$recipe' output=/run/here/runs name=no-tmp distributed=2"
  tries 'no /proc' '0|3' unshare --mount bash -c "mount -t tmpfs none /proc && cd '$work' && exec '$knead' run '$recipe' 'output=$work/runs' name=no-proc"
fi
(mkdir gone && cd gone && rmdir ../gone && tries 'a folder that is gone' '0|2|3' "$knead" run "$recipe" output=runs name=gone)

# --- names

long=$(printf 'n%.0s' {1..4000})
trains 'a name of 4,000 letters' 2 "name=$long"
trains 'a name with a line feed' 2 $'name=a\nb'
trains 'an output of 4,000 letters' '2|3' "output=$work/$long" name=long
trains 'an output of many folders' '2|3' "output=$work/$(printf 'folder/%.0s' {1..700})" name=deep
trains 'an output with a line feed and an escape' '0|2|3' "output=$work/"$'a\n\e[2Jb' name=odd
trains 'an output with a line feed' '0|2|3' "output=\"$work/a\\nb\"" name=odd
trains 'an output with an escape' '0|2|3' "output=\"$work/a\\e[2Jb\"" name=odd
tries 'a recipe of 4,000 letters' '2|3' "$knead" run "$long.yaml"
tries 'an argument of 100,000 letters' 2 "$knead" "$(head -c 100000 /dev/zero | tr '\0' a)"

# --- what others may do with the files

(umask 000 && trains 'umask 000' 0 name=open)
expect 'what others may read of it, nobody else writes' '' "$(find runs/open -perm /022 ! -type l -printf '%m %P\n' | head)"
# Files that a user names are for others, as far as the umask lets them.
(umask 027 && "$knead" predict --data train --out modes.csv runs/open && "$knead" report --html modes.html runs/open &&
  "$knead" export --to safetensors runs/open modes.safetensors) >said 2>&1 || fail 'files for others' "$(cat said)"
expect 'modes of what is written for others' '640 640 640' "$(stat -c %a modes.csv modes.safetensors modes.html | paste -sd ' ')"
(umask 777 && trains 'umask 777' '0|3|5' name=closed)

# --- links where it writes

mkdir victims
victims() { (cd victims && find . -type f -exec sha256sum {} + | sort); }
while read -r path; do
  rm -rf -- runs/linked victims
  mkdir -p "runs/linked/$(dirname "$path")" victims/folder
  echo 'not to be touched' | tee victims/file >victims/folder/file
  before=$(victims)
  if [[ -d runs/whole/$path ]]; then ln -s "$work/victims/folder" "runs/linked/$path"; else ln -s "$work/victims/file" "runs/linked/$path"; fi
  trains "a link at $path" '0|2|3|5|7' name=linked
  # A person may keep checkpoints on another disk: in a folder that a link leads to, files may appear.
  expect "a link at $path: nothing outside is changed" "$before" "$(victims | grep -v 'folder/[^f]' || true)"
  rm -rf -- runs/linked
  mkdir -p "runs/linked/$(dirname "$path")"
  [[ -d runs/whole/$path ]] || mkfifo "runs/linked/$path"
  trains "a FIFO at $path" '0|2|3|5|7' name=linked
done <<<"$paths"

# --- many at once

runners=()
for ((i = 0; i < 20; ++i)); do
  timeout 100 "$knead" run "$recipe" "output=$work/runs" name=crowd threads=1 >"said.$i" 2>&1 &
  runners+=($!)
done
ended=0
for ((i = 0; i < 20; ++i)); do
  status=0
  wait "${runners[i]}" || status=$?
  ((status != 0)) || ended=$((ended + 1))
  judged "one of 20 at once" '0|3' $status "said.$i"
done
((ended > 0)) || fail 'one of 20 at once trains' "$(cat said.0)"
expect 'it trains as if it were alone' "$reference" "$(outcome runs/crowd)"
expect 'no process is left' '' "$(pgrep -f "output=$work" || true)"

finish "$cases ends in surroundings that fail"
