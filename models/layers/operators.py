"""The operators of Python as functions."""


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def truediv(a, b):
    return a / b


def floordiv(a, b):
    return a // b


def mod(a, b):
    return a % b


def pow(a, b):
    return a**b


def matmul(a, b):
    return a @ b


def neg(a):
    return -a


def eq(a, b):
    return a == b


def ne(a, b):
    return a != b


def lt(a, b):
    return a < b


def le(a, b):
    return a <= b


def gt(a, b):
    return a > b


def ge(a, b):
    return a >= b


def getitem(a, b):
    return a[b]


class itemgetter:
    def __init__(self, *items):
        self.items = items

    def __call__(self, obj):
        if len(self.items) == 1:
            return obj[self.items[0]]
        return tuple([obj[item] for item in self.items])


class attrgetter:
    def __init__(self, *attrs):
        self.attrs = attrs

    def __call__(self, obj):
        values = []
        for path in self.attrs:
            value = obj
            for name in path.split("."):
                value = getattr(value, name)
            values.append(value)
        return values[0] if len(values) == 1 else tuple(values)
