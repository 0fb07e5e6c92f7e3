# 2:38 error model-syntax: comprehension inner loop cannot rebind assignment expression target 'j'
[i for i in range(5) if (j := 0) for j in range(5)]
