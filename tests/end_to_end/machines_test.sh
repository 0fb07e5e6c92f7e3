#!/usr/bin/env bash
# Checks that ranks on several machines train as those of one do: machines_test.sh ROOT BUILD
#
# Each machine is a network namespace, and a pair of virtual network cards connects two of them. Needs root.
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
runs=$work/runs digits=$root/recipes/digits.yaml
mkdir "$runs"
first=knead-$$-a second=knead-$$-b

remove_machines() {
  local machine
  for machine in $first $second; do
    { ip netns pids $machine | xargs --no-run-if-empty kill -9; ip netns del $machine; } 2>/dev/null || true
  done
}
trap 'remove_machines; rm -rf -- "$work"; [[ $finished == yes ]] || echo "the test broke off: a command in it failed"' EXIT

make_machines() {
  ip netns add $first && ip netns add $second || return
  ip link add name card netns $first type veth peer name card netns $second || return
  ip -n $first address add 10.231.7.1/24 dev card && ip -n $second address add 10.231.7.2/24 dev card || return
  ip -n $first link set card up && ip -n $second link set card up || return
  ip -n $first link set lo up && ip -n $second link set lo up
}
if ! make_machines 2>"$work/said"; then
  skip "machines: $(head -n 1 "$work/said")"
  finish 'no network namespaces can be made here'
  exit
fi

short=("output=$runs" 'track.every=5 steps' 'checkpoint.every=10 steps' 'expect=[]' 'distributed.timeout=20 s')
on() { ip netns exec "$@"; }

# rank RANK NAME OVERRIDE…: becomes a rank of four, of which two are on each machine. `more` has more variables.
more=()
rank() {
  local rank=$1 name=$2 machine=$first
  shift 2
  ((rank < 2)) || machine=$second
  exec ip netns exec $machine env RANK=$rank WORLD_SIZE=4 LOCAL_RANK=$((rank % 2)) LOCAL_WORLD_SIZE=2 MASTER_ADDR=10.231.7.1 \
    MASTER_PORT=29400 "${more[@]}" "$build/knead" run "$digits" "${short[@]}" "name=$name" "$@"
}
# four NAME OVERRIDE…: trains with four ranks on two machines. What they say is in said.0 … said.3; `codes` are their exit
# codes.
four() {
  local each processes=()
  begin_four "$@"
  end_four
}
begin_four() {
  local each
  processes=()
  for each in 3 2 1 0; do
    rank $each "$@" >"$work/said.$each" 2>&1 &
    processes[each]=$!
  done
}
end_four() {
  local each code
  codes=()
  for each in 0 1 2 3; do
    code=0
    wait "${processes[each]}" || code=$?
    codes+=($code)
  done
}
# listeners MACHINE: prints the addresses at which programs of a machine listen, without ports.
listeners() { on "$1" ss --no-header --listening --tcp --numeric | awk '{ sub(/:[0-9]+$/, "", $4); print $4 }' | sort -u; }
wait_for() { # wait_for NAME PATTERN: until a run has said something
  local i
  for ((i = 0; i < 400; ++i)); do
    ! grep -q "$2" "$runs/$1/log.txt" 2>/dev/null || return 0
    sleep 0.05
  done
  fail "$1 says '$2'" "$(tail -n 3 "$work"/said.*)"
}

# --- the same bits as on one machine ------------------------------------------------------------------

"$build/knead" run "$digits" "${short[@]}" name=whole distributed.ranks=4 'train=40 steps' >"$work/said" 2>&1 ||
  fail 'four ranks train on one machine' "$(cat "$work/said")"
four two-machines 'train=40 steps'
expect 'four ranks train on two machines' '0 0 0 0' "${codes[*]}"
expect 'two machines give the bits of one' "$(outcome "$runs/whole")" "$(outcome "$runs/two-machines")"
expect 'other ranks say nothing' '' "$(cat "$work"/said.[123])"

more=(KNEAD_TOKEN=secret)
begin_four resumed 'train=100000 steps'
wait_for resumed 'saved step '
kill -s TERM "${processes[3]}"
end_four
expect 'a signal to one rank stops all, saved' '75 75 75 75' "${codes[*]}"
step=$(sed -n 's/.*after step \([0-9]*\), which is saved.*/\1/p' "$runs/resumed/log.txt")
train_to=("train=$((step + 20)) steps" 'schedule=constant')
four resumed "${train_to[@]}"
expect 'four ranks go on on two machines' '0 0 0 0' "${codes[*]}"
"$build/knead" run "$digits" "${short[@]}" name=undisturbed distributed.ranks=4 "${train_to[@]}" >"$work/said" 2>&1 ||
  fail 'four ranks train on one machine' "$(cat "$work/said")"
expect 'a resumed run has the bits of an undisturbed one' "$(outcome "$runs/undisturbed" | sed -n 2,3p)" \
  "$(outcome "$runs/resumed" | sed -n 2,3p)"
more=()

# --- only rank 0 needs the folder of the run -----------------------------------------------------------

seen=$runs
for each in 0 1 2 3; do
  ((each < 2)) || seen=$work/elsewhere
  rank $each apart 'train=10 steps' "output=$seen" >"$work/said.$each" 2>&1 &
done
wait
for each in 0 1 2 3; do
  ((each < 2)) && seen=$runs || seen=$work/elsewhere
  rank $each apart 'train=40 steps' "output=$seen" >"$work/said.$each" 2>&1 &
