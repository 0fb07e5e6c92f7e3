# shellcheck shell=bash
# Defines commands for the transcripts of broken files, folders, disks and numbers.

# ended COMMAND…: runs the command and shows only the lines of its output that do not belong to the summary.
ended() {
  local status=0
  "$@" >"$work/all" 2>&1 || status=$?
  sed -E -e '/^[a-z0-9]+$/d' -e '/^  [a-z]+ /d' "$work/all" | without_moments >&2
  return $status
}

# Replaces the words that differ from run to run: process, host, time of day, speed, sizes, digests and the lines of
# knead's own layers.
without_moments() {
  sed -E -e 's/process [0-9]+ on [^ ]+ since [-0-9: ]+/process N on HOST since THEN/' \
    -e 's|unpacked/[0-9a-f]{32}|unpacked/DIGEST|' -e 's|(models/layers/[a-z]+.py):[0-9]+:[0-9]+|\1:LINE:COLUMN|' \
    -e 's/ +[0-9.]+[kM]? samples\/s.*/  (speed)/' -e 's/[0-9.]+ (kB|MB|GB|B|bytes)/N \1/g'
}

# while_another_trains COMMAND…: runs the command beside a run of good.yaml that does not end.
while_another_trains() {
  local status=0
  "$program" run good.yaml 'train.until=1000000 steps' >/dev/null 2>&1 & # calls no function, so that $! is knead itself
  for _ in {1..500}; do
    [[ ! -s runs/line/metrics.jsonl ]] || break
    sleep 0.02
  done
  "$@" || status=$?
  kill -TERM $!
  wait $! || true
  rm -rf runs
  return $status
}

# Leaves disks.txt out where users may not mount a disk: its commands fill one.
unshare --mount --map-root-user mount -t tmpfs none /mnt 2>/dev/null || left_out=disks.txt

# on_a_disk OPTIONS WORD…: runs knead with these words, with runs/ on a disk of its own.
on_a_disk() {
  local options=$1
  shift
  mkdir -p runs
  # shellcheck disable=SC2016  # for the other shell
  unshare --mount --map-root-user bash -c 'mount -t tmpfs -o "$1" none runs && shift && exec "$@"' bash "$options" \
    "$program" "$@"
}

# Archives are unpacked below the test's folder, not below the tester's home.
export KNEAD_HOME=$work/home

# pack_samples: writes four samples as line.tar and line.tar.gz, and with one large file as large.tar.gz.
pack_samples() (
  mkdir -p "$work/samples"
  cd "$work/samples" || return
  for i in 1 2 3 4; do
    echo "[0.$i, 0.5]" >"$i.json"
    echo "1.$i" >"$i.txt"
  done
  tar --sort=name --mtime=@0 --owner=0 --group=0 -cf "$here/line.tar" ./*
  gzip -9n <"$here/line.tar" >"$here/line.tar.gz"
  { printf '[0.1, 0.5]' && head -c 1000000 /dev/zero | tr '\0' ' '; } >1.json
  tar --sort=name -czf "$here/large.tar.gz" ./*
)

# train_on FILE WORD…: trains on the samples of FILE. The words take the place of `knead` as the command.
train_on() {
  local file=$1
  shift
  ended "${@:-knead}" run good.yaml "data.train={type: tar, path: $file, fields: {x: json, y: {extension: txt, dtype: float32}}}"
}
