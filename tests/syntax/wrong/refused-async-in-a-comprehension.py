# 3:8 error model-refused: 'async' is not part of the language of models
#   = a model runs from its first line to its last; write it without async and await
x = [y async for y in z]
