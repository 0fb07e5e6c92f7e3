# shellcheck shell=bash
# How far a build is and how long it takes yet.

# weigh_step STEP: sets `weight` to about how long a step of ninja takes next to others. Files that
# include LibTorch take longest; linking takes next to nothing.
weigh_step() {
  case $1 in
    *'Building CXX object'*/engine/*) weight=8 ;;
    *'Building CXX object'*) weight=4 ;;
    *) weight=0 ;;
  esac
}

# whole_work TARGET…: prints the weight of all that is to be built, as far as ninja knows: less where
# CMake has to write its files again first.
whole_work() {
  local step weight sum=0
  while IFS= read -r step; do
    weigh_step "$step"
    ((sum += weight)) || true
  done < <(ninja -C "$build" -n "$@" 2>/dev/null)
  echo "$sum"
}

# show_progress WORDS WORK: reads what ninja prints. A terminal sees one line that changes; a log
# gets one now and then. Each line begins with WORDS.
show_progress() {
  local words=$1 work=$2 step weight left done=0 begun=$SECONDS said=$SECONDS line=''
  local pause=60
  [[ ! -t 2 ]] || pause=1
  while IFS= read -r step; do
    weigh_step "$step"
    ((done += weight)) || true
    ((SECONDS - said >= pause && SECONDS - begun >= 5 && done > 0 && work >= done)) || continue
    said=$SECONDS
    left=$(((SECONDS - begun) * (work - done) / done))
    line="$words: $((100 * done / work)) %, $(time_words "$left") left"
    if [[ -t 2 ]]; then printf '\rknead: %s\e[K' "$line" >&2; else say "$line"; fi
  done
  [[ ! -t 2 || -z $line ]] || printf '\r\e[K' >&2
}

# time_words SECONDS: rounded up, so that nobody is promised too much.
time_words() {
  if (($1 < 60)); then echo 'less than a minute'; else echo "about $((($1 + 59) / 60)) min"; fi
}
