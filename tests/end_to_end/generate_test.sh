#!/usr/bin/env bash
# Checks the text that a language model writes: generate_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
cd "$work"

knead() { "$build/knead" "$@" 2>"$work/said"; }
# write ARGUMENT…: prints what run `bytes` writes.
write() { knead generate bytes "$@" || fail "text is written" "$(cat said)"; }
# text: prints the text in a line of JSON, without its quotes.
text() { sed -n 's/.*,"text":"\(.*\)","tokens".*/\1/p'; }

cp "$root/README.md" text.txt
# learn NAME ARGUMENT…: trains a small GPT on text.txt.
learn() {
  local name=$1
  shift
  knead run "$root/recipes/gpt.yaml" data.train.url=null data.train.sha256=null "data.train.path=$work/text.txt" \
    data.train.context=32 'model.args.config={vocab: 512, context: 32, layers: 1, heads: 2, width: 32}' \
    'train=60 steps' 'evaluate=60 steps' schedule=null 'expect=[]' "output=$work" "name=$name" "$@" ||
    fail "$name is trained" "$(cat said)"
}
learn bytes data.train.tokenizer=bytes

one=$(write --prompt 'knead ' --tokens 80 --format json)
expect 'a line says what was written' '{"prompt":"knead ","text":"' "${one:0:27}"
expect 'so many tokens are written' '"tokens":80,"stopped":false}' "${one: -28}"
expect 'the same seed writes the same' "$one" "$(write --prompt 'knead ' --tokens 80 --format json threads=1)"
[[ $one != "$(write --prompt 'knead ' --tokens 80 --format json generate.seed=1)" ]] || fail 'another seed writes another text'
expect 'less of it is the beginning of more' "$(text <<<"$one" | head -c 10)" \
  "$(write --prompt 'knead ' --tokens 60 --format json | text | head -c 10)"
expect 'people see the prompt and the text' "knead $(python3 -c 'import json, sys; print(json.loads(sys.argv[1])["text"])' "$one")" \
  "$(write --prompt 'knead ' --tokens 80)"

