"""Files of weights, and folders of runs, that a stranger made to hurt whoever reads them."""

import json
import struct
import zipfile

from case import Case
from strange_files import MODEL, NAMES, STRANGE, TABLE, holes, later, number, recipe, zipped

ENDS = frozenset({2, 3, 5, 7})
MAY_BE_GOOD = ENDS | {0}


def weights(name, content, file="weights.pt", verb="run", exits=ENDS, **more):
    files = {"model.py": MODEL, "data.csv": TABLE, "recipe.yaml": recipe(model=f", weights: {{from: {file}}}")}
    if content is not None:
        files[file] = content
    files.update(more.pop("files", {}))
    return Case(f"weights/{name}", files, [verb, "recipe.yaml"], exits, **more)


# --- pickles ---

PROTO = b"\x80\x02"
TORCH_TENSOR = b"ctorch._utils\n_rebuild_tensor_v2\n"


def text(word):
    raw = word if isinstance(word, bytes) else word.encode()
    return b"X" + number("I", len(raw)) + raw


def whole(value):
    return b"J" + number("i", value) if -2**31 <= value < 2**31 else b"\x8a\x08" + number("q", value)


def tuple_of(*items):
    return b"(" + b"".join(items) + b"t"


def tensor(key="0", shape=(2, 2), strides=(2, 1), numbers=4, offset=0, storage="FloatStorage"):
    """The call with which torch.save writes a tensor."""
    place = tuple_of(text("storage"), b"ctorch\n" + storage.encode() + b"\n", text(key), text("cpu"), whole(numbers))
    return (TORCH_TENSOR + tuple_of(place + b"Q", whole(offset), tuple_of(*map(whole, shape)),
                                    tuple_of(*map(whole, strides)), b"\x89", b"ccollections\nOrderedDict\n)R") + b"R")


def state(*pairs):
    return PROTO + b"}(" + b"".join(text(name) + value for name, value in pairs) + b"u."


GOOD = (("a.weight", tensor()), ("a.bias", tensor("1", (2,), (1,), 2)))
STORAGES = {"w/data/0": bytes(16), "w/data/1": bytes(8)}


def torch_file(pickle, members=None, compression=zipfile.ZIP_STORED):
    return zipped({"w/data.pkl": pickle, **(STORAGES if members is None else members)}, compression)


def pickles():
    """Pickles by what they repeat: name -> what stands before, the part that is repeated, what stands behind."""
    long = text("m" * 100_000) + b"q\x00" + text("n" * 100_000) + b"q\x01"
    name = b"c" + b"m" * 50_000 + b"\n" + b"n" * 50_000 + b"\nq\x00"
    return {
        "marks": (b"", b"(", b"."),
        "nones": (b"", b"N", b"."),
        "empty-lists": (b"", b"]", b"."),
        "empty-dicts": (b"", b"}", b"."),
        "empty-tuples": (b"", b")", b"."),
        "empty-sets": (b"", b"\x8f", b"."),
        "small-numbers": (b"", b"K\x01", b"."),
        "short-texts": (b"", b"U\x01a", b"."),
        "long-integers": (b"", b"\x8a\x09123456789", b"."),
        "copies-of-the-top": (b"N", b"2", b"."),
        "lists-within-lists": (b"]", b"]\x85", b"."),
        "tuples-within-tuples": (b")", b"\x85", b"."),
        "pairs-of-itself": (b")", b"2\x86", b"."),
        "dicts-within-dicts": (b"}", b"}X\x01\x00\x00\x00a", b"."),
        "memo-by-order": (b"N", b"\x94", b"."),
        "memo-at-far-places": (b"N", b"r\xff\xff\xff\x7f", b"."),
        "recalled-lists": (b"]q\x00", b"h\x00", b"."),
        "names-of-the-stack": (long, b"h\x00h\x01\x93", b"."),
        "names-of-the-stack-dropped": (long, b"h\x00h\x01\x930", b"N."),
        "objects-of-a-long-name": (name, b"h\x00)R", b"."),
        "new-objects-of-a-long-name": (name, b"h\x00)\x81", b"."),
        "new-objects-with-keywords": (name, b"h\x00)}\x92", b"."),
        "objects-of-objects": (b"cm\nn\n", b")R", b"."),
        "references": (b"N", b"Q", b"."),
        "built-states": (b"cm\nn\n)R", b"Nb", b"."),
        "marks-and-tuples": (b"", b"(t", b"."),
        "marks-and-pops": (b"", b"(1", b"N."),
        "list-of-marks-and-items": (b"]", b"(NNe", b"."),
        "sets-of-sets": (b"\x8f", b"(\x8f\x90", b"."),
        "frozen-sets": (b"", b"(\x91", b"."),
        "dict-of-one-key": (b"}", b"NNs", b"."),
        "dict-of-a-long-key": (b"}" + text("k" * 100_000) + b"q\x00" + tensor() + b"q\x010" + b"0",
                               b"h\x00h\x01s", b"."),
        "dict-of-the-same-dict": (b"}q\x00", b"X\x01\x00\x00\x00ah\x00s", b"."),
        "dict-of-dicts-that-hold-each-other": (b"}q\x00}q\x01", b"h\x00X\x01\x00\x00\x00ah\x01s0", b"."),
        "globals": (b"", b"ca\nb\n", b"."),
        "frames": (b"", b"\x95\x00\x00\x00\x00\x00\x00\x00\x00", b"N."),
        "bytes-of-none": (b"", b"C\x00", b"."),
    }


