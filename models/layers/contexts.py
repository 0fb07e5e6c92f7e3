"""contextlib: what a `with` enters."""


class AbstractContextManager:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return None


class ContextDecorator:
    """A context that a decorator enters around each call of a function."""

    def __call__(self, function):
        def inside(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return inside


class _GeneratorContext(AbstractContextManager, ContextDecorator):
    def __init__(self, function, args, kwargs):
        self._make = lambda: function(*args, **kwargs)
        self._open = []

    def __enter__(self):
        generator = self._make()
        self._open.append(generator)
        for value in generator:
            return value
        raise RuntimeError("generator didn't yield")

    def __exit__(self, kind, value, traceback):
        generator = self._open.pop()
        if kind is not None:
            # What the generator has below `finally` runs; it has no `except` around its yield.
            generator.close()
            return False
        for _ in generator:
            raise RuntimeError("generator didn't stop")
        return False


def contextmanager(function):
    def make(*args, **kwargs):
        return _GeneratorContext(function, args, kwargs)

    return make


class nullcontext(AbstractContextManager):
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result


class suppress(AbstractContextManager):
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __exit__(self, kind, value, traceback):
        return kind is not None and isinstance(value, self._exceptions)


class closing(AbstractContextManager):
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, kind, value, traceback):
        self.thing.close()


class ExitStack(AbstractContextManager):
    """Contexts that are left together, the last first. An exception that one of them ends is not seen by the others."""

    def __init__(self):
        self._exits = []

    def enter_context(self, context):
        value = context.__enter__()
        self._exits.append(context.__exit__)
        return value

    def push(self, context):
        self._exits.append(context.__exit__ if hasattr(context, "__exit__") else context)
        return context

    def callback(self, function, *args, **kwargs):
        self._exits.append(lambda kind, value, traceback: function(*args, **kwargs) and False)
        return function

    def close(self):
        self.__exit__(None, None, None)

    def __exit__(self, kind, value, traceback):
        ended = False
        while self._exits:
            if self._exits.pop()(kind, value, traceback) and kind is not None:
                kind, value, ended = None, None, True
        return ended
