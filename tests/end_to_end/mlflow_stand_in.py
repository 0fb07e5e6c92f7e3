"""A server that speaks as much of MLflow's REST API 2.0 as knead uses, and fails in the ways that it is told to.

usage: mlflow_stand_in.py PORT_FILE [PORT]

It keeps every number that it was sent, repetitions too: GET /dump has them. POST /fail/WAY sets how calls of the API
fail from then on: none, 429, 500, garbage, redirect, endless, head, slow, hole, half, lost.
"""

import http.server
import json
import pathlib
import sys
import threading
import time
import urllib.parse

way = "none"
lock = threading.Lock()
experiments, runs, calls = {}, {}, []


def run_of(run_id):
    if run_id not in runs:
        raise KeyError("RESOURCE_DOES_NOT_EXIST")
    return runs[run_id]


def answer(path, query, body):
    """What MLflow answers to a call, with its effect."""
    if path == "experiments/get-by-name":
        name = query["experiment_name"][0]
        if name not in experiments:
            raise KeyError("RESOURCE_DOES_NOT_EXIST")
        return {"experiment": {"experiment_id": experiments[name]}}
    if path == "experiments/create":
        experiments[body["name"]] = str(len(experiments))
        return {"experiment_id": experiments[body["name"]]}
    if path == "runs/search":
        key = body["filter"].split("'")[1]
        found = [run for run in runs.values() if run["tags"].get("knead.key") == key]
        return {"runs": [{"info": {"run_id": run["id"]}} for run in found]}
    if path == "runs/create":
        run = {"id": f"{len(runs):032x}", "name": body["run_name"], "tags": {tag["key"]: tag["value"] for tag in body["tags"]}}
        run.update(metrics=[], params={}, status="RUNNING", artifacts={})
        runs[run["id"]] = run
        return {"run": {"info": {"run_id": run["id"]}}}
    if path == "runs/get":
        run = run_of(query["run_id"][0])
        last = {}
        for metric in run["metrics"]:
            if metric["key"] not in last or last[metric["key"]]["step"] <= metric["step"]:
                last[metric["key"]] = metric
        data = {"metrics": list(last.values()), "params": [{"key": key, "value": value} for key, value in run["params"].items()]}
        return {"run": {"info": {"run_id": run["id"], "artifact_uri": f"mlflow-artifacts:/0/{run['id']}/artifacts"}, "data": data}}
    if path == "runs/log-batch":
        run = run_of(body["run_id"])
        metrics = body["metrics"]
        assert len(metrics) <= 1000 and len(body["params"]) <= 100
        run["metrics"] += metrics[: len(metrics) // 2] if way == "half" else metrics
        run["params"].update({param["key"]: param["value"] for param in body["params"]})
        return {}
    assert path == "runs/update", path
    run_of(body["run_id"])["status"] = body["status"]
    return {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, text, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def fail(self):
        """Returns True if the call has failed in the way that was asked for."""
        if way in ("429", "500"):
            self.send(int(way), b'{"error_code": "INTERNAL_ERROR", "message": "no \\u001b[31mtoday"}')
        elif way == "garbage":
            self.send(200, b"<html>login</html>")
        elif way == "redirect":
            self.send(302, b"", Location=f"http://127.0.0.1:{self.server.server_port}/elsewhere")
        elif way == "endless":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            while True:
                self.wfile.write(b"10000\r\n" + b" " * 65536 + b"\r\n")
        elif way == "head":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
            while True:
                self.wfile.write(b"x" * 65536)
        elif way == "slow":
            for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}" + b" " * 1000:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(1)
        elif way == "hole":
            time.sleep(3600)
        else:
            return False
        return True

    def do(self):
        global way
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        url = urllib.parse.urlsplit(self.path)
        calls.append(url.path)
        if url.path.startswith("/fail/"):
            way = url.path.removeprefix("/fail/")
            return self.send(200, b"")
        if url.path == "/dump":
            return self.send(200, json.dumps({"runs": list(runs.values()), "calls": calls}).encode())
        self.close_connection = way != "none"
        try:
            if self.fail():
                return None
            if url.path.startswith("/api/2.0/mlflow-artifacts/artifacts/0/"):
                run_id, _, name = url.path.removeprefix("/api/2.0/mlflow-artifacts/artifacts/0/").partition("/artifacts/")
                runs[run_id]["artifacts"][name] = len(body)
                return self.send(200, b"{}")
            with lock:
                try:
                    reply = answer(url.path.removeprefix("/api/2.0/mlflow/"), urllib.parse.parse_qs(url.query), json.loads(body or b"{}"))
                except KeyError as unknown:
                    return self.send(404, json.dumps({"error_code": unknown.args[0], "message": "not here"}).encode())
            if way in ("half", "lost") and url.path.endswith(("log-batch", "create")):
                return None  # it has an effect, and nobody is told
            return self.send(200, json.dumps(reply).encode())
        except OSError:
            return None

    do_GET = do_POST = do_PUT = do


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


def main():
    server = Server(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0), Handler)
    port_file = pathlib.Path(sys.argv[1])
    port_file.with_suffix(".part").write_text(str(server.server_port))
    port_file.with_suffix(".part").rename(port_file)
    server.serve_forever()


main()
