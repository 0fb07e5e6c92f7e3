# 2:4 error model-syntax: '**' cannot stand in a dict comprehension
{**a for a in b}
