"""The document layer against ruamel.yaml, which reads YAML 1.2: the same value for every scalar.

usage: scalars_test.py TREE_AS_JSON
"""

import json
import math
import subprocess
import sys
import tempfile

from ruamel.yaml import YAML

TEXTS = """
1 -1 +1 0 -0 42 1e4 1E4 1e-4 1.5 -1.5e3 .5 -.5 1. 1.e5 0.1 1e+9 123456789012 0o17 0x1F 0xff 9223372036854775807
true True TRUE false False FALSE null Null NULL ~ .inf -.inf +.inf .Inf .INF
yes no on off y n Yes NO 12:30 12:30:45 1e e4 . + .. 1.2.3 v1 a-b a_b 0x 0o8 tRue nUll 10% 5MB
'1' "1" 'true' "null" '' "a\\nb" 'it''s' "\\u00e4" text
""".split()

# Where ruamel.yaml does not follow the core schema: it takes '_' inside numbers, binary numbers, and dates.
RUAMEL_ALONE = ["1_000", "2026-01-01", "1__0", "0b11"]
# Where knead refuses what YAML 1.2 reads (the one deviation of the language).
REFUSED = ["012", "-007", "00", "08", "00.5"]


def ours(program, text):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(f"k: {text}\n")
        file.flush()
        result = subprocess.run([program, file.name], capture_output=True, text=True)
    if result.returncode == 2:
        return "refused"
    # JSON has no infinity: the tree writes null for it.
    return json.loads(result.stdout)["k"]


def main():
    program = sys.argv[1]
    theirs = YAML(typ="safe", pure=True)
    failures = []
    for text in TEXTS:
        mine, other = ours(program, text), theirs.load(f"k: {text}\n")["k"]
        if isinstance(other, float) and math.isinf(other):
            other = None
        if type(mine) is not type(other) or mine != other:
            failures.append(f"{text}: knead {mine!r}, ruamel.yaml {other!r}")
    for text in RUAMEL_ALONE:
        if ours(program, text) != text:
            failures.append(f"{text}: not text")
    for text in REFUSED:
        if ours(program, text) != "refused":
            failures.append(f"{text}: not refused")
    print(f"{len(TEXTS)} scalars agree with ruamel.yaml but for {len(failures)}; "
          f"{len(RUAMEL_ALONE)} it reads by YAML 1.1, {len(REFUSED)} knead refuses")
    sys.exit("\n".join(failures) if failures else 0)


main()
