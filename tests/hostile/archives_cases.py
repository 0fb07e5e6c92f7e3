"""TorchScript archives that a stranger made by hand: code, pickles and zip files that hurt whoever loads them."""

import io
import struct
import textwrap
import zipfile

from case import Case
from models_cases import DATA, ENDS, RECIPE, REFUSED

OF_ARCHIVE = RECIPE.replace("source: net.py, class: Net", "archive: net.pt")


def text(value):
    data = value.encode()
    return b"X" + struct.pack("<I", len(data)) + data


def number(value):
    return b"\x8a\x08" + struct.pack("<q", value)


def tuple_of(*parts):
    return b"(" + b"".join(parts) + b"t"


def tensor(key, sizes, strides=None, offset=0, count=None, grad=True, kind="FloatStorage"):
    """Returns a pickled tensor on the storage `key` of `count` numbers."""
    if strides is None:
        strides, step = [], 1
        for size in reversed(sizes):
            strides.insert(0, step)
            step *= size
    if count is None:
        count = 1
        for size in sizes:
            count *= size
    storage = tuple_of(text("storage"), b"ctorch\n" + kind.encode() + b"\n", text(key), text("cpu"), number(count)) + b"Q"
    return (b"ctorch._utils\n_rebuild_tensor_v2\n" +
            tuple_of(storage, number(offset), tuple_of(*map(number, sizes)), tuple_of(*map(number, strides)),
                     b"\x88" if grad else b"\x89", b"ccollections\nOrderedDict\n)R") + b"R")


WEIGHTS = {"weight": tensor("0", [1, 2]), "bias": tensor("1", [1])}
CLASS = """class Net(Module):
  __parameters__ = ["weight", "bias", ]
  __buffers__ = []
  weight : Tensor
  bias : Tensor
  training : bool
"""


def pickled(attributes=None, type_name="__torch__ Net"):
    parts = attributes if attributes is not None else {**WEIGHTS, "training": b"\x88"}
    state = b"}(" + b"".join(text(name) + value for name, value in parts.items()) + b"u"
    module, name = type_name.split()
    return b"\x80\x02c" + module.encode() + b"\n" + name.encode() + b"\n)\x81" + state + b"b."


def method(body, more=""):
    return (CLASS + "  def forward(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n" +
            textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n" + more)


LINEAR = "return torch.linear(x, self.weight, self.bias)"


def archive(code=None, data=None, files=None, leave_out=(), **more):
    """Returns the bytes of an archive; `files` replace or add members."""
    members = {"data.pkl": data if data is not None else pickled(),
               "code/__torch__.py": (code if code is not None else method(LINEAR)).encode(),
               "data/0": b"\0" * 8, "data/1": b"\0" * 4,
               "constants.pkl": b"\x80\x02).", "version": b"3\n", "byteorder": b"little"}
    members.update(files or {})
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED if more.get("compressed") else zipfile.ZIP_STORED) as out:
        for name, content in members.items():
            if name not in leave_out:
                out.writestr("net/" + name, content)
    return stream.getvalue()


def load(name, content, exits=ENDS, verb="plan"):
    return Case(f"archives/{name}", {"recipe.yaml": OF_ARCHIVE, "data.csv": DATA, "net.pt": content},
                [verb, "recipe.yaml"], exits)


