#!/usr/bin/env bash
# Checks the texts that a run writes at its evaluations: texts_test.sh ROOT BUILD
set -euo pipefail

root=$(readlink -f "$1") build=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR/../..
source "$root/tests/end_to_end/runs.sh"
mkdir "$work/runs"
cd "$work"
cp "$root/README.md" text.txt
tr -cd "a-z \n" <text.txt >small.txt

# A small GPT that evaluates four times, with averaged weights, and draws dropout.
cat >gpt.yaml <<YAML
version: 1
name: gpt
model: {source: $root/models/gpt.py, args: {config: {vocab: 256, context: 32, layers: 1, heads: 2, width: 32, dropout: 0.1}}}
data:
  train: {type: text, path: text.txt, tokenizer: bytes, context: 32, rows: [0%, 90%]}
  validation: {like: train, rows: [90%, 100%]}
loss: {type: cross_entropy, target: targets}
batch: 16
optimizer: {type: adamw, lr: 3e-3}
average: {type: ema, decay: 0.9}
train: 40 steps
evaluate: {every: 10 steps}
checkpoint: {every: 5 steps, keep: {last: 2}}
track: {every: 1 step}
threads: 1
YAML
wanted=('evaluate.generate={prompts: ["knead ", "# "], tokens: 20}' 'generate={temperature: 0.8, seed: 3, stop: ["\n\n\n"]}')

# one NAME OVERRIDE…: trains in one process.
one() { train gpt.yaml "$work/runs/$1" "${@:2}"; }
must() { one "$@" || fail "$1 is trained" "$(cat "$work/runs/$1.said")"; }
texts() { cat "$work/runs/$1/generated.jsonl"; }

must plain
must texts "${wanted[@]}"
expect 'there is a text for each prompt of each evaluation' 8 "$(texts texts | wc -l)"
expect 'without the block there is no file' no "$([[ -e runs/plain/generated.jsonl ]] && echo yes || echo no)"
expect 'training does not depend on the texts' "$(outcome "$work/runs/plain")" "$(outcome "$work/runs/texts")"
python3 - runs/texts/generated.jsonl <<'PYTHON' || fail 'lines have their form' "$(texts texts)"
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
assert [line["step"] for line in lines] == [10, 10, 20, 20, 30, 30, 40, 40], lines
assert [line["number"] for line in lines] == [0, 1] * 4 and {line["prompt"] for line in lines} == {"knead ", "# "}, lines
assert all(list(line) == ["step", "number", "prompt", "text", "tokens", "stopped"] for line in lines), lines
assert all(line["tokens"] == 20 or line["stopped"] for line in lines) and len({line["text"] for line in lines}) == 8, lines
PYTHON

# A text is what generate writes with the weights of that evaluation: averaged ones.
last=$("$build/knead" generate runs/texts --prompt 'knead ' --tokens 20 --format json 2>said | sed 's/^{//; s/}$//')
step=$(sed -n 's/the weights of step //p' said)
[[ $(grep "\"step\":$step,\"number\":0" runs/texts/generated.jsonl) == *"$last"* ]] ||
  fail 'generate writes the text of the checkpoint' "$last
$(texts texts)"

# The log has the texts, each line behind a mark, and the report shows none of them as an event.
grep -q 'step 40/40  text behind "knead "$' runs/texts.said || fail 'the console names the prompt' "$(cat runs/texts.said)"
grep -q '^  | ' runs/texts.said || fail 'the console shows the text' "$(cat runs/texts.said)"

# The report in Markdown has the last texts.
"$build/knead" report runs/texts --markdown page.md >said 2>&1 || fail 'a report is written' "$(cat said)"
python3 - runs/texts/generated.jsonl page.md <<'PYTHON' || fail 'the report in Markdown has the texts' "$(cat page.md)"
import html, json, re, sys
lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
text = open(sys.argv[2], encoding="utf-8").read()
assert "<summary>Generated text at step 40</summary>" in text
for each in lines[-2:]:
    shown = re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f]", "\ufffd", each["text"])
    assert shown in [html.unescape(each) for each in re.findall("<pre>(.*?)</pre>", text, re.DOTALL)], shown
PYTHON

