# 3:23 error model-syntax: '(' is never closed
#   = write ')' where it ends
layers = nn.Sequential(
    nn.Linear(1, 2),
    nn.ReLU()
x = 3
