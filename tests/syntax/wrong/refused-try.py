# 3:1 error model-refused: 'try' is not part of the language of models
#   = ask with 'if' before, or let the mistake end the run: it is shown with its place
try:
    x = 1
except ValueError:
    pass
