# 3:1 error model-syntax: the string is never closed
#   = write """ where it ends
"""A model.

class MLP:
    pass