BODIES = {
    "while-true": "_0 = True\nwhile _0:\n  _0 = True\n" + LINEAR,
    "while-true-adds": "_0 = True\nx0 = x\nwhile _0:\n  x0 = torch.add(x0, 1)\n  _0 = True\nreturn torch.linear(x0, self.weight, self.bias)",
    "for-long": "for i in range(1000000000000):\n  pass\n" + LINEAR,
    "for-long-adds": "x0 = x\nfor i in range(1000000000000):\n  x0 = torch.add(x0, 1)\nreturn torch.linear(x0, self.weight, self.bias)",
    "list-grows": "a = [0]\n_0 = True\nwhile _0:\n  _1 = torch.append(a, 0)\n  _0 = True\n" + LINEAR,
    "tensors-kept": "a = [x]\n_0 = True\nwhile _0:\n  _1 = torch.append(a, torch.add(x, 1))\n  _0 = True\n" + LINEAR,
    "text-doubles": "a = \"a\"\na0 = a\nfor i in range(60):\n  a0 = torch.add(a0, a0)\n" + LINEAR,
    "text-in-lines": "a0 = \"a\"\n" + "".join(f"a{i + 1} = torch.add(a{i}, a{i})\n" for i in range(60)) + LINEAR,
    "text-ljust": "a = torch.ljust(\"a\", 100000000000, \" \")\n" + LINEAR,
    "text-center": "a = torch.center(\"a\", 100000000000, \" \")\n" + LINEAR,
    "text-zfill": "a = torch.zfill(\"a\", 100000000000)\n" + LINEAR,
    "text-expandtabs": "a = torch.expandtabs(\"\\t\", 100000000000)\n" + LINEAR,
    "text-percent": "a = torch.percentFormat(\"%100000000000d\", 1)\n" + LINEAR,
    "text-format": "a = torch.format(\"{:100000000000}\", 1)\n" + LINEAR,
    "list-times": "a = torch.mul([0], 1000000000000)\n" + LINEAR,
    "list-in-lines": "a0 = [0]\n" + "".join(f"a{i + 1} = torch.add(a{i}, a{i})\n" for i in range(60)) + LINEAR,
    "rangelist": "a = ops.prim.rangelist(1000000000000)\n" + LINEAR,
    "unbind": "a = torch.unbind(torch.expand(x, [1000000, 8, 2]), 0)\n" + LINEAR,
    "split": "a = torch.split(torch.expand(x, [1000000, 8, 2]), 1, 0)\n" + LINEAR,
    "tensor-split": "a = torch.tensor_split(x, 1000000000, 0)\n" + LINEAR,
    "save": "_0 = torch.save(x, \"../outside/victim\")\n" + LINEAR,
    "save-ops": "_0 = ops.aten.save(x, \"../outside/victim\")\n" + LINEAR,
    "from-file": "a = torch.from_file(\"../outside/victim\", True, 100)\nreturn torch.add(" + LINEAR[7:] + ", torch.sum(a))",
    "from-file-small": "a = torch.from_file(\"../outside/victim\", True, 1, dtype=0)\nreturn torch.add(" + LINEAR[7:] + ", torch.sum(a))",
    "from-file-proc": "a = torch.from_file(\"/proc/self/mem\", False, 100)\nreturn torch.add(" + LINEAR[7:] + ", torch.sum(a))",
    "from-file-zero": "a = torch.from_file(\"/dev/zero\", True, 1000000000000)\nreturn torch.add(" + LINEAR[7:] + ", torch.sum(a))",
    "warn": "_0 = torch.warn(\"\\033[2J\\033]0;title\\007\")\n" + LINEAR,
    "warn-long": "a0 = \"a\"\n" + "".join(f"a{i + 1} = torch.add(a{i}, a{i})\n" for i in range(22)) +
                 "_0 = torch.warn(a22)\n" + LINEAR,
    "warn-forever": "_0 = True\nwhile _0:\n  _1 = torch.warn(\"a\")\n  _0 = True\n" + LINEAR,
    "print": "_0 = ops.prim.Print(\"\\033[2J\")\n" + LINEAR,
    "print-forever": "_0 = True\nwhile _0:\n  _1 = ops.prim.Print(\"a\")\n  _0 = True\n" + LINEAR,
    "raise": "ops.prim.RaiseException(\"\\033[2J\")\n" + LINEAR,
    "raise-long": "ops.prim.RaiseException(\"" + "a" * 100000 + "\")\n" + LINEAR,
    "fork": "_0 = ops.prim.fork(x)\n" + LINEAR,
    "threads": "_0 = torch.set_num_threads(100000)\n" + LINEAR,
    "seed": "_0 = torch.manual_seed(1)\n" + LINEAR,
    "grad-off": "_0 = torch.set_grad_enabled(False)\n" + LINEAR,
    "cuda": "a = torch.cuda(x)\n" + LINEAR,
    "as-strided": "a = torch.as_strided(x, [1000000], [1], 1000000)\nreturn torch.add(" + LINEAR[7:] + ", torch.sum(a))",
    "set-storage": "a = torch.set_(x, x, 1000000000, [1], [1])\n" + LINEAR,
    "resize": "a = torch.resize_(x, [1000000000000000])\n" + LINEAR,
    "zeros": "a = torch.zeros([1000000000000000])\n" + LINEAR,
    "sparse": "a = torch.sparse_coo_tensor(torch.tensor([[1000000000]]), torch.ones([1]), [10])\n"
              "return torch.add(" + LINEAR[7:] + ", torch.sum(torch.to_dense(a)))",
    "unknown-operator": "a = torch.no_such_operator(x)\n" + LINEAR,
    "unknown-namespace": "a = ops.stranger.harm(x)\n" + LINEAR,
    "internal": "a = ops.aten._cudnn_rnn_flatten_weight([x], 1, 1, 1, 1, 1, 1, False, False)\n" + LINEAR,
    "dispatcher-fallback": "a = ops.aten._fw_primal(x, 1)\n" + LINEAR,
    "quantized": "a = ops.quantized.linear_prepack(x, None)\n" + LINEAR,
    "rpc": "a = ops.prim.rpc_async(\"a\", \"b\", ())\n" + LINEAR,
    "tolist": "a : List[float] = ops.prim.tolist(torch.expand(torch.select(x, 0, 0), [100000000, 2]))\n" + LINEAR,
    "time": "a = ops.aten.sleep(1000)\n" + LINEAR,
    "recursion": "return (self).forward(x, )",
    "recursion-mutual": "return (self).other(x, )",
    "wrong-type": "return 1",
    "wrong-names": "return y",
    "backward": "a = torch.sum(x)\n_0 = torch.backward(a)\n" + LINEAR,
    "empty": "pass",
    "nothing-learnt": "return x",
    "division-by-zero": "a = torch.floordiv(1, 0)\n" + LINEAR,
    "division-overflow": "a = torch.floordiv(-9223372036854775807, -1)\nb = torch.remainder(torch.sub(-9223372036854775807, 1), -1)\n" + LINEAR,
    "shift": "a = ops.aten.__lshift__(1, 100000)\n" + LINEAR,
    "factorial": "a = torch.factorial(100000000000)\n" + LINEAR,
    "power": "a = torch.pow(3, 1000000000000)\n" + LINEAR,
    "list-index": "a = [1, 2]\nb = a[1000000]\n" + LINEAR,
    "list-delete": "a = [1, 2]\n_0 = torch.Delete(a, 1000000)\n" + LINEAR,
    "list-insert": "a = [1, 2]\n_0 = torch.insert(a, -1000000, 1)\n" + LINEAR,
    "text-index": "a = \"abc\"\nb = a[1000000]\n" + LINEAR,
    "chr": "a = torch.chr(1000000000000)\n" + LINEAR,
    "ord": "a = torch.ord(\"\")\n" + LINEAR,
    "dict-missing": "a = {\"a\": 1}\nb = a[\"b\"]\n" + LINEAR,
    "pop-empty": "a = annotate(List[int], [])\nb = torch.pop(a, -1)\n" + LINEAR,
}

