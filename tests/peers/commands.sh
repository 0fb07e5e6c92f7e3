# fill_in FILE: fills the gaps of a translated recipe in, as a person would for a small text model.
fill_in() {
  printf 'a small text of a few words, again and again\n' >words.txt
  printf '{"model": {"type": "BPE", "vocab": {}, "merges": []}}\n' >tokenizer.json
  cat >gpt.py <<'END'
import torch
from torch import nn


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(256, 8)
        self.head = nn.Linear(8, 256)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.head(self.embed(tokens))
END
  sed -i -e 's/^  source: .*/  source: gpt.py/' -e 's/^    path: .*/    path: words.txt/' \
    -e 's/^      file: .*/      file: tokenizer.json/' -e 's/^  validation: .*/  validation: {like: train, hold_out: 10%}/' \
    -e 's/^activation_checkpointing: .*/activation_checkpointing: ["embed"]/' "$1"
}
