# 2:7 error model-syntax: 'if' begins a line of its own
if a: if b: c
