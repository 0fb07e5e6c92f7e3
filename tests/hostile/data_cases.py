"""Files of data that a stranger made to hurt whoever reads them."""

import gzip
import json
import os
import struct
import zipfile
import zlib

from case import Case
from strange_files import MODEL, NAMES, STRANGE, TABLE, holes, later, number, recipe, tar_of, zipped

ENDS = frozenset({2, 3, 5, 7})
MAY_BE_GOOD = ENDS | {0}
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def data(name, block, files, verb="run", exits=ENDS, arguments=None, text=None):
    every = {"model.py": MODEL, "data.csv": TABLE, "recipe.yaml": text or recipe(block), **files}
    # What is unpacked stays in the cache, which is no place outside.
    return Case(f"data/{name}", every, arguments or [verb, "recipe.yaml"], exits, {"KNEAD_HOME": "cache"})


# How each kind of set names its file: kind -> block of the recipe, name of the file.
KINDS = {
    "csv": ('{type: csv, path: "FILE", fields: {x: "0:2", y: {columns: 2, dtype: int64}}}', "d.csv"),
    "npy": ('{type: npy, fields: {x: "FILE", y: good.npy}}', "d.npy"),
    "npz": ('{type: npz, path: "FILE", fields: {x: x, y: y}}', "d.npz"),
    "idx": ('{type: idx, fields: {x: "FILE", y: good.idx}}', "d.idx"),
    "safetensors": ('{type: safetensors, path: "FILE", fields: {x: x, y: y}}', "d.safetensors"),
    "jsonl": ('{type: jsonl, path: "FILE", fields: {x: x, y: {key: y, dtype: int64}}}', "d.jsonl"),
    "image-list": ('{type: images, path: "FILE"}', "d.csv"),
    "text": ('{type: text, path: "FILE", context: 8}', "d.txt"),
    "text-of-bytes": ('{type: text, path: "FILE", context: 8, tokenizer: bytes}', "d.txt"),
    "tokenizer": ('{type: text, path: t.txt, context: 8, tokenizer: {type: bpe, file: "FILE"}}', "d.json"),
    "ranks": ('{type: text, path: t.txt, context: 8, tokenizer: {type: bpe, file: "FILE", split: gpt2}}', "d.ranks"),
    "tokens": ('{type: tokens, path: "FILE", context: 8, vocabulary: 100}', "d.bin"),
    "llm-c": ('{type: tokens, path: "FILE", context: 8, header: llm.c}', "d.bin"),
    "megatron": ('{type: tokens, path: d.bin, context: 8, header: megatron}', "d.idx"),
    "tar": ('{type: tar, path: "FILE", fields: {x: npy, y: cls}}', "d.tar"),
}
# A text of bytes is any bytes.
ANY_BYTES = {"zeros", "five-gigabytes-of-holes", "dev-zero"}


def of_kind(name, kind, content, file=None, beside=None, **more):
    block, usual = KINDS[kind]
    file = file or usual
    files = {"good.npy": npy((2,), "<i8", bytes(16)), "good.idx": idx((2,), bytes(2)), "t.txt": "some text to read\n" * 20,
             **(beside or {})}
    if kind == "megatron":
        files["d.bin"] = bytes(1000)
    if content is not None:
        files[file] = content
    block = block.replace("FILE", file)
    is_text = kind in ("text", "text-of-bytes", "tokenizer", "ranks", "tokens", "llm-c", "megatron")
    text = recipe(block).replace("target: y", "target: targets" if is_text else "target: label" if "images" in block else "target: y")
    return data(name, block, files, text=text, **more)


def strange_files():
    for kind in KINDS:
        for name, make in STRANGE.items():
            exits = MAY_BE_GOOD if kind in ("text", "text-of-bytes", "tokens") else ENDS
            yield of_kind(f"{kind}-that-is-{name}", kind, make, exits=exits)
        for name, path in NAMES.items():
            yield of_kind(f"{kind}-of-a-{name}", kind, None, path)


# --- arrays ---

def npy(shape, kind="<f4", values=b"", order=False, header=None, version=1):
    text = header or "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }" % (kind, order, "".join(f"{n}, " for n in shape))
    raw = text if isinstance(text, bytes) else text.encode()
    return b"\x93NUMPY" + bytes([version, 0]) + (number("H", len(raw)) if version == 1 else number("I", len(raw))) + raw + values


def idx(shape, values=b"", kind=8):
    return bytes([0, 0, kind, len(shape)]) + b"".join(struct.pack(">I", n) for n in shape) + values


