#!/usr/bin/env bash
# Fetches data over TLS from servers whose certificates are right, of nobody, of another name, or too old, and from one
# that speaks an old TLS only: tls_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY no_proxy SSL_CERT_DIR
servers=()
trap 'kill "${servers[@]}" 2>/dev/null || true; rm -rf -- "$work"; [[ $finished == yes ]] || echo "the test broke off: a command in it failed"' EXIT

cd "$work"
mkdir files
for ((i = 0; i < 8; ++i)); do echo "$i,1,$((i % 2))"; done >files/rows
{ echo a,b,c && cat files/rows; } >files/data.csv
digest=$(sha256sum files/data.csv | cut -d ' ' -f 1)

# --- certificates: an authority, and what it or nobody vouches for

quietly() { "$@" >openssl.said 2>&1 || fail "$*" "$(cat openssl.said)"; }
quietly openssl req -x509 -newkey rsa:2048 -nodes -keyout authority.key -out authority.pem -days 3650 -subj '/CN=authority of a test'
# certify NAME HOST FROM TO: makes NAME.key and NAME.pem, which is for HOST between two days.
certify() {
  quietly openssl req -newkey rsa:2048 -nodes -keyout "$1.key" -out "$1.csr" -subj "/CN=$2"
  rm -rf authority && mkdir authority && touch authority/index.txt && echo "0$((RANDOM % 9 + 1))" >authority/serial
  cat >authority/rules <<RULES
[ca]
default_ca = it
[it]
database = $work/authority/index.txt
serial = $work/authority/serial
new_certs_dir = $work/authority
default_md = sha256
policy = any
[any]
commonName = supplied
[names]
subjectAltName = DNS:$2
RULES
  quietly openssl ca -batch -config authority/rules -extensions names -cert authority.pem -keyfile authority.key \
    -in "$1.csr" -out "$1.pem" -notext -startdate "$3" -enddate "$4"
}
certify good localhost 20200101000000Z 20991231000000Z
certify other example.org 20200101000000Z 20991231000000Z
certify late localhost 20200101000000Z 20210101000000Z
certify early localhost 20980101000000Z 20991231000000Z

# serve NAME [VERSION]: serves the files with a certificate; writes the port to NAME.VERSION.
serve() {
  python3 -W ignore "$root/tests/end_to_end/tls_server.py" files "$1.pem" "$1.key" "${2:-TLSv1_3}" "$1.${2:-TLSv1_3}" &
  servers+=($!)
}
serve good
serve good TLSv1_2
serve good TLSv1_1
serve other
serve late
serve early

cat >tls.yaml <<YAML
version: 1
name: tls
model: {source: $root/models/mlp.py, class: MLP, args: {inputs: 2, hidden: [1], outputs: 2}}
data:
  train: {type: csv, url: "\${env:DATA}", sha256: $digest, fields: {x: {columns: [a, b]}, y: {columns: c, dtype: int64}}}
loss: {type: cross_entropy, target: y}
batch: 1
optimizer: {type: sgd, lr: 0.1}
train: 2 steps
output: runs
YAML

# fetch SERVER AUTHORITY: trains with data of a server; prints the exit code, and the lines of a failure.
fetch() {
  local status=0 address
  until [[ -e $1 ]]; do sleep 0.05; done
  address=https://localhost:$(<"$1")/data.csv
  SSL_CERT_FILE=$2 DATA=$address KNEAD_HOME=$work/home-$1-$2 "$build/knead" run --fresh tls.yaml >said 2>&1 || status=$?
  echo "$status"
  ((status == 0)) || sed -e "s|$address|ADDRESS|" said | grep -v '^fetching'
}
# refused WHY: what a server that is refused ends with.
refused() {
  printf '3\nknead: ADDRESS cannot be fetched: %s\n' "$1"
  printf "     = try it again, or fetch the file yourself and name it by 'path'; behind a proxy, https_proxy says which\n"
}
unknown="the server's certificate cannot be verified"

expect 'a server with a certificate of the authority' 0 "$(fetch good.TLSv1_3 authority.pem)"
expect 'TLS 1.2' 0 "$(fetch good.TLSv1_2 authority.pem)"
expect 'what it gave is that file' "$digest" "$(sha256sum home-good.TLSv1_2-authority.pem/web/*/data.csv | cut -d ' ' -f 1)"
expect 'TLS 1.1 is too old' "$(refused 'no secure connection can be made')" "$(fetch good.TLSv1_1 authority.pem)"
expect 'an authority that nobody knows' "$(refused "$unknown (unable to get local issuer certificate)")" "$(fetch good.TLSv1_3 other.pem)"
expect 'a certificate for another name' "$(refused "$unknown (it is for another name)")" "$(fetch other.TLSv1_3 authority.pem)"
expect 'a certificate of the past' "$(refused "$unknown (certificate has expired)")" "$(fetch late.TLSv1_3 authority.pem)"
expect 'a certificate of the future' "$(refused "$unknown (certificate is not yet valid)")" "$(fetch early.TLSv1_3 authority.pem)"
expect 'nothing of a refused server is kept' '' "$(find home-[oel]* -name 'data.csv*' -size +0)"

finish 'data come over TLS from servers whose certificates are right, and from no others'
