# 2:22 error model-syntax: expected a name, not the end of the line
from torch import nn,