done
wait
expect 'a machine that has no checkpoint gets it from rank 0' "$(outcome "$runs/whole" | sed -n 2,3p)" \
  "$(outcome "$runs/apart" | sed -n 2,3p)"
expect 'the other machine has logs alone' 'log.rank-2.txt log.rank-3.txt' \
  "$(cd "$work/elsewhere/apart" && echo *)"

# --- who may join, and where is listened ----------------------------------------------------------------

begin_four waited 'train=20 steps' 'distributed.timeout=20 s' 'optimizer.lr=0.002'
{ kill -9 "${processes[3]}" && wait "${processes[3]}"; } 2>/dev/null || true
for ((i = 0; i < 200; ++i)); do
  [[ $(listeners $first) != 10.231.7.1 ]] || break
  sleep 0.05
done
expect 'rank 0 waits at the address of its machine alone' 10.231.7.1 "$(listeners $first)"
for words in 'GET / HTTP/1.1\r\n\r\n' '\xff\xff\xff\xff' '\x10\0\0\0\x0c\0\0\0' ''; do
  # shellcheck disable=SC2016
  on $second timeout 2 bash -c 'exec 3<>/dev/tcp/10.231.7.1/29400; printf "$0" >&3; cat <&3 >/dev/null' "$words" || true
done
rank 3 waited 'train=20 steps' 'distributed.timeout=20 s' 'optimizer.lr=0.002' >"$work/said.3" 2>&1 &
processes[3]=$!
end_four
expect 'strangers and a rank that comes again end nothing' '0 0 0 0' "${codes[*]}"

begin_four listening 'train=100000 steps'
wait_for listening 'saved step '
expect 'ranks listen at the address of their machine alone' '10.231.7.1 10.231.7.2' \
  "$(listeners $first) $(listeners $second)"
expect 'the rendezvous is over' '' "$(on $first ss --no-header --listening --tcp --numeric | grep ':29400 ' || true)"
kill -s TERM "${processes[0]}"
end_four
ip netns exec $first "$build/knead" run "$digits" "${short[@]}" name=local distributed.ranks=2 'train=100000 steps' >"$work/said" 2>&1 &
wait_for local 'saved step '
expect 'ranks of one machine listen on loopback alone' 127.0.0.1 "$(listeners $first)"
kill -s TERM $!
wait $! || true

more=(KNEAD_TOKEN=secret)
for each in 3 2 1; do
  rank $each refused 'train=20 steps' 'distributed.timeout=6 s' >"$work/said.$each" 2>&1 &
done
more=(KNEAD_TOKEN=another) code=0
(rank 0 refused 'train=20 steps' 'distributed.timeout=6 s') >"$work/said.0" 2>&1 || code=$?
wait
more=()
expect 'ranks with another token are refused' "6
knead: rank 0 has waited 6 s at 10.231.7.1:29400 for the ranks 1, 2, 3 of 4
     = a process was refused that does not have the same KNEAD_TOKEN
knead: rank 2 at 10.231.7.1:29400 has another KNEAD_TOKEN than rank 0" \
  "$code
$(cat "$work/said.0")
$(sed -nE 's/^knead: rank 0 at (.*) refuses (rank 2): .*/knead: \2 at \1 has another KNEAD_TOKEN than rank 0/p' "$work/said.2")"

# --- a machine with another file ------------------------------------------------------------------------

sed 's/0.0625/0.0624/' "$digits" >"$work/other.yaml"
sed -i "s|\.\./models|$root/models|; s|data/digits.csv|$root/recipes/data/digits.csv|" "$work/other.yaml"
for each in 0 1 2 3; do
  ((each < 3)) && recipe=$digits || recipe=$work/other.yaml
  digits=$recipe rank $each differs 'train=20 steps' >"$work/said.$each" 2>&1 &
done
wait
expect 'a rank with another recipe is named' \
  "knead: rank 3 would train something else than rank 0: 'data.train.fields.pixels.scale' differs
     = all ranks need the same recipe, model and data" "$(tail -n 2 "$work/said.0")"

# --- a link that is slow, stalls or breaks -----------------------------------------------------------------

if on $first tc qdisc add dev card root tbf rate 40mbit burst 32kbit latency 400ms 2>"$work/said"; then
  four slow 'train=40 steps'
  expect 'a slow link changes no bit' "$(outcome "$runs/whole")" "$(outcome "$runs/slow")"
  on $first tc qdisc del dev card root
else
  skip "a slow link: $(head -n 1 "$work/said")"
fi
begin_four stalled 'train=600 steps'
wait_for stalled 'saved step '
ip -n $second link set card down
sleep 3
ip -n $second link set card up
end_four
expect 'ranks wait for a link that stalls' '0 0 0 0' "${codes[*]}"
"$build/knead" run "$digits" "${short[@]}" name=unstalled distributed.ranks=4 'train=600 steps' >"$work/said" 2>&1
expect 'a link that stalls changes no bit' "$(outcome "$runs/unstalled")" "$(outcome "$runs/stalled")"

begin_four broken 'train=100000 steps' 'distributed.timeout=6 s'
wait_for broken 'saved step '
ip -n $second link set card down
begin=$SECONDS
end_four
expect 'a broken link ends all ranks' '6 6 6 6' "${codes[*]}"
((SECONDS - begin < 20)) || fail 'a broken link ends the run soon' "$((SECONDS - begin)) s"
grep -Eq '^knead: rank 0 has (waited 6 s for the other ranks|lost the connection to another rank)' "$work/said.0" ||
  fail 'a broken link is said' "$(cat "$work/said.0")"

finish 'ranks on several machines train as those of one do'
