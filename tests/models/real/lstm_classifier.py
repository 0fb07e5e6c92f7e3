# works
# inputs: torch.tensor([[3, 5, 7, 2, 9], [4, 2, 0, 0, 0], [8, 8, 6, 0, 0]]), torch.tensor([5, 2, 3])
# class: SentimentLSTM
# args: {"vocab_size": 10, "embedding_dim": 6, "hidden_dim": 5, "output_dim": 3, "n_layers": 2, "bidirectional": True, "dropout": 0.3, "pad_idx": 0}
"""Text classification: embedding, a bidirectional LSTM, attention over the positions that are no padding."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class WordDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x, replacement: int = 1):
        if not self.training or self.p == 0:
            return x
        mask = torch.rand(x.shape, device=x.device) < self.p
        return torch.where(mask & (x != 0), torch.full_like(x, replacement), x)


class SelfAttention(nn.Module):
    def __init__(self, hidden_dim):
        super().__init__()
        self.projection = nn.Sequential(nn.Linear(hidden_dim, 64), nn.ReLU(True), nn.Linear(64, 1))

    def forward(self, encoder_outputs, mask):
        energy = self.projection(encoder_outputs).squeeze(-1)
        energy = energy.masked_fill(~mask, float("-inf"))
        weights = F.softmax(energy, dim=1)
        outputs = (encoder_outputs * weights.unsqueeze(-1)).sum(dim=1)
        return outputs, weights


class SentimentLSTM(nn.Module):
    def __init__(
        self, vocab_size, embedding_dim, hidden_dim, output_dim, n_layers, bidirectional, dropout, pad_idx
    ):
        super().__init__()
        self.hidden_dim = hidden_dim
        self.n_layers = n_layers
        self.n_directions = 2 if bidirectional else 1
        self.pad_idx = pad_idx
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad_idx)
        self.word_dropout = WordDropout(0.2)
        self.lstm = nn.LSTM(
            embedding_dim,
            hidden_dim,
            num_layers=n_layers,
            bidirectional=bidirectional,
            dropout=dropout,
            batch_first=True,
        )
        self.attention = SelfAttention(hidden_dim * self.n_directions)
        self.fc = nn.Linear(hidden_dim * self.n_directions * 2, output_dim)
        self.dropout = nn.Dropout(dropout)
        self.init_weights()

    def init_weights(self):
        for name, param in self.lstm.named_parameters():
            if "weight_ih" in name:
                nn.init.xavier_uniform_(param.data)
            elif "weight_hh" in name:
                nn.init.orthogonal_(param.data)
            elif "bias" in name:
                param.data.fill_(0)
                # forget gate
                n = param.size(0)
                param.data[n // 4 : n // 2].fill_(1)
        initrange = 0.1
        self.fc.bias.data.zero_()
        self.fc.weight.data.uniform_(-initrange, initrange)

    def init_hidden(self, batch_size: int, device):
        weight = next(self.parameters())
        shape = (self.n_layers * self.n_directions, batch_size, self.hidden_dim)
        return weight.new_zeros(shape), weight.new_zeros(shape)

    def forward(self, text, text_lengths):
        # text = [batch size, sent len]
        batch_size, sent_len = text.shape
        positions = torch.arange(sent_len, device=text.device)
        mask = positions[None, :] < text_lengths[:, None]

        embedded = self.dropout(self.embedding(self.word_dropout(text)))
        h0 = torch.zeros(self.n_layers * self.n_directions, batch_size, self.hidden_dim, device=text.device)
        c0 = torch.zeros_like(h0)
        output, (hidden, cell) = self.lstm(embedded, (h0, c0))

        if self.n_directions == 2:
            last = output[torch.arange(batch_size), text_lengths - 1, : self.hidden_dim]
            first = output[:, 0, self.hidden_dim :]
            hidden = torch.cat([last, first], dim=-1)
        else:
            hidden = output[torch.arange(batch_size), text_lengths - 1]
        attended, weights = self.attention(output, mask)
        hidden = self.dropout(torch.cat((hidden, attended), dim=1))
        return {"logits": self.fc(hidden), "attention": weights}