# A plan tells of them.
"$build/knead" plan gpt.yaml "${wanted[@]}" evaluate.samples=8 >plan 2>said || fail 'a plan is made' "$(cat said)"
grep -q '^  write      20 tokens behind 2 prompts, at each evaluation$' plan || fail 'the plan tells of the texts' "$(cat plan)"
grep -q '^  keep       8 of the worst and of the best predictions of each evaluation$' plan ||
  fail 'the plan tells of the predictions' "$(cat plan)"

# The calibration is that of all tokens: as many are right as the metric says.
must counted 'evaluate={every: 20 steps, samples: 4, metrics: [accuracy]}'
python3 - runs/counted <<'PYTHON' || fail 'the calibration has all tokens' "$(ls runs/counted/predictions)"
import glob, json, sys
last = json.loads(open(f"{sys.argv[1]}/evaluations.jsonl").read().splitlines()[-1])
found = json.load(open(f"{sys.argv[1]}/predictions/step-{last['step']:08}.json"))
tokens, right = (sum(each[i] for each in found["bins"]) for i in (0, 1))
assert tokens == 32 * found["samples"] > 0 and found["classes"] == 0, found
assert abs(right / tokens - last["accuracy"]) < 1e-12, (right, tokens, last)
PYTHON

# A run that is stopped and goes on, or is killed, writes the texts of one that is not.
for stop in 3 10 15 20; do
  status=0
  "$engine" run gpt.yaml "--stop-after=$stop steps" -- "output=$work/runs" "name=stopped-$stop" "${wanted[@]}" >said 2>&1 || status=$?
  expect "the run stops after step $stop" 75 $status
  must "stopped-$stop" "${wanted[@]}"
  expect "texts of a run that was stopped after step $stop" "$(texts texts)" "$(texts "stopped-$stop")"
done
for _ in 1 2 3; do
  "$engine" run gpt.yaml -- "output=$work/runs" name=killed "${wanted[@]}" >said 2>&1 &
  sleep "0.$((RANDOM % 6 + 3))"
  kill -9 $! 2>/dev/null || true
  wait $! 2>/dev/null || true
done
must killed "${wanted[@]}"
expect 'texts of a run that was killed' "$(texts texts)" "$(texts killed)"

# Ranks write one text, whatever they share; all of them go on to the end.
for strategy in data_parallel zero2 zero3; do
  "$build/knead" run gpt.yaml "output=$work/runs" "name=$strategy" distributed.ranks=2 "distributed.strategy=$strategy" \
    'train=20 steps' "${wanted[@]}" >said 2>&1 || fail "two ranks train with $strategy" "$(cat said)"
  expect "texts of two ranks with $strategy" 4 "$(texts "$strategy" | wc -l)"
done
expect 'ranks that share all write as those that share nothing' "$(texts data_parallel)" "$(texts zero3)"

# Mistakes are said before the first step.
refused() {
  local status=0
  one "$@" || status=$?
  [[ $status != 0 && ! -s runs/$1/metrics.jsonl ]] || fail "$1 is refused before its first step" "$(cat "runs/$1.said")"
}
refused unknown data.train.tokenizer=characters model.args.config.vocab=400 'evaluate.generate=日本'
grep -q "^knead: the prompt: byte 0 begins the character '日'" runs/unknown.said ||
  fail 'the message names the character' "$(cat runs/unknown.said)"
refused small data.train.tokenizer=bytes model.args.config.vocab=200 'evaluate.generate=a' 'data.train.path=small.txt'
grep -q '^knead: the model has scores for 200 tokens, and the tokenizer has 256$' runs/small.said ||
  fail 'the message compares the vocabularies' "$(cat runs/small.said)"
cat >own.py <<'PYTHON'
from torch import nn
from torch.nn import functional as F


class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.token = nn.Embedding(256, 256)

    def forward(self, tokens, targets):
        return F.cross_entropy(self.token(tokens).transpose(1, 2), targets)
PYTHON
refused targets 'model={source: own.py}' loss=from_model "${wanted[@]}"
grep -q '^knead: the model takes the targets too, and generated text has none$' runs/targets.said ||
  fail 'the message says what the model takes' "$(cat runs/targets.said)"
finish 'evaluations write text'