CODES = {
    "not-code": "\0\1\2" * 1000,
    "not-utf-8": "\udcff".encode("utf-8", "surrogateescape").decode("latin-1") * 100,
    "empty": "",
    "long-line": CLASS + "  x : " + "a" * 1_000_000,
    "many-classes": "".join(f"class C{i}(Module):\n  __parameters__ = []\n  training : bool\n" for i in range(20_000)) + method(LINEAR),
    "many-methods": method(LINEAR) + "".join(f"  def m{i}(self: __torch__.Net) -> int:\n    return {i}\n" for i in range(20_000)),
    "many-statements": method("".join(f"a{i} = torch.add(x, {i})\n" for i in range(100_000)) + LINEAR),
    "many-loops": method("".join(f"for i{i} in range(3):\n  pass\n" for i in range(20_000)) + LINEAR),
    "many-attributes": "class Net(Module):\n  __parameters__ = []\n" + "".join(f"  a{i} : int\n" for i in range(50_000)),
    "base-of-itself": method(LINEAR).replace("(Module)", "(Net)"),
    "type-of-itself": method(LINEAR).replace("  training : bool", "  training : bool\n  own : __torch__.Net"),
    "import-of-itself": "import __torch__\n" + method(LINEAR),
    "import-of-other": "import __torch__.other.thing\n" + method(LINEAR),
    "interface": "class I(Interface):\n  def forward(self, x: Tensor) -> Tensor:\n    pass\n" + method(LINEAR),
    "enum": "class E(Enum):\n  a = 1\n" + method(LINEAR),
    "named-tuple": "class T(NamedTuple):\n  a : __torch__.T\n" + method(LINEAR),
    "parameters-missing": method(LINEAR).replace('"weight", "bias", ', '"other", '),
    "duplicate-method": method(LINEAR, more=method(LINEAR).split("  training : bool\n")[1]),
    "duplicate-class": method(LINEAR) + method(LINEAR),
}


