"""What `profile` writes is opened by Perfetto: nothing of it is dropped, and what it holds is where a person looks.

usage: profile_test.py KNEAD ROOT
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from perfetto_processor import Perfetto

# A trace of what a GPU did, as trace_file.cpp writes it: there is none here to record one of.
WITH_GPU = """{"displayTimeUnit": "ms", "otherData": {}, "traceEvents": [
{"ph": "M", "name": "process_name", "pid": 1, "tid": 1, "args": {"name": "knead"}},
{"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "training"}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 0.0, "dur": 10.0, "args": {}},
{"ph": "M", "name": "process_name", "pid": 2, "tid": 20000, "args": {"name": "GPU 0"}},
{"ph": "M", "name": "thread_name", "pid": 2, "tid": 20000, "args": {"name": "stream 7"}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 2, "tid": 20000, "ts": 12.0, "dur": 30.5, "args": {"stream": 7}},
{"ph": "s", "id": 1, "cat": "ac2g", "name": "ac2g", "pid": 1, "tid": 1, "ts": 4.0},
{"ph": "f", "bp": "e", "id": 1, "cat": "ac2g", "name": "ac2g", "pid": 2, "tid": 20000, "ts": 12.0}
]}
"""

OVERLAPPING = """{"traceEvents": [
{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 0.0, "dur": 10.0},
{"ph": "X", "name": "b", "pid": 1, "tid": 1, "ts": 5.0, "dur": 10.0}
]}
"""


def complaints(perfetto):
    """What Perfetto counted of a trace that it could not take as it was."""
    wanted = "select name, value from stats where value > 0 and severity in ('error', 'data_loss')"
    return {row.name: row.value for row in perfetto.query(wanted)}


def rows(perfetto, sql, *columns):
    return [tuple(getattr(row, column) for column in columns) for row in perfetto.query(sql)]


def traced(knead, root, folder, *overrides):
    command = [knead, "run", root / "recipes/digits.yaml", f"output={folder}", "expect=[]", "train.until=2 epochs"]
    done = subprocess.run([*command, *overrides], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (trace,) = pathlib.Path(folder).glob("digits/profile/*.json")
    return trace.read_bytes()


def check_digits(knead, root):
    with tempfile.TemporaryDirectory() as folder:
        text = traced(knead, root, folder, "profile={steps: [40, 55], memory: true}", "threads=2", "data.workers=2")
    perfetto = Perfetto(text)
    assert complaints(perfetto) == {}, complaints(perfetto)

    # Every event is there, with its times to the nanosecond.
    events = json.loads(text)["traceEvents"]
    spans = sorted((round(1000 * e["ts"]), round(1000 * e["dur"]), e["name"]) for e in events if e["ph"] == "X")
    assert sorted(rows(perfetto, "select ts, dur, name from slice", "ts", "dur", "name")) == spans
    counted = [(round(1000 * e["ts"]), e["args"]["bytes"]) for e in events if e["ph"] == "C"]
    sql = "select c.ts, c.value from counter c join counter_track t on c.track_id = t.id where t.name like 'memory of tensors%'"
    assert len(counted) > 100 and rows(perfetto, sql, "ts", "value") == counted

    (process,) = rows(perfetto, "select name from process where pid = 1", "name")
    assert process == ("knead",), process
    threads = {name for (name,) in rows(perfetto, "select name from thread where tid > 0", "name")}
    assert {"training", "reader 1", "reader 2", "checkpoint writer"} <= threads, threads

    # Steps follow one another on the track of the loop, and operators lie within their parts.
    sql = """select s.name, s.depth, t.name as thread from slice s join thread_track k on s.track_id = k.id
             join thread t using (utid) where s.name like 'step %' order by s.ts"""
    steps = rows(perfetto, sql, "name", "depth", "thread")
    assert steps == [(f"step {i}", 0, "training") for i in range(40, 56)], steps
    sql = """select distinct p.name from slice s join slice p on s.parent_id = p.id
             where s.name = 'AddmmBackward0' or s.name = 'aten::linear'"""
    assert set(rows(perfetto, sql, "name")) == {("backward",), ("forward",), ("evaluation",)}
    sql = """select distinct s.name from slice s join thread_track k on s.track_id = k.id
             join thread t using (utid) where t.name like 'reader %'"""
    read = {name.split()[0] for (name,) in rows(perfetto, sql, "name")}
    assert {"batch", "pixels", "digit", "waits"} <= read, read
    sql = """select s.name from slice s join thread_track k on s.track_id = k.id
             join thread t using (utid) where t.name = 'checkpoint writer' order by s.ts"""
    saved = rows(perfetto, sql, "name")  # as far as it came before the last step of the profile
    assert saved and saved == [("save step 47",), ("write",), ("read back",)][: len(saved)], saved


def check_ranks(knead, root):
    with tempfile.TemporaryDirectory() as folder:
        text = traced(knead, root, folder, "profile={steps: [40, 45]}", "threads=1", "distributed=2")
    perfetto = Perfetto(text)
    assert complaints(perfetto) == {}, complaints(perfetto)
    sql = """select p.name as process, s.name, s.ts, s.dur from slice s join thread_track k on s.track_id = k.id
             join thread t using (utid) join process p using (upid) where t.name = 'training' order by s.ts"""
    spans = rows(perfetto, sql, "process", "name", "ts", "dur")
    wanted = [f"step {i}" for i in range(40, 46)]
    for rank in ("rank 0", "rank 1"):
        names = [name for process, name, _, _ in spans if process == rank]
        assert [name for name in names if name.startswith("step ")] == wanted, (rank, names)
        assert {"forward", "backward", "waits for ranks", "reduce", "optimizer"} <= set(names), (rank, names)
    # The clocks agree: no rank ends adding up the gradients of a step before the other has begun.
    sums = [[(ts, ts + dur) for process, name, ts, dur in spans if (process, name) == (rank, "reduce")]
            for rank in ("rank 0", "rank 1")]
    assert len(sums[0]) == len(sums[1]) == 6, sums
    for (begin, end), (other_begin, other_end) in zip(*sums):
        assert begin <= other_end and other_begin <= end, sums


def check_gpu():
    perfetto = Perfetto(WITH_GPU.encode())
    assert complaints(perfetto) == {}, complaints(perfetto)
    sql = """select a.name as asks, b.name as does from flow join slice a on flow.slice_out = a.id
             join slice b on flow.slice_in = b.id"""
    assert rows(perfetto, sql, "asks", "does") == [("aten::mm", "gemm")]
    sql = "select p.name as process, t.name as thread from thread t join process p using (upid) where p.pid = 2"
    assert ("GPU 0", "stream 7") in rows(perfetto, sql, "process", "thread")


def main():
    # A trace that is wrong is complained about: silence says something.
    assert "slice_drop_overlapping_complete_event" in complaints(Perfetto(OVERLAPPING.encode()))
    check_digits(sys.argv[1], pathlib.Path(sys.argv[2]))
    check_ranks(sys.argv[1], pathlib.Path(sys.argv[2]))
    check_gpu()


if __name__ == "__main__":
    main()
