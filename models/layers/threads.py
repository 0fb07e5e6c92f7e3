"""threading: values of a thread, and locks. A model runs on one thread."""


class local:
    pass


class Lock:
    def __enter__(self):
        return True

    def __exit__(self, kind, value, traceback):
        return False

    def acquire(self, blocking=True, timeout=-1):
        return True

    def release(self):
        pass


class RLock(Lock):
    pass
