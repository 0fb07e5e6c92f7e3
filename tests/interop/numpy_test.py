"""knead's NumPy against the one that is installed: the same lines give the same results, or the same words.

usage: numpy_test.py NUMPY_RESULTS ROOT
"""

import importlib.machinery
import json
import pathlib
import re
import subprocess
import sys
import types

NUMBER = re.compile(r"\d+\.\d*(?:e[+-]\d+)?")


def recording(root):
    module = types.ModuleType("record_numpy")
    module.__file__ = str(root / "tools/record_numpy")
    importlib.machinery.SourceFileLoader("record_numpy", module.__file__).exec_module(module)
    return module


def are_close(a, b, bound):
    if NUMBER.sub("#", a).replace(" ", "") != NUMBER.sub("#", b).replace(" ", ""):
        return False
    pairs = zip(map(float, NUMBER.findall(a)), map(float, NUMBER.findall(b)))
    return all(abs(x - y) <= bound * max(abs(x), 1e-3) for x, y in pairs)


def agrees(wanted, made):
    if "error" in wanted:
        return made.get("error") == wanted["error"]
    if made.get("result") == wanted["result"]:
        return True
    bound = wanted.get("bound", 0.0)
    return bound > 0 and "result" in made and are_close(made["result"], wanted["result"], bound)


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    module = recording(root)
    wanted = [module.result_of(line, bound) for line, bound in module.lines()]
    asked = "".join(one["line"] + "\n" for one in wanted)
    answers = subprocess.run([program], input=asked, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(answers) == len(wanted), (len(answers), len(wanted))
    wrong = 0
    exact = 0
    for one, answer in zip(wanted, answers):
        made = json.loads(answer)
        exact += one.get("result") == made.get("result")
        if not agrees(one, made):
            wrong += 1
            print(f"{one['line']}\n  numpy: {one.get('result', one.get('error'))}\n  knead: {made}")
    print(f"{len(wanted)} lines, {exact} with the same bits, {wrong} wrong")
    sys.exit(wrong > 0)


main()
