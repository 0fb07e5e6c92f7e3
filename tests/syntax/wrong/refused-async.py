# 3:1 error model-refused: 'async' is not part of the language of models
#   = a model runs from its first line to its last; write it without async and await
async def forward(x):
    return x
