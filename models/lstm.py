"""A recurrent network that reads a sequence and says what it is.

In a recipe: model: {source: models/lstm.py, args: {inputs: 8, hidden: 64, outputs: 10}}
"""

import torch
from torch import nn


class LSTM(nn.Module):
    """Sequences (B, T, inputs) to (B, outputs)."""

    def __init__(
        self,
        inputs: int,
        hidden: int,
        outputs: int,
        layers: int = 1,
        bidirectional: bool = False,
        dropout: float = 0.0,
    ):
        super().__init__()
        self.lstm = nn.LSTM(
            inputs,
            hidden,
            num_layers=layers,
            batch_first=True,
            bidirectional=bidirectional,
            dropout=dropout if layers > 1 else 0.0,
        )
        self.bidirectional = bidirectional
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(2 * hidden if bidirectional else hidden, outputs)

    def forward(self, sequence):
        _, (hidden, _) = self.lstm(sequence)  # (layers · directions, B, hidden), the last layer last
        last = torch.cat([hidden[-2], hidden[-1]], dim=1) if self.bidirectional else hidden[-1]
        return self.head(self.dropout(last))
