# 3:1 error model-refused: 'type NAME =' is not part of the language of models
#   = write NAME = TYPE
type Pair = tuple[int, int]
