# 3:2 error model-syntax: '₁' (U+2081) means nothing outside of a string
#   = names are made of Latin, Greek, Cyrillic, Chinese, Japanese or Korean letters, digits and '_'
x₁ = 2
