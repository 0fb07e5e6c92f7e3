# 2:13 error model-syntax: expected ',' or ')', not 'bias'
nn.Linear(1 bias=False)
