# 3:6 error model-refused: half a surrogate pair is no character
#   = write the character itself, or one \U escape
x = "\ud83d\ude00"
