"""Takes notices and writes each down as a line "PATH BODY": hook_stand_in.py PORT_FILE LINES

/silent never answers, /refuses answers 500.
"""

import http.server
import pathlib
import sys
import time


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        with open(sys.argv[2], "a") as lines:
            lines.write(f"{self.path} {body}\n")
        if self.path.startswith("/silent"):
            time.sleep(3600)
        self.send_response(500 if self.path.startswith("/refuses") else 200)
        self.end_headers()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
port_file = pathlib.Path(sys.argv[1])
port_file.with_suffix(".part").write_text(str(server.server_port))
port_file.with_suffix(".part").rename(port_file)
server.serve_forever()
