# 3:1 error model-refused: 'match' is not part of the language of models
#   = write if, elif and else
match x:
    case 1:
        pass
