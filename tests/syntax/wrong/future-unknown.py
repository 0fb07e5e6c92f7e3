# 2:24 error model-syntax: future feature nothing is not defined
from __future__ import nothing