def nested(depth):
    """Returns code that nests deep, by what nests."""
    yield "brackets", method("a = " + "(" * depth + "1" + ")" * depth + "\n" + LINEAR)
    yield "calls", method("a = " + "torch.neg(" * depth + "x" + ")" * depth + "\n" + LINEAR)
    yield "lists", method("a = " + "[" * depth + "1" + "]" * depth + "\n" + LINEAR)
    yield "subscripts", method("a = x" + "[0]" * depth + "\n" + LINEAR)
    yield "attributes", method("a = self" + ".a" * depth + "\n" + LINEAR)
    yield "sums", method("a = 1" + " + 1" * depth + "\n" + LINEAR)
    yield "powers", method("a = 1" + " ** 1" * depth + "\n" + LINEAR)
    yield "minus", method("a = " + "- " * depth + "1\n" + LINEAR)
    yield "not", method("a = " + "not " * depth + "True\n" + LINEAR)
    yield "and", method("a = True" + " and True" * depth + "\n" + LINEAR)
    yield "ternary", method("a = 1" + " if True else 1" * depth + "\n" + LINEAR)
    yield "comparisons", method("a = 1" + " < 1" * depth + "\n" + LINEAR)
    yield "types", method(LINEAR).replace("  training : bool", "  training : bool\n  a : " + "List[" * depth + "int" + "]" * depth)
    yield "comprehension", method("a = " + "[b for b in " * depth + "[1]" + "]" * depth + "\n" + LINEAR)
    if depth <= 3000:
        yield "blocks", method("".join("  " * i + "if True:\n" for i in range(depth)) + "  " * depth + "pass\n" + LINEAR)
        yield "loops", method("".join("  " * i + f"for i{i} in range(2):\n" for i in range(depth)) + "  " * depth + "pass\n" + LINEAR)
    yield "chain-of-methods", method("return (self).m0(x, )", more="".join(
        f"  def m{i}(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n    return (self).m{i + 1}(x, )\n" for i in range(depth)) +
        f"  def m{depth}(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n    {LINEAR}\n")
    yield "doubling-methods", method("return (self).m0(x, )", more="".join(
        f"  def m{i}(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n    return (self).m{i + 1}((self).m{i + 1}(x, ), )\n"
        for i in range(min(depth, 40))) +
        f"  def m{min(depth, 40)}(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n    return torch.add(x, 1)\n")


