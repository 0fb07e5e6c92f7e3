# works
# inputs: torch.randn(5, 2, 8), torch.randn(4, 2, 8)
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = nn.Transformer(8, 2, num_encoder_layers=1, num_decoder_layers=2, dim_feedforward=12)
        layer = nn.TransformerEncoderLayer(8, 2, 12, activation="gelu", norm_first=True, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2)

    def forward(self, src, tgt):
        mask = nn.Transformer.generate_square_subsequent_mask(tgt.size(0))
        return self.transformer(src, tgt, tgt_mask=mask), self.encoder(src.transpose(0, 1))
