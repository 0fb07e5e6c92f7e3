# 4:1 error model-syntax: expected an indented block after function definition on line 2
def forward(self, x):

y = 1