START = b"\x80\x02"
PICKLES = {
    "empty": b"",
    "only-start": START,
    "only-stop": START + b".",
    "nothing-on-stack": START + b"t.",
    "no-mark": START + b"N" * 3 + b"t.",
    "build-of-nothing": START + b"b.",
    "reduce-of-nothing": START + b"R.",
    "setitems-of-nothing": START + b"u.",
    "appends-of-nothing": START + b"e.",
    "append-of-nothing": START + b"a.",
    "setitem-of-nothing": START + b"s.",
    "persistent-of-nothing": START + b"Q.",
    "newobj-of-nothing": START + b"\x81.",
    "tuple-of-nothing": START + b"\x87.",
    "get-of-nothing": START + b"h\x05.",
    "get-far": START + b"j\xff\xff\xff\x7f.",
    "put-far": START + b"Nr\xff\xff\xff\x7f.",
    "put-of-nothing": START + b"q\x00.",
    "none": START + b"N.",
    "number": START + b"K\x01.",
    "text": START + text("a") + b".",
    "list": START + b"].",
    "dict": START + b"}.",
    "global-only": START + b"c__torch__\nNet\n.",
    "global-of-python": START + b"cos\nsystem\n(X\x02\x00\x00\x00lstR.",
    "global-unknown": START + b"c__torch__\nOther\n)\x81}b.",
    "global-without-end": START + b"c" + b"a" * 100_000,
    "text-without-end": START + b"X\xff\xff\xff\x7fabc",
    "text-negative": START + b"X\xff\xff\xff\xffabc",
    "text-of-64-bits": START + b"\x8d\xff\xff\xff\xff\xff\xff\xff\x7fabc",
    "long-number": START + b"\x8a\xff" + b"\xff" * 255 + b".",
    "long4": START + b"\x8b\xff\xff\xff\x7f.",
    "marks": START + b"(" * 1_000_000 + b".",
    "deep-tuples": START + b")" + b"\x85" * 200_000 + b".",
    "deep-tuples-very": START + b")" + b"\x85" * 2_000_000 + b".",
    "deep-lists": START + b"]" * 200_000 + b"a" * 199_999 + b".",
    "deep-dicts": START + (b"}" + text("a")) * 200_000 + b"}" + b"s" * 200_000 + b".",
    "list-of-itself": START + b"]q\x00h\x00a.",
    "dict-of-itself": START + b"}q\x00" + text("a") + b"h\x00s.",
    "module-of-itself": START + b"c__torch__\nNet\n)\x81q\x00}(" + text("weight") + b"h\x00" + text("training") + b"\x88ub.",
    "doubling-tuples": START + b")q\x00" + b"h\x00h\x00\x86q\x00" * 60 + b".",
    "doubling-lists": START + b"]q\x00" + b"](h\x00h\x00eq\x00" * 60 + b".",
    "many-nones": START + b"N" * 5_000_000 + b".",
    "many-lists": START + b"]" * 3_000_000 + b".",
    "many-dicts": START + b"}" * 3_000_000 + b".",
    "many-texts": START + text("a" * 100) * 50_000 + b".",
    "many-puts": START + b"N" + b"".join(b"r" + struct.pack("<I", i) for i in range(500_000)) + b".",
    "unknown-opcode": START + b"\xff.",
    "protocol": b"\x80\xff.",
    "protocol-4": b"\x80\x04\x95\x08\x00\x00\x00\x00\x00\x00\x00N.",
}
TENSORS = {
    "sizes-beyond-storage": {"weight": tensor("0", [1000, 1000], count=2)},
    "sizes-huge": {"weight": tensor("0", [2**40, 2**20], count=2)},
    "sizes-overflow": {"weight": tensor("0", [2**62, 2**62], [0, 0], count=2)},
    "sizes-negative": {"weight": tensor("0", [-1, 2], count=2)},
    "strides-negative": {"weight": tensor("0", [1, 2], [-1, -1], count=2)},
    "strides-huge": {"weight": tensor("0", [1, 2], [2**62, 2**62], count=2)},
    "strides-zero-huge": {"weight": tensor("0", [2**40, 2**20], [0, 0], count=2)},
    "strides-too-few": {"weight": tensor("0", [1, 2], [1], count=2)},
    "offset-beyond": {"weight": tensor("0", [1, 2], offset=2**40, count=2)},
    "offset-negative": {"weight": tensor("0", [1, 2], offset=-2, count=2)},
    "count-beyond-file": {"weight": tensor("0", [1, 2], count=2**40)},
    "count-negative": {"weight": tensor("0", [1, 2], count=-1)},
    "count-zero": {"weight": tensor("0", [1, 2], count=0)},
    "storage-missing": {"weight": tensor("7", [1, 2])},
    "storage-outside": {"weight": tensor("../../code/__torch__.py", [1, 2])},
    "storage-name-long": {"weight": tensor("0" * 100_000, [1, 2])},
    "storage-unknown": {"weight": tensor("0", [1, 2], kind="StrangeStorage")},
    "storage-quantized": {"weight": tensor("0", [1, 2], kind="QInt8Storage")},
    "dimensions-many": {"weight": tensor("0", [1] * 10_000, count=2)},
    "of-other-type": {"weight": b"K\x01"},
    "none": {"weight": b"N"},
    "text": {"weight": text("a")},
    "missing": {},
    "of-shared-storage": {"weight": tensor("1", [1, 2], count=2)},
    "grad-of-integers": {"weight": tensor("0", [1], kind="LongStorage", count=1)},
}


