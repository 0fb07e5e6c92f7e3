"""The recipes of the comparisons of short trials."""

RUN = """extends: [{root}/recipes/digits.yaml]
version: 1
name: trials
train: {{until: {steps} steps}}
evaluate: {{every: {steps} steps, metrics: []}}
expect: []
threads: 1
"""
SWEEP = RUN + """sweep:
  search: random
  trials: {trials}
  over:
    optimizer.lr: {{log: [1e-4, 1e-2]}}
    optimizer.weight_decay: {{range: [0.0, 0.1]}}
"""
