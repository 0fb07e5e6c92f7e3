from torch import nn
from transformers import AutoModel


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = AutoModel.from_pretrained("bert-base-uncased")

    def forward(self, x):
        return self.body(x)
