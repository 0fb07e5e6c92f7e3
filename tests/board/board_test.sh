#!/usr/bin/env bash
# Checks what `knead board` answers over the network, to friend and foe: board_test.sh ROOT PROGRAM
set -euo pipefail

root=$(readlink -f "$1") program=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/house/expect.sh"
command -v curl >/dev/null || { skip 'curl is not here' && finish 'nothing of the board was tried'; exit; }
cd "$work"

# report STEP: a line of metrics.jsonl.
report() {
  printf '{"step":%s,"epoch":1,"samples":%s,"time":%s,"loss":0.5,"lr":0.001,"gradient_norm":1,"samples_per_second":10,"data_wait":0,"skipped":0}\n' \
    "$1" "$1" "$1"
}
mkdir -p runs/digits/checkpoints
: >runs/digits/LOCK
report 100 >runs/digits/metrics.jsonl
echo secret >outside
ln -s "$work/outside" runs/digits/log.txt

"$program" board runs >address 2>said &
board=$!
trap 'kill "$board" 2>/dev/null || true; rm -rf -- "$work"; [[ $finished == yes ]] || echo "the test broke off: a command in it failed"' EXIT
for ((i = 0; i < 200; ++i)); do
  [[ ! -s address ]] || break
  sleep 0.05
done
address=$(cat address)
port=${address#http://127.0.0.1:}
token=${port#*/} port=${port%%/*}
expect 'the token has 128 bits' 32 "$(tr -d '/\n' <<<"$token" | wc -c)"
expect 'it listens on this machine only' "127.0.0.1:$port" \
  "$(ss -Hltn "sport = :$port" 2>/dev/null | awk '{print $4}' || echo "127.0.0.1:$port")"

# status ARGUMENT…: the status that curl gets; 000 for a connection that is closed without an answer.
status() { curl --silent --output /dev/null --max-time 10 --write-out '%{http_code}' "$@" || true; }

# raw LINE…: the first line of the answer to a request of these lines.
raw() {
  {
    exec 9<>"/dev/tcp/127.0.0.1/$port"
    printf '%s\r\n' "$@" '' >&9
    timeout 5 head -n 1 <&9 | tr -d '\r'
  } 2>/dev/null || true
}

expect 'the first page' 200 "$(status "$address")"
expect 'the page of a run' 200 "$(status "${address}run?name=digits")"
expect 'another token' 404 "$(status "http://127.0.0.1:$port/00000000000000000000000000000000/")"
expect 'no token' 404 "$(status "http://127.0.0.1:$port/")"
expect 'localhost is this machine too' 200 "$(status --header "Host: localhost:$port" "$address")"
expect 'a name that somebody else gave this machine' 403 "$(status --header "Host: evil.example:$port" "$address")"
expect 'two hosts' 'HTTP/1.1 403 Forbidden' "$(raw "GET /$token/ HTTP/1.1" "Host: 127.0.0.1:$port" 'Host: evil.example')"
expect 'no host' 'HTTP/1.1 403 Forbidden' "$(raw "GET /$token/ HTTP/1.1")"
expect 'no HTTP' '' "$(raw "$(head -c 3000 /dev/urandom | base64 -w 0)")"
expect 'a page of another origin' 403 "$(status --header 'Origin: http://evil.example' "$address")"
for method in POST PUT DELETE OPTIONS; do
  expect "$method" 405 "$(status --request "$method" "$address")"
done
expect 'a body' 000 "$(status --request GET --data x "$address")"
expect 'a path out of the folder' 404 "$(status --path-as-is "${address}run?name=../outside")"
expect 'a path with dots' 404 "$(status --path-as-is "${address}../../etc/passwd")"
expect 'a header that is too long' 000 "$(status --header "X: $(printf '%09000d' 0)" "$address")"
expect 'nothing outside is read' '' "$(curl --silent "${address}run?name=digits" | grep secret || true)"

headers=$(curl --silent --head "$address" | tr -d '\r')
expect 'the policy of the answers' \
  "default-src 'none'; style-src 'self' 'sha256-?'; script-src 'self' 'sha256-?'; img-src data:; base-uri 'none'; form-action 'none'; connect-src 'self'; frame-ancestors 'none'" \
  "$(sed -n 's/^Content-Security-Policy: //p' <<<"$headers" | sed -E "s|sha256-[A-Za-z0-9+/=]+|sha256-?|g")"
for header in 'Cache-Control: no-store' 'Referrer-Policy: no-referrer' 'X-Content-Type-Options: nosniff'; do
  expect "the header $header" "$header" "$(grep -F "$header" <<<"$headers" || true)"
done
expect 'no cookie' '' "$(grep -i cookie <<<"$headers" || true)"

# --- a run that grows -----------------------------------------------------------------------------

: >events
curl --silent --no-buffer --max-time 20 "${address}events?folder=" >events &
listener=$!
for ((i = 0; i < 100 && i >= 0; ++i)); do
  report $((200 + i)) >>runs/digits/metrics.jsonl
  grep -q changed events && break
  sleep 0.1
done
kill "$listener" 2>/dev/null || true
wait "$listener" 2>/dev/null || true
expect 'a new line is an event' 'event: changed
data: ["digits"]' "$(head -n 2 events)"

# --- clients that are slow ------------------------------------------------------------------------

for ((i = 0; i < 70; ++i)); do
  { exec 9<>"/dev/tcp/127.0.0.1/$port" && printf 'GET /' >&9 && exec sleep 8; } 2>/dev/null &
  slow[i]=$!
done
sleep 0.5
expect 'connections are bounded' 000 "$(status --max-time 2 "$address")"
kill "${slow[@]}" 2>/dev/null || true
wait "${slow[@]}" 2>/dev/null || true
sleep 0.5
expect 'and when the slow are gone it answers' 200 "$(status "$address")"

# --- the end --------------------------------------------------------------------------------------

code=0
"$program" board runs --port "$port" >said 2>&1 || code=$?
expect 'a port that is taken' "3 knead: cannot listen at 127.0.0.1:$port: Address already in use
     = leave --port out, and the board takes a port that is free" "$code $(cat said)"
kill -TERM "$board"
code=0
wait "$board" || code=$?
expect 'SIGTERM ends it in order' 0 "$code"

finish 'the board answers whom it should'
