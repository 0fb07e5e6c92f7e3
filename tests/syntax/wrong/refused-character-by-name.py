# 3:6 error model-refused: characters by their name are not replaced
#   = write the character itself
x = "\N{DASH}"