def arrays():
    big = 4_000_000_000
    for name, content in {
        "says-four-gigabytes": npy((big,), "|u1"), "says-more-than-memory": npy((2**62, 2**62)),
        "says-a-negative-shape": npy((-1, -2)), "has-a-thousand-dimensions": npy((1,) * 1000, values=bytes(4)),
        "has-an-empty-dimension": npy((2, 0, 2**60)), "has-records": npy((), header="{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }"),
        "has-objects": npy((2,), "|O", bytes(16)), "has-texts": npy((2,), "<U8", bytes(64)), "has-dates": npy((2,), "<M8[s]", bytes(16)),
        "has-a-deep-header": npy((), header="{" + "(" * 60_000), "has-a-header-of-code": npy((), header="__import__('os').system('touch ../outside/victim')"),
        "has-no-header": b"\x93NUMPY\x01\x00", "has-a-long-header": npy((), header=b"{" + b" " * 9_000_000, version=2),
        "has-a-lying-header": b"\x93NUMPY\x02\x00\xff\xff\xff\xff", "has-keys-twice": npy((), header="{'descr': '<f4', 'descr': '<f4'}"),
        "has-a-long-number": npy((), header="{'descr': '<f4', 'fortran_order': False, 'shape': (" + "9" * 50_000 + ",), }"),
        "has-escapes": npy((), header="{'\x1b[2J': 1}"), "has-version-9": npy((2, 2), version=9),
        "has-samples-of-four-gigabytes": holes(4 * big + 128, npy((1, big))[:128].ljust(128)),
        "is-fortran": npy((2, 2**31), "|u1", order=True), "is-big-endian": npy((3, 2), ">f4", bytes(24)),
    }.items():
        yield of_kind(f"npy-that-{name}", "npy", content)
    head = npy((3, 1_300_000_000), "|u1")
    yield of_kind("npy-of-holes-with-samples-of-a-gigabyte", "npy", holes(len(head) + 3_900_000_000, head))
    head = npy((2, 1_900_000_000), "|u1", order=True)
    yield of_kind("npy-of-holes-in-fortran-order", "npy", holes(len(head) + 3_800_000_000, head))
    head = npy((4_000_000_000, 1), "|u1")
    yield of_kind("npy-of-holes-with-four-billion-samples", "npy", holes(len(head) + 4_000_000_000, head))
    for name, content in {
        "says-four-gigabytes": idx((big // 4, 4)), "says-more-than-memory": idx((2**32 - 1,) * 4), "of-255-dimensions": idx((1,) * 255, bytes(1)),
        "of-no-dimensions": idx(()), "of-an-unknown-type": idx((2, 2), bytes(4), 0x77), "cut-in-its-header": b"\0\0\x08\xff\0\0",
        "with-more-behind": idx((2, 2), bytes(5000)),
    }.items():
        yield of_kind(f"idx-{name}", "idx", content)
        yield of_kind(f"idx-packed-{name}", "idx", gzip.compress(content))
    for size in (1_000_000_000, 3_000_000_000):
        yield of_kind(f"idx-of-{size}-zeros-packed", "idx", later(lambda n=size: packed_zeros(idx((n // 4, 4)), n)), "d.gz")
    yield of_kind("idx-packed-twice", "idx", gzip.compress(gzip.compress(idx((2, 2), bytes(4)))))
    yield of_kind("idx-packed-in-ten-thousand-members", "idx", gzip.compress(b"") * 100_000)
    yield of_kind("idx-packed-and-cut", "idx", gzip.compress(idx((2, 2), bytes(4)))[:-9])
    yield of_kind("idx-packed-with-a-name-without-end", "idx", b"\x1f\x8b\x08\x08" + bytes(6) + b"n" * 5_000_000)


def packed_zeros(head, size):
    """gzip of `head` and `size` zeros, made of one part that is repeated."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    out = [packer.compress(head)]
    zeros = bytes(1 << 24)
    for _ in range(size >> 24):
        out.append(packer.compress(zeros))
    out += [packer.compress(bytes(size % (1 << 24))), packer.flush()]
    return b"".join(out)


def npz_of_zeros(size, said=None):
    """An archive whose member x is an array of `size` zeros, deflated."""
    head = npy((size // 4, 4), "|u1")
    packed = packed_zeros(head, size)[10:-8]  # without gzip's own frame
    crc = zlib.crc32(head)
    for _ in range(size >> 24):
        crc = zlib.crc32(bytes(1 << 24), crc)
    crc = zlib.crc32(bytes(size % (1 << 24)), crc)
    whole = said or size + len(head)
    fields = number("HHHIIIHH", 0, 8, 0, crc, len(packed), whole & 0xffffffff, 5, 0)
    local = b"PK\3\4\x14\0" + fields + b"x.npy" + packed
    entry = b"PK\1\2\x14\0\x14\0" + fields + number("HHHII", 0, 0, 0, 0, 0) + b"x.npy"
    return local + entry + b"PK\5\6" + number("HHHHIIH", 0, 0, 1, 1, len(entry), len(local), 0)


def archives():
    good = {"x.npy": npy((2, 2), values=bytes(16)), "y.npy": npy((2,), "<i8", bytes(16))}
    for size in (1_000_000_000, 3_000_000_000, 4_200_000_000):
        yield of_kind(f"npz-of-{size}-zeros", "npz", later(lambda n=size: npz_of_zeros(n)))
    yield of_kind("npz-that-says-less-than-it-holds", "npz", later(lambda: npz_of_zeros(500_000_000, 1000)))
    yield of_kind("npz-that-says-more-than-it-holds", "npz", later(lambda: npz_of_zeros(1000, 4_000_000_000)))
    yield of_kind("npz-without-the-array", "npz", zipped({"z.npy": good["x.npy"]}))
    yield of_kind("npz-of-many-arrays", "npz", later(lambda: zipped({f"a{i}.npy": b"" for i in range(60_000)})))
    yield of_kind("npz-of-long-names", "npz", later(lambda: zipped({f"{i}" + "n" * 60_000: b"" for i in range(300)})))
    yield of_kind("npz-of-names-with-escapes", "npz", zipped({"\x1b[2J\x1b]0;t\x07.npy": b""}))
    yield of_kind("npz-of-arrays-that-lie", "npz", zipped({**good, "x.npy": npy((1_000_000_000, 4))}))
    yield of_kind("npz-of-arrays-of-code", "npz", zipped({**good, "x.npy": npy((2,), "|O", b"\x80\x02cos\nsystem\n.")}))
    yield of_kind("npz-packed-by-bzip2", "npz", zipped(good, zipfile.ZIP_BZIP2))
    yield of_kind("npz-packed-by-lzma", "npz", zipped(good, zipfile.ZIP_LZMA))
    archive = zipped(good, zipfile.ZIP_DEFLATED)
    for at in range(0, len(archive), max(1, len(archive) // 20)):
        yield of_kind(f"npz-with-byte-{at}-turned", "npz", archive[:at] + bytes([archive[at] ^ 0xff]) + archive[at + 1:],
                      exits=MAY_BE_GOOD)
    # Two entries of the directory that are one member: the same bytes are unpacked again and again.
    yield of_kind("npz-of-one-member-under-two-names", "npz",
                  later(lambda: npz_of_zeros(200_000_000).replace(b"x.npy", b"y.npy", 1)))


# --- tables ---

# Strange, but within all limits.
HARMLESS = {"a-header-of-a-megabyte", "a-million-keys"}

def tables():
    for name, content in {
        "one-line-of-40-megabytes": later(lambda: b"1" * 40_000_000),
        "one-quote-that-never-ends": later(lambda: b'"' + b"x" * 40_000_000),
        "ten-million-columns": later(lambda: b"1," * 10_000_000 + b"1\n"),
        "ten-million-empty-columns": later(lambda: b"," * 10_000_000),
        "three-million-columns-in-quotes": later(lambda: b'"",' * 3_000_000),
        "a-line-of-holes": holes(1_100_000_000, b"1,2,0\n"), "only-line-ends": later(lambda: b"\n" * 20_000_000),
        "only-carriage-returns": b"\r" * 1_000_000, "half-a-code-point": b"1,2,0\n\xff\xfe,2,0\n",
        "utf-16": "1,2,0\n".encode("utf-16"), "nul": b"1,2,0\n\0,2,0\n", "escapes": b"1,2,0\n\x1b[2J\x1b]0;t\x07,2,0\n",
        "a-number-of-a-million-digits": b"1" * 1_000_000 + b",2,0\n", "a-cell-of-a-megabyte": b"1,2," + b"x" * 1_000_000 + b"\n",
        "a-huge-number": b"1e400,2,0\n", "a-huge-exponent": b"1e" + b"9" * 100_000 + b",2,0\n", "infinity": b"inf,nan,0\n",
        "labels-below-zero": b"1,2,-5\n3,4,-9223372036854775808\n", "labels-beyond": b"1,2,9223372036854775807\n3,4,5\n",
        "rows-of-other-widths": b"1,2,0\n" * 1000 + b"1,2\n", "quotes-in-quotes": b'"' * 999_999 + b",2,0\n",
        "a-header-of-a-megabyte": b"a" * 1_000_000 + b",b,c\n1,2,0\n", "a-header-with-escapes": b"\x1b[2J,b,c\n1,2\n",
        "formulas": b"=cmd|' /C calc'!A0,2,0\n",
    }.items():
        yield of_kind(f"csv-of-{name}", "csv", content, exits=MAY_BE_GOOD if name in HARMLESS else ENDS)
    yield data("csv-with-a-column-beyond", '{type: csv, path: data.csv, fields: {x: "0:2000000000", y: 2}}', {})
    yield data("csv-with-a-name-of-a-megabyte", '{type: csv, path: data.csv, fields: {x: "' + "n" * 900_000 + '", y: 2}}', {})
    for name, content in {
        "one-line-of-40-megabytes": later(lambda: b'{"x": "' + b"a" * 40_000_000 + b'"}'),
        "one-line-of-many-lists": later(lambda: b'{"x": [' + b"[]," * 12_000_000 + b'[]]}'),
        "one-line-of-many-numbers": later(lambda: b'{"x": [' + b"0," * 15_000_000 + b'0], "y": 0}'),
        "deep-lists": b'{"x": ' + b"[" * 1_000_000, "deep-lists-that-close": b'{"x": ' + b"[" * 1000 + b"]" * 1000 + b', "y": 0}',
        "deep-objects": b'{"x": ' * 1_000_000, "deep-keys": b'{"x":' * 1000 + b"0" + b"}" * 1000,
        "ten-million-braces": b"{" * 10_000_000, "holes": holes(3 << 30, b'{"x": [1, 2], "y": 0}\n'),
        "keys-twice": b'{"x": [1,2], "x": [1,2], "y": 0}\n', "a-million-keys": later(lambda: (
            '{"x": [1,2], "y": 0,' + ",".join(f'"{i}":0' for i in range(1_000_000)) + "}").encode()),
        "a-huge-number": b'{"x": [1e400, 2], "y": 0}', "a-long-number": b'{"x": [' + b"1" * 1_000_000 + b', 2], "y": 0}',
        "half-a-surrogate": b'{"x": "\\ud800", "y": 0}', "not-utf-8": b'{"x": "\xff\xfe", "y": 0}', "escapes": b'{"x": "\\u001b[2J", "y": 0}',
        "raw-escapes": b'{"x": "\x1b[2J", "y": 0}', "ragged-lists": b'{"x": [[1],[2,3]], "y": 0}\n', "nul": b'{"x": \0}',
        "an-empty-object": b"{}\n" * 1000, "a-list": b"[1,2]\n", "only-line-ends": later(lambda: b"\n" * 20_000_000),
        "a-key-with-escapes": b'{"\\u001b[2J": 1, "\\u001b[2J": 1}\n', "other-lengths": b'{"x": [1,2], "y": 0}\n{"x": [1,2,3], "y": 0}\n',
    }.items():
        yield of_kind(f"jsonl-of-{name}", "jsonl", content, exits=MAY_BE_GOOD if name in HARMLESS else ENDS)


# --- images ---

def png(width, height, rows=None, kind=2, depth=8, extra=b"", interlace=0):
    def chunk(word, content):
        return struct.pack(">I", len(content)) + word + content + struct.pack(">I", zlib.crc32(word + content))
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlace)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", rows or b"") + chunk(b"IEND", b"")


def white(width, height, channels=3, bits=8):
    """The packed rows of a picture of zeros."""
    packer = zlib.compressobj(9)
    row = bytes(1 + (width * channels * bits + 7) // 8)
    many = max(1, (1 << 22) // len(row))
    out = [packer.compress(row * min(many, height - done)) for done in range(0, height, many)]
    return b"".join(out) + packer.flush()


def text_chunk(word, content):
    return struct.pack(">I", len(content)) + word + content + struct.pack(">I", zlib.crc32(word + content))


def segment(mark, content):
    return b"\xff" + bytes([mark]) + struct.pack(">H", len(content) + 2) + content


def progressive(width, height, scans, components=1):
    """A progressive JPEG whose scans hold next to nothing."""
    table = bytes([1] + [0] * 15 + [0])  # one code, of one bit
    frame = struct.pack(">BHHB", 8, height, width, components) + b"".join(bytes([i + 1, 0x11, 0]) for i in range(components))
    out = [b"\xff\xd8", segment(0xdb, bytes([0]) + bytes([1] * 64)), segment(0xc2, frame),
           segment(0xc4, bytes([0]) + table), segment(0xc4, bytes([0x10]) + table)]
    first = bytes([components]) + b"".join(bytes([i + 1, 0]) for i in range(components)) + bytes([0, 0, 0])
    out += [segment(0xda, first), bytes(-(-width // 8) * -(-height // 8) * components // 8 + 1)]
    for number_of_it in range(scans):
        low = 1 + number_of_it % 63
        out += [segment(0xda, bytes([1, 1, 0, low, low, 0])), bytes(-(-width // 8) * -(-height // 8) // 8 + 1 if scans < 50 else 180)]
    return b"".join(out) + b"\xff\xd9"


def images():
    jpeg = open(os.path.join(ROOT, "tests/fuzz/arrays/colour_jpg"), "rb").read()[1:]
    slow = open(os.path.join(ROOT, "tests/fuzz/arrays/progressive_jpg"), "rb").read()[1:]
    good = png(2, 2, zlib.compress(bytes(14)))
    pictures = {
        "png-of-a-hundred-million-pixels": later(lambda: png(10_000, 10_000, white(10_000, 10_000))),
        "png-a-hundred-thousand-pixels-high": later(lambda: png(1000, 100_000, white(1000, 100_000))),
        "png-a-million-pixels-high": later(lambda: png(90, 1_000_000, white(90, 1_000_000))),
        "png-a-million-pixels-wide": later(lambda: png(1_000_000, 90, white(1_000_000, 90))),
        "png-of-bits-a-hundred-million": later(lambda: png(10_000, 9_999, white(10_000, 9_999, 1, 1), 0, 1)),
        "png-interlaced-of-90-million": later(lambda: png(9_500, 9_500, white(9_500, 9_500), interlace=1)),
        "png-that-says-four-billion": png(2**31 - 1, 2**31 - 1), "png-that-says-nothing": png(0, 0), "png-without-rows": png(1000, 1000),
        "png-of-negative-sizes": png(2**32 - 1, 2), "png-of-rows-without-end": later(lambda: png(2, 2, packed_zeros(b"", 500_000_000)[10:])),
        "png-of-a-bomb-of-a-profile": later(lambda: png(2, 2, zlib.compress(bytes(14)), extra=text_chunk(
            b"iCCP", b"p\0\0" + zlib.compress(bytes(300_000_000), 9)))),
        "png-of-a-bomb-of-a-text": later(lambda: png(2, 2, zlib.compress(bytes(14)), extra=text_chunk(
            b"zTXt", b"t\0\0" + zlib.compress(bytes(300_000_000), 9)))),
        "png-of-a-bomb-of-a-wide-text": later(lambda: png(2, 2, zlib.compress(bytes(14)), extra=text_chunk(
            b"iTXt", b"t\0\1\0\0\0" + zlib.compress(bytes(300_000_000), 9)))),
        "png-of-a-hundred-thousand-texts": png(2, 2, zlib.compress(bytes(14)), extra=text_chunk(b"tEXt", b"k\0v") * 100_000),
        "png-of-a-thousand-bombs-of-texts": later(lambda: png(2, 2, zlib.compress(bytes(14)), extra=text_chunk(
            b"zTXt", b"t\0\0" + zlib.compress(bytes(7_000_000), 9)) * 900)),
        "png-of-a-wrong-sum": good[:-6] + b"xx" + good[-4:], "png-cut-in-half": good[:len(good) // 2],
        "png-of-an-unknown-chunk": png(2, 2, zlib.compress(bytes(14)), extra=text_chunk(b"ABCD", b"x")),
        "png-of-a-lying-chunk": good[:33] + b"\xff\xff\xff\xffIDAT", "png-of-two-headers": good[:33] + good[8:],
        "png-of-a-palette-that-lies": png(2, 2, zlib.compress(b"\0\xff\xff" * 2), 3),
        "jpeg-of-a-thousand-scans": later(lambda: progressive(4096, 4096, 1000)), "jpeg-of-a-thousand-scans-in-colours": later(lambda: progressive(3000, 3000, 1000, 3)),
        "jpeg-of-ten-thousand-small-scans": later(lambda: progressive(500, 500, 10_000)), "jpeg-of-twenty-large-scans": later(lambda: progressive(20_000, 5000, 20, 3)),
        "jpeg-as-large-as-can-be": later(lambda: progressive(65_500, 65_500, 2)), "jpeg-65-thousand-high": later(lambda: progressive(1500, 65_500, 30)),
        "jpeg-65-thousand-wide": later(lambda: progressive(65_500, 1500, 30)), "jpeg-cut-in-half": jpeg[:len(jpeg) // 2],
        "jpeg-of-no-size": jpeg.replace(b"\xff\xc0\x00\x11\x08", b"\xff\xc0\x00\x11\x08\0\0\0\0", 1),
        "jpeg-of-marks-alone": b"\xff\xd8" + b"\xff" * 5_000_000, "jpeg-of-comments": b"\xff\xd8" + segment(0xfe, b"x" * 60_000) * 300,
        "jpeg-of-tables": b"\xff\xd8" + segment(0xc4, bytes([0] + [0] * 16)) * 200_000,
        "jpeg-of-an-unknown-frame": jpeg.replace(b"\xff\xc0", b"\xff\xc9", 1), "jpeg-without-a-frame": b"\xff\xd8\xff\xd9",
        "jpeg-of-restarts": b"\xff\xd8" + b"\xff\xd0" * 1_000_000, "jpeg-of-many-pictures": jpeg[:-2] + jpeg * 100,
        "jpeg-of-a-lossless-frame": jpeg.replace(b"\xff\xc0", b"\xff\xc3", 1),
        "gif": b"GIF89a" + bytes(100), "svg": b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>", "nothing": b"", "zeros": bytes(1_000_000),
        "holes": holes(3 << 30, good), "fifo": STRANGE["fifo"], "dev-zero": STRANGE["dev-zero"], "socket": STRANGE["socket"],
        "link-to-itself": STRANGE["link-to-itself"], "loop-of-two-links": STRANGE["loop-of-two-links"], "folder": STRANGE["folder"],
        "dev-random": STRANGE["dev-random"],
    }
    for at in range(0, len(slow), max(1, len(slow) // 12)):
        pictures[f"jpeg-with-byte-{at}-turned"] = slow[:at] + bytes([slow[at] ^ 0xff]) + slow[at + 1:]
    for name, content in pictures.items():
        yield picture(name, content, "size: [1, 2]")
    for name in ("png-a-hundred-thousand-pixels-high", "png-of-a-hundred-million-pixels", "jpeg-as-large-as-can-be",
                 "jpeg-of-a-thousand-scans", "png-that-says-four-billion", "fifo", "holes"):
        yield picture(f"{name}-as-it-is", pictures[name], "")
    for name, content in {"of-names-outside": "../../outside/victim,a\n", "of-devices": "/dev/zero,a\n/dev/zero,b\n", "of-itself": "list.csv,a\n",
                          "of-long-names": "n" * 5000 + ",a\n", "of-names-with-escapes": "\x1b[2J\x1b]0;t\x07,a\n", "of-nul": "a\0b,a\n",
                          "of-a-million-files": "p.png,a\n" * 1_000_000, "of-a-long-label": "p.png," + "l" * 1_000_000 + "\nq.png,b\n",
                          "of-a-million-labels": later(lambda: "".join(f"p.png,l{i}\n" for i in range(1_000_000)).encode())}.items():
        yield image_set(f"list-{name}", '{type: images, path: list.csv, size: [1, 2]}', {"list.csv": content, "p.png": b"no picture"})

    def loop(path):
        os.makedirs(path / "a")
        os.symlink("..", path / "a" / "b")

    def deep(path):
        here = os.getcwd()
        path.mkdir()
        os.chdir(path)
        for _ in range(600):
            os.mkdir("d" * 20)
            os.chdir("d" * 20)
        os.chdir(here)

    def many_links(path):
        """Folders that each hold two links to the next: 2^30 paths."""
        path.mkdir()
        for i in range(30):
            (path / f"f{i}").mkdir()
        for i in range(29):
            os.symlink(f"../f{i + 1}", path / f"f{i}" / "a")
            os.symlink(f"../f{i + 1}", path / f"f{i}" / "b")

    for name, make in {"that-lead-back": loop, "that-double": many_links, "that-are-600-deep": deep, "that-are-empty": lambda p: p.mkdir()}.items():
        yield image_set(f"folders-{name}", '{type: images, path: pics, size: [1, 2]}', {"pics": make})


def image_set(name, block, files):
    text = recipe(block).replace("target: y", "target: label").replace("batch: 2", "batch: 1")
    return data(f"images-{name}", block, files, text=text)


def picture(name, content, size):
    ending = "jpg" if name.startswith("jpeg") else "png"
    block = "{type: images, path: pics, " + (size + ", " if size else "") + "channels: 1}"
    return image_set(name, block, {f"pics/a/p.{ending}": content, f"pics/b/p.{ending}": content})


# --- archives of samples ---

def head(name=b"s.npy", size=b"00000000010\0", kind=b"0", magic=b"ustar\x0000", prefix=b""):
    block = bytearray(512)
    for at, value in ((0, name), (100, b"0000644\0"), (124, size), (136, b"00000000000\0"), (156, kind), (257, magic), (345, prefix)):
        block[at:at + len(value)] = value
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def tars():
    one = ("s.npy", npy((2,), values=bytes(8))), ("s.cls", b"0")
    good = tar_of([*one, ("t.npy", npy((2,), values=bytes(8))), ("t.cls", b"1")])
    for name, content in {
        "that-says-a-file-of-8-gigabytes": head(size=b"77777777777\0") + bytes(1024), "that-says-more-than-memory": head(size=b"\x80" + b"\xff" * 11) + bytes(1024),
        "that-says-less-than-nothing": head(size=b"\xff" * 12) + bytes(1024), "that-says-no-number": head(size=b"zzzzzzzzzzz\0") + bytes(1024),
        "of-a-long-name": head(b"././@LongLink", b"77777777777\0", b"L") + bytes(1024),
        "of-a-name-of-4-megabytes": head(b"././@LongLink", b"%011o\0" % 4_194_304, b"L") + b"n" * 4_194_304 + good,
        "of-names-of-names": (head(b"././@LongLink", b"%011o\0" % 512, b"L") + b"n" * 512) * 20_000,
        "of-a-record-that-lies": head(b"x", b"%011o\0" % 512, b"x") + b"999999999 path=a\n".ljust(512, b"\0") + good,
        "of-a-record-of-a-size": head(b"x", b"%011o\0" % 512, b"x") + b"28 size=9223372036854775807\n".ljust(512, b"\0") + good,
        "of-a-record-below-zero": head(b"x", b"%011o\0" % 512, b"x") + b"11 size=-1\n".ljust(512, b"\0") + good,
        "of-records-of-nothing": (head(b"x", b"%011o\0" % 512, b"x") + b"0 =\n".ljust(512, b"\0")) * 20_000,
        "of-a-sparse-file": head(kind=b"S") + bytes(1024), "of-links": (head(b"l", kind=b"2") + b"") * 100_000 + bytes(1024),
        "of-devices": head(b"s.npy", kind=b"3") * 1000 + bytes(1024), "of-names-outside": tar_of([("../../outside/victim.npy", b"x"), ("../../outside/victim.cls", b"0")]),
        "of-names-with-escapes": tar_of([("\x1b[2J.npy", b"x"), ("\x1b[2J.cls", b"0")]), "without-its-end": good[:2100],
        "of-a-wrong-sum": good[:148] + b"000000\0 " + good[156:], "of-holes": holes(3 << 30, good[:4096]),
        "of-arrays-that-lie": tar_of([("s.npy", npy((10**9, 2))), ("s.cls", b"0")]), "of-words": tar_of([("s.npy", one[0][1]), ("s.cls", b"x" * 1_000_000)]),
        "of-two-hundred-thousand-files": later(lambda: b"".join(head(b"%d.txt" % i, b"00000000000\0") for i in range(200_000)) + bytes(1024)),
        "of-one-name-a-hundred-thousand-times": later(lambda: (head(b"s.npy", b"00000000000\0")) * 100_000 + bytes(1024)),
        "of-an-array-of-a-gigabyte": holes(1_300_000_000, head(b"s.npy", b"%011o\0" % 1_200_000_128) + npy((2, 600_000_000), "|u1").ljust(128)[:128]),
    }.items():
        yield of_kind(f"tar-{name}", "tar", content, exits=MAY_BE_GOOD if name == "of-holes" else ENDS)
    for name, content in {
        "of-a-gigabyte-of-zeros": later(lambda: packed_zeros(good[:512], 1_000_000_000)), "of-four-gigabytes-of-zeros": later(lambda: packed_zeros(good[:512], 4_000_000_000)),
        "of-four-gigabytes-of-an-array": later(lambda: packed_zeros(head(b"s.npy", b"\x80" + bytes(3) + struct.pack(">Q", 4_000_000_000)), 4_000_000_000)),
        "of-a-tar-in-a-tar": gzip.compress(gzip.compress(good)), "of-a-hundred-thousand-members": gzip.compress(b"") * 100_000,
        "that-is-cut": gzip.compress(good)[:-20], "of-noise": b"\x1f\x8b" + bytes(range(256)) * 1000, "of-a-wrong-sum": gzip.compress(good)[:-8] + bytes(8),
        "of-an-endless-name": b"\x1f\x8b\x08\x08" + bytes(6) + b"n" * 9_000_000, "of-nothing": gzip.compress(b""),
    }.items():
        yield of_kind(f"tar-packed-by-gzip-{name}", "tar", content, "d.tar.gz")
    block = b"\x28\xb5\x2f\xfd"
    zeros = number("I", (1 << 3 | 2 | (128 << 10) << 3) & 0xffffff)[:3]
    for name, content in {
        "of-a-window-of-a-terabyte": block + b"\x00\xff" + bytes(1000), "of-a-window-of-128-megabytes": block + b"\x00\x88" + bytes(1000),
        "that-says-exabytes": block + b"\xe0" + b"\xff" * 8 + bytes(100), "of-a-dictionary": block + b"\x03\x58\x01\x02\x03\x04" + bytes(100),
        "of-skipped-frames": (b"\x50\x2a\x4d\x18" + number("I", 0)) * 500_000, "of-a-skipped-frame-that-lies": b"\x50\x2a\x4d\x18\xff\xff\xff\xff",
        "of-empty-frames": (block + b"\x20\x00\x01\x00\x00") * 300_000, "of-runs-of-one-byte": later(lambda: block + b"\x00\x58" + (number("I", 2 | (128 << 10) << 3)[:3] + b"\0") * 20_000 + b"\x01\0\0"),
        "of-runs-behind-a-header": later(lambda: block + b"\x00\x58" + number("I", 512 << 3)[:3] + good[:512] + (number("I", 2 | (128 << 10) << 3)[:3] + b"\0") * 40_000 + b"\x01\0\0"),
        "that-is-cut": block + b"\x00\x58", "of-noise": block + bytes(range(256)) * 100,
    }.items():
        yield of_kind(f"tar-packed-by-zstd-{name}", "tar", content, "d.tar.zst")
    for ending, start in {"bz2": b"BZh91AY&SY", "xz": b"\xfd7zXZ\0", "lz4": b"\x04\x22\x4d\x18", "Z": b"\x1f\x9d\x90", "7z": b"7z\xbc\xaf\x27\x1c", "parquet": b"PAR1", "arrow": b"ARROW1\0\0"}.items():
        yield of_kind(f"tar-that-is-{ending}", "tar", start + bytes(5000), f"d.tar.{ending}")
        for kind in ("csv", "npy", "jsonl"):
            yield of_kind(f"{kind}-that-is-{ending}", kind, start + bytes(5000))
    for ending, content in {"json": b"[" * 1_000_000, "npy": npy((2**40,)), "cls": b"9" * 1_000_000, "txt": b"\x1b[2J", "jpg": progressive(4096, 4096, 600),
                            "png": png(2**31 - 1, 2**31 - 1)}.items():
        yield data(f"tar-of-a-hostile-{ending}", f"{{type: tar, path: d.tar, fields: {{x: {ending}, y: cls}}}}",
                   {"d.tar": tar_of([(f"s.{ending}", content)] + ([] if ending == "cls" else [("s.cls", b"0")]))})


# --- text and tokens ---

def tokenizer(**parts):
    letters = {chr(c): i for i, c in enumerate(range(33, 127))} | {"Ġ": 94, "Ċ": 95}
    whole = {"version": "1.0", "model": {"type": "BPE", "vocab": letters, "merges": []},
             "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}}
    model = parts.pop("model", {})
    return json.dumps({**whole, **parts, "model": {**whole["model"], **model}})


def split(pattern, behaviour="Isolated", invert=False):
    level = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}
    one = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behaviour, "invert": invert}
    return {"type": "Sequence", "pretokenizers": [one, level]}


def tokenizers():
    a = "a" * 3000 + "!\n"
    for name, pattern in {
        "nested-pluses": "(a+)+$", "nested-stars": "(a*)*b", "pairs": "(a|aa)+$", "same-alternatives": "(a|a)*b", "three-plus": "a*a*a*a*a*a*b",
        "many-optional": "(a?){60}a{60}", "look-ahead": "(?=(a+))a*b", "look-ahead-of-pluses": "(?=(a+)+b)a", "dots": "(.*)(.*)(.*)(.*)(.*)x", "words": "(\\w+\\s?)+x",
        "counted": "(a{1,300}){1,300}b", "lazy": "(a+?)+?b", "back": "(?<=a)(a+)+b", "nothing": "(?:)*x", "empty": "", "deep-groups": "(" * 2000 + "a" + ")" * 2000,
        "huge-count": "a{65000}", "counts-of-counts": "((a{1000}){1000}){1000}", "alternatives": "|".join("a" * i + "b" for i in range(1, 1500)),
        "classes": "[" + "a-z" * 10_000 + "]", "open": "(((", "escapes": "\\p{Strange}", "recursion": "(a(?R)?b)", "conditions": "(?(1)a|b)", "calls": "(?C1)a",
    }.items():
        for text, content in (("of-one-letter", a), ("of-words", "some words and more of them " * 4000)):
            yield of_kind(f"tokenizer-pattern-of-{name}-on-text-{text}", "tokenizer", tokenizer(pre_tokenizer=split(pattern)), "t.json",
                          {"t.txt": content}, exits=MAY_BE_GOOD)
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    added = lambda words, **more: [{"id": 1000 + i, "content": word, **plain, **more} for i, word in enumerate(words)]
    lower = {"type": "Lowercase"}
    for name, parts in {
        "a-hundred-thousand-added-tokens": dict(added_tokens=added(f"<{i}>" for i in range(100_000))),
        "added-tokens-of-each-length": dict(added_tokens=added("a" * i for i in range(1, 5000))),
        "added-tokens-of-each-length-that-never-end": dict(added_tokens=added("a" * i + "!" for i in range(1, 4000))),
        "added-tokens-of-a-megabyte": dict(added_tokens=added(["a" * 1_000_000])),
        "added-tokens-of-single-words": dict(added_tokens=added((f"w{i}" for i in range(50_000)), single_word=True)),
        "added-tokens-of-spaces": dict(added_tokens=added([" "], lstrip=True, rstrip=True)),
        "added-tokens-of-nothing": dict(added_tokens=added([""] * 1000)),
        "added-tokens-normalized": dict(added_tokens=added((f"W{i}" for i in range(50_000)), normalized=True), normalizer=lower),
        "a-hundred-thousand-normalizers": dict(normalizer={"type": "Sequence", "normalizers": [lower] * 100_000}),
        "a-hundred-thousand-accents": dict(normalizer={"type": "Sequence", "normalizers": [{"type": "StripAccents"}] * 20_000}),
        "normalizers-that-double": dict(normalizer={"type": "Sequence", "normalizers": [
            {"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}] * 60}),
        "normalizers-that-grow": dict(normalizer={"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "x" * 4000}] * 5000}),
        "normalizers-within-each-other": dict(normalizer=nested({"type": "Sequence"}, "normalizers", lower, 300)),
        "normalizers-of-a-slow-pattern": dict(normalizer={"type": "Replace", "pattern": {"Regex": "(a+)+$"}, "content": "b"}),
        "a-hundred-thousand-pre-tokenizers": dict(pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "Whitespace"}] * 100_000}),
        "pre-tokenizers-within-each-other": dict(pre_tokenizer=nested({"type": "Sequence"}, "pretokenizers", {"type": "Whitespace"}, 300)),
        "pre-tokenizers-that-spell": dict(pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "ByteLevel"}] * 40}),
        "pre-tokenizers-that-prefix": dict(pre_tokenizer={"type": "Sequence", "pretokenizers": [
            {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"}] * 5000}),
        "ten-thousand-patterns": dict(pre_tokenizer={"type": "Sequence", "pretokenizers": [split(f"a{i}")["pretokenizers"][0] for i in range(10_000)]}),
        "a-decoder-without-end": dict(decoder={"type": "Sequence", "decoders": [{"type": "Fuse"}] * 100_000}),
        "a-decoder-within-itself": dict(decoder=nested({"type": "Sequence"}, "decoders", {"type": "Fuse"}, 300)),
        "a-token-of-a-megabyte": dict(model={"vocab": {"a" * 1_000_000: 0}}), "a-token-beyond": dict(model={"vocab": {"a": 10**9}}),
        "a-token-below-zero": dict(model={"vocab": {"a": -1}}), "tokens-that-are-texts": dict(model={"vocab": {"a": "b"}}),
        "the-last-token-of-all": dict(model={"vocab": {"a": 16_777_215}}), "a-million-merges": dict(model={"merges": ["a b"] * 1_000_000}),
        "merges-of-strangers": dict(model={"merges": [["xx", "yy"]]}), "merges-with-escapes": dict(model={"merges": ["\x1b[2J \x1b]0;t\x07"]}),
        "a-prefix-of-a-megabyte": dict(model={"continuing_subword_prefix": "p" * 1_000_000}), "an-unknown-model": dict(model={"type": "\x1b[2J"}),
        "an-unknown-word-of-a-megabyte": dict(model={"unk_token": "u" * 1_000_000}), "an-unknown-normalizer": dict(normalizer={"type": "\x1b[2J" * 1000}),
    }.items():
        for text, content in (("of-one-letter", a), ("of-words", "Some words, and 12 more of them. " * 4000)):
            yield of_kind(f"tokenizer-with-{name}-on-text-{text}", "tokenizer", later(lambda p=parts: tokenizer(**p).encode()), "t.json", {"t.txt": content},
                          exits=MAY_BE_GOOD)
    for name, content in {
        "deep-lists": "[" * 5_000_000, "deep-objects": '{"a":' * 1_000_000, "deep-and-closed": "[" * 2_000_000 + "]" * 2_000_000,
        "lists-of-nothing": "{\"a\":[" + "[]," * 5_000_000 + "[]]}", "numbers-of-nothing": "{\"a\":[" + "0," * 10_000_000 + "0]}", "spaces": " " * 9_000_000,
        "no-model": "{}", "a-model-of-nothing": '{"model": {}}', "a-list": "[]", "a-surrogate": '{"model": "\\ud800"}', "not-text": b'{"model": "\xff"}', "half": tokenizer()[:500],
    }.items():
        yield of_kind(f"tokenizer-of-{name}", "tokenizer", content)
    for name, content in {
        "no-numbers": b"IQ==\n" * 100, "lying-numbers": b"IQ== 99999999999999999999\n", "numbers-below-zero": b"IQ== -1\n", "the-same-twice": b"IQ== 0\nIQ== 1\n",
        "no-base64": b"!!!! 0\n", "one-line": b"I" * 10_000_000, "a-token-of-a-megabyte": b"I" * 1_000_000 + b" 0\n", "escapes": b"\x1b[2J 0\n", "nul": b"\0\0 0\n",
        "only-line-ends": b"\n" * 5_000_000, "gaps": b"IQ== 0\nIg== 16777215\n",
    }.items():
        yield of_kind(f"ranks-of-{name}", "ranks", content)


def nested(step, key, last, depth):
    for _ in range(depth):
        last = {**step, key: [last]}
    return last


def token_files():
    llm = lambda magic, version, count: number("iii", magic, version, count) + bytes(1012)
    for name, content in {
        "a-count-that-lies": llm(20240520, 1, 2_000_000_000) + bytes(100), "a-count-below-zero": llm(20240520, 1, -5), "another-magic": llm(7, 1, 5),
        "another-version": llm(20240520, 99, 5), "questions": llm(20240522, 1, 5), "a-cut-header": llm(20240520, 1, 5)[:100],
        "tokens-beyond": llm(20240801, 7, 25) + b"\xff" * 100,
    }.items():
        yield of_kind(f"llm-c-with-{name}", "llm-c", content, exits=MAY_BE_GOOD)
    megatron = lambda dtype, sequences, documents, rest=b"": b"MMIDIDX\0\0" + number("QBQQ", 1, dtype, sequences, documents) + rest
    for name, content in {
        "sequences-that-lie": megatron(8, 2**60, 2), "documents-that-lie": megatron(8, 1, 2**62), "lengths-that-lie": megatron(8, 1, 1, number("iqq", 2**31 - 1, 0, 0)),
        "lengths-below-zero": megatron(8, 1, 1, number("iqq", -5, 0, 0)), "an-unknown-type": megatron(99, 1, 1), "another-magic": b"MMIDIDZ" + bytes(100),
        "lengths-that-overflow": megatron(5, 4, 1, number("iiii", *([2**31 - 1] * 4)) + bytes(60)), "a-cut-header": megatron(8, 1, 1)[:20],
        "many-empty-sequences": megatron(8, 100_000, 1, bytes(100_000 * 12 + 8)),
    }.items():
        yield of_kind(f"megatron-with-{name}", "megatron", content)
    for name, path in {
        "a-range-of-a-billion": "{000000000..999999999}.bin", "a-range-of-ranges": "{0..9}" * 9 + ".bin", "a-range-of-many-ranges": "{0..0}" * 2000 + ".bin",
        "a-range-back": "{999999999..0}.bin", "a-range-beyond": "{0..99999999999999999999}.bin", "a-range-of-a-hundred-thousand": "{00000..99998}.bin",
        "stars": "*" * 200 + "x", "stars-and-letters": "a*" * 40 + "b", "brackets": "[" * 5000, "questions": "?" * 4000, "stars-of-folders": "*/" * 60 + "x",
        "a-home": "~/x", "nul": "a\\0b",
    }.items():
        yield of_kind(f"tokens-named-by-{name}", "tokens", None, path, {"a" * 200: b"", "aa/aa/aa/x": b""})
    for name, form in {"below-zero": ("int64", number("q", -1) * 100), "beyond": ("int64", number("q", 2**62) * 100), "odd": ("int64", bytes(1001)),
                       "of-ones": ("uint16", b"\xff" * 1000)}.items():
        yield data(f"tokens-{name}", "", {"d.bin": form[1]}, text=recipe(
            f"{{type: tokens, path: d.bin, context: 8, vocabulary: 100, dtype: {form[0]}}}").replace("target: y", "target: targets"))
    for name, content in {"half-a-code-point": b"abc\xe2\x82", "surrogates": b"\xed\xa0\x80" * 100, "nul": b"\0" * 1000, "all-code-points": later(
            lambda: "".join(chr(c) for c in range(1, 0x110000) if not 0xd800 <= c < 0xe000).encode()), "escapes": b"\x1b[2J\x1b]0;t\x07" * 100,
            "one-letter-of-20-megabytes": later(lambda: b"a" * 20_000_000), "holes": holes(3 << 30, b"some text\n")}.items():
        yield of_kind(f"text-of-{name}", "text", content, exits=MAY_BE_GOOD)
        yield of_kind(f"text-for-a-tokenizer-of-{name}", "tokenizer", tokenizer(), "t.json", {"t.txt": content}, exits=MAY_BE_GOOD)
    yield of_kind("text-in-a-hundred-thousand-files", "text", None, "{00000..99998}.txt")


def other_calls():
    for name, make in STRANGE.items():
        yield data(f"import-of-{name}", "", {"theirs": make}, arguments=["import", "theirs"], exits=MAY_BE_GOOD)
        yield data(f"extends-{name}", "", {"base.yaml": make}, text="extends: base.yaml\nname: r\n", verb="lint")
        yield data(f"plan-of-csv-that-is-{name}", KINDS["csv"][0].replace("FILE", "d.csv"), {"d.csv": make}, verb="plan")


def cases():
    for made in (strange_files, arrays, archives, tables, images, tars, tokenizers, token_files, other_calls):
        yield from made()
