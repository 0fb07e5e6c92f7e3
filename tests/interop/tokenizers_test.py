"""Text becomes the same numbers as with the libraries whose files we read: tokenizers and tiktoken, on random Unicode.

usage: tokenizers_test.py ENCODE_TEXT ROOT
"""

import importlib.machinery
import importlib.util
import json
import pathlib
import random
import subprocess
import sys
import tempfile

program, root = sys.argv[1], pathlib.Path(sys.argv[2])

# The recorder knows how to make tokenizers; the texts here are others.
loader = importlib.machinery.SourceFileLoader("record_tokenizers", str(root / "tools/record_tokenizers"))
record = importlib.util.module_from_spec(importlib.util.spec_from_loader("record_tokenizers", loader))
loader.exec_module(record)

# Letters, marks, digits, spaces and symbols whose class all versions of Unicode agree on.
RANGES = [(0x20, 0x7E), (0x20, 0x7E), (0x20, 0x7E), (0xA0, 0xFF), (0x100, 0x17F), (0x300, 0x36F), (0x370, 0x3FF),
          (0x400, 0x4FF), (0x5D0, 0x5EA), (0x620, 0x64A), (0x660, 0x669), (0x900, 0x939), (0x1100, 0x1112),
          (0x2000, 0x200A), (0x2028, 0x2029), (0x2150, 0x2189), (0x3000, 0x3002), (0x3041, 0x3096), (0x4E00, 0x9FA5),
          (0xAC00, 0xD7A3), (0xFB00, 0xFB06), (0xFF21, 0xFF5A), (0x1F300, 0x1F5FF), (0x1D400, 0x1D454), (0, 0x1F)]
WORDS = ["the ", "knead", "dough", "'s", "'LL", " 'Ve", "\r\n", "\n\n", "   ", "\t", "123", "4567", "<|endoftext|>", "<|begin",
         "two ", "...", "//", "!?", "ſ", "\u0085", "\u180e", "\u200b", "\ufeff", "e\u0301", "a"]


def text(chance):
    parts = []
    for _ in range(chance.randrange(1, 40)):
        if chance.random() < 0.4:
            parts.append(chance.choice(WORDS))
        else:
            first, last = chance.choice(RANGES)
            parts.append("".join(chr(chance.randint(first, last)) for _ in range(chance.randrange(1, 6))))
    return "".join(parts)


def ours(arguments, texts):
    lines = "\n".join(json.dumps(each) for each in texts) + "\n"
    run = subprocess.run([program, *map(str, arguments)], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.split("\n") if line]


def compare(name, arguments, texts, encode, decode):
    made = ours(arguments, texts)
    assert len(made) == len(texts)
    for each, (tokens, text_again) in zip(texts, made):
        theirs = encode(each)
        assert tokens == theirs, f"{name}: {each!r}\n  knead  {tokens}\n  theirs {theirs}"
        their_text = decode(tokens) if decode else text_again
        assert text_again == their_text, f"{name}: {tokens}\n  knead  {text_again!r}\n  theirs {their_text!r}"
    print(f"{name}: {len(texts)} texts, {sum(len(tokens) for tokens, _ in made)} tokens and what they become, all equal")


def any_text(chance):
    """Of any characters, those of no script and of scripts newer than most libraries among them."""
    points = (chance.choice([chance.randrange(0x3000), chance.randrange(0x20000), chance.randrange(0x110000)])
              for _ in range(chance.randrange(1, 60)))
    return "".join(chr(point) for point in points if not 0xD800 <= point < 0xE000)


def every_character():
    """Each character between letters, and behind and before a mark."""
    for first in [*range(0, 0x20000, 256), *range(0x2A600, 0x2EF00, 256), 0x31300, 0x32300, *range(0xE0000, 0xE0200, 256)]:
        points = [point for point in range(first, first + 256) if not 0xD800 <= point < 0xE000]
        yield "a" + "a".join(map(chr, points)) + " e" + "e\u0301".join(map(chr, points)) + "\u0323"


def main():
    chance = random.Random(20)
    texts = record.TEXTS + record.SHORT_TEXTS + [text(chance) for _ in range(1500)] + [any_text(chance) for _ in range(1500)]
    texts += every_character()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, tokenizer in [*record.hugging_face(), *record.of_makes(), *record.of_features()]:
            (folder / f"{name}.json").write_text(tokenizer.to_str(), encoding="utf-8")
            compare(name, [folder / f"{name}.json"], texts, lambda each: tokenizer.encode(each, add_special_tokens=False).ids,
                    tokenizer.decoder and (lambda tokens: tokenizer.decode(tokens, skip_special_tokens=False)))
        for name, encoding, ranks in record.encodings():
            record.write_ranks(folder / "ranks", ranks)
            compare(name, [folder / "ranks", name], texts, encoding.encode_ordinary, encoding.decode)


main()
