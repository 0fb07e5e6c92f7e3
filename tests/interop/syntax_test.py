"""The parser of model source against Python's `ast`, on every file of the installed torch package: the same tree with
the same places, or refused for one of the reasons below, at the place of such a thing. Each text of syntax_cases.txt
has the same tree, or is refused at the line at which Python refuses it.

usage: syntax_test.py SYNTAX_AS_JSON
"""

import ast
import collections
import gc
import json
import math
import multiprocessing
import pathlib
import subprocess
import sys

import torch

# Small texts with a blank line between them, of which Python refuses many.
CASES = pathlib.Path(__file__).with_name("syntax_cases.txt").read_text(encoding="utf-8").strip("\n").split("\n\n")

# What the language of models leaves out, with the nodes that have it.
REASONS = {
    "'match' is not part of the language of models": ("Match",),
    "characters by their name are not replaced": ("Constant", "JoinedStr"),
    "half a surrogate pair is no character": ("Constant", "JoinedStr"),
    "more than 100 levels of nesting": None,
    "the file is longer than 1 MiB": None,
}

BINARY = {"Add": "+", "Sub": "-", "Mult": "*", "MatMult": "@", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**",
          "LShift": "<<", "RShift": ">>", "BitAnd": "&", "BitOr": "|", "BitXor": "^"}
UNARY = {"USub": "-", "UAdd": "+", "Invert": "~", "Not": "not"}
COMPARISON = {"Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Is": "is", "IsNot": "is not",
              "In": "in", "NotIn": "not in"}
# What the statements of a torn block stand in.
HEADERS = {"FunctionDef": "def _():\n", "AsyncFunctionDef": "async def _():\n", "ClassDef": "class _:\n"}


def name_of(thing):
    return type(thing).__name__


