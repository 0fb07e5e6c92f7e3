"""Queues that a model may keep; nothing waits, because nothing else runs."""


class Empty(Exception):
    pass


class Full(Exception):
    pass


class Queue:
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self.queue = []

    def qsize(self):
        return len(self.queue)

    def empty(self):
        return not self.queue

    def full(self):
        return 0 < self.maxsize <= len(self.queue)

    def put(self, item, block=True, timeout=None):
        if self.full():
            raise Full()
        self.queue.append(item)

    def get(self, block=True, timeout=None):
        if not self.queue:
            raise Empty()
        return self._take()

    def put_nowait(self, item):
        self.put(item)

    def get_nowait(self):
        return self.get()

    def _take(self):
        return self.queue.pop(0)


class LifoQueue(Queue):
    def _take(self):
        return self.queue.pop()


class SimpleQueue(Queue):
    pass
