#!/usr/bin/env bash
# Checks that what comes from the environment into keys that are secrets stands nowhere: in no file, output, argument of
# a process, report or page: secrets_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
knead=$build/knead
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY no_proxy
helpers=()
trap 'kill "${helpers[@]}" 2>/dev/null || true; rm -rf -- "$work"; [[ $finished == yes ]] || echo "the test broke off: a command in it failed"' EXIT

# What stands for the servers keeps its own files elsewhere: it has to know the secrets.
mkdir "$work/servers" "$work/here"
python3 "$root/tests/end_to_end/mlflow_stand_in.py" "$work/servers/mlflow" 2>"$work/servers/errors" &
helpers+=($!)
python3 "$root/tests/end_to_end/hook_stand_in.py" "$work/servers/hook" "$work/servers/told" &
helpers+=($!)
# Repeats in its answer what it was sent, as some servers do in their errors.
python3 - "$work/servers/echo" <<'TEXT' &
import http.server, json, os, sys

class Echo(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        said = json.dumps({"error_code": "DENIED", "message": "denied: " + self.headers.get("Authorization", "") + " " + self.path}).encode()
        self.send_response(401)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)
    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.do_GET()
    def log_message(self, *words):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(server.server_address[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
TEXT
helpers+=($!)
for name in mlflow hook echo; do until [[ -e $work/servers/$name ]]; do sleep 0.05; done; done
port() { cat "$work/servers/$1"; }

export MLFLOW_TOKEN=s3cret-token-7f2a USER_NAME=s3cret-user-7f2a PASS_WORD=s3cret-password-7f2a
HOOK="http://127.0.0.1:$(port hook)/s3cret-path-7f2a"
export HOOK
pair=$(printf '%s:%s' "$USER_NAME" "$PASS_WORD" | base64 -w0)
secrets=(-e s3cret- -e "$pair" -e "${pair:0:20}")
cd "$work/here"

cat >base.yaml <<TEXT
track:
  every: 1 step
  to:
  - tensorboard
  - csv
  - wandb
  - dvclive
  - prometheus
  - {type: mlflow, url: "http://127.0.0.1:$(port mlflow)", experiment: e, token: "\${env:MLFLOW_TOKEN}"}
notify: {type: slack, url: "\${env:HOOK}"}
TEXT
sed "s|^extends: .*|extends: [$root/recipes/digits.yaml, base.yaml]|" "$root/tests/end_to_end/recipes/digits.yaml" | grep -v '^track:' >recipe.yaml
password_sink() { echo "track.to=[{type: mlflow, url: \"http://127.0.0.1:$(port "$1")\", experiment: e, username: \"\${env:USER_NAME}\", password: \"\${env:PASS_WORD}\"}]"; }

# Watches the arguments of all processes while the commands below run.
(while :; do grep -aH "${secrets[@]}" /proc/[0-9]*/cmdline 2>/dev/null | grep -av "grep" || true; sleep 0.02; done) >"$work/servers/arguments" 2>/dev/null &
helpers+=($!)

number=0
# does WORDS COMMAND…: runs a command, whose exit code does not matter, and keeps what it says.
does() {
  local words=$1
  shift
  number=$((number + 1))
  timeout 120 "$@" >"said-$number.out" 2>"said-$number.err" </dev/null || echo "exit $?" >>"said-$number.err"
  echo "$words" >>"said-$number.err"
}

does 'a run' "$knead" run recipe.yaml output=runs name=whole export=safetensors profile='{steps: [2, 3]}'
! grep -q '^exit' said-1.err || fail 'a run with every sink ends well' "$(cat said-1.err)"
does 'it is resumed' "$knead" run recipe.yaml output=runs name=whole train='20 steps'
does 'another password' "$knead" run recipe.yaml output=runs name=by-password "$(password_sink mlflow)"
does 'a server that repeats what it is sent' "$knead" run recipe.yaml output=runs name=by-echo "$(password_sink echo)"
does 'by its token' "$knead" run recipe.yaml output=runs name=by-echo-2 "track.to=[{type: mlflow, url: \"http://127.0.0.1:$(port echo)\", experiment: e, token: \"\${env:MLFLOW_TOKEN}\"}]"
HOOK=ftp://s3cret-path-7f2a does 'a hook that is none' "$knead" run recipe.yaml output=runs name=no-hook
HOOK=http://127.0.0.1:1/s3cret-path-7f2a does 'a hook that nobody hears' "$knead" run recipe.yaml output=runs name=closed-hook
HOOK=http://s3cret-user-7f2a:word@127.0.0.1:1/ does 'a hook with a user' "$knead" run recipe.yaml output=runs name=user-hook
HOOK=http://127.0.0.1:99999/s3cret-path-7f2a does 'a hook at an impossible port' "$knead" run recipe.yaml output=runs name=port-hook
HOOK=$'http://s3cret-\e[2J/\n' does 'an impossible hook' "$knead" run recipe.yaml output=runs name=escape-hook
does 'on two ranks' "$knead" run recipe.yaml output=runs name=ranks distributed=2
does 'a sweep' "$knead" sweep recipe.yaml output=runs name=swept 'sweep={over: {optimizer.lr: [0.001, 0.01]}}' --junit junit.xml
does 'a loss that is not a number' "$knead" run recipe.yaml output=runs name=broken optimizer.lr=1e30

"$knead" run recipe.yaml output=runs name=crashed 'train=100000000 steps' >said-crash 2>&1 &
front=$!
until [[ -s runs/crashed/metrics.jsonl ]]; do sleep 0.05; done
kill -SEGV "$(pgrep --parent $front)"
wait $front || true

does 'plan' "$knead" plan recipe.yaml --format json
does 'bench' "$knead" bench recipe.yaml
does 'render' "$knead" render recipe.yaml
does 'render with origins' "$knead" render recipe.yaml --origin
for key in track track.to 'track.to.*.token' notify notify.url; do does "explain $key" "$knead" explain "$key" recipe.yaml; done
for format in text json sarif github junit rdjsonl; do
  does "lint as $format" "$knead" lint --format $format recipe.yaml
  does "lint of a mistake as $format" "$knead" lint --format $format recipe.yaml 'track.to=[{type: mlflow, token: "${env:MLFLOW_TOKEN}", tokn: "${env:MLFLOW_TOKEN}"}]'
  does "lint of a secret as $format" "$knead" lint --format $format recipe.yaml "track.to=[{type: mlflow, url: 'http://127.0.0.1:1', token: s3cret-token-7f2a}]"
  does "lint of a secret in another key as $format" "$knead" lint --format $format recipe.yaml 'notify=[{type: slack, url: ["${env:HOOK}"]}]'
done
for to in slurm k8s; do does "emit for $to" "$knead" run recipe.yaml --emit $to && does "emit a sweep for $to" "$knead" sweep recipe.yaml --emit $to 'sweep={over: {optimizer.lr: [0.001, 0.01]}}'; done
does 'runs' "$knead" runs runs --format json
does 'a report' "$knead" report runs/whole
does 'a report of all' "$knead" report runs --html all.html
does 'a report in Markdown' "$knead" report runs --markdown -
does 'evaluate' "$knead" evaluate runs/whole
does 'verify' "$knead" verify runs/whole
does 'track' "$knead" track --to mlflow runs/whole
does 'track without the token' env -u MLFLOW_TOKEN "$knead" track --to mlflow runs/whole
does 'watch' "$knead" watch runs/whole
does 'env' "$knead" env

"$knead" board runs >"$work/servers/board" 2>said-board.err &
helpers+=($!)
until [[ -s $work/servers/board ]]; do sleep 0.05; done
# page PATH: what the board shows there, and its words for the present state.
page() { does "the board's $1" curl --silent --fail --max-time 20 "$(port board)$1"; }
if command -v curl >/dev/null; then
  for path in '' list 'run?name=whole' 'run?name=broken' 'run?name=crashed' 'run?name=by-echo' 'sweep?name=swept' 'compare?run=whole&run=ranks'; do page "$path"; done
  does "the board's events" curl --silent --max-time 2 "$(port board)events?name=whole"
else
  skip 'curl is not here, so nobody asks the board'
fi

expect 'there is something to look at' yes "$( ((number > 50)) && [[ -e runs/whole/resolved.yaml ]] && echo yes)"
# A test that can fail: the secrets are known to those for whom they are.
expect 'the hook was told by its secret path' yes "$(grep -q s3cret-path "$work/servers/told" && echo yes)"
# What a person writes into an argument stands in that argument, and in what the shell keeps.
expect 'no file and no output holds a secret' '' "$(grep -rlaF "${secrets[@]}" . | while read -r file; do echo "$file: $(tail -n 1 "${file%.out}" 2>/dev/null | cut -c1-60) $(grep -aoF "${secrets[@]}" "$file" | head -n 1)"; done)"
expect 'no argument of a process holds a secret' '' "$(grep -av 's3cret-token-7f2a}' "$work/servers/arguments" | tr '\0' ' ' | cut -c1-300 | head -n 5)"

finish "$number commands show no secret"
