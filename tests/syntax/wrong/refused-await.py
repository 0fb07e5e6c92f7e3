# 3:5 error model-refused: 'await' is not part of the language of models
#   = a model runs from its first line to its last; write it without async and await
x = await y