def repeated_pickles():
    for name, (begin, part, end) in pickles().items():
        for size in (500_000, 9_000_000):
            yield weights(f"pickle-of-{name}-{size // 1000}-kB",
                          later(lambda b=begin, p=part, e=end, n=size: torch_file(PROTO + b + p * (n // len(p)) + e)))
    for count in (100_000, 1_800_000):
        yield weights(f"pickle-of-a-memo-at-{count}-places", later(lambda n=count: torch_file(
            PROTO + b"N" + b"".join(b"r" + number("I", i) for i in range(n)) + b".")))


def lying_pickles():
    for name, part in {
        "text": b"X\xff\xff\xff\xff", "long-text": b"\x8d" + b"\xff" * 8, "short-text": b"\x8c\xff",
        "string": b"T\xff\xff\xff\xff", "bytes": b"B\xff\xff\xff\xff", "long-bytes": b"\x8e" + b"\xff" * 8,
        "byte-array": b"\x96" + b"\xff" * 7 + b"\x7f", "long-integer": b"\x8b\xff\xff\xff\x7f", "frame": b"\x95" + b"\xff" * 8,
        "name": b"cnever\nended", "number": b"J\x00", "put": b"q", "get": b"h\x07", "far-get": b"j\xff\xff\xff\xff",
        "mark": b"t", "items-of-nothing": b"Nu", "odd-items": b"}(Nu", "append-to-nothing": b"a",
        "old-protocol": b"I1\n", "unknown": b"\xfe", "persistent-text": b"P1\n", "extension": b"\x82\x01",
        "name-that-is-a-number": b"K\x01K\x02\x93", "object-of-nothing": b"R", "nothing": b"", "only-a-stop": b"."}.items():
        yield weights(f"pickle-with-a-lying-{name}", torch_file(PROTO + part + (b"" if name == "nothing" else b".")))
    for version in (0, 1, 6, 255):
        yield weights(f"pickle-of-protocol-{version}", torch_file(b"\x80" + bytes([version]) + b"N."))


def lying_tensors():
    big = 2**62
    for name, pairs in {
        "shape-beyond-memory": [("a.weight", tensor(shape=(big, big)))],
        "shape-beyond-its-storage": [("a.weight", tensor(shape=(1000, 1000), strides=(1000, 1)))],
        "strides-of-zero": [("a.weight", tensor(shape=(2**20, 2**20), strides=(0, 0)))],
        "strides-of-zero-that-fit": [("a.weight", tensor(shape=(2, 2), strides=(0, 0)))],
        "strides-below-zero": [("a.weight", tensor(strides=(-2, -1)))],
        "offset-beyond": [("a.weight", tensor(offset=big))],
        "offset-below-zero": [("a.weight", tensor(offset=-1))],
        "numbers-that-lie": [("a.weight", tensor(numbers=10**9))],
        "numbers-below-zero": [("a.weight", tensor(numbers=-1))],
        "storage-of-another-kind": [("a.weight", tensor(storage="StrangeStorage"))],
        "storage-without-a-type": [("a.weight", tensor(storage="UntypedStorage"))],
        "storage-that-is-missing": [("a.weight", tensor(key="nowhere"))],
        "storage-outside": [("a.weight", tensor(key="../../../../etc/passwd"))],
        "storage-with-escapes": [("a.weight", tensor(key="\x1b[2J\x1b]0;t\x07"))],
        "storage-of-a-long-key": [("a.weight", tensor(key="k" * 1_000_000))],
        "dimensions-by-the-million": [("a.weight", tensor(shape=(1,) * 200_000, strides=(1,) * 200_000))],
        "dimensions-of-another-count": [("a.weight", tensor(shape=(2, 2), strides=(2,)))],
        "name-of-a-million-characters": [("n" * 1_000_000, tensor())],
        "name-with-escapes": [("\x1b[2J\x1b]0;t\x07", tensor()), *GOOD],
        "name-with-new-lines": [("a\nb\rc", tensor()), *GOOD],
        "name-that-is-not-text": [(b"\xff\xfe\x80", tensor()), *GOOD],
        "name-that-is-empty": [("", tensor()), *GOOD],
        "the-same-name-twice": [*GOOD, GOOD[0]],
        "a-missing-one": [GOOD[0]],
        "a-hundred-thousand-names": [(f"a{i}", tensor()) for i in range(100_000)],
        "a-thousand-dicts": [(f"d{i}", state(*GOOD)[2:-1]) for i in range(1000)],
    }.items():
        yield weights(f"tensors-with-{name}", torch_file(state(*pairs)),
                      exits=MAY_BE_GOOD if name.endswith("that-fit") else ENDS)
    yield weights("tensor-that-wraps-itself", torch_file(
        PROTO + b"}q\x00" + text("a") + b"ctorch._utils\n_rebuild_parameter\n](h\x00e\x85Rs."))
    yield weights("tensor-that-calls-a-command", torch_file(
        PROTO + b"}" + text("a.weight") + b"cos\nsystem\n" + text("touch ../outside/victim") + b"\x85Rs."))
    yield weights("object-that-calls-a-command", torch_file(
        PROTO + b"cos\nsystem\n" + text("touch ../outside/victim") + b"\x85R."))


# --- archives ---

def patched(archive, at, replacement):
    return archive[:at] + replacement + archive[at + len(replacement):]


def archives():
    good = torch_file(state(*GOOD))
    end = good.rfind(b"PK\5\6")
    directory = struct.unpack_from("<I", good, end + 16)[0]
    entry = good.find(b"PK\1\2")
    for name, content in {
        "cut-in-half": good[:len(good) // 2], "without-its-end": good[:end], "only-an-end": good[end:],
        "directory-beyond": patched(good, end + 16, number("I", 0x7fffffff)),
        "directory-at-its-end": patched(good, end + 16, number("I", end)),
        "directory-of-four-gigabytes": patched(good, end + 12, b"\xfe\xff\xff\xff"),
        "entries-by-the-thousand": patched(good, end + 10, b"\xff\xff"),
        "entries-of-none": patched(good, end + 8, bytes(4)),
        "split": patched(good, end + 4, b"\x01\x00"),
        "a-comment-that-lies": patched(good, end + 20, b"\xff\xff"),
        "a-member-of-four-gigabytes": patched(good, entry + 20, b"\xfe\xff\xff\xff\xfe\xff\xff\xff"),
        "a-member-of-zip64-that-is-not-there": patched(good, entry + 20, b"\xff" * 8),
        "a-member-elsewhere": patched(good, entry + 42, b"\xf0\xff\xff\x00"),
        "a-member-of-a-long-name": patched(good, entry + 28, b"\xff\xff"),
        "an-extra-field-that-lies": patched(good, entry + 30, b"\xff\xff"),
        "encrypted": patched(good, entry + 8, b"\x01\x00"),
        "an-unknown-method": patched(good, entry + 10, b"\x63\x00"),
        "a-wrong-sum": patched(good, entry + 16, b"\x01\x02\x03\x04"),
        "local-headers-that-lie": good.replace(b"PK\3\4", b"PK\3\5"),
        "directory-of-the-first-bytes": patched(good, end + 16, bytes(4)),
    }.items():
        yield weights(f"archive-with-{name}", content)
    yield weights("archive-packed-a-thousandfold", later(lambda: torch_file(
        b"\x80\x02" + b"(" * 60_000_000, {}, zipfile.ZIP_DEFLATED)))
    yield weights("archive-of-a-big-byteorder", torch_file(state(*GOOD), {**STORAGES, "w/byteorder": b"big"}))
    yield weights("archive-of-a-long-byteorder", later(lambda: torch_file(
        state(*GOOD), {"w/byteorder": bytes(50_000_000)})))
    yield weights("archive-of-a-packed-byteorder",
                  later(lambda: torch_file(state(*GOOD), {"w/byteorder": bytes(50_000_000)}, zipfile.ZIP_DEFLATED)))
    for count in (70_000, 200_000):
        yield weights(f"archive-of-{count}-members", later(lambda n=count: torch_file(
            state(*GOOD), {f"w/data/{i}": b"" for i in range(n)})))
    yield weights("archive-of-members-outside", torch_file(state(*GOOD), {**STORAGES, "../../outside/victim": b"x"}),
                  exits=MAY_BE_GOOD)
    yield weights("archive-of-members-with-escapes", zipped({"\x1b[2J/data.pkl": state(*GOOD)}))
    yield weights("archive-of-many-pickles", zipped({f"{i}/data.pkl": state(*GOOD) for i in range(10_000)}))
    yield weights("archive-of-a-long-name", zipped({"n" * 60_000 + "/data.pkl": state(*GOOD)}))
    yield weights("archive-of-many-long-names", zipped({f"{i}" + "n" * 60_000: b"" for i in range(500)}))
    yield weights("archive-of-arrays", zipped({f"a{i}.npy": b"" for i in range(10)}))
    yield weights("archive-of-a-script", torch_file(state(*GOOD), {"w/constants.pkl": b"", "w/code/m.py": b""}))
    yield weights("archive-of-a-long-pickle", later(lambda: torch_file(PROTO + b"N" * 70_000_000 + b".", {})))
    yield weights("archive-in-a-comment", torch_file(state(*GOOD))[:-2] + number("H", 60_000) + b"PK\5\6" * 15_000, exits=MAY_BE_GOOD)


# --- safetensors ---

def safetensors(header, data=b"", length=None):
    raw = header if isinstance(header, bytes) else json.dumps(header).encode()
    return number("Q", len(raw) if length is None else length) + raw + data


def place(begin=0, end=16, shape=(2, 2), dtype="F32"):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}


def headers():
    two = {"a.weight": place(), "a.bias": place(16, 24, (2,))}
    empty = '"{}":{{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}'
    yield from {
        "a-length-beyond": safetensors(two, length=2**63),
        "a-length-of-all-ones": safetensors(two, length=2**64 - 1),
        "a-length-of-none": safetensors(b"", bytes(100)),
        "a-length-of-the-file": safetensors(two, length=len(json.dumps(two))),
        "only-a-length": number("Q", 100),
        "no-bytes-of-data": safetensors(two),
        "too-many-bytes-of-data": safetensors(two, bytes(1000)),
        "spaces": safetensors(b"{" + b" " * 5_000_000 + b"}"),
        "deep-lists": safetensors(b'{"a":' + b"[" * 5_000_000),
        "deep-objects": safetensors(b'{"a":' * 2_000_000),
        "deep-lists-that-close": safetensors(b'{"a":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}"),
        "numbers-of-many-digits": safetensors(b'{"a":{"dtype":"F32","shape":[' + b"1" * 5_000_000 + b'],"data_offsets":[0,0]}}'),
        "a-million-dimensions": safetensors({"a": place(0, 4, (1,) * 1_000_000)}, bytes(4)),
        "dimensions-beyond-memory": safetensors({"a": place(0, 16, (2**40, 2**40))}, bytes(16)),
        "dimensions-below-zero": safetensors({"a": place(0, 16, (-2, -2))}, bytes(16)),
        "dimensions-that-are-texts": safetensors({"a": place(0, 16, ("2", "2"))}, bytes(16)),
        "offsets-that-overlap": safetensors({"a.weight": place(), "a.bias": place(8, 16, (2,))}, bytes(24)),
        "offsets-with-a-gap": safetensors({"a.weight": place(), "a.bias": place(20, 28, (2,))}, bytes(28)),
        "offsets-that-go-back": safetensors({"a": place(16, 0)}, bytes(16)),
        "offsets-beyond": safetensors({"a": place(2**62, 2**62 + 16)}, bytes(16)),
        "an-unknown-type": safetensors({"a": place(dtype="Q7")}, bytes(16)),
        "a-type-of-a-megabyte": safetensors({"a": place(dtype="Q" * 1_000_000)}, bytes(16)),
        "a-type-with-escapes": safetensors({"a": place(dtype="\x1b[2J")}, bytes(16)),
        "a-name-of-a-megabyte": safetensors({"a" * 1_000_000: place()}, bytes(16)),
        "a-name-with-escapes": safetensors({"\x1b[2J\x1b]0;t\x07": place()}, bytes(16)),
        "a-name-that-is-not-text": safetensors(b'{"\xff\xfe":' + json.dumps(place()).encode() + b"}", bytes(16)),
        "a-name-twice": safetensors(b'{"a":1,"a":2}', bytes(16)),
        "keys-of-another-kind": safetensors({"a": {**place(), "more": 1}}, bytes(16)),
        "half-a-surrogate": safetensors(b'{"\\ud800":' + json.dumps(place()).encode() + b"}", bytes(16)),
        "a-list": safetensors(b"[]"), "a-text": safetensors(b'"x"'), "no-json": safetensors(b"{{{{"),
        "metadata-of-numbers": safetensors({"__metadata__": {"a": 1}, **two}, bytes(24)),
        "metadata-of-a-list": safetensors({"__metadata__": [], **two}, bytes(24)),
    }.items()
    for count in (10_000, 100_000, 1_000_000, 1_900_000):
        yield f"{count}-empty-tensors", later(lambda n=count: safetensors(
            b"{" + ",".join(empty.format(i) for i in range(n)).encode() + b"}"))
    for count in (100_000, 1_500_000):
        yield f"{count}-words-of-metadata", later(lambda n=count: safetensors(
            b'{"__metadata__":{' + ",".join(f'"{i}":""' for i in range(n)).encode() + b'}}'))
        yield f"{count}-aliases", later(lambda n=count: safetensors(
            b'{"__metadata__":{' + ",".join(f'"alias:{i}":"a.weight"' for i in range(n)).encode() + b'},' +
            json.dumps(two).encode()[1:], bytes(24)))
    yield "lists-of-nothing", later(lambda: safetensors(b'{"a":[' + b"[]," * 3_000_000 + b"[]]}"))
    yield "numbers-of-nothing", later(lambda: safetensors(b'{"a":{"b":[' + b"0," * 9_000_000 + b"0]}}"))


def safetensors_files():
    for name, content in headers():
        yield weights(f"safetensors-with-{name}", content, "weights.safetensors")
    yield weights("safetensors-of-holes", holes(3 << 30, number("Q", 90_000_000) + b"{"), "weights.safetensors")
    yield weights("safetensors-of-holes-and-a-good-header", holes(3 << 30, safetensors(
        {"a.weight": place(0, (3 << 30) - 8 - 72, ((3 << 30) - 80,), "U8")})), "weights.safetensors")


# --- indexes ---

def index(name, content, beside=None, **more):
    return weights(f"index-{name}", content, "model.safetensors.index.json", files=beside or {}, **more)


def indexes():
    good = safetensors({"a.weight": place(), "a.bias": place(16, 24, (2,))}, bytes(24))
    one = json.dumps({"weight_map": {"a.weight": "x.safetensors", "a.bias": "x.safetensors"}})
    for name, make in STRANGE.items():
        yield index(f"that-is-{name}", make)
        yield index(f"names-{name}", one, {"x.safetensors": make})
    for name, content in {
        "of-deep-lists": "[" * 5_000_000, "of-deep-maps": '{"weight_map":' * 1_000_000,
        "of-deep-lists-that-close": "[" * 3_000_000 + "]" * 3_000_000,
        "of-lists-of-nothing": "[" + "[]," * 5_000_000 + "[]]",
        "of-a-million-names": json.dumps({"weight_map": {f"a{i}": "x.safetensors" for i in range(1_000_000)}}),
        "of-a-hundred-thousand-files": json.dumps({"weight_map": {f"a{i}": f"{i}.safetensors" for i in range(100_000)}}),
        "of-a-list": "[]", "of-no-map": "{}", "of-a-map-of-numbers": '{"weight_map": {"a": 1}}',
        "of-paths-outside": '{"weight_map": {"a": "../x"}}', "of-whole-paths": '{"weight_map": {"a": "/etc/passwd"}}',
        "of-hidden-files": '{"weight_map": {"a": ".x"}}', "of-itself": '{"weight_map": {"a": "model.safetensors.index.json"}}',
        "of-an-empty-name": '{"weight_map": {"a": ""}}', "of-a-long-name": json.dumps({"weight_map": {"a": "n" * 100_000}}),
        "of-names-with-nul": '{"weight_map": {"a": "x\\u0000y"}}', "of-names-with-escapes": '{"weight_map": {"a": "\\u001b[2J"}}',
        "of-bytes": b'{"weight_map": {"a": "\xff\xfe"}}', "of-spaces": " " * 9_000_000,
        "of-a-long-number": '{"weight_map": ' + "1" * 5_000_000 + "}",
    }.items():
        yield index(name, content, {"x.safetensors": good})


# --- names and kinds of files ---

def strange_files():
    for name, make in STRANGE.items():
        for file in ("weights.pt", "weights.safetensors"):
            yield weights(f"file-that-is-{name}-{file[8:]}", make, file)
    for name, path in NAMES.items():
        yield weights(name, None, '"' + path + '"')
        yield weights(f"plan-{name}", None, '"' + path + '"', verb="plan")
    yield weights("plan-of-a-fifo", STRANGE["fifo"], verb="plan")
    yield weights("archive-key-fifo", STRANGE["fifo"], "weights.bin")


# --- folders of runs ---

def of_a_run(name, files, arguments=("run", "recipe.yaml"), exits=ENDS):
    base = {"model.py": MODEL, "data.csv": TABLE, "recipe.yaml": recipe()}
    return Case(f"weights/run-{name}", {**base, **files}, list(arguments), exits)


def folders():
    step = "runs/r/checkpoints/step-00000001/"
    verbs = {"verify": ["verify", "runs/r"], "run": ["run", "recipe.yaml"], "runs": ["runs", "runs"],
             "report": ["report", "runs/r", "-o", "r.html"], "evaluate": ["evaluate", "runs/r"],
             "export": ["export", "runs/r"], "track": ["track", "runs/r", "--to", "csv"]}
    for verb, arguments in verbs.items():
        for file in ("resolved.yaml", "metrics.jsonl", "evaluations.jsonl", "end.json", "log.txt", "summary.json",
                     step + "manifest.json"):
            path = file if file.startswith("runs/") else f"runs/r/{file}"
            for kind in ("fifo", "dev-zero", "link-to-itself"):
                others = {} if file == "resolved.yaml" else {"runs/r/resolved.yaml": recipe()}
                yield of_a_run(f"{verb}-of-{file.rpartition('/')[2]}-that-is-{kind}", {**others, path: STRANGE[kind]},
                               arguments, MAY_BE_GOOD)
    for name, content in {"empty": b"", "deep": b"[" * 3_000_000, "zeros": bytes(1 << 20), "no-digest": b"{}\n" * 100,
                          "holes": holes(3 << 30), "socket": STRANGE["socket"]}.items():
        for verb in ("verify", "run", "export"):
            yield of_a_run(f"{verb}-of-a-manifest-of-{name}", {"runs/r/resolved.yaml": recipe(), step + "manifest.json": content},
                           verbs[verb], MAY_BE_GOOD)
    for kind in ("fifo", "dev-zero", "link-to-itself", "folder", "socket"):
        yield of_a_run(f"of-a-model-that-is-{kind}", {"model.py": STRANGE[kind]})
        yield of_a_run(f"lint-of-a-model-that-is-{kind}", {"model.py": STRANGE[kind]}, ("lint", "recipe.yaml"))


def cases():
    for made in (repeated_pickles, lying_pickles, lying_tensors, archives, safetensors_files, indexes, strange_files, folders):
        yield from made()
