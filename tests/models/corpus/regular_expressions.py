# works
# inputs: torch.randn(2, 4)
import re
import string

import torch
from torch import nn

STAGE = re.compile(r"(?P<kind>[a-z]{2})_r(?P<count>\d+)(?:_k(?P<kernel>\d+))?(_(?P<last>s\d))?$")


def options(text):
    found = {}
    for part in text.split("_")[1:]:
        pieces = re.split(r"(\d.*)", part)
        if len(pieces) >= 2:
            found[pieces[0]] = pieces[1]
    return found


def numbers(text):
    return [float(one) for one in re.findall(r"[-+]?\d*\.?\d+(?:e[-+]?\d+)?", text)]


def features():
    one = STAGE.match("ir_r2_k3_s2")
    all_of_it = [
        one.group("kind"),
        one["count"],
        one.groups(),
        one.groupdict("none"),
        one.span("kernel"),
        one.lastindex,
        one.lastgroup,
        STAGE.fullmatch("ir_r2_k3 "),
        STAGE.match("ds_r1").groups("-"),
        re.sub(r"x*", "-", "abxd"),
        re.sub(r"(\w)(\d)", r"\2\g<1>.", "a1 b2 c3", count=2),
        re.sub(r"block(\d+)", lambda m: "stage" + str(int(m.group(1)) + 1), "block1.block22"),
        re.subn("a|b", "", "cabd"),
        re.split(r"[\s,]+", "a, b  c,d"),
        re.split(r"(-)|x", "1-2x3", maxsplit=1),
        re.split(r"x*", "axbc"),
        re.findall(r"(?m)^(\w+)=(\w*)$", "a=1\nbb=\nc=3\n"),
        re.findall(r"(?m)^", "a\nb\n"),
        re.findall(r"[[:a]]?", "[a]b"),
        [m.start() for m in re.finditer(r"(?<=é)b", "ébéb")] + [ord("é")],
        bool(re.search(r"A.B\Z", "a\nb", re.I | re.S)),
        re.search(r"^b{,2}$", "bb\n") is not None,
        re.match(r"(a+?)(?P<rest>a*)(?P=rest)?", "aaaa").groups(),
        re.escape("a.b[c]-d_e"),
        re.compile(r" \d + # digits", re.VERBOSE).match("42").group(),
        re.compile("b").search("abab", 2).start(),
        re.match(r"(\d+)\.(\d+)", "2.11.0").group(1, 2),
        re.fullmatch(r"\u0061\x62\v?", "ab") is not None,
        string.ascii_lowercase[:3] + string.digits[-2:] + string.ascii_letters[26],
        string.punctuation,
    ]
    try:
        re.compile(r"(a")
    except re.error:
        all_of_it.append("wrong")
    return [float(ord(letter) % 13) for letter in repr(all_of_it)]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, int(options("ir_r1_k3_s2_e4.0")["k"]))
        self.register_buffer("numbers", torch.tensor(numbers("lr=1e-3, -2.5 and +.5")))
        self.register_buffer("features", torch.tensor(features()))

    def forward(self, x):
        return self.linear(x) * self.numbers + self.features.mean()
