# 4:5 error model-syntax: expected ',' or ']', not 'nn'
x = [
    nn.ReLU()
    nn.Linear(1, 2),
]