def zips():
    good = archive()
    yield "cut", good[:len(good) // 2]
    yield "cut-end", good[:-10]
    yield "empty", b""
    yield "only-end", good[-22:]
    yield "twice", good + good
    yield "garbage", bytes(range(256)) * 1000
    yield "directory-shifted", good[:-10] + struct.pack("<I", 2**31) + good[-6:]
    yield "directory-count", good[:-12] + b"\xff\xff\xff\x7f" + good[-8:]
    yield "sizes-of-header", good.replace(struct.pack("<II", 8, 8), struct.pack("<II", 2**31 - 1, 2**31 - 1))
    yield "crc-wrong", good.replace(b"torch.linear", b"torch.Linear")
    yield "bomb-in-data", archive(files={"data/0": b"\0" * 300_000_000}, compressed=True)
    yield "bomb-in-code", archive(code=method(LINEAR) + "#" + " " * 300_000_000, compressed=True)
    yield "bomb-in-pickle", archive(data=START + b"N" * 300_000_000 + b".", compressed=True)
    yield "bomb-in-constants", archive(files={"constants.pkl": START + b"(" * 100_000_000}, compressed=True)
    yield "bomb-of-lists", archive(data=START + b"]" * 30_000_000 + b".", compressed=True)
    yield "many-members", archive(files={f"extra/{i}": b"" for i in range(60_000)})
    yield "member-outside", archive(files={"../../../outside/victim": b"a"})
    yield "member-absolute", archive(files={"/etc/knead-hostile": b"a"})
    yield "member-name-long", archive(files={"extra/" + "n" * 60_000: b"a"})
    yield "member-name-escape", archive(files={"code/\x1b[2J.py": b"a"})
    for member in ("data.pkl", "constants.pkl", "version", "code/__torch__.py", "data/0", "byteorder"):
        yield f"without-{member.replace('/', '-')}", archive(leave_out=(member,))
    for version in ("", "0", "-1", "4294967296", "9" * 1000, "a", "3" + "\n" * 100_000):
        yield f"version-{version[:12].strip() or 'empty'}-{len(version)}", archive(files={"version": version.encode()})
    yield "byteorder-big", archive(files={"byteorder": b"big"})
    yield "byteorder-long", archive(files={"byteorder": b"l" * 1_000_000})
    yield "debug-garbage", archive(files={"code/__torch__.py.debug_pkl": bytes(range(256)) * 100})
    yield "debug-pickle", archive(files={"code/__torch__.py.debug_pkl": START + b")" + b"\x85" * 100_000 + b"."})
    yield "constants-of-tensors", archive(files={"constants.pkl": START + tuple_of(tensor("0", [2**40], count=2**40)) + b"."})
    yield "constants-deep", archive(files={"constants.pkl": START + b")" + b"\x85" * 200_000 + b"."})
    yield "good", good


def cases():
    for name, body in BODIES.items():
        exits = REFUSED if name in ("save", "save-ops", "from-file", "from-file-small", "from-file-zero") else ENDS
        more = "" if name != "recursion-mutual" else ("  def other(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n"
                                                      "    return (self).forward(x, )\n")
        yield load(f"forward/{name}", archive(method(body, more)), exits)
        if name in ("save", "from-file", "warn", "while-true", "as-strided", "unbind"):
            yield load(f"forward-of-run/{name}", archive(method(body, more)), exits, verb="run")
    for name, code in CODES.items():
        yield load(f"code/{name}", archive(code))
    for depth in (300, 3000, 100_000):
        for name, code in nested(depth):
            yield load(f"nested/{name}-{depth}", archive(code, compressed=True))
    for name, data in PICKLES.items():
        yield load(f"pickle/{name}", archive(data=data))
        yield load(f"constants/{name}", archive(files={"constants.pkl": data}))
    for name, changed in TENSORS.items():
        parts = {**WEIGHTS, "training": b"\x88", **changed}
        if name == "missing":
            del parts["weight"]
        # A plan of many dimensions is long, and rightly.
        yield load(f"tensor/{name}", archive(data=pickled(parts)), verb="run" if name == "dimensions-many" else "plan")
    for name, content in zips():
        yield load(f"zip/{name}", content)
