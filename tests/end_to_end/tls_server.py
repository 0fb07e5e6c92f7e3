"""Serves the files of a folder over TLS: tls_server.py FOLDER CERTIFICATE KEY VERSION PORT_FILE

VERSION is the newest version of TLS that it speaks, as Python's ssl names it: TLSv1_1, TLSv1_2, TLSv1_3.
"""

import functools
import http.server
import pathlib
import ssl
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


folder, certificate, key, version, port_file = sys.argv[1:]


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # a client that refuses the certificate


server = Server(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.set_ciphers("ALL:@SECLEVEL=0")
context.minimum_version = ssl.TLSVersion.TLSv1
context.maximum_version = ssl.TLSVersion[version]
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
part = pathlib.Path(port_file + ".part")
part.write_text(str(server.server_port))
part.rename(port_file)
server.serve_forever()