# A text ends before a stop, wherever its tokens begin.
stop=$(python3 -c 'import json, sys
text = json.loads(sys.argv[1])["text"]
# What is no UTF-8 is shown as U+FFFD, and is no stop.
print(next(s for s in (text[i : i + 3] for i in range(20, 70)) if s.isprintable() and "\ufffd" not in s))' "$one")
stopped=$(write --prompt 'knead ' --tokens 80 --format json "generate.stop=$(python3 -c 'import json, sys; print(json.dumps([sys.argv[1]]))' "$stop")")
python3 - "$one" "$stopped" "$stop" <<'PYTHON' || fail 'a stop ends a text' "$stopped"
import json, sys
one, stopped, stop = json.loads(sys.argv[1])["text"], json.loads(sys.argv[2]), sys.argv[3]
assert stopped["text"] == one[: one.index(stop)] and stopped["stopped"], stopped
# Each byte is a token, and one that is no character is shown as U+FFFD.
written = one[: one.index(stop)] + stop
assert stopped["tokens"] == sum(1 if each == "\ufffd" else len(each.encode()) for each in written), stopped
PYTHON

# The likeliest token does not depend on the seed.
expect 'temperature 0 takes the likeliest' "$(write --prompt a --tokens 40 generate.temperature=0)" \
  "$(write --prompt a --tokens 40 generate.top_k=1 generate.seed=7)"

# What is written behind a prompt depends on its place among the prompts and not on the others.
printf 'one\n\ntwo\n' >prompts
printf 'three\ntwo\n' >others
write --prompts prompts --tokens 30 --format json >together
expect 'each line is a prompt' 2 "$(wc -l <together)"
expect 'prompts do not depend on each other' "$(sed -n 2p together)" \
  "$(write --prompts others --tokens 30 --format json | sed -n 2p)"
expect 'people see where a text begins' 2 "$(write --prompts prompts --tokens 5 | grep -c '^---$')"

# A run keeps all that text needs: neither the data nor the tokenizer's file must be there.
learn characters data.train.tokenizer=characters
cp "$root/tests/fixtures/tokenizers/gpt2.json" words.json
learn words "data.train.tokenizer={type: bpe, file: $work/words.json}" "model.args.config.vocab=$(python3 -c '
import json; t = json.load(open("words.json")); print(max([*t["model"]["vocab"].values(), *(a["id"] for a in t["added_tokens"])]) + 1)')"
rm text.txt words.json
for name in characters words; do
  knead generate "$name" --prompt 'knead' --tokens 20 >printed || fail "$name write without the data" "$(cat said)"
  expect "$name write behind the prompt" 'knead' "$(head -c 5 printed)"
done

# Nothing of a text controls a terminal; a file gets it as it is.
coloured=$'\033[31mred'
expect 'a file gets what was written' "$coloured" "$(write --prompt "$coloured" --tokens 1 | head -c ${#coloured})"
script -qec "'$build/knead' generate bytes --prompt '$coloured' --tokens 1" /dev/null >screen </dev/null
expect 'a terminal shows the letters' 1 "$(grep -c red screen)"
expect 'and no colour' 0 "$(grep -c $'\033\[31m' screen || true)"

# --- what is wrong is told ---------------------------------------------------------------------------
refused() { # refused WHAT CODE TEXT ARGUMENT…
  local what=$1 code=$2 text=$3 status=0
  shift 3
  knead generate "$@" >printed || status=$?
  expect "$what" "$code $text" "$status $(sed "s|$work/||g; /^the weights of step/d" said)"
  expect "$what: nothing is printed" '' "$(cat printed)"
}
refused 'an unknown character' 3 "knead: the prompt: byte 1 begins the character '☃' (U+2603), which the training set does not have
     = train on text that has it, take it out, or use tokenizer: bytes" characters --prompt 'a☃'
refused 'an empty prompt' 2 "knead: the prompt is empty, and the model goes on from what is there
     = write at least one character: a line break does" bytes --prompt ''
refused 'no prompt' 2 "knead: 'generate' needs --prompt or --prompts, one of them
     = for example: knead generate runs/gpt --prompt 'ROMEO:' --tokens 200 generate.temperature=0.8" bytes
refused 'a wrong value' 2 "override:1:16: error: generate.top_p must be more than 0 and at most 1: '2' [out-of-range]
    1 | generate.top_p=2
      |                ^
knead: 1 error in the recipe" bytes --prompt a generate.top_p=2
refused 'no number' 2 "knead: --tokens is many, and not a number from 1 to 1,000,000
     = for example --tokens 200" bytes --prompt a --tokens many
: >none
refused 'a file without prompts' 3 "knead: 'none' holds no prompt
     = write one on each line" bytes --prompts none
knead run "$root/recipes/digits.yaml" 'train=1 steps' 'expect=[]' "output=$work" || fail 'digits trains' "$(cat said)"
refused 'a model of digits' 2 "knead: the run was not trained on text: its data have no tokens
     = knead predict writes what a model makes of other data" digits --prompt a
cp -R bytes lost && rm lost/vocabulary.json
refused 'no tokenizer' 3 "knead: 'lost' has no tokenizer: the data of the run are tokens already
     = name its tokenizer.json: generate.tokenizer=FILE" lost --prompt a
echo '{}' >lost/vocabulary.json
refused 'a damaged vocabulary' 3 "knead: 'lost/vocabulary.json' is not a vocabulary that a run has written
     = restore the file, or train again" lost --prompt a

# A model whose forward takes a cache trains and writes as one without, also behind its context, and says that it has one.
cp "$root/README.md" text.txt
for class in Cached Uncached; do
  learn "$class" data.train.tokenizer=bytes "model={source: $root/tests/models/cached.py, class: $class, args: {vocab: 256, context: 32}}"
done
# So does models/gpt.py, of which `bytes` is a run.
learn uncached data.train.tokenizer=bytes "model.source=$root/tests/models/uncached_gpt.py" model.class=Uncached
while read -r cached uncached; do
  expect "a cache changes nothing in training ($cached)" "$(cd "$uncached/checkpoints/step-00000060" && sha256sum model.safetensors)" \
    "$(cd "$cached/checkpoints/step-00000060" && sha256sum model.safetensors)"
  for prompt in k 'knead is a trainer that reads a recipe and a model'; do
    without=$(knead generate "$uncached" --prompt "$prompt" --tokens 60) || fail 'text is written' "$(cat said)"
    grep -qE '^60 tokens in .*, [0-9.]+k? tokens/s$' said || fail 'the speed is told' "$(cat said)"
    with=$(knead generate "$cached" --prompt "$prompt" --tokens 60) || fail 'text is written' "$(cat said)"
    grep -qE "^60 tokens in .*, [0-9.]+k? tokens/s, with the model's cache$" said || fail 'the cache is told' "$(cat said)"
    expect "a cache changes nothing in the text behind '$prompt' ($cached)" "$without" "$with"
  done
done <<<$'Cached Uncached\nbytes uncached'

finish 'language models write text'
