"""re: regular expressions."""

IGNORECASE = I = 2
LOCALE = L = 4
MULTILINE = M = 8
DOTALL = S = 16
UNICODE = U = 32
VERBOSE = X = 64
DEBUG = 128
ASCII = A = 256
NOFLAG = 0

error = PatternError = _expression_error


class Match:
    def __init__(self, pattern, string, spans, pos, endpos):
        self.re = pattern
        self.string = string
        self.pos = pos
        self.endpos = endpos
        self._spans = spans
        self.lastindex = None
        last = -1
        for i in range(1, len(spans)):
            if spans[i][1] > last:
                self.lastindex, last = i, spans[i][1]
        named = [name for name, i in pattern.groupindex.items() if i == self.lastindex]
        self.lastgroup = named[0] if named else None

    def _span(self, group):
        if isinstance(group, str):
            if group not in self.re.groupindex:
                raise IndexError("no such group")
            group = self.re.groupindex[group]
        if not 0 <= group < len(self._spans):
            raise IndexError("no such group")
        return self._spans[group]

    def _part(self, group, default=None):
        begin, end = self._span(group)
        return default if begin < 0 else self.string[begin:end]

    def group(self, *groups):
        if len(groups) < 2:
            return self._part(groups[0] if groups else 0)
        return tuple([self._part(group) for group in groups])

    def __getitem__(self, group):
        return self._part(group)

    def groups(self, default=None):
        return tuple([self._part(i, default) for i in range(1, len(self._spans))])

    def groupdict(self, default=None):
        return {name: self._part(name, default) for name in self.re.groupindex}

    def start(self, group=0):
        return self._span(group)[0]

    def end(self, group=0):
        return self._span(group)[1]

    def span(self, group=0):
        return self._span(group)

    def expand(self, template):
        return _filled(_parts_of(self.re, template), self)

    def __bool__(self):
        return True


class Pattern:
    def __init__(self, pattern, flags=0):
        self.pattern = pattern
        self.flags = flags
        self.groups, names = _groups_of_expression(pattern, flags)
        self.groupindex = dict(names)

    def _find(self, string, pos, endpos, mode, advances=False):
        end = len(string) if endpos is None else min(endpos, len(string))
        if pos > end:
            return None
        spans = _find_expression(self.pattern, self.flags, string[:end], pos, mode, advances)
        return None if spans is None else Match(self, string, spans, pos, end)

    def search(self, string, pos=0, endpos=None):
        return self._find(string, pos, endpos, "search")

    def match(self, string, pos=0, endpos=None):
        return self._find(string, pos, endpos, "match")

    def fullmatch(self, string, pos=0, endpos=None):
        return self._find(string, pos, endpos, "fullmatch")

    def finditer(self, string, pos=0, endpos=None):
        """Behind an empty match, the next one may begin at the same place and must not be empty."""
        found = self._find(string, pos, endpos, "search")
        while found is not None:
            yield found
            found = self._find(string, found.end(), endpos, "search", found.start() == found.end())

    def findall(self, string, pos=0, endpos=None):
        if self.groups > 1:
            return [found.groups("") for found in self.finditer(string, pos, endpos)]
        return [found._part(self.groups, "") for found in self.finditer(string, pos, endpos)]

    def split(self, string, maxsplit=0):
        parts = []
        begin = 0
        for found in self.finditer(string):
            if maxsplit and len(parts) >= maxsplit * (self.groups + 1):
                break
            parts.append(string[begin : found.start()])
            parts += list(found.groups())
            begin = found.end()
        return parts + [string[begin:]]

    def subn(self, repl, string, count=0):
        template = None if callable(repl) else _parts_of(self, repl)
        made, begin, number = "", 0, 0
        for found in self.finditer(string):
            if count and number >= count:
                break
            made += string[begin : found.start()]
            made += repl(found) if template is None else _filled(template, found)
            begin = found.end()
            number += 1
        return made + string[begin:], number

    def sub(self, repl, string, count=0):
        return self.subn(repl, string, count)[0]


def _parts_of(pattern, template):
    """The texts and the groups of a template such as r"\\1-\\g<name>"."""
    letters = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "f": "\f", "v": "\v", "b": "\b", "\\": "\\"}
    parts = []
    at = 0
    while at < len(template):
        if template[at] != "\\":
            parts.append(template[at])
            at += 1
            continue
        letter = template[at + 1 : at + 2]
        if letter == "g":
            end = template.find(">", at)
            if template[at + 2 : at + 3] != "<" or end < 0:
                raise error("missing group name")
            name = template[at + 3 : end]
            if name.isdigit():
                parts.append(int(name))
            elif name in pattern.groupindex:
                parts.append(pattern.groupindex[name])
            else:
                raise IndexError(f"unknown group name '{name}'")
            at = end + 1
        elif letter.isdigit() and letter != "0":
            end = at + 3 if template[at + 2 : at + 3].isdigit() else at + 2
            parts.append(int(template[at + 1 : end]))
            at = end
        elif letter in letters:
            parts.append(letters[letter])
            at += 2
        elif letter == "0" or letter.isalpha() or letter == "":
            raise error(f"bad escape \\{letter}")
        else:
            parts.append("\\" + letter)
            at += 2
    for part in parts:
        if isinstance(part, int) and part > pattern.groups:
            raise error(f"invalid group reference {part}")
    return parts


def _filled(parts, found):
    return "".join([found._part(part, "") if isinstance(part, int) else part for part in parts])


def compile(pattern, flags=0):
    return pattern if isinstance(pattern, Pattern) else Pattern(pattern, flags)


def search(pattern, string, flags=0):
    return compile(pattern, flags).search(string)


def match(pattern, string, flags=0):
    return compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return compile(pattern, flags).fullmatch(string)


def finditer(pattern, string, flags=0):
    return compile(pattern, flags).finditer(string)


def findall(pattern, string, flags=0):
    return compile(pattern, flags).findall(string)


def split(pattern, string, maxsplit=0, flags=0):
    return compile(pattern, flags).split(string, maxsplit)


def sub(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).subn(repl, string, count)


def escape(pattern):
    special = "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"
    return "".join(["\\" + one if one in special else one for one in pattern])


def purge():
    pass
