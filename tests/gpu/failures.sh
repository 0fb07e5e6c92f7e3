# shellcheck shell=bash disable=SC2154 # root, build, recipes, here, device: of gpu_test.sh
# The parts of gpu_test.sh in which runs fail or are stopped.

# write_net FILE FORWARD: writes a model.
write_net() {
  cat >"$1" <<TEXT
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(8, 10)
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        return $2
TEXT
}

# ends NAME CODE WORDS FORWARD OVERRIDE…: a model whose forward returns this ends a run with this code and these words.
ends() {
  local name=$1 code=$2 words=$3 status=0
  write_net net.py "$4"
  shift 4
  rm -rf -- wrong
  run "$PWD/wrong" "$recipes/digits.yaml" "model={source: $PWD/net.py, class: Net}" "$@" || status=$?
  expect "$name: exit code" "$code" $status
  expect "$name: words" "$words" "$(sed -nE '/^knead: |: error: /,$p' wrong.said | sed -E 's/of its [0-9]+ GB, [0-9]+ GB/of its N GB, N GB/')"
}

part_wrong() {
  ends 'an index out of range' 5 \
    "knead: the GPU stopped at an index that is out of range, as of a token that the model does not have
     = with device: cpu it is said where" \
    'self.table((x * 100).long()).mean(1)'
  ends 'no memory' 5 \
    "knead: net.py:12:31: the GPU has no memory for a tensor of 1.6 TB: of its N GB, N GB are free
     = make batch.micro smaller, which changes no number, or name blocks of the model in activation_checkpointing; 'knead plan' says what takes how much" \
    'self.head(x) + torch.zeros(400000, 1000000, device=x.device).sum()'
  ends 'a tensor on the host' 3 \
    "net.py:12:26: error: a Tensor on the GPU meets one in the memory of the host [model-failed]
   12 |         return self.head(x + torch.ones(64))
      |                          ^~~~~~~~~~~~~~~~~~
      = a Tensor that forward makes is on the host unless it says: torch.ones(4, device=x.device); one that __init__ makes moves with the model as a parameter or by self.register_buffer(…)" \
    'self.head(x + torch.ones(64))'
  ends 'a tensor on the device' 0 '' 'self.head(x + torch.arange(64, device=x.device) * (1 if x.is_cuda else 0))'
  ends 'more ranks than GPUs' 3 \
    'knead: 99 ranks need 99 GPUs, this machine shows 1
     = write distributed.ranks: 1, or auto; CUDA_VISIBLE_DEVICES says which GPUs count; with device: cpu ranks need none' \
    'self.head(x)' distributed.ranks=99 batch=128
}

# signalled SIGNAL CODE: a run that gets a signal ends with this code, and goes on.
signalled() {
  local i process status=0
  rm -rf -- signalled
  run "$PWD/signalled" text.yaml 'train=100000 steps' 'checkpoint.every=20 steps' &
  process=$!
  for ((i = 0; i < 600; ++i)); do
    [[ ! -e signalled/checkpoints/step-00000020 ]] || break
    sleep 0.1
  done
  pkill "-$1" -f "knead-engine.* output=$PWD name=signalled" || true
  wait $process || status=$?
  expect "SIG$1: exit code" "$2" $status
  run "$PWD/signalled" text.yaml 'train=60 steps' 'checkpoint.every=20 steps' || fail "SIG$1: it goes on" "$(tail signalled.said)"
}
part_signals() {
  write_text
  signalled TERM 75
  signalled KILL 6
}