class Dump:
    """The lists that syntax_as_json makes, of `ast`."""

    def __init__(self):
        self.inside = 0  # of f-strings, whose parts have no reliable place in Python 3.11

    def begin(self, node):
        return None if self.inside else [node.lineno, node.col_offset]

    def end(self, node):
        return None if self.inside else [node.end_lineno, node.end_col_offset]

    def all(self, nodes):
        return [self.one(node) for node in nodes]

    def maybe(self, node):
        return None if node is None else self.one(node)

    def one(self, node):
        return getattr(self, type(node).__name__)([self.begin(node), self.end(node)], node)

    def Name(self, place, node): return ["Name", place, node.id]
    def List(self, place, node): return ["List", place, self.all(node.elts)]
    def Tuple(self, place, node): return ["Tuple", place, self.all(node.elts)]
    def Set(self, place, node): return ["Set", place, self.all(node.elts)]
    def Starred(self, place, node): return ["Starred", place, self.one(node.value)]
    def Return(self, place, node): return ["Return", place, self.maybe(node.value)]
    def Expr(self, place, node): return ["Expr", place, self.one(node.value)]
    def Delete(self, place, node): return ["Delete", place, self.all(node.targets)]
    def Pass(self, place, node): return ["Pass", place]
    def Break(self, place, node): return ["Break", place]
    def Continue(self, place, node): return ["Continue", place]

    def Constant(self, place, node):
        value = node.value
        if value is None or value is True or value is False or value is ...:
            return ["Constant", place, "..." if value is ... else str(value)]
        if isinstance(value, str):
            return ["String", place, value]
        if isinstance(value, bytes):
            return ["Bytes", place, list(value)]
        if isinstance(value, complex):
            return ["Imaginary", place, None if math.isinf(value.imag) else value.imag]
        if isinstance(value, int):
            return ["Integer", place, value if value < 2**63 else "big"]
        # JSON has no infinity: it is written as null.
        return ["Float", place, None if math.isinf(value) else value]

    def JoinedStr(self, place, node):
        self.inside += 1
        parts = self.parts(node)
        self.inside -= 1
        return ["FString", place, parts]

    def parts(self, joined):
        parts = []
        for value in joined.values if joined else ():
            if isinstance(value, ast.Constant):
                parts.append(value.value)
            else:
                conversion = "" if value.conversion < 0 else chr(value.conversion)
                parts.append([self.one(value.value), conversion, self.parts(value.format_spec)])
        return parts

    def Dict(self, place, node):
        return ["Dict", place, [[self.maybe(key), self.one(value)] for key, value in zip(node.keys, node.values)]]

    def UnaryOp(self, place, node): return ["Unary", place, UNARY[name_of(node.op)], self.one(node.operand)]

    def BinOp(self, place, node):
        return ["Binary", place, self.one(node.left), BINARY[name_of(node.op)], self.one(node.right)]

    def BoolOp(self, place, node): return ["Logical", place, isinstance(node.op, ast.And), self.all(node.values)]

    def Compare(self, place, node):
        return ["Comparison", place, self.all([node.left, *node.comparators]),
                [COMPARISON[name_of(op)] for op in node.ops]]

    def keywords(self, keywords): return [[k.arg or "", self.begin(k), self.one(k.value)] for k in keywords]

    def Call(self, place, node):
        return ["Call", place, self.one(node.func), self.all(node.args), self.keywords(node.keywords)]

    def Attribute(self, place, node): return ["Attribute", place, self.one(node.value), node.attr, self.end(node)]
    def Subscript(self, place, node): return ["Subscript", place, self.one(node.value), self.one(node.slice)]

    def Slice(self, place, node):
        return ["Slice", place, self.maybe(node.lower), self.maybe(node.upper), self.maybe(node.step)]

    def IfExp(self, place, node):
        return ["Conditional", place, self.one(node.test), self.one(node.body), self.one(node.orelse)]

    def Lambda(self, place, node): return ["Lambda", place, self.parameters(node.args), self.one(node.body)]

    def parameters(self, arguments):
        positional = [(0, a) for a in arguments.posonlyargs] + [(1, a) for a in arguments.args]
        defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
        both = [(kind, a, default) for (kind, a), default in zip(positional, defaults)]
        if arguments.vararg:
            both.append((2, arguments.vararg, None))
        both += [(3, a, default) for a, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
        if arguments.kwarg:
            both.append((4, arguments.kwarg, None))
        return [[kind, a.arg, self.begin(a), self.maybe(a.annotation), self.maybe(default)]
                for kind, a, default in both]

    def comprehension(self, kind, place, element, value, node):
        loops = [[self.one(g.target), self.one(g.iter), self.all(g.ifs), bool(g.is_async)] for g in node.generators]
        return [kind, place, self.one(element), self.maybe(value), loops]

    def ListComp(self, place, node): return self.comprehension("ListComp", place, node.elt, None, node)
    def SetComp(self, place, node): return self.comprehension("SetComp", place, node.elt, None, node)
    def GeneratorExp(self, place, node): return self.comprehension("GeneratorExp", place, node.elt, None, node)
    def DictComp(self, place, node): return self.comprehension("DictComp", place, node.key, node.value, node)
    def NamedExpr(self, place, node): return ["Walrus", place, node.target.id, self.one(node.value)]
    def Yield(self, place, node): return ["Yield", place, self.maybe(node.value)]
    def YieldFrom(self, place, node): return ["YieldFrom", place, self.one(node.value)]
    def Await(self, place, node): return ["Await", place, self.one(node.value)]
    def Assign(self, place, node): return ["Assign", place, self.all(node.targets), self.one(node.value)]

    def AugAssign(self, place, node):
        return ["AugAssign", place, self.one(node.target), BINARY[name_of(node.op)], self.one(node.value)]

    def AnnAssign(self, place, node):
        return ["AnnAssign", place, self.one(node.target), self.one(node.annotation), self.maybe(node.value)]

    def If(self, place, node): return ["If", place, self.one(node.test), self.all(node.body), self.all(node.orelse)]

    def While(self, place, node):
        return ["While", place, self.one(node.test), self.all(node.body), self.all(node.orelse)]

    def For(self, place, node, name="For"):
        return [name, place, self.one(node.target), self.one(node.iter), self.all(node.body), self.all(node.orelse)]

    def With(self, place, node, name="With"):
        items = [[self.one(item.context_expr), self.maybe(item.optional_vars)] for item in node.items]
        return [name, place, items, self.all(node.body)]

    def Try(self, place, node, name="Try"):
        return [name, place, self.all(node.body), self.all(node.handlers), self.all(node.orelse),
                self.all(node.finalbody)]

    def ExceptHandler(self, place, node): return [place, self.maybe(node.type), node.name or "", self.all(node.body)]
    def TryStar(self, place, node): return self.Try(place, node, "TryStar")
    def AsyncFor(self, place, node): return self.For(place, node, "AsyncFor")
    def AsyncWith(self, place, node): return self.With(place, node, "AsyncWith")
    def AsyncFunctionDef(self, place, node): return self.FunctionDef(place, node, "AsyncDef")
    def Global(self, place, node): return ["Global", place, node.names]
    def Nonlocal(self, place, node): return ["Nonlocal", place, node.names]

    def FunctionDef(self, place, node, name="Def"):
        return [name, place, node.name, self.all(node.decorator_list), self.parameters(node.args),
                self.maybe(node.returns), self.all(node.body)]

    def ClassDef(self, place, node):
        return ["Class", place, node.name, self.all(node.decorator_list), self.all(node.bases),
                self.keywords(node.keywords), self.all(node.body)]

    def names(self, node):
        return [[a.name, a.asname or "", [self.begin(a), self.end(a)]] for a in node.names]

    def Import(self, place, node): return ["Import", place, False, 0, "", self.names(node)]
    def ImportFrom(self, place, node): return ["Import", place, True, node.level, node.module or "", self.names(node)]
    def Assert(self, place, node): return ["Assert", place, self.one(node.test), self.maybe(node.msg)]
    def Raise(self, place, node): return ["Raise", place, self.maybe(node.exc), self.maybe(node.cause)]


class Program:
    """The parser of this repository, which answers a source with its tree or a refusal."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def answer(self, text):
        self.process.stdin.write(json.dumps(text).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def is_there(refusal, tree):
    """Whether a refused thing stands where the refusal says."""
    kinds = REASONS[refusal["message"]]
    return kinds is None or any(
        type(node).__name__ in kinds
        and (not hasattr(node, "lineno") or node.lineno <= refusal["line"] <= node.end_lineno)
        for node in ast.walk(tree))


def difference(mine, theirs, path=""):
    """The first place where two trees are not the same."""
    if isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        for i, (a, b) in enumerate(zip(mine, theirs)):
            if a != b:
                return difference(a, b, f"{path}.{mine[0] if i and isinstance(mine[0], str) else i}")
    return f"at {path}: {str(mine)[:300]} is in Python {str(theirs)[:300]}"


class Comparison:
    def __init__(self, program):
        self.program = program
        self.dump = Dump()
        self.same = 0
        self.refused = collections.Counter()
        self.failures = []

    def compare_case(self, text):
        """Compares a text that Python may refuse."""
        try:
            compile(text, "case", "exec")
        except SyntaxError as error:
            answer = self.program.answer(text)
            if isinstance(answer, list):
                self.failures.append(f"{text}\nis accepted, but Python says: {error}")
            elif answer["line"] != error.lineno:
                self.failures.append(f"{answer['shown']}but Python says: {error}")
        else:
            self.compare("case", text, ast.parse(text).body, lambda tree: tree)

    def compare(self, name, text, nodes, parts_of_answer):
        """Compares the statements `nodes` with those that parts_of_answer finds in the answer for a text. What is
        refused is compared again without what surrounds it, statement by statement."""
        answer = self.program.answer(text)
        if isinstance(answer, list):
            mine, theirs = parts_of_answer(answer), self.dump.all(nodes)
            self.same += len(nodes)
            if mine != theirs:
                self.failures.append(f"{name}: {difference(mine, theirs)}")
            return
        tree = ast.Module(nodes, [])
        if answer["message"] not in REASONS:
            self.failures.append(f"{name}: refused: {answer['shown']}")
        elif not is_there(answer, tree):
            self.failures.append(f"{name}: there is no such thing: {answer['shown']}")
        elif len(nodes) > 1:
            self.compare_each(name, text, nodes, "")
        elif isinstance(nodes[0], (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self.compare_each(name, text, nodes[0].body, HEADERS[name_of(nodes[0])])
        else:
            self.refused[answer["message"]] += 1

    def compare_each(self, name, text, nodes, header):
        lines = [line + "\n" for line in text.split("\n")]
        begins = [min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))]) for node in nodes]
        for node, begin, next_begin in zip(nodes, begins, [*begins[1:], math.inf]):
            before = lines[begin - 1].encode()[:node.col_offset].strip(b" \t@")
            if not before and node.end_lineno < next_begin and (begin > 1 or not header):
                part = header + "".join(lines[begin - 1:node.end_lineno])
                above = "\n" * (begin - 1 - bool(header))
                self.compare(name, above + part, [node], lambda tree: tree[0][-1] if header else tree)


def compare_files(work):
    program, root, files = work
    # Trees have no cycles, and there are very many of them.
    gc.disable()
    comparison = Comparison(Program(program))
    for file in files:
        text = file.read_text(encoding="utf-8")
        comparison.compare(file.relative_to(root), text, ast.parse(text).body, lambda tree: tree)
    return comparison.same, comparison.refused, comparison.failures


def main():
    root = pathlib.Path(torch.__file__).parent
    files = sorted(root.rglob("*.py"), key=lambda file: -file.stat().st_size)
    work = [(sys.argv[1], root, files[i::16]) for i in range(16)]
    cases = Comparison(Program(sys.argv[1]))
    for case in CASES:
        cases.compare_case(case)
    same, refused, failures = 0, cases.refused, cases.failures
    with multiprocessing.Pool(2) as pool:
        for part in pool.imap_unordered(compare_files, work):
            same += part[0]
            refused += part[1]
            failures += part[2]
    print(f"{len(files)} files, {same} top or inner statements the same as Python's, {sum(refused.values())} refused:")
    for reason, count in refused.most_common():
        print(f"  {count:5} {reason}")
    sys.exit("\n".join(failures[:40]) if failures else 0)


if __name__ == "__main__":
    main()
